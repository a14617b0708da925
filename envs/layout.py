"""Observation layouts: named blocks of binary features.

A layout is a list of blocks; sizes and positions follow from the labels of the features, nothing is counted by hand.

>>> layout = Layout([Block("hand", "cards I hold", ("2S", "3S")), Block("lead", "I lead", ("yes",))])
>>> layout.size, layout.slices["lead"]
(3, slice(2, 3, None))
>>> layout.decode([0, 1, 1])
{'hand': ['3S'], 'lead': ['yes']}
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike


@dataclass(frozen=True)
class Block:
    """Some features that belong together.

    Attributes:
        name: key of the block.
        meaning: one sentence for the docs table.
        labels: what each feature says when it is 1, in order.
    """

    name: str
    meaning: str
    labels: tuple[str, ...]

    @property
    def size(self) -> int:
        """Number of features."""
        return len(self.labels)


class Layout:
    """The blocks of an observation in order.

    Attributes:
        blocks: the blocks.
        size: number of features in all.
        slices: where each block lies, by name.
    """

    def __init__(self, blocks: Iterable[Block]) -> None:
        """Lay out the blocks one after another, leaving out the empty ones."""
        self.blocks: tuple[Block, ...] = tuple(block for block in blocks if block.size)
        self.slices: dict[str, slice] = {}
        position = 0
        for block in self.blocks:
            if block.name in self.slices:
                raise ValueError(f"two observation blocks are called {block.name!r}; names must differ")
            self.slices[block.name] = slice(position, position + block.size)
            position += block.size
        self.size = position

    def __eq__(self, other: object) -> bool:
        """Layouts are equal when their blocks are."""
        return isinstance(other, Layout) and self.blocks == other.blocks

    def __hash__(self) -> int:
        """Hash by the blocks."""
        return hash(self.blocks)

    def __repr__(self) -> str:
        """Name the blocks and their sizes."""
        return f"Layout({', '.join(f'{block.name}:{block.size}' for block in self.blocks)})"

    def decode(self, observation: ArrayLike) -> dict[str, list[str]]:
        """Return in words what an observation (size,) says: for each block the labels of the features set.

        Raises:
            ValueError: the observation has another size.
        """
        bits = np.asarray(observation)
        if bits.shape != (self.size,):
            raise ValueError(f"observation has shape {bits.shape}, this layout describes ({self.size},)")
        return {
            block.name: [
                label for label, value in zip(block.labels, bits[self.slices[block.name]], strict=True) if value
            ]
            for block in self.blocks
        }

    def table(self) -> str:
        """Return the docs table of the blocks in Markdown."""
        rows = ["| block | from | size | meaning |", "|---|---|---|---|"]
        rows += [f"| `{b.name}` | {self.slices[b.name].start} | {b.size} | {b.meaning} |" for b in self.blocks]
        return "\n".join(rows)


def thermometer(size: int, what: str = "≥") -> tuple[str, ...]:
    """Return the labels of a count as a thermometer: feature i is 1 when the count is more than i."""
    return tuple(f"{what}{i + 1}" for i in range(size))


def product(first: Sequence[str], second: Sequence[str]) -> tuple[str, ...]:
    """Return the labels of a grid, the second label running fastest."""
    return tuple(f"{a} {b}" for a in first for b in second)
