"""Inequalities that papers on learning use daily: divergences, soft maxima, tails, descent lemmas."""

from __future__ import annotations

from sympy import (
    Abs,
    Eq,
    Interval,
    Max,
    Rational,
    Symbol,
    asinh,
    atan,
    cos,
    cosh,
    erf,
    erfc,
    exp,
    log,
    oo,
    pi,
    sin,
    sqrt,
    symbols,
    tan,
    tanh,
)

from corpus.textbook import NN, OPEN_UNIT, P, R, b, both, x, y, z

p, q = symbols("p q")
a = Symbol("a")
ANGLE = Interval.open(0, pi / 2)
SIGMOID = 1 / (1 + exp(-x))
DIVERGENCE = p * log(p / q) + (1 - p) * log((1 - p) / (1 - q))

both("daily-pinsker", 2 * (p - q) ** 2 <= DIVERGENCE, 3 * (p - q) ** 2 <= DIVERGENCE, {p: OPEN_UNIT, q: OPEN_UNIT})
both(
    "daily-divergence-chi-squared",
    (p - q) ** 2 / (q * (1 - q)) >= DIVERGENCE,
    (p - q) ** 2 >= DIVERGENCE,
    {p: OPEN_UNIT, q: OPEN_UNIT},
)
both("daily-divergence-of-masses", x * log(x / y) - x + y >= 0, x * log(x / y) - x + y > 0, {x: P, y: P})
both("daily-soft-maximum", log(exp(x) + exp(y)) >= x, log(exp(x) + exp(y)) >= x + 1, {x: R, y: R})
both(
    "daily-softplus-quadratic",
    log(1 + exp(x)) <= log(2) + x / 2 + x**2 / 8,
    log(1 + exp(x)) <= log(2) + x / 2 + x**2 / 9,
    {x: R},
)
both("daily-softplus-above-relu", log(1 + exp(x)) >= Max(x, 0), log(1 + exp(x)) >= Max(x, 0) + Rational(1, 10), {x: R})
both("daily-softplus-below-exp", log(1 + exp(x)) <= exp(x), log(1 + exp(x)) <= exp(x) / 2, {x: R})
both("daily-sigmoid-line", Rational(1, 2) + x / 4 >= SIGMOID, Rational(1, 2) + x / 5 >= SIGMOID, {x: NN})
both("daily-mills-above", erfc(x) < exp(-(x**2)) / (x * sqrt(pi)), erfc(x) < exp(-(x**2)) / (2 * x * sqrt(pi)), {x: P})
both(
    "daily-mills-below",
    erfc(x) > 2 * x * exp(-(x**2)) / (sqrt(pi) * (2 * x**2 + 1)),
    erfc(x) > 2 * x * exp(-(x**2)) / (sqrt(pi) * (x**2 + 1)),
    {x: P},
)
both("daily-gaussian-tail", erfc(x) <= exp(-(x**2)), erfc(x) <= exp(-(x**2)) / 2, {x: NN})
both("daily-error-function", 1 - erf(x) <= exp(-(x**2)), 1 - erf(x) <= exp(-2 * x**2), {x: NN})
both(
    "daily-bernoulli-exponential",
    (1 + x) ** a <= exp(a * x),
    (1 + x) ** a < exp(a * x),
    {x: Interval.open(-1, oo), a: NN},
)
both(
    "daily-descent-logistic",
    log(1 + exp(y)) <= log(1 + exp(x)) + (y - x) * SIGMOID + (y - x) ** 2 / 8,
    log(1 + exp(y)) <= log(1 + exp(x)) + (y - x) * SIGMOID + (y - x) ** 2 / 16,
    {x: R, y: R},
)
both(
    "daily-descent-cosine",
    cos(y) <= cos(x) - sin(x) * (y - x) + (y - x) ** 2 / 2,
    cos(y) <= cos(x) - sin(x) * (y - x) + (y - x) ** 2 / 3,
    {x: R, y: R},
)
both("daily-tangent-of-exp", exp(y) >= exp(x) * (1 + y - x), exp(y) > exp(x) * (1 + y - x), {x: R, y: R})
both("daily-tangent-of-log", log(y) <= log(x) + (y - x) / x, log(y) < log(x) + (y - x) / x, {x: P, y: P})
both("daily-entropy-term", x * log(x) >= -exp(-1), x * log(x) >= -Rational(1, 3), {x: P})
both("daily-poisson-weight", exp(-x) * (1 + x) <= 1, exp(-x) * (1 + x + x**2) <= 1, {x: NN})
both("daily-tanh-lipschitz", Abs(tanh(x) - tanh(y)) <= Abs(x - y), Abs(tanh(x) - tanh(y)) < Abs(x - y), {x: R, y: R})
both("daily-sine-lipschitz", Abs(sin(x) - sin(y)) <= Abs(x - y), Abs(sin(x) - sin(y)) <= Abs(x - y) / 2, {x: R, y: R})
both("daily-huygens", 2 * sin(x) + tan(x) >= 3 * x, 2 * sin(x) + tan(x) >= 3 * x + x**3, {x: ANGLE})
both("daily-jordan", sin(x) >= 2 * x / pi, sin(x) > 2 * x / pi, {x: Interval(0, pi / 2)})
both("daily-wilker", (sin(x) / x) ** 2 + tan(x) / x > 2, (sin(x) / x) ** 2 + tan(x) / x > 2 + x**2, {x: ANGLE})
both("daily-shafer", atan(x) >= 3 * x / (1 + 2 * sqrt(1 + x**2)), atan(x) >= 3 * x / (1 + sqrt(1 + x**2)), {x: NN})
both("daily-area-sine", asinh(x) <= x, asinh(x) <= x / 2, {x: NN})

