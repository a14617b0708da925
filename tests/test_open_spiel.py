"""Our games as OpenSpiel's: its own tests, the engine's numbers, nothing hidden shown, exact answers in a tiny game.

Skipped where OpenSpiel is not installed.
"""

import importlib
import itertools
import pickle
import random
import sys
from collections import Counter

import numpy as np
import pytest
from spiel_games import TINY, deal, play, put

from backalley.envs import Rules, StreetsRules, Table
from backalley.envs.back_alley.options import PRESETS
from backalley.envs.cards import CARD_NAMES, CUT_PLACE, NO_CARD, parse_cards
from backalley.envs.errors import InvalidRules, UnknownName

pyspiel = pytest.importorskip("pyspiel")


from backalley.envs.api import open_spiel as ours  # noqa: E402
from backalley.policies import open_spiel as bots  # noqa: E402

MAIN = ["backalley(preset=partnership)", "backalley(preset=two_of_spades)", "backalley(preset=solo)"]
SPECIAL = [
    "backalley(preset=blind7,hand_size=7)",
    "backalley(preset=bab_online,hand_size=4)",
    "backalley(preset=redeal,max_redeals=2,hand_size=6,options=redeal_min_cards:1)",
    "backalley(preset=two_of_spades,max_redeals=3,hand_size=7)",
    "backalley(preset=web_solo,reward=points,decks=5)",
    "backalley(preset=six_3x2,reward=win)",
    "backalley(preset=double_board,hand_size=3)",
]


# OpenSpiel's own tests.


@pytest.mark.parametrize("name", [*MAIN, *SPECIAL, "streets_and_alleys", "streets_and_alleys(decks=3)"])
def test_random_sim_test_of_open_spiel_passes(name):
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=3, serialize=True, verbose=False)


@pytest.mark.parametrize("name", MAIN)
def test_games_and_states_survive_pickling_and_clones_are_independent(name):
    game = pyspiel.load_game(name)
    assert str(pickle.loads(pickle.dumps(game))) == str(game)
    draws = random.Random(1)
    for state in itertools.islice(play(game, draws), 0, None, 9):
        again, clone, text = pickle.loads(pickle.dumps(state)), state.clone(), str(state)
        tensor = state.information_state_tensor(0)
        while not state.is_terminal():
            action = draws.choice(state.legal_actions())
            assert again.legal_actions() == state.legal_actions()
            for one in (state, again):
                one.apply_action(action)
        assert again.returns() == state.returns()
        assert str(clone) == text
        assert clone.information_state_tensor(0) == tensor


# The same game as the engine's.


def table_of(state):
    """Return a table with the deal of a state, by the record of what chance did."""
    rules, position = state.get_game().rules, state.position
    rest = [card for card in position.setup.pack if card not in position.deck]
    table = Table(rules, 1, seed=0, reward=position.setup.reward, max_redeals=0)
    cuts = None if position.cut == NO_CARD else [position.cut]
    deck = position.deck[: len(position.setup.pack)] + ([] if position.setup.n_decks else rest)
    if position.setup.n_decks and rules.is_cut(position.hand_size):
        cuts = [position.deck[CUT_PLACE]]
    table.reset(decks=[deck], cuts=cuts, dealers=position.dealer, hand_sizes=position.hand_size)
    return table


@pytest.mark.parametrize("name", [*MAIN, *(name for name in SPECIAL if "redeals" not in name)])
def test_legal_actions_tensors_and_returns_are_those_of_the_table(name):
    game, draws = pyspiel.load_game(name), random.Random(2)
    for _ in range(4):
        state = deal(game, draws)
        if state.is_terminal():  # void of trumps: the table deals again
            continue
        table = table_of(state)
        while not state.is_terminal():
            seat = state.current_player()
            assert seat == table.turn[0]
            assert state.legal_actions() == table.legal_actions()
            for other in range(game.num_players()):
                assert state.observation_tensor(other) == table.observe(other)[0].tolist()
            action = draws.choice(state.legal_actions())
            state.apply_action(action)
            table.step([action])
        assert table.done[0]
        assert state.returns() == table.rewards[0].tolist()


