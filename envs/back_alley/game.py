"""Back Alley as a `Game` for the table."""

from __future__ import annotations

from backalley.envs.back_alley import batch
from backalley.envs.back_alley.actions import N_ACTIONS
from backalley.envs.back_alley.blocks import observation_layout
from backalley.envs.back_alley.episode import EPISODE, SETTINGS
from backalley.envs.back_alley.refusals import describe_illegal
from backalley.envs.back_alley.state import STATE
from backalley.envs.errors import unknown
from backalley.envs.game import EPISODE_KINDS, REWARD_KINDS, Game, Records, new_records


def _settings(episode: str, reward: str, max_redeals: int) -> Records:
    if episode not in EPISODE_KINDS:
        raise unknown("episode kind", episode, EPISODE_KINDS)
    if reward not in REWARD_KINDS:
        raise unknown("reward kind", reward, REWARD_KINDS)
    if max_redeals < 0:
        raise ValueError(f"max_redeals={max_redeals} must be 0 or more: it counts hands thrown in in a row")
    record = new_records(1, SETTINGS)
    record["episode"] = EPISODE_KINDS.index(episode)
    record["reward"] = REWARD_KINDS.index(reward)
    record["max_redeals"] = max_redeals
    return record


BACK_ALLEY = Game(
    name="back_alley",
    n_actions=N_ACTIONS,
    state_dtype=STATE,
    episode_dtype=EPISODE,
    layout=observation_layout,
    settings=_settings,
    describe_illegal=describe_illegal,
    begin=batch.begin_episodes,
    first_illegal=batch.first_illegal,
    step=batch.step_all,
    observe=batch.observe_all,
    step_and_observe=batch.step_and_observe,
    step_and_observe_threaded=batch.step_and_observe_threaded,
    view=batch.view_all,
    random_actions=batch.random_actions,
)
