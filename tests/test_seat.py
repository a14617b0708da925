import copy
import pickle

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import backalley.envs  # noqa: F401 (registers the environments)
from backalley.envs.cards import CARD_NAMES
from backalley.envs.errors import IllegalAction, InvalidDeck, UnknownName

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
    observation, reward, terminated, truncated, info = env.step(wrong)
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert info["illegal_action"]
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


def test_mixed_opponents_play_their_own_seats():
    """A bot in a kernel as partner, a function as opponents: each is asked for its own seats only."""
    asked = set()

    def watcher(views, legal, rng):
        asked.update(views["observer"].tolist())
        return np.array([rng.choice(np.flatnonzero(row)) for row in legal])

    env = gymnasium.make(ID, opponents=watcher, partner="simple", seat=1)
    first = play(env, 5)
    assert asked == {0, 2}
    assert play(env, 5) == first


def test_partners_are_told_from_opponents():
    """With a partner who always bids one, the side's bid shows at every seat."""

    def passes(views, legal, rng):
        return np.where(legal[:, 54], 54, legal.argmax(1))

    def bids_one(views, legal, rng):
        return np.where(legal[:, 55], 55, legal.argmax(1))

    for seat in range(4):
        env = gymnasium.make(ID, opponents=passes, partner=bids_one, seat=seat, hand_max=3).unwrapped
        env.reset(seed=seat, options={"dealer": (seat + 3) % 4, "hand_size": 3})
        env.step(54)
        assert env.game.table.states["bid_number"][0, :4].tolist() == [int(i == (seat + 2) % 4) for i in range(4)]


def test_opponents_who_break_the_rules_are_named():
    env = gymnasium.make(ID, opponents=lambda views, legal, rng: np.full(len(views), 88))
    with pytest.raises(IllegalAction, match=r"player_[1-3] chose redeal"):
        play(env, 0)


def test_names_with_a_text_reach_the_factory(monkeypatch):
    from backalley.envs.api import opponents
    from backalley.policies.registry import make

    class Point:
        name = "grade"

        def load(self):
            return lambda rules, text: make(text, rules)

    monkeypatch.setattr(opponents, "entry_points", lambda group: [Point()])
    assert play(gymnasium.make(ID, opponents="grade:random"), 3)[-1][2]


def test_what_is_no_policy_is_refused():
    with pytest.raises(TypeError, match="3 is no policy"):
        gymnasium.make(ID, opponents=3)


def test_random_seats_differ_and_come_from_the_seed():
    env = gymnasium.make(ID, seat="random")
    seats = [env.reset(seed=seed)[1]["seat"] for seed in range(40)]
    assert set(seats) == {0, 1, 2, 3}
    assert seats == [env.reset(seed=seed)[1]["seat"] for seed in range(40)]


@pytest.mark.parametrize("kwargs", [{}, {"seat": "random", "episode": "match", "hand_max": 2}])
def test_copies_in_mid_game_go_on_alike(kwargs):
    env = gymnasium.make(ID, opponents="random", **kwargs).unwrapped
    observation, _ = env.reset(seed=9)
    env.step(int(np.flatnonzero(observation["action_mask"])[0]))
    trails = []
    for one in (copy.deepcopy(env), pickle.loads(pickle.dumps(env)), env):
        rng, trail = np.random.default_rng(1), []
        for _ in range(30):
            mask = one.action_masks()
            step = one.step(int(rng.choice(np.flatnonzero(mask)))) if mask.any() else (*one.reset(), 0.0, False, False)
            trail.append(pickle.dumps([step[0], step[1], *step[2:4]]))
        trails.append(trail)
    assert trails[0] == trails[1] == trails[2]


def test_infos_tell_seat_size_and_score():
    env = gymnasium.make(ID, episode="match", hand_max=2, reward="points", seat=3)
    _, info = env.reset(seed=1)
    assert info.keys() == {"action_mask", "seat", "hand_size", "deal_index", "match_points"}
    rng, total, sizes, n_steps = np.random.default_rng(0), 0.0, set(), 0
    over = False
    while not over:
        sizes.add((info["deal_index"], info["hand_size"]))
        assert info["match_points"][3] == total
        _, reward, terminated, truncated, info = env.step(rng.choice(np.flatnonzero(info["action_mask"])))
        total, n_steps, over = total + reward, n_steps + 1, terminated or truncated
    assert sizes == {(0, 2), (1, 1), (2, 1), (3, 2)}
    assert (info["episode_return"], info["episode_length"]) == (total, n_steps)
    assert info["match_points"][1] == info["match_points"][3] == total


def test_reset_options_fix_the_chance():
    env = gymnasium.make(ID, seat=2)
    observation, _ = env.reset(seed=1, options={"deck": list(CARD_NAMES), "dealer": 1, "hand_size": 1, "nonsense": 0})
    said = env.unwrapped.layout.decode(observation["observation"])
    assert (said["hand"], said["turn_up"]) == (["2S"], ["6S"])
    for options, error in (({"deck": "AS"}, InvalidDeck), ({"dealer": 4}, ValueError), ({"hand_size": 14}, ValueError)):
        with pytest.raises(error):
            env.reset(options=options)


def test_all_points_arrive_at_the_learner():
    """The learner's reward over a deal is its side's points minus the others'."""
    env = gymnasium.make(ID, opponents="simple").unwrapped
    for seed in range(30):
        trail = play(env, seed)
        points = env.game.table.states["deal_points"][0]
        assert sum(reward for _, reward, _ in trail) == points[0] - points[1]
