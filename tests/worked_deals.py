"""The examples of section 23 on scoring and the complete deals, and examples of what plays reveal."""

from examples import Example

INDIVIDUAL_3 = {"players": 3, "sides": "individual"}
INDIVIDUAL_5 = {"players": 5, "sides": "individual", "hand_max": 10}
ANY_TRUMP = {"bb_partner": "any_trump"}
SIX_2X3 = {"players": 6, "sides": "two_teams_of_3", "hand_max": 8}

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
        "X-90",
        """do 2 pass 3 pass
        suppose 6 1 0 0
        points NS 11 EW 1
        suppose 4 3 0 0
        points NS -10 EW 3""",
        n=7,
        options={"all_tricks_bid": "none", "score": "bid_plus_tricks"},
    ),
    Example(
        "X-102",
        "do board pass pass pass\nsuppose 4 0 6 0\npoints NS 100",
        n=10,
        options={"deck": "short42", "hand_max": 10},
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
        options=SIX_2X3,
    ),
    Example(
        "X-104",
        "do board board board board board\nsuppose 0 0 0 0 1\npoints -10 -20 -30 -40 50",
        n=1,
        dealer="4",
        options=INDIVIDUAL_5,
    ),
    Example(
        "BA-52-cap",
        "do board board board board board\nturn 4\nsuppose 0 0 0 0 1\npoints -10 -20 -30 -40 40",
        n=1,
        dealer="4",
        options={**INDIVIDUAL_5, "board_multiple_cap": 4},
    ),
]

DEALS = [
    Example(
        "X-106",
        """trump H
        do 1 pass 1 pass
        turn N
        legal AC
        do AC KC
        legal QD LB
        do QD 2C
        turn N
        legal 3H
        do 3H 5D
        legal LB
        do LB AD
        tricks 1 0 1 0
        points NS 10 EW 0""",
        hands={"N": "AC 3H", "E": "KC 5D", "S": "QD LB", "W": "2C AD"},
        top="7H",
    ),
    *(
        Example(
            f"X-107-{name}",
            f"""trump S
            turn W
            do board pass 1 pass
            turn W
            legal BB 4S AD
            do BB
            legal KS
            do KS
            legal {east}
            do LB
            legal TS
            do TS
            turn W
            do AD
            legal 2S 7C
            do 2S 3D 8C
            turn N
            do 7C QS 5H 4S
            tricks 1 1 0 1
            points EW -30 NS 1""",
            hands={"W": "BB 4S AD", "N": "KS 2S 7C", "E": "LB QS 3D", "S": "TS 8C 5H"},
            dealer="S",
            top="9S",
            options=options,
        )
        for name, options, east in (("highest", {}, "LB"), ("any_trump", ANY_TRUMP, "LB QS"))
    ),
    Example(
        "X-108",
        """trump D
        do board pass pass pass
        turn N
        do LB
        legal BB
        do BB
        legal 4D
        do 4D
        legal KD
        do KD
        turn E
        do 3C 5D QC AD
        tricks 1 1 0 0
        points NS -20 EW 1""",
        hands={"N": "LB AD", "E": "BB 3C", "S": "4D 5D", "W": "KD QC"},
        top="9D",
    ),
    Example(
        "X-112",
        """trump NT
        discarded BB
        holds E TD 9C
        do 1 1 pass pass
        turn N
        legal AC 4D
        do AC 9C 2C QC
        turn N
        do 4D TD KD AS
        tricks 1 0 1 0
        points NS 6 EW -5""",
        hands={"N": "AC 4D", "E": "BB 9C", "S": "KD 2C", "W": "QC AS"},
        top="LB TD",
    ),
    Example(
        "X-113",
        """do board board board board
        turn W
        legal 9H
        do 9H AC 3D KH
        tricks 0 0 1 0
        points NS 30 EW -40""",
        hands={"N": "AC", "E": "3D", "S": "KH", "W": "9H"},
        top="3H",
    ),
    Example(
        "X-115",
        """trump D
        turn 1
        do pass board pass
        turn 2
        do BB AS 4S
        tricks 0 0 1
        points 0 0 10""",
        hands={"1": "4S", "2": "BB", "0": "AS"},
        dealer="0",
        top="JD",
        options=INDIVIDUAL_3,
    ),
]

TWO_CARDS = {"N": "AC 2S", "E": "3C 4S", "S": "7H 5S", "W": "QD 6S"}

REVEALED = [
    Example(
        "BA-82-void",
        """do 1 pass pass pass AC 3C 7H QD
        perhaps E 4C BB
        never S 2C KC
        perhaps S 9H BB
        never W 2C
        perhaps W KH BB""",
        hands=TWO_CARDS,
        top="2H",
    ),
    Example(
        "BA-82-no-trumps",
        "do 1 pass pass pass 3H\ndo 3C\nnever E 4H AH LB BB\nperhaps E 4C 5D",
        hands={"N": "3H 4H", "E": "3C 4S"},
        top="2H",
    ),
    Example(
        "BA-77-tight",
        "do 1 pass pass pass 3H\nnever N 2C AC AS KD\nperhaps N 4H 2H BB LB",
        hands={"N": "3H 5H"},
        top="2H",
    ),
    Example(
        "BA-76-board",
        "do board pass pass pass 3H\nperhaps N 2C AC AS KD 4H BB",
        hands={"N": "3H 5H"},
        top="2H",
    ),
    Example(
        "BA-87-highest",
        "do board pass pass pass BB QH\nnever E KH AH LB\nperhaps E JH 3H 2C",
        hands={"N": "BB 2S", "E": "QH 9H"},
        top="2H",
    ),
    Example(
        "BA-88-lowest",
        "do board pass pass pass LB 9H\nnever E 8H 3H\nperhaps E TH AH BB 2C",
        hands={"N": "LB 2S", "E": "QH 9H"},
        top="2H",
    ),
    Example(
        "BA-88-big-one",
        "do board pass pass pass LB BB\nnever E AH 3H\nperhaps E AS 2C",
        hands={"N": "LB 2S", "E": "BB 9C"},
        top="2H",
    ),
    Example(
        "BA-90-any-trump",
        "do board pass pass pass BB 4S 9H\nperhaps S AH 3H LB 2C",
        hands={"N": "BB 2S", "E": "4S 5S", "S": "9H QH"},
        top="2H",
        options=ANY_TRUMP,
    ),
    Example(
        "BA-90-lowest",
        "do board pass pass pass BB 4S 9H\nnever S 8H 3H\nperhaps S AH LB 2C",
        hands={"N": "BB 2S", "E": "4S 5S", "S": "9H QH"},
        top="2H",
        options={"bb_partner": "lowest"},
    ),
    Example(
        "BA-29-joker-kept",
        "do 1 pass pass pass AC 4C 5C\nperhaps E BB\nperhaps S BB\ndo BB\nnever W 2C KC",
        hands={"N": "AC 2S", "E": "4C 3S", "S": "5C 4S", "W": "BB 5S"},
        top="LB",
        options={"joker_turned": "keep"},
    ),
]
