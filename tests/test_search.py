"""The players that look ahead: `search`, `cheat` and `ismcts`."""

import numpy as np
import pytest

from backalley.envs import Rules, Table
from backalley.envs.back_alley.actions import N_ACTIONS
from backalley.envs.back_alley.options import PRESETS
from backalley.envs.back_alley.state import BID, NUMBER, OPEN, PASSED, PLAY, REDEAL_OFFER, STATE
from backalley.envs.cards import JOKERS, NO_CARD, SUIT_MASK, bits_of, parse_card, parse_cards
from backalley.envs.errors import BackAlleyError, UnknownName
from backalley.envs.rule_set import new_records
from backalley.envs.table import SKIP
from backalley.policies import registry
from backalley.policies.back_alley.belief import OTHER_CARD, PER_TRICK, world_weight
from backalley.policies.back_alley.bots import RULES
from backalley.policies.back_alley.ismcts import IsmctsPolicy, make_ismcts
from backalley.policies.back_alley.search import TRICK_WORTH, SearchPolicy, make_cheat, make_search
from backalley.policies.back_alley.search_kernels import (
    LOOK_EVERY,
    MEAN,
    MOST_ROUNDS,
    N_SUMS,
    SQUARE,
    TRIED,
    TWICE,
    mean_and_error,
    new_memory,
    search_views,
    thin_out,
)
from backalley.policies.base import Policy
from backalley.train.evaluate import evaluate

PARTNERSHIP = Rules.preset("partnership")
RNG = np.random.default_rng(0)
BIG, THREE = parse_card("BB"), parse_card("3S")


def two_tricks_to_go(nine_of_trumps_at=None):
    """Return a View of seat 0, or the open state: 13 cards, spades are trumps, the last two tricks decide.

    North needs both for the bid of 7 and plays last to the twelfth, which East's five of hearts holds. The three of
    trumps takes it, and the big joker takes the last one. With the joker first the three is left for the last trick,
    and the nine beats it where an opponent has it.
    """
    unseen = ["9S", "2C", "2D", "3D"]  # a card for each of the others, and the stock
    state = new_records(1, STATE)
    row = state[0]
    north = bits_of([BIG, THREE])
    turned = bits_of(parse_cards("2S"))
    trick = [NO_CARD, *parse_cards("5H 4C 4D")]
    gone = sorted(set(range(54)) - set(parse_cards(" ".join(unseen))) - {BIG, THREE, *parse_cards("2S"), *trick[1:]})
    for seat, size in enumerate((11, 11, 11, 11)):
        row["played"][seat] = bits_of([*gone[11 * seat : 11 * seat + size], *([trick[seat]] if seat else [])])
    row["hands"][0] = north
    row["exposed"], row["turn_up"] = turned, parse_card("2S")
    row["cut"] = row["high_two"] = row["second_two"] = row["run"] = row["next_dealer"] = -1
    row["trumps"] = SUIT_MASK[0] | JOKERS
    row["phase"], row["hand_size"], row["n_tricks"], row["dealer"] = PLAY, 13, 11, 3
    row["bid_kind"][:4] = [NUMBER, PASSED, PASSED, PASSED]
    row["bid_number"][0], row["n_bids"], row["broken"] = 7, 4, 1
    row["tricks_won"][:4] = [5, 6, 0, 0]
    row["leader"], row["led"], row["n_in_trick"] = 1, trick[1], 3
    row["trick"][:4] = trick
    row["trick_card"], row["trick_holder"] = trick[1], 1
    if nine_of_trumps_at is not None:
        others = [card for card in unseen if card != "9S"]
        for seat in (1, 2, 3):
            card = "9S" if seat == nine_of_trumps_at else others.pop()
            row["hands"][seat] = bits_of(parse_cards(card))
        row["stock"] = bits_of(parse_cards(others.pop()))
        row["observer"] = OPEN
    return state


def mask_of(*actions):
    mask = np.zeros((1, N_ACTIONS), np.int8)
    mask[0, list(actions)] = 1
    return mask


BOTH = mask_of(BIG, THREE)
STAKE = 35 - 6 - (-35 - 7)  # the bid made against the bid lost


def test_search_finds_the_forced_win():
    view = two_tricks_to_go()
    policy = SearchPolicy(PARTNERSHIP, 400, belief=1, caution=0)
    values = policy.values(view, BOTH)[0]
    assert np.isneginf(values).sum() == N_ACTIONS - 2
    lost = (values[THREE] - values[BIG]) / STAKE  # share of worlds in which an opponent has the nine, 2 of 4 places
    assert 0.25 < lost < 0.75
    assert policy.act(view, BOTH, RNG).tolist() == [THREE]


