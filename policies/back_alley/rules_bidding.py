"""How `rules` bids: the worth of a hand in tricks, and how much of it to promise.

Numbers come from two tables with a row for each hand size. Their first columns are worths of what is held, once for
deals with trumps and once for no-trump deals; the last ones say from which worth on a bid is made. They were fitted so:

- `rules_bid.csv`, worths: the tricks a seat won, regressed on its hand, in a million hands played by such bots.
  `side_…`: the same for the tricks of its side, on its worth and the bids. Margins: in many positions every number near
  the one chosen was played out by such bots in the same deal, and the margin moved to where one trick more began to
  pay, last and first bidders of a side in turn, until duplicate pairs showed no gain.
- `rules_board.csv`: logistic regression of the success of a board on the hand, then thresholds as above.
- `ONE_CARD`: counterfactual regret minimisation of the one-card deal, the other side being `simple` one time in three.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from backalley.envs.back_alley.actions import ALL_TRICKS, PASS
from backalley.envs.back_alley.options import BOARD, RAISE_BOARD
from backalley.envs.back_alley.scoring import FIVE_ONE, PER_PLAYER, TEN_ONE
from backalley.envs.back_alley.state import ALL_TRICKS_BID, NOT_YET
from backalley.envs.cards import (
    BIG_JOKER,
    JOKERS,
    LITTLE_JOKER,
    N_CARDS,
    N_RANKS,
    N_SUITS,
    NO_TRUMP,
    RANKS,
    SUIT_MASK,
    ZERO,
    bit,
    has,
    highest,
    n_bits,
)
from backalley.envs.kernel import kernel
from backalley.policies.back_alley.simple import nearest_number
from backalley.policies.back_alley.tables import load_table

FOUR, SIX, SEVEN, NINE, TEN, JACK, QUEEN, KING, ACE = (RANKS.index(name) for name in "4679TJQKA")
_SHAPE = ("length", "ruffs_void", "ruffs_single", "lone_king", "long_ace", "ace_king", "short_queen", "constant")
HAND_FEATURES = (*(f"trump_{r}" for r in RANKS), "LB", "BB", *(f"side_{r}" for r in RANKS), *_SHAPE)
"""What a hand is worth for: each trump, the jokers, each side card, and the shape of the hand."""
SIDE_COLUMNS = ("side_constant", "side_worth", "side_partner", "side_opponents", "side_partner_passed")
"""Tricks the side can expect, once partner has bid: linear in my worth, partner's number and the opponents' numbers."""
FIRST_COLUMNS = ("first_1", "first_more", "second_1", "second_more")
"""Margin over the number, before partner's bid: as first bidder, and later; for a bid of 1, and for more."""
LAST_COLUMNS = ("total_1", "total_2", "total_3", "total_more")
"""Margin over the side's total, after partner's bid."""
WORTH_COLUMNS = (
    *(f"trumps_{name}" for name in HAND_FEATURES),
    *(f"no_trumps_{name}" for name in HAND_FEATURES),
)
COLUMNS = (*WORTH_COLUMNS, *SIDE_COLUMNS, *FIRST_COLUMNS, *LAST_COLUMNS)
TABLE = load_table("rules_bid.csv", COLUMNS)
"""(14, columns) by hand size; one card bids no number."""

BOARD_COLUMNS = (*WORTH_COLUMNS, "first", "second", "last", "against", "raise")
"""Least worth for a board: before partner's bid, after it, as last bidder; after an opponent's; after partner's."""
BOARD_TABLE = load_table("rules_board.csv", BOARD_COLUMNS)
"""(6, columns) by hand size; larger hands don't board."""

JOKER = N_RANKS  # rank of the little joker, and of the big one plus 1
NEVER = JOKER + 2
ONE_CARD = np.array(
    [
        # Nobody before me.
        (0, NEVER, KING),
        # One bid before me: passed, boarded.
        (0, TEN, 0), (ACE, NEVER, 0),
        # Two: which of them boarded, as bits, the first bidder's lowest. Partner was the first.
        (0, JACK, 0), (0, 0, SEVEN), (TEN, ACE, NEVER), (JOKER, NEVER, NEVER),
        # Three. Partner was the second.
        (0, NINE, 0), (JOKER, NEVER, 0), (0, 0, FOUR), (0, 0, SEVEN),
        (SIX, NEVER, 0), (JACK, NEVER, 0), (ACE, NEVER, 0), (JOKER, NEVER, 0),
    ],
    np.int64,
)  # fmt: skip
"""(15, 3) least rank to board on with one card: of a trump, of a side card, and in a no-trump deal, where the last
boarder leads and mostly wins. Partner's board is nearly always raised: a board that is good is good at any multiple."""

