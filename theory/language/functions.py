"""The functions of the language: the one table in which their names stand.

To add a function, add its entry to one of the lists that are joined here; everything else follows from what the entry
says. Other modules ask for functions by what they are, never by name.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

from sympy import Basic, Expr, Piecewise, exp, preorder_traversal
from sympy.core.function import Application

from theory.language import elementary_functions, rough_functions, special_functions
from theory.language.entries import Entry

if TYPE_CHECKING:
    from collections.abc import Iterator

_TABLE: dict[Any, Entry] = {
    entry.function: entry
    for family in (elementary_functions, rough_functions, special_functions)
    for entry in family.ENTRIES
}
_CACHED: list[Any] = []
Result = TypeVar("Result")


def entries() -> tuple[Entry, ...]:
    """All functions of the language."""
    return tuple(_TABLE.values())


def entry_of(expression: Basic) -> Entry | None:
    """What is known of the function that an expression applies; None for all other expressions.

    >>> from sympy import Symbol, log
    >>> entry_of(log(Symbol("x"))).name
    'log'
    """
    return _TABLE.get(expression.func) if isinstance(expression, Application) else None


def entry_for(function: Any) -> Entry | None:
    """What is known of a function of SymPy."""
    return _TABLE.get(function)


@contextmanager
def registered(entry: Entry) -> Iterator[None]:
    """The table with one more function, for as long as the block lasts."""
    before = dict(_TABLE)
    _TABLE[entry.function] = entry
    _forget()
    try:
        yield
    finally:
        _TABLE.clear()
        _TABLE.update(before)
        _forget()


def from_table(question: Callable[[], Result]) -> Callable[[], Result]:
    """An answer that is computed once from the table."""
    return remember(lru_cache(maxsize=1)(question))


def remember(cached: Any) -> Any:
    """A cached function whose answers depend on the table."""
    _CACHED.append(cached)
    return cached


def _forget() -> None:
    for cached in _CACHED:
        cached.cache_clear()


@from_table
def by_name() -> dict[str, Entry]:
    """The entries by the names of their functions."""
    return {entry.name: entry for entry in entries()}


@from_table
def rough() -> tuple[Any, ...]:
    """The functions with kinks or jumps, and pieces."""
    return (*(entry.function for entry in entries() if entry.roughness), Piecewise)


@from_table
def by_cases() -> tuple[Any, ...]:
    """The functions that can be written by finitely many cases."""
    return (*(entry.function for entry in entries() if entry.pieces is not None), Piecewise)


@from_table
def stepping() -> tuple[Any, ...]:
    """The functions with breaks at all whole numbers."""
    return tuple(entry.function for entry in entries() if entry.steps)


@from_table
def with_poles() -> tuple[Any, ...]:
    """The quotients of two other functions whose denominator has zeros."""
    return tuple(entry.function for entry in entries() if entry.ratio is not None and not entry.is_total)


@from_table
def circular() -> tuple[Any, ...]:
    """The functions of angles."""
    return tuple(entry.function for entry in entries() if entry.is_circular)


@from_table
def hyperbolic() -> tuple[Any, ...]:
    """The functions that are rational in an exponential."""
    return tuple(entry.function for entry in entries() if entry.exponential is not None)


@from_table
def smooth_everywhere() -> tuple[Any, ...]:
    """The functions without any condition, kink or jump."""
    return tuple(entry.function for entry in entries() if entry.is_total and not entry.roughness)


def as_quotient(expression: Expr) -> Expr:
    """A function with poles as the quotient that it is; other expressions as they are.

    >>> from sympy import Symbol, tan
    >>> as_quotient(tan(Symbol("u")))
    sin(u)/cos(u)
    """
    entry = entry_of(expression)
    if entry is None or entry.ratio is None or entry.is_total:
        return expression
    return entry.as_ratio(expression.args[0])


def in_exponentials(expression: Expr) -> Expr:
    """A function that is rational in an exponential so written; other expressions as they are.

    >>> from sympy import Symbol, cosh
    >>> in_exponentials(cosh(Symbol("u")))
    exp(u)/2 + exp(-u)/2
    """
    entry = entry_of(expression)
    if entry is None or entry.exponential is None:
        return expression
    times, value = entry.exponential
    return value(exp(times * expression.args[0]))


def derivative_in(expression: Expr, place: int) -> Expr | None:
    """The derivative of a function along one of its arguments; None where the table has none.

    >>> from sympy import Symbol, atan
    >>> derivative_in(atan(Symbol("u")), 0)
    1/(u**2 + 1)
    """
    entry = entry_of(expression)
    if entry is None or place >= len(entry.slopes):
        return None
    slope = entry.slopes[place]
    return None if slope is None else slope(*entry.completed(expression.args))


def unbounded_in(expression: Basic) -> list[str]:
    """What to say about the functions in an expression that no prover can bound.

    >>> from sympy import Symbol, exp
    >>> unbounded_in(exp(Symbol("x")))
    []
    """
    found: dict[str, None] = {}
    for part in preorder_traversal(expression):
        entry = entry_of(part)
        if entry is None:
            continue
        if entry.ball is None:
            found[entry.unbounded or f"no prover can bound {entry.name}: it is only sampled"] = None
        elif entry.defined(*part.args) is None:
            found[f"no prover can bound {part}: where it has a value is known for other arguments only"] = None
    return list(found)
