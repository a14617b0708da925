"""The command line on Streets and Alleys."""

import json

import gymnasium

from backalley.envs import Table, make_rules
from backalley.envs.api.registration import PATIENCE_ID
from backalley.envs.cards import CARD_NAMES
from backalley.envs.games import preset_names
from backalley.envs.streets_and_alleys.notation import parse_action
from backalley.train import bench

PATIENCE = ("deal", "--preset", "streets_and_alleys")


def test_rules_of_patience_name_each_clause(run):
    code, out, _ = run("rules", "beleaguered_castle", "--rule", "auto_ace=off")
    assert code == 0
    assert "The aces begin on the foundations" in out
    assert "An ace on top stays until it is moved (SA-14)" in out


def test_deal_plays_a_game_of_patience_move_by_move(run, tmp_path):
    code, out, _ = run(*PATIENCE, "--policies", "greedy", "--seed", "4", "--json", "game.json")
    assert code == 0
    record = json.loads((tmp_path / "game.json").read_text())
    assert len(record["moves"]) == record["n_moves"]
    assert f"   1. {record['moves'][0]['text']}\n" in out
    table = Table(make_rules("streets_and_alleys"), 1)
    table.reset(decks=[record["deck"]])
    for move in record["moves"]:
        table.step([parse_action(move["move"])])
    assert table.done[0]
    assert table.states["foundation"][0].sum() == record["cards_up"]


def test_the_deal_of_a_seed_is_that_of_the_environments(run):
    env = gymnasium.make(PATIENCE_ID, preset="beleaguered_castle")
    env.reset(seed=7)
    code, out, _ = run("solve", "--preset", "beleaguered_castle", "--seed", 7, "--json", "-")
    assert code == 0
    dealt = env.unwrapped.game.table.episodes["deck"][0][:48]
    assert json.loads(out)["deck"] == dealt.tolist()


def test_solve_wins_by_legal_moves_or_says_that_nobody_can(run):
    statuses = set()
    for seed in range(6):
        code, out, _ = run("solve", "--preset", "beleaguered_castle", "--seed", seed, "--json", "-")
        assert code == 0
        record = json.loads(out)
        statuses.add(record["status"])
        table = Table(make_rules("beleaguered_castle"), 1, seed)
        for move in record["moves"]:
            table.step([parse_action(move["move"])])
        assert (table.states["foundation"][0].sum() == 52) == (record["status"] == "won") == record["won"]
    assert statuses == {"won", "lost"}


def test_solve_reads_a_deck_from_a_file(run, tmp_path):
    cards = CARD_NAMES[:52]
    (tmp_path / "deck.txt").write_text("\n".join(cards))
    code, out, _ = run("solve", tmp_path / "deck.txt")
    assert code == 0
    assert "deck given" in out
    assert "won" in out


def test_eval_of_patience_gives_shares_and_cards(run, tmp_path):
    code, out, _ = run("eval", "solver", "greedy", "--preset", "beleaguered_castle", "--pairs", 12, "--json", "a.json")
    assert code == 0
    figures = json.loads((tmp_path / "a.json").read_text())
    assert figures["won"][0]["mean"] > figures["won"][1]["mean"]
    assert f"{figures['won'][0]['mean']:.2%}" in out


def test_bench_measures_every_preset_of_every_game():
    assert bench.preset_figure_names() == [f"table_decisions_{name}" for name in preset_names()]
    assert bench.measure("table_decisions_beleaguered_castle")["value"] > 1000
