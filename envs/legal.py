"""Sets of legal actions as words of bits, whatever the game.

An action is a number of the game's flat numbering. A legal set is an array of `uint64`, each of which stands for
`width` actions in a row: action a is bit a % width of word a // width. `width` belongs to the game, so that a word
can be what its rules speak of: Back Alley's first word are the 54 cards, its second the bids.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from backalley.envs.cards import ZERO, has, lowest, n_bits, nth
from backalley.envs.kernel import kernel
from backalley.envs.planes import PLANE, write_plane
from backalley.envs.streams import Stream, draw_below

LegalSet = NDArray[np.uint64]
"""One legal set, (n_words,) uint64."""


@kernel(inline=True)
def is_legal(legal: LegalSet, width: int, action: int) -> bool:
    """Say whether `action` is in the legal set (n_words,)."""
    if action < 0 or action >= width * legal.shape[0]:
        return False
    return has(legal[action // width], action % width)


@kernel(inline=True)
def n_legal(legal: LegalSet) -> int:
    """Return how many actions are legal."""
    n = 0
    for word in range(legal.shape[0]):
        n += n_bits(legal[word])
    return n


@kernel(inline=True)
def first_legal(legal: LegalSet, width: int) -> int:
    """Return the lowest legal action, -1 if there is none."""
    for word in range(legal.shape[0]):
        if legal[word] != ZERO:
            return width * word + lowest(legal[word])
    return -1


@kernel(inline=True)
def random_action(legal: LegalSet, width: int, stream: Stream) -> int:
    """Return a legal action, each equally likely; at least one must be legal."""
    n_all = n_legal(legal)
    index = draw_below(stream, n_all) if n_all > 1 else 0
    for word in range(legal.shape[0]):
        n_here = n_bits(legal[word])
        if index < n_here:
            return width * word + nth(legal[word], index)
        index -= n_here
    return -1


@kernel(inline=True)
def write_mask(legal: LegalSet, width: int, n_actions: int, masks: NDArray[np.int8], at: int) -> None:
    """Write a legal set as bytes of 0 and 1.

    Args:
        legal: (n_words,), no bit set beyond the last action.
        width: actions of a word.
        n_actions: size of the numbering, at least `PLANE`.
        masks: flat int8; n_actions bytes are overwritten from `at` on.
        at: where the mask begins.
    """
    for word in range(legal.shape[0] - 1):
        write_plane(masks, at + word * width, legal[word], width)
    # The last store ends where the mask ends, so that nothing behind it is touched.
    last = legal.shape[0] - 1
    behind = np.uint64(PLANE - (n_actions - last * width))
    bits = legal[last] << behind
    if behind != ZERO:
        bits |= legal[last - 1] >> (np.uint64(width) - behind)
    write_plane(masks, at + n_actions - PLANE, bits, PLANE)


@kernel(inline=True)
def read_mask(mask: NDArray[np.int8], width: int, legal: LegalSet) -> None:
    """Write the legal set of a mask (n_actions,) into `legal` (n_words,), overwritten."""
    legal[:] = ZERO
    for action in range(mask.shape[0]):
        if mask[action] != 0:
            legal[action // width] |= np.uint64(1) << np.uint64(action % width)


# The same for many sets at once, without the compiler.


def legal_masks(legal: NDArray[np.uint64], width: int, n_actions: int) -> NDArray[np.int8]:
    """Return masks (n, n_actions) int8 of legal sets (n, n_words)."""
    bits = (legal[:, :, None] >> np.arange(width, dtype=np.uint64)) & np.uint64(1)  # (n, n_words, width)
    return bits.reshape(len(legal), -1)[:, :n_actions].astype(np.int8)


def legal_sets(masks: NDArray[np.int8], width: int) -> NDArray[np.uint64]:
    """Return legal sets (n, n_words) uint64 of masks (n, n_actions)."""
    n, n_actions = masks.shape
    padded = np.zeros((n, -(-n_actions // width) * width), np.uint64)
    padded[:, :n_actions] = masks != 0
    shifted = padded.reshape(n, -1, width) << np.arange(width, dtype=np.uint64)  # (n, n_words, width)
    return np.bitwise_or.reduce(shifted, axis=2)


def are_legal(legal: NDArray[np.uint64], width: int, actions: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Say which actions (n,) are in their legal sets (n, n_words), (n,) bool; any number may be asked for."""
    in_range = (actions >= 0) & (actions < width * legal.shape[1])
    numbers = np.where(in_range, actions, 0)
    words = legal[np.arange(len(legal)), numbers // width]
    found: NDArray[np.bool_] = (words >> (numbers % width).astype(np.uint64)) & np.uint64(1) == 1
    return in_range & found


def first_actions(legal: NDArray[np.uint64], width: int) -> NDArray[np.int16]:
    """Return the lowest legal action of each legal set (n, n_words), (n,) int16; 0 where nothing is legal."""
    word = (legal != 0).argmax(axis=1)
    bits = legal[np.arange(len(legal)), word]
    lowest_bit = np.bitwise_count((bits - np.uint64(1)) & ~bits).astype(np.int64)  # 64 for the empty set
    return np.where(bits != 0, width * word + lowest_bit, 0).astype(np.int16)


def legal_actions(legal: LegalSet, width: int) -> list[int]:
    """Return the actions of one legal set (n_words,) in order."""
    return [width * word + k for word, bits in enumerate(legal) for k in range(width) if int(bits) >> k & 1]
