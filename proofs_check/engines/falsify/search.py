"""Looks for counterexamples, at points and along trajectories; can refute, and otherwise says how much it searched.

A refutation is an exact point (or a trajectory enclosed in balls) that satisfies every hypothesis and violates the
conclusion. A search without one is `sampled`, never `proved`; it is `suspect` where a violation is clear in floating
point, seen again with more precision, and could not be certified.
"""

from __future__ import annotations

from importlib import import_module

import numpy as np
from sympy import Eq, Expr, Set, Symbol

from proofs_check.budget import Budget
from proofs_check.engines.falsify import NAME, existence, points, trajectories
from proofs_check.engines.falsify.certificates import at_point
from proofs_check.goals import Goal, goal_of
from proofs_check.limits import OutOfTimeError, at_most
from proofs_check.points.sampling import Sampler
from proofs_check.points.shrinking import nearer, sentence
from proofs_check.points.zeros import some_zero
from proofs_check.shares import SHARES, WALL
from proofs_check.verdict import Evidence, Outcome
from theory.domains import is_discrete
from theory.errors import LemmascopeError
from theory.statements import Statement
from theory.temporal import Exists, ForAll, is_temporal, negation

VERSION = 8
_GLANCED = 200
"""Points of the glance that says who is asked first."""
_MOST_OPERATIONS = 400
_CLEARLY = 1e-9
_GLANCE = SHARES["falsify, glance"].most


def missing() -> str | None:
    """Nothing beyond the core is needed."""
    return None


def prepare(statement: Statement) -> None:
    """Load the libraries of the search before its clock runs: the first statement of a process would pay for all."""
    libraries = ["scipy.special", "scipy.optimize", *(["numba"] if statement.dynamics is not None else [])]
    for name in libraries:
        import_module(name)


def looks_false(statement: Statement) -> bool:
    """Whether a few points in floats violate a plain statement clearly; it only says who is asked first.

    >>> from sympy import Reals, exp
    >>> x = Symbol("x")
    >>> [looks_false(Statement(variables={x: Reals}, then=then)) for then in (exp(x) > 1 + x, exp(x) < 1 + x**2)]
    [False, True]
    """
    goal = goal_of(statement)
    if goal is None or goal.is_abstract or statement.almost_all or not goal.variables:
        return False
    violation = negation(goal.conclusion)
    if violation.has(Eq) or sum(int(part.count_ops()) for part in (violation, *goal.hypotheses)) > _MOST_OPERATIONS:
        return False
    try:
        with at_most(_GLANCE * WALL, work=_GLANCE):
            sampler = Sampler(goal.variables, goal.hypotheses, (violation,), seconds=0.0)
            points = sampler.draw(_GLANCED, np.random.default_rng(2), seconds=_GLANCE / 4)
            amount = sampler.compiled.evaluate(points).robustness(violation)
            return bool(np.any(amount > _CLEARLY * (1 + np.max(np.abs(points), axis=0))))
    except (LemmascopeError, OutOfTimeError, TypeError, ValueError, IndexError, OverflowError):
        return False


def decide(statement: Statement, budget: Budget) -> Evidence | None:
    """Refute a statement, or report how many cases were searched in vain; None when it is out of reach.

    >>> from sympy import Interval
    >>> x = Symbol("x")
    >>> decide(Statement(variables={x: Interval(0, 2)}, then=x**2 <= x), Budget.of("quick")).counterexample
    {'x': '2'}
    """
    budget = budget.running
    statement = without_outer_quantifiers(statement)
    if statement.dynamics is not None and (is_temporal(statement.conclusion) or statement.speaks_of_state):
        return trajectories.decide(statement, budget)
    if isinstance(statement.conclusion, Exists):
        return existence.decide(statement, budget)
    goal = goal_of(statement)
    return None if goal is None or goal.is_abstract else _decide_goal(statement, goal, budget)


