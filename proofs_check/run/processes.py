"""How processes are started: from a server that has the engines loaded, with a limit on their memory."""

from __future__ import annotations

import multiprocessing
import os
from contextlib import contextmanager
from multiprocessing import forkserver
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

MEMORY = 10 << 10
"""Megabytes that a process may use where nobody says otherwise."""

_LOADED = ["proofs_check.referee.judge", "proofs_check.points.witness", "theory.library"]


def context() -> Any:
    """Where workers come from; all of them are forked from one process that has the engines loaded."""
    # There are as many workers as cores: matrix products with threads of their own would only wait for each other.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    found = multiprocessing.get_context("forkserver")
    found.set_forkserver_preload(_LOADED)
    with _safe_path():
        forkserver.ensure_running()
    return found


@contextmanager
def _safe_path() -> Iterator[None]:
    """No file of the current folder hides a module while the server starts."""
    before = os.environ.get("PYTHONSAFEPATH")
    os.environ["PYTHONSAFEPATH"] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ["PYTHONSAFEPATH"]
        else:
            os.environ["PYTHONSAFEPATH"] = before


def limit_memory(megabytes: int | None = None) -> None:
    """Let this process use no more than so much memory, where the system has such a limit."""
    try:
        import resource
    except ImportError:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    wanted = (megabytes or MEMORY) << 20
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    resource.setrlimit(resource.RLIMIT_AS, (most, hard))
