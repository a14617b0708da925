"""What the bidding net of `rules` sees: the hand with its suits in order, what was bid, and what the tables say."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from backalley.envs.back_alley.actions import PASS
from backalley.envs.back_alley.state import ALL_TRICKS_BID, NOT_YET
from backalley.envs.cards import BIG_JOKER, JOKERS, LITTLE_JOKER, N_RANKS, N_SUITS, NO_TRUMP, RANKS, has, n_bits
from backalley.envs.kernel import kernel
from backalley.policies.back_alley.canonical import ORDER_LENGTH, suit_ranks, write_order
from backalley.policies.back_alley.rules_bidding import (
    BOARD_TABLE,
    TABLE,
    hand_worth,
    side_expectation,
    sure_tricks,
)
from backalley.policies.back_alley.rules_inputs import OTHERS

BID_NAMES = ("pass", *(f"bid_{k}" for k in range(1, N_RANKS + 1)), "all_tricks")
"""The bids the net values, in the order of their actions."""
MOST_BID = 8  # as good as any higher one
SEAT_BIDS = ("none", "pass", *(f"bid_{k}" for k in range(1, MOST_BID + 1)), "all_tricks")
LENGTHS = 8
BID_INPUTS = (
    *(f"{suit}_{rank}" for suit in ("trump", "first", "second", "third") for rank in RANKS),
    "little_joker", "big_joker",
    *(f"trump_{rank}_out" for rank in RANKS), "little_joker_out", "big_joker_out",
    *(f"{suit}_length_{k}" for suit in ("trump", "first", "second", "third") for k in range(LENGTHS)),
    *(f"cards_{k}" for k in range(1, N_RANKS + 1)),
    "no_trump",
    *(f"seat_{k}_{bid}" for k in range(1, OTHERS + 1) for bid in SEAT_BIDS),
    *(f"table_{bid}" for bid in BID_NAMES),
    "worth", "side", "board_worth", "sure", "hand_size", "partner_bid", "opponents_bid",
)  # fmt: skip
"""Columns of the first layer. Without trumps the first suit stands for the trumps; `table_` is what the tables bid."""
N_BID_INPUTS = len(BID_INPUTS)
_OUT, _LENGTH, _CARDS, _NO_TRUMP, _SEATS, _TABLE, _WORTH = (
    BID_INPUTS.index(name)
    for name in ("trump_2_out", "trump_length_0", "cards_1", "no_trump", "seat_1_none", "table_pass", "worth")
)


@kernel
def write_bid_inputs(rules: Any, view: Any, table_bid: int, x: NDArray[np.float32]) -> None:
    """Write `BID_INPUTS` of four players in two pairs into `x` (N_BID_INPUTS,), which must be zero.

    Args:
        rules: record of dtype RULES.
        view: record of dtype STATE, a View in the bidding.
        table_bid: action that the tables say.
        x: overwritten.
    """
    me = np.int64(view.observer)
    n = np.int64(view.hand_size)
    hand = view.hands[me]
    order = np.zeros(ORDER_LENGTH, np.int8)
    write_order(view, order)
    for place in range(N_SUITS):
        cards = suit_ranks(hand, np.int64(order[place]))
        for rank in range(N_RANKS):
            x[place * N_RANKS + rank] = has(cards, rank)
        length = n_bits(cards)
        if place == 0 and view.trump != NO_TRUMP:
            length += n_bits(hand & JOKERS)
        x[_LENGTH + place * LENGTHS + min(length, LENGTHS - 1)] = 1.0
    x[N_SUITS * N_RANKS] = has(hand, LITTLE_JOKER)
    x[N_SUITS * N_RANKS + 1] = has(hand, BIG_JOKER)
    if view.trump != NO_TRUMP:
        out = suit_ranks(view.exposed, np.int64(view.trump))
        for rank in range(N_RANKS):
            x[_OUT + rank] = has(out, rank)
    x[_OUT + N_RANKS] = has(view.exposed, LITTLE_JOKER)
    x[_OUT + N_RANKS + 1] = has(view.exposed, BIG_JOKER)
    x[_CARDS + n - 1] = 1.0
    x[_NO_TRUMP] = view.trump == NO_TRUMP
    opponents = 0
    for k in range(1, OTHERS + 1):
        seat = (me + k) % rules.players
        number = min(MOST_BID, np.int64(view.bid_number[seat]))
        what = 0
        if view.bid_kind[seat] == ALL_TRICKS_BID:
            what = len(SEAT_BIDS) - 1
        elif view.bid_kind[seat] != NOT_YET:
            what = 1 + number
        x[_SEATS + (k - 1) * len(SEAT_BIDS) + what] = 1.0
        if k != 2:
            opponents += np.int64(view.bid_number[seat])
    x[_TABLE + table_bid - PASS] = 1.0
    partner_number = np.int64(view.bid_number[(me + 2) % rules.players])
    worth = hand_worth(TABLE, view)
    x[_WORTH] = worth / 4.0
    x[_WORTH + 1] = side_expectation(n, worth, partner_number, opponents) / 4.0
    x[_WORTH + 2] = hand_worth(BOARD_TABLE, view) / 4.0 if n < BOARD_TABLE.shape[0] else 0.0
    x[_WORTH + 3] = sure_tricks(view) / 4.0
    x[_WORTH + 4] = n / N_RANKS
    x[_WORTH + 5] = partner_number / 4.0
    x[_WORTH + 6] = opponents / 4.0
