"""Streets and Alleys on each implementation: the worked examples, the proof of supermoves, and properties."""

import itertools
import random
from collections import deque

import pytest
from oracle.patience import RANKS, SUITS, Patience, pack, rank
from patience_adapter import IMPLEMENTATIONS
from worked_patience import EXAMPLES, Example, filled, run

CAPACITY = {0: (1, 0), 1: (2, 1), 2: (4, 2), 3: (8, 4), 4: (16, 8)}
"""Empty piles → cards that go onto a card and into a space at once (SA-24)."""
N_SINGLES = {(2, 1): 3, (2, 2): 3, (3, 2): 5, (4, 2): 9, (4, 3): 7, (8, 3): 27}
"""(cards, usable empty piles) → single moves (SA-25)."""

TURNS = (0, 3, 5)
"""Which piles take part in a supermove: see `supermove`."""

FOREIGN = 99
"""A card that never moves and on which nothing fits."""

N_GAMES = 6
AUTO_ACE_OFF = {"auto_ace": False}
VARIANTS = {
    "default": {},
    "auto_ace_off": AUTO_ACE_OFF,
    "auto_play": {"auto_play": True},
    "worry_back": {"worry_back": True},
    "beleaguered_castle": {"aces_up": True},
}


@pytest.fixture(params=IMPLEMENTATIONS)
def make(request):
    return IMPLEMENTATIONS[request.param]


@pytest.fixture(params=VARIANTS)
def options(request):
    return VARIANTS[request.param]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.id)
def test_example(example: Example, make):
    run(example, make)


def test_every_example_is_there_and_named_once():
    names = [example.id for example in EXAMPLES]
    assert len(set(names)) == len(names)
    assert {"-".join(name.split("-")[:2]) for name in names} == {f"SA-E{number}" for number in range(1, 14)}


# Supermoves. A pile is a tuple of ranks; pile 0 is the source, a target that is not empty comes second, the other
# piles are empty at first. Only cards of the run move, as all other piles count for nothing (SA-20).


def fewest_single_moves(start, n_cards, is_goal) -> int | None:
    """Return how many single moves it takes to a goal, None if no sequence of single moves gets there."""
    seen, queue = {start}, deque([(start, 0)])
    while queue:
        piles, n_moves = queue.popleft()
        if is_goal(piles):
            return n_moves
        for p, q in itertools.permutations(range(len(piles)), 2):
            if not piles[p] or piles[p][-1] > n_cards or (piles[q] and piles[q][-1] != piles[p][-1] + 1):
                continue
            after = list(piles)
            after[p], after[q] = piles[p][:-1], (*piles[q], piles[p][-1])
            position = (*after[:2], *sorted(after[2:]))  # which of the spaces is used doesn't matter
            if position not in seen:
                seen.add(position)
                queue.append((position, n_moves + 1))
    return None


def singles_onto_card(k, n_empty, below) -> int | None:
    cards = tuple(range(k, 0, -1))
    start = ((*below, *cards), (FOREIGN, k + 1), *[()] * n_empty)
    return fewest_single_moves(start, k, lambda piles: piles[1] == (FOREIGN, k + 1, *cards))


def singles_into_space(k, n_empty, below) -> int | None:
    cards = tuple(range(k, 0, -1))
    start = ((*below, *cards), *[()] * n_empty)
    return fewest_single_moves(start, k, lambda piles: cards in piles[1:])


@pytest.mark.parametrize("n_empty", CAPACITY)
@pytest.mark.parametrize("below", ["foreign", "longer_run", "nothing"])
def test_sa22_single_moves_bring_a_run_onto_a_card_up_to_the_limit(n_empty, below):
    limit = CAPACITY[n_empty][0]
    for k in range(1, min(limit + 2, 12) + 1):  # a run onto a card has no king
        lower = {"foreign": (FOREIGN,), "longer_run": (FOREIGN, k + 1), "nothing": ()}[below]
        assert (singles_onto_card(k, n_empty, lower) is not None) == (k <= limit), k


@pytest.mark.parametrize("n_empty", CAPACITY)
@pytest.mark.parametrize("below", ["foreign", "longer_run"])  # with nothing below it is no move
def test_sa22_single_moves_bring_a_run_into_a_space_up_to_the_limit(n_empty, below):
    limit = CAPACITY[n_empty][1]
    for k in range(1, min(limit + 2, 13) + 1):
        lower = {"foreign": (FOREIGN,), "longer_run": (FOREIGN, k + 1)}[below]
        assert (singles_into_space(k, n_empty, lower) is not None) == (k <= limit), k


def supermove(make, k, n_empty, onto_card, turn=0):
    """Return a game and the move of k cards in it; `turn` chooses which piles they are.

    Aces stay, so that a run may have thirteen cards.
    """
    places = [(turn + 3 * i) % 8 for i in range(8)]
    src, others = places[0], places[1:]
    empty = others[:n_empty]
    dst = others[n_empty] if onto_card else empty[-1]
    shown = [[] for _ in range(8)]
    shown[src] = ["AD", *(RANKS[r - 1] + "S" for r in range(k, 0, -1))]
    if onto_card:
        shown[dst] = [RANKS[k] + "D"]
    foundation = {"H": 13, "C": 13}  # so that no pile grows higher than in a game
    piles = filled(shown, [p not in empty for p in range(8)], foundation)
    return make(AUTO_ACE_OFF, piles=piles, foundation=foundation), ("move", src, dst, k)


