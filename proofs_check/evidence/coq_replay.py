"""What the ledger keeps as proved, put to Coq's kernel: a row for each statement, and the shares by engine."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from proofs_check.budget import Budget
from proofs_check.coq import confirm as coq
from proofs_check.evidence.case import Case
from proofs_check.evidence.ledger import Ledger, key_of
from proofs_check.evidence.replay import check_verdict, stored
from proofs_check.evidence.second_kernel import confirmed
from proofs_check.referee.judge import judge
from proofs_check.run.workers import Job
from proofs_check.verdict import Outcome
from theory.errors import LemmascopeError
from theory.trees import content_hash

RESULTS = ("accepted", "refused", "late", "not exported", "rejected")
"""Accepted or refused by coqc, ended before it had an answer, not statable, or a stored proof that is none any more."""

EFFORT = "deep"
"""The effort under which the ledger keeps what Coq said."""


def row(job: Job, seconds: float | None = None) -> dict[str, Any] | None:
    """What Coq says of the proved statement of a job; None where the ledger has no proof of it."""
    statement, began = job.statement(), time.monotonic()
    with Ledger(job.folder) as ledger:
        verdict = stored(ledger, statement, job.effort)
        if verdict is None or verdict.outcome is not Outcome.PROVED:
            return None
        case = Case(statement, EFFORT, ledger, job.fresh)
        budget = Budget.of(EFFORT)
        answer = confirmed(case, verdict, budget if seconds is None else replace(budget, seconds=seconds))
    found = {"id": job.id, "engine": verdict.engine or ""}
    if answer is not None:
        result, detail = "accepted", f"tactic {(answer.certificate or {}).get('tactic')}"
        if case.recalled and check_verdict(statement, answer)[0] != "accepted":
            result, detail = "rejected", "coqc does not accept the stored proof"
    elif case.notes:
        result, detail = "late", "; ".join(case.notes)
    else:
        obstacle = coq.obstacle(statement, verdict)
        result, detail = (
            ("refused", "coqc accepts none of the proofs") if obstacle is None else ("not exported", obstacle)
        )
    return {**found, "result": result, "detail": detail, "seconds": round(time.monotonic() - began, 1)}


def asking(seconds: float | None) -> partial[dict[str, Any] | None]:
    """The question to Coq about a job, for `replay`; LemmascopeError where Coq is not installed."""
    absent = coq.missing()
    if absent is not None:
        raise LemmascopeError(f"nobody to ask: {absent}")
    return partial(row, seconds=seconds)


def shares(rows: Iterable[Mapping[str, Any]]) -> dict[str, Counter[str]]:
    """How often Coq gave each answer, for every engine that had proved something, the most frequent first.

    >>> shares([{"engine": "cover", "result": "accepted"}, {"engine": "cover", "result": "late"}])["cover"]["accepted"]
    1
    """
    found: dict[str, Counter[str]] = {}
    for one in rows:
        found.setdefault(str(one["engine"]), Counter())[str(one["result"])] += 1
    return dict(sorted(found.items(), key=lambda item: -item[1].total()))


def proof_in_coq(job: Job, seconds: float | None = None) -> str:
    """The Coq script that the kernel accepted for the statement of a job, which is proved first where it is not yet."""
    ask, statement = asking(seconds), job.statement()
    with Ledger(job.folder) as ledger:
        judge(Case(statement, job.effort, ledger, correct=False))
        said = ask(replace(job, folder=ledger.folder))
        if said is None:
            raise LemmascopeError(f"{job.id} is not proved")
        if said["result"] != "accepted":
            raise LemmascopeError(f"no Coq proof of {job.id}: {said['detail']}")
        known = ledger.recall(key_of(content_hash(statement), coq.NAME, coq.VERSION, EFFORT))
    verdict = known[0] if known is not None else None
    if verdict is None or verdict.certificate is None:
        raise LemmascopeError(f"the ledger lost the Coq proof of {job.id}")
    return str(verdict.certificate["script"])
