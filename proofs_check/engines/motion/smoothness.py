"""Where a formula has values, is continuous or is differentiable, as a plain condition that can be proved."""

from __future__ import annotations

from collections.abc import Iterable

from sympy import And, Basic, Gt, Ne, Pow, Symbol, Tuple, true
from sympy import functions as f
from sympy.logic.boolalg import Boolean

_ENTIRE = (f.exp, f.sin, f.cos, f.sinh, f.cosh, f.tanh, f.sech, f.atan, f.asinh, f.erf, f.erfc)
_KINKED = (f.Abs, f.Max, f.Min)
_JUMPING = (f.sign, f.floor, f.ceiling, f.Heaviside)


def smooth_where(expressions: Iterable[Basic]) -> Boolean | None:
    """An open condition on which the expressions are real and infinitely often differentiable; None if unknown.

    >>> from sympy import log, sqrt
    >>> x, y = Symbol("x"), Symbol("y")
    >>> smooth_where([x**2 + log(y), 1 / x])
    (y > 0) & Ne(x, 0)
    >>> smooth_where([f.Abs(x)]) is None
    True
    """
    return _joined(expressions, ())


def continuous_where(expressions: Iterable[Basic]) -> Boolean | None:
    """A condition on which the expressions are real and continuous; None if unknown.

    >>> continuous_where([f.Abs(Symbol("x"))])
    True
    """
    return _joined(expressions, _KINKED)


def defined_where(expressions: Iterable[Basic]) -> Boolean | None:
    """A condition on which the expressions have real values, which may jump; None if unknown.

    >>> x = Symbol("x")
    >>> defined_where([f.sign(x) / x, f.Piecewise((1, x > 0), (x, True))])
    Ne(x, 0)
    >>> defined_where([f.Piecewise((1, x > 0))]) is None
    True
    """
    return _joined(expressions, (*_KINKED, *_JUMPING, f.Piecewise))


def _joined(expressions: Iterable[Basic], rough: tuple[type, ...]) -> Boolean | None:
    conditions: list[Boolean] = []
    for expression in expressions:
        found = _condition(expression, rough)
        if found is None:
            return None
        conditions.append(found)
    return And(*conditions)


def _condition(expression: Basic, rough: tuple[type, ...]) -> Boolean | None:
    parts = [_condition(part, rough) for part in expression.args]
    if any(part is None for part in parts):
        return None
    own = _own_condition(expression, rough)
    return None if own is None else And(own, *parts)


def _own_condition(expression: Basic, rough: tuple[type, ...]) -> Boolean | None:
    if isinstance(expression, (Symbol, Boolean, Tuple)) or expression.is_Add or expression.is_Mul:
        return true
    if isinstance(expression, f.Piecewise):
        return true if f.Piecewise in rough and expression.args[-1].cond == true else None
    if expression.is_number and not expression.args:
        return true if expression.is_real else None
    if isinstance(expression, Pow):
        base, exponent = expression.args
        if exponent.is_Integer:
            return true if exponent >= 0 else Ne(base, 0)
        return Gt(base, 0)
    if isinstance(expression, (*_ENTIRE, *rough)):
        return true
    return Gt(expression.args[0], 0) if isinstance(expression, f.log) and len(expression.args) == 1 else None


def is_polynomial_map(expressions: Iterable[Basic], state: Iterable[Symbol]) -> bool:
    """Whether all expressions are polynomials in the state.

    >>> x, K = Symbol("x"), Symbol("K")
    >>> is_polynomial_map([x**2 / K], [x])
    True
    """
    generators = tuple(state)
    return all(expression.is_polynomial(*generators) for expression in expressions)
