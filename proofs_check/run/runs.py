"""A run over many statements: locally in worker processes or on a cluster, with progress, in the order asked for."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from proofs_check.referee.composition import premises_of, settled
from proofs_check.referee.hypotheses import with_hypotheses
from proofs_check.report.terminal import progress, show
from proofs_check.run.own_work import Limits
from proofs_check.run.workers import LATE, Job, finished, perform, run
from proofs_check.verdict import Outcome, Verdict
from theory.errors import LemmascopeError
from theory.library import Entry, entry, nearest, premised


def verify_jobs(jobs: Sequence[Job], options: argparse.Namespace) -> list[Verdict]:
    """The verdicts of the jobs in their order, with a progress bar on a terminal."""

    reached: dict[str, Verdict] = {}
    asked: list[Job] = list(jobs)
    while asked:
        reached |= _reached(asked, options)
        asked = _premises(asked, reached)
    known = reached | finished(_corrections(jobs, reached))
    return [_with_stated_correction(settled(reached[job.id], reached), known) for job in jobs]


def _reached(jobs: Sequence[Job], options: argparse.Namespace) -> dict[str, Verdict]:
    """The verdicts of the jobs, each as if what it uses were proved."""
    reached = finished(jobs)
    waiting = [job for job in jobs if job.id not in reached]
    with progress(len(waiting), quiet=options.json) as advance:
        limits = Limits.of(options)
        local = partial(run, workers=options.workers, timeout=limits.timeout, memory=limits.memory)
        verdicts = on_cluster(waiting, options.on) if options.on else local(waiting)
        for verdict in verdicts:
            reached[verdict.id] = verdict
            advance(f"{verdict.outcome}: {verdict.id}")
    return reached


def _premises(jobs: Sequence[Job], reached: Mapping[str, Verdict]) -> list[Job]:
    """The jobs about what the verdicts of these rest on, where nobody asked for it yet."""
    wanted = {}
    for job in jobs:
        for id_ in premises_of(reached[job.id]):
            if id_ not in reached:
                wanted[id_] = Job.about(entry(id_), effort=job.effort, fresh=job.fresh, folder=job.folder)
    return list(wanted.values())


def _corrections(jobs: Sequence[Job], reached: Mapping[str, Verdict]) -> list[Job]:
    """The stated corrections that were not asked for, of which the ledger may know the verdict."""
    wanted = {}
    for job in jobs:
        other = nearest(job.id) if reached[job.id].outcome is Outcome.REFUTED else None
        if other is not None and other not in reached:
            wanted[other] = Job.about(entry(other), effort=job.effort, folder=job.folder)
    return list(wanted.values())


def verify_entries(entries: Sequence[Entry], options: argparse.Namespace, *, pages: bool = False) -> list[Verdict]:
    """Verify entries and print what a command was asked to show; `pages` prepares the report on the way."""
    jobs = [Job.about(entry, effort=options.effort, fresh=options.fresh, page=pages) for entry in entries]
    if options.changed:
        known = finished(jobs)
        jobs = [job for job in jobs if job.id not in known]
    verdicts = verify_jobs(jobs, options)
    if options.hypotheses:
        stated = {entry.id: premised(entry.id) for entry in entries if entry.is_stated}
        verdicts = with_hypotheses(verdicts, stated, options)
    show(verdicts, as_json=options.json, only=options.only)
    return verdicts


def _with_stated_correction(verdict: Verdict, others: Mapping[str, Verdict]) -> Verdict:
    """A refuted statement points at the nearest true one that the library states, once that is proved."""
    corrected = others.get(nearest(verdict.id) or "")
    if verdict.outcome is not Outcome.REFUTED or corrected is None or corrected.outcome is not Outcome.PROVED:
        return verdict
    return verdict.but(correction=f"{corrected.title} ({corrected.id}, proved)")


def on_cluster(jobs: Sequence[Job], scheduler: str) -> Iterator[Verdict]:
    """The verdicts of the jobs from a Dask cluster, as they are reached; a lost worker's jobs are run again."""

    try:
        from distributed import Client, as_completed
    except ImportError as error:
        raise LemmascopeError("--on needs the extra `cluster`: pip install lemmascope[cluster]") from error
    try:
        client = Client(scheduler, timeout=10)
    except (OSError, ValueError) as error:
        raise LemmascopeError(f"no Dask scheduler answers at {scheduler}: start one with `dask scheduler`") from error
    with client:
        futures = client.map(perform, list(jobs), pure=False)
        for _, verdict in as_completed(futures, with_results=True):
            yield verdict


def fails(verdicts: Sequence[Verdict], fail_on: Sequence[str] | None) -> bool:
    """Whether one of the verdicts has an outcome that counts as a failure."""
    return any(verdict.outcome in (fail_on or ()) for verdict in verdicts)


def exit_code(verdicts: Sequence[Verdict], fail_on: Sequence[str] | None = None) -> int:
    """0, 1 or 2 for statements that a user asserted; `fail_on` names further outcomes that give 1.

    >>> [exit_code([Verdict(outcome)]) for outcome in (Outcome.PROVED, Outcome.REFUTED, Outcome.SUSPECT)]
    [0, 1, 1]
    >>> exit_code([Verdict(Outcome.SAMPLED)], ["open", "sampled"])
    1
    """
    if any(verdict.outcome.objects for verdict in verdicts) or fails(verdicts, fail_on):
        return 1
    return 2 if any(_failed(verdict) for verdict in verdicts) else 0


def _failed(verdict: Verdict) -> bool:
    """Whether a statement stayed undecided because an engine failed or its trajectories are not defined.

    An engine whose time was over did not fail: that depends on how busy the machine is.
    """
    undefined = any("right-hand side is undefined" in note for note in verdict.notes)
    spoken = [note for note in verdict.notes if LATE not in note]
    engine_failed = any(note.startswith("the engine") or "went on" in note for note in spoken)
    return (undefined and not verdict.decided) or (engine_failed and verdict.outcome is Outcome.OPEN)
