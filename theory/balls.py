"""Signs of exact real numbers, decided by ball arithmetic and by minimal polynomials where the balls meet zero."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from operator import mul
from typing import Any

import flint
import sympy as sp

from theory.language.balls import on_balls, raw
from theory.language.functions import entry_of

PRECISIONS = (64, 256, 1024)


def ball(expression: sp.Expr, values: Mapping[sp.Symbol, Any] | None = None) -> Any:
    """A complex ball around an exact number, or around an expression at given balls; None where it cannot.

    >>> ball(sp.sqrt(2)).real.contains(flint.arb(2).sqrt())
    True
    """
    if expression.is_Rational:
        return flint.acb(flint.fmpq(int(expression.p), int(expression.q)))
    if expression.is_Symbol:
        return None if values is None else values.get(expression)
    if expression is sp.I:
        return flint.acb(0, 1)
    if isinstance(expression, sp.CRootOf):
        return _root_ball(expression)
    parts = [ball(part, values) for part in expression.args]
    if not parts or any(part is None for part in parts):
        return None
    if expression.is_Add:
        return sum(parts, flint.acb(0))
    if expression.is_Mul:
        return reduce(mul, parts)
    if expression.is_Pow and expression.exp.is_Rational:
        return parts[0] ** (int(expression.exp) if expression.exp.is_Integer else parts[1])
    return _function_ball(expression, parts)


def _function_ball(expression: sp.Expr, parts: list[Any]) -> Any:
    entry = entry_of(expression)
    if entry is None:
        return None
    if entry.analytic or isinstance(expression, sp.log):
        return raw(entry)(parts[0])
    if not all(part.imag.is_zero() for part in parts) or len(parts) < max(entry.arity, default=0):
        return None
    value = on_balls(entry)(*(part.real for part in parts))
    return flint.acb(value) if value.is_finite() else None


def _root_ball(root: sp.CRootOf) -> Any:
    if not root.is_real:
        return None
    width = sp.Rational(1, 2**flint.ctx.prec)
    near = root.eval_rational(dx=width)
    middle, radius = (flint.arb(flint.fmpq(int(q.p), int(q.q))) for q in (near, width))
    return flint.acb(middle + flint.arb(0, radius))


def exact_sign(expression: sp.Expr) -> int | None:
    """The sign of a real number or of an expression whose sign the assumptions fix; None when undecided.

    >>> exact_sign(sp.sqrt(2) + sp.sqrt(3) - sp.sqrt(5 + 2 * sp.sqrt(6)))
    0
    >>> exact_sign(sp.sqrt(2) - sp.Rational(7, 5))
    1
    """
    expression = sp.expand(expression)
    if expression.free_symbols:
        expression = sp.factor(expression)
        return 1 if expression.is_positive else -1 if expression.is_negative else 0 if expression == 0 else None
    if expression.is_Rational:
        return int(sp.sign(expression))
    for precision in PRECISIONS:
        with flint.ctx.workprec(precision):
            value = ball(expression)
            if value is None:
                return None
            if value.real > 0:
                return 1
            if value.real < 0:
                return -1
    unknown = sp.Dummy()
    return 0 if sp.minimal_polynomial(expression, unknown) == unknown else None
