"""Verify statements of the built-in library, or of files of yours.

PATTERN is an id, a paper, a shell pattern such as "swing_by/lemma-*", FILE.py or FILE.py::name; without one the whole
library is verified. The findings and a table of the papers come last.
A refuted statement of a paper is a finding, not a failure: the exit code stays 0 unless --fail-on names it. With the
whole library, derivations and pictures are made on the way, so that `lemmascope report` has little left to do.

  lemmascope verify "*/theorem-*"              all theorems of all papers
  lemmascope verify swing_by --only refuted    only what is false
"""

from __future__ import annotations

import argparse

from proofs_check.run.commands.options import add_hypotheses, add_pattern, add_verification


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """PATTERN and the options of a verification."""
    add_pattern(parser)
    add_hypotheses(parser)
    add_verification(parser)


def run(options: argparse.Namespace) -> int:
    """Verify what matches and print the verdicts."""
    from proofs_check.run.own_work import Limits, asked
    from proofs_check.run.runs import fails, verify_entries

    entries = asked(options.pattern, Limits.of(options))
    verdicts = verify_entries(entries, options, pages=not options.pattern)
    return 1 if fails(verdicts, options.fail_on) else 0
