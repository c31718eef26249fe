"""Matrices as the vectors of their entries: Frobenius norms and inner products of matrices and their products."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from sympy import Basic, Expr, Identity, Le, MatAdd, MatMul, MatPow, MatrixSymbol, Mul, Symbol, Trace, Transpose
from sympy.logic.boolalg import Boolean
from sympy.matrices.expressions.matexpr import MatrixExpr

from proofs_check.kernel.inner_products import NotTranslatedError
from theory.language.spaces import Inner, Norm, PositiveSemidefinite, Space, SymmetricMatrices, Vectors, any_vector

_MOST_LETTERS = 8


@dataclass
class Entries:
    """Every letter and every product of matrices as a vector, known by what it is of.

    Matrices of one shape with the inner product tr(X'Y) are a Euclidean space, whose norm is Frobenius'. What holds of
    all vectors holds of these, whatever else they are: products are letters of their own, of which only
    |XY| <= |X| |Y| and |X'| = |X| are kept. Twins: what is false of vectors says nothing of matrices; the norm of a
    product is no product of the norms, nor at least as large.
    """

    spaces: Mapping[MatrixSymbol, Space]
    shapes: Mapping[MatrixSymbol, tuple[Expr, Expr]]
    fresh: Callable[[str], Symbol]
    letters: dict[tuple[MatrixExpr, ...], MatrixSymbol] = field(default_factory=dict)
    sizes: dict[tuple[str, str], Symbol] = field(default_factory=dict)
    known: list[Boolean] = field(default_factory=list)

    def number(self, item: Expr) -> Expr:
        """A norm, an inner product or a trace of matrices as one of vectors."""
        if isinstance(item, Norm):
            return Norm(self.vector(item.args[0]))
        if isinstance(item, Inner):
            return Inner(*map(self.vector, item.args))
        factors = _factors(item.args[0])
        if not isinstance(item, Trace) or len(factors) < 2:
            raise NotTranslatedError(f"{item} is no inner product of two matrices here")
        return Inner(self.vector(self._turned(factors[0])), self.vector(_product(factors[1:])))

    def vector(self, of: MatrixExpr) -> MatrixExpr:
        """A combination of matrices as one of vectors."""
        if isinstance(of, MatAdd):
            first, *rest = map(self.vector, of.args)
            total = first
            for part in rest:
                total = total + part
            return total
        if isinstance(of, MatMul) and any(not isinstance(part, MatrixExpr) for part in of.args):
            numbers = [part for part in of.args if not isinstance(part, MatrixExpr)]
            return Mul(*numbers) * self.vector(_product(_factors(of)))
        factors = tuple(_factors(of))
        if len(factors) == 1 and not isinstance(of, (MatrixSymbol, Identity, Transpose)):
            raise NotTranslatedError(f"{of} is no product of letters")
        return self.letters.get(factors) or self._learned(factors)

    def _learned(self, factors: tuple[MatrixExpr, ...]) -> MatrixSymbol:
        if len(self.letters) >= _MOST_LETTERS:
            raise NotTranslatedError("there are too many products of matrices")
        ends = self._shape(factors[0])[0], self._shape(factors[-1])[1]
        shape = str(ends[0]), str(ends[1])
        self.sizes.setdefault(shape, self.fresh("d"))
        letter = any_vector(self.fresh("".join(c for c in "".join(map(str, factors)) if c.isalnum()) or "u").name)
        letter = MatrixSymbol(letter.name, self.sizes[shape], 1)
        self.letters[factors] = letter
        if isinstance(factors[0], Transpose) and len(factors) == 1:
            inside = Norm(self.vector(factors[0].args[0]))
            self.known += [Le(Norm(letter), inside, evaluate=False), Le(inside, Norm(letter), evaluate=False)]
        for place in range(1, len(factors)):
            parts = (self.vector(_product(own)) for own in (factors[:place], factors[place:]))
            self.known.append(Le(Norm(letter), Mul(*map(Norm, parts)), evaluate=False))
        return letter

    def _turned(self, of: MatrixExpr) -> MatrixExpr:
        if isinstance(of, Transpose):
            return of.args[0]
        return of if isinstance(self.spaces.get(of), (SymmetricMatrices, PositiveSemidefinite)) else Transpose(of)

    def _shape(self, of: MatrixExpr) -> tuple[Expr, Expr]:
        if isinstance(of, Transpose):
            return self._shape(of.args[0])[::-1]
        inside = sorted(of.atoms(MatrixSymbol), key=str)
        if of in self.shapes:
            return self.shapes[of]
        if isinstance(of, MatAdd) and all(part in self.shapes for part in inside):
            return self.vector_shape(of)
        if isinstance(of, Identity):
            return of.shape
        raise NotTranslatedError(f"{of} has no shape here")

    def vector_shape(self, of: MatAdd) -> tuple[Expr, Expr]:
        """The shape of a sum, which is that of its first part."""
        factors = _factors(of.args[0])
        return self._shape(factors[0])[0], self._shape(factors[-1])[1]

    @property
    def variables(self) -> dict[MatrixSymbol, Space]:
        """The vectors with their spaces."""
        return {letter: Vectors(letter.shape[0]) for letter in self.letters.values()}


def _factors(of: Basic) -> list[MatrixExpr]:
    """The matrices of a product in order, powers written out."""
    if isinstance(of, MatMul):
        return [own for part in of.args if isinstance(part, MatrixExpr) for own in _factors(part)]
    if isinstance(of, MatPow) and of.exp.is_Integer and of.exp > 0:
        return _factors(of.base) * int(of.exp)
    return [of]


def _product(factors: Sequence[MatrixExpr]) -> MatrixExpr:
    return factors[0] if len(factors) == 1 else MatMul(*factors)
