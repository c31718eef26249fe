"""Two terms of the parameters between which an equation changes its sign, whatever the parameters are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any

from sympy import And, Eq, Expr, Ge, Interval, Le, S, Symbol, false
from sympy.logic.boolalg import Boolean

from proofs_check.budget import Budget
from proofs_check.engines.cover.parameters import end_terms
from proofs_check.engines.cover.plain_parts import plausible
from proofs_check.engines.cover.task import Task
from proofs_check.engines.variation.leaves import Points
from theory.domains import membership
from theory.language.definedness import continuity, put
from theory.language.formulas import clauses
from theory.temporal import Exists, is_plain

_MOST_ENDS = 3
_MOST_PAIRS = 8


def between_terms(
    task: Task, claim: Exists, points: Points, budget: Budget
) -> Iterator[tuple[dict[str, Any], tuple[Task, ...]]]:
    """Steps by the intermediate value theorem and what each leaves to show: signs at the ends, continuity, the rest."""
    x, parts = claim.symbol, clauses(claim.body)
    equations = [part for part in parts if isinstance(part, Eq) and x in part.free_symbols]
    is_line = isinstance(claim.domain, Interval) or claim.domain == S.Reals
    sides = [continuity(side) for equation in equations for side in equation.args]
    if len(equations) != 1 or not is_line or not is_plain(claim.body) or None in sides:
        return
    inside = membership(x, claim.domain)
    below, above = (And(inside, relation(*equations[0].args, evaluate=False)) for relation in (Le, Ge))
    rest = And(*[part for part in parts if part != equations[0]])
    regular = And(*[condition for some in sides for condition in some or ()])
    for negative, positive in _ends(task, claim, (below, above), points, budget):
        for low, high, rising in ((negative, positive, True), (positive, negative, False)):
            first, last = (below, above) if rising else (above, below)
            ends = And(put_or_false(first, x, low), put_or_false(last, x, high), Le(low, high))
            if low == high or not plausible(task.concluding(ends), points):
                continue
            meanwhile = replace(task, variables={**task.variables, x: S.Reals}).assuming(Ge(x, low), Le(x, high))
            left = meanwhile.assuming(equations[0]).concluding(rest)
            step = {"do": "intermediate", "low": low, "high": high, "rising": rising}
            yield step, (task.concluding(ends), meanwhile.concluding(regular), left)


def _ends(
    task: Task, claim: Exists, wanted: tuple[Boolean, Boolean], points: Points, budget: Budget
) -> list[tuple[Expr, Expr]]:
    """Pairs of terms at which no point in floats contradicts the signs that are wanted, simple ones first."""
    found: tuple[list[Expr], list[Expr]] = ([], [])
    for term in end_terms(claim, tuple(task.variables)):
        if budget.spent or min(map(len, found)) > 1:
            break
        for terms, relation in zip(found, wanted, strict=True):
            there = task.concluding(put_or_false(relation, claim.symbol, term))
            if len(terms) < _MOST_ENDS and plausible(there, points):
                terms.append(term)
    places = sorted(product(range(len(found[0])), range(len(found[1]))), key=sum)
    return [(found[0][i], found[1][j]) for i, j in places][:_MOST_PAIRS]


def put_or_false(formula: Boolean, symbol: Symbol, value: Expr) -> Boolean:
    """A formula with a value put in; false where that is no real number."""
    try:
        return put(formula, symbol, value)
    except (TypeError, ValueError):
        return false
