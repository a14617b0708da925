"""The rule bot `rules`: bids from what each card was worth, plays the card with the best expected effect.

Both halves weigh features a card player would name; the numbers lie in CSV tables beside this file, one named column a
feature. `rules_bidding` and `rules_features` say how they were fitted.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from backalley.envs.cards import ZERO
from backalley.envs.kernel import kernel
from backalley.policies.rules_bidding import choose_bid
from backalley.policies.rules_play import choose_card


@kernel
def rules_action(rules: Any, view: Any, legal: NDArray[np.uint64]) -> int:
    """Return the action of `rules` for the View's observer.

    Args:
        rules: record of dtype RULES.
        view: record of dtype STATE, a View.
        legal: (2,) legal cards and bids.
    """
    if legal[1] != ZERO:
        return choose_bid(rules, view, legal[1])
    return choose_card(rules, view, legal[0])
