"""What a seat sees, feature by feature, against a slow reading of the same position on the oracle."""

import random

import numpy as np
import pytest
from adapters import EngineDeal, OracleDeal, engine_rules
from oracle.bidding import base
from oracle.cards import JOKERS, pack
from oracle.options import complete, side_of
from oracle.options import schedule as deal_sizes
from random_deals import FAVOURITES, PRESET_OPTIONS, SOLO_SIZES, random_cut, random_deck, random_move

from backalley.envs import Table
from backalley.envs.back_alley import observation
from backalley.envs.back_alley.notation import parse_action
from backalley.envs.planes import PLANE

SEATS = ("me", "left", "partner", "right")
NAMES = {
    "pairs": SEATS,
    "individual": ("me", "left", "second", "third", "fourth", "fifth"),
    "two_teams_of_3": ("me", "left", "partner 1", "opponent 2", "partner 2", "right"),
    "three_teams_of_2": ("me", "left", "second", "partner", "fourth", "right"),
}
SENTINEL = 77
VARIANTS = PRESET_OPTIONS | {
    "solo_for_2": SOLO_SIZES["solo_for_2"],
    "burn": {"joker_turned": "burn"},
    "keep": {"joker_turned": "keep"},
    "worthless": {"joker_turned": "keep", "no_trump_joker": "worthless"},
    "high_in_no_trump": {**PRESET_OPTIONS["two_of_spades"], "no_trump_high_two": "high"},
    "no_board": {"all_tricks_bid": "none"},
    "cap_4": {"board_multiple_cap": 4},
    "all_numbers": {"number_max": "cards"},
    "free_lead": {"lead_rule": "free"},
    "ruff_only": {"broken_by": "ruff_only"},
    "right_of_side": {"board_trump_lead": "side"},
    "players_alone_boston": {"score_unit": "player", "boston": True},
    "redeal_often": {"redeal_right": True, "redeal_min_cards": 1},
    "short": {"hand_max": 5},
    "one_card": {"hand_max": 1},
}


def expected(deal, seat, broken, cannot_hold):
    """Return in words what `seat` sees of an oracle deal.

    Args:
        deal: the oracle's deal.
        seat: the observer.
        broken: whether trumps are broken, which the oracle does not say without trumps.
        cannot_hold: per seat the cards that its plays have excluded, those that lie open included.
    """
    around = [(NAMES[deal.options["sides"]][i], (seat + i) % deal.players) for i in range(deal.players)]
    on_turn = deal.turn == seat
    mine = deal.hands[seat] if deal.knows_own_hand(seat) else []
    unseen = {card for other in range(deal.players) for card in deal.hands[other]} - set(mine)
    unseen |= set(deal.stock) - set(deal.burned)
    playing = deal.phase == "play"
    trick = list(deal.trick)
    shown = deal.turn_up or deal.cut
    words = {
        "hand": mine,
        "played": [f"{name} {card}" for name, s in around for card in played_by(deal, s)],
        "trick": [f"{name} {dict(trick)[s]}" for name, s in around if s in dict(trick)],
        "cannot_hold": [f"{name} {card}" for name, s in around[1:] for card in cannot_hold[s]],
        "turn_up": [shown] if shown else [],
        "discarded": [deal.discarded] if deal.discarded else [],
        "burned": deal.burned,
        "unseen": unseen,
        "trick_card": [dict(trick)[winner_of(deal, trick)]] if trick else [],
        "trick_holder": [name for name, s in around if trick and s == winner_of(deal, trick)],
        "winners": [card for card in deal.legal() if playing and on_turn and trick and takes(deal, seat, card)],
        "masters": [card for card in mine if is_master(deal, seat, card, unseen, cannot_hold)],
        "trump": [deal.trump or "none"],
        "hand_size": thermometer(deal.hand_size),
        "tricks_left": thermometer(deal.hand_size - len(deal.tricks)),
        "bid_position": [str((seat - deal.dealer - 1) % deal.players)],
        "bids": [f"{name} {word}" for name, s in around for word in bid_words(deal, s)],
        "tricks_won": [f"{name} {word}" for name, s in around for word in thermometer(deal.tricks_won[s])],
        "leader": [name for name, s in around if playing and s == deal.leader],
        "broken": ["yes"] if broken else [],
        "forced": force(deal, seat) if playing and on_turn and trick else [],
        "phase": phase_words(deal, on_turn),
        "run": [name for name, s in around if s == deal.run],
        "cut": ["yes"] if deal.cut else [],
        "blind": [] if deal.knows_own_hand(seat) else ["yes"],
    }
    words |= need_words(deal, seat, around)
    return {name: set(found) for name, found in words.items()}


