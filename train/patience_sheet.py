"""Streets and Alleys in words: its rules, and a game move by move."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from backalley.envs import StreetsRules, Table
from backalley.envs.api.render_piles import render_piles
from backalley.envs.decks import Deck
from backalley.envs.streets_and_alleys.notation import action_name, move_text
from backalley.envs.streets_and_alleys.state import WON
from backalley.policies.base import Policy
from backalley.policies.streets_and_alleys.planner import NAME, solve_state, winning_actions
from backalley.train.estimates import nearest_preset

Record = dict[str, Any]

WORDS = {
    "aces_up": (
        "The aces are dealt with the other cards: eight piles, four of seven cards and four of six",
        "The aces begin on the foundations, the other cards lie in eight piles of six",
    ),
    "auto_ace": ("An ace on top stays until it is moved", "An ace on top goes to its foundation by itself, as no move"),
    "auto_play": ("No other card moves by itself", "So does every card that its foundation takes"),
    "worry_back": (
        "Cards do not come back from the foundations",
        "The top card of a foundation may come back",
    ),
}
"""What is said of each yes/no option, when it is off and when it is on."""
ALWAYS = (
    "The foundations are built up in suit from ace to king; all 52 cards there win (SA-12, SA-30)",
    "The top card of a pile may go on a card one rank higher, of any suit, or into a space (SA-10, SA-11)",
    "A run moves at once if single cards through the spaces could: with e empty piles up to 2^e cards onto a card, "
    "2^(e-1) into a space (SA-22)",
    "Without a legal move the game is lost (SA-31)",
)


def preset_list() -> Iterator[str]:
    """Yield the presets as lines."""
    yield "patience, for one player"
    yield "  streets_and_alleys 52 cards in eight piles, nothing hidden, aces in the piles"
    yield "  beleaguered_castle the same with the aces on the foundations from the start"


def rule_sheet(rules: StreetsRules, name: str) -> str:
    """Return the rules as text of several lines under the heading `name`."""
    told = [f"{words[getattr(rules, option)]} ({rules.OPTIONS[option].clause})" for option, words in WORDS.items()]
    return "\n".join([name, "", *(f"  {line}" for line in (*told, *ALWAYS))])


def play_game(rules: StreetsRules, policy: Policy, *, seed: int = 0, deck: Deck | None = None) -> Record:
    """Play one game and return its record, as JSON can hold it.

    Args:
        rules: rule set.
        policy: who plays.
        seed: of the deck and of the policy's draws.
        deck: the pack in dealing order.

    Raises:
        InvalidDeck, NotationError: the deck is no permutation of the pack.
    """
    table = _dealt(rules, seed, deck)
    rng = np.random.default_rng(seed)
    dealt = _deck_of(table)
    moves = []
    while not table.done[0]:
        action = int(policy.act(table.view(), table.legal(), rng)[0])
        moves.append(_told(table, action))
        table.step([action])
    return {**_head(rules, policy.name, seed, dealt), "moves": moves, **_result(table)}


def solve_deal(rules: StreetsRules, *, seed: int | None, deck: Deck | None, max_seconds: float) -> Record:
    """Decide whether a deal can be won; the moves of a win are played on the engine.

    Args:
        rules: rule set.
        seed: of the deck, if none is given.
        deck: the pack in dealing order.
        max_seconds: time to take.

    Returns:
        A record of `play_game` with `status` ("won", "lost" or "undecided"), `n_nodes` and `seconds`; a deal that is
        not won has no moves.
    """
    table = _dealt(rules, seed, deck)
    dealt = _deck_of(table)
    begun = time.perf_counter()
    solution = solve_state(rules, table.states[0], max_seconds=max_seconds)
    told = {"status": solution.status, "n_nodes": solution.n_nodes, "seconds": time.perf_counter() - begun}
    actions = winning_actions(rules, table.states[0], solution.moves)
    table = Table(rules, 1, max_moves=len(actions) + 1)
    table.reset(decks=[dealt])
    moves = []
    for action in actions:
        moves.append(_told(table, action))
        table.step([action])
    return {**_head(rules, NAME, seed, dealt), **told, "moves": moves, **_result(table)}


def _dealt(rules: StreetsRules, seed: int | None, deck: Deck | None) -> Table:
    """Return a table with the given deck, or with the one that an environment deals after `reset(seed=seed)`."""
    table = Table(rules, 1, seed)
    if deck is not None:
        table.reset(decks=[deck])
    return table


def _head(rules: StreetsRules, policy: str, seed: int | None, deck: list[int]) -> Record:
    preset, options = nearest_preset(rules)
    return {"preset": preset, "options": options, "policy": policy, "seed": seed, "deck": deck}


def _deck_of(table: Table) -> list[int]:
    """Return the deck that was dealt."""
    return [int(card) for card in table.episodes["deck"][0][: table.rules.pack.bit_count()]]


def _told(table: Table, action: int) -> Record:
    return {"move": action_name(action), "text": move_text(table.states[0], action)}


def _result(table: Table) -> Record:
    state = table.states[0]
    return {
        "n_moves": int(state["n_moves"]),
        "cards_up": int(state["foundation"].sum()),
        "won": bool(state["outcome"] == WON),
        "truncated": bool(table.episodes["truncated"][0]),
    }


def game_text(record: Record, rules: StreetsRules) -> str:
    """Return a record as text: the deal, every move, the result."""
    end = "won" if record["won"] else "cut off" if record["truncated"] else "blocked"
    result = f"{end} after {record['n_moves']} moves, {record['cards_up']} cards on the foundations"
    return "\n".join([*_heading(record, rules), *_numbered(record), result])


def solution_text(record: Record, rules: StreetsRules) -> str:
    """Return a record of `solve_deal` as text: the deal, and the moves or that there are none."""
    spent = f"{record['n_nodes']:,} positions, {record['seconds']:.2f} s"
    words = {
        "won": f"can be won in {record['n_moves']} moves",
        "lost": "cannot be won: every position within reach was seen",
        "undecided": "undecided: the search ran out of time or memory",
    }
    return "\n".join([*_heading(record, rules), *_numbered(record), f"{words[record['status']]} ({spent})"])


def _heading(record: Record, rules: StreetsRules) -> list[str]:
    table = Table(rules, 1, 0)
    table.reset(decks=[record["deck"]])
    options = "".join(f", {key} {value}" for key, value in record["options"].items())
    seed = "deck given" if record["seed"] is None else f"seed {record['seed']}"
    return [f"{record['preset']}{options}, {record['policy']}, {seed}", "", render_piles(table), ""]


def _numbered(record: Record) -> list[str]:
    return [f"{number:>4}. {move['text']}" for number, move in enumerate(record["moves"], start=1)]
