"""A run over many statements: locally in worker processes or on a cluster, with progress, in the order asked for."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence

from proofs_check.report.terminal import progress
from proofs_check.run.workers import Job, finished, perform, run
from proofs_check.verdict import Outcome, Verdict
from theory.errors import LemmascopeError
from theory.library import nearest


def verify_jobs(jobs: Sequence[Job], options: argparse.Namespace) -> list[Verdict]:
    """The verdicts of the jobs in their order, with a progress bar on a terminal."""

    reached = finished(jobs)
    waiting = [job for job in jobs if job.id not in reached]
    with progress(len(waiting), quiet=options.json) as advance:
        verdicts = on_cluster(waiting, options.on) if options.on else run(waiting, workers=options.workers)
        for verdict in verdicts:
            reached[verdict.id] = verdict
            advance(f"{verdict.outcome}: {verdict.id}")
    return [_with_stated_correction(reached[job.id], reached) for job in jobs]


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


def exit_code(verdicts: Sequence[Verdict]) -> int:
    """0, 1 or 2 for statements that a user asserted.

    >>> [exit_code([Verdict(outcome)]) for outcome in (Outcome.PROVED, Outcome.REFUTED, Outcome.SUSPECT)]
    [0, 1, 1]
    """
    if any(verdict.outcome.objects for verdict in verdicts):
        return 1
    return 2 if any(_failed(verdict) for verdict in verdicts) else 0


def _failed(verdict: Verdict) -> bool:
    """Whether a statement stayed undecided because an engine failed or its trajectories are not defined."""
    undefined = any("right-hand side is undefined" in note for note in verdict.notes)
    engine_failed = any(note.startswith("the engine") or "went on" in note for note in verdict.notes)
    return (undefined and not verdict.decided) or (engine_failed and verdict.outcome is Outcome.OPEN)
