"""`backalley replay`, and records written by `backalley eval`."""

import json

import pytest

from backalley.envs import Rules
from backalley.train.evaluate import evaluate

EVAL = ("eval", "rules", "simple", "--pairs", "6", "--seed", "3", "--records", "games.jsonl")


def test_eval_records_its_pairs_and_replay_plays_them_again(run, tmp_path):
    code, _, err = run(*EVAL, "--n-records", 4)
    assert code == 0, err
    records = [json.loads(line) for line in (tmp_path / "games.jsonl").read_text().splitlines()]
    assert len(records) == 8  # each pair twice
    code, out, _ = run("replay", "games.jsonl")
    assert code == 0
    assert "8 records, all played again" in out
    differences = evaluate("rules", "simple", Rules.preset("partnership"), pairs=6, seed=3).differences
    points = [record["result"]["deals"][0]["points"] for record in records]
    told = [(a[0] - a[1] - b[0] + b[1]) / 2 for a, b in zip(points[::2], points[1::2], strict=True)]
    assert told == differences[:4].tolist()


def test_replay_shows_a_deal_as_people_write_it(run):
    run(*EVAL, "--n-records", 1)
    code, out, _ = run("replay", "games.jsonl", "--show", 2)
    assert code == 0
    assert "Bids: " in out
    assert "Play: " in out


@pytest.mark.parametrize(("change", "words"), [
    (lambda text: text.replace('"format":1', '"format":7', 1), "line 1: "),
    (lambda text: text[:-30], "line 2: the line is cut off"),
    (lambda text: text.replace('"actions":["', '"actions":["boston","', 1), "line 1: action 1 'boston'"),
])  # fmt: skip
def test_a_bad_record_is_named_with_its_line(run, tmp_path, change, words):
    run(*EVAL, "--n-records", 1)
    file = tmp_path / "games.jsonl"
    before = file.read_text()
    file.write_text(change(before))
    assert file.read_text() != before
    code, out, err = run("replay", "games.jsonl")
    assert (code, out) == (2, "")
    assert words in err
    assert err.startswith("error: games.jsonl: line ")


def test_replay_says_when_there_is_no_file(run):
    code, _, err = run("replay", "nowhere.jsonl")
    assert code == 2
    assert "nowhere.jsonl" in err
