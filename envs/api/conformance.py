"""A stricter test of AEC environments than PettingZoo's, for ours and for anybody's with action masks and copies.

PettingZoo's `api_test` does not look into masks, does not know what is hidden, and does not copy environments in
mid-game. Each function here raises `AssertionError` with what went wrong.

>>> from backalley.envs import back_alley_v0
>>> check_aec(back_alley_v0.env, n_games=2, seed=1)
"""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backalley.envs.cards import cards_of
from backalley.envs.table import Table


def check_aec(make_env: Callable[[], Any], n_games: int = 10, seed: int = 0) -> None:
    """Play random games and check masks, idle seats, spaces, fresh arrays, copies and seeds.

    Args:
        make_env: makes the environment; it must end the game on an illegal move or raise `ValueError`.
        n_games: games to play.
        seed: seed of environment and moves.

    Raises:
        AssertionError: what is wrong, and where.
    """
    env = make_env()
    rng = np.random.default_rng(seed)
    for game in range(n_games):
        env.reset(seed=seed + game)
        n_moves = 0
        while not all(env.terminations[agent] or env.truncations[agent] for agent in env.agents):
            check_observations(env)
            mask = env.observe(env.agent_selection)["action_mask"]
            if n_moves % 7 == game % 7:
                check_mask(env, mask)
                check_copies(env, np.random.default_rng([seed, game, n_moves]))
            env.step(int(rng.choice(np.flatnonzero(mask))))
            n_moves += 1
        check_observations(env)
        _check_end(env)
    check_seed(make_env, seed)


def check_observations(env: Any) -> None:
    """Check every seat's observation: in its space, fresh, and with a mask for the seat to act alone."""
    over = all(env.terminations[agent] or env.truncations[agent] for agent in env.agents)
    for agent in env.agents:
        observation = env.observe(agent)
        space = env.observation_space(agent)
        assert space is env.observation_space(agent), f"observation_space({agent!r}) makes a new object each call"
        assert space.contains(observation), f"the observation of {agent} does not lie in its space"
        mask = observation["action_mask"]
        has_turn = agent == env.agent_selection and not over
        assert bool(mask.any()) == has_turn, f"mask of {agent}: {int(mask.sum())} actions, to act: {has_turn}"
        told = env.infos[agent].get("action_mask")
        assert told is None or np.array_equal(told, mask), f"the mask in infos[{agent!r}] is another one"
        before = {key: value.copy() for key, value in observation.items()}
        for value in observation.values():
            value[...] = 1 - value
        again = env.observe(agent)
        for key, value in before.items():
            assert np.array_equal(again[key], value), f"writing into {key!r} of {agent} changed the environment"


def check_mask(env: Any, mask: NDArray[np.int8]) -> None:
    """Check on copies that exactly the actions of the mask are accepted."""
    agent = env.agent_selection
    for action in range(len(mask)):
        trial = copy.deepcopy(env)
        try:
            trial.step(action)
            accepted = not (trial.terminations[agent] and trial.truncations[agent])
        except ValueError:
            accepted = False
        assert accepted == bool(mask[action]), (
            f"action {action} of {agent} is {'in' if mask[action] else 'not in'} the mask but was "
            f"{'accepted' if accepted else 'refused'}"
        )


def check_copies(env: Any, rng: np.random.Generator) -> None:
    """Check that a deepcopy, a pickled copy and the original go on alike."""
    copies = [copy.deepcopy(env), pickle.loads(pickle.dumps(env)), copy.deepcopy(env)]
    moves = rng.integers(0, 2**31, 12)
    trails = [_trail(one, moves) for one in copies]
    assert trails[0] == trails[1], "a pickled copy goes on differently from the original"
    assert trails[0] == trails[2], "two copies of one position go on differently"


def check_seed(make_env: Callable[[], Any], seed: int) -> None:
    """Check that the same seed gives the same game twice, and another seed another one."""
    trails = []
    for one_seed in (seed, seed, seed + 1):
        env = make_env()
        env.reset(seed=one_seed)
        trails.append(_trail(env, np.random.default_rng(seed).integers(0, 2**31, 200)))
    assert trails[0] == trails[1], f"seed {seed} gave two different games"
    assert trails[0] != trails[2], f"seeds {seed} and {seed + 1} gave the same game"


def _trail(env: Any, moves: NDArray[np.int64]) -> list[Any]:
    """Return what a game shows while playing legal actions picked by `moves`."""
    trail: list[Any] = []
    for move in moves:
        agent = env.agent_selection
        observation, reward, terminated, truncated, _ = env.last()
        trail.append((agent, float(reward), terminated, truncated, *(v.tobytes() for v in observation.values())))
        if terminated or truncated:
            break
        legal = np.flatnonzero(observation["action_mask"])
        env.step(int(legal[move % len(legal)]))
    return trail


def _check_end(env: Any) -> None:
    """Step the dead agents out and check that nobody is left."""
    for _ in range(len(env.agents)):
        env.step(None)
    assert not env.agents, f"agents {env.agents} are left after every one took its last step"


def check_no_leak(table: Table, n_views: int, seed: int = 0) -> int:
    """Check that what a seat sees does not depend on cards hidden from it.

    Random play moves the table on; at every step the hidden cards (other hands and stock) are dealt anew among their
    places, and observation and mask of every seat must not change.

    Args:
        table: a Back Alley table; it is played on.
        n_views: views to check at least.
        seed: seed of moves and shuffles.

    Returns:
        How many views were checked.

    Raises:
        AssertionError: an observation changed.
    """
    rng = np.random.default_rng(seed)
    n_checked = 0
    while n_checked < n_views:
        if table.done.any():
            table.reset(table.done)
        for seat in range(table.players):
            seen, masks = table.see(seat)
            hidden = table.clone()
            for state in hidden.states:
                deal_hidden_cards(state, seat, table.players, rng)
            if (table.turn != seat).any():
                others = table.turn != seat  # the legal actions of other seats may change with their cards
                hidden.episodes["legal"][others] = rng.integers(0, 2**54, (int(others.sum()), 2), np.uint64)
            seen_again, masks_again = hidden.see(seat)
            changed = np.flatnonzero((seen != seen_again).any(1) | (masks != masks_again).any(1))
            assert not len(changed), f"what seat {seat} sees of episode {changed[0]} depends on cards hidden from it"
            n_checked += table.n
        table.step(table.random_actions())
    return n_checked


def deal_hidden_cards(state: Any, seat: int, players: int, rng: np.random.Generator) -> None:
    """Deal the cards hidden from a seat anew among the other hands and the stock, each keeping its size; in place."""
    others = [other for other in range(players) if other != seat]
    sizes = [int(state["hands"][other]).bit_count() for other in others]
    pool = [card for other in others for card in cards_of(state["hands"][other])] + cards_of(state["stock"])
    cards = rng.permutation(pool).tolist() if pool else []
    for other, size in zip(others, sizes, strict=True):
        state["hands"][other] = sum(1 << card for card in cards[:size])
        cards = cards[size:]
    state["stock"] = sum(1 << card for card in cards)
