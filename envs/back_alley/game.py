"""Back Alley as a `Game` for the table."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from backalley.envs import loops
from backalley.envs.back_alley.actions import N_ACTIONS, WIDTH
from backalley.envs.back_alley.blocks import observation_layout
from backalley.envs.back_alley.episode import (
    DEAL_INDEX,
    DEALER,
    EPISODE,
    EPISODE_KINDS,
    REWARD_KINDS,
    SETTINGS,
    begin_episode,
    step_episode,
)
from backalley.envs.back_alley.observation import write_observation
from backalley.envs.back_alley.refusals import describe_illegal
from backalley.envs.back_alley.rules import Rules
from backalley.envs.back_alley.state import STATE
from backalley.envs.back_alley.view import write_view
from backalley.envs.dealing import LEFT_OPEN, N_STARTS
from backalley.envs.game import Cuts, Game


def _start(
    rules: Rules,
    n: int,
    *,
    cuts: Sequence[str | int | None] | None = None,
    dealers: ArrayLike | None = None,
    hand_sizes: ArrayLike | None = None,
    deal_indices: ArrayLike | None = None,
) -> tuple[NDArray[np.int16], Cuts | None]:
    """Return what a reset fixes beside the decks.

    Args:
        rules: rule set.
        n: number of episodes.
        cuts: for each deck the card that a cut before the deal exposes (BA-22).
        dealers: one seat or (n,) seats; None or -1 leaves it to the rules.
        hand_sizes: one size or (n,) sizes of the (first) deal; None draws from the schedule, or begins the match.
        deal_indices: the same by position in the schedule.

    Raises:
        ValueError: a dealer or a hand size does not exist in this rule set.
    """
    columns = np.full((n, N_STARTS), LEFT_OPEN, np.int16)
    columns[:, DEALER] = _column("dealer", dealers, rules.players, n)
    columns[:, DEAL_INDEX] = _column("deal index", deal_indices, rules.n_deals, n)
    if hand_sizes is not None:
        columns[:, DEAL_INDEX] = _deals_of(rules, hand_sizes, n)
    return columns, None if cuts is None else list(cuts)


def _column(what: str, values: ArrayLike | None, limit: int, n: int) -> NDArray[np.int16]:
    column = np.broadcast_to(np.asarray(LEFT_OPEN if values is None else values, np.int16), (n,))
    if column.max() >= limit or column.min() < LEFT_OPEN:
        wrong = sorted({int(value) for value in column if not LEFT_OPEN <= value < limit})
        raise ValueError(f"{what} {wrong} does not exist: choose 0 to {limit - 1}, or -1 to leave it to chance")
    return column


def _deals_of(rules: Rules, hand_sizes: ArrayLike, n: int) -> NDArray[np.int16]:
    """Return the first deal of each size, (n,)."""
    sizes = np.broadcast_to(np.asarray(hand_sizes), (n,))
    schedule = rules.hand_sizes
    wrong = sorted({int(size) for size in sizes} - set(schedule))
    if wrong:
        raise ValueError(f"hand size {wrong} is not in the schedule: choose from {sorted(set(schedule))}")
    return np.array([schedule.index(int(size)) for size in sizes], np.int16)


BACK_ALLEY = Game(
    name="back_alley",
    rules=Rules,
    n_actions=N_ACTIONS,
    width=WIDTH,
    state_dtype=STATE,
    episode_dtype=EPISODE,
    episodes=EPISODE_KINDS,
    rewards=REWARD_KINDS,
    limit=("max_redeals", 20),
    settings_dtype=SETTINGS,
    layout=observation_layout,
    start=_start,
    describe_illegal=describe_illegal,
    loops=loops.for_game(
        __name__,
        "back_alley",
        N_ACTIONS=N_ACTIONS,
        WIDTH=WIDTH,
        begin_episode=begin_episode,
        step_episode=step_episode,
        write_view=write_view,
        write_observation=write_observation,
    ),
)
