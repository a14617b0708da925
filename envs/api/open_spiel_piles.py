"""A game of Streets and Alleys as OpenSpiel steps it: one player, all cards open once they are dealt."""

from __future__ import annotations

import numpy as np

from backalley.envs.api.open_spiel_positions import CHANCE, TERMINAL, Position, Setup, names_of
from backalley.envs.cards import DECK_LENGTH
from backalley.envs.errors import unknown
from backalley.envs.rule_set import Records
from backalley.envs.streets_and_alleys.game import STREETS_AND_ALLEYS
from backalley.envs.streets_and_alleys.notation import action_name

_ALL = np.ones(1, np.bool_)


class PilesSetup(Setup):
    """What the positions of a Streets and Alleys game share: see `open_spiel` for its parameters."""

    game = STREETS_AND_ALLEYS

    def _settings(self) -> Records:
        return self.game.settings("deal", self.reward, max_moves=self.parameters["max_moves"])

    def bounds(self) -> tuple[float, float]:
        """Return numbers that no return is below or above."""
        if self.reward not in self.game.rewards:
            raise unknown("reward kind", self.reward, self.game.rewards)
        return 0.0, 1.0 if self.reward == "win" else 52.0

    def game_length(self) -> int:
        """Return at least as many decisions as any game takes."""
        return max(1, int(self.parameters["max_moves"]))

    def chance_length(self) -> int:
        """Return how many chance nodes a game has."""
        return 1 if self.n_decks else len(self.pack)


class Piles(Position):
    """One game."""

    __slots__ = ()

    def apply(self, action: int) -> None:
        """Let chance bring an outcome, or make a legal move."""
        if self.turn != CHANCE:
            self._step(action)
            self._look()
            return
        self._take(action)
        if self.setup.n_decks or len(self.deck) == len(self.setup.pack):
            self._allocate()
            self.episodes["n_decks"] = 1
            decks = self._deck_row().reshape(1, 1, DECK_LENGTH)
            head = (self.setup.record, self.setup.settings, self.states, self.episodes)
            self.setup.game.loops.begin_episodes(*head, decks, _ALL)
            self._look()

    def _look(self) -> None:
        """Add the reward, and notice the end."""
        self.payoff = [self.payoff[0] + float(self.episodes["rewards"][0, 0])]
        self.turn = TERMINAL if self.episodes["done"][0] else 0

    def text(self, seat: int, *, with_memory: bool) -> str:
        """Return what the player sees; what came before follows from nothing that counts, but the number of moves."""
        if self.turn == CHANCE:
            return f"dealing: {names_of(self.deck)}"
        state = self.states[0]
        piles = ", ".join(names_of([card for card in pile if card >= 0]) for pile in state["piles"].tolist())
        return f"foundations {state['foundation'].tolist()} | {piles} | {state['n_moves']} moves"

    def action_text(self, action: int) -> str:
        """Return the text of a move."""
        return action_name(action)
