"""The command `backalley arena`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from backalley.train.cli_options import Json, Preset, RuleOptions, Seed, chosen_rules


def arena(
    policies: Annotated[
        list[str], typer.Argument(metavar="POLICY...", help="Two or more policies; bids=A,cards=B bids like A only.")
    ],
    preset: Preset = "partnership",
    rule: RuleOptions = None,
    pairs: Annotated[int, typer.Option(min=2, help="Deals that each two play, twice with the sides swapped.")] = 26_000,
    seed: Seed = 0,
    until_ci: Annotated[
        float | None, typer.Option(metavar="POINTS", help="Stop when every margin is known to ± so many points.")
    ] = None,
    split: Annotated[
        bool, typer.Option("--split", help="Also play A's bids with B's cards, and B's bids with A's cards.")
    ] = False,
    regret: Annotated[
        int, typer.Option(metavar="DEALS", min=0, help="Judge every card against the exact solver in so many deals.")
    ] = 0,
    regret_cards: Annotated[
        int, typer.Option(metavar="CARDS", min=1, max=13, help="Largest hands judged; small ones take far less time.")
    ] = 13,
    records: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write records of all plays; replaces the file. See replay.")
    ] = None,
    workers: Annotated[int, typer.Option(help="Processes at work; -1 for one on each core.")] = -1,
    backend: Annotated[str, typer.Option(help="loky, threading, or the cluster of ray or dask.")] = "loky",
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder, else runs/arena-PRESET-SEED; it goes on with it.")
    ] = None,
    json_file: Json = None,
) -> None:
    """Let policies play each other, all pairs on the same deals: cross table, ratings, bids.

    Results are kept in the folder as they come, so an arena that was interrupted goes on where it was, and policies or
    pairs can be added. The folder also gets arena.json, arena.png and arena.html.

    --regret says how many tricks and points a policy gives away in a deal, playing and defending, against perfect play
    with all hands open. Each policy plays the deals at all four seats, so who else takes part does not matter.

    For example:

        $ backalley arena random simple rules

        $ backalley arena simple rules net:runs/baseline --until-ci 0.1 --split

        $ backalley arena simple rules bids=rules,cards=simple --backend ray

        $ backalley arena simple rules --regret 520

        $ backalley arena simple rules --pairs 260 --records games.jsonl
    """
    from backalley.train.arena import run_arena
    from backalley.train.arena_report import show, write_reports
    from backalley.train.console import ProgressBar
    from backalley.train.output import check_destination, write_json

    check_destination(json_file)
    check_destination(str(records) if records else None)
    folder = out or Path("runs") / f"arena-{preset}-{seed}"
    with ProgressBar("arena") as bar:
        result = run_arena(
            policies,
            chosen_rules(preset, rule),
            pairs,
            seed,
            folder=folder,
            workers=workers,
            backend=backend,
            until_ci=until_ci,
            split=split,
            regret=regret,
            regret_cards=regret_cards,
            records=records,
            progress=bar.update,
        )
    write_reports(result, folder, "backalley " + " ".join(sys.argv[1:]))
    write_json(json_file, result.as_dict())
    if json_file != "-":
        show(result)
