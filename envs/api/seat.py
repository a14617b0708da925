"""Gymnasium: one seat learns, policies play the others.

| | |
|---|---|
| id | `backalley/BackAlley-v0` |
| action | `Discrete(89)`, the numbering of `backalley.envs.back_alley.actions` |
| observation | dict of `observation` (layout.size,) int8 and `action_mask` (89,) int8 |
| mask | also in `info["action_mask"]` and from `action_masks()`; all zero when the episode is over |
| info | also `seat` (the learner's), `hand_size`, `deal_index` and, by seat, `match_points` |
| info after a deal | in the step that scores it also `deal_points` and `own_points`, by seat |
| info at the end | also `episode_return`, `episode_length`, `winners` of a match, and `illegal_action` if that was it |
| reward | the learner's side's points minus the others' when a deal is scored; see `reward` |
| end | after one deal, or the whole match; an illegal action ends it with reward −1 |

`match_points` and `deal_points` of a seat are its side's; `own_points` is what it scored by itself where players are
scored alone (`score_unit="player"`), else the same. `winners` says which seats have the highest total. A deal that is
cut off after hands thrown in has no points.

Version history: v0, first version.
"""

from __future__ import annotations

import sys
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from backalley.envs.api.learner import LearnerTable
from backalley.envs.api.opponents import Choice
from backalley.envs.api.options import (
    RENDER_MODES,
    check_choice,
    check_render_seat,
    observation_space,
    reset_arguments,
)
from backalley.envs.api.render import render_table

Observation = dict[str, NDArray[np.int8]]


class BackAlleySeat(gymnasium.Env[Observation, np.int64]):
    """One seat at a table of Back Alley.

    Args:
        preset: named rule set.
        opponents: who plays the other side: a policy's name, a policy, or a function (views, legal, rng) → actions.
        partner: who plays the learner's partner; None for the same as `opponents`.
        seat: the learner's seat, or `"random"` for another one each episode.
        episode: `"deal"` or `"match"`.
        reward: `"difference"`, `"points"` or `"win"`.
        illegal: `"terminate"` ends the episode with −1, `"raise"` raises `IllegalAction`.
        max_redeals: hands thrown in in a row until the episode is truncated.
        render_mode: `"ansi"` returns text, `"human"` prints it after each step.
        render_seat: whose view is rendered: `"learner"`, a seat, or None for all hands.
        **options: rule options that override the preset.

    Raises:
        UnknownName, InvalidRules: see `Rules.preset`; also for policies nobody offers.
        ValueError: a seat is not at the table.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 1}  # noqa: RUF012 (declared so by Gymnasium)

    def __init__(
        self,
        preset: str = "partnership",
        *,
        opponents: Choice = "simple",
        partner: Choice | None = None,
        seat: int | str = 0,
        episode: str = "deal",
        reward: str = "difference",
        illegal: str = "terminate",
        max_redeals: int = 20,
        render_mode: str | None = None,
        render_seat: int | str | None = "learner",
        **options: Any,
    ) -> None:
        check_choice("render mode", render_mode, RENDER_MODES)
        self.render_mode = render_mode
        self.render_seat = render_seat
        self.game = LearnerTable(
            1,
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
        check_render_seat(None if render_seat == "learner" else render_seat, self.game.table.players)
        self.observation_space: spaces.Space[Observation] = observation_space(self.game.table)  # type: ignore[assignment]  # Dict loses its types
        self.action_space = spaces.Discrete(self.game.table.game.n_actions)
        self.layout = self.game.table.layout
        self._all = np.ones(1, np.bool_)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin an episode.

        Args:
            seed: seeds everything random from here on; None goes on with the streams as they are.
            options: `deck` (one permutation of the pack, or a list of them used one after another), `dealer`,
                `hand_size`, `cut`; others are ignored.

        Raises:
            InvalidDeck: the deck is no permutation of the pack, or a cut is given for rules that never cut.
            ValueError: dealer or hand size do not exist.
        """
        super().reset(seed=seed)
        if seed is not None:
            self.game.seed([seed], self._all)
        self.game.reset(self._all, reset_arguments(options, self.game.table.rules))  # type: ignore[arg-type]
        if self.render_mode == "human":
            self.render()
        return self._look()

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
        observation, info = self._look()
        return observation, float(rewards[0]), is_over and not is_truncated, is_truncated, info

    def action_masks(self) -> NDArray[np.int8]:
        """Return the legal actions, (89,) int8, as SB3-contrib asks for them."""
        mask: NDArray[np.int8] = self.game.table.see(self.game.learner)[1][0]
        return mask

    def render(self) -> str | None:
        """Return the table as text, or print it; see `render_seat`."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() does nothing without a render_mode: make the environment with 'ansi'")
            return None
        seat = self.render_seat
        text = render_table(self.game.table, 0, int(self.game.learner[0]) if isinstance(seat, str) else seat)
        if self.render_mode == "human":
            sys.stdout.write(text + "\n")
            return None
        return text

    def _look(self) -> tuple[Observation, dict[str, Any]]:
        """Return observation and info as they are now."""
        seen = self.game.see()
        told = self.game.infos(seen["action_mask"])
        if self.game.scored[0]:
            told |= self.game.deal_infos()
        if self.game.table.done[0]:
            told |= self.game.end_infos()
        if self.game.won[0]:
            told |= self.game.match_infos()
        info: dict[str, Any] = {name: rows[0] if rows.ndim > 1 else rows[0].item() for name, rows in told.items()}
        if self.game.offended[0]:
            info["illegal_action"] = True
        return {name: rows[0] for name, rows in seen.items()}, info
