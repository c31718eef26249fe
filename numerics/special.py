"""Special functions in float64 for compiled kernels, where numba has none: Ei, incomplete gamma and beta, W.

No two of them call each other in a circle: numba's disk cache does not survive mutual recursion.
"""

from __future__ import annotations

from math import exp, gamma, inf, lgamma, log, log1p, nan, pi, sqrt, tan

from numba import njit

OPTIONS = {"cache": True, "error_model": "numpy"}
EULER = 0.5772156649015329
TINY = 1e-300
ACCURACY = 1e-16
MOST_TERMS = 600


@njit(**OPTIONS)
def _exponential_integral_fraction(s: float, x: float) -> float:
    """E_s(x) by its continued fraction, for x >= 1."""
    b = x + s
    c = 1.0 / TINY
    d = 1.0 / b
    h = d
    for i in range(1, MOST_TERMS):
        a = -i * (s - 1.0 + i)
        b += 2.0
        d = 1.0 / (a * d + b)
        c = b + a / c
        change = c * d
        h *= change
        if abs(change - 1.0) < ACCURACY:
            break
    return h * exp(-x)


@njit(**OPTIONS)
def exponential_integral_ei(x: float) -> float:
    """Ei(x), the principal value for x > 0.

    >>> round(exponential_integral_ei(1.0), 12)
    1.895117816356
    """
    if x == 0.0 or x != x:  # noqa: PLR0124
        return nan
    if x < -1.0:
        return -_exponential_integral_fraction(1.0, -x)
    if x > 40.0:
        term, total = 1.0, 1.0
        for n in range(1, 60):
            if n > x:
                break
            term *= n / x
            total += term
            if term < ACCURACY * total:
                break
        return exp(x) / x * total
    term, total = 1.0, 0.0
    for n in range(1, MOST_TERMS):
        term *= x / n
        total += term / n
        if abs(term / n) < ACCURACY * abs(total):
            break
    return EULER + log(abs(x)) + total


@njit(**OPTIONS)
def generalised_exponential_integral(s: float, x: float) -> float:
    """E_s(x) for x > 0 (and s > 1 at x = 0).

    >>> round(generalised_exponential_integral(1.0, 2.0), 12)
    0.048900510708
    """
    if x < 0.0 or x != x:  # noqa: PLR0124
        return nan
    if x == 0.0:
        return 1.0 / (s - 1.0) if s > 1.0 else nan
    if x >= 1.0:
        return _exponential_integral_fraction(s, x)
    if s == 1.0:
        return -exponential_integral_ei(-x)
    if s != round(s) or s < 1.0:
        return x ** (s - 1.0) * upper_incomplete_gamma(1.0 - s, x)
    value = -exponential_integral_ei(-x)
    for k in range(1, int(s)):
        value = (exp(-x) - x * value) / k
    return value


@njit(**OPTIONS)
def lower_incomplete_gamma(s: float, x: float) -> float:
    """gamma(s, x) for s > 0, x >= 0.

    >>> round(lower_incomplete_gamma(2.0, 1.0), 12)
    0.264241117657
    """
    if x < 0.0 or s <= 0.0 or x != x or s != s:  # noqa: PLR0124
        return nan
    if x == 0.0:
        return 0.0
    if x > s + 1.0:
        return gamma(s) - _upper_gamma_fraction(s, x)
    term = 1.0 / s
    total = term
    for n in range(1, MOST_TERMS):
        term *= x / (s + n)
        total += term
        if abs(term) < ACCURACY * abs(total):
            break
    return total * exp(s * log(x) - x)


@njit(**OPTIONS)
def _upper_gamma_fraction(s: float, x: float) -> float:
    b = x + 1.0 - s
    c = 1.0 / TINY
    d = 1.0 / b if b != 0.0 else 1.0 / TINY
    h = d
    for i in range(1, MOST_TERMS):
        a = -i * (i - s)
        b += 2.0
        d = a * d + b
        d = 1.0 / (d if abs(d) > TINY else TINY)
        c = b + a / c
        c = c if abs(c) > TINY else TINY
        h *= d * c
        if abs(d * c - 1.0) < ACCURACY:
            break
    return h * exp(s * log(x) - x)


@njit(**OPTIONS)
def upper_incomplete_gamma(s: float, x: float) -> float:
    """Gamma(s, x) for x > 0.

    >>> round(upper_incomplete_gamma(2.0, 1.0), 12)
    0.735758882343
    """
    if x < 0.0 or x != x or s != s:  # noqa: PLR0124
        return nan
    if x == 0.0:
        return gamma(s) if s > 0.0 else nan
    if x > s + 1.0:
        return _upper_gamma_fraction(s, x)
    if s > 0.0:
        return gamma(s) - lower_incomplete_gamma(s, x)
    # climb to a positive order, then come back by Gamma(s) = (Gamma(s+1) - x^s e^-x) / s
    climbs = int(-s) + 1 if s != round(s) else int(-s)
    value = upper_incomplete_gamma_at_top(s + climbs, x)
    for k in range(climbs - 1, -1, -1):
        order = s + k
        value = (value - x**order * exp(-x)) / order
    return value


