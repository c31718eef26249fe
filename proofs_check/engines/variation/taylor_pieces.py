"""Pieces of a bounded range on which a Taylor polynomial with remainder shows the sign of a function."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from sympy import Expr, Rational, Symbol, diff, expand, nan, oo, zoo

from proofs_check.budget import Budget
from proofs_check.engines.cover.factoring import is_zero
from proofs_check.kernel.signed_claims import Signed
from proofs_check.kernel.taylor_bounds import Piece, is_nonnegative
from proofs_check.kernel.variation_lines import Line
from theory.trees import encode

_ORDERS = (6, 14)
_MORE_AT_ZEROS = 6
_MOST_ZEROS = 12
_DEEPEST = 6
_MOST_OPERATIONS = 300


def taylor(claim: Signed, budget: Budget) -> Iterator[dict[str, Any]]:
    """One step for a function of a single variable between two numbers."""
    f = claim.expression
    if len(f.free_symbols) != 1 or f.count_ops() > _MOST_OPERATIONS:
        return
    (x,) = f.free_symbols
    ends = _ends(claim, x)
    if ends is None:
        return
    pieces = _Pieces(f, x, claim.strict, budget).on(*ends, 0)
    if pieces:
        rows = [[*map(encode, (p.low, p.high, p.centre)), p.order, p.zeros] for p in pieces]
        yield {"rule": "taylor", "variable": encode(x), "pieces": rows}


def _ends(claim: Signed, x: Symbol) -> tuple[Expr, Expr] | None:
    line = Line.of(claim, x)
    lows: list[Expr] = []
    highs: list[Expr] = []
    for gap, _ in line.affine:
        if line.is_fixed(gap) and gap.free_symbols == {x}:
            (lows if line.rate(gap) > 0 else highs).append(expand(x - gap / line.rate(gap)))
    if not lows or not highs:
        return None
    low, high = max(lows, key=_float), min(highs, key=_float)
    return (low, high) if _float(low) < _float(high) else None


def _float(number: Expr) -> float:
    return float(number.evalf(17))


class _Pieces:
    """Cuts a range in halves until each has a bound; at an end where the function vanishes, zeros are divided out."""

    def __init__(self, f: Expr, x: Symbol, strict: bool, budget: Budget) -> None:
        self.f, self.x, self.strict, self.budget = f, x, strict, budget
        self._zeros: dict[Expr, int] = {}

    def on(self, low: Expr, high: Expr, depth: int) -> list[Piece] | None:
        """The pieces from one end to the other, None where they are not found."""
        if self.budget.spent:
            return None
        for piece in self._tried(low, high):
            if is_nonnegative(self.f, self.x, piece, strict=self.strict):
                return [piece]
        if depth >= _DEEPEST:
            return None
        near = Fraction((_float(low) + _float(high)) / 2).limit_denominator(4096)
        middle = Rational(near.numerator, near.denominator)
        if not _float(low) < middle < _float(high) or not self._is_positive(middle):
            return None
        first = self.on(low, middle, depth + 1)
        second = None if first is None else self.on(middle, high, depth + 1)
        return None if first is None or second is None else [*first, *second]

    def _is_positive(self, place: Expr) -> bool:
        value = self.f.subs(self.x, place).evalf(17)
        return bool(value.is_real and value > 0)

    def _tried(self, low: Expr, high: Expr) -> Iterator[Piece]:
        for end in (low, high):
            zeros = self._order(end)
            if zeros > 0:
                yield Piece(low, high, end, zeros + _MORE_AT_ZEROS, zeros)
        if self._order(low) == 0 and self._order(high) == 0:
            near = Fraction((_float(low) + _float(high)) / 2).limit_denominator(1 << 20)
            for order in _ORDERS:
                yield Piece(low, high, Rational(near.numerator, near.denominator), order)

    def _order(self, end: Expr) -> int:
        """How many derivatives vanish at an end; -1 where the function has no value."""
        if end not in self._zeros:
            self._zeros[end] = self._counted(end)
        return self._zeros[end]

    def _counted(self, end: Expr) -> int:
        slope = self.f
        for order in range(_MOST_ZEROS):
            value = slope.subs(self.x, end)
            if value.has(nan, zoo, oo):
                return -1
            if not is_zero(value):
                return order
            slope = diff(slope, self.x)
        return -1
