"""What a network sees of a state: the same features of each pile, then some of the whole table.

The environment's observation holds every card; a network learns faster from what matters of a pile. Piles stay in their
places: `network.PileNetwork` treats them alike, so nothing has to be sorted, and an order says nothing.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from backalley.envs.cards import N_RANKS, N_SUITS, ZERO, below, bit, has
from backalley.envs.kernel import kernel
from backalley.envs.layout import Block, Layout, thermometer
from backalley.envs.legal import write_mask
from backalley.envs.planes import write_short_plane
from backalley.envs.streets_and_alleys.actions import N_ACTIONS, N_PILES, WIDTH
from backalley.envs.streets_and_alleys.blocks import MOVE_STEPS
from backalley.envs.streets_and_alleys.moves import (
    KING,
    card_at,
    foundation_card,
    goes_up,
    n_cards_in,
    next_cards,
    rank_of,
    run_length,
)
from backalley.envs.streets_and_alleys.observation import moves_used

ORDER_LENGTH = 1
MAX_DEPTH = 10
MAX_LENGTH = 12
MAX_DISORDER = 8

_RANK_NAMES = tuple("A23456789TJQK")

PILE_LAYOUT = Layout(
    [
        Block("top", "rank of the top card", _RANK_NAMES),
        Block("run", "length of the run", thermometer(N_RANKS)),
        Block("under", "rank of the card below the run", _RANK_NAMES),
        Block("goes_up", "the top card goes up", ("yes",)),
        Block("distance", "ranks that the top card's foundation lacks before it", thermometer(N_RANKS)),
        Block("next", "a card that a foundation takes next has fewer cards on it", thermometer(MAX_DEPTH, "<")),
        Block("second", "the same of the cards after those", thermometer(MAX_DEPTH, "<")),
        Block("length", "number of cards", thermometer(MAX_LENGTH)),
        Block("lowest", "lowest rank", _RANK_NAMES),
        Block("disorder", "cards that lie on a lower one", thermometer(MAX_DISORDER)),
    ]
)
"""Features of one pile."""
TABLE_LAYOUT = Layout(
    [
        Block("foundations", "rank of each foundation", tuple(f"{suit}≥{r}" for suit in "SHDC" for r in _RANK_NAMES)),
        Block("tops", "ranks among the top cards", _RANK_NAMES),
        Block("empty", "number of empty piles", thermometer(N_PILES)),
        Block("moves", "part of the allowed moves used up", thermometer(MOVE_STEPS - 1, "sixteenths≥")),
    ]
)
"""Features of the whole table."""
N_FEATURES = N_PILES * PILE_LAYOUT.size + TABLE_LAYOUT.size


@kernel
def write_features(
    rules: Any,
    settings: Any,
    view: Any,
    legal: NDArray[np.uint64],
    order: NDArray[np.int8],
    features: NDArray[np.int8],
    mask: NDArray[np.int8],
) -> None:
    """Write what a network sees of a state; see `policies.loops`.

    Args:
        rules, settings: records of dtypes RULES and SETTINGS.
        view: record of dtype STATE.
        legal: (12,) legal moves.
        order: (1,) int8, overwritten.
        features: (≥ N_FEATURES + PLANE,) int8, overwritten; what lies behind N_FEATURES is scratch.
        mask: (n_actions,) int8, overwritten.
    """
    order[0] = 0
    wanted = next_cards(view)
    second = ZERO
    for suit in range(N_SUITS):
        if view.foundation[suit] < KING - 1:
            second |= bit(foundation_card(suit, np.int64(view.foundation[suit]) + 2))
    at = 0
    tops = ZERO
    n_empty = 0
    for pile in range(N_PILES):
        at = _write_pile(view, pile, wanted, second, features, at)
        n = n_cards_in(view, pile)
        if n == 0:
            n_empty += 1
        else:
            tops |= bit(rank_of(card_at(view, pile, n - 1)) - 1)
    for suit in range(N_SUITS):
        at = write_short_plane(features, at, below(np.int64(view.foundation[suit])), N_RANKS)
    at = write_short_plane(features, at, tops, N_RANKS)
    at = write_short_plane(features, at, below(n_empty), N_PILES)
    write_short_plane(features, at, below(moves_used(settings, view)), MOVE_STEPS - 1)
    write_mask(legal, WIDTH, N_ACTIONS, mask, 0)


@kernel
def _write_pile(view: Any, pile: int, wanted: np.uint64, second: np.uint64, out: NDArray[np.int8], at: int) -> int:
    """Write the features of a pile from `out[at]` on and return where they end."""
    n = n_cards_in(view, pile)
    run = run_length(view, pile)
    ranks_below = ZERO  # of the cards passed, bit r - 1
    n_above = 0  # cards that lie on a lower one
    depth_of_next = depth_of_second = n + MAX_DEPTH
    for place in range(n):
        card = card_at(view, pile, place)
        rank = rank_of(card)
        n_above += ranks_below & below(rank - 1) != ZERO
        ranks_below |= bit(rank - 1)
        if has(wanted, card):
            depth_of_next = n - 1 - place
        if has(second, card):
            depth_of_second = n - 1 - place
    top = under = lowest_rank = ZERO
    rises = 0
    distance = 0
    if n > 0:
        card = card_at(view, pile, n - 1)
        top = bit(rank_of(card) - 1)
        rises = np.int64(goes_up(view, card))
        distance = rank_of(card) - view.foundation[card // N_RANKS] - 1
        lowest_rank = ranks_below & (~ranks_below + np.uint64(1))
    if n > run:
        under = bit(rank_of(card_at(view, pile, n - run - 1)) - 1)
    at = write_short_plane(out, at, top, N_RANKS)
    at = write_short_plane(out, at, below(run), N_RANKS)
    at = write_short_plane(out, at, under, N_RANKS)
    at = write_short_plane(out, at, np.uint64(rises), 1)
    at = write_short_plane(out, at, below(np.int64(distance)), N_RANKS)
    at = write_short_plane(out, at, _from(depth_of_next), MAX_DEPTH)
    at = write_short_plane(out, at, _from(depth_of_second), MAX_DEPTH)
    at = write_short_plane(out, at, below(min(n, MAX_LENGTH)), MAX_LENGTH)
    at = write_short_plane(out, at, lowest_rank, N_RANKS)
    return write_short_plane(out, at, below(min(n_above, MAX_DISORDER)), MAX_DISORDER)


@kernel(inline=True)
def _from(depth: int) -> np.uint64:
    """Return the features that say that a card has fewer than 1, 2, … MAX_DEPTH cards on it."""
    return below(MAX_DEPTH) & ~below(min(depth, MAX_DEPTH))


@kernel(inline=True)
def same_action(action: int, order: NDArray[np.int8]) -> int:
    """Return the action: features keep the numbers of the game."""
    return action
