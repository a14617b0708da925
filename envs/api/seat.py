"""Gymnasium: one seat learns, policies play the others.

| | |
|---|---|
| id | `backalley/BackAlley-v0` |
| action | `Discrete(89)`, the numbering of `backalley.envs.back_alley.actions` |
| observation | dict of `observation` (layout.size,) int8 and `action_mask` (89,) int8 |
| mask | also in `info["action_mask"]` and from `action_masks()`; all zero when the episode is over |
| reward | the learner's side's points minus the others' when a deal is scored; see `reward` |
| end | after one deal, or the whole match; an illegal action ends it with reward −1 |

Version history: v0, first version.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from backalley.envs.api.learner import Choice, LearnerTable
from backalley.envs.api.options import RENDER_MODES, check_choice, observation_space, reset_arguments
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
        render_mode: `"ansi"` returns the learner's view as text, `"human"` prints it after each step.
        **options: rule options that override the preset.

    Raises:
        UnknownName, InvalidRules, NotBuilt: see `Rules.preset`.
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
        **options: Any,
    ) -> None:
        check_choice("render mode", render_mode, RENDER_MODES)
        self.render_mode = render_mode
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
        self.game.seed(None)
        self.observation_space: spaces.Space[Observation] = observation_space(self.game.table)  # type: ignore[assignment]  # Dict loses its types
        self.action_space = spaces.Discrete(self.game.table.game.n_actions)
        self.layout = self.game.table.layout

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin an episode; see `backalley.envs.api.options.reset_arguments` for the options.

        Args:
            seed: seeds everything random from here on.
            options: `deck` (one permutation of the pack, or a list of them), `dealer`, `hand_size`.

        Raises:
            InvalidDeck: the deck is no permutation of the pack.
        """
        super().reset(seed=seed)
        if seed is not None:
            self.game.seed(seed)
        self.game.reset(np.ones(1, np.bool_), reset_arguments(options, self.game.table.rules))  # type: ignore[arg-type]
        observation = self._observation()
        if self.render_mode == "human":
            self.render()
        return observation, self._info(observation)

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play the learner's action and everything up to its next decision.

        Raises:
            IllegalAction: with `illegal="raise"`; the episode stays as it was.
        """
        table = self.game.table
        rewards = self.game.step(np.array([action], np.int64), np.ones(1, np.bool_))
        observation = self._observation()
        if self.render_mode == "human":
            self.render()
        done, truncated = bool(table.done[0]), bool(table.episodes["truncated"][0])
        return observation, float(rewards[0]), done and not truncated, truncated, self._info(observation)

    def action_masks(self) -> NDArray[np.int8]:
        """Return the legal actions, (89,) int8, as SB3-contrib asks for them."""
        mask: NDArray[np.int8] = self.game.see()[1][0]
        return mask

    def render(self) -> str | None:
        """Return the learner's view as text, or print it."""
        text = render_table(self.game.table, 0, int(self.game.learner[0]))
        if self.render_mode == "human":
            print(text)  # noqa: T201 (this is what "human" means)
            return None
        return text

    def _observation(self) -> Observation:
        observations, masks = self.game.see()
        return {"observation": observations[0], "action_mask": masks[0]}

    def _info(self, observation: Observation) -> dict[str, Any]:
        state = self.game.table.states[0]
        seat = int(self.game.learner[0])
        return {
            "action_mask": observation["action_mask"].copy(),
            "seat": seat,
            "hand_size": int(state["hand_size"]),
            "deal_index": int(state["deal_index"]),
            "match_points": state["match_points"][: self.game.table.players].astype(np.int64),
        }
