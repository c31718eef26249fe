"""Zeros of square systems of smooth equations, certified by Krawczyk's test in ball arithmetic.

A box X around c contains exactly one zero of F when K = c - Y F(c) + (1 - Y F'(X)) (X - c) lies inside it, for any
matrix Y. What exact algebra cannot solve is found this way: points along equalities, and what is claimed to exist.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, islice
from random import Random
from typing import Any

from sympy import And, Eq, Expr, Matrix, Rational, Set, Symbol, oo
from sympy.logic.boolalg import Boolean

import numerics
from proofs_check.budget import Budget
from proofs_check.points.search import branches
from theory.domains import is_discrete, membership
from theory.errors import LemmascopeError
from theory.language.formulas import clauses
from theory.language.functions import rough
from theory.statements import Statement
from theory.temporal import Exists, is_plain
from theory.trees import encode

_BITS = 192
_NEWTON_STEPS = 40
_RADII = (Fraction(1, 1 << 24), Fraction(1, 1 << 40), Fraction(1, 1 << 56))
_GRID = 1 << 96
_STARTS = 24
_MOST_UNKNOWNS = 4
_SPREADS = (1.0, 3.0, 10.0, 0.1)


@dataclass(frozen=True)
class Zero:
    """One zero of the equations in a box, at fixed values of the other symbols."""

    equations: tuple[Eq, ...]
    center: Mapping[Symbol, Fraction]
    radius: Fraction
    fixed: Mapping[Symbol, Fraction]

    def described(self) -> dict[str, str]:
        """The point in words, for people."""
        said = {symbol.name: str(value) for symbol, value in self.fixed.items()}
        where = ", ".join(f"{equation.lhs} = {equation.rhs}" for equation in self.equations)
        return said | {s.name: f"{float(value):.12g}..., with {where}" for s, value in self.center.items()}

    def certificate(self, **more: str) -> dict[str, Any]:
        """Everything that a checker needs."""
        return {
            "kind": "zero",
            "equations": [encode(equation) for equation in self.equations],
            "center": [[encode(symbol), str(value)] for symbol, value in self.center.items()],
            "fixed": [[encode(symbol), str(value)] for symbol, value in self.fixed.items()],
            "radius": str(self.radius),
            **more,
        }


def some_zero(variables: Mapping[Symbol, Set], formula: Boolean, budget: Budget, seed: int = 0) -> Zero | None:
    """A certified point of a formula whose alternatives are equations and inequalities; None when none is found.

    >>> from sympy import Interval, cos
    >>> x = Symbol("x")
    >>> zero = some_zero({x: Interval(0, 1)}, And(Eq(cos(x), x), x >= 0, x <= 1), Budget.of("quick").start())
    >>> float(zero.center[x])
    0.7390851332151607
    """
    random = Random(seed)  # noqa: S311 - reproducible starts, not secrets
    if any(domain.free_symbols for domain in variables.values()):
        return None
    names = [symbol for symbol, domain in variables.items() if not is_discrete(domain)]
    for branch in branches(formula):
        equations = [part for part in clauses(branch) if isinstance(part, Eq)]
        rest = And(*[part for part in clauses(branch) if part not in equations])
        smooth = not any(part.has(*rough()) for part in equations)
        if len(names) < len(variables) or not 0 < len(equations) <= min(len(names), _MOST_UNKNOWNS) or not smooth:
            continue
        for unknowns in islice(combinations(names, len(equations)), 6):
            try:
                zero = _System(equations, rest, variables, unknowns).solve(random, budget)
            except LemmascopeError:  # a function without a derivative or a ball
                break
            if zero is not None:
                return zero
    return None


def existing(statement: Statement, budget: Budget) -> Zero | None:
    """A certified zero of what a statement without variables claims to exist."""
    domains: dict[Symbol, Set] = {}
    parts: list[Boolean] = []
    body = statement.conclusion
    while isinstance(body, Exists) and body.symbol not in domains:
        domains[body.symbol] = body.domain
        parts.append(membership(body.symbol, body.domain))
        body = body.body
    if statement.variables or statement.given or statement.dynamics is not None or not is_plain(body):
        return None
    return some_zero(domains, And(*parts, body), budget) if domains else None


class _System:
    def __init__(
        self, equations: Sequence[Eq], rest: Boolean, variables: Mapping[Symbol, Set], unknowns: Sequence[Symbol]
    ) -> None:

        self.equations, self.variables, self.unknowns = tuple(equations), variables, tuple(unknowns)
        self.others = tuple(symbol for symbol in variables if symbol not in unknowns)
        differences = Matrix([equation.lhs - equation.rhs for equation in equations])
        names = [*self.unknowns, *self.others]
        self.value = numerics.compile_ball(list(differences), names)
        self.slope = numerics.compile_ball(list(differences.jacobian(Matrix(self.unknowns))), names)
        self.rest = rest
        self.relations = numerics.compile_ball([rest], names)

    def solve(self, random: Random, budget: Budget) -> Zero | None:
        """A certified zero from one of many starts."""

        with numerics.precision(_BITS):
            for start in islice(self._starts(random), _STARTS):
                if budget.spent:
                    return None
                fixed = {symbol: start[symbol] for symbol in self.others}
                center = self._newton([float(start[symbol]) for symbol in self.unknowns], fixed)
                if center is None:
                    continue
                for radius in _RADII:
                    if self._certified(center, radius, fixed):
                        return Zero(self.equations, dict(zip(self.unknowns, center, strict=True)), radius, fixed)
        return None

    def _starts(self, random: Random) -> Iterator[dict[Symbol, Fraction]]:
        for attempt in range(10 * _STARTS):
            spread = _SPREADS[attempt % len(_SPREADS)]
            yield {symbol: _member(random, domain, spread) for symbol, domain in self.variables.items()}

    def _newton(self, place: list[float], fixed: Mapping[Symbol, Fraction]) -> list[Fraction] | None:
        """Newton's iteration on midpoints, rounded to a fine grid."""
        from flint import arb, arb_mat

        size, point = len(place), [arb(value) for value in place]
        others = [_ball(value) for value in fixed.values()]
        for _ in range(_NEWTON_STEPS):
            values, slopes = self.value(*point, *others), self.slope(*point, *others)
            if not all(ball.is_finite() for ball in (*values, *slopes)):
                return None
            try:
                step = arb_mat(size, size, list(slopes)).solve(arb_mat(size, 1, list(values)))
            except ZeroDivisionError:
                return None
            moves = [step[k, 0].mid() for k in range(size)]
            point = [(value - move).mid() for value, move in zip(point, moves, strict=True)]
            if all(abs(move) < arb(2) ** -110 for move in moves):
                return [Fraction(int((value * _GRID).floor().unique_fmpz()), _GRID) for value in point]
        return None

    def _certified(self, center: list[Fraction], radius: Fraction, fixed: Mapping[Symbol, Fraction]) -> bool:
        """Krawczyk's test, and the rest of the formula on the whole box."""
        from flint import arb, arb_mat

        size = len(center)
        others, middle = [_ball(value) for value in fixed.values()], [_ball(value) for value in center]
        box = [arb(value.mid(), _ball(radius)) + arb(0, value.rad()) for value in middle]
        slopes = self.slope(*middle, *others)
        spread = self.slope(*box, *others)
        values = self.value(*middle, *others)
        if not all(ball.is_finite() for ball in (*slopes, *spread, *values)):
            return False
        try:
            inverse = arb_mat(size, size, [slope.mid() for slope in slopes]).inv()
        except ZeroDivisionError:
            return False
        identity = arb_mat(size, size, [int(i == j) for i in range(size) for j in range(size)])
        shift = arb_mat(size, 1, [arb(0, _ball(radius)) for _ in range(size)])
        image = (identity - inverse * arb_mat(size, size, list(spread))) * shift
        image -= inverse * arb_mat(size, 1, list(values))
        inside = all(abs(image[k, 0]) < _ball(radius) for k in range(size))
        return inside and self.relations(*box, *others)[0] is True


def _ball(value: Fraction) -> Any:
    from flint import arb, fmpq

    return arb(fmpq(value.numerator, value.denominator))


def _member(random: Random, domain: Set, spread: float) -> Fraction:
    """A short rational inside a domain."""
    low, high = domain.inf, domain.sup
    share = Fraction(random.randint(1, 63), 64)
    if low is -oo and high is oo:
        return Fraction(spread) * (2 * share - 1)
    if high is oo:
        return _near(low) + Fraction(spread) * share
    if low is -oo:
        return _near(high) - Fraction(spread) * share
    return _near(low) + (_near(high) - _near(low)) * share


def _near(number: Expr) -> Fraction:
    value = Rational(number) if number.is_Rational else Rational(str(number.evalf(20)))
    if not value.is_finite:
        raise LemmascopeError("a domain with an end that is no number")
    return Fraction(int(value.p), int(value.q))
