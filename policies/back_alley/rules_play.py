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
    N_CARDS,
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
from backalley.policies.back_alley.rules_inputs import (
    N_FEATURES,
    N_INPUTS,
    SCENE_START,
    write_card_inputs,
    write_scene_inputs,
)
from backalley.policies.back_alley.rules_net import N_CARD_1, N_CARD_2, card_correction, is_corrected, scene_sums
from backalley.policies.back_alley.rules_scene import Scene, rank_share, read_scene

BOTH_FORCE = OPTIONS["blooper_force"].values.index("both")
MOST_SPARE = 3  # as good as any larger number
PARTNER_TAKES = 0.5  # chance that a partner who can beat my card ends up with the trick,
PARTNER_RESCUES = 0.6  # or an opponent's card


@kernel
def _write_trick(x: NDArray[np.float32], scene: Scene, side_wins: float, wins: float, tops: float) -> None:
    """Write what winning the trick means: by what both sides need, and by what I would lead next."""
    early = scene.left / N_RANKS
    spare = np.int64(scene.left - scene.mine)
    their_spare = np.int64(scene.left - scene.theirs)
    needed = scene.mine > 0 and spare >= 0
    against = scene.theirs > 0 and their_spare >= 0
    x[feature.SIDE_WINS] = side_wins
    x[feature.SIDE_WINS_DENSE] = side_wins * scene.share
    x[feature.SIDE_WINS_EARLY] = side_wins * early
    x[feature.SIDE_WINS_UNSURE] = side_wins * (1.0 - side_wins)
    if needed:
        x[feature.MINE_SPARE_0 + min(spare, MOST_SPARE)] = side_wins
        if tops < scene.mine:
            x[feature.SIDE_WINS_SHORT] = side_wins
        x[feature.WINS_NEEDED] = wins
    if against:
        x[feature.THEIRS_SPARE_0 + min(their_spare, MOST_SPARE)] = side_wins
        x[feature.WINS_AGAINST] = wins
    if needed and against and spare < scene.theirs:
        x[feature.SIDE_WINS_CONFLICT] = side_wins
    if scene.mine > 0 and tops + side_wins >= scene.mine:
        x[feature.SIDE_WINS_SECURE] = side_wins
    x[feature.WINS_EARLY] = wins * (1.0 if scene.left == 1 else early)
    x[feature.WINS_UNSURE] = wins * (1.0 - wins)
    x[feature.WINS_TOPS] = wins * tops


@kernel
def _write_trump(view: Any, x: NDArray[np.float32], scene: Scene, card: int, top: float, tops: float) -> None:
    """Write what parting with this trump costs or brings beside the trick."""
    x[feature.TRUMP_RANK] = rank_share(card)
    x[feature.TRUMP_LENGTH] = scene.n_trumps
    x[feature.TRUMP_POSSIBLE] = scene.possible_trumps
    x[feature.TRUMP_EXPECTED] = scene.expected_trumps
    x[feature.TRUMP_TOP_EXPECTED] = top * scene.expected_trumps
    x[feature.TRUMP_MASTERS] = n_bits(scene.masters & ~scene.trumps)
    x[feature.TRUMP_TOPS] = tops
    x[feature.TRUMP_BOARDER] = view.bid_kind[view.observer] == ALL_TRICKS_BID
    x[feature.TRUMP_BIG_JOKER] = card == BIG_JOKER
    x[feature.TRUMP_MASTER] = has(scene.masters, card)
    x[feature.TRUMP_LONGER] = scene.n_trumps > scene.expected_trumps


@kernel
def _write_plain(x: NDArray[np.float32], scene: Scene, card: int, own: np.uint64, top: float) -> None:
    """Write what parting with this plain card costs or brings beside the trick; `own` is its suit."""
    n_mine = n_bits(scene.hand & own)
    n_out = n_bits(scene.elsewhere & own)
    x[feature.LENGTH] = n_mine
    x[feature.TOP] = top
    x[feature.TOP_EXPECTED] = top * min(scene.expected_trumps, 4.0)
    x[feature.TOP_OUT] = top * n_out * scene.share
    x[feature.SINGLE] = n_mine == 1
    x[feature.SINGLE_WITH_TRUMPS] = n_mine == 1 and scene.n_trumps > 0
    x[feature.DOUBLE_WITH_TRUMPS] = n_mine == 2 and scene.n_trumps > 0
    if has(scene.masters, card):
        x[feature.MASTER] = 1.0
        x[feature.MASTER_OUT] = n_out
        x[feature.MASTER_EARLY] = scene.left / N_RANKS
        x[feature.MASTER_SAFE] = scene.possible_trumps == 0
        x[feature.MASTER_NEEDED] = 0 < scene.mine <= scene.left
        x[feature.MASTER_AGAINST] = 0 < scene.theirs <= scene.left


