"""The worked examples of Streets and Alleys (section 6 there), as data, and how one is checked.

An `Example` is a deck or a position, and a script with one command a line, checked from top to bottom. Here piles
and moves are written as in the specification, from 1:

    T1>T3 T1>T3x2        one card, two cards from pile 1 to pile 3
    T1>F S>T2            from pile 1 to its foundation, from the foundation of spades to pile 2

    pile 1 AS 9S 4H      a whole pile, from base to top
    ends 1 KD AH         its top cards, and that there are more
    tops TC - 9S ...     top card of each pile, - for none
    foundation 1 0 0 0   ranks on the foundations of S H D C
    legal T1>T2 T3>F     all moves
    can T1>T3x2          moves that are among the legal ones ...
    cannot T1>T2x3       ... and some that are not, and are refused
    do T1>F T1>F         moves, each of them legal
    expand T1>T3x2: ...  the single moves it stands for; that they are legal and end in the same position
    counter 1            moves made
    score 52
    blocked yes, won no
"""

import re
from dataclasses import dataclass, field

import pytest
from oracle.patience import RANKS, SUITS, Move, pack, rank
from patience_adapter import AnyPatience

HIGHEST_PILE = 19
"""Six cards dealt below a king, and a run on it; no pile of a game is higher."""


@dataclass(frozen=True)
class Example:
    """One example: `id` as in the specification, with a letter where it has several cases.

    Attributes:
        deck: cards in the order of the deal; or else
        piles: pile number → cards, "" for an empty pile; `...` in front stands for cards below that do not
            matter. A pile not named has only such cards.
        foundation: suit → rank of its top card, 0 if not named.
    """

    id: str
    script: str
    deck: str = ""
    piles: dict[int, str] = field(default_factory=dict)
    foundation: dict[str, int] = field(default_factory=dict)
    options: dict[str, bool] = field(default_factory=dict)

    def start(self, make: type[AnyPatience]) -> AnyPatience:
        """Return the game of the example on an implementation."""
        if self.deck:
            return make(self.options, deck=self.deck.split())
        texts = [self.piles.get(number, "...") for number in range(1, 9)]
        shown = [[card for card in text.split() if card != "..."] for text in texts]
        piles = filled(shown, [text.startswith("...") for text in texts], self.foundation)
        for cards, pile in zip(shown, piles, strict=True):
            below = pile[: len(pile) - len(cards)]
            assert not (cards and below) or rank(below[-1]) != rank(cards[0]) + 1, f"{self.id}: longer run {pile}"
        return make(self.options, piles=piles, foundation=self.foundation)


def filled(shown: list[list[str]], is_open: list[bool], foundation: dict[str, int]) -> list[list[str]]:
    """Return piles with the cards that are nowhere yet below those shown, in the piles that are open to them.

    They rise from base to top, so that there is no run among them, and lie as evenly as possible.
    """
    seen = {card for cards in shown for card in cards}
    rest = [card for card in pack() if card not in seen and rank(card) > foundation.get(card[1], 0)]
    below: list[list[str]] = [[] for _ in shown]
    for card in sorted(rest, key=rank):
        height = [len(low) + len(cards) for low, cards in zip(below, shown, strict=True)]
        lowest = min((p for p in range(len(shown)) if is_open[p]), key=height.__getitem__)
        assert height[lowest] < HIGHEST_PILE
        below[lowest].append(card)
    return [low + cards for low, cards in zip(below, shown, strict=True)]


def parse_move(text: str) -> Move:
    """Return the move that a script writes so."""
    source, target, count = re.fullmatch(r"(T[1-8]|[SHDC])>(T[1-8]|F)(?:x(\d+))?", text).groups()
    if source in SUITS:
        return ("back", source, int(target[1]) - 1)
    p = int(source[1]) - 1
    return ("up", p) if target == "F" else ("move", p, int(target[1]) - 1, int(count or 1))


def parse_moves(words: list[str]) -> list[Move]:
    """Return several moves."""
    return [parse_move(word) for word in words]


