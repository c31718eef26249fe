"""Enclosures on unbounded boxes: intervals whose upper ends may be infinite, and division by dominant monomials.

Products of powers, exponentials and logarithms of one unbounded variable are enclosed together, because such a
monomial is monotone from some point on; that is what makes x**2 * exp(-x) small although x**2 is not.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isinf

from flint import arb
from sympy import Add, Expr, Integer, Mul, Poly, Pow, Rational, Symbol, exp, expand, log
from sympy.core.relational import Ge, Gt, Le, Lt, Ne, Relational
from sympy.polys.polyerrors import PolynomialError

from numerics import compile_ball, interval
from proofs_check.engines.cover.formulas import ANY, MINUS, PLUS, ZERO
from theory.language.balls import between, number
from theory.language.definedness import conditions_of
from theory.language.functions import entry_of

Sides = Mapping[Symbol, tuple[float, float]]
Range = tuple[arb, arb]
INFINITY = arb("inf")
NONE = Integer(0)


def enclose(expression: Expr, sides: Sides) -> Range | None:
    """The lower and upper end of an expression on a box, or None where it may be undefined.

    >>> from sympy import Symbol, exp
    >>> x = Symbol("x")
    >>> [round(float(end), 6) for end in enclose(x * exp(-x), {x: (2.0, float("inf"))})]
    [0.0, 0.270671]
    """
    unbounded = [symbol for symbol in expression.free_symbols if isinf(sides[symbol][1])]
    if not unbounded:
        return _bounded(expression, sides)
    if isinstance(expression, Symbol):
        low, _ = sides[expression]
        return arb(low), INFINITY
    if isinstance(expression, Add):
        return _sum([enclose(term, sides) for term in expression.args])
    if isinstance(expression, Mul):
        return _monomial_product(expression, sides)
    if isinstance(expression, Pow):
        return _power(expression, sides)
    return _function(expression, sides)


def _bounded(expression: Expr, sides: Sides) -> Range | None:
    symbols = sorted(expression.free_symbols, key=str)
    balls = [interval(arb(sides[s][0]), arb(sides[s][1])) for s in symbols]
    (value,) = compile_ball([expression], symbols)(*balls)
    return (value.lower(), value.upper()) if value.is_finite() else None


def _sum(parts: list[Range | None]) -> Range | None:
    low, high = arb(0), arb(0)
    for part in parts:
        if part is None:
            return None
        low, high = low + part[0], high + part[1]
    return _low(low), _high(high)


def _low(value: arb) -> arb:
    return -INFINITY if value.is_nan() else value.lower()


def _high(value: arb) -> arb:
    return INFINITY if value.is_nan() else value.upper()


def _times(a: Range, b: Range) -> Range:
    products = [_end_product(x, y) for x in a for y in b]
    return _least([_low(p) for p in products]), -_least([-_high(p) for p in products])


def _end_product(x: arb, y: arb) -> arb:
    return arb(0) if x.is_zero() or y.is_zero() else x * y


def _least(ends: list[arb]) -> arb:
    smallest = ends[0]
    for end in ends[1:]:
        smallest = min(smallest, end)
    return smallest


def _monomial_product(expression: Mul, sides: Sides) -> Range | None:
    result: Range = (arb(1), arb(1))
    rest = list(expression.args)
    for symbol in sorted(expression.free_symbols, key=str):
        if isinf(sides[symbol][1]):
            together = Monomial.of(Mul(*rest), symbol)
            if together is not None:
                monomial, left = together
                found = monomial.range_beyond(sides[symbol][0])
                if found is not None:
                    result = _times(result, found)
                    rest = list(Mul.make_args(left))
    for part in rest:
        found = enclose(part, sides)
        if found is None:
            return None
        result = _times(result, found)
    return result


def _power(expression: Pow, sides: Sides) -> Range | None:
    base, exponent = expression.base, expression.exp
    if not isinstance(exponent, Rational):
        return enclose(exp(exponent * log(base), evaluate=False), sides) if base != exp(1) else None
    found = enclose(base, sides)
    if found is None:
        return None
    low, high = found
    if exponent.is_negative:
        if not (low > 0 or high < 0):
            return None
        low, high = _reciprocal(high), _reciprocal(low)
        exponent = -exponent
    if exponent.q != 1:
        if not low >= 0:
            return None
        return _low(_rooted(low, exponent)), _high(_rooted(high, exponent))
    n = int(exponent)
    ends = (_whole_power(low, n), _whole_power(high, n))
    if n % 2:
        return _low(ends[0]), _high(ends[1])
    if low >= 0:
        return _low(ends[0]), _high(ends[1])
    if high <= 0:
        return _low(ends[1]), _high(ends[0])
    return arb(0), -_least([-_high(end) for end in ends])


def _reciprocal(value: arb) -> arb:
    return 1 / value if value.is_finite() else arb(0)


def _rooted(value: arb, exponent: Rational) -> arb:
    return value if not value.is_finite() else _whole_power(value.root(int(exponent.q)), int(exponent.p))


def _whole_power(value: arb, n: int) -> arb:
    if not value.is_finite():
        return value if n % 2 or value > 0 else -value
    result = arb(1)
    for _ in range(n):
        result *= value
    return result


def _function(expression: Expr, sides: Sides) -> Range | None:
    """A function of one argument by the ends of its argument and the places where it turns."""
    entry = entry_of(expression)
    if entry is None or len(expression.args) != 1 or not _is_defined(expression, sides):
        return None
    found = enclose(expression.args[0], sides)
    others = map(number, entry.completed(expression.args)[1:])
    return None if found is None else between(entry, [arb(0), *others], *found)


def _is_defined(expression: Expr, sides: Sides) -> bool:
    """Whether the function has a value on the whole box."""
    for condition in conditions_of(expression) or ():
        found = enclose(condition.lhs - condition.rhs, sides) if isinstance(condition, Relational) else None
        if found is None or signs(found) & ~_ALLOWED[condition.func]:
            return False
    return conditions_of(expression) is not None


_ALLOWED = {Gt: PLUS, Ge: PLUS | ZERO, Lt: MINUS, Le: MINUS | ZERO, Ne: PLUS | MINUS}


def signs(found: Range) -> int:
    """The signs that a range allows."""
    low, high = found
    if low > 0:
        return PLUS
    if high < 0:
        return MINUS
    if low >= 0:
        return PLUS | ZERO
    return MINUS | ZERO if high <= 0 else ANY


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

    def at(self, start: float) -> arb:
        """Its value, as a ball."""
        x = Symbol("x")
        (value,) = compile_ball([self.expression(x)], [x])(arb(start))
        return value

    def range_beyond(self, start: float) -> Range | None:
        """What it takes on [start, infinity), when it is monotone there."""
        if start < 0 or (start == 0 and (self.power < 0 or self.logs)) or (self.logs and start <= 1):
            return None
        rising = self.quadratic >= 0 and self.linear >= 0 and self.power >= 0 and self.logs >= 0
        if rising:
            return self.at(start).lower(), INFINITY
        if start == 0:
            return None if self.power or self.quadratic > 0 or self.linear > 0 else (arb(0), arb(1))
        if not self._falls_from(start) or self >= Monomial():
            return None
        return arb(0), self.at(start).upper()

    def _falls_from(self, start: float) -> bool:
        """The derivative of the logarithm is negative from the start on: each of its rising parts decreases."""
        if self.quadratic > 0 or (self.linear > 0 and self.quadratic == 0):
            return False
        x = arb(start)
        slope = _number(self.quadratic) * 2 * x + _number(self.linear) + _number(self.power) / x
        if self.logs:
            slope += self.logs / (x * x.log())
        if self.quadratic == 0 and self.linear == 0:
            # here the slope times x is power + logs / log(x), whose second part decreases when logs > 0
            return bool(self.power < 0 and (self.logs <= 0 or slope < 0))
        falling_parts = self.power >= 0 and self.logs >= 0
        return bool(slope < 0) if falling_parts else self._each_part_falls()

    def _each_part_falls(self) -> bool:
        return self.quadratic <= 0 and self.linear <= 0 and self.power <= 0 and self.logs <= 0


def _number(value: Rational) -> arb:
    return arb(int(value.p)) / int(value.q)


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
    found = enclose(scaled, sides)
    if found is None:
        return None
    parts = (inverse.quadratic, inverse.linear, inverse.power, inverse.logs)
    return signs(found), [str(part) for part in parts]
