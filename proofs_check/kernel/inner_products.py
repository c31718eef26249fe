"""Inner products of vectors, and of powers of one symmetric matrix times vectors, as numbers that obey inequalities."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import combinations
from typing import Any

import sympy as sp
from sympy import Eq, Expr, MatrixSymbol, Symbol, oo
from sympy.logic.boolalg import Boolean, Not
from sympy.matrices.expressions.matexpr import MatrixExpr

from proofs_check.kernel.fields import expanded
from theory.language.definedness import demands

MOST_VECTORS = 4


class NotTranslatedError(Exception):
    """A translation does not apply; the message says why."""


Power = tuple[MatrixSymbol, int]
"""A power of the one symmetric matrix times a vector."""


class Products:
    """Numbers for the lengths and inner products of vectors A^i x, and the inequalities that they obey."""

    def __init__(self, vectors: list[MatrixSymbol], highest: int, fresh: Callable[[str], Symbol]) -> None:
        self.powers: list[Power] = [(vector, power) for vector in vectors for power in range(highest + 1)]
        if len(self.powers) > (MOST_VECTORS if highest else 2 * MOST_VECTORS):
            raise NotTranslatedError("there are too many vectors for the inequalities of inner products")
        self.highest, self.fresh = highest, fresh
        self.length = {(u, i): fresh(f"r_{'A' * i}{u.name}") for u, i in self.powers}
        self.variables: dict[Symbol, sp.Set] = dict.fromkeys(self.length.values(), sp.Interval(0, oo))
        self.names: dict[Any, Symbol] = {}
        self.norms: list[Boolean] = []

    def inner(self, one: Power, other: Power) -> Expr:
        """<A^i x, A^j y>, which depends on i + j only as A is symmetric."""
        (u, i), (v, j) = one, other
        if u == v and (i + j) % 2 == 0:
            return self.length[u, (i + j) // 2] ** 2
        key = self._key(one, other)
        if key not in self.names:
            self.names[key] = self.fresh(f"t_{u.name}_{'A' * (i + j)}{v.name}")
            self.variables[self.names[key]] = sp.S.Reals
        return self.names[key]

    @staticmethod
    def _key(one: Power, other: Power) -> Any:
        return frozenset((one[0], other[0])), one[1] + other[1]

    def norm(self, combination: Mapping[Power, Expr], square: Expr) -> Expr:
        """The norm of a sum: a number that is not negative, and its square.

        Where the square has no value nothing is known: else the statement would say nothing there.
        """
        if len(combination) == 1 and next(iter(combination.values())) == 1:
            return self.length[next(iter(combination))]
        name = self.fresh("s")
        self.variables[name] = sp.Interval(0, oo)
        known = Eq(name**2, square, evaluate=False)
        has_value = demands([square])
        self.norms.append(sp.Or(known, *map(Not, has_value)) if has_value else known)
        return name

    def inequalities(self, *, with_determinants: bool) -> list[Boolean]:
        """|<u, v>| <= |u| |v| (Cauchy and Schwarz); determinants of the inner products of three are not negative."""
        given = list(self.norms)
        for one, other in combinations(self.powers, 2):
            if len(self.powers) > MOST_VECTORS and self._key(one, other) not in self.names:
                continue  # of an inner product that does not occur nothing is needed
            bound = self.length[one] * self.length[other]
            given += [sp.Le(self.inner(one, other), bound), sp.Le(-bound, self.inner(one, other))]
        for three in combinations(self.powers, 3) if with_determinants else ():
            given.append(sp.Ge(_determinant([[self.inner(a, b) for a in three] for b in three]), 0))
        if with_determinants and len(self.powers) < 3:
            raise NotTranslatedError("determinants are for three vectors")
        return given

    def bounds(self, low: Expr, high: Expr) -> list[Boolean]:
        """low |u|^2 <= <u, A u> <= high |u|^2, and |A u|^2 <= (low + high) <u, A u> - low high |u|^2.

        The last because (A - low)(high - A) is positive semidefinite for a symmetric A between low and high.
        """
        given: list[Boolean] = []
        for u, i in self.powers:
            if i == self.highest:
                continue
            square, form, image = (self.inner((u, i + a), (u, i + b)) for a, b in ((0, 0), (0, 1), (1, 1)))
            given += [sp.Le(low * square, form)] if low != -oo else []
            given += [sp.Le(form, high * square)] if high != oo else []
            if low != -oo and high != oo:
                given.append(sp.Le(image, (low + high) * form - low * high * square))
        return given


def combination(vector: MatrixExpr, operator: MatrixSymbol | None) -> dict[Power, Expr]:
    """The numbers before the powers of the matrix times the letters in a vector."""
    if isinstance(vector, MatrixSymbol) and vector != operator:
        return {(vector, 0): sp.S.One}
    if isinstance(vector, sp.ZeroMatrix):
        return {}
    if isinstance(vector, sp.MatAdd):
        return _sum([combination(part, operator) for part in vector.args])
    if isinstance(vector, sp.MatMul):
        *before, last = vector.args
        found = combination(last, operator)
        for part in reversed(before):
            shifts = _powers(part, operator)
            found = _sum([{(u, i + k): a * b} for (u, i), a in found.items() for k, b in shifts.items()])
        return found
    raise NotTranslatedError(f"{vector} is no sum of multiples of vectors")


def _powers(part: sp.Basic, operator: MatrixSymbol | None) -> dict[int, Expr]:
    """A number or a polynomial of the symmetric matrix by its coefficients."""
    if not isinstance(part, MatrixExpr):
        return {0: part}
    if isinstance(part, sp.Identity):
        return {0: sp.S.One}
    if part == operator:
        return {1: sp.S.One}
    if isinstance(part, sp.Transpose):
        return _powers(part.args[0], operator)
    if isinstance(part, sp.MatAdd):
        return _sum([_powers(own, operator) for own in part.args])
    if isinstance(part, sp.MatPow) and part.exp.is_Integer and part.exp.is_nonnegative:
        return _product_of_powers([_powers(part.base, operator)] * int(part.exp))
    if isinstance(part, sp.MatMul):
        return _product_of_powers([_powers(own, operator) for own in part.args])
    raise NotTranslatedError(f"{part} is no polynomial of one symmetric matrix")


def _product_of_powers(factors: list[dict[int, Expr]]) -> dict[int, Expr]:
    total: dict[int, Expr] = {0: sp.S.One}
    for factor in factors:
        total = _sum([{i + k: a * b} for i, a in total.items() for k, b in factor.items()])
    return total


def _sum(parts: list[dict[Any, Expr]]) -> dict[Any, Expr]:
    found: dict[Any, Expr] = {}
    for part in parts:
        for key, number in part.items():
            found[key] = found.get(key, sp.S.Zero) + number
    return found


def _determinant(rows: list[list[Expr]]) -> Expr:
    (a, b, c), (d, e, f), (g, h, i) = rows
    return expanded(a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g))
