"""Loops of the game over many episodes: the kernels behind `Table`.

Each loop exists once for one thread and once for several; both call the same function for one episode. The loops take
their arrays `unowned`: counting the users of an array at every call would cost as much as the game.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import prange
from numpy.typing import NDArray

from backalley.envs.back_alley.actions import N_ACTIONS
from backalley.envs.back_alley.episode import MATCH, begin_episode, is_legal, random_action, step_episode
from backalley.envs.back_alley.observation import write_mask, write_observation
from backalley.envs.back_alley.view import write_view
from backalley.envs.cards import ZERO
from backalley.envs.kernel import kernel
from backalley.envs.planes import PLANE, clear_bytes, copy_bytes, unowned

RANDOM_ACTION = -1
"""Instead of an action: draw a legal one from the episode's policy stream."""
SCRATCH_PER_THREAD = 2
"""Entries of the scratch a thread has; it uses every other one, so that no two threads write to one cache line."""
SKIP = -2
"""Instead of an action: leave the episode as it is."""
ON_TURN = -1
"""Instead of a seat: the seat to act."""


@kernel
def begin_episodes(
    rules: Any,
    settings: Any,
    states: Any,
    episodes: Any,
    decks: Any,
    where: Any,
    dealers: Any,
    deal_indices: Any,
) -> None:
    """Start the episodes marked in `where` (n,) bool; dealers and deal_indices (n,) int16, -1 leaves it to chance."""
    for i in range(states.shape[0]):
        if where[i]:
            begin_episode(
                rules[0],
                settings[0],
                states[i],
                episodes[i],
                decks,
                dealers[i],
                deal_indices[i],
            )


@kernel
def first_illegal(episodes: Any, actions: NDArray[np.int16]) -> int:
    """Return the first episode whose action is not legal, -1 if all are; finished episodes take any action."""
    for i in range(episodes.shape[0]):
        action = np.int64(actions[i])
        is_free = episodes[i].done or action in (SKIP, RANDOM_ACTION)
        if not is_free and not is_legal(episodes[i].legal, action):
            return i
    return -1


@kernel
def _step_one(
    rules: Any,
    settings: Any,
    state: Any,
    episode: Any,
    decks: Any,
    action: int,
    autoreset: bool,
    rewards: Any,
    done: Any,
    i: Any,
) -> None:
    """Step one episode and write its row of `rewards` and `done`; then begin the next one if asked to."""
    for seat in range(rules.players):
        episode.rewards[seat] = 0.0
    if not episode.done and action != SKIP:
        if action == RANDOM_ACTION:
            action = random_action(episode.legal, episode.policy)
        step_episode(rules, settings, state, episode, decks, action)
    for seat in range(rules.players):
        rewards[i, seat] = episode.rewards[seat]
    done[i, 0] = episode.done
    done[i, 1] = episode.truncated
    if autoreset and episode.done:
        begin_episode(rules, settings, state, episode, decks, -1, -1)


@kernel(inline=True)
def _observe_one(
    rules: Any,
    settings: Any,
    states: Any,
    episodes: Any,
    i: int,
    seat: int,
    views: Any,
    rows: NDArray[np.int8],
    k: int,
    observations: NDArray[np.int8],
    size: int,
    masks: NDArray[np.int8],
) -> None:
    """Write observation and mask of one seat of episode i; all zero for a finished one asked for the seat on turn.

    The observation is made in the scratch row k, which has bytes to spare behind it.
    """
    on_turn = np.int64(states[i].turn)
    if seat == ON_TURN:
        seat = on_turn
    at = i * size
    if seat < 0:
        clear_bytes(observations, at, size)
        clear_bytes(masks, i * N_ACTIONS, N_ACTIONS)
        return
    write_view(rules, states, i, seat, views, k)
    view = views[k]
    is_match = settings.episode == MATCH
    if seat == on_turn:
        write_mask(episodes[i].legal, masks, i * N_ACTIONS)
        legal_cards = episodes[i].legal[0]
    else:
        legal_cards = ZERO
        clear_bytes(masks, i * N_ACTIONS, N_ACTIONS)
    scratch = k * (size + PLANE)
    write_observation(rules, view, legal_cards, is_match, rows, scratch)
    copy_bytes(rows, scratch, observations, at, size)


@kernel
def step_all(
    rules: Any,
    settings: Any,
    states: Any,
    episodes: Any,
    decks: Any,
    actions: Any,
    autoreset: Any,
    rewards: Any,
    done: Any,
) -> None:
    """Step every episode.

    Args:
        rules, settings: (1,) records.
        states, episodes: (n,) records, overwritten.
        decks: (q, d, 54) int8 decks fixed by the caller.
        actions: (n,) int16, legal or RANDOM_ACTION; ignored by finished episodes.
        autoreset: begin the next episode at once.
        rewards: (n, players) float64, overwritten.
        done: (n, 2) bool, overwritten: over, and cut off.
    """
    rules, settings, states, episodes = unowned(rules), unowned(settings), unowned(states), unowned(episodes)
    decks, rewards, done = unowned(decks), unowned(rewards), unowned(done)
    for i in range(states.shape[0]):
        _step_one(
            rules[0],
            settings[0],
            states[i],
            episodes[i],
            decks,
            np.int64(actions[i]),
            autoreset,
            rewards,
            done,
            i,
        )


