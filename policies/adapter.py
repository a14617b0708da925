"""Seats any model at a table that knows observations and masks only.

>>> from backalley.envs import Rules
>>> lowest = ModelPolicy(lambda observations, masks: masks.argmax(1), Rules.preset("partnership"), name="lowest")
>>> from backalley.train.evaluate import evaluate
>>> evaluate(lowest, "simple", Rules.preset("partnership"), pairs=26).mean < 0
True
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from backalley.envs.games import game_of
from backalley.envs.planes import PLANE
from backalley.envs.rule_set import Records, RuleSet

Model = Callable[[NDArray[np.int8], NDArray[np.int8]], ArrayLike]
"""Observations (n, size) and masks (n, n_actions), both int8, to actions (n,) or logits (n, n_actions)."""


def observe_views(rules: RuleSet, views: Records, legal: NDArray[np.int8], episode: str = "deal") -> NDArray[np.int8]:
    """Return the observations (n, size) int8 of Views, as the environments show them.

    Args:
        rules: the rule set.
        views: (n,) Views of the seats to act.
        legal: (n, n_actions) int8 their masks.
        episode: episode kind; decides the layout.
    """
    game = game_of(rules)
    size = game.layout(rules, episode).size
    observations = np.empty((len(views), size), np.int8)
    scratch = np.zeros(game.n_words, np.uint64), np.zeros(size + PLANE, np.int8)
    head = (rules.record(), game.settings(episode, None), views, np.ascontiguousarray(legal))
    game.loops.observe_views(*head, *scratch, observations)
    return observations


class ModelPolicy:
    """A policy from a model of any framework.

    Args:
        model: see `Model`; of logits the highest legal one is taken.
        rules: the rule set.
        episode: episode kind the model was trained on.
        name: name in results.
    """

    def __init__(self, model: Model, rules: RuleSet, *, episode: str = "deal", name: str = "model") -> None:
        self.name = name
        self.model = model
        self._rules = rules
        self._episode = episode

    def act(self, views: Records, legal: NDArray[np.int8], rng: np.random.Generator) -> NDArray[np.int16]:
        """Return an action for each View; see `base.Policy`.

        Raises:
            ValueError: the model returned neither actions (n,) nor logits (n, n_actions).
        """
        answer = np.asarray(self.model(observe_views(self._rules, views, legal, self._episode), legal.copy()))
        n, n_actions = legal.shape
        if answer.shape == (n, n_actions):
            answer = np.where(legal > 0, answer, -np.inf).argmax(1)
        if answer.shape != (n,):
            raise ValueError(
                f"model of policy {self.name!r} returned shape {answer.shape}: expected actions ({n},) or logits "
                f"({n}, {n_actions})"
            )
        return answer.astype(np.int16)
