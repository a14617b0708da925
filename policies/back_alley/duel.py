"""Duplicate pairs between two scripted bots, whole deals inside one kernel."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from backalley.envs import Rules
from backalley.envs.back_alley.episode import DEAL_INDEX, EPISODE, begin_episode, step_episode
from backalley.envs.back_alley.game import BACK_ALLEY
from backalley.envs.back_alley.state import STATE
from backalley.envs.back_alley.view import write_view
from backalley.envs.cards import DECK_LENGTH
from backalley.envs.dealing import LEFT_OPEN
from backalley.envs.kernel import kernel
from backalley.envs.planes import unowned
from backalley.envs.rule_set import new_records
from backalley.envs.streams import CHANCE, POLICY, new_streams
from backalley.policies.back_alley.bots import choose


@kernel
def side_difference(rules: Any, points: NDArray[np.int32], side: int) -> int:
    """Return a side's points minus each other side's, added up: whole numbers, so that sums are exact."""
    difference = 0
    counted = 0  # sides seen, as bits
    for seat in range(rules.players):
        if counted >> rules.side[seat] & 1 == 0:
            counted |= 1 << rules.side[seat]
            difference += points[seat] * (rules.n_sides - 1 if rules.side[seat] == side else -1)
    return difference


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
    """Play each pair once for every side, with A on that side and B on all others.

    Args:
        rules, settings: (1,) records.
        bots: (2,) numbers of A and B.
        chance: (pairs, 4) streams that deal; all plays of a pair begin with the same one.
        draws: (n_sides * pairs, 4) streams of the bots.
        states, views, episodes, decks: one record each, scratch.
        differences: (pairs,), overwritten.
    """
    rules, settings, states, episodes = unowned(rules), unowned(settings), unowned(states), unowned(episodes)
    decks, views = unowned(decks), unowned(views)
    for pair in range(differences.shape[0]):
        differences[pair] = 0.0
        n_sides = np.int64(rules[0].n_sides)
        for side in range(n_sides):
            for word in range(4):
                episodes[0].chance[word] = chance[pair, word]
                episodes[0].policy[word] = draws[n_sides * pair + side, word]
            episodes[0].start[DEAL_INDEX] = pair % rules[0].n_deals
            begin_episode(rules[0], settings[0], states[0], episodes[0], decks)
            while not episodes[0].done:
                seat = np.int64(states[0].turn)
                write_view(rules[0], states, 0, seat, views, 0)
                bot = bots[0 if rules[0].side[seat] == side else 1]
                action = choose(bot, rules[0], views[0], episodes[0].legal, episodes[0].policy)
                step_episode(rules[0], settings[0], states[0], episodes[0], decks, action)
            differences[pair] += side_difference(rules[0], states[0].deal_points, side)
        differences[pair] /= n_sides * (n_sides - 1)


def play_pairs(
    rules: Rules, bot_a: int, bot_b: int, pairs: int, seed: int
) -> tuple[NDArray[np.float64], NDArray[np.int8]]:
    """Play duplicate pairs between two bots; pair i plays deal i of the schedule, modulo its length.

    Args:
        rules: rule set.
        bot_a, bot_b: numbers from `bots`.
        pairs: how many pairs.
        seed: int ≥ 0.

    Returns:
        differences (pairs,) float64, deal points of A's side minus the mean of the other sides', as the mean of the
        plays; hand_sizes (pairs,) int8.
    """
    differences = np.empty(pairs)
    episodes = new_records(1, EPISODE)
    episodes["start"] = LEFT_OPEN
    _play_pairs(
        rules.record(),
        BACK_ALLEY.settings("deal", None),
        np.array([bot_a, bot_b]),
        new_streams(seed, pairs, CHANCE),
        new_streams(seed, rules.n_sides * pairs, POLICY),
        new_records(1, STATE),
        new_records(1, STATE),
        episodes,
        np.zeros((1, 1, DECK_LENGTH), np.int8),
        differences,
    )
    return differences, np.array(rules.hand_sizes, np.int8)[np.arange(pairs) % rules.n_deals]
