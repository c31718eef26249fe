"""Displayed equalities: what is derived on one side, what is printed on the other, left for the engines to compare."""

from __future__ import annotations

from typing import Any

from sympy import And, Eq, MatrixBase
from sympy.logic.boolalg import Boolean


def equal(*pairs: tuple[Any, Any]) -> Boolean:
    """The conjunction of equalities of expressions or of matrices, entry by entry, without deciding them.

    Equalities whose sides already coincide are left out, unless nothing else remains.

    >>> from sympy import Symbol
    >>> x = Symbol("x")
    >>> equal((x, x))
    Eq(x, x)
    """
    claims = [
        Eq(left, right, evaluate=False)
        for derived, printed in pairs
        for left, right in zip(_entries(derived), _entries(printed), strict=True)
    ]
    different = [claim for claim in claims if claim.lhs != claim.rhs]
    return And(*different) if different else claims[0]


def _entries(value: Any) -> list[Any]:
    return list(value) if isinstance(value, (MatrixBase, tuple, list)) else [value]
