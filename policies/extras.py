"""What need not be installed."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from backalley.envs.errors import BackAlleyError


def needed(module: str, package: str, what: str) -> Any:
    """Return a module that need not be installed.

    Args:
        module: its name, of another framework or of ours that imports one.
        package: what to install.
        what: what needs it, for the error.

    Raises:
        BackAlleyError: it, or something it imports, is not installed.
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        raise BackAlleyError(f"{what} needs {missing}, which is not installed: pip install '{package}'") from None
