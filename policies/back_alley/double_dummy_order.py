"""Which card the double-dummy search tries first: the one that looks best to a player who sees all hands.

The order changes only how fast the search is. The weights were found by measuring nodes on random deals.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from backalley.envs.cards import ZERO, highest, n_bits
from backalley.envs.kernel import kernel
from backalley.policies.back_alley.double_dummy_position import group_of, one, under

RUFF = 64
"""Added to the strength of a trump on a plain suit."""


@kernel(inline=True)
def best_answer(work: Any, seat: int, group: np.uint64) -> int:
    """Return the strength of the strongest card a seat may put on a lead of the group, -1 for one that can't win."""
    hand = work.hands[seat]
    if hand & group != ZERO:
        return highest(hand & group)
    if hand & work.trumps != ZERO:
        return RUFF + highest(hand & work.trumps)
    return -1


@kernel(inline=True)
def _merit_of_winner(w: Any, card: int, rank: int, ours: int, theirs: int, is_trump: bool) -> int:
    """Return the merit of a lead that wins the trick for the leader's side."""
    merit = w[0] if is_trump else 0
    if card <= theirs:
        merit += w[5] - w[21] * rank
        return merit + w[6] if ours >= RUFF else merit
    return merit + (w[1] + w[2] * rank if card > ours else w[3] - w[4] * rank)


@kernel(inline=True)
def _merit_of_loser(w: Any, rank: int, ours: int, left: int, right: int, is_trump: bool) -> int:
    """Return the merit of a lead that the opponents win."""
    merit = w[7] * rank
    if left >= RUFF or right >= RUFF:
        merit += w[9]
    elif left > right:
        merit += w[10]
    if right < ours < left:
        merit += w[11]
    if left < ours < right:
        merit += w[12]
    return merit + w[13] if is_trump else merit


@kernel(inline=True)
def _bonus(group: np.uint64, card: int, remembered: int, same_card: int, same_suit: int) -> int:
    """Return what a lead gains when it, or its suit, did best elsewhere."""
    if card == remembered:
        return same_card
    return same_suit if remembered >= 0 and one(remembered) & group != ZERO else 0


@kernel
def rate_leads(work: Any, depth: int, n: int, seat: int, aggr: np.uint64, hint: int) -> None:
    """Write the merit of each lead listed at `depth`; `hint` did best in a like position, -1 none."""
    w = work.weights
    me = work.hands[seat]
    partner = work.hands[seat ^ 2]
    for i in range(n):
        card = work.moves[depth, i]
        group = work.groups[group_of(card)]
        is_trump = group == work.trumps
        left = best_answer(work, (seat + 1) & 3, group)
        right = best_answer(work, (seat + 3) & 3, group)
        ours = best_answer(work, seat ^ 2, group)
        theirs = max(left, right)
        rank = n_bits(aggr & group & under(card))
        merit = w[8] * n_bits(me & group) + w[18] * n_bits(partner & group) + w[19] * n_bits(aggr & group)
        if max(card, ours) > theirs:
            merit += _merit_of_winner(w, card, rank, ours, theirs, is_trump)
        else:
            merit += _merit_of_loser(w, rank, ours, left, right, is_trump)
        merit += _bonus(group, card, hint, w[14], w[15])
        merit += _bonus(group, card, work.killers[depth], w[17], w[20])
        work.merits[depth, i] = merit + (work.history[seat, card] * w[16] >> 8)


@kernel(inline=True)
def _outlook(work: Any, k: int, seat: int, group: np.uint64, best: int, best_seat: int) -> tuple[int, int, int]:
    """Return the strength of the card that holds the trick, and the best of our and of their side without our card."""
    now = best
    if one(best) & work.trumps != ZERO and group != work.trumps:
        now += RUFF
    is_ours = (best_seat ^ seat) & 1 == 0
    ours = now if is_ours else -1
    theirs = -1 if is_ours else now
    if k < 3:
        theirs = max(theirs, best_answer(work, (seat + 1) & 3, group))
    if k == 1:
        ours = max(ours, best_answer(work, seat ^ 2, group))
    return now, ours, theirs


@kernel(inline=True)
def _merit_of_result(w: Any, base: int, strength: int, rank: int, now: int, ours: int, theirs: int) -> int:
    """Return the merit of a card by who will win the trick."""
    if ours > theirs:
        return w[base + 2] - w[base + 5] * rank if strength > theirs else w[base + 1] - w[base + 4] * rank
    if strength > theirs:
        return w[base] - w[base + 3] * rank
    return (w[base + 7] if strength > now else 0) - w[base + 6] * rank


@kernel
def rate_follows(
    work: Any, depth: int, n: int, k: int, seat: int, aggr: np.uint64, led: int, best: int, best_seat: int
) -> None:
    """Write the merit of each card listed at `depth` with which a seat follows as the k-th after the leader."""
    w = work.weights
    base = 8 + 16 * k
    group = work.groups[led] if led >= 0 else ZERO
    now, ours, theirs = _outlook(work, k, seat, group, best, best_seat)
    me = work.hands[seat]
    for i in range(n):
        card = work.moves[depth, i]
        own = work.groups[group_of(card)]
        rank = n_bits(aggr & own & under(card))
        merit = 0
        strength = card
        if own == work.trumps and own != group:
            strength = RUFF + card
            merit = w[base + 8]
        elif own != group:  # a discard
            strength = -1
            merit = w[base + 9] + w[base + 10] * n_bits(me & own) + w[base + 13] * n_bits(aggr & own & ~me)
            if aggr & own & ~under(card) == one(card):
                merit += w[base + 11]
        merit += _merit_of_result(w, base, strength, rank, now, ours, theirs)
        if card == work.killers[depth]:
            merit += w[base + 12]
        work.merits[depth, i] = merit + (work.history[seat, card] * w[base + 14] >> 8)


WEIGHTS = np.array(
    [
        *(-10, 70, -2, 64, -5, 133, 4, 4, 3, -110, 4, 21),  # leads
        *(5, -36, 216, -2, 0, 37, 4, 5, -1, 4, 0, 0),
        *(238, 195, 109, 14, 26, 12, 8, 102, 3, 0, 6, -54, 2, -1, -1, 0),  # second seat
        *(252, 223, 252, 12, 6, 11, 15, 39, -10, -13, 15, -9, 19, 2, 1, 0),  # third seat
        *(118, 92, 118, 7, 12, 8, 9, 0, -10, -9, 6, -21, 2, 1, 1, 0),  # fourth seat
    ],
    dtype=np.int64,
)
"""By the numbers in `rate_leads`, then in `rate_follows`."""
