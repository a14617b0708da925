"""The policies of Streets and Alleys."""

from __future__ import annotations

from backalley.envs.streets_and_alleys.game import STREETS_AND_ALLEYS
from backalley.policies.kit import make_kit
from backalley.policies.streets_and_alleys.bots import NAMES, choose
from backalley.policies.streets_and_alleys.features import (
    N_FEATURES,
    ORDER_LENGTH,
    same_action,
    write_features,
)
from backalley.policies.streets_and_alleys.planner import make_solver

STREETS_KIT = make_kit(
    __name__,
    STREETS_AND_ALLEYS,
    bots=NAMES,
    anchors=("greedy",),
    others={"solver": make_solver},
    best="solver",
    choose=choose,
    write_features=write_features,
    original_action=same_action,
    canonical_action=same_action,
    n_features=lambda rules, episode: N_FEATURES,
    order_length=ORDER_LENGTH,
    advance=None,
)
