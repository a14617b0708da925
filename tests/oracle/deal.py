"""One deal from the cards to the points, as the state machine of section 17 tells it."""

from oracle.cards import JOKERS, TRUMP, effective_suit, led_suit, pack, trick_winner
from oracle.legal import legal_follow, legal_lead
from oracle.options import complete, side_of
from oracle.scoring import deal_points


class Deal:
    """A deal in progress.

    Attributes:
        phase: `bid`, `play`, `thrown_in` or `scored`.
        turn: seat to act, None when the deal is over.
        trump: `S`, `H`, `D`, `C`, or None in a no-trump deal.
        hands, stock: cards of each seat, and the undealt cards in order.
        turn_up: the card that fixed trumps, None if there is none.
        burned, discarded: jokers put under the stock (BA-28), joker exchanged (BA-26): all public.
        bids, multiples: bid of each seat so far; multiple of each seat that bid a board.
        leader, trick: who leads the current trick, and its (seat, card) pairs in order.
        tricks: the completed tricks.
        broken: whether trumps were broken in a completed trick (BA-75).
        tricks_won: per seat.
        excluded: per seat the cards its plays have shown it cannot hold.
        next_dealer: who deals after this deal, whether it is scored or thrown in.
    """

    def __init__(self, options: dict, deck: list[str], dealer: int, hand_size: int):
        self.options = complete(options)
        self.players = self.options["players"]
        self.dealer = dealer
        self.hand_size = hand_size
        if sorted(deck) != sorted(pack(self.options["deck"])):
            raise ValueError("the deck is not a permutation of the pack")
        if self.players * hand_size > len(deck):
            raise ValueError("not enough cards (BA-18)")
        self._deal_cards(deck)
        self._fix_trumps()
        self.phase = "bid"
        self.turn = self._left(dealer)  # BA-39
        self.bids: dict[int, str] = {}
        self.multiples: dict[int, int] = {}
        self.leader: int | None = None
        self.trick: list[tuple[int, str]] = []
        self.tricks: list[list[tuple[int, str]]] = []
        self.broken = False
        self.tricks_won = [0] * self.players
        self.excluded: list[set[str]] = [set() for _ in range(self.players)]
        self.next_dealer: int | None = None

    def _left(self, seat: int) -> int:
        """The next seat clockwise (BA-8)."""
        return (seat + 1) % self.players

    # ---- dealing and trumps (sections 3 to 5) ----

    def _deal_cards(self, deck: list[str]) -> None:
        """Deal one card at a time, clockwise from the dealer's left, until the hands are full."""
        self.hands: list[list[str]] = [[] for _ in range(self.players)]
        self.stock = list(deck)
        seat = self._left(self.dealer)
        for _ in range(self.players * self.hand_size):
            self.hands[seat].append(self.stock.pop(0))
            seat = self._left(seat)

    def _fix_trumps(self) -> None:
        self.turn_up: str | None = None
        self.discarded: str | None = None
        self.burned: list[str] = []
        self.trump: str | None = None
        self.jokers_gone = False
        if self.options["trump_source"] == "fixed_spades":  # BA-23
            self.trump = "S"
            return
        if not self.stock:
            raise ValueError("no card to turn up: the oracle does not know the cut (BA-22)")
        if self.options["joker_turned"] == "burn":  # BA-28
            while self.stock[0] in JOKERS and self.stock[0] not in self.burned:
                self.burned.append(self.stock[0])
                self.stock.append(self.stock.pop(0))
            if self.stock[0] in JOKERS:  # no further card can be turned: no trumps
                return
        self.turn_up = self.stock.pop(0)  # BA-21
        if self.turn_up not in JOKERS:
            self.trump = self.turn_up[1]
        elif self.options["joker_turned"] == "exchange":  # BA-25; BA-29 `keep` leaves the other joker alone
            self._exchange_joker()

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

    # ---- what may be done ----

    def legal(self) -> set[str]:
        """Return the legal moves of the seat to act: bids, or card names."""
        if self.phase == "bid":
            return self.legal_bids()
        if self.phase == "play":
            return self.legal_cards(self.hands[self.turn])
        return set()

    def legal_bids(self) -> set[str]:
        """Return `pass`, the numbers (BA-43) and `board` (BA-47, BA-49), whatever was bid before (BA-41)."""
        board_exists = self.options["all_tricks_bid"] == "board"
        highest = {
            "auto": self.hand_size - 1 if board_exists else self.hand_size,
            "cards_minus_1": self.hand_size - 1,
            "cards": self.hand_size,
        }[self.options["number_max"]]
        bids = {"pass"} | {str(number) for number in range(1, highest + 1)}
        return bids | {"board"} if board_exists else bids

    def legal_cards(self, hand: list[str]) -> set[str]:
        """Return what the seat to act might play if it held `hand`."""
        if not self.trick:
            return legal_lead(self.options, self.trump, hand, self.broken or self.has_board_right(self.turn))
        leader_is_partner = side_of(self.options, self.leader) == side_of(self.options, self.turn)
        cards = [card for _, card in self.trick]
        return legal_follow(self.options, self.trump, hand, cards, leader_is_partner)

    def has_board_right(self, seat: int) -> bool:
        """Return whether boards let this seat lead trumps (BA-76)."""
        if self.options["board_trump_lead"] == "anyone":
            return len(self.multiples) > 0
        if self.options["board_trump_lead"] == "side":
            return any(side_of(self.options, s) == side_of(self.options, seat) for s in self.multiples)
        return seat in self.multiples

    # ---- doing it ----

    def play(self, move: str) -> None:
        """Make a legal move."""
        if move not in self.legal():
            raise ValueError(f"{move} is not legal: {sorted(self.legal())}")
        if self.phase == "bid":
            self._bid(move)
        else:
            self._play_card(move)

    def _bid(self, bid: str) -> None:
        self.bids[self.turn] = bid
        if bid == "board":
            # BA-48: the multiple is the ordinal among the boards of the whole table. BA-52: the cap.
            ordinal = len(self.multiples) + 1
            cap = self.options["board_multiple_cap"]
            self.multiples[self.turn] = ordinal if cap is None else min(ordinal, cap)
        self.turn = self._left(self.turn)
        if len(self.bids) < self.players:
            return
        if all(b == "pass" for b in self.bids.values()):  # BA-67
            self.phase, self.turn = "thrown_in", None
            same_dealer = self.options["all_pass"] == "same_dealer"
            self.next_dealer = self.dealer if same_dealer else self._left(self.dealer)
            return
        self.phase = "play"
        self.leader = self.turn = self.first_leader()

    def first_leader(self) -> int:
        """Return who leads to the first trick (BA-70, BA-71); `bids` is in bidding order."""
        boarders = [seat for seat, bid in self.bids.items() if bid == "board"]
        if boarders:  # the highest multiple is the last board
            return boarders[-1]
        numbers = {seat: int(bid) for seat, bid in self.bids.items() if bid != "pass"}
        return next(seat for seat in numbers if numbers[seat] == max(numbers.values()))  # ties: the earliest

    def _play_card(self, card: str) -> None:
        self.excluded[self.turn] |= self.excluded_by(card)
        self.hands[self.turn].remove(card)
        self.trick.append((self.turn, card))
        self.turn = self._left(self.turn)
        if len(self.trick) == self.players:
            self._finish_trick()

    def _finish_trick(self) -> None:
        winner = trick_winner(self.trick, self.trump, self.options["no_trump_joker"])
        self.tricks_won[winner] += 1
        self.broken = self.broken or self._breaks()
        self.tricks.append(self.trick)
        self.trick = []
        self.leader = self.turn = winner  # BA-73
        if len(self.tricks) == self.hand_size:  # BA-94
            self.phase, self.leader, self.turn = "scored", None, None
            self.next_dealer = self._left(self.dealer)  # BA-11

    def _breaks(self) -> bool:
        """Return whether the finished trick breaks trumps (BA-75); in no-trump deals nothing does (BA-31)."""
        if self.trump is None:
            return False
        cards = [card for _, card in self.trick]
        trump_played = any(self.suit(card) == TRUMP for card in cards)
        if self.options["broken_by"] == "ruff_only":
            return trump_played and self.suit(cards[0]) != TRUMP
        return trump_played

    def suit(self, card: str) -> str | None:
        """Return the effective suit of a card in this deal (BA-6)."""
        return effective_suit(card, self.trump, self.options["no_trump_joker"])

    def suit_to_follow(self) -> str | None:
        """Return the suit led to the current trick."""
        return led_suit([card for _, card in self.trick], self.trump, self.options["no_trump_joker"])

    @property
    def last_trick_winner(self) -> int | None:
        """Who won the last completed trick."""
        if not self.tricks:
            return None
        return trick_winner(self.tricks[-1], self.trump, self.options["no_trump_joker"])

    def points(self) -> list[int]:
        """Return the points of each seat's side; to be asked when the deal is scored."""
        return deal_points(self.options, self.hand_size, self.bids, self.multiples, self.tricks_won)

    # ---- what everybody can conclude ----

    def excluded_by(self, card: str) -> set[str]:
        """Return the cards the seat to act cannot hold if it plays `card`: with them `card` would be illegal.

        No rule makes a card illegal only because of two others together, so pairs are enough.
        """
        others = [other for other in pack(self.options["deck"]) if other != card]
        return {other for other in others if card not in self.legal_cards([card, other])}


def cannot_hold(deal: Deal, seat: int) -> set[str]:
    """Return the cards that are publicly known not to be in a seat's hand because of what it played.

    After the exchange of a turned joker nobody holds one (BA-26). Cards that lie open (played, turned up,
    discarded, burned) are left to the reader.
    """
    return deal.excluded[seat] | (set(JOKERS) if deal.jokers_gone else set())
