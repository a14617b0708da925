"""The layout of the observation: its blocks of binary features, which `observation` writes in the same order."""

from __future__ import annotations

from backalley.envs.cards import CARD_NAMES, N_RANKS, N_SUITS, SUIT_NAMES
from backalley.envs.layout import Block, Layout, product, thermometer
from backalley.envs.streets_and_alleys.actions import N_PILES
from backalley.envs.streets_and_alleys.rules import StreetsRules
from backalley.envs.streets_and_alleys.state import LONGEST_PILE

N_SUIT_CARDS = N_RANKS * N_SUITS
MOVE_STEPS = 16
"""Parts of the moves that are allowed; a feature says that one more has been used up."""

_CARDS = CARD_NAMES[:N_SUIT_CARDS]
_PILES = tuple(f"T{pile + 1}" for pile in range(N_PILES))


def observation_layout(rules: StreetsRules, episode: str = "deal") -> Layout:
    """Return the layout, the same for all rule sets; `episode` can only be `"deal"`."""
    depths = tuple(f"under {depth}" if depth else "on top" for depth in range(LONGEST_PILE))
    over_next = product(SUIT_NAMES, thermometer(LONGEST_PILE - 1))
    return Layout(
        [
            Block("depth", "cards with so many others of their pile on them", product(depths, _CARDS)),
            Block("piles", "cards of each pile", product(_PILES, _CARDS)),
            Block("up", "cards on the foundations", _CARDS),
            Block("next", "the card that each foundation takes next", _CARDS),
            Block("ready", "top cards that their foundation takes", _CARDS),
            Block("tails", "the deepest card of each pile's run", _CARDS),
            Block("under_runs", "the card below each pile's run", _CARDS),
            Block("above_next", "how many cards lie on the next card of each suit", over_next),
            Block("runs", "length of each pile's run", product(_PILES, thermometer(N_RANKS))),
            Block("empty", "empty piles", _PILES),
            Block("falling", "piles in which ranks never rise from base to top (SA-33)", _PILES),
            Block("moves", "part of the allowed moves used up", thermometer(MOVE_STEPS - 1, "sixteenths≥")),
        ]
    )
