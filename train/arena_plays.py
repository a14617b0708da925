"""Deals played side by side with every action kept, for blocks, records and regret.

Scripted bots draw from a stream of each play, as they do in the kernel of whole deals (`duel`), so that the same bots
make the same moves in both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backalley.envs import Rules, Table
from backalley.envs.back_alley.state import PLAY, STATE
from backalley.envs.back_alley.view import write_view
from backalley.envs.kernel import kernel
from backalley.envs.legal import first_actions
from backalley.envs.planes import unowned
from backalley.envs.rule_set import Records, new_records
from backalley.envs.streams import CHANCE, POLICY, new_streams
from backalley.policies.back_alley.advance import NO_BOT
from backalley.policies.back_alley.bots import choose
from backalley.policies.back_alley.composite import Composite
from backalley.policies.base import Policy

NO_ACTION = -1
"""In `Plays.actions`, behind the last action of a play."""


@dataclass(frozen=True)
class Plays:
    """Deals that were played.

    Attributes:
        finals: (n,) final states.
        starts: (n,) states at the first lead; zeros where no card was played.
        actions: (n, longest) int16 what was done, in order, hands thrown in included; `NO_ACTION` behind the last.
        first_card: (n,) int64 where in `actions` the card play begins, -1 where no card was played.
    """

    finals: Records
    starts: Records
    actions: NDArray[np.int16]
    first_card: NDArray[np.int64]


@kernel
def _choose_each(
    rules: Any, states: Any, episodes: Any, bots: NDArray[np.int8], views: Any, actions: NDArray[np.int16]
) -> None:
    """Write what the bot of each play (n,) does into `actions` (n,); others than bots, and plays over, are left out."""
    rules, states, episodes, views = unowned(rules), unowned(states), unowned(episodes), unowned(views)
    for i in range(states.shape[0]):
        if bots[i] != NO_BOT and not episodes[i].done:
            seat: Any = np.int64(states[i].turn)
            bot: Any = np.int64(bots[i])
            write_view(rules[0], states, i, seat, views, 0)
            actions[i] = choose(bot, rules[0], views[0], episodes[i].legal, episodes[i].policy)


def streams_of(seed: int, numbers: NDArray[np.int64], purpose: int) -> NDArray[np.uint64]:
    """Return the streams of these numbers, (n, 4) uint64."""
    first = int(numbers.min())
    return new_streams(seed, int(numbers.max()) + 1 - first, purpose, first=first)[numbers - first]


def play_out(
    rules: Rules,
    policies: Sequence[Policy],
    who: NDArray[np.int64],
    deals: NDArray[np.int64],
    draws: NDArray[np.int64],
    seed: int,
) -> Plays:
    """Play deals to their ends, all side by side.

    A policy is asked only where it has a choice. One that draws from the generator it is handed draws other numbers
    when other deals are played with it.

    Args:
        rules: rule set.
        policies: who plays.
        who: (n, players) index of the policy on each seat.
        deals: (n,) number of the deal of each play: the pair of an evaluation.
        draws: (n,) number of the stream from which the scripted bots of a play draw.
        seed: int ≥ 0.
    """
    n = len(deals)
    table = Table(rules, n, 0)
    table.episodes["chance"] = streams_of(seed, deals, CHANCE)
    table.episodes["policy"] = streams_of(seed, draws, POLICY)
    table.reset(deal_indices=deals % rules.n_deals)
    actors = _Actors(policies, seed, int(deals.min()))
    starts, first_card = new_records(n, STATE), np.full(n, -1)
    kept: list[NDArray[np.int16]] = []
    while not table.done.all():
        begins = (table.states["phase"] == PLAY) & (first_card < 0)
        starts[begins] = table.states[begins]
        first_card[begins] = len(kept)
        done = table.done.copy()
        actions = actors.act(table, who[np.arange(n), table.turn])
        table.step(actions)
        kept.append(np.where(done, np.int16(NO_ACTION), actions))
    return Plays(table.states.copy(), starts, np.stack(kept, axis=1), first_card)


class _Actors:
    """Asks policies what to do; arguments as for `play_out`."""

    def __init__(self, policies: Sequence[Policy], seed: int, first: int) -> None:
        self.rngs = [np.random.default_rng([seed, k, first]) for k in range(len(policies))]
        halves = [(one.bidder, one.player) if isinstance(one, Composite) else (one, one) for one in policies]
        self.parts = [part for both in halves for part in both]
        """The policy that bids, and the one that plays the cards, of each in turn."""
        self.bots = np.array([getattr(part, "bot", NO_BOT) for part in self.parts], np.int8)
        self._view = new_records(1, STATE)

    def act(self, table: Table, actor: NDArray[np.int64]) -> NDArray[np.int16]:
        """Return an action for every episode, (n,) int16; `actor` (n,) is the index of the policy to act."""
        bits = table.legal_bits
        part = 2 * actor + (table.states["phase"] == PLAY)
        bots = self.bots[part]
        actions = first_actions(bits, table.game.width)
        _choose_each(table.rules_record, table.states, table.episodes, bots, self._view, actions)
        asked = ~table.done & (bots == NO_BOT) & (np.bitwise_count(bits).sum(axis=1) > 1)
        if asked.any():
            views, legal = table.view(), table.legal()
            for k in np.unique(part[asked]):
                rows = np.flatnonzero(asked & (part == k))
                policy = self.parts[k]
                seen = table.states if getattr(policy, "sees_all", False) else views  # a ceiling, no player
                actions[rows] = policy.act(seen[rows], legal[rows], self.rngs[k // 2])
        return actions
