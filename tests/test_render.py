import gymnasium
import numpy as np
import pytest

from backalley.envs import Rules, Table, back_alley_v0
from backalley.envs.api.render import render_table
from backalley.envs.back_alley.notation import parse_action
from backalley.envs.back_alley.options import PRESETS
from backalley.envs.cards import CARD_NAMES

HANDS = ["2S", "KS", "9H", "4C", "3S", "QS", "TH", "5C"]  # one card to each seat in turn, from player_0 on
PASS, ONE, BOARD = 54, 55, 68


def deck_that_begins(cards):
    return [*cards, *(name for name in CARD_NAMES if name not in cards)]


def start(cards, hand_size=2, **kwargs):
    """Return an environment with these cards dealt, the last of them turned up, dealer player_3."""
    env = back_alley_v0.env(render_mode="ansi", **kwargs)
    env.reset(seed=0, options={"deck": deck_that_begins(cards), "dealer": 3, "hand_size": hand_size})
    return env


def lines(env):
    return [" ".join(line.split()) for line in env.render().splitlines()]


def play(env, *actions):
    for action in actions:
        env.step(CARD_NAMES.index(action) if isinstance(action, str) else action)


def test_open_table():
    env = start([*HANDS, "AC"])
    assert lines(env)[-1] == "North to bid: pass 1 board"
    play(env, ONE, PASS, PASS, BOARD)
    assert lines(env) == [
        "deal 12 of 26, 2 cards each",
        "trumps clubs, turned up AC, trumps not broken",
        "0 North bid 1 tricks 0 | 3S 2S",
        "1 East bid pass tricks 0 | KS QS",
        "2 South bid pass tricks 0 | TH 9H",
        "> 3 West * bid board tricks 0 | 5C 4C",
        "tricks still needed: North+South 1, East+West 2 (* dealer, > to act)",
        "West to play: 4C 5C",
    ]
    play(env, "4C", "2S")
    assert lines(env)[5] == "3 West * bid board tricks 0 4C led | 5C"
    assert lines(env)[2] == "0 North bid 1 tricks 0 2S | 3S"


def test_one_seats_view_hides_the_other_hands_and_their_moves():
    env = start([*HANDS, "AC"], render_seat=1)
    assert lines(env)[-1].startswith("tricks still needed")  # player_0 is to bid, nobody sees its choices
    play(env, ONE, PASS, PASS, BOARD, "4C", "2S")
    text = lines(env)
    assert text[2:6] == [
        "0 North bid 1 tricks 0 2S | 1 card",
        "> 1 East bid pass tricks 0 | KS QS",
        "2 South bid pass tricks 0 | 2 cards",
        "3 West * bid board tricks 0 4C led | 1 card",
    ]
    assert text[-1] == "East to play: QS KS"


def test_end_of_a_deal_shows_the_points():
    """West's two trumps win both tricks: 10 for each of the board (BA-102); North+South bid 1 and made 0 (BA-95)."""
    env = start([*HANDS, "AC"])
    play(env, ONE, PASS, PASS, BOARD, "4C", "2S", "KS", "9H", "5C", "3S", "QS", "TH")
    assert lines(env)[-1] == "points: North+South -5, East+West +20"


def test_joker_turned_up():
    env = start(["LB", *HANDS[1:], "BB", "7D"])
    assert lines(env)[1] == "no trumps, turned up BB, discarded LB"
    assert lines(env)[2] == "> 0 North bid … tricks 0 | 3S 7D"


def test_match_shows_the_score():
    env = back_alley_v0.env(render_mode="ansi", episode="match", hand_max=1)
    env.reset(seed=3, options={"deck": deck_that_begins(["AS", "2H", "3H", "4H", "2S"]), "dealer": 3})
    play(env, BOARD, PASS, PASS, PASS, "AS", "2H", "3H", "4H")
    assert lines(env)[0] == "deal 2 of 2, 1 card each, match North+South +10, East+West +0"


def test_human_prints_each_step(capsys):
    env = back_alley_v0.env(render_mode="human", render_seat=0)
    env.reset(seed=1)
    assert capsys.readouterr().out.startswith("deal ")
    env.step(PASS)
    assert capsys.readouterr().out.startswith("deal ")
    assert env.render() is None


