"""n episodes of Back Alley in which one seat is the learner's and policies play the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backalley.envs.api.learner import LearnerTable, Rows
from backalley.envs.api.opponents import Choice, OtherSeats, seat_policies
from backalley.envs.api.options import make_table, reset_arguments
from backalley.envs.api.results import deal_results, winning_seats
from backalley.envs.back_alley.game import BACK_ALLEY
from backalley.envs.back_alley.rules import Rules
from backalley.envs.kernel import kernel
from backalley.envs.streams import POLICY, draw_below, new_streams

SEATS = POLICY + 1
"""Purpose of the streams from which the learner's seat is drawn."""


@kernel
def _draw_seats(streams: NDArray[np.uint64], where: NDArray[np.bool_], players: int, seats: NDArray[np.int8]) -> None:
    """Draw a seat for each episode in `where` (n,) from its stream; `seats` (n,) is overwritten there."""
    for i in range(seats.shape[0]):
        if where[i]:
            seats[i] = draw_below(streams[i], players)


class SeatTable(LearnerTable):
    """n episodes of Back Alley, the other seats played by policies.

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
        kinds = {"episode": episode, "reward": reward, "max_redeals": max_redeals}
        super().__init__(make_table(BACK_ALLEY, preset, n, options, **kinds), illegal)
        if seat != "random" and (isinstance(seat, str) or not 0 <= seat < self.table.players):
            raise ValueError(f"seat={seat!r} is not at the table: choose 0 to {self.table.players - 1}, or 'random'")
        self.seat = seat
        self.others = OtherSeats(self.table, seat_policies(self.rules, opponents, partner), np.random.default_rng())
        self.scored = np.zeros(n, np.bool_)
        """(n,) in which episodes the last step scored a deal: never more than one, the learner bids in each."""
        self._seat_streams = new_streams(None, n, SEATS)

    @property
    def rules(self) -> Rules:
        """The rules of the table."""
        rules = self.table.rules
        assert isinstance(rules, Rules)
        return rules

    def reset_arguments(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Return the arguments of `Table.reset` for `reset(options=…)`; see `options.reset_arguments`."""
        return reset_arguments(options, self.rules)

    def seed(self, seeds: Sequence[int | None], where: NDArray[np.bool_]) -> None:
        """Seed the episodes in `where` (n,) one by one, see `LearnerTable.seed`.

        Policies outside kernels draw from one generator for all episodes.
        """
        super().seed(seeds, where)
        for i in np.flatnonzero(where).tolist():
            self._seat_streams[i] = new_streams(seeds[i], 1, SEATS)[0]
        known = [seed for seed in seeds if seed is not None]
        self.others.rng = np.random.default_rng([*known, 1] if len(known) == len(seeds) else None)

    def reset(self, where: NDArray[np.bool_], options: Mapping[str, Any]) -> None:
        """Seat the learner in the episodes in `where` (n,) bool and begin them; see `LearnerTable.reset`."""
        if self.seat == "random":
            _draw_seats(self._seat_streams, where, self.table.players, self.learner)
        else:
            self.learner[:] = self.seat
        self.scored[where] = False
        super().reset(where, options)

    def step(self, actions: NDArray[np.int64], active: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Apply the learner's actions, see `LearnerTable.step`, and note where a deal was scored."""
        table = self.table
        deal_index = table.states["deal_index"].copy()
        playing = active & ~table.done
        mine = super().step(actions, active)
        finished = playing & table.done & ~self.offended & ~table.episodes["truncated"]
        self.scored = finished | (table.states["deal_index"] != deal_index)
        return mine

    def play_others(self, rewards: NDArray[np.float64]) -> None:
        """Let the policies act until the learner is to act everywhere; add to its `rewards` (n,)."""
        self.others.play(self.learner, rewards)

    def infos(self, masks: NDArray[np.int8]) -> Rows:
        """Return what infos tell in every step, fresh arrays."""
        states = self.table.states
        return super().infos(masks) | {
            "seat": self.learner.astype(np.int64),
            "hand_size": states["hand_size"].astype(np.int64),
            "deal_index": states["deal_index"].astype(np.int64),
            "match_points": states["match_points"][:, : self.table.players].astype(np.int64),
        }

    def events(self) -> list[tuple[NDArray[np.bool_], Rows]]:
        """Return what infos tell in addition: of scored deals, ended episodes, matches played to the end."""
        told = super().events()
        if self.scored.any():
            told.append((self.scored, deal_results(self.table, self.table.states)))
            if self.table.episode == "match":
                told.append((self.scored & self.table.done, {"winners": winning_seats(self.rules, self.table.states)}))
        return told
