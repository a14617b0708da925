"""How many deals of Streets and Alleys and of Beleaguered Castle can be won, measured with the exact solver.

    python tests/benchmarks/winnable.py streets_and_alleys 2000 winnable_streets.log
    python tests/benchmarks/winnable.py beleaguered_castle 2000 winnable_castle.log

Deal i is `numpy.random.default_rng([0, i]).permutation(cards)`, dealt by SA-4; Beleaguered Castle leaves out the aces,
which begin on the foundations (SA-7). Each deal writes a line to the log: number, status, positions visited, moves of
the win, seconds. Deals already in the log are not solved again, so that a run can be stopped and taken up.
"""

from __future__ import annotations

import argparse
import math
import statistics
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from backalley.envs.cards import N_RANKS, N_SUITS
from backalley.policies.streets_and_alleys.solver import solve

GAMES = ("streets_and_alleys", "beleaguered_castle")
Z_95 = 1.959964


def deal(game: str, i: int) -> tuple[NDArray[np.int8], NDArray[np.int8], NDArray[np.int8]]:
    """Return piles, lengths and foundations of deal i."""
    is_castle = game == "beleaguered_castle"
    cards = np.arange(N_SUITS * N_RANKS)
    if is_castle:
        cards = cards[cards % N_RANKS != N_RANKS - 1]
    piles = np.full((8, 20), -1, np.int8)
    order = np.random.default_rng([0, i]).permutation(cards)
    for at, card in enumerate(order):
        piles[at % 8, at // 8] = card
    return piles, (piles >= 0).sum(axis=1).astype(np.int8), np.full(N_SUITS, is_castle, np.int8)


def wilson(k: int, n: int) -> tuple[float, float]:
    """Return the 95 % interval of Wilson for k of n."""
    center = (k + Z_95**2 / 2) / (n + Z_95**2)
    half = Z_95 / (n + Z_95**2) * math.sqrt(k * (n - k) / n + Z_95**2 / 4)
    return center - half, center + half


def read_log(log: Path) -> dict[int, tuple[str, float]]:
    """Return status and seconds of the deals in a log."""
    done = {}
    for line in log.read_text().splitlines() if log.exists() else []:
        number, status, _, _, seconds = line.split()
        done[int(number)] = (status, float(seconds))
    return done


def summary(game: str, done: dict[int, tuple[str, float]]) -> str:
    """Return the table line; the share and its interval leave out undecided deals."""
    seconds = [time_taken for _, time_taken in done.values()]
    won, lost = (sum(status == wanted for status, _ in done.values()) for wanted in ("won", "lost"))
    low, high = wilson(won, won + lost)
    return (
        f"{game}: {len(done)} deals, {won} won, {lost} lost, {len(done) - won - lost} undecided; won of the decided "
        f"{won / (won + lost):.2%} (95 % {low:.2%} to {high:.2%}); seconds: median {statistics.median(seconds):.3f}, "
        f"mean {statistics.mean(seconds):.3f}, largest {max(seconds):.1f}, "
        f"within 10 s {sum(t <= 10 for t in seconds) / len(seconds):.2%}"
    )


def main() -> None:
    """Solve the deals that the log lacks and print the share of those that can be won."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("n", type=int, help="deals 0 to n - 1")
    parser.add_argument("log", type=Path)
    parser.add_argument("--max-nodes", type=int, default=50_000_000)
    parser.add_argument("--memory-mb", type=int, default=1024)
    settings = parser.parse_args()
    limits = {"max_nodes": settings.max_nodes, "memory_mb": settings.memory_mb}
    done = read_log(settings.log)
    with settings.log.open("a") as out:
        for i in sorted(set(range(settings.n)) - set(done)):
            started = time.perf_counter()
            solution = solve(*deal(settings.game, i), **limits)
            seconds = time.perf_counter() - started
            done[i] = (solution.status, seconds)
            out.write(f"{i} {solution.status} {solution.n_nodes} {len(solution.moves)} {seconds:.3f}\n")
            out.flush()
    print(summary(settings.game, done))


if __name__ == "__main__":
    main()
