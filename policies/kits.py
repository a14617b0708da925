"""The policies of each game, found by its rules."""

from __future__ import annotations

from backalley.envs.games import game_of
from backalley.envs.rule_set import RuleSet
from backalley.policies.back_alley.kit import BACK_ALLEY_KIT
from backalley.policies.kit import Kit
from backalley.policies.streets_and_alleys.kit import STREETS_KIT

KITS: tuple[Kit, ...] = (BACK_ALLEY_KIT, STREETS_KIT)


def kit_of(rules: RuleSet) -> Kit:
    """Return the policies of the game that plays by `rules`."""
    game = game_of(rules)
    return next(kit for kit in KITS if kit.game is game)