def test_solved_worlds_have_their_points():
    policy = make_search(PARTNERSHIP, "worlds=100,exact=2")
    values = policy.values(two_tricks_to_go(), BOTH)[0]
    assert values[THREE] == pytest.approx(35 - 6 + 2 * TRICK_WORTH)
    lost = (values[THREE] - values[BIG]) / (STAKE + TRICK_WORTH)
    assert lost == pytest.approx(round(100 * lost) / 100)  # in whole worlds
    assert 0.25 < lost < 0.75


def test_ismcts_finds_the_forced_win():
    policy = IsmctsPolicy(PARTNERSHIP, 500)
    visits = policy.visits(two_tricks_to_go(), BOTH)[0]
    assert visits.sum() == 500
    assert visits[THREE] > 400
    assert policy.act(two_tricks_to_go(), BOTH, RNG).tolist() == [THREE]


@pytest.mark.parametrize(("seat", "difference"), [(1, STAKE), (2, 0), (3, STAKE)])
def test_cheat_knows_where_the_cards_are(seat, difference):
    policy = make_cheat(PARTNERSHIP, "")
    values = policy.values(two_tricks_to_go(seat), BOTH)[0]
    assert values[THREE] - values[BIG] == difference


def test_cheat_refuses_views():
    with pytest.raises(BackAlleyError, match="search:worlds=N"):
        make_cheat(PARTNERSHIP, "").act(two_tricks_to_go(), BOTH, RNG)


@pytest.mark.parametrize("seed", range(20))
def test_worlds_count_by_their_weight(seed):
    """Four points on a sum of 8: a weight of 2 gets one of them, a weight of 6 three, wherever they begin."""
    counts = np.zeros(4, np.int64)
    weights = np.array([2.0, 0.0, 6.0, 0.0])
    thin_out(4, 8.0, weights, counts, np.array([seed, 1, 2, 3], np.uint64))
    assert counts.tolist() == [1, 0, 3, 0]


# Belief: the bot `rules` is the measure, so its own bids are just what was expected.


def weight_of(rules, state, me):
    return world_weight(
        rules.record()[0], me, state, 0, new_records(2, STATE), np.zeros(2, np.uint64), np.ones(4, np.uint64)
    )


@pytest.mark.parametrize("preset", ["partnership", "spades_trumps", "solo", "six_2x3", "individual_3", "bab_online"])
def test_bids_of_rules_are_as_expected(preset):
    rules = Rules.preset(preset)
    table, policy = Table(rules, 30, seed=4), registry.make("rules", rules)
    n_checked = 0
    while not table.done.all():
        for i in np.flatnonzero(~table.done & (table.states["phase"] != REDEAL_OFFER)):
            assert weight_of(rules, table.states[i : i + 1].copy(), int(table.turn[i])) == 1.0
            n_checked += 1
        running = np.flatnonzero(~table.done)
        actions = np.zeros(table.n, np.int16)
        actions[running] = policy.act(table.view()[running], table.legal()[running], RNG)
        table.step(actions)
    assert n_checked > 300


def test_other_bids_are_less_likely_by_their_distance():
    rules = PARTNERSHIP
    table, policy = Table(rules, 40, seed=4), registry.make("rules", rules)
    table.reset(hand_sizes=10)
    first = policy.act(table.view(), table.legal(), RNG)
    for off in (1, 2):
        other = first + off
        bidder = table.turn.copy()
        after = table.clone()
        after.step(other)
        for i in range(table.n):
            state = after.states[i : i + 1].copy()
            assert weight_of(rules, state, (int(bidder[i]) + 1) % 4) == pytest.approx(PER_TRICK**off)
            assert weight_of(rules, state, int(bidder[i])) == 1.0  # the own bid tells nothing


