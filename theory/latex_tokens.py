"""LaTeX cut into pieces with their places, so that everything unusual is refused before SymPy's parser sees it.

Names with subscripts, decimals and constants become placeholders: the parser then cannot misread them, and nothing of
the text itself reaches further than this file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NoReturn

from sympy import E, Rational, Symbol, pi

from theory.errors import LemmascopeError
from theory.language.functions import entries

GREEK = frozenset(
    "alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi rho varrho sigma tau"
    " upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega ell".split()
)
RELATIONS = {
    command: name
    for name, commands in {
        "Eq": ["="],
        "Ne": [r"\ne", r"\neq"],
        "Lt": ["<", r"\lt"],
        "Gt": [">", r"\gt"],
        "Le": [r"\le", r"\leq", r"\leqslant"],
        "Ge": [r"\ge", r"\geq", r"\geqslant"],
    }.items()
    for command in commands
}
_STRUCTURES = {r"\frac": r"\frac", r"\dfrac": r"\frac", r"\tfrac": r"\frac"} | {
    name: name for name in (r"\sqrt", r"\binom", r"\sum", r"\prod")
}
FUNCTIONS = frozenset(name for entry in entries() for name in entry.commands)
"""Commands that SymPy's grammar reads as functions."""
_OTHERWISE = FUNCTIONS | GREEK | {command.removeprefix("\\") for command in _STRUCTURES}
NAMED = {
    name: entry.function
    for entry in entries()
    for name in (entry.name, entry.latex, *entry.aliases)
    if name is not None and len(name) > 1 and name not in _OTHERWISE
}
"""Functions that the grammar does not know, by all their names but those of letters."""
_MARKS = {"hat": "hat", "tilde": "tilde", "bar": "bar", "vec": "vec", "dot": "dot", "mathcal": "cal", "mathbf": "bold"}
_UPRIGHT = ("mathrm", "text", "mathit", "textit", "operatorname")
_BLANK = frozenset(
    r"\, \; \: \! \quad \qquad \displaystyle \limits \left \right \big \Big \bigl \bigr \Bigl \Bigr $ ~".split()
) | {r"\ "}
_BRACKETS = {"(": ")", "[": "]", "{": "}", r"\{": r"\}", r"\lbrace": r"\rbrace"}
_CLOSERS = frozenset(_BRACKETS.values())
_TIMES = frozenset(["*", r"\cdot", r"\times"])
_ADVICE = {
    r"\|": r"write the norm out, for example \sqrt{x_1^2 + x_2^2}",
    r"\in": "give the domain in variables= instead",
    r"\infty": "give the domain in variables= instead",
    r"\int": "integrate with SymPy and use the result",
    r"\partial": "differentiate with SymPy, or let gradient_flow and gradient_descent do it",
    r"\nabla": "differentiate with SymPy, or let gradient_flow and gradient_descent do it",
    r"\approx": r"state an inequality with \le instead",
    r"\pm": "write the two formulas separately",
    "'": "use a subscript instead of a prime",
}
_TOKEN = re.compile(r"\\[a-zA-Z]+|\\.|\d+(?:\.\d+)?|\.\d+|[a-zA-Z]|[-+*/^_{}()\[\]|<>=,!$~]|\s+|.", re.DOTALL)
_SUBSCRIPT = re.compile(r"\s*_\s*(?:\{((?:[^{}]|\{[^{}]*\})*)\}|([a-zA-Z]|\d+|\\[a-zA-Z]+))")
_ARGUMENT = re.compile(r"\s*(?:\{\s*([^{}]*?)\s*\}|([a-zA-Z]|\\[a-zA-Z]+))")
_LONGEST, _DEEPEST = 1000, 40


@dataclass(frozen=True)
class Piece:
    """One token: what SymPy's parser is given, what was written, and where."""

    text: str
    written: str
    at: int
    kind: str


