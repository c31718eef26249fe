"""Re-checks counted statements: the values by an independent procedure where one is registered, then the formula.

Nothing is taken from the engine: the points of the grid are rebuilt from the domains, the values are counted again,
and the formula is evaluated with rational arithmetic.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any

from sympy import Rational, Symbol, false, true
from sympy.logic.boolalg import Boolean

from proofs_check.checkers.proofs import proves
from theory.enumerators import enumerate_exactly, has_recount, recount_exactly
from theory.statements import Computation, Statement
from theory.trees import decode


def check(statement: Statement, certificate: Mapping[str, Any]) -> bool:
    """Whether the stored values are right and decide the claim the way the certificate says."""
    computed = statement.computed
    if computed is None or not computed.exact:
        return False
    rows = list(certificate["rows"])
    if certificate["claim"] == "false":
        return len(rows) == 1 and _values_are_right(computed, rows[0]) and _claim(statement, rows[0]) is False
    if not rows or not _every_point_is_there(statement, rows):
        return False
    return all(_values_are_right(computed, row) and _claim(statement, row) is True for row in rows)


def remark(statement: Statement) -> str | None:
    """Says so when no second procedure is registered for the values."""
    computed = statement.computed
    return None if computed is None or has_recount(computed.name) else "which counted again by the same procedure"


def _values_are_right(computed: Computation, row: Mapping[str, Any]) -> bool:
    arguments = {**computed.arguments, **{name: int(value) for name, value in row["point"].items()}}
    again = recount_exactly(computed.name, arguments) or {}
    lacking = [name for name in computed.yields if name not in again]
    if lacking:
        first = enumerate_exactly(computed.name, arguments)
        again = {**{name: first[name] for name in lacking}, **again}
    return all((decode(row["values"][name]) - again[name]).expand() == 0 for name in computed.yields)


def _every_point_is_there(statement: Statement, rows: list[Mapping[str, Any]]) -> bool:
    arguments = statement.computed.arguments if statement.computed is not None else {}
    asked = [symbol for symbol in statement.variables if symbol.name in arguments]
    if any(statement.variables[symbol].is_finite_set is not True for symbol in asked):
        return False
    stored = {tuple(row["point"][symbol.name] for symbol in asked) for row in rows}
    for values in product(*[list(statement.variables[symbol]) for symbol in asked]):
        point = dict(zip(asked, values, strict=True))
        excluded = any(part.subs(point) == false for part in statement.hypotheses if part.free_symbols <= set(asked))
        if not excluded and tuple(map(str, values)) not in stored:
            return False
    return True


def _claim(statement: Statement, row: Mapping[str, Any]) -> bool | None:
    known = {Symbol(name): Rational(value) for name, value in row["point"].items()}
    known |= {Symbol(name): decode(tree) for name, tree in row["values"].items()}
    claim: Boolean = statement.conclusion.subs(known, simultaneous=True)
    if claim in (true, false):
        return claim is true
    certificate = row.get("left")
    if not certificate:
        return None
    left = {symbol: domain for symbol, domain in statement.variables.items() if symbol not in known}
    given = tuple(part.subs(known) for part in statement.given)
    smaller = Statement(variables=left, given=tuple(part for part in given if part.free_symbols), then=claim)
    return True if proves(smaller, certificate) else None
