"""Belief: how likely a world is by what a View tells beside `cannot_hold`, which `worlds` knows.

- Bids. The bot `rules` is asked what it would have bid with each hand; a world in which a seat bid otherwise counts the
  less the further its bid lies from that one. Skat programs gain more from such a belief than from more worlds
  (Solinas, Rebstock and Buro, https://arxiv.org/abs/1911.07960).
- Plays, where the state tells their order. The play is gone through again, and `rules` is asked for each card of the
  others; a world counts the less the more cards were others than those. Who plays otherwise now and then is still
  believed in, as no card takes more than a part of the weight (Rebstock, Solinas and Buro,
  https://arxiv.org/abs/1905.10911).
- Rainbows that were shown or announced as true ones (BA-61 to BA-64, BAW-12), and hands that would have been thrown in
  (BA-38): a world without them counts next to nothing.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from backalley.envs.back_alley.actions import ALL_TRICKS, N_PLAIN_BIDS, PASS, RAINBOW, RAISE, REDEAL
from backalley.envs.back_alley.bidding import legal_bids
from backalley.envs.back_alley.deal import EXCHANGE
from backalley.envs.back_alley.play import legal_plays, play_card
from backalley.envs.back_alley.rainbow import AUTO, CLAIM, has_size, is_blind, is_rainbow
from backalley.envs.back_alley.state import ALL_TRICKS_BID, BID, BOSTON_BID, NOT_YET, PLAY
from backalley.envs.back_alley.view import write_view
from backalley.envs.cards import JOKERS, NO_CARD, NO_TRUMP, ONE, ZERO, bit, has
from backalley.envs.kernel import kernel
from backalley.policies.back_alley.bots import RULES, choose

IMPOSSIBLE = 1e-6
"""Weight of what cannot be; not 0, so that some world always counts."""
PER_TRICK = 0.35
"""Weight of a bid that lies a trick from that of `rules`."""
OTHER_KIND = 0.2
"""Weight of an all-tricks bid or a boston that `rules` would not make, or would."""
OTHER_CARD = 0.3
"""Weight of a card that `rules` would not have played."""


@kernel
def _open_bidding(rules: Any, state: Any) -> None:
    """Take all plays and bids back; the hands stay hidden in `played`."""
    for seat in range(rules.players):
        state.played[seat] |= state.hands[seat]
        state.hands[seat] = ZERO
        state.cannot_hold[seat] = ZERO
        if rules.joker_turned == EXCHANGE and state.turn_up >= 0 and has(JOKERS, np.int64(state.turn_up)):
            state.cannot_hold[seat] = JOKERS & ~bit(np.int64(state.turn_up))
        state.bid_number[seat] = 0
        state.bid_level[seat] = 0
        state.trick[seat] = NO_CARD
        state.tricks_won[seat] = 0
        state.first_six[seat] = 0
        state.bid_kind[seat] = NOT_YET
        if rules.rainbow != AUTO:
            state.bid_rainbow[seat] = 0
    state.stock = ZERO
    state.phase = BID
    state.leader = -1
    state.n_in_trick = 0
    state.n_tricks = 0
    state.led = NO_CARD
    state.trick_card = NO_CARD
    state.trick_holder = -1
    state.broken = 0
    state.run = -1
    state.n_bids = 0
    state.n_boards = 0


@kernel
def _hand_weight(rules: Any, world: Any, seat: int, hand: np.uint64) -> float:
    """Return `IMPOSSIBLE` for a whole hand that others would have seen or thrown in, else 1."""
    has_trumps = rules.void_redeal and world.hand_size >= rules.void_min_cards and world.trump != NO_TRUMP
    if has_trumps and hand & world.trumps == ZERO:
        return IMPOSSIBLE
    shown = rules.rainbow != CLAIM and has_size(rules, world) and world.bid_rainbow[seat] != 0
    return IMPOSSIBLE if shown and not is_rainbow(rules, world, hand) else 1.0


@kernel
def _bid_weight(world: Any, seat: int, action: int) -> float:
    """Return the weight of the bid that the seat made where `rules` would have taken that action."""
    if action == REDEAL:
        return OTHER_KIND
    if RAINBOW <= action < RAISE:
        action -= N_PLAIN_BIDS
    kind = world.bid_kind[seat]
    if (kind == ALL_TRICKS_BID) != (action == ALL_TRICKS) or (kind == BOSTON_BID) != (action > ALL_TRICKS):
        return OTHER_KIND
    if kind in (ALL_TRICKS_BID, BOSTON_BID):
        return 1.0
    return PER_TRICK ** np.float64(abs(action - PASS - np.int64(world.bid_number[seat])))


@kernel
def _copy_bid(world: Any, seat: int, state: Any) -> None:
    """Let the seat make its bid again, at the level it had."""
    state.bid_kind[seat] = world.bid_kind[seat]
    state.bid_number[seat] = world.bid_number[seat]
    state.bid_level[seat] = world.bid_level[seat]
    state.bid_rainbow[seat] = world.bid_rainbow[seat]
    state.n_boards += world.bid_kind[seat] == ALL_TRICKS_BID
    state.n_bids += 1


@kernel
def world_weight(
    rules: Any, me: int, worlds: Any, k: int, states: Any, legal: NDArray[np.uint64], stream: NDArray[np.uint64]
) -> float:
    """Return how likely `worlds[k]` is beside others, for the seat `me`.

    Args:
        rules: record of dtype RULES.
        me: the seat that is to act.
        worlds: records of dtype STATE.
        k: which of them.
        states: (2,) records of dtype STATE, scratch.
        legal: (2,) scratch.
        stream: (4,) random stream.
    """
    world = worlds[k]
    states[0] = world
    state = states[0]
    _open_bidding(rules, state)
    weight = 1.0
    for place in range(1, rules.players + 1):
        seat = (np.int64(world.dealer) + place) % rules.players
        if seat != me:
            weight *= _hand_weight(rules, world, seat, state.played[seat])
        if world.bid_kind[seat] == NOT_YET:
            continue
        if seat != me and not is_blind(rules, world):  # blind bids tell nothing of hands
            state.turn = seat
            states[1] = state
            states[1].observer = seat
            states[1].hands[seat] = state.played[seat]
            for other in range(rules.players):
                states[1].played[other] = ZERO
            legal[0] = ZERO
            legal[1] = legal_bids(rules, states[1])
            weight *= _bid_weight(world, seat, choose(RULES, rules, states[1], legal, stream))
        _copy_bid(world, seat, state)
    return weight * _plays_weight(rules, me, world, states, legal, stream)


@kernel
def _plays_weight(
    rules: Any, me: int, world: Any, states: Any, legal: NDArray[np.uint64], stream: NDArray[np.uint64]
) -> float:
    """Return the weight of all that the other seats played; arguments as for `world_weight`.

    `states[0]` has the bids of the world, and nothing played. A state made by hand may not tell the order of plays, or
    tell it wrongly: what is no card of the seat on turn ends the comparison.
    """
    weight = 1.0
    n_played = np.int64(rules.players) * np.int64(world.n_tricks) + np.int64(world.n_in_trick)
    if world.phase != PLAY or n_played == 0:
        return weight
    state = states[0]
    for seat in range(rules.players):
        state.hands[seat] = state.played[seat]
        state.played[seat] = ZERO
        if world.plays[0] >= 0 and has(world.played[seat], np.int64(world.plays[0])):
            state.turn = seat
            state.leader = seat
    state.phase = PLAY
    for i in range(n_played):
        seat = np.int64(state.turn)
        card = np.int64(world.plays[i])
        if card < 0 or not has(world.played[seat] & state.hands[seat], card):
            break
        if seat != me:
            legal[0] = legal_plays(rules, state)
            legal[1] = ZERO
            if legal[0] & (legal[0] - ONE) != ZERO:
                write_view(rules, states, 0, seat, states, 1)
                if choose(RULES, rules, states[1], legal, stream) != card:
                    weight *= OTHER_CARD
        play_card(rules, state, card)
    return weight
