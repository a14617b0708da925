"""The examples of the supplement (its section 5): schedules, partnership games, complete deals.

The dealer is W unless said, so N bids first.
"""

import presets
from examples import Example, ScheduleExample
from presets import BAB_ONLINE, BACKALLEY_CALL, BOOK_SPADES, EMW_DOUBLES, EMW_SINGLES, HFI_7, THREE_TEAMS_9

SCHEDULES = [
    ScheduleExample("WX-1", BAB_ONLINE, 13, dict(enumerate((12, 10, 8, 6, 4, 2, 1, 3, 5, 7, 9, 11, 13), start=1))),
    ScheduleExample("WX-12-doubles", EMW_DOUBLES, 26, {1: 1, 13: 13, 14: 13, 26: 1}),
    ScheduleExample("WX-12-singles", EMW_SINGLES, 24, {1: 2, 12: 13, 13: 13, 24: 2}),
    ScheduleExample("WX-16", presets.BOOK_SPADES_SHORT, 14, {7: 1, 8: 1, 14: 13}),
    ScheduleExample("WX-18", HFI_7, 14, {1: 7, 7: 1, 8: 1}),
    ScheduleExample("WX-36-six", BACKALLEY_CALL, 13, {1: 1, 7: 7, 13: 1}),
    ScheduleExample("WX-36-four", {**BACKALLEY_CALL, "players": 4}, 13, {1: 1, 7: 7, 13: 1}),
    ScheduleExample("WX-45", THREE_TEAMS_9, 18, {9: 9, 10: 9, 18: 1}),
]

RAINBOWS = {"N": "AS 4H 9D 2C", "E": "KS QS JS TS", "S": "AH KH QH JH", "W": "3C 4C 5C 6C"}
LAST_JOKER = {
    "N": "AC KC QC LB 5C KD",
    "E": "2C 3C 4C 2S 3S 4S",
    "S": "6C 7C 8C 5S 6S 7S",
    "W": "9C TC JC 8S 9S TS",
}

BAB = [
    Example(
        "WX-1-dealer",
        "do 1 pass pass pass 9C TC JC QC\nnext-dealer E",
        hands={"E": "9C", "S": "TC", "W": "JC", "N": "QC"},
        dealer="N",
        top="7H",
        options=BAB_ONLINE,
    ),
    Example("WX-2-13", "legal pass 1..12 board", n=13, options=BAB_ONLINE),
    Example("WX-2-8", "legal pass 1..8 board", n=8, options=BAB_ONLINE),
    Example("WX-2-1", "legal pass 1 board", n=1, options=BAB_ONLINE),
    Example(
        "WX-3",
        "do pass board 3\nturn W\nlegal pass 1..5 board\ndo board\nlevel W 2",
        n=5,
        options=BAB_ONLINE,
    ),
    Example(
        "WX-4",
        "do 5 pass 4 pass\nsuppose 4 0 3 0\npoints NS 70\nsuppose 4 1 2 0\npoints NS -70",
        n=7,
        options=BAB_ONLINE,
    ),
    Example(
        "WX-5-number",
        """do 1 pass 1
        rainbows none
        do pass
        rainbows N
        suppose 2 1 1 0
        points NS 31 EW 1
        suppose 1 2 0 1
        points NS -10 EW 3""",
        hands=RAINBOWS,
        top="7H",
        options=BAB_ONLINE,
    ),
    Example(
        "WX-5-board",
        "do board pass 1 pass\nsuppose 2 0 2 0\npoints NS 90 EW 0\nsuppose 2 1 1 0\npoints NS -70 EW 1",
        hands=RAINBOWS,
        top="7H",
        options=BAB_ONLINE,
    ),
    *(
        Example(
            name,
            f"trump {trump}\ndo 1 pass pass pass\nrainbows {rainbows}",
            hands={"N": "LB 4C 9D KS", "E": "2S 3S 4S 5S", "S": "2H 3H 4H 5H", "W": "2D 3D 4D 5D"},
            top=top,
            options=BAB_ONLINE,
        )
        for name, top, trump, rainbows in (("WX-6-hearts", "7H", "H", "N"), ("WX-6-no-trump", "BB", "NT", "none"))
    ),
    Example(
        "WX-7",
        "do pass pass pass pass\nphase thrown_in\nnext-dealer W\ncarried 0 0 0 0",
        hands={"E": "AS 4H 9D 2C"},
        top="7H",
        options=BAB_ONLINE,
    ),
    Example(
        "WX-8-a", "trump H\ndo board pass pass pass\nlegal 3C", hands={"N": "AH 3C BB"}, top="7H", options=BAB_ONLINE
    ),
    Example("WX-8-b", "do board pass pass pass\nlegal AH BB", hands={"N": "AH BB"}, top="7H", options=BAB_ONLINE),
    Example(
        "WX-9-opponent",
        "do 1 pass pass pass BB\nturn E\nlegal AH",
        hands={"N": "BB 3H 4H", "E": "AH 2H KC"},
        top="7H",
        options=BAB_ONLINE,
    ),
    Example(
        "WX-9-partner",
        "do 1 pass pass pass BB 2C\nturn S\nlegal AH 2H",
        hands={"N": "BB 3H 4H", "E": "2C 3C 4C", "S": "AH 2H KC"},
        top="7H",
        options=BAB_ONLINE,
    ),
    Example(
        "WX-9-void",
        "do 1 pass pass pass BB 2C 3C\nturn W\nlegal KC 3D",
        hands={"N": "BB 3H", "E": "2C 4C", "S": "3C 5C", "W": "KC 3D"},
        top="7H",
        options=BAB_ONLINE,
    ),
    Example(
        "WX-10-E",
        "do 1 pass pass pass LB\nturn E\nlegal AH 2H",
        hands={"N": "LB 3H 4H", "E": "AH 2H KC"},
        top="7H",
        options=BAB_ONLINE,
    ),
    Example(
        "WX-10-W",
        "do 1 pass pass pass LB 2C 3C\nturn W\nlegal BB 4H",
        hands={"N": "LB 3H", "E": "2C 4C", "S": "3C 5C", "W": "BB 4H"},
        top="7H",
        options=BAB_ONLINE,
    ),
    Example(
        "WX-11",
        """trump NT
        do 1 pass pass pass
        do AC 2C 6C 9C KC 3C 7C TC QC 4C 8C JC
        turn N
        legal 5C KD""",
        hands=LAST_JOKER,
        top="BB",
        options=BAB_ONLINE,
    ),
]

