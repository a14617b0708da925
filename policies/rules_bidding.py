"""How `rules` bids: the worth of a hand in tricks, and how much of it to promise.

A table row holds the numbers for one hand size. The first columns are the worth in tricks of what is held, once for
deals with trumps and once for no-trump deals; the last ones say from which worth on a bid is made.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from backalley.envs.back_alley.actions import ALL_TRICKS, PASS
from backalley.envs.back_alley.state import ALL_TRICKS_BID, NOT_YET
from backalley.envs.cards import (
    BIG_JOKER,
    JOKERS,
    LITTLE_JOKER,
    N_RANKS,
    N_SUITS,
    NO_TRUMP,
    RANKS,
    SUIT_MASK,
    has,
    n_bits,
)
from backalley.envs.kernel import kernel
from backalley.policies.tables import load_table

_SHAPE = ("length", "ruffs_void", "ruffs_single", "lone_king", "long_ace", "ace_king", "short_queen", "constant")
HAND_FEATURES = (*(f"trump_{r}" for r in RANKS), "LB", "BB", *(f"side_{r}" for r in RANKS), *_SHAPE)
"""What a hand is worth for: each trump, the jokers, each side card, and the shape of the hand."""
SIDE_COLUMNS = ("side_constant", "side_worth", "side_partner", "side_opponents", "side_partner_passed")
"""Tricks the side can expect, once partner has bid: linear in my worth, partner's number and the opponents' numbers."""
FIRST_COLUMNS = ("first_1", "first_more", "second_1", "second_more")
"""Margin over the number, before partner's bid: as first bidder, and later; for a bid of 1, and for more."""
LAST_COLUMNS = ("total_1", "total_2", "total_3", "total_more")
"""Margin over the side's total, after partner's bid."""
COLUMNS = (
    *(f"trumps_{name}" for name in HAND_FEATURES),
    *(f"no_trumps_{name}" for name in HAND_FEATURES),
    "board",
    *SIDE_COLUMNS,
    *FIRST_COLUMNS,
    *LAST_COLUMNS,
)

TABLE = load_table("rules_bid.csv", COLUMNS)
"""(14, columns) by hand size."""

_N_FEATURES = len(HAND_FEATURES)
_LITTLE, _BIG, _SIDE = N_RANKS, N_RANKS + 1, N_RANKS + 2
_LENGTH, _RUFFS_VOID, _RUFFS_SINGLE, _LONE_KING, _LONG_ACE, _ACE_KING, _SHORT_QUEEN, _CONSTANT = (
    HAND_FEATURES.index(name) for name in _SHAPE
)
_BOARD = COLUMNS.index("board")
_SIDE_CONSTANT, _SIDE_WORTH, _SIDE_PARTNER, _SIDE_OPPONENTS, _SIDE_PARTNER_PASSED = (
    COLUMNS.index(name) for name in SIDE_COLUMNS
)
_FIRST = COLUMNS.index("first_1")
_TOTAL = COLUMNS.index("total_1")
QUEEN, KING, ACE = 10, 11, 12
LONG_ACE_SUIT, LONG_SUIT, SHORT_QUEEN_SUIT, RUFF_LIMIT = 6, 5, 2, 3
MEAN_TRUMP_SHARE = 0.277  # of a hand


