"""From the loss to the conclusion: a chain of equations, each checked by an engine before it is written down."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sympy import S

from proofs_check.evidence.ledger import default_folder
from proofs_check.referee.judge import verify
from proofs_check.report.derivation_lines import Candidate, candidates
from proofs_check.verdict import Outcome, Verdict
from theory.errors import LemmascopeError
from theory.library import premised, proof
from theory.notation import implication
from theory.statements import Statement
from theory.temporal import is_plain

_LONGEST = 4000


@dataclass(frozen=True)
class Line:
    """One checked line: the statement it is, why it holds in words, and the verdict that allows it to stand here.

    `shown` is its LaTeX: the formula together with every hypothesis that the derived statement does not have anyway.
    """

    statement: Statement
    reason: str
    verdict: Verdict
    shown: str

    def latex(self) -> str:
        """The line in LaTeX."""
        return self.shown


@dataclass(frozen=True)
class Derivation:
    """The checked lines that lead to a statement; what was left out is counted, refuted steps are named."""

    statement: Statement
    lines: tuple[Line, ...]
    conclusion: Verdict
    left_out: int
    refuted: tuple[str, ...] = ()

    def _repr_markdown_(self) -> str:
        from proofs_check.report.write_derivation import as_markdown

        return as_markdown(self)


def derive(subject: str | Statement, effort: str = "standard") -> Derivation:
    """The derivation of a statement, given itself or by its id; a line that no engine confirms is left out and counted.

    >>> from sympy import Interval, Symbol
    >>> from theory import Always, gradient_descent
    >>> x, h = Symbol("x"), Symbol("h")
    >>> step = gradient_descent(x**2, x, h)
    >>> lemma = Statement(variables={h: Interval(0, 1)}, dynamics=step, start={x: 1}, then=Always(x <= 1))
    >>> [line.reason for line in derive(lemma, "quick").lines][:2]
    ['the derivative of the loss in x', 'one step moves x against its gradient, h times']
    """
    statement = premised(subject) if isinstance(subject, str) else subject
    offered = list(checked_lines(statement, effort))
    lines = [line for line in offered if line is not None]
    left_out = len(offered) - len(lines)
    refuted: list[str] = []
    for entry in proof(subject) if isinstance(subject, str) else ():
        if not entry.is_stated:
            left_out += 1
            continue
        step, tag = premised(entry.id), entry.id.partition("#")[2]
        verdict = verify(step, effort=effort, folder=default_folder())
        if verdict.outcome is Outcome.PROVED:
            lines.append(Line(step, f"step {tag}: {entry.title}", verdict, step.latex()))
        elif verdict.outcome is Outcome.REFUTED:
            refuted.append(tag)
        else:
            left_out += 1
    conclusion = verify(statement, effort=effort, folder=default_folder())
    return Derivation(statement, tuple(lines), conclusion, left_out, tuple(refuted))


def checked_lines(statement: Statement, effort: str) -> Iterator[Line | None]:
    """The lines from the loss to the conclusion, as an engine confirms them; None for one that none confirms."""
    for candidate in candidates(statement):
        yield _checked(candidate, statement, effort)


def _checked(candidate: Candidate, statement: Statement, effort: str) -> Line | None:
    """The candidate as a line, with what it needs only where it is not true without."""
    for needs in dict.fromkeys([(), candidate.needs]):
        goal = _goal(Candidate(candidate.formula, candidate.reason, needs), statement)
        shown = implication([implication([], part) for part in needs], candidate.formula)
        if goal is None or len(shown) > _LONGEST:
            return None
        verdict = verify(goal, effort=effort, folder=default_folder())
        if verdict.outcome is Outcome.PROVED:
            return Line(goal, candidate.reason, verdict, shown)
    return None


def _goal(candidate: Candidate, statement: Statement) -> Statement | None:
    symbols = candidate.formula.free_symbols.union(*(part.free_symbols for part in candidate.needs))
    stated = statement.stated
    domains = {symbol: statement.variables.get(symbol, S.Reals).subs(stated) for symbol in symbols}
    within = [domain.free_symbols - symbols for domain in domains.values()]
    domains |= {symbol: statement.variables.get(symbol, S.Reals).subs(stated) for symbol in set().union(*within)}
    known = tuple(part for part in statement.given if is_plain(part) and part.free_symbols <= set(domains))
    try:
        return Statement(variables=domains, given=(*known, *candidate.needs), then=candidate.formula)
    except LemmascopeError:
        return None
