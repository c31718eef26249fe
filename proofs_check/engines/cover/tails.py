"""Signs on unbounded boxes: by the intervals of the kernel, and after division by dominant monomials."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from flint import arb
from sympy import Add, Expr, Integer, Mul, Poly, Pow, Rational, Symbol, exp, expand, log
from sympy.polys.polyerrors import PolynomialError

from proofs_check.kernel.formula_trees import MASKS
from proofs_check.kernel.intervals import Interval, UndefinedError, evaluate
from theory.language.functions import entry_of

Sides = Mapping[Symbol, tuple[float, float]]
NONE = Integer(0)


def signs(expression: Expr, sides: Sides) -> int | None:
    """The signs that the kernel finds for an expression on a box, or None where it may be undefined.

    >>> from sympy import Symbol, exp
    >>> x = Symbol("x")
    >>> from proofs_check.kernel.formula_trees import PLUS
    >>> signs(1 - x * exp(-x), {x: (2.0, float("inf"))}) == PLUS
    True
    """
    try:
        found = evaluate(expression, {symbol: Interval(arb(low), arb(high)) for symbol, (low, high) in sides.items()})
    except UndefinedError:
        return None
    return sum(MASKS[sign] for sign in found.sign())


@dataclass(frozen=True, order=True)
class Monomial:
    """x -> exp(quadratic x^2 + linear x) x^power log(x)^logs, ordered by growth."""

    quadratic: Rational = NONE
    linear: Rational = NONE
    power: Rational = NONE
    logs: int = 0

    @classmethod
    def of(cls, product: Expr, x: Symbol) -> tuple[Monomial, Expr] | None:
        """The monomial in x that a product contains, and what is left of the product."""
        quadratic, linear, power, logs = Integer(0), Integer(0), Integer(0), 0
        left: list[Expr] = []
        for part in Mul.make_args(product):
            base, exponent = part.as_base_exp()
            if base == x and exponent.is_Rational:
                power += exponent
            elif isinstance(part, exp) and (shape := _quadratic(part.args[0], x)) is not None:
                quadratic, linear = quadratic + shape[0], linear + shape[1]
                left.append(exp(shape[2]))
            elif base == log(x) and exponent.is_Integer:
                logs += int(exponent)
            else:
                left.append(part)
        found = cls(quadratic, linear, power, logs)
        return None if found == cls() else (found, Mul(*left))

    def times(self, other: Monomial) -> Monomial:
        """The product of two monomials."""
        return Monomial(
            self.quadratic + other.quadratic, self.linear + other.linear,
            self.power + other.power, self.logs + other.logs,
        )  # fmt: skip

    def expression(self, x: Symbol) -> Expr:
        """The monomial as an expression."""
        return x**self.power * exp(self.quadratic * x**2 + self.linear * x) * log(x) ** self.logs


def _quadratic(argument: Expr, x: Symbol) -> tuple[Rational, Rational, Expr] | None:
    try:
        polynomial = Poly(argument, x)
    except PolynomialError:
        return None
    if polynomial.degree() > 2 or any(c.has(x) for c in polynomial.all_coeffs()):
        return None
    a, b, c = polynomial.coeff_monomial(x**2), polynomial.coeff_monomial(x), polynomial.coeff_monomial(1)
    return (a, b, c) if a.is_Rational and b.is_Rational else None


def growth(expression: Expr, x: Symbol) -> Monomial | None:
    """A monomial that grows no slower than the expression does, None when that is not known."""
    if not expression.has(x):
        return Monomial()
    if isinstance(expression, Add):
        parts = [growth(term, x) for term in expression.args]
        return None if None in parts else max(part for part in parts if part is not None)
    if isinstance(expression, Mul):
        total = Monomial()
        for part in expression.args:
            one = growth(part, x)
            if one is None:
                return None
            total = total.times(one)
        return total
    direct = Monomial.of(expression, x)
    if direct is not None and direct[1] == 1:
        return direct[0]
    if isinstance(expression, Pow) and expression.exp.is_Rational:
        base = growth(expression.base, x)
        if base is None or (base.logs and not expression.exp.is_Integer):
            return None
        n = expression.exp
        return Monomial(base.quadratic * n, base.linear * n, base.power * n, int(base.logs * n))
    if isinstance(expression, log):
        inner = growth(expression.args[0], x)
        if inner is None or inner < Monomial():
            return None
        return Monomial(power=Integer(2 if inner.quadratic else 1 if inner.linear else 0), logs=int(bool(inner.power)))
    entry = entry_of(expression)
    return Monomial() if entry is not None and all(bound.is_finite for bound in entry.bounds) else None


def dominated(expression: Expr, x: Symbol, sides: Sides) -> tuple[int, list[str]] | None:
    """Signs of an expression on an unbounded box after division by its dominant monomial, which is positive."""
    if sides[x][0] <= 1:
        return None
    leading = growth(expression, x)
    if leading is None or leading == Monomial():
        return None
    inverse = Monomial(-leading.quadratic, -leading.linear, -leading.power, -leading.logs)
    scaled = expand(expand(expression) * inverse.expression(x))
    found = signs(scaled, sides)
    parts = (inverse.quadratic, inverse.linear, inverse.power, inverse.logs)
    return None if found is None else (found, [str(part) for part in parts])
