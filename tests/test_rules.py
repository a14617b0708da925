"""The options of section 20, the presets of section 21, and what is refused."""

import json
from dataclasses import FrozenInstanceError, fields

import presets
import pytest

from backalley.envs import Rules
from backalley.envs.back_alley.options import OPTIONS, PRESETS, RAINBOW_POINTS
from backalley.envs.errors import InvalidRules, UnknownName

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
    ("schedule", ["list"], {"hand_sizes": [3, 1]}),
    ("hand_sizes", [(13, 1, 13), (1,)], {"schedule": "list"}),
    ("hand_max", [13, *range(1, 13)], {}),
    ("hand_min", [1, 2, 13], {}),
    ("turning_deals", [2, 1], {}),
    ("constant_deals", [26, 1, 100], {}),
    ("trump_source", ["turn_up", "fixed_spades"], {}),
    ("no_stock_trump", ["cut", "no_trump"], {}),
    ("cut_min_cards", [None, 1, 13], {}),
    ("joker_turned", ["exchange", "burn", "keep"], {}),
    ("no_trump_joker", ["sole_trump", "worthless"], {}),
    ("no_trump_joker_lead", ["free", "broken"], {"joker_turned": "keep"}),
    ("high_two", ["none", "spade2", "diamond2", "diamond2_trump2"], STD52),
    ("no_trump_high_two", ["plain", "high"], {}),
    ("redeal_right", [False, True], {}),
    ("redeal_min_cards", [6, 1, 13], {}),
    ("redeal_timing", ["before_bidding", "own_turn"], {}),
    ("redeal_dealer", ["same", "next"], {}),
    ("void_redeal", [False, True], {}),
    ("void_min_cards", [7, 1, 13], {}),
    ("void_dealer", ["same", "next"], {}),
    ("all_tricks_bid", ["board", "raise_board", "all", "solo_board", "bort", "none", "implied"], {}),
    ("all_tricks_bid", ["board", "ladder"], STD52),
    ("board_multiple_cap", [None, 4], {}),
    ("board_unit", [10, 1, 20], {}),
    ("board_multiples", [(1, 2, 3, 4, 5, 6), (2, 4, 8, 16)], {}),
    ("board_leader", ["last", "earliest"], {}),
    ("all_max_cards", [5, 1, 13], {}),
    ("ladder_repeat_one", [True, False], {}),
    ("solo_board_bonus", [0, 10], {}),
    ("solo_board_bonus_one_card", [True, False], {}),
    ("one_card_board", [13, 10], {}),
    ("solo_one_card_pass", ["zero", "per_trick"], {}),
    ("number_max", ["auto", "cards_minus_1", "cards"], {}),
    ("number_cap", [None, 12], {}),
    ("side_bid_cap", ["none", "cards"], {}),
    ("dealer_hook", [False, True], {}),
    ("opponents_of_board", ["normal", "zero", "tricks_only"], {}),
    ("double_board_leader", ["raiser", "first_boarder"], {}),
    ("all_tricks_tie", ["earliest", "last"], {}),
    ("first_lead", ["highest_bid", "left_of_dealer"], {}),
    ("boston", [False, True], {}),
    ("boston_min_cards", [7, 6, 13], {}),
    ("boston_rank", ["below_board", "above_board"], {}),
    ("boston_trump_lead", [False, True], {}),
    ("rainbow", ["off", "required", "free", "claim", "auto"], {}),
    ("rainbow_sizes", [(4,), (4, 8), (4, 8, 12)], {}),
    ("rainbow_points", [((4, 40), (8, 80), (12, 120)), ((4, 5), (8, 10))], {}),
    ("rainbow_reveal", ["bid_turn", "after_bidding"], {}),
    ("rainbow_leads", [True, False], {}),
    ("rainbow_over_board", [True, False], {}),
    ("rainbow_joker", ["trump_suit", "never"], {}),
    ("rainbow_thrown_in", ["void", "paid"], {}),
    ("blind_sizes", [(), (7,)], {}),
    ("all_pass", ["next_dealer", "same_dealer", "play"], {}),
    ("lead_rule", ["broken", "free", "tight_only"], {}),
    ("lead_rule", ["broken", "high_two_run"], SPADE2),
    ("broken_by", ["any_trump", "ruff_only"], {}),
    ("board_trump_lead", ["bidder", "side", "anyone", "nobody"], {}),
    ("follow", ["plain", "must_trump_over"], {}),
    ("blooper_force", ["both", "big_only", "none"], {}),
    ("bb_partner", ["highest", "any_trump", "lowest"], {}),
    ("score", ["five_one", "ten_one", "three_one", "five_under", "bid_plus_tricks", "four_one", "exact_ten"], {}),
    ("score_unit", ["side", "player"], {}),
    ("five_under_made", [False, True], {}),
    ("bag_limit", [None, 10], {}),
    ("bag_penalty", [100, 0, 50], {}),
    ("game_tie", ["draw", "extra_deal"], {}),
]
"""Option, its values with the default first, and the options that the other values need beside them."""

DEFAULTS: dict = {}
for _name, _values, _needs in SECTION_20:
    DEFAULTS.setdefault(_name, _values[0])
DEFAULTS["hand_sizes"] = (*range(13, 0, -1), *range(1, 14))  # those of its schedule

