"""Card play: leading, following, cards that force, who wins the trick (sections 11 to 14).

Everything works on effective suits (BA-6): `state.trumps` is the suit TRUMP of a deal, `suit_group` the suit a card
counts as. Card numbers rise with strength inside a suit, except for twos that rank high: `rank` and `lift` move those
to the numbers of the jokers, which a pack with high twos does not have. What a play reveals goes into `cannot_hold`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from backalley.envs.back_alley.deal import WORTHLESS_JOKER
from backalley.envs.back_alley.options import BOSTON_TRICKS, OPTIONS
from backalley.envs.back_alley.scoring import score_deal
from backalley.envs.back_alley.state import ALL_TRICKS_BID, BOSTON_BID
from backalley.envs.cards import (
    BIG_JOKER,
    JOKERS,
    LITTLE_JOKER,
    N_RANKS,
    NO_CARD,
    NO_TRUMP,
    SUIT_MASK,
    ZERO,
    below,
    bit,
    has,
    highest,
    lowest,
)
from backalley.envs.kernel import kernel

BROKEN_LEAD, RUN_LEAD, FREE_LEAD = map(OPTIONS["lead_rule"].values.index, ("broken", "high_two_run", "free"))
NO_TRUMP_BROKEN = OPTIONS["no_trump_joker_lead"].values.index("broken")
RUFF_ONLY = OPTIONS["broken_by"].values.index("ruff_only")
TRUMP_LEAD_SIDE = OPTIONS["board_trump_lead"].values.index("side")
TRUMP_LEAD_ANYONE = OPTIONS["board_trump_lead"].values.index("anyone")
TRUMP_LEAD_NOBODY = OPTIONS["board_trump_lead"].values.index("nobody")
MUST_TRUMP = OPTIONS["follow"].values.index("must_trump_over")
BIG_ONLY = OPTIONS["blooper_force"].values.index("big_only")
NO_FORCE = OPTIONS["blooper_force"].values.index("none")
PARTNER_ANY_TRUMP = OPTIONS["bb_partner"].values.index("any_trump")
PARTNER_LOWEST = OPTIONS["bb_partner"].values.index("lowest")

TRUMP_STRENGTH = 64  # above every id of a plain card

# What a lead forces on a seat that holds trumps (section 13).
NOT_FORCED = 0
FORCED_HIGHEST = 1
FORCED_LOWEST = 2


@kernel(inline=True)
def suit_group(trumps: np.uint64, card: int) -> np.uint64:
    """Return all cards that count as the same suit as `card`; none for a joker without a suit."""
    if has(trumps, card):
        return trumps
    return SUIT_MASK[card // N_RANKS] & ~trumps


@kernel(inline=True)
def rank(state: Any, card: int) -> int:
    """Return a number that rises with a card's strength inside its effective suit (BA-3 to BA-5)."""
    if card == state.high_two and card >= 0:
        return BIG_JOKER
    if card == state.second_two and card >= 0:
        return LITTLE_JOKER
    return card


@kernel(inline=True)
def lift(state: Any, cards: np.uint64) -> np.uint64:
    """Return a set with each card at its `rank`, so that the highest bit is the strongest card."""
    if state.high_two >= 0:
        high = bit(state.high_two)
        if cards & high != ZERO:
            cards = (cards & ~high) | bit(BIG_JOKER)
        if state.second_two >= 0:
            second = bit(state.second_two)
            if cards & second != ZERO:
                cards = (cards & ~second) | bit(LITTLE_JOKER)
    return cards


@kernel(inline=True)
def lower(state: Any, ranks: np.uint64) -> np.uint64:
    """Return the cards of a set of ranks: the inverse of `lift`."""
    if state.high_two >= 0:
        if has(ranks, BIG_JOKER):
            ranks = (ranks & ~bit(BIG_JOKER)) | bit(state.high_two)
        if state.second_two >= 0 and has(ranks, LITTLE_JOKER):
            ranks = (ranks & ~bit(LITTLE_JOKER)) | bit(state.second_two)
    return ranks


@kernel(inline=True)
def above(state: Any, cards: np.uint64, card: int) -> np.uint64:
    """Return those of `cards`, all of one suit, that are stronger than `card` of that suit."""
    return lower(state, lift(state, cards) & ~below(rank(state, card) + 1))


