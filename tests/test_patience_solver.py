"""The exact solver of Streets and Alleys against a plain search over lists of card names, and its moves replayed."""

import numpy as np
import pytest

from backalley.envs.cards import N_CARDS, SUITS, card_name, parse_card
from backalley.envs.errors import BackAlleyError
from backalley.policies.streets_and_alleys import solver
from backalley.policies.streets_and_alleys.solver import TO_FOUNDATION, solve

ORDER = "A23456789TJQK"
E1 = [rank + suit for suit in "SHDC" for rank in ORDER]
E10 = [
    "7C",
    "2C",
    "QC",
    "2H",
    "QS",
    "9C",
    "5H",
    "3D",
    "5C",
    "7S",
    "JH",
    "KD",
    "6S",
    "6C",
    "KS",
    "JS",
    "8H",
    "TD",
    "8D",
    "7D",
    "2D",
    "AC",
    "AH",
    "KH",
    "QH",
    "6H",
    "4H",
    "TC",
    "5S",
    "TS",
    "4D",
    "4C",
    "8C",
    "7H",
    "2S",
    "5D",
    "TH",
    "AD",
    "KC",
    "3C",
    "4S",
    "8S",
    "JC",
    "JD",
    "3S",
    "3H",
    "9S",
    "AS",
    "QD",
    "6D",
    "9H",
    "9D",
]
SMALL = [(piles, ranks, suits) for piles in (3, 4, 5) for ranks in (3, 4, 5) for suits in (3, 4)]
SMALL += [(4, 6, 3), (4, 6, 4), (4, 7, 3)]
EXHAUSTIVE_ONLY = ()
ONE_OF_EACH_CORE = ((1, 1000),)
NO_ROOM = ((1000, 10),)


def rank_of(card):
    return ORDER.index(card[0]) + 1


def dealt(cards, n_piles):
    return tuple(tuple(cards[pile::n_piles]) for pile in range(n_piles))


def small_deal(draws, n_piles, n_ranks, n_suits):
    """A shuffled pack of the lowest ranks, in some suits without the lowest ones, which are up."""
    up = [int(draws.integers(0, 2)) if suit < n_suits else 0 for suit in range(4)]
    pack = [ORDER[rank] + SUITS[suit] for suit in range(n_suits) for rank in range(up[suit], n_ranks)]
    return dealt([pack[i] for i in draws.permutation(len(pack))], n_piles), tuple(up)


def single_moves(piles, up):
    """SA-10, SA-11, SA-12, every one of them."""
    for source, pile in enumerate(piles):
        if not pile:
            continue
        card = pile[-1]
        if rank_of(card) == up[SUITS.index(card[1])] + 1:
            yield source, TO_FOUNDATION
        for target, other in enumerate(piles):
            if target != source and (not other or rank_of(other[-1]) == rank_of(card) + 1):
                yield source, target


def after(piles, up, move):
    source, target = move
    piles, up = [list(pile) for pile in piles], list(up)
    card = piles[source].pop()
    if target == TO_FOUNDATION:
        up[SUITS.index(card[1])] += 1
    else:
        piles[target].append(card)
    return tuple(map(tuple, piles)), tuple(up)


def can_be_won(piles, up):
    seen, waiting = {tuple(sorted(piles))}, [(piles, up)]
    while waiting:
        piles, up = waiting.pop()
        if not any(piles):
            return True
        for move in single_moves(piles, up):
            then = after(piles, up, move)
            name = tuple(sorted(then[0]))  # what is up is what the piles lack
            if name not in seen:
                seen.add(name)
                waiting.append(then)
    return False


def solved(piles, up, **limits):
    ids = np.full((len(piles), 20), -1, np.int8)
    for pile, cards in enumerate(piles):
        ids[pile, : len(cards)] = [parse_card(card) for card in cards]
    return solve(ids, np.array([len(pile) for pile in piles], np.int8), up, **limits)


def assert_wins(piles, up, moves):
    for move in moves:
        assert move in set(single_moves(piles, up))
        piles, up = after(piles, up, move)
    assert not any(piles)


def full_deal(i, is_castle=False):
    cards = np.array([card for card in range(N_CARDS - 2) if not (is_castle and card_name(card)[0] == "A")])
    order = np.random.default_rng([0, i]).permutation(cards)
    return dealt([card_name(card) for card in order], 8), (int(is_castle),) * 4


@pytest.fixture(scope="module")
def small_games():
    """Piles, foundations and whether they can be won, by the plain search."""
    draws = np.random.default_rng(1)
    games = [small_deal(draws, *size) for size in SMALL for _ in range(12)]
    games = [(piles, up, can_be_won(piles, up)) for piles, up in games]
    assert 60 <= sum(is_won for _, _, is_won in games) <= len(games) - 60
    return games


