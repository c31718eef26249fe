"""The special functions of the language."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import factorial, prod

import mpmath
import sympy as sp
from flint import acb, arb
from sympy import Expr, Ge, Gt, Le, Lt, Ne, S, exp, oo, pi, sqrt

from theory.language.entries import Ball, Conditions, Entry

_NAN = arb.nan()
_LARGEST_FACTORIAL = 2_000
_DENSITY = 2 / sqrt(pi)


def _whole(ball: Ball) -> int | None:
    """The whole number that a ball consists of."""
    found = ball.unique_fmpz() if ball.is_exact() and ball.is_integer() else None
    return None if found is None else int(found)


def _ends(function: Callable[[Ball], Ball], x: Ball) -> Ball:
    """A function that is monotone on the ball."""
    if x.is_exact():
        return function(x)
    low, high = function(x.lower()), function(x.upper())
    return low.union(high) if low.is_finite() and high.is_finite() else _NAN


def _polygamma(n: Ball, x: Ball) -> Ball:
    order = _whole(n)
    if order is None or order < 0 or not x > 0:
        return _NAN
    return _ends(lambda end: end.digamma() if order == 0 else acb(end).polygamma(order).real, x)


def _upper_gamma(s: Ball, x: Ball) -> Ball:
    inside = x > 0 or (s > 0 and x >= 0)
    return _ends(lambda end: end.gamma_upper(s), x) if inside else _NAN


def _incomplete_beta(regularized: bool) -> Callable[..., Ball]:
    def value(a: Ball, b: Ball, low: Ball, high: Ball) -> Ball:
        if not (a > 0 and b > 0 and all(end >= 0 and end <= 1 for end in (low, high))):
            return _NAN
        upper, lower = (_ends(lambda x: x.beta_lower(a, b, regularized=regularized), end) for end in (high, low))
        return upper if low.is_zero() else upper - lower

    return value


def _lambert(x: Ball, branch: Ball) -> Ball:
    which = _whole(branch)
    if which not in (0, -1):
        return _NAN
    return _ends(lambda end: end.lambertw(which), x)


def _binomial(n: Ball, k: Ball) -> Ball:
    return (n + 1).gamma() * (k + 1).rgamma() * (n - k + 1).rgamma() if n > -1 else _NAN


def _factorial_exactly(n: Fraction) -> Fraction | None:
    return Fraction(factorial(int(n))) if n.denominator == 1 and 0 <= n <= _LARGEST_FACTORIAL else None


def _binomial_exactly(n: Fraction, k: Fraction) -> Fraction | None:
    if k.denominator != 1 or not 0 <= k <= _LARGEST_FACTORIAL:
        return None
    return prod(((n - j) / (j + 1) for j in range(int(k))), start=Fraction(1))


def _beta(a: Ball, b: Ball) -> Ball:
    if not (a > 0 and b > 0):
        return _NAN
    # falling in both arguments, by whose ends it is therefore bounded
    ends = [(x, y) for x in (a.lower(), a.upper()) for y in (b.lower(), b.upper())]
    values = [x.gamma() * y.gamma() * (x + y).rgamma() for x, y in (ends[0], ends[-1])]
    return values[0].union(values[1]) if all(value.is_finite() for value in values) else _NAN


def _bessel(method: str, entire: bool) -> Callable[..., Ball]:
    """Of a whole order on the whole line where the function is entire, otherwise for positive arguments."""

    def value(order: Ball, x: Ball) -> Ball:
        if not x > 0 and not (entire and _whole(order) is not None):
            return _NAN
        return getattr(x, method)(order)

    return value


def _zeta(s: Ball, a: Ball) -> Ball:
    if s.contains(1) or not a > 0:
        return _NAN
    whole = s.zeta() if _whole(a) == 1 else s.zeta(a)
    if s > 1 and a >= 1 and not s.is_exact():  # every term of the series falls
        ends = [end.zeta(a) for end in (s.lower(), s.upper())]
        return ends[0].union(ends[1]) if all(end.is_finite() for end in ends) else whole
    return whole


def _polylog(s: Ball, x: Ball) -> Ball:
    """Rising in its argument below 1 where the order is not negative, as its Bose integral shows."""
    if not x < 1:
        return _NAN
    return _ends(lambda end: end.polylog(s), x) if s >= 0 else x.polylog(s)


def _bessel_domain(order: Expr, u: Expr) -> Conditions:
    return () if order.is_Integer else (Gt(u, 0),)


def _lambert_domain(u: Expr, branch: Expr = S.Zero) -> Conditions | None:
    lower = Ge(u, -exp(-1))
    return (lower,) if branch == 0 else (lower, Lt(u, 0)) if branch == -1 else None


def _lambert_slope(u: Expr, branch: Expr = S.Zero) -> Expr:
    w = sp.LambertW(u) if branch == 0 else sp.LambertW(u, branch)
    return exp(-w) / (1 + w)


def _unit_domain(a: Expr, b: Expr, *ends: Expr) -> Conditions:
    return (Gt(a, 0), Gt(b, 0), *(Ge(end, 0) for end in ends), *(Le(end, 1) for end in ends))


def _beta_density(a: Expr, b: Expr, u: Expr) -> Expr:
    return u ** (a - 1) * (1 - u) ** (b - 1)


ENTRIES = (
    Entry(
        function=sp.erf, ball="erf", analytic=True, slopes=(lambda u: _DENSITY * exp(-(u**2)),), turns=(), odd=True,
        limits=(-S.One, S.One), bounds=(-S.One, S.One), compiled="erf({0})", extended="error_function", mpmath="erf",
        latex="erf",
    ),
    Entry(
        function=sp.erfc, ball="erfc", analytic=True, slopes=(lambda u: -_DENSITY * exp(-(u**2)),), turns=(),
        limits=(S(2), S.Zero), bounds=(S.Zero, S(2)), compiled="erfc({0})", mpmath="erfc", latex="erfc",
    ),
    Entry(
        function=sp.erfi, ball="erfi", analytic=True, slopes=(lambda u: _DENSITY * exp(u**2),), turns=(), odd=True,
        limits=(-oo, oo), mpmath="erfi", latex="erfi",
    ),
    # -- gamma and its relatives ------------------------------------------------------------------------------------
    Entry(
        function=sp.gamma, defined=lambda u: (Gt(u, 0),), exact=False, ball="gamma", next_value=lambda u, v: u * v,
        slopes=(lambda u: sp.gamma(u) * sp.polygamma(0, u),), limits=(None, oo),
        compiled="(gamma({0}) if {0} > 0.0 or {0} != floor({0}) else nan)", extended="gamma_function", mpmath="gamma",
        latex="Gamma",
    ),
    Entry(
        function=sp.loggamma, defined=lambda u: (Gt(u, 0),), ball="lgamma", slopes=(lambda u: sp.polygamma(0, u),),
        next_value=lambda u, v: v + sp.log(u), limits=(None, oo),
        compiled="(lgamma({0}) if {0} > 0.0 else nan)", mpmath="loggamma", latex="loggamma",
    ),
    Entry(
        function=sp.polygamma, arity=(2,), defined=lambda n, u: (Gt(u, 0),) if n.is_Integer and n >= 0 else None,
        exact=False, ball=_polygamma, turns=(), slopes=(None, lambda n, u: sp.polygamma(n + 1, u)),
        compiled="polygamma({0}, {1})", mpmath=lambda n, u: mpmath.psi(int(n), u), latex="psi",
    ),
    Entry(
        function=sp.factorial, defined=lambda u: (Gt(u, -1),), exact=False, ball=lambda x: (x + 1).gamma(),
        through=lambda u: sp.gamma(u + 1), next_value=lambda u, v: (u + 1) * v, exactly=_factorial_exactly,
        slopes=(lambda u: sp.gamma(u + 1) * sp.polygamma(0, u + 1),), limits=(None, oo),
        compiled="(gamma({0} + 1.0) if {0} > -1.0 else nan)", mpmath="factorial", latex="factorial",
    ),
    Entry(
        function=sp.binomial, arity=(2,), defined=lambda n, _: (Gt(n, -1),), exact=False, ball=_binomial,
        exactly=_binomial_exactly,
        slopes=(
            lambda n, k: sp.binomial(n, k) * (sp.polygamma(0, n + 1) - sp.polygamma(0, n - k + 1)),
            lambda n, k: sp.binomial(n, k) * (sp.polygamma(0, n - k + 1) - sp.polygamma(0, k + 1)),
        ),
        mpmath="binomial", latex="binom",
    ),
    Entry(
        function=sp.beta, arity=(1, 2), defined=lambda a, b: (Gt(a, 0), Gt(b, 0)), exact=False, ball=_beta,
        slopes=(
            lambda a, b: sp.beta(a, b) * (sp.polygamma(0, a) - sp.polygamma(0, a + b)),
            lambda a, b: sp.beta(a, b) * (sp.polygamma(0, b) - sp.polygamma(0, a + b)),
        ),
        compiled="complete_beta({0}, {1})", mpmath="beta", latex="Beta",
    ),
    Entry(
        function=sp.lowergamma, arity=(2,), defined=lambda s, u: (Gt(s, 0), Ge(u, 0)), exact=False, guarded=True,
        ball=lambda s, x: x.gamma_lower(s), slopes=(None, lambda s, u: u ** (s - 1) * exp(-u)), turns=(),
        compiled="lower_incomplete_gamma({0}, {1})", mpmath=lambda s, u: mpmath.gammainc(s, 0, u), latex="lowergamma",
    ),
    Entry(
        function=sp.uppergamma, arity=(2,), defined=lambda s, u: (Ge(u, 0) if s.is_positive else Gt(u, 0),),
        exact=False, ball=_upper_gamma, turns=(), slopes=(None, lambda s, u: -(u ** (s - 1)) * exp(-u)),
        compiled="upper_incomplete_gamma({0}, {1})", mpmath="gammainc", latex="uppergamma",
    ),
    Entry(
        function=sp.betainc, arity=(4,), defined=_unit_domain, exact=False, ball=_incomplete_beta(False), turns=(),
        slopes=(None, None, lambda a, b, u, _: -_beta_density(a, b, u), lambda a, b, _, v: _beta_density(a, b, v)),
        compiled="(incomplete_beta({0}, {1}, {3}) - incomplete_beta({0}, {1}, {2}))",
        mpmath="betainc", latex="betainc",
    ),
    Entry(
        function=sp.betainc_regularized, arity=(4,), defined=_unit_domain, exact=False, ball=_incomplete_beta(True),
        turns=(),
        slopes=(
            None, None,
            lambda a, b, u, _: -_beta_density(a, b, u) / sp.beta(a, b),
            lambda a, b, _, v: _beta_density(a, b, v) / sp.beta(a, b),
        ),
        compiled="(regularised_incomplete_beta({0}, {1}, {3}) - regularised_incomplete_beta({0}, {1}, {2}))",
        mpmath=lambda a, b, u, v: mpmath.betainc(a, b, u, v, regularized=True), latex="betaincregularized",
    ),
    # -- integrals of elementary functions --------------------------------------------------------------------------
    Entry(
        function=sp.Ei, defined=lambda u: (Ne(u, 0),), ball="ei", slopes=(lambda u: exp(u) / u,), turns=(),
        limits=(S.Zero, oo), compiled="exponential_integral_ei({0})", mpmath="ei", latex="Ei",
    ),
    Entry(
        function=sp.expint, arity=(2,), defined=lambda _, u: (Gt(u, 0),), exact=False, guarded=True,
        ball=lambda s, x: x.expint(s), slopes=(None, lambda s, u: -sp.expint(s - 1, u)), turns=(),
        compiled="generalised_exponential_integral({0}, {1})", mpmath="expint", latex="expint",
    ),
    Entry(
        function=sp.li, defined=lambda u: (Gt(u, 0), Ne(u, 1)), exact=False, guarded=True, ball="li",
        slopes=(lambda u: 1 / sp.log(u),), turns=(),
        limits=(None, oo), mpmath="li", latex="li",
        compiled="(exponential_integral_ei(log({0})) if {0} > 0.0 and {0} != 1.0 else nan)",
    ),
    Entry(
        function=sp.Si, ball="si", analytic=True, slopes=(lambda u: sp.sin(u) / u,), limits=(-pi / 2, pi / 2),
        bounds=(-S(2), S(2)), odd=True, mpmath="si", latex="Si",
    ),
    Entry(
        function=sp.Ci, defined=lambda u: (Gt(u, 0),), ball="ci", slopes=(lambda u: sp.cos(u) / u,),
        limits=(None, S.Zero), mpmath="ci", latex="Ci",
    ),
    Entry(
        function=sp.Shi, ball="shi", analytic=True, slopes=(lambda u: sp.sinh(u) / u,), turns=(), limits=(-oo, oo),
        odd=True, mpmath="shi", latex="Shi",
    ),
    Entry(
        function=sp.Chi, defined=lambda u: (Gt(u, 0),), ball="chi", slopes=(lambda u: sp.cosh(u) / u,), turns=(),
        limits=(None, oo), mpmath="chi", latex="Chi",
    ),
    Entry(
        function=sp.LambertW, arity=(1, 2), defaults=(S.Zero,), defined=_lambert_domain, ball=_lambert,
        slopes=(_lambert_slope, None), turns=(), along=0, limits=(None, oo), compiled="lambert_w({0}, int({1}))",
        mpmath=lambda u, k: mpmath.lambertw(u, int(k)), latex="W",
    ),
    # -- others -----------------------------------------------------------------------------------------------------
    Entry(
        function=sp.besselj, arity=(2,), defined=_bessel_domain, exact=False, ball=_bessel("bessel_j", True),
        slopes=(None, lambda n, u: (sp.besselj(n - 1, u) - sp.besselj(n + 1, u)) / 2), mpmath="besselj", latex="J",
    ),
    Entry(
        function=sp.bessely, arity=(2,), defined=lambda _, u: (Gt(u, 0),), exact=False,
        ball=_bessel("bessel_y", False),
        slopes=(None, lambda n, u: (sp.bessely(n - 1, u) - sp.bessely(n + 1, u)) / 2), mpmath="bessely", latex="Y",
    ),
    Entry(
        function=sp.besseli, arity=(2,), defined=_bessel_domain, exact=False, ball=_bessel("bessel_i", True),
        slopes=(None, lambda n, u: (sp.besseli(n - 1, u) + sp.besseli(n + 1, u)) / 2), mpmath="besseli", latex="I",
    ),
    Entry(
        function=sp.besselk, arity=(2,), defined=lambda _, u: (Gt(u, 0),), exact=False,
        ball=_bessel("bessel_k", False),
        slopes=(None, lambda n, u: -(sp.besselk(n - 1, u) + sp.besselk(n + 1, u)) / 2), mpmath="besselk", latex="K",
    ),
    Entry(
        function=sp.polylog, arity=(2,), defined=lambda _, u: (Lt(u, 1),), exact=False, ball=_polylog,
        slopes=(None, lambda s, u: sp.polylog(s - 1, u) / u), mpmath="polylog", latex="Li",
    ),
    Entry(
        function=sp.zeta, arity=(1, 2), defaults=(S.One,),
        defined=lambda s, a=S.One: (Ne(s, 1), *(() if a == 1 else (Gt(a, 0),))), exact=False, ball=_zeta,
        slopes=(None, lambda s, a: -s * sp.zeta(s + 1, a)), mpmath="zeta", latex="zeta",
    ),
)  # fmt: skip
