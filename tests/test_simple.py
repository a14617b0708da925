"""The anchor `simple`: cases worked by hand, and agreement with a slow reading of its definition in card names."""

from fractions import Fraction

import numpy as np
import pytest

from backalley.envs import Rules, Table
from backalley.envs.back_alley.actions import N_ACTIONS
from backalley.envs.back_alley.notation import action_name, parse_action
from backalley.envs.back_alley.state import BID, PLAY, STATE
from backalley.envs.cards import CARD_NAMES, SUITS, bits_of, card_name, cards_of, parse_card, parse_cards
from backalley.envs.rule_set import new_records
from backalley.policies import registry

RULES = Rules.preset("partnership")
SIMPLE = registry.make("simple", RULES)

# The definition once more, in names and fractions.

RANKS = "23456789TJQKA"
JOKERS = ("LB", "BB")


def is_trump(card, trump):
    return card in JOKERS or card[1] == trump


def card_worth(card, hand, trump):
    if card in JOKERS:
        return Fraction(100 if card == "BB" else 95, 100)
    rank, suit = card
    if suit == trump:
        n_trumps = sum(is_trump(other, trump) for other in hand)
        low = Fraction(45 if n_trumps >= 4 else 35, 100)
        return {"A": Fraction(9, 10), "K": Fraction(8, 10), "Q": Fraction(6, 10), "J": Fraction(6, 10)}.get(rank, low)
    n_held = sum(other not in JOKERS and other[1] == suit for other in hand)
    worth = Fraction(0)
    if rank == "A":
        worth = Fraction(6 if n_held >= 6 else 8, 10)
    elif rank == "K":
        worth = Fraction(3 if n_held == 1 else 5, 10)
    elif rank == "Q":
        worth = Fraction(15, 100)
    if trump is None and rank != "A":
        worth += Fraction(1, 10)
    return worth


def reference_bid(hand, trump):
    n = len(hand)
    worth = sum(card_worth(card, hand, trump) for card in hand)
    if n <= 2 and worth >= Fraction(85, 100) * n:
        return "board"
    number = min(int(Fraction(85, 100) * worth), n - 1)
    return str(number) if number else "pass"


def merit(card, trump):
    if card in JOKERS:
        return 8
    if card[0] == "A":
        return 30
    rank = RANKS.index(card[0])
    return rank - 8 if card[1] == trump else 13 - rank


def strength(card, led, trump):
    if card in JOKERS:
        return 200 + JOKERS.index(card)
    if card[1] == trump:
        return 100 + RANKS.index(card[0])
    return RANKS.index(card[0]) if led not in JOKERS and card[1] == led[1] else -1


def reference_lead(legal, trump):
    return max(legal, key=lambda card: (merit(card, trump), -parse_card(card)))


def weakness(card, trump):
    return (is_trump(card, trump), 20 if card in JOKERS else RANKS.index(card[0]), parse_card(card))


def reference_follow(seat, legal, trick, leader, trump):
    led = trick[leader]
    holder = max(trick, key=lambda player: strength(trick[player], led, trump))
    best = trick[holder]
    winners = [card for card in legal if strength(card, led, trump) > strength(best, led, trump)]
    last = len(trick) == 3
    safe = is_trump(best, trump) or (led not in JOKERS and best[1] == led[1] and best[0] in "KA")
    if not winners or (holder == (seat + 2) % 4 and (last or safe)):
        return min(legal, key=lambda card: weakness(card, trump))
    if last:
        return min(winners, key=lambda card: weakness(card, trump))
    highest = max(winners, key=lambda card: strength(card, led, trump))
    if is_trump(highest, trump) == is_trump(led, trump):
        return highest
    return min(winners, key=lambda card: strength(card, led, trump))


def reference(view, legal):
    seat = int(view["observer"])
    trump = SUITS[view["trump"]] if view["trump"] < 4 else None
    if view["phase"] == BID:
        return reference_bid([card_name(card) for card in cards_of(int(view["hands"][seat]))], trump)
    cards = [CARD_NAMES[card] for card in np.flatnonzero(legal[: len(CARD_NAMES)])]
    if view["n_in_trick"] == 0:
        return reference_lead(cards, trump)
    trick = {player: card_name(card) for player, card in enumerate(view["trick"][:4]) if card >= 0}
    return reference_follow(seat, cards, trick, int(view["leader"]), trump)


