"""One episode: a game, from the deal to the end or to the last move that is allowed."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from backalley.envs.dealing import LEFT_OPEN, episode_dtype, take_deck
from backalley.envs.kernel import kernel
from backalley.envs.legal import n_legal
from backalley.envs.streets_and_alleys.actions import N_ACTIONS, WIDTH
from backalley.envs.streets_and_alleys.moves import make_move, n_founded, start_game, write_legal
from backalley.envs.streets_and_alleys.state import BLOCKED, PLAYING, WON

EPISODE_KINDS = ("deal",)
REWARD_KINDS = ("progress", "win")
PROGRESS, WIN = range(len(REWARD_KINDS))
MAX_MOVES = 300
"""Moves after which an episode is cut off, unless the caller says otherwise."""

SETTINGS = np.dtype([("episode", np.int8), ("reward", np.int8), ("max_moves", np.int32)], align=True)
"""What an episode is, how it pays, and after how many moves it is cut off."""

EPISODE = episode_dtype(1, n_words=N_ACTIONS // WIDTH)


@kernel
def begin_episode(rules: Any, settings: Any, state: Any, episode: Any, decks: NDArray[np.int8]) -> None:
    """Start a fresh episode; one that is blocked at once, or begins behind its last move, is over at once.

    Args:
        rules, settings, state, episode, decks: see `step_episode`.
    """
    episode.start[:] = LEFT_OPEN
    take_deck(rules.pack, np.int64(rules.pack_size), episode, decks)
    start_game(rules, state, episode.deck)
    episode.rewards[0] = 0.0
    episode.done = False
    episode.truncated = False
    _look(rules, settings, state, episode)


@kernel
def step_episode(rules: Any, settings: Any, state: Any, episode: Any, decks: NDArray[np.int8], action: int) -> None:
    """Make a legal move; the episode ends when the game is won or blocked, or after `max_moves`.

    Args:
        rules: record of dtype RULES.
        settings: record of dtype SETTINGS.
        state: record of dtype STATE, overwritten.
        episode: record of dtype EPISODE, overwritten; the reward is added to `episode.rewards`.
        decks: (q, d, DECK_LENGTH) int8, decks fixed by the caller.
        action: a legal move.
    """
    before = n_founded(state)
    make_move(rules, state, action)
    if settings.reward == PROGRESS:
        episode.rewards[0] += n_founded(state) - before
    elif state.outcome == WON:
        episode.rewards[0] += 1.0
    _look(rules, settings, state, episode)


@kernel
def _look(rules: Any, settings: Any, state: Any, episode: Any) -> None:
    """Write the legal moves, or notice the end."""
    write_legal(rules, state, episode.legal)
    if state.outcome == PLAYING and n_legal(episode.legal) == 0:
        state.outcome = BLOCKED  # SA-31
    if state.outcome != PLAYING:
        episode.done = True
    elif state.n_moves >= settings.max_moves:
        episode.done = True
        episode.truncated = True
    if episode.done:
        state.turn = -1
        episode.legal[:] = 0


@kernel(inline=True)
def write_view(rules: Any, states: Any, i: int, seat: int, views: Any, k: int) -> None:
    """Write what there is to know of `states[i]` into `views[k]`, overwritten: everything (SA-2)."""
    views[k] = states[i]
