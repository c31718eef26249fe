"""Bounds of elementary and special functions of one variable."""

from __future__ import annotations

from sympy import Abs, Interval, Rational, asin, atan, cos, cosh, erf, exp, log, oo, pi, sin, sqrt, tan, tanh

from corpus.textbook import NN, UNIT, P, R, both, x

SERIES_OF_COSINE = 1 - x**2 / 2

both("exp-decay-second-order", exp(-x) <= 1 - x + x**2 / 2, exp(-x) <= 1 - x + x**2 / 3, {x: NN})
both("exp-below-geometric", exp(x) <= 1 / (1 - x), exp(x) <= 1 / (1 - x / 2), {x: Interval.Ropen(0, 1)})
both("exp-of-a-square", exp(x) <= x + exp(x**2), exp(x) <= exp(x**2), {x: R})
both("power-of-two-tangent", 2**x >= 1 + x * log(2), 2**x >= 1 + x, {x: NN})
both("power-of-two-chord", 2**x <= 1 + x, 2**x < 1 + x, {x: UNIT})
both("log-third-order", log(1 + x) <= x - x**2 / 2 + x**3 / 3, log(1 + x) <= x - x**2 / 2, {x: NN})
both("log-quotient", log(1 + x) >= x / (1 + x), log(1 + x) > x / (1 + x), {x: Interval.open(-1, oo)})
both("log-parabola", log(x) <= (x**2 - 1) / 2, log(x) <= (x**2 - 1) / 3, {x: P})
both("log-roots", log(x) <= sqrt(x) - 1 / sqrt(x), log(x) <= sqrt(x) - 1, {x: Interval(1, oo)})
both("log-of-square", log(1 + x**2) <= x**2, log(1 + x**2) <= x**2 / 2, {x: R})
both("log-over-x", log(x) / x <= exp(-1), log(x) / x <= Rational(1, 3), {x: P})
both("cosine-quartic", cos(x) <= SERIES_OF_COSINE + x**4 / 24, cos(x) <= SERIES_OF_COSINE + x**4 / 30, {x: R})
both("sine-quintic", sin(x) <= x - x**3 / 6 + x**5 / 120, sin(x) <= x - x**3 / 6, {x: NN})
both("sine-times-cosine", sin(x) * cos(x) <= x, sin(x) * cos(x) <= x / 2, {x: NN})
both("tangent-cubic", tan(x) >= x + x**3 / 3, tan(x) >= x + x**3 / 2, {x: Interval(0, Rational(3, 2))})
both("tanh-line", tanh(x) <= x, tanh(x) <= x / 2, {x: NN})
both("tanh-cubic", tanh(x) >= x - x**3 / 3, tanh(x) >= x - x**3 / 4, {x: NN})
both("tanh-quotient", tanh(x) >= x / (1 + x), tanh(x) >= x / (Rational(1, 2) + x), {x: NN})
both("cosh-parabola", cosh(x) >= 1 + x**2 / 2, cosh(x) >= 1 + x**2, {x: R})
both("log-cosh-parabola", log(cosh(x)) <= x**2 / 2, log(cosh(x)) <= x**2 / 3, {x: R})
both("log-cosh-line", log(cosh(x)) >= Abs(x) - log(2), log(cosh(x)) >= Abs(x) - Rational(1, 2), {x: R})
both("arctangent-quotient", atan(x) >= x / (1 + x**2), atan(x) >= x / (1 + x**2 / 4), {x: NN})
both("arctangent-cubic", atan(x) >= x - x**3 / 3, atan(x) >= x - x**3 / 4, {x: NN})
both("arcsine-cubic", asin(x) >= x, asin(x) >= x + x**3 / 5, {x: UNIT})
both("arcsine-chord", asin(x) <= pi * x / 2, asin(x) <= 3 * x / 2, {x: UNIT})
both("erf-line", erf(x) <= 2 * x / sqrt(pi), erf(x) <= x, {x: NN})
both("erf-square", erf(x) ** 2 <= 1 - exp(-4 * x**2 / pi), erf(x) ** 2 <= 1 - exp(-(x**2)), {x: NN})
both("erf-sign", x * erf(x) >= 0, x * erf(x) > 0, {x: R})
both(
    "softplus-absolute",
    log(1 + exp(x)) <= log(2) + Abs(x),
    log(1 + exp(x)) <= log(2) + Abs(x) / 2 - Rational(1, 10),
    {x: R},
)
both(
    "logistic-slope",
    exp(-x) / (1 + exp(-x)) ** 2 <= Rational(1, 4),
    exp(-x) / (1 + exp(-x)) ** 2 < Rational(1, 4),
    {x: R},
)
both("gamma-density-one", x * exp(-x) <= exp(-1), x * exp(-x) <= Rational(1, 3), {x: NN})
both("gamma-density-two", x**2 * exp(-x) <= 4 * exp(-2), x**2 * exp(-x) <= Rational(1, 2), {x: NN})
both("self-power", x**x >= exp(-exp(-1)), x**x >= Rational(7, 10), {x: P})
both("compound-interest", (1 + 1 / x) ** x < exp(1), (1 + 1 / x) ** x < Rational(27, 10), {x: P})
both("compound-interest-above", (1 + 1 / x) ** (x + 1) > exp(1), (1 + 1 / x) ** (x + 1) > Rational(14, 5), {x: P})
both("root-second-order", sqrt(1 + x) >= 1 + x / 2 - x**2 / 8, sqrt(1 + x) >= 1 + x / 2 - x**2 / 10, {x: NN})
both("root-of-square-plus-one", sqrt(x**2 + 1) <= Abs(x) + 1, sqrt(x**2 + 1) <= Abs(x) + Rational(1, 2), {x: R})
