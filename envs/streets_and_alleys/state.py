"""The state of a game as one fixed-size record. Nothing is hidden: a View is a copy."""

from __future__ import annotations

import numpy as np

from backalley.envs.cards import N_RANKS, N_SUITS
from backalley.envs.streets_and_alleys.actions import N_PILES

LONGEST_PILE = 6 + N_RANKS  # 19: a king dealt as the seventh card, and all ranks down to the ace on it
PILE_ROOM = LONGEST_PILE + 1

# How a game stands.
PLAYING, WON, BLOCKED = range(3)

RANK = np.array([(card % N_RANKS + 1) % N_RANKS + 1 for card in range(N_RANKS * N_SUITS)], np.int8)
"""(52,) rank of each card in this game, ace 1 to king 13 (SA-1)."""

STATE = np.dtype(
    [
        ("piles", np.int8, (N_PILES, PILE_ROOM)),  # cards from base to top, -1 behind them
        ("lengths", np.int8, (N_PILES,)),
        ("foundation", np.int8, (N_SUITS,)),  # rank of the top card, 0 none
        ("n_moves", np.int32),
        ("turn", np.int8),  # 0, or -1 when the game is over
        ("outcome", np.int8),  # PLAYING, WON or BLOCKED
    ],
    align=True,
)
