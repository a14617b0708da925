"""Adapters for other frameworks, as far as they can be seen without these, and the examples as files.

The examples themselves run by `tests/integrations/run`.
"""

import ast
import importlib
import os
import pickle
import re
import subprocess
import sys
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from pettingzoo.test import parallel_api_test

from backalley.envs import back_alley_v0
from backalley.envs.api.agilerl import IDLE_ACTION, parallel_env
from backalley.envs.api.rllib import RLlibKeys, env_creator

FOLDER = Path(__file__).parent / "integrations"
EXAMPLES = sorted(FOLDER.glob("*/*.py"))
REQUIREMENTS = sorted(FOLDER.glob("*/requirements.txt"))
ID = "backalley/BackAlley-v0"


def names(paths):
    return [path.relative_to(FOLDER).as_posix() for path in paths]


# The examples.


def test_there_are_examples():
    assert len(REQUIREMENTS) >= 7
    assert {path.parent for path in REQUIREMENTS} == {path.parent for path in EXAMPLES}


@pytest.mark.parametrize("path", REQUIREMENTS, ids=names(REQUIREMENTS))
def test_requirements_are_pinned(path):
    for line in path.read_text().splitlines():
        assert re.fullmatch(r"[\w-]+(\[\w+\])?==[\w.]+", line), line


@pytest.mark.parametrize("path", EXAMPLES, ids=names(EXAMPLES))
def test_what_examples_take_from_the_package_exists(path):
    taken = 0
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("backalley"):
            if node.module == "backalley.envs.api.sb3":
                pytest.importorskip("stable_baselines3")
            if node.module == "backalley.policies.open_spiel":
                pytest.importorskip("pyspiel")
            module = importlib.import_module(node.module)
            for alias in node.names:
                assert hasattr(module, alias.name), f"{node.module}.{alias.name}"
                taken += 1
    assert taken >= 2


@pytest.mark.skipif(os.name == "nt", reason="a shell script")
def test_run_names_the_examples():
    done = subprocess.run([FOLDER / "run", "sb4"], capture_output=True, text=True)
    known = " ".join(path.parent.name for path in REQUIREMENTS)
    assert (done.returncode, done.stderr) == (2, f"no example 'sb4' (known: {known})\n")
    assert subprocess.run([FOLDER / "run"], capture_output=True).returncode == 2


# What frameworks ask for.


def test_a_render_mode_that_make_vec_env_tries_is_a_type_error():
    with (
        pytest.warns(UserWarning, match="not in the possible render_modes"),
        pytest.raises(TypeError, match="unknown render mode 'rgb_array'"),
    ):
        gymnasium.make(ID, render_mode="rgb_array")


def test_rllib_keys_are_the_environment_under_other_names():
    ours, theirs = back_alley_v0.env(), RLlibKeys(back_alley_v0.env())
    rng = np.random.default_rng(0)
    n_steps = 0
    for seed in range(5):
        ours.reset(seed=seed)
        theirs.reset(seed=seed)
        for agent in ours.agent_iter():
            seen, *mine = ours.last()
            renamed, *others = theirs.last()
            assert theirs.agent_selection == agent
            assert list(renamed) == ["observations", "action_mask"]
            assert np.array_equal(renamed["observations"], seen["observation"])
            assert np.array_equal(renamed["action_mask"], seen["action_mask"])
            assert theirs.observation_space(agent).contains(renamed)
            assert mine[:3] == others[:3]
            action = None if mine[1] or mine[2] else int(rng.choice(np.flatnonzero(seen["action_mask"])))
            ours.step(action)
            theirs.step(action)
            n_steps += 1
    assert n_steps > 50
    assert theirs.observation_space("player_1") is theirs.observation_space("player_1")


def test_rllib_keys_pickle_in_mid_game():
    env = RLlibKeys(back_alley_v0.env(hand_max=2))
    env.reset(seed=3)
    again = pickle.loads(pickle.dumps(env))
    assert np.array_equal(again.observe("player_1")["observations"], env.observe("player_1")["observations"])


def test_the_creator_names_rllib_where_it_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ModuleNotFoundError, match=r"needs ray, which is not installed: pip install 'ray\[rllib\]'"):
        env_creator({"preset": "partnership"})


def test_the_vector_adapter_names_stable_baselines_where_it_is_missing(monkeypatch):
    for name in list(sys.modules):
        if name == "backalley.envs.api.sb3" or name.startswith("stable_baselines3."):
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "stable_baselines3", None)
    with pytest.raises(ModuleNotFoundError, match=r"needs stable_baselines3, .* pip install 'backalley\[sb3\]'"):
        importlib.import_module("backalley.envs.api.sb3")


