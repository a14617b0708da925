import json

import numpy as np
import pytest
import torch

from backalley.envs import Rules, Table
from backalley.envs.cards import parse_cards
from backalley.envs.errors import CheckpointError, ConfigError, InvalidRules, UnknownName
from backalley.envs.rule_set import new_records
from backalley.policies.back_alley import bots
from backalley.policies.back_alley.canonical import original_action, relabel_card, relabel_cards
from backalley.policies.checkpoint import load_network, save_network
from backalley.policies.files import write_atomically
from backalley.policies.net import NetPolicy
from backalley.policies.network import ActorCritic, judge_actions, masked_entropy, masked_log_probs
from backalley.train.advantages import finish_chain
from backalley.train.config import TrainConfig, config_names, load_config
from backalley.train.evaluate import evaluate
from backalley.train.games import bid_metrics
from backalley.train.metrics import read_metrics
from backalley.train.rollout import Collector, seat_bots
from backalley.train.rollout_kernels import ROW, draw_action
from backalley.train.selfplay import CHECKPOINT_FILE, Trainer

PARTNERSHIP = Rules.preset("partnership")
TINY = [
    "tables=16",
    "rollout=8",
    "threads=1",
    "max_minutes=0",
    "decisions=1000",
    "evaluate_every=1000",
    "evaluation_pairs=26",
    "final_pairs=26",
    "network.hidden=[16]",
    "ppo.minibatch=64",
    "game.options={hand_max: 3}",
]


@pytest.fixture(autouse=True)
def _keep_threads():
    before = torch.get_num_threads()
    yield
    torch.set_num_threads(before)


def tiny(*overrides):
    return load_config("quickstart", [*TINY, *overrides])


# Advantages.


def chain(values):
    rows = new_records(len(values), ROW)
    rows["value"] = values
    rows["previous"] = np.arange(len(values)) - 1
    return rows


@pytest.mark.parametrize("gae_lambda", [0.0, 0.5, 0.95, 1.0])
def test_advantages_equal_the_textbook_sum(gae_lambda):
    """A_t = Σ_k λ^k δ_{t+k} with δ_t = v_{t+1} - v_t, and the reward in the place of the value behind the last one."""
    values, reward = [0.5, -1.0, 2.0, 0.25], 3.0
    rows = chain(values)
    finish_chain(rows, 3, reward, gae_lambda)
    nexts = [*values[1:], reward]
    deltas = [after - value for value, after in zip(values, nexts, strict=True)]
    expected = [sum(gae_lambda**k * deltas[t + k] for k in range(4 - t)) for t in range(4)]
    assert np.allclose(rows["advantage"], expected, atol=1e-6)
    assert np.allclose(rows["target"], np.add(values, expected), atol=1e-6)
    assert rows["finished"].all()


def test_lambda_one_compares_with_the_outcome():
    rows = chain([1.0, 5.0])
    finish_chain(rows, 1, 2.0, 1.0)
    assert rows["target"].tolist() == [2.0, 2.0]


# The masked policy.


def test_illegal_actions_have_no_probability():
    masks = torch.tensor([[True, False, True, False]])
    log_probs = masked_log_probs(torch.tensor([[0.0, 50.0, 0.0, 9.0]]), masks)
    assert torch.allclose(log_probs.exp(), torch.tensor([[0.5, 0.0, 0.5, 0.0]]))
    assert masked_entropy(log_probs, masks).exp().item() == pytest.approx(2.0)


def test_a_forced_move_has_no_entropy():
    masks = torch.tensor([[False, True]])
    assert masked_entropy(masked_log_probs(torch.zeros(1, 2), masks), masks).item() == 0.0


def test_drawn_actions_follow_the_softmax():
    logits = np.array([0.0, 1.0, 5.0, -1.0], np.float32)
    mask = np.array([1, 1, 0, 1], np.int8)
    weights = np.exp(logits[[0, 1, 3]].astype(float))
    expected = weights / weights.sum()  # 0.245, 0.665, 0.090
    drawn = [draw_action(logits, mask, (k + 0.5) / 1000)[0] for k in range(1000)]
    shares = [drawn.count(action) / 1000 for action in (0, 1, 3)]
    assert np.allclose(shares, expected, atol=0.002)
    assert draw_action(logits, mask, 0.5)[1] == pytest.approx(np.log(expected[1]), abs=1e-6)


