"""What the environments in which one seat learns have in common: a table, the learner's seats, what infos tell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backalley.envs.api.options import ILLEGAL_MODES, ILLEGAL_REWARD, check_choice, deck_argument
from backalley.envs.errors import IllegalAction
from backalley.envs.legal import are_legal
from backalley.envs.streams import CHANCE, POLICY, new_streams
from backalley.envs.table import SKIP, Table

Rows = dict[str, NDArray[Any]]
"""Name → array with one row for each episode."""


class LearnerTable:
    """n episodes of which one seat is the learner's: as it is for games of one seat, else the others have to be added.

    Args:
        table: the table, without `autoreset` and buffers.
        illegal: what becomes of illegal actions, see ILLEGAL_MODES.

    Raises:
        UnknownName: no such way to treat illegal actions.
    """

    def __init__(self, table: Table, illegal: str) -> None:
        check_choice("way to treat illegal actions", illegal, ILLEGAL_MODES)
        self.table = table
        self.illegal = illegal
        self.learner = np.zeros(table.n, np.int8)
        """(n,) int8 the learner's seat in each episode."""
        self.returns = np.zeros(table.n)
        """(n,) float64 the learner's rewards since the episode began."""
        self.lengths = np.zeros(table.n, np.int64)
        """(n,) the learner's steps since the episode began."""
        self.offended = np.zeros(table.n, np.bool_)
        """(n,) which episodes ended by an illegal action of the learner."""
        self._rows = np.arange(table.n)

    # What a game adds.

    def reset_arguments(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Return the arguments of `Table.reset` for an environment's `reset(options=…)`; unknown ones are ignored.

        Raises:
            InvalidDeck: `deck` is no deck or list of decks.
        """
        return deck_argument(options)

    def play_others(self, rewards: NDArray[np.float64]) -> None:
        """Act for the other seats until the learner is to act everywhere; add to its `rewards` (n,)."""

    def infos(self, masks: NDArray[np.int8]) -> Rows:
        """Return what infos tell in every step, fresh arrays."""
        return {"action_mask": masks.copy()}

    def end_infos(self) -> Rows:
        """Return what infos tell when an episode is over, fresh arrays."""
        return {"episode_return": self.returns.copy(), "episode_length": self.lengths.copy()}

    def events(self) -> list[tuple[NDArray[np.bool_], Rows]]:
        """Return what infos tell after a step in addition: in which episodes, (n,) bool, and what, fresh arrays."""
        told: list[tuple[NDArray[np.bool_], Rows]] = []
        if self.table.done.any():
            told.append((self.table.done, self.end_infos()))
        if self.offended.any():
            told.append((self.offended, {"illegal_action": self.offended.copy()}))
        return told

    # Playing.

    def seed(self, seeds: Sequence[int | None], where: NDArray[np.bool_]) -> None:
        """Seed the episodes in `where` (n,) one by one: each goes on as an environment of its own with that seed."""
        for i in np.flatnonzero(where).tolist():
            self.table.episodes["chance"][i] = new_streams(seeds[i], 1, CHANCE)[0]
            self.table.episodes["policy"][i] = new_streams(seeds[i], 1, POLICY)[0]

    def reset(self, where: NDArray[np.bool_], options: Mapping[str, Any]) -> None:
        """Begin the episodes in `where` (n,) bool and play up to the learner's first decision.

        An episode may then be over already; it takes any action, and the step says so.

        Args:
            where: (n,) bool.
            options: reset options of the environment.
        """
        self.table.reset(where, **self.reset_arguments(options))
        self.returns[where] = 0.0
        self.lengths[where] = 0
        self.offended[where] = False
        self.play_others(self.returns)

    def step(self, actions: NDArray[np.int64], active: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Apply the learner's actions in the `active` episodes and play up to its next decision.

        Returns:
            (n,) float64 the learner's rewards, a fresh array; an illegal action costs one point and ends the episode.

        Raises:
            IllegalAction: with `illegal="raise"`; no episode was stepped.
        """
        table = self.table
        over_at_once = table.done & (self.lengths == 0)
        playing = active & ~table.done
        wrong = playing & ~are_legal(table.legal_bits, table.game.width, actions)
        if wrong.any():
            if self.illegal == "raise":
                self.refuse(int(np.flatnonzero(wrong)[0]), actions)
            table.forfeit(wrong)
        rewards, _ = table.step(np.where(playing & ~wrong, actions, SKIP), check=False)
        mine: NDArray[np.float64] = rewards[self._rows, self.learner]
        mine[wrong] = ILLEGAL_REWARD
        self.play_others(mine)
        self.returns += mine
        self.lengths += playing | (active & over_at_once)
        self.offended |= wrong
        return mine

    def refuse(self, i: int, actions: NDArray[np.int64]) -> None:
        """Raise `IllegalAction` with the reason why the action of episode i, one of (n,), is illegal."""
        table = self.table
        why = table.game.describe_illegal(table.rules, table.states, i, int(actions[i]), table.legal_bits[i])
        raise IllegalAction(why if table.n == 1 else f"environment {i}: {why}")

    def see(self) -> dict[str, NDArray[np.int8]]:
        """Return the learner's observations (n, size) and masks (n, n_actions), fresh arrays."""
        observations, masks = self.table.see(self.learner)
        return {"observation": observations, "action_mask": masks}

    def see_some(self, where: NDArray[np.bool_]) -> dict[str, NDArray[np.int8]]:
        """Return what `see` does of the episodes in `where` (n,) alone: arrays with a row for each of them."""
        table = self.table
        states, episodes, seats = table.states[where], table.episodes[where], self.learner[where]
        observations = np.empty((len(states), table.layout.size), np.int8)
        masks = np.empty((len(states), table.game.n_actions), np.int8)
        head = (table.rules_record, table.settings, states, episodes)
        table.game.loops.observe_all(*head, seats, *table.scratch, observations, masks)
        return {"observation": observations, "action_mask": masks}
