"""Double-dummy play against plain minimax on the engine, against DDS, and on deals worked by hand."""

import numpy as np
import pytest

from backalley.envs import Rules
from backalley.envs.back_alley.options import PRESETS
from backalley.envs.back_alley.play import legal_plays, play_card
from backalley.envs.back_alley.state import OPEN, PLAY, SCORED, STATE
from backalley.envs.cards import ONE, RANKS, SUIT_MASK, ZERO, cards_of, lowest, parse_card, parse_cards
from backalley.envs.errors import BackAlleyError
from backalley.envs.kernel import kernel
from backalley.envs.rule_set import new_records
from backalley.envs.table import Table
from backalley.policies.back_alley.double_dummy import Workspace, solve, solve_many

BRIDGE = {"deck": "std52", "lead_rule": "free", "all_tricks_bid": "none"}
SOLO_PLAY = {"deck": "std52", "all_tricks_bid": "solo_board", "follow": "must_trump_over", "score": "three_one"}
VARIANTS = {
    "bridge": BRIDGE,
    "diamond2": {**SOLO_PLAY, "high_two": "diamond2", "lead_rule": "free"},
    "two_twos": {**SOLO_PLAY, "high_two": "diamond2_trump2", "lead_rule": "free"},
    "must_trump": {"follow": "must_trump_over", "broken_by": "ruff_only", "board_trump_lead": "side"},
    "must_trump_run": {**BRIDGE, "high_two": "spade2", "lead_rule": "high_two_run", "follow": "must_trump_over"},
    "tight_only": {"lead_rule": "tight_only", "blooper_force": "none", "bb_partner": "lowest"},
    "worthless": {"joker_turned": "keep", "no_trump_joker": "worthless"},
    "joker_broken": {
        "joker_turned": "keep",
        "no_trump_joker_lead": "broken",
        "board_trump_lead": "nobody",
        "blooper_force": "big_only",
        "broken_by": "ruff_only",
    },
    "free": {"lead_rule": "free", "bb_partner": "lowest"},
    "anyone": {"board_trump_lead": "anyone", "blooper_force": "big_only", "bb_partner": "any_trump"},
    "high_in_no_trump": {"deck": "std52", "high_two": "spade2", "no_trump_high_two": "high"},
    "boston": {"boston": True, "boston_trump_lead": True, "boston_min_cards": 6},
    "exact": {"score": "exact_ten", "all_tricks_bid": "none", "all_pass": "play"},
    "bags": {"score": "ten_one", "bag_limit": 2, "all_tricks_bid": "none", "all_pass": "play"},
    "implied": {"all_tricks_bid": "implied", "score": "four_one"},
    "players_alone": {"score_unit": "player"},
    "claim": {"rainbow": "claim"},
    "opponents_zero": {"opponents_of_board": "zero", "five_under_made": True, "score": "five_under"},
}
"""Options of the play and of the points that no preset of four seats in two sides has."""

PAIRS = [name for name in PRESETS if Rules.preset(name).sides == "pairs"]
RULE_SETS = PAIRS + [f"partnership with {name}" for name in VARIANTS]
NOT_LEGAL = -1_000_000
WORKSPACE = Workspace()
# As a plain 0 in the call it would make a second function, and the two crash when loaded from the cache.
TOP = np.int64(0)


def rules_of(name):
    """Return a rule set whose schedule has small hands."""
    preset, _, variant = name.partition(" with ")
    options = dict(VARIANTS.get(variant, {}))
    if Rules.preset(preset).schedule == "constant":
        options["schedule"] = "down_up"
    return Rules.preset(preset, **options)


def random_states(rules, n, seed, sizes, from_start=0.3):
    """Return n states in the card play after random bids and plays; a share of them at the first lead."""
    rng = np.random.default_rng(seed)
    sizes = rng.choice([size for size in sizes if size in rules.hand_sizes], n)
    table = Table(rules, n, seed)
    table.reset(hand_sizes=sizes)
    wanted = (rng.random(n) * 4 * sizes).astype(int) * (rng.random(n) >= from_start)
    states, found = new_records(n, STATE), np.zeros(n, bool)
    while not found.all():
        n_played = [sum(int(bits).bit_count() for bits in played) for played in table.states["played"]]
        take = ~found & (table.states["phase"] == PLAY) & (n_played == wanted)
        states[take] = table.states[take]
        found |= take
        if table.done.any():
            table.reset(where=table.done, hand_sizes=sizes)
        table.step(None)
    return states


