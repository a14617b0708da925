"""What `backalley deal` and `backalley solve` do: one deal of any game, as a record and as text."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from backalley.envs import Rules, StreetsRules
from backalley.envs.api.options import reset_arguments
from backalley.envs.errors import BackAlleyError
from backalley.envs.rule_set import RuleSet
from backalley.policies import registry
from backalley.policies.base import Policy
from backalley.policies.kits import kit_of
from backalley.train import deal_record, deal_sheet, patience_sheet

Record = dict[str, Any]

_OPTIONS = {"hand_size": "--hand-size", "deck": "--deck", "cut": "--cut", "dealer": "--dealer"}


def deal(
    rules: RuleSet, policies: str, seed: int, fixed: dict[str, Any], *, match: bool = False, full: bool = False
) -> tuple[Record, str]:
    """Play a deal, or a match, and return its record and its text.

    Args:
        rules: rule set of any of the games.
        policies: names separated by commas, empty for the best bot.
        seed: of the deck and of the policies' draws.
        fixed: `hand_size`, `deck` (a list of decks), `cut`, `dealer`; None leaves it to chance.
        match: play a whole match.
        full: show every deal of the match.

    Raises:
        BackAlleyError: options that do not fit each other, or the game.
    """
    names = policies or kit_of(rules).best
    if isinstance(rules, StreetsRules):
        return _patience(rules, names, seed, fixed, match=match)
    assert isinstance(rules, Rules)
    _check_deal(rules, fixed, match=match, full=full)
    seats = _seat_policies(names, rules)
    if match:
        record = deal_record.play_match(rules, seats, seed=seed, dealer=fixed["dealer"])
        return record, deal_sheet.match_text(record, rules, full=full)
    chance = {"hand_size": fixed["hand_size"], "decks": fixed["deck"], "cuts": fixed["cut"], "dealer": fixed["dealer"]}
    record = deal_record.play_deal(rules, seats, seed=seed, **chance)
    return record, deal_sheet.deal_text(record, rules)


def _patience(rules: StreetsRules, name: str, seed: int, fixed: dict[str, Any], *, match: bool) -> tuple[Record, str]:
    foreign = [option for key, option in _OPTIONS.items() if key != "deck" and fixed[key] is not None]
    if foreign := [*foreign, *(["--match"] if match else [])]:
        raise BackAlleyError(f"{foreign[0]} has no meaning in patience: leave it out, --deck and --seed fix the deal")
    decks = fixed["deck"] or [None]
    if len(decks) > 1:
        raise BackAlleyError(f"{len(decks)} decks for one game of patience: give --deck once")
    record = patience_sheet.play_game(rules, registry.make(name, rules), seed=seed, deck=decks[0])
    return record, patience_sheet.game_text(record, rules)


def _check_deal(rules: Rules, fixed: dict[str, Any], *, match: bool, full: bool) -> None:
    """Refuse options of `deal` that do not fit each other, and a cut that does not fit the rules."""
    if full and not match:
        raise BackAlleyError("--full shows the deals of a match: add --match, a single deal is always shown in full")
    for key in ("hand_size", "deck", "cut"):
        if match and fixed[key]:
            option = _OPTIONS[key]
            raise BackAlleyError(f"{option} fixes a single deal: leave it or --match out, a match deals its schedule")
    reset_arguments({key: fixed[key] for key in ("deck", "cut", "hand_size")}, rules)


def _seat_policies(names: str, rules: Rules) -> list[Policy]:
    """Return the policy of each seat from names separated by commas."""
    given = [name.strip() for name in names.split(",")]
    seats: dict[int, Callable[[int], int]] = {
        1: lambda seat: 0,
        rules.n_sides: rules.side_of,
        rules.players: lambda seat: seat,
    }
    if len(given) not in seats:
        counts = ", ".join(map(str, seats))
        raise BackAlleyError(
            f"--policies names {len(given)} policies: give one, one for each side, or each seat ({counts})"
        )
    made = [registry.make(name, rules) for name in given]
    return [made[seats[len(given)](seat)] for seat in range(rules.players)]


def solve(rules: RuleSet, deck_file: Path | None, seed: int | None, max_seconds: float) -> tuple[Record, str]:
    """Decide whether a deal of patience can be won and return a record and a text.

    Args:
        rules: rule set of a game that a solver knows.
        deck_file: text file with the pack in dealing order.
        seed: the deal of this seed instead.
        max_seconds: time to take.

    Raises:
        BackAlleyError: another game, no deal or two, a file that cannot be read.
        InvalidDeck, NotationError: the file holds no permutation of the pack.
    """
    if not isinstance(rules, StreetsRules):
        raise BackAlleyError("solve is for patience: --preset streets_and_alleys or beleaguered_castle")
    if (deck_file is None) == (seed is None):
        raise BackAlleyError("solve needs one deal: give a DECKFILE or --seed N")
    deck = None
    if deck_file is not None:
        try:
            deck = deck_file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise BackAlleyError(f"cannot read the deck from {deck_file}: {error}") from None
    record = patience_sheet.solve_deal(rules, seed=seed, deck=deck, max_seconds=max_seconds)
    return record, patience_sheet.solution_text(record, rules)
