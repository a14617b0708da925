"""The options of section 20, the presets of section 21, and what is refused."""

import json
from dataclasses import FrozenInstanceError, fields

import pytest

from backalley.envs import Rules
from backalley.envs.back_alley.options import OPTIONS, PRESETS, RAINBOW_POINTS
from backalley.envs.back_alley.rules import built_presets
from backalley.envs.errors import InvalidRules, NotBuilt, UnknownName

STD52 = {"deck": "std52"}
SPADE2 = {**STD52, "high_two": "spade2"}
ALONE = {"sides": "individual"}
SIX = {"players": 6, "sides": "two_teams_of_3", "hand_max": 8}

SECTION_20 = [
    ("deck", ["std54", "std52", "short42"], {"hand_max": 10}),
    ("players", [4, 2, 3, 5, 6], {**ALONE, "hand_max": 9}),
    ("sides", ["pairs", "individual"], {}),
    ("sides", ["two_teams_of_3", "three_teams_of_2"], {"players": 6, "hand_max": 8}),
    ("first_dealer", ["random", 0, 1, 2, 3], {}),
    ("schedule", ["down_up", "up_down", "down", "constant"], {}),
    ("hand_max", [13, *range(1, 13)], {}),
    ("turning_deals", [2, 1], {}),
    ("constant_deals", [26, 1, 100], {}),
    ("trump_source", ["turn_up", "fixed_spades"], {}),
    ("no_stock_trump", ["cut", "no_trump"], {}),
    ("joker_turned", ["exchange", "burn", "keep"], {}),
    ("no_trump_joker", ["sole_trump", "worthless"], {}),
    ("high_two", ["none", "spade2", "diamond2", "diamond2_trump2"], STD52),
    ("no_trump_high_two", ["plain", "high"], {}),
    ("redeal_right", [False, True], {}),
    ("redeal_min_cards", [6, 1, 13], {}),
    ("redeal_timing", ["before_bidding", "own_turn"], {}),
    ("redeal_dealer", ["same", "next"], {}),
    ("void_redeal", [False, True], {}),
    ("void_min_cards", [7, 1, 13], {}),
    ("void_dealer", ["same", "next"], {}),
    ("all_tricks_bid", ["board", "raise_board", "all", "solo_board", "bort", "none"], {}),
    ("all_tricks_bid", ["board", "ladder"], STD52),
    ("board_multiple_cap", [None, 4], {}),
    ("all_max_cards", [5, 1, 13], {}),
    ("ladder_repeat_one", [True, False], {}),
    ("solo_board_bonus", [0, 10], {}),
    ("solo_board_bonus_one_card", [True, False], {}),
    ("solo_one_card_pass", ["zero", "per_trick"], {}),
    ("number_max", ["auto", "cards_minus_1", "cards"], {}),
    ("opponents_of_board", ["normal", "zero", "tricks_only"], {}),
    ("double_board_leader", ["raiser", "first_boarder"], {}),
    ("all_tricks_tie", ["earliest", "last"], {}),
    ("boston", [False, True], {}),
    ("boston_min_cards", [7, 1, 13], {}),
    ("boston_rank", ["below_board", "above_board"], {}),
    ("boston_trump_lead", [False, True], {}),
    ("rainbow", ["off", "required", "free", "claim"], {}),
    ("rainbow_sizes", [(4,), (4, 8), (4, 8, 12)], {}),
    ("rainbow_points", [((4, 40), (8, 80), (12, 120)), ((4, 5), (8, 10))], {}),
    ("rainbow_leads", [True, False], {}),
    ("rainbow_over_board", [True, False], {}),
    ("rainbow_joker", ["trump_suit", "never"], {}),
    ("rainbow_thrown_in", ["void", "paid"], {}),
    ("blind_sizes", [(), (7,)], {}),
    ("all_pass", ["next_dealer", "same_dealer"], {}),
    ("lead_rule", ["broken", "free"], {}),
    ("lead_rule", ["broken", "high_two_run"], SPADE2),
    ("broken_by", ["any_trump", "ruff_only"], {}),
    ("board_trump_lead", ["bidder", "side", "anyone"], {}),
    ("follow", ["plain", "must_trump_over"], {}),
    ("bb_partner", ["highest", "any_trump", "lowest"], {}),
    ("score", ["five_one", "ten_one", "three_one", "five_under", "bid_plus_tricks"], {}),
    ("score_unit", ["side", "player"], {}),
    ("five_under_made", [False, True], {}),
    ("game_tie", ["draw", "extra_deal"], {}),
]
"""Option, its values with the default first, and the options that the other values need beside them."""

DEFAULTS: dict = {}
for _name, _values, _needs in SECTION_20:
    DEFAULTS.setdefault(_name, _values[0])

