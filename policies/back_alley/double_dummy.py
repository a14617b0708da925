"""Double-dummy play: the best play with all hands open, exactly, for four seats in two sides.

`solve` says for every legal card how many tricks the side to play wins with best play of everybody from here on, and
on request how many deal points it gains. It is for analysis, for tests, and for players that deal the hidden cards at
random ("worlds") and solve each: `solve_many` does a whole array of states without Python in between.

>>> import numpy as np
>>> from backalley.envs import Rules
>>> from backalley.envs.table import Table
>>> rules = Rules.preset("partnership", hand_max=2, schedule="constant")
>>> table = Table(rules, 1, seed=3)
>>> while table.states["phase"][0] != PLAY:
...     _ = table.step(None)
>>> solved = solve(rules, table.states)
>>> len(solved.cards) == len(solved.tricks)
True
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backalley.envs.back_alley.rules import Rules
from backalley.envs.back_alley.state import OPEN, PLAY, STATE
from backalley.envs.cards import N_CARDS, N_RANKS
from backalley.envs.errors import BackAlleyError
from backalley.envs.kernel import kernel
from backalley.envs.rule_set import Records, new_records
from backalley.policies.back_alley.double_dummy_order import WEIGHTS
from backalley.policies.back_alley.double_dummy_points import (
    INFINITE,
    NO_POINTS,
    POINTS_TABLE,
    counts_more_than_tricks,
    points_by_tricks,
    solve_points,
)
from backalley.policies.back_alley.double_dummy_position import WORK, load
from backalley.policies.back_alley.double_dummy_search import NOT_LEGAL, UNSOLVED, list_root, solve_tricks

NO_LIMIT = 1 << 60
CACHE_LINE = 64  # bytes


@dataclass(frozen=True)
class Solved:
    """What best play leads to, by card.

    Attributes:
        cards: (m,) int64 legal cards of the seat to play.
        tricks: (m,) int64 tricks that its side wins from here on, the trick in progress included.
        points: (m,) int64 deal points of its side minus those of the other side at the end of the deal; None unless
            asked for. Best play is then for points, which need not be the best play for tricks.
        n_won: tricks its side has won before.
        n_nodes: positions searched.
    """

    cards: NDArray[np.int64]
    tricks: NDArray[np.int64]
    points: NDArray[np.int64] | None
    n_won: int
    n_nodes: int

    @property
    def totals(self) -> NDArray[np.int64]:
        """(m,) int64 tricks that the side wins in the whole deal."""
        return self.tricks + self.n_won

    @property
    def best(self) -> int:
        """The best of the cards: by points if they were asked for, then by tricks; the lowest id of equals."""
        if self.points is None:
            return int(self.cards[np.argmax(self.tricks)])
        return int(self.cards[np.lexsort((-self.tricks, -self.points))[0]])


class Workspace:
    """The memory of a solver: make one for each thread and use it again and again.

    It reserves some 70 MB, of which deals of 13 cards use most and small ones next to nothing.
    """

    def __init__(self) -> None:
        memory = np.zeros(WORK.itemsize + CACHE_LINE, np.uint8)
        start = -memory.ctypes.data % CACHE_LINE
        self.work: Records = memory[start : start + WORK.itemsize].view(WORK)
        """(1,) the search itself."""
        self.points: Records = new_records(1, POINTS_TABLE)
        """(1,) what the search for points remembers."""
        self.scratch: Records = new_records(2, STATE)
        """(2,) states that the kernels work on."""
        self.by_tricks: NDArray[np.int64] = np.zeros(N_RANKS + 1, np.int64)
        """(14,) points by tricks."""
        self.work["weights"][0] = WEIGHTS
        self.limit(None)

    def limit(self, max_nodes: int | None) -> None:
        """Give up on a state after so many positions; None never."""
        self.work["max_nodes"][0] = NO_LIMIT if max_nodes is None else max_nodes

    @property
    def arrays(self) -> tuple[Any, Any, Any, Any]:
        """The arguments that `solve_states` and `solve_state` take after the states."""
        return self.work, self.points, self.scratch, self.by_tricks


@kernel
def solve_state(
    rules: Any, state: Any, works: Any, tables: Any, scratch: Any, by_tricks: Any, score: bool, tricks: Any, points: Any
) -> int:
    """Solve one state and return how many positions that took.

    Args:
        rules: record of dtype RULES, four seats in two sides.
        state: record of dtype STATE in the card play, with all hands.
        works, tables, scratch, by_tricks: `Workspace.arrays`, overwritten.
        score: whether to find the points too.
        tricks: (54,) int8, overwritten: tricks from here on of the side to play by card, -1 where a card is not legal,
            -2 where the limit of nodes did not suffice.
        points: (54,) int64, overwritten if `score`: deal points of that side minus those of the other; only meaningful
            where `tricks` is at least 0.
    """
    work = works[0]
    scratch[0] = state
    load(rules, scratch[0], work)
    list_root(work)
    solve_tricks(work, tricks)
    if not score or work.stopped:
        return work.n_nodes
    is_simple = not counts_more_than_tricks(rules, state, tables[0])
    if is_simple and points_by_tricks(rules, state, scratch[1:], by_tricks):
        side = np.int64(work.seat) & 1
        for card in range(N_CARDS):
            points[card] = NO_POINTS
            if tricks[card] >= 0:
                total = tricks[card] + np.int64(state.tricks_won[side]) + np.int64(state.tricks_won[side + 2])
                points[card] = by_tricks[total] if side == 0 else -by_tricks[state.hand_size - total]
        return work.n_nodes
    solve_points(rules, state, scratch[1:], work, tables[0], points)
    if work.stopped:
        for card in range(N_CARDS):
            tricks[card] = UNSOLVED if tricks[card] >= 0 else NOT_LEGAL
    return work.n_nodes


@kernel
def solve_states(
    rules: Any,
    states: Any,
    works: Any,
    tables: Any,
    scratch: Any,
    by_tricks: Any,
    score: bool,
    tricks: Any,
    points: Any,
    n_nodes: Any,
) -> None:
    """Solve an array of states.

    Args:
        rules: record of dtype RULES, four seats in two sides.
        states: (n,) records of dtype STATE in the card play, with all hands.
        works, tables, scratch, by_tricks: `Workspace.arrays`, overwritten.
        score: whether to find the points too.
        tricks, points: (n, 54) int8 and int64 ((1, 54) will do without `score`), overwritten as in `solve_state`.
        n_nodes: (n,) int64, overwritten: positions searched.
    """
    for i in range(states.shape[0]):
        row = i if score else 0
        n_nodes[i] = solve_state(rules, states[i], works, tables, scratch, by_tricks, score, tricks[i], points[row])


def _check(rules: Rules, states: Records) -> None:
    """Refuse what can't be solved.

    Raises:
        BackAlleyError: see `solve`.
    """
    if rules.players != 4 or rules.sides != "pairs":
        raise BackAlleyError(
            f"double dummy play is for players=4 in sides='pairs', not players={rules.players}, sides={rules.sides!r}"
        )
    if np.any(states["observer"] != OPEN):
        raise BackAlleyError(
            "a View hides the other hands, and double dummy play needs all of them: a seat that must not see them "
            "plays with the policy search:worlds=N, which deals the hidden cards at random"
        )
    if np.any(states["phase"] != PLAY):
        raise BackAlleyError("only the card play can be solved: make the bids first (phase must be PLAY)")


def solve_many(
    rules: Rules,
    states: Records,
    *,
    score: bool = False,
    max_nodes: int | None = None,
    workspace: Workspace | None = None,
) -> tuple[NDArray[np.int8], NDArray[np.int64], NDArray[np.int64]]:
    """Solve many states.

    Args:
        rules: four seats in two sides.
        states: (n,) records of dtype STATE in the card play, with all hands.
        score: whether to find the points too.
        max_nodes: give up on a state after so many positions.
        workspace: used again, to save making one.

    Returns:
        `tricks` (n, 54) int8: tricks from here on of the side to play by card, -1 where a card is not legal, -2 where
        the state was given up; `points` (n, 54) int64: deal points of that side minus those of the other, only
        meaningful where `tricks` is at least 0, (1, 54) without `score`; `n_nodes` (n,) int64.

    Raises:
        BackAlleyError: see `solve`.
    """
    _check(rules, states)
    workspace = workspace or Workspace()
    workspace.limit(max_nodes)
    n = len(states)
    tricks = np.empty((n, N_CARDS), np.int8)
    points = np.full((n if score else 1, N_CARDS), -INFINITE, np.int64)
    n_nodes = np.zeros(n, np.int64)
    solve_states(rules.record()[0], states, *workspace.arrays, score, tricks, points, n_nodes)
    return tricks, points, n_nodes


def solve(
    rules: Rules,
    state: Any,
    *,
    score: bool = False,
    max_nodes: int | None = None,
    workspace: Workspace | None = None,
) -> Solved:
    """Return what each legal card of the seat to play leads to with best play of everybody.

    Args:
        rules: four seats in two sides.
        state: a record of dtype STATE in the card play, or an array of one; all hands open.
        score: find the deal points too, under the bids made.
        max_nodes: give up after so many positions.
        workspace: used again, to save making one.

    Raises:
        BackAlleyError: other seatings, a View instead of an open state, a state outside the card play, or the limit
            `max_nodes` did not suffice.
    """
    states = new_records(1, STATE)
    states[0] = state[0] if getattr(state, "shape", ()) else state
    tricks, points, n_nodes = solve_many(rules, states, score=score, max_nodes=max_nodes, workspace=workspace)
    if np.any(tricks == UNSOLVED):
        raise BackAlleyError(f"the deal needs more than max_nodes={max_nodes} positions: allow more, or None for any")
    cards = np.flatnonzero(tricks[0] != NOT_LEGAL)
    side = int(states["turn"][0]) % 2
    return Solved(
        cards=cards,
        tricks=tricks[0, cards].astype(np.int64),
        points=points[0, cards] if score else None,
        n_won=int(states["tricks_won"][0][side] + states["tricks_won"][0][side + 2]),
        n_nodes=int(n_nodes[0]),
    )
