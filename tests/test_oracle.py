"""What the oracle alone has to get right: it is the judge, so its doubtful corners are worked by hand here.

The examples of the specification run on it in `test_examples.py`; bids and points have files of their own.
"""

import itertools
import random

import pytest
from examples import Example
from made_deals import SPADE2, STD52, dealt, play
from oracle.cards import Order, pack
from oracle.deal import Deal, cannot_hold
from oracle.legal import legal_follow, legal_lead
from oracle.options import KNOWN, complete, members, schedule
from oracle.start import is_cut

OPTIONS = complete({})
WORTHLESS = complete({"joker_turned": "keep", "no_trump_joker": "worthless"})
NINE_OF_SIX = {"players": 6, "sides": "individual", "no_stock_trump": "no_trump"}


def order(trump, options=None):
    return Order(complete(options or {}), trump)


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
    assert order(trump).winner(trick(cards)) == winner


@pytest.mark.parametrize(("cards", "winner"), [("2C LB BB 3D", 0), ("LB 2C 3D 5C", 3), ("LB BB 2C AD", 2)])
def test_ba32_worthless_jokers_win_nothing_and_set_no_suit(cards, winner):
    assert Order(WORTHLESS, None).winner(trick(cards)) == winner


@pytest.mark.parametrize(
    ("high_two", "trump", "highest_first", "plain"),
    [
        ("none", "S", "AS KS 3S 2S", "2D"),
        ("spade2", "S", "2S AS KS 3S", "2D"),
        ("spade2", "H", "2S AH KH 2H", "AS"),
        ("diamond2", "C", "2D AC KC 2C", "2S"),
        ("diamond2", "D", "2D AD KD 3D", "2C"),
        ("diamond2_trump2", "C", "2D 2C AC KC 3C", "2S"),
        ("diamond2_trump2", "D", "2D AD KD 3D", "2C"),
    ],
)
def test_ba5_high_twos(high_two, trump, highest_first, plain):
    ranks = order(trump, {**STD52, "high_two": high_two})
    cards = highest_first.split()
    assert {ranks.suit[card] for card in cards} == {"trump"}
    assert sorted(cards, key=ranks.strength.get, reverse=True) == cards
    assert ranks.suit[plain] == plain[1]
    assert set(ranks.strength.values()) >= {ranks.strength[card] for card in cards}


def test_a_deal_without_trumps_has_no_high_two():
    assert order(None, {**STD52, "high_two": "diamond2"}).winner(trick("2D 3D 4D 5D")) == 3
    assert order(None, SPADE2).winner(trick("3S 2S 4C 5C")) == 0
    high = order(None, {**SPADE2, "no_trump_high_two": "high"})  # BA-33
    assert high.winner(trick("3S 2S AS 5C")) == 1
    assert high.winner(trick("3C 2S AS 5C")) == 3


def test_ba32_worthless_joker_is_led_last_and_played_when_void():
    ranks = Order(WORTHLESS, None)

    def follow(hand, cards):
        return legal_follow(WORTHLESS, ranks, hand, cards, False)

    for rule in KNOWN["lead_rule"]:
        options = {**WORTHLESS, "lead_rule": rule}
        assert legal_lead(options, ranks, ["LB", "2C", "3D"], False, False) == {"2C", "3D"}
        assert legal_lead(options, ranks, ["LB"], False, False) == {"LB"}
    assert follow(["LB", "2C", "3D"], ["AC"]) == {"2C"}
    assert follow(["LB", "3D"], ["AC"]) == {"LB", "3D"}
    assert follow(["BB", "3D"], ["LB"]) == {"BB", "3D"}
    assert follow(["4C", "3D"], ["LB", "5D"]) == {"3D"}


def test_ba9_sides_of_six():
    assert members(complete({"players": 6, "sides": "two_teams_of_3"}), 1) == [1, 3, 5]
    assert members(complete({"players": 6, "sides": "three_teams_of_2"}), 2) == [2, 5]
    assert members(complete({"players": 3, "sides": "individual"}), 2) == [2]


@pytest.mark.parametrize(
    ("kind", "turning", "sizes"),
    [
        ("down", 2, [4, 3, 2, 2]),
        ("down", 1, [4, 3, 2]),
        ("down_up", 2, [4, 3, 2, 2, 3, 4]),
        ("down_up", 1, [4, 3, 2, 3, 4]),
        ("up_down", 2, [2, 3, 4, 4, 3, 2]),
        ("up_down", 1, [2, 3, 4, 3, 2]),
        ("list", 1, [9, 1]),
    ],
)
def test_baw2_schedules_between_two_sizes(kind, turning, sizes):
    options = {"schedule": kind, "hand_max": 4, "hand_min": 2, "turning_deals": turning, "hand_sizes": [9, 1]}
    assert schedule(options) == sizes


