"""Episodes as OpenSpiel steps them: one position at a time, with the chance before the first decision laid open.

The engine takes a whole deck; OpenSpiel deals it in chance nodes. A position gathers what chance decides and hands it
to the engine when it is enough. Cards come one by one, each equally likely, in the order of the deck, as long as the
engine looks at them: the hands, then what is turned up. With `decks=N` there is one chance node with N equally likely
decks in their place. OpenSpiel itself is not needed here.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from backalley.envs.cards import CARD_NAMES, CUT_PLACE, DECK_LENGTH, JOKERS, NO_CARD, card_name, cards_of
from backalley.envs.errors import InvalidRules
from backalley.envs.game import Game
from backalley.envs.kernel import JIT_ENABLED
from backalley.envs.planes import PLANE
from backalley.envs.rule_set import Records, new_records

CHANCE, TERMINAL = -1, -4
"""`Position.turn` where no seat is to act; the numbers are OpenSpiel's."""

Outcomes = list[tuple[int, float]]
"""Chance actions in order, and their probabilities."""

NO_DECKS = np.zeros((1, 1, DECK_LENGTH), np.int8)
_SEATS = [np.array([seat], np.int8) for seat in range(8)]


class Setup:
    """What the positions of one OpenSpiel game share.

    Args:
        parameters: the game's OpenSpiel parameters, all of them.

    Raises:
        UnknownName, InvalidRules: see `RuleSet.preset`.
        ValueError: a number that makes no sense.
    """

    game: ClassVar[Game]

    def __init__(self, parameters: Mapping[str, Any]) -> None:
        self.parameters = dict(parameters)
        self.rules: Any = self.game.rules.preset(parameters["preset"], **read_options(parameters["options"]))
        self.players = self.rules.players
        self.record = self.rules.record()
        self.reward = parameters["reward"]
        self.n_decks: int = parameters["decks"]
        if self.n_decks < 0 or parameters["seed"] < 0:
            raise ValueError(f"decks={self.n_decks} and seed={parameters['seed']} must be 0 or more")
        self.deck_odds: Outcomes = [(i, 1.0 / self.n_decks) for i in range(self.n_decks)]
        self.layout = self.game.layout(self.rules, "deal")
        self.settings = self._settings()
        self.pack = cards_of(self.rules.pack)
        self.actions = [np.array([action], np.int16) for action in range(self.game.n_actions)]
        self.ends = np.zeros((1, self.players)), np.zeros((1, 2), np.bool_)
        """Where a step writes what the episode's record says as well; never read."""
        self.draw_world: Callable[[Records, int], Records] | None = None
        """Draws a world for a View, from a seed; `open_spiel` brings it when the first one is asked for."""
        self.state_bytes = self.game.state_dtype.itemsize

    def __reduce__(self) -> tuple[Any, ...]:
        return setup_of, (type(self), tuple(sorted(self.parameters.items())))

    def _settings(self) -> Records:
        """Return the settings of an episode."""
        raise NotImplementedError

    @property
    def n_tricks(self) -> int:
        """Tricks that a perfect memory holds beside the observation, 0 where it adds nothing."""
        return 0

    @property
    def is_zero_sum(self) -> bool:
        """Whether the returns of all seats add up to zero."""
        return False

    def bounds(self) -> tuple[float, float]:
        """Return numbers that no seat's return is below or above; hardly any game reaches them."""
        raise NotImplementedError

    def game_length(self) -> int:
        """Return at least as many decisions as any game takes."""
        raise NotImplementedError

    def chance_length(self) -> int:
        """Return how many chance nodes a game has at most."""
        raise NotImplementedError

    @cached_property
    def decks(self) -> NDArray[np.int8]:
        """(n_decks, DECK_LENGTH) int8 the decks that `decks=N` deals, drawn from `seed`, each with the card of a cut.

        Deck i depends on the seed and i alone.
        """
        rows = np.full((self.n_decks, DECK_LENGTH), NO_CARD, np.int8)
        plain = cards_of(self.rules.pack & ~int(JOKERS))
        for i, row in enumerate(rows):
            rng = np.random.default_rng([self.parameters["seed"], i])
            row[: len(self.pack)] = rng.permutation(self.pack)
            row[CUT_PLACE] = rng.choice(plain)
        return rows

    def new_memory(self, memory: NDArray[np.uint8] | None = None) -> tuple[NDArray[np.uint8], Records, Records]:
        """Return bytes for a state and an episode, those of `memory` or zeros, and both (1,) records in them."""
        size = self.state_bytes + self.game.episode_dtype.itemsize
        memory = np.zeros(size, np.uint8) if memory is None else memory.copy()
        states: Any = np.ndarray((1,), self.game.state_dtype, memory)
        episodes: Any = np.ndarray((1,), self.game.episode_dtype, memory, self.state_bytes)
        if not JIT_ENABLED:  # as `new_records`
            states, episodes = states.view(np.recarray), episodes.view(np.recarray)
        return memory, states, episodes


