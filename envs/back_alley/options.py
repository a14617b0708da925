"""The options and presets of the specification, with those of the wild rule sets (BAW clauses)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from backalley.envs.errors import InvalidRules, unknown

RAINBOW_POINTS = ((4, 40), (8, 80), (12, 120))
BOSTON_TRICKS = 6
"""The first tricks, all of which a boston promises (BA-68)."""
RAISE_LEVELS = 2  # board and double board (BA-53)
LADDER_LEVELS = 3  # board, double board, triple board (BA-60)
_SOLO_RAINBOW_POINTS = ((4, 5), (8, 10))


class Option(NamedTuple):
    """One option: its clause and what it may be.

    Attributes:
        clause: where the specification says what it does.
        values: its named values, the default of `partnership` first; empty for numbers and lists.
        low, high: range of a number, or of the entries of a list.
        kind: `choice`, `number`, `number or none`, `seat`, `list` (of numbers), `set` (of numbers) or `points`
            (hand size → points).
    """

    clause: str
    values: tuple[Any, ...] = ()
    low: int = 0
    high: int = 0
    kind: str = "choice"


_NO_YES = (False, True)
_YES_NO = (True, False)
_BOARDS = ("board", "raise_board", "all", "solo_board", "bort", "ladder", "none", "implied")


def _number(clause: str, low: int, high: int) -> Option:
    return Option(clause, (), low, high, "number")


def _number_or_none(clause: str, low: int, high: int) -> Option:
    return Option(clause, (), low, high, "number or none")


OPTIONS: dict[str, Option] = {
    "deck": Option("BA-1, BA-2", ("std54", "std52", "short42")),
    "players": _number("BA-9", 2, 6),
    "sides": Option("BA-9", ("pairs", "individual", "two_teams_of_3", "three_teams_of_2")),
    "first_dealer": Option("BA-10", kind="seat", high=5),
    "schedule": Option("BA-12 to BA-15, BAW-1", ("down_up", "up_down", "down", "constant", "list")),
    "hand_sizes": Option("BAW-1", (), 1, 13, "list"),
    "hand_max": _number("BA-12", 1, 13),
    "hand_min": _number("BAW-2", 1, 13),
    "turning_deals": Option("BA-12 to BA-16", (2, 1)),
    "constant_deals": _number("BA-15", 1, 10_000),
    "trump_source": Option("BA-21, BA-23", ("turn_up", "fixed_spades")),
    "no_stock_trump": Option("BA-22", ("cut", "no_trump")),
    "cut_min_cards": _number_or_none("BAW-3", 1, 13),
    "joker_turned": Option("BA-25 to BA-29", ("exchange", "burn", "keep")),
    "no_trump_joker": Option("BA-32", ("sole_trump", "worthless")),
    "no_trump_joker_lead": Option("BAW-9", ("free", "broken")),
    "high_two": Option("BA-5, BA-24", ("none", "spade2", "diamond2", "diamond2_trump2")),
    "no_trump_high_two": Option("BA-33", ("plain", "high")),
    "redeal_right": Option("BA-36", _NO_YES),
    "redeal_min_cards": _number("BA-36", 1, 13),
    "redeal_timing": Option("BA-37", ("before_bidding", "own_turn")),
    "redeal_dealer": Option("BA-37", ("same", "next")),
    "void_redeal": Option("BA-38", _NO_YES),
    "void_min_cards": _number("BA-38", 1, 13),
    "void_dealer": Option("BA-38", ("same", "next")),
    "all_tricks_bid": Option("section 7, BAW-15", _BOARDS),
    "board_multiple_cap": Option("BA-52", (), 4, 4, "number or none"),
    "board_unit": _number("BAW-6", 1, 1_000),
    "board_multiples": Option("BAW-6", (), 1, 1_000, "list"),
    "board_leader": Option("BAW-7", ("last", "earliest")),
    "all_max_cards": _number("BA-56", 1, 13),
    "ladder_repeat_one": Option("BA-60", _YES_NO),
    "solo_board_bonus": _number("BA-107", 0, 1_000),
    "solo_board_bonus_one_card": Option("BA-107", _YES_NO),
    "one_card_board": _number("BAW-16", 1, 1_000),
    "solo_one_card_pass": Option("BA-106", ("zero", "per_trick")),
    "number_max": Option("BA-43", ("auto", "cards_minus_1", "cards")),
    "number_cap": _number_or_none("BAW-4", 1, 13),
    "side_bid_cap": Option("BAW-5", ("none", "cards")),
    "dealer_hook": Option("BAW-18", _NO_YES),
    "opponents_of_board": Option("BA-110", ("normal", "zero", "tricks_only")),
    "double_board_leader": Option("BA-71", ("raiser", "first_boarder")),
    "all_tricks_tie": Option("BA-71", ("earliest", "last")),
    "first_lead": Option("BAW-19", ("highest_bid", "left_of_dealer")),
    "boston": Option("BA-68", _NO_YES),
    "boston_min_cards": _number("BA-68", BOSTON_TRICKS, 13),
    "boston_rank": Option("BA-70", ("below_board", "above_board")),
    "boston_trump_lead": Option("BA-76", _NO_YES),
    "rainbow": Option("BA-61 to BA-66, BAW-12", ("off", "required", "free", "claim", "auto")),
    "rainbow_sizes": Option("BA-61", (), 1, 13, "set"),
    "rainbow_points": Option("BA-64, BA-65", (), 1, 13, "points"),
    "rainbow_reveal": Option("BAW-12", ("bid_turn", "after_bidding")),
    "rainbow_leads": Option("BA-70", _YES_NO),
    "rainbow_over_board": Option("BA-70", _YES_NO),
    "rainbow_joker": Option("BA-62", ("trump_suit", "never")),
    "rainbow_thrown_in": Option("BA-66", ("void", "paid")),
    "blind_sizes": Option("BA-69", (), 1, 13, "set"),
    "all_pass": Option("BA-67, BAW-13", ("next_dealer", "same_dealer", "play")),
    "lead_rule": Option("section 11, BAW-11", ("broken", "high_two_run", "free", "tight_only")),
    "broken_by": Option("BA-75", ("any_trump", "ruff_only")),
    "board_trump_lead": Option("BA-76, BAW-8", ("bidder", "side", "anyone", "nobody")),
    "follow": Option("BA-83, BA-84", ("plain", "must_trump_over")),
    "blooper_force": Option("BAW-10", ("both", "big_only", "none")),
    "bb_partner": Option("BA-90", ("highest", "any_trump", "lowest")),
    "score": Option(
        "BA-95 to BA-99, BAW-14",
        ("five_one", "ten_one", "three_one", "five_under", "bid_plus_tricks", "four_one", "exact_ten"),
    ),
    "score_unit": Option("BA-44", ("side", "player")),
    "five_under_made": Option("BA-101", _NO_YES),
    "bag_limit": _number_or_none("BAW-17", 1, 1_000),
    "bag_penalty": _number("BAW-17", 0, 10_000),
    "game_tie": Option("BA-114", ("draw", "extra_deal")),
}
"""All options, in the order of the specification's topics; `Rules` has the same names with their defaults."""