@pytest.mark.parametrize(
    "wrong",
    [{"boston": 1}, {"hand_max": 14}, {"bag_limit": -1}, {"rainbow": "on"}, {"colour": "red"}, {"hand_sizes": [0]}],
    ids=str,
)
def test_options_the_oracle_does_not_know_are_refused(wrong):
    with pytest.raises(ValueError, match="does not know"):
        complete(wrong)


def test_lists_and_pairs_of_options_are_taken_in_any_form():
    options = complete({"rainbow_points": ((4, 5),), "board_multiples": [2, 4], "bag_limit": 10})
    assert (options["rainbow_points"], options["board_multiples"], options["bag_limit"]) == ({4: 5}, (2, 4), 10)


RULES_OF_PLAY = [
    *({"bb_partner": value} for value in KNOWN["bb_partner"]),
    *({"blooper_force": value} for value in KNOWN["blooper_force"]),
    *({"lead_rule": value} for value in KNOWN["lead_rule"]),
    {"follow": "must_trump_over"},
    {"no_trump_joker_lead": "broken", "joker_turned": "keep"},
    {"no_trump_joker": "worthless", "joker_turned": "keep", "follow": "must_trump_over"},
    {**SPADE2, "follow": "must_trump_over"},
]


@pytest.mark.parametrize("options", RULES_OF_PLAY, ids=str)
def test_card_that_two_cards_make_illegal_one_of_them_makes_illegal(options):
    """`Deal.excluded_by` rests on this: legal with each other card alone is legal with all of them."""
    rng = random.Random(1)
    options = complete(options)
    cards = ["2C", "KC", "3D", "4H", "QH", "2S", "AS"] + ["LB", "BB"] * (options["deck"] == "std54")
    tricks = [[], ["AC"], ["9H"], ["BB"], ["LB"], ["2S"], ["AC", "9H"], ["AC", "LB"], ["2D", "5D"]]
    for trump, played, partner in itertools.product(("H", None), tricks, (False, True)):
        if not set(played) <= set(pack(options["deck"])):
            continue
        ranks = Order(options, trump)

        def legal(hand, ranks=ranks, played=played, partner=partner):
            if not played:
                return legal_lead(options, ranks, hand, False, False)
            return legal_follow(options, ranks, hand, played, partner)

        for _ in range(60):
            hand = rng.sample([card for card in cards if card not in played], rng.randint(2, 5))
            for card in hand:
                fits_with_each = all(card in legal([card, other]) for other in hand if other != card)
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


def test_duty_to_trump_and_overtrump_tells_what_a_player_has_not():
    options = {**STD52, "follow": "must_trump_over", "lead_rule": "free"}
    hands = {"N": "9C 3S", "E": "4H 4S", "S": "3H 5S", "W": "8D 6S"}
    deal = dealt(options, hands, top="TH")
    play(deal, "1 pass pass pass 9C 4H 3H 8D")
    assert cannot_hold(deal, 1) == {rank + "C" for rank in "2345678TJQKA"}
    assert cannot_hold(deal, 2) >= {"5H", "AH", "2C"}  # undertrumped: no higher trump
    assert not {"2H", "4D"} & cannot_hold(deal, 2)
    assert cannot_hold(deal, 3) >= {"AH", "5H", "2C"}  # a lower trump he need not have played
    assert "2H" not in cannot_hold(deal, 3)


@pytest.mark.parametrize("dealer", range(4))
def test_cards_are_dealt_one_by_one_from_the_dealers_left(dealer):
    deck = pack("std54")
    deal = Deal({}, deck, dealer, 2)
    assert deal.hands[(dealer + 1) % 4] == ["2S", "6S"]
    assert deal.hands[dealer] == ["5S", "9S"]
    assert deal.turn_up == "TS"
    assert deal.stock[0] == "JS"
    assert deal.turn == (dealer + 1) % 4


@pytest.mark.parametrize(
    ("options", "hand_size", "cut"),
    [
        ({}, 13, False),
        (STD52, 13, True),
        (STD52, 12, False),
        ({**STD52, "no_stock_trump": "no_trump"}, 13, False),
        ({**STD52, "trump_source": "fixed_spades"}, 13, False),
        ({**STD52, "players": 2}, 13, False),
        ({"cut_min_cards": 5}, 5, True),
        ({"cut_min_cards": 5}, 4, False),
        ({**STD52, "cut_min_cards": 5, "no_stock_trump": "no_trump"}, 13, True),
        ({"cut_min_cards": 5, "trump_source": "fixed_spades"}, 5, False),
    ],
    ids=str,
)
def test_ba22_which_deals_are_cut(options, hand_size, cut):
    assert is_cut(complete(options), hand_size) == cut