@pytest.mark.parametrize("rounds", [solver.ROUNDS, EXHAUSTIVE_ONLY, ONE_OF_EACH_CORE, NO_ROOM])
def test_small_games_come_out_as_in_a_plain_search(rounds, small_games, monkeypatch):
    monkeypatch.setattr(solver, "ROUNDS", rounds)
    for piles, up, is_won in small_games:
        solution = solved(piles, up, memory_mb=16)
        assert solution.status == ("won" if is_won else "lost"), (piles, up)
        if is_won:
            assert_wins(piles, up, solution.moves)


@pytest.mark.parametrize("is_castle", [False, True])
def test_the_moves_of_a_win_can_be_replayed(is_castle):
    wins = 0
    for i in range(20):
        piles, up = full_deal(i, is_castle)
        solution = solved(piles, up)
        assert solution.status in ("won", "lost")
        if solution.status == "won":
            wins += 1
            assert_wins(piles, up, solution.moves)
    assert wins >= 5


def test_the_exhaustive_search_finds_wins_of_whole_packs(monkeypatch):
    monkeypatch.setattr(solver, "ROUNDS", EXHAUSTIVE_ONLY)
    piles, up = full_deal(9, is_castle=True)
    solution = solved(piles, up)
    assert solution.status == "won"
    assert_wins(piles, up, solution.moves)


def test_both_searches_prove_the_same_losses(monkeypatch):
    deals = [full_deal(i) for i in (0, 1, 4, 9, 11)]
    best_first = [solved(*deal).status for deal in deals]
    monkeypatch.setattr(solver, "ROUNDS", EXHAUSTIVE_ONLY)
    assert best_first == [solved(*deal).status for deal in deals] == ["lost"] * 5


def test_the_order_of_the_piles_does_not_count(monkeypatch):
    monkeypatch.setattr(solver, "ROUNDS", EXHAUSTIVE_ONLY)
    piles, up = full_deal(9)
    turned = (*piles[5:], *piles[:5])
    assert solved(piles, up) == solved(turned, up)


def test_blocked_at_once_sa_e10():
    assert solved(dealt(E10, 8), (0, 0, 0, 0)) == ("lost", [], 1)


def test_a_certain_win_sa_e12():
    piles = (("KS", "KH", "QS", "JS"), ("QH", "JH"), ("KD", "QD"), ("KC",), (), (), (), ())
    solution = solved(piles, (10, 10, 11, 12))
    assert solution.status == "won"
    assert len(solution.moves) == 9
    assert_wins(piles, (10, 10, 11, 12), solution.moves)


def test_a_won_game_needs_no_move():
    assert solved(((),) * 8, (13, 13, 13, 13)) == ("won", [], 1)


def test_a_limit_leaves_a_deal_undecided():
    piles, up = full_deal(12)
    assert solved(piles, up, max_nodes=1000) == ("undecided", [], 1000)
    assert solved(piles, up, max_seconds=0).status == "undecided"


@pytest.mark.parametrize("rounds", [EXHAUSTIVE_ONLY, NO_ROOM])
def test_the_clock_is_looked_at_within_a_search(rounds, monkeypatch):
    monkeypatch.setattr(solver, "ROUNDS", rounds)
    monkeypatch.setattr(solver, "SLICE", 4)
    solution = solved(*full_deal(12), max_seconds=0)
    assert solution.status == "undecided"
    assert 1 < solution.n_nodes < 20


@pytest.mark.parametrize(
    ("i", "least", "most"),
    [
        (42, 0.9 * 2**20, 2**20),  # fills the table, of 2**20 places
        (8, 1e5, 0.5 * 2**20),  # goes so deep that the arrays for the way are full before
    ],
)
def test_no_room_leaves_a_deal_undecided(i, least, most, monkeypatch):
    monkeypatch.setattr(solver, "ROUNDS", EXHAUSTIVE_ONLY)
    full = solved(*full_deal(i), memory_mb=16)
    assert full.status == "undecided"
    assert least < full.n_nodes <= most


def test_lengths_beyond_the_piles_are_refused():
    with pytest.raises(BackAlleyError, match="do not fit piles with 3 places"):
        solve(np.full((1, 3), -1, np.int8), np.array([4], np.int8), (0, 0, 0, 0))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"worry_back": True}, "SA-13"),
        ({"max_nodes": 0}, "max_nodes=0"),
        ({"memory_mb": 1}, "16 MiB"),
        ({"up": (1, 0, 0, 0)}, "spades"),
        ({"up": (0, 0, 0)}, "4 foundations"),
        ({"piles": ((),) * 8, "up": (13, 13, 13, 14)}, "clubs"),
        ({"piles": dealt(E1, 9)}, "1 to 8 piles"),
        ({"piles": dealt([*E1[:-1], "AS"], 8)}, "each once"),
        ({"piles": dealt([*E1[:-1], "LB"], 8)}, "no card of these games"),
    ],
)
def test_what_is_no_position_is_refused(change, message):
    arguments = {"piles": dealt(E1, 8), "up": (0, 0, 0, 0)} | change
    with pytest.raises(BackAlleyError, match=message):
        solved(**arguments)
