"""Views in a canonical form: a two that ranks high in a joker's place for all policies, suits relabelled for networks.

- A pack with high twos has no jokers, and in a deal with trumps such a two is a trump above the ace (BA-5): the part of
  a joker. `promote` gives it the joker's number, so that bots and networks need not know it.
- Bids name no suit and plain suits rank alike (BA-7), so a network need not learn the same thing six times over: its
  suits are relabelled, trumps first, then the side suits by what the observer holds.

The environments do neither; a policy does it on the way in and undoes it on the way out. An *order* says what was done:
(6,) int8, the suit at each of the four places, then the cards that stand at 52 and 53.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from backalley.envs.back_alley.play import RUN_LEAD, lift, rank
from backalley.envs.cards import (
    BIG_JOKER,
    JOKERS,
    LITTLE_JOKER,
    N_RANKS,
    N_SUITS,
    NO_CARD,
    NO_TRUMP,
    ONE,
    SUIT_MASK,
    ZERO,
    bit,
    lowest,
    n_bits,
)
from backalley.envs.kernel import kernel

ORDER_LENGTH = N_SUITS + 2
LITTLE_PLACE, BIG_PLACE = N_SUITS, N_SUITS + 1
"""Where an order has the cards that stand at 52 and 53."""

_RANK_BITS = SUIT_MASK[0]


@kernel
def has_promotion(view: Any) -> bool:
    """Say whether a two is a trump that stands in a joker's place in `promote`."""
    return view.high_two >= 0 and view.trump != NO_TRUMP


@kernel
def promote(rules: Any, view: Any, cards: np.uint64) -> np.uint64:
    """Put the twos that are the highest trumps in the jokers' places in a View; other Views stay.

    Args:
        rules: record of dtype RULES.
        view: record of dtype STATE, a View; overwritten.
        cards: a set of cards, such as the legal ones.

    Returns:
        The same set in the new numbers.
    """
    if not has_promotion(view):
        return cards
    me = np.int64(view.observer)
    cards = lift(view, cards)
    vacated = bit(np.int64(view.high_two))
    if view.second_two >= 0:
        vacated |= bit(np.int64(view.second_two))
    view.hands[me] = lift(view, view.hands[me])
    for seat in range(rules.players):
        view.played[seat] = lift(view, view.played[seat])
        view.cannot_hold[seat] = lift(view, view.cannot_hold[seat])
        view.trick[seat] = rank(view, np.int64(view.trick[seat]))
    view.trumps = lift(view, view.trumps)
    view.exposed = lift(view, view.exposed) | vacated  # no such cards any more
    view.turn_up = rank(view, np.int64(view.turn_up))
    view.cut = rank(view, np.int64(view.cut))
    view.led = rank(view, np.int64(view.led))
    view.trick_card = rank(view, np.int64(view.trick_card))
    view.high_two = NO_CARD
    view.second_two = NO_CARD
    if view.led >= LITTLE_JOKER and rules.lead_rule != RUN_LEAD:
        view.led = lowest(view.trumps)  # any trump but these: a joker led would force, the two does not (BA-92)
    return cards


@kernel
def demoted_action(action: int, high_two: int, second_two: int) -> int:
    """Return the action that one on a promoted View stands for.

    Args:
        action: the action.
        high_two, second_two: these fields of the View before `promote`, which did something.
    """
    if action == BIG_JOKER:
        return high_two
    return second_two if action == LITTLE_JOKER else action


@kernel
def suit_ranks(cards: np.uint64, suit: int) -> np.uint64:
    """Return the ranks held in a suit, bit 0 the two."""
    return (cards >> np.uint64(N_RANKS * suit)) & _RANK_BITS


