"""A statement as a Hypothesis test: points of its hypothesis set by construction, the conclusion checked rigorously.

At each drawn point the check is exact or in balls; along trajectories a violation that is clear in floating point
counts too. A failing test prints the shrunk counterexample as code that can be pasted. Where no point fails the referee
is asked for a quick verdict, so that a test never passes what that refutes.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
from hypothesis import HealthCheck, Phase, currently_in_test_context, given, settings, target
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from sympy import And, Expr, Gt, Implies, Lt, Ne, Not, Symbol, SympifyError, false, srepr, sympify

from numerics.robustness import TemporalRobustness
from proofs_check import clock
from proofs_check.budget import Budget
from proofs_check.engines.enclosure.search import confirm_violation
from proofs_check.engines.falsify.clarity import Sight, worst
from proofs_check.engines.falsify.points import openly, without_value
from proofs_check.engines.falsify.runs import Simulation
from proofs_check.engines.falsify.search import without_outer_quantifiers
from proofs_check.evidence.case import Case
from proofs_check.goals import Goal, domains, goal_of
from proofs_check.kernel.inner_products import NotTranslatedError
from proofs_check.kernel.spaces import at_size, size_symbols
from proofs_check.passes.noise import without_noise
from proofs_check.passes.sizes import at_one_size, sizes_of
from proofs_check.points.exact import has_no_value, holds
from proofs_check.points.search import Point
from proofs_check.points.shrinking import sentence
from proofs_check.points.strategies import points
from proofs_check.referee.judge import judge
from proofs_check.run.implementations import ImplementationCheck
from proofs_check.run.random_tests import compare_with_ensemble
from proofs_check.run.structure_tests import case_check, drawn_cases
from proofs_check.verdict import Outcome
from theory.dynamics import Map
from theory.errors import LemmascopeError
from theory.language.formulas import clauses
from theory.statements import Statement
from theory.temporal import AlmostEvery, Decreasing

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Values = NDArray[np.float64]

HORIZON = 600
_FOR_GAPS = 1.0
"""Seconds that a search for points without a value may take."""

_FOR_CONFIRMING = 3.0
"""Seconds of computing that one test may take to confirm in balls what looks wrong in floating point."""

_SIZES, _MOST_CHOICES = (1, 2, 3), 5
"""Sizes of families, vectors and matrices that are drawn, and how many choices of them."""


def as_property_test(
    statement: Statement,
    *,
    max_examples: int = 100,
    step: Callable[..., Any] | None = None,
    array: Callable[[Any], Any] | None = None,
    same_rule: bool = False,
) -> Callable[[], None]:
    """A test function for a statement, drawn by Hypothesis; call it, or let pytest collect it.

    Vectors and matrices of any size are drawn in small sizes, smallest first.

    step: one's own implementation of a training step, run in the place of the statement's rule. Its arguments are named
        like the state, the variables and the step counter of the statement, as many of them as it wants (without names:
        the state, then the parameters); vectors and matrices are arrays. It returns the new state: one value, a tuple
        in the order of the state, or a mapping by name.
    array: what makes the arrays that the step takes, such as ``torch.tensor``; NumPy arrays and floats without it.
    same_rule: whether the step must also agree with the statement's rule, step by step.

    >>> from sympy import Interval
    >>> x = Symbol("x")
    >>> test = as_property_test(Statement(id="demo/lemma-1", variables={x: Interval(0, 1)}, then=x**2 <= x))
    >>> test.__name__
    'test_demo_lemma_1'
    >>> test()

    >>> from theory import Always, gradient_descent
    >>> x0, eta = Symbol("x0"), Symbol("eta")
    >>> shrinks = Statement(variables={x0: Interval(-5, 5), eta: Interval(0, 2)}, start={x: x0},
    ...                     dynamics=gradient_descent(x**2 / 2, x, eta), then=Always(x**2 <= x0**2))
    >>> def my_step(x, eta):
    ...     return x - eta * x
    >>> as_property_test(shrinks, step=my_step, max_examples=10)()
    >>> def wrong_step(x, eta):
    ...     return x + eta * x
    >>> as_property_test(shrinks, step=wrong_step, max_examples=10)()
    Traceback (most recent call last):
    AssertionError: wrong_step violates Always(x**2 <= x0**2) ...
    """
    if statement.speaks_of_structures:
        if step is not None:
            raise LemmascopeError(f"{statement.id or 'the statement'} has no training step that could be replaced")
        return _structure_test(statement, max_examples)
    asked, plain = statement, without_outer_quantifiers(without_noise(statement))
    cases = _at_numbers(plain)
    checks = [_check_of(plain, case, step, array, same_rule=same_rule) for case in cases]

    def drawn_test(point: tuple[int, Point]) -> None:
        __tracebackhide__ = True
        place, values = point
        checks[place](values)
        if asked.noise:
            compare_with_ensemble(asked, values)

    _name(drawn_test, asked)
    ways = [points(case, getattr(check, "violation", None)) for case, check in zip(cases, checks, strict=True)]
    drawn = st.integers(0, len(cases) - 1).flatmap(lambda place: st.tuples(st.just(place), ways[place]))
    drawing = _settings(max_examples)(given(point=drawn)(drawn_test))

    def test() -> None:
        __tracebackhide__ = True
        try:
            drawing()
        except Unsatisfiable:  # no point could be drawn, and there may be none
            if step is None:
                _refuse_what_is_refuted(asked, checks[0])
            raise
        if step is None:
            _refuse_what_is_refuted(asked, checks[0])

    _name(test, asked)
    return test


def _structure_test(statement: Statement, max_examples: int) -> Callable[[], None]:
    check = case_check(statement)

    def drawn_test(case: Any) -> None:
        __tracebackhide__ = True
        check(case)

    _name(drawn_test, statement)
    drawing = _settings(max_examples)(given(case=drawn_cases(statement))(drawn_test))

    def test() -> None:
        __tracebackhide__ = True
        drawing()
        _refuse_what_is_refuted(statement, lambda _point: None)

    _name(test, statement)
    return test


def _name(test: Callable[..., None], statement: Statement) -> None:
    test.__name__ = test.__qualname__ = "test_" + re.sub(r"\W+", "_", statement.id or "statement").strip("_").lower()
    test.__doc__ = statement.title or f"{statement.then} holds for every point of the hypotheses."


def _settings(max_examples: int) -> settings:
    slow = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]
    # which lines of this program a failing point ran tells nothing about the statement
    phases = [phase for phase in Phase if phase is not Phase.explain]
    return settings(deadline=None, max_examples=max_examples, suppress_health_check=slow, phases=phases)


def _check_of(
    general: Statement,
    case: Statement,
    step: Callable[..., Any] | None,
    array: Callable[[Any], Any] | None,
    *,
    same_rule: bool,
) -> Callable[[Point], None]:
    if step is not None:
        return _StepCheck(ImplementationCheck(general, case, step, array=array, same_rule=same_rule))
    if case.dynamics is not None:
        names = ("distance to violation", *(f"distance to violation of part {k}" for k in range(2, 10)))
        return _all_of([_TrajectoryCheck(*each) for each in zip(_apart(case), names, strict=False)])
    goal = goal_of(case)
    if goal is None:
        raise LemmascopeError(
            f"{general.id or 'the statement'} is neither a formula about numbers nor about a trajectory:"
            " a property test can only draw points and starts"
        )
    return _PointCheck(case, goal)


def _at_numbers(statement: Statement) -> list[Statement]:
    """Statements about numbers that a violation can be seen in: vectors and families at small sizes."""
    if statement.speaks_of_families:
        names = sizes_of(statement)
        return [at_one_size(statement, dict.fromkeys(names, size)) for size in _SIZES]
    return at_small_sizes(statement) if statement.speaks_of_spaces else [statement]


def at_small_sizes(statement: Statement) -> list[Statement]:
    """A statement about vectors and matrices, entry by entry, for the smallest sizes that fit it.

    >>> from theory import Vectors, inner, norm, vector
    >>> u, v = vector("u"), vector("v")
    >>> cauchy = Statement(variables={u: Vectors(), v: Vectors()}, then=inner(u, v) <= norm(u) * norm(v))
    >>> at_small_sizes(cauchy)[1].then
    u_1_1*v_1_1 + u_2_1*v_2_1 <= sqrt(u_1_1**2 + u_2_1**2)*sqrt(v_1_1**2 + v_2_1**2)
    """
    names = size_symbols(statement)
    choices = sorted(product(_SIZES, repeat=len(names)), key=lambda sizes: (sum(sizes), sizes))
    found: list[Statement] = []
    for sizes in choices[:_MOST_CHOICES]:
        try:
            found.append(at_size(statement, dict(zip(names, sizes, strict=True))).about_numbers)
        except NotTranslatedError as error:
            refusal = str(error)
    if not found:
        raise LemmascopeError(f"{statement.id or 'the statement'} cannot be written out entry by entry: {refusal}")
    return [part.but(id=statement.id, title=statement.title) for part in found]


def _refuse_what_is_refuted(statement: Statement, check: Callable[[Point], None]) -> None:
    """Fail where the referee, asked for a quick verdict, has a counterexample that the kernel accepts."""
    __tracebackhide__ = True
    verdict = judge(Case(statement, "quick", correct=False))
    if verdict.outcome is Outcome.VACUOUS:
        raise AssertionError("no point satisfies the hypotheses")
    if verdict.outcome is not Outcome.REFUTED:
        return
    shown = verdict.counterexample or {}
    point = _point_of(statement, shown)
    if point is not None:
        check(point)
    where = ", ".join(f"{name} = {number}" for name, number in shown.items())
    said = "; ".join(verdict.notes) or "the kernel accepts a counterexample"
    raise AssertionError(f"{said}: {where}" + ("" if point is None else f"\n{pasteable(point)}"))


def _point_of(statement: Statement, shown: Mapping[str, str]) -> Point | None:
    """The counterexample of a verdict as a point, where it names a value of every variable."""
    names = {symbol.name: symbol for symbol in domains(statement)}
    if not set(names) <= set(shown):
        return None
    try:
        return {symbol: sympify(shown[name]) for name, symbol in names.items()}
    except (SympifyError, TypeError, ValueError):
        return None


class _StepCheck:
    """An implementation along its own trajectory from one exact start."""

    def __init__(self, implementation: ImplementationCheck) -> None:
        self.implementation = implementation

    def __call__(self, point: Point) -> None:
        __tracebackhide__ = True
        wrong = self.implementation(point)
        if wrong is not None:
            raise AssertionError(f"{wrong}\n{pasteable(point)}")


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
        return None if self.may_have_exceptions else without_value(self.goal, clock.now() + _FOR_GAPS)

    def __call__(self, point: Point) -> None:
        __tracebackhide__ = True
        for place in (self._gap, point):
            if place is not None and not self.may_have_exceptions and has_no_value(self.goal.conclusion, place):
                raise AssertionError(f"the conclusion has no value at a point of the hypotheses\n{pasteable(place)}")
        if holds(self.violation, point) is True:
            raise AssertionError(f"{sentence(self.goal, point)}\n{pasteable(point)}")


def _apart(case: Statement) -> list[Statement]:
    """The statement, or one for each part that has exceptions of its own and one for the rest."""
    almost = [part for part in clauses(case.then) if isinstance(part, AlmostEvery)]
    if not almost:
        return [case]
    rest = [part for part in clauses(case.then) if part not in almost]
    found = [case.but(then=part.args[1], almost_all=(part.symbol,)) for part in almost]
    return [*found, *([case.but(then=And(*rest))] if rest else [])]


def _all_of(checks: list[_TrajectoryCheck]) -> Callable[[Point], None]:
    def check(point: Point) -> None:
        __tracebackhide__ = True
        for one in checks:
            one(point)

    return checks[0] if len(checks) == 1 else check


class _TrajectoryCheck:
    """A temporal conclusion from one exact start: double precision, then balls or a second look at what seems wrong."""

    def __init__(self, statement: Statement, label: str) -> None:
        self.statement, self.label = statement, label
        self._known: dict[tuple[tuple[Symbol, Expr], ...], str | None] = {}
        self._spent = 0.0

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
        if np.isfinite(values[0]) and currently_in_test_context():
            target(-float(np.clip(values[0], -1e9, 1e9)), label=self.label)
        if values[0] < 0 or (values[0] == 0 and self._may_fail_at_equality):
            self._confirm(point, column, float(values[0]), float(runs.times[worst(values)]))

    def _confirm(self, point: Point, column: Values, amount: float, moment: float) -> None:
        __tracebackhide__ = True
        key = tuple(point.items())
        if key not in self._known:
            seen = self._seen(column) if amount < 0 else None
            # along a flow what is not clear is nearly always noise, and balls take long to say so
            worth_it = seen or amount == 0 or isinstance(self._simulation.dynamics, Map)
            self._known[key] = (self._certified(point, moment) if worth_it else None) or seen
        if self._known[key] is not None:
            raise AssertionError(f"{self._known[key]}\n{pasteable(point)}")

    @cached_property
    def _may_fail_at_equality(self) -> bool:
        """Whether a strict relation is claimed: where its sides are equal floats cannot tell, and the balls can."""
        return bool(self.statement.conclusion.has(Lt, Gt, Ne, Not, Implies, Decreasing))

    def _certified(self, point: Point, moment: float) -> str | None:
        """The violation in words where balls confirm it, within the time that one test may take for that."""
        if self._spent > _FOR_CONFIRMING:
            return None
        began = time.process_time()
        verdict = confirm_violation(self.statement, point, HORIZON, Budget.of("glance").start(), moment)
        self._spent += time.process_time() - began
        if verdict is None:
            return None
        where = ", ".join(f"{name} = {number}" for name, number in (verdict.counterexample or {}).items())
        return f"{'; '.join(verdict.notes)}: {where}"

    def _seen(self, column: Values) -> str | None:
        violation = self._sight.clear_violation(column[:, 0], HORIZON)
        if violation is None:
            return None
        return f"the trajectory violates {self.statement.conclusion} by {violation.amount:.3g}, in double precision"


def pasteable(point: Mapping[Symbol, Expr]) -> str:
    """A point as Python code.

    >>> from sympy import Rational
    >>> print(pasteable({Symbol("x"): Rational(1, 2)}))
    from sympy import Rational, Symbol
    point = {Symbol('x'): Rational(1, 2)}
    """
    code = "{" + ", ".join(f"{srepr(symbol)}: {srepr(value)}" for symbol, value in point.items()) + "}"
    if not point:
        return "point = {}"
    names = sorted(set(re.findall(r"[A-Za-z]\w*", re.sub(r"'[^']*'", "", code))))
    return f"from sympy import {', '.join(names)}\npoint = {code}"
