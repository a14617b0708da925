"""The oracle and the engine behind one interface of names, so that one table of examples checks both.

Seats are numbers, cards and bids are names. An implementation that does not play some options raises
`NotPlayed`.
"""

from typing import Protocol

import numpy as np
import oracle.options
from oracle.cards import pack
from oracle.deal import Deal, cannot_hold

from backalley.envs import Rules
from backalley.envs.back_alley.actions import WIDTH
from backalley.envs.back_alley.deal import start_deal
from backalley.envs.back_alley.episode import apply_action, write_legal
from backalley.envs.back_alley.notation import action_name, parse_action
from backalley.envs.back_alley.scoring import score_deal
from backalley.envs.back_alley.state import BID, PLAY, RAISE, REDEAL_OFFER, SCORED, STATE, THROWN_IN
from backalley.envs.cards import SUITS, card_name, parse_card, parse_cards
from backalley.envs.legal import legal_actions
from backalley.envs.rule_set import Records, new_records


class NotPlayed(Exception):
    """This implementation does not play these options."""


class AnyDeal(Protocol):
    """A deal: `AnyDeal(options, deck, dealer, hand_size, cut, bags, carried)`, the last three perhaps None.

    Options are differences from `partnership`; `cut` is the card that a cut exposes (BA-22), `bags` and `carried`
    are what each seat brings from earlier deals (BAW-17, BA-66).
    """

    @property
    def phase(self) -> str:
        """`redeal_offer`, `bid`, `raise`, `play`, `thrown_in` or `scored`."""

    @property
    def turn(self) -> int | None:
        """Seat to act; None when the deal is over."""

    @property
    def leader(self) -> int | None:
        """Who leads the current trick; None outside the play."""

    @property
    def trump(self) -> str | None:
        """Trump suit; None in a no-trump deal."""

    @property
    def broken(self) -> bool:
        """Whether trumps are broken; only to be asked in a deal with trumps."""

    @property
    def trick(self) -> dict[int, str]:
        """Card of each seat in the current trick."""

    @property
    def turn_up(self) -> str | None:
        """The card turned up to fix trumps."""

    @property
    def cut(self) -> str | None:
        """The card cut to fix trumps."""

    @property
    def run(self) -> int | None:
        """Who is on the run of the two of spades."""

    @property
    def rainbows(self) -> set[int]:
        """The seats whose rainbow was announced or shown."""

    @property
    def next_dealer(self) -> int | None:
        """Who deals next, once the deal is over."""

    @property
    def discarded(self) -> str | None:
        """The joker that was exchanged."""

    @property
    def burned(self) -> set[str]:
        """The jokers put under the stock."""

    @property
    def stock(self) -> set[str]:
        """Cards neither dealt, turned up nor exchanged; burned ones included."""

    @property
    def tricks_won(self) -> list[int]:
        """Tricks of each seat."""

    @property
    def points(self) -> list[int]:
        """Points of each seat's side, once scored."""

    @property
    def own_points(self) -> list[int]:
        """Points that each seat scored itself; with `score_unit=side` those of its side."""

    @property
    def bags_after(self) -> list[int]:
        """Bags of each seat after the deal."""

    @property
    def carried_after(self) -> list[int]:
        """What each seat is still owed for rainbows of hands thrown in."""

    def hand(self, seat: int) -> set[str]:
        """Return the cards a seat holds."""

    def level(self, seat: int) -> int:
        """Return the level of a seat's all-tricks bid, 0 without one."""

    def cannot_hold(self, seat: int) -> set[str]:
        """Return the cards a seat has shown not to hold."""

    def legal(self) -> set[str]:
        """Return the legal moves of the seat to act."""

    def play(self, move: str) -> None:
        """Make a legal move."""

    def suppose(self, tricks_won: list[int]) -> None:
        """Score the deal as if the tricks had been won like this."""


class OracleDeal:
    """The oracle as `AnyDeal`."""

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
        _require_known(options)
        self.deal = Deal(options, deck, dealer, hand_size, cut, bags, carried)

    @staticmethod
    def schedule(options: dict) -> list[int]:
        _require_known(options)
        return oracle.options.schedule(options)

    @staticmethod
    def pack(options: dict) -> set[str]:
        _require_known(options)
        return set(pack(options.get("deck", "std54")))

    phase = property(lambda self: self.deal.phase)
    turn = property(lambda self: self.deal.turn)
    leader = property(lambda self: self.deal.leader)
    trump = property(lambda self: self.deal.trump)
    broken = property(lambda self: self.deal.broken)
    trick = property(lambda self: dict(self.deal.trick))
    turn_up = property(lambda self: self.deal.turn_up)
    cut = property(lambda self: self.deal.cut)
    run = property(lambda self: self.deal.run)
    rainbows = property(lambda self: set(self.deal.rainbows))
    next_dealer = property(lambda self: self.deal.next_dealer)
    discarded = property(lambda self: self.deal.discarded)
    burned = property(lambda self: set(self.deal.burned))
    stock = property(lambda self: set(self.deal.stock))
    tricks_won = property(lambda self: self.deal.tricks_won)
    points = property(lambda self: self.deal.points())
    own_points = property(lambda self: self.deal.own_points())
    bags_after = property(lambda self: self.deal.bags_after())
    carried_after = property(lambda self: self.deal.carried_after())

    def hand(self, seat: int) -> set[str]:
        return set(self.deal.hands[seat])

    def level(self, seat: int) -> int:
        return self.deal.multiples.get(seat, 0)

    def cannot_hold(self, seat: int) -> set[str]:
        return cannot_hold(self.deal, seat)

    def legal(self) -> set[str]:
        return self.deal.legal()

    def play(self, move: str) -> None:
        self.deal.play(move)

    def suppose(self, tricks_won: list[int]) -> None:
        self.deal.tricks_won = tricks_won
        self.deal.phase = "scored"  # so that bags and carried points are settled


