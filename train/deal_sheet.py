"""Records of `deal_record` as text: a deal move by move, a match deal by deal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from backalley.envs import Rules
from backalley.envs.api.render import hand_text
from backalley.envs.cards import NO_TRUMP, bits_of, parse_cards
from backalley.train.deal_record import TRUMP_NAMES, Record

COMPASS = "NESW"


def seat_name(seat: int, players: int) -> str:
    """Return the name of a seat: a point of the compass at tables of four, else its number."""
    return COMPASS[seat] if players == len(COMPASS) else str(seat)


def side_name(side: int, rules: Rules) -> str:
    """Return the name of a side, made of its seats: `NS`, `0+3`."""
    seats = [seat_name(seat, rules.players) for seat in _seats(side, rules)]
    return ("" if rules.players == len(COMPASS) else "+").join(seats)


def _seats(side: int, rules: Rules) -> list[int]:
    return [seat for seat in range(rules.players) if rules.side_of(seat) == side]


def deal_text(record: Record, rules: Rules) -> str:
    """Return a record of `play_deal` as text of several lines."""
    lines = [f"{_heading(record)}: {_cards(record['hand_size'])} each, seed {record['seed']}"]
    for deal in record["deals"]:
        lines += ["", *_deal_lines(deal, record["policies"], rules)]
    if record["truncated"]:
        lines.append(CUT_OFF)
    return "\n".join(lines)


CUT_OFF = "Cut off after so many hands thrown in in a row; no points."


def match_text(record: Record, rules: Rules, *, full: bool = False) -> str:
    """Return a record of `play_match` as text: a line for each deal, then the result.

    Args:
        record: the record.
        rules: its rule set.
        full: show every deal move by move before that.
    """
    lines = [f"{_heading(record)}: match of {rules.n_deals} deals, seed {record['seed']}"]
    players = zip(range(rules.players), record["policies"], strict=True)
    lines.append("  ".join(f"{seat_name(seat, rules.players)} {policy}" for seat, policy in players))
    if full:
        for deal in record["deals"]:
            lines += ["", f"Deal {deal['number']}, {_cards(deal['hand_size'])} each."]
            lines += _deal_lines(deal, record["policies"], rules)
    lines += ["", *_score_sheet(record["deals"], rules)]
    lines.append(CUT_OFF if record["truncated"] else _result(record, rules))
    return "\n".join(lines)


def _heading(record: Record) -> str:
    return record["preset"] + "".join(f", {key} {value}" for key, value in record["options"].items())


def _cards(n: int) -> str:
    return "1 card" if n == 1 else f"{n} cards"


def _score_sheet(deals: list[Record], rules: Rules) -> Iterator[str]:
    """Yield the columns of a match: number, cards, dealer, trump, bids, tricks, points, totals."""
    rows = [("deal", "cards", "dealer", "trump", "bids", "tricks", "points", "total")]
    for deal in deals:
        left = (deal["dealer"] + 1) % rules.players
        bids = {bid["seat"]: bid["bid"] for bid in deal["bids"]}
        for raised in deal["raises"]:
            if raised["answer"] == "raise":
                bids[raised["seat"]] = "double board (raised)"
        order = [(left + k) % rules.players for k in range(rules.players)]
        said = ", ".join(f"{seat_name(seat, rules.players)} {bids[seat]}" for seat in order if seat in bids)
        ends = (
            (f"thrown in: {deal['thrown_in']}", "", "")
            if deal["thrown_in"]
            else (_per_seat(deal["tricks_won"]), _per_side(deal["points"], rules), _per_side(deal["totals"], rules))
        )
        head = (str(deal["number"]), str(deal["hand_size"]), seat_name(deal["dealer"], rules.players))
        rows.append((*head, _short_trump(deal), said, *ends))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (
            f"{cell:>{width}}" if k < 2 else f"{cell:<{width}}"
            for k, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        yield "  ".join(cells).rstrip()


def _short_trump(deal: Record) -> str:
    """Return the trump suit with the card that fixed it, and whether it was cut."""
    card = deal["turn_up"] or deal["cut"]
    return deal["trump"] + (f" ({'cut ' if deal['cut'] else ''}{card})" if card else "")


def _per_seat(counts: Iterable[int]) -> str:
    return " ".join(map(str, counts))


def _per_side(points: list[int], rules: Rules) -> str:
    return "  ".join(f"{side_name(side, rules)} {points[_seats(side, rules)[0]]:+d}" for side in range(rules.n_sides))


def _result(record: Record, rules: Rules) -> str:
    winners = [side_name(side, rules) for side in range(rules.n_sides) if _seats(side, rules)[0] in record["winners"]]
    verb = "wins" if len(winners) == 1 else "share the win"
    return f"{' and '.join(winners)} {verb}: {_per_side(record['totals'], rules)}"


# One deal.


def _deal_lines(deal: Record, policies: list[str], rules: Rules) -> Iterator[str]:
    """Yield a deal move by move."""
    yield from _hands_and_bids(deal, policies, rules)
    if deal["thrown_in"]:
        yield f"{deal['thrown_in'].capitalize()}: the hands are thrown in."
    elif deal["tricks"]:
        yield ""
        yield from _tricks(deal, rules)
        yield ""
        yield from _points(deal, rules)


def _hands_and_bids(deal: Record, policies: list[str], rules: Rules) -> Iterator[str]:
    def name(seat: int) -> str:
        return seat_name(seat, rules.players)

    width = max(map(len, policies))
    yield f"{name(deal['dealer'])} deals."
    for seat, policy in enumerate(policies):
        yield f"  {name(seat)}  {policy:<{width}}  {_sorted_hand(deal['hands'][seat], deal)}"
    yield _trump_line(deal)
    if exchange := deal["exchange"]:
        yield f"{name(exchange['seat'])} gives back {exchange['gives']} and takes {exchange['takes']}."
    for answer in deal["answers"]:
        said = "demands a new deal" if answer["answer"] == "redeal" else "may demand a new deal and does not"
        yield f"{name(answer['seat'])} {said}."
    if deal["hand_size"] in rules.blind_sizes:
        yield "The hands are bid unseen."
    if deal["bids"]:
        yield "Bids: " + ", ".join(f"{name(bid['seat'])} {bid['bid']}" for bid in deal["bids"])
    for raised in deal["raises"]:
        said = "raises to double board" if raised["answer"] == "raise" else "does not raise"
        yield f"{name(raised['seat'])} {said}."
    if rules.rainbow == "auto" and deal["rainbows"]:
        yield "Rainbows: " + ", ".join(name(seat) for seat in deal["rainbows"])


def _trump_line(deal: Record) -> str:
    parts = []
    if deal["burned"]:
        parts.append(f"Under the stock: {deal['burned']}.")
    for field, label in (("turn_up", "Turned up"), ("cut", "Cut")):
        if deal[field]:
            parts.append(f"{label}: {deal[field]}.")
    parts.append(
        "No trumps." if deal["trump"] == TRUMP_NAMES[NO_TRUMP] else f"{deal['trump'].capitalize()} are trumps."
    )
    return " ".join(parts)


def _sorted_hand(hand: str, deal: Record) -> str:
    """Return a hand suit by suit, trumps first, the highest card first."""
    return hand_text(
        bits_of(parse_cards(hand)), bits_of(parse_cards(deal["trump_cards"])), parse_cards(deal["high_twos"])
    )


def _tricks(deal: Record, rules: Rules) -> Iterator[str]:
    """Yield a line for each trick: the cards in order of play, who won, the tricks of the sides so far."""
    won = [0] * rules.n_sides
    for number, trick in enumerate(deal["tricks"], 1):
        seats = [(trick["leader"] + k) % rules.players for k in range(rules.players)]
        plays = "  ".join(
            f"{seat_name(seat, rules.players)} {card}" for seat, card in zip(seats, trick["cards"], strict=True)
        )
        won[rules.side_of(trick["winner"])] += 1
        counts = ", ".join(f"{side_name(side, rules)} {n}" for side, n in enumerate(won))
        yield f"{number:>2}.  {plays}   {seat_name(trick['winner'], rules.players)} wins   ({counts})"


def _points(deal: Record, rules: Rules) -> Iterator[str]:
    """Yield a line for each side, and for each player where they are scored alone."""
    bids: dict[int, Any] = {bid["seat"]: bid["bid"] for bid in deal["bids"]}
    bids |= {raised["seat"]: "double board" for raised in deal["raises"] if raised["answer"] == "raise"}
    if rules.score_unit == "player" and rules.n_sides < rules.players:
        for seat in range(rules.players):
            name, own = seat_name(seat, rules.players), deal["own_points"][seat]
            yield f"  {name}: bid {bids[seat]}, won {deal['tricks_won'][seat]}: {own:+d} points"
    for side in range(rules.n_sides):
        seats = _seats(side, rules)
        bid = " + ".join(str(bids[seat]) for seat in seats)
        tricks = sum(deal["tricks_won"][seat] for seat in seats)
        bags = f", bags {deal['bags'][seats[0]]}" if rules.bag_limit is not None else ""
        yield f"{side_name(side, rules)}: bid {bid}, won {tricks}: {deal['points'][seats[0]]:+d} points{bags}"
