"""Wrong settings: each is answered by one clear line that says what, why (with the clause) and what instead.

The same settings go through `Rules`, the environments and the command line.
"""

import re

import gymnasium
import pytest

from backalley.envs import Rules, back_alley_v0
from backalley.envs.cards import CARD_NAMES
from backalley.envs.errors import BackAlleyError
from backalley.train.cli import main

STD54 = " ".join(CARD_NAMES)
STD52 = " ".join(CARD_NAMES[:52])
TWO = "two_of_spades"

RULES = {
    "unknown preset": ("solo18", {}, "unknown preset 'solo18': did you mean 'solo_18' or 'solo'?"),
    "unknown option": ("partnership", {"handmax": 5}, "unknown rule option 'handmax': did you mean 'hand_max'"),
    "unknown value": ("partnership", {"score": "ten"}, "(BA-95 to BA-99, BAW-14): 'ten': did you mean 'ten_one'?"),
    "a list for a word": ("partnership", {"sides": ["pairs"]}, "option sides=['pairs'] (BA-9) must be one of 'pairs'"),
    "a word for a number": (
        "partnership",
        {"hand_max": "many"},
        "option hand_max='many' (BA-12) must be a whole number",
    ),
    "half a card": (
        "partnership",
        {"hand_max": 6.5},
        "option hand_max=6.5 (BA-12) must be a whole number from 1 to 13",
    ),
    "a number for a yes": ("boston", {"boston": 1}, "option boston=1 (BA-68) must be one of off, on"),
    "a number for a list": ("blind7", {"blind_sizes": 7}, "option blind_sizes=7 (BA-69) must be a list"),
    "a list for points": ("rainbow", {"rainbow_points": [40]}, "(BA-64, BA-65) must give points by hand size"),
    "too many seats": ("individual_5", {"players": 7}, "option players=7 (BA-9) must be a whole number from 2 to 6"),
    "too many cards": ("solo", {"players": 5}, "needs 65 cards, but deck 'std52' has 52 (BA-18): at most hand_max=10"),
    "too many cards in a list": (
        "bab_online",
        {"players": 6, "sides": "two_teams_of_3"},
        "hand_sizes=13 with players=6 needs 78 cards, but deck 'std54' has 54 (BA-18): at most hand_sizes=9",
    ),
    "a small pack": ("partnership", {"deck": "short42"}, "needs 52 cards, but deck 'short42' has 42 (BA-18)"),
    "pairs for three": ("partnership", {"players": 3}, "sides='pairs' needs players=4, not 3 (BA-9)"),
    "teams for four": ("six_2x3", {"players": 4}, "sides='two_teams_of_3' needs players=6, not 4 (BA-9)"),
    "no such dealer": ("individual_3", {"first_dealer": 3}, "first_dealer=3 is no seat: seats are 0 to 2 (BA-10)"),
    "a named dealer": ("partnership", {"first_dealer": "east"}, "option first_dealer='east' (BA-10) must be"),
    "the wrong way round": ("partnership", {"hand_min": 9, "hand_max": 5}, "hand_min=9"),
    "a list without sizes": ("partnership", {"schedule": "list"}, "schedule='list' needs hand_sizes"),
    "sizes without a list": ("partnership", {"hand_sizes": [3, 1]}, "hand_sizes is read with schedule='list' only"),
    "partners of no jokers": (TWO, {"bb_partner": "lowest"}, "bb_partner='lowest' needs a pack with jokers"),
    "burning no jokers": ("solo", {"joker_turned": "burn"}, "joker_turned='burn' needs a pack with jokers"),
    "worthless no jokers": ("all_bid", {"no_trump_joker": "worthless"}, "no_trump_joker='worthless' needs a pack"),
    "high two and jokers": ("partnership", {"high_two": "spade2"}, "need deck='std52', not 'std54' (section 20)"),
    "ladder and jokers": ("partnership", {"all_tricks_bid": "ladder"}, "need deck='std52', not 'std54' (section 20)"),
    "a run without 2S": ("solo", {"lead_rule": "high_two_run"}, "lead_rule='high_two_run' needs high_two='spade2'"),
    "raising alone": ("double_board", {"sides": "individual"}, "needs sides of two, not sides='individual'"),
    "only passes": ("blind7", {"number_max": "cards_minus_1"}, "leaves only pass in a deal of 1 card (BA-43)"),
    "broken jokers": ("partnership", {"no_trump_joker_lead": "broken"}, "needs joker_turned='keep' and"),
    "cutting for spades": ("spades_trumps", {"cut_min_cards": 5}, "cut_min_cards needs trump_source='turn_up'"),
    "levels of no board": ("keeper_ten", {"board_multiples": [2]}, "board_multiples needs an all-tricks bid"),
    "leaders of no board": ("blind7", {"board_leader": "earliest"}, "board_leader needs an all-tricks bid"),
    "rainbows of five": ("rainbow", {"rainbow_sizes": [5]}, "must be hand sizes that four suits divide: 4, 8, 12"),
    "rainbows of no worth": ("solo_18", {"rainbow_sizes": [12]}, "rainbow_points says nothing on hands of [12] cards"),
    "an early boston": ("boston", {"boston_min_cards": 5}, "option boston_min_cards=5 (BA-68) must be a whole number"),
}
"""Setting → preset, options, and what the line says."""

