"""How much of a printed item an entry covers: the whole, a case, a part, a measurement, or something of our own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from theory.errors import LemmascopeError

KINDS = {
    "whole": "the printed statement with its own quantifiers, sizes and hypotheses",
    "case": "a special size, degree, data set or range of the printed statement",
    "part": "one clause or one inequality of the printed statement",
    "measured": "an experiment with a scale of its own",
    "own": "no claim of the paper: a correction, a converse, a sharper form, a question",
    "unstated": "printed, and not stated here yet",
}
"""What each kind covers; only `whole` stands for the printed item itself."""


@dataclass(frozen=True)
class Scope:
    """What an entry covers of the printed item, and in words which case, which part, which scale, or what is missing.

    >>> str(case("degree 6")), str(whole())
    ('case: degree 6', 'whole')
    """

    kind: str
    text: str = ""

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise LemmascopeError(f"a scope is one of {', '.join(KINDS)}, not {self.kind!r}")
        if not isinstance(self.text, str) or not self.text.isprintable():
            raise LemmascopeError(f"the scope {self.kind} needs a line of text, not {self.text!r}")
        if bool(self.text.strip()) is (self.kind == "whole"):
            raise LemmascopeError(
                f"the scope {self.kind} needs no text: what is left out makes it a case or a part"
                if self.text
                else f"the scope {self.kind} needs a text that says which: {self.kind}('...')"
            )

    def __str__(self) -> str:
        if self.kind == "unstated":
            return f"not stated: missing {self.text}"
        return f"{self.kind}: {self.text}" if self.text else self.kind

    def to_json(self) -> dict[str, str]:
        """The scope as the public JSON object.

        >>> part("the second inequality").to_json()
        {'kind': 'part', 'text': 'the second inequality'}
        """
        return {"kind": self.kind, "text": self.text}

    @classmethod
    def from_json(cls, data: Any) -> Scope | None:
        """Read a scope back; None where there was none, and a ValueError where the data are damaged."""
        try:
            return None if data is None else cls(str(data["kind"]), str(data["text"]))
        except LemmascopeError as error:
            raise ValueError(str(error)) from error


def whole() -> Scope:
    """The printed statement: its quantifiers, its sizes, its hypotheses, all of its clauses."""
    return Scope("whole")


def case(which: str) -> Scope:
    """The printed statement for a special size, degree, data set or range: says which."""
    return Scope("case", which)


def part(which: str) -> Scope:
    """One clause or one inequality of the printed statement: says which."""
    return Scope("part", which)


def measured(how: str) -> Scope:
    """An experiment: says its scale, its seeds and what was cut."""
    return Scope("measured", how)


def own(what: str) -> Scope:
    """Nothing that the paper claims: a correction, a converse, a sharper form, a question of ours."""
    return Scope("own", what)


def unstated(missing: str) -> Scope:
    """Printed, but the language lacks a word for it: says which."""
    return Scope("unstated", missing)
