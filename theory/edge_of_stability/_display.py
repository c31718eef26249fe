"""A displayed equality of a proof: what is derived on one side, what is printed on the other."""

from collections.abc import Mapping
from typing import Any

from sympy import And, Eq, Expr, Set, Symbol

from theory.statements import Statement


def display(variables: Mapping[Symbol, Set], sides: Mapping[str, tuple[Expr, Expr]], **rest: Any) -> Statement:
    """The statement that each derived expression equals the printed one; the names tell the reader which is which.

    >>> from sympy import S
    >>> x = Symbol("x")
    >>> display({x: S.Reals}, {"slope": ((x**2).diff(x), 2 * x)}).then
    Eq(2*x, 2*x)
    """
    claims = [Eq(derived, printed, evaluate=False) for derived, printed in sides.values()]
    return Statement(variables=variables, then=And(*claims), **rest)
