"""One block of an arena's pairs: played, and what is counted of it.

A block is a JSON object, so that it can be stored as one line and come from another machine:

| key | meaning |
|---|---|
| `a`, `b` | identity of the policies |
| `first`, `pairs` | numbers of the pairs played |
| `units` | per pair A's margin in deal points, times `duel.margin_scale`: a whole number |
| `counts` | for A and for B: by hand size the numbers of `bid_counts.COUNTS` |
"""

from __future__ import annotations

import hashlib
import re
import threading
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from backalley.envs import Rules
from backalley.envs.back_alley.state import STATE
from backalley.envs.rule_set import Records
from backalley.policies import registry
from backalley.policies.back_alley.bid_counts import count_bids
from backalley.policies.back_alley.composite import Composite, bots_of
from backalley.policies.back_alley.duel import final_states, margins, side_points
from backalley.policies.base import Policy
from backalley.train.evaluate import play_sides

Block = dict[str, Any]

_COMPOSITE = re.compile(r"bids=(.+?),cards=(.+)")


@dataclass(frozen=True)
class Task:
    """A block to be played; everything a worker needs.

    Attributes:
        rules: rule set.
        a, b: identity of the policies, see `identity`.
        policy_a, policy_b: their names, with absolute paths.
        first, pairs: numbers of the pairs.
        seed: of all deals.
    """

    rules: Rules
    a: str
    b: str
    policy_a: str
    policy_b: str
    first: int
    pairs: int
    seed: int

    @property
    def key(self) -> tuple[str, str, int, int]:
        """What tells the block apart from others of an arena."""
        return self.a, self.b, self.first, self.pairs


def parts_of(name: str) -> tuple[str, ...]:
    """Return the names of the policies that `bids=A,cards=B` is made of, or the name itself."""
    match = _COMPOSITE.fullmatch(name)
    return match.groups() if match else (name,)


def make_policy(name: str, rules: Rules) -> Policy:
    """Return the policy of a name of the registry or of the form `bids=A,cards=B`; errors as `registry.make`."""
    made = [registry.make(part, rules) for part in parts_of(name)]
    return made[0] if len(made) == 1 else Composite(*made)


def located(name: str) -> str:
    """Return the name with absolute paths, for workers in other folders."""
    prefix = registry.NET_PREFIX
    parts = [
        prefix + str(Path(part.removeprefix(prefix)).absolute()) if part.startswith(prefix) else part
        for part in parts_of(name)
    ]
    return parts[0] if len(parts) == 1 else "bids={},cards={}".format(*parts)


def identity(name: str) -> str:
    """Return the name with a digest of its networks: results of weights since replaced are not taken for theirs."""
    digests = []
    for part in parts_of(name):
        if part.startswith(registry.NET_PREFIX):
            from backalley.policies.checkpoint import network_path

            content = network_path(part.removeprefix(registry.NET_PREFIX)).read_bytes()
            digests.append(hashlib.sha256(content).hexdigest()[:12])
    return "#".join([name, *digests])


@lru_cache(maxsize=64)
def _policy(name: str, rules: Rules, thread: int) -> Policy:
    """Return the policy as this thread made it before: policies have scratch space."""
    return make_policy(name, rules)


def play_block(task: Task) -> Block:
    """Play the pairs of a block.

    Scripted bots play inside one kernel; any other policy is asked for many deals at a time.
    """
    rules, thread = task.rules, threading.get_ident()
    a, b = _policy(task.policy_a, rules, thread), _policy(task.policy_b, rules, thread)
    bots_a, bots_b = bots_of(a), bots_of(b)
    if bots_a is not None and bots_b is not None:
        finals = final_states(rules, bots_a, bots_b, task.pairs, task.seed, task.first)
    else:
        words = play_sides(
            rules,
            a,
            b,
            task.pairs,
            task.seed,
            lambda table, over: table.states[over].view(np.int64).reshape(len(over), STATE.itemsize // 8),
            first=task.first,
        )
        finals = np.ascontiguousarray(words).view(STATE).reshape(-1)
    return {
        "a": task.a,
        "b": task.b,
        "first": task.first,
        "pairs": task.pairs,
        "units": margins(side_points(rules, finals)).tolist(),
        "counts": counts_by_size(rules, finals),
    }


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
