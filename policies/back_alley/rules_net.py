"""The small nets by which `rules` corrects its tables: one for cards, one for bids; `tables` is the bot without them.

Each has two hidden layers of rectified units. Only inputs that are not zero cost time, and those of the scene are added
up once for all cards of a decision. Layer k of a net lies in `rules_…_net_k.csv`, a row for each unit.

They were fitted by replaying decisions of `partnership`: every legal bid or card was played out to the end of the same
deal, and what it gained over the mean of the legal ones was the target. Of 9.7 million bids and as many cards about
three in five were made against `tables`, a third against `simple`, the others against `rules` of the round before.
Partner played like `tables`, and like `rules` of the round before in the last two rounds (2.7 million bids, 2.5 million
cards; those of the last round count twice). Opponents of several kinds are needed: nets fitted without `simple` beat
`tables` by as much, and did a point worse than it against `simple`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from backalley.envs.back_alley.actions import ALL_TRICKS, PASS
from backalley.envs.back_alley.state import ALL_TRICKS_BID
from backalley.envs.cards import ONE, ZERO, below, bit, has
from backalley.envs.kernel import kernel
from backalley.policies.back_alley.rules_bid_inputs import BID_INPUTS, N_BID_INPUTS, write_bid_inputs
from backalley.policies.back_alley.rules_bidding import sure_tricks
from backalley.policies.back_alley.rules_inputs import INPUTS, N_INPUTS, SCENE_START
from backalley.policies.back_alley.tables import load_layer, unit_names

CARD_1, CARD_BIAS_1 = load_layer("rules_card_net_1.csv", INPUTS)
CARD_2, CARD_BIAS_2 = load_layer("rules_card_net_2.csv", unit_names(CARD_BIAS_1))
CARD_3, CARD_BIAS_3 = load_layer("rules_card_net_3.csv", unit_names(CARD_BIAS_2))
N_CARD_1, N_CARD_2 = len(CARD_BIAS_1), len(CARD_BIAS_2)
BID_1, BID_BIAS_1 = load_layer("rules_bid_net_1.csv", BID_INPUTS)
BID_2, BID_BIAS_2 = load_layer("rules_bid_net_2.csv", unit_names(BID_BIAS_1))
BID_3, BID_BIAS_3 = load_layer("rules_bid_net_3.csv", unit_names(BID_BIAS_2))
BID_DIRECT, _ = load_layer("rules_bid_net_direct.csv", BID_INPUTS)
"""(inputs, bids) what each input adds to each bid by itself."""


@kernel(inline=True)
def add_rows(
    x: NDArray[np.float32],
    start: int,
    stop: int,
    weights: NDArray[np.float32],
    nonzero: NDArray[np.int64],
    sums: NDArray[np.float32],
) -> None:
    """Add x[start:stop] times their rows of `weights` (inputs, units) to `sums` (units,).

    The inputs that are not zero are listed in `nonzero` (≥ stop - start,) first, without a branch. The function is
    copied into its callers because with a table known there the inner loop has a fixed length, three times as fast.
    """
    n = 0
    for i in range(start, stop):
        nonzero[n] = i
        n += x[i] != 0.0
    for k in range(n):
        i = nonzero[k]
        value = x[i]
        for unit in range(weights.shape[1]):
            sums[unit] += value * weights[i, unit]


@kernel(inline=True)
def rectify(units: NDArray[np.float32]) -> None:
    """Put 0 in the place of what is negative."""
    for i in range(units.shape[0]):
        units[i] = max(units[i], np.float32(0.0))


@kernel
def is_corrected(rules: Any) -> bool:
    """Say whether the card net is for these rules: two pairs."""
    return rules.players == 4 and rules.n_sides == 2


@kernel
def scene_sums(x: NDArray[np.float32], nonzero: NDArray[np.int64]) -> NDArray[np.float32]:
    """Return the sums of the first layer over the inputs that are the same for all cards, (units,)."""
    sums = CARD_BIAS_1.copy()
    add_rows(x, SCENE_START, N_INPUTS, CARD_1, nonzero, sums)
    return sums


@kernel
def card_correction(
    x: NDArray[np.float32], scene: NDArray[np.float32], nonzero: NDArray[np.int64], units: NDArray[np.float32]
) -> float:
    """Return what is to be added to the table's judgement of a card.

    Args:
        x: (N_INPUTS,) of the card.
        scene: (N_CARD_1,) from `scene_sums`.
        nonzero: (N_INPUTS,) scratch.
        units: (N_CARD_1 + N_CARD_2,) scratch.
    """
    first, second = units[:N_CARD_1], units[N_CARD_1:]
    first[:] = scene
    add_rows(x, 0, SCENE_START, CARD_1, nonzero, first)
    rectify(first)
    second[:] = CARD_BIAS_2
    add_rows(first, 0, N_CARD_1, CARD_2, nonzero, second)
    value = CARD_BIAS_3[0]
    for i in range(N_CARD_2):
        value += max(second[i], np.float32(0.0)) * CARD_3[i, 0]
    return np.float64(value)


@kernel
def _worth_considering(rules: Any, view: Any, legal_bids: np.uint64) -> np.uint64:
    """Return the bids that the net may choose from.

    A number beside partner's board does not count (BA-50), and tricks that cannot be lost are bid unless partner has
    named a number.
    """
    partner = (view.observer + 2) % rules.players
    if view.bid_kind[partner] == ALL_TRICKS_BID:
        return legal_bids & (ONE | bit(ALL_TRICKS - PASS))
    if view.bid_number[partner] == 0 and view.n_boards == 0:
        sure = legal_bids & ~below(sure_tricks(view))
        return sure if sure != ZERO else legal_bids
    return legal_bids


@kernel
def choose_by_net(rules: Any, view: Any, legal_bids: np.uint64, table_bid: int) -> int:
    """Return the plain bid that the net values most, the lowest action where it values bids alike.

    Args:
        rules: record of dtype RULES, of two pairs.
        view: record of dtype STATE, a View in the bidding.
        legal_bids: bit k stands for action 54 + k.
        table_bid: action that the tables say.
    """
    x = np.zeros(N_BID_INPUTS, np.float32)
    write_bid_inputs(rules, view, table_bid, x)
    nonzero = np.empty(N_BID_INPUTS, np.int64)
    first = BID_BIAS_1.copy()
    add_rows(x, 0, N_BID_INPUTS, BID_1, nonzero, first)
    rectify(first)
    second = BID_BIAS_2.copy()
    add_rows(first, 0, first.shape[0], BID_2, nonzero, second)
    rectify(second)
    values = BID_BIAS_3.copy()
    add_rows(second, 0, second.shape[0], BID_3, nonzero, values)
    add_rows(x, 0, N_BID_INPUTS, BID_DIRECT, nonzero, values)
    bids = _worth_considering(rules, view, legal_bids)
    best = table_bid
    best_value = np.float32(-np.inf)
    for k in range(values.shape[0]):
        if has(bids, k) and values[k] > best_value:
            best = PASS + k
            best_value = values[k]
    return best
