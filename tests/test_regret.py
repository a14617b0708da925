"""Regret: deals worked by hand, identities that hold in every deal, and the figures that the arena makes of it."""

import json

import numpy as np
import pytest

from backalley.envs import Rules
from backalley.envs.back_alley.options import PRESETS
from backalley.envs.back_alley.play import play_card
from backalley.envs.back_alley.state import ALL_TRICKS_BID, BOSTON_BID, NUMBER, OPEN, PASSED, PLAY, STATE
from backalley.envs.cards import parse_cards
from backalley.envs.errors import BackAlleyError
from backalley.envs.rule_set import new_records
from backalley.policies import registry
from backalley.policies.back_alley.double_dummy import Workspace, solve, solve_many
from backalley.policies.back_alley.regret import regrets
from backalley.train import arena_report, regret
from backalley.train.arena import run_arena
from backalley.train.arena_blocks import Entrant
from backalley.train.arena_plays import play_out
from backalley.train.arena_store import RESULTS_FILE
from backalley.train.regret import PolicyRegret, RegretTask, parts_played, sample

RULES = Rules.preset("partnership")
SMALL = Rules.preset("partnership", hand_max=5)
WORKSPACE = Workspace()
PAIRS = [name for name in PRESETS if Rules.preset(name).sides == "pairs"]
OPTIONS = {
    "bags": {"score": "ten_one", "bag_limit": 2, "all_tricks_bid": "none", "all_pass": "play"},
    "players_alone": {"score_unit": "player"},
    "boston": {"boston": True, "boston_trump_lead": True, "boston_min_cards": 6},
    "must_trump": {"follow": "must_trump_over", "broken_by": "ruff_only", "board_trump_lead": "side"},
    "two_twos": {"deck": "std52", "high_two": "diamond2_trump2", "all_tricks_bid": "none", "lead_rule": "free"},
    "run": {"deck": "std52", "high_two": "spade2", "all_tricks_bid": "none", "lead_rule": "high_two_run"},
    "worthless": {"joker_turned": "keep", "no_trump_joker": "worthless"},
}
"""Options of the play and of the points that no preset of four seats in two sides has."""


def started(hands, trump, bids=(1, 0, 0, 0), rules=RULES):
    """Return a state at the lead of N, trumps broken; hands of N E S W as text, a bid number for each."""
    states = new_records(1, STATE)
    row = states[0]
    row["hands"][:4] = [sum(1 << card for card in parse_cards(hand)) for hand in hands]
    row["phase"], row["dealer"], row["hand_size"] = PLAY, 3, len(hands[0].split())
    row["trump"], row["broken"], row["observer"] = trump, 1, OPEN
    row["trumps"] = rules.pack & (((1 << 13) - 1) << 13 * trump | 3 << 52)
    for name in ("led", "trick_card", "trick_holder", "run", "high_two", "second_two", "turn_up", "cut"):
        row[name] = -1
    row["trick"][:] = -1
    row["bid_number"][:4], row["bid_kind"][:4], row["n_bids"] = bids, [NUMBER if bid else PASSED for bid in bids], 4
    return states


def judged(states, cards, rules=RULES):
    row = np.full((1, 52), -1, np.int8)
    row[0, : len(cards.split())] = parse_cards(cards)
    return regrets(rules, states, row, workspace=WORKSPACE)


# Worked by hand. Spades are trumps, N leads, N S bid 1.

# BB: E must play KS and S must play AS; then E's QS ruffs 2H: one trick for N S. 2H: E has to ruff, S overruffs with AS
# and leads 4S to BB: two.
RUFFS = ["BB 2H", "KS QS", "AS 4S", "2S 3H"]
# E takes QH with KH and then makes 3H, or W makes both diamonds: N S win nothing.
HEARTS = ["QH 2D", "KH 3H", "2C 3C", "4D 5D"]