def run(example: Example, make: type[AnyPatience]) -> None:
    """Play the script of an example on an implementation and check what it claims."""
    game = example.start(make)
    for line in example.script.strip().splitlines():
        command, *words = line.split()
        if command == "do":
            for move in parse_moves(words):
                assert move in game.legal_moves(), f"{example.id}: {move} in {line!r}"
                game.play(move)
        elif command == "cannot":
            _check_refused(game, parse_moves(words), example.id)
        elif command == "expand":
            _check_expansion(game, make, example, words)
        else:
            found, expected = _compared(game, command, words)
            assert found == expected, f"{example.id}: {line.strip()!r}, but found {found}"


def _compared(game: AnyPatience, command: str, words: list[str]) -> tuple[object, object]:
    """Return what the implementation says and what the script claims."""
    if command in ("pile", "ends"):
        pile, cards = game.piles[int(words[0]) - 1], words[1:]
        if command == "pile":
            return pile, cards
        return (len(pile) > len(cards), pile[-len(cards) :]), (True, cards)
    if command == "tops":
        return [pile[-1] if pile else "-" for pile in game.piles], words
    if command == "foundation":
        return game.foundation, dict(zip(SUITS, map(int, words), strict=True))
    if command == "legal":
        return game.legal_moves(), set(parse_moves(words))
    if command == "can":
        return game.legal_moves() & set(parse_moves(words)), set(parse_moves(words))
    if command in ("counter", "score"):
        return {"counter": game.n_moves, "score": game.score}[command], int(words[0])
    return {"blocked": game.blocked, "won": game.won}[command], {"yes": True, "no": False}[words[0]]


def _check_refused(game: AnyPatience, moves: list[Move], name: str) -> None:
    before = [list(pile) for pile in game.piles], dict(game.foundation), game.n_moves
    for move in moves:
        assert move not in game.legal_moves(), f"{name}: {move} is listed"
        with pytest.raises(ValueError, match=r"illegal|Illegal"):
            game.play(move)
    assert (game.piles, game.foundation, game.n_moves) == before


def _check_expansion(game: AnyPatience, make: type[AnyPatience], example: Example, words: list[str]) -> None:
    move, singles = parse_move(words[0].removesuffix(":")), parse_moves(words[1:])
    assert game.expand(move) == singles, f"{example.id}: {game.expand(move)}"
    slow, fast = example.start(make), example.start(make)
    fast.play(move)
    for single in singles:
        assert single in slow.legal_moves(), f"{example.id}: {single}"
        slow.play(single)
    assert (slow.piles, slow.foundation) == (fast.piles, fast.foundation), example.id
    assert (slow.n_moves, fast.n_moves) == (len(singles), 1), example.id


IN_ORDER = " ".join(name + suit for suit in "SHDC" for name in RANKS)
BLOCKED_AT_ONCE = """
7C 2C QC 2H QS 9C 5H 3D 5C 7S JH KD 6S 6C KS JS 8H TD 8D 7D 2D AC AH KH QH 6H 4H TC 5S TS 4D 4C 8C 7H 2S 5D TH AD
KC 3C 4S 8S JC JD 3S 3H 9S AS QD 6D 9H 9D
"""
NO_ACE_FLIES = {"auto_ace": False}

