"""Gymnasium: Streets and Alleys and Beleaguered Castle.

| | |
|---|---|
| id | `backalley/StreetsAndAlleys-v0`, also for `make_vec` (`vectorization_mode="vector_entry_point"`) |
| presets | `streets_and_alleys`, `beleaguered_castle` |
| action | `Discrete(768)`, the numbering of `backalley.envs.streets_and_alleys.actions` |
| observation | dict of `observation` (layout.size,) int8 and `action_mask` (768,) int8; nothing is hidden |
| mask | also in `info["action_mask"]` and from `action_masks()`; all zero when the episode is over |
| info | also `n_moves` (the move counter, SA-27) and `cards_up`, how many cards are on the foundations (SA-34) |
| info at the end | also `episode_return`, `episode_length`, `is_won`, and `illegal_action` if that was it |
| reward | `"progress"`: the cards that a move brings to the foundations (less those taken back); `"win"`: 1 for a win |
| end | won or blocked (SA-30, SA-31); an illegal action ends it with reward −1; truncated after `max_moves` moves |

Aces that go up during the deal are part of no move and bring no reward: with `"progress"` the rewards of an episode add
up to `cards_up` at its end less `cards_up` at the reset.

A deal can be blocked before the first move (SA-E10): about one in 70, in Beleaguered Castle one in 160. `reset` then
returns an all-zero mask, and the first step, whatever its action, returns `terminated` with reward 0.

>>> import gymnasium, backalley.envs
>>> env = gymnasium.make("backalley/StreetsAndAlleys-v0", preset="streets_and_alleys", max_moves=300)
>>> observation, info = env.reset(seed=1)
>>> int(info["action_mask"].sum()), info["n_moves"], info["cards_up"]
(4, 0, 0)

Version history: v0, first version.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from backalley.envs.api.learner import LearnerTable, Rows
from backalley.envs.api.options import make_table
from backalley.envs.api.single_env import SingleEnv
from backalley.envs.api.vector_env import SingleVector
from backalley.envs.legal import are_legal
from backalley.envs.streets_and_alleys.episode import MAX_MOVES, REWARD_KINDS
from backalley.envs.streets_and_alleys.game import STREETS_AND_ALLEYS
from backalley.envs.streets_and_alleys.notation import expand
from backalley.envs.streets_and_alleys.state import WON

PRESET = "streets_and_alleys"


class PatienceTable(LearnerTable):
    """n games of patience; the learner has the only seat.

    Args:
        n: number of episodes.
        preset, options, reward, max_moves, illegal: see `StreetsAndAlleysEnv`.
    """

    def __init__(
        self, n: int, preset: str, options: dict[str, Any], *, reward: str, max_moves: int, illegal: str
    ) -> None:
        table = make_table(STREETS_AND_ALLEYS, preset, n, options, reward=reward, max_moves=max_moves)
        super().__init__(table, illegal)

    def infos(self, masks: NDArray[np.int8]) -> Rows:
        """Return what infos tell in every step, fresh arrays."""
        states = self.table.states
        return super().infos(masks) | {
            "n_moves": states["n_moves"].astype(np.int64),
            "cards_up": states["foundation"].sum(1, dtype=np.int64),
        }

    def end_infos(self) -> Rows:
        """Return what infos tell when an episode is over, fresh arrays."""
        return super().end_infos() | {"is_won": self.table.states["outcome"] == WON}


class StreetsAndAlleysEnv(SingleEnv):
    """One game of patience.

    Args:
        preset: `"streets_and_alleys"` or `"beleaguered_castle"`.
        reward: `"progress"` or `"win"`.
        max_moves: moves after which the episode is truncated.
        illegal: `"terminate"` ends the episode with −1, `"raise"` raises `IllegalAction`.
        render_mode: `"ansi"` returns text, `"human"` prints it after each step.
        **options: rule options that override the preset, see `StreetsRules`.

    The option of `reset` is `deck`, one permutation of the cards that are dealt (52, without the aces 48): ids, names,
    or one string; or a list of them as in other games, of which the episode takes the first. A wrong one raises
    `InvalidDeck`.

    Raises:
        UnknownName, InvalidRules: see `StreetsRules.preset`; also for rewards and modes that do not exist.
        ValueError: `max_moves` is negative.
    """

    def __init__(
        self,
        preset: str = PRESET,
        *,
        reward: str = REWARD_KINDS[0],
        max_moves: int = MAX_MOVES,
        illegal: str = "terminate",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        game = PatienceTable(1, preset, options, reward=reward, max_moves=max_moves, illegal=illegal)
        super().__init__(game, render_mode)

    def expand(self, action: int) -> list[int]:
        """Return the single moves that a legal move stands for in this position, in order; itself for one card (SA-25).

        Raises:
            IllegalAction: the move is not legal now.
        """
        table = self.game.table
        actions = np.array([action], np.int64)
        if not are_legal(table.legal_bits, table.game.width, actions)[0]:
            self.game.refuse(0, actions)
        return expand(table.states[0], int(action))


class StreetsAndAlleysVector(SingleVector):
    """Many games of patience.

    Args:
        num_envs: number of environments.
        autoreset_mode, render_mode: see `SingleVector`.
        preset, reward, max_moves, illegal, **options: see `StreetsAndAlleysEnv`.
    """

    def __init__(
        self,
        num_envs: int = 1,
        preset: str = PRESET,
        *,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        reward: str = REWARD_KINDS[0],
        max_moves: int = MAX_MOVES,
        illegal: str = "terminate",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        game = PatienceTable(num_envs, preset, options, reward=reward, max_moves=max_moves, illegal=illegal)
        super().__init__(game, autoreset_mode, render_mode)
