"""What all tests share: the presets that can be played, and how hard hypothesis tries."""

import os

import pytest
from hypothesis import settings

from backalley.envs import Rules
from backalley.train.cli import main

settings.register_profile("ci", derandomize=True, max_examples=50, deadline=None)  # a first call compiles
settings.register_profile("long", max_examples=5000, deadline=None, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))

PRESETS = ("partnership", "gamerules")


@pytest.fixture(params=PRESETS, scope="session")
def rules(request: pytest.FixtureRequest) -> Rules:
    """Each preset in turn."""
    return Rules.preset(request.param)


@pytest.fixture
def run(capsys, monkeypatch, tmp_path):
    """Run the command line in an empty folder and return exit code, standard output and standard error."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments):
        code = main([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        return code, out, err

    return call
