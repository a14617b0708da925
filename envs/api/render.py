"""A table as text: from one seat's view, or open."""

from __future__ import annotations

from typing import Any

import numpy as np

from backalley.envs.back_alley.game import legal_actions
from backalley.envs.back_alley.notation import BOARD_NAMES, action_name
from backalley.envs.back_alley.observation import tricks_needed
from backalley.envs.back_alley.rules import Rules
from backalley.envs.back_alley.state import ALL_TRICKS_BID, BID, NOT_YET, PASSED, PLAY, SCORED
from backalley.envs.cards import JOKERS, N_SUITS, NO_TRUMP, SUIT_MASK, card_name, cards_of, format_cards
from backalley.envs.kernel import kernel
from backalley.envs.table import Table

SEAT_NAMES = ("North", "East", "South", "West", "Seat 4", "Seat 5")
SUIT_NAMES = ("spades", "hearts", "diamonds", "clubs", "none")


def hand_text(cards: int, trump: int) -> str:
    """Return a hand sorted by suits, trumps first, high cards first."""
    suits = sorted(range(N_SUITS), key=lambda suit: suit != trump)
    groups = [int(JOKERS)] + [int(SUIT_MASK[suit]) for suit in suits]
    words = [" ".join(card_name(card) for card in reversed(cards_of(cards & group))) for group in groups]
    return "  ".join(word for word in words if word) or "–"


def bid_text(state: Any, seat: int) -> str:
    """Return the bid of a seat, `…` before it is made."""
    kind = int(state["bid_kind"][seat])
    if kind == NOT_YET:
        return "…"
    if kind == PASSED:
        return "pass"
    return BOARD_NAMES[int(state["bid_level"][seat]) - 1] if kind == ALL_TRICKS_BID else str(state["bid_number"][seat])


def render_table(table: Table, index: int = 0, seat: int | None = None) -> str:
    """Return episode `index` of a table as text.

    Args:
        table: a Back Alley table.
        index: episode.
        seat: whose view to show, hidden cards left out; None shows all hands.
    """
    state = table.states[index]
    rules = table.rules
    assert isinstance(rules, Rules)
    lines = [_headline(state, rules), _trump_line(state)]
    lines += [_seat_line(state, place, seat) for place in range(rules.players)]
    lines.append(_needs_line(table, index, rules))
    if state["phase"] in (BID, PLAY) and state["turn"] >= 0 and seat in (None, int(state["turn"])):
        moves = " ".join(action_name(action) for action in legal_actions(table.legal_bits[index]))
        lines.append(f"{SEAT_NAMES[state['turn']]} to {'bid' if state['phase'] == BID else 'play'}: {moves}")
    if state["phase"] == SCORED:
        lines.append("points: " + _by_side(rules, state["deal_points"]))
    return "\n".join(lines)


def _headline(state: Any, rules: Rules) -> str:
    match = "" if not state["match_points"].any() else f", match {_by_side(rules, state['match_points'])}"
    return f"deal {state['deal_index'] + 1} of {rules.n_deals}, {state['hand_size']} cards each{match}"


def _by_side(rules: Rules, points: np.ndarray) -> str:
    parts = []
    for side in range(rules.n_sides):
        seats = [seat for seat in range(rules.players) if rules.side_of(seat) == side]
        parts.append(f"{'+'.join(SEAT_NAMES[seat] for seat in seats)} {points[seats[0]]:+d}")
    return ", ".join(parts)


def _trump_line(state: Any) -> str:
    words = [f"trumps {SUIT_NAMES[state['trump']]}" if state["trump"] != NO_TRUMP else "no trumps"]
    if state["turn_up"] >= 0:
        words.append(f"turned up {card_name(state['turn_up'])}")
    gone = {label: cards_of(state[label]) for label in ("discarded", "burned")}
    words += [f"{label} {format_cards(cards)}" for label, cards in gone.items() if cards]
    if state["trump"] != NO_TRUMP and state["phase"] == PLAY:
        words.append("trumps broken" if state["broken"] else "trumps not broken")
    return ", ".join(words)


def _seat_line(state: Any, place: int, seat: int | None) -> str:
    """Return the line of one place: whose turn, name, bid, tricks, card in the trick, hand."""
    mark = ">" if state["turn"] == place else " "
    dealer = "*" if state["dealer"] == place else " "
    card = "" if state["trick"][place] < 0 else card_name(state["trick"][place])
    lead = "led" if card and state["leader"] == place else ""
    shown = seat is None or seat == place
    n_left = int(state["hand_size"]) - int(state["played"][place]).bit_count()
    hand = hand_text(int(state["hands"][place]), int(state["trump"])) if shown else f"{n_left} cards"
    bid = bid_text(state, place)
    return (
        f"{mark} {place} {SEAT_NAMES[place]:<6}{dealer} bid {bid:<15} tricks {state['tricks_won'][place]:<3}"
        f"{card:>3} {lead:<4} | {hand}"
    )


def _needs_line(table: Table, index: int, rules: Rules) -> str:
    needs = []
    for side in range(rules.n_sides):
        names = "+".join(SEAT_NAMES[seat] for seat in range(rules.players) if rules.side_of(seat) == side)
        needs.append(f"{names} {_needed(table.rules_record, table.states, index, side)}")
    return "tricks still needed: " + ", ".join(needs) + "   (* dealer, > to act)"


@kernel
def _needed(rules: Any, states: Any, index: int, side: int) -> int:
    return int(tricks_needed(rules[0], states[index], side))
