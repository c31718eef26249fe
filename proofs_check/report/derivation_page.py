"""What a derivation is made of before it is written: checked lines that are used, an argument, a closing sentence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from proofs_check.report.arguments.passages import Passage
from proofs_check.verdict import Verdict
from theory.statements import Statement


class Used(Protocol):
    """Something that says one thing and uses others."""

    @property
    def gives(self) -> str:
        """The name of what it says."""

    @property
    def uses(self) -> tuple[str, ...]:
        """The names of what must have been said before."""


Some = TypeVar("Some", bound=Used)


def in_use(lines: Sequence[Some], needs: Iterable[str]) -> list[Some]:
    """The lines that give what is needed at the end, or what a later line that is kept uses; in their order.

    >>> from sympy import true
    >>> from proofs_check.report.derivation_lines import Candidate
    >>> a, b, c = (Candidate(true, name, (), name, uses) for name, uses in (("a", ()), ("b", ("a",)), ("c", ("a",))))
    >>> [line.gives for line in in_use([a, b, c], {"b"})]
    ['a', 'b']
    """
    wanted, kept = set(needs), list[Some]()
    for line in reversed(lines):
        if line.gives in wanted:
            kept.append(line)
            wanted |= set(line.uses)
    return kept[::-1]


@dataclass(frozen=True)
class Line:
    """One checked line: the statement it is, why it holds in words, and the verdict that allows it to stand here.

    `shown` is its LaTeX: the formula together with every hypothesis that the derived statement does not have anyway.
    """

    statement: Statement
    reason: str
    verdict: Verdict
    shown: str
    gives: str = ""
    uses: tuple[str, ...] = ()

    def latex(self) -> str:
        """The line in LaTeX."""
        return self.shown


@dataclass(frozen=True)
class Page:
    """What is written of a derivation, in any format."""

    label: str
    title: str
    formula: str
    lines: tuple[Line, ...]
    argument: tuple[Passage, ...]
    closing: str
    remarks: tuple[str, ...] = ()
    rests_on: tuple[str, ...] = ()
    """The classical theorems and the software that must be believed."""
    heading: str = "Proof"


class Derived(Protocol):
    """A derivation of anything."""

    def page(self) -> Page:
        """What is written."""