@kernel
def write_order(view: Any, order: NDArray[np.int8]) -> None:
    """Write the order of a View into `order` (6,), overwritten: trumps, then the strongest holdings."""
    hand = view.hands[view.observer]
    seen = ZERO
    for seat in range(view.played.shape[0]):
        seen |= view.played[seat]
    order[LITTLE_PLACE] = LITTLE_JOKER
    order[BIG_PLACE] = BIG_JOKER
    if has_promotion(view):
        hand = lift(view, hand)
        seen = lift(view, seen)
        order[BIG_PLACE] = view.high_two
        if view.second_two >= 0:
            order[LITTLE_PLACE] = view.second_two
    n_placed = 0
    taken = 0
    if view.trump != NO_TRUMP:
        order[0] = view.trump
        taken = 1 << view.trump
        n_placed = 1
    while n_placed < N_SUITS:
        best = -1
        best_key = np.int64(-1)
        for suit in range(N_SUITS):
            if taken >> suit & 1 == 0:
                held = suit_ranks(hand, suit)
                key = (n_bits(held) << (2 * N_RANKS)) + np.int64(held << np.uint64(N_RANKS))
                key += np.int64(suit_ranks(seen, suit))
                if key > best_key:
                    best_key = key
                    best = suit
        order[n_placed] = best
        taken |= 1 << best
        n_placed += 1


@kernel
def _move_suits(cards: np.uint64, order: NDArray[np.int8]) -> np.uint64:
    """Return the set with the suit at `order[k]` moved to place k; 52 and 53 stay."""
    moved = cards & JOKERS
    for place in range(N_SUITS):
        moved |= suit_ranks(cards, np.int64(order[place])) << np.uint64(N_RANKS * place)
    return moved


@kernel
def _move_suit(card: int, order: NDArray[np.int8]) -> int:
    """Return the number of a card after `_move_suits`; -1 (no card), 52, 53 and bids stay."""
    if card < 0 or card >= N_RANKS * N_SUITS:
        return card
    suit = card // N_RANKS
    place = 0
    while order[place] != suit:
        place += 1
    return card + N_RANKS * (place - suit)


@kernel
def relabel_cards(cards: np.uint64, order: NDArray[np.int8]) -> np.uint64:
    """Return the set in the numbers of an order."""
    little, big = np.uint64(order[LITTLE_PLACE]), np.uint64(order[BIG_PLACE])
    top = (cards >> little & ONE) << np.uint64(LITTLE_JOKER) | (cards >> big & ONE) << np.uint64(BIG_JOKER)
    return _move_suits(cards & ~(ONE << little | ONE << big), order) | top


@kernel
def relabel_card(card: int, order: NDArray[np.int8]) -> int:
    """Return the number of a card or action in an order; bids and -1 (no card) stay."""
    if card == order[BIG_PLACE]:
        return BIG_JOKER
    return LITTLE_JOKER if card == order[LITTLE_PLACE] else _move_suit(card, order)


@kernel
def original_action(action: int, order: NDArray[np.int8]) -> int:
    """Return the action that a relabelled one stands for; bids stay."""
    if action > BIG_JOKER:
        return action
    if action >= LITTLE_JOKER:
        return np.int64(order[action - LITTLE_JOKER + LITTLE_PLACE])
    place = action // N_RANKS
    return action + N_RANKS * (np.int64(order[place]) - place)


@kernel
def relabel_view(rules: Any, view: Any, order: NDArray[np.int8]) -> None:
    """Bring a View into the numbers of its order, in place: `promote`, then the suits.

    Args:
        rules: record of dtype RULES.
        view: record of dtype STATE, a View; overwritten.
        order: (6,) from `write_order`.
    """
    promote(rules, view, ZERO)
    me = np.int64(view.observer)
    view.hands[me] = _move_suits(view.hands[me], order)
    for seat in range(rules.players):
        view.played[seat] = _move_suits(view.played[seat], order)
        view.cannot_hold[seat] = _move_suits(view.cannot_hold[seat], order)
        view.trick[seat] = _move_suit(np.int64(view.trick[seat]), order)
    view.exposed = _move_suits(view.exposed, order)
    view.trumps = _move_suits(view.trumps, order)
    view.turn_up = _move_suit(np.int64(view.turn_up), order)
    view.cut = _move_suit(np.int64(view.cut), order)
    view.led = _move_suit(np.int64(view.led), order)
    view.trick_card = _move_suit(np.int64(view.trick_card), order)
    view.high_two = _move_suit(np.int64(view.high_two), order)  # of a no-trump deal (BA-33)
    if view.trump != NO_TRUMP:
        view.trump = 0
