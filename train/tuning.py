"""Fits the nets of the rule bot to what other bids and cards would have gained.

`replay` draws decisions of deals between scripted bots and finds what every legal action would have gained, in parts
that are kept in a folder. `fit` learns from such folders and writes the CSV files of the nets.
"""

from __future__ import annotations

import json
import sys
import zipfile
from collections.abc import Callable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from backalley.envs import Rules
from backalley.envs.back_alley.state import STATE
from backalley.envs.errors import ConfigError, unknown
from backalley.policies.back_alley.alternatives import Decisions, alternatives, as_views
from backalley.policies.back_alley.bots import NAMES
from backalley.policies.back_alley.rules_examples import Examples, bid_examples, card_examples
from backalley.policies.back_alley.tables import PACKAGE
from backalley.policies.files import replacing, write_atomically
from backalley.train.cli_options import Preset, RuleOptions, Seed, chosen_rules
from backalley.train.commands import new_app, run

SETTINGS_FILE = "replay.json"
HELD_OUT = 10
"""One decision in so many is held out: the last ones of each part, so that hardly a deal is on both sides."""
EXAMPLES: dict[str, Callable[[Rules, Decisions], Examples]] = {"bid": bid_examples, "card": card_examples}

app = new_app(__doc__)


class Kind(StrEnum):
    """The nets."""

    bid = "bid"
    card = "card"


def _check_settings(folder: Path, settings: dict[str, Any]) -> None:
    """Write the settings into the folder, or find the same there.

    Raises:
        ConfigError: the folder has parts that were drawn in another way.
    """
    text = json.dumps(settings, indent=2) + "\n"
    file = folder / SETTINGS_FILE
    if not file.exists():
        write_atomically(file, text.encode())
    elif file.read_text(encoding="utf-8") != text:
        raise ConfigError(f"{folder} has decisions drawn in another way, see {file}: repeat that, or name a new folder")


def load_parts(folder: Path) -> tuple[Rules, list[Decisions]]:
    """Return the rules of a folder of decisions, and its parts.

    Raises:
        ConfigError: there are none, or they cannot be read.
    """
    paths = sorted(folder.glob("part_*.npz"))
    file = folder / SETTINGS_FILE
    if not paths or not file.exists():
        raise ConfigError(f"{folder} has no decisions: draw some with `replay {folder}` first")
    rules = Rules.from_dict(json.loads(file.read_text(encoding="utf-8"))["rules"])
    return rules, [_load_part(path) for path in paths]


def _load_part(path: Path) -> Decisions:
    try:
        with np.load(path) as file:
            part = Decisions(*(file[name] for name in Decisions._fields))
    except (ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise ConfigError(f"{path} cannot be read ({error}): delete it and draw it again with `replay`") from None
    if part.views.dtype != STATE:
        raise ConfigError(f"{path} was drawn by another version of backalley: delete its folder and draw it again")
    return part._replace(views=as_views(part.views.view(np.uint8)))  # a file does not say that the fields are aligned


def load_examples(kind: str, folders: Sequence[Path]) -> tuple[Examples, Examples]:
    """Return the examples of a net in some folders, to learn from and held out."""
    train, held_out = [], []
    for folder in folders:
        rules, parts = load_parts(folder)
        for part in parts:
            cut = len(part.actions) - len(part.actions) // HELD_OUT
            train.append(EXAMPLES[kind](rules, part.part(slice(cut))))
            held_out.append(EXAMPLES[kind](rules, part.part(slice(cut, None))))
    return Examples.join(train), Examples.join(held_out)


@app.command()
def replay(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Where the parts are kept; it goes on with it.")],
    preset: Preset = "partnership",
    rule: RuleOptions = None,
    learner: Annotated[str, typer.Option(metavar="BOT", help=f"One of {', '.join(NAMES)}.")] = "tables",
    others: Annotated[str, typer.Option(metavar="BOTS", help="Who may play against it.")] = "tables,simple",
    plays: Annotated[int, typer.Option(min=1, help="Deals of a part.")] = 20_000,
    parts: Annotated[int, typer.Option(min=1, help="How many, with those there already.")] = 10,
    seed: Seed = 0,
    p_bid: Annotated[float, typer.Option(min=0.0, max=1.0, help="Chance that a bid is drawn.")] = 0.9,
    p_card: Annotated[float, typer.Option(min=0.0, max=1.0, help="Chance that a card is drawn.")] = 0.12,
    explore: Annotated[float, typer.Option(min=0.0, max=1.0, help="Chance of a random action, to see more.")] = 0.02,
) -> None:
    """Draw decisions, and what each alternative would have gained in the same deal.

    For example:

        $ python -m backalley.train.tuning replay runs/decisions --parts 60
    """
    rules = chosen_rules(preset, rule)
    if not isinstance(rules, Rules):
        raise ConfigError(f"--preset {preset} is no rule set of Back Alley, the only game that these bots play")
    names = [name.strip() for name in others.split(",")]
    for name in (learner, *names):
        if name not in NAMES:
            raise unknown("bot", name, NAMES)
    settings = {"rules": rules.as_dict(), "learner": learner, "others": names, "plays": plays, "seed": seed}
    _check_settings(folder, {**settings, "p_bid": p_bid, "p_card": p_card, "explore": explore})
    numbers = NAMES.index(learner), [NAMES.index(name) for name in names]
    for part in range(parts):
        path = folder / f"part_{part:04d}.npz"
        if not path.exists():
            decisions = alternatives(
                rules, *numbers, plays, seed, first=part * plays, p_bid=p_bid, p_card=p_card, explore=explore
            )
            with replacing(path) as file:
                np.savez_compressed(file, **decisions._asdict())
            typer.echo(f"{path}: {len(decisions.actions)} decisions")


@app.command()
def fit(
    folders: Annotated[list[Path], typer.Argument(metavar="FOLDER...", help="Decisions that `replay` drew.")],
    out: Annotated[Path, typer.Option(metavar="DIR", help="Folder for the CSV files.")],
    net: Annotated[Kind | None, typer.Option(help="Which net; else both.")] = None,
    start: Annotated[
        bool, typer.Option("--start", help="Begin with the nets of the package, not from scratch.")
    ] = False,
    epochs: Annotated[int, typer.Option(min=1, help="Times that each decision is seen.")] = 12,
    learning_rate: Annotated[float, typer.Option(min=0.0, help="At its highest.")] = 2e-3,
    batch: Annotated[int, typer.Option(min=1, help="Decisions of a step.")] = 2048,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same nets.")] = 0,
) -> None:
    """Fit the nets and write them.

    After each epoch it says how they do on decisions held out: their loss, and what they would have gained per
    decision over what was chosen, with a 95 % interval.

    For example:

        $ python -m backalley.train.tuning fit runs/decisions --out runs/nets
    """
    from backalley.train.tuning_fit import FitSettings, write_net
    from backalley.train.tuning_fit import fit as fit_net

    settings = FitSettings(epochs, learning_rate, batch, seed, start)
    for kind in [net.value] if net else list(EXAMPLES):
        fitted = fit_net(kind, *load_examples(kind, folders), settings, typer.echo)
        for path in write_net(fitted, out):
            typer.echo(str(path))
    typer.echo(f"copy them over those in {PACKAGE}, and `rules` plays by them")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code; arguments instead of those of the process."""
    return run(app, "python -m backalley.train.tuning", arguments)


if __name__ == "__main__":
    sys.exit(main())
