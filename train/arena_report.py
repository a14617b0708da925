"""What an arena found, for people: tables on the terminal, a picture, and one HTML page; and JSON for programs.

The tables are made once, as text, and shown in both places. Nothing says when or where the arena was played, so the
same arena gives the same files.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table

from backalley.policies.back_alley.bid_counts import COUNTS
from backalley.policies.files import write_atomically
from backalley.train.arena import ArenaResult, Pairing
from backalley.train.estimates import Estimate
from backalley.train.output import write_json
from backalley.train.regret import Shares

JSON_FILE = "arena.json"
PICTURE_FILE = "arena.png"
REPORT_FILE = "arena.html"
WIDE = 20
"""Points between the best and the worst policy from which the picture has a compressed scale."""


@dataclass(frozen=True)
class Sheet:
    """A table as text; the first column names the row, the others hold figures."""

    title: str
    note: str
    columns: list[str]
    rows: list[list[str]]


def write_reports(result: ArenaResult, folder: Path, command: str = "") -> None:
    """Write `arena.json`, `arena.png` and `arena.html` into the arena's folder.

    Args:
        result: what `run_arena` returned.
        folder: an existing folder.
        command: the command line, for the page.
    """
    image = picture(result)
    write_json(str(folder / JSON_FILE), result.as_dict())
    write_atomically(folder / PICTURE_FILE, image)
    write_atomically(folder / REPORT_FILE, page(result, image, command).encode())


def show(result: ArenaResult) -> None:
    """Print the tables."""
    console = Console(highlight=False)
    for sheet in sheets(result):
        table = Table(title=sheet.title, caption=sheet.note, box=box.SIMPLE)
        for i, name in enumerate(sheet.columns):
            table.add_column(name, justify="right" if i else "left", overflow="fold")
        for row in sheet.rows:
            table.add_row(*row)
        console.print(table)
    console.print(conditions(result))


def conditions(result: ArenaResult) -> str:
    """Return what makes the figures repeatable, in one line."""
    options = "".join(f", {key} {value}" for key, value in result.options.items())
    return f"{result.preset}{options}; {result.pairs} pairs for each pairing, seed {result.seed}"


def sheets(result: ArenaResult) -> list[Sheet]:
    """Return all tables of an arena; the split and the regret only where they were asked for."""
    found = [_ratings(result), _cross_table(result), _by_size(result), _bids(result)]
    if result.split:
        found.append(_split(result))
    if result.regret:
        found += _regret(result)
    return found


def _ratings(result: ArenaResult) -> Sheet:
    note = (
        f"least squares on all margins, the more precise the more weight, {result.anchor} fixed at 0; "
        "intervals by bootstrap over the deals; "
        f"the margins differ from the ratings' by {result.misfit:.3f} (root mean square)"
    )
    rows = [[one.policy, f"{one.rating:+.3f}", _interval(one.ci95)] for one in result.ratings]
    return Sheet("Ratings, points per deal", note, ["policy", "rating", "95 % interval"], rows)


def _cross_table(result: ArenaResult) -> Sheet:
    margins: dict[tuple[str, str], Estimate] = {}
    for one in result.pairings:
        mean, half = one.margin.mean, _half_width(one.margin)
        margins[one.policy_a, one.policy_b] = one.margin
        margins[one.policy_b, one.policy_a] = Estimate(-mean, (-mean - half, -mean + half), one.margin.pairs)
    names = [one.policy for one in result.ratings]
    rows = [
        [f"{i} {a}", *("" if a == b else f"{margins[a, b].mean:+.2f} ±{_half_width(margins[a, b]):.2f}" for b in names)]
        for i, a in enumerate(names, 1)
    ]
    numbers = [str(i) for i in range(1, len(names) + 1)]
    return Sheet(
        "Margins, row over column", "points per deal on duplicate pairs, with 95 % intervals", ["", *numbers], rows
    )


def _by_size(result: ArenaResult) -> Sheet:
    names = [one.policy for one in result.ratings]
    rows = []
    for size, part in result.ratings_by_size.items():
        rating_of = {one.policy: one.rating for one in part}
        rows.append([str(size), *(f"{rating_of[name]:+.2f}" for name in names)])
    note = "ratings from the deals of each hand size; their intervals are in the JSON"
    return Sheet("Ratings by hand size", note, ["cards", *names], rows)


def _bids(result: ArenaResult) -> Sheet:
    rows = []
    for one in result.ratings:
        parts = result.bids[one.policy].values()
        n = {count: sum(part[count] for part in parts) for count in COUNTS}
        rows.append(
            [
                one.policy,
                _share(n["bids"], n["deals"]),
                _share(n["bids_made"], n["bids"]),
                f"{n['over'] / n['bids']:+.2f}" if n["bids"] else "–",
                _share(n["boards"], n["deals"]),
                _share(n["boards_made"], n["boards"]),
            ]
        )
    columns = ["policy", "with a number", "made", "tricks − bid", "board tried", "board made"]
    note = "of the sides of each policy over all deals (of the seats, where the rules score players)"
    return Sheet("Bids", note, columns, rows)


def _split(result: ArenaResult) -> Sheet:
    whole = {(one.policy_a, one.policy_b): one for one in result.pairings}
    rows = []
    for bidding, cards in result.split:
        b = bidding.policy_b
        a = cards.policy_a.removeprefix(f"bids={b},cards=")
        rows.append([f"{a} over {b}", *(_margin(one) for one in (whole[a, b], bidding, cards))])
    note = "with its bids and the other's cards (cards frozen), and with the other's bids and its cards (bids frozen)"
    return Sheet("What is won by bidding and by play", note, ["", "in all", "bids alone", "cards alone"], rows)


def _regret(result: ArenaResult) -> list[Sheet]:
    """Return what policies gave away in all deals, and in those of the largest hands, the best policy first."""
    places = [one.policy for one in result.ratings]
    judged = sorted(result.regret, key=lambda one: places.index(one.policy))
    largest = max((size for one in judged for size in one.by_hand_size), default=0)
    overall = [(one.policy, one.overall) for one in judged]
    at_largest = [(one.policy, one.by_hand_size[largest]) for one in judged if largest in one.by_hand_size]
    note = (
        "what the cards of a side gave away against perfect play with all hands open, which is no count of mistakes; "
        f"each policy at all four seats of the same deals, hands of at most {largest} cards, with 95 % intervals; "
        "playing: with a board or the higher bid, defending: against it; points, where the solver can tell: "
        "who bids high has more to lose"
    )
    return [
        _given_away("Regret per side and deal", note, overall),
        _given_away(f"Regret with hands of {largest} cards", "as above, of these deals only", at_largest),
    ]


def _given_away(title: str, note: str, shares: Sequence[tuple[str, Shares]]) -> Sheet:
    rows = []
    for name, one in shares:
        figures = (one.tricks, one.playing, one.defending, one.points)
        n_deals = one.tricks.pairs if one.tricks else 0
        rows.append([name, str(n_deals), *map(_mean, figures)])
    return Sheet(title, note, ["policy", "deals", "tricks", "playing", "defending", "points"], rows)


def _mean(one: Estimate | None) -> str:
    if one is None:
        return "–"
    return f"{one.mean:.2f}" if one.ci95 is None else f"{one.mean:.2f} ±{_half_width(one):.2f}"


def _margin(one: Pairing) -> str:
    return f"{one.margin.mean:+.3f} ±{_half_width(one.margin):.3f}"


def _half_width(margin: Estimate) -> float:
    assert margin.ci95 is not None
    return (margin.ci95[1] - margin.ci95[0]) / 2


def _interval(ci95: tuple[float, float] | None) -> str:
    return "fixed" if ci95 is None else f"{ci95[0]:+.3f} to {ci95[1]:+.3f}"


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.1%}" if whole else "–"


def picture(result: ArenaResult) -> bytes:
    """Return a PNG with the ratings and their intervals, and the ratings by hand size."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.5), layout="constrained")
    sizes = list(result.ratings_by_size)
    for y, one in enumerate(reversed(result.ratings)):
        low, high = one.ci95 or (one.rating, one.rating)
        color = f"C{y}"
        left.errorbar(one.rating, y, xerr=[[one.rating - low], [high - one.rating]], fmt="o", capsize=4, color=color)
        values = [next(x.rating for x in result.ratings_by_size[size] if x.policy == one.policy) for size in sizes]
        right.plot(sizes, values, marker=".", color=color)
    left.set_yticks(range(len(result.ratings)), [one.policy for one in reversed(result.ratings)])
    left.axvline(0, color="grey", linewidth=0.8)
    left.set(title="Ratings with 95 % intervals", xlabel=f"points per deal above {result.anchor}")
    right.set(title="Ratings by hand size, in the same colours", xlabel="cards dealt to each seat")
    for axes in (left, right):
        axes.grid(alpha=0.3)
    ratings = [one.rating for one in result.ratings]
    if max(ratings) - min(ratings) > WIDE:
        _compress(left.xaxis, left.set_xscale)
        _compress(right.yaxis, right.set_yscale)
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=130)
    plt.close(figure)
    return buffer.getvalue()


