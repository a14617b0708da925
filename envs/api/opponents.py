"""The other seats of an environment in which one seat learns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.metadata import entry_points
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from backalley.envs.back_alley.rules import MAX_SEATS, Rules
from backalley.envs.errors import unknown
from backalley.envs.rule_set import Records
from backalley.envs.table import SKIP, Table

POLICY_GROUP = "backalley.policies"
"""Entry-point group of policies: `name` stands for its factory(rules), `name:text` for its factory(rules, text)."""
NO_BOT = -1
"""In the numbers of bots by seat: not a bot's seat."""

Advance = Callable[[Table, NDArray[np.int8]], None]
"""(table, bots by episode and seat (n, MAX_SEATS) int8): acts for the bots as far as it goes, adds to the rewards."""


class Opponent(Protocol):
    """A policy for the other seats.

    One that has an int `bot` and a method `advance` (see `Advance`) plays whole stretches inside a kernel.
    """

    def act(self, views: Records, legal: NDArray[np.int8], rng: np.random.Generator) -> NDArray[np.int16]:
        """Return an action for each View."""


Choice = str | Opponent | Callable[..., Any]
"""What names a policy: a name, a policy, or a function (views, legal, rng) → actions."""


def find_policy(policy: Choice, rules: Rules) -> Opponent:
    """Return the policy that `policy` means.

    Raises:
        UnknownName: no installed package offers a policy of that name.
        TypeError: it is neither a name nor a policy nor a function.
    """
    if isinstance(policy, str):
        name, colon, text = policy.partition(":")
        found = {point.name: point for point in entry_points(group=POLICY_GROUP)}
        if name not in found:
            raise unknown("policy", name, found)
        factory: Callable[..., Opponent] = found[name].load()
        return factory(rules, text) if colon else factory(rules)
    if hasattr(policy, "act"):
        return policy
    if callable(policy):
        return _FunctionPolicy(policy)
    raise TypeError(f"{policy!r} is no policy: give a name, an object with a method act, or a function")


class _FunctionPolicy:
    """A plain function as a policy."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function

    def act(self, views: Records, legal: NDArray[np.int8], rng: np.random.Generator) -> NDArray[np.int16]:
        return np.asarray(self.function(views, legal, rng), np.int16)


def seat_policies(rules: Rules, opponents: Choice, partner: Choice | None) -> list[Opponent]:
    """Return the policy of each place clockwise of the learner; partners are the other seats of its side."""
    other = find_policy(opponents, rules)
    mate = other if partner is None else find_policy(partner, rules)
    places = range(1, rules.players)
    return [mate if rules.side_of(place) == rules.side_of(0) else other for place in places]


class OtherSeats:
    """Plays all seats of a table but the learner's: bots inside kernels, other policies in batches.

    Args:
        table: the table.
        policies: policy of each place clockwise of the learner, from its left on.
        rng: source of randomness for policies outside kernels.
    """

    def __init__(self, table: Table, policies: Sequence[Opponent], rng: np.random.Generator) -> None:
        self.table = table
        self.rng = rng
        self._rows = np.arange(table.n)
        self._bots: list[tuple[Advance, NDArray[np.int8]]] = []  # bots (players, MAX_SEATS) by learner's seat and seat
        self._batched: list[tuple[Opponent, list[int]]] = []  # and the places, counted from the learner
        for place, policy in enumerate(policies, start=1):
            if getattr(policy, "bot", None) is None:
                self._add_batched(policy, place)
            else:
                self._add_bot(policy, place)

    def _add_bot(self, policy: Any, place: int) -> None:
        known = [bots for advance, bots in self._bots if advance == policy.advance]
        if not known:
            known = [np.full((self.table.players, MAX_SEATS), NO_BOT, np.int8)]
            self._bots.append((policy.advance, known[0]))
        for learner in range(self.table.players):
            known[0][learner, (learner + place) % self.table.players] = policy.bot

    def _add_batched(self, policy: Opponent, place: int) -> None:
        for known, places in self._batched:
            if known is policy:
                places.append(place)
                return
        self._batched.append((policy, [place]))

    def play(self, learner: NDArray[np.int8], rewards: NDArray[np.float64]) -> None:
        """Act for the other seats until in every episode the learner is to act or the episode is over.

        Args:
            learner: (n,) int8 seat of the learner in each episode.
            rewards: (n,) the learner's rewards, added to.

        Raises:
            IllegalAction: a policy chose an illegal action.
        """
        while True:
            for advance, bots in self._bots:
                self.table.episodes["rewards"] = 0.0
                advance(self.table, bots[learner])
                rewards += self.table.episodes["rewards"][self._rows, learner]
            if len(self._bots) == 1 and not self._batched:
                return
            waiting = ~self.table.done & (self.table.turn != learner)
            if not waiting.any():
                return
            if self._batched:
                self._act(learner, waiting, rewards)

    def _act(self, learner: NDArray[np.int8], waiting: NDArray[np.bool_], rewards: NDArray[np.float64]) -> None:
        """Let policies outside kernels act once where it is their turn."""
        table = self.table
        actions = np.full(table.n, SKIP, np.int16)
        views, legal = table.view(), table.legal()
        places = (table.turn - learner) % table.players
        for policy, own_places in self._batched:
            asked = np.flatnonzero(waiting & np.isin(places, own_places))
            if len(asked):
                actions[asked] = policy.act(views[asked], legal[asked], self.rng)
        rewards += table.step(actions)[0][self._rows, learner]
