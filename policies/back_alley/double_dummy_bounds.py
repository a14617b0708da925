"""Tricks that a side can't lose, counted without search at the start of a trick.

Every bound here is a strategy that works whatever the opponents do under every rule of the play:

- Every card is played some time, and a trump loses only to a higher trump of the opponents in the same trick, which
  beats no other trump of this hand. So a hand wins at least as many tricks for its side as it has trumps left when each
  trump of the opponents has been set against a lower one of the hand, as far as that goes. The ranks below the last
  trump counted don't change that, and a hand with n more trumps than both opponents wins n tricks whatever the ranks.
  For the leader, who may lead trumps, those of the opponents that must fall under his highest first don't count: what
  they keep is at best their highest.
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
- The leader who holds the highest trumps may draw those of the opponents first; then nobody ruffs, and each of his
  trumps wins a trick.
- The leader may cross to a card of his partner's that is the highest of its suit, or, when the opponents have no
  trumps, to one of his partner's trumps that is not counted yet by leading a suit in which the partner is void; and the
  partner goes on.
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
def winners(own: np.uint64, others: np.uint64) -> np.uint64:
    """Return the trumps of a hand that win a trick each, if every trump of the opponents beats one of the others.

    The rest of the hand's trumps have an opponent's higher trump each, as many as possible; from the top it doesn't
    matter which.
    """
    if others == ZERO:
        return own
    used = 0
    found = ZERO
    while own != ZERO:
        card = highest(own)
        own ^= one(card)
        if n_bits(others & ~under(card)) > used:
            used += 1
        else:
            found |= one(card)
    return found


@kernel(inline=True)
def sure_trumps(trumps: np.uint64, a: np.uint64, b: np.uint64, others: np.uint64, may_share: bool) -> np.uint64:
    """Return trumps that win so many tricks for a side as they are, whatever happens.

    Args:
        trumps: the suit.
        a, b: hands of the side.
        others: cards of the other side.
        may_share: whether tricks of both hands add up, see `bounds`; else those of the better hand count.
    """
    a &= trumps
    b &= trumps
    others &= trumps
    best = winners(a, others)
    of_b = winners(b, others)
    if n_bits(of_b) > n_bits(best):
        best = of_b
    if may_share:
        tops = above_all(a | b, others)
        longer = max(n_bits(a), n_bits(b))
        if min(n_bits(tops), longer) >= n_bits(best):
            best = keep_highest(tops, longer)
    return best


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


@kernel(inline=True)
def needed(sure: np.uint64, wanted: int, n_own: int, n_others: int) -> np.uint64:
    """Return the lowest trump that matters for so many tricks, nothing if a hand's length alone is enough."""
    return ZERO if n_own - n_others >= wanted else nth_highest(sure, wanted)


@kernel(inline=True)
def after_rounds(trumps: np.uint64, n: int) -> np.uint64:
    """Return what is left of an opponent's trumps after n rounds, his highest."""
    return keep_highest(trumps, max(0, n_bits(trumps) - n))


@kernel
def count_trumps(
    trumps: np.uint64,
    hands: Hands,
    aggr: np.uint64,
    wanted: int,
    theirs: int,
    sure: np.uint64,
    may_share: bool,
    may_draw: bool,
) -> tuple[int, np.uint64]:
    """Return who wins enough tricks with trumps, and the lowest trump that matters for that.

    Args:
        trumps: the suit.
        hands: whole hands.
        aggr: the cards in play.
        wanted: tricks that the leader's side needs.
        theirs: tricks that the opponents need.
        sure: `sure_trumps` of the leader's side.
        may_share: see `bounds`.
        may_draw: whether the leader may lead trumps.

    Returns:
        1 the leader's side, -1 the opponents, 0 nobody; and the card.
    """
    me, partner = hands.me & trumps, hands.partner & trumps
    left, right = hands.left & trumps, hands.right & trumps
    longer, their_longer = max(n_bits(me), n_bits(partner)), max(n_bits(left), n_bits(right))
    n_ours, n_theirs = n_bits(me | partner), n_bits(left | right)
    if n_bits(sure) >= wanted:
        return 1, needed(sure, wanted, longer, n_theirs)
    others = sure_trumps(trumps, left, right, me | partner, may_share)
    if n_bits(others) >= theirs:
        return -1, needed(others, theirs, their_longer, n_ours)
    if may_draw and n_bits(me) >= wanted:
        rounds = n_bits(above_all(me, partner | left | right))
        if rounds > 0:
            drawn = winners(me, after_rounds(left, rounds) | after_rounds(right, rounds))
            if n_bits(drawn) >= wanted:
                return 1, nth_highest(drawn, wanted)
    if may_share and theirs == 1:
        second = guards_second(trumps, me, hands.left, aggr) | guards_second(trumps, partner, hands.right, aggr)
        if second != ZERO:
            return -1, second
    if may_share and wanted == 1:
        second = guards_second(trumps, left, hands.partner, aggr)
        if hands.me & ~trumps != ZERO:
            second |= guards_second(trumps, right, hands.me, aggr)
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


