"""Ids of the environments in the registries of Gymnasium and, where it has one (1.27), PettingZoo."""

from __future__ import annotations

import gymnasium
import pettingzoo

GYMNASIUM_ID = "backalley/BackAlley-v0"
PETTINGZOO_ID = "backalley/back_alley-v0"


def register_all() -> None:
    """Register the environments; a second call changes nothing."""
    if GYMNASIUM_ID not in gymnasium.registry:
        gymnasium.register(
            GYMNASIUM_ID,
            entry_point="backalley.envs.api.seat:BackAlleySeat",
            vector_entry_point="backalley.envs.api.vector:BackAlleyVector",
        )
    registry = getattr(pettingzoo, "aec_registry", None)
    if registry is not None and PETTINGZOO_ID not in registry:
        pettingzoo.register("aec", PETTINGZOO_ID, entry_point="backalley.envs.api.aec:BackAlley")
