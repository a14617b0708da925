"""Illegal moves are refused with their true reason: who, what, why with the clause, and what is legal instead."""

import numpy as np
import pytest

from backalley.envs import Rules, Table
from backalley.envs.back_alley.notation import parse_action
from backalley.envs.back_alley.options import PRESETS
from backalley.envs.back_alley.refusals import describe_illegal
from backalley.envs.cards import CARD_NAMES, cards_of
from backalley.envs.errors import IllegalAction

BIDS = "must choose one of the legal bids: "

# preset and options; hands of the seats from 0 on, then the card turned up; moves; illegal move; why.
CASES = {
    "BA-84 must trump": (
        ("solo", {}),
        ("9C 3S", "4H KD", "2C 8S", "5C 7S", "AH"),
        "1 pass pass pass 9C",
        "KD",
        "player_1 played KD but has no clubs and must trump (BA-84) (legal: 4H)",
    ),
    "BA-84 must overtrump": (
        ("solo", {}),
        ("9C 3S", "4H KD", "6H 8S", "5C 7S", "AH"),
        "1 pass pass pass 9C 4H",
        "8S",
        "player_2 played 8S but has no clubs and must beat the 4H with a trump (BA-84) (legal: 6H)",
    ),
    "BA-86 high two": (
        ("solo", {}),
        ("9H 3S", "2D KD", "6H 8S", "5C 7S", "AH"),
        "1 pass pass pass 9H",
        "KD",
        "player_1 played KD but must follow trumps (legal: 2D)",
    ),
    "BA-78 run": (
        ("two_of_spades", {}),
        ("5H 4C", "2C 3C", "6H 8S", "5C 7S", "AH"),
        "1 pass pass pass",
        "5H",
        "led 5H but trumps are led only by who has the run, holds nothing else, or leads 2S (BA-78) (legal: 4C)",
    ),
    "BA-91 2S led": (
        ("two_of_spades", {}),
        ("2S 4C", "AH 3H", "6H 8S", "5C 7S", "KH"),
        "1 pass pass pass 2S",
        "3H",
        "player_1 played 3H but 2S was led and forces the highest trump (BA-91) (legal: AH)",
    ),
    "BAW-11 tight only": (
        ("backalley_call", {"players": 3}),
        ("KH 9S", "2C 3C", "6H 8S", "4H"),
        "2 pass pass",
        "KH",
        "player_0 led KH but trumps are led only by who holds nothing else (BAW-11) (legal: 9S)",
    ),
    "BAW-8 board gives no right": (
        ("bab_online", {}),
        ("KH 9S", "2C 3C", "6H 8S", "4S 5S", "4H"),
        "board pass pass pass",
        "KH",
        "trumps are not broken, and a board gives no right to lead them (BAW-8) (legal: 9S)",
    ),
    "BA-76 partner's board": (
        ("partnership", {}),
        ("KH 9S 2D", "2C 3C 4C", "6H AS 3D", "4S 5S 6S", "4H"),
        "board pass pass pass 9S 2C AS 4S",
        "6H",
        "led 6H but trumps are not broken, and the board of another player gives no right to lead them (BA-76)",
    ),
    "BA-87 BB led": (
        ("partnership", {}),
        ("BB 9S", "2H KH", "6H AS", "4S 5S", "4H"),
        "board pass pass pass BB",
        "2H",
        "player_1 played 2H but BB was led and forces the highest trump (BA-87, BA-90) (legal: KH)",
    ),
    "BA-88 LB led": (
        ("partnership", {}),
        ("LB 9S", "2H KH", "6H AS", "4S 5S", "4H"),
        "board pass pass pass LB",
        "KH",
        "player_1 played KH but LB was led and forces the lowest trump (BA-88) (legal: 2H)",
    ),
    "BAW-18 hook": (
        ("exact_hook", {}),
        ("KH 9S", "2C 3C", "6H AS", "4S 5S", "4H"),
        "1 pass pass",
        "1",
        f"player_3 bid 1 but {BIDS}the last bid may not make the sum of all bids 2, the others bid 1 (BAW-18)",
    ),
    "BA-60 ladder needs a 1": (
        ("two_of_spades", {}),
        ("KH", "2C", "6H", "4S", "4H"),
        "pass",
        "board",
        f"player_1 bid board but {BIDS}somebody must have bid 1 before a board can go on top of it (BA-60)",
    ),
    "BA-60 ladder ends": (
        ("two_of_spades", {"players": 6, "sides": "individual", "hand_max": 8}),
        ("KH", "2C", "6H", "4S", "5S", "6S", "4H"),
        "1 board board board",
        "board",
        f"player_4 bid board but {BIDS}the ladder ends with the triple board (BA-60)",
    ),
    "BA-54 raise": (
        ("double_board", {}),
        ("KH 9S", "2C 3C", "6H AS", "4S 5S", "4H"),
        "1 pass board pass",
        "pass",
        "player_0 bid pass but is asked whether to double the partner's board (BA-54) (legal: raise no_raise)",
    ),
    "BA-68 boston": (
        ("boston", {}),
        ("KH 9S", "2C 3C", "6H AS", "4S 5S", "4H"),
        "",
        "boston",
        f"player_0 bid boston but {BIDS}boston needs 7 cards or more (BA-68)",
    ),
    "BA-61 rainbow": (
        ("rainbow", {}),
        ("KH 9S 2C 3C", "6H 7H 8H 9H", "4S 5S 6S 7S", "4D 5D 6D 7D", "4H"),
        "",
        "2+rainbow",
        f"player_0 bid 2+rainbow but {BIDS}a rainbow has as many cards of each suit, this hand has not (BA-61, BA-66)",
    ),
    "BA-64 rainbow is a bid": (
        ("rainbow", {}),
        ("KH 9S 2C 3D", "6H 7H 8H 9H", "4S 5S 6S 7S", "4D 5D 6D 7D", "4H"),
        "",
        "pass+rainbow",
        f"player_0 bid pass+rainbow but {BIDS}a rainbow of 4 cards is itself a bid of 1 or goes with a higher number",
    ),
    "BA-56 all": (
        ("all_bid", {"all_max_cards": 1}),
        ("KH 9S", "2C 3C", "6H AS", "4S 5S", "4H"),
        "",
        "board",
        f"player_0 bid board but {BIDS}'all' can be bid with 1 cards or fewer, not with 2 (BA-56)",
    ),
}


