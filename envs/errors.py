"""The errors a user can meet. Each says who, what, why and what instead.

All of them are `ValueError`s, so `except ValueError` holds for code that does not know this package.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class BackAlleyError(ValueError):
    """Something asked of this package cannot be done; the message says what to do instead."""


class IllegalAction(BackAlleyError):
    """A move that the rules do not allow in this state."""


class InvalidRules(BackAlleyError):
    """Options of a game that have an impossible value or contradict each other."""


class UnknownName(BackAlleyError):
    """A preset, policy or option by a name that does not exist."""


class UnknownRenderMode(UnknownName, TypeError):
    """A render mode that an environment does not have.

    Also a `TypeError`: `make_vec_env` of Stable-Baselines3 asks for `rgb_array` and goes without after this error only.
    """


class NotationError(BackAlleyError):
    """A text that is no card, bid or move."""


class InvalidDeck(BackAlleyError):
    """Cards handed in that are no permutation of the pack."""


class CheckpointError(BackAlleyError):
    """Saved weights that are missing, damaged or made for something else."""


class ConfigError(BackAlleyError):
    """A configuration with an unknown key or a value of the wrong type."""


def unknown(kind: str, name: str, known: Iterable[str]) -> UnknownName:
    """Return the error for a name that does not exist, with the nearest names that do.

    Args:
        kind: what the name should have named, such as `preset`.
        name: the name received.
        known: the names that exist.

    >>> unknown("preset", "solo18", ["solo_18", "partnership"])
    UnknownName("unknown preset 'solo18': did you mean 'solo_18'? (known: partnership, solo_18)")
    """
    names = sorted(known)
    near = difflib.get_close_matches(name, names, n=2)
    guess = f": did you mean {' or '.join(map(repr, near))}?" if near else ""
    return UnknownName(f"unknown {kind} {name!r}{guess} (known: {', '.join(names)})")
