"""Tianshou 2 learns Back Alley: four seats of one `PettingZooEnv`, one network, deep Monte Carlo.

    pip install backalley tianshou
    python deep_monte_carlo.py

In Tianshou the next observation of a step is the next player's, so nothing may be bootstrapped from it: with an n-step
horizon longer than a deal, DQN learns from the whole return of the acting seat. Prints points per deal on duplicate
pairs before and after, with 95 % intervals.
"""

import argparse
import logging
import time

import torch
from tianshou.algorithm import DQN, MultiAgentOffPolicyAlgorithm
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, CollectStats, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv
from tianshou.trainer import OffPolicyTrainerParams
from tianshou.utils.net.common import Net

from backalley.envs import Rules, back_alley_v0
from backalley.policies.models import tianshou_policy
from backalley.train.evaluate import evaluate

CARDS = 4
RULES = Rules.preset("partnership", hand_max=CARDS)  # deals of 1 to 4 cards; leave the option out for the whole game
REDEALS = 3
DEAL = 4 * (1 + CARDS + REDEALS)  # steps at most: bids, cards, and the bids of hands thrown in


def make_env():
    return PettingZooEnv(back_alley_v0.env(hand_max=CARDS, max_redeals=REDEALS))


def judge(policy, label, pairs):
    """Print what the policy makes against two bots and return its means."""
    means = {}
    for bot in ("random", "simple"):
        result = evaluate(policy, bot, RULES, pairs, seed=1_000_000)
        means[bot] = result.mean
        print(f"{label:<10} v {bot:<7} {result.mean:+7.2f} [{result.ci95[0]:+.2f}, {result.ci95[1]:+.2f}]", flush=True)
    return means


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--pairs", type=int, default=1040)
    parser.add_argument("--tiny", action="store_true", help="only see that everything runs")
    args = parser.parse_args()
    if args.tiny:
        args.minutes, args.pairs = 0.05, 26

    logging.getLogger("tianshou.data.stats").setLevel(logging.ERROR)  # it warns of rewards for several seats
    torch.manual_seed(0)
    env = make_env()
    net = Net(
        state_shape=env.observation_space["observation"].shape,
        action_shape=int(env.action_space.n),
        hidden_sizes=[256, 256],
    )
    policy = DiscreteQLearningPolicy(model=net, action_space=env.action_space, eps_training=0.1)
    shared = DQN(policy=policy, optim=AdamOptimizerFactory(lr=1e-3), gamma=1.0, n_step_return_horizon=DEAL)
    algorithm = MultiAgentOffPolicyAlgorithm(algorithms=[shared] * len(env.agents), env=env)
    envs = DummyVectorEnv([make_env] * 16)
    envs.seed(0)
    buffer = VectorReplayBuffer(100_000, len(envs))
    collector = Collector[CollectStats](algorithm, envs, buffer, exploration_noise=True)
    collector.reset()

    before = judge(tianshou_policy(policy, RULES), "untrained", args.pairs)
    start = time.monotonic()
    collector.collect(n_step=2048)
    trainer = algorithm.create_trainer(
        OffPolicyTrainerParams(
            training_collector=collector,
            epoch_num_steps=4096,
            collection_step_num_env_steps=512,
            update_step_num_gradient_steps_per_sample=1 / 64,
            batch_size=1024,
            multi_agent_return_reduction=lambda returns: returns[:, 0],
            show_progress=False,
            verbose=False,
        )
    )
    trainer.reset()
    while time.monotonic() - start < 60 * args.minutes:
        trainer.execute_epoch()
    print(f"{collector.collect_step:,} decisions in {time.monotonic() - start:.0f} s")
    after = judge(tianshou_policy(policy, RULES), "trained", args.pairs)
    if not args.tiny:
        assert after["random"] > 0, "does not beat random"
        assert after["simple"] > before["simple"], "has learned nothing"


if __name__ == "__main__":
    main()
