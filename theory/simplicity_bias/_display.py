"""Short ways to write the statements of this paper: claims of equality that are left undecided, and common domains."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sympy import Interval, S, Set, Symbol, oo
from sympy.logic.boolalg import Boolean

from theory.statements import Computation, Statement

REAL = S.Reals
NONNEGATIVE = Interval(0, oo)
AT_LEAST_ONE = Interval(1, oo)
UNIT = Interval(0, 1)


def about(names: Mapping[str, Set]) -> dict[Symbol, Set]:
    """Variables by name: several names may share one domain, separated by spaces.

    >>> from theory.domains import POSITIVE
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