N_DEALS = {
    "partnership": 26,
    "gamerules": 25,
    "double_board": 26,
    "boston": 26,
    "rainbow": 26,
    "rainbow_8_12": 26,
    "rainbow_free": 26,
    "blind7": 26,
    "individual_3": 26,
    "individual_4": 26,
    "individual_5": 20,
    "six_2x3": 16,
    "six_3x2": 16,
    "bb_partner_any": 26,
    "bb_partner_lowest": 26,
    "constant_13": 26,
    "two_of_spades": 26,
    "reduced_42": 20,
    "all_bid": 26,
    "spades_trumps": 26,
    "redeal": 26,
    "solo": 14,
    "solo_18": 18,
    "solo_two_twos": 14,
    "solo_26": 26,
    "emw_doubles": 26,
    "emw_singles": 24,
    "book_spades": 26,
    "book_spades_short": 14,
    "bab_online": 13,
    "hfi_7": 14,
    "big_little": 25,
    "five_handed": 20,
    "sheet_13": 13,
    "backalley_call": 13,
    "web_solo": 20,
    "keeper_ten": 26,
    "three_teams_9": 18,
    "exact_hook": 20,
}
"""Presets of section 21 and of section 3 of the wild rule sets → deals of a match."""


def test_the_options_are_those_of_section_20_in_its_order():
    assert [field.name for field in fields(Rules)] == list(DEFAULTS)
    assert list(OPTIONS) == list(DEFAULTS)
    assert len(DEFAULTS) == 54 + 16  # section 20, and section 2 of the wild rule sets


@pytest.mark.parametrize("name", DEFAULTS)
def test_the_first_value_is_that_of_partnership(name):
    assert getattr(Rules(), name) == getattr(Rules.preset(), name) == DEFAULTS[name]
    assert type(getattr(Rules(), name)) is type(DEFAULTS[name])


@pytest.mark.parametrize(
    ("name", "value", "needs"),
    [(name, value, needs) for name, values, needs in SECTION_20 for value in values],
)
def test_a_value_of_section_20_is_played(name, value, needs):
    assert getattr(Rules.preset("partnership", **{**needs, name: value}), name) == value


def test_all_values_are_tried():
    tried = {(name, value) for name, values, _ in SECTION_20 for value in values}
    assert {(name, value) for name, option in OPTIONS.items() for value in option.values} <= tried


def test_the_presets_are_those_of_the_specification_in_its_order():
    assert list(PRESETS) == list(N_DEALS)
    assert len(N_DEALS) == 39


@pytest.mark.parametrize("name", N_DEALS)
def test_a_preset_is_its_differences_and_deals_as_often_as_it_should(name):
    rules = Rules.preset(name)
    expected = Rules(**getattr(presets, name.upper(), {}))
    assert name == "partnership" or hasattr(presets, name.upper())
    assert rules == expected
    assert rules.n_deals == N_DEALS[name]


@pytest.mark.parametrize(
    ("name", "options", "sizes"),
    [
        ("big_little", {"players": 6}, 9),
        ("big_little", {"players": 2}, 13),
        ("backalley_call", {"players": 2}, 7),
        ("web_solo", {"players": 4}, 13),
        ("web_solo", {"players": 3}, 13),
        ("sheet_13", {"players": 5}, 10),
    ],
)
def test_hands_are_as_large_as_the_pack_has_cards(name, options, sizes):
    """BAW-25 and the table of section 3: hand_max fits the seats."""
    assert Rules.preset(name, **options).hand_max == sizes


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
    ("options", "message"),
    [
        ({"score": "five"}, "score (BA-95 to BA-99, BAW-14): 'five': did you mean 'five_one'"),
        ({"schedule": "up"}, "option schedule (BA-12 to BA-15, BAW-1): 'up'"),
        ({"schedule": 3}, "option schedule=3 (BA-12 to BA-15, BAW-1) must be one of 'down_up', 'up_down'"),
        ({"boston": "maybe"}, "option boston='maybe' (BA-68) must be one of off, on"),
        ({"boston": 1}, "option boston=1 (BA-68) must be one of off, on"),
        ({"turning_deals": 3}, "option turning_deals=3 (BA-12 to BA-16) must be one of 2, 1"),
        ({"turning_deals": True}, "option turning_deals=True (BA-12 to BA-16) must be one of 2, 1"),
        ({"hand_max": 0}, "option hand_max=0 (BA-12) must be a whole number from 1 to 13"),
        ({"hand_max": 14}, "option hand_max=14 (BA-12) must be a whole number from 1 to 13"),
        ({"hand_max": 7.0}, "option hand_max=7.0 (BA-12) must be a whole number from 1 to 13"),
        ({"hand_max": "7"}, "option hand_max='7' (BA-12) must be a whole number from 1 to 13"),
        ({"constant_deals": 0}, "option constant_deals=0 (BA-15) must be a whole number from 1"),
        ({"board_multiple_cap": 3}, "option board_multiple_cap=3 (BA-52)"),
        ({"blind_sizes": 7}, "option blind_sizes=7 (BA-69) must be a list"),
        ({"blind_sizes": [14]}, "option blind_sizes=14 (BA-69) must be whole numbers from 1 to 13"),
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


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("options", [{}, {"hand_max": 5, "first_dealer": 2, "rainbow_leads": "no"}], ids=str)
def test_rules_survive_json(name, options):
    rules = Rules.preset(name, **options)
    stored = json.loads(json.dumps(rules.as_dict()))
    not_read = "hand_max" if rules.schedule == "list" else "hand_sizes"
    assert list(stored) == [option for option in DEFAULTS if option != not_read]
    assert Rules.from_dict(stored) == rules


def test_stored_rules_may_leave_out_what_is_as_in_partnership():
    rules = Rules.preset("gamerules", hand_max=5)
    assert rules.differences() == {"hand_max": 5, "turning_deals": 1}
    assert Rules.from_dict(rules.differences()) == rules


def test_stored_rules_with_an_unknown_option_are_refused():
    with pytest.raises(UnknownName, match="unknown rule option 'hand_maximum': did you mean 'hand_max'"):
        Rules.from_dict({"hand_maximum": 5})
