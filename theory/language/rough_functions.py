"""The functions of the language that have kinks or jumps."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import reduce
from itertools import combinations

import mpmath
import sympy as sp
from flint import arb
from sympy import Eq, Ge, Gt, Le, Lt, Ne, S, oo, pi

from theory.language.entries import Ball, Entry, Roughness

_NAN = arb.nan()


def _maximum(*balls: Ball) -> Ball:
    return reduce(arb.max, balls) if all(ball.is_finite() for ball in balls) else _NAN


def _minimum(*balls: Ball) -> Ball:
    return reduce(arb.min, balls) if all(ball.is_finite() for ball in balls) else _NAN


def _absolute(x: Ball) -> Ball:
    # the union with 0, whose lower end must not be rounded below 0
    return x.abs_upper().union(arb(0)).nonnegative_part() if x.contains(0) and not x.is_exact() else abs(x)


def _finite(method: str) -> Callable[[Ball], Ball]:
    return lambda x: getattr(x, method)() if x.is_finite() else _NAN


def _heaviside(x: Ball, middle: Ball) -> Ball:
    if x > 0 or x < 0:
        return arb(1) if x > 0 else arb(0)
    if not (x.is_finite() and middle.is_finite()):
        return _NAN
    return middle if x.is_zero() else arb(0).union(arb(1)).union(middle)


def _modulo(a: Ball, b: Ball) -> Ball:
    return a - b * (a / b).floor() if (a / b).is_finite() else _NAN


def _angle(y: Ball, x: Ball) -> Ball:
    return _NAN if y.contains(0) and x.contains(0) else arb.atan2(y, x)


def _cotangent_inverse(x: Ball) -> Ball:
    if x.is_zero():
        return arb.pi() / 2
    if x.contains(0):
        return arb(0, 1) * arb.pi() / 2 if x.is_finite() else _NAN
    return (1 / x).atan()


def _ties(*parts: sp.Expr) -> tuple[sp.Expr, ...]:
    ordered = sorted(parts, key=sp.default_sort_key, reverse=True)
    return tuple(first - second for first, second in combinations(ordered, 2))


def _chosen(relation: type, *parts: sp.Expr) -> tuple[tuple[sp.Expr, sp.Basic], ...]:
    """Each part where it is the largest (or smallest) of all."""
    return tuple((part, sp.And(*(relation(part, other) for other in parts if other != part))) for part in parts)


ENTRIES = (
    Entry(
        function=sp.Abs, roughness=Roughness.BENT, breaks=lambda u: (u,), turns=((S.Zero, None, S.Zero),),
        pieces=lambda u: ((u, Ge(u, 0)), (-u, Lt(u, 0))), slopes=(sp.sign,),
        limits=(oo, oo), bounds=(S.Zero, oo), ball=_absolute, exactly=abs, compiled="abs({0})", extended="absolute",
        mpmath="fabs", coq="Rabs", latex="Abs",
    ),
    Entry(
        function=sp.Max, arity=(), roughness=Roughness.BENT, breaks=_ties, pieces=lambda *u: _chosen(Ge, *u),
        ball=_maximum, exactly=lambda *u: max(u), compiled="({0} if {0} >= {1} or {0} != {0} else {1})",
        extended="maximum",
        mpmath=lambda *u: max(u), coq="Rmax", latex="max",
    ),
    Entry(
        function=sp.Min, arity=(), roughness=Roughness.BENT, breaks=_ties, pieces=lambda *u: _chosen(Le, *u),
        ball=_minimum, exactly=lambda *u: min(u), compiled="({0} if {0} <= {1} or {0} != {0} else {1})",
        extended="minimum",
        mpmath=lambda *u: min(u), coq="Rmin", latex="min",
    ),
    Entry(
        function=sp.sign, roughness=Roughness.JUMPS, breaks=lambda u: (u,), whole=True, turns=(), odd=True,
        pieces=lambda u: ((S.One, Gt(u, 0)), (-S.One, Lt(u, 0)), (S.Zero, Eq(u, 0))), slopes=(lambda _: S.Zero,),
        limits=(-S.One, S.One), bounds=(-S.One, S.One), ball=_finite("sgn"),
        exactly=lambda u: Fraction((u > 0) - (u < 0)), extended="sign", mpmath="sign",
        compiled="((1.0 if {0} > 0.0 else -1.0 if {0} < 0.0 else 0.0) if {0} == {0} else nan)",
        latex="sign", aliases=("sgn",),
    ),
    Entry(
        function=sp.Heaviside, arity=(1, 2), defaults=(S.Half,), roughness=Roughness.JUMPS, breaks=lambda u, *_: (u,),
        pieces=lambda u, middle=S.Half: ((S.One, Gt(u, 0)), (S.Zero, Lt(u, 0)), (middle, Eq(u, 0))),
        slopes=(lambda *_: S.Zero, None), ball=_heaviside,
        exactly=lambda u, middle: Fraction(u > 0) if u else middle,
        compiled="((1.0 if {0} > 0.0 else 0.0 if {0} < 0.0 else {1}) if {0} == {0} else nan)",
        mpmath=lambda u, middle: 1 if u > 0 else 0 if u < 0 else middle, latex="theta",
    ),
    Entry(
        function=sp.floor, roughness=Roughness.JUMPS, steps=True, whole=True, turns=(), slopes=(lambda _: S.Zero,),
        limits=(-oo, oo), ball=_finite("floor"), exactly=lambda u: Fraction(u.__floor__()), compiled="floor({0})",
        mpmath="floor", latex="floor",
    ),
    Entry(
        function=sp.ceiling, roughness=Roughness.JUMPS, steps=True, whole=True, turns=(), slopes=(lambda _: S.Zero,),
        limits=(-oo, oo), ball=_finite("ceil"), exactly=lambda u: Fraction(u.__ceil__()), compiled="ceil({0})",
        mpmath="ceil", latex="ceil",
    ),
    Entry(
        function=sp.frac, roughness=Roughness.JUMPS, steps=True, slopes=(lambda _: S.One,), bounds=(S.Zero, S.One),
        ball=lambda x: _modulo(x, arb(1)), through=lambda u: u - sp.floor(u), exactly=lambda u: u % 1,
        compiled="({0} - floor({0}))", mpmath="frac", latex="frac",
    ),
    Entry(
        function=sp.Mod, arity=(2,), defined=lambda _, b: (Ne(b, 0),), roughness=Roughness.JUMPS, steps=True,
        ball=_modulo, through=lambda a, b: a - b * sp.floor(a / b), exactly=lambda a, b: a % b if b else None,
        compiled="({0} - {1} * floor({0} / {1}) if {1} != 0.0 else nan)",
        mpmath=lambda a, b: a % b, latex="mod",
    ),
    Entry(
        function=sp.atan2, arity=(2,), defined=lambda y, x: (Ne(x**2 + y**2, 0),), roughness=Roughness.JUMPS,
        breaks=lambda y, _: (y,), bounds=(-pi, pi), ball=_angle, extended="angle",
        slopes=(lambda y, x: x / (x**2 + y**2), lambda y, x: -y / (x**2 + y**2)),
        compiled="(atan2({0}, {1}) if {0} != 0.0 or {1} != 0.0 else nan)", mpmath="atan2", latex="atan2",
    ),
    Entry(
        function=sp.acot, roughness=Roughness.JUMPS, breaks=lambda u: (u,), slopes=(lambda u: -1 / (1 + u**2),),
        limits=(S.Zero, S.Zero), bounds=(-pi / 2, pi / 2), ball=_cotangent_inverse,
        compiled="(atan(1.0 / {0}) if {0} != 0.0 else 1.5707963267948966)",
        mpmath=lambda u: mpmath.acot(u) if u else mpmath.pi / 2, latex="arccot", aliases=("acot",),
        inverse=sp.cot,
    ),
)  # fmt: skip
