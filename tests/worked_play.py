"""The examples of section 23 on leading and following.

The dealer is W unless said, so N bids first. Cards that an example leaves open are chosen so that they do not
matter.
"""

import presets
from examples import Example

SIDE = {"board_trump_lead": "side"}
RUFF_ONLY = {"broken_by": "ruff_only"}
ANY_TRUMP = presets.BB_PARTNER_ANY
LOWEST = presets.BB_PARTNER_LOWEST

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

RUN = [
    Example(
        "X-58",
        "trump H\ndo 1 pass pass pass\nturn N\nlegal 2S 4C 9D\nrun none",
        hands={"N": "2S KH 5H 4C 9D"},
        top="3H",
        options=presets.TWO_OF_SPADES,
    ),
    *(
        Example(
            name,
            "do 1 pass pass pass 2S\nlegal 3C 3D 4D 6C 6D\ndo 3D 5S 6S\nturn N\nrun N\n" + script,
            hands={"N": "2S KH 5H 4C 9D", "E": "3C 3D 4D 6C 6D", "S": "2C 5S 7D 8D TD", "W": "2D 6S JD QD KD"},
            top="3H",
            options=presets.TWO_OF_SPADES,
        )
        for name, script in (
            ("X-59", "legal KH 5H 4C 9D"),
            ("X-60", "do 4C 3C 2C 2D\nturn N\nrun none\nlegal 9D"),
        )
    ),
    Example(
        "X-61",
        "do 1 pass pass pass AC 2H 3C 4C\nturn E\nrun none\nlegal 9D",
        hands={"N": "AC 3S 4S", "E": "2H KH 9D", "S": "3C 5S 6S", "W": "4C 7S 8S"},
        top="3H",
        options=presets.TWO_OF_SPADES,
    ),
    Example(
        "X-62",
        """do 1 pass pass pass 2S
        turn E
        legal AH
        do AH 3S 4S KH
        turn E
        legal QH 3H""",
        hands={"N": "2S KH 4D", "E": "AH QH 3H", "S": "3S 5S 6S", "W": "4S 7S 8S"},
        top="6H",
        options=presets.TWO_OF_SPADES,
    ),
    Example(
        "X-62-plain-card",
        "do 1 pass pass pass 2S\nturn E\nlegal AH",
        hands={"N": "2S KH 4D", "E": "AH 3H 9C"},
        top="6H",
        options=presets.TWO_OF_SPADES,
    ),
]

NINE_OF_CLUBS = {2: {"N": "9C 2S", "E": "4H 4S"}, 3: {"N": "9C 2S 3S", "E": "4H 4S 5S"}}

TRUMPING = [
    Example(
        "X-63",
        "trump H\ndo 1 pass pass pass 9C\nlegal 4H 2H",
        hands={"N": "9C 2S 3S", "E": "4H 2H KD"},
        top="TH",
        options=presets.SOLO,
    ),
    *(
        Example(
            name,
            f"trump H\ndo 1 pass pass pass 9C 4H\nturn S\nlegal {legal}",
            hands={**NINE_OF_CLUBS[len(hand.split())], "S": hand},
            top="TH",
            options=presets.SOLO,
        )
        for name, hand, legal in (
            ("X-64", "3H 6H AD", "6H"),
            ("X-65", "3H AD", "3H AD"),
            ("X-66", "2D AD", "2D"),
            ("X-69", "5C AH", "5C"),
        )
    ),
    *(
        Example(
            name,
            f"trump H\ndo 1 pass pass pass {lead}\nturn E\nlegal {legal}",
            hands={"N": lead, "E": hand},
            top="TH",
            options=presets.SOLO,
        )
        for name, lead, hand, legal in (
            ("X-67-a", "AD", "2D 5D 8S", "5D"),
            ("X-67-b", "AD", "2D 5S", "2D"),
            ("X-68-a", "7H", "2D KC", "2D"),
            ("X-68-b", "7H", "KC 4S", "KC 4S"),
            ("X-68-c", "7H", "3H AH", "3H AH"),
        )
    ),
    Example(
        "X-70",
        "trump H\ndo 1 pass pass pass\nlegal AH 2D 3C",
        hands={"N": "AH 2D 3C"},
        top="TH",
        options=presets.SOLO,
    ),
]
