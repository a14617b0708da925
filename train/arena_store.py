"""The blocks of an arena on the disk."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import backalley.envs
import backalley.policies
from backalley.envs import Rules
from backalley.envs.errors import BackAlleyError
from backalley.envs.kernel import source_hash
from backalley.train.arena_blocks import Block, Key, Task
from backalley.train.arena_records import RecordParts
from backalley.train.regret import RegretTask

RESULTS_FILE = "results.jsonl"
FORMAT = 2


class Store:
    """The blocks played so far, in memory and as lines of `results.jsonl`; their records in a folder beside it.

    The first line says what arena it is. A last line cut short, by a crash or a full disk, is dropped.

    Args:
        folder: folder of the arena, made if missing.
        rules, seed: what the blocks were played with.

    Raises:
        BackAlleyError: the file belongs to another arena, or is damaged before its end.
    """

    def __init__(self, folder: Path, rules: Rules, seed: int) -> None:
        self.path = folder / RESULTS_FILE
        self.blocks: dict[Key, Block] = {}
        self.records = RecordParts(folder)
        layers = tuple(Path(str(module.__file__)).parent for module in (backalley.envs, backalley.policies))
        head = {"arena": FORMAT, "seed": seed, "rules": rules.as_dict(), "engine": source_hash(layers)}
        lines = self._read()
        if not lines:
            folder.mkdir(parents=True, exist_ok=True)
            self._append(head)
            return
        named = {"arena": "format", "seed": "seed", "rules": "set of rules", "engine": "engine or bots"}
        for key, what in named.items():
            if lines[0].get(key) != json.loads(json.dumps(head[key])):
                raise BackAlleyError(
                    f"{folder} holds an arena with another {what}: choose another --out, or delete the folder"
                )
        for one in lines[1:]:
            self.blocks[tuple(one["key"])] = one

    def has(self, task: Task | RegretTask) -> bool:
        """Say whether a task was done, with records if it asks for them."""
        return task.key in self.blocks and not (task.with_records and not self.records.path(task.key).exists())

    def _read(self) -> list[dict[str, Any]]:
        """Return the objects of the file; a damaged last line is cut off."""
        texts = self.path.read_bytes().splitlines(keepends=True) if self.path.exists() else []
        lines: list[dict[str, Any]] = []
        for number, text in enumerate(texts, 1):
            try:
                if not text.endswith(b"\n"):
                    raise ValueError
                lines.append(json.loads(text))
            except ValueError:
                if number < len(texts):
                    raise BackAlleyError(
                        f"{self.path} is damaged in line {number}: delete that line, or choose another --out"
                    ) from None
                os.truncate(self.path, sum(map(len, texts[:-1])))
        return lines

    def add(self, block: Block) -> None:
        """Keep a block, on the disk first; its records before it, so that none are missing."""
        key = tuple(block["key"])
        if "records" in block:
            self.records.write(key, block.pop("records"))
        self._append(block)
        self.blocks[key] = block

    def _append(self, data: dict[str, Any]) -> None:
        text = json.dumps(data, separators=(",", ":"), allow_nan=False) + "\n"
        with self.path.open("ab", buffering=0) as file:
            file.write(text.encode())
            os.fsync(file.fileno())
