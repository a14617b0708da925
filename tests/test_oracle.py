"""What the oracle alone has to get right: it is the judge, so its doubtful corners are worked by hand here.

The examples of the specification run on it in `test_examples.py`.
"""

import itertools
import random

import pytest
from oracle.cards import pack, trick_winner
from oracle.deal import Deal, cannot_hold
from oracle.legal import legal_follow, legal_lead
from oracle.options import complete, members, schedule

OPTIONS = complete({})
WORTHLESS = complete({"joker_turned": "keep", "no_trump_joker": "worthless"})


def trick(text):
    return list(enumerate(text.split()))


@pytest.mark.parametrize(
    ("cards", "trump", "winner"),
    [
        ("2C AC KC QC", "H", 1),
        ("2C AS KS QS", "H", 0),
        ("AC 2H 3H KC", "H", 2),
        ("AH LB KH BB", "H", 3),
        ("TC 9C JC 8C", None, 2),
        ("AC KC LB QC", None, 2),  # sole_trump, BA-32
    ],
)
def test_ba93_trick_winner(cards, trump, winner):
    assert trick_winner(trick(cards), trump, "sole_trump") == winner


@pytest.mark.parametrize(("cards", "winner"), [("2C LB BB 3D", 0), ("LB 2C 3D 5C", 3), ("LB BB 2C AD", 2)])
def test_ba32_worthless_jokers_win_nothing_and_set_no_suit(cards, winner):
    assert trick_winner(trick(cards), None, "worthless") == winner


def test_ba32_worthless_joker_is_led_last_and_played_when_void():
    assert legal_lead(WORTHLESS, None, ["LB", "2C", "3D"], False) == {"2C", "3D"}
    assert legal_lead(WORTHLESS, None, ["LB"], False) == {"LB"}
    assert legal_follow(WORTHLESS, None, ["LB", "2C", "3D"], ["AC"], False) == {"2C"}
    assert legal_follow(WORTHLESS, None, ["LB", "3D"], ["AC"], False) == {"LB", "3D"}
    assert legal_follow(WORTHLESS, None, ["BB", "3D"], ["LB"], False) == {"BB", "3D"}
    assert legal_follow(WORTHLESS, None, ["4C", "3D"], ["LB", "5D"], False) == {"3D"}


def test_ba9_sides_of_six():
    assert members(complete({"players": 6, "sides": "two_teams_of_3"}), 1) == [1, 3, 5]
    assert members(complete({"players": 6, "sides": "three_teams_of_2"}), 2) == [2, 5]
    assert members(complete({"players": 3, "sides": "individual"}), 2) == [2]


def test_ba14_down_plays_the_one_card_deal_twice():
    assert schedule({"schedule": "down", "hand_max": 3}) == [3, 2, 1, 1]
    assert schedule({"schedule": "down", "hand_max": 3, "turning_deals": 1}) == [3, 2, 1]


def test_options_the_oracle_does_not_know_are_refused():
    with pytest.raises(ValueError, match="does not know boston=True"):
        complete({"boston": True})


def test_card_that_two_cards_make_illegal_one_of_them_makes_illegal():
    """`Deal.excluded_by` rests on this: legal with each other card alone is legal with all of them."""
    rng = random.Random(1)
    cards = ["2C", "KC", "3D", "4H", "QH", "LB", "BB"]
    for bb_partner, led, partner in itertools.product(
        ("highest", "any_trump", "lowest"), ["AC", "9H", "BB", "LB", None], (False, True)
    ):
        options = {**OPTIONS, "bb_partner": bb_partner}
        for _ in range(100):
            hand = rng.sample([card for card in cards if card != led], rng.randint(2, 5))

            def legal(hand, options=options, led=led, partner=partner):
                if led is None:
                    return legal_lead(options, "H", hand, False)
                return legal_follow(options, "H", hand, [led], partner)

            for card in hand:
                fits_with_each = all(card in legal([card, other]) for other in hand)
                assert (card in legal(hand)) == fits_with_each


def test_nothing_is_excluded_before_anything_is_played():
    deck = pack("std54")
    random.Random(3).shuffle(deck)
    deck.remove("LB")
    deck.insert(20, "LB")  # turned up
    deal = Deal({"joker_turned": "keep"}, deck, 0, 5)
    assert [cannot_hold(deal, seat) for seat in range(4)] == [set()] * 4
    deal = Deal({}, deck, 0, 5)
    assert [cannot_hold(deal, seat) for seat in range(4)] == [{"BB", "LB"}] * 4


@pytest.mark.parametrize("dealer", range(4))
def test_cards_are_dealt_one_by_one_from_the_dealers_left(dealer):
    deck = pack("std54")
    deal = Deal({}, deck, dealer, 2)
    assert deal.hands[(dealer + 1) % 4] == ["2S", "6S"]
    assert deal.hands[dealer] == ["5S", "9S"]
    assert deal.turn_up == "TS"
    assert deal.stock[0] == "JS"
    assert deal.turn == (dealer + 1) % 4
