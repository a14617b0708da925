"""Dealing: hands, the turn-up, a joker turned up, and the exchange (sections 4 and 17).

Chance stays outside: the caller hands in the deck. Card i goes to seat (dealer + 1 + i) mod players until the hands are
full, the next card is turned up, and the rest is the stock in order.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from backalley.envs.back_alley.options import OPTIONS
from backalley.envs.back_alley.state import BID, NOT_YET
from backalley.envs.cards import JOKERS, LITTLE_JOKER, N_RANKS, NO_CARD, NO_TRUMP, ZERO, bit
from backalley.envs.kernel import kernel

FIXED_SPADES = OPTIONS["trump_source"].values.index("fixed_spades")
EXCHANGE = OPTIONS["joker_turned"].values.index("exchange")
BURN = OPTIONS["joker_turned"].values.index("burn")
SPADES = 0
MAX_EXPOSED = 3  # both jokers burned and the card that decides, or the turned joker and the exchange card


@kernel
def n_cards_needed(rules: Any, hand_size: int) -> int:
    """Return how many cards from the front of the deck a deal can look at."""
    return min(np.int64(rules.pack_size), np.int64(rules.players) * hand_size + MAX_EXPOSED)


@kernel
def clear_deal(rules: Any, state: Any) -> None:
    """Empty everything that belongs to one deal; dealer, hand size, deal index and totals stay."""
    for seat in range(rules.players):
        state.hands[seat] = ZERO
        state.played[seat] = ZERO
        state.cannot_hold[seat] = ZERO
        state.deal_points[seat] = 0
        state.bid_kind[seat] = NOT_YET
        state.bid_number[seat] = 0
        state.bid_level[seat] = 0
        state.bid_rainbow[seat] = 0
        state.trick[seat] = NO_CARD
        state.tricks_won[seat] = 0
        state.first_six[seat] = 0
    state.exposed = ZERO
    state.discarded = ZERO
    state.burned = ZERO
    state.turn_up = NO_CARD
    state.n_bids = 0
    state.n_boards = 0
    state.leader = -1
    state.n_in_trick = 0
    state.n_tricks = 0
    state.trick_card = NO_CARD
    state.trick_holder = -1
    state.broken = 0
    state.run = -1
    state.observer = -1


@kernel
def start_deal(rules: Any, state: Any, deck: NDArray[np.int8]) -> None:
    """Deal `deck` with the state's dealer and hand size, and open the bidding.

    Args:
        rules: record of dtype RULES.
        state: record of dtype STATE; everything of the earlier deal is overwritten.
        deck: (≥ pack_size,) int8; only the first `n_cards_needed` have to be in place.
    """
    clear_deal(rules, state)
    n_dealt = np.int64(rules.players) * np.int64(state.hand_size)
    seat = np.int64(state.dealer)
    dealt = ZERO
    for i in range(n_dealt):
        seat = seat + 1 if seat + 1 < rules.players else 0
        state.hands[seat] |= bit(deck[i])
        dealt |= bit(deck[i])
    state.stock = rules.pack & ~dealt
    _fix_trump(rules, state, deck, n_dealt)
    state.phase = BID
    state.turn = (state.dealer + 1) % rules.players


@kernel
def _fix_trump(rules: Any, state: Any, deck: NDArray[np.int8], position: int) -> None:
    """Turn up cards from `position` of the deck until trumps are fixed (BA-21, BA-23, BA-25 to BA-30)."""
    if rules.trump_source == FIXED_SPADES:
        state.trump = SPADES
        return
    state.trump = NO_TRUMP
    for at in range(position, np.int64(rules.pack_size)):
        card = deck[at]
        if card < LITTLE_JOKER:
            state.turn_up = card
            state.trump = card // N_RANKS
            _leave_stock(state, card)
            return
        if rules.joker_turned != BURN:
            state.turn_up = card
            _leave_stock(state, card)
            if rules.joker_turned == EXCHANGE and at + 1 < rules.pack_size:
                _exchange_joker(rules, state, card, deck[at + 1])
            return
        state.burned |= bit(card)
        state.stock &= ~bit(card)


@kernel
def _leave_stock(state: Any, card: int) -> None:
    state.exposed |= bit(card)
    state.stock &= ~bit(card)


@kernel
def _exchange_joker(rules: Any, state: Any, turned: int, drawn: int) -> None:
    """Make the holder of the other joker discard it for the next stock card (BA-26)."""
    other = JOKERS & ~bit(turned)
    for seat in range(rules.players):
        if state.hands[seat] & other != ZERO:
            state.hands[seat] = (state.hands[seat] & ~other) | bit(drawn)
            state.discarded |= other
            state.stock &= ~bit(drawn)
    for seat in range(rules.players):
        state.cannot_hold[seat] |= other  # nobody gave it back, or it lies open: either way no hand has it
