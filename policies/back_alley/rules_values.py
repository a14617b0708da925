"""How `rules` bids under any rules: what each bid is worth on average by the rule set's own points.

Tricks are taken as normally distributed around the estimate, at whole numbers from none to all.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from backalley.envs.back_alley.actions import ALL_TRICKS, PASS
from backalley.envs.back_alley.bidding import BIDS_WITHOUT_BOARD, PLAY_ON, partner_level
from backalley.envs.back_alley.options import RAISE_BOARD
from backalley.envs.back_alley.scoring import bid_points, board_points, scored_alone
from backalley.envs.back_alley.state import ALL_TRICKS_BID, NOT_YET, PASSED
from backalley.envs.cards import ONE, ZERO, has, lowest
from backalley.envs.kernel import kernel
from backalley.policies.back_alley.estimates import (
    OWN_SPREAD,
    SIDE_SPREAD,
    hand_tricks,
    side_tricks,
    tricks_row,
    wins_all,
)

CAUTION = 0.1  # tricks by which estimates are lowered
OPEN_SPREAD = 0.6  # share of its spread that a hand counts before its mates have bid: they will make up for it
BLIND_SPREAD = 1.4  # times as wide is the spread of a hand not seen
BOARD_TRUST = 0.93  # of the chance of an all-tricks bid


@kernel
def points_of(rules: Any, view: Any, bid: int, tricks: int) -> float:
    """Return what a scoring unit gets for numbers of `bid` in all and `tricks` won, bags included."""
    points, over = bid_points(rules, np.int64(view.hand_size), bid, tricks)
    if rules.bag_limit > 0 and over > 0 and view.bags[view.observer] + over > rules.bag_limit:
        points -= np.int64(rules.bag_penalty)
    return np.float64(points)


@kernel
def number_value(rules: Any, view: Any, bid: int, mean: float, spread: float) -> float:
    """Return the mean points of a unit for numbers of `bid` in all; its tricks have that mean and spread."""
    total = 0.0
    weights = 0.0
    for tricks in range(view.hand_size + 1):
        weight = np.exp(-0.5 * ((tricks - mean) / spread) ** 2)
        weights += weight
        total += weight * points_of(rules, view, bid, tricks)
    return total / weights


@kernel
def rainbow_bonus(rules: Any, view: Any) -> float:
    """Return the mean bonus for a rainbow of mode `required`: I have to win a quarter of the tricks (BA-64)."""
    n = np.int64(view.hand_size)
    row = tricks_row(rules, view)
    mean = hand_tricks(rules, view, row)
    failing = 0.0
    weights = 0.0
    for tricks in range(n + 1):
        weight = np.exp(-0.5 * ((tricks - mean) / row[OWN_SPREAD]) ** 2)
        weights += weight
        if 4 * tricks < n:
            failing += weight
    return rules.rainbow_points[n] * (1.0 - 2.0 * failing / weights)


@kernel
def best_number(rules: Any, view: Any, numbers: np.uint64) -> tuple[int, float]:
    """Return the number that pays most on average among the legal ones (bit k for k, 0 the pass), and what it pays."""
    me = np.int64(view.observer)
    n = np.int64(view.hand_size)
    row = tricks_row(rules, view)
    worth = hand_tricks(rules, view, row)
    mean = side_tricks(rules, view, row, worth) - CAUTION
    spread = row[SIDE_SPREAD] * (BLIND_SPREAD if view.hands[me] == ZERO else 1.0)
    so_far = 0
    mates_to_bid = 0
    boards = False
    if not scored_alone(rules, view):
        for seat in range(rules.players):
            if seat != me and rules.side[seat] == rules.side[me]:
                so_far += np.int64(view.bid_number[seat])
                mates_to_bid += view.bid_kind[seat] == NOT_YET
                boards |= view.bid_kind[seat] == ALL_TRICKS_BID
    if mates_to_bid > 0:
        mean = worth + so_far
        spread = row[OWN_SPREAD] * OPEN_SPREAD
    best = -1
    best_value = -np.inf
    while numbers != ZERO:
        number = lowest(numbers)
        numbers &= numbers - ONE
        value = 0.0
        if not boards:
            value = number_value(rules, view, number + so_far, mean, spread)
        if number == 0 and _is_thrown_in(rules, view):
            value = (n - mean) / (rules.n_sides - 1)  # nothing for anybody, the others' tricks included
        if value > best_value:
            best = number
            best_value = value
    return best, best_value


@kernel
def _is_thrown_in(rules: Any, view: Any) -> bool:
    """Say whether a pass would have the hands thrown in (BA-67)."""
    if rules.all_pass == PLAY_ON or view.n_bids + 1 < rules.players:
        return False
    n_passed = 0
    for seat in range(rules.players):
        n_passed += view.bid_kind[seat] == PASSED
    return n_passed == rules.players - 1


@kernel
def board_value(rules: Any, view: Any) -> float:
    """Return the mean points of the all-tricks bid at the level it would have now."""
    chance = wins_all(rules, view)
    n = np.int64(view.hand_size)
    level = min(np.int64(view.n_boards) + 1, np.int64(rules.board_multiple_cap))
    if rules.all_tricks_bid == RAISE_BOARD:
        level = partner_level(rules, view, np.int64(view.observer)) + 1
    return (2.0 * BOARD_TRUST * chance - 1.0) * board_points(rules, n, level)


@kernel
def choose_by_value(rules: Any, view: Any, legal_bids: np.uint64) -> int:
    """Return the plain bid that pays most on average."""
    number, value = best_number(rules, view, legal_bids & BIDS_WITHOUT_BOARD)
    if has(legal_bids, ALL_TRICKS - PASS) and (number < 0 or board_value(rules, view) > value):
        return ALL_TRICKS
    return PASS + number if number >= 0 else PASS + lowest(legal_bids)
