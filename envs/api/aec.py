"""PettingZoo: Back Alley as an AEC environment.

| | |
|---|---|
| import | `from backalley.envs import back_alley_v0`; `pettingzoo.make("aec", "backalley/back_alley-v0")` |
| agents | `player_0` … `player_3`, clockwise |
| action | `Discrete(89)`, the numbering of `backalley.envs.back_alley.actions` |
| observation | dict of `observation` (layout.size,) int8 and `action_mask` (89,) int8 |
| mask | also in `infos[agent]["action_mask"]`; all zero for seats that are not to act, and for all at the end |
| match | `infos[agent]` also has `deal_index` and the agent's `match_points`, the total of its side so far |
| end of a deal | then, until the agent's next action, also `deal_points`, those of its side, and `own_points` (below) |
| end of a match | also `winners`, the agents with the highest total |
| reward | own side's points minus the others' when a deal is scored; see `reward` |
| end | after one deal, or the whole match; an illegal action ends it with −1 for the offender |

`env()` behaves like `raw_env()` in PettingZoo's three stock wrappers (illegal moves end the game, actions out of range
and calls in the wrong order are refused) at a fraction of their cost. One difference: after an illegal move the masks
in `infos` are all zero too.

`own_points` is what the seat scored by itself where players are scored alone (`score_unit="player"`), else the same as
`deal_points`. Single deals have both at their end too. A deal that is cut off after hands thrown in has no points.

Version history: v0, first version.
"""

from __future__ import annotations

import sys
from operator import index
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils.env import AECIterable, AECIterator
from pettingzoo.utils.env_logger import EnvLogger

from backalley.envs.api.options import (
    ILLEGAL_MODES,
    ILLEGAL_REWARD,
    RENDER_MODES,
    check_choice,
    check_render_mode,
    check_render_seat,
    make_table,
    observation_space,
    reset_arguments,
)
from backalley.envs.api.privileged import privileged_layout, write_privileged
from backalley.envs.api.render import render_table
from backalley.envs.api.results import DEAL_RESULTS, winning_seats
from backalley.envs.api.stepper import Stepper
from backalley.envs.back_alley.game import BACK_ALLEY
from backalley.envs.errors import IllegalAction, unknown

Observation = dict[str, NDArray[np.int8]]


