"""The kernel decorator: current code after any edit, one set of options, no trace left in other caches."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from backalley.envs import cards
from backalley.envs import kernel as kernel_module
from backalley.envs.kernel import JIT_ENABLED, cache_folder, kernel, source_hash, user_cache_dir

TEMPLATES = """
from backalley.envs.kernel import specialise, template

STEP = 0

def change(x: int) -> int:
    raise NotImplementedError

@template
def once(x: int) -> int:
    return change(x) + STEP

@template
def twice(x: int) -> int:
    return once(once(x))
"""
GAMES = """
import numpy as np
from backalley.envs.kernel import kernel, specialise
import templates

@kernel
def double(x: int) -> int:
    return 2 * x

@kernel
def square(x: int) -> int:
    return x * x

doubling = specialise(vars(templates), __name__, "doubling", change=double, STEP=1)
squaring = specialise(vars(templates), __name__, "squaring", change=square, STEP=-1)
print(doubling.twice(5), squaring.twice(5))
print(*(sum(game.twice.stats.cache_hits.values()) for game in (doubling, squaring)))
"""

pytestmark = pytest.mark.skipif(not JIT_ENABLED, reason="nothing is compiled")

CALLEE = """
from backalley.envs.kernel import kernel

FACTOR = {factor}
SHIFT = {shift}

@kernel
def scaled(x: int) -> int:
    return FACTOR * x + SHIFT
"""
CALLER = """
import numpy as np
from backalley.envs.kernel import cache_folder, kernel
from {prefix}callee import scaled

@kernel
def total(x: int) -> int:
    return scaled(x)

@kernel
def item(numbers, i):
    return numbers[i]

def read_out_of_range() -> str:
    try:
        item(np.zeros(3), 3)
    except IndexError as error:
        return type(error).__name__
    return "no error"
"""
REPORT = """
import json
import logging

import numba

logged = []
logging.getLogger("backalley").addHandler(logging.Handler())
logging.getLogger("backalley").handlers[0].emit = lambda record: logged.append(record.getMessage())
before = numba.config.CACHE_DIR
import {prefix}caller as caller

@numba.njit(cache=True)
def foreign(x):
    return x + 1

folder = caller.cache_folder(caller.total.py_func)
print(json.dumps({{
    "total": caller.total(10),
    "loaded": sum(caller.total.stats.cache_hits.values()),
    "range": caller.read_out_of_range(),
    "folder": None if folder is None else str(folder),
    "numba_dir_kept": numba.config.CACHE_DIR == before,
    "foreign": foreign.stats.cache_path,
    "logged": logged,
}}))
"""


class Scratch:
    """Two files with kernels, one calling the other's, run in processes of their own."""

    def __init__(self, root: Path, layout: str) -> None:
        self.root = root
        self.cache = root / "cache"
        self.prefix = "scratch.parts." if layout == "package" else ""
        self.folder = root / "scratch" / "parts" if layout == "package" else root
        self.folder.mkdir(parents=True, exist_ok=True)
        if layout == "package":
            for folder in (self.folder, self.folder.parent):
                (folder / "__init__.py").touch()
        (self.folder / "caller.py").write_text(CALLER.format(prefix=self.prefix))
        (root / "report.py").write_text(REPORT.format(prefix=self.prefix))
        self.write_callee(factor=2, shift=6)

    def write_callee(self, factor: int, shift: int) -> None:
        (self.folder / "callee.py").write_text(CALLEE.format(factor=factor, shift=shift))

    def run(self, **variables: str) -> dict:
        """Import the files in a new process and return what it reports."""
        env = {**os.environ, "BACKALLEY_CACHE_DIR": str(self.cache), **variables}
        env.pop("NUMBA_CACHE_DIR", None)
        command = [sys.executable, str(self.root / "report.py")]
        done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)


@pytest.fixture
def scratch(tmp_path: Path) -> Scratch:
    return Scratch(tmp_path, "package")


@pytest.mark.parametrize("layout", ["package", "script"])
def test_an_edit_of_a_callee_in_another_file_is_noticed(tmp_path, layout):
    scratch = Scratch(tmp_path, layout)
    assert scratch.run()["total"] == 2 * 10 + 6
    scratch.write_callee(factor=9, shift=1)  # the file keeps its length
    assert scratch.run()["total"] == 9 * 10 + 1


def test_unchanged_sources_are_loaded_and_not_compiled_again(scratch):
    first, second = scratch.run(), scratch.run()
    assert (first["loaded"], second["loaded"]) == (0, 1)
    assert first["folder"] == second["folder"]


