"""Displayed equalities: what is derived on one side, what is printed on the other, left for the engines to compare."""

from collections.abc import Iterable
from typing import Any

from sympy import And, Eq, Expr, Matrix
from sympy.logic.boolalg import Boolean


def equal(*pairs: tuple[Any, Any]) -> Boolean:
    """The conjunction of equalities of expressions or of matrices, entry by entry, without deciding them.

    >>> from sympy import Symbol
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
