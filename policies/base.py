"""What a policy is."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from backalley.envs.rule_set import Records


@runtime_checkable
class Policy(Protocol):
    """Decides for any number of seats at once."""

    @property
    def name(self) -> str:
        """Name in results."""

    def act(self, views: Records, legal: NDArray[np.int8], rng: np.random.Generator) -> NDArray[np.int16]:
        """Return an action for each View.

        Args:
            views: (n,) records, what each seat to act knows.
            legal: (n, n_actions) int8 masks, at least one legal action a row.
            rng: source of all randomness of the decision.

        Returns:
            (n,) int16 legal actions.
        """
