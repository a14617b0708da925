"""The policy and value network: a plain MLP over binary features."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn

ILLEGAL_LOGIT = -1e9
"""Logit of actions outside the mask: far below any real one, yet finite, so that log-probabilities stay numbers."""


class ActorCritic(nn.Module):
    """Logits over all actions and a value, from one trunk.

    Args:
        n_features: size of the observation.
        n_actions: size of the action numbering.
        hidden: width of each hidden layer.
    """

    def __init__(self, n_features: int, n_actions: int, hidden: Sequence[int] = (512, 512)) -> None:
        super().__init__()
        self.n_features = n_features
        self.n_actions = n_actions
        self.hidden = tuple(hidden)
        layers: list[nn.Module] = []
        width = n_features
        for next_width in self.hidden:
            layers += [nn.Linear(width, next_width), nn.ReLU()]
            width = next_width
        self.trunk = nn.Sequential(*layers)
        self.policy_head = nn.Linear(width, n_actions)
        self.value_head = nn.Linear(width, 1)
        self._initialise()

    def _initialise(self) -> None:
        for module in self.trunk:
            if isinstance(module, nn.Linear):
                nn.init.orthogonal_(module.weight, 2.0**0.5)
                nn.init.zeros_(module.bias)
        for head, gain in ((self.policy_head, 0.01), (self.value_head, 0.1)):
            nn.init.orthogonal_(head.weight, gain)
            nn.init.zeros_(head.bias)

    def forward(self, observations: Tensor) -> tuple[Tensor, Tensor]:
        """Return logits (batch, n_actions), not yet masked, and values (batch,) for features (batch, n_features)."""
        hidden = self.trunk(observations)  # (batch, hidden[-1])
        logits = self.policy_head(hidden)  # (batch, n_actions)
        values = self.value_head(hidden).squeeze(-1)  # (batch,)
        return logits, values


def masked_log_probs(logits: Tensor, masks: Tensor) -> Tensor:
    """Return log-probabilities (batch, n_actions) of the legal actions; illegal ones get a vanishing probability.

    Args:
        logits: (batch, n_actions).
        masks: (batch, n_actions) bool, at least one True a row.
    """
    return torch.log_softmax(logits.float().masked_fill(~masks, ILLEGAL_LOGIT), dim=-1)


def masked_entropy(log_probs: Tensor, masks: Tensor) -> Tensor:
    """Return the entropy (batch,) in nats of `masked_log_probs`."""
    return -(log_probs.exp() * log_probs).masked_fill(~masks, 0.0).sum(-1)
