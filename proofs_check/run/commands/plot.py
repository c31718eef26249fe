"""Draw the picture that belongs to a statement: bifurcation diagram, phase portrait, trajectories, margins or scaling.

The ending of FILE chooses the format (svg, pdf, png). ID may be a file of yours: then there is a picture for each
statement that can be drawn.

  lemmascope plot lemmas_mine.py::too_far -o too_far.pdf
"""

from __future__ import annotations

import argparse
from pathlib import Path

from proofs_check.run.commands.options import add_limits, add_subject


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """ID, --over, limits and -o."""
    add_subject(parser)
    parser.add_argument("--over", metavar="NAME", help="the bifurcation diagram of its map over this parameter")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="where (default: the id with .svg)")
    add_limits(parser)


def run(options: argparse.Namespace) -> int:
    """Draw and write."""
    from proofs_check.report.plots.show import plot
    from proofs_check.run.own_work import Limits, asked
    from theory.errors import LemmascopeError

    entries = asked([options.id], Limits.of(options))
    if len(entries) > 1 and options.output is not None:
        raise LemmascopeError(f"{options.id} has {len(entries)} statements for one picture: name one, or leave -o out")
    drawn = 0
    for entry in entries:
        path = options.output or Path(entry.id.replace("/", "-").replace("#", "-") + ".svg")
        try:
            print(f"wrote {plot(entry.id, over=options.over).save(path)}")
            drawn += 1
        except LemmascopeError as error:
            if len(entries) == 1:
                raise
            print(f"no picture of {entry.id}: {error}")
    return 0 if drawn else 2
