"""Turn the theorems of a LaTeX draft into a statement file.

Theorem-like environments are found, with names from \\newtheorem, their labels and the files that are included. What is
clear becomes a Statement under its source text and lines; what is not stays a comment with the reason. Nothing is
guessed.

  lemmascope read paper.tex && lemmascope check lemmas_paper.py
"""

from __future__ import annotations

import argparse
from pathlib import Path

from proofs_check.run.commands.options import add_json


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """DRAFT.tex, -o and --json."""
    parser.add_argument("draft", type=Path, metavar="DRAFT.tex", help="the main file of the draft")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE.py", help="where (default: lemmas_DRAFT.py)")
    parser.add_argument("--force", action="store_true", help="overwrite the file")
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    """Read, write the file, and say what was read and what was not."""
    import re

    from proofs_check.report.terminal import as_text, console
    from proofs_check.run.read_drafts import statement_file
    from theory.drafts import read_draft
    from theory.errors import LemmascopeError

    _, items = read_draft(options.draft)
    if not items:
        raise LemmascopeError(f"{options.draft} has no theorem, lemma or other environment that claims something")
    stem = re.sub(r"\W+", "_", options.draft.stem)
    path = options.output or Path(f"lemmas_{stem}.py")
    if path.exists() and not options.force:
        raise LemmascopeError(f"{path} exists already: choose another name with -o, or overwrite it with --force")
    path.write_text(statement_file(items, f"Read from {options.draft.name}", path.name), encoding="utf-8")
    read = [item for item in items if item.statement is not None]
    if options.json:
        rows = [{"place": item.place, "kind": item.kind, "label": item.label or None,
                 "read": item.statement is not None, "reason": item.reason or None} for item in items]  # fmt: skip
        print(as_text({"read": {"file": str(path), "items": rows}}))
        return 0
    for item in items:
        said = "read" if item.statement is not None else f"not read: {item.reason}"
        console().print(f"{item.place:<20} {item.kind:<12} {item.label:<20} {said}", markup=False, highlight=False)
    then = f"; now run: lemmascope check {path}" if read else ""
    console().print(f"wrote {path}: {len(read)} of {len(items)} read{then}", markup=False, highlight=False)
    return 0
