"""The command `backalley arena`."""

import json

import pytest
import torch

from backalley.envs import Rules
from backalley.envs.games import game_of
from backalley.policies.checkpoint import save_network
from backalley.policies.net import NetPolicy
from backalley.policies.network import ActorCritic
from backalley.train.arena_blocks import Entrant
from backalley.train.arena_workers import Workers
from backalley.train.console import ProgressBar
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
    (("arena", "simple", "rules", "--preset", "individual_3", "--regret", "4"), "not players=3, sides='individual'"),
    (("arena", "simple", "rules", "--regret", "1"), "regret=1 gives no interval"),
    (("arena", "simple", "rules", "--rule", "schedule=constant", "--regret", "9", "--regret-cards", "6"),
     "no deal has hands of at most 6 cards"),
])  # fmt: skip
def test_bad_input_is_one_line(run, tmp_path, arguments, message):
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


RECORDED = ("arena", "simple", "rules", "random", "--pairs", "30", "--seed", "4")


def records_of(file):
    return [json.loads(line) for line in file.read_text().splitlines()]


def test_records_hold_every_play_in_order_whoever_played_it(run, tmp_path):
    code, _, err = run(*RECORDED, "--workers", "1", "--out", "one", "--records", "one.jsonl")
    assert code == 0, err
    records = records_of(tmp_path / "one.jsonl")
    pairings = [("rules", "simple"), ("random", "simple"), ("random", "rules")]
    expected = [(pair, [a, b, a, b]) for two in pairings for pair in range(30) for a, b in (two, two[::-1])]
    assert [(record["pair"], record["policies"]) for record in records] == expected
    code, out, err = run("replay", "one.jsonl")
    assert (code, "180 records, all played again" in out) == (0, True), err
    run(*RECORDED, "--workers", "2", "--out", "two", "--records", "two.jsonl", "--split")
    assert (tmp_path / "two.jsonl").read_text().startswith((tmp_path / "one.jsonl").read_text())


def test_records_are_of_the_plays_that_count(run, tmp_path):
    run(*RECORDED, "--workers", "1", "--out", "plain")
    run(*RECORDED, "--workers", "1", "--out", "here", "--records", "games.jsonl")
    figures = (tmp_path / "here" / "arena.json").read_text()
    assert figures == (tmp_path / "plain" / "arena.json").read_text()
    points = {}
    for record in records_of(tmp_path / "games.jsonl"):
        a, b = sorted(set(record["policies"]))
        sign = 1 if record["policies"][0] == a else -1
        points.setdefault((a, b), []).append(sign * (record["result"]["totals"][0] - record["result"]["totals"][1]))
    for one in json.loads(figures)["pairings"]:
        a, b = sorted((one["policy_a"], one["policy_b"]))
        mean = sum(points[a, b]) / 60
        assert mean == pytest.approx(one["mean"] if a == one["policy_a"] else -one["mean"])


@pytest.mark.parametrize("first", [(), ("--records", "games.jsonl")], ids=["without", "with"])
def test_records_survive_an_interruption_and_can_be_asked_for_later(run, tmp_path, monkeypatch, first):
    run(*RECORDED, "--workers", "1", "--out", "whole", "--records", "whole.jsonl")

    def stop(bar, done, total):
        if done == 2:
            raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(ProgressBar, "update", stop)
        code, _, _ = run(*RECORDED, "--workers", "1", "--out", "here", *first)
    assert code != 0
    assert not (tmp_path / "games.jsonl").exists()
    calls = []
    monkeypatch.setattr(ProgressBar, "update", lambda bar, done, total: calls.append(done))
    for _ in range(2):
        code, _, err = run(*RECORDED, "--workers", "1", "--out", "here", "--records", "games.jsonl")
        assert code == 0, err
        assert (tmp_path / "games.jsonl").read_text() == (tmp_path / "whole.jsonl").read_text()
    assert calls == ([3] if first else [1, 2, 3])


def test_records_that_cannot_be_written_are_refused_first(run, tmp_path):
    code, _, err = run(*RECORDED, "--records", "nowhere/games.jsonl")
    assert (code, "there is no folder" in err) == (2, True)
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def network(tmp_path):
    """Write an untrained network."""
    rules = Rules.preset("partnership", hand_max=3)
    size = game_of(rules).layout(rules, "deal").size
    torch.manual_seed(1)
    save_network(tmp_path / "net" / "network.safetensors", ActorCritic(size, 89, (8,)), rules, "deal", {})


def test_machine_code_that_tasks_share_is_made_once_before_workers_begin():
    played = []

    class Noted:
        def __init__(self, *names):
            self.entrants = [Entrant(name, name, name) for name in names]

        def shortened(self):
            return self

        def play(self):
            played.append([one.name for one in self.entrants])

    pairs = [
        ["random", "simple"],
        ["net:a", "simple"],
        ["net:b", "random"],
        ["bids=net:a,cards=search:worlds=9", "simple"],
    ]
    workers = Workers(2, "loky")
    for _ in range(2):
        workers._compile([Noted(*pair) for pair in pairs])
    assert played == [pairs[0], pairs[1], pairs[3]]


SMALL = ("arena", "simple", "net:net", "search:worlds=10", "bids=net:net,cards=rules", "--rule", "hand_max=3",
         "--pairs", "8", "--seed", "4", "--regret", "8")  # fmt: skip


def test_networks_and_search_take_part(run, tmp_path, network, monkeypatch):
    loads = []
    load = NetPolicy.load.__func__
    monkeypatch.setattr(NetPolicy, "load", classmethod(lambda *where: loads.append(1) or load(*where)))
    code, _, err = run(*SMALL, "--workers", "1", "--out", "one", "--records", "one.jsonl")
    assert code == 0, err
    assert len(loads) <= 4  # once to see that it is there and once to play, of two entrants
    assert "96 records, all played again" in run("replay", "one.jsonl")[1]
    assert {"net:net", "search:worlds=10"} <= {one for record in records_of(tmp_path / "one.jsonl")
                                              for one in record["policies"]}  # fmt: skip
    code, _, err = run(*SMALL, "--workers", "2", "--out", "two", "--records", "two.jsonl")
    assert code == 0, err
    for file in ("arena.json", "arena.png"):
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()
    assert (tmp_path / "one.jsonl").read_text() == (tmp_path / "two.jsonl").read_text()
    figures = json.loads((tmp_path / "one" / "arena.json").read_text())
    margins = {(one["policy_a"], one["policy_b"]): one["mean"] for one in figures["pairings"]}
    expected = evaluate("simple", "net:net", Rules.preset("partnership", hand_max=3), pairs=8, seed=4)
    assert margins["simple", "net:net"] == pytest.approx(expected.mean)
    assert [one["policy"] for one in figures["regret"]] == list(SMALL[1:5])


def test_a_network_that_was_replaced_is_loaded_anew(run, tmp_path, network):
    def regret_of_net():
        run("arena", "simple", "net:net", *SMALL[5:], "--workers", "1", "--out", "here", "--json", "now.json")
        return json.loads((tmp_path / "now.json").read_text())["pairings"]

    before = regret_of_net()
    rules = Rules.preset("partnership", hand_max=3)
    torch.manual_seed(2)
    size = game_of(rules).layout(rules, "deal").size
    save_network(tmp_path / "net" / "network.safetensors", ActorCritic(size, 89, (8,)), rules, "deal", {})
    assert regret_of_net() != before
