"""Bidding: which bids are legal and what they do, from the redeal offer to the first lead (sections 5 to 9).

Legal bids are a bit set in which bit k stands for action 54 + k: bit 0 is the pass, bits 1..13 are numbers, bit 14 is
the all-tricks bid, as in `actions`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from backalley.envs.back_alley.actions import (
    ALL_TRICKS,
    BOSTON,
    KEEP,
    N_PLAIN_BIDS,
    NO_RAISE,
    PASS,
    RAINBOW,
    RAISE,
    REDEAL,
)
from backalley.envs.back_alley.deal import REDEAL_ON_OWN_TURN, may_redeal, offer_redeal, throw_in
from backalley.envs.back_alley.first_lead import first_leader
from backalley.envs.back_alley.options import (
    ALL,
    BOARD,
    BOSTON_TRICKS,
    IMPLIED,
    LADDER,
    LADDER_LEVELS,
    NO_ALL_TRICKS,
    OPTIONS,
    RAISE_BOARD,
    RAISE_LEVELS,
    SOLO_BOARD,
)
from backalley.envs.back_alley.rainbow import (
    AUTO,
    CLAIM,
    OFF,
    REQUIRED,
    carry_points,
    has_size,
    is_blind,
    is_rainbow,
    show_all,
    show_on_turn,
)
from backalley.envs.back_alley.state import ALL_TRICKS_BID, BOSTON_BID, NUMBER, PASSED, PLAY, REDEAL_OFFER
from backalley.envs.back_alley.state import RAISE as RAISING
from backalley.envs.cards import ZERO, below, bit
from backalley.envs.kernel import kernel

AUTO_MAX = OPTIONS["number_max"].values.index("auto")
CARDS = OPTIONS["number_max"].values.index("cards")
SAME_DEALER = OPTIONS["all_pass"].values.index("same_dealer")
PLAY_ON = OPTIONS["all_pass"].values.index("play")
REDEAL_NEXT_DEALER = OPTIONS["redeal_dealer"].values.index("next")
PAID = OPTIONS["rainbow_thrown_in"].values.index("paid")

BIDS_WITHOUT_BOARD = bit(ALL_TRICKS - PASS) - np.uint64(1)
"""The pass and all numbers."""


@kernel
def has_all_tricks_bid(rules: Any, hand_size: int) -> bool:
    """Say whether the deal has an all-tricks bid that takes the place of the number n (BA-43)."""
    if rules.all_tricks_bid == ALL:
        return hand_size <= rules.all_max_cards
    return rules.all_tricks_bid not in (NO_ALL_TRICKS, LADDER, IMPLIED)


@kernel
def highest_number(rules: Any, hand_size: int) -> int:
    """Return the highest number bid in a deal of `hand_size` cards (BA-43, BAW-4)."""
    reaches_n = rules.number_max == CARDS or (rules.number_max == AUTO_MAX and not has_all_tricks_bid(rules, hand_size))
    if rules.all_tricks_bid == SOLO_BOARD:
        reaches_n = False  # the number n is the board (BA-57)
    return min(hand_size if reaches_n else hand_size - 1, np.int64(rules.number_cap))


@kernel
def partner_level(rules: Any, state: Any, seat: int) -> int:
    """Return the level of the board that another member of the seat's side has bid, 0 if none."""
    level = 0
    for other in range(rules.players):
        if other != seat and rules.side[other] == rules.side[seat]:
            level = max(level, np.int64(state.bid_level[other]))
    return level


@kernel
def next_level(rules: Any, state: Any, seat: int) -> int:
    """Return the level an all-tricks bid of the seat would have, 0 if it may not make one (section 7)."""
    kind = rules.all_tricks_bid
    if kind == RAISE_BOARD:
        level = partner_level(rules, state, seat)
        return level + 1 if level < RAISE_LEVELS else 0
    if kind == LADDER:
        if state.hand_size > 1 or state.n_boards >= LADDER_LEVELS or not _somebody_bid_one(rules, state):
            return 0
        return state.n_boards + 1
    if not has_all_tricks_bid(rules, np.int64(state.hand_size)):
        return 0
    return min(state.n_boards + 1, rules.board_multiple_cap) if kind == BOARD else 1


