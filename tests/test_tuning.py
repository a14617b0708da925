"""The fitting of the rule bot's nets: gains are what the engine says, a fit learns, and the bot can play by it."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from backalley.envs import Rules, Table
from backalley.envs.back_alley.actions import N_PLAIN_BIDS, PASS
from backalley.envs.back_alley.state import BID, PLAY
from backalley.policies import registry
from backalley.policies.back_alley import rules_net
from backalley.policies.back_alley.alternatives import Decisions, alternatives
from backalley.policies.back_alley.bots import NAMES
from backalley.policies.back_alley.rules_bid_inputs import BID_INPUTS
from backalley.policies.back_alley.rules_examples import Examples, bid_examples, card_examples
from backalley.policies.back_alley.rules_inputs import INPUTS, N_INPUTS
from backalley.policies.back_alley.tables import PACKAGE, load_layer, unit_names
from backalley.train import tuning
from backalley.train.tuning_fit import SHAPES, FitSettings, RulesNet, fit, fit_scale, judge, losses, take, write_net

RNG = np.random.default_rng(0)
RULES = Rules.preset("partnership")
SIMPLE, BOT, TABLES = (NAMES.index(name) for name in ("simple", "rules", "tables"))
MAKE = {"bid": bid_examples, "card": card_examples}


# Alternatives, against a loop over tables of one deal.


class Hand:
    """Two bots at a table of one deal, as slow as can be."""

    def __init__(self, rules, learner, other, side):
        self.rules, self.side = rules, side
        self.learner, self.other = registry.make(learner, rules), registry.make(other, rules)

    def action(self, table):
        mine = self.rules.side_of(int(table.turn[0])) == self.side
        return int((self.learner if mine else self.other).act(table.view(), table.legal(), RNG)[0])

    def gain(self, table, seat, action):
        """Play an action and on to the end of this deal; return the side's points minus the mean of the others'."""
        n_redeals = table.states["n_redeals"][0]
        table.step(np.array([action]))
        while not table.done[0] and table.states["n_redeals"][0] == n_redeals:
            table.step(np.array([self.action(table)]))
        if table.states["n_redeals"][0] != n_redeals or table.truncated[0]:
            return 0.0  # thrown in
        points = {self.rules.side_of(k): int(table.states["deal_points"][0, k]) for k in range(self.rules.players)}
        own = points.pop(self.rules.side_of(seat))
        return own - np.mean(list(points.values()))

    def decisions(self, table):
        """Return the learner's decisions of the deal: View, gains by action, action."""
        found = []
        while not table.done[0]:
            seat, action = int(table.turn[0]), self.action(table)
            legal = np.flatnonzero(table.legal()[0])
            is_choice = len(legal) > 1 and table.states["phase"][0] in (BID, PLAY)
            if is_choice and self.rules.side_of(seat) == self.side:
                gains = {int(other): self.gain(table.clone(), seat, other) for other in legal}
                found.append((table.view()[0].copy(), gains, action))
            table.step(np.array([action]))
        return found


