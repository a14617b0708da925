"""PettingZoo: Back Alley as an AEC environment.

| | |
|---|---|
| import | `from backalley.envs import back_alley_v0`; `pettingzoo.make("aec", "backalley/back_alley-v0")` |
| agents | `player_0` … `player_3`, clockwise |
| action | `Discrete(89)`, the numbering of `backalley.envs.back_alley.actions` |
| observation | dict of `observation` (layout.size,) int8 and `action_mask` (89,) int8 |
| mask | also in `infos[agent]["action_mask"]`; all zero for seats that are not to act |
| reward | own side's points minus the others' when a deal is scored; see `reward` |
| end | after one deal, or the whole match; an illegal action ends it with −1 for the offender |

`env()` behaves like `raw_env()` in PettingZoo's three stock wrappers (illegal moves end the game, actions out of range
and calls in the wrong order are refused) at a fraction of their cost.

Version history: v0, first version.
"""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import EzPickle
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils.env_logger import EnvLogger

from backalley.envs.api.options import (
    ILLEGAL_MODES,
    ILLEGAL_REWARD,
    RENDER_MODES,
    check_choice,
    make_table,
    observation_space,
    reset_arguments,
)
from backalley.envs.api.privileged import privileged_layout, write_privileged
from backalley.envs.api.render import render_table

Observation = dict[str, NDArray[np.int8]]

_BOUND = ("_action", "_seats", "_turn", "_done", "_observations", "_masks")
"""Attributes that `_bind` makes: arrays of the table, and scratch."""


