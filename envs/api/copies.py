"""Copies of environments in mid-game."""

from __future__ import annotations

import copy
from typing import TypeVar

AnyEnv = TypeVar("AnyEnv")

_SHARED = ("observation_space", "action_space", "single_observation_space", "single_action_space", "layout")
"""Attributes that a clone shares with its original: copying them costs more than all the rest."""


def clone_env(env: AnyEnv) -> AnyEnv:
    """Return a deep copy of an environment that shares layout and spaces (and their samplers) with it."""
    own = vars(env)
    return copy.deepcopy(env, {id(own[name]): own[name] for name in _SHARED if name in own})
