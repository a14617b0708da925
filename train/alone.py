"""How good policies are at games for one: the share of deals won and the cards brought up, on the same deals.

>>> result = evaluate_alone("random", "random", StreetsRules.preset(), deals=20)
>>> result.policy_a, result.deals
('random', 20)
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backalley.envs import StreetsRules, Table
from backalley.envs.streets_and_alleys.state import WON
from backalley.policies import registry
from backalley.policies.base import Policy
from backalley.train.estimates import Estimate, Measurement, nearest_preset, share_of
from backalley.train.playing import Progress, play_all


@dataclass(frozen=True)
class AloneResult(Measurement):
    """What `evaluate_alone` measured, in cards on the foundations at the end.

    Attributes:
        deals: how many both played.
        won: share of deals won by A and by B, with Wilson's 95 % interval.
        won_difference: share won by A minus share won by B on the same deals.
        cards: cards on the foundations at the end, of A and of B.
        outcomes: (2, deals, 2) int64 cards up and whether won, of A and of B in each deal; not part of `as_dict`.
    """

    deals: int
    won: tuple[Estimate, Estimate]
    won_difference: Estimate
    cards: tuple[Estimate, Estimate]
    outcomes: NDArray[np.int64] = field(repr=False, compare=False)

    def as_dict(self) -> dict[str, Any]:
        """Return the figures as JSON can hold them."""
        return {
            **super().as_dict(),
            "deals": self.deals,
            "won": [part.as_dict() for part in self.won],
            "won_difference": self.won_difference.as_dict(),
            "cards": [part.as_dict() for part in self.cards],
        }


def evaluate_alone(
    policy_a: str | Policy,
    policy_b: str | Policy,
    rules: StreetsRules,
    deals: int = 2_000,
    seed: int = 0,
    *,
    progress: Progress | None = None,
) -> AloneResult:
    """Let A and B play the same deals.

    Args:
        policy_a: name from the registry, or a policy.
        policy_b: the same.
        rules: rule set of a game for one.
        deals: how many deals each plays, at least 2.
        seed: int ≥ 0; the same seed deals the same cards whoever plays.
        progress: called when deals are over.

    Raises:
        UnknownName, CheckpointError: a policy does not exist or cannot be loaded.
    """
    start = time.perf_counter()
    both = [registry.make(one, rules) if isinstance(one, str) else one for one in (policy_a, policy_b)]
    plays = np.arange(2 * deals)
    outcomes = play_all(
        rules,
        both,
        lambda seats, playing: playing // deals,
        plays % deals,
        seed,
        _outcome,
        progress=progress,
    ).reshape(2, deals, 2)
    cards, won = outcomes[..., 0], outcomes[..., 1]
    difference = Estimate.of(cards[0] - cards[1])
    assert difference.ci95 is not None
    preset, options = nearest_preset(rules)
    return AloneResult(
        policy_a=policy_a if isinstance(policy_a, str) else both[0].name,
        policy_b=policy_b if isinstance(policy_b, str) else both[1].name,
        preset=preset,
        options=options,
        deals=deals,
        seed=seed,
        mean=difference.mean,
        ci95=difference.ci95,
        won=(share_of(won[0]), share_of(won[1])),
        won_difference=Estimate.of(won[0] - won[1]),
        cards=(Estimate.of(cards[0]), Estimate.of(cards[1])),
        seconds=time.perf_counter() - start,
        outcomes=outcomes,
    )


def _outcome(table: Table, over: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return cards up and whether won of the episodes `over` (m,), (m, 2)."""
    states = table.states[over]
    return np.stack([states["foundation"].sum(axis=1), states["outcome"] == WON], axis=1).astype(np.int64)
