"""Displayed equalities and measured claims: derived on one side, printed on the other, left for the engines."""

from collections.abc import Iterable
from typing import Any

from sympy import MatrixBase, S, Set, Symbol
from sympy.logic.boolalg import Boolean

from theory.statements import Computation, Statement


def _entries(value: Any) -> list[Any]:
    return list(value) if isinstance(value, (MatrixBase, tuple, list)) else [value]


def reals(*groups: Any) -> dict[Symbol, Set]:
    """Every symbol of the groups as a real variable.

    >>> reals((Symbol("x"), Symbol("y")))
    {x: Reals, y: Reals}
    """
    found: set[Symbol] = set()
    for group in groups:
        for entry in _entries(group):
            found |= entry.free_symbols
    return dict.fromkeys(sorted(found, key=str), S.Reals)


def claim_on_reals(then: Boolean, **rest: Any) -> Statement:
    """A formula about all real values of its free symbols, with whatever else the statement has."""
    given: Iterable[Boolean] = rest.get("given", ())
    variables = reals((then, *given)) | dict(rest.pop("variables", {}))
    return Statement(variables=variables, then=then, **rest)


def experiment(name: str, claim: Boolean, notes: str = "", **arguments: object) -> Statement:
    """A claim about what an experiment measures; its free symbols are the measurements."""
    yields = tuple(sorted(symbol.name for symbol in claim.free_symbols))
    computed = Computation(f"saddle_to_saddle.{name}", arguments, yields, exact=False)
    return Statement(then=claim, computed=computed, notes=notes)
