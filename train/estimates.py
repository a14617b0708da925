"""Means with intervals, and what is said of the rules they were measured under."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backalley.envs.rule_set import RuleSet

Z95 = 1.959964  # 97.5 % quantile of the normal distribution


@dataclass(frozen=True)
class Estimate:
    """A mean with its 95 % interval, which needs two pairs (or deals)."""

    mean: float
    ci95: tuple[float, float] | None
    pairs: int

    @classmethod
    def of(cls, values: NDArray[Any]) -> Estimate:
        """Return the estimate from independent values, (pairs,); the interval is the normal one."""
        n = len(values)
        mean = float(values.mean())
        if n < 2:
            return cls(mean, None, n)
        half = Z95 * float(values.std(ddof=1)) / n**0.5
        return cls(mean, (mean - half, mean + half), n)

    def as_dict(self) -> dict[str, Any]:
        """Return the figures as JSON can hold them."""
        return {"mean": self.mean, "ci95": self.ci95 and list(self.ci95), "pairs": self.pairs}


@dataclass(frozen=True)
class Measurement:
    """How policy A did against policy B: what all such figures have in common.

    Attributes:
        policy_a, policy_b: names.
        preset, options: the nearest preset, and the rule options that differ from it.
        seed: with the number of deals what makes the figure repeatable.
        mean, ci95: A minus B, with its 95 % interval.
        seconds: time it took, compiling and loading included.
    """

    policy_a: str
    policy_b: str
    preset: str
    options: dict[str, Any]
    seed: int
    mean: float
    ci95: tuple[float, float]
    seconds: float

    def as_dict(self) -> dict[str, Any]:
        """Return the figures as JSON can hold them."""
        return {
            "policy_a": self.policy_a,
            "policy_b": self.policy_b,
            "preset": self.preset,
            "options": self.options,
            "seed": self.seed,
            "mean": self.mean,
            "ci95": list(self.ci95),
            "seconds": self.seconds,
        }


def share_of(hits: NDArray[np.int64]) -> Estimate:
    """Return the share of ones among zeros and ones (n,), with Wilson's 95 % interval.

    >>> tuple(round(end, 4) for end in share_of(np.array([1, 0, 0, 0])).ci95)
    (0.0456, 0.6994)
    """
    n = len(hits)
    share = float(hits.mean())
    middle = (share + Z95**2 / (2 * n)) / (1 + Z95**2 / n)
    half = Z95 / (1 + Z95**2 / n) * (share * (1 - share) / n + Z95**2 / (4 * n * n)) ** 0.5
    return Estimate(share, (middle - half, middle + half), n)


def nearest_preset(rules: RuleSet) -> tuple[str, dict[str, Any]]:
    """Return the preset that differs least from `rules`, and the options that differ from it.

    >>> from backalley.envs import Rules
    >>> nearest_preset(Rules.preset("gamerules", bb_partner="lowest"))
    ('gamerules', {'bb_partner': 'lowest'})
    """
    own = rules.as_dict()
    found: list[tuple[str, dict[str, Any]]] = []
    for name in rules.PRESETS:
        theirs = rules.preset(name).as_dict()
        found.append((name, {key: value for key, value in own.items() if theirs.get(key) != value}))
    return min(found, key=lambda item: len(item[1]))
