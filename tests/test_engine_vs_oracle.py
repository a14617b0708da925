"""Random legal deals and matches on the engine, compared step by step with the oracle, for every rule set."""

import random
from collections import Counter

import numpy as np
import pytest
from adapters import EngineDeal, OracleDeal, engine_rules
from oracle.cards import JOKERS
from oracle.options import KNOWN, complete, side_of
from random_deals import (
    FAVOURITES,
    PRESET_OPTIONS,
    SOLO_SIZES,
    random_cut,
    random_deck,
    random_move,
    random_options,
)

from backalley.envs import Rules, Table
from backalley.envs.back_alley.notation import parse_action
from backalley.envs.back_alley.options import PRESETS
from backalley.envs.errors import InvalidRules

SCHEDULES = {
    "partnership": {"hand_max": 4},
    "gamerules": {"hand_max": 4, "turning_deals": 1},
    "up_down": {"hand_max": 3, "schedule": "up_down"},
    "down": {"hand_max": 5, "schedule": "down"},
    "list": {"schedule": "list", "hand_sizes": (2, 4, 1)},
    "from_2": {"hand_max": 4, "hand_min": 2},
    "constant": {"hand_max": 3, "schedule": "constant", "constant_deals": 4},
    "same_dealer": {"hand_max": 3, "all_pass": "same_dealer"},
    "all_pass_play": {"hand_max": 3, "all_pass": "play"},
    "bags": {"hand_max": 3, "all_tricks_bid": "none", "all_pass": "play", "bag_limit": 2, "bag_penalty": 30},
    "rainbow_paid": {
        "schedule": "constant",
        "hand_max": 4,
        "constant_deals": 5,
        "rainbow": "claim",
        "rainbow_thrown_in": "paid",
    },
    "redeal": {"hand_max": 4, "redeal_right": True, "redeal_min_cards": 1, "redeal_dealer": "next"},
    "void": {"hand_max": 3, "void_redeal": True, "void_min_cards": 3, "void_dealer": "next", "deck": "std52"},
    "two_of_spades": {**PRESET_OPTIONS["two_of_spades"], "hand_max": 3},
    "tie": {"hand_max": 2, "all_tricks_bid": "none", "all_pass": "play", "game_tie": "extra_deal"},
}


_VOID = {**PRESET_OPTIONS["two_of_spades"], "void_min_cards": 1, "hand_max": 3}
_BOSTON = {"boston": True, "hand_max": 7, "hand_min": 6, "boston_min_cards": 6}
_RAINBOW = {"rainbow": "free", "schedule": "constant", "hand_max": 4}
WHERE_IT_MATTERS = {
    "void_dealer": _VOID,
    "void_redeal": _VOID,
    "redeal_dealer": {"redeal_right": True, "redeal_min_cards": 1, "hand_max": 3},
    "redeal_timing": {"redeal_right": True, "redeal_min_cards": 1, "hand_max": 3},
    "double_board_leader": {**PRESET_OPTIONS["double_board"], "hand_max": 3},
    "board_leader": {**PRESET_OPTIONS["double_board"], "hand_max": 3, "number_max": "cards"},
    "all_tricks_tie": {**PRESET_OPTIONS["all_bid"], "hand_max": 5},
    "ladder_repeat_one": {**PRESET_OPTIONS["two_of_spades"], "hand_max": 1},
    "solo_board_bonus": {**PRESET_OPTIONS["solo"], "hand_max": 3},
    "solo_board_bonus_one_card": {**PRESET_OPTIONS["solo_18"], "hand_max": 2},
    "one_card_board": {**PRESET_OPTIONS["solo"], "hand_max": 2},
    "solo_one_card_pass": {**PRESET_OPTIONS["solo"], "hand_max": 1},
    "no_trump_joker": {"joker_turned": "keep", "hand_max": 5},
    "no_trump_joker_lead": {"joker_turned": "keep", "hand_max": 5},
    "no_trump_high_two": {**PRESET_OPTIONS["two_of_spades"], "cut_min_cards": 1},
    "boston_rank": _BOSTON,
    "boston_trump_lead": _BOSTON,
    "rainbow": _RAINBOW,
    "rainbow_leads": _RAINBOW,
    "rainbow_over_board": _RAINBOW,
    "rainbow_joker": _RAINBOW,
    "rainbow_thrown_in": _RAINBOW,
    "rainbow_reveal": {**_RAINBOW, "rainbow": "auto"},
    "bag_penalty": {**PRESET_OPTIONS["big_little"], "bag_limit": 2, "hand_max": 4},
    "five_under_made": {**PRESET_OPTIONS["solo_26"], "hand_max": 4},
    "side_bid_cap": {"hand_max": 4},
    "dealer_hook": {"hand_max": 4},
    "opponents_of_board": {"hand_max": 4},
    "board_trump_lead": {"hand_max": 6},
    "broken_by": {"hand_max": 6},
}
"""Rules under which an option makes a difference in many deals."""


