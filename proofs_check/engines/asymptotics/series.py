"""Exact Laurent series in one small symbol, with coefficients in a field of rational functions of everything else.

Constants and functions of the other symbols count as independent generators: a coefficient that is zero here is zero,
one that is not may still vanish, which is why inverting or taking a logarithm records a demand on the leading one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from sympy import (
    QQ,
    Add,
    Dummy,
    Expr,
    Function,
    Gt,
    Integer,
    Mul,
    Ne,
    NumberSymbol,
    Pow,
    Rational,
    Symbol,
    exp,
    factorial,
    false,
    log,
    true,
)
from sympy.core.function import AppliedUndef
from sympy.logic.boolalg import Boolean

from proofs_check.budget import Budget
from theory.language.definedness import continuity, smooth_where
from theory.language.formulas import clauses
from theory.language.functions import derivative_in, entry_of

Coefficient = Any
_MOST_GENERATORS = 24


class NoSeriesError(Exception):
    """The expression has no Laurent series in the small symbol that these rules can give."""


@dataclass(frozen=True)
class Series:
    """sum of coefficients[k] small^(valuation + k), exact as far as it goes."""

    valuation: int
    coefficients: tuple[Coefficient, ...]


@dataclass
class Expander:
    """Expands expressions to a number of terms and collects the demands that make the expansions valid."""

    small: Symbol
    terms: int
    ground: Ground
    budget: Budget | None = None
    demands: list[Boolean] = field(default_factory=list)
    known: dict[Expr, Series] = field(default_factory=dict)

    def expand(self, expression: Expr) -> Series:
        """The series of an expression."""
        if expression not in self.known:
            self.known[expression] = self._expand(expression)
        return self.known[expression]

    def _expand(self, expression: Expr) -> Series:
        if not expression.has(self.small):
            conditions = continuity(expression)
            if conditions is None:
                raise NoSeriesError("a constant that may be undefined")
            self.demands += conditions
            return self.constant(self.ground.element(expression))
        if expression == self.small:
            return Series(1, (self.ground.one, *[self.ground.zero] * (self.terms - 1)))
        if isinstance(expression, Add):
            total = self.expand(expression.args[0])
            for term in expression.args[1:]:
                total = self.add(total, self.expand(term))
            return total
        if isinstance(expression, Mul):
            total = self.expand(expression.args[0])
            for part in expression.args[1:]:
                total = self.multiply(total, self.expand(part))
            return total
        if isinstance(expression, Pow):
            return self.power(expression.base, expression.exp)
        found = _by_table(self, expression)
        if found is None:
            raise NoSeriesError(str(expression.func))
        return found

    def constant(self, value: Coefficient) -> Series:
        """The series of something that does not depend on the small symbol."""
        return Series(0, (value, *[self.ground.zero] * (self.terms - 1)))

    def add(self, a: Series, b: Series) -> Series:
        """The sum, as far as both go."""
        low = min(a.valuation, b.valuation)
        top = min(a.valuation + len(a.coefficients), b.valuation + len(b.coefficients))
        coefficients = [self._at(a, k) + self._at(b, k) for k in range(low, top)]
        return _trimmed(Series(low, tuple(coefficients)))

    def _at(self, a: Series, order: int) -> Coefficient:
        place = order - a.valuation
        return a.coefficients[place] if 0 <= place < len(a.coefficients) else self.ground.zero

    def multiply(self, a: Series, b: Series) -> Series:
        """The product, as far as both go."""
        size = min(len(a.coefficients), len(b.coefficients))
        x, y = a.coefficients, b.coefficients
        out = []
        for k in range(size):
            if self.budget is not None and self.budget.spent:
                raise NoSeriesError("the time is over")
            total = self.ground.zero
            for i in range(k + 1):
                if x[i] and y[k - i]:
                    total += x[i] * y[k - i]
            out.append(total)
        return Series(a.valuation + b.valuation, tuple(out))

    def power(self, base: Expr, exponent: Expr) -> Series:
        """An integer power, or a root of what is positive at the start."""
        inner = self.expand(base) if base.has(self.small) else None
        if isinstance(exponent, Integer) and inner is not None:
            result = self.constant(self.ground.one)
            step = inner if exponent > 0 else self.inverse(inner)
            for _ in range(abs(int(exponent))):
                result = self.multiply(result, step)
            return result
        if isinstance(exponent, Rational) and inner is not None and inner.valuation == 0:
            return self.root(inner, exponent)
        return self.expand(exp(exponent * log(base), evaluate=False))

    def root(self, a: Series, exponent: Rational) -> Series:
        """a^r with a(0) > 0, from a b' = r a' b."""
        lead = self.positive(a)
        value = Pow(self.ground.expression(lead), exponent)
        b = [self.ground.element(value)]
        rate = self.ground.element(exponent)
        for k in range(1, len(a.coefficients)):
            total = self.ground.zero
            for i in range(1, k + 1):
                total += (rate * i - (k - i)) * a.coefficients[i] * b[k - i]
            b.append(total / (lead * k))
        return Series(0, tuple(b))

    def inverse(self, a: Series) -> Series:
        """1/a, where the leading coefficient must not vanish."""
        lead = self.leading(a)
        self.demands.append(Ne(self.ground.expression(lead), 0))
        b = [1 / lead]
        for k in range(1, len(a.coefficients)):
            total = self.ground.zero
            for i in range(1, k + 1):
                total += a.coefficients[i] * b[k - i]
            b.append(-total / lead)
        return Series(-a.valuation, tuple(b))

    def leading(self, a: Series) -> Coefficient:
        """The first coefficient, which is not zero as a rational function."""
        if not a.coefficients or not a.coefficients[0]:
            raise NoSeriesError("no leading coefficient within the terms kept")
        return a.coefficients[0]

    def positive(self, a: Series) -> Coefficient:
        """The value at 0, which is demanded to be positive."""
        if a.valuation != 0:
            raise NoSeriesError("a root or logarithm of what vanishes or blows up")
        lead = self.leading(a)
        self.demands.append(Gt(self.ground.expression(lead), 0))
        return lead

    def regular(self, argument: Expr) -> tuple[Coefficient, ...]:
        """The coefficients from order 0 on of an argument that is finite at 0."""
        a = self.expand(argument)
        if a.valuation < 0:
            raise NoSeriesError("a function of what blows up")
        return ((self.ground.zero,) * min(a.valuation, self.terms) + a.coefficients)[: self.terms]


def _trimmed(a: Series) -> Series:
    skip = next((k for k, c in enumerate(a.coefficients) if c), len(a.coefficients))
    return Series(a.valuation + skip, a.coefficients[skip:])


def _integrated(expander: Expander, argument: Expr, start: Expr, rate: Expr) -> Series:
    """The series of F(argument) from F'(argument) = rate, an expression that has series of its own."""
    a = expander.regular(argument)
    slope = expander.expand(rate)
    if slope.valuation < 0:
        raise NoSeriesError("a derivative that blows up")
    slopes = (expander.ground.zero,) * slope.valuation + slope.coefficients
    out = [expander.ground.element(start)]
    for k in range(1, min(len(a), len(slopes) + 1)):
        total = expander.ground.zero
        for i in range(1, k + 1):
            total += i * a[i] * slopes[k - i]
        out.append(total / k)
    return _trimmed(Series(0, tuple(out)))


