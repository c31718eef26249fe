"""Small rational numbers: how nice one is, and the nicest one in an interval or near a measured value."""

from __future__ import annotations

from fractions import Fraction

from sympy import Rational


def cost(number: Rational) -> float:
    """How hard a rational number is to read; 1 is the nicest.

    >>> sorted([Rational(22, 7), Rational(-1), Rational(0), Rational(1, 2), Rational(1)], key=cost)
    [1, 0, -1, 1/2, 22/7]
    """
    if number == 0:
        return 2.1
    size = float(_digits(abs(number.p)) + _digits(number.q))
    return size + (0.25 if number < 0 else 0.0) + (0.5 if number.q > 1 else 0.0)


def _digits(number: int) -> float:
    """Numbers up to 5 count as they are, larger ones by their digits, the zeros at the end for less."""
    if number <= 5:
        return float(number)
    text = str(number)
    mantissa = text.rstrip("0")
    return 5.0 + 2 * len(mantissa) + 0.5 * (len(text) - len(mantissa))


def simplest_between(low: Fraction, high: Fraction) -> Fraction:
    """The fraction with the smallest denominator strictly between two numbers (Stern-Brocot descent).

    >>> simplest_between(Fraction(314, 100), Fraction(315, 100))
    Fraction(22, 7)
    >>> simplest_between(Fraction(-1, 2), Fraction(3))
    Fraction(0, 1)
    """
    if low >= high:
        raise ValueError("an empty interval holds no fraction")
    if low < 0 < high:
        return Fraction(0)
    if high <= 0:
        return -simplest_between(-high, -low)
    return _between_positive(low, high)


def _between_positive(low: Fraction, high: Fraction) -> Fraction:
    """Continued fractions, in a loop: the common part of both ends, then the first integer between."""
    parts: list[int] = []
    while True:
        whole = low.numerator // low.denominator
        if whole + 1 < high:
            parts.append(whole + 1)
            break
        parts.append(whole)
        if low == whole:
            # high <= whole + 1: invert the rest of `high` only
            parts.append((1 / (high - whole)).__floor__() + 1)
            break
        low, high = 1 / (high - whole), 1 / (low - whole)
    value = Fraction(parts.pop())
    while parts:
        value = parts.pop() + 1 / value
    return value


def nice_between(low: Fraction, high: Fraction) -> Fraction:
    """The simplest fraction strictly between two numbers; at extreme scales a small multiple of a power of ten.

    >>> nice_between(Fraction(0), Fraction(1, 3)), nice_between(Fraction(0), Fraction(1, 3 * 10**60)) * 10**61
    (Fraction(1, 4), Fraction(1, 1))
    """
    middle = (low + high) / 2
    if middle == 0 or Fraction(1, 10**6) < abs(middle) < 10**6 or (high - low) * 10**6 < abs(middle):
        return simplest_between(low, high)
    power = _power_of_ten(middle)
    return simplest_between(low / power, high / power) * power


def near(value: Fraction | float, tolerance: Fraction | float) -> Fraction:
    """The simplest fraction within the relative tolerance of a value.

    >>> near(3.14159, 0.001)
    Fraction(22, 7)
    >>> near(1.02e-40, 0.1)
    Fraction(1, 10000000000000000000000000000000000000000)
    """
    exact = Fraction(value)
    if exact == 0:
        return exact
    power = _power_of_ten(exact)
    scaled = exact / power if abs(exact) < Fraction(1, 10**6) or abs(exact) > 10**6 else exact
    width = abs(scaled) * Fraction(tolerance)
    found = simplest_between(scaled - width, scaled + width)
    return found * power if scaled != exact else found


def _power_of_ten(value: Fraction) -> Fraction:
    """The power of ten whose product with a number of 1 to 10 is the value."""
    size = abs(value)
    exponent = len(str(size.numerator)) - len(str(size.denominator))
    power = Fraction(10) ** exponent
    while size / power >= 10:
        power *= 10
    while size / power < 1:
        power /= 10
    return power
