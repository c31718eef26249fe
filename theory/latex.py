"""Losses and relations written in LaTeX, read with a grammar of our own; nothing in the text is ever run as code."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from typing import Any

import sympy as sp
from sympy.logic.boolalg import Boolean
from sympy.matrices.exceptions import ShapeError
from sympy.matrices.expressions.matexpr import MatrixExpr
from sympy.printing.conventions import split_super_sub

from theory.errors import LemmascopeError
from theory.language.classes import FunctionSymbol
from theory.language.means import Expectation
from theory.language.spaces import ANY_SIZE, Inner, Norm, fits, trace
from theory.latex_grammar import Grammar, Node, check_indices, key, shifted
from theory.latex_tokens import FUNCTIONS, RELATIONS, formula_range, reject

ACTIVATIONS: dict[str, Callable[..., sp.Expr]] = {
    "ReLU": lambda value: sp.Max(0, value),
    "relu": lambda value: sp.Max(0, value),
    "sigmoid": lambda value: 1 / (1 + sp.exp(-value)),
    "softplus": lambda value: sp.log(1 + sp.exp(value)),
}
_FUNCTIONS: dict[str, Callable[..., sp.Expr]] = {
    **FUNCTIONS,
    **ACTIVATIONS,
    "sgn": sp.sign,
    "max": sp.Max,
    "min": sp.Min,
    "log_base": sp.log,
}
_TWO = sp.Integer(2)
_MOST_TERMS = 10_000
_MOST_BITS = 20_000
_LARGEST = 10**6
_DECLARE = 'declare vectors and matrices in letters=, for example letters={vector("x"), matrix("A", d, d)}'


def from_latex(latex: str, letters: Iterable[Any] = ()) -> sp.Expr | Boolean:
    r"""The expression, relation or chain of relations that a LaTeX formula says, over plain symbols.

    Letters, Greek letters and names with a subscript are symbols (``x_0`` becomes ``Symbol("x_0")``), ``e`` is Euler's
    number, ``\log`` is natural, decimals are exact, and sums have explicit bounds. What a reader could understand in
    two ways is refused, with the place and a way to write it. ``letters`` are the symbols to use: those with
    assumptions, and the vectors and matrices. Relations are left undecided, for the engines.

    >>> from_latex(r"\frac{L}{2} \left(x_0 - 0.5\right)^2")
    L*(x_0 - 1/2)**2/2
    >>> from_latex(r"0 < \eta \le \sqrt{2}")
    (0 < eta) & (eta <= sqrt(2))
    >>> from_latex(r"\sum_{i=1}^{2} w_i^2")
    w_1**2 + w_2**2
    >>> from theory import matrix, vector
    >>> d = sp.Symbol("d")
    >>> from_latex(r"x^\top A x \le L \|x\|^2", letters={vector("x"), matrix("A", d, d)})
    <x, A*x> <= L*|x|**2
    >>> from theory import function
    >>> from_latex(r"f(x) - \min f \le \frac{1}{2 \mu} \|\nabla f(x)\|^2", letters={function("f"), vector("x")})
    -min f + f(x) <= |grad f(x)|**2/(2*mu)
    >>> from_latex("a < 1, b < 1")
    Traceback (most recent call last):
    theory.errors.LemmascopeError: cannot read the LaTeX at character 6 (,): give one formula at a time
    """
    if not isinstance(latex, str):
        raise LemmascopeError(f"from_latex reads a string, not {type(latex).__name__}: give the formula as r'...'")
    declared = _declared(letters)
    tree = Grammar(latex, *formula_range(latex), declared).formula()
    check_indices(tree)
    return _Meaning(declared).formula(tree)


def _declared(letters: Iterable[Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for letter in letters:
        if isinstance(letter, sp.Identity):
            found["I"] = letter
        elif isinstance(letter, (sp.Symbol, sp.MatrixSymbol, FunctionSymbol)):
            name, above, below = split_super_sub(letter.name)
            found[letter.name if above else key(name, below)] = letter
        else:
            raise LemmascopeError(f"letters= holds symbols, vectors, matrices and functions, not {letter!r}")
    return found


class _Meaning:
    """What a tree says, with the caller's letters."""

    def __init__(self, declared: Mapping[str, Any]) -> None:
        self.declared = declared
        self.terms = 0
        self.shown: dict[str, str] = {}

    def formula(self, tree: Node) -> sp.Expr | Boolean:
        if tree.kind in ("and", "or"):
            return (sp.And if tree.kind == "and" else sp.Or)(*(self.formula(part) for part in tree.parts))
        if tree.kind != "chain":
            return self.of(tree, {})
        values = [self.of(side, {}) for side in tree.parts]
        steps = []
        for sign, pair in zip(tree.value, pairwise(values), strict=True):
            matrices = [isinstance(value, MatrixExpr) for value in pair]
            if any(matrices) and not (all(matrices) and RELATIONS[sign.text] in ("Eq", "Ne")):
                reject(
                    sign,
                    r"vectors and matrices are only equal or not equal to each other: compare numbers, as in \|x\| = 0",
                )
            if all(matrices) and not _same_shape(*pair):
                reject(sign, f"the sides have the shapes {_shape(pair[0])} and {_shape(pair[1])}")
            steps.append(getattr(sp, RELATIONS[sign.text])(*pair, evaluate=False))
        return sp.And(*steps)

    def of(self, node: Node, indices: Mapping[str, int]) -> Any:
        if node.kind in ("sum", "prod"):
            value = self._series(node, indices)
        elif node.kind == "symbol":
            return self._symbol(node, indices)
        elif node.kind == "number":
            return sp.Rational(node.value)
        else:
            self._check_imaginary(node, indices)
            value = getattr(self, f"_{node.kind}")(node, *(self.of(part, indices) for part in node.parts))
        if isinstance(value, MatrixExpr):
            return value
        if value.has(sp.nan, sp.zoo, sp.oo, -sp.oo):
            reject(node.token, "the formula divides by zero or is infinite")
        if value.is_number and (value.has(sp.I) or value.is_extended_real is False):
            reject(node.token, "it has no real value")
        return value

    def _check_imaginary(self, node: Node, indices: Mapping[str, int]) -> None:
        powered = node.kind == "pow" and node.parts[0].kind == "symbol" and node.parts[0].value == ("e", ())
        if (not powered and (node.kind, node.value) != ("call", "exp")) or "i" in indices or "i" in self.declared:
            return
        for part in node.parts[-1].walk():
            if part.kind == "symbol" and part.value == ("i", ()):
                reject(part.token, "it is unclear whether i is the imaginary unit: use another letter, or letters=")

    def _symbol(self, node: Node, indices: Mapping[str, int]) -> Any:
        stem, below = node.value
        style = node.token.style
        if stem in indices and not below and not style:
            return sp.Integer(indices[stem])
        if style == "euler" and not below:
            return sp.E
        parts = [self._below(node, part, indices) for part in below]
        name = key(stem, parts)
        value = self.declared.get(f"{stem}bold" + name[len(stem) :] if style == "bold" else name)
        if value is None and style == "bold":
            value = self.declared.get(name)
            if not isinstance(value, MatrixExpr):
                reject(node.token, f"a bold letter is a vector or a matrix: {_DECLARE}, or write a plain letter")
        if style == "identity" and not isinstance(value, MatrixExpr):
            reject(node.token, "the identity matrix has no size here: add identity(d) to letters=")
        form = style if style in ("bold", "upright") else "plain"
        if self.shown.setdefault(name, form) != form:
            reject(node.token, f"{name} stands here both {form} and {self.shown[name]}: use two letters")
        if value is not None:
            return value
        if below and isinstance(self.declared.get(stem), MatrixExpr):
            reject(
                node.token, f"entries of {stem} are not read: declare {name} in letters= if it is a letter of its own"
            )
        if not below and stem in ("e", "pi") and style != "plain":
            return sp.E if stem == "e" else sp.pi
        return sp.Symbol(name)

    def _below(self, node: Node, part: str, indices: Mapping[str, int]) -> str:
        if part in indices:
            return str(indices[part])
        moved = shifted(part)
        if moved is not None:
            letter, by = moved
            if letter in indices and indices[letter] + by >= 0:
                return str(indices[letter] + by)
            reject(
                node.token, f"the subscript {part} is no name: write the next value as x_{{next}}, or give it in Map"
            )
        joined = [name for name in indices if name in part]
        if joined:
            reject(node.token, f"the subscript {part} has the index {joined[0]} in it: write it with a comma")
        return part

    def _series(self, node: Node, indices: Mapping[str, int]) -> Any:
        low, high = (self.of(end, indices) for end in node.parts[:2])
        if not (low.is_Integer and high.is_Integer):
            reject(node.token, f"the bounds {low} and {high} are not whole numbers: give explicit ones")
        self.terms += max(0, int(high - low) + 1)
        if self.terms > _MOST_TERMS:
            reject(node.token, f"the sums have more than {_MOST_TERMS} terms: sum with SymPy instead")
        values = [self.of(node.parts[2], {**indices, node.value: k}) for k in range(int(low), int(high) + 1)]
        if node.kind == "sum":
            return self._add(node, *values) if values else sp.Integer(0)
        return self._mul(node, *values)

    # arithmetic

    def _bracket(self, node: Node, value: Any) -> Any:  # noqa: ARG002 - every kind is called alike
        return value

    def _neg(self, node: Node, value: Any) -> Any:  # noqa: ARG002
        return -value

    def _add(self, node: Node, *values: Any) -> Any:
        matrices = [isinstance(value, MatrixExpr) for value in values]
        if not any(matrices):
            return sp.Add(*values)
        if not all(matrices):
            reject(node.token, f"a number is added to a vector or matrix: {_DECLARE} and identity(d)")
        total = values[0]
        for value in values[1:]:
            if not _same_shape(total, value):
                reject(node.token, f"a sum has terms of the shapes {_shape(total)} and {_shape(value)}")
            total = _shaped(node, lambda left, right: left + right, total, value)
        return total

    def _mul(self, node: Node, *values: Any) -> Any:
        """Numbers commute; matrices keep their order, and a row times a column is an inner product."""
        numbers: list[Any] = []
        chain: list[Any] = []
        for value in values:
            if not isinstance(value, MatrixExpr):
                numbers.append(value)
                continue
            if chain and not _same_size(chain[-1].shape[1], value.shape[0]):
                why = f"{chain[-1]} and {value} have the shapes {_shape(chain[-1])} and {_shape(value)}"
                reject(node.token, rf"{why}: write x^\top y for an inner product")
            chain.append(value)
            if len(chain) > 1 and chain[0].shape[0] == value.shape[1] == 1:
                numbers.append(Inner(chain[0].T, _shaped(node, sp.MatMul, *chain[1:]) if chain[2:] else chain[1]))
                chain = []
        number = sp.Mul(*numbers)
        if not chain:
            return number
        product = _shaped(node, lambda *parts: sp.MatMul(*parts).doit(), *chain) if chain[1:] else chain[0]
        return number * product

    def _div(self, node: Node, above: Any, below: Any) -> Any:
        if isinstance(below, MatrixExpr):
            reject(node.token, "it divides by a vector or matrix: write A^{-1}")
        return self._mul(node, 1 / below, above)

    _frac = _div

    def _pow(self, node: Node, base: Any, exponent: Any) -> Any:
        if isinstance(exponent, MatrixExpr):
            reject(node.token, "an exponent is a number")
        if isinstance(base, MatrixExpr):
            if not exponent.is_Integer or abs(exponent) > 1000 or not _same_size(*base.shape) or base.shape[1] == 1:
                reject(node.token, r"only square matrices have whole powers: write \|x\|^2 or x^\top x")
            return _shaped(node, lambda: base**exponent)
        if base.is_zero and exponent.is_zero:
            reject(node.token, "0^0 has no agreed value")
        _refuse_giants(node, sp.Pow, base, exponent)
        return base**exponent

    def _transposed(self, node: Node, base: Any) -> Any:
        if isinstance(base, MatrixExpr):
            return base.T
        exponent = self.declared.get("T")
        if node.value:
            reject(node.token, f"a number has no transpose: {_DECLARE}")
        if exponent is None and not base.is_number:
            reject(node.token, f"it is unclear whether T is a transpose: {_DECLARE}, or Symbol('T') for a power")
        return self._pow(node, base, sp.Symbol("T") if exponent is None else exponent)

    def _root(self, node: Node, value: Any, index: Any = _TWO) -> Any:
        _require_numbers(node, value, index)
        if index.is_number and not (index.is_Integer and index >= 2):
            reject(node.token, "the index of a root is a whole number from 2 on")
        if value.is_number and value.is_negative and index.is_Integer and index % 2 == 1:
            return -((-value) ** (1 / index))
        return value ** (1 / index)

    def _factorial(self, node: Node, value: Any) -> Any:
        _require_numbers(node, value)
        if value.is_number and not (value.is_Integer and value >= 0):
            reject(node.token, "a factorial is of a whole number")
        _refuse_giants(node, sp.factorial, value)
        return sp.factorial(value) if node.value == 1 else sp.factorial2(value)

    def _binom(self, node: Node, above: Any, below: Any) -> Any:
        _require_numbers(node, above, below)
        _refuse_giants(node, sp.binomial, above, below)
        return sp.binomial(above, below)

    def _abs(self, node: Node, value: Any) -> Any:
        if isinstance(value, MatrixExpr):
            reject(node.token, r"it is unclear whether this is a norm or a determinant: write \|x\| for a norm")
        return sp.Abs(value)

    def _call(self, node: Node, *values: Any) -> Any:
        if node.value in ("tr", "Tr", "trace"):
            if not isinstance(values[0], MatrixExpr):
                reject(node.token, f"the trace is of a matrix: {_DECLARE}")
            if not _same_size(*values[0].shape):
                reject(node.token, f"the trace is of a square matrix, not of the shape {_shape(values[0])}")
            return trace(values[0])
        _require_numbers(node, *values)
        if node.value == "log_base" and values[1].is_number and not (values[1].is_positive and values[1] != 1):
            reject(node.token, "the base of a logarithm is positive and not 1")
        if node.value == "exp":
            _refuse_giants(node, sp.exp, *values)
        try:
            return _FUNCTIONS[node.value](*values)
        except (TypeError, ValueError):  # where SymPy compares, as in Max, it fails on some norms and complex numbers
            reject(node.token, "SymPy cannot compare what it is of: state a relation for each part")

    # functions of a class, and means

    def _value(self, node: Node, point: Any) -> Any:
        return self.declared[node.value](_point(node, point))

    def _gradient(self, node: Node, point: Any) -> Any:
        return self.declared[node.value].gradient(_point(node, point))

    def _least(self, node: Node) -> Any:
        return self.declared[node.value].minimum

    def _minimiser(self, node: Node) -> Any:
        return self.declared[node.value].minimiser

    def _mean(self, node: Node, of: Any) -> Any:
        _require_numbers(node, of)
        return Expectation(of)

    # vectors

    def _norm(self, node: Node, value: Any) -> Any:
        below = node.value.strip("{} ").removeprefix(r"\mathrm").strip("{} ")
        if not isinstance(value, MatrixExpr):
            reject(node.token, rf"a norm is of a vector: {_DECLARE}, or write |x| for a number")
        is_vector = value.shape[1] == 1
        if below not in (("", "2") if is_vector else ("F",)):
            cure = r"only \|x\| and \|x\|_2 are" if is_vector else r"only Frobenius' \|A\|_F is"
            reject(node.token, f"it is unclear or unknown which norm this is: {cure} read")
        return Norm(value)

    def _inner(self, node: Node, left: Any, right: Any) -> Any:
        if not (isinstance(left, MatrixExpr) and isinstance(right, MatrixExpr)):
            reject(node.token, f"an inner product is of vectors: {_DECLARE}")
        if not _same_shape(left, right):
            reject(node.token, f"an inner product is of one size, not of {_shape(left)} and {_shape(right)}")
        if left.shape[1] == 1:
            return Inner(left, right)
        return trace(_shaped(node, lambda: left.T * right))


