"""The examples of section 23 on schedule, trumps, bidding and the first lead.

The dealer is W unless said, so N bids first. Cards that an example leaves open are chosen so that they do not
matter.
"""

import presets
from examples import Example, PackExample, ScheduleExample

BURN = {"joker_turned": "burn"}
KEEP = {"joker_turned": "keep"}
NUMBERS = "1+rainbow 2+rainbow 3+rainbow"
WITH_ACES = {"E": "AS 2S 3S 4S 5S 6S", "S": "AH 2H 3H 4H 5H 6H", "W": "AC 4C 5C 6C 8C 9C"}

SCHEDULES = [
    ScheduleExample("X-1", {}, 26, {1: 13, 13: 1, 14: 1, 26: 13}),
    ScheduleExample("X-2", presets.GAMERULES, 25, {12: 2, 13: 1, 14: 2, 25: 13}),
    ScheduleExample("X-3", presets.TWO_OF_SPADES, 26, {1: 1, 13: 13, 14: 13, 26: 1}),
    ScheduleExample("X-4-solo", presets.SOLO, 14, {1: 13, 13: 1, 14: 1}),
    ScheduleExample("X-4-solo_18", presets.SOLO_18, 18, {1: 9, 9: 1, 10: 1, 18: 9}),
    ScheduleExample("X-4-solo_26", presets.SOLO_26, 26, {1: 13, 13: 1, 14: 1, 26: 13}),
    ScheduleExample("X-5-reduced_42", presets.REDUCED_42, 20),
    ScheduleExample("X-5-individual_5", presets.INDIVIDUAL_5, 20),
    ScheduleExample("X-5-six_2x3", presets.SIX_2X3, 16),
    ScheduleExample("BA-13-once", {"schedule": "up_down", "turning_deals": 1}, 25, {12: 12, 13: 13, 14: 12}),
    ScheduleExample("BA-15", {"schedule": "constant", "hand_max": 7, "constant_deals": 3}, 3, {1: 7, 3: 7}),
    ScheduleExample("BA-15-constant_13", presets.CONSTANT_13, 26, {1: 13, 14: 13, 26: 13}),
]

PACKS = [
    PackExample("X-6-std54", {}, 54, "23456789TJQKA"),
    PackExample("X-6-std52", presets.STD52, 52, "23456789TJQKA", jokers=False),
    PackExample("X-6-short42", presets.REDUCED_42, 42, "56789TJQKA"),
]