APPS_AND_BOOKS = [
    Example(
        "WX-13",
        "burned BB LB\nturn-up 9D\ntrump D",
        n=13,
        dealer="2",
        top="BB LB 9D",
        options=EMW_SINGLES,
    ),
    Example("WX-14", "burned LB BB\nturn-up none\ntrump NT", n=13, top="LB BB", options=EMW_DOUBLES),
    Example("WX-15-exposed", "trump S\nturn-up none\ncut none\nstock 2", n=13, options=BOOK_SPADES),
    *(
        Example(
            f"WX-15-{letter}",
            f"do board pass pass pass 6S\nturn E\nlegal {legal}",
            hands={"N": "6S", "E": hand},
            options=BOOK_SPADES,
        )
        for letter, hand, legal in (("a", "BB 4D", "BB"), ("b", "2S BB AS", "2S BB AS"))
    ),
    Example("WX-17", "do 1 pass pass pass\nlegal 2C", hands={"N": "AS LB 2C"}, options=BOOK_SPADES),
    Example(
        "WX-19",
        """do board board pass board
        level W 3
        suppose 3 0 0 0
        points NS 30 EW -90
        suppose 0 1 0 2
        points NS -30 EW 90""",
        n=3,
        options=HFI_7,
    ),
    Example(
        "WX-20",
        """trump S
        burned BB
        turn-up 4S
        do 1 pass pass pass 2C AS KS LB
        turn W""",
        hands={"N": "2C 3C", "E": "AS 3D", "S": "KS 4D", "W": "LB 5D"},
        top="BB 4S",
        options=HFI_7,
    ),
]

DEALS = [
    *(
        Example(
            f"WX-49-{name}",
            f"""trump H
            do pass board board board
            level S 2
            level W 3
            turn W
            legal {legal}
            do 4S
            legal 9H AC
            do 9H
            legal KH 2D
            do KH
            legal LB 3C
            do LB
            turn S
            do 3C BB AC 2D
            tricks 0 0 1 1
            points NS {north_south} EW {east_west}""",
            hands={"N": "9H AC", "E": "KH 2D", "S": "LB 3C", "W": "BB 4S"},
            top="7H",
            options=options,
        )
        for name, options, legal, north_south, east_west in (
            ("bab_online", BAB_ONLINE, "4S", -80, -160),
            ("partnership", {}, "4S BB", -40, -60),
        )
    ),
    Example(
        "WX-50",
        """trump H
        do board pass pass pass
        turn N
        legal BB LB KH
        do BB
        legal AH
        do AH
        legal QH 3H
        do 3H
        legal 9C JS 4D
        do 9C LB
        legal 2H
        do 2H
        legal QH
        do QH JS
        turn N
        do KH 5C 8D 4D
        tricks 3 0 0 0
        points NS 60 EW 0""",
        hands={"N": "BB LB KH", "E": "AH 2H 5C", "S": "QH 3H 8D", "W": "9C JS 4D"},
        top="7H",
        options=BAB_ONLINE,
    ),
    Example(
        "WX-51",
        """trump H
        do 2 1 pass
        turn 0
        legal 9S
        do 9S
        legal BB 3D
        do BB AS
        turn 1
        do 3D 2C KH
        tricks 1 1 0
        points -6 3 0""",
        hands={"0": "KH 9S", "1": "BB 3D", "2": "AS 2C"},
        dealer="2",
        top="4H",
        options={**BACKALLEY_CALL, "players": 3},
    ),
]
