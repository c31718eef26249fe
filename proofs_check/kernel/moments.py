"""Means of polynomials in state and noise, worked out from what is said of the noise.

Polynomials are sums over products of atoms: numbers that move or are drawn, and inner products of two vectors.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sympy import (
    Add,
    Basic,
    Expr,
    Integer,
    MatAdd,
    MatMul,
    MatrixSymbol,
    Mul,
    Pow,
    S,
    Symbol,
    Transpose,
    ZeroMatrix,
)
from sympy.matrices.expressions.matexpr import MatrixExpr

from proofs_check.kernel.fields import expanded
from theory.language.means import Drawn, Noise
from theory.language.spaces import Inner, Norm

Atom = Any
"""A symbol, or two letters: their inner product."""
Monomial = tuple[tuple[Atom, int], ...]
Polynomial = dict[Monomial, Expr]
Vector = dict[MatrixSymbol, Polynomial]
ONE: Monomial = ()
_LARGEST_POWER = 12


class NotClosedError(Exception):
    """A mean is not determined by what is known; the message says which, and the cure."""


def added(*parts: Mapping[Monomial, Expr]) -> Polynomial:
    """The sum of polynomials; what cancels is left out."""
    total: Polynomial = {}
    for part in parts:
        for monomial, value in part.items():
            total[monomial] = total.get(monomial, S.Zero) + value
    return {monomial: value for monomial, value in total.items() if expanded(value) != 0}


def product(first: Mapping[Monomial, Expr], second: Mapping[Monomial, Expr]) -> Polynomial:
    """The product of two polynomials."""
    return added(*({joined(a, b): x * y} for a, x in first.items() for b, y in second.items()))


def joined(first: Monomial, second: Monomial) -> Monomial:
    """The product of two monomials."""
    powers = dict(first)
    for atom, power in second:
        powers[atom] = powers.get(atom, 0) + power
    return tuple(sorted(powers.items(), key=str))


def power(base: Mapping[Monomial, Expr], exponent: int) -> Polynomial:
    """A power of a polynomial."""
    if exponent > _LARGEST_POWER:
        raise NotClosedError(f"a power {exponent} is too large to be worked out: at most {_LARGEST_POWER}")
    total: Polynomial = {ONE: S.One}
    for _ in range(exponent):
        total = product(total, base)
    return total


def pair(first: MatrixSymbol, second: MatrixSymbol) -> Atom:
    """The inner product of two letters, in either order."""
    low, high = sorted((first, second), key=str)
    return (low, high)


def polynomial(of: Basic, moving: frozenset[Basic]) -> Polynomial:
    """An expression as a polynomial in what moves and is drawn; other symbols are coefficients."""
    if isinstance(of, Symbol) and of in moving:
        return {((of, 1),): S.One}
    if isinstance(of, Inner):
        return dot(vector(of.args[0], moving), vector(of.args[1], moving))
    if isinstance(of, Add):
        return added(*(polynomial(part, moving) for part in of.args))
    if isinstance(of, Mul):
        total: Polynomial = {ONE: S.One}
        for part in of.args:
            total = product(total, polynomial(part, moving))
        return total
    if isinstance(of, Pow) and isinstance(of.base, Norm) and of.exp.is_Integer and of.exp > 0 and of.exp % 2 == 0:
        inside = vector(of.base.args[0], moving)
        return power(dot(inside, inside), int(of.exp) // 2)
    if isinstance(of, Pow) and of.exp.is_Integer and of.exp > 0 and (of.free_symbols & moving or of.has(Inner, Norm)):
        return power(polynomial(of.base, moving), int(of.exp))
    if of.free_symbols & moving or of.has(MatrixExpr):
        raise NotClosedError(f"the mean of {of} is not determined by moments: only polynomials have means here")
    return {ONE: of} if of != 0 else {}


def vector(of: Basic, moving: frozenset[Basic]) -> Vector:
    """A vector as a sum of letters with polynomials before them."""
    if isinstance(of, MatrixSymbol) and of.shape[1] == 1:
        return {of: {ONE: S.One}}
    if isinstance(of, ZeroMatrix):
        return {}
    if isinstance(of, MatAdd):
        total: Vector = {}
        for part in of.args:
            for letter, value in vector(part, moving).items():
                total[letter] = added(total.get(letter, {}), value)
        return total
    if isinstance(of, MatMul):
        factor: Polynomial = {ONE: S.One}
        for part in of.args:
            if not isinstance(part, MatrixExpr):
                factor = product(factor, polynomial(part, moving))
        columns = [part for part in of.args if isinstance(part, MatrixExpr)]
        for row, column in zip(columns[1::2], columns[2::2], strict=True):
            if not isinstance(row, Transpose):
                raise NotClosedError(f"{of} has a matrix: means are for numbers and vectors")
            factor = product(factor, dot(vector(row.args[0], moving), vector(column, moving)))
        return {letter: product(factor, value) for letter, value in vector(columns[0], moving).items()}
    raise NotClosedError(f"{of} is no sum of vectors: means are for numbers and vectors")


def dot(first: Vector, second: Vector) -> Polynomial:
    """The inner product of two vectors."""
    return added(
        *(product(product(x, y), {((pair(a, b), 1),): S.One}) for a, x in first.items() for b, y in second.items())
    )


def composed(of: Monomial, scalars: Mapping[Symbol, Polynomial], vectors: Mapping[MatrixSymbol, Vector]) -> Polynomial:
    """A monomial of the state after a step, in terms of the state before it."""
    total: Polynomial = {ONE: S.One}
    for atom, exponent in of:
        if isinstance(atom, tuple):
            first, second = (vectors.get(letter, {letter: {ONE: S.One}}) for letter in atom)
            moved = dot(first, second)
        else:
            moved = scalars.get(atom, {((atom, 1),): S.One})
        total = product(total, power(moved, exponent))
    return total


def mean(of: Mapping[Monomial, Expr], noise: Mapping[Drawn, Noise], size: Expr) -> Polynomial:
    """The mean over one draw of all noises, which are independent of each other and of everything else.

    E of a product over independent noises is the product of the means (Fubini); what is drawn together is averaged
    together. Hypotheses: each moment that occurs is given or follows from the law. Twin: symbols that are drawn
    together are not independent.
    """
    total = dict(of)
    for drawn, law in noise.items():
        over = _over_letter if isinstance(drawn[0], MatrixSymbol) else _over_numbers
        parts = [product({ONE: value}, over(monomial, drawn, law, size)) for monomial, value in total.items()]
        total = added(*parts)
    return total


def _over_numbers(of: Monomial, drawn: Drawn, law: Noise, _size: Expr) -> Polynomial:
    exponents = [next((exponent for atom, exponent in of if atom == symbol), 0) for symbol in drawn]
    rest = tuple((atom, exponent) for atom, exponent in of if atom not in drawn)
    if not any(exponents):
        return {of: S.One}
    if law.values:
        rows = [tuple(value) if len(drawn) > 1 else (value,) for value in law.values]
        terms = (Mul(*(x**k for x, k in zip(row, exponents, strict=True) if k)) for row in rows)
        value = Add(*(chance * term for chance, term in zip(law.probabilities, terms, strict=True)))
    else:
        value = _moment(law, exponents[0], drawn[0])
    return added({rest: value})


def _moment(law: Noise, order: int, name: Basic) -> Expr:
    """E of a power; for a normal law E x^(k+1) = mean E x^k + k variance E x^(k-1) (integration by parts)."""
    known: dict[int, Expr] = {0: S.One, 1: law.mean, 2: law.mean**2 + law.variance}
    if law.law == "normal":
        for k in range(2, order):
            known[k + 1] = law.mean * known[k] + k * law.variance * known[k - 1]
    else:
        known |= law.moments
    if order not in known:
        raise NotClosedError(
            f"the moment E[{name}**{order}] is needed and not given: add moments={{{order}: ...}} or law='normal'"
        )
    return known[order]


def _over_letter(of: Monomial, drawn: Drawn, law: Noise, size: Expr) -> Polynomial:
    """The mean over an isotropic vector a with mean 0: Cov a = v I, normal or not.

    E<a,u><a,w> = v <u,w> and E|a|^2 = d v. For a normal law every order follows from integration by parts (Stein):
    E[<a,u> F] = v E<u, grad F>, hence E[|a|^2 G] = v (d + degree of G) E[G] for homogeneous G (Euler).
    """
    letter = drawn[0]
    inside: dict[MatrixSymbol, int] = {}
    rest: list[tuple[Atom, int]] = []
    for atom, exponent in of:
        if isinstance(atom, tuple) and letter in atom:
            other = atom[1] if atom[0] == letter else atom[0]
            inside[other] = exponent
        else:
            rest.append((atom, exponent))
    order = sum(inside.values()) + inside.get(letter, 0)
    if order > 2 and law.law != "normal":
        raise NotClosedError(
            f"a moment of order {order} of the vector {letter} is needed and not given: say law='normal'"
        )
    value = _contracted(tuple(sorted(inside.items(), key=str)), letter, size)
    return product({tuple(rest): law.variance ** (order // 2)}, value) if value else {}


def _contracted(of: tuple[tuple[MatrixSymbol, int], ...], letter: MatrixSymbol, size: Expr) -> Polynomial:
    """E of |a|^(2m) times a product of <a,u>^k for a with mean 0 and covariance I."""
    powers = {other: exponent for other, exponent in of if exponent}
    if not powers:
        return {ONE: S.One}
    order = sum(powers.values()) + powers.get(letter, 0)
    if order % 2:
        return {}
    first = letter if letter in powers else min(powers, key=str)
    left = powers | {first: powers[first] - 1}
    if first == letter:
        factor: Expr = size + (order - 2)
        return product({ONE: factor}, _contracted(tuple(sorted(left.items(), key=str)), letter, size))
    parts: list[Polynomial] = []
    for other, exponent in left.items():
        if exponent:
            fewer = tuple(sorted((left | {other: exponent - 1}).items(), key=str))
            weight: Any = {((pair(first, other), 1),): Integer(exponent)}
            parts.append(product(weight, _contracted(fewer, letter, size)))
    return added(*parts)


def told(of: Monomial) -> str:
    """A monomial in words."""
    names = ((f"<{a[0]}, {a[1]}>" if isinstance(a, tuple) else str(a), k) for a, k in of)
    return "*".join(name if k == 1 else f"{name}**{k}" for name, k in names) or "1"


def degree(of: Monomial, state: Iterable[Basic]) -> int:
    """How many state symbols a monomial multiplies."""
    known = set(state)
    parts = ((atom if isinstance(atom, tuple) else (atom,), k) for atom, k in of)
    return sum(k * sum(part in known for part in atom) for atom, k in parts)