TRUMPS = [
    Example("X-7-std54", "turn-up LB\nstock 1", n=13, top="LB BB"),
    Example("X-7-std52", "turn-up none\nstock 0", n=13, cut="7H", options=presets.STD52),
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
        "X-11-blind7",
        "trump H\nturn-up QH\nburned LB\nholds S BB\nlegal pass 1..13",
        hands={"S": "BB"},
        n=13,
        top="LB QH",
        options=presets.BLIND7,
    ),
    Example(
        "X-11-highest",
        """trump H
        do pass pass board pass BB JH AH KH
        turn S""",
        hands={"N": "AH", "E": "KH", "S": "BB", "W": "JH"},
        n=13,
        top="LB QH",
        options=BURN,
    ),
    Example("X-12", "trump NT\nburned LB BB\nturn-up none\nstock 2", n=13, top="LB BB", options=presets.BLIND7),
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
    Example("X-15", "trump NT\nturn-up 2S\nphase bid\nturn N", n=6, top="2S", options=presets.TWO_OF_SPADES),
    Example(
        "X-15-seven-cards",
        "trump NT\nphase bid",
        hands={"N": "3H 4H 5H 6H 7H 8H 9H", "E": "3C 4C 5C 6C 7C 8C 9C"},
        top="2S",
        options=presets.TWO_OF_SPADES,
    ),
    Example(
        "X-16-ace",
        """trump NT
        cut 2S
        turn-up none
        holds E 2S
        do 3 pass pass pass 3S 2S AS KS
        turn S""",
        hands={"N": "3S", "E": "2S", "S": "AS", "W": "KS"},
        n=13,
        cut="2S",
        options=presets.TWO_OF_SPADES,
    ),
    Example(
        "X-16-low",
        "do 3 pass pass pass 3S 2S 2D 2H\nturn N",
        hands={"N": "3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS 2C", "E": "2S", "S": "2D", "W": "2H"},
        n=13,
        cut="2S",
        options=presets.TWO_OF_SPADES,
    ),
    Example(
        "X-17",
        """trump D
        cut 2D
        turn-up none
        holds E 2D
        do 1 pass pass pass AD 2D 3D 4D
        turn E""",
        hands={"N": "AD", "E": "2D", "S": "3D", "W": "4D"},
        n=13,
        cut="2D",
        options=presets.SOLO,
    ),
    Example(
        "X-18",
        "trump D\nturn-up 2D\ncut none\ndo 1 pass pass pass KD AD 3D QD\nturn E",
        hands={"N": "KD", "E": "AD", "S": "3D", "W": "QD"},
        n=6,
        top="2D",
        options=presets.SOLO,
    ),
    *(
        Example(
            f"{name}-{letter}",
            f"do 1 pass pass pass {cards}\nturn {winner}",
            hands=dict(zip("NESW", cards.split(), strict=True)),
            n=6,
            top=top,
            options=presets.SOLO_TWO_TWOS,
        )
        for name, letter, top, cards, winner in (
            ("X-19", "a", "9C", "AC 2C 2D KC", "S"),
            ("X-19", "b", "9C", "AC 2C KC 3C", "E"),
            ("X-19", "c", "9C", "3C KC QC AC", "W"),
            ("X-19", "d", "9C", "3C 4C 5C 6C", "W"),
            ("X-20", "a", "9D", "AD 2D KD 3D", "E"),
            ("X-20", "b", "9D", "KD QD 3D AD", "W"),
            ("X-20", "c", "9D", "3D 4D 5D 6D", "W"),
        )
    ),
    Example(
        "X-21",
        "trump S\nturn-up none\nstock 2\ndo 1 pass pass pass",
        n=13,
        options=presets.SPADES_TRUMPS,
    ),
]

