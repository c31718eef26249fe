"""Verify the statements of your own files.

FILE is Python: every Statement it assigns to a name is verified.
The exit code is 1 when a statement is refuted, vacuous or suspect.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from proofs_check.run.commands.options import add_hypotheses, add_verification


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """FILE and the options of a verification."""
    parser.add_argument("file", nargs="+", type=Path, metavar="FILE", help="a Python file with statements")
    add_hypotheses(parser)
    add_verification(parser)


def run(options: argparse.Namespace) -> int:
    """Verify the statements of the files and print the verdicts."""
    from proofs_check.referee.hypotheses import with_hypotheses
    from proofs_check.report.terminal import show
    from proofs_check.run.files import load
    from proofs_check.run.runs import exit_code, verify_jobs
    from proofs_check.run.workers import Job
    from theory.errors import LemmascopeError

    statements = [statement for path in options.file for statement in load(path)]
    ids = [statement.id for statement in statements]
    twice = sorted({id_ for id_ in ids if ids.count(id_) > 1})
    if twice:
        raise LemmascopeError(f"two statements are called {twice[0]}: give one of them another id")
    jobs = [Job.of(statement, effort=options.effort, fresh=options.fresh) for statement in statements]
    verdicts = verify_jobs(jobs, options)
    if options.hypotheses:
        verdicts = with_hypotheses(verdicts, {statement.id: statement for statement in statements}, options)
    show(verdicts, as_json=options.json)
    return exit_code(verdicts)
