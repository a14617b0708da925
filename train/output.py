"""Figures for other programs: JSON to a file or to standard output, whole or not at all."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

from backalley.envs.errors import BackAlleyError
from backalley.policies.files import write_atomically

STANDARD_OUTPUT = "-"


def check_destination(destination: str | None) -> None:
    """Refuse a place that cannot be written before the work begins.

    Args:
        destination: a file, `-` for standard output, or None for nowhere.

    Raises:
        BackAlleyError: the file cannot be written there.
    """
    if destination is None or destination == STANDARD_OUTPUT:
        return
    path = Path(destination)
    folder = path.absolute().parent
    if path.is_dir():
        raise BackAlleyError(f"cannot write {destination}: it is a folder, name a file in it")
    if not folder.is_dir():
        raise BackAlleyError(f"cannot write {destination}: there is no folder {folder}, make it first")
    if not os.access(folder, os.W_OK):
        raise BackAlleyError(f"cannot write {destination}: no permission to write in {folder}")


def write_json(destination: str | None, data: Any) -> None:
    """Write `data` as JSON, so that readers of a file see the old content or the new, never a part.

    Args:
        destination: a file, `-` for standard output, or None for nowhere.
        data: what JSON can hold; NaN and infinity are refused.
    """
    if destination is None:
        return
    text = json.dumps(data, indent=2, allow_nan=False) + "\n"
    if destination == STANDARD_OUTPUT:
        sys.stdout.write(text)
        sys.stdout.flush()
        return
    write_atomically(Path(destination), text.encode())
