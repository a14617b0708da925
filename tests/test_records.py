"""Records of deals and matches: replayed by the oracle, checked line by line, damaged in every way."""

import json
import os

import numpy as np
import pytest
from oracle.deal import Deal as OracleDeal
from oracle.patience import Patience
from random_deals import PRESET_OPTIONS

from backalley.envs import Rules, StreetsRules, Table, make_rules
from backalley.envs.back_alley.options import PRESETS
from backalley.envs.errors import IllegalAction
from backalley.policies import registry
from backalley.train import alone, deal_record, recording, records
from backalley.train.evaluate import evaluate
from backalley.train.recording import capture, record_pairs
from backalley.train.records import RecordError, RecordWriter, check_file, read_records, verify

ONE_CARD = {
    "format": 1,
    "game": "back_alley",
    "preset": "partnership",
    "options": {"hand_max": 2},
    "episode": "deal",
    "max_redeals": 20,
    "dealer": 3,
    "deal_index": 1,  # 2 1 1 2
    "decks": [
        "AS TS 2C 3D 5H 2S 3S 4S 5S 6S 7S 8S 9S JS QS KS 2H 3H 4H 6H 7H 8H 9H TH JH QH KH AH "
        "2D 4D 5D 6D 7D 8D 9D TD JD QD KD AD 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC LB BB"
    ],
    "cuts": [None],
    "policies": ["ann", "bob", "cat", "dan"],
    "actions": ["board", "pass", "pass", "pass", "AS", "TS", "2C", "3D"],
    "result": {  # N wins all of the one trick it bid: 10 points (BA-102), nothing for E and W
        "deals": [
            {
                "hand_size": 1,
                "dealer": 3,
                "tricks": [1, 0, 0, 0],
                "points": [10, 0, 10, 0],
                "own_points": [10, 0, 10, 0],
            }
        ],
        "totals": [10, 0, 10, 0],
        "truncated": False,
    },
}


def bots(name, rules):
    return [registry.make(name, rules)] * rules.players


def oracle_result(record):
    """Return the result of a record, played on the oracle."""
    options, rules = PRESET_OPTIONS[record["preset"]] | record["options"], make_rules(record["preset"])
    moves, index, dealer = list(record["actions"]), record["deal_index"], record["dealer"]
    totals, bags, carried, deals = np.zeros(rules.players, int), None, None, []
    for deck, cut in zip(record["decks"], record["cuts"], strict=True):
        size = rules.hand_sizes[min(index, rules.n_deals - 1)]
        deal = OracleDeal(options, deck.split(), dealer, size, cut, bags, carried)
        while deal.turn is not None:
            assert moves[0] in deal.legal()
            deal.play(moves.pop(0))
        if deal.phase == "scored":
            points = {"points": deal.points(), "own_points": deal.own_points()}
            deals.append({"hand_size": size, "dealer": dealer, "tricks": deal.tricks_won, **points})
            totals += deal.points()
            index, bags = index + 1, deal.bags_after()
        dealer, carried = deal.next_dealer, deal.carried_after()
    assert not moves
    result = {"deals": deals, "totals": totals.tolist(), "truncated": False}
    if record["episode"] == "match":
        result["winners"] = np.flatnonzero(totals == totals.max()).tolist()
    return result


@pytest.mark.parametrize("preset", PRESETS)
def test_a_record_holds_all_that_the_oracle_needs(preset):
    rules = Rules.preset(preset)
    for record in capture(Table(rules, 1, 7), bots("random", rules), n=5):
        written = json.loads(json.dumps(record))
        assert written == record
        assert oracle_result(written) == record["result"]
        assert verify(written).result() == record["result"]


@pytest.mark.parametrize("preset", ["two_of_spades", "big_little", "bab_online", "six_3x2", "solo_18"])
def test_a_match_is_replayed_with_its_redeals(preset):
    rules = Rules.preset(preset)
    (record,) = capture(Table(rules, 1, 4, episode="match"), bots("random", rules))
    assert len(record["result"]["deals"]) == rules.n_deals
    assert oracle_result(record) == record["result"] == verify(record).result()