def test_streets_and_alleys_pays_what_the_table_pays():
    game, draws = pyspiel.load_game("streets_and_alleys(preset=beleaguered_castle)"), random.Random(3)
    for _ in range(3):
        state = deal(game, draws)
        table = Table(StreetsRules.preset("beleaguered_castle"), 1, seed=0)
        table.reset(decks=[state.position.deck])
        won = 0.0
        while not state.is_terminal():
            assert state.legal_actions() == table.legal_actions()
            action = draws.choice(state.legal_actions())
            state.apply_action(action)
            won += table.step([action])[0][0, 0]
        assert table.done[0]
        assert state.returns() == [won]


@pytest.mark.parametrize("preset", PRESETS)
def test_no_deal_pays_more_than_the_bounds_say(preset):
    game = bots.game_of(Rules.preset(preset))
    table = Table(Rules.preset(preset), 300, seed=4)
    while not table.done.all():
        table.step(None)
        assert game.min_utility() <= table.rewards.min()
        assert table.rewards.max() <= game.max_utility()


def test_the_bounds_of_a_one_card_deal_are_those_worked_by_hand():
    # A board of 1 card wins or loses 10 times its level (BA-102); the second of two players can double it: 20.
    assert (pyspiel.load_game(TINY).min_utility(), pyspiel.load_game(TINY).max_utility()) == (-40.0, 40.0)


@pytest.mark.parametrize("preset", PRESETS)
def test_any_rule_set_can_be_written_as_parameters(preset):
    rules = Rules.preset(preset)
    game = bots.game_of(rules)
    assert game.rules == rules
    assert pyspiel.load_game(str(game)).rules == rules


# Chance.


def test_chance_deals_only_what_the_deal_looks_at_in_the_order_of_the_deck():
    game = pyspiel.load_game("backalley(hand_size=1,dealer=0)")
    state = game.new_initial_state()
    assert [p for _, p in state.chance_outcomes()] == [1 / 54] * 54
    put(state, "2S 3S 4S 5S")
    assert len(state.chance_outcomes()) == 50
    put(state, "9H")
    assert state.current_player() == 1
    assert [state.position.own_cards(seat) for seat in (1, 2, 3, 0)] == [
        parse_cards(c) for c in ("2S", "3S", "4S", "5S")
    ]


def test_a_joker_turned_up_takes_the_cards_that_the_rules_ask_for():
    game = pyspiel.load_game("backalley(hand_size=1,dealer=0)")
    unheld, held = game.new_initial_state(), game.new_initial_state()
    put(unheld, "2S 3S 4S 5S BB")  # nobody gives back the other joker (BA-26)
    assert not unheld.is_chance_node()
    put(held, "2S 3S LB 5S BB")
    assert held.is_chance_node()
    put(held, "KD")
    assert not held.is_chance_node()
    assert "| KD |" in held.information_state_string(3)
    burned = pyspiel.load_game("backalley(hand_size=1,dealer=0,options=joker_turned:burn)").new_initial_state()
    put(burned, "2S 3S 4S 5S BB LB")
    assert burned.is_chance_node()
    put(burned, "KD")
    assert not burned.is_chance_node()


def test_dealer_and_hand_size_are_drawn_as_the_schedule_has_them():
    state = pyspiel.load_game("backalley(preset=solo)").new_initial_state()
    assert state.chance_outcomes() == [(seat, 0.25) for seat in range(4)]
    state.apply_action(2)
    odds = dict(state.chance_outcomes())
    assert odds[1] == pytest.approx(2 / 14)  # 13 down to 1, and 1 again (BA-14)
    assert odds[13] == pytest.approx(1 / 14)
    assert state.action_to_string(7) == "hand size 7"


def test_a_full_deal_is_cut_by_chance():
    game = pyspiel.load_game("backalley(preset=solo,hand_size=13,dealer=0)")
    state = game.new_initial_state()
    for _ in range(52):
        state.apply_action(state.legal_actions()[0])
    assert state.is_chance_node()
    assert len(state.chance_outcomes()) == 52  # any card of the pack, in whoever's hand
    assert state.action_to_string(CARD_NAMES.index("7H")) == "cut 7H"
    state.apply_action(CARD_NAMES.index("7H"))
    assert state.position.states["trump"][0] == 1


