import gymnasium
import numpy as np
import pytest

from backalley.envs import back_alley_v0
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
        "0 North bid 1 tricks 0 2S | 1 cards",
        "> 1 East bid pass tricks 0 | KS QS",
        "2 South bid pass tricks 0 | 2 cards",
        "3 West * bid board tricks 0 4C led | 1 cards",
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
    assert lines(env)[0] == "deal 2 of 2, 1 cards each, match North+South +10, East+West +0"


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
