"""The games there are, found by their rules or by the name of a preset.

>>> make_rules("gamerules", bb_partner="lowest").n_deals
25
>>> game_of(make_rules("beleaguered_castle")).name
'streets_and_alleys'
"""

from __future__ import annotations

from typing import Any

from backalley.envs.back_alley.game import BACK_ALLEY
from backalley.envs.errors import unknown
from backalley.envs.game import Game
from backalley.envs.rule_set import RuleSet
from backalley.envs.streets_and_alleys.game import STREETS_AND_ALLEYS

GAMES: tuple[Game, ...] = (BACK_ALLEY, STREETS_AND_ALLEYS)


def game_of(rules: RuleSet) -> Game:
    """Return the game that plays by `rules`."""
    return next(game for game in GAMES if isinstance(rules, game.rules))


def preset_names() -> list[str]:
    """Return the names of all presets of all games, game by game."""
    return [name for game in GAMES for name in game.rules.PRESETS]


def make_rules(preset: str, **options: Any) -> RuleSet:
    """Return a named rule set of whichever game has it, with some options overridden.

    Raises:
        UnknownName: no game has a preset of that name, or its game no such option.
        InvalidRules: an option has an impossible value, or two exclude each other.
    """
    for game in GAMES:
        if preset in game.rules.PRESETS:
            return game.rules.preset(preset, **options)
    raise unknown("preset", preset, preset_names())
