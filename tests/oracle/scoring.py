"""Points of a deal (section 15).

What is scored is a unit: the seats of a side, or one seat of its own (`score_unit`).
"""

from dataclasses import dataclass

from oracle.bidding import number
from oracle.options import members, side_of

FIRST_TRICKS = 6
"""Tricks that a boston is about (BA-68)."""


@dataclass
class Result:
    """What the units are scored by: the bids, the level of each all-tricks bid, and each seat's tricks."""

    options: dict
    hand_size: int
    bids: dict[int, str]
    levels: dict[int, int]
    tricks_won: list[int]
    first_six: list[int]

    def units(self) -> list[list[int]]:
        """Return the seats of each unit. A 1-card deal with the ladder is everybody's own affair (BA-60)."""
        seats = range(self.options["players"])
        ladder = self.options["all_tricks_bid"] == "ladder" and self.hand_size == 1
        if self.options["score_unit"] == "player" or ladder:
            return [[seat] for seat in seats]
        sides = {side_of(self.options, seat) for seat in seats}
        return [members(self.options, side) for side in sorted(sides)]

    def points(self, unit: list[int]) -> int:
        """Return the points of a unit, without rainbows and bags."""
        tricks = sum(self.tricks_won[seat] for seat in unit)
        levels = [self.levels[seat] for seat in unit if seat in self.levels]
        if levels:  # BA-50: the highest level counts, all other bids of the unit do not
            stake = all_tricks_stake(self.options, self.hand_size, max(levels))
            return stake if tricks == self.hand_size else -stake
        if self.is_silenced(unit):  # BA-110
            return 0 if self.options["opponents_of_board"] == "zero" else self.number_points(0, tricks)
        if any(self.bids[seat] == "boston" for seat in unit):  # BA-68
            made = sum(self.first_six[seat] for seat in unit) == FIRST_TRICKS
            return 100 + tricks - FIRST_TRICKS if made else -100
        if self.is_implied_board(unit):  # BAW-15
            stake = self.options["board_unit"] * self.hand_size
            return stake if tricks == self.hand_size else -stake
        return self.number_points(self.number_bid(unit), tricks)

    def is_silenced(self, unit: list[int]) -> bool:
        """Return whether an all-tricks bid of another side keeps the unit's own bid from counting (BA-110)."""
        own_side = members(self.options, side_of(self.options, unit[0]))
        opposed = bool(self.levels) and not any(seat in self.levels for seat in own_side)
        return opposed and self.options["opponents_of_board"] != "normal"

    def is_implied_board(self, unit: list[int]) -> bool:
        """Return whether the numbers of the unit add up to a board (BAW-15)."""
        total = sum(number(self.bids[seat]) for seat in unit)
        return self.options["all_tricks_bid"] == "implied" and total == self.hand_size

    def number_bid(self, unit: list[int]) -> int:
        """Return the sum of the unit's numbers (BA-44), perhaps capped (BAW-5)."""
        total = sum(number(self.bids[seat]) for seat in unit)
        return min(total, self.hand_size) if self.options["side_bid_cap"] == "cards" else total

    def number_points(self, bid: int, tricks: int) -> int:
        """Return the points of a number bid, or of a pass: `bid` 0."""
        one_card_board = self.options["all_tricks_bid"] == "solo_board" and self.hand_size == 1
        if bid == 0 and one_card_board and self.options["solo_one_card_pass"] == "zero":  # BA-106
            return 0
        return number_points(self.options, bid, tricks)

    def overtricks(self, unit: list[int]) -> int:
        """Return the bags of the unit (BAW-17): tricks above a number or a pass that was made and scored."""
        if any(seat in self.levels or self.bids[seat] == "boston" for seat in unit) or self.is_implied_board(unit):
            return 0
        bid = self.number_bid(unit)
        if self.is_silenced(unit):
            if self.options["opponents_of_board"] == "zero":
                return 0
            bid = 0
        if self.options["score"] == "exact_ten":
            return 0
        return max(0, sum(self.tricks_won[seat] for seat in unit) - bid)


def all_tricks_stake(options: dict, hand_size: int, level: int) -> int:
    """Return what an all-tricks bid wins or loses (BA-102 to BA-109)."""
    kind = options["all_tricks_bid"]
    if kind == "board":  # BAW-6: past the end of the list its last entry
        multiples = options["board_multiples"]
        return options["board_unit"] * hand_size * multiples[min(level, len(multiples)) - 1]
    if kind == "bort":
        return options["board_unit"] * hand_size
    if kind == "raise_board":
        return {1: 10, 2: 15}[level] * hand_size
    if kind == "ladder":
        return {1: 20, 2: 30, 3: 40}[level]
    if kind == "all":
        return 25
    if hand_size > 1:  # solo_board
        return 6 * hand_size + options["solo_board_bonus"]
    bonus = options["solo_board_bonus"] if options["solo_board_bonus_one_card"] else 0  # BA-107
    return options["one_card_board"] + bonus  # BAW-16


def number_points(options: dict, bid: int, tricks: int) -> int:
    """Return the points of a number bid (BA-95 to BA-101, BAW-14)."""
    score = options["score"]
    made = tricks >= bid
    if score == "exact_ten":
        return bid + 10 if tricks == bid else tricks
    if bid == 0:  # BA-100
        return tricks
    if score == "bid_plus_tricks":  # BA-99
        return bid + tricks if made else -2 * bid
    if score == "five_under" and not made:  # BA-98, BA-101
        return -5 * (bid - tricks) + (5 * tricks if options["five_under_made"] else 0)
    each = {"five_one": 5, "five_under": 5, "ten_one": 10, "three_one": 3, "four_one": 4}[score]
    return each * bid + (tricks - bid) if made else -each * bid  # BA-95 to BA-97
