"""Write the derivation of a statement, from the loss to the conclusion.

Every line is an equation that an engine has proved and that something later uses; lines that none confirms are left
out and counted. Below them stands the argument of the certificate that the kernel accepted. ID may be a file of yours:
then everything that it states is derived. With --dynamics it is the design card of the map or flow: fixed points,
2-cycles, multipliers, where they attract, and the type of each border.

  lemmascope derive lemmas_mine.py::convex --format latex -o appendix.tex
  lemmascope derive edge_of_stability/theorem-3.3 --dynamics
"""

from __future__ import annotations

import argparse
from pathlib import Path

from proofs_check.budget import EFFORTS
from proofs_check.run.commands.options import add_limits, add_subject

FORMATS = ("md", "latex", "html")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """ID, the length, --dynamics, --format, --effort, limits and -o."""
    add_subject(parser)
    parser.add_argument("--format", choices=FORMATS, default="md", help="Markdown, LaTeX or HTML (default: md)")
    length = parser.add_mutually_exclusive_group()
    length.add_argument("--short", dest="length", action="store_const", const="short", help="what fits on a slide")
    length.add_argument("--long", dest="length", action="store_const", const="long", help="every side condition too")
    parser.set_defaults(length="default")
    parser.add_argument("--dynamics", action="store_true", help="the design card of the map or flow instead")
    parser.add_argument("--effort", choices=EFFORTS, default="standard", help="how hard the engines try")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="write to a file instead of the terminal")
    add_limits(parser)


def run(options: argparse.Namespace) -> int:
    """Derive and print or write."""
    from proofs_check.report.derivation import derive
    from proofs_check.report.derivation_page import Derived
    from proofs_check.report.design_card import of_statement
    from proofs_check.report.terminal import ticker
    from proofs_check.report.write_derivation import as_html, as_latex, as_markdown
    from proofs_check.run.own_work import Limits, asked
    from theory.library import premised

    write = {"md": as_markdown, "latex": as_latex, "html": as_html}[options.format]
    entries = [entry for entry in asked([options.id], Limits.of(options)) if "#" not in entry.id or "#" in options.id]
    tick, derivations = ticker("deriving"), list[Derived]()
    for entry in entries:
        tick(entry.id)
        if options.dynamics:
            derivations.append(of_statement(premised(entry.id), options.effort))
        else:
            derivations.append(derive(entry.id, options.effort, options.length))
    text = write(*derivations)
    if options.output is None:
        print(text)
    else:
        options.output.write_text(text, encoding="utf-8")
        print(f"wrote {options.output}")
    return 0
