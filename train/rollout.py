"""Collecting experience: tables in self-play and against bots, stopped at the network's free decisions only.

Between two decisions of a table everything happens inside one kernel: bots play, forced moves are made, deals end and
begin. Decisions are rows of flat arrays; the rows of one seat in one episode form a chain. When the episode ends, its
chains get their advantages and are ready for the update; the rows of unfinished episodes move on to the next batch.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backalley.envs import Table
from backalley.envs.games import game_of
from backalley.envs.rule_set import RuleSet, new_records
from backalley.train.games import training_game
from backalley.train.rollout_kernels import LEARNER, NO_ROW, ROW

ForwardPass = Callable[[NDArray[np.int8]], tuple[NDArray[np.float32], NDArray[np.float32]]]
SPARE_ROWS = 64  # rows a table for decisions of unfinished episodes


@dataclass
class Batch:
    """Decisions ready for the update. The arrays belong to the collector and are overwritten by the next batch.

    Attributes:
        features: (capacity, n_features) int8.
        masks: (capacity, n_actions) int8.
        rows: (capacity,) records of dtype ROW.
        index: (m,) the rows that are finished.
    """

    features: NDArray[np.int8]
    masks: NDArray[np.int8]
    rows: NDArray[np.void]
    index: NDArray[np.int64]


def seat_bots(rules: RuleSet, n: int, shares: dict[int, float]) -> NDArray[np.int8]:
    """Return who sits where: (n, seats) int8, the bot's number or LEARNER.

    Args:
        rules: rule set.
        n: tables.
        shares: share of tables on which each bot takes one side; sides take turns.
    """
    bots = np.full((n, _n_seats(rules)), LEARNER, np.int8)
    sides = [rules.side_of(seat) for seat in range(rules.players)]
    table = 0
    for bot, share in shares.items():
        for k in range(round(share * n)):
            for seat, side in enumerate(sides):
                if side == k % len(set(sides)):
                    bots[table, seat] = bot
            table += 1
    return bots


def _n_seats(rules: RuleSet) -> int:
    """Return how many seats the records of the game have."""
    return int(game_of(rules).episode_dtype["rewards"].shape[0])


class Collector:
    """Plays tables with the network and hands out batches of finished decisions.

    Args:
        rules: rule set.
        n: tables.
        rollout: decisions of each table between two batches.
        seed: seed of all chance and of the network's draws.
        bot_of_seat: (n, seats) from `seat_bots`.
        reward_scale: rewards are divided by a + b · hand size.
        **limits: see `Table`.
    """

    def __init__(
        self,
        rules: RuleSet,
        n: int,
        rollout: int,
        seed: int,
        bot_of_seat: NDArray[np.int8],
        reward_scale: tuple[float, float],
        **limits: int,
    ) -> None:
        self.table = Table(rules, n, seed, **limits)
        self.rollout = rollout
        self.bot_of_seat = bot_of_seat
        self._scale = np.array(reward_scale, np.float64)
        capacity = (rollout + SPARE_ROWS) * n
        game = training_game(rules)
        self.features = np.zeros((capacity, game.kit.n_features(rules, "deal")), np.int8)
        self.masks = np.zeros((capacity, self.table.game.n_actions), np.int8)
        self.rows = new_records(capacity, ROW)
        self.last_row = np.full((n, _n_seats(rules)), NO_ROW, np.int32)
        self.n_rows = 0
        """Rows in use; after `carry_over` those of unfinished episodes."""
        self._loops = game.loops
        self.counts = np.zeros(game.counts_shape(rules), np.int64)
        """Actions drawn since the last batch, see `games`."""
        self._orders = np.zeros((n, game.kit.order_length), np.int8)
        self._legal = np.zeros(game.kit.game.n_words, np.uint64)
        self._view, rows = self.table.scratch
        self._row = rows[0]

    def collect(self, network: ForwardPass, gae_lambda: float) -> Batch:
        """Play `rollout` decisions of the network on every table and return all that are finished.

        Args:
            network: features (n, n_features) int8 → logits (n, n_actions) and values (n,), float32.
            gae_lambda: λ of the advantages.
        """

        def act(first: int, last: int) -> None:
            logits, values = network(self.features[first:last])
            self._loops.act_all(*self._head, logits, values, self.rows, first, self._orders, self.masks, self.counts)

        return self._collect(act, gae_lambda)

    def collect_from(self, bot: int) -> Batch:
        """Play `rollout` decisions of a scripted bot in the network's place; the targets are the outcomes."""

        def act(first: int, last: int) -> None:
            self._loops.teach_all(*self._head, bot, self._view, self.rows, first, self._orders)

        return self._collect(act, 1.0)

    @property
    def _head(self) -> tuple[Any, Any, Any, Any, NDArray[np.int8]]:
        table = self.table
        return (table.rules_record, table.settings, table.states, table.episodes, table.decks)

    def _collect(self, act: Callable[[int, int], None], gae_lambda: float) -> Batch:
        self.carry_over()
        self.counts[:] = 0
        for _ in range(self.rollout):
            first, last = self.n_rows, self.n_rows + self.table.n
            self._loops.advance_all(
                *self._head,
                self.bot_of_seat,
                self._view,
                self._row,
                self._legal,
                self._scale,
                gae_lambda,
                self.rows,
                self.last_row,
                first,
                self._orders,
                self.features,
                self.masks,
            )
            act(first, last)
            self.n_rows = last
        return Batch(self.features, self.masks, self.rows, np.flatnonzero(self.rows["finished"][: self.n_rows]))

    def carry_over(self) -> None:
        """Move the rows of unfinished episodes to the front; forget them if they would not leave room for a batch."""
        pending = np.flatnonzero(~self.rows["finished"][: self.n_rows])
        if len(pending) > SPARE_ROWS * self.table.n:
            pending = pending[:0]
            self.last_row[:] = NO_ROW
        moved = np.full(self.n_rows + 1, NO_ROW, np.int32)  # the last entry stands for NO_ROW = -1
        moved[pending] = np.arange(len(pending))
        for array in (self.features, self.masks, self.rows):
            array[: len(pending)] = array[pending]
        self.rows["previous"][: len(pending)] = moved[self.rows["previous"][: len(pending)]]
        self.last_row[:] = moved[self.last_row]
        self.n_rows = len(pending)

    def snapshot(self) -> dict[str, NDArray[Any]]:
        """Return everything a run needs to go on, as plain arrays; carries the unfinished rows over first."""
        self.carry_over()
        n = self.n_rows
        return {
            "states": _plain(self.table.states),
            "episodes": _plain(self.table.episodes),
            "rows": _plain(self.rows[:n]),
            "features": self.features[:n],
            "masks": self.masks[:n],
            "last_row": self.last_row,
        }

    def restore(self, arrays: dict[str, NDArray[Any]]) -> None:
        """Put a `snapshot` back."""
        n = len(arrays["features"])
        self.table.states.view(np.uint8)[:] = arrays["states"]
        self.table.episodes.view(np.uint8)[:] = arrays["episodes"]
        self.rows[:n].view(np.uint8)[:] = arrays["rows"]
        self.features[:n] = arrays["features"]
        self.masks[:n] = arrays["masks"]
        self.last_row[:] = arrays["last_row"]
        self.n_rows = n


def _plain(records: NDArray[np.void]) -> NDArray[np.uint8]:
    """Return structured records as flat bytes."""
    return np.ascontiguousarray(records).view(np.uint8)
