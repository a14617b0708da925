"""Duplicate pairs: the same cards for both sides, the same figures whichever way they are played."""

from __future__ import annotations

import json

import numpy as np
import pytest

from backalley.envs import Rules, Table
from backalley.envs.back_alley.actions import ALL_TRICKS, PASS
from backalley.envs.back_alley.state import BID
from backalley.envs.errors import BackAlleyError, IllegalAction, UnknownName
from backalley.envs.streams import CHANCE, new_streams
from backalley.policies import registry
from backalley.policies.back_alley.duel import differences
from backalley.train.evaluate import Estimate, evaluate, nearest_preset, play_pairs

RULES = Rules.preset("partnership")
SCHEDULE = (*range(13, 0, -1), *range(1, 14))


class Plain:
    """A policy without the number by which kernels know it."""

    def __init__(self, policy):
        self.name = policy.name
        self.act = policy.act


class ChooseBy:
    """Takes the legal action with the highest preference."""

    name = "by preference"

    def __init__(self, preference):
        self.preference = np.asarray(preference)

    def act(self, views, legal, rng):
        return np.where(legal, self.preference, -1).argmax(axis=1).astype(np.int16)


HIGHEST_FIRST = ChooseBy(np.arange(89))
LOWEST_FIRST = ChooseBy(np.arange(89)[::-1])


@pytest.fixture(scope="module")
def bots():
    return {name: registry.make(name, RULES) for name in ("simple", "rules", "random")}


@pytest.mark.parametrize("preset", ["partnership", "gamerules", "individual_3", "six_3x2", "solo"])
def test_both_ways_give_the_same_difference_for_every_pair(preset):
    rules = Rules.preset(preset)
    simple, other = (registry.make(name, rules) for name in ("simple", "rules"))
    inside = evaluate(simple, other, rules, pairs=260, seed=3)
    batched = evaluate(Plain(simple), Plain(other), rules, pairs=260, seed=3)
    np.testing.assert_array_equal(inside.differences, batched.differences)
    np.testing.assert_array_equal(inside.hand_sizes, batched.hand_sizes)
    assert inside.differences.any()
    assert inside.by_hand_size == batched.by_hand_size


@pytest.mark.parametrize("name", ["simple", "rules"])
@pytest.mark.parametrize("wrap", [lambda policy: policy, Plain], ids=["kernel", "batched"])
def test_a_deterministic_policy_draws_every_pair_with_itself(bots, name, wrap):
    result = evaluate(wrap(bots[name]), wrap(bots[name]), RULES, pairs=104, seed=1)
    assert not result.differences.any()
    assert result.mean == 0
    assert result.ci95 == (0, 0)


@pytest.mark.parametrize("preset", ["individual_3", "six_3x2", "individual_5", "solo_18"])
@pytest.mark.parametrize("wrap", [lambda policy: policy, Plain], ids=["kernel", "batched"])
def test_a_policy_draws_with_itself_on_any_number_of_sides(preset, wrap):
    rules = Rules.preset(preset)
    bot = wrap(registry.make("simple", rules))
    result = evaluate(bot, bot, rules, pairs=60, seed=1)
    assert not result.differences.any()  # exactly: points are added up as whole numbers


class Sides(ChooseBy):
    """Notes on which seats it was asked in which deal."""

    def __init__(self):
        super().__init__(np.arange(89))
        self.seats = set()

    def act(self, views, legal, rng):
        self.seats |= set(views["observer"].tolist())
        return super().act(views, legal, rng)


def test_with_three_sides_a_sits_on_each_once_and_b_on_all_others():
    rules = Rules.preset("individual_3", hand_max=3)
    a, b = Sides(), Sides()
    differences, _ = play_pairs(rules, a, b, 1, seed=3)
    assert a.seats == b.seats == {0, 1, 2}
    points = []  # of each seat, with A on side 0, 1 and 2
    for side in range(3):
        table = Table(rules, 1)
        table.episodes["chance"] = new_streams(3, 1, CHANCE)
        table.reset(deal_indices=np.array([0]))
        while not table.done.all():
            table.step(a.act(table.view(), table.legal(), None))  # A and B play alike
        points.append(table.states["deal_points"][0, :3] * np.where(np.arange(3) == side, 1, -0.5))
    assert differences[0] == pytest.approx(np.sum(points) / 3)
    assert differences[0] == 0


def test_the_difference_is_the_own_points_minus_the_mean_of_the_others():
    # A's side had 6, 0 and 3 points, the others 1 and 2, 4 and 6, 0 and 0: (6 - 1.5 + 0 - 5 + 3 - 0) / 3.
    points = np.array([[6, 1, 2], [4, 0, 6], [0, 0, 3]])
    assert differences(points)[0] == pytest.approx(2.5 / 3)


def test_swapping_the_policies_turns_the_sign(bots):
    there = evaluate(HIGHEST_FIRST, bots["simple"], RULES, pairs=60, seed=2)
    back = evaluate(bots["simple"], HIGHEST_FIRST, RULES, pairs=60, seed=2)
    np.testing.assert_array_equal(there.differences, -back.differences)
    assert there.differences.any()


@pytest.mark.parametrize("slots", [1, 7, 64])
def test_the_number_of_episodes_side_by_side_does_not_matter(bots, slots):
    differences, _ = play_pairs(RULES, LOWEST_FIRST, Plain(bots["simple"]), 40, seed=5, slots=slots)
    expected, _ = play_pairs(RULES, LOWEST_FIRST, Plain(bots["simple"]), 40, seed=5)
    np.testing.assert_array_equal(differences, expected)


