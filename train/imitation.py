"""A warm start: the network learns to act like a teacher before it plays for itself."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import torch
from torch.nn import functional

from backalley.policies import registry
from backalley.policies.network import Network, judge_actions
from backalley.train.config import TrainConfig
from backalley.train.demonstrations import demonstrations
from backalley.train.games import training_game
from backalley.train.ppo import VALUE_DELTA
from backalley.train.rollout import Batch, Collector


def warm_start(collector: Collector, network: Network, config: TrainConfig, device: torch.device) -> None:
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
    n_seen, n_all = 0, settings.epochs * settings.decisions
    for batch in _lessons(collector, config):
        rate = settings.learning_rate * (1 - 0.9 * n_seen / n_all)
        for group in optimizer.param_groups:
            group["lr"] = rate
        _imitate(batch, network, optimizer, config, device, rng)
        n_seen += len(batch.index)
        if n_seen >= n_all:
            return


def _lessons(collector: Collector, config: TrainConfig) -> Iterator[Batch]:
    """Yield batches of the teacher's decisions without end: fresh ones of a bot, else the same ones again."""
    settings, rules = config.warm_start, collector.table.rules
    kit = training_game(rules).kit
    if settings.teacher in kit.bots:
        while True:
            yield collector.collect_from(kit.bot(settings.teacher))
    teacher = registry.make(settings.teacher, rules)
    shown = demonstrations(teacher, rules, settings.decisions, config.seed, config.reward_scale, **config.game.limits)
    while True:
        yield shown


def _imitate(
    batch: Batch,
    network: Network,
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
        actions = torch.from_numpy(rows["action"].astype(np.int64)).to(device)
        log_probs, _ = judge_actions(logits, torch.from_numpy(batch.masks[pick]).to(device).bool(), actions)
        targets = torch.from_numpy(rows["target"].copy()).to(device)
        loss = -log_probs.mean()
        loss = loss + config.ppo.value_weight * functional.huber_loss(values.float(), targets, delta=VALUE_DELTA)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), config.ppo.max_grad_norm)
        optimizer.step()
