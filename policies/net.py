"""A trained network as a policy."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from backalley.envs.rule_set import Records, RuleSet
from backalley.policies.checkpoint import load_network
from backalley.policies.features import Features
from backalley.policies.network import Network, masked_log_probs


class NetPolicy:
    """Plays the most probable legal action of a network, or draws from its distribution.

    Args:
        network: the network.
        rules: rule set.
        episode: episode kind whose layout the network was trained on.
        name: name in results.
        sample: draw from the policy instead of taking the most probable action.
    """

    def __init__(
        self,
        network: Network,
        rules: RuleSet,
        episode: str = "deal",
        name: str = "net",
        *,
        sample: bool = False,
    ) -> None:
        self.name = name
        self.network = network
        self.sample = sample
        self._features = Features(rules, episode)
        self._device = next(network.parameters()).device

    @classmethod
    def load(cls, path: str | Path, rules: RuleSet) -> NetPolicy:
        """Return the policy of a network file or of the folder of a training run.

        Raises:
            CheckpointError: missing, damaged, or trained on another layout.
        """
        network, description = load_network(path, rules)
        return cls(network, rules, description["episode"], name=f"net:{path}")

    def act(self, views: Records, legal: NDArray[np.int8], rng: np.random.Generator) -> NDArray[np.int16]:
        """Return an action for each View; see `base.Policy`."""
        features, masks, orders = self._features.inputs(views, legal)
        inputs = torch.from_numpy(features).to(self._device).to(torch.float32)
        with torch.inference_mode():
            logits, _ = self.network(inputs)
            log_probs = masked_log_probs(logits, torch.from_numpy(masks).to(self._device).bool()).cpu().numpy()
        if self.sample:
            log_probs = log_probs + rng.gumbel(size=log_probs.shape)
        return self._features.actions(log_probs.argmax(1), orders)
