"""How many decisions a second training learns from, beside MaskablePPO of SB3-contrib, in one run on this machine.

    pip install -e '.[dev,peers]'
    python tests/benchmarks/training_throughput.py

Both train a network with two hidden layers of 512 on deals against `simple`, play included, with the same number of
epochs and the same minibatch. Ours is the trainer of `backalley train`; theirs steps the Gymnasium environment
`backalley/BackAlley-v0`, as its users do. Rounds take turns; medians count.
"""

from __future__ import annotations

import statistics
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import gymnasium
from rich.console import Console
from rich.table import Table
from sb3_contrib import MaskablePPO
from stable_baselines3.common.env_util import make_vec_env

from backalley.envs.api.registration import GYMNASIUM_ID
from backalley.train.config import load_config
from backalley.train.selfplay import Trainer

HIDDEN = [512, 512]
EPOCHS = 2
MINIBATCH = 4096
ROUNDS = 3
N_ENVS, N_STEPS = 64, 64  # 4096 decisions in a rollout of theirs

Round = Callable[[], float]
"""Makes one update and returns its decisions per second, play included."""


def our_round(folder: Path) -> Round:
    """Return a round of our trainer."""
    overrides = [f"network.hidden={HIDDEN}", f"ppo.epochs={EPOCHS}", f"ppo.minibatch={MINIBATCH}"]
    trainer = Trainer(load_config("quickstart", overrides), folder)

    def one_update() -> float:
        trainer.step()
        return trainer.progress.decisions_per_second

    return one_update


def their_round() -> Round:
    """Return a round of MaskablePPO."""
    envs = make_vec_env(lambda: gymnasium.make(GYMNASIUM_ID, opponents="simple"), n_envs=N_ENVS, seed=0)
    model = MaskablePPO(
        "MultiInputPolicy",
        envs,
        n_steps=N_STEPS,
        batch_size=MINIBATCH,
        n_epochs=EPOCHS,
        policy_kwargs={"net_arch": HIDDEN},
        device="cpu",
        seed=0,
    )

    def one_update() -> float:
        start = time.perf_counter()
        model.learn(N_ENVS * N_STEPS, reset_num_timesteps=False)
        return N_ENVS * N_STEPS / (time.perf_counter() - start)

    return one_update


def main() -> None:
    """Measure and print."""
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder:
        rounds = {"backalley train": our_round(Path(folder)), "SB3-contrib MaskablePPO": their_round()}
        for one_update in rounds.values():
            one_update()
        rates: dict[str, list[float]] = {who: [] for who in rounds}
        for _ in range(ROUNDS):
            for who, one_update in rounds.items():
                rates[who].append(one_update())
    table = Table("who", "learning decisions/s", "backalley is faster by", title=f"network {HIDDEN}, {EPOCHS} epochs")
    ours = statistics.median(rates["backalley train"])
    for who, values in rates.items():
        rate = statistics.median(values)
        table.add_row(who, f"{rate:,.0f}", f"× {ours / rate:.1f}")
    Console(width=100).print(table)


if __name__ == "__main__":
    main()
