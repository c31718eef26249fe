"""Print BibTeX for the source of a statement and for the software that its verdict rests on.

ID may be a file of yours: then its Paper, where it has one, is the source.
"""

from __future__ import annotations

import argparse

from proofs_check.run.commands.options import add_limits, add_subject


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """ID and limits."""
    add_subject(parser)
    add_limits(parser)


def run(options: argparse.Namespace) -> int:
    """Print the entries."""
    from proofs_check.report.citations import citations
    from proofs_check.run.own_work import Limits, asked

    found = [text for entry in asked([options.id], Limits.of(options)) for text in citations(entry.id)]
    print("\n\n".join(dict.fromkeys(found)))
    return 0
