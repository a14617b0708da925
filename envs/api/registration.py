"""Ids of the environments in the registries of Gymnasium and, where it has one (1.27), PettingZoo."""

from __future__ import annotations

import gymnasium
import pettingzoo

GYMNASIUM_ID = "backalley/BackAlley-v0"
PATIENCE_ID = "backalley/StreetsAndAlleys-v0"
PETTINGZOO_ID = "backalley/back_alley-v0"

_ENTRY_POINTS = {
    GYMNASIUM_ID: ("backalley.envs.api.seat:BackAlleySeat", "backalley.envs.api.vector:BackAlleyVector"),
    PATIENCE_ID: (
        "backalley.envs.api.patience:StreetsAndAlleysEnv",
        "backalley.envs.api.patience:StreetsAndAlleysVector",
    ),
}
"""Gymnasium id → classes of the single and the vector environment."""


def register_all() -> None:
    """Register the environments; a second call changes nothing."""
    for name, (single, vector) in _ENTRY_POINTS.items():
        if name not in gymnasium.registry:
            gymnasium.register(name, entry_point=single, vector_entry_point=vector)
    registry = getattr(pettingzoo, "aec_registry", None)
    if registry is not None and PETTINGZOO_ID not in registry:
        pettingzoo.register("aec", PETTINGZOO_ID, entry_point="backalley.envs.api.aec:BackAlley")
