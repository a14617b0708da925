"""`Table`: the same episodes whatever the batch, one step at a time, and clear refusals."""

import copy
import pickle

import numpy as np
import pytest
from adapters import names

from backalley.envs import RANDOM_ACTION, SKIP, Rules, Table
from backalley.envs.back_alley.actions import N_ACTIONS, PASS, bid_action
from backalley.envs.back_alley.notation import parse_action
from backalley.envs.back_alley.state import BID
from backalley.envs.cards import CARD_NAMES
from backalley.envs.errors import BackAlleyError, IllegalAction, InvalidDeck, NotationError, UnknownName

PARTNERSHIP = Rules.preset("partnership")
SHORT = Rules.preset("gamerules", hand_max=3)  # 3 2 1 2 3 cards
HANDS = "AC KC QD 2C 3H 5D LB AD 7H"  # N AC 3H, E KC 5D, S QD LB, W 2C AD, hearts


def deck_of(front: str) -> list[str]:
    """Return a deck that begins with these cards."""
    first = front.split()
    return first + [card for card in CARD_NAMES if card not in first]


def hands_of(deck: list[str], dealer: int, hand_size: int) -> list[set[str]]:
    """Deal by hand: card i goes to seat (dealer + 1 + i) mod 4."""
    return [{deck[i] for i in range(4 * hand_size) if (dealer + 1 + i) % 4 == seat} for seat in range(4)]


def hands(table: Table, i: int = 0) -> list[set[str]]:
    return [names(hand) for hand in table.states["hands"][i, :4]]


def values(records: np.ndarray) -> dict[str, list]:
    """Return the fields of records; the bytes between the fields mean nothing."""
    return {name: records[name].tolist() for name in records.dtype.names}


def snapshot(table: Table, rows=slice(None)) -> tuple:
    """Return everything about some episodes, comparable."""
    return (
        values(table.states[rows]),
        values(table.episodes[rows]),
        table.rewards[rows].tolist(),
        table.done[rows].tolist(),
        table.truncated[rows].tolist(),
    )


def trace(table: Table, n_steps: int, rows=slice(None)) -> list[tuple]:
    """Step at random and return what happened in some episodes."""
    states = [snapshot(table, rows)]
    for _ in range(n_steps):
        table.step(None)
        states.append(snapshot(table, rows))
    return states


def example(**options) -> Table:
    """Return a table with the cards of X-106, dealt by W."""
    table = Table(PARTNERSHIP, n=1, seed=0, **options)
    table.reset(decks=[deck_of(HANDS)], dealers=3, hand_sizes=2)
    return table


def play(table: Table, *moves: str) -> None:
    for move in moves:
        table.step([parse_action(move)])


# The same episodes.


@pytest.mark.parametrize(
    ("options", "rows"),
    [
        ({"n": 9}, slice(4, 7)),
        ({"n": 7}, slice(4, 7)),
        ({"n": 3, "first_stream": 4}, slice(0, 3)),
        ({"n": 9, "buffers": True}, slice(4, 7)),
        ({"n": 9, "buffers": True, "threads": 2}, slice(4, 7)),
    ],
    ids=str,
)
@pytest.mark.parametrize("episode", ["deal", "match"])
def test_episodes_depend_on_the_seed_and_their_number_alone(options, rows, episode):
    reference = Table(SHORT, n=12, seed=7, episode=episode, autoreset=True)
    table = Table(SHORT, seed=7, episode=episode, autoreset=True, **options)
    assert trace(table, 40, rows) == trace(reference, 40, slice(4, 7))


def test_another_seed_gives_other_episodes():
    first, second = (Table(PARTNERSHIP, n=4, seed=seed) for seed in (1, 2))
    assert all(first.states[i] != second.states[i] for i in range(4))


def test_seeding_again_and_resetting_begins_the_same_episodes():
    table = Table(PARTNERSHIP, n=3, seed=5)
    before = snapshot(table)
    trace(table, 10)
    table.seed(5)
    table.reset()
    assert snapshot(table)[0] == before[0]


