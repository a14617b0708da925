"""Tables of numbers that come with the package as CSV files."""

from __future__ import annotations

from importlib import resources

import numpy as np
from numpy.typing import NDArray


def load_table(name: str, columns: tuple[str, ...]) -> NDArray[np.float64]:
    """Return a packaged table, (rows, len(columns)) float64.

    Args:
        name: file in `backalley.policies.back_alley`; its first line names the columns.
        columns: the columns it must have, in order.

    Raises:
        ValueError: the file has other columns.
    """
    text = (resources.files("backalley.policies.back_alley") / name).read_text(encoding="utf-8").splitlines()
    found = tuple(text[0].split(","))
    if found != columns:
        raise ValueError(f"{name} has the columns {found}, the code reads {columns}")
    return np.loadtxt(text[1:], delimiter=",", ndmin=2)


def load_layer(name: str, inputs: tuple[str, ...]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return a packaged layer of a net: weights (inputs, units) and biases (units,), float32.

    Args:
        name: file with a row for each unit; see `load_table`.
        inputs: names of the inputs; one column each, then `constant`.
    """
    rows = load_table(name, (*inputs, "constant"))
    return np.ascontiguousarray(rows[:, :-1].T, np.float32), np.ascontiguousarray(rows[:, -1], np.float32)


def unit_names(biases: NDArray[np.float32]) -> tuple[str, ...]:
    """Return the names of a layer's units, as columns of the next one."""
    return tuple(f"unit_{i}" for i in range(len(biases)))
