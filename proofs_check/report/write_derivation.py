"""A derivation as Markdown, as a LaTeX appendix that compiles, or as HTML."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator
from html import escape
from pathlib import Path

from proofs_check.report.arguments.passages import Passage
from proofs_check.report.classical_theorems import bibtex, references
from proofs_check.report.derivation_page import Derived, Page
from proofs_check.report.terminal import summary_of
from proofs_check.report.typeset import formula
from theory.errors import LemmascopeError

_TEX = {"&": r"\&", "%": r"\%", "#": r"\#", "_": r"\_", "$": r"\$", "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}", "\\": r"\textbackslash{}"}  # fmt: skip

FIT = r"""\providecommand{\fit}[1]{\setbox0=\hbox{$\displaystyle #1$}%
\ifdim\wd0>\linewidth\resizebox{\linewidth}{!}{\box0}\else\box0\fi}"""

BIBLIOGRAPHY = "lemmascope-references"
"""The name of the BibTeX file that a document writes."""

_INDENT, _DEEPEST_INDENT = "1.2em", 6


class Written(ABC):
    """A derivation that writes itself: in a notebook, as text in any format, to a file."""

    @abstractmethod
    def page(self) -> Page:
        """What is written."""

    def markdown(self) -> str:
        """It as Markdown with LaTeX formulas."""
        return as_markdown(self)

    def latex(self) -> str:
        """It as a LaTeX document."""
        return as_latex(self)

    def html(self) -> str:
        """It as a fragment of HTML with MathML."""
        return as_html(self)

    def save(self, path: Path | str) -> Path:
        """Write it; the ending (.md, .tex or .html) chooses the format."""
        target = Path(path)
        write = {".md": as_markdown, ".tex": as_latex, ".html": as_html}.get(target.suffix.lower())
        if write is None:
            raise LemmascopeError(f"{target} does not end in .md, .tex or .html: choose one of these formats")
        target.write_text(write(self), encoding="utf-8")
        return target

    def _repr_markdown_(self) -> str:
        return as_markdown(self)


def as_markdown(*derivations: Derived) -> str:
    """Markdown with LaTeX formulas."""
    return "\n".join(_markdown(derivation.page()) for derivation in derivations)


def _markdown(page: Page) -> str:
    parts = [f"# {escape(page.label)}"] if page.label else []
    parts += [escape(page.title, quote=False)] if page.title else []
    parts.append(f"$$ {page.formula} $$")
    parts += [f"**{page.heading}.**"] if page.lines or page.argument else []
    for number, line in enumerate(page.lines, start=1):
        reason = escape(line.reason, quote=False)
        parts.append(f"{number}. {reason} ({summary_of(line.verdict)}):\n\n    $$ {line.latex()} $$")
    parts += ["\n".join(_markdown_rows(passage)) for passage in page.argument]
    parts.append(f"**Conclusion:** {escape(page.closing, quote=False)}")
    parts += page.remarks
    parts += [f"Reference: {text}" for text in references(page.rests_on).values()]
    return "\n\n".join(parts) + "\n"


def _markdown_rows(passage: Passage) -> Iterator[str]:
    for depth, part in passage.lines():
        room = "    " * depth
        yield f"{room}- {escape(part.text, quote=False) or 'Namely'}"
        if part.formula:
            yield f"\n{room}    $$ {part.formula} $$\n"


def as_latex(*derivations: Derived) -> str:
    """A LaTeX document whose body can be pasted into an appendix; wide formulas are scaled to the line.

    Each statement is a theorem with its proof; classical theorems are cited from a BibTeX file that it writes.
    """
    pages = [derivation.page() for derivation in derivations]
    cited = {name: entry for page in pages for name, entry in _bibtex(page).items()}
    head = ["\\documentclass{article}", "\\usepackage{amsmath,amssymb,amsthm,graphicx}"]
    if cited:
        entries = "\n".join(cited.values())
        head.insert(0, f"\\begin{{filecontents*}}[overwrite]{{{BIBLIOGRAPHY}.bib}}\n{entries}\n\\end{{filecontents*}}")
    head += [r"\newtheorem{statement}{Statement}", FIT, r"\begin{document}", r"\emergencystretch=3em"]
    tail = [r"\bibliographystyle{plain}", rf"\bibliography{{{BIBLIOGRAPHY}}}"] if cited else []
    return "\n".join([*head, "", *map(_latex, pages), *tail, r"\end{document}"]) + "\n"


def _latex(page: Page) -> str:
    name = re.sub(r"[^a-zA-Z0-9.-]", "-", page.label)
    opening = rf"\begin{{statement}}[{tex(page.label)}]\label{{lemmascope:{name}}}" if name else r"\begin{statement}"
    claim = "\n".join(filter(None, [opening, tex(page.title), _display(page.formula), r"\end{statement}"]))
    proof = "\n".join([rf"\begin{{proof}}[{page.heading}]", _latex_body(page), r"\end{proof}"])
    return f"{claim}\n\n{proof}\n"


def latex_lines(derivation: Derived) -> str:
    """The lines of a derivation and its conclusion, for a LaTeX document that has `FIT`, amsmath and graphicx."""
    return _latex_body(derivation.page(), is_cited=False)


def _latex_body(page: Page, *, is_cited: bool = True) -> str:
    body = []
    for number, line in enumerate(page.lines, start=1):
        known = tex(summary_of(line.verdict))
        body.append(
            rf"\noindent({number})\enspace {tex(_sentence(line.reason))} ({known}):" + "\n" + _display(line.latex())
        )
    body += [_latex_passage(passage) for passage in page.argument]
    cited = ",".join(_bibtex(page)) if is_cited else ""
    body.append(rf"\noindent {tex(_sentence(page.closing))}" + (rf" See \cite{{{cited}}}." if cited else ""))
    body += [rf"\noindent {tex(text)}" for text in page.remarks]
    return "\n\n".join(body)


def _latex_passage(passage: Passage, depth: int = 0) -> str:
    """A passage; what belongs below it is indented, and never further than the page allows."""
    own = [rf"\noindent {tex(passage.text) or 'Namely'}", _display(passage.formula) if passage.formula else ""]
    below = "\n\n".join(_latex_passage(part, depth + 1) for part in passage.below)
    room = _INDENT if depth < _DEEPEST_INDENT else "0em"
    inside = rf"{{\advance\leftskip by {room}\advance\linewidth by -{room} {below}\par}}" if below else ""
    return "\n".join(filter(None, [*own, inside]))


def _bibtex(page: Page) -> dict[str, str]:
    return bibtex(page.rests_on)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def as_html(*derivations: Derived) -> str:
    """A fragment of HTML with MathML."""
    if len(derivations) == 1:
        return _html(derivations[0].page())
    pages = [derivation.page() for derivation in derivations]
    return "".join(f"<h2>{escape(page.label)}</h2>{_html(page)}" for page in pages)


def _html(page: Page) -> str:
    rows = [
        f"<li><p>{escape(line.reason)} <small>{escape(summary_of(line.verdict))}</small></p>{_math(line.latex())}</li>"
        for line in page.lines
    ]
    end = "".join(f"<p>{escape(text)}</p>" for text in page.remarks)
    why = f'<ul class="argument">{"".join(map(_html_passage, page.argument))}</ul>' if page.argument else ""
    said = escape(page.closing)
    return f'<ol class="derivation">{"".join(rows)}</ol>{why}<p><strong>Conclusion:</strong> {said}</p>{end}'


def _html_passage(passage: Passage) -> str:
    below = "".join(map(_html_passage, passage.below))
    shown = _math(passage.formula) if passage.formula else ""
    return f"<li><p>{escape(passage.text)}</p>{shown}{f'<ul>{below}</ul>' if below else ''}</li>"


def _math(text: str) -> str:
    markup = formula(text).mathml
    return f'<div class="scroll">{markup}</div>' if markup else f"<pre>{escape(text)}</pre>"


def _display(text: str) -> str:
    return f"\\[\\fit{{{text}}}\\]"


def tex(text: str) -> str:
    """Plain text for a LaTeX document."""
    return "".join(_TEX.get(character, character) for character in text)
