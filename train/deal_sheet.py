"""One deal played by named policies: its record, and the record as text move by move."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from backalley.envs import Rules, Table
from backalley.envs.back_alley.notation import action_name, bid_name
from backalley.envs.back_alley.state import BID, PLAY
from backalley.envs.cards import (
    JOKERS,
    N_SUITS,
    NO_CARD,
    NO_TRUMP,
    SUIT_MASK,
    bits_of,
    card_name,
    cards_of,
    format_cards,
    parse_cards,
)
from backalley.envs.errors import BackAlleyError
from backalley.policies.base import Policy
from backalley.train.evaluate import nearest_preset

COMPASS = "NESW"
SUIT_WORDS = ("spades", "hearts", "diamonds", "clubs", "no trump")


def seat_name(seat: int, players: int) -> str:
    """Return the name of a seat: a point of the compass at tables of four, else its number."""
    return COMPASS[seat] if players == len(COMPASS) else str(seat)


def play_deal(
    rules: Rules,
    policies: Sequence[Policy],
    *,
    seed: int = 0,
    hand_size: int | None = None,
    decks: Sequence[str] | None = None,
    dealer: int | None = None,
) -> dict[str, Any]:
    """Play one deal and return its record, as JSON can hold it.

    Args:
        rules: rule set.
        policies: one for each seat.
        seed: of the deck and of the policies' draws.
        hand_size: None draws a deal of the schedule.
        decks: decks to deal from one after the other, when hands are thrown in.
        dealer: None leaves it to the rules.

    Raises:
        InvalidDeck, NotationError: a deck is no permutation of the pack.
        BackAlleyError: hand size or dealer do not exist.
    """
    table = Table(rules, 1, seed)
    try:
        table.reset(decks=decks, dealers=dealer, hand_sizes=hand_size)
    except BackAlleyError:
        raise
    except ValueError as error:
        raise BackAlleyError(str(error)) from None
    rng = np.random.default_rng(seed)
    preset, options = nearest_preset(rules)
    record: dict[str, Any] = {
        "preset": preset,
        "options": options,
        "seed": seed,
        "policies": [policy.name for policy in policies],
        "hand_size": int(table.states["hand_size"][0]),
        "deals": [_new_deal(table)],
    }
    while not table.done[0]:
        _play_one(table, policies, rng, record["deals"])
    state = table.states[0]
    record["truncated"] = bool(table.truncated[0])
    record["tricks_won"] = [int(n) for n in state["tricks_won"][: rules.players]]
    record["points"] = [int(points) for points in state["deal_points"][: rules.players]]
    return record


def _new_deal(table: Table) -> dict[str, Any]:
    """Return the record of the deal whose bidding opens."""
    state, deck = table.states[0], [int(card) for card in table.episodes["deck"][0]]
    rules: Any = table.rules
    trump = int(state["trump"])
    deck = deck[: rules.pack.bit_count()]
    return {
        "dealer": int(state["dealer"]),
        "deck": " ".join(card_name(card) for card in deck),
        "hands": [format_cards(cards_of(hand)) for hand in state["hands"][: rules.players]],
        "turn_up": None if state["turn_up"] == NO_CARD else card_name(state["turn_up"]),
        "burned": format_cards(cards_of(state["burned"])),
        "trump": SUIT_WORDS[trump],
        "exchange": _exchange(state, deck, rules.players),
        "bids": [],
        "thrown_in": False,
        "tricks": [],
    }


def _exchange(state: Any, deck: list[int], players: int) -> dict[str, Any] | None:
    """Return who gave back which joker for which card (BA-26), None if nobody did."""
    if not state["discarded"]:
        return None
    (joker,) = cards_of(state["discarded"])
    seat = (int(state["dealer"]) + 1 + deck.index(joker)) % players
    dealt = bits_of(deck[(seat - int(state["dealer"]) - 1) % players : players * int(state["hand_size"]) : players])
    (drawn,) = cards_of(int(state["hands"][seat]) & ~dealt)
    return {"seat": seat, "gives": card_name(joker), "takes": card_name(drawn)}


def _play_one(table: Table, policies: Sequence[Policy], rng: np.random.Generator, deals: list[dict[str, Any]]) -> None:
    """Let the seat on turn move, and enter the move into the last record of `deals`."""
    before = table.states[0].copy()
    seat = int(before["turn"])
    action = int(policies[seat].act(table.view(), table.legal(), rng)[0])
    table.step([action])
    after = table.states[0]
    deal = deals[-1]
    if before["phase"] == BID:
        deal["bids"].append({"seat": seat, "bid": bid_name(action, int(after["bid_level"][seat]))})
    elif before["phase"] == PLAY:
        if before["n_in_trick"] == 0:
            deal["tricks"].append({"leader": seat, "cards": [], "winner": None})
        deal["tricks"][-1]["cards"].append(action_name(action))
        if after["n_tricks"] > before["n_tricks"]:
            deal["tricks"][-1]["winner"] = int(np.argmax(after["tricks_won"] > before["tricks_won"]))
    if after["n_redeals"] > before["n_redeals"]:
        deal["thrown_in"] = True
        if not table.done[0]:
            deals.append(_new_deal(table))


def deal_text(record: dict[str, Any], rules: Rules) -> str:
    """Return a record of `play_deal` as text of several lines."""
    options = "".join(f", {key} {value}" for key, value in record["options"].items())
    lines = [f"{record['preset']}{options}: {record['hand_size']} cards each, seed {record['seed']}"]
    for deal in record["deals"]:
        lines += ["", *_hands_and_bids(deal, record["policies"], rules)]
        if deal["thrown_in"]:
            lines.append("All pass: the hands are thrown in.")
    if record["truncated"]:
        lines.append("Cut off after so many hands thrown in in a row; no points.")
    else:
        lines += ["", *_tricks(record["deals"][-1], rules), "", *_points(record, rules)]
    return "\n".join(lines)


def _hands_and_bids(deal: dict[str, Any], policies: list[str], rules: Rules) -> Iterator[str]:
    def name(seat: int) -> str:
        return seat_name(seat, rules.players)

    trump = SUIT_WORDS.index(deal["trump"])
    width = max(map(len, policies))
    yield f"{name(deal['dealer'])} deals."
    for seat, policy in enumerate(policies):
        yield f"  {name(seat)}  {policy:<{width}}  {_sorted_hand(deal['hands'][seat], trump)}"
    yield _trump_line(deal)
    if exchange := deal["exchange"]:
        yield f"{name(exchange['seat'])} gives back {exchange['gives']} and takes {exchange['takes']}."
    yield "Bids: " + ", ".join(f"{name(bid['seat'])} {bid['bid']}" for bid in deal["bids"])


def _trump_line(deal: dict[str, Any]) -> str:
    parts = []
    if deal["burned"]:
        parts.append(f"Under the stock: {deal['burned']}.")
    if deal["turn_up"]:
        parts.append(f"Turned up: {deal['turn_up']}.")
    parts.append("No trumps." if deal["trump"] == SUIT_WORDS[NO_TRUMP] else f"{deal['trump'].capitalize()} are trumps.")
    return " ".join(parts)


def _sorted_hand(hand: str, trump: int) -> str:
    """Return a hand suit by suit, trumps first, the highest card first."""
    held = bits_of(parse_cards(hand))
    order = sorted(range(N_SUITS), key=lambda suit: suit != trump)
    groups = [held & int(SUIT_MASK[suit]) for suit in order]
    jokers = held & int(JOKERS)
    if trump == NO_TRUMP:
        groups.append(jokers)
    else:
        groups[0] |= jokers
    return "  ".join(" ".join(card_name(card) for card in reversed(cards_of(group))) for group in groups if group)


def _tricks(deal: dict[str, Any], rules: Rules) -> Iterator[str]:
    """Yield a line for each trick: the cards in order of play, who won, the tricks of the sides so far."""
    won = [0] * rules.n_sides
    for number, trick in enumerate(deal["tricks"], 1):
        seats = [(trick["leader"] + k) % rules.players for k in range(rules.players)]
        plays = "  ".join(
            f"{seat_name(seat, rules.players)} {card}" for seat, card in zip(seats, trick["cards"], strict=True)
        )
        won[rules.side_of(trick["winner"])] += 1
        counts = ", ".join(f"{_side_name(side, rules)} {n}" for side, n in enumerate(won))
        yield f"{number:>2}.  {plays}   {seat_name(trick['winner'], rules.players)} wins   ({counts})"


def _side_name(side: int, rules: Rules) -> str:
    return "".join(seat_name(seat, rules.players) for seat in range(rules.players) if rules.side_of(seat) == side)


def _points(record: dict[str, Any], rules: Rules) -> Iterator[str]:
    bids = {bid["seat"]: bid["bid"] for bid in record["deals"][-1]["bids"]}
    for side in range(rules.n_sides):
        seats = [seat for seat in range(rules.players) if rules.side_of(seat) == side]
        bid = " + ".join(bids[seat] for seat in seats)
        tricks = sum(record["tricks_won"][seat] for seat in seats)
        yield f"{_side_name(side, rules)}: bid {bid}, won {tricks}: {record['points'][seats[0]]:+d} points"