SUPERMOVES = [(True, n_empty, k) for n_empty, (limit, _) in CAPACITY.items() for k in range(1, min(limit + 2, 12) + 1)]
SUPERMOVES += [
    (False, n_empty, k) for n_empty, (_, limit) in CAPACITY.items() if n_empty for k in range(1, min(limit + 2, 13) + 1)
]


@pytest.mark.parametrize(("onto_card", "n_empty", "k"), SUPERMOVES)
def test_sa20_a_supermove_is_legal_if_and_only_if_single_moves_can_make_it(make, onto_card, n_empty, k):
    count = (singles_onto_card if onto_card else singles_into_space)(k, n_empty, (FOREIGN,))
    for turn in TURNS:
        game, move = supermove(make, k, n_empty, onto_card, turn)
        assert (move in game.legal_moves()) == (count is not None)


LEGAL = [
    (onto_card, n_empty, k)
    for onto_card, n_empty, k in SUPERMOVES
    if k <= CAPACITY[n_empty][0 if onto_card else 1]  # the proof above says that these are the ones
]


@pytest.mark.parametrize(("onto_card", "n_empty", "k"), LEGAL)
def test_sa25_the_expansion_is_legal_and_ends_as_the_supermove(make, onto_card, n_empty, k):
    for turn in TURNS:
        fast, move = supermove(make, k, n_empty, onto_card, turn)
        slow, _ = supermove(make, k, n_empty, onto_card, turn)
        singles = fast.expand(move)
        for single in singles:
            assert single[0] == "move"
            assert single[3] == 1
            assert single in slow.legal_moves()
            slow.play(single)
        fast.play(move)
        assert slow.piles == fast.piles
        assert (slow.n_moves, fast.n_moves) == (len(singles), 1)  # SA-27


@pytest.mark.parametrize("onto_card", [True, False])
@pytest.mark.parametrize(("k", "n_usable"), N_SINGLES)
def test_sa25_number_of_single_moves(make, k, n_usable, onto_card):
    game, move = supermove(make, k, n_usable if onto_card else n_usable + 1, onto_card)
    assert len(game.expand(move)) == N_SINGLES[k, n_usable]


# Properties of whole games.


def random_position(chance, lowest):
    """Return piles and foundations in mid-game: pieces of runs on each other, some piles empty, some cards up."""
    highest = chance.choice([lowest, 5, 10])
    foundation = {suit: chance.randint(lowest, highest) for suit in SUITS}
    runs = [[] for _ in SUITS]
    for name in reversed(RANKS):
        for cards, suit in zip(runs, chance.sample(SUITS, 4), strict=True):
            cards += [name + suit] if rank(name) > foundation[suit] else []
    pieces = []
    for cards in runs:
        cuts = sorted(chance.sample(range(1, len(cards)), 3)) if len(cards) > 3 else []
        pieces += [cards[i:j] for i, j in itertools.pairwise([0, *cuts, len(cards)])]
    chance.shuffle(pieces)
    piles = [[] for _ in range(8)]
    n_used = chance.randint(4, 7)
    for i, piece in enumerate(pieces):
        piles[i % n_used] += piece
    chance.shuffle(piles)
    return piles, foundation


def random_deck(chance, options):
    """Return a shuffled pack, without aces where they begin on the foundations."""
    cards = [card for card in pack() if card[0] != "A" or not options.get("aces_up")]
    return chance.sample(cards, len(cards))


def random_game(make, options, seed, n_moves=100):
    """Yield a game at its start and after each of some random moves, with the move made.

    Even seeds are dealt; a random game from there hardly ever empties a pile, so odd seeds start in the middle.
    """
    chance = random.Random(seed)
    if seed % 2 == 0:
        game = make(options, deck=random_deck(chance, options))
    else:
        piles, foundation = random_position(chance, 1 if options.get("aces_up") else 0)
        game = make(options, piles=piles, foundation=foundation)
    yield game, None
    for _ in range(n_moves):
        moves = sorted(game.legal_moves(), key=str)
        if not moves:
            return
        # Cards mostly go up when they can: a game that only wanders about never gets far.
        ups = [move for move in moves if move[0] == "up"] if chance.random() < 0.9 else []
        move = chance.choice(ups or moves)
        game.play(move)
        yield game, move


@pytest.mark.parametrize("seed", range(N_GAMES))
def test_every_card_is_in_one_place_and_the_counters_agree(make, options, seed):
    score = 0
    for n_played, (game, move) in enumerate(random_game(make, options, seed)):
        played = [card for card in pack() if rank(card) <= game.foundation[card[1]]]
        assert sorted([card for pile in game.piles for card in pile] + played) == sorted(pack())
        assert game.score == len(played)
        assert game.n_moves == n_played
        fallen = move is not None and move[0] == "back"
        assert game.score == score - 1 if fallen else game.score >= score
        score = game.score


