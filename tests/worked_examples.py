"""The examples of section 23 on schedule, trumps, bidding, leading and following, as far as they are played.

The dealer is W unless said, so N bids first. Cards that an example leaves open are chosen so that they do not
matter.
"""

from examples import Example, PackExample, ScheduleExample

NO_BOARD = {"all_tricks_bid": "none"}  # as blind7
BURN = {"joker_turned": "burn"}
KEEP = {"joker_turned": "keep"}
SIDE = {"board_trump_lead": "side"}
RUFF_ONLY = {"broken_by": "ruff_only"}
ANY_TRUMP = {"bb_partner": "any_trump"}
LOWEST = {"bb_partner": "lowest"}

SCHEDULES = [
    ScheduleExample("X-1", {}, 26, {1: 13, 13: 1, 14: 1, 26: 13}),
    ScheduleExample("X-2", {"turning_deals": 1}, 25, {12: 2, 13: 1, 14: 2, 25: 13}),
    ScheduleExample("X-3", {"schedule": "up_down"}, 26, {1: 1, 13: 13, 14: 13, 26: 1}),
    ScheduleExample("X-4-solo", {"schedule": "down"}, 14, {1: 13, 13: 1, 14: 1}),
    ScheduleExample("X-4-solo_18", {"hand_max": 9}, 18, {1: 9, 9: 1, 10: 1, 18: 9}),
    ScheduleExample("X-5-reduced_42", {"deck": "short42", "hand_max": 10}, 20),
    ScheduleExample("X-5-individual_5", {"players": 5, "sides": "individual", "hand_max": 10}, 20),
    ScheduleExample("X-5-six_2x3", {"players": 6, "sides": "two_teams_of_3", "hand_max": 8}, 16),
    ScheduleExample("BA-13-once", {"schedule": "up_down", "turning_deals": 1}, 25, {12: 12, 13: 13, 14: 12}),
    ScheduleExample("BA-15", {"schedule": "constant", "hand_max": 7, "constant_deals": 3}, 3, {1: 7, 3: 7}),
    ScheduleExample("BA-15-constant_13", {"schedule": "constant"}, 26, {1: 13, 14: 13, 26: 13}),
]

PACKS = [
    PackExample("X-6-std54", {}, 54, "23456789TJQKA"),
    PackExample("X-6-short42", {"deck": "short42", "hand_max": 10}, 42, "56789TJQKA"),
]

TRUMPS = [
    Example("X-7", "turn-up LB\nstock 1", n=13, top="LB BB"),
    Example(
        "X-8",
        """trump NT
        turn-up LB
        discarded BB
        holds W TC 2S 3S 4S 5S
        lacks W BB
        stock 32
        never N BB
        never W BB""",
        hands={"W": "BB 2S 3S 4S 5S"},
        top="LB TC",
    ),
    Example("X-9", "trump NT\nturn-up BB\ndiscarded none\nstock 33\nnever S LB", n=5, top="BB LB"),
    Example(
        "X-10",
        "trump NT\nholds S 4D\nlacks S LB\ndiscarded LB\nstock 0",
        hands={"S": "LB"},
        n=13,
        top="BB 4D",
    ),
    Example(
        "X-11",
        """trump H
        turn-up QH
        burned LB
        holds S BB
        do pass pass board pass BB JH AH KH
        turn S""",
        hands={"N": "AH", "E": "KH", "S": "BB", "W": "JH"},
        n=13,
        top="LB QH",
        options=BURN,
    ),
    Example("X-12", "trump NT\nburned LB BB\nturn-up none\nstock 2", n=13, top="LB BB", options=BURN),
    Example(
        "X-13",
        """trump NT
        turn-up LB
        discarded none
        do 1 pass pass pass AC 3C 4C
        legal BB 6S
        do BB
        turn W""",
        hands={"N": "AC 2S", "E": "3C 4S", "S": "4C 5S", "W": "BB 6S"},
        top="LB",
        options=KEEP,
    ),
    Example(
        "X-14",
        """do pass pass pass 1
        legal BB 2S
        do BB
        legal KC 3D
        do KC 4S 6S
        turn W""",
        hands={"N": "KC 3D", "E": "4S 5S", "S": "6S 7S", "W": "BB 2S"},
        top="LB",
        options=KEEP,
    ),
    Example(
        "X-21",
        "trump S\nturn-up none\nstock 2\ndo 1 pass pass pass",
        n=13,
        options={"trump_source": "fixed_spades"},
    ),
]

BIDDING = [
    Example("X-22", "legal pass 1..12 board", n=13),
    Example("X-23", "legal pass board", n=1),
    Example("X-24-one-card", "legal pass 1", n=1, options=NO_BOARD),
    Example("X-24-seven-cards", "legal pass 1..7", n=7, options=NO_BOARD),
    Example("X-27", "do board\nlevel N 1\nturn E\nlegal pass 1..6 board\ndo board\nlevel E 2", n=7),
    Example("X-28", "do pass pass pass pass\nphase thrown_in\nturn none", n=7),
    Example("BA-52-two-boards", "do board board\nlevel E 2", n=5, options={"board_multiple_cap": 4}),
]

