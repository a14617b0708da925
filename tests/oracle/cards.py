"""Cards as names (`TS`, `9H`, `BB`, `LB`): packs, effective suits, ranks, and who wins a trick."""

SUITS = "SHDC"
RANKS = "23456789TJQKA"
JOKERS = ("LB", "BB")
TRUMP = "trump"

HIGH_TWOS = {"none": None, "spade2": "2S", "diamond2": "2D", "diamond2_trump2": "2D"}
"""The two that ranks as highest trump (BA-5)."""


def pack(deck: str) -> list[str]:
    """Return the cards of a pack: `std54` (BA-1), `std52` without jokers, `short42` without 2, 3 and 4 (BA-2)."""
    ranks = RANKS[3:] if deck == "short42" else RANKS
    cards = [rank + suit for suit in SUITS for rank in ranks]
    return cards if deck == "std52" else cards + list(JOKERS)


def effective_suit(options: dict, trump: str | None, card: str) -> str | None:
    """Return `trump` for jokers, the high two and the trump suit, else the printed suit (BA-6).

    In a no-trump deal all cards keep their printed suit (BA-31). A joker still in play there is a trump of
    its own, or has no suit at all (BA-32).
    """
    if card in JOKERS:
        return TRUMP if trump is not None or options["no_trump_joker"] == "sole_trump" else None
    if trump is not None and (card[1] == trump or card == HIGH_TWOS[options["high_two"]]):
        return TRUMP
    return card[1]


def strength(options: dict, trump: str | None, card: str) -> int:
    """Return the place of a card among cards of one effective suit, the higher the stronger (BA-3 to BA-5)."""
    ace = RANKS.index("A")
    if card in JOKERS:
        return ace + 3 + JOKERS.index(card)
    if trump is not None and card == HIGH_TWOS[options["high_two"]]:
        return ace + 2
    if trump is not None and options["high_two"] == "diamond2_trump2" and card == "2" + trump:
        return ace + 1
    if trump is None and card == "2S" and options["high_two"] == "spade2" and options["no_trump_high_two"] == "high":
        return ace + 2  # BA-33
    return RANKS.index(card[0])


class Order:
    """How the cards of one deal rank: `suit` is the effective suit of each card, `strength` its place in it."""

    def __init__(self, options: dict, trump: str | None):
        self.trump = trump
        self.cards = pack(options["deck"])
        self.suit = {card: effective_suit(options, trump, card) for card in self.cards}
        self.strength = {card: strength(options, trump, card) for card in self.cards}

    def led_suit(self, cards: list[str]) -> str | None:
        """Return the suit to follow: that of the first card that has one, a worthless joker has none (BA-32)."""
        return next((self.suit[card] for card in cards if self.suit[card] is not None), None)

    def winner(self, trick: list[tuple[int, str]]) -> int:
        """Return the seat that wins a trick of (seat, card) pairs in order of play.

        The highest trump wins; without trumps the highest card of the suit led (BA-93). Worthless jokers win
        only among themselves (BA-32).
        """
        trumps = [(seat, card) for seat, card in trick if self.suit[card] == TRUMP]
        suit = self.led_suit([card for _, card in trick])
        followed = [(seat, card) for seat, card in trick if self.suit[card] == suit]
        best_seat, _ = max(trumps or followed, key=lambda play: self.strength[play[1]])
        return best_seat
