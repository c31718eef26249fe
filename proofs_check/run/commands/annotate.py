"""Write verdicts into a LaTeX draft: a badge in each theorem and an appendix with derivations and certificates.

Beside each file of the draft a copy is written, NAME.annotated.tex, with lemmascope.sty and lemmascope-appendix.tex;
the draft itself is not touched. What cannot be read has the badge unread, and the appendix says why.

  lemmascope annotate paper.tex && pdflatex paper.annotated.tex
"""

from __future__ import annotations

import argparse
from pathlib import Path

from proofs_check.run.commands.options import add_verification


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """DRAFT.tex and the options of a verification."""
    parser.add_argument("draft", type=Path, metavar="DRAFT.tex", help="the main file of the draft")
    add_verification(parser)


def run(options: argparse.Namespace) -> int:
    """Read, verify, and write the copies."""
    from proofs_check.report.terminal import as_text, show
    from proofs_check.run.read_drafts import annotated, appendix, names_of, style
    from proofs_check.run.runs import exit_code, verify_jobs
    from proofs_check.run.workers import Job
    from theory.drafts import read_draft
    from theory.errors import LemmascopeError

    parts, items = read_draft(options.draft)
    if not items:
        raise LemmascopeError(f"{options.draft} has no theorem, lemma or other environment that claims something")
    read = {
        number: item.statement.but(id=f"{options.draft.stem}/{name}")
        for number, (name, item) in enumerate(zip(names_of(items), items, strict=True), start=1)
        if item.statement is not None
    }
    jobs = [Job.of(statement, effort=options.effort, fresh=options.fresh) for statement in read.values()]
    verdicts = dict(zip(read, verify_jobs(jobs, options), strict=True))
    home = options.draft.parent
    written = []
    inside = [part for part in parts if part.path.resolve().is_relative_to(home.resolve())]
    renamed = {
        part.path.relative_to(home).with_suffix("").as_posix(): part.path.relative_to(home).with_suffix("").as_posix()
        + ".annotated"
        for part in inside[1:]
    }
    for part in inside:
        target = part.path.with_name(f"{part.path.stem}.annotated.tex")
        target.write_text(annotated(part, items, verdicts, renamed), encoding="utf-8")
        written.append(target)
    for name, text in {
        "lemmascope.sty": style(),
        "lemmascope-appendix.tex": appendix(items, verdicts, options.effort),
    }.items():
        (home / name).write_text(text, encoding="utf-8")
    if options.json:
        print(as_text({"verdicts": [verdict.to_json() for verdict in verdicts.values()]}))
    else:
        show(list(verdicts.values()), only=options.only)
        print(f"wrote {', '.join(map(str, written))}, lemmascope.sty and lemmascope-appendix.tex")
    return exit_code(list(verdicts.values()), options.fail_on)
