"""Implementations of Streets and Alleys behind one interface of names, so that one table of examples checks all.

Cards are names, piles are numbered from 0, moves are the tuples of `oracle.patience`.
"""

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
from oracle.patience import Move, Patience

from backalley.envs import StreetsRules
from backalley.envs.cards import NO_CARD, SUITS, card_name, parse_card
from backalley.envs.decks import parse_deck
from backalley.envs.legal import are_legal, legal_actions
from backalley.envs.rule_set import new_records
from backalley.envs.streets_and_alleys.actions import (
    FROM_FOUNDATION,
    N_ACTIONS,
    UP,
    WIDTH,
    action_parts,
    back_action,
    move_action,
)
from backalley.envs.streets_and_alleys.moves import make_move, n_founded, settle, start_game, write_legal
from backalley.envs.streets_and_alleys.notation import expand
from backalley.envs.streets_and_alleys.refusals import describe_illegal
from backalley.envs.streets_and_alleys.state import PLAYING, STATE, WON


class AnyPatience(Protocol):
    """A game: `AnyPatience(options, deck=None, piles=None, foundation=None)`, with a deck or else a position.

    Options are differences from the defaults. Automatic moves follow a deal, a position put up, and each move.
    """

    @property
    def piles(self) -> list[list[str]]:
        """The eight piles, each from base to top."""

    @property
    def foundation(self) -> dict[str, int]:
        """Suit → rank of the top card of its foundation, 0 to 13, in the order S H D C."""

    @property
    def n_moves(self) -> int:
        """Moves made, without automatic ones."""

    @property
    def won(self) -> bool:
        """Whether all cards are on the foundations."""

    @property
    def blocked(self) -> bool:
        """Whether the game is lost because no move is left."""

    @property
    def score(self) -> int:
        """Cards on the foundations."""

    def legal_moves(self) -> set[Move]:
        """Return all moves that change something; none once the game is over."""

    def play(self, move: Move) -> None:
        """Make a legal move; ValueError for any other."""

    def expand(self, move: Move) -> list[Move]:
        """Return the single moves that a legal move stands for."""


def to_action(move: Move) -> int:
    """Return the engine's number of a move."""
    kind, *parts = move
    if kind == "up":
        return int(parts[0])
    if kind == "back":
        return int(back_action(SUITS.index(parts[0]), parts[1]))
    return int(move_action(*parts))


def to_move(action: int) -> Move:
    """Return the move of one of the engine's numbers."""
    kind, source, target, n_cards = action_parts(action)
    if kind == UP:
        return ("up", source)
    return ("back", SUITS[source], target) if kind == FROM_FOUNDATION else ("move", source, target, n_cards)


class EnginePatience:
    """The engine's kernels on one record, without episodes around them."""

    def __init__(self, options: dict[str, Any], deck=None, piles=None, foundation=None) -> None:
        self.rules = StreetsRules.preset(**options)
        self.record = self.rules.record()
        self.states = new_records(1, STATE)
        if deck is not None:
            start_game(self.record[0], self.state, np.array(parse_deck(self.rules, deck), np.int8))
        else:
            self.state["piles"] = NO_CARD
            for pile, cards in enumerate(piles):
                self.state["lengths"][pile] = len(cards)
                self.state["piles"][pile, : len(cards)] = [parse_card(card) for card in cards]
            self.state["foundation"] = [(foundation or {}).get(suit, 0) for suit in SUITS]
            settle(self.record[0], self.state)

    @property
    def state(self) -> Any:
        return self.states[0]  # looked up each time, so that copies have their own

    @property
    def piles(self) -> list[list[str]]:
        return [
            [card_name(card) for card in cards[:n]]
            for cards, n in zip(self.state["piles"], self.state["lengths"], strict=True)
        ]

    @property
    def foundation(self) -> dict[str, int]:
        return dict(zip(SUITS, self.state["foundation"].tolist(), strict=True))

    @property
    def n_moves(self) -> int:
        return int(self.state["n_moves"])

    @property
    def won(self) -> bool:
        return bool(self.state["outcome"] == WON)

    @property
    def blocked(self) -> bool:
        return not self.won and not self.legal_moves()

    @property
    def is_over(self) -> bool:
        return self.won or self.blocked

    @property
    def score(self) -> int:
        return int(n_founded(self.state))

    def legal_set(self) -> np.ndarray:
        legal = np.zeros(N_ACTIONS // WIDTH, np.uint64)
        if self.state["outcome"] == PLAYING:
            write_legal(self.record[0], self.state, legal)
        return legal

    def legal_moves(self) -> set[Move]:
        return {to_move(action) for action in legal_actions(self.legal_set(), WIDTH)}

    def play(self, move: Move) -> None:
        action, legal = to_action(move), self.legal_set()
        if not are_legal(legal[None], WIDTH, np.array([action]))[0]:
            raise ValueError(describe_illegal(self.rules, self.states, 0, action, legal))
        make_move(self.record[0], self.state, action)

    def expand(self, move: Move) -> list[Move]:
        return [to_move(action) for action in expand(self.state, to_action(move))]


IMPLEMENTATIONS: dict[str, Callable[..., AnyPatience]] = {"oracle": Patience, "engine": EnginePatience}