MASSES = x * log(x) + y * log(y) + z * log(z)
PLANE = {a: R, b: R, x: R, y: R}
CONJUGATE = q / (q - 1)
MEAN_OF_ENDS = y / (y - x) * exp(a * x) - x / (y - x) * exp(a * y)

both("daily-entropy-of-three", -log(3) <= MASSES, MASSES >= -1, {x: P, y: P, z: P}, Eq(x + y + z, 1))
both(
    "daily-hoeffding",
    log(1 - p + p * exp(x)) <= p * x + x**2 / 8,
    log(1 - p + p * exp(x)) <= p * x + x**2 / 9,
    {p: OPEN_UNIT, x: R},
)
both(
    "daily-hoeffding-between-ends",
    exp(a**2 * (y - x) ** 2 / 8) >= MEAN_OF_ENDS,
    exp(a**2 * (y - x) ** 2 / 9) >= MEAN_OF_ENDS,
    {a: R, x: Interval.open(-oo, 0), y: P},
)
both(
    "daily-young",
    x * y <= x**q / q + y**CONJUGATE / CONJUGATE,
    x * y <= x**q / q + y**q / CONJUGATE,
    {x: P, y: P, q: Interval.open(1, oo)},
)
both(
    "daily-bernoulli-large-exponent",
    (1 + x) ** q >= 1 + q * x,
    (1 + x) ** q > 1 + q * x,
    {x: Interval.open(-1, oo), q: Interval(1, oo)},
)
both(
    "daily-bernoulli-small-exponent",
    (1 + x) ** q <= 1 + q * x,
    (1 + x) ** q <= 1 + q * x / 2,
    {x: Interval.open(-1, oo), q: Interval(0, 1)},
)
both(
    "daily-soft-maximum-of-three",
    log(exp(x) + exp(y) + exp(z)) <= Max(x, y, z) + log(3),
    log(exp(x) + exp(y) + exp(z)) <= Max(x, y, z) + 1,
    {x: R, y: R, z: R},
)
both(
    "daily-triangle-reversed",
    sqrt(a**2 + b**2) - sqrt(x**2 + y**2) <= sqrt((a - x) ** 2 + (b - y) ** 2),
    sqrt(a**2 + b**2) - sqrt(x**2 + y**2) < sqrt((a - x) ** 2 + (b - y) ** 2),
    PLANE,
)
both(
    "daily-descent-root",
    sqrt(1 + y**2) <= sqrt(1 + x**2) + x * (y - x) / sqrt(1 + x**2) + (y - x) ** 2 / 2,
    sqrt(1 + y**2) <= sqrt(1 + x**2) + x * (y - x) / sqrt(1 + x**2) + (y - x) ** 2 / 3,
    {x: R, y: R},
)
both(
    "daily-descent-log-cosh",
    log(cosh(y)) <= log(cosh(x)) + tanh(x) * (y - x) + (y - x) ** 2 / 2,
    log(cosh(y)) <= log(cosh(x)) + tanh(x) * (y - x) + (y - x) ** 2 / 3,
    {x: R, y: R},
)
