"""Duplicate pairs between two scripted bots, whole deals inside one kernel."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from backalley.envs import Rules
from backalley.envs.back_alley.episode import EPISODE, begin_episode, step_episode
from backalley.envs.back_alley.game import BACK_ALLEY
from backalley.envs.back_alley.state import STATE
from backalley.envs.back_alley.view import write_view
from backalley.envs.cards import DECK_LENGTH
from backalley.envs.game import new_records
from backalley.envs.kernel import kernel
from backalley.envs.planes import unowned
from backalley.envs.streams import CHANCE, POLICY, new_streams
from backalley.policies.bots import choose


@kernel
def _play_pairs(
    rules: Any,
    settings: Any,
    bots: NDArray[np.int64],
    chance: NDArray[np.uint64],
    draws: NDArray[np.uint64],
    states: Any,
    views: Any,
    episodes: Any,
    decks: NDArray[np.int8],
    differences: NDArray[np.float64],
) -> None:
    """Play each pair twice with the sides swapped.

    Args:
        rules, settings: (1,) records.
        bots: (2,) numbers of A and B.
        chance: (pairs, 4) streams that deal; both plays begin with the same one.
        draws: (2 * pairs, 4) streams of the bots.
        states, views, episodes, decks: one record each, scratch.
        differences: (pairs,), overwritten with the mean reward of A's side.
    """
    rules, settings, states, episodes = unowned(rules), unowned(settings), unowned(states), unowned(episodes)
    decks, views = unowned(decks), unowned(views)
    for pair in range(differences.shape[0]):
        differences[pair] = 0.0
        for swapped in range(2):
            for word in range(4):
                episodes[0].chance[word] = chance[pair, word]
                episodes[0].policy[word] = draws[2 * pair + swapped, word]
            begin_episode(rules[0], settings[0], states[0], episodes[0], decks, -1, pair % rules[0].n_deals)
            while not episodes[0].done:
                seat = np.int64(states[0].turn)
                write_view(rules[0], states, 0, seat, views, 0)
                bot = bots[rules[0].side[seat] ^ swapped]
                action = choose(bot, rules[0], views[0], episodes[0].legal, episodes[0].policy)
                step_episode(rules[0], settings[0], states[0], episodes[0], decks, action)
            for seat in range(rules[0].players):
                if rules[0].side[seat] == swapped:
                    differences[pair] += episodes[0].rewards[seat] / 2
                    break


def play_pairs(
    rules: Rules, bot_a: int, bot_b: int, pairs: int, seed: int
) -> tuple[NDArray[np.float64], NDArray[np.int8]]:
    """Play duplicate pairs between two bots; pair i plays deal i of the schedule, modulo its length.

    Args:
        rules: rule set with two sides.
        bot_a, bot_b: numbers from `bots`.
        pairs: how many pairs.
        seed: int ≥ 0.

    Returns:
        differences (pairs,) float64, deal points of A's side minus B's as the mean of both plays; hand_sizes (pairs,)
        int8.
    """
    differences = np.empty(pairs)
    _play_pairs(
        rules.record(),
        BACK_ALLEY.settings("deal", "difference", 20),
        np.array([bot_a, bot_b]),
        new_streams(seed, pairs, CHANCE),
        new_streams(seed, 2 * pairs, POLICY),
        new_records(1, STATE),
        new_records(1, STATE),
        new_records(1, EPISODE),
        np.zeros((1, 1, DECK_LENGTH), np.int8),
        differences,
    )
    return differences, np.array(rules.hand_sizes, np.int8)[np.arange(pairs) % rules.n_deals]
