"""An exported network as a policy: `onnx:PATH`, played by onnxruntime, without torch.

The files are written by `backalley export` (`onnx_export`). Needs `pip install 'backalley[onnx]'`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backalley.envs.errors import CheckpointError
from backalley.envs.games import game_of
from backalley.envs.rule_set import Records, RuleSet
from backalley.policies.extras import needed
from backalley.policies.features import Features
from backalley.policies.files import HEADER_KEY
from backalley.policies.registry import ONNX_PREFIX


class OnnxPolicy:
    """Plays the most probable legal action of an exported network.

    Args:
        path: the file that `backalley export` wrote.
        rules: the rule set.

    Raises:
        CheckpointError: there is no such file, it is none of ours, or it was trained on another layout.
        BackAlleyError: onnxruntime is not installed.
    """

    def __init__(self, path: str | Path, rules: RuleSet) -> None:
        runtime = needed("onnxruntime", "backalley[onnx]", f"policy '{ONNX_PREFIX}{path}'")
        if not Path(path).is_file():
            raise CheckpointError(f"there is no model {path}: write one by `backalley export NETWORK {path}`")
        self.name = f"{ONNX_PREFIX}{path}"
        self._session: Any = runtime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
        header = self._session.get_modelmeta().custom_metadata_map.get(HEADER_KEY)
        if header is None:
            raise CheckpointError(f"{path} was not written by backalley: write one by `backalley export NETWORK FILE`")
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
