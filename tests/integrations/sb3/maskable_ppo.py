"""MaskablePPO of SB3-contrib learns Back Alley: one seat, `simple` on the other three.

    pip install 'backalley[sb3]'
    python maskable_ppo.py                 # 256 environments over one native table
    python maskable_ppo.py --single        # eight environments of gymnasium.make, as any other environment

Prints points per deal on duplicate pairs before and after, with 95 % intervals.
"""

import argparse
import time

from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.vec_env import VecNormalize

from backalley.envs import Rules
from backalley.envs.api.sb3 import make_native_vec_env
from backalley.policies.models import sb3_policy
from backalley.train.evaluate import evaluate

RULES = Rules.preset("partnership")


class Minutes(BaseCallback):
    """Stops training after a time."""

    def __init__(self, minutes):
        super().__init__()
        self.end = time.monotonic() + 60 * minutes

    def _on_step(self):
        return time.monotonic() < self.end


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
    parser.add_argument("--single", action="store_true", help="environments of gymnasium.make, one Python object each")
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--pairs", type=int, default=1040)
    parser.add_argument("--save", default="maskable_ppo.zip")
    parser.add_argument("--tiny", action="store_true", help="only see that everything runs")
    args = parser.parse_args()
    if args.tiny:
        args.minutes, args.pairs = 0.05, 26

    n_envs = 8 if args.single else 256
    if args.single:
        envs = make_vec_env("backalley/BackAlley-v0", n_envs, seed=0, env_kwargs={"opponents": "simple"})
    else:
        envs = make_native_vec_env(n_envs, seed=0, opponents="simple")
    envs = VecNormalize(envs, norm_obs=False, gamma=1.0)  # points per deal go into the tens
    model = MaskablePPO(
        "MultiInputPolicy",
        envs,
        n_steps=4096 // n_envs,
        batch_size=1024,
        n_epochs=3,
        gamma=1.0,
        ent_coef=0.003,
        learning_rate=1e-3,
        policy_kwargs={"net_arch": [128, 128]},
        device="cpu",
        seed=0,
    )

    before = judge(sb3_policy(model, RULES), "untrained", args.pairs)
    start = time.monotonic()
    model.learn(10**9, callback=Minutes(args.minutes))
    print(f"{model.num_timesteps:,} decisions in {time.monotonic() - start:.0f} s")
    model.save(args.save)
    after = judge(f"sb3:{args.save}", "trained", args.pairs)
    if not args.tiny:
        assert after["random"] > 0, "does not beat random"
        assert after["simple"] > before["simple"], "has learned nothing"


if __name__ == "__main__":
    main()
