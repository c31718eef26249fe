"""In words: what an outcome, a strength and an engine establish, and what they do not."""

from __future__ import annotations

from proofs_check.engines import ENGINES, card
from proofs_check.verdict import Outcome, Strength, Verdict

OUTCOMES = {
    Outcome.PROVED: "holds on the whole hypothesis set, by a certificate that can be replayed",
    Outcome.REFUTED: "false: the counterexample was re-checked exactly or in ball arithmetic",
    Outcome.VACUOUS: "says nothing: its hypotheses contradict each other, and that is proved",
    Outcome.SAMPLED: "no counterexample was found in the cases searched; this is not a proof",
    Outcome.OPEN: "undecided within the budget",
}
STRENGTHS = {
    Strength.COQ: "a Coq proof that coqc accepted",
    Strength.EXACT: "a certificate that was computed again in exact arithmetic",
    Strength.ENCLOSED: "ball arithmetic over the whole hypothesis set; rounding is accounted for in every operation",
    Strength.ORACLE: "the word of two solvers, z3 and cvc5, which agree; there is no certificate to compute again",
}


def how_to_believe(verdict: Verdict) -> list[str]:
    """Sentences that say why the verdict can be believed.

    >>> how_to_believe(Verdict(Outcome.OPEN))
    ['Undecided within the budget.']
    """
    parts = [OUTCOMES[verdict.outcome]]
    if verdict.strength is not None:
        parts.append(f"Strength {verdict.strength}: {STRENGTHS[verdict.strength]}")
    if verdict.engine in ENGINES:
        parts.append(f"Engine {verdict.engine}: {card(verdict.engine).ABOUT}")
    return [f"{text[0].upper()}{text[1:]}." for text in parts]
