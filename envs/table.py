"""`Table`: many episodes stepped together, the only thing between the engine and everything else.

>>> from backalley.envs import Rules, Table
>>> table = Table(Rules.preset("partnership"), n=4, seed=1)
>>> table.legal().shape, table.observe().shape == (4, table.layout.size)
((4, 89), True)
>>> rewards, done = table.step(table.random_actions())
>>> rewards.shape, done.tolist()
((4, 4), [False, False, False, False])
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numba
import numpy as np
from numpy.typing import ArrayLike, NDArray

from backalley.envs.cards import DECK_LENGTH
from backalley.envs.decks import Deck, deck_queues, deck_rows
from backalley.envs.errors import BackAlleyError, IllegalAction, InvalidDeck
from backalley.envs.game import Cuts
from backalley.envs.games import game_of
from backalley.envs.legal import legal_actions, legal_masks
from backalley.envs.loops import ON_TURN, RANDOM_ACTION, SCRATCH_PER_THREAD, SKIP
from backalley.envs.planes import PLANE
from backalley.envs.rule_set import Records, RuleSet, new_records
from backalley.envs.streams import CHANCE, POLICY, new_streams

__all__ = ["RANDOM_ACTION", "SKIP", "Table"]

_MAX_THREADS = numba.get_num_threads()


def _as_int16(actions: ArrayLike) -> NDArray[np.int16]:
    """Return actions as the kernels take them; numbers out of range stay ones that no action has.

    Raises:
        BackAlleyError: they are no whole numbers.
    """
    given = np.asarray(actions)
    if given.dtype.kind not in "iu":
        raise BackAlleyError(f"actions must be whole numbers, not {given.dtype}: cast them, as in actions.astype(int)")
    limits = np.iinfo(np.int16)
    return given if given.dtype == np.int16 else given.clip(limits.min, limits.max).astype(np.int16)


class Table:
    """n episodes of one rule set, stepped together by compiled loops.

    Episode i deals from its own random stream: the same seed gives the same episodes whatever n and `threads` are.
    Arrays handed out by properties belong to the table and are overwritten by `step` and `reset`; `legal`, `observe`
    and `view` return fresh arrays.

    Args:
        rules: rule set of any of the games.
        n: number of episodes.
        seed: int ≥ 0; None takes one from the operating system.
        episode: `"deal"`; in Back Alley (its size drawn from the schedule) also `"match"`, the whole schedule.
        reward: in Back Alley `"difference"` (own side's deal points minus the mean of the others'), `"points"` or
            `"win"`; in Streets and Alleys `"progress"` (cards brought to the foundations) or `"win"`. None takes the
            first of them.
        autoreset: begin the next episode in the step that ends one; `done` and `rewards` speak of the one that ended.
        buffers: keep `observations` and `masks` of the seat to act up to date, in the same pass as the step.
        threads: threads of that pass; worth it from about 1 000 episodes on a quiet machine.
        first_stream: number of the first episode's stream, to split a batch over processes.
        **limits: after how much an episode is cut off (truncated): `max_redeals=20` hands thrown in in a row (reward 0)
            in Back Alley, `max_moves=300` moves in Streets and Alleys.

    Raises:
        UnknownName: no such episode kind, reward or limit.
        ValueError: a number that makes no sense.
    """

    def __init__(
        self,
        rules: RuleSet,
        n: int,
        seed: int | None = None,
        *,
        episode: str = "deal",
        reward: str | None = None,
        autoreset: bool = False,
        buffers: bool = False,
        threads: int = 1,
        first_stream: int = 0,
        **limits: int,
    ) -> None:
        if n < 1:
            raise ValueError(f"a table needs at least one episode, not n={n}")
        if threads > 1 and not buffers:
            raise ValueError("threads > 1 works on the fused step only: pass buffers=True too")
        self.rules = rules
        self.game = game_of(rules)
        self.n = n
        self.players = rules.players
        self.episode = episode
        self.settings = self.game.settings(episode, reward, **limits)
        self.layout = self.game.layout(rules, episode)
        self.autoreset = autoreset
        self.threads = threads
        self.rules_record = rules.record()
        self.states: Records = new_records(n, self.game.state_dtype)
        """(n,) the states themselves, as kernels keep them."""
        self.episodes: Records = new_records(n, self.game.episode_dtype)
        """(n,) streams, legal actions and ends of the episodes."""
        self.decks = np.zeros((1, 1, DECK_LENGTH), np.int8)
        """(1 or n, d, DECK_LENGTH) int8 decks fixed by `reset`; episode i deals from row i modulo their number."""
        self._views: Records = new_records(SCRATCH_PER_THREAD * threads, self.game.state_dtype)
        self._rows = np.zeros((SCRATCH_PER_THREAD * threads, self.layout.size + PLANE), np.int8)
        self._on_turn = np.full(n, ON_TURN, np.int8)
        self._actions = np.zeros(n, np.int16)
        self._random = np.full(n, RANDOM_ACTION, np.int16)
        self._rewards = np.zeros((n, self.players))
        self._done = np.zeros((n, 2), np.bool_)
        self.observations: NDArray[np.int8] | None = np.zeros((n, self.layout.size), np.int8) if buffers else None
        """(n, layout.size) int8 what the seat to act sees, with `buffers=True`; overwritten by each step."""
        self.masks: NDArray[np.int8] | None = np.zeros((n, self.game.n_actions), np.int8) if buffers else None
        """(n, n_actions) int8 its legal actions, with `buffers=True`; overwritten by each step."""
        self.seed(seed, first_stream=first_stream)
        self.reset()

    # What is on the table.

    @property
    def turn(self) -> NDArray[np.int8]:
        """(n,) int8 seat to act in each episode, -1 when it is over."""
        return np.asarray(self.states["turn"])

    @property
    def done(self) -> NDArray[np.bool_]:
        """(n,) bool which episodes are over."""
        return np.asarray(self.episodes["done"])

    @property
    def truncated(self) -> NDArray[np.bool_]:
        """(n,) bool which episodes were cut off by the last step."""
        return self._done[:, 1]

    @property
    def rewards(self) -> NDArray[np.float64]:
        """(n, players) float64 rewards of the last step."""
        return self._rewards

    @property
    def legal_bits(self) -> NDArray[np.uint64]:
        """(n, n_words) uint64 legal actions as bit sets, see `legal`."""
        return np.asarray(self.episodes["legal"])

    @property
    def scratch(self) -> tuple[Records, NDArray[np.int8]]:
        """Records for a View and rows for an observation that kernels may write into."""
        return self._views, self._rows

    def legal(self, out: NDArray[np.int8] | None = None) -> NDArray[np.int8]:
        """Return the legal actions of the seats to act: (n, n_actions) int8, all zero for finished episodes."""
        masks = legal_masks(self.legal_bits, self.game.width, self.game.n_actions)
        if out is None:
            return masks
        out[:] = masks
        return out

    def legal_actions(self, index: int = 0) -> list[int]:
        """Return the legal actions of one episode in order."""
        return legal_actions(self.legal_bits[index], self.game.width)

    def observe(self, seats: ArrayLike | None = None) -> NDArray[np.int8]:
        """Return what a seat of every episode sees, (n, layout.size) int8; see `see`."""
        return self.see(seats)[0]

    def see(self, seats: ArrayLike | None = None) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
        """Return what a seat of every episode sees and may do.

        Args:
            seats: one seat, or (n,) seats; None for the seats to act (zeros where the episode is over).

        Returns:
            observations (n, layout.size) int8 and masks (n, n_actions) int8; the mask of a seat off turn is all zero.
        """
        observations = np.empty((self.n, self.layout.size), np.int8)
        masks = np.empty((self.n, self.game.n_actions), np.int8)
        self.see_into(self._seats(seats), observations, masks)
        return observations, masks

    def see_into(self, seats: NDArray[np.int8], observations: NDArray[np.int8], masks: NDArray[np.int8]) -> None:
        """Do what `see` does with arrays of the caller: seats (n,) int8, the other two overwritten."""
        head = (self.rules_record, self.settings, self.states, self.episodes)
        self.game.loops.observe_all(*head, seats, *self.scratch, observations, masks)

    def view(self, seats: ArrayLike | None = None) -> Records:
        """Return what a seat of every episode knows: (n,) records, hidden cards blanked.

        Args:
            seats: one seat, or (n,) seats; None for the seats to act (seat 0 where the episode is over).
        """
        views = new_records(self.n, self.game.state_dtype)
        self.game.loops.view_all(self.rules_record, self.states, self._seats(seats), views)
        return views

    def _seats(self, seats: ArrayLike | None) -> NDArray[np.int8]:
        if seats is None:
            return self._on_turn
        chosen = np.broadcast_to(np.asarray(seats, np.int8), (self.n,)).copy()
        if chosen.min() < 0 or chosen.max() >= self.players:
            raise ValueError(f"seats must lie between 0 and {self.players - 1}, got {np.unique(chosen).tolist()}")
        return chosen

    # Moving on.

    def random_actions(self) -> NDArray[np.int16]:
        """Return a random legal action for every episode, (n,) int16, drawn from the policy streams; 0 when over."""
        actions = np.empty(self.n, np.int16)
        self.game.loops.random_actions(self.episodes, actions)
        return actions

    def step(self, actions: ArrayLike | None, *, check: bool = True) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """Apply one action in every episode that is not over.

        Hands thrown in are dealt again and the next deal of a match begins inside the step.

        Args:
            actions: (n,) ints, one legal action each; `RANDOM_ACTION` has one drawn, `SKIP` leaves the episode as it
                is. None draws all of them.
            check: refuse illegal actions; without it they do damage, so leave it on unless they are masked already.

        Returns:
            rewards (n, players) float64 and done (n,) bool of this step; both belong to the table and are overwritten
            by the next step.

        Raises:
            IllegalAction: an action is not legal; no episode was stepped.
            BackAlleyError: the actions are no whole numbers; no episode was stepped.
        """
        if actions is None:
            chosen = self._random
        else:
            chosen = self._actions
            chosen[:] = _as_int16(actions)
            if check:
                self._check(chosen)
        head = (
            self.rules_record,
            self.settings,
            self.states,
            self.episodes,
            self.decks,
            chosen,
            self.autoreset,
        )
        if self.observations is None:
            self.game.loops.step_all(*head, self._rewards, self._done)
        else:
            tail = (self._rewards, self._done, *self.scratch, self.observations, self.masks)
            if self.threads > 1:
                numba.set_num_threads(min(self.threads, _MAX_THREADS))
                self.game.loops.step_and_observe_threaded(*head, *tail)
            else:
                self.game.loops.step_and_observe(*head, *tail)
        return self._rewards, self._done[:, 0]

    def _check(self, actions: NDArray[np.int16]) -> None:
        i = self.game.loops.first_illegal(self.episodes, actions)
        if i >= 0:
            why = self.game.describe_illegal(self.rules, self.states, i, int(actions[i]), self.legal_bits[i])
            raise IllegalAction(why if self.n == 1 else f"episode {i}: {why}")

    # Beginning.

    def seed(self, seed: int | None, *, first_stream: int = 0) -> None:
        """Give every episode fresh streams; they take effect with the next deal."""
        self.episodes["chance"] = new_streams(seed, self.n, CHANCE, first=first_stream)
        self.episodes["policy"] = new_streams(seed, self.n, POLICY, first=first_stream)

    def reset(
        self,
        where: ArrayLike | None = None,
        *,
        decks: Sequence[Deck] | NDArray[np.int8] | None = None,
        **start: Any,
    ) -> None:
        """Begin episodes anew.

        Args:
            where: (n,) bool, which ones; None for all.
            decks: decks to deal from, for all episodes the same list, used one after another when hands are thrown in
                or a match goes on; then the stream goes on. An (n, d, 54) int8 array gives each episode its own.
            **start: what else is fixed, in Back Alley `dealers` (one seat or (n,) seats, -1 leaves it to the rules),
                `hand_sizes` (one size or (n,) sizes of the first deal), `deal_indices` (the same by position in the
                schedule), and `cuts` (for each deck the card that a cut exposes, BA-22); None leaves it to chance.

        Raises:
            InvalidDeck: a deck is no permutation of the pack, or a cut card is not in it.
            ValueError: a dealer or a hand size does not exist in this rule set.
        """
        chosen = np.broadcast_to(np.asarray(True if where is None else where, np.bool_), (self.n,)).copy()
        columns, cuts = self.game.start(self.rules, self.n, **start)
        self._set_decks(chosen, decks, cuts)
        self.episodes["start"][chosen] = columns[chosen]
        head = (self.rules_record, self.settings, self.states, self.episodes)
        self.game.loops.begin_episodes(*head, self.decks, chosen)
        if self.observations is not None and self.masks is not None:
            self.see_into(self._on_turn, self.observations, self.masks)

    def forfeit(self, where: NDArray[np.bool_]) -> None:
        """End the episodes marked in `where` (n,) bool at once, without points."""
        self.episodes["done"][where] = True
        self.episodes["legal"][where] = 0
        self.states["turn"][where] = -1
        if self.observations is not None and self.masks is not None:
            self.observations[where] = 0
            self.masks[where] = 0

    def _set_decks(
        self,
        where: NDArray[np.bool_],
        decks: Sequence[Deck] | NDArray[np.int8] | None,
        cuts: Cuts | None,
    ) -> None:
        self.episodes["next_deck"][where] = 0
        self.episodes["n_decks"][where] = 0
        if decks is None:
            if cuts is not None:
                raise InvalidDeck("cuts without decks: a cut card belongs to a deck, give both")
            return
        if isinstance(decks, np.ndarray) and decks.ndim == 3:
            if not where.all():
                raise InvalidDeck(
                    "decks as an array are for all episodes at once, for some of them give a list of decks"
                )
            self.decks = deck_queues(self.rules, self.n, decks)
            n_decks = self.decks.shape[1]
        else:
            rows = deck_rows(self.rules, decks, cuts)
            self.decks, n_decks = self._decks_for(where, rows), len(rows)
        self.episodes["queue"] = np.arange(self.n) % len(self.decks)
        self.episodes["n_decks"][where] = n_decks

    def _decks_for(self, where: NDArray[np.bool_], rows: NDArray[np.int8]) -> NDArray[np.int8]:
        """Return the deck queues with `rows` for the episodes in `where`, the others' queues kept."""
        if where.all():
            return rows[None].copy()
        length = max(len(rows), self.decks.shape[1])
        queues = np.zeros((self.n, length, DECK_LENGTH), np.int8)
        queues[:, : self.decks.shape[1]] = self.decks
        queues[where, : len(rows)] = rows
        return queues

    # Copies.

    def clone(self) -> Table:
        """Return an independent copy in the same position that will see the same chance."""
        twin = object.__new__(type(self))
        for name, value in vars(self).items():
            setattr(twin, name, value.copy() if isinstance(value, np.ndarray) else value)
        return twin

    def __deepcopy__(self, memo: dict[int, Any]) -> Table:
        return self.clone()

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name not in ("game", "layout")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self.game = game_of(self.rules)
        self.layout = self.game.layout(self.rules, self.episode)