def assert_equal(engine, oracle, seats=None):
    """Compare everything both know of a position; hands and what is known of them for `seats` only, all by default."""
    for name in ("phase", "turn", "leader", "trick", "tricks_won", "run", "rainbows"):
        assert getattr(engine, name) == getattr(oracle, name), name
    if oracle.trump is not None:
        assert engine.broken == oracle.broken
    assert engine.legal() == oracle.legal()
    for seat in range(oracle.deal.players) if seats is None else seats:
        assert_seat_equal(engine, oracle, seat)
    if oracle.turn is None:
        assert engine.next_dealer == oracle.deal.next_dealer
        assert engine.carried_after == oracle.carried_after
    if oracle.phase == "scored":
        for name in ("points", "own_points", "bags_after"):
            assert getattr(engine, name) == getattr(oracle, name), name


def assert_seat_equal(engine, oracle, seat):
    """Compare a seat's hand, the level of its bid, and the cards it has shown not to hold."""
    assert engine.hand(seat) == oracle.hand(seat)
    assert engine.level(seat) == oracle.level(seat)
    excluded = engine.cannot_hold(seat)
    assert not engine.hand(seat) & excluded
    if oracle.deal.infers:
        hidden = set(oracle.deal.order.cards) - visible(oracle.deal)
        assert excluded & hidden == oracle.cannot_hold(seat) & hidden


def assert_dealt_equal(engine, oracle):
    """Compare what the deal itself decides."""
    for name in ("trump", "turn_up", "cut", "discarded", "burned", "stock"):
        assert getattr(engine, name) == getattr(oracle, name), name


def visible(deal):
    """Return the cards that lie or lay open."""
    played = {card for trick in [*deal.tricks, deal.trick] for _, card in trick}
    return played | {deal.turn_up, deal.discarded, *deal.burned} - {None}


def play_and_compare(rng, options, seen, *, infers=True):
    """Play one random deal on both; count in `seen` what happened. Without `infers`, `cannot_hold` is not compared."""
    rules = complete(options)
    players = rules["players"]
    sizes = sorted(set(OracleDeal.schedule(options)))
    special = [size for size in (*rules["rainbow_sizes"], *rules["blind_sizes"], 1) if size in sizes]
    hand_size = rng.choice(special if special and rng.random() < 0.3 else sizes)
    dealer = rng.randrange(players)
    bags = [rng.randint(0, 3)] * players if rules["bag_limit"] else None
    carried = [rng.choice([0, 0, 40, -40]) for _ in range(players)] if rules["rainbow_thrown_in"] == "paid" else None
    start = (random_deck(rng, options, hand_size), dealer, hand_size, random_cut(rng, options), bags, carried)
    favourite, player = rng.choice(FAVOURITES), rng.choice(["uniform", "jokers"])
    oracle = OracleDeal(options, *start)
    engine = EngineDeal(options, *start)
    oracle.deal.infers = infers
    assert_dealt_equal(engine, oracle)
    assert_equal(engine, oracle)
    while oracle.turn is not None:
        move, mover = random_move(rng, oracle, favourite, player), oracle.turn
        seen.update(situations(oracle.deal, move))
        oracle.play(move)
        engine.play(move)
        assert_equal(engine, oracle, [mover])
    assert_equal(engine, oracle)
    seen[oracle.phase] += 1


def situations(deal, move):
    """Yield what a move in this position is an example of: the situations a run of random deals must have met."""
    if deal.phase != "play":
        if not deal.bids and deal.trump is None:
            yield "no trumps" if deal.discarded is None else "exchange"
        yield move if move in ("redeal", "keep", "raise", "no_raise", "boston") else f"rainbow {'+rainbow' in move}"
        return
    is_trump = deal.trump is not None and deal.suit(move) == "trump"
    hand = deal.hands[deal.turn]
    if not deal.trick:
        if len(deal.legal()) < len(hand):
            yield "trump kept back"
        if deal.run is not None:
            yield "run goes on" if is_trump else "run ends"
        if is_trump and not deal.broken:
            yield "trump lead by right" if deal.has_board_right(deal.turn) else "tight lead"
    elif deal.trump is not None:
        led = deal.trick[0][1]
        if is_trump and deal.suit(led) != "trump":
            yield "ruff"
        if move in ("2S", "2D") and deal.options["high_two"] != "none" and is_trump:
            yield "high two"
        if deal.options["follow"] == "must_trump_over" and len(deal.legal()) < len(hand):
            yield "must trump" if all(deal.suit(card) == "trump" for card in deal.legal()) else "must follow"
        if led in JOKERS and is_trump:
            n_trumps = sum(deal.suit(card) == "trump" for card in hand)
            yield f"{move} played to {led}" if move in JOKERS else f"forced by {led}" if n_trumps > 1 else "last trump"


MUST_HAPPEN = (
    "scored",
    "thrown_in",
    "exchange",
    "no trumps",
    "tight lead",
    "trump lead by right",
    "trump kept back",
    "forced by BB",
    "forced by LB",
    "BB played to LB",
    "LB played to BB",
    "ruff",
    "high two",
    "must trump",
    "run goes on",
    "run ends",
    "redeal",
    "keep",
    "raise",
    "no_raise",
    "boston",
    "rainbow True",
)


