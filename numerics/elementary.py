"""exp and its relatives written so that a loop over lanes is vectorised; a library call would stop that.

Reduction x = n ln 2 + r with |r| <= ln(2)/2, a Taylor polynomial in r, and the scaling by 2^n through the
exponent bits. Errors stay below 2 units in the last place.
"""

from __future__ import annotations

from typing import Any

from numba import njit, types
from numba.extending import intrinsic

LOG2_E = 1.4426950408889634
LN2_HIGH = 6.93147180369123816490e-01
LN2_LOW = 1.90821492927058770002e-10
ROUNDER = 6755399441055744.0  # 1.5 * 2**52: adding it leaves the nearest integer in the low bits
LARGEST_EXPONENT = 709.782712893384
SMALLEST_EXPONENT = -745.2

INLINE = {"cache": True, "error_model": "numpy", "fastmath": {"contract"}, "inline": "never"}


@intrinsic
def bits_of(typing_context: Any, value: Any) -> Any:  # noqa: ARG001
    """The 64 bits of a float as an integer."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001
        return builder.bitcast(arguments[0], context.get_value_type(types.int64))

    return types.int64(types.float64), generate


@intrinsic
def float_of(typing_context: Any, bits: Any) -> Any:  # noqa: ARG001
    """The float with these 64 bits."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001
        return builder.bitcast(arguments[0], context.get_value_type(types.float64))

    return types.float64(types.int64), generate


@njit(**INLINE)
def _expm1_series(r: float) -> float:
    """(exp(r) - 1 - r) / r^2 for |r| <= ln(2)/2."""
    p = 1.0 / 6227020800.0
    p = p * r + 1.0 / 479001600.0
    p = p * r + 1.0 / 39916800.0
    p = p * r + 1.0 / 3628800.0
    p = p * r + 1.0 / 362880.0
    p = p * r + 1.0 / 40320.0
    p = p * r + 1.0 / 5040.0
    p = p * r + 1.0 / 720.0
    p = p * r + 1.0 / 120.0
    p = p * r + 1.0 / 24.0
    p = p * r + 1.0 / 6.0
    return p * r + 0.5


@njit(**INLINE)
def exponential(x: float) -> float:
    """exp(x), with the right overflow to inf, gradual underflow to 0 and nan for nan."""
    clamped = min(max(x, SMALLEST_EXPONENT), 709.9)
    shifted = clamped * LOG2_E + ROUNDER
    n = shifted - ROUNDER
    r = (clamped - n * LN2_HIGH) - n * LN2_LOW
    p = 1.0 + (r + r * r * _expm1_series(r))
    # 2^n in two factors, because n itself may lie outside the exponents of a normal number
    half = (bits_of(n * 0.5 + ROUNDER) << 52) >> 52
    rest = ((bits_of(shifted) << 52) >> 52) - half
    result = p * float_of((half + 1023) << 52) * float_of((rest + 1023) << 52)
    if x > LARGEST_EXPONENT:
        result = float_of(0x7FF0000000000000)
    return result if x == x else x  # noqa: PLR0124


@njit(**INLINE)
def exponential_minus_one(x: float) -> float:
    """exp(x) - 1 without cancellation near 0, for x <= 709."""
    clamped = min(max(x, -60.0), 709.0)
    shifted = clamped * LOG2_E + ROUNDER
    n = shifted - ROUNDER
    r = (clamped - n * LN2_HIGH) - n * LN2_LOW
    q = r + r * r * _expm1_series(r)
    scale = float_of((((bits_of(shifted) << 52) >> 52) + 1023) << 52)
    result = scale * q + (scale - 1.0)
    return result if x == x else x  # noqa: PLR0124


@njit(**INLINE)
def hyperbolic_tangent(x: float) -> float:
    """tanh(x) to full relative accuracy, also for tiny x."""
    magnitude = min(abs(x), 22.0)
    grown = exponential_minus_one(2.0 * magnitude)
    result = grown / (grown + 2.0)
    result = result if x >= 0.0 else -result
    return result if x == x else x  # noqa: PLR0124


@njit(**INLINE)
def hyperbolic_sine(x: float) -> float:
    """sinh(x) to full relative accuracy."""
    magnitude = abs(x)
    grown = exponential_minus_one(min(magnitude, 700.0))
    half = exponential(0.5 * magnitude)
    result = 0.5 * half * half if magnitude > 700.0 else 0.5 * (grown + grown / (grown + 1.0))
    result = result if x >= 0.0 else -result
    return result if x == x else x  # noqa: PLR0124


@njit(**INLINE)
def hyperbolic_cosine(x: float) -> float:
    """cosh(x)."""
    half = exponential(0.5 * abs(x))
    return 0.5 * half * half + 0.5 / half / half
