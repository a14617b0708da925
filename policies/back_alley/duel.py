"""Duplicate pairs between two scripted bots, whole deals inside one kernel."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from backalley.envs import Rules
from backalley.envs.back_alley.episode import DEAL_INDEX, EPISODE, begin_episode, step_episode
from backalley.envs.back_alley.game import BACK_ALLEY
from backalley.envs.back_alley.state import PLAY, STATE
from backalley.envs.back_alley.view import write_view
from backalley.envs.cards import DECK_LENGTH
from backalley.envs.dealing import LEFT_OPEN
from backalley.envs.kernel import kernel
from backalley.envs.planes import unowned
from backalley.envs.rule_set import Records, new_records
from backalley.envs.streams import CHANCE, POLICY, new_streams
from backalley.policies.back_alley.bots import choose


@kernel
def _play_all(
    rules: Any,
    settings: Any,
    bots: NDArray[np.int64],
    first: int,
    chance: NDArray[np.uint64],
    draws: NDArray[np.uint64],
    states: Any,
    views: Any,
    episodes: Any,
    decks: NDArray[np.int8],
    finals: Any,
) -> None:
    """Play each pair once for every side, with A on that side and B on all others, and keep the final states.

    Args:
        rules, settings: (1,) records.
        bots: (2, 2) numbers of the bots that bid and play for A, and for B.
        first: number of the first pair.
        chance: (pairs, 4) streams that deal; all plays of a pair begin with the same one.
        draws: (n_sides * pairs, 4) streams of the bots.
        states, views, episodes, decks: one record each, scratch.
        finals: (n_sides * pairs,) records of dtype STATE, overwritten.
    """
    rules, settings, states, episodes = unowned(rules), unowned(settings), unowned(states), unowned(episodes)
    decks, views = unowned(decks), unowned(views)
    n_sides = np.int64(rules[0].n_sides)
    for play in range(finals.shape[0]):
        pair = play // n_sides
        side = play % n_sides
        for word in range(4):
            episodes[0].chance[word] = chance[pair, word]
            episodes[0].policy[word] = draws[play, word]
        episodes[0].start[DEAL_INDEX] = (first + pair) % rules[0].n_deals
        begin_episode(rules[0], settings[0], states[0], episodes[0], decks)
        while not episodes[0].done:
            seat = np.int64(states[0].turn)
            write_view(rules[0], states, 0, seat, views, 0)
            who = 0 if rules[0].side[seat] == side else 1
            bot = bots[who, 1 if states[0].phase == PLAY else 0]
            action = choose(bot, rules[0], views[0], episodes[0].legal, episodes[0].policy)
            step_episode(rules[0], settings[0], states[0], episodes[0], decks, action)
        finals[play] = states[0]


def final_states(
    rules: Rules, bots_a: tuple[int, int], bots_b: tuple[int, int], pairs: int, seed: int, first: int = 0
) -> Records:
    """Play duplicate pairs between two bots and return how every play ended; pair i plays deal i of the schedule.

    Args:
        rules: rule set.
        bots_a, bots_b: numbers of the bots that bid and play for A, and for B.
        pairs: how many pairs.
        seed: int ≥ 0.
        first: number of the first pair: pair `first + i` has the same cards whatever `first` is.

    Returns:
        (n_sides * pairs,) records of dtype STATE; A had side play % n_sides.
    """
    n_plays = rules.n_sides * pairs
    finals = new_records(n_plays, STATE)
    episodes = new_records(1, EPISODE)
    episodes["start"] = LEFT_OPEN
    _play_all(
        rules.record(),
        BACK_ALLEY.settings("deal", None),
        np.array([bots_a, bots_b], np.int64),
        first,
        new_streams(seed, pairs, CHANCE, first=first),
        new_streams(seed, n_plays, POLICY, first=rules.n_sides * first),
        new_records(1, STATE),
        new_records(1, STATE),
        episodes,
        np.zeros((1, 1, DECK_LENGTH), np.int8),
        finals,
    )
    return finals


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
    finals = final_states(rules, (bot_a, bot_a), (bot_b, bot_b), pairs, seed)
    return differences(side_points(rules, finals)), finals["hand_size"][:: rules.n_sides].copy()


def side_points(rules: Rules, states: Records) -> NDArray[np.int64]:
    """Return the deal points of each side, (n, n_sides), of (n,) states."""
    side_of = [rules.side_of(seat) for seat in range(rules.players)]
    first_seats = [side_of.index(side) for side in range(rules.n_sides)]
    return np.asarray(states["deal_points"][:, first_seats].astype(np.int64))


def margin_scale(n_sides: int) -> int:
    """Return how many units of `margins` are one point per deal."""
    return n_sides * (n_sides - 1)


def margins(points: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return per pair A's points minus the mean of the other sides', times `margin_scale`: (pairs,) whole numbers.

    Args:
        points: (n_sides * pairs, n_sides) deal points of the sides in each play; A had side play % n_sides.
    """
    n_sides = points.shape[1]
    by_pair = points.reshape(-1, n_sides, n_sides)  # (pairs, plays, sides)
    ours = np.einsum("pss->p", by_pair)
    return np.asarray((n_sides - 1) * ours - (by_pair.sum(axis=(1, 2)) - ours))


def differences(points: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return `margins` in points per deal, (pairs,) float64."""
    return np.asarray(margins(points) / margin_scale(points.shape[1]))
