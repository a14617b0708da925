"""One episode stepped with as little Python as possible: a table of one, its arrays within reach."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from backalley.envs.table import Table


class Stepper:
    """Steps a table of one episode without its checks, and keeps at hand what is read after each step.

    `Table` is made for many episodes; for one, its checks and conversions cost more than the step itself. The arrays
    here are views of the table's, overwritten by every step. Call `bind` after each `table.reset`.

    Args:
        table: a table with n = 1 and buffers.
    """

    observation: NDArray[np.int8]
    """(layout.size,) what the seat to act sees."""
    mask: NDArray[np.int8]
    """(n_actions,) its legal actions, all zero when the episode is over."""
    turn: NDArray[np.int8]
    """(1,) seat to act, -1 when the episode is over."""
    deal_index: NDArray[np.int16]
    """(1,) position in the schedule."""
    rewards: NDArray[np.float64]
    """(players,) of the last step."""
    done: NDArray[np.bool_]
    """(2,) over, and cut off."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._action = np.zeros(1, np.int16)
        self._rewards = np.zeros((1, table.players))
        self._done = np.zeros((1, 2), np.bool_)
        self._step = table.game.loops.step_and_observe
        self.rewards, self.done = self._rewards[0], self._done[0]
        self.bind()

    def bind(self) -> None:
        """Find the table's arrays, which `table.reset` may have replaced, and how the episode stands."""
        table = self.table
        assert table.observations is not None
        assert table.masks is not None
        self.observation, self.mask = table.observations[0], table.masks[0]
        self.turn, self.deal_index = table.states["turn"], table.states["deal_index"]
        self.done[:] = table.episodes["done"][0], table.episodes["truncated"][0]
        head = (table.rules_record, table.settings, table.states, table.episodes, table.decks, self._action, False)
        buffers = (self._rewards, self._done, *table.scratch, table.observations, table.masks)
        self._arguments: tuple[Any, ...] = (*head, *buffers)

    def step(self, action: int) -> None:
        """Apply an action, which has to be legal."""
        self._action[0] = action
        self._step(*self._arguments)

    # A copy of a view is no view: copies take the table along and look again.

    def __getstate__(self) -> Table:
        return self.table

    def __setstate__(self, table: Table) -> None:
        self.__init__(table)  # type: ignore[misc]  # the state is the one argument
