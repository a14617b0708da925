"""Every value of every option in a sentence, and every preset in a line."""

from __future__ import annotations

from types import EllipsisType
from typing import Any

Words = dict[Any, str]
"""Value → sentence; the key `...` stands for all numbers and lists, put in for `{}`."""

WORDS: dict[str, Words] = {
    "deck": {
        "std54": "52 cards and two jokers, the big one (BB) over the little one (LB)",
        "std52": "52 cards, no jokers",
        "short42": "52 cards without 2s, 3s and 4s, and two jokers, the big one (BB) over the little one (LB)",
    },
    "players": {...: "{} seats"},
    "sides": {
        "pairs": "two sides: seats 0 and 2 (N, S) against seats 1 and 3 (E, W)",
        "individual": "everybody plays alone",
        "two_teams_of_3": "two sides of three: seats 0, 2, 4 against 1, 3, 5",
        "three_teams_of_2": "three sides of two: seats 0 and 3, 1 and 4, 2 and 5",
    },
    "first_dealer": {"random": "a random seat deals first", ...: "seat {} deals first"},
    "schedule": {
        "down_up": "hands shrink from deal to deal, then grow again",
        "up_down": "hands grow from deal to deal, then shrink again",
        "down": "hands shrink from deal to deal",
        "constant": "all deals have the same size",
        "list": "the hand sizes are listed one by one",
    },
    "hand_sizes": {(): "the hand sizes follow from the schedule", ...: "the deals have {} cards"},
    "hand_max": {...: "the largest hands have {} cards"},
    "hand_min": {...: "the smallest hands have {} cards"},
    "turning_deals": {2: "the deal at the turn is played twice", 1: "the deal at the turn is played once"},
    "constant_deals": {...: "a match has {} deals of the same size"},
    "trump_source": {
        "turn_up": "the next card is turned up and out of play; its suit is trumps",
        "fixed_spades": "spades are trumps in every deal; nothing is turned up",
    },
    "no_stock_trump": {
        "cut": "with all cards dealt, a cut before the deal shows a card whose suit is trumps; it stays in play",
        "no_trump": "with all cards dealt there are no trumps",
    },
    "cut_min_cards": {
        None: "as long as a card is left to turn up, trumps are not cut for",
        ...: "with {} cards or more a cut fixes trumps, though cards are left",
    },
    "joker_turned": {
        "exchange": "joker turned up: no trumps; who holds the other joker swaps it for the next card",
        "burn": "joker turned up: it goes under the stock and the next card decides",
        "keep": "joker turned up: no trumps; the other joker stays where it is",
    },
    "no_trump_joker": {
        "sole_trump": "a joker in play without trumps is the only trump",
        "worthless": "a joker in play without trumps has no suit and wins nothing",
    },
    "no_trump_joker_lead": {
        "free": "such a joker may be led at any time",
        "broken": "such a joker may not be led before the other one was played, except as the last card",
    },
    "high_two": {
        "none": "the ace is the highest card of each suit",
        "spade2": "the two of spades is always a trump, the highest one; turned up or cut, it makes no trumps",
        "diamond2": "the two of diamonds is always a trump, the highest one",
        "diamond2_trump2": "the two of diamonds is always a trump, the highest one; next to it the two of trumps",
    },
    "no_trump_high_two": {
        "plain": "without trumps the two of spades is the lowest spade",
        "high": "without trumps the two of spades is the highest spade",
    },
    "redeal_right": {
        False: "nobody can demand a new deal",
        True: "who holds no ace, king, queen, jack and trump may demand a new deal",
    },
    "redeal_min_cards": {...: "a new deal can be demanded with {} cards or more"},
    "redeal_timing": {
        "before_bidding": "it is demanded before the bidding",
        "own_turn": "it is demanded at one's turn to bid",
    },
    "redeal_dealer": {
        "same": "after that the same dealer deals again",
        "next": "after that the next dealer deals",
    },
    "void_redeal": {
        False: "a hand without trumps is played like any other",
        True: "if any hand has no trump, all hands are thrown in at once, except in deals without trumps",
    },
    "void_min_cards": {...: "that holds with {} cards or more"},
    "void_dealer": {
        "same": "after that the same dealer deals again, as many cards",
        "next": "after that the next dealer deals as many cards",
    },
    "all_tricks_bid": {
        "board": "board (win every trick): the second board of the deal is a double, then triple, quadruple and so on",
        "raise_board": "board (win every trick); the partner may make it a double board, in turn or after the last bid",
        "all": "all (win every trick), in short hands only; several players may bid it",
        "solo_board": "board: the bid of all tricks, in place of the number; several players may bid it",
        "bort": "bort: the bid of all tricks; several players may bid it",
        "ladder": "with 1 card, on top of somebody's 1: board, then double board, then triple board, each personal",
        "none": "there is no bid of all tricks",
        "implied": "numbers of a side that add up to exactly all tricks are a board",
    },
    "board_multiple_cap": {
        None: "every further board has the next level",
        ...: "a board beyond level {} has that level again",
    },
    "board_unit": {...: "a board is worth {} a card"},
    "board_multiples": {...: "the levels of a board multiply it by {}"},
    "board_leader": {
        "last": "of several boards the one of the highest level leads",
        "earliest": "of boards and numbers of all tricks the earliest leads",
    },
    "all_max_cards": {...: "'all' can be bid with {} cards or fewer"},
    "ladder_repeat_one": {
        True: "a plain 1 can be bid again after somebody's 1",
        False: "after somebody's 1 no second plain 1 can be bid",
    },
    "solo_board_bonus": {...: "a board wins or loses {} more"},
    "solo_board_bonus_one_card": {True: "that holds with 1 card too", False: "but not with 1 card"},
    "one_card_board": {...: "with 1 card a board is worth {}"},
    "solo_one_card_pass": {
        "zero": "with 1 card a passed hand scores nothing, even if it wins",
        "per_trick": "with 1 card a passed hand that wins scores its trick",
    },
    "number_max": {
        "auto": "numbers go up to one below the hand size where there is a bid of all tricks, else up to it",
        "cards_minus_1": "numbers go up to one below the hand size",
        "cards": "numbers go up to the hand size",
    },
    "number_cap": {None: "no other limit to numbers", ...: "no number above {} can be bid"},
    "side_bid_cap": {
        "none": "numbers of a side that add up to more than all tricks cannot be made",
        "cards": "numbers of a side that add up to more than all tricks count as all tricks",
    },
    "dealer_hook": {
        False: "the sum of all bids may be anything",
        True: "the last bid may not make the sum of all bids the number of tricks",
    },
    "opponents_of_board": {
        "normal": "against a board the other side scores by its bids as always",
        "zero": "against a board the other side scores nothing",
        "tricks_only": "against a board the other side scores a point a trick",
    },
    "double_board_leader": {
        "raiser": "the raiser leads to his side's double board",
        "first_boarder": "the first to bid his side's board leads, raised or not",
    },
    "all_tricks_tie": {
        "earliest": "of several bids of all tricks the earliest leads",
        "last": "of several bids of all tricks the last leads",
    },
    "first_lead": {
        "highest_bid": "the highest bid leads to the first trick, the earlier of equals",
        "left_of_dealer": "left of the dealer leads to the first trick",
    },
    "boston": {
        False: "there is no boston",
        True: "boston: the side wins the first six tricks; its numbers do not count then",
    },
    "boston_min_cards": {...: "boston can be bid with {} cards or more"},
    "boston_rank": {
        "below_board": "a board leads before a boston, a boston before numbers",
        "above_board": "a boston leads before boards and numbers",
    },
    "boston_trump_lead": {
        False: "a boston gives no right to lead trumps",
        True: "who bid a boston may lead trumps",
    },
    "rainbow": {
        "off": "rainbows count nothing",
        "required": "a rainbow (as many cards of each suit) can be announced; that is a bid of a quarter of the "
        "tricks, or goes with a higher number",
        "free": "a rainbow (as many cards of each suit) can be announced with any bid",
        "claim": "anybody can claim a rainbow (as many cards of each suit) with any bid; it is checked after the play",
        "auto": "a rainbow (as many cards of each suit) is shown and counts by itself",
    },
    "rainbow_sizes": {...: "hands of {} cards can be rainbows"},
    "rainbow_points": {...: "a rainbow is worth {}"},
    "rainbow_reveal": {
        "bid_turn": "who holds one is seen at his turn to bid",
        "after_bidding": "who holds one is seen after the last bid",
    },
    "rainbow_leads": {
        True: "the first announcer leads to the first trick",
        False: "an announcement gives no right to lead",
    },
    "rainbow_over_board": {True: "an announcer leads before a board", False: "a board leads before an announcer"},
    "rainbow_joker": {
        "trump_suit": "in a rainbow jokers and high twos count as trumps",
        "never": "a joker or a high two spoils a rainbow",
    },
    "rainbow_thrown_in": {
        "void": "hands thrown in bring no rainbow points",
        "paid": "rainbow points of hands thrown in are paid with the next deal",
    },
    "blind_sizes": {(): "everybody sees his hand before he bids", ...: "hands of {} cards are bid unseen"},
    "all_pass": {
        "next_dealer": "if all pass, the hands are thrown in and the next dealer deals as many cards",
        "same_dealer": "if all pass, the hands are thrown in and the same dealer deals again",
        "play": "if all pass, the deal is played, left of the dealer leads",
    },
    "lead_rule": {
        "broken": "trumps may not be led before they are broken, except by a leader who holds nothing else",
        "high_two_run": "trumps are led only by a leader who holds nothing else, as the two of spades, or in the run "
        "that it begins: it ends with a trick lost or another suit led",
        "free": "any card may be led at any time",
        "tight_only": "trumps are led only by a leader who holds nothing else",
    },
    "broken_by": {
        "any_trump": "any trump in an earlier trick breaks trumps",
        "ruff_only": "only a trump on a lead of another suit breaks trumps",
    },
    "board_trump_lead": {
        "bidder": "who bid all tricks may lead trumps",
        "side": "who bid all tricks, and his partner, may lead trumps",
        "anyone": "after a bid of all tricks anybody may lead trumps",
        "nobody": "a bid of all tricks gives no right to lead trumps",
    },
    "follow": {
        "plain": "follow the suit led; without it any card",
        "must_trump_over": "follow the suit led; without it play a trump, over those in the trick if possible",
    },
    "blooper_force": {
        "both": "BB led forces the highest trumps, LB led the lowest",
        "big_only": "BB led forces the highest trumps, LB led is a trump like any other",
        "none": "jokers that are led force nobody",
    },
    "bb_partner": {
        "highest": "on a partner's BB too the highest trump has to be played",
        "any_trump": "on a partner's BB any trump may be played",
        "lowest": "on a partner's BB the lowest trump has to be played",
    },
    "score": {
        "five_one": "bid made: 5 for each trick bid, 1 for each more; failed: minus 5 for each trick bid",
        "ten_one": "bid made: 10 for each trick bid, 1 for each more; failed: minus 10 for each trick bid",
        "three_one": "bid made: 3 for each trick bid, 1 for each more; failed: minus 3 for each trick bid",
        "five_under": "bid made: 5 for each trick bid, 1 for each more; failed: minus 5 for each trick missing",
        "bid_plus_tricks": "bid made: 1 for each trick bid and for each won; failed: minus 2 for each trick bid",
        "four_one": "bid made: 4 for each trick bid, 1 for each more; failed: minus 4 for each trick bid",
        "exact_ten": "exactly the tricks bid (a pass is 0): these and 10 more; else 1 for each trick",
    },
    "score_unit": {
        "side": "numbers of partners are added, and their tricks",
        "player": "each player is scored by his own bid and tricks, and partners' results are added",
    },
    "five_under_made": {
        False: "a failed bid scores nothing for its tricks",
        True: "a failed bid scores 5 for each trick won",
    },
    "bag_limit": {
        None: "tricks above the bid cost nothing",
        ...: "tricks above the bid (bags) are counted; when there are more than {}, so many are taken off",
    },
    "bag_penalty": {...: "that costs {} points"},
    "game_tie": {
        "draw": "equal totals share the win",
        "extra_deal": "with equal totals at the top, deals of the last size are added until they differ",
    },
}

