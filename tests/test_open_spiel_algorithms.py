"""OpenSpiel's algorithms on our games, exact in a tiny one, and its bots at our table; skipped without OpenSpiel."""

import itertools
import random
from collections import Counter

import numpy as np
import pytest
from oracle.deal import Deal as OracleDeal
from spiel_games import TINY, deal, play

from backalley.envs import Rules
from backalley.envs.cards import CARD_NAMES

pyspiel = pytest.importorskip("pyspiel")

from open_spiel.python import policy as spiel_policy  # noqa: E402  # behind the skip
from open_spiel.python.algorithms import cfr, exploitability, ismcts, mcts  # noqa: E402

from backalley.policies import open_spiel as bots  # noqa: E402
from backalley.train.evaluate import evaluate  # noqa: E402

# Exact answers.


def oracle_values(game):
    """Return for each deck of the tiny game what the oracle makes of each pair of bids: (points ahead of seat 1).

    Both seats have one card, so that bids are all there is to decide; seat 1 bids before the dealer, seat 0.
    """
    options = game.rules.differences()
    options.pop("hand_sizes", None)
    values = []
    for row in game.setup.decks:
        deck = [CARD_NAMES[card] for card in row[:42]]
        by_bids = {}
        for bids in itertools.product(("pass", "board"), repeat=2):
            one = OracleDeal(options, deck, 0, 1)
            for bid in bids:
                one.play(bid)
            while one.phase == "play":
                one.play(next(iter(one.legal())))
            points = one.points() if one.phase == "scored" else [0, 0]
            by_bids[bids] = points[1] - points[0]
        values.append((deck[0], deck[1], by_bids))
    return values


def test_exploitability_of_a_tiny_game_is_what_the_oracle_gives():
    game = pyspiel.load_game(TINY)
    values = oracle_values(game)
    both = ("pass", "board")
    on_policy = np.mean([value for *_, by_bids in values for value in by_bids.values()])
    first = {}  # the gains of seat 1 by its card and bid, the other one bidding at random
    second = {}  # of seat 0 by its card and the bid it has heard
    for own, others, by_bids in values:
        for bid, answer in itertools.product(both, both):
            first.setdefault(own, Counter())[bid] += by_bids[bid, answer] / 2
            second.setdefault((others, bid), Counter())[answer] -= by_bids[bid, answer] / 2
    best_first = sum(max(gains[bid] for bid in both) for gains in first.values()) / len(values)
    best_second = sum(max(gains[bid] for bid in both) for gains in second.values()) / len(values)
    expected = best_first + best_second
    found = exploitability.nash_conv(game, spiel_policy.UniformRandomPolicy(game), return_only_nash_conv=False)
    assert expected > 1
    assert found.nash_conv == pytest.approx(expected)
    assert found.player_improvements == pytest.approx([best_second + on_policy, best_first - on_policy])


def test_cfr_finds_an_equilibrium_of_the_tiny_game():
    game = pyspiel.load_game(TINY)
    solver = cfr.CFRPlusSolver(game)
    for _ in range(12):
        solver.evaluate_and_update_policy()
    uniform = exploitability.exploitability(game, spiel_policy.UniformRandomPolicy(game))
    assert exploitability.exploitability(game, solver.average_policy()) < uniform / 10


# Bots.


def test_the_ismcts_of_open_spiel_plays_a_deal():
    game, draws = pyspiel.load_game("backalley(hand_size=3,dealer=0)"), np.random.RandomState(8)
    bot = ismcts.ISMCTSBot(game, mcts.RandomRolloutEvaluator(1, draws), 20.0, 20, random_state=draws)
    state = deal(game, random.Random(8))
    n_decisions = 0
    while not state.is_terminal():
        action = bot.step(state)
        assert action in state.legal_actions()
        state.apply_action(action)
        n_decisions += 1
    assert n_decisions == 16  # a bid and three cards each, as somebody bid


def test_open_spiel_bots_sit_at_our_table():
    rules = Rules.preset("partnership", hand_max=2)
    policy = bots.BotPolicy(bots.ismcts_bot(sims=8), rules, name="ismcts of OpenSpiel")
    result = evaluate(policy, "simple", rules, pairs=4)
    assert result.policy_a == "ismcts of OpenSpiel"
    assert result.differences.tolist() == evaluate(policy, "simple", rules, pairs=4).differences.tolist()


def test_ismcts_beats_random_bids_and_plays():
    rules = Rules.preset("partnership", schedule="constant", hand_max=3)
    assert evaluate(bots.BotPolicy(bots.ismcts_bot(sims=40), rules), "random", rules, pairs=16).ci95[0] > 0


def test_a_bot_that_plays_what_is_not_legal_is_named():
    class Wrong:
        def step(self, state):
            return 0 if 0 not in state.legal_actions() else 1

    rules = Rules.preset("partnership", hand_max=2)
    with pytest.raises(ValueError, match="bot of policy 'wrong' chose 0"):
        evaluate(bots.BotPolicy(lambda *_: Wrong(), rules, name="wrong"), "simple", rules, pairs=2)


def test_a_state_from_a_view_reads_like_the_game_until_the_second_trick_is_complete():
    game, draws = pyspiel.load_game("backalley(hand_size=3)"), random.Random(9)
    n_equal = 0
    for state in itertools.chain.from_iterable(play(game, draws) for _ in range(8)):
        if state.is_terminal():
            continue
        seat = state.current_player()
        other = game.state_of(state.position.states)
        assert other.legal_actions() == state.legal_actions()
        assert other.observation_string(seat) == state.observation_string(seat)
        assert other.observation_tensor(seat) == state.observation_tensor(seat)
        if len(state.position.tricks) <= 1:
            assert other.information_state_string(seat) == state.information_state_string(seat)
            assert other.information_state_tensor(seat) == state.information_state_tensor(seat)
            n_equal += 1
        again = other.resample_from_infostate(seat, draws.random)
        assert again.information_state_string(seat) == other.information_state_string(seat)
        for _ in range(2):
            if not other.is_terminal():
                other.apply_action(draws.choice(other.legal_actions()))
        if not other.is_terminal():
            again = other.resample_from_infostate(seat, draws.random)
            assert again.information_state_string(seat) == other.information_state_string(seat)
    assert n_equal > 30
