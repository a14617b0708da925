"""What must hold in every position of every deal."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from backalley.envs import RANDOM_ACTION, SKIP, Rules, Table
from backalley.envs.back_alley.actions import PASS
from backalley.envs.back_alley.episode import apply_action
from backalley.envs.back_alley.game import BACK_ALLEY
from backalley.envs.back_alley.state import BID, PLAY, SCORED
from backalley.envs.kernel import JIT_ENABLED

VARIANTS = {
    "partnership": {},
    "gamerules": {"turning_deals": 1},
    "burn": {"joker_turned": "burn"},
    "keep": {"joker_turned": "keep"},
    "fixed_spades": {"trump_source": "fixed_spades"},
    "no_board": {"all_tricks_bid": "none"},
    "lowest": {"bb_partner": "lowest"},
    "free_lead": {"lead_rule": "free"},
}
TABLES = {name: Table(Rules.preset("partnership", **options), n=32, seed=0) for name, options in VARIANTS.items()}
PACK = Rules().pack
SEEDS = st.integers(0, 2**32 - 1)
NAMES = st.sampled_from(sorted(VARIANTS))


def positions(name, seed):
    """Yield a table of fresh deals after each of its steps, until all are over."""
    table = TABLES[name]
    table.seed(seed)
    table.reset()
    yield table
    while not table.done.all():
        table.step(None)
        yield table


def n_cards(bits):
    """Count the cards of bit sets, one at a time as Python ints."""
    return np.array([int(word).bit_count() for word in bits.ravel()]).reshape(bits.shape)


@given(NAMES, SEEDS)
def test_every_card_is_in_exactly_one_place(name, seed):
    for table in positions(name, seed):
        states = table.states
        places = [states["hands"][:, seat] for seat in range(6)] + [states["played"][:, seat] for seat in range(6)]
        places += [states[place] for place in ("stock", "exposed", "discarded", "burned")]
        places = np.stack(places)
        assert (np.bitwise_or.reduce(places) == PACK).all()
        assert (places.sum(axis=0) == PACK).all()  # no bit twice: sums would carry
        playing = states["phase"] == PLAY
        n_played = 4 * states["n_tricks"] + states["n_in_trick"]
        assert (n_cards(states["hands"]).sum(axis=1) == 4 * states["hand_size"] - n_played).all()
        assert (n_cards(states["played"]).sum(axis=1) == n_played).all()
        assert not n_played[~playing & (states["phase"] != SCORED)].any()


@given(NAMES, SEEDS)
def test_somebody_has_a_legal_action_until_the_end(name, seed):
    for table in positions(name, seed):
        masks, states, done = table.legal(), table.states, table.done
        assert (masks.any(axis=1) == ~done).all()
        assert ((table.turn >= 0) == ~done).all()
        assert (masks[:, :PASS].any(axis=1) == (states["phase"] == PLAY)).all()
        assert (masks[:, PASS:].any(axis=1) == (states["phase"] == BID)).all()
        for i in np.flatnonzero(states["phase"] == PLAY):
            hand = states["hands"][i, table.turn[i]]
            assert not table.legal_bits[i, 0] & ~hand


@given(NAMES, SEEDS)
def test_tricks_and_points_add_up(name, seed):
    for table in positions(name, seed):
        states = table.states
        won, size = states["tricks_won"].sum(axis=1), states["hand_size"].astype(int)
        assert (won == states["n_tricks"]).all()
        assert (states["first_six"].sum(axis=1) == np.minimum(won, 6)).all()
        scored = states["phase"] == SCORED
        assert (won[scored] == size[scored]).all()
        assert (won[~scored] < size[~scored]).all()
        assert (scored == (table.done & ~table.truncated)).all()
        points = states["deal_points"][:, :4]
        assert not points[~scored].any()
        assert (points[:, :2] == points[:, 2:]).all()  # partners
        assert (np.abs(points) <= 10 * 4 * size[:, None]).all()  # a quadruple board
        assert (table.rewards.sum(axis=1) == 0).all()


@given(NAMES, SEEDS)
def test_a_copied_state_goes_on_like_the_original(name, seed):
    table = TABLES[name]
    table.seed(seed)
    table.reset()
    while not table.done[0]:
        actions = table.random_actions()
        twin = table.states[:1].copy()
        apply_action(table.rules_record[0], twin[0], int(actions[0]))
        n_redeals = table.states["n_redeals"][0]
        table.step(actions)
        if table.states["phase"][0] == SCORED:
            twin["match_points"] = twin["deal_points"]  # added up outside the deal
        if table.states["n_redeals"][0] == n_redeals:
            assert twin[0] == table.states[0]


@given(NAMES, SEEDS, st.integers(0, 3))
def test_what_a_seat_sees_does_not_depend_on_the_cards_it_cannot_see(name, seed, seat):
    rng = np.random.default_rng(seed)
    for table in positions(name, seed):
        if rng.random() < 0.9:
            continue
        twin = table.clone()
        for i in range(table.n):
            shuffle_hidden(rng, twin.states[i], seat)
        assert (twin.observe(seat) == table.observe(seat)).all()
        assert (twin.view(seat) == table.view(seat)).all()
        mine = table.turn == seat
        assert (twin.see(seat)[1] == table.see(seat)[1]).all()
        assert (table.see(seat)[1].any(axis=1) == mine).all()


def shuffle_hidden(rng, state, seat):
    """Deal the cards that `seat` does not see anew among the other hands and the stock."""
    others = [other for other in range(4) if other != seat]
    places = [int(state["hands"][other]) for other in others] + [int(state["stock"])]
    hidden = rng.permutation([card for card in range(54) if any(place >> card & 1 for place in places)]).tolist()
    for other in others:
        size = int(state["hands"][other]).bit_count()
        state["hands"][other] = sum(1 << card for card in hidden[:size])
        hidden = hidden[size:]
    state["stock"] = sum(1 << card for card in hidden)


KERNELS = (
    "begin_episodes",
    "first_illegal",
    "step_all",
    "observe_all",
    "step_and_observe",
    "step_and_observe_threaded",
    "view_all",
    "random_actions",
)


def use_tables():
    """Call a table in all the ways there are."""
    read_only = np.array([True, False])
    read_only.setflags(write=False)
    deck = list(range(54))
    decks = np.array([[deck], [deck]], np.int8)
    decks.setflags(write=False)
    for options in ({}, {"buffers": True}, {"buffers": True, "threads": 2}):
        for episode in ("deal", "match"):
            table = Table(Rules(), n=2, seed=0, episode=episode, **options)
            for where in (None, True, [True, False], read_only):
                table.reset(where=where)
            table.reset(decks=[deck], dealers=[0, 1], hand_sizes=5)
            table.reset(decks=decks, deal_indices=np.int64(3))
            for actions in ([PASS, PASS], np.array([PASS, PASS], np.int64), RANDOM_ACTION, (SKIP, SKIP), None):
                table.step(actions)
            for seats in (None, 2, [0, 3], np.array([1, 2], np.int32)):
                table.see(seats)
                table.view(seats)
            table.random_actions()


@pytest.mark.skipif(not JIT_ENABLED, reason="nothing is compiled")
def test_each_kernel_of_a_table_is_compiled_once():
    use_tables()
    assert {name: len(getattr(BACK_ALLEY.loops, name).signatures) for name in KERNELS} == dict.fromkeys(KERNELS, 1)
