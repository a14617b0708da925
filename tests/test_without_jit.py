"""The kernels as plain Python functions, for debuggers and coverage."""

import os
import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).parent
QUICK = [
    "test_cards.py",
    "test_examples.py",
    "test_streams.py::test_the_words_are_the_published_ones",
    "test_table.py::test_a_refusal_says_who_what_why_and_what_instead",
    "test_table.py::test_an_illegal_action_is_refused_and_nothing_is_stepped",
    "test_table.py::test_finished_episodes_stay_as_they_are_and_take_any_action",
    "test_table.py::test_a_copy_in_mid_game_goes_on_alike_and_apart",
    "test_table_episodes.py::test_a_deal_pays_in_the_last_step",
    "test_table_episodes.py::test_decks_are_used_in_turn_when_hands_are_thrown_in_and_then_the_stream_goes_on",
    "test_observation.py::test_the_exchange_of_a_joker_shows_the_joker_and_hides_the_card_drawn",
    "test_observation.py::test_a_led_big_joker_asks_each_follower_on_his_turn",
]
COMPARED = """
import hashlib
import warnings

from backalley.envs import Rules, Table, make_rules

warnings.filterwarnings("ignore", "overflow encountered", RuntimeWarning)  # words of 64 bits wrap on purpose
SHORT = Rules.preset("gamerules", hand_max=3)
digest = hashlib.sha256()
for table, field, n_steps in (
    (Table(SHORT, n=2, seed=11, episode="match", autoreset=True, buffers=True), "hands", 60),
    (Table(make_rules("beleaguered_castle"), n=2, seed=11, max_moves=9, autoreset=True, buffers=True), "piles", 25),
):
    for _ in range(n_steps):
        rewards, done = table.step(None)
        for array in (table.observations, table.masks, rewards, done, table.legal_bits, table.states[field]):
            digest.update(array.tobytes())
print(digest.hexdigest())
"""


def run_without_compiler(*command: str, disabled: bool = True) -> subprocess.CompletedProcess:
    env = {**os.environ, "NUMBA_DISABLE_JIT": "1" if disabled else "0"}
    return subprocess.run(
        [sys.executable, *command], env=env, cwd=TESTS.parent, capture_output=True, text=True, check=False
    )


def test_quick_tests_pass_on_plain_python():
    command = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "ignore:overflow encountered:RuntimeWarning"]
    done = run_without_compiler(*command, *(str(TESTS / test) for test in QUICK))
    assert done.returncode == 0, done.stdout[-4000:]
    assert " passed" in done.stdout


def test_plain_python_plays_the_same_episodes_as_compiled_code():
    plain, compiled = (run_without_compiler("-c", COMPARED, disabled=disabled) for disabled in (True, False))
    assert plain.returncode == 0, plain.stderr
    assert plain.stdout == compiled.stdout != ""
