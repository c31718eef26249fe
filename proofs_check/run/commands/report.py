"""Write the whole site: findings first, a page for each paper and statement, to open from disk in a browser.

What the ledger does not know yet is verified first.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from proofs_check.run.commands.options import add_verification


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """PATTERN, -o and the options of a verification."""
    parser.add_argument("pattern", nargs="*", metavar="PATTERN", help="which statements (default: all)")
    parser.add_argument(
        "-o", "--output", type=Path, default=Path("report"), metavar="DIR", help="where (default: report)"
    )
    add_verification(parser)


def run(options: argparse.Namespace) -> int:
    """Verify what is missing, write the site, print where it is."""
    import json

    from proofs_check.report.site import write_site
    from proofs_check.report.terminal import progress
    from proofs_check.run.runs import verify_jobs
    from proofs_check.run.workers import Job
    from theory.library import find

    entries = find(*options.pattern)
    options.output.mkdir(parents=True, exist_ok=True)  # a folder that cannot be written is said now, not at the end
    jobs = [Job(entry.id, effort=options.effort, fresh=options.fresh, page=True) for entry in entries]
    verdicts = verify_jobs(jobs, options)
    with progress(len(entries), "writing the report", quiet=options.json) as advance:
        front = write_site(options.output, entries, verdicts, advance).resolve()
    print(json.dumps({"schema": 2, "report": str(front)}) if options.json else f"The report is at {front}")
    return 0
