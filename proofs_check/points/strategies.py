"""Hypothesis strategies that draw points of a hypothesis set by construction: nothing is drawn only to be thrown away.

Variables are drawn one after the other between the bounds that the earlier ones leave; where a relation is not
linear, the value is chosen from the exact cells of its sign; equalities are solved. Most values are of moderate size,
some lie at or near the ends, and few are extreme.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import islice
from typing import Any

from hypothesis import reject
from hypothesis import strategies as st
from sympy import And, Expr, Rational, Set, Symbol, false
from sympy.core.relational import Ge, Gt, Le, Lt
from sympy.logic.boolalg import Boolean

from proofs_check import clock
from proofs_check.goals import domains
from proofs_check.points.candidate_values import candidates, small_polynomial
from proofs_check.points.exact import holds
from proofs_check.points.search import (
    Point,
    Search,
    branches,
    complete,
    projections,
    shadows,
    substitute_linear,
    substituted,
)
from theory.domains import is_discrete, membership
from theory.errors import LemmascopeError
from theory.language.formulas import clauses
from theory.statements import Statement
from theory.temporal import is_plain

Draw = Callable[[st.SearchStrategy[Any]], Any]
Bound = tuple[Fraction | None, bool]

_DENOMINATORS = (1, 2, 3, 4, 5, 8, 10, 64, 100, 1000, 10**6)
_DECADES, _LARGEST = 70, 12
"""Most points are of moderate size; the others reach so many decades down and up."""
_MOST_BRANCHES = 16
_WAYS = 5
"""Of six points one is aimed at a violation, if it is known, and one is taken from the search if that found any."""
_MOST_KNOWN = 24
_FOR_KNOWN = 0.5
"""How many points the exact search is asked for, and for how many seconds."""
_TOO_SLOW = 0.15
"""Seconds of computing for one point beyond which no more are constructed."""


def points(statement: Statement, violation: Boolean | None = None) -> st.SearchStrategy[Point]:
    """Exact points that satisfy the domains and the hypotheses of a statement, some of them where it is violated.

    With the formula of a violation a part of the points is constructed to satisfy that, too. Where nothing can be drawn
    variable by variable, as in thin sets, points that the exact search finds are taken.

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
    return _Region(variables, formula, violation).points()


class _Region:
    """Where the variables of a statement live, and the ways to get there."""

    def __init__(self, variables: Mapping[Symbol, Set], formula: Boolean, violation: Boolean | None) -> None:
        self.variables, self.formula, self.violation = variables, formula, violation

    @cached_property
    def _plans(self) -> list[_Plan]:
        return [_Plan.of(branch, self.variables) for branch in branches(self.formula, _MOST_BRANCHES)]

    @cached_property
    def _aimed(self) -> list[_Plan]:
        """Plans that end at a violation."""
        if self.violation is None or not is_plain(self.violation):
            return []
        both = branches(And(self.formula, self.violation), _MOST_BRANCHES)
        return [_Plan.of(branch, self.variables) for branch in both if branch is not false]

    @cached_property
    def _is_slow(self) -> bool:
        """Whether one point takes so long to construct that found ones have to do."""
        began = time.process_time()
        if not self._known or len(self._plans) == 0:
            return False
        remaining = self._plans[0].constraint
        for symbol in self._plans[0].free:
            if time.process_time() - began > _TOO_SLOW:
                return True
            remaining = substituted(remaining, symbol, self._known[0][symbol])
        holds(self.formula, self._known[0])
        return time.process_time() - began > _TOO_SLOW

    @cached_property
    def _known(self) -> list[Point]:
        """Points of the exact search, which solves equations that no order of variables solves."""
        search = Search(self.variables, self.formula, clock.now() + _FOR_KNOWN)
        return list(islice(search.points(), _MOST_KNOWN))

    def points(self) -> st.SearchStrategy[Point]:
        """The strategy: most points anywhere, some at a violation if there is one, and found ones."""

        @st.composite
        def drawn(draw: Draw) -> Point:
            if self._is_slow:
                return draw(st.sampled_from(self._known))
            way = draw(st.integers(0, _WAYS))
            if way == _WAYS and self._aimed and (point := self._along(draw, self._aimed)) is not None:
                return point
            if (way < _WAYS - 1 or not self._known) and (point := self._along(draw, self._plans)) is not None:
                return point
            if not self._known:
                reject()
            return draw(st.sampled_from(self._known))

        return drawn()

    def _along(self, draw: Draw, plans: Sequence[_Plan]) -> Point | None:
        plan = draw(st.sampled_from(plans))
        point: Point = {}
        remaining = plan.constraint
        for symbol in plan.free:
            alone = tuple(part for part in clauses(remaining) if part.free_symbols == {symbol})
            strategy = _values(symbol, self.variables[symbol], alone)
            if strategy is None:
                return None
            point[symbol] = draw(strategy)
            try:
                remaining = substituted(remaining, symbol, point[symbol])
            except ValueError:  # SymPy 1.14 trips over square roots of some large integers
                return None
        whole = complete(point, plan.solved)
        if whole is None or holds(self.formula, whole) is not True:
            return None
        return {symbol: whole[symbol] for symbol in self.variables}