@pytest.mark.parametrize("episode", ["deal", "match"])
def test_beginning_by_itself_is_beginning_by_hand(episode):
    by_itself = Table(SHORT, n=6, seed=3, episode=episode, autoreset=True, buffers=True)
    by_hand = Table(SHORT, n=6, seed=3, episode=episode)
    n_ended = 0
    for _ in range(200):
        rewards, done = by_itself.step(None)
        hand_rewards, hand_done = by_hand.step(None)
        assert (rewards == hand_rewards).all()
        assert (done == hand_done).all()
        n_ended += done.sum()
        by_hand.reset(where=done)
        assert (by_itself.states == by_hand.states).all()
        assert (by_itself.legal_bits == by_hand.legal_bits).all()
        assert not by_itself.done.any()
        assert (by_itself.observations == by_hand.observe()).all()
    assert n_ended > 6


def test_single_deals_have_all_sizes_of_the_schedule_and_all_dealers():
    table = Table(SHORT, n=300, seed=1)
    indices, counts = np.unique(table.states["deal_index"], return_counts=True)
    assert indices.tolist() == [0, 1, 2, 3, 4]
    assert counts.min() > 300 / 5 / 2
    assert (table.states["hand_size"] == np.array([3, 2, 1, 2, 3])[table.states["deal_index"]]).all()
    assert np.unique(table.states["dealer"]).tolist() == [0, 1, 2, 3]


def test_the_first_dealer_of_the_rules_is_used():
    table = Table(Rules.preset("partnership", first_dealer=2), n=5, seed=1)
    assert (table.states["dealer"] == 2).all()
    assert (table.turn == 3).all()


# One step.


def test_legal_actions_are_the_legal_bits():
    table = Table(PARTNERSHIP, n=6, seed=2)
    for _ in range(70):
        masks = table.legal()
        for i in range(table.n):
            cards, bids = (int(bits) for bits in table.legal_bits[i])
            wanted = [cards >> action & 1 for action in range(54)] + [bids >> k & 1 for k in range(N_ACTIONS - 54)]
            assert masks[i].tolist() == wanted
        assert masks.dtype == np.int8
        table.step(None)
    assert table.done.any()


def test_legal_can_fill_an_array():
    table = Table(PARTNERSHIP, n=2, seed=2)
    masks = np.full((2, N_ACTIONS), 7, np.int8)
    assert table.legal(masks) is masks
    assert (masks == table.legal()).all()


@pytest.mark.parametrize("threads", [1, 2])
def test_buffers_are_what_the_seats_to_act_see(threads):
    table = Table(PARTNERSHIP, n=5, seed=4, buffers=True, threads=threads)
    for _ in range(60):
        observations, masks = table.see()
        assert (table.observations == observations).all()
        assert (table.masks == masks).all()
        assert (table.masks == table.legal()).all()
        table.step(None)
    table.reset()
    assert (table.observations == table.observe()).all()


def test_finished_episodes_stay_as_they_are_and_take_any_action():
    table = example()
    play(table, "1", "pass", "1", "pass", "AC", "KC", "QD", "2C", "3H", "5D", "LB", "AD")
    assert table.done.tolist() == [True]
    assert table.turn.tolist() == [-1]
    assert not table.legal().any()
    before = table.states.copy()
    for action in (0, 500, SKIP, RANDOM_ACTION):
        rewards, done = table.step([action])
        assert done.tolist() == [True]
        assert not rewards.any()
    assert (table.states == before).all()
    assert not table.observe().any()
    assert table.random_actions().tolist() == [0]


def test_a_skipped_episode_stands_still_and_a_random_action_is_drawn():
    table, twin = (Table(PARTNERSHIP, n=3, seed=6) for _ in range(2))
    before = table.states[1].copy()
    table.step([RANDOM_ACTION, SKIP, RANDOM_ACTION])
    twin.step(None)
    assert table.states[1] == before
    assert (table.states == twin.states).tolist() == [True, False, True]


