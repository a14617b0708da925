"""Golden playthroughs: one deal of each preset, played by random bots, as a readable text.

After a change that is meant to show, write them again with `python tests/playthroughs.py` and read the difference.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from backalley.envs import Rules, Table
from backalley.envs.api.render import render_table, seat_name
from backalley.envs.back_alley.episode import apply_action
from backalley.envs.back_alley.notation import action_name
from backalley.envs.back_alley.state import BID, PLAY, RAISE, REDEAL_OFFER, SCORED, THROWN_IN
from backalley.train.rule_sheet import preset_list

FOLDER = Path(__file__).parent / "golden"


class Case(NamedTuple):
    """Which deal of which match, counted from 0, and the text by which one sees what it is there for."""

    seed: int
    deal: int
    shows: str


CASES = {
    "partnership": Case(6, 15, "double board"),
    "gamerules": Case(4, 12, "deal 13 of 25, 1 card each"),
    "double_board": Case(3, 15, "double board (raised)"),
    "boston": Case(11, 19, "bid boston"),
    "rainbow": Case(3, 16, "with rainbow"),
    "rainbow_8_12": Case(2, 20, "with rainbow"),
    "rainbow_free": Case(0, 16, "with rainbow"),
    "blind7": Case(13, 6, "7 hidden cards"),
    "individual_3": Case(24, 16, "triple board"),
    "individual_4": Case(43, 11, "quadruple board"),
    "individual_5": Case(10, 8, "quadruple board"),
    "six_2x3": Case(1, 5, "double board"),
    "six_3x2": Case(9, 9, "triple board"),
    "bb_partner_any": Case(7, 15, ": BB\n"),
    "bb_partner_lowest": Case(4, 19, ": BB\n"),
    "constant_13": Case(1, 16, "discarded"),
    "two_of_spades": Case(6, 2, "has the run"),
    "reduced_42": Case(13, 13, "discarded"),
    "all_bid": Case(3, 15, "bid all"),
    "spades_trumps": Case(5, 15, ": LB\n"),
    "redeal": Case(8, 7, "{keep redeal}: redeal"),
    "solo": Case(33, 10, ": 2D\n"),
    "solo_18": Case(10, 5, "with rainbow"),
    "solo_two_twos": Case(15, 10, "2D then 2"),
    "solo_26": Case(3, 9, "bid bort"),
    "emw_doubles": Case(10, 23, "burned"),
    "emw_singles": Case(10, 1, "burned"),
    "book_spades": Case(9, 10, ": BB\n"),
    "book_spades_short": Case(13, 8, "BB"),
    "bab_online": Case(3, 4, "shows a rainbow"),
    "hfi_7": Case(23, 10, "burned"),
    "big_little": Case(7, 23, "West -98"),
    "five_handed": Case(7, 6, "shows a rainbow"),
    "sheet_13": Case(18, 10, "triple board"),
    "backalley_call": Case(9, 2, "bid bort"),
    "web_solo": Case(8, 2, "bid board"),
    "keeper_ten": Case(14, 14, "bid pass"),
    "three_teams_9": Case(2, 1, "Seat 1+Seat 4 -20"),
    "exact_hook": Case(0, 12, "bids {1 2 3}: 1"),
}


def playthrough(name: str, case: Case) -> str:
    """Return the text of a deal of a match, its hands thrown in included."""
    line = next(line.strip() for line in preset_list() if line.split()[0] == name)
    head = [line, f"seed {case.seed}, deal {case.deal + 1}, random bots; {{legal moves}}: the move made", ""]
    table = Table(Rules.preset(name), 1, case.seed, episode="match")
    while table.states["deal_index"][0] < case.deal:
        table.step(None)
    return "\n".join([*head, *deal_lines(table)]) + "\n"


def deal_lines(table: Table) -> Iterator[str]:
    """Play on to the end of the deal and yield its lines."""
    rules = table.rules
    phase = None
    while True:
        state = table.states[0]
        if state["phase"] != phase:
            yield from opening(table, int(state["phase"]))
        elif state["phase"] == PLAY and state["n_in_trick"] == 0:
            yield from ("", f"trick {state['n_tricks'] + 1}: {public(table)}")
        phase = int(state["phase"])
        end = table.clone()
        action = int(table.random_actions()[0])
        yield move(table, action)
        apply_action(end.rules_record[0], end.states[0], action)
        table.step([action])
        if end.states[0]["phase"] == THROWN_IN:
            yield from ("", "The hands are thrown in.", "")
            phase = None
        if end.states[0]["phase"] == SCORED or table.done[0]:
            break
    names = [seat_name(seat, rules.players) for seat in range(rules.players)]
    totals = ", ".join(
        f"{name} {points:+d}" for name, points in zip(names, table.states[0]["match_points"], strict=False)
    )
    yield from ("", *render_table(end).splitlines(), f"totals: {totals}")


def opening(table: Table, phase: int) -> Iterator[str]:
    """Yield the table when a phase begins; where hands are bid unseen also what the seat on turn sees."""
    if phase == PLAY:
        yield from ("", *render_table(table).splitlines()[:-1], "", f"trick 1: {public(table)}")
    elif phase in (REDEAL_OFFER, BID):
        yield from (*render_table(table).splitlines()[:-1], "")
        turn = int(table.turn[0])
        if table.states[0]["hand_size"] in table.rules.blind_sizes:
            yield f"{seat_name(turn, table.players)} sees"
            yield from (*render_table(table, 0, turn).splitlines(), "")


def public(table: Table) -> str:
    """Return what everybody knows before a trick: trumps, and tricks won by seat."""
    won = " ".join(str(n) for n in table.states[0]["tricks_won"][: table.players])
    return f"{render_table(table).splitlines()[1]}; tricks won {won}"


def move(table: Table, action: int) -> str:
    """Return a move with the legal moves before it."""
    state = table.states[0]
    verb = {REDEAL_OFFER: "is asked", BID: "bids", RAISE: "is asked"}.get(int(state["phase"]), "plays")
    if state["phase"] == PLAY and state["n_in_trick"] == 0:
        verb = "leads"
    legal = " ".join(action_name(choice) for choice in table.legal_actions())
    return f"{seat_name(int(state['turn']), table.players):<6} {verb} {{{legal}}}: {action_name(action)}"


if __name__ == "__main__":
    for name, case in CASES.items():
        (FOLDER / f"{name}.txt").write_text(playthrough(name, case), encoding="utf-8")
