"""One readable playthrough of each preset, byte for byte; `python tests/playthroughs.py` writes them again."""

import pytest
from playthroughs import CASES, FOLDER, playthrough

from backalley.envs.back_alley.options import PRESETS


def test_every_preset_has_one():
    assert list(CASES) == list(PRESETS)
    assert sorted(path.stem for path in FOLDER.iterdir()) == sorted(PRESETS)


@pytest.mark.parametrize("name", CASES)
def test_a_deal_goes_as_it_went(name):
    expected = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    assert CASES[name].shows in expected, "the deal no longer shows what it is there for: choose another one"
    assert playthrough(name, CASES[name]) == expected
