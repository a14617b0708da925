"""Streets and Alleys as Gymnasium sees it: the single and the vector environment."""

import copy
import pickle

import gymnasium
import numpy as np
import pytest
from gymnasium.utils import env_checker
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from oracle.patience import Patience
from patience_adapter import to_move
from test_vector import assert_same, legal_actions
from worked_patience import BLOCKED_AT_ONCE

from backalley.envs.api.patience import StreetsAndAlleysEnv
from backalley.envs.cards import parse_cards
from backalley.envs.errors import IllegalAction
from backalley.envs.streets_and_alleys.actions import move_action
from backalley.envs.streets_and_alleys.notation import action_name, parse_action

ID = "backalley/StreetsAndAlleys-v0"
CASTLE = {"preset": "beleaguered_castle"}
SUITS_IN_ORDER = [rank + suit for suit in "SHDC" for rank in "A23456789TJQK"]  # the deck of SA-E1
FALLING = [rank + suit for rank in "KQJT98765432A" for suit in "SHDC"]
"""Every pile falls from base to top, so cards can go up until the game is won (SA-33)."""
N = 5
NEVER_LEGAL = move_action(0, 1, 13)  # from a pile of seven cards; after long play too, hardly ever a run of 13


def make(**kwargs):
    return gymnasium.make(ID, **kwargs)


def make_many(mode=AutoresetMode.SAME_STEP, **kwargs):
    return gymnasium.make_vec(ID, num_envs=N, vectorization_mode="vector_entry_point", autoreset_mode=mode, **kwargs)


def start(deck, **kwargs):
    """Return the unwrapped environment after a reset with this deck, and what the reset returned."""
    env = make(**kwargs).unwrapped
    return env, *env.reset(seed=0, options={"deck": deck})


