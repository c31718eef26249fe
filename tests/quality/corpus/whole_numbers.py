"""Whole numbers: remainders, sums, products, factorials and powers."""

from __future__ import annotations

from sympy import Eq, Mod, Ne, Product, Range, Rational, S, Sum, Symbol, factorial, log, oo, sqrt

from corpus.textbook import a, b, both, n

k = Symbol("k")
N, Z = S.Naturals, S.Integers

both("whole-consecutive", Eq(Mod(n * (n + 1), 2), 0), Eq(Mod(n * (n + 1), 4), 0), {n: N})
both("whole-three-in-a-row", Eq(Mod(n**3 - n, 6), 0), Eq(Mod(n**3 - n, 12), 0), {n: N})
both("whole-fermat-five", Eq(Mod(n**5 - n, 30), 0), Eq(Mod(n**5 - n, 60), 0), {n: Z})
both("whole-squares-mod-four", Ne(Mod(n**2, 4), 2), Ne(Mod(n**2, 4), 1), {n: Z})
both("whole-two-squares", Ne(Mod(a**2 + b**2, 4), 3), Ne(Mod(a**2 + b**2, 4), 2), {a: Z, b: Z})
both("whole-sum-of-numbers", Eq(Sum(k, (k, 1, n)), n * (n + 1) / 2), Eq(Sum(k, (k, 1, n)), n**2), {n: N})
both(
    "whole-sum-of-cubes",
    Eq(Sum(k**3, (k, 1, n)), (n * (n + 1) / 2) ** 2),
    Eq(Sum(k**3, (k, 1, n)), n**2 * (n + 1) / 2),
    {n: N},
)
both("whole-doubling", Eq(Sum(2**k, (k, 0, n)), 2 ** (n + 1) - 1), Eq(Sum(2**k, (k, 0, n)), 2 ** (n + 1)), {n: N})
both("whole-inverse-squares", Sum(1 / k**2, (k, 1, n)) <= 2 - 1 / n, Sum(1 / k**2, (k, 1, n)) <= 1 + 1 / n, {n: N})
both("whole-harmonic", Sum(1 / k, (k, 1, n)) <= 1 + log(n), Sum(1 / k, (k, 1, n)) <= log(n), {n: N})
both("whole-growing-product", Product(1 + 1 / k, (k, 1, n)) <= n + 1, Product(1 + 1 / k, (k, 1, n)) <= n, {n: N})
both("whole-factorial-beats-power", factorial(n) > 2**n, factorial(n) > 3**n, {n: Range(4, oo)})
both(
    "whole-bounded-squares",
    Sum(1 / k**2, (k, 1, n)) < Rational(7, 4),
    Sum(1 / k**2, (k, 1, n)) < Rational(8, 5),
    {n: N},
)
both(
    "whole-square-of-the-sum",
    Eq(Sum(k**3, (k, 1, n)), Sum(k, (k, 1, n)) ** 2),
    Eq(Sum(k**3, (k, 1, n)), Sum(k, (k, 1, n)) ** 2 + n - 1),
    {n: N},
)
both(
    "whole-bounded-product",
    Product(1 + 1 / k**2, (k, 1, n)) <= 4,
    Product(1 + 1 / k**2, (k, 1, n)) <= 3,
    {n: N},
)
both(
    "whole-roots",
    Sum(1 / sqrt(k), (k, 1, n)) <= 2 * sqrt(n),
    Sum(1 / sqrt(k), (k, 1, n)) >= 2 * sqrt(n) - 1,
    {n: N},
)
