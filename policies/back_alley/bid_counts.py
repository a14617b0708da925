"""What was bid and made, counted over deals that were played."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from backalley.envs import Rules
from backalley.envs.back_alley.scoring import (
    EXACT_TEN,
    counted_number,
    is_implied_board,
    number_counts,
    scored_alone,
    unit_totals,
)
from backalley.envs.back_alley.state import SCORED
from backalley.envs.kernel import kernel
from backalley.envs.rule_set import Records

COUNTS = ("deals", "bids", "bids_made", "over", "boards", "boards_made")
"""Of the scoring units (sides; seats where players are scored alone) of a side, over the deals that were scored: how
many; with a number bid that counts; with that many tricks won; tricks minus bid, added up; with an all-tricks bid;
with all tricks won."""
DEALS, BIDS, BIDS_MADE, OVER, BOARDS, BOARDS_MADE = range(len(COUNTS))


@kernel
def _count_unit(rules: Any, state: Any, first: int, alone: bool, counts: NDArray[np.int64]) -> None:
    """Add a scoring unit to its side's counts (6,)."""
    bid, tricks, _, level, has_boston = unit_totals(rules, state, first, alone)
    hand_size = np.int64(state.hand_size)
    counts[DEALS] += 1
    if level > 0 or is_implied_board(rules, hand_size, bid):
        counts[BOARDS] += 1
        counts[BOARDS_MADE] += tricks == hand_size
    elif bid > 0 and not has_boston and number_counts(rules, state, rules.side[first]):
        bid = counted_number(rules, hand_size, bid)
        counts[BIDS] += 1
        counts[BIDS_MADE] += tricks == bid if rules.score == EXACT_TEN else tricks >= bid
        counts[OVER] += tricks - bid


@kernel
def _count_all(rules: Any, finals: Any, counts: NDArray[np.int64]) -> None:
    for i in range(finals.shape[0]):
        if finals[i].phase != SCORED:
            continue
        alone = scored_alone(rules[0], finals[i])
        counted = 0  # sides counted, as bits
        for seat in range(rules[0].players):
            side = np.int64(rules[0].side[seat])
            if alone or counted >> side & 1 == 0:
                counted |= 1 << side
                _count_unit(rules[0], finals[i], seat, alone, counts[i, side])


def count_bids(rules: Rules, finals: Records) -> NDArray[np.int64]:
    """Return the numbers of `COUNTS` of each side of each play, (plays, n_sides, counts).

    Args:
        rules: rule set.
        finals: (plays,) final states.
    """
    counts = np.zeros((len(finals), rules.n_sides, len(COUNTS)), np.int64)
    _count_all(rules.record(), finals, counts)
    return counts
