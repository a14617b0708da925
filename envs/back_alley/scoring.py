"""The points of a deal (section 15)."""

from __future__ import annotations

from typing import Any

import numpy as np

from backalley.envs.back_alley.options import (
    ALL,
    BOARD,
    BOSTON_TRICKS,
    IMPLIED,
    LADDER,
    OPTIONS,
    RAISE_BOARD,
    SOLO_BOARD,
)
from backalley.envs.back_alley.rainbow import rainbow_points
from backalley.envs.back_alley.state import ALL_TRICKS_BID, BOSTON_BID, SCORED
from backalley.envs.kernel import kernel

OPPONENTS_NORMAL = OPTIONS["opponents_of_board"].values.index("normal")
OPPONENTS_ZERO = OPTIONS["opponents_of_board"].values.index("zero")
FIVE_ONE, TEN_ONE, FIVE_UNDER, BID_PLUS_TRICKS, EXACT_TEN = map(
    OPTIONS["score"].values.index, ("five_one", "ten_one", "five_under", "bid_plus_tricks", "exact_ten")
)
PER_PLAYER = OPTIONS["score_unit"].values.index("player")
CAPPED = OPTIONS["side_bid_cap"].values.index("cards")
PASS_IS_ZERO = OPTIONS["solo_one_card_pass"].values.index("zero")

POINTS_PER_BID_TRICK = np.array([5, 10, 3, 5, 1, 4, 1])
"""(7,) by `score`."""
DOUBLE_BOARD_UNIT = 15
RAISE_BOARD_UNIT = 10
ALL_POINTS = 25
SOLO_UNIT = 6
BOSTON_POINTS = 100


@kernel
def number_points(rules: Any, bid: int, tricks: int) -> int:
    """Return the points for a bid of `bid` tricks with `tricks` won (BA-95 to BA-101, BAW-14)."""
    score = rules.score
    if score == EXACT_TEN:
        return bid + 10 if tricks == bid else tricks
    if bid == 0:
        return tricks
    unit = POINTS_PER_BID_TRICK[score]
    if tricks >= bid:
        return unit * bid + (tricks if score == BID_PLUS_TRICKS else tricks - bid)
    if score == FIVE_UNDER:
        return unit * (tricks - bid) + (unit * tricks if rules.five_under_made else 0)
    return -(2 if score == BID_PLUS_TRICKS else unit) * bid


@kernel
def board_points(rules: Any, hand_size: int, level: int) -> int:
    """Return what an all-tricks bid of that level wins or loses (BA-102 to BA-109, BAW-6, BAW-16)."""
    kind = rules.all_tricks_bid
    if kind == BOARD:
        return np.int64(rules.board_unit) * hand_size * np.int64(rules.board_multiples[level - 1])
    if kind == RAISE_BOARD:
        return hand_size * (DOUBLE_BOARD_UNIT if level > 1 else RAISE_BOARD_UNIT)
    if kind == ALL:
        return ALL_POINTS
    if kind == LADDER:
        return 10 + 10 * level
    if kind == SOLO_BOARD:
        if hand_size > 1:
            return SOLO_UNIT * hand_size + np.int64(rules.solo_board_bonus)
        bonus = np.int64(rules.solo_board_bonus) if rules.solo_board_bonus_one_card else 0
        return np.int64(rules.one_card_board) + bonus
    return np.int64(rules.board_unit) * hand_size  # bort, and the board that the numbers imply


@kernel
def side_has_board(rules: Any, state: Any, side: int) -> bool:
    """Say whether a member of the side made an all-tricks bid."""
    found = False
    for seat in range(rules.players):
        found |= rules.side[seat] == side and state.bid_kind[seat] == ALL_TRICKS_BID
    return found


@kernel
def scored_alone(rules: Any, state: Any) -> bool:
    """Say whether each player is scored by himself and the results added (BA-44, BA-60)."""
    return rules.score_unit == PER_PLAYER or (rules.all_tricks_bid == LADDER and state.hand_size == 1)


@kernel
def number_counts(rules: Any, state: Any, side: int) -> bool:
    """Say whether the numbers of a side count: in some rules not while others have a board (BA-110)."""
    return state.n_boards == 0 or rules.opponents_of_board == OPPONENTS_NORMAL or side_has_board(rules, state, side)


