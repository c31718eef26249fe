"""Draw the picture that belongs to a statement: bifurcation diagram, phase portrait, trajectories, margins or scaling.

The ending of FILE chooses the format (svg, pdf, png).
"""

from __future__ import annotations

import argparse
from pathlib import Path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """ID and -o."""
    parser.add_argument("id", metavar="ID", help="a statement, for example edge_of_stability/theorem-3.3")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="where (default: the id with .svg)")


def run(options: argparse.Namespace) -> int:
    """Draw and write."""
    from proofs_check.ledger import default_folder
    from proofs_check.plots.pictures import picture
    from proofs_check.plots.style import save
    from proofs_check.referee import verify
    from theory.errors import LemmascopeError
    from theory.library import premised

    statement = premised(options.id)
    path = options.output or Path(options.id.replace("/", "-").replace("#", "-") + ".svg")
    if path.suffix.lower() not in (".svg", ".pdf", ".png"):
        raise LemmascopeError(f"{path} does not end in .svg, .pdf or .png: choose one of these formats")
    save(picture(statement, verify(statement, effort="quick", folder=default_folder())), path)
    print(f"wrote {path}")
    return 0
