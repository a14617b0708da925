"""Positions and moves of Streets and Alleys and Beleaguered Castle as the solver's kernels see them.

A position says of each card what it lies on, so that a move is two writes, and the order of the piles does not count:
positions that differ by it only have the same hash. `patience_search` has the searches, `patience_solver` the front.

Cards are numbered `4 * (rank - 1) + suit` here, the ranks being A = 1 … K = 13, so that rank and suit are two shifts.
A move is one int: card, source, target and what the card lay on (so that it can be taken back), and above these
its place in the order in which moves are tried.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from backalley.envs.kernel import kernel

N_PILES = 8
N_CARDS = 52
FOUNDATION = N_PILES
"""Target of a move that puts its card on its foundation; 0 to 7 are the piles."""
NOTHING = -1
"""What the base card of a pile lies on, and the top of an empty pile."""

POSITION = np.dtype(
    [
        ("hash", np.uint64, (2,)),
        ("top", np.int8, (N_PILES,)),
        ("below", np.int8, (N_CARDS,)),  # what each card of the piles lies on
        ("up", np.int8, (4,)),  # cards on each foundation
        ("n_piles", np.int8),
        ("n_left", np.int8),  # cards in the piles
    ],
    align=True,
)

# A move's bits.
SOURCE, TARGET, BELOW, ORDER = 6, 9, 13, 20
CARD_BITS, SOURCE_BITS, TARGET_BITS, BELOW_BITS = 63, 7, 15, 63

# The order in which the moves of a position are tried.
UP, EMPTIES, UNCOVERS, UNCOVERS_BY_SPACE, TO_SPACE, SLIDES = range(6)

MAX_MOVES = N_PILES * (N_PILES + 1)  # each top card onto every other pile, and up
MAX_PLAYS = N_CARDS + 1  # a move and the safe moves after it


@kernel(inline=True)
def play(position: Any, keys: NDArray[np.uint64], move: int) -> None:
    """Make a move (SA-10, SA-11, SA-12)."""
    card = move & CARD_BITS
    target = (move >> TARGET) & TARGET_BITS
    below = np.int64(position.below[card])
    position.top[(move >> SOURCE) & SOURCE_BITS] = below
    position.hash[0] ^= keys[card, below + 1, 0]
    position.hash[1] ^= keys[card, below + 1, 1]
    if target == FOUNDATION:
        position.up[card & 3] += 1
        position.n_left -= 1
    else:
        onto = np.int64(position.top[target])
        position.below[card] = onto
        position.top[target] = card
        position.hash[0] ^= keys[card, onto + 1, 0]
        position.hash[1] ^= keys[card, onto + 1, 1]


@kernel(inline=True)
def take_back(position: Any, keys: NDArray[np.uint64], move: int) -> None:
    """Undo the last move."""
    card = move & CARD_BITS
    target = (move >> TARGET) & TARGET_BITS
    below = ((move >> BELOW) & BELOW_BITS) - 1
    if target == FOUNDATION:
        position.up[card & 3] -= 1
        position.n_left += 1
    else:
        onto = np.int64(position.below[card])
        position.top[target] = onto
        position.hash[0] ^= keys[card, onto + 1, 0]
        position.hash[1] ^= keys[card, onto + 1, 1]
    position.below[card] = below
    position.top[(move >> SOURCE) & SOURCE_BITS] = card
    position.hash[0] ^= keys[card, below + 1, 0]
    position.hash[1] ^= keys[card, below + 1, 1]


@kernel
def play_safe_moves(position: Any, keys: NDArray[np.uint64], trail: NDArray[np.int32], at: int) -> int:
    """Put up all cards that are safe to put up, and return where the trail ends now.

    A card of rank r is safe if every foundation has its card of rank r - 2. Proof: take any way to win that leaves the
    card where it is for a while, and put it up at once instead. All that can ever lie on it are cards of rank r - 1,
    and whenever the old way puts such a card on it, the new one puts it on its foundation, which is up to r - 2 and
    can take it; these cards can't be missed in turn, as the cards of rank r - 2 that they could carry are all up.
    Everything else can be done as before, as a space left or a card uncovered early is never in the way.

    Args:
        position: record of dtype POSITION, changed.
        keys: the keys of the hash.
        trail: the moves are written from `trail[at]` on.
        at: where the trail ends.
    """
    pile = 0
    while pile < position.n_piles:
        card = np.int64(position.top[pile])
        low = min(min(position.up[0], position.up[1]), min(position.up[2], position.up[3]))
        if card >= 0 and position.up[card & 3] == card >> 2 and card >> 2 <= low + 1:
            move = _packed(position, card, pile, FOUNDATION, UP)
            play(position, keys, move)
            trail[at] = move
            at += 1
            pile = 0  # a card below, or of a pile passed by, may be safe now
        else:
            pile += 1
    return at


@kernel
def play_path(positions: Any, keys: NDArray[np.uint64], path: NDArray[np.int32], trail: NDArray[np.int32]) -> int:
    """Make the moves of a path with the safe moves after each; write all into `trail` and return how many they are."""
    n_trail = 0
    for move in path:
        play(positions[0], keys, np.int64(move))
        trail[n_trail] = move
        n_trail = play_safe_moves(positions[0], keys, trail, n_trail + 1)
    return n_trail


@kernel(inline=True)
def _packed(position: Any, card: int, source: int, target: int, order: int) -> int:
    below = np.int64(position.below[card])
    return card | source << SOURCE | target << TARGET | (below + 1) << BELOW | order << ORDER


@kernel(inline=True)
def _insert(moves: NDArray[np.int32], first: int, end: int, move: int) -> int:
    """Put a move into `moves[first:end]`, sorted by their order, and return the new end."""
    at = end
    while at > first and moves[at - 1] >> ORDER > move >> ORDER:
        moves[at] = moves[at - 1]
        at -= 1
    moves[at] = move
    return end + 1


@kernel
def write_moves(position: Any, last_card: int, moves: NDArray[np.int32], first: int) -> int:
    """Write the moves worth trying into `moves`, from `first` on, in the order to try them; return where they end.

    Left out are: all spaces but one as targets, a lone card into a space (SA-E13), and moves of the card that has
    just been moved, as it could have been put there at once.
    """
    space = -1
    for pile in range(position.n_piles):
        if position.top[pile] == NOTHING:
            space = pile
    end = first
    for source in range(position.n_piles):
        card = np.int64(position.top[source])
        if card < 0 or card == last_card:
            continue
        below = np.int64(position.below[card])
        is_ordered = below >= 0 and below >> 2 == (card >> 2) + 1
        if position.up[card & 3] == card >> 2:
            end = _insert(moves, first, end, _packed(position, card, source, FOUNDATION, UP))
        order = SLIDES if is_ordered else (EMPTIES if below < 0 else UNCOVERS)
        for target in range(position.n_piles):
            top = np.int64(position.top[target])
            if top >= 0 and top >> 2 == (card >> 2) + 1:
                end = _insert(moves, first, end, _packed(position, card, source, target, order))
        if space >= 0 and below >= 0:
            order = TO_SPACE if is_ordered else UNCOVERS_BY_SPACE
            end = _insert(moves, first, end, _packed(position, card, source, space, order))
    return end
