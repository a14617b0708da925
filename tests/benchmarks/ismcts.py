"""How many simulations a second our ISMCTS makes beside OpenSpiel's, measured in one run on one thread.

    pip install -e '.[dev,peers]'
    python tests/benchmarks/ismcts.py

OpenSpiel's Python ISMCTS searches euchre, the nearest of the trick games it can resample: deals of 5 tricks, against up
to 13 here. Both play deals out at random, from positions in the card play after the first trick. A simulation draws a
world, goes down the tree, adds a node and plays the deal out. Rounds take turns, medians count.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable

import numpy as np
import pyspiel
from open_spiel.python.algorithms.ismcts import ISMCTSBot
from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator
from rich.console import Console
from rich.table import Table as Lines

from backalley.envs import Rules, Table
from backalley.envs.table import SKIP
from backalley.policies.back_alley.ismcts import IsmctsPolicy

ROUNDS = 5
N_POSITIONS = 4
OPEN_SPIEL_SIMS = 100
OUR_SIMS = 10_000
EXPLORE = 2.0
TRICK = 4

Search = Callable[[], int]
"""Searches some positions and returns the number of simulations."""


def euchre_positions() -> list[pyspiel.State]:
    """Return positions of euchre after the first trick, reached at random."""
    game = pyspiel.load_game("euchre")
    draws = random.Random(0)
    found: list[pyspiel.State] = []
    while len(found) < N_POSITIONS:
        state = game.new_initial_state()
        while state.num_cards_played() < TRICK and not state.is_terminal():  # all pass: it is over
            state.apply_action(draws.choice(state.legal_actions()))
        if not state.is_terminal() and len(state.legal_actions()) > 1:  # a forced card is not searched
            found.append(state)
    return found


def open_spiel_search() -> Search:
    """Return a search by OpenSpiel."""
    rng = np.random.RandomState(0)  # what its classes take
    game = pyspiel.load_game("euchre")
    bot = ISMCTSBot(
        game,
        RandomRolloutEvaluator(1, rng),
        uct_c=EXPLORE,
        max_simulations=OPEN_SPIEL_SIMS,
        random_state=rng,
        allow_inconsistent_action_sets=True,
    )
    positions = euchre_positions()

    def search() -> int:
        for state in positions:
            bot.step(state)
        return OPEN_SPIEL_SIMS * len(positions)

    return search


def our_search(hand_size: int) -> Search:
    """Return a search of ours in deals of a hand size."""
    rules = Rules.preset("partnership")
    policy = IsmctsPolicy(rules, OUR_SIMS, playout="random")
    table = Table(rules, N_POSITIONS, seed=0)
    table.reset(hand_sizes=hand_size)
    while (table.states["n_tricks"] == 0).any():
        table.step(np.where(table.states["n_tricks"] == 0, table.random_actions(), SKIP))
    views, legal = table.view(), table.legal()
    n_searched = int((legal.sum(axis=1) > 1).sum())

    def search() -> int:
        policy.visits(views, legal)
        return OUR_SIMS * n_searched

    return search


def main() -> None:
    """Print simulations a second."""
    contenders = {
        "OpenSpiel, euchre": open_spiel_search(),
        "this package, 5 cards": our_search(5),
        "this package, 13 cards": our_search(13),
    }
    speeds: dict[str, list[float]] = {name: [] for name in contenders}
    for search in contenders.values():
        search()  # compiles, and fills caches
    for _ in range(ROUNDS):
        for name, search in contenders.items():
            start = time.process_time()
            n = search()
            speeds[name].append(n / (time.process_time() - start))
    peer = statistics.median(speeds["OpenSpiel, euchre"])
    lines = Lines("", "simulations/s", "times OpenSpiel")
    for name, measured in speeds.items():
        speed = statistics.median(measured)
        lines.add_row(name, f"{speed:,.0f}", f"{speed / peer:.1f}")
    Console().print(lines)


if __name__ == "__main__":
    main()
