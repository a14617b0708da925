"""Rainbows: hands with as many cards of each suit (section 8, BAW-12)."""

from __future__ import annotations

from typing import Any

import numpy as np

from backalley.envs.back_alley.options import OPTIONS
from backalley.envs.back_alley.state import PASSED
from backalley.envs.cards import JOKERS, N_SUITS, NO_TRUMP, SUIT_MASK, ZERO, has, n_bits
from backalley.envs.kernel import kernel

OFF = OPTIONS["rainbow"].values.index("off")
REQUIRED = OPTIONS["rainbow"].values.index("required")
CLAIM = OPTIONS["rainbow"].values.index("claim")
AUTO = OPTIONS["rainbow"].values.index("auto")
AT_BID_TURN = OPTIONS["rainbow_reveal"].values.index("bid_turn")
JOKER_SPOILS = OPTIONS["rainbow_joker"].values.index("never")


@kernel(inline=True)
def has_size(rules: Any, state: Any) -> bool:
    """Say whether hands of this deal's size can be rainbows; never with the option off."""
    return has(rules.rainbow_sizes, np.int64(state.hand_size))


@kernel
def is_blind(rules: Any, state: Any) -> bool:
    """Say whether the hands of this deal are bid unseen (BA-69)."""
    return has(rules.blind_sizes, np.int64(state.hand_size))


@kernel
def is_rainbow(rules: Any, state: Any, hand: np.uint64) -> bool:
    """Say whether a whole hand is a rainbow (BA-61, BA-62)."""
    if not has_size(rules, state):
        return False
    has_trump = state.trump != NO_TRUMP
    has_high_two = has_trump and state.high_two >= 0 and has(hand, np.int64(state.high_two))
    if rules.rainbow_joker == JOKER_SPOILS and (has_high_two or hand & JOKERS != ZERO):
        return False
    for suit in range(N_SUITS):
        of_suit = state.trumps if has_trump and suit == state.trump else SUIT_MASK[suit] & ~state.trumps
        if 4 * n_bits(hand & of_suit) != state.hand_size:
            return False
    return True


@kernel
def show_on_turn(rules: Any, state: Any, seat: int) -> None:
    """Show the rainbow of the seat whose turn to bid comes, where rainbows are shown then (BAW-12)."""
    if rules.rainbow == AUTO and rules.rainbow_reveal == AT_BID_TURN and not is_blind(rules, state):
        state.bid_rainbow[seat] = is_rainbow(rules, state, state.hands[seat])


@kernel
def show_all(rules: Any, state: Any) -> None:
    """Show all rainbows after the last bid, where nothing is announced (BAW-12)."""
    if rules.rainbow == AUTO:
        for seat in range(rules.players):
            state.bid_rainbow[seat] = is_rainbow(rules, state, state.hands[seat])


@kernel
def rainbow_points(rules: Any, state: Any, seat: int, hand: np.uint64) -> int:
    """Return the bonus of a seat that announced or showed a rainbow, 0 without one (BA-64, BA-65).

    Args:
        rules, state: records.
        seat: the seat.
        hand: its whole hand, for claims.
    """
    if state.bid_rainbow[seat] == 0:
        return 0
    points = np.int64(rules.rainbow_points[state.hand_size])
    if rules.rainbow == REQUIRED and 4 * np.int64(state.tricks_won[seat]) < state.hand_size:
        return -points
    if rules.rainbow == CLAIM and not is_rainbow(rules, state, hand):
        return -points
    return points


@kernel
def carry_points(rules: Any, state: Any) -> None:
    """Keep the bonuses of a hand that is thrown in for the next scored deal (BA-66, `rainbow_thrown_in`)."""
    for seat in range(rules.players):
        if rules.rainbow != AUTO and state.bid_kind[seat] == PASSED:
            state.carried[seat] += rainbow_points(rules, state, seat, state.hands[seat])
