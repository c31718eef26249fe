"""Write the whole site: findings first, a page for each paper and statement, to open from disk in a browser.

What the ledger does not know yet is verified first. PATTERN may be a file of yours: its statements, or its Paper,
become a chapter of the site.

  lemmascope report                              the whole library
  lemmascope report lemmas_mine.py swing_by      your file beside one paper
"""

from __future__ import annotations

import argparse
from pathlib import Path

from proofs_check.run.commands.options import add_pattern, add_verification


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """PATTERN, -o and the options of a verification."""
    add_pattern(parser)
    parser.add_argument(
        "-o", "--output", type=Path, default=Path("report"), metavar="DIR", help="where (default: report)"
    )
    add_verification(parser)


def run(options: argparse.Namespace) -> int:
    """Verify what is missing, write the site, print where it is."""
    from proofs_check.report.site import write_site
    from proofs_check.report.terminal import as_text, progress
    from proofs_check.run.own_work import Limits, asked
    from proofs_check.run.runs import verify_jobs
    from proofs_check.run.workers import Job

    entries = asked(options.pattern, Limits.of(options))
    options.output.mkdir(parents=True, exist_ok=True)  # a folder that cannot be written is said now, not at the end
    jobs = [Job.about(entry, effort=options.effort, fresh=options.fresh, page=True) for entry in entries]
    verdicts = verify_jobs(jobs, options)
    with progress(len(entries), "writing the report", quiet=options.json) as advance:
        front = write_site(options.output, entries, verdicts, advance).resolve()
    print(as_text({"report": str(front)}) if options.json else f"The report is at {front}")
    return 0
