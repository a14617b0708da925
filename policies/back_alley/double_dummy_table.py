"""The table of results of the double-dummy search: positions compared by shape and by the ranks that mattered.

An entry says: in every position of this shape in which the highest cards of each lane lie as they do here, side 0 wins
at least, and at most, so many of the tricks left. How many of the highest cards matter is what the search found out
("partition search": Ginsberg, GIB: Imperfect Information in a Computationally Challenging Game, 2001).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from backalley.envs.cards import ONE, ZERO, highest, lowest, n_bits
from backalley.envs.kernel import kernel
from backalley.policies.back_alley.double_dummy_position import HEAD_BITS, JOKER_BIT, LANE, N_ENTRIES, N_LANES, one

WON = np.uint64(1 << 15)
"""In a result: side 0 wins the tricks asked for."""
KNOWN = np.uint64(1 << 31)
"""In a result: it is one; the place of no card."""
NOTHING_KNOWN = ZERO
RESULT_BITS = WON | KNOWN

# An entry is 32 bytes, half a cache line. Its last word, from the low bits: the place of the next entry of the list,
# the bounds, the card that did best as lane and number of higher cards, and how many cards of each lane matter.
KEY, HIGH_OWNERS, LOW_OWNERS, INFO = range(4)
COUNT_BITS = 4
COUNT_MASK = np.uint64(15)
NEXT_MASK = np.uint64(0xFFFFFFFF)
LOWER_SHIFT = np.uint64(32)
UPPER_SHIFT = np.uint64(36)
HINT_SHIFT = np.uint64(40)
COUNTS_SHIFT = 48
PAIR_BITS = np.uint64(8)
PAIR_MASK = np.uint64(255)
NO_HINT = 15
HEAD_SHIFT = np.uint64(64 - HEAD_BITS)
MAX_SCAN = 100
MAX_TOPS = 2
LOW_HALF = np.uint64(0xFFFFFFFF)


def _masks() -> NDArray[np.uint64]:
    """Return which bits of the owners of two lanes matter, by how many cards of the first, and 16 times the second."""
    tops = [~(LOW_HALF >> np.uint64(2 * count)) & LOW_HALF for count in range(16)]
    return np.array([first << np.uint64(32) | second for second in tops for first in tops], np.uint64)


MASKS = _masks()


@kernel(inline=True)
def _head(shape: np.uint64) -> np.uint64:
    """Return the place of a shape in `heads`."""
    mixed = shape * np.uint64(0x9E3779B97F4A7C15)
    return mixed >> HEAD_SHIFT


@kernel(inline=True)
def _owners(work: Any, aggr: np.uint64, lane: int) -> np.uint64:
    """Return who owns the cards of a lane, from the top."""
    cards = (aggr & work.groups[lane]) >> np.uint64(LANE * lane)
    return np.uint64(work.owners[lane, np.int64(cards)])


@kernel
def _mattering(work: Any, aggr: np.uint64, info: np.uint64) -> np.uint64:
    """Return the lowest card that matters of each lane, for an entry that fits the cards in play."""
    matters = ZERO
    for lane in range(N_LANES):
        count = np.int64((info >> np.uint64(COUNTS_SHIFT + COUNT_BITS * lane)) & COUNT_MASK)
        if count > 0:
            cards = aggr & work.groups[lane]
            for _ in range(n_bits(cards) - count):
                cards &= cards - ONE
            matters |= cards & (~cards + ONE)
    return matters


@kernel(inline=True)
def _list_of(shape: np.uint64, high: np.uint64, low: np.uint64, n_tops: int) -> np.uint64:
    """Return the place in `heads` for positions of a shape in which the n highest cards of each lane lie like this."""
    tops = ~ZERO << np.uint64(32 - 2 * n_tops) & LOW_HALF
    tops |= tops << np.uint64(32)
    mixed = ((high & tops) ^ ((low & tops) >> np.uint64(8))) * np.uint64(0xD6E8FEB86659FD93)
    return _head(shape ^ mixed ^ np.uint64(n_tops))


@kernel
def look_up(work: Any, shape: np.uint64, aggr: np.uint64, need: int) -> np.uint64:
    """Return the result for side 0 needing so many tricks, if the table has it; sets `work.hint`."""
    work.hint = -1
    high = (_owners(work, aggr, 0) << np.uint64(32)) | _owners(work, aggr, 1)
    low = (_owners(work, aggr, 2) << np.uint64(32)) | _owners(work, aggr, 3)
    for n_tops in range(MAX_TOPS, -1, -1):
        result = _scan(work, _list_of(shape, high, low, n_tops), shape, aggr, high, low, need)
        if result != NOTHING_KNOWN:
            return result
    return NOTHING_KNOWN


@kernel
def _scan(
    work: Any, place: np.uint64, shape: np.uint64, aggr: np.uint64, high: np.uint64, low: np.uint64, need: int
) -> np.uint64:
    """Return the result from the list of entries that starts at a place of `heads`; an entry used comes first then."""
    head = work.heads[place]
    if head >> np.uint64(32) != work.generation:
        return NOTHING_KNOWN
    first = head & NEXT_MASK
    at = first
    before = ZERO
    for _ in range(MAX_SCAN):
        entry = work.entries[at]
        info = entry[INFO]
        if entry[KEY] == shape:
            counts = info >> np.uint64(COUNTS_SHIFT)
            differs = (entry[HIGH_OWNERS] ^ high) & MASKS[counts & PAIR_MASK]
            differs |= (entry[LOW_OWNERS] ^ low) & MASKS[counts >> PAIR_BITS]
            if differs == ZERO:
                wins = np.int64((info >> LOWER_SHIFT) & COUNT_MASK) >= need
                if wins or np.int64((info >> UPPER_SHIFT) & COUNT_MASK) < need:
                    if before != ZERO:
                        work.entries[before][INFO] = (work.entries[before][INFO] & ~NEXT_MASK) | (info & NEXT_MASK)
                        entry[INFO] = (info & ~NEXT_MASK) | first
                        work.heads[place] = (work.generation << np.uint64(32)) | at
                    return _mattering(work, aggr, info) | (RESULT_BITS if wins else KNOWN)
                if work.hint < 0:
                    work.hint = _hint_card(work, aggr, info)
        before = at
        at = info & NEXT_MASK
        if at == ZERO:
            break
    return NOTHING_KNOWN


@kernel
def _hint_card(work: Any, aggr: np.uint64, info: np.uint64) -> int:
    """Return the card that did best in an entry's position, -1 if none is kept."""
    lane = np.int64((info >> HINT_SHIFT) & np.uint64(3))
    n_higher = np.int64((info >> (HINT_SHIFT + np.uint64(2))) & COUNT_MASK)
    if n_higher == NO_HINT:
        return -1
    cards = aggr & work.groups[lane]
    for _ in range(n_higher):
        cards &= ~one(highest(cards))
    return highest(cards)


