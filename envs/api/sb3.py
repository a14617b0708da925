"""Stable-Baselines3: many environments over one table as its `VecEnv`, without a process or a Python loop for each.

>>> envs = make_native_vec_env(256, seed=0, opponents="simple")  # doctest: +SKIP
>>> model = MaskablePPO("MultiInputPolicy", envs).learn(1_000_000)  # doctest: +SKIP

The spaces are those of `gymnasium.make` with the same keywords, so that a model trained here plays there. MaskablePPO
of SB3-contrib finds the masks by itself. A model becomes a policy by `backalley.policies.models.sb3_policy`, or by the
name `sb3:PATH`.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from backalley.envs.api.registration import GYMNASIUM_ID, register_all
from backalley.envs.api.vector_env import Observations, SingleVector

try:
    from stable_baselines3.common.monitor import Monitor
    from stable_baselines3.common.vec_env import VecEnv
except ModuleNotFoundError as error:
    missing = (error.name or "").partition(".")[0]
    raise ModuleNotFoundError(
        f"backalley.envs.api.sb3 needs {missing}, which is not installed: pip install 'backalley[sb3]'",
        name=missing,
    ) from None

Indices = int | Sequence[int] | None
"""Which environments; None for all."""


def make_native_vec_env(
    n_envs: int = 256, seed: int | None = None, env_id: str = GYMNASIUM_ID, **env_kwargs: Any
) -> NativeVecEnv:
    """Return n environments for Stable-Baselines3, like its `make_vec_env`.

    Args:
        n_envs: number of environments; speed grows up to about a thousand.
        seed: environment i begins with seed + i; None for random ones.
        env_id: id of one of our environments in Gymnasium's registry.
        **env_kwargs: keywords of that environment, such as `opponents`.
    """
    register_all()
    envs = gymnasium.make_vec(
        env_id,
        num_envs=n_envs,
        vectorization_mode="vector_entry_point",
        autoreset_mode=AutoresetMode.SAME_STEP,
        **env_kwargs,
    )
    assert isinstance(envs, SingleVector)
    native = NativeVecEnv(envs)
    native.seed(seed)
    return native


class NativeVecEnv(VecEnv):  # type: ignore[misc]  # without types where Stable-Baselines3 is not installed
    """A native vector environment as a `VecEnv`.

    Infos are empty but at the end of an episode; there they hold what Gymnasium's do, and `terminal_observation`,
    `TimeLimit.truncated` and `episode`, so that no `VecMonitor` is needed. Episodes whose options or seeds are set
    (`seed`, `set_options`) are those of the next `reset`, as everywhere in Stable-Baselines3.

    Args:
        envs: what `gymnasium.make_vec` returned for one of our ids, in the mode `SAME_STEP`.

    Raises:
        ValueError: another autoreset mode; Stable-Baselines3 knows this one only.
    """

    def __init__(self, envs: SingleVector) -> None:
        if envs.autoreset_mode is not AutoresetMode.SAME_STEP:
            raise ValueError(
                f"autoreset_mode={envs.autoreset_mode.name} does not fit Stable-Baselines3: give "
                "gymnasium.make_vec autoreset_mode='SameStep', or use make_native_vec_env"
            )
        space = envs.single_action_space
        assert isinstance(space, gymnasium.spaces.Discrete)
        self.envs = envs
        self._actions = np.zeros(envs.num_envs, np.int64)
        self._masks = np.zeros((envs.num_envs, int(space.n)), np.bool_)
        self._start = time.time()
        super().__init__(envs.num_envs, envs.single_observation_space, envs.single_action_space)

    def reset(self) -> Observations:
        """Begin all episodes."""
        known = any(seed is not None for seed in self._seeds)
        observations, _ = self.envs.reset(seed=self._seeds if known else None, options=self._options[0])
        self._reset_seeds()
        self._reset_options()
        self._masks = observations["action_mask"].astype(np.bool_)
        return observations

    def set_options(self, options: dict[str, Any] | list[dict[str, Any]] | None = None) -> None:
        """Set the options of the next `reset`, for all environments.

        Raises:
            ValueError: a list; a value may be an array instead, with an entry for each environment.
        """
        if isinstance(options, list):
            raise ValueError("options for single environments: give one dict; dealer and hand_size may be arrays in it")
        self._options = [dict(options or {})] * self.num_envs

    def step_async(self, actions: NDArray[np.int64]) -> None:
        """Keep the actions (num_envs,) for `step_wait`."""
        self._actions = actions

    def step_wait(self) -> tuple[Observations, NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        """Step all environments; those whose episode ended show the first observation of the next."""
        observations, rewards, terminations, truncations, told = self.envs.step(self._actions)
        self._masks = observations["action_mask"].astype(np.bool_)
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        over = terminations | truncations
        for i in np.flatnonzero(over).tolist():
            infos[i] = self._end_info(i, told, is_cut=bool(truncations[i]))
        return observations, rewards.astype(np.float32), over, infos

    def _end_info(self, i: int, told: dict[str, Any], *, is_cut: bool) -> dict[str, Any]:
        """Return what is told at the end of the episode of environment i."""
        final = told["final_info"]
        info = {
            name: rows[i] for name, rows in final.items() if not name.startswith("_") and final[f"_{name}"][i]
        }  # a row of each array that has one for this environment
        info["terminal_observation"] = told["final_obs"][i]
        info["TimeLimit.truncated"] = is_cut
        info["episode"] = {
            "r": float(info["episode_return"]),
            "l": int(info["episode_length"]),
            "t": round(time.time() - self._start, 6),
        }
        return info

    def env_method(self, method_name: str, *args: Any, indices: Indices = None, **kwargs: Any) -> list[Any]:
        """Return what a method says of each environment: `action_masks` (n_actions,) bool, or `render`.

        Raises:
            AttributeError: another method; all environments are one object.
        """
        if method_name == "action_masks":
            return list(self._masks[self._get_indices(indices)])
        if method_name == "render":
            texts = self.envs.render()
            return [texts[i] for i in self._get_indices(indices)]
        raise AttributeError(
            f"a native environment has no method {method_name!r} of its own (known: action_masks, render)"
        )

    def get_attr(self, attr_name: str, indices: Indices = None) -> list[Any]:
        """Return an attribute of the vector environment, the same for each environment."""
        value = getattr(self.envs, attr_name)
        return [value for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Indices = None) -> None:
        """Set an attribute of the vector environment.

        Raises:
            ValueError: for some environments only; they are one object.
        """
        if indices is not None:
            raise ValueError(f"{attr_name!r} can be set for all environments only: they are one object")
        setattr(self.envs, attr_name, value)

    def env_is_wrapped(
        self, wrapper_class: type[gymnasium.Wrapper[Any, Any, Any, Any]], indices: Indices = None
    ) -> list[bool]:
        """Return that each has what `Monitor` adds, and no other wrapper."""
        return [wrapper_class is Monitor for _ in self._get_indices(indices)]

    def close(self) -> None:
        """Close the vector environment."""
        self.envs.close()
