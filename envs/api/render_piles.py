"""A table of Streets and Alleys as text.

Piles lie on their sides, left and right of the foundations, as on a table: the base next to the foundations, the
available card at the outer end (SA-2, SA-6).
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from typing import Any

from backalley.envs.cards import SUITS, card_name
from backalley.envs.streets_and_alleys.actions import N_PILES
from backalley.envs.streets_and_alleys.moves import N_FOUNDED, foundation_card, n_founded
from backalley.envs.streets_and_alleys.notation import move_text
from backalley.envs.streets_and_alleys.rules import StreetsRules
from backalley.envs.streets_and_alleys.state import BLOCKED, WON
from backalley.envs.table import Table

SIDES = {
    "rows": [(left, left + 1) for left in range(0, N_PILES, 2)],
    "wings": [(left, left + N_PILES // 2) for left in range(N_PILES // 2)],
}
"""Layout → the pile to the left and to the right of each foundation, from the top (SA-6)."""
PILE_WIDTH = len("AS ") * 7 - 1
"""Room for the seven cards dealt to a pile; where a pile has more, all move."""
TEXT_WIDTH = 100
EMPTY = "–"


def render_piles(table: Table, index: int = 0, seat: int | None = None) -> str:
    """Return episode `index` of a table as text.

    Args:
        table: a table of Streets and Alleys.
        index: episode.
        seat: makes no difference, all cards are always face up.
    """
    rules = table.rules
    assert isinstance(rules, StreetsRules)
    state = table.states[index]
    lines = [_headline(state, rules), "", *_pile_lines(state, rules.layout), ""]
    if table.done[index]:
        lines.append(_result(table, index))
    else:
        lines += _wrapped("moves: ", (move_text(state, action) for action in table.legal_actions(index)))
    return "\n".join(lines)


def _headline(state: Any, rules: StreetsRules) -> str:
    name = "Beleaguered Castle" if rules.aces_up else "Streets and Alleys"
    counts = f"{_moves(int(state['n_moves']))}, {n_founded(state)} of {N_FOUNDED} cards up"
    return f"{name}, {counts}   (cards are played from the outer ends)"


def _moves(n: int) -> str:
    return f"{n} move{'' if n == 1 else 's'}"


def _pile_lines(state: Any, layout: str) -> list[str]:
    """Return a line for each foundation with the piles beside it."""
    sides = SIDES[layout]
    lefts = [_cards(state, left)[::-1] for left, _ in sides]
    width = max(PILE_WIDTH, *(len(" ".join(cards)) for cards in lefts))
    lines = []
    for suit, (cards, (left, right)) in enumerate(zip(lefts, sides, strict=True)):
        away = " ".join(_cards(state, right))
        lines.append(f"{' '.join(cards):>{width}}  T{left + 1} | {_foundation(state, suit)} | T{right + 1}  {away}")
    return lines


def _cards(state: Any, pile: int) -> list[str]:
    """Return the cards of a pile from base to top."""
    return [card_name(card) for card in state["piles"][pile][: state["lengths"][pile]]] or [EMPTY]


def _foundation(state: Any, suit: int) -> str:
    """Return the top card of a foundation, or the suit it waits for."""
    rank = int(state["foundation"][suit])
    return card_name(foundation_card(suit, rank)) if rank else EMPTY + SUITS[suit]


def _result(table: Table, index: int) -> str:
    """Return how an episode ended."""
    state = table.states[index]
    n_moves = _moves(int(state["n_moves"]))
    if state["outcome"] == WON:
        return f"won in {n_moves}"
    if state["outcome"] == BLOCKED:
        return "lost: no move is left"
    if table.episodes["truncated"][index]:
        return f"cut off after {n_moves}"
    return "ended by an illegal move"


def _wrapped(label: str, words: Iterable[str]) -> list[str]:
    """Return words separated by commas in lines of TEXT_WIDTH, none of them broken, the label before the first."""
    text = ", ".join(word.replace(" ", "\xa0") for word in words)
    lines = textwrap.wrap(text, TEXT_WIDTH, initial_indent=label, subsequent_indent=" " * len(label))
    return [line.replace("\xa0", " ") for line in lines]
