"""Text of bids and plays.

>>> action_name(57), action_name(54), action_name(68), action_name(51)
('3', 'pass', 'board', 'AC')
>>> parse_action("10S"), parse_action("board")
(8, 68)
"""

from __future__ import annotations

from backalley.envs.back_alley.actions import (
    ALL_TRICKS,
    BOSTON,
    KEEP,
    N_ACTIONS,
    NO_RAISE,
    PASS,
    RAINBOW,
    RAISE,
    REDEAL,
)
from backalley.envs.cards import CARD_NAMES, N_CARDS, parse_card
from backalley.envs.errors import NotationError

BOARD_NAMES = ("board", "double board", "triple board", "quadruple board", "fifth board", "sixth board")
"""Name of a board by its multiple, from 1 (BA-48, BA-52)."""

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


def bid_name(action: int, level: int) -> str:
    """Return the text of a bid with the level of a board, as people say it."""
    return BOARD_NAMES[level - 1] if action == ALL_TRICKS and level else action_name(action)


def is_card(action: int) -> bool:
    """Say whether an action plays a card."""
    return 0 <= action < N_CARDS
