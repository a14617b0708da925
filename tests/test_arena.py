"""The arena: the same figures however it is played, ratings worked by hand, and a report that stands alone."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from backalley.envs import Rules, StreetsRules
from backalley.envs.back_alley.state import ALL_TRICKS_BID, NUMBER, PASSED, SCORED, STATE, THROWN_IN
from backalley.envs.errors import BackAlleyError, UnknownName
from backalley.envs.rule_set import new_records
from backalley.policies.back_alley.bid_counts import COUNTS, count_bids
from backalley.train import arena_blocks, arena_report
from backalley.train.arena import run_arena
from backalley.train.arena_blocks import Entrant, Task, counts_by_size, make_policy
from backalley.train.arena_store import RESULTS_FILE
from backalley.train.evaluate import evaluate
from backalley.train.ratings import least_squares, rate, resampled_means

RULES = Rules.preset("partnership")
BOTS = ["rules", "simple", "random"]
SIMPLE_TWICE = "bids=simple,cards=simple"


def played(folder, policies=BOTS, pairs=130, **options):
    """Play a small arena: blocks of 52 pairs, the last one shorter."""
    return run_arena(policies, RULES, pairs, 3, **{"folder": folder, "workers": 1, "block": 52} | options)


def text_of(result):
    return json.dumps(result.as_dict(), allow_nan=False)


@pytest.fixture(scope="module")
def result(tmp_path_factory):
    return played(tmp_path_factory.mktemp("arena"), split=True)


def block(a, b, rules=RULES, first=0, pairs=78, seed=5):
    return Task(rules, Entrant.of(a), Entrant.of(b), first, pairs, seed).play()


# Ratings.

TRIANGLE = np.array([[0, 1], [1, 2], [0, 2]])


def test_ratings_of_three_policies_by_hand():
    # Margins a-b 1, b-c 2, a-c 6, and c = 0. Normal equations: 2a - b = 1 + 6, -a + 2b = -1 + 2; so a = 5, b = 3.
    ratings = least_squares(TRIANGLE, np.ones(3), 3, anchor=2) @ np.array([1.0, 2.0, 6.0])
    np.testing.assert_allclose(ratings, [5, 3, 0])


def test_a_margin_with_more_weight_is_met_more_closely():
    # a-c weighs 2: 3a - b = 1 + 12, -a + 2b = -1 + 2; so 5a = 27.
    ratings = least_squares(TRIANGLE, np.array([1.0, 1.0, 2.0]), 3, anchor=2) @ np.array([1.0, 2.0, 6.0])
    np.testing.assert_allclose(ratings, [5.4, 3.2, 0])


def test_ratings_have_the_anchor_at_0_and_intervals_of_the_width_of_the_margin():
    # One pairing: the rating is the margin, its interval that of the mean, ±1.96 · 4 / √2500 = ±0.157.
    units = np.where(np.arange(2500) % 2, 6, -2)[None]  # margins of 3 and -1 points, at two units a point
    (best, anchor) = rate(["anchor", "other"], [(1, 0)], units, 2, 0, seed=1)
    assert (best.policy, best.rating, anchor.rating, anchor.ci95) == ("other", 1.0, 0.0, None)
    assert best.ci95 == pytest.approx((1 - 1.96 * 2 / 50, 1 + 1.96 * 2 / 50), abs=0.01)


def test_a_replicate_has_the_same_deals_in_all_pairings():
    margins = np.random.default_rng(0).integers(-9, 9, 500)
    means = resampled_means(np.stack([margins, -margins, margins + 1]), seed=0, replicates=120)
    np.testing.assert_array_equal(means[:, 0], -means[:, 1])
    np.testing.assert_allclose(means[:, 2] - means[:, 0], 1)
    assert means[:, 0].std() == pytest.approx(margins.std() / 500**0.5, rel=0.25)
    assert len(set(means[:, 0])) > 60


# Blocks.


@pytest.mark.parametrize("preset", ["partnership", "individual_3", "two_of_spades"])
@pytest.mark.parametrize("a", ["rules", "random", "bids=random,cards=simple"])
def test_kernel_and_batches_play_the_same_block(monkeypatch, preset, a):
    rules = Rules.preset(preset)
    inside = block(a, "simple", rules, first=26)
    monkeypatch.setattr(arena_blocks, "bots_of", lambda policy: None)
    assert block(a, "simple", rules, first=26) == inside
    assert any(inside["units"])


def test_blocks_are_parts_of_one_whole():
    whole = block("random", "simple")
    parts = [block("random", "simple", first=first, pairs=26) for first in (0, 26, 52)]
    assert [unit for part in parts for unit in part["units"]] == whole["units"]
    expected = evaluate("random", "simple", RULES, pairs=78, seed=5).differences
    np.testing.assert_array_equal(np.array(whole["units"]) / 2, expected)


def test_policies_asked_in_batches_draw_other_numbers_in_every_block(monkeypatch):
    drawn = []

    class Notebook:
        name = "notebook"

        def act(self, views, legal, rng):
            drawn.append(rng.integers(2**62))
            return legal.argmax(axis=1).astype(np.int16)

    monkeypatch.setattr(arena_blocks, "make_policy", lambda name, rules: Notebook())
    starts = []
    for first in (0, 26, 26):
        drawn.clear()
        block("notebook", "another", first=first, pairs=26)
        starts.append(drawn[0])
    assert starts[0] != starts[1]
    assert starts[1] == starts[2]


def test_a_policy_draws_with_itself():
    assert not any(block("rules", "rules")["units"])
    assert not any(block(SIMPLE_TWICE, "simple")["units"])
    assert any(block("bids=rules,cards=simple", "simple")["units"])
    assert any(block("bids=simple,cards=rules", "simple")["units"])


def test_a_composite_bids_like_one_and_plays_like_the_other():
    asked = []

    class Noted:
        def __init__(self, name):
            self.name = name

        def act(self, views, legal, rng):
            asked.append((self.name, set(views["phase"].tolist())))
            return np.zeros(len(views), np.int16)

    composite = arena_blocks.Composite(Noted("bidder"), Noted("player"))
    views = new_records(4, STATE)
    views["phase"] = [1, 3, 2, 3]  # bid, play, raise, play
    assert composite.act(views, np.ones((4, 89), np.int8), np.random.default_rng(0)).tolist() == [0] * 4
    assert asked == [("bidder", {1, 2}), ("player", {3})]
    assert composite.name == "bids=bidder,cards=player"


def final(kinds, numbers, tricks, hand_size=5, phase=SCORED):
    """Return one final state, (1,)."""
    states = new_records(1, STATE)
    states["phase"], states["hand_size"] = phase, hand_size
    states["n_boards"] = kinds.count(ALL_TRICKS_BID)
    for field, values in (("bid_kind", kinds), ("bid_number", numbers), ("tricks_won", tricks)):
        states[field][0, : len(values)] = values
    states["bid_level"][0, : len(kinds)] = [kind == ALL_TRICKS_BID for kind in kinds]
    return states


N, B, P = NUMBER, ALL_TRICKS_BID, PASSED


@pytest.mark.parametrize(
    ("options", "state", "expected"),
    [
        # deals, bids, made, over, boards, made; of N S and of E W
        ({}, final([N, P, N, N], [2, 0, 1, 2], [3, 0, 1, 1]), [[1, 1, 1, 1, 0, 0], [1, 1, 0, -1, 0, 0]]),
        ({}, final([B, P, N, N], [0, 0, 1, 2], [3, 0, 2, 0]), [[1, 0, 0, 0, 1, 1], [1, 1, 0, -2, 0, 0]]),
        ({}, final([B, P, P, P], [0, 0, 0, 0], [3, 0, 1, 1]), [[1, 0, 0, 0, 1, 0], [1, 0, 0, 0, 0, 0]]),
        ({}, final([P, P, P, P], [0] * 4, [0] * 4, phase=THROWN_IN), [[0] * 6, [0] * 6]),
        (
            {"opponents_of_board": "tricks_only"},
            final([B, P, N, N], [0, 0, 1, 2], [3, 0, 2, 0]),
            [[1, 0, 0, 0, 1, 1], [1, 0, 0, 0, 0, 0]],
        ),
        (
            {"side_bid_cap": "cards"},
            final([N, P, N, P], [4, 0, 3, 0], [3, 0, 2, 0]),
            [[1, 1, 1, 0, 0, 0], [1, 0, 0, 0, 0, 0]],
        ),
        (
            {"score_unit": "player"},
            final([N, P, N, N], [2, 0, 1, 2], [3, 0, 0, 2]),
            [[2, 2, 1, 0, 0, 0], [2, 1, 1, 0, 0, 0]],
        ),
    ],
    ids=["made and set", "board made", "board set", "thrown in", "board silences", "capped", "by player"],
)
def test_bids_are_counted_as_they_are_scored(options, state, expected):
    assert count_bids(replace(RULES, **options), state)[0].tolist() == expected


def test_with_the_exact_score_a_bid_is_made_by_no_more_tricks():
    rules = Rules.preset("exact_hook")
    state = final([N, N, N, N], [2, 1, 0, 2], [2, 2, 0, 1])
    assert count_bids(rules, state)[0, :, COUNTS.index("bids_made")].tolist() == [1, 0, 0, 0]
    assert count_bids(rules, state)[0, :, COUNTS.index("bids")].tolist() == [1, 1, 0, 1]


def test_counts_go_to_the_policy_on_that_side():
    # A has N S in the first play and E W in the second; N S bid and make 3 in both.
    states = np.concatenate([final([N, P, N, P], [2, 0, 1, 0], [3, 0, 1, 1])] * 2)
    states["hand_size"][1] = 6
    assert counts_by_size(RULES, states) == [
        {"6": [1, 0, 0, 0, 0, 0], "5": [1, 1, 1, 1, 0, 0]},
        {"6": [1, 1, 1, 1, 0, 0], "5": [1, 0, 0, 0, 0, 0]},
    ]


# The whole arena.


def test_pairings_are_those_of_eval(result):
    for one in result.pairings:
        expected = evaluate(one.policy_a, one.policy_b, RULES, pairs=130, seed=3)
        if "random" not in (one.policy_a, one.policy_b):  # whose draws are those of its side of the pairing
            assert (one.margin.mean, one.margin.ci95) == (expected.mean, expected.ci95)
            assert one.by_hand_size == expected.by_hand_size
    assert [(one.policy_a, one.policy_b) for one in result.pairings] == [
        ("rules", "simple"), ("rules", "random"), ("simple", "random"),
    ]  # fmt: skip
    assert [one.policy for one in result.ratings] == BOTS
    assert result.ratings[1].rating == 0
    deals = [sum(part["deals"] for part in result.bids[name].values()) for name in BOTS]
    assert deals == [520] * 3  # two pairings, 130 pairs, two plays


def test_the_split_tells_bids_from_cards(result):
    bidding, cards = result.split[0]
    assert (bidding.policy_a, bidding.policy_b) == ("bids=rules,cards=simple", "simple")
    assert (cards.policy_a, cards.policy_b) == ("bids=simple,cards=rules", "simple")
    for one in (bidding, cards):  # in batches: the composite has no number by which kernels know it
        expected = evaluate(make_policy(one.policy_a, RULES), "simple", RULES, pairs=130, seed=3)
        assert one.margin.mean == pytest.approx(expected.mean)


@pytest.mark.parametrize(("workers", "backend"), [(2, "loky"), (2, "threading"), (1, "threading")])
def test_workers_and_back_ends_do_not_matter(result, tmp_path, workers, backend):
    assert text_of(played(tmp_path, split=True, workers=workers, backend=backend)) == text_of(result)


@pytest.mark.slow
@pytest.mark.parametrize("backend", ["ray", "dask"])
def test_clusters_do_not_matter(result, tmp_path, backend):
    pytest.importorskip({"ray": "ray", "dask": "distributed"}[backend])
    assert text_of(played(tmp_path, split=True, workers=2, backend=backend)) == text_of(result)


def test_the_order_of_the_names_does_not_matter(result, tmp_path):
    turned = played(tmp_path, BOTS[::-1])
    assert turned.ratings == result.ratings
    assert turned.pairings[0].margin.mean == -result.pairings[2].margin.mean


def interrupt(done, total):
    if done == 5:
        raise KeyboardInterrupt


@pytest.mark.parametrize("workers", [1, 2])
def test_an_interrupted_arena_goes_on_where_it_was(result, tmp_path, workers):
    with pytest.raises(KeyboardInterrupt):
        played(tmp_path, split=True, workers=workers, backend="threading", progress=interrupt)
    assert len((tmp_path / RESULTS_FILE).read_text().splitlines()) == 1 + 5
    calls = []
    resumed = played(tmp_path, split=True, progress=lambda *call: calls.append(call))
    assert text_of(resumed) == text_of(result)
    assert calls[0] == (6, 27)  # nine pairings, three blocks
    assert calls[-1] == (27, 27)
    assert len(calls) == 22
    played(tmp_path, split=True, progress=lambda *call: pytest.fail("a finished arena was played again"))


@pytest.mark.parametrize("damage", [lambda text: text[:-40], lambda text: text[:-40] + "\n"], ids=["cut", "garbled"])
def test_a_damaged_last_line_is_played_again(result, tmp_path, damage):
    played(tmp_path, split=True)
    file = tmp_path / RESULTS_FILE
    whole = file.read_text()
    file.write_text(damage(whole))
    assert text_of(played(tmp_path, split=True)) == text_of(result)
    assert file.read_text() == whole


def test_damage_before_the_end_is_reported(tmp_path):
    played(tmp_path)
    file = tmp_path / RESULTS_FILE
    lines = file.read_text().splitlines()
    file.write_text("\n".join([lines[0], lines[1][:-9], *lines[2:]]) + "\n")
    with pytest.raises(BackAlleyError, match="is damaged in line 2: delete that line"):
        played(tmp_path)


def test_policies_and_pairs_can_be_added(tmp_path):
    calls = []
    played(tmp_path, ["rules", "simple"], pairs=104)
    added = played(tmp_path, pairs=130, progress=lambda *call: calls.append(call))
    assert len(calls) == 9 - 2
    assert added.pairs == 130


def test_another_arena_is_not_mixed_in(tmp_path):
    played(tmp_path, ["rules", "simple"])
    with pytest.raises(BackAlleyError, match="holds an arena with another seed: choose another --out"):
        run_arena(["rules", "simple"], RULES, 130, 4, folder=tmp_path)
    with pytest.raises(BackAlleyError, match="holds an arena with another set of rules"):
        run_arena(["rules", "simple"], Rules.preset("gamerules"), 130, 3, folder=tmp_path)


def half_width(result):
    low, high = result.pairings[0].margin.ci95
    return (high - low) / 2


def test_it_stops_when_the_margins_are_known(tmp_path):
    one = played(tmp_path / "one", ["rules", "simple"], pairs=520, until_ci=100)
    assert one.pairs == 52
    whole = played(tmp_path / "whole", ["rules", "simple"], pairs=520)
    wanted = 2 * half_width(whole)
    some = played(tmp_path / "some", ["rules", "simple"], pairs=520, until_ci=wanted)
    assert 52 < some.pairs < 520
    assert half_width(some) <= wanted < half_width(played(tmp_path / "some", ["rules", "simple"], some.pairs - 52))
    assert played(tmp_path / "never", ["rules", "simple"], pairs=104, until_ci=0.01).pairs == 104


# Reports.


def test_the_page_stands_alone(result, tmp_path):
    arena_report.write_reports(result, tmp_path, "backalley arena rules <simple>")
    page = (tmp_path / arena_report.REPORT_FILE).read_text()
    assert "src=" in page
    assert page.count("src=") == page.count('src="data:image/png;base64,')
    assert not any(word in page for word in ("http", "<link", "<script", "url("))
    assert "backalley arena rules &lt;simple&gt;" in page
    assert "130 pairs for each pairing, seed 3" in page
    best = result.ratings[0]
    assert f"<td>rules</td><td>{best.rating:+.3f}</td>" in page
    assert (tmp_path / arena_report.PICTURE_FILE).read_bytes().startswith(b"\x89PNG")
    assert json.loads((tmp_path / arena_report.JSON_FILE).read_text()) == json.loads(text_of(result))


def test_the_same_arena_gives_the_same_files(result, tmp_path):
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        arena_report.write_reports(result, tmp_path / name)
    for file in (arena_report.JSON_FILE, arena_report.PICTURE_FILE, arena_report.REPORT_FILE):
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()


def test_tables_show_both_sides_of_a_margin(result, capsys):
    _, cross, by_size, bids, split = arena_report.sheets(result)
    margin = result.pairings[0].margin.mean
    assert cross.rows[0][2].startswith(f"{margin:+.2f} ±")
    assert cross.rows[1][1].startswith(f"{-margin:+.2f} ±")
    assert [row[0] for row in by_size.rows] == [str(size) for size in range(13, 0, -1)]
    made = result.bids["rules"].values()
    share = sum(part["bids_made"] for part in made) / sum(part["bids"] for part in made)
    assert bids.rows[0][:3:2] == ["rules", f"{share:.1%}"]
    assert split.rows[0][0] == "rules over simple"
    arena_report.show(result)
    assert "rules over simple" in capsys.readouterr().out


# Bad input.


@pytest.mark.parametrize(
    ("policies", "options", "message"),
    [
        (["simple"], {}, "the arena needs two policies or more, got 1"),
        (["simple", "simpel"], {}, "unknown policy 'simpel': did you mean 'simple'"),
        (["simple", "bids=simple,cards=ruls"], {}, "unknown policy 'ruls': did you mean 'rules'"),
        (["simple", "rules", "simple"], {}, "policy 'simple' is named twice"),
        (["simple", "rules"], {"pairs": 1}, "pairs=1 gives no interval"),
        (["simple", "rules"], {"until_ci": 0}, "until_ci=0 must be more than 0"),
        (["simple", "rules"], {"workers": 0}, "workers=0 must be 1 or more"),
        (["simple", "rules"], {"backend": "spark"}, "unknown back end 'spark'"),
    ],
)
def test_bad_input_is_refused_before_anything_is_written(tmp_path, policies, options, message):
    with pytest.raises(BackAlleyError, match=message) as caught:
        played(tmp_path / "arena", policies, **options)
    assert isinstance(caught.value, UnknownName) == ("unknown policy" in message)
    assert not (tmp_path / "arena").exists()


def test_games_for_one_are_sent_to_eval(tmp_path):
    with pytest.raises(BackAlleyError, match="use backalley eval A B --preset streets_and_alleys"):
        run_arena(["greedy", "solver"], StreetsRules.preset("streets_and_alleys"), folder=tmp_path)


def test_results_of_replaced_weights_are_not_taken_for_the_new_ones(tmp_path):
    path = tmp_path / "a.safetensors"
    name = f"bids=simple,cards=net:{path}"
    path.write_bytes(b"one")
    before = Entrant.of(name).identity
    path.write_bytes(b"two")
    assert before.startswith(name + "#")
    assert Entrant.of(name).identity != before
    assert Entrant.of("simple").identity == "simple"