def test_looking_at_legal_columns_alone_changes_nothing():
    torch.manual_seed(3)
    masks = torch.rand(50, 30) < 0.2
    masks[:, 7] = True
    masks[0] = True  # one row with all actions
    logits = torch.randn(50, 30, requires_grad=True)
    actions = masks.float().multinomial(1).squeeze(1)
    whole = masked_log_probs(logits, masks)
    log_prob, entropy = judge_actions(logits, masks, actions)
    assert torch.allclose(log_prob, whole.gather(1, actions[:, None]).squeeze(1), atol=1e-6)
    assert torch.allclose(entropy, masked_entropy(whole, masks), atol=1e-6)
    (gradient,) = torch.autograd.grad(log_prob.sum() + entropy.sum(), logits)
    assert not gradient[~masks].any()
    assert gradient[masks].any()


# Relabelled suits.


def test_relabelling_is_undone():
    order = np.array([2, 0, 3, 1, 52, 53], np.int8)
    for card in range(54):
        moved = relabel_card(card, order)
        assert original_action(moved, order) == card
        assert int(relabel_cards(np.uint64(1 << card), order)) == 1 << moved
    assert relabel_card(-1, order) == -1
    assert relabel_card(26, order) == 0  # 2D of the suit that comes first
    assert original_action(60, order) == 60


@pytest.mark.parametrize("permutation", [(1, 0, 2, 3), (3, 2, 1, 0), (1, 2, 3, 0)])
def test_a_network_plays_the_same_whatever_the_suits_are_called(permutation):
    """Deals that differ only in the names of the suits lead to plays that differ only in them."""
    torch.manual_seed(0)
    n, order = 16, np.array((*permutation, 52, 53), np.int8)
    decks = np.array([[np.random.default_rng(k).permutation(54)] for k in range(n)], np.int8)
    renamed = np.array([[[relabel_card(int(card), order) for card in deck[0]]] for deck in decks], np.int8)
    tables = [Table(PARTNERSHIP, n, seed=4), Table(PARTNERSHIP, n, seed=4)]
    for table, queue in zip(tables, (decks, renamed), strict=True):
        table.reset(decks=queue, dealers=0, hand_sizes=7)
    policy = NetPolicy(ActorCritic(tables[0].layout.size, 89, (16,)), PARTNERSHIP)
    rng = np.random.default_rng(0)
    for _ in range(4):
        for table in tables:
            table.step(np.full(n, 55))
    n_plays = n_alike = 0
    while not tables[0].done.all():
        plays = [policy.act(table.view(), table.legal(), rng) for table in tables]
        running = ~tables[0].done
        wanted = np.array([relabel_card(int(card), order) for card in plays[0]])
        n_plays += int(running.sum())
        n_alike += int((wanted == plays[1])[running].sum())
        tables[0].step(plays[0])
        tables[1].step(wanted)
    assert n_plays == n * 28
    assert n_alike > 0.95 * n_plays  # suits held and played alike keep their order by name


# Collecting.


def test_batches_hold_free_decisions_of_the_network_only():
    rules = Rules.preset("constant_13", hand_max=5)
    collector = Collector(rules, 8, 40, 0, seat_bots(rules, 8, {bots.SIMPLE: 0.5}), (4.0, 1.6))
    batch = collector.collect(lambda x: (np.zeros((len(x), 89), np.float32), np.zeros(len(x), np.float32)), 1.0)
    assert len(batch.index) > 100
    masks = batch.masks[batch.index]
    actions = batch.rows["action"][batch.index]
    assert (masks.sum(1) > 1).all()
    assert (masks[np.arange(len(actions)), actions] == 1).all()
    assert np.allclose(batch.rows["log_prob"][batch.index], -np.log(masks.sum(1)), atol=1e-5)
    scaled = batch.rows["target"][batch.index] * (4.0 + 1.6 * 5)
    assert np.allclose(scaled, scaled.round(), atol=1e-3)  # with values of 0 the targets are differences of points


def test_seat_bots_shares_the_tables_out():
    seats = seat_bots(PARTNERSHIP, 8, {bots.SIMPLE: 0.25, bots.RULES: 0.25})
    assert seats[0, :4].tolist() == [bots.SIMPLE, -1, bots.SIMPLE, -1]
    assert seats[1, :4].tolist() == [-1, bots.SIMPLE, -1, bots.SIMPLE]
    assert (seats[2:4] == bots.RULES).sum() == 4
    assert (seats[4:] == -1).all()


