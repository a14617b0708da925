"""What the command line shows people: results as a table, progress as a bar."""

from __future__ import annotations

from rich import box
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from backalley.train.evaluate import Result


def show_result(result: Result) -> None:
    """Print a result of `evaluate` as a table."""
    low, high = result.ci95
    options = "".join(f", {key} {value}" for key, value in result.options.items())
    table = Table(
        title=f"{result.policy_a} against {result.policy_b}: {result.mean:+.3f} points per deal",
        caption=f"{result.preset}{options}; {result.pairs} pairs, seed {result.seed}, {result.seconds:.1f} s",
        box=box.SIMPLE,
        min_width=60,
    )
    for name in ("hand size", "points per deal", "95 % interval", "pairs"):
        table.add_column(name, justify="right")
    for size, part in result.by_hand_size.items():
        interval = "–" if part.ci95 is None else f"{part.ci95[0]:+.3f} to {part.ci95[1]:+.3f}"
        table.add_row(str(size), f"{part.mean:+.3f}", interval, str(part.pairs))
    table.add_section()
    table.add_row("all", f"{result.mean:+.3f}", f"{low:+.3f} to {high:+.3f}", str(result.pairs))
    Console(highlight=False).print(table)


class ProgressBar:
    """A bar on standard error, if that is a terminal; it appears with the first update.

    Args:
        label: what is going on.
    """

    def __init__(self, label: str) -> None:
        console = Console(stderr=True)
        self.is_visible = console.is_terminal
        self._bar = Progress(console=console, transient=True, disable=not self.is_visible)
        self._task = self._bar.add_task(label, total=None, visible=False)

    def __enter__(self) -> ProgressBar:
        self._bar.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._bar.stop()

    def update(self, done: int, total: int, label: str | None = None) -> None:
        """Show `done` of `total`, with another label if given."""
        self._bar.update(self._task, completed=done, total=total, visible=True, description=label)
