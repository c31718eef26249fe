"""Functions of several variables: means, soft maxima, triangle and Lipschitz inequalities, kinks."""

from __future__ import annotations

from sympy import Abs, Eq, Max, Min, Rational, atan, cbrt, cos, exp, log, sin, sqrt, tanh

from corpus.textbook import NN, UNIT, P, R, a, b, both, c, d, x, y, z

RR, PP, NNN = {x: R, y: R}, {x: P, y: P}, {x: NN, y: NN}

both(
    "soft-maximum-above",
    log(exp(x) + exp(y)) <= Max(x, y) + log(2),
    log(exp(x) + exp(y)) <= Max(x, y) + Rational(1, 2),
    RR,
)
both("logarithmic-mean", x - y >= sqrt(x * y) * log(x / y), x - y >= 2 * sqrt(x * y) * log(x / y), PP, x >= y)
both("two-exponentials", exp(x) + exp(y) >= 2 + x + y, exp(x) + exp(y) > 2 + x + y, RR)
both("young-entropy", x * y <= exp(x - 1) + y * log(y), x * y <= exp(x - 2) + y * log(y), {x: R, y: P})
both("sine-of-a-sum", Abs(sin(x + y)) <= Abs(sin(x)) + Abs(sin(y)), Abs(sin(x + y)) <= Abs(sin(x)), RR)
both("log-subadditive", log(1 + x + y) <= log(1 + x) + log(1 + y), log(1 + x + y) < log(1 + x) + log(1 + y), NNN)
both("root-subadditive", sqrt(x + y) <= sqrt(x) + sqrt(y), sqrt(x + y) < sqrt(x) + sqrt(y), NNN)
both("cube-root-subadditive", cbrt(x + y) <= cbrt(x) + cbrt(y), cbrt(x + y) < cbrt(x) + cbrt(y), NNN)
both(
    "triangle-in-the-plane",
    sqrt((a + c) ** 2 + (b + d) ** 2) <= sqrt(a**2 + b**2) + sqrt(c**2 + d**2),
    sqrt((a + c) ** 2 + (b + d) ** 2) < sqrt(a**2 + b**2) + sqrt(c**2 + d**2),
    {a: R, b: R, c: R, d: R},
)
both("decay-lipschitz", Abs(exp(-x) - exp(-y)) <= Abs(x - y), Abs(exp(-x) - exp(-y)) <= Abs(x - y) / 2, NNN)
both("arctangent-lipschitz", Abs(atan(x) - atan(y)) <= Abs(x - y), Abs(atan(x) - atan(y)) <= Abs(x - y) / 2, RR)
both("law-of-cosines", x**2 + y**2 >= 2 * x * y * cos(z), x**2 + y**2 > 2 * x * y * cos(z), {x: R, y: R, z: R})
both(
    "entropy-convex",
    (x + y) * log((x + y) / 2) <= x * log(x) + y * log(y),
    (x + y) * log((x + y) / 2) < x * log(x) + y * log(y),
    PP,
)
both("tanh-subadditive", tanh(x + y) <= tanh(x) + tanh(y), tanh(x + y) < tanh(x) + tanh(y), NNN)
both("maximum-above-mean", Max(x, y) >= (x + y) / 2, Max(x, y) > (x + y) / 2, RR)
both("minimum-below-root", Min(x, y) <= sqrt(x * y), Min(x, y) < sqrt(x * y), NNN)
both("positive-and-negative-part", Eq(Max(x, 0) + Max(-x, 0), Abs(x)), Eq(Max(x, 0) + Max(-x, 0), x), {x: R})
both("maximum-lipschitz", Max(x, y) - Max(z, y) <= Abs(x - z), Max(x, y) - Max(z, y) < Abs(x - z), {x: R, y: R, z: R})
both("product-below-squares", Abs(x * y) <= (x**2 + y**2) / 2, Abs(x * y) < (x**2 + y**2) / 2, RR)
both("hinge-above-line", Max(0, 1 - x) >= 1 - x, Max(0, 1 - x) > 1 - x, {x: R})
both(
    "leaky-lipschitz",
    Abs(Max(x, x / 10) - Max(y, y / 10)) <= Abs(x - y),
    Abs(Max(x, x / 10) - Max(y, y / 10)) <= Abs(x - y) / 2,
    RR,
)
both("cubic-valley", x**3 - x >= -Rational(2, 5), x**3 - x >= -Rational(3, 8), {x: UNIT})
both("parabola-top", x * (1 - x) <= Rational(1, 4), x * (1 - x) < Rational(1, 4), {x: R})
both("four-roots", (x - 1) * (x - 2) * (x - 3) * (x - 4) >= -1, (x - 1) * (x - 2) * (x - 3) * (x - 4) > -1, {x: R})
both("quartic-tangent", x**4 - 4 * x + 3 >= 0, x**4 - 4 * x + 3 > 0, {x: R})
both("sextic-top", x**2 * (1 - x**2) ** 2 <= Rational(4, 27), x**2 * (1 - x**2) ** 2 <= Rational(1, 7), {x: UNIT})
both("rational-top", (x**2 + 1) / (x**4 + 1) <= Rational(5, 4), (x**2 + 1) / (x**4 + 1) <= Rational(6, 5), {x: R})