@kernel
def _somebody_bid_one(rules: Any, state: Any) -> bool:
    found = False
    for seat in range(rules.players):
        found |= state.bid_kind[seat] == NUMBER and state.bid_number[seat] == 1
    return found


@kernel
def _hooked_bid(rules: Any, state: Any) -> int:
    """Return the number of tricks the last bidder may not bid (BAW-18), -1 if there is none."""
    if not rules.dealer_hook or state.n_bids + 1 < rules.players:
        return -1
    total = 0
    for seat in range(rules.players):
        if state.bid_kind[seat] == ALL_TRICKS_BID:
            total += np.int64(state.hand_size)
        elif state.bid_kind[seat] == BOSTON_BID:
            total += BOSTON_TRICKS
        else:
            total += np.int64(state.bid_number[seat])
    return state.hand_size - total


@kernel
def _plain_bids(rules: Any, state: Any) -> np.uint64:
    """Return the pass, the numbers and the all-tricks bid, as far as the seat to act may make them."""
    hand_size = np.int64(state.hand_size)
    bids = below(highest_number(rules, hand_size) + 1)
    is_ladder = rules.all_tricks_bid == LADDER and hand_size == 1
    if is_ladder and not rules.ladder_repeat_one and _somebody_bid_one(rules, state):
        bids = bit(0)
    if next_level(rules, state, np.int64(state.turn)) > 0:
        bids |= bit(ALL_TRICKS - PASS)
    return bids


