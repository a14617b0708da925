"""Rule sheets: no value of an option and no preset without its words, and the numbers of the scoring tables."""

import pytest

from backalley.envs import Rules
from backalley.envs.back_alley.options import OPTIONS, PRESETS
from backalley.train.rule_sheet import IN_FORCE, SECTIONS, WIDTH, rule_sheet
from backalley.train.rule_words import FAMILIES, WORDS, sentence

IN_POINTS = {
    *{"score", "five_under_made", "solo_one_card_pass", "bag_limit", "bag_penalty", "game_tie", "opponents_of_board"},
    *{"board_unit", "board_multiples", "solo_board_bonus", "solo_board_bonus_one_card", "one_card_board"},
    *{"rainbow_points"},
}
IN_TABLES = {"hand_sizes", "hand_max", "hand_min", "constant_deals", "number_max"}
"""Options whose effect is told by the hand sizes, the bids by hand size, or the points."""


def words_of(sheet: str) -> str:
    return " ".join(sheet.split())


def test_every_value_of_every_option_has_its_sentence():
    assert list(WORDS) == list(OPTIONS)
    for name, option in OPTIONS.items():
        words = WORDS[name]
        assert set(option.values) <= set(words), name
        if option.kind in ("number or none", "seat", "number", "list", "set", "points"):
            assert "{}" in words[...], name
        if option.kind == "number or none":
            assert None in words, name
        assert len(set(words.values())) == len(words), name


def test_every_option_has_its_place_in_the_sheet():
    told = [option for options in SECTIONS.values() for option in options]
    assert len(told) == len(set(told))
    assert set(told) | IN_POINTS | IN_TABLES == set(OPTIONS)
    assert set(IN_FORCE) <= set(told)


def test_every_preset_has_its_line_in_one_family():
    listed = [name for presets in FAMILIES.values() for name in presets]
    assert sorted(listed) == sorted(PRESETS)


@pytest.mark.parametrize("name", PRESETS)
def test_a_sheet_says_all_that_differs_from_partnership(name):
    rules = Rules.preset(name)
    sheet = rule_sheet(rules, name)
    for option in rules.differences():
        assert sentence(option, getattr(rules, option)) in words_of(sheet)
    assert f"{rules.n_deals} deals of " in sheet
    assert max(map(len, sheet.splitlines())) <= WIDTH


def rows(name, **options):
    """Return the lines of a sheet, blanks made one."""
    return [" ".join(line.split()) for line in rule_sheet(Rules.preset(name, **options), name).splitlines()]


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("partnership", ["1 card pass, board", "2 to 13 cards pass, numbers to n-1, board", "13 ±130 ±260 ±390 ±520"]),
        ("double_board", ["cards board double board", "2 ±20 ±30", "13 ±130 ±195"]),
        ("boston", ["2 to 6 cards pass, numbers to n-1, board", "7 to 13 cards pass, numbers to n-1, board, boston"]),
        ("blind7", ["1 to 13 cards pass, numbers to n", "bid 4, won 6: +10", "bid 4, won 3: -8"]),
        ("all_bid", ["2 to 5 cards pass, numbers to n-1, all", "6 to 13 cards pass, numbers to n", "5 ±25"]),
        ("two_of_spades", ["1 ±20 ±30 ±40", "bid 4, won 6: +42", "bid 4, won 3: -40"]),
        ("solo", ["1 ±13", "2 ±12", "13 ±78", "bid 4, won 6: +14", "bid 4, won 3: -12"]),
        ("solo_18", ["1 ±23", "9 ±64", "rainbow of 8 cards: +10, bid made or not (BA-65)"]),
        ("solo_26", ["2 ±20", "bid 4, won 3: -5", "rainbow of 4 cards: +40 if the claim was true, else -40 (BA-65)"]),
        ("bab_online", ["4 ±80 ±160 ±320 ±640", "13 cards pass, numbers to n-1, board"]),
        ("five_handed", ["10 ±60 ±120 ±180 ±240 ±300", "bid 4, won 3: -12"]),
        ("web_solo", ["1 ±10", "10 ±60"]),
        ("three_teams_9", ["9 ±90", "bid 4, won 6: +18"]),
        ("exact_hook", ["bid 4, won 4: +14", "bid 4, won 6: +6", "passed, won 0: +10; won 3: +3"]),
        ("big_little", ["that costs 100 points (BAW-17)"]),
    ],
)
def test_the_numbers_are_those_of_section_19_and_of_the_wild_rule_sets(name, lines):
    found = rows(name)
    assert [line for line in lines if line not in found] == []


def test_options_without_effect_are_not_told():
    assert "the first announcer leads to the first trick (BA-70)" not in rows("partnership")
    assert "the first announcer leads to the first trick (BA-70)" in rows("partnership", rainbow="free")
