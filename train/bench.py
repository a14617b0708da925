"""How fast everything runs here, in decisions per second: medians of rounds, warm-up outside the clock.

A decision is one seat's choice of a bid or a card. Every figure plays random legal actions of `partnership`, unless it
names another rule set, but for `training_decisions`, which counts what the network learns from.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backalley.envs import Rules, Table, make_rules
from backalley.envs.back_alley.playouts import random_playouts
from backalley.envs.games import preset_names
from backalley.envs.rule_set import new_records

UNIT = "decisions/s"
ROUNDS = 3
SECONDS = 0.4
"""Length of a round; what takes longer for one call takes that."""
EPISODES = 1024

Work = Callable[[], int]
"""Does a portion of work and returns the decisions in it."""


def rate(work: Work, *, rounds: int, seconds: float) -> float:
    """Return decisions per second: the median of some rounds, after one call that does not count."""
    work()
    return statistics.median(one_round(work, seconds) for _ in range(rounds))


def one_round(work: Work, seconds: float) -> float:
    """Return decisions per second of a round at least `seconds` long."""
    start = time.perf_counter()
    n_decisions = 0
    while (spent := time.perf_counter() - start) < seconds:
        n_decisions += work()
    return n_decisions / spent


def table_work(n: int = EPISODES, threads: int = 1, preset: str = "partnership") -> Work:
    """Step a table; observation and mask of the next seat are written for every decision."""
    table = Table(make_rules(preset), n, 0, buffers=True, autoreset=True, threads=threads)
    steps = max(1, 65_536 // n)

    def work() -> int:
        for _ in range(steps):
            table.step(None)
        return steps * n

    return work


def python_actions_work(n: int = EPISODES) -> Work:
    """Step a table with actions that cross Python as an array: drawn in one call, checked in the next."""
    table = Table(Rules.preset("partnership"), n, 0, buffers=True, autoreset=True)
    steps = max(1, 65_536 // n)

    def work() -> int:
        for _ in range(steps):
            table.step(table.random_actions())
        return steps * n

    return work


def playout_work(hand_size: int = 13, n_playouts: int = 2000) -> Work:
    """Play a deal out at random inside a kernel, again and again from its opening, without observations."""
    table = Table(Rules.preset("partnership"), 1, 0)
    table.reset(hand_sizes=hand_size)
    state = table.states.copy()
    states, episodes = new_records(1, state.dtype), table.episodes.copy()
    points = np.zeros(table.players)

    def work() -> int:
        head = (table.rules_record, table.settings, state, states, episodes, table.decks)
        return int(random_playouts(*head, n_playouts, points))

    return work


def aec_work(env: Any, n_decisions: int = 500) -> Work:
    """Play a PettingZoo AEC environment with `last()` and a random action under the mask, game after game.

    The mask is taken from the observation, or from the info where the environment has it there. A game that
    is not over after `n_decisions` goes on in the next call.
    """
    draws = np.random.default_rng(0)
    env.reset(seed=0)

    def work() -> int:
        played = 0
        while played < n_decisions:
            observation, _, terminated, truncated, info = env.last()
            if terminated or truncated:
                env.reset()
                continue
            mask = observation["action_mask"] if isinstance(observation, dict) else info["action_mask"]
            legal = np.flatnonzero(mask)
            env.step(legal[int(draws.random() * len(legal))])
            played += 1
        return played

    return work


def our_aec_work() -> Work:
    """Play our environment as `backalley.envs.back_alley_v0.env()` gives it."""
    from backalley.envs import back_alley_v0

    return aec_work(back_alley_v0.env())


def seat_vector_work(n: int = EPISODES) -> Work:
    """Step n single-seat environments with `simple` in the other seats; the learner's decisions count."""
    import gymnasium

    from backalley.envs.api.registration import GYMNASIUM_ID

    envs = gymnasium.make_vec(
        GYMNASIUM_ID,
        num_envs=n,
        vectorization_mode="vector_entry_point",
        autoreset_mode=gymnasium.vector.AutoresetMode.SAME_STEP,
        opponents="simple",
    )
    draws = np.random.default_rng(0)
    masks = [envs.reset(seed=0)[0]["action_mask"]]

    def work() -> int:
        for _ in range(20):
            observations, _, _, _, _ = envs.step(random_legal(masks[0], draws))
            masks[0] = observations["action_mask"]
        return 20 * n

    return work


def random_legal(masks: NDArray[np.int8], draws: np.random.Generator) -> NDArray[np.int64]:
    """Return a random legal action for each row of masks (n, n_actions): the one of the k-th one, k drawn."""
    counts = np.cumsum(masks, axis=1, dtype=np.int16)
    wanted = (draws.random(len(masks)) * counts[:, -1]).astype(np.int16)
    return np.asarray((counts > wanted[:, None]).argmax(axis=1))


def training_rate(overrides: tuple[str, ...] = (), updates: int = ROUNDS) -> float:
    """Return decisions learnt from per second: median over updates of `quickstart`, play included.

    Args:
        overrides: settings of the configuration, such as `network.hidden=[512, 512]`.
        updates: how many count; as many again that fill the pipes do not.
    """
    from backalley.train.config import load_config
    from backalley.train.selfplay import Trainer

    with tempfile.TemporaryDirectory() as folder:
        trainer = Trainer(load_config("quickstart", overrides), Path(folder))
        rates = []
        for _ in range(2 * updates):
            trainer.step()
            rates.append(trainer.progress.decisions_per_second)
        trainer.log.close()
    return statistics.median(rates[updates:])


def _figures(rounds: int, seconds: float) -> dict[str, Callable[[], float]]:
    def timed(make: Callable[[], Work]) -> Callable[[], float]:
        return lambda: rate(make(), rounds=rounds, seconds=seconds)

    return {
        "table_decisions": timed(table_work),
        "table_decisions_64_episodes": timed(lambda: table_work(64)),
        "table_decisions_16384_episodes": timed(lambda: table_work(16_384)),
        "table_decisions_2_threads": timed(lambda: table_work(threads=2)),
        "table_decisions_python_actions": timed(python_actions_work),
        "playout_decisions": timed(playout_work),
        "aec_decisions": timed(our_aec_work),
        "seat_vector_decisions": timed(seat_vector_work),
        "training_decisions": training_rate,
    }


def figure_names() -> list[str]:
    """Return the names of all figures."""
    return [*_figures(ROUNDS, SECONDS), *preset_figure_names()]


def standard_figure_names() -> list[str]:
    """Return the names of the figures that are measured unless others are asked for."""
    return list(_figures(ROUNDS, SECONDS))


def preset_figure_names() -> list[str]:
    """Return the names of the figures that step a table of each preset, in the order of the presets."""
    return [f"table_decisions_{preset}" for preset in preset_names()]


def measure(name: str) -> dict[str, str | float]:
    """Return one figure as `{"name", "value", "unit"}`."""
    figures = _figures(ROUNDS, SECONDS)
    if name not in figures:
        preset = name.removeprefix("table_decisions_")
        return {
            "name": name,
            "value": round(rate(table_work(preset=preset), rounds=ROUNDS, seconds=SECONDS), 1),
            "unit": UNIT,
        }
    return {"name": name, "value": round(figures[name](), 1), "unit": UNIT}
