"""Export of a trained network as an ONNX model.

    from backalley.policies.onnx_export import export_network
    export_network("runs/quickstart", "network.onnx")

Inputs of the model, with any number of rows: `features` (batch, n_features) float32 and `mask` (batch, n_actions) bool.
Outputs: `log_probs` (batch, n_actions) float32, of illegal actions far below all others, and `values` (batch,) float32.
Features and actions are the network's own: the canonical form of `features.Features`. The metadata `backalley`
describes rules, layout and network, as a checkpoint does. Needs `pip install 'backalley[train,onnx]'`; `onnx` plays
such files.
"""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory

import torch
from torch import Tensor, nn

from backalley.envs.errors import CheckpointError
from backalley.policies.checkpoint import load_tensors, network_path
from backalley.policies.extras import needed
from backalley.policies.files import HEADER_KEY, write_atomically
from backalley.policies.network import Network, masked_log_probs
from backalley.policies.networks import make_network

EXTRA = "backalley[train,onnx]"


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
