"""The examples of the supplement (its section 5): games without partners and games of more than four.

The dealer is W or the last seat unless said, so N or seat 0 bids first.
"""

from examples import Example
from presets import (
    BACKALLEY_CALL,
    BIG_LITTLE,
    EXACT_HOOK,
    FIVE_HANDED,
    KEEPER_TEN,
    SHEET_13,
    THREE_TEAMS_9,
    WEB_SOLO,
)

ALONE = [
    Example(
        "WX-21",
        """do 4 pass pass pass
        suppose 4 3 0 0
        points N 40
        suppose 6 1 0 0
        points N 42
        suppose 3 4 0 0
        points N -40""",
        n=7,
        options=BIG_LITTLE,
    ),
    Example("WX-22-a", "do 1 1 1 1\nsuppose 5 0 0 0\npoints N 14\nbags N 4", n=5, options=BIG_LITTLE),
    Example(
        "WX-22-b",
        "do pass 1 1 1\nsuppose 4 1 0 0\npoints N 4\nbags N 8",
        n=5,
        bags=(4, 0, 0, 0),
        options=BIG_LITTLE,
    ),
    Example(
        "WX-22-c",
        "do 2 1 1 1\nsuppose 5 0 0 0\npoints N -77\nbags 1 0 0 0",
        n=5,
        bags=(8, 0, 0, 0),
        options=BIG_LITTLE,
    ),
    Example(
        "WX-23", "trump H\ndo 1 pass pass pass\nlegal AH 3C BB", hands={"N": "AH 3C BB"}, top="7H", options=BIG_LITTLE
    ),
    Example(
        "WX-24-big",
        "do 1 pass pass pass BB\nlegal AH\ndo AH\nturn S\nlegal KH",
        hands={"N": "BB 3C", "E": "AH 4H", "S": "KH 2H"},
        top="7H",
        options=BIG_LITTLE,
    ),
    Example(
        "WX-24-little",
        "do 1 pass pass pass LB\nlegal KH 2H",
        hands={"N": "LB 3C", "E": "KH 2H"},
        top="7H",
        options=BIG_LITTLE,
    ),
    Example(
        "WX-30",
        """do board board board pass
        level S 3
        suppose 0 0 4 0
        points -40 -80 120 0""",
        n=4,
        options=SHEET_13,
    ),
    Example(
        "WX-31",
        "do 4 pass pass pass\nsuppose 6 7 0 0\npoints N 14\nsuppose 3 7 3 0\npoints N -12",
        n=13,
        options=SHEET_13,
    ),
    Example(
        "WX-32", "do 2 board 1 1\nsuppose 2 0 0 0\npoints N 6\nsuppose 0 2 0 0\npoints E 20", n=2, options=SHEET_13
    ),
    Example(
        "WX-41",
        """do 3 pass 1 1
        suppose 3 2 1 0
        points N 30 E 2
        suppose 5 1 0 0
        points N 32
        suppose 2 2 2 0
        points N -30 E 2""",
        n=6,
        options=KEEPER_TEN,
    ),
    Example("WX-42", "do 2 4 4 pass\nturn E", n=5, options=KEEPER_TEN),
    Example(
        "WX-46",
        """do 2 pass 1 4
        suppose 2 0 3 0
        points N 12 E 10
        suppose 3 2 0 0
        points N 3 E 2
        suppose 1 2 1 1
        points N 1""",
        n=5,
        options=EXACT_HOOK,
    ),
    Example("WX-47", "do 1 pass 2\nturn W\nlegal pass 2..4", n=4, options=EXACT_HOOK),
    Example("WX-48-one", "do 1 pass pass\nlegal 1", n=1, options=EXACT_HOOK),
    Example("WX-48-none", "do pass pass pass\nlegal pass", n=1, options=EXACT_HOOK),
]

