"""Mathematics in running text: Greek letters by their names, letters with an index or a power, nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_GREEK = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon phi chi psi"
    " omega Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega"
).split()
_LETTER = rf"(?:{'|'.join(_GREEK)}|[A-Za-z])"
_INDICES = (
    r"\{[A-Za-z0-9,]{1,6}\}", rf"{_LETTER}(?![A-Za-z])", r"[0-9]{1,3}(?![0-9])", r"[a-z]{1,2}(?![a-z])",
    r"(?:min|max|prev|star)\b",
)  # fmt: skip
_INDEX = rf"_(?:{'|'.join(_INDICES)})"
_POWER = r"\^(?:\([^()\s]{1,8}\)|\{[^{}\s]{1,8}\}|-?[0-9]{1,3}|[A-Za-z](?![A-Za-z]))"
_SYMBOL = re.compile(
    rf"(?<![A-Za-z0-9_^\\/.-])(?:(?P<greek>{'|'.join(_GREEK)})(?![A-Za-z])|(?P<letter>[A-Za-z])(?=[_^]))"
    rf"(?P<index>{_INDEX})?(?P<power>{_POWER})?(?![A-Za-z0-9_^]|-[A-Za-z])"
)


@dataclass(frozen=True)
class Symbols:
    """A symbol, in LaTeX."""

    latex: str


def symbols_in(text: str) -> Iterator[str | Symbols]:
    r"""The parts of a text: words, and what is a symbol beyond doubt.

    >>> [part if isinstance(part, str) else part.latex for part in symbols_in("if kappa_1 < x^2 in swing_by")]
    ['if ', '\\kappa_{1}', ' < ', 'x^{2}', ' in swing_by']
    """
    end = 0
    for found in _SYMBOL.finditer(text):
        stem, index, power = found["greek"] or found["letter"], found["index"], found["power"]
        if found["letter"] and index is None and power is None:
            continue
        if found.start() > end:
            yield text[end : found.start()]
        shown = rf"\{stem}" if found["greek"] else stem
        yield Symbols(shown + _attached("_", index) + _attached("^", power))
        end = found.end()
    if end < len(text):
        yield text[end:]


def _attached(sign: str, part: str | None) -> str:
    inside = (part or "").removeprefix(sign).strip("{}()")
    return "" if not inside else f"{sign}{{{chr(92) + inside if inside in _GREEK else inside}}}"