BOARD, RAISE_BOARD, ALL, SOLO_BOARD, BORT, LADDER, NO_ALL_TRICKS, IMPLIED = range(len(_BOARDS))
"""Values of `all_tricks_bid` as kernels see them."""


class Fit(NamedTuple):
    """As `hand_max` of a preset: as many cards as the pack has for every seat, at most `cap`."""

    cap: int


_EMW: dict[str, Any] = {"schedule": "up_down", "joker_turned": "burn"}
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
    "emw_doubles": _EMW,
    "emw_singles": {**_EMW, "players": 3, "sides": "individual", "hand_min": 2},
    "book_spades": {"trump_source": "fixed_spades"},
    "book_spades_short": {
        "trump_source": "fixed_spades",
        "schedule": "list",
        "hand_sizes": (13, 11, 9, 7, 5, 3, 1, 1, 3, 5, 7, 9, 11, 13),
    },
    "bab_online": {
        "schedule": "list",
        "hand_sizes": (12, 10, 8, 6, 4, 2, 1, 3, 5, 7, 9, 11, 13),
        "joker_turned": "keep",
        "no_trump_joker_lead": "broken",
        "number_max": "cards",
        "number_cap": 12,
        "side_bid_cap": "cards",
        "board_multiples": (2, 4, 8, 16),
        "board_trump_lead": "nobody",
        "blooper_force": "big_only",
        "bb_partner": "any_trump",
        "all_pass": "same_dealer",
        "score": "ten_one",
        "rainbow": "auto",
        "rainbow_points": ((4, 10),),
        "rainbow_reveal": "after_bidding",
        "rainbow_leads": False,
    },
    "hfi_7": {"hand_max": 7, "joker_turned": "burn"},
    "big_little": {
        "sides": "individual",
        "schedule": "up_down",
        "turning_deals": 1,
        "hand_max": Fit(13),
        "joker_turned": "burn",
        "all_tricks_bid": "none",
        "all_pass": "play",
        "lead_rule": "free",
        "blooper_force": "big_only",
        "score": "ten_one",
        "bag_limit": 10,
    },
    "five_handed": {
        "deck": "std52",
        "players": 5,
        "sides": "individual",
        "hand_max": 10,
        "number_max": "cards",
        "board_unit": 6,
        "board_multiples": (1, 2, 3, 4, 5),
        "board_leader": "earliest",
        "board_trump_lead": "nobody",
        "all_pass": "play",
        "score": "three_one",
        "rainbow": "auto",
        "rainbow_points": ((4, 8),),
        "rainbow_leads": False,
    },
    "sheet_13": {
        "sides": "individual",
        "schedule": "down",
        "turning_deals": 1,
        "hand_max": Fit(13),
        "number_max": "cards",
        "all_pass": "play",
        "score": "three_one",
    },
    "backalley_call": {
        "players": 6,
        "sides": "individual",
        "schedule": "up_down",
        "turning_deals": 1,
        "hand_max": Fit(7),
        "joker_turned": "burn",
        "all_tricks_bid": "bort",
        "number_max": "cards",
        "board_leader": "earliest",
        "lead_rule": "tight_only",
        "blooper_force": "none",
        "all_pass": "play",
        "score": "three_one",
    },
    "web_solo": {
        "deck": "std52",
        "players": 5,
        "sides": "individual",
        "schedule": "up_down",
        "hand_max": Fit(13),
        "cut_min_cards": 13,
        "all_tricks_bid": "solo_board",
        "one_card_board": 10,
        "solo_one_card_pass": "per_trick",
        "all_pass": "play",
        "lead_rule": "free",
        "score": "three_one",
    },
    "keeper_ten": {"sides": "individual", "all_tricks_bid": "none", "all_pass": "play", "score": "ten_one"},
    "three_teams_9": {
        "players": 6,
        "sides": "three_teams_of_2",
        "schedule": "up_down",
        "hand_max": 9,
        "all_tricks_bid": "implied",
        "score": "four_one",
    },
    "exact_hook": {
        "deck": "std52",
        "sides": "individual",
        "hand_max": 10,
        "all_tricks_bid": "none",
        "dealer_hook": True,
        "first_lead": "left_of_dealer",
        "all_pass": "play",
        "score": "exact_ten",
    },
}
"""What each named rule set changes against `partnership` (section 21 and section 3 of the wild rule sets)."""

