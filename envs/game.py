"""What a table needs to know of a game: its record types, and the kernels that drive many episodes at once.

How to add a game, in ten steps; `streets_and_alleys` is the smaller example for each.

1. Rules: a folder under `envs/` with the options, the presets and the record that kernels read (`rules.py`, a frozen
   dataclass on `RuleSet`). A variant is an option, never a class.
2. Actions: one flat numbering in one table (`actions.py`), and how many of them a word of a legal set has (`legal`).
3. State: one fixed-size record (`state.py`) with a field `turn`, everything in it that a position needs.
4. The game in kernels: the deal, the legal set, what an action does. No randomness, no allocation.
5. Episodes (`episode.py`): `begin_episode` takes a deck (`dealing.take_deck`), `step_episode` applies an action, pays
   rewards, writes the legal set and notices the end; `write_view` blanks what a seat does not know.
6. Observation: its blocks by name (`blocks.py`), and the kernel that writes them in that order (`observation.py`).
7. Words: names of actions (`notation.py`), and why one is illegal (`refusals.py`).
8. The `Game` (`game.py`): all of it together, the loops compiled by `loops.for_game`; enter it in `games.GAMES`.
   From here on `Table`, seeds, clones, decks and threads work.
9. Outside: its keywords in `api/` over the common environments, and a text of the table; its policies as a `Kit` in
   `policies/`, what training wants to know in `train/games.py`. From here on `eval`, `train` and `bench` work.
10. Proof: an oracle written from the rules alone, the rules' examples as tests, random play of both compared.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backalley.envs.dealing import LEFT_OPEN, N_STARTS
from backalley.envs.errors import InvalidDeck, unknown
from backalley.envs.layout import Layout
from backalley.envs.rule_set import Records, RuleSet, new_records

Cuts = list[str | int | None]
"""For each deck the card that a cut before the deal exposes, None leaves it to chance."""


@dataclass(frozen=True)
class Game:
    """A game as `Table` drives it.

    Attributes:
        name: stem of the environment ids.
        rules: class of its rule sets.
        n_actions: size of the flat action numbering.
        width: actions of a word of its legal sets, see `legal`.
        state_dtype: record of a state; a View has the same type. The field `turn` is the seat to act, -1 none.
        episode_dtype: record of an episode, from `dealing.episode_dtype`.
        episodes, rewards: what an episode and its rewards can be, the usual one first.
        limit: name of the bound after which an episode is cut off, and its usual value.
        settings: dtype of the record of an episode's settings: `episode` and `reward` by index, and the limit.
        layout: (rules, episode kind) → observation layout.
        start: (rules, n, what `Table.reset` was told beside the decks) → columns (n, 2) int16 for `episode.start`, and
            the cards of cuts.
        describe_illegal: (rules, states, index, action, legal set) → why the action is illegal.
        loops: the compiled loops, from `loops.for_game`.
    """

    name: str
    rules: type[RuleSet]
    n_actions: int
    width: int
    state_dtype: np.dtype[np.void]
    episode_dtype: np.dtype[np.void]
    episodes: tuple[str, ...]
    rewards: tuple[str, ...]
    limit: tuple[str, int]
    settings_dtype: np.dtype[np.void]
    layout: Callable[[Any, str], Layout]
    start: Callable[..., tuple[NDArray[np.int16], Cuts | None]]
    describe_illegal: Callable[[Any, Records, int, int, Any], str]
    loops: Any

    @property
    def n_words(self) -> int:
        """Words of a legal set."""
        return -(-self.n_actions // self.width)

    def settings(self, episode: str, reward: str | None, **limits: int) -> Records:
        """Return the (1,) record of an episode's settings.

        Raises:
            UnknownName: no such episode kind, reward kind or limit.
            ValueError: a negative limit.
        """
        if episode not in self.episodes:
            raise unknown("episode kind", episode, self.episodes)
        if reward is not None and reward not in self.rewards:
            raise unknown("reward kind", reward, self.rewards)
        name, usual = self.limit
        for given, value in limits.items():
            if given != name:
                raise unknown(f"setting of {self.name}", given, (name,))
            if value < 0:
                raise ValueError(f"{given}={value} must be 0 or more: after as many the episode is cut off")
        record = new_records(1, self.settings_dtype)
        record["episode"] = self.episodes.index(episode)
        record["reward"] = 0 if reward is None else self.rewards.index(reward)
        record[name] = limits.get(name, usual)
        return record


def no_start(rules: RuleSet, n: int, **fixed: Any) -> tuple[NDArray[np.int16], Cuts | None]:
    """As `Game.start`: of games in which nothing but the deck can be fixed.

    Raises:
        InvalidDeck: something else was given.
    """
    if given := [name for name, value in fixed.items() if value is not None]:
        raise InvalidDeck(f"{', '.join(given)}: in this game nothing but the deck can be fixed")
    return np.full((n, N_STARTS), LEFT_OPEN, np.int16), None
