"""Who plays Streets and Alleys: bots, the solver as a policy, what networks see, training and judging."""

import json

import numpy as np
import pytest
import torch
from patience_adapter import to_action

from backalley.envs import StreetsRules, Table, make_rules
from backalley.envs.cards import card_name, parse_card
from backalley.envs.errors import BackAlleyError, ConfigError, UnknownName
from backalley.envs.rule_set import new_records
from backalley.envs.streets_and_alleys.actions import N_ACTIONS, N_PILES, move_action
from backalley.envs.streets_and_alleys.state import RANK, STATE, WON
from backalley.policies import registry
from backalley.policies.adapter import ModelPolicy, observe_views
from backalley.policies.base import Policy
from backalley.policies.features import Features
from backalley.policies.networks import make_network
from backalley.policies.streets_and_alleys.bots import COMES_BACK, GOES_UP, merit_of
from backalley.policies.streets_and_alleys.features import N_FEATURES, PILE_LAYOUT, TABLE_LAYOUT
from backalley.policies.streets_and_alleys.network import PileNetwork
from backalley.policies.streets_and_alleys.planner import Walk, solve_state, winning_actions
from backalley.train.alone import evaluate_alone
from backalley.train.config import load_config
from backalley.train.demonstrations import demonstrations
from backalley.train.selfplay import Trainer

STREETS = make_rules("streets_and_alleys")
CASTLE = make_rules("beleaguered_castle")


def state_of(piles, foundation=(0, 0, 0, 0)):
    state = new_records(1, STATE)
    state["piles"] = -1
    for pile, text in enumerate(piles):
        cards = [parse_card(card) for card in text.split()]
        state["lengths"][0, pile] = len(cards)
        state["piles"][0, pile, : len(cards)] = cards
    state["foundation"] = foundation
    return state


def play_out(table, policy, seed=0):
    rng = np.random.default_rng(seed)
    while not table.done.all():
        running = np.flatnonzero(~table.done)
        actions = np.zeros(table.n, np.int16)
        actions[running] = policy.act(table.view()[running], table.legal()[running], rng)
        table.step(actions)
    return table.states["outcome"] == WON


# Names.


@pytest.mark.parametrize("name", ["random", "greedy", "solver", "solver:nodes=500"])
def test_policies_by_name(name):
    policy = registry.make(name, STREETS)
    assert isinstance(policy, Policy)
    assert policy.name == name


@pytest.mark.parametrize(("name", "words"), [
    ("simple", "unknown policy 'simple'"), ("greedi", "did you mean 'greedy'"),
    ("solver:depth=3", "solver:nodes=50000"), ("solver:nodes=0", "solver:nodes=50000"),
])  # fmt: skip
def test_names_that_do_not_exist_are_refused(name, words):
    with pytest.raises(BackAlleyError, match=words):
        registry.make(name, STREETS)


def test_back_alley_has_no_greedy():
    with pytest.raises(UnknownName, match="greedy"):
        registry.make("greedy", make_rules("partnership"))


@pytest.mark.parametrize("option", ["auto_play", "worry_back"])
def test_the_solver_refuses_rules_that_it_does_not_know(option):
    with pytest.raises(BackAlleyError, match=f"does not know {option}=True"):
        registry.make("solver", StreetsRules.preset(**{option: True}))


# Greedy.


def test_merits_of_moves():
    """2S lies on 9H: taking the ten off digs for it; the merits are counted by hand."""
    state = state_of(["9D 2S TH", "KS JD", "7C 3H", "QC", "", "", "", ""], (1, 1, 1, 1))[0]
    assert merit_of(state, 2) == GOES_UP
    # TH leaves a lower card (2 halves), and one that a foundation wants (4); JD and KS are no lower cards.
    assert merit_of(state, move_action(0, 1, 1)) == 6
    assert merit_of(state, move_action(0, 4, 1)) == 6 - 3  # a space is used up
    # JD was in order on KS, and is on QC; nothing else changes.
    assert merit_of(state, move_action(1, 3, 1)) == 0
    assert merit_of(state, move_action(3, 1, 1)) == 3 + 2 * (0 - 1)  # empties a pile, but QC would lie on JD
    assert merit_of(state, to_action(("back", "S", 4))) == COMES_BACK


def test_greedy_does_not_split_runs():
    state = state_of(["KS 8H 7H", "9C", "8D", "", "", "", "", ""])[0]
    assert merit_of(state, move_action(0, 1, 2)) > merit_of(state, move_action(0, 2, 1))


@pytest.mark.parametrize("preset", ["streets_and_alleys", "beleaguered_castle"])
def test_greedy_wins_more_than_random(preset):
    result = evaluate_alone("greedy", "random", make_rules(preset), deals=1500, seed=3)
    assert result.won_difference.ci95[0] > 0
    assert result.ci95[0] > 0


# Solver.


