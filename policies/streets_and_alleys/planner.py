"""The policy `solver`: it wins each deal that the exact search finds a way through, and plays others like `greedy`."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backalley.envs.cards import N_RANKS
from backalley.envs.errors import BackAlleyError
from backalley.envs.legal import legal_actions, legal_sets
from backalley.envs.rule_set import Records, new_records
from backalley.envs.streets_and_alleys.actions import N_ACTIONS, WIDTH, move_action
from backalley.envs.streets_and_alleys.moves import make_move, write_legal
from backalley.envs.streets_and_alleys.rules import StreetsRules
from backalley.envs.streets_and_alleys.state import RANK, STATE
from backalley.policies.streets_and_alleys.bots import GREEDY, choose
from backalley.policies.streets_and_alleys.solver import TO_FOUNDATION, Solution, solve

NAME = "solver"
MAX_NODES = 1_000_000
"""Positions that the search may visit in a deal, unless the name says otherwise: `solver:nodes=50000`."""
REMEMBERED = 500_000
"""Positions that are kept, with what to do in them."""
HOPELESS = -1
"""Instead of an action: this position is lost, or could not be decided."""


def check_solvable(rules: StreetsRules) -> None:
    """Refuse rules that the solver does not know.

    Raises:
        BackAlleyError: with the option.
    """
    for option in ("worry_back", "auto_play"):
        if getattr(rules, option):
            raise BackAlleyError(
                f"the solver does not know {option}=True ({rules.OPTIONS[option].clause}): leave it off, or ask "
                "another policy, such as greedy"
            )


def solve_state(rules: StreetsRules, state: Any, **limits: Any) -> Solution:
    """Decide whether a state can be won; see `solver.solve` for the limits."""
    check_solvable(rules)
    return solve(state["piles"], state["lengths"], state["foundation"], **limits)


class Walk:
    """A state that is played on, and what it looks like when the order of piles does not count."""

    def __init__(self, rules: StreetsRules, state: Any) -> None:
        self.record = rules.record()
        self.states = new_records(1, STATE)
        self.states[0] = state

    @property
    def state(self) -> Any:
        """The state as it is."""
        return self.states[0]

    def copy(self) -> Walk:
        """Return an independent copy."""
        twin = object.__new__(type(self))
        twin.record, twin.states = self.record, self.states.copy()
        return twin

    def play(self, action: int) -> None:
        """Make a legal move."""
        make_move(self.record[0], self.states[0], action)

    def legal(self) -> list[int]:
        """Return the legal moves."""
        legal = np.zeros(N_ACTIONS // WIDTH, np.uint64)
        write_legal(self.record[0], self.states[0], legal)
        return legal_actions(legal, WIDTH)

    def key(self) -> tuple[bytes, ...]:
        """Return the piles in an order of their own."""
        lengths = self.states["lengths"][0].tolist()
        return tuple(sorted(pile[:n].tobytes() for pile, n in zip(self.states["piles"][0], lengths, strict=True) if n))


def winning_actions(rules: StreetsRules, state: Any, moves: list[tuple[int, int]]) -> list[int]:
    """Return the shortest way that the positions of a solution allow, in actions of the engine.

    At each position the move is taken that leads furthest along the solution; so shortcuts stand for several single
    moves, and detours of a depth-first search are cut off.

    Args:
        rules: rule set.
        state: record of dtype STATE, where the moves begin.
        moves: single moves of a `Solution`.
    """
    walk = Walk(rules, state)
    furthest = {walk.key(): 0}
    n_steps = 0
    piles = [pile[:n].tolist() for pile, n in zip(state["piles"], state["lengths"], strict=True)]  # as the solver's
    for source, target in moves:
        card = piles[source].pop()
        if target == TO_FOUNDATION:
            if RANK[card] <= walk.state["foundation"][card // N_RANKS]:
                continue  # it has gone up by itself (SA-14)
            action = source
        else:
            piles[target].append(card)
            action = int(move_action(source, target, 1))
        walk.play(action)
        n_steps += 1
        furthest[walk.key()] = n_steps
    walk, at, actions = Walk(rules, state), 0, []
    while at < n_steps:
        best, best_at, best_walk = -1, at, walk
        for action in walk.legal():
            trial = walk.copy()
            trial.play(action)
            if (reached := furthest.get(trial.key(), -1)) > best_at:
                best, best_at, best_walk = action, reached, trial
        assert best >= 0, "the next step of the way is always among the legal moves"
        actions.append(best)
        walk, at = best_walk, best_at
    return actions


class SolverPolicy:
    """Follows a solution of the deal; a deal that is lost or cannot be decided is played like `greedy`.

    Args:
        rules: rule set, without `worry_back` and `auto_play`.
        max_nodes: positions that the search may visit in a deal.

    Raises:
        BackAlleyError: rules that the solver does not know.
    """

    def __init__(self, rules: StreetsRules, max_nodes: int = MAX_NODES) -> None:
        check_solvable(rules)
        self.name = NAME if max_nodes == MAX_NODES else f"{NAME}:nodes={max_nodes}"
        self.max_nodes = max_nodes
        self._rules = rules
        self._known: OrderedDict[bytes, int] = OrderedDict()

    def act(self, views: Records, legal: NDArray[np.int8], rng: np.random.Generator) -> NDArray[np.int16]:
        """Return an action for each View; see `base.Policy`."""
        sets = legal_sets(legal, WIDTH)
        stream = rng.integers(0, 2**64, 4, np.uint64)
        actions = np.empty(len(views), np.int16)
        for i in range(len(views)):
            action = self._known_action(views[i])
            if action == HOPELESS:
                walk = Walk(self._rules, views[i])
                action = int(choose(GREEDY, walk.record[0], walk.state, sets[i], stream))
                walk.play(action)
                self._remember(walk.state, HOPELESS)
            actions[i] = action
        return actions

    def _known_action(self, state: Any) -> int:
        """Return the next move of a way to a win, or HOPELESS."""
        if (key := _exact_key(state)) not in self._known:
            solution = solve_state(self._rules, state, max_nodes=self.max_nodes)
            if solution.status == "won":
                walk = Walk(self._rules, state)
                for action in winning_actions(self._rules, state, solution.moves):
                    self._remember(walk.state, action)
                    walk.play(action)
            else:
                self._remember(state, HOPELESS)
        return self._known[key]

    def _remember(self, state: Any, action: int) -> None:
        self._known[_exact_key(state)] = action
        if len(self._known) > REMEMBERED:
            self._known.popitem(last=False)


def _exact_key(state: Any) -> bytes:
    return bytes(state["piles"].tobytes())


def make_solver(rules: StreetsRules, text: str) -> SolverPolicy:
    """Return the policy of a name `solver` or `solver:nodes=N`.

    Raises:
        BackAlleyError: the text behind the colon is something else.
    """
    if not text:
        return SolverPolicy(rules)
    key, _, number = text.partition("=")
    if key != "nodes" or not number.isdigit() or int(number) < 1:
        raise BackAlleyError(f"policy 'solver:{text}' is not understood: write solver, or solver:nodes=50000")
    return SolverPolicy(rules, int(number))
