"""The loops of the search player: worlds are drawn, every action is tried in each of them, deals are played out."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from backalley.envs.back_alley.actions import N_ACTIONS, WIDTH
from backalley.envs.back_alley.episode import apply_action, write_legal
from backalley.envs.back_alley.rainbow import is_blind
from backalley.envs.back_alley.rules import Rules
from backalley.envs.back_alley.state import BID, PLAY, RAISE, SCORED, STATE, THROWN_IN
from backalley.envs.back_alley.view import write_view
from backalley.envs.cards import bit
from backalley.envs.kernel import kernel
from backalley.envs.legal import first_legal, is_legal, n_legal, read_mask
from backalley.envs.planes import unowned
from backalley.envs.rule_set import new_records
from backalley.envs.streams import Stream, next_word, uniform
from backalley.policies.back_alley.belief import world_weight
from backalley.policies.back_alley.bots import RULES, choose
from backalley.policies.back_alley.worlds import Sampler, draw_world, plan_worlds

NO_VALUE = -np.inf
"""Value of an action that is not legal."""
GAIN, TRIED, MEAN, SQUARE, TWICE = range(5)
N_SUMS = 5
"""Rows of `Memory.sums`: gain in this world, worlds tried, sum of differences to the usual action, of their squares, of
the squares of how often each world counts."""
LOOK_EVERY = 16
CLEARLY = 2.5
"""After so many worlds each time, actions are left out that are so many standard errors worse than another one."""
MOST_ROUNDS = 4
"""Most times the number of worlds that an action is tried in, when others are left out."""

_STIR = np.uint64(0x9E3779B97F4A7C15)  # 2**64 over the golden ratio: any odd constant with mixed bits
_N_STIRS = 4


class Memory(NamedTuple):
    """What a search works on; all of it is overwritten."""

    plan: Any  # (1,), `tables` and `table_sums`: see `worlds.Sampler`
    tables: NDArray[np.float64]
    table_sums: NDArray[np.float64]
    worlds: Any  # (n * candidates,) records of dtype STATE
    counts: NDArray[np.int64]  # (n * candidates,) how often each world counts, n in all
    weights: NDArray[np.float64]  # (n * candidates,)
    states: Any  # (2,) records of dtype STATE
    views: Any  # (1,) record of dtype STATE
    legal: NDArray[np.uint64]  # (2,) in playouts
    chosen: NDArray[np.uint64]  # (2,) actions that are tried
    stream: Stream  # (4,)
    sums: NDArray[np.float64]  # (N_SUMS, n_actions)


def new_memory(rules: Rules, n_worlds: int, n_candidates: int = 1) -> Memory:
    """Return memory for `n_worlds` worlds that count, thinned out from `n_candidates` times as many."""
    sampler = Sampler(rules)
    n_drawn = n_worlds * n_candidates
    return Memory(
        plan=sampler.plan,
        tables=sampler.tables,
        table_sums=sampler.sums,
        worlds=new_records(n_drawn, STATE),
        counts=np.zeros(n_drawn, np.int64),
        weights=np.zeros(n_drawn),
        states=new_records(2, STATE),
        views=new_records(1, STATE),
        legal=np.zeros(2, np.uint64),
        chosen=np.zeros(2, np.uint64),
        stream=np.zeros(4, np.uint64),
        sums=np.zeros((N_SUMS, N_ACTIONS)),
    )


@kernel
def unowned_memory(memory: Memory) -> Memory:
    """Return the same memory without its counts of users, see `planes.unowned`."""
    return Memory(
        unowned(memory.plan),
        unowned(memory.tables),
        unowned(memory.table_sums),
        unowned(memory.worlds),
        unowned(memory.counts),
        unowned(memory.weights),
        unowned(memory.states),
        unowned(memory.views),
        unowned(memory.legal),
        unowned(memory.chosen),
        unowned(memory.stream),
        unowned(memory.sums),
    )


@kernel
def seed_from_view(rules: Any, view: Any, seed: np.uint64, stream: Stream) -> None:
    """Begin the stream of a decision, which depends on `seed` and on what the seat knows, and on nothing else."""
    stream[0] = seed
    stream[1] = view.hands[view.observer]
    stream[2] = _STIR
    stream[3] = np.uint64(view.dealer) << np.uint64(8) | np.uint64(view.observer)
    for seat in range(rules.players):
        next_word(stream)
        stream[1] ^= view.played[seat]
        bid = (np.uint64(view.bid_kind[seat]) << np.uint64(4)) | np.uint64(view.bid_number[seat])
        stream[0] += (bid + np.uint64(1)) * _STIR
    for _ in range(_N_STIRS):
        next_word(stream)


@kernel
def can_be_searched(view: Any, chosen: NDArray[np.uint64]) -> bool:
    """Say whether there is something to search: a choice in the bidding or the play; offers of a new deal are not."""
    phase = view.phase
    return n_legal(chosen) > 1 and phase in (BID, RAISE, PLAY)


@kernel
def play_out(
    rules: Any, bot: int, other: int, side: int, states: Any, views: Any, legal: NDArray[np.uint64], stream: Stream
) -> None:
    """Let two bots, or one twice, play the deal of `states[0]` to its end; each seat sees its own View only.

    Args:
        rules: record of dtype RULES.
        bot, other: numbers of the bots that play for `side`, and for all other sides.
        side: number of a side.
        states: (≥ 1,) records of dtype STATE, the first one overwritten.
        views: (1,) record of dtype STATE, scratch.
        legal: (2,) scratch.
        stream: (4,) the stream the bots draw from.
    """
    while states[0].phase < THROWN_IN:
        write_legal(rules, states[0], legal)
        if n_legal(legal) == 1:
            action = first_legal(legal, WIDTH)
        else:
            seat = np.int64(states[0].turn)
            write_view(rules, states, 0, seat, views, 0)
            action = choose(bot if rules.side[seat] == side else other, rules, views[0], legal, stream)
        apply_action(rules, states[0], action)


@kernel
def _side_difference(rules: Any, points: NDArray[np.int32], side: int) -> int:
    """Return a side's points minus each other side's, added up: whole numbers, so that sums are exact."""
    difference = 0
    counted = 0  # sides seen, as bits
    for seat in range(rules.players):
        if counted >> rules.side[seat] & 1 == 0:
            counted |= 1 << rules.side[seat]
            difference += points[seat] * (rules.n_sides - 1 if rules.side[seat] == side else -1)
    return difference


@kernel
def gain(rules: Any, state: Any, seat: int) -> float:
    """Return the deal points of the seat's side minus the mean of the others'; 0 for hands thrown in."""
    if state.phase != SCORED:
        return 0.0
    return _side_difference(rules, state.deal_points, np.int64(rules.side[seat])) / np.float64(rules.n_sides - 1)


@kernel
def choose_worlds(rules: Any, view: Any, n_candidates: int, memory: Memory) -> None:
    """Draw worlds into the memory, and how often each counts.

    Args:
        rules: record of dtype RULES.
        view: record of dtype STATE, a View for which `plan_worlds` has filled the memory.
        n_candidates: worlds drawn for each that counts; with 1 each counts once.
        memory: `worlds` and `counts` are overwritten, and its scratch.
    """
    worlds, counts, weights, stream = memory.worlds, memory.counts, memory.weights, memory.stream
    n = worlds.shape[0] // n_candidates
    if n_candidates == 1 or (view.phase != PLAY and is_blind(rules, view)):  # blind bids tell nothing of hands
        counts[:] = 0
        for k in range(n):
            draw_world(rules, view, memory.plan[0], memory.tables, stream, worlds, k)
            counts[k] = 1
        return
    total = 0.0
    me = np.int64(view.observer)
    for k in range(worlds.shape[0]):
        draw_world(rules, view, memory.plan[0], memory.tables, stream, worlds, k)
        weights[k] = world_weight(rules, me, worlds, k, memory.states, memory.legal, stream)
        total += weights[k]
    thin_out(n, total, weights, counts, stream)


@kernel
def thin_out(n: int, total: float, weights: NDArray[np.float64], counts: NDArray[np.int64], stream: Stream) -> None:
    """Let n worlds count, by systematic resampling: n points at equal distances on the sum of the weights."""
    point = uniform(stream) * total / n
    passed = 0.0
    n_left = n
    for k in range(weights.shape[0]):
        passed += weights[k]
        counts[k] = 0
        is_last = k == weights.shape[0] - 1  # takes what rounding has left over
        while n_left > 0 and (point < passed or is_last):
            counts[k] += 1
            point += total / n
            n_left -= 1


@kernel
def _try_actions(rules: Any, view: Any, n_candidates: int, bot: int, usual: int, memory: Memory) -> None:
    """Add up what each legal action gains over the usual one, into `memory.sums`.

    There are as many playouts as it takes to try every action in all worlds. Every so many worlds the actions that are
    clearly worse than another one are left out from there on, and those left are tried in further worlds instead, until
    the playouts are used up or it is clear which one is best.

    Args:
        rules: record of dtype RULES.
        view: record of dtype STATE, a View for which `plan_worlds` has filled the memory.
        n_candidates: see `choose_worlds`.
        bot: plays the deals out.
        usual: the action that gains are compared with.
        memory: `chosen` has the legal actions, in the end those left.
    """
    memory.sums[:] = 0.0
    me = np.int64(view.observer)
    playouts = memory.worlds.shape[0] // n_candidates * n_legal(memory.chosen)
    n = 0
    next_look = LOOK_EVERY
    for _ in range(MOST_ROUNDS):
        if playouts < n_legal(memory.chosen):
            return
        choose_worlds(rules, view, n_candidates, memory)
        for k in range(memory.worlds.shape[0]):
            if memory.counts[k] == 0:
                continue
            if playouts < n_legal(memory.chosen):
                return
            playouts -= n_legal(memory.chosen)
            try_world(rules, me, bot, bot, usual, memory.worlds, k, np.float64(memory.counts[k]), memory)
            n += memory.counts[k]
            if n >= next_look:
                next_look = n + LOOK_EVERY
                if not _leave_out(usual, memory.chosen, memory.sums):
                    return


@kernel
def try_world(
    rules: Any, me: int, bot: int, other: int, usual: int, worlds: Any, k: int, count: float, memory: Memory
) -> None:
    """Add what each of the chosen actions gains in `worlds[k]`, which counts `count` times; see `_try_actions`.

    The gains themselves are left in `memory.sums[GAIN]`. `bot` plays on for the side of `me`, `other` for all others.
    """
    side = np.int64(rules.side[me])
    sums = memory.sums
    for action in range(sums.shape[1]):
        if is_legal(memory.chosen, WIDTH, action):
            memory.states[0] = worlds[k]
            apply_action(rules, memory.states[0], action)
            play_out(rules, bot, other, side, memory.states, memory.views, memory.legal, memory.stream)
            sums[GAIN, action] = gain(rules, memory.states[0], me)
    for action in range(sums.shape[1]):
        if is_legal(memory.chosen, WIDTH, action):
            difference = sums[GAIN, action] - sums[GAIN, usual]
            sums[TRIED, action] += count
            sums[MEAN, action] += count * difference
            sums[SQUARE, action] += count * difference * difference
            sums[TWICE, action] += count * count


@kernel
def mean_and_error(sums: NDArray[np.float64], action: int) -> tuple[float, float]:
    """Return the mean of an action's differences to the usual one, and its standard error.

    A world that counts several times tells no more than one that counts once, so the error is that of a weighted mean.
    """
    n = sums[TRIED, action]
    mean = sums[MEAN, action] / n
    variance = max(0.0, sums[SQUARE, action] / n - mean * mean)
    return mean, np.sqrt(variance * sums[TWICE, action]) / n


@kernel
def _leave_out(usual: int, chosen: NDArray[np.uint64], sums: NDArray[np.float64]) -> bool:
    """Leave out the chosen actions that are clearly worse than another one; say whether there is more to find out.

    The usual action stays, as the others are compared with it.
    """
    sure = 0.0  # gained by some action, in all likelihood
    for action in range(sums.shape[1]):
        if action != usual and is_legal(chosen, WIDTH, action):
            mean, error = mean_and_error(sums, action)
            sure = max(sure, mean - CLEARLY * error)
    for action in range(sums.shape[1]):
        if action != usual and is_legal(chosen, WIDTH, action):
            mean, error = mean_and_error(sums, action)
            if mean + CLEARLY * error < sure:
                chosen[action // WIDTH] &= ~bit(action % WIDTH)
    return n_legal(chosen) > (2 if sure > 0.0 else 1)


@kernel
def search_views(
    rules: Any,
    bot: int,
    n_candidates: int,
    caution: float,
    seed: np.uint64,
    views: Any,
    masks: NDArray[np.int8],
    memory: Memory,
    values: NDArray[np.float64],
) -> int:
    """Write what each action of each View is worth, by playouts.

    Args:
        rules: (1,) record of dtype RULES.
        bot: plays the deals out.
        n_candidates: see `choose_worlds`.
        caution: standard errors taken off each value.
        seed: of the worlds.
        views: (n,) Views.
        masks: (n, n_actions) legal actions.
        memory: from `new_memory`, for as many candidates.
        values: (n, n_actions), overwritten: points gained over the action of `rules`, `NO_VALUE` if not legal.

    Returns:
        The first View without worlds, -1 if there is none.
    """
    rules, memory = unowned(rules), unowned_memory(memory)
    for i in range(views.shape[0]):
        values[i] = NO_VALUE
        read_mask(masks[i], WIDTH, memory.chosen)
        seed_from_view(rules[0], views[i], seed, memory.stream)
        memory.views[0] = views[i]
        usual = choose(RULES, rules[0], memory.views[0], memory.chosen, memory.stream)
        values[i, usual] = 0.0
        if not can_be_searched(views[i], memory.chosen):
            continue
        if not plan_worlds(rules[0], views[i], memory.plan[0], memory.tables, memory.table_sums):
            return i
        _try_actions(rules[0], views[i], n_candidates, bot, usual, memory)
        for action in range(values.shape[1]):
            if memory.sums[TRIED, action] > 0.0:
                mean, error = mean_and_error(memory.sums, action)
                values[i, action] = mean - caution * error
    return -1


@kernel
def worlds_of_view(rules: Any, n_candidates: int, seed: np.uint64, views: Any, i: int, memory: Memory) -> bool:
    """Draw the worlds of `views[i]` into the memory, those that `search_views` would try; say whether it has any."""
    seed_from_view(rules[0], views[i], seed, memory.stream)
    if not plan_worlds(rules[0], views[i], memory.plan[0], memory.tables, memory.table_sums):
        return False
    choose_worlds(rules[0], views[i], n_candidates, memory)
    return True


@kernel
def cheat_views(
    rules: Any, bot: int, opens: Any, masks: NDArray[np.int8], memory: Memory, values: NDArray[np.float64]
) -> None:
    """Write what each action of each open state gains over that of `rules`; arguments as for `search_views`."""
    rules, memory = unowned(rules), unowned_memory(memory)
    for i in range(opens.shape[0]):
        values[i] = NO_VALUE
        read_mask(masks[i], WIDTH, memory.chosen)
        me = np.int64(opens[i].turn)
        write_view(rules[0], opens, i, me, memory.views, 0)
        seed_from_view(rules[0], memory.views[0], np.uint64(0), memory.stream)
        can_search = can_be_searched(memory.views[0], memory.chosen)
        usual = choose(RULES, rules[0], memory.views[0], memory.chosen, memory.stream)
        values[i, usual] = 0.0
        if can_search:
            memory.sums[:] = 0.0
            try_world(rules[0], me, bot, bot, usual, opens, i, 1.0, memory)
            for action in range(values.shape[1]):
                if memory.sums[TRIED, action] > 0.0:
                    values[i, action] = memory.sums[MEAN, action]
