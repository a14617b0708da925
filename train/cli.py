"""The command line: `backalley train|eval|bench|rules|deal`.

Each command imports what it needs itself, so that help comes at once and torch is loaded by those only that use a
network. Exit codes and errors: see `commands`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from backalley.train.commands import EXTRA, FAILURE, Command, Commands

if TYPE_CHECKING:
    from backalley.envs import Rules
    from backalley.policies.base import Policy
    from backalley.train.evaluate import Result
    from backalley.train.selfplay import Progress, Trainer

app = typer.Typer(
    cls=Commands,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)

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


@app.callback()
def _backalley() -> None:
    """Back Alley: play, measure and train policies for a partnership trick-taking game.

    For example:

        $ backalley train quickstart

        $ backalley eval net:runs/quickstart simple
    """


@app.command("eval", cls=Command)
def evaluate_policies(
    policy_a: Annotated[str, typer.Argument(metavar="A", help="Policy, such as simple, rules or net:PATH.")],
    policy_b: Annotated[str, typer.Argument(metavar="B", help="Policy it is measured against.")],
    preset: Preset = "partnership",
    rule: RuleOptions = None,
    pairs: Annotated[int, typer.Option(min=2, help="Deals played twice; 26000 give about ±0.1.")] = 26_000,
    seed: Seed = 0,
    json_file: Json = None,
) -> None:
    """Measure policy A against policy B: points per deal on duplicate pairs, with a 95 % interval.

    Each deal is played twice with the sides swapped.

    For example:

        $ backalley eval rules simple --pairs 26000 --seed 1

        $ backalley eval net:runs/quickstart rules --json result.json
    """
    from backalley.train.console import ProgressBar, show_result
    from backalley.train.evaluate import evaluate
    from backalley.train.output import check_destination, write_json

    check_destination(json_file)
    rules = _rules(preset, rule)
    with ProgressBar(f"{policy_a} against {policy_b}") as bar:
        result = evaluate(policy_a, policy_b, rules, pairs=pairs, seed=seed, progress=bar.update)
    write_json(json_file, result.as_dict())
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
    from backalley.train import rule_sheet

    if preset is None:
        if rule:
            raise typer.BadParameter("name the preset whose options --rule overrides", param_hint="PRESET")
        typer.echo("\n".join(rule_sheet.preset_list()))
        return
    typer.echo(rule_sheet.rule_sheet(_rules(preset, rule), " ".join([preset, *(rule or [])])))


@app.command(cls=Command)
def deal(
    policies: Annotated[
        str,
        typer.Option(metavar="NAMES", help="One policy for all seats, one for each side, or one for each seat."),
    ] = "rules",
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
    """
    from backalley.train import deal_record, deal_sheet
    from backalley.train.output import check_destination, write_json

    check_destination(json_file)
    rules = _rules(preset, rule)
    _check_deal(rules, match=match, full=full, hand_size=hand_size, deck=deck, cut=cut)
    seats = _policies(policies, rules)
    if match:
        record = deal_record.play_match(rules, seats, seed=seed, dealer=dealer)
    else:
        chance: dict[str, Any] = {"hand_size": hand_size, "decks": deck, "cuts": cut, "dealer": dealer}
        record = deal_record.play_deal(rules, seats, seed=seed, **chance)
    write_json(json_file, record)
    if json_file != "-":
        text = deal_sheet.match_text(record, rules, full=full) if match else deal_sheet.deal_text(record, rules)
        typer.echo(text)


def _check_deal(
    rules: Rules, *, match: bool, full: bool, hand_size: int | None, deck: list[str] | None, cut: list[str] | None
) -> None:
    """Refuse options of `deal` that do not fit each other, and a cut that does not fit the rules."""
    from backalley.envs.api.options import reset_arguments
    from backalley.envs.errors import BackAlleyError

    if full and not match:
        raise BackAlleyError("--full shows the deals of a match: add --match, a single deal is always shown in full")
    given = {"--hand-size": hand_size, "--deck": deck, "--cut": cut}
    for option, value in given.items():
        if match and value:
            raise BackAlleyError(f"{option} fixes a single deal: leave it or --match out, a match deals its schedule")
    reset_arguments({"deck": deck, "cut": cut, "hand_size": hand_size}, rules)


def _policies(names: str, rules: Rules) -> list[Policy]:
    """Return the policy of each seat from names separated by commas."""
    from backalley.envs.errors import BackAlleyError
    from backalley.policies import registry

    given = [name.strip() for name in names.split(",")]
    seats = {1: lambda seat: 0, rules.n_sides: rules.side_of, rules.players: lambda seat: seat}
    if len(given) not in seats:
        counts = ", ".join(map(str, seats))
        raise BackAlleyError(
            f"--policies names {len(given)} policies: give one, one for each side, or each seat ({counts})"
        )
    made = [registry.make(name, rules) for name in given]
    return [made[seats[len(given)](seat)] for seat in range(rules.players)]


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
) -> dict[str, Result]:
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


# What the commands share.


def _rules(preset: str, options: Sequence[str] | None) -> Rules:
    """Return the rules of a preset with `key=value` overrides; values are JSON or plain words."""
    from backalley.envs import Rules
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
    return Rules.preset(preset, **overrides)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code.

    Args:
        arguments: instead of those of the process.
    """
    try:
        app(args=list(sys.argv[1:] if arguments is None else arguments), prog_name="backalley")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else FAILURE
    return 0
