"""Every rule set through every face: the public checks of PettingZoo, Gymnasium and our own, and no leak."""

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from pettingzoo.test import api_test

from backalley.envs import Rules, Table, back_alley_v0
from backalley.envs.api.conformance import check_aec, check_no_leak
from backalley.envs.api.seat import BackAlleySeat
from backalley.envs.back_alley.options import PRESETS

ID = "backalley/BackAlley-v0"
OFTEN = {"redeal": {"redeal_min_cards": 1}, "blind7": {"schedule": "list", "hand_sizes": (7, 3)}}
"""Settings with which the special rule of a preset comes into play more often."""


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("preset", PRESETS)
def test_aec(preset):
    api_test(back_alley_v0.env(preset=preset), num_cycles=60)
    check_aec(lambda: back_alley_v0.env(preset=preset, **OFTEN.get(preset, {})), n_games=1, seed=5)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("preset", PRESETS)
def test_gymnasium_seat(preset):
    check_env(BackAlleySeat(preset=preset, opponents="random"), skip_render_check=True)


@pytest.mark.parametrize("preset", PRESETS)
def test_gymnasium_vector_equals_single_environments(preset):
    kwargs = {"preset": preset, "opponents": "random", "seat": 1, **OFTEN.get(preset, {})}
    ours = gymnasium.make_vec(
        ID,
        num_envs=3,
        vectorization_mode="vector_entry_point",
        autoreset_mode=AutoresetMode.SAME_STEP,
        **kwargs,
    )
    theirs = gymnasium.vector.SyncVectorEnv(
        [lambda: BackAlleySeat(**kwargs)] * 3, autoreset_mode=AutoresetMode.SAME_STEP
    )
    draws = np.random.default_rng(0)
    observations = ours.reset(seed=7)[0]
    theirs.reset(seed=7)
    for _ in range(30):
        masks = observations["action_mask"]
        assert masks.any(1).all()
        actions = (masks * draws.random(masks.shape)).argmax(1)
        observations, rewards, *ends = ours.step(actions)[:4]
        other_observations, other_rewards, *other_ends = theirs.step(actions)[:4]
        for key, value in observations.items():
            assert np.array_equal(value, other_observations[key]), key
        assert np.array_equal(rewards, other_rewards)
        assert np.array_equal(ends, other_ends)


@pytest.mark.parametrize("preset", PRESETS)
def test_no_seat_sees_hidden_cards(preset):
    table = Table(Rules.preset(preset, **OFTEN.get(preset, {})), 32, seed=3, episode="match")
    assert check_no_leak(table, 2_000, seed=1) >= 2_000
