"""Before the bidding: dealing, what fixes trumps, the exchange of jokers, and hands thrown in (sections 3 to 5)."""

from oracle.cards import JOKERS, TRUMP, pack


def is_cut(options: dict, hand_size: int) -> bool:
    """Return whether the pack is cut for trumps: without a stock (BA-22), or from so many cards on (BAW-3)."""
    if options["trump_source"] != "turn_up":
        return False
    if options["cut_min_cards"] is not None and hand_size >= options["cut_min_cards"]:
        return True
    has_stock = options["players"] * hand_size < len(pack(options["deck"]))
    return not has_stock and options["no_stock_trump"] == "cut"


class Layout:
    """Where the cards are after the deal and which suit is trumps.

    Attributes:
        hands, stock: cards of each seat, and the undealt cards in order.
        cut, turn_up: the card that fixed trumps: cut and still in play, or turned up; None if there is none.
        trump: suit, or None.
        burned, discarded: jokers put under the stock (BA-28), joker exchanged (BA-26).
        jokers_gone: whether everybody knows that no joker is in a hand.
    """

    def __init__(self, options: dict, deck: list[str], dealer: int, hand_size: int, cut: str | None):
        players = options["players"]
        if sorted(deck) != sorted(pack(options["deck"])):
            raise ValueError("the deck is not a permutation of the pack")
        if players * hand_size > len(deck):
            raise ValueError("not enough cards (BA-18)")
        self.hands: list[list[str]] = [[] for _ in range(players)]
        self.stock = list(deck)
        for i in range(players * hand_size):  # one card at a time, clockwise from the dealer's left
            self.hands[(dealer + 1 + i) % players].append(self.stock.pop(0))
        self.cut: str | None = None
        self.turn_up: str | None = None
        self.trump: str | None = None
        self.burned: list[str] = []
        self.discarded: str | None = None
        self.jokers_gone = False
        if options["trump_source"] == "fixed_spades":  # BA-23
            self.trump = "S"
        elif is_cut(options, hand_size):
            if cut not in deck or cut in JOKERS:
                raise ValueError(f"this deal is cut for trumps (BA-22): {cut!r} is not a suit card of the pack")
            self.cut = cut
            self.trump = trump_shown(options, cut)
        elif self.stock:
            self._turn_up(options)

    def _turn_up(self, options: dict) -> None:
        if options["joker_turned"] == "burn":  # BA-28
            while self.stock[0] in JOKERS and self.stock[0] not in self.burned:
                self.burned.append(self.stock[0])
                self.stock.append(self.stock.pop(0))
            if self.stock[0] in JOKERS:  # no further card can be turned: no trumps
                return
        self.turn_up = self.stock.pop(0)  # BA-21
        self.trump = trump_shown(options, self.turn_up)
        if self.turn_up in JOKERS and options["joker_turned"] == "exchange":
            self._exchange_joker()  # BA-25; BA-29 `keep` leaves the other joker alone

    def _exchange_joker(self) -> None:
        """The holder of the other joker discards it and takes the next stock card (BA-26, BA-27)."""
        other = JOKERS[1] if self.turn_up == JOKERS[0] else JOKERS[0]
        if not self.stock:  # BA-30
            return
        for hand in self.hands:
            if other in hand:
                hand[hand.index(other)] = self.stock.pop(0)
                self.discarded = other
        self.jokers_gone = True


def trump_shown(options: dict, card: str) -> str | None:
    """Return the trump suit that an exposed card fixes: none by a joker, none by the high two of spades (BA-24)."""
    if card in JOKERS or (card == "2S" and options["high_two"] == "spade2"):
        return None
    return card[1]


def is_void_deal(options: dict, hand_size: int, hands: list[list[str]], suit: dict, trump: str | None) -> bool:
    """Return whether a hand without trumps throws in the deal (BA-38)."""
    if not options["void_redeal"] or hand_size < options["void_min_cards"] or trump is None:
        return False
    return any(all(suit[card] != TRUMP for card in hand) for hand in hands)


def may_redeal(options: dict, hand_size: int, hand: list[str], suit: dict) -> bool:
    """Return whether a hand has neither honour nor trump, so that a new deal may be demanded (BA-36, BA-37)."""
    if not options["redeal_right"] or hand_size < options["redeal_min_cards"] or hand_size in options["blind_sizes"]:
        return False
    return all(card[0] not in "AKQJ" and suit[card] != TRUMP for card in hand)
