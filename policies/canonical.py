"""Suits relabelled for networks: trumps first, then the side suits by what the observer holds.

Bids name no suit and plain suits rank alike (BA-7), so a network need not learn the same thing six times over. The
environments never relabel; a network's policy does it on the way in and undoes it on the way out.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from backalley.envs.cards import JOKERS, N_RANKS, N_SUITS, NO_TRUMP, SUIT_MASK, n_bits
from backalley.envs.kernel import kernel

_RANK_BITS = SUIT_MASK[0]


@kernel
def suit_ranks(cards: np.uint64, suit: int) -> np.uint64:
    """Return the ranks held in a suit, bit 0 the two."""
    return (cards >> np.uint64(N_RANKS * suit)) & _RANK_BITS


@kernel
def suit_order(view: Any, order: NDArray[np.int8]) -> None:
    """Write which suit takes each place into `order` (4,), overwritten: trumps, then the strongest holdings."""
    hand = view.hands[view.observer]
    seen = np.uint64(0)
    for seat in range(view.played.shape[0]):
        seen |= view.played[seat]
    n_placed = 0
    taken = 0
    if view.trump != NO_TRUMP:
        order[0] = view.trump
        taken = 1 << view.trump
        n_placed = 1
    while n_placed < N_SUITS:
        best = -1
        best_key = np.int64(-1)
        for suit in range(N_SUITS):
            if taken >> suit & 1 == 0:
                held = suit_ranks(hand, suit)
                key = (n_bits(held) << (2 * N_RANKS)) + np.int64(held << np.uint64(N_RANKS))
                key += np.int64(suit_ranks(seen, suit))
                if key > best_key:
                    best_key = key
                    best = suit
        order[n_placed] = best
        taken |= 1 << best
        n_placed += 1


@kernel
def relabel_cards(cards: np.uint64, order: NDArray[np.int8]) -> np.uint64:
    """Return the set with the suit at `order[k]` moved to place k; jokers stay."""
    moved = cards & JOKERS
    for place in range(N_SUITS):
        moved |= suit_ranks(cards, np.int64(order[place])) << np.uint64(N_RANKS * place)
    return moved


@kernel
def relabel_card(card: int, order: NDArray[np.int8]) -> int:
    """Return the card's new number; jokers and -1 (no card) stay."""
    if card < 0 or card >= N_RANKS * N_SUITS:
        return card
    suit = card // N_RANKS
    place = 0
    while order[place] != suit:
        place += 1
    return card + N_RANKS * (place - suit)


@kernel
def original_action(action: int, order: NDArray[np.int8]) -> int:
    """Return the action that a relabelled one stands for; bids stay."""
    if action >= N_RANKS * N_SUITS:
        return action
    place = action // N_RANKS
    return action + N_RANKS * (np.int64(order[place]) - place)


@kernel
def relabel_view(view: Any, order: NDArray[np.int8]) -> None:
    """Relabel the suits of a View in place."""
    me = view.observer
    view.hands[me] = relabel_cards(view.hands[me], order)
    for seat in range(view.played.shape[0]):
        view.played[seat] = relabel_cards(view.played[seat], order)
        view.cannot_hold[seat] = relabel_cards(view.cannot_hold[seat], order)
        view.trick[seat] = relabel_card(np.int64(view.trick[seat]), order)
    view.exposed = relabel_cards(view.exposed, order)
    view.turn_up = relabel_card(np.int64(view.turn_up), order)
    view.trick_card = relabel_card(np.int64(view.trick_card), order)
    if view.trump != NO_TRUMP:
        view.trump = 0
