"""Network inputs from Views: relabelled cards, binary features, mask."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from backalley.envs.back_alley.actions import N_ACTIONS
from backalley.envs.back_alley.observation import write_mask, write_observation
from backalley.envs.back_alley.rules import Rules
from backalley.envs.cards import N_CARDS
from backalley.envs.game import Records
from backalley.envs.kernel import kernel
from backalley.envs.planes import PLANE, copy_bytes
from backalley.policies.canonical import ORDER_LENGTH, original_action, relabel_cards, relabel_view, write_order


@kernel
def write_features(
    rules: Any,
    view: Any,
    legal: NDArray[np.uint64],
    is_match: bool,
    order: NDArray[np.int8],
    features: NDArray[np.int8],
    mask: NDArray[np.int8],
) -> None:
    """Write what a network sees of a View, with its cards relabelled.

    Args:
        rules: record of dtype RULES.
        view: record of dtype STATE, a View; relabelled in place.
        legal: (2,) legal cards and bids in the original numbers; overwritten with the relabelled ones.
        is_match: whether the layout is that of matches.
        order: (6,) int8, overwritten; see `canonical`.
        features: (≥ layout.size + PLANE,) int8, overwritten; what lies behind layout.size is scratch.
        mask: (n_actions,) int8, overwritten.
    """
    write_order(view, order)
    relabel_view(rules, view, order)
    legal[0] = relabel_cards(legal[0], order)
    write_observation(rules, view, legal[0], is_match, features)
    write_mask(legal, mask)


@kernel
def _features_of_views(
    rules: Any, views: Any, legal: Any, is_match: Any, orders: Any, row: Any, features: Any, masks: Any
) -> None:
    flat = features.reshape(-1)
    size = features.shape[1]
    for i in range(views.shape[0]):
        write_features(rules[0], views[i], legal[i], is_match, orders[i], row, masks[i])
        copy_bytes(row, 0, flat, i * size, size)


@kernel
def _original_actions(actions: Any, orders: Any) -> None:
    for i in range(actions.shape[0]):
        actions[i] = original_action(np.int64(actions[i]), orders[i])


_CARD_SHIFTS = np.arange(N_CARDS, dtype=np.uint64)
_BID_SHIFTS = np.arange(N_ACTIONS - N_CARDS, dtype=np.uint64)


class Features:
    """Turns batches of Views into network inputs and the network's choices back into actions.

    Args:
        rules: the rule set.
        n_features: size of its observation layout.
        n_actions: size of the action numbering.
        episode: `"deal"` or `"match"`.
    """

    def __init__(self, rules: Rules, n_features: int, n_actions: int, episode: str = "deal") -> None:
        self._record = rules.record()
        self._n_features = n_features
        self._n_actions = n_actions
        self._row = np.zeros(n_features + PLANE, np.int8)
        self._is_match = episode == "match"

    def inputs(
        self, views: Records, legal: NDArray[np.int8]
    ) -> tuple[NDArray[np.int8], NDArray[np.int8], NDArray[np.int8]]:
        """Return features (n, n_features), masks (n, n_actions) and orders (n, 6), all int8.

        Args:
            views: (n,) Views of the seats to act.
            legal: (n, n_actions) their masks in the original numbers.
        """
        n = len(views)
        bits = np.empty((n, 2), np.uint64)
        flags = legal.astype(np.uint64)
        bits[:, 0] = (flags[:, :N_CARDS] << _CARD_SHIFTS).sum(1)
        bits[:, 1] = (flags[:, N_CARDS:] << _BID_SHIFTS).sum(1)
        orders = np.empty((n, ORDER_LENGTH), np.int8)
        features = np.empty((n, self._n_features), np.int8)
        masks = np.empty((n, self._n_actions), np.int8)
        _features_of_views(self._record, views.copy(), bits, self._is_match, orders, self._row, features, masks)
        return features, masks, orders

    @staticmethod
    def actions(choices: NDArray[np.integer[Any]], orders: NDArray[np.int8]) -> NDArray[np.int16]:
        """Return the actions (n,) int16 that the network's choices (n,) stand for."""
        actions = np.ascontiguousarray(choices, np.int16).copy()
        _original_actions(actions, orders)
        return actions