@kernel
def store(work: Any, shape: np.uint64, aggr: np.uint64, need: int, left: int, result: np.uint64, card: int) -> None:
    """Keep a result.

    Args:
        work: record of dtype WORK.
        shape, aggr: of the position.
        need: the tricks that side 0 was asked for.
        left: tricks left.
        result: what the search found, with the lowest cards that matter.
        card: the card that did best, -1 none.
    """
    if work.n_entries + 1 >= N_ENTRIES:  # full: forget everything
        work.n_entries = 0
        work.generation += ONE
    info = np.uint64(need | left << 4) if result & WON != ZERO else np.uint64((need - 1) << 4)
    info <<= LOWER_SHIFT
    n_tops = MAX_TOPS  # so many of the highest cards of each lane matter, or all of the lane
    for lane in range(N_LANES):
        cards = (aggr & work.groups[lane]) >> np.uint64(LANE * lane)
        matter = (result & ~RESULT_BITS & work.groups[lane]) >> np.uint64(LANE * lane)
        count = n_bits(cards >> np.uint64(lowest(matter))) if matter != ZERO else 0
        if lane == 0 and work.must_trump:
            count = n_bits(cards)
        if count < n_tops and count < n_bits(cards):
            n_tops = count
        info |= np.uint64(count) << np.uint64(COUNTS_SHIFT + COUNT_BITS * lane)
    lane = 0
    n_higher = NO_HINT
    if 0 <= card < JOKER_BIT:
        lane = card >> 4
        n_higher = n_bits((aggr & work.groups[lane]) >> np.uint64(card)) - 1
    info |= (np.uint64(lane) | np.uint64(n_higher) << np.uint64(2)) << HINT_SHIFT
    high = (_owners(work, aggr, 0) << np.uint64(32)) | _owners(work, aggr, 1)
    low = (_owners(work, aggr, 2) << np.uint64(32)) | _owners(work, aggr, 3)
    place = _list_of(shape, high, low, n_tops)
    head = work.heads[place]
    work.n_entries += 1
    at = np.uint64(work.n_entries)
    entry = work.entries[at]
    entry[KEY] = shape
    entry[HIGH_OWNERS] = high
    entry[LOW_OWNERS] = low
    entry[INFO] = info | (head & NEXT_MASK if head >> np.uint64(32) == work.generation else ZERO)
    work.heads[place] = (work.generation << np.uint64(32)) | at
