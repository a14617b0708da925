"""Scripted bots as policies, and tables on which they play inside one kernel."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from backalley.envs import Rules, Table
from backalley.envs.back_alley.actions import PASS
from backalley.envs.back_alley.episode import step_episode
from backalley.envs.back_alley.view import write_view
from backalley.envs.cards import N_CARDS, bit
from backalley.envs.game import Records, new_records
from backalley.envs.kernel import kernel
from backalley.envs.planes import unowned
from backalley.policies.bots import NAMES, choose

NO_BOT = -1
"""In `bot_of_seat`: somebody else acts for that seat."""


@kernel
def _act_all(
    bot: int,
    rules: Any,
    views: Any,
    masks: NDArray[np.int8],
    stream: NDArray[np.uint64],
    view: Any,
    legal: NDArray[np.uint64],
    actions: NDArray[np.int16],
) -> None:
    """Write the bot's action for each View into `actions` (n,); `view` (1,) and `legal` (2,) are scratch."""
    for i in range(views.shape[0]):
        legal[0] = np.uint64(0)
        legal[1] = np.uint64(0)
        for action in range(masks.shape[1]):
            if masks[i, action] != 0:
                if action < N_CARDS:
                    legal[0] |= bit(action)
                else:
                    legal[1] |= bit(action - PASS)
        view[0] = views[i]
        actions[i] = choose(bot, rules[0], view[0], legal, stream)


@kernel
def _advance(
    rules: Any,
    settings: Any,
    states: Any,
    episodes: Any,
    decks: NDArray[np.int8],
    bot_of_seat: NDArray[np.int8],
    views: Any,
) -> None:
    """Act for the bots of every episode until somebody else is to act or the episode is over; rewards are added."""
    rules, settings, states, episodes = unowned(rules), unowned(settings), unowned(states), unowned(episodes)
    decks, views = unowned(decks), unowned(views)
    for i in range(states.shape[0]):
        while not episodes[i].done and bot_of_seat[i, states[i].turn] != NO_BOT:
            seat = np.int64(states[i].turn)
            write_view(rules[0], states, i, seat, views, 0)
            bot = np.int64(bot_of_seat[i, seat])
            action = choose(bot, rules[0], views[0], episodes[i].legal, episodes[i].policy)
            step_episode(rules[0], settings[0], states[i], episodes[i], decks, action)


def advance(table: Table, bot_of_seat: NDArray[np.int8]) -> None:
    """Let bots act on a table until in every episode another seat is to act or the episode is over.

    Rewards they bring about are added to `table.episodes["rewards"]`, (n, 6), which each `table.step` starts at zero.

    Args:
        table: the table; its `observations` and `masks`, if any, are not refreshed.
        bot_of_seat: (n, 6) int8 number of the bot on each seat, or `NO_BOT`.
    """
    views = new_records(1, table.states.dtype)
    _advance(table.rules_record, table.settings, table.states, table.episodes, table.decks, bot_of_seat, views)


class KernelPolicy:
    """A scripted bot.

    Args:
        bot: its number in `bots`.
        rules: rule set.
    """

    def __init__(self, bot: int, rules: Rules) -> None:
        self.bot = bot
        """Number by which kernels know the bot."""
        self.name = NAMES[bot]
        self._record = rules.record()

    def act(self, views: Records, legal: NDArray[np.int8], rng: np.random.Generator) -> NDArray[np.int16]:
        """Return an action for each View; see `base.Policy`."""
        actions = np.empty(len(views), np.int16)
        stream = rng.integers(0, 2**64, 4, np.uint64)
        _act_all(
            self.bot,
            self._record,
            views,
            np.ascontiguousarray(legal),
            stream,
            new_records(1, views.dtype),
            np.zeros(2, np.uint64),
            actions,
        )
        return actions

    @staticmethod
    def advance(table: Table, bot_of_seat: NDArray[np.int8]) -> None:
        """Let bots act on a table inside one kernel; see `advance`."""
        advance(table, bot_of_seat)
