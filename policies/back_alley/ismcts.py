"""Information set Monte Carlo tree search, `ismcts:sims=N`: an opponent of another style than `search`.

One tree serves all worlds (single-observer ISMCTS of Cowling, Powley and Whitehouse, "Information Set Monte Carlo Tree
Search", IEEE Transactions on Computational Intelligence and AI in Games 4, 2012, algorithm 1): its nodes are what has
been bid and played from here on, which everybody sees. Each simulation draws a world (`worlds`), goes down the tree by
upper confidence bounds among the actions legal in that world, adds one node, and has a bot play the deal out. Bounds
count how often an action was there to be taken, not how often its parent was visited.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from backalley.envs.back_alley.actions import N_ACTIONS, WIDTH
from backalley.envs.back_alley.episode import apply_action, write_legal
from backalley.envs.back_alley.rules import Rules
from backalley.envs.back_alley.state import THROWN_IN
from backalley.envs.cards import bit
from backalley.envs.kernel import kernel
from backalley.envs.legal import is_legal, n_legal, random_action, read_mask
from backalley.envs.planes import unowned
from backalley.envs.rule_set import Records, new_records
from backalley.policies.back_alley.bots import NAMES, RULES, choose
from backalley.policies.back_alley.search import check_worlds, read_options
from backalley.policies.back_alley.search_kernels import (
    Memory,
    can_be_searched,
    gain,
    new_memory,
    play_out,
    seed_from_view,
    unowned_memory,
)
from backalley.policies.back_alley.worlds import draw_world, plan_worlds

SIMS = 1000
EXPLORE = 0.7
"""Weight of the bound, in standard deviations of what the deals bring."""
MOST_SIMS = 10_000_000
NONE = -1
ROOT = 0
MAX_DEPTH = 128  # more than the actions of a deal: 6 seats of 9 cards, their bids and raises

NODE = np.dtype(
    [
        ("n_tried", np.float64),
        ("n_there", np.float64),  # how often the action was legal when its parent was passed
        ("total", np.float64),  # gains of the seat that took the action
        ("child", np.int32),  # the latest one
        ("sibling", np.int32),  # the one before
        ("action", np.int16),
        ("seat", np.int16),
    ],
    align=True,
)


class Tree(NamedTuple):
    """Memory of a tree; overwritten."""

    nodes: Any  # (≥ simulations + 1,) records of dtype NODE
    path: NDArray[np.int64]  # (MAX_DEPTH,) nodes passed in this simulation


@kernel
def _new_node(nodes: Any, k: int, action: int, seat: int) -> None:
    nodes[k].n_tried = 0.0
    nodes[k].n_there = 0.0
    nodes[k].total = 0.0
    nodes[k].child = NONE
    nodes[k].sibling = NONE
    nodes[k].action = action
    nodes[k].seat = seat


@kernel
def _best_child(nodes: Any, parent: int, legal: NDArray[np.uint64], explore: float) -> int:
    """Return the child with the best bound among those legal here, `NONE` without any; what is left of `legal` is new.

    Args:
        nodes, parent: the tree and where it stands.
        legal: (2,) legal actions, overwritten: those without a child.
        explore: weight of the bound, in points.
    """
    best = NONE
    best_bound = -np.inf
    child = np.int64(nodes[parent].child)
    while child != NONE:
        action = np.int64(nodes[child].action)
        if is_legal(legal, WIDTH, action):
            legal[action // WIDTH] &= ~bit(action % WIDTH)
            nodes[child].n_there += 1.0
            n = nodes[child].n_tried
            bound = nodes[child].total / n + explore * np.sqrt(np.log(nodes[child].n_there) / n)
            if bound > best_bound:
                best_bound = bound
                best = child
        child = np.int64(nodes[child].sibling)
    return best


@kernel
def _simulate(rules: Any, bot: int, explore: float, n_nodes: int, tree: Tree, memory: Memory) -> int:
    """Go down the tree from the world in `states[0]`, add a node, play the deal out; return the length of the path."""
    nodes, states, legal = tree.nodes, memory.states, memory.legal
    node = ROOT
    depth = 0
    while states[0].phase < THROWN_IN:
        write_legal(rules, states[0], legal)
        best = _best_child(nodes, node, legal, explore)
        is_new = n_legal(legal) > 0
        if is_new:
            _new_node(nodes, n_nodes, random_action(legal, WIDTH, memory.stream), np.int64(states[0].turn))
            nodes[n_nodes].n_there = 1.0
            nodes[n_nodes].sibling = nodes[node].child
            nodes[node].child = n_nodes
            best = n_nodes
        node = best
        tree.path[depth] = node
        depth += 1
        apply_action(rules, states[0], np.int64(nodes[node].action))
        if is_new:
            break
    play_out(rules, bot, bot, 0, states, memory.views, legal, memory.stream)
    return depth


@kernel
def _grow(rules: Any, view: Any, bot: int, n_sims: int, tree: Tree, memory: Memory) -> None:
    """Grow a fresh tree for a View for which `plan_worlds` has filled the memory."""
    nodes, states = tree.nodes, memory.states
    me = np.int64(view.observer)
    _new_node(nodes, ROOT, NONE, NONE)
    n_nodes = 1
    total = 0.0
    squares = 0.0
    spread = 1.0  # of the gains so far: the bound is measured by what is at stake
    for n in range(1, n_sims + 1):
        draw_world(rules, view, memory.plan[0], memory.tables, memory.stream, memory.worlds, 0)
        states[0] = memory.worlds[0]
        depth = _simulate(rules, bot, EXPLORE * spread, n_nodes, tree, memory)
        n_nodes = max(n_nodes, tree.path[depth - 1] + 1)
        for i in range(depth):
            node = tree.path[i]
            nodes[node].n_tried += 1.0
            nodes[node].total += gain(rules, states[0], np.int64(nodes[node].seat))
        mine = gain(rules, states[0], me)
        total += mine
        squares += mine * mine
        spread = max(1.0, np.sqrt(max(0.0, squares / n - (total / n) ** 2)))


@kernel
def ismcts_views(
    rules: Any,
    bot: int,
    n_sims: int,
    seed: np.uint64,
    views: Any,
    masks: NDArray[np.int8],
    tree: Tree,
    memory: Memory,
    visits: NDArray[np.float64],
) -> int:
    """Write how often each action of each View was tried, into `visits` (n, n_actions).

    Args:
        rules: (1,) record of dtype RULES.
        bot: plays the deals out.
        n_sims: simulations for a View.
        seed: of the worlds.
        views: (n,) Views.
        masks: (n, n_actions) legal actions.
        tree, memory: overwritten.
        visits: overwritten; 1 for what `rules` does where there is nothing to search.

    Returns:
        The first View without worlds, -1 if there is none.
    """
    rules, memory = unowned(rules), unowned_memory(memory)
    tree = Tree(unowned(tree.nodes), unowned(tree.path))
    for i in range(views.shape[0]):
        visits[i] = 0.0
        read_mask(masks[i], WIDTH, memory.chosen)
        seed_from_view(rules[0], views[i], seed, memory.stream)
        if not can_be_searched(views[i], memory.chosen):
            memory.views[0] = views[i]
            visits[i, choose(RULES, rules[0], memory.views[0], memory.chosen, memory.stream)] = 1.0
            continue
        if not plan_worlds(rules[0], views[i], memory.plan[0], memory.tables, memory.table_sums):
            return i
        _grow(rules[0], views[i], bot, n_sims, tree, memory)
        child = np.int64(tree.nodes[ROOT].child)
        while child != NONE:
            visits[i, tree.nodes[child].action] = tree.nodes[child].n_tried
            child = np.int64(tree.nodes[child].sibling)
    return -1


class IsmctsPolicy:
    """A seat that searches one tree over all worlds.

    Like `SearchPolicy` it draws nothing from the generator it is handed, but from a stream of `seed` and the View.

    Args:
        rules: rule set.
        sims: simulations for a decision.
        playout: bot that plays the deals out.
        seed: int ≥ 0.
        name: name in results.
    """

    def __init__(
        self, rules: Rules, sims: int = SIMS, *, playout: str = "simple", seed: int = 0, name: str | None = None
    ) -> None:
        self.name = f"ismcts:sims={sims}" if name is None else name
        self._record = rules.record()
        self._bot = NAMES.index(playout)
        self._sims = sims
        self._seed = np.uint64(seed)
        self._memory = new_memory(rules, 1)
        self._tree = Tree(new_records(sims + 1, NODE), np.zeros(MAX_DEPTH, np.int64))

    def act(self, views: Records, legal: NDArray[np.int8], rng: np.random.Generator) -> NDArray[np.int16]:
        """Return an action for each View; see `base.Policy`."""
        return self.visits(views, legal).argmax(axis=1).astype(np.int16)

    def visits(self, views: Records, legal: NDArray[np.int8]) -> NDArray[np.float64]:
        """Return how often each action was tried, (n, n_actions) float64; arguments as for `act`.

        Raises:
            BackAlleyError: a View contradicts itself.
        """
        visits = np.empty((len(views), N_ACTIONS))
        head = (self._record, self._bot, self._sims, self._seed)
        wrong = ismcts_views(*head, views, np.ascontiguousarray(legal), self._tree, self._memory, visits)
        check_worlds(wrong < 0)
        return visits


def make_ismcts(rules: Rules, text: str) -> IsmctsPolicy:
    """Return the policy of a name `ismcts` or `ismcts:sims=1000,playout=simple,seed=0`.

    Raises:
        BackAlleyError: the text behind the colon is something else.
    """
    options = read_options("ismcts", text, {"sims": (int, 1, MOST_SIMS), "seed": (int, 0, 2**63 - 1)})
    return IsmctsPolicy(rules, **options, name=f"ismcts:{text}" if text else "ismcts")
