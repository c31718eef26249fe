"""Numbers as a sign and the logarithm of their size: from exp(-1e300) to exp(1e300) without underflow.

The relative error of a number of size exp(m) is about |m| units in the last place: thirteen digits at 1e-400.
"""

from __future__ import annotations

from math import acos, asin, atan, atan2, cos, erf, exp, expm1, floor, gamma, inf, log, log1p, nan, sin, tan, tanh

from numba import njit

OPTIONS = {"cache": True, "error_model": "numpy"}


@njit(**OPTIONS)
def to_float(s: float, m: float) -> float:
    """The number as a float64, 0 or infinite where it leaves that range."""
    return s * exp(m) if s != 0.0 else s


@njit(**OPTIONS)
def from_float(x: float) -> tuple[float, float]:
    """Sign and log size of a float."""
    if x == 0.0:
        return 0.0, -inf
    if x != x:  # noqa: PLR0124
        return nan, nan
    return (1.0 if x > 0.0 else -1.0), log(abs(x))


@njit(**OPTIONS)
def add(s: float, m: float, t: float, n: float) -> tuple[float, float]:
    """Sum."""
    if s == 0.0:
        return t, n
    if t == 0.0:
        return s, m
    if m < n:
        s, m, t, n = t, n, s, m
    if s == t:
        return s, m + log1p(exp(n - m))
    if m == n:
        return 0.0, -inf
    return s, m + log(-expm1(n - m))


@njit(**OPTIONS)
def multiply(s: float, m: float, t: float, n: float) -> tuple[float, float]:
    """Product."""
    return (s * t, m + n) if s * t != 0.0 else (s * t, -inf)


@njit(**OPTIONS)
def divide(s: float, m: float, t: float, n: float) -> tuple[float, float]:
    """Quotient, nan for division by zero."""
    if t == 0.0:
        return nan, nan
    return (s * t, m - n) if s != 0.0 else (0.0, -inf)


@njit(**OPTIONS)
def power(s: float, m: float, exponent: float) -> tuple[float, float]:
    """Integer power."""
    if s == 0.0:
        return 0.0, -inf
    odd = exponent - 2.0 * floor(exponent / 2.0) == 1.0
    return (s if odd else s * s), m * exponent


@njit(**OPTIONS)
def root(s: float, m: float, index: float) -> tuple[float, float]:
    """Real root of a nonnegative number."""
    if s < 0.0:
        return nan, nan
    return s, m / index


@njit(**OPTIONS)
def general_power(s: float, m: float, t: float, n: float) -> tuple[float, float]:
    """Power of a positive number."""
    if s > 0.0:
        return 1.0, m * to_float(t, n)
    return (0.0, -inf) if s == 0.0 and t > 0.0 else (nan, nan)


@njit(**OPTIONS)
def exponential(s: float, m: float) -> tuple[float, float]:
    """exp, whose log size is the number itself."""
    return (1.0, to_float(s, m)) if s == s else (nan, nan)  # noqa: PLR0124


@njit(**OPTIONS)
def logarithm(s: float, m: float) -> tuple[float, float]:
    """log of a positive number, which is its log size."""
    return from_float(m) if s > 0.0 else (nan, nan)


@njit(**OPTIONS)
def sine(s: float, m: float) -> tuple[float, float]:
    """sin, equal to its argument where that is tiny."""
    return (s, m) if m < -40.0 else from_float(sin(to_float(s, m)))


@njit(**OPTIONS)
def tangent(s: float, m: float) -> tuple[float, float]:
    """tan."""
    return (s, m) if m < -40.0 else from_float(tan(to_float(s, m)))


@njit(**OPTIONS)
def cosine(s: float, m: float) -> tuple[float, float]:
    """cos."""
    return from_float(cos(to_float(s, m)))


@njit(**OPTIONS)
def arcsine(s: float, m: float) -> tuple[float, float]:
    """asin."""
    if m > 0.0:
        return nan, nan
    return (s, m) if m < -40.0 else from_float(asin(to_float(s, m)))


@njit(**OPTIONS)
def arccosine(s: float, m: float) -> tuple[float, float]:
    """acos."""
    return from_float(acos(to_float(s, m))) if m <= 0.0 else (nan, nan)


@njit(**OPTIONS)
def arctangent(s: float, m: float) -> tuple[float, float]:
    """atan."""
    return (s, m) if m < -40.0 else from_float(atan(to_float(s, m)))


@njit(**OPTIONS)
def angle(s: float, m: float, t: float, n: float) -> tuple[float, float]:
    """atan2, from the ratio of the sizes so that tiny points have an angle too."""
    if s == 0.0 and t == 0.0:
        return nan, nan
    top = max(m, n)
    return from_float(atan2(s * exp(m - top), t * exp(n - top)))


@njit(**OPTIONS)
def hyperbolic_tangent(s: float, m: float) -> tuple[float, float]:
    """tanh."""
    return (s, m) if m < -40.0 else from_float(tanh(to_float(s, m)))


@njit(**OPTIONS)
def hyperbolic_sine(s: float, m: float) -> tuple[float, float]:
    """sinh, also where it is too large for a float."""
    if m < -40.0 or s == 0.0:
        return s, m
    x = exp(m)
    return s, x + log(-expm1(-2.0 * x)) - log(2.0)


@njit(**OPTIONS)
def hyperbolic_cosine(s: float, m: float) -> tuple[float, float]:
    """cosh, also where it is too large for a float."""
    if s == 0.0:
        return 1.0, 0.0
    x = exp(m)
    return s * s, x + log1p(exp(-2.0 * x)) - log(2.0)


@njit(**OPTIONS)
def hyperbolic_secant(s: float, m: float) -> tuple[float, float]:
    """1/cosh."""
    t, n = hyperbolic_cosine(s, m)
    return t, -n


@njit(**OPTIONS)
def absolute(s: float, m: float) -> tuple[float, float]:
    """Absolute value."""
    return abs(s), m


@njit(**OPTIONS)
def sign(s: float, m: float) -> tuple[float, float]:  # noqa: ARG001
    """Sign."""
    return s, (0.0 if s != 0.0 else -inf)


@njit(**OPTIONS)
def maximum(s: float, m: float, t: float, n: float) -> tuple[float, float]:
    """The larger of two numbers."""
    return (s, m) if is_less(t, n, s, m) else (t, n)


@njit(**OPTIONS)
def minimum(s: float, m: float, t: float, n: float) -> tuple[float, float]:
    """The smaller of two numbers."""
    return (s, m) if is_less(s, m, t, n) else (t, n)


@njit(**OPTIONS)
def error_function(s: float, m: float) -> tuple[float, float]:
    """erf."""
    if m < -40.0 and s != 0.0:
        return s, m + 0.12078223763524522
    return from_float(erf(to_float(s, m)))


@njit(**OPTIONS)
def gamma_function(s: float, m: float) -> tuple[float, float]:
    """gamma."""
    return from_float(gamma(to_float(s, m))) if s != 0.0 else (nan, nan)


@njit(**OPTIONS)
def is_less(s: float, m: float, t: float, n: float) -> bool:
    """Comparison by sign, then by log size."""
    if s != t:
        return s < t
    return s * m < s * n
