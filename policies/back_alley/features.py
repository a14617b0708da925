"""Network inputs from Views: relabelled cards, binary features, mask."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from backalley.envs.back_alley.actions import N_ACTIONS, WIDTH
from backalley.envs.back_alley.observation import write_observation
from backalley.envs.kernel import kernel
from backalley.envs.legal import write_mask
from backalley.policies.back_alley.canonical import relabel_cards, relabel_view, write_order


@kernel
def write_features(
    rules: Any,
    settings: Any,
    view: Any,
    legal: NDArray[np.uint64],
    order: NDArray[np.int8],
    features: NDArray[np.int8],
    mask: NDArray[np.int8],
) -> None:
    """Write what a network sees of a View, with its cards relabelled.

    Args:
        rules: record of dtype RULES.
        settings: record of dtype SETTINGS; says whether the layout is that of matches.
        view: record of dtype STATE, a View; relabelled in place.
        legal: (2,) legal cards and bids in the original numbers; overwritten with the relabelled ones.
        order: (6,) int8, overwritten; see `canonical`.
        features: (≥ layout.size + PLANE,) int8, overwritten; what lies behind layout.size is scratch.
        mask: (n_actions,) int8, overwritten.
    """
    write_order(view, order)
    relabel_view(rules, view, order)
    legal[0] = relabel_cards(legal[0], order)
    write_observation(rules, settings, view, legal, True, features, 0)
    write_mask(legal, WIDTH, N_ACTIONS, mask, 0)
