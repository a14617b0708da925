"""The doubtful corners of bids, first leads, rainbows and redeals, worked by hand on the oracle."""

import pytest
from made_deals import (
    AUTO,
    BOSTON,
    CLAIM,
    FREE,
    LADDER,
    NO_RAINBOW,
    PLAIN_HAND,
    RAINBOW,
    RAISE,
    REQUIRED,
    SOLO,
    SPADE2,
    STD52,
    bid,
    dealt,
    score,
)


@pytest.mark.parametrize(
    ("options", "hand_size", "bids", "legal"),
    [
        (SOLO, 3, "", "pass 1 2 board"),
        ({**SOLO, "number_max": "cards"}, 3, "", "pass 1 2 board"),
        ({"number_max": "cards"}, 3, "", "pass 1 2 3 board"),
        ({"number_cap": 2}, 4, "", "pass 1 2 board"),
        ({"all_tricks_bid": "implied"}, 2, "", "pass 1 2"),
        ({**STD52, "all_tricks_bid": "all"}, 2, "board", "pass 1 board"),
        ({**STD52, "all_tricks_bid": "all", "all_max_cards": 1}, 2, "", "pass 1 2"),
        (LADDER, 2, "1", "pass 1 2"),
        (LADDER, 1, "pass", "pass 1"),
        (LADDER, 1, "1", "pass 1 board"),
        (LADDER, 1, "1 board board", "pass 1 board"),
        ({**LADDER, "ladder_repeat_one": False}, 1, "1 pass", "pass board"),
        (RAISE, 2, "board pass", "pass 1 board"),
        (RAISE, 2, "board board", "pass 1 board"),
        (BOSTON, 7, "", "pass 1 2 3 4 5 6 board boston"),
        (BOSTON, 6, "", "pass 1 2 3 4 5 board"),
    ],
)
def test_bids_there_are(options, hand_size, bids, legal):
    assert bid(options, hand_size, bids).legal() == set(legal.split())


@pytest.mark.parametrize(
    ("options", "hand_size", "bids", "missing"),
    [
        ({}, 4, "1 pass 2", "1"),
        ({}, 4, "board pass pass", "pass"),
        ({}, 4, "pass pass pass", "board"),
        ({}, 4, "board pass 1", None),
        ({**BOSTON}, 8, "pass 2 pass", "boston 6"),
        ({**BOSTON}, 8, "boston pass pass", "2"),
    ],
)
def test_baw18_the_last_bidder_may_not_make_the_sum_n(options, hand_size, bids, missing):
    free = bid(options, hand_size, bids).legal()
    hooked = bid({**options, "dealer_hook": True}, hand_size, bids)
    assert hooked.legal() == free - set((missing or "").split())
    earlier = bid({**options, "dealer_hook": True}, hand_size, bids.rsplit(" ", 1)[0])
    assert earlier.legal() == bid(options, hand_size, bids.rsplit(" ", 1)[0]).legal()


@pytest.mark.parametrize(
    ("bids", "phase", "turn"),
    [
        ("1 pass board pass", "raise", 0),
        ("1 pass board board", "raise", 0),  # then E
        ("board pass 1 pass", "play", 0),
        ("board pass board pass", "play", 2),  # a double board at one's own turn: its bidder leads
        ("pass pass pass board", "raise", 1),
        ("pass pass pass pass", "thrown_in", None),
    ],
)
def test_ba54_who_is_asked_for_a_raise(bids, phase, turn):
    deal = bid(RAISE, 3, bids)
    assert (deal.phase, deal.turn) == (phase, turn)


def test_ba54_boston_and_required_rainbow_are_not_raised():
    deal = bid({**RAISE, **BOSTON}, 7, "boston pass board pass")
    assert deal.phase == "play"
    deal = bid({**RAISE, **REQUIRED}, 4, "1+rainbow pass board pass", {"N": RAINBOW})
    assert deal.phase == "play"
    deal = bid({**RAISE, **FREE}, 4, "1+rainbow pass board pass raise", {"N": RAINBOW})
    assert (deal.phase, deal.bids[0], deal.multiples, deal.rainbows) == ("play", "board+rainbow", {0: 2, 2: 1}, {0})