def phase_words(deal, on_turn):
    """Return the phase; who is asked for a redeal is private (BA-115)."""
    if deal.phase == "redeal_offer":
        return ["redeal offer"] if on_turn else ["bid"]
    return [deal.phase] if deal.phase in ("bid", "raise", "play") else []


def need_words(deal, seat, around):
    """Return the blocks `needs` and `beaten` for each scoring unit."""
    if deal.options["score_unit"] == "player":
        units = [(name, [s]) for name, s in around]
    else:
        sides = list(dict.fromkeys(side_of(deal.options, s) for _, s in around))
        names = ["mine", "theirs"] if len(sides) == 2 else ["mine", *(f"side of {name}" for name, _ in around[1:])]
        units = [
            (name, [s for _, s in around if side_of(deal.options, s) == side])
            for name, side in zip(names, sides, strict=False)
        ]
    most = max(deal_sizes(deal.options))
    needs = {name: needed(deal, members) for name, members in units}
    return {
        "needs": [f"{name} {word}" for name, (n, _) in needs.items() for word in thermometer(max(0, min(n, most)))],
        "beaten": [name for name, (n, left) in needs.items() if n > left],
    }


def thermometer(count):
    return [f"≥{i}" for i in range(1, count + 1)]


def played_by(deal, seat):
    return [card for trick in [*deal.tricks, deal.trick] for s, card in trick if s == seat]


def suit_of(deal, card):
    return deal.suit(card)


def winner_of(deal, trick):
    return deal.winner(trick)


def takes(deal, seat, card):
    return winner_of(deal, [*deal.trick, (seat, card)]) == seat


def is_master(deal, seat, card, unseen, cannot_hold):
    """Say whether nobody else may still hold a card of the suit that beats `card`."""
    higher = [c for c in unseen if suit_of(deal, c) == suit_of(deal, card) and deal.strength(c) > deal.strength(card)]
    return suit_of(deal, card) is not None and all(
        c in cannot_hold[other] for c in higher for other in range(deal.players) if other != seat
    )


def bid_words(deal, seat):
    words = ["rainbow"] if seat in deal.rainbows else []
    bid = deal.bids.get(seat)
    if bid is None:
        return words
    bid = base(bid)
    if bid == "board":
        kind = deal.options["all_tricks_bid"]
        level = deal.multiples[seat] if kind in ("board", "raise_board", "ladder") else 0
        return [*words, "board", *(f"level≥{i}" for i in range(1, level + 1))]
    if bid in ("pass", "boston"):
        return [*words, bid]
    return [*words, "number", *(f"number≥{i}" for i in range(1, int(bid) + 1))]


def needed(deal, members):
    """Return how many tricks a scoring unit still needs for what it has bid so far, and how many there are for it."""
    bids = [base(deal.bids.get(seat, "pass")) for seat in members]
    left = deal.hand_size - len(deal.tricks)
    if "board" in bids:
        return deal.hand_size - sum(deal.tricks_won[seat] for seat in members), left
    if "boston" in bids:
        return 6 - sum(deal.first_six[seat] for seat in members), max(0, 6 - len(deal.tricks))
    target = sum(int(bid) for bid in bids if bid != "pass")
    if deal.options["side_bid_cap"] == "cards":
        target = min(target, deal.hand_size)
    return max(0, target - sum(deal.tricks_won[seat] for seat in members)), left


def force(deal, seat):
    """Return what the card led asks of a follower (BA-87 to BA-92, BAW-10)."""
    led, options = deal.trick[0][1], deal.options
    if deal.trump is not None and led == "2S" and options["lead_rule"] == "high_two_run":
        return ["highest"]
    if deal.trump is None or led not in JOKERS or options["blooper_force"] == "none":
        return []
    if led == "LB":
        return ["lowest"] if options["blooper_force"] == "both" else []
    if side_of(options, seat) == side_of(options, deal.leader):
        return {"highest": ["highest"], "any_trump": [], "lowest": ["lowest"]}[options["bb_partner"]]
    return ["highest"]


class Seen:
    """One table and the oracle with the same cards, compared position by position."""

    def __init__(self, options, deck, dealer, hand_size, cut=None, n=1):
        self.options = options
        self.rules = engine_rules(options)[0]
        self.table = Table(self.rules, n=n, seed=0)
        self.table.reset(decks=[deck], cuts=cut and [cut], dealers=dealer, hand_sizes=hand_size)
        self.engine = EngineDeal.of(options, self.table.states[0])
        self.deal = OracleDeal(options, deck, dealer, hand_size, cut).deal
        if self.deal.turn is not None:
            self.compare()

    def play(self, *moves):
        for move in moves:
            self.table.step([parse_action(move)])
            self.deal.play(move)
            if self.deal.phase != "thrown_in":
                self.compare()

    def words(self, seat):
        return self.table.layout.decode(self.table.observe(seat)[0])

    def compare(self):
        seats = range(self.deal.players)
        cannot_hold = [self.engine.cannot_hold(seat) for seat in seats]
        broken = self.engine.broken if self.deal.trump is None else self.deal.broken
        for seat in seats:
            found = {name: set(labels) for name, labels in self.words(seat).items()}
            said = expected(self.deal, seat, broken, cannot_hold)
            assert found == {name: words for name, words in said.items() if name in found}, f"seat {seat}"
            assert not any(words for name, words in said.items() if name not in found)


