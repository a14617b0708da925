"""Gymnasium: one seat learns, policies play the others.

| | |
|---|---|
| id | `backalley/BackAlley-v0` |
| action | `Discrete(89)`, the numbering of `backalley.envs.back_alley.actions` |
| observation | dict of `observation` (layout.size,) int8 and `action_mask` (89,) int8 |
| mask | also in `info["action_mask"]` and from `action_masks()`; all zero when the episode is over |
| info | also `seat` (the learner's), `hand_size`, `deal_index` and, by seat, `match_points` |
| info after a deal | in the step that scores it also `deal_points` and `own_points`, by seat |
| info at the end | also `episode_return`, `episode_length`, `winners` of a match, and `illegal_action` if that was it |
| reward | the learner's side's points minus the others' when a deal is scored; see `reward` |
| end | after one deal, or the whole match; an illegal action ends it with reward −1 |

`match_points` and `deal_points` of a seat are its side's; `own_points` is what it scored by itself where players are
scored alone (`score_unit="player"`), else the same. `winners` says which seats have the highest total. A deal that is
cut off after hands thrown in has no points.

Version history: v0, first version.
"""

from __future__ import annotations

from typing import Any

from backalley.envs.api.opponents import Choice
from backalley.envs.api.options import check_render_seat
from backalley.envs.api.seat_table import SeatTable
from backalley.envs.api.single_env import SingleEnv


class BackAlleySeat(SingleEnv):
    """One seat at a table of Back Alley.

    Args:
        preset: named rule set.
        opponents: who plays the other side: a policy's name, a policy, or a function (views, legal, rng) → actions.
        partner: who plays the learner's partner; None for the same as `opponents`.
        seat: the learner's seat, or `"random"` for another one each episode.
        episode: `"deal"` or `"match"`.
        reward: `"difference"`, `"points"` or `"win"`.
        illegal: `"terminate"` ends the episode with −1, `"raise"` raises `IllegalAction`.
        max_redeals: hands thrown in in a row until the episode is truncated.
        render_mode: `"ansi"` returns text, `"human"` prints it after each step.
        render_seat: whose view is rendered: `"learner"`, a seat, or None for all hands.
        **options: rule options that override the preset.

    Options of `reset` are `deck` (one permutation of the pack, or a list of them used one after another), `dealer`,
    `hand_size` and `cut`. Wrong ones raise `InvalidDeck` (no permutation of the pack, or a cut for rules that never
    cut) or `ValueError` (a dealer or a hand size that does not exist).

    Raises:
        UnknownName, InvalidRules: see `Rules.preset`; also for policies nobody offers.
        ValueError: a seat is not at the table.
    """

    def __init__(
        self,
        preset: str = "partnership",
        *,
        opponents: Choice = "simple",
        partner: Choice | None = None,
        seat: int | str = 0,
        episode: str = "deal",
        reward: str = "difference",
        illegal: str = "terminate",
        max_redeals: int = 20,
        render_mode: str | None = None,
        render_seat: int | str | None = "learner",
        **options: Any,
    ) -> None:
        game = SeatTable(
            1,
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
        check_render_seat(None if render_seat == "learner" else render_seat, game.table.players)
        super().__init__(game, render_mode)
        self.render_seat = render_seat

    def _shown_seat(self) -> int | None:
        """Return whose view is rendered."""
        return int(self.game.learner[0]) if isinstance(self.render_seat, str) else self.render_seat
