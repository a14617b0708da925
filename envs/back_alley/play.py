"""Card play: leading, following, jokers that force, who wins the trick (sections 11 to 14).

Everything works on effective suits (BA-6): `trump_cards` is the suit TRUMP of a deal, `suit_group` the suit a card
counts as. What a play reveals to everybody goes into `cannot_hold`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from backalley.envs.back_alley.options import OPTIONS
from backalley.envs.back_alley.scoring import score_deal
from backalley.envs.back_alley.state import ALL_TRICKS_BID
from backalley.envs.cards import (
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

FREE_LEAD = OPTIONS["lead_rule"].values.index("free")
RUFF_ONLY = OPTIONS["broken_by"].values.index("ruff_only")
TRUMP_LEAD_SIDE = OPTIONS["board_trump_lead"].values.index("side")
TRUMP_LEAD_ANYONE = OPTIONS["board_trump_lead"].values.index("anyone")
PARTNER_ANY_TRUMP = OPTIONS["bb_partner"].values.index("any_trump")
PARTNER_LOWEST = OPTIONS["bb_partner"].values.index("lowest")

TRUMP_STRENGTH = 64  # above every id of a plain card

# What a joker lead forces on a seat that holds trumps (section 13).
NOT_FORCED = 0
FORCED_HIGHEST = 1
FORCED_LOWEST = 2


@kernel(inline=True)
def trump_cards(state: Any) -> np.uint64:
    """Return the cards of the suit TRUMP; in a no-trump deal the jokers form a suit of their own (BA-6, BA-32)."""
    return SUIT_MASK[state.trump] | JOKERS


@kernel(inline=True)
def suit_group(trumps: np.uint64, card: int) -> np.uint64:
    """Return all cards that count as the same suit as `card`."""
    if has(trumps, card):
        return trumps
    return SUIT_MASK[card // N_RANKS] & ~trumps


@kernel(inline=True)
def strength(trumps: np.uint64, led_group: np.uint64, card: int) -> int:
    """Return how strong `card` is in a trick with that suit led: the highest wins, -1 cannot win (BA-93)."""
    if has(trumps, card):
        return TRUMP_STRENGTH + card
    return card if has(led_group, card) else -1


@kernel(inline=True)
def may_lead_trump(rules: Any, state: Any, seat: int) -> bool:
    """Say whether trumps may be led while the seat has other cards (BA-74 to BA-76, BA-80, BA-31)."""
    if rules.lead_rule == FREE_LEAD or state.trump == NO_TRUMP or state.broken != 0:
        return True
    if state.n_boards == 0:
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
def legal_lead(rules: Any, state: Any, seat: int) -> np.uint64:
    """Return the cards the seat may lead (section 11)."""
    hand = state.hands[seat]
    plain = hand & ~trump_cards(state)
    if plain == ZERO or may_lead_trump(rules, state, seat):  # holding nothing but trumps: BA-77
        return hand
    return plain


@kernel(inline=True)
def force_on(rules: Any, state: Any, seat: int) -> int:
    """Return what the led joker asks of a seat that follows (BA-87 to BA-92)."""
    led = state.trick[state.leader]
    if state.trump == NO_TRUMP or led < LITTLE_JOKER:
        return NOT_FORCED
    if led == LITTLE_JOKER:
        return FORCED_LOWEST
    if rules.side[seat] == rules.side[state.leader]:
        if rules.bb_partner == PARTNER_ANY_TRUMP:
            return NOT_FORCED
        if rules.bb_partner == PARTNER_LOWEST:
            return FORCED_LOWEST
    return FORCED_HIGHEST


@kernel(inline=True)
def legal_follow(rules: Any, state: Any, seat: int) -> np.uint64:
    """Return the cards the seat may follow with (sections 12 and 13)."""
    hand = state.hands[seat]
    trumps = trump_cards(state)
    following = hand & suit_group(trumps, state.trick[state.leader])
    if following == ZERO:
        return hand
    force = force_on(rules, state, seat)
    if force == FORCED_HIGHEST:
        return bit(highest(following))
    if force == FORCED_LOWEST:
        return bit(lowest(following))
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
    trumps = trump_cards(state)
    _infer(rules, state, seat, card, trumps)
    state.hands[seat] &= ~bit(card)
    state.played[seat] |= bit(card)
    state.trick[seat] = card
    led_group = suit_group(trumps, state.trick[state.leader])
    if state.n_in_trick == 0 or strength(trumps, led_group, card) > strength(trumps, led_group, state.trick_card):
        state.trick_card = card
        state.trick_holder = seat
    state.n_in_trick += 1
    if state.n_in_trick < rules.players:
        state.turn = seat + 1 if seat + 1 < rules.players else 0
    else:
        _finish_trick(rules, state, trumps)


@kernel(inline=True)
def _infer(rules: Any, state: Any, seat: int, card: int, trumps: np.uint64) -> None:
    """Exclude the cards that this play shows the seat not to hold any more."""
    if state.n_in_trick == 0:
        if has(trumps, card) and not may_lead_trump(rules, state, seat):
            state.cannot_hold[seat] |= rules.pack & ~trumps  # tight, BA-77
        return
    led_group = suit_group(trumps, state.trick[state.leader])
    if not has(led_group, card):
        state.cannot_hold[seat] |= led_group
        return
    force = force_on(rules, state, seat)
    if force == FORCED_HIGHEST:
        state.cannot_hold[seat] |= trumps & ~below(card + 1)
    elif force == FORCED_LOWEST:
        state.cannot_hold[seat] |= trumps & below(card)


@kernel
def _finish_trick(rules: Any, state: Any, trumps: np.uint64) -> None:
    """Give the trick to its holder, who leads next (BA-73, BA-75, BA-93, BA-94)."""
    led_trump = has(trumps, state.trick[state.leader])
    for seat in range(rules.players):
        if has(trumps, state.trick[seat]) and not (led_trump and rules.broken_by == RUFF_ONLY):
            state.broken = 1
        state.trick[seat] = NO_CARD
    winner = state.trick_holder
    state.tricks_won[winner] += 1
    if state.n_tricks < 6:
        state.first_six[winner] += 1
    state.n_tricks += 1
    state.n_in_trick = 0
    state.trick_card = NO_CARD
    state.trick_holder = -1
    state.leader = winner
    state.turn = winner
    if state.n_tricks == state.hand_size:
        score_deal(rules, state)
