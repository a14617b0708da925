"""Random streams that live in plain arrays, one for each episode.

The generator is xoshiro256++ of Blackman and Vigna (https://prng.di.unimi.it/xoshiro256plusplus.c); its state is four
`uint64`, so a batch of streams is an array (n, 4) that kernels advance in place and that copies, pickles and compares
like any array. Stream i depends on the seed, the purpose and i alone, never on the size of the batch.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from backalley.envs.kernel import kernel

Stream = NDArray[np.uint64]
"""One stream: (4,) uint64, advanced in place."""

CHANCE = 0
"""Purpose of the streams that shuffle, pick dealers and hand sizes."""
POLICY = 1
"""Purpose of the streams from which policies inside kernels draw."""

_INCREMENT = np.uint64(0x9E3779B97F4A7C15)


@kernel
def _split_mix(word: np.uint64) -> np.uint64:
    """Return the splitmix64 hash of a word (https://prng.di.unimi.it/splitmix64.c)."""
    z = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@kernel
def _seed_streams(key: NDArray[np.uint64], streams: NDArray[np.uint64], first: int) -> None:
    """Fill `streams` (n, 4), overwritten, from the key (4,) and the number of each stream."""
    for i in range(streams.shape[0]):
        for word in range(4):
            salted = key[word] + _INCREMENT * np.uint64(first + i + 1)
            streams[i, word] = _split_mix(salted ^ _split_mix(key[(word + 1) % 4] + np.uint64(word)))


def new_streams(seed: int | None, n: int, purpose: int = CHANCE, *, first: int = 0) -> NDArray[np.uint64]:
    """Return n fresh streams, (n, 4) uint64.

    Args:
        seed: any int ≥ 0; None draws one from the operating system.
        n: how many streams.
        purpose: `CHANCE` or `POLICY`; streams of different purpose are independent.
        first: number of the first stream; stream i of one call equals stream 0 of a call with `first=i`.
    """
    key = np.random.SeedSequence(seed, spawn_key=(purpose,)).generate_state(4, np.uint64)
    streams = np.empty((n, 4), np.uint64)
    with np.errstate(over="ignore"):
        _seed_streams(key, streams, first)
    return streams


@kernel(inline=True)
def _rotate(word: np.uint64, by: int) -> np.uint64:
    return (word << np.uint64(by)) | (word >> np.uint64(64 - by))


@kernel(inline=True)
def next_word(stream: Stream) -> np.uint64:
    """Advance the stream and return 64 random bits."""
    result = _rotate(stream[0] + stream[3], 23) + stream[0]
    shifted = stream[1] << np.uint64(17)
    stream[2] ^= stream[0]
    stream[3] ^= stream[1]
    stream[1] ^= stream[2]
    stream[0] ^= stream[3]
    stream[2] ^= shifted
    stream[3] = _rotate(stream[3], 45)
    return result


@kernel(inline=True)
def uniform(stream: Stream) -> float:
    """Return a float in [0, 1) with 53 random bits."""
    return np.float64(next_word(stream) >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@kernel(inline=True)
def draw_below(stream: Stream, n: int) -> int:
    """Return an int 0..n-1, each equally likely (Lemire's multiplication with rejection, 1 ≤ n < 2**31)."""
    bound = np.uint64(n)
    low = np.uint64(0xFFFFFFFF)
    product = (next_word(stream) >> np.uint64(32)) * bound
    if (product & low) < bound:
        threshold = (np.uint64(0x100000000) - bound) % bound
        while (product & low) < threshold:
            product = (next_word(stream) >> np.uint64(32)) * bound
    return np.int64(product >> np.uint64(32))


@kernel
def shuffle(stream: Stream, deck: NDArray[np.int8], n_front: int) -> None:
    """Shuffle `deck` in place as far as its first `n_front` cards are concerned (Fisher and Yates from the front)."""
    size = deck.shape[0]
    for i in range(min(n_front, size - 1)):
        j = i + draw_below(stream, size - i)
        card = deck[i]
        deck[i] = deck[j]
        deck[j] = card
