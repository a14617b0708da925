"""TorchRL learns Back Alley: `PettingZooWrapper` with masks, one actor and critic for all seats, PPO against itself.

    pip install backalley torchrl
    python masked_ppo.py

TorchRL shows every seat at every step. Advantages are estimated along the whole deal; the loss then sees the seat that
was to act alone, and only where it had a choice. Prints points per deal on duplicate pairs before and after, with 95 %
intervals.
"""

import argparse
import time
import warnings

import torch
from tensordict import TensorDict
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.collectors import Collector
from torchrl.envs.libs.pettingzoo import PettingZooWrapper
from torchrl.modules import MaskedCategorical, ProbabilisticActor
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

from backalley.envs import Rules, back_alley_v0
from backalley.policies.adapter import ModelPolicy
from backalley.train.evaluate import evaluate

CARDS = 3
RULES = Rules.preset("partnership", hand_max=CARDS)  # deals of 1 to 3 cards; leave the option out for the whole game
SEATS = "seats"
SEEN, MASK = (SEATS, "observation", "observation"), (SEATS, "action_mask")


def make_env():
    env = back_alley_v0.env(hand_max=CARDS)
    return PettingZooWrapper(env, use_mask=True, group_map={SEATS: env.possible_agents})


def judge(policy, label, pairs):
    """Print what the policy makes against two bots and return its means."""
    means = {}
    for bot in ("random", "simple"):
        result = evaluate(policy, bot, RULES, pairs, seed=1_000_000)
        means[bot] = result.mean
        print(f"{label:<10} v {bot:<7} {result.mean:+7.2f} [{result.ci95[0]:+.2f}, {result.ci95[1]:+.2f}]", flush=True)
    return means


class Floats(nn.Module):
    """int8 features as floats."""

    def forward(self, features):
        return features.float()


def mlp(n_in, n_out):
    hidden = nn.Linear(n_in, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU()
    return nn.Sequential(Floats(), *hidden, nn.Linear(128, n_out))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=6.0)
    parser.add_argument("--pairs", type=int, default=1040)
    parser.add_argument("--frames", type=int, default=1024, help="decisions of a round")
    parser.add_argument("--tiny", action="store_true", help="only see that everything runs")
    args = parser.parse_args()
    if args.tiny:
        args.minutes, args.pairs, args.frames = 0.05, 26, 64
    warnings.filterwarnings("ignore", module="torchrl")

    torch.manual_seed(0)
    env = make_env()
    env.set_seed(0)
    n_features, n_actions = env.observation_spec[SEEN].shape[-1], env.action_spec[env.action_key].space.n
    net = mlp(n_features, n_actions)
    actor = ProbabilisticActor(
        TensorDictModule(net, [SEEN], [(SEATS, "logits")]),
        in_keys={"logits": (SEATS, "logits"), "mask": MASK},
        out_keys=[env.action_key],
        distribution_class=MaskedCategorical,
        return_log_prob=True,
        log_prob_key=(SEATS, "log_prob"),
    )
    critic = TensorDictModule(mlp(n_features, 1), [SEEN], [(SEATS, "state_value")])
    loss_of = ClipPPOLoss(actor, critic, clip_epsilon=0.2, entropy_coeff=0.005, critic_coeff=0.02)
    keys = {name: (SEATS, name) for name in ("action", "reward", "done", "terminated", "advantage", "value_target")}
    loss_of.set_keys(**keys, value=(SEATS, "state_value"), sample_log_prob=(SEATS, "log_prob"))
    estimate = GAE(gamma=1.0, lmbda=0.95, value_network=critic)
    keys = {name: key for name, key in keys.items() if name != "action"}
    estimate.set_keys(**keys, value=(SEATS, "state_value"))
    optimizer = torch.optim.Adam(loss_of.parameters(), lr=1e-3)

    def policy():
        """Return the actor as a policy of the arena."""

        @torch.inference_mode()
        def logits(observations, masks):
            return net(torch.from_numpy(observations)).numpy()

        return ModelPolicy(logits, RULES, name="torchrl")

    before = judge(policy(), "untrained", args.pairs)
    start, n_decisions = time.monotonic(), 0
    for data in Collector(env, actor, frames_per_batch=args.frames, total_frames=-1):
        n_decisions += data.numel()
        with torch.no_grad():
            estimate(data)  # over all seats and the whole deal
        teaches = data[SEATS, "mask"] & (data[MASK].sum(-1) > 1)  # (frames, seats)
        rows = data[SEATS].exclude("info")[teaches]  # (n,)
        advantage = rows["advantage"]
        rows["advantage"] = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
        for _ in range(4):
            for picked in torch.randperm(len(rows)).split(256):
                losses = loss_of(TensorDict({SEATS: rows[picked]}, batch_size=[len(picked)]))
                optimizer.zero_grad()
                sum(loss for name, loss in losses.items() if name.startswith("loss_")).backward()
                nn.utils.clip_grad_norm_(loss_of.parameters(), 1.0)
                optimizer.step()
        if time.monotonic() - start > 60 * args.minutes:
            break

    print(f"{n_decisions:,} decisions in {time.monotonic() - start:.0f} s")
    after = judge(policy(), "trained", args.pairs)
    if not args.tiny:
        assert after["random"] > 0, "does not beat random"
        assert after["simple"] > before["simple"], "has learned nothing"


if __name__ == "__main__":
    main()