@kernel
def minimax(rules, stack, depth):
    """Return what side 0 gets from stack[depth] on, by trying everything: all its tricks, and the points it is ahead.

    Each is the value of best play for it alone.
    """
    state = stack[depth]
    if state.phase == SCORED:
        tricks = np.int64(state.tricks_won[0]) + np.int64(state.tricks_won[2])
        return tricks, np.int64(state.deal_points[0]) - np.int64(state.deal_points[1])
    sign = 1 if state.turn % 2 == 0 else -1
    best_tricks = NOT_LEGAL
    best_points = NOT_LEGAL
    legal = legal_plays(rules, state)
    while legal != ZERO:
        card = lowest(legal)
        legal &= legal - ONE
        stack[depth + 1] = stack[depth]
        play_card(rules, stack[depth + 1], card)
        tricks, points = minimax(rules, stack, depth + 1)
        best_tricks = max(best_tricks, sign * tricks)
        best_points = max(best_points, sign * points)
    return sign * best_tricks, sign * best_points


@kernel
def minimax_cards(rules, states, stack, tricks, points):
    """Write the values of each legal card for the side to play into `tricks`, from here on, and `points` (n, 54)."""
    for i in range(states.shape[0]):
        state = states[i]
        side = state.turn % 2
        won = np.int64(state.tricks_won[side]) + np.int64(state.tricks_won[side + 2])
        legal = legal_plays(rules, state)
        while legal != ZERO:
            card = lowest(legal)
            legal &= legal - ONE
            stack[0] = state
            play_card(rules, stack[0], card)
            of_first, ahead = minimax(rules, stack, TOP)
            tricks[i, card] = (of_first if side == 0 else state.hand_size - of_first) - won
            points[i, card] = ahead if side == 0 else -ahead


def check_against_minimax(name, n, seed, sizes, most_left=5):
    """Compare every legal card of the states with at most so many tricks left; returns how many cards."""
    rules = rules_of(name)
    states = random_states(rules, n, seed, sizes)
    states = states[states["hand_size"] - states["n_tricks"] <= most_left]
    tricks, points, _ = solve_many(rules, states, score=True, workspace=WORKSPACE)
    expected = np.full((2, len(states), 54), NOT_LEGAL, np.int64)
    minimax_cards(rules.record()[0], states, new_records(54, STATE), *expected)
    legal = expected[0] != NOT_LEGAL
    np.testing.assert_array_equal(tricks >= 0, legal)
    np.testing.assert_array_equal(tricks[legal], expected[0][legal])
    np.testing.assert_array_equal(points[legal], expected[1][legal])
    return legal.sum()


@pytest.mark.parametrize("name", RULE_SETS)
def test_small_deals_equal_plain_minimax(name):
    assert check_against_minimax(name, 100, 1, range(1, 5)) > 100  # cards compared


@pytest.mark.parametrize("name", ["boston", "two_of_spades", "rainbow_8_12", "bab_online"])
def test_the_ends_of_larger_deals_equal_plain_minimax(name):
    assert check_against_minimax(name, 300, 4, [6, 8, 12], most_left=4) > 100  # bostons need six tricks


def trump_heavy_states(rules, n, seed, sizes, n_plain):
    """Return up to n states at the first lead whose cards are all trumps or of `n_plain` other suits."""
    states = random_states(rules, n, seed, sizes, from_start=1.0)
    rng = np.random.default_rng(seed)
    enough = np.ones(len(states), bool)
    for i, state in enumerate(states):
        trumps = int(state["trumps"])
        suits = [suit for suit in range(4) if suit != state["trump"]]
        plain = sum(int(SUIT_MASK[suit]) for suit in rng.permutation(suits)[:n_plain])
        cards = rng.permutation(cards_of((trumps | plain) & int(rules.pack)))
        size = int(state["hand_size"])
        enough[i] = len(cards) >= 4 * size
        if not enough[i]:
            continue
        dealt = cards[: 4 * size].reshape(4, size)
        state["hands"][:4] = [sum(1 << int(card) for card in hand) for hand in dealt]
        state["broken"] = rng.integers(2)
    return states[enough]


