"""Loops over many Views that scripted bots and networks go through, one text for all games; see `kernel.template`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from backalley.envs.kernel import template
from backalley.envs.legal import read_mask
from backalley.envs.planes import copy_bytes

# Hooks: what each game brings instead.

WIDTH = 0
"""Actions of a word of a legal set, see `envs.legal`."""


def choose(bot: int, rules: Any, view: Any, legal: NDArray[np.uint64], stream: NDArray[np.uint64]) -> int:
    """Return the action of a bot.

    Args:
        bot: number of the bot.
        rules: record of the rules.
        view: a View of the seat to act; may be overwritten.
        legal: (n_words,) its legal set.
        stream: (4,) the stream random choices are drawn from.
    """
    raise NotImplementedError


def write_features(
    rules: Any,
    settings: Any,
    view: Any,
    legal: NDArray[np.uint64],
    order: NDArray[np.int8],
    features: NDArray[np.int8],
    mask: NDArray[np.int8],
) -> None:
    """Write what a network sees of a View, in the game's canonical form.

    Args:
        rules, settings: records.
        view: a View of the seat to act; may be overwritten.
        legal: (n_words,) its legal set; may be overwritten.
        order: (order_length,) int8, overwritten: what was done, for `original_action`.
        features: (≥ layout.size + PLANE,) int8, overwritten; what lies behind layout.size is scratch.
        mask: (n_actions,) int8, overwritten.
    """
    raise NotImplementedError


def original_action(action: int, order: NDArray[np.int8]) -> int:
    """Return the action that one of the canonical form stands for."""
    raise NotImplementedError


def canonical_action(action: int, order: NDArray[np.int8]) -> int:
    """Return the canonical form's action for one of the game's: the inverse of `original_action`."""
    raise NotImplementedError


# Templates.


@template
def act_all(
    bot: int,
    rules: Any,
    views: Any,
    masks: NDArray[np.int8],
    stream: NDArray[np.uint64],
    view: Any,
    legal: NDArray[np.uint64],
    actions: NDArray[np.int16],
) -> None:
    """Write the bot's action for each View into `actions` (n,); `view` (1,) and `legal` (n_words,) are scratch."""
    for i in range(views.shape[0]):
        read_mask(masks[i], WIDTH, legal)
        view[0] = views[i]
        actions[i] = choose(bot, rules[0], view[0], legal, stream)


@template
def features_of_views(
    rules: Any,
    settings: Any,
    views: Any,
    legal: NDArray[np.uint64],
    orders: NDArray[np.int8],
    row: NDArray[np.int8],
    features: NDArray[np.int8],
    masks: NDArray[np.int8],
) -> None:
    """Write features (n, size), masks (n, n_actions) and orders of Views (n,) and legal sets (n, n_words).

    Views and legal sets are overwritten, `row` is scratch.
    """
    flat = features.reshape(-1)
    size = features.shape[1]
    for i in range(views.shape[0]):
        write_features(rules[0], settings[0], views[i], legal[i], orders[i], row, masks[i])
        copy_bytes(row, 0, flat, i * size, size)


@template
def original_actions(actions: NDArray[np.int16], orders: NDArray[np.int8]) -> None:
    """Put the actions (n,) that those of the canonical form stand for in their place."""
    for i in range(actions.shape[0]):
        actions[i] = original_action(np.int64(actions[i]), orders[i])


@template
def canonical_actions(actions: NDArray[np.int16], orders: NDArray[np.int8]) -> None:
    """Put the canonical form's actions for the game's actions (n,) in their place."""
    for i in range(actions.shape[0]):
        actions[i] = canonical_action(np.int64(actions[i]), orders[i])
