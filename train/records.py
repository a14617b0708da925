"""Records of deals and matches as JSON lines: one line holds all that it takes to play an episode again.

| key | what |
|---|---|
| `format` | 1 |
| `game` | `back_alley` or `streets_and_alleys` |
| `preset`, `options` | the rules: a named rule set, and what differs from it |
| `episode` | `deal` or `match` |
| `max_redeals` / `max_moves` | after how much the episode is cut off (Back Alley / patience) |
| `decks` | every deck dealt, in order, hands thrown in included: card names in one text |
| `cuts` | for each deck the card that the cut exposed, null without a cut (Back Alley, BA-22) |
| `dealer`, `deal_index` | seat that dealt first, and which deal of the schedule came first, from 0 (Back Alley) |
| `policies` | who played, seat by seat |
| `actions` | what they did, in order: `2`, `pass`, `KH`, `T1-F` … |
| `result` | what came out, see `Playing.result` |
| `seed`, `pair` | optional: the seed of a measurement, and the number of the pair |

Seats are numbered from 0, and lists by seat have an entry for each.

`recording` plays episodes and makes records of them; `capture` is its heart.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

import numpy as np

from backalley.envs import Rules, Table, make_rules
from backalley.envs.api.results import winning_seats
from backalley.envs.back_alley import notation as back_alley
from backalley.envs.back_alley.episode import apply_action
from backalley.envs.back_alley.state import SCORED
from backalley.envs.cards import NO_CARD
from backalley.envs.errors import BackAlleyError, unknown
from backalley.envs.games import GAMES
from backalley.envs.rule_set import RuleSet
from backalley.envs.streams import Stream
from backalley.envs.streets_and_alleys import notation as streets_and_alleys
from backalley.envs.streets_and_alleys.state import WON

FORMAT = 1
MAX_LIMIT = 2**15 - 1
NOTATIONS: dict[str, Any] = {"back_alley": back_alley, "streets_and_alleys": streets_and_alleys}
"""Game → its names of actions."""

Record = dict[str, Any]


class RecordError(BackAlleyError):
    """A record that is damaged, breaks the rules, or does not come out as it says."""


class Playing:
    """One episode on a table, and what of it goes into a record.

    Args:
        table: a table with one episode, which has begun.
    """

    def __init__(self, table: Table) -> None:
        self.table = table
        self.actions: list[str] = []
        self._deals: list[Record] = []
        self._name = NOTATIONS[table.game.name].action_name

    def step(self, action: int) -> None:
        """Make a move.

        Raises:
            IllegalAction: the rules do not allow it.
        """
        table, after = self.table, self.table.states[:1].copy()
        table.step([action])
        self.actions.append(self._name(action))
        if isinstance(table.rules, Rules):
            apply_action(table.rules_record[0], after[0], action)  # alone: the table has gone on to the next deal
            if after[0]["phase"] == SCORED:
                self._deals.append(self._deal(after[0]))

    def _deal(self, state: Any) -> Record:
        """Return what came out of a deal that was just scored."""
        head = {"hand_size": int(state["hand_size"]), "dealer": int(state["dealer"])}
        fields = {"tricks": "tricks_won", "points": "deal_points", "own_points": "own_points"}
        return {**head, **{key: state[name][: self.table.players].tolist() for key, name in fields.items()}}

    def result(self) -> Record:
        """Return what came out.

        In Back Alley `deals`, for each that was scored its `hand_size`, `dealer`, and by seat `tricks`, `points` (of
        the seat's side) and `own_points` (of the seat, where players are scored alone); `totals` by seat; `winners`,
        the seats with the best total of a whole match. In patience `n_moves`, `cards_up` and `won`. In both
        `truncated`, whether the episode was cut off.
        """
        table, state = self.table, self.table.states[0]
        truncated = bool(table.episodes["truncated"][0])
        if not isinstance(table.rules, Rules):
            n_up = int(state["foundation"].sum())
            won = bool(state["outcome"] == WON)
            return {"n_moves": int(state["n_moves"]), "cards_up": n_up, "won": won, "truncated": truncated}
        totals = state["match_points"][: table.players].tolist()
        result = {"deals": self._deals, "totals": totals, "truncated": truncated}
        if table.episode == "match" and not truncated:
            result["winners"] = np.flatnonzero(winning_seats(table.rules, state)).tolist()
        return result


def replay(record: Record) -> Table:
    """Play the actions of a record on the engine and return the table at the end; the result is not looked at.

    Raises:
        RecordError: the record is damaged, or an action is illegal.
    """
    return _replayed(record).table


def verify(record: Record) -> Playing:
    """Play the actions of a record on the engine and compare what comes out with its result.

    Raises:
        RecordError: see `replay`; or the episode comes out another way.
    """
    playing = _replayed(record)
    written, found = record["result"], playing.result()
    for key in dict.fromkeys((*found, *written)):
        ours, theirs = (json.dumps(result.get(key, "nothing")) for result in (found, written))
        if ours != theirs:
            raise RecordError(f"result: {key} is written as {theirs}, but the actions give {ours}")
    return playing


def _replayed(record: Record) -> Playing:
    rules = check_record(record)
    limit = {name: record[name] for name in _LIMITS if name in record}
    start = {}
    if isinstance(rules, Rules):
        start = {"dealers": record["dealer"], "deal_indices": record["deal_index"], "cuts": record["cuts"]}
    table = Table(rules, 1, 0, episode=record["episode"], **limit)
    chance = table.episodes["chance"][0].copy()
    try:
        table.reset(decks=record["decks"], **start)
    except BackAlleyError as error:
        raise RecordError(f"decks and cuts: {error}") from None
    _check_chance(table, chance, record)
    playing = Playing(table)
    for number, name in enumerate(record["actions"], 1):
        try:
            if table.done[0]:
                raise BackAlleyError(f"the episode is over after {number - 1} actions")
            playing.step(NOTATIONS[table.game.name].parse_action(name))
        except BackAlleyError as error:
            raise RecordError(f"action {number} {name!r}: {error}") from None
        _check_chance(table, chance, record)
    if not table.done[0]:
        n, seat = len(record["actions"]), int(table.turn[0])
        raise RecordError(f"the actions end after {n}, but the episode is not over: player_{seat} is to act")
    n, used = len(record["decks"]), int(table.episodes["next_deck"][0])
    if used < n:
        raise RecordError(f"decks: {n} are given, but the actions use {used} of them")
    return playing


def _check_chance(table: Table, chance: Stream, record: Record) -> None:
    """Refuse a record that left something to chance, and a cut where there was none."""
    cuts, used = record.get("cuts"), int(table.episodes["next_deck"][0])
    if (table.episodes["chance"][0] != chance).any():
        more = "" if cuts is None else ", or a cut is missing (BA-22)"
        raise RecordError(f"decks: {len(record['decks'])} are given, but the actions need another one{more}")
    if cuts is not None and cuts[used - 1] is not None and table.states[0]["cut"] == NO_CARD:
        raise RecordError(f"cuts: deck {used} is not cut (BA-22), but {cuts[used - 1]} is given")


# What a record looks like.

_LIMITS = tuple(game.limit[0] for game in GAMES)
_NUMBER, _TEXT, _OBJECT = "a whole number, 0 or more", "a text", "an object"
_TEXTS, _TEXTS_OR_NULLS = "a list of texts", "a list of texts or nulls"
_COMMON = {
    **dict.fromkeys(("game", "preset", "episode"), _TEXT),
    **dict.fromkeys(("decks", "policies", "actions"), _TEXTS),
    **dict.fromkeys(("options", "result"), _OBJECT),
    "format": _NUMBER,
}
_OWN = {
    "back_alley": {"max_redeals": _NUMBER, "dealer": _NUMBER, "deal_index": _NUMBER, "cuts": _TEXTS_OR_NULLS},
    "streets_and_alleys": {"max_moves": _NUMBER},
}
_OPTIONAL = {"seed": _NUMBER, "pair": _NUMBER}


def _is(kind: str, value: Any) -> bool:
    if kind == _NUMBER:
        return type(value) is int and value >= 0
    if kind in (_TEXT, _OBJECT):
        return isinstance(value, str if kind == _TEXT else dict)
    allowed = (str,) if kind == _TEXTS else (str, type(None))
    return isinstance(value, list) and all(isinstance(entry, allowed) for entry in value)


def check_record(record: Record) -> RuleSet:
    """Return the rules of a record whose keys and values have the right form.

    Raises:
        RecordError: they have not; the moves are not looked at.
    """
    if type(record.get("format")) is not int or record["format"] != FORMAT:
        raise RecordError(f"format is {record.get('format')!r}, this program reads {FORMAT}")
    game = record.get("game")
    if game not in list(_OWN):
        raise RecordError(str(unknown("game", str(game), _OWN)))
    needed = {**_COMMON, **_OWN[game]}
    if missing := [key for key in needed if key not in record]:
        raise RecordError(f"{', '.join(missing)} missing")
    for key, value in record.items():
        kind = needed.get(key) or _OPTIONAL.get(key)
        if kind is None:
            raise RecordError(str(unknown("key", key, (*needed, *_OPTIONAL))))
        if not _is(kind, value):
            raise RecordError(f"{key} is {json.dumps(value)[:40]}, but must be {kind}")
    return _checked_rules(record)


def _checked_rules(record: Record) -> RuleSet:
    """Return the rules; refuse what does not fit them."""
    try:
        rules = make_rules(record["preset"], **record["options"])
    except (BackAlleyError, TypeError) as error:
        raise RecordError(f"preset and options: {error}") from None
    game = next(game for game in GAMES if game.name == record["game"])
    if not isinstance(rules, game.rules):
        raise RecordError(f"preset {record['preset']!r} is not of the game {game.name}")
    if record["episode"] not in game.episodes:
        raise RecordError(str(unknown("episode", record["episode"], game.episodes)))
    ends = {game.limit[0]: MAX_LIMIT}
    if isinstance(rules, Rules):
        ends |= {"dealer": rules.players - 1, "deal_index": rules.n_deals - 1}
    for key, end in ends.items():
        if record[key] > end:
            raise RecordError(f"{key} is {record[key]}, but must be 0 to {end}")
    if not 1 <= len(record["decks"]) <= MAX_LIMIT:
        raise RecordError(f"decks holds {len(record['decks'])}, but must hold 1 to {MAX_LIMIT}")
    if len(record["policies"]) != rules.players:
        raise RecordError(f"policies names {len(record['policies'])} players of {rules.players}")
    return rules


# Files.


class RecordWriter:
    """A file that records are appended to, whole lines only; for `with`.

    A line is one write, which is taken back if it fails, so that a program that is stopped leaves no half of it; about
    once a second, and at the end, the system is told to keep what it has.

    Args:
        path: file; made if there is none.

    Raises:
        RecordError: the file ends in half a line.
        OSError: it cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        _refuse_half_a_line(path)
        self._file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        self._synced = time.monotonic()

    def write(self, record: Record) -> None:
        """Append a record.

        Raises:
            RecordError: it has not the form of a record.
            OSError: it could not be written; the file is as it was.
        """
        check_record(record)
        line = (json.dumps(record, separators=(",", ":"), allow_nan=False) + "\n").encode()
        size = os.fstat(self._file).st_size
        try:
            n_written = os.write(self._file, line)
            if n_written < len(line):
                raise OSError(f"{self.path}: only {n_written} of {len(line)} bytes of a record could be written")
        except BaseException:
            os.ftruncate(self._file, size)
            raise
        if time.monotonic() - self._synced > 1:
            os.fsync(self._file)
            self._synced = time.monotonic()

    def close(self) -> None:
        """Have everything on the disk, and close the file."""
        os.fsync(self._file)
        os.close(self._file)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Checked(NamedTuple):
    """What came of checking one line of a file: the record, or what is wrong with it."""

    line: int
    record: Record | None
    problem: str | None


def check_file(path: Path, check: Callable[[Record], object] = verify) -> Iterator[Checked]:
    """Yield each record of a file after `check` has looked at it, or why there is none; empty lines are passed over.

    Args:
        path: file of records.
        check: raises RecordError; `verify` replays and compares, `check_record` looks at the form only.

    Raises:
        OSError: the file cannot be read.
    """
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if not line.strip():
                continue
            try:
                record = parse_record(line)
                check(record)
            except RecordError as error:
                cut_off = not line.endswith(b"\n") and not _is_json(line)
                reason = f"the line is cut off after {len(line)} bytes, the end of the file" if cut_off else error
                yield Checked(number, None, f"line {number}: {reason}")
            else:
                yield Checked(number, record, None)


def read_records(path: Path) -> Iterator[Record]:
    """Yield the records of a file; their form is checked, and `verify` checks their moves.

    Raises:
        RecordError: a line holds no record; with its number.
        OSError: the file cannot be read.
    """
    for checked in check_file(path, check_record):
        if checked.record is None:
            raise RecordError(f"{path}: {checked.problem}")
        yield checked.record


def parse_record(line: str | bytes) -> Record:
    """Return what a line of a file holds.

    Raises:
        RecordError: it is no JSON, or no object, or names a key twice.
    """
    try:
        record = json.loads(line, object_pairs_hook=_no_key_twice, parse_constant=_no_constant)
    except RecordError:
        raise
    except (ValueError, RecursionError) as error:
        raise RecordError(f"no JSON: {error}") from None
    if not isinstance(record, dict):
        raise RecordError('no record: a line holds an object, such as {"format": 1, …}')
    return record


def _no_key_twice(pairs: list[tuple[str, Any]]) -> Record:
    keys = [key for key, _ in pairs]
    if twice := [key for key in dict.fromkeys(keys) if keys.count(key) > 1]:
        raise RecordError(f"key {twice[0]!r} twice")
    return dict(pairs)


def _no_constant(name: str) -> Any:
    raise RecordError(f"no JSON: {name} is no number")


def _is_json(line: bytes) -> bool:
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


def _refuse_half_a_line(path: Path) -> None:
    """Refuse a file whose last line was never finished: a record behind it would be lost, too."""
    if not path.exists() or not path.stat().st_size:
        return
    with path.open("rb") as file:
        file.seek(-1, os.SEEK_END)
        if file.read() != b"\n":
            raise RecordError(f"{path} ends in half a line: delete that line, or name another file to append to")
