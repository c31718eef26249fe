"""A proof checked step by step: from the stated premises, and from the hypotheses alone."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from proofs_check.run.own_work import Limits, asked
from proofs_check.run.runs import verify_jobs
from proofs_check.run.workers import Job
from proofs_check.verdict import Outcome, Verdict
from theory.errors import LemmascopeError
from theory.library import Entry, entry, find, nearest, papers, proof
from theory.statements import Statement

_FALSE = (Outcome.REFUTED, Outcome.VACUOUS)


@dataclass(frozen=True)
class Checked:
    """The verdicts of the steps of a proof, in order, and that of what they prove where a step is false."""

    of: str
    steps: list[Verdict]
    whole: Verdict | None = None

    @property
    def first_false(self) -> Verdict | None:
        """The step that a report points at."""
        return next((verdict for verdict in self.steps if verdict.is_false), None)


def check_proof(id_: str, options: argparse.Namespace) -> Checked:
    """The proof of a statement: what each step owes to the earlier ones, what a false one costs."""
    steps = _steps(id_)
    statements = {step.id: step.statement() if step.is_stated else None for step in steps}
    corrected = [other for step in statements if (other := nearest(step)) is not None and other not in statements]
    needed = [*steps, *(entry(other) for other in dict.fromkeys(corrected))]
    jobs = [Job.about(one, effort=options.effort, fresh=options.fresh) for one in needed]
    return _checked(id_, statements, jobs, Job.about(entry(id_), effort=options.effort, fresh=options.fresh), options)


def check_file(file: str, options: argparse.Namespace) -> list[Checked]:
    """The proofs of a user's file, or of what is called so in it, each like one of the library."""
    whole = [one for one in asked([file], Limits.of(options)) if "#" not in one.id]
    proved = [one.id for one in whole if proof(one.id)]
    if not proved:
        raise LemmascopeError(f"{file} defines no Proof: assign one to a name, for example proof = Proof(lemma, steps)")
    return [check_proof(id_, options) for id_ in proved]


def _steps(id_: str) -> list[Entry]:
    if "#" in id_:
        parent = id_.partition("#")[0]
        raise LemmascopeError(
            f"{id_} is itself a step: `lemmascope steps {parent}` checks the proof that it belongs to"
        )
    if id_ in papers():
        raise LemmascopeError(
            f"{id_} is a paper: name one of its statements; `lemmascope list '{id_}/*#*'` shows their steps"
        )
    find(id_)
    steps = proof(id_)
    if not steps:
        paper = id_.split("/", maxsplit=1)[0]
        raise LemmascopeError(
            f"{id_} has no proof steps in the library; `lemmascope list '{paper}/*#*'` shows the steps there are"
        )
    return steps


def _checked(
    of: str, stated: Mapping[str, Statement | None], jobs: Sequence[Job], whole: Job, options: argparse.Namespace
) -> Checked:
    alone = [
        Job.of(statement.but(uses=(), id=f"{id_}@alone"), effort=options.effort, fresh=options.fresh)
        for id_, statement in stated.items()
        if statement is not None and statement.uses
    ]
    answers = {verdict.id: verdict for verdict in verify_jobs([*jobs, *alone], options)}
    false: list[str] = []
    steps: list[Verdict] = []
    uses = {id_: statement.uses if statement is not None else () for id_, statement in stated.items()}
    for id_ in stated:
        verdict, bare = answers[id_], answers.get(f"{id_}@alone")
        lost = [used for used in uses[id_] if used in false]
        if verdict.outcome is Outcome.REFUTED or (lost and bare is not None and bare.outcome is Outcome.REFUTED):
            false.append(_tag(id_))
        if bare is not None and bare.outcome is Outcome.PROVED and not verdict.decided:
            verdict = bare.but(id=id_, kind=verdict.kind)  # what holds without the premises holds with them
        steps.append(verdict.note(*_owes(verdict, bare, lost)))
    refuted = [verdict for verdict in steps if verdict.is_false]
    result = verify_jobs([whole], options)[0] if refuted else None
    later = {id_: [_tag(other) for other, used in uses.items() if _tag(id_) in used] for id_ in stated}
    noted = [step.note(*_costs(later[step.id], result)) if step in refuted else step for step in steps]
    return Checked(of, noted, result)


def _tag(id_: str) -> str:
    return id_.partition("#")[2]


def _owes(premised: Verdict, alone: Verdict | None, false_premises: Sequence[str]) -> list[str]:
    """What a step owes to the earlier ones that it uses."""
    if alone is None:
        return []
    named = ", ".join(false_premises)
    if alone.outcome is Outcome.PROVED:
        although = f", although {named}, which it uses, is false: its conclusion survives" if named else ""
        return [f"holds from the hypotheses alone{although}"]
    if premised.outcome is Outcome.VACUOUS and named:
        return [f"says nothing: {named}, which it uses, is false wherever the hypotheses hold"]
    if named:
        also = "; from the hypotheses alone it is false" if alone.outcome is Outcome.REFUTED else ""
        return [f"rests on {named}, which is false{also}"]
    if alone.outcome is Outcome.REFUTED and premised.outcome is Outcome.PROVED:
        return ["needs its premises: false from the hypotheses alone"]
    return []


def _costs(later: Sequence[str], whole: Verdict | None) -> list[str]:
    """What is lost with a false step."""
    notes = [f"used by {', '.join(later)}" if later else "no later step names it as a premise"]
    if whole is not None and whole.outcome is Outcome.PROVED:
        covers = f" ({whole.scope})" if whole.scope is not None and whole.scope.kind != "whole" else ""
        notes.append(f"{whole.id} itself is proved{covers}: its conclusion survives")
    if whole is not None and whole.outcome is Outcome.REFUTED:
        notes.append(f"{whole.id} itself is false too")
    return notes
