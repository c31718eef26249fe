"""List what there is, by paper and number.

PATTERN is an id, a paper, a shell pattern such as "swing_by/lemma-*", FILE.py or FILE.py::name.
"""

from __future__ import annotations

import argparse
from typing import Any

from proofs_check.run.commands.options import add_json, add_limits, add_pattern


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """PATTERN, limits and --json."""
    add_pattern(parser)
    add_limits(parser)
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    """Print ids, what they cover of the print, and titles."""
    from proofs_check.report.terminal import as_text, console
    from proofs_check.run.own_work import Limits, asked
    from theory.library import Entry

    def row(entry: Entry) -> dict[str, Any]:
        scope = None if entry.scope is None else entry.scope.to_json()
        source = entry.source.to_json()
        return {"id": entry.id, "kind": entry.kind, "title": entry.title, "scope": scope, "source": source}

    entries = asked(options.pattern, Limits.of(options))
    if options.json:
        print(as_text({"statements": [row(entry) for entry in entries]}))
        return 0
    width, section = max(len(entry.id) for entry in entries), ""
    for entry in entries:
        if entry.section not in ("", section):
            console().print(entry.section, markup=False, highlight=False, style="bold")
            section = entry.section
        kind, text = (entry.scope.kind, entry.scope.text) if entry.scope else ("", "")
        said = "".join(f"  {part}" for part in (f"({text})" if text else "", entry.origin) if part)
        line = f"{entry.id:<{width}}  {kind:<8}  {entry.title}{said}"
        console().print(line, markup=False, highlight=False, soft_wrap=True)
    return 0
