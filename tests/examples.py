"""The worked examples of the specification (section 23), as data, and how one is checked.

An `Example` is a full deal: the hands that matter (free places are filled, always in the same way) and a
script with one command a line, checked from top to bottom:

    trump H | trump NT         trumps of the deal
    turn-up LB | turn-up none  the card turned up
    discarded BB               joker exchanged, or none
    burned LB BB               jokers put under the stock, or none
    stock 2                    how many cards are left over
    holds S 4D, lacks S LB     what is in a hand
    legal AC 3H                all legal moves; 1..12 stands for twelve numbers
    do 1 pass AC ...           bids and plays, by whoever is to act
    turn N | turn none         who is to act
    phase thrown_in            bid, play, thrown_in, scored
    level E 2                  multiple of a seat's board
    tricks 1 0 0 0             tricks won, by seat
    suppose 5 0 0 0            pretend the deal ended with these tricks
    points NS 50 EW -100       points (of every seat, or by seats)
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


def seat_of(name: str) -> int:
    """Return the seat called N, E, S, W or by its number."""
    return SEATS.index(name) if name in SEATS else int(name)


def run(example: Example, make: Callable[..., AnyDeal], pack: set[str]) -> None:
    """Play the script of an example on an implementation and check what it claims."""
    deal = make(example.options, example.deck(pack), seat_of(example.dealer), example.hand_size)
    for line in example.script.strip().splitlines():
        command, *words = line.split()
        if command == "do":
            for move in words:
                assert move in deal.legal(), f"{example.id}: {move} in {line!r}"
                deal.play(move)
        elif command == "suppose":
            deal.suppose([int(word) for word in words])
        else:
            found, expected = _compared(deal, command, words)
            assert found == expected, f"{example.id}: {line.strip()!r}, but found {found}"


def _compared(deal: AnyDeal, command: str, words: list[str]) -> tuple[object, object]:
    """Return what the implementation says and what the script claims."""
    if command in ("holds", "lacks", "never", "perhaps"):
        seat, cards = seat_of(words[0]), set(words[1:])
        there = deal.hand(seat) if command in ("holds", "lacks") else deal.cannot_hold(seat)
        return cards & there, cards if command in ("holds", "never") else set()
    if command == "level":
        return deal.level(seat_of(words[0])), int(words[1])
    if command == "points":
        return _points(deal.points, words)
    if command == "legal":
        return deal.legal(), {move for word in words for move in _moves(word)}
    if command == "tricks":
        return deal.tricks_won, [int(word) for word in words]
    first = None if words[0] in ("none", "NT") else words[0]
    if command == "turn":
        return deal.turn, None if first is None else seat_of(first)
    if command == "burned":
        return deal.burned, set(words) - {"none"}
    if command == "stock":
        return len(deal.stock), int(words[0])
    attributes = {"trump": "trump", "turn-up": "turn_up", "discarded": "discarded", "phase": "phase"}
    return getattr(deal, attributes[command]), first


def _moves(word: str) -> list[str]:
    low, dots, high = word.partition("..")
    return [str(number) for number in range(int(low), int(high) + 1)] if dots else [word]


def _points(points: list[int], words: list[str]) -> tuple[object, object]:
    if not words[0].isalpha():
        return points, [int(word) for word in words]
    expected = {
        seat_of(seat): int(value) for seats, value in zip(words[::2], words[1::2], strict=True) for seat in seats
    }
    return {seat: points[seat] for seat in expected}, expected
