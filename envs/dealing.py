"""What belongs to an episode and not to its game: streams, legal actions, rewards, the end, and the decks to deal from.

A deck is a permutation of the pack. A caller may fix the decks of the next deals; after them, or without, decks are
shuffled from the episode's own stream.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from backalley.envs.cards import CUT_PLACE, DECK_LENGTH, N_CARDS, NO_CARD, has
from backalley.envs.kernel import kernel
from backalley.envs.streams import shuffle

N_STARTS = 2
LEFT_OPEN = -1
"""In `start`: left to chance and the rules."""


def episode_dtype(n_seats: int, n_words: int) -> np.dtype[np.void]:
    """Return the record of an episode of a game.

    Args:
        n_seats: most seats of the game.
        n_words: words of its legal sets.
    """
    return np.dtype(
        [
            ("chance", np.uint64, (4,)),  # stream that deals
            ("policy", np.uint64, (4,)),  # stream from which policies in kernels draw
            ("legal", np.uint64, (n_words,)),  # legal set of the seat to act
            ("rewards", np.float64, (n_seats,)),  # since the last step
            ("deck", np.int8, (DECK_LENGTH,)),  # of the present deal, in place as far as it looked at it, then the cut
            ("start", np.int16, (N_STARTS,)),  # what the caller fixed of the next episode; what, the game says
            ("queue", np.int32),  # row of the decks fixed by the caller
            ("n_decks", np.int16),  # decks in it
            ("next_deck", np.int16),  # the first of them that is still to be used
            ("done", np.bool_),
            ("truncated", np.bool_),
        ],
        align=True,
    )


@kernel
def take_deck(pack: np.uint64, n_front: int, episode: Any, decks: NDArray[np.int8]) -> None:
    """Put the next deck that the caller fixed, else a shuffled one, into `episode.deck`, overwritten.

    Args:
        pack: the cards of the pack.
        n_front: how many cards of a shuffled deck the deal looks at; the rest is in any order.
        episode: record from `episode_dtype`.
        decks: (q, d, DECK_LENGTH) int8 decks fixed by the caller, row `episode.queue` for this episode.
    """
    if episode.next_deck < episode.n_decks:
        for i in range(DECK_LENGTH):
            episode.deck[i] = decks[episode.queue, episode.next_deck, i]
        episode.next_deck += 1
        return
    size = 0
    for card in range(N_CARDS):
        if has(pack, card):
            episode.deck[size] = card
            size += 1
    shuffle(episode.chance, episode.deck[:size], n_front)
    episode.deck[CUT_PLACE] = NO_CARD
