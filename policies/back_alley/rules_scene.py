"""What `rules` sees before it judges its cards one by one."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from backalley.envs.back_alley.knowledge import master_cards, possible_elsewhere, unit_needs
from backalley.envs.back_alley.scoring import scored_alone
from backalley.envs.back_alley.view import unseen_cards
from backalley.envs.cards import LITTLE_JOKER, N_RANKS, n_bits
from backalley.envs.kernel import kernel
from backalley.policies.back_alley.chances import opposing_trumps, share_in_play, top_cards, tricks_left

TOP_RANK = N_RANKS - 1


class Scene(NamedTuple):
    """What is the same for all cards of one decision; counts of tricks and cards are floats to be weighted."""

    hand: np.uint64
    trumps: np.uint64
    unseen: np.uint64
    elsewhere: np.uint64  # unseen cards that another hand may hold
    masters: np.uint64  # mine that nobody can beat in their suit
    left: float  # tricks left
    mine: float  # tricks my side needs
    theirs: float
    share: float  # of the cards elsewhere that are in play
    tops: float  # how many of my cards nobody beats in their suit, on average
    n_trumps: float  # mine
    possible_trumps: float  # that opponents may hold
    expected_trumps: float


@kernel
def side_needs(rules: Any, view: Any, side: int) -> int:
    """Return how many tricks the players of a side still need for their bids; each his own where he is scored alone."""
    alone = scored_alone(rules, view)
    needs = 0
    for seat in range(rules.players):
        if rules.side[seat] == side:
            needed = max(0, unit_needs(rules, view, np.int64(seat), alone)[0])
            needs = needs + needed if alone else needed
    return needs


@kernel
def read_scene(rules: Any, view: Any) -> Scene:
    """Return the scene of the View's observer."""
    me = np.int64(view.observer)
    hand = view.hands[me]
    trumps = view.trumps
    unseen = unseen_cards(rules, view)
    elsewhere = possible_elsewhere(rules, view, unseen)
    share = share_in_play(rules, view, elsewhere)
    theirs = 0
    for side in range(rules.n_sides):
        if side != rules.side[me]:
            theirs = max(theirs, side_needs(rules, view, np.int64(side)))
    possible_trumps, expected_trumps = opposing_trumps(rules, view, trumps, unseen)
    return Scene(
        hand,
        trumps,
        unseen,
        elsewhere,
        master_cards(view, hand, elsewhere),
        np.float64(tricks_left(view)),
        np.float64(side_needs(rules, view, np.int64(rules.side[me]))),
        np.float64(theirs),
        share,
        top_cards(trumps, hand, elsewhere, share),
        np.float64(n_bits(hand & trumps)),
        np.float64(possible_trumps),
        expected_trumps,
    )


@kernel
def rank_share(card: int) -> float:
    """Return the rank of a card from 0 for a two to 1 for an ace; jokers are above."""
    return (card % N_RANKS if card < LITTLE_JOKER else N_RANKS) / TOP_RANK
