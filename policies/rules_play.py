"""How `rules` plays: each legal card is judged by features a player would name, the best one is played.

The weights depend on the place in the trick and on how many tricks are left. Probabilities treat the unseen cards that
a seat may still hold as spread evenly over its places.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from backalley.envs.back_alley.observation import possible_elsewhere, tricks_needed
from backalley.envs.back_alley.play import strength, suit_group, trump_cards
from backalley.envs.back_alley.state import ALL_TRICKS_BID
from backalley.envs.back_alley.view import unseen_cards
from backalley.envs.cards import (
    BIG_JOKER,
    LITTLE_JOKER,
    N_RANKS,
    NO_TRUMP,
    ONE,
    ZERO,
    below,
    bit,
    has,
    highest,
    lowest,
    n_bits,
)
from backalley.envs.kernel import kernel
from backalley.policies.tables import load_table

FEATURES = (
    "side_wins", "side_wins_needed", "side_wins_set", "side_wins_all", "side_wins_set_all", "wins",
    "trump_master", "trump_second", "trump_third", "trump_fourth", "trump_low", "trump_length", "joker", "trump_rank",
    "trumps_out", "boarder_trump", "last_trump",
    "plain_master", "plain_second", "plain_third", "plain_rank", "singleton_with_trumps", "plain_length", "plain_out",
    "unguards", "keeps_master", "keeps_second", "singleton",
    "partner_wins_or_overtakes", "partner_ruffs_or_ruff", "opponents_ruff_or_last_ruff", "wins_needed", "wins_set",
    "late_side_wins", "late_wins", "late_master", "late_second", "late_rank", "master_not_needed", "master_set",
)  # fmt: skip
"""What a card is judged by, one column of the table each; some mean another thing for the leader ("or")."""
(
    SIDE_WINS, SIDE_WINS_NEEDED, SIDE_WINS_SET, SIDE_WINS_ALL, SIDE_WINS_SET_ALL, WINS,
    TRUMP_MASTER, TRUMP_SECOND, TRUMP_THIRD, TRUMP_FOURTH, TRUMP_LOW, TRUMP_LENGTH, JOKER, TRUMP_RANK,
    TRUMPS_OUT, BOARDER_TRUMP, LAST_TRUMP,
    PLAIN_MASTER, PLAIN_SECOND, PLAIN_THIRD, PLAIN_RANK, SINGLETON_WITH_TRUMPS, PLAIN_LENGTH, PLAIN_OUT,
    UNGUARDS, KEEPS_MASTER, KEEPS_SECOND, SINGLETON,
    PARTNER_WINS, PARTNER_RUFFS, OPPONENTS_RUFF, WINS_NEEDED, WINS_SET,
    LATE_SIDE_WINS, LATE_WINS, LATE_MASTER, LATE_SECOND, LATE_RANK, MASTER_NOT_NEEDED, MASTER_SET,
) = range(len(FEATURES))  # fmt: skip

TABLE = load_table("rules_play.csv", FEATURES)
"""(16, features): four places in the trick times four stages (2, 4, 7 or more tricks left)."""
STAGES = (2, 4, 7)
LATE = 3  # tricks left from which on the columns `late_…` count


@kernel
def _lacks(cards: np.uint64, possible: np.uint64, n_held: int) -> float:
    """Return the chance that a seat with `n_held` of the `possible` cards holds none of `cards`."""
    n_possible = n_bits(possible)
    n_wanted = n_bits(cards & possible)
    if n_wanted == 0:
        return 1.0
    if n_held >= n_possible:
        return 0.0
    return (1.0 - n_held / n_possible) ** n_wanted


@kernel
def _beats(trumps: np.uint64, led: np.uint64, card: int, possible: np.uint64, n_held: int) -> float:
    """Return the chance that a seat can beat `card` when the suit `led` was led."""
    if has(trumps, card):
        chance = 1.0 - _lacks(trumps & ~below(card + 1), possible, n_held)
        if led & trumps == ZERO:
            chance *= _lacks(led, possible, n_held)
        return chance
    follows = 1.0 - _lacks(led & ~below(card + 1), possible, n_held)
    return follows + _lacks(led, possible, n_held) * (1.0 - _lacks(trumps, possible, n_held))


@kernel
def _survives(rules: Any, view: Any, trumps: np.uint64, led: np.uint64, card: int, unseen: np.uint64) -> float:
    """Return the chance that no opponent still to play beats `card`."""
    me = np.int64(view.observer)
    n_held = np.int64(view.hand_size) - np.int64(view.n_tricks)
    chance = 1.0
    for k in range(1, rules.players):
        seat = (me + k) % rules.players
        if view.n_in_trick > 0 and view.trick[seat] >= 0:
            break
        if rules.side[seat] != rules.side[me]:
            chance *= 1.0 - _beats(trumps, led, card, unseen & ~view.cannot_hold[seat], n_held)
    return chance


@kernel
def _partner_beats(rules: Any, view: Any, trumps: np.uint64, led: np.uint64, card: int, unseen: np.uint64) -> float:
    """Return the chance that a partner still to play beats `card`, 0 if none is."""
    me = np.int64(view.observer)
    n_held = np.int64(view.hand_size) - np.int64(view.n_tricks)
    chance = 0.0
    for k in range(1, rules.players):
        seat = (me + k) % rules.players
        if view.n_in_trick > 0 and view.trick[seat] >= 0:
            break
        if rules.side[seat] == rules.side[me]:
            chance = _beats(trumps, led, card, unseen & ~view.cannot_hold[seat], n_held)
    return chance


@kernel
def _trump_value(view: Any, w: NDArray[np.float64], card: int, higher: int, n_mine: int, n_out: int) -> float:
    """Return what playing this trump costs or brings beside the trick."""
    value = w[TRUMP_LENGTH] * n_mine * 0.2 + w[TRUMPS_OUT] * n_out / N_RANKS
    if higher < 3:
        value += w[TRUMP_MASTER + higher]
    else:
        value += w[TRUMP_FOURTH] if higher < 5 else w[TRUMP_LOW]
    if card >= LITTLE_JOKER:
        value += w[JOKER] + w[TRUMP_RANK] * N_RANKS / 12.0
    else:
        value += w[TRUMP_RANK] * (card % N_RANKS) / 12.0
    if view.bid_kind[view.observer] == ALL_TRICKS_BID:
        value += w[BOARDER_TRUMP]
    return value + w[LAST_TRUMP] if n_mine == 1 else value


@kernel
def _plain_value(
    w: NDArray[np.float64],
    hand: np.uint64,
    trumps: np.uint64,
    own: np.uint64,
    elsewhere: np.uint64,
    card: int,
    higher: int,
) -> float:
    """Return what playing this plain card costs or brings beside the trick."""
    mine = hand & own
    n_mine = n_bits(mine)
    value = w[PLAIN_RANK] * (card % N_RANKS) / 12.0 + w[PLAIN_LENGTH] * n_mine * 0.2
    value += w[PLAIN_OUT] * n_bits(own & elsewhere) / N_RANKS
    if higher < 3:
        value += w[PLAIN_MASTER + higher]
    if n_mine == 1:
        value += w[SINGLETON]
        return value + w[SINGLETON_WITH_TRUMPS] if hand & trumps != ZERO else value
    above_rest = n_bits(own & elsewhere & ~below(highest(mine & ~bit(card)) + 1))
    if above_rest == 0:
        value += w[KEEPS_MASTER]
    elif above_rest == 1:
        value += w[KEEPS_SECOND]
        if n_mine == 2:
            value += w[UNGUARDS]
    return value


@kernel
def _ruffs_of_a_lead(
    rules: Any, view: Any, w: NDArray[np.float64], trumps: np.uint64, own: np.uint64, unseen: np.uint64
) -> float:
    """Return what it means that other seats can ruff a plain lead."""
    me = np.int64(view.observer)
    value = 0.0
    partner_ruffs = False
    for k in range(1, rules.players):
        seat = (me + k) % rules.players
        possible = unseen & ~view.cannot_hold[seat]
        if possible & own == ZERO and possible & trumps != ZERO:
            if rules.side[seat] == rules.side[me]:
                partner_ruffs = True
            else:
                value += w[OPPONENTS_RUFF]
    return value + w[PARTNER_RUFFS] if partner_ruffs else value


@kernel
def card_value(
    rules: Any, view: Any, w: NDArray[np.float64], card: int, unseen: np.uint64, elsewhere: np.uint64
) -> float:
    """Return the judgement of a card with the weights `w` (features,)."""
    me = np.int64(view.observer)
    hand = view.hands[me]
    trumps = trump_cards(view)
    is_lead = view.n_in_trick == 0
    own = suit_group(trumps, card)
    led = own if is_lead else suit_group(trumps, np.int64(view.trick[view.leader]))
    takes = is_lead or strength(trumps, led, card) > strength(trumps, led, np.int64(view.trick_card))
    partner_holds = not is_lead and rules.side[view.trick_holder] == rules.side[me]
    wins = 0.0
    best = np.int64(view.trick_card)
    if takes:
        best = card
        wins = _survives(rules, view, trumps, led, card, unseen)
        if card == LITTLE_JOKER and is_lead and view.trump != NO_TRUMP:
            wins = 0.5 + 0.5 * wins  # the big joker beats it only where it is a seat's last trump
        if card == BIG_JOKER:
            wins = 1.0
    partner = _partner_beats(rules, view, trumps, led, best, unseen)
    if takes:
        side_wins = wins + (1.0 - wins) * partner * 0.5
    elif partner_holds:
        side_wins = _survives(rules, view, trumps, led, best, unseen)
    else:
        side_wins = partner * 0.6
    higher = n_bits(own & elsewhere & ~below(card + 1))
    value = _trick_value(rules, view, w, side_wins, wins, card, higher)
    is_trump = has(trumps, card)
    if is_trump:
        value += _trump_value(view, w, card, higher, n_bits(hand & own), n_bits(own & elsewhere))
    else:
        value += _plain_value(w, hand, trumps, own, elsewhere, card, higher)
    if is_lead:
        value += w[PARTNER_WINS] * partner
        return value if is_trump else value + _ruffs_of_a_lead(rules, view, w, trumps, own, unseen)
    if takes and partner_holds:
        value += w[PARTNER_WINS]
    if is_trump and led & trumps == ZERO:
        value += w[PARTNER_RUFFS]
        if n_bits(hand & trumps) == 1:
            value += w[OPPONENTS_RUFF]
    return value


@kernel
def _trick_value(
    rules: Any, view: Any, w: NDArray[np.float64], side_wins: float, wins: float, card: int, higher: int
) -> float:
    """Return what winning the trick is worth by what both sides still need, and what masters are for."""
    side = np.int64(rules.side[view.observer])
    n_left = np.int64(view.hand_size) - np.int64(view.n_tricks)
    mine = tricks_needed(rules, view, side)
    theirs = tricks_needed(rules, view, 1 - side)
    is_master = 1.0 if higher == 0 else 0.0
    value = w[SIDE_WINS] * side_wins + w[WINS] * wins
    if 0 < mine <= n_left:
        value += w[SIDE_WINS_NEEDED] * side_wins + w[WINS_NEEDED] * wins
    if 0 < theirs <= n_left:
        value += w[SIDE_WINS_SET] * side_wins + w[WINS_SET] * wins + w[MASTER_SET] * is_master
    if mine == n_left:
        value += w[SIDE_WINS_ALL] * side_wins
    if theirs == n_left:
        value += w[SIDE_WINS_SET_ALL] * side_wins
    if mine == 0:
        value += w[MASTER_NOT_NEEDED] * is_master
    if n_left <= LATE:
        value += w[LATE_SIDE_WINS] * side_wins + w[LATE_WINS] * wins + w[LATE_MASTER] * is_master
        if higher == 1:
            value += w[LATE_SECOND]
        if not has(trump_cards(view), card):
            value += w[LATE_RANK] * (card % N_RANKS) / 12.0
    return value


@kernel
def choose_card(rules: Any, view: Any, legal: np.uint64) -> int:
    """Return the card of `rules`, the lowest id where cards are judged alike."""
    if legal & (legal - ONE) == ZERO:
        return lowest(legal)
    n_left = np.int64(view.hand_size) - np.int64(view.n_tricks)
    stage = 0
    for limit in STAGES:
        if n_left > limit:
            stage += 1
    w = TABLE[min(np.int64(view.n_in_trick), 3) * (len(STAGES) + 1) + stage]
    unseen = unseen_cards(rules, view)
    elsewhere = possible_elsewhere(rules, view, unseen)
    best = -1
    best_value = -np.inf
    rest = legal
    while rest != ZERO:
        card = lowest(rest)
        rest &= rest - ONE
        value = card_value(rules, view, w, card, unseen, elsewhere)
        if value > best_value:
            best = card
            best_value = value
    return best
