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

from backalley.envs import Rules, Table
from backalley.envs.back_alley.episode import begin_episode, n_legal, random_action, step_episode
from backalley.envs.back_alley.rules import MAX_SEATS
from backalley.envs.back_alley.view import write_view
from backalley.envs.cards import N_CARDS, N_SUITS
from backalley.envs.game import new_records
from backalley.envs.kernel import kernel
from backalley.envs.planes import copy_bytes
from backalley.envs.streams import uniform
from backalley.policies.bots import choose
from backalley.policies.canonical import original_action, relabel_card
from backalley.policies.features import write_features
from backalley.train.advantages import finish_chain

LEARNER = -1
"""Instead of a bot's number: the network."""
ForwardPass = Callable[[NDArray[np.int8]], tuple[NDArray[np.float32], NDArray[np.float32]]]
NO_ROW = -1

ROW = np.dtype(
    [
        ("previous", np.int32),  # row of the same seat's decision before, in the same episode
        ("log_prob", np.float32),
        ("value", np.float32),
        ("advantage", np.float32),
        ("target", np.float32),  # return the value is trained on
        ("action", np.int16),  # in relabelled suits
        ("hand_size", np.int8),
        ("is_bid", np.bool_),
        ("finished", np.bool_),
    ],
    align=True,
)
"""One decision."""

N_BIDS = 15  # pass, 1..13, board
SPARE_ROWS = 64  # rows a table for decisions of unfinished episodes


@kernel
def _end_episode(
    rules: Any, episode: Any, state: Any, i: Any, rows: Any, last_row: Any, scale: Any, gae_lambda: Any
) -> None:
    """Give the chains of a finished episode their advantages."""
    for seat in range(rules.players):
        if last_row[i, seat] != NO_ROW:
            reward = episode.rewards[seat] / (scale[0] + scale[1] * state.hand_size)
            finish_chain(rows, last_row[i, seat], reward, gae_lambda)
            last_row[i, seat] = NO_ROW


@kernel
def _advance(
    rules: Any,
    settings: Any,
    states: Any,
    episodes: Any,
    decks: Any,
    i: Any,
    bot_of_seat: Any,
    views: Any,
    rows: Any,
    last_row: Any,
    scale: Any,
    gae_lambda: Any,
) -> None:
    """Play on until the network has a free decision in episode i."""
    while True:
        if episodes[i].done:
            _end_episode(rules, episodes[i], states[i], i, rows, last_row, scale, gae_lambda)
            begin_episode(rules, settings, states[i], episodes[i], decks, -1, -1)
        seat = np.int64(states[i].turn)
        bot = np.int64(bot_of_seat[i, seat])
        if bot != LEARNER:
            write_view(rules, states, i, seat, views, 0)
            action = choose(bot, rules, views[0], episodes[i].legal, episodes[i].policy)
        elif n_legal(episodes[i].legal) == 1:
            action = random_action(episodes[i].legal, episodes[i].policy)
        else:
            return
        step_episode(rules, settings, states[i], episodes[i], decks, action)


@kernel
def advance_all(
    rules: Any,
    settings: Any,
    states: Any,
    episodes: Any,
    decks: Any,
    bot_of_seat: Any,
    views: Any,
    scratch: Any,
    legal: Any,
    scale: Any,
    gae_lambda: Any,
    rows: Any,
    last_row: Any,
    first_row: Any,
    orders: Any,
    features: Any,
    masks: Any,
) -> None:
    """Bring every table to a free decision of the network and write it as a row from `first_row` on."""
    flat = features.reshape(-1)
    size = features.shape[1]
    for i in range(states.shape[0]):
        _advance(
            rules[0],
            settings[0],
            states,
            episodes,
            decks,
            i,
            bot_of_seat,
            views,
            rows,
            last_row,
            scale,
            gae_lambda,
        )
        row = first_row + i
        seat = np.int64(states[i].turn)
        write_view(rules[0], states, i, seat, views, 0)
        legal[0] = episodes[i].legal[0]
        legal[1] = episodes[i].legal[1]
        write_features(rules[0], views[0], legal, False, orders[i], scratch, masks[row])
        copy_bytes(scratch, 0, flat, row * size, size)
        rows[row].previous = last_row[i, seat]
        rows[row].hand_size = states[i].hand_size
        rows[row].finished = False
        last_row[i, seat] = row


@kernel
def act_all(
    rules: Any,
    settings: Any,
    states: Any,
    episodes: Any,
    decks: Any,
    logits: Any,
    values: Any,
    rows: Any,
    first_row: Any,
    orders: Any,
    masks: Any,
    bid_counts: Any,
) -> None:
    """Draw an action for every table from masked logits (n, n_actions), enter it into its row, and play it."""
    for i in range(states.shape[0]):
        row = first_row + i
        action, log_prob = draw_action(logits[i], masks[row], uniform(episodes[i].policy))
        rows[row].action = action
        rows[row].log_prob = log_prob
        rows[row].value = values[i]
        rows[row].is_bid = action >= N_CARDS
        if action >= N_CARDS:
            bid_counts[states[i].hand_size, action - N_CARDS] += 1
        step_episode(
            rules[0],
            settings[0],
            states[i],
            episodes[i],
            decks,
            original_action(np.int64(action), orders[i]),
        )


