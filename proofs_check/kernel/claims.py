"""What a checker is asked to believe: variables, hypotheses and a plain conclusion, read straight from a statement."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sympy import Set, Symbol
from sympy.logic.boolalg import Boolean

from theory.domains import is_discrete
from theory.statements import Statement
from theory.temporal import is_plain, put_at_once


@dataclass(frozen=True)
class Claim:
    """For all values of the variables that satisfy the hypotheses: the conclusion.

    >>> from sympy import Interval
    >>> x = Symbol("x")
    >>> claim_of(Statement(variables={x: Interval(0, 1)}, then=x**2 <= x)).hypotheses
    (0 <= x, x <= 1)
    """

    variables: Mapping[Symbol, Set]
    hypotheses: tuple[Boolean, ...]
    conclusion: Boolean

    @property
    def integers(self) -> list[Symbol]:
        """The variables that are whole numbers."""
        return [symbol for symbol, domain in self.variables.items() if is_discrete(domain)]


def claim_of(statement: Statement) -> Claim | None:
    """The claim of a statement without time, state, quantifiers, scaling and computations; None for the others."""
    parts = (*statement.hypotheses, statement.conclusion)
    if statement.computed is not None or statement.speaks_of_state or any(not is_plain(part) for part in parts):
        return None
    values = statement.stated
    return Claim(
        {symbol: put_at_once(domain, values) for symbol, domain in statement.variables.items()},
        statement.hypotheses,
        statement.conclusion,
    )