RESET = {
    "two cards": ("partnership", {"deck": "AS KS"}, "deck has 2 cards and is no permutation of the pack of 54"),
    "jokers where none are": (TWO, {"deck": STD54}, "is no permutation of the pack of 52"),
    "a card twice": ("partnership", {"deck": [*range(53), 0]}, "twice 2S"),
    "no card": ("partnership", {"deck": "AS 1S"}, "'1S' is not a card"),
    "no deck": ("partnership", {"deck": 5}, "reset option deck=5 is no deck"),
    "a cut without a deck": (TWO, {"cut": "7H"}, "reset option cut='7H' without deck"),
    "a cut where none is": ("partnership", {"deck": STD54, "cut": "7H"}, "no deal of these rules is cut"),
    "a cut for spades": ("spades_trumps", {"deck": STD54, "cut": "7H"}, "trumps are always spades (BA-22)"),
    "a cut joker": (
        "constant_13",
        {"deck": STD54, "cut": "LB"},
        "cut LB is no suit card of the pack: give the card that fixes trumps",
    ),
    "a card that does not exist": (TWO, {"deck": STD52, "cut": "1H"}, "'1H' is not a card"),
    "a cut that is no card": (TWO, {"deck": STD52, "cut": 3.5}, "reset option cut=3.5 is no card"),
    "a cut too few": (TWO, {"deck": [STD52, STD52], "cut": "7H"}, "1 cut cards for 2 decks, give one for each deck"),
    "a cut of a turned deal": (TWO, {"deck": STD52, "cut": "7H", "hand_size": 5}, "a deal of 5 cards is not cut"),
    "no such size": (
        "hfi_7",
        {"hand_size": 8},
        "hand size [8] is not in the schedule: choose from [1, 2, 3, 4, 5, 6, 7]",
    ),
    "half a size": ("hfi_7", {"hand_size": 2.5}, "reset option hand_size=2.5 must be a whole number"),
    "no such dealer": ("individual_3", {"dealer": 3}, "dealer [3] does not exist: choose 0 to 2"),
    "a named dealer": ("six_2x3", {"dealer": "N"}, "reset option dealer='N' must be a whole number"),
}
"""Setting → preset, reset options, and what the line says."""

PATIENCE = {
    "unknown preset": ({"preset": "streets"}, "unknown preset 'streets'"),
    "another game": (
        {"preset": "partnership"},
        "preset 'partnership' is of back_alley, not of streets_and_alleys (known: beleaguered_castle,",
    ),
    "unknown option": ({"auto_aces": True}, "unknown rule option 'auto_aces': did you mean 'auto_ace' or"),
    "unknown value": ({"layout": "row"}, "value of option layout (SA-6): 'row': did you mean 'rows'?"),
    "up and back again": ({"auto_play": True, "worry_back": True}, "auto_play=True excludes worry_back=True"),
    "unknown reward": ({"reward": "points"}, "unknown reward kind 'points' (known: progress, win)"),
    "less than no moves": ({"max_moves": -1}, "max_moves=-1 must be 0 or more"),
    "unknown way": ({"illegal": "ignore"}, "unknown way to treat illegal actions 'ignore'"),
}
"""Setting → keywords of Streets and Alleys, and what the line says."""

PATIENCE_RESET = {
    "too few": ({}, "AS KS", "deck has 2 cards and is no permutation of the pack of 52"),
    "jokers": ({}, STD54, "not in the pack [52, 53]"),
    "aces that are up": (
        {"preset": "beleaguered_castle"},
        STD52,
        "deck has 52 cards and is no permutation of the pack",
    ),
    "no card": ({}, "AS 1S", "'1S' is not a card"),
    "no deck": ({}, 5, "reset option deck=5 is no deck"),
}
"""Setting → keywords of Streets and Alleys, deck, and what the line says."""

