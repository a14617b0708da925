"""Our games as OpenSpiel's: importing this registers `backalley` and `streets_and_alleys` with `pyspiel.load_game`.

    import backalley.envs.api.open_spiel
    game = pyspiel.load_game("backalley(preset=solo,hand_size=3)")

One deal is a game; a seat is a player. OpenSpiel deals it card by card in chance nodes, in the order of our decks, and
only those cards that the deal looks at; actions are those of `backalley.envs.back_alley.actions`.

| parameter of `backalley` | default | what |
|---|---|---|
| `preset`, `options` | `partnership`, none | the rules; options as `name:value;name:value`, lists as `1/2` |
| `hand_size` | 0 | cards dealt to each seat; 0: a chance node draws the deal from the schedule |
| `dealer` | -1 | who deals; -1: the rule set's first dealer, or a chance node draws one |
| `reward` | `difference` | own side's deal points minus the mean of the others' (zero sum); or `points`, `win` |
| `max_redeals` | 0 | how often hands thrown in are dealt again; after that, so at first, the game ends with 0 |
| `decks` | 0 | N: one chance node with N equally likely decks, drawn from `seed`, in place of all there are |
| `seed` | 0 | of those decks |

`streets_and_alleys` has `preset`, `options`, `decks`, `seed`, `reward` (`progress` or `win`) and `max_moves`.

What a player knows comes from the engine's View. The information state adds the order of the completed tricks; the
order in which own cards came, and which of them an exchange (BA-26) brought, are forgotten. As a tensor it is the
engine's observation (`game.layout` names its blocks) and the completed tricks, (hand size, players, 54), seats relative
to the observer, of the present deal; the observation tensor is the first part alone. While cards are dealt, tensors are
zero.

`resample_from_infostate` draws the hidden cards with the sampler of `backalley.policies`, which
`backalley.policies.open_spiel` brings here. Only callers in Python find it, such as OpenSpiel's ISMCTS bot in Python:
OpenSpiel's bindings have no way from C++ to it, and its `pyspiel.ISMCTSBot` crashes on every game written in Python.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from backalley.envs.api.open_spiel_deals import Deal
from backalley.envs.api.open_spiel_piles import Piles, PilesSetup
from backalley.envs.api.open_spiel_positions import CHANCE, TERMINAL, Position, Setup, setup_of
from backalley.envs.api.open_spiel_setup import DealSetup
from backalley.envs.back_alley.actions import KEEP, REDEAL
from backalley.envs.back_alley.rules import MAX_SEATS, Rules
from backalley.envs.back_alley.state import REDEAL_OFFER
from backalley.envs.cards import N_CARDS
from backalley.envs.errors import BackAlleyError
from backalley.envs.rule_set import Records

try:
    import pyspiel
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        "backalley.envs.api.open_spiel needs OpenSpiel, which is not installed: pip install 'open_spiel>=1.6'",
        name=error.name,
    ) from None

BACK_ALLEY_NAME = "backalley"
STREETS_NAME = "streets_and_alleys"

Worlds = Callable[[Rules], Callable[[Records, int], Records]]
"""Rules to a function that takes a View (1,) and a seed and returns a world that agrees with it, (1,)."""

_MAX_TRIES = 1000
_worlds: Worlds | None = None

_Type = pyspiel.GameType


def set_worlds(worlds: Worlds) -> None:
    """Say how the hidden cards are drawn in `resample_from_infostate`; `backalley.policies.open_spiel` does it."""
    global _worlds
    _worlds = worlds


def _world(setup: DealSetup, view: Records, seed: int) -> Records:
    if setup.draw_world is None:
        if _worlds is None:
            raise BackAlleyError(
                "resample_from_infostate draws hidden cards with the sampler of our policies: "
                "import backalley.policies.open_spiel first"
            )
        setup.draw_world = _worlds(setup.rules)
    return setup.draw_world(view, seed)


def _game_type(
    name: str,
    title: str,
    players: tuple[int, int],
    parameters: dict[str, Any],
    *,
    is_hidden: bool = False,
    is_zero_sum: bool = False,
) -> pyspiel.GameType:
    """Return a type; players as (fewest, most)."""
    information, utility = _Type.Information, _Type.Utility
    return _Type(
        short_name=name,
        long_name=title,
        dynamics=_Type.Dynamics.SEQUENTIAL,
        chance_mode=_Type.ChanceMode.EXPLICIT_STOCHASTIC,
        information=information.IMPERFECT_INFORMATION if is_hidden else information.PERFECT_INFORMATION,
        utility=utility.ZERO_SUM if is_zero_sum else utility.GENERAL_SUM,
        reward_model=_Type.RewardModel.TERMINAL,
        max_num_players=players[1],
        min_num_players=players[0],
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters,
    )


_COMMON = {"options": "", "decks": 0, "seed": 0}
_DEAL_PARAMETERS = {
    "preset": "partnership",
    "hand_size": 0,
    "dealer": -1,
    "reward": "difference",
    "max_redeals": 0,
    **_COMMON,
}
_PILES_PARAMETERS = {"preset": "streets_and_alleys", "reward": "progress", "max_moves": 300, **_COMMON}


def _deal_type(*, is_zero_sum: bool) -> pyspiel.GameType:
    seats = (2, MAX_SEATS)
    return _game_type(BACK_ALLEY_NAME, "Back Alley", seats, _DEAL_PARAMETERS, is_hidden=True, is_zero_sum=is_zero_sum)


_DEAL_TYPES = {is_zero_sum: _deal_type(is_zero_sum=is_zero_sum) for is_zero_sum in (False, True)}
_PILES_TYPE = _game_type(STREETS_NAME, "Streets and Alleys", (1, 1), _PILES_PARAMETERS)


class _Game(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel has no types
    """One of our games with its rules.

    Attributes:
        setup: what its positions share.
    """

    def __init__(self, setup: Setup, game_type: pyspiel.GameType) -> None:
        self.setup: Any = setup
        low, high = setup.bounds()
        info = pyspiel.GameInfo(
            num_distinct_actions=setup.game.n_actions,
            max_chance_outcomes=max(N_CARDS, setup.n_decks),
            num_players=setup.players,
            min_utility=low,
            max_utility=high,
            utility_sum=0.0 if setup.is_zero_sum else None,
            max_game_length=setup.game_length(),
        )
        super().__init__(game_type, info, setup.parameters)

    @property
    def rules(self) -> Any:
        """The rule set."""
        return self.setup.rules

    @property
    def layout(self) -> Any:
        """The layout of the observation: its blocks by name."""
        return self.setup.layout

    def new_initial_state(self, *start: Any) -> GameState:
        """Return the state before the first chance node.

        Raises:
            ValueError: something was given to begin from; see `BackAlleyGame.state_of` for Views.
        """
        if start:
            raise ValueError(f"new_initial_state({start[0]!r}): these games begin at the deal only")
        return GameState(self)

    def new_position(self) -> Position:
        """Return the engine's side of the initial state."""
        raise NotImplementedError

    def max_chance_nodes_in_history(self) -> int:
        """Return how many chance nodes a game has at most."""
        return int(self.setup.chance_length())

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """Return what writes the tensors and texts of states; see `Observer`."""
        return Observer(self.setup, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), params)


