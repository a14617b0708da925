"""Registry, adapter, the anchor `simple` against a slow reading of its definition, and strengths."""

import numpy as np
import pytest

from backalley.envs import Rules, Table
from backalley.envs.back_alley.actions import ALL_TRICKS, N_ACTIONS, PASS
from backalley.envs.cards import CARD_NAMES, cards_of
from backalley.envs.errors import UnknownName
from backalley.policies import bots, registry
from backalley.policies.adapter import ModelPolicy, observe_views
from backalley.policies.base import Policy
from backalley.policies.rules_bidding import COLUMNS
from backalley.policies.tables import load_table
from backalley.train.evaluate import evaluate

PARTNERSHIP = Rules.preset("partnership")
RANKS = "23456789TJQKA"


# The anchor, read from its definition with cards as text.


def hand_of(view, seat):
    return [CARD_NAMES[card] for card in cards_of(view["hands"][seat])]


def slow_bid(hand, trump, n):
    """The bid of `simple` for cards as text; trump is a suit letter or None."""

    def is_trump(card):
        return trump is not None and (card in ("LB", "BB") or card[1] == trump)

    n_trumps = sum(map(is_trump, hand))
    e = 0.0
    for card in hand:
        if card in ("BB", "LB"):
            e += {"BB": 1.0, "LB": 0.95}[card]
        elif is_trump(card):
            e += {"A": 0.9, "K": 0.8, "Q": 0.6, "J": 0.6}.get(card[0], 0.45 if n_trumps >= 4 else 0.35)
        else:
            of_suit = sum(other[1] == card[1] for other in hand if other not in ("BB", "LB"))
            e += {"A": 0.6 if of_suit >= 6 else 0.8, "K": 0.3 if of_suit == 1 else 0.5, "Q": 0.15}.get(card[0], 0.0)
            if trump is None and card[0] != "A":
                e += 0.1
    if n <= 2 and e >= 0.85 * n - 1e-9:
        return ALL_TRICKS
    return PASS + min(int(0.85 * e + 1e-9), n - 1)


def slow_play(view, seat, legal, trump):
    """The card of `simple`, by name."""

    def is_trump(card):
        return trump is not None and (card in ("LB", "BB") or card[1] == trump)

    def rank(card):
        return {"LB": 13, "BB": 14}.get(card, RANKS.find(card[0]))

    def merit(card):
        if card[0] == "A":
            return 30
        if card in ("LB", "BB"):
            return 8
        return rank(card) - 8 if is_trump(card) else 13 - rank(card)

    if view["n_in_trick"] == 0:
        return max(legal, key=lambda card: (merit(card), -CARD_NAMES.index(card)))
    led = CARD_NAMES[view["trick"][view["leader"]]]

    def strength(card):
        if is_trump(card):
            return 100 + rank(card)
        return rank(card) if not is_trump(led) and card[1] == led[1] else -1

    holder, best = int(view["trick_holder"]), CARD_NAMES[view["trick_card"]]
    winners = [card for card in legal if strength(card) > strength(best)]
    last = view["n_in_trick"] == 3
    partner_holds = holder == (seat + 2) % 4
    follows = is_trump(best) or (best[0] in "AK" and best[1] == led[1])
    if not winners or (partner_holds and (last or follows)):
        return min(legal, key=lambda card: (is_trump(card), rank(card), CARD_NAMES.index(card)))
    if last:
        return min(winners, key=strength)
    top = max(winners, key=strength)
    if is_trump(top) == is_trump(led) and (is_trump(led) or top[1] == led[1]):
        return top
    return min(winners, key=strength)


def test_simple_is_what_its_definition_says():
    table = Table(PARTNERSHIP, 200, seed=11, autoreset=True)
    simple = registry.make("simple", PARTNERSHIP)
    rng = np.random.default_rng(0)
    n_bids = n_plays = 0
    for _ in range(60):
        views, legal = table.view(), table.legal()
        actions = simple.act(views, legal, rng)
        for view, mask, action in zip(views, legal, actions, strict=True):
            seat = int(view["observer"])
            trump = "SHDC"[view["trump"]] if view["trump"] < 4 else None
            if mask[PASS]:
                assert action == slow_bid(hand_of(view, seat), trump, int(view["hand_size"]))
                n_bids += 1
            else:
                names = [CARD_NAMES[card] for card in np.flatnonzero(mask)]
                assert CARD_NAMES[action] == slow_play(view, seat, names, trump)
                n_plays += 1
        wander = rng.random(table.n) < 0.3  # positions `simple` would not reach by itself
        table.step(np.where(wander, table.random_actions(), actions))
    assert n_bids > 1000
    assert n_plays > 5000


@pytest.mark.parametrize(
    ("hand", "trump", "n", "bid"),
    [
        ("BB", "S", 1, ALL_TRICKS),  # 1.0 ≥ 0.85
        ("KS", "S", 1, PASS),  # 0.8 < 0.85, floor(0.68) = 0
        ("AS AH", "S", 2, ALL_TRICKS),  # 0.9 + 0.8 = 1.7 ≥ 1.7
        ("AS KH 2D", "S", 3, PASS + 1),  # 0.9 + 0.3 = 1.2, floor(1.02) = 1
        ("BB LB AS KS", "S", 4, PASS + 3),  # 3.65, floor(3.1) = 3
        ("2S 3S 4S 5S", "S", 4, PASS + 1),  # 4 × 0.45 = 1.8, floor(1.53) = 1
        ("KH QH 2H 3C", None, 4, PASS + 0),  # 0.5 + 0.15 + 4 × 0.1 = 1.05, floor(0.89) = 0
    ],
)
def test_bids_worked_by_hand(hand, trump, n, bid):
    assert slow_bid(hand.split(), trump, n) == bid


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


# Strengths, on fewer pairs than the figures of the README.


@pytest.mark.parametrize(("a", "b", "least"), [("simple", "random", 40.0), ("rules", "simple", 2.0)])
def test_strengths(a, b, least):
    result = evaluate(a, b, PARTNERSHIP, pairs=26_000, seed=123)
    assert result.ci95[0] >= least