@pytest.mark.parametrize(
    ("preset", "learner", "other", "first"),
    [
        ("partnership", "rules", "tables", 12),
        ("individual_3", "simple", "rules", 18),
        ("gamerules", "simple", "simple", 20),
    ],
)
def test_gains_are_those_of_playing_every_action_out(preset, learner, other, first):
    rules, n = Rules.preset(preset), 6
    found = alternatives(rules, NAMES.index(learner), [NAMES.index(other)], n, 5, first=first)
    expected = []
    for number in range(first, first + n):
        table = Table(rules, 1)
        table.seed(5, first_stream=number)
        table.reset(deal_indices=number // rules.n_sides % rules.n_deals)
        expected += Hand(rules, learner, other, number % rules.n_sides).decisions(table)
    assert len(found.actions) == len(expected) > 20
    assert {BID, PLAY} <= set(found.views["phase"].tolist())
    for view, gains, action, (seen, by_hand, chosen) in zip(*found, expected, strict=True):
        assert all(np.array_equal(view[name], seen[name]) for name in view.dtype.names)
        legal = np.flatnonzero(~np.isnan(gains))
        assert dict(zip(legal.tolist(), gains[legal].tolist(), strict=True)) == pytest.approx(by_hand)
        assert action == chosen


def draw(plays, seed, first=0):
    chances = {"p_bid": 0.5, "p_card": 0.3, "explore": 0.1}
    return alternatives(RULES, SIMPLE, [NAMES.index("random"), TABLES], plays, seed, first=first, **chances)


def join(*parts):
    return Decisions(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def test_the_seed_fixes_what_is_drawn_however_it_is_split():
    whole = draw(100, 7)
    for one, other in zip(whole, join(draw(15, 7), draw(85, 7, first=15)), strict=True):
        np.testing.assert_array_equal(one, other)
    assert not np.array_equal(whole.gains[:20], draw(100, 8).gains[:20], equal_nan=True)


def test_decisions_are_drawn_as_often_as_asked():
    def count(p_bid, p_card):
        found = alternatives(RULES, SIMPLE, [SIMPLE], 300, 3, p_bid=p_bid, p_card=p_card)
        return [(found.views["phase"] == phase).sum() for phase in (BID, PLAY)]

    n_bids, n_cards = count(1, 1)
    assert count(0, 1) == [0, n_cards]
    some_bids, some_cards = count(0.25, 0.1)
    assert 0.2 < some_bids / n_bids < 0.3
    assert 0.08 < some_cards / n_cards < 0.12


# Examples.


@pytest.fixture(scope="module")
def decisions():
    """Decisions of the bot itself."""
    return alternatives(RULES, BOT, [BOT], 150, 1, p_card=0.5)


def share_taken(net, examples):
    """Return how often the action that a net values most is the one that was taken."""
    with torch.no_grad():
        values = net(take(examples, np.arange(len(examples.counts)))).numpy()
    best = [part.argmax() for part in np.split(values, examples.counts.cumsum()[:-1])]
    return (np.array(best) == examples.taken).mean()


@pytest.mark.parametrize("kind", ["bid", "card"])
def test_the_bot_takes_what_its_net_says_of_the_examples(decisions, kind):
    examples = MAKE[kind](RULES, decisions)
    net = RulesNet(kind)
    assert share_taken(net, examples) < 0.95
    net.load()
    assert share_taken(net, examples) > (0.97 if kind == "card" else 0.85)  # in half precision; some bids are ruled out
    if kind == "card":
        before = judge(net, examples)
        fit_scale(net, examples)
        after = judge(net, examples)
        assert after.loss < before.loss
        assert after.gain.mean == pytest.approx(before.gain.mean, abs=1e-2)


@pytest.mark.parametrize(
    ("kind", "preset"),
    [("bid", "partnership"), ("bid", "gamerules"), ("card", "partnership"), ("card", "two_of_spades")],
)
def test_examples_keep_the_gains(decisions, kind, preset):
    rules = Rules.preset(preset)
    drawn = decisions if rules == RULES else alternatives(rules, TABLES, [TABLES], 60, 1)
    examples = MAKE[kind](rules, drawn)
    asked = drawn.views["phase"] == PLAY
    if kind == "bid":
        asked = (drawn.views["phase"] == BID) & (drawn.views["hand_size"] > 1)
    gains = drawn.gains[asked]
    np.testing.assert_array_equal(examples.counts, (~np.isnan(gains)).sum(axis=1))
    for part, row in zip(np.split(examples.gains, examples.counts.cumsum()[:-1]), gains, strict=True):
        np.testing.assert_array_equal(np.sort(part), np.sort(row[~np.isnan(row)]))
    taken = examples.gains[examples.counts.cumsum() - examples.counts + examples.taken]
    np.testing.assert_array_equal(taken, gains[np.arange(len(gains)), drawn.actions[asked]])


# Fits.


def test_a_net_is_judged_by_centred_gains_and_by_what_it_would_take():
    examples = Examples(
        inputs=np.zeros((7, len(INPUTS)), np.float16),
        outputs=np.zeros(7, np.int64),
        table=np.array([1, 3, 0, 0, 6, 2, 2], np.float32),
        gains=np.array([0, 4, 9, 3, 0, 5, 7], np.float32),
        counts=np.array([2, 3, 2]),
        taken=np.array([0, 1, 0]),
    )
    net = RulesNet("card")  # untrained it says what the table says
    batch = take(examples, np.array([1, 0]))
    # Table (-2, -2, 4) against gains (5, -1, -4), and (-1, 1) against (-2, 2).
    assert losses(net(batch), batch).tolist() == pytest.approx([(49 + 1 + 64) / 3, 1])
    found = judge(net, examples)
    # The last decision: (0, 0) against (-1, 1).
    assert found.loss == pytest.approx((38 + 1 + 1) / 3)
    # It takes the second action and gains 4, the third and loses 3, the first of equals and gains 0.
    assert found.gain.mean == pytest.approx((4 - 3 + 0) / 3)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Two parts of decisions, drawn by the command line."""
    path = tmp_path_factory.mktemp("decisions")
    assert tuning.main(["replay", str(path), *REPLAY]) == 0
    return path


WHO = ("--learner", "simple", "--others", "simple")
REPLAY = ("--parts", "2", "--plays", "500", "--seed", "2", "--p-card", "0.8", *WHO)


@pytest.mark.parametrize(("kind", "batch"), [("bid", 64), ("card", 1024)])
def test_a_fit_is_better_than_the_tables_on_unseen_decisions(folder, kind, batch):
    train, held_out = tuning.load_examples(kind, [folder])
    assert 8 < len(train.counts) / len(held_out.counts) < 10
    lines = []
    net = fit(kind, train, held_out, FitSettings(epochs=3, batch=batch), lines.append)
    assert judge(net, held_out).loss < 0.97 * judge(RulesNet(kind), held_out).loss
    assert lines[-1].endswith(str(judge(net, held_out)))
    assert len(lines) == 4


def test_a_card_net_learns_what_the_table_does_not_know(folder):
    train, held_out = (
        replace(examples, gains=examples.table + 5 * examples.inputs[:, INPUTS.index("alone")].astype(np.float32))
        for examples in tuning.load_examples("card", [folder])
    )
    net = fit("card", train, held_out, FitSettings(epochs=4, batch=64), lambda line: None)
    assert judge(net, held_out).loss < 0.1 * judge(RulesNet("card"), held_out).loss
    assert float(net.table_scale.detach()) == pytest.approx(1, abs=0.2)


def layers_of(kind, path):
    """Return the layers of a net in a folder by the names that `rules_net` has for them."""
    found, names = {}, SHAPES[kind].inputs
    for k in (1, 2, 3):
        weights, biases = load_layer(f"rules_{kind}_net_{k}.csv", names, path)
        found |= {f"{kind.upper()}_{k}": weights, f"{kind.upper()}_BIAS_{k}": biases}
        names = unit_names(biases)
    if kind == "bid":
        found["BID_DIRECT"] = load_layer("rules_bid_net_direct.csv", SHAPES[kind].inputs, path)[0]
    return found


def uncompiled(kernel):
    """Return the function that a kernel was compiled from, which looks its net up each time."""
    return getattr(kernel, "py_func", kernel)


def random_net(kind):
    """Return a net that differs from the packaged one everywhere."""
    torch.manual_seed(3)
    net = RulesNet(kind)
    for weights in net.parameters():
        torch.nn.init.normal_(weights, std=0.3)
    net.table_scale.data.fill_(0.5)
    return net


def test_the_bot_bids_by_a_written_net(decisions, tmp_path, monkeypatch):
    net = random_net("bid")
    write_net(net, tmp_path)
    for name, array in layers_of("bid", tmp_path).items():
        monkeypatch.setattr(rules_net, name, array)
    monkeypatch.setattr(rules_net, "_worth_considering", lambda rules, view, legal: legal)
    asked = (decisions.views["phase"] == BID) & (decisions.views["hand_size"] > 1)
    part = decisions.part(np.flatnonzero(asked)[:40])
    examples = bid_examples(RULES, part)
    table_bids = examples.inputs[:, BID_INPUTS.index("table_pass") :][:, :N_PLAIN_BIDS].argmax(axis=1)
    for i, view in enumerate(part.views):
        batch = take(examples, np.array([i]))
        expected = PASS + int(batch.outputs[net(batch).argmax()])
        legal = np.uint64(sum(1 << int(k) for k in batch.outputs))
        arguments = RULES.record()[0], view, legal, PASS + int(table_bids[i])
        assert uncompiled(rules_net.choose_by_net)(*arguments) == expected


def test_the_bot_judges_cards_by_a_written_net(decisions, tmp_path, monkeypatch):
    net = random_net("card")
    write_net(net, tmp_path)
    for name, array in layers_of("card", tmp_path).items():
        monkeypatch.setattr(rules_net, name, array)
    rows = card_examples(RULES, decisions).inputs[::50].astype(np.float32)
    with torch.no_grad():
        expected = net.outputs(torch.from_numpy(rows))[:, 0] / net.table_scale
    nonzero, units = np.zeros(N_INPUTS, np.int64), np.zeros(rules_net.N_CARD_1 + rules_net.N_CARD_2, np.float32)
    found = []
    for x in rows:
        sums = uncompiled(rules_net.scene_sums)(x, nonzero)
        found.append(uncompiled(rules_net.card_correction)(x, sums, nonzero, units))
    np.testing.assert_allclose(found, expected, rtol=1e-2, atol=1e-2)  # four digits in the files
    assert np.std(found) > 1


@pytest.mark.parametrize("kind", ["bid", "card"])
def test_the_packaged_net_speaks_of_points(kind):
    net, layers, name = RulesNet(kind), layers_of(kind, PACKAGE), kind.upper()
    net.load()
    units = np.zeros((1, len(SHAPES[kind].inputs)))
    for k in (1, 2, 3):
        units = np.maximum(units, 0) @ layers[f"{name}_{k}"] + layers[f"{name}_BIAS_{k}"]
    found = net.outputs(torch.zeros(1, len(SHAPES[kind].inputs))).detach().numpy()
    np.testing.assert_allclose(found, units, rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("kind", ["bid", "card"])
def test_the_packaged_net_is_written_as_it_was_read(kind):
    net = RulesNet(kind)
    net.load()
    files = net.files()
    assert len(files) == (4 if kind == "bid" else 3)
    for name, text in files.items():
        assert text == (PACKAGE / name).read_text(encoding="utf-8")


def test_a_table_turned_upside_down_is_not_written(tmp_path):
    net = RulesNet("card")
    net.table_scale.data.fill_(-0.1)
    with pytest.raises(ValueError, match="draw more decisions"):
        write_net(net, tmp_path)
    assert not list(tmp_path.iterdir())


# The command line.


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_an_interrupted_replay_goes_on_and_gives_the_same_parts(folder, tmp_path, monkeypatch):
    calls = []

    def interrupted(*arguments, **options):
        calls.append(options["first"])
        if len(calls) == 2:
            raise KeyboardInterrupt
        return alternatives(*arguments, **options)

    monkeypatch.setattr(tuning, "alternatives", interrupted)
    assert tuning.main(["replay", str(tmp_path), *REPLAY]) == 130
    assert sorted(contents(tmp_path)) == ["part_0000.npz", "replay.json"]
    assert tuning.main(["replay", str(tmp_path), *REPLAY]) == 0
    assert calls == [0, 500, 500]  # what was there is not drawn again
    assert contents(tmp_path) == contents(folder)


def test_fit_writes_both_nets_and_the_same_seed_the_same_files(folder, tmp_path, capsys):
    def fitted(name, *options):
        out = tmp_path / name
        assert tuning.main(["fit", str(folder), "--out", str(out), "--epochs", "1", *options]) == 0
        return contents(out)

    first = fitted("first")
    text = capsys.readouterr().out
    assert len(first) == 7
    assert "bid: epoch 1" in text
    assert "card: epoch 1" in text
    assert fitted("again") == first
    assert fitted("other", "--seed", "1") != first
    close = fitted("start", "--start", "--learning-rate", "0", "--net", "bid")
    assert close == {name: (PACKAGE / name).read_bytes() for name in close}


def test_bad_input_is_answered(folder, tmp_path, capsys):
    damaged, empty, foreign = (tmp_path / name for name in ("damaged", "empty", "foreign"))
    for path in (damaged, empty, foreign):
        path.mkdir()
        (path / "replay.json").write_bytes((folder / "replay.json").read_bytes())
    (damaged / "part_0000.npz").write_bytes(b"no decisions")
    np.savez(foreign / "part_0000.npz", views=np.zeros(1), gains=np.zeros(1), actions=np.zeros(1))
    few = tmp_path / "few"
    assert tuning.main(["replay", str(few), "--parts", "1", "--plays", "1", "--p-bid", "0"]) == 0
    solo = tmp_path / "solo"
    assert tuning.main(["replay", str(solo), "--preset", "solo", "--parts", "1", "--plays", "2", *WHO]) == 0
    cases = [
        (["replay", folder, *REPLAY, "--seed", "5"], "drawn in another way"),
        (["replay", tmp_path, "--learner", "rule"], "did you mean 'rules'"),
        (["replay", tmp_path, "--others", "simple,table"], "did you mean 'tables'"),
        (["replay", tmp_path, "--preset", "streets_and_alleys"], "no rule set of Back Alley"),
        (["fit", tmp_path, "--out", tmp_path], "draw some with `replay"),
        (["fit", empty, "--out", tmp_path], "draw some with `replay"),
        (["fit", damaged, "--out", tmp_path], "delete it and draw it again"),
        (["fit", foreign, "--out", tmp_path], "another version of backalley"),
        (["fit", few, "--out", tmp_path, "--net", "bid"], "are too few: draw more"),
        (["fit", solo, "--out", tmp_path, "--net", "bid"], "draw decisions of another rule set"),
        (["fit", solo, "--out", tmp_path, "--net", "card"], "draw decisions of a rule set with"),
    ]
    for arguments, message in cases:
        capsys.readouterr()
        assert tuning.main([str(argument) for argument in arguments]) == 2, arguments
        err = capsys.readouterr().err
        assert message in err
        assert err.count("\n") == 1
