"""Dealing: hands, the card that fixes trumps, jokers, ranks, and redeals before the bidding (sections 4, 5 and 17).

Chance stays outside: the caller hands in the deck, and the card of the cut. Card i goes to seat
(dealer + 1 + i) mod players until the hands are full, the next card is turned up, and the rest is the stock in order.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from backalley.envs.back_alley.options import OPTIONS
from backalley.envs.back_alley.rainbow import is_blind, show_on_turn
from backalley.envs.back_alley.state import BID, NOT_YET, REDEAL_OFFER, THROWN_IN
from backalley.envs.cards import JOKERS, LITTLE_JOKER, N_RANKS, N_SUITS, NO_CARD, NO_TRUMP, SUIT_MASK, ZERO, bit, has
from backalley.envs.kernel import kernel

FIXED_SPADES = OPTIONS["trump_source"].values.index("fixed_spades")
EXCHANGE = OPTIONS["joker_turned"].values.index("exchange")
BURN = OPTIONS["joker_turned"].values.index("burn")
WORTHLESS_JOKER = OPTIONS["no_trump_joker"].values.index("worthless")
NO_HIGH_TWO = OPTIONS["high_two"].values.index("none")
SPADE_TWO = OPTIONS["high_two"].values.index("spade2")
TRUMP_TWO_NEXT = OPTIONS["high_two"].values.index("diamond2_trump2")
HIGH_IN_NO_TRUMP = OPTIONS["no_trump_high_two"].values.index("high")
REDEAL_ON_OWN_TURN = OPTIONS["redeal_timing"].values.index("own_turn")
VOID_NEXT_DEALER = OPTIONS["void_dealer"].values.index("next")
SPADES = 0
TWO_OF_SPADES = 0
TWO_OF_DIAMONDS = 2 * N_RANKS
HONOURS = np.uint64(sum(0b1111 << (N_RANKS * suit + N_RANKS - 4) for suit in range(N_SUITS)))
"""Aces, kings, queens and jacks."""
MAX_EXPOSED = 3  # both jokers burned and the card that decides, or the turned joker and the exchange card


@kernel
def n_cards_needed(rules: Any, hand_size: int) -> int:
    """Return how many cards from the front of the deck a deal can look at."""
    return min(np.int64(rules.pack_size), np.int64(rules.players) * hand_size + MAX_EXPOSED)


@kernel
def is_cut(rules: Any, hand_size: int) -> bool:
    """Say whether a cut before the deal fixes trumps (BA-22, BAW-3)."""
    return has(rules.cut_sizes, hand_size)


@kernel
def clear_deal(rules: Any, state: Any) -> None:
    """Empty what belongs to one deal; dealer, hand size, deal index, totals and the points scored last stay."""
    for seat in range(rules.players):
        state.hands[seat] = ZERO
        state.played[seat] = ZERO
        state.cannot_hold[seat] = ZERO
        state.bid_kind[seat] = NOT_YET
        state.bid_number[seat] = 0
        state.bid_level[seat] = 0
        state.bid_rainbow[seat] = 0
        state.trick[seat] = NO_CARD
        state.tricks_won[seat] = 0
        state.first_six[seat] = 0
    state.plays[:] = NO_CARD
    state.exposed = ZERO
    state.discarded = ZERO
    state.burned = ZERO
    state.turn_up = NO_CARD
    state.cut = NO_CARD
    state.led = NO_CARD
    state.next_dealer = -1
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
def start_deal(rules: Any, state: Any, deck: NDArray[np.int8], cut: int) -> None:
    """Deal `deck` with the state's dealer and hand size, and open the bidding or what comes before it.

    Afterwards the phase is BID or REDEAL_OFFER with a seat to act, or THROWN_IN when a hand has no trump (BA-38).

    Args:
        rules: record of dtype RULES.
        state: record of dtype STATE; everything of the earlier deal is overwritten.
        deck: (≥ pack_size,) int8; only the first `n_cards_needed` have to be in place.
        cut: the card that the cut exposes, of a suit; looked at only if the deal is cut.
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
    if rules.trump_source == FIXED_SPADES:
        state.trump = SPADES
    elif is_cut(rules, np.int64(state.hand_size)):
        state.cut = cut
        state.trump = _trump_of(rules, cut)
    else:
        _turn_up(rules, state, deck, n_dealt)
    _rank_trumps(rules, state)
    if _is_void(rules, state):
        throw_in(rules, state, rules.void_dealer == VOID_NEXT_DEALER)
    else:
        offer_redeal(rules, state, 0)