def test_bounds_checks_hold_although_an_unchecked_build_is_kept(scratch):
    unchecked = scratch.run(NUMBA_BOUNDSCHECK="0")
    checked = scratch.run(NUMBA_BOUNDSCHECK="1")
    assert (unchecked["range"], checked["range"]) == ("no error", "IndexError")
    assert unchecked["folder"] != checked["folder"]


def test_caches_of_other_libraries_stay_where_they_are(scratch):
    report = scratch.run()
    assert report["numba_dir_kept"]
    assert Path(report["folder"]).is_relative_to(scratch.cache)
    assert not Path(report["foreign"]).is_relative_to(scratch.cache)


def test_a_cache_that_cannot_be_written_is_said_once_and_done_without(scratch):
    (scratch.root / "file").touch()
    report = scratch.run(BACKALLEY_CACHE_DIR=str(scratch.root / "file"))
    assert report["total"] == 26
    assert report["folder"] is None
    assert len([line for line in report["logged"] if "BACKALLEY_CACHE_DIR" in line]) == len(report["logged"]) > 0


def test_folders_unused_for_a_month_are_deleted_and_nothing_else(scratch):
    kernels = scratch.cache / "kernels"
    month_ago = time.time() - 31 * 24 * 3600
    for name, when in (("0" * 20, month_ago), ("1" * 20, time.time()), ("somebody's", month_ago)):
        (kernels / name).mkdir(parents=True)
        os.utime(kernels / name, (when, when))
    used = Path(scratch.run()["folder"])
    assert {"1" * 20, "somebody's", used.name} <= {folder.name for folder in kernels.iterdir()}
    assert not (kernels / ("0" * 20)).exists()


def test_kernels_of_the_package_depend_on_their_own_layer_and_those_before_it():
    envs = Path(kernel_module.__file__).parent
    folder = cache_folder(cards.has.py_func)
    assert folder is None or folder.name == source_hash((envs,))


def test_without_the_compiler_a_kernel_is_the_function_itself(monkeypatch):
    monkeypatch.setattr(kernel_module, "JIT_ENABLED", False)

    def double(x: int) -> int:
        return 2 * x

    assert kernel(double) is double
    assert kernel(parallel=True)(double) is double
    assert kernel(inline=True)(double) is double


def test_a_function_without_a_file_is_compiled_and_not_kept():
    space = {"kernel": kernel, "__name__": "prompt"}
    exec("def double(x):\n    return 2 * x\ncompiled = kernel(double)", space)
    assert cache_folder(space["double"]) is None
    assert space["compiled"](21) == 42


def test_the_options_are_those_of_the_house():
    @kernel(parallel=True, inline=True)
    def ratio(x: float, y: float) -> float:
        return x / y

    options = ratio.targetoptions
    assert options["nopython"]
    assert options["nogil"]
    assert options["parallel"]
    assert options["forceinline"]
    assert not options["fastmath"]
    assert np.isinf(kernel(ratio.py_func)(1.0, 0.0))  # as numpy does, where Python raises


@pytest.mark.parametrize(
    ("platform", "variables", "expected"),
    [
        ("linux", {"XDG_CACHE_HOME": "/x"}, "/x/backalley"),
        ("linux", {}, "/home/me/.cache/backalley"),
        ("darwin", {"XDG_CACHE_HOME": "/x"}, "/home/me/Library/Caches/backalley"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/backalley"),
        ("win32", {}, "/home/me/AppData/Local/backalley"),
        ("linux", {"BACKALLEY_CACHE_DIR": "~/mine", "XDG_CACHE_HOME": "/x"}, "/home/me/mine"),
    ],
)
def test_the_cache_lies_in_the_place_of_the_platform(monkeypatch, platform, variables, expected):
    for name in ("BACKALLEY_CACHE_DIR", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {"HOME": "/home/me", **variables}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "platform", platform)
    assert user_cache_dir() == Path(expected)


def test_templates_are_compiled_for_each_game_and_kept_apart(tmp_path):
    """2(2·5+1)+1 = 23 and (5²-1)²-1 = 575; the second run takes both from the cache."""
    (tmp_path / "templates.py").write_text(TEMPLATES)
    (tmp_path / "games.py").write_text(GAMES)
    env = {**os.environ, "BACKALLEY_CACHE_DIR": str(tmp_path / "cache")}
    printed = [
        subprocess.run(
            [sys.executable, "games.py"], env=env, cwd=tmp_path, capture_output=True, text=True, check=True
        ).stdout.split()
        for _ in range(2)
    ]
    assert printed == [["23", "575", "0", "0"], ["23", "575", "1", "1"]]


def test_a_hook_that_no_template_calls_is_refused():
    from backalley.envs import loops
    from backalley.envs.kernel import specialise

    with pytest.raises(TypeError, match="step_deal"):
        specialise(vars(loops), __name__, "wrong", step_deal=None)