def _require_known(options: dict) -> None:
    try:
        oracle.options.complete(options)
    except ValueError as error:
        raise NotPlayed(str(error)) from error


_PHASES = {
    REDEAL_OFFER: "redeal_offer",
    BID: "bid",
    RAISE: "raise",
    PLAY: "play",
    THROWN_IN: "thrown_in",
    SCORED: "scored",
}
_rules_of: dict[str, tuple[Rules, Records]] = {}


def engine_rules(options: dict) -> tuple[Rules, Records]:
    """Return the engine's rules with these options, and their record."""
    key = str(sorted(options.items(), key=str))
    if key not in _rules_of:
        rules = Rules.preset("partnership", **options)
        _rules_of[key] = rules, rules.record()
    return _rules_of[key]


class EngineDeal:
    """The engine's pure game as `AnyDeal`: one state record, dealt, stepped and scored by the kernels.

    A state that somebody else keeps, such as a table's, is taken with `EngineDeal.of`.
    """

    def __init__(self, options: dict, deck: list[str], dealer: int, hand_size: int, cut=None, bags=None, carried=None):
        self._attach(options, new_records(1, STATE)[0])
        self.state["dealer"] = dealer
        self.state["hand_size"] = hand_size
        self.state["bags"][: self.rules.players] = bags or 0
        self.state["carried"][: self.rules.players] = carried or 0
        start_deal(self.record, self.state, np_deck(deck), parse_card(cut) if cut else -1)

    def _attach(self, options: dict, state: np.void) -> None:
        self.rules, records = engine_rules(options)
        self.record = records[0]
        self.state = state

    @classmethod
    def of(cls, options: dict, state: np.void) -> "EngineDeal":
        """Return the deal that lives in `state`."""
        deal = cls.__new__(cls)
        deal._attach(options, state)
        return deal

    @staticmethod
    def schedule(options: dict) -> list[int]:
        return list(engine_rules(options)[0].hand_sizes)

    @staticmethod
    def pack(options: dict) -> set[str]:
        return names(engine_rules(options)[0].pack)

    @property
    def phase(self) -> str:
        return _PHASES[int(self.state["phase"])]

    @property
    def turn(self) -> int | None:
        return _seat(self.state["turn"])

    @property
    def leader(self) -> int | None:
        return _seat(self.state["leader"])

    @property
    def trump(self) -> str | None:
        return dict(enumerate(SUITS)).get(int(self.state["trump"]))

    @property
    def broken(self) -> bool:
        return bool(self.state["broken"])

    @property
    def trick(self) -> dict[int, str]:
        cards = self.state["trick"][: self.rules.players]
        return {seat: card_name(card) for seat, card in enumerate(cards) if card >= 0}

    @property
    def turn_up(self) -> str | None:
        card = int(self.state["turn_up"])
        return card_name(card) if card >= 0 else None

    @property
    def cut(self) -> str | None:
        card = int(self.state["cut"])
        return card_name(card) if card >= 0 else None

    @property
    def run(self) -> int | None:
        return _seat(self.state["run"])

    @property
    def rainbows(self) -> set[int]:
        return {seat for seat in range(self.rules.players) if self.state["bid_rainbow"][seat]}

    @property
    def next_dealer(self) -> int | None:
        return _seat(self.state["next_dealer"])

    @property
    def own_points(self) -> list[int]:
        return self.state["own_points"][: self.rules.players].tolist()

    @property
    def bags_after(self) -> list[int]:
        return self.state["bags"][: self.rules.players].tolist()

    @property
    def carried_after(self) -> list[int]:
        return self.state["carried"][: self.rules.players].tolist()

    @property
    def discarded(self) -> str | None:
        cards = names(self.state["discarded"])
        return cards.pop() if cards else None

    @property
    def burned(self) -> set[str]:
        return names(self.state["burned"])

    @property
    def stock(self) -> set[str]:
        return names(self.state["stock"]) | self.burned

    @property
    def tricks_won(self) -> list[int]:
        return self.state["tricks_won"][: self.rules.players].tolist()

    @property
    def points(self) -> list[int]:
        return self.state["deal_points"][: self.rules.players].tolist()

    def hand(self, seat: int) -> set[str]:
        return names(self.state["hands"][seat])

    def level(self, seat: int) -> int:
        return int(self.state["bid_level"][seat])

    def cannot_hold(self, seat: int) -> set[str]:
        return names(self.state["cannot_hold"][seat])

    def legal(self) -> set[str]:
        bits = np.zeros(2, np.uint64)
        write_legal(self.record, self.state, bits)
        return {action_name(action) for action in legal_actions(bits, WIDTH)}

    def play(self, move: str) -> None:
        apply_action(self.record, self.state, parse_action(move))

    def suppose(self, tricks_won: list[int]) -> None:
        self.state["tricks_won"][: self.rules.players] = tricks_won
        score_deal(self.record, self.state)


def names(bits: int) -> set[str]:
    """Return the names of the cards of a bit set."""
    bits, found = int(bits), set()
    while bits:
        card = bits.bit_length() - 1
        found.add(card_name(card))
        bits ^= 1 << card
    return found


def np_deck(deck: list[str]) -> np.ndarray:
    """Return a deck as the kernels take it."""
    return np.array(parse_cards(deck), np.int8)


def _seat(value: int) -> int | None:
    return int(value) if value >= 0 else None


ADAPTERS = {"oracle": OracleDeal, "engine": EngineDeal}
