"""Quantified goals over the reals: variables and hypotheses on the left, a conclusion with quantifiers on the right."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from sympy import (
    And,
    Eq,
    Expr,
    FiniteSet,
    Ge,
    Integer,
    Integral,
    Interval,
    Product,
    Range,
    Set,
    Sum,
    Symbol,
    false,
    oo,
)
from sympy.logic.boolalg import Boolean, Implies

from proofs_check.budget import Budget
from proofs_check.engines.cover.existence import brackets, crossing_obligations, sample_point, witnesses
from proofs_check.engines.cover.intermediate_values import between_terms, put_or_false
from proofs_check.engines.cover.plain_parts import plausible, shown
from proofs_check.engines.cover.strategy import Attempt, contradiction, joined, share
from proofs_check.engines.cover.task import Task
from proofs_check.engines.falsify.certificates import at_point
from proofs_check.engines.variation.leaves import Points
from proofs_check.goals import Goal
from proofs_check.kernel.cover import values_of
from proofs_check.points.exact import holds
from proofs_check.points.shrinking import plainer
from proofs_check.verdict import Evidence, Outcome
from theory.domains import membership
from theory.errors import LemmascopeError
from theory.language.definedness import continuity, or_undefined
from theory.language.formulas import clauses
from theory.temporal import Exists, ForAll, is_plain, negation

_MOST_VALUES = 400
_PEELED = 8
_DEEPEST_CASES = 4


def prove_formula(
    variables: Mapping[Symbol, Set],
    hypotheses: Sequence[Boolean],
    conclusion: Boolean,
    integers: Iterable[Symbol],
    budget: Budget,
) -> Evidence | None:
    """A verdict on a goal whose conclusion may have quantifiers, or None."""
    if isinstance(conclusion, Eq) and variables:
        return None  # identities are not shown by boxes
    if any(part.has(Integral, Sum, Product) for part in hypotheses):
        return None  # a closed form may hide where they do not exist
    return _proved(Task(dict(variables), tuple(hypotheses), conclusion, frozenset(integers)), budget)


def by_parts(goal: Goal, budget: Budget) -> Evidence | None:
    """A proof of a goal, which may have quantifiers, whose plain parts are proved by any prover; or None.

    >>> from sympy import S, exp
    >>> x, y = Symbol("x"), Symbol("y")
    >>> goal = Goal({y: S.Reals}, (), Exists(x, S.Reals, exp(x) + x > y))
    >>> by_parts(goal, Budget.of("standard").start()).outcome
    <Outcome.PROVED: 'proved'>
    """
    task = Task(dict(goal.variables), goal.hypotheses, goal.conclusion, frozenset(goal.integers), points=Points())
    found = _proved(task, budget)
    return found if found is not None and found.outcome is Outcome.PROVED else None


def _proved(task: Task, budget: Budget) -> Evidence | None:
    conclusion = task.conclusion
    try:
        attempt = argue(task, budget)
    except LemmascopeError:
        return None  # some function has no enclosure, an abstract one for example
    except TypeError as error:
        if "non-real" not in str(error):
            raise
        return None
    if attempt.violation is not None:
        violation = dict(attempt.violation)
        if all(map(is_plain, (*task.hypotheses, conclusion))):
            if not _violates(task, violation):
                return None
            violation = plainer(Goal(task.variables, task.hypotheses, conclusion), violation)
        point = {symbol.name: str(value) for symbol, value in violation.items()}
        return Evidence(Outcome.REFUTED, engine="cover", counterexample=point, certificate=at_point(violation))
    if attempt.argument is None:
        return None
    certificate = {"kind": "cover", "boxes": attempt.boxes, "argument": packed(attempt.argument)}
    return Evidence(Outcome.PROVED, "cover", cases=attempt.boxes, certificate=certificate)


def _violates(task: Task, point: Mapping[Symbol, Expr]) -> bool:
    """Whether a point is a counterexample in exact arithmetic: on the way to it a formula may have lost its value."""
    return holds(And(*task.hypotheses, negation(task.conclusion)), point) is True


def packed(argument: dict[str, Any]) -> str:
    """An argument as compressed JSON text."""
    return base64.b64encode(zlib.compress(json.dumps(argument, separators=(",", ":")).encode(), 9)).decode()


def argue(task: Task, budget: Budget) -> Attempt:
    """An argument for a task, or a point that violates it."""
    if budget.spent:
        return Attempt()
    for place, part in enumerate(task.hypotheses):
        if isinstance(part, Exists) and part.symbol not in task.variables:
            rest = (*task.hypotheses[:place], *task.hypotheses[place + 1 :])
            opened = replace(task, hypotheses=(*rest, part.body)).with_variable(part.symbol, part.domain)
            return joined({"do": "unpack", "at": place}, [argue(opened, budget)])
    kept = [place for place, part in enumerate(task.hypotheses) if is_plain(part)]
    if len(kept) < len(task.hypotheses):
        weaker = replace(task, hypotheses=tuple(task.hypotheses[place] for place in kept))
        return replace(_joined({"do": "keep only", "kept": kept}, [argue(weaker, budget)], task), violation=None)
    conclusion = task.conclusion
    if is_plain(conclusion):
        found = Attempt() if task.points is None else shown(task, task.points, budget)
        return found if found.settled else by_integers(task, budget)
    if isinstance(conclusion, And):
        parts = [argue(task.concluding(part), budget) for part in conclusion.args]
        return _joined({"do": "each"}, parts, task)
    if isinstance(conclusion, Implies):
        attempts = [argue(_assumed(task), budget)]
        if valued := values_of(conclusion.args[0]):
            attempts.append(replace(argue(task.concluding(And(*valued)), budget), violation=None))
        return _joined({"do": "assume"}, attempts, task)
    if isinstance(conclusion, ForAll) and conclusion.symbol not in task.variables:
        opened = task.with_variable(conclusion.symbol, conclusion.domain).concluding(conclusion.body)
        return joined({"do": "forall"}, [argue(opened, budget)])
    if isinstance(conclusion, Exists) and conclusion.symbol not in task.variables:
        return _find(task, conclusion, budget)
    return Attempt()


def _find(task: Task, claim: Exists, budget: Budget, depth: int = 0) -> Attempt:
    """An argument that some value of the bound symbol satisfies the body, whatever the variables are."""
    points = task.points or Points()
    parts = replace(task, points=points)
    for value in witnesses(task, claim):
        if budget.spent:
            return Attempt()
        there = put_or_false(claim.body, claim.symbol, value)
        if there == false:
            continue
        inside = membership(claim.symbol, claim.domain).subs(claim.symbol, value)
        at_value = parts.concluding(And(inside, there))
        if not plausible(at_value, points):
            continue
        attempt = argue(at_value, budget.share("cover, one parameter"))
        if attempt.argument is not None:
            return joined({"do": "witness", "value": value}, [attempt])
    crossing = _by_sign_change(task, claim, sample_point(task), budget)
    if crossing.argument is not None:
        return crossing
    between = _by_intermediate_value(parts, claim, points, budget)
    if between.argument is not None:
        return between
    return crossing if depth >= _DEEPEST_CASES else _by_parameter(task, claim, budget, depth)


def _by_intermediate_value(task: Task, claim: Exists, points: Points, budget: Budget) -> Attempt:
    """The intermediate value theorem between two terms of the variables."""
    for step, tasks in between_terms(task, claim, points, budget):
        attempts = []
        for sub in tasks:
            attempts.append(argue(sub, budget.share("cover, one parameter")))
            if attempts[-1].argument is None:
                break
        else:
            return joined(step, attempts)
    return Attempt()


def _by_sign_change(task: Task, claim: Exists, sample: dict[Symbol, Expr] | None, budget: Budget) -> Attempt:
    """The intermediate value theorem between two members of the domain, for all values of the variables."""
    parts = clauses(claim.body)
    equations = [part for part in parts if isinstance(part, Eq) and claim.symbol in part.free_symbols]
    if len(equations) != 1 or sample is None:
        return Attempt()
    difference = equations[0].lhs - equations[0].rhs
    smooth = [continuity(side) for side in equations[0].args]  # each side: what cancels must have a value as well
    if None in smooth:
        return Attempt()
    conditions = [condition for some in smooth for condition in some or ()]
    rest = And(*[part for part in parts if part != equations[0]])
    for low, high, rising in brackets(claim, difference, sample):
        if budget.spent:
            break
        obligations = crossing_obligations(claim, difference, And(*conditions, rest), low, high, rising)
        attempts = []
        for variables, hypotheses, conclusion in obligations:
            sub = task.assuming(*hypotheses).concluding(conclusion)
            sub = sub if not variables else sub.with_variable(claim.symbol, Interval(low, high))
            attempts.append(argue(sub, share(budget, "cover, crossing")))
            if attempts[-1].argument is None:
                break
        else:
            step: dict[str, Any] = {"do": "crossing", "low": low, "high": high, "rising": rising}
            return joined(step, attempts)
    return Attempt()


def _by_parameter(task: Task, claim: Exists, budget: Budget, depth: int) -> Attempt:
    """Halve the range of a variable and argue on both halves."""
    for symbol, domain in task.variables.items():
        if symbol in task.integers or symbol not in claim.free_symbols or not isinstance(domain, Interval):
            continue
        low, high = domain.start, domain.end
        if not (low.is_Rational and high.is_Rational):
            continue
        middle = (low + high) / 2
        halves = [Interval(low, middle, domain.left_open), Interval(middle, high, False, domain.right_open)]
        attempts = []
        for half in halves:
            smaller = task.with_variable(symbol, half)
            attempts.append(_find(smaller, claim, share(budget, "cover, half of a range"), depth + 1))
            if attempts[-1].argument is None:
                return Attempt()
        return joined({"do": "halved", "variable": symbol, "at": middle}, attempts)
    return Attempt()


def _assumed(task: Task) -> Task:
    premise, rest = task.conclusion.args
    return task.assuming(premise).concluding(rest)


def _joined(step: dict[str, Any], parts: list[Attempt], task: Task) -> Attempt:
    found = joined(step, parts)
    if found.violation is None:
        return found
    return replace(found, violation={s: v for s, v in found.violation.items() if s in task.variables})


def by_integers(task: Task, budget: Budget) -> Attempt:
    """Enumerate integers over finite ranges; other integers are relaxed to reals, from some value on if need be."""
    for symbol in sorted(task.integers, key=str):
        values = finite_values(task.variables[symbol])
        if values is not None:
            step = {"do": "enumerate", "variable": symbol, "values": [str(value) for value in values]}
            parts = []
            for value in values:
                parts.append(_restored(by_integers(task.at(symbol, value), budget), symbol, value))
                if parts[-1].argument is None:
                    break
            return _joined(step, parts, task)
    attempt = by_cover(task, budget)
    if attempt.argument is not None or attempt.violation is not None or not task.integers:
        return attempt
    return _peeled(task, budget)


def _restored(attempt: Attempt, symbol: Symbol, value: Expr) -> Attempt:
    return attempt if attempt.violation is None else replace(attempt, violation={**attempt.violation, symbol: value})


def finite_values(domain: Set) -> list[Expr] | None:
    """The members of a finite set of integers that is small enough to enumerate."""
    if isinstance(domain, (FiniteSet, Range)) and domain.is_finite_set and len(domain) <= _MOST_VALUES:
        return list(domain)
    return None


def _peeled(task: Task, budget: Budget) -> Attempt:
    """The first values of an integer one by one, the rest as reals."""
    for symbol in sorted(task.integers, key=str):
        domain = task.variables[symbol]
        if not (isinstance(domain, Range) and domain.sup is oo and domain.inf.is_Integer and domain.step == 1):
            continue
        first = int(domain.inf)
        step = {"do": "peel", "variable": symbol, "first": first, "count": _PEELED}
        parts = []
        for value in map(Integer, range(first, first + _PEELED)):
            parts.append(_restored(by_integers(task.at(symbol, value), budget), symbol, value))
            if parts[-1].argument is None:
                return _joined(step, parts, task)
        parts.append(by_cover(task.assuming(Ge(symbol, first + _PEELED)), budget))
        return _joined(step, parts, task)
    return Attempt()


def by_cover(task: Task, budget: Budget) -> Attempt:
    """A plain task, by contradiction."""
    violated = And(*task.hypotheses, negation(task.conclusion))
    formula = And(*task.hypotheses, or_undefined(negation(task.conclusion)))
    attempt = contradiction(formula, tuple(task.variables), budget)
    if attempt.violation is not None and (
        task.strengthened
        or not all(attempt.violation[s].is_integer for s in task.integers)
        or (formula != violated and holds(violated, attempt.violation) is not True)
    ):
        return Attempt(boxes=attempt.boxes)
    return attempt
