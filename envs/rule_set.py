"""What the rules of all games have in common: named options, presets, and a record that kernels read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from backalley.envs.errors import unknown
from backalley.envs.kernel import JIT_ENABLED
from backalley.envs.options import Option, option_value

Records = NDArray[np.void]
"""An array of structured records."""


def new_records(n: int, dtype: np.dtype[np.void]) -> Records:
    """Return n zeroed records; without the compiler they answer to attributes, as kernels expect."""
    records = np.zeros(n, dtype)
    return records if JIT_ENABLED else records.view(np.recarray)


class RuleSet:
    """The rules of one of the games: base of a frozen dataclass with a field for each option.

    Instances are immutable, hashable, comparable, and packable for kernels.

    Attributes:
        OPTIONS: what each option may be, in the order of the fields.
        PRESETS: the named rule sets as differences from the first one, whose options are the defaults.
    """

    OPTIONS: ClassVar[Mapping[str, Option]]
    PRESETS: ClassVar[Mapping[str, Mapping[str, Any]]]

    @classmethod
    def preset(cls, name: str | None = None, **overrides: Any) -> Self:
        """Return the named rule set, the first one without a name, with some options overridden.

        Raises:
            UnknownName: no preset, or no option, has that name.
            InvalidRules: an option has an impossible value, or two exclude each other.
        """
        name = next(iter(cls.PRESETS)) if name is None else name
        if name not in cls.PRESETS:
            raise unknown("preset", name, cls.PRESETS)
        for key in overrides:
            if key not in cls.OPTIONS:
                raise unknown("rule option", key, cls.OPTIONS)
        return cls(**cls._complete({**cls.PRESETS[name], **overrides}))

    @classmethod
    def _complete(cls, options: dict[str, Any]) -> dict[str, Any]:
        """Return the options with values filled in that depend on others; for games that have such."""
        return options

    def _normalise(self) -> None:
        """Bring each option to its one form.

        Raises:
            InvalidRules: an option cannot have that value.
        """
        for name, option in self.OPTIONS.items():
            object.__setattr__(self, name, option_value(name, option, getattr(self, name)))

    @property
    def players(self) -> int:
        """Number of seats."""
        raise NotImplementedError

    @property
    def pack(self) -> int:
        """The cards that are dealt, as a bit set."""
        raise NotImplementedError

    def side_of(self, seat: int) -> int:
        """Return the side a seat scores with."""
        raise NotImplementedError

    def record(self) -> Records:
        """Return the rules as kernels read them: a (1,) record."""
        raise NotImplementedError

    def as_dict(self) -> dict[str, Any]:
        """Return all options by name, as JSON can hold them."""
        return asdict(self)  # type: ignore[call-overload, no-any-return]  # every rule set is a dataclass

    @classmethod
    def from_dict(cls, options: Mapping[str, Any]) -> Self:
        """Return the rules with these options; the inverse of `as_dict`."""
        return cls.preset(**options)

    def differences(self) -> dict[str, Any]:
        """Return the options that differ from the defaults."""
        given = self.as_dict()
        own = fields(self)  # type: ignore[arg-type]  # every rule set is a dataclass
        return {f.name: given[f.name] for f in own if f.name in given and given[f.name] != f.default}
