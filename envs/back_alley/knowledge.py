"""What a seat can work out from its View: winners, masters, cards that others may hold, tricks still needed."""

from __future__ import annotations

from typing import Any

import numpy as np

from backalley.envs.back_alley.options import BOSTON_TRICKS
from backalley.envs.back_alley.play import (
    above,
    lift,
    lower,
    suit_group,
)
from backalley.envs.back_alley.scoring import CAPPED, counted_number
from backalley.envs.back_alley.state import (
    ALL_TRICKS_BID,
    BOSTON_BID,
)
from backalley.envs.cards import (
    JOKERS,
    N_RANKS,
    N_SUITS,
    NO_TRUMP,
    SUIT_MASK,
    ZERO,
    below,
    bit,
    has,
    highest,
)
from backalley.envs.kernel import kernel

LANE = 8  # bits for the sum of one scoring unit
LANE_MASK = np.uint64((1 << LANE) - 1)


@kernel(inline=True)
def winning_cards(view: Any, cards: np.uint64) -> np.uint64:
    """Return those of `cards` that would take the lead in the trick; the empty set for the leader."""
    if view.n_in_trick == 0:
        return ZERO
    if view.led < 0 or view.high_two >= 0:
        return _special_winners(view, cards)
    trumps = view.trumps
    best = np.int64(view.trick_card)
    if has(trumps, best):
        return cards & trumps & ~below(best)
    return cards & (trumps | (suit_group(trumps, best) & ~below(best)))


@kernel
def _special_winners(view: Any, cards: np.uint64) -> np.uint64:
    """Return `winning_cards` where a joker without a suit was led, or a two ranks high."""
    if view.led < 0:
        return cards & ~JOKERS
    best = np.int64(view.trick_card)
    if has(view.trumps, best):
        return above(view, cards & view.trumps, best)
    return (cards & view.trumps) | above(view, cards & suit_group(view.trumps, best), best)


@kernel(inline=True)
def possible_elsewhere(rules: Any, view: Any, unseen: np.uint64) -> np.uint64:
    """Return the unseen cards that at least one other seat may hold, as far as plays have not excluded it."""
    excluded = ~ZERO
    for seat in range(rules.players):
        if seat != view.observer:
            excluded &= view.cannot_hold[seat]
    return unseen & ~excluded


@kernel(inline=True)
def master_cards(view: Any, cards: np.uint64, elsewhere: np.uint64) -> np.uint64:
    """Return those of `cards` that no card in `elsewhere` beats within their suit."""
    if view.high_two >= 0:
        return _masters_with_high_two(view, cards, elsewhere)
    return _masters(view.trumps, cards, elsewhere)


@kernel(inline=True)
def _masters(trumps: np.uint64, cards: np.uint64, elsewhere: np.uint64) -> np.uint64:
    masters = cards & trumps & ~below(highest(elsewhere & trumps) + 1)
    for suit in range(N_SUITS):
        group = SUIT_MASK[suit] & ~trumps
        masters |= cards & group & ~below(highest(elsewhere & group) + 1)
    return masters


@kernel
def _masters_with_high_two(view: Any, cards: np.uint64, elsewhere: np.uint64) -> np.uint64:
    """Return `master_cards` where a two ranks high, in no trumps above its own suit only (BA-33)."""
    if view.trump != NO_TRUMP:
        return lower(view, _masters(lift(view, view.trumps), lift(view, cards), lift(view, elsewhere)))
    high = bit(view.high_two)
    suit = SUIT_MASK[view.high_two // N_RANKS]
    masters = _masters(view.trumps, cards & ~high, elsewhere & ~high)
    if elsewhere & high != ZERO:
        masters &= ~suit
    return masters | (cards & high)


@kernel(inline=True)
def unit_needs(rules: Any, view: Any, seat: int, alone: bool) -> tuple[int, int]:
    """Return how many more tricks a seat's scoring unit needs for its bids so far, 0 if none, and in how many tricks.

    Args:
        rules, view: records.
        seat: a seat of the unit.
        alone: the unit is that seat; else its side.
    """
    return needs_of(rules, view, seat, alone, unit_sums(rules, view, alone))


@kernel(inline=True)
def unit_sums(rules: Any, view: Any, alone: bool) -> tuple[np.uint64, np.uint64, np.uint64]:
    """Return bids and tricks of each scoring unit, a byte for each, and which units have a board (its lowest bit)."""
    bids = ZERO
    won = ZERO
    boards = ZERO
    for seat in range(rules.players):
        unit = np.uint64(LANE * (seat if alone else np.int64(rules.side[seat])))
        bids += np.uint64(view.bid_number[seat]) << unit
        won += np.uint64(view.tricks_won[seat]) << unit
        boards |= np.uint64(view.bid_kind[seat] == ALL_TRICKS_BID) << unit
    return bids, won, boards


@kernel(inline=True)
def needs_of(
    rules: Any, view: Any, seat: int, alone: bool, sums: tuple[np.uint64, np.uint64, np.uint64]
) -> tuple[int, int]:
    """Return `unit_needs` from the `unit_sums`."""
    bids, won, boards = sums
    unit = np.uint64(LANE * (seat if alone else np.int64(rules.side[seat])))
    bid = np.int64((bids >> unit) & LANE_MASK)
    taken = np.int64((won >> unit) & LANE_MASK)
    left = np.int64(view.hand_size) - np.int64(view.n_tricks)
    if has(boards, np.int64(unit)):
        return np.int64(view.hand_size) - taken, left
    if rules.boston or rules.side_bid_cap == CAPPED:
        return _special_needs(rules, view, seat, alone, bid, taken)
    return max(0, bid - taken), left


@kernel
def _special_needs(rules: Any, view: Any, first: int, alone: bool, bid: int, won: int) -> tuple[int, int]:
    """Return `unit_needs` for rules with bostons (BA-68) or capped bids (BAW-5)."""
    has_boston = False
    won_early = 0
    for seat in range(rules.players):
        if seat == first or (not alone and rules.side[seat] == rules.side[first]):
            has_boston |= view.bid_kind[seat] == BOSTON_BID
            won_early += np.int64(view.first_six[seat])
    if has_boston:
        return BOSTON_TRICKS - won_early, max(0, BOSTON_TRICKS - np.int64(view.n_tricks))
    bid = counted_number(rules, np.int64(view.hand_size), bid)
    return max(0, bid - won), np.int64(view.hand_size) - np.int64(view.n_tricks)
