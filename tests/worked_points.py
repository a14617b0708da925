"""The examples of section 23 on scoring. The dealer is W unless said, so N bids first."""

import presets
from examples import Example

FOUR = "AS 4H 9D 2C"
EIGHT = "AS KS 4H 3H 9D 8D 2C 3C"
LONG_SUITS = {
    "N": "AS KS QS JS TS 9S 8S 7S 6S 5S 2C 2D 2H",
    "E": "2S AC KC QC JC TC 9C 8C 7C 6C 5C 4C 3C",
    "S": "3S AD KD QD JD TD 9D 8D 7D 6D 5D 4D 3D",
    "W": "4S AH KH QH JH TH 9H 8H 7H 6H 5H 4H 3H",
}


def spades(ranks: str) -> str:
    """Return tricks of N's spades, to which the others play their suits from the 3 up."""
    lowest = "3456789TJQKA"
    return "".join(f"{rank}S {low}C {low}D {low}H " for rank, low in zip(ranks, lowest, strict=False))


SCORING = [
    Example(
        "X-71",
        """do 1 pass 4 pass
        suppose 3 8 2 0
        points NS 25 EW 8
        suppose 1 6 6 0
        points NS 27
        suppose 0 0 4 9
        points NS -25""",
        n=13,
    ),
    Example(
        "X-72",
        """do pass 1 3 pass
        suppose 3 4 0 0
        points NS 15 EW 8
        suppose 1 5 1 0
        points NS -15""",
        n=7,
    ),
    Example("X-73", "do pass 1 pass pass\nsuppose 2 1 2 0\npoints NS 4\nsuppose 0 5 0 0\npoints NS 0", n=5),
    Example(
        "X-74",
        "do 4 pass 4 pass\n" + "\n".join(f"suppose {t} {5 - t} 0 0\npoints NS -40" for t in range(6)),
        n=5,
    ),
    Example(
        "X-75",
        """do board pass pass pass
        suppose 3 0 2 0
        points NS 50
        suppose 4 1 0 0
        points NS -50""",
        n=5,
    ),
    Example(
        "X-76",
        """do board pass board pass
        level S 2
        suppose 3 0 0 0
        points NS 60
        suppose 1 0 1 1
        points NS -60 EW 1""",
        n=3,
    ),
    Example(
        "X-77",
        """do board board pass pass
        suppose 5 0 0 0
        points NS 50 EW -100
        suppose 0 3 0 2
        points NS -50 EW 100
        suppose 3 2 0 0
        points NS -50 EW -100""",
        n=5,
    ),
    Example(
        "X-78",
        """do board board board board
        suppose 1 0 3 0
        points NS 120 EW -160
        suppose 0 4 0 0
        points NS -120 EW 160
        suppose 2 0 0 2
        points NS -120 EW -160""",
        n=4,
    ),
    Example(
        "X-79",
        """do board 2 3 pass
        suppose 4 0 2 0
        points NS 60 EW -10
        suppose 4 1 0 1
        points NS -60 EW 10""",
        n=6,
    ),
    *(
        Example(
            f"X-80-{value}",
            f"do board 2 3 pass\nsuppose 4 1 0 1\npoints NS -60 EW {points}",
            n=6,
            options={"opponents_of_board": value},
        )
        for value, points in (("zero", 0), ("tricks_only", 2))
    ),
    Example(
        "X-81",
        """do board board board pass
        phase play
        level S 2
        level E 1
        suppose 2 0 4 0
        points NS 90 EW -60
        suppose 2 0 3 1
        points NS -90 EW -60""",
        n=6,
        options=presets.DOUBLE_BOARD,
    ),
    *(
        Example(
            name,
            f"trump NT\ndo boston pass pass pass AS 2S 3S 4S {plays}\nphase scored\npoints {points}",
            hands=LONG_SUITS,
            top="LB BB",
            options=presets.BOSTON,
        )
        for name, plays, points in (
            ("X-82-made", spades("KQJT98765") + "2C QC QD QH KC KD KH 2D AC AD AH 2H", "NS 104 EW 3"),
            (
                "X-82-failed",
                spades("KQJ")
                + "2C AC AD AH TC TD TH TS 9C 9D 9H 9S 8C 8D 8H 8S 7C 7D 7H 7S "
                + "6C 6D 6H 6S KC KD KH 5S QC QD QH 2D JC JD JH 2H",
                "NS -100 EW 9",
            ),
        )
    ),
    *(
        Example(
            name,
            f"trump NT\ndo boston pass pass pass AS 2S 3S 4S {spades('KQJT9')} {last}\npoints {points}",
            hands={
                "N": "AS KS QS JS TS 9S " + last.split()[0],
                "E": "2S 3C 4C 5C 6C 7C 8C",
                "S": "3S 3D 4D 5D 6D 7D 8D",
                "W": "4S 3H 4H 5H 6H 7H 8H",
            },
            top="LB BB",
            options=presets.BOSTON,
        )
        for name, last, points in (
            ("X-83-all", "8S 8C 8D 8H", "NS 101 EW 0"),
            ("X-83-six", "2C 8C 8D 8H", "NS 100 EW 1"),
        )
    ),
    *(
        Example(
            name,
            f"do 3+rainbow pass 1 pass\nrainbows N\nsuppose {tricks}\npoints NS {points}",
            hands={"N": EIGHT},
            top="7H",
            options=presets.RAINBOW_8_12,
        )
        for name, tricks, points in (("X-84", "2 3 3 0", 101), ("X-85", "2 5 1 0", 60), ("X-86", "1 4 3 0", -60))
    ),
    Example(
        "X-87",
        """do 1+rainbow pass pass pass
        suppose 1 3 0 0
        points NS 45
        suppose 0 1 2 1
        points NS -34""",
        hands={"N": FOUR},
        top="7H",
        options=presets.RAINBOW,
    ),
    Example(
        "X-88",
        """do 5+rainbow pass 3 pass
        suppose 3 4 5 0
        points NS 160
        suppose 2 4 6 0
        points NS -80""",
        hands={"N": "AS KS QS 4H 3H 2H 9D 8D TD 2C 3C 5C"},
        top="7H",
        options=presets.RAINBOW_8_12,
    ),
    Example(
        "X-89",
        """do pass+rainbow pass 2 pass
        suppose 1 2 1 0
        points NS 50
        suppose 1 2 0 1
        points NS 30""",
        hands={"N": FOUR},
        top="7H",
        options=presets.RAINBOW_FREE,
    ),
    Example(
        "X-90",
        """do 2 pass 3 pass
        suppose 6 1 0 0
        points NS 11 EW 1
        suppose 4 3 0 0
        points NS -10 EW 3""",
        n=7,
        options=presets.BLIND7,
    ),
    Example("X-90-pass", "do pass 1 pass pass\nsuppose 3 4 0 0\npoints NS 3", n=7, options=presets.BLIND7),
    Example(
        "X-91",
        "do 4 pass 2 pass\nsuppose 3 0 3 0\nown N -40 S 21\npoints NS -19",
        n=6,
        top="7H",
        options=presets.TWO_OF_SPADES,
    ),
    Example(
        "X-92",
        "do pass pass 3 pass\nsuppose 2 0 3 0\nown N 2 S 30\npoints NS 32",
        n=5,
        top="7H",
        options=presets.TWO_OF_SPADES,
    ),
    Example(
        "X-93",
        """do 1 board board board
        level E 1
        level S 2
        level W 3
        turn W
        do 5C 3C 4C AH
        tricks 0 0 1 0
        own -10 -20 30 -40
        points NS 20 EW -60""",
        hands={"N": "3C", "E": "4C", "S": "AH", "W": "5C"},
        top="7H",
        options=presets.TWO_OF_SPADES,
    ),
    Example(
        "X-94",
        "do board pass 2 pass\nsuppose 3 0 1 0\npoints NS 25\nsuppose 3 1 0 0\npoints NS -25",
        n=4,
        options=presets.ALL_BID,
    ),
    Example(
        "X-95",
        """do 3 pass 1 1
        suppose 4 2 0 0
        points N 10 E 2
        suppose 2 2 1 1
        points N -9 E 2""",
        n=6,
        options=presets.SOLO,
    ),
    Example(
        "X-96",
        "do board pass 1 pass\nsuppose 5 0 0 0\npoints N 30\nsuppose 4 1 0 0\npoints N -30",
        n=5,
        options=presets.SOLO,
    ),
    Example(
        "X-97",
        """do board pass pass pass
        suppose 1 0 0 0
        points 13 0 0 0
        suppose 0 1 0 0
        points -13 0 0 0""",
        n=1,
        options=presets.SOLO,
    ),
    Example(
        "X-98-five-cards",
        "do board pass 1 pass\nsuppose 5 0 0 0\npoints N 40\nsuppose 4 1 0 0\npoints N -40",
        n=5,
        options=presets.SOLO_18,
    ),
    Example(
        "X-98-one-card",
        "do board pass pass pass\nsuppose 1 0 0 0\npoints N 23\nsuppose 0 1 0 0\npoints N -23 E 0",
        n=1,
        options=presets.SOLO_18,
    ),
    Example(
        "X-99",
        "do 3+rainbow pass pass pass\nsuppose 2 6 0 0\npoints N 1",
        hands={"N": EIGHT},
        top="7H",
        options=presets.SOLO_18,
    ),
    Example(
        "X-100-number",
        "do 4 pass 1 pass\nsuppose 5 1 0 0\npoints N 21\nsuppose 2 4 0 0\npoints N -10",
        n=6,
        options=presets.SOLO_26,
    ),
    Example(
        "X-100-bort",
        "do board pass 1 pass\nsuppose 6 0 0 0\npoints N 60\nsuppose 5 1 0 0\npoints N -60",
        n=6,
        options=presets.SOLO_26,
    ),
    *(
        Example(
            name,
            f"""do 1+rainbow pass pass pass
            rainbows N
            do AS 3S 4S 5S 2C KC 3C 4C KD 2D 3D 9D KH 5H 6H {last}
            tricks 1 3 0 0
            points N {points}""",
            hands={"N": f"AS 9D 2C {last}", "E": "3S KC KD KH", "S": "4S 3C 2D 5H", "W": "5S 4C 3D 6H"},
            top="7H",
            options=presets.SOLO_26,
        )
        for name, last, points in (("X-101-true", "4H", 45), ("X-101-false", "KS", -35))
    ),
    Example(
        "X-102",
        "do board pass pass pass\nsuppose 4 0 6 0\npoints NS 100",
        n=10,
        options=presets.REDUCED_42,
    ),
    Example(
        "X-103",
        """do 1 pass 2 pass 2 pass
        suppose 2 1 0 2 3 0
        points 25 3 25 3 25 3
        suppose 1 1 3 3 0 0
        points -25 4 -25 4 -25 4""",
        n=8,
        dealer="5",
        options=presets.SIX_2X3,
    ),
    Example(
        "X-104",
        "do board board board board board\nsuppose 0 0 0 0 1\npoints -10 -20 -30 -40 50",
        n=1,
        dealer="4",
        options=presets.INDIVIDUAL_5,
    ),
    Example(
        "BA-52-cap",
        "do board board board board board\nturn 4\nsuppose 0 0 0 0 1\npoints -10 -20 -30 -40 40",
        n=1,
        dealer="4",
        options={**presets.INDIVIDUAL_5, "board_multiple_cap": 4},
    ),
]
