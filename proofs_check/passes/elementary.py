"""Elementary functions through their algebraic relations.

Exponentials become powers of one positive symbol per independent exponent, sines and cosines become polynomials in
one point of the unit circle per independent angle, hyperbolic functions follow from exponentials, and logarithms
split over factors known to be positive.
"""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

import sympy as sp
from sympy import E, Expr, Rational, S, Symbol, cos, exp, log, pi, sin
from sympy.logic.boolalg import Boolean

from proofs_check.kernel.formulas import TRUE, Formula, Sign, Term, all_of, any_of
from proofs_check.passes.linear_parts import canonical, common_unit, linear_parts
from theory.errors import LemmascopeError
from theory.language.definedness import conditions_of
from theory.language.entries import Entry
from theory.language.functions import circular, entry_of, hyperbolic
from theory.polynomials import Ring

if TYPE_CHECKING:
    from proofs_check.passes.elimination import Elimination

_LARGEST_MULTIPLE = 24
_CLEAN_ANGLES = (1, 2, 3, 4, 5, 6, 8, 10, 12)


class Elementary:
    """The elementary part of an elimination; `scan` first sees every formula, to find common units of arguments."""

    def __init__(self, elimination: Elimination) -> None:
        self._elimination = elimination
        self._units: dict[tuple[str, Expr], list[Rational]] = {}
        self._exponentials: dict[Expr, Symbol] = {}
        self._exponents: dict[Symbol, Expr] = {}
        self._angles: dict[Expr, tuple[Symbol, Symbol]] = {}
        self._logarithms: dict[Expr, Symbol] = {}

    def scan(self, formula: Boolean) -> None:
        """Note the coefficients with which exponents and angles occur."""
        for part in formula.atoms(exp):
            self._note("exponent", linear_parts(part.args[0]), 1)
        for part in formula.atoms(*hyperbolic()):
            entry = entry_of(part)
            factor = 1 if entry is None or entry.exponential is None else entry.exponential[0]
            self._note("exponent", linear_parts(part.args[0]), factor)
        for part in formula.atoms(*circular()):
            self._note("angle", linear_parts(part.args[0]), 1)
        for part in formula.atoms(sp.Pow):
            if not part.exp.is_Rational and part.base is not E:
                self._note("exponent", linear_parts(part.exp * log(part.base)), 1)

    def _note(self, kind: str, parts: dict[Expr, Rational], factor: int) -> None:
        for monomial, coefficient in parts.items():
            self._units.setdefault((kind, monomial), []).append(factor * coefficient)

    def _unit(self, kind: str, monomial: Expr, coefficient: Rational) -> Rational:
        unit = common_unit(self._units.get((kind, monomial), [coefficient]))
        return unit if (coefficient / unit).is_Integer else common_unit([unit, coefficient])

    def rewrite(self, expression: Expr) -> Term | None:
        """An elementary function in rational form, or None for any other expression."""
        if expression is pi or expression is E:
            return self._constant(expression)
        if not expression.args:
            return None
        argument = expression.args[0]
        if isinstance(expression, exp):
            return self._with_argument(argument, self._exponential(argument))
        entry = entry_of(expression)
        if entry is not None and entry.exponential is not None:
            return self._hyperbolic(entry, argument)
        if entry is not None and entry.is_circular:
            return self._trigonometric(entry, argument)
        if isinstance(expression, log) and len(expression.args) == 1:
            return self._logarithm(argument)
        return None if entry is None or entry.roughness else self._named(expression)

    def power(self, base: Expr, exponent: Expr) -> Term:
        """base**exponent for an exponent with symbols: exp(exponent*log(base)) where the base is positive."""
        if base is E:
            return self._with_argument(exponent, self._exponential(exponent))
        bottom, top = self._elimination.term(base), self._elimination.term(exponent)
        positive = all_of((bottom.defined, top.defined, Sign(bottom.value, ">")))
        value = self._exponential(exponent * log(base))
        if base.is_Rational and base > 0:
            return Term(value, positive)
        unknown = self._elimination.unknown(sp.Pow(base, exponent))
        self._elimination.equations.append((unknown.value - value, positive))
        return Term(unknown.value, any_of((positive, all_of((bottom.defined, top.defined, unknown.defined)))))

    # -- exponentials -------------------------------------------------------------------------------------------

    def _with_argument(self, argument: Expr, value: Expr, *more: Formula) -> Term:
        return Term(value, all_of((self._elimination.term(argument).defined, *more)))

    def _exponential(self, argument: Expr) -> Expr:
        value: Expr = S.One
        for monomial, coefficient in linear_parts(argument).items():
            if isinstance(monomial, log):
                value *= self._elimination.term(monomial.args[0] ** coefficient).value
                continue
            unit = self._unit("exponent", monomial, coefficient)
            if abs(coefficient / unit) > _LARGEST_MULTIPLE:
                unit = abs(coefficient)
            value *= self._base(unit * monomial) ** (coefficient / unit)
        return value

    def _base(self, exponent: Expr) -> Symbol:
        """The positive symbol for exp(exponent)."""
        if exponent not in self._exponentials:
            symbol = self._elimination.symbol(exp(exponent, evaluate=False))
            self._exponentials[exponent] = symbol
            self._exponents[symbol] = exponent
        return self._exponentials[exponent]

    def _hyperbolic(self, entry: Entry, argument: Expr) -> Term:
        factor, value = entry.exponential or (1, lambda e: e)
        power = self._exponential(factor * argument)
        pole = () if entry.is_total else (Sign(power - 1, "!="),)
        return self._with_argument(argument, value(power), *pole)

    # -- angles -------------------------------------------------------------------------------------------------

    def _trigonometric(self, entry: Entry, argument: Expr) -> Term | None:
        point = self._circle(argument)
        if point is None:
            return None
        values = {None: S.One, cos: point[0], sin: point[1]}
        if entry.ratio is None:
            return self._with_argument(argument, values[entry.function])
        above, below = (values[part] for part in entry.ratio)
        return self._with_argument(argument, above / below, Sign(below, "!="))

    def _circle(self, argument: Expr) -> tuple[Expr, Expr] | None:
        """Cosine and sine of an angle."""
        value: tuple[Expr, Expr] = (S.One, S.Zero)
        for monomial, coefficient in linear_parts(argument).items():
            if monomial is pi and coefficient.q in _CLEAN_ANGLES:
                turn = (cos(coefficient * pi), sin(coefficient * pi))
                step = (self._elimination.term(turn[0]).value, self._elimination.term(turn[1]).value)
            else:
                unit = self._unit("angle", monomial, coefficient)
                times = int(coefficient / unit)
                if abs(times) > _LARGEST_MULTIPLE:
                    return None
                step = _multiple(self._point(unit * monomial), times)
            value = _turn(value, step)
        return value

    def _point(self, angle: Expr) -> tuple[Symbol, Symbol]:
        if angle not in self._angles:
            elimination = self._elimination
            c, s = elimination.symbol(cos(angle, evaluate=False)), elimination.symbol(sin(angle, evaluate=False))
            self._angles[angle] = (c, s)
            elimination.equations.append((c**2 + s**2 - 1, TRUE))
        return self._angles[angle]

    # -- logarithms and inverse functions -----------------------------------------------------------------------

    def _logarithm(self, argument: Expr) -> Term:
        inner = self._elimination.term(argument)
        return self._with_argument(argument, self._log_value(inner.value, inner.defined), Sign(inner.value, ">"))

    def _log_value(self, value: Expr, defined: Formula) -> Expr:
        """The logarithm of a rational expression in plain and fresh symbols, where that is positive."""
        if value.is_Rational:
            return sp.Add(*(power * self._log_symbol(sp.Integer(prime)) for prime, power in value.factors().items()))
        if value in self._exponents:
            return self._elimination.term(self._exponents[value]).value
        symbol = self._log_symbol(canonical(value))
        parts = _factors(value)
        if len(parts) > 1 or parts[0][1] != 1:
            self._split(symbol, parts, all_of((defined, Sign(value, ">"))))
        return symbol

    def _split(self, symbol: Symbol, parts: list[tuple[Expr, int]], defined: Formula) -> None:
        """log(a**2*b) = 2*log(a) + log(b) where all factors are positive."""
        positive = [Sign(factor, ">") for factor, _ in parts]
        total = sp.Add(*(power * self._log_value(factor, defined) for factor, power in parts))
        equation = symbol - total, all_of((defined, *positive))
        if equation not in self._elimination.equations:
            self._elimination.equations.append(equation)

    def _log_symbol(self, value: Expr) -> Symbol:
        if value not in self._logarithms:
            self._logarithms[value] = self._elimination.symbol(log(value, evaluate=False))
        return self._logarithms[value]

    def _named(self, expression: Expr) -> Term | None:
        """A function of which it is known where it is defined."""
        conditions = conditions_of(expression)
        if conditions is None:
            return None
        elimination = self._elimination
        inner = [elimination.term(part).defined for part in expression.args]
        defined = all_of((*inner, *(elimination.truth(condition) for condition in conditions)))
        return elimination.unknown(expression, defined)

    # -- constants ----------------------------------------------------------------------------------------------

    def _constant(self, number: Expr) -> Term:
        if number is E:
            return Term(self._exponential(S.One))
        return Term(self._elimination.symbol(number))


