"""A table as text: from one seat's view, or open."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from backalley.envs.api.results import winning_seats
from backalley.envs.back_alley.actions import ALL_TRICKS
from backalley.envs.back_alley.bidding import next_level
from backalley.envs.back_alley.knowledge import unit_needs
from backalley.envs.back_alley.notation import action_name, all_tricks_name, bid_text
from backalley.envs.back_alley.rules import Rules
from backalley.envs.back_alley.scoring import scored_alone
from backalley.envs.back_alley.state import BID, PLAY, RAISE, REDEAL_OFFER, SCORED
from backalley.envs.cards import JOKERS, N_SUITS, NO_TRUMP, SUIT_MASK, SUIT_NAMES, card_name, cards_of, format_cards
from backalley.envs.kernel import kernel
from backalley.envs.rule_set import new_records
from backalley.envs.table import Table

COMPASS = ("North", "East", "South", "West")
BID_WIDTH = len("quadruple board")
QUESTIONS = {
    REDEAL_OFFER: "may keep the hand or demand a new deal",
    BID: "to bid",
    RAISE: "may double the partner's board",
    PLAY: "to play",
}
"""What the seat on turn is asked, by phase."""


def seat_name(seat: int, players: int) -> str:
    """Return the name of a seat: a point of the compass at tables of four, else its number."""
    return COMPASS[seat] if players == len(COMPASS) else f"Seat {seat}"


def side_names(rules: Rules) -> list[str]:
    """Return the name of each side, made of its seats."""
    return [
        "+".join(seat_name(seat, rules.players) for seat in range(rules.players) if rules.side_of(seat) == side)
        for side in range(rules.n_sides)
    ]


def hand_text(cards: int, trumps: int, high: Sequence[int] = ()) -> str:
    """Return a hand sorted by effective suits, trumps first, high cards first.

    Args:
        cards: the hand as a bit set.
        trumps: the cards of the suit TRUMP as a bit set.
        high: the twos that rank above all others of their suit, the highest first.
    """
    groups = [trumps] + [int(SUIT_MASK[suit]) & ~trumps for suit in range(N_SUITS)] + [int(JOKERS) & ~trumps]
    words = []
    for group in groups:
        held = cards & group
        first = [card for card in high if held >> card & 1]
        rest = [card for card in reversed(cards_of(held)) if card not in first]
        words.append(" ".join(map(card_name, first + rest)))
    return "  ".join(word for word in words if word) or "–"


def render_table(table: Table, index: int = 0, seat: int | None = None) -> str:
    """Return episode `index` of a table as text.

    Args:
        table: a Back Alley table.
        index: episode.
        seat: whose view to show, hidden cards and questions to others left out; None shows all hands.
    """
    rules = table.rules
    assert isinstance(rules, Rules)
    state = table.states[index]
    shown = state if seat is None else _view(table, index, seat)
    lines = [_headline(shown, rules, is_match=table.episode == "match"), ", ".join(_trump_words(shown, rules))]
    lines += _seat_lines(shown, rules, seat)
    lines.append(_needs_line(table, index, rules))
    turn = int(state["turn"])
    if turn >= 0 and seat in (None, turn):
        moves = " ".join(_move_text(action, table, state) for action in table.legal_actions(index))
        lines.append(f"{seat_name(turn, rules.players)} {QUESTIONS[int(state['phase'])]}: {moves}")
    if state["phase"] == SCORED:
        lines += _point_lines(table, index, rules)
    return "\n".join(lines)


def _view(table: Table, index: int, seat: int) -> Any:
    """Return the state of one episode as a seat knows it."""
    views = new_records(1, table.game.state_dtype)
    table.game.loops.view_all(table.rules_record, table.states[index : index + 1], np.array([seat], np.int8), views)
    return views[0]


def _move_text(action: int, table: Table, state: Any) -> str:
    """Return a legal move as it is typed, and what an all-tricks bid stands for where that is not plain."""
    if action != ALL_TRICKS:
        return action_name(action)
    kind = table.rules.all_tricks_bid  # type: ignore[attr-defined]  # Rules, not any RuleSet
    name = all_tricks_name(kind, int(next_level(table.rules_record[0], state, int(state["turn"]))))
    return "board" if name == "board" else f"board ({name})"


def _headline(state: Any, rules: Rules, *, is_match: bool) -> str:
    number = int(state["deal_index"]) + 1
    which = f"deal {number} of {rules.n_deals}" if number <= rules.n_deals else f"extra deal {number - rules.n_deals}"
    n_redeals = int(state["n_redeals"])
    again = f", thrown in {'once' if n_redeals == 1 else f'{n_redeals} times'}" if n_redeals else ""
    match = f", match {_by_side(rules, state['match_points'])}" if is_match and state["match_points"].any() else ""
    return f"{which}, {_cards(int(state['hand_size']))} each{again}{match}"


def _cards(n: int, kind: str = "") -> str:
    return f"{n} {kind}card{'' if n == 1 else 's'}"


def _by_side(rules: Rules, points: Any) -> str:
    units = zip(side_names(rules), _first_seats(rules), strict=True)
    return ", ".join(f"{name} {points[seat]:+d}" for name, seat in units)


def _trump_words(state: Any, rules: Rules) -> Iterator[str]:
    """Yield what is public of the trumps, of the cards around the deal, and of who may lead trumps."""
    yield f"trumps {SUIT_NAMES[state['trump']]}" if state["trump"] != NO_TRUMP else "no trumps"
    for field, label in (("turn_up", "turned up"), ("cut", "cut")):
        if state[field] >= 0:
            yield f"{label} {card_name(state[field])}"
    for label in ("discarded", "burned"):
        if cards := cards_of(state[label]):
            yield f"{label} {format_cards(cards)}"
    if twos := _high_twos(state):
        yield f"{' then '.join(map(card_name, twos))} high"
    if state["phase"] != PLAY:
        return
    if state["trump"] != NO_TRUMP:
        if rules.lead_rule == "broken":
            yield "trumps broken" if state["broken"] else "trumps not broken"
        if state["run"] >= 0:
            yield f"{seat_name(int(state['run']), rules.players)} has the run"
    elif rules.no_trump_joker_lead == "broken":
        yield "jokers broken" if state["broken"] else "jokers not broken"


def _seat_lines(state: Any, rules: Rules, observer: int | None) -> Iterator[str]:
    """Yield a line for each place: whose turn, name, bid, tricks, card in the trick, hand."""
    bids = [bid_text(rules, state, place) for place in range(rules.players)]
    bid_width = max(BID_WIDTH, *map(len, bids))
    for place, bid in enumerate(bids):
        mark = ">" if state["turn"] == place else " "
        dealer = "*" if state["dealer"] == place else " "
        card = "" if state["trick"][place] < 0 else card_name(state["trick"][place])
        lead = "led" if card and state["leader"] == place else ""
        bags = f" bags {state['bags'][place]:<4}" if rules.bag_limit is not None else ""
        yield (
            f"{mark} {place} {seat_name(place, rules.players):<6}{dealer} bid {bid:<{bid_width}} "
            f"tricks {state['tricks_won'][place]:<3}{bags}{card:>3} {lead:<4} | {_hand(state, place, observer)}"
        )


def _hand(state: Any, place: int, observer: int | None) -> str:
    """Return the hand of a place, or how many cards it has where they are hidden."""
    n_left = int(state["hand_size"]) - int(state["played"][place]).bit_count()
    cards = int(state["hands"][place])
    if observer not in (None, place):
        return _cards(n_left)
    if n_left and not cards:
        return _cards(n_left, "hidden ")  # bid unseen (BA-69)
    return hand_text(cards, int(state["trumps"]), _high_twos(state))


def _high_twos(state: Any) -> list[int]:
    """Return the twos that rank above all others of their suit in this deal, the highest first."""
    return [int(state[field]) for field in ("high_two", "second_two") if state[field] >= 0]


def _needs_line(table: Table, index: int, rules: Rules) -> str:
    """Return how many tricks each side, or each player where they are scored alone, still needs."""
    alone = scored_alone(table.rules_record[0], table.states[index])
    if alone:
        units = [(seat_name(seat, rules.players), seat) for seat in range(rules.players)]
    else:
        units = list(zip(side_names(rules), _first_seats(rules), strict=True))
    needs = [f"{name} {_needed(table.rules_record, table.states, index, seat, alone)}" for name, seat in units]
    return "tricks still needed: " + ", ".join(needs) + "   (* dealer, > to act)"


def _first_seats(rules: Rules) -> list[int]:
    """Return the first seat of each side."""
    return [next(seat for seat in range(rules.players) if rules.side_of(seat) == side) for side in range(rules.n_sides)]


@kernel
def _needed(rules: Any, states: Any, index: int, seat: int, alone: bool) -> int:
    return int(unit_needs(rules[0], states[index], seat, alone)[0])


def _point_lines(table: Table, index: int, rules: Rules) -> Iterator[str]:
    """Yield the points of the deal, of each player where he is scored alone, and of the match."""
    state = table.states[index]
    if rules.score_unit == "player" and rules.n_sides < rules.players:
        own = [f"{seat_name(seat, rules.players)} {state['own_points'][seat]:+d}" for seat in range(rules.players)]
        yield "own points: " + ", ".join(own)
    yield "points: " + _by_side(rules, state["deal_points"])
    if table.episode == "match" and table.done[index]:
        winners = winning_seats(rules, state)
        names = [name for name, seat in zip(side_names(rules), _first_seats(rules), strict=True) if winners[seat]]
        won = "won by" if len(names) == 1 else "shared by"
        yield f"match: {_by_side(rules, state['match_points'])}, {won} {' and '.join(names)}"
