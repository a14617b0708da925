"""RLlib: Back Alley with the key names of its action-masking modules.

RLlib's own wrapper for PettingZoo passes observations on as they are; its `ActionMaskingTorchRLModule` looks for a
dictionary of `observations` (ours is called `observation`) and `action_mask`, both float32.

>>> from ray.tune.registry import register_env  # doctest: +SKIP
>>> register_env("back_alley", env_creator)  # doctest: +SKIP
>>> PPOConfig().environment("back_alley", env_config={"preset": "partnership"})  # doctest: +SKIP

Agents are `player_0` …, one policy for all of them is the usual choice. A trained module becomes a policy by
`backalley.policies.models.rllib_policy`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo.utils import BaseWrapper

from backalley.envs.api.aec import env

OBSERVATIONS = "observations"
"""What RLlib calls an observation beside its mask."""


class RLlibKeys(BaseWrapper):  # type: ignore[misc]  # PettingZoo has no types
    """An AEC environment whose observations are dicts of `observations` and `action_mask`, both float32.

    Args:
        env: an AEC environment with dicts of `observation` and `action_mask`.
    """

    def __init__(self, env: Any) -> None:
        super().__init__(env)
        self.observation_spaces = {agent: _renamed_space(env.observation_space(agent)) for agent in env.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the observation space of an agent, the same object each time."""
        return self.observation_spaces[agent]

    def observe(self, agent: str) -> dict[str, NDArray[np.float32]]:
        """Return what an agent sees, in fresh arrays."""
        seen = self.env.observe(agent)
        return {
            OBSERVATIONS: seen["observation"].astype(np.float32),
            "action_mask": seen["action_mask"].astype(np.float32),
        }


def _renamed_space(space: Any) -> spaces.Dict:
    """Return the space of `RLlibKeys` for a dict space of ours."""
    shapes = {OBSERVATIONS: space["observation"].shape, "action_mask": space["action_mask"].shape}
    return spaces.Dict({name: spaces.Box(0.0, 1.0, shape, np.float32) for name, shape in shapes.items()})


def env_creator(config: Mapping[str, Any]) -> Any:
    """Return Back Alley as an RLlib `MultiAgentEnv`, for `ray.tune.registry.register_env`.

    Args:
        config: keywords of `back_alley_v0.env`.

    Raises:
        ModuleNotFoundError: RLlib is not installed.
    """
    try:
        from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        raise ModuleNotFoundError(
            f"backalley.envs.api.rllib needs {missing}, which is not installed: pip install 'ray[rllib]'",
            name=missing,
        ) from None
    return PettingZooEnv(RLlibKeys(env(**config)))
