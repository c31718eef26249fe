"""What a refutation leaves to be checked again: the exact point, as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sympy import Expr, Lambda, Symbol

from proofs_check.verdict import Evidence, Outcome
from theory.statements import Statement
from theory.trees import encode


def unless_excepted(statement: Statement, verdict: Evidence | None) -> Evidence | None:
    """A verdict, but no refutation at a single point of a statement that allows exceptions of measure zero."""
    if verdict is not None and verdict.outcome is Outcome.REFUTED and statement.almost_all:
        return None
    return verdict


def pairs(point: Mapping[Symbol, Expr]) -> list[list[Any]]:
    """A point as encoded pairs of symbol and value."""
    return [[encode(symbol), encode(value)] for symbol, value in point.items()]


def at_point(point: Mapping[Symbol, Expr], functions: Mapping[str, Lambda] | None = None) -> dict[str, Any]:
    """The certificate of a counterexample at a point, where abstract functions may be concrete ones.

    >>> from sympy import Integer
    >>> at_point({Symbol("x"): Integer(2)})["kind"]
    'point'
    """
    certificate: dict[str, Any] = {"kind": "point", "point": pairs(point)}
    if functions:
        certificate["functions"] = [
            [name, [encode(symbol) for symbol in function.variables], encode(function.expr)]
            for name, function in functions.items()
        ]
    return certificate
