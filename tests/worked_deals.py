"""The complete deals of section 23, and examples of what plays reveal."""

import presets
from examples import Example

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
        for name, options, east in (("highest", {}, "LB"), ("any_trump", presets.BB_PARTNER_ANY, "LB QS"))
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
        "X-109",
        """trump H
        do 2 1 pass pass
        turn N
        legal 2S 4C
        do 2S
        legal AH
        do AH
        legal QH
        do QH 5H
        turn N
        run N
        legal KH 4C
        do KH 3H 7D 8D
        do 4C 9C AC KC
        tricks 2 0 1 0
        own 20 -10 1 0
        points NS 21 EW -10""",
        hands={"N": "2S KH 4C", "E": "AH 3H 9C", "S": "QH AC 7D", "W": "5H KC 8D"},
        top="6H",
        options=presets.TWO_OF_SPADES,
    ),
    Example(
        "X-110",
        """trump H
        do 1 1 pass
        turn 0
        do 9S
        legal KH
        do KH
        legal AS
        do AS
        turn 1
        do 5D
        legal 6H
        do 6H
        legal 2D
        do 2D
        tricks 1 1 0
        points 3 3 0""",
        hands={"0": "9S 2D", "1": "KH 5D", "2": "6H AS"},
        dealer="2",
        top="4H",
        options={**presets.SOLO, "players": 3},
    ),
    Example(
        "X-111",
        """trump H
        do board pass board pass
        turn 0
        do 5C KD 2D AC
        tricks 0 0 1 0
        points -13 0 13 0""",
        hands={"0": "5C", "1": "KD", "2": "2D", "3": "AC"},
        dealer="3",
        top="4H",
        options=presets.SOLO,
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
        "X-114",
        """trump C
        do 1+rainbow pass 1 pass
        rainbows N
        turn N
        legal AS KH 6D
        do AS 7S 3S TS
        turn N
        do KH 9H JH QH
        turn N
        do 6D QD KD 2D
        turn S
        do 4D LB 2C 5C
        tricks 2 0 1 1
        points NS 51 EW 1""",
        hands={"N": "AS KH 6D 2C", "E": "7S 9H QD 5C", "S": "3S JH KD 4D", "W": "TS QH 2D LB"},
        top="8C",
        options=presets.RAINBOW,
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
        options=presets.INDIVIDUAL_3,
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
        options=presets.BB_PARTNER_ANY,
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
