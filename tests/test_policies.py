"""Registry, adapter, what all bots have in common, and strengths."""

import numpy as np
import pytest

from backalley.envs import Rules, Table
from backalley.envs.back_alley.actions import N_ACTIONS
from backalley.envs.back_alley.options import PRESETS
from backalley.envs.errors import UnknownName
from backalley.policies import registry
from backalley.policies.adapter import ModelPolicy, observe_views
from backalley.policies.back_alley import bots
from backalley.policies.back_alley.rules_bidding import COLUMNS
from backalley.policies.back_alley.tables import load_table
from backalley.policies.base import Policy
from backalley.train.evaluate import evaluate

PARTNERSHIP = Rules.preset("partnership")

# Registry and adapter.


def test_registry_knows_its_policies_and_refuses_others():
    for name in ("random", "simple", "rules"):
        policy = registry.make(name, PARTNERSHIP)
        assert isinstance(policy, Policy)
        assert policy.name == name
        assert bots.NAMES[policy.bot] == name
    with pytest.raises(UnknownName, match="did you mean 'simple'"):
        registry.make("simpel", PARTNERSHIP)


@pytest.mark.parametrize("episode", ["deal", "match"])
def test_adapter_sees_what_the_environments_show(episode):
    table = Table(PARTNERSHIP, 64, seed=2, episode=episode)
    for _ in range(25):
        seen = observe_views(PARTNERSHIP, table.view(), table.legal(), episode)
        running = ~table.done
        assert np.array_equal(seen[running], table.observe()[running])
        table.step(table.random_actions())


def test_models_may_return_actions_or_logits():
    first = ModelPolicy(lambda observations, masks: masks.argmax(1), PARTNERSHIP)
    by_logits = ModelPolicy(lambda observations, masks: -np.arange(N_ACTIONS) + 0 * masks, PARTNERSHIP)
    table = Table(PARTNERSHIP, 16, seed=3)
    rng = np.random.default_rng(0)
    for _ in range(10):
        actions = first.act(table.view(), table.legal(), rng)
        assert np.array_equal(actions, by_logits.act(table.view(), table.legal(), rng))
        table.step(actions)


def test_models_that_answer_in_another_shape_are_refused():
    table = Table(PARTNERSHIP, 4, seed=3)
    with pytest.raises(ValueError, match=r"returned shape \(1,\)"):
        ModelPolicy(lambda observations, masks: np.zeros(1), PARTNERSHIP).act(
            table.view(), table.legal(), np.random.default_rng(0)
        )


def test_bots_play_from_the_view_alone():
    """The same View gives the same action whatever lies hidden: nothing but the View is handed over."""
    table = Table(PARTNERSHIP, 128, seed=6)
    rng = np.random.default_rng(0)
    for name in ("simple", "rules"):
        policy = registry.make(name, PARTNERSHIP)
        for _ in range(12):
            views, legal = table.view(), table.legal()
            hands = views["hands"].copy()
            hands[np.arange(table.n), views["observer"]] = 0
            assert not hands.any()
            assert not views["stock"].any()
            table.step(policy.act(views, legal, rng))


def test_tables_name_their_columns():
    with pytest.raises(ValueError, match="has the columns"):
        load_table("rules_bid.csv", (*COLUMNS[1:], "other"))


# Every rule set.


class OneOf:
    """Asks a scripted bot drawn anew for each decision."""

    name = "one of the bots"

    def __init__(self, rules):
        self.bots = [registry.make(name, rules) for name in bots.NAMES]

    def act(self, views, legal, rng):
        chosen = np.stack([bot.act(views, legal, rng) for bot in self.bots])
        assert legal[np.arange(len(views)), chosen].all()
        return chosen[rng.integers(0, len(self.bots), len(views)), np.arange(len(views))]


@pytest.mark.parametrize("preset", PRESETS)
def test_all_bots_play_every_preset_legally(preset):
    rules = Rules.preset(preset)
    table = Table(rules, 200, seed=12)
    table.reset(deal_indices=np.arange(200) % rules.n_deals)
    policy, rng = OneOf(rules), np.random.default_rng(0)
    while not table.done.all():
        views, legal = table.view(), table.legal()
        running = np.flatnonzero(~table.done)
        actions = np.zeros(table.n, np.int16)
        actions[running] = policy.act(views[running], legal[running], rng)
        table.step(actions)
    assert not table.truncated.all()


@pytest.mark.parametrize("options", [
    {"players": 2, "sides": "individual"},
    {"rainbow": "claim", "all_tricks_bid": "implied", "dealer_hook": True},
    {"redeal_right": True, "redeal_timing": "own_turn", "rainbow_sizes": (4, 8), "rainbow": "free"},
    {"rainbow": "required", "rainbow_sizes": (4, 8, 12), "all_tricks_bid": "raise_board", "boston": True,
     "boston_trump_lead": True},
    {"deck": "std52", "all_tricks_bid": "ladder", "ladder_repeat_one": False, "dealer_hook": True},
    {"joker_turned": "keep", "no_trump_joker": "worthless", "blind_sizes": (1, 2, 5, 9), "rainbow": "claim"},
    {"players": 6, "sides": "two_teams_of_3", "hand_max": 9, "score": "exact_ten", "score_unit": "player"},
    {"bag_limit": 1, "opponents_of_board": "zero", "side_bid_cap": "cards", "number_max": "cards", "number_cap": 4},
])  # fmt: skip
def test_all_bots_play_other_options_legally(options):
    rules = Rules.preset("partnership", **options)
    table = Table(rules, 100, seed=13)
    policy, rng = OneOf(rules), np.random.default_rng(0)
    while not table.done.all():
        running = np.flatnonzero(~table.done)
        actions = np.zeros(table.n, np.int16)
        actions[running] = policy.act(table.view()[running], table.legal()[running], rng)
        table.step(actions)


@pytest.mark.parametrize("preset", PRESETS)
def test_rules_beats_simple_in_every_preset(preset):
    result = evaluate("rules", "simple", Rules.preset(preset), pairs=2600, seed=321)
    assert result.ci95[0] > 0


# Strengths, on fewer pairs than the figures of the README.


@pytest.mark.parametrize(("a", "b", "least"), [("simple", "random", 40.0), ("rules", "simple", 2.0)])
def test_strengths(a, b, least):
    result = evaluate(a, b, PARTNERSHIP, pairs=26_000, seed=123)
    assert result.ci95[0] >= least