@pytest.mark.parametrize(
    ("options", "bids", "leader"),
    [
        ({}, "pass board board pass raise raise", 0),
        ({"double_board_leader": "first_boarder"}, "2 pass board board raise raise", 2),
        ({"double_board_leader": "first_boarder"}, "2 board board pass no_raise", 1),
        ({}, "2 board board pass raise", 0),
        ({"board_leader": "earliest"}, "2 board board pass raise", 0),
        ({"board_leader": "earliest"}, "2 board board pass no_raise", 1),
    ],
)
def test_ba71_leader_of_double_boards(options, bids, leader):
    words = bids.split()
    deal = bid({**RAISE, **options}, 3, " ".join(words[:4]))
    for answer in words[4:]:
        if deal.phase == "raise":
            deal.play(answer)
    assert deal.leader == leader


HIGHEST = {"number_max": "cards"}


@pytest.mark.parametrize(
    ("options", "hand_size", "bids", "leader"),
    [
        ({}, 7, "1 4 4 pass", 1),
        ({}, 7, "board 1 board 6", 2),
        ({"board_multiple_cap": 4}, 7, "board 1 board 6", 2),
        ({"board_leader": "earliest"}, 7, "board 1 board 6", 0),
        ({**HIGHEST, "board_leader": "earliest"}, 7, "1 7 board pass", 1),
        (HIGHEST, 7, "1 7 board pass", 2),
        ({"first_lead": "left_of_dealer"}, 7, "1 board pass pass", 0),
        ({"all_pass": "play"}, 7, "pass pass pass pass", 0),
        ({"all_tricks_bid": "bort"}, 7, "1 board board pass", 1),
        ({"all_tricks_bid": "bort", "all_tricks_tie": "last"}, 7, "1 board board pass", 2),
        ({**SOLO, "all_tricks_tie": "last"}, 7, "1 board board pass", 1),
        (LADDER, 1, "1 board 1 board", 3),
        (LADDER, 1, "pass 1 1 pass", 1),
        (BOSTON, 8, "7 boston boston pass", 1),
        (BOSTON, 8, "7 boston board pass", 2),
        ({**BOSTON, "boston_rank": "above_board"}, 8, "7 boston board pass", 1),
        ({**BOSTON, "first_lead": "left_of_dealer"}, 8, "7 boston board pass", 0),
        ({"all_tricks_bid": "implied"}, 3, "1 3 pass pass", 1),
    ],
)
def test_ba70_first_leader(options, hand_size, bids, leader):
    assert bid(options, hand_size, bids).leader == leader


@pytest.mark.parametrize(
    ("options", "bids", "leader"),
    [
        (REQUIRED, "3 1+rainbow board pass", 1),
        ({**REQUIRED, "rainbow_leads": False}, "3 1+rainbow board pass", 2),
        ({**REQUIRED, "rainbow_over_board": False}, "3 1+rainbow board pass", 2),
        ({**REQUIRED, "rainbow_over_board": False}, "3 1+rainbow pass pass", 1),
        ({**REQUIRED, "rainbow_over_board": False, "first_lead": "left_of_dealer"}, "3 1+rainbow board pass", 1),
        ({**FREE, "all_pass": "play"}, "pass pass+rainbow pass pass", 1),
        ({**FREE, "all_pass": "play", "rainbow_leads": False}, "pass pass+rainbow pass pass", 0),
        ({**CLAIM, "rainbow_over_board": False}, "board+rainbow pass+rainbow pass board", 3),
        (AUTO, "3 1 board pass", 2),
    ],
)
def test_ba70_rainbow_leads(options, bids, leader):
    assert bid(options, 4, bids, {"E": RAINBOW}).leader == leader


