"""The privileged state: everything an observation has, all hands and the stock, for critics that may see everything."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from backalley.envs.cards import CARD_NAMES, N_CARDS
from backalley.envs.layout import Block, Layout
from backalley.envs.table import Table


def privileged_layout(table: Table) -> Layout:
    """Return the layout: the observation of the seat to act, that seat's number, the other hands, the stock."""
    seats = tuple(f"player_{seat}" for seat in range(table.players))
    others = next(block.labels for block in table.layout.blocks if block.name == "cannot_hold")
    return Layout(
        [
            *table.layout.blocks,
            Block("turn", "seat to act, whose place the other blocks start from", seats),
            Block("other_hands", "cards held by each other seat", others),
            Block("stock", "cards left in the stock", CARD_NAMES),
        ]
    )


def write_privileged(table: Table, layout: Layout, index: int = 0) -> NDArray[np.int8]:
    """Return the features (layout.size,) int8 of one episode, a fresh array.

    When the episode is over nobody is to act; everything is then told from seat 0.
    """
    state = table.states[index]
    turn = int(state["turn"])
    me = max(turn, 0)
    features = np.zeros(layout.size, np.int8)
    features[: table.layout.size] = table.observe(me if turn < 0 else None)[index]
    if turn >= 0:
        features[layout.slices["turn"].start + turn] = 1
    hands = [state["hands"][(me + place) % table.players] for place in range(table.players)]
    sets = np.array([*hands, state["stock"]], np.uint64)
    planes = (sets[:, None] >> np.arange(N_CARDS, dtype=np.uint64)) & np.uint64(1)  # (players + 1, 54)
    features[layout.slices["hand"]] = planes[0]  # the observation hides a hand that is bid unseen (BA-69)
    features[layout.slices["other_hands"].start :] = planes[1:].ravel()
    return features
