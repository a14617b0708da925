"""Named blocks of an observation."""

import numpy as np
import pytest

from backalley.envs import Rules
from backalley.envs.back_alley.blocks import observation_layout
from backalley.envs.errors import UnknownName
from backalley.envs.layout import Block, Layout, product, thermometer

HAND = Block("hand", "cards I hold", ("2S", "3S", "4S"))
LEAD = Block("lead", "I lead", ("yes",))
WON = Block("won", "tricks won", thermometer(2))
NOTHING = Block("jokers", "jokers burned", ())


@pytest.fixture
def layout():
    return Layout([HAND, NOTHING, LEAD, WON])


def test_sizes_and_places_follow_from_the_labels(layout):
    assert layout.size == 3 + 0 + 1 + 2
    assert layout.slices == {"hand": slice(0, 3), "lead": slice(3, 4), "won": slice(4, 6)}


def test_an_empty_block_is_left_out(layout):
    assert [block.name for block in layout.blocks] == ["hand", "lead", "won"]


@pytest.mark.parametrize(
    ("bits", "words"),
    [
        ([0, 0, 0, 0, 0, 0], {"hand": [], "lead": [], "won": []}),
        ([1, 0, 1, 1, 1, 0], {"hand": ["2S", "4S"], "lead": ["yes"], "won": ["≥1"]}),
        ([0, 1, 0, 0, 1, 1], {"hand": ["3S"], "lead": [], "won": ["≥1", "≥2"]}),
    ],
)
def test_an_observation_is_read_in_words(layout, bits, words):
    assert layout.decode(bits) == words
    assert layout.decode(np.array(bits, np.int8)) == words


@pytest.mark.parametrize("shape", [(5,), (7,), (1, 6), (0,)])
def test_an_observation_of_another_size_is_refused(layout, shape):
    with pytest.raises(ValueError, match=r"observation has shape .* this layout describes \(6,\)"):
        layout.decode(np.zeros(shape, np.int8))


def test_two_blocks_of_one_name_are_refused():
    with pytest.raises(ValueError, match="two observation blocks are called 'hand'; names must differ"):
        Layout([HAND, LEAD, Block("hand", "other cards", ("5S",))])


@pytest.mark.parametrize(
    ("blocks", "equal"),
    [
        ([HAND, NOTHING, LEAD, WON], True),
        ([HAND, LEAD, WON], True),  # an empty block is none
        ([LEAD, HAND, WON], False),
        ([HAND, LEAD], False),
        ([HAND, LEAD, Block("won", "tricks won", thermometer(3))], False),
    ],
)
def test_layouts_are_equal_when_their_blocks_are(layout, blocks, equal):
    assert (layout == Layout(blocks)) is equal
    if equal:
        assert hash(layout) == hash(Layout(blocks))


def test_a_layout_is_not_equal_to_its_blocks(layout):
    assert layout != layout.blocks


def test_the_docs_table_has_one_line_a_block(layout):
    assert layout.table().splitlines()[2:] == [
        "| `hand` | 0 | 3 | cards I hold |",
        "| `lead` | 3 | 1 | I lead |",
        "| `won` | 4 | 2 | tricks won |",
    ]


def test_the_text_of_a_layout_names_its_blocks(layout):
    assert repr(layout) == "Layout(hand:3, lead:1, won:2)"


def test_the_second_label_of_a_grid_runs_fastest():
    assert product(("me", "left"), ("a", "b")) == ("me a", "me b", "left a", "left b")


def test_a_thermometer_says_more_than():
    assert thermometer(3, "level≥") == ("level≥1", "level≥2", "level≥3")
    assert thermometer(0) == ()


# Of Back Alley.

CARDS, SEATS, SIDES, HAND_MAX = 54, 4, 2, 13
BID = 3 + HAND_MAX + 4  # pass, number, board; number; level
PARTNERSHIP = {
    "hand": CARDS,
    "played": SEATS * CARDS,
    "trick": SEATS * CARDS,
    "cannot_hold": (SEATS - 1) * CARDS,
    "turn_up": CARDS,
    "discarded": 2,
    "burned": 2,
    "unseen": CARDS,
    "trick_card": CARDS,
    "trick_holder": SEATS,
    "winners": CARDS,
    "masters": CARDS,
    "trump": 5,
    "hand_size": HAND_MAX,
    "tricks_left": HAND_MAX,
    "bid_position": SEATS,
    "bids": SEATS * BID,
    "tricks_won": SEATS * HAND_MAX,
    "needs": SIDES * HAND_MAX,
    "beaten": SIDES,
    "leader": SEATS,
    "broken": 1,
    "forced": 2,
    "phase": 2,
}


def sizes(layout):
    return {block.name: block.size for block in layout.blocks}


def test_the_sizes_of_the_blocks_of_partnership():
    assert sizes(observation_layout(Rules.preset("partnership"))) == PARTNERSHIP


@pytest.mark.parametrize(("preset", "n_deals"), [("partnership", 26), ("gamerules", 25)])
def test_a_match_adds_the_deal_and_the_score(preset, n_deals):
    layout = observation_layout(Rules.preset(preset), "match")
    assert sizes(layout) == {**PARTNERSHIP, "deal_index": n_deals - 1, "score_difference": 19}


@pytest.mark.parametrize(
    ("options", "changed"),
    [
        ({"all_tricks_bid": "none"}, {"bids": SEATS * (2 + HAND_MAX)}),
        (
            {"hand_max": 5},
            {"hand_size": 5, "tricks_left": 5, "bids": SEATS * (3 + 5 + 4), "tricks_won": 20, "needs": 10},
        ),
        ({"board_multiple_cap": 4}, {}),
        ({"joker_turned": "burn"}, {}),
    ],
)
def test_sizes_follow_the_rules(options, changed):
    assert sizes(observation_layout(Rules.preset("partnership", **options))) == {**PARTNERSHIP, **changed}


def test_presets_that_show_the_same_things_share_a_layout():
    deal = observation_layout(Rules.preset("partnership"))
    assert deal == observation_layout(Rules.preset("gamerules"))
    assert deal != observation_layout(Rules.preset("partnership"), "match")


def test_an_unknown_kind_of_episode_is_refused():
    with pytest.raises(UnknownName, match="unknown episode kind 'dael': did you mean 'deal'"):
        observation_layout(Rules.preset("partnership"), "dael")