@kernel
def hand_worth(view: Any) -> float:
    """Return the worth of the observer's hand in tricks."""
    n = np.int64(view.hand_size)
    hand = view.hands[view.observer]
    at = 0 if view.trump != NO_TRUMP else _N_FEATURES
    worth = TABLE[n, at + _CONSTANT]
    n_trumps = 0
    if view.trump != NO_TRUMP:
        if has(hand, LITTLE_JOKER):
            worth += TABLE[n, at + _LITTLE]
        if has(hand, BIG_JOKER):
            worth += TABLE[n, at + _BIG]
        n_trumps = n_bits(hand & (SUIT_MASK[view.trump] | JOKERS))
        worth += TABLE[n, at + _LENGTH] * (n_trumps - n * MEAN_TRUMP_SHARE) ** 2 * 0.1
    for suit in range(N_SUITS):
        cards = (hand >> np.uint64(N_RANKS * suit)) & SUIT_MASK[0]
        first = at if suit == view.trump else at + _SIDE
        for rank in range(N_RANKS):
            if has(cards, rank):
                worth += TABLE[n, first + rank]
        if suit != view.trump:
            worth += _side_shape(n, at, cards, n_trumps)
            if view.trump == NO_TRUMP and n_bits(cards) >= LONG_SUIT:
                worth += TABLE[n, at + _LENGTH]
    return worth


@kernel
def _side_shape(n: int, at: int, cards: np.uint64, n_trumps: int) -> float:
    """Return what the shape of a side suit (its ranks as bits) adds."""
    held = n_bits(cards)
    worth = 0.0
    if held == 0:
        return TABLE[n, at + _RUFFS_VOID] * min(n_trumps, RUFF_LIMIT)
    if held == 1:
        worth += TABLE[n, at + _RUFFS_SINGLE] * min(n_trumps, RUFF_LIMIT - 1)
        if has(cards, KING):
            worth += TABLE[n, at + _LONE_KING]
    if has(cards, ACE):
        if held >= LONG_ACE_SUIT:
            worth += TABLE[n, at + _LONG_ACE]
        if has(cards, KING):
            worth += TABLE[n, at + _ACE_KING]
    if has(cards, QUEEN) and held <= SHORT_QUEEN_SUIT:
        worth += TABLE[n, at + _SHORT_QUEEN]
    return worth


@kernel
def choose_bid(rules: Any, view: Any, legal_bids: np.uint64) -> int:
    """Return the bid of `rules`.

    Args:
        rules: record of dtype RULES, with sides of two.
        view: record of dtype STATE, a View.
        legal_bids: bit k stands for action 54 + k.
    """
    n = np.int64(view.hand_size)
    me = np.int64(view.observer)
    partner = me
    opponents = 0
    for seat in range(rules.players):
        if rules.side[seat] != rules.side[me]:
            opponents += view.bid_number[seat]
        elif seat != me:
            partner = seat
    if view.bid_kind[partner] == ALL_TRICKS_BID:
        return PASS  # my bid would not count (BA-50)
    worth = hand_worth(view)
    can_board = has(legal_bids, ALL_TRICKS - PASS)
    if can_board and worth >= TABLE[n, _BOARD]:
        return ALL_TRICKS
    highest_number = n - 1 if can_board else n
    if view.bid_kind[partner] == NOT_YET:
        number = _opening_number(n, worth, view.n_bids > 0, highest_number)
    else:
        partner_number = np.int64(view.bid_number[partner])
        number = _side_total(n, worth, partner_number, opponents) - partner_number
    return PASS + max(0, min(number, highest_number))


@kernel
def _opening_number(n: int, worth: float, is_later: bool, limit: int) -> int:
    """Return the number to bid before partner."""
    at = _FIRST + (2 if is_later else 0)
    number = 0
    while number < limit and worth >= number + 1 + TABLE[n, at + min(number, 1)]:
        number += 1
    return number


@kernel
def _side_total(n: int, worth: float, partner_number: int, opponents: int) -> int:
    """Return the total the side should promise, given partner's number."""
    expected = TABLE[n, _SIDE_CONSTANT] + TABLE[n, _SIDE_WORTH] * worth + TABLE[n, _SIDE_OPPONENTS] * opponents
    expected += TABLE[n, _SIDE_PARTNER] * partner_number
    if partner_number == 0:
        expected += TABLE[n, _SIDE_PARTNER_PASSED]
    total = 0
    while total < n and expected >= total + 1 + TABLE[n, _TOTAL + min(total, 3)]:
        total += 1
    return total