def prove(goal: Goal, budget: Budget) -> Evidence | None:
    """Refute a goal, or return None; this engine proves nothing."""
    budget = budget.running
    found = points.find(goal, budget).counterexample
    return None if found is None else _refuted(goal, found)


def without_outer_quantifiers(statement: Statement) -> Statement:
    """A conclusion that holds for all y is a statement with one more variable.

    >>> from sympy import Interval, symbols
    >>> x, y = symbols("x y")
    >>> claim = Statement(variables={x: Interval(0, 1)}, then=ForAll(y, Interval(0, 1), x * y <= 1))
    >>> without_outer_quantifiers(claim).then
    x*y <= 1
    """
    while isinstance(statement.then, ForAll) and statement.then.symbol not in statement.variables:
        inner = statement.then
        statement = statement.but(variables={**statement.variables, inner.symbol: inner.domain}, then=inner.body)
    return statement


def _decide_goal(statement: Statement, goal: Goal, budget: Budget) -> Evidence | None:
    wanted = points.openly(goal, statement.almost_all) if statement.almost_all else goal
    survey = points.find(wanted, budget)
    if survey.counterexample is not None:
        return _refuted(goal, nearer(wanted, survey.counterexample, budget.until("falsify, nearer point")))
    zero = None if statement.almost_all else _along_equalities(goal, budget)
    if zero is not None:
        return zero
    if survey.cases == 0:
        return None
    note = _undefined_note(survey.undefined)
    verdict = Evidence(Outcome.SAMPLED, engine=NAME, cases=survey.cases, coverage=_coverage(goal, survey))
    return verdict.note(note) if note else verdict


def _along_equalities(goal: Goal, budget: Budget) -> Evidence | None:
    """A violation on a set that no sample meets: a zero of the equalities that a counterexample satisfies."""

    if not goal.refutation.has(Eq):
        return None
    zero = some_zero(goal.variables, goal.refutation, budget.share("falsify, zero"))
    if zero is None:
        return None
    note = f"a zero in a box of radius {float(zero.radius):.1e}, certified by Krawczyk's test"
    return Evidence(
        Outcome.REFUTED, NAME, counterexample=zero.described(), certificate=zero.certificate(),
        notes=(note,),
    )  # fmt: skip


def _refuted(goal: Goal, point: dict[Symbol, Expr]) -> Evidence:
    values = {symbol.name: str(value) for symbol, value in point.items()}
    notes = (sentence(goal, point),)
    return Evidence(Outcome.REFUTED, engine=NAME, counterexample=values, certificate=at_point(point), notes=notes)


def _undefined_note(point: dict[Symbol, Expr] | None) -> str | None:
    if point is None:
        return None
    place = ", ".join(f"{symbol} = {value}" for symbol, value in point.items())
    return f"the conclusion has no value at {place}, which satisfies the hypotheses"


def _coverage(goal: Goal, survey: points.Survey) -> str:
    regions = ", ".join(described(symbol, domain) for symbol, domain in goal.variables.items())
    return (
        f"{survey.cases} points of {regions} on linear and log scales, ends and corners included, in double precision;"
        f" the {survey.rechecked} of least margin and a spread of others again in exact or ball arithmetic"
    )


def described(symbol: Symbol, domain: Set) -> str:
    """A variable and where it lives, in words.

    >>> from sympy import Interval, Reals
    >>> described(Symbol("x"), Interval.Lopen(0, 1)), described(Symbol("y"), Reals)
    ('x in (0, 1]', 'y in R')
    """
    start, end = getattr(domain, "start", None), getattr(domain, "end", None)
    if is_discrete(domain):
        return f"integers {symbol} in {domain}"
    if start is None or end is None:
        return f"{symbol} in {domain}"
    if start.is_infinite and end.is_infinite:
        return f"{symbol} in R"
    left, right = ("(" if domain.left_open else "["), (")" if domain.right_open else "]")
    return f"{symbol} in {left}{start}, {end}{right}"
