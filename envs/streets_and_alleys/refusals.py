"""Why a move is illegal, in words: what, the true reason with its clause, and what is legal instead."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from backalley.envs.cards import N_RANKS, SUIT_NAMES, card_name
from backalley.envs.legal import legal_actions
from backalley.envs.rule_set import Records
from backalley.envs.streets_and_alleys.actions import FROM_FOUNDATION, N_ACTIONS, UP, WIDTH, action_parts
from backalley.envs.streets_and_alleys.moves import longest_move, run_length
from backalley.envs.streets_and_alleys.notation import action_name, move_text
from backalley.envs.streets_and_alleys.rules import StreetsRules
from backalley.envs.streets_and_alleys.state import RANK

_SHOWN = 12  # legal moves named in a message


def describe_illegal(rules: StreetsRules, states: Records, index: int, action: int, legal: NDArray[np.uint64]) -> str:
    """Say why a move is illegal and which are legal.

    Args:
        rules: rule set.
        states: (n,) records of dtype STATE.
        index: episode.
        action: an action that is not legal there.
        legal: (12,) uint64 its legal set.
    """
    state = states[index]
    choices = [move_text(state, choice) for choice in legal_actions(legal, WIDTH)]
    more = f", and {len(choices) - _SHOWN} more" if len(choices) > _SHOWN else ""
    instead = f"(legal: {', '.join(choices[:_SHOWN]) or 'none, the game is over'}{more})"
    if not 0 <= action < N_ACTIONS:
        return f"action {action} does not exist, actions are numbered 0 to {N_ACTIONS - 1} {instead}"
    return f"{action_name(action)} is illegal: {_reason(rules, state, action)} {instead}"


def _reason(rules: StreetsRules, state: Any, action: int) -> str:
    kind, source, target, n_cards = action_parts(action)
    if state["turn"] < 0:
        return "the game is over"
    if kind == FROM_FOUNDATION:
        return _why_not_back(rules, state, source, target)
    n = int(state["lengths"][source])
    if n < n_cards:
        return f"T{source + 1} has {n} cards" if n else f"T{source + 1} is empty"
    top = int(state["piles"][source][n - 1])
    if kind == UP:
        suit = top // N_RANKS
        return f"{card_name(top)} cannot go up, the foundation of {SUIT_NAMES[suit]} {_stands(state, suit)} (SA-12)"
    if n_cards > run_length(state, source):
        return f"the top {n_cards} cards of T{source + 1} do not follow each other in rank (SA-21)"
    deepest = int(state["piles"][source][n - n_cards])
    return _why_not_onto(state, source, target, n_cards, deepest)


def _why_not_onto(state: Any, source: int, target: int, n_cards: int, deepest: int) -> str:
    """Say why a run does not go to a pile."""
    n_empty = int((state["lengths"] == 0).sum())
    n_there = int(state["lengths"][target])
    if n_there:
        top = int(state["piles"][target][n_there - 1])
        if RANK[deepest] + 1 != RANK[top]:
            return f"{card_name(deepest)} does not go on {card_name(top)}, which must be one higher (SA-10)"
    elif n_cards == state["lengths"][source]:
        return "a whole pile moved into a space changes nothing (SA-11)"
    most = longest_move(n_empty, n_there == 0)
    where = "onto a card" if n_there else "into a space"
    return f"with {n_empty} empty pile{'' if n_empty == 1 else 's'} at most {most} can be moved {where} (SA-22)"


def _why_not_back(rules: StreetsRules, state: Any, suit: int, target: int) -> str:
    if not rules.worry_back:
        return "cards do not come back from the foundations (SA-13)"
    rank = int(state["foundation"][suit])
    if rank == 0:
        return f"the foundation of {SUIT_NAMES[suit]} is empty (SA-13)"
    if rank == 1 and rules.auto_ace:
        return "an ace would go up again at once (SA-14)"
    top = int(state["piles"][target][int(state["lengths"][target]) - 1])
    return f"the card does not go on {card_name(top)}, which must be one higher (SA-13)"


def _stands(state: Any, suit: int) -> str:
    rank = int(state["foundation"][suit])
    return (
        f"stands at {card_name(N_RANKS * suit + (rank - 2) % N_RANKS)}" if rank else "is empty and begins with the ace"
    )
