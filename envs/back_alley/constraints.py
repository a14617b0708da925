"""Which options exclude each other: the constraints of the specification and what follows from them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from backalley.envs.back_alley.options import OPTIONS
from backalley.envs.cards import N_RANKS
from backalley.envs.errors import InvalidRules

if TYPE_CHECKING:
    from backalley.envs.back_alley.rules import Rules

MAX_LIST = 64  # deals of a schedule that is listed

_PLAYERS_OF_SIDES = {
    "pairs": (4,),
    "two_teams_of_3": (6,),
    "three_teams_of_2": (6,),
    "individual": (2, 3, 4, 5, 6),
}


def check_constraints(rules: Rules, pack_size: int) -> None:
    """Refuse a combination of options that the specification forbids or that could not be played.

    Raises:
        InvalidRules: with the clause and the reason.
    """
    for reason in (*_schedule(rules, pack_size), *_seats(rules), *_cards(rules), *_bids(rules), *_rainbows(rules)):
        raise InvalidRules(reason)


def _schedule(rules: Rules, pack_size: int) -> Iterator[str]:
    """Yield what is wrong with the hand sizes."""
    if rules.schedule == "list":
        if not 1 <= len(rules.hand_sizes) <= MAX_LIST:
            yield f"schedule='list' needs hand_sizes, one for each of 1 to {MAX_LIST} deals (BAW-1)"
            return
    elif rules.hand_sizes and rules.hand_sizes != rules._schedule():
        yield f"hand_sizes is read with schedule='list' only, not with schedule={rules.schedule!r} (BAW-1)"
    largest = max(rules.hand_sizes) if rules.schedule == "list" else rules.hand_max
    name = "hand_sizes" if rules.schedule == "list" else "hand_max"
    if rules.players * largest > pack_size:
        yield (
            f"{name}={largest} with players={rules.players} needs {rules.players * largest} cards, but deck "
            f"{rules.deck!r} has {pack_size} (BA-18): at most {name}={min(N_RANKS, pack_size // rules.players)}"
        )
    if rules.schedule in ("down_up", "up_down", "down") and rules.hand_min > rules.hand_max:
        yield f"hand_min={rules.hand_min} is above hand_max={rules.hand_max} (BAW-2)"


def _seats(rules: Rules) -> Iterator[str]:
    """Yield what is wrong with players, sides and the first dealer."""
    if rules.players not in _PLAYERS_OF_SIDES[rules.sides]:
        allowed = " or ".join(map(str, _PLAYERS_OF_SIDES[rules.sides]))
        yield f"sides={rules.sides!r} needs players={allowed}, not {rules.players} (BA-9)"
    if rules.first_dealer != "random" and int(rules.first_dealer) >= rules.players:
        yield f"first_dealer={rules.first_dealer} is no seat: seats are 0 to {rules.players - 1} (BA-10)"


def _cards(rules: Rules) -> Iterator[str]:
    """Yield what is wrong with jokers, high twos and trumps."""
    if rules.deck == "std52":
        for name in ("joker_turned", "bb_partner", "no_trump_joker"):
            if getattr(rules, name) != OPTIONS[name].values[0]:
                yield f"{name}={getattr(rules, name)!r} needs a pack with jokers, deck='std52' has none (section 20)"
    elif rules.high_two != "none" or rules.all_tricks_bid == "ladder":
        yield f"high_two and all_tricks_bid='ladder' need deck='std52', not {rules.deck!r} (section 20)"
    if rules.lead_rule == "high_two_run" and rules.high_two != "spade2":
        yield "lead_rule='high_two_run' needs high_two='spade2' (section 20)"
    if rules.no_trump_joker_lead == "broken" and (rules.joker_turned, rules.no_trump_joker) != ("keep", "sole_trump"):
        yield "no_trump_joker_lead='broken' needs joker_turned='keep' and no_trump_joker='sole_trump' (BAW-9)"
    if rules.cut_min_cards is not None and rules.trump_source != "turn_up":
        yield f"cut_min_cards needs trump_source='turn_up', not {rules.trump_source!r} (BAW-3)"


def _bids(rules: Rules) -> Iterator[str]:
    """Yield what is wrong with the bids."""
    if rules.all_tricks_bid == "raise_board" and rules.sides not in ("pairs", "three_teams_of_2"):
        yield f"all_tricks_bid='raise_board' needs sides of two, not sides={rules.sides!r} (section 20)"
    if rules.all_tricks_bid == "none":
        for name in ("board_multiples", "board_leader"):
            if getattr(rules, name) != getattr(type(rules), name):  # its default
                yield f"{name} needs an all-tricks bid, but all_tricks_bid='none' (BAW-6, BAW-7)"
    if not rules.board_multiples:
        yield "board_multiples needs at least one multiple (BAW-6)"
    smallest = {"list": min(rules.hand_sizes, default=0), "constant": rules.hand_max}.get(
        rules.schedule, rules.hand_min
    )
    has_board = rules.all_tricks_bid not in ("none", "ladder", "implied")
    if rules.number_max == "cards_minus_1" and smallest == 1 and not has_board and rules.all_pass != "play":
        yield (
            f"number_max='cards_minus_1' with all_tricks_bid={rules.all_tricks_bid!r} leaves only pass in a deal of "
            "1 card (BA-43): choose number_max='auto', or a schedule without such deals"
        )


def _rainbows(rules: Rules) -> Iterator[str]:
    """Yield what is wrong with rainbow sizes and points."""
    if rules.rainbow == "off":
        return
    if not rules.rainbow_sizes or any(size % 4 for size in rules.rainbow_sizes):
        yield f"rainbow_sizes={list(rules.rainbow_sizes)} must be hand sizes that four suits divide: 4, 8, 12 (BA-61)"
    if any(not 0 <= points <= 1_000 for _, points in rules.rainbow_points):
        yield f"rainbow_points={dict(rules.rainbow_points)} must be 0 to 1000 points each (BA-64)"
    missing = set(rules.rainbow_sizes) - dict(rules.rainbow_points).keys()
    if missing:
        yield f"rainbow_points says nothing on hands of {sorted(missing)} cards, which rainbow_sizes lists (BA-64)"
