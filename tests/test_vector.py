import gymnasium
import numpy as np
import pytest
from gymnasium.utils import env_checker
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv

import backalley.envs  # noqa: F401 (registers the environments)
from backalley.envs.api.seat import BackAlleySeat
from backalley.envs.cards import CARD_NAMES
from backalley.envs.errors import IllegalAction, UnknownName

ID = "backalley/BackAlley-v0"
N = 5
VARIANTS = {
    "simple": {},
    "random seat": {"seat": "random"},
    "match": {"episode": "match", "hand_max": 2, "reward": "points"},
    "another partner": {"opponents": "random", "partner": "simple", "seat": 3},
    "cut off": {"max_redeals": 0, "opponents": "random", "hand_max": 2},
}
REDEAL = 88  # an action that is never legal here


def make(n=N, mode=AutoresetMode.SAME_STEP, **kwargs):
    return gymnasium.make_vec(ID, num_envs=n, vectorization_mode="vector_entry_point", autoreset_mode=mode, **kwargs)


def legal_actions(observations, rng):
    """Return a random legal action of each environment, 0 where there is none."""
    masks = observations["action_mask"]
    return (masks * rng.random(masks.shape)).argmax(1)


def assert_same(ours, theirs):
    assert ours.keys() == theirs.keys()
    for key, value in ours.items():
        if isinstance(value, dict):
            assert_same(value, theirs[key])
        else:
            assert data_equivalence(value, theirs[key], exact=True), key


@pytest.mark.parametrize("mode", AutoresetMode, ids=lambda mode: mode.name)
@pytest.mark.parametrize("kwargs", VARIANTS.values(), ids=VARIANTS)
def test_equals_gymnasiums_own_vector_of_single_environments(mode, kwargs):
    ours = make(mode=mode, **kwargs)
    theirs = SyncVectorEnv([lambda: BackAlleySeat(**kwargs)] * N, autoreset_mode=mode)
    rng = np.random.default_rng(0)
    observations, infos = ours.reset(seed=7)
    assert_same({"obs": observations, "infos": infos}, dict(zip(("obs", "infos"), theirs.reset(seed=7), strict=True)))
    names = ("observations", "rewards", "terminations", "truncations", "infos")
    n_ended = n_cut = 0
    for t in range(60):
        actions = legal_actions(observations, rng)
        if t % 17 == 5:
            actions[1] = REDEAL
        mine = dict(zip(names, ours.step(actions), strict=True))
        assert_same(mine, dict(zip(names, theirs.step(actions), strict=True)))
        observations, over = mine["observations"], mine["terminations"] | mine["truncations"]
        n_ended, n_cut = n_ended + over.sum(), n_cut + mine["truncations"].sum()
        if mode is AutoresetMode.DISABLED and over.any():
            observations, infos = ours.reset(options={"reset_mask": over.copy()})
            assert_same(infos, theirs.reset(options={"reset_mask": over.copy()})[1])
    assert n_ended > N
    assert (n_cut > 0) == ("max_redeals" in kwargs)


@pytest.mark.parametrize("mode", AutoresetMode, ids=lambda mode: mode.name)
def test_passes_what_gymnasium_checks_of_vectors(mode):
    env = make(mode=mode)
    assert env.metadata["autoreset_mode"] is mode
    env_checker.check_reset_seed_determinism(env)
    env_checker.check_reset_options(env)
    env_checker.check_reset_return_type(env)


def test_returned_data_is_not_reused():
    env = make()
    rng = np.random.default_rng(0)
    observations, infos = env.reset(seed=1)
    calls = [(observations, infos)]
    for _ in range(12):
        observations, rewards, terminations, truncations, infos = env.step(legal_actions(observations, rng))
        calls.append((observations, infos | {"r": rewards, "te": terminations, "tr": truncations}))
    arrays = [
        value for seen, told in calls for value in (*seen.values(), *told.values()) if isinstance(value, np.ndarray)
    ]
    arrays += [row for _, told in calls for row in told.get("final_info", {}).values()]
    assert len(arrays) > 100
    for i, array in enumerate(arrays):
        assert not any(np.shares_memory(array, other) for other in arrays[:i])


def test_spaces_hold_what_is_returned():
    env = make()
    observations, _ = env.reset(seed=2)
    for _ in range(20):
        assert env.observation_space.contains(observations)
        observations, rewards, terminations, truncations, infos = env.step(
            legal_actions(observations, np.random.default_rng(0))
        )
        assert (rewards.dtype, terminations.dtype, truncations.dtype) == (np.float64, np.bool_, np.bool_)
        assert np.array_equal(infos["action_mask"], observations["action_mask"])
        assert np.array_equal(env.action_masks(), observations["action_mask"])
        for final in infos.get("final_obs", []):
            assert final is None or env.single_observation_space.contains(final)


def test_wrapped_statistics_agree_with_our_own():
    env = gymnasium.wrappers.vector.RecordEpisodeStatistics(make(mode=AutoresetMode.NEXT_STEP, opponents="random"))
    rng = np.random.default_rng(0)
    observations, _ = env.reset(seed=3)
    n_ended = 0
    for _ in range(100):
        observations, _, _, _, infos = env.step(legal_actions(observations, rng))
        if "episode" in infos:
            ended = infos["_episode_return"]
            n_ended += ended.sum()
            assert np.array_equal(ended, infos["_episode"])
            assert np.allclose(infos["episode"]["r"], infos["episode_return"])
            assert np.array_equal(infos["episode"]["l"][ended], infos["episode_length"][ended])
    assert n_ended > 20


def test_masked_random_play_seldom_meets_the_same_state_twice():
    """Environments with different seeds see different hands."""
    observations, _ = make(64).reset(seed=0)
    assert len(np.unique(observations["observation"], axis=0)) > 60


def test_reset_options_hold_for_all_that_begin():
    env = make()
    observations, infos = env.reset(seed=1, options={"deck": list(CARD_NAMES), "dealer": 3, "hand_size": 1})
    assert env.layout.decode(observations["observation"][2])["hand"] == ["2S"]
    assert (infos["hand_size"] == 1).all()


def test_illegal_raises_on_request_before_anything_moves():
    env = make(illegal="raise")
    observations, _ = env.reset(seed=1)
    actions = legal_actions(observations, np.random.default_rng(0))
    for wrong in (REDEAL, -1, -2, 89, 10_000):
        actions[3] = wrong
        with pytest.raises(IllegalAction, match="environment 3: player_0"):
            env.step(actions)
        assert np.array_equal(env.game.see()["observation"], observations["observation"])


@pytest.mark.parametrize("mask", [np.zeros(N, bool), np.ones(N + 1, bool), np.ones(N, int)])
def test_bad_reset_masks_are_refused(mask):
    env = make(mode=AutoresetMode.DISABLED)
    with pytest.raises(ValueError, match="reset_mask must be"):
        env.reset(options={"reset_mask": mask})


def test_bad_keywords_are_refused():
    with pytest.raises(UnknownName, match="render mode"):
        make(render_mode="human")
    with pytest.raises(ValueError, match="SameSteps"):
        make(mode="SameSteps")
    with pytest.raises(ValueError, match="2 seeds for 5 environments"):
        make().reset(seed=[1, 2])


def test_renders_each_table():
    env = make(3, render_mode="ansi", seat="random")
    env.reset(seed=4)
    texts = env.render()
    assert len(texts) == 3
    for text in texts:
        assert text.count(" cards\n") == 3  # the other hands
