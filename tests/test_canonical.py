"""Canonical Views: high twos in the jokers' places, orders for networks, and the way back."""

import numpy as np
import pytest

from backalley.envs import Rules, Table
from backalley.envs.back_alley.actions import PASS
from backalley.envs.back_alley.knowledge import master_cards, winning_cards
from backalley.envs.back_alley.options import PRESETS
from backalley.envs.back_alley.play import FORCED_HIGHEST, NOT_FORCED, force_on
from backalley.envs.back_alley.state import PLAY, STATE
from backalley.envs.back_alley.view import unseen_cards
from backalley.envs.cards import NO_TRUMP, cards_of, format_cards, parse_card, parse_cards
from backalley.envs.rule_set import new_records
from backalley.policies import registry
from backalley.policies.back_alley.canonical import (
    demoted_action,
    has_promotion,
    original_action,
    promote,
    relabel_card,
    relabel_cards,
    relabel_view,
    write_order,
)
from backalley.policies.features import Features

HIGH_TWOS = ("two_of_spades", "solo", "solo_two_twos")


def positions(preset, n=60, steps=9, **options):
    """Yield the rules' record with a View and its legal cards, from random deals."""
    rules = Rules.preset(preset, **options)
    table = Table(rules, n, seed=5)
    for _ in range(steps * rules.players):
        views = table.view()
        for i in np.flatnonzero(~table.done & (views["phase"] == PLAY)):
            yield table.rules_record[0], views[i : i + 1].copy(), table.legal_bits[i, 0]
        table.step(table.random_actions())


@pytest.mark.parametrize("preset", HIGH_TWOS)
def test_promotion_keeps_what_a_view_says_and_is_undone(preset):
    n_promoted = 0
    for rules, views, legal in positions(preset):
        before = views[0].copy()
        view = views[0]
        high, second = int(before["high_two"]), int(before["second_two"])
        cards = promote(rules, view, legal)
        if before["trump"] == NO_TRUMP:
            assert view == before
            assert cards == legal
            continue
        n_promoted += 1

        def back(bits, high=high, second=second):
            return sorted(demoted_action(card, high, second) for card in cards_of(bits))

        me = int(before["observer"])
        assert not has_promotion(view)
        assert back(cards) == cards_of(legal)
        assert back(view["hands"][me]) == cards_of(before["hands"][me])
        assert back(unseen_cards(rules, view)) == cards_of(unseen_cards(rules, before))
        assert back(winning_cards(view, np.uint64(cards))) == cards_of(winning_cards(before, np.uint64(legal)))
        elsewhere = unseen_cards(rules, before)
        wanted = master_cards(before, before["hands"][me], np.uint64(elsewhere))
        assert back(master_cards(view, view["hands"][me], np.uint64(unseen_cards(rules, view)))) == cards_of(wanted)
    assert n_promoted > 500


@pytest.mark.parametrize("preset", HIGH_TWOS)
def test_a_two_led_forces_as_before(preset):
    forces = set()
    for rules, views, legal in positions(preset):
        view = views[0]
        before = view.copy()
        promote(rules, view, legal)
        if view["n_in_trick"] > 0:
            me = int(view["observer"])
            assert force_on(rules, view, me) == force_on(rules, before, me)
            if has_promotion(before) and before["led"] == before["high_two"]:
                forces.add(force_on(rules, view, me))
    assert forces == {FORCED_HIGHEST if preset == "two_of_spades" else NOT_FORCED}


def test_a_promoted_view_worked_by_hand():
    """Clubs are trumps and both red and black twos rank high: 2D > 2C > AC."""
    rules = Rules.preset("solo_two_twos").record()[0]
    views = new_records(1, STATE)
    view = views[0]
    names = {"hand": "2D 2C AC 3S", "trumps": "2D " + " ".join(rank + "C" for rank in "23456789TJQKA")}
    view["hands"][0] = sum(1 << card for card in parse_cards(names["hand"]))
    view["trumps"] = sum(1 << card for card in parse_cards(names["trumps"]))
    view["trump"] = 3
    view["high_two"], view["second_two"] = parse_card("2D"), parse_card("2C")
    view["trick"] = view["trick_card"] = view["led"] = view["turn_up"] = view["cut"] = -1
    legal = promote(rules, view, view["hands"][0])
    assert format_cards(cards_of(legal)) == "3S AC LB BB"
    assert format_cards(cards_of(view["trumps"])) == "3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC LB BB"
    assert format_cards(cards_of(view["exposed"])) == "2D 2C"  # nobody has cards of these numbers any more


@pytest.mark.parametrize("preset", [*HIGH_TWOS, "partnership", "reduced_42"])
def test_orders_are_undone(preset):
    for rules, views, legal in positions(preset, n=20):
        order = np.zeros(6, np.int8)
        write_order(views[0], order)
        for card in cards_of(rules["pack"]):
            moved = relabel_card(card, order)
            assert original_action(moved, order) == card
            assert relabel_cards(np.uint64(1 << card), order) == 1 << moved
        assert relabel_card(-1, order) == -1
        assert original_action(PASS + 3, order) == PASS + 3
        hand = views[0]["hands"][views[0]["observer"]]
        trumps = views[0]["trumps"]
        relabel_view(rules, views[0], order)
        assert views[0]["hands"][views[0]["observer"]] == relabel_cards(hand, order)
        assert views[0]["trumps"] == relabel_cards(trumps, order)
        assert legal & ~hand == 0


def test_a_high_two_without_trumps_stays_the_highest_of_its_suit():
    rules = {"no_trump_high_two": "high", "no_stock_trump": "no_trump", "schedule": "constant"}
    n_held = 0
    for record, views, legal in positions("two_of_spades", n=10, **rules):
        view = views[0]
        assert view["trump"] == NO_TRUMP
        order = np.zeros(6, np.int8)
        write_order(view, order)
        two = relabel_card(parse_card("2S"), order)
        n_held += int(legal) & 1
        relabel_view(record, view, order)
        assert view["high_two"] == two < 52
    assert n_held > 0


@pytest.mark.parametrize("preset", PRESETS)
def test_networks_of_every_preset_get_features_and_masks_that_lead_back(preset):
    rules = Rules.preset(preset)
    table = Table(rules, 40, seed=7)
    features = Features(rules)
    for _ in range(12):
        running = np.flatnonzero(~table.done)
        views, legal = table.view()[running], table.legal()[running]
        inputs, masks, orders = features.inputs(views, legal)
        assert ((inputs == 0) | (inputs == 1)).all()
        back = np.zeros_like(legal)
        rows, choices = np.nonzero(masks)
        back[rows, features.actions(choices, orders[rows])] = 1
        assert np.array_equal(back, legal)
        table.step(table.random_actions())


@pytest.mark.parametrize("name", ["simple", "rules"])
def test_bots_leave_the_views_they_are_given_alone(name):
    rules = Rules.preset("solo")
    bot = registry.make(name, rules)
    table = Table(rules, 30, seed=8)
    for _ in range(10):
        views, legal = table.view(), table.legal()
        before = views.copy()
        actions = bot.act(views, legal, np.random.default_rng(0))
        assert (views == before).all()
        table.step(actions)
