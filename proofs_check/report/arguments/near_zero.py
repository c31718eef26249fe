"""Statements for small values: the first coefficient of each expansion, and the signs of the coefficients."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sympy import Abs, Basic, Expr, Max, Min, Symbol, false, fraction, together
from sympy.core.relational import Relational

from proofs_check.kernel.point import strictly
from proofs_check.kernel.taylor import first
from proofs_check.report.arguments.passages import Passage, weighted
from proofs_check.report.arguments.signs import Inner, side_conditions
from theory.language.definedness import continuity
from theory.notation import latex
from theory.statements import Statement
from theory.temporal import Exists, ForAll, ForSmall, Scaling


def expanded(statement: Statement, certificate: Mapping[str, Any], inner: Inner) -> list[Passage]:
    """Each quantity with the first term of its expansion that is not zero identically, and what is known of signs."""
    passages = []
    for small, quantity in _quantities(statement.conclusion):
        found = _first_term(quantity, small)
        if found is not None:
            order, lead = found
            shown = rf"{latex(quantity)} = {weighted(lead, [(small, order)] if order else [])} + \cdots"
            passages.append(Passage(f"Expanded at {small} = 0, by derivatives there, the first term is", shown))
    stored = certificate.get("obligations", ())
    needed = [
        Passage(part.text, part.formula, part.below)
        for part in side_conditions(stored, set(), inner, "Its sign and its terms are settled by")
    ]
    return [*passages, *needed] or [Passage("The expansion at zero settles it; nothing beyond numbers is needed.")]


def _quantities(formula: Basic) -> Iterator[tuple[Symbol, Expr]]:
    for law in sorted(formula.atoms(Scaling), key=str):
        yield law.small, law.quantity
    for node in sorted(formula.atoms(ForSmall, Exists), key=str):
        if not node.body.has(ForAll, Exists, ForSmall):
            for relation in sorted(node.body.atoms(Relational), key=str):
                yield node.symbol, relation.lhs - relation.rhs


def _first_term(quantity: Expr, small: Symbol) -> tuple[int, Expr] | None:
    """Order and coefficient of the first term; none where there may be no Taylor series in this variable."""
    parts = fraction(together(quantity))
    if not all(_is_analytic(part, small) for part in parts):
        return None
    above, below = (first(part, small) for part in parts)
    return None if above is None or below is None else (above[0] - below[0], above[1] / below[1])


def _is_analytic(part: Expr, small: Symbol) -> bool:
    """Whether no condition for a series is false at 0; what depends on the variables was shown with the certificate."""
    conditions = continuity(part)
    if conditions is None or any(kink.has(small) for kink in part.atoms(Abs, Max, Min)):
        return False
    return all(strictly(condition).subs(small, 0) != false for condition in conditions)