def test_unfinished_decisions_move_on_to_the_next_batch():
    seats = seat_bots(PARTNERSHIP, 8, {})
    collector = Collector(PARTNERSHIP, 8, 5, 0, seats, (4.0, 1.6))
    n_rows = n_finished = 0
    for _ in range(30):
        batch = collector.collect(lambda x: (np.zeros((len(x), 89), np.float32), np.zeros(len(x), np.float32)), 0.9)
        n_rows += 5 * 8
        n_finished += len(batch.index)
        assert n_rows - n_finished == collector.n_rows - len(batch.index)


# Learning.


def test_learns_the_one_card_game(tmp_path):
    """With one card the first bidder should board with a card that wins when led, and pass with a low one.

    A board pays ±10 and a pass about 0; the big joker always wins, the little one and the ace of trumps nearly always,
    a two never does against three other cards.
    """
    config = tiny(
        "tables=256",
        "rollout=16",
        "decisions=160000",
        "ppo.minibatch=512",
        "ppo.learning_rate=3e-3",
        "game.options={hand_max: 1, turning_deals: 1, schedule: down}",
    )
    trainer = Trainer(config, tmp_path)
    trainer.run()
    policy = NetPolicy(trainer.network, trainer.rules)
    bids = {}
    for held in ("BB", "LB", "AH", "2S", "3C", "4D"):
        front = [*parse_cards(held), *parse_cards("7C 8D 9S"), *parse_cards("5H")]
        deck = front + [card for card in range(54) if card not in front]
        table = Table(trainer.rules, 1)
        table.reset(decks=[deck], dealers=0)
        bids[held] = int(policy.act(table.view(), table.legal(), np.random.default_rng(0))[0])
    assert bids == {"BB": 68, "LB": 68, "AH": 68, "2S": 54, "3C": 54, "4D": 54}


def test_same_seed_same_weights(tmp_path):
    weights = []
    for name in ("a", "b"):
        trainer = Trainer(tiny(), tmp_path / name)
        for _ in range(3):
            trainer.step()
        weights.append({key: value.clone() for key, value in trainer.network.state_dict().items()})
    assert all(torch.equal(weights[0][key], weights[1][key]) for key in weights[0])
    other = Trainer(tiny("seed=1"), tmp_path / "c")
    other.step()
    assert not torch.equal(other.network.state_dict()["policy_head.weight"], weights[0]["policy_head.weight"])


def test_resumed_run_equals_the_uninterrupted_one(tmp_path):
    through = Trainer(tiny(), tmp_path / "a")
    for _ in range(3):
        through.step()
    through.save()
    for _ in range(3):
        through.step()
    resumed = Trainer.resume(tmp_path / "a")
    for _ in range(3):
        resumed.step()
    assert resumed.progress.decisions == through.progress.decisions
    for key, value in through.network.state_dict().items():
        assert torch.equal(resumed.network.state_dict()[key], value)


def test_run_leaves_weights_metrics_and_a_checkpoint(tmp_path):
    results = Trainer(tiny("evaluate_every=2", "warm_start.decisions=200"), tmp_path).run()
    assert set(results) == {"simple", "rules"}
    lines = read_metrics(tmp_path / "metrics.jsonl")
    assert lines[-1]["decisions"] >= 1000
    assert "strength/simple" in lines[-1]
    assert {"loss/kl", "bids/pass", "speed/decisions_per_second"} <= set(lines[0])
    assert json.loads((tmp_path / "network.json").read_text())["kind"] == "network"
    assert evaluate(f"net:{tmp_path}", "random", Rules.preset("partnership", hand_max=3), pairs=26).pairs == 26
    assert list(tmp_path.glob("events.out*"))
    assert (tmp_path / "strength.png").read_bytes().startswith(b"\x89PNG")


# Checkpoints.


def test_networks_survive_the_file(tmp_path):
    from backalley.envs.table import game_of

    size = game_of(PARTNERSHIP).layout(PARTNERSHIP, "deal").size
    network = ActorCritic(size, 89, (8, 8))
    save_network(tmp_path / "network.safetensors", network, PARTNERSHIP, "deal", {"note": "here"})
    loaded, description = load_network(tmp_path, PARTNERSHIP)
    assert description["note"] == "here"
    for key, value in network.state_dict().items():
        assert torch.equal(loaded.state_dict()[key], value)
    with pytest.raises(CheckpointError, match="another observation layout"):
        load_network(tmp_path, Rules.preset("partnership", hand_max=5))