@pytest.mark.parametrize(
    ("options", "hand", "top", "is_rainbow"),
    [
        ({}, "BB 4C 9D KS", "7H", True),
        ({}, "BB 4C 9D KS", "7S", False),
        ({"rainbow_joker": "never"}, "BB 4C 9D KS", "7H", False),
        ({"joker_turned": "keep"}, "BB 4C 9D KS", "LB", False),
        ({"joker_turned": "keep"}, RAINBOW, "LB", True),
        ({**STD52, "high_two": "diamond2"}, "2D 5C 7S JD", "7H", True),
        ({**STD52, "high_two": "diamond2", "rainbow_joker": "never"}, "2D 5C 7S JD", "7H", False),
        ({**STD52, "high_two": "diamond2", "rainbow_joker": "never"}, "2D 5C 7S JH", "7D", False),
        ({**STD52, "high_two": "diamond2_trump2", "rainbow_joker": "never"}, "3D 5C 7S 2H", "7H", True),
        ({**SPADE2, "rainbow_joker": "never"}, "2C 5D 7H 3S", "2S", True),
        ({}, "BB AS KH 9D", "LB 4C", True),  # after the exchange
        ({"rainbow_sizes": (8,)}, RAINBOW, "7H", False),
    ],
)
def test_ba62_what_a_rainbow_is(options, hand, top, is_rainbow):
    deal = bid({**AUTO, **options}, 4, "", {"N": hand}, top)
    assert deal.holds_rainbow[0] == is_rainbow


@pytest.mark.parametrize(
    ("options", "hand", "announced"),
    [
        (REQUIRED, RAINBOW, "1 2 3"),
        (REQUIRED, NO_RAINBOW, ""),
        ({**REQUIRED, "number_cap": 2}, RAINBOW, "1 2"),
        ({**REQUIRED, "blind_sizes": (4,)}, RAINBOW, ""),
        (FREE, RAINBOW, "pass 1 2 3 board"),
        (FREE, NO_RAINBOW, ""),
        ({**FREE, "boston": True, "boston_min_cards": 4}, RAINBOW, "pass 1 2 3 board"),
        ({**FREE, "blind_sizes": (4,)}, RAINBOW, ""),
        (CLAIM, NO_RAINBOW, "pass 1 2 3 board"),
        ({**CLAIM, "blind_sizes": (4,)}, NO_RAINBOW, "pass 1 2 3 board"),
        ({**CLAIM, "rainbow_sizes": (8,)}, RAINBOW, ""),
        (AUTO, RAINBOW, ""),
    ],
)
def test_ba63_announcements(options, hand, announced):
    legal = bid(options, 4, "", {"N": hand}).legal()
    assert {move for move in legal if "+" in move} == {f"{word}+rainbow" for word in announced.split()}


def test_ba64_rainbow_of_eight_cards_is_two_tricks():
    hand = "AS KS 4H 3H 9D 8D 2C 3C"
    legal = bid({**REQUIRED, "rainbow_sizes": (4, 8)}, 8, "", {"N": hand}).legal()
    assert {move for move in legal if "+" in move} == {f"{number}+rainbow" for number in range(2, 8)}


@pytest.mark.parametrize(
    ("options", "shown"),
    [
        ({}, [{0}, {0}, {0, 2}, {0, 2}, {0, 2}]),
        ({"rainbow_reveal": "after_bidding"}, [set()] * 4 + [{0, 2}]),
        ({"blind_sizes": (4,)}, [set()] * 4 + [{0, 2}]),
    ],
    ids=str,
)
def test_baw12_when_rainbows_are_shown(options, shown):
    hands = {"N": RAINBOW, "E": "JS TS JD QD", "S": "KS 5H 8D 3C", "W": "3S 4S 5S 6S"}
    deal = bid({**AUTO, **options}, 4, "", hands)
    for expected, move in zip(shown, ["1", "pass", "pass", "pass", None], strict=True):
        assert deal.rainbows == expected
        if move:
            deal.play(move)


def test_ba66_bonus_of_hands_thrown_in_waits_for_the_next_score():
    paid = {**CLAIM, "rainbow_thrown_in": "paid"}
    hands = {"N": RAINBOW, "E": NO_RAINBOW}
    passed = bid(paid, 4, "pass+rainbow pass+rainbow pass pass", hands)
    assert passed.carried_after() == [40, -40, 0, 0]
    passed.carried = [5, 0, 0, 0]
    assert passed.carried_after() == [45, -40, 0, 0]
    assert bid(CLAIM, 4, "pass+rainbow pass pass pass", hands).carried_after() == [0] * 4
    later = score(paid, 3, "1 pass pass pass", [1, 2, 0, 0], carried=[45, -40, 0, 0])
    assert later.points() == [50, -38, 50, -38]
    assert later.carried_after() == [0] * 4
    alone = score({**paid, "score_unit": "player"}, 3, "1 pass pass pass", [1, 2, 0, 0], carried=[45, -40, 0, 0])
    assert alone.own_points() == [50, -38, 0, 0]
    assert alone.points() == [50, -38, 50, -38]


