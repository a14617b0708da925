"""Deals written by hand: samples of the specification, round trips, and what is said of mistakes."""

import pytest

from backalley.envs import Rules, StreetsRules, Table
from backalley.envs.back_alley.options import PRESETS
from backalley.envs.cards import CARD_NAMES, bits_of, parse_card, parse_cards
from backalley.envs.errors import NotationError
from backalley.policies import registry
from backalley.train.deal_notation import format_deal, parse_deal, parse_deals
from backalley.train.recording import capture
from backalley.train.written_deal import WrittenDeal, points_of, table_of, written_deals

X_106 = """[Preset "partnership"]
[Dealer "W"]
[HandSize "2"]
N: AC 3H
E: KC 5D
S: QD LB
W: 2C AD
Turned: 7H
Bids: 1 pass 1 pass
Play: AC KC QD 2C / 3H 5D LB AD
Points: NS +10, EW +0
"""
"""The first complete deal of the specification, as the program writes it."""

X_107 = """
; the second one, as a person may write it
[Preset "partnership"] [Dealer "S"]   # hand sizes are counted
[Option "bb_partner" "any_trump"]

w: bb 4s ad   n: ks, 2s, 7c

E: lb QS 3D
   S:10S 8C 5H
Turned: 9s    ; spades
bids: board pass 1 Pass
play: bb ks lb 10s /
      ad 2s 3d 8c   # N ruffs
      7c qs 5h 4s /
points: EW -30 NS 1
"""


@pytest.fixture
def refused():
    """Return the reason why a text is no deal."""

    def call(text):
        with pytest.raises(NotationError) as error:
            parse_deal(text)
        return str(error.value)

    return call


def test_the_first_deal_of_the_specification():
    deal = parse_deal(X_106)
    assert (deal.rules, deal.dealer, deal.hand_size, deal.cut) == (Rules.preset("partnership"), 3, 2, None)
    assert [CARD_NAMES[card] for card in deal.deck[:9]] == ["AC", "KC", "QD", "2C", "3H", "5D", "LB", "AD", "7H"]
    assert deal.deck[9:] == tuple(card for card in range(54) if card not in deal.deck[:9])
    assert deal.actions == (55, 54, 55, 54, *parse_cards("AC KC QD 2C 3H 5D LB AD"))
    assert table_of(deal).states[0]["tricks_won"][:4].tolist() == [1, 0, 1, 0]
    assert points_of(deal) == (10, 0)
    assert format_deal(deal) == X_106


def test_a_deal_as_a_person_may_write_it():
    deal = parse_deal(X_107)
    assert deal.rules == Rules.preset("bb_partner_any")
    assert (deal.dealer, deal.hand_size) == (2, 3)
    assert list(deal.deck[:13]) == parse_cards("BB KS LB TS 4S 2S QS 8C AD 7C 3D 5H 9S")
    assert points_of(deal) == (1, -30)
    assert parse_deal(format_deal(deal)) == deal


def random_record(rules, seed):
    (record,) = capture(Table(rules, 1, seed), [registry.make("random", rules)] * rules.players, seed=seed)
    return record


@pytest.mark.parametrize("preset", PRESETS)
def test_what_is_written_is_read_again(preset):
    rules = Rules.preset(preset)
    for seed in range(5):
        record = random_record(rules, seed)
        deals = written_deals(record)
        assert len(deals) == len(record["decks"])
        assert sum(len(deal.actions) for deal in deals) == len(record["actions"])
        text = "\n".join(map(format_deal, deals))
        assert parse_deals(text) == parse_deals(text.lower()) == deals
        side_points = {rules.side_of(seat): n for seat, n in enumerate(record["result"]["totals"])}
        carried = rules.rainbow_thrown_in == "paid" and len(deals) > 1
        assert carried or points_of(deals[-1]) == tuple(side_points[side] for side in sorted(side_points))


@pytest.mark.parametrize(
    ("preset", "void_dealer"), [("two_of_spades", "next"), ("two_of_spades", "same"), ("solo", "same")]
)
def test_a_match_is_taken_apart_into_its_deals(preset, void_dealer):
    rules = Rules.preset(preset, void_dealer=void_dealer)
    table = Table(rules, 1, 4, episode="match")
    (record,) = capture(table, [registry.make("simple", rules)] * rules.players, seed=1)
    deals = written_deals(record)
    scored = [deal for deal in deals if points_of(deal) is not None]
    assert len(deals) > len(scored)
    assert [(deal.dealer, deal.hand_size) for deal in scored] == [
        (deal["dealer"], deal["hand_size"]) for deal in record["result"]["deals"]
    ]
    assert [deal for text in map(format_deal, deals) for deal in parse_deals(text)] == deals