@kernel
def throw_in(rules: Any, state: Any, passes_the_deal: bool) -> None:
    """End the deal without points; the same dealer or the next one deals again (BA-35)."""
    state.phase = THROWN_IN
    state.turn = -1
    state.next_dealer = state.dealer
    if passes_the_deal:
        state.next_dealer = (state.dealer + 1) % rules.players


@kernel
def _trump_of(rules: Any, card: int) -> int:
    """Return the suit that an exposed card makes trumps; the two of spades makes none where it is high (BA-24)."""
    return NO_TRUMP if rules.high_two == SPADE_TWO and card == TWO_OF_SPADES else card // N_RANKS


@kernel
def _turn_up(rules: Any, state: Any, deck: NDArray[np.int8], position: int) -> None:
    """Turn up cards from `position` of the deck until trumps are fixed (BA-21, BA-25 to BA-30)."""
    state.trump = NO_TRUMP
    for at in range(position, np.int64(rules.pack_size)):
        card = np.int64(deck[at])
        if card < LITTLE_JOKER:
            state.turn_up = card
            state.trump = _trump_of(rules, card)
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


@kernel
def _rank_trumps(rules: Any, state: Any) -> None:
    """Fix the suit TRUMP of the deal and the twos that rank high in it (BA-4 to BA-6, BA-32, BA-33)."""
    state.high_two = NO_CARD
    state.second_two = NO_CARD
    if state.trump == NO_TRUMP:
        state.trumps = ZERO if rules.no_trump_joker == WORTHLESS_JOKER else rules.pack & JOKERS
        if rules.high_two == SPADE_TWO and rules.no_trump_high_two == HIGH_IN_NO_TRUMP:
            state.high_two = TWO_OF_SPADES
        return
    state.trumps = rules.pack & (SUIT_MASK[state.trump] | JOKERS)
    if rules.high_two != NO_HIGH_TWO:
        state.high_two = TWO_OF_SPADES if rules.high_two == SPADE_TWO else TWO_OF_DIAMONDS
        state.trumps |= bit(state.high_two)
        trump_two = N_RANKS * np.int64(state.trump)
        if rules.high_two == TRUMP_TWO_NEXT and trump_two != TWO_OF_DIAMONDS:
            state.second_two = trump_two


@kernel
def _is_void(rules: Any, state: Any) -> bool:
    """Say whether the hands are thrown in because one of them has no trump (BA-38)."""
    if not rules.void_redeal or state.hand_size < rules.void_min_cards or state.trump == NO_TRUMP:
        return False
    found = False
    for seat in range(rules.players):
        found |= state.hands[seat] & state.trumps == ZERO
    return found


@kernel
def may_redeal(rules: Any, state: Any, seat: int) -> bool:
    """Say whether a seat may demand a new deal: no honour and no trump (BA-36, BA-37)."""
    if not rules.redeal_right or state.hand_size < rules.redeal_min_cards or is_blind(rules, state):
        return False
    return state.hands[seat] & (HONOURS | state.trumps) == ZERO


@kernel
def offer_redeal(rules: Any, state: Any, first: int) -> None:
    """Ask the next seat that may demand a new deal, from the `first` in bidding order on; if none, open the bidding."""
    left = (np.int64(state.dealer) + 1) % rules.players
    if rules.redeal_timing != REDEAL_ON_OWN_TURN:
        for i in range(first, np.int64(rules.players)):
            seat = (left + i) % rules.players
            if may_redeal(rules, state, seat):
                state.phase = REDEAL_OFFER
                state.turn = seat
                return
    state.phase = BID
    state.turn = left
    show_on_turn(rules, state, left)
