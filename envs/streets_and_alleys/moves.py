"""Dealing, legal moves, and what a move does (sections 2 to 5)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from backalley.envs.cards import N_RANKS, N_SUITS, NO_CARD, ZERO, bit, lowest
from backalley.envs.kernel import kernel
from backalley.envs.streets_and_alleys.actions import (
    FROM_FOUNDATION,
    N_PILES,
    UP,
    WIDTH,
    action_parts,
    back_action,
    move_action,
)
from backalley.envs.streets_and_alleys.state import PILE_ROOM, PLAYING, RANK, WON

ACE, KING = 1, N_RANKS
N_FOUNDED = N_RANKS * N_SUITS
"""Cards on the foundations of a game that is won (SA-30)."""
_EACH_BYTE = np.uint64(0x0101010101010101)
_LOW_BITS = np.uint64(0x7F7F7F7F7F7F7F7F)


@kernel(inline=True)
def card_at(state: Any, pile: int, place: int) -> int:
    """Return the card of a pile at a place, 0 the base."""
    return np.int64(state.piles[np.uint64(pile), np.uint64(place)])  # unsigned: no test for negative places


@kernel(inline=True)
def n_cards_in(state: Any, pile: int) -> int:
    """Return how many cards a pile has."""
    return np.int64(state.lengths[np.uint64(pile)])


@kernel(inline=True)
def top_card(state: Any, pile: int) -> int:
    """Return the available card of a pile that is not empty (SA-2)."""
    return card_at(state, pile, n_cards_in(state, pile) - 1)


@kernel(inline=True)
def rank_of(card: int) -> int:
    """Return the rank of a card, ace 1 to king 13."""
    return np.int64(RANK[np.uint64(card)])


@kernel(inline=True)
def foundation_card(suit: int, rank: int) -> int:
    """Return the card of a suit and a rank 1..13."""
    return N_RANKS * suit + (rank - 2) % N_RANKS


@kernel(inline=True)
def n_founded(state: Any) -> int:
    """Return how many cards lie on the foundations, the score of SA-34."""
    return (
        np.int64(state.foundation[0])
        + np.int64(state.foundation[1])
        + np.int64(state.foundation[2])
        + np.int64(state.foundation[3])
    )


@kernel(inline=True)
def next_cards(view: Any) -> np.uint64:
    """Return the cards that the foundations take next."""
    cards = ZERO
    for suit in range(N_SUITS):
        if view.foundation[suit] < KING:
            cards |= bit(foundation_card(suit, np.int64(view.foundation[suit]) + 1))
    return cards


@kernel(inline=True)
def goes_up(state: Any, card: int) -> bool:
    """Say whether the card's foundation takes it (SA-12)."""
    return rank_of(card) == state.foundation[np.uint64(card) // np.uint64(N_RANKS)] + 1


@kernel(inline=True)
def run_length(state: Any, pile: int, most: int = N_RANKS) -> int:
    """Return how many top cards of a pile follow each other in rank, at most `most`; 0 for an empty pile (SA-21)."""
    n = min(n_cards_in(state, pile), most)
    if n == 0:
        return 0
    rank = rank_of(top_card(state, pile))
    k = 1
    while k < n and rank_of(card_at(state, pile, n_cards_in(state, pile) - k - 1)) == rank + k:
        k += 1
    return k


@kernel(inline=True)
def longest_move(n_empty: int, into_space: bool) -> int:
    """Return how many cards may be moved at once with `n_empty` empty piles (SA-22)."""
    return 1 << (n_empty - 1 if into_space else n_empty)


@kernel
def start_game(rules: Any, state: Any, deck: NDArray[np.int8]) -> None:
    """Deal a deck and let cards go up that do so by themselves (SA-4, SA-5, SA-14).

    Args:
        rules: record of dtype RULES.
        state: record of dtype STATE, overwritten.
        deck: (≥ pack_size,) int8 permutation of the pack.
    """
    for pile in range(N_PILES):
        state.lengths[pile] = 0
        for place in range(PILE_ROOM):
            state.piles[pile, place] = NO_CARD
    for suit in range(N_SUITS):
        state.foundation[suit] = ACE if rules.aces_up else 0
    for i in range(rules.pack_size):
        _put(state, i % N_PILES, np.int64(deck[i]))
    state.n_moves = 0
    state.turn = 0
    state.outcome = PLAYING
    settle(rules, state)


@kernel(inline=True)
def _put(state: Any, pile: int, card: int) -> None:
    state.piles[pile, state.lengths[pile]] = card
    state.lengths[pile] += 1


@kernel(inline=True)
def _take(state: Any, pile: int) -> int:
    state.lengths[pile] -= 1
    card = np.int64(state.piles[pile, state.lengths[pile]])
    state.piles[pile, state.lengths[pile]] = NO_CARD
    return card


@kernel
def settle(rules: Any, state: Any) -> None:
    """Bring up aces, or all cards that can go, the lowest pile first, until none is left; note a win (SA-14, SA-15)."""
    _go_up(rules, state)
    if n_founded(state) == N_FOUNDED:
        state.outcome = WON


@kernel(inline=True)
def _go_up(rules: Any, state: Any) -> None:
    if not rules.auto_ace and not rules.auto_play:
        return
    pile = 0
    while pile < N_PILES:
        if state.lengths[pile] > 0:
            card = top_card(state, pile)
            if goes_up(state, card) and (rules.auto_play or rank_of(card) == ACE):
                state.foundation[card // N_RANKS] += 1
                _take(state, pile)
                pile = 0
                continue
        pile += 1


@kernel
def write_legal(rules: Any, state: Any, legal: NDArray[np.uint64]) -> None:
    """Write the legal moves into `legal` (12,) uint64, overwritten; moves that change nothing are left out.

    Such are a lone card, or a whole pile that is one run, into a space (SA-11), and an ace taken back that would go up
    again by itself (SA-14).
    """
    legal[:] = ZERO
    tops = np.uint64(0)  # rank of the top card of each pile, a byte each; 0 for an empty one
    n_empty = 0
    for pile in range(N_PILES):
        if n_cards_in(state, pile) == 0:
            n_empty += 1
        else:
            tops |= np.uint64(rank_of(top_card(state, pile))) << np.uint64(8 * pile)
    most = longest_move(n_empty, False)
    for source in range(N_PILES):
        rank = byte_of(tops, source)
        if rank == 0:
            continue
        if goes_up(state, top_card(state, source)):
            legal[0] |= np.uint64(1) << np.uint64(source)
        run = run_length(state, source, most)
        for k in range(1, run + 1):  # the deepest card has rank + k - 1 (SA-23)
            fits = equal_bytes(tops, rank + k)
            while fits != ZERO:
                _allow(legal, move_action(source, lowest(fits) // 8, k))
                fits &= fits - np.uint64(1)
        if n_empty > 0:
            longest = min(run, longest_move(n_empty, True), n_cards_in(state, source) - 1)
            _write_moves_into_spaces(tops, source, longest, legal)
    if rules.worry_back:
        _write_moves_back(rules, state, legal)


@kernel(inline=True)
def byte_of(bytes_: np.uint64, index: int) -> int:
    """Return one of eight bytes, 0 the lowest."""
    return np.int64((bytes_ >> np.uint64(8 * index)) & np.uint64(0xFF))


@kernel(inline=True)
def equal_bytes(bytes_: np.uint64, value: int) -> np.uint64:
    """Return a set with the highest bit of each byte that equals `value`; all bytes and the value are below 128."""
    x = bytes_ ^ (np.uint64(value) * _EACH_BYTE)
    return ~(x + _LOW_BITS) & ~_LOW_BITS


@kernel(inline=True)
def _allow(legal: NDArray[np.uint64], action: int) -> None:
    place = np.uint64(action)
    legal[place // np.uint64(WIDTH)] |= np.uint64(1) << place % np.uint64(WIDTH)


@kernel(inline=True)
def _write_moves_into_spaces(tops: np.uint64, source: int, longest: int, legal: NDArray[np.uint64]) -> None:
    """Add the moves of up to `longest` cards of a pile into each space."""
    for target in range(N_PILES):
        if byte_of(tops, target) == 0:
            for k in range(1, longest + 1):
                _allow(legal, move_action(source, target, k))


@kernel
def _write_moves_back(rules: Any, state: Any, legal: NDArray[np.uint64]) -> None:
    """Add the moves from the foundations (SA-13)."""
    for suit in range(N_SUITS):
        rank = np.int64(state.foundation[suit])
        if rank == 0 or (rank == ACE and rules.auto_ace):
            continue
        for target in range(N_PILES):
            if state.lengths[target] == 0 or rank_of(top_card(state, target)) == rank + 1:
                _allow(legal, back_action(suit, target))


@kernel
def make_move(rules: Any, state: Any, action: int) -> None:
    """Make a legal move and what follows from it by itself; one move more on the counter (SA-14, SA-26, SA-27).

    Afterwards `outcome` may be WON; whether the game is blocked shows in the legal moves.
    """
    kind, source, target, n_cards = action_parts(action)
    if kind == UP:
        state.foundation[_take(state, source) // N_RANKS] += 1
    elif kind == FROM_FOUNDATION:
        _put(state, target, foundation_card(source, np.int64(state.foundation[source])))
        state.foundation[source] -= 1
    else:
        first = np.int64(state.lengths[source]) - n_cards
        for place in range(n_cards):
            _put(state, target, np.int64(state.piles[source, first + place]))
            state.piles[source, first + place] = NO_CARD
        state.lengths[source] = first
    state.n_moves += 1
    settle(rules, state)
