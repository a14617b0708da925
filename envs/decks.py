"""Decks that a caller fixes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.typing import NDArray

from backalley.envs.cards import cards_of, format_cards, parse_cards
from backalley.envs.errors import InvalidDeck
from backalley.envs.game import RuleSet

Deck = str | Sequence[int] | Sequence[str]
"""A permutation of the pack: card names in one string, names, or ids."""


def parse_deck(rules: RuleSet, deck: Deck | NDArray[Any]) -> list[int]:
    """Return a deck as ids.

    Raises:
        InvalidDeck: it is not a permutation of the pack of `rules`.
        NotationError: a word names no card.
    """
    words = deck.replace(",", " ").split() if isinstance(deck, str) else list(deck)
    cards = [parse_cards(word)[0] if isinstance(word, str) else int(word) for word in words]
    pack = cards_of(rules.pack)
    if sorted(cards) != pack:
        missing = format_cards(set(pack) - set(cards)) or "none"
        foreign = sorted(set(cards) - set(pack))
        twice = format_cards({card for card in cards if card in pack and cards.count(card) > 1}) or "none"
        raise InvalidDeck(
            f"deck has {len(cards)} cards and is no permutation of the pack of {len(pack)}: missing {missing}; "
            f"twice {twice}; not in the pack {foreign or 'none'}"
        )
    return cards
