"""What `infos` and texts tell at the end of a deal and of a match."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from backalley.envs.back_alley.rules import Rules
from backalley.envs.rule_set import Records
from backalley.envs.table import Table

DEAL_RESULTS = ("deal_points", "own_points")
"""What `infos` tell of a scored deal, fields of a state."""


def winning_seats(rules: Rules, state: Any) -> NDArray[np.bool_]:
    """Return which seats belong to a side with the highest total of the match (BA-113, BA-114).

    Args:
        rules: rule set.
        state: record of dtype STATE, or (n,) of them.

    Returns:
        (players,) bool, or (n, players).
    """
    totals = state["match_points"][..., : rules.players]
    return np.asarray(totals == totals.max(axis=-1, keepdims=True))


def deal_results(table: Table, states: Records) -> dict[str, NDArray[np.int64]]:
    """Return what the deal scored last brought each seat, fresh arrays.

    Args:
        table: a Back Alley table.
        states: (n,) its states.

    Returns:
        `deal_points` and `own_points`, (n, players) int64 each: the points of the seat's side, and what the seat
        scored by itself where players are scored alone (else its side's).
    """
    return {name: states[name][:, : table.players].astype(np.int64) for name in DEAL_RESULTS}
