"""Back Alley as a `Game` for the table."""

from __future__ import annotations

import numpy as np

from backalley.envs.back_alley import batch
from backalley.envs.back_alley.actions import N_ACTIONS, PASS
from backalley.envs.back_alley.episode import EPISODE, SETTINGS
from backalley.envs.back_alley.notation import action_name, is_card
from backalley.envs.back_alley.observation import observation_layout
from backalley.envs.back_alley.state import BID, STATE
from backalley.envs.cards import N_CARDS, N_RANKS, SUITS, card_name, cards_of
from backalley.envs.errors import unknown
from backalley.envs.game import EPISODE_KINDS, REWARD_KINDS, Game, Records, new_records

_SUIT_WORDS = dict(zip(SUITS, ("spades", "hearts", "diamonds", "clubs"), strict=True))


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


def legal_actions(legal: np.ndarray) -> list[int]:
    """Return the actions of the legal sets (2,) as a sorted list."""
    return cards_of(int(legal[0])) + [PASS + k for k in range(N_ACTIONS - PASS) if int(legal[1]) >> k & 1]


def describe_illegal(states: Records, index: int, action: int, legal: np.ndarray) -> str:
    """Say why an action is illegal and which are legal."""
    state = states[index]
    seat = int(state["turn"])
    choices = " ".join(action_name(choice) for choice in legal_actions(legal))
    if not 0 <= action < N_ACTIONS:
        return f"player_{seat} chose action {action}, but actions are numbered 0 to {N_ACTIONS - 1} (legal: {choices})"
    name = action_name(action)
    if state["phase"] == BID:
        return f"player_{seat} bid {name} but must choose one of the legal bids (legal: {choices})"
    if not is_card(action):
        return f"player_{seat} bid {name} but must play a card (legal: {choices})"
    if not int(state["hands"][seat]) >> action & 1:
        return f"player_{seat} played {name} but does not hold it (legal: {choices})"
    if state["n_in_trick"] == 0:
        return f"player_{seat} led {name} but trumps are not broken (legal: {choices})"
    led = int(state["trick"][state["leader"]])
    if led >= N_CARDS - 2:
        return f"player_{seat} played {name} but {card_name(led)} was led and forces a trump (legal: {choices})"
    suit = led // N_RANKS
    words = "trumps" if suit == state["trump"] else _SUIT_WORDS[SUITS[suit]]
    return f"player_{seat} played {name} but must follow {words} (legal: {choices})"


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
