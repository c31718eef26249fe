"""Find the best value of a constant, certified from both sides.

A statement marks some of its numbers as constants. For each, the best value is an exact algebraic number where
elimination gives one, otherwise an enclosure; below it the statement is proved, beyond it refuted.
"""

from __future__ import annotations

import argparse
import json

from proofs_check.budget import EFFORTS
from proofs_check.run.commands.options import add_json


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """ID, --constant, --effort and --json."""
    parser.add_argument("id", metavar="ID", help="a statement with constants")
    parser.add_argument("--constant", metavar="NAME", help="only this constant (default: all of them)")
    parser.add_argument("--effort", choices=EFFORTS, default="standard", help="how hard to try (default: standard)")
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    """Sharpen and print stated and best values."""
    from proofs_check.repair.sharpen import sharpen_entry
    from proofs_check.report.terminal import console, show, ticker
    from proofs_check.verdict import how_good

    watch = ticker("sharpening", quiet=options.json)
    verdict = sharpen_entry(options.id, options.constant, effort=options.effort, watch=watch)
    if options.json:
        show([verdict], as_json=True)
        return 0
    for name, found in (verdict.sharp or {}).items():
        best = f"{how_good(found)} {found['best']}" if found["best"] is not None else "no value was proved"
        console().print(f"{name}: stated {found['stated']}, {best}", markup=False, highlight=False)
        for key, value in found.items():
            if key not in ("stated", "best"):
                text = value if isinstance(value, str) else json.dumps(value)
                console().print(f"  {key}: {text}", markup=False, highlight=False)
    for note in verdict.notes:
        console().print(f"  note: {note}", markup=False, highlight=False)
    return 0
