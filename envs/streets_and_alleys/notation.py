"""Text of moves, and the single moves that a shortcut stands for.

Piles are T1 to T8, foundations are F, with the suit where a card comes back from one.

>>> action_name(0), action_name(move_action(0, 2, 1)), action_name(move_action(7, 2, 3)), action_name(back_action(1, 4))
('T1-F', 'T1-T3', 'T8-T3x3', 'FH-T5')
>>> parse_action("t8-t3x3") == move_action(7, 2, 3)
True
"""

from __future__ import annotations

import re
from typing import Any

from backalley.envs.cards import N_RANKS, SUITS, card_name
from backalley.envs.errors import NotationError
from backalley.envs.streets_and_alleys.actions import (
    FROM_FOUNDATION,
    N_PILES,
    ONTO,
    UP,
    action_parts,
    back_action,
    check_action,
    move_action,
)

_UP = re.compile(r"T([1-8])-F")
_MOVE = re.compile(r"T([1-8])-T([1-8])(?:X(\d+))?")
_BACK = re.compile(r"F([SHDC])-T([1-8])")


def action_name(action: int) -> str:
    """Return the text of an action.

    Raises:
        NotationError: there is no such action.
    """
    kind, source, target, n_cards = action_parts(check_action(action))
    if kind == UP:
        return f"T{source + 1}-F"
    if kind == FROM_FOUNDATION:
        return f"F{SUITS[source]}-T{target + 1}"
    return f"T{source + 1}-T{target + 1}" + (f"x{n_cards}" if n_cards > 1 else "")


def parse_action(text: str) -> int:
    """Return the action written as `text`, in either case.

    Raises:
        NotationError: the text is no move.
    """
    word = "".join(text.split()).upper()
    if found := _UP.fullmatch(word):
        return int(found[1]) - 1
    if found := _BACK.fullmatch(word):
        return int(back_action(SUITS.index(found[1]), int(found[2]) - 1))
    found = _MOVE.fullmatch(word)
    if found and found[1] != found[2] and 1 <= int(found[3] or 1) <= N_RANKS:
        return int(move_action(int(found[1]) - 1, int(found[2]) - 1, int(found[3] or 1)))
    raise NotationError(
        f"{text!r} is no move: write T1-F (to the foundation), T1-T3 (one card), T1-T3x4 (four cards) or FS-T3 (back)"
    )


def moved_cards(state: Any, action: int) -> list[int]:
    """Return the cards that a legal move takes along, from the deepest to the top one.

    Args:
        state: record of dtype STATE.
        action: a move that is legal there.
    """
    kind, source, _, n_cards = action_parts(check_action(action))
    if kind == FROM_FOUNDATION:
        return [N_RANKS * source + (int(state["foundation"][source]) - 2) % N_RANKS]
    n = int(state["lengths"][source])
    return [int(card) for card in state["piles"][source][n - n_cards : n]]


def move_text(state: Any, action: int) -> str:
    """Return a legal move with its cards, such as `8H 7C T1-T3x2`."""
    return f"{' '.join(map(card_name, moved_cards(state, action)))} {action_name(action)}"


def expand(state: Any, action: int) -> list[int]:
    """Return the single moves that a legal move stands for, in order (SA-25); itself if it moves one card.

    Args:
        state: record of dtype STATE before the move.
        action: a move that is legal there.
    """
    kind, source, target, n_cards = action_parts(check_action(action))
    if kind != ONTO:
        return [action]
    spaces = [pile for pile in range(N_PILES) if state["lengths"][pile] == 0 and pile != target]
    return [int(move_action(p, q, 1)) for p, q in _single_moves(n_cards, source, target, spaces)]


def _single_moves(n_cards: int, source: int, target: int, spaces: list[int]) -> list[tuple[int, int]]:
    """Return the steps (from, to) of the canonical expansion through the empty piles `spaces`, lowest first."""
    if n_cards == 1:
        return [(source, target)]
    first, *rest = spaces
    parked = max(1, n_cards - 2 ** len(rest))
    return [
        *_single_moves(parked, source, first, rest),
        *_single_moves(n_cards - parked, source, target, rest),
        *_single_moves(parked, first, target, rest),
    ]
