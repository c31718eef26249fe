"""Write the Coq proof of a proved statement as a commented file that compiles alone with `coqc FILE.v`.

The proof is the one that Coq's kernel accepted here; where it accepts none, no file is written and the exit code is 2.

  lemmascope export edge_of_stability/equation-3.3 -o equation_3_3.v
"""

from __future__ import annotations

import argparse
from pathlib import Path

from proofs_check.run.commands.options import add_limits, add_subject


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """ID, -o and limits."""
    add_subject(parser)
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="write to a file instead of the terminal")
    add_limits(parser)


def run(options: argparse.Namespace) -> int:
    """Prove, ask Coq, and write."""
    from proofs_check.coq.files import commented
    from proofs_check.evidence.coq_replay import proof_in_coq
    from proofs_check.report.terminal import ticker
    from proofs_check.run.own_work import Limits, asked
    from proofs_check.run.workers import Job
    from theory.errors import LemmascopeError

    entries = asked([options.id], Limits.of(options))
    if len(entries) != 1:
        raise LemmascopeError(f"{options.id} names {len(entries)} statements: export takes one")
    ticker("asking coqc")(entries[0].id)
    job = Job.about(entries[0])
    text = commented(job.statement(), proof_in_coq(job, options.timeout))
    if options.output is None:
        print(text, end="")
    else:
        options.output.write_text(text, encoding="utf-8")
        print(f"wrote {options.output}")
    return 0
