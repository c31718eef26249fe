"""Re-checks a point that is only known as a zero: Krawczyk's test with intervals, then the formula on the whole box.

The formula is read from the statement anew; an equation of the system counts as true there, everything else must be
true on every point of the box.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import sympy as sp
from flint import arb, ctx, fmpq
from sympy import And, Eq, Expr, Symbol
from sympy.core.relational import Ge, Le, Relational
from sympy.logic.boolalg import Boolean, Or

from proofs_check.kernel.intervals import Interval, UndefinedError, evaluate
from theory.domains import is_discrete, membership
from theory.language.formulas import compared
from theory.language.functions import rough
from theory.statements import Statement
from theory.temporal import Exists, ForAll, is_plain, negation
from theory.trees import decode

_BITS = 256


def check(statement: Statement, certificate: Mapping[str, Any]) -> bool:
    """Whether the box holds a zero at which the statement is violated, or at which what it promises is there."""
    wanted = _wanted(statement, certificate.get("claim") == "exists")
    equations = [decode(item) for item in certificate["equations"]]
    center = {decode(symbol): Fraction(value) for symbol, value in certificate["center"]}
    fixed = {decode(symbol): Fraction(value) for symbol, value in certificate["fixed"]}
    radius = Fraction(certificate["radius"])
    if wanted is None or not radius > 0 or len(center) != len(equations) or set(center) & set(fixed):
        return False
    if not wanted.free_symbols <= {*center, *fixed} or any(part.has(*rough()) for part in equations):
        return False
    previous = ctx.prec
    ctx.prec = _BITS
    try:
        sides = {symbol: _around(value, Fraction(0)) for symbol, value in fixed.items()}
        box = sides | {symbol: _around(value, radius) for symbol, value in center.items()}
        middle = sides | {symbol: _around(value, Fraction(0)) for symbol, value in center.items()}
        return _contracts(equations, list(center), middle, box, radius) and _holds(wanted, equations, box)
    except UndefinedError:
        return False
    finally:
        ctx.prec = previous


def _wanted(statement: Statement, exists: bool) -> Boolean | None:
    """What must be true at the zero; None where the statement has whole numbers or other quantifiers."""
    kind = Exists if exists else ForAll
    parts, body = ([] if exists else list(statement.hypotheses)), statement.conclusion
    domains = dict(statement.variables)
    if (exists and domains) or statement.almost_all or statement.speaks_of_state:
        return None
    while isinstance(body, kind) and body.symbol not in domains:
        domains[body.symbol] = body.domain
        parts.append(membership(body.symbol, body.domain))
        body = body.body
    if any(is_discrete(domain) for domain in domains.values()):
        return None
    formula = And(*parts, body if exists else negation(body))
    return formula if is_plain(formula) and formula.free_symbols <= set(domains) else None


def _around(value: Fraction, radius: Fraction) -> Interval:
    low, high = value - radius, value + radius
    ends = [arb(fmpq(end.numerator, end.denominator)) for end in (low, high)]
    return Interval(ends[0].lower(), ends[1].upper())


def _contracts(
    equations: Sequence[Eq], unknowns: Sequence[Symbol], middle: Mapping[Symbol, Interval],
    box: Mapping[Symbol, Interval], radius: Fraction,
) -> bool:  # fmt: skip
    """Krawczyk's test: the image of the box lies strictly inside it."""
    gaps = [equation.lhs - equation.rhs for equation in equations]
    slopes = [[gap.diff(symbol) for symbol in unknowns] for gap in gaps]
    for equation in equations:
        for side in equation.args:
            evaluate(side, box)
    inverse = _inverse([[_rational(evaluate(slope, middle)) for slope in row] for row in slopes])
    if inverse is None:
        return False
    values = [evaluate(gap, middle) for gap in gaps]
    spread = [[evaluate(slope, box) for slope in row] for row in slopes]
    size = len(unknowns)
    for i in range(size):
        total = _exactly(0)
        for k in range(size):
            total = total - _exactly(inverse[i][k]) * values[k]
        for j in range(size):
            entry = _exactly(int(i == j))
            for k in range(size):
                entry = entry - _exactly(inverse[i][k]) * spread[k][j]
            total = total + entry * _around(Fraction(0), radius)
        bound = _around(radius, Fraction(0)).low
        if not (total.high < bound and total.low > -bound):
            return False
    return True


def _exactly(value: Fraction | int) -> Interval:
    return _around(Fraction(value), Fraction(0))


def _rational(value: Interval) -> Fraction:
    """Some number near the middle; any will do for the preconditioner."""
    middle = ((value.low + value.high) / 2 * (1 << 64)).mid().floor()
    return Fraction(int(middle.unique_fmpz()), 1 << 64)


def _inverse(rows: list[list[Fraction]]) -> list[list[Fraction]] | None:
    size = len(rows)
    wide = [[*row, *(Fraction(int(i == j)) for j in range(size))] for i, row in enumerate(rows)]
    for column in range(size):
        pivot = max(range(column, size), key=lambda row: abs(wide[row][column]))
        if not wide[pivot][column]:
            return None
        wide[column], wide[pivot] = wide[pivot], wide[column]
        wide[column] = [value / wide[column][column] for value in wide[column]]
        for row in range(size):
            if row != column:
                factor = wide[row][column]
                wide[row] = [a - factor * b for a, b in zip(wide[row], wide[column], strict=True)]
    return [row[size:] for row in wide]


def _holds(formula: Boolean, equations: Sequence[Eq], box: Mapping[Symbol, Interval]) -> bool:
    """Whether a formula is true at the zero, because it is one of the equations or true on the whole box."""
    if formula in (sp.true, sp.false):
        return bool(formula == sp.true)
    if isinstance(formula, Relational):
        return _is_among(formula, equations) or compared(formula.func, _signs(formula, box)) is True
    if isinstance(formula, (And, Or)):
        each = (_holds(part, equations, box) for part in formula.args)
        return all(each) if isinstance(formula, And) else any(each)
    return _holds(sp.to_nnf(formula, simplify=False), equations, box) if not formula.is_Not else False


def _is_among(relation: Relational, equations: Sequence[Eq]) -> bool:
    if not isinstance(relation, (Eq, Ge, Le)):
        return False
    return any(set(relation.args) == set(equation.args) for equation in equations)


def _signs(relation: Relational, box: Mapping[Symbol, Interval]) -> set[int]:
    sides: list[Expr] = [relation.lhs, relation.rhs, relation.lhs - relation.rhs]
    return [evaluate(side, box) for side in sides][-1].sign()
