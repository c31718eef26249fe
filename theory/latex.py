"""Losses and relations written in LaTeX, read with SymPy's grammar; nothing in the text is ever evaluated as code."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef
from sympy.logic.boolalg import Boolean

from theory.errors import LemmascopeError
from theory.language.functions import entry_for, entry_of
from theory.latex_tokens import RELATIONS, Names, Piece, pieces, refuse

_JOINS = (sp.Add, sp.Mul, sp.Pow)
_MOST_TERMS = 10_000
_MOST_BITS = 20_000
_OPERAND_MISSING = "an operand is missing here"


def from_latex(latex: str) -> sp.Expr | Boolean:
    r"""The expression, relation or chain of relations that a LaTeX formula says, over plain symbols.

    Letters, Greek letters and names with a subscript are symbols (``x_0`` becomes ``Symbol("x_0")``), ``e`` is Euler's
    number, decimals are exact, a letter before a bracket multiplies it, and sums have explicit bounds. Relations are
    left undecided, for the engines.

    >>> from_latex(r"\frac{L}{2} \left(x_0 - 0.5\right)^2")
    L*(x_0 - 1/2)**2/2
    >>> from_latex(r"0 < \eta \le \sqrt{2}")
    (0 < eta) & (eta <= sqrt(2))
    >>> from_latex(r"\sum_{i=1}^{2} w_i^2")
    w_1**2 + w_2**2
    >>> from_latex("a < 1, b < 1")
    Traceback (most recent call last):
    theory.errors.LemmascopeError: cannot read the LaTeX at character 6 (,): give one formula at a time
    """
    if not isinstance(latex, str):
        raise LemmascopeError(f"from_latex reads a string, not {type(latex).__name__}: give the formula as r'...'")
    names = Names()
    found = pieces(latex, names)
    sides, signs = _split(found)
    values = [_expression(side, names, len(latex)) for side in sides]
    if not signs:
        return values[0]
    steps = zip(signs, pairwise(values), strict=True)
    return sp.And(*(getattr(sp, RELATIONS[sign])(*pair, evaluate=False) for sign, pair in steps))


def _split(found: Sequence[Piece]) -> tuple[list[list[Piece]], list[str]]:
    sides: list[list[Piece]] = [[]]
    signs: list[str] = []
    depth = 0
    for piece in found:
        depth += {"open": 1, "close": -1}.get(piece.kind, 0)
        if piece.kind == "relation" and depth == 0:
            if not sides[-1]:
                refuse(piece.at, piece.written, "the left side is missing")
            signs.append(piece.written)
            sides.append([])
        elif piece.kind == "," and depth == 0:
            refuse(piece.at, piece.written, "give one formula at a time")
        else:
            sides[-1].append(piece)
    return sides, signs


def _expression(side: Sequence[Piece], names: Names, end: int) -> sp.Expr:
    if not side:
        refuse(end, "", "a formula is missing here")
    _check_order(side, end)
    _check_quotients(side)
    _check_derivatives(side)
    tree = _parsed(side, end)
    value = _Rebuild(names.meaning).of(tree, {})
    if value.has(sp.nan, sp.zoo, sp.oo, -sp.oo):
        refuse(side[0].at, side[0].written, "the formula divides by zero or is infinite")
    return value


def _check_order(side: Sequence[Piece], end: int) -> None:
    """Operators have operands: said here, because the grammar does not say where it stopped."""
    joins = ("times", "implicit", "/", "^", "_")
    for piece, after in pairwise((*side, None)):
        assert piece is not None  # noqa: S101 - only the last one is
        if piece.kind in (*joins, "+", "-", "function", "named", "structure", "open", ","):
            if after is None:
                refuse(end, "", f"{_OPERAND_MISSING} after {piece.written}")
            if after.kind in (*joins, "close", ",", "!") and not (
                piece.kind in ("function", "structure") and after.kind in ("^", "_")
            ):
                refuse(after.at, after.written, f"{_OPERAND_MISSING} after {piece.written}")
        if piece.kind == "named" and (after is None or after.text != "("):
            refuse(piece.at, piece.written, "write its argument in brackets right behind it")
        if after is not None and after.kind == "_" and piece.text not in (r"\sum", r"\prod", r"\log"):
            refuse(after.at, after.written, "a subscript belongs right behind a letter, before its power")
    if side[0].kind in (*joins, "!", ","):
        refuse(side[0].at, side[0].written, f"{_OPERAND_MISSING} before it")


def _check_quotients(side: Sequence[Piece]) -> None:
    """`a / b c` is read in two ways by people, so it is refused."""
    for place, piece in enumerate(side):
        if piece.kind != "/":
            continue
        after = _behind_factor(side, place + 1)
        if after < len(side) and side[after].kind not in ("+", "-", "times", "/", "close", ","):
            refuse(side[after].at, side[after].written, r"it is unclear what / divides by: write \frac{}{} instead")


def _behind_factor(side: Sequence[Piece], place: int) -> int:
    while side[place].kind in ("+", "-"):
        place += 1
    arguments = {r"\frac": 2, r"\binom": 2, r"\sqrt": 1}.get(side[place].text, 0)
    place += side[place].kind in ("structure", "function", "named")
    for _ in range(max(arguments, 1)):
        place = _behind_group(side, place)
    if place + 1 < len(side) and side[place].kind == "^":
        place = _behind_group(side, place + 1)
    return place


def _behind_group(side: Sequence[Piece], place: int) -> int:
    depth = 0
    while place < len(side):
        depth += {"open": 1, "close": -1}.get(side[place].kind, 0)
        place += 1
        if depth <= 0:
            break
    return place


def _check_derivatives(side: Sequence[Piece]) -> None:
    written = [piece.written for piece in side]
    for place in range(len(side) - 4):
        if side[place].text == r"\frac" and written[place + 1 : place + 3] == ["{", "d"]:
            below = _behind_group(side, place + 1)
            if written[below : below + 2] == ["{", "d"]:
                refuse(side[place].at, written[place], "derivatives are not read: differentiate with SymPy")


def _parsed(side: Sequence[Piece], end: int) -> Any:
    try:
        import antlr4  # noqa: F401 - SymPy only says that its parser is missing once it is asked to parse
    except ImportError as error:
        raise LemmascopeError("reading LaTeX needs the extra `latex`: pip install 'lemmascope[latex]'") from error
    from sympy.parsing.latex import LaTeXParsingError, parse_latex

    try:
        return parse_latex(" ".join(piece.text for piece in side), backend="antlr", strict=True)
    except LaTeXParsingError as error:
        piece = _blamed(side, str(error))
        at, written = (end, "") if piece is None else (piece.at, piece.written)
        refuse(at, written, "the formula makes no sense from here on: check brackets, braces and operators")
    except (TypeError, AttributeError, ValueError):
        refuse(side[0].at, side[0].written, "this formula is beyond SymPy's LaTeX grammar: build it with SymPy")


def _blamed(side: Sequence[Piece], message: str) -> Piece | None:
    """The piece that the parser's caret points at; the first one where it points nowhere."""
    caret = re.search(r"^~*\^$", message, re.MULTILINE)
    if caret is None:
        return side[0]
    place = len(caret[0]) - 1
    for piece in side:
        if place <= len(piece.text):
            return piece
        place -= len(piece.text) + 1
    return None


