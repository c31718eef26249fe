"""Vectors and matrices of every size: symbols, inner products, norms and traces, and the spaces they range over.

Expressions are SymPy's matrix expressions; a size that is a symbol means every size. What they mean in numbers is said
by the translations that the kernel knows, never by evaluating them here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise, starmap
from typing import Any

from sympy import (
    Basic,
    Expr,
    Identity,
    Integer,
    MatAdd,
    MatMul,
    MatPow,
    MatrixSymbol,
    Mul,
    Naturals,
    Set,
    Symbol,
    Trace,
    Transpose,
    oo,
    sympify,
)
from sympy.core.relational import Relational
from sympy.matrices.expressions.matexpr import MatrixExpr
from sympy.printing.printer import Printer

from theory.errors import LemmascopeError

ANY_SIZE = Symbol("_d")
"""The size of vectors of which none is said: one size for all of them, any."""


class Inner(Expr):
    """The inner product of two vectors.

    >>> x, y = any_vector("x"), any_vector("y")
    >>> Inner(x, 2 * y)
    <x, 2*y>
    """

    is_commutative = True

    def __new__(cls, left: MatrixExpr, right: MatrixExpr) -> Inner:
        left, right = _as_matrix(left), _as_matrix(right)
        for part in (left, right):
            require_vector(part, "the inner product")
        _require_same(left.shape[0], right.shape[0], f"the inner product of {left} and {right}")
        return Basic.__new__(cls, left, right)

    def _sympystr(self, printer: Printer) -> str:
        return f"<{printer.doprint(self.args[0])}, {printer.doprint(self.args[1])}>"

    def _latex(self, printer: Printer, exp: str | None = None) -> str:
        text = rf"\left\langle {printer.doprint(self.args[0])}, {printer.doprint(self.args[1])} \right\rangle"
        return text if exp is None else rf"{text}^{{{exp}}}"


class Norm(Expr):
    """The Euclidean norm of a vector, the Frobenius norm of a matrix.

    >>> Norm(any_vector("x")) ** 2
    |x|**2
    """

    is_commutative = True

    def __new__(cls, of: MatrixExpr) -> Norm:
        of = _as_matrix(of)
        if not isinstance(of, MatrixExpr):
            raise LemmascopeError(f"norm({of}) is no norm of a vector or matrix: for a number write Abs({of})")
        return Basic.__new__(cls, of)

    def _sympystr(self, printer: Printer) -> str:
        return f"|{printer.doprint(self.args[0])}|"

    def _latex(self, printer: Printer, exp: str | None = None) -> str:
        which = "" if self.args[0].shape[1] == 1 else "_{F}"
        text = rf"\left\| {printer.doprint(self.args[0])} \right\|{which}"
        return text if exp is None else rf"{text}^{{{exp}}}"


def any_vector(name: str) -> MatrixSymbol:
    """A vector of any size.

    >>> any_vector("x").shape[1]
    1
    """
    return MatrixSymbol(name, ANY_SIZE, 1)


def any_matrix(name: str, rows: Any, columns: Any) -> MatrixSymbol:
    """A matrix whose sizes are symbols, which means every size."""
    return MatrixSymbol(name, sympify(rows), sympify(columns))


def inner(left: MatrixExpr, right: MatrixExpr) -> Inner:
    """The inner product of two vectors of the same size.

    >>> inner(any_vector("x"), any_vector("y"))
    <x, y>
    """
    return Inner(left, right)


def norm(of: MatrixExpr) -> Norm:
    """The Euclidean norm of a vector or the Frobenius norm of a matrix.

    >>> norm(any_vector("x"))
    |x|
    """
    return Norm(of)


def trace(of: MatrixExpr) -> Expr:
    """The trace of a square matrix.

    >>> d = Symbol("d")
    >>> trace(any_matrix("A", d, d))
    Trace(A)
    """
    if not isinstance(of, MatrixExpr):
        raise LemmascopeError(f"trace({of}) needs a matrix")
    _require_same(of.shape[0], of.shape[1], f"the trace of {of}")
    return Trace(of)


def identity(size: Any) -> MatrixExpr:
    """The identity matrix of a size, which may be a symbol.

    >>> identity(Symbol("d"))
    I
    """
    return Identity(sympify(size))


class Space(Set):
    """Where a vector or a matrix lives."""

    is_empty = False
    is_finite_set = False

    @property
    def free_symbols(self) -> set[Symbol]:
        """The numbers that bound it; sizes are not variables."""
        return set()


class Vectors(Space):
    """Vectors of one size, every size when none is given.

    >>> Vectors(), Vectors(3)
    (Vectors(), Vectors(3))
    """

    def __new__(cls, size: Any = None) -> Vectors:
        return Basic.__new__(cls) if size is None else Basic.__new__(cls, sympify(size))

    @property
    def size(self) -> Expr | None:
        """The number of coordinates, None when every number is meant."""
        return self.args[0] if self.args and self.args[0].is_Integer else None

    def _latex(self, printer: Printer) -> str:
        return rf"\mathbb{{R}}^{{{printer.doprint(self.args[0]) if self.args else 'd'}}}"


class Matrices(Space):
    """Matrices with these numbers of rows and columns."""

    def __new__(cls, rows: Any, columns: Any) -> Matrices:
        return Basic.__new__(cls, sympify(rows), sympify(columns))

    def _latex(self, printer: Printer) -> str:
        return rf"\mathbb{{R}}^{{{printer.doprint(self.args[0])} \times {printer.doprint(self.args[1])}}}"


class SymmetricMatrices(Space):
    """Symmetric matrices, possibly with all eigenvalues between two numbers.

    >>> SymmetricMatrices(Symbol("d"), lower=0).bounds
    (0, oo)
    """

    def __new__(cls, size: Any, lower: Any = -oo, upper: Any = oo) -> SymmetricMatrices:
        return Basic.__new__(cls, sympify(size), sympify(lower), sympify(upper))

    @property
    def bounds(self) -> tuple[Expr, Expr]:
        """Between which numbers the eigenvalues lie."""
        return self.args[1], self.args[2]

    @property
    def free_symbols(self) -> set[Symbol]:
        """The symbols of the bounds."""
        return self.args[1].free_symbols | self.args[2].free_symbols

    def _latex(self, printer: Printer) -> str:
        lower, upper = self.bounds
        text = rf"\mathrm{{Sym}}({printer.doprint(self.args[0])})"
        low = "" if lower == -oo else rf"{printer.doprint(lower)} I \preceq "
        high = "" if upper == oo else rf" \preceq {printer.doprint(upper)} I"
        return rf"\{{ S \in {text} : {low}S{high} \}}" if low or high else text


class PositiveSemidefinite(Space):
    """Symmetric matrices without negative eigenvalues."""

    def __new__(cls, size: Any) -> PositiveSemidefinite:
        return Basic.__new__(cls, sympify(size))

    def _latex(self, printer: Printer) -> str:
        return rf"\mathrm{{Sym}}_{{\succeq 0}}({printer.doprint(self.args[0])})"


class OrthogonalMatrices(Space):
    """Square matrices whose transpose is their inverse."""

    def __new__(cls, size: Any) -> OrthogonalMatrices:
        return Basic.__new__(cls, sympify(size))

    def _latex(self, printer: Printer) -> str:
        return rf"\mathrm{{O}}({printer.doprint(self.args[0])})"


def lives_in(symbol: MatrixSymbol, space: Any) -> Space:
    """The space of a vector or matrix symbol, which must fit its shape."""
    if not isinstance(space, Space):
        example = "Vectors()" if symbol.shape[1] == 1 else "Matrices(m, n)"
        raise LemmascopeError(f"{symbol} is a vector or matrix: its domain is a space such as {example}, not {space!r}")
    if isinstance(space, Vectors) is not (symbol.shape[1] == 1):
        raise LemmascopeError(f"{symbol} has the shape {symbol.shape}, which does not fit its domain {space}")
    if isinstance(space, Vectors) and space.args and symbol.shape[0] not in (ANY_SIZE, space.args[0]):
        raise LemmascopeError(f"{symbol} has the size {symbol.shape[0]}, which does not fit its domain {space}")
    if not isinstance(space, Vectors):
        rows, columns = space.args[:2] if isinstance(space, Matrices) else (space.args[0], space.args[0])
        if tuple(map(str, symbol.shape)) != (str(rows), str(columns)):
            raise LemmascopeError(f"{symbol} has the shape {symbol.shape}, which does not fit its domain {space}")
    return space


def require_sizes(symbol: MatrixSymbol, space: Space, domains: Mapping[Any, Set]) -> None:
    """Refuse a size that is no positive whole number, or a symbol that may stand for another one.

    >>> from sympy import Naturals0
    >>> d = Symbol("d")
    >>> require_sizes(any_vector("x"), Vectors(d), {d: Naturals0})
    Traceback (most recent call last):
    theory.errors.LemmascopeError: the size d of x is a positive whole number: {d: Naturals}
    """
    for size in (*symbol.shape, *(space.args if isinstance(space, Vectors) else ())):
        is_counted = size.is_Integer and size > 0
        domain = domains.get(size, Naturals)
        if not is_counted and not (isinstance(size, Symbol) and isinstance(domain, Set) and domain.is_subset(Naturals)):
            cure = f": {{{size}: Naturals}}" if isinstance(size, Symbol) else ": use a symbol for it"
            raise LemmascopeError(f"the size {size} of {symbol} is a positive whole number{cure}")


def size_symbols(symbol: MatrixSymbol, space: Space) -> set[Symbol]:
    """The symbols that are sizes of a vector or matrix: they stand for every positive whole number.

    >>> size_symbols(any_vector("x"), Vectors(Symbol("n")))
    {n}
    """
    own = (*symbol.shape, *(space.args if isinstance(space, Vectors) else ()))
    return set().union(*(size.free_symbols for size in own)) - {ANY_SIZE}


def letters(*parts: Basic) -> set[MatrixSymbol]:
    """The vector and matrix symbols that occur.

    >>> sorted(map(str, letters(norm(any_vector("x")) <= 1)))
    ['x']
    """
    return set().union(*(part.atoms(MatrixSymbol) for part in parts))


def fits(first: Expr, second: Expr) -> bool:
    """Whether two sizes are the same, which that of a vector without a size always is.

    >>> fits(Symbol("m"), Symbol("n")), fits(ANY_SIZE, Symbol("n"))
    (False, True)
    """
    return str(first) == str(second) or ANY_SIZE in (first, second)


def require_fitting(variables: Mapping[Any, Any], parts: Iterable[Basic]) -> None:
    """Refuse products, sums, inner products, traces and equations whose sizes do not fit; symbols are compared by name.

    A vector has the size of its space, and one without a size fits everywhere.
    """
    for part in parts:
        for of in part.atoms(MatMul, MatAdd, MatPow, Inner, Trace, Relational):
            own = [arg for arg in of.args if isinstance(arg, MatrixExpr)]
            if isinstance(of, MatrixExpr):
                _shape(of, variables)
            elif isinstance(of, Trace):
                if not fits(*_shape(of.args[0], variables)):
                    raise LemmascopeError(f"the trace of {of.args[0]} needs as many rows as columns")
            elif len(own) == 2 and not all(starmap(fits, zip(*(_shape(arg, variables) for arg in own), strict=True))):
                raise LemmascopeError(f"{own[0]} and {own[1]} in {of} have different sizes")


def _shape(of: MatrixExpr, variables: Mapping[Any, Any]) -> tuple[Expr, Expr]:
    """The numbers of rows and columns, where those of neighbours fit."""
    if isinstance(of, MatrixSymbol):
        space = variables.get(of)
        return (space.args[0], Integer(1)) if isinstance(space, Vectors) and space.args else of.shape
    own = [_shape(arg, variables) for arg in of.args if isinstance(arg, MatrixExpr)]
    if isinstance(of, Transpose):
        return own[0][::-1]
    if isinstance(of, MatPow):
        own *= 2
    if isinstance(of, (MatMul, MatPow)):
        for (_, columns), (rows, _) in pairwise(own):
            if not fits(columns, rows):
                raise LemmascopeError(f"the sizes in {of} do not fit: {columns} columns meet {rows} rows")
        return own[0][0], own[-1][1]
    if isinstance(of, MatAdd):
        if not all(fits(*sizes) for first, second in pairwise(own) for sizes in zip(first, second, strict=True)):
            raise LemmascopeError(f"the sizes in {of} do not fit: what is added needs one shape")
        known = [shape for shape in own if ANY_SIZE not in shape]
        return (known or own)[0]
    shape: tuple[Expr, Expr] = of.shape
    return shape


def _as_matrix(part: Any) -> Any:
    """A multiple of a matrix as such where SymPy, which looks for signs in Abs, makes a product of numbers of it."""
    is_lost = isinstance(part, Mul) and not isinstance(part, MatrixExpr) and part.has(MatrixExpr)
    return MatMul(*part.args).doit() if is_lost else part


def require_vector(part: Any, where: str) -> None:
    """Refuse what is no column."""
    if not isinstance(part, MatrixExpr) or part.shape[1] != 1:
        raise LemmascopeError(f"{where} needs vectors, not {part}: write rows as columns")


def _require_same(first: Expr, second: Expr, what: str) -> None:
    if not fits(first, second):
        raise LemmascopeError(f"{what} needs one size, not {first} and {second}")


WORDS = (Inner, Norm, Vectors, Matrices, SymmetricMatrices, PositiveSemidefinite, OrthogonalMatrices)
"""What the language has beyond SymPy's matrix expressions."""
