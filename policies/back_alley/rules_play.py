"""How `rules` plays: each legal card is judged by features a player would name, the best one is played.

The weights of the features depend on the place in the trick and on how many tricks are left.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from backalley.envs.back_alley.options import OPTIONS
from backalley.envs.back_alley.play import strength, suit_group
from backalley.envs.back_alley.state import ALL_TRICKS_BID
from backalley.envs.cards import (
    BIG_JOKER,
    LITTLE_JOKER,
    N_RANKS,
    NO_TRUMP,
    ONE,
    ZERO,
    below,
    bit,
    has,
    highest,
    lowest,
    n_bits,
)
from backalley.envs.kernel import kernel
from backalley.policies.back_alley import rules_features as feature
from backalley.policies.back_alley.chances import is_second, is_top, partner_beats, survives
from backalley.policies.back_alley.rules_duck import duck_value, is_ducking
from backalley.policies.back_alley.rules_scene import Scene, rank_share, read_scene

BOTH_FORCE = OPTIONS["blooper_force"].values.index("both")
MOST_SPARE = 3  # as good as any larger number
PARTNER_TAKES = 0.5  # chance that a partner who can beat my card ends up with the trick,
PARTNER_RESCUES = 0.6  # or an opponent's card


@kernel
def _trick_value(w: NDArray[np.float64], scene: Scene, card: int, side_wins: float, wins: float, tops: float) -> float:
    """Return what winning the trick is worth: by what both sides need, and by what I would lead next."""
    early = scene.left / N_RANKS
    value = w[feature.SIDE_WINS] + w[feature.SIDE_WINS_DENSE] * scene.share + w[feature.SIDE_WINS_EARLY] * early
    spare = np.int64(scene.left - scene.mine)
    their_spare = np.int64(scene.left - scene.theirs)
    needed = scene.mine > 0 and spare >= 0
    against = scene.theirs > 0 and their_spare >= 0
    if needed:
        value += w[feature.MINE_SPARE_0 + min(spare, MOST_SPARE)]
        if tops < scene.mine:
            value += w[feature.SIDE_WINS_SHORT]
    if against:
        value += w[feature.THEIRS_SPARE_0 + min(their_spare, MOST_SPARE)]
    if needed and against and spare < scene.theirs:
        value += w[feature.SIDE_WINS_CONFLICT]
    if scene.mine > 0 and tops + side_wins >= scene.mine:
        value += w[feature.SIDE_WINS_SECURE]
    value = value * side_wins + w[feature.SIDE_WINS_UNSURE] * side_wins * (1.0 - side_wins)
    others = scene.masters & ~bit(card)
    lead = w[feature.WINS_EARLY] * (1.0 if scene.left == 1 else early) + w[feature.WINS_UNSURE] * (1.0 - wins)
    lead += w[feature.WINS_MASTERS] * n_bits(others & ~scene.trumps) + w[feature.WINS_TOPS] * tops
    lead += w[feature.WINS_TRUMPS] * n_bits(others & scene.trumps)
    if needed:
        lead += w[feature.WINS_NEEDED]
    if against:
        lead += w[feature.WINS_AGAINST]
    return value + lead * wins


@kernel
def _trump_value(view: Any, w: NDArray[np.float64], scene: Scene, card: int, top: float, tops: float) -> float:
    """Return what parting with this trump costs or brings beside the trick."""
    value = w[feature.TRUMP_RANK] * rank_share(card)
    value += w[feature.TRUMP_LENGTH] * scene.n_trumps + w[feature.TRUMP_POSSIBLE] * scene.possible_trumps
    value += (w[feature.TRUMP_EXPECTED] + w[feature.TRUMP_TOP_EXPECTED] * top) * scene.expected_trumps
    value += w[feature.TRUMP_MASTERS] * n_bits(scene.masters & ~scene.trumps) + w[feature.TRUMP_TOPS] * tops
    if view.bid_kind[view.observer] == ALL_TRICKS_BID:
        value += w[feature.TRUMP_BOARDER]
    if card == BIG_JOKER:
        value += w[feature.TRUMP_BIG_JOKER]
    if has(scene.masters, card):
        value += w[feature.TRUMP_MASTER]
    if scene.n_trumps > scene.expected_trumps:
        value += w[feature.TRUMP_LONGER]
    return value


@kernel
def _plain_value(w: NDArray[np.float64], scene: Scene, card: int, own: np.uint64, top: float) -> float:
    """Return what parting with this plain card costs or brings beside the trick; `own` is its suit."""
    n_mine = n_bits(scene.hand & own)
    n_out = n_bits(scene.elsewhere & own)
    value = w[feature.LENGTH] * n_mine + top * (
        w[feature.TOP]
        + w[feature.TOP_EXPECTED] * min(scene.expected_trumps, 4.0)
        + w[feature.TOP_OUT] * n_out * scene.share
    )
    if n_mine == 1:
        value += w[feature.SINGLE]
        if scene.n_trumps > 0:
            value += w[feature.SINGLE_WITH_TRUMPS]
    elif n_mine == 2 and scene.n_trumps > 0:
        value += w[feature.DOUBLE_WITH_TRUMPS]
    if has(scene.masters, card):
        value += w[feature.MASTER] + w[feature.MASTER_OUT] * n_out + w[feature.MASTER_EARLY] * scene.left / N_RANKS
        if scene.possible_trumps == 0:
            value += w[feature.MASTER_SAFE]
        if 0 < scene.mine <= scene.left:
            value += w[feature.MASTER_NEEDED]
        if 0 < scene.theirs <= scene.left:
            value += w[feature.MASTER_AGAINST]
    return value


@kernel
def _holding_value(w: NDArray[np.float64], held: np.uint64, outside: np.uint64, share: float, is_trump: bool) -> float:
    """Return what the cards `held` of one suit promise for later; `outside` are those of the others and the stock."""
    value = 0.0
    is_lowest = True
    while held != ZERO:
        card = lowest(held)
        held &= held - ONE
        second = is_second(outside, card, share)
        if not is_trump:
            value += 0.0 if is_lowest else w[feature.KEEPS_SECOND] * second
        else:
            value += (
                w[feature.KEEPS_TRUMP_TOPS] * is_top(outside, card, share)
                + w[feature.KEEPS_TRUMP_BARE if is_lowest else feature.KEEPS_TRUMP_SECOND] * second
            )
        is_lowest = False
    return value


@kernel
def _plain_lead_value(rules: Any, view: Any, w: NDArray[np.float64], scene: Scene, card: int, own: np.uint64) -> float:
    """Return what a lead of this plain card brings by voids at the table and by what it leaves in my suit."""
    me = np.int64(view.observer)
    value = 0.0
    for k in range(1, rules.players):
        seat = (me + k) % rules.players
        possible = scene.unseen & ~view.cannot_hold[seat]
        if possible & own != ZERO:
            continue
        may_ruff = possible & scene.trumps != ZERO
        if rules.side[seat] == rules.side[me]:
            value += w[feature.PARTNER_RUFFS] if may_ruff else w[feature.PARTNER_VOID]
        elif may_ruff:
            value += w[feature.LEFT_RUFFS] if k == 1 else w[feature.RIGHT_RUFFS]
        else:
            value += w[feature.OPPONENTS_VOID]
    highest_mine = highest(scene.hand & own)
    if highest_mine != card:
        n_higher = n_bits(scene.elsewhere & own & ~below(highest_mine + 1))
        if n_higher == 0:
            value += w[feature.UNDER_MASTER]
        elif n_higher == 1:
            value += w[feature.UNDER_SECOND]
    return value


@kernel
def _trump_lead_value(rules: Any, view: Any, w: NDArray[np.float64], scene: Scene, card: int) -> float:
    """Return what a lead of this trump brings by the trumps it draws."""
    me = np.int64(view.observer)
    value = w[feature.DRAWS_EXCESS] * (scene.n_trumps - scene.expected_trumps)
    partner_may_follow = False
    for seat in range(rules.players):
        if rules.side[seat] != rules.side[me]:
            value += w[feature.DRAWS_BIDS] * view.bid_number[seat]
        elif seat != me:
            value += w[feature.DRAWS_PARTNER_NEEDS] * (view.bid_number[seat] - view.tricks_won[seat])
            partner_may_follow |= scene.unseen & ~view.cannot_hold[seat] & scene.trumps != ZERO
    if not partner_may_follow:
        value += w[feature.DRAWS_NO_PARTNER]
    if scene.possible_trumps == 0:
        value += w[feature.DRAWS_NOTHING]
    if card == BIG_JOKER:
        value += w[feature.BIG_JOKER_DRAWS] * scene.expected_trumps
    if card == LITTLE_JOKER and has(scene.elsewhere, BIG_JOKER):
        value += w[feature.LITTLE_JOKER_RISK]
    return value


@kernel
def _lead_value(
    rules: Any, view: Any, w: NDArray[np.float64], scene: Scene, card: int, own: np.uint64, wins: float, partner: float
) -> float:
    """Return what a lead brings that following cannot; `partner` is the chance that partner beats it."""
    value = w[feature.PARTNER_BEATS] * partner
    if 0 < scene.mine <= scene.left:
        value += w[feature.LOSES_TO_PARTNER] * (1.0 - wins) * partner
    if 0 < scene.theirs <= scene.left:
        value += w[feature.LOSES_AGAINST] * (1.0 - wins) * (1.0 - partner)
    if has(scene.trumps, card):
        return value + _trump_lead_value(rules, view, w, scene, card)
    return value + _plain_lead_value(rules, view, w, scene, card, own)


@kernel
def _follow_value(
    w: NDArray[np.float64], scene: Scene, card: int, own: np.uint64, led: np.uint64, takes: bool, partner_holds: bool
) -> float:
    """Return what following with this card brings or costs by taking over, ruffing or discarding."""
    value = 0.0
    if takes:
        value += w[feature.TAKES_RANK] * rank_share(card)
        if partner_holds:
            value += w[feature.OVERTAKES]
    if own != led:
        if has(scene.trumps, card):
            value += w[feature.RUFF_RANK] * rank_share(card)
        else:
            value += w[feature.DISCARD_RANK] * rank_share(card)
            if scene.n_trumps > 0 and scene.hand & own == bit(card):
                value += w[feature.DISCARD_SINGLE]
    return value


@kernel
def card_value(rules: Any, view: Any, w: NDArray[np.float64], scene: Scene, card: int) -> float:
    """Return the judgement of a legal card with the weights `w` (features,)."""
    trumps = scene.trumps
    own = suit_group(trumps, card)
    is_lead = view.n_in_trick == 0
    led = own if is_lead else (suit_group(trumps, np.int64(view.led)) if view.led >= 0 else ZERO)
    takes = is_lead or strength(view, led, card) > strength(view, led, np.int64(view.trick_card))
    partner_holds = not is_lead and rules.side[view.trick_holder] == rules.side[view.observer]
    wins = _chance_to_win(rules, view, scene, card, led) if takes else 0.0
    holding = card if takes else np.int64(view.trick_card)
    partner = partner_beats(rules, view, trumps, led, holding, scene.unseen)
    if takes:
        side_wins = wins + (1.0 - wins) * partner * PARTNER_TAKES
    elif partner_holds:
        side_wins = survives(rules, view, trumps, led, holding, scene.unseen)
    else:
        side_wins = partner * PARTNER_RESCUES
    outside = scene.elsewhere & own
    top = is_top(outside, card, scene.share)
    tops = scene.tops - top
    value = _trick_value(w, scene, card, side_wins, wins, tops)
    is_trump = has(trumps, card)
    if is_trump:
        value += _trump_value(view, w, scene, card, top, tops)
    else:
        value += _plain_value(w, scene, card, own, top)
    held = scene.hand & own
    value += _holding_value(w, held & ~bit(card), outside, scene.share, is_trump)
    value -= _holding_value(w, held, outside, scene.share, is_trump)
    if is_lead:
        return value + _lead_value(rules, view, w, scene, card, own, wins, partner)
    return value + _follow_value(w, scene, card, own, led, takes, partner_holds)


@kernel
def _chance_to_win(rules: Any, view: Any, scene: Scene, card: int, led: np.uint64) -> float:
    """Return the chance that a card which takes the lead in the trick keeps it against the opponents."""
    if card == BIG_JOKER and has(scene.trumps, card):
        return 1.0
    chance = survives(rules, view, scene.trumps, led, card, scene.unseen)
    forces = rules.blooper_force == BOTH_FORCE and has(rules.pack, LITTLE_JOKER)
    if card == LITTLE_JOKER and forces and view.n_in_trick == 0 and view.trump != NO_TRUMP:
        return 0.5 + 0.5 * chance  # the big joker beats it only where it is a seat's last trump (BA-88)
    return chance


@kernel
def choose_card(rules: Any, view: Any, legal: np.uint64) -> int:
    """Return the card of `rules`, the lowest id where cards are judged alike."""
    if legal & (legal - ONE) == ZERO:
        return lowest(legal)
    scene = read_scene(rules, view)
    stage = 0
    for limit in feature.STAGES:
        if scene.left > limit:
            stage += 1
    w = feature.TABLE[min(np.int64(view.n_in_trick), feature.PLACES - 1) * (len(feature.STAGES) + 1) + stage]
    ducking = is_ducking(rules, view)
    best = -1
    best_value = -np.inf
    rest = legal
    while rest != ZERO:
        card = lowest(rest)
        rest &= rest - ONE
        value = duck_value(rules, view, scene, card) if ducking else card_value(rules, view, w, scene, card)
        if value > best_value:
            best = card
            best_value = value
    return best
