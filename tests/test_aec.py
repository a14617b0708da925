import copy
import pickle

import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import api_test, render_test, seed_test
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper, TerminateIllegalWrapper

from backalley.envs import back_alley_v0
from backalley.envs.api.conformance import check_aec
from backalley.envs.cards import CARD_NAMES
from backalley.envs.errors import IllegalAction, InvalidDeck, InvalidRules, UnknownName

VARIANTS = {
    "deal": {},
    "gamerules match": {"preset": "gamerules", "episode": "match", "hand_max": 3},
    "points": {"reward": "points", "bb_partner": "lowest"},
    "win": {"reward": "win", "episode": "match", "hand_max": 2},
}


def stock_stack(**kwargs):
    env = back_alley_v0.raw_env(**kwargs)
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(TerminateIllegalWrapper(env, illegal_reward=-1)))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kwargs", VARIANTS.values(), ids=VARIANTS)
def test_passes_pettingzoos_tests(kwargs):
    api_test(back_alley_v0.env(**kwargs), num_cycles=300)
    api_test(back_alley_v0.raw_env(**kwargs), num_cycles=300)
    seed_test(lambda: back_alley_v0.env(**kwargs), num_cycles=200)


@pytest.mark.filterwarnings("ignore")
def test_passes_pettingzoos_render_test():
    render_test(lambda render_mode=None: back_alley_v0.env(render_mode=render_mode))


@pytest.mark.parametrize("kwargs", VARIANTS.values(), ids=VARIANTS)
def test_passes_the_strict_test(kwargs):
    check_aec(lambda: back_alley_v0.env(**kwargs), n_games=3, seed=5)


def snapshot(env):
    """Everything an AEC environment shows, as comparable values."""
    observations = {agent: env.observe(agent) for agent in env.agents}
    return (
        list(env.agents),
        env.agent_selection if env.agents else None,
        {agent: float(reward) for agent, reward in env.rewards.items()},
        {agent: float(env.unwrapped._cumulative_rewards[agent]) for agent in env.agents},
        dict(env.terminations),
        dict(env.truncations),
        {agent: observation["observation"].tolist() for agent, observation in observations.items()},
        {agent: observation["action_mask"].tolist() for agent, observation in observations.items()},
    )


def infos(env):
    """The infos as comparable values; the stock wrappers leave a mask there after an illegal move."""
    return {
        agent: {key: value.tolist() if isinstance(value, np.ndarray) else value for key, value in info.items()}
        for agent, info in env.infos.items()
    }


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("seed", range(16))
def test_fused_equals_the_stock_wrappers(seed):
    kwargs = [*VARIANTS.values(), {"max_redeals": 0, "hand_max": 1}][seed % (len(VARIANTS) + 1)]
    ours, stock = back_alley_v0.env(**kwargs), stock_stack(**kwargs)
    rng = np.random.default_rng(seed)
    for env in (ours, stock):
        env.reset(seed=seed)
    illegal_at = int(rng.integers(0, 30))
    n_moves = 0
    while True:
        assert snapshot(ours) == snapshot(stock)
        assert n_moves > illegal_at or infos(ours) == infos(stock)
        assert not ours.agents or all_equal(ours.last(), stock.last())
        if not ours.agents:
            break
        mask = ours.observe(ours.agent_selection)["action_mask"]
        is_dead = not mask.any()
        action = None if is_dead else int(rng.choice(np.flatnonzero(mask == (n_moves != illegal_at))))
        for wrong in (-1, 89, 1.5, "AS", 3 if is_dead else None):
            assert outcome(ours, wrong) is outcome(stock, wrong) is not None
        assert outcome(ours, action) is outcome(stock, action) is None
        n_moves += 1
    assert outcome(ours, None) is outcome(stock, None) is None  # both only warn


def all_equal(ours, stock):
    observations = zip(ours[0].values(), stock[0].values(), strict=True)
    return ours[1:4] == stock[1:4] and all(np.array_equal(a, b) for a, b in observations)


def outcome(env, action):
    """Return the type of what `step` raises, None if nothing."""
    try:
        env.step(action)
    except Exception as error:
        return type(error)
    return None


