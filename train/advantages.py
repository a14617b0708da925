"""Advantages of one seat's decisions in one episode (generalised advantage estimation, arXiv 1506.02438).

Turns alternate between seats, so the next state of a decision is the same seat's next decision. The only reward comes
at the end and there is no discount.
"""

from __future__ import annotations

from typing import Any

from backalley.envs.kernel import kernel


@kernel
def finish_chain(rows: Any, last: int, reward: float, gae_lambda: float) -> None:
    """Write advantages and value targets of a chain of decisions, from its last one backwards.

    Args:
        rows: records of dtype `rollout.ROW`; `advantage`, `target` and `finished` of the chain are overwritten.
        last: row of the seat's last decision; `previous` leads to the earlier ones.
        reward: what the seat got at the end, in the units of the values.
        gae_lambda: 1 compares with the outcome alone, 0 with the next value alone.
    """
    next_value = reward
    advantage = 0.0
    row = last
    while row >= 0:
        value = rows[row].value
        advantage = (next_value - value) + gae_lambda * advantage
        rows[row].advantage = advantage
        rows[row].target = value + advantage
        rows[row].finished = True
        next_value = value
        row = rows[row].previous
