"""A stricter test of AEC environments than PettingZoo's, for ours and for anybody's with action masks.

PettingZoo's `api_test` does not look into masks, does not know what is hidden, and does not copy environments in
mid-game. Each function here raises `AssertionError` with what went wrong.

>>> from backalley.envs import back_alley_v0
>>> check_aec(back_alley_v0.env, n_games=2, seed=1)
"""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pettingzoo.utils.env_logger import EnvLogger

from backalley.envs.back_alley.episode import write_legal
from backalley.envs.cards import cards_of
from backalley.envs.kernel import kernel
from backalley.envs.table import Table


def check_aec(make_env: Callable[[], Any], n_games: int = 10, seed: int = 0) -> None:
    """Play random games and check masks, idle seats, spaces, fresh arrays, copies, seeds and hidden cards.

    Hidden cards are looked at where the environment has a `table`, as ours have.

    Args:
        make_env: makes the environment; it must end the game on an illegal move or raise.
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
        while not _is_over(env):
            check_observations(env)
            mask = env.observe(env.agent_selection)["action_mask"]
            if n_moves % 7 == game % 7:
                check_mask(env, mask)
                check_copies(env, np.random.default_rng([seed, game, n_moves]))
                if hasattr(env.unwrapped, "table"):
                    check_hidden_cards(env, rng)
            env.step(int(rng.choice(np.flatnonzero(mask))))
            n_moves += 1
        check_observations(env)
        _check_end(env)
    check_seed(make_env, seed)


def _is_over(env: Any) -> bool:
    return all(env.terminations[agent] or env.truncations[agent] for agent in env.agents)


def check_observations(env: Any) -> None:
    """Check every seat's observation: in its space, fresh, and with a mask for the seat to act alone."""
    over = _is_over(env)
    for agent in env.agents:
        flags = env.terminations[agent], env.truncations[agent]
        assert all(type(flag) is bool for flag in flags), f"the flags of {agent} are {flags}, no bools"
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
    """Check on copies that exactly the actions of the mask are accepted, also when the masks handed out are spoiled."""
    agent = env.agent_selection
    for action in range(len(mask)):
        trial = _copy(env)
        _spoil_masks(trial)
        accepted = _accepts(trial, action)
        assert accepted == bool(mask[action]), (
            f"action {action} of {agent} is {'in' if mask[action] else 'not in'} the mask but was "
            f"{'accepted' if accepted else 'refused'}"
        )
    told = env.infos[agent].get("action_mask")
    assert told is None or np.array_equal(told, mask), f"a copy shares the mask in infos[{agent!r}] with the original"


def _copy(env: Any) -> Any:
    """Return a copy, made by the environment's own `clone` where it has one: `check_copies` looks at that too."""
    return env.clone() if hasattr(env, "clone") else copy.deepcopy(env)


def _spoil_masks(env: Any) -> None:
    """Say "everything is legal" in all arrays that the environment hands out."""
    observation, _, _, _, info = env.last()
    for array in (observation["action_mask"], info.get("action_mask")):
        if array is not None:
            array[...] = 1


