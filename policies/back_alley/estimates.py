"""How many tricks a hand is likely to win under any rules, by counting what could beat each card.

Unseen cards are taken as spread evenly over the other hands and the stock. Cards are met in a View with high twos in
the jokers' places (see `canonical`). The numbers that weigh what is counted lie in two tables:

- `rules_tricks.csv`, a row for each size of a side, number of players and hand size: the tricks a seat won, regressed
  on what its hand holds, in two million hands of such bots and `simple` under all presets; then the tricks of its side,
  regressed on that worth and the bids made before; and how far both went wrong.
- `rules_all_tricks.csv`: logistic regression of the success of an all-tricks bid, made at random, on `run_chance` and
  the bids made before.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from backalley.envs.back_alley.first_lead import last_board_leads
from backalley.envs.back_alley.scoring import scored_alone
from backalley.envs.back_alley.state import ALL_TRICKS_BID, NOT_YET, PASSED
from backalley.envs.back_alley.view import unseen_cards
from backalley.envs.cards import N_SUITS, NO_TRUMP, SUIT_MASK, ZERO, below, bit, highest, lowest, n_bits
from backalley.envs.kernel import kernel
from backalley.policies.back_alley.chances import is_second, is_top
from backalley.policies.back_alley.tables import load_table

HAND_COLUMNS = (
    # Chances that a card is the highest of its suit in play and is not ruffed; that one card is higher; that more are.
    "trump_top", "trump_second", "trump_low", "side_top", "side_second", "side_low",
    # Trumps beyond what another hand has; trumps to ruff with, beside a void and a single card; long suits without.
    "trump_long", "ruffs_void", "ruffs_single", "long", "constant",
)  # fmt: skip
SIDE_COLUMNS = ("side_constant", "worth", "opponents", "n_opponents", "mates", "n_mates", "n_mates_passed")
"""Tricks of the side, linear in: 1, my worth, the numbers the opponents and my mates bid, and how many did so far."""
SPREAD_COLUMNS = ("own_spread", "side_spread")
"""Standard deviations of my tricks and of my side's."""
COLUMNS = ("side_size", "players", "hand_size", *HAND_COLUMNS, *SIDE_COLUMNS, *SPREAD_COLUMNS)
ALL_COLUMNS = (
    "constant", "logit", "opponents_boards", "mates_boards", "to_bid", "opponents", "mates", "n_mates", "no_trump",
)  # fmt: skip
"""Log odds, linear in: 1, those of `run_chance`, boards of opponents and mates, seats still to bid, numbers by hand
size (the opponents' beyond an even share), mates who bid, and 1 without trumps."""
SIDE_SIZES, PLAYERS, HAND_SIZES = 3, 6, 13
ALL_ROWS = 6
"""Rows of `rules_all_tricks.csv` for each size of a side: 1 to 5 cards, and more."""

(
    TRUMP_TOP, TRUMP_SECOND, TRUMP_LOW, SIDE_TOP, SIDE_SECOND, SIDE_LOW, TRUMP_LONG, RUFFS_VOID, RUFFS_SINGLE, LONG,
    CONSTANT,
) = range(3, 3 + len(HAND_COLUMNS))  # fmt: skip
_SIDE = COLUMNS.index("side_constant")
OWN_SPREAD, SIDE_SPREAD = COLUMNS.index("own_spread"), COLUMNS.index("side_spread")
MOST_RUFFS = 3
LEAST_CHANCE = 0.01
NO_CHANCE = 0.02


@kernel
def _place(side_size: int, players: int, hand_size: int) -> int:
    return (side_size * (PLAYERS + 1) + players) * (HAND_SIZES + 1) + hand_size


