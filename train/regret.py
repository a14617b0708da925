"""What policies give away against the exact double-dummy solver, on a sample of deals.

Each policy plays the deals at all four seats, against itself: the figure then says something of the policy and the
rules alone, whoever else takes part in the arena. Every card is judged with all hands open, see
`policies.back_alley.regret`: it is a regret against perfect knowledge, and no player who sees one hand can have none.
In rules where more tricks are not always better, the tricks given away are no measure of play; the points are. Points
also depend on what was bid: a policy that bids boards has more to give away.

A side is *playing* when it has an all-tricks bid or a boston, or when the other has none and its numbers add up to
more than the other's; then the other side is *defending*. With equal numbers the sides are *even*.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from threading import get_ident
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backalley.envs import Rules
from backalley.envs.back_alley.state import ALL_TRICKS_BID, BOSTON_BID
from backalley.envs.cards import N_RANKS
from backalley.envs.errors import BackAlleyError
from backalley.envs.rule_set import Records
from backalley.policies.back_alley.double_dummy import Workspace
from backalley.policies.back_alley.double_dummy_position import N_SEATS
from backalley.policies.back_alley.regret import N_SIDES, regrets
from backalley.train.arena_blocks import Block, Entrant, Key
from backalley.train.arena_plays import play_out
from backalley.train.estimates import Estimate

MOST_CARDS = 13
"""Largest hands that are judged, unless asked otherwise."""
CHUNK = 52
"""Deals in a task."""
DEFENDING, EVEN, PLAYING = -1, 0, 1
"""Parts that a side has in a deal."""
HAND, PARTS, TRICKS, POINTS = 0, slice(1, 3), slice(3, 5), slice(5, 7)
"""Columns of the rows of a block: cards dealt to each seat, then for side 0 and side 1 each."""


@dataclass(frozen=True)
class RegretTask:
    """Deals to be played and judged; everything a worker needs.

    Attributes:
        rules: rule set.
        policy: who plays at all seats.
        deals: their numbers, those of the pairs of an evaluation.
        seed: of the deals.
    """

    rules: Rules
    policy: Entrant
    deals: tuple[int, ...]
    seed: int
    with_records = False

    @property
    def key(self) -> Key:
        """What tells the block apart from others of an arena; the numbers between follow from the ends and how many."""
        return "regret", self.policy.identity, self.deals[0], self.deals[-1], len(self.deals)

    @property
    def entrants(self) -> tuple[Entrant, ...]:
        """Who plays."""
        return (self.policy,)

    def shortened(self) -> RegretTask:
        """Return a task that needs the same machine code and little time."""
        return replace(self, deals=self.deals[-1:])

    def play(self) -> Block:
        """Play the deals and judge every card.

        Returns:
            A block with `rows`, for each deal that was played the numbers described at `HAND`; points are null where
            they are not known, see `regrets`.
        """
        rules, deals = self.rules, np.array(self.deals)
        who = np.zeros((len(deals), rules.players), np.int64)
        plays = play_out(rules, [self.policy.policy(rules)], who, deals, deals, self.seed)
        played = np.flatnonzero(plays.first_card >= 0)
        cards = np.full((len(played), N_SEATS * N_RANKS), -1, np.int8)
        for row, play in enumerate(played):
            found = plays.actions[play, plays.first_card[play] :]
            cards[row, : (found >= 0).sum()] = found[found >= 0]
        judged = regrets(rules, plays.starts[played], cards, workspace=_workspace(get_ident()))
        finals = plays.finals[played]
        rows = np.column_stack([finals["hand_size"], parts_played(rules, finals), judged.tricks, judged.points])
        known = zip(rows.tolist(), judged.has_points.tolist(), strict=True)
        return {
            "key": list(self.key),
            "rows": [row if has_points else [*row[: POINTS.start], None, None] for row, has_points in known],
        }


@lru_cache(maxsize=16)
def _workspace(thread: int) -> Workspace:
    return Workspace()


def parts_played(rules: Rules, states: Records) -> NDArray[np.int64]:
    """Return whether each side was playing, defending or even after the bids, (n, 2), of (n,) states."""
    kinds, numbers = states["bid_kind"], states["bid_number"].astype(np.int64)
    sides = [[seat for seat in range(rules.players) if rules.side_of(seat) == side] for side in range(N_SIDES)]
    boards = [np.isin(kinds[:, seats], (ALL_TRICKS_BID, BOSTON_BID)).any(axis=1) for seats in sides]
    bids = [numbers[:, seats].sum(axis=1) for seats in sides]
    parts = []
    for own, other in ((0, 1), (1, 0)):
        by_number = np.sign(bids[own] - bids[other])
        parts.append(np.where(boards[own], PLAYING, np.where(boards[other], DEFENDING, by_number)))
    return np.column_stack(parts)


def sample(rules: Rules, n: int, most_cards: int) -> list[tuple[int, ...]]:
    """Return the numbers of the first n deals with hands of at most so many cards, in chunks.

    Raises:
        BackAlleyError: the rules have no such deals.
    """
    is_small = np.array(rules.hand_sizes) <= most_cards
    if not is_small.any():
        raise BackAlleyError(
            f"no deal has hands of at most {most_cards} cards: these rules have {min(rules.hand_sizes)} or more"
        )
    n_rounds = -(-n // int(is_small.sum()))
    numbers = np.flatnonzero(np.tile(is_small, n_rounds))[:n].tolist()
    return [tuple(numbers[i : i + CHUNK]) for i in range(0, n, CHUNK)]


# What the blocks say.


@dataclass(frozen=True)
class Shares:
    """Regret of a side per deal, with 95 % intervals over deals; None where there was no such deal.

    Attributes:
        tricks: tricks given away, the mean of both sides.
        playing, defending, even: the same by the part that the side had.
        points: deal points given away, the mean of both sides; of the deals in which they are known.
    """

    tricks: Estimate | None
    playing: Estimate | None
    defending: Estimate | None
    even: Estimate | None
    points: Estimate | None

    @classmethod
    def of(cls, rows: NDArray[np.float64]) -> Shares:
        """Return the figures of rows (n, 7), with NaN for points that are not known."""
        tricks, points = rows[:, TRICKS], rows[:, POINTS]

        def as_part(part: int) -> Estimate | None:
            return _estimate(np.where(rows[:, PARTS] == part, tricks, np.nan))

        return cls(_estimate(tricks), as_part(PLAYING), as_part(DEFENDING), as_part(EVEN), _estimate(points))

    def as_dict(self) -> dict[str, Any]:
        """Return the figures as JSON can hold them."""
        found: dict[str, Any] = {}
        for name in ("tricks", "playing", "defending", "even", "points"):
            one: Estimate | None = getattr(self, name)
            found[name] = one and {"mean": one.mean, "ci95": one.ci95 and list(one.ci95), "deals": one.pairs}
        return found


def _estimate(values: NDArray[np.float64]) -> Estimate | None:
    """Return the estimate of the means of rows (n, 2) without their NaN; rows of NaN are left out."""
    n = (~np.isnan(values)).sum(axis=1)
    means = np.nansum(values, axis=1)[n > 0] / n[n > 0]
    return Estimate.of(means) if len(means) else None


@dataclass(frozen=True)
class PolicyRegret:
    """What a policy gave away at all four seats."""

    policy: str
    overall: Shares
    by_hand_size: dict[int, Shares]

    @classmethod
    def of(cls, policy: str, blocks: Sequence[Block]) -> PolicyRegret:
        """Return the figures of a policy from all its blocks."""
        rows = np.array([row for block in blocks for row in block["rows"]], np.float64).reshape(-1, POINTS.stop)
        sizes = np.unique(rows[:, HAND])[::-1]
        return cls(policy, Shares.of(rows), {int(size): Shares.of(rows[rows[:, HAND] == size]) for size in sizes})

    def as_dict(self) -> dict[str, Any]:
        """Return the figures as JSON can hold them."""
        by_hand_size = {str(size): part.as_dict() for size, part in self.by_hand_size.items()}
        return {"policy": self.policy, **self.overall.as_dict(), "by_hand_size": by_hand_size}
