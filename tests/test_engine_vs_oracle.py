"""Random legal deals and matches on the engine, compared step by step with the oracle."""

import random
from collections import Counter

import numpy as np
import pytest
from adapters import EngineDeal, NotPlayed, OracleDeal, engine_rules
from oracle.cards import JOKERS, pack
from oracle.options import KNOWN, complete, side_of

from backalley.envs import Table
from backalley.envs.back_alley.notation import parse_action

DEAL_OPTIONS = (
    "trump_source",
    "joker_turned",
    "all_tricks_bid",
    "board_multiple_cap",
    "number_max",
    "opponents_of_board",
    "lead_rule",
    "broken_by",
    "board_trump_lead",
    "bb_partner",
    "score",
)
SEATINGS = {
    "individual_3": {"players": 3, "sides": "individual"},
    "individual_4": {"sides": "individual"},
    "individual_5": {"players": 5, "sides": "individual", "hand_max": 10},
    "six_2x3": {"players": 6, "sides": "two_teams_of_3", "hand_max": 8},
    "six_3x2": {"players": 6, "sides": "three_teams_of_2", "hand_max": 8},
    "reduced_42": {"deck": "short42", "hand_max": 10},
    "worthless": {"joker_turned": "keep", "no_trump_joker": "worthless"},
}
VARIANTS = {"partnership": {}, **SEATINGS} | {
    f"{name}={value}": {name: value} for name in DEAL_OPTIONS for value in KNOWN[name][1:]
}
SCHEDULES = {
    "partnership": {"hand_max": 4},
    "gamerules": {"hand_max": 4, "turning_deals": 1},
    "up_down": {"hand_max": 3, "schedule": "up_down"},
    "down": {"hand_max": 5, "schedule": "down"},
    "constant": {"hand_max": 3, "schedule": "constant", "constant_deals": 4},
    "same_dealer": {"hand_max": 3, "all_pass": "same_dealer"},
}
BIDDERS = {"uniform": None, "boards": "board", "passes": "pass", "ones": "1"}


def is_played(options):
    """Say whether the engine plays these options."""
    try:
        engine_rules(options)
    except NotPlayed:
        return False
    return True


def random_deck(rng, options, n_dealt):
    """Return a shuffled deck; one in six turns up a joker, sometimes with the other one after it."""
    deck = pack(options.get("deck", "std54"))
    rng.shuffle(deck)
    if rng.random() < 1 / 6:
        jokers = rng.sample(JOKERS, 2)
        places = (n_dealt, rng.choice([n_dealt + 1, rng.randrange(n_dealt)]))
        for joker, place in zip(jokers, places, strict=True):
            at = deck.index(joker)
            deck[at], deck[place] = deck[place], deck[at]
    return deck


def random_move(rng, deal, bidder, player):
    """Return a legal move: bids by temperament, cards uniformly or jokers as soon as they may be played."""
    legal = sorted(deal.legal())
    favourite = BIDDERS[bidder]
    if deal.phase == "bid" and favourite in legal and rng.random() < 0.7:
        return favourite
    jokers = [move for move in legal if move in JOKERS]
    if player == "jokers" and jokers:
        return rng.choice(jokers)
    return rng.choice(legal)


def assert_equal(engine, oracle):
    """Compare everything both know of a position."""
    for name in ("phase", "turn", "leader", "trick", "tricks_won"):
        assert getattr(engine, name) == getattr(oracle, name), name
    if oracle.trump is not None:
        assert engine.broken == oracle.broken
    assert engine.legal() == oracle.legal()
    seen = visible(oracle.deal)
    for seat in range(oracle.deal.players):
        assert engine.hand(seat) == oracle.hand(seat)
        assert engine.level(seat) == oracle.level(seat)
        assert not engine.hand(seat) & engine.cannot_hold(seat)
        assert engine.cannot_hold(seat) - seen == oracle.cannot_hold(seat) - seen
    if oracle.phase == "scored":
        assert engine.points == oracle.points


def assert_dealt_equal(engine, oracle):
    """Compare what the deal itself decides."""
    for name in ("trump", "turn_up", "discarded", "burned", "stock"):
        assert getattr(engine, name) == getattr(oracle, name), name


def visible(deal):
    """Return the cards that lie or lay open."""
    played = {card for trick in [*deal.tricks, deal.trick] for _, card in trick}
    return played | {deal.turn_up, deal.discarded, *deal.burned} - {None}


