"""One episode: a deal or a match, with the chance that comes between the decisions.

`apply_action` is the pure game. `step_episode` adds what the table does around it: hands thrown in are dealt again, the
next deal of a match begins, rewards are paid, the end is noticed. All randomness comes from the episode's own stream.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from backalley.envs.back_alley.bidding import legal_bids, make_bid
from backalley.envs.back_alley.deal import is_cut, n_cards_needed, start_deal
from backalley.envs.back_alley.options import OPTIONS
from backalley.envs.back_alley.play import legal_plays, play_card
from backalley.envs.back_alley.rules import MAX_SCHEDULE, MAX_SEATS
from backalley.envs.back_alley.state import PLAY, SCORED, THROWN_IN
from backalley.envs.cards import CUT_PLACE, JOKERS, NO_CARD, ZERO, n_bits, nth
from backalley.envs.dealing import LEFT_OPEN, episode_dtype, take_deck
from backalley.envs.kernel import kernel
from backalley.envs.streams import draw_below

EPISODE_KINDS = ("deal", "match")
REWARD_KINDS = ("difference", "points", "win")
DEAL, MATCH = range(len(EPISODE_KINDS))
DIFFERENCE, POINTS, WIN = range(len(REWARD_KINDS))
EXTRA_DEAL = OPTIONS["game_tie"].values.index("extra_deal")

SETTINGS = np.dtype([("episode", np.int8), ("reward", np.int8), ("max_redeals", np.int16)], align=True)
"""What an episode is, how it pays, and after how many thrown-in hands in a row it is cut off."""

EPISODE = episode_dtype(MAX_SEATS, n_words=2)
DEALER, DEAL_INDEX = range(2)
"""What `start` fixes: the dealer, and the position in the schedule."""


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
        take_deck(rules.pack, n_cards_needed(rules, state.hand_size), episode, decks)
        if episode.deck[CUT_PLACE] == NO_CARD and is_cut(rules, state.hand_size):
            plain = rules.pack & ~JOKERS
            episode.deck[CUT_PLACE] = nth(plain, draw_below(episode.chance, n_bits(plain)))
        start_deal(rules, state, episode.deck, episode.deck[CUT_PLACE])
        if state.phase != THROWN_IN:
            return
        state.dealer = state.next_dealer


@kernel
def begin_episode(rules: Any, settings: Any, state: Any, episode: Any, decks: Any) -> None:
    """Start a fresh episode; `episode.start` is used up.

    Left open, the dealer is the rule set's first one (BA-10), the deal is drawn for single deals and the first one of
    the schedule for matches.

    Args:
        rules, settings, state, episode, decks: see `step_episode`.
    """
    dealer = np.int64(episode.start[DEALER])
    deal_index = np.int64(episode.start[DEAL_INDEX])
    episode.start[:] = LEFT_OPEN
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
