"""One deal of Back Alley as people write it down: hands, stock, bids and cards, on the engine and out of a record."""

from __future__ import annotations

from dataclasses import dataclass, replace

from backalley.envs import Rules, Table
from backalley.envs.back_alley.notation import parse_action
from backalley.envs.decks import parse_cut, parse_deck
from backalley.envs.errors import NotationError
from backalley.train.records import Record, check_record

THROWN_IN_AT_ONCE = "a hand has no trump, so that the hands are thrown in at once (BA-38)"


@dataclass(frozen=True)
class WrittenDeal:
    """One deal, as far as it is written down.

    Attributes:
        rules: rule set.
        dealer: seat.
        hand_size: cards dealt to each seat.
        deck: ids of the whole pack in dealing order.
        cut: card that the cut exposed, None without a cut.
        actions: what the seats did in order, bids and cards.
    """

    rules: Rules
    dealer: int
    hand_size: int
    deck: tuple[int, ...]
    cut: int | None = None
    actions: tuple[int, ...] = ()


def table_of(deal: WrittenDeal) -> Table:
    """Return a table on which the deal was dealt and its actions were made; when it is thrown in, it is over.

    Raises:
        NotationError: the hands are thrown in at once, because one has no trump (BA-38).
        IllegalAction, BackAlleyError: an action is illegal, or comes after the end.
    """
    table = begun(deal)
    if table is None:
        raise NotationError(THROWN_IN_AT_ONCE)
    for action in deal.actions:
        make(table, action)
    return table


def points_of(deal: WrittenDeal) -> tuple[int, ...] | None:
    """Return the points of each side, (n_sides,); None if the deal was not played to its end."""
    table = begun(deal)
    if table is None:
        return None
    for action in deal.actions:
        make(table, action)
    if not table.done[0] or table.truncated[0]:
        return None
    seats = [deal.rules.side_of(seat) for seat in range(deal.rules.players)]
    return tuple(int(table.states[0]["deal_points"][seats.index(side)]) for side in range(deal.rules.n_sides))


def begun(deal: WrittenDeal) -> Table | None:
    """Return a table with the deal before the first action; None if it is thrown in at once (BA-38).

    Raises:
        InvalidDeck, ValueError: deck, cut, dealer or hand size do not fit the rules.
    """
    table = Table(deal.rules, 1, 0, max_redeals=0)
    chance = table.episodes["chance"][0].copy()
    cuts = None if deal.cut is None else [deal.cut]
    table.reset(decks=[deal.deck], cuts=cuts, dealers=deal.dealer, hand_sizes=deal.hand_size)
    return table if (table.episodes["chance"][0] == chance).all() else None


def make(table: Table, action: int) -> None:
    """Make an action on a table from `begun`.

    Raises:
        IllegalAction, NotationError: it is illegal, or the deal is over.
    """
    if table.done[0]:
        thrown_in = ": the hands are thrown in" if table.truncated[0] else ""
        raise NotationError(f"the deal is over before that{thrown_in}")
    table.step([action])


def written_deals(record: Record) -> list[WrittenDeal]:
    """Return the deals of a record of Back Alley one by one, hands thrown in included.

    Raises:
        RecordError: the record has a wrong form, or is of another game.
        IllegalAction, BackAlleyError: an action is illegal.
    """
    rules = check_record(record)
    if not isinstance(rules, Rules):
        raise NotationError(f"a deal of {record['game']} has no hands to write down")
    dealer, index, rest = record["dealer"], record["deal_index"], [parse_action(name) for name in record["actions"]]
    deals = []
    for cards, cut in zip(record["decks"], record["cuts"], strict=True):
        size = rules.hand_sizes[min(index, rules.n_deals - 1)]
        given = None if cut is None else parse_cut(rules, cut)
        deal = WrittenDeal(rules, dealer, size, tuple(parse_deck(rules, cards)), given)
        table, n = begun(deal), 0
        if table is None:
            dealer = (dealer + (rules.void_dealer == "next")) % rules.players
        else:
            while not table.done[0] and n < len(rest):
                make(table, rest[n])
                n += 1
            dealer = int(table.states[0]["next_dealer"])
            index += not table.truncated[0]
        deals.append(replace(deal, actions=tuple(rest[:n])))
        rest = rest[n:]
    return deals
