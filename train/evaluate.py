"""How strong one policy is against another: duplicate pairs, with a confidence interval.

A pair is one deal played twice, with the same cards, dealer and turn-up and the sides swapped; its
difference is the mean over both of A's side minus B's side, in deal points. With more than two sides it is played once
for each side, A on that side and B on all others, and A's side is compared with the mean of the others. What the cards
were worth cancels, what the players did stays. Pair i plays deal i of the schedule, so that whole multiples of its
length weigh all hand sizes as a match does.

>>> result = evaluate("simple", "simple", Rules.preset("partnership"), pairs=52, seed=0)
>>> result.mean, result.ci95
(0.0, (0.0, 0.0))
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backalley.envs import Rules
from backalley.envs.errors import BackAlleyError
from backalley.policies import registry
from backalley.policies.back_alley import duel
from backalley.policies.base import Policy
from backalley.train.estimates import Estimate, Measurement, nearest_preset
from backalley.train.playing import SLOTS, Progress, play_all


@dataclass(frozen=True)
class Result(Measurement):
    """What `evaluate` measured, in points per deal.

    Attributes:
        pairs: how many.
        by_hand_size: mean and interval of the pairs of each hand size.
        differences: (pairs,) float64 difference of each pair; not part of `as_dict`.
        hand_sizes: (pairs,) int8 cards dealt to each seat; not part of `as_dict`.
    """

    pairs: int
    by_hand_size: dict[int, Estimate]
    differences: NDArray[np.float64] = field(repr=False, compare=False)
    hand_sizes: NDArray[np.int8] = field(repr=False, compare=False)

    def as_dict(self) -> dict[str, Any]:
        """Return the figures as JSON can hold them."""
        by_hand_size = {str(size): part.as_dict() for size, part in self.by_hand_size.items()}
        return {**super().as_dict(), "pairs": self.pairs, "by_hand_size": by_hand_size}


def evaluate(
    policy_a: str | Policy,
    policy_b: str | Policy,
    rules: Rules,
    pairs: int = 26_000,
    seed: int = 0,
    *,
    progress: Progress | None = None,
) -> Result:
    """Measure A against B on duplicate pairs.

    Scripted bots play inside one kernel; any other policy is asked for many deals at a time.

    Args:
        policy_a: name from the registry, or a policy.
        policy_b: the same.
        rules: rule set.
        pairs: pairs of deals, at least 2.
        seed: int ≥ 0; the same seed deals the same cards whoever plays.
        progress: called while policies are asked in batches.

    Raises:
        UnknownName, CheckpointError: a policy does not exist or cannot be loaded.
        BackAlleyError: fewer than 2 pairs, or a negative seed.
    """
    start = time.perf_counter()
    _check(pairs, seed)
    a, b = (registry.make(one, rules) if isinstance(one, str) else one for one in (policy_a, policy_b))
    bot_a, bot_b = getattr(a, "bot", None), getattr(b, "bot", None)
    if bot_a is not None and bot_b is not None:
        differences, hand_sizes = duel.play_pairs(rules, bot_a, bot_b, pairs, seed)
    else:
        differences, hand_sizes = play_pairs(rules, a, b, pairs, seed, progress=progress)
    total = Estimate.of(differences)
    assert total.ci95 is not None
    preset, options = nearest_preset(rules)
    return Result(
        policy_a=policy_a if isinstance(policy_a, str) else a.name,
        policy_b=policy_b if isinstance(policy_b, str) else b.name,
        preset=preset,
        options=options,
        pairs=pairs,
        seed=seed,
        mean=total.mean,
        ci95=total.ci95,
        by_hand_size={int(n): Estimate.of(differences[hand_sizes == n]) for n in np.unique(hand_sizes)[::-1]},
        seconds=time.perf_counter() - start,
        differences=differences,
        hand_sizes=hand_sizes,
    )


def _check(pairs: int, seed: int) -> None:
    if pairs < 2:
        raise BackAlleyError(f"pairs={pairs} gives no interval: play at least 2, 26000 for about ±0.1")
    if seed < 0:
        raise BackAlleyError(f"seed={seed} must be 0 or more")


def play_pairs(
    rules: Rules,
    policy_a: Policy,
    policy_b: Policy,
    pairs: int,
    seed: int,
    *,
    slots: int = SLOTS,
    progress: Progress | None = None,
) -> tuple[NDArray[np.float64], NDArray[np.int8]]:
    """Play duplicate pairs between any two policies, many episodes at a time; see `playing.play_all`.

    Returns:
        differences (pairs,) float64, and hand_sizes (pairs,) int8.
    """
    n_sides = rules.n_sides
    side_of = np.array([rules.side_of(seat) for seat in range(rules.players)])
    points = play_all(
        rules,
        (policy_a, policy_b),
        lambda seats, playing: (side_of[seats] != playing % n_sides).astype(np.int64),  # A has side play % n_sides
        np.arange(n_sides * pairs) // n_sides,
        seed,
        lambda table, over: duel.side_points(rules, table.states[over]),
        start=lambda deals: {"deal_indices": deals % rules.n_deals},
        slots=slots,
        progress=progress,
    )
    sizes = np.array(rules.hand_sizes, np.int8)
    return duel.differences(points), sizes[np.arange(pairs) % rules.n_deals]
