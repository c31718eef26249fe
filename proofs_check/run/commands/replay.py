"""Re-check stored certificates by a path that shares no code with the engine that found them.

PATTERN selects statements as for verify, or is a Python file of yours that was checked; without one everything of the
library that the ledger knows is replayed.
The exit code is 2 when a certificate is rejected.
"""

from __future__ import annotations

import argparse
import json

from proofs_check.budget import EFFORTS
from proofs_check.run.commands.options import add_json


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """PATTERN, --effort and --json."""
    parser.add_argument("pattern", nargs="*", metavar="PATTERN", help="which statements (default: all)")
    parser.add_argument("--effort", choices=EFFORTS, default="standard", help="the effort they were verified with")
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    """Replay and print accepted, rejected or nothing to replay for each statement."""
    from proofs_check.evidence.replay import asked, replay
    from proofs_check.report.terminal import console, progress

    jobs = asked(options.pattern, options.effort)
    with progress(len(jobs), "replaying", quiet=options.json) as advance:
        rows = replay(jobs, advance)
    if options.json:
        print(json.dumps({"schema": 2, "replayed": rows}, indent=1))
    else:
        for row in rows:
            console().print(f"{row['result']:<12} {row['id']}  {row['detail']}", markup=False, highlight=False)
        accepted = sum(row["result"] == "accepted" for row in rows)
        console().print(f"{accepted} of {len(rows)} certificates accepted", highlight=False)
    return 2 if any(row["result"] == "rejected" for row in rows) else 0