def test_hands_thrown_in_without_trumps_are_recorded_too():
    rules = Rules.preset("two_of_spades", void_dealer="next")
    (record,) = capture(Table(rules, 1, 4, episode="match"), bots("random", rules))
    n_passed_out = sum(deal["thrown_in"] is not None for deal in shown(rules, record)["deals"])
    assert len(record["decks"]) > rules.n_deals + n_passed_out
    assert oracle_result(record) == record["result"] == verify(record).result()


def test_the_dealer_on_record_is_the_one_who_dealt_first():
    rules = Rules.preset("two_of_spades", void_dealer="next")
    found = list(capture(Table(rules, 1, 4), bots("random", rules), n=20, start={"hand_sizes": 7}))
    assert any(len(record["decks"]) > 1 for record in found)
    for record in found:
        assert oracle_result(record) == record["result"] == verify(record).result()


def test_a_cut_that_nobody_looked_at_is_not_recorded():
    rules = Rules.preset("partnership")
    start = {"hand_sizes": 1, "dealers": 3, "decks": ONE_CARD["decks"], "cuts": ["7H"]}
    (record,) = capture(Table(rules, 1, 4), bots("random", rules), start=start)
    assert (record["decks"][0], record["cuts"][0]) == (ONE_CARD["decks"][0], None)
    verify(record)


class Reader:
    """Plays what a record says."""

    name = "reader"

    def __init__(self, record):
        self.actions = iter([records.NOTATIONS[record["game"]].parse_action(name) for name in record["actions"]])

    def act(self, views, legal, rng):
        return np.array([next(self.actions)], np.int16)


def shown(rules, record):
    """Return the record as `backalley deal --match --json` has it."""
    table = Table(rules, 1, 0, episode="match")
    fixed = {"decks": record["decks"], "cuts": record["cuts"], "dealers": record["dealer"]}
    table.reset(**fixed)
    return deal_record._play(table, [Reader(record)] * rules.players, 0)


@pytest.mark.parametrize("preset", ["partnership", "solo_26"])
def test_capture_deals_what_the_table_would_have_dealt(preset):
    rules = Rules.preset(preset)
    for seed in range(5):
        (record,) = capture(Table(rules, 1, seed), bots("simple", rules))
        deal = deal_record.play_deal(rules, bots("simple", rules), seed=seed)
        assert record["decks"] == [one["deck"] for one in deal["deals"]]
        assert record["cuts"] == [one["cut"] for one in deal["deals"]]
        (scored,) = record["result"]["deals"]
        wanted = {"hand_size": deal["hand_size"], "dealer": deal["deals"][-1]["dealer"], "tricks": deal["tricks_won"]}
        assert scored == wanted | {"points": deal["points"], "own_points": deal["own_points"]}


def test_a_deal_that_is_cut_off_is_replayed_to_the_same_end():
    class Passes:
        name = "passes"

        def act(self, views, legal, rng):
            return np.array([54], np.int16)

    rules = Rules.preset("partnership")
    (record,) = capture(Table(rules, 1, 1, max_redeals=2), [Passes()] * 4, start={"hand_sizes": 5, "dealers": 2})
    assert record["actions"] == ["pass"] * 12
    assert record["result"] == {"deals": [], "totals": [0] * 4, "truncated": True}
    assert (record["dealer"], record["deal_index"], len(record["decks"])) == (2, 8, 3)
    assert verify(record).table.truncated[0]
    with pytest.raises(RecordError, match="decks: 3 are given, but the actions need another one"):
        verify({**record, "max_redeals": 3})