@pytest.mark.parametrize("content", [b"", b"not tensors", b"\x08\x00\x00\x00\x00\x00\x00\x00{}      "])
def test_damaged_files_are_refused(content, tmp_path):
    (tmp_path / "network.safetensors").write_bytes(content)
    with pytest.raises(CheckpointError, match="damaged or was not written by backalley"):
        load_network(tmp_path, PARTNERSHIP)


def test_missing_files_are_refused(tmp_path):
    with pytest.raises(CheckpointError, match="there is no checkpoint"):
        load_network(tmp_path / "none.safetensors", PARTNERSHIP)
    with pytest.raises(CheckpointError, match="there is no checkpoint"):
        Trainer.resume(tmp_path)


def test_a_network_file_is_no_training_checkpoint(tmp_path):
    trainer = Trainer(tiny(), tmp_path)
    trainer.save()
    (tmp_path / CHECKPOINT_FILE).write_bytes((tmp_path / "network.safetensors").read_bytes())
    with pytest.raises(CheckpointError, match="not a training checkpoint"):
        Trainer.resume(tmp_path)


def test_writing_that_fails_leaves_the_old_file(tmp_path, monkeypatch):
    target = tmp_path / "file"
    write_atomically(target, b"old")
    monkeypatch.setattr("os.replace", lambda *_: (_ for _ in ()).throw(OSError("disk full")))
    with pytest.raises(OSError, match="disk full"):
        write_atomically(target, b"new")
    assert target.read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


# Configuration.


@pytest.mark.parametrize("name", config_names())
def test_packaged_configurations_are_valid(name):
    assert load_config(name).name == name


@pytest.mark.parametrize(
    ("overrides", "error", "words"),
    [
        (["ppo.epoch=3"], ConfigError, "unknown key ppo 'epoch': did you mean 'epochs'"),
        (["tabels=3"], ConfigError, "did you mean 'tables'"),
        (["ppo.epochs=many"], ConfigError, "ppo.epochs='many'"),
        (["tables=0"], ConfigError, "tables=0"),
        (["tables"], ConfigError, "must read key=value"),
        (["tables.x=1"], ConfigError, "holds a value"),
        (["opponents.simple=0.7", "opponents.rules=0.7"], ConfigError, "add up to more than 1"),
        (["game.preset=solo", "game.options.players=5"], InvalidRules, "BA-18"),
        (["game.preset=partnershp"], UnknownName, "did you mean 'partnership'"),
        (["preset=solo", "players=5"], InvalidRules, "BA-18"),
    ],
)
def test_mistakes_in_the_configuration_are_named(overrides, error, words):
    with pytest.raises(error, match=words.replace(".", r"\.")):
        load_config("quickstart", overrides)


def test_a_preset_and_rule_options_need_no_section():
    config = load_config("quickstart", ["preset=solo", "players=3", "score=ten_one"])
    assert config.game.rules() == Rules.preset("solo", players=3, score="ten_one")


def test_numbers_like_1e_minus_4_are_numbers():
    assert load_config("quickstart", ["ppo.learning_rate=1e-4"]).ppo.learning_rate == 1e-4


def test_configuration_files_that_do_not_exist_or_hold_no_mapping(tmp_path):
    with pytest.raises(ConfigError, match="no configuration file"):
        load_config(str(tmp_path / "none.yaml"))
    (tmp_path / "list.yaml").write_text("- 1\n")
    with pytest.raises(ConfigError, match="must hold keys and values"):
        load_config(str(tmp_path / "list.yaml"))
    (tmp_path / "bad.yaml").write_text("a: [1\n")
    with pytest.raises(ConfigError, match="no valid YAML"):
        load_config(str(tmp_path / "bad.yaml"))


def test_configuration_survives_json():
    config = TrainConfig()
    assert TrainConfig.model_validate(json.loads(config.model_dump_json())) == config


def test_bid_metrics_count_passes_boards_and_numbers():
    counts = np.zeros((14, 15), int)
    counts[10, 0], counts[10, 5], counts[2, 14] = 2, 1, 1
    assert bid_metrics(counts) == {"bids/pass": 0.5, "bids/board": 0.25, "bids/mean_share": 0.5}
