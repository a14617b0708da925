"""Gymnasium's interface over the table of one learner, in any game."""

from __future__ import annotations

import sys
from typing import Any, Self

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from backalley.envs.api.copies import clone_env
from backalley.envs.api.learner import LearnerTable
from backalley.envs.api.options import RENDER_MODES, check_render_mode, observation_space
from backalley.envs.api.rendering import render

Observation = dict[str, NDArray[np.int8]]


class SingleEnv(gymnasium.Env[Observation, np.int64]):
    """One learner at one table; base of the environments of the games.

    Args:
        game: the table.
        render_mode: `"ansi"` returns text, `"human"` prints it after each step.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 1}  # noqa: RUF012 (declared so by Gymnasium)

    def __init__(self, game: LearnerTable, render_mode: str | None) -> None:
        check_render_mode(render_mode, RENDER_MODES)
        self.render_mode = render_mode
        self.game = game
        self.observation_space: spaces.Space[Observation] = observation_space(game.table)  # type: ignore[assignment]  # Dict loses its types
        self.action_space = spaces.Discrete(game.table.game.n_actions)
        self.layout = game.table.layout
        self._all = np.ones(1, np.bool_)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin an episode.

        Args:
            seed: seeds everything random from here on; None goes on with the streams as they are.
            options: what is fixed of it, see the class; others are ignored.

        Raises:
            ValueError: an option makes no sense, see the class.
        """
        super().reset(seed=seed)
        if seed is not None:
            self.game.seed([seed], self._all)
        self.game.reset(self._all, options or {})
        if self.render_mode == "human":
            self.render()
        seen = self.game.see()
        return _first(seen), _as_info(self.game.infos(seen["action_mask"]))

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play the learner's action and everything up to its next decision.

        Raises:
            IllegalAction: with `illegal="raise"`; the episode stays as it was.
        """
        rewards = self.game.step(np.array([action], np.int64), self._all)
        if self.render_mode == "human":
            self.render()
        episode = self.game.table.episodes[0]
        is_over, is_truncated = bool(episode["done"]), bool(episode["truncated"])
        seen = self.game.see()
        told = self.game.infos(seen["action_mask"])
        for happened, rows_of in self.game.events():
            if happened[0]:
                told |= rows_of
        return _first(seen), float(rewards[0]), is_over and not is_truncated, is_truncated, _as_info(told)

    def action_masks(self) -> NDArray[np.int8]:
        """Return the legal actions, (n_actions,) int8, as SB3-contrib asks for them."""
        mask: NDArray[np.int8] = self.game.table.see(self.game.learner)[1][0]
        return mask

    def render(self) -> str | None:
        """Return the table as text, or print it."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() does nothing without a render_mode: make the environment with 'ansi'")
            return None
        text = render(self.game.table, 0, self._shown_seat())
        if self.render_mode == "human":
            sys.stdout.write(text + "\n")
            return None
        return text

    def _shown_seat(self) -> int | None:
        """Return whose view is rendered, None for everything."""
        return None

    def clone(self) -> Self:
        """Return an independent copy in the same position that will see the same chance; it shares the spaces."""
        return clone_env(self)


def _first(rows_of: dict[str, NDArray[np.int8]]) -> Observation:
    """Return the first row of each array."""
    return {name: rows[0] for name, rows in rows_of.items()}


def _as_info(rows_of: dict[str, NDArray[Any]]) -> dict[str, Any]:
    """Return the first row of each array, single values as Python's own."""
    return {name: rows[0] if rows.ndim > 1 else rows[0].item() for name, rows in rows_of.items()}