DEALS = [
    Example(
        "SA-E1",
        """
        pile 1 AS 9S 4H QH 7D 2C TC
        pile 2 2S TS 5H KH 8D 3C JC
        pile 3 3S JS 6H AD 9D 4C QC
        pile 4 4S QS 7H 2D TD 5C KC
        pile 5 5S KS 8H 3D JD 6C
        pile 6 6S AH 9H 4D QD 7C
        pile 7 7S 2H TH 5D KD 8C
        pile 8 8S 3H JH 6D AC 9C
        foundation 0 0 0 0
        counter 0
        score 0
        """,
        deck=IN_ORDER,
    ),
    Example(
        "SA-E2",
        """
        tops TC JC QC KC 6C 7C 8C 9C
        legal T1>T2 T2>T3 T3>T4 T5>T6 T6>T7 T7>T8 T8>T1
        blocked no
        """,
        deck=IN_ORDER,
    ),
    Example(
        "SA-E3",
        """
        pile 4 TC 2C 7D QH 4H 9S
        tops 4S 3S 2S 9S 8S 7S 6S 5S
        foundation 1 0 0 0
        counter 0
        score 1
        legal T3>F T3>T2 T2>T1 T1>T8 T8>T7 T7>T6 T6>T5 T5>T4
        do T3>F
        foundation 2 0 0 0
        counter 1
        """,
        deck=" ".join(reversed(IN_ORDER.split())),
    ),
    Example(
        "SA-E3-off",
        "pile 4 TC 2C 7D QH 4H 9S AS\nfoundation 0 0 0 0\ncan T4>F T4>T3\ncannot T3>F\ndo T4>F\ncounter 1",
        deck=" ".join(reversed(IN_ORDER.split())),
        options=NO_ACE_FLIES,
    ),
    Example(
        "SA-E10",
        """
        tops QD 6D 9H 9D 3S 3H 9S 3C
        foundation 1 0 0 0
        legal
        blocked yes
        won no
        score 1
        counter 0
        """,
        deck=BLOCKED_AT_ONCE,
    ),
]

MOVES = [
    Example(
        "SA-E4",
        """
        foundation 0 0 0 0
        do T1>T2
        ends 2 6H 5S
        ends 1 KD
        foundation 0 1 0 1
        tops KD 5S 9S 9H 9D 9C QS QH
        counter 1
        """,
        piles={
            1: "... KD AH AC 5S",
            2: "... 6H",
            3: "... 9S",
            4: "... 9H",
            5: "... 9D",
            6: "... 9C",
            7: "... QS",
            8: "... QH",
        },
    ),
    Example(
        "SA-E5-off",
        """
        tops 5H 6C 6H AS KD 2H 5C -
        can T1>T2 T1>T3 T5>T8 T4>T6
        cannot T2>T1 T5>T4 T6>T4
        do T4>T6
        ends 6 2H AS
        foundation 0 0 0 0
        """,
        piles={1: "... 5H", 2: "... 6C", 3: "... 6H", 4: "... QC AS", 5: "... KD", 6: "... 2H", 7: "... 5C", 8: ""},
        options=NO_ACE_FLIES,
    ),
    Example(
        "SA-E5-on",
        """
        tops 5H 6C 6H QC KD 2H 5C -
        foundation 1 0 0 0
        can T1>T2 T1>T3 T5>T8
        cannot T2>T1 T4>T6
        """,
        piles={1: "... 5H", 2: "... 6C", 3: "... 6H", 4: "... QC AS", 5: "... KD", 6: "... 2H", 7: "... 5C", 8: ""},
    ),
    *(
        Example(f"SA-E9-{name}", script, piles={2: "... 5D", 3: "... 6D"}, foundation={"S": 4}, options=options)
        for name, options, script in (
            ("off", {}, "cannot S>T2\nscore 4"),
            (
                "on",
                {"worry_back": True},
                "can S>T2\ncannot S>T3\ndo S>T2\nends 2 5D 4S\nfoundation 3 0 0 0\nscore 3\ncounter 1",
            ),
        )
    ),
    Example(
        "SA-E13",
        "tops KD - 9S 9H 9D QC QS QH\ncannot T1>T2\nlegal T3>T2 T4>T2 T5>T2 T6>T2 T6>T1 T7>T2 T7>T1 T8>T2 T8>T1",
        piles={1: "KD", 2: "", 3: "... 9S", 4: "... 9H", 5: "... 9D", 6: "... QC", 7: "... QS", 8: "... QH"},
    ),
    Example(
        "SA-E13-run",  # a whole pile in a space is as little a move as a single card
        "can T1>T2 T1>T3\ncannot T1>T2x2 T1>T3x2",
        piles={1: "KD QS", 2: "", 3: ""},
    ),
]

