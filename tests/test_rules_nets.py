"""The nets of the rule bot: they say what numpy says, see what they should see, and make the bot stronger."""

import numpy as np
import pytest

from backalley.envs import Rules, Table
from backalley.envs.back_alley.actions import ALL_TRICKS, N_PLAIN_BIDS, PASS
from backalley.envs.back_alley.state import BID, PLAY
from backalley.envs.cards import bits_of, parse_cards
from backalley.policies import registry
from backalley.policies.back_alley import rules_net as net
from backalley.policies.back_alley.bots import NAMES
from backalley.policies.back_alley.duel import play_pairs
from backalley.policies.back_alley.rules_bid_inputs import BID_INPUTS, N_BID_INPUTS, write_bid_inputs
from backalley.policies.back_alley.rules_inputs import INPUTS, N_INPUTS, SCENE_START, write_scene_inputs
from backalley.policies.back_alley.rules_play import judge_cards, write_card
from backalley.policies.back_alley.rules_scene import read_scene
from backalley.train.evaluate import evaluate
from tests.test_rules_bot import view_of

RULES = Rules.preset("partnership")
RECORD = RULES.record()[0]


def layers(x, *weights):
    """Return the output of a net of rectified units, in double precision."""
    for i, (w, b) in enumerate(weights):
        x = x.astype(float) @ w.astype(float) + b
        x = np.maximum(x, 0) if i < len(weights) - 1 else x
    return x


def positions(phase, n=40):
    """Return Views of that phase from games of the bot, and their legal sets."""
    table = Table(RULES, 64, 3, autoreset=True)
    bot = registry.make("rules", RULES)
    views, legal = [], []
    while len(views) < n:
        seen, masks = table.view(), table.legal()
        for i in np.flatnonzero(seen["phase"] == phase):
            views.append(seen[i : i + 1].copy())
            legal.append(masks[i].copy())
        table.step(bot.act(seen, masks, np.random.default_rng(0)))
    return views[:n], legal[:n]


def scene_of(view):
    """Return the scene of a View, its sets as the kernels take them."""
    scene = read_scene(RECORD, view)
    sets = ("hand", "trumps", "unseen", "elsewhere", "masters")
    return scene._replace(**{name: np.uint64(getattr(scene, name)) for name in sets})


def bits(mask):
    return np.uint64(sum(1 << int(k) for k in np.flatnonzero(mask)))


def test_a_card_is_corrected_as_the_layers_say():
    views, masks = positions(PLAY)
    scratch = np.zeros(N_INPUTS, np.int64), np.zeros(net.N_CARD_1 + net.N_CARD_2, np.float32)
    seen = []
    for view, mask in zip(views, masks, strict=True):
        scene = scene_of(view[0])
        x = np.zeros(N_INPUTS, np.float32)
        write_scene_inputs(RECORD, view[0], scene, bits(mask[:54]), x)
        sums = net.scene_sums(x, scratch[0])
        for card in np.flatnonzero(mask[:54]):
            x[:SCENE_START] = 0
            write_card(RECORD, view[0], scene, int(card), x)
            found = net.card_correction(x, sums, *scratch)
            expected = layers(
                x, (net.CARD_1, net.CARD_BIAS_1), (net.CARD_2, net.CARD_BIAS_2), (net.CARD_3, net.CARD_BIAS_3)
            )
            assert found == pytest.approx(expected[0], abs=1e-3)
            seen.append(found)
    assert np.std(seen) > 0.1


def test_a_bid_is_valued_as_the_layers_say():
    views, masks = positions(BID)
    tables = registry.make("tables", RULES)
    differs = 0
    for view, mask in zip(views, masks, strict=True):
        table_bid = int(tables.act(view, mask[None], np.random.default_rng(0))[0])
        x = np.zeros(N_BID_INPUTS, np.float32)
        write_bid_inputs(RECORD, view[0], table_bid, x)
        values = layers(x, (net.BID_1, net.BID_BIAS_1), (net.BID_2, net.BID_BIAS_2), (net.BID_3, net.BID_BIAS_3))
        values = values + x @ net.BID_DIRECT
        bids = mask[PASS : PASS + N_PLAIN_BIDS]
        expected = PASS + int(np.where(bids, values, -np.inf).argmax())
        assert net.choose_by_net(RECORD, view[0], bits(bids), table_bid) == expected
        differs += expected != table_bid
    assert differs > 0


def test_the_inputs_of_a_bid_name_what_they_are():
    view = view_of("AS KS 9H 8H 7H LB", "S", ["2", "pass"])
    x = np.zeros(N_BID_INPUTS, np.float32)
    write_bid_inputs(RECORD, view[0], ALL_TRICKS, x)
    ones = {name for name, value in zip(BID_INPUTS, x, strict=True) if value == 1}
    assert ones >= {
        "trump_A", "trump_K", "first_9", "first_8", "first_7", "little_joker", "trump_2_out", "trump_length_3",
        "first_length_3", "second_length_0", "third_length_0", "cards_6", "seat_3_pass", "seat_2_bid_2", "seat_1_none",
        "table_all_tricks",
    }  # fmt: skip
    assert "big_joker" not in ones
    assert x[BID_INPUTS.index("partner_bid")] == 0.5


def test_the_inputs_of_a_card_name_what_they_are():
    views, _ = positions(PLAY, 1)
    view = views[0]
    view["hands"][0] = 0
    me = int(view["observer"][0])
    view["hands"][0, me] = bits_of(parse_cards("AS 3S"))
    scene = scene_of(view[0])
    x = np.zeros(N_INPUTS, np.float32)
    write_card(RECORD, view[0], scene, parse_cards("3S")[0], x)
    at = dict(zip(INPUTS, x, strict=True))
    assert at["rank"] == pytest.approx(1 / 12)
    assert (at["higher_mine"], at["lower_mine"], at["alone"], at["joker"]) == (0.25, 0, 0, 0)


def test_without_the_net_the_table_judges():
    views, masks = positions(PLAY, 20)
    differs = 0
    for view, mask in zip(views, masks, strict=True):
        scene = scene_of(view[0])
        both = np.zeros((2, 54))
        for nets in (0, 1):
            judge_cards(RECORD, view[0], scene, bits(mask[:54]), bool(nets), both[nets])
        differs += (both[0] != both[1]).any()
    assert differs > 10


def test_nets_are_for_two_pairs_only():
    solo = Rules.preset("solo")
    a, b = (play_pairs(solo, NAMES.index(name), NAMES.index("simple"), 200, 1)[0] for name in ("rules", "tables"))
    np.testing.assert_array_equal(a, b)


def test_the_nets_make_the_bot_stronger():
    result = evaluate("rules", "tables", RULES, pairs=5_200, seed=3)
    assert result.ci95[0] > 0.5
