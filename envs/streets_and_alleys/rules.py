"""The rules of Streets and Alleys and its relatives as data: options, presets, and the record kernels read.

| option | clause | what |
|---|---|---|
| `aces_up` | SA-7 | the aces begin on the foundations, 48 cards are dealt in eight piles of six |
| `auto_ace` | SA-14 | an ace on top of a pile goes up by itself |
| `auto_play` | SA-15 | so does every card that its foundation takes |
| `worry_back` | SA-13 | cards may come back from the foundations |
| `layout` | SA-6 | how the piles are drawn |

>>> StreetsRules.preset("beleaguered_castle").pack.bit_count()
48
>>> StreetsRules.preset(auto_ace=False).differences()
{'auto_ace': False}
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from backalley.envs.cards import N_RANKS, N_SUITS, SUIT_MASK
from backalley.envs.errors import InvalidRules
from backalley.envs.options import NO_YES, YES_NO, Option
from backalley.envs.rule_set import Records, RuleSet, new_records

OPTIONS: dict[str, Option] = {
    "aces_up": Option("SA-7", NO_YES),
    "auto_ace": Option("SA-14", YES_NO),
    "auto_play": Option("SA-15", NO_YES),
    "worry_back": Option("SA-13", NO_YES),
    "layout": Option("SA-6", ("rows", "wings")),
}
PRESETS: dict[str, dict[str, Any]] = {"streets_and_alleys": {}, "beleaguered_castle": {"aces_up": True}}

ACES = sum(1 << N_RANKS * (suit + 1) - 1 for suit in range(N_SUITS))
"""The four aces as a bit set; an ace is the highest card of its suit by number."""

RULES = np.dtype(
    [
        ("pack", np.uint64),  # the cards that are dealt
        ("pack_size", np.int8),
        ("players", np.int8),
        ("aces_up", np.bool_),
        ("auto_ace", np.bool_),
        ("auto_play", np.bool_),
        ("worry_back", np.bool_),
    ],
    align=True,
)
"""What kernels read."""


@dataclass(frozen=True)
class StreetsRules(RuleSet):
    """The options of sections 2 and 3; the defaults are those of `streets_and_alleys`.

    Raises:
        InvalidRules: an option has a value the specification does not know, or two options exclude each other.
    """

    OPTIONS: ClassVar[Mapping[str, Option]] = OPTIONS
    PRESETS: ClassVar[Mapping[str, Mapping[str, Any]]] = PRESETS

    aces_up: bool = False
    auto_ace: bool = True
    auto_play: bool = False
    worry_back: bool = False
    layout: str = "rows"

    def __post_init__(self) -> None:
        """Bring each value to its one form, then refuse what is impossible."""
        self._normalise()
        if self.auto_play and self.worry_back:
            raise InvalidRules(
                "auto_play=True excludes worry_back=True: a card taken back would go up again at once (SA-13, SA-15)"
            )

    @property
    def players(self) -> int:
        """Number of seats."""
        return 1

    @property
    def pack(self) -> int:
        """The cards that are dealt, as a bit set."""
        whole = int(SUIT_MASK.sum())
        return whole & ~ACES if self.aces_up else whole

    def side_of(self, seat: int) -> int:
        """Return the side a seat scores with: there is one seat."""
        return seat

    def record(self) -> Records:
        """Return the rules as kernels read them: a (1,) array of dtype `RULES`."""
        record = new_records(1, RULES)
        record["pack"] = self.pack
        record["pack_size"] = self.pack.bit_count()
        record["players"] = self.players
        for name in ("aces_up", "auto_ace", "auto_play", "worry_back"):
            record[name] = getattr(self, name)
        return record
