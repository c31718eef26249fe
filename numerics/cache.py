"""Generated modules on disk, found again by the content they were generated from.

Each module has a folder of its own, so that the compiled code numba stores beside it can be sealed with a
checksum: whatever was damaged in between is thrown away and made again, and where nothing can be written
the module lives in a temporary folder for the length of the process.
"""

from __future__ import annotations

import atexit
import gc
import hashlib
import importlib.util
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from threading import RLock
from types import ModuleType

from theory import language
from theory.errors import LemmascopeError

SEAL = "seal"
GENERATORS = (
    "arrange ball_gradient ball_kernel elementary extended_arithmetic extended_kernel float_kernel float_source "
    "flow_kernel flow_source map_kernel matrix_kernel matrix_program lane_products program random_numbers special"
).split()


def cache_folder() -> Path:
    """The folder of generated modules: LEMMASCOPE_CACHE, or the user's cache folder of the platform.

    >>> cache_folder().is_absolute()
    True
    """
    chosen = os.environ.get("LEMMASCOPE_CACHE")
    if chosen:
        return Path(chosen).expanduser().absolute() / "kernels"
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", str(Path.home())))
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME", str(Path.home() / ".cache")))
    return base.absolute() / "lemmascope" / "kernels"


@lru_cache(maxsize=1)
def generator_digest() -> str:
    """A digest of the files that write kernels, so that a changed printer never meets an old kernel."""
    digest = hashlib.sha256(f"{sys.version_info[:2]}".encode())
    for name in GENERATORS:
        digest.update((Path(__file__).parent / f"{name}.py").read_bytes())
    for path in sorted(Path(language.__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def content_key(*parts: str) -> str:
    """The name under which a module made from these parts is stored."""
    digest = hashlib.sha256(str(sys.version_info[:2]).encode())
    for part in parts:
        digest.update(part.encode())
        digest.update(b"\0")
    return digest.hexdigest()[:32]


_loaded: dict[str, ModuleType] = {}
_one_at_a_time = RLock()


def generated_module(key: str, write_source: Callable[[], str]) -> ModuleType:
    """The module stored under `key`, written by `write_source` if it is not there or is damaged."""
    with _one_at_a_time:
        if key not in _loaded:
            _loaded[key] = _find_or_make(key, write_source)
        return _loaded[key]


def _find_or_make(key: str, write_source: Callable[[], str]) -> ModuleType:
    reason: Exception | None = None
    for folder in (cache_folder() / key, Path(_temporary_folder()) / key):
        try:
            if not _sealed(folder):
                return _make(key, folder, write_source())
            module = _import(key, folder)
            _seal(folder)
        except RecursionError as error:
            raise LemmascopeError("a formula turns SymPy round and round: write its sums and integrals out") from error
        except (OSError, RuntimeError) as error:  # numba has a RuntimeError for a folder it cannot write to
            reason = error
            continue
        return module
    raise OSError(f"neither {cache_folder()} nor the temporary folder can be written") from reason


def _make(key: str, folder: Path, source: str) -> ModuleType:
    """Compile in a folder of this process and move it in place whole: another process may be doing the same."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="making-", dir=folder.parent, ignore_cleanup_errors=True) as making:
        made = Path(making) / key
        made.mkdir()
        _write_whole(made / "kernel.py", source)
        module = _import(key, made)
        _seal(made)
        shutil.rmtree(folder, ignore_errors=True)
        with suppress(OSError):  # the other process was faster
            made.rename(folder)
    return module


def _write_whole(path: Path, text: str) -> None:
    """Write beside, then rename: another process sees the old file or the new one, never half of it."""
    handle, name = tempfile.mkstemp(dir=path.parent)
    with os.fdopen(handle, "w") as stream:
        stream.write(text)
    Path(name).replace(path)


def _import(key: str, folder: Path) -> ModuleType:
    name = f"lemmascope_kernel_{key}"
    specification = importlib.util.spec_from_file_location(name, folder / "kernel.py")
    if specification is None or specification.loader is None:
        raise OSError(f"{folder} holds no module")
    module = importlib.util.module_from_spec(specification)
    sys.modules[name] = module
    with _garbage_left_alone():
        specification.loader.exec_module(module)
    return module


@contextmanager
def _garbage_left_alone() -> Iterator[None]:
    """The compiler makes many objects that stay: looking for garbage among them costs a third of its time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _files(folder: Path) -> Iterable[Path]:
    return sorted(p for p in folder.rglob("*") if p.suffix in {".py", ".nbi", ".nbc"})


def _checksum(folder: Path) -> str:
    digest = hashlib.sha256()
    for path in _files(folder):
        digest.update(path.name.encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _sealed(folder: Path) -> bool:
    try:
        return (folder / SEAL).read_text() == _checksum(folder)
    except (OSError, UnicodeDecodeError):
        return False


def _seal(folder: Path) -> None:
    if not _sealed(folder):
        _write_whole(folder / SEAL, _checksum(folder))


@lru_cache(maxsize=1)
def _temporary_folder() -> str:
    folder = tempfile.mkdtemp(prefix="lemmascope-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder
