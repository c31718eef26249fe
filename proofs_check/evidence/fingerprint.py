"""What a finished verdict depends on: the sources of the packages and the versions of the libraries they call."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

_LIBRARIES = ("sympy", "python-flint", "numpy", "scipy", "numba", "z3-solver", "cvc5", "cvxpy", "clarabel")


HOME = Path(__file__).parents[2]


def sources() -> list[Path]:
    """All files of the packages, in one order."""
    return [path for name in ("theory", "numerics", "proofs_check") for path in sorted((HOME / name).rglob("*.py"))]


@cache
def fingerprint() -> str:
    """A digest that changes with any line of code, so that a verdict stored under it needs no second look.

    >>> fingerprint() == fingerprint()
    True
    """
    digest = hashlib.sha256()
    for path in sources():
        digest.update(str(path.relative_to(HOME)).encode())
        digest.update(path.read_bytes())
    for library in _LIBRARIES:
        digest.update(f"{library} {_version(library)}".encode())
    return digest.hexdigest()


def _version(library: str) -> str:
    try:
        return version(library)
    except PackageNotFoundError:
        return "absent"
