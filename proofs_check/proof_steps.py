"""A proof checked step by step: from the stated premises, and from the hypotheses alone."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from proofs_check.runs import verify_jobs
from proofs_check.verdict import Outcome, Verdict
from proofs_check.workers import Job
from theory.errors import LemmascopeError
from theory.library import find, proof


def check_proof(id_: str, options: argparse.Namespace) -> list[Verdict]:
    """The verdict of each step of a proof, in order, noting what it owes to the earlier steps."""
    find(id_)
    steps = proof(id_)
    if not steps:
        raise LemmascopeError(
            f"{id_} has no proof steps in the library; `lemmascope list '{id_.split('/', maxsplit=1)[0]}/*#*'`"
            " shows the steps there are"
        )
    premised = [Job(step.id, effort=options.effort, fresh=options.fresh) for step in steps]
    statements = {step.id: step.statement() for step in steps}
    alone = [
        Job.of(statement.but(uses=(), id=f"{id_}@alone"), effort=options.effort, fresh=options.fresh)
        for id_, statement in statements.items()
        if statement.uses
    ]
    answers = {verdict.id: verdict for verdict in verify_jobs([*premised, *alone], options)}
    verdicts = [answers[step.id] for step in steps]
    return [
        _compare(verdict, answers.get(f"{verdict.id}@alone"), _false_premises(statements[verdict.id].uses, verdicts))
        for verdict in verdicts
    ]


def _false_premises(uses: Sequence[str], verdicts: Sequence[Verdict]) -> list[str]:
    refuted = {verdict.id.partition("#")[2] for verdict in verdicts if verdict.outcome is Outcome.REFUTED}
    return [tag for tag in uses if tag in refuted]


def _compare(premised: Verdict, alone: Verdict | None, false_premises: Sequence[str]) -> Verdict:
    if alone is None:
        return premised
    if alone.outcome is Outcome.PROVED:
        return premised.note("holds from the hypotheses alone")
    if false_premises:
        return premised.note(f"rests on {', '.join(false_premises)}, which is false")
    if alone.outcome is Outcome.REFUTED and premised.outcome is Outcome.PROVED:
        return premised.note("needs its premises: false from the hypotheses alone")
    return premised
