"""What one seat knows: the state with everything hidden from that seat blanked (BA-115)."""

from __future__ import annotations

from typing import Any

from backalley.envs.back_alley.rainbow import is_blind
from backalley.envs.back_alley.state import BID, PLAY, RAISE, REDEAL_OFFER
from backalley.envs.cards import ZERO
from backalley.envs.kernel import kernel


@kernel(inline=True)
def write_view(rules: Any, states: Any, i: int, seat: int, views: Any, k: int) -> None:
    """Write the View of `seat` on `states[i]` into `views[k]`, overwritten.

    The other hands and the stock are blanked; exposed cards, bids, plays and `cannot_hold` are public and stay. In a
    blind deal the own hand is blanked too until the bidding ends (BA-69). Who is asked for a redeal is private: the
    others see the bidding about to open (BA-115).
    """
    views[k] = states[i]
    view = views[k]
    for other in range(rules.players):
        if other != seat:
            view.hands[other] = ZERO
    view.stock = ZERO
    view.observer = seat
    if states[i].phase != PLAY:
        if view.phase in (BID, RAISE) and is_blind(rules, view):
            view.hands[seat] = ZERO
        if view.phase == REDEAL_OFFER and view.turn != seat:
            view.phase = BID
            view.turn = (view.dealer + 1) % rules.players


@kernel(inline=True)
def unseen_cards(rules: Any, view: Any) -> int:
    """Return the bit set of cards whose place the observer of the View does not know: other hands or the stock.

    In a View that policies have brought into a canonical form, `trumps` has numbers that the pack does not have.
    """
    known = view.hands[view.observer] | view.exposed | view.discarded | view.burned
    for seat in range(rules.players):
        known |= view.played[seat]
    return (rules.pack | view.trumps) & ~known