def play_and_compare(rng, options, seen):
    """Play one random deal on both; count in `seen` what happened."""
    complete_options = complete(options)
    hand_size = rng.randint(1, complete_options["hand_max"])
    dealer = rng.randrange(complete_options["players"])
    deck = random_deck(rng, options, complete_options["players"] * hand_size)
    bidder = rng.choice(list(BIDDERS))
    player = rng.choice(["uniform", "jokers"])
    oracle = OracleDeal(options, deck, dealer, hand_size)
    engine = EngineDeal(options, deck, dealer, hand_size)
    assert_dealt_equal(engine, oracle)
    assert_equal(engine, oracle)
    while oracle.turn is not None:
        move = random_move(rng, oracle, bidder, player)
        seen.update(situations(oracle.deal, move))
        oracle.play(move)
        engine.play(move)
        assert_equal(engine, oracle)
    seen[oracle.phase] += 1


def situations(deal, move):
    """Yield what a move in this position is an example of: the situations a run of random deals must have met."""
    if deal.phase == "bid":
        if not deal.bids and deal.trump is None:
            yield "no trumps" if deal.discarded is None else "exchange"
        return
    is_trump = deal.trump is not None and deal.suit(move) == "trump"
    hand = deal.hands[deal.turn]
    if not deal.trick:
        if len(deal.legal()) < len(hand):
            yield "trump kept back"
        if is_trump and not deal.broken:
            yield "trump lead by right" if deal.has_board_right(deal.turn) else "tight lead"
    elif deal.trump is not None:
        led = deal.trick[0][1]
        if is_trump and deal.suit(led) != "trump":
            yield "ruff"
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
)


def run_deals(seed, n_deals, draw_options):
    """Compare `n_deals` deals and return what happened in them."""
    seen = Counter()
    for i in range(n_deals):
        rng = random.Random(f"{seed} {i}")
        options = draw_options(rng)
        try:
            play_and_compare(rng, options, seen)
        except AssertionError as error:
            raise AssertionError(f"deal {i} of seed {seed!r}, options {options}: {error}") from error
    return seen


def mixed_options(rng):
    """Return options that the engine plays: half the time `partnership`, else a mixture."""
    options = {}
    if rng.random() < 0.5:
        for name in DEAL_OPTIONS:
            value = rng.choice(KNOWN[name])
            if rng.random() < 0.4 and is_played({name: value}):
                options[name] = value
    if options.get("all_tricks_bid") == "none" and options.get("number_max") == "cards_minus_1":
        del options["number_max"]  # refused: nothing could be bid with 1 card (BA-43)
    return options


@pytest.mark.parametrize("variant", VARIANTS)
def test_random_deals_of_a_variant(variant):
    options = VARIANTS[variant]
    if not is_played(options):
        pytest.skip("specified, but the engine does not play it yet")
    run_deals(variant, 30, lambda rng: options)


def test_random_deals_meet_every_situation():
    seen = run_deals("mixed", 400, mixed_options)
    assert [situation for situation in MUST_HAPPEN if not seen[situation]] == []


@pytest.mark.slow
def test_a_hundred_thousand_random_deals():
    run_deals("long", 100_000, mixed_options)


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_random_matches(schedule):
    for i in range(3):
        compare_match(random.Random(f"{schedule} {i}"), SCHEDULES[schedule])


def compare_match(rng, options):
    """Play a match on a table and deal by deal on the oracle: dealers, redeals, sizes, points and rewards."""
    sizes = OracleDeal.schedule(options)
    decks = [random_deck(rng, options, 4 * options["hand_max"]) for _ in range(60)]
    dealer = rng.randrange(4)
    table = Table(engine_rules(options)[0], n=1, seed=0, episode="match")
    table.reset(decks=decks, dealers=dealer)
    engine = EngineDeal.of(options, table.states[0])
    totals = np.zeros(4, int)
    while sizes:
        assert not table.done[0]
        oracle = OracleDeal(options, decks.pop(0), dealer, sizes[0])
        assert_dealt_equal(engine, oracle)
        while True:
            assert_equal(engine, oracle)
            move = random_move(rng, oracle, "passes", "uniform")
            oracle.play(move)
            rewards, _ = table.step([parse_action(move)])
            if oracle.turn is None:
                break
            assert not rewards.any()
        dealer = oracle.deal.next_dealer
        points = np.array(oracle.points if oracle.phase == "scored" else [0] * 4)
        totals += points
        assert table.states["match_points"][0, :4].tolist() == totals.tolist()
        assert rewards[0].tolist() == [difference(points, seat) for seat in range(4)]
        if oracle.phase == "scored":
            sizes.pop(0)
    assert table.done[0]
    assert not table.truncated[0]


def difference(points, seat):
    """Return the points of the seat's side minus those of the other side."""
    other = next(s for s in range(4) if side_of(complete({}), s) != side_of(complete({}), seat))
    return points[seat] - points[other]