def test_random_actions_are_legal_and_come_from_the_policy_streams():
    table = Table(PARTNERSHIP, n=50, seed=6)
    chance = table.episodes["chance"].copy()
    for _ in range(40):
        actions = table.random_actions()
        assert (table.legal()[np.arange(50), actions] == 1)[~table.done].all()
        table.step(actions)
    deal = Table(PARTNERSHIP, n=50, seed=6)
    deal.step(None)
    assert (deal.episodes["chance"] == chance).all()


@pytest.mark.parametrize("bad", [3, bid_action(13), 89, 200, -3, 53])
def test_an_illegal_action_is_refused_and_nothing_is_stepped(bad):
    table = Table(PARTNERSHIP, n=3, seed=6, buffers=True)
    table.reset(hand_sizes=5)
    before = snapshot(table)
    with pytest.raises(IllegalAction, match=r"^episode 1: player_\d .*legal: pass 1 2 3 4 board\)$"):
        table.step([PASS, bad, PASS])
    assert snapshot(table) == before


@pytest.mark.parametrize(
    ("moves", "bad", "message"),
    [
        (
            "",
            "2",
            "player_0 bid 2 but must choose one of the legal bids: the highest number with 2 cards is 1 "
            "and all 2 are bid by board (BA-43) (legal: pass 1 board)",
        ),
        (
            "",
            "AC",
            "player_0 bid AC but must choose one of the legal bids: cards are played after the last bid "
            "(legal: pass 1 board)",
        ),
        ("1 pass 1 pass", "3H", "player_0 led 3H but trumps are not broken (BA-74) (legal: AC)"),
        ("1 pass 1 pass", "2S", "player_0 played 2S but does not hold it (legal: AC)"),
        ("1 pass 1 pass", "board", "player_0 bid board but must play a card (legal: AC)"),
        ("1 pass 1 pass AC", "5D", "player_1 played 5D but must follow clubs (legal: KC)"),
        ("pass pass 1 pass QD", "2C", "player_3 played 2C but must follow diamonds (legal: AD)"),
        ("pass pass board pass LB 2C", "AC", "player_0 played AC but must follow trumps (LB was led) (legal: 3H)"),
    ],
)
def test_a_refusal_says_who_what_why_and_what_instead(moves, bad, message):
    table = example()
    play(table, *moves.split())
    with pytest.raises(IllegalAction) as error:
        table.step([parse_action(bad)])
    assert str(error.value) == message


def test_actions_of_another_shape_are_refused():
    with pytest.raises(ValueError, match="broadcast"):
        Table(PARTNERSHIP, n=3, seed=1).step([PASS, PASS])


# What seats see.


@pytest.mark.parametrize("seat", range(4))
def test_a_view_shows_the_own_hand_and_what_lies_open(seat):
    table = Table(PARTNERSHIP, n=4, seed=9)
    hidden = {"hands", "stock", "observer"}
    for _ in range(60):
        views, states = table.view(seat), table.states
        assert (views["hands"][:, seat] == states["hands"][:, seat]).all()
        others = [other for other in range(6) if other != seat]
        assert not views["hands"][:, others].any()
        assert not views["stock"].any()
        assert (views["observer"] == seat).all()
        for name in set(states.dtype.names) - hidden:
            assert (views[name] == states[name]).all(), name
        table.step(None)


def test_without_a_seat_the_view_is_that_of_the_seat_to_act():
    table = Table(PARTNERSHIP, n=5, seed=9)
    assert (table.view()["observer"] == table.turn).all()
    assert (table.observe() == table.observe(table.turn)).all()


@pytest.mark.parametrize("seats", [4, -1, [0, 1, 7]])
def test_a_seat_that_does_not_exist_is_refused(seats):
    table = Table(PARTNERSHIP, n=3, seed=9)
    for look in (table.view, table.see, table.observe):
        with pytest.raises(ValueError, match="seats must lie between 0 and 3, got"):
            look(seats)


# Copies.