NEVER_LEADS = {"rainbow_leads": False}
SOLO = {
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
SECTION_21 = {
    "partnership": (26, {}),
    "gamerules": (25, {"turning_deals": 1}),
    "double_board": (26, {"all_tricks_bid": "raise_board"}),
    "boston": (26, {"boston": True}),
    "rainbow": (26, {"rainbow": "required"}),
    "rainbow_8_12": (26, {"rainbow": "required", "rainbow_sizes": (4, 8, 12)}),
    "rainbow_free": (26, {"rainbow": "free", **NEVER_LEADS}),
    "blind7": (
        26,
        {"blind_sizes": (7,), "joker_turned": "burn", "all_tricks_bid": "none", "score": "bid_plus_tricks"},
    ),
    "individual_3": (26, {"players": 3, **ALONE}),
    "individual_4": (26, ALONE),
    "individual_5": (20, {"players": 5, "hand_max": 10, **ALONE}),
    "six_2x3": (16, {"players": 6, "sides": "two_teams_of_3", "hand_max": 8}),
    "six_3x2": (16, {"players": 6, "sides": "three_teams_of_2", "hand_max": 8}),
    "bb_partner_any": (26, {"bb_partner": "any_trump"}),
    "bb_partner_lowest": (26, {"bb_partner": "lowest"}),
    "constant_13": (26, {"schedule": "constant"}),
    "two_of_spades": (
        26,
        {
            **SPADE2,
            "schedule": "up_down",
            "void_redeal": True,
            "all_tricks_bid": "ladder",
            "lead_rule": "high_two_run",
            "score": "ten_one",
            "score_unit": "player",
        },
    ),
    "reduced_42": (20, {"deck": "short42", "hand_max": 10}),
    "all_bid": (26, {**STD52, "all_tricks_bid": "all"}),
    "spades_trumps": (26, {"trump_source": "fixed_spades"}),
    "redeal": (26, {"redeal_right": True}),
    "solo": (14, SOLO),
    "solo_18": (
        18,
        {
            **{name: value for name, value in SOLO.items() if name != "schedule"},
            "hand_max": 9,
            "solo_board_bonus": 10,
            "rainbow": "free",
            "rainbow_sizes": (4, 8),
            "rainbow_points": ((4, 5), (8, 10)),
            **NEVER_LEADS,
        },
    ),
    "solo_two_twos": (14, {**SOLO, "high_two": "diamond2_trump2"}),
    "solo_26": (
        26,
        {**STD52, **ALONE, "all_tricks_bid": "bort", "score": "five_under", "rainbow": "claim", **NEVER_LEADS},
    ),
}
"""Preset → deals, and what differs from `partnership`."""


def played(options: dict, preset: str = "partnership") -> Rules | str:
    """Return the rules, or why the engine does not play them yet."""
    try:
        return Rules.preset(preset, **options)
    except NotBuilt as error:
        return str(error)


def test_the_options_are_those_of_section_20_in_its_order():
    assert [field.name for field in fields(Rules)] == list(DEFAULTS)
    assert list(OPTIONS) == list(DEFAULTS)
    assert len(DEFAULTS) == 54


@pytest.mark.parametrize("name", DEFAULTS)
def test_the_first_value_is_that_of_partnership(name):
    assert getattr(Rules(), name) == getattr(Rules.preset(), name) == DEFAULTS[name]
    assert type(getattr(Rules(), name)) is type(DEFAULTS[name])


@pytest.mark.parametrize(
    ("name", "value", "needs"),
    [(name, value, needs) for name, values, needs in SECTION_20 for value in values],
)
def test_a_value_of_section_20_is_played_or_said_to_be_missing(name, value, needs):
    rules = played({**needs, name: value})
    if isinstance(rules, str):
        assert "specified but the engine does not play it yet" in rules
    else:
        assert getattr(rules, name) == value


def test_the_presets_are_those_of_section_21_in_its_order():
    assert list(PRESETS) == list(SECTION_21)
    assert len(SECTION_21) == 25


@pytest.mark.parametrize("name", SECTION_21)
def test_a_preset_is_its_differences_and_deals_as_often_as_it_should(name):
    n_deals, differences = SECTION_21[name]
    assert {key: value for key, value in PRESETS[name].items() if value != DEFAULTS[key]} == differences
    rules = played({}, name)
    assert (name in built_presets()) == isinstance(rules, Rules)
    if isinstance(rules, str):
        assert rules.startswith(f"preset {name!r} cannot be played yet: option ")
        assert "playable: partnership, gamerules" in rules
    else:
        assert rules.n_deals == n_deals
        assert rules.differences() == differences


def test_the_partnership_presets_are_played():
    assert {"partnership", "gamerules"} <= set(built_presets())


# Values in other words.


@pytest.mark.parametrize(("word", "value"), [("on", True), ("yes", True), (True, True)])
def test_yes_can_be_said_in_words(word, value):
    assert Rules(five_under_made=word).five_under_made is value


@pytest.mark.parametrize("word", ["off", "no", False])
@pytest.mark.parametrize("name", ["redeal_right", "rainbow_leads", "boston_trump_lead"])
def test_no_can_be_said_in_words(name, word):
    assert getattr(Rules(**{name: word}), name) is False


def test_what_is_said_in_other_words_is_the_same_rules():
    plain = Rules(rainbow_leads=False, rainbow_points=RAINBOW_POINTS, rainbow_sizes=(4, 8))
    other = Rules(
        rainbow_leads="no",
        rainbow_points={12: 120, 4: 40, 8: 80},
        rainbow_sizes=[8, 4],
        board_multiple_cap="none",
        rainbow="off",
    )
    assert plain == other
    assert hash(plain) == hash(other)


# Refusals.


@pytest.mark.parametrize(
    ("options", "clause", "built"),
    [
        ({"score": "ten_one"}, "BA-95 to BA-99", "'five_one'"),
        ({"boston": True}, "BA-68", "False"),
        ({"redeal_right": "on"}, "BA-36", "False"),
        ({"all_tricks_bid": "raise_board"}, "section 7", "'board', 'none'"),
        ({"blind_sizes": [7]}, "BA-69", "()"),
        ({"follow": "must_trump_over"}, "BA-83, BA-84", "'plain'"),
    ],
)
def test_what_is_not_built_is_refused_with_its_clause_and_what_is_built(options, clause, built):
    ((name, _),) = options.items()
    why = played(options)
    if isinstance(why, Rules):
        pytest.skip("built by now")
    assert f"option {name}=" in why
    assert f"({clause}) is specified" in why
    assert f"built: {built}" in why


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"score": "five"}, "score (BA-95 to BA-99): 'five': did you mean 'five_one'"),
        ({"schedule": "up"}, "option schedule (BA-12 to BA-15): 'up'"),
        ({"schedule": 3}, "option schedule=3 (BA-12 to BA-15) must be one of 'down_up', 'up_down', 'down', 'constant'"),
        ({"boston": "maybe"}, "option boston='maybe' (BA-68) must be one of False, True"),
        ({"boston": 1}, "option boston=1 (BA-68) must be one of False, True"),
        ({"turning_deals": 3}, "option turning_deals=3 (BA-12 to BA-16) must be one of 2, 1"),
        ({"turning_deals": True}, "option turning_deals=True (BA-12 to BA-16) must be one of 2, 1"),
        ({"hand_max": 0}, "option hand_max=0 (BA-12) must be a whole number from 1 to 13"),
        ({"hand_max": 14}, "option hand_max=14 (BA-12) must be a whole number from 1 to 13"),
        ({"hand_max": 7.0}, "option hand_max=7.0 (BA-12) must be a whole number from 1 to 13"),
        ({"hand_max": "7"}, "option hand_max='7' (BA-12) must be a whole number from 1 to 13"),
        ({"constant_deals": 0}, "option constant_deals=0 (BA-15) must be a whole number from 1"),
        ({"board_multiple_cap": 3}, "option board_multiple_cap=3 (BA-52)"),
        ({"blind_sizes": 7}, "option blind_sizes=7 (BA-69) must be a list"),
        ({"blind_sizes": [14]}, "option blind_sizes=14 (BA-69) must be a whole number from 1 to 13"),
        ({"rainbow_sizes": "4"}, "option rainbow_sizes='4' (BA-61) must be a list"),
        ({"first_dealer": "east"}, "option first_dealer='east' (BA-10)"),
        ({"first_dealer": 4}, "first_dealer=4 is no seat: seats are 0 to 3 (BA-10)"),
        ({"players": 3}, "sides='pairs' needs players=4, not 3 (BA-9)"),
        ({"players": 5, "sides": "two_teams_of_3", "hand_max": 8}, "'two_teams_of_3' needs players=6, not 5 (BA-9)"),
        ({"sides": "three_teams_of_2"}, "'three_teams_of_2' needs players=6, not 4 (BA-9)"),
        ({**SIX, "hand_max": 10}, "needs 60 cards, but deck 'std54' has 54 (BA-18): at most hand_max=9"),
        ({"players": 5, **ALONE}, "needs 65 cards, but deck 'std54' has 54 (BA-18): at most hand_max=10"),
        ({"deck": "short42"}, "needs 52 cards, but deck 'short42' has 42 (BA-18): at most hand_max=10"),
        ({**STD52, "bb_partner": "lowest"}, "bb_partner='lowest' needs a pack with jokers"),
        ({**STD52, "joker_turned": "burn"}, "joker_turned='burn' needs a pack with jokers"),
        ({**STD52, "no_trump_joker": "worthless"}, "no_trump_joker='worthless' needs a pack with jokers"),
        ({"high_two": "spade2"}, "need deck='std52', not 'std54'"),
        ({"all_tricks_bid": "ladder"}, "need deck='std52', not 'std54'"),
        ({**STD52, "lead_rule": "high_two_run"}, "lead_rule='high_two_run' needs high_two='spade2'"),
        ({**ALONE, "all_tricks_bid": "raise_board"}, "'raise_board' needs sides of two, not sides='individual'"),
        ({"number_max": "cards_minus_1", "all_tricks_bid": "none"}, "leaves only pass in a deal of 1 card (BA-43)"),
    ],
)
def test_what_cannot_be_is_refused_with_its_clause(options, message):
    with pytest.raises(InvalidRules) as error:
        Rules.preset("partnership", **options)
    assert not isinstance(error.value, NotBuilt)
    assert message in str(error.value)