@pytest.mark.parametrize("make", [back_alley_v0.env, stock_stack], ids=["ours", "stock"])
def test_calls_in_the_wrong_order_are_refused(make):
    env = make()
    for name in ("agents", "num_agents", "rewards", "terminations", "truncations", "infos", "agent_selection"):
        with pytest.raises(AttributeError, match=f"{name} cannot be accessed before reset"):
            getattr(env, name)
    for call in (lambda: env.step(0), lambda: env.observe("player_0"), env.state, env.render, env.agent_iter):
        with pytest.raises(AssertionError, match=r"reset\(\) needs to be called before"):
            call()
    with pytest.raises(AttributeError):
        env.last()
    env.reset(seed=0)
    with pytest.raises(AssertionError, match=r"need to call step\(\) or reset\(\) in a loop"):
        list(env.agent_iter())
    env.step(54)
    assert len([env.step(54) for _ in env.agent_iter(3)]) == 3


@pytest.mark.parametrize("make", [back_alley_v0.env, stock_stack], ids=["ours", "stock"])
@pytest.mark.parametrize("action", [-1, 89, None, 1.5])
def test_actions_out_of_range_are_refused(make, action):
    env = make()
    env.reset(seed=0)
    with pytest.raises(AssertionError, match="action is not in action space"):
        env.step(action)


def test_illegal_raises_on_request_and_changes_nothing():
    env = back_alley_v0.env(illegal="raise")
    env.reset(seed=0)
    before = snapshot(env)
    with pytest.raises(IllegalAction, match=r"player_\d bid AS but must choose one of the legal bids"):
        env.step(CARD_NAMES.index("AS"))
    assert snapshot(env) == before


def test_revoke_is_named():
    env = back_alley_v0.raw_env()
    deck = "2S 3S 4H 5C  KS QS 6H 7C " + " ".join(
        c for c in CARD_NAMES if c not in ["2S", "3S", "4H", "5C", "KS", "QS", "6H", "7C", "AC"]
    )
    cards = deck.split()
    cards.insert(8, "AC")
    env.reset(seed=0, options={"deck": " ".join(cards), "dealer": 3, "hand_size": 2})
    for action in (55, 54, 54, 54):
        env.step(action)
    env.step(CARD_NAMES.index("2S"))
    with pytest.raises(IllegalAction, match=r"player_1 played 7C but does not hold it \(legal: 3S QS\)"):
        env.step(CARD_NAMES.index("7C"))


def test_reset_options_fix_the_chance():
    env = back_alley_v0.env()
    deck = list(CARD_NAMES)
    env.reset(seed=1, options={"deck": deck, "dealer": 2, "hand_size": 1, "no such option": 1})
    assert env.agent_selection == "player_3"
    said = env.layout.decode(env.observe("player_3")["observation"])
    assert said["hand"] == ["2S"]
    assert said["turn_up"] == ["6S"]
    assert said["trump"] == ["S"]


def test_decks_are_used_one_after_another_when_hands_are_thrown_in():
    env = back_alley_v0.env()
    env.reset(seed=1, options={"deck": [list(CARD_NAMES), list(reversed(CARD_NAMES))], "dealer": 0, "hand_size": 1})
    for _ in range(4):
        env.step(54)
    assert env.agent_selection == "player_2"  # left of the next dealer (BA-67)
    assert env.layout.decode(env.observe("player_2")["observation"])["hand"] == ["BB"]


def test_always_passing_is_cut_off():
    env = back_alley_v0.env(max_redeals=3)
    env.reset(seed=1)
    for _ in range(16):
        env.step(54)
    assert all(env.truncations.values())
    assert not any(env.terminations.values())
    assert not any(env.rewards.values())


@pytest.mark.parametrize(
    ("kwargs", "error"),
    [
        ({"preset": "partnershp"}, UnknownName),
        ({"preset": "solo", "players": 5}, InvalidRules),
        ({"illegal": "ignore"}, UnknownName),
        ({"render_mode": "rgb_array"}, UnknownName),
        ({"episode": "hand"}, UnknownName),
        ({"bb_parter": "lowest"}, UnknownName),
    ],
)
def test_bad_keywords_are_refused(kwargs, error):
    with pytest.raises(error):
        back_alley_v0.env(**kwargs)


