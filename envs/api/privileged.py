"""The privileged state: all hands and the stock as binary features, for critics that may see everything."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from backalley.envs.cards import CARD_NAMES, N_CARDS
from backalley.envs.layout import Block, Layout, product
from backalley.envs.table import Table


def privileged_layout(table: Table) -> Layout:
    """Return the layout: hands by seat number, stock, seat to act, dealer."""
    seats = tuple(f"player_{seat}" for seat in range(table.players))
    return Layout(
        [
            Block("hands", "cards held by each seat", product(seats, CARD_NAMES)),
            Block("stock", "cards left in the stock", CARD_NAMES),
            Block("turn", "seat to act", seats),
            Block("dealer", "seat that deals", seats),
        ]
    )


def write_privileged(table: Table, layout: Layout, index: int = 0) -> NDArray[np.int8]:
    """Return the features (layout.size,) int8 of one episode, a fresh array."""
    state = table.states[index]
    shifts = np.arange(N_CARDS, dtype=np.uint64)
    sets = np.append(state["hands"][: table.players], state["stock"])
    features = np.zeros(layout.size, np.int8)
    planes = ((sets[:, None] >> shifts) & np.uint64(1)).astype(np.int8)  # (players + 1, 54)
    features[: planes.size] = planes.ravel()
    for block in ("turn", "dealer"):
        if state[block] >= 0:
            features[layout.slices[block].start + int(state[block])] = 1
    return features
