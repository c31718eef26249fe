"""Verification in worker processes: a crash, a blow-up or a hang costs one engine on one statement, never the run."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

from proofs_check.budget import PATIENCE
from proofs_check.evidence.case import REFEREE_VERSION, Case
from proofs_check.evidence.fingerprint import fingerprint
from proofs_check.evidence.ledger import Ledger, default_folder, key_of
from proofs_check.referee.judge import judge
from proofs_check.report.keeping import home_in, keep
from proofs_check.run.processes import context, limit_memory
from proofs_check.verdict import Outcome, Verdict, kind_of
from theory.errors import LemmascopeError
from theory.library import Entry, entry, is_own, nearest, premised
from theory.statements import Statement
from theory.trees import decode_statement, encode_statement

_GRACE = 40.0
"""Seconds beyond its time after which a worker is given up; compilations may take most of them."""

_BUILDING = "building the statement"
LATE = "did not stop in time"


@dataclass(frozen=True)
class Job:
    """One statement to verify: a library id, or the tree of a user's statement; `page` asks for what a report shows.

    `is_corrected` says of a user's statement that its nearest true form is stated too, so that none is searched for.
    """

    id: str
    tree: dict[str, Any] | None = None
    effort: str = "standard"
    fresh: bool = False
    folder: Path | None = None
    page: bool = False
    excluded: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    is_corrected: bool = False

    @classmethod
    def of(cls, statement: Statement, **options: Any) -> Job:
        """The job of verifying a statement that is not in the library."""
        return cls(statement.id, encode_statement(statement), **options)

    @classmethod
    def about(cls, asked: Entry, **options: Any) -> Job:
        """The job of verifying an entry; one that was added to the library goes to the worker as data."""
        known = nearest(asked.id) is not None
        if asked.is_stated and is_own(asked.id):
            return cls.of(premised(asked.id), is_corrected=known, **options)
        return cls(asked.id, is_corrected=known, **options)

    @property
    def key(self) -> str:
        """Where the ledger keeps the finished verdict, under the code that reached it and what it is about."""
        about = self.id
        if self.tree is not None:
            about = hashlib.sha256(json.dumps([self.tree, self.is_corrected], sort_keys=True).encode()).hexdigest()
        return key_of(f"{fingerprint()} {about}", "referee", REFEREE_VERSION, self.effort)

    @property
    def unstated(self) -> Verdict | None:
        """What is said of a printed item that has no statement yet: no engine is asked."""
        if self.tree is not None:
            return None

        known = entry(self.id)
        if known.is_stated:
            return None
        return Verdict(
            Outcome.OPEN,
            id=known.id,
            kind=known.kind,
            title=known.title,
            source=known.source.to_json(),
            scope=known.scope,
            notes=(str(known.scope),),
        )

    def statement(self) -> Statement:
        """The statement itself, with the premises that its proof step uses."""
        if self.tree is not None:
            return decode_statement(self.tree)

        return premised(self.id)


def cores() -> int:
    """How many processes run at once: the cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass
class _Worker:
    process: Any
    channel: Connection
    job: Job | None = None
    is_free: bool = True
    engine: str = ""
    deadline: float = float("inf")
    last: float = float("inf")
    """When the time that somebody allowed for the statement is over."""


def run(
    jobs: Sequence[Job],
    *,
    workers: int | None = None,
    timeout: float | None = None,
    memory: int | None = None,
    started: Callable[[str], None] = lambda _: None,
) -> Iterator[Verdict]:
    """The verdicts of all jobs, as they are reached; `timeout` in seconds and `memory` in megabytes limit each.

    Leaving the iterator early (Ctrl-C included) stops the workers; what they had finished is in the ledger.
    """
    home = default_folder().resolve()  # here and now: the workers have the surroundings of the first run
    waiting = [replace(job, folder=job.folder or home) for job in reversed(jobs)]
    team = [_hire(memory) for _ in range(min(workers or cores(), len(jobs)))]
    try:
        while waiting or any(worker.job for worker in team):
            for worker in team:
                if worker.is_free and waiting:
                    worker.job, worker.is_free = waiting.pop(), False
                    worker.deadline = time.monotonic() + 5 * _GRACE
                    worker.last = time.monotonic() + (timeout or float("inf"))
                    worker.channel.send(worker.job)
                    started(worker.job.id)
            yield from _collect(team, waiting, memory)
    finally:
        for worker in team:
            worker.process.kill()
        for worker in team:
            worker.process.join()


def _hire(memory: int | None) -> _Worker:
    ours, theirs = context().Pipe()
    process = context().Process(target=_serve, args=(theirs, memory), daemon=False)
    process.start()
    theirs.close()
    return _Worker(process, ours)


