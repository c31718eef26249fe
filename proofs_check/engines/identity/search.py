"""Equations by canonical forms: rational functions, radicals, elementary and abstract functions with derivatives.

"Proved" means that the difference of both sides is zero in exact arithmetic, or a combination of the equations among
the hypotheses with explicit cofactors, and that both sides are defined; "refuted" needs an exact point, and for
abstract functions simple ones that show it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice, product
from random import Random
from typing import Any

import sympy as sp
from sympy import Add, And, Eq, Expr, Lambda, Rational, Symbol, symbols
from sympy.core.function import AppliedUndef
from sympy.logic.boolalg import Boolean

from proofs_check.budget import Budget
from proofs_check.engines.discharge import Proving
from proofs_check.engines.falsify.certificates import at_point, unless_excepted
from proofs_check.engines.identity import NAME
from proofs_check.engines.polynomial import search as polynomial
from proofs_check.engines.polynomial.ideals import cofactors
from proofs_check.goals import Goal, goal_of
from proofs_check.kernel.claims import Claim
from proofs_check.kernel.fields import Fractions
from proofs_check.kernel.identity import holds as accepted
from proofs_check.kernel.instances import with_instances
from proofs_check.points.exact import holds
from proofs_check.points.search import Search
from proofs_check.verdict import Evidence, Outcome
from theory.polynomials import Ring
from theory.statements import Statement
from theory.trees import encode

VERSION = 12

_SMOOTH = "abstract functions are taken to be defined everywhere and as often differentiable as they are differentiated"

_STAND_INS = (lambda u: u, lambda u: u**2, lambda u: u**3 + 1, sp.exp)
"""Simple functions that may show that a claim about every function is false."""

_SAMPLES = tuple(Rational(number) for number in ("1", "2", "1/2", "-1", "3", "-1/2", "1/3", "0", "5/4", "-3"))
_MOST_SAMPLES = 2000
_FIRST_LOOK = 40
_ENOUGH = 24
"""An equation that holds at so many points is not refuted by more of them."""


def decide(statement: Statement, budget: Budget) -> Evidence | None:
    """Prove or refute a statement whose conclusion is one or several equations."""
    goal = goal_of(statement)
    if goal is not None:
        verdict = unless_excepted(statement, prove(goal, budget))
        shown = {} if verdict is None else verdict.certificate or {}
        # an earlier step speaks of all points, of which simple functions would be looked at one
        return None if statement.uses and "functions" in shown else verdict
    goal = Goal.of(with_instances(statement))
    verdict = None if goal is None else prove(goal, budget)
    # a point refutes the instances only; whether the functions satisfy the whole hypotheses is not known
    return verdict if verdict is not None and verdict.outcome is Outcome.PROVED else None


def prove(goal: Goal, budget: Budget) -> Evidence | None:
    """Prove or refute a goal whose conclusion is one or several equations, or return None.

    >>> from sympy import S, sin, cos
    >>> x = Symbol("x")
    >>> str(prove(Goal({x: S.Reals}, (), Eq(sin(2*x), 2*sin(x)*cos(x))), Budget.of("quick")).outcome)
    'proved'
    >>> prove(Goal({x: S.Reals}, (), Eq(sin(2*x), 2*sin(x))), Budget.of("quick")).counterexample
    {'x': '1'}
    """
    equations = _equations(goal.conclusion)
    budget = budget.running
    if equations is None:
        return _refutation(goal, budget) if goal.is_abstract else None
    notes = (_SMOOTH,) if goal.is_abstract else ()
    combinations, shown = _combinations(goal, equations, budget), Proving(budget)
    if combinations is not None:
        if accepted(Claim(goal.variables, goal.hypotheses, goal.conclusion), combinations, shown):
            certificate = {"kind": "identity", "combinations": combinations, "obligations": shown.obligations}
            return Evidence(Outcome.PROVED, NAME, certificate=certificate, notes=notes)
        verdict = polynomial.prove(goal, budget.share("identity, by polynomials"))
    else:
        refuted = _refutation(goal, budget, _FIRST_LOOK)
        if refuted is not None:
            return refuted
        verdict = polynomial.certified(goal, budget.seconds_for("identity, cofactors"))
    if verdict is not None and verdict.outcome is Outcome.PROVED:
        return verdict.note(*notes)
    return _refutation(goal, budget)


def _equations(conclusion: Boolean) -> list[Eq] | None:
    parts = list(conclusion.args) if isinstance(conclusion, And) else [conclusion]
    return parts if all(isinstance(part, Eq) for part in parts) else None


def _combinations(goal: Goal, equations: list[Eq], budget: Budget) -> list[dict[str, Any]] | None:
    """For each equation the cofactors that make the difference of its sides vanish; None when one has none."""
    assumed = [part.lhs - part.rhs for part in goal.hypotheses if isinstance(part, Eq)]
    differences = [part.lhs - part.rhs for part in equations]
    try:
        fractions = Fractions([*differences, *assumed])
        targets, given = ([fractions.numerator(part) for part in group] for group in (differences, assumed))
    except (ValueError, ZeroDivisionError, KeyError):
        return None
    # plain symbols stand for themselves, everything else gets a name that no variable has
    origins = fractions.origins
    names = {old: part if part.is_Symbol else Symbol(f"_u{k}") for k, (old, part) in enumerate(origins.items())}
    stood_for = {new.name: encode(origins[old]) for old, new in names.items() if new != origins[old]}
    ring = Ring(tuple(sorted(names.values(), key=str)))
    pool = [ring.polynomial(part.as_expr().xreplace(names)) for part in (*fractions.relations, *given) if part]
    found = []
    for part in targets:
        target = ring.polynomial(part.as_expr().xreplace(names))
        parts = [] if target.is_zero() else cofactors(ring, target, pool, budget.seconds_for("identity, cofactors"))
        if parts is None:
            return None
        stored = [encode(ring.expression(one)) for one in (target, *pool[: len(parts)], *parts)]
        found.append({
            "target": stored[0],
            "generators": stored[1 : len(parts) + 1],
            "cofactors": stored[len(parts) + 1 :],
            "origins": stood_for if parts else {},
        })  # fmt: skip
    return found


def _refutation(goal: Goal, budget: Budget, most: int = _MOST_SAMPLES) -> Evidence | None:
    """A point where the equation fails; abstract functions are replaced by simple ones."""
    for concrete, functions in _concrete(goal):
        point = _counterexample(concrete, budget, most)
        if point is not None:
            values = {symbol.name: str(value) for symbol, value in point.items()}
            values |= {name: f"{', '.join(map(str, f.variables))} -> {f.expr}" for name, f in functions.items()}
            certificate = at_point(point, functions)
            return Evidence(Outcome.REFUTED, engine=NAME, counterexample=values, certificate=certificate)
    return None


def _counterexample(goal: Goal, budget: Budget, most: int) -> dict[Symbol, Expr] | None:
    """Plain points first; equations among the hypotheses are solved only when many of those points say nothing."""
    seen, hypotheses = 0, And(*goal.hypotheses)
    random = Random(0)  # noqa: S311 - reproducible draws, not secrets
    count = len(goal.variables)
    nice = islice(product(_SAMPLES, repeat=count), most // 4)
    mixed = (tuple(random.choices(_SAMPLES, k=count)) for _ in range(most))
    for place, values in enumerate(chain(nice, mixed)):
        if place < most // 4 and seen >= _ENOUGH // 2:
            continue
        point = dict(zip(goal.variables, values, strict=True))
        if budget.spent or holds(hypotheses, point) is not True:
            continue
        if holds(goal.conclusion, point) is False and all(point[symbol].is_Integer for symbol in goal.integers):
            return point
        seen += 1
        if seen >= _ENOUGH:
            return None
    if most < _MOST_SAMPLES or not any(isinstance(part, Eq) for part in goal.hypotheses) or budget.spent:
        return None
    return Search(goal.variables, goal.refutation, budget.until("identity, counterexample")).find()


def _concrete(goal: Goal) -> Iterator[tuple[Goal, dict[str, Lambda]]]:
    """The goal with simple functions in the place of abstract ones; these are of a weighted sum of their arguments."""
    formulas = (*goal.hypotheses, goal.conclusion)
    uses = [part for formula in formulas for part in formula.atoms(AppliedUndef)]
    sizes = {part.func: len(part.args) for part in uses}
    if any(len(part.args) != sizes[part.func] for part in uses):
        return
    for stand_in in _STAND_INS if uses else _STAND_INS[:1]:
        changed, functions = list(formulas), {}
        for function, size in sizes.items():
            names = symbols(f"u:{size}") if size > 1 else (Symbol("u"),)
            concrete = Lambda(names, stand_in(Add(*(place * name for place, name in enumerate(names, start=1)))))
            changed = [formula.replace(function, concrete) for formula in changed]
            functions[function.__name__] = concrete
        yield Goal(goal.variables, tuple(changed[:-1]), changed[-1]), functions
