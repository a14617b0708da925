"""The anchor `simple`: fixed for all time, so that figures against it stay comparable.

It was made for `partnership`; elsewhere it goes by the same idea: it takes a redeal it is offered, announces a rainbow
it holds, never raises or bids boston, passes unseen hands, and clips its number to what is legal.

Bids count the hand in twentieths of a trick, so that every comparison is exact. "Side" cards are non-trumps; in a
no-trump deal all suits are side suits.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from backalley.envs.back_alley.actions import ALL_TRICKS, N_PLAIN_BIDS, NO_RAISE, PASS, RAINBOW, REDEAL
from backalley.envs.back_alley.bidding import BIDS_WITHOUT_BOARD
from backalley.envs.back_alley.knowledge import winning_cards
from backalley.envs.back_alley.play import suit_group
from backalley.envs.back_alley.rainbow import REQUIRED, is_rainbow
from backalley.envs.cards import (
    BIG_JOKER,
    JOKERS,
    LITTLE_JOKER,
    N_RANKS,
    N_SUITS,
    NO_TRUMP,
    ONE,
    SUIT_MASK,
    ZERO,
    below,
    has,
    highest,
    lowest,
    n_bits,
)
from backalley.envs.kernel import kernel

QUEEN, KING, ACE = 10, 11, 12
JACK = 9

# Expected tricks in twentieths.
BIG_JOKER_WORTH, LITTLE_JOKER_WORTH = 20, 19
TRUMP_WORTH = np.array([7] * JACK + [12, 12, 16, 18], np.int64)
LONG_LOW_TRUMP_WORTH = 9  # a trump below the jack with four or more trumps
LONG_TRUMPS = 4
SIDE_ACE_WORTH, LONG_SIDE_ACE_WORTH, LONG_SUIT = 16, 12, 6
SIDE_KING_WORTH, LONE_SIDE_KING_WORTH, SIDE_QUEEN_WORTH = 10, 6, 3
NO_TRUMP_CARD_WORTH = 2  # in no-trump deals each card below the ace adds this
UNITS = 20
CAUTION = 17  # 0.85 in twentieths: bids promise this share of the expected tricks
LARGEST_BOARD_HAND = 2
RAINBOW_BIDS = below(N_PLAIN_BIDS)

# Merit of leads.
ACE_MERIT, JOKER_MERIT = 30, 8


@kernel
def expected_tricks(view: Any) -> int:
    """Return the expected tricks of the observer's hand in twentieths."""
    hand = view.hands[view.observer]
    worth = 0
    if has(hand, BIG_JOKER):
        worth += BIG_JOKER_WORTH
    if has(hand, LITTLE_JOKER):
        worth += LITTLE_JOKER_WORTH
    n_trumps = n_bits(hand & view.trumps) if view.trump != NO_TRUMP else 0
    for suit in range(N_SUITS):
        cards = (hand & SUIT_MASK[suit]) >> np.uint64(N_RANKS * suit)
        n_held = n_bits(cards)
        for rank in range(N_RANKS):
            if has(cards, rank):
                if suit == view.trump:
                    is_long = rank < JACK and n_trumps >= LONG_TRUMPS
                    worth += LONG_LOW_TRUMP_WORTH if is_long else TRUMP_WORTH[rank]
                else:
                    worth += _side_worth(rank, n_held)
                    if view.trump == NO_TRUMP and rank < ACE:
                        worth += NO_TRUMP_CARD_WORTH
    return worth


@kernel
def _side_worth(rank: int, n_held: int) -> int:
    """Return the worth of a side card in a suit of which `n_held` cards are held."""
    if rank == ACE:
        return LONG_SIDE_ACE_WORTH if n_held >= LONG_SUIT else SIDE_ACE_WORTH
    if rank == KING:
        return LONE_SIDE_KING_WORTH if n_held == 1 else SIDE_KING_WORTH
    return SIDE_QUEEN_WORTH if rank == QUEEN else 0


@kernel
def nearest_number(legal_bids: np.uint64, number: int) -> int:
    """Return the legal number nearest to `number`, a lower one first; 0 is the pass, -1 if no number is legal."""
    numbers = legal_bids & BIDS_WITHOUT_BOARD
    lower = numbers & below(number + 1)
    if lower != ZERO:
        return highest(lower)
    return lowest(numbers) if numbers != ZERO else -1


