"""The one flat numbering of actions, the same for every rule set of the family.

Piles are numbered 0..7 (T1..T8), suits 0..3 in the order S H D C.

| action | meaning |
|---|---|
| p | the top card of pile p to its foundation (SA-12) |
| 8 + 13 · (7 p + q') + k - 1 | the top k cards, 1..13, of pile p to pile q (SA-10, SA-20); q' = q, less one above p |
| 736 + 8 s + q | the top card of the foundation of suit s to pile q (SA-13) |
"""

from __future__ import annotations

from backalley.envs.cards import N_RANKS, N_SUITS
from backalley.envs.errors import NotationError
from backalley.envs.kernel import kernel

N_PILES = 8
MOVE = N_PILES  # the first move from pile to pile
BACK = MOVE + N_PILES * (N_PILES - 1) * N_RANKS  # 736, the first move from a foundation
N_ACTIONS = BACK + N_SUITS * N_PILES  # 768
WIDTH = 64  # actions of a word of a legal set

UP, ONTO, FROM_FOUNDATION = range(3)
"""Kinds of action: to a foundation, from pile to pile, back from a foundation."""


@kernel(inline=True)
def move_action(source: int, target: int, n_cards: int) -> int:
    """Return the action that moves the top `n_cards` (1..13) of pile `source` to another pile."""
    column = target - 1 if target > source else target
    return MOVE + N_RANKS * ((N_PILES - 1) * source + column) + n_cards - 1


@kernel(inline=True)
def back_action(suit: int, target: int) -> int:
    """Return the action that moves the top card of a foundation to pile `target`."""
    return BACK + N_PILES * suit + target


@kernel(inline=True)
def action_parts(action: int) -> tuple[int, int, int, int]:
    """Return (kind, source, target, number of cards) of an action; the source of `FROM_FOUNDATION` is a suit.

    The target of `UP` is -1.
    """
    if action < MOVE:
        return UP, action, -1, 1
    if action >= BACK:
        return FROM_FOUNDATION, (action - BACK) // N_PILES, (action - BACK) % N_PILES, 1
    pair = (action - MOVE) // N_RANKS
    source = pair // (N_PILES - 1)
    column = pair % (N_PILES - 1)
    target = column + 1 if column >= source else column
    return ONTO, source, target, (action - MOVE) % N_RANKS + 1


def check_action(action: int) -> int:
    """Return an action as an int.

    Raises:
        NotationError: there is no such action.
    """
    if not 0 <= action < N_ACTIONS:
        raise NotationError(f"action {action} does not exist: actions are numbered 0 to {N_ACTIONS - 1}")
    return int(action)