class BackAlleyGame(_Game):
    """Back Alley as an OpenSpiel game; the module describes its parameters."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        setup: Any = setup_of(DealSetup, tuple(sorted({**_DEAL_PARAMETERS, **(params or {})}.items())))
        super().__init__(setup, _DEAL_TYPES[setup.is_zero_sum])

    def new_position(self) -> Position:
        """Return the engine's side of the initial state."""
        return Deal(self.setup)

    def state_of(self, states: Records) -> GameState:
        """Return the state of a deal in progress, for bots that are to go on from it.

        What happened before is known as far as the record has it: a completed trick exactly, more of them as the cards
        each seat played.

        Args:
            states: (1,) record of dtype STATE, all hands open, such as a world of a View.
        """
        state = self.new_initial_state()
        state.position = Deal.of_state(self.setup, states)
        return state


class StreetsGame(_Game):
    """Streets and Alleys as an OpenSpiel game; the module describes its parameters."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        setup = setup_of(PilesSetup, tuple(sorted({**_PILES_PARAMETERS, **(params or {})}.items())))
        super().__init__(setup, _PILES_TYPE)

    def new_position(self) -> Position:
        """Return the engine's side of the initial state."""
        return Piles(self.setup)


class GameState(pyspiel.State):  # type: ignore[misc]  # OpenSpiel has no types
    """A state of one of our games.

    Attributes:
        position: the engine's side of it. Everything else is OpenSpiel's, which copies and pickles this attribute.
    """

    def __init__(self, game: _Game) -> None:
        super().__init__(game)
        self.position: Any = game.new_position()

    def current_player(self) -> int:
        """Return the seat to act, or OpenSpiel's number for chance and the end."""
        turn: int = self.position.turn
        return turn

    def is_terminal(self) -> bool:
        """Say whether the deal is over."""
        return bool(self.position.turn == TERMINAL)

    def is_chance_node(self) -> bool:
        """Say whether chance is to decide."""
        return bool(self.position.turn == CHANCE)

    def legal_actions(self, player: int | None = None) -> list[int]:
        """Return the legal actions of a player, or of chance, in order; as OpenSpiel's own method, only quicker."""
        turn = self.position.turn
        if turn == CHANCE:
            return [outcome for outcome, _ in self.position.chance()]
        if turn == TERMINAL or (player is not None and player != turn):
            return []
        legal: list[int] = self.position.legal()
        return legal

    def _legal_actions(self, player: int) -> list[int]:
        legal: list[int] = self.position.legal()
        return legal

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return what chance can bring, and how likely it is."""
        outcomes: list[tuple[int, float]] = self.position.chance()
        return outcomes

    def _apply_action(self, action: int) -> None:
        self.position.apply(action)

    def _action_to_string(self, player: int, action: int) -> str:
        text = self.position.chance_text if player == CHANCE else self.position.action_text
        return str(text(action))

    def returns(self) -> list[float]:
        """Return what each seat has won, zeros until the end."""
        won: list[float] = self.position.payoff if self.position.turn == TERMINAL else [0.0] * self.num_players()
        return won

    def __str__(self) -> str:
        return str(self.position.open_text())

    # Deals that look the same to a seat.

    def resample_from_infostate(self, player_id: int, probability_sampler: Callable[[], float]) -> GameState:
        """Return a state with the information state of a player, its hidden cards drawn anew.

        All deals that agree with what the player saw are equally likely, whatever the bids and plays of the others say.

        Args:
            player_id: the player.
            probability_sampler: numbers in [0, 1).

        Raises:
            BackAlleyError: `backalley.policies.open_spiel` has not been imported, or no such deal was found (hardly
                ever: several rainbows shown); never the true cards instead.
        """
        position = self.position
        if position.turn < 0 or not isinstance(position, Deal):
            return self.clone()  # type: ignore[no-any-return]  # nothing is hidden, or nothing will be decided
        draws = random.Random(probability_sampler())
        wanted = position.text(player_id, with_memory=True)
        has_few = position.setup.n_decks and position.origin is None
        for origin, chance in self._other_decks(draws) if has_few else self._imagined(player_id, draws):
            state = GameState(self.get_game())
            if origin is not None:
                state.position = origin
            elif not state._deal(position.actions[: position.n_before], chance):
                continue
            if state._follow(position.moves, player_id) and state.position.text(player_id, with_memory=True) == wanted:
                return state
        raise BackAlleyError(
            f"none of {_MAX_TRIES} deals drawn at random looks to player {player_id} like this one: too much of it was "
            "shown to be drawn so; load the game with decks=N, which are looked through"
        )

    def _imagined(self, player: int, draws: random.Random) -> Iterator[tuple[Deal | None, list[int]]]:
        """Yield beginnings of deals that may agree with what a player saw."""
        view = self.position.view(player)
        for _ in range(_MAX_TRIES):
            world = _world(self.position.setup, view, draws.getrandbits(62))
            yield self.position.alike(player, world, draws)

    def _other_decks(self, draws: random.Random) -> Iterator[tuple[Deal | None, list[int]]]:
        """Yield the beginnings of all decks of the game in random order."""
        decks = list(range(self.position.setup.n_decks))
        draws.shuffle(decks)
        yield from ((None, [deck]) for deck in decks)

    def _deal(self, before: list[int], cards: list[int]) -> bool:
        """Do what happened before the cards, then deal; say whether chance was asked for just these cards."""
        for action in before:
            self.apply_action(action)
        for card in cards:
            if self.position.turn != CHANCE:
                return False
            self.apply_action(card)
        return bool(self.position.turn != CHANCE)

    def _follow(self, moves: list[tuple[int, int]], player: int) -> bool:
        """Make the moves that a player saw; say whether they were legal."""
        for mover, action in moves:
            if mover != player and action == KEEP:
                continue  # that a seat was asked for a redeal is its own secret (BA-115)
            self._keep_hands(player, action)
            if self.position.turn != mover or action not in self.position.legal():
                return False
            self.apply_action(action)
        self._keep_hands(player, KEEP)
        return True

    def _keep_hands(self, player: int, next_action: int) -> None:
        """Let the others keep hands for which they could demand a redeal, which nobody saw."""
        while self.position.turn not in (CHANCE, TERMINAL, player) and next_action != REDEAL:
            if self.position.states["phase"][0] != REDEAL_OFFER:
                return
            self.apply_action(KEEP)


class Observer:
    """Writes what a player knows, by OpenSpiel's protocol of observers.

    Attributes:
        tensor: float32, the observation and, with perfect recall, the completed tricks; overwritten by `set_from`.
        dict: the same by name, `observation` (layout.size,) and `tricks` (n_tricks, players, 54).
    """

    def __init__(self, setup: Any, iig_obs_type: Any, params: Any) -> None:
        if params:
            raise ValueError(f"observers of these games have no parameters, got {params}")
        if iig_obs_type.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER or not iig_obs_type.public_info:
            raise ValueError("observers of these games show what one player knows: public_info and SINGLE_PLAYER")
        self._with_memory = bool(iig_obs_type.perfect_recall)
        n_tricks = setup.n_tricks if self._with_memory else 0
        size, shape = setup.layout.size, (n_tricks, setup.players, N_CARDS)
        self.tensor = np.zeros(size + n_tricks * setup.players * N_CARDS, np.float32)
        self.dict = {"observation": self.tensor[:size]}
        if n_tricks:
            self.dict["tricks"] = self.tensor[size:].reshape(shape)

    def set_from(self, state: GameState, player: int) -> None:
        """Write what a player knows of a state into `tensor`."""
        self.dict["observation"][:] = state.position.observation(player)
        if "tricks" in self.dict:
            self.dict["tricks"].fill(0)
            state.position.write_tricks(player, self.dict["tricks"])

    def string_from(self, state: GameState, player: int) -> str:
        """Return what a player knows of a state as text."""
        return str(state.position.text(player, with_memory=self._with_memory))


for _type, _class in ((_DEAL_TYPES[True], BackAlleyGame), (_PILES_TYPE, StreetsGame)):
    if _type.short_name not in pyspiel.registered_names():
        pyspiel.register_game(_type, _class)