@pytest.mark.parametrize("name", RULE_SETS)
def test_deals_of_few_suits_equal_plain_minimax(name):
    rules = rules_of(name)
    for n_plain in (1, 2):
        states = trump_heavy_states(rules, 100, 11 + n_plain, range(2, 5), n_plain)
        tricks, _, _ = solve_many(rules, states, workspace=WORKSPACE)
        expected = np.full((2, len(states), 54), NOT_LEGAL, np.int64)
        minimax_cards(rules.record()[0], states, new_records(54, STATE), *expected)
        np.testing.assert_array_equal(tricks >= 0, expected[0] != NOT_LEGAL)
        np.testing.assert_array_equal(tricks[tricks >= 0], expected[0][tricks >= 0])


@pytest.mark.slow
@pytest.mark.parametrize("name", RULE_SETS)
def test_many_deals_of_up_to_five_cards_equal_plain_minimax(name):
    assert check_against_minimax(name, 495, 2, range(1, 5)) > 495
    assert check_against_minimax(name, 20, 3, [5]) > 20


def to_play(name, n, seed, sizes):
    rules = rules_of(name)
    return rules, random_states(rules, n, seed, sizes, from_start=0.5)


@pytest.mark.parametrize("name", ["partnership", "two_of_spades", "bab_online", "partnership with bridge"])
def test_a_card_is_worth_what_the_best_answer_leaves(name):
    rules, states = to_play(name, 40, 3, range(6, 9))
    tricks, _, _ = solve_many(rules, states, workspace=WORKSPACE)
    record = rules.record()[0]
    for state, values in zip(states, tricks, strict=True):
        side = int(state["turn"]) % 2
        before = int(state["tricks_won"][side] + state["tricks_won"][side + 2])
        for card in np.flatnonzero(values >= 0):
            after = new_records(1, STATE)
            after[0] = state
            play_card(record, after[0], card)
            if after["phase"][0] != PLAY:
                continue
            best = solve(rules, after, workspace=WORKSPACE)
            left = int(after["hand_size"][0] - after["n_tricks"][0])
            won = int(after["tricks_won"][0][side] + after["tricks_won"][0][side + 2]) - before
            is_own = int(after["turn"][0]) % 2 == side
            assert values[card] == won + (best.tricks.max() if is_own else left - best.tricks.max())


@pytest.mark.parametrize("name", ["partnership", "two_of_spades", "partnership with must_trump"])
def test_values_do_not_depend_on_the_order_of_moves(name):
    rules, states = to_play(name, 60, 4, range(5, 9))
    shuffled = Workspace()
    shuffled.work["weights"][0] = np.random.default_rng(5).integers(-100, 100, shuffled.work["weights"].shape[1])
    tricks, points, n_nodes = solve_many(rules, states, score=True, workspace=WORKSPACE)
    same_tricks, same_points, other_nodes = solve_many(rules, states, score=True, workspace=shuffled)
    assert (n_nodes != other_nodes).mean() > 0.5
    np.testing.assert_array_equal(tricks, same_tricks)
    np.testing.assert_array_equal(points[tricks >= 0], same_points[tricks >= 0])


def test_values_do_not_depend_on_the_names_of_the_suits():
    rules, states = to_play("partnership", 60, 6, range(6, 9))
    states = states[states["trump"] == 0]  # spades, so hearts and diamonds may change names
    other = states.copy()
    suits = np.array([*range(13), *range(26, 39), *range(13, 26), *range(39, 54)])
    renamed = lambda bits: sum(1 << int(suits[card]) for card in cards_of(int(bits)))  # noqa: E731
    for name in ("hands", "played"):
        other[name] = np.vectorize(renamed, otypes=[np.uint64])(states[name])
    for name in ("led", "trick_card", "trick"):
        other[name] = np.where(states[name] < 0, -1, suits[states[name]])
    tricks, _, _ = solve_many(rules, states, workspace=WORKSPACE)
    same, _, _ = solve_many(rules, other, workspace=WORKSPACE)
    assert len(states) >= 10
    np.testing.assert_array_equal(tricks, same[:, suits])


def test_a_workspace_remembers_nothing_of_earlier_states():
    rules, states = to_play("partnership", 20, 7, range(5, 8))
    tricks, points, n_nodes = solve_many(rules, states, score=True, workspace=Workspace())
    again = Workspace()
    solve_many(rules_of("two_of_spades"), to_play("two_of_spades", 20, 8, [6])[1], score=True, workspace=again)
    tricks2, points2, n_nodes2 = solve_many(rules, states, score=True, workspace=again)
    np.testing.assert_array_equal(tricks, tricks2)
    np.testing.assert_array_equal(points[tricks >= 0], points2[tricks >= 0])
    np.testing.assert_array_equal(n_nodes, n_nodes2)


