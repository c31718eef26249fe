"""How much a finding weighs, from what is known: a false theorem, a false lemma, another false claim, a false step."""

from __future__ import annotations

from collections.abc import Mapping

from proofs_check.verdict import Outcome, Verdict
from theory.library import printed

SEVERITIES = {
    "theorem": "A theorem, proposition or corollary is false or empty",
    "lemma": "A lemma is false or empty",
    "claim": "Another printed claim is false or empty: an equation, a definition, a figure, a sentence",
    "step": "A step of a proof is false or empty, and what it proves is not proved here either",
    "survives": "A step of a proof is false or empty, but what it proves is proved",
    "suspect": "Clear violations were seen, but none could be certified",
    "sharpened": "True, and a constant can be sharpened",
}
"""The weights, heaviest first."""

_THEOREMS = ("theorem", "proposition", "corollary", "conjecture")


def severity(verdict: Verdict, others: Mapping[str, Verdict]) -> str | None:
    """The weight of a finding among the other verdicts, by id; None for what is no finding.

    >>> proved = Verdict(Outcome.PROVED, id="a/lemma-1")
    >>> severity(Verdict(Outcome.REFUTED, id="a/lemma-1#2"), {"a/lemma-1": proved})
    'survives'
    >>> severity(Verdict(Outcome.REFUTED, id="a/theorem-3.b"), {}), severity(proved, {})
    ('theorem', None)
    """
    if not verdict.is_finding:
        return None
    if verdict.outcome is Outcome.SUSPECT:
        return "suspect"
    if not verdict.outcome.objects:
        return "sharpened"
    whole, step, _ = verdict.id.partition("#")
    if step:
        parent = others.get(whole)
        return "survives" if parent is not None and parent.outcome is Outcome.PROVED else "step"
    kind = printed(verdict.id).rpartition("/")[2].partition("-")[0]
    return "theorem" if kind in _THEOREMS else "lemma" if kind == "lemma" else "claim"
