"""Policies by name: `random`, `simple`, `rules`, and `net:PATH` for a trained network."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from backalley.envs import Rules
from backalley.envs.errors import BackAlleyError, unknown
from backalley.policies import bots
from backalley.policies.base import Policy
from backalley.policies.kernel_policy import KernelPolicy

NET_PREFIX = "net:"


def random_policy(rules: Rules) -> Policy:
    """Return the policy that picks any legal action."""
    return KernelPolicy(bots.RANDOM, rules)


def simple_policy(rules: Rules) -> Policy:
    """Return the fixed anchor `simple`."""
    return KernelPolicy(bots.SIMPLE, rules)


def rules_policy(rules: Rules) -> Policy:
    """Return the rule bot `rules`."""
    return KernelPolicy(bots.RULES, rules)


_FACTORIES: dict[str, Callable[[Rules], Policy]] = {
    "random": random_policy,
    "simple": simple_policy,
    "rules": rules_policy,
}


def names() -> list[str]:
    """Return the names `make` knows, with the form of those that take a path."""
    return [*_FACTORIES, f"{NET_PREFIX}PATH"]


def make(name: str, rules: Rules) -> Policy:
    """Return the policy of that name for a rule set.

    Raises:
        UnknownName: no policy has that name.
        CheckpointError: the network file is missing, damaged or made for other rules.
        BackAlleyError: a network is asked for and torch is not installed.
    """
    if name.startswith(NET_PREFIX):
        return net_policy(rules, name.removeprefix(NET_PREFIX))
    if name not in _FACTORIES:
        raise unknown("policy", name, names())
    return _FACTORIES[name](rules)


def net_policy(rules: Rules, path: str) -> Policy:
    """Return the network of a file or of the folder of a training run; see `make` for errors."""
    try:
        net = import_module("backalley.policies.net")
    except ImportError as error:
        raise BackAlleyError(
            f"policy 'net:{path}' needs {error.name}, which is not installed: pip install 'backalley[train]'"
        ) from None
    policy: Policy = net.NetPolicy.load(path, rules)
    return policy
