"""The command `backalley arena`."""

import json

import pytest

from backalley.envs import Rules
from backalley.train.evaluate import evaluate

ARENA = ("arena", "random", "simple", "rules", "--pairs", "60", "--seed", "4", "--workers", "1")


def test_the_arena_shows_tables_and_leaves_its_files(run, tmp_path):
    code, out, err = run(*ARENA, "--json", "figures.json", "--out", "here")
    assert code == 0, err
    assert "Ratings, points per deal" in out
    figures = json.loads((tmp_path / "figures.json").read_text())
    assert figures == json.loads((tmp_path / "here" / "arena.json").read_text())
    margins = {(one["policy_a"], one["policy_b"]): one["mean"] for one in figures["pairings"]}
    expected = evaluate("simple", "rules", Rules.preset("partnership"), pairs=60, seed=4)  # both draw nothing
    assert margins["simple", "rules"] == pytest.approx(expected.mean)
    assert (tmp_path / "here" / "arena.png").read_bytes().startswith(b"\x89PNG")
    page = (tmp_path / "here" / "arena.html").read_text()
    assert "<table" in page


def test_an_arena_goes_on_where_it_was(run, tmp_path):
    run(*ARENA, "--out", "here")
    played = (tmp_path / "here" / "results.jsonl").read_text().splitlines()
    run(*ARENA, "--out", "here")
    assert (tmp_path / "here" / "results.jsonl").read_text().splitlines() == played


@pytest.mark.parametrize(("arguments", "message"), [
    (("arena", "simple"), "the arena needs two policies or more"),
    (("arena", "simple", "simple"), "policy 'simple' is named twice"),
    (("arena", "simple", "ruls"), "did you mean 'rules'?"),
    (("arena", "greedy", "random", "--preset", "streets_and_alleys"), "a game for one: use backalley eval"),
    (("arena", "simple", "rules", "--backend", "spark"), "unknown back end 'spark'"),
    (("arena", "simple", "rules", "--until-ci", "0"), "until_ci=0.0 must be more than 0"),
])  # fmt: skip
def test_bad_input_is_one_line(run, tmp_path, arguments, message):
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []
