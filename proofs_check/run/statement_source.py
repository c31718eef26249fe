"""Statements as the text of a statement file: Python that a person can read, change and check."""

from __future__ import annotations

import operator
import re
from collections.abc import Iterable, Sequence
from functools import reduce
from typing import Any

import sympy as sp
from sympy.printing.pycode import PythonCodePrinter
from sympy.printing.str import StrPrinter

from theory import __all__ as words_of_theory
from theory.dynamics import Flow, Map
from theory.errors import LemmascopeError
from theory.language.classes import FunctionSymbol
from theory.language.spaces import ANY_SIZE, size_symbols
from theory.statements import Statement
from theory.temporal import ForSmall, Quantifier, Scaling

_HEAD = '"""{title}: run `lemmascope check {path}`."""\n\n'
_RESERVED = frozenset(PythonCodePrinter().reserved_words)


class _Printer(StrPrinter):
    """SymPy's own spelling, in which relations are not decided when the text is run."""

    printmethod = "_statement_source"
    """What words print as for people is no text of a file."""

    def _print_Relational(self, expr: Any) -> str:
        names = {"==": "Eq", "!=": "Ne", "<": "Lt", "<=": "Le", ">": "Gt", ">=": "Ge"}
        left, right = self._print(expr.lhs), self._print(expr.rhs)
        return f"{names[expr.rel_op]}({left}, {right}, evaluate=False)"

    def _print_Rational(self, expr: Any) -> str:
        return f"Rational({expr.p}, {expr.q})"

    def _print_Mul(self, expr: Any) -> str:
        if expr.args[0].is_Rational and expr.has(sp.Add):
            # read from left to right, Python would multiply the number into the sum
            return f"Mul({', '.join(map(self._print, expr.args))})"
        return str(super()._print_Mul(expr))

    def _print_And(self, expr: Any) -> str:
        return f"And({', '.join(self._print(part) for part in sorted(expr.args, key=sp.default_sort_key))})"

    def _print_Or(self, expr: Any) -> str:
        return f"Or({', '.join(self._print(part) for part in sorted(expr.args, key=sp.default_sort_key))})"

    def _print_Not(self, expr: Any) -> str:
        return f"Not({self._print(expr.args[0])})"

    def _print_Implies(self, expr: Any) -> str:
        return f"Implies({', '.join(map(self._print, expr.args))})"

    def _print_Interval(self, expr: Any) -> str:
        low, high, left, right = expr.args
        return f"Interval({self._print(low)}, {self._print(high)}, {bool(left)}, {bool(right)})"

    def _print_Reals(self, _expr: Any) -> str:
        return "S.Reals"

    def _print_Integers(self, _expr: Any) -> str:
        return "S.Integers"

    def _print_Naturals(self, _expr: Any) -> str:
        return "S.Naturals"

    def _print_Naturals0(self, _expr: Any) -> str:
        return "S.Naturals0"

    def _print_FiniteSet(self, expr: Any) -> str:
        return f"FiniteSet({', '.join(map(self._print, expr.args))})"

    def _print_Range(self, expr: Any) -> str:
        return f"Range({', '.join(map(self._print, expr.args))})"

    def _print_Norm(self, expr: Any) -> str:
        return f"norm({self._print(expr.args[0])})"

    def _print_Inner(self, expr: Any) -> str:
        return f"inner({', '.join(map(self._print, expr.args))})"

    def _print_Trace(self, expr: Any) -> str:
        return f"trace({self._print(expr.args[0])})"

    def _print_FunctionSymbol(self, expr: Any) -> str:
        return str(expr.name)

    def _print_FunctionClass(self, expr: Any) -> str:
        return f"{type(expr).__name__}({', '.join(map(self._print, expr.args))})"

    def _print_SubgradientAt(self, expr: Any) -> str:
        return f"{expr.args[0].name}.subgradient({self._print(expr.args[1])})"

    def _print_ProximalPoint(self, expr: Any) -> str:
        return f"{expr.args[0].name}.proximal({', '.join(map(self._print, expr.args[1:]))})"

    def _print_LineSearchPoint(self, expr: Any) -> str:
        return f"{expr.args[0].name}.line_search({self._print(expr.args[1])})"

    def _print_ValueAt(self, expr: Any) -> str:
        return f"{expr.args[0].name}({self._print(expr.args[1])})"

    def _print_GradientAt(self, expr: Any) -> str:
        return f"{expr.args[0].name}.gradient({self._print(expr.args[1])})"

    def _print_MinimumOf(self, expr: Any) -> str:
        return f"{expr.args[0].name}.minimum"

    def _print_MinimiserOf(self, expr: Any) -> str:
        return f"{expr.args[0].name}.minimiser"

    def _print_Identity(self, expr: Any) -> str:
        return f"identity({self._print(expr.args[0])})"


