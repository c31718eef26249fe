"""Twins of true statements: flipped inequalities, shifted numbers, dropped hypotheses, changed signs and powers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from random import Random

import mpmath
from sympy import Expr, Interval, N, Pow, Rational, S, Set, Symbol, lambdify
from sympy.core.relational import Eq, Ge, Gt, Le, Lt, Ne, Relational
from sympy.logic.boolalg import Boolean
from sympy.matrices.expressions.matexpr import MatrixExpr

from proofs_check.goals import Goal, goal_of
from theory.domains import is_discrete
from theory.errors import LemmascopeError
from theory.language.formulas import clauses
from theory.language.spaces import Space
from theory.statements import Statement

OPPOSITE = {Lt: Ge, Le: Gt, Gt: Le, Ge: Lt, Eq: Ne, Ne: Eq}
_MARGIN = 1e-30
_SIGNS = {Lt: (False,), Le: (False,), Gt: (True,), Ge: (True,), Eq: (), Ne: (True, False)}
"""Whether the left side is larger, where a relation between different numbers holds."""


def twins(statement: Statement) -> Iterator[tuple[str, Statement]]:
    """Mutants of a plain statement, each with the name of its mutation; some of them may still be true."""
    for place, relation in enumerate(_relations(statement)):
        flipped = OPPOSITE[relation.func](*relation.args, evaluate=False)
        yield from _changed(statement, f"flip-{place}", relation, flipped)
        if isinstance(relation.lhs, MatrixExpr):
            continue  # nothing is added to a matrix, and its sign says little
        shift = Rational(1, 7)
        if relation.func in (Lt, Le):
            yield from _changed(
                statement, f"shift-{place}", relation, relation.func(relation.lhs + shift, relation.rhs)
            )
        if relation.func in (Gt, Ge, Eq):
            yield from _changed(
                statement, f"shift-{place}", relation, relation.func(relation.lhs, relation.rhs + shift)
            )
        negated = relation.func(-relation.lhs, relation.rhs, evaluate=False)
        yield from _changed(statement, f"sign-{place}", relation, negated)
        powers = sorted((atom for atom in relation.lhs.atoms(Pow) if atom.exp.is_Integer), key=str)
        for power in powers[:1]:
            other = relation.func(relation.lhs.xreplace({power: power.base ** (power.exp + 1)}), relation.rhs)
            yield from _changed(statement, f"power-{place}", relation, other)
    for place in range(len(statement.given)):
        kept = statement.given[:place] + statement.given[place + 1 :]
        yield f"dropped-{place}", statement.but(given=kept)
    for symbol, domain in statement.variables.items():
        if not isinstance(domain, Space) and domain != S.Reals and not is_discrete(domain):
            wider = dict(statement.variables) | {symbol: S.Reals}
            yield f"domain-{symbol}", statement.but(variables=wider)


def is_denied(kind: str, statement: Statement) -> bool:
    """Whether a twin of a true statement denies one part of a conjunction, so that it is false at every witness."""
    parts = clauses(statement.then)
    mutation, _, place = kind.partition("-")
    return mutation == "flip" and _relations(statement)[int(place)] in parts


def _relations(statement: Statement) -> list[Relational]:
    return sorted(statement.then.atoms(Relational), key=str)


def _changed(statement: Statement, name: str, old: Relational, new: object) -> Iterator[tuple[str, Statement]]:
    if new in (S.true, S.false):
        return
    try:
        yield name, statement.but(then=statement.then.xreplace({old: new}))
    except LemmascopeError:
        return


def is_false(statement: Statement, seed: int = 0, tries: int = 150) -> dict[Symbol, Rational] | None:
    """A counterexample found by plain random search in 60-digit arithmetic with a wide margin: an independent judge."""
    goal = goal_of(statement)
    if goal is None:
        return None
    random = Random(seed)  # noqa: S311 - reproducible draws, not secrets
    judge = _Judge(goal)
    for attempt in range(tries):
        point = {symbol: _draw(random, domain, attempt) for symbol, domain in goal.variables.items()}
        if judge.violates(point):
            return point
    return None


def _draw(random: Random, domain: Set, attempt: int) -> Rational:
    if attempt % 3 == 0:
        value = Fraction(random.randint(-12, 12), random.choice((1, 2, 3, 4, 5)))
    elif attempt % 3 == 1:
        value = Fraction(random.randint(-1000, 1000), 100)
    else:
        value = Fraction(random.choice((-1, 1)) * random.randint(1, 99), 10 ** random.randint(1, 6))
    if type(domain) is Interval and domain.start.is_finite and domain.end.is_finite:
        width = domain.end - domain.start
        return Rational(str(N(domain.start + width * Rational(random.randint(0, 1000), 1000), 15)))
    if is_discrete(domain):
        return Rational(random.randint(-10, 12))
    return Rational(value.numerator, value.denominator)


class _Judge:
    """The relations of a goal as mpmath functions; a formula is true, false, or undecided near an equality."""

    def __init__(self, goal: Goal) -> None:
        self._goal, self._names = goal, list(goal.variables)
        relations = set().union(*(part.atoms(Relational) for part in (*goal.hypotheses, goal.conclusion)))
        self._gaps = {part: self._function(part.lhs - part.rhs) for part in relations}

    def _function(self, gap: Expr) -> Callable[..., object] | None:
        try:
            return lambdify(self._names, gap, modules="mpmath")
        except NotImplementedError:  # an abstract function has no numbers
            return None

    def violates(self, point: dict[Symbol, Rational]) -> bool:
        """Whether the hypotheses hold at the point and the conclusion fails."""
        with mpmath.workdps(60):
            numbers = [mpmath.mpf(int(point[symbol].p)) / int(point[symbol].q) for symbol in self._names]
            known: dict[Relational, object] = {}
            given = all(self._truth(part, numbers, known) is True for part in self._goal.hypotheses)
            return given and self._truth(self._goal.conclusion, numbers, known) is False

    def _truth(self, formula: Boolean, numbers: list[mpmath.mpf], known: dict[Relational, object]) -> bool | None:
        leaves = formula.atoms(Relational)
        for relation in leaves:
            if relation not in known:
                known[relation] = self._value(relation, numbers)
        if any(known[relation] is None for relation in leaves):
            return None
        result = formula.xreplace({relation: known[relation] for relation in leaves}) if leaves else formula
        return None if result not in (S.true, S.false) else bool(result)

    def _value(self, relation: Relational, numbers: list[mpmath.mpf]) -> object:
        compute = self._gaps[relation]
        if compute is None:
            return None
        try:
            gap = mpmath.mpmathify(compute(*numbers))
        except (ArithmeticError, TypeError, ValueError, NameError):
            return None
        if isinstance(gap, mpmath.mpc) or not mpmath.isfinite(gap):
            return None
        if abs(gap) < _MARGIN:
            return S.true if relation.func in (Le, Ge) and gap == 0 else None
        return S.true if (gap > 0) in _SIGNS[relation.func] else S.false
