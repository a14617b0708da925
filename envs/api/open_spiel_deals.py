"""A deal of Back Alley as OpenSpiel steps it, and deals that look the same to a seat."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backalley.envs.api.open_spiel_positions import CHANCE, NO_DECKS, TERMINAL, Outcomes, Position, names_of
from backalley.envs.api.open_spiel_setup import DealSetup
from backalley.envs.back_alley.actions import WIDTH
from backalley.envs.back_alley.deal import start_deal
from backalley.envs.back_alley.episode import step_episode, write_legal
from backalley.envs.back_alley.notation import action_name
from backalley.envs.back_alley.state import BOSTON_BID, NOT_YET, NUMBER, PASSED, STATE
from backalley.envs.cards import CUT_PLACE, N_CARDS, NO_CARD, card_name, cards_of
from backalley.envs.kernel import kernel
from backalley.envs.legal import random_action
from backalley.envs.rule_set import Records

DEALER, SIZE, DECK, CARD, CUT = range(5)
"""What chance decides at a node, in that order; DECK or CARD, and CUT behind cards only."""

_FIELD = {name: i for i, name in enumerate(STATE.names or ())}


@kernel
def _start(rules: Any, states: Any, episodes: Any, deck: NDArray[np.int8]) -> None:
    """Deal a deck with the state's dealer and hand size; the records of rules, state and episode are (1,)."""
    start_deal(rules[0], states[0], deck, deck[CUT_PLACE])
    write_legal(rules[0], states[0], episodes[0].legal)


@kernel
def _play_out(rules: Any, settings: Any, states: Any, episodes: Any, decks: NDArray[np.int8]) -> None:
    """Let random legal actions finish the deal, drawn from the episode's stream of policies; all records are (1,)."""
    while not episodes[0].done:
        action = random_action(episodes[0].legal, WIDTH, episodes[0].policy)
        step_episode(rules[0], settings[0], states[0], episodes[0], decks, action)


@kernel
def _renew_legal(rules: Any, states: Any, episodes: Any) -> None:
    write_legal(rules[0], states[0], episodes[0].legal)


