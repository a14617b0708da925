"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

HEADER_KEY = "backalley"
"""Name of our description in the metadata of files whose format keeps some."""


@contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """Give a file to write; readers see the old content of `path` until the block ends well, then the new."""
    path = path.absolute()
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, 0o644)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file so that readers see the old content or the new, never a part."""
    with replacing(path) as file:
        file.write(content)
