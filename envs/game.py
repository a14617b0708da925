"""What a table needs to know of a game: its record types, and the kernels that drive many episodes at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from backalley.envs.kernel import JIT_ENABLED
from backalley.envs.layout import Layout

Records = NDArray[np.void]
"""An array of structured records."""

EPISODE_KINDS = ("deal", "match")
REWARD_KINDS = ("difference", "points", "win")


def new_records(n: int, dtype: np.dtype[np.void]) -> Records:
    """Return n zeroed records; without the compiler they answer to attributes, as kernels expect."""
    records = np.zeros(n, dtype)
    return records if JIT_ENABLED else records.view(np.recarray)


class RuleSet(Protocol):
    """The rules of any of the games: immutable, comparable, and packable for kernels."""

    @property
    def players(self) -> int:
        """Number of seats."""

    @property
    def pack(self) -> int:
        """The cards of the pack as a bit set."""

    @property
    def hand_sizes(self) -> tuple[int, ...]:
        """Hand size of each deal of a match."""

    @property
    def n_deals(self) -> int:
        """Number of deals of a match."""

    def side_of(self, seat: int) -> int:
        """Return the side a seat scores with."""

    def record(self) -> Records:
        """Return the rules as kernels read them: a (1,) record."""


@dataclass(frozen=True)
class Game:
    """A game as `Table` drives it; the kernels' arguments are described where they are written.

    Attributes:
        name: stem of the environment ids.
        n_actions: size of the flat action numbering.
        state_dtype: record of a state; a View has the same type.
        episode_dtype: record of what belongs to the episode (streams, legal actions, rewards, end).
        layout: (rules, episode kind) → observation layout.
        settings: (episode kind, reward kind, max_redeals) → (1,) record.
        describe_illegal: (rules, states, index, action, legal sets) → why the action is illegal.
        begin: starts the episodes marked.
        first_illegal: finds an action that is not legal.
        step, observe, step_and_observe, step_and_observe_threaded: the loops of a table.
        view: writes what seats know.
        random_actions: draws legal actions.
    """

    name: str
    n_actions: int
    state_dtype: np.dtype[np.void]
    episode_dtype: np.dtype[np.void]
    layout: Callable[[Any, str], Layout]
    settings: Callable[[str, str, int], Records]
    describe_illegal: Callable[[Any, Records, int, int, Any], str]
    begin: Callable[..., None]
    first_illegal: Callable[..., int]
    step: Callable[..., None]
    observe: Callable[..., None]
    step_and_observe: Callable[..., None]
    step_and_observe_threaded: Callable[..., None]
    view: Callable[..., None]
    random_actions: Callable[..., None]
