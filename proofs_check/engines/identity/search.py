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
from proofs_check.kernel.formulas import All, Formula, Sign, all_of
from proofs_check.kernel.identity import holds as accepted
from proofs_check.kernel.instances import with_instances
from proofs_check.passes.elimination import Elimination, UnsupportedError
from proofs_check.passes.linear_parts import canonical
from proofs_check.points.exact import holds
from proofs_check.points.search import Search
from proofs_check.verdict import Evidence, Outcome
from theory.polynomials import Ring
from theory.statements import Statement
from theory.trees import encode

VERSION = 10

_SMOOTH = "abstract functions are taken to be defined everywhere and as often differentiable as they are differentiated"

_STAND_INS = (lambda u: u, lambda u: u**2, lambda u: u**3 + 1, sp.exp)
"""Simple functions that may show that a claim about every function is false."""

_SAMPLES = tuple(Rational(number) for number in ("1", "2", "1/2", "-1", "3", "-1/2", "1/3", "0", "5/4", "-3"))
_MOST_SAMPLES = 2000
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
    try:
        combinations = _combinations(goal, equations, budget)
    except UnsupportedError:
        return None
    if combinations is not None:
        shown = Proving(budget)
        notes = (_SMOOTH,) if goal.is_abstract else ()
        if accepted(Claim(goal.variables, goal.hypotheses, goal.conclusion), combinations, shown):
            certificate = {"kind": "identity", "combinations": combinations, "obligations": shown.obligations}
            return Evidence(Outcome.PROVED, NAME, certificate=certificate, notes=notes)
        verdict = polynomial.prove(goal, budget.share("identity, by polynomials"))
        if verdict is not None and verdict.outcome is Outcome.PROVED:
            return verdict.note(*notes)
    return _refutation(goal, budget)


def _equations(conclusion: Boolean) -> list[Eq] | None:
    parts = list(conclusion.args) if isinstance(conclusion, And) else [conclusion]
    return parts if all(isinstance(part, Eq) for part in parts) else None


def _combinations(goal: Goal, equations: list[Eq], budget: Budget) -> list[dict[str, Any]] | None:
    """For each equation the cofactors that make the difference of its sides vanish; None when one has none."""
    elimination = Elimination((*goal.hypotheses, goal.conclusion))
    hypotheses = all_of(elimination.truth(part) for part in goal.hypotheses)
    sides = [(elimination.term(equation.lhs), elimination.term(equation.rhs)) for equation in equations]
    defined = all_of(term.defined for pair in sides for term in pair)
    given = set(_conjuncts(hypotheses))
    known = given | set(_conjuncts(defined))
    relations = [value for value, guard in elimination.equations if set(_conjuncts(guard)) <= known]
    assumed = [part.value for part in given if isinstance(part, Sign) and part.op == "="]
    found = []
    for left, right in sides:
        combination = _combination(elimination, left.value - right.value, relations, assumed, budget)
        if combination is None:
            return None
        found.append(combination)
    return found


def _conjuncts(formula: Formula) -> list[Formula]:
    """The parts of a conjunction, sign conditions in one of the forms = 0, != 0, > 0, >= 0."""
    return [_upright(part) for part in (formula.parts if isinstance(formula, All) else (formula,))]


def _upright(part: Formula) -> Formula:
    if not isinstance(part, Sign):
        return part
    turned = {"<": ">", "<=": ">="}.get(part.op)
    return Sign(canonical(part.value), part.op) if turned is None else Sign(canonical(-part.value), turned)


def _combination(
    elimination: Elimination, difference: Expr, relations: list[Expr], assumed: list[Expr], budget: Budget
) -> dict[str, Any] | None:
    used = set().union(*(part.free_symbols for part in (difference, *relations, *assumed)))
    ring = Ring(tuple(sorted(used, key=str)))
    target = ring.fraction(difference).numerator
    for pool in ([], relations, relations + assumed):
        generators = [ring.fraction(part).numerator for part in pool]
        parts = cofactors(ring, target, generators, budget.seconds_for("identity, cofactors")) if pool else []
        if target.is_zero() or (pool and parts is not None):
            # a dummy is stored under a name that no variable of the same name shares
            named = {symbol: Symbol(str(symbol)) for symbol in ring.symbols if symbol in elimination.origin}
            stored = [encode(ring.expression(part).xreplace(named)) for part in (target, *generators, *(parts or ()))]
            return {
                "target": stored[0],
                "generators": stored[1 : len(generators) + 1],
                "cofactors": stored[len(generators) + 1 :],
                "origins": {new.name: encode(elimination.origin[old].xreplace(named)) for old, new in named.items()},
            }
    return None


def _refutation(goal: Goal, budget: Budget) -> Evidence | None:
    """A point where the equation fails; abstract functions are replaced by simple ones."""
    for concrete, functions in _concrete(goal):
        point = _counterexample(concrete, budget)
        if point is not None:
            values = {symbol.name: str(value) for symbol, value in point.items()}
            values |= {name: f"{', '.join(map(str, f.variables))} -> {f.expr}" for name, f in functions.items()}
            certificate = at_point(point, functions)
            return Evidence(Outcome.REFUTED, engine=NAME, counterexample=values, certificate=certificate)
    return None


def _counterexample(goal: Goal, budget: Budget) -> dict[Symbol, Expr] | None:
    """Plain points first; equations among the hypotheses are solved only when those points say nothing."""
    seen, hypotheses = 0, And(*goal.hypotheses)
    random = Random(0)  # noqa: S311 - reproducible draws, not secrets
    count = len(goal.variables)
    nice = islice(product(_SAMPLES, repeat=count), _MOST_SAMPLES // 4)
    mixed = (tuple(random.choices(_SAMPLES, k=count)) for _ in range(_MOST_SAMPLES))
    for place, values in enumerate(chain(nice, mixed)):
        if place < _MOST_SAMPLES // 4 and seen >= _ENOUGH // 2:
            continue
        point = dict(zip(goal.variables, values, strict=True))
        if budget.spent or holds(hypotheses, point) is not True:
            continue
        if holds(goal.conclusion, point) is False and all(point[symbol].is_Integer for symbol in goal.integers):
            return point
        seen += 1
        if seen >= _ENOUGH:
            return None
    if not any(isinstance(part, Eq) for part in goal.hypotheses) or budget.spent:
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