@kernel
def _add_holding(
    x: NDArray[np.float32], sign: float, held: np.uint64, outside: np.uint64, share: float, is_trump: bool
) -> None:
    """Add what the cards `held` of one suit promise for later; `outside` are those of the others and the stock."""
    is_lowest = True
    while held != ZERO:
        card = lowest(held)
        held &= held - ONE
        second = sign * is_second(outside, card, share)
        if is_trump:
            x[feature.KEEPS_TRUMP_TOPS] += sign * is_top(outside, card, share)
            x[feature.KEEPS_TRUMP_BARE if is_lowest else feature.KEEPS_TRUMP_SECOND] += second
        elif not is_lowest:
            x[feature.KEEPS_SECOND] += second
        is_lowest = False


@kernel
def _write_plain_lead(rules: Any, view: Any, x: NDArray[np.float32], scene: Scene, card: int, own: np.uint64) -> None:
    """Write what a lead of this plain card meets by voids at the table, and what it leaves in my suit."""
    me = np.int64(view.observer)
    for k in range(1, rules.players):
        seat = (me + k) % rules.players
        possible = scene.unseen & ~view.cannot_hold[seat]
        if possible & own != ZERO:
            continue
        may_ruff = possible & scene.trumps != ZERO
        if rules.side[seat] == rules.side[me]:
            x[feature.PARTNER_RUFFS if may_ruff else feature.PARTNER_VOID] += 1.0
        elif may_ruff:
            x[feature.LEFT_RUFFS if k == 1 else feature.RIGHT_RUFFS] += 1.0
        else:
            x[feature.OPPONENTS_VOID] += 1.0
    highest_mine = highest(scene.hand & own)
    if highest_mine != card:
        n_higher = n_bits(scene.elsewhere & own & ~below(highest_mine + 1))
        x[feature.UNDER_MASTER] = n_higher == 0
        x[feature.UNDER_SECOND] = n_higher == 1


@kernel
def _write_trump_lead(rules: Any, view: Any, x: NDArray[np.float32], scene: Scene, card: int) -> None:
    """Write whose trumps a lead of this trump draws."""
    me = np.int64(view.observer)
    x[feature.DRAWS_EXCESS] = scene.n_trumps - scene.expected_trumps
    partner_may_follow = False
    for seat in range(rules.players):
        if rules.side[seat] != rules.side[me]:
            x[feature.DRAWS_BIDS] += view.bid_number[seat]
        elif seat != me:
            x[feature.DRAWS_PARTNER_NEEDS] += np.float64(view.bid_number[seat] - view.tricks_won[seat])
            partner_may_follow |= scene.unseen & ~view.cannot_hold[seat] & scene.trumps != ZERO
    x[feature.DRAWS_NO_PARTNER] = not partner_may_follow
    x[feature.DRAWS_NOTHING] = scene.possible_trumps == 0
    if card == BIG_JOKER:
        x[feature.BIG_JOKER_DRAWS] = scene.expected_trumps
    x[feature.LITTLE_JOKER_RISK] = card == LITTLE_JOKER and has(scene.elsewhere, BIG_JOKER)


@kernel
def _write_follow(
    x: NDArray[np.float32], scene: Scene, card: int, own: np.uint64, led: np.uint64, takes: bool, partner_holds: bool
) -> None:
    """Write whether following with this card takes over, ruffs or discards."""
    if takes:
        x[feature.TAKES_RANK] = rank_share(card)
        x[feature.OVERTAKES] = partner_holds
    if own != led:
        if has(scene.trumps, card):
            x[feature.RUFF_RANK] = rank_share(card)
        else:
            x[feature.DISCARD_RANK] = rank_share(card)
            x[feature.DISCARD_SINGLE] = scene.n_trumps > 0 and scene.hand & own == bit(card)


