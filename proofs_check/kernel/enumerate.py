"""Re-checks counted statements: the values by an independent procedure where one is registered, then the formula.

Nothing is taken from the engine: the points of the grid are rebuilt from the domains, the values are counted again,
and the formula is evaluated with rational arithmetic.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any

from sympy import Expr, Rational, Symbol, sympify, true
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

from proofs_check.kernel.cover_signs import same
from proofs_check.kernel.kinds import accepted, refutes
from proofs_check.kernel.point import truth
from theory.enumerators import enumerate_exactly, recount_exactly
from theory.language.definedness import undefined
from theory.statements import Computation, Statement
from theory.temporal import put_at_once, substitute
from theory.trees import decode


def check(statement: Statement, certificate: Mapping[str, Any]) -> bool:
    """Whether the stored values are right and decide the claim the way the certificate says."""
    computed = statement.computed
    if statement.dynamics is not None or (computed is not None and not computed.exact):
        return False
    rows = list(certificate["rows"])
    if certificate["claim"] == "false":
        return len(rows) == 1 and _values_are_right(computed, rows[0]) and _claim(statement, rows[0]) is False
    if not rows or not _every_point_is_there(statement, rows):
        return False
    return all(_values_are_right(computed, row) and _claim(statement, row) is True for row in rows)


def _values_are_right(computed: Computation | None, row: Mapping[str, Any]) -> bool:
    if computed is None:
        return not row["values"]
    arguments = {**computed.arguments, **{name: int(value) for name, value in row["point"].items()}}
    again = recount_exactly(computed.name, arguments) or {}
    lacking = [name for name in computed.yields if name not in again]
    if lacking:
        first = enumerate_exactly(computed.name, arguments)
        again = {**{name: first[name] for name in lacking}, **again}
    return all(same(decode(row["values"][name]), sympify(again[name])) for name in computed.yields)


def _every_point_is_there(statement: Statement, rows: list[Mapping[str, Any]]) -> bool:
    computed = statement.computed
    asked = [symbol for symbol in statement.variables if computed is None or symbol.name in computed.arguments]
    if any(statement.variables[symbol].is_finite_set is not True for symbol in asked):
        return False
    stored = {tuple(row["point"][symbol.name] for symbol in asked) for row in rows}
    for values in product(*[list(statement.variables[symbol]) for symbol in asked]):
        point = dict(zip(asked, values, strict=True))
        about = [part for part in statement.hypotheses if part.free_symbols <= set(asked)]
        excluded = any(_excludes(part, point) for part in about)
        if not excluded and tuple(map(str, values)) not in stored:
            return False
    return True


def _excludes(hypothesis: Boolean, point: Mapping[Symbol, Expr]) -> bool:
    places = undefined(hypothesis) if isinstance(hypothesis, Relational) else ()
    return truth(hypothesis, point) is False or any(truth(place, point) is True for place in places)


def _claim(statement: Statement, row: Mapping[str, Any]) -> bool | None:
    """Whether what is claimed at a point of the grid is true: nothing is where a hypothesis is false."""
    point = {Symbol(name): Rational(value) for name, value in row["point"].items()}
    if not all(statement.variables[symbol].contains(value) == true for symbol, value in point.items()):
        return None
    known = point | {Symbol(name): decode(tree) for name, tree in row["values"].items()}
    claim, *given = (substitute(part, known) for part in (statement.conclusion, *statement.hypotheses))
    met = [truth(part, {}) for part in given if not part.free_symbols]
    given = [part for part in given if part.free_symbols]
    if False in met:
        return True
    if not claim.free_symbols and not given:
        found = truth(claim, {})
    else:
        left = {
            symbol: put_at_once(domain, point) for symbol, domain in statement.variables.items() if symbol not in point
        }
        found = _left(Statement(variables=left, given=tuple(given), then=claim), row.get("left"))
    return found if found or None not in met else None


def _left(claim: Statement, certificate: Mapping[str, Any] | None) -> bool | None:
    """What a certificate shows of the formula that is left."""
    if not certificate or not accepted(claim, certificate):
        return None
    return not refutes(certificate)
