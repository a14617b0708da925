"""Network inputs from Views: binary features and mask in a game's canonical form, and the way back."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from backalley.envs.legal import legal_sets
from backalley.envs.planes import PLANE
from backalley.envs.rule_set import Records, RuleSet
from backalley.policies.kits import kit_of


class Features:
    """Turns batches of Views into network inputs and the network's choices back into actions.

    Args:
        rules: the rule set.
        episode: episode kind; decides the layout.
    """

    def __init__(self, rules: RuleSet, episode: str = "deal") -> None:
        self._kit = kit_of(rules)
        self._record = rules.record()
        self._settings = self._kit.game.settings(episode, None)
        self._n_features = self._kit.n_features(rules, episode)
        self._row = np.zeros(self._n_features + PLANE, np.int8)

    def inputs(
        self, views: Records, legal: NDArray[np.int8]
    ) -> tuple[NDArray[np.int8], NDArray[np.int8], NDArray[np.int8]]:
        """Return features (n, n_features), masks (n, n_actions) and orders (n, order_length), all int8.

        Args:
            views: (n,) Views of the seats to act.
            legal: (n, n_actions) their masks in the original numbers.
        """
        n = len(views)
        orders = np.empty((n, self._kit.order_length), np.int8)
        features = np.empty((n, self._n_features), np.int8)
        masks = np.empty((n, self._kit.game.n_actions), np.int8)
        head = (self._record, self._settings, views.copy(), legal_sets(legal, self._kit.game.width))
        self._kit.loops.features_of_views(*head, orders, self._row, features, masks)
        return features, masks, orders

    def actions(self, choices: NDArray[np.integer[Any]], orders: NDArray[np.int8]) -> NDArray[np.int16]:
        """Return the actions (n,) int16 that the network's choices (n,) stand for."""
        actions = choices.astype(np.int16)
        self._kit.loops.original_actions(actions, orders)
        return actions