@pytest.mark.parametrize("seed", range(N_GAMES))
def test_sa31_there_is_a_move_until_the_game_is_won_or_blocked(make, options, seed):
    for game, _ in random_game(make, options, seed):
        tops = [pile[-1] for pile in game.piles if pile]
        n_empty = 8 - len(tops)
        fits = any(rank(card) == rank(other) - 1 for card in tops for other in tops)
        goes_up = any(rank(card) == game.foundation[card[1]] + 1 for card in tops)
        comes_back = options.get("worry_back") and any(
            top > 1 and rank(card) == top + 1 for top in game.foundation.values() for card in tops
        )
        assert game.won == (not tops)
        assert game.blocked == bool(tops and not (n_empty or fits or goes_up or comes_back))
        assert bool(game.legal_moves()) == (not game.won and not game.blocked)


@pytest.mark.parametrize("seed", range(N_GAMES))
def test_sa14_sa15_what_goes_up_by_itself_never_stays(make, options, seed):
    for game, _ in random_game(make, options, seed):
        tops = [pile[-1] for pile in game.piles if pile]
        if options.get("auto_ace", True):
            assert not [card for card in tops if rank(card) == 1]
        if options.get("auto_play"):
            assert not [card for card in tops if rank(card) == game.foundation[card[1]] + 1]


@pytest.mark.parametrize("seed", range(1, 2 * N_GAMES, 2))
def test_sa26_single_moves_with_their_own_aces_end_as_the_supermove_with_aces_after_it(make, seed):
    n_checked = 0
    for game, _ in random_game(make, {}, seed, n_moves=30):
        for move in game.legal_moves():
            if move[0] == "move" and move[3] > 1:
                fast, slow = (make({}, piles=game.piles, foundation=game.foundation) for _ in range(2))
                fast.play(move)
                for single in game.expand(move):
                    slow.play(single)
                assert (slow.piles, slow.foundation) == (fast.piles, fast.foundation)
                n_checked += 1
    assert n_checked


@pytest.mark.parametrize("seed", range(30))
def test_sa33_piles_that_never_rise_are_won_by_moves_up_alone(make, seed):
    chance = random.Random(seed)
    foundation = {suit: chance.randrange(13) for suit in SUITS}
    cards = [card for card in pack() if rank(card) > foundation[card[1]]]
    chance.shuffle(cards)  # suits of one rank in any order
    piles = [[] for _ in range(8)]
    for card in sorted(cards, key=rank, reverse=True):
        piles[chance.randrange(8)].append(card)
    assert Patience({}, piles=piles, foundation=foundation).certain_win
    game = make({}, piles=piles, foundation=foundation)
    while not game.won:
        ups = sorted(move for move in game.legal_moves() if move[0] == "up")
        assert ups
        game.play(chance.choice(ups))
    assert game.score == 52


def test_sa33_a_pile_that_rises_is_no_certain_win():
    assert not Patience({}, deck=pack()).certain_win


def test_sa7_beleaguered_castle_deals_eight_piles_of_six(make):
    deck = [card for card in pack() if card[0] != "A"]
    game = make({"aces_up": True}, deck=deck)
    assert game.foundation == dict.fromkeys(SUITS, 1)
    assert game.piles[0] == ["2S", "TS", "6H", "2D", "TD", "6C"]
    assert game.piles[7] == ["9S", "5H", "KH", "9D", "5C", "KC"]
    assert [len(pile) for pile in game.piles] == [6] * 8


@pytest.mark.parametrize(("auto_ace", "may_come_back"), [(True, False), (False, True)])
def test_sa13_an_ace_comes_back_only_if_it_stays(make, auto_ace, may_come_back):
    shown = [["2H"], [], *([] for _ in range(6))]
    piles = filled(shown, [True, False, *[True] * 6], {"S": 1})
    game = make({"worry_back": True, "auto_ace": auto_ace}, piles=piles, foundation={"S": 1})
    for target in (0, 1):  # onto a two, and into a space
        assert (("back", "S", target) in game.legal_moves()) == may_come_back


def test_sa13_any_card_comes_back_into_a_space(make):
    shown = [["KS", "KD", "QS"], *([] for _ in range(7))]
    foundation = {"S": 11, "H": 13, "D": 12, "C": 13}
    game = make({"worry_back": True}, piles=shown, foundation=foundation)
    back = {move for move in game.legal_moves() if move[0] == "back"}
    assert back == {("back", suit, q) for suit in SUITS for q in range(1, 8)} | {("back", "S", 0)}


@pytest.mark.parametrize("options", [{"auto_play": True, "worry_back": True}, {"auto_kings": True}])
def test_options_that_make_no_sense_are_refused(make, options):
    with pytest.raises(ValueError, match=r"worry_back|auto_kings"):
        make(options, deck=pack())


@pytest.mark.parametrize("deck", [pack()[:-1], [*pack()[:-1], "AS"]], ids=["missing", "twice"])
def test_a_deck_that_is_no_pack_is_refused(make, deck):
    with pytest.raises(ValueError, match=r"each card|permutation"):
        make({}, deck=deck)