def run_deals(seed, n_deals, draw_options, infer_every=1):
    """Compare `n_deals` deals, in one of `infer_every` also what can be inferred; return what happened in them."""
    seen = Counter()
    for i in range(n_deals):
        rng = random.Random(f"{seed} {i}")
        options = draw_options(rng)
        try:
            play_and_compare(rng, options, seen, infers=i % infer_every == 0)
        except AssertionError as error:
            raise AssertionError(f"deal {i} of seed {seed!r}, options {options}: {error}") from error
    return seen


@pytest.mark.parametrize("preset", [*PRESETS, *SOLO_SIZES])
def test_random_deals_of_a_preset(preset):
    options = PRESET_OPTIONS.get(preset) or SOLO_SIZES.get(preset, {})
    run_deals(preset, 30, lambda rng: options)


@pytest.mark.parametrize("option", KNOWN)
def test_random_deals_with_each_value_of_an_option(option):
    for value in KNOWN[option][1:5]:
        drawn = 0
        while drawn < 4:
            options = random_options(random.Random(f"{option} {value} {drawn}")) | {option: value}
            try:
                Rules.preset("partnership", **options)
            except InvalidRules:
                break
            run_deals(f"{option}={value} {drawn}", 2, lambda rng, options=options: options)
            drawn += 1


@pytest.mark.parametrize("option", WHERE_IT_MATTERS)
def test_random_deals_with_each_value_of_an_option_where_it_matters(option):
    for value in KNOWN[option]:
        options = WHERE_IT_MATTERS[option] | {option: value}
        run_deals(f"{option}={value} matters", 40, lambda rng, options=options: options)


def test_random_deals_meet_every_situation():
    seen = run_deals("mixed", 1500, random_options)
    assert [situation for situation in MUST_HAPPEN if not seen[situation]] == []


@pytest.mark.slow
def test_a_hundred_thousand_random_deals_of_partnership():
    run_deals("long", 100_000, lambda rng: {}, infer_every=10)


@pytest.mark.slow
@pytest.mark.parametrize("preset", [*PRESETS, *SOLO_SIZES])
def test_twenty_thousand_random_deals_of_a_preset(preset):
    options = PRESET_OPTIONS.get(preset) or SOLO_SIZES.get(preset, {})
    run_deals(f"long {preset}", 20_000, lambda rng: options, infer_every=10)


@pytest.mark.slow
def test_a_thousand_random_combinations_of_options():
    for i in range(1_000):
        options = random_options(random.Random(f"combination {i}"))
        run_deals(f"combination {i}", 50, lambda rng, options=options: options, infer_every=10)


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_random_matches(schedule):
    for i in range(3):
        compare_match(random.Random(f"{schedule} {i}"), SCHEDULES[schedule])


def compare_match(rng, options):
    """Play a match on a table and deal by deal on the oracle: dealers, redeals, sizes, points and rewards."""
    sizes = OracleDeal.schedule(options)
    decks = [random_deck(rng, options, rng.choice(sizes)) for _ in range(200)]
    cuts = [random_cut(rng, options) for _ in decks]
    dealer = rng.randrange(4)
    table = Table(engine_rules(options)[0], n=1, seed=0, episode="match", max_redeals=100)
    table.reset(decks=decks, cuts=cuts, dealers=dealer)
    engine = EngineDeal.of(options, table.states[0])
    totals, bags, carried = np.zeros(4, int), [0] * 4, [0] * 4
    rewards, last_size = None, sizes[-1]
    while sizes:
        oracle = OracleDeal(options, decks.pop(0), dealer, sizes[0], cuts.pop(0), bags, carried)
        if oracle.turn is None:  # void of trumps: the table has dealt again by itself
            dealer = oracle.deal.next_dealer
            continue
        assert not table.done[0]
        assert_dealt_equal(engine, oracle)
        while True:
            assert_equal(engine, oracle)
            move = random_move(rng, oracle, "pass", "uniform")
            oracle.play(move)
            rewards, _ = table.step([parse_action(move)])
            if oracle.turn is None:
                break
            assert not rewards.any()
        dealer, carried = oracle.deal.next_dealer, oracle.carried_after
        points = np.array(oracle.points if oracle.phase == "scored" else [0] * 4)
        totals += points
        assert table.states["match_points"][0, :4].tolist() == totals.tolist()
        assert rewards[0].tolist() == [difference(points, seat) for seat in range(4)]
        if oracle.phase == "scored":
            bags = oracle.bags_after
            sizes.pop(0)
            if not sizes and options.get("game_tie") == "extra_deal" and totals[0] == totals[1]:
                sizes = [last_size]
    assert table.done[0]
    assert not table.truncated[0]


def difference(points, seat):
    """Return the points of the seat's side minus those of the other side."""
    other = next(s for s in range(4) if side_of(complete({}), s) != side_of(complete({}), seat))
    return points[seat] - points[other]
