"""Truth at a point, without rounding: rationals exactly, everything else in balls of growing precision.

An equality between irrational numbers is only called true when exact algebra says so, and anything that cannot be
decided is None, never a guess.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from math import ceil, lcm, log2
from typing import Any

from sympy import (
    AccumBounds,
    Add,
    CRootOf,
    Derivative,
    Expr,
    I,
    Integer,
    Mul,
    Piecewise,
    Pow,
    Rational,
    Subs,
    Symbol,
    cos,
    gamma,
    log,
    nan,
    oo,
    pi,
    sin,
    zoo,
)
from sympy.core.relational import Relational
from sympy.functions.combinatorial.factorials import CombinatorialFunction
from sympy.logic.boolalg import And, Boolean, BooleanTrue, Equivalent, Implies, Not, Or

import numerics
from theory.errors import LemmascopeError
from theory.language.definedness import surely_undefined, undefined
from theory.language.formulas import compared, joined

PRECISIONS = (64, 256, 1024, 4096)
_MOST_BITS = 100_000
_SPARE_BITS = 64
_LARGEST_POWER = 1000


def holds(formula: Boolean, point: Mapping[Symbol, Expr]) -> bool | None:
    """Whether a plain formula is true at an exact point; None when that cannot be decided.

    >>> from sympy import Eq, Rational, Symbol, exp, sqrt
    >>> x = Symbol("x")
    >>> holds(exp(x) > 1 + x, {x: Rational(1, 10**9)})
    True
    >>> holds(Eq(x**2, 2), {x: sqrt(2)})
    True
    """
    return _truth(formula, lambda relation: _relation_holds(relation, point))


def has_no_value(formula: Boolean, point: Mapping[Symbol, Expr]) -> bool:
    """Whether a plain formula certainly has no value at a point: a number too large to be written down still is one.

    >>> from sympy import Symbol, exp
    >>> x = Symbol("x")
    >>> has_no_value(log(x) < 1, {x: Integer(-1)}), has_no_value(exp(exp(exp(x))) > x, {x: Integer(100)})
    (True, False)
    """
    if holds(formula, point) is not None:
        return False
    return any(holds(place, point) is True for place in places_without_value(formula))


def places_without_value(formula: Boolean) -> list[Boolean]:
    """Conditions under which a relation of a plain formula is known to have no value.

    >>> from sympy import Symbol
    >>> x = Symbol("x")
    >>> places_without_value(Piecewise((x, x < 0), (2, x > 0)) <= 2)
    [(x >= 0) & (x <= 0)]
    """
    if isinstance(formula, Relational):
        return [place for place in surely_undefined(formula) if not isinstance(place, BooleanTrue)]
    parts = formula.args if isinstance(formula, (And, Or, Not, Implies, Equivalent)) else ()
    return list(dict.fromkeys(place for part in parts for place in places_without_value(part)))


def _truth(formula: Boolean, leaf: Callable[[Relational], bool | None]) -> bool | None:
    if isinstance(formula, Relational):
        return leaf(formula)
    if isinstance(formula, (And, Or)):
        return _first_decisive(formula, leaf, decisive=isinstance(formula, Or))
    return joined(formula, [_truth(part, leaf) for part in formula.args])


def _first_decisive(formula: Boolean, leaf: Callable[[Relational], bool | None], *, decisive: bool) -> bool | None:
    """Short parts first: one of them often settles what a long one takes long to tell."""
    whole: bool | None = not decisive
    for part in sorted(formula.args, key=_length):
        value = _truth(part, leaf)
        if value is decisive:
            return decisive
        whole = None if value is None else whole
    return whole


@lru_cache(maxsize=4096)
def _length(formula: Boolean) -> int:
    return int(formula.count_ops())


def _relation_holds(relation: Relational, point: Mapping[Symbol, Expr]) -> bool | None:
    if relation.has(Derivative, Subs):
        if any(holds(place, point) is not False for place in undefined(relation)):
            return None
        relation = relation.func(*(side.doit() for side in relation.args), evaluate=False)
    try:
        left, right = (_fraction(side, point) for side in relation.args)
    except ZeroDivisionError:
        return None
    known = left is not None and right is not None
    value = (left > right) - (left < right) if known else _enclosed_difference(relation, point)
    if value is None:
        try:
            if not all(_can_be_written(side, point) and _is_real(side, point) for side in relation.args):
                return None
            left, right = (side.subs(dict(point), simultaneous=True) for side in relation.args)
        except (TypeError, ValueError):  # SymPy refuses to compare or to choose among what is not real
            return None
        value = sign(left - right)
    return None if value is None else compared(relation.func, {value})


def _fraction(part: Expr, point: Mapping[Symbol, Expr]) -> Any:
    """The value of a rational expression at a rational point; None for everything else."""
    from flint import fmpq

    if isinstance(part, Symbol):
        part = point.get(part, part)
    if isinstance(part, Rational):
        return fmpq(int(part.p), int(part.q))
    if isinstance(part, (Add, Mul)):
        add = isinstance(part, Add)
        total = fmpq(0 if add else 1)
        for one in part.args:
            value = _fraction(one, point)
            if value is None:
                return None
            total = total + value if add else total * value
        return total
    if isinstance(part, Pow) and isinstance(part.exp, Integer) and abs(part.exp) < _LARGEST_POWER:
        base = _fraction(part.base, point)
        return None if base is None else base ** int(part.exp)
    return None


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
            # a power with a huge exponent has no finite ball before its digits are known
            finite = left.is_finite() and right.is_finite() and difference.is_finite()
            if finite and not difference.contains(0):
                return 1 if difference > 0 else -1
    finally:
        ctx.prec = previous
    return None


@lru_cache(maxsize=4096)
def _kernel(relation: Relational) -> tuple[Callable[..., Any], tuple[Symbol, ...]] | None:

    arguments = tuple(sorted(relation.free_symbols, key=lambda symbol: symbol.name))
    try:
        return numerics.compile_ball(
            [*relation.args, relation.lhs - relation.rhs], arguments, arranged=False
        ), arguments
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

    return numerics.compile_ball([number], [])


def _can_be_written(expression: Expr, point: Mapping[Symbol, Expr]) -> bool:
    """Whether no power or factorial becomes a number with more digits than fit into memory."""
    for part in expression.atoms(Pow, CombinatorialFunction, gamma):
        for grown in part.args[1:] if isinstance(part, Pow) else part.args:
            value = _fraction(grown, point) if grown.free_symbols else None
            if value is not None and abs(value) > _MOST_BITS:
                return False
    return True


def _is_real(expression: Expr, point: Mapping[Symbol, Expr]) -> bool:
    """Whether no root or logarithm of a negative number occurs, which complex arithmetic would let pass."""
    if not expression.args:
        return True
    if isinstance(expression, Piecewise):
        for branch, condition in expression.args:
            truth = holds(condition, point)
            if truth is not False:
                return truth is True and _is_real(branch, point)
        return False
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
    except OverflowError:  # a root or a power too large for a machine word
        return None
    finally:
        ctx.prec = previous
    return None


def _exact_zero(number: Expr) -> int | None:
    """0 when an algebraic number is closer to 0 than any that is not 0 could be; None when that cannot be shown."""
    from flint import ctx

    size = separation(number)
    if size is None or size > _MOST_BITS:
        return None
    previous = ctx.prec
    try:
        ctx.prec = size + _SPARE_BITS
        (ball,) = _number_kernel(number)()
        return 0 if ball.is_finite() and abs(ball) * 2**size < 1 else None
    except (LemmascopeError, OverflowError):
        return None
    finally:
        ctx.prec = previous


def separation(number: Expr) -> int | None:
    """A number of bits b such that an algebraic number other than 0 is at least 2^-b; None for other numbers.

    By the bound of Burnikel, Funke, Mehlhorn, Schirra and Schmitt: the number is a quotient of algebraic integers, all
    of whose conjugates are bounded on the way up the expression, and its degree is at most the product of the degrees
    of its different roots.

    >>> from sympy import sqrt
    >>> separation(sqrt(2) - 1), separation(Rational(3, 8))
    (3, 4)
    """
    degrees: dict[Expr, int] = {}
    bounds = _conjugates(number, degrees)
    if bounds is None:
        return None
    above, below = bounds
    degree = 1
    for one in degrees.values():
        degree *= one
    return ceil(below + (degree - 1) * max(above, 0.0)) + 1


def _conjugates(part: Expr, degrees: dict[Expr, int]) -> tuple[float, float] | None:
    """Logarithms of bounds on the conjugates of numerator and denominator, both algebraic integers."""
    if isinstance(part, Rational):
        return log2(abs(int(part.p)) + 1), log2(int(part.q))
    if isinstance(part, CRootOf):
        coefficients = [abs(int(c)) for c in part.poly.all_coeffs()]
        degrees[part] = len(coefficients) - 1
        return log2(coefficients[0] + max(coefficients)), log2(coefficients[0])
    if isinstance(part, (sin, cos)) and (part.args[0] / pi).is_Rational:
        # all of them lie in one field of roots of unity, and twice each is an integer of it
        degrees[pi] = lcm(degrees.get(pi, 1), 4 * int((part.args[0] / pi).q))
        return 1.0, 1.0
    if isinstance(part, (Add, Mul)):
        known = [_conjugates(one, degrees) for one in part.args]
        found = [bounds for bounds in known if bounds is not None]
        if len(found) < len(known):
            return None
        below = sum(bounds[1] for bounds in found)
        if isinstance(part, Mul):
            return sum(bounds[0] for bounds in found), below
        return max(bounds[0] - bounds[1] for bounds in found) + below + log2(len(found)), below
    if isinstance(part, Pow) and isinstance(part.exp, Rational):
        return _conjugates_of_power(part, degrees)
    return None


def _conjugates_of_power(part: Expr, degrees: dict[Expr, int]) -> tuple[float, float] | None:
    inner = _conjugates(part.base, degrees)
    if inner is None:
        return None
    above, below = inner
    times, index = int(part.exp.p), int(part.exp.q)
    if index > 1:
        degrees[Pow(part.base, Rational(1, index))] = index
        if above >= below:
            above = (above + (index - 1) * below) / index
        else:
            below = ((index - 1) * above + below) / index
    above, below = above * abs(times), below * abs(times)
    return (above, below) if times > 0 else (below, above)