@dataclass
class Names:
    """Placeholders and what they stand for."""

    meaning: dict[str, Any] = field(default_factory=dict)

    def placeholder(self, value: Any) -> str:
        """A command that SymPy's grammar reads as one symbol."""
        for name, known in self.meaning.items():
            if known == value:
                return rf"\{name}"
        letters = "".join(chr(ord("a") + int(digit)) for digit in str(len(self.meaning)))
        self.meaning[f"lemmascope{letters}"] = value
        return rf"\lemmascope{letters}"


def refuse(at: int, written: str, why: str) -> NoReturn:
    """Say where the formula stops being one we can read, and what to write instead."""
    raise LemmascopeError(f"cannot read the LaTeX at character {at + 1} ({written.strip() or 'its end'}): {why}")


def pieces(latex: str, names: Names) -> list[Piece]:
    """The formula in pieces; brackets balance and nothing is in it that the grammar should not see."""
    found: list[Piece] = []
    place = 0
    while place < len(latex):
        match = _TOKEN.match(latex, place)
        written = match[0] if match else latex[place]
        piece, place = _piece(latex, written, place, found, names)
        if piece is not None:
            found.append(piece)
        if len(found) > _LONGEST:
            refuse(
                place, written, f"the formula has more than {_LONGEST} tokens: name its parts and join them in SymPy"
            )
    return list(_spelled_out(_without_idle_braces(found, _partners(found))))


def _piece(latex: str, written: str, at: int, found: list[Piece], names: Names) -> tuple[Piece | None, int]:
    end = at + len(written)
    word = written.removeprefix("\\")
    if written.isspace() or written in _BLANK:
        return None, end
    if word in _MARKS and written != word:
        name, end = _argument(latex, written, at, end)
        return _symbol(latex, name + _MARKS[word], at, end, names)
    if word in _UPRIGHT and written != word:
        name, end = _argument(latex, written, at, end)
        if name in FUNCTIONS:
            return Piece(rf"\{name}", latex[at:end], at, "function"), end
        if name in NAMED:
            return Piece(names.placeholder(NAMED[name]), latex[at:end], at, "named"), end
        return _symbol(latex, name, at, end, names)
    if word in NAMED and written != word:
        return Piece(names.placeholder(NAMED[word]), written, at, "named"), end
    if written == r"\pi" or (written == "e" and not _SUBSCRIPT.match(latex, end)):
        return Piece(names.placeholder(pi if word == "pi" else E), written, at, "atom"), end
    if (len(written) == 1 and written.isascii() and written.isalpha()) or (word in GREEK and written != word):
        return _symbol(latex, word, at, end, names)
    if written[-1].isdecimal() and written.isascii():
        return _number(written, at, found, names)
    return Piece(*_operator(written, at)), end


def _operator(written: str, at: int) -> tuple[str, str, int, str]:
    if written in RELATIONS:
        return written, written, at, "relation"
    if written in _BRACKETS:
        return written if written in "([{" else "(", written, at, "open"
    if written in _CLOSERS:
        return written if written in ")]}" else ")", written, at, "close"
    if written in _TIMES:
        return r"\cdot", written, at, "times"
    if written in ("+", "-", "/", "^", "_", ",", "!", "|"):
        return written, written, at, written
    if written in (r"\vert", r"\lvert", r"\rvert"):
        return "|", written, at, "|"
    if written in _STRUCTURES:
        return _STRUCTURES[written], written, at, "structure"
    if written[:1] == "\\" and written[1:] in FUNCTIONS:
        return written, written, at, "function"
    why = _ADVICE.get(written, "it is not part of the formulas that can be read: build this part with SymPy")
    refuse(at, written, why)


def _argument(latex: str, written: str, at: int, end: int) -> tuple[str, int]:
    match = _ARGUMENT.match(latex, end)
    inner = "" if match is None else (match[1] or match[2] or "").removeprefix("\\")
    if match is None or not inner.isascii() or not inner.isalnum():
        refuse(at, written, "it needs a name of letters and digits in braces")
    return inner, match.end()


