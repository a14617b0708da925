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
from backalley.envs.back_alley.play import (
    FORCED_HIGHEST,
    FORCED_LOWEST,
    NOT_FORCED,
    force_on,
    suit_group,
    trump_cards,
)
from backalley.envs.back_alley.rules import Rules
from backalley.envs.back_alley.state import ALL_TRICKS_BID, BID, NUMBER, PASSED, PLAY
from backalley.envs.back_alley.view import unseen_cards
from backalley.envs.cards import (
    BIG_JOKER,
    CARD_NAMES,
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
_NO_ALL_TRICKS = OPTIONS["all_tricks_bid"].values.index("none")
_N_JOKERS = 2

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
    has_board = rules.all_tricks_bid != "none"
    has_jokers = rules.deck != "std52"
    bid = ("pass", "number", *(("board",) if has_board else ()), *thermometer(rules.hand_max, "number≥"))
    bid += thermometer(rules.board_multiple_cap or rules.players, "level≥") if has_board else ()
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
        Block("bids", "bid of each seat", product(seats, bid)),
        Block("tricks_won", "tricks won by each seat", product(seats, up_to_max)),
        Block("needs", "tricks each side still needs for its bid", product(sides, up_to_max)),
        Block("beaten", "the bid of the side cannot be made any more", sides),
        Block("leader", "who led or is to lead", seats),
        Block("broken", "trumps are broken", ("yes",)),
        Block("forced", "the joker that was led asks for my highest or lowest trump", ("highest", "lowest")),
        Block("phase", "bidding or play", ("bid", "play")),
    ]
    if episode == "match":
        deals = tuple(f">deal {i + 1}" for i in range(rules.n_deals - 1))
        blocks.append(Block("deal_index", "deals of the match already scored", deals))
        blocks.append(Block("score_difference", "match points ahead", tuple(f">{bucket}" for bucket in SCORE_BUCKETS)))
    elif episode not in EPISODE_KINDS:
        raise unknown("episode kind", episode, EPISODE_KINDS)
    return Layout(blocks)


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
    trumps = trump_cards(view)
    best = np.int64(view.trick_card)
    if has(trumps, best):
        return cards & trumps & ~below(best)
    led_group = suit_group(trumps, best)
    return cards & (trumps | (led_group & ~below(best)))


@kernel(inline=True)
def possible_elsewhere(rules: Any, view: Any, unseen: np.uint64) -> np.uint64:
    """Return the unseen cards that at least one other seat may hold, as far as plays have not excluded it."""
    excluded = ~ZERO
    for seat in range(rules.players):
        if seat != view.observer:
            excluded &= view.cannot_hold[seat]
    return unseen & ~excluded


@kernel(inline=True)
def master_cards(trumps: np.uint64, cards: np.uint64, elsewhere: np.uint64) -> np.uint64:
    """Return those of `cards` that no card in `elsewhere` beats within their suit."""
    masters = cards & trumps & ~below(highest(elsewhere & trumps) + 1)
    for suit in range(N_SUITS):
        group = SUIT_MASK[suit] & ~trumps
        masters |= cards & group & ~below(highest(elsewhere & group) + 1)
    return masters


@kernel(inline=True)
def tricks_needed(rules: Any, view: Any, side: int) -> int:
    """Return how many more tricks a side needs for the bids made so far, 0 if none."""
    bid = 0
    won = 0
    has_board = False
    for seat in range(rules.players):
        if rules.side[seat] == side:
            won += view.tricks_won[seat]
            bid += view.bid_number[seat]
            has_board |= view.bid_kind[seat] == ALL_TRICKS_BID
    return max(0, (view.hand_size if has_board else bid) - won)


@kernel(inline=True)
def _write_bid(rules: Any, view: Any, seat: int, out: NDArray[np.int8], at: int) -> int:
    kind = view.bid_kind[seat]
    kinds = _flag(kind == PASSED, 0) | _flag(kind == NUMBER, 1) | _flag(kind == ALL_TRICKS_BID, 2)
    has_board = rules.all_tricks_bid != _NO_ALL_TRICKS
    size = np.int64(3 if has_board else 2)
    bits = kinds | (below(view.bid_number[seat]) << np.uint64(size))
    size += rules.hand_max
    if has_board:
        bits |= below(view.bid_level[seat]) << np.uint64(size)
        size += rules.board_multiple_cap
    return write_plane(out, at, bits, size)


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
    at = _write_card(out, at, np.int64(view.turn_up))
    if has(rules.pack, BIG_JOKER):
        at = write_short_plane(out, at, view.discarded >> np.uint64(LITTLE_JOKER), _N_JOKERS)
        at = write_short_plane(out, at, view.burned >> np.uint64(LITTLE_JOKER), _N_JOKERS)
    unseen = unseen_cards(rules, view)
    at = _write_cards(out, at, unseen)
    at = _write_card(out, at, np.int64(view.trick_card))
    at = _write_one(out, at, _relative(rules, me, np.int64(view.trick_holder)), players)
    at = _write_cards(out, at, winning_cards(view, legal))
    elsewhere = possible_elsewhere(rules, view, unseen)
    return _write_cards(out, at, master_cards(trump_cards(view), view.hands[me], elsewhere))


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
    n_sides = np.int64(rules.n_sides)
    needs = ZERO
    beaten = ZERO
    for i in range(n_sides):
        needed = tricks_needed(rules, view, rules.side[_seat(rules, me, i)])
        needs |= below(min(needed, hand_max)) << np.uint64(i * hand_max)
        beaten |= _flag(needed > tricks_left, i)
    at = write_plane(out, at, needs, n_sides * hand_max)
    return _write_tail(rules, view, beaten, out, at)


@kernel(inline=True)
def _write_tail(rules: Any, view: Any, beaten: np.uint64, out: NDArray[np.int8], at: int) -> int:
    """Write the blocks from `beaten` (bit i for the side of the i-th seat) to `phase`."""
    me = np.int64(view.observer)
    size = np.int64(rules.n_sides)
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
