"""A goal is what a proving engine is handed: variables, hypotheses, and a plain conclusion to derive from them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from sympy import And, Set, Symbol, false
from sympy.core.function import AppliedUndef
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

from proofs_check.kernel.claims import Claim
from theory.domains import is_discrete, membership
from theory.language.formulas import clauses
from theory.statements import Statement
from theory.temporal import is_plain, negation


@dataclass(frozen=True)
class Goal:
    """For all points of the domains that satisfy the hypotheses: the conclusion, a plain formula.

    >>> from sympy import Interval, Symbol
    >>> x = Symbol("x")
    >>> Goal({x: Interval(0, 1)}, (x <= 1, x >= 0), x**2 <= x).refutation
    (x >= 0) & (x <= 1) & (x**2 > x)
    """

    variables: Mapping[Symbol, Set]
    hypotheses: tuple[Boolean, ...]
    conclusion: Boolean

    @classmethod
    def over(cls, variables: Mapping[Symbol, Set], given: Iterable[Boolean], conclusion: Boolean) -> Goal:
        """The goal whose hypotheses are the domains of the variables and what else is given."""
        domains = And(*[membership(symbol, domain) for symbol, domain in variables.items()], *given)
        return cls(dict(variables), clauses(domains), conclusion)

    @classmethod
    def of(cls, claim: Claim | None) -> Goal | None:
        """The goal that a claim sets, if there is one."""
        return None if claim is None else cls(claim.variables, claim.hypotheses, claim.conclusion)

    @property
    def integers(self) -> tuple[Symbol, ...]:
        """The variables that range over integers."""
        return tuple(symbol for symbol, domain in self.variables.items() if is_discrete(domain))

    @property
    def is_abstract(self) -> bool:
        """Whether it speaks of functions of which only the name is known."""
        return any(part.has(AppliedUndef) for part in (*self.hypotheses, self.conclusion))

    @property
    def refutation(self) -> Boolean:
        """What a counterexample satisfies."""
        return And(*self.hypotheses, negation(self.conclusion))

    def concluding(self, conclusion: Boolean, *more: Boolean) -> Goal:
        """The same hypotheses, and possibly more of them, with another conclusion."""
        return replace(self, hypotheses=(*self.hypotheses, *more), conclusion=conclusion)


def domains(statement: Statement) -> dict[Symbol, Set]:
    """The domains of the variables, with the constants at their stated values."""
    return {symbol: domain.subs(statement.stated) for symbol, domain in statement.variables.items()}


def goal_of(statement: Statement) -> Goal | None:
    """The goal of a plain statement; None when it speaks of time, state, quantifiers, scaling or computations."""
    if (
        statement.computed is not None
        or statement.speaks_of_state
        or not all(is_plain(part) for part in (*statement.hypotheses, statement.conclusion))
    ):
        return None
    return Goal(domains(statement), statement.hypotheses, statement.conclusion)


def satisfiability(statement: Statement) -> Goal | None:
    """The goal that the hypotheses contradict each other; proving it makes the statement vacuous."""
    if not all(is_plain(part) for part in statement.hypotheses):
        return None
    return Goal(domains(statement), statement.hypotheses, false)


def relations(formula: Boolean) -> Iterator[Relational]:
    """The relations of a plain formula."""
    if isinstance(formula, Relational):
        yield formula
    else:
        for part in formula.args:
            yield from relations(part)
