"""Short ways to write the statements of this paper: claims of equality that are left undecided, and common domains."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sympy import And, Eq, Expr, Interval, Matrix, S, Set, Symbol, oo
from sympy.logic.boolalg import Boolean

from theory.statements import Computation, Statement

REAL = S.Reals
POSITIVE = Interval.open(0, oo)
NONNEGATIVE = Interval(0, oo)
AT_LEAST_ONE = Interval(1, oo)
UNIT = Interval(0, 1)


def equal(*pairs: tuple[Any, Any]) -> Boolean:
    """The conjunction of equalities of expressions or of matrices, entry by entry, without deciding them.

    >>> x = Symbol("x")
    >>> equal((x, x))
    Eq(x, x)
    """
    claims = [Eq(left, right, evaluate=False) for pair in pairs for left, right in _entries(*pair)]
    different = [claim for claim in claims if claim.lhs != claim.rhs]
    return And(*different) if different else claims[0]


def _entries(derived: Any, printed: Any) -> Iterable[tuple[Expr, Expr]]:
    if isinstance(derived, Matrix):
        return zip(derived, printed, strict=True)
    return [(derived, printed)]


def about(names: Mapping[str, Set]) -> dict[Symbol, Set]:
    """Variables by name: several names may share one domain, separated by spaces.

    >>> sorted(symbol.name for symbol in about({"x y": REAL, "t": POSITIVE}))
    ['t', 'x', 'y']
    """
    return {Symbol(name): domain for key, domain in names.items() for name in key.split()}


def counted(then: Boolean, procedure: str, *yields: str, notes: str = "", **arguments: Any) -> Statement:
    """A statement about what an exact procedure of this paper yields."""
    computed = Computation(f"simplicity_bias.{procedure}", arguments, yields=yields)
    return Statement(then=then, computed=computed, notes=notes)


def measured(then: Boolean, procedure: str, *yields: str, notes: str = "", **arguments: Any) -> Statement:
    """A statement about what a numerical experiment of this paper measures."""
    computed = Computation(f"simplicity_bias.{procedure}", arguments, yields=yields, exact=False)
    return Statement(then=then, computed=computed, notes=notes)
