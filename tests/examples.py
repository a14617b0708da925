"""The worked examples of the specification (section 23) and its supplement, as data, and how one is checked.

An `Example` is a full deal: the hands that matter (free places are filled, always in the same way) and a
script with one command a line, checked from top to bottom:

    trump H | trump NT         trumps of the deal
    turn-up LB | turn-up none  the card turned up
    cut 2D | cut none          the card cut
    discarded BB               joker exchanged, or none
    burned LB BB               jokers put under the stock, or none
    stock 2                    how many cards are left over
    holds S 4D, lacks S LB     what is in a hand
    legal AC 3H                all legal moves; 1..12 stands for twelve numbers
    do 1 pass AC ...           bids and plays, by whoever is to act
    turn N | turn none         who is to act
    phase thrown_in            redeal_offer, bid, raise, play, thrown_in, scored
    next-dealer N              who deals next
    level E 2                  level of a seat's all-tricks bid
    rainbows N E               whose rainbow was announced or shown, or none
    run N | run none           who is on the run of the two of spades
    tricks 1 0 0 0             tricks won, by seat
    suppose 5 0 0 0            pretend the deal ended with these tricks
    points NS 50 EW -100       points of the sides (of every seat, or by seats)
    own N 20 S -10             points that seats scored themselves
    bags NS 3                  bags after the deal
    carried N 40               what is still owed for rainbows of hands thrown in
    never E 3C 4C              cards the seat has shown not to hold ...
    perhaps E 2H               ... and cards it may still hold
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from adapters import AnyDeal

SEATS = "NESW"
Options = dict[str, Any]


@dataclass(frozen=True)
class Example:
    """One example: `id` as in the specification, with a letter where it has several cases."""

    id: str
    script: str
    hands: dict[str, str] = field(default_factory=dict)
    n: int = 0  # 0: as many as the longest hand given
    dealer: str = "W"
    top: str = ""  # the first cards of the stock
    cut: str | None = None  # the card that a cut exposes
    bags: tuple[int, ...] = ()  # of each seat before the deal
    options: Options = field(default_factory=dict)

    @property
    def hand_size(self) -> int:
        """Cards dealt to each player."""
        return self.n or max(len(hand.split()) for hand in self.hands.values())

    @property
    def players(self) -> int:
        """Number of seats."""
        return self.options.get("players", 4)

    def deck(self, pack: set[str]) -> list[str]:
        """Return a deck that deals the hands and the top of the stock that are asked for."""
        n_dealt = self.players * self.hand_size
        places: list[str | None] = [None] * len(pack)
        first = (seat_of(self.dealer) + 1) % self.players
        for name, hand in self.hands.items():
            at = (seat_of(name) - first) % self.players
            for card in hand.split():
                places[at] = card
                at += self.players
        for at, card in enumerate(self.top.split(), start=n_dealt):
            places[at] = card
        rest = sorted(pack - set(places))
        deck = [card or rest.pop() for card in places]
        assert sorted(deck) == sorted(pack), f"{self.id}: a card is given twice"
        return deck


@dataclass(frozen=True)
class ScheduleExample:
    """Hand sizes of some deals, by number from 1, and how many deals there are."""

    id: str
    options: Options
    n_deals: int
    sizes: dict[int, int] = field(default_factory=dict)


@dataclass(frozen=True)
class PackExample:
    """How many cards a pack has, and which ranks of spades."""

    id: str
    options: Options
    n_cards: int
    ranks: str
    jokers: bool = True


def seat_of(name: str) -> int:
    """Return the seat called N, E, S, W or by its number."""
    return SEATS.index(name) if name in SEATS else int(name)


def run(example: Example, make: Callable[..., AnyDeal], pack: set[str]) -> None:
    """Play the script of an example on an implementation and check what it claims."""
    deck, dealer = example.deck(pack), seat_of(example.dealer)
    bags = list(example.bags) or None
    deal = make(example.options, deck, dealer, example.hand_size, cut=example.cut, bags=bags, carried=None)
    for line in example.script.strip().splitlines():
        command, *words = line.split()
        if command == "do":
            for move in words:
                assert move in deal.legal(), f"{example.id}: {move} in {line!r}"
                deal.play(move)
        elif command == "suppose":
            deal.suppose(_numbers(words))
        else:
            found, expected = _compared(deal, command, words)
            assert found == expected, f"{example.id}: {line.strip()!r}, but found {found}"


WORDS = {"trump": "trump", "turn-up": "turn_up", "cut": "cut", "discarded": "discarded", "phase": "phase"}
SEATS_OF = {"turn": "turn", "run": "run", "next-dealer": "next_dealer"}
BY_SEAT = {"points": "points", "own": "own_points", "bags": "bags_after", "carried": "carried_after"}
"""Command → property of `AnyDeal` that is a word, a seat, a number for each seat."""


def _compared(deal: AnyDeal, command: str, words: list[str]) -> tuple[object, object]:
    """Return what the implementation says and what the script claims."""
    if command in ("holds", "lacks", "never", "perhaps"):
        seat, cards = seat_of(words[0]), set(words[1:])
        there = deal.hand(seat) if command in ("holds", "lacks") else deal.cannot_hold(seat)
        return cards & there, cards if command in ("holds", "never") else set()
    if command == "level":
        return deal.level(seat_of(words[0])), int(words[1])
    if command in BY_SEAT:
        return _by_seat(getattr(deal, BY_SEAT[command]), words)
    if command == "legal":
        return deal.legal(), {move for word in words for move in _moves(word)}
    if command == "tricks":
        return deal.tricks_won, _numbers(words)
    none = words[0] in ("none", "NT")
    if command in SEATS_OF:
        return getattr(deal, SEATS_OF[command]), None if none else seat_of(words[0])
    if command == "burned":
        return deal.burned, set(words) - {"none"}
    if command == "rainbows":
        return deal.rainbows, set() if none else {seat_of(word) for word in words}
    if command == "stock":
        return len(deal.stock), int(words[0])
    return getattr(deal, WORDS[command]), None if none else words[0]


def _numbers(words: list[str]) -> list[int]:
    return [int(word) for word in words]


def _moves(word: str) -> list[str]:
    low, dots, high = word.partition("..")
    return [str(number) for number in range(int(low), int(high) + 1)] if dots else [word]


def _by_seat(points: list[int], words: list[str]) -> tuple[object, object]:
    if not words[0].isalpha():
        return points, _numbers(words)
    expected = {
        seat_of(seat): int(value) for seats, value in zip(words[::2], words[1::2], strict=True) for seat in seats
    }
    return {seat: points[seat] for seat in expected}, expected
