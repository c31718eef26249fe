"""Re-check stored certificates by a path that shares no code with the engine that found them.

PATTERN selects statements as for verify, FILE.py and FILE.py::name included; without one everything of the library
that the ledger knows is replayed. With --coq everything that is proved is put to Coq's kernel: what it accepted once is
given to it again, of the rest a proof is tried, and the shares by engine come last.
The exit code is 2 when a certificate is rejected.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from typing import Any

from proofs_check.budget import EFFORTS
from proofs_check.run.commands.options import add_json, add_limits, add_pattern


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """PATTERN, --coq, --effort, limits and --json."""
    add_pattern(parser)
    parser.add_argument(
        "--coq", action="store_true", help="put what is proved to coqc, 60 seconds or --timeout for each"
    )
    parser.add_argument("--effort", choices=EFFORTS, default="standard", help="the effort they were verified with")
    add_limits(parser)
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    """Replay and print accepted, rejected or nothing to replay for each statement."""
    from proofs_check.evidence.coq_replay import asking
    from proofs_check.evidence.replay import asked, by_our_kernel, replay
    from proofs_check.report.terminal import as_text, progress
    from proofs_check.run.own_work import Limits

    check = asking(options.timeout) if options.coq else by_our_kernel
    jobs = asked(options.pattern, options.effort, Limits.of(options))
    with progress(len(jobs), "asking coqc" if options.coq else "replaying", quiet=options.json) as advance:
        rows = replay(jobs, advance, check)
    if options.json:
        print(as_text({"replayed": rows}))
    else:
        _show(rows, "proofs accepted by Coq's kernel" if options.coq else "certificates accepted")
        if options.coq:
            _show_shares(rows)
    return 2 if any(row["result"] == "rejected" for row in rows) else 0


def _show(rows: Sequence[Mapping[str, Any]], what: str) -> None:
    from proofs_check.report.terminal import console

    for row in rows:
        console().print(f"{row['result']:<12} {row['id']}  {row['detail']}", markup=False, highlight=False)
    accepted = sum(row["result"] == "accepted" for row in rows)
    console().print(f"{accepted} of {len(rows)} {what}", highlight=False)


def _show_shares(rows: Sequence[Mapping[str, Any]]) -> None:
    """A line for each engine: how much of what it proved Coq accepts, and what became of the rest."""
    from rich.table import Table

    from proofs_check.evidence.coq_replay import RESULTS, shares
    from proofs_check.report.terminal import console

    table = Table(box=None, pad_edge=False)
    for heading in ("engine", "proved", "share", *RESULTS):
        table.add_column(heading, justify="left" if heading == "engine" else "right")
    for engine, counts in shares(rows).items():
        share = f"{100 * counts['accepted'] / counts.total():.0f} %"
        table.add_row(engine, str(counts.total()), share, *(str(counts[result] or "") for result in RESULTS))
    console().print(table)
