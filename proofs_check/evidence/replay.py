"""Replay: every stored certificate goes to the checker of its kind, which shares no code with the engine."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import replace
from typing import Any

from proofs_check.budget import rounds
from proofs_check.engines import ENGINES, engine
from proofs_check.evidence.case import REFEREE_VERSION
from proofs_check.evidence.ledger import Ledger, key_of
from proofs_check.kernel.kinds import kind_of, refutes
from proofs_check.kernel.theorem import Rejection, Sense, Theorem, accept
from proofs_check.run.own_work import Limits
from proofs_check.run.own_work import asked as named
from proofs_check.run.workers import Job, cores
from proofs_check.verdict import Verdict
from theory.errors import LemmascopeError
from theory.statements import Statement
from theory.trees import content_hash

Row = dict[str, Any]

_FEW = 8
"""Up to so many statements are replayed in this process."""


def asked(patterns: Sequence[str], effort: str, limits: Limits | None = None) -> list[Job]:
    """What the patterns name and the ledger knows: ids of the library, or the statements of a user's Python file."""
    jobs = [Job.about(entry, effort=effort) for entry in named(patterns, limits)]
    with Ledger() as ledger:
        known = ledger.ids()
    jobs = [replace(job, folder=ledger.folder.resolve()) for job in jobs if job.id in known]
    if not jobs:
        advice = "nothing to replay: run `lemmascope verify` or `lemmascope check` on the statements first"
        raise LemmascopeError("; ".join((*ledger.warnings, advice)))
    return jobs


def by_our_kernel(job: Job) -> Row | None:
    """What the kernel says of the stored evidence of a job; None where nothing is decided."""
    statement = job.statement()
    with Ledger(job.folder) as ledger:
        verdict = stored(ledger, statement, job.effort)
    if verdict is None:
        return None
    result, detail = check_verdict(statement, verdict)
    return {"id": job.id, "engine": verdict.engine or "", "result": result, "detail": detail}


def replay(
    jobs: Sequence[Job],
    advance: Callable[[str], None] = lambda _id: None,
    check: Callable[[Job], Row | None] = by_our_kernel,
) -> list[Row]:
    """One row for each decided statement: accepted, rejected, or what is missing to replay it."""
    found: dict[str, Row | None] = {}
    for id_, row in _rows(jobs, check):
        found[id_] = row
        advance(id_)
    return [row for job in jobs if (row := found[job.id]) is not None]


def _rows(jobs: Sequence[Job], check: Callable[[Job], Row | None]) -> Iterator[tuple[str, Row | None]]:
    if len(jobs) <= _FEW:
        yield from ((job.id, check(job)) for job in jobs)
        return
    with ProcessPoolExecutor(cores(), mp_context=multiprocessing.get_context("forkserver")) as pool:
        waiting = {pool.submit(check, job): job.id for job in jobs}
        for done in as_completed(waiting):
            yield waiting[done], done.result()


def stored(ledger: Ledger, statement: Statement, effort: str) -> Verdict | None:
    """The decision about a statement that the ledger keeps, if there is one."""
    content = content_hash(statement)
    for name, version in (("witness", REFEREE_VERSION), *((name, engine(name).VERSION) for name in ENGINES)):
        for budget in rounds(effort):
            known = ledger.recall(key_of(content, name, version, budget.effort))
            if known is not None and known[0] is not None and known[0].decided:
                return known[0]
    return None


def check_verdict(statement: Statement, verdict: Verdict) -> tuple[str, str]:
    """What the kernel says of the evidence of a verdict: accepted or rejected, and a detail."""
    return _said(accept(statement, Sense(verdict.outcome), verdict.certificate), verdict.certificate)


def check(statement: Statement, certificate: Mapping[str, Any] | None) -> tuple[str, str]:
    """What the kernel says of a certificate, taken for a counterexample where it is one and else for a proof."""
    sense = Sense.FAILS if certificate is not None and refutes(certificate) else Sense.HOLDS
    return _said(accept(statement, sense, certificate), certificate)


def _said(answer: Theorem | Rejection, certificate: Mapping[str, Any] | None) -> tuple[str, str]:
    if isinstance(answer, Rejection):
        return "rejected", answer.reason
    return "accepted", ", ".join((f"by {kind_of(certificate)}", *answer.trust))
