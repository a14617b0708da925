"""What one seat knows: the state with everything hidden from that seat blanked (BA-115)."""

from __future__ import annotations

from typing import Any

from backalley.envs.cards import ZERO
from backalley.envs.kernel import kernel


@kernel(inline=True)
def write_view(rules: Any, states: Any, i: int, seat: int, views: Any, k: int) -> None:
    """Write the View of `seat` on `states[i]` into `views[k]`, overwritten.

    The other hands and the stock are blanked; exposed cards, bids, plays and `cannot_hold` are public and stay.
    """
    views[k] = states[i]
    view = views[k]
    for other in range(rules.players):
        if other != seat:
            view.hands[other] = ZERO
    view.stock = ZERO
    view.observer = seat


@kernel(inline=True)
def unseen_cards(rules: Any, view: Any) -> int:
    """Return the bit set of cards whose place the observer of the View does not know: other hands or the stock."""
    known = view.hands[view.observer] | view.exposed | view.discarded | view.burned
    for seat in range(rules.players):
        known |= view.played[seat]
    return rules.pack & ~known