class RawBackAlley(AECEnv[str, Observation, int], EzPickle):  # type: ignore[misc]  # PettingZoo has no types
    """The environment without checks: an illegal action raises `IllegalAction` and changes nothing.

    Args:
        preset: named rule set.
        episode: `"deal"` or `"match"`.
        reward: `"difference"`, `"points"` or `"win"`.
        illegal: `"terminate"` or `"raise"`; what `env()` does with an illegal action.
        max_redeals: hands thrown in in a row until the episode is truncated.
        render_mode: `"ansi"` returns text, `"human"` prints it after each step.
        render_seat: seat whose view is rendered; None shows all hands.
        **options: rule options that override the preset.

    Raises:
        UnknownName, InvalidRules, NotBuilt: see `Rules.preset`.
    """

    _checks_moves = True

    metadata = {  # noqa: RUF012 (declared so by PettingZoo)
        "name": "back_alley_v0",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def __init__(
        self,
        preset: str = "partnership",
        *,
        episode: str = "deal",
        reward: str = "difference",
        illegal: str = "terminate",
        max_redeals: int = 20,
        render_mode: str | None = None,
        render_seat: int | None = None,
        **options: Any,
    ) -> None:
        EzPickle.__init__(
            self,
            preset,
            episode=episode,
            reward=reward,
            illegal=illegal,
            max_redeals=max_redeals,
            render_mode=render_mode,
            render_seat=render_seat,
            **options,
        )
        super().__init__()
        check_choice("render mode", render_mode, RENDER_MODES)
        check_choice("way to treat illegal actions", illegal, ILLEGAL_MODES)
        self.render_mode = render_mode
        self.render_seat = render_seat
        self.illegal = illegal
        self.table = make_table(preset, 1, options, episode, reward, max_redeals, buffers=True)
        self.layout = self.table.layout
        self.rules = self.table.rules
        self.possible_agents = [f"player_{seat}" for seat in range(self.table.players)]
        self.agents: list[str] = []
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.observation_spaces = {agent: observation_space(self.table) for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(self.table.game.n_actions) for agent in self.possible_agents}
        self.state_layout = privileged_layout(self.table)
        self.state_space = spaces.Box(0, 1, (self.state_layout.size,), np.int8)
        self._no_mask = np.zeros(self.table.game.n_actions, np.int8)
        self._n_actions = self.table.game.n_actions
        self._has_rewards = False
        self._bind()

    def _bind(self) -> None:
        """Keep hold of the table's arrays that every step reads."""
        self._action = np.zeros(1, np.int16)
        self._seats = np.zeros(1, np.int8)
        self._turn = self.table.states["turn"]
        self._done = self.table.episodes["done"]
        assert self.table.observations is not None
        assert self.table.masks is not None
        self._observations, self._masks = self.table.observations, self.table.masks

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the observation space of an agent, the same object each time."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the action space of an agent, the same object each time."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin an episode.

        Args:
            seed: seeds everything random from here on; None goes on with the streams as they are.
            options: `deck` (one permutation of the pack, or a list of them used one after another), `dealer`,
                `hand_size`; others are ignored.

        Raises:
            InvalidDeck: the deck is no permutation of the pack.
        """
        if seed is not None:
            self.table.seed(seed)
        self.table.reset(**reset_arguments(options, self.table.rules))  # type: ignore[arg-type]
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {"action_mask": self._no_mask.copy()} for agent in self.agents}
        self._skip_agent_selection = None
        self._has_rewards = False
        self._select()
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> Observation:
        """Return what an agent sees, in fresh arrays; its mask is all zero unless it is to act."""
        seat = self._seat_of[agent]
        if seat == self._turn[0]:
            return {"observation": self._observations[0].copy(), "action_mask": self._masks[0].copy()}
        observation = np.empty((1, self.layout.size), np.int8)
        mask = np.empty((1, self.table.game.n_actions), np.int8)
        self._seats[0] = seat
        self.table.see_into(self._seats, observation, mask)
        return {"observation": observation[0], "action_mask": mask[0]}

    def state(self) -> NDArray[np.int8]:
        """Return all hands and the stock as binary features (state_layout.size,) int8: for critics only."""
        return write_privileged(self.table, self.state_layout)

    def step(self, action: int | None) -> None:
        """Play an action of `agent_selection`; None once the agent is done.

        Raises:
            IllegalAction: the action is not legal; the game stays as it was.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._action[0] = action  # type: ignore[assignment]  # None is for agents that are done
        rewards, done = self.table.step(self._action, check=self._checks_moves)
        self._cumulative_rewards[agent] = 0.0
        self.infos[agent] = {"action_mask": self._no_mask.copy()}
        paid = rewards[0].tolist()
        if any(paid):
            self.rewards = dict(zip(self.possible_agents, paid, strict=True))
            self._accumulate_rewards()
            self._has_rewards = True
        elif self._has_rewards:
            self.rewards = dict.fromkeys(self.agents, 0.0)
            self._has_rewards = False
        if done[0]:
            self._finish()
        else:
            self._select()
        if self.render_mode == "human":
            self.render()

    def _select(self) -> None:
        """Hand the turn to the seat to act, with its mask in `infos`."""
        self.agent_selection = agent = self.possible_agents[self._turn[0]]
        self.infos[agent] = {"action_mask": self._masks[0].copy()}
        if self.table.episode == "match":
            self._report()

    def _report(self) -> None:
        """Write the standing of the match into `infos`."""
        points = self.table.states["match_points"][0]
        deal_index = int(self.table.states["deal_index"][0])
        for agent in self.agents:
            self.infos[agent]["deal_index"] = deal_index
            self.infos[agent]["match_points"] = int(points[self._seat_of[agent]])

    def _finish(self) -> None:
        truncated = bool(self.table.truncated[0])
        self.terminations = dict.fromkeys(self.agents, not truncated)
        self.truncations = dict.fromkeys(self.agents, truncated)
        if self.table.episode == "match":
            self._report()

    def render(self) -> str | None:
        """Return the table as text, or print it; see `render_seat`."""
        if self.render_mode is None:
            EnvLogger.warn("render() without render_mode: make the environment with render_mode='ansi' or 'human'")
            return None
        text = render_table(self.table, 0, self.render_seat)
        if self.render_mode == "human":
            print(text)  # noqa: T201 (this is what "human" means)
            return None
        return text

    def close(self) -> None:
        """Free nothing: there is no window."""

    def clone(self) -> RawBackAlley:
        """Return an independent copy in the same position that will see the same chance."""
        return copy.deepcopy(self)

    # Copies carry the position, not only the constructor's arguments.

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in _BOUND}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._bind()