def _compress(axis: Any, set_scale: Any) -> None:
    """Keep strong policies apart when a very weak one takes part: a scale that is linear around 0 only."""
    from matplotlib.ticker import FixedLocator, NullLocator, ScalarFormatter

    set_scale("symlog", linthresh=5, linscale=2)
    axis.set_major_locator(FixedLocator([-100, -50, -20, -10, -5, -3, -1, 0, 1, 3, 5, 10, 20, 50, 100]))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(ScalarFormatter())


_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 60rem; padding: 1rem; color: #222; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin: 2rem 0 0; }
p { margin: .3rem 0; color: #555; } code { overflow-wrap: anywhere; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; margin-top: .5rem; font-size: .9rem; }
th, td { padding: .3rem .6rem; text-align: right; white-space: nowrap; border-bottom: 1px solid #ddd; }
th:first-child, td:first-child { text-align: left; white-space: normal; overflow-wrap: anywhere; min-width: 6rem; }
img { max-width: 100%; height: auto; margin-top: 1rem; }
"""


def page(result: ArenaResult, image: bytes, command: str = "") -> str:
    """Return the report as one HTML page that needs no other file.

    Args:
        result: what `run_arena` returned.
        image: a PNG.
        command: the command line, if there is one.
    """
    title = "Arena: " + ", ".join(result.policies)
    parts = [
        "<!DOCTYPE html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head><body>",
        f"<h1>{escape(title)}</h1><p>{escape(conditions(result))}</p>",
    ]
    if command:
        parts.append(f"<p><code>{escape(command)}</code></p>")
    image_text = base64.b64encode(image).decode()
    parts.append(f'<img alt="Ratings with intervals, and by hand size" src="data:image/png;base64,{image_text}">')
    parts += [_html_table(sheet) for sheet in sheets(result)]
    return "\n".join([*parts, "</body></html>", ""])


def _html_table(sheet: Sheet) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in sheet.columns)
    rows = "\n".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in sheet.rows)
    table = f"<table><thead><tr>{head}</tr></thead><tbody>\n{rows}\n</tbody></table>"
    return f'<h2>{escape(sheet.title)}</h2><p>{escape(sheet.note)}</p><div class="wide">{table}</div>'