def test_numbers_below_the_hand_are_enough_where_no_deal_has_one_card():
    options = {"number_max": "cards_minus_1", "all_tricks_bid": "none"}
    assert Rules.preset("partnership", schedule="constant", hand_max=7, **options).hand_sizes == (7,) * 26


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("partnerships", {}, "unknown preset 'partnerships': did you mean 'partnership'"),
        ("solo18", {}, "unknown preset 'solo18': did you mean 'solo_18'"),
        ("partnership", {"handmax": 5}, "unknown rule option 'handmax': did you mean 'hand_max'"),
        ("partnership", {"colour": "red"}, "unknown rule option 'colour'"),
    ],
)
def test_an_unknown_name_is_refused_with_the_nearest_known(name, options, message):
    with pytest.raises(UnknownName) as error:
        Rules.preset(name, **options)
    assert message in str(error.value)


# What follows from the options.


@pytest.mark.parametrize(
    ("options", "sizes"),
    [
        ({"hand_max": 3}, (3, 2, 1, 1, 2, 3)),
        ({"hand_max": 3, "turning_deals": 1}, (3, 2, 1, 2, 3)),
        ({"hand_max": 3, "schedule": "up_down"}, (1, 2, 3, 3, 2, 1)),
        ({"hand_max": 3, "schedule": "up_down", "turning_deals": 1}, (1, 2, 3, 2, 1)),
        ({"hand_max": 3, "schedule": "down"}, (3, 2, 1, 1)),
        ({"hand_max": 3, "schedule": "down", "turning_deals": 1}, (3, 2, 1)),
        ({"hand_max": 3, "schedule": "constant", "constant_deals": 2}, (3, 3)),
        ({"hand_max": 1}, (1, 1)),
        ({"hand_max": 1, "turning_deals": 1}, (1,)),
    ],
)
def test_the_schedule_follows_ba_12_to_15(options, sizes):
    rules = Rules.preset("partnership", **options)
    assert rules.hand_sizes == sizes
    assert rules.n_deals == len(sizes)


