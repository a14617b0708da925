"""Deals of Back Alley as text that people can write by hand.

    [Preset "partnership"]              ; a named rule set, `partnership` if it is left out
    [Option "bb_partner" "lowest"]      ; what differs from it, a line for each
    [Dealer "W"]
    [HandSize "2"]                      ; may be left out: the hands say it
    N: AS KS                            ; at tables of four N E S W, else 0, 1, 2 …
    E: 10H 9H
    S: QD LB
    W: 7C 2D
    Turned: 3C                          ; what is turned up; behind a joker that is burned the next card, too
    Stock: 4C 5C                        ; the cards under it, may be left out
    Bids: pass 1 board pass             ; from the dealer's left
    Play: LB 7C … / …                   ; trick by trick
    Points: NS +20, EW -10              ; checked if they are there

Hands are written as they are dealt, before an exchange of jokers (BA-26). Where the deal is cut for trumps (BA-22),
`Cut: 7H` stands in the place of `Turned`. Cards of the stock that are not written lie under the others in the order
of their ids (spades from the two up, hearts, diamonds, clubs, jokers). Answers to a question count as bids: `keep`,
`redeal`, `raise`, `no_raise`. A comment begins with ; or #. Capitals, commas, blank lines and line breaks do not
matter, and bids, play and points may stop anywhere or be left out. Tags that come behind other lines begin another
deal.

>>> deal = parse_deal('''
... [Preset "gamerules"] [Dealer "W"]
... N: AS   E: 10S   S: 2C   W: 3D   Turned: 5H
... bids: board pass pass pass ; hearts are trumps, nobody has one
... play: as 10s 2c 3d''')
>>> points_of(deal)
(10, 0)
>>> parse_deal(format_deal(deal)) == deal
True
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from backalley.envs import Rules, Table, make_rules
from backalley.envs.back_alley.actions import ALL_TRICKS
from backalley.envs.back_alley.notation import action_name, is_card, parse_action
from backalley.envs.cards import LITTLE_JOKER, card_name, cards_of, parse_card
from backalley.envs.decks import parse_cut
from backalley.envs.errors import BackAlleyError, NotationError, unknown
from backalley.train.deal_sheet import seat_name, side_name
from backalley.train.recording import named
from backalley.train.written_deal import THROWN_IN_AT_ONCE, WrittenDeal, begun, make, points_of

TAGS = ("Preset", "Option", "Dealer", "HandSize")
FIELDS = ("turned", "stock", "cut", "bids", "play", "points")
_OWN_NAMES = ("all", "bort")  # all-tricks bids that people call by the value of the option
_TAG = re.compile(r'\[\s*(\w+)((?:\s+"[^"]*")*)\s*\]')


# Written.


def format_deal(deal: WrittenDeal) -> str:
    """Return a deal as text, the points included if it was played to its end; `parse_deal` gives it back."""
    rules, points = deal.rules, points_of(deal)
    players, n_dealt = rules.players, rules.players * deal.hand_size
    preset, options = named(rules)
    lines = [f'[Preset "{preset}"]', *(f'[Option "{key}" "{_option_text(options[key])}"]' for key in options)]
    lines += [f'[Dealer "{seat_name(deal.dealer, players)}"]', f'[HandSize "{deal.hand_size}"]']
    for seat in range(players):
        first = (seat - deal.dealer - 1) % players
        lines.append(f"{seat_name(seat, players)}: {_names(deal.deck[first:n_dealt:players])}")
    n_known = n_dealt + _n_turned(rules, deal.hand_size, deal.deck)
    if n_known > n_dealt:
        lines.append(f"Turned: {_names(deal.deck[n_dealt:n_known])}")
    if list(deal.deck[n_known:]) != sorted(deal.deck[n_known:]):
        lines.append(f"Stock: {_names(deal.deck[n_known:])}")
    if deal.cut is not None:
        lines.append(f"Cut: {card_name(deal.cut)}")
    bids = [action_name(action) for action in deal.actions if not is_card(action)]
    plays = [action for action in deal.actions if is_card(action)]
    tricks = [_names(plays[at : at + players]) for at in range(0, len(plays), players)]
    lines += [f"Bids: {' '.join(bids)}"] * bool(bids) + [f"Play: {' / '.join(tricks)}"] * bool(tricks)
    if points is not None:
        lines.append("Points: " + ", ".join(f"{side_name(side, rules)} {n:+d}" for side, n in enumerate(points)))
    return "\n".join(lines) + "\n"


def _names(cards: Iterable[int]) -> str:
    return " ".join(map(card_name, cards))


def _option_text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "on" if value else "off"
    return "none" if value is None else json.dumps(value)


def _n_turned(rules: Rules, hand_size: int, deck: Sequence[int]) -> int:
    """Return how many cards are turned up: none, one, or burned jokers and the one behind them (BA-21, BA-28)."""
    stock = deck[rules.players * hand_size :]
    if rules.trump_source != "turn_up" or rules.is_cut(hand_size) or not stock:
        return 0
    n = 1
    while rules.joker_turned == "burn" and n < len(stock) and stock[n - 1] >= LITTLE_JOKER:
        n += 1
    return n


# Read.


class Word(NamedTuple):
    """A word of the text and its line, from 1."""

    text: str
    line: int


@dataclass
class _Source:
    """The text of one deal: tags as (words, line), and the words of each label in small letters."""

    line: int
    tags: list[tuple[list[str], int]] = field(default_factory=list)
    fields: dict[str, list[Word]] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)


def parse_deal(text: str) -> WrittenDeal:
    """Return the one deal of a text.

    Raises:
        NotationError: with the line and the reason; also for illegal actions and points that do not come out.
    """
    deals = parse_deals(text)
    if len(deals) != 1:
        raise NotationError(f"the text has {len(deals)} deals, not one")
    return deals[0]


def parse_deals(text: str) -> list[WrittenDeal]:
    """Return the deals of a text.

    Raises:
        NotationError: see `parse_deal`.
    """
    return [_deal_of(source) for source in _sources(text)]


def _sources(text: str) -> Iterator[_Source]:
    """Yield the text of each deal."""
    source, label = _Source(1), ""
    for number, line in enumerate(text.splitlines(), 1):
        said = re.split("[;#]", line, maxsplit=1)[0].strip()
        while found := _TAG.match(said):
            if source.fields:
                yield source
                source, label = _Source(number), ""
            name = next((tag for tag in TAGS if tag.lower() == found[1].lower()), found[1])
            source.tags.append(([name, *re.findall('"([^"]*)"', found[2])], number))
            said = said[found.end() :].strip()
        if said.startswith("["):
            raise NotationError(f'line {number}: a tag reads [Dealer "W"], with its value in quotes')
        for word in said.replace(",", " ").replace(":", ": ").replace("/", " / ").split():
            if word.endswith(":"):
                label = word[:-1].lower()
                if label in source.fields:
                    raise NotationError(f"line {number}: {word} is there twice, first in line {source.lines[label]}")
                source.fields[label], source.lines[label] = [], number
            elif not label:
                raise NotationError(f'line {number}: {word!r} stands behind no name: write [Dealer "W"], N: AS 7H …')
            else:
                source.fields[label].append(Word(word, number))
    if source.fields or source.tags:
        yield source


def _deal_of(source: _Source) -> WrittenDeal:
    rules, dealer, hand_size = _tags(source)
    names = [seat_name(seat, rules.players).lower() for seat in range(rules.players)]
    for label, line in source.lines.items():
        if label not in (*names, *FIELDS):
            raise NotationError(f"line {line}: {unknown('name', label, (*map(str.upper, names), *FIELDS))}")
    hands = [_cards(source, name, rules) for name in names]
    size = len(hands[0]) if hand_size is None else hand_size
    for name, hand in zip(names, hands, strict=True):
        line, n = source.lines.get(name, source.line), len(hand)
        if n not in rules.hand_sizes:
            known = sorted(set(rules.hand_sizes))
            raise NotationError(f"line {line}: {name.upper()} has {n} cards, but hands of these rules have {known}")
        if n != size:
            raise NotationError(f"line {line}: {name.upper()} has {n} cards, but must have {size}")
    deal = WrittenDeal(rules, dealer, size, _deck(source, rules, dealer, hands), _cut(source, rules, size))
    return _with_actions(source, deal)


def _tags(source: _Source) -> tuple[Rules, int, int | None]:
    """Return rules, dealer and hand size."""
    preset, options, line = "partnership", {}, source.line
    found: dict[str, str] = {}
    for (name, *values), at in source.tags:
        wanted = 2 if name == "Option" else 1
        if name not in TAGS:
            raise NotationError(f"line {at}: {unknown('tag', name, TAGS)}")
        if len(values) != wanted:
            raise NotationError(f"line {at}: [{name}] needs {wanted} value{'s' * (wanted > 1)} in quotes")
        if name == "Option":
            options[values[0]] = _option_value(values[1])
        elif name in found:
            raise NotationError(f"line {at}: [{name}] is there twice")
        else:
            found[name] = values[0]
        line = at if name in ("Preset", "Option") else line
    try:
        rules = make_rules(found.get("Preset", preset), **options)
    except (BackAlleyError, TypeError) as error:
        raise NotationError(f"line {line}: {error}") from None
    if not isinstance(rules, Rules):
        raise NotationError(f"line {line}: preset {found['Preset']!r} is no rule set of Back Alley")
    seats = [seat_name(seat, rules.players) for seat in range(rules.players)]
    dealer = found.get("Dealer", "").upper()
    if dealer not in seats:
        raise NotationError(f'line {source.line}: [Dealer "{dealer}"] must name one of {", ".join(seats)}')
    size = found.get("HandSize")
    if size is not None and not re.fullmatch("[1-9][0-9]?", size):
        raise NotationError(f'line {source.line}: [HandSize "{size}"] must be a number of cards')
    return rules, seats.index(dealer), None if size is None else int(size)


def _option_value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _cards(source: _Source, label: str, rules: Rules) -> list[int]:
    """Return the cards behind a label."""
    cards = []
    for word in source.fields.get(label, []):
        try:
            card = parse_card(word.text)
        except NotationError as error:
            raise NotationError(f"line {word.line}: {error}") from None
        if not rules.pack >> card & 1:
            raise NotationError(f"line {word.line}: {word.text} is not in the pack {rules.deck!r}")
        cards.append(card)
    return cards


def _deck(source: _Source, rules: Rules, dealer: int, hands: list[list[int]]) -> tuple[int, ...]:
    """Return the whole pack in dealing order."""
    players, size = rules.players, len(hands[0])
    deck = [hands[(dealer + 1 + i) % players][i // players] for i in range(players * size)]
    turned, stock = _cards(source, "turned", rules), _cards(source, "stock", rules)
    deck += turned + stock
    if twice := [card for card in dict.fromkeys(deck) if deck.count(card) > 1]:
        places = [word for words in source.fields.values() for word in words if _is_card(word, twice[0])]
        raise NotationError(
            f"line {places[1].line}: {card_name(twice[0])} is there twice, first in line {places[0].line}"
        )
    deck += [card for card in cards_of(rules.pack) if card not in deck]
    n = _n_turned(rules, size, deck)
    if len(turned) != n:
        line = source.lines.get("turned", source.line)
        raise NotationError(f"line {line}: {_wrong_turned(n, len(turned))}")
    return tuple(deck)


def _is_card(word: Word, card: int) -> bool:
    return word.text.upper().replace("10", "T") == card_name(card)


def _wrong_turned(n: int, n_given: int) -> str:
    if not n:
        return "no card is turned up in this deal: leave Turned out"
    if not n_given:
        return "the card that is turned up is missing: write Turned: 3C"
    if n_given < n:
        return "the joker turned up is burned: write the card that is turned next behind it (BA-28)"
    return f"{n_given} cards are turned up, but the first {n} of them decide{'s' * (n == 1)}: write the others as Stock"


def _cut(source: _Source, rules: Rules, size: int) -> int | None:
    cards, line = _cards(source, "cut", rules), source.lines.get("cut", source.line)
    if len(cards) != rules.is_cut(size):
        wanted = "needs the one card of the cut: write Cut: 7H" if rules.is_cut(size) else "is not cut: leave Cut out"
        raise NotationError(f"line {line}: a deal of {size} cards {wanted} (BA-22)")
    try:
        return parse_cut(rules, cards[0]) if cards else None
    except BackAlleyError as error:
        raise NotationError(f"line {line}: {error}") from None


def _with_actions(source: _Source, deal: WrittenDeal) -> WrittenDeal:
    """Return the deal with the bids and cards of the text, made on the engine, and check the points."""
    table, actions = begun(deal), []
    for label in ("bids", "play"):
        n_cards = 0
        for word in source.fields.get(label, []):
            if word.text == "/":
                if label == "bids" or not n_cards or n_cards % deal.rules.players:
                    raise NotationError(f"line {word.line}: / ends a trick, but {n_cards} cards stand before it")
                continue
            actions.append(_made(table, word, deal))
            n_cards += 1
    done = replace(deal, actions=tuple(actions))
    if words := source.fields.get("points"):
        _check_points(words, done)
    return done


def _made(table: Table | None, word: Word, deal: WrittenDeal) -> int:
    """Make the action on the table and return it."""
    own = deal.rules.all_tricks_bid
    text = word.text.lower()
    try:
        action = ALL_TRICKS if text == own in _OWN_NAMES else parse_action(text)
        if table is None:
            raise NotationError(THROWN_IN_AT_ONCE)
        make(table, action)
    except BackAlleyError as error:
        whose = "" if table is None or table.done[0] else f" of {seat_name(int(table.turn[0]), deal.rules.players)}"
        raise NotationError(f"line {word.line}: {word.text!r}{whose}: {error}") from None
    return action


def _check_points(words: list[Word], deal: WrittenDeal) -> None:
    points = points_of(deal)
    if points is None:
        raise NotationError(f"line {words[0].line}: points are given, but the deal was not played to its end")
    found = {side_name(side, deal.rules): n for side, n in enumerate(points)}
    texts = [word.text.upper() for word in words]
    numbers = dict(zip(texts[::2], texts[1::2], strict=False))
    if {side: f"{int(n):+d}" if re.fullmatch(r"[+-]?\d+", n) else n for side, n in numbers.items()} != {
        side: f"{n:+d}" for side, n in found.items()
    } or len(texts) % 2:
        told = ", ".join(f"{side} {n:+d}" for side, n in found.items())
        raise NotationError(f"line {words[0].line}: points are written as {' '.join(texts)}, but the play gives {told}")
