"""What a cover is asked: for all variables that satisfy the hypotheses, the conclusion."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from sympy import Expr, Set, Symbol
from sympy.logic.boolalg import Boolean

from proofs_check.engines.variation.leaves import Points
from theory.domains import is_discrete, membership
from theory.errors import LemmascopeError
from theory.language.definedness import put


@dataclass(frozen=True)
class Task:
    """For all variables that satisfy the hypotheses: the conclusion."""

    variables: Mapping[Symbol, Set]
    hypotheses: tuple[Boolean, ...]
    conclusion: Boolean
    integers: frozenset[Symbol] = frozenset()
    strengthened: bool = False
    """Whether the conclusion also says that something has a value: then a violation is none of the statement."""
    points: Points | None = None
    """Points in floats, for tasks of which every plain part may be proved in its own way and none is refuted."""

    def assuming(self, *more: Boolean) -> Task:
        """The task with further hypotheses."""
        return replace(self, hypotheses=(*self.hypotheses, *more))

    def concluding(self, conclusion: Boolean) -> Task:
        """The task with another conclusion."""
        return replace(self, conclusion=conclusion)

    def with_variable(self, symbol: Symbol, domain: Set) -> Task:
        """The task with one more variable."""
        integers = self.integers | {symbol} if is_discrete(domain) else self.integers
        variables = {**self.variables, symbol: domain}
        return replace(self, variables=variables, integers=integers).assuming(membership(symbol, domain))

    def at(self, symbol: Symbol, value: Expr) -> Task:
        """The task with a variable fixed; a LemmascopeError where a formula has no value then."""
        rest = {s: d.subs(symbol, value) for s, d in self.variables.items() if s != symbol}
        try:
            given = tuple(h.subs(symbol, value) for h in self.hypotheses)
            conclusion = put(self.conclusion, symbol, value)
            more = self.strengthened or conclusion != self.conclusion.subs(symbol, value)
        except (TypeError, ValueError) as error:  # a comparison with a number that is not real
            raise LemmascopeError(f"a formula has no value at {symbol} = {value}") from error
        return Task(rest, given, conclusion, self.integers - {symbol}, more, self.points)
