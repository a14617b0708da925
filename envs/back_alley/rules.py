"""The rules of a game as data: every option of the specification, the named presets, and the record kernels read.

`Rules` holds all options of section 20. A value that is specified but not built yet is refused with `NotBuilt`, so that
nobody plays by other rules than he asked for. Presets are differences from `partnership`; none has code of its own.

>>> Rules.preset("gamerules").n_deals
25
>>> Rules.preset("partnership", turning_deals=1).hand_sizes[11:14]
(2, 1, 2)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

import numpy as np

from backalley.envs.back_alley.options import BUILT, OPTIONS, PRESETS, RAINBOW_POINTS, option_value
from backalley.envs.cards import JOKERS, N_RANKS, N_SUITS, SUIT_MASK
from backalley.envs.errors import InvalidRules, NotBuilt, unknown
from backalley.envs.game import Records, new_records

MAX_SEATS = 6
MAX_SCHEDULE = 2 * N_RANKS  # deals of the longest schedule that is not constant

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
    ]
    + [(name, np.int8) for name, option in OPTIONS.items() if option.values],
    align=True,
)
"""What kernels read: derived numbers, and each option with named values as the index of its value in `OPTIONS`."""

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
_PLAYERS_OF_SIDES = {
    "pairs": (4,),
    "two_teams_of_3": (6,),
    "three_teams_of_2": (6,),
    "individual": (2, 3, 4, 5, 6),
}


@dataclass(frozen=True)
class Rules:
    """All options of section 20, in its order; the defaults are those of `partnership`.

    Yes/no options take bools (and the words on, off, yes, no). Instances are immutable, hashable and comparable.

    Raises:
        InvalidRules: an option has a value the specification does not know, or two options exclude each other.
        NotBuilt: the value is specified but the engine does not play it yet.
    """

    deck: str = "std54"
    players: int = 4
    sides: str = "pairs"
    first_dealer: str | int = "random"
    schedule: str = "down_up"
    hand_max: int = 13
    turning_deals: int = 2
    constant_deals: int = 26
    trump_source: str = "turn_up"
    no_stock_trump: str = "cut"
    joker_turned: str = "exchange"
    no_trump_joker: str = "sole_trump"
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
    all_max_cards: int = 5
    ladder_repeat_one: bool = True
    solo_board_bonus: int = 0
    solo_board_bonus_one_card: bool = True
    solo_one_card_pass: str = "zero"
    number_max: str = "auto"
    opponents_of_board: str = "normal"
    double_board_leader: str = "raiser"
    all_tricks_tie: str = "earliest"
    boston: bool = False
    boston_min_cards: int = 7
    boston_rank: str = "below_board"
    boston_trump_lead: bool = False
    rainbow: str = "off"
    rainbow_sizes: tuple[int, ...] = (4,)
    rainbow_points: tuple[tuple[int, int], ...] = RAINBOW_POINTS
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
    bb_partner: str = "highest"
    score: str = "five_one"
    score_unit: str = "side"
    five_under_made: bool = False
    game_tie: str = "draw"

    def __post_init__(self) -> None:
        """Bring each value to its one form, then refuse what is impossible or not built."""
        for name, option in OPTIONS.items():
            value = option_value(name, option, getattr(self, name))
            object.__setattr__(self, name, value)
        _check_constraints(self)
        for name, built in BUILT.items():
            value = getattr(self, name)
            if value not in built:
                raise NotBuilt(
                    f"option {name}={value!r} ({OPTIONS[name].clause}) is specified but the engine does not play it "
                    f"yet; built: {', '.join(map(repr, built))}"
                )

    @classmethod
    def preset(cls, name: str = "partnership", **overrides: Any) -> Rules:
        """Return the named rule set, with some options overridden.

        Raises:
            UnknownName: no preset, or no option, has that name.
            InvalidRules, NotBuilt: see the class.
        """
        if name not in PRESETS:
            raise unknown("preset", name, PRESETS)
        for key in overrides:
            if key not in OPTIONS:
                raise unknown("rule option", key, OPTIONS)
        try:
            return cls(**{**PRESETS[name], **overrides})
        except NotBuilt as error:
            if overrides:
                raise
            raise NotBuilt(
                f"preset {name!r} cannot be played yet: {error}; playable: {', '.join(built_presets())}"
            ) from None

    @property
    def n_sides(self) -> int:
        """How many sides score."""
        return len({self.side_of(seat) for seat in range(self.players)})

    @property
    def hand_sizes(self) -> tuple[int, ...]:
        """Hand size of each deal of a match, in order (BA-12 to BA-15)."""
        down = list(range(self.hand_max, 0, -1))
        up = down[::-1]
        if self.schedule == "constant":
            return (self.hand_max,) * self.constant_deals
        if self.schedule == "down":
            return tuple(down + [1] * (self.turning_deals - 1))
        first, second = (down, up) if self.schedule == "down_up" else (up, down)
        return tuple(first + second[2 - self.turning_deals :])

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

    def differences(self) -> dict[str, Any]:
        """Return the options that differ from `partnership`."""
        return {f.name: getattr(self, f.name) for f in fields(self) if getattr(self, f.name) != f.default}

    def as_dict(self) -> dict[str, Any]:
        """Return all options by name, as JSON can hold them."""
        return asdict(self)

    @classmethod
    def from_dict(cls, options: Mapping[str, Any]) -> Rules:
        """Return the rules with these options; the inverse of `as_dict`."""
        return cls.preset("partnership", **options)

    def record(self) -> Records:
        """Return the rules as kernels read them: a (1,) array of dtype `RULES`."""
        record = new_records(1, RULES)
        row = record[0]
        for name, option in OPTIONS.items():
            if option.values:
                row[name] = option.values.index(getattr(self, name))
        row["pack"] = self.pack
        row["pack_size"] = self.pack.bit_count()
        row["players"] = self.players
        row["n_sides"] = self.n_sides
        row["side"][: self.players] = [self.side_of(seat) for seat in range(self.players)]
        row["first_dealer"] = -1 if self.first_dealer == "random" else self.first_dealer
        row["hand_max"] = self.hand_max
        row["n_deals"] = self.n_deals
        sizes = self.hand_sizes[:MAX_SCHEDULE]
        row["hand_sizes"][:] = sizes + (sizes[-1],) * (MAX_SCHEDULE - len(sizes))
        row["board_multiple_cap"] = self.board_multiple_cap or self.players
        return record


def built_presets() -> list[str]:
    """Return the names of the presets the engine plays, in the order of section 21."""
    return [name for name in PRESETS if _is_built(PRESETS[name])]


def _is_built(options: Mapping[str, Any]) -> bool:
    try:
        Rules(**options)
    except NotBuilt:
        return False
    return True


def _check_constraints(rules: Rules) -> None:
    """Refuse combinations that section 20 or BA-18 forbid."""
    pack_size = _PACKS[rules.deck].bit_count()
    if rules.players * rules.hand_max > pack_size:
        raise InvalidRules(
            f"hand_max={rules.hand_max} with players={rules.players} needs {rules.players * rules.hand_max} cards, but "
            f"deck {rules.deck!r} has {pack_size} (BA-18): at most hand_max={min(N_RANKS, pack_size // rules.players)}"
        )
    if rules.players not in _PLAYERS_OF_SIDES[rules.sides]:
        allowed = " or ".join(map(str, _PLAYERS_OF_SIDES[rules.sides]))
        raise InvalidRules(f"sides={rules.sides!r} needs players={allowed}, not {rules.players} (BA-9)")
    if rules.first_dealer != "random" and not 0 <= int(rules.first_dealer) < rules.players:
        raise InvalidRules(f"first_dealer={rules.first_dealer} is no seat: seats are 0 to {rules.players - 1} (BA-10)")
    if rules.deck == "std52":
        for name in ("joker_turned", "bb_partner", "no_trump_joker"):
            if getattr(rules, name) != OPTIONS[name].values[0]:
                raise InvalidRules(
                    f"{name}={getattr(rules, name)!r} needs a pack with jokers, deck='std52' has none (section 20)"
                )
    elif rules.high_two != "none" or rules.all_tricks_bid == "ladder":
        raise InvalidRules(f"high_two and all_tricks_bid='ladder' need deck='std52', not {rules.deck!r} (section 20)")
    if rules.lead_rule == "high_two_run" and rules.high_two != "spade2":
        raise InvalidRules("lead_rule='high_two_run' needs high_two='spade2' (section 20)")
    if rules.all_tricks_bid == "raise_board" and rules.sides not in ("pairs", "three_teams_of_2"):
        raise InvalidRules(f"all_tricks_bid='raise_board' needs sides of two, not sides={rules.sides!r} (section 20)")
    if rules.number_max == "cards_minus_1" and rules.all_tricks_bid == "none" and 1 in rules.hand_sizes:
        raise InvalidRules(
            "number_max='cards_minus_1' with all_tricks_bid='none' leaves only pass in a deal of 1 card (BA-43): "
            "choose number_max='auto', or a schedule without such deals"
        )
