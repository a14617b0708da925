"""The loops of collecting: between two decisions of the network everything happens in one of these kernels."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from backalley.envs.kernel import kernel, template
from backalley.envs.legal import n_legal, random_action
from backalley.envs.loops import begin_episode, step_episode, write_view
from backalley.envs.planes import copy_bytes, unowned
from backalley.envs.streams import uniform
from backalley.policies.loops import WIDTH, canonical_action, choose, original_action, write_features
from backalley.train.advantages import finish_chain

LEARNER = -1
"""Instead of a bot's number: the network."""
NO_ROW = -1

ROW = np.dtype(
    [
        ("previous", np.int32),  # row of the same seat's decision before, in the same episode
        ("log_prob", np.float32),
        ("value", np.float32),
        ("advantage", np.float32),
        ("target", np.float32),  # return the value is trained on
        ("action", np.int16),  # in relabelled cards
        ("is_bid", np.bool_),
        ("finished", np.bool_),
    ],
    align=True,
)
"""One decision."""


@kernel
def draw_action(logits: NDArray[np.float32], mask: NDArray[np.int8], draw: float) -> tuple[int, float]:
    """Return an action drawn from the masked softmax of `logits` by `draw` in [0, 1), and its log-probability."""
    top = -np.inf
    for action in range(mask.shape[0]):
        if mask[action] != 0 and logits[action] > top:
            top = logits[action]
    total = 0.0
    for action in range(mask.shape[0]):
        if mask[action] != 0:
            total += np.exp(np.float64(logits[action] - top))
    left = draw * total
    chosen = -1
    for action in range(mask.shape[0]):
        if mask[action] != 0:
            chosen = action
            left -= np.exp(np.float64(logits[action] - top))
            if left < 0.0:
                break
    return chosen, np.float64(logits[chosen] - top) - np.log(total)


# Hooks beside those that are imported above: what each game brings instead.


def deal_size(state: Any) -> int:
    """Return what rewards are scaled by."""
    raise NotImplementedError


def is_bid(action: int) -> bool:
    """Say whether an action is a bid, whose entropy has a bonus of its own."""
    raise NotImplementedError


def count_action(state: Any, action: int, counts: Any) -> None:
    """Enter an action into the counts that the log reports."""
    raise NotImplementedError


# Templates.


@template
def _end_episode(
    rules: Any, episode: Any, state: Any, i: Any, rows: Any, last_row: Any, scale: Any, gae_lambda: Any
) -> None:
    """Give the chains of a finished episode their advantages."""
    for seat in range(rules.players):
        if last_row[i, seat] != NO_ROW:
            reward = episode.rewards[seat] / (scale[0] + scale[1] * deal_size(state))
            finish_chain(rows, last_row[i, seat], reward, gae_lambda)
            last_row[i, seat] = NO_ROW


@template
def _advance(
    rules: Any,
    settings: Any,
    states: Any,
    episodes: Any,
    decks: Any,
    i: Any,
    bot_of_seat: Any,
    views: Any,
    rows: Any,
    last_row: Any,
    scale: Any,
    gae_lambda: Any,
) -> None:
    """Play on until the network has a free decision in episode i."""
    while True:
        while episodes[i].done:  # a game of patience can be over before its first move
            _end_episode(rules, episodes[i], states[i], i, rows, last_row, scale, gae_lambda)
            begin_episode(rules, settings, states[i], episodes[i], decks)
        seat = np.int64(states[i].turn)
        bot = np.int64(bot_of_seat[i, seat])
        if bot != LEARNER:
            write_view(rules, states, i, seat, views, 0)
            action = choose(bot, rules, views[0], episodes[i].legal, episodes[i].policy)
        elif n_legal(episodes[i].legal) == 1:
            action = random_action(episodes[i].legal, WIDTH, episodes[i].policy)
        else:
            return
        step_episode(rules, settings, states[i], episodes[i], decks, action)


@template
def advance_all(
    rules: Any,
    settings: Any,
    states: Any,
    episodes: Any,
    decks: Any,
    bot_of_seat: Any,
    views: Any,
    scratch: Any,
    legal: Any,
    scale: Any,
    gae_lambda: Any,
    rows: Any,
    last_row: Any,
    first_row: Any,
    orders: Any,
    features: Any,
    masks: Any,
) -> None:
    """Bring every table to a free decision of the network and write it as a row from `first_row` on."""
    rules, settings, states, episodes = unowned(rules), unowned(settings), unowned(states), unowned(episodes)
    decks, rows, last_row, views = unowned(decks), unowned(rows), unowned(last_row), unowned(views)
    bot_of_seat, masks, orders, scratch = unowned(bot_of_seat), unowned(masks), unowned(orders), unowned(scratch)
    flat = unowned(features.reshape(-1))
    size = features.shape[1]
    for i in range(states.shape[0]):
        _advance(
            rules[0],
            settings[0],
            states,
            episodes,
            decks,
            i,
            bot_of_seat,
            views,
            rows,
            last_row,
            scale,
            gae_lambda,
        )
        row = first_row + i
        seat = np.int64(states[i].turn)
        write_view(rules[0], states, i, seat, views, 0)
        for word in range(legal.shape[0]):
            legal[word] = episodes[i].legal[word]
        write_features(rules[0], settings[0], views[0], legal, orders[i], scratch, masks[row])
        copy_bytes(scratch, 0, flat, row * size, size)
        rows[row].previous = last_row[i, seat]
        rows[row].finished = False
        last_row[i, seat] = row


@template
def act_all(
    rules: Any,
    settings: Any,
    states: Any,
    episodes: Any,
    decks: Any,
    logits: Any,
    values: Any,
    rows: Any,
    first_row: Any,
    orders: Any,
    masks: Any,
    counts: Any,
) -> None:
    """Draw an action for every table from masked logits (n, n_actions), enter it into its row, and play it."""
    rules, settings, states, episodes = unowned(rules), unowned(settings), unowned(states), unowned(episodes)
    decks, rows, masks, orders, logits = unowned(decks), unowned(rows), unowned(masks), unowned(orders), unowned(logits)
    for i in range(states.shape[0]):
        row = first_row + i
        action, log_prob = draw_action(logits[i], masks[row], uniform(episodes[i].policy))
        rows[row].action = action
        rows[row].log_prob = log_prob
        rows[row].value = values[i]
        rows[row].is_bid = is_bid(action)
        count_action(states[i], action, counts)
        step_episode(
            rules[0],
            settings[0],
            states[i],
            episodes[i],
            decks,
            original_action(np.int64(action), orders[i]),
        )


@template
def teach_all(
    rules: Any,
    settings: Any,
    states: Any,
    episodes: Any,
    decks: Any,
    bot: Any,
    view: Any,
    rows: Any,
    first_row: Any,
    orders: Any,
) -> None:
    """Let the teacher act at every table and enter its action, relabelled, into the table's row."""
    rules, settings, states, episodes = unowned(rules), unowned(settings), unowned(states), unowned(episodes)
    decks, rows, orders, view = unowned(decks), unowned(rows), unowned(orders), unowned(view)
    for i in range(states.shape[0]):
        row = first_row + i
        write_view(rules[0], states, i, np.int64(states[i].turn), view, 0)
        action = choose(bot, rules[0], view[0], episodes[i].legal, episodes[i].policy)
        rows[row].action = canonical_action(action, orders[i])
        rows[row].is_bid = is_bid(action)
        rows[row].value = 0.0  # with λ = 1 the target is the outcome
        step_episode(rules[0], settings[0], states[i], episodes[i], decks, action)
