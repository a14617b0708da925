"""The options of the rulebook (section 20) and of its supplement, the schedules of section 3, and who plays with whom.

The oracle is the rulebook as a program: slow, with lists of card names, and sharing no code with the engine.
Options are a plain dict; what it leaves out has the first value of `KNOWN`, as in the preset `partnership`.
"""

KNOWN = {
    # pack, seats, schedule
    "deck": ("std54", "std52", "short42"),
    "players": (4, 2, 3, 5, 6),
    "sides": ("pairs", "individual", "two_teams_of_3", "three_teams_of_2"),
    "first_dealer": ("random",),
    "schedule": ("down_up", "up_down", "down", "constant", "list"),
    "hand_sizes": ((),),
    "hand_max": (13, *range(1, 13)),
    "hand_min": (1, *range(2, 14)),
    "turning_deals": (2, 1),
    "constant_deals": (26,),
    # trumps
    "trump_source": ("turn_up", "fixed_spades"),
    "no_stock_trump": ("cut", "no_trump"),
    "cut_min_cards": (None, 5),
    "joker_turned": ("exchange", "burn", "keep"),
    "no_trump_joker": ("sole_trump", "worthless"),
    "high_two": ("none", "spade2", "diamond2", "diamond2_trump2"),
    "no_trump_high_two": ("plain", "high"),
    # hands thrown in before the bidding
    "redeal_right": (False, True),
    "redeal_min_cards": (6,),
    "redeal_timing": ("before_bidding", "own_turn"),
    "redeal_dealer": ("same", "next"),
    "void_redeal": (False, True),
    "void_min_cards": (7,),
    "void_dealer": ("same", "next"),
    # bids
    "all_tricks_bid": ("board", "raise_board", "all", "solo_board", "bort", "ladder", "implied", "none"),
    "board_multiple_cap": (None, 4),
    "board_unit": (10, 6),
    "board_multiples": ((1, 2, 3, 4, 5, 6), (2, 4, 8, 16)),
    "all_max_cards": (5,),
    "ladder_repeat_one": (True, False),
    "number_max": ("auto", "cards_minus_1", "cards"),
    "number_cap": (None, 3),
    "side_bid_cap": (None, "cards"),
    "dealer_hook": (False, True),
    "boston": (False, True),
    "boston_min_cards": (7, 6),
    "blind_sizes": ((), (7,)),
    "all_pass": ("next_dealer", "same_dealer", "play"),
    # rainbow
    "rainbow": ("off", "required", "free", "claim", "auto"),
    "rainbow_sizes": ((4,), (4, 8), (4, 8, 12)),
    "rainbow_points": ({4: 40, 8: 80, 12: 120}, {4: 5, 8: 10}),
    "rainbow_leads": (True, False),
    "rainbow_over_board": (True, False),
    "rainbow_joker": ("trump_suit", "never"),
    "rainbow_thrown_in": ("void", "paid"),
    "rainbow_reveal": ("bid_turn", "after_bidding"),
    # play
    "first_lead": ("highest_bid", "left_of_dealer"),
    "board_leader": ("last", "earliest"),
    "double_board_leader": ("raiser", "first_boarder"),
    "all_tricks_tie": ("earliest", "last"),
    "boston_rank": ("below_board", "above_board"),
    "lead_rule": ("broken", "high_two_run", "free", "tight_only"),
    "broken_by": ("any_trump", "ruff_only"),
    "board_trump_lead": ("bidder", "side", "anyone", "nobody"),
    "boston_trump_lead": (False, True),
    "no_trump_joker_lead": ("free", "broken"),
    "follow": ("plain", "must_trump_over"),
    "blooper_force": ("both", "big_only", "none"),
    "bb_partner": ("highest", "any_trump", "lowest"),
    # points
    "score": ("five_one", "ten_one", "three_one", "five_under", "bid_plus_tricks", "four_one", "exact_ten"),
    "score_unit": ("side", "player"),
    "five_under_made": (False, True),
    "opponents_of_board": ("normal", "zero", "tricks_only"),
    "solo_board_bonus": (0, 10),
    "solo_board_bonus_one_card": (True, False),
    "one_card_board": (13, 10),
    "solo_one_card_pass": ("zero", "per_trick"),
    "bag_limit": (None, 2),
    "bag_penalty": (100, 30),
    "game_tie": ("draw", "extra_deal"),
}

NUMBERS = {
    *("first_dealer", "constant_deals", "cut_min_cards", "redeal_min_cards", "void_min_cards"),
    *("board_unit", "all_max_cards", "number_cap", "boston_min_cards", "solo_board_bonus", "one_card_board"),
    *("bag_limit", "bag_penalty"),
}
"""Options that take any whole number from 0; `KNOWN` has only their default and an example."""

LISTS = {"hand_sizes", "board_multiples", "rainbow_sizes", "blind_sizes"}
"""Options that are lists of any whole numbers from 1."""


def complete(options: dict) -> dict:
    """Return the options with every known one filled in; refuse what the oracle does not know."""
    found = {name: values[0] for name, values in KNOWN.items()}
    for name, value in options.items():
        if name == "rainbow_points":
            found[name] = dict(value)
        elif name in LISTS:
            found[name] = tuple(value)
        else:
            found[name] = value
        if name not in KNOWN or not _is_value(name, found[name]):
            raise ValueError(f"the oracle does not know {name}={value!r}")
    return found


def _is_value(name: str, value: object) -> bool:
    if name == "rainbow_points":
        return all(_is_number(number) for pair in value.items() for number in pair)
    if name in LISTS:
        return all(_is_number(number) and number > 0 for number in value)
    if name in NUMBERS and _is_number(value):
        return True
    return any(value == known and type(value) is type(known) for known in KNOWN[name])


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def schedule(options: dict) -> list[int]:
    """Return the hand size of each deal of a match."""
    options = complete(options)
    high, low = options["hand_max"], options["hand_min"]  # BAW-2
    down, up = list(range(high, low - 1, -1)), list(range(low, high + 1))
    once = options["turning_deals"] == 1  # the deal at the turn is played once
    if options["schedule"] == "list":  # BAW-1
        return list(options["hand_sizes"])
    if options["schedule"] == "constant":  # BA-15
        return [high] * options["constant_deals"]
    if options["schedule"] == "down":  # BA-14: the last deal once more
        return down if once else [*down, low]
    first, second = (down, up) if options["schedule"] == "down_up" else (up, down)  # BA-12, BA-13
    return first + (second[1:] if once else second)


def side_of(options: dict, seat: int) -> int:
    """Return the side of a seat (BA-9): {0,2} {1,3}; {0,2,4} {1,3,5}; {0,3} {1,4} {2,5}; or each alone."""
    if options["sides"] in ("pairs", "two_teams_of_3"):
        return seat % 2
    if options["sides"] == "three_teams_of_2":
        return seat % 3
    return seat


def members(options: dict, side: int) -> list[int]:
    """Return the seats of a side."""
    return [seat for seat in range(options["players"]) if side_of(options, seat) == side]
