"""The moves of the double-dummy search: what may be played, and what a card changes."""

from __future__ import annotations

from typing import Any

import numpy as np

from backalley.envs.back_alley.play import FORCED_HIGHEST, FORCED_LOWEST
from backalley.envs.cards import ZERO, highest, lowest
from backalley.envs.kernel import kernel
from backalley.policies.back_alley.double_dummy_position import JOKER_GROUP, N_SEATS, group_of, one, under


@kernel(inline=True)
def legal_leads(work: Any, seat: int, flag: int) -> np.uint64:
    """Return the cards the seat may lead."""
    hand = work.hands[seat]
    if hand & ~work.last_to_lead == ZERO:
        return hand
    return hand & ~work.barred[flag, seat]


@kernel(inline=True)
def legal_follows(work: Any, seat: int, leader: int, led: int, led_special: np.uint64, best: int) -> np.uint64:
    """Return the cards the seat may follow with."""
    hand = work.hands[seat]
    if led < 0:
        return hand
    following = hand & work.groups[led]
    if following == ZERO:
        if work.must_trump and work.groups[led] != work.trumps:
            must = hand & work.trumps
            if one(best) & work.trumps != ZERO:
                must &= ~under(best)
            if must != ZERO:
                return must
        return hand
    if led_special != ZERO:
        special = 0 if one(work.special_bit[0]) == led_special and work.special_bit[0] >= 0 else 1
        force = work.force[special, 1 - ((seat ^ leader) & 1)]
        if force == FORCED_HIGHEST:
            return one(highest(following))
        if force == FORCED_LOWEST:
            return one(lowest(following))
    return following


@kernel(inline=True)
def list_moves(work: Any, depth: int, seat: int, legal: np.uint64, aggr: np.uint64) -> int:
    """List the highest card of each class of equal cards; returns how many."""
    others = (aggr & ~work.hands[seat]) | work.specials
    n = 0
    while legal != ZERO:
        card = highest(legal)
        same = legal & work.groups[group_of(card)]
        between = others & work.groups[group_of(card)] & under(card)
        if one(card) & work.specials != ZERO:
            same = one(card)
        elif between != ZERO:
            same &= ~under(highest(between) + 1)
        work.moves[depth, n] = card
        work.classes[depth, n] = same
        legal &= ~same
        n += 1
    return n


@kernel(inline=True)
def pick_best(work: Any, depth: int, i: int, n: int) -> int:
    """Move the best of the moves from the i-th on to the i-th place and return its card."""
    if i + 1 < n:
        top = i
        for j in range(i + 1, n):
            if work.merits[depth, j] > work.merits[depth, top]:
                top = j
        if top != i:
            move = work.moves[depth, top]
            work.moves[depth, top] = work.moves[depth, i]
            work.moves[depth, i] = move
            same = work.classes[depth, top]
            work.classes[depth, top] = work.classes[depth, i]
            work.classes[depth, i] = same
            work.merits[depth, top] = work.merits[depth, i]
    return work.moves[depth, i]


@kernel(inline=True)
def led_group(work: Any, led: int, card: int) -> int:
    """Return the group to follow after a card: that of the first card, a joker without a suit not counted (BA-32)."""
    group = group_of(card)
    if led >= 0 or (group == JOKER_GROUP and work.trumps == ZERO):
        return led
    return group


@kernel(inline=True)
def next_flag(work: Any, k: int, flag: int, place: np.uint64, trick: np.uint64, led: int, is_lost: bool) -> int:
    """Return the flag after a card: trumps broken (BA-75), or a run that goes on if the leader wins (BA-79).

    Args:
        work: record of dtype WORK.
        k: cards played to the trick before.
        flag: before the card.
        place: the card.
        trick: the cards played to the trick before.
        led: the group led.
        is_lost: the leader doesn't hold the trick.
    """
    if not work.keeps_flag:
        return flag
    if work.runs:
        if k == 0:
            return 1 if place == work.high_two or (flag != 0 and place & work.trumps != ZERO) else 0
        return 0 if k == N_SEATS - 1 and is_lost else flag
    if k < N_SEATS - 1 or (trick | place) & work.trumps == ZERO:
        return flag
    return flag if work.ruff_only and led >= 0 and work.groups[led] == work.trumps else 1


@kernel(inline=True)
def next_shape(work: Any, shape: np.uint64, seat: int, card: int) -> np.uint64:
    """Return the shape after a seat has played a card."""
    shape -= work.delta[seat, group_of(card)]
    if one(card) & work.specials != ZERO:
        shape += work.special_delta[0 if card == work.special_bit[0] else 1]
    return shape
