"""How `rules` plays when it wants no more tricks: where the score is for the exact count, or overtricks cost points."""

from __future__ import annotations

from typing import Any

import numpy as np

from backalley.envs.back_alley.play import strength, suit_group
from backalley.envs.back_alley.scoring import EXACT_TEN, scored_alone
from backalley.envs.back_alley.state import NUMBER, PASSED
from backalley.envs.cards import has
from backalley.envs.kernel import kernel
from backalley.policies.back_alley.chances import is_second, is_top, survives
from backalley.policies.back_alley.rules_scene import Scene, rank_share

DANGER, RANK = 0.25, 0.05
"""What getting rid of a card that might win later is worth, against losing this trick; and of a high card."""


@kernel
def is_ducking(rules: Any, view: Any) -> bool:
    """Say whether the observer's unit has made its bid and one more trick would cost points (BAW-14, BAW-17)."""
    if rules.score != EXACT_TEN and rules.bag_limit <= 0:
        return False
    me = np.int64(view.observer)
    alone = scored_alone(rules, view)
    spare = 0
    for seat in range(rules.players):
        if seat == me or (not alone and rules.side[seat] == rules.side[me]):
            if view.bid_kind[seat] not in (NUMBER, PASSED):
                return False
            spare += view.tricks_won[seat] - view.bid_number[seat]
    return spare == 0 if rules.score == EXACT_TEN else spare >= max(0, rules.bag_limit - view.bags[me])


@kernel
def duck_value(rules: Any, view: Any, scene: Scene, card: int) -> float:
    """Return the judgement of a legal card by one who wants no more tricks: it should lose, the higher the better."""
    own = suit_group(scene.trumps, card)
    led = own if view.led < 0 else suit_group(scene.trumps, np.int64(view.led))
    wins = 0.0
    if view.n_in_trick == 0 or strength(view, led, card) > strength(view, led, np.int64(view.trick_card)):
        wins = survives(rules, view, scene.trumps, led, card, scene.unseen)
    outside = scene.elsewhere & own
    danger = is_top(outside, card, scene.share) + 0.5 * is_second(outside, card, scene.share)
    return DANGER * (danger + (1.0 if has(scene.trumps, card) else 0.0)) + RANK * rank_share(card) - wins
