"""Who leads to the first trick (section 10, BAW-7, BAW-13, BAW-19)."""

from __future__ import annotations

from typing import Any

import numpy as np

from backalley.envs.back_alley.options import ALL, BOARD, BORT, LADDER, OPTIONS, RAISE_BOARD
from backalley.envs.back_alley.rainbow import AUTO
from backalley.envs.back_alley.state import ALL_TRICKS_BID, BOSTON_BID, NUMBER
from backalley.envs.kernel import kernel

LEFT_OF_DEALER = OPTIONS["first_lead"].values.index("left_of_dealer")
BOSTON_FIRST = OPTIONS["boston_rank"].values.index("above_board")
EARLIEST_BOARD = OPTIONS["board_leader"].values.index("earliest")
TIE_LAST = OPTIONS["all_tricks_tie"].values.index("last")
BOARDER_LEADS = OPTIONS["double_board_leader"].values.index("first_boarder")


@kernel
def first_leader(rules: Any, state: Any) -> int:
    """Return who leads to trick 1: the first rule of BA-70 that applies."""
    left = (np.int64(state.dealer) + 1) % rules.players
    announcer = _first_announcer(rules, state, left)
    if announcer >= 0 and (rules.rainbow_over_board or rules.first_lead == LEFT_OF_DEALER):
        return announcer
    if rules.first_lead == LEFT_OF_DEALER:
        return left
    boston = _earliest_boston(rules, state, left)
    if boston >= 0 and rules.boston_rank == BOSTON_FIRST:
        return boston
    board = _leading_board(rules, state, left)
    if board >= 0:
        return board
    if announcer >= 0:
        return announcer
    if boston >= 0:
        return boston
    return _highest_number(rules, state, left)


@kernel
def _first_announcer(rules: Any, state: Any, left: int) -> int:
    """Return the first seat that announced a rainbow, -1 if none did or it gives no lead."""
    if rules.rainbow_leads and rules.rainbow != AUTO:
        for i in range(rules.players):
            if state.bid_rainbow[(left + i) % rules.players]:
                return (left + i) % rules.players
    return -1


@kernel
def _earliest_boston(rules: Any, state: Any, left: int) -> int:
    for i in range(rules.players):
        if state.bid_kind[(left + i) % rules.players] == BOSTON_BID:
            return (left + i) % rules.players
    return -1


@kernel
def _leading_board(rules: Any, state: Any, left: int) -> int:
    """Return the seat whose all-tricks bid ranks first (BA-71, BAW-7), -1 if there is none."""
    kind = rules.all_tricks_bid
    is_earliest = rules.board_leader == EARLIEST_BOARD and kind != LADDER
    takes_last = last_board_leads(rules)
    leader = -1
    best = 0
    for i in range(rules.players):
        seat = (left + i) % rules.players
        level = np.int64(state.bid_level[seat])
        if state.bid_kind[seat] != ALL_TRICKS_BID:
            if is_earliest and state.bid_number[seat] == state.hand_size:
                return seat
            continue
        if is_earliest:
            return seat
        if kind == RAISE_BOARD:
            level = _raised_level(rules, state, seat)
        if level > best or (level == best and takes_last):
            leader = seat
            best = level
    return leader


@kernel
def last_board_leads(rules: Any) -> bool:
    """Say whether a later all-tricks bid takes the first lead from an earlier one (BA-71, BAW-7)."""
    if rules.all_tricks_bid == LADDER:
        return True
    if rules.board_leader == EARLIEST_BOARD:
        return False
    return rules.all_tricks_bid == BOARD or (rules.all_tricks_tie == TIE_LAST and rules.all_tricks_bid in (ALL, BORT))


@kernel
def _raised_level(rules: Any, state: Any, seat: int) -> int:
    """Return the level with which a boarder of `raise_board` claims the lead: the side's for the one who leads it."""
    own = np.int64(state.bid_level[seat])
    if rules.double_board_leader != BOARDER_LEADS:
        return own
    for other in range(rules.players):
        if other != seat and rules.side[other] == rules.side[seat] and state.bid_level[other] > 0:
            return 3 - own  # the boarder leads his side's double, the raiser does not
    return own


@kernel
def _highest_number(rules: Any, state: Any, left: int) -> int:
    """Return the earliest of the highest number bidders; the seat left of the dealer if all passed."""
    leader = left
    best = 0
    for i in range(rules.players):
        seat = (left + i) % rules.players
        if state.bid_kind[seat] == NUMBER and state.bid_number[seat] > best:
            leader = seat
            best = np.int64(state.bid_number[seat])
    return leader
