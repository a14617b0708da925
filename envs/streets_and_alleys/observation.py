"""Writing the observation: the features of `blocks`, as bytes of 0 and 1."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from backalley.envs.cards import N_RANKS, N_SUITS, ZERO, below, bit
from backalley.envs.kernel import kernel
from backalley.envs.planes import clear_bytes, write_plane, write_short_plane
from backalley.envs.streets_and_alleys.actions import N_PILES
from backalley.envs.streets_and_alleys.blocks import MOVE_STEPS, N_SUIT_CARDS
from backalley.envs.streets_and_alleys.moves import (
    KING,
    byte_of,
    card_at,
    n_cards_in,
    next_cards,
)
from backalley.envs.streets_and_alleys.state import LONGEST_PILE, RANK

ACE_BIT = np.uint64(1 << N_RANKS - 1)


@kernel(inline=True)
def founded_cards(foundation: NDArray[np.int8]) -> np.uint64:
    """Return the set of cards on the foundations (4,)."""
    cards = ZERO
    for suit in range(N_SUITS):
        rank = np.int64(foundation[suit])
        if rank > 0:
            cards |= (ACE_BIT | below(rank - 1)) << np.uint64(N_RANKS * suit)
    return cards


@kernel
def write_observation(
    rules: Any, settings: Any, view: Any, legal: Any, is_on_turn: bool, out: NDArray[np.int8], first: int
) -> None:
    """Write the observation of a state.

    Args:
        rules: record of dtype RULES.
        settings: record of dtype SETTINGS.
        view: record of dtype STATE.
        legal, is_on_turn: not needed, everything follows from the state.
        out: int8, from `first` on layout.size features are overwritten, and up to PLANE more.
        first: where the observation begins.
    """
    wanted = next_cards(view)
    depths = first
    piles = depths + LONGEST_PILE * N_SUIT_CARDS
    clear_bytes(out, depths, LONGEST_PILE * N_SUIT_CARDS)
    tops = tails = unders = empty = falling = ZERO
    above = ZERO  # cards on the next card of each suit, a byte each
    runs = ZERO  # length of the run of each pile, a byte each
    for pile in range(N_PILES):
        n = n_cards_in(view, pile)
        cards = ZERO
        base_of_run = 0
        plane = np.uint64(depths + (n - 1) * N_SUIT_CARDS)
        rank = KING
        falls = True
        for place in range(n):
            card = np.uint64(card_at(view, pile, place))
            cards |= np.uint64(1) << card
            out[plane + card] = 1
            plane -= np.uint64(N_SUIT_CARDS)
            if (wanted >> card) & np.uint64(1) != ZERO:
                above |= np.uint64(n - 1 - place) << card // np.uint64(N_RANKS) * np.uint64(8)
            here = np.int64(RANK[card])
            if here > rank:
                falls = False
            if here != rank - 1:
                base_of_run = place
            rank = here
        write_plane(out, piles + pile * N_SUIT_CARDS, cards, N_SUIT_CARDS)
        if n == 0:
            empty |= bit(pile)
        else:
            tops |= bit(card_at(view, pile, n - 1))
            tails |= bit(card_at(view, pile, base_of_run))
            runs |= np.uint64(n - base_of_run) << np.uint64(8 * pile)
        if base_of_run > 0:
            unders |= bit(card_at(view, pile, base_of_run - 1))
        if falls:
            falling |= bit(pile)
    at = write_plane(out, piles + N_PILES * N_SUIT_CARDS, founded_cards(view.foundation), N_SUIT_CARDS)
    for cards in (wanted, wanted & tops, tails, unders):
        at = write_plane(out, at, cards, N_SUIT_CARDS)
    for suit in range(N_SUITS):
        at = write_plane(out, at, below(byte_of(above, suit)), LONGEST_PILE - 1)
    for pile in range(N_PILES):
        at = write_short_plane(out, at, below(byte_of(runs, pile)), N_RANKS)
    at = write_short_plane(out, at, empty, N_PILES)
    at = write_short_plane(out, at, falling, N_PILES)
    write_short_plane(out, at, below(moves_used(settings, view)), MOVE_STEPS - 1)


@kernel(inline=True)
def moves_used(settings: Any, view: Any) -> int:
    """Return how many sixteenths of the moves that are allowed have been made, at most 15."""
    return min(MOVE_STEPS - 1, np.int64(view.n_moves) * MOVE_STEPS // max(1, np.int64(settings.max_moves)))
