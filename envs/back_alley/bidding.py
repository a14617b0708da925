"""Bidding: which bids are legal, what a bid does, who leads first (sections 6, 7, 9, 10).

Legal bids are a bit set in which bit k stands for action 54 + k: bit 0 is the pass, bits 1..13 are numbers, bit 14 is
the all-tricks bid, as in `actions`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from backalley.envs.back_alley.actions import ALL_TRICKS, PASS
from backalley.envs.back_alley.options import OPTIONS
from backalley.envs.back_alley.state import ALL_TRICKS_BID, NUMBER, PASSED, PLAY, THROWN_IN
from backalley.envs.cards import ONE, bit
from backalley.envs.kernel import kernel

NO_ALL_TRICKS = OPTIONS["all_tricks_bid"].values.index("none")
AUTO = OPTIONS["number_max"].values.index("auto")
CARDS = OPTIONS["number_max"].values.index("cards")


@kernel
def highest_number(rules: Any, hand_size: int) -> int:
    """Return the highest number bid in a deal of `hand_size` cards (BA-43)."""
    if rules.number_max == CARDS or (rules.number_max == AUTO and rules.all_tricks_bid == NO_ALL_TRICKS):
        return hand_size
    return hand_size - 1


@kernel
def legal_bids(rules: Any, state: Any) -> np.uint64:
    """Return the legal bids of the seat to act (BA-40 to BA-43, BA-47 to BA-49) as a bit set over actions 54.."""
    bids = bit(highest_number(rules, np.int64(state.hand_size)) + 1) - ONE  # pass and the numbers
    if rules.all_tricks_bid != NO_ALL_TRICKS:
        bids |= bit(ALL_TRICKS - PASS)
    return bids


@kernel
def make_bid(rules: Any, state: Any, action: int) -> None:
    """Enter the bid of the seat to act; after the last one open the play or throw the hands in (BA-39, BA-67)."""
    seat = state.turn
    if action == PASS:
        state.bid_kind[seat] = PASSED
    elif action == ALL_TRICKS:
        state.bid_kind[seat] = ALL_TRICKS_BID
        state.n_boards += 1
        state.bid_level[seat] = min(state.n_boards, rules.board_multiple_cap)
    else:
        state.bid_kind[seat] = NUMBER
        state.bid_number[seat] = action - PASS
    state.n_bids += 1
    if state.n_bids < rules.players:
        state.turn = seat + 1 if seat + 1 < rules.players else 0
        return
    leader = _first_leader(rules, state)
    if leader < 0:
        state.phase = THROWN_IN
        state.turn = -1
    else:
        state.phase = PLAY
        state.turn = leader
        state.leader = leader


@kernel
def _first_leader(rules: Any, state: Any) -> int:
    """Return who leads to trick 1 (BA-70 to BA-72), -1 if all passed."""
    leader = -1
    best = 0
    for i in range(rules.players):
        seat = (state.dealer + 1 + i) % rules.players
        if state.bid_kind[seat] == ALL_TRICKS_BID:
            leader = seat  # each board is higher than the one before; at the cap the last one leads (BA-71)
            best = 1000
        elif state.bid_kind[seat] == NUMBER and state.bid_number[seat] > best:
            leader = seat
            best = state.bid_number[seat]
    return leader