@kernel
def observe_all(
    rules: Any,
    settings: Any,
    states: Any,
    episodes: Any,
    seats: Any,
    views: Any,
    rows: NDArray[np.int8],
    observations: Any,
    masks: Any,
) -> None:
    """Write what a seat of every episode sees.

    Args:
        rules, settings, states, episodes: as in `step_all`, only read.
        seats: (n,) int8, ON_TURN for the seat to act.
        views: (≥ 1,) STATE, scratch.
        rows: (≥ 1, ≥ layout.size + PLANE) int8, scratch.
        observations: (n, size) int8, overwritten.
        masks: (n, N_ACTIONS) int8, overwritten; zero off turn.
    """
    flat_observations, flat_masks = unowned(observations.reshape(-1)), unowned(masks.reshape(-1))
    flat_rows = unowned(rows.reshape(-1))
    rules, settings, states, episodes = unowned(rules), unowned(settings), unowned(states), unowned(episodes)
    views = unowned(views)
    size = observations.shape[1]
    for i in range(states.shape[0]):
        _observe_one(
            rules[0],
            settings[0],
            states,
            episodes,
            i,
            np.int64(seats[i]),
            views,
            flat_rows,
            0,
            flat_observations,
            size,
            flat_masks,
        )


@kernel
def step_and_observe(
    rules: Any,
    settings: Any,
    states: Any,
    episodes: Any,
    decks: Any,
    actions: Any,
    autoreset: Any,
    rewards: Any,
    done: Any,
    views: Any,
    rows: NDArray[np.int8],
    observations: Any,
    masks: Any,
) -> None:
    """Step every episode and write what the next seat to act sees: `step_all` and `observe_all` in one pass."""
    flat_observations, flat_masks = unowned(observations.reshape(-1)), unowned(masks.reshape(-1))
    flat_rows = unowned(rows.reshape(-1))
    rules, settings, states, episodes = unowned(rules), unowned(settings), unowned(states), unowned(episodes)
    views, decks, rewards, done = unowned(views), unowned(decks), unowned(rewards), unowned(done)
    size = observations.shape[1]
    for i in range(states.shape[0]):
        _step_one(
            rules[0],
            settings[0],
            states[i],
            episodes[i],
            decks,
            np.int64(actions[i]),
            autoreset,
            rewards,
            done,
            i,
        )
        _observe_one(
            rules[0],
            settings[0],
            states,
            episodes,
            i,
            ON_TURN,
            views,
            flat_rows,
            0,
            flat_observations,
            size,
            flat_masks,
        )


@kernel(parallel=True)
def step_and_observe_threaded(
    rules: Any,
    settings: Any,
    states: Any,
    episodes: Any,
    decks: Any,
    actions: Any,
    autoreset: Any,
    rewards: Any,
    done: Any,
    views: Any,
    rows: NDArray[np.int8],
    observations: Any,
    masks: Any,
) -> None:
    """`step_and_observe` on several threads, each with a stretch of the episodes and its own part of the scratch."""
    flat_observations, flat_masks = unowned(observations.reshape(-1)), unowned(masks.reshape(-1))
    flat_rows = unowned(rows.reshape(-1))
    rules, settings, states, episodes = unowned(rules), unowned(settings), unowned(states), unowned(episodes)
    views, decks, rewards, done = unowned(views), unowned(decks), unowned(rewards), unowned(done)
    size = observations.shape[1]
    n_threads = views.shape[0] // SCRATCH_PER_THREAD
    for k in prange(n_threads):
        first = k * states.shape[0] // n_threads
        behind = (k + 1) * states.shape[0] // n_threads
        for i in range(first, behind):
            _step_one(
                rules[0],
                settings[0],
                states[i],
                episodes[i],
                decks,
                np.int64(actions[i]),
                autoreset,
                rewards,
                done,
                i,
            )
            _observe_one(
                rules[0],
                settings[0],
                states,
                episodes,
                i,
                ON_TURN,
                views,
                flat_rows,
                SCRATCH_PER_THREAD * k,
                flat_observations,
                size,
                flat_masks,
            )


@kernel
def view_all(rules: Any, states: Any, seats: Any, views: Any) -> None:
    """Write the View of a seat of every episode into `views` (n,); seat 0's where nobody is on turn."""
    for i in range(states.shape[0]):
        seat = np.int64(seats[i])
        write_view(rules[0], states, i, seat if seat >= 0 else max(0, np.int64(states[i].turn)), views, i)


@kernel
def random_actions(episodes: Any, actions: NDArray[np.int16]) -> None:
    """Write a random legal action of every episode into `actions` (n,), drawn from the policy streams; 0 when over."""
    for i in range(episodes.shape[0]):
        actions[i] = 0 if episodes[i].done else random_action(episodes[i].legal, episodes[i].policy)


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
            action = random_action(episodes[0].legal, episodes[0].policy)
            step_episode(rules[0], settings[0], states[0], episodes[0], decks, action)
            n_decisions += 1
        for seat in range(rules[0].players):
            points[seat] += states[0].deal_points[seat] / n_playouts
    return n_decisions
