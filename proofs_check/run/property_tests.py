"""A statement as a Hypothesis test: points of its hypothesis set by construction, the conclusion checked rigorously.

The check at each point is exact or in balls; along trajectories a violation that is clear in floating point counts
too. A failing test prints the shrunk counterexample as code that can be pasted.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from hypothesis import HealthCheck, Phase, given, settings, target
from sympy import Expr, Symbol, false, srepr

from numerics.robustness import TemporalRobustness
from proofs_check.engines.enclosure.search import confirm_violation
from proofs_check.engines.falsify.clarity import Sight, worst
from proofs_check.engines.falsify.points import openly, without_value
from proofs_check.engines.falsify.runs import Simulation
from proofs_check.engines.falsify.search import without_outer_quantifiers
from proofs_check.goals import Goal, domains, goal_of
from proofs_check.points.exact import has_no_value, holds
from proofs_check.points.search import Point
from proofs_check.points.shrinking import sentence
from proofs_check.points.strategies import points
from theory.errors import LemmascopeError
from theory.statements import Statement

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Values = NDArray[np.float64]

HORIZON = 600

_FOR_GAPS = 1.0
"""Seconds that a search for points without a value may take."""


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
    """A temporal conclusion from one exact start: double precision, then balls or a second look at what seems wrong."""

    def __init__(self, statement: Statement) -> None:
        self.statement = statement

    @cached_property
    def _simulation(self) -> Simulation:
        return Simulation(self.statement, list(domains(self.statement)))

    @cached_property
    def _sight(self) -> Sight:
        dynamics = self._simulation.dynamics
        claim, names = self.statement.conclusion, self._simulation.names
        robustness = TemporalRobustness(claim, dynamics.state, names, dynamics.time)
        return Sight(self.statement, self._simulation, robustness)

    def __call__(self, point: Point) -> None:
        __tracebackhide__ = True
        column = np.array([[float(point[symbol].evalf(20))] for symbol in self._simulation.names]).reshape(-1, 1)
        runs = self._simulation.run(column, HORIZON)
        kept = max(2, int(runs.kept[0]))
        values = self._sight.judged(runs.states[:kept], runs.times[:kept], column)[:, 0]
        if np.isfinite(values[0]):
            target(-float(np.clip(values[0], -1e9, 1e9)), label="distance to violation")
        if values[0] < 0:
            self._confirm(point, column, float(runs.times[worst(values)]))

    def _confirm(self, point: Point, column: Values, moment: float) -> None:
        __tracebackhide__ = True

        verdict = confirm_violation(self.statement, point, HORIZON, moment=moment)
        if verdict is not None:
            where = ", ".join(f"{name} = {number}" for name, number in (verdict.counterexample or {}).items())
            raise AssertionError(f"{'; '.join(verdict.notes)}: {where}\n{pasteable(point)}")
        violation = self._sight.clear_violation(column[:, 0], HORIZON)
        if violation is not None:
            raise AssertionError(
                f"the trajectory violates {self.statement.conclusion} by {violation.amount:.3g}, in double precision\n"
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