class BackAlley(RawBackAlley):
    """The environment with the behaviour of PettingZoo's three stock wrappers fused in; see `RawBackAlley`."""

    _has_reset = False
    _checks_moves = False  # `step` has looked at the mask

    def __getattr__(self, name: str) -> Any:
        """Say that attributes of a running game need a reset first."""
        if name in ("rewards", "terminations", "truncations", "infos", "agent_selection"):
            raise AttributeError(f"{name} cannot be accessed before reset")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin an episode; see `RawBackAlley.reset`."""
        self._has_reset = True
        self._offended = False
        super().reset(seed, options)

    def observe(self, agent: str) -> Observation:
        """Return what an agent sees; see `RawBackAlley.observe`."""
        if not self._has_reset:
            EnvLogger.error_observe_before_reset()
        observation = super().observe(agent)
        if self._offended:
            observation["action_mask"][:] = 0
        return observation

    def state(self) -> NDArray[np.int8]:
        """Return all hands and the stock; see `RawBackAlley.state`."""
        if not self._has_reset:
            EnvLogger.error_state_before_reset()
        return super().state()

    def render(self) -> str | None:
        """Return the table as text, or print it; see `RawBackAlley.render`."""
        if not self._has_reset:
            EnvLogger.error_render_before_reset()
        return super().render()

    def step(self, action: int | None) -> None:
        """Play an action; an illegal one ends the game with −1 for the offender, or raises with `illegal="raise"`.

        Raises:
            AssertionError: the action is outside the action space, as in PettingZoo's wrapper.
            IllegalAction: with `illegal="raise"`.
        """
        if not self._has_reset:
            EnvLogger.error_step_before_reset()
        if not self.agents:
            EnvLogger.warn_step_after_terminated_truncated()
            return
        agent = self.agent_selection
        if not (self.terminations[agent] or self.truncations[agent]):
            if isinstance(action, int | np.integer):  # the usual case, quicker than asking the space
                in_space = bool(0 <= action < self._n_actions)
            else:
                in_space = self.action_spaces[agent].contains(action)
            assert in_space, "action is not in action space"
            if self._masks[0, action] == 0:
                if self.illegal == "raise":
                    self.table.step(np.array([action]))  # raises, with the reason
                self._forfeit(agent)
                return
        elif action is not None:
            in_space = self.action_spaces[agent].contains(action)
            assert in_space, "action is not in action space"
        super().step(action)

    def _forfeit(self, offender: str) -> None:
        """End the game: −1 for the offender, nothing for the others."""
        EnvLogger.warn_on_illegal_move()
        self._cumulative_rewards[offender] = 0.0
        self.terminations = dict.fromkeys(self.agents, True)
        self.truncations = dict.fromkeys(self.agents, True)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self.rewards[offender] = ILLEGAL_REWARD
        self._accumulate_rewards()
        self._deads_step_first()
        self._offended = True  # the table stays as it was: only the masks must go
        self._has_rewards = True
        for agent in self.agents:
            self.infos[agent]["action_mask"] = self._no_mask.copy()


def raw_env(**kwargs: Any) -> RawBackAlley:
    """Return the environment without checks; see `RawBackAlley` for the keywords."""
    return RawBackAlley(**kwargs)


def env(**kwargs: Any) -> BackAlley:
    """Return the environment with checks; see `RawBackAlley` for the keywords."""
    return BackAlley(**kwargs)
