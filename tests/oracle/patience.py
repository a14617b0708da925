"""Streets and Alleys: lists of card names, and the rules one after the other as the specification has them.

Piles are numbered from 0 here, from 1 in the specification. A move is a tuple:

    ("up", p)          the top card of pile p to its foundation (SA-12)
    ("move", p, q, k)  the k top cards of pile p to pile q (SA-10, SA-11; k > 1: SA-20 to SA-24)
    ("back", suit, q)  the top card of a foundation to pile q (SA-13)
"""

import itertools

SUITS = "SHDC"
RANKS = "A23456789TJQK"
N_PILES = 8

DEFAULTS = {"auto_ace": True, "auto_play": False, "worry_back": False, "aces_up": False}
"""Options of SA-14, SA-15, SA-13 and SA-7. `layout` (SA-6) only moves the picture about."""

Move = tuple


def rank(card: str) -> int:
    """Return 1 for an ace to 13 for a king (SA-1)."""
    return RANKS.index(card[0]) + 1


def pack() -> list[str]:
    """Return the 52 cards (SA-1)."""
    return [name + suit for suit in SUITS for name in RANKS]


def complete(options: dict) -> dict:
    """Return all options.

    Raises:
        ValueError: for an unknown option, and for `worry_back` with `auto_play`: a card brought back that fits
            its foundation again flies up in the same moment (SA-15), so no move back would do anything.
    """
    unknown = set(options) - set(DEFAULTS) - {"layout"}
    if unknown:
        raise ValueError(f"unknown options: {sorted(unknown)}")
    found = DEFAULTS | options
    if found["worry_back"] and found["auto_play"]:
        raise ValueError("worry_back and auto_play exclude each other: what comes back would go up at once")
    return found


