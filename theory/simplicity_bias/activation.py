"""The smoothed rectifier phi(v, x) = E (v . (x + xi z))_+ with z uniform on the unit ball, in closed form.

A coordinate of z has the density C_d (1 - a^2)^((d-1)/2). Everything follows from two integrals over a > -c, where c
is v . x / (xi |v|): the mass above the kink and the first moment above it. For odd d both are polynomials in c, for
even d the mass contains arcsin(c) and the square root of 1 - c^2.
"""

from __future__ import annotations

from functools import cache

from sympy import Expr, Integer, Matrix, Piecewise, Rational, Symbol, asin, eye, factor, pi, sqrt

c = Symbol("c")
xi = Symbol("xi")


def truncated_mass(d: int, at: Expr = c) -> Expr:
    """The integral of (1 - a^2)^((d-1)/2) over -c < a < 1.

    >>> truncated_mass(3).expand()
    -c**3/3 + c + 2/3
    >>> truncated_mass(2).has(asin)
    True
    """
    return _mass(d).subs(c, at)


@cache
def _mass(d: int) -> Expr:
    if d == 0:
        return asin(c) + pi / 2
    if d == 1:
        return 1 + c
    return c * (1 - c**2) ** Rational(d - 1, 2) / d + Rational(d - 1, d) * _mass(d - 2)


@cache
def normaliser(d: int) -> Expr:
    """C_d, the volume of the (d-1)-ball over that of the d-ball.

    >>> [normaliser(d) for d in (2, 3, 5)]
    [2/pi, 3/4, 15/16]
    """
    return 1 / truncated_mass(d, Integer(1))


def density(d: int, a: Expr) -> Expr:
    """The density of one coordinate of a uniform point of the unit ball."""
    return normaliser(d) * (1 - a**2) ** Rational(d - 1, 2)


@cache
def share(d: int) -> Expr:
    """The probability that the kink is passed: P(z_1 > -c).

    >>> share(3).subs(c, 0)
    1/2
    """
    found = normaliser(d) * truncated_mass(d)
    return found.expand() if d % 2 else found


@cache
def moment(d: int) -> Expr:
    """E z_1 [z_1 > -c] = C_d (1 - c^2)^((d+1)/2) / (d + 1).

    >>> moment(3)
    3*(1 - c**2)**2/16
    """
    return normaliser(d) * (1 - c**2) ** Rational(d + 1, 2) / (d + 1)


@cache
def profile(d: int) -> Expr:
    """phi / (xi |v|) as a function of c inside the band |c| < 1.

    >>> factor(profile(3))
    -(c - 3)*(c + 1)**3/16
    """
    found = c * share(d) + moment(d)
    return factor(found) if d % 2 else found


def branches(d: int, ratio: Expr) -> Expr:
    """phi / (xi |v|) as a function of v . x / (xi |v|) on the whole line: zero, smooth part, identity."""
    inside = profile(d).subs(c, ratio)
    return Piecewise((0, ratio <= -1), (inside, ratio < 1), (ratio, True))


def inside_band(d: int, v: Matrix, x: Matrix, length: Expr | None = None, width: Expr = xi) -> Expr:
    """phi(v, x) where |v . x| < xi |v|; `length` is |v| where a symbol stands for it.

    >>> from sympy import symbols
    >>> v, x = Matrix(symbols("v1:4")), Matrix(symbols("x1:4"))
    >>> inside_band(3, v, x).free_symbols == {*v, *x, xi}
    True
    """
    size = sqrt(v.dot(v)) if length is None else length
    return width * size * profile(d).subs(c, v.dot(x) / (width * size))


def gradient(d: int, v: Matrix, x: Matrix, length: Expr, width: Expr = xi) -> Matrix:
    """The gradient in v inside the band: share(c) x + xi moment(c) v / |v|; `length` is |v|."""
    ratio = v.dot(x) / (width * length)
    return share(d).subs(c, ratio) * x + width * moment(d).subs(c, ratio) * v / length


def projector(v: Matrix, length: Expr) -> Matrix:
    """The projector onto the complement of v."""
    return eye(len(v)) - v * v.T / length**2


def hessian(d: int, v: Matrix, x: Matrix, length: Expr, width: Expr = xi) -> Matrix:
    """The Euclidean Hessian in v inside the band."""
    ratio = v.dot(x) / (width * length)
    flat = projector(v, length)
    curved = (flat * x) * (flat * x).T * density(d, ratio) / (width * length)
    return flat * width * moment(d).subs(c, ratio) / length + curved


def spherical_hessian(d: int, v: Matrix, x: Matrix, width: Expr = xi) -> Matrix:
    """The Hessian of phi restricted to the unit sphere: the Euclidean one minus phi times the projector.

    The difference is what a maximum on the sphere controls: there the Euclidean Hessian need not be negative.
    """
    one = Integer(1)
    value = width * profile(d).subs(c, v.dot(x) / width)
    return hessian(d, v, x, one, width) - value * projector(v, one)
