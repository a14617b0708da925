"""A Back Alley game of OpenSpiel: its parameters, and the bounds of what can happen."""

from __future__ import annotations

from typing import Any

from backalley.envs.api.open_spiel_positions import Outcomes, Setup
from backalley.envs.back_alley.deal import MAX_EXPOSED
from backalley.envs.back_alley.game import BACK_ALLEY
from backalley.envs.back_alley.options import BOSTON_TRICKS, OPTIONS
from backalley.envs.back_alley.scoring import BOSTON_POINTS, POINTS_PER_BID_TRICK, board_points
from backalley.envs.cards import JOKERS, cards_of
from backalley.envs.errors import unknown
from backalley.envs.rule_set import Records


class DealSetup(Setup):
    """What the positions of a Back Alley game share: see `open_spiel` for its parameters."""

    game = BACK_ALLEY

    def __init__(self, parameters: dict[str, Any]) -> None:
        super().__init__(parameters)
        sizes = self.rules.hand_sizes
        size, dealer = parameters["hand_size"], parameters["dealer"]
        if size and size not in sizes:
            raise ValueError(f"hand_size={size} is not in the schedule: choose from {sorted(set(sizes))}, or 0 for any")
        if not -1 <= dealer < self.players:
            raise ValueError(f"dealer={dealer} does not exist: choose 0 to {self.players - 1}, or -1 for the rules'")
        if parameters["max_redeals"] < 0:
            raise ValueError(f"max_redeals={parameters['max_redeals']} must be 0 or more")
        self.max_redeals: int = parameters["max_redeals"]
        self.hand_size: int = size or (sizes[0] if len(set(sizes)) == 1 else 0)
        """Cards dealt to each seat, 0 if chance draws them."""
        self.dealer: int = self.rules.first_dealer if dealer < 0 and self.rules.first_dealer != "random" else dealer
        """Who deals, -1 if chance draws it."""
        self.sizes: Outcomes = [(n, sizes.count(n) / len(sizes)) for n in sorted(set(sizes))]
        self.largest = self.hand_size or max(sizes)
        plain = cards_of(self.rules.pack & ~int(JOKERS))
        self.cuts: Outcomes = [(card, 1.0 / len(plain)) for card in plain]

    def _settings(self) -> Records:
        return self.game.settings("deal", self.reward, max_redeals=0)

    @property
    def n_tricks(self) -> int:
        """Tricks of the largest deal, see `Setup`."""
        return self.largest

    @property
    def is_zero_sum(self) -> bool:
        """Whether the returns of all seats add up to zero."""
        return bool(self.reward == "difference" or (self.reward == "win" and self.rules.n_sides == 2))

    def bounds(self) -> tuple[float, float]:
        """Return numbers that no seat's return is below or above; hardly any deal reaches them."""
        if self.reward not in self.game.rewards:
            raise unknown("reward kind", self.reward, self.game.rewards)
        if self.reward == "win":
            return -1.0, 1.0
        most, least = self._most(), self._least()
        return (-least, most) if self.reward == "points" else (-least - most, most + least)

    def _boards(self) -> int:
        """Return the most that an all-tricks bid, or a boston, wins or loses."""
        if self.rules.all_tricks_bid == "none":
            boards = [0]
        else:
            levels = range(1, max(self.rules.n_levels, 1) + 1)
            sizes = [self.hand_size] if self.hand_size else [size for size, _ in self.sizes]
            boards = [int(board_points(self.record[0], size, level)) for size in sizes for level in levels]
        return max(*boards, BOSTON_POINTS + self.largest - BOSTON_TRICKS if self.rules.boston else 0)

    def _points_per_trick(self) -> int:
        return int(POINTS_PER_BID_TRICK[OPTIONS["score"].values.index(self.rules.score)])

    def _units(self) -> tuple[int, int]:
        """Return how many units of a side can be scored by themselves (section 15), and the seats of a side."""
        members = self.players // self.rules.n_sides
        alone = self.rules.score_unit == "player" or self.rules.all_tricks_bid == "ladder"
        return members if alone else 1, members

    def _rainbows(self) -> int:
        points = max((points for _, points in self.rules.rainbow_points), default=0)
        return 0 if self.rules.rainbow == "off" else points * self._units()[1]

    def _most(self) -> float:
        """Return at least what any side can win: numbers or boards of its units, and rainbows, old ones included."""
        unit = self._points_per_trick()
        numbers = max(unit * self.largest, 2 * self.largest, self.largest + 10)
        return float(self._units()[0] * max(numbers, self._boards()) + self._rainbows() * (1 + self.max_redeals))

    def _least(self) -> float:
        """Return at least what any side can lose: numbers of all its seats or boards, rainbows, overtricks."""
        units, members = self._units()
        numbers = max(self._points_per_trick(), 2) * self.largest * members
        penalty = self.rules.bag_penalty if self.rules.bag_limit else 0
        return float(units * (max(numbers, self._boards()) + penalty) + self._rainbows())

    def game_length(self) -> int:
        """Return at least as many decisions as any deal takes, hands thrown in before it included."""
        before = 3 * self.players  # asked for a redeal, bid, asked to raise
        return before * (1 + self.max_redeals) + self.players * self.largest

    def chance_length(self) -> int:
        """Return how many chance nodes a game has at most."""
        cards = 1 if self.n_decks else self.players * self.largest + MAX_EXPOSED
        return 2 + cards * (1 + self.max_redeals)