def _collect(team: list[_Worker], waiting: list[Job], memory: int | None) -> Iterator[Verdict]:
    ready = wait([worker.channel for worker in team], timeout=0.5)
    for place, worker in enumerate(team):
        if worker.channel in ready:
            try:
                kind, *values = worker.channel.recv()
            except (EOFError, ConnectionError):
                team[place] = _replace(worker, waiting, memory, "crashed")
                continue
            if kind == "engine":
                worker.engine, worker.deadline = values[0], time.monotonic() + PATIENCE * values[1] + _GRACE
            elif kind == "done":
                worker.job, worker.engine, worker.deadline = None, "", time.monotonic() + 5 * _GRACE
                yield Verdict.from_json(values[0])
            else:
                worker.is_free = True
        elif worker.job is not None and time.monotonic() > worker.last:
            yield _stopped(worker.job)
            worker.job = None
            team[place] = _replace(worker, waiting, memory, LATE)
        elif not worker.is_free and time.monotonic() > worker.deadline:
            team[place] = _replace(worker, waiting, memory, LATE)


def _stopped(job: Job) -> Verdict:
    """What is said of a statement whose time is over; what its engines had finished is in the ledger."""
    note = "stopped because --timeout was over; asked again with more time, it goes on from what was finished"
    return Verdict(Outcome.OPEN, id=job.id, kind=kind_of(job.id), notes=(*job.lost, note))


def _replace(worker: _Worker, waiting: list[Job], memory: int | None, what: str) -> _Worker:
    worker.process.kill()
    worker.process.join()
    worker.channel.close()
    if worker.job is not None:
        waiting.append(_again(worker.job, worker.engine, what))
    return _hire(memory)


def _again(job: Job, engine: str, what: str) -> Job:
    """The job without the engine that was lost; building the statement is tried twice."""
    lost = f"{engine or _BUILDING} {what}; the others went on"
    if not engine and lost not in job.lost:
        return replace(job, lost=(*job.lost, lost))
    return replace(job, excluded=(*job.excluded, engine or "everything"), lost=(*job.lost, lost), fresh=False)


def _serve(channel: Connection, memory: int | None) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    limit_memory(memory)
    while True:
        try:
            job: Job = channel.recv()
        except (EOFError, ConnectionError):
            return
        try:
            verdict = perform(job, lambda name, seconds: channel.send(("engine", name, seconds)))
            channel.send(("done", verdict.to_json()))
            if job.page and job.folder is not None:
                _prepare_page(verdict, job)
            channel.send(("free",))
        except ConnectionError:
            return  # nobody is listening any more


def _prepare_page(verdict: Verdict, job: Job) -> None:
    """Make what the report shows of the statement while it is at hand; the verdict does not wait for it."""

    with suppress(OSError):
        keep(verdict, home_in(job.folder or default_folder()), job.tree)


def perform(job: Job, watch: Callable[[str, float], None] = lambda _engine, _seconds: None) -> Verdict:
    """Build the statement of a job and judge it; a statement that cannot be built is open, with the reason."""

    if (unstated := job.unstated) is not None:
        return unstated
    if "everything" in job.excluded:
        return Verdict(Outcome.OPEN, id=job.id, kind=kind_of(job.id), notes=job.lost)
    try:
        statement = job.statement()
    except Exception as error:  # noqa: BLE001 - one statement that cannot be derived must not end the run
        note = f"the statement could not be built ({type(error).__name__}: {error})"
        return Verdict(Outcome.OPEN, id=job.id, kind=kind_of(job.id), notes=(*job.lost, note))
    notes = list(job.lost)
    try:
        ledger = Ledger(job.folder)
    except LemmascopeError as error:
        return judge(Case(statement, job.effort, None, job.fresh, job.excluded, watch, [*notes, str(error)]))
    with ledger:
        case = Case(statement, job.effort, ledger, job.fresh, job.excluded, watch, notes, correct=not job.is_corrected)
        verdict = judge(case)
        if case.is_whole and all(LATE in note for note in job.lost):
            ledger.store(job.key, job.id, "referee", verdict)
        return verdict.note(*ledger.warnings)


def finished(jobs: Sequence[Job]) -> dict[str, Verdict]:
    """The verdicts that need no engine: those reached by this very code, and printed items that are not stated."""

    known = {job.id: verdict for job in jobs if (verdict := job.unstated) is not None}
    asked = [job for job in jobs if not job.fresh and job.id not in known]
    for folder in {job.folder for job in asked}:
        with suppress(LemmascopeError), Ledger(folder) as ledger:
            answers = ((job.id, ledger.recall(job.key)) for job in asked if job.folder == folder)
            known |= {id_: answer[0] for id_, answer in answers if answer is not None and answer[0] is not None}
    return known
