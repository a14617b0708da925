"""A rule set in words: what differs from `partnership`, schedule, bidding, play, and points in numbers."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from backalley.envs import Rules
from backalley.envs.back_alley.options import OPTIONS, PRESETS
from backalley.envs.back_alley.rules import built_presets
from backalley.envs.back_alley.scoring import board_points, number_points
from backalley.envs.errors import NotBuilt

SECTIONS: dict[str, dict[str, dict[Any, str]]] = {
    "Table": {
        "deck": {"std54": "52 cards and two jokers, the big one (BB) over the little one (LB)"},
        "sides": {"pairs": "two sides: seats 0 and 2 (N, S) against seats 1 and 3 (E, W)"},
        "all_pass": {
            "next_dealer": "if all pass, the hands are thrown in and the next dealer deals as many cards",
            "same_dealer": "if all pass, the hands are thrown in and the same dealer deals again",
        },
    },
    "Trumps": {
        "trump_source": {
            "turn_up": "the next card is turned up and out of play; its suit is trumps",
            "fixed_spades": "spades are trumps in every deal; nothing is turned up",
        },
        "joker_turned": {
            "exchange": "joker turned up: no trumps; who holds the other joker swaps it for the next card",
            "burn": "joker turned up: it goes under the stock and the next card decides",
            "keep": "joker turned up: no trumps; the other joker stays where it is",
        },
    },
    "Bidding": {
        "all_tricks_bid": {
            "board": "each bids once, left of the dealer first: pass, a number, or board (win every trick); "
            "the second board of the deal is a double, then triple, then quadruple",
            "none": "each bids once, left of the dealer first: pass or a number; there is no board",
        },
        "score_unit": {"side": "numbers of partners are added; with a board in a side its other bids do not count"},
    },
    "Leading": {
        "lead_rule": {
            "broken": "highest bid leads, the earlier of equals, the last of several boards; trumps may "
            "not be led before they are broken, except by a leader who holds nothing else",
            "free": "highest bid leads, the earlier of equals, the last of several boards; any card",
        },
        "broken_by": {
            "any_trump": "any trump in an earlier trick breaks trumps",
            "ruff_only": "only a trump on a lead of another suit breaks trumps",
        },
        "board_trump_lead": {
            "bidder": "who bid a board may lead trumps",
            "side": "who bid a board, and his partner, may lead trumps",
            "anyone": "after a board anybody may lead trumps",
        },
    },
    "Following": {
        "follow": {
            "plain": "follow the suit led, jokers are trumps; without it any card; highest trump wins, "
            "else the highest card of the suit led"
        },
        "bb_partner": {
            "highest": "BB led: all others play their highest trump; LB led: their lowest",
            "any_trump": "BB led: opponents play their highest trump, partner any; LB led: all their lowest",
            "lowest": "BB led: opponents play their highest trump, partner the lowest; LB led: all the lowest",
        },
    },
}
"""Sentence for each value of the options that shape every deal; the others show as differences only."""

WIDTH = 100
"""Columns of a sheet."""

_IN_FORCE = {"broken_by": "broken", "board_trump_lead": "broken"}
"""Options that only count under a value of `lead_rule`."""


def preset_list() -> list[tuple[str, bool, str]]:
    """Return name, whether it can be played, and what it changes, of every preset in their own order."""
    built = built_presets()
    return [(name, name in built, _changes(options) or "the standard game") for name, options in PRESETS.items()]


def rule_sheet(rules: Rules, name: str) -> str:
    """Return the rules as text of several lines.

    Args:
        rules: rule set.
        name: heading.
    """
    lines = [name, "", *_differences(rules.differences()), "", "Schedule", *_schedule(rules)]
    for section, options in SECTIONS.items():
        lines += ["", section]
        for option, sentences in options.items():
            value = getattr(rules, option)
            if _IN_FORCE.get(option, rules.lead_rule) == rules.lead_rule:
                lines.append(f"  {sentences.get(value, f'{option} = {value}')} ({OPTIONS[option].clause})")
    lines += ["", "Points", *_points(rules)]
    return "\n".join(_wrap(line) for line in lines)


def _wrap(line: str) -> str:
    return textwrap.fill(line, WIDTH, subsequent_indent=" " * (4 if line.startswith("  ") else 0))


def unbuilt_sheet(name: str, error: NotBuilt) -> str:
    """Return what is known of a preset that cannot be played yet."""
    return "\n".join([name, "", *_differences(PRESETS[name]), "", _wrap(str(error))])


def _changes(options: dict[str, Any]) -> str:
    return ", ".join(f"{option} {_word(value)}" for option, value in options.items())


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return "[" + ", ".join(_word(item) if isinstance(item, tuple) else str(item) for item in value) + "]"
    return str(value)


def _differences(options: dict[str, Any]) -> Iterator[str]:
    if not options:
        yield "The standard: every option has its first value."
        return
    standard = Rules()
    yield "Differs from partnership in"
    for option, value in options.items():
        usual = _word(getattr(standard, option))
        yield f"  {option} = {_word(value)}, not {usual} ({OPTIONS[option].clause})"


def _schedule(rules: Rules) -> Iterator[str]:
    sizes = rules.hand_sizes
    yield f"  {rules.n_deals} deals of {_runs(sizes)} cards ({OPTIONS['schedule'].clause})"
    dealer = "a random seat" if rules.first_dealer == "random" else f"seat {rules.first_dealer}"
    yield f"  {dealer} deals first, then the deal passes to the left (BA-10, BA-11)"


def _runs(sizes: Iterable[int]) -> str:
    groups = [(size, len(list(group))) for size, group in groupby(sizes)]
    if len(groups) == 1:
        return f"{groups[0][0]}"
    return " ".join(str(size) for size, n in groups for _ in range(n))


def _points(rules: Rules) -> Iterator[str]:
    """Yield the points, computed by the engine's own functions."""
    bid = 4
    for tricks in (bid, bid + 2, bid - 1):
        yield f"  bid {bid}, won {tricks}: {number_points(bid, tricks):+d}"
    yield f"  all passed, won 3: {number_points(0, 3):+d} (BA-95, BA-100, BA-101)"
    if rules.all_tricks_bid == "board":
        size = min(5, rules.hand_max)
        multiples = range(1, (rules.board_multiple_cap or rules.players) + 1)
        points = ", ".join(f"±{board_points(size, multiple, size)}" for multiple in multiples)
        yield f"  board with {size} cards, single to highest multiple: {points} (BA-102)"
        others = {"normal": "by its bids as always", "zero": "nothing", "tricks_only": "a point a trick"}
        yield f"  against a board the other side scores {others[rules.opponents_of_board]} (BA-110)"
    yield "  the highest total after the last deal wins; equal totals share the win (BA-113, BA-114)"
