"""A solver's model as an exact point, confirmed at the goal itself and made as plain as it can be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice, product
from typing import Any

from sympy import Expr, Poly, Rational, Symbol, ceiling, floor, rootof, roots

from proofs_check.goals import Goal
from proofs_check.points.exact import holds
from theory.polynomials import Ring

Point = dict[Symbol, Expr]

_MOST_TRIES = 30


def counterexample(goal: Goal, ring: Ring, model: Mapping[str, Any]) -> Point | None:
    """A point, built from a model over the ring, at which the goal certainly fails; None when none is confirmed."""
    values = {symbol: model.get(f"v{place}") for place, symbol in enumerate(ring.symbols)}
    columns = [list(_candidates(values.get(symbol, "0"))) for symbol in goal.variables]
    if not all(columns):
        return None
    best = dict(zip(goal.variables, (column[-1] for column in columns), strict=True))
    for choice in islice(_diagonal(columns), _MOST_TRIES):
        point = dict(zip(goal.variables, choice, strict=True))
        if refutes(goal, point):
            return plainer(goal, point)
    return best if refutes(goal, best) else None


def refutes(goal: Goal, point: Mapping[Symbol, Expr]) -> bool:
    """Whether the goal certainly fails at an exact point: all hypotheses true, the conclusion false."""
    whole = all(point[symbol].is_Integer for symbol in goal.integers)
    return whole and holds(goal.refutation, point) is True


def plainer(goal: Goal, point: Point) -> Point:
    """The point with each coordinate replaced by a simpler rational as long as the goal still fails."""
    for symbol, value in point.items():
        for simple in _near(value):
            if simple == value:
                break
            if refutes(goal, changed := {**point, symbol: simple}):
                point = changed
                break
    return point


def _diagonal(columns: list[list[Expr]]) -> Iterator[tuple[Expr, ...]]:
    """Equally coarse values together first, then every mixture when there are few."""
    longest = max(map(len, columns), default=0)
    for place in range(longest):
        yield tuple(column[min(place, len(column) - 1)] for column in columns)
    if 1 < len(columns) <= 3:
        yield from product(*columns)


def _candidates(value: Any) -> Iterator[Expr]:
    """Rationals near a model's value, plainest first, and the value itself last."""
    if value is None:
        return
    if isinstance(value, str):
        exact: Expr = Rational(value)
        yield from _near(exact)
        return
    low, high = Rational(value["low"]), Rational(value["high"])
    for simple in _near((low + high) / 2):
        if simple.q <= 1 << 12:
            yield simple
    yield _root([int(number) for number in value["polynomial"]], low, high)


def _near(value: Expr) -> Iterator[Expr]:
    if not value.is_Rational:
        yield from (Rational(whole) for whole in (floor(value), ceiling(value)))
        return
    seen = set()
    for bound in (1, 2, 4, 10, 100, 1000):
        simple = value.limit_denominator(bound)
        if simple not in seen:
            seen.add(simple)
            yield simple
    if value not in seen:
        yield value


def _root(coefficients: list[int], low: Rational, high: Rational) -> Expr:
    """The one root of a polynomial between two rationals, in radicals when they are short."""
    unknown = Symbol("root")
    polynomial = Poly(coefficients[::-1], unknown)
    for factor, _ in polynomial.factor_list()[1]:
        if factor.count_roots(low, high):
            polynomial = factor
            break
    if polynomial.degree() <= 2:
        return next(root for root in roots(polynomial, multiple=True) if root.is_real and low <= root <= high)
    return next(
        root
        for root in (rootof(polynomial, k, radicals=True) for k in range(polynomial.count_roots()))
        if low <= root <= high
    )
