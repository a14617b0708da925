"""Many episodes played to their ends by any policies, a batch at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backalley.envs import Table
from backalley.envs.legal import first_actions
from backalley.envs.rule_set import RuleSet
from backalley.envs.streams import CHANCE, new_streams
from backalley.policies.base import Policy

SLOTS = 4096
"""Episodes played side by side."""

Progress = Callable[[int, int], None]
"""Called now and then with the plays finished and the plays in all."""
Who = Callable[[NDArray[np.int8], NDArray[np.int64]], NDArray[np.int64]]
"""(seats to act (n,), plays (n,)) → index of the policy that acts, (n,)."""


def play_all(
    rules: RuleSet,
    policies: Sequence[Policy],
    who: Who,
    deal_of: NDArray[np.int64],
    seed: int,
    keep: Callable[[Table, NDArray[np.int64]], NDArray[np.int64]],
    *,
    start: Callable[[NDArray[np.int64]], dict[str, Any]] = lambda deals: {},
    slots: int = SLOTS,
    progress: Progress | None = None,
) -> NDArray[np.int64]:
    """Play episodes to their ends and return what is kept of each.

    A policy is asked only where it has a choice. Deals and results depend on the seed alone, not on `slots`,
    as long as the policies do not draw at random.

    Args:
        rules: rule set.
        policies: who plays.
        who: says which of them acts.
        deal_of: (n_plays,) number of the deal of each play; plays of the same number have the same cards.
        seed: int ≥ 0.
        keep: (table, slots that are over (m,)) → what is kept of their plays, (m, …).
        start: deals (n,) → what else `Table.reset` is told.
        slots: episodes side by side.
        progress: called when plays are over.

    Returns:
        (n_plays, …) int64.
    """
    n_plays = len(deal_of)
    n = min(n_plays, slots)
    table = Table(rules, n)
    chance = new_streams(seed, int(deal_of.max()) + 1, CHANCE)
    rngs = [np.random.default_rng([seed, k]) for k in range(len(policies))]
    playing = np.arange(n)  # (n,) play in each slot

    def deal(where: NDArray[np.bool_]) -> None:
        deals = deal_of[playing]
        table.episodes["chance"][where] = chance[deals[where]]
        table.reset(where, **start(deals))

    deal(np.ones(n, np.bool_))
    kept: dict[int, NDArray[np.int64]] = {}
    n_begun = n
    running = np.ones(n, np.bool_)
    while running.any():
        over = np.flatnonzero(running & table.done)
        kept.update(zip(playing[over].tolist(), keep(table, over), strict=True))
        running[over] = False
        free = over[: n_plays - n_begun]
        if len(free):
            playing[free] = n_begun + np.arange(len(free))
            n_begun += len(free)
            running[free] = True
            where = np.zeros(n, np.bool_)
            where[free] = True
            deal(where)
        if progress is not None and len(over):
            progress(len(kept), n_plays)
        if not len(over):
            _step(table, who(table.turn, playing), policies, rngs)
    return np.array([kept[play] for play in range(n_plays)], np.int64)


def _step(
    table: Table, actor: NDArray[np.int64], policies: Sequence[Policy], rngs: Sequence[np.random.Generator]
) -> None:
    """Ask each policy for all the episodes in which it is to act, and step the table.

    A policy that `sees_all`, a ceiling and no player, is shown the states instead of Views.
    """
    bits = table.legal_bits
    has_choice = np.bitwise_count(bits).sum(axis=1) > 1
    actions = first_actions(bits, table.game.width)
    views, legal = table.view(), table.legal()
    for k, policy in enumerate(policies):
        asked = np.flatnonzero(~table.done & has_choice & (actor == k))
        if len(asked):
            seen = table.states if getattr(policy, "sees_all", False) else views
            actions[asked] = policy.act(seen[asked], legal[asked], rngs[k])
    table.step(actions)