class Patience:
    """A game, either dealt from a deck or put up as a position.

    Args:
        options: differences from the defaults.
        deck: the cards in the order in which they are dealt. With `aces_up` aces in it are left out.
        piles: instead of a deck, the eight piles, each from base to top.
        foundation: with piles, the rank of the top card of each foundation; a suit not named has none.

    Automatic moves are made at once, after a deal (SA-14) as after a position is put up.

    Attributes:
        piles: the tableau.
        foundation: suit → rank of the top card, 0 without one (SA-2).
        n_moves: moves made; automatic ones count nothing, a supermove one (SA-14, SA-27).
    """

    def __init__(
        self,
        options: dict,
        deck: list[str] | None = None,
        piles: list[list[str]] | None = None,
        foundation: dict[str, int] | None = None,
    ):
        self.options = complete(options)
        self.n_moves = 0
        self.foundation = dict.fromkeys(SUITS, 0)
        if deck is not None:
            self.piles = self._deal(list(deck))
        else:
            self.piles = [list(pile) for pile in piles or []]
            self.foundation.update(foundation or {})
        self._refuse_bad_position()
        self._automatic_moves()

    def _deal(self, deck: list[str]) -> list[list[str]]:
        """Return the piles of a deal (SA-4); with `aces_up` the aces lie on the foundations before it (SA-7)."""
        if self.options["aces_up"]:
            self.foundation = dict.fromkeys(SUITS, 1)
            deck = [card for card in deck if rank(card) != 1]
        piles: list[list[str]] = [[] for _ in range(N_PILES)]
        for i, card in enumerate(deck):
            piles[i % N_PILES].append(card)
        return piles

    def _refuse_bad_position(self) -> None:
        played = [card for card in pack() if rank(card) <= self.foundation[card[1]]]
        lying = [card for pile in self.piles for card in pile]
        if len(self.piles) != N_PILES or sorted(lying + played) != sorted(pack()):
            raise ValueError("eight piles and the foundations must hold each card of the pack once")

    def fits_foundation(self, card: str) -> bool:
        """Return whether a card is the next one of its suit (SA-12)."""
        return rank(card) == self.foundation[card[1]] + 1

    def _automatic_moves(self) -> None:
        """Move what goes up by itself, always from the lowest pile first (SA-14, SA-15)."""
        while True:
            for pile in self.piles:
                if pile and self._goes_by_itself(pile[-1]):
                    self._put_up(pile.pop())
                    break  # and look again from the first pile on
            else:
                return

    def _goes_by_itself(self, card: str) -> bool:
        if self.options["auto_play"]:
            return self.fits_foundation(card)
        return self.options["auto_ace"] and rank(card) == 1

    def _put_up(self, card: str) -> None:
        self.foundation[card[1]] = rank(card)

    @property
    def empty_piles(self) -> list[int]:
        """The spaces, lowest number first."""
        return [p for p in range(N_PILES) if not self.piles[p]]

    def run_length(self, p: int) -> int:
        """Return how many top cards of a pile form a run (SA-21)."""
        pile = self.piles[p]
        length = min(1, len(pile))
        while 0 < length < len(pile) and rank(pile[-length - 1]) == rank(pile[-length]) + 1:
            length += 1
        return length

    def limit(self, q: int) -> int:
        """Return how many cards may go to a pile at once (SA-22); an empty target is not counted."""
        n_empty = len(self.empty_piles)
        return 2**n_empty if self.piles[q] else 2 ** (n_empty - 1)

    def legal_moves(self) -> set[Move]:
        """Return all moves, those that change nothing left out; none once the game is won."""
        if self.won:
            return set()
        ups = {("up", p) for p, pile in enumerate(self.piles) if pile and self.fits_foundation(pile[-1])}
        return ups | self._tableau_moves() | self._moves_back()

    def _tableau_moves(self) -> set[Move]:
        lengths = [self.run_length(p) for p in range(N_PILES)]
        limits = [self.limit(q) for q in range(N_PILES)]
        return {
            ("move", p, q, k)
            for p, q in itertools.permutations(range(N_PILES), 2)
            for k in range(1, min(lengths[p], limits[q]) + 1)
            if self._may_lie(p, q, k)
        }

    def _may_lie(self, p: int, q: int, k: int) -> bool:
        """Return whether the deepest of k cards may go to pile q (SA-23)."""
        if not self.piles[q]:  # SA-11; a whole pile in a space would be the same position (SA-E13)
            return k < len(self.piles[p])
        return rank(self.piles[p][-k]) == rank(self.piles[q][-1]) - 1  # SA-10

    def _moves_back(self) -> set[Move]:
        """Return the moves of SA-13. An ace stays up with `auto_ace`: it would go up again at once."""
        if not self.options["worry_back"]:
            return set()
        lowest = 2 if self.options["auto_ace"] else 1
        return {
            ("back", suit, q)
            for suit, top in self.foundation.items()
            for q, pile in enumerate(self.piles)
            if top >= lowest and (not pile or rank(pile[-1]) == top + 1)
        }

    def play(self, move: Move) -> None:
        """Make a move and the automatic ones after it.

        Raises:
            ValueError: if it is not among the legal moves.
        """
        if move not in self.legal_moves():
            raise ValueError(f"illegal move {move} (legal: {sorted(self.legal_moves(), key=str)})")
        if move[0] == "up":
            self._put_up(self.piles[move[1]].pop())
        elif move[0] == "move":
            _, p, q, k = move
            self.piles[q] += self.piles[p][-k:]
            del self.piles[p][-k:]
        else:
            _, suit, q = move
            self.piles[q].append(RANKS[self.foundation[suit] - 1] + suit)
            self.foundation[suit] -= 1
        self.n_moves += 1
        self._automatic_moves()  # once, also after many cards (SA-26)

    def expand(self, move: Move) -> list[Move]:
        """Return the single moves that a move stands for (SA-25)."""
        if move[0] != "move":
            return [move]
        _, p, q, k = move
        return expand(k, p, q, [space for space in self.empty_piles if space != q])

    @property
    def won(self) -> bool:
        """Whether all cards are up (SA-30)."""
        return all(top == len(RANKS) for top in self.foundation.values())

    @property
    def blocked(self) -> bool:
        """Whether the game is lost because nothing can move (SA-31)."""
        return not self.won and not self.legal_moves()

    @property
    def is_over(self) -> bool:
        """Whether the game is won or blocked; a hopeless one goes on (SA-32)."""
        return self.won or self.blocked

    @property
    def certain_win(self) -> bool:
        """Whether no pile ever rises from base to top, so that cards only need to go up (SA-33)."""
        return all(rank(low) >= rank(high) for pile in self.piles for low, high in itertools.pairwise(pile))

    @property
    def score(self) -> int:
        """Cards on the foundations (SA-34)."""
        return sum(self.foundation.values())


def expand(k: int, src: int, dst: int, spaces: list[int]) -> list[Move]:
    """Return the single moves that bring k cards from pile src to pile dst through these spaces (SA-25).

    Raises:
        ValueError: if the spaces do not suffice (SA-22).
    """
    if k == 1:
        return [("move", src, dst, 1)]
    if not spaces:
        raise ValueError(f"{k} cards need another empty pile")
    aside, rest = spaces[0], spaces[1:]
    q = max(1, k - 2 ** len(rest))
    return expand(q, src, aside, rest) + expand(k - q, src, dst, rest) + expand(q, aside, dst, rest)
