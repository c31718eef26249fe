"""Hypothesis strategies that draw points of a hypothesis set by construction: nothing is drawn only to be thrown away.

Variables are drawn one after the other between the bounds that the earlier ones leave; where a relation is not
linear, the value is chosen from the exact cells of its sign; equalities are solved.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

from hypothesis import reject
from hypothesis import strategies as st
from sympy import And, Expr, Rational, Set, Symbol
from sympy.core.relational import Ge, Gt, Le, Lt
from sympy.logic.boolalg import Boolean

from proofs_check.goals import domains
from proofs_check.points.candidate_values import candidates, small_polynomial
from proofs_check.points.exact import holds
from proofs_check.points.search import Point, branches, complete, projections, shadows, substitute_linear, substituted
from theory.domains import is_discrete, membership
from theory.errors import LemmascopeError
from theory.statements import Statement
from theory.temporal import is_plain

Draw = Callable[[st.SearchStrategy[Any]], Any]
Bound = tuple[Fraction | None, bool]

_DENOMINATORS = (1, 2, 3, 4, 5, 8, 10, 64, 100, 1000, 10**6)
_DECADES = 70


def points(statement: Statement) -> st.SearchStrategy[Point]:
    """Exact points that satisfy the domains and the hypotheses of a statement.

    >>> from hypothesis import find
    >>> from sympy import Interval, Reals, symbols
    >>> x, y = symbols("x y")
    >>> claim = Statement(variables={x: Interval(0, 1), y: Reals}, given=(y > x, y < 1), then=x * y < 1)
    >>> find(points(claim), lambda point: point[x] > 0) is not None
    True
    """
    if not all(is_plain(part) for part in statement.hypotheses):
        raise LemmascopeError(
            f"{statement.id or 'the statement'} has hypotheses about time or quantifiers:"
            " points cannot be drawn from them"
        )
    variables = domains(statement)
    formula = And(*statement.hypotheses, *(membership(symbol, domain) for symbol, domain in variables.items()))
    return st.sampled_from(branches(formula, 16)).flatmap(lambda branch: _points_of(branch, variables, formula))


def _points_of(branch: Boolean, variables: Mapping[Symbol, Set], formula: Boolean) -> st.SearchStrategy[Point]:
    solved, rest = substitute_linear(branch, list(variables))
    free = [symbol for symbol in variables if symbol not in solved]
    constraint = And(rest, *projections(rest), *shadows(rest, free))

    @st.composite
    def drawn(draw: Draw) -> Point:
        point: Point = {}
        remaining = constraint
        for symbol in free:
            alone = tuple(part for part in And.make_args(remaining) if part.free_symbols == {symbol})
            value = draw(_values(symbol, variables[symbol], alone))
            point[symbol] = value
            remaining = substituted(remaining, symbol, value)
        whole = complete(point, solved)
        if whole is None or holds(formula, whole) is not True:
            reject()
        return {symbol: whole[symbol] for symbol in variables}

    return drawn()


def _values(symbol: Symbol, domain: Set, relations: tuple[Boolean, ...]) -> st.SearchStrategy[Expr]:
    """Values of one variable that satisfy relations about it alone."""
    bounds = _bounds(symbol, relations)
    if bounds is not None and not is_discrete(domain):
        return between(*bounds).map(lambda value: Rational(value.numerator, value.denominator))
    good = _good_values(symbol, domain, relations)
    return st.sampled_from(good) if good else st.nothing()


@lru_cache(maxsize=1024)
def _good_values(symbol: Symbol, domain: Set, relations: tuple[Boolean, ...]) -> tuple[Expr, ...]:
    found = candidates(symbol, domain, relations, is_discrete(domain))
    return tuple(value for value in found if all(holds(part, {symbol: value}) is not False for part in relations))


def _bounds(symbol: Symbol, relations: Sequence[Boolean]) -> tuple[Bound, Bound] | None:
    """The tightest lower and upper bound when all relations are linear inequalities with rational numbers."""
    low: Bound = (None, False)
    high: Bound = (None, False)
    for relation in relations:
        if not isinstance(relation, (Lt, Le, Gt, Ge)):
            return None
        polynomial = small_polynomial(relation.gts - relation.lts, symbol)
        if polynomial is None or polynomial.degree() != 1 or not polynomial.domain.is_Numerical:
            return None
        slope, offset = polynomial.all_coeffs()
        end = -offset / slope
        if not end.is_Rational:
            return None
        bound: Bound = (Fraction(int(end.p), int(end.q)), isinstance(relation, (Lt, Gt)))
        if slope > 0:
            low = bound if low[0] is None or bound > low else low
        else:
            high = bound if high[0] is None or (bound[0], not bound[1]) < (high[0], not high[1]) else high
    return low, high


def between(low: Bound, high: Bound) -> st.SearchStrategy[Fraction]:
    """Fractions between two bounds, each with whether it is excluded: simple ones, ends, and log scales near the ends.

    >>> from hypothesis import find
    >>> find(between((Fraction(0), True), (Fraction(1), False)), lambda value: value < Fraction(1, 10**30)) > 0
    True
    """
    if low[0] is None and high[0] is None:
        moderate = st.fractions(-1000, 1000, max_denominator=1000)
        return moderate | st.builds(lambda sign, size: sign * size, st.sampled_from((1, -1)), _decades(-_DECADES, 12))
    if low[0] is None:
        return between((-high[0], high[1]), (None, False)).map(lambda value: -value)  # type: ignore[operator]
    start = low[0]
    if high[0] is None:
        away = st.fractions(0, 1000, max_denominator=1000) | _decades(-_DECADES, 12)
        return away.filter(lambda step: step > 0 or not low[1]).map(lambda step: start + step)
    width = high[0] - start
    if width < 0 or (width == 0 and (low[1] or high[1])):
        return st.nothing()
    return _shares(low[1], high[1]).map(lambda share: start + width * share)


def _shares(low_open: bool, high_open: bool) -> st.SearchStrategy[Fraction]:
    """Shares of the unit interval, simple ones first when they shrink."""
    regular = st.sampled_from(_DENOMINATORS[int(low_open or high_open) :]).flatmap(
        lambda d: st.integers(int(low_open), d - int(high_open)).map(lambda n: Fraction(n, d))
    )
    close = _decades(-_DECADES, -1)
    return regular | close | close.map(lambda step: 1 - step)


def _decades(first: int, last: int) -> st.SearchStrategy[Fraction]:
    return st.builds(
        lambda digit, power: Fraction(digit) * Fraction(10) ** power, st.integers(1, 9), st.integers(first, last)
    )
