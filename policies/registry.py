"""Policies by name: the bots of each game, and `net:PATH` for a trained network."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from backalley.envs.errors import BackAlleyError, unknown
from backalley.envs.rule_set import RuleSet
from backalley.policies.base import Policy
from backalley.policies.kernel_policy import KernelPolicy
from backalley.policies.kits import kit_of

NET_PREFIX = "net:"


def names(rules: RuleSet) -> list[str]:
    """Return the names `make` knows for the game of these rules, with the form of those that take a path."""
    return [*kit_of(rules).names(), f"{NET_PREFIX}PATH"]


def make(name: str, rules: RuleSet) -> Policy:
    """Return the policy of that name for a rule set.

    Raises:
        UnknownName: no policy of the game has that name.
        CheckpointError: the network file is missing, damaged or made for other rules.
        BackAlleyError: a network is asked for and torch is not installed.
    """
    if name.startswith(NET_PREFIX):
        return net_policy(rules, name.removeprefix(NET_PREFIX))
    kit = kit_of(rules)
    if name in kit.bots:
        return KernelPolicy(name, rules)
    stem, _, text = name.partition(":")
    if stem in kit.others:
        return kit.others[stem](rules, text)
    raise unknown("policy", name, names(rules))


def net_policy(rules: RuleSet, path: str) -> Policy:
    """Return the network of a file or of the folder of a training run; see `make` for errors."""
    try:
        net = import_module("backalley.policies.net")
    except ImportError as error:
        raise BackAlleyError(
            f"policy 'net:{path}' needs {error.name}, which is not installed: pip install 'backalley[train]'"
        ) from None
    policy: Policy = net.NetPolicy.load(path, rules)
    return policy


# Entry points of the group `backalley.policies`: factory(rules) or factory(rules, text), like those of other packages.


def _by_name(name: str) -> Callable[..., Policy]:
    def factory(rules: RuleSet, text: str = "") -> Policy:
        return make(f"{name}:{text}" if text else name, rules)

    return factory


random_policy, simple_policy, rules_policy, search_policy, ismcts_policy, greedy_policy, solver_policy = map(
    _by_name, ("random", "simple", "rules", "search", "ismcts", "greedy", "solver")
)
