"""The state of a deal in a match as one fixed-size record.

Bit sets of cards, small ints, no pointers and no random generator: a copy is an assignment, and states can be stored,
compared, pickled and batched like any array. `STATE` lists the fields; seats a rule set does not use stay zero.
A View (see `view`) is the same record as one seat knows it.
"""

from __future__ import annotations

import numpy as np

from backalley.envs.back_alley.rules import MAX_SEATS
from backalley.envs.cards import N_CARDS

# Phases of section 17, as far as a state can rest in them.
REDEAL_OFFER = 0
"""The seat on turn may demand a new deal (BA-36); the others do not see that it is asked (BA-115)."""
BID = 1
RAISE = 2
PLAY = 3
THROWN_IN = 4
"""All passed (BA-67), or a redeal (BA-36, BA-38): the hands wait to be dealt again by `next_dealer`."""
SCORED = 5
"""The deal is over and its points are in `deal_points`."""

# Kinds of bid.
NOT_YET = 0
PASSED = 1
NUMBER = 2
ALL_TRICKS_BID = 3
BOSTON_BID = 4

OPEN = -1
"""`observer` of a state that shows all hands."""

STATE = np.dtype(
    [
        ("hands", np.uint64, (MAX_SEATS,)),
        ("played", np.uint64, (MAX_SEATS,)),  # by each seat, the current trick included
        (
            "cannot_hold",
            np.uint64,
            (MAX_SEATS,),
        ),  # excluded by what a seat has played, as everybody can infer
        ("stock", np.uint64),
        ("exposed", np.uint64),  # turned up and out of play
        ("discarded", np.uint64),  # the joker given back in the exchange (BA-26)
        ("burned", np.uint64),  # jokers put under the stock (BA-28)
        ("trumps", np.uint64),  # the suit TRUMP of this deal: trump suit, jokers, high twos (BA-6)
        ("deal_points", np.int32, (MAX_SEATS,)),  # of the deal scored last; each seat has its side's
        (
            "own_points",
            np.int32,
            (MAX_SEATS,),
        ),  # what each seat scored by itself; its side's without `score_unit` player
        ("match_points", np.int32, (MAX_SEATS,)),
        ("carried", np.int16, (MAX_SEATS,)),  # rainbow points of hands thrown in, due with the next scored deal (BA-66)
        ("bags", np.int16, (MAX_SEATS,)),  # overtricks counted over the match (BAW-17)
        ("deal_index", np.int16),
        ("n_redeals", np.int16),  # hands thrown in since the last scored deal
        ("phase", np.int8),
        ("turn", np.int8),  # seat to act, -1 none
        ("dealer", np.int8),
        ("hand_size", np.int8),  # n: cards dealt to each seat
        ("next_dealer", np.int8),  # of the deal after this one, whether it is scored or thrown in
        ("trump", np.int8),  # 0..3 suit, 4 no trump
        ("turn_up", np.int8),  # the card turned up, -1 none
        ("cut", np.int8),  # the card that the cut exposed, -1 none (BA-22)
        ("high_two", np.int8),  # card that ranks above all of its suit, -1 none (BA-5, BA-33)
        ("second_two", np.int8),  # card that ranks next to it, -1 none
        ("n_bids", np.int8),
        ("n_boards", np.int8),
        ("bid_kind", np.int8, (MAX_SEATS,)),
        ("bid_number", np.int8, (MAX_SEATS,)),
        ("bid_level", np.int8, (MAX_SEATS,)),  # level of an all-tricks bid, from 1
        ("bid_rainbow", np.int8, (MAX_SEATS,)),  # a rainbow announced, or shown (BAW-12)
        ("leader", np.int8),  # of the current trick, -1 while bidding
        ("trick", np.int8, (MAX_SEATS,)),  # card of each seat in the current trick, -1 none
        ("led", np.int8),  # card that set the suit to follow, -1 none yet
        ("n_in_trick", np.int8),
        ("n_tricks", np.int8),  # completed
        ("trick_card", np.int8),  # card that holds the trick, -1 none
        ("trick_holder", np.int8),  # its seat, -1 none
        ("broken", np.int8),
        ("run", np.int8),  # seat with the run of BA-79, -1 none
        ("tricks_won", np.int8, (MAX_SEATS,)),
        ("first_six", np.int8, (MAX_SEATS,)),  # tricks won among the first six
        ("plays", np.int8, (N_CARDS,)),  # cards in the order in which they were played, -1 behind them
        ("observer", np.int8),  # seat whose View this is, -1 open
    ],
    align=True,
)
