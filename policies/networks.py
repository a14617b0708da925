"""Networks by the name of their kind."""

from __future__ import annotations

from collections.abc import Sequence

from backalley.envs.errors import unknown
from backalley.policies.network import ActorCritic, Network
from backalley.policies.streets_and_alleys.network import PileNetwork

NETWORKS: dict[str, type[Network]] = {network.kind: network for network in (ActorCritic, PileNetwork)}


def make_network(kind: str, n_features: int, n_actions: int, hidden: Sequence[int]) -> Network:
    """Return a fresh network.

    Args:
        kind: `"mlp"`, or `"piles"` for Streets and Alleys.
        n_features, n_actions, hidden: see its class.

    Raises:
        UnknownName: no network is called so.
        ValueError: the network is not made for these sizes.
    """
    if kind not in NETWORKS:
        raise unknown("network kind", kind, NETWORKS)
    return NETWORKS[kind](n_features, n_actions, hidden)