def test_other_cards_are_less_likely_and_own_ones_tell_nothing():
    """Somebody plays another card than `rules` would: all others doubt the true deal, he does not."""
    rules = PARTNERSHIP
    table, policy = Table(rules, 60, seed=6), registry.make("rules", rules)
    table.reset(hand_sizes=7)
    while (table.states["n_tricks"] < 2).any():
        actions = policy.act(table.view(), table.legal(), RNG)
        player, others = table.turn.copy(), table.legal()
        others[np.arange(table.n), actions] = 0
        odd = (table.states["n_tricks"] == 1) & (others.sum(axis=1) > 0)
        after = table.clone()
        after.step(np.where(odd, others.argmax(axis=1), actions))
        for i in np.flatnonzero(odd & ~after.done):
            state = after.states[i : i + 1].copy()
            assert weight_of(rules, state, int(player[i])) == 1.0
            assert weight_of(rules, state, (int(player[i]) + 1) % 4) == pytest.approx(OTHER_CARD)
            state["plays"][0, 4:] = NO_CARD  # nobody knows what the second trick was
            assert weight_of(rules, state, (int(player[i]) + 1) % 4) == 1.0
        table.step(np.where(table.done, SKIP, actions))


def test_the_order_of_plays_is_kept():
    table, seen = Table(PARTNERSHIP, 20, seed=8), [[] for _ in range(20)]
    table.reset(hand_sizes=5)
    while not table.done.all():
        actions = table.random_actions()
        for i in np.flatnonzero(~table.done & (table.states["phase"] == PLAY)):
            seen[i].append(int(actions[i]))
        before = table.states["n_redeals"].copy()
        table.step(actions)
        for i in np.flatnonzero(table.states["n_redeals"] > before):
            seen[i].clear()
        for i in range(table.n):
            assert table.states["plays"][i].tolist() == seen[i] + [NO_CARD] * (54 - len(seen[i]))


def test_blind_bids_tell_nothing_and_later_cards_do():
    rules = Rules.preset("partnership", blind_sizes=(4,))
    table, policy = Table(rules, 30, seed=4), registry.make("rules", rules)
    table.reset(hand_sizes=4)
    while (table.states["phase"] == BID).any():
        table.step(np.where(table.states["phase"] == BID, table.random_actions(), SKIP))
    for i in np.flatnonzero(~table.done):
        assert weight_of(rules, table.states[i : i + 1].copy(), int(table.turn[i])) == 1.0
    first = table.turn.copy()
    actions, others = policy.act(table.view(), table.legal(), RNG), table.legal()
    others[np.arange(table.n), actions] = 0
    odd = others.any(axis=1)
    assert odd.sum() > 10
    table.step(np.where(odd, others.argmax(axis=1), actions))
    for i in np.flatnonzero(odd):
        assert weight_of(rules, table.states[i : i + 1].copy(), (int(first[i]) + 1) % 4) == pytest.approx(OTHER_CARD)


def test_playouts_saved_go_to_what_may_be_best():
    """Of two cards the worse one is left out or not, but no more playouts are made than all actions would take."""
    table = Table(PARTNERSHIP, 20, seed=3)
    table.reset(hand_sizes=9)
    rules = PARTNERSHIP.record()
    memory = new_memory(PARTNERSHIP, 64)
    values = np.empty((1, N_ACTIONS))
    most = 0.0
    for i in range(table.n):
        view, mask = table.view()[i : i + 1], table.legal()[i : i + 1]
        search_views(rules, RULES, 1, 0.0, np.uint64(1), view, mask, memory, values)
        tried = memory.sums[TRIED][mask[0] == 1]
        assert tried.sum() <= 64 * mask.sum()
        assert tried.min() >= min(LOOK_EVERY, 64)
        assert tried.max() <= MOST_ROUNDS * 64
        most = max(most, tried.max())
    assert most > 64


