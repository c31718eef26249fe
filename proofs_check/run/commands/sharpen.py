"""Find the best value of a constant, certified from both sides.

A statement marks some of its numbers as constants. For each, the best value is an exact algebraic number where
elimination gives one, otherwise an enclosure; below it the statement is proved, beyond it refuted.
ID may be a file of yours. A comparison with a number needs no mark: that number is then sharpened.

  lemmascope sharpen lemmas_mine.py::bound
"""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from proofs_check.budget import EFFORTS
from proofs_check.run.commands.options import add_json, add_limits, add_subject

if TYPE_CHECKING:
    from proofs_check.verdict import Verdict


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """ID, --constant, --effort, limits and --json."""
    add_subject(parser, "a statement with constants")
    parser.add_argument("--constant", metavar="NAME", help="only this constant (default: all of them)")
    parser.add_argument("--effort", choices=EFFORTS, default="standard", help="how hard to try (default: standard)")
    add_limits(parser)
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    """Sharpen and print stated and best values."""
    from proofs_check.repair.sharpen import sharpen_entry
    from proofs_check.report.terminal import show, ticker
    from proofs_check.run.own_work import Limits, asked
    from theory.errors import LemmascopeError

    watch = ticker("sharpening", quiet=options.json)
    entries = asked([options.id], Limits.of(options))
    verdicts = []
    for entry in entries:
        try:
            verdicts.append(sharpen_entry(entry.id, options.constant, effort=options.effort, watch=watch))
        except LemmascopeError:
            if len(entries) == 1:
                raise
    if not verdicts:
        raise LemmascopeError(f"{options.id} has no constant that could be sharpened: mark one with Constant(...)")
    if options.json:
        show(verdicts, as_json=True)
        return 0
    for verdict in verdicts:
        if len(entries) > 1:
            print(verdict.id)
        _show(verdict)
    return 0


def _show(verdict: Verdict) -> None:
    from proofs_check.report.terminal import console
    from proofs_check.verdict import how_good

    for name, found in (verdict.sharp or {}).items():
        best = f"{how_good(found)} {found['best']}" if found["best"] is not None else "no value was proved"
        console().print(f"{name}: stated {found['stated']}, {best}", markup=False, highlight=False)
        for key, value in found.items():
            if key not in ("stated", "best"):
                text = value if isinstance(value, str) else json.dumps(value)
                console().print(f"  {key}: {text}", markup=False, highlight=False)
    for note in verdict.notes:
        console().print(f"  note: {note}", markup=False, highlight=False)
