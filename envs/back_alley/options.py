"""The options of section 20, the presets of section 21, and which values the engine plays so far."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from backalley.envs.errors import InvalidRules, unknown

RAINBOW_POINTS = ((4, 40), (8, 80), (12, 120))
_SOLO_RAINBOW_POINTS = ((4, 5), (8, 10))


class Option(NamedTuple):
    """One option: its clause, its named values (empty for numbers and lists), and the range of a number."""

    clause: str
    values: tuple[Any, ...] = ()
    low: int = 0
    high: int = 0


_NO_YES = (False, True)
_YES_NO = (True, False)

OPTIONS: dict[str, Option] = {
    "deck": Option("BA-1, BA-2", ("std54", "std52", "short42")),
    "players": Option("BA-9", (), 2, 6),
    "sides": Option("BA-9", ("pairs", "individual", "two_teams_of_3", "three_teams_of_2")),
    "first_dealer": Option("BA-10"),
    "schedule": Option("BA-12 to BA-15", ("down_up", "up_down", "down", "constant")),
    "hand_max": Option("BA-12", (), 1, 13),
    "turning_deals": Option("BA-12 to BA-16", (2, 1)),
    "constant_deals": Option("BA-15", (), 1, 10_000),
    "trump_source": Option("BA-21, BA-23", ("turn_up", "fixed_spades")),
    "no_stock_trump": Option("BA-22", ("cut", "no_trump")),
    "joker_turned": Option("BA-25 to BA-29", ("exchange", "burn", "keep")),
    "no_trump_joker": Option("BA-32", ("sole_trump", "worthless")),
    "high_two": Option("BA-5, BA-24", ("none", "spade2", "diamond2", "diamond2_trump2")),
    "no_trump_high_two": Option("BA-33", ("plain", "high")),
    "redeal_right": Option("BA-36", _NO_YES),
    "redeal_min_cards": Option("BA-36", (), 1, 13),
    "redeal_timing": Option("BA-37", ("before_bidding", "own_turn")),
    "redeal_dealer": Option("BA-37", ("same", "next")),
    "void_redeal": Option("BA-38", _NO_YES),
    "void_min_cards": Option("BA-38", (), 1, 13),
    "void_dealer": Option("BA-38", ("same", "next")),
    "all_tricks_bid": Option("section 7", ("board", "raise_board", "all", "solo_board", "bort", "ladder", "none")),
    "board_multiple_cap": Option("BA-52"),
    "all_max_cards": Option("BA-56", (), 1, 13),
    "ladder_repeat_one": Option("BA-60", _YES_NO),
    "solo_board_bonus": Option("BA-107", (0, 10)),
    "solo_board_bonus_one_card": Option("BA-107", _YES_NO),
    "solo_one_card_pass": Option("BA-106", ("zero", "per_trick")),
    "number_max": Option("BA-43", ("auto", "cards_minus_1", "cards")),
    "opponents_of_board": Option("BA-110", ("normal", "zero", "tricks_only")),
    "double_board_leader": Option("BA-71", ("raiser", "first_boarder")),
    "all_tricks_tie": Option("BA-71", ("earliest", "last")),
    "boston": Option("BA-68", _NO_YES),
    "boston_min_cards": Option("BA-68", (), 1, 13),
    "boston_rank": Option("BA-70", ("below_board", "above_board")),
    "boston_trump_lead": Option("BA-76", _NO_YES),
    "rainbow": Option("BA-61 to BA-66", ("off", "required", "free", "claim")),
    "rainbow_sizes": Option("BA-61"),
    "rainbow_points": Option("BA-64, BA-65"),
    "rainbow_leads": Option("BA-70", _YES_NO),
    "rainbow_over_board": Option("BA-70", _YES_NO),
    "rainbow_joker": Option("BA-62", ("trump_suit", "never")),
    "rainbow_thrown_in": Option("BA-66", ("void", "paid")),
    "blind_sizes": Option("BA-69"),
    "all_pass": Option("BA-67", ("next_dealer", "same_dealer")),
    "lead_rule": Option("section 11", ("broken", "high_two_run", "free")),
    "broken_by": Option("BA-75", ("any_trump", "ruff_only")),
    "board_trump_lead": Option("BA-76", ("bidder", "side", "anyone")),
    "follow": Option("BA-83, BA-84", ("plain", "must_trump_over")),
    "bb_partner": Option("BA-90", ("highest", "any_trump", "lowest")),
    "score": Option("BA-95 to BA-99", ("five_one", "ten_one", "three_one", "five_under", "bid_plus_tricks")),
    "score_unit": Option("BA-44", ("side", "player")),
    "five_under_made": Option("BA-101", _NO_YES),
    "game_tie": Option("BA-114", ("draw", "extra_deal")),
}

BUILT: dict[str, tuple[Any, ...]] = {
    "deck": ("std54",),
    "players": (4,),
    "sides": ("pairs",),
    "no_trump_joker": ("sole_trump",),
    "high_two": ("none",),
    "redeal_right": (False,),
    "void_redeal": (False,),
    "all_tricks_bid": ("board", "none"),
    "boston": (False,),
    "rainbow": ("off",),
    "blind_sizes": ((),),
    "lead_rule": ("broken", "free"),
    "follow": ("plain",),
    "score": ("five_one",),
    "score_unit": ("side",),
    "game_tie": ("draw",),
}
"""Values the engine plays, for the options where that is not all of them."""

_SOLO: dict[str, Any] = {
    "deck": "std52",
    "sides": "individual",
    "schedule": "down",
    "high_two": "diamond2",
    "all_tricks_bid": "solo_board",
    "all_pass": "same_dealer",
    "lead_rule": "free",
    "follow": "must_trump_over",
    "score": "three_one",
}

PRESETS: dict[str, dict[str, Any]] = {
    "partnership": {},
    "gamerules": {"turning_deals": 1},
    "double_board": {"all_tricks_bid": "raise_board"},
    "boston": {"boston": True},
    "rainbow": {"rainbow": "required"},
    "rainbow_8_12": {"rainbow": "required", "rainbow_sizes": (4, 8, 12)},
    "rainbow_free": {"rainbow": "free", "rainbow_leads": False},
    "blind7": {
        "blind_sizes": (7,),
        "joker_turned": "burn",
        "all_tricks_bid": "none",
        "score": "bid_plus_tricks",
    },
    "individual_3": {"players": 3, "sides": "individual"},
    "individual_4": {"sides": "individual"},
    "individual_5": {"players": 5, "sides": "individual", "hand_max": 10},
    "six_2x3": {"players": 6, "sides": "two_teams_of_3", "hand_max": 8},
    "six_3x2": {"players": 6, "sides": "three_teams_of_2", "hand_max": 8},
    "bb_partner_any": {"bb_partner": "any_trump"},
    "bb_partner_lowest": {"bb_partner": "lowest"},
    "constant_13": {"schedule": "constant"},
    "two_of_spades": {
        "deck": "std52",
        "schedule": "up_down",
        "high_two": "spade2",
        "void_redeal": True,
        "all_tricks_bid": "ladder",
        "lead_rule": "high_two_run",
        "score": "ten_one",
        "score_unit": "player",
    },
    "reduced_42": {"deck": "short42", "hand_max": 10},
    "all_bid": {"deck": "std52", "all_tricks_bid": "all"},
    "spades_trumps": {"trump_source": "fixed_spades"},
    "redeal": {"redeal_right": True},
    "solo": _SOLO,
    "solo_18": {
        **_SOLO,
        "schedule": "down_up",
        "hand_max": 9,
        "solo_board_bonus": 10,
        "rainbow": "free",
        "rainbow_sizes": (4, 8),
        "rainbow_points": _SOLO_RAINBOW_POINTS,
        "rainbow_leads": False,
    },
    "solo_two_twos": {**_SOLO, "high_two": "diamond2_trump2"},
    "solo_26": {
        "deck": "std52",
        "sides": "individual",
        "all_tricks_bid": "bort",
        "score": "five_under",
        "rainbow": "claim",
        "rainbow_leads": False,
    },
}
"""What each named rule set changes against `partnership` (section 21)."""

_WORDS = {"on": True, "yes": True, "off": False, "no": False}


def option_value(name: str, option: Option, value: Any) -> Any:
    """Return `value` in its one form: bools for on/off, tuples for lists, None for no cap.

    Raises:
        InvalidRules: the option cannot have that value.
    """
    if name == "first_dealer":
        return value if value == "random" else _whole_number(name, option, value, 0, 5)
    if name == "board_multiple_cap":
        return None if value in (None, "none") else _whole_number(name, option, value, 4, 4)
    if name in ("rainbow_sizes", "blind_sizes"):
        return tuple(sorted(_whole_number(name, option, size, 1, 13) for size in _entries(name, option, value)))
    if name == "rainbow_points":
        pairs = value.items() if isinstance(value, Mapping) else value
        return tuple(sorted((int(size), int(points)) for size, points in _entries(name, option, pairs)))
    if not option.values:
        return _whole_number(name, option, value, option.low, option.high)
    if isinstance(option.values[0], bool):
        value = _WORDS.get(value, value) if isinstance(value, str) else value
    if value in option.values and type(value) is type(option.values[0]):
        return value
    if isinstance(value, str) and isinstance(option.values[0], str):
        raise InvalidRules(str(unknown(f"value of option {name} ({option.clause}):", value, option.values)))
    raise InvalidRules(
        f"option {name}={value!r} ({option.clause}) must be one of {', '.join(map(repr, option.values))}"
    )


def _entries(name: str, option: Option, value: Any) -> Iterable[Any]:
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise InvalidRules(f"option {name}={value!r} ({option.clause}) must be a list")
    return value


def _whole_number(name: str, option: Option, value: Any, low: int, high: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise InvalidRules(f"option {name}={value!r} ({option.clause}) must be a whole number from {low} to {high}")
    return value