MORE_SEATS = [
    Example(
        "WX-25-level-3",
        """do board board board pass pass
        level 2 3
        suppose 0 0 5 0 0
        points -30 -60 90 0 0
        suppose 1 0 4 0 0
        points -30 -60 -90 0 0""",
        n=5,
        dealer="4",
        options=FIVE_HANDED,
    ),
    Example(
        "WX-25-level-1",
        "do board pass pass pass pass\nsuppose 9 1 0 0 0\npoints -60 1 0 0 0",
        n=10,
        dealer="4",
        options=FIVE_HANDED,
    ),
    Example(
        "WX-26",
        """do 1 1 board board pass
        suppose 1 0 0 0 0
        points 3 -3 -6 -12 0
        suppose 0 0 1 0 0
        points -3 -3 6 -12 0
        suppose 0 0 0 0 1
        points -3 -3 -6 -12 1""",
        n=1,
        dealer="4",
        options=FIVE_HANDED,
    ),
    *(
        Example(
            f"WX-27-{name}",
            f"do {bids}\nrainbows 1\nsuppose {tricks}\npoints {points}",
            hands={
                "0": "KS QS JS TS",
                "1": "AS 4H 9D 2C",
                "2": "AH KH QH JH",
                "3": "3C 4C 5C 6C",
                "4": "KD QD JD TD",
            },
            dealer="4",
            top="7H",
            options=FIVE_HANDED,
        )
        for name, bids, tricks, points in (
            ("pass", "1 pass pass pass pass", "4 0 0 0 0", "6 8 0 0 0"),
            ("number", "pass 2 pass pass pass", "2 2 0 0 0", "2 14 0 0 0"),
            ("board", "board board pass pass pass", "1 3 0 0 0", "-24 -40 0 0 0"),
        )
    ),
    Example(
        "WX-28",
        """turn 1
        do 3 5 board board pass
        turn 2
        level 3 1
        level 4 2
        suppose 0 0 0 0 5
        points 0 -9 -15 -30 60
        suppose 0 0 5 0 0
        points 0 -9 15 -30 -60""",
        n=5,
        dealer="0",
        options=FIVE_HANDED,
    ),
    Example(
        "WX-29",
        """trump S
        do board pass pass pass pass
        do AH 2H 4H 6H 8H KH 3H 5H 7H 9H
        turn 0
        legal KD 4C""",
        hands={
            "0": "AH KH AS KD 4C",
            "1": "2H 3H 2D 3D 2C",
            "2": "4H 5H 4D 5D 3C",
            "3": "6H 7H 6D 7D 5C",
            "4": "8H 9H 8D 9D 6C",
        },
        dealer="4",
        top="2S",
        options=FIVE_HANDED,
    ),
    Example(
        "WX-33",
        """do 2 3 pass pass pass pass
        suppose 2 2 0 0 0 1
        points 6 -9 0 0 0 1
        suppose 3 2 0 0 0 0
        points 7 -9 0 0 0 0""",
        n=5,
        dealer="5",
        options=BACKALLEY_CALL,
    ),
    Example(
        "WX-34",
        """do board 2 pass pass pass pass
        suppose 2 0 0 0 0 0
        points 20 -6 0 0 0 0
        suppose 0 2 0 0 0 0
        points -20 6 0 0 0 0""",
        n=2,
        dealer="5",
        options=BACKALLEY_CALL,
    ),
    *(
        Example(
            name,
            f"""trump H
            do pass 1 pass
            turn 1
            do AC 2C 3H 2S 4H 3S KC 3C 5H
            turn 0
            legal {legal}""",
            hands={"0": "3H 2S 5H " + hand, "1": clubs, "2": "2C 3C 3S 4S 5S"},
            dealer="2",
            top="7H",
            options={**BACKALLEY_CALL, "players": 3},
        )
        for name, hand, clubs, legal in (
            ("WX-35-a", "KH 4D 9S", "AC KC 4H 5C 6C 7C", "4D 9S"),
            ("WX-35-b", "KH LB", "AC KC 4H 5C 6C", "KH LB"),
        )
    ),
    Example(
        "WX-37-five-cards",
        """legal pass 1..4 board
        do board 1 pass pass pass
        suppose 5 0 0 0 0
        points 30 -3 0 0 0
        suppose 4 1 0 0 0
        points -30 3 0 0 0""",
        n=5,
        dealer="4",
        options=WEB_SOLO,
    ),
    Example(
        "WX-37-thirteen-cards",
        "do board pass pass pass\nsuppose 12 1 0 0\npoints -78 1 0 0",
        n=13,
        cut="7H",
        options={**WEB_SOLO, "players": 4, "hand_max": 13},
    ),
    Example(
        "WX-38",
        """do board pass pass pass pass
        suppose 1 0 0 0 0
        points 10 0 0 0 0
        suppose 0 1 0 0 0
        points -10 1 0 0 0""",
        n=1,
        dealer="4",
        options=WEB_SOLO,
    ),
    Example(
        "WX-39",
        "do pass pass pass pass\nphase play\nturn 3\nsuppose 2 4 0 0\npoints 2 4 0 0",
        n=6,
        dealer="2",
        options={**WEB_SOLO, "players": 4, "hand_max": 13},
    ),
    Example(
        "WX-40",
        "trump D\ncut 9D\nturn-up none\nstock 13\nholds 0 9D",
        hands={"0": "9D"},
        n=13,
        dealer="2",
        cut="9D",
        options={**WEB_SOLO, "players": 3, "hand_max": 13},
    ),
    Example(
        "WX-43",
        """do 2 pass pass 2 pass pass
        suppose 2 5 0 2 0 0
        points 16 5 0 16 5 0
        suppose 3 3 0 3 0 0
        points 18 3 0 18 3 0
        suppose 0 6 0 3 0 0
        points -16 6 0 -16 6 0""",
        n=9,
        dealer="5",
        cut="7H",
        options=THREE_TEAMS_9,
    ),
    Example(
        "WX-44-implied",
        """do 4 pass pass 2 pass pass
        suppose 3 0 0 3 0 0
        points 60 0 0 60 0 0
        suppose 3 0 1 2 0 0
        points -60 0 1 -60 0 1""",
        n=6,
        dealer="5",
        options=THREE_TEAMS_9,
    ),
    Example(
        "WX-44-too-much",
        "do 4 pass pass 3 pass pass\nsuppose 3 0 0 3 0 0\npoints -28 0 0 -28 0 0",
        n=6,
        dealer="5",
        options=THREE_TEAMS_9,
    ),
]