def _turn(one: tuple[Expr, Expr], other: tuple[Expr, Expr]) -> tuple[Expr, Expr]:
    (a, b), (c, d) = one, other
    return (a * c - b * d).expand(), (a * d + b * c).expand()


def _multiple(point: tuple[Expr, Expr], times: int) -> tuple[Expr, Expr]:
    step = point if times >= 0 else (point[0], -point[1])
    return reduce(_turn, [step] * abs(times), (S.One, S.Zero))


def _factors(value: Expr) -> list[tuple[Expr, int]]:
    """The factors of a rational expression; a single one when there is nothing to split."""
    ring = Ring(tuple(sorted(value.free_symbols, key=str)))
    try:
        fraction = ring.fraction(value)
    except LemmascopeError:
        return [(value, 1)]
    parts: list[tuple[Expr, int]] = []
    rest: Expr = S.One
    for polynomial, side in ((fraction.numerator, 1), (fraction.denominator, -1)):
        product = ring.context.constant(1)
        for factor, power in ring.factors(polynomial):
            parts.append((ring.expression(factor), side * power))
            product *= factor**power
        number = (polynomial / product).leading_coefficient()
        rest *= Rational(int(number.p), int(number.q)) ** side
    if rest < 0:
        odd = next((place for place, (_, power) in enumerate(parts) if power % 2), None)
        if odd is None:
            return [(value, 1)]
        parts[odd] = (-parts[odd][0], parts[odd][1])
    return parts if rest in (1, -1) else [(abs(rest), 1), *parts]
