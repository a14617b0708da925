"""Regret against the double-dummy solver: what each card gave away, with all hands open.

A card gives away the tricks (or deal points) by which the best play of everybody from here on is worth less to its side
than before it was played. That is a regret against perfect knowledge, no count of mistakes: no player who sees one hand
can have none. What everybody gave away adds up: at the first lead the side of a deal is worth what it won in the end,
and what it gave away, less what the other side gave away.

The values of a deal are found from its last card backwards. The value after a card is a bound for the value before it,
so that mostly one question is left, whether any other card does better; and all the questions of a deal share the
solver's table of results, which compares positions by what they look like and not by when they were met.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backalley.envs import Rules
from backalley.envs.back_alley.play import play_card
from backalley.envs.back_alley.state import PLAY, STATE
from backalley.envs.cards import N_CARDS, N_RANKS, ONE, ZERO
from backalley.envs.errors import BackAlleyError
from backalley.envs.kernel import kernel
from backalley.envs.rule_set import Records, new_records
from backalley.policies.back_alley.double_dummy import Workspace, solve_state
from backalley.policies.back_alley.double_dummy_points import counts_more_than_tricks, points_by_tricks
from backalley.policies.back_alley.double_dummy_position import N_SEATS, load, one
from backalley.policies.back_alley.double_dummy_search import list_root, search
from backalley.policies.back_alley.double_dummy_table import WON

N_SIDES = 2
SLOW_POINTS = 6
"""Largest hands of which points are searched for card by card, where they do not follow from the tricks."""


@dataclass(frozen=True)
class Regrets:
    """What was given away in some plays.

    Attributes:
        tricks: (n, 2) int64 tricks that the cards of each side gave away, never negative.
        points: (n, 2) int64 deal points, own minus the other's, that they gave away.
        has_points: (n,) bool whether the points are known; they are zeros where not.
        before: (n,) int64 tricks that side 0 wins with best play of everybody from the first lead on.
    """

    tricks: NDArray[np.int64]
    points: NDArray[np.int64]
    has_points: NDArray[np.bool_]
    before: NDArray[np.int64]


@kernel
def _load_again(rules: Any, state: Any, works: Any, scratch: Any, keeps_table: bool) -> None:
    """Load a state of the same deal, with the results found in its other states if `keeps_table`.

    That is sound because an entry of the table speaks of cards by their order among the cards in play, and of suits,
    rules and bids that are the same throughout a deal.
    """
    work = works[0]
    n_entries = work.n_entries
    generation = work.generation
    scratch[0] = state
    load(rules, scratch[0], work)
    list_root(work)
    if keeps_table:
        work.n_entries = n_entries
        work.generation = generation


@kernel
def _side_can_win(work: Any, need: int) -> bool:
    """Say whether side 0 wins `need` (1 to all) of the tricks left, whatever is played at the root."""
    work.root_mask = ~ZERO
    best_class = one(work.best) if work.k > 0 else ZERO
    result = search(
        work, work.k, work.seat, work.leader, work.left, work.aggr, work.root_shape, work.flag, need,
        work.led, work.led_special, work.best, work.best_seat, best_class, work.trick,
    )  # fmt: skip
    return result & WON != ZERO


@kernel
def _value_before(rules: Any, state: Any, works: Any, scratch: Any, keeps_table: bool, value: int) -> int:
    """Return the tricks of side 0 in the deal with best play from a state on, from those after the card played in it.

    Args:
        rules, state: records.
        works, scratch: as `Workspace` has them.
        keeps_table: whether the table holds results of the same deal.
        value: tricks of side 0 in the deal with best play after the card.
    """
    _load_again(rules, state, works, scratch, keeps_table)
    work = works[0]
    if work.n_root_moves < 2:
        return value
    won = np.int64(state.tricks_won[0]) + np.int64(state.tricks_won[2])
    if work.seat & 1 == 0:
        while value - won < work.left and _side_can_win(work, value + 1 - won):
            value += 1
    else:
        while value - won > 0 and not _side_can_win(work, value - won):
            value -= 1
    return value


@kernel
def _judge_points(
    rules: Any, stack: Any, cards: Any, n_cards: int, works: Any, tables: Any, scratch: Any, by_tricks: Any,
    card_tricks: Any, card_points: Any, points: Any,
) -> None:  # fmt: skip
    """Add up the points that the cards of each side gave away, from a search for points before each card."""
    for i in range(n_cards):
        seat = np.int64(stack[i].turn)
        if stack[i].hands[seat] & (stack[i].hands[seat] - ONE) == ZERO:
            continue
        solve_state(rules, stack[i], works, tables, scratch, by_tricks, True, card_tricks, card_points)
        best = card_points[cards[i]]
        for card in range(N_CARDS):
            if card_tricks[card] >= 0:
                best = max(best, card_points[card])
        points[seat & 1] += best - card_points[cards[i]]


@kernel
def _judge_all(
    rules: Any, starts: Any, cards: Any, works: Any, tables: Any, scratch: Any, by_tricks: Any, stack: Any,
    card_tricks: Any, card_points: Any, slow_points: int, tricks: Any, points: Any, has_points: Any, before: Any,
) -> None:  # fmt: skip
    """Judge plays; see `regrets` for what is written.

    Args:
        rules: record of dtype RULES.
        starts: (n,) records of dtype STATE.
        cards: (n, 52) int8, -1 behind the last.
        works, tables, scratch, by_tricks: `Workspace.arrays`, overwritten.
        stack: (53,) records of dtype STATE, overwritten.
        card_tricks, card_points: (54,) int8 and int64, overwritten.
        slow_points: see `regrets`.
        tricks, points, has_points, before: the arrays of `Regrets`, overwritten.
    """
    for play in range(starts.shape[0]):
        stack[0] = starts[play]
        n_cards = 0
        while stack[n_cards].phase == PLAY:
            stack[n_cards + 1] = stack[n_cards]
            play_card(rules, stack[n_cards + 1], np.int64(cards[play, n_cards]))
            n_cards += 1
        is_simple = not counts_more_than_tricks(rules, stack[0], tables[0])
        is_simple = is_simple and points_by_tricks(rules, stack[0], scratch[1:], by_tricks)
        tricks[play, :] = 0
        points[play, :] = 0
        value = np.int64(stack[n_cards].tricks_won[0]) + np.int64(stack[n_cards].tricks_won[2])
        for i in range(n_cards - 1, -1, -1):
            after = value
            value = _value_before(rules, stack[i], works, scratch, i < n_cards - 1, value)
            side = np.int64(stack[i].turn) & 1
            tricks[play, side] += abs(value - after)
            if is_simple:
                points[play, side] += abs(by_tricks[value] - by_tricks[after])
        before[play] = value
        has_points[play] = is_simple or starts[play].hand_size <= slow_points
        if has_points[play] and not is_simple:
            _judge_points(
                rules, stack, cards[play], n_cards, works, tables, scratch, by_tricks, card_tricks, card_points,
                points[play],
            )  # fmt: skip


def check_can_judge(rules: Rules) -> None:
    """Refuse rules that the solver cannot play.

    Raises:
        BackAlleyError: other seatings than four in two sides.
    """
    if rules.players != N_SEATS or rules.sides != "pairs":
        raise BackAlleyError(
            "regret needs the double-dummy solver, which plays for players=4 in sides='pairs', "
            f"not players={rules.players}, sides={rules.sides!r}: leave it out"
        )


def regrets(
    rules: Rules,
    starts: Records,
    cards: NDArray[np.int8],
    *,
    slow_points: int = SLOW_POINTS,
    workspace: Workspace | None = None,
) -> Regrets:
    """Return what every card of some plays gave away.

    Args:
        rules: four seats in two sides.
        starts: (n,) records of dtype STATE in the card play, with all hands; as a rule at the first lead.
        cards: (n, 52) int8 cards played from there to the end of the deal, -1 behind them.
        slow_points: largest hands of which points are found even where they do not follow from the tricks of the sides
            (the exact count scores or overtricks cost points; players scored alone, bostons, required rainbows), which
            takes a slow search for each card.
        workspace: used again, to save making one.

    Raises:
        BackAlleyError: other seatings.
    """
    check_can_judge(rules)
    workspace = workspace or Workspace()
    workspace.limit(None)
    n = len(starts)
    found = Regrets(
        tricks=np.zeros((n, N_SIDES), np.int64),
        points=np.zeros((n, N_SIDES), np.int64),
        has_points=np.zeros(n, np.bool_),
        before=np.zeros(n, np.int64),
    )
    stack = new_records(N_SEATS * N_RANKS + 1, STATE)
    _judge_all(
        rules.record()[0], starts, cards, *workspace.arrays, stack, np.zeros(N_CARDS, np.int8),
        np.zeros(N_CARDS, np.int64), slow_points, found.tricks, found.points, found.has_points, found.before,
    )  # fmt: skip
    return found