def _value(expander: Expander, argument: Expr) -> Expr:
    a = expander.regular(argument)
    return expander.ground.expression(a[0]) if a else Integer(0)


def _exp(expander: Expander, argument: Expr) -> Series:
    a = expander.regular(argument)
    b = [expander.ground.element(exp(expander.ground.expression(a[0])))]
    for k in range(1, len(a)):
        total = expander.ground.zero
        for i in range(1, k + 1):
            total += i * a[i] * b[k - i]
        b.append(total / k)
    return Series(0, tuple(b))


def _log(expander: Expander, argument: Expr) -> Series:
    lead = expander.positive(expander.expand(argument))
    return _integrated(expander, argument, log(expander.ground.expression(lead)), 1 / argument)


def _circular(expander: Expander, argument: Expr, which: int, sign: int, pair: tuple[Any, Any]) -> Series:
    """A pair like sine and cosine (sign -1), or their hyperbolic relatives (sign 1): s' = c a', c' = sign s a'."""
    a = expander.regular(argument)
    start = expander.ground.expression(a[0])
    s, c = ([expander.ground.element(f(start))] for f in pair)
    for k in range(1, len(a)):
        rise = fall = expander.ground.zero
        for i in range(1, k + 1):
            rise += i * a[i] * c[k - i]
            fall += i * a[i] * s[k - i]
        s.append(rise / k)
        c.append(sign * fall / k)
    return _trimmed(Series(0, tuple((s, c)[which])))


