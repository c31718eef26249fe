"""From the loss to the conclusion: a chain of equations, each checked by an engine before it is written down."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import overload

from sympy import Symbol

from proofs_check.evidence.ledger import default_folder
from proofs_check.passes.noise import without_noise
from proofs_check.referee.judge import verify
from proofs_check.report.arguments.passages import Length, Passage, at_length
from proofs_check.report.arguments.writer import argument
from proofs_check.report.confirmed_lines import Setting, confirmed
from proofs_check.report.derivation_lines import Candidate, candidates, from_the_loss, needed
from proofs_check.report.derivation_page import Line, Page, in_use
from proofs_check.report.design_card import DesignCard, design_card
from proofs_check.report.terminal import point, summary_of
from proofs_check.report.write_derivation import Written
from proofs_check.verdict import Outcome, Verdict
from theory.dynamics import Flow, Map
from theory.library import premised, proof
from theory.statements import Statement


@dataclass(frozen=True)
class Derivation(Written):
    """The checked lines that lead to a statement; what was left out is counted, refuted steps are named.

    `needs` names what the conclusion itself uses of the lines: every line gives that, or something that a later line
    uses.
    """

    statement: Statement
    lines: tuple[Line, ...]
    conclusion: Verdict
    left_out: int
    refuted: tuple[str, ...] = ()
    argument: tuple[Passage, ...] = ()
    """Why the conclusion holds or fails, from the certificate that the kernel accepted."""
    needs: frozenset[str] = frozenset()
    length: Length = Length.DEFAULT

    def page(self) -> Page:
        """What is written, at its length."""
        statement, verdict = self.statement, self.conclusion
        short = self.length is Length.SHORT
        lines = [line for line in self.lines if not short or line.gives in self.needs]
        failing = f"; it fails at {point(verdict.counterexample)}" if verdict.counterexample else ""
        return Page(
            statement.source.label or statement.id, statement.title, statement.latex(), tuple(lines),
            at_length(self.argument, self.length), f"{summary_of(verdict)}{failing}.", tuple(self._remarks()),
            verdict.trust, _HEADINGS.get(verdict.outcome, "How far it goes"),
        )  # fmt: skip

    def _remarks(self) -> Iterator[str]:
        if self.refuted:
            yield f"Left out because they are refuted: {', '.join(self.refuted)}."
        if count := self.left_out:
            yield f"{count} further line{' was' if count == 1 else 's were'} left out because no engine confirmed them."
        if not self.conclusion.decided:
            yield "What is missing is the statement itself: no engine decided it."


_HEADINGS = {Outcome.PROVED: "Proof", Outcome.REFUTED: "Counterexample", Outcome.VACUOUS: "Contradiction"}


@overload
def derive(subject: str | Statement, effort: str = ..., length: str = ...) -> Derivation: ...
@overload
def derive(subject: Map | Flow, effort: str = ..., length: str = ...) -> DesignCard: ...
def derive(
    subject: str | Statement | Map | Flow, effort: str = "standard", length: str = "default"
) -> Derivation | DesignCard:
    """The derivation of a statement, given itself or by its id, or the design card of a Map or Flow.

    A line that no engine confirms is left out and counted; one that nothing uses is not there. `length` is short,
    default or long.

    >>> from sympy import Interval, Symbol
    >>> from theory import Always, gradient_descent
    >>> x, h = Symbol("x"), Symbol("h")
    >>> step = gradient_descent(x**2, x, h)
    >>> lemma = Statement(variables={h: Interval(0, 1)}, dynamics=step, start={x: 1}, then=Always(x <= 1))
    >>> [line.reason for line in derive(lemma, "quick").lines][:2]
    ['the derivative of the loss in x', 'one step moves x against its gradient, h times']
    """
    if isinstance(subject, (Map, Flow)):
        return design_card(subject, effort)
    statement = premised(subject) if isinstance(subject, str) else subject
    found = derived(statement, verify(statement, effort=effort, folder=default_folder()), effort, Length(length))
    if not isinstance(subject, str) or found.argument:
        return found
    steps, refuted, left_out = _steps(subject, effort)
    needs = found.needs | {step.gives for step in steps}
    return replace(
        found, lines=(*found.lines, *steps), left_out=found.left_out + left_out, refuted=tuple(refuted), needs=needs
    )


def derived(
    statement: Statement, conclusion: Verdict, effort: str = "standard", length: Length = Length.DEFAULT
) -> Derivation:
    """The derivation of a statement under a verdict that is known already."""
    why = argument(statement, conclusion)
    needs = needed(statement, conclusion.certificate, has_argument=bool(why))
    lines, left_out = used_lines(statement, conclusion, effort, needs)
    return Derivation(statement, tuple(lines), conclusion, left_out, (), why, needs, length)


def _steps(subject: str, effort: str) -> tuple[list[Line], list[str], int]:
    """The proved steps of a printed proof, the tags of refuted ones, and the number of those that are open."""
    lines: list[Line] = []
    refuted: list[str] = []
    left_out = 0
    for entry in proof(subject):
        if not entry.is_stated:
            left_out += 1
            continue
        step, tag = premised(entry.id), entry.id.partition("#")[2]
        verdict = verify(step, effort=effort, folder=default_folder())
        if verdict.outcome is Outcome.PROVED:
            lines.append(Line(step, f"step {tag}: {entry.title}", verdict, step.latex(), tag, step.uses))
        elif verdict.outcome is Outcome.REFUTED:
            refuted.append(tag)
        else:
            left_out += 1
    return lines, refuted, left_out


def used_lines(
    statement: Statement, conclusion: Verdict, effort: str, needs: frozenset[str] | None = None
) -> tuple[list[Line], int]:
    """The lines from the loss to the conclusion that it uses, confirmed by an engine; and how many are not."""
    if needs is None:
        why = bool(argument(statement, conclusion))
        needs = needed(statement, conclusion.certificate, has_argument=why)
    checked = list(checked_lines(statement, needs, effort))
    return in_use([line for line in checked if line is not None], needs), checked.count(None)


def checked_lines(statement: Statement, needs: frozenset[str], effort: str) -> Iterator[Line | None]:
    """The lines that the conclusion uses, one after the other as an engine confirms them; None for one that none does.

    How the state moves is always used, and comes before anything about cycles is computed.
    """
    subject = without_noise(statement)
    setting, first = Setting.of(subject), list[Candidate]()
    if subject.dynamics is not None and all(isinstance(symbol, Symbol) for symbol in subject.dynamics.state):
        first = in_use(list(from_the_loss(subject.dynamics)), needs)
        yield from (confirmed(candidate, setting, effort) for candidate in first)
    for candidate in in_use(list(candidates(subject)), needs):
        if candidate not in first:
            yield confirmed(candidate, setting, effort)
