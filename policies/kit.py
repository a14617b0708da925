"""What the policies of a game consist of: its scripted bots and the canonical form that its networks see."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backalley.envs.game import Game
from backalley.envs.kernel import specialise
from backalley.envs.table import Table
from backalley.policies import loops
from backalley.policies.base import Policy


@dataclass(frozen=True)
class Kit:
    """The policies of a game.

    Attributes:
        game: the game.
        bots: names of the scripted bots that kernels know by their number.
        anchors: those of them that training measures itself against.
        others: further policies by name, made by a function of the rules and the text behind the name's colon.
        best: name of the strongest of all of them.
        choose, write_features, original_action: kernels; see `loops` for what they do.
        canonical_action: kernel (action, order) → the action in the canonical form, the inverse of `original_action`.
        n_features: (rules, episode kind) → features of a network.
        order_length: entries of an order.
        advance: (table, bot of each seat (n, MAX_SEATS)) → None; lets bots act inside one kernel; None for one seat.
        loops: compiled loops over Views.
    """

    game: Game
    bots: tuple[str, ...]
    anchors: tuple[str, ...]
    others: Mapping[str, Callable[[Any, str], Policy]]
    best: str
    choose: Any
    write_features: Any
    original_action: Any
    canonical_action: Any
    n_features: Callable[[Any, str], int]
    order_length: int
    advance: Callable[[Table, NDArray[np.int8]], None] | None
    loops: SimpleNamespace

    def bot(self, name: str) -> int:
        """Return the number of a scripted bot."""
        return self.bots.index(name)

    def names(self) -> list[str]:
        """Return the names of all policies of the game but networks."""
        return [*self.bots, *self.others]


def make_kit(module: str, game: Game, **parts: Any) -> Kit:
    """Return a kit with its loops compiled under the name of a game's `module`."""
    hooks = {name: parts[name] for name in ("choose", "write_features", "original_action", "canonical_action")}
    return Kit(game=game, loops=specialise(vars(loops), module, game.name, WIDTH=game.width, **hooks), **parts)