def test_parallel_seats_play_the_same_game():
    ours, parallel = back_alley_v0.env(), parallel_env()
    rng = np.random.default_rng(0)
    paid = 0
    for seed in range(12):
        ours.reset(seed=seed)
        observations, infos = parallel.reset(seed=seed)
        while parallel.agents:
            actor = ours.agent_selection
            for agent in parallel.agents:
                mask = infos[agent]["action_mask"]
                assert np.array_equal(observations[agent], ours.observe(agent)["observation"])
                if agent == actor:
                    assert np.array_equal(mask, ours.infos[agent]["action_mask"])
                else:
                    assert np.flatnonzero(mask).tolist() == [IDLE_ACTION]
            actions = {agent: int(rng.choice(np.flatnonzero(infos[agent]["action_mask"]))) for agent in parallel.agents}
            observations, rewards, terminations, truncations, infos = parallel.step(actions)
            ours.step(actions[actor])
            assert rewards == ours.rewards
            paid += any(rewards.values())
        assert all(terminations.values()) or all(truncations.values())
        assert terminations == ours.terminations
    assert paid >= 3


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_parallel_seats_pass_pettingzoos_test():
    parallel_api_test(parallel_env(hand_max=2), num_cycles=100)


def test_the_seat_to_act_has_to_act():
    env = parallel_env()
    env.reset(seed=0)
    with pytest.raises(KeyError, match="no action of player_"):
        env.step({})


# Stable-Baselines3, where it is installed.

VARIANTS = {
    "simple": {},
    "match": {"episode": "match", "hand_max": 2, "reward": "points", "seat": "random"},
    "cut off": {"max_redeals": 0, "opponents": "random", "hand_max": 2},
}


@pytest.mark.parametrize("kwargs", VARIANTS.values(), ids=VARIANTS)
def test_the_vector_adapter_equals_their_own_vector_of_single_environments(kwargs):
    vectors = pytest.importorskip("stable_baselines3.common.vec_env")
    from stable_baselines3.common.monitor import Monitor

    from backalley.envs.api.sb3 import make_native_vec_env

    n = 6
    ours = make_native_vec_env(n, seed=4, **kwargs)
    theirs = vectors.DummyVecEnv([lambda: Monitor(gymnasium.make(ID, **kwargs))] * n)
    theirs.seed(4)
    rng = np.random.default_rng(0)
    mine, others = ours.reset(), theirs.reset()
    n_over = n_cut = 0
    for t in range(60):
        for name in ("observation", "action_mask"):
            assert np.array_equal(mine[name], others[name])
        masks = np.stack(ours.env_method("action_masks"))
        assert masks.dtype == np.bool_
        assert np.array_equal(masks, np.stack(theirs.env_method("action_masks")))
        actions = (masks * rng.random(masks.shape)).argmax(1)
        if t % 17 == 5:
            actions[1] = 88  # never legal here
        mine, my_rewards, my_dones, my_infos = ours.step(actions)
        others, rewards, dones, infos = theirs.step(actions)
        assert np.array_equal(my_rewards, rewards)
        assert my_rewards.dtype == np.float32
        assert np.array_equal(my_dones, dones)
        for i in np.flatnonzero(dones):
            assert_same_end(my_infos[i], infos[i])
            n_cut += my_infos[i]["TimeLimit.truncated"]
        assert not any(my_infos[i] for i in np.flatnonzero(~dones))
        n_over += dones.sum()
    assert n_over > n
    assert (n_cut > 0) == ("max_redeals" in kwargs)


def assert_same_end(mine, theirs):
    assert mine["TimeLimit.truncated"] == theirs["TimeLimit.truncated"]
    assert mine["episode"]["l"] == theirs["episode"]["l"]
    assert mine["episode"]["r"] == pytest.approx(theirs["episode"]["r"], abs=1e-6)
    for name in ("observation", "action_mask"):
        assert np.array_equal(mine["terminal_observation"][name], theirs["terminal_observation"][name])
    for name in set(theirs) - {"terminal_observation", "episode", "TimeLimit.truncated"}:
        assert np.array_equal(mine[name], theirs[name]), name


def test_the_vector_adapter_is_what_stable_baselines_asks_for():
    pytest.importorskip("stable_baselines3")
    from sb3_contrib.common.maskable.utils import is_masking_supported
    from stable_baselines3.common.monitor import Monitor
    from stable_baselines3.common.vec_env import VecNormalize

    from backalley.envs.api.sb3 import NativeVecEnv, make_native_vec_env

    envs = make_native_vec_env(4, seed=0)
    assert is_masking_supported(envs)
    assert is_masking_supported(VecNormalize(envs, norm_obs=False))
    assert envs.env_is_wrapped(Monitor) == [True] * 4
    assert len(envs.env_method("action_masks", indices=[1, 3])) == 2
    with pytest.raises(AttributeError, match="has no method 'fly'"):
        envs.env_method("fly")
    assert not envs.has_attr("fly")
    envs.set_options({"hand_size": 3})
    observations = envs.reset()
    hand = back_alley_v0.env().layout.slices["hand"]
    assert (observations["observation"][:, hand].sum(1) == 3).all()
    with pytest.raises(ValueError, match="give one dict"):
        envs.set_options([{}] * 4)
    with pytest.raises(ValueError, match="does not fit Stable-Baselines3"):
        NativeVecEnv(gymnasium.make_vec(ID, num_envs=2, vectorization_mode="vector_entry_point"))