def test_seat_environment_shows_the_learners_view_unless_told_otherwise():
    views = {}
    for render_seat in ("learner", 2, None):
        env = gymnasium.make("backalley/BackAlley-v0", render_mode="ansi", seat=2, render_seat=render_seat)
        env.reset(seed=8)
        views[render_seat] = env.render()
    assert views["learner"] == views[2]
    assert views[2].count(" cards\n") == 3
    assert " cards\n" not in views[None].split("\n", 1)[1]


def test_rendering_without_a_mode_warns():
    for env in (back_alley_v0.env(), gymnasium.make("backalley/BackAlley-v0").unwrapped):
        env.reset(seed=0)
        with pytest.warns(UserWarning, match="render_mode"):
            assert env.render() is None


@pytest.mark.parametrize("seat", [4, -1, "north"])
def test_seats_that_do_not_exist_are_refused(seat):
    with pytest.raises(ValueError, match="render_seat"):
        back_alley_v0.env(render_seat=seat)
    with pytest.raises(ValueError, match="render_seat"):
        gymnasium.make("backalley/BackAlley-v0", render_seat=seat)


def test_every_position_of_random_games_renders():
    env = back_alley_v0.env(render_mode="ansi", max_redeals=1)
    rng = np.random.default_rng(0)
    for seed in range(20):
        env.reset(seed=seed)
        while not (env.terminations[env.agent_selection] or env.truncations[env.agent_selection]):
            assert len(lines(env)) == 8
            env.step(int(rng.choice(np.flatnonzero(env.infos[env.agent_selection]["action_mask"]))))
        assert "to play" not in env.render()


# Other rule sets.


def table(preset, hands, moves="", seat=None, dealer=None, **options):
    """Return the lines of a deal with these hands and the card after them, seat 0 to bid first, the moves made."""
    *held, turned = (cards.split() for cards in hands)
    rules = Rules.preset(preset, **options)
    front = [hand[k] for k in range(len(held[0])) for hand in held] + turned
    deck = deck_that_begins(front) if rules.deck == "std54" else [c for c in deck_that_begins(front) if c[1] != "B"]
    game = Table(rules, 1, 0)
    game.reset(decks=[deck], dealers=rules.players - 1 if dealer is None else dealer, hand_sizes=len(held[0]))
    for move in moves.split():
        game.step([parse_action(move)])
    return [" ".join(line.split()) for line in render_table(game, 0, seat).splitlines()]


def test_other_tables_number_their_seats():
    text = table("individual_3", ("2S 3S", "4H 5H", "6D 7D", "AC"))
    assert text[2:5] == [
        "> 0 Seat 0 bid … tricks 0 | 3S 2S",
        "1 Seat 1 bid … tricks 0 | 5H 4H",
        "2 Seat 2* bid … tricks 0 | 7D 6D",
    ]
    assert text[-1] == "Seat 0 to bid: pass 1 board"


def test_levels_rainbows_and_raises_are_named():
    four = ("2S 3H 4D 5C", "6S 7S 8S 9S", "6H 7H 8H 9H", "6D 7D 8D 9D", "AC")
    text = table("rainbow_free", four, "board+rainbow pass board")
    assert text[2] == "0 North bid board with rainbow tricks 0 | 5C 2S 3H 4D"
    assert text[4] == "2 South bid double board tricks 0 | 9H 8H 7H 6H"
    assert text[-1] == "West to bid: pass 1 2 3 board (triple board)"
    text = table("double_board", four, "1 pass board pass raise")
    assert text[2].startswith("> 0 North bid double board (raised) tricks 0")
    text = table("double_board", four, "1 pass board pass")
    assert text[-1] == "North may double the partner's board: raise no_raise"
    assert table("double_board", four, "board pass")[-1] == "South to bid: pass 1 2 3 board (double board)"
    assert table("solo_26", four, "board")[2].startswith("0 North bid bort tricks 0")
    assert table("bab_online", four, "1 1 1 1")[2].startswith("> 0 North bid 1, shows a rainbow tricks 0")


