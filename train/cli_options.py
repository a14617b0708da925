"""Options that commands of the command line share."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from backalley.envs.rule_set import RuleSet

Preset = Annotated[str, typer.Option(help="Named rule set; `backalley rules` lists them.")]
RuleOptions = Annotated[
    list[str] | None,
    typer.Option("--rule", metavar="KEY=VALUE", help="Rule option that overrides the preset; may be repeated."),
]
Json = Annotated[
    str | None,
    typer.Option("--json", metavar="FILE", help="Write the figures as JSON; - is standard output."),
]
Seed = Annotated[int, typer.Option(min=0, help="The same seed gives the same deals.")]


def usual_pairs(rules: RuleSet, asked: int | None) -> int:
    """Return the pairs asked for, else as many as give a useful interval; patience is judged by shares."""
    if asked is not None:
        return asked
    return 2_000 if rules.players == 1 else 26_000


def chosen_rules(preset: str, options: Sequence[str] | None) -> RuleSet:
    """Return the rules of a preset with `key=value` overrides; values are JSON or plain words."""
    from backalley.envs import make_rules
    from backalley.envs.errors import InvalidRules

    overrides = {}
    for option in options or ():
        key, separator, text = option.partition("=")
        if not separator or not key:
            raise InvalidRules(f"--rule {option!r} must read key=value, for example bb_partner=lowest")
        try:
            overrides[key] = json.loads(text)
        except json.JSONDecodeError:
            overrides[key] = text
    return make_rules(preset, **overrides)
