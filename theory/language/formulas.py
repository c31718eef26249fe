"""Formulas taken apart."""

from __future__ import annotations

from sympy import And
from sympy.logic.boolalg import Boolean


def clauses(formula: Boolean) -> tuple[Boolean, ...]:
    """The parts of a conjunction, in an order that is the same in every process; of other formulas, they themselves.

    >>> from sympy import Symbol
    >>> x = Symbol("x")
    >>> clauses(And(x > 1, x < 3)), clauses(x > 1)
    ((x > 1, x < 3), (x > 1,))
    """
    return tuple(formula.args) if isinstance(formula, And) else (formula,)
