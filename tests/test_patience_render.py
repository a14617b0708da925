"""Streets and Alleys as text."""

import pytest
from test_patience_env import (
    BLOCKED_AT_ONCE,
    CASTLE,
    FALLING,
    SUITS_IN_ORDER,
    N,
    deck_of,
    make,
    make_many,
    play_up,
    start,
)

from backalley.envs import Table, make_rules
from backalley.envs.api.patience import StreetsAndAlleysEnv
from backalley.envs.api.rendering import render
from backalley.envs.cards import CARD_NAMES
from backalley.envs.errors import UnknownName
from backalley.envs.streets_and_alleys.notation import parse_action
from backalley.envs.table import RANDOM_ACTION, SKIP

ROWS = """\
Streets and Alleys, 0 moves, 0 of 52 cards up   (cards are played from the outer ends)

TC 2C 7D QH 4H 9S AS  T1 | –S | T2  2S TS 5H KH 8D 3C JC
QC 4C 9D AD 6H JS 3S  T3 | –H | T4  4S QS 7H 2D TD 5C KC
   6C JD 3D 8H KS 5S  T5 | –D | T6  6S AH 9H 4D QD 7C
   8C KD 5D TH 2H 7S  T7 | –C | T8  8S 3H JH 6D AC 9C

moves: TC T1-T2, JC T2-T3, QC T3-T4, 6C T5-T6, 7C T6-T7, 8C T7-T8, 9C T8-T1"""

WINGS = """\
Streets and Alleys, 1 move, 0 of 52 cards up   (cards are played from the outer ends)

      2C 7D QH 4H 9S AS  T1 | –S | T5  5S KS 8H 3D JD 6C
TC JC 3C 8D KH 5H TS 2S  T2 | –H | T6  6S AH 9H 4D QD 7C
   QC 4C 9D AD 6H JS 3S  T3 | –D | T7  7S 2H TH 5D KD 8C
   KC 5C TD 2D 7H QS 4S  T4 | –C | T8  8S 3H JH 6D AC 9C

moves: QC T3-T4, 6C T5-T6, 7C T6-T7, 8C T7-T8, 9C T8-T2"""


def test_the_deal_of_the_first_example_as_rows():
    """SA-E1 and its seven moves of SA-E2; T1 and T2 beside the first foundation (SA-6)."""
    env, _, _ = start(SUITS_IN_ORDER, render_mode="ansi")
    assert env.render() == ROWS


def test_the_same_as_wings_after_a_move():
    """A pile of eight cards makes the left side wider."""
    env, _, _ = start(SUITS_IN_ORDER, render_mode="ansi", layout="wings")
    env.step(parse_action("T1-T2"))
    assert env.render() == WINGS


def test_foundations_empty_piles_and_shortcuts_show():
    env, _, _ = start(deck_of(["7S 6S 5S 4S 3S 2S", "8H 7C", "9C", "", "", "", "", ""]), render_mode="ansi", **CASTLE)
    for _ in range(6):
        env.step(parse_action("T1-F"))
    lines = env.render().splitlines()
    assert lines[0].startswith("Beleaguered Castle, 6 moves, 10 of 52 cards up ")
    assert lines[2].split("|")[:2] == [" " * 19 + "–  T1 ", " 7S "]
    assert lines[3].split("|")[1] == " AH "
    text = " ".join(" ".join(lines[7:]).split())
    assert text.startswith("moves: 7C T2-T1, ")
    assert ", 8H 7C T2-T3x2, " in text
    assert max(map(len, lines)) <= 100


def ending(deck, *moves, **kwargs):
    """Return the last line after these moves."""
    env, _, info = start(deck, render_mode="ansi", **kwargs)
    for move in moves:
        env.step(parse_action(move))
    if not moves:
        play_up(env, info)
    return env.render().splitlines()[-1]


def test_how_it_ended_shows():
    assert ending(FALLING) == "won in 48 moves"
    assert ending(FALLING, max_moves=1) == "cut off after 1 move"
    assert ending(BLOCKED_AT_ONCE, "T1-F") == "lost: no move is left"
    assert ending(SUITS_IN_ORDER, "T1-F") == "ended by an illegal move"


def test_every_position_of_random_games_renders():
    """With all cards in the text exactly once or covered on a foundation."""
    table = Table(make_rules("streets_and_alleys"), 1, 3, max_moves=80)
    for _ in range(80):
        board = render(table).split("\n\n")[1]
        up = table.states["foundation"][0]
        assert sum(card in board for card in CARD_NAMES[:52]) == 52 - sum(max(0, n - 1) for n in up.tolist())
        table.step(None)


def test_text_is_chosen_by_the_game():
    assert render(Table(make_rules("partnership"), 2, 0), 1, 3).startswith("deal ")
    castles = Table(make_rules("beleaguered_castle"), 2, 0)
    castles.step([SKIP, RANDOM_ACTION])
    assert render(castles).startswith("Beleaguered Castle, 0 moves, ")
    assert render(castles, 1).startswith("Beleaguered Castle, 1 move, ")
    env = make_many(render_mode="ansi")
    env.reset(seed=0, options={"deck": SUITS_IN_ORDER})
    assert env.render() == (ROWS,) * N


def test_other_render_modes_are_refused():
    with pytest.raises(UnknownName, match="render mode 'rgb'"):
        StreetsAndAlleysEnv(render_mode="rgb")
    with pytest.raises(UnknownName, match="render mode 'human'"):
        make_many(render_mode="human")


def test_human_prints_each_position(capsys):
    env = make(render_mode="human").unwrapped
    env.reset(seed=0, options={"deck": SUITS_IN_ORDER})
    assert capsys.readouterr().out == ROWS + "\n"
    env.step(parse_action("T1-T2"))
    assert capsys.readouterr().out.startswith("Streets and Alleys, 1 move, ")
