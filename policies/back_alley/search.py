"""The search player `search:worlds=N`: deals the hidden cards at random, tries every action, plays each deal out.

`SearchPolicy` draws worlds that agree with what its seat sees (`worlds`), thinned out by what bids and plays tell
(`belief`). In each of them every legal action is tried and a scripted bot plays the deal to its end, each seat by what
it would see; the same worlds serve all actions. The action with the best mean of deal points, own side minus others, is
taken. Actions that fall behind are left out, and the playouts they save go into more worlds for those that may be best.
Bids are found the same way, with the rest of the bidding in the playout. In the last tricks each world can be
solved exactly instead (`exact`).

The action that `rules` would take is the measure: another one must be better by `caution` standard errors, or with few
worlds the luck of the draw decides. Offers of a new deal are left to `rules`.

`CheatPolicy` does the same with the cards as they lie. It is no player but a ceiling: what knowing them could win.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backalley.envs.back_alley.actions import N_ACTIONS
from backalley.envs.back_alley.rules import Rules
from backalley.envs.back_alley.state import OPEN, PLAY
from backalley.envs.cards import N_CARDS
from backalley.envs.errors import BackAlleyError, unknown
from backalley.envs.rule_set import Records
from backalley.policies.back_alley.bots import NAMES
from backalley.policies.back_alley.search_kernels import (
    NO_VALUE,
    cheat_views,
    new_memory,
    search_views,
    worlds_of_view,
)

WORLDS = 100
CANDIDATES = 4
CAUTION = 1.0
TRICK_WORTH = 1e-3
"""Points for a trick, less than any real difference: of cards that bring the same points the safer one is taken."""
MOST_WORLDS = 1_000_000


class SearchPolicy:
    """A seat that looks ahead in worlds it deals itself.

    It draws nothing from the generator it is handed: worlds come from a stream that `seed` and the View determine, so
    that the same seat in the same position does the same whoever else is asked with it.

    Args:
        rules: rule set.
        worlds: worlds for each legal action of a decision, on average.
        belief: worlds drawn for each that counts, by how likely bids and plays make them; 1 takes all alike.
        playout: bot that plays the deals out.
        caution: standard errors by which an action must be better than that of `rules`.
        exact: solve each world where hands have at most so many cards; four seats in two sides only, 0 never.
        seed: int ≥ 0.

    Raises:
        BackAlleyError: `exact` with other seatings.
    """

    def __init__(
        self,
        rules: Rules,
        worlds: int = WORLDS,
        *,
        belief: int = CANDIDATES,
        playout: str = "rules",
        caution: float = CAUTION,
        exact: int = 0,
        seed: int = 0,
        name: str | None = None,
    ) -> None:
        self.name = f"search:worlds={worlds}" if name is None else name
        self.rules = rules
        self.exact = exact
        self._solve = _solver(rules) if exact else None
        self._record = rules.record()
        self._bot = NAMES.index(playout)
        self._belief = belief
        self._caution = caution
        self._seed = np.uint64(seed)
        self._memory = new_memory(rules, worlds, belief)

    def act(self, views: Records, legal: NDArray[np.int8], rng: np.random.Generator) -> NDArray[np.int16]:
        """Return an action for each View; see `base.Policy`."""
        return self.values(views, legal).argmax(axis=1).astype(np.int16)

    def values(self, views: Records, legal: NDArray[np.int8]) -> NDArray[np.float64]:
        """Return what the search thinks of each action.

        Args:
            views: (n,) records, what each seat to act knows.
            legal: (n, n_actions) int8 masks.

        Returns:
            (n, n_actions) deal points gained over the action of `rules`, less the caution; of actions left out early,
            those up to then; where worlds were solved, deal points by best play. -inf for actions not legal.

        Raises:
            BackAlleyError: a View contradicts itself.
        """
        values = np.full((len(views), N_ACTIONS), NO_VALUE)
        masks = np.ascontiguousarray(legal)
        left = views["hand_size"] - views["n_tricks"]
        solved = (views["phase"] == PLAY) & (left <= self.exact)
        played = np.flatnonzero(~solved)
        if len(played):
            part = np.empty((len(played), N_ACTIONS))
            head = (self._record, self._bot, self._belief, self._caution, self._seed)
            wrong = search_views(*head, views[played], masks[played], self._memory, part)
            check_worlds(wrong < 0)
            values[played] = part
        for i in np.flatnonzero(solved):
            self._solve_worlds(views, int(i), np.flatnonzero(masks[i, :N_CARDS]), values[i])
        return values

    def _solve_worlds(self, views: Records, i: int, cards: NDArray[np.int64], values: NDArray[np.float64]) -> None:
        """Write the mean points of each legal card by best play in the worlds of `views[i]`."""
        assert self._solve is not None
        check_worlds(worlds_of_view(self._record, self._belief, self._seed, views, i, self._memory))
        used = np.flatnonzero(self._memory.counts)
        tricks, points = self._solve(self._memory.worlds[used])
        each = points[:, cards] + TRICK_WORTH * tricks[:, cards]  # (worlds, cards)
        counts = self._memory.counts[used]
        values[cards] = counts @ each / counts.sum()


def check_worlds(found: bool) -> None:
    """Refuse a View without worlds.

    Raises:
        BackAlleyError: none was found.
    """
    if not found:
        raise BackAlleyError("a View contradicts itself: its unseen cards do not fit into the hands")


def _solver(rules: Rules) -> Callable[[Records], tuple[NDArray[np.int8], NDArray[np.int64]]]:
    """Return a function that solves worlds: tricks and points by card, (n, 54) each.

    Raises:
        BackAlleyError: the rule set has other seats than four in two sides.
    """
    if rules.players != 4 or rules.sides != "pairs":
        raise BackAlleyError(
            f"exact= solves for players=4 in sides='pairs', not players={rules.players}, sides={rules.sides!r}: "
            "leave it out, and worlds are played out to the end"
        )
    from backalley.policies.back_alley.double_dummy import Workspace, solve_many  # its memory is large

    workspace = Workspace()

    def solve(worlds: Records) -> tuple[NDArray[np.int8], NDArray[np.int64]]:
        return solve_many(rules, worlds, score=True, workspace=workspace)[:2]

    return solve


class CheatPolicy:
    """Sees all cards and takes the action with which the deal, played out by a bot, ends best.

    Args:
        rules: rule set.
        playout: bot that plays the deals out.
    """

    name = "cheat"
    sees_all = True
    """Whoever asks must hand over open states instead of Views."""

    def __init__(self, rules: Rules, playout: str = "rules") -> None:
        self._record = rules.record()
        self._bot = NAMES.index(playout)
        self._memory = new_memory(rules, 1)

    def act(self, views: Records, legal: NDArray[np.int8], rng: np.random.Generator) -> NDArray[np.int16]:
        """Return an action for each open state, see `values`; `rng` is not used."""
        return self.values(views, legal).argmax(axis=1).astype(np.int16)

    def values(self, states: Records, legal: NDArray[np.int8]) -> NDArray[np.float64]:
        """Return what each action gains over that of `rules`, (n, n_actions) float64, -inf where it is not legal.

        Args:
            states: (n,) records of dtype STATE with all hands.
            legal: (n, n_actions) int8 masks.

        Raises:
            BackAlleyError: a View was handed over.
        """
        if np.any(states["observer"] != OPEN):
            raise BackAlleyError(
                "policy 'cheat' needs the open state and was given a View: it is a ceiling for tables, "
                "not a player; a seat that must not see the other hands plays with search:worlds=N"
            )
        values = np.empty((len(states), N_ACTIONS))
        cheat_views(self._record, self._bot, states, np.ascontiguousarray(legal), self._memory, values)
        return values


# By name.

Number = tuple[type[Any], float, float]


def read_options(policy: str, text: str, numbers: dict[str, Number]) -> dict[str, Any]:
    """Return the options behind the colon of a policy's name, such as `worlds=100,playout=simple`.

    Args:
        policy: name before the colon.
        text: what stands behind it.
        numbers: type, least and greatest value of each option that is a number; `playout` takes the name of a bot.

    Raises:
        BackAlleyError: an option or a value that does not exist.
    """
    options: dict[str, Any] = {}
    for part in filter(None, text.split(",")):
        key, _, value = part.partition("=")
        if key == "playout":
            if value not in NAMES:
                raise unknown(f"bot for {policy}:playout", value, NAMES)
            options[key] = value
            continue
        if key not in numbers:
            raise unknown(f"option of policy {policy}", key, [*numbers, "playout"])
        kind, least, most = numbers[key]
        try:
            options[key] = kind(value)
        except ValueError:
            options[key] = np.nan
        if not least <= options[key] <= most:
            raise BackAlleyError(
                f"policy '{policy}:{text}': {key}={value} must be a number from {least:g} to {most:g}, "
                f"such as {policy}:{key}={kind(max(least, 1))}"
            )
    return options


def make_search(rules: Rules, text: str) -> SearchPolicy:
    """Return the policy of a name `search` or `search:worlds=100,belief=4,playout=rules,caution=1,exact=5,seed=0`.

    Raises:
        BackAlleyError: the text behind the colon is something else.
    """
    options = read_options(
        "search",
        text,
        {
            "worlds": (int, 1, MOST_WORLDS),
            "belief": (int, 1, 1_000),
            "caution": (float, 0, 100),
            "exact": (int, 0, 13),
            "seed": (int, 0, 2**63 - 1),
        },
    )
    return SearchPolicy(rules, **options, name=f"search:{text}" if text else "search")


def make_cheat(rules: Rules, text: str) -> CheatPolicy:
    """Return the policy of a name `cheat` or `cheat:playout=simple`.

    Raises:
        BackAlleyError: the text behind the colon is something else.
    """
    return CheatPolicy(rules, **read_options("cheat", text, {}))
