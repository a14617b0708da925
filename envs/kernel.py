"""The one decorator for compiled functions, and loops that are written once and compiled for each game.

`@kernel` fixes every compiler option, so that kernels differ only in what they compute, and keeps the
machine code between runs in a folder of the user's cache that is named by a hash of everything the code can
depend on. The compiler's own cache watches a kernel's own file only: after an edit in another file it would
go on running the old code of a callee, and it would load an unchecked build when bounds checks are asked for.

Environment:
    BACKALLEY_CACHE_DIR: where the machine code is kept, instead of the platform's cache folder.
    NUMBA_BOUNDSCHECK: 1 makes an index out of range an `IndexError` instead of a wrong number.
    NUMBA_DISABLE_JIT: 1 leaves every kernel a plain Python function, for debuggers and coverage.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.util
import inspect
import logging
import os
import platform
import re
import shutil
import sys
import tempfile
import threading
import time
import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar, cast, overload

import numba

Function = TypeVar("Function", bound=Callable[..., Any])

_compiler: Any = numba.config  # its settings are set at run time, unseen by type checkers

JIT_ENABLED: bool = not _compiler.DISABLE_JIT
"""Whether kernels are compiled; if not, `@kernel` returns the function as it is."""
BOUNDS_CHECK: bool = bool(_compiler.BOUNDSCHECK)
"""Whether kernels check their indices."""

LAYERS = ("backalley.envs", "backalley.policies", "backalley.train")
"""Our packages in the order of import: a kernel can depend on its own layer and on those before it."""
KEEP_DAYS = 30
"""A folder of machine code that no process has used for so long is deleted."""

_TEMPLATE = "_template_options"
_FOLDER_NAME = re.compile(r"[0-9a-f]{20}")
_cache_dir_lock = threading.Lock()
_log = logging.getLogger(__name__)


@overload
def kernel(function: Function, /) -> Function: ...


@overload
def kernel(*, parallel: bool = False, inline: bool = False) -> Callable[[Function], Function]: ...


def kernel(
    function: Function | None = None, /, *, parallel: bool = False, inline: bool = False
) -> Function | Callable[[Function], Function]:
    """Compile a function on its first call; used as `@kernel` or `@kernel(parallel=True)`.

    A kernel releases the interpreter lock, divides by zero without raising as numpy does, keeps the order of
    floating point operations, and does not check its indices unless NUMBA_BOUNDSCHECK=1. Each new combination
    of argument types compiles again, so fix the dtypes before the call.

    Args:
        function: the function, given by the bare form `@kernel`.
        parallel: run `numba.prange` loops on several threads.
        inline: always copy the body into the callers, for functions of a few lines in inner loops.

    Returns:
        The compiled function with the signature of `function`; its Python form is `.py_func`.
    """
    if function is None:
        return functools.partial(_compile, parallel=parallel, inline=inline)
    return _compile(function, parallel=parallel, inline=inline)


def _compile(function: Function, *, parallel: bool, inline: bool) -> Function:
    """Return `function` compiled with the options of the house, its machine code kept where possible."""
    if not JIT_ENABLED:
        return function
    folder = cache_folder(function)
    with _numba_cache_dir(folder):
        compiled = numba.njit(
            cache=folder is not None,
            nogil=True,
            error_model="numpy",
            fastmath=False,
            boundscheck=BOUNDS_CHECK,
            parallel=parallel,
            forceinline=inline,
        )(function)
    return cast(Function, compiled)


@overload
def template(function: Function, /) -> Function: ...


@overload
def template(*, parallel: bool = False, inline: bool = False) -> Callable[[Function], Function]: ...


def template(
    function: Function | None = None, /, *, parallel: bool = False, inline: bool = False
) -> Function | Callable[[Function], Function]:
    """Mark a function that `specialise` compiles for each game; by itself it is not compiled.

    A template calls *hooks*: functions of its module that only say what each game has to bring. The compiler binds a
    kernel's callees when it compiles it, so loops over different games must be different kernels; written as templates
    they are one text. Arguments as for `kernel`.
    """
    if function is None:
        return functools.partial(template, parallel=parallel, inline=inline)
    function.__dict__[_TEMPLATE] = {"parallel": parallel, "inline": inline}
    return function


def specialise(names: Mapping[str, Any], module: str, game: str, **hooks: Any) -> types.SimpleNamespace:
    """Compile all templates of a module with a game's kernels and constants in place of its hooks.

    Args:
        names: `vars()` of the module with the templates; they may call those defined before them.
        module: `__name__` of the module that asks.
        game: name of the game; part of the kernels' names, so that each game has its own.
        hooks: what takes the place of the hooks, by name.

    Returns:
        The kernels by the names of their templates.

    Raises:
        TypeError: a hook that the module does not have.
    """
    if foreign := sorted(set(hooks) - set(names)):
        raise TypeError(f"{module} brings {', '.join(foreign)}, which no template of {names['__name__']} calls")
    found = dict(hooks)
    for name, function in list(names.items()):
        options = getattr(function, "__dict__", {}).get(_TEMPLATE)
        if options is None:
            continue
        twin = types.FunctionType(function.__code__, {**names, **found}, name, function.__defaults__)
        twin.__module__, twin.__doc__ = module, function.__doc__
        twin.__qualname__ = f"{game}.{name}"  # names the file of machine code
        found[name] = _compile(twin, **options)
    return types.SimpleNamespace(**{name: kernel for name, kernel in found.items() if name not in hooks})


@contextmanager
def _numba_cache_dir(folder: Path | None) -> Iterator[None]:
    """Point the compiler's cache at `folder` while one function is decorated.

    A function keeps the folder that is set while it is decorated, so the functions of other libraries stay
    where they are.
    """
    if folder is None:
        yield
        return
    with _cache_dir_lock:
        before = _compiler.CACHE_DIR
        _compiler.CACHE_DIR = str(folder)
        try:
            yield
        finally:
            _compiler.CACHE_DIR = before


def cache_folder(function: Callable[..., Any]) -> Path | None:
    """Return the folder for the machine code of `function`, or None if it can't be kept.

    Nothing is kept for functions without a source file (typed at a prompt) and where the cache folder is
    read-only.
    """
    file = Path(inspect.getfile(function))
    if not file.is_file():
        return None
    return _ready_folder(source_hash(_source_roots(function.__module__, file)))


def _source_roots(module: str, file: Path) -> tuple[Path, ...]:
    """Return the folders whose sources decide what a kernel does: its package and the layers before it."""
    for i, layer in enumerate(LAYERS):
        if module == layer or module.startswith(layer + "."):
            return _layer_folders(LAYERS[: i + 1])
    own = file.resolve().parent
    while (own.parent / "__init__.py").is_file():
        own = own.parent
    return (*_layer_folders(LAYERS), own)


@functools.cache
def _layer_folders(layers: tuple[str, ...]) -> tuple[Path, ...]:
    """Return the folders of those layers that are installed, without importing them."""
    specs = [importlib.util.find_spec(layer) for layer in layers]
    return tuple(Path(spec.origin).parent for spec in specs if spec is not None and spec.origin is not None)


@functools.cache
def source_hash(folders: tuple[Path, ...]) -> str:
    """Return 20 hexadecimal digits for the sources in `folders`, the versions and the bounds check flag.

    A folder that is no package (that of a script) counts without what lies below it.
    """
    digest = hashlib.sha256(f"{numba.__version__} {platform.python_version()} {BOUNDS_CHECK}".encode())
    for folder in folders:
        for file in _sources(folder):
            text = file.read_bytes()
            digest.update(f"{file.relative_to(folder).as_posix()} {len(text)} ".encode())
            digest.update(text)
    return digest.hexdigest()[:20]


def _sources(folder: Path) -> Iterable[Path]:
    """Return the Python sources and tables of a package, or those beside a script, in a fixed order.

    Tables (CSV) count because a kernel takes the arrays of its module in as constants.
    """
    look = folder.rglob if (folder / "__init__.py").is_file() else folder.glob
    return sorted([*look("*.py"), *look("*.csv")])


@functools.cache
def _ready_folder(name: str) -> Path | None:
    """Return the cache folder of that name, made and marked as used now; None if it can't be written."""
    home = user_cache_dir() / "kernels"
    folder = home / name
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
        os.utime(folder)
    except OSError as error:
        _log.warning(
            "compiled kernels are not kept, every run compiles again: %s can't be written (%s); "
            "set BACKALLEY_CACHE_DIR to a folder that can",
            home,
            error.strerror,
        )
        return None
    _delete_unused(home)
    return folder


def user_cache_dir() -> Path:
    """Return the folder for files that can be made again: BACKALLEY_CACHE_DIR or the platform's place."""
    if chosen := os.environ.get("BACKALLEY_CACHE_DIR"):
        return Path(chosen).expanduser().absolute()
    base: str | Path
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "backalley"


def _delete_unused(home: Path) -> None:
    """Delete the folders of machine code that no process has used for `KEEP_DAYS` days."""
    oldest = time.time() - KEEP_DAYS * 24 * 3600
    for folder in home.iterdir():
        with suppress(FileNotFoundError):  # another process was faster
            if _FOLDER_NAME.fullmatch(folder.name) and folder.stat().st_mtime < oldest:
                shutil.rmtree(folder, ignore_errors=True)