def test_ba22_cut_card_stays_in_play():
    deck = pack("std54")
    deal = Deal({"cut_min_cards": 5}, deck, 3, 5, "9H")
    assert (deal.trump, deal.cut, deal.turn_up, len(deal.stock)) == ("H", "9H", None, 34)
    with pytest.raises(ValueError, match="BA-22"):
        Deal({"cut_min_cards": 5}, deck, 3, 5, "BB")
    deal = Deal({**STD52, "no_stock_trump": "no_trump"}, pack("std52"), 3, 13)
    assert (deal.trump, deal.cut, deal.turn_up) == (None, None, None)


@pytest.mark.parametrize(
    ("high_two", "shown", "trump"),
    [("spade2", "2S", None), ("spade2", "3S", "S"), ("diamond2", "2D", "D"), ("diamond2_trump2", "2D", "D")],
)
def test_ba24_high_two_exposed(high_two, shown, trump):
    options = {**STD52, "high_two": high_two}
    turned = dealt(options, {"N": "3H"}, top=shown)
    assert (turned.trump, turned.turn_up, turned.cut) == (trump, shown, None)
    cut = Deal(options, pack("std52"), 3, 13, shown)
    assert (cut.trump, cut.turn_up, cut.cut) == (trump, None, shown)
    assert any(shown in hand for hand in cut.hands)


def test_x62_only_the_two_of_spades_forces():
    """As the example has it: nobody can hold the ace any more when the run goes on."""
    ranks = order("H", SPADE2)
    options = complete(SPADE2)
    assert legal_follow(options, ranks, ["AH", "3H", "9C"], ["2S"], False) == {"AH"}
    assert legal_follow(options, ranks, ["AH", "3H"], ["KH"], False) == {"AH", "3H"}


def test_ba79_run_ends_with_a_plain_lead_even_if_it_wins():
    hands = {"N": "2S KH AC 4C", "E": "3H 5C 6C 7C", "S": "4H 8C 9C TC", "W": "5H JC QC KC"}
    deal = dealt(SPADE2, hands, top="6H")
    play(deal, "1 pass pass pass 2S")
    assert deal.run == 0
    play(deal, "3H 4H 5H")
    assert deal.legal() == {"KH", "AC", "4C"}
    deal.play("AC")
    assert deal.run is None
    play(deal, "5C 8C JC")
    assert deal.legal() == {"4C"}


def test_ba79_run_ends_with_a_lost_trick_and_a_tight_lead_starts_none():
    hands = {"N": "2S 3H 4H", "E": "AH KC QC", "S": "5H JC TC", "W": "6H 9C 8C"}
    deal = dealt(SPADE2, hands, top="7H")
    play(deal, "2 pass pass pass 2S AH 5H 6H")
    assert deal.run == 0
    play(deal, "3H KC JC 9C")
    assert deal.run == 0
    tight = dealt(SPADE2, {"N": "3H 4H", "E": "AH 2C", "S": "2S 3C", "W": "5H 4C"}, top="7H")
    play(tight, "1 pass pass pass 3H AH 2S 5H")
    assert tight.run is None


@pytest.mark.parametrize("broken_by", KNOWN["broken_by"])
def test_baw9_jokers_wait_in_a_deal_without_trumps(broken_by):
    options = {**NINE_OF_SIX, "joker_turned": "keep", "no_trump_joker_lead": "broken", "broken_by": broken_by}
    hands = {"0": "AS BB 2S 3S 4S 5S 6S 7S 8S", "1": "LB 2H 3H 4H 5H 6H 7H 8H 9H"}
    deck = Example("", "", hands=hands, dealer="5", options=options).deck(set(pack("std54")))
    deal = Deal(options, deck, 5, 9)
    for bid in ["1"] + ["pass"] * 5:
        deal.play(bid)
    assert deal.trump is None
    assert deal.legal() == {"AS", *(rank + "S" for rank in "2345678")}
    assert deal.legal_cards(["BB"]) == {"BB"}
    for card in ("AS", "LB"):
        deal.play(card)
    while deal.trick:
        deal.play(min(deal.legal()))
    assert (deal.leader, deal.broken) == (1, True)
    assert deal.legal_cards(["BB", "2C"]) == {"BB", "2C"}
    anywhere = Deal({**options, "lead_rule": "tight_only"}, deck, 5, 9)
    for bid in ["1"] + ["pass"] * 5:
        anywhere.play(bid)
    assert "BB" in anywhere.legal()
