"""RLlib learns Back Alley: four agents, one shared policy, action masks, PPO against itself.

    pip install backalley 'ray[rllib]' torch
    python shared_ppo.py

Prints points per deal on duplicate pairs before and after, with 95 % intervals.
"""

import argparse
import time
from pathlib import Path

from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.tune.registry import register_env

from backalley.envs import Rules
from backalley.envs.api.rllib import env_creator
from backalley.policies.models import rllib_policy
from backalley.train.evaluate import evaluate

OPTIONS = {"hand_max": 3}  # deals of 1 to 3 cards; leave it out for the whole game
RULES = Rules.preset("partnership", **OPTIONS)


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
    parser.add_argument("--minutes", type=float, default=6.0)
    parser.add_argument("--pairs", type=int, default=1040)
    parser.add_argument("--save", type=Path, default=Path("shared_ppo"))
    parser.add_argument("--tiny", action="store_true", help="only see that everything runs")
    args = parser.parse_args()
    if args.tiny:
        args.minutes, args.pairs = 0.05, 26

    register_env("back_alley", env_creator)
    spec = RLModuleSpec(
        module_class=ActionMaskingTorchRLModule,
        model_config={"fcnet_hiddens": [128, 128], "fcnet_activation": "relu", "vf_share_layers": False},
    )
    config = (
        PPOConfig()
        .environment("back_alley", env_config=OPTIONS)
        .multi_agent(policies={"shared"}, policy_mapping_fn=lambda agent, episode, **kwargs: "shared")
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={"shared": spec}))
        # 32 games side by side: one by one it collects a tenth as fast.
        .env_runners(num_env_runners=0, num_envs_per_env_runner=32, batch_mode="complete_episodes")
        .training(
            train_batch_size_per_learner=512 if args.tiny else 4096,
            minibatch_size=512,
            num_epochs=6,
            lr=1e-3,
            gamma=1.0,
            lambda_=0.95,
            entropy_coeff=0.01,
            use_kl_loss=False,
            vf_clip_param=1e6,
            vf_loss_coeff=0.01,
            grad_clip=1.0,
        )
        .debugging(seed=0, log_level="ERROR")
    )
    algorithm = config.build_algo()

    before = judge(rllib_policy(algorithm.get_module("shared"), RULES), "untrained", args.pairs)
    start, decisions = time.monotonic(), 0
    while time.monotonic() - start < 60 * args.minutes:
        decisions += algorithm.train()["env_runners"]["num_env_steps_sampled"]
    print(f"{decisions:,.0f} decisions in {time.monotonic() - start:.0f} s")
    algorithm.save_to_path(args.save.absolute())
    algorithm.stop()
    after = judge(rllib_policy(args.save, RULES), "trained", args.pairs)
    if not args.tiny:
        assert after["random"] > 0, "does not beat random"
        assert after["simple"] > before["simple"], "has learned nothing"


if __name__ == "__main__":
    main()
