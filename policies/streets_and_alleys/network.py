"""A network that treats all piles alike: what it learns about one pile it knows about all."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from backalley.envs.cards import N_RANKS, N_SUITS
from backalley.envs.streets_and_alleys.actions import N_ACTIONS, N_PILES
from backalley.policies.network import Network
from backalley.policies.streets_and_alleys.features import N_FEATURES, PILE_LAYOUT


class PileNetwork(Network):
    """Logits over all moves and a value, from features of piles and of the table.

    A move from pile p to pile q is judged by what is known of p, of q and of the table, by the same weights for all.

    Args:
        n_features: must be those of `features`.
        n_actions: must be those of the game.
        hidden: width of what is known of a pile, of the table, and of a pair of piles.
    """

    kind = "piles"

    def __init__(self, n_features: int, n_actions: int, hidden: Sequence[int] = (64, 128, 48)) -> None:
        if (n_features, n_actions) != (N_FEATURES, N_ACTIONS) or len(hidden) != 3:
            raise ValueError(
                f"a pile network takes {N_FEATURES} features, {N_ACTIONS} actions and three widths, not {n_features}, "
                f"{n_actions} and {list(hidden)}: for other games use network.kind=mlp"
            )
        super().__init__(n_features, n_actions, hidden)
        pile, table, pair = self.hidden
        n_table = n_features - N_PILES * PILE_LAYOUT.size
        self.pile_first = nn.Linear(PILE_LAYOUT.size, pile)
        self.table_layer = nn.Linear(n_table + 2 * pile, table)
        self.pile_second = nn.Linear(pile, pile)
        self.table_to_pile = nn.Linear(table, pile, bias=False)
        self.source = nn.Linear(pile, pair)
        self.target = nn.Linear(pile, pair, bias=False)
        self.up_head = nn.Linear(pile, 1)
        self.move_head = nn.Linear(pair, N_RANKS)
        self.back_head = nn.Linear(table, N_SUITS * N_PILES)
        self.value_head = nn.Linear(table, 1)
        self.pairs: Tensor
        self.register_buffer("pairs", _pairs(), persistent=False)
        self._initialise()

    def _initialise(self) -> None:
        heads = (self.up_head, self.move_head, self.back_head, self.value_head)
        for module in self.modules():
            if isinstance(module, nn.Linear):
                nn.init.orthogonal_(module.weight, 0.01 if module in heads else 2.0**0.5)
                if module.bias is not None:
                    nn.init.zeros_(module.bias)

    def forward(self, observations: Tensor) -> tuple[Tensor, Tensor]:
        """Return logits (batch, n_actions), not yet masked, and values (batch,) for features (batch, n_features)."""
        n = N_PILES * PILE_LAYOUT.size
        piles = observations[:, :n].reshape(-1, N_PILES, PILE_LAYOUT.size)  # (batch, 8, pile features)
        h = torch.relu(self.pile_first(piles))  # (batch, 8, pile)
        whole = torch.cat([observations[:, n:], h.mean(1), h.amax(1)], dim=1)
        table = torch.relu(self.table_layer(whole))  # (batch, table)
        h = torch.relu(self.pile_second(h) + self.table_to_pile(table)[:, None])  # (batch, 8, pile)
        pair = torch.relu(self.source(h)[:, :, None] + self.target(h)[:, None])  # (batch, 8, 8, pair)
        pair = pair.flatten(1, 2)[:, self.pairs]  # (batch, 56, pair)
        ups = self.up_head(h).squeeze(-1)  # (batch, 8)
        moves = self.move_head(pair).flatten(1)  # (batch, 56 · 13)
        logits = torch.cat([ups, moves, self.back_head(table)], dim=1)  # (batch, n_actions)
        return logits, self.value_head(table).squeeze(-1)


def _pairs() -> Tensor:
    """Return where the pairs of different piles stand among all pairs, in the order of the actions, (56,)."""
    return torch.tensor([N_PILES * p + q for p in range(N_PILES) for q in range(N_PILES) if p != q])
