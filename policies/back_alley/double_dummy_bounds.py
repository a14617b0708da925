"""Tricks that a side can't lose, counted without search at the start of a trick.

Every bound here is a strategy that works whatever the opponents do under every rule of the play:

- The highest trumps in play win whenever they are played, so a hand that holds n of them wins n tricks for its side.
- Where no card in play forces others and nobody has to overtrump, a side that holds the n highest trumps between its
  two hands wins n tricks, or as many as the longer of both has trumps if that is fewer. In each round of trumps one
  hand plays a low one, if it has one, to the other's high one. A hand left with trumps alone, that has to play one to a
  plain suit, plays high unless its partner wins the trick. So each trick that costs one of the highest is won, and two
  of them fall together only where both hands have nothing else, which takes no more than one from either length.
- Under the same conditions a hand that has the second highest trump guarded and plays behind the holder of the highest
  wins a trick: whenever it has to play a trump, that hand has played before it. Only if it had to lead from its trumps
  it might win none, and a side that needs one trick leads again only when it has won it.
- The leader may always lead plain suits. A card that no card of its suit beats wins the trick as long as no opponent
  ruffs, and a hand that has to follow can't ruff. His partner needs plain cards to play to these tricks: with nothing
  but trumps he would have to take the lead.
- The leader may cross to a card of his partner's that is the highest of its suit, and the partner goes on.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from backalley.envs.cards import ONE, ZERO, highest, n_bits
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
    if others == ZERO:
        return cards
    top = highest(others)
    return cards & ~(under(top) | one(top))


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
def sure_trumps(trumps: np.uint64, a: np.uint64, b: np.uint64, others: np.uint64, may_share: bool) -> np.uint64:
    """Return the highest trumps that win so many tricks for a side as they are, whatever happens.

    Args:
        trumps: the suit.
        a, b: hands of the side.
        others: cards of the other side.
        may_share: whether tricks of both hands add up, see `bounds`; else those of the better hand count.
    """
    both = (a | b) & trumps
    tops = above_all(both, others & trumps)
    if may_share:
        longer = max(n_bits(a & trumps), n_bits(b & trumps))
        return tops if n_bits(tops) <= longer else keep_highest(tops, longer)
    return tops & a if n_bits(tops & a) >= n_bits(tops & b) else tops & b


@kernel(inline=True)
def keep_highest(cards: np.uint64, n: int) -> np.uint64:
    """Return the n highest cards."""
    for _ in range(n_bits(cards) - n):
        cards &= cards - ONE
    return cards


@kernel(inline=True)
def guards_second(trumps: np.uint64, before: np.uint64, hand: np.uint64, aggr: np.uint64) -> np.uint64:
    """Return the second highest trump if a hand has it guarded and plays behind the highest, else nothing."""
    in_play = aggr & trumps
    top = one(highest(in_play))
    if before & top == ZERO:
        return ZERO
    second = one(highest(in_play & ~top)) & hand
    return second if second != ZERO and n_bits(hand & trumps) > 1 else ZERO


@kernel
def count_trumps(
    trumps: np.uint64, hands: Hands, aggr: np.uint64, wanted: int, theirs: int, may_share: bool
) -> tuple[int, np.uint64]:
    """Return who wins enough tricks with high trumps, and the lowest trump that matters for that.

    Args:
        trumps: the suit.
        hands: whole hands.
        aggr: the cards in play.
        wanted: tricks that the leader's side needs.
        theirs: tricks that the opponents need.
        may_share: see `bounds`.

    Returns:
        1 the leader's side, -1 the opponents, 0 nobody; and the card.
    """
    ours = sure_trumps(trumps, hands.me, hands.partner, hands.left | hands.right, may_share)
    if n_bits(ours) >= wanted:
        return 1, nth_highest(ours, wanted)
    others = sure_trumps(trumps, hands.left, hands.right, hands.me | hands.partner, may_share)
    if n_bits(others) >= theirs:
        return -1, nth_highest(others, theirs)
    if may_share and theirs == 1:
        second = guards_second(trumps, hands.me, hands.left, aggr) | guards_second(
            trumps, hands.partner, hands.right, aggr
        )
        if second != ZERO:
            return -1, second
    if may_share and wanted == 1:
        second = guards_second(trumps, hands.left, hands.partner, aggr)
        if hands.me & ~trumps != ZERO:
            second |= guards_second(trumps, hands.right, hands.me, aggr)
        if second != ZERO:
            return 1, second
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
def enough_cashes(work: Any, hands: Hands, sure: np.uint64, may_draw: bool, wanted: int) -> tuple[bool, np.uint64]:
    """Say whether the leader alone wins enough: high trumps, and plain suits from the top; and the cards that matter.

    Args:
        work: record of dtype WORK.
        hands: whole hands.
        sure: `sure_trumps` of the leader's side.
        may_draw: whether he may lead trumps, and so draw those of the opponents first.
        wanted: tricks.
    """
    trumps = work.trumps
    own = hands.me & trumps
    n_left = n_bits(hands.left & trumps)
    n_right = n_bits(hands.right & trumps)
    total = n_bits(sure)
    matters = sure
    room = n_bits(hands.partner & ~trumps)  # plain cards of the partner
    rounds = max(n_left, n_right)
    can_ruff = rounds > 0
    others = (hands.partner | hands.left | hands.right) & trumps
    if may_draw and rounds > 0 and n_bits(above_all(own, others)) >= rounds:
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
def enough_together(work: Any, hands: Hands, sure: np.uint64, wanted: int) -> tuple[bool, np.uint64]:
    """Say whether the leader's plain winners, then his partner's, and high trumps are enough; and what matters."""
    trumps = work.trumps
    n_plain = n_bits(hands.me & ~trumps)
    n_plain_partner = n_bits(hands.partner & ~trumps)
    if work.must_trump or n_plain_partner == 0:
        return False, ZERO
    total = n_bits(sure)
    matters = sure
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

    Trumps of both hands of a side may be counted together if nothing can force them to fall on each other: no card that
    forces others is in play, and no hand has to overtrump its partner.

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
    may_share = aggr & work.specials == ZERO and work.must_trump == 0
    if aggr & trumps != ZERO:
        who, card = count_trumps(trumps, hands, aggr, wanted, left - wanted + 1, may_share)
        if who != 0:
            return (we_win if who > 0 else they_win) | card
    elif wanted == left and aggr & work.groups[JOKER_GROUP] == ZERO:
        matters = one_for_them(work, hands, left)
        if matters != ZERO:
            return they_win | matters
    sure = sure_trumps(trumps, hands.me, hands.partner, hands.left | hands.right, may_share)
    is_enough, matters = enough_cashes(work, hands, sure, work.barred[flag, seat] & trumps == ZERO, wanted)
    if is_enough:
        return we_win | matters
    is_enough, matters = enough_together(work, hands, sure, wanted)
    return we_win | matters if is_enough else NOTHING_KNOWN
