"""Counterexamples to plain goals: exact search, ensembles of float points, and a local optimiser from the worst ones.

A float point is only a candidate. It counts when a rational or algebraic point near it satisfies all hypotheses and
violates the conclusion in exact arithmetic.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
from sympy import And, Expr, Or, Rational, Symbol, false
from sympy.core.relational import Relational

from proofs_check import clock
from proofs_check.budget import Budget
from proofs_check.goals import Goal
from proofs_check.kernel.point import openly as kept_nearby
from proofs_check.points.exact import has_no_value, holds, places_without_value
from proofs_check.points.sampling import Sampler
from proofs_check.points.search import Point, Search
from proofs_check.points.shrinking import shrink
from theory.errors import LemmascopeError
from theory.temporal import negation

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Values = NDArray[np.float64]

_CLOSE_CALLS = 48
_WORST = 4
_TRIED = 8
_DIGITS = (1, 2, 3, 5, 17)


@dataclass(frozen=True)
class Survey:
    """What an ensemble showed: points, how many of them exactly, a point without a value, a counterexample."""

    cases: int
    rechecked: int
    undefined: Point | None
    counterexample: Point | None


def find(goal: Goal, budget: Budget, seed: int = 0) -> Survey:
    """Look for a counterexample until the budget is spent.

    >>> from sympy import Interval
    >>> x = Symbol("x")
    >>> find(Goal({x: Interval(0, 2)}, (0 <= x, x <= 2), x**2 <= x), Budget.of("quick").start()).counterexample
    {x: 2}
    """
    now = clock.now()
    exact = Search(goal.variables, goal.refutation, now + budget.seconds_for("falsify, exact point")).find()
    if exact is not None:
        better = shrink(goal, [_room_of(goal, exact)], now + budget.seconds_for("falsify, shrink"))
        return Survey(1, 1, None, better or exact)
    if not goal.variables:
        return Survey(0, 0, None, None)
    try:
        return _Ensemble(goal, budget, seed).survey()
    except LemmascopeError:
        return Survey(0, 0, None, None)


def without_value(goal: Goal, deadline: float) -> Point | None:
    """A simple point of the hypothesis set at which the conclusion has no value, also where no sample would meet it.

    >>> from sympy import Piecewise, S
    >>> x = Symbol("x")
    >>> without_value(Goal({x: S.Reals}, (), Piecewise((x, x < 3), (2, x > 3)) <= 3), clock.now() + 5)
    {x: 3}
    """
    places = Or(*places_without_value(goal.conclusion))
    if places == false:
        return None
    search = Search(goal.variables, And(*goal.hypotheses, places), deadline)
    return next((point for point in islice(search.points(), _TRIED) if has_no_value(goal.conclusion, point)), None)


def openly(goal: Goal, symbols: tuple[Symbol, ...]) -> Goal:
    """The goal whose counterexamples are those that persist on an open set of the given variables.

    >>> from sympy import Interval
    >>> x = Symbol("x")
    >>> openly(Goal({x: Interval(0, 1)}, (0 <= x, x <= 1), x > 0), (x,)).refutation
    (x > 0) & (x < 0) & (x < 1)
    """
    among = set(symbols)
    hypotheses = tuple(kept_nearby(part, among) for part in goal.hypotheses)
    return Goal(goal.variables, hypotheses, negation(kept_nearby(negation(goal.conclusion), among)))


def _room_of(goal: Goal, point: Point) -> tuple[dict[Symbol, float], float]:
    """An exact counterexample as a hint, with the amount of its violation."""
    amounts = []
    for relation in goal.conclusion.atoms(Relational):
        gap = (relation.lhs - relation.rhs).subs(point)
        amounts.append(abs(complex(gap.evalf(17))) if gap.is_finite is not False else 0.0)
    return {symbol: float(value.evalf(20)) for symbol, value in point.items()}, min(amounts, default=0.0)


class _Ensemble:
    def __init__(self, goal: Goal, budget: Budget, seed: int) -> None:
        self.goal, self.budget = goal, budget
        self.random = np.random.default_rng(seed)
        self.violation = negation(goal.conclusion)
        self.sampler = Sampler(goal.variables, goal.hypotheses, (self.violation,), budget.seconds)
        self.names, self.compiled = self.sampler.names, self.sampler.compiled

    def survey(self) -> Survey:
        points = self.sampler.draw(self.budget.samples, self.random, self.budget.seconds_for("falsify, draw"))
        if not points.shape[1]:
            return Survey(0, 0, None, None)
        values = self.compiled.evaluate(points)
        amount = values.robustness(self.violation)
        defined = ~np.isnan(amount)
        order = np.argsort(-np.where(defined, amount, -np.inf))
        hints = self._hints(points, amount, order)
        rounded = self._rounded(points[:, order[amount[order] > 0][: 4 * _WORST]])  # first: simplifying may use up time
        deadline = self.budget.until("falsify, shrink hints")
        found = (shrink(self.goal, hints, deadline) if hints else None) or rounded
        rechecked = 0
        if found is None:
            found, rechecked = self._close_calls(points[:, order[defined[order]]])
        undefined = self._undefined(points[:, ~defined]) if found is None else None
        return Survey(points.shape[1], rechecked, undefined, found)

    def _rounded(self, points: Values) -> Point | None:
        """A violating float point with as few digits as it needs, for want of time to find a simpler one near it."""
        for digits in _DIGITS:
            for column in range(points.shape[1]):
                if self.budget.spent and column >= _WORST:
                    break
                values = (Rational(str(round(float(value), digits))) for value in points[:, column])
                point: Point = dict(zip(self.names, values, strict=True))
                if holds(self.goal.refutation, point) is True:
                    return point
        return None

    def _hints(
        self, points: Values, amount: Values, order: NDArray[np.int64]
    ) -> list[tuple[dict[Symbol, float], float]]:
        """Violating points: the worst of the ensemble and what a local optimiser makes of them."""
        starts = [points[:, index] for index in order[:_WORST] if not np.isnan(amount[index])]
        until = self.budget.until("falsify, climb")
        climbed = [self._climb(start, until) for start in starts]
        together = [*climbed, *((start, float(amount[index])) for start, index in zip(starts, order, strict=False))]
        violating = [
            (dict(zip(self.names, map(float, point), strict=True)), size) for point, size in together if size > 0
        ]
        return sorted(violating, key=lambda hint: -hint[1])[:_WORST]

    def _climb(self, start: Values, until: float) -> tuple[Values, float]:
        """Nelder-Mead on the amount of violation, with points outside the hypotheses kept away, as time allows."""
        from scipy.optimize import minimize

        scale = np.where(start == 0, 1e-3, np.abs(start))

        def loss(steps: Values) -> float:
            if clock.now() > until:
                return 1e300
            values = self.compiled.evaluate((start + scale * steps)[:, None])
            amount = values.robustness(self.violation)[0]
            outside = values.robustness(self.sampler.formula)[0]
            if np.isnan(amount) or np.isnan(outside) or outside < -1e-12 * scale.max():
                return 1e300
            return float(np.clip(-amount, -1e300, 1e300))

        if clock.now() > until or not np.isfinite(loss(np.zeros(len(start)))):
            return start, -np.inf
        result = minimize(loss, np.zeros(len(start)), method="Nelder-Mead", options={"maxfev": 60 * len(start) + 60})
        return start + scale * result.x, float(-result.fun)

    def _close_calls(self, points: Values) -> tuple[Point | None, int]:
        """The points of smallest margin, evaluated exactly: rounding must not hide or fake a violation."""
        if not points.shape[1]:
            return None, 0
        chosen = np.unique(np.linspace(0, points.shape[1] - 1, _CLOSE_CALLS // 2).astype(int))
        chosen = np.unique(np.concatenate([np.arange(min(_CLOSE_CALLS // 2, points.shape[1])), chosen]))
        checked = 0
        for column in chosen:
            if self.budget.spent:
                break
            point = {
                symbol: Rational(float(value)) for symbol, value in zip(self.names, points[:, column], strict=True)
            }
            checked += 1
            if holds(self.goal.conclusion, point) is not False:
                continue
            hint = {symbol: float(value) for symbol, value in point.items()}
            exact = shrink(self.goal, [(hint, 0.0)], self.budget.until("falsify, shrink a close call"))
            if exact is None and holds(self.goal.refutation, point) is True:
                exact = point
            if exact is not None:
                return exact, checked
        return None, checked

    def _undefined(self, points: Values) -> Point | None:
        """A point of the hypothesis set at which the conclusion has no value, in exact arithmetic too."""
        found = without_value(self.goal, self.budget.until("falsify, no value"))
        if found is not None:
            return found
        for column in range(min(8, points.shape[1])):
            if self.budget.spent:
                break
            point: dict[Symbol, Expr] = {
                symbol: Rational(float(value)) for symbol, value in zip(self.names, points[:, column], strict=True)
            }
            if holds(And(*self.goal.hypotheses), point) is True and has_no_value(self.goal.conclusion, point):
                return point
        return None
