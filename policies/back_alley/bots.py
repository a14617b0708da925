"""Scripted bots as kernels, chosen by number, so that whole deals run inside one loop."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from backalley.envs.back_alley.actions import WIDTH
from backalley.envs.kernel import kernel
from backalley.envs.legal import random_action
from backalley.envs.streams import Stream
from backalley.policies.back_alley.canonical import demoted_action, has_promotion, promote
from backalley.policies.back_alley.rules import rules_action
from backalley.policies.back_alley.simple import simple_action

NAMES = ("random", "simple", "rules", "tables")
RANDOM, SIMPLE, RULES, TABLES = range(len(NAMES))


@kernel
def choose(bot: int, rules: Any, view: Any, legal: NDArray[np.uint64], stream: Stream) -> int:
    """Return the action of a bot for the View's observer.

    Args:
        bot: one of `NAMES` by number.
        rules: record of dtype RULES.
        view: record of dtype STATE, a View; overwritten in deals in which twos rank high.
        legal: (2,) legal cards and bids of the observer.
        stream: (4,) the stream random choices are drawn from.
    """
    if bot == RANDOM:
        return random_action(legal, WIDTH, stream)
    is_promoted = has_promotion(view)
    high_two, second_two = view.high_two, view.second_two
    cards = promote(rules, view, legal[0])
    if bot == SIMPLE:
        action = simple_action(rules, view, cards, legal[1])
    else:
        action = rules_action(rules, view, cards, legal[1], bot == RULES)
    return demoted_action(action, high_two, second_two) if is_promoted else action
