"""The other seats of an environment in which one seat learns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.metadata import entry_points
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from backalley.envs.back_alley.rules import MAX_SEATS, Rules
from backalley.envs.errors import unknown
from backalley.envs.game import Records
from backalley.envs.table import SKIP, Table

POLICY_GROUP = "backalley.policies"
"""Entry-point group in which policies are found by name: name → factory(rules) → policy."""
NO_BOT = -1


class Opponent(Protocol):
    """A policy for the other seats; one with an int `bot` and a method `advance` plays inside a kernel."""

    def act(self, views: Records, legal: NDArray[np.int8], rng: np.random.Generator) -> NDArray[np.int16]:
        """Return an action for each View."""


def find_policy(policy: str | Opponent | Callable[..., Any], rules: Rules) -> Opponent:
    """Return the policy that `policy` means: itself, a function (views, legal, rng) → actions, or a name.

    Raises:
        UnknownName: no installed package offers a policy of that name.
    """
    if isinstance(policy, str):
        found = {point.name: point for point in entry_points(group=POLICY_GROUP)}
        if policy not in found:
            raise unknown("policy", policy, sorted(found))
        made: Opponent = found[policy].load()(rules)
        return made
    return policy if hasattr(policy, "act") else _FunctionPolicy(policy)


class _FunctionPolicy:
    """A plain function as a policy."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function

    def act(self, views: Records, legal: NDArray[np.int8], rng: np.random.Generator) -> NDArray[np.int16]:
        return np.asarray(self.function(views, legal, rng), np.int16)


class OtherSeats:
    """Plays all seats of a table but the learner's.

    Args:
        table: the table.
        policies: policy of each place relative to the learner, 1 (left) to players - 1; entry 0 is not used.
        rng: source of the policies' randomness.
    """

    def __init__(self, table: Table, policies: Sequence[Opponent | None], rng: np.random.Generator) -> None:
        self.table = table
        self.policies = list(policies)
        self.rng = rng
        others = self.policies[1:]
        self._in_kernel = all(getattr(policy, "bot", None) is not None for policy in others)
        self._bots = [NO_BOT] + [getattr(policy, "bot", NO_BOT) for policy in others]

    def play(self, learner: NDArray[np.int8], rewards: NDArray[np.float64]) -> None:
        """Act for the other seats until in every episode the learner is to act or the episode is over.

        Args:
            learner: (n,) int8 seat of the learner in each episode.
            rewards: (n,) the learner's rewards, added to.
        """
        if self._in_kernel:
            self._play_in_kernel(learner, rewards)
        else:
            self._play_in_batches(learner, rewards)

    def _play_in_kernel(self, learner: NDArray[np.int8], rewards: NDArray[np.float64]) -> None:
        table, n = self.table, self.table.n
        bot_of_seat = np.full((n, MAX_SEATS), NO_BOT, np.int8)
        rows = np.arange(n)
        for place in range(1, table.players):
            bot_of_seat[rows, (learner + place) % table.players] = self._bots[place]
        table.episodes["rewards"] = 0.0
        self.policies[1].advance(table, bot_of_seat)  # type: ignore[union-attr]
        rewards += table.episodes["rewards"][rows, learner]

    def _play_in_batches(self, learner: NDArray[np.int8], rewards: NDArray[np.float64]) -> None:
        table = self.table
        rows = np.arange(table.n)
        while True:
            waiting = ~table.done & (table.turn != learner)
            if not waiting.any():
                return
            actions = np.full(table.n, SKIP, np.int16)
            views, legal = table.view(), table.legal()
            places = (table.turn - learner) % table.players
            for policy in {id(policy): policy for policy in self.policies[1:] if policy is not None}.values():
                mine = [place for place in range(1, table.players) if self.policies[place] is policy]
                asked = np.flatnonzero(waiting & np.isin(places, mine))
                if len(asked):
                    actions[asked] = policy.act(views[asked], legal[asked], self.rng)
            step_rewards, _ = table.step(actions)
            rewards += step_rewards[rows, learner]


def seat_policies(
    rules: Rules, opponents: str | Opponent | Callable[..., Any], partner: str | Opponent | Callable[..., Any] | None
) -> list[Opponent | None]:
    """Return the policy of each place relative to the learner; partners are the other seats of its side."""
    other = find_policy(opponents, rules)
    mate = other if partner is None else find_policy(partner, rules)
    places = range(1, rules.players)
    return [None, *(mate if rules.side_of(place) == rules.side_of(0) else other for place in places)]