def test_the_ladder_is_named_step_by_step():
    one = ("2S", "3H", "4D", "5C", "AC")
    assert table("two_of_spades", one, "1 board")[-1] == "South to bid: pass 1 board (double board)"
    assert table("two_of_spades", one, "1 board board")[4].startswith("2 South bid double board tricks 0")


def test_a_question_for_a_new_deal_is_private():
    hands = (
        *("AH KH QH JH 2H 3H", "2S 3S 4S 5S 6S 7S", "AC KC QC JC 2C 3C", "AS KS QS JS 8S 9S"),
        "4D",
    )
    asked = table("redeal", hands, seat=1)
    assert asked[-1] == "East may keep the hand or demand a new deal: keep redeal"
    assert asked[3].startswith("> 1 East")
    for seat in (0, 2, 3):
        text = table("redeal", hands, seat=seat)
        assert text[2].startswith("> 0 North")  # as if the bidding opened
        assert text[-1].startswith("tricks still needed")
    assert table("redeal", hands)[-1] == asked[-1]


def test_hands_that_are_bid_unseen_are_hidden_from_their_owner():
    hands = ("2S 3S", "4H 5H", "6D 7D", "8C 9C", "AC")
    text = table("blind7", hands, "1 pass", seat=2, blind_sizes=[2])
    assert [line.split("| ")[1] for line in text[2:6]] == ["2 cards", "2 cards", "2 hidden cards", "2 cards"]
    text = table("blind7", hands, "1 pass pass pass", seat=2, blind_sizes=[2])
    assert [line.split("| ")[1] for line in text[2:6]] == ["2 cards", "2 cards", "7D 6D", "2 cards"]


def test_high_twos_stand_with_the_trumps_and_the_run_is_shown():
    hands = ("2S 3S 4H", "4C 5H 6H", "6D 7D 8D", "8C 9C TC", "AH")
    text = table("two_of_spades", hands, "3 pass pass pass 2S 6H 6D 8C")
    assert text[1] == "trumps hearts, turned up AH, 2S high, North has the run"
    assert table("two_of_spades", hands)[2] == "> 0 North bid … tricks 0 | 2S 4H 3S"
    two = table("solo_two_twos", ("2D 2H KH", "4C 5H 6H", "6D 7D 8D", "8C 9C TC", "AH"))
    assert two[1] == "trumps hearts, turned up AH, 2D then 2H high"
    assert two[2].endswith("| 2D 2H KH")


def test_burned_jokers_bags_and_own_points_are_shown():
    hands = ("2S", "4H", "6D", "8C", "LB 3S")
    assert table("hfi_7", hands)[1] == "trumps spades, turned up 3S, burned LB"
    text = table("big_little", hands, "pass pass pass pass 2S 4H 6D 8C")
    assert text[2] == "0 North bid pass tricks 1 bags 1 | –"
    text = table("two_of_spades", ("3S", "4H", "6D", "8C", "AS"), "1 1 pass pass 3S 4H 6D 8C")
    assert text[-2:] == [
        "own points: North +10, East -10, South +0, West +0",
        "points: North+South +10, East+West -10",
    ]


def test_the_end_of_a_match_names_the_winners():
    env = back_alley_v0.env(render_mode="ansi", episode="match", schedule="constant", constant_deals=1, hand_max=1)
    env.reset(seed=3, options={"deck": deck_that_begins(["AS", "2H", "3H", "4H", "2S"]), "dealer": 3})
    play(env, BOARD, PASS, PASS, PASS, "AS", "2H", "3H", "4H")
    assert lines(env)[-2:] == [
        "points: North+South +10, East+West +0",
        "match: North+South +10, East+West +0, won by North+South",
    ]


@pytest.mark.parametrize("preset", PRESETS)
def test_every_rule_set_renders_in_every_view(preset):
    rules = Rules.preset(preset)
    game = Table(rules, 1, 3, max_redeals=3)
    for _ in range(2):
        while not game.done[0]:
            for seat in (None, *range(rules.players)):
                text = render_table(game, 0, seat).splitlines()
                assert len(text) == rules.players + (4 if seat in (None, game.turn[0]) else 3)
            game.step(None)
        game.reset()
