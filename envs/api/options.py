"""Keywords and reset options that all faces share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces

from backalley.envs.back_alley.rules import Rules
from backalley.envs.errors import InvalidDeck, UnknownName, UnknownRenderMode, unknown
from backalley.envs.game import Game
from backalley.envs.games import GAMES
from backalley.envs.table import Table

RENDER_MODES = ("ansi", "human")
ILLEGAL_MODES = ("terminate", "raise")
ILLEGAL_REWARD = -1.0


def make_table(game: Game, preset: str, n: int, options: Mapping[str, Any], **keywords: Any) -> Table:
    """Return a table for the keywords of an environment.

    Args:
        game: the game that the environment plays.
        preset: named rule set of that game.
        n: number of episodes.
        options: rule options that override the preset.
        **keywords: of `Table`.

    Raises:
        UnknownName: the game has no such preset, which may be another game's; see also `Table`.
        InvalidRules: see `RuleSet.preset`.
    """
    for other in GAMES:
        if other is not game and preset in other.rules.PRESETS:
            known = ", ".join(sorted(game.rules.PRESETS))
            raise UnknownName(f"preset {preset!r} is of {other.name}, not of {game.name} (known: {known})")
    return Table(game.rules.preset(preset, **options), n, **keywords)


def check_choice(what: str, value: str | None, known: Sequence[str]) -> None:
    """Refuse a keyword value that is not known.

    Raises:
        UnknownName: with the nearest known value.
    """
    if value is not None and value not in known:
        raise unknown(what, value, known)


def check_render_mode(mode: str | None, known: Sequence[str]) -> None:
    """Refuse a render mode that is not known.

    Raises:
        UnknownRenderMode: with the nearest known mode.
    """
    try:
        check_choice("render mode", mode, known)
    except UnknownName as error:
        raise UnknownRenderMode(str(error)) from None


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


def deck_argument(options: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the argument `decks` of `Table.reset` for `reset(options=…)`, if there is a `deck`; ignore the rest.

    Raises:
        InvalidDeck: `deck` is no deck or list of decks.
    """
    deck = (options or {}).get("deck")
    return {} if deck is None else {"decks": _decks(deck)}


def reset_arguments(options: Mapping[str, Any] | None, rules: Rules) -> dict[str, Any]:
    """Return the arguments of `Table.reset` for `reset(options=…)` in Back Alley; unknown options are ignored.

    Raises:
        InvalidDeck: `deck` is no deck or list of decks, or `cut` does not fit it or these rules.
        ValueError: `dealer` or `hand_size` is no whole number.
    """
    options = options or {}
    arguments = deck_argument(options)
    for name, argument in (("dealer", "dealers"), ("hand_size", "hand_sizes")):
        if options.get(name) is not None:
            arguments[argument] = _whole_numbers(name, options[name])
    if options.get("cut") is not None:
        arguments["cuts"] = _cuts(options["cut"], arguments, rules)
    return arguments


def _decks(deck: Any) -> list[Any]:
    """Return a deck, or a list of decks, as a list of decks."""
    if isinstance(deck, str):
        return [deck]
    try:
        decks = list(deck)
    except TypeError:
        raise InvalidDeck(
            f"reset option deck={deck!r} is no deck: give a permutation of the pack (card names or ids), or a list of "
            "them used one after another"
        ) from None
    first = decks[0] if decks else None
    is_one = len(first.split()) == 1 if isinstance(first, str) else isinstance(first, int | np.integer) or first is None
    return [decks] if is_one else decks


def _whole_numbers(name: str, value: Any) -> Any:
    """Refuse what is neither a whole number nor an array of them, one for each environment."""
    if isinstance(value, bool) or not np.issubdtype(np.asarray(value).dtype, np.integer):
        raise ValueError(f"reset option {name}={value!r} must be a whole number, or one for each environment")
    return value


def _cuts(cut: Any, arguments: Mapping[str, Any], rules: Rules) -> list[Any]:
    """Return the card of the cut, or a list of them (None where it is left to chance), as one for each deck."""
    what = f"reset option cut={cut!r}"
    if not rules.can_cut:
        raise InvalidDeck(
            f"{what}: no deal of these rules is cut, trumps are "
            f"{'turned up' if rules.trump_source == 'turn_up' else 'always spades'} (BA-22); fix them by `deck`"
        )
    if "decks" not in arguments:
        raise InvalidDeck(f"{what} without deck: the cut card is in play and belongs to a deck, give both (BA-22)")
    n_decks = len(arguments["decks"])
    cuts = [cut] if isinstance(cut, str | int | np.integer) else list(cut) if isinstance(cut, Sequence) else [object()]
    if not all(
        card is None or (isinstance(card, str | int | np.integer) and not isinstance(card, bool)) for card in cuts
    ):
        raise InvalidDeck(
            f"{what} is no card: give a suit card of the pack such as 7H, or a list with one for each deck"
        )
    if len(cuts) != n_decks:
        raise InvalidDeck(f"{what}: {len(cuts)} cut cards for {n_decks} decks, give one for each deck (BA-22)")
    size = arguments.get("hand_sizes")
    if n_decks == 1 and isinstance(size, int | np.integer) and not rules.is_cut(int(size)):
        raise InvalidDeck(f"{what}: a deal of {size} cards is not cut, the next card is turned up (BA-22, BAW-3)")
    return cuts
