"""Draw the picture that belongs to a statement: bifurcation diagram, phase portrait, trajectories, margins or scaling.

The ending of FILE chooses the format (svg, pdf, png).
"""

from __future__ import annotations

import argparse
from pathlib import Path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """ID, --over and -o."""
    parser.add_argument("id", metavar="ID", help="a statement, for example edge_of_stability/theorem-3.3")
    parser.add_argument("--over", metavar="NAME", help="the bifurcation diagram of its map over this parameter")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="where (default: the id with .svg)")


def run(options: argparse.Namespace) -> int:
    """Draw and write."""
    from proofs_check.report.plots.show import plot

    path = options.output or Path(options.id.replace("/", "-").replace("#", "-") + ".svg")
    print(f"wrote {plot(options.id, over=options.over).save(path)}")
    return 0
