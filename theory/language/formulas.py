"""Formulas taken apart, and the truth of what is joined and compared."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sympy import And, Eq, Ge, Gt, Le, Lt, Ne, Not
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean, BooleanFalse, BooleanTrue, Equivalent, Implies, Or

SIGNS: dict[type[Relational], frozenset[int]] = {
    Eq: frozenset({0}), Ne: frozenset({-1, 1}), Gt: frozenset({1}), Ge: frozenset({0, 1}),
    Lt: frozenset({-1}), Le: frozenset({-1, 0}),
}  # fmt: skip
"""The signs of left minus right with which a relation is true."""


def clauses(formula: Boolean) -> tuple[Boolean, ...]:
    """The parts of a conjunction, in an order that is the same in every process; of other formulas, they themselves.

    >>> from sympy import Symbol
    >>> x = Symbol("x")
    >>> clauses(And(x > 1, x < 3)), clauses(x > 1)
    ((x > 1, x < 3), (x > 1,))
    """
    return tuple(formula.args) if isinstance(formula, And) else (formula,)


def compared(relation: type[Relational], signs: Collection[int]) -> bool | None:
    """The truth of a relation when left minus right may have certain signs; None where these do not tell.

    >>> compared(Ge, {0, 1}), compared(Ge, {-1}), compared(Ge, {-1, 0})
    (True, False, None)
    """
    if not signs:
        return None
    true = SIGNS[relation].issuperset(signs)
    return True if true else False if SIGNS[relation].isdisjoint(signs) else None


def joined(formula: Boolean, parts: Sequence[bool | None]) -> bool | None:
    """The truth of a connective whose parts are true, false or unknown; None where that is not known (Kleene).

    >>> from sympy import symbols
    >>> p, q = symbols("p q")
    >>> joined(p | q, [None, True]), joined(p & q, [None, True])
    (True, None)
    """
    if isinstance(formula, (BooleanTrue, BooleanFalse)):
        return bool(formula)
    if isinstance(formula, Not):
        return None if parts[0] is None else not parts[0]
    if isinstance(formula, Equivalent):
        return False if True in parts and False in parts else None if None in parts else True
    if isinstance(formula, Implies):
        parts = [None if parts[0] is None else not parts[0], parts[1]]
    if not isinstance(formula, (And, Or, Implies)):
        return None
    decisive = not isinstance(formula, And)
    return decisive if decisive in parts else None if None in parts else not decisive