@kernel
def _rainbow_bids(rules: Any, state: Any, plain: np.uint64) -> np.uint64:
    """Return those of the plain bids that may be made with an announcement (BA-63 to BA-66)."""
    if rules.rainbow in (OFF, AUTO) or not has_size(rules, state):
        return ZERO
    if rules.rainbow == CLAIM:
        return plain
    if is_blind(rules, state) or not is_rainbow(rules, state, state.hands[state.turn]):
        return ZERO
    if rules.rainbow == REQUIRED:
        return plain & BIDS_WITHOUT_BOARD & ~below(np.int64(state.hand_size) // 4)
    return plain


@kernel
def legal_bids(rules: Any, state: Any) -> np.uint64:
    """Return the legal actions of the seat to act outside the play, as a bit set over actions 54.."""
    if state.phase == REDEAL_OFFER:
        return bit(KEEP - PASS) | bit(REDEAL - PASS)
    if state.phase == RAISING:
        return bit(RAISE - PASS) | bit(NO_RAISE - PASS)
    plain = _plain_bids(rules, state)
    bids = plain
    if rules.rainbow != OFF:
        bids |= _rainbow_bids(rules, state, plain) << np.uint64(RAINBOW - PASS)
    if rules.boston and state.hand_size >= rules.boston_min_cards:
        bids |= bit(BOSTON - PASS)
    if rules.dealer_hook:
        bids = _without_hooked(rules, state, bids)
    if rules.redeal_timing == REDEAL_ON_OWN_TURN and may_redeal(rules, state, np.int64(state.turn)):
        bids |= bit(REDEAL - PASS)
    return bids


@kernel
def _without_hooked(rules: Any, state: Any, bids: np.uint64) -> np.uint64:
    """Return the bids without those that would make the sum of all bids the number of tricks, unless none is left."""
    hooked = _hooked_bid(rules, state)
    forbidden = ZERO
    if hooked >= 0:
        forbidden |= bit(hooked)
        if hooked == state.hand_size:
            forbidden |= bit(ALL_TRICKS - PASS)
        forbidden |= forbidden << np.uint64(RAINBOW - PASS)
        if hooked == BOSTON_TRICKS:
            forbidden |= bit(BOSTON - PASS)
    return bids & ~forbidden if bids & ~forbidden != ZERO else bids


@kernel
def make_bid(rules: Any, state: Any, action: int) -> None:
    """Make a legal action of the seat to act outside the play; after the last one open the play or throw in (BA-39)."""
    seat = np.int64(state.turn)
    place = (seat - np.int64(state.dealer) - 1 + rules.players) % rules.players
    if action == REDEAL:
        throw_in(rules, state, rules.redeal_dealer == REDEAL_NEXT_DEALER)
    elif state.phase == REDEAL_OFFER:
        offer_redeal(rules, state, place + 1)
    elif state.phase == RAISING:
        if action == RAISE:
            state.bid_kind[seat] = ALL_TRICKS_BID  # in place of the bid made before (BA-55)
            state.bid_number[seat] = 0
            state.bid_level[seat] = RAISE_LEVELS
            state.n_boards += 1
        _ask_to_raise(rules, state, place + 1)
    else:
        _enter_bid(rules, state, seat, action)
        state.n_bids += 1
        if state.n_bids < rules.players:
            state.turn = seat + 1 if seat + 1 < rules.players else 0
            show_on_turn(rules, state, np.int64(state.turn))
        else:
            _ask_to_raise(rules, state, 0)


@kernel
def _enter_bid(rules: Any, state: Any, seat: int, action: int) -> None:
    bid = action - PASS
    if RAINBOW <= action < RAISE:
        state.bid_rainbow[seat] = 1
        bid -= N_PLAIN_BIDS
    if action == BOSTON:
        state.bid_kind[seat] = BOSTON_BID
    elif bid == 0:
        state.bid_kind[seat] = PASSED
    elif bid == ALL_TRICKS - PASS:
        level = next_level(rules, state, seat)
        state.bid_kind[seat] = ALL_TRICKS_BID
        state.bid_level[seat] = level
        state.n_boards += 1
    else:
        state.bid_kind[seat] = NUMBER
        state.bid_number[seat] = bid


@kernel
def _may_raise(rules: Any, state: Any, place: int) -> bool:
    """Say whether the seat at that place of the bidding may double a board its partner bid after it (BA-54)."""
    seat = (np.int64(state.dealer) + 1 + place) % rules.players
    if state.bid_kind[seat] not in (PASSED, NUMBER) or (rules.rainbow == REQUIRED and state.bid_rainbow[seat]):
        return False
    for later in range(place + 1, np.int64(rules.players)):
        other = (np.int64(state.dealer) + 1 + later) % rules.players
        if rules.side[other] == rules.side[seat] and state.bid_level[other] == 1:
            return True
    return False


@kernel
def _ask_to_raise(rules: Any, state: Any, first: int) -> None:
    """Ask the next seat that may double its partner's board, from place `first` on; if none, end the bidding."""
    if rules.all_tricks_bid == RAISE_BOARD:
        for place in range(first, np.int64(rules.players)):
            if _may_raise(rules, state, place):
                state.phase = RAISING
                state.turn = (np.int64(state.dealer) + 1 + place) % rules.players
                return
    _end_bidding(rules, state)


@kernel
def _end_bidding(rules: Any, state: Any) -> None:
    """Open the play, or throw the hands in if all passed (BA-67, BAW-13)."""
    show_all(rules, state)
    n_passes = 0
    for seat in range(rules.players):
        n_passes += state.bid_kind[seat] == PASSED
    if n_passes == rules.players and rules.all_pass != PLAY_ON:
        if rules.rainbow_thrown_in == PAID:
            carry_points(rules, state)
        throw_in(rules, state, rules.all_pass != SAME_DEALER)
        return
    leader = first_leader(rules, state)
    state.phase = PLAY
    state.turn = leader
    state.leader = leader
