"""A warm start: the network learns to act like a scripted bot before it plays for itself."""

from __future__ import annotations

import numpy as np
import torch
from torch.nn import functional

from backalley.policies import bots
from backalley.policies.network import ActorCritic, masked_log_probs
from backalley.train.config import TrainConfig
from backalley.train.ppo import VALUE_DELTA
from backalley.train.rollout import Batch, Collector

_BOTS = {"simple": bots.SIMPLE, "rules": bots.RULES}


def warm_start(collector: Collector, network: ActorCritic, config: TrainConfig, device: torch.device) -> None:
    """Train the network to predict the teacher's actions and the outcome of its deals.

    Args:
        collector: its tables are played by the teacher on every seat that is not a bot's.
        network: changed in place.
        config: see `WarmStartConfig`.
        device: where the network lives.
    """
    settings = config.warm_start
    optimizer = torch.optim.Adam(network.parameters(), lr=settings.learning_rate, eps=1e-5)
    rng = np.random.default_rng([config.seed, 1])
    n_seen = 0
    while n_seen < settings.decisions:
        batch = collector.collect_from(_BOTS[settings.teacher])
        rate = settings.learning_rate * (1 - 0.9 * n_seen / settings.decisions)
        for group in optimizer.param_groups:
            group["lr"] = rate
        _imitate(batch, network, optimizer, config, device, rng)
        n_seen += len(batch.index)


def _imitate(
    batch: Batch,
    network: ActorCritic,
    optimizer: torch.optim.Optimizer,
    config: TrainConfig,
    device: torch.device,
    rng: np.random.Generator,
) -> None:
    order = rng.permutation(batch.index)
    for start in range(0, len(order), config.ppo.minibatch):
        pick = order[start : start + config.ppo.minibatch]
        rows = batch.rows[pick]
        with torch.autocast(device.type, torch.bfloat16, enabled=config.bf16):
            logits, values = network(torch.from_numpy(batch.features[pick]).to(device).to(torch.bfloat16))
        log_probs = masked_log_probs(logits, torch.from_numpy(batch.masks[pick]).to(device).bool())
        actions = torch.from_numpy(rows["action"].astype(np.int64)).to(device)
        targets = torch.from_numpy(rows["target"].copy()).to(device)
        loss = functional.nll_loss(log_probs, actions)
        loss = loss + config.ppo.value_weight * functional.huber_loss(values.float(), targets, delta=VALUE_DELTA)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), config.ppo.max_grad_norm)
        optimizer.step()
