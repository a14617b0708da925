"""The engine of Streets and Alleys against the oracle, step by step."""

import random

import numpy as np
import pytest
from oracle.patience import Patience, rank
from patience_adapter import EnginePatience, to_action, to_move
from test_patience_rules import VARIANTS, random_deck, random_position

from backalley.envs import StreetsRules, Table, make_rules
from backalley.envs.cards import card_name
from backalley.envs.streets_and_alleys.state import LONGEST_PILE

MIXTURES = [
    {},
    {"aces_up": True},
    *({"aces_up": aces, **VARIANTS[name]} for aces in (False, True) for name in ("auto_ace_off", "auto_play")),
    {"worry_back": True},
    {"worry_back": True, "auto_ace": False},
    {"worry_back": True, "aces_up": True},
    {"auto_play": True, "auto_ace": False},
]
MOVES = 120


def piles_of(state):
    return [[card_name(card) for card in pile[:n]] for pile, n in zip(state["piles"], state["lengths"], strict=True)]


def check_same(table, i, game, reward, score_before):
    """Compare an episode with the oracle's game: position, counter, legal moves, end, reward."""
    state = table.states[i]
    assert piles_of(state) == game.piles
    assert state["foundation"].tolist() == list(game.foundation.values())
    assert state["n_moves"] == game.n_moves
    assert {to_move(action) for action in table.legal_actions(i)} == game.legal_moves()
    assert bool(table.done[i]) == game.is_over
    assert (state["turn"] == -1) == game.is_over
    assert reward == game.score - score_before


def play_against_the_oracle(options, n_games, seed):
    """Play games at random on both, preferring moves that lead somewhere, and compare after every step."""
    chance = random.Random(seed)
    rules = StreetsRules.preset(**options)
    decks = [random_deck(chance, options) for _ in range(n_games)]
    games = [Patience(options, deck=deck) for deck in decks]
    table = Table(rules, n_games, max_moves=MOVES + 1)
    for i, deck in enumerate(decks):
        table.reset(np.arange(n_games) == i, decks=[deck])
        check_same(table, i, games[i], 0, games[i].score)
    for _ in range(MOVES):
        if table.done.all():
            break
        moves, scores = [], [game.score for game in games]
        for game in games:
            legal = sorted(game.legal_moves(), key=str)
            good = [move for move in legal if move[0] == "up" or move[-1] > 1]
            moves.append(chance.choice(good if good and chance.random() < 0.7 else legal) if legal else None)
        running = ~table.done
        rewards, _ = table.step([0 if move is None else to_action(move) for move in moves])
        for i in np.flatnonzero(running):
            games[i].play(moves[i])
            check_same(table, i, games[i], rewards[i, 0], scores[i])


def play_positions_against_the_oracle(options, n_games, seed):
    """Begin in mid-game, where piles are empty and runs are long, and compare after every move."""
    chance = random.Random(seed)
    n_shortcuts = 0
    for _ in range(n_games):
        piles, foundation = position_within_reach(chance, options)
        slow, fast = (make(options, piles=piles, foundation=foundation) for make in (Patience, EnginePatience))
        for _ in range(40):
            assert fast.piles == slow.piles
            assert fast.foundation == slow.foundation
            legal = fast.legal_moves()
            assert legal == slow.legal_moves()
            assert (fast.won, fast.blocked, fast.score) == (slow.won, slow.blocked, slow.score)
            if not legal:
                break
            move = chance.choice(sorted(legal, key=str))
            assert fast.expand(move) == slow.expand(move)
            n_shortcuts += move[0] == "move" and move[-1] > 1
            fast.play(move)
            slow.play(move)
    assert n_shortcuts > n_games


def position_within_reach(chance, options):
    """Return a random position whose piles cannot grow higher than they do in a game."""
    while True:
        piles, foundation = random_position(chance, 1 if options.get("aces_up") else 0)
        if all(i + rank(card) <= LONGEST_PILE for pile in piles for i, card in enumerate(pile)):
            return piles, foundation


@pytest.mark.parametrize("options", MIXTURES, ids=str)
def test_random_positions_agree_with_the_oracle(options):
    play_positions_against_the_oracle(options, 12, seed=2)


@pytest.mark.parametrize("options", MIXTURES, ids=str)
def test_random_games_agree_with_the_oracle(options):
    play_against_the_oracle(options, 12, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(20))
def test_twenty_thousand_random_games_agree_with_the_oracle(part):
    for k, options in enumerate(MIXTURES):
        play_against_the_oracle(options, 50, seed=100 * part + k + 10)
        play_positions_against_the_oracle(options, 50, seed=100 * part + k + 10)


def test_a_deal_that_is_blocked_at_once_is_over_before_the_first_move():
    """The deal of SA-E10."""
    from worked_patience import EXAMPLES

    deck = next(example.deck for example in EXAMPLES if example.id.startswith("SA-E10"))
    table = Table(make_rules("streets_and_alleys"), 1)
    table.reset(decks=[deck])
    assert table.done[0]
    assert not table.legal().any()
    assert not table.truncated[0]


def test_an_episode_is_cut_off_after_the_moves_that_are_allowed():
    table = Table(make_rules("beleaguered_castle"), 64, seed=2, max_moves=3)
    for _ in range(3):
        assert not table.truncated.any()
        running = ~table.done
        table.step(None)
    cut = table.truncated & running
    assert cut.any()
    assert (table.states["n_moves"][cut] == 3).all()
    assert not table.legal()[cut].any()


def test_win_reward_is_paid_for_a_win_alone():
    rules = make_rules("streets_and_alleys", auto_play=True)
    table = Table(rules, 1, reward="win")
    king_first = [rank + suit for rank in "KQJT98765432A" for suit in "SHDC"]
    table.reset(decks=[king_first])  # every pile falls from base to top: all goes up by itself
    assert table.done[0]
    assert table.states["foundation"][0].tolist() == [13] * 4