BIDDING = [
    Example("X-22", "legal pass 1..12 board", n=13),
    Example("X-23", "legal pass board", n=1),
    Example("X-24-one-card", "legal pass 1", n=1, options=presets.BLIND7),
    Example("X-24-seven-cards", "legal pass 1..7", n=7, options=presets.BLIND7),
    Example("X-27", "do board\nlevel N 1\nturn E\nlegal pass 1..6 board\ndo board\nlevel E 2", n=7),
    Example("X-28", "do pass pass pass pass\nphase thrown_in\nturn none\nnext-dealer N", n=7),
    Example("X-25-five-cards", "legal pass 1..4 board", n=5, options=presets.ALL_BID),
    Example("X-25-six-cards", "legal pass 1..6", n=6, options=presets.ALL_BID),
    Example(
        "X-26",
        """legal pass 1
        do 1
        legal pass 1 board
        do board
        level E 1
        legal pass 1 board
        do board
        level S 2""",
        n=1,
        top="7H",
        options=presets.TWO_OF_SPADES,
    ),
    Example(
        "X-29",
        "do pass pass pass pass\nphase thrown_in\nturn none\nnext-dealer S",
        n=7,
        dealer="S",
        options=presets.SOLO,
    ),
    Example(
        "X-30",
        "do pass\nturn E\nlegal pass 1..3 board 1+rainbow 2+rainbow 3+rainbow",
        hands={"E": "AS 4H 9D 2C"},
        top="7H",
        options=presets.RAINBOW,
    ),
    *(
        Example(name, f"trump {top[1]}\nlegal {legal}", hands={"N": hand}, top=top, options=options)
        for name, options, top, hand, legal in (
            ("X-31-a", presets.RAINBOW, "7H", "BB 4C 9D KS", f"pass 1..3 board {NUMBERS}"),
            ("X-31-b", presets.RAINBOW, "7S", "BB 4C 9D KS", "pass 1..3 board"),
            ("X-32-a", presets.SOLO_18, "7H", "2D 5C 7S JD", f"pass 1..3 board pass+rainbow {NUMBERS} board+rainbow"),
            ("X-32-b", presets.SOLO_18, "7H", "2D 5C 7S JH", "pass 1..3 board"),
        )
    ),
    Example("X-33-six-cards", "legal pass 1..5 board", n=6, options=presets.BOSTON),
    Example("X-33-seven-cards", "legal pass 1..6 board boston", n=7, options=presets.BOSTON),
    Example(
        "X-34-may",
        "trump D\nphase redeal_offer\nturn N\nlegal keep redeal\ndo redeal\nphase thrown_in\nnext-dealer W",
        hands={"N": "TS 9S 8H 7C 3C 2C", **WITH_ACES},
        top="7D",
        options=presets.REDEAL,
    ),
    Example(
        "X-34-keep",
        "do keep\nphase bid\nturn N\nlegal pass 1..5 board",
        hands={"N": "TS 9S 8H 7C 3C 2C", **WITH_ACES},
        top="7D",
        options=presets.REDEAL,
    ),
    Example(
        "X-34-joker",
        "phase bid\nturn N\nlegal pass 1..5 board",
        hands={"N": "TS 9S 8H 7C 3C LB", **WITH_ACES},
        top="7D",
        options=presets.REDEAL,
    ),
    Example("X-34-five-cards", "phase bid", hands={"N": "TS 9S 8H 7C 3C"}, top="7D", options=presets.REDEAL),
    Example(
        "X-35",
        "phase thrown_in\nturn none\nnext-dealer W",
        hands={"N": "2H", "E": "3H", "S": "4H", "W": "3S 4S 5S 6S 3D 4D 5D"},
        top="7H",
        options=presets.TWO_OF_SPADES,
    ),
    Example(
        "X-36",
        "phase bid\nturn N",
        hands={"N": "2H", "E": "3H", "S": "4H", "W": "2S 4S 5S 6S 3D 4D 5D"},
        top="7H",
        options=presets.TWO_OF_SPADES,
    ),
    Example("BA-52-two-boards", "do board board\nlevel E 2", n=5, options={"board_multiple_cap": 4}),
]

FIRST_LEAD = [
    Example("X-37", "do 3 4 4 pass\nturn E", n=7),
    Example("X-38", "do board pass board 2\nlevel S 2\nturn S", n=7),
    Example("X-39", "do board board board board\nlevel W 4\nturn W", n=7),
    Example(
        "X-40",
        """do 2 board board pass
        phase raise
        turn N
        legal raise no_raise
        do raise
        phase play
        level N 2
        level E 1
        turn N""",
        n=7,
        options=presets.DOUBLE_BOARD,
    ),
    Example("X-41", "do 2 board board pass no_raise\nlevel N 0\nturn E", n=7, options=presets.DOUBLE_BOARD),
    Example(
        "X-42",
        "do pass pass board board\nturn N\ndo raise\nturn E\ndo raise\nphase play\nturn N",
        n=7,
        options=presets.DOUBLE_BOARD,
    ),
    Example(
        "X-43",
        "do 3 1+rainbow 3+rainbow board\nrainbows E S\nturn E",
        hands={"E": "AS 4H 9D 2C", "S": "KS 5H TD 3C"},
        top="7H",
        options=presets.RAINBOW,
    ),
    Example("X-44", "do 6 boston 6 pass\nturn E", n=7, options=presets.BOSTON),
    Example("X-45", "do 4 board board pass\nturn E", n=5, options=presets.SOLO),
    Example("X-46", "do 2 board pass board\nturn E", n=3, options=presets.ALL_BID),
]
