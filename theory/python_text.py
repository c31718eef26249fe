"""Formulas written as Python text, read with a grammar of our own; nothing in the text is ever run as code.

The text is parsed into Python's syntax tree, of which only numbers, names, arithmetic, comparisons, `and`, `or`, `not`
and calls of the functions and words of the language are read; everything else is refused with its place.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from functools import cache
from itertools import pairwise
from typing import Any

import sympy as sp
from sympy.logic.boolalg import Boolean
from sympy.matrices.expressions.matexpr import MatrixExpr

from theory import temporal
from theory.errors import LemmascopeError
from theory.language.functions import by_name
from theory.language.spaces import inner, norm, trace
from theory.latex import ACTIVATIONS

_LONGEST = 10_000
_MOST_NODES = 3_000
_MOST_DIGITS = 1_000
_MOST_BITS = 20_000
_LARGEST_ARGUMENT = 10_000
"""Whole numbers beyond it are not put into functions, some of which would write out their values."""

_RELATIONS: dict[type[ast.cmpop], Callable[..., Boolean]] = {
    ast.Lt: sp.Lt, ast.LtE: sp.Le, ast.Gt: sp.Gt, ast.GtE: sp.Ge, ast.Eq: sp.Eq, ast.NotEq: sp.Ne,
}  # fmt: skip
_CONSTANTS = {"pi": sp.pi, "E": sp.E, "oo": sp.oo}
_WORDS: dict[str, Callable[..., Any]] = {
    **temporal.OPERATORS,
    "And": sp.And, "Or": sp.Or, "Not": sp.Not, "Implies": sp.Implies,
    "Eq": lambda left, right: sp.Eq(left, right, evaluate=False),
    "Ne": lambda left, right: sp.Ne(left, right, evaluate=False),
    "inner": inner, "norm": norm, "trace": trace,
}  # fmt: skip


@cache
def _functions() -> dict[str, Callable[..., sp.Expr]]:
    """The functions by the names under which they may be called."""
    table: dict[str, Callable[..., sp.Expr]] = {name: entry.function for name, entry in by_name().items()}
    others = {"abs": sp.Abs, "max": sp.Max, "min": sp.Min, "ln": sp.log}
    return {**table, **others, **ACTIVATIONS}


def from_python(text: str, letters: Iterable[Any] = ()) -> Any:
    """The expression or formula that a Python text says, over plain symbols or the given letters.

    `==` is an equation, decimals are exact, chains such as `0 < x < 1` are read, and what would cancel a term that may
    have no value is left as it is written.

    >>> from_python("0 < eta <= sqrt(2)")
    (0 < eta) & (eta <= sqrt(2))
    >>> from_python("Always(x**2 <= 0.5*x0)")
    Always(x**2 <= x0/2)
    >>> from_python("x/x == 1")
    Eq(x/x, 1)
    >>> from_python("os.system('ls')")
    Traceback (most recent call last):
    theory.errors.LemmascopeError: cannot read the Python at character 1 (os.system): only functions are called
    """
    if not isinstance(text, str):
        raise LemmascopeError(f"a formula is a string, not {type(text).__name__}")
    if len(text) > _LONGEST:
        raise LemmascopeError(f"a formula has at most {_LONGEST} characters, not {len(text)}")
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise LemmascopeError(f"cannot read {text.strip()!r} as a Python expression: {_why(error)}") from None
    if sum(1 for _ in ast.walk(tree)) > _MOST_NODES:
        raise LemmascopeError(f"the formula has more than {_MOST_NODES} parts: shorten it")
    declared = {letter.name: letter for letter in letters}
    try:
        return _Reader(text.strip(), declared).of(tree.body)
    except RecursionError:
        raise LemmascopeError("the formula is nested too deeply: shorten it") from None


def _why(error: BaseException) -> str:
    return str(getattr(error, "msg", None) or error or "it is nested too deeply")


class _Reader:
    def __init__(self, text: str, declared: dict[str, Any]) -> None:
        self.text, self.declared = text, declared

    def _wrong(self, node: ast.AST, why: str) -> LemmascopeError:
        written = ast.get_source_segment(self.text, node) or self.text
        place = getattr(node, "col_offset", 0) + 1
        return LemmascopeError(f"cannot read the Python at character {place} ({written[:60]}): {why}")

    def of(self, node: ast.AST) -> Any:
        read = getattr(self, f"_{type(node).__name__.lower()}", None)
        if read is None:
            raise self._wrong(node, "only numbers, names, arithmetic, comparisons and known functions are read")
        return read(node)

    def _constant(self, node: ast.Constant) -> sp.Expr:
        if isinstance(node.value, bool) or not isinstance(node.value, (int, float)):
            raise self._wrong(node, "only numbers are constants")
        written = (ast.get_source_segment(self.text, node) or "").replace("_", "")
        mantissa, _, exponent = written.lower().partition("e")
        if len(written) > _MOST_DIGITS or len(exponent) > 4 or not mantissa.replace(".", "", 1).isdecimal():
            raise self._wrong(node, "write the number in decimals, or as a fraction")
        return sp.Rational(written)

    def _name(self, node: ast.Name) -> Any:
        if node.id in self.declared:
            return self.declared[node.id]
        if node.id.startswith("_") or (node.id in _WORDS and node.id[0].isupper()):
            raise self._wrong(node, "this is no name of a variable")
        return _CONSTANTS.get(node.id) or sp.Symbol(node.id)

    def _tuple(self, node: ast.Tuple) -> tuple[Any, ...]:
        return tuple(self.of(part) for part in node.elts)

    def _unaryop(self, node: ast.UnaryOp) -> Any:
        value = self.of(node.operand)
        if isinstance(node.op, ast.Not):
            return sp.Not(self._formula(node.operand, value))
        if isinstance(node.op, ast.USub):
            return -self._number(node.operand, value)
        if isinstance(node.op, ast.UAdd):
            return self._number(node.operand, value)
        raise self._wrong(node, "this sign is not part of the language")

    def _binop(self, node: ast.BinOp) -> Any:
        left, right = self._number(node.left, self.of(node.left)), self._number(node.right, self.of(node.right))
        if any(isinstance(part, MatrixExpr) for part in (left, right)):
            return self._of_matrices(node, left, right)
        match node.op:
            case ast.Add():
                return self._kept(node, sp.Add, left, right)
            case ast.Sub():
                return self._kept(node, sp.Add, left, self._kept(node, sp.Mul, sp.Integer(-1), right))
            case ast.Mult():
                return self._kept(node, sp.Mul, left, right)
            case ast.Div():
                if right.is_zero:
                    raise self._wrong(node, "it divides by zero")
                return self._kept(node, sp.Mul, left, self._kept(node, sp.Pow, right, sp.Integer(-1)))
            case ast.Pow():
                self._refuse_giants(node, left, right)
                return self._kept(node, sp.Pow, left, right)
        raise self._wrong(node, "powers are written **, and only + - * / ** are read")

    def _of_matrices(self, node: ast.BinOp, left: Any, right: Any) -> Any:
        try:
            match node.op:
                case ast.Add():
                    return left + right
                case ast.Sub():
                    return left - right
                case ast.Mult():
                    return left * right
                case ast.Div() if not isinstance(right, MatrixExpr):
                    return left / right
        except (TypeError, ValueError, sp.ShapeError) as error:
            raise self._wrong(node, f"vectors and numbers do not fit together here ({error})") from error
        raise self._wrong(node, "vectors are added, and multiplied by numbers and matrices")

    def _refuse_giants(self, node: ast.AST, base: sp.Expr, exponent: sp.Expr) -> None:
        if base.is_Rational and exponent.is_Rational:
            bits = max(abs(base.p), base.q).bit_length() * abs(exponent.p)
            if bits > _MOST_BITS:
                raise self._wrong(node, f"the number has more than {_MOST_BITS} bits: keep it as a symbol")
        if base.is_zero and not exponent.is_positive:
            raise self._wrong(node, "it divides by zero, or has no agreed value")

    def _kept(self, node: ast.AST, make: Callable[..., Any], *parts: sp.Expr) -> sp.Expr:
        """What SymPy makes of the parts, unless a term that may have no value would vanish on the way."""
        value = make(*parts)
        if value.has(sp.nan, sp.zoo) or (value.has(sp.oo, -sp.oo) and not value.is_infinite):
            raise self._wrong(node, "it divides by zero or is infinite")
        if set().union(*map(_partial, parts)) <= _partial(value):
            return value
        return make(*parts, evaluate=False)

    def _compare(self, node: ast.Compare) -> Boolean:
        sides = [self.of(side) for side in (node.left, *node.comparators)]
        steps = []
        for sign, (left, right) in zip(node.ops, pairwise(sides), strict=True):
            if type(sign) not in _RELATIONS:
                raise self._wrong(node, "comparisons are < <= > >= == and !=")
            for side in (left, right):
                self._number(node, side)
            steps.append(_RELATIONS[type(sign)](left, right, evaluate=False))
        return sp.And(*steps)

    def _boolop(self, node: ast.BoolOp) -> Boolean:
        parts = [self._formula(part, self.of(part)) for part in node.values]
        return (sp.And if isinstance(node.op, ast.And) else sp.Or)(*parts)

    def _call(self, node: ast.Call) -> Any:
        if not isinstance(node.func, ast.Name):
            raise self._wrong(node.func, "only functions are called")
        name = node.func.id
        if node.keywords or any(isinstance(part, ast.Starred) for part in node.args):
            raise self._wrong(node, "functions are called with plain arguments")
        values = [self.of(part) for part in node.args]
        if name == "sqrt" and len(values) == 1:
            return self._kept(node, sp.Pow, self._number(node, values[0]), sp.Rational(1, 2))
        if name == "Rational" and len(values) == 2 and all(part.is_Integer for part in values) and values[1] != 0:
            return sp.Rational(*values)
        if name in _WORDS:
            return self._word(node, name, values)
        if name not in _functions():
            raise self._wrong(node.func, f"{name} is no function of the language")
        for part, value in zip(node.args, values, strict=True):
            self._number(part, value)
            if isinstance(value, MatrixExpr):
                raise self._wrong(part, "it takes numbers, not vectors")
            if value.is_Integer and abs(value) > _LARGEST_ARGUMENT:
                raise self._wrong(part, f"the argument is beyond {_LARGEST_ARGUMENT}: keep it as a symbol")
        entry = by_name().get(name)
        if entry is not None and entry.arity and len(values) not in entry.arity:
            raise self._wrong(node, f"{name} takes {' or '.join(map(str, entry.arity))} arguments")
        try:
            return self._kept(node, _functions()[name], *values)
        except (TypeError, ValueError) as error:
            raise self._wrong(node, f"{name} cannot be applied here ({error})") from error

    def _word(self, node: ast.Call, name: str, values: list[Any]) -> Any:
        try:
            return _WORDS[name](*values)
        except (TypeError, ValueError, AttributeError) as error:
            raise self._wrong(node, f"{name} does not take this ({error})") from error

    def _number(self, node: ast.AST, value: Any) -> Any:
        if not isinstance(value, (sp.Expr, MatrixExpr)):
            raise self._wrong(node, "a number is expected here")
        return value

    def _formula(self, node: ast.AST, value: Any) -> Boolean:
        if not isinstance(value, Boolean) or isinstance(value, sp.Symbol):
            raise self._wrong(node, "a comparison or another formula is expected here")
        return value


def _partial(value: sp.Basic) -> set[Any]:
    """The parts of a term that need not have a value everywhere: functions, and bases of roots and denominators."""
    bases = {
        power.base.as_coeff_Mul()[1]
        for power in value.atoms(sp.Pow)
        if not (power.exp.is_Integer and power.exp >= 0) and not power.base.is_number
    }
    return bases | {use for use in value.atoms(sp.Function) if use.free_symbols}
