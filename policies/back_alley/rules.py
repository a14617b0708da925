"""The rule bot `rules`: bids from what each card was worth, plays the card with the best expected effect.

Both halves weigh features a card player would name; the numbers lie in CSV tables beside this file, one named column a
feature, and the modules say how they were fitted. Bids come from one of two places: `rules_bidding` knows the
partnership game by heart; `rules_values` reckons by the points of any rule set. Where two pairs play, small nets
correct both halves (`rules_net`). What only some rule sets have (redeals, doubles, bostons, rainbows) is decided here.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from backalley.envs.back_alley.actions import ALL_TRICKS, BOSTON, NO_RAISE, PASS, RAINBOW, RAISE, REDEAL
from backalley.envs.back_alley.bidding import BIDS_WITHOUT_BOARD
from backalley.envs.back_alley.options import BOSTON_TRICKS
from backalley.envs.back_alley.rainbow import REQUIRED, is_rainbow
from backalley.envs.back_alley.scoring import BOSTON_POINTS
from backalley.envs.cards import NO_TRUMP, ZERO, bit, has
from backalley.envs.kernel import kernel
from backalley.policies.back_alley.estimates import run_chance, wins_all
from backalley.policies.back_alley.rules_bidding import bids_by_heart, is_known
from backalley.policies.back_alley.rules_net import choose_by_net
from backalley.policies.back_alley.rules_play import choose_card
from backalley.policies.back_alley.rules_values import best_number, board_value, choose_by_value, rainbow_bonus
from backalley.policies.back_alley.simple import RAINBOW_BIDS, announced, nearest_number


@kernel
def rules_action(rules: Any, view: Any, cards: np.uint64, bids: np.uint64, nets: bool) -> int:
    """Return the action of `rules` for the View's observer, or that of `tables`.

    Args:
        rules: record of dtype RULES.
        view: record of dtype STATE, a View with high twos in the jokers' places.
        cards, bids: what is legal.
        nets: let the nets correct the tables.
    """
    return choose_bid(rules, view, bids, nets) if bids != ZERO else choose_card(rules, view, cards, nets)


@kernel
def choose_bid(rules: Any, view: Any, legal_bids: np.uint64, nets: bool) -> int:
    """Return what `rules` does outside the play; bit k of `legal_bids` stands for action 54 + k."""
    if has(legal_bids, REDEAL - PASS):
        return REDEAL
    if has(legal_bids, NO_RAISE - PASS):
        return RAISE if wins_all(rules, view) > 0.5 else NO_RAISE
    if has(legal_bids, BOSTON - PASS) and _bids_boston(rules, view, legal_bids):
        return BOSTON
    if is_known(rules):
        bid = bids_by_heart(rules, view, legal_bids)
        if nets and view.hand_size > 1:  # with one card the table is near an equilibrium
            bid = choose_by_net(rules, view, legal_bids, bid)
    else:
        bid = choose_by_value(rules, view, legal_bids)
    if legal_bids >> np.uint64(RAINBOW - PASS) & RAINBOW_BIDS == ZERO:
        return bid
    return _with_rainbow(rules, view, legal_bids, bid)


@kernel
def _bids_boston(rules: Any, view: Any, legal_bids: np.uint64) -> bool:
    """Say whether a boston pays more than any number; with trumps in play only if I may lead them (BA-76)."""
    if view.trump != NO_TRUMP and not rules.boston_trump_lead:
        return False
    chance = run_chance(rules, view, np.int64(BOSTON_TRICKS))
    return (2.0 * chance - 1.0) * BOSTON_POINTS > best_number(rules, view, legal_bids & BIDS_WITHOUT_BOARD)[1]


@kernel
def _with_rainbow(rules: Any, view: Any, legal_bids: np.uint64, bid: int) -> int:
    """Return the bid with the announcement of a rainbow where that pays (BA-64, BA-65)."""
    if not is_rainbow(rules, view, view.hands[view.observer]):
        return bid
    if rules.rainbow != REQUIRED:
        return announced(rules, legal_bids, bid)
    rainbow_bids = legal_bids >> np.uint64(RAINBOW - PASS) & BIDS_WITHOUT_BOARD
    bonus = rainbow_bonus(rules, view)
    if bid == ALL_TRICKS:
        plain = board_value(rules, view)
    else:
        plain = best_number(rules, view, legal_bids & bit(bid - PASS))[1]
    number = nearest_number(rainbow_bids, bid - PASS)
    if best_number(rules, view, bit(number))[1] + bonus <= plain:
        return bid
    return RAINBOW + number
