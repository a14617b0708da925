"""Seats any model at a table that knows observations and masks only.

>>> from backalley.envs import Rules
>>> lowest = ModelPolicy(lambda observations, masks: masks.argmax(1), Rules.preset("partnership"), name="lowest")
>>> from backalley.train.evaluate import evaluate
>>> evaluate(lowest, "simple", Rules.preset("partnership"), pairs=26).mean < 0
True
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from backalley.envs import Rules
from backalley.envs.back_alley.actions import N_ACTIONS
from backalley.envs.back_alley.blocks import observation_layout
from backalley.envs.back_alley.observation import write_observation
from backalley.envs.cards import N_CARDS, ZERO, bit
from backalley.envs.game import Records
from backalley.envs.kernel import kernel
from backalley.envs.planes import PLANE, copy_bytes

Model = Callable[[NDArray[np.int8], NDArray[np.int8]], ArrayLike]
"""Observations (n, size) and masks (n, n_actions), both int8, to actions (n,) or logits (n, n_actions)."""


@kernel
def _observe_views(rules: Any, views: Any, legal: NDArray[np.int8], is_match: bool, row: Any, out: Any) -> None:
    """Write the observation of each View into `out` (n, size); `row` is scratch."""
    flat = out.reshape(-1)
    size = out.shape[1]
    for i in range(views.shape[0]):
        cards = ZERO
        for card in range(N_CARDS):
            if legal[i, card] != 0:
                cards |= bit(card)
        write_observation(rules[0], views[i], cards, is_match, row)
        copy_bytes(row, 0, flat, i * size, size)


def observe_views(rules: Rules, views: Records, legal: NDArray[np.int8], episode: str = "deal") -> NDArray[np.int8]:
    """Return the observations (n, size) int8 of Views, as the environments show them.

    Args:
        rules: the rule set.
        views: (n,) Views of the seats to act.
        legal: (n, n_actions) int8 their masks.
        episode: `"deal"` or `"match"`; decides the layout.
    """
    size = observation_layout(rules, episode).size
    observations = np.empty((len(views), size), np.int8)
    row = np.zeros(size + PLANE, np.int8)
    _observe_views(rules.record(), views, np.ascontiguousarray(legal), episode == "match", row, observations)
    return observations


class ModelPolicy:
    """A policy from a model of any framework.

    Args:
        model: see `Model`; of logits the highest legal one is taken.
        rules: the rule set.
        episode: episode kind the model was trained on.
        name: name in results.
    """

    def __init__(self, model: Model, rules: Rules, *, episode: str = "deal", name: str = "model") -> None:
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
        n = len(views)
        if answer.shape == (n, N_ACTIONS):
            answer = np.where(legal > 0, answer, -np.inf).argmax(1)
        if answer.shape != (n,):
            raise ValueError(
                f"model of policy {self.name!r} returned shape {answer.shape}: expected actions ({n},) or logits "
                f"({n}, {N_ACTIONS})"
            )
        return answer.astype(np.int16)
