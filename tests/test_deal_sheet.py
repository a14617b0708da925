"""`backalley deal` for all rule sets: matches deal by deal, and cuts."""

import json
import re

import pytest

from backalley.envs import Rules
from backalley.envs.back_alley.options import PRESETS
from backalley.envs.cards import CARD_NAMES
from backalley.train.cli import main


@pytest.fixture
def run(capsys):
    """Run the command line and return exit code, standard output and standard error."""

    def call(*arguments):
        code = main([str(argument) for argument in arguments])
        return code, *capsys.readouterr()

    return call


def test_a_match_has_a_line_for_each_deal_and_a_result(run):
    arguments = ("deal", "--match", "--policies", "random", "--preset", "double_board", "--rule", "hand_max=3")
    code, out, _ = run(*arguments, "--seed", 4)
    assert code == 0
    lines = out.splitlines()
    assert lines[0] == "double_board, hand_max 3: match of 6 deals, seed 4"
    assert lines[3].split() == ["deal", "cards", "dealer", "trump", "bids", "tricks", "points", "total"]
    numbers = [int(line.split()[0]) for line in lines[4:-1]]
    assert sorted(set(numbers)) == [1, 2, 3, 4, 5, 6]
    assert re.fullmatch(r"(NS wins|EW wins|NS and EW share the win): NS [+-]\d+  EW [+-]\d+", lines[-1])
    full = run(*arguments, "--seed", 4, "--full")[1]
    assert "Deal 6, 3 cards each." in full
    assert full.endswith("\n".join(lines[3:]) + "\n")


@pytest.mark.parametrize("preset", PRESETS)
def test_a_match_of_every_preset_adds_up(run, preset):
    code, out, err = run("deal", "--match", "--policies", "random", "--preset", preset, "--seed", 1, "--json", "-")
    assert code == 0, err
    record, rules = json.loads(out), Rules.preset(preset)
    played = [deal for deal in record["deals"] if deal["thrown_in"] is None]
    assert [deal["number"] for deal in played] == list(range(1, rules.n_deals + 1))
    assert [deal["hand_size"] for deal in played] == list(rules.hand_sizes)
    assert all(sum(deal["tricks_won"]) == deal["hand_size"] == len(deal["tricks"]) for deal in played)
    assert record["totals"] == [sum(deal["points"][seat] for deal in played) for seat in range(rules.players)]
    assert record["totals"] == played[-1]["totals"]
    best = max(record["totals"])
    assert record["winners"] == [seat for seat, total in enumerate(record["totals"]) if total == best]
    for deal in played:
        for seat in range(rules.players):
            mates = [other for other in range(rules.players) if rules.side_of(other) == rules.side_of(seat)]
            own = [deal["own_points"][mate] for mate in mates]
            assert deal["points"][seat] == (sum(own) if rules.score_unit == "player" else own[0])


@pytest.mark.parametrize("preset", ["six_3x2", "two_of_spades", "redeal", "bab_online", "blind7", "big_little"])
def test_a_deal_of_other_rule_sets_is_shown(run, preset):
    code, out, _ = run("deal", "--policies", "random", "--preset", preset, "--seed", 6, "--hand-size", 6)
    assert code == 0
    assert " 6.  " in out
    assert "points" in out


def test_a_cut_is_shown(run):
    pack = " ".join(CARD_NAMES[:52])
    code, out, _ = run(
        "deal", "--policies", "random", "--preset", "solo", "--hand-size", 13, "--deck", pack, "--cut", "2D"
    )
    assert code == 0
    assert "Cut: 2D. Diamonds are trumps." in out
