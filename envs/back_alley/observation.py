"""Writing the observation: binary features of a View, in the order of the blocks of `blocks`.

The blocks are those of `blocks.observation_layout`; a test holds both together.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from backalley.envs.back_alley.blocks import BAG_STEPS, SCORE_BUCKETS
from backalley.envs.back_alley.deal import REDEAL_ON_OWN_TURN
from backalley.envs.back_alley.episode import MATCH
from backalley.envs.back_alley.knowledge import master_cards, needs_of, possible_elsewhere, unit_sums, winning_cards
from backalley.envs.back_alley.options import NO_ALL_TRICKS, RAISE_BOARD
from backalley.envs.back_alley.play import (
    FORCED_HIGHEST,
    FORCED_LOWEST,
    NOT_FORCED,
    RUN_LEAD,
    force_on,
)
from backalley.envs.back_alley.rainbow import OFF, is_blind
from backalley.envs.back_alley.scoring import PER_PLAYER
from backalley.envs.back_alley.state import (
    ALL_TRICKS_BID,
    BID,
    BOSTON_BID,
    NUMBER,
    PASSED,
    PLAY,
    RAISE,
    REDEAL_OFFER,
)
from backalley.envs.back_alley.view import unseen_cards
from backalley.envs.cards import (
    BIG_JOKER,
    LITTLE_JOKER,
    N_CARDS,
    N_SUITS,
    ZERO,
    below,
    bit,
    has,
)
from backalley.envs.kernel import kernel
from backalley.envs.planes import write_plane, write_short_plane

_BUCKETS = np.array(SCORE_BUCKETS, np.int64)
_N_JOKERS = 2


@kernel(inline=True)
def _write_one(out: NDArray[np.int8], at: int, index: int, size: int) -> int:
    """Write a block of at most 16 features with `index` set, none if it is negative; return where it ends."""
    return write_short_plane(out, at, bit(index) if index >= 0 else ZERO, size)


@kernel(inline=True)
def _write_card(out: NDArray[np.int8], at: int, card: int) -> int:
    """Write a plane with one card, none if it is negative; return where it ends."""
    return write_plane(out, at, bit(card) if card >= 0 else ZERO, N_CARDS)


@kernel(inline=True)
def _write_cards(out: NDArray[np.int8], at: int, cards: np.uint64) -> int:
    """Write a plane of cards; return where it ends."""
    return write_plane(out, at, cards, N_CARDS)


@kernel(inline=True)
def _flag(is_set: bool, index: int) -> np.uint64:
    """Return the set with bit `index` if `is_set`, else the empty set."""
    return np.uint64(is_set) << np.uint64(index)


@kernel(inline=True)
def _relative(rules: Any, observer: int, seat: int) -> int:
    """Return how many places clockwise of the observer a seat sits, -1 for no seat."""
    if seat < 0:
        return -1
    return seat - observer if seat >= observer else seat - observer + rules.players


@kernel(inline=True)
def _seat(rules: Any, observer: int, relative: int) -> int:
    seat = observer + relative
    return seat - rules.players if seat >= rules.players else seat


@kernel(inline=True)
def _write_bids(rules: Any, view: Any, out: NDArray[np.int8], at: int) -> int:
    """Write the block `bids`."""
    me = np.int64(view.observer)
    hand_max = np.int64(rules.hand_max)
    has_board = rules.all_tricks_bid < NO_ALL_TRICKS
    has_boston = rules.boston != 0
    has_rainbow = rules.rainbow != OFF
    n_levels = np.int64(rules.n_levels)
    for i in range(np.int64(rules.players)):
        seat = _seat(rules, me, i)
        kind = view.bid_kind[seat]
        bits = _flag(kind == PASSED, 0) | _flag(kind == NUMBER, 1)
        size = 2
        if has_board:
            bits |= _flag(kind == ALL_TRICKS_BID, size)
            size += 1
        if has_boston:
            bits |= _flag(kind == BOSTON_BID, size)
            size += 1
        if has_rainbow:
            bits |= _flag(view.bid_rainbow[seat] != 0, size)
            size += 1
        bits |= below(view.bid_number[seat]) << np.uint64(size)
        size += hand_max
        if n_levels > 0:
            bits |= below(view.bid_level[seat]) << np.uint64(size)
            size += n_levels
        at = write_plane(out, at, bits, size)
    return at


@kernel(inline=True)
def _write_planes(rules: Any, view: Any, legal: np.uint64, out: NDArray[np.int8], at: int) -> int:
    """Write the blocks that speak of cards, `hand` to `masters`."""
    me = np.int64(view.observer)
    players = np.int64(rules.players)
    at = _write_cards(out, at, view.hands[me])
    for i in range(players):
        at = _write_cards(out, at, view.played[_seat(rules, me, i)])
    for i in range(players):
        at = _write_card(out, at, np.int64(view.trick[_seat(rules, me, i)]))
    for i in range(1, players):
        at = _write_cards(out, at, view.cannot_hold[_seat(rules, me, i)])
    at = _write_card(out, at, max(np.int64(view.turn_up), np.int64(view.cut)))
    if has(rules.pack, BIG_JOKER):
        at = write_short_plane(out, at, view.discarded >> np.uint64(LITTLE_JOKER), _N_JOKERS)
        at = write_short_plane(out, at, view.burned >> np.uint64(LITTLE_JOKER), _N_JOKERS)
    unseen = unseen_cards(rules, view)
    at = _write_cards(out, at, unseen)
    at = _write_card(out, at, np.int64(view.trick_card))
    at = _write_one(out, at, _relative(rules, me, np.int64(view.trick_holder)), players)
    at = _write_cards(out, at, winning_cards(view, legal))
    elsewhere = possible_elsewhere(rules, view, unseen)
    return _write_cards(out, at, master_cards(view, view.hands[me], elsewhere))


@kernel(inline=True)
def _write_counts(rules: Any, view: Any, out: NDArray[np.int8], at: int) -> int:
    """Write the blocks from `trump` to `phase`."""
    me = np.int64(view.observer)
    players = np.int64(rules.players)
    hand_max = np.int64(rules.hand_max)
    tricks_left = view.hand_size - view.n_tricks
    bits = bit(np.int64(view.trump)) | (below(view.hand_size) << np.uint64(N_SUITS + 1))
    size = N_SUITS + 1 + hand_max
    bits |= below(tricks_left) << np.uint64(size)
    size += hand_max
    after_dealer = me - np.int64(view.dealer) - 1
    bits |= bit(size + (after_dealer if after_dealer >= 0 else after_dealer + players))
    at = write_plane(out, at, bits, size + players)
    at = _write_bids(rules, view, out, at)
    won = ZERO  # all seats fit one plane: players times hand_max is never more than the pack (BA-18)
    for i in range(players):
        won |= below(view.tricks_won[_seat(rules, me, i)]) << np.uint64(i * hand_max)
    at = write_plane(out, at, won, players * hand_max)
    alone = rules.score_unit == PER_PLAYER
    n_units = players if alone else np.int64(rules.n_sides)
    sums = unit_sums(rules, view, alone)
    needs = ZERO
    beaten = ZERO
    for i in range(n_units):
        needed, left = needs_of(rules, view, _seat(rules, me, i), alone, sums)
        needs |= below(min(needed, hand_max)) << np.uint64(i * hand_max)
        beaten |= _flag(needed > left, i)
    at = write_plane(out, at, needs, n_units * hand_max)
    return _write_tail(rules, view, beaten, n_units, out, at)


@kernel(inline=True)
def _write_tail(rules: Any, view: Any, beaten: np.uint64, n_units: int, out: NDArray[np.int8], at: int) -> int:
    """Write the blocks from `beaten` (bit i for the unit of the i-th seat) to the special ones."""
    me = np.int64(view.observer)
    size = n_units
    bits = beaten
    if view.leader >= 0:
        bits |= bit(size + _relative(rules, me, np.int64(view.leader)))
    size += rules.players
    force = NOT_FORCED
    if view.phase == PLAY and view.turn == me and view.n_in_trick > 0:
        force = force_on(rules, view, me)
    bits |= _flag(view.broken != 0, size)
    bits |= _flag(force == FORCED_HIGHEST, size + 1) | _flag(force == FORCED_LOWEST, size + 2)
    bits |= _flag(view.phase == BID, size + 3) | _flag(view.phase == PLAY, size + 4)
    size += 5
    if rules.has_special_blocks:
        more, size = _special_bits(rules, view, size)
        bits |= more
    return write_plane(out, at, bits, size)


@kernel
def _special_bits(rules: Any, view: Any, size: int) -> tuple[np.uint64, int]:
    """Return the blocks that only some rule sets have, from bit `size` on, and the bit behind them."""
    bits = ZERO
    if rules.redeal_right and rules.redeal_timing != REDEAL_ON_OWN_TURN:
        bits |= _flag(view.phase == REDEAL_OFFER, size)
        size += 1
    if rules.all_tricks_bid == RAISE_BOARD:
        bits |= _flag(view.phase == RAISE, size)
        size += 1
    if rules.cut_sizes != ZERO:
        bits |= _flag(view.cut >= 0, size)
        size += 1
    if rules.lead_rule == RUN_LEAD:
        if view.run >= 0:
            bits |= bit(size + _relative(rules, np.int64(view.observer), np.int64(view.run)))
        size += rules.players
    if rules.blind_sizes != ZERO:
        bits |= _flag(view.phase in (BID, RAISE) and is_blind(rules, view), size)
        size += 1
    return bits, size


@kernel
def _write_match(rules: Any, view: Any, out: NDArray[np.int8], at: int) -> int:
    """Write the blocks `deal_index` and `score_difference`."""
    me = view.observer
    best_other = -1_000_000_000
    for seat in range(rules.players):
        if rules.side[seat] != rules.side[me]:
            best_other = max(best_other, view.match_points[seat])
    for deal in range(rules.n_deals - 1):
        out[at + deal] = view.deal_index > deal
    at += rules.n_deals - 1
    if rules.bag_limit > 0:
        for i in range(rules.players):
            bags = np.int64(view.bags[_seat(rules, np.int64(me), i)])
            for step in range(1, BAG_STEPS + 1):
                out[at] = BAG_STEPS * bags >= step * rules.bag_limit
                at += 1
    ahead = view.match_points[me] - best_other
    for i in range(_BUCKETS.shape[0]):
        out[at + i] = ahead > _BUCKETS[i]
    return at + _BUCKETS.shape[0]


@kernel
def write_observation(
    rules: Any, settings: Any, view: Any, legal: Any, is_on_turn: bool, out: NDArray[np.int8], first: int
) -> None:
    """Write the observation of the View's observer.

    Args:
        rules: record of dtype RULES.
        settings: record of dtype SETTINGS; says whether the blocks of a match are part of the layout.
        view: record of dtype STATE, a View.
        legal: (2,) legal set of the seat to act.
        is_on_turn: whether the observer is to act.
        out: int8, from `first` on layout.size features are overwritten, and up to PLANE more.
        first: where the observation begins.
    """
    at = _write_planes(rules, view, legal[0] if is_on_turn else ZERO, out, first)
    at = _write_counts(rules, view, out, at)
    if settings.episode == MATCH:
        _write_match(rules, view, out, at)
