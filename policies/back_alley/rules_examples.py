"""What the nets of `rules` are fitted to: decisions as the nets see them, with what each action gained.

A net values actions by `table + outputs`: for bids the outputs are one for each bid and there is no table; for cards
each card has inputs of its own and one output, which is added to the judgement of the table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backalley.envs import Rules
from backalley.envs.back_alley.actions import N_ACTIONS, N_PLAIN_BIDS, PASS
from backalley.envs.back_alley.state import BID, PLAY, STATE
from backalley.envs.cards import N_CARDS, ONE, ZERO, bit, lowest
from backalley.envs.errors import BackAlleyError
from backalley.envs.kernel import kernel
from backalley.envs.planes import unowned
from backalley.envs.rule_set import new_records
from backalley.policies.back_alley.alternatives import Decisions
from backalley.policies.back_alley.canonical import demoted_action, has_promotion, promote
from backalley.policies.back_alley.rules_bid_inputs import N_BID_INPUTS, write_bid_inputs
from backalley.policies.back_alley.rules_bidding import bids_by_heart, is_known
from backalley.policies.back_alley.rules_duck import is_ducking
from backalley.policies.back_alley.rules_inputs import N_INPUTS, SCENE_START, write_scene_inputs
from backalley.policies.back_alley.rules_net import is_corrected
from backalley.policies.back_alley.rules_play import judge_cards, write_card
from backalley.policies.back_alley.rules_scene import read_scene

PLAIN = slice(PASS, PASS + N_PLAIN_BIDS)
"""Actions that the bid net values."""


@dataclass(frozen=True)
class Examples:
    """n decisions with m legal actions in all, those of a decision one after another.

    Attributes:
        inputs: (n, n_inputs) float16 of the decisions, or (m, n_inputs) of their actions.
        outputs: (m,) int64, the output of the net that speaks of each action.
        table: (m,) float32, what the table says of it.
        gains: (m,) float32 deal points.
        counts: (n,) int64, legal actions of each decision, at least 2.
        taken: (n,) int64, place of the action that was taken among them.
    """

    inputs: NDArray[np.float16]
    outputs: NDArray[np.int64]
    table: NDArray[np.float32]
    gains: NDArray[np.float32]
    counts: NDArray[np.int64]
    taken: NDArray[np.int64]

    @classmethod
    def join(cls, parts: Sequence[Examples]) -> Examples:
        """Return the decisions of all parts, in order."""
        return cls(*(np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(cls)))


@kernel
def _legal_from(gains: NDArray[np.float32], start: int, stop: int) -> np.uint64:
    """Return which of the actions `start` to `stop - 1` were legal, as bits from 0 on."""
    legal = ZERO
    for action in range(start, stop):
        if not np.isnan(gains[action]):
            legal |= bit(action - start)
    return legal


@kernel
def _write_bids(rules: Any, views: Any, scratch: Any, gains: NDArray[np.float32], x: NDArray[np.float32]) -> None:
    """Write the inputs of bids into `x` (n, N_BID_INPUTS), which must be zero; `scratch` (1,) is overwritten."""
    rules, views, scratch = unowned(rules), unowned(views), unowned(scratch)
    for i in range(views.shape[0]):
        scratch[0] = views[i]
        promote(rules[0], scratch[0], ZERO)
        table_bid = bids_by_heart(rules[0], scratch[0], _legal_from(gains[i], PASS, N_ACTIONS))
        write_bid_inputs(rules[0], scratch[0], table_bid, x[i])


@kernel
def _write_cards(
    rules: Any, views: Any, scratch: Any, gains: NDArray[np.float32], x: NDArray[np.float32],
    table: NDArray[np.float32], cards: NDArray[np.int64], counts: NDArray[np.int64],
) -> None:  # fmt: skip
    """Write the inputs of every legal card, one row after another.

    Args:
        rules, views: (1,) and (n,) records.
        scratch: (1,) record of dtype STATE, overwritten.
        gains: (n, n_actions), NaN where not legal.
        x, table, cards: (m, N_INPUTS) zeros, (m,) and (m,), overwritten; `cards` by their true numbers.
        counts: (n,) overwritten; 0 where the net is not asked.
    """
    rules, views, scratch = unowned(rules), unowned(views), unowned(scratch)
    values = np.zeros(N_CARDS)
    row = 0
    for i in range(views.shape[0]):
        counts[i] = 0
        scratch[0] = views[i]
        is_promoted = has_promotion(views[i])
        legal = promote(rules[0], scratch[0], _legal_from(gains[i], 0, N_CARDS))
        if is_ducking(rules[0], scratch[0]):
            continue
        scene = read_scene(rules[0], scratch[0])
        judge_cards(rules[0], scratch[0], scene, legal, False, values)
        first = row
        write_scene_inputs(rules[0], scratch[0], scene, legal, x[first])
        while legal != ZERO:
            card = lowest(legal)
            legal &= legal - ONE
            x[row, SCENE_START:] = x[first, SCENE_START:]
            write_card(rules[0], scratch[0], scene, card, x[row])
            table[row] = values[card]
            cards[row] = demoted_action(card, views[i].high_two, views[i].second_two) if is_promoted else card
            row += 1
        counts[i] = row - first


def bid_examples(rules: Rules, decisions: Decisions) -> Examples:
    """Return the bids among the decisions for which `rules` asks its net.

    Raises:
        BackAlleyError: it does not in these rules.
    """
    if not is_known(rules.record()[0]):
        raise BackAlleyError(
            "rules has a bid net for two pairs who bid numbers and boards only, not for these rules: "
            "draw decisions of another rule set, or fit the card net alone"
        )
    is_plain = (decisions.actions >= PLAIN.start) & (decisions.actions < PLAIN.stop)
    asked = (decisions.views["phase"] == BID) & (decisions.views["hand_size"] > 1) & is_plain
    asked &= (~np.isnan(decisions.gains[:, PLAIN])).sum(axis=1) > 1
    views, gains, actions = decisions.part(asked)
    x = np.zeros((len(views), N_BID_INPUTS), np.float32)
    _write_bids(rules.record(), views, new_records(1, STATE), gains, x)
    legal = ~np.isnan(gains[:, PLAIN])  # (n, bids)
    places = legal.cumsum(axis=1) - 1
    return Examples(
        inputs=x.astype(np.float16),
        outputs=legal.nonzero()[1],
        table=np.zeros(int(legal.sum()), np.float32),
        gains=gains[:, PLAIN][legal],
        counts=legal.sum(axis=1),
        taken=places[np.arange(len(views)), actions - PASS],
    )


def card_examples(rules: Rules, decisions: Decisions) -> Examples:
    """Return the cards among the decisions for which `rules` asks its net.

    Raises:
        BackAlleyError: it does not in these rules.
    """
    if not is_corrected(rules.record()[0]):
        raise BackAlleyError("rules has a card net for two pairs only: draw decisions of a rule set with four players")
    views, gains, actions = decisions.part(decisions.views["phase"] == PLAY)
    most = int((~np.isnan(gains)).sum())
    x, table = np.zeros((most, N_INPUTS), np.float32), np.zeros(most, np.float32)
    cards, counts = np.zeros(most, np.int64), np.zeros(len(views), np.int64)
    _write_cards(rules.record(), views, new_records(1, STATE), gains, x, table, cards, counts)
    decision = np.repeat(np.arange(len(views)), counts)  # (m,)
    cards = cards[: len(decision)]
    is_taken = np.flatnonzero(cards == actions[decision])
    asked = counts > 0
    return Examples(
        inputs=x[: len(cards)].astype(np.float16),
        outputs=np.zeros(len(cards), np.int64),
        table=table[: len(cards)],
        gains=gains[decision, cards],
        counts=counts[asked],
        taken=is_taken - (counts.cumsum() - counts)[asked],
    )