@kernel
def teach_all(
    rules: Any,
    settings: Any,
    states: Any,
    episodes: Any,
    decks: Any,
    bot: Any,
    view: Any,
    rows: Any,
    first_row: Any,
    orders: Any,
) -> None:
    """Let the teacher act at every table and enter its action, in relabelled suits, into the table's row."""
    for i in range(states.shape[0]):
        row = first_row + i
        write_view(rules[0], states, i, np.int64(states[i].turn), view, 0)
        action = choose(bot, rules[0], view[0], episodes[i].legal, episodes[i].policy)
        rows[row].action = relabel_card(action, orders[i])
        rows[row].is_bid = action >= N_CARDS
        rows[row].value = 0.0  # with λ = 1 the target is the outcome
        step_episode(rules[0], settings[0], states[i], episodes[i], decks, action)


@kernel
def draw_action(logits: NDArray[np.float32], mask: NDArray[np.int8], draw: float) -> tuple[int, float]:
    """Return an action drawn from the masked softmax of `logits` by `draw` in [0, 1), and its log-probability."""
    top = -np.inf
    for action in range(mask.shape[0]):
        if mask[action] != 0 and logits[action] > top:
            top = logits[action]
    total = 0.0
    for action in range(mask.shape[0]):
        if mask[action] != 0:
            total += np.exp(np.float64(logits[action] - top))
    left = draw * total
    chosen = -1
    for action in range(mask.shape[0]):
        if mask[action] != 0:
            chosen = action
            left -= np.exp(np.float64(logits[action] - top))
            if left < 0.0:
                break
    return chosen, np.float64(logits[chosen] - top) - np.log(total)


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


def seat_bots(n: int, players: int, shares: dict[int, float], side_of: Callable[[int], int]) -> NDArray[np.int8]:
    """Return who sits where: (n, MAX_SEATS) int8, the bot's number or LEARNER.

    Args:
        n: tables.
        players: seats in use.
        shares: share of tables on which each bot takes one side; sides take turns.
        side_of: seat → side.
    """
    bots = np.full((n, MAX_SEATS), LEARNER, np.int8)
    table = 0
    for bot, share in shares.items():
        for k in range(round(share * n)):
            for seat in range(players):
                if side_of(seat) == k % 2:
                    bots[table, seat] = bot
            table += 1
    return bots


class Collector:
    """Plays tables with the network and hands out batches of finished decisions.

    Args:
        rules: rule set.
        n: tables.
        rollout: decisions of each table between two batches.
        seed: seed of all chance and of the network's draws.
        bot_of_seat: (n, MAX_SEATS) from `seat_bots`.
        reward_scale: rewards are divided by a + b · hand size.
    """

    def __init__(
        self,
        rules: Rules,
        n: int,
        rollout: int,
        seed: int,
        bot_of_seat: NDArray[np.int8],
        reward_scale: tuple[float, float],
    ) -> None:
        self.table = Table(rules, n, seed)
        self.rollout = rollout
        self.bot_of_seat = bot_of_seat
        self._scale = np.array(reward_scale, np.float64)
        capacity = (rollout + SPARE_ROWS) * n
        self.features = np.zeros((capacity, self.table.layout.size), np.int8)
        self.masks = np.zeros((capacity, self.table.game.n_actions), np.int8)
        self.rows = new_records(capacity, ROW)
        self.last_row = np.full((n, MAX_SEATS), NO_ROW, np.int32)
        self.n_rows = 0
        """Rows in use; after `carry_over` those of unfinished episodes."""
        self.bid_counts = np.zeros((rules.hand_max + 1, N_BIDS), np.int64)
        """(hand_max + 1, 15) bids drawn by hand size since the last batch."""
        self._orders = np.zeros((n, N_SUITS), np.int8)
        self._legal = np.zeros(2, np.uint64)
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
            act_all(*self._head, logits, values, self.rows, first, self._orders, self.masks, self.bid_counts)

        return self._collect(act, gae_lambda)

    def collect_from(self, bot: int) -> Batch:
        """Play `rollout` decisions of a scripted bot in the network's place; the targets are the outcomes."""

        def act(first: int, last: int) -> None:
            teach_all(*self._head, bot, self._view, self.rows, first, self._orders)

        return self._collect(act, 1.0)

    @property
    def _head(self) -> tuple[Any, Any, Any, Any, NDArray[np.int8]]:
        table = self.table
        return (table.rules_record, table.settings, table.states, table.episodes, table.decks)

    def _collect(self, act: Callable[[int, int], None], gae_lambda: float) -> Batch:
        self.carry_over()
        self.bid_counts[:] = 0
        for _ in range(self.rollout):
            first, last = self.n_rows, self.n_rows + self.table.n
            advance_all(
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
