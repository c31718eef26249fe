"""Exponents and angles as sums of rational multiples of parts, which turn into products of powers."""

from __future__ import annotations

from collections.abc import Iterable

from sympy import Add, Expr, Rational, expand, ilcm


def terms(total: Expr) -> list[tuple[Rational, Expr]]:
    """The summands, each as a rational number and what it multiplies.

    >>> from sympy import symbols
    >>> x, y = symbols("x y")
    >>> terms(x * (2 - y))
    [(2, x), (-1, x*y)]
    """
    return [term.as_coeff_Mul(rational=True) for term in Add.make_args(expand(total)) if term != 0]


def units(sums: Iterable[Expr]) -> dict[Expr, int]:
    """For each part of the sums the common denominator of its multiples.

    >>> from sympy import symbols
    >>> x = symbols("x")
    >>> units([x / 2, x / 3 + 1])
    {x: 6, 1: 1}
    """
    found: dict[Expr, int] = {}
    for total in sums:
        for number, part in terms(total):
            found[part] = int(ilcm(found.get(part, 1), number.q))
    return found
