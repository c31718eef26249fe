"""In three lines: what the paper claims, what was decided, and the difference."""

from __future__ import annotations

from dataclasses import dataclass

from proofs_check.verdict import Outcome, Verdict
from theory.library import Entry
from theory.scope import Scope

_DIFFERENCE = {
    "whole": "None: it is stated as it is printed",
    "case": "Only this case is stated",
    "part": "Only this part is stated",
    "measured": "It is measured, which proves nothing",
    "own": "The paper does not claim it",
    "unstated": "It is not stated: missing",
}


@dataclass(frozen=True)
class Comparison:
    """The three lines for one entry of a paper."""

    claimed: str
    decided: str
    difference: str


def compare(entry: Entry, verdict: Verdict, number: Entry | None) -> Comparison | None:
    """The three lines; `number` is the entry under the printed number itself, where there is one.

    >>> from theory.scope import case
    >>> from theory.statements import Source
    >>> entry = Entry("a/theorem-1.d-2", "It converges", Source("a", "Theorem 1"), None, case("d = 2"), "every d")
    >>> compare(entry, Verdict(Outcome.REFUTED), None)
    Comparison(claimed='every d', decided='The statement below is refuted, and with it what is printed.', \
difference='Only this case is stated: d = 2.')
    """
    scope = entry.scope
    if scope is None:
        return None
    text = f": {scope.text}" if scope.text and scope.kind != "unstated" else f" {scope.text}".rstrip()
    return Comparison(_claimed(entry, scope, number), _decided(verdict, scope), f"{_DIFFERENCE[scope.kind]}{text}.")


def _claimed(entry: Entry, scope: Scope, number: Entry | None) -> str:
    if scope.kind == "own":
        return "Not this."
    if entry.claims or scope.kind == "unstated":
        return entry.claims or entry.title
    if scope.kind == "whole":
        return "The statement below."
    if number is not None and number is not entry:
        return f"{number.claims or number.title} ({number.source.label})"
    return f"{entry.source.label}, of which the statement below is no more than the {scope.kind} named here."


def _decided(verdict: Verdict, scope: Scope) -> str:
    if scope.kind == "unstated":
        return "Nothing."
    if verdict.outcome is Outcome.OPEN:
        return "Nothing within the budget."
    also = ", and with it what is printed" if verdict.is_false and scope.kind in ("case", "part") else ""
    return f"The statement below is {verdict.outcome}{also}."
