"""Options of rule sets: what each may be, and how a value is brought to its one form."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from backalley.envs.errors import InvalidRules, unknown


class Option(NamedTuple):
    """One option: its clause and what it may be.

    Attributes:
        clause: where the specification says what it does.
        values: its named values, the default first; empty for numbers and lists.
        low, high: range of a number, or of the entries of a list.
        kind: `choice`, `number`, `number or none`, `seat`, `list` (of numbers), `set` (of numbers) or `points`
            (hand size → points).
    """

    clause: str
    values: tuple[Any, ...] = ()
    low: int = 0
    high: int = 0
    kind: str = "choice"


NO_YES = (False, True)
YES_NO = (True, False)


def number(clause: str, low: int, high: int) -> Option:
    """Return an option that is a whole number from `low` to `high`."""
    return Option(clause, (), low, high, "number")


def number_or_none(clause: str, low: int, high: int) -> Option:
    """Return an option that is such a number, or None for no limit."""
    return Option(clause, (), low, high, "number or none")


_WORDS = {"on": True, "yes": True, "off": False, "no": False}


def option_value(name: str, option: Option, value: Any) -> Any:
    """Return `value` in its one form: bools for on/off, tuples for lists, None for no cap.

    Raises:
        InvalidRules: the option cannot have that value.
    """
    if option.kind == "seat":
        if isinstance(value, str) and value != "random":
            raise InvalidRules(
                f"option {name}={value!r} ({option.clause}) must be a seat, 0 to {option.high}, or 'random'"
            )
        return value if value == "random" else _whole_number(name, option, value)
    if option.kind == "number or none" and value in (None, "none"):
        return None
    if option.kind in ("number", "number or none"):
        return _whole_number(name, option, value)
    if option.kind in ("list", "set"):
        numbers = tuple(_whole_number(name, option, entry) for entry in _entries(name, option, value))
        return tuple(sorted(set(numbers))) if option.kind == "set" else numbers
    if option.kind == "points":
        return _points(name, option, value)
    return _choice(name, option, value)


def _choice(name: str, option: Option, value: Any) -> Any:
    if isinstance(option.values[0], bool):
        value = _WORDS.get(value, value) if isinstance(value, str) else value
    elif "none" in option.values and value is None:
        value = "none"
    if value in option.values and type(value) is type(option.values[0]):
        return value
    if isinstance(value, str) and isinstance(option.values[0], str):
        raise InvalidRules(str(unknown(f"value of option {name} ({option.clause}):", value, option.values)))
    words = [{True: "on", False: "off"}[v] if isinstance(v, bool) else repr(v) for v in option.values]
    raise InvalidRules(f"option {name}={value!r} ({option.clause}) must be one of {', '.join(words)}")


def _points(name: str, option: Option, value: Any) -> tuple[tuple[int, int], ...]:
    """Return points by hand size as sorted pairs; from a mapping, pairs, or `size:points` words of a command line."""
    pairs = value.items() if isinstance(value, Mapping) else _entries(name, option, value)
    try:
        return tuple(sorted((_whole_number(name, option, int(size)), int(points)) for size, points in pairs))
    except (TypeError, ValueError) as error:
        if isinstance(error, InvalidRules):
            raise
        raise InvalidRules(
            f"option {name}={value!r} ({option.clause}) must give points by hand size, such as {{4: 40, 8: 80}}"
        ) from None


def _entries(name: str, option: Option, value: Any) -> Iterable[Any]:
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise InvalidRules(f"option {name}={value!r} ({option.clause}) must be a list")
    return value


def _whole_number(name: str, option: Option, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not option.low <= value <= option.high:
        what = "whole numbers" if option.kind in ("list", "set", "points") else "a whole number"
        raise InvalidRules(
            f"option {name}={value!r} ({option.clause}) must be {what} from {option.low} to {option.high}"
        )
    return value
