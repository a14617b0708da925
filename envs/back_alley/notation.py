"""Text of bids and plays.

>>> action_name(57), action_name(54), action_name(68), action_name(51)
('3', 'pass', 'board', 'AC')
>>> parse_action("10S"), parse_action("board")
(8, 68)
>>> bid_name(72), bid_name(68, level=2), bid_name(83, kind="bort")
('3 with rainbow', 'double board', 'bort with rainbow')
"""

from __future__ import annotations

from typing import Any

from backalley.envs.back_alley.actions import (
    ALL_TRICKS,
    BOSTON,
    KEEP,
    N_ACTIONS,
    N_PLAIN_BIDS,
    NO_RAISE,
    PASS,
    RAINBOW,
    RAISE,
    REDEAL,
)
from backalley.envs.back_alley.rules import Rules
from backalley.envs.back_alley.state import BOSTON_BID, NOT_YET, NUMBER, PASSED
from backalley.envs.cards import CARD_NAMES, N_CARDS, parse_card
from backalley.envs.errors import NotationError

BOARD_NAMES = ("board", "double board", "triple board", "quadruple board", "fifth board", "sixth board")
"""Name of a board by its multiple, from 1 (BA-48, BA-52)."""
_OWN_NAMES = ("all", "bort")
"""All-tricks bids that people call by the name of the option's value."""

_NAMES: dict[int, str] = {
    **dict(enumerate(CARD_NAMES)),
    **{bid: "pass" if bid == PASS else str(bid - PASS) for bid in range(PASS, ALL_TRICKS)},
    ALL_TRICKS: "board",
    **{bid: f"{bid - RAINBOW}+rainbow" for bid in range(RAINBOW + 1, RAISE - 1)},
    RAINBOW: "pass+rainbow",
    RAISE - 1: "board+rainbow",
    RAISE: "raise",
    NO_RAISE: "no_raise",
    BOSTON: "boston",
    KEEP: "keep",
    REDEAL: "redeal",
}
_IDS = {name: action for action, name in _NAMES.items()}


def action_name(action: int) -> str:
    """Return the text of an action: a card, `pass`, a number, `board` and so on.

    Raises:
        NotationError: no such action.
    """
    if action not in _NAMES:
        raise NotationError(f"action {action} does not exist: actions are numbered 0 to {N_ACTIONS - 1}")
    return _NAMES[int(action)]


def parse_action(text: str) -> int:
    """Return the action written as `text`.

    Raises:
        NotationError: the text is neither a bid nor a card.
    """
    name = " ".join(text.split()).lower()
    if name in _IDS:
        return _IDS[name]
    try:
        return parse_card(text)
    except NotationError:
        bids = ", ".join(_NAMES[bid] for bid in (PASS, PASS + 1, ALL_TRICKS))
        raise NotationError(f"{text!r} is no action: write a card (9H, TS, BB) or a bid ({bids} …)") from None


def all_tricks_name(kind: str, level: int = 1) -> str:
    """Return what people call an all-tricks bid.

    Args:
        kind: value of the option `all_tricks_bid`.
        level: level of the bid, from 1.
    """
    return kind if kind in _OWN_NAMES else BOARD_NAMES[level - 1]


def bid_name(action: int, level: int = 1, kind: str = "board") -> str:
    """Return the text of a bid as people say it.

    Args:
        action: a bid.
        level: level of an all-tricks bid, from 1.
        kind: value of the option `all_tricks_bid`.
    """
    if RAINBOW <= action < RAISE:
        return bid_name(action - N_PLAIN_BIDS, level, kind) + " with rainbow"
    return all_tricks_name(kind, level) if action == ALL_TRICKS else action_name(action)


def bid_text(rules: Rules, state: Any, seat: int) -> str:
    """Return the bid of a seat as it stands, `…` before it is made; with a rainbow, and whether it is a raise.

    Args:
        rules: rule set.
        state: record of dtype STATE, also a View.
        seat: whose bid.
    """
    kind, level = int(state["bid_kind"][seat]), int(state["bid_level"][seat])
    names = {NOT_YET: "…", PASSED: "pass", NUMBER: str(state["bid_number"][seat]), BOSTON_BID: "boston"}
    text = names.get(kind) or all_tricks_name(rules.all_tricks_bid, level)
    if _is_raised(rules, state, seat):
        text += " (raised)"
    if state["bid_rainbow"][seat]:
        text += ", shows a rainbow" if rules.rainbow == "auto" else " with rainbow"
    return text


def _is_raised(rules: Rules, state: Any, seat: int) -> bool:
    """Say whether the seat doubled a board that its partner bid after it (BA-54)."""
    if rules.all_tricks_bid != "raise_board" or state["bid_level"][seat] < 2:
        return False
    places = {other: (other - int(state["dealer"]) - 1) % rules.players for other in range(rules.players)}
    partners = [other for other in places if other != seat and rules.side_of(other) == rules.side_of(seat)]
    return any(state["bid_level"][other] == 1 and places[other] > places[seat] for other in partners)


def is_card(action: int) -> bool:
    """Say whether an action plays a card."""
    return 0 <= action < N_CARDS