def test_hands_thrown_in_end_the_game_or_are_dealt_again():
    for redeals in (0, 1):
        state = deal(pyspiel.load_game(f"backalley(hand_size=2,dealer=0,max_redeals={redeals})"), random.Random(0))
        first = state.information_state_string(1)
        for _ in range(4):
            state.apply_action(54)
        assert state.is_terminal() == (redeals == 0)
        assert state.returns() == [0.0] * 4
    assert state.is_chance_node()
    assert state.position.dealer == 1  # BA-67: the next one
    assert first.split(" | ")[2] in state.information_state_string(1)  # the hand thrown in is remembered


# What a player knows.


@pytest.mark.parametrize(
    "name", ["backalley(hand_size=2,decks=40)", "backalley(preset=two_of_spades,hand_size=2,decks=40)"]
)
def test_information_states_are_equal_exactly_where_a_player_has_seen_the_same(name):
    game, draws = pyspiel.load_game(name), random.Random(5)
    seen_by_text, text_by_seen, before_by_text = {}, {}, {}
    for _ in range(400):
        history = [[] for _ in range(game.num_players())]
        state = deal(game, draws)
        while not state.is_terminal():
            for seat in range(game.num_players()):
                text = state.information_state_string(seat)
                seen = state.position.view(seat).tobytes(), tuple(state.position.tricks)
                assert seen_by_text.setdefault(text, seen) == seen
                assert text_by_seen.setdefault(seen, text) == text
                before = tuple(history[seat])  # perfect recall: all that it has known and done
                assert before_by_text.setdefault(text, before) == before
            seat, action = state.current_player(), draws.choice(state.legal_actions())
            history[seat].append((state.information_state_string(seat), action))
            state.apply_action(action)
    assert len(seen_by_text) > 1000


def test_information_states_tell_the_order_of_tricks():
    game = pyspiel.load_game("backalley(hand_size=3,dealer=0)")
    tensors, texts = [], []
    for first, second in (("2H 3H 4H 5H", "6H 7H 8H 9H"), ("6H 7H 8H 9H", "2H 3H 4H 5H")):
        state = game.new_initial_state()
        put(state, "2H 3H 4H 5H 6H 7H 8H 9H TC JC QC KC 2S")
        for bid in (54, 54, 54, 55):
            state.apply_action(bid)
        put(state, " ".join(first.split()[i] for i in (3, 0, 1, 2)))
        put(state, " ".join(second.split()[i] for i in (3, 0, 1, 2)))
        tensors.append((state.information_state_tensor(1), state.observation_tensor(1)))
        texts.append((state.information_state_string(1), state.observation_string(1)))
    assert tensors[0][1] == tensors[1][1]
    assert tensors[0][0] != tensors[1][0]
    assert texts[0][1] == texts[1][1]
    assert texts[0][0] != texts[1][0]
    size, tricks = game.layout.size, np.reshape(tensors[0][0][game.layout.size :], (3, 4, 54))
    assert len(tensors[0][1]) == size
    assert tricks[0, 0].argmax() == CARD_NAMES.index("2H")  # the observer's own card comes first
    assert tricks.sum() == 8


@pytest.mark.parametrize("name", [*MAIN, *(name for name in SPECIAL if "decks" not in name), f"{TINY[:-3]}300)"])
def test_a_resampled_state_looks_the_same_and_its_hidden_cards_are_others(name):
    game, draws = pyspiel.load_game(name), random.Random(6)
    n_moved = n_all = 0
    for _ in range(4):
        for state in itertools.islice(play(game, draws), 0, None, 5):
            if state.is_terminal():
                break
            for seat in {state.current_player(), 0}:
                other = state.resample_from_infostate(seat, draws.random)
                assert other.information_state_string(seat) == state.information_state_string(seat)
                assert other.information_state_tensor(seat) == state.information_state_tensor(seat)
                if seat == state.current_player():
                    assert other.legal_actions() == state.legal_actions()
                replayed = game.new_initial_state()
                for action in other.history():
                    replayed.apply_action(action)
                assert str(replayed) == str(other)
                n_all += 1
                n_moved += str(other) != str(state)
    assert n_moved > n_all / 2


