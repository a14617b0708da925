"""Why an action is illegal, in words: who, what, the true reason with its clause, and what is legal instead."""

from __future__ import annotations

from typing import Any

import numpy as np

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
    WIDTH,
)
from backalley.envs.back_alley.bidding import highest_number
from backalley.envs.back_alley.deal import HONOURS
from backalley.envs.back_alley.notation import action_name, all_tricks_name, is_card
from backalley.envs.back_alley.options import BOSTON_TRICKS, LADDER_LEVELS
from backalley.envs.back_alley.play import FORCED_HIGHEST, FORCED_LOWEST, force_on, suit_group
from backalley.envs.back_alley.rainbow import is_rainbow
from backalley.envs.back_alley.rules import Rules
from backalley.envs.back_alley.state import ALL_TRICKS_BID, BID, BOSTON_BID, NUMBER, PLAY, REDEAL_OFFER
from backalley.envs.back_alley.state import RAISE as RAISING
from backalley.envs.cards import LITTLE_JOKER, N_RANKS, NO_TRUMP, SUIT_NAMES, card_name
from backalley.envs.legal import legal_actions
from backalley.envs.rule_set import Records

_WRONG_CHOICE = "must choose one of the legal bids"


def describe_illegal(rules: Rules, states: Records, index: int, action: int, legal: np.ndarray) -> str:
    """Say why an action is illegal and which are legal.

    Args:
        rules: rule set.
        states: (n,) records of dtype STATE.
        index: episode.
        action: an action that is not legal there.
        legal: (2,) uint64 legal sets of the seat to act.
    """
    state, record = states[index], rules.record()[0]
    seat = int(state["turn"])
    choices = " ".join(action_name(choice) for choice in legal_actions(legal, WIDTH))
    if not 0 <= action < N_ACTIONS:
        said = f"chose action {action}, but actions are numbered 0 to {N_ACTIONS - 1}"
    elif state["phase"] != PLAY:
        verb = "bid" if PASS <= action <= BOSTON or is_card(action) else "chose"
        said = f"{verb} {action_name(action)} but {_why_no_bid(rules, record, state, action)}"
    elif not is_card(action):
        said = f"bid {action_name(action)} but must play a card"
    else:
        verb = "led" if state["n_in_trick"] == 0 and int(state["hands"][seat]) >> action & 1 else "played"
        said = f"{verb} {card_name(action)} but {_why_no_play(rules, record, state, action)}"
    return f"player_{seat} {said} (legal: {choices})"


# Bids.


def _why_no_bid(rules: Rules, record: Any, state: Any, action: int) -> str:
    """Return why the seat to act may not choose an action outside the play."""
    if state["phase"] == REDEAL_OFFER:
        return "is asked whether to keep the hand or to demand a new deal (BA-36)"
    if state["phase"] == RAISING:
        return "is asked whether to double the partner's board (BA-54)"
    assert state["phase"] == BID
    if is_card(action):
        return f"{_WRONG_CHOICE}: cards are played after the last bid"
    if action in (RAISE, NO_RAISE):
        return f"{_WRONG_CHOICE}: {_why_no_raise(rules)}"
    if action in (KEEP, REDEAL):
        return f"{_WRONG_CHOICE}: {_why_no_redeal(rules, state, action)}"
    reason = _why_no_rainbow(rules, record, state, action) if RAINBOW <= action < RAISE else ""
    return f"{_WRONG_CHOICE}: {reason or _why_no_plain_bid(rules, record, state, action)}"


def _why_no_raise(rules: Rules) -> str:
    if rules.all_tricks_bid != "raise_board":
        return "nobody is asked to raise in these rules (BA-54)"
    return "a board is raised after the last bid, by a player whose partner bid it after him (BA-54)"


