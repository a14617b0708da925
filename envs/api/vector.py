"""Gymnasium's vector interface over one table: no Python per environment.

`gymnasium.make_vec("backalley/BackAlley-v0", num_envs=1024, vectorization_mode="vector_entry_point")` makes it. All
three autoreset modes of Gymnasium are built; `SAME_STEP` is the one for training. Seeds, episodes and infos are those
of Gymnasium's `SyncVectorEnv` over `BackAlleySeat` (but policies outside kernels draw from one generator for all).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from backalley.envs.api.learner import LearnerTable
from backalley.envs.api.opponents import Choice
from backalley.envs.api.options import RENDER_MODES, check_choice, observation_space, reset_arguments
from backalley.envs.api.render import render_table

Observations = dict[str, NDArray[np.int8]]
Step = tuple[Observations, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]


class BackAlleyVector(gymnasium.vector.VectorEnv[Observations, NDArray[np.int64], NDArray[Any]]):
    """Many tables of Back Alley, one learner's seat at each.

    Args:
        num_envs: number of environments.
        autoreset_mode: `NEXT_STEP` (the step after the end resets and ignores its action), `SAME_STEP` (the step that
            ends an episode begins the next; `infos["final_obs"]` and `infos["final_info"]` keep the end) or `DISABLED`
            (call `reset(options={"reset_mask": …})`).
        render_mode: `"ansi"` lets `render` return one text for each environment, from the learner's view.
        preset, opponents, partner, seat, episode, reward, illegal, max_redeals, **options: see `BackAlleySeat`.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 (declared so by Gymnasium)
        "render_modes": ["ansi"],
        "render_fps": 1,
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

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
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        check_choice("render mode", render_mode, RENDER_MODES[:1])
        self.num_envs = num_envs
        self.render_mode = render_mode
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
        self._all = np.ones(num_envs, np.bool_)
        self._over = np.zeros(num_envs, np.bool_)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Begin all episodes, or those in `options["reset_mask"]`, a (num_envs,) bool array.

        Args:
            seed: an int seeds environment i with seed + i; a list seeds each.
            options: `reset_mask`, and the reset options of `BackAlleySeat` for all episodes that begin.

        Raises:
            ValueError: the mask or the list of seeds does not fit; see also `BackAlleySeat.reset`.
        """
        options = dict(options or {})
        where = np.array(options.pop("reset_mask", self._all))
        if where.shape != (self.num_envs,) or where.dtype != np.bool_ or not where.any():
            raise ValueError(
                f"reset_mask must be ({self.num_envs},) bools with at least one True, got {where.dtype} {where.shape}"
            )
        if seed is not None:
            self._seed(seed, where)
        self.game.reset(where, reset_arguments(options, self.game.table.rules))  # type: ignore[arg-type]
        self._over &= ~where
        observations = self.game.see()
        return observations, self._infos(observations, where)

    def _seed(self, seed: int | Sequence[int | None], where: NDArray[np.bool_]) -> None:
        if isinstance(seed, int | np.integer):
            seeds: list[int | None] = [int(seed) + i for i in range(self.num_envs)]
        else:
            seeds = list(seed)
        if len(seeds) != self.num_envs:
            raise ValueError(f"{len(seeds)} seeds for {self.num_envs} environments: give one int or one each")
        super().reset(seed=seeds[0])
        self.game.seed(seeds, where)

    def step(self, actions: NDArray[np.int64]) -> Step:
        """Step every environment; see the class for what happens at the end of an episode.

        Args:
            actions: (num_envs,) ints.

        Raises:
            IllegalAction: with `illegal="raise"`; nothing was stepped.
        """
        if self.autoreset_mode is AutoresetMode.DISABLED and self._over.any():
            raise ValueError("some episodes are over: call reset(options={'reset_mask': terminations | truncations})")
        fresh = self._over  # with NEXT_STEP: ended in the step before, begin now
        rewards = self.game.step(np.asarray(actions, np.int64), ~fresh)
        if fresh.any():
            self.game.reset(fresh, {})
        table = self.game.table
        truncations: NDArray[np.bool_] = table.episodes["truncated"] & table.done
        terminations = table.done & ~truncations
        self._over = table.done.copy()
        infos = self._end_infos(self._over)
        if self.autoreset_mode is AutoresetMode.SAME_STEP and self._over.any():
            infos = self._final(infos, self._over) | self._deal_infos(~self._over)
            self.game.reset(self._over, {})
            self._over = np.zeros(self.num_envs, np.bool_)
        else:
            infos |= self._deal_infos(self._all)
        observations = self.game.see()
        return observations, rewards, terminations, truncations, infos | self._infos(observations, self._all)

    def action_masks(self) -> NDArray[np.int8]:
        """Return the legal actions of all environments, (num_envs, 89) int8."""
        return self.game.see()["action_mask"]

    def render(self) -> tuple[str, ...]:
        """Return each table from its learner's view, as text."""
        table = self.game.table
        return tuple(render_table(table, i, int(self.game.learner[i])) for i in range(self.num_envs))

    def _infos(self, observations: Observations, where: NDArray[np.bool_]) -> dict[str, Any]:
        """Return the infos of the environments in `where`."""
        return _present(self.game.infos(observations["action_mask"]), where)

    def _deal_infos(self, where: NDArray[np.bool_]) -> dict[str, Any]:
        """Return what is told in addition about the environments in `where` in which this step scored a deal."""
        scored = self.game.scored & where
        return _present(self.game.deal_infos(), scored) if scored.any() else {}

    def _end_infos(self, ended: NDArray[np.bool_]) -> dict[str, Any]:
        """Return what is told in addition about the episodes that are over."""
        infos = _present(self.game.end_infos(), ended)
        infos |= _present(self.game.match_infos(), self.game.won)
        return infos | _present({"illegal_action": self.game.offended.copy()}, ended & self.game.offended)

    def _final(self, end_infos: dict[str, Any], ended: NDArray[np.bool_]) -> dict[str, Any]:
        """Return what the last observation and info of the ended episodes were."""
        final_obs = np.full(self.num_envs, None, object)
        seen = self.game.see_some(ended)
        for row, i in enumerate(np.flatnonzero(ended)):
            final_obs[i] = {name: rows[row] for name, rows in seen.items()}
        nothing_legal = np.zeros((self.num_envs, seen["action_mask"].shape[1]), np.int8)
        return {
            "final_obs": final_obs,
            "_final_obs": ended.copy(),
            "final_info": _present(self.game.infos(nothing_legal), ended) | self._deal_infos(ended) | end_infos,
            "_final_info": ended.copy(),
        }


def _present(rows_of: dict[str, NDArray[Any]], where: NDArray[np.bool_]) -> dict[str, Any]:
    """Return infos as vector environments give them: rows outside `where` zero, `_name` says which are there.

    Args:
        rows_of: arrays with one row for each environment, overwritten.
        where: (n,) bool; nothing is returned if it is False everywhere.
    """
    infos: dict[str, Any] = {}
    if where.any():
        for name, rows in rows_of.items():
            rows[~where] = 0
            infos[name], infos[f"_{name}"] = rows, where.copy()
    return infos