def _unknown(expander: Expander, use: AppliedUndef) -> Series:
    """Taylor's formula for a function of which nothing is known: its derivatives are constants of their own."""
    first, *rest = expander.regular(use.args[0])
    start, step = expander.ground.expression(first), _trimmed(Series(1, tuple(rest)))
    total, power = expander.constant(expander.ground.zero), expander.constant(expander.ground.one)
    for order in range(expander.terms):
        slope = Function(f"{use.func.__name__}{order * chr(39)}")(start)
        value = expander.ground.element(slope) / factorial(order)
        total = expander.add(total, expander.multiply(expander.constant(value), power))
        power = expander.multiply(power, step)
        if power.valuation >= expander.terms or not power.coefficients:
            break
    return total


def _by_table(expander: Expander, expression: Expr) -> Series | None:
    """The series of a function from what the table says of it; None where that is not enough."""
    entry, argument = entry_of(expression), expression.args[0]
    if isinstance(expression, AppliedUndef):
        return _unknown(expander, expression) if len(expression.args) == 1 else None
    if isinstance(expression, exp):
        return _exp(expander, argument)
    if isinstance(expression, log):
        return _log(expander, argument)
    if entry is None or entry.roughness or entry.arity != (1,):
        return None
    if entry.pair is not None:
        rising, falling, sign = entry.pair
        return _circular(expander, argument, int(entry.function is falling), sign, (rising, falling))
    if entry.ratio is not None:
        return expander.expand(entry.as_ratio(argument))
    slope = derivative_in(expression, 0)
    start = entry.function(_value(expander, argument))
    inside = smooth_where([start])
    if slope is None or not _is_elementary(slope) or inside in (None, false):
        return None
    expander.demands += clauses(inside)
    return _integrated(expander, argument, start, slope)


def _is_elementary(slope: Expr) -> bool:
    """Whether a derivative is made of powers, exponentials and logarithms, whose series need no other."""
    return all(isinstance(part, (exp, log)) for part in slope.atoms(Function))


def expansion(
    expression: Expr, small: Symbol, terms: int, budget: Budget | None = None
) -> tuple[Series, tuple[Boolean, ...]]:
    """The Laurent series of an expression to a number of terms, and the demands under which it is valid.

    The coefficients of the result are expressions.

    >>> e, p = Symbol("e"), Symbol("p")
    >>> series, demands = expansion((exp(p*e) - 1) / e, e, 3)
    >>> series.coefficients, series.valuation
    ((p, p**2/2), 0)
    """
    generators: list[Expr] = sorted(expression.free_symbols - {small}, key=str)
    while len(generators) <= _MOST_GENERATORS:
        expander = Expander(small, terms, Ground(generators), budget)
        try:
            found = _trimmed(expander.expand(expression))
        except _NewGeneratorError as needed:
            generators.append(needed.args[0])
            continue
        shown = tuple(expander.ground.expression(c) for c in found.coefficients)
        return Series(found.valuation, shown), tuple(d for d in dict.fromkeys(expander.demands) if d != true)
    raise NoSeriesError("too many different constants")


class _NewGeneratorError(Exception):
    """A coefficient has a constant or function that the field does not have yet."""


class Ground:
    """Rational functions of symbols, and of constants such as exp(p) or sqrt(2) as if these were independent."""

    def __init__(self, generators: list[Expr]) -> None:
        self.names = {g: g if isinstance(g, Symbol) else Dummy() for g in generators}
        self.back = {name: g for g, name in self.names.items()}
        self.field = QQ.frac_field(*(self.names.values() or [Dummy()]))
        self.zero, self.one = self.field.zero, self.field.one

    def element(self, value: Expr) -> Coefficient:
        """An expression as an element of the field."""
        for part in value.atoms(Function, Pow, NumberSymbol):
            if isinstance(part, Pow) and part.exp.is_Integer:
                continue
            if part not in self.names:
                raise _NewGeneratorError(part)
        try:
            return self.field.from_sympy(value.xreplace(self.names))
        except ValueError as error:  # a number that is not real
            raise NoSeriesError(str(value)) from error

    def expression(self, element: Coefficient) -> Expr:
        """An element as an expression."""
        return self.field.to_sympy(element).xreplace(self.back)
