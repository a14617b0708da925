"""The one flat numbering of actions, the same for every rule set of the family.

| action | meaning |
|---|---|
| 0..53 | play that card |
| 54 | pass |
| 54 + k | bid k tricks, k = 1..13 |
| 68 | the all-tricks bid of the rule set (board, all, bort, ladder step) at the level the state forces |
| 69..83 | the same fifteen with a rainbow announced; the number is the whole number bid |
| 84, 85 | double the partner's board after the last bid, or do not |
| 86 | boston |
| 87, 88 | keep the hand, demand a redeal |
"""

from __future__ import annotations

from backalley.envs.cards import N_CARDS, N_RANKS

PASS = N_CARDS  # 54
WIDTH = PASS  # the first word of a legal set are the cards, the second the bids
ALL_TRICKS = PASS + N_RANKS + 1  # 68
N_PLAIN_BIDS = ALL_TRICKS - PASS + 1  # 15: pass, 1..13, all tricks
RAINBOW = PASS + N_PLAIN_BIDS  # 69, plus the offset of the plain bid
RAISE = RAINBOW + N_PLAIN_BIDS  # 84
NO_RAISE = RAISE + 1
BOSTON = NO_RAISE + 1
KEEP = BOSTON + 1
REDEAL = KEEP + 1
N_ACTIONS = REDEAL + 1  # 89


def bid_action(number: int) -> int:
    """Return the action that bids `number` tricks, 1..13; 0 is the pass.

    >>> bid_action(0) == PASS, bid_action(3)
    (True, 57)
    """
    if not 0 <= number <= N_RANKS:
        raise ValueError(f"no bid of {number} tricks exists: a number bid is 0 (pass) to {N_RANKS}")
    return PASS + number
