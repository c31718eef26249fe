"""Symmetric and cyclic polynomial inequalities in two, three and four variables, also with an equation given."""

from __future__ import annotations

from sympy import Eq, Rational, sqrt

from corpus.textbook import PP, PPP, RR, RRR, UNIT, R, a, b, both, c, d

RRRR = {a: R, b: R, c: R, d: R}
CUBE = {a: UNIT, b: UNIT, c: UNIT}
TOTAL, PAIRS, PRODUCT = a + b + c, a * b + b * c + c * a, a * b * c
SQUARES, CUBES = a**2 + b**2 + c**2, a**3 + b**3 + c**3

both("sum-above-pairs", TOTAL**2 >= 3 * PAIRS, TOTAL**2 >= 4 * PAIRS, RRR)
both("fourth-powers", a**4 + b**4 + c**4 >= PRODUCT * TOTAL, a**4 + b**4 + c**4 > PRODUCT * TOTAL, RRR)
both("cyclic-cubes", a**2 * b + b**2 * c + c**2 * a <= CUBES, a**2 * b + b**2 * c + c**2 * a < CUBES, PPP)
both("product-of-sums", (a + b) * (b + c) * (c + a) >= 8 * PRODUCT, (a + b) * (b + c) * (c + a) >= 9 * PRODUCT, PPP)
both("sum-and-inverses", TOTAL * (1 / a + 1 / b + 1 / c) >= 9, TOTAL * (1 / a + 1 / b + 1 / c) >= 10, PPP)
both("cyclic-quotients", a / b + b / c + c / a >= 3, a / b + b / c + c / a > 3, PPP)
both("squares-over", a**2 / b + b**2 / c + c**2 / a >= TOTAL, a**2 / b + b**2 / c + c**2 / a >= 2 * TOTAL, PPP)
both(
    "inverse-pairs",
    1 / (a + b) + 1 / (b + c) + 1 / (c + a) >= Rational(9, 2) / TOTAL,
    1 / (a + b) + 1 / (b + c) + 1 / (c + a) >= 5 / TOTAL,
    PPP,
)
both(
    "four-in-a-ring",
    a**2 + b**2 + c**2 + d**2 >= a * b + b * c + c * d + d * a,
    a**2 + b**2 + c**2 + d**2 >= a * b + b * c + c * d + d * a + Rational(1, 100),
    RRRR,
)
both("four-am-gm", a**4 + b**4 + c**4 + d**4 >= 4 * PRODUCT * d, a**4 + b**4 + c**4 + d**4 >= 5 * PRODUCT * d, RRRR)
both("four-means", (TOTAL + d) ** 2 <= 4 * (SQUARES + d**2), (TOTAL + d) ** 2 <= 3 * (SQUARES + d**2), RRRR)
both("pairs-above-product", PAIRS**2 >= 3 * PRODUCT * TOTAL, PAIRS**2 > 3 * PRODUCT * TOTAL, RRR)
both("cubes-above-sum", 9 * CUBES >= TOTAL**3, 8 * CUBES >= TOTAL**3, PPP)
both("sextic-mean", SQUARES**3 >= 27 * PRODUCT**2, SQUARES**3 >= 28 * PRODUCT**2, RRR)
both("squares-above-line", SQUARES + 3 >= 2 * TOTAL, SQUARES + 2 >= 2 * TOTAL, RRR)
both("two-squares-product", (1 + a**2) * (1 + b**2) >= (a + b) ** 2, (1 + a**2) * (1 + b**2) > (a + b) ** 2, RR)
both(
    "weierstrass-three",
    (1 + a) * (1 + b) * (1 + c) >= 1 + TOTAL + PRODUCT,
    (1 + a) * (1 + b) * (1 + c) >= 1 + TOTAL + PAIRS + 2 * PRODUCT,
    PPP,
)
both("three-means", TOTAL**2 <= 3 * SQUARES, TOTAL**2 <= 2 * SQUARES, RRR)
both("squares-on-a-plane", Rational(1, 3) <= SQUARES, Rational(1, 2) <= SQUARES, RRR, Eq(TOTAL, 1))
both("pairs-on-a-simplex", Rational(1, 3) >= PAIRS, Rational(1, 4) >= PAIRS, PPP, Eq(TOTAL, 1))
both("product-on-a-simplex", Rational(1, 27) >= PRODUCT, Rational(1, 30) >= PRODUCT, PPP, Eq(TOTAL, 1))
both("sum-on-a-circle", a + b <= sqrt(2), a + b <= Rational(7, 5), RR, Eq(a**2 + b**2, 1))
both("sum-on-a-hyperbola", a + b >= 2, a + b > 2, PP, Eq(a * b, 1))
both("sides-of-a-triangle", SQUARES < 2 * PAIRS, SQUARES < PAIRS, PPP, a < b + c, b < c + a, c < a + b)
both("skew-form", 2 * a**2 + 2 * a * b + b**2 >= 0, 2 * a**2 + 2 * a * b + b**2 > 0, RR)
both("quartic-mean", (a + b) ** 4 <= 8 * (a**4 + b**4), (a + b) ** 4 <= 7 * (a**4 + b**4), RR)
both("unit-cube", TOTAL - PAIRS <= 1, Rational(9, 10) >= TOTAL - PAIRS, CUBE)
both(
    "cyclic-square",
    3 * (a**3 * b + b**3 * c + c**3 * a) <= SQUARES**2,
    4 * (a**3 * b + b**3 * c + c**3 * a) <= SQUARES**2,
    RRR,
)
