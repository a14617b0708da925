"""Decisions of a teacher that does not play inside kernels, such as a solver, to imitate."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from backalley.envs import Table
from backalley.envs.errors import BackAlleyError
from backalley.envs.legal import first_actions
from backalley.envs.rule_set import RuleSet, new_records
from backalley.policies.base import Policy
from backalley.policies.features import Features
from backalley.train.games import training_game
from backalley.train.rollout import Batch
from backalley.train.rollout_kernels import ROW

SLOTS = 128
"""Episodes that the teacher plays side by side."""
PATIENCE = 1_000
"""Games after which a teacher that has shown nothing is given up."""


def demonstrations(
    teacher: Policy, rules: RuleSet, n: int, seed: int, reward_scale: tuple[float, float], **limits: Any
) -> Batch:
    """Return at least n decisions of a teacher in games worth imitating, those that it had no choice in left out.

    Args:
        teacher: who plays, on every seat.
        rules: rule set.
        n: decisions.
        seed: of the deals and of the teacher's draws.
        reward_scale: outcomes are divided by the first number: this is for games whose deals are all of one size.
        **limits: see `Table`.

    Raises:
        BackAlleyError: the teacher wins nothing.

    Returns:
        A batch whose targets are the outcomes for the seats that decided.
    """
    game = training_game(rules)
    features, kit = Features(rules), game.kit
    table = Table(rules, SLOTS, seed, **limits)
    rng = np.random.default_rng([seed, 2])
    returns = np.zeros((SLOTS, table.players))
    pending: list[list[tuple[NDArray[np.int8], NDArray[np.int8], int, int]]] = [[] for _ in range(SLOTS)]
    kept: list[tuple[NDArray[np.int8], NDArray[np.int8], int, float]] = []
    n_over = 0
    while len(kept) < n:
        n_over += int(table.done.sum())
        if n_over >= PATIENCE and not kept:
            raise BackAlleyError(
                f"the teacher {teacher.name} won none of {n_over} games: take another, or let games be longer"
            )
        for i in np.flatnonzero(table.done):
            if game.is_worth_imitating(table.states[i]):
                kept += [(x, mask, action, returns[i, seat] / reward_scale[0]) for x, mask, action, seat in pending[i]]
            pending[i] = []
        returns[table.done] = 0.0
        table.reset(table.done)
        views, masks = table.view(), table.legal()
        actions = first_actions(table.legal_bits, table.game.width)
        asked = np.flatnonzero(masks.sum(axis=1) > 1)
        if len(asked):
            actions[asked] = teacher.act(views[asked], masks[asked], rng)
            inputs, own_masks, orders = features.inputs(views[asked], masks[asked])
            chosen = actions[asked].copy()
            kit.loops.canonical_actions(chosen, orders)
            for row, i in enumerate(asked):
                pending[i].append((inputs[row], own_masks[row], int(chosen[row]), int(table.turn[i])))
        returns += table.step(actions)[0]
    rows = new_records(len(kept), ROW)
    rows["action"] = [action for _, _, action, _ in kept]
    rows["target"] = [target for _, _, _, target in kept]
    rows["finished"] = True
    return Batch(np.array([x for x, *_ in kept]), np.array([mask for _, mask, *_ in kept]), rows, np.arange(len(kept)))
