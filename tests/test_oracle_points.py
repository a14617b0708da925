"""The doubtful corners of points, worked by hand on the oracle."""

import pytest
from made_deals import AUTO, BOSTON, LADDER, RAINBOW, REQUIRED, SOLO, bid, dealt, score
from oracle.deal import Deal


@pytest.mark.parametrize(
    ("options", "hand_size", "bids", "tricks", "points"),
    [
        # side_bid_cap and implied boards
        ({"side_bid_cap": "cards"}, 5, "4 pass 4 pass", [3, 0, 2, 0], [25, 0]),
        ({"side_bid_cap": "cards"}, 5, "4 pass 4 pass", [3, 1, 1, 0], [-25, 1]),
        ({"all_tricks_bid": "implied", "side_bid_cap": "cards"}, 5, "4 2 4 3", [3, 0, 2, 0], [25, -50]),
        # board unit and levels
        ({"board_unit": 6, "board_multiples": (2, 3)}, 5, "board board board pass", [5, 0, 0, 0], [90, -90]),
        # ladder: everybody alone, whatever the unit
        ({**LADDER, "score": "ten_one"}, 1, "1 board pass pass", [0, 1, 0, 0], [-10, 20]),
        ({**LADDER, "score": "ten_one"}, 1, "1 board pass pass", [0, 0, 0, 1], [-10, -19]),
        ({**LADDER, "score_unit": "player"}, 1, "1 board board 1", [0, 0, 1, 0], [25, -25]),
        # opponents of a board
        ({"opponents_of_board": "zero", **BOSTON}, 7, "board boston pass 1", [1, 6, 0, 0], [-70, 0]),
        ({"opponents_of_board": "tricks_only", **BOSTON}, 7, "board boston pass 1", [1, 6, 0, 0], [-70, 6]),
        ({"opponents_of_board": "zero", **BOSTON}, 7, "boston 1 pass 1", [6, 1, 0, 0], [100, -10]),
        ({"opponents_of_board": "zero", "score_unit": "player"}, 4, "board 1 1 1", [3, 0, 1, 0], [-35, 0]),
        # solo boards
        ({**SOLO, "solo_board_bonus": 10, "sides": "pairs"}, 1, "board pass pass pass", [1, 0, 0, 0], [23, 0]),
        (
            {**SOLO, "solo_board_bonus": 10, "solo_board_bonus_one_card": False, "sides": "pairs"},
            1,
            "board pass pass pass",
            [0, 1, 0, 0],
            [-13, 0],
        ),
        # failed five_under and exact_ten
        ({"score": "five_under"}, 7, "4 pass pass pass", [1, 6, 0, 0], [-15, 6]),
        ({"score": "five_under", "five_under_made": True}, 7, "4 pass pass pass", [1, 6, 0, 0], [-10, 6]),
        ({"score": "exact_ten"}, 7, "4 pass pass pass", [7, 0, 0, 0], [7, 10]),
        ({"score": "four_one"}, 7, "4 1 pass pass", [7, 0, 0, 0], [19, -4]),
    ],
)
def test_points(options, hand_size, bids, tricks, points):
    assert score(options, hand_size, bids, tricks).points()[:2] == points


def test_ba68_boston_counts_the_first_six_tricks_of_the_side():
    assert score(BOSTON, 8, "boston pass 5 pass", [4, 1, 3, 0], [3, 0, 3, 0]).points()[:2] == [101, 1]
    assert score(BOSTON, 8, "boston pass 5 pass", [4, 1, 3, 0], [3, 1, 2, 0]).points()[:2] == [-100, 1]
    assert score(BOSTON, 8, "boston pass board pass", [4, 0, 4, 0], [3, 0, 3, 0]).points()[:2] == [80, 0]
    alone = {**BOSTON, "score_unit": "player"}
    assert score(alone, 8, "boston pass 1 pass", [4, 1, 3, 0], [3, 0, 3, 0]).own_points() == [-100, 1, 7, 0]


def test_ba76_boston_and_nobody():
    def legal(options, bids):
        return bid(options, 8, bids, {"N": "AH 3C BB 4C 5C 6C 7C 8C"}).legal() >= {"AH", "BB"}

    assert not legal(BOSTON, "boston pass pass pass")
    assert legal({**BOSTON, "boston_trump_lead": True}, "boston pass pass pass")
    assert legal({**BOSTON, "boston_trump_lead": True, "board_trump_lead": "nobody"}, "boston pass pass pass")
    assert not legal({"board_trump_lead": "nobody"}, "board pass pass pass")
    assert not legal({"lead_rule": "tight_only"}, "board pass pass pass")


def test_required_rainbow_pays_by_the_announcers_own_tricks_and_also_beside_a_board():
    hands = {"N": RAINBOW}
    deal = score({**REQUIRED, "opponents_of_board": "zero"}, 4, "1+rainbow board pass pass", [1, 3, 0, 0], hands=hands)
    assert deal.points()[:2] == [40, -40]
    deal = score(REQUIRED, 4, "1+rainbow pass board pass", [0, 0, 4, 0], hands=hands)
    assert deal.points()[:2] == [0, 0]
    deal = score({**AUTO, "score_unit": "player"}, 4, "1 pass 1 pass", [0, 1, 3, 0], hands=hands)
    assert deal.own_points() == [35, 1, 7, 0]


def test_baw17_bags():
    limit = {"bag_limit": 3, "bag_penalty": 50}
    deal = score(limit, 5, "1 pass 1 pass", [3, 1, 1, 0], bags=[2, 3, 2, 3])
    assert (deal.points(), deal.bags_after()) == ([12 - 50, 1 - 50] * 2, [1, 1, 1, 1])
    assert score(limit, 5, "1 pass 1 pass", [3, 1, 1, 0], bags=[1, 2, 1, 2]).bags_after() == [3, 3, 3, 3]
    alone = score({**limit, "score_unit": "player"}, 5, "1 pass 1 pass", [3, 1, 1, 0], bags=[2, 3, 3, 0])
    assert (alone.own_points(), alone.bags_after()) == ([7 - 50, 1 - 50, 5, 0], [1, 1, 3, 0])
    assert score(limit, 5, "board 2 pass pass", [3, 2, 0, 0]).bags_after() == [0] * 4
    assert score({**limit, "score": "exact_ten"}, 5, "1 pass pass pass", [5, 0, 0, 0]).bags_after() == [0] * 4
    assert score({}, 5, "1 pass pass pass", [5, 0, 0, 0]).bags_after() == [0] * 4
    assert score(limit, 5, "2 pass pass pass", [1, 4, 0, 0], bags=[9] * 4).bags_after() == [6, 10, 6, 10]


def test_the_deal_reads_what_comes_from_earlier_deals():
    deck = sorted(dealt({}, {"N": "3H"}).order.cards)
    deal = Deal({"bag_limit": 1}, deck, 0, 2, bags=[1, 0, 1, 0], carried=[0, 0, 7, 0])
    assert (deal.bags_after(), deal.carried_after()) == ([1, 0, 1, 0], [0, 0, 7, 0])
