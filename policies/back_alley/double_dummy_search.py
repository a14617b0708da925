"""The double-dummy search: how many tricks each side wins with all hands open."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from backalley.envs.cards import N_CARDS, ONE, ZERO, highest, lowest, n_bits
from backalley.envs.kernel import kernel
from backalley.policies.back_alley.double_dummy_bounds import bounds
from backalley.policies.back_alley.double_dummy_moves import (
    led_group,
    legal_follows,
    legal_leads,
    list_moves,
    next_flag,
    next_shape,
    pick_best,
)
from backalley.policies.back_alley.double_dummy_order import rate_follows, rate_leads
from backalley.policies.back_alley.double_dummy_position import (
    FLAG_SHIFT,
    LEADER_SHIFT,
    LEFT_SHIFT,
    N_SEATS,
    beats,
    group_of,
    one,
    under,
)
from backalley.policies.back_alley.double_dummy_table import KNOWN, NOTHING_KNOWN, RESULT_BITS, WON, look_up, store

# Arguments of the recursive call, each of one type: another type would be another function for the compiler.
LEAD = np.int64(0)
NONE = np.int64(-1)

HISTORY = 1024  # the most that a card's history can be
HISTORY_SHIFT = 4

NOT_LEGAL = -1
UNSOLVED = -2
"""In place of the tricks of a card."""


@kernel
def last_trick(work: Any, leader: int) -> np.uint64:
    """Return the result of the last trick."""
    best = highest(work.hands[leader])
    winner = leader
    cards = work.hands[leader]
    for i in range(1, N_SEATS):
        seat = (leader + i) & 3
        card = highest(work.hands[seat])
        cards |= work.hands[seat]
        if beats(work, card, best):
            best = card
            winner = seat
    result = ZERO if winner & 1 else WON
    if n_bits(cards & work.groups[group_of(best)]) > 1:
        result |= one(best)
    return result


@kernel(inline=True)
def settled(need: int, left: int) -> np.uint64:
    """Return the result where side 0 needs nothing, or more than all the tricks left; else `NOTHING_KNOWN`."""
    if need <= 0:
        return RESULT_BITS
    return KNOWN if need > left else NOTHING_KNOWN


@kernel
def known_result(work: Any, seat: int, left: int, aggr: np.uint64, shape: np.uint64, flag: int, need: int) -> np.uint64:
    """Return the result at the start of a trick where no search is needed, with KNOWN; else `NOTHING_KNOWN`."""
    result = settled(need, left)
    if result != NOTHING_KNOWN:
        return result
    if left == 1:
        return last_trick(work, seat) | KNOWN
    result = bounds(work, seat, left, aggr, flag, need)
    if result == NOTHING_KNOWN:
        result = look_up(work, shape, aggr, need)
    return result


@kernel(inline=True)
def ranked_moves(
    work: Any,
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
    hint: int,
) -> int:
    """List and rate the moves at a depth; returns how many. At the root only those of `root_mask`."""
    depth = 4 * left - k
    if k == 0:
        legal = legal_leads(work, seat, flag)
    else:
        legal = legal_follows(work, seat, leader, led, led_special, best)
    if depth == work.root_depth:
        legal &= work.root_mask
    n = list_moves(work, depth, seat, legal, aggr)
    if n > 1 and k == 0:
        rate_leads(work, depth, n, seat, aggr, hint)
    elif n > 1:
        rate_follows(work, depth, n, k, seat, aggr, led, best, best_seat)
    return n


@kernel(inline=True)
def rank_that_won(work: Any, cards: np.uint64, best: int, best_class: np.uint64, has_succeeded: bool) -> np.uint64:
    """Return what the proof needs of the card that won a trick, nothing if no other card of its suit fell.

    Where its side fails in spite of it, all cards that would have done as well have to be known.
    """
    if n_bits(cards & work.groups[group_of(best)]) == 1:
        return ZERO
    return one(best) if has_succeeded else best_class


@kernel(inline=True)
def learn(work: Any, depth: int, seat: int, i: int) -> None:
    """Remember that the i-th move at a depth was the first that did it."""
    card = work.moves[depth, i]
    work.killers[depth] = card
    work.history[seat, card] += (HISTORY - work.history[seat, card]) >> HISTORY_SHIFT
    for j in range(i):
        work.history[seat, work.moves[depth, j]] -= work.history[seat, work.moves[depth, j]] >> HISTORY_SHIFT


@kernel(inline=True)
def as_hopeless(work: Any, card: int, result: np.uint64) -> np.uint64:
    """Return the cards that would fail as `card` did: those of its suit below all that mattered, if it is one too."""
    if work.must_trump or one(card) & work.specials != ZERO:
        return ZERO
    group = work.groups[group_of(card)]
    mattered = result & ~RESULT_BITS & group
    low_cards = group if mattered == ZERO else group & under(lowest(mattered))
    return low_cards & ~work.specials if one(card) & low_cards != ZERO else ZERO


@kernel
def search(
    work: Any,
    k: int,
    seat: int,
    leader: int,
    left: int,
    aggr: np.uint64,
    shape: np.uint64,
    flag: int,
    need: int,
    led: int,
    led_special: np.uint64,
    best: int,
    best_seat: int,
    best_class: np.uint64,
    trick: np.uint64,
) -> np.uint64:
    """Return whether side 0 wins `need` of the tricks left, and the lowest cards that matter.

    Args:
        work: record of dtype WORK; `hands` change and change back.
        k: cards in the current trick.
        seat: to play.
        leader: of the trick.
        left: tricks left, the current one included.
        aggr: cards in play, those of the trick included.
        shape: of the hands, without leader and flag.
        flag: see WORK.
        need: tricks.
        led: group led, -1 none.
        led_special: the card led if it is a special.
        best: card that holds the trick.
        best_seat: its seat.
        best_class: the cards that would have done as well.
        trick: cards of the trick.

    Returns:
        WON if so, and in each lane the lowest card whose rank the proof needs.
    """
    depth = 4 * left - k
    is_start = k == 0 and depth != work.root_depth
    full = shape | np.uint64(leader) << np.uint64(LEADER_SHIFT) | np.uint64(flag) << np.uint64(FLAG_SHIFT)
    hint = -1
    work.n_nodes += 1
    if is_start:
        result = known_result(work, seat, left, aggr, full, flag, need)
        if result != NOTHING_KNOWN:
            return result & ~KNOWN
        hint = work.hint
    work.stopped |= work.n_nodes > work.max_nodes
    if work.stopped:
        return ZERO
    n = ranked_moves(work, k, seat, leader, left, aggr, flag, led, led_special, best, best_seat, hint)
    wants = WON if seat & 1 == 0 else ZERO
    matters = WON ^ wants
    hopeless = ZERO
    best_card = -1
    for i in range(n):
        card = pick_best(work, depth, i, n)
        place = one(card)
        if place & hopeless != ZERO:
            continue
        takes = k == 0 or beats(work, card, best)
        new_best = card if takes else best
        new_best_seat = seat if takes else best_seat
        new_best_class = work.classes[depth, i] if takes else best_class
        new_led = led_group(work, led, card)
        new_special = place & work.specials if k == 0 else led_special
        new_flag = next_flag(work, k, flag, place, trick, new_led, new_best_seat != leader)
        new_shape = next_shape(work, shape, seat, card)
        work.hands[seat] ^= place
        if k < N_SEATS - 1:
            result = search(
                work, k + 1, (seat + 1) & 3, leader, left, aggr, new_shape, new_flag, need,
                new_led, new_special, new_best, new_best_seat, new_best_class, trick | place,
            )  # fmt: skip
        else:
            cards = trick | place
            won = 1 - (new_best_seat & 1)
            result = settled(need - won, left - 1)
            if result == NOTHING_KNOWN:
                result = search(
                    work, LEAD, new_best_seat, new_best_seat, left - 1, aggr & ~cards,
                    new_shape - (ONE << np.uint64(LEFT_SHIFT)), new_flag, need - won,
                    NONE, ZERO, NONE, NONE, ZERO, ZERO,
                )  # fmt: skip
            result &= ~KNOWN
            result |= rank_that_won(work, cards, new_best, new_best_class, (result & WON != ZERO) == (won == 1))
        work.hands[seat] ^= place
        if result & WON == wants:
            matters = result
            best_card = card
            if n > 1:
                learn(work, depth, seat, i)
            break
        matters |= result
        if i + 1 < n:
            hopeless |= as_hopeless(work, card, result)
    if is_start and not work.stopped:
        store(work, full, aggr, need, left, matters, best_card)
    return matters


@kernel
def list_root(work: Any) -> None:
    """List the classes of equal legal cards at the root."""
    work.root_depth = 4 * work.left - work.k
    if work.k == 0:
        legal = legal_leads(work, work.seat, work.flag)
    else:
        legal = legal_follows(work, work.seat, work.leader, work.led, work.led_special, work.best)
    work.n_root_moves = list_moves(work, work.root_depth, work.seat, legal, work.aggr)
    for i in range(work.n_root_moves):
        work.root_classes[i] = work.classes[work.root_depth, i]
        work.root_moves[i] = work.moves[work.root_depth, i]


@kernel
def solve_tricks(work: Any, tricks: NDArray[np.int8]) -> None:
    """Write the tricks that the side to play wins from now on with each legal card.

    Args:
        work: record of dtype WORK, loaded and its root listed.
        tricks: (54,) int8, overwritten: -1 where a card is not legal, -2 where `max_nodes` did not suffice.
    """
    for card in range(N_CARDS):
        tricks[card] = NOT_LEGAL
    seat = np.int64(work.seat)
    left = np.int64(work.left)
    best_class = one(work.best) if work.k > 0 else ZERO
    guess = (left + 1) // 2
    for i in range(work.n_root_moves):
        work.root_mask = one(work.root_moves[i])
        low = 0
        high = left
        while low < high and not work.stopped:
            need = min(max(guess, low + 1), high)
            result = search(
                work, work.k, seat, work.leader, left, work.aggr, work.root_shape, work.flag, need,
                work.led, work.led_special, work.best, work.best_seat, best_class, work.trick,
            )  # fmt: skip
            if result & WON != ZERO:
                low = need
                guess = need + 1
            else:
                high = need - 1
                guess = need - 1
        guess = low
        won = low if seat & 1 == 0 else left - low
        if work.stopped:
            won = UNSOLVED
        same = work.root_classes[i]
        while same != ZERO:
            tricks[work.card_of[lowest(same)]] = won
            same &= same - ONE