# Worked by hand.


def made_state(rules, hands, trump, leader=0, bids=(1, 0, 0, 0), broken=0):
    """Return a state at the lead of `leader`; hands of N E S W as text, a bid number for each."""
    state = new_records(1, STATE)
    row = state[0]
    row["hands"][:4] = [sum(1 << parse_card(card) for card in hand.split()) for hand in hands]
    row["phase"], row["turn"], row["leader"], row["dealer"] = PLAY, leader, leader, 3
    row["hand_size"] = len(hands[0].split())
    row["trump"], row["broken"], row["observer"] = trump, broken, OPEN
    row["trumps"] = rules.pack & (((1 << 13) - 1) << 13 * trump | 3 << 52)
    for name in ("led", "trick_card", "trick_holder", "run", "high_two", "second_two", "turn_up", "cut"):
        row[name] = -1
    row["trick"][:] = -1
    row["bid_number"][:4] = bids
    row["bid_kind"][:4] = [2 if number else 1 for number in bids]
    row["n_bids"] = 4
    return state


def test_a_lead_of_the_little_joker_loses_to_the_only_trump_that_is_the_big_one():
    # As X-108, with diamonds broken so that N may lead either card. LB: E must play BB and wins, 3C goes to N's AD.
    # AD: E must follow with BB and wins, 3C goes to N's LB.
    rules = Rules.preset("partnership")
    state = made_state(rules, ["LB AD", "BB 3C", "4D 5D", "KD QC"], trump=2, broken=1)
    solved = solve(rules, state, score=True, workspace=WORKSPACE)
    assert [int(card) for card in solved.cards] == [parse_card("AD"), parse_card("LB")]
    assert solved.tricks.tolist() == [1, 1]
    assert solved.points.tolist() == [5 - 1, 5 - 1]  # N made 1 of 1, the others won 1


def test_the_big_joker_fells_the_partners_ace():
    # Spades are trumps. BB: E must play KS, S must play AS, and E's QS ruffs 2H before S, who has 4S left: 1 trick;
    # with any trump allowed S keeps AS and overruffs. 2H: E has to ruff, S overruffs with AS and leads 4S to BB: 2.
    hands = ["BB 2H", "KS QS", "AS 4S", "2S 3H"]
    rules = Rules.preset("partnership")
    solved = solve(rules, made_state(rules, hands, trump=0, broken=1), workspace=WORKSPACE)
    assert [int(card) for card in solved.cards] == [parse_card("2H"), parse_card("BB")]
    assert solved.tricks.tolist() == [2, 1]
    rules = Rules.preset("partnership", bb_partner="any_trump")
    assert solve(rules, made_state(rules, hands, trump=0, broken=1), workspace=WORKSPACE).tricks.tolist() == [2, 2]


def test_a_guarded_king_behind_the_ace_wins_unless_its_hand_has_to_lead_from_it():
    # The clubs are there so that the position comes up behind a trick: N keeps the lead with AC, which always wins.
    rules = rules_of("partnership with bridge")
    # Then he has KS 2S. 2S: E wins with QS and leads 4S to W's AS, which fells KS. KS: W's AS wins, and 2S loses.
    only_trumps = made_state(rules, ["KS 2S AC", "QS 4S 2C", "2H 3H 3C", "AS 3S 4C"], trump=0)
    assert solve(rules, only_trumps, workspace=WORKSPACE).tricks.tolist() == [1, 1, 1]
    # With 3D he gets out of the lead, and W has to play AS or 3S before him.
    state = made_state(rules, ["KS 2S 3D AC", "QS 4S 4D 2C", "2H 3H 5H 3C", "AS 3S 6D 4C"], trump=0)
    solved = solve(rules, state, workspace=WORKSPACE)
    assert solved.cards.tolist() == parse_cards("2S KS 3D AC")
    assert solved.tricks.tolist() == [1, 1, 1, 2]


