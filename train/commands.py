"""What command lines have in common: how they are made and run, how they fail, and how they take `--json`.

Exit codes: 0 done, 1 a failure that is not the caller's, 2 bad input, 130 interrupted. Whatever was asked for wrongly
is answered by one line on standard error.
"""

from __future__ import annotations

import re
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Any, NoReturn

import typer
from typer.core import TyperCommand, TyperGroup

BAD_INPUT, FAILURE, INTERRUPTED = 2, 1, 130
EXTRA = {"torch", "safetensors", "tensorboard", "matplotlib", "joblib", "pydantic", "yaml"}
"""Packages that come with `backalley[train]` only."""


class Commands(TyperGroup):
    """The commands, with every expected error as one line and an exit code."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command that was named."""
        with _noted_interrupts() as interrupts:
            try:
                return super().invoke(ctx)
            except (Exception, KeyboardInterrupt) as error:
                if interrupts or isinstance(error, KeyboardInterrupt):
                    _fail("interrupted", INTERRUPTED)
                _answer(error)


def new_app(text: str | None = None) -> typer.Typer:
    """Return a command line without commands; `text` is its help, if no callback has it."""
    return typer.Typer(
        cls=Commands,
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        help=text,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
    )


def run(app: typer.Typer, name: str, arguments: Sequence[str] | None) -> int:
    """Run a command line and return the exit code; arguments instead of those of the process."""
    try:
        app(args=list(sys.argv[1:] if arguments is None else arguments), prog_name=name)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else FAILURE
    return 0


@contextmanager
def _noted_interrupts() -> Iterator[list[int]]:
    """Collect the interrupts that arrive: the compiler can lose the exception of one and fail in another way later."""
    interrupts: list[int] = []

    def note(number: int, frame: FrameType | None) -> None:
        interrupts.append(number)
        signal.default_int_handler(number, frame)

    if threading.current_thread() is not threading.main_thread():
        yield interrupts
        return
    before = signal.signal(signal.SIGINT, note)
    try:
        yield interrupts
    finally:
        signal.signal(signal.SIGINT, before)


def _answer(error: Exception) -> NoReturn:
    """Say in one line what an expected error is about and exit; raise any other."""
    from backalley.envs.errors import BackAlleyError

    if isinstance(error, BackAlleyError):
        _fail(str(error), BAD_INPUT)
    if isinstance(error, ModuleNotFoundError):
        missing = (error.name or "").partition(".")[0]
        if missing in EXTRA:
            _fail(f"this needs the package {missing}: pip install 'backalley[train]'", FAILURE)
    elif isinstance(error, OSError) and not isinstance(error, BrokenPipeError):
        _fail(f"{error.filename or ''}: {error.strerror or error}".lstrip(": "), FAILURE)
    raise error


def _fail(message: str, code: int) -> NoReturn:
    typer.echo(f"error: {' '.join(message.split())}", err=True)
    raise typer.Exit(code)


class Command(TyperCommand):
    """A command whose `--json` may stand alone for standard output."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments, with the `-` put in that a bare `--json` means."""
        for at in reversed([i for i, arg in enumerate(args) if arg == "--json"]):
            if at + 1 == len(args) or re.match("--?[a-z]", args[at + 1]):
                args.insert(at + 1, "-")
        return super().parse_args(ctx, args)
