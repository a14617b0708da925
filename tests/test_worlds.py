"""Worlds: uniform over all that agree with the View, by enumeration; never out of worlds, whatever the position."""

from collections import Counter

import numpy as np
import pytest

from backalley.envs import Rules, Table
from backalley.envs.back_alley.options import PRESETS
from backalley.envs.back_alley.state import BID, OPEN
from backalley.envs.cards import cards_of
from backalley.envs.errors import BackAlleyError
from backalley.envs.rule_set import new_records
from backalley.policies.back_alley.worlds import Sampler

MOST_WORLDS = 400
"""Positions with more are too large to count how often each world comes."""
DRAWS_PER_WORLD = 20
ENOUGH = 1500  # degrees of freedom
Z_LIMIT = 4.0  # of the sum of chi squares: 1 in 16 000


def enumerate_worlds(rules, view):
    """Return all ways to deal the unseen cards, each as the hands of all seats, by trying every card everywhere.

    Independent of the sampler: one card after the other, no classes and no counting. None if there are more than
    `MOST_WORLDS`.
    """
    me, n = int(view["observer"]), rules.players
    hands = [int(bits) for bits in view["hands"][:n]]
    played = [int(bits) for bits in view["played"][:n]]
    cannot_hold = [int(bits) for bits in view["cannot_hold"][:n]]
    seen = hands[me] | int(view["exposed"]) | int(view["discarded"]) | int(view["burned"]) | sum(played)
    unseen = cards_of(rules.pack & ~seen)
    room = [int(view["hand_size"]) - played[seat].bit_count() - hands[seat].bit_count() for seat in range(n)]
    found = []

    def place(i, hands, room, n_stock):
        if len(found) > MOST_WORLDS:
            return
        if i == len(unseen):
            found.append(tuple(hands))
            return
        card = 1 << unseen[i]
        for seat in range(n):
            if room[seat] and not cannot_hold[seat] & card:
                with_card = [held | card if other == seat else held for other, held in enumerate(hands)]
                place(i + 1, with_card, [left - (other == seat) for other, left in enumerate(room)], n_stock)
        if n_stock:
            place(i + 1, hands, room, n_stock - 1)

    place(0, hands, room, len(unseen) - sum(room))
    return found if len(found) <= MOST_WORLDS else None


def late_views(rules, n, seed, cards_left):
    """Return Views of random deals of the largest size when the seat to act has so many cards left."""
    table = Table(rules, n, seed=seed)
    table.reset(hand_sizes=max(rules.hand_sizes))
    found = []
    while not table.done.all():
        views = table.view()
        left = views["hand_size"] - views["n_tricks"]
        found.extend(views[i : i + 1] for i in np.flatnonzero(~table.done & (left == cards_left)))
        table.step(table.random_actions())
    return found


def chi_square(rules, sampler, view, seed):
    """Return chi square of draws against equal shares and its degrees of freedom; None if the position is too large."""
    worlds = enumerate_worlds(rules, view[0])
    if worlds is None or len(worlds) < 2:
        return None
    assert len(set(worlds)) == len(worlds)
    drawn = sampler.draw(view, DRAWS_PER_WORLD * len(worlds), seed)["hands"][0, :, : rules.players]
    counts = Counter(map(tuple, drawn.tolist()))
    assert set(counts) <= set(worlds)
    return sum((counts[world] - DRAWS_PER_WORLD) ** 2 / DRAWS_PER_WORLD for world in worlds), len(worlds) - 1


@pytest.mark.parametrize(("preset", "options", "cards_left"), [
    ("partnership", {}, 2),
    ("spades_trumps", {}, 2),
    ("solo", {}, 3),  # no stock
    ("two_of_spades", {}, 2),  # runs force trumps
    ("individual_3", {}, 1),
    ("individual_5", {}, 1),
    ("six_3x2", {"hand_max": 9}, 2),
    ("reduced_42", {}, 2),
])  # fmt: skip
def test_worlds_are_uniform(preset, options, cards_left):
    rules = Rules.preset(preset, **options)
    sampler = Sampler(rules)
    total, df, n_groups = 0.0, 0, set()
    for i, view in enumerate(late_views(rules, 40, 5, cards_left)):
        found = chi_square(rules, sampler, view, i)
        if found is not None:
            total += found[0]
            df += found[1]
            n_groups.add(int(sampler.plan["n_groups"][0]))
        if df > ENOUGH:
            break
    assert df > ENOUGH / 2
    assert len(n_groups) > 1  # in some positions hands differ in what they exclude
    assert abs(total - df) / np.sqrt(2 * df) < Z_LIMIT


