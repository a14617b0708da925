"""OpenSpiel's bots as policies, and the sampler that its searches on our games need.

    from backalley.policies.open_spiel import BotPolicy, ismcts_bot
    evaluate(BotPolicy(ismcts_bot(sims=50), rules), "simple", rules, pairs=26)

A bot wants a state; a seat has a View. So each decision begins from a world of the View, drawn at random, and the bot
is told nothing else: what it makes of hidden cards of this world is a guess. Bots that resample, as ISMCTS does, draw
theirs from what the seat knows.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backalley.envs.api.open_spiel import BackAlleyGame, set_worlds
from backalley.envs.back_alley.rules import Rules
from backalley.envs.rule_set import Records
from backalley.policies.back_alley.worlds import Sampler

MakeBot = Callable[[BackAlleyGame, int, int], Any]
"""(game, player, seed) → an OpenSpiel bot: an object with `step(state) → action`."""


def _worlds(rules: Rules) -> Callable[[Records, int], Records]:
    sampler = Sampler(rules)
    return lambda view, seed: sampler.draw(view, 1, seed)[0]


set_worlds(_worlds)


def game_of(rules: Rules, **parameters: Any) -> BackAlleyGame:
    """Return the OpenSpiel game of a rule set.

    Args:
        rules: any rule set, also one that no preset names.
        **parameters: further ones of the game, see `backalley.envs.api.open_spiel`.
    """
    options = ";".join(f"{name}:{_text(value)}" for name, value in rules.differences().items())
    return BackAlleyGame({"options": options, **parameters})


def _text(value: Any) -> str:
    """Return the value of an option as parameters of OpenSpiel have it."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, list | tuple):
        return "/".join(":".join(map(str, entry)) if isinstance(entry, list | tuple) else str(entry) for entry in value)
    return "none" if value is None else str(value)


class BotPolicy:
    """A policy from OpenSpiel bots.

    A bot is made for each decision, with a seed from the generator that `act` is handed: same generator, same play.

    Args:
        make_bot: see `MakeBot`.
        rules: rule set.
        name: name in results.
    """

    def __init__(self, make_bot: MakeBot, rules: Rules, *, name: str = "open_spiel") -> None:
        self.name = name
        self.game = game_of(rules)
        self._make_bot = make_bot
        self._draw = _worlds(rules)

    def act(self, views: Records, legal: NDArray[np.int8], rng: np.random.Generator) -> NDArray[np.int16]:
        """Return an action for each View; see `base.Policy`.

        Raises:
            ValueError: the bot returned an action that is not legal.
        """
        actions = np.empty(len(views), np.int16)
        for i in range(len(views)):
            world_seed, bot_seed = rng.integers(0, 2**31, 2).tolist()
            choices = np.flatnonzero(legal[i])
            actions[i] = choices[0] if len(choices) == 1 else self._decide(views[i : i + 1], world_seed, bot_seed)
            if not legal[i, actions[i]]:
                raise ValueError(f"bot of policy {self.name!r} chose {actions[i]}, legal are {choices.tolist()}")
        return actions

    def _decide(self, view: Records, world_seed: int, bot_seed: int) -> int:
        player = int(view["observer"][0])
        state = self.game.state_of(self._draw(view, world_seed))
        return int(self._make_bot(self.game, player, bot_seed).step(state))


class RandomPlayouts:
    """OpenSpiel's evaluator by random playouts, those of the engine: no OpenSpiel step in between.

    Args:
        n_playouts: how many for a leaf.
        rng: source of their randomness.
    """

    def __init__(self, n_playouts: int, rng: np.random.Generator) -> None:
        self.n_playouts = n_playouts
        self.rng = rng

    def evaluate(self, state: Any) -> NDArray[np.float64]:
        """Return the mean returns of the players, (players,)."""
        streams = self.rng.integers(0, 2**64, (self.n_playouts, 4), np.uint64)
        return np.mean([state.position.play_out(stream) for stream in streams], axis=0)  # type: ignore[no-any-return]

    def prior(self, state: Any) -> list[tuple[int, float]]:
        """Return the legal actions, each equally likely."""
        legal = state.legal_actions()
        return [(action, 1.0 / len(legal)) for action in legal]


def ismcts_bot(sims: int = 100, *, uct_c: float = 20.0, playouts: int = 1) -> MakeBot:
    """Return what makes OpenSpiel's ISMCTS bots (Cowling, Powley and Whitehouse 2012), with random playouts.

    Args:
        sims: simulations for a decision.
        uct_c: weight of exploration, in points.
        playouts: random playouts for a leaf.
    """
    from open_spiel.python.algorithms.ismcts import ISMCTSBot

    def make(game: BackAlleyGame, player: int, seed: int) -> Any:
        rng = np.random.default_rng(seed)
        evaluator = RandomPlayouts(playouts, rng)
        bot = ISMCTSBot(game, evaluator, uct_c, sims, random_state=np.random.RandomState(seed))
        bot.set_resampler(lambda state, seat: state.resample_from_infostate(seat, rng.random))
        return bot

    return make
