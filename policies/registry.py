"""Policies by name: bots of each game, `net:`, `onnx:` and `sb3:PATH` for what was trained, `MODULE:FUNCTION` for any.

The function of `MODULE:FUNCTION` takes the rules and returns a policy; of `MODULE:FUNCTION:TEXT` also the text. The
module is installed or lies in the folder the command is given in.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from importlib import import_module
from types import ModuleType

from backalley.envs.errors import BackAlleyError, UnknownName, unknown
from backalley.envs.rule_set import RuleSet
from backalley.policies.base import Policy
from backalley.policies.extras import needed
from backalley.policies.kernel_policy import KernelPolicy
from backalley.policies.kits import kit_of

NET_PREFIX = "net:"
ONNX_PREFIX = "onnx:"
SB3_PREFIX = "sb3:"
_REFERENCE = re.compile(r"[^\W\d][\w.]*:[^\W\d]\w*(:.*)?")
"""`MODULE:FUNCTION`, with a text behind another colon or not."""


def names(rules: RuleSet) -> list[str]:
    """Return the names `make` knows for the game of these rules, with the form of those that take a path."""
    return [*kit_of(rules).names(), f"{NET_PREFIX}PATH", f"{ONNX_PREFIX}PATH", f"{SB3_PREFIX}PATH", "MODULE:FUNCTION"]


def make(name: str, rules: RuleSet) -> Policy:
    """Return the policy of that name for a rule set.

    Raises:
        UnknownName: no policy of the game has that name, or no module or function.
        CheckpointError: the network file is missing, damaged or made for other rules.
        BackAlleyError: a network is asked for and what it needs is not installed, or a function returned no policy.
    """
    if name.startswith(NET_PREFIX):
        return net_policy(rules, name.removeprefix(NET_PREFIX))
    if name.startswith(ONNX_PREFIX):
        return onnx_policy(rules, name.removeprefix(ONNX_PREFIX))
    if name.startswith(SB3_PREFIX):
        return sb3_policy(rules, name.removeprefix(SB3_PREFIX))
    kit = kit_of(rules)
    if name in kit.bots:
        return KernelPolicy(name, rules)
    stem, _, text = name.partition(":")
    if stem in kit.others:
        return kit.others[stem](rules, text)
    if _REFERENCE.fullmatch(name):
        return imported_policy(rules, name)
    raise unknown("policy", name, names(rules))


def net_policy(rules: RuleSet, path: str) -> Policy:
    """Return the network of a file or of the folder of a training run; see `make` for errors."""
    net = needed("backalley.policies.net", "backalley[train]", f"policy 'net:{path}'")
    policy: Policy = net.NetPolicy.load(path, rules)
    return policy


def onnx_policy(rules: RuleSet, path: str) -> Policy:
    """Return the network of an ONNX file that `backalley export` wrote; see `make` for errors."""
    policy: Policy = import_module("backalley.policies.onnx").OnnxPolicy(path, rules)
    return policy


def sb3_policy(rules: RuleSet, path: str) -> Policy:
    """Return the model of a file that MaskablePPO saved; see `models.sb3_policy` for errors."""
    policy: Policy = import_module("backalley.policies.models").sb3_policy(path, rules)
    return policy


def imported_policy(rules: RuleSet, reference: str) -> Policy:
    """Return what the function of `MODULE:FUNCTION` or `MODULE:FUNCTION:TEXT` returns for these rules.

    Raises:
        UnknownName: there is no such module, or no such function in it.
        BackAlleyError: the module needs another that is not installed, or the function returned no policy.
    """
    module_name, function_name, *text = reference.split(":", 2)
    module = _imported(module_name, reference)
    if not callable(getattr(module, function_name, None)):
        functions = [name for name, value in vars(module).items() if callable(value) and not name.startswith("_")]
        raise unknown(f"function of {module.__name__}", function_name, functions)
    policy = getattr(module, function_name)(rules, *text)
    if not isinstance(policy, Policy):
        raise BackAlleyError(
            f"policy {reference!r}: {function_name} returned {type(policy).__name__}, which has no name and act: "
            "return a policy, such as backalley.policies.adapter.ModelPolicy(model, rules)"
        )
    return policy


def _imported(name: str, reference: str) -> ModuleType:
    """Import a module that is installed or lies in the current folder."""
    here = "" not in sys.path
    if here:
        sys.path.append("")
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        missing = error.name or name
        if name == missing or name.startswith(f"{missing}."):
            raise UnknownName(
                f"unknown policy {reference!r}: no policy and no module {name!r}, neither installed nor in this folder"
            ) from None
        raise BackAlleyError(
            f"policy {reference!r} needs {missing}, which is not installed: pip install {missing}"
        ) from None
    finally:
        if here:
            sys.path.remove("")


# Entry points of the group `backalley.policies`: factory(rules) or factory(rules, text), like those of other packages.


def _by_name(name: str) -> Callable[..., Policy]:
    def factory(rules: RuleSet, text: str = "") -> Policy:
        return make(f"{name}:{text}" if text else name, rules)

    return factory


(
    random_policy,
    simple_policy,
    rules_policy,
    tables_policy,
    search_policy,
    ismcts_policy,
    greedy_policy,
    solver_policy,
) = map(_by_name, ("random", "simple", "rules", "tables", "search", "ismcts", "greedy", "solver"))