def _by_place(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return (places, columns) with each row at its `_place`; larger hands than the table has are like its largest."""
    table = np.zeros((_place(SIDE_SIZES, PLAYERS, HAND_SIZES) + 1, rows.shape[1]))
    for row in rows:
        for hand_size in range(int(row[2]), HAND_SIZES + 1):
            table[_place(int(row[0]), int(row[1]), hand_size)] = row
    return table


TABLE = _by_place(load_table("rules_tricks.csv", COLUMNS))
ALL_TABLE = load_table("rules_all_tricks.csv", ALL_COLUMNS)
"""(3 · 6, columns) by size of a side, then hand size."""


@kernel
def unit_size(rules: Any, view: Any) -> int:
    """Return how many seats are scored together with the observer."""
    if scored_alone(rules, view):
        return 1
    return np.int64(rules.players) // np.int64(rules.n_sides)


@kernel
def tricks_row(rules: Any, view: Any) -> NDArray[np.float64]:
    """Return the row of `TABLE` for the observer's scoring unit."""
    return TABLE[_place(unit_size(rules, view), np.int64(rules.players), np.int64(view.hand_size))]


@kernel
def at_most(mean: float, k: int) -> float:
    """Return the chance that something rare, `mean` times on average, happens at most `k` times."""
    term = np.exp(-mean)
    total = term if k >= 0 else 0.0
    for i in range(1, k + 1):
        term *= mean / i
        total += term
    return total


@kernel
def _suit_worth(
    row: NDArray[np.float64],
    first: int,
    cards: np.uint64,
    outside: np.uint64,
    share: float,
    per_hand: float,
    n_others: int,
    ruff: float,
) -> float:
    """Return the worth of my cards of one suit.

    Args:
        row: of `TABLE`; `row[first:]` weighs tops, seconds and lower cards.
        first: see there.
        cards, outside: of that suit, mine and the unseen ones.
        share: of the unseen cards that other hands hold.
        per_hand: cards of the suit in another hand, on average.
        n_others: hands that may ruff.
        ruff: chance that a hand has a trump to ruff with.
    """
    worth = 0.0
    held = n_bits(cards)
    term = np.exp(-per_hand)
    at_most_rounds = term
    rounds = 0
    while cards != ZERO:
        card = highest(cards)
        cards &= ~bit(card)
        top = is_top(outside, card, share)
        second = is_second(outside, card, share)
        safe = (1.0 - at_most_rounds * ruff) ** n_others
        rounds += 1
        worth += safe * (row[first] * top + row[first + 2] * (1.0 - top - second))
        if held > rounds:  # a lower card guards it
            worth += safe * row[first + 1] * second
        term *= per_hand / rounds
        at_most_rounds += term
    return worth


@kernel
def hand_tricks(rules: Any, view: Any, row: NDArray[np.float64]) -> float:
    """Return the tricks the observer's hand is worth with the weights of a row of `TABLE`; in blind deals its share."""
    n = np.int64(view.hand_size)
    me = np.int64(view.observer)
    hand = view.hands[me]
    if hand == ZERO:
        return n / np.float64(rules.players)
    unseen = unseen_cards(rules, view)
    n_unseen = max(1, n_bits(unseen))
    share = min(1.0, (rules.players - 1) * n / n_unseen)
    n_others = np.int64(rules.players) - np.int64(rules.players) // np.int64(rules.n_sides)
    trumps = view.trumps
    n_trumps = n_bits(hand & trumps)
    per_hand = n_bits(unseen & trumps) * n / n_unseen
    worth = _suit_worth(row, TRUMP_TOP, hand & trumps, unseen & trumps, share, per_hand, n_others, 0.0)
    worth += row[CONSTANT] + row[TRUMP_LONG] * max(0.0, n_trumps - per_hand) ** 2 / n
    ruff = 1.0 - np.exp(-per_hand)
    for suit in range(N_SUITS):
        if suit != view.trump:
            group = SUIT_MASK[suit] & ~trumps
            held = n_bits(hand & group)
            per_hand = n_bits(unseen & group) * n / n_unseen
            worth += _suit_worth(row, SIDE_TOP, hand & group, unseen & group, share, per_hand, n_others, ruff)
            if held == 0:
                worth += row[RUFFS_VOID] * min(n_trumps, MOST_RUFFS)
            elif held == 1:
                worth += row[RUFFS_SINGLE] * min(n_trumps, MOST_RUFFS - 1)
            if n_trumps == 0:
                worth += row[LONG] * max(0.0, held - per_hand - 1.0) ** 2 / n
    return worth


@kernel
def side_tricks(rules: Any, view: Any, row: NDArray[np.float64], worth: float) -> float:
    """Return the tricks the observer's scoring unit can expect, by its own worth and the bids made so far."""
    me = np.int64(view.observer)
    alone = scored_alone(rules, view)
    tricks = row[_SIDE] + row[_SIDE + 1] * worth
    for seat in range(rules.players):
        if seat == me or view.bid_kind[seat] == NOT_YET:
            continue
        if not alone and rules.side[seat] == rules.side[me]:
            tricks += row[_SIDE + 4] * view.bid_number[seat] + row[_SIDE + 5]
            tricks += row[_SIDE + 6] if view.bid_kind[seat] == PASSED else 0.0
        else:
            tricks += row[_SIDE + 2] * view.bid_number[seat] + row[_SIDE + 3]
    return tricks


@kernel
def _wins_next(
    cards: np.uint64, rounds: int, outside: np.uint64, share: float, per_hand: float, n_opponents: int, ruff: float
) -> float:
    """Return the chance that the highest of `cards` wins after `rounds` higher ones of my suit have won.

    Args:
        cards: mine of one suit that are left.
        rounds: see there.
        outside: the unseen cards of the suit below those that won.
        share: of the unseen cards that the opponents hold.
        per_hand: cards of the suit in another hand, on average.
        n_opponents: how many hands they are.
        ruff: chance that one of them has a trump to ruff with.
    """
    n_higher = n_bits(outside & ~below(highest(cards) + 1))
    stays = 1.0 - at_most(per_hand, rounds - 1)  # a higher card has not fallen yet
    return (1.0 - share * stays) ** n_higher * (1.0 - at_most(per_hand, rounds) * ruff) ** n_opponents


@kernel
def run_chance(rules: Any, view: Any, n_tricks: int) -> float:
    """Return the chance that the observer wins its `n_tricks` surest cards by leading each suit from the top."""
    n = np.int64(view.hand_size)
    me = np.int64(view.observer)
    unseen = unseen_cards(rules, view)
    n_unseen = max(1, n_bits(unseen))
    n_opponents = np.int64(rules.players) - unit_size(rules, view)
    share = min(1.0, n_opponents * n / n_unseen)
    trumps = view.trumps
    left = view.hands[me]
    trumps_per_hand = n_bits(unseen & trumps) * n / n_unseen
    ruff = 1.0 - at_most(trumps_per_hand, n_bits(left & trumps))  # trumps are left with a hand after mine are led
    chance = 1.0
    for _ in range(n_tricks):
        best = -1.0
        best_card = -1
        for place in range(N_SUITS + 1):
            suit = trumps if place == N_SUITS else SUIT_MASK[place] & ~trumps
            cards = left & suit
            if cards == ZERO or best >= 1.0:
                continue
            led = view.hands[me] & suit & ~left
            met = unseen & ~below(lowest(led)) if led != ZERO else ZERO
            per_hand = n_bits(unseen & suit) * n / n_unseen
            wins = _wins_next(
                cards, n_bits(led), unseen & suit & ~met, share, per_hand, n_opponents, 0.0 if suit == trumps else ruff
            )
            if wins > best:
                best = wins
                best_card = highest(cards)
        chance *= best
        left &= ~bit(best_card)
    return chance


@kernel
def wins_all(rules: Any, view: Any) -> float:
    """Return the chance that an all-tricks bid of the observer succeeds, given the bids made so far."""
    me = np.int64(view.observer)
    n = np.int64(view.hand_size)
    if view.hands[me] == ZERO:
        return 0.0
    size = unit_size(rules, view)
    row = ALL_TABLE[(size - 1) * ALL_ROWS + min(n, ALL_ROWS) - 1]
    chance = min(1.0 - LEAST_CHANCE, max(LEAST_CHANCE, run_chance(rules, view, n)))
    logit = row[0] + row[1] * np.log(chance / (1.0 - chance))
    boards = 0
    for seat in range(rules.players):
        if seat != me and size > 1 and rules.side[seat] == rules.side[me]:
            if view.bid_kind[seat] != NOT_YET:
                logit += row[3] * (view.bid_kind[seat] == ALL_TRICKS_BID) + row[6] * view.bid_number[seat] / n + row[7]
        elif seat != me and view.bid_kind[seat] != NOT_YET:
            boards += view.bid_kind[seat] == ALL_TRICKS_BID
            logit += row[5] * (view.bid_number[seat] / n - 1.0 / rules.players)
    logit += row[2] * boards + row[4] * (rules.players - 1 - view.n_bids)
    if view.trump == NO_TRUMP:
        logit += row[8]
    if n == 1 and boards > 0 and not last_board_leads(rules) and view.hands[me] & view.trumps == ZERO:
        return NO_CHANCE
    return 1.0 / (1.0 + np.exp(-logit))
