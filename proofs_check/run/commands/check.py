"""Verify the statements of your own files.

FILE is Python: every Statement, Proof and Paper that it assigns to a name is verified. It runs in a process of its own
with limits on time and memory, so a file that sleeps or crashes ends with a sentence.
The exit code is 1 when a statement is refuted, vacuous or suspect, and 2 when something went wrong.

  lemmascope check lemmas_mine.py                       every statement of the file
  lemmascope check lemmas_mine.py::convex --effort deep one of them, with more time
  lemmascope check lemmas_*.py --changed --fail-on open as in a pre-commit hook: what is new must be decided
"""

from __future__ import annotations

import argparse

from proofs_check.run.commands.options import add_hypotheses, add_verification


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """FILE and the options of a verification."""
    parser.add_argument("file", nargs="+", metavar="FILE", help="a Python file with statements, or FILE.py::name")
    add_hypotheses(parser)
    add_verification(parser)


def run(options: argparse.Namespace) -> int:
    """Verify the statements of the files and print the verdicts."""
    from proofs_check.run.own_work import Limits, asked, is_file
    from proofs_check.run.runs import exit_code, verify_entries
    from theory.errors import LemmascopeError

    for text in options.file:
        if not is_file(text):
            raise LemmascopeError(
                f"{text} is no Python file: give one with statements;"
                " ids of the library are verified by `lemmascope verify`"
            )
    verdicts = verify_entries(asked(options.file, Limits.of(options)), options)
    return exit_code(verdicts, options.fail_on)
