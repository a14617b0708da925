"""Loops of a game over many episodes: the kernels behind `Table`, one text for all games.

A game brings the hooks below and compiles the loops with `for_game`. Each loop exists once for one thread and once for
several; both call the same function for one episode. The loops take their arrays `unowned`: counting the users of an
array at every call would cost as much as the game.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import prange
from numpy.typing import NDArray

from backalley.envs.kernel import specialise, template
from backalley.envs.legal import is_legal, random_action, read_mask, write_mask
from backalley.envs.planes import PLANE, clear_bytes, copy_bytes, unowned

RANDOM_ACTION = -1
"""Instead of an action: draw a legal one from the episode's policy stream."""
SCRATCH_PER_THREAD = 2
"""Entries of the scratch a thread has; it uses every other one, so that no two threads write to one cache line."""
SKIP = -2
"""Instead of an action: leave the episode as it is."""
ON_TURN = -1
"""Instead of a seat: the seat to act."""

# Hooks: what each game brings instead.

N_ACTIONS = 0
"""Size of the action numbering."""
WIDTH = 0
"""Actions of a word of a legal set, see `legal`."""


def begin_episode(rules: Any, settings: Any, state: Any, episode: Any, decks: NDArray[np.int8]) -> None:
    """Start a fresh episode; `episode.start` says what the caller fixed and is used up.

    Args:
        rules, settings, state, episode: records; state and episode are overwritten, streams and decks used up.
        decks: (q, d, DECK_LENGTH) int8 decks fixed by the caller, see `dealing`.
    """
    raise NotImplementedError


def step_episode(rules: Any, settings: Any, state: Any, episode: Any, decks: NDArray[np.int8], action: int) -> None:
    """Apply a legal action and everything that follows until a seat is to act or the episode is over.

    `state.turn` (-1 when it is over), `episode.legal`, `done` and `truncated` are brought up to date, rewards are
    added to `episode.rewards`.
    """
    raise NotImplementedError


def write_view(rules: Any, states: Any, i: int, seat: int, views: Any, k: int) -> None:
    """Write what `seat` knows of `states[i]` into `views[k]`, overwritten."""
    raise NotImplementedError


def write_observation(
    rules: Any, settings: Any, view: Any, legal: Any, is_on_turn: bool, out: NDArray[np.int8], first: int
) -> None:
    """Write the observation of a View's seat.

    Args:
        rules, settings, view: records.
        legal: (n_words,) legal set of the seat to act.
        is_on_turn: whether that is the View's seat.
        out: flat int8; layout.size features are overwritten from `first` on, and up to PLANE bytes more.
        first: where the observation begins.
    """
    raise NotImplementedError


# Templates.


@template
def begin_episodes(
    rules: Any,
    settings: Any,
    states: Any,
    episodes: Any,
    decks: Any,
    where: Any,
) -> None:
    """Start the episodes marked in `where` (n,) bool."""
    for i in range(states.shape[0]):
        if where[i]:
            begin_episode(rules[0], settings[0], states[i], episodes[i], decks)


@template
def first_illegal(episodes: Any, actions: NDArray[np.int16]) -> int:
    """Return the first episode whose action is not legal, -1 if all are; finished episodes take any action."""
    for i in range(episodes.shape[0]):
        action = np.int64(actions[i])
        is_free = episodes[i].done or action in (SKIP, RANDOM_ACTION)
        if not is_free and not is_legal(episodes[i].legal, WIDTH, action):
            return i
    return -1