def source(items: Sequence[tuple[str, Statement, str]], title: str = "Statements", path: str = "FILE.py") -> str:
    """A statement file with these statements by name, each after its comment.

    >>> x = sp.Symbol("x")
    >>> print(source([("lemma", Statement(variables={x: sp.Interval(0, 1)}, then=x**2 <= x), "from the draft")]))
    \"\"\"Statements: run `lemmascope check FILE.py`.\"\"\"
    <BLANKLINE>
    from sympy import Interval, Le, symbols
    <BLANKLINE>
    from theory import Statement
    <BLANKLINE>
    (x,) = symbols("x,")
    <BLANKLINE>
    # from the draft
    lemma = Statement(
        variables={x: Interval(0, 1, False, False)},
        then=Le(x**2, x, evaluate=False),
    )
    <BLANKLINE>
    """
    bodies = [comment(said) + _assignment(name, statement) for name, statement, said in items]
    letters = sorted({letter for _, statement, _ in items for letter in _letters(statement)})
    spaces = {key: _declared(key) for _, statement, _ in items for key in statement.variables if _is_space_letter(key)}
    if len({key.name for key in spaces} | set(letters)) < len(spaces) + len(letters):
        raise LemmascopeError("one letter means two things in different statements: write a file for each")
    declarations = "".join(
        f"{key.name} = {text}\n" for key, text in sorted(spaces.items(), key=lambda item: str(item[0]))
    )
    code = "\n".join([*([declarations] if declarations else []), *bodies])
    used = set(re.findall(r"\b[A-Za-z_]\w*\b(?!\s*=[^=])", re.sub(r"'[^']*'|\"[^\"]*\"|#.*", "", code)))
    if "S" in {*letters, *(key.name for key in spaces)} and re.search(r"\bS\.", code):
        raise LemmascopeError("the letter S is SymPy's name for the sets of numbers: write the file by hand")
    used -= {key.name for key in spaces}
    ours = sorted(used & set(words_of_theory))
    theirs = sorted(name for name in used - set(letters) - set(ours) if hasattr(sp, name))
    theirs = sorted({*theirs, *(["symbols"] if letters else [])})
    left = f"({letters[0]},)" if len(letters) == 1 else ", ".join(letters)
    declared = f'{left} = symbols("{" ".join(letters)}{"," if len(letters) == 1 else ""}")\n\n' if letters else ""
    head = _HEAD.format(title=_plain(title), path=_plain(path))
    imports = f"from sympy import {', '.join(theirs)}\n\n" if theirs else ""
    return f"{head}{imports}from theory import {', '.join(ours) or 'Statement'}\n\n{declared}{code}"


def _plain(text: str) -> str:
    return "".join(sign if sign.isprintable() and sign not in '"\\' else "_" for sign in text)


def _letters(statement: Statement) -> set[str]:
    found = {symbol for part in (statement.then, *statement.given) for symbol in part.free_symbols}
    found |= set(statement.variables) | {constant.symbol for constant in statement.constants}
    if statement.dynamics is not None:
        found |= {*statement.dynamics.state, *statement.dynamics.parameters}
        found |= {statement.dynamics.time} - {None}
        found |= set().union(*(value.free_symbols for value in statement.start.values()))
    spaces = {key: space for key, space in statement.variables.items() if isinstance(key, sp.MatrixSymbol)}
    found |= set().union(*(size_symbols(*pair) for pair in spaces.items()))
    found -= {ANY_SIZE}
    for symbol in found:
        if (
            not isinstance(symbol, (sp.Symbol, sp.MatrixSymbol, FunctionSymbol))
            or not symbol.name.isidentifier()
            or symbol.name in _RESERVED
        ):
            raise LemmascopeError(f"{symbol} is no name that a statement file can have: write the file by hand")
    return {symbol.name for symbol in found if isinstance(symbol, sp.Symbol)}


