"""How the double-dummy search sees a deal: hands as bits in four lanes, and the rules of the play as small tables.

A lane is 16 bits of a `uint64` and holds one effective suit (BA-6), its cards in play numbered 0, 1, ... by strength.
Lane 0 holds the trumps of a deal that has a trump suit, jokers and high twos included. Jokers of a no-trump deal are a
group of their own in the two highest bits.

A *shape* is the part of a position at the start of a trick that the table of results compares as a whole: how many
cards of each lane each hand holds, the tricks left, and who holds the cards whose identity matters ("specials": those
that force others, and jokers without trumps). The place of all other cards is compared by rank as far as it matters.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from backalley.envs.back_alley.deal import WORTHLESS_JOKER
from backalley.envs.back_alley.play import (
    BIG_ONLY,
    FORCED_HIGHEST,
    FORCED_LOWEST,
    MUST_TRUMP,
    NO_FORCE,
    NOT_FORCED,
    PARTNER_ANY_TRUMP,
    PARTNER_LOWEST,
    RUFF_ONLY,
    RUN_LEAD,
    barred_leads,
    lift,
)
from backalley.envs.cards import (
    BIG_JOKER,
    JOKERS,
    LITTLE_JOKER,
    N_CARDS,
    N_SUITS,
    NO_TRUMP,
    ONE,
    SUIT_MASK,
    ZERO,
    bit,
    has,
    lowest,
    n_bits,
)
from backalley.envs.kernel import kernel

N_SEATS = 4
N_LANES = 4
LANE = 16
LANE_MASK = np.uint64(0xFFFF)
JOKER_GROUP = 4  # of no-trump deals
JOKER_BIT = 62  # of the lower joker there
N_GROUPS = N_LANES + 1
MAX_DEPTH = 53
MAX_MOVES = 14
N_WEIGHTS = 72
N_SPECIALS = 2

HEAD_BITS = 17
N_HEADS = 1 << HEAD_BITS
N_ENTRIES = 1 << 20
ENTRY_WORDS = 4

# The shape: 12 lengths of 4 bits (lane 3 follows from the others), tricks left, holders of the specials, leader, flag.
LENGTH_BITS = 4
LEFT_SHIFT = 48
SPECIAL_SHIFT = 52
SPECIAL_BITS = 3
GONE = 4  # the holder of a special that is not in play
LEADER_SHIFT = 58
FLAG_SHIFT = 60

WORK = np.dtype(
    [
        # The large arrays come first, so that an entry of the table never lies in two cache lines.
        ("entries", np.uint64, (N_ENTRIES, ENTRY_WORDS)),
        ("heads", np.uint64, (N_HEADS,)),
        # Owners of the cards of a lane from the top, two bits a card, by set of cards.
        ("owners", np.uint32, (N_LANES, 1 << 15)),
        # The position at the root, and what the search changes in it.
        ("hands", np.uint64, (N_SEATS,)),
        ("aggr", np.uint64),  # cards in play, those of the current trick included
        ("root_shape", np.uint64),
        ("flag", np.int64),  # trumps broken, or the leader has the run
        ("left", np.int64),  # tricks left, the current one included
        ("seat", np.int64),  # to play
        ("k", np.int64),  # cards in the current trick
        ("leader", np.int64),
        ("led", np.int64),  # group led, -1 none yet
        ("led_special", np.uint64),  # the card led if it is a special
        ("best", np.int64),  # bit that holds the trick
        ("best_seat", np.int64),
        ("trick", np.uint64),  # cards of the trick
        # The rules of the play in this deal.
        ("groups", np.uint64, (N_GROUPS,)),
        ("trumps", np.uint64),
        ("last_to_lead", np.uint64),  # who holds nothing else may lead them
        ("barred", np.uint64, (2, N_SEATS)),  # leads not allowed, by flag and seat
        ("specials", np.uint64),
        ("special_bit", np.int64, (N_SPECIALS,)),  # -1 none
        ("force", np.int64, (N_SPECIALS, 2)),  # by special; on opponents, on the partner of the leader
        ("high_two", np.uint64),  # the card that starts a run
        ("must_trump", np.int64),
        ("ruff_only", np.int64),
        ("keeps_flag", np.int64),  # whether the flag can change what may be led
        ("runs", np.int64),
        # Names of the cards.
        ("card_of", np.int8, (64,)),
        ("bit_of", np.int8, (N_CARDS,)),
        # Changes of the shape when a seat plays a card of a group, and when a special goes.
        ("delta", np.uint64, (N_SEATS, N_GROUPS)),
        ("special_delta", np.uint64, (N_SPECIALS,)),
        # The table of results.
        ("n_entries", np.int64),
        ("generation", np.uint64),
        ("hint", np.int64),  # bit of the card that did best when the position was met before, -1 none
        # Moves by depth.
        ("moves", np.int64, (MAX_DEPTH, MAX_MOVES)),
        ("classes", np.uint64, (MAX_DEPTH, MAX_MOVES)),
        ("merits", np.int64, (MAX_DEPTH, MAX_MOVES)),
        ("history", np.int64, (N_SEATS, 64)),
        ("killers", np.int64, (MAX_DEPTH + 1,)),  # card that did best at this depth last
        ("weights", np.int64, (N_WEIGHTS,)),
        ("root_moves", np.int64, (MAX_MOVES,)),
        ("root_classes", np.uint64, (MAX_MOVES,)),
        ("n_root_moves", np.int64),
        ("root_depth", np.int64),
        ("root_mask", np.uint64),  # the only cards tried at the root
        ("n_nodes", np.int64),
        ("max_nodes", np.int64),
        ("stopped", np.int64),
    ],
    align=True,
)
"""Everything a search needs; too large for a stack, made once and used for many deals."""


@kernel(inline=True)
def group_of(card: int) -> int:
    """Return the group of a bit."""
    return JOKER_GROUP if card >= JOKER_BIT else card >> 4


@kernel(inline=True)
def one(card: int) -> np.uint64:
    """Return the set of one bit."""
    return ONE << np.uint64(card)


@kernel(inline=True)
def under(card: int) -> np.uint64:
    """Return all bits below one."""
    return (ONE << np.uint64(card)) - ONE


@kernel(inline=True)
def beats(work: Any, card: int, best: int) -> bool:
    """Say whether a card played later takes the trick from the card that holds it (BA-93)."""
    group = group_of(card)
    best_group = group_of(best)
    if group == best_group:
        return card > best
    if one(card) & work.trumps != ZERO:
        return True
    return best_group == JOKER_GROUP and work.trumps == ZERO  # a joker without a suit


@kernel
def load(rules: Any, state: Any, work: Any) -> None:
    """Bring a state in the card play into the form of the search.

    Args:
        rules: record of dtype RULES, four seats in two sides.
        state: record of dtype STATE with all hands; its flags are overwritten.
        work: record of dtype WORK; everything but its table of results is overwritten, and that is emptied.
    """
    has_suit = state.trump != NO_TRUMP
    held = ZERO
    for seat in range(N_SEATS):
        work.hands[seat] = ZERO
        held |= state.hands[seat]
        if state.trick[seat] >= 0:
            held |= bit(np.int64(state.trick[seat]))
        for card in range(64):
            work.history[seat, card] = 0
    for card in range(N_CARDS):
        work.bit_of[card] = -1
    for depth in range(MAX_DEPTH + 1):
        work.killers[depth] = -1
    work.aggr = ZERO
    lane = 0
    if has_suit:
        _load_lane(state, work, held & state.trumps, lane)
        lane = 1
    else:
        _load_lane(state, work, held & JOKERS, -1)
    for suit in range(N_SUITS):
        if suit != state.trump:
            _load_lane(state, work, held & SUIT_MASK[suit] & ~state.trumps, lane)
            lane += 1
    _load_rules(rules, state, work, has_suit)
    _load_trick(rules, state, work)
    _load_shape(work)
    work.n_entries = 0
    work.generation += ONE
    work.n_nodes = 0
    work.stopped = 0


@kernel
def _load_lane(state: Any, work: Any, cards: np.uint64, lane: int) -> None:
    """Number the cards of an effective suit by strength and write who owns them; lane -1 is the group of jokers."""
    ranks = lift(state, cards)
    if lane >= 0:
        work.owners[lane, 0] = 0
    n = 0
    size = 1
    while ranks != ZERO:
        card = lowest(ranks)
        ranks &= ranks - ONE
        if state.high_two >= 0 and card >= LITTLE_JOKER:
            card = np.int64(state.high_two) if card == BIG_JOKER else np.int64(state.second_two)
        place = LANE * lane + n if lane >= 0 else JOKER_BIT + n
        owner = 0
        for seat in range(N_SEATS):
            if has(state.hands[seat], card):
                owner = seat
                work.hands[seat] |= one(place)
        work.card_of[place] = card
        work.bit_of[card] = place
        work.aggr |= one(place)
        if lane >= 0:
            top = np.uint32(owner) << np.uint32(30)
            for i in range(size):
                work.owners[lane, size + i] = top | (work.owners[lane, i] >> np.uint32(2))
            size *= 2
        n += 1


@kernel
def _places(work: Any, cards: np.uint64) -> np.uint64:
    """Return the bits of those of the cards that are in play."""
    places = ZERO
    while cards != ZERO:
        place = np.int64(work.bit_of[lowest(cards)])
        cards &= cards - ONE
        if place >= 0:
            places |= one(place)
    return places


@kernel
def _load_rules(rules: Any, state: Any, work: Any, has_suit: bool) -> None:
    """Write groups, and what may be led and followed with."""
    for group in range(N_LANES):
        work.groups[group] = LANE_MASK << np.uint64(LANE * group)
    work.groups[JOKER_GROUP] = ZERO
    is_worthless = not has_suit and rules.no_trump_joker == WORTHLESS_JOKER
    work.trumps = work.groups[0] if has_suit else ZERO
    if not has_suit:
        jokers = ~under(JOKER_BIT)
        work.groups[JOKER_GROUP] = jokers
        work.groups[N_LANES - 1] &= ~jokers
        if not is_worthless:
            work.trumps = jokers
    work.last_to_lead = ~under(JOKER_BIT) if is_worthless else work.trumps
    work.must_trump = rules.follow == MUST_TRUMP
    work.ruff_only = rules.broken_by == RUFF_ONLY
    work.runs = has_suit and rules.lead_rule == RUN_LEAD
    work.flag = state.broken
    if work.runs:
        work.flag = state.run >= 0 and state.run == state.leader
    run = state.run
    work.keeps_flag = False
    for seat in range(N_SEATS):
        state.broken = 0
        state.run = -1
        work.barred[0, seat] = _places(work, barred_leads(rules, state, seat))
        state.broken = 1
        state.run = seat
        work.barred[1, seat] = _places(work, barred_leads(rules, state, seat))
        work.keeps_flag |= work.barred[0, seat] != work.barred[1, seat]
    state.run = run
    if not work.keeps_flag:
        work.flag = 0
    _load_specials(rules, state, work, has_suit)


@kernel
def _load_specials(rules: Any, state: Any, work: Any, has_suit: bool) -> None:
    """Write the cards whose identity matters, and what they force on others (BA-87 to BA-92)."""
    work.specials = ZERO
    for special in range(N_SPECIALS):
        card = BIG_JOKER - special
        on_opponent = NOT_FORCED
        on_partner = NOT_FORCED
        if work.runs:
            card = np.int64(state.high_two) if special == 0 else -1
            on_opponent = FORCED_HIGHEST
            on_partner = FORCED_HIGHEST
        elif has_suit and special == 0 and rules.blooper_force != NO_FORCE:
            on_opponent = FORCED_HIGHEST
            on_partner = FORCED_HIGHEST
            if rules.bb_partner == PARTNER_ANY_TRUMP:
                on_partner = NOT_FORCED
            elif rules.bb_partner == PARTNER_LOWEST:
                on_partner = FORCED_LOWEST
        elif has_suit and special == 1 and rules.blooper_force != NO_FORCE and rules.blooper_force != BIG_ONLY:
            on_opponent = FORCED_LOWEST
            on_partner = FORCED_LOWEST
        elif has_suit:
            card = -1
        work.special_bit[special] = -1
        if card >= 0 and work.bit_of[card] >= 0:
            place = np.int64(work.bit_of[card])
            work.special_bit[special] = place
            work.force[special, 0] = on_opponent
            work.force[special, 1] = on_partner
            work.specials |= one(place)
    work.high_two = ZERO
    if work.runs and work.special_bit[0] >= 0:
        work.high_two = one(work.special_bit[0])


@kernel
def _load_trick(rules: Any, state: Any, work: Any) -> None:
    """Write how far the trick has come."""
    work.left = np.int64(state.hand_size) - np.int64(state.n_tricks)
    work.seat = state.turn
    work.leader = state.leader
    work.k = state.n_in_trick
    work.trick = ZERO
    for seat in range(N_SEATS):
        if state.trick[seat] >= 0:
            work.trick |= one(np.int64(work.bit_of[state.trick[seat]]))
    work.led = -1 if state.led < 0 else group_of(np.int64(work.bit_of[state.led]))
    work.led_special = ZERO
    if state.n_in_trick > 0:
        work.led_special = one(np.int64(work.bit_of[state.trick[state.leader]])) & work.specials
    work.best = -1 if state.trick_card < 0 else np.int64(work.bit_of[state.trick_card])
    work.best_seat = state.trick_holder


@kernel
def _load_shape(work: Any) -> None:
    """Write the shape, and what each play changes in it."""
    shape = np.uint64(work.left) << np.uint64(LEFT_SHIFT)
    for seat in range(N_SEATS):
        for group in range(N_GROUPS):
            work.delta[seat, group] = ZERO
            if group < N_LANES - 1:
                at = np.uint64(LENGTH_BITS * ((N_LANES - 1) * seat + group))
                work.delta[seat, group] = ONE << at
                shape += np.uint64(n_bits(work.hands[seat] & work.groups[group])) << at
    for special in range(N_SPECIALS):
        at = np.uint64(SPECIAL_SHIFT + SPECIAL_BITS * special)
        holder = GONE
        for seat in range(N_SEATS):
            if work.special_bit[special] >= 0 and has(work.hands[seat], work.special_bit[special]):
                holder = seat
        shape |= np.uint64(holder) << at
        work.special_delta[special] = np.uint64(GONE - holder) << at
    work.root_shape = shape