def test_the_solver_wins_exactly_the_deals_that_it_solves():
    table = Table(CASTLE, 40, seed=11)
    can_win = [solve_state(CASTLE, state).status for state in table.states]
    assert {"won", "lost"} <= set(can_win)
    won = play_out(table, registry.make("solver", CASTLE))
    assert won.tolist() == [status == "won" for status in can_win]


@pytest.mark.parametrize("options", [{}, {"auto_ace": False}, {"aces_up": True}, {"aces_up": True, "auto_ace": False}])
def test_solutions_become_legal_actions_that_win(options):
    rules = StreetsRules.preset(**options)
    table = Table(rules, 12, seed=5)
    n_won = 0
    for state in table.states:
        solution = solve_state(rules, state)
        if solution.status == "won":
            walk = Walk(rules, state)
            actions = winning_actions(rules, state, solution.moves)
            for action in actions:
                assert action in walk.legal()
                walk.play(action)
            assert walk.state["outcome"] == WON
            assert walk.state["n_moves"] == len(actions) <= len(solution.moves)
            n_won += 1
    assert n_won >= 2


def test_detours_are_cut_off():
    """QS is moved about before the kings and it go up: three moves are enough."""
    state = state_of(["KH QS", "KS", "", "", "", "", "", ""], (11, 12, 13, 13))[0]
    detour = [(0, 2), (2, 1), (1, 3), (3, -1), (1, -1), (0, -1)]
    actions = winning_actions(STREETS, state, detour)
    assert sorted(actions) == [0, 0, 1]  # each card goes up from where it lies
    assert actions.index(0) == 0  # QS before KS


def test_a_deal_that_is_lost_is_played_to_the_end():
    table = Table(STREETS, 30, seed=2)
    won = play_out(table, registry.make("solver:nodes=1", STREETS))
    assert table.done.all()
    assert not won.all()
    assert (table.states["n_moves"] > 0).all()


# What networks see.


def words(state):
    """Return what the features say in words: of each pile, and of the table."""
    features, masks, _ = Features(STREETS).inputs(state, np.zeros((1, N_ACTIONS), np.int8))
    assert features.shape == (1, N_FEATURES)
    assert not masks.any()
    piles = features[0, : N_PILES * PILE_LAYOUT.size].reshape(N_PILES, -1)
    return [PILE_LAYOUT.decode(pile) for pile in piles], TABLE_LAYOUT.decode(features[0, -TABLE_LAYOUT.size :])


def test_features_of_a_position_worked_by_hand():
    piles, table = words(state_of(["9D 2S TH 9H", "KS", "3S 5D", "", "", "", "", ""], (1, 8, 0, 13)))
    first = piles[0]
    assert first["top"] == ["9"]
    assert first["run"] == ["≥1", "≥2"]
    assert first["under"] == ["2"]
    assert first["goes_up"] == ["yes"]  # 9H on 8H
    assert first["distance"] == []
    assert first["next"] == [f"<{k}" for k in range(1, 11)]  # 9H has no card on it; 2S, two, comes first from below
    assert first["second"] == [f"<{k}" for k in range(2, 11)]  # TH
    assert first["length"] == [f"≥{k}" for k in range(1, 5)]
    assert first["lowest"] == ["2"]
    assert first["disorder"] == ["≥1", "≥2"]  # TH and 9H lie on 2S
    assert piles[1]["distance"] == [f"≥{k}" for k in range(1, 12)]  # 2S to QS lack
    assert piles[2]["second"] == [f"<{k}" for k in range(2, 11)]  # 3S under a card
    assert piles[2]["disorder"] == ["≥1"]
    assert piles[3] == {name: [] for name in PILE_LAYOUT.slices}
    assert table["tops"] == ["5", "9", "K"]
    assert table["empty"] == [f"≥{k}" for k in range(1, 6)]
    assert table["foundations"] == ["S≥A", *(f"H≥{r}" for r in "A2345678"), *(f"C≥{r}" for r in "A23456789TJQK")]


def test_masks_of_networks_are_those_of_the_table():
    table = Table(CASTLE, 50, seed=9)
    for _ in range(20):
        _, masks, orders = Features(CASTLE).inputs(table.view(), table.legal())
        assert np.array_equal(masks, table.legal())
        table.step(None)
    assert Features(CASTLE).actions(np.arange(50), orders).tolist() == list(range(50))


def test_a_pile_network_does_not_care_where_piles_lie():
    torch.manual_seed(1)
    network = PileNetwork(N_FEATURES, N_ACTIONS).eval()
    order = [3, 1, 0, 2, 7, 6, 5, 4]
    features = torch.rand(4, N_FEATURES)
    n = N_PILES * PILE_LAYOUT.size
    moved = features.clone()
    moved[:, :n] = features[:, :n].reshape(4, N_PILES, -1)[:, order].reshape(4, -1)
    logits, values = network(features)
    moved_logits, moved_values = network(moved)
    assert torch.allclose(values, moved_values, atol=1e-5)
    for place, pile in enumerate(order):
        assert torch.allclose(moved_logits[:, place], logits[:, pile], atol=1e-5)
        for target_place, target in enumerate(order):
            if target != pile:
                there, here = move_action(place, target_place, 3), move_action(pile, target, 3)
                assert torch.allclose(moved_logits[:, there], logits[:, here], atol=1e-5)