@pytest.mark.parametrize(
    "copied",
    [Table.clone, copy.deepcopy, lambda table: pickle.loads(pickle.dumps(table))],
    ids=["clone", "deepcopy", "pickle"],
)
@pytest.mark.parametrize("episode", ["deal", "match"])
def test_a_copy_in_mid_game_goes_on_alike_and_apart(copied, episode):
    table = Table(SHORT, n=4, seed=8, episode=episode, autoreset=True, buffers=True)
    trace(table, 7)
    before = snapshot(table)
    twin, third = copied(table), copied(table)
    assert snapshot(twin) == before
    future = trace(twin, 30)
    assert snapshot(table) == before
    assert trace(table, 30) == future
    assert trace(third, 30) == future
    assert (twin.observations == twin.observe()).all()
    assert twin.layout == table.layout


# Forfeits.


def test_a_forfeit_ends_the_episode_without_points():
    table = Table(PARTNERSHIP, n=3, seed=8, buffers=True)
    table.forfeit(np.array([False, True, False]))
    assert table.done.tolist() == [False, True, False]
    assert table.turn[1] == -1
    assert not table.legal()[1].any()
    assert not table.masks[1].any()
    assert not table.observations[1].any()
    before = table.states[1].copy()
    rewards, done = table.step(None)
    assert done.tolist() == [False, True, False]
    assert not rewards.any()
    assert table.states[1] == before
    table.reset(where=[False, True, False])
    assert table.states["phase"][1] == BID
    assert not table.done.any()


# Refusals at the start.


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"n": 0}, ValueError, "at least one episode, not n=0"),
        ({"threads": 2}, ValueError, "pass buffers=True too"),
        ({"episode": "mach"}, UnknownName, "unknown episode kind 'mach': did you mean 'match'"),
        ({"reward": "point"}, UnknownName, "unknown reward kind 'point': did you mean 'points'"),
        ({"max_redeals": -1}, ValueError, "max_redeals=-1 must be 0 or more"),
    ],
)
def test_a_table_that_cannot_be_is_refused(options, error, message):
    with pytest.raises(error, match=message):
        Table(PARTNERSHIP, **{"n": 1, "seed": 0, **options})


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"dealers": 4}, ValueError, r"dealer \[4\] does not exist: choose 0 to 3, or -1"),
        ({"dealers": [0, -2]}, ValueError, r"dealer \[-2\] does not exist"),
        ({"hand_sizes": 4}, ValueError, r"hand size \[4\] is not in the schedule: choose from \[1, 2, 3\]"),
        ({"hand_sizes": [1, 0]}, ValueError, r"hand size \[0\] is not in the schedule"),
        ({"deal_indices": 5}, ValueError, r"deal index \[5\] does not exist: choose 0 to 4, or -1"),
        ({"where": [True, False, True]}, ValueError, "broadcast"),
        ({"decks": ["AS KS"]}, InvalidDeck, "deck has 2 cards and is no permutation of the pack of 54: missing 2S"),
        ({"decks": [deck_of("")[:-1]]}, InvalidDeck, "missing BB; twice none; not in the pack none"),
        ({"decks": [[0, 0, *range(2, 54)]]}, InvalidDeck, "missing 3S; twice 2S; not in the pack none"),
        ({"decks": [[54, *range(1, 54)]]}, InvalidDeck, r"missing 2S; twice none; not in the pack \[54\]"),
        ({"decks": [["XX", *CARD_NAMES[1:]]]}, NotationError, "'XX' is not a card"),
        ({"decks": np.zeros((3, 1, 54), np.int8)}, InvalidDeck, r"all 2 episodes at once"),
    ],
)
def test_a_beginning_that_cannot_be_is_refused(options, error, message):
    table = Table(SHORT, n=2, seed=0)
    before = table.states.copy()
    with pytest.raises(error, match=message):
        table.reset(**options)
    assert (table.states == before).all()


@pytest.mark.parametrize("action", [54 + 2**16, 54 - 2**16, 2**40])
def test_a_number_out_of_range_is_no_other_action(action):
    table = Table(PARTNERSHIP, 1, 0)
    with pytest.raises(IllegalAction):
        table.step([action])


def test_actions_are_whole_numbers():
    table = Table(PARTNERSHIP, 1, 0)
    with pytest.raises(BackAlleyError, match="must be whole numbers, not float64"):
        table.step([54.0])
    table.step(np.array([54], np.uint64))
    assert table.states["n_bids"][0] == 1
