"""Equations as elements of a field of rational functions: every function and root is a generator of its own.

Written with SymPy's sparse polynomials, apart from the rings that the identity engine computes in.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sympy import QQ, Abs, Add, Dummy, Eq, Expr, Integer, Mul, Pow, Rational, Symbol, exp, field, log
from sympy.core.function import Application, AppliedUndef

from proofs_check.kernel.exponents import terms, units
from theory.language.functions import entry_of

_LARGEST_POWER = 40
_LARGEST_STEP = 12
Element = Any


class Fractions:
    """The smallest such field that has all the given expressions, with the relations of its roots.

    >>> from sympy import Symbol, exp, sqrt
    >>> x = Symbol("x")
    >>> left, right = (1 + sqrt(x)) ** 2 * exp(x), (1 + x + 2 * sqrt(x)) * exp(x)
    >>> Fractions([left, right]).vanishes(left - right)
    True
    >>> left, right = exp(-x) / (1 + exp(-x)), 1 / (1 + exp(x))
    >>> Fractions([left, right]).vanishes(left - right)
    True
    """

    def __init__(self, expressions: Iterable[Expr]) -> None:
        found: dict[Expr, None] = {}
        self._same: dict[Expr, Expr] = {}
        expressions = list(expressions)
        self._steps = _steps(expressions)
        self._logarithms = _logarithms([part.xreplace(self._steps) for part in expressions])
        expressions = [self._written(part) for part in expressions]
        self._units = units(use.args[0] for part in expressions for use in part.atoms(exp))
        for expression in expressions:
            self._collect(expression, found)
        self._names = {part: Dummy() for part in found}
        self._field, *generators = field([*self._names.values(), Dummy()], QQ)
        self._generators = dict(zip(found, generators, strict=False))
        # outer roots first: what they are replaced by may have inner ones
        roots = sorted(
            (part for part in found if isinstance(part, Pow) and part.exp.is_Rational),
            key=lambda part: part.count_ops(),
        )
        self._relations = [
            (self._generators[root], self.element(root.base), int(root.exp.q)) for root in reversed(roots)
        ]

    def _written(self, expression: Expr) -> Expr:
        return expression.xreplace(self._steps).xreplace(self._logarithms)

    @property
    def origins(self) -> dict[Symbol, Expr]:
        """What the symbols of numerators stand for."""
        return {name: part for part, name in self._names.items()}

    @property
    def relations(self) -> list[Any]:
        """The numerators that are zero because of the roots: r^q - base."""
        return [(root**index - base).numer for root, base, index in self._relations]

    def _collect(self, part: Expr, found: dict[Expr, None]) -> None:
        if isinstance(part, Rational):
            return
        if isinstance(part, (Add, Mul)):
            for one in part.args:
                self._collect(one, found)
        elif isinstance(part, Pow) and part.exp.is_Rational:
            self._collect(part.base, found)
            if part.exp.q != 1:
                found.setdefault(Pow(part.base, Rational(1, part.exp.q)))
        elif isinstance(part, exp) and not part.args[0].has(log):
            for base, _ in self._powers(part):
                found.setdefault(base)
        elif part not in self._same:
            self._same[part] = next((other for other in found if _congruent(part, other)), part)
            found.setdefault(self._same[part])

    def _powers(self, exponential: Expr) -> list[tuple[Expr, int]]:
        """exp(a + b/2) = exp(a) exp(b/2), with one generator for each part of the exponents."""
        return [(exp(part / self._units[part]), int(number * self._units[part]))
                for number, part in terms(exponential.args[0])]  # fmt: skip

    def element(self, part: Expr) -> Element:
        """An expression in the field; ValueError for too large a power, ZeroDivisionError for what is undefined."""
        if isinstance(part, Rational):
            return self._field.ground_new(QQ(int(part.p), int(part.q)))
        if isinstance(part, Add):
            return sum(map(self.element, part.args), self._field.zero)
        if isinstance(part, Mul):
            product = self._field.one
            for one in part.args:
                product *= self.element(one)
            return product
        if isinstance(part, Pow) and part.exp.is_Rational:
            base = part.base if part.exp.q == 1 else Pow(part.base, Rational(1, part.exp.q))
            if abs(part.exp.p) > _LARGEST_POWER:
                raise ValueError("too large a power")
            return (self.element(base) if part.exp.q == 1 else self._generators[base]) ** int(part.exp.p)
        if isinstance(part, exp) and part not in self._same:
            product = self._field.one
            for base, power in self._powers(part):
                if abs(power) > _LARGEST_POWER:
                    raise ValueError("too large a power")
                product *= self._generators[base] ** power
            return product
        return self._generators[self._same[part]]

    def numerator(self, expression: Expr) -> Any:
        """The numerator, reduced by r^q = base for every root r."""
        element = self.element(self._written(expression))
        for root, base, index in self._relations:
            element = self._reduced(element, root, base, index)
        return element.numer

    def _reduced(self, element: Element, root: Element, base: Element, index: int) -> Element:
        """The numerator over some denominator, with powers of the root below its index."""
        place = self._field.ring.gens.index(root.numer)
        powers: dict[int, dict[tuple[int, ...], Any]] = {}
        for exponents, value in element.numer.terms():
            rest = (*exponents[:place], exponents[place] % index, *exponents[place + 1 :])
            powers.setdefault(exponents[place] // index, {})[rest] = value
        total = self._field.zero
        for power, parts in powers.items():
            total += self._field.new(self._field.ring.from_dict(parts)) * base**power
        return total

    def vanishes(self, expression: Expr) -> bool:
        """Whether an expression is zero wherever it is defined."""
        return not self.numerator(expression)


def _steps(expressions: Iterable[Expr]) -> dict[Expr, Expr]:
    """Values of a function by its values at numbers that are less by whole ones, as gamma(x + 1) = x gamma(x)."""
    uses = {use for part in expressions for use in part.atoms(Application) if len(use.args) == 1}
    found: dict[Expr, Expr] = {}
    for use in sorted(uses, key=str):
        entry = entry_of(use)
        if entry is None or entry.next_value is None:
            continue
        gaps = {other: use.args[0] - other.args[0] for other in uses if other.func == use.func}
        largest = max((gap for gap in gaps.values() if gap.is_Integer and gap <= _LARGEST_STEP), default=0)
        least = next(other for other, gap in gaps.items() if gap == largest)
        value = least
        for step in range(int(largest)):
            value = entry.next_value(least.args[0] + step, value)
        if value != use:
            found[use] = value
    return found


def _logarithms(expressions: Iterable[Expr]) -> dict[Expr, Expr]:
    """log(a^m b^n) = m log|a| + n log|b| wherever the left side has a value, with log|a| as log(a) for one a > 0.

    >>> from sympy import Symbol
    >>> x = Symbol("x")
    >>> left, right = log(x**2), 2 * log(Abs(x))
    >>> Fractions([left, right]).vanishes(left - right)
    True
    """
    found: dict[Expr, Expr] = {}
    for use in {use for part in expressions for use in part.atoms(log)}:
        total: Expr = Integer(0)
        for factor in Mul.make_args(use.args[0]):
            base, power = factor.as_base_exp()
            if not power.is_Rational or base.is_Rational:
                base, power = factor, Integer(1)
            sized = abs(base) if base.is_Rational else base if isinstance(base, Abs) else Abs(base, evaluate=False)
            total += power * log(sized)
        if total != use:
            found[use] = total
    return found


def _congruent(part: Expr, other: Expr) -> bool:
    """Whether two values of one function are the same because its arguments are."""
    if part.func != other.func or len(part.args) != len(other.args) or not isinstance(part, AppliedUndef):
        return False
    pairs = zip(part.args, other.args, strict=True)
    return all(Fractions([one, two]).vanishes(one - two) for one, two in pairs)


def follows(equation: Eq, target: Expr, relations: list[Expr], assumed: list[Expr]) -> bool:
    """Whether an equation holds because a target does, which is 0 modulo relations: true ones, or assumed to be 0.

    >>> from sympy import symbols
    >>> x, y = symbols("x y")
    >>> follows(Eq(x**2 / y, 1 / y), x**2 - 1, [x - 1], [x - 1])
    True
    """
    difference = equation.lhs - equation.rhs
    fractions = Fractions([difference, target, *relations, *assumed])
    wanted = fractions.numerator(difference)
    if not wanted:
        return True
    given = fractions.numerator(target)
    known = [fractions.numerator(part) for part in assumed]
    for relation in relations:
        numerator = fractions.numerator(relation)
        if numerator and not any(part and not numerator.rem([part]) for part in known):
            return False
    return bool(given) and not wanted.rem([given])