class RawBackAlley(AECEnv[str, Observation, int]):  # type: ignore[misc]  # PettingZoo has no types
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
        UnknownName, InvalidRules: see `Rules.preset`.
    """

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
        super().__init__()
        check_render_mode(render_mode, RENDER_MODES)
        check_choice("way to treat illegal actions", illegal, ILLEGAL_MODES)
        self.render_mode = render_mode
        self.render_seat = render_seat
        self.illegal = illegal
        kinds = {"episode": episode, "reward": reward, "max_redeals": max_redeals}
        self.table = make_table(BACK_ALLEY, preset, 1, options, **kinds, buffers=True)
        check_render_seat(render_seat, self.table.players)
        self.layout = self.table.layout
        self.rules = self.table.rules
        self.possible_agents = [f"player_{seat}" for seat in range(self.table.players)]
        self.observation_spaces = {agent: observation_space(self.table) for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(self.table.game.n_actions) for agent in self.possible_agents}
        self.state_layout = privileged_layout(self.table)
        self.state_space = spaces.Box(0, 1, (self.state_layout.size,), np.int8)
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._stepper = Stepper(self.table)
        self._no_mask = np.zeros(self.table.game.n_actions, np.int8)
        self._no_rewards = [0.0] * self.table.players
        self._is_match = episode == "match"
        self._results: dict[str, dict[str, Any]] = {}  # of the deal scored last, until the agent acts

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
                `hand_size`, `cut`; others are ignored.

        Raises:
            InvalidDeck: the deck is no permutation of the pack, or a cut is given for rules that never cut.
            ValueError: dealer or hand size do not exist.
        """
        if seed is not None:
            self.table.seed(seed)
        self.table.reset(**reset_arguments(options, self.table.rules))  # type: ignore[arg-type]
        self._stepper.bind()
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._skip_agent_selection = None
        self._is_paid = False
        self._results = {}
        self._report_to_all()
        self._select()
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> Observation:
        """Return what an agent sees, in fresh arrays; its mask is all zero unless it is to act.

        Raises:
            UnknownName: no such agent.
        """
        stepper = self._stepper
        if agent == self.agent_selection and stepper.turn[0] >= 0 and not self.terminations.get(agent, True):
            return {"observation": stepper.observation.copy(), "action_mask": stepper.mask.copy()}
        if agent not in self._seat_of:
            raise unknown("agent", agent, self.possible_agents)
        return {"observation": self.table.observe(self._seat_of[agent])[0], "action_mask": self._no_mask.copy()}

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
        number = -1 if action is None else index(action)
        if not 0 <= number < len(self._no_mask) or not self._stepper.mask[number]:
            self._refuse(number)
        self._play(agent, number)

    def _refuse(self, action: int) -> None:
        """Raise `IllegalAction` with the reason."""
        table = self.table
        raise IllegalAction(table.game.describe_illegal(table.rules, table.states, 0, action, table.legal_bits[0]))

    def _play(self, agent: str, action: int) -> None:
        """Play a legal action."""
        stepper = self._stepper
        deal_index = stepper.deal_index.item() if self._is_match else 0
        stepper.step(action)
        self._results.pop(agent, None)
        self._cumulative_rewards[agent] = 0.0
        rewards = stepper.rewards.tolist()
        if rewards != self._no_rewards:
            self.rewards = dict(zip(self.possible_agents, rewards, strict=True))
            self._accumulate_rewards()
            self._is_paid = True
        elif self._is_paid:
            self.rewards = dict.fromkeys(self.possible_agents, 0.0)
            self._is_paid = False
        is_over, is_truncated = stepper.done.tolist()
        if is_over or (self._is_match and stepper.deal_index.item() != deal_index):
            if not is_truncated:
                self._note_results(is_over=is_over)
            self._report_to_all()
        else:
            self.infos[agent] = self._info(agent, self._no_mask)
        if is_over:
            self.terminations = dict.fromkeys(self.agents, not is_truncated)
            self.truncations = dict.fromkeys(self.agents, is_truncated)
            self._deads_step_first()
        else:
            self._select()
        if self.render_mode == "human":
            self.render()

    def _select(self) -> None:
        """Hand the turn to the seat to act, with its mask in `infos`."""
        self.agent_selection = agent = self.possible_agents[self._stepper.turn.item()]
        self.infos[agent] = self._info(agent, self._stepper.mask)

    def _info(self, agent: str, mask: NDArray[np.int8]) -> dict[str, Any]:
        """Return a fresh info of an agent."""
        info: dict[str, Any] = {"action_mask": mask.copy()}
        if self._is_match:
            state = self.table.states[0]
            info["deal_index"] = int(state["deal_index"])
            info["match_points"] = int(state["match_points"][self._seat_of[agent]])
        if agent in self._results:
            info |= self._results[agent]
        return info

    def _note_results(self, *, is_over: bool) -> None:
        """Keep what the deal just scored, and the match if it is over, brought each agent, for `infos`."""
        state = self.table.states[0]
        for agent, seat in self._seat_of.items():
            self._results[agent] = {name: int(state[name][seat]) for name in DEAL_RESULTS}
        if is_over and self._is_match:
            won = winning_seats(self.rules, state)  # type: ignore[arg-type]  # Rules, not any RuleSet
            for agent in self.possible_agents:
                self._results[agent]["winners"] = [name for name, seat in self._seat_of.items() if won[seat]]

    def _report_to_all(self) -> None:
        """Write fresh infos for everybody, nobody to act yet."""
        self.infos = {agent: self._info(agent, self._no_mask) for agent in self.agents}

    def render(self) -> str | None:
        """Return the table as text, or print it; see `render_seat`."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() does nothing without a render_mode: make the environment with 'ansi'")
            return None
        text = render_table(self.table, 0, self.render_seat)
        if self.render_mode == "human":
            sys.stdout.write(text + "\n")
            return None
        return text

    def close(self) -> None:
        """Free nothing: there is no window."""

    def clone(self) -> RawBackAlley:
        """Return an independent copy in the same position that will see the same chance, quicker than `deepcopy`.

        The copy shares the spaces, and with them their samplers.
        """
        twin = object.__new__(type(self))
        own: dict[str, Any] = twin.__dict__
        own.update(self.__dict__)
        own["table"] = self.table.clone()
        own["_stepper"] = Stepper(twin.table)
        for name in ("agents", "rewards", "_cumulative_rewards", "terminations", "truncations"):
            if name in own:
                own[name] = own[name].copy()
        own["_results"] = self._results.copy()
        if "infos" in own:
            own["infos"] = {
                agent: info | {"action_mask": info["action_mask"].copy()} for agent, info in self.infos.items()
            }
        return twin


class BackAlley(RawBackAlley):
    """The environment with the behaviour of PettingZoo's three stock wrappers fused in; see `RawBackAlley`."""

    _has_reset = False
    _has_updated = False

    def __getattr__(self, name: str) -> Any:
        """Say that attributes of a running game need a reset first."""
        if name in ("agents", "num_agents", "rewards", "terminations", "truncations", "infos", "agent_selection"):
            raise AttributeError(f"{name} cannot be accessed before reset")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin an episode; see `RawBackAlley.reset`."""
        self._has_reset = self._has_updated = True
        super().reset(seed, options)

    def observe(self, agent: str) -> Observation:
        """Return what an agent sees; see `RawBackAlley.observe`."""
        if not self._has_reset:
            EnvLogger.error_observe_before_reset()
        return super().observe(agent)

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

    def agent_iter(self, max_iter: int = 2**63) -> AECIterable:
        """Yield the agent to act until nobody is left; each turn of the loop has to step or reset."""
        if not self._has_reset:
            EnvLogger.error_agent_iter_before_reset()
        return _OrderedIterable(self, max_iter)

    def step(self, action: int | None) -> None:
        """Play an action; an illegal one ends the game with −1 for the offender, or raises with `illegal="raise"`.

        Raises:
            AssertionError: the action is outside the action space, as in PettingZoo's wrapper.
            IllegalAction: with `illegal="raise"`; the game stays as it was.
        """
        if not self._has_reset:
            EnvLogger.error_step_before_reset()
        self._has_updated = True
        if not self.agents:
            EnvLogger.warn_step_after_terminated_truncated()
            return
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            if action is not None:
                assert self.action_spaces[agent].contains(action), "action is not in action space"
            self._was_dead_step(action)
            return
        try:
            number = index(action)  # type: ignore[arg-type]  # the usual case, quicker than asking the space
        except TypeError:
            number = -1
        assert 0 <= number < len(self._no_mask), "action is not in action space"
        if self._stepper.mask[number]:
            self._play(agent, number)
        elif self.illegal == "raise":
            self._refuse(number)
        else:
            self._forfeit(agent)

    def _forfeit(self, offender: str) -> None:
        """End the game: −1 for the offender, nothing for the others."""
        EnvLogger.warn_on_illegal_move()
        self._cumulative_rewards[offender] = 0.0
        self.terminations = dict.fromkeys(self.agents, True)
        self.truncations = dict.fromkeys(self.agents, True)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self.rewards[offender] = ILLEGAL_REWARD
        self._accumulate_rewards()
        self._report_to_all()
        self._deads_step_first()


class _OrderedIterable(AECIterable):  # type: ignore[misc]  # PettingZoo has no types
    """`agent_iter` of the checked environment."""

    def __iter__(self) -> _OrderedIterator:
        return _OrderedIterator(self.env, self.max_iter)


class _OrderedIterator(AECIterator):  # type: ignore[misc]  # PettingZoo has no types
    """Refuses to go on when nothing has happened since the last agent."""

    def __next__(self) -> str:
        agent: str = super().__next__()
        assert self.env._has_updated, "need to call step() or reset() in a loop over `agent_iter`"
        self.env._has_updated = False
        return agent


def raw_env(**kwargs: Any) -> RawBackAlley:
    """Return the environment without checks; see `RawBackAlley` for the keywords."""
    return RawBackAlley(**kwargs)


def env(**kwargs: Any) -> BackAlley:
    """Return the environment with checks; see `RawBackAlley` for the keywords."""
    return BackAlley(**kwargs)
