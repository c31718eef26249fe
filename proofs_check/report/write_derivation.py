"""A derivation as Markdown, as a LaTeX appendix that compiles, or as HTML."""

from __future__ import annotations

from html import escape

from proofs_check.derivation import Derivation
from proofs_check.report.typeset import formula
from proofs_check.terminal import summary_of

_TEX = {"&": r"\&", "%": r"\%", "#": r"\#", "_": r"\_", "$": r"\$", "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}", "\\": r"\textbackslash{}"}  # fmt: skip


def as_markdown(derivation: Derivation) -> str:
    """Markdown with LaTeX formulas."""
    statement = derivation.statement
    parts = [f"# {statement.source.label or statement.id}", statement.title, f"$$ {statement.latex()} $$"]
    for number, line in enumerate(derivation.lines, start=1):
        parts.append(f"{number}. {line.reason} ({summary_of(line.verdict)}):\n\n   $$ {line.latex()} $$")
    parts.append(f"**Conclusion:** {summary_of(derivation.conclusion)}.")
    return "\n\n".join([*parts, *_left_out(derivation)]) + "\n"


def as_latex(derivation: Derivation) -> str:
    """A LaTeX document whose body can be pasted into an appendix."""
    statement = derivation.statement
    body = [rf"\section*{{{_tex(statement.source.label or statement.id)}}}", _tex(statement.title)]
    body.append(_display(statement.latex()))
    body += [
        rf"\paragraph{{{_tex(line.reason)}}} ({_tex(summary_of(line.verdict))})" + "\n" + _display(line.latex())
        for line in derivation.lines
    ]
    body.append(rf"\paragraph{{Conclusion}} {_tex(summary_of(derivation.conclusion))}.")
    body += [_tex(text) for text in _left_out(derivation)]
    head = "\\documentclass{article}\n\\usepackage{amsmath,amssymb}\n\\begin{document}\n"
    return head + "\n\n".join(body) + "\n\\end{document}\n"


def as_html(derivation: Derivation) -> str:
    """A fragment of HTML with MathML."""
    rows = [
        f"<li><p>{escape(line.reason)} <small>{escape(summary_of(line.verdict))}</small></p>{_math(line.latex())}</li>"
        for line in derivation.lines
    ]
    end = "".join(f"<p>{escape(text)}</p>" for text in _left_out(derivation))
    verdict = escape(summary_of(derivation.conclusion))
    return f'<ol class="derivation">{"".join(rows)}</ol><p><strong>Conclusion:</strong> {verdict}.</p>{end}'


def _left_out(derivation: Derivation) -> list[str]:
    count = derivation.left_out
    if not count:
        return []
    return [f"{count} further {'line was' if count == 1 else 'lines were'} left out because no engine confirmed them."]


def _math(text: str) -> str:
    markup = formula(text).mathml
    return f'<div class="scroll">{markup}</div>' if markup else f"<pre>{escape(text)}</pre>"


def _display(text: str) -> str:
    return "\\begin{multline*}\n" + text + "\n\\end{multline*}"


def _tex(text: str) -> str:
    return "".join(_TEX.get(character, character) for character in text)
