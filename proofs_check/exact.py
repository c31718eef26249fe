"""Truth at a point, without rounding: rationals exactly, everything else in balls of growing precision.

An equality between irrational numbers is only called true when exact algebra says so, and anything that cannot be
decided is None, never a guess.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from sympy import (
    QQ,
    Abs,
    AccumBounds,
    CRootOf,
    Expr,
    I,
    Max,
    Min,
    Piecewise,
    Poly,
    Pow,
    PurePoly,
    Rational,
    Symbol,
    log,
    nan,
    oo,
    zoo,
)
from sympy.core.relational import Eq, Ge, Gt, Le, Lt, Ne, Relational
from sympy.logic.boolalg import And, Boolean, BooleanFalse, BooleanTrue, Equivalent, Implies, Not, Or
from sympy.polys.numberfields.minpoly import minimal_polynomial
from sympy.polys.polyerrors import NotAlgebraic

from theory.errors import LemmascopeError

PRECISIONS = (64, 256, 1024, 4096)
_LARGEST_DEGREE = 64


def holds(formula: Boolean, point: Mapping[Symbol, Expr]) -> bool | None:
    """Whether a plain formula is true at an exact point; None when that cannot be decided.

    >>> from sympy import Rational, Symbol, exp, sqrt
    >>> x = Symbol("x")
    >>> holds(exp(x) > 1 + x, {x: Rational(1, 10**9)})
    True
    >>> holds(Eq(x**2, 2), {x: sqrt(2)})
    True
    """
    return _truth(formula, lambda relation: _relation_holds(relation, point))


def _truth(formula: Boolean, leaf: Callable[[Relational], bool | None]) -> bool | None:
    if isinstance(formula, BooleanTrue):
        return True
    if isinstance(formula, BooleanFalse):
        return False
    if isinstance(formula, Relational):
        return leaf(formula)
    parts = [_truth(part, leaf) for part in formula.args]
    if isinstance(formula, And):
        return False if False in parts else None if None in parts else True
    if isinstance(formula, Or):
        return True if True in parts else None if None in parts else False
    if isinstance(formula, Not):
        return None if parts[0] is None else not parts[0]
    if isinstance(formula, Implies):
        return True if parts[0] is False or parts[1] is True else None if None in parts else False
    if isinstance(formula, Equivalent):
        return None if None in parts else all(part == parts[0] for part in parts)
    return None


def _relation_holds(relation: Relational, point: Mapping[Symbol, Expr]) -> bool | None:
    value = _enclosed_difference(relation, point)
    if value is None:
        try:
            if not all(_is_real(side, point) for side in relation.args):
                return None
            left, right = (side.subs(dict(point), simultaneous=True) for side in relation.args)
        except ValueError:  # SymPy refuses Max and Min of something undefined
            return None
        value = sign(left - right)
    if value is None:
        return None
    return {
        Eq: value == 0, Ne: value != 0, Lt: value < 0, Le: value <= 0, Gt: value > 0, Ge: value >= 0,
    }.get(relation.func)  # fmt: skip


def _enclosed_difference(relation: Relational, point: Mapping[Symbol, Expr]) -> int | None:
    """The sign of left minus right where balls show it; the relation is compiled only once."""
    from flint import ctx

    kernel = _kernel(relation)
    if kernel is None or not relation.free_symbols <= set(point):
        return None
    evaluate, arguments = kernel
    previous = ctx.prec
    try:
        for precision in PRECISIONS:
            ctx.prec = precision
            values = [_ball(point[symbol]) for symbol in arguments]
            if any(value is None for value in values):
                return None
            left, right, difference = evaluate(*values)
            if not (left.is_finite() and right.is_finite() and difference.is_finite()):
                return None
            if not difference.contains(0):
                return 1 if difference > 0 else -1
    finally:
        ctx.prec = previous
    return None


@lru_cache(maxsize=4096)
def _kernel(relation: Relational) -> tuple[Callable[..., Any], tuple[Symbol, ...]] | None:
    from numerics import compile_ball

    arguments = tuple(sorted(relation.free_symbols, key=lambda symbol: symbol.name))
    try:
        return compile_ball([*relation.args, relation.lhs - relation.rhs], arguments), arguments
    except LemmascopeError:
        return None


def _ball(value: Expr) -> Any:
    from flint import arb, fmpq

    if isinstance(value, Rational):
        return arb(fmpq(int(value.p), int(value.q)))
    try:
        return _number_kernel(value)()[0]
    except LemmascopeError:
        return None


@lru_cache(maxsize=4096)
def _number_kernel(number: Expr) -> Callable[[], Any]:
    from numerics import compile_ball

    return compile_ball([number], [])


def _is_real(expression: Expr, point: Mapping[Symbol, Expr]) -> bool:
    """Whether no root or logarithm of a negative number occurs, which complex arithmetic would let pass."""
    if isinstance(expression, Piecewise) or not expression.args:
        return True
    fractional = isinstance(expression, Pow) and expression.exp.is_Rational and not expression.exp.is_Integer
    if fractional or isinstance(expression, log):
        inner = sign(expression.args[0].subs(dict(point), simultaneous=True))
        if inner is None or inner < 0 or (inner == 0 and isinstance(expression, log)):
            return False
    return all(_is_real(part, point) for part in expression.args)


def sign(number: Expr) -> int | None:
    """The sign of a closed real expression: -1, 0 or 1, or None when it is undefined or cannot be decided.

    >>> from sympy import pi, sqrt
    >>> sign(sqrt(2) + sqrt(3) - sqrt(5 + 2*sqrt(6))), sign(pi - Rational(22, 7)), sign(nan)
    (0, -1, None)
    """
    if number.has(nan, zoo, oo, -oo, I, AccumBounds) or number.free_symbols:
        return None
    if isinstance(number, Rational):
        return (number.p > 0) - (number.p < 0)
    nonzero = _enclosed_sign(number)
    return nonzero if nonzero is not None else _exact_zero(number)


def _enclosed_sign(number: Expr) -> int | None:
    from flint import ctx

    try:
        evaluate = _number_kernel(number)
    except LemmascopeError:
        return None
    previous = ctx.prec
    try:
        for precision in PRECISIONS:
            ctx.prec = precision
            (ball,) = evaluate()
            if ball.is_finite() and not ball.contains(0):
                return 1 if ball > 0 else -1
    finally:
        ctx.prec = previous
    return None


def _exact_zero(number: Expr) -> int | None:
    """0 when the minimal polynomial of an algebraic number is x itself; None when that cannot be shown."""
    if number.has(Abs, Max, Min, Piecewise) or number.is_algebraic is not True:
        return None
    if _vanishes_with_its_root(number):
        return 0
    variable = Symbol("_")
    try:
        minimal = PurePoly(minimal_polynomial(number, variable), variable)
    except (NotAlgebraic, NotImplementedError, ZeroDivisionError):
        return None
    return 0 if minimal == PurePoly(Poly(variable, variable, domain=QQ)) else None


def _vanishes_with_its_root(number: Expr) -> bool:
    """Whether a polynomial in one root is divisible by the polynomial of that root: quicker than a minimal one."""
    roots = number.atoms(CRootOf)
    if len(roots) != 1:
        return False
    (root,) = roots
    variable = Symbol("_")
    polynomial = number.xreplace({root: variable}).as_poly(variable)
    if polynomial is None or not (polynomial.domain.is_QQ or polynomial.domain.is_ZZ):
        return False
    return polynomial.rem(Poly(root.poly.as_expr(variable), variable, domain=QQ)).is_zero