@njit(**OPTIONS)
def upper_incomplete_gamma_at_top(s: float, x: float) -> float:
    """Gamma(s, x) for 0 <= s <= 1, where the recursion starts."""
    if s == 0.0:
        return -exponential_integral_ei(-x)
    if x > s + 1.0:
        return _upper_gamma_fraction(s, x)
    return gamma(s) - lower_incomplete_gamma(s, x)


@njit(**OPTIONS)
def regularised_incomplete_beta(a: float, b: float, x: float) -> float:
    """I_x(a, b) for a, b > 0 and 0 <= x <= 1.

    >>> round(regularised_incomplete_beta(2.0, 3.0, 0.5), 12)
    0.6875
    """
    if not (a > 0.0 and b > 0.0 and 0.0 <= x <= 1.0):
        return nan
    if x in (0.0, 1.0):
        return x
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x))
    if x < (a + 1.0) / (a + b + 2.0):
        return front * _beta_fraction(a, b, x) / a
    return 1.0 - front * _beta_fraction(b, a, 1.0 - x) / b


@njit(**OPTIONS)
def _beta_fraction(a: float, b: float, x: float) -> float:
    c = 1.0
    d = 1.0 - (a + b) * x / (a + 1.0)
    d = 1.0 / (d if abs(d) > TINY else TINY)
    h = d
    for m in range(1, MOST_TERMS):
        even = m * (b - m) * x / ((a + 2 * m - 1.0) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1.0))
        for numerator in (even, odd):
            d = 1.0 + numerator * d
            d = 1.0 / (d if abs(d) > TINY else TINY)
            c = 1.0 + numerator / c
            c = c if abs(c) > TINY else TINY
            h *= d * c
        if abs(d * c - 1.0) < ACCURACY:
            break
    return h


@njit(**OPTIONS)
def incomplete_beta(a: float, b: float, x: float) -> float:
    """B_x(a, b), not regularised."""
    return regularised_incomplete_beta(a, b, x) * exp(lgamma(a) + lgamma(b) - lgamma(a + b))


@njit(**OPTIONS)
def lambert_w(x: float, branch: int) -> float:
    """The real branch 0 or -1 of w exp(w) = x.

    >>> round(lambert_w(1.0, 0), 12)
    0.56714329041
    """
    if x < -exp(-1.0) or x != x or (branch == -1 and x >= 0.0):  # noqa: PLR0124
        return nan
    if x == inf:
        return x
    near = sqrt(max(2.0 * (exp(1.0) * x + 1.0), 0.0))
    if branch == -1:
        w = -1.0 - near - near * near / 3.0 if x < -0.25 else log(-x) - log(-log(-x))
    elif x < -0.25:
        w = -1.0 + near - near * near / 3.0
    else:
        w = log1p(x) if x < 3.0 else log(x) - log(log(x))
    for _ in range(60):
        grown = exp(w)
        difference = w * grown - x
        if w == -1.0:
            break
        slope = grown * (w + 1.0)
        change = difference / (slope - (w + 2.0) * difference / (2.0 * w + 2.0))
        w -= change
        if abs(change) <= 4e-16 * abs(w):
            break
    return w


@njit(**OPTIONS)
def complete_beta(a: float, b: float) -> float:
    """B(a, b) for a, b > 0.

    >>> round(complete_beta(2.0, 3.0), 12)
    0.083333333333
    """
    return exp(lgamma(a) + lgamma(b) - lgamma(a + b)) if a > 0.0 and b > 0.0 else nan


@njit(**OPTIONS)
def polygamma(order: float, x: float) -> float:
    """The derivative of digamma of a whole order, for x > 0.

    >>> round(polygamma(0.0, 1.0), 12), round(polygamma(1.0, 1.0), 12)
    (-0.577215664902, 1.644934066848)
    """
    if not (x > 0.0 and order >= 0.0 and order == round(order)):
        return nan
    if order == 0.0:
        return digamma(x)
    s = order + 1.0
    total = 0.0
    while x < 20.0:
        total += x**-s
        x += 1.0
    # Euler's and Maclaurin's sum of the rest of the Hurwitz zeta function
    square = 1.0 / (x * x)
    bracket = s / 12 * (1 - (s + 1) * (s + 2) / 60 * square * (1 - (s + 3) * (s + 4) / 42 * square))
    total += x ** (1.0 - s) / (s - 1.0) + 0.5 * x**-s + bracket * x ** (-s - 1.0)
    return total * gamma(s) * (1.0 if order % 2.0 == 1.0 else -1.0)


@njit(**OPTIONS)
def digamma(x: float) -> float:
    """psi(x), nan at its poles.

    >>> round(digamma(1.0), 12)
    -0.577215664902
    """
    if x <= 0.0:
        return nan if x == round(x) else digamma_positive(1.0 - x) - pi / tan(pi * x)
    return digamma_positive(x)


@njit(**OPTIONS)
def digamma_positive(x: float) -> float:
    """psi(x) for x > 0, by recursion and the asymptotic series."""
    total = 0.0
    while x < 10.0:
        total -= 1.0 / x
        x += 1.0
    s = 1.0 / (x * x)
    series = s * (1 / 12 - s * (1 / 120 - s * (1 / 252 - s * (1 / 240 - s * (1 / 132 - s * (691 / 32760 - s / 12))))))
    return total + log(x) - 0.5 / x - series
