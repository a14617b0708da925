"""A rule set in words: what differs from `partnership`, schedule, bids by hand size, play, and points in numbers."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby

from backalley.envs import Rules
from backalley.envs.back_alley.bidding import has_all_tricks_bid, highest_number
from backalley.envs.back_alley.notation import all_tricks_name
from backalley.envs.back_alley.options import OPTIONS
from backalley.train.rule_points import point_lines
from backalley.train.rule_words import FAMILIES, sentence, value_text

SECTIONS: dict[str, tuple[str, ...]] = {
    "Seats and sides": ("players", "sides", "deck"),
    "Schedule": ("schedule", "turning_deals", "first_dealer", "all_pass"),
    "Trumps": (
        *("trump_source", "no_stock_trump", "cut_min_cards", "joker_turned"),
        *("no_trump_joker", "no_trump_joker_lead", "high_two", "no_trump_high_two"),
    ),
    "New deals": (
        *("redeal_right", "redeal_min_cards", "redeal_timing", "redeal_dealer"),
        *("void_redeal", "void_min_cards", "void_dealer"),
    ),
    "Bidding": (
        *("blind_sizes", "score_unit", "side_bid_cap", "all_tricks_bid", "board_multiple_cap", "all_max_cards"),
        *("ladder_repeat_one", "number_cap", "dealer_hook", "boston", "boston_min_cards"),
        *("rainbow", "rainbow_sizes", "rainbow_reveal", "rainbow_joker", "rainbow_thrown_in"),
    ),
    "Leading": (
        *("first_lead", "board_leader", "double_board_leader", "all_tricks_tie", "boston_rank", "rainbow_leads"),
        *("rainbow_over_board", "lead_rule", "broken_by", "board_trump_lead", "boston_trump_lead"),
    ),
    "Following": ("follow", "blooper_force", "bb_partner"),
}
"""The options of each section; those about points are in the last one, what is off is left out."""

WIDTH = 100
"""Columns of a sheet."""


def _has_jokers(rules: Rules) -> bool:
    return rules.deck != "std52"


def _keeps_jokers(rules: Rules) -> bool:
    """Say whether a joker can be in play without trumps: after `keep`, or where all cards may be dealt."""
    return _has_jokers(rules) and (rules.joker_turned == "keep" or rules.players * max(rules.hand_sizes) > 52)


def _has_board(rules: Rules) -> bool:
    return rules.all_tricks_bid not in ("none", "implied")


def _announces(rules: Rules) -> bool:
    return rules.rainbow in ("required", "free", "claim")


def _by_bid(rules: Rules) -> bool:
    return rules.first_lead == "highest_bid"


def _has_partners(rules: Rules) -> bool:
    return rules.n_sides < rules.players


IN_FORCE: dict[str, Callable[[Rules], bool]] = {
    "turning_deals": lambda rules: rules.schedule in ("down_up", "up_down", "down"),
    "no_stock_trump": lambda rules: (
        rules.trump_source == "turn_up" and rules.players * max(rules.hand_sizes) == rules.pack.bit_count()
    ),
    "cut_min_cards": lambda rules: rules.cut_min_cards is not None,
    "joker_turned": lambda rules: _has_jokers(rules) and rules.trump_source == "turn_up",
    "no_trump_joker": _keeps_jokers,
    "no_trump_joker_lead": lambda rules: _keeps_jokers(rules) and rules.no_trump_joker == "sole_trump",
    "high_two": lambda rules: not _has_jokers(rules),
    "no_trump_high_two": lambda rules: rules.high_two == "spade2" and rules.can_cut,
    "redeal_right": lambda rules: rules.redeal_right,
    "redeal_min_cards": lambda rules: rules.redeal_right,
    "redeal_timing": lambda rules: rules.redeal_right,
    "redeal_dealer": lambda rules: rules.redeal_right,
    "void_redeal": lambda rules: rules.void_redeal,
    "void_min_cards": lambda rules: rules.void_redeal,
    "void_dealer": lambda rules: rules.void_redeal,
    "blind_sizes": lambda rules: bool(rules.blind_sizes),
    "score_unit": _has_partners,
    "side_bid_cap": lambda rules: rules.side_bid_cap != "none" and rules.score_unit == "side",
    "board_multiple_cap": lambda rules: rules.board_multiple_cap is not None and rules.all_tricks_bid == "board",
    "all_max_cards": lambda rules: rules.all_tricks_bid == "all",
    "ladder_repeat_one": lambda rules: rules.all_tricks_bid == "ladder",
    "number_cap": lambda rules: rules.number_cap is not None,
    "dealer_hook": lambda rules: rules.dealer_hook,
    "boston": lambda rules: rules.boston,
    "boston_min_cards": lambda rules: rules.boston,
    "rainbow": lambda rules: rules.rainbow != "off",
    "rainbow_sizes": lambda rules: rules.rainbow != "off",
    "rainbow_joker": lambda rules: rules.rainbow != "off" and (_has_jokers(rules) or rules.high_two != "none"),
    "rainbow_reveal": lambda rules: rules.rainbow == "auto",
    "rainbow_thrown_in": lambda rules: rules.rainbow in ("free", "claim") and rules.all_pass != "play",
    "board_leader": lambda rules: _by_bid(rules) and (rules.all_tricks_bid == "board" or _earliest_leads(rules)),
    "double_board_leader": lambda rules: _by_bid(rules) and rules.all_tricks_bid == "raise_board",
    "all_tricks_tie": lambda rules: _by_bid(rules) and rules.all_tricks_bid in ("all", "bort"),
    "boston_rank": lambda rules: _by_bid(rules) and rules.boston,
    "rainbow_leads": _announces,
    "rainbow_over_board": lambda rules: _announces(rules) and rules.rainbow_leads and _by_bid(rules),
    "broken_by": lambda rules: rules.lead_rule == "broken",
    "board_trump_lead": lambda rules: rules.lead_rule == "broken" and _has_board(rules),
    "boston_trump_lead": lambda rules: rules.lead_rule == "broken" and rules.boston,
    "blooper_force": _has_jokers,
    "bb_partner": lambda rules: _has_jokers(rules) and rules.blooper_force != "none" and _has_partners(rules),
}
"""Options that only count, or are only worth a line, under others."""


def _earliest_leads(rules: Rules) -> bool:
    return rules.board_leader == "earliest" and rules.all_tricks_bid in ("raise_board", "all", "solo_board", "bort")


def preset_list() -> Iterator[str]:
    """Yield all presets as lines, by family."""
    for family, presets in FAMILIES.items():
        yield family
        for name, words in presets.items():
            rules = Rules.preset(name)
            yield f"  {name:<18} {rules.players} seats, {rules.n_deals:>2} deals: {words}"


def rule_sheet(rules: Rules, name: str) -> str:
    """Return the rules as text of several lines.

    Args:
        rules: rule set.
        name: heading.
    """
    lines = [name, "", *_differences(rules)]
    for section, options in SECTIONS.items():
        told = [_told(option, rules) for option in options if IN_FORCE.get(option, lambda rules: True)(rules)]
        extra = {"Schedule": _schedule, "Bidding": _bids}.get(section)
        told = [*(extra(rules) if extra else ()), *told]
        if told:
            lines += ["", section, *told]
    lines += ["", "Points", *point_lines(rules)]
    return "\n".join(_wrap(line) for line in lines)


def _wrap(line: str) -> str:
    if len(line) <= WIDTH:
        return line
    return textwrap.fill(line, WIDTH, subsequent_indent=" " * (4 if line.startswith("  ") else 0))


def _told(option: str, rules: Rules) -> str:
    return f"  {sentence(option, getattr(rules, option))} ({OPTIONS[option].clause})"


def _differences(rules: Rules) -> Iterator[str]:
    options = rules.differences()
    if not options:
        yield "The standard: every option has its first value."
        return
    standard = Rules()
    yield "Differs from partnership in"
    for option in options:
        value, usual = getattr(rules, option), getattr(standard, option)
        instead = "" if option == "hand_sizes" else f", not {value_text(usual)}"
        yield f"  {option} = {value_text(value)}{instead}: {sentence(option, value)} ({OPTIONS[option].clause})"


def _schedule(rules: Rules) -> Iterator[str]:
    cards = " ".join(map(str, rules.hand_sizes)) if len(set(rules.hand_sizes)) > 1 else str(rules.hand_sizes[0])
    yield f"  {rules.n_deals} deals of {cards} cards; the deal passes to the left (BA-11)"


def _bids(rules: Rules) -> Iterator[str]:
    """Yield the bids by hand size, as the engine has them; neighbours with the same bids in one line."""
    yield "  each bids once, left of the dealer first (BA-39):"
    record = rules.record()[0]
    sizes = sorted(set(rules.hand_sizes))
    rows: list[tuple[str, int]] = []
    for size in sizes:
        top = int(highest_number(record, size))
        numbers = "" if top < 1 else "numbers to n" if top == size else f"numbers to n-{size - top}"
        bids = ["pass", numbers, _all_tricks_text(rules, size, has_board=bool(has_all_tricks_bid(record, size)))]
        bids.append("boston" if rules.boston and size >= rules.boston_min_cards else "")
        rows.append((", ".join(filter(None, bids)), size))
    for bids_text, group in groupby(rows, key=lambda row: row[0]):
        same = [size for _, size in group]
        yield f"    {_range_text(same):<16} {bids_text}"


def _all_tricks_text(rules: Rules, size: int, *, has_board: bool) -> str:
    """Return the all-tricks bid of a deal, empty if there is none."""
    if rules.all_tricks_bid == "ladder":
        return "on top of a 1 board, double board, triple board" if size == 1 else ""
    return all_tricks_name(rules.all_tricks_bid) if has_board else ""


def _range_text(sizes: Iterable[int]) -> str:
    """Return hand sizes that follow each other in the schedule's sizes."""
    first, *rest = sizes
    if not rest:
        return "1 card" if first == 1 else f"{first} cards"
    return f"{first} {'or' if len(rest) == 1 else 'to'} {rest[-1]} cards"