def test_ace_and_king_of_trumps_alone_in_two_hands_fall_together():
    # W keeps the lead with AC, or leads JS at once: N must play AS and S must play KS, one trick for them. After a
    # diamond S ruffs, and AS wins later: two.
    rules = rules_of("partnership with bridge")
    hands = ["AS 2D 3D 3C", "QS 6D 7D 2C", "KS 4H 5H 4C", "JS 8D 9D AC"]
    solved = solve(rules, made_state(rules, hands, trump=0, leader=3), workspace=WORKSPACE)
    assert solved.cards.tolist() == parse_cards("JS 8D 9D AC")
    assert solved.tricks.tolist() == [3, 2, 2, 3]


def test_who_has_to_overtrump_fells_the_partners_king():
    # 2H, at once or after AC: N must ruff with KS and S must beat that with AS, so E's QS is high: one trick for them.
    # 8D: E must ruff with QS, S beats that with AS, and KS is left: two.
    rules = Rules.preset("partnership", **BRIDGE, follow="must_trump_over")
    solved = solve(rules, made_state(rules, ["3C KS 4D", "2C QS 3H", "4C AS 2S", "AC 2H 8D"], trump=0, leader=3))
    assert solved.cards.tolist() == parse_cards("2H 8D AC")
    assert solved.tricks.tolist() == [2, 1, 2]


def test_equal_cards_are_remembered_together():
    # If a proof kept only the card that won, and not those equal to it, KH was said to win 3. The numbers are those of
    # the plain minimax above, which takes 10 s for them.
    hands = ["5S QS KH 5D 6D", "7S TS AS 4H TH", "2S 6S 8S 9S JS", "5H JH JD QD AD"]
    rules = rules_of("partnership with bridge")
    solved = solve(rules, made_state(rules, hands, trump=0), workspace=WORKSPACE)
    assert solved.cards.tolist() == parse_cards("5S QS KH 5D 6D")
    assert solved.tricks.tolist() == [4, 3, 4, 3, 3]


def test_views_and_other_games_are_refused():
    rules = Rules.preset("partnership")
    state = made_state(rules, ["AS", "KS", "QS", "JS"], trump=1)
    view = state.copy()
    view["observer"] = 2
    with pytest.raises(BackAlleyError, match=r"search:worlds=N"):
        solve(rules, view)
    bidding = state.copy()
    bidding["phase"] = 1
    with pytest.raises(BackAlleyError, match="only the card play"):
        solve(rules, bidding)
    with pytest.raises(BackAlleyError, match="players=4"):
        solve(Rules.preset("individual_3"), state)


def test_a_search_can_be_limited():
    rules, states = to_play("partnership", 5, 9, [8])
    with pytest.raises(BackAlleyError, match="max_nodes=10 "):
        solve(rules, states[np.argmin(states["n_tricks"])], max_nodes=10, workspace=WORKSPACE)
    tricks, _, n_nodes = solve_many(rules, states, max_nodes=10, workspace=WORKSPACE)
    full, _, _ = solve_many(rules, states, workspace=WORKSPACE)
    np.testing.assert_array_equal(tricks == -1, full == -1)
    assert (tricks == -2).any()
    assert (n_nodes < 200).all()


# Against DDS.


def dds_tricks(state):
    """Return tricks by card as Bo Haglund's DDS finds them."""
    from endplay.dds import solve_board
    from endplay.types import Deal, Denom, Player

    suits = [[cards_of(int(hand) & int(suit)) for suit in SUIT_MASK[:4]] for hand in state["hands"][:4]]
    hands = [".".join("".join(RANKS[card % 13] for card in cards) for cards in hand) for hand in suits]
    denominations = [Denom.spades, Denom.hearts, Denom.diamonds, Denom.clubs, Denom.nt]
    deal = Deal("N:" + " ".join(hands), first=Player(int(state["leader"])), trump=denominations[int(state["trump"])])
    return {13 * int(card.suit) + RANKS.index(card.rank.abbr): tricks for card, tricks in solve_board(deal)}


@pytest.mark.parametrize(("size", "n"), [(8, 40), pytest.param(13, 500, marks=pytest.mark.slow)])
def test_bridge_equals_dds(size, n):
    pytest.importorskip("endplay")
    rules = rules_of("partnership with bridge")
    states = random_states(rules, n, 10, [size], from_start=1.0)
    no_trump = np.arange(n) % 5 == 0
    states["trump"][no_trump], states["trumps"][no_trump] = 4, 0
    tricks, _, _ = solve_many(rules, states, workspace=WORKSPACE)
    for state, values in zip(states, tricks, strict=True):
        assert {int(card): int(values[card]) for card in np.flatnonzero(values >= 0)} == dds_tricks(state)