@pytest.mark.parametrize(
    ("options", "hands", "top", "phase", "turn"),
    [
        ({}, {"N": PLAIN_HAND}, "7D", "redeal_offer", 0),
        ({}, {"N": PLAIN_HAND}, "7H", "bid", 0),
        ({}, {"N": PLAIN_HAND.replace("2C", "LB")}, "7D", "bid", 0),
        ({}, {"N": PLAIN_HAND.replace("2C", "JC")}, "7D", "bid", 0),
        ({}, {"N": PLAIN_HAND}, "LB", "redeal_offer", 0),
        ({"joker_turned": "keep"}, {"N": PLAIN_HAND.replace("2C", "BB")}, "LB", "bid", 0),
        (
            {"joker_turned": "keep", "no_trump_joker": "worthless"},
            {"N": PLAIN_HAND.replace("2C", "BB")},
            "LB",
            "redeal_offer",
            0,
        ),
        ({"redeal_min_cards": 7}, {"N": PLAIN_HAND}, "7D", "bid", 0),
        ({"blind_sizes": (6,)}, {"N": PLAIN_HAND}, "7D", "bid", 0),
        ({"redeal_timing": "own_turn"}, {"N": PLAIN_HAND}, "7D", "bid", 0),
    ],
)
def test_ba36_who_may_demand_a_new_deal(options, hands, top, phase, turn):
    filled = {"E": "AS 2S 3S 4S 5S 6S", "S": "AH 2H 3H 4H 5H 6H", "W": "AC 4C 5C 6C 8C 9C"}
    deal = dealt({"redeal_right": True, **options}, {**filled, **hands}, top)
    assert (deal.phase, deal.turn) == (phase, turn)
    assert ("redeal" in deal.legal()) == (phase == "redeal_offer" or "redeal_timing" in options)


def test_ba37_seats_are_asked_in_bidding_order_and_the_dealer_stays():
    hands = {"N": "AS AH AD AC KS KH", "E": PLAIN_HAND, "S": "AS 2S 3S 4S 5S 6S", "W": "8S 7S 5H 4C 5C 6C"}
    hands["S"] = "KC 2S 3S 4S 5S 6S"
    deal = dealt({"redeal_right": True}, hands, "7D")
    assert (deal.phase, deal.turn) == ("redeal_offer", 1)
    deal.play("keep")
    assert (deal.phase, deal.turn) == ("redeal_offer", 3)
    deal.play("redeal")
    assert (deal.phase, deal.turn, deal.next_dealer) == ("thrown_in", None, 3)
    deal = dealt({"redeal_right": True, "redeal_dealer": "next"}, hands, "7D")
    for move in ("keep", "redeal"):
        deal.play(move)
    assert deal.next_dealer == 0


@pytest.mark.parametrize(
    ("options", "top", "phase", "next_dealer"),
    [
        ({}, "7H", "thrown_in", 3),
        ({"void_dealer": "next"}, "7H", "thrown_in", 0),
        ({"void_min_cards": 8}, "7H", "bid", None),
        ({}, "2S", "bid", None),
        ({"high_two": "none", "lead_rule": "broken"}, "2S", "bid", None),
    ],
)
def test_ba38_hand_without_trumps(options, top, phase, next_dealer):
    hands = {"N": "3S 4S 5S 6S 3D 4D 5D"}
    deal = dealt({**SPADE2, "void_redeal": True, **options}, hands, top)
    assert (deal.phase, deal.next_dealer) == (phase, next_dealer)


def test_ba69_blind_hands_are_seen_after_the_last_bid():
    deal = bid({"blind_sizes": (7,)}, 7, "1 pass pass")
    assert [deal.knows_own_hand(seat) for seat in range(4)] == [False] * 4
    deal.play("pass")
    assert deal.knows_own_hand(3)
    assert bid({"blind_sizes": (7,)}, 6, "").knows_own_hand(0)
