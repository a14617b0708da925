"""Random playouts of a deal."""

from __future__ import annotations

from typing import Any

from backalley.envs.back_alley.actions import WIDTH
from backalley.envs.back_alley.episode import step_episode
from backalley.envs.kernel import kernel
from backalley.envs.legal import random_action
from backalley.envs.planes import unowned


@kernel
def random_playouts(
    rules: Any,
    settings: Any,
    state: Any,
    states: Any,
    episodes: Any,
    decks: Any,
    n_playouts: int,
    points: Any,
) -> int:
    """Play a deal to its end at random, many times from the same state; return the number of decisions.

    Args:
        rules, settings: (1,) records; settings must say single deals.
        state: (1,) record to start from, only read.
        states, episodes, decks: (1,) records and (1, d, 54) decks, scratch; `episodes[0]` brings streams and
            legal actions.
        n_playouts: how many.
        points: (players,) float64, overwritten with the mean deal points of each seat.
    """
    rules, settings, states, episodes = unowned(rules), unowned(settings), unowned(states), unowned(episodes)
    decks = unowned(decks)
    points[:] = 0.0
    n_decisions = 0
    legal_cards = episodes[0].legal[0]
    legal_bids = episodes[0].legal[1]
    for _ in range(n_playouts):
        states[0] = state[0]
        episodes[0].legal[0] = legal_cards
        episodes[0].legal[1] = legal_bids
        episodes[0].done = False
        while not episodes[0].done:
            action = random_action(episodes[0].legal, WIDTH, episodes[0].policy)
            step_episode(rules[0], settings[0], states[0], episodes[0], decks, action)
            n_decisions += 1
        for seat in range(rules[0].players):
            points[seat] += states[0].deal_points[seat] / n_playouts
    return n_decisions