@pytest.mark.parametrize("deck", ["AS KS", "AS " * 54, [*range(53), 0]])
def test_bad_decks_are_refused(deck):
    env = back_alley_v0.env()
    with pytest.raises(InvalidDeck, match="no permutation of the pack"):
        env.reset(options={"deck": deck})


def test_cut_is_refused_where_nothing_is_cut():
    with pytest.raises(InvalidDeck, match="BA-22"):
        back_alley_v0.env().reset(options={"cut": "AS"})


def test_match_reports_its_standing():
    env = back_alley_v0.env(episode="match", hand_max=2)
    env.reset(seed=2)
    rng = np.random.default_rng(0)
    seen = set()
    while not env.terminations[env.agent_selection] and not env.truncations[env.agent_selection]:
        seen.add(env.infos[env.agent_selection]["deal_index"])
        assert len({info["deal_index"] for info in env.infos.values()}) == 1
        assert env.infos["player_1"]["match_points"] == env.infos["player_3"]["match_points"]
        env.step(int(rng.choice(np.flatnonzero(env.infos[env.agent_selection]["action_mask"]))))
    assert seen == {0, 1, 2, 3}
    points = env.infos["player_0"]["match_points"], env.infos["player_1"]["match_points"]
    total = env.unwrapped._cumulative_rewards
    assert env.infos["player_2"]["match_points"] == points[0]
    assert total["player_0"] + total["player_1"] <= abs(points[0] - points[1])


def test_copies_in_mid_game_are_independent():
    env = back_alley_v0.env()
    env.reset(seed=4)
    env.step(int(np.flatnonzero(env.infos[env.agent_selection]["action_mask"])[1]))
    for other in (env.clone(), copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        before = snapshot(env)
        assert snapshot(other) == before
        other.step(54)
        assert snapshot(env) == before
        assert snapshot(other) != before


def test_state_shows_all_cards():
    env = back_alley_v0.env()
    rng = np.random.default_rng(0)
    for seed in range(10):
        env.reset(seed=seed)
        for _ in range(int(rng.integers(0, 20))):
            if not env.terminations[env.agent_selection]:
                env.step(int(rng.choice(np.flatnonzero(env.infos[env.agent_selection]["action_mask"]))))
        assert env.state_space.contains(env.state())
        said = env.state_layout.decode(env.state())
        me = 0 if env.terminations[env.agent_selection] else env.possible_agents.index(env.agent_selection)
        hands = {
            place: env.layout.decode(env.observe(f"player_{(me + i) % 4}")["observation"])["hand"]
            for i, place in enumerate(("me", "left", "partner", "right"))
        }
        assert said["hand"] == hands.pop("me")
        assert said["other_hands"] == [f"{place} {card}" for place, hand in hands.items() for card in hand]
        played = [words.split()[1] for words in said["played"]]
        away = [*said["turn_up"], *said["discarded"], *said["burned"], *said["stock"]]
        held = [*said["hand"], *(card for hand in hands.values() for card in hand)]
        assert sorted(played + away + held) == sorted(CARD_NAMES)


def test_state_shows_hands_that_are_bid_unseen():
    env = back_alley_v0.env(preset="blind7")
    env.reset(seed=0, options={"hand_size": 7})
    assert env.layout.decode(env.observe(env.agent_selection)["observation"]).get("hand", []) == []
    said = env.state_layout.decode(env.state())
    assert len(said["hand"]) == 7
    assert len(said["other_hands"]) == 21


@pytest.mark.skipif(not hasattr(pettingzoo, "make"), reason="PettingZoo has a registry from 1.27 on")
def test_is_registered():
    env = pettingzoo.make("aec", "backalley/back_alley-v0", preset="gamerules")
    env.reset(seed=0)
    assert env.unwrapped.table.rules.n_deals == 25
