"""PPO for Back Alley in one file, in the manner of CleanRL: masks, a native vector environment, nothing hidden.

    pip install backalley torch
    python ppo_back_alley.py

One seat learns, `simple` plays the others. Prints points per deal on duplicate pairs before and after, with 95 %
intervals.
"""

import argparse
import time

import gymnasium
import torch
from torch import nn
from torch.distributions import Categorical

import backalley.envs  # noqa: F401 (registers the ids)
from backalley.envs import Rules
from backalley.policies.adapter import ModelPolicy
from backalley.train.evaluate import evaluate

RULES = Rules.preset("partnership")


def layer(n_in, n_out, gain=2**0.5):
    linear = nn.Linear(n_in, n_out)
    nn.init.orthogonal_(linear.weight, gain)
    nn.init.zeros_(linear.bias)
    return linear


class Agent(nn.Module):
    def __init__(self, n_features, n_actions, width=192):
        super().__init__()
        self.trunk = nn.Sequential(layer(n_features, width), nn.ReLU(), layer(width, width), nn.ReLU())
        self.actor = layer(width, n_actions, 0.01)
        self.critic = layer(width, 1, 0.1)

    def forward(self, observations, masks):
        hidden = self.trunk(observations.float())
        logits = self.actor(hidden).masked_fill(~masks, -1e9)
        return Categorical(logits=logits, validate_args=False), self.critic(hidden).squeeze(-1)

    def as_policy(self):
        """Return the agent as a policy of the arena."""

        @torch.inference_mode()
        def logits(observations, masks):
            return self(torch.from_numpy(observations), torch.from_numpy(masks).bool())[0].logits.numpy()

        return ModelPolicy(logits, RULES, name="ppo")


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
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--num-envs", type=int, default=256)
    parser.add_argument("--num-steps", type=int, default=16)
    parser.add_argument("--minibatch", type=int, default=1024)
    parser.add_argument("--update-epochs", type=int, default=3)
    parser.add_argument("--learning-rate", type=float, default=1e-3)
    parser.add_argument("--gae-lambda", type=float, default=0.95)
    parser.add_argument("--clip-coef", type=float, default=0.2)
    parser.add_argument("--ent-coef", type=float, default=0.003)
    parser.add_argument("--reward-scale", type=float, default=0.1, help="points per deal go into the tens")
    parser.add_argument("--tiny", action="store_true", help="only see that everything runs")
    args = parser.parse_args()
    if args.tiny:
        args.minutes, args.pairs = 0.05, 26

    torch.manual_seed(args.seed)
    envs = gymnasium.make_vec(
        "backalley/BackAlley-v0",
        num_envs=args.num_envs,
        vectorization_mode="vector_entry_point",
        autoreset_mode="SameStep",
        opponents="simple",
    )
    shape = (args.num_steps, args.num_envs)
    n_features, n_actions = envs.layout.size, int(envs.single_action_space.n)
    agent = Agent(n_features, n_actions)
    optimizer = torch.optim.Adam(agent.parameters(), lr=args.learning_rate, eps=1e-5)

    observations = torch.zeros((*shape, n_features), dtype=torch.int8)
    masks = torch.zeros((*shape, n_actions), dtype=torch.bool)
    actions = torch.zeros(shape, dtype=torch.int64)
    log_probs, rewards, dones, values = (torch.zeros(shape) for _ in range(4))

    before = judge(agent.as_policy(), "untrained", args.pairs)
    start, n_decisions = time.monotonic(), 0
    seen, _ = envs.reset(seed=args.seed)
    while time.monotonic() - start < 60 * args.minutes:
        for t in range(args.num_steps):
            observations[t] = torch.from_numpy(seen["observation"])
            masks[t] = torch.from_numpy(seen["action_mask"]).bool()
            with torch.no_grad():
                chance, values[t] = agent(observations[t], masks[t])
                actions[t] = chance.sample()
                log_probs[t] = chance.log_prob(actions[t])
            seen, reward, terminated, truncated, _ = envs.step(actions[t].numpy())
            rewards[t] = torch.from_numpy(reward) * args.reward_scale
            dones[t] = torch.from_numpy(terminated | truncated)
        n_decisions += args.num_steps * args.num_envs

        # Generalised advantage estimation; no discount, deals are short.
        with torch.no_grad():
            _, next_value = agent(torch.from_numpy(seen["observation"]), torch.from_numpy(seen["action_mask"]).bool())
        advantages = torch.zeros(shape)
        last = torch.zeros(args.num_envs)
        for t in reversed(range(args.num_steps)):
            goes_on = 1.0 - dones[t]
            error = rewards[t] + next_value * goes_on - values[t]
            advantages[t] = last = error + args.gae_lambda * goes_on * last
            next_value = values[t]
        returns = advantages + values

        # A forced move teaches nothing.
        rows = torch.nonzero(masks.flatten(0, 1).sum(1) > 1).squeeze(1)
        flat = [x.flatten(0, 1)[rows] for x in (observations, masks, actions, log_probs, advantages, returns)]
        for _ in range(args.update_epochs):
            for picked in torch.randperm(len(rows)).split(args.minibatch):
                obs, mask, action, old_log_prob, advantage, target = (x[picked] for x in flat)
                chance, value = agent(obs, mask)
                ratio = (chance.log_prob(action) - old_log_prob).exp()
                advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
                clipped = ratio.clamp(1 - args.clip_coef, 1 + args.clip_coef)
                policy_loss = -torch.min(advantage * ratio, advantage * clipped).mean()
                value_loss = 0.5 * (value - target).square().mean()
                loss = policy_loss + 0.5 * value_loss - args.ent_coef * chance.entropy().mean()
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
                optimizer.step()

    print(f"{n_decisions:,} decisions in {time.monotonic() - start:.0f} s")
    after = judge(agent.as_policy(), "trained", args.pairs)
    if not args.tiny:
        assert after["random"] > 0, "does not beat random"
        assert after["simple"] > before["simple"], "has learned nothing"


if __name__ == "__main__":
    main()