def test_resampling_knows_about_the_exchange_of_jokers():
    game = pyspiel.load_game("backalley(hand_size=2,dealer=0)")
    state = game.new_initial_state()
    put(state, "2S 3S 4S LB 6S 7S 8S 9S BB KD")  # seat 0 gives back the little joker for the king
    seen, n_moved = {seat: Counter() for seat in (0, 1)}, 0
    draws = random.Random(7)
    for seat, counts in seen.items():
        for _ in range(60):
            other = state.resample_from_infostate(seat, draws.random)
            assert other.information_state_string(seat) == state.information_state_string(seat)
            dealt = [other.position.own_cards(holder) for holder in range(4)]
            n_moved += str(other) != str(state)
            counts[next(holder for holder in range(4) if 52 in dealt[holder])] += 1
    assert seen[0] == {0: 60}  # who exchanged knows it
    assert set(seen[1]) == {0, 2, 3}
    assert n_moved == 120


def test_resampling_does_not_know_who_kept_a_hand():
    game = pyspiel.load_game("backalley(preset=redeal,hand_size=1,dealer=0,options=redeal_min_cards:1)")
    state = game.new_initial_state()
    put(state, "2H AD KD QD 5S")  # seat 1 has neither a trump nor an honour (BA-36)
    assert state.action_to_string(state.legal_actions()[0]) == "keep"
    unasked = state.information_state_string(2)
    state.apply_action(state.legal_actions()[0])
    assert state.information_state_string(2) == unasked  # BA-115
    draws = random.Random(7)
    others = [state.resample_from_infostate(2, draws.random) for _ in range(60)]
    held = {one.position.own_cards(1)[0] for one in others}
    assert held & set(parse_cards("AC KC QC JC AH KH QH JH 2S 9S KS BB LB"))  # and seat 1 was not asked


def test_resampling_without_our_policies_says_what_to_import(monkeypatch):
    state = deal(pyspiel.load_game("backalley(hand_size=1,options=turning_deals:1)"), random.Random(0))
    monkeypatch.setattr(ours, "_worlds", None)
    monkeypatch.setattr(state.position.setup, "draw_world", None)
    with pytest.raises(ours.BackAlleyError, match=r"import backalley\.policies\.open_spiel"):
        state.resample_from_infostate(0, random.random)


def test_where_no_other_deal_is_found_the_true_cards_are_not_shown(monkeypatch):
    state = deal(pyspiel.load_game("backalley(hand_size=3)"), random.Random(0))
    monkeypatch.setattr(ours, "_MAX_TRIES", 0)
    with pytest.raises(ours.BackAlleyError, match="none of 0 deals drawn at random looks to player"):
        state.resample_from_infostate(state.current_player(), random.random)


# What goes wrong.


@pytest.mark.parametrize(
    ("parameters", "error", "words"),
    [
        ({"preset": "solo18"}, UnknownName, "did you mean 'solo_18'"),
        ({"options": "hand_mx:4"}, UnknownName, "did you mean 'hand_max'"),
        ({"options": "hand_max=4"}, InvalidRules, "must read name:value"),
        ({"hand_size": 14}, ValueError, "not in the schedule"),
        ({"dealer": 4}, ValueError, "choose 0 to 3"),
        ({"decks": -1}, ValueError, "0 or more"),
        ({"reward": "score"}, UnknownName, "known: difference, points, win"),
    ],
)
def test_wrong_parameters_are_refused_in_words(parameters, error, words):
    with pytest.raises(error, match=words):
        ours.BackAlleyGame(parameters)


def test_a_card_is_not_dealt_twice():
    state = pyspiel.load_game("backalley(hand_size=1,dealer=0)").new_initial_state()
    put(state, "2S")
    with pytest.raises(ValueError, match="has been dealt already"):
        put(state, "2S")


def test_without_open_spiel_one_line_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    monkeypatch.delitem(sys.modules, ours.__name__)
    with pytest.raises(ModuleNotFoundError, match=r"needs OpenSpiel, .*: pip install 'open_spiel>=1.6'"):
        importlib.import_module(ours.__name__)
