"""Print BibTeX for the source of a statement and for the software that its verdict rests on."""

from __future__ import annotations

import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """ID."""
    parser.add_argument("id", metavar="ID", help="a statement, for example edge_of_stability/theorem-3.3")


def run(options: argparse.Namespace) -> int:
    """Print the entries."""
    from proofs_check.report.citations import citations

    print("\n\n".join(citations(options.id)))
    return 0
