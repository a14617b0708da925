"""Episodes played by policies, as records (see `records`).

>>> from backalley.policies import registry
>>> from backalley.train.records import verify
>>> rules = make_rules("gamerules", hand_max=3)
>>> (record,) = capture(Table(rules, 1, seed=5), [registry.make("simple", rules)] * 4)
>>> len(record["decks"][0].split()), record["result"] == verify(record).result()
(54, True)
>>> verify({**record, "actions": record["actions"][:-1]})
Traceback (most recent call last):
backalley.train.records.RecordError: the actions end after 7, but the episode is not over: player_3 is to act
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backalley.envs import Rules, Table, make_rules
from backalley.envs.back_alley.deal import is_cut, n_cards_needed
from backalley.envs.cards import CUT_PLACE, JOKERS, NO_CARD, card_name, n_bits, nth
from backalley.envs.dealing import take_deck
from backalley.envs.errors import BackAlleyError
from backalley.envs.rule_set import RuleSet
from backalley.envs.streams import CHANCE, Stream, draw_below, new_streams
from backalley.policies import registry
from backalley.policies.base import Policy
from backalley.train.estimates import nearest_preset
from backalley.train.records import FORMAT, MAX_LIMIT, Playing, Record, RecordWriter


def capture(
    table: Table,
    policies: Sequence[Policy],
    *,
    n: int = 1,
    seed: int = 0,
    start: dict[str, Any] | None = None,
    notes: dict[str, int] | None = None,
) -> Iterator[Record]:
    """Play episodes from the table's stream and yield their records.

    Args:
        table: a table with one episode; what was on it is given up.
        policies: one for each seat; asked only where there is a choice.
        n: how many episodes.
        seed: of the policies' draws.
        start: what else is fixed, as `Table.reset` takes it, decks included.
        notes: `seed` and `pair` of the records.

    Raises:
        InvalidDeck, ValueError: see `Table.reset`.
    """
    rng = np.random.default_rng(seed)

    def decide() -> int:
        legal = table.legal_actions()
        if len(legal) == 1:
            return legal[0]
        return int(policies[int(table.turn[0])].act(table.view(), table.legal(), rng)[0])

    names = [policy.name for policy in policies]
    for _ in range(n):
        yield _capture_one(table, names, decide, start or {}, notes or {})


def retell(
    table: Table,
    names: Sequence[str],
    actions: Sequence[int],
    *,
    start: dict[str, Any] | None = None,
    notes: dict[str, int] | None = None,
) -> Record:
    """Return the record of an episode from the table's stream whose actions are known; see `capture`.

    Args:
        table: a table with one episode; what was on it is given up.
        names: who played, seat by seat.
        actions: what they did, to the end of the episode.
        start, notes: as for `capture`.
    """
    known = iter(actions)
    return _capture_one(table, names, lambda: next(known), start or {}, notes or {})


def _capture_one(
    table: Table, names: Sequence[str], decide: Callable[[], int], start: dict[str, Any], notes: dict[str, int]
) -> Record:
    assert table.n == 1
    chance = table.episodes["chance"][0]  # the table's own
    fixed = _drawn_start(table, start, chance)
    before = chance.copy()
    table.reset(**fixed)
    head = _head(table, fixed)
    decks = _dealt(table, before, 0)
    playing = Playing(table)
    while not table.done[0]:
        before, next_deck = chance.copy(), int(table.episodes["next_deck"][0])
        playing.step(decide())
        decks += _dealt(table, before, next_deck)
    size = table.rules.pack.bit_count()
    record = {**head, "decks": [" ".join(card_name(card) for card in deck[:size]) for deck in decks]}
    if isinstance(table.rules, Rules):
        cuts = [int(deck[CUT_PLACE]) for deck in decks]
        record["cuts"] = [None if card == NO_CARD else card_name(card) for card in cuts]
    return {**record, **notes, "policies": list(names), "actions": playing.actions, "result": playing.result()}


def _drawn_start(table: Table, start: dict[str, Any], chance: Stream) -> dict[str, Any]:
    """Return what `Table.reset` is told, with dealer and deal drawn as `begin_episode` would; `chance` moves on."""
    if not isinstance(table.rules, Rules):
        return start
    rules, drawn = table.rules, dict(start)
    if drawn.get("dealers") is None:
        random = rules.first_dealer == "random"
        drawn["dealers"] = int(draw_below(chance, rules.players)) if random else rules.first_dealer
    if drawn.get("hand_sizes") is None and drawn.get("deal_indices") is None:
        drawn["deal_indices"] = int(draw_below(chance, rules.n_deals)) if table.episode == "deal" else 0
    return drawn


def _head(table: Table, fixed: dict[str, Any]) -> Record:
    """Return the record of an episode that has just begun, as far as it is known by then."""
    preset, options = named(table.rules)
    limit = table.game.limit[0]
    head = {"format": FORMAT, "game": table.game.name, "preset": preset, "options": options, "episode": table.episode}
    head[limit] = int(table.settings[0][limit])
    if isinstance(table.rules, Rules):
        # Not the dealer in the state: hands without trumps may have moved the deal on (BA-38).
        head |= {"dealer": int(fixed["dealers"]), "deal_index": int(table.states[0]["deal_index"])}
    return head


@lru_cache(maxsize=64)
def named(rules: RuleSet) -> tuple[str, dict[str, Any]]:
    """Return a preset and the options that make `rules` of it, as JSON gives them back."""
    preset, options = nearest_preset(rules)
    try:
        found = make_rules(preset, **options) == rules
    except BackAlleyError:  # the nearest preset has a list of hand sizes, and these rules have none
        found = False
    if not found:
        preset, options = next(iter(rules.PRESETS)), rules.differences()
    return preset, json.loads(json.dumps(options))


def _dealt(table: Table, chance: Stream, next_deck: int) -> list[NDArray[np.int8]]:
    """Return the decks dealt since the stream stood at `chance`, those of hands void of trumps included (BA-38).

    Args:
        table: a table with one episode.
        chance: (4,) uint64.
        next_deck: the deck fixed by the caller that was next at that time.

    Returns:
        (DECK_LENGTH,) int8 each, with the card of the cut where there was one.
    """
    episode, record = table.episodes[:1].copy(), table.rules_record[0]
    episode["chance"][0], episode["next_deck"] = chance, next_deck
    pack, n_front, cut = np.uint64(table.rules.pack), table.rules.pack.bit_count(), False
    if isinstance(table.rules, Rules):
        hand_size = int(table.states[0]["hand_size"])
        n_front, cut = int(n_cards_needed(record, hand_size)), bool(is_cut(record, hand_size))
    decks: list[NDArray[np.int8]] = []
    while not all((episode[name] == table.episodes[name]).all() for name in ("chance", "next_deck")):
        take_deck(pack, n_front, episode[0], table.decks)
        deck = episode["deck"][0].copy()
        if cut and deck[CUT_PLACE] == NO_CARD:
            plain = pack & ~JOKERS
            deck[CUT_PLACE] = nth(plain, draw_below(episode["chance"][0], n_bits(plain)))
        elif not cut:
            deck[CUT_PLACE] = NO_CARD
        decks.append(deck)
        assert len(decks) <= MAX_LIMIT, "the decks are not drawn as the table draws them"
    return decks


def record_pairs(
    rules: RuleSet,
    policy_a: str | Policy,
    policy_b: str | Policy,
    pairs: int,
    seed: int,
    path: Path,
    limit: int | None = None,
) -> NDArray[np.float64]:
    """Play the pairs that `evaluate` plays (`evaluate_alone` for patience) and append a record of each play.

    The cards are the same for the same seed, so policies that do not draw at random make the same moves. A pair has a
    record for each side, with A on that side; in patience one of A and one of B.

    Args:
        rules: rule set of any of the games.
        policy_a, policy_b: names from the registry, or policies.
        pairs: pairs (deals of patience) of the measurement.
        seed: int ≥ 0.
        path: file that the records are appended to.
        limit: record the first so many pairs only.

    Returns:
        (pairs recorded,) float64 difference of each, as `evaluate` (cards up: `evaluate_alone`) has it.

    Raises:
        UnknownName, CheckpointError: a policy does not exist or cannot be loaded.
        RecordError: the file ends in half a line.
    """
    a, b = (registry.make(one, rules) if isinstance(one, str) else one for one in (policy_a, policy_b))
    table = Table(rules, 1, 0)
    n = pairs if limit is None else min(pairs, limit)
    differences = np.empty(n)
    streams = new_streams(seed, n, CHANCE)
    with RecordWriter(path) as writer:
        for pair in range(n):
            start = {"deal_indices": pair % rules.n_deals} if isinstance(rules, Rules) else {}
            values = []
            for play, seats in enumerate(_seatings(rules, a, b)):
                table.episodes["chance"][0] = streams[pair]
                notes = {"seed": seed, "pair": pair}
                (record,) = capture(table, seats, seed=2 * pair + play, start=start, notes=notes)
                writer.write(record)
                values.append(_value(rules, record, play))
            differences[pair] = sum(values)
    if isinstance(rules, Rules):
        differences /= rules.n_sides * (rules.n_sides - 1)  # whole numbers up to here, as `evaluate` has it
    return differences


def _seatings(rules: RuleSet, a: Policy, b: Policy) -> list[list[Policy]]:
    """Return who sits where in each play of a pair."""
    if not isinstance(rules, Rules):
        return [[a], [b]]
    seats = range(rules.players)
    return [[a if rules.side_of(seat) == side else b for seat in seats] for side in range(rules.n_sides)]


def _value(rules: RuleSet, record: Record, play: int) -> int:
    """Return the points of A's side minus each other side's, added up; in patience A's cards up, B's below zero."""
    result = record["result"]
    if not isinstance(rules, Rules):
        return result["cards_up"] * (-1 if play else 1)
    points = {rules.side_of(seat): total for seat, total in enumerate(result["totals"])}
    return rules.n_sides * points[play] - sum(points.values())