@pytest.mark.parametrize("preset", StreetsRules.PRESETS)
def test_patience_is_replayed(preset):
    rules = StreetsRules.preset(preset)
    for record in capture(Table(rules, 1, 3, max_moves=60), bots("greedy", rules), n=5):
        assert record["policies"] == ["greedy"]
        assert verify(record).result() == record["result"]
        game = Patience(PRESET_AS_OPTIONS[preset], record["decks"][0].split())
        for name in record["actions"]:
            game.play(oracle_move(name))
        assert (game.score, game.won) == (record["result"]["cards_up"], record["result"]["won"])
        assert record["result"]["truncated"] == (not game.is_over)


PRESET_AS_OPTIONS = {name: StreetsRules.preset(name).differences() for name in StreetsRules.PRESETS}


def oracle_move(name):
    source, target = name.split("-")
    if target == "F":
        return ("up", int(source[1]) - 1)
    pile, _, n = target[1:].partition("x")
    return ("move", int(source[1]) - 1, int(pile) - 1, int(n or 1))


def test_rules_are_named_so_that_they_come_back():
    for rules in (
        Rules.preset("bab_online", schedule="down_up", hand_sizes=()),
        Rules.preset("solo_18", rainbow_points={4: 6, 8: 11}),
        Rules.preset("gamerules", bag_limit=None, board_multiple_cap=4),
    ):
        preset, options = recording.named(rules)
        assert make_rules(preset, **json.loads(json.dumps(options))) == rules


# Measurements.


