"""Tables of numbers that come with the package as CSV files."""

from __future__ import annotations

from importlib import resources
from importlib.resources.abc import Traversable

import numpy as np
from numpy.typing import NDArray

PACKAGE: Traversable = resources.files("backalley.policies.back_alley")
"""Folder of the tables that come with the package."""
LEAST = 1e-6
"""Weights of nets closer to zero are written as zero."""


def load_table(name: str, columns: tuple[str, ...], folder: Traversable = PACKAGE) -> NDArray[np.float64]:
    """Return a table, (rows, len(columns)) float64.

    Args:
        name: its file; the first line names the columns.
        columns: the columns it must have, in order.
        folder: where the file lies.

    Raises:
        ValueError: the file has other columns.
    """
    text = (folder / name).read_text(encoding="utf-8").splitlines()
    found = tuple(text[0].split(","))
    if found != columns:
        raise ValueError(f"{name} has the columns {found}, the code reads {columns}")
    return np.loadtxt(text[1:], delimiter=",", ndmin=2)


def load_layer(
    name: str, inputs: tuple[str, ...], folder: Traversable = PACKAGE
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return a layer of a net: weights (inputs, units) and biases (units,), float32.

    Args:
        name: file with a row for each unit; see `load_table`.
        inputs: names of the inputs; one column each, then `constant`.
        folder: where the file lies.
    """
    rows = load_table(name, (*inputs, "constant"), folder)
    return np.ascontiguousarray(rows[:, :-1].T, np.float32), np.ascontiguousarray(rows[:, -1], np.float32)


def layer_text(inputs: tuple[str, ...], weights: NDArray[np.float32], biases: NDArray[np.float32]) -> str:
    """Return a layer, arguments as from `load_layer`, as the text of its file: four digits are enough for a net."""
    rows = np.column_stack([weights.T, biases])
    rows[np.abs(rows) < LEAST] = 0.0
    lines = [(*inputs, "constant"), *([f"{value:.4g}" for value in row] for row in rows)]
    return "".join(",".join(line) + "\n" for line in lines)


def unit_names(biases: NDArray[np.float32]) -> tuple[str, ...]:
    """Return the names of a layer's units, as columns of the next one."""
    return tuple(f"unit_{i}" for i in range(len(biases)))
