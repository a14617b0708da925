"""Records of an arena's plays: a part for each block in the arena's folder, put together into one file at the end.

So they survive an interruption with their block, and no play is in the file twice or missing, whoever played it when.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from backalley.envs import Rules, Table
from backalley.envs.streams import CHANCE
from backalley.policies.files import replacing, write_atomically
from backalley.train.arena_plays import NO_ACTION, Plays, streams_of
from backalley.train.recording import retell

PARTS_FOLDER = "records"


def record_lines(
    rules: Rules, plays: Plays, deals: NDArray[np.int64], names: Sequence[Sequence[str]], seed: int
) -> list[str]:
    """Return the records of plays, one JSON text each.

    Args:
        rules: rule set.
        plays: (n,) what was played.
        deals: (n,) number of the deal, which is that of the pair.
        names: for each play of a pair, who sits where.
        seed: of the deals.
    """
    table = Table(rules, 1, 0)
    chance = streams_of(seed, deals, CHANCE)
    lines = []
    for play, deal in enumerate(deals.tolist()):
        table.episodes["chance"][0] = chance[play]
        actions = plays.actions[play][plays.actions[play] != NO_ACTION].tolist()
        start, notes = {"deal_indices": deal % rules.n_deals}, {"seed": seed, "pair": deal}
        record = retell(table, names[play % len(names)], actions, start=start, notes=notes)
        points = plays.finals["match_points"][play, : rules.players].tolist()
        assert record["result"]["totals"] == points, "the record does not tell what was played"
        lines.append(json.dumps(record, separators=(",", ":"), allow_nan=False))
    return lines


class RecordParts:
    """The records of the blocks played so far, a file for each.

    Args:
        folder: folder of the arena.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder / PARTS_FOLDER

    def path(self, key: tuple[str | int, ...]) -> Path:
        """Return the file of the block with that key."""
        return self.folder / (hashlib.sha256(json.dumps(key).encode()).hexdigest()[:24] + ".jsonl")

    def write(self, key: tuple[str | int, ...], lines: Sequence[str]) -> None:
        """Write the records of a block, whole or not at all."""
        write_atomically(self.path(key), "".join(f"{line}\n" for line in lines).encode())

    def join(self, keys: Sequence[tuple[str | int, ...]], destination: Path) -> None:
        """Write the records of these blocks, in their order, to a file, which is replaced if it exists."""
        with replacing(destination) as file:
            for key in keys:
                with self.path(key).open("rb") as part:
                    shutil.copyfileobj(part, file)
