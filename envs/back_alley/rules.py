"""The rules of a game as data: every option of the specification, the named presets, and the record kernels read.

Presets are differences from `partnership`; none has code of its own. An option is found by its name: in `options` with
its values and clauses, in `constraints` where it excludes another one, and in the kernels of its topic:

| topic | options | module |
|---|---|---|
| trumps, jokers, high twos, redeals | `trump_source` … `void_dealer` | `deal` |
| bids, first lead | `all_tricks_bid` … `boston_rank`, `rainbow_leads` …, `all_pass` | `bidding`, `first_lead` |
| rainbows | `rainbow` … `rainbow_thrown_in` | `rainbow` |
| card play | `lead_rule` … `bb_partner`, `no_trump_joker`, `boston_trump_lead` | `play` |
| points | `score` … `bag_penalty`, `board_unit`, `opponents_of_board` … | `scoring` |
| matches | `schedule` … `constant_deals`, `first_dealer`, `game_tie`, `redeal_dealer` … | `episode` |
| hidden hands | `blind_sizes` | `view` |

>>> Rules.preset("gamerules").n_deals
25
>>> Rules.preset("partnership", turning_deals=1).hand_sizes[11:14]
(2, 1, 2)
>>> Rules.preset("big_little", players=6).hand_max
9
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from backalley.envs.back_alley.constraints import MAX_LIST, check_constraints
from backalley.envs.back_alley.options import (
    LADDER_LEVELS,
    OPTIONS,
    PRESETS,
    RAINBOW_POINTS,
    RAISE_LEVELS,
    Fit,
)
from backalley.envs.cards import JOKERS, N_RANKS, N_SUITS, SUIT_MASK
from backalley.envs.options import Option, option_value
from backalley.envs.rule_set import Records, RuleSet, new_records

MAX_SEATS = 6
MAX_SCHEDULE = MAX_LIST
"""Hand sizes that the record holds; only a constant schedule is longer."""

_NUMBERS = (
    "redeal_min_cards",
    "void_min_cards",
    "all_max_cards",
    "boston_min_cards",
    "board_unit",
    "solo_board_bonus",
    "one_card_board",
    "bag_penalty",
)

RULES = np.dtype(
    [
        ("pack", np.uint64),  # the cards of the pack
        ("pack_size", np.int8),
        ("players", np.int8),
        ("n_sides", np.int8),
        ("side", np.int8, (MAX_SEATS,)),  # side of each seat
        ("first_dealer", np.int8),  # -1 random
        ("hand_max", np.int8),
        ("n_deals", np.int16),
        ("hand_sizes", np.int8, (MAX_SCHEDULE,)),  # a constant schedule repeats its only size
        ("board_multiple_cap", np.int8),  # players if there is no cap
        ("board_multiples", np.int16, (MAX_SEATS,)),  # by level, from 1
        ("rainbow_sizes", np.uint64),  # bit n: hands of n cards can be rainbows
        ("rainbow_points", np.int16, (N_RANKS + 1,)),  # by hand size
        ("blind_sizes", np.uint64),  # bit n: hands of n cards are bid unseen
        ("cut_sizes", np.uint64),  # bit n: deals of n cards are cut for trumps
        ("number_cap", np.int8),  # the largest hand if there is none
        ("n_levels", np.int8),  # of all-tricks bids, 0 if they all are alike
        ("has_special_blocks", np.bool_),  # of the observation: those that only some rule sets have
        ("bag_limit", np.int16),  # -1 if there is none
    ]
    + [(name, np.int16) for name in _NUMBERS]
    + [(name, np.int8) for name, option in OPTIONS.items() if option.values],
    align=True,
)
"""What kernels read: derived numbers, and each yes/no option as such, each other one with named values as the index
of its value in `OPTIONS`."""

_PACKS = {
    "std54": int(SUIT_MASK.sum()) | int(JOKERS),
    "std52": int(SUIT_MASK.sum()),
    "short42": sum((((1 << N_RANKS) - 8) << N_RANKS * suit) for suit in range(N_SUITS)) | int(JOKERS),
}
_SIDES: dict[str, Callable[[int], int]] = {
    "pairs": lambda seat: seat % 2,
    "individual": lambda seat: seat,
    "two_teams_of_3": lambda seat: seat % 2,
    "three_teams_of_2": lambda seat: seat % 3,
}


@dataclass(frozen=True)
class Rules(RuleSet):
    """All options of section 20, in its order; the defaults are those of `partnership`.

    Yes/no options take bools (and the words on, off, yes, no). Instances are immutable, hashable and comparable.
    `hand_sizes` always holds the sizes of a match's deals in order (BA-12 to BA-15, BAW-1); it is given with
    `schedule="list"` only.

    Raises:
        InvalidRules: an option has a value the specification does not know, or two options exclude each other.
    """

    OPTIONS: ClassVar[Mapping[str, Option]] = OPTIONS
    PRESETS: ClassVar[Mapping[str, Mapping[str, Any]]] = PRESETS

    deck: str = "std54"
    players: int = 4
    sides: str = "pairs"
    first_dealer: str | int = "random"
    schedule: str = "down_up"
    hand_sizes: tuple[int, ...] = ()
    hand_max: int = 13
    hand_min: int = 1
    turning_deals: int = 2
    constant_deals: int = 26
    trump_source: str = "turn_up"
    no_stock_trump: str = "cut"
    cut_min_cards: int | None = None
    joker_turned: str = "exchange"
    no_trump_joker: str = "sole_trump"
    no_trump_joker_lead: str = "free"
    high_two: str = "none"
    no_trump_high_two: str = "plain"
    redeal_right: bool = False
    redeal_min_cards: int = 6
    redeal_timing: str = "before_bidding"
    redeal_dealer: str = "same"
    void_redeal: bool = False
    void_min_cards: int = 7
    void_dealer: str = "same"
    all_tricks_bid: str = "board"
    board_multiple_cap: int | None = None
    board_unit: int = 10
    board_multiples: tuple[int, ...] = (1, 2, 3, 4, 5, 6)
    board_leader: str = "last"
    all_max_cards: int = 5
    ladder_repeat_one: bool = True
    solo_board_bonus: int = 0
    solo_board_bonus_one_card: bool = True
    one_card_board: int = 13
    solo_one_card_pass: str = "zero"
    number_max: str = "auto"
    number_cap: int | None = None
    side_bid_cap: str = "none"
    dealer_hook: bool = False
    opponents_of_board: str = "normal"
    double_board_leader: str = "raiser"
    all_tricks_tie: str = "earliest"
    first_lead: str = "highest_bid"
    boston: bool = False
    boston_min_cards: int = 7
    boston_rank: str = "below_board"
    boston_trump_lead: bool = False
    rainbow: str = "off"
    rainbow_sizes: tuple[int, ...] = (4,)
    rainbow_points: tuple[tuple[int, int], ...] = RAINBOW_POINTS
    rainbow_reveal: str = "bid_turn"
    rainbow_leads: bool = True
    rainbow_over_board: bool = True
    rainbow_joker: str = "trump_suit"
    rainbow_thrown_in: str = "void"
    blind_sizes: tuple[int, ...] = ()
    all_pass: str = "next_dealer"
    lead_rule: str = "broken"
    broken_by: str = "any_trump"
    board_trump_lead: str = "bidder"
    follow: str = "plain"
    blooper_force: str = "both"
    bb_partner: str = "highest"
    score: str = "five_one"
    score_unit: str = "side"
    five_under_made: bool = False
    bag_limit: int | None = None
    bag_penalty: int = 100
    game_tie: str = "draw"

    def __post_init__(self) -> None:
        """Bring each value to its one form, then refuse what is impossible."""
        self._normalise()
        check_constraints(self, self.pack.bit_count())
        if self.schedule == "list":
            object.__setattr__(self, "hand_max", max(self.hand_sizes))
        else:
            object.__setattr__(self, "hand_sizes", self._schedule())

    @classmethod
    def _complete(cls, options: dict[str, Any]) -> dict[str, Any]:
        """Return the options with the largest hand that fits the pack where a preset asks for it."""
        if isinstance(options.get("hand_max"), Fit):
            players = option_value("players", OPTIONS["players"], options.get("players", 4))
            deck = option_value("deck", OPTIONS["deck"], options.get("deck", "std54"))
            options["hand_max"] = min(options["hand_max"].cap, _PACKS[deck].bit_count() // players)
        return options

    @property
    def n_sides(self) -> int:
        """How many sides score."""
        return len({self.side_of(seat) for seat in range(self.players)})

    def _schedule(self) -> tuple[int, ...]:
        """Return the hand size of each deal of a match, in order (BA-12 to BA-15, BAW-2)."""
        down = list(range(self.hand_max, self.hand_min - 1, -1))
        up = down[::-1]
        if self.schedule == "constant":
            return (self.hand_max,) * self.constant_deals
        if self.schedule == "down":
            return tuple(down + down[-1:] * (self.turning_deals - 1))
        first, second = (down, up) if self.schedule == "down_up" else (up, down)
        return tuple(first + second[2 - self.turning_deals :])

    @property
    def can_cut(self) -> bool:
        """Whether some deal of a match may be cut for trumps (BA-22, BAW-3)."""
        return any(self.is_cut(size) for size in set(self.hand_sizes))

    def is_cut(self, hand_size: int) -> bool:
        """Say whether a deal of that size is cut for trumps (BA-22, BAW-3)."""
        if self.trump_source != "turn_up":
            return False
        has_stock = self.players * hand_size < self.pack.bit_count()
        if self.cut_min_cards is not None and hand_size >= self.cut_min_cards:
            return True
        return not has_stock and self.no_stock_trump == "cut"

    @property
    def n_levels(self) -> int:
        """How many levels all-tricks bids have, 0 if they all are alike (section 7)."""
        levels = {
            "board": self.board_multiple_cap or self.players,
            "raise_board": RAISE_LEVELS,
            "ladder": LADDER_LEVELS,
        }
        return levels.get(self.all_tricks_bid, 0)

    @property
    def n_deals(self) -> int:
        """Number of deals of a match."""
        return len(self.hand_sizes)

    @property
    def pack(self) -> int:
        """The cards of the pack as a bit set."""
        return _PACKS[self.deck]

    def side_of(self, seat: int) -> int:
        """Return the side of a seat (BA-9)."""
        return _SIDES[self.sides](seat)

    def as_dict(self) -> dict[str, Any]:
        """Return all options by name, as JSON can hold them; without those the schedule does not read."""
        options = super().as_dict()
        del options["hand_max" if self.schedule == "list" else "hand_sizes"]
        return options

    def record(self) -> Records:
        """Return the rules as kernels read them: a (1,) array of dtype `RULES`."""
        record = new_records(1, RULES)
        row = record[0]
        for name, option in OPTIONS.items():
            if option.values:
                value = getattr(self, name)
                row[name] = value if isinstance(value, bool) else option.values.index(value)
        for name in _NUMBERS:
            row[name] = getattr(self, name)
        row["pack"] = self.pack
        row["pack_size"] = self.pack.bit_count()
        row["players"] = self.players
        row["n_sides"] = self.n_sides
        row["side"][: self.players] = [self.side_of(seat) for seat in range(self.players)]
        row["first_dealer"] = -1 if self.first_dealer == "random" else self.first_dealer
        row["hand_max"] = self.hand_max
        row["n_deals"] = self.n_deals
        sizes = self.hand_sizes[:MAX_SCHEDULE]
        row["hand_sizes"][:] = sizes + sizes[-1:] * (MAX_SCHEDULE - len(sizes))
        row["board_multiple_cap"] = self.board_multiple_cap or self.players
        multiples = self.board_multiples[:MAX_SEATS]
        row["board_multiples"][:] = multiples + multiples[-1:] * (MAX_SEATS - len(multiples))
        if self.rainbow != "off":
            row["rainbow_sizes"] = sum(1 << n for n in self.rainbow_sizes)
            for n, points in self.rainbow_points:
                row["rainbow_points"][n] = points
        row["blind_sizes"] = sum(1 << n for n in self.blind_sizes)
        row["cut_sizes"] = sum(1 << n for n in set(self.hand_sizes) if self.is_cut(n))
        row["number_cap"] = self.number_cap or N_RANKS
        row["n_levels"] = self.n_levels
        row["has_special_blocks"] = (
            self.can_cut
            or bool(self.blind_sizes)
            or self.redeal_right
            or self.all_tricks_bid == "raise_board"
            or self.lead_rule == "high_two_run"
        )
        row["bag_limit"] = self.bag_limit or -1
        return record
