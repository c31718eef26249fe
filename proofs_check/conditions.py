"""For which values of a parameter does a goal hold? Exactly, by cutting the line where its truth can change.

One parameter and at most two other variables are decided here; QEPCAD, when it is installed, takes more parameters.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from sympy import And, CRootOf, Eq, Expr, FiniteSet, Gt, Interval, Lt, Poly, Rational, Set, Symbol, Union, oo
from sympy.logic.boolalg import Boolean
from sympy.polys.rootoftools import ComplexRootOf

from proofs_check.algebra.elimination import UnsupportedError
from proofs_check.algebra.projection import critical_polynomials
from proofs_check.algebra.systems import systems_of
from proofs_check.budget import Budget
from proofs_check.goals import Goal
from proofs_check.obligations import discharge
from proofs_check.verdict import Outcome
from theory.temporal import negation


@dataclass(frozen=True)
class Condition:
    """The parameters for which a goal holds, and those for which the provers did not decide it."""

    parameter: Symbol
    holds: Set
    undecided: Set


def condition(goal: Goal, parameter: Symbol, budget: Budget) -> Condition | None:
    """For which values of one parameter the goal holds; None when its truth may change at places we cannot find.

    >>> from sympy import S
    >>> x, K = Symbol("x"), Symbol("K")
    >>> condition(Goal({x: S.Reals, K: S.Reals}, (), x**2 + K*x + 1 > 0), K, Budget.of("deep")).holds
    Interval.open(-2, 2)
    """
    budget = budget if budget.deadline < float("inf") else budget.start()
    try:
        system = systems_of(goal)[0]
        polynomials = critical_polynomials(system, parameter)
    except UnsupportedError:
        return None
    if polynomials is None or not system.exact or system.integers:
        return None
    roots = _roots([system.ring.expression(part) for part in polynomials], parameter)
    true: list[Set] = []
    open_: list[Set] = []
    for cell, inside in _cells(roots, parameter):
        verdict = discharge(Goal(goal.variables, (*goal.hypotheses, *inside), goal.conclusion), budget)
        if verdict is None:
            open_.append(cell)
        elif verdict.outcome is Outcome.PROVED:
            true.append(cell)
    return Condition(parameter, Union(*true), Union(*open_))


def _roots(polynomials: list[Expr], parameter: Symbol) -> list[Expr]:
    found: set[Expr] = set()
    for polynomial in polynomials:
        found |= set(Poly(polynomial, parameter).real_roots())
    return sorted(found)


def _cells(roots: list[Expr], parameter: Symbol) -> list[tuple[Set, tuple[And, ...]]]:
    """Every point and every gap, each with conditions that single out the point or one sample of the gap."""
    cells: list[tuple[Set, tuple[And, ...]]] = []
    ends = [-oo, *roots, oo]
    for low, high in pairwise(ends):
        cells.append((Interval.open(low, high), (Eq(parameter, _between(low, high)),)))
        if high is not oo:
            cells.append((FiniteSet(high), _exactly(high, parameter)))
    return cells


def _between(low: Expr, high: Expr) -> Rational:
    if low is -oo and high is oo:
        return Rational(0)
    if low is -oo:
        return Rational(int(high.evalf(20)) - 2)
    if high is oo:
        return Rational(int(low.evalf(20)) + 2)
    digits = 15
    while True:
        middle = Rational(str(((low + high) / 2).evalf(digits)))
        simple = middle.limit_denominator(10 ** (digits // 8))
        for candidate in (simple, middle):
            if low < candidate < high:
                return candidate
        digits *= 2


def _exactly(root: Expr, parameter: Symbol) -> tuple[And, ...]:
    if not isinstance(root, ComplexRootOf) and not root.has(CRootOf):
        return (Eq(parameter, root),)
    (low, high), _ = root.poly.intervals()[root.index]
    return (Eq(root.poly.as_expr(parameter), 0), Gt(parameter, low), Lt(parameter, high))


def condition_formula(goal: Goal, parameters: tuple[Symbol, ...], budget: Budget) -> Boolean | None:
    """A formula in several parameters that holds exactly when the goal does, found by QEPCAD and confirmed by provers.

    Confirmed means: where the formula holds the goal is proved. That it is the weakest such formula rests on QEPCAD.
    """
    from proofs_check.solvers.qepcad import solvable

    budget = budget if budget.deadline < float("inf") else budget.start()
    try:
        system = systems_of(goal)[0]
    except UnsupportedError:
        return None
    if not system.exact or system.integers or not set(parameters) <= set(system.ring.symbols):
        return None
    failing = solvable(system, parameters, budget.left, budget.memory)
    if failing is None:
        return None
    formula = negation(failing)
    verdict = discharge(goal.concluding(goal.conclusion, formula), budget)
    return formula if verdict is not None and verdict.outcome is Outcome.PROVED else None
