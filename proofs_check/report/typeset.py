"""LaTeX to MathML, with the LaTeX kept beside it so that it can be copied.

The converter does not escape what it is given, so its output is let through only when every tag, attribute and entity
in it is on a list; anything else is shown as escaped LaTeX.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_LONGEST = 6000
_TAGS = (
    "math mrow mi mo mn mtext mspace msup msub msubsup mfrac msqrt mroot mtable mtr mtd mover munder munderover mstyle"
)
_ATTRIBUTES = (
    "xmlns display stretchy fence form width columnalign linebreak mathvariant linethickness separators accent"
)
_ATTRIBUTE = rf"(?: (?:{'|'.join(_ATTRIBUTES.split())})=\"[^\"<>&]*\")"
_TAG = re.compile(rf"</?(?:{'|'.join(_TAGS.split())}){_ATTRIBUTE}* ?/?>")
_WORDS = re.compile(r"\\text\{[^{}]*\}")
_ESCAPED = re.compile(r"\\([_%#$&])")
_ENTITY = re.compile(r"&#x[0-9A-Fa-f]+;")


@dataclass(frozen=True)
class Formula:
    """A formula as MathML markup (empty when it cannot be set) and as LaTeX."""

    mathml: str
    latex: str


def paragraphs(text: str) -> list[list[str | Formula]]:
    """Running text: paragraphs are set apart by an empty line, and formulas stand between dollar signs.

    >>> [[part if isinstance(part, str) else part.latex for part in row] for row in paragraphs("If $x$ is.\\n\\nThen.")]
    [['If ', 'x', ' is.'], ['Then.']]
    """
    rows = (" ".join(row.split()).split("$") for row in text.split("\n\n"))
    return [[formula(part, "inline") if place % 2 else part for place, part in enumerate(row) if part] for row in rows]


def formula(latex: str, display: str = "block") -> Formula:
    """Set a formula; one that is too long or beyond the converter is shown as LaTeX only.

    >>> formula("x^{2} \\\\leq x").mathml.startswith("<math")
    True
    >>> formula("\\\\text{<script>alert(1)</script>}").mathml
    ''
    """
    if len(latex) > _LONGEST:
        return Formula("", latex)
    from latex2mathml import exceptions
    from latex2mathml.converter import convert

    problems: tuple[type[Exception], ...] = (IndexError, ValueError)
    problems += tuple(
        kind for kind in vars(exceptions).values() if isinstance(kind, type) and issubclass(kind, Exception)
    )
    prepared = latex.replace(r"\begin{aligned}", r"\begin{array}{rl}").replace(r"\end{aligned}", r"\end{array}")
    prepared = _WORDS.sub(_unescaped, prepared.replace(r"\displaystyle", ""))
    try:
        markup = convert(prepared, display=display)
    except problems:
        return Formula("", latex)
    markup = markup.replace("<mo>&#x0221E;</mo>", "<mi>&#x0221E;</mi>")  # an operator would be set apart
    return Formula(markup if is_harmless(markup) else "", latex)


def _unescaped(found: re.Match[str]) -> str:
    """Words as the converter wants them, which knows no escapes inside of them."""
    return _ESCAPED.sub(lambda sign: "&#x26;" if sign[1] == "&" else sign[1], found[0])


def is_harmless(markup: str) -> bool:
    """Whether markup consists of plain MathML.

    >>> is_harmless("<math><mi>x</mi></math>"), is_harmless("<math><mi onclick='f()'>x</mi></math>")
    (True, False)
    """
    text = _ENTITY.sub("", _TAG.sub("", markup))
    return not set("<>&") & set(text)
