"""Tables on which scripted bots play inside one kernel."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from backalley.envs import Table
from backalley.envs.back_alley.episode import step_episode
from backalley.envs.back_alley.view import write_view
from backalley.envs.kernel import kernel
from backalley.envs.planes import unowned
from backalley.envs.rule_set import new_records
from backalley.policies.back_alley.bots import choose

NO_BOT = -1
"""In `bot_of_seat`: somebody else acts for that seat."""


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