RUN = {1: "... 9S 8H 7C", 2: "... TD", 3: "... 9C"}
SUPERMOVES = [
    Example("SA-E6-1", "can T1>T3x2\ncannot T1>T2x3", piles={**RUN, 5: ""}),
    Example("SA-E6-2", "can T1>T3x2 T1>T2x3\ndo T1>T2x3\nends 2 TD 9S 8H 7C\ncounter 1", piles={**RUN, 5: "", 6: ""}),
    Example("SA-E7-2", "can T1>T5 T1>T5x2\ncannot T1>T5x3\ndo T1>T5x2\npile 5 8H 7C", piles={**RUN, 5: "", 6: ""}),
    Example("SA-E7-3", "can T1>T5x3\ndo T1>T5x3\npile 5 9S 8H 7C\ncounter 1", piles={**RUN, 5: "", 6: "", 7: ""}),
    Example(
        "SA-E8-2",
        "expand T1>T3x2: T1>T5 T1>T3 T5>T3\ndo T1>T3x2\nends 3 9C 8H 7C\nends 1 9S\npile 5\ncounter 1",
        piles={**RUN, 5: ""},
    ),
    Example(
        "SA-E8-4",
        """
        expand T1>T2x4: T1>T6 T1>T5 T6>T5 T1>T6 T1>T2 T6>T2 T5>T6 T5>T2 T6>T2
        do T1>T2x4
        ends 2 TD 9S 8H 7C 6D
        counter 1
        """,
        piles={1: "... 9S 8H 7C 6D", 2: "... TD", 5: "", 6: ""},
    ),
    Example(
        "SA-E8-ace",  # what the run lay on goes up after it, and counts nothing (SA-26)
        "expand T1>T3x2: T1>T5 T1>T3 T5>T3\ndo T1>T3x2\nends 3 9C 8H 7C\npile 1\nfoundation 1 0 0 0\ncounter 1",
        piles={1: "AS 8H 7C", 3: "... 9C", 5: ""},
    ),
]

TO_SPACE = "T3>T1 T4>T1 T5>T1 T6>T1 T7>T1 T8>T1"
TOPS = {3: "... 9H", 4: "... 9D", 5: "... 3S", 6: "... 3H", 7: "... 9S", 8: "... 3C"}
ENDS = [
    Example(
        "SA-E11",
        f"tops - 6D 9H 9D 3S 3H 9S 3C\nfoundation 1 0 0 0\nlegal T2>T1 {TO_SPACE}\nblocked no\nwon no",
        piles={1: "", 2: "... 6D", **TOPS},
        foundation={"S": 1},
    ),
    Example(
        "SA-E11-alone",  # a top with no card below it stays where it is
        f"tops - 6D 9H 9D 3S 3H 9S 3C\nlegal {TO_SPACE}\nblocked no\ndo T5>T1\npile 1 3S",
        piles={1: "", 2: "6D", **TOPS},
        foundation={"S": 1},
    ),
    *(
        Example(
            f"SA-E12{name}",
            script,
            piles={1: "KS KH QS JS", 2: "QH JH", 3: "KD QD", 4: "KC", **dict.fromkeys(range(5, 9), "")},
            foundation={"S": 10, "H": 10, "D": 11, "C": 12},
            options=options,
        )
        for name, options, script in (
            (
                "",
                {},
                """
                score 43
                won no
                do T1>F T1>F T2>F T2>F T1>F T1>F T3>F T3>F
                score 51
                won no
                do T4>F
                foundation 13 13 13 13
                counter 9
                won yes
                blocked no
                score 52
                legal
                """,
            ),
            (  # a game that is won is over, though kings could come back
                "-back",
                {"worry_back": True},
                "do T1>F T1>F T2>F T2>F T1>F T1>F T3>F T3>F\ncan S>T1\ndo T4>F\nwon yes\nblocked no\nlegal",
            ),
            ("-auto", {"auto_play": True}, "foundation 13 13 13 13\ncounter 0\nwon yes\nscore 52\nlegal"),
        )
    ),
]

EXAMPLES = [*DEALS, *MOVES, *SUPERMOVES, *ENDS]