def test_hidden_own_hand_is_a_place_like_others():
    rules = Rules.preset("blind7")
    table = Table(rules, 1, seed=1)
    table.reset(hand_sizes=7)
    view = table.view()
    assert view["phase"][0] == BID
    assert not view["hands"].any()
    worlds = Sampler(rules).draw(view, 4000, 3)[0]
    unseen = 54 - int(np.bitwise_count(view["exposed"][0] | view["burned"][0]))
    for where in (worlds["hands"][:, int(view["observer"][0])], worlds["hands"][:, 3], worlds["stock"]):
        size = int(np.bitwise_count(where[0]))
        counts = np.array([((where >> np.uint64(card)) & np.uint64(1)).sum() for card in cards_of(rules.pack)])
        counts = counts[counts > 0]
        assert len(counts) == unseen
        share = size / unseen
        # Cards of one hand repel each other a little, which makes the sum of squares smaller by this factor.
        chi = ((counts - 4000 * share) ** 2).sum() / (4000 * share * (1 - share)) * (unseen - 1) / unseen
        assert abs(chi - (unseen - 1)) / np.sqrt(2 * (unseen - 1)) < Z_LIMIT


def assert_agrees(rules, table, views, worlds):
    """Check that a world is a state in which the seat would see just what it sees."""
    n_worlds = worlds.shape[1]
    flat = worlds.reshape(-1)
    assert (flat["observer"] == OPEN).all()
    assert not (flat["hands"] & flat["cannot_hold"]).any()
    sizes = np.bitwise_count(flat["hands"] | flat["played"])[:, : rules.players]
    assert (sizes == flat["hand_size"][:, None]).all()
    places = [*flat["hands"].T, *flat["played"].T, *(flat[n] for n in ("stock", "exposed", "discarded", "burned"))]
    assert (np.bitwise_count(np.stack(places)).sum(axis=0) == rules.pack.bit_count()).all()  # each card once
    assert (np.bitwise_or.reduce(np.stack(places)) == rules.pack).all()
    again = new_records(len(flat), views.dtype)
    seats = np.repeat(views["observer"], n_worlds)
    table.game.loops.view_all(table.rules_record, flat, seats, again)
    for name in views.dtype.names:
        assert np.array_equal(again[name], np.repeat(views[name], n_worlds, axis=0)), name


@pytest.mark.parametrize("preset", PRESETS)
def test_every_position_of_every_preset_has_worlds(preset):
    rules = Rules.preset(preset)
    sampler = Sampler(rules)
    table = Table(rules, 60, seed=8)
    table.reset(deal_indices=np.arange(60) % rules.n_deals)
    n_views = 0
    while not table.done.all():
        views = table.view()[~table.done]
        assert_agrees(rules, table, views, sampler.draw(views, 2, n_views))
        n_views += len(views)
        table.step(table.random_actions())
    assert n_views > 900


def test_worlds_depend_on_the_seed_alone():
    rules = Rules.preset("partnership")
    table = Table(rules, 20, seed=2)
    for _ in range(9):
        table.step(table.random_actions())
    views = table.view()[~table.done]
    first, again, other = (Sampler(rules).draw(views, 8, seed) for seed in (4, 4, 5))
    assert first.tobytes() == again.tobytes()
    assert first.tobytes() != other.tobytes()
    assert Sampler(rules).draw(views[:3], 8, 4).tobytes() == first[:3].tobytes()


def test_a_view_that_contradicts_itself_is_refused():
    rules = Rules.preset("partnership", hand_max=1, schedule="constant")
    table = Table(rules, 1, seed=2)
    view = table.view()
    view["cannot_hold"][0, :] = rules.pack
    with pytest.raises(BackAlleyError, match="View 0 contradicts itself"):
        Sampler(rules).draw(view, 1, 0)