FAMILIES: dict[str, dict[str, str]] = {
    "The partnership family": {
        "partnership": "the standard game",
        "gamerules": "a single deal of 1 card at the turn",
        "double_board": "a partner may raise a board to a double board",
        "boston": "a bid of the first six tricks",
        "rainbow": "rainbows of 4 cards are bids of their own, ±40",
        "rainbow_8_12": "rainbows of 4, 8 and 12 cards, ±40, 80, 120",
        "rainbow_free": "rainbows of 4 cards announced with any bid, +40",
        "blind7": "the deals of 7 cards are bid unseen; no board; jokers turned up are burned",
        "bb_partner_any": "the partner of a BB led may play any trump",
        "bb_partner_lowest": "the partner of a BB led plays the lowest trump",
        "constant_13": "always 13 cards",
        "two_of_spades": "2S is the highest trump and starts a run; each bid is scored alone",
        "reduced_42": "42 cards, hands of 10 to 1",
        "all_bid": "no jokers; 'all' with 5 cards or fewer, 25 points",
        "spades_trumps": "spades are always trumps",
        "redeal": "weak hands may demand a new deal",
    },
    "Solo games": {
        "solo": "everybody alone, must trump and overtrump, 2D is the highest trump",
        "solo_18": "solo with hands of 9 to 1 and back, dearer boards, rainbows of 4 and 8 cards",
        "solo_two_twos": "solo with the two of trumps next to 2D",
        "solo_26": "everybody alone, bort for all tricks, rainbows can be claimed",
    },
    "Alone, and six seats": {
        "individual_3": "the standard game for three, everybody alone",
        "individual_4": "the standard game for four, everybody alone",
        "individual_5": "the standard game for five, everybody alone",
        "six_2x3": "two sides of three",
        "six_3x2": "three sides of two",
    },
    "Rule sets of programs, books and groups": {
        "emw_doubles": "hands grow first; jokers turned up are burned",
        "emw_singles": "the same for three, everybody alone, from 2 cards on",
        "book_spades": "spades are always trumps",
        "book_spades_short": "the same in 14 deals of odd size",
        "bab_online": "ten a trick, boards of 20 to 160 a card, rainbows shown",
        "hfi_7": "hands of 7 to 1 and back; jokers turned up are burned",
        "big_little": "everybody alone, ten a trick, too many bags cost 100",
        "five_handed": "five alone, boards in five levels, rainbows shown",
        "sheet_13": "everybody alone, 13 to 1, three a trick",
        "backalley_call": "six alone, trumps led only by who holds nothing else",
        "web_solo": "five alone, any lead, board for all tricks",
        "keeper_ten": "everybody alone, ten a trick, no board",
        "three_teams_9": "three sides of two; bids that add up to all tricks are a board",
        "exact_hook": "everybody alone, exactly the tricks bid; the last bid may not make the sum right",
    },
}
"""Family → preset → what it is, in a line."""


def value_text(value: Any) -> str:
    """Return the value of an option as it is typed."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return (
            "[" + ", ".join(":".join(map(str, item)) if isinstance(item, tuple) else str(item) for item in value) + "]"
        )
    return "none" if value is None else str(value)


def sentence(option: str, value: Any) -> str:
    """Return the sentence for a value of an option.

    >>> sentence("turning_deals", 1), sentence("blind_sizes", (7,))
    ('the deal at the turn is played once', 'hands of 7 cards are bid unseen')
    """
    words = WORDS[option]
    key: Any | EllipsisType = value if value in words else ...
    return words[key].format(_inside(value))


def _inside(value: Any) -> str:
    """Return a number, or a list of numbers or of points by hand size, as part of a sentence."""
    if not isinstance(value, tuple):
        return str(value)
    if value and isinstance(value[0], tuple):
        return ", ".join(f"{points} with {size} cards" for size, points in value)
    return ", ".join(map(str, value))
