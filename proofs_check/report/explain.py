"""In words: what an outcome, a strength and an engine establish, and what they do not."""

from __future__ import annotations

from proofs_check.verdict import Outcome, Strength, Verdict

OUTCOMES = {
    Outcome.PROVED: "holds on the whole hypothesis set, by a certificate that can be replayed",
    Outcome.REFUTED: "false: the counterexample was re-checked exactly or in ball arithmetic",
    Outcome.VACUOUS: "says nothing: its hypotheses contradict each other, and that is proved",
    Outcome.SAMPLED: "no counterexample was found in the cases searched; this is not a proof",
    Outcome.OPEN: "undecided within the budget",
}
STRENGTHS = {
    Strength.KERNEL: "a Coq proof that coqc accepted",
    Strength.EXACT: "exact algebra or a decision procedure, confirmed by a second, independent path",
    Strength.ENCLOSED: "ball arithmetic over the whole hypothesis set; rounding is accounted for in every operation",
}
ENGINES = {
    "identity": "canonical forms over exact fields; two sides that differ are told apart at an exact point",
    "real": "two independent solvers on the negation, or a sum-of-squares certificate checked in rationals",
    "ball": "branch and bound: every box of a cover is certified in ball arithmetic",
    "series": "exact power series whose leading coefficient decides, with the remainder controlled",
    "induction": "invariants, ranking and classical convergence theorems whose conditions are proved one by one",
    "enclosure": "trajectories followed with rigorous error bounds",
    "enumerate": "every case of a finite question counted exactly, or a numerical experiment that only measures",
    "falsify": "a guided search over the hypothesis set; candidates count only after an exact re-check",
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
        parts.append(f"Engine {verdict.engine}: {ENGINES[verdict.engine]}")
    return [f"{text[0].upper()}{text[1:]}." for text in parts]
