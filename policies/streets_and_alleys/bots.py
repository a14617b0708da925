"""Scripted bots as kernels, chosen by number.

`greedy` looks one move ahead: what can go up goes up; else it makes the move after which the fewest cards lie on those
that the foundations take next, and the fewest on lower ones of their pile; it spares spaces and draws among equals.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from backalley.envs.cards import N_RANKS, ONE, ZERO, has, lowest
from backalley.envs.kernel import kernel
from backalley.envs.legal import random_action
from backalley.envs.streams import Stream, draw_below
from backalley.envs.streets_and_alleys.actions import FROM_FOUNDATION, UP, WIDTH, action_parts
from backalley.envs.streets_and_alleys.moves import card_at, n_cards_in, next_cards, rank_of, run_length

NAMES = ("random", "greedy")
RANDOM, GREEDY = range(len(NAMES))

# Merits of a move, in halves of a card that lies on a lower one.
GOES_UP, COMES_BACK = 1000, -1000
ORDERS_A_CARD = 2
DIGS = 4
SPLITS_A_RUN = 8
SPACE = 3


@kernel
def choose(bot: int, rules: Any, view: Any, legal: NDArray[np.uint64], stream: Stream) -> int:
    """Return the move of a bot.

    Args:
        bot: RANDOM or GREEDY.
        rules: record of dtype RULES.
        view: record of dtype STATE.
        legal: (12,) its legal moves, at least one.
        stream: (4,) the stream random choices are drawn from.
    """
    if bot == RANDOM:
        return random_action(legal, WIDTH, stream)
    best = -1
    best_merit = 0
    n_best = 0
    for word in range(legal.shape[0]):
        rest = legal[word]
        while rest != ZERO:
            action = WIDTH * word + lowest(rest)
            rest &= rest - ONE
            merit = merit_of(view, action)
            if best < 0 or merit > best_merit:
                best, best_merit, n_best = action, merit, 1
            elif merit == best_merit:
                n_best += 1
                if draw_below(stream, n_best) == 0:
                    best = action
    return best


@kernel
def merit_of(view: Any, action: int) -> int:
    """Return how good `greedy` finds a move."""
    kind, source, target, n_cards = action_parts(action)
    if kind == UP:
        return GOES_UP
    if kind == FROM_FOUNDATION:
        return COMES_BACK
    n = n_cards_in(view, source)
    wanted = next_cards(view)
    digs = _n_wanted(view, wanted, source, n - n_cards) - _n_wanted(view, wanted, target, n_cards_in(view, target))
    lowest_left = _lowest_rank(view, source, n - n_cards)
    lowest_there = _lowest_rank(view, target, n_cards_in(view, target))
    merit = DIGS * n_cards * digs
    for place in range(n - n_cards, n):
        rank = rank_of(card_at(view, source, place))
        merit += ORDERS_A_CARD * ((lowest_left < rank) - (lowest_there < rank))
    if n_cards_in(view, target) == 0:
        merit -= SPACE
    if n == n_cards:
        merit += SPACE
    if n_cards < run_length(view, source):
        merit -= SPLITS_A_RUN
    return merit


@kernel(inline=True)
def _n_wanted(view: Any, wanted: np.uint64, pile: int, n: int) -> int:
    """Return how many of the first `n` cards of a pile are wanted."""
    n_wanted = 0
    for place in range(n):
        n_wanted += has(wanted, card_at(view, pile, place))
    return n_wanted


@kernel(inline=True)
def _lowest_rank(view: Any, pile: int, n: int) -> int:
    """Return the lowest rank among the first `n` cards of a pile, above all ranks without any."""
    rank = N_RANKS + 1
    for place in range(n):
        rank = min(rank, rank_of(card_at(view, pile, place)))
    return rank
