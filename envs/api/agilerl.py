"""AgileRL: Back Alley as a PettingZoo `ParallelEnv` with the masks in `infos`.

AgileRL takes parallel environments only, and masks from `infos` only. Here all seats act at once and the actions of
those whose turn it is not are ignored: their mask allows action 0 alone, so that they have nothing to choose and to
learn. Masks of zeros, which the AEC environment gives them, would make a distribution of no actions.

>>> env = parallel_env(preset="partnership")
>>> observations, infos = env.reset(seed=1)
>>> [int(infos[agent]["action_mask"].sum()) for agent in env.agents]
[10, 1, 1, 1]
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import ParallelEnv

from backalley.envs.api.aec import BackAlley

Observations = dict[str, NDArray[np.int8]]
Infos = dict[str, dict[str, Any]]
Step = tuple[Observations, dict[str, float], dict[str, bool], dict[str, bool], Infos]

IDLE_ACTION = 0
"""The action that seats may choose that are not to act; it does nothing."""


def parallel_env(**kwargs: Any) -> ParallelSeats:
    """Return the environment; see `back_alley_v0.env` for the keywords."""
    return ParallelSeats(BackAlley(**kwargs))


class ParallelSeats(ParallelEnv[str, NDArray[np.int8], int]):  # type: ignore[misc]  # PettingZoo has no types
    """An AEC environment as a parallel one: each step is one seat's, the others' actions are ignored.

    Rewards are those of the step for all seats, in it and not at the seat's next turn.

    Args:
        env: the AEC environment; `render_mode` and options of `reset` are its own.
    """

    def __init__(self, env: BackAlley) -> None:
        self.env = env
        self.possible_agents = env.possible_agents[:]
        self.agents: list[str] = []
        self.render_mode = env.render_mode
        self.metadata = {**env.metadata, "is_parallelizable": True}
        self._spaces: dict[str, spaces.Space[Any]] = {}
        for agent in self.possible_agents:
            space = env.observation_space(agent)
            assert isinstance(space, spaces.Dict)
            self._spaces[agent] = space["observation"]

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the observation space of an agent, the same object each time."""
        return self._spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the action space of an agent, the same object each time."""
        return self.env.action_space(agent)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observations, Infos]:
        """Begin an episode; see `RawBackAlley.reset`."""
        self.env.reset(seed, options)
        self.agents = self.possible_agents[:]
        return self._observations(), self._infos()

    def step(self, actions: dict[str, int]) -> Step:
        """Play the action of the seat to act.

        Args:
            actions: agent → action; those of the others may be missing.

        Raises:
            IllegalAction: with `illegal="raise"`; the game stays as it was.
        """
        env = self.env
        actor = env.agent_selection
        if actor not in actions:
            raise KeyError(f"no action of {actor}, who is to act (given: {', '.join(actions) or 'none'})")
        env.step(int(actions[actor]))
        rewards, terminations, truncations = dict(env.rewards), dict(env.terminations), dict(env.truncations)
        observations, infos = self._observations(), self._infos()
        if any(terminations.values()) or any(truncations.values()):
            self.agents = []
        return observations, rewards, terminations, truncations, infos

    def _observations(self) -> Observations:
        return {agent: self.env.observe(agent)["observation"] for agent in self.agents}

    def _infos(self) -> Infos:
        """Return the infos of all seats, with a mask that allows something in each."""
        infos = {agent: dict(self.env.infos[agent]) for agent in self.agents}
        for info in infos.values():
            if not info["action_mask"].any():
                info["action_mask"] = info["action_mask"].copy()
                info["action_mask"][IDLE_ACTION] = 1
        return infos

    def state(self) -> NDArray[np.int8]:
        """Return all hands and the stock, for critics only."""
        return self.env.state()

    def render(self) -> str | None:
        """Return the table as text, or print it."""
        return self.env.render()

    def close(self) -> None:
        """Free nothing: there is no window."""
        self.env.close()
