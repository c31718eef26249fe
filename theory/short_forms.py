"""Short ways to write the statements of a paper whose symbols are counted or measured by one of its procedures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sympy import Set, Symbol
from sympy.logic.boolalg import Boolean

from theory.statements import Computation, Statement


def counted(
    paper: str,
    procedure: str,
    then: Boolean,
    *,
    yields: tuple[str, ...],
    variables: Mapping[Symbol, Set] | None = None,
    given: tuple[Boolean, ...] = (),
    notes: str = "",
    **arguments: Any,
) -> Statement:
    """A statement whose symbols are counted by one of the exact procedures of a paper.

    >>> counted("demo", "trees", Symbol("differing") <= 0, yields=("differing",), order=4).computed.name
    'demo.trees'
    """
    computation = Computation(f"{paper}.{procedure}", arguments, yields)
    return Statement(variables=variables or {}, given=given, then=then, computed=computation, notes=notes)


def experiment(
    paper: str, procedure: str, then: Boolean, *, yields: tuple[str, ...], notes: str = "", **arguments: Any
) -> Statement:
    """A statement about what one of the experiments of a paper measures.

    >>> experiment("demo", "run", Symbol("loss") <= 1, yields=("loss",)).computed.exact
    False
    """
    computation = Computation(f"{paper}.{procedure}", arguments, yields, exact=False)
    return Statement(then=then, computed=computation, notes=notes)