_N_FEATURES = len(HAND_FEATURES)
_LITTLE, _BIG, _SIDE = N_RANKS, N_RANKS + 1, N_RANKS + 2
_LENGTH, _RUFFS_VOID, _RUFFS_SINGLE, _LONE_KING, _LONG_ACE, _ACE_KING, _SHORT_QUEEN, _CONSTANT = (
    HAND_FEATURES.index(name) for name in _SHAPE
)
_BOARD_FIRST, _BOARD_SECOND, _BOARD_LAST, _BOARD_AGAINST, _BOARD_RAISE = range(len(WORTH_COLUMNS), len(BOARD_COLUMNS))
_SIDE_CONSTANT, _SIDE_WORTH, _SIDE_PARTNER, _SIDE_OPPONENTS, _SIDE_PARTNER_PASSED = (
    COLUMNS.index(name) for name in SIDE_COLUMNS
)
_FIRST = COLUMNS.index("first_1")
_TOTAL = COLUMNS.index("total_1")
LONG_ACE_SUIT, LONG_SUIT, SHORT_QUEEN_SUIT, RUFF_LIMIT = 6, 5, 2, 3
MEAN_TRUMP_SHARE = 0.277  # of a hand


@kernel
def hand_worth(table: NDArray[np.float64], view: Any) -> float:
    """Return the worth of the observer's hand, in tricks by `TABLE`, in its own measure by `BOARD_TABLE`."""
    n = np.int64(view.hand_size)
    hand = view.hands[view.observer]
    at = 0 if view.trump != NO_TRUMP else _N_FEATURES
    worth = table[n, at + _CONSTANT]
    n_trumps = 0
    if view.trump != NO_TRUMP:
        if has(hand, LITTLE_JOKER):
            worth += table[n, at + _LITTLE]
        if has(hand, BIG_JOKER):
            worth += table[n, at + _BIG]
        n_trumps = n_bits(hand & (SUIT_MASK[view.trump] | JOKERS))
        worth += table[n, at + _LENGTH] * (n_trumps - n * MEAN_TRUMP_SHARE) ** 2 * 0.1
    for suit in range(N_SUITS):
        cards = (hand >> np.uint64(N_RANKS * suit)) & SUIT_MASK[0]
        first = at if suit == view.trump else at + _SIDE
        for rank in range(N_RANKS):
            if has(cards, rank):
                worth += table[n, first + rank]
        if suit != view.trump:
            worth += _side_shape(table[n], at, cards, n_trumps)
            if view.trump == NO_TRUMP and n_bits(cards) >= LONG_SUIT:
                worth += table[n, at + _LENGTH]
    return worth


@kernel
def _side_shape(row: NDArray[np.float64], at: int, cards: np.uint64, n_trumps: int) -> float:
    """Return what the shape of a side suit (its ranks as bits) adds."""
    held = n_bits(cards)
    worth = 0.0
    if held == 0:
        return row[at + _RUFFS_VOID] * min(n_trumps, RUFF_LIMIT)
    if held == 1:
        worth += row[at + _RUFFS_SINGLE] * min(n_trumps, RUFF_LIMIT - 1)
        if has(cards, KING):
            worth += row[at + _LONE_KING]
    if has(cards, ACE):
        if held >= LONG_ACE_SUIT:
            worth += row[at + _LONG_ACE]
        if has(cards, KING):
            worth += row[at + _ACE_KING]
    if has(cards, QUEEN) and held <= SHORT_QUEEN_SUIT:
        worth += row[at + _SHORT_QUEEN]
    return worth


@kernel
def is_known(rules: Any) -> bool:
    """Say whether the tables are for these rules: two pairs, jokers, boards, and bids that win and lose in whole."""
    is_pairs = rules.players == 4 and rules.n_sides == 2 and rules.pack_size == N_CARDS
    has_points = rules.score in (FIVE_ONE, TEN_ONE) and rules.score_unit != PER_PLAYER
    return is_pairs and has_points and rules.all_tricks_bid in (BOARD, RAISE_BOARD) and rules.blind_sizes == ZERO