def test_rules_are_written_with_what_differs():
    rules = Rules.preset("solo_18", rainbow_points={4: 6, 8: 11}, all_pass="next_dealer", ladder_repeat_one=False)
    rules_of_list = Rules.preset("bab_online", hand_sizes=(3, 2), board_multiple_cap=4, redeal_right=True)
    for one in (rules, rules_of_list):
        (deal, *_) = written_deals(random_record(one, 2))
        assert "[Option" in format_deal(deal)
        assert parse_deal(format_deal(deal)).rules == one


def test_the_joker_exchange_takes_the_first_card_of_the_stock():
    text = '[Dealer "W"] N: AS BB E: KS QS S: JS 10S W: 9S 8S Turned: LB Stock: 9D 2D'
    state = table_of(parse_deal(text)).states[0]
    assert int(state["hands"][0]) == bits_of(parse_cards("AS 9D"))
    assert int(state["discarded"]) == bits_of([parse_card("BB")])


def test_a_burned_joker_is_written_with_the_card_behind_it(refused):
    text = '[Preset "hfi_7"] [Dealer "W"] N: AS E: KS S: JS W: 9S Turned: LB 4H'
    state = table_of(parse_deal(text)).states[0]
    assert (int(state["burned"]), int(state["trump"])) == (bits_of([parse_card("LB")]), 1)
    assert "the joker turned up is burned" in refused(text.replace("LB 4H", "LB"))
    assert "Turned: LB 4H\n" in format_deal(parse_deal(text))


HAND = " ".join(CARD_NAMES[:13])
CUT = f"""[Preset "solo"] [Dealer "S"]
N: {HAND}
E: {HAND.replace("S", "H")}
S: {HAND.replace("S", "D")}
W: {HAND.replace("S", "C")}
Cut: 7D"""


def test_a_deal_is_cut_for_trumps(refused):
    deal = parse_deal(CUT)
    assert deal.cut == parse_card("7D")
    assert table_of(deal).states[0]["trump"] == 2
    assert parse_deal(format_deal(deal)) == deal
    assert "a deal of 13 cards needs the one card of the cut" in refused(CUT.replace("Cut: 7D", ""))


def test_nothing_is_turned_where_spades_are_always_trumps(refused):
    text = X_106.replace("partnership", "spades_trumps")
    assert refused(text).startswith("line 8: no card is turned up in this deal: leave Turned out")
    assert table_of(parse_deal(text[: text.index("Turned")])).states[0]["trump"] == 0


def test_hands_thrown_in_have_no_points(refused):
    passed = X_106[: X_106.index("Bids")] + "Bids: pass pass pass pass\n"
    deal = parse_deal(passed)
    assert len(deal.actions) == 4
    assert points_of(deal) is None
    assert format_deal(deal) == passed
    assert refused(passed[:-1] + " 1\n") == "line 9: '1': the deal is over before that: the hands are thrown in"


def test_a_hand_without_trumps_is_thrown_in_at_once(refused):
    text = '[Preset "two_of_spades"] [Dealer "W"] [Option "void_min_cards" "1"] N: AS E: KS S: JS W: 9S Turned: 4H'
    deal = parse_deal(text)
    assert points_of(deal) is None
    assert parse_deal(format_deal(deal)) == deal
    assert "line 1: 'pass': a hand has no trump" in refused(text + " Bids: pass")
    with pytest.raises(NotationError, match="BA-38"):
        table_of(deal)


@pytest.mark.parametrize("n_actions", range(13))
def test_a_deal_may_stop_anywhere(n_actions):
    whole = parse_deal(X_106)
    part = WrittenDeal(whole.rules, whole.dealer, whole.hand_size, whole.deck, None, whole.actions[:n_actions])
    assert parse_deal(format_deal(part)) == part
    assert (points_of(part) is None) == (n_actions < 12)


def test_several_deals_stand_one_behind_the_other(refused):
    deals = parse_deals(X_106 + X_107 + CUT)
    assert deals == [parse_deal(X_106), parse_deal(X_107), parse_deal(CUT)]
    assert parse_deals("; nothing\n\n") == []
    assert refused(X_106 + X_107) == "the text has 2 deals, not one"
    assert refused(X_106 + X_107.replace("KS", "KX").replace("ks", "kx")).startswith("line 17: 'kx' is not a card")