def table_of(preset, options, hands, moves):
    """Return a table with these hands dealt, seat 0 to bid first, and the moves made."""
    rules = Rules.preset(preset, **options)
    *held, turned = (cards.split() for cards in hands)
    front = [hand[k] for k in range(len(held[0])) for hand in held] + turned
    deck = [*front, *(CARD_NAMES[card] for card in cards_of(rules.pack) if CARD_NAMES[card] not in front)]
    table = Table(rules, 1, 0)
    table.reset(decks=[deck], dealers=rules.players - 1, hand_sizes=len(held[0]))
    for move in moves.split():
        table.step([parse_action(move)])
    return table


@pytest.mark.parametrize(("rules", "hands", "moves", "bad", "message"), CASES.values(), ids=CASES)
def test_a_refusal_gives_the_true_reason(rules, hands, moves, bad, message):
    table = table_of(*rules, hands, moves)
    with pytest.raises(IllegalAction) as error:
        table.step([parse_action(bad)])
    assert message in str(error.value)


def test_a_question_for_a_new_deal_takes_only_its_answers():
    weak = "2S 3S 4S 5S 6S 7S"
    hands = (weak, "AH KH QH JH 2H 3H", "AC KC QC JC 2C 3C", "AS KS QS JS 8S 9S", "4D")
    table = table_of("redeal", {}, hands, "")
    with pytest.raises(IllegalAction, match=r"player_0 bid pass but is asked whether to keep the hand or to demand"):
        table.step([parse_action("pass")])
    table.step([parse_action("keep")])
    with pytest.raises(IllegalAction, match=r"a new deal is demanded before the bidding \(BA-37\)"):
        table.step([parse_action("redeal")])


@pytest.mark.parametrize("preset", PRESETS)
def test_every_refusal_of_random_play_is_one_line_with_the_legal_moves(preset):
    rules = Rules.preset(preset)
    rng = np.random.default_rng(0)
    table = Table(rules, 1, 5)
    for _ in range(3):
        while not table.done[0]:
            legal = table.legal_actions()
            for action in rng.integers(-1, 90, 6).tolist():
                if action not in legal:
                    why = describe_illegal(rules, table.states, 0, action, table.legal_bits[0])
                    assert why.startswith(f"player_{table.turn[0]} ")
                    assert " but " in why
                    assert why.endswith(")")
                    assert "\n" not in why
            table.step(None)
        table.reset()
