"""What the single-seat and the vector environment have in common: a table, the learner's seats, the other seats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backalley.envs.api.opponents import Choice, OtherSeats, seat_policies
from backalley.envs.api.options import ILLEGAL_MODES, ILLEGAL_REWARD, check_choice, make_table
from backalley.envs.api.results import deal_results, winning_seats
from backalley.envs.cards import N_CARDS
from backalley.envs.errors import IllegalAction
from backalley.envs.kernel import kernel
from backalley.envs.streams import CHANCE, POLICY, draw_below, new_streams
from backalley.envs.table import SKIP

SEATS = POLICY + 1
"""Purpose of the streams from which the learner's seat is drawn."""


@kernel
def _draw_seats(streams: NDArray[np.uint64], where: NDArray[np.bool_], players: int, seats: NDArray[np.int8]) -> None:
    """Draw a seat for each episode in `where` (n,) from its stream; `seats` (n,) is overwritten there."""
    for i in range(seats.shape[0]):
        if where[i]:
            seats[i] = draw_below(streams[i], players)


class LearnerTable:
    """n episodes in which one seat is the learner's and policies play the others.

    Args:
        n: number of episodes.
        preset, options, episode, reward, max_redeals: see `BackAlleySeat`.
        opponents, partner, seat, illegal: see `BackAlleySeat`.
    """

    def __init__(
        self,
        n: int,
        preset: str,
        options: dict[str, Any],
        *,
        episode: str,
        reward: str,
        max_redeals: int,
        opponents: Choice,
        partner: Choice | None,
        seat: int | str,
        illegal: str,
    ) -> None:
        check_choice("way to treat illegal actions", illegal, ILLEGAL_MODES)
        self.table = make_table(preset, n, options, episode, reward, max_redeals)
        if seat != "random" and (isinstance(seat, str) or not 0 <= seat < self.table.players):
            raise ValueError(f"seat={seat!r} is not at the table: choose 0 to {self.table.players - 1}, or 'random'")
        self.seat = seat
        self.illegal = illegal
        policies = seat_policies(self.table.rules, opponents, partner)  # type: ignore[arg-type]  # Rules, not any RuleSet
        self.others = OtherSeats(self.table, policies, np.random.default_rng())
        self.learner = np.zeros(n, np.int8)
        """(n,) int8 the learner's seat in each episode."""
        self.returns = np.zeros(n)
        """(n,) float64 the learner's rewards since the episode began."""
        self.lengths = np.zeros(n, np.int64)
        """(n,) the learner's decisions since the episode began."""
        self.offended = np.zeros(n, np.bool_)
        """(n,) which episodes ended by an illegal action of the learner."""
        self.scored = np.zeros(n, np.bool_)
        """(n,) in which episodes the last step scored a deal: never more than one, the learner bids in each."""
        self._seat_streams = new_streams(None, n, SEATS)
        self._rows = np.arange(n)

    def seed(self, seeds: Sequence[int | None], where: NDArray[np.bool_]) -> None:
        """Seed the episodes in `where` (n,) one by one: each goes on as an environment of its own with that seed.

        Policies outside kernels draw from one generator for all episodes.
        """
        for i in np.flatnonzero(where).tolist():
            self.table.episodes["chance"][i] = new_streams(seeds[i], 1, CHANCE)[0]
            self.table.episodes["policy"][i] = new_streams(seeds[i], 1, POLICY)[0]
            self._seat_streams[i] = new_streams(seeds[i], 1, SEATS)[0]
        known = [seed for seed in seeds if seed is not None]
        self.others.rng = np.random.default_rng([*known, 1] if len(known) == len(seeds) else None)

    def reset(self, where: NDArray[np.bool_], arguments: dict[str, Any]) -> None:
        """Begin the episodes in `where` (n,) bool and play up to the learner's first decision.

        Args:
            where: (n,) bool.
            arguments: keywords of `Table.reset`.
        """
        if self.seat == "random":
            _draw_seats(self._seat_streams, where, self.table.players, self.learner)
        else:
            self.learner[:] = self.seat
        self.table.reset(where, **arguments)
        self.returns[where] = 0.0
        self.lengths[where] = 0
        self.offended[where] = False
        self.scored[where] = False
        self.others.play(self.learner, self.returns)

    def step(self, actions: NDArray[np.int64], active: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Apply the learner's actions in the `active` episodes and play up to its next decision.

        Returns:
            (n,) float64 the learner's rewards, a fresh array; an illegal action costs one point and ends the episode.

        Raises:
            IllegalAction: with `illegal="raise"`; no episode was stepped.
        """
        table = self.table
        active = active & ~table.done
        wrong = active & ~self._are_legal(actions)
        if wrong.any():
            if self.illegal == "raise":
                self._refuse(actions, int(np.flatnonzero(wrong)[0]))
            table.forfeit(wrong)
        deal_index = table.states["deal_index"].copy()
        rewards, _ = table.step(np.where(active & ~wrong, actions, SKIP), check=False)
        mine: NDArray[np.float64] = rewards[self._rows, self.learner]
        mine[wrong] = ILLEGAL_REWARD
        self.others.play(self.learner, mine)
        self.returns += mine
        self.lengths += active
        self.offended |= wrong
        finished = active & table.done & ~wrong & ~table.episodes["truncated"]
        self.scored = finished | (table.states["deal_index"] != deal_index)
        return mine

    def _are_legal(self, actions: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Say which actions are legal, (n,) bool."""
        in_range = (actions >= 0) & (actions < self.table.game.n_actions)
        is_bid = actions >= N_CARDS
        bits = self.table.legal_bits[self._rows, is_bid.astype(np.intp)]
        shifts = np.where(in_range, actions - N_CARDS * is_bid, 0).astype(np.uint64)
        is_in_set: NDArray[np.bool_] = (bits >> shifts) & np.uint64(1) == 1
        return in_range & is_in_set

    def _refuse(self, actions: NDArray[np.int64], i: int) -> None:
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
        table.game.observe(*head, seats, *table.scratch, observations, masks)
        return {"observation": observations, "action_mask": masks}

    def infos(self, masks: NDArray[np.int8]) -> dict[str, NDArray[Any]]:
        """Return what infos tell in every step, one row for each episode, fresh arrays."""
        states = self.table.states
        return {
            "action_mask": masks.copy(),
            "seat": self.learner.astype(np.int64),
            "hand_size": states["hand_size"].astype(np.int64),
            "deal_index": states["deal_index"].astype(np.int64),
            "match_points": states["match_points"][:, : self.table.players].astype(np.int64),
        }

    def deal_infos(self) -> dict[str, NDArray[Any]]:
        """Return what infos tell in the episodes in `scored`, one row for each episode, fresh arrays."""
        return deal_results(self.table, self.table.states)

    def end_infos(self) -> dict[str, NDArray[Any]]:
        """Return what infos tell when an episode is over, one row for each episode, fresh arrays."""
        return {"episode_return": self.returns.copy(), "episode_length": self.lengths.copy()}

    def match_infos(self) -> dict[str, NDArray[Any]]:
        """Return what infos tell of the matches in `won`, one row for each episode, fresh arrays."""
        return {"winners": winning_seats(self.table.rules, self.table.states)}  # type: ignore[arg-type]  # Rules

    @property
    def won(self) -> NDArray[np.bool_]:
        """(n,) bool which episodes are matches played to the end."""
        return self.scored & self.table.done & np.bool_(self.table.episode == "match")
