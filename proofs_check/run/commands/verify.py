"""Verify statements of the built-in library.

PATTERN is an id, a paper, or a shell pattern such as "swing_by/lemma-*"; without one the whole library is verified.
A refuted statement of a paper is a finding, not a failure: the exit code stays 0. With the whole library, derivations
and pictures are made on the way, so that `lemmascope report` has little left to do.
"""

from __future__ import annotations

import argparse

from proofs_check.run.commands.options import add_hypotheses, add_verification


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """PATTERN and the options of a verification."""
    parser.add_argument("pattern", nargs="*", metavar="PATTERN", help="which statements (default: all)")
    add_hypotheses(parser)
    add_verification(parser)


def run(options: argparse.Namespace) -> int:
    """Verify what matches and print the verdicts."""
    from proofs_check.referee.hypotheses import with_hypotheses
    from proofs_check.report.terminal import show
    from proofs_check.run.runs import verify_jobs
    from proofs_check.run.workers import Job
    from theory.library import find, premised

    entries = find(*options.pattern)
    whole = not options.pattern
    jobs = [Job(entry.id, effort=options.effort, fresh=options.fresh, page=whole) for entry in entries]
    verdicts = verify_jobs(jobs, options)
    if options.hypotheses:
        stated = {entry.id: premised(entry.id) for entry in entries if entry.is_stated}
        verdicts = with_hypotheses(verdicts, stated, options)
    show(verdicts, as_json=options.json)
    return 0
