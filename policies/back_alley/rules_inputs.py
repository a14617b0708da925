"""What the nets of `rules` see beside the named features: the scene, the card, and the bidding."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from backalley.envs.back_alley.play import suit_group
from backalley.envs.back_alley.state import ALL_TRICKS_BID
from backalley.envs.cards import LITTLE_JOKER, N_RANKS, NO_TRUMP, ZERO, below, has, n_bits
from backalley.envs.kernel import kernel
from backalley.policies.back_alley.chances import is_second, is_top, survives
from backalley.policies.back_alley.rules_features import FEATURES, PLACES
from backalley.policies.back_alley.rules_scene import Scene, rank_share

OTHERS = 3
"""Seats after the observer that are looked at one by one."""
CARD_INPUTS = (
    "is_trump", "follows", "rank", "joker", "takes", "wins", "partner_beats_it", "higher_out", "none_higher",
    "one_higher", "lower_out", "higher_mine", "lower_mine", "alone", "top_chance", "second_chance", "suit_seen",
    *(f"seat_{k}_{what}" for k in range(1, OTHERS + 1) for what in ("void", "no_trumps", "showed_suit")),
)  # fmt: skip
"""Of a card: what it is, what it does to the trick, the cards of its suit, and what is known of the others."""
SMALL_COUNTS = 5  # the last one stands for as many or more
SCENE_INPUTS = (
    *(f"place_{k}" for k in range(PLACES)),
    *(f"left_{k}" for k in range(1, SMALL_COUNTS + 1)),
    *(f"{who}_{what}_{k}" for who in ("mine", "theirs") for what in ("needs", "spare") for k in range(SMALL_COUNTS)),
    *(f"seat_{k}_{what}" for k in range(OTHERS + 1) for what in ("bid", "all_tricks", "tricks")),
    "left", "hand_size", "n_trumps", "expected_trumps", "possible_trumps", "share", "tops", "no_trump", "n_masters",
    "n_legal", "partner_holds", "trump_holds", "rank_holds", "holds_chance",
)  # fmt: skip
"""Of the scene, alike for all cards: whose turn it is, what the sides need, the bids, the trumps, the trick."""
INPUTS = (*FEATURES, *CARD_INPUTS, *SCENE_INPUTS)
"""Columns of the net's first layer. Counts are divided so that most of them lie between 0 and 1."""
N_FEATURES, N_INPUTS = len(FEATURES), len(INPUTS)
CARD_START = N_FEATURES
SCENE_START = CARD_START + len(CARD_INPUTS)


@kernel
def _write_one_of(x: NDArray[np.float32], at: int, n: int, k: int) -> int:
    """Write 1 into one of `n` inputs, the last for n - 1 or more, and return where the next ones begin."""
    x[at + min(max(k, 0), n - 1)] = 1.0
    return at + n


@kernel
def write_scene_inputs(rules: Any, view: Any, scene: Scene, legal: np.uint64, x: NDArray[np.float32]) -> None:
    """Write `SCENE_INPUTS` into `x` (N_INPUTS,), where they must be zero."""
    me = np.int64(view.observer)
    at = _write_one_of(x, SCENE_START, PLACES, np.int64(view.n_in_trick))
    at = _write_one_of(x, at, SMALL_COUNTS, np.int64(scene.left) - 1)
    at = _write_one_of(x, at, SMALL_COUNTS, np.int64(scene.mine))
    at = _write_one_of(x, at, SMALL_COUNTS, np.int64(scene.left - scene.mine) + 1)
    at = _write_one_of(x, at, SMALL_COUNTS, np.int64(scene.theirs))
    at = _write_one_of(x, at, SMALL_COUNTS, np.int64(scene.left - scene.theirs) + 1)
    for k in range(min(OTHERS + 1, rules.players)):
        seat = (me + k) % rules.players
        x[at + 3 * k] = view.bid_number[seat] / 4.0
        x[at + 3 * k + 1] = view.bid_kind[seat] == ALL_TRICKS_BID
        x[at + 3 * k + 2] = view.tricks_won[seat] / 4.0
    at += 3 * (OTHERS + 1)
    x[at] = scene.left / N_RANKS
    x[at + 1] = view.hand_size / N_RANKS
    x[at + 2] = scene.n_trumps / 4.0
    x[at + 3] = scene.expected_trumps / 4.0
    x[at + 4] = scene.possible_trumps / 8.0
    x[at + 5] = scene.share
    x[at + 6] = scene.tops / 4.0
    x[at + 7] = view.trump == NO_TRUMP
    x[at + 8] = n_bits(scene.masters) / 4.0
    x[at + 9] = n_bits(legal) / 8.0
    if view.n_in_trick > 0:
        holding = np.int64(view.trick_card)
        x[at + 10] = rules.side[view.trick_holder] == rules.side[me]
        x[at + 11] = has(scene.trumps, holding)
        x[at + 12] = rank_share(holding)
        if view.led >= 0:
            led = suit_group(scene.trumps, np.int64(view.led))
            x[at + 13] = survives(rules, view, scene.trumps, led, holding, scene.unseen)


@kernel
def write_card_inputs(
    rules: Any,
    view: Any,
    scene: Scene,
    card: int,
    led: np.uint64,
    takes: bool,
    wins: float,
    partner: float,
    x: NDArray[np.float32],
) -> None:
    """Write `CARD_INPUTS` into `x` (N_INPUTS,).

    Args:
        rules, view: records.
        scene: what is the same for all cards.
        card: the card.
        led: the suit led; the card's own for a lead.
        takes: it would hold the trick so far.
        wins, partner: chances that it wins the trick, and that partner beats what then holds it.
        x: overwritten from `CARD_START` on.
    """
    own = suit_group(scene.trumps, card)
    outside = scene.elsewhere & own
    held = scene.hand & own
    n_higher = n_bits(outside & ~below(card + 1))
    at = CARD_START
    x[at] = has(scene.trumps, card)
    x[at + 1] = own == led
    x[at + 2] = rank_share(card)
    x[at + 3] = card >= LITTLE_JOKER
    x[at + 4] = takes
    x[at + 5] = wins
    x[at + 6] = partner
    x[at + 7] = n_higher / 4.0
    x[at + 8] = n_higher == 0
    x[at + 9] = n_higher == 1
    x[at + 10] = n_bits(outside & below(card)) / 4.0
    x[at + 11] = n_bits(held & ~below(card + 1)) / 4.0
    x[at + 12] = n_bits(held & below(card)) / 4.0
    x[at + 13] = n_bits(held) == 1
    x[at + 14] = is_top(outside, card, scene.share)
    x[at + 15] = is_second(outside, card, scene.share)
    seen = ZERO
    for seat in range(rules.players):
        seen |= view.played[seat]
    x[at + 16] = n_bits(seen & own) / 8.0
    at += 17
    for k in range(1, min(OTHERS + 1, rules.players)):
        seat = (view.observer + k) % rules.players
        possible = scene.unseen & ~view.cannot_hold[seat]
        x[at] = possible & own == ZERO
        x[at + 1] = possible & scene.trumps == ZERO
        x[at + 2] = view.played[seat] & own != ZERO
        at += 3
