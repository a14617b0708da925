"""One deal from the cards to the points, as the state machine of section 17 tells it."""

from oracle import bidding, rainbow
from oracle.cards import JOKERS, TRUMP, Order
from oracle.first_lead import first_leader
from oracle.legal import jokers_wait, legal_follow, legal_lead
from oracle.options import complete, side_of
from oracle.scoring import FIRST_TRICKS, Result
from oracle.settlement import Settlement
from oracle.start import Layout, is_void_deal, may_redeal


class Deal:
    """A deal in progress.

    `cut` is the card that a cut exposes, not read in a deal that is not cut; `bags` what each seat has counted
    before this deal (BAW-17); `carried` what each seat is owed from hands thrown in (BA-66, `paid`).

    Attributes:
        phase: `redeal_offer`, `bid`, `raise`, `play`, `thrown_in` or `scored`.
        turn: seat to act, None when the deal is over.
        trump: `S`, `H`, `D`, `C`, or None in a no-trump deal.
        hands, stock: cards of each seat, and the undealt cards in order.
        turn_up, cut: the card that fixed trumps, turned up or cut; None if there is none.
        burned, discarded: jokers put under the stock (BA-28), joker exchanged (BA-26): all public.
        bids: bid of each seat so far, in bidding order; see `oracle.bidding`.
        multiples: level of each seat's all-tricks bid.
        leader, trick: who leads the current trick, and its (seat, card) pairs in order.
        tricks, played: the completed tricks, and all cards played so far.
        broken: whether trumps were broken in a completed trick (BA-75).
        run: the seat on the run of the two of spades (BA-79).
        tricks_won, first_six: per seat, all tricks and those among the first six.
        holds_rainbow: per seat whether its hand was dealt a rainbow.
        rainbows: seats whose rainbow everybody knows of: announced, or shown in the mode `auto`.
        excluded: per seat the cards its plays have shown it cannot hold.
        infers: whether `excluded` is kept, which takes most of the time.
        next_dealer: who deals after this deal, whether it is scored or thrown in.
    """

    def __init__(
        self,
        options: dict,
        deck: list[str],
        dealer: int,
        hand_size: int,
        cut: str | None = None,
        bags: list[int] | None = None,
        carried: list[int] | None = None,
    ):
        self.options = complete(options)
        self.players = self.options["players"]
        self.dealer = dealer
        self.hand_size = hand_size
        self.bags = list(bags or [0] * self.players)
        self.carried = list(carried or [0] * self.players)
        self._take(Layout(self.options, deck, dealer, hand_size, cut))
        self.order = Order(self.options, self.trump)
        self.is_blind = hand_size in self.options["blind_sizes"]  # BA-69
        self.holds_rainbow = [rainbow.is_rainbow(self.options, self.order, hand) for hand in self.hands]
        self.rainbows: set[int] = set()
        self.bids: dict[int, str] = {}
        self.multiples: dict[int, int] = {}
        self.leader: int | None = None
        self.trick: list[tuple[int, str]] = []
        self.tricks: list[list[tuple[int, str]]] = []
        self.played: set[str] = set()
        self.broken = False
        self.run: int | None = None
        self.tricks_won = [0] * self.players
        self.first_six = [0] * self.players
        self.excluded: list[set[str]] = [set() for _ in range(self.players)]
        self.infers = True
        self.next_dealer: int | None = None
        self._start()

    def _take(self, layout: Layout) -> None:
        self.hands, self.stock = layout.hands, layout.stock
        self.cut, self.turn_up, self.trump = layout.cut, layout.turn_up, layout.trump
        self.burned, self.discarded, self.jokers_gone = layout.burned, layout.discarded, layout.jokers_gone

    def _left(self, seat: int) -> int:
        """The next seat clockwise (BA-8)."""
        return (seat + 1) % self.players

    def side(self, seat: int) -> int:
        """Return the side of a seat."""
        return side_of(self.options, seat)

    # ---- phases before the play ----

    def _start(self) -> None:
        """Throw in a deal with a void hand, offer a new deal, or begin the bidding (BA-34)."""
        if is_void_deal(self.options, self.hand_size, self.hands, self.order.suit, self.trump):
            self._throw_in(self.options["void_dealer"] == "same")
            return
        self.waiting: list[int] = []  # seats still to be asked outside the ordinary turns
        if self.options["redeal_timing"] == "before_bidding":
            bidding_order = [(self.dealer + 1 + i) % self.players for i in range(self.players)]
            self.waiting = [seat for seat in bidding_order if self.may_redeal(seat)]
        self._ask_next("redeal_offer")

    def _ask_next(self, phase: str) -> None:
        """Ask the next waiting seat, and when there is none go on to the bidding or the play."""
        if self.waiting:
            self.phase, self.turn = phase, self.waiting.pop(0)
        elif phase == "redeal_offer":
            self.phase = "bid"
            self._ask_for_bid(self._left(self.dealer))  # BA-39
        else:
            self._end_bidding()

    def _ask_for_bid(self, seat: int) -> None:
        self.turn = seat
        if self.options["rainbow_reveal"] == "bid_turn" and not self.is_blind:
            self._show_rainbows([seat])

    def _show_rainbows(self, seats: list[int]) -> None:
        if self.options["rainbow"] == "auto":  # BAW-12
            self.rainbows |= {seat for seat in seats if self.holds_rainbow[seat]}

    def _throw_in(self, same_dealer: bool) -> None:
        self.phase, self.turn = "thrown_in", None
        self.next_dealer = self.dealer if same_dealer else self._left(self.dealer)

    def may_redeal(self, seat: int) -> bool:
        """Return whether a seat may demand a new deal (BA-36)."""
        return may_redeal(self.options, self.hand_size, self.hands[seat], self.order.suit)

    def _bid(self, bid: str) -> None:
        self.bids[self.turn] = bid
        if bidding.base(bid) == "board":
            self.multiples[self.turn] = self._next_level()
        if bid.endswith(bidding.RAINBOW):
            self.rainbows.add(self.turn)
        if len(self.bids) < self.players:
            self._ask_for_bid(self._left(self.turn))
        else:
            self.waiting = bidding.raisers(self.options, self.bids)
            self._ask_next("raise")

    def _next_level(self) -> int | None:
        return bidding.next_level(self.options, self.hand_size, self.bids, self.multiples, self.turn)

    def _raise(self) -> None:
        """Replace the bid by a double board, an announced rainbow stays announced (BA-55)."""
        announced = self.bids[self.turn].endswith(bidding.RAINBOW)
        self.bids[self.turn] = "board" + (bidding.RAINBOW if announced else "")
        self.multiples[self.turn] = 2

    def _end_bidding(self) -> None:
        self._show_rainbows(list(range(self.players)))
        if self.is_passed_out() and self.options["all_pass"] != "play":  # BA-67
            self._throw_in(self.options["all_pass"] == "same_dealer")
            return
        self.phase = "play"
        self.leader = self.turn = self.first_leader()

    def is_passed_out(self) -> bool:
        """Return whether all seats have passed; a rainbow of the mode `required` is a number."""
        bids = [bidding.base(bid) for bid in self.bids.values()]
        return len(bids) == self.players and set(bids) == {"pass"}

    def first_leader(self) -> int:
        """Return who leads to the first trick (BA-70)."""
        left = self._left(self.dealer)
        return first_leader(self.options, self.hand_size, self.bids, self.multiples, left)

    # ---- what may be done ----

    def legal(self) -> set[str]:
        """Return the legal moves of the seat to act: bids, answers, or card names."""
        if self.phase == "redeal_offer":
            return {"keep", "redeal"}
        if self.phase == "bid":
            return self.legal_bids()
        if self.phase == "raise":
            return {"raise", "no_raise"}
        if self.phase == "play":
            return self.legal_cards(self.hands[self.turn])
        return set()

    def legal_bids(self) -> set[str]:
        """Return the bids at an ordinary turn, and `redeal` if it is claimed there (BA-37)."""
        bids = bidding.plain_bids(self.options, self.hand_size, self.bids, self.multiples, self.turn)
        bids |= rainbow.announcements(self.options, self.hand_size, bids, self.holds_rainbow[self.turn])
        if self.options["dealer_hook"] and len(self.bids) == self.players - 1:
            bids = bidding.without_hooked(self.hand_size, self.bids, bids)
        if self.options["redeal_timing"] == "own_turn" and self.may_redeal(self.turn):
            bids = bids | {"redeal"}
        return bids

    def legal_cards(self, hand: list[str]) -> set[str]:
        """Return what the seat to act might play if it held `hand`."""
        if not self.trick:
            right = self.broken or (self.trump is not None and self.has_board_right(self.turn))
            return legal_lead(self.options, self.order, hand, right, self.run == self.turn)
        leader_is_partner = self.side(self.leader) == self.side(self.turn)
        return legal_follow(self.options, self.order, hand, [card for _, card in self.trick], leader_is_partner)

    def has_board_right(self, seat: int) -> bool:
        """Return whether a board, or his own boston, lets this seat lead trumps (BA-76)."""
        if self.options["boston_trump_lead"] and self.bids[seat] == "boston":
            return True
        if self.options["board_trump_lead"] == "anyone":
            return len(self.multiples) > 0
        if self.options["board_trump_lead"] == "side":
            return any(self.side(other) == self.side(seat) for other in self.multiples)
        return self.options["board_trump_lead"] == "bidder" and seat in self.multiples  # BAW-8: nobody

    def knows_own_hand(self, seat: int) -> bool:
        """Return whether a seat may look at its hand: in blind deals after the last bid (BA-69)."""
        return not self.is_blind or self.phase not in ("redeal_offer", "bid", "raise")

    # ---- doing it ----

    def play(self, move: str) -> None:
        """Make a legal move."""
        if move not in self.legal():
            raise ValueError(f"{move} is not legal: {sorted(self.legal())}")
        if move == "redeal":
            self._throw_in(self.options["redeal_dealer"] == "same")
        elif move == "keep":
            self._ask_next("redeal_offer")
        elif self.phase == "bid":
            self._bid(move)
        elif self.phase == "raise":
            if move == "raise":
                self._raise()
            self._ask_next("raise")
        else:
            self._play_card(move)

    def _play_card(self, card: str) -> None:
        if self.infers:
            self.excluded[self.turn] |= self.excluded_by(card)
        if not self.trick:
            self._follow_run(card)
        self.hands[self.turn].remove(card)
        self.played.add(card)
        self.trick.append((self.turn, card))
        self.turn = self._left(self.turn)
        if len(self.trick) == self.players:
            self._finish_trick()

    def _follow_run(self, lead: str) -> None:
        """A lead of the two of spades starts a run, a non-trump ends it (BA-79); in no-trump deals nothing (BA-81)."""
        if self.options["lead_rule"] != "high_two_run" or self.trump is None:
            return
        if lead == "2S":
            self.run = self.turn
        elif self.order.suit[lead] != TRUMP:
            self.run = None

    def _finish_trick(self) -> None:
        winner = self.order.winner(self.trick)
        self.tricks_won[winner] += 1
        if len(self.tricks) < FIRST_TRICKS:
            self.first_six[winner] += 1
        self.broken = self.broken or self._breaks()
        if winner != self.run:
            self.run = None
        self.tricks.append(self.trick)
        self.trick = []
        self.leader = self.turn = winner  # BA-73
        if len(self.tricks) == self.hand_size:  # BA-94
            self.phase, self.leader, self.turn = "scored", None, None
            self.next_dealer = self._left(self.dealer)  # BA-11

    def _breaks(self) -> bool:
        """Return whether the finished trick breaks trumps (BA-75).

        In no-trump deals nothing does (BA-31), unless jokers have to wait there (BAW-9).
        """
        if self.trump is None and not jokers_wait(self.options):
            return False
        cards = [card for _, card in self.trick]
        trump_played = any(self.suit(card) == TRUMP for card in cards)
        if self.options["broken_by"] == "ruff_only":
            return trump_played and self.suit(cards[0]) != TRUMP
        return trump_played

    def suit(self, card: str) -> str | None:
        """Return the effective suit of a card in this deal (BA-6)."""
        return self.order.suit[card]

    def strength(self, card: str) -> int:
        """Return the place of a card among cards of its effective suit."""
        return self.order.strength[card]

    def suit_to_follow(self) -> str | None:
        """Return the suit led to the current trick."""
        return self.order.led_suit([card for _, card in self.trick])

    def winner(self, trick: list[tuple[int, str]]) -> int:
        """Return who wins, or so far holds, a trick of (seat, card) pairs."""
        return self.order.winner(trick)

    @property
    def last_trick_winner(self) -> int | None:
        """Who won the last completed trick."""
        return self.winner(self.tricks[-1]) if self.tricks else None

    # ---- what it was worth ----

    def settlement(self) -> Settlement:
        """Return the reckoning of the deal, to be asked when it is scored."""
        result = Result(self.options, self.hand_size, self.bids, self.multiples, self.tricks_won, self.first_six)
        return Settlement(result, self.rainbow_bonus(), self.bags, self.carried)

    def rainbow_bonus(self) -> list[int]:
        """Return what each seat's rainbow is worth."""
        return [
            rainbow.bonus(
                self.options, self.hand_size, self.bids.get(seat), self.holds_rainbow[seat], self.tricks_won[seat]
            )
            for seat in range(self.players)
        ]

    def points(self) -> list[int]:
        """Return the points of each seat's side, once scored."""
        return self.settlement().points()

    def own_points(self) -> list[int]:
        """Return the points that each seat scored itself, with `score_unit=side` those of its side."""
        return self.settlement().own_points()

    def bags_after(self) -> list[int]:
        """Return the bags of each seat, those of this deal included once it is scored."""
        return self.settlement().bags_after() if self.phase == "scored" else list(self.bags)

    def carried_after(self) -> list[int]:
        """Return what each seat is still owed: rainbows of hands thrown in, until a deal is scored (BA-66)."""
        if self.phase == "scored":
            return [0] * self.players
        paid = self.options["rainbow_thrown_in"] == "paid" and self.options["rainbow"] in ("free", "claim")
        if self.phase == "thrown_in" and self.is_passed_out() and paid:
            return [owed + bonus for owed, bonus in zip(self.carried, self.rainbow_bonus(), strict=True)]
        return list(self.carried)

    # ---- what everybody can conclude ----

    def excluded_by(self, card: str) -> set[str]:
        """Return the cards the seat to act cannot hold if it plays `card`: with them `card` would be illegal.

        No rule makes a card illegal only because of two others together, so pairs are enough. Left out are the
        cards that lie open and those that its earlier plays have excluded.
        """
        left_out = self.excluded[self.turn] | self.played | {card}
        others = [other for other in self.order.cards if other not in left_out]
        return {other for other in others if card not in self.legal_cards([card, other])}


def cannot_hold(deal: Deal, seat: int) -> set[str]:
    """Return the cards that are publicly known not to be in a seat's hand because of what it played.

    After the exchange of a turned joker nobody holds one (BA-26). Cards that lie open (played, turned up,
    discarded, burned) are left to the reader.
    """
    return deal.excluded[seat] | (set(JOKERS) if deal.jokers_gone else set())
