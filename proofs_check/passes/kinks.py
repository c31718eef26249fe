"""Absolute values, extrema, signs, cases and rounding, each replaced by a symbol that its cases define completely."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sympy import Abs, Expr, Max, Min, Piecewise, floor

from proofs_check.kernel.formulas import Formula, Sign, Term, all_of, any_of, implies
from theory.language.functions import entry_of

if TYPE_CHECKING:
    from proofs_check.passes.elimination import Elimination


def rewrite_kink(elimination: Elimination, expression: Expr) -> Term | None:
    """The symbol for a function with kinks or jumps, or None for any other expression."""
    if isinstance(expression, Piecewise):
        return _piecewise(elimination, expression)
    entry = entry_of(expression)
    if entry is None or not entry.roughness:
        return None
    if isinstance(expression, Abs):
        return _abs(elimination, expression)
    if isinstance(expression, (Max, Min)):
        return _extremum(elimination, expression)
    if entry.through is not None:
        return elimination.term(entry.through(*expression.args))
    if entry.steps:
        return _rounded(elimination, expression)
    if entry.pieces is None:
        return None
    *cases, (otherwise, _) = entry.pieces(*expression.args)
    return elimination.term(Piecewise(*cases, (otherwise, True)))


def _abs(elimination: Elimination, expression: Expr) -> Term:
    inner = elimination.term(expression.args[0])
    value = elimination.symbol(expression)
    choice = any_of((Sign(value - inner.value, "="), Sign(value + inner.value, "=")))
    elimination.facts.append(implies(inner.defined, all_of((Sign(value, ">="), choice))))
    return Term(value, inner.defined)


def _extremum(elimination: Elimination, expression: Expr) -> Term:
    parts = [elimination.term(part) for part in expression.args]
    defined = all_of(part.defined for part in parts)
    value, op = elimination.symbol(expression), ">=" if expression.func is Max else "<="
    bounds = [Sign(value - part.value, op) for part in parts]
    choice = any_of(Sign(value - part.value, "=") for part in parts)
    elimination.facts.append(implies(defined, all_of((*bounds, choice))))
    return Term(value, defined)


def _rounded(elimination: Elimination, expression: Expr) -> Term:
    inner = elimination.term(expression.args[0])
    value = elimination.symbol(expression)
    elimination.whole.append(value)
    away = inner.value - value if expression.func is floor else value - inner.value
    elimination.facts.append(implies(inner.defined, all_of((Sign(away, ">="), Sign(away - 1, "<")))))
    return Term(value, inner.defined)


def _piecewise(elimination: Elimination, expression: Expr) -> Term:
    value = elimination.symbol(expression)
    earlier: list[Formula] = []
    cases: list[Formula] = []
    for part, condition in expression.args:
        inner = elimination.term(part)
        case = all_of((*earlier, elimination.truth(condition), inner.defined))
        elimination.facts.append(implies(case, Sign(value - inner.value, "=")))
        cases.append(case)
        earlier.append(elimination.falsity(condition))
    return Term(value, any_of(cases))
