"""Policy and value networks: their base, a plain MLP over binary features, and masked distributions of actions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import torch
from torch import Tensor, nn

ILLEGAL_LOGIT = -1e9
"""Logit of actions outside the mask: far below any real one, yet finite, so that log-probabilities stay numbers."""


class Network(nn.Module):
    """Base of the networks: features (batch, n_features) → logits (batch, n_actions) and values (batch,).

    Attributes:
        kind: name in configurations and checkpoints.
        n_features: size of the input.
        n_actions: size of the action numbering.
        hidden: widths of the layers, as the kind of network reads them.
    """

    kind: ClassVar[str]

    def __init__(self, n_features: int, n_actions: int, hidden: Sequence[int]) -> None:
        super().__init__()
        self.n_features = n_features
        self.n_actions = n_actions
        self.hidden = tuple(hidden)


class ActorCritic(Network):
    """Logits over all actions and a value, from one trunk.

    Args:
        n_features: size of the observation.
        n_actions: size of the action numbering.
        hidden: width of each hidden layer.
    """

    kind = "mlp"

    def __init__(self, n_features: int, n_actions: int, hidden: Sequence[int] = (512, 512)) -> None:
        super().__init__(n_features, n_actions, hidden)
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


def judge_actions(logits: Tensor, masks: Tensor, actions: Tensor) -> tuple[Tensor, Tensor]:
    """Return the log-probabilities (batch,) of actions and the entropies (batch,) in nats of their policies.

    Only as many columns are looked at as the row with the most legal actions has: few are legal at a time.

    Args:
        logits: (batch, n_actions).
        masks: (batch, n_actions) bool.
        actions: (batch,) int64, legal ones.
    """
    n_most = int(masks.sum(1).max())
    is_legal, columns = masks.to(torch.int8).topk(n_most, dim=1)  # (batch, n_most), the legal ones first
    own_masks = is_legal.bool()
    log_probs = masked_log_probs(logits.gather(1, columns), own_masks)  # (batch, n_most)
    place = (columns == actions[:, None]).to(torch.int8).argmax(1)  # (batch,)
    return log_probs.gather(1, place[:, None]).squeeze(1), masked_entropy(log_probs, own_masks)
