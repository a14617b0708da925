"""Commands about records of play: `backalley replay`, and `backalley eval --records`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from backalley.envs.rule_set import RuleSet


def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Records, one JSON object a line.")],
    show: Annotated[int | None, typer.Option(min=1, metavar="LINE", help="Print this record in words.")] = None,
) -> None:
    """Play records again, move by move, and check that they end as they say.

    A record that is damaged or breaks the rules is named with its line and the reason; the exit code is then 2.

    For example:

        $ backalley eval rules simple --pairs 100 --records games.jsonl

        $ backalley replay games.jsonl

        $ backalley replay games.jsonl --show 3
    """
    from backalley.envs.errors import BackAlleyError
    from backalley.train.records import check_file

    if not file.is_file():
        raise BackAlleyError(f"there is no file {file}: give the records that `backalley eval --records FILE` wrote")
    n_good, problems = 0, []
    for checked in check_file(file):
        if checked.problem is None:
            n_good += 1
        else:
            problems.append(checked.problem)
        if show == checked.line and checked.record is not None:
            typer.echo(_words(checked.record))
    for problem in problems[1:]:
        typer.echo(f"{file}: {problem}", err=True)
    if problems:
        more = f" ({len(problems)} bad records, {n_good} good ones)"
        raise BackAlleyError(f"{file}: {problems[0]}{more}")
    typer.echo(f"{file}: {n_good} records, all played again with the results that they give")


def _words(record: dict[str, object]) -> str:
    """Return a record in the notation that people write, or its moves where the game has no such notation."""
    from backalley.train.deal_notation import format_deal
    from backalley.train.written_deal import written_deals

    if record["game"] != "back_alley":
        return " ".join(map(str, record["actions"]))  # type: ignore[call-overload]  # a checked record
    return "\n\n".join(format_deal(deal) for deal in written_deals(record))


def record(rules: RuleSet, policy_a: str, policy_b: str, seed: int, file: Path, pairs: int) -> None:
    """Play the first pairs of an evaluation once more and append a record of each play to `file`."""
    from backalley.train.recording import record_pairs

    record_pairs(rules, policy_a, policy_b, pairs, seed, file)
