"""List what there is, by paper and number.

PATTERN is an id, a paper, or a shell pattern such as "swing_by/lemma-*".
"""

from __future__ import annotations

import argparse
import json
from typing import Any

from proofs_check.run.commands.options import add_json


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """PATTERN and --json."""
    parser.add_argument("pattern", nargs="*", metavar="PATTERN", help="which statements (default: all)")
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    """Print ids, what they cover of the print, and titles."""
    from theory.library import Entry, find

    def row(entry: Entry) -> dict[str, Any]:
        scope = None if entry.scope is None else entry.scope.to_json()
        source = entry.source.to_json()
        return {"id": entry.id, "kind": entry.kind, "title": entry.title, "scope": scope, "source": source}

    entries = find(*options.pattern)
    if options.json:
        print(json.dumps({"schema": 2, "statements": [row(entry) for entry in entries]}, indent=1))
        return 0
    from proofs_check.report.terminal import console

    width = max(len(entry.id) for entry in entries)
    for entry in entries:
        kind, text = (entry.scope.kind, entry.scope.text) if entry.scope else ("", "")
        line = f"{entry.id:<{width}}  {kind:<8}  {entry.title}{f'  ({text})' if text else ''}"
        console().print(line, markup=False, highlight=False, soft_wrap=True)
    return 0
