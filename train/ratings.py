"""Ratings of many policies from all their pairings: least squares on margins, intervals by bootstrap over deals.

A rating is in points per deal, and the difference of two ratings is the margin to expect. All pairings have the same
deals, so a bootstrap replicate draws deals, with all that everybody did on them, and not results of single pairings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

REPLICATES = 1_000
SMALLEST_VARIANCE = 1.0
"""Of a pair's margin, in points²: policies that are all but the same must not outweigh all others."""
CHUNK = 50
"""Replicates drawn at a time, which bounds the memory."""
_BOOTSTRAP = 2  # set apart from the draws of policies, which have seed keys (seed, 0) and (seed, 1)


@dataclass(frozen=True)
class Rating:
    """Points per deal above the anchor, with the 95 % bootstrap interval; the anchor has no interval."""

    policy: str
    rating: float
    ci95: tuple[float, float] | None

    def as_dict(self) -> dict[str, Any]:
        """Return the figures as JSON can hold them."""
        return {"policy": self.policy, "rating": self.rating, "ci95": self.ci95 and list(self.ci95)}


def least_squares(
    pairings: NDArray[np.int64], weights: NDArray[np.float64], n_policies: int, anchor: int
) -> NDArray[np.float64]:
    """Return the matrix that makes ratings of margins.

    Ratings r with r[anchor] = 0 minimise Σ w (m - (r_i - r_j))² over the pairings (i, j): a linear function of the
    margins, whose matrix is worked out once for all replicates.

    Args:
        pairings: (n_pairings, 2) numbers of the two policies; they connect all policies.
        weights: (n_pairings,) weight of each margin.
        n_policies: how many policies.
        anchor: the policy that has rating 0.

    Returns:
        (n_policies, n_pairings): ratings = matrix @ margins.

    >>> least_squares(np.array([[0, 1]]), np.ones(1), 2, anchor=1) @ np.array([3.0])
    array([3., 0.])
    """
    design = np.zeros((len(pairings), n_policies))
    rows = np.arange(len(pairings))
    design[rows, pairings[:, 0]] = 1
    design[rows, pairings[:, 1]] = -1
    free = np.delete(np.arange(n_policies), anchor)
    weighted = design[:, free].T * weights
    matrix = np.zeros((n_policies, len(pairings)))
    matrix[free] = np.linalg.solve(weighted @ design[:, free], weighted)
    return matrix


def resampled_means(
    units: NDArray[np.int64], seed: int, replicates: int = REPLICATES
) -> NDArray[np.float64]:  # (replicates, n_pairings)
    """Return the mean of each pairing over deals drawn with replacement, the same deals for all pairings.

    Args:
        units: (n_pairings, deals) whole numbers, whose sums are exact in any order.
        seed: int ≥ 0.
        replicates: how many times the deals are drawn.
    """
    n_deals = units.shape[1]
    rng = np.random.default_rng([seed, _BOOTSTRAP])
    values = units.T.astype(np.float64)
    means = np.empty((replicates, len(units)))
    for start in range(0, replicates, CHUNK):
        n = min(CHUNK, replicates - start)
        drawn = rng.integers(n_deals, size=(n, n_deals)) + n_deals * np.arange(n)[:, None]
        times = np.bincount(drawn.ravel(), minlength=n * n_deals).reshape(n, n_deals)
        means[start : start + n] = times @ values / n_deals
    return means


def rate(
    policies: Sequence[str],
    pairings: Sequence[tuple[int, int]],
    units: NDArray[np.int64],
    scale: int,
    anchor: int,
    seed: int,
) -> list[Rating]:
    """Return the ratings of all policies, the best first.

    A margin weighs as its precision, so that a very weak policy, against which others differ in how they win a lot,
    says little about the order of those.

    Args:
        policies: names.
        pairings: the two policies of each pairing, by number.
        units: (n_pairings, deals) margins of the first over the second in units of 1 / `scale` points.
        scale: units in a point.
        anchor: the policy that has rating 0.
        seed: int ≥ 0, of the bootstrap.
    """
    weights = 1 / np.maximum(np.var(units / scale, axis=1), SMALLEST_VARIANCE)
    matrix = least_squares(np.array(pairings), weights, len(policies), anchor)
    ratings = matrix @ (units.sum(axis=1) / (units.shape[1] * scale))
    lows, highs = np.quantile(resampled_means(units, seed) / scale @ matrix.T, (0.025, 0.975), axis=0)
    found = [
        Rating(name, float(ratings[i]), None if i == anchor else (float(lows[i]), float(highs[i])))
        for i, name in enumerate(policies)
    ]
    return sorted(found, key=lambda one: (-one.rating, one.policy))
