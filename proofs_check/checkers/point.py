"""Re-checks a counterexample at a point with mpmath's digits and exact rationals, without ball arithmetic."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy as sp
from sympy import Expr, Symbol, minimal_polynomial
from sympy.core.relational import Eq, Ge, Gt, Le, Lt, Ne, Relational
from sympy.logic.boolalg import And, Boolean, BooleanFalse, BooleanTrue, Equivalent, Implies, Not, Or

from theory.statements import Statement
from theory.temporal import ForAll
from theory.trees import decode

_DIGITS = 120
_CLEAR = sp.Rational(1, 10**60)


def check(statement: Statement, certificate: Mapping[str, Any]) -> bool:
    """Whether the point of the certificate satisfies every hypothesis and violates the conclusion."""
    point = {decode(symbol): decode(value) for symbol, value in certificate["point"]}
    conclusion, more = statement.conclusion, []
    while isinstance(conclusion, ForAll):
        more.append(_member(conclusion.symbol, conclusion.domain, point))
        conclusion = conclusion.body
    inside = [truth(part, point) for part in statement.hypotheses]
    whole = [point[symbol].is_integer is True for symbol in statement.integers]
    return all(part is True for part in [*inside, *more, *whole]) and truth(conclusion, point) is False


def _member(symbol: Symbol, domain: sp.Set, point: Mapping[Symbol, Expr]) -> bool:
    return domain.subs(point).contains(point[symbol]) is sp.true


def truth(formula: Boolean, point: Mapping[Symbol, Expr]) -> bool | None:
    """Three-valued truth of a plain formula at a point.

    >>> x = Symbol("x")
    >>> truth((x > 1) & (x < 3), {x: sp.Integer(2)}), truth(Eq(x**2, 2), {x: sp.sqrt(2)})
    (True, True)
    """
    if isinstance(formula, (BooleanTrue, BooleanFalse)):
        return bool(formula)
    if isinstance(formula, Relational):
        return _compared(formula, point)
    parts = [truth(part, point) for part in formula.args]
    if isinstance(formula, Not):
        return None if parts[0] is None else not parts[0]
    if isinstance(formula, Implies):
        return True if parts[0] is False or parts[1] is True else None if None in parts else False
    if isinstance(formula, Equivalent):
        return None if None in parts else len(set(parts)) == 1
    if isinstance(formula, (And, Or)):
        decisive = isinstance(formula, Or)
        return decisive if decisive in parts else None if None in parts else not decisive
    return None


def _compared(relation: Relational, point: Mapping[Symbol, Expr]) -> bool | None:
    left, right = (side.subs(point) for side in relation.args)
    sign = _sign(left - right)
    if sign is None or any(_sign(side) is None for side in (left, right)):
        return None
    return {
        Eq: sign == 0, Ne: sign != 0, Lt: sign < 0, Le: sign <= 0, Gt: sign > 0, Ge: sign >= 0,
    }.get(relation.func)  # fmt: skip


def _sign(number: Expr) -> int | None:
    """-1, 0 or 1; None for what is not a real number or too small to tell from 0."""
    if number.is_Rational:
        return int(number.p > 0) - int(number.p < 0)
    if number.free_symbols or number.has(sp.nan, sp.zoo, sp.oo, sp.I):
        return None
    value = number.evalf(_DIGITS)
    if not value.is_Float:
        return 0 if _is_zero(number) else None
    if abs(value) > _CLEAR * abs(number.evalf(20)):
        rougher = number.evalf(_DIGITS // 2)
        if rougher.is_Float and (rougher > 0) == (value > 0) and abs(value) > sp.Rational(1, 10**400):
            return 1 if value > 0 else -1
    return 0 if _is_zero(number) else None


def _is_zero(number: Expr) -> bool:
    unknown = Symbol("unknown")
    try:
        return bool(minimal_polynomial(number, unknown) == unknown)
    except (sp.polys.polyerrors.NotAlgebraic, NotImplementedError):
        return False
