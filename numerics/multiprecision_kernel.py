"""Multiprecision kernels: the ball kernel, run at a growing precision until the digits asked for are right."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import TYPE_CHECKING, Protocol

import sympy as sp

from numerics.ball_kernel import compile_ball
from theory.errors import LemmascopeError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flint import arb

MOST_DOUBLINGS = 7


class MultiprecisionKernel(Protocol):
    """Values in, midpoints of balls that are correct to `digits` significant digits out."""

    def __call__(self, *values: object, digits: int = 30) -> tuple[arb, ...]:
        """Evaluate."""


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """Work at this flint precision, and restore the old one.

    >>> from flint import ctx
    >>> with precision(200): ctx.prec
    200
    """
    from flint import ctx

    before = ctx.prec
    ctx.prec = bits
    try:
        yield
    finally:
        ctx.prec = before


def exact_ball(value: object) -> arb:
    """A number as a ball: exact where it is binary, otherwise rounded outward at the current precision.

    >>> exact_ball(Fraction(1, 2))
    0.500000000000000
    """
    from flint import arb, fmpq

    if isinstance(value, arb):
        return value
    if isinstance(value, int | float):
        return arb(value)
    if isinstance(value, Fraction):
        return arb(fmpq(value.numerator, value.denominator))
    if isinstance(value, str):
        return arb(value)
    if isinstance(value, sp.Basic):
        if value.is_Rational:
            return arb(fmpq(int(value.p), int(value.q)))
        return compile_ball([value], [])()[0]
    if hasattr(value, "__float__"):
        return arb(float(value))
    raise LemmascopeError(f"{value!r} is not a real number: pass an int, Fraction, float, string or SymPy number.")


def compile_multiprecision(outputs: Sequence[sp.Basic], arguments: Sequence[sp.Basic]) -> MultiprecisionKernel:
    """Compile formulas to a function of numbers of any precision.

    The arguments are taken as exact; the working precision grows until every result has the digits asked for.

    >>> from sympy.abc import x
    >>> f = compile_multiprecision([sp.cos(x) - 1 + x**2 / 2], [x])
    >>> f(Fraction(1, 10**9), digits=20)[0].str(15, radius=False)
    '4.16666666666667e-38'
    """
    kernel = compile_ball(outputs, arguments)

    def evaluate(*values: object, digits: int = 30) -> tuple[arb, ...]:
        wanted = int(digits * 3.33) + 4
        for doubling in range(MOST_DOUBLINGS):
            with precision((wanted + 16) << doubling):
                results = kernel(*(exact_ball(v) for v in values))
                if all(r.is_exact() or r.rel_accuracy_bits() >= wanted for r in results if r.is_finite()):
                    return tuple(r.mid() for r in results)
        return tuple(r.mid() for r in results)

    return evaluate
