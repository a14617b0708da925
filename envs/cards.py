"""The pack: card numbers, their names, and sets of cards as bits.

A card is an int 0..53: `13 * suit + rank` with the suits in the order S H D C and the ranks 2 → 0 … A → 12, then the
little joker 52 and the big joker 53. Ids rise with strength inside a suit, and the jokers stand above everything, so
the highest trump of a set is its highest bit. A set of cards is a `uint64` with bit `c` set for card `c`.

>>> card_name(51), card_name(BIG_JOKER), parse_card("10S")
('AC', 'BB', 8)
>>> format_cards(parse_cards("BB AS 2S"))
'2S AS BB'
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from backalley.envs.bits import count_ones, first_one, last_one
from backalley.envs.errors import NotationError
from backalley.envs.kernel import kernel

SUITS = "SHDC"
SUIT_NAMES = ("spades", "hearts", "diamonds", "clubs")
RANKS = "23456789TJQKA"
N_SUITS = len(SUITS)
N_RANKS = len(RANKS)
LITTLE_JOKER = N_SUITS * N_RANKS  # 52
BIG_JOKER = LITTLE_JOKER + 1  # 53
N_CARDS = BIG_JOKER + 1  # 54
NO_CARD = -1
CUT_PLACE = N_CARDS  # where a deck as an array has the card that a cut before the deal exposes, NO_CARD for none
DECK_LENGTH = CUT_PLACE + 1  # of a deck as an array
NO_TRUMP = N_SUITS  # the "suit" of a deal without trumps

CARD_NAMES: tuple[str, ...] = (*(rank + suit for suit in SUITS for rank in RANKS), "LB", "BB")
"""Text of each card; `TS` for the ten. The jokers ("bloopers") are `LB` and `BB`."""

_IDS = {name: card for card, name in enumerate(CARD_NAMES)}

ZERO = np.uint64(0)
ONE = np.uint64(1)
SUIT_MASK = np.array([((1 << N_RANKS) - 1) << (N_RANKS * s) for s in range(N_SUITS)] + [0], dtype=np.uint64)
"""(5,) cards printed in each suit; the last entry, no trump, is empty."""
JOKERS = np.uint64((1 << LITTLE_JOKER) | (1 << BIG_JOKER))


def card_name(card: int) -> str:
    """Return the text of a card, such as `TS` or `BB`.

    Raises:
        NotationError: `card` is not 0..53.
    """
    if not 0 <= card < N_CARDS:
        raise NotationError(f"card {card} does not exist: cards are numbered 0 to {N_CARDS - 1}")
    return CARD_NAMES[card]


def parse_card(text: str) -> int:
    """Return the id of the card written as `text`: `9H`, `TS` or `10S`, `LB`, `BB`, in either case.

    Raises:
        NotationError: the text names no card.
    """
    name = text.strip().upper()
    if name.startswith("10"):
        name = "T" + name[2:]
    if name not in _IDS:
        raise NotationError(
            f"{text!r} is not a card: write rank and suit, such as 9H, TS (or 10S), QD, or LB and BB for the jokers"
        )
    return _IDS[name]


def parse_cards(text: str | Iterable[str]) -> list[int]:
    """Return the ids of the cards in `text`, in that order; a string is split at white space and commas."""
    words = text.replace(",", " ").split() if isinstance(text, str) else text
    return [parse_card(word) for word in words]


def cards_of(bits: int) -> list[int]:
    """Return the cards of a bit set, lowest id first."""
    return [card for card in range(N_CARDS) if int(bits) >> card & 1]


def bits_of(cards: Iterable[int]) -> int:
    """Return the bit set (a Python int) of some cards."""
    return sum(1 << card for card in set(cards))


def format_cards(cards: Iterable[int]) -> str:
    """Return the names of cards in the order of their ids, separated by spaces."""
    return " ".join(card_name(card) for card in sorted(cards))


# Kernels on sets of cards.


@kernel(inline=True)
def bit(card: int) -> np.uint64:
    """Return the set that holds only `card`."""
    return ONE << np.uint64(card)


@kernel(inline=True)
def has(bits: np.uint64, card: int) -> bool:
    """Say whether the set holds `card`."""
    return (bits >> np.uint64(card)) & ONE == ONE


@kernel(inline=True)
def n_bits(bits: np.uint64) -> int:
    """Return how many cards the set holds."""
    return count_ones(bits)


@kernel(inline=True)
def lowest(bits: np.uint64) -> int:
    """Return the lowest card of a set, 64 for the empty set."""
    return first_one(bits)


@kernel(inline=True)
def highest(bits: np.uint64) -> int:
    """Return the highest card of a set, -1 for the empty set."""
    return last_one(bits)


@kernel(inline=True)
def below(card: int) -> np.uint64:
    """Return the set of all card numbers smaller than `card` (0..63)."""
    return (ONE << np.uint64(card)) - ONE


@kernel(inline=True)
def nth(bits: np.uint64, index: int) -> int:
    """Return the card at position `index`, counted from 0 at the lowest, of a set with more than `index` cards."""
    for _ in range(index):
        bits &= bits - ONE
    return lowest(bits)