def deck_of(options, dealer, hands, rest=""):
    """Return a deck that deals these hands (N, E, S, W) and goes on with `rest`, all other cards behind."""
    hands = [hand.split() for hand in hands]
    order = [hands[(dealer + 1 + i) % 4] for i in range(4)]
    deck = [hand[i] for i in range(len(hands[0])) for hand in order] + rest.split()
    return deck + [card for card in pack(options.get("deck", "std54")) if card not in deck]


def random_deal(seed, options, hand_size):
    """Compare all positions of a random deal; return the oracle's deal."""
    rng = random.Random(seed)
    deck = random_deck(rng, options, hand_size)
    seen = Seen(options, deck, rng.randrange(complete(options)["players"]), hand_size, random_cut(rng, options))
    favourite = rng.choice(FAVOURITES)
    while seen.deal.turn is not None:
        seen.play(random_move(rng, seen.deal, favourite, "jokers"))
    return seen.deal


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_block_says_what_the_oracle_sees(variant):
    options = VARIANTS[variant]
    sizes = sorted(deal_sizes(options))
    special = (*complete(options)["rainbow_sizes"], *complete(options)["blind_sizes"])
    chosen = [1, 4, *special, sizes[len(sizes) // 2], sizes[-1]]
    chosen = [size for size in chosen if size in sizes] or sizes
    phases = [random_deal(f"{variant} {i}", options, n).phase for i, n in enumerate([*chosen, *chosen])]
    assert "scored" in phases


def test_boards_are_seen_up_to_the_quadruple():
    hands = ["BB", "3D", "KH", "9H"]
    seen = Seen({}, deck_of({}, 3, hands, "3H"), 3, 1)
    seen.play("board", "board", "board", "board")
    assert [label for label in seen.words(0)["bids"] if "level" in label] == [
        f"{name} level≥{level}" for multiple, name in enumerate(SEATS, start=1) for level in range(1, multiple + 1)
    ]
    assert seen.words(0)["needs"] == ["mine ≥1", "theirs ≥1"]


def test_a_side_that_bids_more_than_there_is_is_beaten_at_once():
    options = {"hand_max": 3}
    seen = Seen(options, deck_of(options, 3, ["AC 3H 2S", "KC 5D 3S", "QD LB 4S", "2C AD 5S"], "7H"), 3, 3)
    seen.play("2", "1", "2", "pass")
    assert seen.words(0)["beaten"] == ["mine"]
    assert seen.words(1)["beaten"] == ["theirs"]
    assert seen.words(0)["needs"] == ["mine ≥1", "mine ≥2", "mine ≥3", "theirs ≥1"]  # 4, but a hand has 3 cards


def test_all_tricks_won_and_nothing_needed_at_the_end():
    spades, hearts = (" ".join(rank + suit for rank in "23456789TJQKA") for suit in "SH")
    rest = ["".join(rank + suit + " " for rank in "23456789TJQKA") for suit in "DC"]
    seen = Seen({"trump_source": "fixed_spades"}, deck_of({}, 3, [spades, hearts, *rest]), 3, 13)
    seen.play("board", "pass", "pass", "pass")
    while seen.deal.turn is not None:
        seen.play(min(seen.deal.legal()))
    words = seen.words(0)
    assert words["tricks_won"] == [f"me ≥{i}" for i in range(1, 14)]
    assert not any(words[name] for name in ("hand", "tricks_left", "needs", "beaten", "leader", "phase", "trick"))
    assert sorted(words["unseen"]) == ["BB", "LB"]


def test_the_exchange_of_a_joker_shows_the_joker_and_hides_the_card_drawn():
    seen = Seen({}, deck_of({}, 3, ["AC 4D", "BB 9C", "KD 2C", "QC AS"], "LB TD"), 3, 2)
    for seat in range(4):
        words = seen.words(seat)
        assert (words["turn_up"], words["discarded"], words["trump"]) == (["LB"], ["BB"], ["none"])
        assert ("TD" in words["unseen"]) == (seat != 1)
    assert seen.words(1)["hand"] == ["TD", "9C"]


@pytest.mark.parametrize(
    ("bb_partner", "forced"),
    [("highest", ["highest"] * 3), ("any_trump", ["highest", None, "highest"]), ("lowest", ["highest", "lowest"] * 2)],
)
def test_a_led_big_joker_asks_each_follower_on_his_turn(bb_partner, forced):
    options = {"bb_partner": bb_partner}
    seen = Seen(options, deck_of(options, 3, ["BB AD", "KS QS", "LB 8C", "TS 5H"], "9S"), 3, 2)
    seen.play("board", "pass", "pass", "pass", "BB")
    for seat, what in zip((1, 2, 3), forced, strict=False):
        assert seen.words(seat)["forced"] == ([what] if what else [])
        assert seen.words((seat + 1) % 4)["forced"] == []  # not on turn
        seen.play(max(seen.deal.legal(), key=seen.deal.strength))


def test_a_led_little_joker_asks_for_the_lowest_trump():
    seen = Seen({}, deck_of({}, 3, ["LB AD", "BB 3C", "4D 5D", "KD QC"], "9D"), 3, 2)
    seen.play("board", "pass", "pass", "pass", "LB")
    assert seen.words(1)["forced"] == ["lowest"]
    assert seen.words(1)["winners"] == ["BB"]


def test_off_turn_there_are_no_winners_and_no_legal_actions():
    seen = Seen({}, deck_of({}, 3, ["AC 3H", "KC 5D", "QD LB", "2C AD"], "7H"), 3, 2)
    seen.play("1", "pass", "1", "pass", "AC")
    observations, masks = seen.table.see(2)  # E is to play
    assert seen.table.layout.decode(observations[0])["winners"] == []
    assert not masks.any()
    seen.play("KC")
    assert seen.words(2)["winners"] == ["LB"]
    assert seen.table.see(2)[1].sum() == 2


# Matches.


@pytest.mark.parametrize(
    ("ahead", "n_above"),
    [(-1000, 0), (-300, 0), (-299, 1), (-1, 9), (0, 9), (1, 10), (10, 10), (11, 11), (300, 18), (301, 19), (1000, 19)],
)
def test_the_score_is_seen_from_both_sides(ahead, n_above):
    table = Table(engine_rules({})[0], n=1, seed=1, episode="match")
    table.states["match_points"][0, :4] = [50 + ahead, 50, 50 + ahead, 50]
    buckets = [-300, -200, -150, -100, -75, -50, -30, -20, -10, 0, 10, 20, 30, 50, 75, 100, 150, 200, 300]
    for seat, difference in ((0, ahead), (1, -ahead), (2, ahead), (3, -ahead)):
        words = table.layout.decode(table.observe(seat)[0])
        assert words["score_difference"] == [f">{bucket}" for bucket in buckets if difference > bucket]
    assert len(table.layout.decode(table.observe(0)[0])["score_difference"]) == n_above


@pytest.mark.parametrize("deal_index", [0, 1, 12, 25])
def test_the_deals_already_scored_are_seen(deal_index):
    table = Table(engine_rules({})[0], n=1, seed=1, episode="match")
    table.reset(deal_indices=deal_index)
    assert table.layout.decode(table.observe()[0])["deal_index"] == [f">deal {i + 1}" for i in range(deal_index)]


# Where it is written.


@pytest.mark.parametrize("episode", ["deal", "match"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_the_kernel_writes_the_layout_and_nothing_outside_its_row(variant, episode):
    rules = engine_rules(VARIANTS[variant])[0]
    table = Table(rules, n=8, seed=3, episode=episode)
    size = table.layout.size
    for _ in range(60):
        for seat in range(rules.players):
            views = table.view(seat)
            memory = np.full(PLANE + size + PLANE + PLANE, SENTINEL, np.int8)
            row = memory[PLANE : PLANE + size + PLANE]  # a whole vector to spare, as the kernel asks
            head = (table.rules_record[0], table.settings[0], views[0])
            observation.write_observation(*head, np.zeros(2, np.uint64), False, row, 0)
            assert set(row[:size].tolist()) <= {0, 1}
            assert (memory[:PLANE] == SENTINEL).all()
            assert (memory[PLANE + size + PLANE :] == SENTINEL).all()
        table.step(None)


def test_rows_and_masks_of_a_table_are_filled_to_the_last_byte_and_not_beyond():
    table = Table(engine_rules({})[0], n=5, seed=3)
    for _ in range(80):
        observations = np.full((7, table.layout.size), SENTINEL, np.int8)
        masks = np.full((7, table.game.n_actions), SENTINEL, np.int8)
        seats = np.full(5, -1, np.int8)
        table.see_into(seats, observations[1:-1], masks[1:-1])
        for memory in (observations, masks):
            assert (memory[[0, -1]] == SENTINEL).all()
            assert ((memory[1:-1] == 0) | (memory[1:-1] == 1)).all()
        table.step(None)
    assert table.done.any()