@kernel
def bids_by_heart(rules: Any, view: Any, legal_bids: np.uint64) -> int:
    """Return the plain bid of `rules` where `is_known`.

    Args:
        rules: record of dtype RULES, with sides of two.
        view: record of dtype STATE, a View.
        legal_bids: bit k stands for action 54 + k.
    """
    n = np.int64(view.hand_size)
    me = np.int64(view.observer)
    partner = me
    opponents = 0
    opponents_board = False
    for seat in range(rules.players):
        if rules.side[seat] != rules.side[me]:
            opponents += view.bid_number[seat]
            opponents_board |= view.bid_kind[seat] == ALL_TRICKS_BID
        elif seat != me:
            partner = seat
    partner_boards = view.bid_kind[partner] == ALL_TRICKS_BID
    can_board = has(legal_bids, ALL_TRICKS - PASS)
    if can_board and _boards(rules, view, partner, partner_boards, opponents_board):
        return ALL_TRICKS
    if partner_boards or opponents_board:
        return PASS  # my number would not count (BA-50), or had better not
    highest_number = n - 1 if can_board else n
    worth = hand_worth(TABLE, view)
    partner_number = np.int64(view.bid_number[partner])
    if view.bid_kind[partner] == NOT_YET:
        number = _opening_number(n, worth, view.n_bids > 0, highest_number)
    else:
        number = _side_total(n, worth, partner_number, opponents) - partner_number
    if partner_number == 0:
        number = max(number, sure_tricks(view))
    return PASS + nearest_number(legal_bids, max(0, min(number, highest_number)))


@kernel
def sure_tricks(view: Any) -> int:
    """Return how many trumps the observer holds from the highest one in play down without a gap."""
    if view.trump == NO_TRUMP:
        return 0
    in_play = (SUIT_MASK[view.trump] | JOKERS) & ~view.exposed
    hand = view.hands[view.observer]
    n_sure = 0
    while in_play != ZERO and has(hand, highest(in_play)):
        in_play &= ~bit(highest(in_play))
        n_sure += 1
    return n_sure


@kernel
def _boards(rules: Any, view: Any, partner: int, partner_boards: bool, opponents_board: bool) -> bool:
    """Say whether to board, or to raise partner's board."""
    n = np.int64(view.hand_size)
    if n == 1:
        return _boards_on_one_card(rules, view)
    if n >= BOARD_TABLE.shape[0] or (partner_boards and opponents_board):
        return False
    if partner_boards:
        least = BOARD_TABLE[n, _BOARD_RAISE]
    elif opponents_board:
        least = BOARD_TABLE[n, _BOARD_AGAINST]
    elif view.bid_kind[partner] == NOT_YET:
        least = BOARD_TABLE[n, _BOARD_FIRST]
    else:
        least = BOARD_TABLE[n, _BOARD_LAST if view.n_bids == rules.players - 1 else _BOARD_SECOND]
    return hand_worth(BOARD_TABLE, view) >= least


@kernel
def _boards_on_one_card(rules: Any, view: Any) -> bool:
    """Say whether to board on my only card; for four players in two sides."""
    me = np.int64(view.observer)
    n_bids = min(3, int(view.n_bids))
    boarded = 0
    for k in range(n_bids):
        if view.bid_kind[(me - n_bids + k + rules.players) % rules.players] == ALL_TRICKS_BID:
            boarded |= 1 << k
    row = ONE_CARD[(1 << n_bids) - 1 + boarded]
    card = highest(view.hands[me])
    if card >= LITTLE_JOKER:
        return JOKER + card - LITTLE_JOKER >= row[0]
    if view.trump == NO_TRUMP:
        return card % N_RANKS >= row[2]
    return card % N_RANKS >= row[0 if card // N_RANKS == view.trump else 1]


@kernel
def _opening_number(n: int, worth: float, is_later: bool, limit: int) -> int:
    """Return the number to bid before partner."""
    at = _FIRST + (2 if is_later else 0)
    number = 0
    while number < limit and worth >= number + 1 + TABLE[n, at + min(number, 1)]:
        number += 1
    return number


@kernel
def side_expectation(n: int, worth: float, partner_number: int, opponents: int) -> float:
    """Return the tricks that the side can expect, given partner's number."""
    expected = TABLE[n, _SIDE_CONSTANT] + TABLE[n, _SIDE_WORTH] * worth + TABLE[n, _SIDE_OPPONENTS] * opponents
    expected += TABLE[n, _SIDE_PARTNER] * partner_number
    return expected + TABLE[n, _SIDE_PARTNER_PASSED] if partner_number == 0 else expected


@kernel
def _side_total(n: int, worth: float, partner_number: int, opponents: int) -> int:
    """Return the total the side should promise, given partner's number."""
    expected = side_expectation(n, worth, partner_number, opponents)
    total = 0
    while total < n and expected >= total + 1 + TABLE[n, _TOTAL + min(total, 3)]:
        total += 1
    return total
