"""Cards as names (`TS`, `9H`, `BB`, `LB`): packs, effective suits, ranks, and who wins a trick."""

SUITS = "SHDC"
RANKS = "23456789TJQKA"
JOKERS = ("LB", "BB")
TRUMP = "trump"


def pack(deck: str) -> list[str]:
    """Return the cards of the pack `std54` (BA-1) or `short42`, which has no 2, 3 and 4 (BA-2)."""
    ranks = {"std54": RANKS, "short42": RANKS[3:]}[deck]
    return [rank + suit for suit in SUITS for rank in ranks] + list(JOKERS)


def effective_suit(card: str, trump: str | None, no_trump_joker: str) -> str | None:
    """Return `trump` for jokers and the trump suit, else the printed suit (BA-6).

    In a no-trump deal all cards keep their printed suit (BA-31). A joker still in play there is a trump of
    its own, or has no suit at all (BA-32).
    """
    if card in JOKERS:
        return TRUMP if trump is not None or no_trump_joker == "sole_trump" else None
    return TRUMP if card[1] == trump else card[1]


def strength(card: str) -> int:
    """Return the place of a card among cards of one effective suit, the higher the stronger (BA-3, BA-4)."""
    return len(RANKS) + JOKERS.index(card) if card in JOKERS else RANKS.index(card[0])


def led_suit(cards: list[str], trump: str | None, no_trump_joker: str) -> str | None:
    """Return the suit to follow: that of the first card that has one, a worthless joker has none (BA-32)."""
    for card in cards:
        suit = effective_suit(card, trump, no_trump_joker)
        if suit is not None:
            return suit
    return None


def trick_winner(trick: list[tuple[int, str]], trump: str | None, no_trump_joker: str) -> int:
    """Return the seat that wins a trick of (seat, card) pairs in order of play.

    The highest trump wins; without trumps the highest card of the suit led (BA-93). Worthless jokers win only
    among themselves (BA-32).
    """
    trumps = [(seat, card) for seat, card in trick if effective_suit(card, trump, no_trump_joker) == TRUMP]
    suit = led_suit([card for _, card in trick], trump, no_trump_joker)
    followed = [(seat, card) for seat, card in trick if effective_suit(card, trump, no_trump_joker) == suit]
    best_seat, _ = max(trumps or followed, key=lambda play: strength(play[1]))
    return best_seat