def test_partners_sit_opposite():
    rules = Rules()
    assert [rules.side_of(seat) for seat in range(4)] == [0, 1, 0, 1]
    assert rules.n_sides == 2


def test_rules_are_values():
    rules = Rules.preset("gamerules")
    assert rules == Rules(turning_deals=1)
    assert len({rules, Rules.preset("partnership", turning_deals=1), Rules()}) == 2
    with pytest.raises(FrozenInstanceError):
        rules.hand_max = 5


@pytest.mark.parametrize("name", built_presets())
@pytest.mark.parametrize("options", [{}, {"hand_max": 5, "first_dealer": 2, "rainbow_leads": "no"}], ids=str)
def test_rules_survive_json(name, options):
    rules = Rules.preset(name, **options)
    stored = json.loads(json.dumps(rules.as_dict()))
    assert list(stored) == list(DEFAULTS)
    assert Rules.from_dict(stored) == rules


def test_stored_rules_may_leave_out_what_is_as_in_partnership():
    rules = Rules.preset("gamerules", hand_max=5)
    assert rules.differences() == {"hand_max": 5, "turning_deals": 1}
    assert Rules.from_dict(rules.differences()) == rules


def test_stored_rules_with_an_unknown_option_are_refused():
    with pytest.raises(UnknownName, match="unknown rule option 'hand_maximum': did you mean 'hand_max'"):
        Rules.from_dict({"hand_maximum": 5})
