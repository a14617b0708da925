"""Two searches for a way to win Streets and Alleys and Beleaguered Castle; `patience_solver` explains the method.

Both keep all they know in arrays and return after a given number of steps, so that the caller can look at the clock.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from backalley.envs.cards import ONE, ZERO, bit, n_bits
from backalley.envs.kernel import kernel
from backalley.envs.planes import unowned
from backalley.policies.streets_and_alleys.solver_moves import (
    CARD_BITS,
    MAX_MOVES,
    MAX_PLAYS,
    N_PILES,
    play,
    play_safe_moves,
    take_back,
    write_moves,
)

LOST, WON, UNDECIDED, RUNNING = 0, 1, 2, 3
"""What a search returns: no way out, a way found, no room left, or its budget used up (call it again)."""

PROBES = 256  # places of a table that are tried before it counts as full, at some 93 %
LINE = 8  # places in one line of the processor's cache
NEW, KNOWN, FULL = 0, 1, 2

# The estimate of the best-first search, see `_estimate`.
DISORDER_WEIGHT, BURIED_WEIGHT, BREAK_WEIGHT, SPACE_WEIGHT = 4, 2, 1, 8
N_ESTIMATES = 1024  # above N_PILES * 8 + 52 * 4 + 52 * 1 + 4 * 51 * 2
COUNT_BITS = np.uint64(0xFFFF)

# What the searches keep between calls: the places of their control array.
N_POSITIONS, CURSOR, IS_PRUNED = 0, 1, 2
DEPTH, N_MOVES, N_TRAIL = 1, 2, 3
N_CONTROL = 4

# Columns of what is kept of each position, best first and depth first.
PARENT, NEXT, MOVE = range(3)
FIRST, AT, MARK = range(3)


@kernel(inline=True)
def _place(start: np.uint64, step: np.uint64, probe: int) -> np.uint64:
    """Return the place to look at next: through a line, then on by an odd number of lines, so that none fills early."""
    line = (start >> np.uint64(3)) + step * np.uint64(probe >> 3)
    return line << np.uint64(3) | (start + np.uint64(probe)) & np.uint64(LINE - 1)


@kernel(inline=True)
def _enter(table: NDArray[np.uint64], position: Any) -> int:
    """Note a position in the table: NEW, KNOWN, or FULL if there is no place for it.

    The second word of the hash says where to look, the first one is compared.
    """
    word = position.hash[0] | ONE  # 0 marks a free place
    mask = np.uint64(table.shape[0] - 1)
    for probe in range(PROBES):
        place = _place(position.hash[1], word, probe) & mask
        if table[place] == word:
            return KNOWN
        if table[place] == ZERO:
            table[place] = word
            return NEW
    return FULL


@kernel
def _estimate(position: Any, keys: NDArray[np.uint64]) -> tuple[int, np.uint64]:
    """Return how far a position seems from won, 0 to N_ESTIMATES - 1, and the hash of its core.

    The estimate counts the cards above a lower card in their pile (none: a certain win, SA-33), the cards that cover
    the next cards of the foundations, and the breaks: cards that lie on something else than the next higher rank;
    spaces are to its favour. The core is what no move brings back: the foundations and the breaks.
    """
    estimate = SPACE_WEIGHT * N_PILES
    core = np.uint64(0)
    for pile in range(position.n_piles):
        card = np.int64(position.top[pile])
        if card < 0:
            estimate -= SPACE_WEIGHT
        depth = 0
        ordered = ZERO  # the cards passed so far that have not met a lower card below them
        while card >= 0:
            below = np.int64(position.below[card])
            not_higher = ordered & (bit((card | 3) + 1) - ONE)
            estimate += DISORDER_WEIGHT * n_bits(ordered ^ not_higher)
            ordered = not_higher | bit(card)
            if position.up[card & 3] == card >> 2:
                estimate += BURIED_WEIGHT * depth
            if below >= 0 and below >> 2 != (card >> 2) + 1:
                estimate += BREAK_WEIGHT
                core ^= keys[card, below + 1, 0]
            depth += 1
            card = below
    for suit in range(4):
        core = (core ^ np.uint64(position.up[suit] + 1)) * np.uint64(0x9E3779B97F4A7C15)
        core ^= core >> np.uint64(29)
    return estimate, core


@kernel(inline=True)
def _may_stay(cores: NDArray[np.uint64], core: np.uint64, per_core: int) -> bool:
    """Count a position with this core, and say whether it is among the first `per_core` ones.

    Cores are told apart by 48 bits and their place in the table: a mistake costs a position, which the search
    admits by the flag IS_PRUNED, never a false result.
    """
    mask = np.uint64(cores.shape[0] - 1)
    word = core & ~COUNT_BITS
    for probe in range(PROBES):
        place = _place(core * np.uint64(0xBF58476D1CE4E5B9) >> np.uint64(20), word | ONE, probe) & mask
        if cores[place] == ZERO:
            cores[place] = word | ONE
            return True
        if cores[place] & ~COUNT_BITS == word:
            if np.int64(cores[place] & COUNT_BITS) >= per_core:
                return False
            cores[place] += ONE
            return True
    return False


@kernel
def begin_best_first(
    keys: NDArray[np.uint64],
    positions: Any,
    links: NDArray[np.int32],
    heads: NDArray[np.int32],
    table: NDArray[np.uint64],
    control: NDArray[np.int64],
) -> None:
    """Make `positions[0]`, in which the safe moves have been made, the only open position of a search."""
    _enter(table, positions[0])
    estimate, _ = _estimate(positions[0], keys)
    links[0, PARENT] = -1
    links[0, NEXT] = -1
    heads[estimate] = 0
    control[N_POSITIONS] = 1
    control[CURSOR] = estimate
    control[IS_PRUNED] = 0


@kernel
def best_first(
    keys: NDArray[np.uint64],
    positions: Any,
    links: NDArray[np.int32],
    heads: NDArray[np.int32],
    table: NDArray[np.uint64],
    cores: NDArray[np.uint64],
    scratch: NDArray[np.int32],
    control: NDArray[np.int64],
    per_core: int,
    budget: int,
) -> int:
    """Look on from the open position with the lowest estimate, the newest of these, `budget` times.

    Args:
        keys: (52, 53, 2) keys of the hash.
        positions: (n + 1,) records of dtype POSITION, all positions found; the last one is scratch.
        links: (n + 1, 3) of each position the PARENT, the NEXT open one with the same estimate, and the MOVE.
        heads: (N_ESTIMATES,) the first open position with each estimate, -1 for none.
        table, cores: powers of two, zeros at the beginning: positions and how many there are with each core.
        scratch: (MAX_MOVES + MAX_PLAYS,) overwritten.
        control: (N_CONTROL,) what the search keeps.
        per_core: further positions with the same core are forgotten, which sets IS_PRUNED.
        budget: how many positions to look at.

    Returns:
        WON: the last position found is won. LOST: no position is open; a proof if nothing has been pruned.
        UNDECIDED: there is no room left. RUNNING: the budget is used up.
    """
    keys, positions, links, heads = unowned(keys), unowned(positions), unowned(links), unowned(heads)
    table, cores, scratch, control = unowned(table), unowned(cores), unowned(scratch), unowned(control)
    room = positions.shape[0] - 1
    for _ in range(budget):
        while control[CURSOR] < N_ESTIMATES and heads[control[CURSOR]] < 0:
            control[CURSOR] += 1
        if control[CURSOR] == N_ESTIMATES:
            return LOST
        parent = np.int64(heads[control[CURSOR]])
        heads[control[CURSOR]] = links[parent, NEXT]
        n_moves = write_moves(positions[parent], -1, scratch, 0)
        for i in range(n_moves - 1, -1, -1):  # the newest is looked at first
            positions[room] = positions[parent]
            position = positions[room]
            play(position, keys, np.int64(scratch[i]))
            play_safe_moves(position, keys, scratch, MAX_MOVES)
            found = _enter(table, position)
            if found == KNOWN:
                continue
            estimate, core = _estimate(position, keys)
            if position.n_left > 0 and not _may_stay(cores, core, per_core):
                control[IS_PRUNED] = 1
                continue
            child = control[N_POSITIONS]
            if found == FULL or child == room:
                return UNDECIDED
            positions[child] = position
            links[child, PARENT] = parent
            links[child, NEXT] = heads[estimate]
            links[child, MOVE] = scratch[i]
            heads[estimate] = child
            control[N_POSITIONS] += 1
            control[CURSOR] = min(control[CURSOR], estimate)
            if position.n_left == 0:
                return WON
    return RUNNING


@kernel
def begin_depth_first(
    position: Any,
    table: NDArray[np.uint64],
    frames: NDArray[np.int32],
    moves: NDArray[np.int32],
    control: NDArray[np.int64],
) -> None:
    """Open the first position of a search, in which the safe moves have been made."""
    _enter(table, position)
    frames[0, FIRST] = 0
    frames[0, AT] = 0
    frames[0, MARK] = 0
    control[N_POSITIONS] = 1
    control[DEPTH] = 0
    control[N_MOVES] = write_moves(position, -1, moves, 0)
    control[N_TRAIL] = 0


@kernel
def depth_first(
    keys: NDArray[np.uint64],
    positions: Any,
    table: NDArray[np.uint64],
    frames: NDArray[np.int32],
    moves: NDArray[np.int32],
    trail: NDArray[np.int32],
    control: NDArray[np.int64],
    budget: int,
) -> int:
    """Go on with a depth-first search for `budget` moves; it forgets nothing, so that LOST is a proof.

    Args:
        keys: (52, 53, 2) keys of the hash.
        positions: (1,) record of dtype POSITION, the position reached, changed.
        table: power of two, the positions seen.
        frames: (depth, 3) of each position on the way here: FIRST of its moves, the one it is AT, MARK in the trail.
        moves: the moves of these positions.
        trail: the single moves that have led here, those of a win in the end.
        control: (N_CONTROL,) what the search keeps.
        budget: how many moves to make.

    Returns:
        WON, LOST, UNDECIDED if table or arrays are full, or RUNNING.
    """
    keys, table, frames, moves = unowned(keys), unowned(table), unowned(frames), unowned(moves)
    trail, control = unowned(trail), unowned(control)
    position = positions[0]
    depth = control[DEPTH]
    n_moves = control[N_MOVES]
    n_trail = control[N_TRAIL]
    result = RUNNING
    for _ in range(budget):
        if frames[depth, AT] == n_moves:
            n_moves = np.int64(frames[depth, FIRST])
            depth -= 1
            if depth < 0:
                result = LOST
                break
        else:
            move = np.int64(moves[frames[depth, AT]])
            frames[depth, AT] += 1
            play(position, keys, move)
            trail[n_trail] = move
            n_trail = play_safe_moves(position, keys, trail, n_trail + 1)
            if position.n_left == 0:
                result = WON
                break
            found = _enter(table, position)
            if found == NEW:
                depth += 1
                is_full = depth == frames.shape[0] or n_moves + MAX_MOVES > moves.shape[0]
                if is_full or n_trail + MAX_PLAYS > trail.shape[0]:
                    found = FULL
                else:
                    control[N_POSITIONS] += 1
                    frames[depth, FIRST] = n_moves
                    frames[depth, AT] = n_moves
                    frames[depth, MARK] = n_trail
                    n_moves = write_moves(position, np.int64(trail[n_trail - 1]) & CARD_BITS, moves, n_moves)
            if found == FULL:
                result = UNDECIDED
                break
        while n_trail > frames[depth, MARK]:
            n_trail -= 1
            take_back(position, keys, np.int64(trail[n_trail]))
    control[DEPTH] = depth
    control[N_MOVES] = n_moves
    control[N_TRAIL] = n_trail
    return result