class Deal(Position):
    """One deal, with the hands thrown in before it.

    Attributes:
        stage: what chance is to decide: DEALER, SIZE, DECK, CARD or CUT.
        dealer, hand_size: -1 and 0 until chance has drawn them.
        cut: the card of a cut, NO_CARD without one.
        moves: seat and action of all decisions since the cards were dealt, or since the View that it began from.
        tricks: cards by seat of the completed tricks, as far as they are known in their order.
        actions: everything that happened, chance included; the cards of this deal come behind `n_before` of them.
        past: what each seat saw of hands thrown in.
        origin: the record that it began from, where it began from a View.
    """

    __slots__ = (
        "_n_dealt",
        "_n_in_trick",
        "_texts",
        "_trick_text",
        "actions",
        "cut",
        "dealer",
        "hand_size",
        "moves",
        "n_before",
        "n_thrown_in",
        "origin",
        "past",
        "stage",
        "tricks",
    )

    def __init__(self, setup: DealSetup) -> None:
        super().__init__(setup)
        self.dealer = setup.dealer
        self.hand_size = setup.hand_size
        self.cut = NO_CARD
        self.moves: list[tuple[int, int]] = []
        self.tricks: list[tuple[int, ...]] = []
        self.actions: list[int] = []
        self.n_before = 0
        self.n_thrown_in = 0
        self.past: tuple[str, ...] = ()
        self.origin: bytes | None = None
        self._n_in_trick = 0
        self._n_dealt = 0  # cards that the hands take
        self._trick_text = ""
        self._texts: dict[tuple[int, bool], str] = {}
        self._set_stage()

    @classmethod
    def of_state(cls, setup: DealSetup, states: Records) -> Deal:
        """Return the position of a state of a deal in progress, all hands open: (1,) record of dtype STATE."""
        deal = cls(setup)
        deal._allocate()
        deal.states.view(np.uint8)[:] = np.ascontiguousarray(states).view(np.uint8)
        deal.dealer, deal.hand_size = int(states["dealer"][0]), int(states["hand_size"][0])
        deal.turn = int(states["turn"][0])
        deal._n_in_trick = int(states["n_in_trick"][0])
        deal.origin = deal.states.tobytes()
        deal._set_stage()
        _renew_legal(setup.record, deal.states, deal.episodes)
        deal._remember_sets()
        return deal

    def _remember_sets(self) -> None:
        """Take down the tricks before the beginning: exactly if it is one, else as the sets of cards played."""
        played = [int(cards) for cards in self.states["played"][0, : self.setup.players]]
        for seat, card in enumerate(self.states["trick"][0, : self.setup.players].tolist()):
            played[seat] &= ~(1 << card) if card >= 0 else -1
        if self.states["n_tricks"][0] == 1:
            self._add_trick([cards.bit_length() - 1 for cards in played])
        elif self.states["n_tricks"][0] > 1:
            self._trick_text = " | tricks in any order " + ", ".join(map(names_of, played))

    # Chance.

    def _set_stage(self) -> None:
        """Find out what chance is to decide next."""
        if self.dealer < 0:
            self.stage = DEALER
        elif not self.hand_size:
            self.stage = SIZE
        elif self.setup.n_decks:
            self.stage = DECK
        else:
            self._n_dealt = self.setup.players * self.hand_size
            self.stage = CARD

    def chance(self) -> Outcomes:
        """Return what can happen at a chance node."""
        stage = self.stage
        if stage == CARD:
            return super().chance()
        if stage == DEALER:
            return [(seat, 1.0 / self.setup.players) for seat in range(self.setup.players)]
        if stage == SIZE:
            return list(self.setup.sizes)
        return list(self.setup.cuts) if stage == CUT else super().chance()

    def chance_text(self, outcome: int) -> str:
        """Return the text of a chance action."""
        stage = self.stage
        if stage == CUT:
            return f"cut {card_name(outcome)}"
        return {DEALER: f"dealer {outcome}", SIZE: f"hand size {outcome}"}.get(stage) or super().chance_text(outcome)

    def apply(self, action: int) -> None:
        """Let chance bring an outcome, or the seat to act make a legal move."""
        self.actions.append(action)
        self._texts = {}
        if self.turn == CHANCE:
            self._chance(action)
        else:
            self._move(action)

    def _chance(self, outcome: int) -> None:
        stage = self.stage
        if stage == CARD:
            self._take(outcome)
            if len(self.deck) < self._n_dealt:
                return
            if len(self.deck) == self._n_dealt and self.setup.rules.is_cut(self.hand_size):
                self.stage = CUT
            else:
                self._begin()
        elif stage == DECK:
            self._take(outcome)
            self._begin()
        elif stage == CUT:
            self.cut = outcome
            self._begin()
        else:
            if stage == DEALER:
                self.dealer = outcome
            else:
                self.hand_size = outcome
            self._set_stage()
            self.n_before = len(self.actions)

    def _begin(self) -> None:
        """Hand the cards to the engine, and open the bidding if it needs no further one."""
        setup = self.setup
        self._allocate()
        states = self.states
        states["dealer"], states["hand_size"] = self.dealer, self.hand_size
        states["deal_index"], states["n_redeals"] = setup.rules.hand_sizes.index(self.hand_size), self.n_thrown_in
        row = self._deck_row()
        if not setup.n_decks:
            row[CUT_PLACE] = self.cut
        _start(setup.record, states, self.episodes, row)
        n_used = len(setup.pack) - int(states["stock"][0]).bit_count()
        if n_used > len(self.deck):
            return  # the engine looked at a card that chance has not dealt yet
        self.turn = int(states["turn"][0])
        if self.turn < 0:
            self._throw_in()

    # Decisions.

    def _move(self, action: int) -> None:
        self.moves.append((self.turn, action))
        if action < N_CARDS:
            self._n_in_trick += 1
            if self._n_in_trick == self.setup.players:
                trick = self.states["trick"][0, : self.setup.players].tolist()
                trick[self.turn] = action
                self._add_trick(trick)
                self._n_in_trick = 0
        self._step(action)
        self.turn = int(self.states["turn"][0])
        if self.turn >= 0:
            return
        if self.episodes["truncated"][0]:
            self._throw_in()
        else:
            self.turn = TERMINAL
            self.payoff = self.episodes["rewards"][0, : self.setup.players].tolist()

    def _add_trick(self, trick: list[int]) -> None:
        self.tricks.append(tuple(trick))
        self._trick_text += " | " + names_of(trick)

    def _throw_in(self) -> None:
        """End the game without points, or deal again (BA-35)."""
        self.turn = TERMINAL
        if self.n_thrown_in == self.setup.max_redeals:
            return
        self.past = tuple(self.text(seat, with_memory=True) + "\n" for seat in range(self.setup.players))
        self.n_thrown_in += 1
        self.turn = CHANCE
        self.dealer = int(self.states["next_dealer"][0])
        self.cut = NO_CARD
        self.deck, self._left = [], None
        self.moves, self.tricks, self._trick_text, self.origin = [], [], "", None
        self.episodes["done"] = self.episodes["truncated"] = False
        self.n_before = len(self.actions)
        self._texts = {}
        self._set_stage()

    def play_out(self, stream: NDArray[np.uint64]) -> list[float]:
        """Return the returns of all seats after random legal actions; hands thrown in count 0.

        Args:
            stream: (4,) uint64, where the actions are drawn from.
        """
        if self.turn < 0:
            return self.payoff
        _, states, episodes = self.setup.new_memory(self._memory)
        episodes["policy"][0] = stream
        _play_out(self.setup.record, self.setup.settings, states, episodes, NO_DECKS)
        won: list[float] = episodes["rewards"][0, : self.setup.players].tolist()
        return won

    # What a seat knows.

    def text(self, seat: int, *, with_memory: bool) -> str:
        """Return what a seat knows as text.

        It follows from the View alone, but for the order of completed tricks, and hands thrown in before. The cards of
        a trick stand by seat, as who led it follows from what came before.

        Args:
            seat: the seat.
            with_memory: with all that it has seen, each trick by itself; else with the cards each seat has played.
        """
        key = seat, with_memory
        if key not in self._texts:
            self._texts[key] = self._write_text(seat, with_memory)
        return self._texts[key]

    def _write_text(self, seat: int, with_memory: bool) -> str:
        head = self.past[seat] if with_memory and self.past else ""
        head += f"seat {seat}, dealer {self.dealer}, {self.hand_size} cards"
        if self.turn == CHANCE:
            return head + self._dealing_text(seat)
        view = self.view(seat).tolist()[0]
        players = self.setup.players
        turn, phase, hand, turn_up = (view[_FIELD[name]] for name in ("turn", "phase", "hands", "turn_up"))
        cut, trick, played = (view[_FIELD[name]] for name in ("cut", "trick", "played"))
        head += f", turn {turn}, phase {phase} | up {names_of([card for card in (turn_up, cut) if card >= 0])}"
        if out := view[_FIELD["discarded"]] | view[_FIELD["burned"]]:
            head += f" out {names_of(out)}"
        head += f" | {names_of(int(hand[seat]))} | {_bids_text(view, players)}"
        if with_memory:
            head += self._trick_text
        else:
            head += " | played " + ", ".join(names_of(int(cards)) for cards in played[:players])
        return head + " | " + " ".join(card_name(card) if card >= 0 else "." for card in trick[:players])

    def _dealing_text(self, seat: int) -> str:
        """Return what a seat sees while cards are dealt: its own ones, and what is turned up."""
        if not self.deck:
            return " | nothing dealt"
        n_dealt = self.setup.players * self.hand_size
        is_blind = self.hand_size in self.setup.rules.blind_sizes
        own = [] if is_blind else sorted(self.own_cards(seat))
        return f" | {len(self.deck)} dealt | up {names_of(self.deck[n_dealt:])} | {names_of(own)}"

    def own_cards(self, seat: int) -> list[int]:
        """Return the cards dealt to a seat in their order: card i goes to seat (dealer + 1 + i) mod players."""
        players = self.setup.players
        return self.deck[(seat - self.dealer - 1) % players : players * self.hand_size : players]

    def write_tricks(self, seat: int, out: NDArray[np.float32]) -> None:
        """Write the completed tricks, (n_tricks, players, N_CARDS), seats relative to the observer."""
        for i, trick in enumerate(self.tricks):
            for other, card in enumerate(trick):
                out[i, (other - seat) % self.setup.players, card] = 1.0

    def open_text(self) -> str:
        """Return the position as text, nothing hidden."""
        if self.turn == CHANCE:
            return f"dealer {self.dealer}, {self.hand_size} cards, dealing: {names_of(self.deck)}"
        hands = ", ".join(names_of(int(cards)) for cards in self.states["hands"][0, : self.setup.players])
        return f"{self.text(0, with_memory=True)}\nhands {hands}\nreturns {self.payoff}"

    def action_text(self, action: int) -> str:
        """Return the text of an action."""
        return action_name(action)

    def copy(self) -> Deal:
        """Return an independent copy."""
        twin: Deal = super().copy()
        twin.dealer, twin.hand_size, twin.cut, twin.stage = self.dealer, self.hand_size, self.cut, self.stage
        twin.n_before, twin.n_thrown_in, twin.past = self.n_before, self.n_thrown_in, self.past
        twin.moves, twin.tricks, twin.actions = self.moves.copy(), self.tricks.copy(), self.actions.copy()
        twin._n_dealt, twin._n_in_trick, twin._trick_text = self._n_dealt, self._n_in_trick, self._trick_text
        twin.origin, twin._texts = self.origin, self._texts.copy()
        return twin

    # Deals that look the same to a seat.

    def alike(self, seat: int, world: Records, draws: random.Random) -> tuple[Deal | None, list[int]]:
        """Return another beginning in which a seat would have seen the same, as far as a world says.

        Args:
            seat: who knows only its View.
            world: (1,) record, a world that agrees with this View.
            draws: decides what the world leaves open: in which order the others got their cards.

        Returns:
            The position to begin from, None for the beginning of the game, and the chance actions (behind what was
            before the cards) that lead to the first decision.
        """
        if self.origin is not None:
            states: Any = np.frombuffer(bytearray(self.origin), STATE)
            for mover in range(self.setup.players):
                since = int(self.states["played"][0, mover]) & ~int(states["played"][0, mover])
                states["hands"][0, mover] = int(world["hands"][0, mover]) | since
            states["stock"] = world["stock"]
            return Deal.of_state(self.setup, states), []
        players, n_dealt = self.setup.players, self.setup.players * self.hand_size
        hands = [cards_of(world["hands"][0, i] | world["played"][0, i]) for i in range(players)]
        is_open = bool((self.view(seat)["hands"] | self.states["played"])[0, seat])  # else it bids blind
        drawn = self._undo_exchange(hands, seat if is_open else -1, draws)
        if is_open:
            hands[seat] = self.own_cards(seat)
        for other in range(players):
            if other != seat:
                draws.shuffle(hands[other])
        order = [(self.dealer + 1 + i) % players for i in range(players)]
        front = [hands[other][i] for i in range(self.hand_size) for other in order]
        behind = self.deck[n_dealt:] if self.cut == NO_CARD else [self.cut]
        return None, front + (behind if drawn is None else [*behind[:-1], drawn])

    def _undo_exchange(self, hands: list[list[int]], seat: int, draws: random.Random) -> int | None:
        """Give the joker that was exchanged (BA-26) back to a hand that may have had it; return what it drew for it.

        None if nobody exchanged one, or the seat did and so knows both.
        """
        discarded = cards_of(self.states["discarded"][0])
        if not discarded or (seat >= 0 and discarded[0] in self.own_cards(seat)):
            return None
        holder = draws.choice([other for other in range(len(hands)) if other != seat])
        place = draws.randrange(self.hand_size)
        drawn, hands[holder][place] = hands[holder][place], discarded[0]
        return drawn


def _bids_text(view: tuple[Any, ...], players: int) -> str:
    """Return the bids of all seats in the order of the seats, `-` before they are made."""
    words = []
    fields = (view[_FIELD[name]] for name in ("bid_kind", "bid_number", "bid_level", "bid_rainbow"))
    for kind, number, level, rainbow in list(zip(*fields, strict=True))[:players]:
        word = {NOT_YET: "-", PASSED: "pass", NUMBER: str(number), BOSTON_BID: "boston"}.get(kind) or f"board{level}"
        words.append(word + ("+" if rainbow else ""))
    return " ".join(words)
