"""Deals made to order on the oracle, for the tests of its doubtful corners."""

from examples import SEATS, Example
from oracle.cards import pack
from oracle.deal import Deal

STD52 = {"deck": "std52"}
SPADE2 = {**STD52, "high_two": "spade2", "lead_rule": "high_two_run"}
LADDER = {**STD52, "all_tricks_bid": "ladder"}
RAISE = {"all_tricks_bid": "raise_board"}
SOLO = {**STD52, "all_tricks_bid": "solo_board", "sides": "individual", "score": "three_one"}
BOSTON = {"boston": True}
FREE = {"rainbow": "free"}
CLAIM = {"rainbow": "claim"}
REQUIRED = {"rainbow": "required"}
AUTO = {"rainbow": "auto"}
RAINBOW = "AS 4H 9D 2C"
NO_RAINBOW = "KS QS 8D 3C"
PLAIN_HAND = "TS 9S 8H 7C 3C 2C"


def dealt(options, hands, top="", dealer="W", cut=None):
    """Return a deal with these hands, the rest of the cards anyhow."""
    example = Example("", "", hands=hands, top=top, dealer=dealer, options=options)
    deck = example.deck(set(pack(options.get("deck", "std54"))))
    return Deal(options, deck, SEATS.index(dealer), example.hand_size, cut)


def play(deal, moves):
    for move in moves.split():
        deal.play(move)


def bid(options, hand_size, bids, hands=None, top="7H", dealer=3):
    """Return a deal with dealer W, trumps hearts, after these moves."""
    hands = hands or {"N": " ".join(rank + "S" for rank in "AKQJT98765432"[:hand_size])}
    deal = dealt(options, hands, top, SEATS[dealer])
    for move in bids.split():
        deal.play(move)
    return deal


def score(options, hand_size, bids, tricks, first_six=None, hands=None, **before):
    """Return a deal that ended with these tricks."""
    deal = bid(options, hand_size, bids, hands)
    deal.bags, deal.carried = before.get("bags", [0] * 4), before.get("carried", [0] * 4)
    deal.tricks_won, deal.first_six, deal.phase = tricks, first_six or tricks, "scored"
    return deal
