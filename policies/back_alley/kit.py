"""The policies of Back Alley."""

from __future__ import annotations

from backalley.envs.back_alley.blocks import observation_layout
from backalley.envs.back_alley.game import BACK_ALLEY
from backalley.policies.back_alley.advance import advance
from backalley.policies.back_alley.bots import NAMES, choose
from backalley.policies.back_alley.canonical import ORDER_LENGTH, original_action, relabel_card
from backalley.policies.back_alley.features import write_features
from backalley.policies.back_alley.ismcts import make_ismcts
from backalley.policies.back_alley.search import make_cheat, make_search
from backalley.policies.kit import make_kit

BACK_ALLEY_KIT = make_kit(
    __name__,
    BACK_ALLEY,
    bots=NAMES,
    anchors=("simple", "rules"),
    others={"search": make_search, "ismcts": make_ismcts, "cheat": make_cheat},
    best="rules",
    choose=choose,
    write_features=write_features,
    original_action=original_action,
    canonical_action=relabel_card,
    n_features=lambda rules, episode: observation_layout(rules, episode).size,
    order_length=ORDER_LENGTH,
    advance=advance,
)
