"""Existence: by an exact witness, by a sign change of a continuous function, or by cases over a parameter."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from sympy import (
    And,
    Expr,
    FiniteSet,
    Gt,
    I,
    Integer,
    Interval,
    Lt,
    Rational,
    Set,
    Symbol,
    oo,
    solve,
)
from sympy.core.relational import Eq
from sympy.logic.boolalg import Boolean

from proofs_check.engines.cover.goals import argue
from proofs_check.engines.cover.strategy import Attempt, joined, share
from proofs_check.points.exact import holds
from theory.domains import is_discrete, membership
from theory.language.definedness import continuity, put
from theory.temporal import Exists, Quantifier, is_plain

if TYPE_CHECKING:
    from proofs_check.budget import Budget
    from proofs_check.engines.cover.goals import Task

_DEEPEST_CASES = 4


def find(task: Task, claim: Exists, budget: Budget, depth: int = 0) -> Attempt:
    """An argument that some value of the bound symbol satisfies the body, whatever the variables are."""

    sample = sample_point(task)
    for value in witnesses(task, claim, sample):
        if budget.spent:
            return Attempt()
        if not suitable(claim, value):
            continue
        there = put(claim.body, claim.symbol, value)
        inside = membership(claim.symbol, claim.domain).subs(claim.symbol, value)
        if is_plain(there) and sample is not None and holds(And(inside, there), sample) is False:
            continue
        attempt = argue(task.concluding(And(inside, there)), share(budget, 0.3))
        if attempt.argument is not None:
            return joined({"do": "witness", "value": value}, [attempt])
    crossing = by_sign_change(task, claim, sample, budget)
    if crossing.argument is not None or depth >= _DEEPEST_CASES:
        return crossing
    return by_parameter(task, claim, budget, depth)


def suitable(claim: Exists, value: Expr) -> bool:
    """Whether a value may be put in for the bound symbol: an integer where one is asked for, no symbol captured."""
    bound = {inner.symbol for inner in claim.body.atoms(Quantifier)}
    whole = not is_discrete(claim.domain) or value.is_Integer
    return bool(whole and not (value.free_symbols & bound))


def sample_point(task: Task) -> dict[Symbol, Expr] | None:
    """Some simple point that satisfies the hypotheses; it only guides the search."""
    choices = {symbol: list(simple_members(domain)) for symbol, domain in task.variables.items()}
    for k in range(6):
        point = {s: values[min(k, len(values) - 1)] for s, values in choices.items() if values}
        if len(point) == len(choices) and holds(And(*task.hypotheses), point) is True:
            return point
    return None


def simple_members(domain: Set) -> Iterator[Expr]:
    """Simple numbers inside a set."""
    if isinstance(domain, FiniteSet):
        yield from domain.args
        return
    low, high = domain.inf, domain.sup
    if low is -oo and high is oo:
        yield from map(Integer, (0, 1, -1, 2, -2, 5))
    elif high is oo:
        yield from (low + step for step in (1, Rational(1, 2), 2, 4, 16, Rational(1, 10), 1000, 10**6))
    elif low is -oo:
        yield from (high - step for step in (1, Rational(1, 2), 2, 4, 10))
    else:
        yield from (low + (high - low) * Rational(k, 12) for k in (6, 3, 9, 1, 11, 4))


def witnesses(task: Task, claim: Exists, sample: dict[Symbol, Expr] | None) -> Iterator[Expr]:
    """Candidates: solutions of an equation of the body, ends and simple members of the domain."""
    for equation in sorted(claim.body.atoms(Eq), key=str):
        if claim.symbol in equation.free_symbols and equation.count_ops() < 60:
            yield from _solutions(equation, claim.symbol)
    domain = claim.domain
    if isinstance(domain, Interval):
        if not domain.left_open and domain.start.is_finite:
            yield domain.start
        if not domain.right_open and domain.end.is_finite:
            yield domain.end
    if not claim.body.has(Eq):
        yield from simple_members(domain)
        if sample is not None:
            yield from (s for s in task.variables if s in claim.body.free_symbols)


def _solutions(equation: Eq, symbol: Symbol) -> list[Expr]:
    """Roots of low degree; a witness is only believed once it is proved."""
    polynomial = (equation.lhs - equation.rhs).as_poly(symbol)
    if polynomial is None or any(c.has(symbol) for c in polynomial.all_coeffs()):
        return []
    powers = [power for (power,) in polynomial.monoms() if power]
    if polynomial.degree() > 2 and len(powers) > 1:
        return []
    return [value for value in solve(polynomial.as_expr(), symbol) if not value.has(I)][:6]


def by_sign_change(task: Task, claim: Exists, sample: dict[Symbol, Expr] | None, budget: Budget) -> Attempt:
    """The intermediate value theorem between two members of the domain, for all values of the variables."""

    parts = claim.body.args if isinstance(claim.body, And) else (claim.body,)
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
            attempts.append(argue(sub, share(budget, 0.5)))
            if attempts[-1].argument is None:
                break
        else:
            step: dict[str, Any] = {"do": "crossing", "low": low, "high": high, "rising": rising}
            return joined(step, attempts)
    return Attempt()


def crossing_obligations(
    claim: Exists, difference: Expr, regular: Boolean, low: Expr, high: Expr, rising: bool
) -> list[tuple[bool, tuple[Boolean, ...], Boolean]]:
    """What the intermediate value theorem needs: signs at the ends, and regularity in between."""
    x = claim.symbol
    first, last = difference.subs(x, low), difference.subs(x, high)
    ends = And(Lt(first, 0), Gt(last, 0)) if rising else And(Gt(first, 0), Lt(last, 0))
    inside = membership(x, claim.domain)
    between = Lt(low, high)
    # strict signs at the ends: the zero lies strictly between them
    return [(False, (), And(ends, between)), (True, (Gt(x, low), Lt(x, high)), inside), (True, (), regular)]


def brackets(claim: Exists, difference: Expr, sample: dict[Symbol, Expr]) -> Iterator[tuple[Expr, Expr, bool]]:
    """Pairs of members between which the sample point shows a change of sign, widest first."""
    domain = claim.domain
    if not isinstance(domain, Interval):
        return
    low, high = domain.start, domain.end
    if low is -oo and high is oo:
        points: list[Expr] = [Integer(k) for k in (-100, -10, -1, 0, 1, 10, 100)]
    elif high is oo:
        points = [low + step for step in (0, Rational(1, 100), Rational(1, 4), 1, 4, 100)]
    elif low is -oo:
        points = [high - step for step in (100, 4, 1, Rational(1, 4), Rational(1, 100), 0)]
    else:
        points = [low + (high - low) * Rational(k, 16) for k in (0, 1, 2, 4, 6, 8, 10, 12, 14, 15, 16)]
    values = [_float_sign(difference.subs(claim.symbol, point).subs(sample)) for point in points]
    pairs = [(j - i, i, j) for i in range(len(points)) for j in range(i + 1, len(points)) if values[i] * values[j] < 0]
    for _, i, j in sorted(pairs, reverse=True)[:6]:
        yield points[i], points[j], values[i] < 0


def _float_sign(number: Expr) -> int:
    value = number.evalf(20)
    return 0 if not value.is_Float else 1 if value > 0 else -1


def by_parameter(task: Task, claim: Exists, budget: Budget, depth: int) -> Attempt:
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
            attempts.append(find(smaller, claim, share(budget, 0.5), depth + 1))
            if attempts[-1].argument is None:
                return Attempt()
        return joined({"do": "halved", "variable": symbol, "at": middle}, attempts)
    return Attempt()
