"""A statement as a Hypothesis test: points of its hypothesis set by construction, the conclusion checked rigorously.

The check at each point is exact or in balls for plain statements and for maps, and in double precision for flows: there
a violation counts when it is larger than the error of the terms that it is made of, and stays the same at a tighter
tolerance and from neighbouring starts; a failing test prints the shrunk counterexample as code that can be pasted.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from hypothesis import HealthCheck, Phase, given, settings, target
from sympy import Expr, Symbol, false, srepr

from numerics.robustness import TemporalRobustness, Trajectories
from proofs_check.engines.falsify.points import openly, without_value
from proofs_check.engines.falsify.runs import Simulation
from proofs_check.engines.falsify.search import without_outer_quantifiers
from proofs_check.goals import Goal, domains, goal_of
from proofs_check.points.exact import has_no_value, holds
from proofs_check.points.search import Point
from proofs_check.points.shrinking import sentence
from proofs_check.points.strategies import points
from theory.dynamics import Map
from theory.errors import LemmascopeError
from theory.statements import Statement
from theory.temporal import ConvergesTo, Eventually, HasPeriod, Until

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Values = NDArray[np.float64]

HORIZON = 600
_LIVENESS = (ConvergesTo, Eventually, HasPeriod, Until)
_FLOW_ERROR = 1e-6
"""The part of the largest terms of a relation that the error of an integration may reach."""

_FOR_GAPS = 1.0
"""Seconds that a search for points without a value may take."""

_TIGHTER = 1e-12
_NEARBY = 1e-11
"""How far, relative to its values, a point is moved to see whether the violation depends on rounding."""


def as_property_test(statement: Statement, *, max_examples: int = 100) -> Callable[[], None]:
    """A plain Hypothesis test function for a statement; call it, or let pytest collect it.

    >>> from sympy import Interval
    >>> x = Symbol("x")
    >>> test = as_property_test(Statement(id="demo/lemma-1", variables={x: Interval(0, 1)}, then=x**2 <= x))
    >>> test.__name__
    'test_demo_lemma_1'
    >>> test()
    """
    statement = without_outer_quantifiers(statement)
    goal = goal_of(statement) if statement.dynamics is None else None
    if goal is None and statement.dynamics is None:
        raise LemmascopeError(
            f"{statement.id or 'the statement'} is neither a formula about numbers nor about a trajectory:"
            " a property test can only draw points and starts"
        )
    check: Callable[[Point], None] = _PointCheck(statement, goal) if goal is not None else _TrajectoryCheck(statement)

    def test(point: Point) -> None:
        __tracebackhide__ = True
        check(point)

    test.__name__ = test.__qualname__ = "test_" + re.sub(r"\W+", "_", statement.id or "statement").strip("_").lower()
    test.__doc__ = statement.title or f"{statement.then} holds for every point of the hypotheses."
    slow = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]
    # which lines of this program a failing point ran tells nothing about the statement
    phases = [phase for phase in Phase if phase is not Phase.explain]
    relaxed = settings(deadline=None, max_examples=max_examples, suppress_health_check=slow, phases=phases)
    decorated: Callable[[], None] = relaxed(given(points(statement))(test))
    return decorated


class _PointCheck:
    """A plain conclusion at one exact point."""

    def __init__(self, statement: Statement, goal: Goal) -> None:
        self.goal = goal
        counted = openly(goal, statement.almost_all) if statement.almost_all else goal
        self.violation = false if counted is None else counted.refutation
        self.may_have_exceptions = bool(statement.almost_all)

    @cached_property
    def _gap(self) -> Point | None:
        """A point without a value that drawn points may never meet: the end of a piece, a pole."""
        return None if self.may_have_exceptions else without_value(self.goal, time.monotonic() + _FOR_GAPS)

    def __call__(self, point: Point) -> None:
        __tracebackhide__ = True
        for place in (self._gap, point):
            if place is not None and not self.may_have_exceptions and has_no_value(self.goal.conclusion, place):
                raise AssertionError(f"the conclusion has no value at a point of the hypotheses\n{pasteable(place)}")
        if holds(self.violation, point) is True:
            raise AssertionError(f"{sentence(self.goal, point)}\n{pasteable(point)}")


class _TrajectoryCheck:
    """A temporal conclusion from one exact start: double precision, then balls for what looks like a violation."""

    def __init__(self, statement: Statement) -> None:
        self.statement = statement

    @cached_property
    def _simulation(self) -> Simulation:
        return Simulation(self.statement, list(domains(self.statement)))

    @cached_property
    def _robustness(self) -> TemporalRobustness:
        dynamics = self._simulation.dynamics
        slack = 0.0 if isinstance(dynamics, Map) else _FLOW_ERROR
        return TemporalRobustness(
            self.statement.conclusion, dynamics.state, self._simulation.names, dynamics.time, slack=slack
        )

    def __call__(self, point: Point) -> None:
        __tracebackhide__ = True
        names = self._simulation.names
        column = np.array([[float(point[symbol].evalf(20))] for symbol in names]).reshape(len(names), 1)
        value = self._value(column)
        if np.isfinite(value):
            target(-float(np.clip(value, -1e9, 1e9)), label="distance to violation")
        if value < 0:
            self._confirm(point, column, value)

    def _value(self, column: Values, relative: float = 1e-9) -> float:
        names = self._simulation.names
        runs = self._simulation.run(column, HORIZON, relative)
        kept = max(2, int(runs.kept[0]))
        dynamics = self._simulation.dynamics
        fixed: dict[Symbol, Any] = dict(zip(names, column, strict=True))
        shown = Trajectories(dynamics.state, runs.states[:kept], runs.times[:kept], fixed, dynamics.time)
        return float(self._robustness.over(shown)[0, 0])

    def _stays(self, column: Values, value: float) -> bool:
        """Whether a violation is about the same at a tighter tolerance and, there, from starts next to this one."""
        others = [self._value(column * move, _TIGHTER) for move in (1.0, 1.0 + _NEARBY, 1.0 - _NEARBY)]
        return all(2 * value < other < value / 2 for other in others)

    def _confirm(self, point: Point, column: Values, value: float) -> None:
        __tracebackhide__ = True
        if isinstance(self._simulation.dynamics, Map):
            from proofs_check.engines.enclosure.search import confirm_violation

            verdict = confirm_violation(self.statement, point, HORIZON)
            if verdict is not None:
                where = ", ".join(f"{name} = {number}" for name, number in (verdict.counterexample or {}).items())
                raise AssertionError(f"{'; '.join(verdict.notes)}: {where}\n{pasteable(point)}")
            return
        judged = not self.statement.conclusion.has(*_LIVENESS) and not self.statement.almost_all
        if judged and self._stays(column, value):
            raise AssertionError(
                f"the trajectory violates {self.statement.conclusion} by {-value:.3g}, in double precision\n"
                f"{pasteable(point)}"
            )


def pasteable(point: Mapping[Symbol, Expr]) -> str:
    """A point as Python code.

    >>> from sympy import Rational
    >>> print(pasteable({Symbol("x"): Rational(1, 2)}))
    from sympy import Rational, Symbol
    point = {Symbol('x'): Rational(1, 2)}
    """
    code = "{" + ", ".join(f"{srepr(symbol)}: {srepr(value)}" for symbol, value in point.items()) + "}"
    names = sorted(set(re.findall(r"[A-Za-z]\w*", re.sub(r"'[^']*'", "", code))))
    return f"from sympy import {', '.join(names)}\npoint = {code}"