def _shape(value: MatrixExpr) -> str:
    return " by ".join("any" if size == ANY_SIZE else str(size) for size in value.shape)


def _same_size(first: Any, second: Any) -> bool:
    """One column fits no other number of rows, though a size that is not given fits every size."""
    return (first == 1) is (second == 1) and fits(first, second)


def _point(node: Node, point: Any) -> Any:
    if not isinstance(point, MatrixExpr) or point.shape[1] != 1:
        reject(node.token, f"a function of a class is of a vector: {_DECLARE}")
    return point


def _same_shape(first: MatrixExpr, second: MatrixExpr) -> bool:
    return all(_same_size(*sizes) for sizes in zip(first.shape, second.shape, strict=True))


def _shaped(node: Node, make: Callable[..., Any], *parts: Any) -> Any:
    try:
        return make(*parts)
    except ShapeError:
        reject(node.token, "the sizes of these vectors and matrices do not fit")


def _require_numbers(node: Node, *values: Any) -> None:
    if any(isinstance(value, MatrixExpr) for value in values):
        reject(node.token, "it takes numbers, not vectors or matrices: write the formula out")


def _refuse_giants(node: Node, head: Any, *values: sp.Expr) -> None:
    """Numbers whose digits would fill the memory are refused before they are computed."""
    size: Any = 0
    if head is sp.Pow and all(part.is_Rational for part in values):
        base, exponent = values
        size = max(abs(base.p), base.q).bit_length() * abs(exponent.p)
    elif head in (sp.Pow, sp.exp) and values[-1].is_number:
        size = 0 if _is_moderate(values[-1]) else _MOST_BITS + 1
    elif head in (sp.factorial, sp.binomial) and all(part.is_Integer for part in values):
        size = max(abs(int(part)) for part in values) * 10
    if size > _MOST_BITS:
        reject(node.token, f"it contains a number of more than {_MOST_BITS} bits: keep it as a symbol")


def _is_moderate(value: sp.Expr) -> bool:
    return bool(abs(sp.N(value, 5)) < _LARGEST)
