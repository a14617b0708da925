"""How fast Stable-Baselines3 collects decisions from a native table, beside its own `SubprocVecEnv`, in one run.

    pip install -e '.[sb3,peers]'
    python tests/benchmarks/sb3_collection.py

Both play one seat against `simple`. "steps" takes random legal actions; "MaskablePPO" is `collect_rollouts` of a model
with two hidden layers of 64, which both have to wait for. Rounds take turns; medians count.
"""

import argparse
import statistics
import time
import warnings

import numpy as np
import torch
from rich.console import Console
from rich.table import Table
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import CallbackList
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.vec_env import SubprocVecEnv

from backalley.envs.api.registration import GYMNASIUM_ID
from backalley.envs.api.sb3 import make_native_vec_env


def steps_per_second(envs, seconds):
    """Step with random legal actions for a time."""
    rng = np.random.default_rng(0)
    n_steps, start = 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        masks = np.stack(envs.env_method("action_masks"))
        envs.step((masks * rng.random(masks.shape, np.float32)).argmax(1))
        n_steps += envs.num_envs
    return n_steps / (time.perf_counter() - start)


def model_of(envs):
    """Return a model that is ready to collect from these environments."""
    n_steps = max(16, 2048 // envs.num_envs)
    model = MaskablePPO("MultiInputPolicy", envs, n_steps=n_steps, n_epochs=1, batch_size=2048, device="cpu", seed=0)
    model._setup_learn(10**9)
    return model


def collected_per_second(model):
    """Collect a rollout."""
    callback = CallbackList([])
    callback.init_callback(model)
    start = time.perf_counter()
    model.collect_rollouts(model.env, callback, model.rollout_buffer, model.n_steps)
    return model.n_steps * model.n_envs / (time.perf_counter() - start)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--processes", type=int, nargs="*", default=[2, 4, 8])
    parser.add_argument("--native", type=int, nargs="*", default=[64, 256, 1024])
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    kinds = {f"SubprocVecEnv, {n} processes": make_subprocesses(n) for n in args.processes}
    kinds |= {f"native, {n} environments": make_native_vec_env(n, seed=0, opponents="simple") for n in args.native}
    models = {}
    for name, envs in kinds.items():
        envs.reset()
        steps_per_second(envs, 0.2)
        models[name] = model_of(envs)
        collected_per_second(models[name])
    stepped, collected = {name: [] for name in kinds}, {name: [] for name in kinds}
    for _ in range(args.rounds):
        for name, envs in kinds.items():
            stepped[name].append(steps_per_second(envs, 1.0))
            collected[name].append(collected_per_second(models[name]))
    show(stepped, collected)
    for envs in kinds.values():
        envs.close()


def make_subprocesses(n):
    return make_vec_env(GYMNASIUM_ID, n, seed=0, vec_env_cls=SubprocVecEnv, env_kwargs={"opponents": "simple"})


def show(stepped, collected):
    """Print the table, with the best native figure over the best of processes."""
    table = Table("environments", "steps/s", "MaskablePPO collects/s")
    for name in stepped:
        table.add_row(name, *(f"{statistics.median(rates[name]):,.0f}" for rates in (stepped, collected)))
    best = [
        max(statistics.median(values) for name, values in rates.items() if name.startswith(kind))
        for kind in ("native", "Subproc")
        for rates in (stepped, collected)
    ]
    table.add_row("native, times faster", f"× {best[0] / best[2]:.1f}", f"× {best[1] / best[3]:.1f}")
    Console(width=100).print(table)


if __name__ == "__main__":
    main()
