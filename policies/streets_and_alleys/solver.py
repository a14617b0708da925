"""Exact solver for Streets and Alleys and Beleaguered Castle: is this position won, and by which moves?

>>> import numpy as np
>>> from backalley.envs.cards import parse_card
>>> piles, lengths = np.full((8, 20), -1, np.int8), np.zeros(8, np.int8)
>>> for i, card in enumerate(("KS", "KH", "KC", "KD", "QD")):
...     pile = min(i, 3)
...     piles[pile, lengths[pile]] = parse_card(card)
...     lengths[pile] += 1
>>> solve(piles, lengths, np.array([12, 12, 11, 12]))
Solution(status='won', moves=[(0, -1), (1, -1), (2, -1), (3, -1), (3, -1)], n_nodes=1)

Single moves (SA-10 to SA-12) are all that is searched: SA-20 makes a shortcut of several cards a series of them, and
an ace that goes up by itself (SA-14) is a move like others here. Cards never come back from a foundation (SA-13).

Method. Positions that differ by the order of their piles are one. Cards that are safe to put up go up at once
(`play_safe_moves` has the proof). What a move can't bring back is the *core* of a position: its foundations, and which
cards lie on something else than the next higher rank. Positions with the same core are mostly one and the same thing
with its loose cards laid out differently, and a search that looks at all of them drowns. So first come rounds of
best-first search that keep only so many positions of each core (`ROUNDS`); they find nearly all wins, and prove a loss
if they never had to forget a position. What they leave open is settled by a depth-first search that forgets nothing.

How far to trust it: "won" comes with the moves, which can be replayed. "lost" says that every position within reach
has been seen, as told by hashes: of the two 64-bit words of a position, one is the place where its entry is
sought and the other, less a bit, is compared with the 1 to 256 entries there. With n positions, some new one is taken
for a known one with a probability below n * 256 / 2**63, which is 1e-9 for the 33 million positions of the default
memory; such an accident would matter only if it cut off all wins. Nothing is ever overwritten: a table that is full
ends the search as "undecided".

Blake and Gent, "The Winnability of Klondike Solitaire and Many Other Patience Games" (https://arxiv.org/abs/1906.12314),
decide both games by depth-first search; `tests/benchmarks/winnable.py` compares the shares of deals that can be won.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from backalley.envs.cards import N_RANKS, N_SUITS, SUIT_NAMES, card_name
from backalley.envs.errors import BackAlleyError
from backalley.policies.streets_and_alleys.solver_moves import (
    FOUNDATION,
    MAX_MOVES,
    MAX_PLAYS,
    N_CARDS,
    N_PILES,
    NOTHING,
    POSITION,
    SOURCE,
    SOURCE_BITS,
    TARGET,
    TARGET_BITS,
    play_path,
    play_safe_moves,
)
from backalley.policies.streets_and_alleys.solver_search import (
    IS_PRUNED,
    LOST,
    MOVE,
    N_CONTROL,
    N_ESTIMATES,
    N_POSITIONS,
    N_TRAIL,
    PARENT,
    RUNNING,
    UNDECIDED,
    WON,
    begin_best_first,
    begin_depth_first,
    best_first,
    depth_first,
)

TO_FOUNDATION = -1
"""Target of a move in `Solution.moves` that puts its card on its foundation."""

Status = Literal["won", "lost", "undecided"]

ROUNDS = ((32, 100_000), (400, 500_000), (5_000, 1_500_000))
"""The rounds of best-first search: how many positions of each core are kept (at most 65 535), and how many in all."""
MAX_NODES = 50_000_000
MEMORY_MB = 512
SMALLEST_MEMORY_MB = 16
SLICE = 100_000  # moves between two looks at the clock, a fraction of a second

_BYTES_BEST_FIRST = POSITION.itemsize + 3 * 4 + 2 * 2 * 8 * 2  # a position, its links, twice its place in two tables
_KEYS = np.random.default_rng(20).integers(0, 2**64, (N_CARDS, N_CARDS + 1, 2), np.uint64)  # fixed: same results
_STATUS: dict[int, Status] = {WON: "won", LOST: "lost", UNDECIDED: "undecided"}


class Solution(NamedTuple):
    """What is known of a position.

    Attributes:
        status: "won" if it can be won, "lost" if it is proven that it can't, else "undecided".
        moves: of a won position, single moves (source pile, target pile or `TO_FOUNDATION`) up to the end.
        n_nodes: positions visited, those of repeated rounds counted again.
    """

    status: Status
    moves: list[tuple[int, int]]
    n_nodes: int


def solve(
    piles: NDArray[np.int8],
    lengths: NDArray[np.int8],
    foundation: ArrayLike,
    *,
    max_nodes: int = MAX_NODES,
    max_seconds: float | None = None,
    memory_mb: int = MEMORY_MB,
    worry_back: bool = False,
) -> Solution:
    """Decide whether a position can be won.

    Args:
        piles: (n, 20) card ids (`13 * suit + r` as in `envs.cards`) from base to top, n ≤ 8 piles.
        lengths: (n,) cards of each pile; what lies behind them in `piles` does not count.
        foundation: (4,) rank (A = 1 … K = 13) of the top card of each foundation, 0 for none. In each suit the piles
            must hold the next ranks without a gap; a pack that ends below the king is a smaller game of the same kind.
        max_nodes: positions to visit at most.
        max_seconds: time to take, None for any. It is looked at some times a second.
        memory_mb: memory for the search, in MiB; a position takes about 16 bytes in the end.
        worry_back: whether foundation cards may come back (SA-13), which is not supported.

    Raises:
        BackAlleyError: the arrays are no position, a limit is too small, or `worry_back` is asked for.
    """
    if worry_back:
        raise BackAlleyError("the solver can't move cards back from the foundations: leave worry_back=False (SA-13)")
    if max_nodes < 1 or memory_mb < SMALLEST_MEMORY_MB:
        raise BackAlleyError(
            f"max_nodes={max_nodes} and memory_mb={memory_mb}: the solver needs a position and {SMALLEST_MEMORY_MB} MiB"
        )
    root = _position(np.asarray(piles), np.asarray(lengths), np.asarray(foundation))
    deadline = None if max_seconds is None else time.monotonic() + max_seconds
    return _Solver(root, max_nodes, deadline, memory_mb << 20).solution()


class _Solver:
    """One position with its limits."""

    def __init__(self, root: NDArray[Any], max_nodes: int, deadline: float | None, n_bytes: int) -> None:
        trail = np.empty(N_CARDS, np.int32)
        n_first = play_safe_moves(root[0], _KEYS, trail, 0)
        self.first_moves = trail[:n_first]
        self.root = root
        self.max_nodes = max_nodes
        self.n_nodes = 0
        self.deadline = deadline
        self.n_bytes = n_bytes

    def solution(self) -> Solution:
        if self.root[0]["n_left"] == 0:
            return Solution("won", _readable(self.first_moves), 1)
        result, moves = UNDECIDED, self.first_moves[:0]
        for per_core, n_most in ROUNDS:
            result, moves = self._best_first(per_core, n_most)
            if result != UNDECIDED or self._is_out():
                break
        else:
            result, moves = self._depth_first()
        won_by = _readable(np.concatenate((self.first_moves, moves))) if result == WON else []
        return Solution(_STATUS[result], won_by, self.n_nodes)

    def _is_out(self) -> bool:
        """Say whether a limit is reached."""
        return self.n_nodes >= self.max_nodes or (self.deadline is not None and time.monotonic() >= self.deadline)

    def _run(self, search: Callable[[int], int], control: NDArray[np.int64]) -> int:
        """Call a search in slices until it ends or a limit is reached."""
        before = self.n_nodes
        result = RUNNING
        while result == RUNNING:
            result = search(min(SLICE, self.max_nodes - self.n_nodes))
            self.n_nodes = before + int(control[N_POSITIONS])
            if result == RUNNING and self._is_out():
                result = UNDECIDED
        return result

    def _best_first(self, per_core: int, n_most: int) -> tuple[int, NDArray[np.int32]]:
        """Search with so many positions of each core, `n_most` in all."""
        room = min(n_most, self.n_bytes // _BYTES_BEST_FIRST, self.max_nodes - self.n_nodes)
        positions = np.empty(room + 1, POSITION)
        links = np.empty((room + 1, 3), np.int32)
        heads = np.full(N_ESTIMATES, -1, np.int32)
        table, cores = _table(2 * room), _table(2 * room)
        scratch = np.empty(MAX_MOVES + MAX_PLAYS, np.int32)
        control = np.zeros(N_CONTROL, np.int64)
        positions[0] = self.root[0]
        begin_best_first(_KEYS, positions, links, heads, table, control)
        result = self._run(
            lambda budget: best_first(
                _KEYS, positions, links, heads, table, cores, scratch, control, per_core, max(budget >> 2, 1)
            ),
            control,
        )
        if result == WON:
            path = []
            at = int(control[N_POSITIONS]) - 1
            while links[at, PARENT] >= 0:
                path.append(links[at, MOVE])
                at = int(links[at, PARENT])
            trail = np.empty(len(path) + N_CARDS, np.int32)
            n_trail = play_path(self.root.copy(), _KEYS, np.array(path[::-1], np.int32), trail)
            return WON, trail[:n_trail]
        if result == LOST and control[IS_PRUNED]:
            result = UNDECIDED
        return result, scratch[:0]

    def _depth_first(self) -> tuple[int, NDArray[np.int32]]:
        """Search without forgetting anything: half of the memory is for the table, half for the way."""
        table = _table(self.n_bytes // 2 // 8 // 2 + 1)
        depth = self.n_bytes // 2 // 4 // 16
        frames = np.empty((depth, 3), np.int32)
        moves = np.empty(10 * depth + MAX_MOVES, np.int32)
        trail = np.empty(3 * depth + MAX_PLAYS, np.int32)
        control = np.zeros(N_CONTROL, np.int64)
        reached = self.root.copy()
        begin_depth_first(reached[0], table, frames, moves, control)
        result = self._run(
            lambda budget: depth_first(_KEYS, reached, table, frames, moves, trail, control, budget), control
        )
        return result, trail[: control[N_TRAIL]]


def _table(n: int) -> NDArray[np.uint64]:
    """Return an empty table with at least n places; memory is only taken where it gets written."""
    return np.zeros(1 << max(10, (n - 1).bit_length()), np.uint64)


def _readable(moves: NDArray[np.int32]) -> list[tuple[int, int]]:
    """Return moves as pairs of source and target."""
    sources = (moves >> SOURCE) & SOURCE_BITS
    targets = (moves >> TARGET) & TARGET_BITS
    targets[targets == FOUNDATION] = TO_FOUNDATION
    return list(zip(sources.tolist(), targets.tolist(), strict=True))


def _position(piles: NDArray[np.int8], lengths: NDArray[np.int8], foundation: NDArray[Any]) -> NDArray[Any]:
    """Return a position, (1,) of dtype POSITION, or raise a BackAlleyError."""
    n_piles = len(lengths)
    if piles.ndim != 2 or not 1 <= n_piles == len(piles) <= N_PILES or foundation.shape != (N_SUITS,):
        raise BackAlleyError(
            f"a position has 1 to {N_PILES} piles with their lengths and {N_SUITS} foundations, "
            f"not arrays of shape {piles.shape}, {lengths.shape} and {foundation.shape}"
        )
    if not 0 <= lengths.min() <= lengths.max() <= piles.shape[1]:
        raise BackAlleyError(f"lengths {lengths.tolist()} do not fit piles with {piles.shape[1]} places")
    root = np.zeros(1, POSITION)
    position = root[0]
    position["top"] = position["below"] = NOTHING
    position["n_piles"] = n_piles
    position["up"] = foundation
    cards = []
    for pile in range(n_piles):
        for card_id in piles[pile, : lengths[pile]].tolist():
            _check_card(card_id)
            card = 4 * ((card_id % N_RANKS + 1) % N_RANKS) + card_id // N_RANKS  # the ace is the lowest here
            below = int(position["top"][pile])
            position["below"][card] = below
            position["top"][pile] = card
            position["hash"] ^= _KEYS[card, below + 1]
            cards.append(card)
    position["n_left"] = len(cards)
    _check_pack(cards, foundation)
    return root


def _check_card(card_id: int) -> None:
    if not 0 <= card_id < N_CARDS:
        raise BackAlleyError(f"the piles hold {card_id}, which is no card of these games: cards are 0 to {N_CARDS - 1}")


def _check_pack(cards: list[int], foundation: NDArray[Any]) -> None:
    """Check that the cards of the piles are those that follow on the foundations."""
    for suit in range(N_SUITS):
        up = int(foundation[suit])
        ranks = sorted(card >> 2 for card in cards if card & 3 == suit)
        if ranks != list(range(up, up + len(ranks))) or not 0 <= up <= N_RANKS:
            held = ", ".join(card_name(N_RANKS * suit + (rank - 1) % N_RANKS) for rank in ranks)
            raise BackAlleyError(
                f"the {SUIT_NAMES[suit]} of the piles ({held or 'none'}) must be the ranks after the {up} "
                "on the foundation, each once"
            )
