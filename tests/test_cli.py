"""The command line: what it prints and writes, its exit codes, and one clear line for each kind of bad input."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from backalley.envs import Rules
from backalley.envs.games import preset_names
from backalley.train import bench, evaluate, measure
from backalley.train.cli import app

COMMANDS = ("train", "eval", "bench", "rules", "deal", "solve", "replay", "arena")
QUICK = ("eval", "simple", "random", "--pairs", "26")
TINY_RUN = (
    "tables=8", "rollout=8", "decisions=64", "evaluate_every=1", "evaluation_pairs=26", "final_pairs=26",
    "network.hidden=[8]", "threads=1",
)  # fmt: skip

PATIENCE = ("deal", "--preset", "streets_and_alleys")

# BA, X-112: two cards, dealer W, the little joker turned up; E has to give the big one back for the ten of diamonds.
X112_FRONT = "AC BB KD QC 4D 9C 2C AS LB TD"


def full_deck(front):
    from backalley.envs.cards import CARD_NAMES

    return " ".join([*front.split(), *(card for card in CARD_NAMES if card not in front.split())])


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example(run, command):
    code, out, _ = run(command, "--help")
    assert code == 0
    assert f"$ backalley {command}" in out


def test_the_commands_are_listed(run):
    code, out, _ = run("--help")
    assert code == 0
    assert all(f"\n  {command}" in out for command in COMMANDS)


# eval


def test_eval_shows_a_table(run):
    code, out, err = run(*QUICK)
    assert code == 0
    assert "simple against random:" in out
    assert "26 pairs, seed 0" in out
    assert err == ""


def test_eval_writes_json_and_the_table(run, tmp_path):
    code, out, _ = run(*QUICK, "--seed", 5, "--preset", "gamerules", "--json", "result.json")
    assert code == 0
    assert "simple against random:" in out
    data = json.loads((tmp_path / "result.json").read_text())
    expected = evaluate.evaluate("simple", "random", Rules.preset("gamerules"), pairs=26, seed=5).as_dict()
    assert {**data, "seconds": 0} == {**expected, "seconds": 0}
    assert [file.name for file in tmp_path.iterdir()] == ["result.json"]


@pytest.mark.parametrize("place", [("--json", "-"), ("--json",), ("--json", "--seed", "0")])
def test_eval_writes_nothing_but_json_to_standard_output(run, place):
    code, out, err = run(*QUICK, *place)
    assert code == 0
    assert json.loads(out)["pairs"] == 26
    assert err == ""


def test_rule_options_override_the_preset(run):
    code, out, _ = run(*QUICK, "--rule", "bb_partner=lowest", "--rule", "board_multiple_cap=4", "--json", "-")
    assert code == 0
    data = json.loads(out)
    assert (data["preset"], data["options"]) == ("bb_partner_lowest", {"board_multiple_cap": 4})


# bench


def test_bench_gives_named_figures(run, monkeypatch):
    monkeypatch.setattr(bench, "SECONDS", 0.01)
    names = ("playout_decisions", "table_decisions_64_episodes")
    code, out, _ = run("bench", "--only", names[0], "--only", names[1], "--json")
    assert code == 0
    figures = json.loads(out)
    assert [figure["name"] for figure in figures] == list(names)
    assert all(list(figure) == ["name", "value", "unit"] and figure["value"] > 0 for figure in figures)


def test_bench_measures_what_the_readme_promises():
    promised = {"table_decisions", "playout_decisions", "aec_decisions", "seat_vector_decisions", "training_decisions"}
    assert promised <= set(bench.figure_names())


def test_rate_is_the_median_round_without_the_warm_up(monkeypatch):
    clock = iter([0.0, 0.0, 1.0, 10.0, 10.0, 10.5, 11.0, 20.0, 20.0, 21.0])
    monkeypatch.setattr(bench.time, "perf_counter", lambda: next(clock))
    portions = iter([1_000_000, 100, 100, 100, 300])  # warm-up; rounds of 100 in 1 s, 200 in 1 s, 300 in 1 s
    assert bench.rate(lambda: next(portions), rounds=3, seconds=1.0) == 200


# rules


def test_rules_lists_presets_by_family(run):
    code, out, _ = run("rules")
    assert code == 0
    families = [line for line in out.splitlines() if not line.startswith(" ")]
    listed = [line.split()[0] for line in out.splitlines() if line.startswith(" ")]
    assert len(families) == 5
    assert sorted(listed) == sorted(preset_names())
    assert "  gamerules          4 seats, 25 deals: a single deal of 1 card at the turn" in out


def test_rules_shows_a_sheet_with_numbers(run):
    code, out, _ = run("rules", "gamerules")
    assert code == 0
    assert "turning_deals = 1, not 2: the deal at the turn is played once (BA-12 to BA-16)" in out
    assert "25 deals of 13 12 11" in out
    assert "bid 4, won 6: +22" in out
    assert "bid 4, won 3: -20" in out
    assert "        5    ±50          ±100          ±150             ±200\n" in out


# deal


def test_deal_shows_the_exchange_and_every_trick(run):
    deck = full_deck(X112_FRONT)
    code, out, _ = run("deal", "--policies", "simple", "--hand-size", 2, "--dealer", 3, "--deck", deck)
    assert code == 0
    assert "W deals." in out
    assert "  N  simple  4D  AC\n" in out
    assert "  E  simple  TD  9C\n" in out
    assert "Turned up: LB. No trumps.\nE gives back BB and takes TD.\nBids: N " in out
    assert " 1.  " in out
    assert " 2.  " in out
    assert "NS: bid " in out


def test_deal_gives_a_record_that_can_be_played_again(run):
    arguments = ("--policies", "simple,random", "--seed", 8, "--json", "-")
    code, out, _ = run("deal", *arguments)
    assert code == 0
    record = json.loads(out)
    assert record["policies"] == ["simple", "random"] * 2
    last = record["deals"][-1]
    assert len(last["tricks"]) == record["hand_size"] == sum(record["tricks_won"])
    code, out, _ = run(
        "deal", *arguments, "--deck", last["deck"], "--dealer", last["dealer"], "--hand-size", record["hand_size"]
    )
    again = json.loads(out)["deals"][0]
    assert (again["hands"], again["turn_up"]) == (last["hands"], last["turn_up"])


def test_deal_shows_hands_thrown_in(run):
    nothing = full_deck("2S 2H 2D 2C 3C")
    ace = full_deck("2H AD 2S 2D 3C")  # N deals now: E 2H, S AD and so he bids
    code, out, _ = run(
        "deal", "--policies", "simple", "--hand-size", 1, "--dealer", 3, "--deck", nothing, "--deck", ace, "--json", "-"
    )
    assert code == 0
    first, second = json.loads(out)["deals"][:2]
    assert first["thrown_in"] == "all pass"
    assert [bid["bid"] for bid in first["bids"]] == ["pass"] * 4
    assert first["tricks"] == []
    assert (first["dealer"], second["dealer"]) == (3, 0)
    assert second["deck"].startswith("2H AD 2S 2D 3C")
    code, out, _ = run("deal", "--policies", "simple", "--hand-size", 1, "--dealer", 3, "--deck", nothing)
    assert "All pass: the hands are thrown in." in out


# train


def test_train_runs_resumes_and_evaluates(run, tmp_path):
    code, _, err = run("train", "quickstart", *TINY_RUN, "--out", "first", "--json", "result.json")
    assert code == 0, err
    results = json.loads((tmp_path / "result.json").read_text())
    assert [result["policy_b"] for result in results] == ["simple", "rules"]
    code, out, err = run("train", "--resume", "first", "--json", "-")
    assert code == 0, err
    assert json.loads(out)[0]["pairs"] == 26
    code, out, err = run("eval", "net:first", "simple", "--pairs", 26, "--json", "-")
    assert code == 0, err
    assert json.loads(out)["policy_a"] == "net:first"
    code, _, err = run("train", "quickstart", *TINY_RUN, "--out", "first")
    assert (code, err) == (2, "error: first holds a run already: go on with --resume first, or choose another --out\n")


# What goes wrong.


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("eval", "simpel", "random"), "unknown policy 'simpel': did you mean 'simple'?"),
        (("eval", "simple", "random", "--preset", "partnershp"), "unknown preset 'partnershp': did you mean"),
        ((*QUICK, "--rule", "bb_parter=lowest"), "unknown rule option 'bb_parter': did you mean 'bb_partner'?"),
        ((*QUICK, "--rule", "bb_partner=lowestt"), "did you mean 'lowest'?"),
        ((*QUICK, "--rule", "hand_max=many"), "option hand_max='many' (BA-12) must be a whole number from 1 to 13"),
        ((*QUICK, "--rule", "bb_partner"), "--rule 'bb_partner' must read key=value"),
        ((*QUICK, "--json", "no/such/file"), "cannot write no/such/file: there is no folder"),
        ((*QUICK, "--json", "."), "cannot write .: it is a folder"),
        (("eval", "net:nowhere", "simple"), "there is no checkpoint nowhere"),
        (("bench", "--only", "table"), "unknown figure 'table'"),
        (("rules", "partnershp"), "unknown preset 'partnershp': did you mean 'partnership'?"),
        (("deal", "--policies", "simple,rules,simple"), "--policies names 3 policies: give one"),
        (("deal", "--policies", "simple", "--hand-size", "14"), "hand size [14] is not in the schedule"),
        (("deal", "--policies", "simple", "--dealer", "4"), "dealer [4] does not exist: choose 0 to 3"),
        (("deal", "--policies", "simple", "--deck", "AS KS"), "deck has 2 cards and is no permutation"),
        (("deal", "--policies", "simple", "--deck", "AS 1S"), "'1S' is not a card"),
        (("train", "quickstrat"), "unknown configuration 'quickstrat': did you mean 'quickstart'?"),
        (("train", "quickstart", "ppo.epoch=3"), "unknown key ppo 'epoch': did you mean 'epochs'?"),
        (("train", "quickstart", "tables=many"), "tables='many'"),
        (("train", "quickstart", "tables"), "override 'tables' must read key=value"),
        (("train", "none.yaml"), "there is no configuration file 'none.yaml'"),
        (("train", "--resume", "nowhere"), "there is no checkpoint nowhere"),
        (("train", "quickstart", "--resume", "nowhere"), "--resume takes the configuration of the run"),
        (("solve",), "solve needs one deal: give a DECKFILE or --seed N"),
        (("solve", "no.txt"), "cannot read the deck from no.txt"),
        (("solve", "--seed", "1", "--preset", "solo"), "solve is for patience"),
        (("solve", "--seed", "1", "--rule", "worry_back=on"), "the solver does not know worry_back=True (SA-13)"),
        ((*PATIENCE, "--dealer", "1"), "--dealer has no meaning in patience"),
        ((*PATIENCE, "--match"), "--match has no meaning in patience"),
        ((*PATIENCE, "--deck", "AS KS"), "deck has 2 cards and is no permutation"),
        ((*PATIENCE, "--policies", "rules"), "unknown policy 'rules'"),
        (("eval", "greedy", "random", "--preset", "streets_and_aleys"), "did you mean 'streets_and_alleys'?"),
        (("train", "quickstart", "preset=streets_and_alleys"), "nobody else sits at the table"),
        (("train",), "name a configuration (baseline, quickstart, streets_and_alleys, a YAML file) or --resume a run"),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, tuple) else "",
)  # fmt: skip
def test_bad_input_is_one_line_and_exit_code_2(run, tmp_path, arguments, message):
    code, out, err = run(*arguments)
    assert code == 2
    assert out == ""
    assert err.startswith("error: ")
    assert message in err
    assert err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_checkpoint_is_named(run, tmp_path):
    (tmp_path / "bad.safetensors").write_bytes(b"not a checkpoint at all")
    code, _, err = run("eval", "net:bad.safetensors", "simple")
    assert code == 2
    assert err.startswith("error: checkpoint bad.safetensors is damaged")


@pytest.mark.parametrize(
    "arguments",
    [
        ("eval", "simple"),
        ("eval", "simple", "rules", "--pairs", "x"),
        (*QUICK, "--seed", "-1"),
        ("bench", "-x"),
        ("evl",),
    ],
    ids=" ".join,
)
def test_wrong_usage_is_exit_code_2(run, arguments):
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert "Usage: backalley" in err


def test_the_typer_application_fails_the_same_way():
    result = CliRunner().invoke(app, ["eval", "simpel", "random"])
    assert result.exit_code == 2
    assert "error: unknown policy 'simpel'" in result.output


def test_an_interrupt_is_exit_code_130(run, monkeypatch):
    def interrupted(*args, **kwargs):
        raise KeyboardInterrupt

    monkeypatch.setattr(measure, "measure", interrupted)
    assert run(*QUICK) == (130, "", "error: interrupted\n")


def test_an_interrupt_that_the_compiler_swallows_is_still_one(run, monkeypatch):
    def fails_after_interrupt(*args, **kwargs):
        with contextlib.suppress(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        raise RuntimeError("no compiled object yet")

    monkeypatch.setattr(measure, "measure", fails_after_interrupt)
    assert run(*QUICK) == (130, "", "error: interrupted\n")


def test_a_mistake_of_ours_is_not_hidden(run, monkeypatch):
    def broken(*args, **kwargs):
        raise RuntimeError("ours")

    monkeypatch.setattr(measure, "measure", broken)
    with pytest.raises(RuntimeError, match="ours"):
        run(*QUICK)


def test_nothing_half_written_is_left(run, monkeypatch, tmp_path):
    def full(*args):
        raise OSError(28, "No space left on device", "result.json")

    (tmp_path / "result.json").write_text("old")
    monkeypatch.setattr(os, "replace", full)
    code, _, err = run(*QUICK, "--json", "result.json")
    assert (code, err) == (1, "error: result.json: No space left on device\n")
    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == [("result.json", "old")]


# In processes of their own.

WITHOUT_TORCH = """
import sys
from backalley.train.cli import main
assert "numba" not in sys.modules, "help must come at once"
assert main(["eval", "simple", "random", "--pairs", "26"]) == 0
assert main(["rules", "partnership"]) == 0
assert main(["deal", "--policies", "simple"]) == 0
assert "torch" not in sys.modules
sys.modules["torch"] = None  # not installed
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.parametrize(
    ("arguments", "code"), [(("eval", "net:x", "simple"), 2), (("train", "quickstart", "--out", "x"), 1)]
)
def test_without_torch_everything_else_works(tmp_path, arguments, code):
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_TORCH, *arguments], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == code, done.stderr
    assert "torch" in done.stderr
    assert "pip install 'backalley[train]'" in done.stderr
    assert done.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_the_installed_command_runs(tmp_path):
    script = os.path.join(os.path.dirname(sys.executable), "backalley")
    done = subprocess.run([script, *QUICK, "--json", "-"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["policy_a"] == "simple"