def _is_space_letter(key: Any) -> bool:
    return isinstance(key, (sp.MatrixSymbol, FunctionSymbol))


def _declared(letter: sp.MatrixSymbol | FunctionSymbol) -> str:
    """A vector, whose size is that of its space, a matrix, or a function of a class."""
    if isinstance(letter, FunctionSymbol):
        return f'function("{letter.name}")'
    rows, columns = letter.shape
    if rows.is_Integer and columns.is_Integer and columns != 1:
        raise LemmascopeError(f"{letter} is a matrix of one size, which has no text yet: write the file by hand")
    return f'vector("{letter.name}")' if rows == ANY_SIZE else f'matrix("{letter.name}", {rows}, {columns})'


def _require_stable(part: sp.Basic) -> None:
    """Refuse what SymPy would change while the file is run."""
    if part.has(Scaling, ForSmall, Quantifier):
        raise LemmascopeError("quantifiers and laws of growth have no text yet: write the file by hand")
    if part.has(sp.ZeroMatrix):
        raise LemmascopeError("a matrix of zeros has no text yet: write the file by hand")
    for node in sp.preorder_traversal(part):
        if isinstance(node, (sp.Add, sp.Mul, sp.Pow, sp.Function)) and node.func(*node.args) != node:
            raise LemmascopeError(f"{node} would be simplified where a file says it: write the file by hand")
        joins = operator.mul if isinstance(node, sp.MatMul) else operator.add if isinstance(node, sp.MatAdd) else None
        if joins is not None and reduce(joins, node.args) != node:
            raise LemmascopeError(f"{node} would be written otherwise where a file says it: write the file by hand")


def comment(text: str) -> str:
    """Any text as lines of comment: none of it is code."""
    return "".join(f"# {line}".rstrip() + "\n" for line in text.splitlines())


def _assignment(name: str, statement: Statement) -> str:
    show = _Printer().doprint
    moves = () if statement.dynamics is None else statement.dynamics.right_side
    for part in (statement.then, *statement.given, *statement.start.values(), *moves):
        _require_stable(part)
    letters = [key for key in statement.variables if not isinstance(key, (sp.Symbol, sp.MatrixSymbol, FunctionSymbol))]
    if statement.computed is not None or letters or statement.noise or statement.uses:
        raise LemmascopeError("families, noise and steps have no text yet: write the file by hand")
    if (statement.speaks_of_spaces or statement.speaks_of_functions) and statement.dynamics is not None:
        raise LemmascopeError("vectors and matrices that move have no text yet: write the file by hand")
    fields: list[str] = []
    if statement.title:
        fields.append(f"title={statement.title!r}")
    if statement.source.label:
        fields.append(f"source=Source(label={statement.source.label!r})")
    if statement.variables:
        fields.append(_mapping("variables", ((show(key), show(value)) for key, value in statement.variables.items())))
    if statement.given:
        fields.append(f"given=({''.join(f'{show(part)}, ' for part in statement.given).rstrip()})")
    if statement.dynamics is not None:
        fields.append(f"dynamics={_dynamics(statement.dynamics)}")
        fields.append(_mapping("start", ((show(key), show(value)) for key, value in statement.start.items())))
    if statement.constants:
        rows = (f"Constant({show(c.symbol)}, {show(c.value)}, best={c.best!r}), " for c in statement.constants)
        fields.append(f"constants=({''.join(rows).rstrip()})")
    if statement.almost_all:
        fields.append(f"almost_all=({''.join(f'{symbol}, ' for symbol in statement.almost_all).rstrip()})")
    fields.append(f"then={show(statement.then)}")
    return f"{name} = Statement(\n" + "".join(f"    {field},\n" for field in fields) + ")\n"


def _mapping(name: str, pairs: Iterable[tuple[str, str]]) -> str:
    return f"{name}={{{', '.join(f'{key}: {value}' for key, value in pairs)}}}"


def _dynamics(dynamics: Map | Flow) -> str:
    show = _Printer().doprint
    state = "".join(f"{symbol}, " for symbol in dynamics.state).rstrip()
    moves = "".join(f"{show(part)}, " for part in dynamics.right_side).rstrip()
    time = f", {dynamics.time}" if dynamics.time is not None else ""
    return f"{type(dynamics).__name__}(({state}), ({moves}){time})"