@kernel(inline=True)
def strength(state: Any, led_group: np.uint64, card: int) -> int:
    """Return how strong `card` is in a trick with that suit led: the highest wins, -1 cannot win (BA-93)."""
    if has(state.trumps, card):
        return TRUMP_STRENGTH + rank(state, card)
    return rank(state, card) if has(led_group, card) else -1


@kernel(inline=True)
def may_lead_trump(rules: Any, state: Any, seat: int) -> bool:
    """Say whether `broken` lets the seat lead trumps while it has other cards (BA-75, BA-76, BA-68, BAW-8)."""
    if state.broken != 0:
        return True
    if rules.boston_trump_lead and state.bid_kind[seat] == BOSTON_BID:
        return True
    if state.n_boards == 0 or rules.board_trump_lead == TRUMP_LEAD_NOBODY:
        return False
    if rules.board_trump_lead == TRUMP_LEAD_ANYONE or state.bid_kind[seat] == ALL_TRICKS_BID:
        return True
    if rules.board_trump_lead != TRUMP_LEAD_SIDE:
        return False
    for other in range(rules.players):
        if rules.side[other] == rules.side[seat] and state.bid_kind[other] == ALL_TRICKS_BID:
            return True
    return False


@kernel(inline=True)
def _last_to_lead(rules: Any, state: Any) -> np.uint64:
    """Return the cards a leader may always lead when he holds nothing else: trumps, or jokers without a suit."""
    is_worthless = state.trump == NO_TRUMP and rules.no_trump_joker == WORTHLESS_JOKER
    return JOKERS if is_worthless else state.trumps


@kernel(inline=True)
def barred_leads(rules: Any, state: Any, seat: int) -> np.uint64:
    """Return the cards that the seat may not lead while it has others (section 11, BA-32, BAW-9, BAW-11)."""
    if state.trump == NO_TRUMP:
        if rules.no_trump_joker == WORTHLESS_JOKER:
            return JOKERS
        if rules.no_trump_joker_lead != NO_TRUMP_BROKEN or rules.lead_rule != BROKEN_LEAD or state.broken != 0:
            return ZERO
        return state.trumps
    if rules.lead_rule == BROKEN_LEAD:
        return ZERO if may_lead_trump(rules, state, seat) else state.trumps
    if rules.lead_rule == FREE_LEAD:
        return ZERO
    if rules.lead_rule == RUN_LEAD:
        return ZERO if state.run == seat else state.trumps & ~bit(state.high_two)
    return state.trumps


@kernel(inline=True)
def legal_lead(rules: Any, state: Any, seat: int) -> np.uint64:
    """Return the cards the seat may lead (section 11)."""
    hand = state.hands[seat]
    if hand & ~_last_to_lead(rules, state) == ZERO:  # tight: BA-77
        return hand
    return hand & ~barred_leads(rules, state, seat)


@kernel(inline=True)
def force_on(rules: Any, state: Any, seat: int) -> int:
    """Return what the card led asks of a seat that follows (BA-87 to BA-92, BAW-10)."""
    if state.trump == NO_TRUMP:
        return NOT_FORCED
    if state.led < LITTLE_JOKER:
        if rules.lead_rule == RUN_LEAD and state.led == state.high_two:
            return FORCED_HIGHEST
        return NOT_FORCED
    if rules.blooper_force == NO_FORCE:
        return NOT_FORCED
    if state.led == LITTLE_JOKER:
        return NOT_FORCED if rules.blooper_force == BIG_ONLY else FORCED_LOWEST
    if rules.side[seat] == rules.side[state.leader]:
        if rules.bb_partner == PARTNER_ANY_TRUMP:
            return NOT_FORCED
        if rules.bb_partner == PARTNER_LOWEST:
            return FORCED_LOWEST
    return FORCED_HIGHEST


@kernel(inline=True)
def _must_trump(rules: Any, state: Any, led_group: np.uint64) -> np.uint64:
    """Return the trumps of which a seat void in the suit led must play one if it has one (BA-84)."""
    if rules.follow != MUST_TRUMP or led_group == state.trumps:
        return ZERO
    holder = np.int64(state.trick_card)
    return above(state, state.trumps, holder) if has(state.trumps, holder) else state.trumps


