"""Streets and Alleys as a `Game` for the table."""

from __future__ import annotations

from backalley.envs import loops
from backalley.envs.game import Game, no_start
from backalley.envs.streets_and_alleys.actions import N_ACTIONS, WIDTH
from backalley.envs.streets_and_alleys.blocks import observation_layout
from backalley.envs.streets_and_alleys.episode import (
    EPISODE,
    EPISODE_KINDS,
    MAX_MOVES,
    REWARD_KINDS,
    SETTINGS,
    begin_episode,
    step_episode,
    write_view,
)
from backalley.envs.streets_and_alleys.observation import write_observation
from backalley.envs.streets_and_alleys.refusals import describe_illegal
from backalley.envs.streets_and_alleys.rules import StreetsRules
from backalley.envs.streets_and_alleys.state import STATE

STREETS_AND_ALLEYS = Game(
    name="streets_and_alleys",
    rules=StreetsRules,
    n_actions=N_ACTIONS,
    width=WIDTH,
    state_dtype=STATE,
    episode_dtype=EPISODE,
    episodes=EPISODE_KINDS,
    rewards=REWARD_KINDS,
    limit=("max_moves", MAX_MOVES),
    settings_dtype=SETTINGS,
    layout=observation_layout,
    start=no_start,
    describe_illegal=describe_illegal,
    loops=loops.for_game(
        __name__,
        "streets_and_alleys",
        N_ACTIONS=N_ACTIONS,
        WIDTH=WIDTH,
        begin_episode=begin_episode,
        step_episode=step_episode,
        write_view=write_view,
        write_observation=write_observation,
    ),
)
