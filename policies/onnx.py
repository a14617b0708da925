"""Export of a trained network as an ONNX model, and such a file as a policy.

    from backalley.policies.onnx import OnnxPolicy, export_network
    export_network("runs/quickstart", "network.onnx")
    evaluate(OnnxPolicy("network.onnx", rules), "simple", rules)

Inputs of the model, with any number of rows: `features` (batch, n_features) float32 and `mask` (batch, n_actions) bool.
Outputs: `log_probs` (batch, n_actions) float32, of illegal actions far below all others, and `values` (batch,) float32.
Features and actions are the network's own: the canonical form of `features.Features`. The metadata `backalley`
describes rules, layout and network, as a checkpoint does. Needs `pip install 'backalley[train,onnx]'`.
"""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from backalley.envs.errors import CheckpointError
from backalley.envs.games import game_of
from backalley.envs.rule_set import Records, RuleSet
from backalley.policies.checkpoint import HEADER_KEY, load_tensors, network_path
from backalley.policies.extras import needed
from backalley.policies.features import Features
from backalley.policies.files import write_atomically
from backalley.policies.network import Network, masked_log_probs
from backalley.policies.networks import make_network

EXTRA = "backalley[onnx]"


class _Masked(nn.Module):
    """A network with the mask as an input and log-probabilities as output."""

    def __init__(self, network: Network) -> None:
        super().__init__()
        self.network = network

    def forward(self, features: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        logits, values = self.network(features)
        return masked_log_probs(logits, mask), values


def export_network(checkpoint: str | Path, destination: str | Path) -> Path:
    """Write the network of a checkpoint as an ONNX model.

    Args:
        checkpoint: a network file, or the folder of a training run.
        destination: the file to write.

    Returns:
        The file written.

    Raises:
        CheckpointError: there is no such checkpoint, or it holds no network.
        BackAlleyError: onnx or onnxscript is not installed.
    """
    onnx = needed("onnx", EXTRA, "the export")
    needed("onnxscript", EXTRA, "the export")
    file = network_path(checkpoint)
    tensors, description = load_tensors(file)
    if description.get("kind") != "network":
        raise CheckpointError(f"{file} holds a {description.get('kind')}, not a network to export")
    sizes = description["n_features"], description["n_actions"], description["hidden"]
    network = make_network(description.get("network", "mlp"), *sizes)
    network.load_state_dict(tensors)
    inputs = torch.zeros(2, sizes[0]), torch.ones(2, sizes[1], dtype=torch.bool)
    batch = {0: torch.export.Dim.DYNAMIC}
    with TemporaryDirectory() as folder:
        path = Path(folder) / "network.onnx"
        torch.onnx.export(
            _Masked(network).eval(),
            inputs,
            str(path),
            input_names=["features", "mask"],
            output_names=["log_probs", "values"],
            dynamic_shapes=(batch, batch),
            dynamo=True,
            external_data=False,
            verbose=False,
        )
        model = onnx.load(str(path))
    model.metadata_props.add(key=HEADER_KEY, value=json.dumps(description))
    onnx.checker.check_model(model)
    write_atomically(Path(destination), model.SerializeToString())
    return Path(destination)


class OnnxPolicy:
    """Plays the most probable legal action of an exported network, by onnxruntime.

    Args:
        path: the file that `export_network` wrote.
        rules: the rule set.

    Raises:
        CheckpointError: there is no such file, it is none of ours, or it was trained on another layout.
        BackAlleyError: onnxruntime is not installed.
    """

    def __init__(self, path: str | Path, rules: RuleSet) -> None:
        runtime = needed("onnxruntime", EXTRA, f"the policy {path}")
        if not Path(path).is_file():
            raise CheckpointError(f"there is no model {path}: write it by backalley.policies.onnx.export_network")
        self.name = f"onnx:{path}"
        self._session: Any = runtime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
        header = self._session.get_modelmeta().custom_metadata_map.get(HEADER_KEY)
        if header is None:
            raise CheckpointError(f"{path} was not written by backalley: export a network by export_network")
        description = json.loads(header)
        layout = game_of(rules).layout(rules, description["episode"])
        if [[block.name, block.size] for block in layout.blocks] != description["layout"]:
            raise CheckpointError(f"{path} was trained on another layout than these rules have: play its own rules")
        self._features = Features(rules, description["episode"])

    def act(self, views: Records, legal: NDArray[np.int8], rng: np.random.Generator) -> NDArray[np.int16]:
        """Return an action for each View; see `base.Policy`."""
        features, masks, orders = self._features.inputs(views, legal)
        inputs = {"features": features.astype(np.float32), "mask": masks.astype(np.bool_)}
        (log_probs,) = self._session.run(["log_probs"], inputs)
        return self._features.actions(log_probs.argmax(1), orders)