@pytest.mark.parametrize(
    ("hands", "cards", "before", "tricks", "points"),
    [
        (RUFFS, "2H KS AS 3H 4S 2S BB QS", 2, [0, 0], [0, 0]),
        # Two tricks of 1 bid would have been 6 to 0; now it is 5 to 1. Of one bid and two tricks, only the second goes.
        (RUFFS, "BB KS AS 2S 2H QS 4S 3H", 2, [1, 0], [2, 0]),
        (RUFFS, "2H KS 4S 3H QS AS 2S BB", 2, [1, 0], [2, 0]),
        # E ducks, so QH makes the bid: 5 to 1 where it was -5 to 2.
        (HEARTS, "QH 3H 2C 4D 2D KH 3C 5D", 0, [0, 1], [0, 11]),
        (HEARTS, "QH KH 2C 4D 3H 3C 5D 2D", 0, [0, 0], [0, 0]),
    ],
    ids=["best", "BB first", "S does not overruff", "E ducks", "E wins"],
)
def test_deals_of_two_cards_by_hand(hands, cards, before, tricks, points):
    found = judged(started(hands, 0), cards)
    assert found.before.tolist() == [before]
    assert found.tricks.tolist() == [tricks]
    assert found.points.tolist() == [points]


def test_points_that_do_not_rise_with_the_tricks_are_searched_for_or_left_open():
    # With the exact count one trick is 1 + 10 to 1 for N S, two are 2 to 10. After 2H KS, S does best not to overruff:
    # E leads QS to BB, one trick. S overruffs and makes two: no trick is given away, but 10 + 8 points.
    rules = Rules.preset("partnership", score="exact_ten", all_tricks_bid="none", all_pass="play")
    states = started(RUFFS, 0, rules=rules)
    found = judged(states, "2H KS AS 3H 4S 2S BB QS", rules)
    assert (found.tricks.tolist(), found.points.tolist(), found.has_points.tolist()) == ([[0, 0]], [[18, 0]], [True])
    cards = np.array([parse_cards("2H KS AS 3H 4S 2S BB QS") + [-1] * 44], np.int8)
    found = regrets(rules, states, cards, slow_points=1, workspace=WORKSPACE)
    assert (found.points.tolist(), found.has_points.tolist()) == ([[0, 0]], [False])


# Against the solver, position by position.


def plays_of(bot, rules, n, seed=3):
    """Return n deals that a bot plays against itself, as `regrets` takes them, and their final states."""
    numbers = np.arange(n)
    plays = play_out(rules, [registry.make(bot, rules)], np.zeros((n, 4), int), numbers, numbers, seed)
    played = np.flatnonzero(plays.first_card >= 0)
    cards = np.full((len(played), 52), -1, np.int8)
    for row, play in enumerate(played):
        found = plays.actions[play, plays.first_card[play] :]
        cards[row, : (found >= 0).sum()] = found[found >= 0]
    return plays.starts[played], cards, plays.finals[played]


def path(rules, start, cards):
    """Return the states before each card, and at the end."""
    states = new_records(53, STATE)
    states[0] = start
    n = 0
    while states[n]["phase"] == PLAY:
        states[n + 1] = states[n]
        play_card(rules.record()[0], states[n + 1], int(cards[n]))
        n += 1
    return states[: n + 1]


def by_position(rules, start, cards):
    """Return tricks and points given away by both sides, each position solved anew for every card."""
    states = path(rules, start, cards)[:-1]
    values = solve_many(rules, states, score=True, workspace=WORKSPACE)[:2]
    given = np.zeros((2, 2), int)
    for i, state in enumerate(states):
        for kind, of_cards in enumerate(values):
            given[kind, state["turn"] % 2] += of_cards[i][values[0][i] >= 0].max() - of_cards[i, cards[i]]
    return given.tolist()


def rules_of(name):
    preset = "partnership" if name in OPTIONS else name
    options = dict(OPTIONS.get(name, {}))
    if Rules.preset(preset).schedule == "constant":
        options["schedule"] = "down_up"
    return Rules.preset(preset, **options)


@pytest.mark.parametrize("bot", ["random", "rules"])
@pytest.mark.parametrize("name", [*PAIRS, *OPTIONS])
def test_what_is_given_away_is_what_the_solver_says_of_each_position(name, bot):
    rules = rules_of(name)
    starts, cards, _ = plays_of(bot, rules, 26)
    few = starts["hand_size"] <= 5
    found = regrets(rules, starts[few], cards[few], workspace=WORKSPACE)
    assert found.has_points.all()
    expected = [by_position(rules, *play) for play in zip(starts[few], cards[few], strict=True)]
    assert len(expected) >= 4
    assert found.tricks.tolist() == [tricks for tricks, _ in expected]
    assert found.points.tolist() == [points for _, points in expected]
    assert found.tricks.any() or bot == "rules"


