"""How fast our games run as OpenSpiel games, beside the games in Python that OpenSpiel brings, in one run.

    pip install -e '.[dev,peers]'
    python tests/benchmarks/open_spiel_speed.py

The same loop for all: chance outcomes or legal actions from the state, one of them at random, the next state; each
state counts once, chance nodes included. Rounds of all games take turns, so that a busy moment of the machine hits all
of them; medians count. A second table adds the information state as a tensor at each decision.
"""

from __future__ import annotations

import random
import statistics

import open_spiel.python.games  # noqa: F401  # registers OpenSpiel's games in Python
import pyspiel
from rich.console import Console
from rich.table import Table

import backalley.envs.api.open_spiel  # noqa: F401  # registers ours
from backalley.train.bench import SECONDS, Work, one_round

ROUNDS = 5
N_GAMES = 8
OURS = (
    "backalley",
    "backalley(preset=two_of_spades)",
    "backalley(preset=solo)",
    "backalley(hand_size=1)",
    "backalley(decks=100)",
    "streets_and_alleys",
)
THEIRS = (
    "python_kuhn_poker",
    "python_liars_poker",
    "python_block_dominoes",
    "python_team_dominoes",
    "python_tic_tac_toe",
)


def rollouts(name: str, *, with_tensor: bool) -> Work:
    """Return what plays random games and says how many states it went through."""
    game = pyspiel.load_game(name)
    draws = random.Random(0)

    def work() -> int:
        n_states = 0
        for _ in range(N_GAMES):
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    outcomes = state.chance_outcomes()
                    action = outcomes[int(draws.random() * len(outcomes))][0]
                else:
                    if with_tensor:
                        state.information_state_tensor()
                    legal = state.legal_actions()
                    action = legal[int(draws.random() * len(legal))]
                state.apply_action(action)
                n_states += 1
        return n_states

    return work


def measure(title: str, names: tuple[str, ...], *, with_tensor: bool) -> None:
    """Print the states per second of each game."""
    works = [rollouts(name, with_tensor=with_tensor) for name in names]
    for work in works:
        work()
    rates = [[one_round(work, SECONDS) for work in works] for _ in range(ROUNDS)]
    medians = [statistics.median(column) for column in zip(*rates, strict=True)]
    table = Table("game", "states/s", "× python_kuhn_poker", title=title)
    kuhn = medians[names.index("python_kuhn_poker")]
    for name, rate in zip(names, medians, strict=True):
        table.add_row(name, f"{rate:,.0f}", f"{rate / kuhn:.2f}")
    Console(width=100).print(table)


def main() -> None:
    """Measure and print both tables."""
    measure("random games", OURS + THEIRS, with_tensor=False)
    has_tensor = tuple(
        name for name in OURS + THEIRS if pyspiel.load_game(name).get_type().provides_information_state_tensor
    )
    measure("random games, an information state tensor for each decision", has_tensor, with_tensor=True)


if __name__ == "__main__":
    main()
