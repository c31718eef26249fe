"""Taylor coefficients at 0 by repeated differentiation, and quotients inside of functions that have values there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import sympy as sp
from sympy import Add, Expr, Integer, Mul, Pow, Rational, Symbol, exp, log, oo

from proofs_check.kernel.cover_signs import same
from proofs_check.kernel.fields import lowest, quotient
from theory.temporal import put_at_once

HIGHEST = 14


def coefficients(expression: Expr, small: Symbol, count: int = HIGHEST) -> Iterator[tuple[int, Expr]]:
    """So many orders with their coefficients.

    >>> e = Symbol("e")
    >>> list(coefficients((1 + e) ** 2, e, 3))
    [(0, 1), (1, 2), (2, 1)]
    """
    if _is_rational_polynomial(expression):
        yield from _polynomial_coefficients(expression, small, count)
        return
    slope = expression
    for order in range(count):
        yield order, put_at_once(slope, {small: Integer(0)}) / sp.factorial(order)
        slope = sp.diff(slope, small)


def _is_rational_polynomial(expression: Expr) -> bool:
    numbers = all(isinstance(part, (Symbol, Rational)) for part in expression.atoms())
    powers = all(part.exp.is_Integer for part in expression.atoms(Pow))
    return numbers and powers and not expression.atoms(sp.Function) and bool(expression.is_polynomial())


def _polynomial_coefficients(expression: Expr, small: Symbol, count: int) -> Iterator[tuple[int, Expr]]:
    """Coefficients of a nested polynomial, multiplied out in a polynomial ring and cut off above the last order."""
    others = sorted(expression.free_symbols - {small}, key=str)
    domain = sp.ring([small, *others], sp.QQ)[0]

    def cut(element: Any) -> Any:
        kept = {powers: value for powers, value in element.terms() if powers[0] < count}
        return domain.from_dict(kept)

    def element(part: Expr) -> Any:
        if isinstance(part, Add):
            return sum((element(term) for term in part.args), domain.zero)
        if isinstance(part, Mul):
            product = domain.one
            for one in part.args:
                product = cut(product * element(one))
            return product
        if isinstance(part, Pow):
            base, power = element(part.base), domain.one
            for _ in range(int(part.exp)):
                power = cut(power * base)
            return power
        return domain.from_expr(part)

    terms = element(expression).terms()
    for order in range(count):
        found = {(0, *powers[1:]): value for powers, value in terms if powers[0] == order}
        yield order, domain.from_dict(found).as_expr()


def first(expression: Expr, small: Symbol) -> tuple[int, Expr] | None:
    """The order of the first coefficient that does not vanish, and that coefficient."""
    for order, value in coefficients(expression, small):
        if not value.is_finite and not value.free_symbols:
            return None
        if not same(value, Integer(0)):
            return order, lowest(value)
    return None


def has_value(expression: Expr, small: Symbol) -> bool:
    """Whether 0 can be put in for the small symbol."""
    value = put_at_once(expression, {small: Integer(0)})
    return value.is_finite is not False and not value.has(oo, -oo, sp.nan, sp.zoo)


def continued(expression: Expr, small: Symbol, allowed: Callable[[Expr, Expr, Expr], bool]) -> Expr | None:
    """Quotients inside of functions that have a limit at 0 replaced by their polynomials of the highest order.

    What is computed from the result up to that order is right, as long as numerator, denominator and the leading
    coefficient of the denominator are allowed. None where some quotient has no limit.

    >>> e = Symbol("e")
    >>> continued((1 + e) ** (1 / e), e, lambda *_: True).xreplace({e: Integer(0)})
    E
    """
    powers = {part for part in expression.atoms(Pow) if part.exp.has(small) and not has_value(part.exp, small)}
    expression = expression.xreplace({part: exp(part.exp * log(part.base), evaluate=False) for part in powers})
    while True:
        bad = [
            use
            for use in expression.atoms(sp.Function)
            if use.has(small) and not all(has_value(argument, small) for argument in use.args)
        ]
        if not bad:
            return expression
        use = min(bad, key=lambda one: one.count_ops())
        polynomials = [_polynomial(argument, small, allowed) for argument in use.args]
        if None in polynomials:
            return None
        expression = expression.xreplace({use: use.func(*polynomials)})


def _polynomial(inside: Expr, small: Symbol, allowed: Callable[[Expr, Expr, Expr], bool]) -> Expr | None:
    above, below = quotient(inside)
    if not (has_value(above, small) and has_value(below, small)):
        return None
    last = first(below, small)
    if last is None or not allowed(above, below, last[1]):
        return None
    order, lead = last
    upper, lower = ([value for _, value in coefficients(part, small, HIGHEST + order)] for part in (above, below))
    if not all(same(value, Integer(0)) for value in upper[:order]):
        return None
    found: list[Expr] = []
    for place in range(HIGHEST):
        rest = upper[place + order] - Add(*[found[k] * lower[place + order - k] for k in range(place)])
        found.append(lowest(rest / lead))
    return Add(*[value * small**place for place, value in enumerate(found)])
