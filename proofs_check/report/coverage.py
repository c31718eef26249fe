"""How much of the print was decided: outcomes counted by scope, and the printed theorems by what is known of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from proofs_check.verdict import Outcome, Verdict
from theory.library import printed
from theory.scope import KINDS

THEOREMS = ("theorem", "lemma", "proposition", "corollary")
"""The kinds of printed items that claim to have a proof."""

_KNOWN = {
    "refuted": "refuted",
    "vacuous": "vacuous",
    "whole": "proved whole",
    "case": "in a case",
    "part": "in part",
    "undecided": "undecided",
    "unstated": "not stated",
}
"""What can be known of a printed theorem, in the order in which it is asked for."""


def covered(verdicts: Sequence[Verdict]) -> list[str]:
    """Lines that count the outcomes by scope and the printed theorems; none where no verdict has a scope.

    >>> from theory.scope import case, whole
    >>> proved = Verdict(Outcome.PROVED, id="a/lemma-1", scope=whole())
    >>> covered([proved, proved.but(id="a/theorem-2.d-3", scope=case("d = 3"))])
    ['of them whole: 1 proved; case: 1 proved', 'theorems of the print: 1 proved whole, 1 in a case']
    """
    scopes = by_scope(verdicts)
    if not scopes:
        return []
    lines = ["; ".join(f"{kind}: {_counted(counts)}" for kind, counts in scopes.items())]
    found = known_theorems(verdicts)
    return [f"of them {lines[0]}", *([f"theorems of the print: {', '.join(found)}"] if found else [])]


def known_theorems(verdicts: Iterable[Verdict]) -> list[str]:
    """How many printed theorems are known how far, in words."""
    return [f"{number} {_KNOWN[known]}" for known, number in printed_theorems(verdicts).items() if number]


def by_scope(verdicts: Iterable[Verdict]) -> dict[str, Counter[Outcome]]:
    """How often each outcome occurs, by the kind of scope; verdicts without a scope are left out."""
    found: dict[str, Counter[Outcome]] = {}
    for verdict in verdicts:
        if verdict.scope is not None:
            found.setdefault(verdict.scope.kind, Counter())[verdict.outcome] += 1
    return {kind: found[kind] for kind in KINDS if kind in found}


def printed_theorems(verdicts: Iterable[Verdict]) -> dict[str, int]:
    """How many printed theorems, lemmas, propositions and corollaries are known how far: each is counted once.

    A counterexample to a case or a part refutes what is printed; a proof counts for no more than it covers.

    >>> from theory.scope import case, own, unstated
    >>> shown = Verdict(Outcome.PROVED, id="a/theorem-1.d-2", scope=case("d = 2"))
    >>> more = [Verdict(Outcome.OPEN, id="a/theorem-1", scope=unstated("vectors"))]
    >>> more += [Verdict(Outcome.REFUTED, id="a/theorem-1.b", scope=own("a stronger bound"))]
    >>> [known for known, number in printed_theorems([shown, *more]).items() if number]
    ['case']
    """
    items: dict[str, list[Verdict]] = {}
    for verdict in verdicts:
        item = printed(verdict.id)
        is_theorem = "#" not in verdict.id and item.rpartition("/")[2].partition("-")[0] in THEOREMS
        if is_theorem and verdict.scope is not None and verdict.scope.kind != "own":
            items.setdefault(item, []).append(verdict)
    counts = Counter(_known(entries) for entries in items.values())
    return {known: counts[known] for known in _KNOWN}


def _known(entries: Sequence[Verdict]) -> str:
    outcomes = {(entry.scope.kind, entry.outcome) for entry in entries if entry.scope is not None}
    if any(outcome is Outcome.REFUTED for _, outcome in outcomes):
        return "refuted"
    if ("whole", Outcome.VACUOUS) in outcomes:
        return "vacuous"
    proved = {kind for kind, outcome in outcomes if outcome is Outcome.PROVED}
    best = next((kind for kind in ("whole", "case", "part") if kind in proved), None)
    if best is not None:
        return best
    return "unstated" if all(kind == "unstated" for kind, _ in outcomes) else "undecided"


def _counted(counts: Counter[Outcome]) -> str:
    return ", ".join(f"{counts[outcome]} {outcome}" for outcome in Outcome if counts[outcome])
