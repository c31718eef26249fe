"""Equal expressions: elements of a field of rational functions in which functions and roots are generators.

Expressions with one element are equal wherever both have values. A function of equal arguments is one generator; what
is rational in an exponential is written so. Exponents are brought over a common denominator, and each monomial of them
is one generator. For a number c > 0 and an exponential e, log(c e^k u) = log(c) + k log(e) + log(u) wherever u > 0;
b^r is exp(r log(b)), and exp(log(b) / q) a root with its relation. In equations, whose sides are shown to have values,
there are logarithms of sizes, log(u^m v^n) = m log|u| + n log|v| wherever the left side has a value, and of values of a
function at arguments that differ by whole numbers only that at the least one is a generator.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from math import lcm
from typing import Any

from sympy import Abs, Add, Basic, Dummy, Expr, Mul, Number, Pow, Rational, S, Symbol, exp, factorrat, log
from sympy.core.function import Application
from sympy.core.relational import Eq

from theory.errors import LemmascopeError
from theory.language.functions import as_quotient, entry_of, in_exponentials, remember
from theory.polynomials import Fraction, Polynomial, Ring, primitive

_LARGEST_POWER = 60
_LARGEST_FACTOR = 1000
_LARGEST_STEP = 12
UNREADABLE = (ValueError, ZeroDivisionError, RecursionError, LemmascopeError)
"""What is raised for expressions that are no real numbers, too large, or without a value."""


class Fractions:
    """The smallest such field that has all the given expressions, with sizes for equations whose sides have values.

    >>> from sympy import sqrt
    >>> x, p = Symbol("x"), Symbol("p")
    >>> left, right = (1 + sqrt(x)) ** 2 * exp(x), (1 + x + 2 * sqrt(x)) * exp(x)
    >>> Fractions([left, right]).vanishes(left - right)
    True
    >>> left, right = exp(x) * exp(x / (p - 1)), exp(x * p / (p - 1))
    >>> Fractions([left, right]).vanishes(left - right)
    True
    >>> left, right = log(x**2 * p), 2 * log(Abs(x)) + log(p)
    >>> Fractions([left, right]).vanishes(left - right)
    True
    """

    def __init__(self, expressions: Iterable[Expr], *, sizes: bool = True) -> None:
        self._sized = sizes
        self._steps = _steps(expressions := list(expressions)) if sizes else {}
        expressions = [part.xreplace(self._steps) for part in expressions]
        self.origins: dict[Symbol, Expr] = {}
        """What the symbols of the ring stand for."""
        self._names: dict[Expr, Symbol] = {}
        self._written: dict[Expr, Expr] = {}
        self._roots: dict[Symbol, tuple[Expr, int]] = {}
        found = dict.fromkeys(one for part in expressions for one in _exponents_in(part))
        self._exponents = _Exponents(list(found)) if found else None
        for part in expressions:
            self._write(part)
        self.ring = Ring(tuple(sorted(self.origins, key=lambda name: str(self.origins[name]))) or (Dummy(),))
        # outer roots first: what they are replaced by may have inner ones
        roots = sorted(self._roots.items(), key=lambda item: -item[1][0].count_ops())
        self.relations = [(root, self.ring.fraction(self._write(base)), index) for root, (base, index) in roots]

    def numerator(self, expression: Expr) -> Polynomial:
        """The numerator of an expression over some denominator, with powers of roots below their indices."""
        return self._lowered(self._fraction(expression).numerator).numerator

    def element(self, expression: Expr) -> Fraction:
        """An expression in lowest terms."""
        found = self._fraction(expression)
        return self._lowered(found.numerator) / self._lowered(found.denominator)

    def vanishes(self, expression: Expr) -> bool:
        """Whether an expression is zero wherever it is defined."""
        return bool(self.numerator(expression).is_zero())

    def expression(self, polynomial: Polynomial) -> Expr:
        """What a polynomial of the ring stands for."""
        return self.ring.expression(polynomial).xreplace(self.origins)

    def _fraction(self, expression: Expr) -> Fraction:
        return self.ring.fraction(self._write(expression.xreplace(self._steps)))

    def _lowered(self, polynomial: Polynomial) -> Fraction:
        value = self.ring.as_fraction(polynomial)
        for root, base, index in self.relations:
            place = self.ring.place(root)
            powers: dict[int, dict[tuple[int, ...], Any]] = {}
            for exponents, number in value.numerator.terms():
                rest = (*exponents[:place], exponents[place] % index, *exponents[place + 1 :])
                powers.setdefault(exponents[place] // index, {})[rest] = number
            parts = (self.ring.as_fraction(self.ring.context.from_dict(part)) * base**k for k, part in powers.items())
            value = sum(parts, self.ring.zero) / self.ring.as_fraction(value.denominator)
        return value

    # -- from expressions to rational functions of names -----------------------------------------------------------

    def _write(self, part: Expr) -> Expr:
        if part not in self._written:
            self._written[part] = self._rational(part)
        return self._written[part]

    def _rational(self, part: Expr) -> Expr:
        if isinstance(part, Rational):
            return part
        if isinstance(part, (Add, Mul)):
            return part.func(*map(self._write, part.args))
        if (exponent := _exponent(part)) is not None:
            return self._powers(exponent)
        if isinstance(part, Pow):
            return self._write(part.base) ** _small(part.exp)
        if isinstance(part, Number) or part in (S.ImaginaryUnit, S.ComplexInfinity):
            raise ValueError(f"{part} is no exact real number")
        simpler = _simpler(part)
        if simpler != part:
            return self._write(simpler)
        sized = self._sized and isinstance(part, log) and len(part.args) == 1
        return self._sizes(part.args[0]) if sized else self._name(part)

    def _sizes(self, argument: Expr) -> Expr:
        """log|u^m v^n| as m log|u| + n log|v|, with one name for each of these."""
        if isinstance(argument, Abs):
            return self._sizes(argument.args[0])
        if isinstance(argument, Pow) and argument.exp.is_Rational:
            return argument.exp * self._sizes(argument.base)
        field = Fractions([argument], sizes=False)
        element, total, number = field.element(argument), S.Zero, S.One
        for polynomial, side in ((element.numerator, 1), (element.denominator, -1)):
            number *= primitive(polynomial)[1] ** side
            for factor, power in field.ring.factors(polynomial):
                part = field.expression(factor)
                is_single = part in field.origins.values() and part != argument
                size = self._sizes(part) if is_single else self._name(log(Abs(part, evaluate=False), evaluate=False))
                total += side * power * size
        return total if abs(number) == 1 else total + self._name(log(abs(number), evaluate=False))

    def _powers(self, exponent: Expr) -> Expr:
        """exp(a + b/2) = exp(a) exp(b/2), with one name for each part of the exponents."""
        product: Expr = S.One
        for number, part, unit in self._exponents.terms(exponent) if self._exponents else ():
            if not isinstance(part, log):
                product *= self._name(exp(part / unit)) ** _small(number * unit)
            elif unit == 1:
                product *= self._write(part.args[0]) ** _small(number)
            else:
                root = self._name(Pow(part.args[0], Rational(1, unit)))
                self._roots[root] = part.args[0], unit
                self._write(part.args[0])
                product *= root ** _small(number * unit)
        return product

    def _name(self, part: Expr) -> Symbol:
        if part not in self._names:
            self._names[part] = part if isinstance(part, Symbol) else Dummy()
            self.origins[self._names[part]] = part
        return self._names[part]


def _steps(expressions: Iterable[Expr]) -> dict[Expr, Expr]:
    """Values of a function by its values at numbers that are less by whole ones, as gamma(x + 1) = x gamma(x)."""
    uses = {use for part in expressions for use in part.atoms(Application) if len(use.args) == 1}
    found: dict[Expr, Expr] = {}
    for use in sorted(uses, key=str):
        entry = entry_of(use)
        if entry is None or entry.next_value is None:
            continue
        gaps = {other: lowest(use.args[0] - other.args[0]) for other in uses if other.func == use.func}
        largest = max((gap for gap in gaps.values() if gap.is_Integer and gap <= _LARGEST_STEP), default=S.Zero)
        least = next(other for other, gap in gaps.items() if gap == largest)
        value = least
        for step in range(int(largest)):
            value = entry.next_value(least.args[0] + step, value)
        if value != use:
            found[use] = value
    return found


class _Exponents:
    """Exponents over a common denominator: sums of rational multiples of parts, each with a common unit."""

    def __init__(self, exponents: list[Expr]) -> None:
        self._field = Fractions(exponents, sizes=False)
        self._below = self._field.ring.context.constant(1)
        elements = [self._field.element(part) for part in exponents]
        for element in elements:
            self._below *= element.denominator / self._below.gcd(element.denominator)
        self._units: dict[Expr, int] = {}
        for part in exponents:
            for number, key in self._terms(part):
                self._units[key] = lcm(self._units.get(key, 1), int(number.q))

    def _terms(self, exponent: Expr) -> Iterator[tuple[Rational, Expr]]:
        element, context = self._field.element(exponent), self._field.ring.context
        scale, rest = divmod(self._below, element.denominator)
        if not rest.is_zero():
            raise ValueError("another denominator")
        below = self._field.expression(self._below)
        for powers, number in (element.numerator * scale).terms():
            part = self._field.expression(context.from_dict({powers: 1})) / below
            yield Rational(int(number.p), int(number.q)), part

    def terms(self, exponent: Expr) -> list[tuple[Rational, Expr, int]]:
        """The summands of one of the exponents: a number, what it multiplies, and the unit of that."""
        return [(number, part, self._units[part]) for number, part in self._terms(exponent) if part in self._units]


def _small(power: Expr) -> Expr:
    if not power.is_Integer or abs(power) > _LARGEST_POWER:
        raise ValueError("too large a power")
    return power


def _exponent(part: Expr) -> Expr | None:
    """What stands in the exponent of e; None for sums, products, whole powers and other functions."""
    if isinstance(part, exp) or part is S.Exp1:
        return part.exp if isinstance(part, exp) else S.One
    if isinstance(part, Pow) and not part.exp.is_Integer:
        return Mul(part.exp, log(part.base, evaluate=False), evaluate=False)
    return None


def _exponents_in(part: Basic) -> Iterator[Expr]:
    """The exponents in an expression outside of the arguments of other functions."""
    if (exponent := _exponent(part)) is not None:
        yield exponent
        inside = [part.base] if exponent.has(log) and not isinstance(part, exp) else []
    elif isinstance(part, (Add, Mul, Pow)):
        inside = list(part.args)
    else:
        inside = [simpler] if (simpler := _simpler(part)) != part else []
    for one in inside:
        yield from _exponents_in(one)


@remember
@lru_cache(maxsize=8192)
def _simpler(part: Expr) -> Expr:
    """A function through exponentials, as a quotient, or of arguments in lowest terms; itself if there is no such."""
    if not isinstance(part, Application) or not all(isinstance(one, Expr) for one in part.args):
        return part
    if (other := as_quotient(in_exponentials(part))) != part:
        return other
    try:
        if isinstance(part, log) and len(part.args) == 1:
            return _logarithm(part.args[0])
        return part.func(*map(normal, part.args))
    except UNREADABLE:
        return part


def _logarithm(argument: Expr) -> Expr:
    """A logarithm without positive numbers and exponentials as factors of its argument."""
    field = Fractions([argument], sizes=False)
    element, total = field.element(argument), S.Zero
    parts = []
    for polynomial, side in ((element.numerator, 1), (element.denominator, -1)):
        whole, number = primitive(polynomial)
        for name, origin in field.origins.items():
            if isinstance(origin, exp):
                place = field.ring.place(name)
                least = min(powers[place] for powers, _ in whole.terms())
                whole /= field.ring.generators[name] ** least
                total += side * least * origin.exp
        for prime, power in factorrat(abs(number), limit=_LARGEST_FACTOR).items():
            total += side * power * log(prime, evaluate=False)
        parts.append(field.expression(whole) * (1 if number > 0 else -1))
    left = parts[0] / parts[1]
    return total if left == 1 else total + log(left, evaluate=False)


@remember
@lru_cache(maxsize=8192)
def normal(expression: Expr) -> Expr:
    """An expression in lowest terms; raises for what has none.

    >>> x = Symbol("x")
    >>> normal((x**2 - 1) / (x - 1)), normal(log(x * (x + 1)) - log(x**2 + x))
    (x + 1, 0)
    """
    above, below = quotient(expression)
    return above / below


def lowest(expression: Expr) -> Expr:
    """An expression in lowest terms; itself where it has none."""
    try:
        return normal(expression)
    except UNREADABLE:
        return expression


def quotient(expression: Expr) -> tuple[Expr, Expr]:
    """Numerator and denominator of an expression in lowest terms; raises for what has none."""
    field = Fractions([expression], sizes=False)
    element = field.element(expression)
    return field.expression(element.numerator), field.expression(element.denominator)


@remember
@lru_cache(maxsize=8192)
def terms(total: Expr) -> tuple[tuple[Rational, Expr], ...]:
    """The summands, multiplied out, each as a rational number and what it multiplies; raises for what has none.

    >>> x, y = Symbol("x"), Symbol("y")
    >>> terms(x * (2 - y) + 1 / x)
    ((1, 1/x), (-1, x*y), (2, x))
    """
    found: dict[Expr, Rational] = {}
    for summand in Add.make_args(total):
        number, rest = summand.as_coeff_Mul(rational=True)
        for times, part in _monomials(rest) if isinstance(rest, (Add, Mul, Pow)) else [(S.One, rest)]:
            found[part] = found.get(part, S.Zero) + number * times
    return tuple((number, part) for part, number in found.items() if number)


def _monomials(part: Expr) -> Iterator[tuple[Rational, Expr]]:
    field = Fractions([part], sizes=False)
    element = field.element(part)
    below = field.expression(element.denominator)
    for powers, number in element.numerator.terms():
        monomial = field.expression(field.ring.context.from_dict({powers: 1}))
        yield Rational(int(number.p), int(number.q)), monomial / below


def expanded(total: Expr) -> Expr:
    """The sum of the terms; itself where there are none."""
    try:
        return Add(*(number * part for number, part in terms(total)))
    except UNREADABLE:
        return total


def factored(expression: Expr) -> Expr:
    """An expression as a product of powers of irreducible factors; itself where there are none."""
    try:
        field = Fractions([expression], sizes=False)
        return field.element(expression).factored.xreplace(field.origins)
    except UNREADABLE:
        return expression


def follows(equation: Eq, target: Expr, relations: list[Expr], assumed: list[Expr]) -> bool:
    """Whether an equation holds because a target does, which is 0 modulo relations: true ones, or assumed to be 0.

    >>> from sympy import symbols
    >>> x, y = symbols("x y")
    >>> follows(Eq(x**2 / y, 1 / y), x**2 - 1, [x - 1], [x - 1])
    True
    """
    difference = equation.lhs - equation.rhs
    fractions = Fractions([difference, target, *relations, *assumed])
    wanted, given = fractions.numerator(difference), fractions.numerator(target)
    if wanted.is_zero():
        return True
    known = [one for part in assumed if not (one := fractions.numerator(part)).is_zero()]
    needed = (fractions.numerator(relation) for relation in relations)
    if not all(one.is_zero() or any(_divides(part, one) for part in known) for one in needed):
        return False
    return not given.is_zero() and _divides(given, wanted)


def _divides(part: Polynomial, whole: Polynomial) -> bool:
    return bool(divmod(whole, part)[1].is_zero())
