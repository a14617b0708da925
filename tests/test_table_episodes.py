"""What happens between the decisions: decks, hands thrown in, the deals of a match, rewards."""

import numpy as np
import pytest
from adapters import names
from test_table import PARTNERSHIP, SHORT, deck_of, example, hands, hands_of, play

from backalley.envs import Rules, Table
from backalley.envs.back_alley.actions import PASS
from backalley.envs.cards import CARD_NAMES, parse_cards

DECKS = [deck_of("2H 3H 4H 5H 6H 7H 8H 9H AS"), deck_of("2D 3D 4D 5D 6D 7D 8D 9D AH")]


def all_pass(table: Table) -> tuple[np.ndarray, np.ndarray]:
    for _ in range(4):
        rewards, done = table.step(np.full(table.n, PASS))
    return rewards, done


# Decks.


@pytest.mark.parametrize(
    "deck",
    [DECKS[0], " ".join(DECKS[0]), ", ".join(DECKS[0]).lower(), parse_cards(DECKS[0]), np.array(parse_cards(DECKS[0]))],
    ids=["names", "text", "commas", "ids", "array"],
)
@pytest.mark.parametrize("dealer", range(4))
def test_a_deck_is_dealt_one_card_at_a_time_from_the_dealers_left(deck, dealer):
    table = Table(PARTNERSHIP, n=2, seed=1)
    table.reset(decks=[deck], dealers=dealer, hand_sizes=2)
    for i in range(2):
        assert hands(table, i) == hands_of(DECKS[0], dealer, 2)
        assert table.states["turn_up"][i] == CARD_NAMES.index("AS")
        assert names(table.states["stock"][i]) == set(DECKS[0][9:])
    assert (table.turn == (dealer + 1) % 4).all()


def test_decks_are_used_in_turn_when_hands_are_thrown_in_and_then_the_stream_goes_on():
    table, fresh = (Table(PARTNERSHIP, n=2, seed=1) for _ in range(2))
    for some in (table, fresh):
        some.seed(5)
    table.reset(decks=DECKS, dealers=1, hand_sizes=2)
    for n_redeals, deck in enumerate(DECKS):
        assert (table.states["n_redeals"] == n_redeals).all()
        assert hands(table) == hands(table, 1) == hands_of(deck, 1 + n_redeals, 2)
        all_pass(table)
    fresh.reset(dealers=3, hand_sizes=2)
    assert (table.states["hands"] == fresh.states["hands"]).all()
    assert (table.states["turn_up"] == fresh.states["turn_up"]).all()


def test_decks_are_used_in_turn_by_the_deals_of_a_match():
    table = Table(SHORT, n=1, seed=1, episode="match")
    table.reset(decks=DECKS, dealers=0)
    assert hands(table) == hands_of(DECKS[0], 0, 3)
    play(table, "1", "pass", "pass", "pass")
    while table.states["deal_index"][0] == 0:
        table.step([table.legal()[0].argmax()])  # the lowest card
    assert hands(table) == hands_of(DECKS[1], 1, 2)


def test_a_deck_for_some_episodes_leaves_the_others_alone():
    table = Table(PARTNERSHIP, n=3, seed=1)
    table.reset(decks=DECKS, dealers=0, hand_sizes=2)
    others = table.states[[0, 2]]
    table.reset(where=[False, True, False], decks=[DECKS[1]], dealers=2, hand_sizes=2)
    assert (table.states[[0, 2]] == others).all()
    assert hands(table, 1) == hands_of(DECKS[1], 2, 2)
    all_pass(table)
    assert hands(table, 0) == hands(table, 2) == hands_of(DECKS[1], 1, 2)  # their second deck
    assert hands(table, 1) not in [hands_of(deck, 3, 2) for deck in DECKS]  # it had one only


def test_each_episode_can_have_decks_of_its_own():
    table = Table(PARTNERSHIP, n=2, seed=1)
    decks = np.array([[parse_cards(deck)] for deck in DECKS], np.int8)
    table.reset(decks=decks, dealers=[0, 3], hand_sizes=[2, 1])
    assert hands(table, 0) == hands_of(DECKS[0], 0, 2)
    assert hands(table, 1) == hands_of(DECKS[1], 3, 1)


def test_decks_are_forgotten_with_the_next_reset():
    table = Table(PARTNERSHIP, n=1, seed=1)
    table.reset(decks=DECKS, dealers=0, hand_sizes=2)
    table.reset(dealers=0, hand_sizes=2)
    assert hands(table) not in [hands_of(deck, 0, 2) for deck in DECKS]


# Where, who deals, how many cards.


def test_only_the_chosen_episodes_begin_anew():
    table = Table(PARTNERSHIP, n=4, seed=1)
    for _ in range(6):
        table.step(None)
    before = table.states.copy()
    table.reset(where=[True, False, True, False])
    assert (table.states == before)[[1, 3]].all()
    assert (table.states["n_bids"][[0, 2]] == 0).all()


@pytest.mark.parametrize(
    ("options", "dealers", "sizes"),
    [
        ({"dealers": 2, "hand_sizes": 1}, [2, 2, 2], [1, 1, 1]),
        ({"dealers": [0, 1, 3], "hand_sizes": [3, 2, 1]}, [0, 1, 3], [3, 2, 1]),
        ({"dealers": [0, -1, 3], "deal_indices": [4, 3, 2]}, [0, None, 3], [3, 2, 1]),
        ({"deal_indices": [0, -1, 1]}, [None, None, None], [3, None, 2]),
    ],
)
def test_dealers_and_hand_sizes_can_be_fixed(options, dealers, sizes):
    table = Table(SHORT, n=3, seed=2)
    table.reset(**options)
    for i, (dealer, size) in enumerate(zip(dealers, sizes, strict=True)):
        assert dealer in (None, table.states["dealer"][i])
        assert size in (None, table.states["hand_size"][i])
        assert {len(hand) for hand in hands(table, i)} == {table.states["hand_size"][i]}