@lru_cache(maxsize=64)
def setup_of(kind: type[Setup], parameters: tuple[tuple[str, Any], ...]) -> Setup:
    """Return the setup for some parameters, the same object each time."""
    return kind(dict(parameters))


def read_options(text: str) -> dict[str, Any]:
    """Return the rule options written in a parameter, as `name:value;name:value`.

    OpenSpiel keeps `=`, `,` and brackets for itself. Lists are written with `/`, bools as `on` and `off`.

    >>> read_options("hand_max:4;void_redeal:on;blind_sizes:1/7;rainbow_points:4:40/8:80;bag_limit:none")
    {'hand_max': 4, 'void_redeal': 'on', 'blind_sizes': [1, 7], 'rainbow_points': [(4, 40), (8, 80)], 'bag_limit': None}

    Raises:
        InvalidRules: the text is written in another way.
    """
    options = {}
    for word in filter(None, (word.strip() for word in text.split(";"))):
        name, colon, value = word.partition(":")
        if not colon or not name or not value or set(word) & set("=,()[]{} "):
            raise InvalidRules(
                f"parameter options={text!r}: {word!r} must read name:value, with ; between options and / between the "
                "entries of a list, such as hand_max:4;blind_sizes:1/7"
            )
        options[name.strip()] = _value(name, value)
    return options


_LISTS = ("hand_sizes", "board_multiples", "rainbow_sizes", "blind_sizes")
"""Options that are lists even with a single entry."""


def _value(name: str, text: str) -> Any:
    """Return a number, None, a word, a list of those, or pairs of numbers."""
    if ":" in text:
        return [tuple(map(int, entry.split(":"))) for entry in text.split("/")]
    if "/" in text or name in _LISTS:
        return [_value("", entry) for entry in text.split("/")]
    if text == "none":
        return None
    try:
        return int(text)
    except ValueError:
        return text


