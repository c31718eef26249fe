"""Absolute values, extrema, signs, cases and rounding, each replaced by a symbol and when it has a value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sympy import Abs, Expr, Max, Min, Piecewise

from proofs_check.kernel.formulas import Formula, Term, all_of, any_of
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
    if entry.through is not None:
        return elimination.term(entry.through(*expression.args))
    if isinstance(expression, (Abs, Max, Min)) or entry.steps:
        return _one_of_its_cases(elimination, expression)
    if entry.pieces is None:
        return None
    *cases, (otherwise, _) = entry.pieces(*expression.args)
    return elimination.term(Piecewise(*cases, (otherwise, True)))


def _one_of_its_cases(elimination: Elimination, expression: Expr) -> Term:
    defined = all_of(elimination.term(part).defined for part in expression.args)
    return Term(elimination.symbol(expression), defined)


def _piecewise(elimination: Elimination, expression: Expr) -> Term:
    value = elimination.symbol(expression)
    earlier: list[Formula] = []
    cases: list[Formula] = []
    for part, condition in expression.args:
        inner = elimination.term(part)
        cases.append(all_of((*earlier, elimination.truth(condition), inner.defined)))
        earlier.append(elimination.falsity(condition))
    return Term(value, any_of(cases))