@pytest.mark.parametrize("bot", ["random", "rules"])
def test_value_of_a_deal_is_what_was_won_and_given_away_less_what_the_others_gave_away(bot):
    starts, cards, finals = plays_of(bot, RULES, 78)
    few = starts["hand_size"] <= 10
    found = regrets(RULES, starts[few], cards[few], workspace=WORKSPACE)
    solved = [solve(RULES, state, workspace=WORKSPACE) for state in starts[few]]
    of_first = [
        one.tricks.max() if state["turn"] % 2 == 0 else state["hand_size"] - one.tricks.max()
        for one, state in zip(solved, starts[few], strict=True)
    ]
    won = finals[few]["tricks_won"][:, [0, 2]].sum(axis=1)
    assert found.before.tolist() == of_first
    assert (won + found.tricks[:, 0] - found.tricks[:, 1]).tolist() == of_first
    assert len(won) >= 50


def test_best_play_gives_nothing_away():
    starts, _, _ = plays_of("rules", RULES, 78)
    starts = starts[starts["hand_size"] <= 8]
    cards, ends = np.full((len(starts), 52), -1, np.int8), starts.copy()
    for row, end in enumerate(ends):
        for i in range(4 * int(end["hand_size"])):
            cards[row, i] = solve(RULES, end, workspace=WORKSPACE).best
            play_card(RULES.record()[0], end, int(cards[row, i]))
    found = regrets(RULES, starts, cards, workspace=WORKSPACE)
    assert not found.tricks.any()
    assert not found.points.any()
    assert (found.before == ends["tricks_won"][:, [0, 2]].sum(axis=1)).all()
    assert (found.before > 0).any()


# Of policies.


def bidden(kinds, numbers):
    states = new_records(1, STATE)
    states["bid_kind"][0, :4], states["bid_number"][0, :4] = kinds, numbers
    return parts_played(RULES, states)[0].tolist()


N, B, P = NUMBER, ALL_TRICKS_BID, PASSED


@pytest.mark.parametrize(
    ("kinds", "numbers", "parts"),
    [
        ([N, N, N, P], [1, 2, 2, 0], [1, -1]),
        ([P, N, P, P], [0, 1, 0, 0], [-1, 1]),
        ([N, N, P, N], [3, 1, 0, 2], [0, 0]),
        ([N, P, N, B], [4, 0, 4, 0], [-1, 1]),
        ([B, P, P, B], [0, 0, 0, 0], [1, 1]),
        ([BOSTON_BID, N, P, N], [0, 4, 0, 5], [1, -1]),
    ],
    ids=["higher", "only one", "equal", "a board beats numbers", "two boards", "a boston is one"],
)
def test_who_is_playing(kinds, numbers, parts):
    assert bidden(kinds, numbers) == parts


def test_points_are_left_open_where_they_take_too_long():
    rules = Rules.preset("partnership", score="exact_ten", all_tricks_bid="none", all_pass="play")
    rows = RegretTask(rules, Entrant.of("random"), (5, 18, 19), 3).play()["rows"]
    assert [row[0] for row in rows] == [8, 6, 7]
    assert [row[5:] == [None, None] for row in rows] == [True, False, True]


def test_the_sample_is_the_first_deals_with_small_hands():
    sizes = np.array(RULES.hand_sizes)  # 13 down to 1, 1 up to 13
    numbers = [number for chunk in sample(RULES, 60, 13) for number in chunk]
    assert numbers == list(range(60))
    (chunk,) = sample(RULES, 7, 2)
    assert chunk == (11, 12, 13, 14, 37, 38, 39)
    assert (sizes[np.array(chunk) % 26] <= 2).all()
    with pytest.raises(BackAlleyError, match="no deal has hands of at most 3 cards: these rules have 13 or more"):
        sample(Rules.preset("partnership", schedule="constant"), 5, 3)


def test_figures_of_rows_by_hand():
    rows = [
        [3, 1, -1, 2, 0, 10, 1],  # side 0 plays and gives 2 tricks away, side 1 none
        [3, -1, 1, 1, 4, 0, 3],
        [2, 0, 0, 1, 0, None, None],  # even, points not known
    ]
    found = PolicyRegret.of("any", [{"rows": rows[:1]}, {"rows": rows[1:]}])
    overall = found.overall
    assert overall.tricks.mean == pytest.approx((1 + 2.5 + 0.5) / 3)
    assert (overall.playing.mean, overall.playing.pairs) == (3, 2)
    assert (overall.defending.mean, overall.defending.pairs) == (0.5, 2)
    assert (overall.even.mean, overall.even.ci95, overall.even.pairs) == (0.5, None, 1)
    assert (overall.points.mean, overall.points.pairs) == (3.5, 2)  # 5.5 and 1.5
    assert overall.points.ci95 == pytest.approx((3.5 - 1.96 * 2, 3.5 + 1.96 * 2), abs=0.01)  # deviation √8, over √2
    assert {size: one.tricks.pairs for size, one in found.by_hand_size.items()} == {3: 2, 2: 1}
    assert found.by_hand_size[2].points is None
    json.dumps(found.as_dict(), allow_nan=False)