def deck_of(piles):
    """Return the deck that deals these piles, base to top, the rest of the 48 cards of the castle below them."""
    shown = {card for pile in piles for card in pile.split()}
    rest = [card for card in SUITS_IN_ORDER if card not in shown and card[0] != "A"]
    full = []
    for pile in piles:
        n_below = 6 - len(pile.split())
        full.append(rest[:n_below] + pile.split())
        rest = rest[n_below:]
    return [full[i % 8][i // 8] for i in range(48)]


def play_up(env, info):
    """Bring cards up, the lowest pile first, until the episode is over; return the rewards and the last step."""
    rewards = []
    while True:
        step = env.step(int(np.flatnonzero(info["action_mask"])[0]))
        rewards.append(step[1])
        info = step[4]
        if step[2] or step[3]:
            return rewards, step


# One game.


@pytest.mark.parametrize("kwargs", [{}, {**CASTLE, "reward": "win"}], ids=str)
@pytest.mark.filterwarnings("ignore")
def test_passes_gymnasiums_check(kwargs):
    env_checker.check_env(make(**kwargs).unwrapped)


def test_goes_along_with_the_oracle():
    """Through the wrappers of `make`, which check spaces and types: masks, counters, rewards, the end."""
    rng, ends = np.random.default_rng(5), set()
    for seed in range(12):
        kwargs = CASTLE if seed % 2 else {}
        pack = [card for card in SUITS_IN_ORDER if not kwargs or card[0] != "A"]
        deck = [pack[i] for i in rng.permutation(len(pack))]
        game, env = Patience({"aces_up": bool(kwargs)}, deck=deck), make(max_moves=40, **kwargs)
        observation, info = env.reset(seed=seed, options={"deck": deck})
        check_same(env, game, observation, info)
        start, over = game.score, game.is_over
        while not over:
            action = int(rng.choice(np.flatnonzero(observation["action_mask"])))
            before = game.score
            game.play(to_move(action))
            observation, reward, terminated, truncated, info = env.step(action)
            over = terminated or truncated
            assert (terminated, truncated) == (game.is_over, not game.is_over and game.n_moves == 40)
            assert reward == game.score - before
            check_same(env, game, observation, info, over=over)
            if over:
                ends.add(terminated)
                assert info["episode_return"] == game.score - start
                assert (info["episode_length"], info["is_won"]) == (game.n_moves, False)
    assert ends == {True, False}


def check_same(env, game, observation, info, *, over=False):
    """Compare what is seen with the oracle's game; only an episode that is over has more infos."""
    mask = observation["action_mask"]
    assert {to_move(action) for action in np.flatnonzero(mask)} == (set() if over else game.legal_moves())
    assert np.array_equal(mask, info["action_mask"])
    assert np.array_equal(mask, env.unwrapped.action_masks())
    assert (info["n_moves"], info["cards_up"]) == (game.n_moves, game.score)
    usual = {"action_mask", "n_moves", "cards_up"}
    assert info.keys() == (usual | {"episode_return", "episode_length", "is_won"} if over else usual)


@pytest.mark.parametrize("kwargs", [{}, {**CASTLE, "worry_back": True}], ids=str)
def test_mask_is_what_a_step_accepts(kwargs):
    env = make(**kwargs).unwrapped
    rng = np.random.default_rng(3)
    mask = env.reset(seed=2)[0]["action_mask"]
    for _ in range(3):
        accepted = np.zeros(768, np.int8)
        for action in range(768):
            accepted[action] = "illegal_action" not in env.clone().step(action)[4]
        assert np.array_equal(accepted, mask)
        for _ in range(3):
            mask = env.step(int(rng.choice(np.flatnonzero(mask))))[0]["action_mask"]
    assert mask.any()


@pytest.mark.parametrize(("reward", "rewards"), [("progress", [1.0] * 48), ("win", [0.0] * 47 + [1.0])])
def test_a_win_brings_all_cards_up(reward, rewards):
    """Four aces go up during the deal and are paid by nothing, the other 48 cards are moves (SA-14, SA-34)."""
    env, _, info = start(FALLING, reward=reward)
    assert (info["n_moves"], info["cards_up"]) == (0, 4)
    paid, (_, _, terminated, truncated, info) = play_up(env, info)
    assert paid == rewards
    assert (terminated, truncated) == (True, False)
    assert (info["n_moves"], info["cards_up"], info["is_won"]) == (48, 52, True)
    assert (info["episode_return"], info["episode_length"]) == (sum(rewards), 48)


def test_cut_off_after_max_moves():
    env, _, info = start(FALLING, max_moves=3)
    paid, (observation, _, terminated, truncated, info) = play_up(env, info)
    assert paid == [1.0] * 3
    assert (terminated, truncated) == (False, True)
    assert not observation["action_mask"].any()
    assert (info["n_moves"], info["cards_up"], info["is_won"]) == (3, 7, False)


@pytest.mark.parametrize("illegal", ["terminate", "raise"])
@pytest.mark.parametrize("action", [0, 767])
def test_a_deal_blocked_at_once_ends_with_the_first_step_whatever_it_is(action, illegal):
    env, observation, info = start(BLOCKED_AT_ONCE, illegal=illegal)
    assert not observation["action_mask"].any()
    assert (info.keys(), info["cards_up"]) == ({"action_mask", "n_moves", "cards_up"}, 1)
    for _ in range(2):  # stepping on changes nothing
        _, reward, terminated, truncated, info = env.step(action)
        assert (reward, terminated, truncated) == (0.0, True, False)
        assert (info["episode_return"], info["episode_length"], info["is_won"]) == (0.0, 1, False)
        assert (info["n_moves"], "illegal_action" in info) == (0, False)


def test_illegal_action_ends_the_episode_or_raises():
    env, observation, _ = start(SUITS_IN_ORDER)
    wrong = parse_action("T1-F")  # TC, and no club is up
    observation, reward, terminated, truncated, info = env.step(wrong)
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert (info["illegal_action"], info["is_won"], info["episode_return"]) == (True, False, -1.0)
    assert not observation["action_mask"].any()
    env.reset(options={"deck": SUITS_IN_ORDER})
    assert "illegal_action" not in env.step(parse_action("T1-T2"))[4]
    strict, before, _ = start(SUITS_IN_ORDER, illegal="raise")
    for action in (wrong, -1, -2, 768, 10_000):
        with pytest.raises(IllegalAction, match=r"illegal|does not exist"):
            strict.step(action)
    assert np.array_equal(strict.action_masks(), before["action_mask"])
    assert strict.step(parse_action("T1-T2"))[1:4] == (0.0, False, False)


def test_seeds_fix_the_deals():
    env = make().unwrapped
    deals = [[env.reset(seed=given)[0]["observation"].tobytes() for given in (seed, None)] for seed in (1, 2, 1)]
    assert deals[0] == deals[2]
    assert len({deal for pair in deals for deal in pair}) == 4


def test_decks_in_every_form():
    env, expected, _ = start(SUITS_IN_ORDER)
    ids = parse_cards(SUITS_IN_ORDER)
    forms = (ids, np.array(ids), " ".join(SUITS_IN_ORDER), ", ".join(SUITS_IN_ORDER), [SUITS_IN_ORDER, FALLING], [ids])
    for deck in forms:
        observation, _ = env.reset(options={"deck": deck, "dealer": 9, "hand_size": 3, "cut": "7H", "nonsense": 0})
        assert np.array_equal(observation["observation"], expected["observation"])
    assert env.layout.decode(expected["observation"])["depth"][:8] == [
        f"on top {card}" for card in ("6C", "7C", "8C", "9C", "TC", "JC", "QC", "KC")
    ]
    castle, observation, info = start([card for card in SUITS_IN_ORDER if card[0] != "A"], **CASTLE)
    assert info["cards_up"] == 4
    assert not np.array_equal(observation["observation"], castle.reset()[0]["observation"])


def test_a_shortcut_is_told_as_single_moves():
    """SA-E8 with other piles: one empty pile, 8H 7C onto 9C in three moves, counted as one (SA-27)."""
    env, _, _ = start(deck_of(["7S 6S 5S 4S 3S 2S", "8H 7C", "9C", "", "", "", "", ""]), **CASTLE)
    shortcut = parse_action("T2-T3x2")
    with pytest.raises(IllegalAction, match="with 0 empty piles at most 1 can be moved"):
        env.expand(shortcut)
    for _ in range(6):
        env.step(parse_action("T1-F"))
    singles = env.expand(shortcut)
    assert [action_name(action) for action in singles] == ["T2-T1", "T2-T3", "T1-T3"]
    assert env.expand(singles[0]) == singles[:1]
    slow = env.clone()
    assert [slow.step(action)[4]["n_moves"] for action in singles] == [7, 8, 9]
    assert env.step(shortcut)[4]["n_moves"] == 7
    assert np.array_equal(slow.game.table.states["piles"], env.game.table.states["piles"])


GAMES = {
    "patience": (ID, {"max_moves": 12}),
    "Back Alley": ("backalley/BackAlley-v0", {"opponents": "random", "seat": "random"}),
}


@pytest.mark.parametrize("many", [False, True], ids=["single", "vector"])
@pytest.mark.parametrize(("name", "kwargs"), GAMES.values(), ids=GAMES)
def test_copies_in_mid_game_go_on_alike(name, kwargs, many):
    if many:
        env = gymnasium.make_vec(name, num_envs=3, vectorization_mode="vector_entry_point", **kwargs)
    else:
        env = gymnasium.make(name, **kwargs).unwrapped
    env.reset(seed=9)
    play_on(env, many, n_steps=5, seed=0)
    copies = (copy.deepcopy(env), pickle.loads(pickle.dumps(env)), env.clone(), env)
    trails = [play_on(one, many, n_steps=30, seed=1) for one in copies]
    assert trails[0] == trails[1] == trails[2] == trails[3]


def play_on(env, many, n_steps, seed):
    """Play at random, into the next episodes, and return what shows."""
    rng, trail = np.random.default_rng(seed), []
    for _ in range(n_steps):
        actions = legal_actions({"action_mask": np.atleast_2d(env.action_masks())}, rng)
        observation, rewards, terminated, truncated, _ = env.step(actions if many else actions[0])
        if not many and (terminated or truncated):
            observation, _ = env.reset()
        trail.append(pickle.dumps([observation, rewards, terminated, truncated]))
    return trail


# Many games.

VARIANTS = {
    "usual": {"max_moves": 25},
    "castle for a win": {**CASTLE, "reward": "win", "max_moves": 25},
    "other rules": {"auto_ace": False, "worry_back": True, "max_moves": 25},
    "over at once": {"max_moves": 0},
}


@pytest.mark.parametrize("mode", AutoresetMode, ids=lambda mode: mode.name)
@pytest.mark.parametrize("kwargs", VARIANTS.values(), ids=VARIANTS)
def test_equals_gymnasiums_own_vector_of_single_environments(mode, kwargs):
    """The first deals of the usual rules are blocked at once."""
    ours = make_many(mode, **kwargs)
    theirs = SyncVectorEnv([lambda: StreetsAndAlleysEnv(**kwargs)] * N, autoreset_mode=mode)
    rng = np.random.default_rng(0)
    options = {} if "preset" in kwargs else {"deck": BLOCKED_AT_ONCE}
    reset = dict(zip(("obs", "infos"), ours.reset(seed=7, options=options), strict=True))
    assert_same(reset, dict(zip(("obs", "infos"), theirs.reset(seed=7, options=options), strict=True)))
    observations = reset["obs"]
    names = ("observations", "rewards", "terminations", "truncations", "infos")
    told = dict.fromkeys(("terminations", "truncations", "illegal_action"), 0)
    for t in range(60):
        actions = legal_actions(observations, rng)
        if t % 17 == 5:
            actions[1] = NEVER_LEGAL
        mine = dict(zip(names, ours.step(actions), strict=True))
        assert_same(mine, dict(zip(names, theirs.step(actions), strict=True)))
        observations, over = mine["observations"], mine["terminations"] | mine["truncations"]
        ends = mine["infos"].get("final_info", mine["infos"])
        assert np.array_equal(ends.get("_is_won", np.zeros(N, bool)), over)
        told["illegal_action"] += ends.get("illegal_action", np.zeros(N)).sum()
        for name in ("terminations", "truncations"):
            told[name] += mine[name].sum()
        if mode is AutoresetMode.DISABLED and over.any():
            observations, infos = ours.reset(options={"reset_mask": over.copy()})
            assert_same(infos, theirs.reset(options={"reset_mask": over.copy()})[1])
    assert told["truncations"] > N
    assert (told["illegal_action"] > 0) == (kwargs["max_moves"] > 0)


@pytest.mark.parametrize("mode", AutoresetMode, ids=lambda mode: mode.name)
def test_passes_what_gymnasium_checks_of_vectors(mode):
    env = make_many(mode)
    assert env.metadata["autoreset_mode"] is mode
    env_checker.check_reset_seed_determinism(env)
    env_checker.check_reset_options(env)
    env_checker.check_reset_return_type(env)
    assert env.observation_space.contains(env.reset(seed=1)[0])


@pytest.mark.parametrize("max_moves", [0, 7])
def test_wrapped_statistics_agree_with_our_own(max_moves):
    env = gymnasium.wrappers.vector.RecordEpisodeStatistics(make_many(AutoresetMode.NEXT_STEP, max_moves=max_moves))
    rng = np.random.default_rng(0)
    observations, _ = env.reset(seed=3)
    n_ended = 0
    for _ in range(40):
        observations, _, _, _, infos = env.step(legal_actions(observations, rng))
        if "episode" in infos:
            ended = infos["_episode_return"]
            n_ended += ended.sum()
            assert np.array_equal(ended, infos["_episode"])
            assert np.allclose(infos["episode"]["r"], infos["episode_return"])
            assert np.array_equal(infos["episode"]["l"][ended], infos["episode_length"][ended])
    assert n_ended >= 20


def test_a_vector_raises_on_request_before_anything_moves():
    env = make_many(illegal="raise")
    observations, _ = env.reset(seed=1, options={"deck": SUITS_IN_ORDER})
    actions = legal_actions(observations, np.random.default_rng(0))
    actions[3] = NEVER_LEGAL
    with pytest.raises(IllegalAction, match="environment 3: T1-T2x13 is illegal: T1 has 7 cards"):
        env.step(actions)
    assert np.array_equal(env.action_masks(), observations["action_mask"])
