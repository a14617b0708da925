"""The points of a deal (section 15)."""

from __future__ import annotations

from typing import Any

from backalley.envs.back_alley.options import OPTIONS
from backalley.envs.back_alley.state import ALL_TRICKS_BID, NUMBER, SCORED
from backalley.envs.kernel import kernel

OPPONENTS_ZERO = OPTIONS["opponents_of_board"].values.index("zero")
OPPONENTS_TRICKS_ONLY = OPTIONS["opponents_of_board"].values.index("tricks_only")

POINTS_PER_BID_TRICK = 5
POINTS_PER_BOARD_TRICK = 10


@kernel
def number_points(bid: int, tricks: int) -> int:
    """Return the points for a bid of `bid` tricks with `tricks` won (BA-95, BA-100, BA-101)."""
    if tricks < bid:
        return -POINTS_PER_BID_TRICK * bid
    return POINTS_PER_BID_TRICK * bid + tricks - bid


@kernel
def board_points(hand_size: int, multiple: int, tricks: int) -> int:
    """Return the points for a board of that multiple with `tricks` of `hand_size` won (BA-102)."""
    points = POINTS_PER_BOARD_TRICK * hand_size * multiple
    return points if tricks == hand_size else -points


@kernel
def side_points(rules: Any, state: Any, side: int) -> int:
    """Return the deal points of one side from the bids and the tricks won (BA-44, BA-50, BA-110)."""
    bid = 0
    tricks = 0
    multiple = 0
    for seat in range(rules.players):
        if rules.side[seat] == side:
            tricks += int(state.tricks_won[seat])  # int: uncompiled, a byte would overflow
            if state.bid_kind[seat] == NUMBER:
                bid += int(state.bid_number[seat])
            elif state.bid_kind[seat] == ALL_TRICKS_BID:
                multiple = max(multiple, int(state.bid_level[seat]))
    if multiple > 0:
        return board_points(int(state.hand_size), multiple, tricks)
    if state.n_boards > 0:
        if rules.opponents_of_board == OPPONENTS_ZERO:
            return 0
        if rules.opponents_of_board == OPPONENTS_TRICKS_ONLY:
            return tricks
    return number_points(bid, tricks)


@kernel
def score_deal(rules: Any, state: Any) -> None:
    """Close the deal: write `deal_points` of every seat, the points of its side."""
    for side in range(rules.n_sides):
        points = side_points(rules, state, side)
        for seat in range(rules.players):
            if rules.side[seat] == side:
                state.deal_points[seat] = points
    state.phase = SCORED
    state.turn = -1
    state.leader = -1
