"""Why a verdict holds, in sentences: the writer of each kind of certificate."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from proofs_check.kernel.algebra import claimed
from proofs_check.kernel.claims import Claim
from proofs_check.kernel.kinds import kind_of, refutes
from proofs_check.report.arguments.classes import combined
from proofs_check.report.arguments.counting import counted, of_whole_numbers
from proofs_check.report.arguments.covers import covered
from proofs_check.report.arguments.every_size import (
    Tell,
    at_moments,
    by_facts,
    by_matrices,
    by_moments,
    by_potential,
    in_numbers,
)
from proofs_check.report.arguments.examples import followed, of_a_zero, of_functions
from proofs_check.report.arguments.motion import argued, departed
from proofs_check.report.arguments.near_zero import expanded
from proofs_check.report.arguments.passages import Passage
from proofs_check.report.arguments.points import evaluated
from proofs_check.report.arguments.signs import varied
from proofs_check.report.arguments.sums import combination, contradiction
from proofs_check.report.arguments.tensors import of_tensors
from proofs_check.verdict import Outcome, Verdict
from theory.notation import latex
from theory.statements import Statement
from theory.trees import decode

_ORACLE = (
    "Two solvers, z3 and cvc5, both say that there is no counterexample. No argument that a person reads is known."
)


def argument(statement: Statement, verdict: Verdict) -> tuple[Passage, ...]:
    """The argument behind a decision; nothing where there is no decision.

    >>> from sympy import S, symbols
    >>> from proofs_check.referee.judge import verify
    >>> x, y = symbols("x y")
    >>> lemma = Statement(variables={x: S.Reals, y: S.Reals}, given=(y > 0,), then=x**2 + y > 0)
    >>> print(argument(lemma, verify(lemma))[-1].text)
    No summand is negative, and one is positive.
    """
    certificate = verdict.certificate
    if certificate is None or not verdict.decided:
        return ()
    if verdict.outcome is Outcome.VACUOUS:
        return (Passage("The hypotheses contradict each other."),)
    if refutes(certificate):
        return tuple(_refuted(statement, verdict, certificate))
    return tuple(told(statement, certificate))


def told(statement: Statement, certificate: Mapping[str, Any]) -> list[Passage]:
    """The argument of a certificate about a statement: a proof, or a counterexample of a statement it leads to."""
    kind = kind_of(certificate)
    if kind in _OF_STATEMENTS:
        return _OF_STATEMENTS[kind](statement, certificate)
    if refutes(certificate):
        return evaluated(statement, certificate)
    claim = claimed(statement)
    if claim is not None:
        return proved(claim, certificate)
    return covered(certificate) if kind == "cover" else _outline(certificate)


def _refuted(statement: Statement, verdict: Verdict, certificate: Mapping[str, Any]) -> list[Passage]:
    if kind_of(certificate) != "induction":
        return told(statement, certificate)
    passages = evaluated(statement, certificate)
    passages += departed(certificate) or [Passage(f"{note[:1].upper()}{note[1:]}.") for note in verdict.notes]
    if certificate.get("refutation") == "opposite":
        passages += argued(certificate["argument"], proved)
    return passages


def _moved(statement: Statement, certificate: Mapping[str, Any]) -> list[Passage]:
    if "refutation" in certificate:
        return [*evaluated(statement, certificate), *departed(certificate)]
    return argued(certificate["argument"], proved)


def proved(claim: Claim, certificate: Mapping[str, Any]) -> list[Passage]:
    """Why a claim about numbers holds."""
    kind = kind_of(certificate)
    if kind in _OF_STATEMENTS:
        about = Statement(variables=claim.variables, given=claim.hypotheses, then=claim.conclusion)
        return _OF_STATEMENTS[kind](about, certificate)
    writer = _WRITERS.get(kind)
    return writer(claim, certificate) if writer is not None else _outline(certificate)


def _outline(certificate: Mapping[str, Any]) -> list[Passage]:
    """What can be said of a certificate whose inside is for machines."""
    kind = kind_of(certificate)
    if kind == "structures":
        words = {
            "cases": "Every structure is listed.",
            "every size": "It follows from bounds that the structures of every size satisfy.",
            "recursion": "A tree is its root and a multiset of branches; the numbers of trees follow this recursion.",
        }
        return [Passage(words.get(certificate["rule"], "A structure contradicts it."))]
    return [Passage("A Coq proof of it was accepted by coqc.")] if kind == "coq" else []


def _lemma(claim: Claim, certificate: Mapping[str, Any]) -> list[Passage]:
    lemma = decode(certificate["lemma"])
    first = proved(Claim(claim.variables, claim.hypotheses, lemma), certificate["first"])
    second = Claim(claim.variables, (*claim.hypotheses, lemma), claim.conclusion)
    return [
        Passage("First", latex(lemma), tuple(first)),
        Passage("With this", latex(claim.conclusion), tuple(proved(second, certificate["second"]))),
    ]


_WRITERS: dict[str, Callable[[Claim, Mapping[str, Any]], list[Passage]]] = {
    "products": contradiction,
    "identity": lambda _, certificate: combination(certificate),
    "lemma": _lemma,
    "cover": lambda _, certificate: covered(certificate),
    "variation": lambda claim, certificate: varied(claim, certificate, proved),
    "whole_numbers": lambda claim, certificate: of_whole_numbers(claim, certificate, proved),
    "oracle": lambda _claim, _certificate: [Passage(_ORACLE)],
    "trivial": lambda _claim, _certificate: [],
}

_OF_STATEMENTS: dict[str, Tell] = {
    "classes": lambda statement, certificate: (
        of_functions(certificate) if refutes(certificate) else combined(statement, certificate)
    ),
    "enclosure": followed,
    "lasso": followed,
    "flow": followed,
    "zero": lambda _, certificate: of_a_zero(certificate),
    "induction": _moved,
    "spaces": lambda statement, certificate: in_numbers(statement, certificate, told),
    "families": lambda statement, certificate: by_facts(statement, certificate, told),
    "means": lambda statement, certificate: by_moments(statement, certificate, told),
    "after_every_number": lambda statement, certificate: at_moments(statement, certificate, told),
    "potential": lambda statement, certificate: by_potential(statement, certificate, told),
    "matrix_motion": lambda statement, certificate: by_matrices(statement, certificate, told),
    "tensors": of_tensors,
    "enumerate": counted,
    "series": lambda statement, certificate: expanded(statement, certificate, proved),
}