@dataclass(frozen=True)
class _Plan:
    """One alternative of the hypotheses: variables that the others give, and what the others satisfy in turn."""

    free: tuple[Symbol, ...]
    solved: Mapping[Symbol, Expr]
    constraint: Boolean

    @classmethod
    def of(cls, branch: Boolean, variables: Mapping[Symbol, Set]) -> _Plan:
        solved, rest = substitute_linear(branch, list(variables))
        free = tuple(symbol for symbol in variables if symbol not in solved)
        return cls(free, solved, And(rest, *projections(rest), *shadows(rest, free)))


def _values(symbol: Symbol, domain: Set, relations: tuple[Boolean, ...]) -> st.SearchStrategy[Expr] | None:
    """Values of one variable that satisfy relations about it alone; None where there are none."""
    bounds = _bounds(symbol, relations)
    if bounds is not None and not is_discrete(domain):
        found = between(*bounds)
        return None if found.is_empty else found.map(lambda value: Rational(value.numerator, value.denominator))
    good = _good_values(symbol, domain, relations)
    return st.sampled_from(good) if good else None


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
        sizes = st.fractions(-10, 10, max_denominator=12)
        signed = st.builds(lambda sign, size: sign * size, st.sampled_from((1, -1)), _decades(-_DECADES, _LARGEST))
        return _often((5, sizes), (2, st.fractions(-1000, 1000, max_denominator=1000)), (1, signed))
    if low[0] is None:
        return between((-high[0], high[1]), (None, False)).map(lambda value: -value)  # type: ignore[operator]
    start = low[0]
    if high[0] is None:
        sizes = st.fractions(0, 10, max_denominator=12)
        wide = st.fractions(0, 1000, max_denominator=1000)
        away = _often((5, sizes), (2, wide), (1, _decades(-6, 3)), (1, _decades(-_DECADES, _LARGEST)))
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
    near, nearest = _decades(-4, -1), _decades(-_DECADES, -1)
    ends = [st.just(Fraction(place)) for place, is_open in ((0, low_open), (1, high_open)) if not is_open]
    return _often(
        (6, regular), (1, near), (1, near.map(lambda step: 1 - step)), (1, nearest),
        (1, nearest.map(lambda step: 1 - step)), *((1, end) for end in ends),
    )  # fmt: skip


def _often(*ways: tuple[int, st.SearchStrategy[Fraction]]) -> st.SearchStrategy[Fraction]:
    """One of several strategies, each as often as its weight says; the first is what shrinking ends in."""
    return st.sampled_from([way for weight, way in ways for _ in range(weight)]).flatmap(lambda way: way)


def _decades(first: int, last: int) -> st.SearchStrategy[Fraction]:
    return st.builds(
        lambda digit, power: Fraction(digit) * Fraction(10) ** power, st.integers(1, 9), st.integers(first, last)
    )