FIRST_LEAD = [
    Example("X-37", "do 3 4 4 pass\nturn E", n=7),
    Example("X-38", "do board pass board 2\nlevel S 2\nturn S", n=7),
    Example("X-39", "do board board board board\nlevel W 4\nturn W", n=7),
]

LEADING = [
    Example("X-47", "trump H\ndo 1 pass pass pass\nturn N\nlegal 3C", hands={"N": "AH 3C BB"}, top="2H"),
    Example("X-48", "do board pass pass pass\nlegal AH 3C BB", hands={"N": "AH 3C BB"}, top="2H"),
    *(
        Example(
            f"X-49-{name}",
            f"do pass pass board pass\nturn S\ndo QS 3S KS 4S\nturn N\nlegal {legal}",
            hands={"N": "AH 3C BB KS", "E": "4S 8D 9D TD", "S": "QS 2D 3D 4D", "W": "3S 5D 6D 7D"},
            top="2H",
            options=options,
        )
        for name, options, legal in (("bidder", {}, "3C"), ("side", SIDE, "AH 3C BB"))
    ),
    Example(
        "X-50",
        "do pass 1 pass pass\nturn E\ndo 5D 2H 6D KH\nturn N\nlegal AH 3C BB",
        hands={"N": "KH AH 3C BB", "E": "5D 4S 5S 6S", "S": "2H 7S 8S 9S", "W": "6D TS JS QS"},
        top="3H",
    ),
    Example("X-51", "do 1 pass pass pass\nlegal AH BB", hands={"N": "AH BB"}, top="2H"),
    *(
        Example(
            f"X-52-{name}",
            f"do board pass pass pass\ndo QH AH 4S 7S\nturn E\nlegal {legal}",
            hands={"N": "QH 2S 3S", "E": "AH KH 4D", "S": "4S 5S 6S", "W": "7S 8S 9S"},
            top="2H",
            options=options,
        )
        for name, options, legal in (("any_trump", {}, "KH 4D"), ("ruff_only", RUFF_ONLY, "4D"))
    ),
]

BB_LED = "trump H\ndo board pass pass pass BB\nturn E\nlegal "
LB_LED = "trump H\ndo board pass pass pass LB\nturn E\nlegal "

FOLLOWING = [
    *(
        Example(f"X-53-{letter}", BB_LED + legal, hands={"N": north, "E": east}, top="3H")
        for letter, north, east, legal in (
            ("a", "BB 2S 4S 5S", "LB AH 2H KC", "LB"),
            ("b", "BB 2S 4S", "AH 2H KC", "AH"),
            ("c", "BB 2S", "KC 3D", "KC 3D"),
        )
    ),
    *(
        Example(f"X-54-{letter}", LB_LED + legal, hands={"N": north, "E": east}, top="3H")
        for letter, north, east, legal in (
            ("a", "LB 2S 4S", "AH 2H 9C", "2H"),
            ("b", "LB 2S", "BB 5H", "5H"),
        )
    ),
    Example(
        "X-54-c",
        "do board pass pass pass LB\nlegal BB\ndo BB 4D 6D\ntricks 0 1 0 0\nturn E",
        hands={"N": "LB 2S", "E": "BB KC", "S": "4D 5D", "W": "6D 7D"},
        top="3H",
    ),
    Example(
        "X-55-S",
        "do 1 pass pass pass AC BB\nturn S\nlegal 4C",
        hands={"N": "AC 2S", "E": "BB 3S", "S": "4C KH"},
        top="3H",
    ),
    Example(
        "X-55-W",
        "do 1 pass pass pass AC BB 4C\nturn W\nlegal 2H KH 7D",
        hands={"N": "AC 2S 3S", "E": "BB 4S 5S", "S": "4C 5C 6C", "W": "2H KH 7D"},
        top="3H",
    ),
    Example("X-56", "do 1 pass pass pass 3H\nlegal BB", hands={"N": "3H 4H", "E": "BB KC"}, top="2H"),
    *(
        Example(
            f"X-57-partner-{name}",
            f"do board pass pass pass BB 4S\nturn S\nlegal {legal}",
            hands={"N": "BB 2S 3S", "E": "4S 5S 6S", "S": "AH 2H KC"},
            top="3H",
            options=options,
        )
        for name, options, legal in (
            ("highest", {}, "AH"),
            ("any_trump", ANY_TRUMP, "AH 2H"),
            ("lowest", LOWEST, "2H"),
        )
    ),
    *(
        Example(
            f"X-57-opponent-{name}",
            "do board pass pass pass BB\nturn E\nlegal AH",
            hands={"N": "BB 2S", "E": "AH 2H"},
            top="3H",
            options=options,
        )
        for name, options in (("highest", {}), ("any_trump", ANY_TRUMP), ("lowest", LOWEST))
    ),
]