class Trumps(NamedTuple):
    """What a side's trumps are worth to the leader, who draws those of the opponents first if he can.

    Attributes:
        total: tricks that they win.
        matters: the cards that matter for that.
        room: plain cards that the partner has left then.
        n_ruffs: trumps that he has left, if the opponents have none and `total` doesn't count them; else 0.
        l_ruffs, r_ruffs: whether the opponents have trumps left.
    """

    total: int
    matters: np.uint64
    room: int
    n_ruffs: int
    l_ruffs: bool
    r_ruffs: bool


@kernel(inline=True)
def play_trumps(trumps: np.uint64, hands: Hands, sure: np.uint64, may_draw: bool) -> Trumps:
    """Return what the trumps are worth.

    Args:
        trumps: the suit.
        hands: whole hands.
        sure: `sure_trumps` of the leader's side.
        may_draw: whether the leader may lead trumps.
    """
    own = hands.me & trumps
    n_own = n_bits(own)
    n_partner = n_bits(hands.partner & trumps)
    n_left = n_bits(hands.left & trumps)
    n_right = n_bits(hands.right & trumps)
    room = n_bits(hands.partner & ~trumps)
    rounds = max(n_left, n_right)
    if rounds == 0:
        return Trumps(max(n_own, n_partner), ZERO, room, n_partner if n_own >= n_partner else 0, False, False)
    others = (hands.partner | hands.left | hands.right) & trumps
    if may_draw and n_own >= rounds and n_bits(above_all(own, others)) >= rounds:
        room -= max(0, rounds - n_partner)
        return Trumps(n_own, nth_highest(own, rounds), room, max(0, n_partner - rounds), False, False)
    total = n_bits(sure)
    by_length = total <= max(n_own, n_partner) - n_left - n_right
    return Trumps(total, ZERO if by_length else sure, room, 0, n_left > 0, n_right > 0)


@kernel
def enough_cashes(work: Any, hands: Hands, worth: Trumps, wanted: int) -> tuple[bool, np.uint64]:
    """Say whether the leader alone wins enough: high trumps, and plain suits from the top; and the cards that matter.

    Args:
        work: record of dtype WORK.
        hands: whole hands.
        worth: `play_trumps`.
        wanted: tricks.
    """
    trumps = work.trumps
    matters = worth.matters
    p_ruffs = work.must_trump != 0 and hands.partner & trumps != ZERO
    mine = 0
    for lane in range(N_LANES):
        group = work.groups[lane]
        if hands.me & group & ~trumps != ZERO:
            count, used = cashes(group, hands, p_ruffs, worth.l_ruffs, worth.r_ruffs)
            if count > 0:
                mine += count
                matters |= nth_highest(hands.me & group, used)
                if worth.total + min(mine, worth.room) >= wanted:
                    return True, matters
    return worth.total >= wanted, matters


@kernel
def enough_together(work: Any, hands: Hands, worth: Trumps, wanted: int) -> tuple[bool, np.uint64]:
    """Say whether the leader's plain winners, then his partner's, and high trumps are enough; and what matters."""
    trumps = work.trumps
    if work.must_trump:
        return False, ZERO
    n_plain = n_bits(hands.me & ~trumps)
    matters = worth.matters
    across = Hands(hands.partner, hands.me, hands.right, hands.left)
    mine = 0
    his = 0
    has_entry = False
    has_ruff = False
    for lane in range(N_LANES):
        group = work.groups[lane] & ~trumps  # nothing in the lane of the trumps
        count, used = cashes(group, hands, False, worth.l_ruffs, worth.r_ruffs)
        count_his, used_his = cashes(group, across, False, worth.r_ruffs, worth.l_ruffs)
        if count_his > count:
            his += count_his
            matters |= nth_highest(hands.partner & group, used_his)
            has_entry |= hands.me & group != ZERO
        elif count > 0:
            mine += count
            matters |= nth_highest(hands.me & group, used)
        has_ruff |= hands.partner & group == ZERO and n_bits(hands.me & group) > count
    mine = min(mine, worth.room)
    his = min(his, worth.room - mine)
    more = min(his, n_plain - mine) if has_entry and mine < worth.room else 0
    if has_ruff and worth.n_ruffs > 0:
        more = max(more, 1 + min(his, n_plain - mine - 1))
    return worth.total + mine + more >= wanted, matters


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
    may_draw = work.barred[flag, seat] & trumps == ZERO
    sure = ZERO
    if aggr & trumps != ZERO:
        sure = sure_trumps(trumps, hands.me, hands.partner, hands.left | hands.right, may_share)
        who, card = count_trumps(trumps, hands, aggr, wanted, left - wanted + 1, sure, may_share, may_draw)
        if who != 0:
            return (we_win if who > 0 else they_win) | card
    elif wanted == left and aggr & work.groups[JOKER_GROUP] == ZERO:
        matters = one_for_them(work, hands, left)
        if matters != ZERO:
            return they_win | matters
    worth = play_trumps(trumps, hands, sure, may_draw)
    is_enough, matters = enough_cashes(work, hands, worth, wanted)
    if is_enough:
        return we_win | matters
    is_enough, matters = enough_together(work, hands, worth, wanted)
    return we_win | matters if is_enough else NOTHING_KNOWN
