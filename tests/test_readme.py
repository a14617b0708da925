"""What the README says is true."""

import re
from pathlib import Path

import pytest

from backalley.envs import Rules
from backalley.envs.back_alley.blocks import observation_layout
from backalley.train.deal_notation import parse_deal
from backalley.train.written_deal import points_of

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", README, re.DOTALL)


@pytest.mark.parametrize("code", BLOCKS)
def test_python_blocks_run(code):
    exec(compile(code, "README", "exec"), {})


def test_the_first_example_prints_a_result_for_each_player(capsys):
    exec(compile(BLOCKS[0], "README", "exec"), {})
    assert capsys.readouterr().out.count("player_") == 4


def test_the_first_example_has_at_most_twelve_lines():
    assert len([line for line in BLOCKS[0].splitlines() if line.strip()]) <= 12


def test_the_observation_table_is_the_layouts():
    assert observation_layout(Rules.preset("partnership")).table() in README


def test_the_commands_of_the_shell_blocks_exist():
    from typer.main import get_command

    from backalley.train.cli import app

    named = set(re.findall(r"^backalley (\w+)", README, re.MULTILINE)) | set(re.findall(r"`backalley (\w+)", README))
    assert named == set(get_command(app).commands)


def test_the_written_deal_can_be_read():
    (text,) = re.findall(r"```text\n(\[Preset .*?)```", README, re.DOTALL)
    assert points_of(parse_deal(text)) == (10, 0)


@pytest.mark.parametrize("link", re.findall(r"\]\(([^)#:]+)\)", README) or ["README.md"])
def test_files_it_links_to_exist(link):
    assert (Path(__file__).parents[1] / link).exists()