@kernel
def unit_totals(rules: Any, state: Any, first: int, alone: bool) -> tuple[int, int, int, int, bool]:
    """Return what a scoring unit bid and won.

    Args:
        rules, state: records.
        first: a seat of the unit.
        alone: the unit is that seat; else its side.

    Returns:
        Its numbers added up, its tricks, its tricks among the first six, the level of its all-tricks bid (0 none), and
        whether it bid a boston.
    """
    bid = 0
    tricks = 0
    first_six = 0
    level = 0
    has_boston = False
    for seat in range(rules.players):
        if seat == first or (not alone and rules.side[seat] == rules.side[first]):
            bid += np.int64(state.bid_number[seat])
            tricks += np.int64(state.tricks_won[seat])
            first_six += np.int64(state.first_six[seat])
            level = max(level, np.int64(state.bid_level[seat]))
            has_boston |= state.bid_kind[seat] == BOSTON_BID
    return bid, tricks, first_six, level, has_boston


@kernel
def unit_points(rules: Any, state: Any, first: int, alone: bool) -> tuple[int, int]:
    """Return the points of a scoring unit for its bids, and its overtricks (BA-44, BA-50, BA-68, BA-110).

    Args:
        rules, state: records.
        first: a seat of the unit.
        alone: the unit is that seat; else its side.
    """
    bid, tricks, first_six, level, has_boston = unit_totals(rules, state, first, alone)
    hand_size = np.int64(state.hand_size)
    if level > 0:
        points = board_points(rules, hand_size, level)
        return (points if tricks == hand_size else -points), 0
    if not number_counts(rules, state, rules.side[first]):
        if rules.opponents_of_board == OPPONENTS_ZERO:
            return 0, 0
        bid = 0
    elif has_boston:
        return (BOSTON_POINTS + tricks - BOSTON_TRICKS if first_six == BOSTON_TRICKS else -BOSTON_POINTS), 0
    points, over = bid_points(rules, hand_size, bid, tricks)
    return points, 0 if has_boston else over


@kernel(inline=True)
def is_implied_board(rules: Any, hand_size: int, bid: int) -> bool:
    """Say whether the numbers of a unit stand for a board (BAW-15)."""
    return rules.all_tricks_bid == IMPLIED and bid == hand_size


@kernel(inline=True)
def counted_number(rules: Any, hand_size: int, bid: int) -> int:
    """Return what the numbers of a unit that add up to `bid` count for (BAW-5)."""
    return min(bid, hand_size) if rules.side_bid_cap == CAPPED else bid


@kernel
def bid_points(rules: Any, hand_size: int, bid: int, tricks: int) -> tuple[int, int]:
    """Return the points and the overtricks of a scoring unit whose numbers add up to `bid` (BA-106, BAW-5, BAW-15)."""
    if is_implied_board(rules, hand_size, bid):
        points = board_points(rules, hand_size, 1)
        return (points if tricks == hand_size else -points), 0
    bid = counted_number(rules, hand_size, bid)
    over = tricks - bid if tricks > bid and rules.score != EXACT_TEN else 0
    if rules.all_tricks_bid == SOLO_BOARD and hand_size == 1 and bid == 0 and rules.solo_one_card_pass == PASS_IS_ZERO:
        return 0, over
    return number_points(rules, bid, tricks), over


@kernel
def _bag_penalty(rules: Any, state: Any, seat: int, over: int) -> int:
    """Count a unit's overtricks on the seat's account and return what they cost in this deal (BAW-17)."""
    state.bags[seat] += over
    if state.bags[seat] <= rules.bag_limit:
        return 0
    state.bags[seat] -= rules.bag_limit
    return np.int64(rules.bag_penalty)


@kernel
def score_deal(rules: Any, state: Any) -> None:
    """Close the deal: write `own_points` and `deal_points` of every seat, and keep the bags (BA-111)."""
    by_player = rules.score_unit == PER_PLAYER
    alone = scored_alone(rules, state)
    for seat in range(rules.players):
        state.deal_points[seat] = 0
        state.own_points[seat] = 0
    for seat in range(rules.players):
        bonus = rainbow_points(rules, state, seat, state.played[seat]) + np.int64(state.carried[seat])
        state.carried[seat] = 0
        points, over = unit_points(rules, state, seat, alone)
        if rules.bag_limit > 0:
            points -= _bag_penalty(rules, state, seat, over)
        state.own_points[seat] = points + bonus
        is_first = True  # of its side: a side that is scored as one counts once
        for other in range(seat):
            is_first &= rules.side[other] != rules.side[seat]
        for other in range(rules.players):
            if rules.side[other] == rules.side[seat]:
                state.deal_points[other] += points + bonus if alone or is_first else bonus
    if not by_player:
        for seat in range(rules.players):
            state.own_points[seat] = state.deal_points[seat]
    state.phase = SCORED
    state.turn = -1
    state.leader = -1
    state.next_dealer = (state.dealer + 1) % rules.players
