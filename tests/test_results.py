"""What `infos` tell of deals and matches, in all faces; and cuts fixed by the caller."""

import gymnasium
import numpy as np
import pytest

from backalley.envs import back_alley_v0
from backalley.envs.cards import CARD_NAMES

ID = "backalley/BackAlley-v0"
PACK_52 = list(CARD_NAMES[:52])


def play_aec(env, seed=0):
    """Play a random game and yield each agent's info when it acts, then those at the end."""
    rng = np.random.default_rng(seed)
    for agent in env.agent_iter():
        _, _, terminated, truncated, info = env.last()
        yield agent, info, terminated or truncated
        env.step(None if terminated or truncated else int(rng.choice(np.flatnonzero(info["action_mask"]))))


def test_aec_tells_each_agent_of_each_deal_once():
    env = back_alley_v0.env(preset="two_of_spades", episode="match", hand_max=2, max_redeals=1000)
    env.reset(seed=3)
    told = {agent: [] for agent in env.agents}
    totals, ends = {}, {}
    for agent, info, over in play_aec(env):
        if "deal_points" in info:
            told[agent].append((info["deal_points"], info["own_points"]))
        if over:
            ends[agent] = info
        totals[agent] = info["match_points"]
    assert {len(deals) for deals in told.values()} == {4}
    for agent, partner in (("player_0", "player_2"), ("player_1", "player_3")):
        assert totals[agent] == sum(points for points, _ in told[agent])
        for (points, own), (same, others) in zip(told[agent], told[partner], strict=True):
            assert points == same == own + others
    best = max(totals.values())
    winners = [agent for agent, total in totals.items() if total == best]
    assert all(info["winners"] == sorted(winners) for info in ends.values())
    assert any(own != points for deals in told.values() for points, own in deals)


def test_aec_tells_the_points_at_the_end_of_a_single_deal():
    env = back_alley_v0.env(preset="individual_3")
    env.reset(seed=1)
    ends = {agent: info for agent, info, over in play_aec(env) if over}
    points = env.unwrapped.table.states["deal_points"][0]
    assert [ends[f"player_{seat}"]["deal_points"] for seat in range(3)] == points[:3].tolist()
    assert [ends[f"player_{seat}"]["own_points"] for seat in range(3)] == points[:3].tolist()
    assert not any("winners" in info for info in ends.values())


def test_aec_tells_no_points_of_a_deal_that_is_cut_off():
    env = back_alley_v0.env(max_redeals=0)
    env.reset(seed=1)
    for _ in range(4):
        env.step(54)
    assert all(env.truncations.values())
    assert not any("deal_points" in info for info in env.infos.values())


def test_clones_keep_what_was_told():
    env = back_alley_v0.env(episode="match", hand_max=1)
    env.reset(seed=1, options={"deck": list(CARD_NAMES), "dealer": 3})
    for action in (68, 54, 54, 54, 0, 1, 2, 3):
        env.step(action)
    twin = env.clone()
    env.step(54)
    assert "deal_points" not in env.infos["player_1"]
    assert twin.infos["player_1"]["deal_points"] == 1
    assert twin.infos["player_2"]["deal_points"] == -10


def test_seat_tells_of_each_deal_in_the_step_that_scores_it():
    env = gymnasium.make(ID, preset="two_of_spades", opponents="random", episode="match", hand_max=2, max_redeals=1000)
    _, info = env.reset(seed=5)
    rng, deals, over = np.random.default_rng(0), [], False
    while not over:
        _, _, terminated, truncated, info = env.step(rng.choice(np.flatnonzero(info["action_mask"])))
        over = terminated or truncated
        assert ("winners" in info) == over
        if "deal_points" in info:
            deals.append((info["deal_points"], info["own_points"]))
    assert len(deals) == 4
    assert np.array_equal(sum(points for points, _ in deals), info["match_points"])
    assert all((points[:2] == own[:2] + own[2:]).all() for points, own in deals)
    assert np.array_equal(info["winners"], info["match_points"] == info["match_points"].max())


@pytest.mark.parametrize("preset", ["six_3x2", "emw_singles"])
def test_vector_tells_of_deals_where_one_was_scored(preset):
    env = gymnasium.make_vec(
        ID, 6, vectorization_mode="vector_entry_point", preset=preset, opponents="random", episode="match", hand_max=2
    )
    observations, infos = env.reset(seed=2)
    rng, n_scored = np.random.default_rng(0), 0
    totals = infos["match_points"].copy()
    for _ in range(60):
        masks = observations["action_mask"]
        observations, _, terminations, truncations, infos = env.step((masks * rng.random(masks.shape)).argmax(1))
        now = infos["match_points"]
        if "deal_points" in infos:
            scored = infos["_deal_points"]
            n_scored += scored.sum()
            assert np.array_equal(now[scored], (totals + infos["deal_points"])[scored])
        totals = np.where((terminations | truncations)[:, None], 0, now)
        if "winners" in infos:
            won = infos["_winners"]
            assert np.array_equal(won, terminations)
            assert infos["winners"][won].any(1).all()
    assert n_scored > 10


# Cuts.


def cut_of(env):
    return env.unwrapped.table.states["cut"][0]


def test_a_cut_fixes_trumps_and_stays_in_play():
    env = back_alley_v0.env(preset="two_of_spades", render_mode="ansi")
    env.reset(seed=0, options={"deck": PACK_52, "cut": "7H", "dealer": 0, "hand_size": 13})
    assert CARD_NAMES[cut_of(env)] == "7H"
    assert "trumps hearts, cut 7H, 2S high" in env.render()
    assert "7H" in " ".join(env.render().splitlines()[2:6])
    env.reset(seed=0, options={"deck": PACK_52, "cut": "2S", "dealer": 0, "hand_size": 13})
    assert "no trumps, cut 2S" in env.render()


def test_decks_have_cuts_one_by_one():
    env = back_alley_v0.env(preset="all_bid", hand_max=13, schedule="constant")
    decks = [PACK_52, list(reversed(PACK_52))]
    env.reset(seed=0, options={"deck": decks, "cut": ["7H", 51], "dealer": 3})
    assert CARD_NAMES[cut_of(env)] == "7H"
    for _ in range(4):
        env.step(54)
    assert CARD_NAMES[cut_of(env)] == "AC"
    env.reset(seed=0, options={"deck": decks, "cut": [None, "3D"], "dealer": 3})
    assert cut_of(env) >= 0


def test_the_seat_environment_takes_cuts_too():
    env = gymnasium.make(ID, preset="web_solo", players=3, opponents="random")
    env.reset(seed=0, options={"deck": PACK_52, "cut": "9C", "hand_size": 13})
    assert CARD_NAMES[env.unwrapped.game.table.states["cut"][0]] == "9C"
