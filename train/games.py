"""What training wants to know of a game: how rewards are scaled, which actions are bids, what the log counts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backalley.envs.back_alley import episode as back_alley
from backalley.envs.back_alley.actions import N_PLAIN_BIDS, PASS
from backalley.envs.back_alley.view import write_view as write_back_alley_view
from backalley.envs.kernel import kernel, specialise
from backalley.envs.rule_set import RuleSet
from backalley.envs.streets_and_alleys import episode as streets_and_alleys
from backalley.envs.streets_and_alleys.actions import UP, action_parts
from backalley.envs.streets_and_alleys.state import WON
from backalley.policies.back_alley.kit import BACK_ALLEY_KIT
from backalley.policies.kit import Kit
from backalley.policies.kits import kit_of
from backalley.policies.streets_and_alleys.kit import STREETS_KIT
from backalley.train import rollout_kernels

Counts = NDArray[np.int64]


@dataclass(frozen=True)
class TrainingGame:
    """A game as the trainer sees it.

    Attributes:
        kit: its policies.
        loops: the compiled loops of `rollout_kernels`.
        counts_shape: rules → shape of the counts of actions, (rows, columns).
        metrics: counts → what the log says of them, by name.
        histogram: name of the histogram of each row of the counts, with `{}` for its number; empty for none.
        is_worth_imitating: final state → whether a teacher's way there is one to learn from.
    """

    kit: Kit
    loops: SimpleNamespace
    counts_shape: Callable[[Any], tuple[int, int]]
    metrics: Callable[[Counts], dict[str, float]]
    histogram: str
    is_worth_imitating: Callable[[Any], bool] = lambda state: True


def _loops(kit: Kit, **hooks: Any) -> SimpleNamespace:
    """Return the loops of collecting for a game."""
    shared = ("choose", "write_features", "original_action", "canonical_action")
    known = {name: getattr(kit, name) for name in shared}
    return specialise(vars(rollout_kernels), __name__, kit.game.name, WIDTH=kit.game.width, **known, **hooks)


# Back Alley.


@kernel(inline=True)
def _hand_size(state: Any) -> int:
    return np.int64(state.hand_size)


@kernel(inline=True)
def _is_bid(action: int) -> bool:
    return action >= PASS


@kernel(inline=True)
def _count_bid(state: Any, action: int, counts: Counts) -> None:
    """Count pass, 1..13 and board by hand size, announced with a rainbow or not."""
    if PASS <= action < PASS + 2 * N_PLAIN_BIDS:
        counts[state.hand_size, (action - PASS) % N_PLAIN_BIDS] += 1


def bid_metrics(counts: Counts) -> dict[str, float]:
    """Return the shares of passes and boards, and the mean number bid over hand size, from (n + 1, 15) counts."""
    total = max(1, int(counts.sum()))
    numbers = counts[:, 1:-1]
    sizes = np.maximum(1, np.arange(len(counts)))[:, None]
    shares = numbers * np.arange(1, numbers.shape[1] + 1) / sizes
    return {
        "bids/pass": float(counts[:, 0].sum() / total),
        "bids/board": float(counts[:, -1].sum() / total),
        "bids/mean_share": float(shares.sum() / max(1, numbers.sum())),
    }


_BACK_ALLEY = TrainingGame(
    kit=BACK_ALLEY_KIT,
    loops=_loops(
        BACK_ALLEY_KIT,
        begin_episode=back_alley.begin_episode,
        step_episode=back_alley.step_episode,
        write_view=write_back_alley_view,
        deal_size=_hand_size,
        is_bid=_is_bid,
        count_action=_count_bid,
    ),
    counts_shape=lambda rules: (rules.hand_max + 1, N_PLAIN_BIDS),
    metrics=bid_metrics,
    histogram="bids/size_{}",
)


# Streets and Alleys.

N_KINDS = 3  # to a foundation, onto a card or into a space, back


@kernel(inline=True)
def _no_size(state: Any) -> int:
    return 0


@kernel(inline=True)
def _is_no_bid(action: int) -> bool:
    return False


@kernel(inline=True)
def _count_move(state: Any, action: int, counts: Counts) -> None:
    counts[0, action_parts(action)[0]] += 1


def move_metrics(counts: Counts) -> dict[str, float]:
    """Return the share of moves to a foundation among all, from (1, 3) counts."""
    return {"moves/up": float(counts[0, UP] / max(1, counts.sum()))}


_STREETS = TrainingGame(
    kit=STREETS_KIT,
    loops=_loops(
        STREETS_KIT,
        begin_episode=streets_and_alleys.begin_episode,
        step_episode=streets_and_alleys.step_episode,
        write_view=streets_and_alleys.write_view,
        deal_size=_no_size,
        is_bid=_is_no_bid,
        count_action=_count_move,
    ),
    counts_shape=lambda rules: (1, N_KINDS),
    metrics=move_metrics,
    histogram="",
    is_worth_imitating=lambda state: bool(state["outcome"] == WON),
)

GAMES = (_BACK_ALLEY, _STREETS)


def training_game(rules: RuleSet) -> TrainingGame:
    """Return the game that plays by `rules` as the trainer sees it."""
    kit = kit_of(rules)
    return next(game for game in GAMES if game.kit is kit)