# Cases worked by hand.


def view_of(hand, trump, hand_size=None):
    """Return the View of seat 0 that holds `hand`, to bid first, and the mask of its legal bids."""
    views = new_records(1, STATE)
    cards = parse_cards(hand)
    views["hands"][0, 0] = bits_of(cards)
    views["hand_size"] = hand_size or len(cards)
    views["trump"] = SUITS.index(trump) if trump else 4
    views["trumps"] = bits_of([card for card in range(54) if is_trump(card_name(card), trump)])
    views["trick"] = -1
    for name in ("high_two", "second_two", "turn_up", "cut", "led"):
        views[name] = -1
    views["trick_card"] = -1
    views["trick_holder"] = -1
    views["leader"] = -1
    views["phase"] = BID
    legal = np.zeros((1, N_ACTIONS), np.int8)
    legal[0, 54 : 54 + len(cards)] = 1
    legal[0, 68] = 1
    return views, legal


def act(views, legal):
    return action_name(int(SIMPLE.act(views, legal, np.random.default_rng(0))[0]))


@pytest.mark.parametrize(
    ("hand", "trump", "bid"),
    [
        ("AS", "S", "board"),  # 0.9 ≥ 0.85
        ("AH", "S", "pass"),  # 0.8 < 0.85, and a 1-card deal has no number
        ("AS AH", "S", "board"),  # 1.7 = 0.85 · 2
        ("KS AH", "S", "1"),  # 1.6 → 1.36
        ("BB QD", "S", "pass"),  # 1.15 → 0.98
        ("BB KD", "S", "1"),  # a lone king counts 0.3: 1.3 → 1.1
        ("BB AS 5S AH KD", "S", "2"),  # 1 + 0.9 + 0.35 + 0.8 + 0.3 = 3.35 → 2.85
        ("2S 3S 4S 5S", "S", "1"),  # four trumps at 0.45 = 1.8 → 1.53
        ("2S 3S 4S 5H", "S", "pass"),  # three trumps at 0.35 = 1.05 → 0.89
        ("LB QS JS 4S KH QH", "S", "2"),  # jokers count as trumps: 0.95 + 1.2 + 0.45 + 0.5 + 0.15 = 3.25 → 2.76
        ("AH 2H 3H 4H 5H 6H KC QC", "S", "1"),  # six hearts, ace 0.6; 0.5 + 0.15: 1.25 → 1.06
        ("AH 2H 3H 4H 5H KC 2C", "S", "1"),  # five hearts, ace 0.8; king 0.5: 1.3 → 1.1
        ("AH KH 2D", None, "1"),  # no trump: 0.8 + 0.6 + 0.1 = 1.5 → 1.275
        ("KH QH JH TH 9H 8H", None, "1"),  # 0.6 + 0.25 + 4 · 0.1 = 1.25 → 1.06
        ("KH QH JH TH 9H", None, "pass"),  # 1.15 → 0.98
    ],
)
def test_bids_worked_by_hand(hand, trump, bid):
    assert act(*view_of(hand, trump)) == bid


def following(hand, trump, trick, legal):
    """Return View and mask of seat 0 after `trick`, the cards of the seats before it in order, with `legal` cards."""
    views, mask = view_of(hand, trump, 13)
    played = parse_cards(trick)
    leader = (-len(played)) % 4
    views["phase"] = PLAY
    views["leader"] = leader
    views["n_in_trick"] = len(played)
    for k, card in enumerate(played):
        views["trick"][0, (leader + k) % 4] = card
    names = trick.split()
    if names:
        views["led"] = played[0]
        best = max(names, key=lambda card: strength(card, names[0], trump))
        views["trick_card"] = parse_card(best)
        views["trick_holder"] = (leader + names.index(best)) % 4
    mask[:] = 0
    mask[0, parse_cards(legal or hand)] = 1
    return views, mask


