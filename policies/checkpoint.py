"""Files of tensors: safetensors with a JSON description inside, written atomically, nothing unpickled.

A network file `NAME.safetensors` carries its description in the safetensors header; `NAME.json` beside it repeats the
description for people. Reading uses the header only, so the pair cannot disagree.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from safetensors import SafetensorError, safe_open
from safetensors.torch import save as serialise
from torch import Tensor

from backalley.envs.errors import CheckpointError
from backalley.envs.games import game_of
from backalley.envs.rule_set import RuleSet
from backalley.policies.files import HEADER_KEY, write_atomically
from backalley.policies.network import Network
from backalley.policies.networks import make_network

FORMAT = 1
NETWORK_FILE = "network.safetensors"
"""Name of the network's file in the folder of a run."""


def save_tensors(path: Path, tensors: Mapping[str, Tensor], description: Mapping[str, Any]) -> None:
    """Write tensors and a JSON description to `path`, and the description to the `.json` beside it."""
    text = json.dumps({"format": FORMAT, **description}, indent=1)
    contiguous = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    write_atomically(path, serialise(contiguous, metadata={HEADER_KEY: text}))
    write_atomically(path.with_suffix(".json"), (text + "\n").encode())


def load_tensors(path: Path) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """Return the tensors and the description of a file.

    Raises:
        CheckpointError: the file is missing, damaged, or not one of ours.
    """
    if not path.is_file():
        raise CheckpointError(
            f"there is no checkpoint {path}: give a .safetensors file or the folder of a training run"
        )
    try:
        with safe_open(str(path), framework="pt") as file:
            header = file.metadata() or {}
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 (no mapping)
        description = json.loads(header[HEADER_KEY])
    except (SafetensorError, OSError, ValueError, KeyError) as error:
        raise CheckpointError(
            f"checkpoint {path} is damaged or was not written by backalley ({error}): use another copy"
        ) from None
    if description.get("format") != FORMAT:
        raise CheckpointError(f"checkpoint {path} has format {description.get('format')}, this version reads {FORMAT}")
    return tensors, description


def save_network(path: Path, network: Network, rules: RuleSet, episode: str, info: Mapping[str, Any]) -> None:
    """Write a network with all that is needed to play with it."""
    layout = game_of(rules).layout(rules, episode)
    description = {
        "kind": "network",
        "rules": rules.as_dict(),
        "episode": episode,
        "network": network.kind,
        "hidden": list(network.hidden),
        "n_features": network.n_features,
        "n_actions": network.n_actions,
        "layout": [[block.name, block.size] for block in layout.blocks],
        **info,
    }
    save_tensors(path, network.state_dict(), description)


def network_path(path: str | Path) -> Path:
    """Return the network file that `path` (a file or the folder of a run) means."""
    path = Path(path)
    return path / NETWORK_FILE if path.is_dir() else path


def load_network(path: str | Path, rules: RuleSet) -> tuple[Network, dict[str, Any]]:
    """Return the network of a file, ready to play `rules`, and its description.

    Raises:
        CheckpointError: missing or damaged file, or a network for other observations.
    """
    file = network_path(path)
    tensors, description = load_tensors(file)
    if description.get("kind") != "network":
        raise CheckpointError(f"{file} holds a {description.get('kind')}, not a network to play with")
    layout = game_of(rules).layout(rules, description["episode"])
    if [[block.name, block.size] for block in layout.blocks] != description["layout"]:
        raise CheckpointError(
            f"the network {file} was trained on another observation layout ({description['n_features']} features) than "
            f"these rules have ({layout.size}): train it anew, or play the rules it was trained on"
        )
    sizes = description["n_features"], description["n_actions"], description["hidden"]
    network = make_network(description.get("network", "mlp"), *sizes)
    try:
        network.load_state_dict(tensors)
    except RuntimeError as error:
        raise CheckpointError(f"checkpoint {file} does not fit its own description: {error}") from None
    return network.eval(), description
