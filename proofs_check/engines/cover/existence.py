"""Candidates for an existence claim: exact witnesses, and pairs of numbers between which a function changes sign."""

from __future__ import annotations

from collections.abc import Iterator

from sympy import (
    And,
    Expr,
    FiniteSet,
    Gt,
    Integer,
    Interval,
    Lt,
    Rational,
    Set,
    Symbol,
    oo,
)
from sympy.core.relational import Eq
from sympy.logic.boolalg import Boolean

from proofs_check.engines.cover.parameters import likely_terms, simple_terms
from proofs_check.engines.cover.task import Task
from proofs_check.points.exact import holds
from theory.domains import is_discrete, membership
from theory.temporal import Exists, Quantifier, is_plain


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


def witnesses(task: Task, claim: Exists) -> Iterator[Expr]:
    """Candidates, each once: what the body suggests, ends and simple members of the domain, terms of the parameters."""
    seen: set[Expr] = set()
    for value in _candidates(task, claim):
        fits = value.is_finite is not False and value.free_symbols <= set(task.variables)
        if fits and value not in seen and suitable(claim, value):
            seen.add(value)
            yield value


def _candidates(task: Task, claim: Exists) -> Iterator[Expr]:
    yield from likely_terms(claim)
    domain = claim.domain
    if isinstance(domain, Interval):
        if not domain.left_open and domain.start.is_finite:
            yield domain.start
        if not domain.right_open and domain.end.is_finite:
            yield domain.end
    if is_plain(claim.body) and any(claim.symbol in part.free_symbols for part in claim.body.atoms(Eq)):
        return  # which guesses will not meet
    yield from simple_members(domain)
    yield from simple_terms([symbol for symbol in task.variables if symbol in claim.free_symbols])


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