class _Rebuild:
    """The parser's tree with placeholders replaced and carried out; only known heads are let through."""

    def __init__(self, meaning: Mapping[str, Any]) -> None:
        self.meaning = meaning
        self.terms = 0

    def of(self, tree: Any, indices: Mapping[str, int]) -> sp.Expr:
        if isinstance(tree, sp.Symbol):
            return self._name(tree, indices)
        if isinstance(tree, sp.Number) or tree == sp.E:
            return tree
        if isinstance(tree, (sp.Sum, sp.Product)):
            return self._expanded(tree, indices)
        if isinstance(tree, AppliedUndef):
            head = self.meaning.get(tree.func.__name__)
        else:
            head = tree.func if isinstance(tree, _JOINS) or entry_of(tree) is not None else None
        if head is None or isinstance(head, sp.Basic):
            raise LemmascopeError(
                f"the LaTeX contains {type(tree).__name__}, which is not read: build this part with SymPy"
            )
        arguments = [self.of(part, indices) for part in tree.args]
        known = entry_for(head) if isinstance(tree, AppliedUndef) else None
        if known is not None and known.arity and len(arguments) not in known.arity:
            counts = f"{len(arguments)} arguments, and it takes {known.arity[-1]}"
            raise LemmascopeError(f"the LaTeX gives {known.name} {counts}: write them in brackets, with commas")
        _refuse_giants(head, arguments)
        return head(*arguments)

    def _name(self, symbol: sp.Symbol, indices: Mapping[str, int]) -> sp.Expr:
        value = self.meaning.get(symbol.name)
        if not isinstance(value, sp.Symbol):
            if not isinstance(value, sp.Expr):
                raise LemmascopeError("the LaTeX uses a function without its argument: write it in brackets")
            return value
        if value.name in indices:
            return sp.Integer(indices[value.name])
        stem, *parts = value.name.split("_")
        for part in parts:
            joined = [name for name in indices if name in part and name != part]
            if joined and part.isalpha():
                raise LemmascopeError(f"the subscript {part} has the index {joined[0]} in it: write it with a comma")
        return sp.Symbol("_".join([stem, *(str(indices.get(part, part)) for part in parts)]))

    def _expanded(self, tree: Any, indices: Mapping[str, int]) -> sp.Expr:
        """A sum or product written out; SymPy lists the innermost index first."""
        body, *inner, (bound, *ends) = tree.args
        low, high = (self.of(end, indices) for end in ends)
        index = self.meaning.get(getattr(bound, "name", ""))
        if not (isinstance(index, sp.Symbol) and low.is_Integer and high.is_Integer):
            raise LemmascopeError(
                f"the bounds {low} and {high} of a sum or product are not whole numbers: give explicit ones"
            )
        self.terms += max(0, int(high - low) + 1)
        if self.terms > _MOST_TERMS:
            raise LemmascopeError(f"the sums of the LaTeX have more than {_MOST_TERMS} terms: sum with SymPy instead")
        rest = tree.func(body, *inner) if inner else body
        join = sp.Add if isinstance(tree, sp.Sum) else sp.Mul
        return join(*(self.of(rest, {**indices, index.name: k}) for k in range(int(low), int(high) + 1)))


def _refuse_giants(head: Any, arguments: Sequence[sp.Expr]) -> None:
    """Numbers whose digits would fill the memory are refused before they are computed."""
    if head is sp.Pow and all(part.is_Rational for part in arguments):
        base, exponent = arguments
        size = max(abs(base.p), base.q).bit_length() * abs(exponent.p)
    elif head in (sp.factorial, sp.binomial) and all(part.is_Integer for part in arguments):
        size = max(abs(int(part)) for part in arguments) * 10
    else:
        return
    if size > _MOST_BITS:
        raise LemmascopeError(f"the LaTeX contains a number of more than {_MOST_BITS} bits: keep it as a symbol")
