"""A deal or a match played by named policies, as a record that JSON can hold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from backalley.envs import Rules, Table
from backalley.envs.api.results import winning_seats
from backalley.envs.back_alley.episode import apply_action
from backalley.envs.back_alley.notation import action_name, bid_name
from backalley.envs.back_alley.state import BID, PLAY, REDEAL_OFFER, SCORED, THROWN_IN
from backalley.envs.cards import NO_CARD, SUIT_NAMES, bits_of, card_name, cards_of, format_cards
from backalley.envs.errors import BackAlleyError
from backalley.policies.base import Policy
from backalley.train.estimates import nearest_preset

TRUMP_NAMES = (*SUIT_NAMES, "no trump")

Record = dict[str, Any]


def play_deal(
    rules: Rules,
    policies: Sequence[Policy],
    *,
    seed: int = 0,
    hand_size: int | None = None,
    decks: Sequence[str] | None = None,
    cuts: Sequence[str] | None = None,
    dealer: int | None = None,
) -> Record:
    """Play one deal and return its record.

    Args:
        rules: rule set.
        policies: one for each seat.
        seed: of the deck and of the policies' draws.
        hand_size: None draws a deal of the schedule.
        decks: decks to deal from one after the other, when hands are thrown in.
        cuts: for each deck the card that a cut exposes (BA-22).
        dealer: None leaves it to the rules.

    Raises:
        InvalidDeck, NotationError: a deck is no permutation of the pack, or a cut does not fit.
        BackAlleyError: hand size or dealer do not exist.
    """
    table = _table(rules, seed, "deal", {"decks": decks, "cuts": cuts, "dealers": dealer, "hand_sizes": hand_size})
    record = _play(table, policies, seed)
    last = record["deals"][-1]
    counts = {name: last[name] for name in ("tricks_won", "points", "own_points")}
    return {**record, "hand_size": last["hand_size"], **counts}


def play_match(rules: Rules, policies: Sequence[Policy], *, seed: int = 0, dealer: int | None = None) -> Record:
    """Play a whole match and return its record: that of `play_deal` with all deals, `totals` and `winners`."""
    table = _table(rules, seed, "match", {"dealers": dealer})
    record = _play(table, policies, seed)
    state = table.states[0]
    won = winning_seats(rules, state)
    record["totals"] = [int(points) for points in state["match_points"][: rules.players]]
    record["winners"] = [] if record["truncated"] else [seat for seat in range(rules.players) if won[seat]]
    return record


def _table(rules: Rules, seed: int, episode: str, chance: dict[str, Any]) -> Table:
    """Return a table with one episode begun, its chance fixed as far as asked for."""
    table = Table(rules, 1, seed, episode=episode)
    try:
        table.reset(**chance)
    except BackAlleyError:
        raise
    except ValueError as error:
        raise BackAlleyError(str(error)) from None
    return table


def _play(table: Table, policies: Sequence[Policy], seed: int) -> Record:
    """Play the episode to its end."""
    assert isinstance(table.rules, Rules)
    rng = np.random.default_rng(seed)
    preset, options = nearest_preset(table.rules)
    deals = [_new_deal(table)]
    while not table.done[0]:
        _play_one(table, policies, rng, deals)
    return {
        "preset": preset,
        "options": options,
        "seed": seed,
        "policies": [policy.name for policy in policies],
        "deals": deals,
        "truncated": bool(table.truncated[0]),
    }


def _new_deal(table: Table) -> Record:
    """Return the record of the deal whose bidding opens."""
    state, deck = table.states[0], [int(card) for card in table.episodes["deck"][0]]
    rules: Any = table.rules
    deck = deck[: rules.pack.bit_count()]
    seats = range(rules.players)
    return {
        "number": int(state["deal_index"]) + 1,
        "hand_size": int(state["hand_size"]),
        "dealer": int(state["dealer"]),
        "deck": " ".join(card_name(card) for card in deck),
        "hands": [format_cards(cards_of(state["hands"][seat])) for seat in seats],
        **{name: None if state[name] == NO_CARD else card_name(state[name]) for name in ("turn_up", "cut")},
        "burned": format_cards(cards_of(state["burned"])),
        "trump_cards": format_cards(cards_of(state["trumps"])),  # of the suit TRUMP (BA-6)
        "high_twos": [card_name(state[name]) for name in ("high_two", "second_two") if state[name] != NO_CARD],
        "trump": TRUMP_NAMES[int(state["trump"])],
        "exchange": _exchange(state, deck, rules.players),
        "answers": [],  # to the question for a new deal
        "bids": [],
        "raises": [],
        "rainbows": [],  # seats that announced or showed one
        "thrown_in": None,  # why
        "tricks": [],
        "tricks_won": [0 for _ in seats],
        "points": [0 for _ in seats],
        "own_points": [0 for _ in seats],
        "bags": [int(state["bags"][seat]) for seat in seats],
        "totals": [int(state["match_points"][seat]) for seat in seats],
    }


def _exchange(state: Any, deck: list[int], players: int) -> Record | None:
    """Return who gave back which joker for which card (BA-26), None if nobody did."""
    if not state["discarded"]:
        return None
    (joker,) = cards_of(state["discarded"])
    seat = (int(state["dealer"]) + 1 + deck.index(joker)) % players
    dealt = bits_of(deck[(seat - int(state["dealer"]) - 1) % players : players * int(state["hand_size"]) : players])
    (drawn,) = cards_of(int(state["hands"][seat]) & ~dealt)
    return {"seat": seat, "gives": card_name(joker), "takes": card_name(drawn)}


def _play_one(table: Table, policies: Sequence[Policy], rng: np.random.Generator, deals: list[Record]) -> None:
    """Let the seat on turn move, and enter the move into the last record of `deals`."""
    seat = int(table.turn[0])
    action = int(policies[seat].act(table.view(), table.legal(), rng)[0])
    before, after = table.states[0].copy(), table.states[:1].copy()
    table.step([action])
    apply_action(table.rules_record[0], after[0], action)  # alone: the table has gone on to the next deal
    _enter(deals[-1], before, after[0], action, table)
    if after[0]["phase"] in (SCORED, THROWN_IN) and not table.done[0]:
        deals.append(_new_deal(table))


def _enter(deal: Record, before: Any, after: Any, action: int, table: Table) -> None:
    """Enter one move, and what it ended, into the record of its deal."""
    rules: Any = table.rules
    seat, phase = int(before["turn"]), before["phase"]
    if phase == PLAY:
        if before["n_in_trick"] == 0:
            deal["tricks"].append({"leader": seat, "cards": [], "winner": None})
        deal["tricks"][-1]["cards"].append(action_name(action))
        if after["n_tricks"] > before["n_tricks"]:
            winner = int(np.argmax(after["tricks_won"] > before["tricks_won"]))
            deal["tricks"][-1]["winner"] = winner
            deal["tricks_won"][winner] += 1
    elif phase == REDEAL_OFFER or action_name(action) == "redeal":
        deal["answers"].append({"seat": seat, "answer": action_name(action)})
    elif phase == BID:
        level = max(1, int(after["bid_level"][seat]))
        deal["bids"].append({"seat": seat, "bid": bid_name(action, level, rules.all_tricks_bid)})
    else:
        deal["raises"].append({"seat": seat, "answer": action_name(action)})
    if after["phase"] == THROWN_IN:
        deal["thrown_in"] = "new deal demanded" if action_name(action) == "redeal" else "all pass"
    deal["rainbows"] = [place for place in range(rules.players) if after["bid_rainbow"][place]]
    if after["phase"] == SCORED:
        for name, field in (("points", "deal_points"), ("own_points", "own_points"), ("bags", "bags")):
            deal[name] = [int(value) for value in after[field][: rules.players]]
        deal["totals"] = [a + b for a, b in zip(deal["totals"], deal["points"], strict=True)]