def _symbol(latex: str, name: str, at: int, end: int, names: Names) -> tuple[Piece, int]:
    match = _SUBSCRIPT.match(latex, end)
    if match is not None:
        inner = match[1] if match[1] is not None else match[2]
        if match[2] and len(match[2]) > 1 and match[2].isdigit():
            refuse(end, match[0], f"only the first digit is the subscript: write _{{{match[2]}}}")
        inner = re.sub(r"\\(?:text|mathrm|mathit)\s*\{([^{}]*)\}", r"\1", inner)
        parts = [part.removeprefix("\\") for part in re.split(r"[\s,]+", inner.strip())]
        if not all(part.isascii() and part.isalnum() for part in parts):
            refuse(end, match[0], "a subscript is made of letters and digits, separated by commas")
        name, end = "_".join((name, *parts)), match.end()
    return Piece(names.placeholder(Symbol(name)), latex[at:end], at, "atom"), end


def _number(written: str, at: int, found: list[Piece], names: Names) -> tuple[Piece, int]:
    last = found[-1] if found else None
    if last is not None and last.kind in ("^", "_") and len(written) > 1:
        refuse(at, written, f"only its first digit is raised or lowered: write {last.text}{{{written}}}")
    in_fraction = [piece.text == r"\frac" for piece in found[-2:]]
    if in_fraction[-1:] == [True] or (in_fraction == [True, False] and found[-1].text.startswith("{ ")):
        return Piece(f"{{ {written[0]} }}", written[0], at, "atom"), at + 1  # \frac12 is a half
    text = names.placeholder(Rational(written)) if "." in written else written
    return Piece(text, written, at, "atom"), at + len(written)


def _partners(found: list[Piece]) -> dict[int, int]:
    """Where each opening bracket is closed."""
    partners: dict[int, int] = {}
    open_: list[int] = []
    for place, piece in enumerate(found):
        if piece.kind == "open":
            open_.append(place)
        elif piece.kind == "close":
            if not open_ or _BRACKETS[found[open_[-1]].written] != piece.written:
                refuse(piece.at, piece.written, "this bracket closes nothing that is open")
            partners[open_.pop()] = place
        if len(open_) > _DEEPEST:
            refuse(piece.at, piece.written, f"brackets are nested more than {_DEEPEST} deep: name the inner parts")
    if open_:
        refuse(found[open_[-1]].at, found[open_[-1]].written, "this bracket is never closed")
    return partners


def _without_idle_braces(found: list[Piece], partners: dict[int, int]) -> list[Piece]:
    """Drop the braces of `\\log{(x)}`, which would draw a power behind them into the argument."""
    idle: set[int] = set()
    for place, end in partners.items():
        after_function = place > 0 and found[place - 1].kind in ("function", "named")
        if after_function and found[place].text == "{" and partners.get(place + 1) == end - 1:
            idle |= {place, end}
    return [piece for place, piece in enumerate(found) if place not in idle]


def _spelled_out(found: list[Piece]) -> Iterator[Piece]:
    """Square brackets as round ones, absolute values in brackets of their own, and products by a bracket explicit."""
    bars: list[bool] = [False]
    roots: list[bool] = []
    for place, piece in enumerate(found):
        before = found[place - 1] if place else None
        if piece.kind == "open":
            bars.append(False)
            roots.append(piece.text == "[" and before is not None and before.text == r"\sqrt")
            if piece.text != "{" and before is not None and before.kind == "atom":
                yield Piece(r"\cdot", piece.written, piece.at, "implicit")
            yield piece if piece.text == "{" or roots[-1] else Piece("(", piece.written, piece.at, "open")
        elif piece.kind == "close":
            if bars.pop():
                refuse(piece.at, piece.written, "an absolute value is still open here: its second | is missing")
            root = roots.pop()
            yield piece if piece.text == "}" or root else Piece(")", piece.written, piece.at, "close")
        elif piece.kind == "|":
            bars[-1] = not bars[-1]
            if bars[-1] and before is not None and before.kind == "atom":
                yield Piece(r"\cdot", piece.written, piece.at, "implicit")
            yield Piece("( |" if bars[-1] else "| )", piece.written, piece.at, "open" if bars[-1] else "close")
        else:
            yield piece
    if bars[0]:
        refuse(found[-1].at, found[-1].written, "an absolute value is still open here: its second | is missing")