class Position:
    """One episode in OpenSpiel's hands.

    Attributes:
        setup: what it shares with all positions of its game.
        turn: seat to act, CHANCE or TERMINAL.
        deck: cards that chance has dealt so far.
        states, episodes: (1,) records of the engine, once the deal is complete; None before.
        payoff: returns of the seats so far.
    """

    __slots__ = ("_left", "_memory", "deck", "episodes", "payoff", "setup", "states", "turn")

    def __init__(self, setup: Any) -> None:
        self.setup = setup
        self.turn = CHANCE
        self.deck: list[int] = []
        self._left: list[int] | None = None  # cards of the pack that are still to be dealt, in order
        self._memory: NDArray[np.uint8] | None = None
        self.states: Any = None
        self.episodes: Any = None
        self.payoff: list[float] = [0.0] * setup.players

    # Chance.

    def chance(self) -> Outcomes:
        """Return what can happen at a chance node."""
        if self.setup.n_decks:
            return list(self.setup.deck_odds)
        left = self.setup.pack if self._left is None else self._left
        chance = 1.0 / len(left)
        return [(card, chance) for card in left]

    def chance_text(self, outcome: int) -> str:
        """Return the text of a chance action."""
        return f"deck {outcome}" if self.setup.n_decks else f"deal {card_name(outcome)}"

    def _take(self, outcome: int) -> None:
        """Put the card, or the deck, that chance brings into `deck`.

        Raises:
            ValueError: the card is dealt already or not in the pack, or there is no such deck.
        """
        if self.setup.n_decks:
            if not 0 <= outcome < self.setup.n_decks:
                raise ValueError(f"deck {outcome} does not exist: the game has {self.setup.n_decks}, from 0 on")
            self.deck = self.setup.decks[outcome].tolist()
            return
        if self._left is None:
            self._left = list(self.setup.pack)
        if outcome not in self._left:
            raise ValueError(f"card {outcome} can't be dealt: it has been dealt already, or the pack does not have it")
        self._left.remove(outcome)
        self.deck.append(outcome)

    def _deck_row(self) -> NDArray[np.int8]:
        """Return the deck as kernels take it: the cards dealt, behind them the others of the pack in any order."""
        row = np.full(DECK_LENGTH, NO_CARD, np.int8)
        cards = self.deck if self._left is None else self.deck + self._left
        row[: len(cards)] = cards
        return row

    # Decisions.

    def legal(self) -> list[int]:
        """Return the legal actions of the seat to act in order."""
        width = self.setup.game.width
        words = self.episodes["legal"][0].tolist()
        return [width * i + place for i, bits in enumerate(words) if bits for place in places(bits)]

    def apply(self, action: int) -> None:
        """Let chance bring an outcome, or the seat to act make a legal move."""
        raise NotImplementedError

    def _step(self, action: int) -> None:
        """Let the engine step; `episodes` has the rewards of this step alone."""
        setup = self.setup
        head = (setup.record, setup.settings, self.states, self.episodes, NO_DECKS)
        setup.game.loops.step_all(*head, setup.actions[action], False, *setup.ends)

    # What a seat knows.

    def view(self, seat: int) -> Records:
        """Return what a seat knows, a (1,) record; the deal must be complete."""
        views = new_records(1, self.setup.game.state_dtype)
        self.setup.game.loops.view_all(self.setup.record, self.states, _SEATS[seat], views)
        return views

    def observation(self, seat: int) -> NDArray[np.int8]:
        """Return the engine's observation of a seat, (layout.size,) int8; zeros until the deal is complete."""
        setup = self.setup
        observations: NDArray[np.int8] = np.zeros((1, setup.layout.size), np.int8)
        if self.turn != CHANCE:
            scratch = new_records(1, setup.game.state_dtype), np.zeros((1, setup.layout.size + PLANE), np.int8)
            masks = np.empty((1, setup.game.n_actions), np.int8)
            head = (setup.record, setup.settings, self.states, self.episodes)
            setup.game.loops.observe_all(*head, _SEATS[seat], *scratch, observations, masks)
        return observations.reshape(-1)

    def text(self, seat: int, *, with_memory: bool) -> str:
        """Return what a seat knows as text, with all that it has seen or what it sees now."""
        raise NotImplementedError

    def write_tricks(self, seat: int, out: NDArray[np.float32]) -> None:
        """Write what a perfect memory adds to the observation: (n_tricks, players, N_CARDS), zeroed before."""

    def open_text(self) -> str:
        """Return the position as text, nothing hidden."""
        return self.text(0, with_memory=True)

    def action_text(self, action: int) -> str:
        """Return the text of an action."""
        raise NotImplementedError

    # Copies.

    def copy(self) -> Any:
        """Return an independent copy."""
        twin = object.__new__(type(self))
        twin.setup = self.setup
        twin.turn = self.turn
        twin.deck = self.deck.copy()
        twin._left = None if self._left is None else self._left.copy()
        twin.payoff = self.payoff
        twin._memory = twin.states = twin.episodes = None
        if self._memory is not None:
            twin._memory, twin.states, twin.episodes = self.setup.new_memory(self._memory)
        return twin

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return self.copy()

    def __getstate__(self) -> dict[str, Any]:
        slots = (name for kind in type(self).__mro__ for name in getattr(kind, "__slots__", ()))
        return {name: getattr(self, name) for name in slots if name not in ("states", "episodes")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in state.items():
            setattr(self, name, copy.copy(value))
        self.states = self.episodes = None
        if self._memory is not None:
            self._memory, self.states, self.episodes = self.setup.new_memory(self._memory)

    def _allocate(self) -> None:
        if self._memory is None:
            self._memory, self.states, self.episodes = self.setup.new_memory()


def names_of(cards: int | Sequence[int]) -> str:
    """Return the names of a bit set of cards, or of cards in their order.

    >>> names_of(0b101), names_of([2, 0])
    ('2S 4S', '4S 2S')
    """
    return " ".join([CARD_NAMES[card] for card in (places(cards) if isinstance(cards, int) else cards)])


def places(bits: int) -> list[int]:
    """Return the places of the ones in a Python int, lowest first."""
    found = []
    while bits:
        rest = bits & (bits - 1)
        found.append((bits ^ rest).bit_length() - 1)
        bits = rest
    return found
