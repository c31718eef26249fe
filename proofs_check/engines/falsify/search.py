"""Looks for counterexamples, at points and along trajectories; can refute, and otherwise says how much it searched.

A refutation is an exact point (or a trajectory enclosed in balls) that satisfies every hypothesis and violates the
conclusion. A search without one is `sampled`, never `proved`; it is `suspect` where a violation is clear in floating
point, seen again with more precision, and could not be certified.
"""

from __future__ import annotations

import time
from dataclasses import replace
from importlib import import_module

from sympy import Eq, Expr, Set, Symbol

from proofs_check.budget import Budget
from proofs_check.engines.falsify import NAME, existence, points, trajectories
from proofs_check.engines.falsify.certificates import at_point
from proofs_check.goals import Goal, goal_of
from proofs_check.points.shrinking import nearer, sentence
from proofs_check.points.zeros import some_zero
from proofs_check.verdict import Outcome, Strength, Verdict
from theory.domains import is_discrete
from theory.statements import Statement
from theory.temporal import Exists, ForAll, is_temporal

VERSION = 7

_NEARER_SECONDS = 1.0
_ZERO_SECONDS = 0.5


def missing() -> str | None:
    """Nothing beyond the core is needed."""
    return None


def prepare(statement: Statement) -> None:
    """Load the libraries of the search before its clock runs: the first statement of a process would pay for all."""
    libraries = ["scipy.special", "scipy.optimize", *(["numba"] if statement.dynamics is not None else [])]
    for name in libraries:
        import_module(name)


def decide(statement: Statement, budget: Budget) -> Verdict | None:
    """Refute a statement, or report how many cases were searched in vain; None when it is out of reach.

    >>> from sympy import Interval
    >>> x = Symbol("x")
    >>> decide(Statement(variables={x: Interval(0, 2)}, then=x**2 <= x), Budget.of("quick")).counterexample
    {'x': '2'}
    """
    budget = budget if budget.deadline < float("inf") else budget.start()
    statement = without_outer_quantifiers(statement)
    if statement.dynamics is not None and (is_temporal(statement.conclusion) or statement.speaks_of_state):
        return trajectories.decide(statement, budget)
    if isinstance(statement.conclusion, Exists):
        return existence.decide(statement, budget)
    goal = goal_of(statement)
    return None if goal is None or goal.is_abstract else _decide_goal(statement, goal, budget)


def prove(goal: Goal, budget: Budget) -> Verdict | None:
    """Refute a goal, or return None; this engine proves nothing."""
    budget = budget if budget.deadline < float("inf") else budget.start()
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


def _decide_goal(statement: Statement, goal: Goal, budget: Budget) -> Verdict | None:
    wanted = points.openly(goal, statement.almost_all) if statement.almost_all else goal
    survey = points.find(wanted, budget)
    if survey.counterexample is not None:
        return _refuted(goal, nearer(wanted, survey.counterexample, time.monotonic() + _NEARER_SECONDS))
    zero = None if statement.almost_all else _along_equalities(goal, budget)
    if zero is not None:
        return zero
    if survey.cases == 0:
        return None
    note = _undefined_note(survey.undefined)
    verdict = Verdict(Outcome.SAMPLED, engine=NAME, cases=survey.cases, coverage=_coverage(goal, survey))
    return verdict.note(note) if note else verdict


def _along_equalities(goal: Goal, budget: Budget) -> Verdict | None:
    """A violation on a set that no sample meets: a zero of the equalities that a counterexample satisfies."""

    if not goal.refutation.has(Eq):
        return None
    zero = some_zero(goal.variables, goal.refutation, replace(budget, seconds=max(budget.left, _ZERO_SECONDS)).start())
    if zero is None:
        return None
    note = f"a zero in a box of radius {float(zero.radius):.1e}, certified by Krawczyk's test"
    return Verdict(
        Outcome.REFUTED, Strength.ENCLOSED, NAME, counterexample=zero.described(), certificate=zero.certificate(),
        notes=(note,),
    )  # fmt: skip


def _refuted(goal: Goal, point: dict[Symbol, Expr]) -> Verdict:
    values = {symbol.name: str(value) for symbol, value in point.items()}
    notes = (sentence(goal, point),)
    return Verdict(Outcome.REFUTED, engine=NAME, counterexample=values, certificate=at_point(point), notes=notes)


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
