"""The observation: binary features of a View, laid out as the rule set needs.

Seats are relative to the observer (me, then clockwise), counts are thermometers, scores are buckets.
`observation_layout` is the only place that knows names and sizes; the kernel writes the blocks in the same order, and a
test holds them together.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from backalley.envs.back_alley.actions import N_ACTIONS, PASS
from backalley.envs.back_alley.options import OPTIONS
from backalley.envs.back_alley.deal import REDEAL_ON_OWN_TURN
from backalley.envs.back_alley.play import (
    FORCED_HIGHEST,
    FORCED_LOWEST,
    NOT_FORCED,
    RUN_LEAD,
    above,
    force_on,
    lift,
    lower,
    suit_group,
)
from backalley.envs.back_alley.rainbow import OFF, is_blind
from backalley.envs.back_alley.rules import Rules
from backalley.envs.back_alley.scoring import BOSTON_TRICKS, CAPPED, PER_PLAYER
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
    CARD_NAMES,
    JOKERS,
    LITTLE_JOKER,
    N_CARDS,
    N_SUITS,
    SUIT_MASK,
    ZERO,
    below,
    bit,
    has,
    highest,
)
from backalley.envs.errors import unknown
from backalley.envs.game import EPISODE_KINDS
from backalley.envs.kernel import kernel
from backalley.envs.layout import Block, Layout, product, thermometer
from backalley.envs.planes import PLANE, write_plane, write_short_plane

SCORE_BUCKETS = (-300, -200, -150, -100, -75, -50, -30, -20, -10, 0, 10, 20, 30, 50, 75, 100, 150, 200, 300)
"""Match points of my side minus the best other side; feature i is 1 when the difference is above bucket i."""

_BUCKETS = np.array(SCORE_BUCKETS, np.int64)
_BOARD, _RAISE_BOARD, _ALL, _SOLO, _BORT, _LADDER, _NO_BID, _IMPLIED = range(len(OPTIONS["all_tricks_bid"].values))
_N_JOKERS = 2
BAG_STEPS = 4

_SEAT_NAMES = {
    "pairs": ("me", "left", "partner", "right"),
    "individual": ("me", "left", "second", "third", "fourth", "fifth"),
    "two_teams_of_3": ("me", "left", "partner 1", "opponent 2", "partner 2", "right"),
    "three_teams_of_2": ("me", "left", "second", "partner", "fourth", "right"),
}


def observation_layout(rules: Rules, episode: str = "deal") -> Layout:
    """Return the layout for a rule set and an episode kind; all sizes follow from them."""
    seats = _SEAT_NAMES[rules.sides][: rules.players]
    sides = (
        ("mine", "theirs")
        if rules.n_sides == 2
        else ("mine", *(f"side of {seat}" for seat in seats[1 : rules.n_sides]))
    )
    up_to_max = thermometer(rules.hand_max)
    has_jokers = rules.deck != "std52"
    units = seats if rules.score_unit == "player" else sides
    jokers = ("LB", "BB") if has_jokers else ()
    blocks = [
        Block("hand", "cards I hold", CARD_NAMES),
        Block("played", "cards played by each seat, this trick included", product(seats, CARD_NAMES)),
        Block("trick", "card of each seat in this trick", product(seats, CARD_NAMES)),
        Block(
            "cannot_hold",
            "cards that the plays of each other seat have excluded",
            product(seats[1:], CARD_NAMES),
        ),
        Block("turn_up", "the card turned up", CARD_NAMES),
        Block("discarded", "joker discarded in the exchange", jokers),
        Block("burned", "jokers burned", jokers),
        Block("unseen", "cards in other hands or in the stock", CARD_NAMES),
        Block("trick_card", "card that holds the trick", CARD_NAMES),
        Block("trick_holder", "seat that holds the trick", seats),
        Block("winners", "my legal cards that would take the lead in this trick", CARD_NAMES),
        Block("masters", "my cards that no unseen card of their suit beats", CARD_NAMES),
        Block("trump", "trump suit", ("S", "H", "D", "C", "none")),
        Block("hand_size", "cards dealt to each seat", up_to_max),
        Block("tricks_left", "tricks still to be decided", up_to_max),
        Block("bid_position", "my place in the bidding, 0 first", tuple(map(str, range(rules.players)))),
        Block("bids", "bid of each seat", product(seats, _bid_features(rules))),
        Block("tricks_won", "tricks won by each seat", product(seats, up_to_max)),
        Block("needs", "tricks each scoring unit still needs for its bid", product(units, up_to_max)),
        Block("beaten", "the bid of the unit cannot be made any more", units),
        Block("leader", "who led or is to lead", seats),
        Block("broken", "trumps are broken", ("yes",)),
        Block("forced", "the joker that was led asks for my highest or lowest trump", ("highest", "lowest")),
        Block("phase", "what is to be decided", ("bid", "play", *_more_phases(rules))),
    ]
    blocks += _special_blocks(rules, seats)
    if episode == "match":
        deals = tuple(f">deal {i + 1}" for i in range(rules.n_deals - 1))
        blocks.append(Block("deal_index", "deals of the match already scored", deals))
        if rules.bag_limit is not None:
            quarters = tuple(f"≥{k}/4 of the limit" for k in range(1, BAG_STEPS + 1))
            blocks.append(Block("bags", "overtricks counted against each seat", product(seats, quarters)))
        blocks.append(Block("score_difference", "match points ahead", tuple(f">{bucket}" for bucket in SCORE_BUCKETS)))
    elif episode not in EPISODE_KINDS:
        raise unknown("episode kind", episode, EPISODE_KINDS)
    return Layout(blocks)


def _bid_features(rules: Rules) -> tuple[str, ...]:
    """Return what is said of the bid of one seat."""
    kinds = ("pass", "number")
    kinds += ("board",) if rules.all_tricks_bid not in ("none", "implied") else ()
    kinds += ("boston",) if rules.boston else ()
    kinds += ("rainbow",) if rules.rainbow != "off" else ()
    n_levels = {"board": rules.board_multiple_cap or rules.players, "raise_board": 2, "ladder": 3}
    return (
        *kinds,
        *thermometer(rules.hand_max, "number≥"),
        *thermometer(n_levels.get(rules.all_tricks_bid, 0), "level≥"),
    )


def _more_phases(rules: Rules) -> tuple[str, ...]:
    offer = ("redeal offer",) if rules.redeal_right and rules.redeal_timing == "before_bidding" else ()
    return offer + (("raise",) if rules.all_tricks_bid == "raise_board" else ())


def _special_blocks(rules: Rules, seats: tuple[str, ...]) -> list[Block]:
    """Return the blocks that only some rule sets have."""
    blocks = []
    if rules.can_cut:
        blocks.append(Block("cut", "trumps were fixed by a cut: the card shown is in play", ("yes",)))
    if rules.lead_rule == "high_two_run":
        blocks.append(Block("run", "seat with the right to go on leading trumps", seats))
    if rules.blind_sizes:
        blocks.append(Block("blind", "my hand is hidden from me", ("yes",)))
    return blocks


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
def winning_cards(view: Any, cards: np.uint64) -> np.uint64:
    """Return those of `cards` that would take the lead in the trick; the empty set for the leader."""
    if view.n_in_trick == 0:
        return ZERO
    if view.led < 0:  # a joker without a suit holds the trick
        return cards & ~JOKERS
    trumps = view.trumps
    best = np.int64(view.trick_card)
    if has(trumps, best):
        return above(view, cards & trumps, best)
    return (cards & trumps) | above(view, cards & suit_group(trumps, best), best)


@kernel(inline=True)
def possible_elsewhere(rules: Any, view: Any, unseen: np.uint64) -> np.uint64:
    """Return the unseen cards that at least one other seat may hold, as far as plays have not excluded it."""
    excluded = ~ZERO
    for seat in range(rules.players):
        if seat != view.observer:
            excluded &= view.cannot_hold[seat]
    return unseen & ~excluded


@kernel(inline=True)
def _masters_of(view: Any, cards: np.uint64, elsewhere: np.uint64) -> np.uint64:
    """Return those of `cards`, all of one suit, that are stronger than all of `elsewhere` in that suit."""
    return lower(view, lift(view, cards) & ~below(highest(lift(view, elsewhere)) + 1))


@kernel(inline=True)
def master_cards(view: Any, cards: np.uint64, elsewhere: np.uint64) -> np.uint64:
    """Return those of `cards` that no card in `elsewhere` beats within their suit."""
    trumps = view.trumps
    masters = _masters_of(view, cards & trumps, elsewhere & trumps)
    for suit in range(N_SUITS):
        group = SUIT_MASK[suit] & ~trumps
        masters |= _masters_of(view, cards & group, elsewhere & group)
    return masters


@kernel(inline=True)
def tricks_needed(rules: Any, view: Any, side: int) -> int:
    """Return how many more tricks a side needs for the bids made so far, 0 if none."""
    for seat in range(rules.players):
        if rules.side[seat] == side:
            return unit_needs(rules, view, seat, False)[0]
    return 0


@kernel(inline=True)
def unit_needs(rules: Any, view: Any, first: int, alone: bool) -> tuple[int, int]:
    """Return how many more tricks a scoring unit needs for its bids so far, 0 if none, and in how many tricks.

    Args:
        rules, view: records.
        first: a seat of the unit.
        alone: the unit is that seat; else its side.
    """
    bid = 0
    won = 0
    has_board = False
    has_boston = False
    for seat in range(rules.players):
        if seat == first or (not alone and rules.side[seat] == rules.side[first]):
            won += view.tricks_won[seat]
            bid += view.bid_number[seat]
            has_board |= view.bid_kind[seat] == ALL_TRICKS_BID
            has_boston |= view.bid_kind[seat] == BOSTON_BID
    left = view.hand_size - view.n_tricks
    if has_board:
        return view.hand_size - won, left
    if has_boston:
        return _boston_needs(rules, view, first, alone)
    if rules.side_bid_cap == CAPPED:
        bid = min(bid, view.hand_size)
    return max(0, bid - won), left


@kernel
def _boston_needs(rules: Any, view: Any, first: int, alone: bool) -> tuple[int, int]:
    """Return how many of the first six tricks a unit still needs, and how many of them are left (BA-68)."""
    won = 0
    for seat in range(rules.players):
        if seat == first or (not alone and rules.side[seat] == rules.side[first]):
            won += view.first_six[seat]
    return BOSTON_TRICKS - won, max(0, BOSTON_TRICKS - view.n_tricks)


@kernel(inline=True)
def _write_bid(rules: Any, view: Any, seat: int, out: NDArray[np.int8], at: int) -> int:
    kind = view.bid_kind[seat]
    bits = _flag(kind == PASSED, 0) | _flag(kind == NUMBER, 1)
    size = 2
    if rules.all_tricks_bid < _NO_BID:
        bits |= _flag(kind == ALL_TRICKS_BID, size)
        size += 1
    if rules.boston:
        bits |= _flag(kind == BOSTON_BID, size)
        size += 1
    if rules.rainbow != OFF:
        bits |= _flag(view.bid_rainbow[seat] != 0, size)
        size += 1
    bits |= below(view.bid_number[seat]) << np.uint64(size)
    size += rules.hand_max
    if rules.all_tricks_bid in (_BOARD, _RAISE_BOARD, _LADDER):
        bits |= below(view.bid_level[seat]) << np.uint64(size)
        size += _n_levels(rules)
    return write_plane(out, at, bits, size)


@kernel(inline=True)
def _n_levels(rules: Any) -> int:
    if rules.all_tricks_bid == _BOARD:
        return np.int64(rules.board_multiple_cap)
    return 2 if rules.all_tricks_bid == _RAISE_BOARD else 3


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
    for i in range(players):
        at = _write_bid(rules, view, _seat(rules, me, i), out, at)
    won = ZERO  # all seats fit one plane: players times hand_max is never more than the pack (BA-18)
    for i in range(players):
        won |= below(view.tricks_won[_seat(rules, me, i)]) << np.uint64(i * hand_max)
    at = write_plane(out, at, won, players * hand_max)
    alone = rules.score_unit == PER_PLAYER
    n_units = players if alone else np.int64(rules.n_sides)
    needs = ZERO
    beaten = ZERO
    for i in range(n_units):
        needed, left = unit_needs(rules, view, _seat(rules, me, i), alone)
        needs |= below(max(0, min(needed, hand_max))) << np.uint64(i * hand_max)
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
    if rules.redeal_right and rules.redeal_timing != REDEAL_ON_OWN_TURN:
        bits |= _flag(view.phase == REDEAL_OFFER, size)
        size += 1
    if rules.all_tricks_bid == _RAISE_BOARD:
        bits |= _flag(view.phase == RAISE, size)
        size += 1
    if rules.can_cut:
        bits |= _flag(view.cut >= 0, size)
        size += 1
    if rules.lead_rule == RUN_LEAD:
        if view.run >= 0:
            bits |= bit(size + _relative(rules, me, np.int64(view.run)))
        size += rules.players
    if rules.blind_sizes != ZERO:
        bits |= _flag(view.phase != PLAY and is_blind(rules, view), size)
        size += 1
    return write_plane(out, at, bits, size)


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
    rules: Any, view: Any, legal: np.uint64, is_match: bool, out: NDArray[np.int8], first: int = 0
) -> int:
    """Write the observation of the View's observer.

    Args:
        rules: record of dtype RULES.
        view: record of dtype STATE, a View.
        legal: the observer's legal cards; the empty set off turn.
        is_match: whether the blocks of a match are part of the layout.
        out: int8, from `first` on layout.size features are overwritten, and up to PLANE more.
        first: where the observation begins.

    Returns:
        Where the observation ends, `first` + layout.size.
    """
    at = _write_planes(rules, view, legal, out, first)
    at = _write_counts(rules, view, out, at)
    return _write_match(rules, view, out, at) if is_match else at


@kernel(inline=True)
def write_mask(legal: NDArray[np.uint64], out: NDArray[np.int8], first: int = 0) -> None:
    """Write the action mask of the legal sets (2,) into `out` int8, N_ACTIONS overwritten from `first` on."""
    write_plane(out, first, legal[0] | (legal[1] << np.uint64(PASS)), PLANE)
    at = N_ACTIONS - PLANE  # the second plane ends where the mask ends
    write_plane(out, first + at, (legal[0] >> np.uint64(at)) | (legal[1] << np.uint64(PASS - at)), PLANE)
