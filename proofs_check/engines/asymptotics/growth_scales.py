"""Beyond power series: what log(e), roots of e, absolute values and exp(-1/e) do to the sign of an expression.

For small positive e, exp(-c/e^k) is smaller than every power of e, and 1/|log e| larger than every one. An expression
that is a polynomial in these, with coefficients that have Laurent series, has the sign of the coefficient of its
largest product. Roots become powers of a smaller symbol, and kinks become cases; both say exactly the same.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from math import gcd, lcm

from sympy import (
    Abs,
    Add,
    And,
    Dummy,
    Expr,
    Ge,
    I,
    Le,
    Max,
    Min,
    Or,
    Poly,
    Pow,
    Rational,
    Symbol,
    exp,
    expand,
    log,
)
from sympy.logic.boolalg import Boolean
from sympy.polys.polyerrors import PolynomialError

from proofs_check.engines.cover.factoring import is_zero
from theory.temporal import Quantifier

_MOST_CASES = 4


def plainly(body: Boolean, small: Symbol) -> Boolean:
    """The same claim about a small positive symbol without roots of it and without kinks, as far as that goes.

    >>> from sympy import sqrt
    >>> e = Symbol("e")
    >>> plainly(sqrt(e) > e, e), plainly(Abs(e - 1) > e, e)
    (e > e**2, ((e - 1 >= 0) & (e - 1 > e)) | ((e - 1 <= 0) & (1 - e > e)))
    """
    body = body.replace(
        lambda part: isinstance(part, (Pow, log)), lambda part: _without_power(part, small), simultaneous=False
    )
    powers = [part.exp for part in body.atoms(Pow) if part.base == small and part.exp.is_Rational]
    root = lcm(1, *[int(power.q) for power in powers])
    if root > 1:
        positive = Dummy(positive=True)
        body = body.subs(small, positive**root).replace(log, _log_of_power).xreplace({positive: small})
    return _by_cases(body, small)


def _log_of_power(argument: Expr) -> Expr:
    base, power = argument.as_base_exp()
    return power * log(base) if base.is_positive else log(argument)


def _without_power(part: Expr, small: Symbol) -> Expr:
    """log(e^k w) = k log(e) + log(w) and (e^k w)^r = e^(k r) w^r, where w has a value other than 0 at 0."""
    inside = part.args[0]
    rooted = isinstance(part, log) or (part.exp.is_Rational and part.exp.q > 1)
    if not rooted or inside == small or not inside.has(small) or not inside.is_polynomial(small):
        return part
    order = min(power for (power,) in inside.as_poly(small).monoms())
    if order == 0:
        return part
    rest = Add(*[term / small**order for term in Add.make_args(expand(inside))])
    split = log(rest) if isinstance(part, log) else rest**part.exp
    if split.has(I):
        return part
    return order * log(small) + split if isinstance(part, log) else small ** (order * part.exp) * split


def _by_cases(body: Boolean, small: Symbol, depth: int = 0) -> Boolean:
    if body.atoms(Quantifier) or depth > _MOST_CASES:
        return body  # a case may depend on a bound symbol
    kinks = [part for part in body.atoms(Abs, Max, Min) if part.has(small) and not part.args[0].has(Abs, Max, Min)]
    if not kinks:
        return body
    kink = min(kinks, key=lambda part: (part.count_ops(), str(part)))
    if isinstance(kink, Abs):
        inside = kink.args[0]
        cases = [(Ge(inside, 0), inside), (Le(inside, 0), -inside)]
    else:
        largest = isinstance(kink, Max)
        cases = [
            (And(*[(Ge if largest else Le)(value, other) for other in kink.args if other != value]), value)
            for value in kink.args
        ]
    return Or(*[And(when, _by_cases(body.xreplace({kink: value}), small, depth + 1)) for when, value in cases])


@dataclass(frozen=True)
class Gauges:
    """An expression as powers of the flat function and of |log e|, with coefficients that have neither.

    >>> e = Symbol("e")
    >>> Gauges.of(e * log(e) + exp(-2 / e) / e, e).terms
    {(1, 0): 1/e, (0, 1): -e}
    """

    terms: dict[tuple[int, int], Expr]

    @classmethod
    def of(cls, expression: Expr, small: Symbol) -> Gauges | None:
        """The terms of a polynomial in log(e) and exp(-c/e^k); None for other expressions."""
        slow, flat = Dummy("slow"), Dummy("flat")
        poles = {part: pole for part in expression.atoms(exp) if (pole := _pole(part.args[0], small)) is not None}
        if len({power for _, power, _ in poles.values()}) > 1:
            return None
        unit = reduce(_common, (abs(number) for number, _, _ in poles.values()), Rational(0))
        change = {part: flat ** (-number / unit) * exp(rest) for part, (number, _, rest) in poles.items()}
        written = expand(expression.xreplace({log(small): -slow, **change}))
        lowest = min((part.exp for part in written.atoms(Pow) if part.base == flat and part.exp.is_Integer), default=0)
        written = expand(written * flat ** max(0, -lowest))
        try:
            polynomial = Poly(written, flat, slow)
        except PolynomialError:
            return None
        if any(coefficient.has(flat, slow) for coefficient in polynomial.coeffs()):
            return None
        return cls({powers: coefficient for powers, coefficient in polynomial.terms() if not is_zero(coefficient)})

    def leading(self, order_and_lead: Callable[[Expr], tuple[int, Expr] | None]) -> Expr | None:
        """The coefficient of the largest product: the flat function first, then powers of e, then of |log e|.

        All coefficients must have series, also those that do not matter for the sign: they must have values.
        """
        found: list[tuple[int, int, int, Expr]] = []
        for (flat, slow), coefficient in self.terms.items():
            series = order_and_lead(coefficient)
            if series is None:
                return None
            found.append((flat, series[0], -slow, series[1]))
        return min(found, key=lambda item: item[:3])[3] if found else None


def occur(expression: Expr, small: Symbol) -> bool:
    """Whether log(e) or a flat function of e occurs in an expression."""
    if expression.has(log(small)):
        return True
    return any(_pole(part.args[0], small) is not None for part in expression.atoms(exp))


def _pole(argument: Expr, small: Symbol) -> tuple[Rational, int, Expr] | None:
    """A rational number c, a power k and the rest of an argument c / e^k + rest, where one term alone is like that."""
    if not argument.has(small):
        return None
    found, rest = [], []
    for term in Add.make_args(expand(argument)):
        number, power = term.as_coeff_exponent(small)
        if power.is_Integer and power.is_negative and number.is_Rational:
            found.append((number, -int(power)))
        else:
            rest.append(term)
    return (*found[0], Add(*rest)) if len(found) == 1 else None


def _common(first: Rational, second: Rational) -> Rational:
    """The largest number of which both are multiples."""
    denominator = lcm(int(first.q), int(second.q))
    return Rational(gcd(int(first * denominator), int(second * denominator)), denominator)
