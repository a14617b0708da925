"""How strong one policy is against another, whatever the game: duplicate pairs, or the same deals in games for one."""

from __future__ import annotations

from backalley.envs import Rules, StreetsRules
from backalley.envs.rule_set import RuleSet
from backalley.policies.base import Policy
from backalley.train.alone import AloneResult, evaluate_alone
from backalley.train.evaluate import Result, evaluate
from backalley.train.playing import Progress

AnyResult = Result | AloneResult


def measure(
    policy_a: str | Policy,
    policy_b: str | Policy,
    rules: RuleSet,
    pairs: int,
    seed: int = 0,
    *,
    progress: Progress | None = None,
) -> AnyResult:
    """Measure A against B; see `evaluate` and `evaluate_alone`.

    Args:
        policy_a, policy_b: names from the registry, or policies.
        rules: rule set of any of the games.
        pairs: deals that both play.
        seed: int ≥ 0.
        progress: called while policies are asked in batches.
    """
    if isinstance(rules, StreetsRules):
        return evaluate_alone(policy_a, policy_b, rules, pairs, seed, progress=progress)
    assert isinstance(rules, Rules)
    return evaluate(policy_a, policy_b, rules, pairs, seed, progress=progress)
