"""Chances of what the others hold, as `rules` reckons them.

The unseen cards that a seat may still hold are taken as spread evenly over its places, with one correction: who bid
more holds more of the high cards. Chances of several cards are multiplied as if they were independent.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from backalley.envs.back_alley.play import suit_group
from backalley.envs.back_alley.state import ALL_TRICKS_BID
from backalley.envs.cards import (
    ONE,
    ZERO,
    below,
    has,
    lowest,
    n_bits,
)
from backalley.envs.kernel import kernel

# How much more often than by even spread a seat holds the high cards: a + b · bid / hand size. Counted in 550 000 first
# and middle tricks of deals among such bots: from 0.2 for a pass to 2 and more for high bids, on all hand sizes.
TILT_OF_PASS, TILT_OF_BID = 0.25, 6.5
TILT_BID_LIMIT, BOARD_AS_BID = 4, 3
MOST_LIKELY = 0.95


@kernel
def tricks_left(view: Any) -> int:
    """Return how many tricks are not settled yet, the present one included."""
    return np.int64(view.hand_size) - np.int64(view.n_tricks)


@kernel
def tilt(view: Any, seat: int) -> float:
    """Return how much more often than by even spread the seat holds high cards, by its bid."""
    bid = np.int64(view.bid_number[seat])
    if view.bid_kind[seat] == ALL_TRICKS_BID:
        bid += BOARD_AS_BID
    return TILT_OF_PASS + TILT_OF_BID * min(TILT_BID_LIMIT, bid) / np.float64(view.hand_size)


@kernel
def lacks(cards: np.uint64, possible: np.uint64, n_held: int, factor: float) -> float:
    """Return the chance that a seat with `n_held` of the `possible` cards has none of `cards`.

    Each of `cards` is `factor` times as likely to be there as by even spread.
    """
    n_wanted = n_bits(cards & possible)
    if n_wanted == 0:
        return 1.0
    n_possible = n_bits(possible)
    if n_held >= n_possible:
        return 0.0
    lacks_one = 1.0 - min(MOST_LIKELY, n_held / n_possible * factor)
    chance = lacks_one
    for _ in range(n_wanted - 1):
        chance *= lacks_one
    return chance


@kernel
def beats(trumps: np.uint64, led: np.uint64, card: int, possible: np.uint64, n_held: int, factor: float) -> float:
    """Return the chance that a seat can beat `card` when the suit `led` was led."""
    if has(trumps, card):
        chance = 1.0 - lacks(trumps & ~below(card + 1), possible, n_held, factor)
        if led & trumps == ZERO:
            chance *= lacks(led, possible, n_held, 1.0)
        return chance
    follows = 1.0 - lacks(led & ~below(card + 1), possible, n_held, factor)
    ruffs = lacks(led, possible, n_held, 1.0) * (1.0 - lacks(trumps, possible, n_held, 0.5 + 0.5 * factor))
    return follows + ruffs


@kernel
def survives(rules: Any, view: Any, trumps: np.uint64, led: np.uint64, card: int, unseen: np.uint64) -> float:
    """Return the chance that no opponent still to play in this trick beats `card`."""
    me = np.int64(view.observer)
    n_held = tricks_left(view)
    chance = 1.0
    for k in range(1, rules.players):
        seat = (me + k) % rules.players
        if view.n_in_trick > 0 and view.trick[seat] >= 0:
            break
        if rules.side[seat] != rules.side[me]:
            possible = unseen & ~view.cannot_hold[seat]
            chance *= 1.0 - beats(trumps, led, card, possible, n_held, tilt(view, seat))
    return chance


@kernel
def partner_beats(rules: Any, view: Any, trumps: np.uint64, led: np.uint64, card: int, unseen: np.uint64) -> float:
    """Return the chance that a partner still to play in this trick beats `card`, 0 if none is."""
    me = np.int64(view.observer)
    chance = 0.0
    for k in range(1, rules.players):
        seat = (me + k) % rules.players
        if view.n_in_trick > 0 and view.trick[seat] >= 0:
            break
        if rules.side[seat] == rules.side[me]:
            possible = unseen & ~view.cannot_hold[seat]
            chance = beats(trumps, led, card, possible, tricks_left(view), tilt(view, seat))
    return chance


@kernel
def share_in_play(rules: Any, view: Any, elsewhere: np.uint64) -> float:
    """Return the share of the cards `elsewhere` that other hands hold; the rest is in the stock."""
    n_held = 0
    for seat in range(rules.players):
        if seat != view.observer:
            n_held += tricks_left(view) - (1 if view.trick[seat] >= 0 else 0)
    return min(1.0, n_held / max(1.0, np.float64(n_bits(elsewhere))))


@kernel
def is_top(outside: np.uint64, card: int, share: float) -> float:
    """Return the chance that nobody holds a higher card of the suit, of which `outside` is not in my hand."""
    chance = 1.0
    for _ in range(n_bits(outside & ~below(card + 1))):
        chance *= 1.0 - share
    return chance


@kernel
def is_second(outside: np.uint64, card: int, share: float) -> float:
    """Return the chance that exactly one higher card of the suit is in another hand."""
    n_higher = n_bits(outside & ~below(card + 1))
    if share >= 1.0:
        return 1.0 if n_higher == 1 else 0.0
    return n_higher * share / (1.0 - share) * is_top(outside, card, share)


@kernel
def top_cards(trumps: np.uint64, cards: np.uint64, elsewhere: np.uint64, share: float) -> float:
    """Return how many of `cards` nobody can beat in their suit, on average."""
    total = 0.0
    while cards != ZERO:
        card = lowest(cards)
        cards &= cards - ONE
        total += is_top(suit_group(trumps, card) & elsewhere, card, share)
    return total


@kernel
def opposing_trumps(rules: Any, view: Any, trumps: np.uint64, unseen: np.uint64) -> tuple[int, float]:
    """Return how many trumps the opponents may hold, and how many they hold on average."""
    me = np.int64(view.observer)
    may_hold = ZERO
    expected = 0.0
    for seat in range(rules.players):
        if rules.side[seat] != rules.side[me]:
            possible = unseen & ~view.cannot_hold[seat]
            may_hold |= possible & trumps
            if possible != ZERO:
                expected += n_bits(possible & trumps) * tricks_left(view) / np.float64(n_bits(possible))
    return n_bits(may_hold), expected
