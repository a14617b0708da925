"""One block of an arena's pairs: played, and what is counted of it.

A block is a JSON object, so that it can be stored as one line and come from another machine:

| key | meaning |
|---|---|
| `key` | what tells it apart: `pairs`, the identities of the policies, the first pair and how many |
| `units` | per pair A's margin in deal points, times `duel.margin_scale`: a whole number |
| `counts` | for A and for B: by hand size the numbers of `bid_counts.COUNTS` |
| `records` | if asked for, the lines of `records` for all plays, in order; kept in a file of their own |
"""

from __future__ import annotations

import hashlib
import re
import threading
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from backalley.envs import Rules
from backalley.envs.rule_set import Records
from backalley.policies import registry
from backalley.policies.back_alley.bid_counts import count_bids
from backalley.policies.back_alley.composite import Composite, bots_of
from backalley.policies.back_alley.duel import final_states, margins, side_points
from backalley.policies.base import Policy
from backalley.train.arena_plays import Plays, play_out
from backalley.train.arena_records import record_lines

Block = dict[str, Any]
Key = tuple[str | int, ...]

_COMPOSITE = re.compile(r"bids=(.+?),cards=(.+)")


def parts_of(name: str) -> tuple[str, ...]:
    """Return the names of the policies that `bids=A,cards=B` is made of, or the name itself."""
    match = _COMPOSITE.fullmatch(name)
    return match.groups() if match else (name,)


def make_policy(name: str, rules: Rules) -> Policy:
    """Return the policy of a name of the registry or of the form `bids=A,cards=B`; errors as `registry.make`."""
    made = [registry.make(part, rules) for part in parts_of(name)]
    return made[0] if len(made) == 1 else Composite(*made)


@dataclass(frozen=True)
class Entrant:
    """A policy that takes part.

    Attributes:
        name: as people know it.
        identity: the name with a digest of its networks: results of weights since replaced are not taken for theirs.
        located: the name with absolute paths, for workers in other folders.
    """

    name: str
    identity: str
    located: str

    @classmethod
    def of(cls, name: str) -> Entrant:
        """Return the entrant of a policy's name; its networks must exist."""
        return cls(name, _identity(name), _located(name))

    def policy(self, rules: Rules) -> Policy:
        """Return the policy as this thread made it before: policies have scratch space, and networks take time."""
        return _made(self, rules, threading.get_ident())


@lru_cache(maxsize=64)
def _made(entrant: Entrant, rules: Rules, thread: int) -> Policy:
    return make_policy(entrant.located, rules)


def _located(name: str) -> str:
    prefix = registry.NET_PREFIX
    parts = [
        prefix + str(Path(part.removeprefix(prefix)).absolute()) if part.startswith(prefix) else part
        for part in parts_of(name)
    ]
    return parts[0] if len(parts) == 1 else "bids={},cards={}".format(*parts)


def _identity(name: str) -> str:
    digests = []
    for part in parts_of(name):
        if part.startswith(registry.NET_PREFIX):
            from backalley.policies.checkpoint import network_path

            content = network_path(part.removeprefix(registry.NET_PREFIX)).read_bytes()
            digests.append(hashlib.sha256(content).hexdigest()[:12])
    return "#".join([name, *digests])


@dataclass(frozen=True)
class Task:
    """A block to be played; everything a worker needs.

    Attributes:
        rules: rule set.
        a, b: the policies.
        first, pairs: numbers of the pairs.
        seed: of all deals.
        with_records: whether to make records of the plays.
    """

    rules: Rules
    a: Entrant
    b: Entrant
    first: int
    pairs: int
    seed: int
    with_records: bool = False

    @property
    def key(self) -> Key:
        """What tells the block apart from others of an arena."""
        return "pairs", self.a.identity, self.b.identity, self.first, self.pairs

    @property
    def entrants(self) -> tuple[Entrant, ...]:
        """Who plays."""
        return self.a, self.b

    def shortened(self) -> Task:
        """Return a task that needs the same machine code and next to no time."""
        return replace(self, pairs=1)

    def play(self) -> Block:
        """Play the pairs.

        Scripted bots play inside one kernel, unless records are asked for; any other policy is asked for many deals at
        a time.
        """
        rules, policies = self.rules, [one.policy(self.rules) for one in self.entrants]
        bots_a, bots_b = map(bots_of, policies)
        plays = None
        if bots_a is not None and bots_b is not None and not self.with_records:
            finals = final_states(rules, bots_a, bots_b, self.pairs, self.seed, self.first)
        else:
            plays = self._play_out(policies)
            finals = plays.finals
        block: Block = {
            "key": list(self.key),
            "units": margins(side_points(rules, finals)).tolist(),
            "counts": counts_by_size(rules, finals),
        }
        if plays is not None and self.with_records:
            deals = self.first + np.arange(len(finals)) // rules.n_sides
            names = [[(self.b.name, self.a.name)[on] for on in self._seats_of_a(side)] for side in range(rules.n_sides)]
            block["records"] = record_lines(rules, plays, deals, names, self.seed)
        return block

    def _play_out(self, policies: list[Policy]) -> Plays:
        n_sides, n_plays = self.rules.n_sides, self.rules.n_sides * self.pairs
        who = np.array([[1 - on for on in self._seats_of_a(side)] for side in range(n_sides)])  # (n_sides, players)
        numbers = np.arange(n_plays)
        deals = self.first + numbers // n_sides
        return play_out(self.rules, policies, who[numbers % n_sides], deals, n_sides * self.first + numbers, self.seed)

    def _seats_of_a(self, side: int) -> list[bool]:
        """Say of each seat whether A sits there in the play in which it has that side."""
        return [self.rules.side_of(seat) == side for seat in range(self.rules.players)]


def counts_by_size(rules: Rules, finals: Records) -> list[dict[str, list[int]]]:
    """Return for A and for B, by hand size, the numbers of `COUNTS`.

    Args:
        rules: rule set.
        finals: (n_sides * pairs,) final states; A had side play % n_sides.
    """
    by_side = count_bids(rules, finals)  # (plays, n_sides, counts)
    side_of_a = np.arange(len(finals)) % rules.n_sides
    ours = by_side[np.arange(len(finals)), side_of_a]
    found = []
    for counts in (ours, by_side.sum(axis=1) - ours):
        sizes = np.unique(finals["hand_size"])[::-1]
        found.append({str(size): counts[finals["hand_size"] == size].sum(axis=0).tolist() for size in sizes})
    return found