def test_pair_i_plays_deal_i_of_the_schedule():
    _, hand_sizes = play_pairs(RULES, LOWEST_FIRST, LOWEST_FIRST, 60, seed=0)
    assert hand_sizes.tolist() == [*SCHEDULE, *SCHEDULE, *SCHEDULE[:8]]


class Notebook(ChooseBy):
    """Bids board whenever it may and notes who was asked with which cards, dealer and turn-up."""

    def __init__(self):
        super().__init__(np.arange(89) == ALL_TRICKS)
        self.seen = []

    def act(self, views, legal, rng):
        assert (legal.sum(axis=1) > 1).all(), "asked without a choice"
        for view in views[views["phase"] == BID]:
            seat = int(view["turn"])
            assert view["observer"] == seat
            assert not view["hands"][np.arange(6) != seat].any(), "shown another hand"
            self.seen.append(
                (int(view["deal_index"]), int(view["dealer"]), int(view["turn_up"]), seat, int(view["hands"][seat]))
            )
        return super().act(views, legal, rng)


def test_both_sides_get_the_same_cards_dealer_and_turn_up():
    a, b = Notebook(), Notebook()
    play_pairs(RULES, a, b, 52, seed=9)
    assert len(a.seen) == 52 * 4
    assert sorted(a.seen) == sorted(b.seen)
    assert {seat for *_, seat, _ in a.seen} == {0, 1, 2, 3}


def test_policies_that_always_pass_end_without_points():
    never = ChooseBy(np.arange(89) == PASS)
    result = evaluate(never, never, RULES, pairs=4, seed=0)
    assert not result.differences.any()


def test_an_illegal_move_is_reported_with_the_seat():
    class Stubborn(ChooseBy):
        def act(self, views, legal, rng):
            return np.zeros(len(views), np.int16)

    with pytest.raises(IllegalAction, match=r"player_\d bid 2S but must choose one of the legal bids"):
        evaluate(Stubborn(np.zeros(89)), "simple", RULES, pairs=2)


def test_draws_depend_on_the_seed_alone(bots):
    first, second = (evaluate(Plain(bots["random"]), "simple", RULES, pairs=30, seed=4) for _ in range(2))
    np.testing.assert_array_equal(first.differences, second.differences)
    other = evaluate(Plain(bots["random"]), "simple", RULES, pairs=30, seed=6)
    assert (first.differences != other.differences).any()


def test_the_interval_is_the_normal_one_over_pairs():
    # Mean 3; deviations -3 -1 1 3, squares 20, variance 20/3, standard error sqrt(20/3/4) = 1.290994.
    estimate = Estimate.of(np.array([0.0, 2.0, 4.0, 6.0]))
    assert estimate.mean == 3
    assert estimate.ci95 == pytest.approx((3 - 1.959964 * 1.290994, 3 + 1.959964 * 1.290994), abs=1e-5)
    assert Estimate.of(np.array([5.0])) == Estimate(5.0, None, 1)


def test_the_result_is_the_mean_over_pairs_and_fits_json():
    result = evaluate("simple", "random", RULES, pairs=260, seed=1)
    assert result.mean == pytest.approx(result.differences.mean())
    data = json.loads(json.dumps(result.as_dict(), allow_nan=False))
    assert set(data) == {
        "policy_a", "policy_b", "preset", "options", "pairs", "seed", "mean", "ci95", "by_hand_size", "seconds",
    }  # fmt: skip
    assert [data[key] for key in ("policy_a", "policy_b", "preset", "pairs", "seed")] == [
        "simple", "random", "partnership", 260, 1,
    ]  # fmt: skip
    assert data["ci95"][0] < data["mean"] < data["ci95"][1]
    assert list(data["by_hand_size"]) == [str(n) for n in range(13, 0, -1)]
    for size, part in data["by_hand_size"].items():
        assert part["pairs"] == 20
        assert part["mean"] == pytest.approx(result.differences[result.hand_sizes == int(size)].mean())


def test_a_hand_size_with_one_pair_has_no_interval():
    result = evaluate("simple", "simple", Rules.preset("gamerules"), pairs=25, seed=0)
    assert result.by_hand_size[1].ci95 is None  # the one deal of one card in the schedule of 25
    assert result.by_hand_size[2].ci95 == (0, 0)
    assert result.as_dict()["by_hand_size"]["1"] == {"mean": 0.0, "ci95": None, "pairs": 1}


def test_progress_runs_to_the_end():
    calls = []
    play_pairs(RULES, LOWEST_FIRST, LOWEST_FIRST, 30, 0, slots=8, progress=lambda *call: calls.append(call))
    assert calls == sorted(calls)
    assert calls[-1] == (60, 60)


def test_bad_input_is_refused():
    with pytest.raises(BackAlleyError, match="pairs=1 gives no interval"):
        evaluate("simple", "simple", RULES, pairs=1)
    with pytest.raises(BackAlleyError, match="seed=-1 must be 0 or more"):
        evaluate("simple", "simple", RULES, pairs=2, seed=-1)
    with pytest.raises(UnknownName, match="did you mean 'simple'"):
        evaluate("simpel", "simple", RULES, pairs=2)


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        (RULES, ("partnership", {})),
        (Rules.preset("partnership", turning_deals=1), ("gamerules", {})),
        (
            Rules.preset("partnership", turning_deals=1, broken_by="ruff_only"),
            ("gamerules", {"broken_by": "ruff_only"}),
        ),
        (Rules.preset("partnership", board_multiple_cap=4), ("partnership", {"board_multiple_cap": 4})),
    ],
)
def test_rules_are_named_by_the_nearest_preset(rules, expected):
    assert nearest_preset(rules) == expected
