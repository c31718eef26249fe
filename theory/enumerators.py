"""Named exact procedures of finite mathematics: count graphs, walks or sequences, and return integers and rationals.

A statement names its procedure in `computed=`; the procedure is a pure function registered here. It returns a mapping
with the symbols that the statement wants and, if it likes, some of the RESERVED keys: `counterexample` (what a reader
should see when the claim is false), `coverage` (which objects were looked at), `cases` (how many), `complete` (False
when the claim is about more objects than were looked at), `missing` (why nothing could be computed), `notes`.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
from collections.abc import Callable, Mapping
from typing import Any

from sympy import Basic, Expr, Float, Integer, Rational

from theory.errors import LemmascopeError

RESERVED = ("counterexample", "coverage", "cases", "complete", "missing", "notes")

Procedure = Callable[..., Mapping[str, Any]]

_PROCEDURES: dict[str, Procedure] = {}
_RECOUNTS: dict[str, Procedure] = {}
_KNOWN: dict[str, dict[str, Any]] = {}
_NEVER_KEPT: set[str] = set()


def enumerator(name: str, *, reads_files: bool = False) -> Callable[[Procedure], Procedure]:
    """Register a procedure; the part of the name before the dot is the paper whose `enumerators` module holds it.

    What a procedure returned is kept for the same arguments, unless it reads files, which may change.

    >>> @enumerator("demo.squares")
    ... def squares(n: int) -> dict[str, int]:
    ...     return {"total": sum(k * k for k in range(n + 1))}
    >>> enumerate_exactly("demo.squares", {"n": 3})
    {'total': 14}
    """
    if reads_files:
        _NEVER_KEPT.add(name)
    return _registering(_PROCEDURES, name)


def recount(name: str) -> Callable[[Procedure], Procedure]:
    """Register a second procedure for the same values, written independently; it may leave values out.

    >>> @recount("demo.squares")
    ... def squares_again(n: int) -> dict[str, int]:
    ...     return {"total": n * (n + 1) * (2 * n + 1) // 6}
    >>> recount_exactly("demo.squares", {"n": 3})
    {'total': 14}
    """
    return _registering(_RECOUNTS, name)


def _registering(registry: dict[str, Procedure], name: str) -> Callable[[Procedure], Procedure]:
    def register(procedure: Procedure) -> Procedure:
        known = registry.get(name)
        if known is not None and (known.__module__, known.__qualname__) != (
            procedure.__module__,
            procedure.__qualname__,
        ):
            raise LemmascopeError(f"two procedures are called {name}: give one of them another name")
        registry[name] = procedure
        return procedure

    return register


def enumerate_exactly(name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """What the named procedure returns for these arguments, every value exact."""
    _load(name)
    if name not in _PROCEDURES:
        known = ", ".join(sorted(_PROCEDURES)) or "none yet"
        raise LemmascopeError(
            f"no enumerator is called {name} (known: {known}): register it with @enumerator({name!r})"
        )
    key = f"{name} {json.dumps(dict(arguments), sort_keys=True, default=str)}"
    if key not in _KNOWN or name in _NEVER_KEPT:
        _KNOWN[key] = _exact_values(name, _PROCEDURES[name](**arguments))
    return dict(_KNOWN[key])


def recount_exactly(name: str, arguments: Mapping[str, Any]) -> dict[str, Any] | None:
    """The same values by the independent procedure, or None when there is none for this name."""
    _load(name)
    return _exact_values(name, _RECOUNTS[name](**arguments)) if name in _RECOUNTS else None


def has_recount(name: str) -> bool:
    """Whether an independent procedure for the same values is registered."""
    _load(name)
    return name in _RECOUNTS


def _load(name: str) -> None:
    paper = name.partition(".")[0]
    if name in _PROCEDURES or not paper.isidentifier():
        return
    if importlib.util.find_spec(f"theory.{paper}") is None:
        return
    if importlib.util.find_spec(f"theory.{paper}.enumerators") is not None:
        importlib.import_module(f"theory.{paper}.enumerators")


def _exact_values(name: str, found: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value if key in RESERVED else exact_value(name, key, value) for key, value in found.items()}


def exact_value(name: str, key: str, value: Any) -> Expr:
    """A returned value as an exact SymPy number or expression.

    >>> from fractions import Fraction
    >>> exact_value("demo", "half", Fraction(1, 2)), exact_value("demo", "yes", True)
    (1/2, 1)
    """
    if isinstance(value, (bool, int)):
        return Integer(int(value))
    if isinstance(value, Basic) and not value.atoms(Float):
        return value
    numerator, denominator = getattr(value, "numerator", None), getattr(value, "denominator", None)
    if isinstance(numerator, int) and isinstance(denominator, int):
        return Rational(numerator, denominator)
    raise LemmascopeError(f"{name} returned {key} = {value!r}, which is not exact: return an int or a Fraction")
