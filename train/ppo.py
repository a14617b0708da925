"""The PPO update (arXiv 1707.06347) with masked actions."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from backalley.policies.network import Network, judge_actions
from backalley.train.config import PPOConfig
from backalley.train.rollout import Batch

ADVANTAGE_LIMIT = 5.0  # in standard deviations: boards are rare and huge
VALUE_DELTA = 2.0  # Huber's δ, in units of scaled rewards


def normalised_advantages(batch: Batch) -> np.ndarray:
    """Return the advantages (m,) float32 of the batch, centred and scaled among bids and among plays apart."""
    rows = batch.rows[batch.index]
    advantages = rows["advantage"].astype(np.float32)
    for group in (rows["is_bid"], ~rows["is_bid"]):
        if group.any():
            values = advantages[group]
            advantages[group] = (values - values.mean()) / (values.std() + 1e-6)
    return advantages.clip(-ADVANTAGE_LIMIT, ADVANTAGE_LIMIT)


def update(
    network: Network,
    optimizer: torch.optim.Optimizer,
    batch: Batch,
    config: PPOConfig,
    *,
    entropy_share: float,
    rng: np.random.Generator,
    device: torch.device,
    bf16: bool,
) -> dict[str, float]:
    """Improve the network on one batch.

    Args:
        network: changed in place.
        optimizer: of the network's parameters.
        batch: finished decisions.
        config: see `PPOConfig`.
        entropy_share: share of the entropy bonuses that is left by now.
        rng: draws the order of the minibatches.
        device: where the network lives.
        bf16: whether to run the network in bfloat16.

    Returns:
        Means of `policy_loss`, `value_loss`, `entropy_bid`, `entropy_play`, `kl`, `clip_share`, `grad_norm`.
    """
    rows = batch.rows[batch.index]
    columns = {name: torch.from_numpy(rows[name].astype(np.float32)) for name in ("log_prob", "target", "value")}
    advantages = torch.from_numpy(normalised_advantages(batch))
    actions = torch.from_numpy(rows["action"].astype(np.int64))
    is_bid = torch.from_numpy(rows["is_bid"].copy())
    bonus = torch.where(is_bid, config.entropy_bid, config.entropy_play) * entropy_share
    n = len(batch.index)
    sums: dict[str, float] = {}
    n_steps = 0
    for _ in range(config.epochs):
        order = rng.permutation(n)
        for start in range(0, n, config.minibatch):
            pick = order[start : start + config.minibatch]
            if len(pick) < min(n, config.minibatch) // 2:
                continue  # a small rest would be a noisy step of full size
            features = torch.from_numpy(batch.features[batch.index[pick]]).to(device)
            masks = torch.from_numpy(batch.masks[batch.index[pick]]).to(device).bool()
            chosen = torch.from_numpy(pick)
            with torch.autocast(device.type, torch.bfloat16, enabled=bf16):
                logits, values = network(features.to(torch.bfloat16 if bf16 else torch.float32))
            log_prob, entropy = judge_actions(logits, masks, actions[chosen].to(device))  # (minibatch,) each
            advantage = advantages[chosen].to(device)
            log_ratio = log_prob - columns["log_prob"][chosen].to(device)
            ratio = log_ratio.exp()
            clipped = ratio.clamp(1 - config.clip, 1 + config.clip)
            policy_loss = -torch.minimum(ratio * advantage, clipped * advantage).mean()
            value_loss = functional.huber_loss(values.float(), columns["target"][chosen].to(device), delta=VALUE_DELTA)
            loss = policy_loss + config.value_weight * value_loss - (bonus[chosen].to(device) * entropy).mean()
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            grad_norm = torch.nn.utils.clip_grad_norm_(network.parameters(), config.max_grad_norm)
            optimizer.step()
            n_steps += 1
            with torch.no_grad():
                bids = is_bid[chosen].to(device)
                step_means = {
                    "policy_loss": policy_loss.detach(),
                    "value_loss": value_loss.detach(),
                    "entropy_bid": _mean(entropy, bids),
                    "entropy_play": _mean(entropy, ~bids),
                    "kl": (ratio - 1 - log_ratio).mean(),
                    "clip_share": ((ratio - 1).abs() > config.clip).float().mean(),
                    "grad_norm": grad_norm,
                }
            for name, value in step_means.items():
                sums[name] = sums.get(name, 0.0) + float(value)
    variance = float(rows["target"].var())
    explained = 1 - float((rows["target"] - rows["value"]).var()) / variance if variance > 0 else 0.0
    return {name: total / n_steps for name, total in sums.items()} | {"explained_variance": explained}


def _mean(values: Tensor, where: Tensor) -> Tensor:
    return values[where].mean() if bool(where.any()) else values.new_zeros(())
