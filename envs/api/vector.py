"""Gymnasium's vector interface over one table: no Python per environment.

`gymnasium.make_vec("backalley/BackAlley-v0", num_envs=1024, vectorization_mode="vector_entry_point")` makes it. All
three autoreset modes of Gymnasium are built; `SAME_STEP` is the one for training. Seeds, episodes and infos are those
of Gymnasium's `SyncVectorEnv` over `BackAlleySeat` (but policies outside kernels draw from one generator for all).
"""

from __future__ import annotations

from typing import Any

from gymnasium.vector import AutoresetMode

from backalley.envs.api.opponents import Choice
from backalley.envs.api.seat_table import SeatTable
from backalley.envs.api.vector_env import SingleVector


class BackAlleyVector(SingleVector):
    """Many tables of Back Alley, one learner's seat at each.

    Args:
        num_envs: number of environments.
        autoreset_mode, render_mode: see `SingleVector`; each table is shown from its learner's view.
        preset, opponents, partner, seat, episode, reward, illegal, max_redeals, **options: see `BackAlleySeat`.
    """

    def __init__(
        self,
        num_envs: int = 1,
        preset: str = "partnership",
        *,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        opponents: Choice = "simple",
        partner: Choice | None = None,
        seat: int | str = 0,
        episode: str = "deal",
        reward: str = "difference",
        illegal: str = "terminate",
        max_redeals: int = 20,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        game = SeatTable(
            num_envs,
            preset,
            options,
            episode=episode,
            reward=reward,
            max_redeals=max_redeals,
            opponents=opponents,
            partner=partner,
            seat=seat,
            illegal=illegal,
        )
        super().__init__(game, autoreset_mode, render_mode)
