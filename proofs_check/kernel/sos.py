"""Re-checks sums of squares: expands every identity in fractions, and matches every condition with the statement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from sympy import And, Expr, Or, Poly, Rational, Symbol
from sympy.core.relational import Eq, Ge, Gt, Le, Lt, Ne, Relational
from sympy.logic.boolalg import Boolean
from sympy.polys.polyerrors import PolynomialError

from proofs_check.kernel.claims import Claim, claim_of
from proofs_check.kernel.values import without_value
from theory.statements import Statement
from theory.temporal import negation

Powers = tuple[int, ...]
Terms = dict[Powers, Fraction]


def check(statement: Statement, certificate: Mapping[str, Any]) -> bool:
    """Whether the certificate shows that the negation of the statement is contradictory."""
    goal = claim_of(statement)
    if goal is None:
        return False
    return check_goal(goal, certificate)


def check_goal(goal: Claim, certificate: Mapping[str, Any]) -> bool:
    """The same for a goal."""
    symbols, branches = list(certificate["symbols"]), list(certificate["branches"])
    if not branches or not all(contradicts(branch, len(symbols)) for branch in branches):
        return False
    opposite = And(*goal.hypotheses, negation(goal.conclusion))
    if certificate["origins"] or list(without_value(opposite)):
        from proofs_check.kernel.real import check_goal as ask_solvers

        return ask_solvers(goal)
    known = {symbol.name: symbol for symbol in goal.variables}
    if not set(symbols) <= set(known):
        return False
    variables = [known[name] for name in symbols]
    conditions = [
        {_normal(_read(terms, len(symbols)), op) for terms, op in branch["conditions"]} for branch in branches
    ]
    clauses = _clauses(opposite)
    return clauses is not None and all(
        _ABSURD & literals or any(branch <= literals for branch in conditions)
        for literals in (_literals(clause, variables) for clause in clauses)
    )


def contradicts(branch: Mapping[str, Any], count: int) -> bool:
    """Whether the identity of one branch holds and cannot hold at a point that satisfies its conditions.

    >>> square = {"product": [], "squares": [["1", [[[1], "1"]]]]}
    >>> branch = {"conditions": [[[[[2], "-1"]], ">"]], "strict": 0, "radius": [1, 0], "sums": [square]}
    >>> contradicts({**branch, "cofactors": []}, 1)
    True
    """
    conditions = [(_read(terms, count), op) for terms, op in branch["conditions"]]
    zero: Powers = (0,) * count
    strict: Terms = {zero: Fraction(1)}
    constant, power = (int(number) for number in branch["radius"])
    if branch["strict"] is not None:
        strict, op = conditions[branch["strict"]]
        if op != ">":
            return False
    if power and constant <= 0 and (constant < 0 or strict.get(zero, Fraction(0)) != 0):
        return False
    radius = {tuple(2 * int(k == place) for k in range(count)): Fraction(1) for place in range(count)}
    total = strict
    for _ in range(power):
        total = _times(total, _plus(radius, {zero: Fraction(constant)}))
    for part in branch["sums"]:
        weight: Terms = {zero: Fraction(1)}
        for place in part["product"]:
            value, op = conditions[place]
            if op not in (">", ">="):
                return False
            weight = _times(weight, value)
        for factor, terms in part["squares"]:
            if Fraction(factor) < 0:
                return False
            root = _read(terms, count)
            total = _plus(total, _times(weight, _times(_times(root, root), {zero: Fraction(factor)})))
    for place, terms in branch["cofactors"]:
        value, op = conditions[place]
        if op != "=":
            return False
        total = _plus(total, _times(value, _read(terms, count)))
    return not total


def _read(terms: Sequence[Any], count: int) -> Terms:
    """A polynomial; ValueError for what is none, such as one with negative powers."""
    read = {tuple(int(power) for power in powers): Fraction(number) for powers, number in terms if Fraction(number)}
    if not all(len(powers) == count and min(powers, default=0) >= 0 for powers in read):
        raise ValueError("not a polynomial")
    return read


def _plus(one: Terms, other: Terms) -> Terms:
    total = dict(one)
    for powers, number in other.items():
        total[powers] = total.get(powers, Fraction(0)) + number
    return {powers: number for powers, number in total.items() if number}


def _times(one: Terms, other: Terms) -> Terms:
    total: Terms = {}
    for p, a in one.items():
        for q, b in other.items():
            key = tuple(i + j for i, j in zip(p, q, strict=True))
            total[key] = total.get(key, Fraction(0)) + a * b
    return {powers: number for powers, number in total.items() if number}


Literal = tuple[frozenset[tuple[Powers, Fraction]], str]
_ABSURD: set[Literal] = {(frozenset(), "!="), (frozenset(), ">")}
"""0 is not 0, 0 exceeds 0."""


def _normal(terms: Terms, op: str) -> Literal:
    """A condition up to a positive factor, or any factor for an equation."""
    if not terms:
        return frozenset(), op
    lead = terms[max(terms)]
    scale = lead if op in ("=", "!=") else abs(lead)
    return frozenset((powers, number / scale) for powers, number in terms.items()), op


def _clauses(formula: Boolean) -> list[list[Relational]] | None:
    """The alternatives of a formula without other connectives than And and Or."""
    if isinstance(formula, Relational):
        return [[formula]]
    if formula in (True, False):
        return [[]] if formula == True else []  # noqa: E712 - SymPy's true
    if isinstance(formula, Or):
        inner = [_clauses(part) for part in formula.args]
        return None if None in inner else [clause for part in inner if part is not None for clause in part]
    if not isinstance(formula, And):
        return None
    clauses: list[list[Relational]] = [[]]
    for part in formula.args:
        options = _clauses(part)
        if options is None or len(options) * len(clauses) > 512:
            return None
        clauses = [[*clause, *option] for clause in clauses for option in options]
    return clauses


def _literals(clause: list[Relational], variables: list[Symbol]) -> set[Literal]:
    found: set[Literal] = set()
    for relation in clause:
        difference = relation.lhs - relation.rhs
        if not difference.has(*variables) if variables else True:
            continue
        op = {Eq: "=", Ne: "!=", Lt: "<", Le: "<=", Gt: ">", Ge: ">="}[relation.func]
        found |= _conditions(difference, op, variables)
    return found


def _conditions(difference: Expr, op: str, variables: list[Symbol]) -> set[Literal]:
    """The condition itself and with smaller powers of its factors."""
    try:
        polynomial = Poly(difference, *variables, domain="QQ")
    except PolynomialError:
        return set()
    if op in ("<", "<="):
        polynomial, op = -polynomial, {"<": ">", "<=": ">="}[op]
    if polynomial.is_zero:
        return {_normal({}, op)}
    number, factors = polynomial.factor_list()
    smaller = Poly(1 if number > 0 else -1, *variables, domain="QQ")
    for factor, power in factors:
        smaller *= factor ** (1 if op in ("=", "!=") else 2 - power % 2)
    return {_normal(_terms(version), op) for version in (polynomial, smaller)}


def _terms(polynomial: Poly) -> Terms:
    return {
        tuple(powers): Fraction(int(Rational(number).p), int(Rational(number).q))
        for powers, number in polynomial.terms()
        if number
    }
