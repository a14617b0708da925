"""What the command line shows people: results as a table, progress as a bar."""

from __future__ import annotations

from rich import box
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from backalley.train.alone import AloneResult
from backalley.train.evaluate import Result
from backalley.train.measure import AnyResult


def show_result(result: AnyResult) -> None:
    """Print a result of `measure` as a table."""
    Console(highlight=False).print(_alone_table(result) if isinstance(result, AloneResult) else _pairs_table(result))


def _table(title: str, result: AnyResult, n: str, columns: tuple[str, ...]) -> Table:
    options = "".join(f", {key} {value}" for key, value in result.options.items())
    caption = f"{result.preset}{options}; {n}, seed {result.seed}, {result.seconds:.1f} s"
    table = Table(title=title, caption=caption, box=box.SIMPLE, min_width=60)
    for name in columns:
        table.add_column(name, justify="right")
    return table


def _pairs_table(result: Result) -> Table:
    table = _table(
        f"{result.policy_a} against {result.policy_b}: {result.mean:+.3f} points per deal",
        result,
        f"{result.pairs} pairs",
        ("hand size", "points per deal", "95 % interval", "pairs"),
    )
    for size, part in result.by_hand_size.items():
        table.add_row(str(size), f"{part.mean:+.3f}", _interval(part.ci95, "+.3f"), str(part.pairs))
    table.add_section()
    table.add_row("all", f"{result.mean:+.3f}", _interval(result.ci95, "+.3f"), str(result.pairs))
    return table


def _alone_table(result: AloneResult) -> Table:
    table = _table(
        f"{result.policy_a} and {result.policy_b} on the same deals",
        result,
        f"{result.deals} deals",
        ("policy", "won", "95 % interval", "cards up", "95 % interval"),
    )
    for name, won, cards in zip((result.policy_a, result.policy_b), result.won, result.cards, strict=True):
        shares = f"{won.mean:.2%}", _interval(won.ci95, ".2%")
        table.add_row(name, *shares, f"{cards.mean:.2f}", _interval(cards.ci95, ".2f"))
    table.add_section()
    won = result.won_difference
    shares = f"{won.mean:+.2%}", _interval(won.ci95, "+.2%")
    table.add_row("difference", *shares, f"{result.mean:+.2f}", _interval(result.ci95, "+.2f"))
    return table


def _interval(ci95: tuple[float, float] | None, form: str) -> str:
    return "–" if ci95 is None else f"{ci95[0]:{form}} to {ci95[1]:{form}}"


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
