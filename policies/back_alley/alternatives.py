"""What the other actions of a decision would have gained: each is played to the end of the same deal by the same bots.

One bot, the learner, plays for one side, another bot for all others. The gains are those in the true deal, which the
learner does not see; over many deals they say what an action is worth to one who sees only the View.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from backalley.envs import Rules
from backalley.envs.back_alley.actions import N_ACTIONS, WIDTH
from backalley.envs.back_alley.episode import DEAL_INDEX, EPISODE, begin_episode, step_episode
from backalley.envs.back_alley.game import BACK_ALLEY
from backalley.envs.back_alley.rules import MAX_SEATS
from backalley.envs.back_alley.state import BID, PLAY, STATE
from backalley.envs.back_alley.view import write_view
from backalley.envs.cards import DECK_LENGTH, N_RANKS
from backalley.envs.dealing import LEFT_OPEN
from backalley.envs.kernel import kernel
from backalley.envs.legal import first_legal, is_legal, n_legal, random_action
from backalley.envs.planes import unowned
from backalley.envs.rule_set import Records, new_records
from backalley.envs.streams import CHANCE, POLICY, draw_below, new_streams, uniform
from backalley.policies.back_alley.bots import choose
from backalley.policies.back_alley.search_kernels import GAIN, Memory, new_memory, try_world, unowned_memory

PICKS = 2
"""Purpose of the streams that pick decisions and play alternatives out, beside those of `envs.streams`."""
AT_ONCE = 64
"""Deals for whose decisions there is room at a time."""


class Decisions(NamedTuple):
    """Decisions of the learner between several bids or cards, in the order in which they were made.

    Attributes:
        views: (n,) records of dtype STATE, what the seat to act knew.
        gains: (n, n_actions) float32 deal points of its side minus the mean of the others' with each action; NaN where
            it was not legal, 0 where the hands were thrown in.
        actions: (n,) int16, what the learner chose.
    """

    views: Records
    gains: NDArray[np.float32]
    actions: NDArray[np.int16]

    def part(self, which: slice | NDArray[Any]) -> Decisions:
        """Return some of the decisions."""
        return Decisions(self.views[which], self.gains[which], self.actions[which])


def as_views(data: NDArray[np.uint8]) -> Records:
    """Return the Views that bytes (n * STATE.itemsize,) stand for."""
    views = new_records(len(data) // STATE.itemsize, STATE)
    views.view(np.uint8)[:] = data
    return views


class How(NamedTuple):
    """Who plays, and which decisions are drawn; see `alternatives`. Bots by number."""

    learner: int
    others: NDArray[np.int64]
    p_bid: float
    p_card: float
    explore: float


@kernel
def _try_all(rules: Any, how: How, other: int, legal: NDArray[np.uint64], memory: Memory, gains: Any) -> None:
    """Play every legal action of `memory.worlds[0]` out, and write into `gains` (n_actions,) what it gains."""
    memory.chosen[:] = legal
    usual = first_legal(legal, WIDTH)  # any: the differences to it are of no interest here
    me = np.int64(memory.worlds[0].turn)
    try_world(rules, me, how.learner, other, usual, memory.worlds, 0, 1.0, memory)
    for action in range(gains.shape[0]):
        gains[action] = memory.sums[GAIN, action] if is_legal(legal, WIDTH, action) else np.nan


@kernel
def _play(
    rules: Any, settings: Any, how: How, side: int, other: int, episode: Any, decks: Any, memory: Memory,
    found: Decisions, n: int,
) -> int:  # fmt: skip
    """Play the episode that has begun to its end, and write the decisions drawn behind the first `n`.

    Args:
        rules, settings, episode: records.
        how: see there.
        side, other: the learner's side, and the bot that plays for all others.
        decks: those of the episode.
        memory: `worlds[0]` is the state, `stream` what is not part of the play is drawn from.
        found, n: the decisions, and how many there are.

    Returns:
        Decisions found with those of this episode.
    """
    states, views, picks = memory.worlds, memory.views, memory.stream
    while not episode.done:
        seat = np.int64(states[0].turn)
        phase = states[0].phase
        is_learner = rules.side[seat] == side
        has_choice = is_learner and n_legal(episode.legal) > 1 and phase in (BID, PLAY)
        is_drawn = has_choice and uniform(picks) < (how.p_card if phase == PLAY else how.p_bid)
        write_view(rules, states, 0, seat, views, 0)
        if is_drawn:
            found.views[n] = views[0]
        action = choose(how.learner if is_learner else other, rules, views[0], episode.legal, episode.policy)
        if is_drawn:
            found.actions[n] = action
            _try_all(rules, how, other, episode.legal, memory, found.gains[n])
            n += 1
        if has_choice and uniform(picks) < how.explore:
            action = random_action(episode.legal, WIDTH, picks)
        step_episode(rules, settings, states[0], episode, decks, action)
    return n


@kernel
def _replay(
    rules: Any, settings: Any, how: How, first: int, streams: NDArray[np.uint64], episodes: Any, decks: Any,
    memory: Memory, found: Decisions,
) -> int:  # fmt: skip
    """Play episodes and return how many decisions were found.

    Args:
        rules, settings: (1,) records.
        how: see there.
        first: number of the first play.
        streams: (3, plays, 4) streams of chance, of the bots, and of the picks.
        episodes, decks: one of each, overwritten.
        memory: overwritten.
        found: overwritten.
    """
    rules, settings, episodes, decks = unowned(rules), unowned(settings), unowned(episodes), unowned(decks)
    memory = unowned_memory(memory)
    found = Decisions(unowned(found.views), unowned(found.gains), unowned(found.actions))
    n_sides = np.int64(rules[0].n_sides)
    n = 0
    for play in range(streams.shape[1]):
        number = first + play
        for word in range(4):
            episodes[0].chance[word] = streams[0, play, word]
            episodes[0].policy[word] = streams[1, play, word]
        memory.stream[:] = streams[2, play]
        other = how.others[draw_below(memory.stream, how.others.shape[0])]
        episodes[0].start[DEAL_INDEX] = number // n_sides % rules[0].n_deals
        begin_episode(rules[0], settings[0], memory.worlds[0], episodes[0], decks)
        n = _play(rules[0], settings[0], how, number % n_sides, other, episodes[0], decks, memory, found, n)
    return n


def alternatives(
    rules: Rules,
    learner: int,
    others: Sequence[int],
    plays: int,
    seed: int,
    *,
    first: int = 0,
    p_bid: float = 1.0,
    p_card: float = 1.0,
    explore: float = 0.0,
) -> Decisions:
    """Play deals, and play every alternative of some of the learner's decisions to the end of the same deal.

    In play i the learner has side i % n_sides, so that it has every side in each deal of the schedule, with other cards
    each time; which of the others plays against it is drawn.

    Args:
        rules: rule set.
        learner: number of its bot, see `bots`.
        others: numbers of the bots that may play for the other sides.
        plays: how many deals, at least 1.
        seed: int ≥ 0.
        first: number of the first play; play `first + i` is the same whatever `first` is.
        p_bid, p_card: chance that a bid, or a card, is drawn where there is a choice.
        explore: chance that the learner then plays at random instead, to see other positions than its own.
    """
    how = How(learner, np.array(others, np.int64), float(p_bid), float(p_card), float(explore))
    settings = BACK_ALLEY.settings("deal", None)
    episodes, decks = new_records(1, EPISODE), np.zeros((1, 1, DECK_LENGTH), np.int8)
    episodes["start"] = LEFT_OPEN
    memory = new_memory(rules, 1)
    n_dealings = int(settings["max_redeals"][0]) + 1
    room = AT_ONCE * MAX_SEATS * (n_dealings + N_RANKS)  # a bid in each dealing, and the cards
    found = Decisions(new_records(room, STATE), np.empty((room, N_ACTIONS), np.float32), np.empty(room, np.int16))
    chunks = []
    for start in range(first, first + plays, AT_ONCE):
        n_plays = min(AT_ONCE, first + plays - start)
        streams = np.stack([new_streams(seed, n_plays, purpose, first=start) for purpose in (CHANCE, POLICY, PICKS)])
        n = _replay(rules.record(), settings, how, start, streams, episodes, decks, memory, found)
        # As bytes, since numpy leaves the gaps between the fields of records out, and files are to be the same.
        chunks.append((found.views[:n].view(np.uint8).copy(), found.gains[:n].copy(), found.actions[:n].copy()))
    views, gains, actions = (np.concatenate(parts) for parts in zip(*chunks, strict=True))
    return Decisions(as_views(views), gains, actions)
