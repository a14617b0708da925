"""The training loop: play, update, evaluate, save; read it from top to bottom.

Everything random comes from the seed of the configuration, so on one thread a run repeats exactly, and a run resumed
from a checkpoint equals the uninterrupted one.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from backalley.envs.errors import CheckpointError
from backalley.policies.checkpoint import NETWORK_FILE, load_tensors, save_network, save_tensors
from backalley.policies.net import NetPolicy
from backalley.policies.networks import make_network
from backalley.train.config import TrainConfig, config_from_dict
from backalley.train.games import training_game
from backalley.train.imitation import warm_start
from backalley.train.measure import AnyResult, measure
from backalley.train.metrics import MetricsLog, plot_strength
from backalley.train.ppo import update
from backalley.train.rollout import Collector, seat_bots

CHECKPOINT_FILE = "checkpoint.safetensors"
EVALUATION_SEED = 1_000_000  # far from the seeds people give to runs; each evaluation takes the next one


@dataclass
class Progress:
    """How far a run is.

    Attributes:
        decisions: learning decisions so far.
        updates: updates so far.
        seconds: time spent, evaluations included.
        decisions_per_second: of the last update, play included.
        strength: points per deal against each anchor at the last evaluation.
        metrics: of the last update.
    """

    decisions: int = 0
    updates: int = 0
    seconds: float = 0.0
    decisions_per_second: float = 0.0
    strength: dict[str, float] = field(default_factory=dict)
    metrics: dict[str, float] = field(default_factory=dict)


def choose_device(name: str) -> torch.device:
    """Return the device that `auto`, `cpu` or `cuda` means here."""
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    return torch.device(name)


class Trainer:
    """One training run.

    Args:
        config: what to do.
        folder: where checkpoints, weights and metrics go; made if missing.
    """

    def __init__(self, config: TrainConfig, folder: Path) -> None:
        self._begin(config, folder, None)

    @classmethod
    def resume(cls, folder: Path) -> Trainer:
        """Return the trainer that goes on from the checkpoint in `folder`, with its configuration.

        Raises:
            CheckpointError: there is no usable checkpoint.
        """
        saved = load_tensors(folder / CHECKPOINT_FILE)
        trainer = cls.__new__(cls)
        trainer._begin(_saved_config(saved[1], folder), folder, saved)
        return trainer

    def _begin(
        self, config: TrainConfig, folder: Path, saved: tuple[dict[str, torch.Tensor], dict[str, Any]] | None
    ) -> None:
        self.config = config
        self.folder = folder
        self.rules = config.game.rules()
        self.device = choose_device(config.device)
        torch.manual_seed(config.seed)
        self.game = training_game(self.rules)
        shares = {self.game.kit.bot(name): share for name, share in config.opponents.shares().items()}
        seats = seat_bots(self.rules, config.tables, shares)
        self.collector = Collector(
            self.rules, config.tables, config.rollout, config.seed, seats, config.reward_scale, **config.game.limits
        )
        table = self.collector.table
        sizes = self.collector.features.shape[1], table.game.n_actions, config.network.hidden
        self.network = make_network(config.network.kind, *sizes).to(self.device)
        self.optimizer = torch.optim.Adam(self.network.parameters(), lr=config.ppo.learning_rate, eps=1e-5)
        self.progress = Progress()
        self.threads = config.threads or self._fastest_threads()
        torch.set_num_threads(self.threads)
        if saved:
            self._restore(*saved)
        folder.mkdir(parents=True, exist_ok=True)
        self.log = MetricsLog(folder, self.progress.decisions, self.game.histogram)

    def _fastest_threads(self) -> int:
        """Return the number of torch threads that goes through the network fastest right now."""
        features = np.zeros((4096, self.network.n_features), np.int8)
        seconds = {}
        for threads in sorted({1, torch.get_num_threads()}):
            torch.set_num_threads(threads)
            self.forward(features)
            start = time.perf_counter()
            for _ in range(5):
                self.forward(features)
            seconds[threads] = time.perf_counter() - start
        return min(seconds, key=lambda threads: seconds[threads])

    def forward(self, features: NDArray[np.int8]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return logits (n, n_actions) and values (n,) for features (n, n_features)."""
        kind = torch.bfloat16 if self.config.bf16 else torch.float32
        with (
            torch.inference_mode(),
            torch.autocast(self.device.type, torch.bfloat16, enabled=self.config.bf16),
        ):
            logits, values = self.network(torch.from_numpy(features).to(self.device).to(kind))
        return logits.float().cpu().numpy(), values.float().cpu().numpy()

    @property
    def share_done(self) -> float:
        """Share of the budget that is used: of decisions, or of time where that runs out first."""
        decisions = self.progress.decisions / self.config.decisions
        limit = self.config.max_minutes * 60
        return min(1.0, max(decisions, self.progress.seconds / limit if limit else 0.0))

    @property
    def is_over(self) -> bool:
        """Whether the budget of decisions or of time is used up."""
        return self.share_done >= 1.0

    def step(self) -> None:
        """Play one rollout and make one update."""
        start = time.perf_counter()
        config = self.config.ppo
        done = self.share_done
        gae_lambda = config.gae_lambda + done * (config.final_gae_lambda - config.gae_lambda)
        batch = self.collector.collect(self.forward, gae_lambda)
        for group in self.optimizer.param_groups:
            group["lr"] = config.learning_rate + done * (config.final_learning_rate - config.learning_rate)
        progress = self.progress
        metrics = update(
            self.network,
            self.optimizer,
            batch,
            config,
            entropy_share=1 - done * (1 - config.final_entropy_share),
            rng=np.random.default_rng([self.config.seed, progress.updates]),
            device=self.device,
            bf16=self.config.bf16,
        )
        seconds = time.perf_counter() - start
        progress.updates += 1
        progress.decisions += len(batch.index)
        progress.seconds += seconds
        progress.decisions_per_second = len(batch.index) / seconds
        progress.metrics = {f"loss/{name}": value for name, value in metrics.items()}
        progress.metrics |= self.game.metrics(self.collector.counts)
        progress.metrics["speed/decisions_per_second"] = progress.decisions_per_second

    def evaluate(self, pairs: int, seed: int) -> dict[str, AnyResult]:
        """Return the results of greedy play against each anchor."""
        policy = NetPolicy(self.network, self.rules)
        return {name: measure(policy, name, self.rules, pairs=pairs, seed=seed) for name in self.game.kit.anchors}

    def evaluate_and_save(self) -> None:
        """Evaluate, log and save a checkpoint; the time counts as the run's."""
        start = time.perf_counter()
        results = self.evaluate(self.config.evaluation_pairs, EVALUATION_SEED + self.progress.updates)
        self.progress.strength = {name: result.mean for name, result in results.items()}
        values = {f"strength/{name}": value for name, value in self.progress.strength.items()}
        self.log.write(self.progress.decisions, self.progress.metrics | values, self.collector.counts)
        self.progress.seconds += time.perf_counter() - start
        self.save()

    def run(self, report: Callable[[Progress], None] = lambda progress: None) -> dict[str, AnyResult]:
        """Train to the end of the budget and return the final results against the anchors.

        Args:
            report: called after each update.
        """
        if self.progress.updates == 0 and self.config.warm_start.decisions:
            start = time.perf_counter()
            warm_start(self.collector, self.network, self.config, self.device)
            self.progress.seconds += time.perf_counter() - start
        while not self.is_over:
            self.step()
            if self.progress.updates % self.config.evaluate_every == 0:
                self.evaluate_and_save()
            else:
                self.log.write(self.progress.decisions, self.progress.metrics)
            report(self.progress)
        results = self.evaluate(self.config.final_pairs, EVALUATION_SEED)
        self.progress.strength = {name: result.mean for name, result in results.items()}
        self.log.write(self.progress.decisions, {f"strength/{name}": result.mean for name, result in results.items()})
        self.save()
        self.log.close()
        plot_strength(self.folder, self.folder / "strength.png", self.config.name)
        return results

    # Checkpoints.

    def save(self) -> None:
        """Write the weights to play with, and the checkpoint to go on from."""
        info = {
            "name": self.config.name,
            "decisions": self.progress.decisions,
            "strength": self.progress.strength,
            "config": self.config.model_dump(mode="json"),
        }
        save_network(self.folder / NETWORK_FILE, self.network, self.rules, "deal", info)
        tensors = {f"network.{name}": value for name, value in self.network.state_dict().items()}
        for index, state in self.optimizer.state_dict()["state"].items():
            tensors |= {f"optimizer.{index}.{name}": value for name, value in state.items()}
        tensors |= {f"collector.{name}": torch.from_numpy(a) for name, a in self.collector.snapshot().items()}
        progress = {
            "decisions": self.progress.decisions,
            "updates": self.progress.updates,
            "seconds": self.progress.seconds,
        }
        save_tensors(
            self.folder / CHECKPOINT_FILE,
            tensors,
            {"kind": "training checkpoint", **info, "progress": progress},
        )

    def _restore(self, tensors: dict[str, torch.Tensor], description: dict[str, Any]) -> None:
        parts: dict[str, dict[str, torch.Tensor]] = {"network": {}, "optimizer": {}, "collector": {}}
        for name, tensor in tensors.items():
            part, _, key = name.partition(".")
            parts[part][key] = tensor
        self.network.load_state_dict(parts["network"])
        state: dict[int, dict[str, torch.Tensor]] = {}
        for key, tensor in parts["optimizer"].items():
            index, _, name = key.partition(".")
            state.setdefault(int(index), {})[name] = tensor
        self.optimizer.load_state_dict(self.optimizer.state_dict() | {"state": state})
        self.collector.restore({name: tensor.numpy() for name, tensor in parts["collector"].items()})
        self.progress = Progress(**description["progress"], strength=description["strength"])


def _saved_config(description: dict[str, Any], folder: Path) -> TrainConfig:
    if description.get("kind") != "training checkpoint":
        raise CheckpointError(f"{folder / CHECKPOINT_FILE} is a {description.get('kind')}, not a training checkpoint")
    return config_from_dict(description["config"], str(folder / CHECKPOINT_FILE))
