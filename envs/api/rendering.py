"""A table of any game as text."""

from __future__ import annotations

from collections.abc import Callable

from backalley.envs.api.render import render_table
from backalley.envs.api.render_piles import render_piles
from backalley.envs.table import Table

RENDERERS: dict[str, Callable[[Table, int, int | None], str]] = {
    "back_alley": render_table,
    "streets_and_alleys": render_piles,
}
"""Game → its way to show a table."""


def render(table: Table, index: int = 0, seat: int | None = None) -> str:
    """Return episode `index` of a table as text.

    Args:
        table: a table of any game.
        index: episode.
        seat: whose view to show; None shows everything.
    """
    return RENDERERS[table.game.name](table, index, seat)