@template
def step_one(
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
            action = random_action(episode.legal, WIDTH, episode.policy)
        step_episode(rules, settings, state, episode, decks, action)
    for seat in range(rules.players):
        rewards[i, seat] = episode.rewards[seat]
    done[i, 0] = episode.done
    done[i, 1] = episode.truncated
    if autoreset and episode.done:
        begin_episode(rules, settings, state, episode, decks)


@template(inline=True)
def observe_one(
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
    is_last: bool,
) -> None:
    """Write observation and mask of one seat of episode i; all zero for a finished one asked for the seat on turn.

    An observation needs bytes to spare behind it. The row behind is written later and lends them, but the last one of a
    stretch is made in the scratch row k.
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
    is_on_turn = seat == on_turn
    if is_on_turn:
        write_mask(episodes[i].legal, WIDTH, N_ACTIONS, masks, i * N_ACTIONS)
    else:
        clear_bytes(masks, i * N_ACTIONS, N_ACTIONS)
    out = rows if is_last else observations
    first = k * (size + PLANE) if is_last else at
    write_observation(rules, settings, views[k], episodes[i].legal, is_on_turn, out, first)
    if is_last:
        copy_bytes(rows, first, observations, at, size)


@template
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
        step_one(
            rules[0], settings[0], states[i], episodes[i], decks, np.int64(actions[i]), autoreset, rewards, done, i
        )


@template
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
    n = states.shape[0]
    for i in range(n):
        head = (rules[0], settings[0], states, episodes, i, np.int64(seats[i]))
        observe_one(*head, views, flat_rows, 0, flat_observations, size, flat_masks, i + 1 == n)


@template
def step_stretch(
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
    k: int,
    first: int,
    behind: int,
) -> None:
    """Do `step_and_observe` for the episodes from `first` to the one before `behind`, with the scratch of number k."""
    flat_observations, flat_masks = unowned(observations.reshape(-1)), unowned(masks.reshape(-1))
    flat_rows = unowned(rows.reshape(-1))
    rules, settings, states, episodes = unowned(rules), unowned(settings), unowned(states), unowned(episodes)
    views, decks, rewards, done = unowned(views), unowned(decks), unowned(rewards), unowned(done)
    size = observations.shape[1]
    for i in range(first, behind):
        action = np.int64(actions[i])
        step_one(rules[0], settings[0], states[i], episodes[i], decks, action, autoreset, rewards, done, i)
        head = (rules[0], settings[0], states, episodes, i, ON_TURN)
        observe_one(*head, views, flat_rows, k, flat_observations, size, flat_masks, i + 1 == behind)


@template
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
    n = states.shape[0]
    game = (rules, settings, states, episodes, decks)
    step_stretch(*game, actions, autoreset, rewards, done, views, rows, observations, masks, 0, 0, n)


@template(parallel=True)
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
    n = states.shape[0]
    n_threads = views.shape[0] // SCRATCH_PER_THREAD
    for thread in prange(n_threads):
        first, behind = thread * n // n_threads, (thread + 1) * n // n_threads
        k = SCRATCH_PER_THREAD * thread
        game = (rules, settings, states, episodes, decks)
        step_stretch(*game, actions, autoreset, rewards, done, views, rows, observations, masks, k, first, behind)


@template
def view_all(rules: Any, states: Any, seats: Any, views: Any) -> None:
    """Write the View of a seat of every episode into `views` (n,); seat 0's where nobody is on turn."""
    for i in range(states.shape[0]):
        seat = np.int64(seats[i])
        write_view(rules[0], states, i, seat if seat >= 0 else max(0, np.int64(states[i].turn)), views, i)


@template
def random_actions(episodes: Any, actions: NDArray[np.int16]) -> None:
    """Write a random legal action of every episode into `actions` (n,), drawn from the policy streams; 0 when over."""
    for i in range(episodes.shape[0]):
        actions[i] = 0 if episodes[i].done else random_action(episodes[i].legal, WIDTH, episodes[i].policy)


@template
def observe_views(
    rules: Any, settings: Any, views: Any, masks: NDArray[np.int8], legal: Any, row: Any, observations: Any
) -> None:
    """Write the observation of each View, whose seats are all on turn.

    Args:
        rules, settings: (1,) records.
        views: (n,) records.
        masks: (n, N_ACTIONS) int8 legal actions.
        legal: (n_words,) uint64, scratch.
        row: (≥ layout.size + PLANE,) int8, scratch.
        observations: (n, size) int8, overwritten.
    """
    flat = observations.reshape(-1)
    size = observations.shape[1]
    for i in range(views.shape[0]):
        read_mask(masks[i], WIDTH, legal)
        write_observation(rules[0], settings[0], views[i], legal, True, row, 0)
        copy_bytes(row, 0, flat, i * size, size)


def for_game(module: str, game: str, **hooks: Any) -> Any:
    """Compile the loops for a game.

    Args:
        module: `__name__` of the game's module.
        game: name of the game.
        hooks: the game's kernels and constants in place of the hooks.

    Returns:
        An object with each loop as an attribute.
    """
    return specialise(globals(), module, game, **hooks)
