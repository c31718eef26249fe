"""A draft becomes a statement file, and its verdicts become badges and an appendix of the draft."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial

from proofs_check.report.derivation import derive
from proofs_check.report.explain import how_to_believe
from proofs_check.report.terminal import point, summary_of
from proofs_check.report.write_derivation import FIT, latex_lines, tex
from proofs_check.run.statement_source import comment, source
from proofs_check.verdict import Outcome, Verdict
from theory.drafts import Item, Part
from theory.errors import LemmascopeError
from theory.statements import Statement
from theory.trees import content_hash

UNREAD = "unread"
_COLOURS = {
    "proved": "0B5FA5",
    "refuted": "B34700",
    "vacuous": "8A2D83",
    "suspect": "C1121F",
    "sampled": "1F6F78",
    "open": "5D636B",
    UNREAD: "8A8F96",
}
_STYLE = r"""\NeedsTeXFormat{LaTeX2e}
\ProvidesPackage{lemmascope}[2026/01/01 verdicts beside theorems]
\RequirePackage{amsmath,amssymb,graphicx}
\@ifpackageloaded{xcolor}{}{\RequirePackage{color}}
%(colours)s
\newcommand{\lemmascopebadge}[2]{\leavevmode{\normalfont\footnotesize\sffamily
  \fcolorbox{lemmascope#1}{white}{\textcolor{lemmascope#1}{#1}}\,\textcolor{lemmascope#1}{[#2]}}\space}
"""


def names_of(items: Sequence[Item]) -> list[str]:
    """A Python name for each theorem: from its label, or its kind and its place among those.

    >>> from pathlib import Path
    >>> item = Item("lemma", "lem:convex", "", Path("a.tex"), 1, 2, "", 0)
    >>> names_of([item, Item(**{**vars(item), "label": ""})])
    ['lem_convex', 'lemma_2']
    """
    names: list[str] = []
    for number, item in enumerate(items, start=1):
        base = re.sub(r"\W+", "_", item.label or f"{item.kind}_{number}").strip("_").lower() or f"item_{number}"
        base = base if base.isidentifier() and not base[0].isdigit() else f"item_{base}"
        name, count = base, 1
        while name in names:
            count += 1
            name = f"{base}_{count}"
        names.append(name)
    return names


def statement_file(items: Sequence[Item], title: str, path: str) -> str:
    """The statement file of a draft: what was read as statements, the rest as comments with the reason."""
    kept = [(name, item) for name, item in zip(names_of(items), items, strict=True) if item.statement is not None]
    read = [(name, item.statement, _comment(item)) for name, item in kept if item.statement is not None]
    rest = [item for item in items if item.statement is None]
    text = source(read, title, path) if read else comment(f"{title}: nothing of it could be read.")
    if rest:
        text += "\n\n# Not read:\n"
        for item in rest:
            text += "\n" + comment("\n".join([_heading(item), f"NOT READ: {item.reason}", item.text]))
    return text


def _heading(item: Item) -> str:
    label = f", {item.label}" if item.label else ""
    return f"{item.path.name}, lines {item.first} to {item.last}: {item.kind}{label}"


def _comment(item: Item) -> str:
    warned = [f"CAREFUL: the draft also assumes, and this was not read: {text}" for text in item.unread]
    return "\n".join([_heading(item), *warned, *item.text.splitlines()])


def style() -> str:
    """lemmascope.sty."""
    colours = "\n".join(rf"\definecolor{{lemmascope{name}}}{{rgb}}{{{_shares(rgb)}}}" for name, rgb in _COLOURS.items())
    return _STYLE % {"colours": colours}


def _shares(code: str) -> str:
    """Red, green and blue of a colour code as shares of one, which every colour package reads.

    >>> _shares("FF8000")
    '1.000,0.502,0.000'
    """
    return ",".join(f"{int(code[place : place + 2], 16) / 255:.3f}" for place in (0, 2, 4))


def annotated(part: Part, items: Sequence[Item], verdicts: Mapping[int, Verdict], renamed: Mapping[str, str]) -> str:
    """A file of the draft with a badge in each theorem, which names the place of the theorem in the appendix.

    Comments are left out of the copy, as the places were found without them.
    """
    text = part.text
    for number, item in reversed(list(enumerate(items, start=1))):
        if item.path == part.path:
            outcome = str(verdicts[number].outcome) if number in verdicts else UNREAD
            text = text[: item.opens] + rf"\lemmascopebadge{{{outcome}}}{{{number}}}" + text[item.opens :]
    for old, new in renamed.items():
        text = re.sub(
            rf"(\\(?:input|include|subfile)\s*\{{\s*){re.escape(old)}(?:\.tex)?(\s*\}})",
            partial(_include, new),
            text,
        )
    text = text.replace(r"\begin{document}", "\\usepackage{lemmascope}\n\\begin{document}", 1)
    return text.replace(r"\end{document}", "\\input{lemmascope-appendix}\n\\end{document}", 1)


def _include(name: str, found: re.Match[str]) -> str:
    return f"{found[1]}{name}{found[2]}"


def appendix(items: Sequence[Item], verdicts: Mapping[int, Verdict], effort: str) -> str:
    """What was decided of each theorem, why it can be believed, its derivation and its certificate."""
    body = [FIT, r"\section*{What Lemmascope decided}"]
    for number, item in enumerate(items, start=1):
        said = " ".join(filter(None, (item.kind.capitalize(), item.label)))
        body.append(rf"\subsection*{{[{number}] {tex(said)} ({tex(item.place)})}}")
        verdict = verdicts.get(number)
        if item.statement is None or verdict is None:
            body.append(rf"Not read, so that nothing was decided: {tex(item.reason)}.")
            continue
        body.append(rf"\[\fit{{{item.statement.latex()}}}\]")
        body.append(f"{tex(summary_of(verdict))}. " + " ".join(tex(text) for text in how_to_believe(verdict)))
        if verdict.counterexample:
            body.append(f"It fails at {tex(point(verdict.counterexample))}.")
        if verdict.correction:
            body.append(f"Nearest true statement: {tex(verdict.correction)}.")
        body += [f"The draft also assumes, and this was not read: {tex(text)}." for text in item.unread]
        body += _evidence(item.statement, verdict, effort)
    return "\n\n".join(body) + "\n"


def _evidence(statement: Statement, verdict: Verdict, effort: str) -> list[str]:
    found = []
    if verdict.outcome is Outcome.PROVED:
        try:
            derivation = derive(statement, effort)
            found += [latex_lines(derivation)] if derivation.lines else []
        except LemmascopeError as error:
            found.append(f"There is no derivation: {tex(str(error))}.")
    if verdict.certificate is not None:
        kind = tex(str(verdict.certificate.get("kind", "certificate")))
        found.append(rf"Certificate: {kind}, of the statement \texttt{{{content_hash(statement)[:16]}}}.")
    return found
