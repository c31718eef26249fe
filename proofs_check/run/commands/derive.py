"""Write the derivation of a statement, from the loss to the conclusion.

Every line is an equation or a proof step that an engine has proved; lines that none confirms are left out and counted.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from proofs_check.budget import EFFORTS

FORMATS = ("md", "latex", "html")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """ID, --format, --effort and -o."""
    parser.add_argument("id", metavar="ID", help="a statement, for example edge_of_stability/theorem-3.3")
    parser.add_argument("--format", choices=FORMATS, default="md", help="Markdown, LaTeX or HTML (default: md)")
    parser.add_argument("--effort", choices=EFFORTS, default="standard", help="how hard the engines try")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="write to a file instead of the terminal")


def run(options: argparse.Namespace) -> int:
    """Derive and print or write."""
    from proofs_check.report.derivation import derive
    from proofs_check.report.write_derivation import as_html, as_latex, as_markdown

    write = {"md": as_markdown, "latex": as_latex, "html": as_html}[options.format]
    text = write(derive(options.id, options.effort))
    if options.output is None:
        print(text)
    else:
        options.output.write_text(text, encoding="utf-8")
        print(f"wrote {options.output}")
    return 0