@pytest.mark.parametrize(("preset", "b"), [("partnership", "rules"), ("individual_3", "rules"), ("solo", "rules")])
def test_pairs_on_record_are_those_of_evaluate(preset, b, tmp_path):
    rules, path = Rules.preset(preset), tmp_path / "pairs.jsonl"
    found = record_pairs(rules, "simple", b, 26, 3, path, limit=20)
    wanted = evaluate("simple", b, rules, 26, 3).differences[:20]
    assert wanted.any()
    np.testing.assert_array_equal(found, wanted)
    written = list(read_records(path))
    assert len(written) == 20 * rules.n_sides
    for i, record in enumerate(written):
        assert (record["pair"], record["seed"]) == (i // rules.n_sides, 3)
        ours = [rules.side_of(seat) for seat in range(rules.players) if record["policies"][seat] == "simple"]
        assert set(ours) == {i % rules.n_sides}
        assert record["decks"][0] == written[i - i % rules.n_sides]["decks"][0]
        verify(record)


class End:
    """Takes the first or the last of the legal moves."""

    def __init__(self, name):
        self.name = name

    def act(self, views, legal, rng):
        n = legal.shape[1]
        return (legal.argmax(axis=1) if self.name == "first" else n - 1 - legal[:, ::-1].argmax(axis=1)).astype(
            np.int16
        )


def test_games_of_patience_on_record_are_those_of_the_comparison(tmp_path):
    rules = StreetsRules.preset("beleaguered_castle", auto_play=True)
    both, path = (End("first"), End("last")), tmp_path / "games.jsonl"
    found = record_pairs(rules, *both, 4, 5, path)
    cards = alone.evaluate_alone(*both, rules, 4, 5).outcomes[:, :, 0]
    assert found.tolist() == (cards[0] - cards[1]).tolist()
    assert found.any()
    games = list(read_records(path))
    assert [game["policies"] for game in games] == [["first"], ["last"]] * 4
    assert [game["result"]["cards_up"] for game in games] == cards.T.ravel().tolist()


# Damage.


def test_a_record_written_by_hand_is_replayed():
    assert verify(ONE_CARD).table.states["deal_points"][0, :4].tolist() == [10, 0, 10, 0]


def without(key):
    return {name: value for name, value in ONE_CARD.items() if name != key}


def acted(*actions):
    return ONE_CARD | {"actions": list(actions)}


DAMAGED = {
    "format": (ONE_CARD | {"format": 2}, "format is 2, this program reads 1"),
    "no format": (without("format"), "format is None"),
    "game": (ONE_CARD | {"game": "back_aley"}, "did you mean 'back_alley'"),
    "unknown key": (ONE_CARD | {"dealers": 3}, "unknown key 'dealers': did you mean 'dealer'"),
    "missing key": (without("cuts"), "cuts missing"),
    "preset": (ONE_CARD | {"preset": "partnerships"}, "unknown preset 'partnerships'"),
    "other game": (ONE_CARD | {"preset": "beleaguered_castle", "options": {}}, "is not of the game back_alley"),
    "option": (ONE_CARD | {"options": {"hand_maxx": 2}}, "unknown rule option 'hand_maxx'"),
    "option twice": (ONE_CARD | {"options": {"preset": "solo"}}, "preset and options: "),
    "episode": (ONE_CARD | {"episode": "game"}, "unknown episode 'game'"),
    "type": (ONE_CARD | {"dealer": "W"}, 'dealer is "W", but must be a whole number'),
    "yes for a number": (ONE_CARD | {"dealer": True}, "dealer is true, but must be a whole number"),
    "actions as one text": (ONE_CARD | {"actions": "board"}, "actions is .*, but must be a list of texts"),
    "dealer": (ONE_CARD | {"dealer": 4}, "dealer is 4, but must be 0 to 3"),
    "deal": (ONE_CARD | {"deal_index": 4}, "deal_index is 4, but must be 0 to 3"),
    "limit": (ONE_CARD | {"max_redeals": 10**9}, "max_redeals is 1000000000, but must be 0 to 32767"),
    "players": (ONE_CARD | {"policies": ["ann"]}, "policies names 1 players of 4"),
    "no deck": (ONE_CARD | {"decks": []}, "decks holds 0, but must hold 1 to"),
    "deck": (ONE_CARD | {"decks": ["AS"]}, "decks and cuts: deck has 1 cards"),
    "cuts": (ONE_CARD | {"cuts": []}, "0 cut cards for 1 decks"),
    "needless cut": (ONE_CARD | {"cuts": ["7H"]}, "deck 1 is not cut .BA-22., but 7H is given"),
    "needless deck": (ONE_CARD | {"decks": ONE_CARD["decks"] * 2, "cuts": [None] * 2}, "the actions use 1 of them"),
    "too few decks": (acted("pass", "pass", "pass", "pass", "pass"), "1 are given, but the actions need another one"),
    "no action": (acted("board", "pas"), "action 2 'pas': 'pas' is no action"),
    "illegal": (acted("board", "pass", "pass", "pass", "KH"), "action 5 'KH': player_0 played KH but does not hold it"),
    "too short": (acted(*ONE_CARD["actions"][:-1]), "the actions end after 7, .* player_3 is to act"),
    "too long": (acted(*ONE_CARD["actions"], "AS"), "action 9 'AS': the episode is over after 8 actions"),
    "totals": (
        ONE_CARD | {"result": ONE_CARD["result"] | {"totals": [10, 0, 10, 1]}},
        r"result: totals is written as \[10, 0, 10, 1\], but the actions give \[10, 0, 10, 0\]",
    ),
    "winners": (ONE_CARD | {"result": ONE_CARD["result"] | {"winners": [0]}}, "winners is written as .0., .*nothing"),
    "no result": (ONE_CARD | {"result": {}}, 'deals is written as "nothing", but the actions give'),
}


@pytest.mark.parametrize(("record", "reason"), DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_record_is_refused_with_the_reason(record, reason):
    with pytest.raises(RecordError, match=reason):
        verify(record)


LINE = json.dumps(ONE_CARD).encode() + b"\n"


@pytest.mark.parametrize(
    ("content", "line", "reason"),
    [
        (LINE + LINE[:-1], None, None),  # an editor left the last line without an end
        (LINE + b"\n" + LINE, None, None),
        (b"", None, None),
        (LINE + LINE[:-30], 2, f"line 2: the line is cut off after {len(LINE) - 30} bytes, the end of the file"),
        (LINE + LINE[:-30] + b"\n" + LINE, 2, "line 2: no JSON"),
        (LINE + LINE[:-30] + LINE + LINE, 2, "line 2: no JSON"),
        (LINE + LINE[:-1].replace(b'"format": 1', b'"format": 2'), 2, "line 2: format is 2"),
        (b"[1]\n", 1, "line 1: no record"),
        (b"\xff\xfe\n" + LINE, 1, "line 1: no JSON"),
        (b"[" * 100_000 + b"\n", 1, "line 1: no JSON"),
        (LINE.replace(b"{", b'{"seed": 1, "seed": 2, ', 1), 1, "line 1: key 'seed' twice"),
        (LINE.replace(b"{", b'{"seed": NaN, ', 1), 1, "line 1: no JSON: NaN is no number"),
        (LINE + b"\n" + LINE.replace(b'"AS", "TS"', b'"AS", "KS"'), 3, "line 3: action 6 'KS': player_1 played KS"),
    ],
)
def test_what_is_wrong_in_a_file_is_named_with_its_line(content, line, reason, tmp_path):
    path = tmp_path / "records.jsonl"
    path.write_bytes(content)
    checked = list(check_file(path))
    problems = {one.line: one.problem for one in checked if one.record is None}
    assert list(problems) == ([] if line is None else [line])
    assert len(checked) == len([one for one in content.split(b"\n") if one])
    assert line is None or problems[line].startswith(reason)
    if line is not None and "action" not in reason:
        with pytest.raises(RecordError, match=f"{path}: line {line}: "):
            list(read_records(path))


def test_illegal_moves_are_refused_at_once_and_nothing_is_entered():
    table = Table(Rules.preset("partnership"), 1, 1)
    playing = records.Playing(table)
    with pytest.raises(IllegalAction):
        playing.step(0)
    assert playing.actions == []


# Writing.


def test_records_are_appended_whole_one_line_each(tmp_path, monkeypatch):
    path, chunks = tmp_path / "records.jsonl", []
    write = os.write
    monkeypatch.setattr(os, "write", lambda file, data: chunks.append(bytes(data)) or write(file, data))
    for _ in range(2):
        with RecordWriter(path) as writer:
            writer.write(ONE_CARD)
            writer.write(ONE_CARD | {"pair": 7})
    assert [chunk.count(b"\n") for chunk in chunks] == [1] * 4
    assert path.read_bytes() == b"".join(chunks)
    assert list(read_records(path)) == [ONE_CARD, ONE_CARD | {"pair": 7}] * 2


def test_a_write_that_fails_leaves_no_half_of_a_line(tmp_path, monkeypatch):
    path, write = tmp_path / "records.jsonl", os.write
    with RecordWriter(path) as writer:
        writer.write(ONE_CARD)
        before = path.read_bytes()
        monkeypatch.setattr(os, "write", lambda file, data: write(file, data[:50]))  # the disk is full
        with pytest.raises(OSError, match="only 50 of"):
            writer.write(ONE_CARD)
        monkeypatch.undo()
        assert path.read_bytes() == before
        writer.write(ONE_CARD)
    assert path.read_bytes() == 2 * before


def test_nothing_is_appended_to_half_a_line_and_nothing_malformed_is_written(tmp_path):
    path = tmp_path / "records.jsonl"
    path.write_bytes(LINE + LINE[:20])
    with pytest.raises(RecordError, match="ends in half a line: delete that line"):
        RecordWriter(path)
    path.write_bytes(LINE)
    with RecordWriter(path) as writer, pytest.raises(RecordError, match="cuts missing"):
        writer.write(without("cuts"))
    assert path.read_bytes() == LINE


def test_what_is_written_is_on_the_disk_at_the_end(tmp_path, monkeypatch):
    synced = []
    monkeypatch.setattr(os, "fsync", synced.append)
    with RecordWriter(tmp_path / "records.jsonl") as writer:
        writer.write(ONE_CARD)
        assert not synced
    assert synced
