"""Polynomials in matrices of every size: sums of typed words, traces of words up to rotation and transpose.

Distinct normal forms are treated as independent, so that what is equal here is equal for all matrices of all sizes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import count, pairwise
from typing import Any

from sympy import (
    Add,
    Basic,
    Expr,
    Identity,
    MatAdd,
    MatMul,
    MatPow,
    MatrixSymbol,
    Mul,
    Pow,
    S,
    Symbol,
    Trace,
    Transpose,
    ZeroMatrix,
    diff,
)
from sympy.matrices.expressions.matexpr import MatrixExpr

from theory.errors import LemmascopeError
from theory.language.spaces import (
    Inner,
    Norm,
    OrthogonalMatrices,
    PositiveSemidefinite,
    Space,
    SymmetricMatrices,
    fits,
    letters,
)

Letter = tuple[MatrixSymbol, bool]
"""A matrix, and whether it is transposed."""
Word = tuple[Letter, ...]
Words = dict[Word, Expr]


class NotWordsError(LemmascopeError):
    """An expression is no polynomial in matrices and traces; the message says why."""


class Alphabet:
    """Letters with their spaces, and a number for the trace of every word that was met.

    >>> d = Symbol("d")
    >>> A, B = MatrixSymbol("A", d, d), MatrixSymbol("B", d, d)
    >>> alphabet = Alphabet({})
    >>> alphabet.trace(A * B) == alphabet.trace(B.T * A.T)
    True
    """

    def __init__(
        self, spaces: Mapping[MatrixSymbol, Space], fresh: Callable[[str], Symbol] = lambda name: Symbol(f"_{name}")
    ) -> None:
        self.spaces, self._fresh = spaces, fresh
        self.names: dict[Word, Symbol] = {}
        """The traces of words, by their normal forms."""

    def words(self, of: Basic) -> Words:
        """A matrix expression as a sum of words with numbers before them."""
        if isinstance(of, MatrixSymbol):
            return {((of, False),): S.One}
        if isinstance(of, Identity):
            return {(): S.One}
        if isinstance(of, ZeroMatrix):
            return {}
        if isinstance(of, Transpose):
            return {self.reduced(self.transposed(word)): value for word, value in self.words(of.args[0]).items()}
        if isinstance(of, MatAdd):
            return _collected(pair for part in of.args for pair in self.words(part).items())
        if isinstance(of, MatPow) and of.exp.is_Integer and of.exp.is_positive:
            return self._product([of.base] * int(of.exp), S.One)
        if isinstance(of, MatMul):
            return self._product(
                [part for part in of.args if isinstance(part, MatrixExpr)],
                Mul(*(part for part in of.args if not isinstance(part, MatrixExpr))),
            )
        raise NotWordsError(f"{of} is no sum of products of matrices")

    def _product(self, parts: Sequence[MatrixExpr], factor: Expr) -> Words:
        total: Words = {(): factor}
        for part in parts:
            further = self.words(part)
            total = _collected(
                (self.reduced(left + right), a * b) for left, a in total.items() for right, b in further.items()
            )
        return total

    def is_symmetric(self, letter: MatrixSymbol) -> bool:
        """Whether a letter is its own transpose."""
        return isinstance(self.spaces.get(letter), (SymmetricMatrices, PositiveSemidefinite))

    def transposed(self, word: Word) -> Word:
        """The word of the transposed matrix."""
        return tuple((letter, not turned and not self.is_symmetric(letter)) for letter, turned in reversed(word))

    def reduced(self, word: Word) -> Word:
        """A word without an orthogonal matrix next to its transpose."""
        kept: list[Letter] = []
        for letter, turned in word:
            if kept and kept[-1] == (letter, not turned) and isinstance(self.spaces.get(letter), OrthogonalMatrices):
                kept.pop()
            else:
                kept.append((letter, turned))
        return tuple(kept)

    def trace(self, of: MatrixExpr) -> Expr:
        """The trace as a sum of products of the numbers in `names`; the trace of an identity is its size."""
        require_shapes(of)
        return Add(*(value * self.trace_of(word, of.shape[0]) for word, value in self.words(of).items()))

    def trace_of(self, word: Word, size: Expr) -> Expr:
        """The trace of one word."""
        return Mul(*self.loop(word, size))

    def loop(self, word: Word, size: Expr) -> list[Expr]:
        """The factors of a trace: a word is cut where a row meets a column, what is between two cuts is a number."""
        word = self.reduced(word)
        while len(word) > 1 and not self.reduced((word[-1], word[0])):
            word = word[1:-1]
        if not word:
            return [size]
        cuts = [place for place, letter in enumerate(word) if rows_of(letter) == 1]
        if not cuts:
            return [self._named(min(self._turns(word), key=_order))]
        turned = word[cuts[0] :] + word[: cuts[0]]
        pieces = [turned[start:end] for start, end in pairwise([*(place - cuts[0] for place in cuts), len(word)])]
        return [self._named(min((piece, self.transposed(piece)), key=_order)) for piece in pieces]

    def _turns(self, word: Word) -> Iterable[Word]:
        return (both[k:] + both[:k] for both in (word, self.transposed(word)) for k in range(len(word)))

    def _named(self, word: Word) -> Symbol:
        if word not in self.names:
            self.names[word] = self._fresh(f"t_{len(self.names)}")
        return self.names[word]

    def numbers(self, of: Basic) -> Basic:
        """Inner products, squared norms and traces as sums of the numbers in `names`."""
        values: dict[Expr, Expr] = {}
        for item in of.atoms(Inner, Norm, Trace):
            if isinstance(item, Norm):
                values[item**2] = self.trace(_joined(Transpose(item.args[0]), item.args[0]))
            elif isinstance(item, Inner):
                values[item] = self.trace(_joined(Transpose(item.args[0]), item.args[1]))
            else:
                values[item] = self.trace(item.args[0])
        changed = even_norms(of).xreplace(values)
        if changed.has(Norm) or letters(changed):
            raise NotWordsError("a norm that is not squared, or a matrix among numbers")
        return changed


def rows_of(letter: Letter) -> Expr:
    """The number of rows of a letter, transposed or not."""
    return letter[0].shape[1] if letter[1] else letter[0].shape[0]


def columns_of(letter: Letter) -> Expr:
    """The number of columns."""
    return rows_of((letter[0], not letter[1]))


def _order(word: Word) -> list[tuple[str, bool]]:
    return [(letter.name, turned) for letter, turned in word]


def even_norms(of: Basic) -> Basic:
    """Fourth and further even powers of norms as powers of squares."""
    powers = {
        power: Pow(Pow(power.base, 2), power.exp / 2, evaluate=False)
        for power in of.atoms(Pow)
        if isinstance(power.base, Norm) and power.exp.is_Integer and power.exp.is_even and power.exp != 2
    }
    return of.xreplace(powers) if powers else of


def _collected(pairs: Iterable[tuple[Word, Expr]]) -> Words:
    total: Words = {}
    for word, value in pairs:
        total[word] = total.get(word, S.Zero) + value
    return {word: value for word, value in total.items() if value != 0}


def _joined(*parts: MatrixExpr) -> MatMul:
    return MatMul(*parts, evaluate=False)


def matrix_of(words: Mapping[Word, Expr], shape: Sequence[Any]) -> MatrixExpr:
    """The matrix expression of a sum of words.

    >>> A = MatrixSymbol("A", Symbol("m"), Symbol("n"))
    >>> matrix_of({((A, True), (A, False)): S(2)}, (Symbol("n"), Symbol("n")))
    2*A.T*A
    """
    terms = [
        MatMul(*([] if value == 1 else [value]), *(Transpose(a) if turned else a for a, turned in word))
        if word
        else MatMul(value, Identity(shape[0]))
        for word, value in words.items()
        if value != 0
    ]
    return MatAdd(*terms).doit() if terms else ZeroMatrix(*shape)


def require_shapes(of: Basic) -> None:
    """Refuse neighbours in products and sums that do not have one size between them; symbols are compared by name."""
    for product in of.atoms(MatMul):
        parts = [part for part in product.args if isinstance(part, MatrixExpr)]
        for left, right in pairwise(parts):
            if not fits(left.shape[1], right.shape[0]):
                raise NotWordsError(f"the sizes in {product} do not fit")
    for total in of.atoms(MatAdd):
        first, *rest = (part.shape for part in total.args)
        if not all(fits(size, other) for shape in rest for size, other in zip(first, shape, strict=True)):
            raise NotWordsError(f"the sizes in {total} do not fit")


def matrix_gradient(loss: Expr, by: MatrixSymbol) -> MatrixExpr:
    """The matrix G with dL = tr(G' dX), for a differentiable function of traces: cyclic derivatives and the chain rule.

    >>> m, n = Symbol("m"), Symbol("n")
    >>> W = MatrixSymbol("W", m, n)
    >>> matrix_gradient(Norm(W) ** 2 / 2, W)
    W
    """
    alphabet = Alphabet({})
    outer = alphabet.numbers(loss)
    traces = {name: _written(word) for word, name in alphabet.names.items()}
    total: Words = {}
    for word, name in alphabet.names.items():
        slope = diff(outer, name).xreplace(traces)
        if slope == 0:
            continue
        for place, (letter, turned) in enumerate(word):
            if letter != by:
                continue
            rest = word[place + 1 :] + word[:place]
            own = rest if turned else alphabet.transposed(rest)
            total[own] = total.get(own, S.Zero) + slope
    return matrix_of(total, by.shape)


def _written(word: Word) -> Expr:
    """The trace of a word in the language of statements."""
    parts = [Transpose(letter) if turned else letter for letter, turned in word]
    half = len(word) // 2
    if len(word) == 2 * half and word[:half] == tuple((a, not t) for a, t in reversed(word[half:])):
        return Norm(_one(parts[half:])) ** 2
    if rows_of(word[0]) == 1:
        return Inner(parts[0].args[0] if word[0][1] else Transpose(parts[0]), _one(parts[1:]))
    return Trace(_one(parts))


def _one(parts: Sequence[MatrixExpr]) -> MatrixExpr:
    return parts[0] if len(parts) == 1 else MatMul(*parts)


def derivative(of: Basic, velocity: Mapping[MatrixSymbol, MatrixExpr]) -> Basic:
    """The time derivative of a polynomial in matrices and traces where some letters move; by the product rule.

    >>> d = Symbol("d")
    >>> X = MatrixSymbol("X", d, d)
    >>> derivative(Trace(X), {X: -X})
    Trace(-X)
    """
    if not letters(of) & set(velocity):
        return ZeroMatrix(*of.shape) if isinstance(of, MatrixExpr) else S.Zero
    if isinstance(of, MatrixSymbol):
        return velocity[of]
    if isinstance(of, (MatAdd, Add)):
        moved = [derivative(part, velocity) for part in of.args]
        kept = [part for part in moved if part != 0 and not isinstance(part, ZeroMatrix)]
        return of.func(*kept, evaluate=False) if len(kept) > 1 else (kept or moved)[0]
    if isinstance(of, Transpose):
        return Transpose(derivative(of.args[0], velocity))
    if isinstance(of, Trace):
        return Trace(derivative(of.args[0], velocity))
    if isinstance(of, Inner):
        left, right = of.args
        return Inner(derivative(left, velocity), right) + Inner(left, derivative(right, velocity))
    if isinstance(of, (MatPow, Pow)) and of.exp.is_Integer and of.exp.is_positive:
        return _power_rule(of, velocity)
    if isinstance(of, (MatMul, Mul)):
        return _product_rule(of, velocity)
    raise NotWordsError(f"{of} is no polynomial in matrices and traces")


def _power_rule(of: Basic, velocity: Mapping[MatrixSymbol, MatrixExpr]) -> Basic:
    base, times = of.args[0], int(of.args[1])
    if isinstance(of, MatPow):
        return _product_rule(MatMul(*[base] * times, evaluate=False), velocity)
    if isinstance(base, Norm) and times % 2 == 0:
        inside = base.args[0]
        around = Trace(_joined(Transpose(inside), derivative(inside, velocity)))
        return times * Pow(base, times - 2) * around
    return times * Pow(base, times - 1) * derivative(base, velocity)


def _product_rule(of: Basic, velocity: Mapping[MatrixSymbol, MatrixExpr]) -> Basic:
    terms = []
    for place, part in enumerate(of.args):
        moved = derivative(part, velocity)
        if moved != 0 and not isinstance(moved, ZeroMatrix):
            terms.append(of.func(*of.args[:place], moved, *of.args[place + 1 :], evaluate=False))
    if not terms:
        return ZeroMatrix(*of.shape) if isinstance(of, MatrixExpr) else S.Zero
    joined = MatAdd if isinstance(of, MatrixExpr) else Add
    return terms[0] if len(terms) == 1 else joined(*terms, evaluate=False)


def words_up_to(moving: Sequence[MatrixSymbol], degree: int) -> list[Word]:
    """All words in some letters and their transposes whose sizes fit, the shortest first.

    >>> W = MatrixSymbol("W", Symbol("m"), Symbol("n"))
    >>> len(words_up_to([W], 2))
    4
    """
    alphabet: list[Letter] = [(letter, turned) for letter in moving for turned in (False, True)]
    found: list[Word] = []
    layer: list[Word] = [()]
    for _ in range(degree):
        layer = [(*word, letter) for word in layer for letter in alphabet if not word or _meet(word[-1], letter)]
        found += layer
    return found


def _meet(left: Letter, right: Letter) -> bool:
    return fits(columns_of(left), rows_of(right))


def fresh_symbols(taken: Iterable[str]) -> Callable[[str], Symbol]:
    """Symbols with names that nothing else has.

    >>> new = fresh_symbols({"x"})
    >>> new("x"), new("y")
    (x_1, y)
    """
    used = set(taken)

    def fresh(name: str) -> Symbol:
        free = name if name not in used else next(text for k in count(1) if (text := f"{name}_{k}") not in used)
        used.add(free)
        return Symbol(free)

    return fresh