def _accepts(env: Any, action: int) -> bool:
    """Step the environment and say whether it took the action; refusing is raising, or ending with both flags set."""
    agent = env.agent_selection
    with _quiet():
        try:
            env.step(action)
        except Exception:  # whichever way an environment refuses
            return False
    return not (env.terminations[agent] and env.truncations[agent])


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep PettingZoo from reporting each illegal move."""
    logger = EnvLogger.get_logger()
    was_disabled, logger.disabled = logger.disabled, True
    try:
        yield
    finally:
        logger.disabled = was_disabled
        EnvLogger.flush()


def check_copies(env: Any, rng: np.random.Generator) -> None:
    """Check that copies of every kind go on alike, past the end of the game, and leave the original as it was."""
    moves = rng.integers(0, 2**31, 100)
    before = _trail(copy.deepcopy(env), moves[:1])
    expected = _trail(copy.deepcopy(env), moves)
    for what, twin in {"a pickled": pickle.loads(pickle.dumps(env)), "a cloned": _copy(env)}.items():
        assert _trail(twin, moves) == expected, f"{what} copy goes on differently from a deep copy"
    assert _trail(copy.deepcopy(env), moves[:1]) == before, "playing on a copy changed the original"


def check_seed(make_env: Callable[[], Any], seed: int) -> None:
    """Check that a seed gives the same game, also on an environment used before, and another seed another game."""
    moves = np.random.default_rng(seed).integers(0, 2**31, 200)
    used = make_env()
    trails = []
    for env, one_seed in ((make_env(), seed), (used, seed + 1), (used, seed)):
        env.reset(seed=one_seed)
        trails.append(_trail(env, moves))
    assert trails[0] == trails[2], f"seed {seed} gave two different games"
    assert trails[0] != trails[1], f"seeds {seed} and {seed + 1} gave the same game"


def _trail(env: Any, moves: NDArray[np.int64]) -> list[Any]:
    """Return what shows while playing legal actions picked by `moves`, in new games of the same streams if need be."""
    trail: list[Any] = []
    for move in moves:
        agent = env.agent_selection
        observation, reward, terminated, truncated, _ = env.last()
        trail.append((agent, float(reward), terminated, truncated, *(v.tobytes() for v in observation.values())))
        if terminated or truncated:
            env.reset()
            continue
        legal = np.flatnonzero(observation["action_mask"])
        assert len(legal), f"{agent} is to act but has no legal action"
        env.step(int(legal[move % len(legal)]))
    return trail


def _check_end(env: Any) -> None:
    """Step the dead agents out and check that nobody is left."""
    for _ in range(len(env.agents)):
        env.step(None)
    assert not env.agents, f"agents {env.agents} are left after every one took its last step"


def check_hidden_cards(env: Any, rng: np.random.Generator) -> None:
    """Check on copies that no agent's observation or mask changes when the cards hidden from it change places."""
    for seat, agent in enumerate(env.possible_agents):
        twin = _copy(env)
        deal_hidden_cards(twin.unwrapped.table, seat, rng)
        seen, seen_again = env.observe(agent), twin.observe(agent)
        for key, value in seen.items():
            assert np.array_equal(value, seen_again[key]), f"{key!r} of {agent} depends on cards hidden from it"


def check_no_leak(table: Table, n_views: int, seed: int = 0) -> int:
    """Check that what a seat sees does not depend on cards hidden from it.

    Random play moves the table on; at every step the hidden cards (other hands and stock) are dealt anew among their
    places, and observation, mask and View of every seat must not change.

    Args:
        table: a Back Alley table; it is played on.
        n_views: views to check at least.
        seed: seed of the shuffles.

    Returns:
        How many views were checked.

    Raises:
        AssertionError: an observation changed, or hardly any position had hidden cards to move.
    """
    rng = np.random.default_rng(seed)
    n_checked = n_moved = 0
    while n_checked < n_views:
        if table.done.any():
            table.reset(table.done)
        for seat in range(table.players):
            hidden = table.clone()
            deal_hidden_cards(hidden, seat, rng)
            n_moved += int((hidden.states["hands"] != table.states["hands"]).any(1).sum())
            changed = table.view(seat) != hidden.view(seat)
            for seen, seen_again in zip(table.see(seat), hidden.see(seat), strict=True):
                changed |= (seen != seen_again).any(1)
            assert not changed.any(), (
                f"what seat {seat} sees of episode {np.flatnonzero(changed)[0]} depends on cards hidden from it"
            )
            n_checked += table.n
        table.step(table.random_actions())
    assert n_moved > n_checked // 2, f"only {n_moved} of {n_checked} positions had cards to move: this proves nothing"
    return n_checked


def deal_hidden_cards(table: Table, seat: int, rng: np.random.Generator) -> None:
    """Deal the cards hidden from a seat anew among the other hands and the stock, each keeping its size; in place.

    In a blind deal the seat's own hand is hidden from it too and takes part. Legal actions and buffers follow, so that
    a seat's mask is that of the new position.
    """
    own_hands = table.view(seat)["hands"][:, seat]
    for state, own_hand in zip(table.states, own_hands, strict=True):
        others = [other for other in range(table.players) if other != seat or own_hand != state["hands"][seat]]
        sizes = [int(state["hands"][other]).bit_count() for other in others]
        pool = [card for other in others for card in cards_of(state["hands"][other])] + cards_of(state["stock"])
        cards = rng.permutation(np.array(pool, np.int64)).tolist()
        for other, size in zip(others, sizes, strict=True):
            state["hands"][other] = sum(1 << card for card in cards[:size])
            cards = cards[size:]
        state["stock"] = sum(1 << card for card in cards)
    _renew_legal(table.rules_record, table.states, table.episodes)
    if table.observations is not None and table.masks is not None:
        table.see_into(np.full(table.n, -1, np.int8), table.observations, table.masks)


@kernel
def _renew_legal(rules: Any, states: Any, episodes: Any) -> None:
    for i in range(states.shape[0]):
        if not episodes[i].done:
            write_legal(rules[0], states[i], episodes[i].legal)