def test_worlds_that_count_several_times_tell_less():
    """Gains 0 and 4: as four worlds the error of the mean is 1, as two that count twice root 2."""
    for counts, error in (([1, 1, 1, 1], 1.0), ([2, 2], 2**0.5)):
        sums = np.zeros((N_SUMS, 1))
        for count, gain in zip(counts, [0.0, 4.0] * (len(counts) // 2), strict=True):
            sums[TRIED] += count
            sums[MEAN] += count * gain
            sums[SQUARE] += count * gain * gain
            sums[TWICE] += count * count
        assert mean_and_error(sums, 0) == pytest.approx((2.0, error))


# What they have in common.

PLAYERS = {
    "search": lambda rules, seed=0: SearchPolicy(rules, 4, seed=seed),
    "ismcts": lambda rules, seed=0: IsmctsPolicy(rules, 12, seed=seed),
}


@pytest.mark.parametrize("name", PLAYERS)
@pytest.mark.parametrize("preset", PRESETS)
def test_they_play_every_preset_legally(preset, name):
    rules = Rules.preset(preset)
    table = Table(rules, 6, seed=9)
    table.reset(deal_indices=np.arange(6) * rules.n_deals // 6)
    policy = PLAYERS[name](rules)
    assert isinstance(policy, Policy)
    for _ in range(100):
        running = np.flatnonzero(~table.done)
        if not len(running):
            return
        actions = np.zeros(table.n, np.int16)
        actions[running] = policy.act(table.view()[running], table.legal()[running], RNG)
        table.step(actions)  # refuses what is not legal
    raise AssertionError("the deals do not end")


@pytest.mark.parametrize("name", PLAYERS)
def test_a_decision_depends_on_view_and_seed_alone(name):
    table = Table(PARTNERSHIP, 60, seed=3)
    table.reset(hand_sizes=9)
    for _ in range(6):
        table.step(table.random_actions())
    views, legal = table.view()[~table.done], table.legal()[~table.done]
    policy = PLAYERS[name](PARTNERSHIP)
    actions = policy.act(views, legal, RNG)
    assert np.array_equal(policy.act(views[::-1], legal[::-1], np.random.default_rng(7)), actions[::-1])
    assert policy.act(views[5:6], legal[5:6], RNG)[0] == actions[5]
    assert not np.array_equal(PLAYERS[name](PARTNERSHIP, seed=1).act(views, legal, RNG), actions)


def test_names_have_options():
    assert make_search(PARTNERSHIP, "").name == "search"
    assert (
        make_search(PARTNERSHIP, "worlds=10,playout=simple,belief=1").name == "search:worlds=10,playout=simple,belief=1"
    )
    assert make_ismcts(PARTNERSHIP, "sims=50").name == "ismcts:sims=50"


@pytest.mark.parametrize(("make", "text", "error", "match"), [
    (make_search, "world=10", UnknownName, "did you mean 'worlds'"),
    (make_search, "worlds=0", BackAlleyError, "worlds=0 must be a number from 1"),
    (make_search, "worlds=many", BackAlleyError, "worlds=many must be a number from 1"),
    (make_search, "playout=rule", UnknownName, "did you mean 'rules'"),
    (make_ismcts, "worlds=10", UnknownName, "known: playout, seed, sims"),
    (make_cheat, "worlds=10", UnknownName, "known: playout"),
])  # fmt: skip
def test_wrong_options_are_refused(make, text, error, match):
    with pytest.raises(error, match=match):
        make(PARTNERSHIP, text)


def test_exact_needs_two_sides_of_two():
    with pytest.raises(BackAlleyError, match="players=3"):
        make_search(Rules.preset("individual_3"), "exact=4")


# Strengths, on fewer pairs than the figures of the README.


def duel(policy, rules, n, seed):
    """Return differences (n,) of duplicate pairs against `rules`, for a policy that is given the open states."""
    other, total = registry.make("rules", rules), np.zeros(n)
    for side in (0, 1):
        table = Table(rules, n, seed=seed)
        table.reset(deal_indices=np.arange(n) % rules.n_deals)
        while not table.done.all():
            running, actions = ~table.done, np.zeros(table.n, np.int16)
            for who, seen in ((policy, table.states), (other, table.view())):
                asked = np.flatnonzero(running & ((table.turn % 2 == side) == (who is policy)))
                actions[asked] = who.act(seen[asked], table.legal()[asked], RNG)
            table.step(actions)
            total += table.rewards[:, side] / 2
    return total


def test_cheat_is_a_ceiling():
    assert duel(make_cheat(PARTNERSHIP, ""), PARTNERSHIP, 104, 5).mean() > 10


def test_search_beats_simple():
    """A figure against `rules` takes more pairs than there is time for here: see the slow test below."""
    result = evaluate(make_search(PARTNERSHIP, "worlds=30"), "simple", PARTNERSHIP, pairs=156, seed=21)
    assert result.ci95[0] > 0


@pytest.mark.slow
def test_search_beats_rules():
    assert evaluate(make_search(PARTNERSHIP, "worlds=100"), "rules", PARTNERSHIP, pairs=1560, seed=11).ci95[0] > 0.5


def test_ismcts_beats_random():
    assert evaluate(IsmctsPolicy(PARTNERSHIP, 200), "random", PARTNERSHIP, pairs=52, seed=21).ci95[0] > 5


@pytest.mark.slow
def test_ismcts_beats_simple():
    assert evaluate(IsmctsPolicy(PARTNERSHIP, 1000), "simple", PARTNERSHIP, pairs=520, seed=11).ci95[0] > 0