@pytest.mark.parametrize(
    ("hand", "trump", "lead"),
    [
        ("AD 2H BB KS", "S", "AD"),  # 30
        ("AS AD", "S", "AS"),  # the lowest id of two aces
        ("KH 2D 9C BB", "S", "2D"),  # 13, before BB with 8
        ("9C BB LB KH", "S", "LB"),  # 13 - 7 = 6 < 8
        ("7H BB", "S", "7H"),  # 13 - 5 = 8 on a tie with BB: the lower id
        ("KS QS 2S", "S", "KS"),  # 11 - 8 = 3
        ("KS KH", "S", "KS"),  # 3 against 13 - 11 = 2
        ("QS KH", "S", "QS"),  # 10 - 8 = 2 on a tie: the lower id
        ("2H 2D", None, "2H"),
    ],
)
def test_leads_worked_by_hand(hand, trump, lead):
    assert act(*following(hand, trump, "", None)) == lead


@pytest.mark.parametrize(
    ("trick", "trump", "hand", "legal", "card"),
    [
        ("9H", "S", "KH QH 2H", None, "KH"),  # second, the highest winner of the suit led
        ("AH", "S", "KH QH 2H", None, "2H"),  # nothing beats it
        ("9H", "S", "3S QS 2D", None, "3S"),  # void: the cheapest winning trump
        ("9H", "S", "2D 3C KC", None, "2D"),  # void, no winner: the weakest by rank
        ("9H", "S", "2D 2C KC", None, "2D"),  # tie of rank: the lowest id
        ("9H KH", "S", "AH 2H", None, "AH"),  # third, opponents hold
        ("QH 3H", "S", "KH 2H", None, "KH"),  # third, partner holds with less than the king
        ("KH 3H", "S", "AH 2H", None, "2H"),  # partner's king of the suit led is left alone
        ("AH 3H", "S", "5S 2D", None, "2D"),  # partner's ace
        ("9S 3S", "S", "KS 2S", None, "2S"),  # partner's trump
        ("9H 3S", "S", "4S 2D", None, "4S"),  # ruffed by the right: overruff
        ("2H 3H 9H", "S", "TH KH AH", None, "TH"),  # last: the cheapest winner
        ("2H 9H 3H", "S", "TH AH", None, "TH"),  # last, partner led low, left holds
        ("9H 3H 2H", "S", "TH AH", None, "TH"),  # last, the right's partner holds
        ("2H TH 3H", "S", "4H AH", None, "4H"),  # last and partner holds: the weakest
        ("2H 9H 3S", "S", "4S BB 2D", None, "4S"),  # last, ruffed: the cheapest trump above
        ("2H 9H KS", "S", "4S BB 2D", None, "BB"),
        ("BB", "S", "KS", "KS", "KS"),  # forced
        ("9H 3H 2H", None, "2S AS", None, "2S"),  # no trump: nothing wins
        ("KS 3S 2S", "S", "4S LB", None, "LB"),  # a joker beats the king of trumps
    ],
)
def test_cards_worked_by_hand(trick, trump, hand, legal, card):
    assert act(*following(hand, trump, trick, legal)) == card


# Random positions.


@pytest.mark.parametrize("source", ["random", "simple"])
def test_agrees_with_the_definition_read_slowly(rules, source):
    table = Table(rules, 130, seed=11)
    table.reset(deal_indices=np.arange(130) % rules.n_deals)
    simple, player = registry.make("simple", rules), registry.make(source, rules)
    rng = np.random.default_rng(2)
    n_positions = 0
    while not table.done.all():
        views, legal = table.view(), table.legal()
        open_ = np.flatnonzero(~table.done)
        chosen = simple.act(views[open_], legal[open_], rng)
        for i, action in zip(open_, chosen, strict=True):
            assert action_name(int(action)) == action_name(parse_action(reference(views[i], legal[i])))
        n_positions += len(open_)
        actions = np.zeros(table.n, np.int16)
        actions[open_] = player.act(views[open_], legal[open_], rng)
        table.step(actions)
    assert n_positions > 3000
