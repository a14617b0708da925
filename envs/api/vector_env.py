"""Gymnasium's vector interface over the tables of one learner, in any game: no Python per environment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from backalley.envs.api.copies import clone_env
from backalley.envs.api.learner import LearnerTable, Rows
from backalley.envs.api.options import RENDER_MODES, check_render_mode, observation_space
from backalley.envs.api.rendering import render

Observations = dict[str, NDArray[np.int8]]
Step = tuple[Observations, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]


class SingleVector(gymnasium.vector.VectorEnv[Observations, NDArray[np.int64], NDArray[Any]]):
    """Many tables, one learner at each; base of the vector environments of the games.

    Args:
        game: the tables.
        autoreset_mode: `NEXT_STEP` (the step after the end resets and ignores its action), `SAME_STEP` (the step that
            ends an episode begins the next; `infos["final_obs"]` and `infos["final_info"]` keep the end) or `DISABLED`
            (call `reset(options={"reset_mask": …})`).
        render_mode: `"ansi"` lets `render` return one text for each environment.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 (declared so by Gymnasium)
        "render_modes": ["ansi"],
        "render_fps": 1,
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(self, game: LearnerTable, autoreset_mode: str | AutoresetMode, render_mode: str | None) -> None:
        check_render_mode(render_mode, RENDER_MODES[:1])
        self.num_envs = game.table.n
        self.render_mode = render_mode
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {**type(self).metadata, "autoreset_mode": self.autoreset_mode}
        self.game = game
        self.layout = game.table.layout
        self.single_observation_space = observation_space(game.table)
        self.single_action_space = spaces.Discrete(game.table.game.n_actions)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._all = np.ones(self.num_envs, np.bool_)
        self._over = np.zeros(self.num_envs, np.bool_)  # whose end the last step told

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Begin all episodes, or those in `options["reset_mask"]`, a (num_envs,) bool array.

        Args:
            seed: an int seeds environment i with seed + i; a list seeds each.
            options: `reset_mask`, and for all episodes that begin the reset options of the single environment.

        Raises:
            ValueError: the mask or the list of seeds does not fit; see also the single environment.
        """
        options = dict(options or {})
        where = np.array(options.pop("reset_mask", self._all))
        if where.shape != (self.num_envs,) or where.dtype != np.bool_ or not where.any():
            raise ValueError(
                f"reset_mask must be ({self.num_envs},) bools with at least one True, got {where.dtype} {where.shape}"
            )
        if seed is not None:
            self._seed(seed, where)
        self.game.reset(where, options)
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
        ended = table.done & ~fresh
        truncations: NDArray[np.bool_] = table.episodes["truncated"] & ended
        terminations = ended & ~truncations
        if self.autoreset_mode is AutoresetMode.SAME_STEP and ended.any():
            infos = self._final(ended) | self._events(~ended)
            self.game.reset(ended, {})
            self._over = np.zeros(self.num_envs, np.bool_)
        else:
            infos = self._events(~fresh)
            self._over = ended
        observations = self.game.see()
        return observations, rewards, terminations, truncations, infos | self._infos(observations, self._all)

    def action_masks(self) -> NDArray[np.int8]:
        """Return the legal actions of all environments, (num_envs, n_actions) int8."""
        return self.game.see()["action_mask"]

    def render(self) -> tuple[str, ...]:
        """Return each table as text, as its learner sees it."""
        return tuple(render(self.game.table, i, int(self.game.learner[i])) for i in range(self.num_envs))

    def clone(self) -> Self:
        """Return an independent copy in the same position that will see the same chance; it shares the spaces."""
        return clone_env(self)

    def _infos(self, observations: Observations, where: NDArray[np.bool_]) -> dict[str, Any]:
        """Return what is told in every step of the environments in `where`."""
        return _present(self.game.infos(observations["action_mask"]), where)

    def _events(self, where: NDArray[np.bool_]) -> dict[str, Any]:
        """Return what is told in addition, about the environments in `where`."""
        infos: dict[str, Any] = {}
        for happened, rows_of in self.game.events():
            infos |= _present(rows_of, happened & where)
        return infos

    def _final(self, ended: NDArray[np.bool_]) -> dict[str, Any]:
        """Return what the last observation and info of the ended episodes were."""
        final_obs = np.full(self.num_envs, None, object)
        seen = self.game.see_some(ended)
        for row, i in enumerate(np.flatnonzero(ended)):
            final_obs[i] = {name: rows[row] for name, rows in seen.items()}
        nothing_legal = np.zeros((self.num_envs, seen["action_mask"].shape[1]), np.int8)
        return {
            "final_obs": final_obs,
            "_final_obs": ended.copy(),
            "final_info": _present(self.game.infos(nothing_legal), ended) | self._events(ended),
            "_final_info": ended.copy(),
        }


def _present(rows_of: Rows, where: NDArray[np.bool_]) -> dict[str, Any]:
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