@kernel
def write_card(rules: Any, view: Any, scene: Scene, card: int, x: NDArray[np.float32]) -> None:
    """Write the features of a legal card, and the inputs of the net that go with it, into `x`; they must be zero."""
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
    _write_trick(x, scene, side_wins, wins, tops)
    others = scene.masters & ~bit(card)
    x[feature.WINS_MASTERS] = wins * n_bits(others & ~trumps)
    x[feature.WINS_TRUMPS] = wins * n_bits(others & trumps)
    is_trump = has(trumps, card)
    if is_trump:
        _write_trump(view, x, scene, card, top, tops)
    else:
        _write_plain(x, scene, card, own, top)
    held = scene.hand & own
    _add_holding(x, 1.0, held & ~bit(card), outside, scene.share, is_trump)
    _add_holding(x, -1.0, held, outside, scene.share, is_trump)
    if is_lead:
        x[feature.PARTNER_BEATS] = partner
        if 0 < scene.mine <= scene.left:
            x[feature.LOSES_TO_PARTNER] = (1.0 - wins) * partner
        if 0 < scene.theirs <= scene.left:
            x[feature.LOSES_AGAINST] = (1.0 - wins) * (1.0 - partner)
        if is_trump:
            _write_trump_lead(rules, view, x, scene, card)
        else:
            _write_plain_lead(rules, view, x, scene, card, own)
    else:
        _write_follow(x, scene, card, own, led, takes, partner_holds)
    write_card_inputs(rules, view, scene, card, led, takes, wins, partner, x)


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
def _stage_row(view: Any, scene: Scene) -> int:
    """Return the row of the table for the place in the trick and the stage of the deal."""
    stage = 0
    for limit in feature.STAGES:
        if scene.left > limit:
            stage += 1
    return min(np.int64(view.n_in_trick), feature.PLACES - 1) * (len(feature.STAGES) + 1) + stage


@kernel
def _least_wanted(rules: Any, view: Any, scene: Scene, legal: np.uint64) -> int:
    """Return the card of one who wants no more tricks."""
    best = -1
    best_value = -np.inf
    while legal != ZERO:
        card = lowest(legal)
        legal &= legal - ONE
        value = duck_value(rules, view, scene, card)
        if value > best_value:
            best = card
            best_value = value
    return best


@kernel
def judge_cards(rules: Any, view: Any, scene: Scene, legal: np.uint64, nets: bool, values: NDArray[np.float64]) -> None:
    """Write the judgement of each legal card into `values` (54,)."""
    x = np.zeros(N_INPUTS, np.float32)
    weights = feature.TABLE[_stage_row(view, scene)]
    corrects = nets and is_corrected(rules)
    sums = units = np.zeros(0, np.float32)
    nonzero = np.zeros(0, np.int64)
    if corrects:
        write_scene_inputs(rules, view, scene, legal, x)
        nonzero = np.empty(N_INPUTS, np.int64)
        sums = scene_sums(x, nonzero)
        units = np.empty(N_CARD_1 + N_CARD_2, np.float32)
    while legal != ZERO:
        card = lowest(legal)
        legal &= legal - ONE
        x[:SCENE_START] = 0.0
        write_card(rules, view, scene, card, x)
        value = card_correction(x, sums, nonzero, units) if corrects else 0.0
        for k in range(N_FEATURES):
            if x[k] != 0.0:
                value += weights[k] * np.float64(x[k])
        values[card] = value


@kernel
def choose_card(rules: Any, view: Any, legal: np.uint64, nets: bool) -> int:
    """Return the card of `rules`, the lowest id where cards are judged alike."""
    if legal & (legal - ONE) == ZERO:
        return lowest(legal)
    scene = read_scene(rules, view)
    if is_ducking(rules, view):
        return _least_wanted(rules, view, scene, legal)
    values = np.full(N_CARDS, -np.inf)
    judge_cards(rules, view, scene, legal, nets, values)
    return int(np.argmax(values))
