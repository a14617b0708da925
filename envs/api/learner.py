"""What the single-seat and the vector environment have in common: a table, the learner's seats, the other seats."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backalley.envs.api.opponents import Opponent, OtherSeats, seat_policies
from backalley.envs.api.options import ILLEGAL_MODES, ILLEGAL_REWARD, check_choice, make_table
from backalley.envs.table import SKIP

Choice = str | Opponent | Callable[..., Any]


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
        self.rng = np.random.default_rng()
        self.others = OtherSeats(self.table, seat_policies(self.table.rules, opponents, partner), self.rng)  # type: ignore[arg-type]
        self.learner = np.zeros(n, np.int8)
        """(n,) int8 the learner's seat in each episode."""

    def seed(self, seed: int | None) -> None:
        """Seed chance, the other seats' draws and the learner's seat."""
        self.table.seed(seed)
        self.rng = self.others.rng = np.random.default_rng(None if seed is None else [seed, 1])

    def seed_each(self, seeds: list[int]) -> None:
        """Seed every episode by itself, as n environments of one episode would be."""
        from backalley.envs.streams import CHANCE, POLICY, new_streams

        for name, purpose in (("chance", CHANCE), ("policy", POLICY)):
            self.table.episodes[name] = np.concatenate([new_streams(seed, 1, purpose) for seed in seeds])
        self.rng = self.others.rng = np.random.default_rng([*seeds, 1])

    def reset(self, where: NDArray[np.bool_], arguments: dict[str, Any]) -> None:
        """Begin the episodes in `where` (n,) bool and play up to the learner's first decision."""
        n_new = int(where.sum())
        players = self.table.players
        self.learner[where] = self.rng.integers(0, players, n_new) if self.seat == "random" else self.seat
        self.table.reset(where, **arguments)
        self.others.play(self.learner, np.zeros(self.table.n))

    def step(self, actions: NDArray[np.int64], active: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Apply the learner's actions in the `active` episodes and play up to its next decision.

        Returns:
            (n,) float64 the learner's rewards; an illegal action costs one point and ends the episode.

        Raises:
            IllegalAction: with `illegal="raise"`; no episode was stepped.
        """
        table = self.table
        chosen = np.where(active & ~table.done, actions, SKIP)
        wrong = np.zeros(table.n, np.bool_)
        if self.illegal == "terminate":
            in_range = (chosen >= 0) & (chosen < table.game.n_actions)
            allowed = table.legal()[np.arange(table.n), np.where(in_range, chosen, 0)] > 0
            wrong = (chosen != SKIP) & ~(in_range & allowed)
            chosen = np.where(wrong, SKIP, chosen)
        rewards, _ = table.step(chosen)
        mine = rewards[np.arange(table.n), self.learner].copy()
        if wrong.any():
            table.forfeit(wrong)
            mine[wrong] = ILLEGAL_REWARD
        self.others.play(self.learner, mine)
        return mine

    def see(self) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
        """Return the learner's observations (n, size) and masks (n, n_actions), fresh arrays."""
        return self.table.see(self.learner)
