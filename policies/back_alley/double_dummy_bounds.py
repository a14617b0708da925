"""Tricks that a side can't lose, counted without search at the start of a trick.

Every bound here is a strategy that works whatever the opponents do under every rule of the play:

- The highest trumps in play win whenever they are played, so a hand that holds n of them wins n tricks for its side.
- The leader may always lead plain suits. A card that no card of its suit beats wins the trick as long as no opponent
  ruffs, and a hand that has to follow can't ruff. His partner needs plain cards to play to these tricks: with nothing
  but trumps he would have to take the lead.
- The leader may cross to a card of his partner's that is the highest of its suit, and the partner goes on.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from backalley.envs.cards import ZERO, highest, n_bits
from backalley.envs.kernel import kernel
from backalley.policies.back_alley.double_dummy_position import JOKER_GROUP, N_LANES, one, under
from backalley.policies.back_alley.double_dummy_table import KNOWN, NOTHING_KNOWN, WON


class Hands(NamedTuple):
    """The hands at the start of a trick, as bits in lanes: the leader's, and the others' as he sees them."""

    me: np.uint64
    partner: np.uint64
    left: np.uint64
    right: np.uint64


@kernel(inline=True)
def nth_highest(cards: np.uint64, n: int) -> np.uint64:
    """Return the n-th highest card, n from 1, as a set; nothing for n = 0."""
    if n == 0:
        return ZERO
    for _ in range(n - 1):
        cards &= ~one(highest(cards))
    return one(highest(cards))


@kernel(inline=True)
def above_all(cards: np.uint64, others: np.uint64) -> np.uint64:
    """Return those of the cards that are above all others of their group."""
    return cards & ~under(highest(others) + 1)


@kernel(inline=True)
def cashes(group: np.uint64, hands: Hands, p_ruffs: bool, l_ruffs: bool, r_ruffs: bool) -> tuple[int, int]:
    """Return how many tricks the leader can cash in a plain suit from the top, and how many high cards that takes.

    Args:
        group: the suit.
        hands: whole hands; the first one leads.
        p_ruffs: whether the partner has to ruff when void.
        l_ruffs, r_ruffs: whether the opponents can.
    """
    own = hands.me & group
    partner = n_bits(hands.partner & group)
    left = n_bits(hands.left & group)
    right = n_bits(hands.right & group)
    n_high = n_bits(above_all(own, (hands.partner | hands.left | hands.right) & group))
    longest = max(partner, left, right)
    count = n_high
    if n_high > 0 and n_high >= longest:
        count = n_bits(own)
        n_high = longest
    if p_ruffs:
        count = min(count, partner)
    if l_ruffs:
        count = min(count, left)
    if r_ruffs:
        count = min(count, right)
    return count, min(n_high, count)


@kernel(inline=True)
def top_trumps(trumps: np.uint64, hands: Hands) -> tuple[int, int]:
    """Return how many of the highest trumps in play the leader holds, and how many his partner."""
    tops = above_all((hands.me | hands.partner) & trumps, (hands.left | hands.right) & trumps)
    return n_bits(tops & hands.me), n_bits(tops & hands.partner)


@kernel
def count_trumps(trumps: np.uint64, hands: Hands, wanted: int, theirs: int) -> tuple[int, np.uint64]:
    """Return who has enough of the highest trumps, and the lowest trump of those.

    Args:
        trumps: the suit.
        hands: whole hands.
        wanted: tricks that the leader's side needs.
        theirs: tricks that the opponents need.

    Returns:
        1 the leader's side, -1 the opponents, 0 nobody; and the card.
    """
    n_me, n_partner = top_trumps(trumps, hands)
    if n_me >= wanted:
        return 1, nth_highest(hands.me & trumps, wanted)
    if n_partner >= wanted:
        return 1, nth_highest(hands.partner & trumps, wanted)
    tops = above_all((hands.left | hands.right) & trumps, (hands.me | hands.partner) & trumps)
    if n_bits(tops & hands.left) >= theirs:
        return -1, nth_highest(hands.left & trumps, theirs)
    if n_bits(tops & hands.right) >= theirs:
        return -1, nth_highest(hands.right & trumps, theirs)
    return 0, ZERO


@kernel
def one_for_them(work: Any, hands: Hands, left: int) -> np.uint64:
    """Return the cards that give the opponents a trick without trumps, nothing if they may get none.

    The leader's side can only lead suits in which it has the highest card, or run into an opponent's highest card; an
    opponent keeps all of those if he has enough other cards to play until then.
    """
    ours = 0
    n_left = 0
    n_right = 0
    matters = ZERO
    for lane in range(N_LANES):
        group = work.groups[lane]
        own = (hands.me | hands.partner) & group
        if own == ZERO:
            continue
        others = (hands.left | hands.right) & group
        if others > own:
            matters |= one(highest(others))
            if hands.left & group > hands.right & group:
                n_left += 1
            else:
                n_right += 1
        else:
            ours += max(n_bits(hands.me & group), n_bits(hands.partner & group))
    return matters if ours < left and ours + max(n_left, n_right) <= left else ZERO


@kernel
def enough_cashes(work: Any, hands: Hands, may_draw: bool, wanted: int) -> tuple[bool, np.uint64]:
    """Say whether the leader alone wins enough: high trumps, and plain suits from the top; and the cards that matter.

    Args:
        work: record of dtype WORK.
        hands: whole hands.
        may_draw: whether he may lead trumps, and so draw those of the opponents first.
        wanted: tricks.
    """
    trumps = work.trumps
    own = hands.me & trumps
    n_left = n_bits(hands.left & trumps)
    n_right = n_bits(hands.right & trumps)
    total, _ = top_trumps(trumps, hands)
    matters = nth_highest(own, total)
    room = n_bits(hands.partner & ~trumps)  # plain cards of the partner
    rounds = max(n_left, n_right)
    can_ruff = rounds > 0
    others = (hands.partner | hands.left | hands.right) & trumps
    if may_draw and rounds > 0 and total >= rounds and n_bits(above_all(own, others)) >= rounds:
        can_ruff = False
        total = n_bits(own)
        matters = nth_highest(own, rounds)
        room -= max(0, rounds - n_bits(hands.partner & trumps))
    p_ruffs = work.must_trump != 0 and hands.partner & trumps != ZERO
    mine = 0
    for lane in range(N_LANES):
        group = work.groups[lane]
        if hands.me & group & ~trumps != ZERO:
            count, used = cashes(group, hands, p_ruffs, can_ruff and n_left > 0, can_ruff and n_right > 0)
            if count > 0:
                mine += count
                matters |= nth_highest(hands.me & group, used)
                if total + min(mine, room) >= wanted:
                    return True, matters
    return total >= wanted, matters


@kernel
def enough_together(work: Any, hands: Hands, wanted: int) -> tuple[bool, np.uint64]:
    """Say whether the leader's plain winners, then his partner's, and high trumps are enough; and what matters."""
    trumps = work.trumps
    n_plain = n_bits(hands.me & ~trumps)
    n_plain_partner = n_bits(hands.partner & ~trumps)
    if work.must_trump or n_plain_partner == 0:
        return False, ZERO
    n_me, n_partner = top_trumps(trumps, hands)
    total = max(n_me, n_partner)
    matters = nth_highest((hands.partner if n_partner > n_me else hands.me) & trumps, total)
    l_ruffs = hands.left & trumps != ZERO
    r_ruffs = hands.right & trumps != ZERO
    across = Hands(hands.partner, hands.me, hands.right, hands.left)
    mine = 0
    his = 0
    has_entry = False
    for lane in range(N_LANES):
        group = work.groups[lane] & ~trumps
        count, used = cashes(group, hands, False, l_ruffs, r_ruffs)
        count_his, used_his = cashes(group, across, False, r_ruffs, l_ruffs)
        if count_his > count:
            his += count_his
            matters |= nth_highest(hands.partner & group, used_his)
            has_entry |= hands.me & group != ZERO
        elif count > 0:
            mine += count
            matters |= nth_highest(hands.me & group, used)
    his = min(his, n_plain_partner - mine, n_plain - mine)
    return has_entry and mine < n_plain_partner and total + mine + his >= wanted, matters


@kernel
def bounds(work: Any, seat: int, left: int, aggr: np.uint64, flag: int, need: int) -> np.uint64:
    """Return the result at the start of a trick if sure tricks decide it, else `NOTHING_KNOWN`.

    Args:
        work: record of dtype WORK.
        seat: on lead.
        left: tricks left.
        aggr: the cards in play.
        flag: see WORK.
        need: the tricks that side 0 is asked for.
    """
    hands = Hands(work.hands[seat], work.hands[seat ^ 2], work.hands[(seat + 1) & 3], work.hands[(seat + 3) & 3])
    we_win = KNOWN if seat & 1 else KNOWN | WON
    they_win = KNOWN | WON if seat & 1 else KNOWN
    wanted = left - need + 1 if seat & 1 else need
    trumps = work.trumps
    if aggr & trumps != ZERO:
        who, card = count_trumps(trumps, hands, wanted, left - wanted + 1)
        if who != 0:
            return (we_win if who > 0 else they_win) | card
    elif wanted == left and aggr & work.groups[JOKER_GROUP] == ZERO:
        matters = one_for_them(work, hands, left)
        if matters != ZERO:
            return they_win | matters
    is_enough, matters = enough_cashes(work, hands, work.barred[flag, seat] & trumps == ZERO, wanted)
    if is_enough:
        return we_win | matters
    is_enough, matters = enough_together(work, hands, wanted)
    return we_win | matters if is_enough else NOTHING_KNOWN
