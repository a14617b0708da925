"""What a deal leaves behind: points with rainbows and bags, and what goes on to the next deal (section 15)."""

from dataclasses import dataclass

from oracle.options import members, side_of
from oracle.scoring import Result


@dataclass
class Settlement:
    """A deal's result with each seat's rainbow bonus, and its bags and points owed from before the deal."""

    result: Result
    bonus: list[int]
    bags: list[int]
    carried: list[int]

    def units(self) -> list[list[int]]:
        """Return the seats that count together: sides, or with `score_unit=player` each seat."""
        options = self.result.options
        seats = range(options["players"])
        if options["score_unit"] == "player":
            return [[seat] for seat in seats]
        return [members(options, side) for side in sorted({side_of(options, seat) for seat in seats})]

    def own_points(self) -> list[int]:
        """Return for each seat what its unit has scored."""
        found = [0] * self.result.options["players"]
        for unit in self.units():
            bids = sum(self.result.points(part) for part in self.result.units() if set(part) <= set(unit))
            extra = sum(self.bonus[seat] + self.carried[seat] for seat in unit)  # BA-111
            for seat in unit:
                found[seat] = bids + extra - self.bag_penalty(unit)
        return found

    def points(self) -> list[int]:
        """Return for each seat what its side has scored."""
        options, own = self.result.options, self.own_points()
        if options["score_unit"] == "side":
            return own
        return [sum(own[other] for other in members(options, side_of(options, seat))) for seat in range(len(own))]

    def bag_count(self, unit: list[int]) -> int:
        """Return the bags of a unit with those of this deal (BAW-17)."""
        if self.result.options["bag_limit"] is None:
            return self.bags[unit[0]]
        new = sum(self.result.overtricks(part) for part in self.result.units() if set(part) <= set(unit))
        return self.bags[unit[0]] + new

    def is_over_limit(self, unit: list[int]) -> bool:
        """Return whether the unit's bags have become too many."""
        limit = self.result.options["bag_limit"]
        return limit is not None and self.bag_count(unit) > limit

    def bag_penalty(self, unit: list[int]) -> int:
        """Return what the unit pays for its bags in this deal."""
        return self.result.options["bag_penalty"] if self.is_over_limit(unit) else 0

    def bags_after(self) -> list[int]:
        """Return the bags of each seat after the deal; the limit is taken off once."""
        found = list(self.bags)
        for unit in self.units():
            count = self.bag_count(unit)
            for seat in unit:
                found[seat] = count - self.result.options["bag_limit"] if self.is_over_limit(unit) else count
        return found