@pytest.fixture(scope="module")
def arena(tmp_path_factory):
    return small_arena(tmp_path_factory.mktemp("arena"))


def small_arena(folder, policies=("rules", "simple", "random"), **options):
    return run_arena(policies, SMALL, 10, 3, **{"folder": folder, "workers": 1, "regret": 260} | options)


def test_the_worse_a_policy_plays_the_more_it_gives_away(arena):
    means = [one.overall.tricks.mean for one in arena.regret]
    assert [one.policy for one in arena.regret] == ["rules", "simple", "random"]
    assert 0 < means[0] < means[1] < means[2]
    assert all(one.overall.tricks.pairs <= 260 for one in arena.regret)


def test_it_does_not_matter_who_else_plays_or_where(arena, tmp_path):
    pair = small_arena(tmp_path / "pair", ["random", "rules"], workers=2)
    assert pair.regret == [arena.regret[2], arena.regret[0]]
    assert small_arena(tmp_path / "again", workers=2, backend="threading").as_dict() == arena.as_dict()


@pytest.mark.slow
@pytest.mark.parametrize("backend", ["ray", "dask"])
def test_clusters_do_not_matter(arena, tmp_path, backend):
    pytest.importorskip({"ray": "ray", "dask": "distributed"}[backend])
    assert small_arena(tmp_path, workers=2, backend=backend).as_dict() == arena.as_dict()


def test_judged_deals_are_not_judged_again(arena, tmp_path):
    calls = []
    small_arena(tmp_path, regret=104)
    more = small_arena(tmp_path, progress=lambda *call: calls.append(call))
    assert more.regret == arena.regret
    assert len(calls) == 3 * 3  # three more chunks of 52 deals for each policy
    assert calls[-1] == (3 + 15, 3 + 15)
    lines = (tmp_path / RESULTS_FILE).read_text()
    small_arena(tmp_path, progress=lambda *call: pytest.fail("done before"))
    assert (tmp_path / RESULTS_FILE).read_text() == lines


def test_the_report_shows_it(arena, capsys):
    overall, largest = arena_report.sheets(arena)[-2:]
    rules = arena.regret[0]
    row = next(row for row in overall.rows if row[0] == "rules")
    assert row[1] == str(rules.overall.tricks.pairs)
    assert row[2].startswith(f"{rules.overall.tricks.mean:.2f} ±")
    assert row[3].startswith(f"{rules.overall.playing.mean:.2f} ±")
    assert "5 cards" in largest.title
    assert next(row for row in largest.rows if row[0] == "rules")[1] == str(rules.by_hand_size[5].tricks.pairs)
    page = arena_report.page(arena, b"")
    assert f"<td>{row[2]}</td>" in page
    arena_report.show(arena)
    assert "Regret per side and deal" in capsys.readouterr().out


def test_rules_without_a_solver_and_senseless_numbers_are_refused(tmp_path):
    folder = tmp_path / "arena"
    with pytest.raises(BackAlleyError, match="regret needs the double-dummy solver, which plays for players=4"):
        run_arena(["rules", "simple"], Rules.preset("individual_3"), 10, folder=folder, regret=4)
    with pytest.raises(BackAlleyError, match="regret=1 gives no interval"):
        run_arena(["rules", "simple"], SMALL, 10, folder=folder, regret=1)
    assert not folder.exists()


def test_a_policy_asked_in_batches_is_judged_as_the_same_bot_is(monkeypatch):
    task = RegretTask(SMALL, Entrant.of("rules"), tuple(range(20)), 3)
    whole = task.play()

    class Asked:
        name = "asked"

        def act(self, views, legal, rng):
            return registry.make("rules", SMALL).act(views, legal, rng)

    monkeypatch.setattr(regret.Entrant, "policy", lambda entrant, rules: Asked())
    assert task.play() == whole
    assert any(sum(row[3:5]) for row in whole["rows"])
