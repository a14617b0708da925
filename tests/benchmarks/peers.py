"""How fast the engine and the AEC environment are beside their peers, measured in one run on one thread.

    pip install -e '.[dev,peers]'
    python tests/benchmarks/peers.py

Everybody plays random legal actions; a decision is one seat's bid or card. Rounds of all contenders take turns, so that
a busy moment of the machine hits all of them; medians count. Stepping includes dealing on both sides: OpenSpiel deals
spades as 52 chance nodes, each stepped from Python. To the peers' favour, the loop over OpenSpiel makes no array of its
mask, and Shimmy does not count the 52 cards dealt against the length of a game (as shipped it does, and ends spades
after 4 of its 56 decisions).
"""

from __future__ import annotations

import random
import statistics
from collections.abc import Callable

import pyspiel
from open_spiel.python.observation import make_observation
from pettingzoo.classic import connect_four_v3
from rich.console import Console
from rich.table import Table
from shimmy.openspiel_compatibility import OpenSpielCompatibilityV0

from backalley.train.bench import SECONDS, Work, aec_work, one_round, our_aec_work, playout_work, table_work

ROUNDS = 5
GAME = "spades"
N_DEALS = 64
PLAYERS, HAND_SIZE = 4, 13
DECISIONS_PER_DEAL = PLAYERS * (1 + HAND_SIZE)  # a bid and 13 cards each


def deal(game: pyspiel.Game, draws: random.Random) -> pyspiel.State:
    """Return an opening position of spades after a random deal."""
    state = game.new_initial_state()
    while state.is_chance_node():
        cards = state.legal_actions()
        state.apply_action(cards[int(draws.random() * len(cards))])
    return state


def open_spiel_python_work() -> Work:
    """Step spades from Python: deal, legal actions, observation as an array, a random action."""
    game = pyspiel.load_game(GAME)
    observation = make_observation(game)
    draws = random.Random(0)

    def work() -> int:
        played = 0
        for _ in range(N_DEALS):
            state = deal(game, draws)
            while not state.is_terminal():
                observation.set_from(state, state.current_player())  # into observation.tensor, an array
                legal = state.legal_actions()
                state.apply_action(legal[int(draws.random() * len(legal))])
                played += 1
        return played

    return work


def open_spiel_rollout_work(n_rollouts: int = 500) -> Work:
    """Evaluate an opening position of spades by rollouts in C++, as the leaf of a tree search of one simulation."""
    state = deal(pyspiel.load_game(GAME), random.Random(0))
    evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=n_rollouts, seed=0)
    search = pyspiel.MCTSBot(
        pyspiel.load_game(GAME),
        evaluator,
        uct_c=2.0,
        max_simulations=1,
        max_memory_mb=10,
        solve=False,
        seed=0,
        verbose=False,
    )

    def work() -> int:
        search.mcts_search(state)
        return n_rollouts * DECISIONS_PER_DEAL

    return work


class UncutOpenSpiel(OpenSpielCompatibilityV0):
    """Shimmy's environment without the cards dealt in the length of the game."""

    def _execute_chance_node(self) -> None:
        length = self.game_length
        super()._execute_chance_node()
        self.game_length = length


def shimmy_work() -> Work:
    """Play spades through Shimmy's AEC environment."""
    return aec_work(UncutOpenSpiel(game_name=GAME), n_decisions=50)


CONTESTS: tuple[tuple[str, tuple[tuple[str, Callable[[], Work]], ...]], ...] = (
    (
        "stepping, observation and mask for every decision",
        (
            ("backalley, Table of 1024", table_work),
            ("OpenSpiel spades, Python loop with numpy observation", open_spiel_python_work),
        ),
    ),
    (
        "random playouts of 13-card deals, no observation",
        (("backalley, kernel", playout_work), ("OpenSpiel spades, C++ rollout evaluator", open_spiel_rollout_work)),
    ),
    (
        "PettingZoo AEC, last() and a masked random action",
        (
            ("backalley, env()", our_aec_work),
            ("OpenSpiel spades through Shimmy", shimmy_work),
            ("PettingZoo connect_four_v3, env()", lambda: aec_work(connect_four_v3.env())),
        ),
    ),
)


def medians(works: list[Work]) -> list[float]:
    """Return decisions per second of each, from rounds that take turns."""
    for work in works:
        work()
    rates = [[one_round(work, SECONDS) for work in works] for _ in range(ROUNDS)]
    return [statistics.median(column) for column in zip(*rates, strict=True)]


def main() -> None:
    """Measure and print all contests."""
    for title, contenders in CONTESTS:
        table = Table("who", "decisions/s", "backalley is faster by", title=title)
        rates = medians([make() for _, make in contenders])
        for (who, _), rate in zip(contenders, rates, strict=True):
            table.add_row(who, f"{rate:,.0f}", f"× {rates[0] / rate:.1f}")
        Console(width=100).print(table)


if __name__ == "__main__":
    main()
