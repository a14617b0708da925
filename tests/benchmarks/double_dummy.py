"""How fast double-dummy play is solved, beside DDS by Bo Haglund and Soren Hein, in one run on one thread.

    pip install endplay
    python tests/benchmarks/double_dummy.py

Every card of the first leader is scored. The peers play the same deals of bridge, one in five without trumps; each
call to DDS comes from Python and is charged for that, which counts up to some 0.1 ms. The other table has no peer: it
is our own game under its standard rules.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from endplay.dds import solve_board
from endplay.types import Deal, Denom, Player
from rich.console import Console
from rich.table import Table as Sheet

from backalley.envs import Rules
from backalley.envs.back_alley.state import PLAY
from backalley.envs.cards import RANKS, SUIT_MASK, cards_of
from backalley.envs.rule_set import Records
from backalley.envs.table import Table
from backalley.policies.back_alley.double_dummy import Workspace, solve_many

SIZES = {13: 40, 10: 200, 8: 500, 4: 2_000}
"""Deals by hand size."""
OWN_SIZES = {13: 40, 12: 60, 11: 80, 10: 150, 9: 200, 8: 300, 7: 400, 6: 500, 5: 1_000, 4: 2_000}
DENOMINATIONS = (Denom.spades, Denom.hearts, Denom.diamonds, Denom.clubs, Denom.nt)
SEED = 20
NO_TRUMP = 4


def first_leads(rules: Rules, n: int, size: int) -> Records:
    """Return n states at the first lead after random bids."""
    table = Table(rules, n, SEED)
    table.reset(hand_sizes=size)
    states = table.states.copy()
    found = np.zeros(n, np.bool_)
    while not found.all():
        take = ~found & (table.states["phase"] == PLAY) & (table.states["n_tricks"] == 0)
        take &= table.states["n_in_trick"] == 0
        states[take] = table.states[take]
        found |= take
        if table.done.any():
            table.reset(where=table.done, hand_sizes=size)
        table.step(None)
    return states


def deal_of(state: np.void) -> Deal:
    """Return a state as DDS reads it."""
    suits = [[cards_of(int(hand) & int(suit)) for suit in SUIT_MASK[:4]] for hand in state["hands"][:4]]
    hands = [".".join("".join(RANKS[card % 13] for card in cards) for cards in hand) for hand in suits]
    return Deal("N:" + " ".join(hands), first=Player(int(state["leader"])), trump=DENOMINATIONS[int(state["trump"])])


def milliseconds(work: Callable[[], object], n: int) -> float:
    """Return the time of `work` for each of n deals."""
    start = time.perf_counter()
    work()
    return (time.perf_counter() - start) * 1e3 / n


def against_dds() -> Sheet:
    """Compare times and values on the same deals of bridge."""
    rules = Rules.preset("partnership", deck="std52", lead_rule="free", all_tricks_bid="none")
    workspace = Workspace()
    sheet = Sheet("cards", "deals", "ms a deal", "DDS ms a deal", "positions", "values that differ", title="bridge")
    for size, n in SIZES.items():
        states = first_leads(rules, n, size)
        states["trump"][::5], states["trumps"][::5] = NO_TRUMP, 0
        deals = [deal_of(state) for state in states]
        solve_many(rules, states[:1], workspace=workspace)
        solve_board(deals[0])
        ours: list[Any] = []
        time_ours = milliseconds(lambda: ours.extend(solve_many(rules, states, workspace=workspace)), n)  # noqa: B023
        boards: list[Any] = []
        time_theirs = milliseconds(lambda: boards.extend(solve_board(deal) for deal in deals), n)  # noqa: B023
        theirs = [{13 * int(c.suit) + RANKS.index(c.rank.abbr): tricks for c, tricks in board} for board in boards]
        n_wrong = sum(
            values[card] != tricks
            for values, board in zip(ours[0], theirs, strict=True)
            for card, tricks in board.items()
        )
        sheet.add_row(
            str(size), str(n), f"{time_ours:.4f}", f"{time_theirs:.4f}", f"{ours[2].mean():.0f}", str(n_wrong)
        )
    return sheet


def own_game() -> Sheet:
    """Measure the standard game by hand size."""
    rules = Rules.preset("partnership")
    workspace = Workspace()
    sheet = Sheet("cards", "deals", "ms a deal", "positions", "million positions a second", title="partnership")
    for size, n in OWN_SIZES.items():
        states = first_leads(rules, n, size)
        found: list[Any] = []
        solve_many(rules, states[:1], workspace=workspace)
        spent = milliseconds(lambda: found.extend(solve_many(rules, states, workspace=workspace)), n)  # noqa: B023
        nodes = found[2].mean()
        sheet.add_row(str(size), str(n), f"{spent:.4f}", f"{nodes:.0f}", f"{nodes / spent / 1e3:.2f}")
    return sheet


def main() -> None:
    """Print both tables."""
    console = Console()
    console.print(against_dds())
    console.print(own_game())


if __name__ == "__main__":
    main()
