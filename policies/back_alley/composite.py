"""One policy's bids with another's cards, to tell bidding from play."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from backalley.envs.back_alley.state import PLAY
from backalley.envs.rule_set import Records
from backalley.policies.base import Policy


class Composite:
    """Bids like one policy and plays the cards like another.

    Args:
        bidder: decides until the first trick: redeals, bids, raises.
        player: plays the cards.
    """

    def __init__(self, bidder: Policy, player: Policy) -> None:
        self.bidder = bidder
        self.player = player
        self.name = f"bids={bidder.name},cards={player.name}"

    def act(self, views: Records, legal: NDArray[np.int8], rng: np.random.Generator) -> NDArray[np.int16]:
        """Return an action for each View; see `base.Policy`."""
        actions = np.empty(len(views), np.int16)
        is_play = views["phase"] == PLAY
        for policy, asked in ((self.bidder, ~is_play), (self.player, is_play)):
            if asked.any():
                actions[asked] = policy.act(views[asked], legal[asked], rng)
        return actions


def bots_of(policy: Policy) -> tuple[int, int] | None:
    """Return the numbers of the scripted bots that bid and play for a policy, None if other policies do."""
    bidder, player = (policy.bidder, policy.player) if isinstance(policy, Composite) else (policy, policy)
    bids, plays = getattr(bidder, "bot", None), getattr(player, "bot", None)
    return None if bids is None or plays is None else (bids, plays)
