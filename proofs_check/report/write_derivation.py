"""A derivation as Markdown, as a LaTeX appendix that compiles, or as HTML."""

from __future__ import annotations

from html import escape

from proofs_check.report.derivation import Derivation
from proofs_check.report.terminal import point, summary_of
from proofs_check.report.typeset import formula

_TEX = {"&": r"\&", "%": r"\%", "#": r"\#", "_": r"\_", "$": r"\$", "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}", "\\": r"\textbackslash{}"}  # fmt: skip

_FIT = r"""\providecommand{\fit}[1]{\setbox0=\hbox{$\displaystyle #1$}%
\ifdim\wd0>\linewidth\resizebox{\linewidth}{!}{\box0}\else\box0\fi}"""


def as_markdown(derivation: Derivation) -> str:
    """Markdown with LaTeX formulas."""
    statement = derivation.statement
    label = statement.source.label or statement.id
    parts = [f"# {escape(label)}"] if label else []
    parts += [escape(statement.title, quote=False)] if statement.title else []
    parts.append(f"$$ {statement.latex()} $$")
    for number, line in enumerate(derivation.lines, start=1):
        reason = escape(line.reason, quote=False)
        parts.append(f"{number}. {reason} ({summary_of(line.verdict)}):\n\n   $$ {line.latex()} $$")
    parts.append(f"**Conclusion:** {escape(_conclusion(derivation), quote=False)}")
    return "\n\n".join([*parts, *_left_out(derivation)]) + "\n"


def as_latex(derivation: Derivation) -> str:
    """A LaTeX document whose body can be pasted into an appendix; wide formulas are scaled to the line."""
    statement = derivation.statement
    label = statement.source.label or statement.id or "Derivation"
    body = [_FIT, rf"\section*{{{_tex(label)}}}", _tex(statement.title), _display(statement.latex())]
    for number, line in enumerate(derivation.lines, start=1):
        known = _tex(summary_of(line.verdict))
        body.append(rf"\paragraph{{{number}. {_tex(line.reason)}}} ({known})" + "\n" + _display(line.latex()))
    body.append(rf"\paragraph{{Conclusion}} {_tex(_conclusion(derivation))}")
    body += [_tex(text) for text in _left_out(derivation)]
    head = "\\documentclass{article}\n\\usepackage{amsmath,amssymb,graphicx}\n\\begin{document}\n"
    return head + "\n\n".join(body) + "\n\\end{document}\n"


def as_html(derivation: Derivation) -> str:
    """A fragment of HTML with MathML."""
    rows = [
        f"<li><p>{escape(line.reason)} <small>{escape(summary_of(line.verdict))}</small></p>{_math(line.latex())}</li>"
        for line in derivation.lines
    ]
    end = "".join(f"<p>{escape(text)}</p>" for text in _left_out(derivation))
    said = escape(_conclusion(derivation))
    return f'<ol class="derivation">{"".join(rows)}</ol><p><strong>Conclusion:</strong> {said}</p>{end}'


def _conclusion(derivation: Derivation) -> str:
    verdict = derivation.conclusion
    failing = f"; it fails at {point(verdict.counterexample)}" if verdict.counterexample else ""
    return f"{summary_of(verdict)}{failing}."


def _left_out(derivation: Derivation) -> list[str]:
    sentences = []
    if derivation.refuted:
        sentences.append(f"Left out because they are refuted: {', '.join(derivation.refuted)}.")
    if count := derivation.left_out:
        lines = "line was" if count == 1 else "lines were"
        sentences.append(f"{count} further {lines} left out because no engine confirmed them.")
    return sentences


def _math(text: str) -> str:
    markup = formula(text).mathml
    return f'<div class="scroll">{markup}</div>' if markup else f"<pre>{escape(text)}</pre>"


def _display(text: str) -> str:
    return f"\\[\\fit{{{text}}}\\]"


def _tex(text: str) -> str:
    return "".join(_TEX.get(character, character) for character in text)