_WORDS = {"on": True, "yes": True, "off": False, "no": False}


def option_value(name: str, option: Option, value: Any) -> Any:
    """Return `value` in its one form: bools for on/off, tuples for lists, None for no cap.

    Raises:
        InvalidRules: the option cannot have that value.
    """
    if option.kind == "seat":
        if isinstance(value, str) and value != "random":
            raise InvalidRules(
                f"option {name}={value!r} ({option.clause}) must be a seat, 0 to {option.high}, or 'random'"
            )
        return value if value == "random" else _whole_number(name, option, value)
    if option.kind == "number or none" and value in (None, "none"):
        return None
    if option.kind in ("number", "number or none"):
        return _whole_number(name, option, value)
    if option.kind in ("list", "set"):
        numbers = tuple(_whole_number(name, option, entry) for entry in _entries(name, option, value))
        return tuple(sorted(set(numbers))) if option.kind == "set" else numbers
    if option.kind == "points":
        return _points(name, option, value)
    return _choice(name, option, value)


def _choice(name: str, option: Option, value: Any) -> Any:
    if isinstance(option.values[0], bool):
        value = _WORDS.get(value, value) if isinstance(value, str) else value
    elif "none" in option.values and value is None:
        value = "none"
    if value in option.values and type(value) is type(option.values[0]):
        return value
    if isinstance(value, str) and isinstance(option.values[0], str):
        raise InvalidRules(str(unknown(f"value of option {name} ({option.clause}):", value, option.values)))
    words = [{True: "on", False: "off"}[v] if isinstance(v, bool) else repr(v) for v in option.values]
    raise InvalidRules(f"option {name}={value!r} ({option.clause}) must be one of {', '.join(words)}")


def _points(name: str, option: Option, value: Any) -> tuple[tuple[int, int], ...]:
    """Return points by hand size as sorted pairs; from a mapping, pairs, or `size:points` words of a command line."""
    pairs = value.items() if isinstance(value, Mapping) else _entries(name, option, value)
    try:
        return tuple(sorted((_whole_number(name, option, int(size)), int(points)) for size, points in pairs))
    except (TypeError, ValueError) as error:
        if isinstance(error, InvalidRules):
            raise
        raise InvalidRules(
            f"option {name}={value!r} ({option.clause}) must give points by hand size, such as {{4: 40, 8: 80}}"
        ) from None


def _entries(name: str, option: Option, value: Any) -> Iterable[Any]:
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise InvalidRules(f"option {name}={value!r} ({option.clause}) must be a list")
    return value


def _whole_number(name: str, option: Option, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not option.low <= value <= option.high:
        what = "whole numbers" if option.kind in ("list", "set", "points") else "a whole number"
        raise InvalidRules(
            f"option {name}={value!r} ({option.clause}) must be {what} from {option.low} to {option.high}"
        )
    return value
