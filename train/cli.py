"""The command line: `backalley train|eval|bench|rules|deal|solve|replay|arena|export`.

Each command imports what it needs itself, so that help comes at once and torch is loaded by those only that use a
network. Exit codes and errors: see `commands`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from backalley.train import cli_arena, cli_export, cli_records
from backalley.train.cli_options import Json, Preset, RuleOptions, Seed, chosen_rules, usual_pairs
from backalley.train.commands import EXTRA, Command, new_app, run

if TYPE_CHECKING:
    from backalley.train.measure import AnyResult
    from backalley.train.selfplay import Progress, Trainer

app = new_app()


@app.callback()
def _backalley() -> None:
    """Back Alley: play, measure and train policies for a partnership trick-taking game.

    For example:

        $ backalley train quickstart

        $ backalley eval net:runs/quickstart simple
    """


@app.command("eval", cls=Command)
def evaluate_policies(
    policy_a: Annotated[str, typer.Argument(metavar="A", help="Policy: a bot, net:PATH, sb3:PATH, MODULE:FUNCTION …")],
    policy_b: Annotated[str, typer.Argument(metavar="B", help="Policy it is measured against.")],
    preset: Preset = "partnership",
    rule: RuleOptions = None,
    pairs: Annotated[
        int | None, typer.Option(min=2, help="Deals both play: else 26000, which give about ±0.1; 2000 in patience.")
    ] = None,
    seed: Seed = 0,
    json_file: Json = None,
    records: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Append a record of each play, to read and replay.")
    ] = None,
    n_records: Annotated[int, typer.Option(min=1, metavar="N", help="Pairs that are recorded.")] = 100,
) -> None:
    """Measure policy A against policy B: points per deal on duplicate pairs, with a 95 % interval.

    Each deal is played twice with the sides swapped. In patience both play the same deals, and what counts is the share
    won and the cards brought up.

    For example:

        $ backalley eval rules simple --pairs 26000 --seed 1

        $ backalley eval net:runs/quickstart rules --json result.json

        $ backalley eval solver greedy --preset streets_and_alleys --pairs 200
    """
    from backalley.train.console import ProgressBar, show_result
    from backalley.train.measure import measure
    from backalley.train.output import check_destination, write_json

    check_destination(json_file)
    rules = chosen_rules(preset, rule)
    with ProgressBar(f"{policy_a} against {policy_b}") as bar:
        result = measure(policy_a, policy_b, rules, usual_pairs(rules, pairs), seed, progress=bar.update)
    write_json(json_file, result.as_dict())
    if records is not None:
        cli_records.record(rules, policy_a, policy_b, seed, records, min(n_records, usual_pairs(rules, pairs)))
    if json_file != "-":
        show_result(result)


@app.command(cls=Command)
def bench(
    only: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Measure this figure; may be repeated.")
    ] = None,
    all_presets: Annotated[
        bool, typer.Option("--all-presets", help="Measure how fast a table of each rule set is stepped instead.")
    ] = False,
    json_file: Json = None,
) -> None:
    """Measure speed here, in decisions per second.

    For example:

        $ backalley bench

        $ backalley bench --only table_decisions --json -

        $ backalley bench --all-presets
    """
    from backalley.envs.errors import unknown
    from backalley.train import bench as benchmark
    from backalley.train.output import check_destination, write_json

    check_destination(json_file)
    names = only or (benchmark.preset_figure_names() if all_presets else benchmark.standard_figure_names())
    for name in names:
        if name not in benchmark.figure_names():
            raise unknown("figure", name, benchmark.figure_names())
    figures: list[dict[str, Any]] = []
    for name in names:
        try:
            figures.append(benchmark.measure(name))
        except ModuleNotFoundError as error:
            if only or (error.name or "").partition(".")[0] not in EXTRA:
                raise
            typer.echo(f"{name} left out: needs pip install 'backalley[train]'", err=True)
            continue
        if json_file != "-":
            typer.echo(f"{name:<36} {figures[-1]['value']:>14,.0f} {figures[-1]['unit']}")
    write_json(json_file, figures)


@app.command()
def rules(
    preset: Annotated[
        str | None, typer.Argument(metavar="PRESET", help="Named rule set; without it all are listed.")
    ] = None,
    rule: RuleOptions = None,
) -> None:
    """Show a rule set in words, or list all of them.

    For example:

        $ backalley rules

        $ backalley rules gamerules

        $ backalley rules partnership --rule bb_partner=lowest
    """
    from backalley.envs import StreetsRules
    from backalley.train import patience_sheet, rule_sheet

    if preset is None:
        if rule:
            raise typer.BadParameter("name the preset whose options --rule overrides", param_hint="PRESET")
        typer.echo("\n".join([*rule_sheet.preset_list(), *patience_sheet.preset_list()]))
        return
    chosen = chosen_rules(preset, rule)
    sheet = patience_sheet.rule_sheet if isinstance(chosen, StreetsRules) else rule_sheet.rule_sheet
    typer.echo(sheet(chosen, " ".join([preset, *(rule or [])])))  # type: ignore[arg-type]  # the game's own sheet


@app.command(cls=Command)
def deal(
    policies: Annotated[
        str,
        typer.Option(
            metavar="NAMES", help="One policy for all seats, else the best bot; or one for each side, or seat."
        ),
    ] = "",
    preset: Preset = "partnership",
    rule: RuleOptions = None,
    seed: Seed = 0,
    hand_size: Annotated[int | None, typer.Option(help="Cards for each seat; else drawn from the schedule.")] = None,
    deck: Annotated[
        list[str] | None,
        typer.Option(metavar="CARDS", help="The pack in dealing order; repeated for hands thrown in."),
    ] = None,
    cut: Annotated[
        list[str] | None, typer.Option(metavar="CARD", help="Card that a cut exposes, one for each --deck.")
    ] = None,
    dealer: Annotated[int | None, typer.Option(help="Seat that deals first; 0 to 3 are N E S W.")] = None,
    match: Annotated[bool, typer.Option("--match", help="Play a whole match and show a line for each deal.")] = False,
    full: Annotated[bool, typer.Option("--full", help="With --match: show every deal move by move too.")] = False,
    json_file: Json = None,
) -> None:
    """Play one deal, or a match, with named policies and show it.

    For example:

        $ backalley deal --policies simple,rules --hand-size 7 --seed 3

        $ backalley deal --policies simple,rules,simple,random --dealer 3 --json deal.json

        $ backalley deal --match --preset two_of_spades --policies rules

        $ backalley deal --preset beleaguered_castle --policies solver --seed 2
    """
    from backalley.train import dealing
    from backalley.train.output import check_destination, write_json

    check_destination(json_file)
    rules = chosen_rules(preset, rule)
    fixed = {"hand_size": hand_size, "deck": deck, "cut": cut, "dealer": dealer}
    record, text = dealing.deal(rules, policies, seed, fixed, match=match, full=full)
    write_json(json_file, record)
    if json_file != "-":
        typer.echo(text)


@app.command(cls=Command)
def solve(
    deck_file: Annotated[
        Path | None, typer.Argument(metavar="DECKFILE", help="Text file with the pack in dealing order.")
    ] = None,
    preset: Preset = "streets_and_alleys",
    rule: RuleOptions = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Solve the deal that this seed deals instead.")] = None,
    max_seconds: Annotated[float, typer.Option(min=0.1, help="Give up after so long.")] = 60.0,
    json_file: Json = None,
) -> None:
    """Say whether a deal of patience can be won, with the moves if it can.

    For example:

        $ backalley solve --seed 3

        $ backalley solve mydeck.txt --preset beleaguered_castle --json -
    """
    from backalley.train import dealing
    from backalley.train.output import check_destination, write_json

    check_destination(json_file)
    record, text = dealing.solve(chosen_rules(preset, rule), deck_file, seed, max_seconds)
    write_json(json_file, record)
    if json_file != "-":
        typer.echo(text)


@app.command(cls=Command)
def train(
    config: Annotated[
        str | None, typer.Argument(metavar="CONFIG", help="Configuration: quickstart, baseline or a YAML file.")
    ] = None,
    overrides: Annotated[list[str] | None, typer.Argument(metavar="KEY=VALUE", help="Settings to change.")] = None,
    resume: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Go on with the run in this folder, with its configuration."),
    ] = None,
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="Folder of the run, else runs/NAME.")] = None,
    json_file: Json = None,
) -> None:
    """Train a network by self-play and measure it against the bots.

    For example:

        $ backalley train quickstart

        $ backalley train baseline seed=1 ppo.epochs=3 --out runs/second

        $ backalley train --resume runs/second
    """
    from backalley.train.console import show_result
    from backalley.train.output import check_destination, write_json

    check_destination(json_file)
    results = _run_training(config, overrides or [], resume, out, quiet=json_file == "-")
    write_json(json_file, [result.as_dict() for result in results.values()])
    if json_file != "-":
        for result in results.values():
            show_result(result)


def _run_training(
    config: str | None, overrides: list[str], resume: Path | None, out: Path | None, *, quiet: bool
) -> dict[str, AnyResult]:
    """Begin or go on with a run, with its progress on standard error, and return its final results."""
    from backalley.train.console import ProgressBar

    trainer = _trainer(config, overrides, resume, out)
    where = f"{trainer.folder} on {trainer.device}, {trainer.threads} threads"
    typer.echo(f"training {trainer.config.name} in {where}", err=quiet)
    name, budget = trainer.config.name, trainer.config.decisions
    with ProgressBar(name) as bar:

        def report(progress: Progress) -> None:
            strength = ", ".join(f"{mean:+.2f} against {bot}" for bot, mean in progress.strength.items())
            speed = f"{progress.decisions_per_second / 1000:.0f} k/s"
            bar.update(min(progress.decisions, budget), budget, f"{name}: {speed} {strength}")
            if not bar.is_visible and progress.updates % trainer.config.evaluate_every == 0:
                typer.echo(f"{progress.decisions / 1e6:.1f} M decisions, {speed}: {strength}", err=True)

        try:
            return trainer.run(report)
        except KeyboardInterrupt:
            if trainer.progress.updates >= trainer.config.evaluate_every:  # a checkpoint was saved
                typer.echo(f"go on from the last checkpoint with: backalley train --resume {trainer.folder}", err=True)
            raise


def _trainer(config: str | None, overrides: list[str], resume: Path | None, out: Path | None) -> Trainer:
    """Return the trainer of a new run, in a folder of its own, or of one to go on with."""
    from backalley.envs.errors import ConfigError
    from backalley.train.config import config_names, load_config
    from backalley.train.selfplay import CHECKPOINT_FILE, Trainer

    if resume is not None:
        if config is not None or out is not None:
            raise ConfigError("--resume takes the configuration of the run: leave out CONFIG, settings and --out")
        return Trainer.resume(resume)
    if config is None:
        raise ConfigError(f"name a configuration ({', '.join(config_names())}, a YAML file) or --resume a run")
    chosen = load_config(config, overrides)
    if out is None:
        out, n = Path("runs") / chosen.name, 1
        while (out / CHECKPOINT_FILE).exists():
            n += 1
            out = Path("runs") / f"{chosen.name}-{n}"
    elif (out / CHECKPOINT_FILE).exists():
        raise ConfigError(f"{out} holds a run already: go on with --resume {out}, or choose another --out")
    return Trainer(chosen, out)


app.command(cls=Command)(cli_records.replay)
app.command(cls=Command)(cli_arena.arena)
app.command(cls=Command)(cli_export.export)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code.

    Args:
        arguments: instead of those of the process.
    """
    return run(app, "backalley", arguments)
