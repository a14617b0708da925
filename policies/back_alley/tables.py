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
