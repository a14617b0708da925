"""Keywords and reset options that all faces share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces

from backalley.envs.back_alley.rules import Rules
from backalley.envs.errors import InvalidDeck, unknown
from backalley.envs.table import Table

RENDER_MODES = ("ansi", "human")
ILLEGAL_MODES = ("terminate", "raise")
ILLEGAL_REWARD = -1.0


def make_table(
    preset: str,
    n: int,
    options: Mapping[str, Any],
    episode: str,
    reward: str,
    max_redeals: int,
    *,
    buffers: bool = False,
) -> Table:
    """Return a table for the keywords of an environment; see `Table` and `Rules.preset` for errors."""
    rules = Rules.preset(preset, **options)
    return Table(rules, n, episode=episode, reward=reward, max_redeals=max_redeals, buffers=buffers)


def check_choice(what: str, value: str | None, known: Sequence[str]) -> None:
    """Refuse a keyword value that is not known.

    Raises:
        UnknownName: with the nearest known value.
    """
    if value is not None and value not in known:
        raise unknown(what, value, known)


def check_render_seat(seat: int | str | None, players: int) -> None:
    """Refuse to render the view of a seat that is not at the table.

    Raises:
        ValueError: there is no such seat.
    """
    if seat is not None and (isinstance(seat, str) or not 0 <= seat < players):
        raise ValueError(f"render_seat={seat!r} is not at the table: choose 0 to {players - 1}, or None for all hands")


def observation_space(table: Table) -> spaces.Dict:
    """Return the space of one seat's observation dictionary."""
    return spaces.Dict(
        {
            "observation": spaces.Box(0, 1, (table.layout.size,), np.int8),
            "action_mask": spaces.Box(0, 1, (table.game.n_actions,), np.int8),
        }
    )


def reset_arguments(options: Mapping[str, Any] | None, rules: Rules) -> dict[str, Any]:
    """Return the arguments of `Table.reset` for an environment's `reset(options=…)`; unknown options are ignored.

    Raises:
        InvalidDeck: `cut` for rules that never cut.
    """
    options = options or {}
    arguments: dict[str, Any] = {}
    if options.get("deck") is not None:
        deck = options["deck"]
        arguments["decks"] = [deck] if _is_one_deck(deck) else list(deck)
    if options.get("dealer") is not None:
        arguments["dealers"] = options["dealer"]
    if options.get("hand_size") is not None:
        arguments["hand_sizes"] = options["hand_size"]
    if options.get("cut") is not None:
        raise InvalidDeck(
            f"reset option cut={options['cut']!r}: with deck={rules.deck!r} a card is always left to turn up, "
            "so no deal of these rules is cut (BA-22); fix the turn-up by `deck`"
        )
    return arguments


def _is_one_deck(deck: Any) -> bool:
    """Tell one deck (a string, ids, or names) from a list of decks."""
    if isinstance(deck, str):
        return True
    first = next(iter(deck), None)
    if isinstance(first, str):
        return len(first.split()) == 1
    return isinstance(first, int | np.integer) or first is None