MISTAKES = {
    "preset": ('"partnership"', '"partnerships"', "line 1: unknown preset 'partnerships': did you mean"),
    "patience": ('"partnership"', '"beleaguered_castle"', "line 1: preset 'beleaguered_castle' is no rule set of"),
    "tag": ("[Dealer", "[Dealr", "line 2: unknown tag 'Dealr': did you mean 'Dealer'"),
    "tag without quotes": ('[Dealer "W"]', "[Dealer W]", 'line 2: a tag reads [Dealer "W"]'),
    "tag twice": ('[Dealer "W"]', '[Dealer "W"] [Dealer "N"]', "line 2: [Dealer] is there twice"),
    "two values": ('[Dealer "W"]', '[Dealer "W" "N"]', "line 2: [Dealer] needs 1 value in quotes"),
    "option": (
        '[Dealer "W"]',
        '[Dealer "W"] [Option "bb_partner" "low"]',
        "line 2: unknown value of option bb_partner",
    ),
    "dealer": ('"W"', '"X"', 'line 1: [Dealer "X"] must name one of N, E, S, W'),
    "no dealer": ('[Dealer "W"]', "", 'line 1: [Dealer ""] must name one of N, E, S, W'),
    "hand size in words": ('"2"', '"two"', 'line 1: [HandSize "two"] must be a number'),
    "hand size": ('"2"', '"3"', "line 4: N has 2 cards, but must have 3"),
    "short hand": ("KC 5D", "KC", "line 5: E has 1 cards, but must have 2"),
    "no such size": ("AC 3H", "", "line 4: N has 0 cards, but hands of these rules have [1, 2, 3"),
    "missing hand": ("E: KC 5D\n", "", "line 1: E has 0 cards"),
    "no card": ("KC 5D\n", "KC 5X\n", "line 5: '5X' is not a card"),
    "twice": ("KC 5D\n", "KC 3H\n", "line 5: 3H is there twice, first in line 4"),
    "twice as ten": ("5D\nS: QD", "10H\nS: TH", "line 6: TH is there twice, first in line 5"),
    "not in the pack": (
        '[Dealer "W"]',
        '[Option "deck" "std52"] [Dealer "W"]',
        "line 6: LB is not in the pack 'std52'",
    ),
    "not turned": ("Turned: 7H\n", "", "line 1: the card that is turned up is missing"),
    "turned twice": ("Turned: 7H", "Turned: 7H 8H", "line 8: 2 cards are turned up, but the first 1 of them decides"),
    "cut": ("Turned: 7H", "Turned: 7H Cut: 8H", "line 8: a deal of 2 cards is not cut"),
    "name": ("Bids:", "Bidds:", "line 9: unknown name 'bidds': did you mean 'bids'"),
    "seat": ("W: 2C", "X: 2C", "line 7: unknown name 'x'"),
    "name twice": ("E: KC", "N: KC", "line 5: N: is there twice, first in line 4"),
    "no name": ('[HandSize "2"]', "hello", "line 3: 'hello' stands behind no name"),
    "no bid": ("1 pass 1 pass", "1 pas 1 pass", "line 9: 'pas' of E: 'pas' is no action"),
    "bid": ("1 pass 1 pass", "1 pass 3 pass", "line 9: '3' of S: player_2 bid 3 but must choose one of the legal bids"),
    "card": ("AC KC QD", "AC 5D QD", "line 10: '5D' of E: player_1 played 5D but must follow clubs"),
    "trick": ("QD 2C /", "QD / 2C", "line 10: / ends a trick, but 3 cards stand before it"),
    "slash in bids": ("1 pass 1", "1 / pass 1", "line 9: / ends a trick"),
    "too much": ("LB AD\n", "LB AD / AC\n", "line 10: 'AC': the deal is over before that"),
    "points": ("NS +10", "NS +11", "line 11: points are written as NS +11 EW +0, but the play gives NS +10, EW +0"),
    "points of one side": (", EW +0", "", "line 11: points are written as NS +10, but"),
    "half of the points": ("EW +0", "EW +0 N", "line 11: points are written as NS +10 EW +0 N, but"),
    "points too early": (" / 3H 5D LB AD", "", "line 11: points are given, but the deal was not played to its end"),
}


@pytest.mark.parametrize(("old", "new", "reason"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_named_with_its_line(old, new, reason, refused):
    assert X_106.count(old) == 1
    assert refused(X_106.replace(old, new)).startswith(reason)


def test_own_names_of_all_tricks_bids():
    for preset, name in (("all_bid", "all"), ("solo_26", "BORT")):
        text = f'[Preset "{preset}"] [Dealer "W"] N: AS 2H E: KS QS S: JS 10S W: 9S 8S Turned: 4D Bids: pass {name}'
        assert parse_deal(text).actions == (54, 68)
        assert parse_deal(text.replace(f"pass {name}", "pass board")).actions == (54, 68)


def test_only_deals_with_hands_can_be_written():
    rules = StreetsRules.preset("beleaguered_castle")
    (record,) = capture(Table(rules, 1, 1, max_moves=2), [registry.make("random", rules)])
    with pytest.raises(NotationError, match="streets_and_alleys has no hands"):
        written_deals(record)
