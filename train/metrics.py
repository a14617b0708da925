"""What a training run logs, and where it goes.

| name | meaning |
|---|---|
| `strength/<bot>` | points per deal against the bot over duplicate pairs, greedy play |
| `loss/policy_loss`, `loss/value_loss` | the two losses of the update |
| `loss/entropy_bid`, `loss/entropy_play` | mean entropy in nats of the policy where it bids, where it plays |
| `loss/kl` | estimate of how far one update moved the policy |
| `loss/clip_share` | share of decisions whose probability ratio left the clipping range |
| `loss/grad_norm` | gradient norm before clipping |
| `loss/explained_variance` | share of the variance of the targets that the values explain |
| `bids/pass`, `bids/board` | share of passes and boards among the bids of the last batch |
| `bids/mean_share` | mean number bid over hand size, of number bids |
| `bids/size_<n>` | histogram of the bids with n cards: 0 pass, 1..13, 14 board |
| `speed/decisions_per_second` | learning decisions, everything included |
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray


class MetricsLog:
    """Writes metrics to TensorBoard and, one JSON object a line, to `metrics.jsonl`.

    Args:
        folder: folder of the run.
        resume_at: decisions made so far; later lines of an interrupted run are dropped.
        histogram: name of the histogram of a row of counts, with `{}` for its number; empty for none.
    """

    def __init__(self, folder: Path, resume_at: int = 0, histogram: str = "") -> None:
        from torch.utils.tensorboard import SummaryWriter

        self._path = folder / "metrics.jsonl"
        self._histogram = histogram
        kept = [line for line in read_metrics(self._path) if line["decisions"] <= resume_at] if resume_at else []
        self._path.write_text("".join(json.dumps(line) + "\n" for line in kept), encoding="utf-8")
        self._board = SummaryWriter(str(folder), purge_step=resume_at or None)

    def write(self, decisions: int, values: dict[str, float], counts: NDArray[np.int64] | None = None) -> None:
        """Log `values` at a number of decisions; with `counts` (rows, columns) also a histogram of each row."""
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"decisions": decisions, **values}) + "\n")
        for name, value in values.items():
            self._board.add_scalar(name, value, decisions)
        if counts is not None and self._histogram:
            bins = range(counts.shape[1] + 1)
            for row in np.flatnonzero(counts.sum(1)):
                drawn = np.repeat(np.arange(counts.shape[1]), np.minimum(counts[row], 10_000))
                self._board.add_histogram(self._histogram.format(row), drawn, decisions, bins=bins)

    def close(self) -> None:
        """Flush everything."""
        self._board.close()


def read_metrics(path: Path) -> list[dict[str, Any]]:
    """Return the lines of a `metrics.jsonl`; an incomplete last line is dropped."""
    lines = []
    for text in path.read_text(encoding="utf-8").splitlines() if path.exists() else []:
        try:
            lines.append(json.loads(text))
        except json.JSONDecodeError:
            break
    return lines


def plot_strength(folder: Path, file: Path, title: str) -> None:
    """Draw the strength of a run against each bot over its decisions as a PNG."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    lines = read_metrics(folder / "metrics.jsonl")
    figure, axes = plt.subplots(figsize=(7, 4), layout="constrained")
    for name in sorted({key for line in lines for key in line if key.startswith("strength/")}):
        points = [(line["decisions"] / 1e6, line[name]) for line in lines if name in line]
        axes.plot(*zip(*points, strict=True), marker=".", label=f"against {name.removeprefix('strength/')}")
    axes.axhline(0, color="grey", linewidth=0.8)
    axes.set(title=title, xlabel="learning decisions (millions)", ylabel="points per deal, duplicate pairs")
    axes.legend()
    axes.grid(alpha=0.3)
    figure.savefig(file, dpi=130)
    plt.close(figure)