@kernel(inline=True)
def legal_follow(rules: Any, state: Any, seat: int) -> np.uint64:
    """Return the cards the seat may follow with (sections 12 and 13)."""
    hand = state.hands[seat]
    if state.led < 0:  # only jokers without a suit so far
        return hand
    led_group = suit_group(state.trumps, np.int64(state.led))
    following = hand & led_group
    if following == ZERO:
        must = hand & _must_trump(rules, state, led_group)
        return must if must != ZERO else hand
    force = force_on(rules, state, seat)
    if force == FORCED_HIGHEST:
        return lower(state, bit(highest(lift(state, following))))
    if force == FORCED_LOWEST:
        return lower(state, bit(lowest(lift(state, following))))
    return following


@kernel(inline=True)
def legal_plays(rules: Any, state: Any) -> np.uint64:
    """Return the cards the seat to act may play."""
    if state.n_in_trick == 0:
        return legal_lead(rules, state, state.turn)
    return legal_follow(rules, state, state.turn)


@kernel(inline=True)
def play_card(rules: Any, state: Any, card: int) -> None:
    """Play a legal card of the seat to act; the last card of a trick settles it, the last trick the deal."""
    seat = np.int64(state.turn)
    _infer(rules, state, seat, card)
    state.hands[seat] &= ~bit(card)
    state.played[seat] |= bit(card)
    state.trick[seat] = card
    state.plays[np.int64(rules.players) * state.n_tricks + state.n_in_trick] = card
    if state.led < 0 and suit_group(state.trumps, card) != ZERO:
        state.led = card
    if state.n_in_trick == 0:
        state.trick_card = card
        state.trick_holder = seat
        if rules.lead_rule == RUN_LEAD:
            _start_or_end_run(state, seat, card)
    else:
        led_group = suit_group(state.trumps, np.int64(state.led)) if state.led >= 0 else ZERO
        if strength(state, led_group, card) > strength(state, led_group, np.int64(state.trick_card)):
            state.trick_card = card
            state.trick_holder = seat
    state.n_in_trick += 1
    if state.n_in_trick < rules.players:
        state.turn = seat + 1 if seat + 1 < rules.players else 0
    else:
        _finish_trick(rules, state)


@kernel
def _start_or_end_run(state: Any, seat: int, card: int) -> None:
    """Note what a lead does to the run (BA-79, BA-81)."""
    if state.trump == NO_TRUMP:
        return
    if card == state.high_two:
        state.run = seat
    elif not has(state.trumps, card) and state.run == seat:
        state.run = -1


@kernel(inline=True)
def _infer(rules: Any, state: Any, seat: int, card: int) -> None:
    """Exclude the cards that this play shows the seat not to hold any more."""
    if state.n_in_trick == 0:
        if has(barred_leads(rules, state, seat), card):
            state.cannot_hold[seat] |= rules.pack & ~_last_to_lead(rules, state)  # tight, BA-77
        return
    if state.led < 0:
        return
    led_group = suit_group(state.trumps, np.int64(state.led))
    if not has(led_group, card):
        state.cannot_hold[seat] |= led_group
        must = _must_trump(rules, state, led_group)
        if not has(must, card):
            state.cannot_hold[seat] |= must
        return
    force = force_on(rules, state, seat)
    if force == FORCED_HIGHEST:
        state.cannot_hold[seat] |= above(state, state.trumps, card)
    elif force == FORCED_LOWEST:
        state.cannot_hold[seat] |= state.trumps & ~above(state, state.trumps, card) & ~bit(card)


@kernel
def _finish_trick(rules: Any, state: Any) -> None:
    """Give the trick to its holder, who leads next (BA-73, BA-75, BA-79, BA-93, BA-94)."""
    led_trump = state.led >= 0 and has(state.trumps, np.int64(state.led))
    for seat in range(rules.players):
        if has(state.trumps, state.trick[seat]) and not (led_trump and rules.broken_by == RUFF_ONLY):
            state.broken = 1
        state.trick[seat] = NO_CARD
    winner = state.trick_holder
    state.tricks_won[winner] += 1
    if state.n_tricks < BOSTON_TRICKS:
        state.first_six[winner] += 1
    if state.run != winner:
        state.run = -1
    state.n_tricks += 1
    state.n_in_trick = 0
    state.led = NO_CARD
    state.trick_card = NO_CARD
    state.trick_holder = -1
    state.leader = winner
    state.turn = winner
    if state.n_tricks == state.hand_size:
        score_deal(rules, state)
