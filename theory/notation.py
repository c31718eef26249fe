"""How formulas are printed: words upright, sums that begin with what is added, long statements on several lines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from sympy import Add, And, Basic, Dummy, Expr, Symbol
from sympy.core.function import Subs
from sympy.core.relational import Relational
from sympy.printing.conventions import split_super_sub
from sympy.printing.latex import LatexPrinter, translate

_WIDE, _SHORT = 80, 12
_SILENT = re.compile(r"\\(?:left|right|displaystyle|mathrm|text)(?![a-zA-Z])|\\[;,:! ]|\\(?:begin|end)\{\w+\}")
_UNPRINTED = re.compile(r"[{}^_&\s]")
_SIGNS = {"{": r"\{", "}": r"\}", "^": r"{}^{\wedge}", "\\": r"\backslash ", "<": "<", ">": ">"}
_PLAIN = {letter: rf"\{letter}" for letter in "_%&#$"} | {key: rf"}}{sign}\text{{" for key, sign in _SIGNS.items()}
_SIDES = Dummy("left"), Dummy("right")


class _Printer(LatexPrinter):
    """SymPy's printer, with the habits of a mathematics text."""

    def _as_ordered_terms(self, expr: Add, order: str | None = None) -> list[Expr]:
        terms = list(super()._as_ordered_terms(expr, order=order))
        first = next((place for place, term in enumerate(terms) if not term.could_extract_minus_sign()), 0)
        return [terms[first], *terms[:first], *terms[first + 1 :]]

    def _print_Symbol(self, expr: Symbol, style: str = "plain") -> str:
        name, above, below = split_super_sub(expr.name)
        parts = [_word(part) for part in below]
        stem = translate(name)
        if (not _is_word(stem) and not any(map(_is_word, below))) or above or expr.name.startswith("{"):
            return super()._print_Symbol(expr, style)
        stem = rf"\mathrm{{{stem}}}" if _is_word(stem) else stem
        return f"{stem}_{{{' '.join(parts)}}}" if parts else stem

    def _print_Subs(self, subs: Subs) -> str:
        body, old, new = subs.args
        pairs = ", ".join(f"{self._print(a)} = {self._print(b)}" for a, b in zip(old, new, strict=True))
        return rf"\left. {self._print(body)} \right|_{{{pairs}}}"


def _is_word(text: str) -> bool:
    return len(text) > 1 and text.isalpha() and text.isascii()


def _word(text: str) -> str:
    return rf"\mathrm{{{text}}}" if _is_word(text) and len(text) > 2 else translate(text)


def latex(expression: Any) -> str:
    r"""The LaTeX of an expression or formula.

    >>> from sympy import symbols
    >>> x, mu, loss, x_prev = symbols("x mu loss x_prev")
    >>> latex(x**2 - mu)
    'x^{2} - \\mu'
    >>> latex(loss * x_prev)
    '\\mathrm{loss} x_{\\mathrm{prev}}'
    """
    printed: str = _Printer().doprint(expression) if isinstance(expression, Basic) else str(expression)
    return printed


def words(text: str) -> str:
    r"""Plain words among formulas, with what LaTeX would read as a command made plain.

    >>> words("swing_by.run")
    '\\text{swing\\_by.run}'
    """
    return rf"\text{{{''.join(_PLAIN.get(letter, letter) for letter in text)}}}"


def width(text: str) -> int:
    r"""About how many characters a formula takes on the page.

    >>> width(r"x^{2} \leq \alpha")
    4
    """
    return len(_UNPRINTED.sub("", re.sub(r"\\[a-zA-Z]+", "x", _SILENT.sub("", text))))


def packed(parts: Sequence[str], join: str = r",\; ") -> list[str]:
    r"""Formulas joined into as few lines as fit on a page.

    >>> packed(["a", "b"])
    ['a,\\; b']
    """
    rows: list[str] = []
    for part in parts:
        if rows and width(rows[-1]) + width(part) < _WIDE:
            rows[-1] += join + part
        else:
            rows.append(part)
    return rows


def broken(formula: Basic) -> list[str]:
    r"""A formula on one line if it fits; otherwise broken between its conjuncts and before its relation signs.

    >>> from sympy import And, symbols
    >>> x, y = symbols("x y")
    >>> broken(And(x < y, y < 1))
    ['x < y \\wedge y < 1']
    """
    whole = latex(formula)
    if width(whole) < _WIDE:
        return [whole]
    if isinstance(formula, And):
        rows: list[str] = []
        for part in formula.args:
            first, *rest = broken(part)
            if rows and not rest and width(rows[-1]) + width(first) < _WIDE:
                rows[-1] += rf" \;\wedge\; {first}"
            else:
                rows += [rf"\wedge\; {first}" if rows else first, *rest]
        return rows
    if isinstance(formula, Relational) and width(latex(formula.rhs)) > _SHORT:
        sign = latex(formula.func(*_SIDES, evaluate=False)).split(" ")[1]
        return [latex(formula.lhs), rf"\quad {sign} {latex(formula.rhs)}"]
    return [whole]


def stacked(rows: Sequence[str]) -> str:
    r"""Lines of formulas, one below the other.

    >>> stacked(["a", "b"])
    '\\begin{aligned}& a \\\\ & b\\end{aligned}'
    """
    if len(rows) == 1:
        return rows[0]
    return r"\begin{aligned}" + r" \\ ".join(f"& {row}" for row in rows) + r"\end{aligned}"


def implication(premises: Sequence[str], conclusion: Basic) -> str:
    r"""Premises (LaTeX) and conclusion, on one line if they fit.

    >>> from sympy import Symbol
    >>> implication(["x > 1"], Symbol("x") > 0)
    'x > 1 \\;\\Longrightarrow\\; x > 0'
    """
    above, below = packed(premises), broken(conclusion)
    if not above:
        return stacked(below)
    if len(above) == len(below) == 1 and width(above[0] + below[0]) < _WIDE:
        return rf"{above[0]} \;\Longrightarrow\; {below[0]}"
    return stacked([*above, r"\;\Longrightarrow\; " + below[0], *(r"\qquad " + row for row in below[1:])])
