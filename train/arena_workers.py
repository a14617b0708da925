"""Blocks of an arena played on several cores, or on a cluster, through the back ends of joblib."""

from __future__ import annotations

import os
import warnings
from collections.abc import Generator, Sequence
from contextlib import ExitStack
from importlib import import_module
from types import TracebackType
from typing import Any

from joblib import Parallel, cpu_count, delayed, parallel_config

from backalley.envs.errors import BackAlleyError
from backalley.train.arena_blocks import Block, Task, parts_of
from backalley.train.regret import RegretTask

BACKENDS = ("loky", "threading", "ray", "dask")
"""Processes or threads here, or the workers of a cluster."""
_PER_WORKER = 4  # blocks a worker gets at once from a back end that returns the results of a call together


class Workers:
    """Plays blocks; used in a `with` statement.

    Args:
        n: how many workers, -1 for one on each core.
        backend: one of `BACKENDS`; `ray` and `dask` join the cluster of RAY_ADDRESS or DASK_SCHEDULER_ADDRESS, and
            start one here without.

    Raises:
        BackAlleyError: the back end is not installed.
    """

    def __init__(self, n: int, backend: str) -> None:
        self.n = n
        self.backend = backend
        self._exit = ExitStack()
        self._compiled: set[str] = set()

    def __enter__(self) -> Workers:
        returns_each = self.backend != "ray"
        try:
            if self.backend == "ray":
                self._start_ray()
            elif self.backend == "dask":
                self._start_dask()
            self._exit.enter_context(parallel_config(backend=self.backend, n_jobs=self.n))
            return_as = "generator_unordered" if returns_each else "list"
            self._parallel = self._exit.enter_context(Parallel(batch_size=1, return_as=return_as))
        except BaseException:
            self._exit.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._exit.__exit__(kind, error, trace)

    def play(self, tasks: Sequence[Task | RegretTask]) -> Generator[Block, None, None]:
        """Yield the blocks of the tasks as they are done, in any order."""
        if self.backend == "loky" and self.n != 1:
            self._compile(tasks)
        if self.backend != "ray":
            blocks = self._parallel(map(delayed(_play), tasks))
            try:
                for block in blocks:  # noqa: UP028 (yield from closes them itself, and they warn)
                    yield block
            finally:
                with warnings.catch_warnings():  # of blocks begun in vain, when interrupted
                    warnings.simplefilter("ignore", UserWarning)
                    blocks.close()
            return
        n_at_once = _PER_WORKER * (self.n if self.n > 0 else cpu_count())
        for start in range(0, len(tasks), n_at_once):
            yield from self._parallel(map(delayed(_play), tasks[start : start + n_at_once]))

    def _compile(self, tasks: Sequence[Task | RegretTask]) -> None:
        """Compile once, here, what the tasks need: workers load the machine code."""
        for task in tasks:
            needed = {type(task).__name__, *(stem for one in task.entrants for stem in _stems(one.name))}
            if not needed <= self._compiled:
                self._compiled |= needed
                task.shortened().play()

    def _start_ray(self) -> None:
        ray: Any = _module("ray")
        _module("ray.util.joblib").register_ray()
        if ray.is_initialized():
            return
        quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
        if "RAY_ADDRESS" not in os.environ:
            quiet |= {"num_cpus": self.n if self.n > 0 else cpu_count(), "include_dashboard": False}
        ray.init(**quiet)
        self._exit.callback(ray.shutdown)

    def _start_dask(self) -> None:
        distributed: Any = _module("distributed")
        self._exit.enter_context(distributed.Client(**_dask_options(self.n)))


def _play(task: Task | RegretTask) -> Block:
    return task.play()


def _stems(name: str) -> list[str]:
    """Return what kinds of policies a name stands for: those of one kind share their machine code."""
    return [part.partition(":")[0] for part in parts_of(name)]


def _dask_options(n: int) -> dict[str, Any]:
    """Return how to start dask here, unless a cluster is named."""
    if "DASK_SCHEDULER_ADDRESS" in os.environ:
        return {}
    return {"n_workers": n if n > 0 else cpu_count(), "threads_per_worker": 1, "dashboard_address": None}


def _module(name: str) -> Any:
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        package = (error.name or name).partition(".")[0]
        raise BackAlleyError(f"this back end needs the package {package}: pip install {package}") from None
