"""A line of a derivation stands only after an engine has proved it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sympy import Interval, S, Set, Symbol, oo
from sympy.logic.boolalg import Boolean

from proofs_check.evidence.ledger import default_folder
from proofs_check.referee.judge import verify
from proofs_check.report.derivation_lines import Candidate
from proofs_check.report.derivation_page import Line
from proofs_check.verdict import Outcome
from theory.errors import LemmascopeError
from theory.notation import implication
from theory.statements import Statement
from theory.temporal import is_plain

_LONGEST = 4000


@dataclass(frozen=True)
class Setting:
    """What a line may assume: domains of variables, hypotheses, values of constants."""

    variables: Mapping[Any, Set] = field(default_factory=dict)
    given: tuple[Boolean, ...] = ()
    stated: Mapping[Symbol, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, statement: Statement) -> Setting:
        """That of a statement."""
        return cls(statement.variables, statement.given, statement.stated)

    def domain(self, symbol: Any) -> Set:
        """The domain of a variable; positive by its own assumption, or every real number, where none is given."""
        other = Interval.open(0, oo) if symbol.is_positive else S.Reals
        return self.variables.get(symbol, other).subs(self.stated)


def confirmed(candidate: Candidate, setting: Setting, effort: str) -> Line | None:
    """The candidate as a line, with what it needs only where it is not true without; None where no engine proves it."""
    for needs in dict.fromkeys([(), candidate.needs]):
        goal = _goal(candidate.formula, needs, setting)
        shown = implication([implication([], part) for part in needs], candidate.formula)
        if goal is None or len(shown) > _LONGEST:
            return None
        verdict = verify(goal, effort=effort, folder=default_folder())
        if verdict.outcome is Outcome.PROVED:
            return Line(goal, candidate.reason, verdict, shown, candidate.gives, candidate.uses)
    return None


def _goal(formula: Boolean, needs: tuple[Boolean, ...], setting: Setting) -> Statement | None:
    symbols = formula.free_symbols.union(*(part.free_symbols for part in needs))
    domains = {symbol: setting.domain(symbol) for symbol in symbols}
    within = [domain.free_symbols - symbols for domain in domains.values()]
    domains |= {symbol: setting.domain(symbol) for symbol in set().union(*within)}
    known = tuple(part for part in setting.given if is_plain(part) and part.free_symbols <= set(domains))
    try:
        return Statement(variables=domains, given=(*known, *needs), then=formula)
    except LemmascopeError:
        return None