# Hands thrown in.


@pytest.mark.parametrize("episode", ["deal", "match"])
@pytest.mark.parametrize("max_redeals", [0, 1, 3])
def test_hands_thrown_in_too_often_cut_the_episode_off(episode, max_redeals):
    table = Table(PARTNERSHIP, n=2, seed=1, episode=episode, max_redeals=max_redeals)
    for _ in range(max_redeals):
        rewards, done = all_pass(table)
        assert not done.any()
    rewards, done = all_pass(table)
    assert done.all()
    assert table.truncated.all()
    assert not rewards.any()
    assert (table.turn == -1).all()


def test_a_deal_played_to_its_end_is_not_cut_off():
    table = Table(PARTNERSHIP, n=20, seed=1)
    while not table.done.all():
        table.step(None)
    assert not table.truncated.any()


def test_the_count_of_hands_thrown_in_begins_anew_with_each_deal_of_a_match():
    table = Table(SHORT, n=1, seed=1, episode="match", max_redeals=1)
    for deal in range(5):
        assert table.states["deal_index"][0] == deal
        all_pass(table)
        while not table.done[0] and table.states["deal_index"][0] == deal:
            legal = np.flatnonzero(table.legal()[0])
            table.step([legal[-1] if table.states["phase"][0] == 1 else legal[0]])  # bid a board, play the lowest
    assert table.done[0]
    assert not table.truncated[0]


# Matches.


@pytest.mark.parametrize(
    ("rules", "sizes"),
    [
        (SHORT, [3, 2, 1, 2, 3]),
        (Rules.preset("partnership", hand_max=2), [2, 1, 1, 2]),
        (Rules.preset("partnership", schedule="up_down", hand_max=2), [1, 2, 2, 1]),
        (Rules.preset("partnership", schedule="down", hand_max=3), [3, 2, 1, 1]),
        (Rules.preset("partnership", schedule="constant", hand_max=2, constant_deals=30), [2] * 30),
    ],
    ids=["gamerules", "partnership", "up_down", "down", "constant"],
)
def test_a_match_plays_its_schedule_the_dealer_goes_round_and_points_add_up(rules, sizes):
    table = Table(rules, n=1, seed=3, episode="match")
    state = table.states[0]
    dealer, played, total = int(state["dealer"]), [int(state["hand_size"])], np.zeros(4)
    position = (0, 0)
    while not table.done[0]:
        rewards, _ = table.step(None)
        now = (int(state["deal_index"]), int(state["n_redeals"]))
        if now != position:
            dealer = (dealer + 1) % 4
            assert state["dealer"] == dealer
            assert {len(hand) for hand in hands(table)} == {state["hand_size"]}
        if now[0] != position[0]:
            played.append(int(state["hand_size"]))
        position = now
        total += rewards[0]
    assert played == sizes
    points = state["match_points"][:4].astype(float)
    assert points[0] == points[2]
    assert points[1] == points[3]
    assert total.tolist() == [points[seat] - points[(seat + 1) % 4] for seat in range(4)]


# Rewards.

NS_TEN = ("1", "pass", "1", "pass", "AC", "KC", "QD", "2C", "3H", "5D", "LB", "AD")  # NS +10, EW 0


@pytest.mark.parametrize(
    ("reward", "expected"),
    [("difference", [10, -10, 10, -10]), ("points", [10, 0, 10, 0]), ("win", [1, -1, 1, -1])],
)
def test_a_deal_pays_in_the_last_step(reward, expected):
    table = example(reward=reward)
    for move in NS_TEN[:-1]:
        play(table, move)
        assert not table.rewards.any()
    play(table, NS_TEN[-1])
    assert table.rewards[0].tolist() == expected
    assert table.states["deal_points"][0, :4].tolist() == [10, 0, 10, 0]


@pytest.mark.parametrize("reward", ["difference", "points", "win"])
def test_a_match_pays_after_each_deal_or_the_winner_at_the_end(reward):
    table = Table(SHORT, n=8, seed=3, episode="match", reward=reward)
    paid = np.zeros((8, 4))
    last = table.states["match_points"][:, :4].copy()
    while not table.done.all():
        rewards, done = table.step(None)
        points = table.states["match_points"][:, :4]
        gain, last = points - last, points.copy()
        other = gain[:, [1, 0, 3, 2]]
        if reward != "win":
            assert (rewards == (gain - other if reward == "difference" else gain)).all()
        else:
            assert not rewards[~done].any()
        paid += rewards
    if reward == "win":
        assert (paid == np.sign(last - last[:, [1, 0, 3, 2]])).all()
        assert paid.any()


def test_equal_points_are_a_draw():
    table = Table(SHORT, n=1, seed=3, reward="win")
    table.reset(decks=[deck_of("AC KC QC JC TC 9C 8C 7C 2H")], dealers=3, hand_sizes=2)
    play(table, "1", "1", "pass", "pass")  # N has AC, TC; E KC, 9C; S QC, 8C; W JC, 7C
    play(table, "TC", "KC", "8C", "7C", "9C", "QC", "JC", "AC")
    assert table.states["tricks_won"][0, :4].tolist() == [1, 1, 0, 0]
    assert table.states["deal_points"][0, :4].tolist() == [5, 5, 5, 5]
    assert not table.rewards.any()
