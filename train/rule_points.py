"""The points of a rule set in words and numbers, computed by the engine's own functions."""

from __future__ import annotations

from collections.abc import Iterator

from backalley.envs import Rules
from backalley.envs.back_alley.bidding import has_all_tricks_bid
from backalley.envs.back_alley.notation import all_tricks_name
from backalley.envs.back_alley.options import BOSTON_TRICKS, OPTIONS
from backalley.envs.back_alley.scoring import BOSTON_POINTS, board_points, number_points
from backalley.train.rule_words import sentence

EXAMPLE_BID = 4
"""Tricks bid in the examples, if hands are as large."""


def point_lines(rules: Rules) -> Iterator[str]:
    """Yield the lines about points: numbers, boards by hand size and level, bonuses, bags, the end."""
    yield from _numbers(rules)
    yield from _boards(rules)
    yield from _bonuses(rules)
    yield f"  the highest total after the last deal wins; {sentence('game_tie', rules.game_tie)} (BA-113, BA-114)"


def _line(option: str, rules: Rules) -> str:
    return f"  {sentence(option, getattr(rules, option))} ({OPTIONS[option].clause})"


def _numbers(rules: Rules) -> Iterator[str]:
    record = rules.record()[0]
    yield _line("score", rules)
    if rules.score == "five_under":
        yield _line("five_under_made", rules)
    largest = max(rules.hand_sizes)
    bid, passed = min(EXAMPLE_BID, largest), min(3, largest)
    for tricks in dict.fromkeys((bid, min(bid + 2, largest), bid - 1)):
        yield f"  bid {bid}, won {tricks}: {int(number_points(record, bid, tricks)):+d}"
    if rules.score == "exact_ten":
        points = [int(number_points(record, 0, tricks)) for tricks in (0, passed)]
        yield f"  passed, won 0: {points[0]:+d}; won {passed}: {points[1]:+d}"
    else:
        yield f"  passed, won {passed}: {int(number_points(record, 0, passed)):+d}, a point a trick (BA-100)"
    if rules.all_tricks_bid == "solo_board" and 1 in rules.hand_sizes:
        yield _line("solo_one_card_pass", rules)
    if rules.bag_limit is not None:
        yield _line("bag_limit", rules)
        yield _line("bag_penalty", rules)


def _boards(rules: Rules) -> Iterator[str]:
    """Yield what an all-tricks bid wins or loses, a row for each hand size and a column for each level."""
    record, kind = rules.record()[0], rules.all_tricks_bid
    if kind == "none":
        return
    sizes = [size for size in sorted(set(rules.hand_sizes)) if _has_board(rules, size)]
    if not sizes:
        return
    what = "numbers that add up to all tricks win or lose" if kind == "implied" else "all tricks won, or lost:"
    yield f"  {what} ({_board_clause(kind)})"
    levels = range(1, max(1, rules.n_levels) + 1)
    names = [all_tricks_name("board" if kind == "implied" else kind, level) for level in levels]
    yield "    cards  " + "  ".join(names)
    for size in sizes:
        points = [f"±{int(board_points(record, size, level))}" for level in levels]
        cells = "  ".join(f"{text:>{len(name)}}" for text, name in zip(points, names, strict=True))
        yield f"    {size:>5}  {cells}"
    if kind not in ("implied", "ladder") and rules.n_sides < rules.players and rules.score_unit == "side":
        yield "  a side with such a bid is scored by it alone, its other bids do not count (BA-50)"
    if kind != "implied":
        yield _line("opponents_of_board", rules)


def _has_board(rules: Rules, size: int) -> bool:
    if rules.all_tricks_bid == "implied":
        return True
    return size == 1 if rules.all_tricks_bid == "ladder" else bool(has_all_tricks_bid(rules.record()[0], size))


def _board_clause(kind: str) -> str:
    return {
        "board": "BA-102, BAW-6",
        "raise_board": "BA-103",
        "all": "BA-104",
        "solo_board": "BA-105 to BA-107, BAW-16",
        "bort": "BA-108",
        "ladder": "BA-109",
        "implied": "BAW-15",
    }[kind]


def _bonuses(rules: Rules) -> Iterator[str]:
    """Yield what boston and rainbows bring."""
    if rules.boston:
        yield (
            f"  boston: {BOSTON_POINTS} and 1 for each trick from the {BOSTON_TRICKS + 1}th on, or minus "
            f"{BOSTON_POINTS} if one of the first {BOSTON_TRICKS} is lost (BA-68)"
        )
    if rules.rainbow == "off":
        return
    points = dict(rules.rainbow_points)
    for size in rules.rainbow_sizes:
        worth = points[size]
        yield (
            "  "
            + {
                "required": f"rainbow of {size} cards: +{worth} if the announcer himself wins {size // 4} or more, "
                f"else -{worth} (BA-64)",
                "claim": f"rainbow of {size} cards: +{worth} if the claim was true, else -{worth} (BA-65)",
                "free": f"rainbow of {size} cards: +{worth}, bid made or not (BA-65)",
                "auto": f"rainbow of {size} cards: +{worth}, bid made or not (BAW-12)",
            }[rules.rainbow]
        )
