"""Double-dummy play for the deal points, where they are not simply the better the more tricks a side wins.

As a rule more tricks are never worse, so the best play for tricks is the best play for points and `points_by_tricks`
turns one into the other. It is not so where the exact count scores or overtricks cost points, and where it matters who
of a side wins a trick or when (players scored alone, required rainbows, bostons). There a plain alpha-beta search over
the points does it, with a table of exact positions; it is much slower.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from backalley.envs.back_alley.options import BOSTON_TRICKS
from backalley.envs.back_alley.rainbow import REQUIRED
from backalley.envs.back_alley.scoring import score_deal, scored_alone
from backalley.envs.back_alley.state import BOSTON_BID
from backalley.envs.cards import N_CARDS, ONE, ZERO, lowest
from backalley.envs.kernel import kernel
from backalley.policies.back_alley.double_dummy_moves import led_group, next_flag, pick_best
from backalley.policies.back_alley.double_dummy_position import N_SEATS, beats, one
from backalley.policies.back_alley.double_dummy_search import LEAD, NONE, ranked_moves
from backalley.policies.back_alley.double_dummy_table import LOW_HALF

N_POINT_ENTRIES = 1 << 16
POINT_WORDS = 7  # hands, leader with flag and tricks, bounds, generation
INFINITE = np.int64(1 << 24)
NO_POINTS = -INFINITE
"""In place of the points of a card that is not legal."""
FIRST_SIX_SHIFT = 16  # in a word of tricks: a nibble for each seat's tricks, then for those among the first six

POINTS_TABLE = np.dtype(
    [
        ("entries", np.uint64, (N_POINT_ENTRIES, POINT_WORDS)),
        ("generation", np.uint64),
        ("personal", np.int64),  # it matters who of a side wins a trick
        ("early", np.int64),  # the first six tricks count apart
    ],
    align=True,
)
"""The table of exact positions for `solve_points`."""


@kernel
def counts_more_than_tricks(rules: Any, state: Any, table: Any) -> bool:
    """Say whether points depend on more than the tricks of each side; writes on what into `table`."""
    table.personal = scored_alone(rules, state)
    table.early = False
    for seat in range(N_SEATS):
        if rules.rainbow == REQUIRED and state.bid_rainbow[seat] != 0:
            table.personal = True
        if state.bid_kind[seat] == BOSTON_BID:
            table.early = True
    return table.personal or table.early


@kernel
def points_by_tricks(rules: Any, state: Any, scratch: Any, points: NDArray[np.int64]) -> bool:
    """Write the points of side 0 minus those of side 1 by the tricks side 0 wins; say whether more are never worse.

    Args:
        rules, state: records; the points must depend on the tricks of each side only.
        scratch: (1,) records of dtype STATE, overwritten.
        points: (14,) int64, overwritten as far as the hand size.
    """
    rises = True
    for tricks in range(state.hand_size + 1):
        won = np.uint64(tricks) | np.uint64(state.hand_size - tricks) << np.uint64(4)
        points[tricks] = points_of(rules, state, scratch, won)
        rises &= tricks == 0 or points[tricks] >= points[tricks - 1]
    return rises


@kernel
def points_of(rules: Any, state: Any, scratch: Any, won: np.uint64) -> int:
    """Return the points of side 0 minus those of side 1 when the deal ends with these tricks."""
    scratch[0] = state
    end = scratch[0]
    for seat in range(N_SEATS):
        end.played[seat] |= end.hands[seat]
        end.tricks_won[seat] = (won >> np.uint64(4 * seat)) & np.uint64(15)
        end.first_six[seat] = (won >> np.uint64(FIRST_SIX_SHIFT + 4 * seat)) & np.uint64(15)
    score_deal(rules, end)
    return np.int64(end.deal_points[0]) - np.int64(end.deal_points[1])


@kernel(inline=True)
def add_trick(table: Any, won: np.uint64, winner: int, is_early: bool, n: int) -> np.uint64:
    """Return the word of tricks with n more for a seat, put on account of its side where that is enough."""
    seat = winner if table.personal else winner & 1
    won += np.uint64(n) << np.uint64(4 * seat)
    if table.early and is_early:
        won += np.uint64(n) << np.uint64(FIRST_SIX_SHIFT + 4 * seat)
    return won


@kernel
def won_so_far(state: Any, table: Any) -> np.uint64:
    """Return the word of the tricks won before the current one."""
    won = ZERO
    for seat in range(N_SEATS):
        early = np.int64(state.first_six[seat])
        won = add_trick(table, won, seat, True, early)
        won = add_trick(table, won, seat, False, np.int64(state.tricks_won[seat]) - early)
    return won


@kernel(inline=True)
def _place(work: Any, word: np.uint64) -> int:
    """Return where in the table a position is kept."""
    mixed = word
    for seat in range(N_SEATS - 1):
        mixed = (mixed ^ work.hands[seat]) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
    return np.int64((mixed * np.uint64(0xBF58476D1CE4E5B9)) >> np.uint64(48))


@kernel(inline=True)
def _is_kept(work: Any, table: Any, entry: Any, word: np.uint64) -> bool:
    """Say whether an entry is about the position in `work`."""
    return (
        entry[4] == word
        and entry[6] == table.generation
        and entry[0] == work.hands[0]
        and entry[1] == work.hands[1]
        and entry[2] == work.hands[2]
        and entry[3] == work.hands[3]
    )


@kernel(inline=True)
def _kept_bounds(work: Any, table: Any, word: np.uint64) -> tuple[int, int]:
    """Return what the table says of the position in `work`."""
    entry = table.entries[_place(work, word)]
    if not _is_kept(work, table, entry, word):
        return -INFINITE, INFINITE
    return np.int64(entry[5] >> np.uint64(32)) - INFINITE, np.int64(entry[5] & LOW_HALF) - INFINITE


@kernel(inline=True)
def _pack(low: int, high: int) -> np.uint64:
    return np.uint64(low + INFINITE) << np.uint64(32) | np.uint64(high + INFINITE)


@kernel
def search_points(
    rules: Any,
    state: Any,
    scratch: Any,
    work: Any,
    table: Any,
    k: int,
    seat: int,
    leader: int,
    left: int,
    aggr: np.uint64,
    flag: int,
    led: int,
    led_special: np.uint64,
    best: int,
    best_seat: int,
    trick: np.uint64,
    won: np.uint64,
    low: int,
    high: int,
) -> int:
    """Return the points of side 0 minus those of side 1, exact between `low` and `high` and a bound beyond them."""
    if left == 0:
        return points_of(rules, state, scratch, won)
    depth = 4 * left - k
    is_start = k == 0 and depth != work.root_depth
    work.n_nodes += 1
    if work.n_nodes > work.max_nodes:
        work.stopped = 1
    if work.stopped:
        return low
    alpha = low
    beta = high
    word = won | np.uint64(leader) << np.uint64(32) | np.uint64(flag) << np.uint64(34)
    if is_start:
        known_low, known_high = _kept_bounds(work, table, word)
        if known_low >= high or known_low == known_high:
            return known_low
        if known_high <= low:
            return known_high
    n = ranked_moves(work, k, seat, leader, left, aggr, flag, led, led_special, best, best_seat, NONE)
    result = -INFINITE if seat & 1 == 0 else INFINITE
    for i in range(n):
        card = pick_best(work, depth, i, n)
        place = one(card)
        takes = k == 0 or beats(work, card, best)
        new_best = card if takes else best
        new_best_seat = seat if takes else best_seat
        new_led = led_group(work, led, card)
        new_special = place & work.specials if k == 0 else led_special
        new_flag = next_flag(work, k, flag, place, trick, new_led, new_best_seat != leader)
        work.hands[seat] ^= place
        if k < 3:
            value = search_points(
                rules, state, scratch, work, table, k + 1, (seat + 1) & 3, leader, left, aggr, new_flag,
                new_led, new_special, new_best, new_best_seat, trick | place, won, alpha, beta,
            )  # fmt: skip
        else:
            is_early = state.hand_size - left < BOSTON_TRICKS
            value = search_points(
                rules, state, scratch, work, table, LEAD, new_best_seat, new_best_seat, left - 1,
                aggr & ~(trick | place), new_flag, NONE, ZERO, NONE, NONE, ZERO,
                add_trick(table, won, new_best_seat, is_early, 1), alpha, beta,
            )  # fmt: skip
        work.hands[seat] ^= place
        if seat & 1 == 0:
            result = max(result, value)
            alpha = max(alpha, value)
        else:
            result = min(result, value)
            beta = min(beta, value)
        if alpha >= beta:
            work.killers[depth] = card
            break
    if is_start and not work.stopped:
        _keep(work, table, word, -INFINITE if result <= low else result, INFINITE if result >= high else result)
    return result


@kernel
def _keep(work: Any, table: Any, word: np.uint64, low: int, high: int) -> None:
    """Write bounds of the position in `work` over what its place in the table held."""
    known_low, known_high = _kept_bounds(work, table, word)
    low = max(low, known_low)
    high = min(high, known_high)
    entry = table.entries[_place(work, word)]
    for seat in range(N_SEATS):
        entry[seat] = work.hands[seat]
    entry[4] = word
    entry[5] = _pack(low, high)
    entry[6] = table.generation


@kernel
def solve_points(rules: Any, state: Any, scratch: Any, work: Any, table: Any, points: NDArray[np.int64]) -> None:
    """Write the points that each legal card leads to, own side minus the other; `NO_POINTS` where it is not legal.

    Args:
        rules, state: records.
        scratch: (1,) records of dtype STATE, overwritten.
        work: record of dtype WORK, loaded; `solve_loaded` must have listed the moves of the root.
        table: record of dtype POINTS_TABLE, after `counts_more_than_tricks`.
        points: (54,) int64, overwritten.
    """
    table.generation += ONE
    for card in range(N_CARDS):
        points[card] = NO_POINTS
    seat = np.int64(work.seat)
    won = won_so_far(state, table)
    for i in range(work.n_root_moves):
        work.root_mask = one(work.root_moves[i])
        value = search_points(
            rules, state, scratch, work, table, work.k, seat, work.leader, work.left, work.aggr, work.flag,
            work.led, work.led_special, work.best, work.best_seat, work.trick, won, -INFINITE, INFINITE,
        )  # fmt: skip
        same = work.root_classes[i]
        while same != ZERO:
            points[work.card_of[lowest(same)]] = value if seat & 1 == 0 else -value
            same &= same - ONE