OPTIONS_OF = {"constant_13": {"cut_min_cards": 13}}

COMMANDS = {
    "unknown preset": ("rules two_of_spade", "unknown preset 'two_of_spade': did you mean 'two_of_spades' or"),
    "forbidden rule": (
        "rules solo --rule high_two=spade --rule players=2",
        "(BA-5, BA-24): 'spade': did you mean 'spade2'",
    ),
    "a rule without a value": ("rules solo --rule players", "--rule 'players' must read key=value"),
    "too many seats": ("deal --preset solo --rule players=6", "needs 78 cards, but deck 'std52' has 52 (BA-18)"),
    "policies for seats": (
        "deal --preset six_3x2 --policies simple,simple",
        "give one, one for each side, or each seat (1, 3, 6)",
    ),
    "a size of no deal": (
        "deal --preset hfi_7 --policies random --hand-size 9",
        "hand size [9] is not in the schedule",
    ),
    "a dealer too far": (
        "deal --preset individual_3 --policies random --dealer 3",
        "dealer [3] does not exist: choose 0 to 2",
    ),
    "a cut without a deck": ("deal --preset two_of_spades --policies random --cut 7H", "without deck"),
    "a cut of nothing": ("deal --policies random --cut 7H", "no deal of these rules is cut"),
    "a deck in a match": ("deal --match --policies random --deck AS", "--deck fixes a single deal"),
    "full without a match": ("deal --full --policies random", "--full shows the deals of a match: add --match"),
    "evaluating alone": ("eval simple random --preset solo --rule players=7", "option players=7 (BA-9)"),
}
"""Setting → arguments, and what the line says."""


def test_there_are_enough_of_them():
    assert len(RULES) + len(RESET) + len(COMMANDS) >= 60


@pytest.mark.parametrize(("preset", "options", "message"), RULES.values(), ids=RULES)
@pytest.mark.parametrize("face", [Rules.preset, lambda preset, **options: back_alley_v0.env(preset=preset, **options)])
def test_wrong_rules(face, preset, options, message):
    with pytest.raises(BackAlleyError) as error:
        face(preset, **options)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(("preset", "options", "message"), RESET.values(), ids=RESET)
@pytest.mark.parametrize("name", ["aec", "seat", "vector"])
def test_wrong_reset_options(name, preset, options, message):
    given = {"preset": preset, **OPTIONS_OF.get(preset, {})}
    if name == "aec":
        env = back_alley_v0.env(**given)
    elif name == "seat":
        env = gymnasium.make("backalley/BackAlley-v0", opponents="random", **given)
    else:
        env = gymnasium.make_vec(
            "backalley/BackAlley-v0", 2, vectorization_mode="vector_entry_point", opponents="random", **given
        )
    with pytest.raises(ValueError, match=re.escape(message)) as error:
        env.reset(seed=0, options=options)
    assert "\n" not in str(error.value)


def patience(face, **keywords):
    """Return a single or a vector environment of Streets and Alleys."""
    if face == "single":
        return gymnasium.make("backalley/StreetsAndAlleys-v0", **keywords)
    how = {"num_envs": 2, "vectorization_mode": "vector_entry_point"}
    return gymnasium.make_vec("backalley/StreetsAndAlleys-v0", **how, **keywords)


@pytest.mark.parametrize(("keywords", "message"), PATIENCE.values(), ids=PATIENCE)
@pytest.mark.parametrize("face", ["single", "vector"])
def test_wrong_keywords_of_patience(face, keywords, message):
    with pytest.raises(ValueError, match=re.escape(message)) as error:
        patience(face, **keywords)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(("keywords", "deck", "message"), PATIENCE_RESET.values(), ids=PATIENCE_RESET)
@pytest.mark.parametrize("face", ["single", "vector"])
def test_wrong_decks_of_patience(face, keywords, deck, message):
    env = patience(face, **keywords)
    with pytest.raises(BackAlleyError, match=re.escape(message)) as error:
        env.reset(seed=0, options={"deck": deck})
    assert "\n" not in str(error.value)


def test_back_alley_names_the_game_of_a_foreign_preset():
    with pytest.raises(BackAlleyError, match="'beleaguered_castle' is of streets_and_alleys, not of back_alley"):
        back_alley_v0.env(preset="beleaguered_castle")


@pytest.mark.parametrize(("arguments", "message"), COMMANDS.values(), ids=COMMANDS)
def test_wrong_commands(capsys, arguments, message):
    assert main(arguments.split()) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("error: ")
    assert message in err
    assert err.count("\n") == 1
