"""Gymnasium's vector interface over one table: no Python per environment.

`gymnasium.make_vec("backalley/BackAlley-v0", num_envs=1024, vectorization_mode="vector_entry_point")` makes it. All
three autoreset modes of Gymnasium are built; `SAME_STEP` is the one for training.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from backalley.envs.api.learner import Choice, LearnerTable
from backalley.envs.api.options import observation_space, reset_arguments

Observations = dict[str, NDArray[np.int8]]
Step = tuple[Observations, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]


class BackAlleyVector(gymnasium.vector.VectorEnv[Observations, NDArray[np.int64], NDArray[Any]]):
    """Many tables of Back Alley, one learner's seat at each.

    Args:
        num_envs: number of environments.
        autoreset_mode: `NEXT_STEP` (the step after the end resets and ignores its action), `SAME_STEP` (the step that
            ends an episode begins the next; `infos["final_obs"]` and `infos["final_info"]` keep the end) or `DISABLED`
            (call `reset(options={"reset_mask": …})`).
        preset, opponents, partner, seat, episode, reward, illegal, max_redeals, **options: see `BackAlleySeat`.
    """

    metadata: dict[str, Any] = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012

    def __init__(
        self,
        num_envs: int = 1,
        preset: str = "partnership",
        *,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        opponents: Choice = "simple",
        partner: Choice | None = None,
        seat: int | str = 0,
        episode: str = "deal",
        reward: str = "difference",
        illegal: str = "terminate",
        max_redeals: int = 20,
        render_mode: None = None,
        **options: Any,
    ) -> None:
        if render_mode is not None:
            raise ValueError(f"render_mode={render_mode!r}: the vector environment has none; render a single one")
        self.num_envs = num_envs
        self.render_mode = None
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {**type(self).metadata, "autoreset_mode": self.autoreset_mode}
        self.game = LearnerTable(
            num_envs,
            preset,
            options,
            episode=episode,
            reward=reward,
            max_redeals=max_redeals,
            opponents=opponents,
            partner=partner,
            seat=seat,
            illegal=illegal,
        )
        self.layout = self.game.table.layout
        self.single_observation_space = observation_space(self.game.table)
        self.single_action_space = spaces.Discrete(self.game.table.game.n_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._over = np.zeros(num_envs, np.bool_)

    def reset(
        self, *, seed: int | list[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Begin all episodes, or those in `options["reset_mask"]` (num_envs,) bool.

        Args:
            seed: an int seeds environment i with seed + i; a list seeds each.
            options: `reset_mask`, and the reset options of `BackAlleySeat` for all episodes that begin.
        """
        options = dict(options or {})
        where = np.asarray(options.pop("reset_mask", np.ones(self.num_envs)), np.bool_)
        if where.shape != (self.num_envs,) or not where.any():
            raise ValueError(f"reset_mask must be ({self.num_envs},) bools with at least one True, got {where.shape}")
        if seed is not None:
            seeds = [seed + i for i in range(self.num_envs)] if isinstance(seed, int) else list(seed)
            if len(seeds) != self.num_envs:
                raise ValueError(f"{len(seeds)} seeds for {self.num_envs} environments: give one int or one each")
            self.game.seed_each(seeds)
        self.game.reset(where, reset_arguments(options, self.game.table.rules))  # type: ignore[arg-type]
        self._over &= ~where
        observations = self._observations()
        return observations, self._infos(observations)

    def step(self, actions: NDArray[np.int64]) -> Step:
        """Step every environment; see the class for what happens at the end of an episode.

        Args:
            actions: (num_envs,) ints.

        Raises:
            IllegalAction: with `illegal="raise"`; nothing was stepped.
        """
        if self.autoreset_mode is AutoresetMode.DISABLED and self._over.any():
            raise ValueError("some episodes are over: call reset(options={'reset_mask': terminations | truncations})")
        fresh = self._over
        rewards = self.game.step(np.asarray(actions, np.int64), ~fresh)
        if fresh.any():  # NEXT_STEP
            self.game.reset(fresh, {})
            rewards[fresh] = 0.0
        table = self.game.table
        truncations = table.episodes["truncated"] & table.done
        terminations = table.done & ~truncations
        self._over = table.done.copy()
        observations = self._observations()
        infos: dict[str, Any] = {}
        if self.autoreset_mode is AutoresetMode.SAME_STEP and self._over.any():
            ended = self._over
            infos = self._final(observations, ended)
            self.game.reset(ended, {})
            self._over = np.zeros(self.num_envs, np.bool_)
            observations = self._observations()
        return observations, rewards, terminations, truncations, self._infos(observations) | infos

    def action_masks(self) -> NDArray[np.int8]:
        """Return the legal actions of all environments, (num_envs, 89) int8."""
        return self.game.see()[1]

    def _observations(self) -> Observations:
        observations, masks = self.game.see()
        return {"observation": observations, "action_mask": masks}

    def _infos(self, observations: Observations) -> dict[str, Any]:
        present = np.ones(self.num_envs, np.bool_)
        states = self.game.table.states
        return {
            "action_mask": observations["action_mask"].copy(),
            "_action_mask": present,
            "hand_size": states["hand_size"].astype(np.int64),
            "_hand_size": present.copy(),
        }

    def _final(self, observations: Observations, ended: NDArray[np.bool_]) -> dict[str, Any]:
        """Return what the last observation and info of the ended episodes were."""
        final = np.full(self.num_envs, None, object)
        for i in np.flatnonzero(ended):
            final[i] = {name: rows[i].copy() for name, rows in observations.items()}
        points = self.game.table.states["match_points"][np.arange(self.num_envs), self.game.learner].astype(np.int64)
        return {
            "final_obs": final,
            "_final_obs": ended.copy(),
            "final_info": {"match_points": points, "_match_points": ended.copy()},
            "_final_info": ended.copy(),
        }