def _why_no_redeal(rules: Rules, state: Any, action: int) -> str:
    if not rules.redeal_right:
        return "no new deal can be demanded in these rules (BA-36)"
    if action == KEEP:
        return "to keep the hand, bid (BA-36)"
    size = int(state["hand_size"])
    if size < rules.redeal_min_cards:
        return f"a new deal can be demanded with {rules.redeal_min_cards} cards or more, not with {size} (BA-36)"
    if size in rules.blind_sizes:
        return "no new deal is offered when hands are bid unseen (BA-37)"
    if int(state["hands"][state["turn"]]) & (int(HONOURS) | int(state["trumps"])):
        return "a new deal can be demanded with no ace, king, queen, jack and trump only (BA-36)"
    return "a new deal is demanded before the bidding (BA-37)"


def _why_no_rainbow(rules: Rules, record: Any, state: Any, action: int) -> str:
    """Return why no rainbow can be announced with that bid; empty if the bid itself is illegal."""
    size = int(state["hand_size"])
    if rules.rainbow in ("off", "auto"):
        return "rainbows are not announced in these rules " + ("(BAW-12)" if rules.rainbow == "auto" else "(BA-61)")
    if size not in rules.rainbow_sizes:
        sizes = ", ".join(map(str, rules.rainbow_sizes))
        return f"a hand of {size} cards is never a rainbow, those of {sizes} cards can be one (BA-61)"
    if rules.rainbow == "claim":
        return ""
    if size in rules.blind_sizes:
        return "no rainbow can be announced by a hand that is bid unseen (BA-66)"
    if not is_rainbow(record, state, state["hands"][state["turn"]]):
        return "a rainbow has as many cards of each suit, this hand has not (BA-61, BA-66)"
    bid = action - RAINBOW
    if rules.rainbow == "required" and (bid < size // 4 or action == ALL_TRICKS + N_PLAIN_BIDS):
        return f"a rainbow of {size} cards is itself a bid of {size // 4} or goes with a higher number (BA-64, BA-66)"
    return ""


def _why_no_plain_bid(rules: Rules, record: Any, state: Any, action: int) -> str:
    """Return why a pass, a number, an all-tricks bid or a boston is illegal, announced rainbow or not."""
    bid = action - (RAINBOW if RAINBOW <= action < RAISE else PASS)
    size = int(state["hand_size"])
    if action == BOSTON:
        if not rules.boston:
            return "there is no boston in these rules (BA-68)"
        if size < rules.boston_min_cards:
            return f"boston needs {rules.boston_min_cards} cards or more (BA-68)"
        bid = BOSTON_TRICKS
    elif bid == ALL_TRICKS - PASS:
        reason = _why_no_all_tricks(rules, state)
        if reason:
            return reason
        bid = size
    elif bid > (top := int(highest_number(record, size))):
        if top < 1:
            return f"with {_cards(size)} no number can be bid (BA-43)"
        return f"the highest number with {_cards(size)} is {top} {_number_clause(rules, size, top)}"
    elif rules.all_tricks_bid == "ladder" and size == 1 and bid == 1 and not rules.ladder_repeat_one:
        return "somebody bid 1 already: pass or go up the ladder (BA-60)"
    assert rules.dealer_hook
    return f"the last bid may not make the sum of all bids {size}, the others bid {size - bid} (BAW-18)"


def _cards(n: int) -> str:
    return f"{n} card" if n == 1 else f"{n} cards"


def _number_clause(rules: Rules, size: int, top: int) -> str:
    if top == rules.number_cap:
        return "(BAW-4)"
    if top < size and rules.all_tricks_bid not in ("none", "ladder", "implied"):
        name = all_tricks_name(rules.all_tricks_bid)
        return f"and all {size} are bid by board{'' if name == 'board' else f' ({name!r})'} (BA-43)"
    return "(BA-43)"


def _why_no_all_tricks(rules: Rules, state: Any) -> str:
    """Return why there is no all-tricks bid at this turn; empty if there is."""
    kind, size = rules.all_tricks_bid, int(state["hand_size"])
    if kind in ("none", "implied"):
        clause = "BA-59" if kind == "none" else "BAW-15"
        return f"there is no bid of all tricks in these rules ({clause})"
    if kind == "all" and size > rules.all_max_cards:
        return f"'all' can be bid with {rules.all_max_cards} cards or fewer, not with {size} (BA-56)"
    if kind != "ladder":
        return ""
    if size > 1:
        return "the ladder of boards stands above a bid of 1 in the deals of 1 card only (BA-60)"
    if state["n_boards"] == LADDER_LEVELS:
        return "the ladder ends with the triple board (BA-60)"
    has_one = any(state["bid_kind"][seat] == NUMBER and state["bid_number"][seat] == 1 for seat in range(rules.players))
    return "" if has_one else "somebody must have bid 1 before a board can go on top of it (BA-60)"


# Cards.


def _why_no_play(rules: Rules, record: Any, state: Any, card: int) -> str:
    """Return why the seat to act may not play a card."""
    seat = int(state["turn"])
    hand = int(state["hands"][seat])
    if not hand >> card & 1:
        return "does not hold it"
    if state["n_in_trick"] == 0:
        return _why_no_lead(rules, state)
    led = int(state["led"])
    group = int(suit_group(state["trumps"], led))  # a trick without a suit yet takes any card: never here
    if not hand & group:
        return _why_no_discard(state)
    word = _suit_word(state, led)
    if not group >> card & 1:
        return f"must follow {word}"
    force = force_on(record, state, seat)
    which = {FORCED_HIGHEST: "highest", FORCED_LOWEST: "lowest"}[int(force)]
    clause = "BA-91" if led < LITTLE_JOKER else "BA-88" if led == LITTLE_JOKER else "BA-87, BA-90"
    return f"{card_name(led)} was led and forces the {which} trump ({clause})"


def _suit_word(state: Any, led: int) -> str:
    """Return the effective suit of the card led, in words (BA-6)."""
    if int(state["trumps"]) >> led & 1:
        plain = state["trump"] != NO_TRUMP and led // N_RANKS == state["trump"]
        return "trumps" if plain else f"trumps ({card_name(led)} was led)"
    return SUIT_NAMES[led // N_RANKS]


def _why_no_lead(rules: Rules, state: Any) -> str:
    """Return why the card may not be led (section 11)."""
    if state["trump"] == NO_TRUMP:
        if rules.no_trump_joker == "worthless":
            return "a joker without a suit is led by a player who holds nothing else only (BA-32)"
        return "jokers are the only trumps and not broken (BAW-9)"
    if rules.lead_rule == "high_two_run":
        return "trumps are led only by who has the run, holds nothing else, or leads 2S (BA-78)"
    if rules.lead_rule == "tight_only":
        return "trumps are led only by who holds nothing else (BAW-11)"
    if rules.board_trump_lead == "nobody" and _has_board(rules, state):
        return "trumps are not broken, and a board gives no right to lead them (BAW-8)"
    if state["bid_kind"][state["turn"]] == BOSTON_BID:
        return "trumps are not broken, and a boston gives no right to lead them (BA-76)"
    if _has_board(rules, state):
        return "trumps are not broken, and the board of another player gives no right to lead them (BA-76)"
    return "trumps are not broken (BA-74)"


def _has_board(rules: Rules, state: Any) -> bool:
    """Say whether the seat to act, or its partner, made an all-tricks bid."""
    side = rules.side_of(int(state["turn"]))
    return any(
        state["bid_kind"][seat] == ALL_TRICKS_BID and rules.side_of(seat) == side for seat in range(rules.players)
    )


def _why_no_discard(state: Any) -> str:
    """Return why a seat void in the suit led may not play the card (BA-84)."""
    word, best = _suit_word(state, int(state["led"])), int(state["trick_card"])
    if int(state["trumps"]) >> best & 1:
        return f"has no {word} and must beat the {card_name(best)} with a trump (BA-84)"
    return f"has no {word} and must trump (BA-84)"
