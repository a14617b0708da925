"""Every worked example of the specification and its supplement, on oracle and engine."""

import pytest
import worked_bids
import worked_deals
import worked_play
import worked_points
import worked_wild
import worked_wild_alone
from adapters import ADAPTERS, NotPlayed, OracleDeal
from examples import Example, PackExample, ScheduleExample, run

from backalley.envs import Rules, Table
from backalley.envs.back_alley.actions import ALL_TRICKS, PASS
from backalley.envs.back_alley.state import BID

EXAMPLES = [
    *worked_bids.TRUMPS,
    *worked_bids.BIDDING,
    *worked_bids.FIRST_LEAD,
    *worked_play.LEADING,
    *worked_play.FOLLOWING,
    *worked_play.RUN,
    *worked_play.TRUMPING,
    *worked_points.SCORING,
    *worked_deals.DEALS,
    *worked_deals.REVEALED,
    *worked_wild.BAB,
    *worked_wild.APPS_AND_BOOKS,
    *worked_wild_alone.ALONE,
    *worked_wild_alone.MORE_SEATS,
    *worked_wild.DEALS,
]
SCHEDULES = [*worked_bids.SCHEDULES, *worked_wild.SCHEDULES]


@pytest.fixture(params=ADAPTERS)
def make(request):
    return ADAPTERS[request.param]


@pytest.mark.parametrize("example", SCHEDULES, ids=lambda example: example.id)
def test_schedule(example: ScheduleExample, make):
    try:
        sizes = make.schedule(example.options)
    except NotPlayed as reason:
        pytest.skip(str(reason))
    assert len(sizes) == example.n_deals
    assert {deal: sizes[deal - 1] for deal in example.sizes} == example.sizes


@pytest.mark.parametrize("example", worked_bids.PACKS, ids=lambda example: example.id)
def test_pack(example: PackExample, make):
    try:
        pack = make.pack(example.options)
    except NotPlayed as reason:
        pytest.skip(str(reason))
    assert len(pack) == example.n_cards
    jokers = {"LB", "BB"} if example.jokers else set()
    assert pack == {rank + suit for rank in example.ranks for suit in "SHDC"} | jokers


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.id)
def test_example(example: Example, make):
    try:
        run(example, make, make.pack(example.options))
    except NotPlayed as reason:
        pytest.skip(str(reason))


def test_the_names_of_examples_are_unique():
    names = [example.id for example in EXAMPLES + SCHEDULES + worked_bids.PACKS]
    assert sorted(names) == sorted(set(names))


@pytest.mark.parametrize(("all_pass", "next_dealer"), [("next_dealer", 0), ("same_dealer", 3)])
def test_x28_all_pass_is_dealt_again_with_as_many_cards(all_pass, next_dealer):
    table = Table(Rules.preset("partnership", all_pass=all_pass), n=1, seed=1, episode="match")
    table.reset(dealers=3, hand_sizes=7)
    deal_index = table.states["deal_index"][0]
    for _ in range(4):
        rewards, done = table.step([PASS])
        assert not rewards.any()
        assert not done.any()
    state = table.states[0]
    assert state["phase"] == BID
    assert state["dealer"] == next_dealer
    assert table.turn[0] == (next_dealer + 1) % 4
    assert state["hand_size"] == 7
    assert [int(hand).bit_count() for hand in state["hands"][:4]] == [7] * 4
    assert state["deal_index"] == deal_index


def test_x105_equal_totals_are_a_draw():
    rules = Rules.preset("partnership", hand_max=1, turning_deals=1)
    last_deal = Example("X-105", "", hands={"N": "BB", "E": "3D", "S": "KH", "W": "9H"}, top="2H")
    table = Table(rules, n=1, seed=1, episode="match", reward="win")
    table.reset(decks=[last_deal.deck(OracleDeal.pack({}))], dealers=3)
    table.states["match_points"][0, :4] = [300, 310, 300, 310]
    for action in (ALL_TRICKS, PASS, PASS, PASS):  # N will win 10 points, E and W nothing
        table.step([action])
    while not table.done[0]:
        rewards, _ = table.step(None)
    assert table.states["match_points"][0, :4].tolist() == [310] * 4
    assert not rewards.any()
