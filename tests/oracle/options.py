"""The options of section 20 that the oracle knows, and the schedules of section 3.

The oracle is the rulebook as a program: slow, with lists of card names, and sharing no code with the engine.
Options are a plain dict; what it leaves out has the first value of `KNOWN`, as in the preset `partnership`.
"""

KNOWN = {
    "deck": ("std54", "short42"),
    "players": (4, 3, 5, 6),
    "sides": ("pairs", "individual", "two_teams_of_3", "three_teams_of_2"),
    "schedule": ("down_up", "up_down", "down", "constant"),
    "hand_max": (13, *range(1, 13)),
    "turning_deals": (2, 1),
    "constant_deals": (26, *range(1, 1000)),
    "trump_source": ("turn_up", "fixed_spades"),
    "joker_turned": ("exchange", "burn", "keep"),
    "no_trump_joker": ("sole_trump", "worthless"),
    "all_tricks_bid": ("board", "none"),
    "board_multiple_cap": (None, 4),
    "number_max": ("auto", "cards_minus_1", "cards"),
    "opponents_of_board": ("normal", "zero", "tricks_only"),
    "all_pass": ("next_dealer", "same_dealer"),
    "lead_rule": ("broken", "free"),
    "broken_by": ("any_trump", "ruff_only"),
    "board_trump_lead": ("bidder", "side", "anyone"),
    "bb_partner": ("highest", "any_trump", "lowest"),
    "score": ("five_one", "ten_one", "three_one", "five_under", "bid_plus_tricks"),
}


def complete(options: dict) -> dict:
    """Return the options with every known one filled in; refuse what the oracle does not know."""
    for name, value in options.items():
        if name not in KNOWN or value not in KNOWN[name]:
            raise ValueError(f"the oracle does not know {name}={value!r}")
    return {name: options.get(name, values[0]) for name, values in KNOWN.items()}


def schedule(options: dict) -> list[int]:
    """Return the hand size of each deal of a match."""
    options = complete(options)
    down = list(range(options["hand_max"], 0, -1))
    up = list(range(1, options["hand_max"] + 1))
    if options["schedule"] == "constant":  # BA-15
        return [options["hand_max"]] * options["constant_deals"]
    if options["schedule"] == "down":  # BA-14: one more 1-card deal at the end
        sizes = [*down, 1]
    elif options["schedule"] == "down_up":  # BA-12
        sizes = down + up
    else:  # BA-13
        sizes = up + down
    if options["turning_deals"] == 1:  # the deal at the turn is played once
        if options["schedule"] == "down":
            sizes.pop()
        else:
            del sizes[options["hand_max"]]
    return sizes


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
