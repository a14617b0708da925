"""One episode: a deal or a match, with the chance that comes between the decisions.

`apply_action` is the pure game. `step_episode` adds what the table does around it: hands thrown in are dealt again, the
next deal of a match begins, rewards are paid, the end is noticed. All randomness comes from the episode's own stream.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from backalley.envs.back_alley.actions import PASS
from backalley.envs.back_alley.bidding import legal_bids, make_bid
from backalley.envs.back_alley.deal import is_cut, n_cards_needed, start_deal
from backalley.envs.back_alley.options import OPTIONS
from backalley.envs.back_alley.play import legal_plays, play_card
from backalley.envs.back_alley.rules import MAX_SCHEDULE, MAX_SEATS
from backalley.envs.back_alley.state import PLAY, SCORED, THROWN_IN
from backalley.envs.cards import CUT_PLACE, DECK_LENGTH, JOKERS, N_CARDS, NO_CARD, ZERO, has, n_bits, nth
from backalley.envs.game import EPISODE_KINDS, REWARD_KINDS
from backalley.envs.kernel import kernel
from backalley.envs.streams import Stream, draw_below, shuffle

DEAL, MATCH = (EPISODE_KINDS.index(kind) for kind in ("deal", "match"))
DIFFERENCE, POINTS, WIN = (REWARD_KINDS.index(kind) for kind in ("difference", "points", "win"))
EXTRA_DEAL = OPTIONS["game_tie"].values.index("extra_deal")

SETTINGS = np.dtype([("episode", np.int8), ("reward", np.int8), ("max_redeals", np.int16)], align=True)
"""What an episode is, how it pays, and after how many thrown-in hands in a row it is cut off."""

EPISODE = np.dtype(
    [
        ("chance", np.uint64, (4,)),  # stream that deals
        ("policy", np.uint64, (4,)),  # stream from which policies in kernels draw
        ("legal", np.uint64, (2,)),  # legal cards; legal bids, bit k = action 54 + k
        ("rewards", np.float64, (MAX_SEATS,)),  # since the last step
        ("deck", np.int8, (DECK_LENGTH,)),  # of the present deal, in place as far as it looked at it, then the cut card
        ("queue", np.int32),  # row of the decks fixed by the caller
        ("n_decks", np.int16),  # decks in it
        ("next_deck", np.int16),  # the first of them that is still to be used
        ("done", np.bool_),
        ("truncated", np.bool_),
    ],
    align=True,
)
"""What belongs to the episode and not to the game: chance, legal actions, rewards, the end."""


@kernel(inline=True)
def apply_action(rules: Any, state: Any, action: int) -> None:
    """Make a legal bid or play of the seat to act; nothing random happens here.

    Afterwards a seat is to act, or the phase is THROWN_IN or SCORED.
    """
    if state.phase == PLAY:
        play_card(rules, state, action)
    else:
        make_bid(rules, state, action)


@kernel(inline=True)
def write_legal(rules: Any, state: Any, legal: NDArray[np.uint64]) -> None:
    """Write the legal actions of the seat to act into `legal` (2,), overwritten: cards, then bids."""
    legal[0] = ZERO
    legal[1] = ZERO
    if state.phase == PLAY:
        legal[0] = legal_plays(rules, state)
    elif state.turn >= 0:
        legal[1] = legal_bids(rules, state)


@kernel(inline=True)
def is_legal(legal: NDArray[np.uint64], action: int) -> bool:
    """Say whether `action` is in the legal sets (2,)."""
    if action < 0 or action >= PASS + 64:
        return False
    return has(legal[0], action) if action < PASS else has(legal[1], action - PASS)


@kernel(inline=True)
def n_legal(legal: NDArray[np.uint64]) -> int:
    """Return how many actions are legal."""
    return n_bits(legal[0]) + n_bits(legal[1])


@kernel(inline=True)
def random_action(legal: NDArray[np.uint64], stream: Stream) -> int:
    """Return a legal action, each equally likely; at least one must be legal."""
    n_plays = n_bits(legal[0])
    n_all = n_plays + n_bits(legal[1])
    index = draw_below(stream, n_all) if n_all > 1 else 0
    if index < n_plays:
        return nth(legal[0], index)
    return PASS + nth(legal[1], index - n_plays)


@kernel
def hand_size_of(rules: Any, deal_index: int) -> int:
    """Return the hand size of a deal of the schedule."""
    return rules.hand_sizes[min(deal_index, MAX_SCHEDULE - 1)]


@kernel
def deal_hands(rules: Any, state: Any, episode: Any, decks: NDArray[np.int8]) -> None:
    """Deal the next deck that the caller fixed, else a shuffled one; again while hands are void of trumps (BA-38).

    Args:
        rules, state, episode: records; state and episode are overwritten.
        decks: (q, d, DECK_LENGTH) int8 decks fixed by the caller, row `episode.queue` for this episode.
    """
    while True:
        if episode.next_deck < episode.n_decks:
            for i in range(DECK_LENGTH):
                episode.deck[i] = decks[episode.queue, episode.next_deck, i]
            episode.next_deck += 1
        else:
            size = 0
            for card in range(N_CARDS):
                if has(rules.pack, card):
                    episode.deck[size] = card
                    size += 1
            shuffle(episode.chance, episode.deck[:size], n_cards_needed(rules, state.hand_size))
            episode.deck[CUT_PLACE] = NO_CARD
        if episode.deck[CUT_PLACE] == NO_CARD and is_cut(rules, state.hand_size):
            plain = rules.pack & ~JOKERS
            episode.deck[CUT_PLACE] = nth(plain, draw_below(episode.chance, n_bits(plain)))
        start_deal(rules, state, episode.deck, episode.deck[CUT_PLACE])
        if state.phase != THROWN_IN:
            return
        state.dealer = state.next_dealer


@kernel
def begin_episode(
    rules: Any, settings: Any, state: Any, episode: Any, decks: Any, dealer: int, deal_index: int
) -> None:
    """Start a fresh episode.

    Args:
        rules, settings, state, episode, decks: see `step_episode`.
        dealer: seat, or -1 for the rule set's first dealer (BA-10).
        deal_index: deal of the schedule, or -1: drawn for single deals, the first one for matches.
    """
    if dealer < 0:
        dealer = rules.first_dealer if rules.first_dealer >= 0 else draw_below(episode.chance, rules.players)
    if deal_index < 0:
        deal_index = draw_below(episode.chance, rules.n_deals) if settings.episode == DEAL else 0
    state.dealer = dealer
    state.deal_index = deal_index
    state.hand_size = hand_size_of(rules, deal_index)
    state.n_redeals = 0
    for seat in range(rules.players):
        state.deal_points[seat] = 0
        state.own_points[seat] = 0
        state.match_points[seat] = 0
        state.carried[seat] = 0
        state.bags[seat] = 0
        episode.rewards[seat] = 0.0
    episode.done = False
    episode.truncated = False
    deal_hands(rules, state, episode, decks)
    write_legal(rules, state, episode.legal)


@kernel
def step_episode(rules: Any, settings: Any, state: Any, episode: Any, decks: Any, action: int) -> None:
    """Apply a legal action and everything that follows until a seat is to act or the episode is over.

    Args:
        rules: record of dtype RULES.
        settings: record of dtype SETTINGS.
        state: record of dtype STATE, overwritten.
        episode: record of dtype EPISODE, overwritten; rewards are added to `episode.rewards`.
        decks: (q, d, DECK_LENGTH) int8, decks fixed by the caller.
        action: a legal action.
    """
    apply_action(rules, state, action)
    if state.phase == THROWN_IN:
        _deal_again(rules, settings, state, episode, decks)
    elif state.phase == SCORED:
        _finish_deal(rules, settings, state, episode, decks)
    write_legal(rules, state, episode.legal)


@kernel
def _deal_again(rules: Any, settings: Any, state: Any, episode: Any, decks: Any) -> None:
    """Deal hands thrown in once more with the same size (BA-20, BA-67), or cut the episode off."""
    state.n_redeals += 1
    if state.n_redeals > settings.max_redeals:
        episode.done = True
        episode.truncated = True
        return
    state.dealer = state.next_dealer
    deal_hands(rules, state, episode, decks)


@kernel
def _finish_deal(rules: Any, settings: Any, state: Any, episode: Any, decks: Any) -> None:
    """Add the points, pay the rewards, and begin the next deal of a match (BA-11, BA-19)."""
    for seat in range(rules.players):
        state.match_points[seat] += state.deal_points[seat]
    is_last = settings.episode == DEAL or state.deal_index + 1 >= rules.n_deals
    if is_last and settings.episode == MATCH and rules.game_tie == EXTRA_DEAL:
        is_last = not _best_total_is_shared(rules, state)
    if settings.reward != WIN:
        _pay(rules, settings, state.deal_points, episode)
    elif is_last:
        _pay(rules, settings, state.match_points, episode)
    if is_last:
        episode.done = True
        return
    state.deal_index += 1
    state.dealer = state.next_dealer
    state.hand_size = hand_size_of(rules, state.deal_index)
    state.n_redeals = 0
    deal_hands(rules, state, episode, decks)


@kernel
def _best_total_is_shared(rules: Any, state: Any) -> bool:
    """Say whether two sides have the best total of the match (BA-114)."""
    best = state.match_points[0]
    for seat in range(rules.players):
        best = max(best, state.match_points[seat])
    side = -1
    for seat in range(rules.players):
        if state.match_points[seat] == best:
            if side >= 0 and rules.side[seat] != side:
                return True
            side = np.int64(rules.side[seat])
    return False


@kernel
def _pay(rules: Any, settings: Any, points: NDArray[np.int32], episode: Any) -> None:
    """Add the reward of each seat for `points` (6,): own side's, minus the mean of the other sides' unless `points`."""
    for seat in range(rules.players):
        others = 0
        n_others = 0
        best_other = -1_000_000_000
        for other in range(rules.players):
            if rules.side[other] != rules.side[seat]:
                others += points[other]
                n_others += 1
                best_other = max(best_other, points[other])
        if settings.reward == DIFFERENCE:
            episode.rewards[seat] += points[seat] - others / n_others
        elif settings.reward == POINTS:
            episode.rewards[seat] += points[seat]
        elif points[seat] != best_other:
            episode.rewards[seat] += 1.0 if points[seat] > best_other else -1.0
