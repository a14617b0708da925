"""AgileRL learns Back Alley: a `ParallelEnv` with masks in `infos`, one DQN for the four seats, deep Monte Carlo.

    pip install backalley agilerl peft
    python deep_monte_carlo.py

AgileRL's DQN takes masks when it acts and none when it looks at the next observation, so nothing is bootstrapped: each
decision is kept as the last one, with the points of the whole deal as its reward. IPPO forgets the masks when it
learns, and learns little here. Prints points per deal on duplicate pairs before and after, with 95 % intervals.
"""

import argparse
import time

import numpy as np
import torch
from agilerl.algorithms import DQN
from agilerl.components.replay_buffer import ReplayBuffer
from tensordict import TensorDict

from backalley.envs import Rules
from backalley.envs.api.agilerl import parallel_env
from backalley.policies.adapter import ModelPolicy
from backalley.train.evaluate import evaluate

CARDS = 4
RULES = Rules.preset("partnership", hand_max=CARDS)  # deals of 1 to 4 cards; leave the option out for the whole game
SCALE = 0.1  # points go into the tens


def judge(policy, label, pairs):
    """Print what the policy makes against two bots and return its means."""
    means = {}
    for bot in ("random", "simple"):
        result = evaluate(policy, bot, RULES, pairs, seed=1_000_000)
        means[bot] = result.mean
        print(f"{label:<10} v {bot:<7} {result.mean:+7.2f} [{result.ci95[0]:+.2f}, {result.ci95[1]:+.2f}]", flush=True)
    return means


class Game:
    """One deal after the other, and what was decided in it."""

    def __init__(self, seed):
        self.env = parallel_env(hand_max=CARDS)
        self.begin(seed)

    def begin(self, seed=None):
        self.seen, self.infos = self.env.reset(seed=seed)
        self.decided = []  # (agent, observation, action)

    def to_decide(self):
        """Return the seats that have a choice: one, or none where the seat to act has a single legal action."""
        return [name for name in self.env.agents if self.infos[name]["action_mask"].sum() > 1]

    def step(self, chosen):
        """Play the actions of those who have a choice; returns the decisions of a deal that is over, with points."""
        actions = {name: int(info["action_mask"].argmax()) for name, info in self.infos.items()} | chosen
        self.decided += [(name, self.seen[name], action) for name, action in chosen.items()]
        self.seen, rewards, _, _, self.infos = self.env.step(actions)
        if self.env.agents:
            return []
        over = [(seen, action, rewards[name]) for name, seen, action in self.decided]
        self.begin()
        return over


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--pairs", type=int, default=1040)
    parser.add_argument("--games", type=int, default=32, help="games side by side")
    parser.add_argument("--tiny", action="store_true", help="only see that everything runs")
    args = parser.parse_args()
    if args.tiny:
        args.minutes, args.pairs = 0.05, 26

    torch.manual_seed(0)
    games = [Game(seed) for seed in range(args.games)]
    name = games[0].env.possible_agents[0]
    agent = DQN(
        games[0].env.observation_space(name),
        games[0].env.action_space(name),
        net_config={"encoder_config": {"hidden_size": [256]}, "head_config": {"hidden_size": [256]}},
        lr=1e-3,
    )

    def greedy(observations, masks):
        return agent.get_action(observations, epsilon=0.0, action_mask=masks)

    policy = ModelPolicy(greedy, RULES, name="agilerl")
    before = judge(policy, "untrained", args.pairs)
    buffer = ReplayBuffer(max_size=100_000)
    start, n_decisions = time.monotonic(), 0
    while time.monotonic() - start < 60 * args.minutes:
        asked = [(game, name) for game in games for name in game.to_decide()]
        chosen = {game: {} for game in games}
        if asked:
            observations = np.stack([game.seen[name] for game, name in asked])
            masks = np.stack([game.infos[name]["action_mask"] for game, name in asked])
            for (game, name), action in zip(asked, agent.get_action(observations, 0.1, masks), strict=True):
                chosen[game][name] = int(action)
        n_decisions += len(asked)
        over = [row for game in games for row in game.step(chosen[game])]
        if over:
            seen, actions, points = map(np.array, zip(*over, strict=True))
            rows = {
                "obs": torch.from_numpy(seen).float(),
                "action": torch.from_numpy(actions)[:, None],
                "reward": SCALE * torch.from_numpy(points).float()[:, None],
                "next_obs": torch.from_numpy(seen).float(),  # not looked at
                "done": torch.ones(len(over), 1),
            }
            buffer.add(TensorDict(rows, batch_size=[len(over)]))
        if len(buffer) > 1000:
            agent.learn(buffer.sample(512))

    print(f"{n_decisions:,} decisions in {time.monotonic() - start:.0f} s")
    after = judge(policy, "trained", args.pairs)
    if not args.tiny:
        assert after["random"] > 0, "does not beat random"
        assert after["simple"] > before["simple"], "has learned nothing"


if __name__ == "__main__":
    main()
