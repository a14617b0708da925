"""Decks that a caller fixes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backalley.envs.cards import (
    CUT_PLACE,
    DECK_LENGTH,
    LITTLE_JOKER,
    N_CARDS,
    NO_CARD,
    card_name,
    cards_of,
    format_cards,
    parse_card,
    parse_cards,
)
from backalley.envs.errors import InvalidDeck
from backalley.envs.rule_set import RuleSet

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


def parse_cut(rules: RuleSet, cut: str | int) -> int:
    """Return the card that a cut exposes as its id.

    Raises:
        InvalidDeck: the pack has no such card, or it is a joker, which a cut ignores.
        NotationError: the text names no card.
    """
    card = parse_card(cut) if isinstance(cut, str) else int(cut)
    if not 0 <= card < LITTLE_JOKER or not rules.pack >> card & 1:
        name = card_name(card) if 0 <= card < N_CARDS else card
        raise InvalidDeck(f"cut {name} is no suit card of the pack: give the card that fixes trumps, such as 7H")
    return card


def deck_rows(
    rules: RuleSet, decks: Sequence[Deck] | NDArray[np.int8], cuts: Sequence[str | int | None] | None
) -> NDArray[np.int8]:
    """Return decks as kernels take them: (d, DECK_LENGTH) int8, the cut card behind the cards.

    Args:
        rules: says which pack.
        decks: permutations of the pack.
        cuts: the card that the cut exposes, one for each deck; None, also in their place, leaves it to chance.

    Raises:
        InvalidDeck: see `parse_deck` and `parse_cut`; or there are not as many cuts as decks.
    """
    if cuts is not None and len(cuts) != len(decks):
        raise InvalidDeck(f"{len(cuts)} cut cards for {len(decks)} decks: give one for each deck, or none")
    rows = np.zeros((len(decks), DECK_LENGTH), np.int8)
    rows[:, CUT_PLACE] = NO_CARD
    for i, deck in enumerate(decks):
        cards = parse_deck(rules, deck)
        rows[i, : len(cards)] = cards
        if cuts is not None and (cut := cuts[i]) is not None:
            rows[i, CUT_PLACE] = parse_cut(rules, cut)
    return rows


def deck_queues(rules: RuleSet, n: int, decks: NDArray[Any]) -> NDArray[np.int8]:
    """Return decks of every episode as kernels take them: (n, d, DECK_LENGTH) int8.

    Args:
        rules: says which pack.
        n: number of episodes.
        decks: (n, d, 54) or (n, d, DECK_LENGTH) ints; the last place is the cut card, NO_CARD leaves it to chance.

    Raises:
        InvalidDeck: a wrong shape, or see `parse_deck` and `parse_cut`.
    """
    if decks.shape[0] != n or decks.shape[2] not in (N_CARDS, DECK_LENGTH):
        raise InvalidDeck(
            f"decks has shape {decks.shape}: for all {n} episodes at once give ({n}, number of decks, {N_CARDS}), "
            "for some of them a list of decks"
        )
    queues = np.full((n, decks.shape[1], DECK_LENGTH), NO_CARD, np.int8)
    queues[:, :, : decks.shape[2]] = decks
    size = rules.pack.bit_count()
    for row in queues.reshape(-1, DECK_LENGTH):
        parse_deck(rules, row[:size])
        if row[CUT_PLACE] != NO_CARD:
            parse_cut(rules, int(row[CUT_PLACE]))
    return queues