@kernel
def announced(rules: Any, legal_bids: np.uint64, bid: int) -> int:
    """Return the bid with the rainbow announced, as a higher number if the rules ask for one, if that is legal."""
    if bid > ALL_TRICKS:
        return bid
    rainbow_bids = legal_bids >> np.uint64(RAINBOW - PASS)
    if has(rainbow_bids, bid - PASS):
        return bid + N_PLAIN_BIDS
    if rules.rainbow == REQUIRED and rainbow_bids & BIDS_WITHOUT_BOARD != ZERO:
        return RAINBOW + nearest_number(rainbow_bids, bid - PASS)
    return bid


@kernel
def simple_bid(rules: Any, view: Any, legal_bids: np.uint64) -> int:
    """Return what `simple` does outside the play; without seeing its hand it passes."""
    if has(legal_bids, REDEAL - PASS):
        return REDEAL
    if has(legal_bids, NO_RAISE - PASS):
        return NO_RAISE
    hand = view.hands[view.observer]
    worth = expected_tricks(view)
    n = np.int64(view.hand_size)
    bid = -1
    if hand != ZERO and n <= LARGEST_BOARD_HAND and worth >= CAUTION * n:
        if has(legal_bids, ALL_TRICKS - PASS):
            bid = ALL_TRICKS
        elif has(legal_bids, n):
            bid = PASS + n
    if bid < 0:
        number = nearest_number(legal_bids, CAUTION * worth // (UNITS * UNITS))
        bid = PASS + (number if number >= 0 else lowest(legal_bids))
    if legal_bids >> np.uint64(RAINBOW - PASS) & RAINBOW_BIDS == ZERO or not is_rainbow(rules, view, hand):
        return bid
    return announced(rules, legal_bids, bid)


@kernel
def _merit(trumps: np.uint64, card: int) -> int:
    """Return how gladly `simple` leads a card."""
    if card >= LITTLE_JOKER:
        return JOKER_MERIT
    rank = card % N_RANKS
    if rank == ACE:
        return ACE_MERIT
    return rank - 8 if has(trumps, card) else 13 - rank


@kernel
def weakest(trumps: np.uint64, cards: np.uint64) -> int:
    """Return the weakest card: non-trumps by rank, then trumps; the lowest id on ties."""
    plain = cards & ~trumps
    if plain == ZERO:
        return lowest(cards)
    best = lowest(plain)
    for suit in range(1, N_SUITS):
        of_suit = plain & SUIT_MASK[suit]
        if of_suit != ZERO and lowest(of_suit) % N_RANKS < best % N_RANKS:
            best = lowest(of_suit)
    return best


@kernel
def _simple_lead(trumps: np.uint64, legal: np.uint64) -> int:
    best = lowest(legal)
    best_merit = _merit(trumps, best)
    rest = legal & (legal - ONE)
    while rest != ZERO:
        card = lowest(rest)
        rest &= rest - ONE
        if _merit(trumps, card) > best_merit:
            best = card
            best_merit = _merit(trumps, card)
    return best


@kernel
def _partner_suffices(rules: Any, view: Any, led_group: np.uint64, trumps: np.uint64, is_last: bool) -> bool:
    """Say whether partner holds the trick well enough to leave it to him."""
    if rules.side[view.trick_holder] != rules.side[view.observer]:
        return False
    card = np.int64(view.trick_card)
    return is_last or has(trumps, card) or (has(led_group, card) and card % N_RANKS >= KING)


@kernel
def simple_play(rules: Any, view: Any, legal: np.uint64) -> int:
    """Return the card of `simple`."""
    trumps = view.trumps if view.trump != NO_TRUMP else JOKERS
    if view.n_in_trick == 0:
        return _simple_lead(trumps, legal)
    led_group = suit_group(trumps, np.int64(view.led)) if view.led >= 0 else ZERO
    winners = winning_cards(view, legal)
    is_last = view.n_in_trick == rules.players - 1
    if winners == ZERO or _partner_suffices(rules, view, led_group, trumps, is_last):
        return weakest(trumps, legal)
    if not is_last and winners & led_group != ZERO:
        return highest(winners & led_group)
    trump_winners = winners & trumps
    plain_winners = winners & ~trumps
    return lowest(plain_winners) if plain_winners != ZERO else lowest(trump_winners)


@kernel
def simple_action(rules: Any, view: Any, cards: np.uint64, bids: np.uint64) -> int:
    """Return the action of `simple` for the View's observer.

    Args:
        rules: record of dtype RULES.
        view: record of dtype STATE, a View with high twos in the jokers' places.
        cards, bids: what is legal.
    """
    return simple_bid(rules, view, bids) if bids != ZERO else simple_play(rules, view, cards)
