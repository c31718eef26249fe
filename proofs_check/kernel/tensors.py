"""Inequalities between traces of matrices of every size, by squares of tensors: an identity of words, and signs.

Products of words with named legs are real arrays, and what two of them have in common when equal legs are joined is a
product of traces. So a combination of such inner products with a positive semidefinite matrix is not negative; nor is
it with a positive semidefinite matrix put between two legs, or times a number that is not negative. Hermitian squares
under a trace are tensors of one word; |AB| <= |A| |B| and tr(P) I - P >= 0 are squares of tensors of two words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import flint
from sympy import (
    Basic,
    Eq,
    Expr,
    Function,
    Identity,
    Inverse,
    MatAdd,
    MatMul,
    MatPow,
    MatrixSymbol,
    Mul,
    Pow,
    Rational,
    S,
    Set,
    Symbol,
    oo,
    preorder_traversal,
)
from sympy.core.relational import GreaterThan, LessThan, Relational, StrictGreaterThan, StrictLessThan
from sympy.logic.boolalg import Boolean
from sympy.matrices.expressions.matexpr import MatrixExpr

from theory.domains import membership
from theory.language.classes import is_positive
from theory.language.formulas import clauses
from theory.language.spaces import (
    ANY_SIZE,
    Norm,
    PositiveSemidefinite,
    Space,
    SymmetricMatrices,
    Vectors,
)
from theory.language.words import (
    Alphabet,
    NotWordsError,
    Word,
    Words,
    fresh_symbols,
    require_shapes,
)
from theory.polynomials import NotPolynomialError, Ring
from theory.statements import Statement
from theory.temporal import is_plain

Monomial = tuple[str, ...]
"""The names of the numbers that are multiplied, sorted."""
Form = dict[Monomial, Any]
"""A polynomial in traces, sizes and parameters."""


class NotReadError(Exception):
    """A statement is no inequality between traces; the message says why."""


@dataclass(frozen=True)
class Strand:
    """A word whose row has one leg and whose column another; `size` is that of an identity."""

    word: Word
    row: int
    column: int
    size: Any = None


@dataclass(frozen=True)
class Tensor:
    """A product of words with named legs, times a product of numbers."""

    strands: tuple[Strand, ...]
    factor: Monomial = ()


def check(statement: Statement, certificate: Mapping[str, Any]) -> bool:
    """Whether every goal is a sum of weighted squares of tensors and of multiples of what is known to be zero."""
    problem = Problem(statement, with_roots=bool(certificate["roots"]))
    proofs = certificate["proofs"]
    if not problem.goals or len(proofs) != len(problem.goals):
        return False
    return all(problem.shows(goal, proof) for goal, proof in zip(problem.goals, proofs, strict=True))


class Problem:
    """Goals that are to be nonnegative, what is known of numbers and matrices, and inner products of tensors.

    A positive semidefinite letter is the square of a symmetric one, its root, or stands between two legs.
    """

    def __init__(self, statement: Statement, *, with_roots: bool = True) -> None:
        if statement.dynamics is not None or statement.computed is not None or statement.almost_all or statement.uses:
            raise NotReadError("trajectories, computations, exceptions and steps are not read here")
        if not all(is_plain(part) for part in (statement.then, *statement.given)):
            raise NotReadError("quantified matrices are not read here")
        self.statement = statement
        for part in (statement.then, *statement.given):
            self._require_values(part)
        spaces = {a: space for a, space in statement.variables.items() if isinstance(a, MatrixSymbol)}
        taken = {symbol.name for symbol in (*statement.variables, *statement.stated)}
        taken |= {a.name for part in (statement.then, *statement.given) for a in part.atoms(Symbol)}
        fresh = fresh_symbols(taken)
        self.roots: dict[MatrixSymbol, MatrixExpr] = {}
        """Semidefinite letters, written with a letter that is a factor of them."""
        self.between: list[tuple[Expr, Words]] = []
        """Semidefinite matrices with their sizes, which may stand between two legs."""
        own: dict[MatrixSymbol, Space] = {}
        for letter, space in spaces.items():
            own |= self._letter(letter, space, fresh) if with_roots else {letter: space}
        self.alphabet = Alphabet(own, fresh)
        self.sizes = {letter: _shape(letter, space) for letter, space in own.items()}
        for letter, space in own.items():
            if isinstance(space, (SymmetricMatrices, PositiveSemidefinite)):
                self.between += self._bounded(letter, *_bounds(space))
        numbers = {s: domain for s, domain in statement.variables.items() if isinstance(s, Symbol)}
        self.numbers: dict[str, Set] = {symbol.name: domain for symbol, domain in numbers.items()}
        self.goals = list(chain.from_iterable(map(self._goals, clauses(statement.then))))
        self.known: list[Form] = [{(): flint.fmpq(1)}]
        """Numbers that are not negative."""
        self.zero: list[Form] = []
        hypotheses = chain(statement.given, (membership(s, domain) for s, domain in numbers.items()))
        for part in chain.from_iterable(map(clauses, hypotheses)):
            self._learn(part)
        self.known += [{(name,): flint.fmpq(1), (): flint.fmpq(-1)} for name in self._size_names()]

    def _require_values(self, part: Basic) -> None:
        """Refuse what may lack a value: powers that are not whole, divisors that may vanish, inverses, functions."""
        for node in preorder_traversal(part):
            if isinstance(node, (Function, Inverse)) or (isinstance(node, (Pow, MatPow)) and not node.exp.is_Integer):
                raise NotReadError(f"{node} is no polynomial")
            if isinstance(node, MatPow) and node.exp < 0:
                raise NotReadError(f"{node} may not exist")
            if isinstance(node, Pow) and node.exp < 0 and not is_positive(node.base, self.statement.variables):
                raise NotReadError(f"{node.base} may be zero")

    def _letter(self, letter: MatrixSymbol, space: Space, fresh: Any) -> dict[MatrixSymbol, Space]:
        """The letter itself, or one of which it is made: P = C^2, a I + C^2, b I - C^2, C symmetric."""
        if not isinstance(space, (SymmetricMatrices, PositiveSemidefinite)):
            return {letter: space}
        size = letter.shape[0]
        low, high = _bounds(space)
        if (low == -oo) == (high == oo):
            return {letter: space}
        root = MatrixSymbol(fresh(f"{letter.name}_root").name, size, size)
        square = MatMul(root, root)
        if low == 0 and high == oo:
            self.roots[letter] = square
        elif high == oo:
            self.roots[letter] = MatAdd(MatMul(low, Identity(size)), square)
        else:
            self.roots[letter] = MatAdd(MatMul(high, Identity(size)), MatMul(-1, square))
        return {root: SymmetricMatrices(size)}

    def _bounded(self, letter: MatrixSymbol, low: Expr, high: Expr) -> Iterator[tuple[Expr, Words]]:
        """A - a I, b I - A and their product, which is semidefinite because they commute."""
        unit = Identity(letter.shape[0])
        above = [] if low == -oo else [MatAdd(letter, MatMul(-low, unit))]
        below = [] if high == oo else [MatAdd(MatMul(high, unit), MatMul(-1, letter))]
        for part in (*above, *below, *([MatMul(above[0], below[0])] if above and below else [])):
            yield letter.shape[0], self.alphabet.words(part)

    def _size_names(self) -> list[str]:
        """The sizes that are symbols: whole numbers, at least one."""
        found = dict.fromkeys(str(size) for shape in self.sizes.values() for size in shape if not size.is_Integer)
        return list(found)

    def form(self, of: Expr) -> Form:
        """A number as a polynomial in traces, multiplied by its denominator, which must be positive."""
        of = of.xreplace(self.roots) if self.roots else of
        require_shapes(of)
        try:
            value = self.alphabet.numbers(of).xreplace(self.statement.stated)
            ring = Ring(tuple(sorted(value.free_symbols, key=str)))
            fraction = ring.fraction(value)
        except NotPolynomialError as error:
            raise NotReadError(str(error)) from error
        below = ring.expression(fraction.denominator)
        if below != 1 and not is_positive(below, self.statement.variables):
            raise NotReadError(f"{below} may be zero or negative")
        found: Form = {}
        for powers, number in fraction.numerator.terms():
            names = (
                name for symbol, power in zip(ring.symbols, powers, strict=True) for name in [symbol.name] * int(power)
            )
            found[tuple(sorted(names))] = number
        return found

    def _goals(self, part: Boolean) -> list[Form]:
        if isinstance(part, Eq) and not isinstance(part.lhs, MatrixExpr):
            gap = self.form(part.lhs - part.rhs)
            return [gap, combined([(flint.fmpq(-1), gap)])]
        if not isinstance(part, (LessThan, GreaterThan)):
            raise NotReadError("only weak inequalities between numbers are read")
        return [self._gap(part, is_goal=True)]

    def _gap(self, part: Relational, *, is_goal: bool) -> Form:
        """What is nonnegative where a <= b; between products of norms it is the difference of the squares.

        If 0 <= a <= b then a^2 <= b^2, and if a^2 <= b^2 and 0 <= b then a <= b: a hypothesis needs the sign of its
        smaller side, a goal that of its larger one.
        """
        small, large = part.args if isinstance(part, (LessThan, StrictLessThan)) else part.args[::-1]
        try:
            return self.form(large - small)
        except NotWordsError:
            signed = large if is_goal else small
            if not self._is_signed(signed):
                raise NotReadError(f"{signed} has no sign") from None
            return self.form(_squared(large) - _squared(small))

    def _is_signed(self, side: Expr) -> bool:
        factors = [part for part in Mul.make_args(side) if not isinstance(part, Norm)]
        return all(part == 0 or is_positive(part, self.statement.variables) for part in factors if not _even(part))

    def _learn(self, part: Boolean) -> None:
        try:
            if isinstance(part, Eq) and not isinstance(part.lhs, MatrixExpr):
                self.zero.append(self.form(part.lhs - part.rhs))
            elif isinstance(part, (LessThan, GreaterThan, StrictLessThan, StrictGreaterThan)):
                self.known.append(self._gap(part, is_goal=False))
        except (NotReadError, NotWordsError):
            return

    def shows(self, goal: Form, proof: Mapping[str, Any]) -> bool:
        """Whether the goal, times numbers that are positive, is the sum that the proof describes."""
        scale = tuple(map(str, proof.get("scale", ())))
        if not all(self._is_positive_name(name) for name in scale):
            return False
        parts = [(flint.fmpq(1), times(goal, scale))]
        for block in proof["blocks"]:
            weight = self.known[_place(block["weight"], self.known)]
            tensors = [self._tensor(stored) for stored in block["tensors"]]
            inside = None if block.get("between") is None else [_place(k, None) for k in block["between"]]
            self._require_equal_legs(tensors, inside)
            table = {
                (i, j): self.joined(tensors[i], tensors[j], inside) for i in range(len(tensors)) for j in range(i + 1)
            }
            for pivot, row in block["squares"]:
                number, numbers = _number(pivot), [_number(entry) for entry in row]
                if number < 0 or len(numbers) != len(tensors):
                    return False
                for (i, j), form in table.items():
                    factor = number * numbers[i] * numbers[j] * (1 if i == j else 2)
                    if factor != 0:
                        parts.append((-factor, product(form, weight)))
        for place, factor, names in proof.get("multiples", ()):
            zero = self.zero[_place(place, self.zero)]
            monomial = tuple(map(str, names))
            if not all(name in self.numbers for name in monomial):
                return False
            parts.append((-_number(factor), times(zero, monomial)))
        return not combined(parts)

    def _is_positive_name(self, name: str) -> bool:
        """A size, or a parameter whose domain is positive."""
        if name in self.numbers:
            return is_positive(Symbol(name), self.statement.variables) or name in self._size_names()
        return name in self._size_names()

    def _tensor(self, stored: Mapping[str, Any]) -> Tensor:
        by_name = {letter.name: letter for letter in self.sizes}

        def word_of(letters: Any) -> Word:
            word = tuple((by_name[str(name)], bool(turned)) for name, turned in letters)
            if any(turned and self.alphabet.is_symmetric(letter) for letter, turned in word):
                raise ValueError("a symmetric letter is never transposed")
            self._require_fit(word)
            return word

        strands = []
        for letters, row, column, size in stored["strands"]:
            word = word_of(letters)
            strands.append(Strand(word, int(row), int(column), None if word else Symbol(str(size))))
        legs = [leg for strand in strands for leg in (strand.row, strand.column)]
        if sorted(legs) != list(range(len(legs))):
            raise ValueError("every leg belongs to one end of a word")
        factor: list[str] = []
        for part in stored["factor"]:
            if isinstance(part, str):
                factor.append(part)
                if part not in self.numbers:
                    raise ValueError("an unknown number")
            else:
                factor += self.closed(word_of(part))
        return Tensor(tuple(strands), tuple(sorted(factor)))

    def closed(self, word: Word) -> list[str]:
        """The trace of a word whose ends fit, as a product of names."""
        size = self.size(word[0], is_row=True)
        if size != self.size(word[-1], is_row=False):
            raise ValueError("only square matrices have a trace")
        return [str(factor) for factor in self.alphabet.loop(word, size) if factor != 1]

    def _require_fit(self, word: Word) -> None:
        for k in range(len(word) - 1):
            if self.size(word[k], is_row=False) != self.size(word[k + 1], is_row=True):
                raise ValueError("the sizes in a word do not fit")

    def size(self, letter: tuple[MatrixSymbol, bool], *, is_row: bool) -> Expr:
        """The number of rows or columns of a letter, as its space says."""
        shape = self.sizes[letter[0]]
        return shape[0] if is_row is not letter[1] else shape[1]

    def legs(self, tensor: Tensor) -> list[Expr]:
        """The sizes of the legs, in their order."""
        found: dict[int, Expr] = {}
        for strand in tensor.strands:
            found[strand.row] = self.size(strand.word[0], is_row=True) if strand.word else strand.size
            found[strand.column] = self.size(strand.word[-1], is_row=False) if strand.word else strand.size
        return [found[leg] for leg in sorted(found)]

    def _require_equal_legs(self, tensors: Sequence[Tensor], inside: Sequence[int] | None) -> None:
        shapes = [self.legs(tensor) for tensor in tensors]
        names = set(self._size_names()) | {"1"}
        if any(shape != shapes[0] for shape in shapes[1:]):
            raise ValueError("tensors of different sizes have no inner product")
        if any(not size.is_Integer and str(size) not in names for shape in shapes for size in shape):
            raise ValueError("an unknown size")
        if inside is not None:
            place, leg = inside
            if shapes and self.between[place][0] != shapes[0][leg]:
                raise ValueError("the matrix between two legs has another size")

    def joined(self, one: Tensor, other: Tensor, inside: Sequence[int] | None = None) -> Form:
        """The inner product of two tensors: equal legs are joined, and every loop is a trace."""
        none: tuple[Word, Monomial] = ((), ())
        parts = [(none, flint.fmpq(1))] if inside is None else list(self._between(inside[0]))
        found: list[tuple[Any, Form]] = []
        for (word, names), number in parts:
            loops = self._loops(one, other, None if inside is None else inside[1], word)
            found.append((number, {tuple(sorted((*loops, *names, *one.factor, *other.factor))): flint.fmpq(1)}))
        return combined(found)

    def _between(self, place: int) -> Iterator[tuple[tuple[Word, Monomial], Any]]:
        for word, value in self.between[place][1].items():
            if not value.is_polynomial():
                raise NotReadError(f"the bound {value} is no polynomial in the parameters")
            for monomial, number in self.form(value).items():
                yield (word, monomial), number

    def _loops(self, one: Tensor, other: Tensor, marked: int | None, inserted: Word) -> list[str]:
        ends = [
            {
                leg: (strand, is_row)
                for strand in tensor.strands
                for leg, is_row in ((strand.row, True), (strand.column, False))
            }
            for tensor in (one, other)
        ]
        open_legs = set(ends[0])
        names: list[str] = []
        while open_legs:
            first = leg = min(open_legs)
            side, size = 0, self.legs(one)[leg]
            word: Word = ()
            while True:
                strand, is_row = ends[side][leg]
                word += strand.word if is_row else self.alphabet.transposed(strand.word)
                leg = strand.column if is_row else strand.row
                open_legs.discard(leg)
                if leg == marked:
                    word += inserted if side == 0 else self.alphabet.transposed(inserted)
                side = 1 - side
                if leg == first and side == 0:
                    break
            names += [str(factor) for factor in self.alphabet.loop(word, size) if factor != 1]
        return names


def _bounds(space: Space) -> tuple[Expr, Expr]:
    return space.bounds if isinstance(space, SymmetricMatrices) else (S.Zero, oo)


def _shape(letter: MatrixSymbol, space: Space) -> tuple[Expr, Expr]:
    if isinstance(space, Vectors):
        return (space.args[0] if space.args else ANY_SIZE, S.One)
    return letter.shape


def _even(part: Expr) -> bool:
    return bool(part.is_Pow and isinstance(part.base, Norm) and part.exp.is_Integer and part.exp >= 0)


def _squared(side: Expr) -> Expr:
    """The square of a product of norms and numbers, or of something without norms."""
    factors = Mul.make_args(side)
    if not all(isinstance(part, Norm) or _even(part) or not part.has(Norm) for part in factors):
        raise NotReadError("a norm stands in a sum")
    return Mul(*(part**2 for part in factors))


def combined(parts: Iterable[tuple[Any, Form]]) -> Form:
    """A linear combination, without what cancels."""
    total: Form = {}
    for factor, form in parts:
        for key, number in form.items():
            total[key] = total.get(key, flint.fmpq(0)) + factor * number
    return {key: number for key, number in total.items() if number != 0}


def times(form: Form, names: Monomial) -> Form:
    """A polynomial times a product of numbers."""
    return {tuple(sorted((*key, *names))): number for key, number in form.items()}


def product(one: Form, other: Form) -> Form:
    """The product of two polynomials."""
    return combined((number, times(one, key)) for key, number in other.items())


def _place(stored: Any, among: Sequence[Any] | None) -> int:
    place = int(stored)
    if place < 0 or (among is not None and place >= len(among)):
        raise ValueError("no such place")
    return place


def _number(text: Any) -> Any:
    if not isinstance(text, str):
        raise ValueError("numbers of a certificate are written out")  # noqa: TRY004 - a damaged certificate
    value = Rational(text)
    return flint.fmpq(int(value.p), int(value.q))
