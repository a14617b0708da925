"""House rules that no linter knows."""

import ast
import doctest
import importlib
import pkgutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import backalley.envs
import backalley.policies
import backalley.train

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("envs", "policies", "train", "configs")
PACKAGE_FILES = sorted(path for folder in PACKAGES for path in (ROOT / folder).rglob("*.py"))
ALL_FILES = [*PACKAGE_FILES, *sorted((ROOT / "tests").rglob("*.py"))]

MAX_LINES = 400
LONG_FILES: dict[str, str] = {}
"""Files above `MAX_LINES` → why one file is better there."""

OTHER_GENERATORS = {
    "envs/api/open_spiel.py": {"random", "random.Random"},
    "envs/api/open_spiel_deals.py": {"random", "random.Random"},
    "policies/open_spiel.py": {"numpy.random.RandomState"},
}
"""Files that take or make generators with a seed of the kinds that OpenSpiel's algorithms want."""
SEEDED = {"default_rng", "SeedSequence", "Generator", "BitGenerator", "PCG64", "Philox"}
"""What may be used of `numpy.random`: everything else there draws from a global state."""
COMPILERS = {"jit", "njit", "vectorize", "guvectorize", "cfunc", "stencil"}
"""Ways into the compiler that bypass the options and the cache of `@kernel`."""
MAY_PRINT = {"train/cli.py"}


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def uses(source: str) -> Iterator[str]:
    """Yield the dotted name of each thing imported or reached through a module: `numpy.random.seed`."""
    modules = {}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                modules[alias.asname or alias.name] = alias.name
                yield alias.name
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                modules[alias.asname or alias.name] = f"{node.module}.{alias.name}"
                yield f"{node.module}.{alias.name}"
        elif isinstance(node, ast.Attribute):
            first, *rest = ast.unparse(node).split(".")
            if all(part.isidentifier() for part in rest):
                yield ".".join([modules.get(first, first), *rest])


def global_randomness(source: str) -> set[str]:
    """Return what the source uses that draws from a global random state."""
    found = set()
    for name in uses(source):
        parts = name.split(".")
        if parts[0] == "random" or (parts[:2] == ["numpy", "random"] and set(parts[2:3]) - SEEDED):
            found.add(name)
    return found


def other_compilers(source: str) -> set[str]:
    """Return the numba decorators that the source uses."""
    return {name for name in uses(source) if name.split(".")[0] == "numba" and name.split(".")[-1] in COMPILERS}


def second_copies(source: str) -> set[str]:
    """Return the imports that load a package by its folder's name, a second time."""
    tree = ast.walk(ast.parse(source))
    imports = [node for node in tree if isinstance(node, ast.Import | ast.ImportFrom)]
    names = [alias.name for node in imports if isinstance(node, ast.Import) for alias in node.names]
    names += [str(node.module) for node in imports if isinstance(node, ast.ImportFrom)]
    return {name for name in names if name.split(".")[0] in PACKAGES}


def prints(source: str) -> set[str]:
    """Return the calls of `print`."""
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    return {ast.unparse(call) for call in calls if isinstance(call.func, ast.Name) and call.func.id == "print"}


@pytest.mark.parametrize(
    ("check", "bad", "good"),
    [
        (
            global_randomness,
            "import numpy as np\nnp.random.seed(0)",
            "import numpy as np\nnp.random.default_rng(0)",
        ),
        (global_randomness, "from numpy.random import rand", "from numpy.random import Generator"),
        (global_randomness, "from numpy import random\nrandom.rand()", "from numpy import int8"),
        (global_randomness, "import random", "def random(): ..."),
        (global_randomness, "from random import choice", "from backalley.policies import random"),
        (other_compilers, "import numba\n@numba.njit\ndef f(): ...", "import numba\nnumba.prange"),
        (other_compilers, "from numba import njit", "from numba import prange"),
        (second_copies, "from envs import cards", "from backalley.envs import cards"),
        (second_copies, "import train.ppo", "import backalley.train.ppo"),
        (prints, "print(1)", "console.print(1)"),
    ],
)
def test_the_checks_see_what_they_look_for(check, bad, good):
    assert check(bad)
    assert not check(good)


@pytest.mark.parametrize("path", ALL_FILES, ids=name_of)
def test_a_file_keeps_to_its_length(path):
    n_lines = len(path.read_text(encoding="utf-8").splitlines())
    if name_of(path) in LONG_FILES:
        assert n_lines > MAX_LINES, "no exception is needed any more: delete it from LONG_FILES"
    else:
        assert n_lines <= MAX_LINES, "split it, or state in LONG_FILES why one file is better"


@pytest.mark.parametrize("path", ALL_FILES, ids=name_of)
def test_packages_are_imported_by_their_installed_names(path):
    assert not second_copies(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", PACKAGE_FILES, ids=name_of)
def test_nothing_draws_from_a_global_random_state(path):
    assert global_randomness(path.read_text(encoding="utf-8")) == OTHER_GENERATORS.get(name_of(path), set())


@pytest.mark.parametrize("path", [path for path in PACKAGE_FILES if name_of(path) != "envs/kernel.py"], ids=name_of)
def test_kernel_is_the_only_way_to_the_compiler(path):
    assert not other_compilers(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", [path for path in PACKAGE_FILES if name_of(path) not in MAY_PRINT], ids=name_of)
def test_libraries_do_not_print(path):
    assert not prints(path.read_text(encoding="utf-8"))


MODULES = [
    module.name
    for package in (backalley.envs, backalley.policies, backalley.train)
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + ".")
]

FRAMEWORKS = {
    "backalley.envs.api.sb3": "stable_baselines3",
    "backalley.envs.api.open_spiel": "pyspiel",
    "backalley.policies.open_spiel": "pyspiel",
}
"""Modules that are made for a package which need not be installed, and the package."""


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings_are_true(name):
    if name in FRAMEWORKS:
        pytest.importorskip(FRAMEWORKS[name])
    assert doctest.testmod(importlib.import_module(name)).failed == 0
