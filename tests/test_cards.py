"""Card names and sets of cards as bits."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from backalley.envs import cards
from backalley.envs.errors import NotationError
from backalley.envs.kernel import JIT_ENABLED

ANY_SET = st.integers(0, 2**64 - 1)
SOME_SET = st.integers(1, 2**64 - 1)
CARD_SET = st.integers(0, 2**54 - 1)


def word(bits: int) -> np.uint64:
    return np.uint64(bits)


def members(bits: int) -> list[int]:
    return [i for i in range(64) if bits & (1 << i)]


@pytest.mark.parametrize(
    ("card", "name"),
    [
        (0, "2S"),
        (8, "TS"),
        (12, "AS"),
        (13, "2H"),
        (20, "9H"),
        (26, "2D"),
        (36, "QD"),
        (51, "AC"),
        (52, "LB"),
        (53, "BB"),
    ],
)
def test_a_card_and_its_name_belong_together(card, name):
    assert cards.card_name(card) == name
    assert cards.parse_card(name) == card


def test_the_pack_has_54_different_names():
    assert len(set(cards.CARD_NAMES)) == len(cards.CARD_NAMES) == cards.N_CARDS == 4 * 13 + 2


@pytest.mark.parametrize(
    ("text", "name"),
    [("10S", "TS"), ("10h", "TH"), ("ts", "TS"), ("9h", "9H"), ("bb", "BB"), ("Lb", "LB"), (" qd\n", "QD")],
)
def test_cards_are_read_in_either_case_and_with_a_written_ten(text, name):
    assert cards.card_name(cards.parse_card(text)) == name


@pytest.mark.parametrize("text", ["", " ", "1S", "11S", "S9", "9X", "9", "S", "10", "9HH", "9 H", "BJ", "joker", "♠A"])
def test_a_text_that_is_no_card_is_refused_with_the_way_to_write_it(text):
    with pytest.raises(NotationError) as error:
        cards.parse_card(text)
    assert repr(text) in str(error.value)
    assert "9H, TS (or 10S)" in str(error.value)
    assert "LB and BB" in str(error.value)


@pytest.mark.parametrize("card", [-1, 54, 100])
def test_a_card_number_out_of_range_is_refused(card):
    with pytest.raises(NotationError, match=f"card {card} does not exist: cards are numbered 0 to 53"):
        cards.card_name(card)


@pytest.mark.parametrize("text", ["AS 2H,BB", "as, 2h  bb", "AS\n2H\tBB", ["AS", "2H", "BB"]])
def test_lists_of_cards_keep_their_order(text):
    assert cards.parse_cards(text) == [12, 13, 53]


def test_an_empty_list_of_cards_is_empty():
    assert cards.parse_cards("") == []
    assert cards.format_cards([]) == ""


def test_cards_are_written_in_the_order_of_their_ids():
    assert cards.format_cards([53, 12, 0, 52]) == "2S AS LB BB"


@given(st.lists(st.integers(0, 53)))
def test_names_of_cards_are_read_back(some):
    assert cards.parse_cards(cards.format_cards(some)) == sorted(some)


@given(CARD_SET)
def test_a_set_and_its_list_of_cards_are_the_same(bits):
    assert cards.cards_of(bits) == members(bits)
    assert cards.bits_of(cards.cards_of(bits)) == bits


def test_a_card_given_twice_is_in_a_set_once():
    assert cards.bits_of([3, 3, 0]) == 0b1001


@pytest.mark.parametrize(("suit", "first"), [(0, "2S"), (1, "2H"), (2, "2D"), (3, "2C")])
def test_a_suit_has_thirteen_cards_from_the_two_to_the_ace(suit, first):
    low = cards.parse_card(first)
    assert members(int(cards.SUIT_MASK[suit])) == list(range(low, low + 13))


def test_no_trump_has_no_cards_and_the_jokers_stand_above_all_others():
    assert cards.SUIT_MASK[cards.NO_TRUMP] == 0
    assert members(int(cards.JOKERS)) == [52, 53]
    assert int(cards.SUIT_MASK.sum()) + int(cards.JOKERS) == 2**54 - 1


# Kernels, against Python's own ints.


@given(ANY_SET)
def test_n_bits_counts(bits):
    assert cards.n_bits(word(bits)) == bits.bit_count()


@given(SOME_SET)
def test_lowest_and_highest_are_the_ends_of_the_set(bits):
    assert cards.lowest(word(bits)) == min(members(bits))
    assert cards.highest(word(bits)) == max(members(bits))


def test_the_empty_set_has_no_highest_card():
    assert cards.highest(word(0)) == -1
    assert cards.n_bits(word(0)) == 0


@given(SOME_SET, st.data())
def test_nth_counts_from_the_lowest_card(bits, data):
    index = data.draw(st.integers(0, bits.bit_count() - 1))
    assert cards.nth(word(bits), index) == members(bits)[index]


@given(st.integers(0, 63))
def test_bit_and_below_are_powers_of_two(card):
    assert int(cards.bit(card)) == 2**card
    assert int(cards.below(card)) == 2**card - 1


@given(ANY_SET, st.integers(0, 63))
def test_has_says_whether_a_card_is_in_the_set(bits, card):
    assert cards.has(word(bits), card) == (card in members(bits))


@pytest.mark.parametrize("card", [0, 1, 31, 32, 51, 52, 53, 63])
def test_sets_of_one_card_at_the_ends_of_the_word(card):
    bits = word(1 << card)
    assert cards.lowest(bits) == cards.highest(bits) == cards.nth(bits, 0) == card
    assert cards.n_bits(bits) == 1


@pytest.mark.skipif(not JIT_ENABLED, reason="nothing is compiled")
@pytest.mark.parametrize("function", [cards.n_bits, cards.lowest, cards.highest, cards.has, cards.nth])
def test_kernels_on_sets_take_unsigned_words_and_no_other(function):
    arguments = (word(2**63 | 1),) if function in (cards.n_bits, cards.lowest, cards.highest) else (word(2**63 | 1), 1)
    function(*arguments)
    assert {str(signature[0]) for signature in function.signatures} == {"uint64"}


@pytest.mark.parametrize("make", [cards.bit, cards.below])
@pytest.mark.parametrize("card", [5, np.int64(5), np.int8(5)])
def test_sets_are_the_same_whatever_the_type_of_the_card(make, card):
    assert int(make(card)) == {cards.bit: 32, cards.below: 31}[make]


@pytest.mark.skipif(not JIT_ENABLED, reason="nothing is compiled")
@pytest.mark.parametrize("make", [cards.bit, cards.below])
def test_made_sets_are_unsigned_for_the_compiler(make):
    make(5)
    assert {str(made.signature.return_type) for made in make.overloads.values()} == {"uint64"}
