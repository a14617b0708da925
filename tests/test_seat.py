import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

import backalley.envs  # noqa: F401 (registers the environments)
from backalley.envs.errors import IllegalAction, UnknownName

ID = "backalley/BackAlley-v0"


def play(env, seed, n_steps=60):
    """Return rewards, flags and observations of masked random play with one generator."""
    rng = np.random.default_rng(seed)
    observation, info = env.reset(seed=seed)
    trail = [(observation["observation"].tobytes(), 0.0, False)]
    for _ in range(n_steps):
        action = rng.choice(np.flatnonzero(observation["action_mask"]))
        observation, reward, terminated, truncated, info = env.step(action)
        trail.append((observation["observation"].tobytes(), reward, terminated or truncated))
        if terminated or truncated:
            assert not observation["action_mask"].any()
            break
        assert np.array_equal(info["action_mask"], env.unwrapped.action_masks())
    return trail


@pytest.mark.parametrize("kwargs", [{}, {"seat": "random", "episode": "match"}, {"opponents": "random"}])
@pytest.mark.filterwarnings("ignore")
def test_passes_gymnasiums_check(kwargs):
    check_env(gymnasium.make(ID, **kwargs).unwrapped)


def test_same_seed_same_episode():
    env = gymnasium.make(ID, opponents="random")
    assert play(env, 3) == play(env, 3)
    assert play(env, 3) != play(env, 4)


def test_the_learner_is_always_on_turn():
    env = gymnasium.make(ID, seat="random").unwrapped
    for seed in range(20):
        env.reset(seed=seed)
        assert env.game.table.turn[0] == env.game.learner[0]


def test_functions_can_be_opponents():
    def lowest(views, legal, rng):
        return legal.argmax(1)

    env = gymnasium.make(ID, opponents=lowest, partner="simple")
    assert play(env, 5)[-1][2]


def test_kernel_and_batched_opponents_play_alike():
    class Slow:
        """`simple` without its fast path."""

        def __init__(self):
            from backalley.envs import Rules
            from backalley.policies.registry import make

            self.policy = make("simple", Rules.preset("partnership"))

        def act(self, views, legal, rng):
            return self.policy.act(views, legal, rng)

    for seed in range(10):
        assert play(gymnasium.make(ID, opponents=Slow()), seed) == play(gymnasium.make(ID, opponents="simple"), seed)


def test_illegal_action_ends_the_episode_or_raises():
    env = gymnasium.make(ID)
    observation, _ = env.reset(seed=1)
    wrong = int(np.flatnonzero(observation["action_mask"] == 0)[0])
    observation, reward, terminated, truncated, _ = env.step(wrong)
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert not observation["action_mask"].any()
    strict = gymnasium.make(ID, illegal="raise")
    strict.reset(seed=1)
    with pytest.raises(IllegalAction, match="player_0"):
        strict.step(wrong)


def test_unknown_opponents_are_refused():
    with pytest.raises(UnknownName, match="did you mean 'simple'"):
        gymnasium.make(ID, opponents="simpel")


@pytest.mark.parametrize("seat", [4, -1, "north"])
def test_seats_that_do_not_exist_are_refused(seat):
    with pytest.raises(ValueError, match="is not at the table"):
        gymnasium.make(ID, seat=seat)


def make_vector(n, mode=AutoresetMode.NEXT_STEP, **kwargs):
    return gymnasium.make_vec(ID, num_envs=n, vectorization_mode="vector_entry_point", autoreset_mode=mode, **kwargs)


def masked_actions(masks, rng):
    """Return a random legal action of each row, 0 where there is none."""
    return (masks * rng.random(masks.shape)).argmax(1)


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
@pytest.mark.parametrize("opponents", ["simple", "random"])
def test_vector_equals_single_environments(mode, opponents):
    n = 6
    vector = make_vector(n, mode, opponents=opponents)
    singles = [gymnasium.make(ID, opponents=opponents) for _ in range(n)]
    observations, _ = vector.reset(seed=10)
    alone = [env.reset(seed=10 + i)[0] for i, env in enumerate(singles)]
    over = np.zeros(n, bool)
    rng = np.random.default_rng(0)
    for _ in range(80):
        for i in range(n):
            assert np.array_equal(observations["observation"][i], alone[i]["observation"])
            assert np.array_equal(observations["action_mask"][i], alone[i]["action_mask"])
        actions = masked_actions(observations["action_mask"], rng)
        observations, rewards, terminated, truncated, infos = vector.step(actions)
        for i, env in enumerate(singles):
            if over[i]:  # NEXT_STEP: this step resets
                alone[i], reward, end, cut = env.reset()[0], 0.0, False, False
            else:
                alone[i], reward, end, cut, _ = env.step(actions[i])
            assert (rewards[i], terminated[i], truncated[i]) == (reward, end, cut)
            over[i] = end or cut
            if over[i] and mode is AutoresetMode.SAME_STEP:
                assert np.array_equal(infos["final_obs"][i]["observation"], alone[i]["observation"])
                assert infos["_final_obs"][i]
                alone[i] = env.reset()[0]
                over[i] = False


def test_disabled_autoreset_waits_for_the_mask():
    vector = make_vector(4, AutoresetMode.DISABLED)
    observations, _ = vector.reset(seed=2)
    rng = np.random.default_rng(0)
    over = np.zeros(4, bool)
    while not over.any():
        observations, _, terminated, truncated, _ = vector.step(masked_actions(observations["action_mask"], rng))
        over = terminated | truncated
    with pytest.raises(ValueError, match="reset_mask"):
        vector.step(np.zeros(4, int))
    kept = observations["observation"][~over]
    observations, _ = vector.reset(options={"reset_mask": over})
    assert np.array_equal(observations["observation"][~over], kept)
    assert observations["action_mask"].any(1).all()


def test_vector_arrays_are_fresh_and_in_their_spaces():
    vector = make_vector(5, AutoresetMode.SAME_STEP)
    observations, infos = vector.reset(seed=2)
    assert vector.observation_space.contains(observations)
    copy = observations["observation"].copy()
    vector.step(masked_actions(observations["action_mask"], np.random.default_rng(0)))
    assert np.array_equal(observations["observation"], copy)
    assert infos["action_mask"].shape == (5, 89)
    assert infos["_action_mask"].all()


def test_a_list_of_seeds_needs_one_each():
    with pytest.raises(ValueError, match="2 seeds for 3 environments"):
        make_vector(3).reset(seed=[1, 2])


def test_all_points_arrive_at_the_learner():
    """The learner's reward over a deal is its side's points minus the others'."""
    env = gymnasium.make(ID, opponents="simple").unwrapped
    for seed in range(30):
        trail = play(env, seed)
        points = env.game.table.states["deal_points"][0]
        assert sum(reward for _, reward, _ in trail) == points[0] - points[1]