def test_networks_are_made_by_kind():
    assert make_network("mlp", 5, 3, [4]).kind == "mlp"
    assert make_network("piles", N_FEATURES, N_ACTIONS, [4, 5, 6]).hidden == (4, 5, 6)
    with pytest.raises(ValueError, match=r"network\.kind=mlp"):
        make_network("piles", 5, 3, [4])
    with pytest.raises(UnknownName, match="did you mean 'piles'"):
        make_network("pile", 5, 3, [4])


def test_any_model_can_play():
    first = ModelPolicy(lambda observations, masks: masks.argmax(1), STREETS, name="first")
    table = Table(STREETS, 5, seed=1, max_moves=10)
    assert np.array_equal(observe_views(STREETS, table.view(), table.legal()), table.observe())
    play_out(table, first)


# Judging and training.


def test_both_play_the_same_deals():
    result = evaluate_alone("solver", "solver", CASTLE, deals=15, seed=4)
    assert np.array_equal(*result.outcomes)
    assert result.mean == 0
    assert 0 < result.won[0].mean < 1
    assert (result.outcomes[0, :, 0] == 52).tolist() == (result.outcomes[0, :, 1] == 1).tolist()
    figures = json.loads(json.dumps(result.as_dict()))
    assert figures["won"][0]["mean"] == result.won[0].mean
    assert figures["deals"] == 15


def tiny(*overrides):
    settings = ("tables=16", "rollout=8", "decisions=200", "evaluate_every=2", "evaluation_pairs=4", "final_pairs=4")
    return load_config(
        "streets_and_alleys",
        [*settings, "threads=1", "max_minutes=0", "ppo.minibatch=64", "game.limits={max_moves: 12}", *overrides],
    )


@pytest.mark.parametrize("overrides", [
    ("network.hidden=[4, 4, 4]", "warm_start.decisions=100", "warm_start.teacher=greedy"),
    ("network.kind=mlp", "network.hidden=[4]", "warm_start.decisions=0", "preset=beleaguered_castle"),
])  # fmt: skip
def test_training_runs_resumes_and_its_network_plays(overrides, tmp_path):
    trainer = Trainer(tiny(*overrides), tmp_path)
    results = trainer.run()
    assert results["greedy"].deals == 4
    again = Trainer.resume(tmp_path)
    for name, value in trainer.network.state_dict().items():
        assert torch.equal(again.network.state_dict()[name], value)
    rules = trainer.rules
    policy = registry.make(f"net:{tmp_path}", rules)
    table = Table(rules, 8, seed=3, max_moves=15)
    play_out(table, policy)


def test_a_solver_shows_how_deals_are_won():
    shown = demonstrations(registry.make("solver:nodes=3000", CASTLE), CASTLE, 150, 4, (10.0, 0.0))
    actions = shown.rows["action"]
    assert len(actions) == len(shown.index) >= 150
    assert (shown.masks[np.arange(len(actions)), actions] == 1).all()
    assert (shown.masks.sum(1) > 1).all()
    assert np.allclose(shown.rows["target"], 4.8)  # all 48 cards that do not begin on the foundations, over 10


def test_a_teacher_that_wins_nothing_is_given_up():
    with pytest.raises(BackAlleyError, match="won none of"):
        demonstrations(registry.make("random", STREETS), STREETS, 10, 0, (10.0, 0.0), max_moves=5)


def test_rewards_of_training_are_cards_brought_up(tmp_path):
    trainer = Trainer(tiny("warm_start.decisions=0", "reward_scale=[1, 0]"), tmp_path)
    batch = trainer.collector.collect(
        lambda x: (np.zeros((len(x), N_ACTIONS), np.float32), np.zeros(len(x), np.float32)), 1.0
    )
    targets = batch.rows["target"][batch.index]
    assert len(targets) > 20
    assert (targets >= 0).all()
    assert np.array_equal(targets, targets.round())
    assert targets.any()


@pytest.mark.parametrize(("overrides", "words"), [
    (("opponents.simple=0.5",), "nobody else sits at the table"),
    (("warm_start.teacher=simple",), "did you mean|known: greedy, random"),
    (("game.limits={max_redeals: 3}",), "max_redeals"),
    (("network.kind=pile",), "network.kind"),
])  # fmt: skip
def test_mistakes_in_the_configuration_are_named(overrides, words):
    with pytest.raises((ConfigError, UnknownName), match=words):
        tiny(*overrides)


def test_ranks_of_this_game():
    assert [RANK[parse_card(card)] for card in ("AS", "2H", "TD", "KC")] == [1, 2, 10, 13]
    assert card_name(12) == "AS"
