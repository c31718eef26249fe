"""The rate of Theorem 4.1 near a regular extremum, for the full flow and for every r, with its constants.

A positive neuron at the angle alpha to the extremum sees one field D = (D_1, D_2) with |D_2| <= d, D_1 >= lambda - d,
where d = 2 a N_0 exp(2 lambda t) by Proposition B.5 and Lemma B.6. Y is the tangent of half the angle.
"""

from __future__ import annotations

from sympy import Abs, And, Interval, Rational, cos, diff, exp, sin, symbols, tan

from theory.displays import equal
from theory.domains import POSITIVE
from theory.scope import own
from theory.simplicity_bias._display import AT_LEAST_ONE, NONNEGATIVE, REAL, UNIT
from theory.simplicity_bias._paper import paper
from theory.statements import Statement

section = paper.section(steps=own("a step of our proof of theorem-4.1.corrected"))

lam, a, t, d, k, Y = symbols("lambda a t d k Y")
D1, D2, N0, start = symbols("D_1 D_2 N_0 Y_0")


@section.step("theorem-4.1.corrected", "regular.a", "Y' = D_2 (1 - Y^2) / 2 - D_1 Y for alpha' = D_2 cos a - D_1 sin a")
def step_half_angle() -> Statement:
    """h is half the angle."""
    h = symbols("h")
    turning = (D2 * cos(2 * h) - D1 * sin(2 * h)) / 2
    return Statement(
        variables={h: Interval(-Rational(1, 2), Rational(1, 2)), D1: REAL, D2: REAL},
        then=equal((diff(tan(h), h) * turning, D2 * (1 - tan(h) ** 2) / 2 - D1 * tan(h))),
    )


@section.step("theorem-4.1.corrected", "regular.b", "So Y' <= d/2 - (lambda - d) Y for 0 <= Y <= 1")
def step_compared() -> Statement:
    return Statement(
        variables={D1: REAL, D2: REAL, Y: UNIT, d: NONNEGATIVE, lam: POSITIVE},
        given=(Abs(D2) <= d, lam - d <= D1),
        then=d / 2 - (lam - d) * Y >= D2 * (1 - Y**2) / 2 - D1 * Y,
    )


@section.step(
    "theorem-4.1.corrected", "regular.c", "B = exp(-lambda t + I) (Y_0 + a N_0 (e^(3 lambda t) - 1) / (3 lambda))"
)
def step_supersolution() -> Statement:
    """It solves B' = -(lambda - d) B + (d/2) e^I with I the integral of d, and e^I >= 1: an upper solution."""
    rate, integral = 2 * a * N0 * exp(2 * lam * t), a * N0 / lam * (exp(2 * lam * t) - 1)
    upper = exp(-lam * t + integral) * (start + a * N0 * (exp(3 * lam * t) - 1) / (3 * lam))
    return Statement(
        variables={lam: POSITIVE, a: POSITIVE, N0: POSITIVE, start: NONNEGATIVE, t: NONNEGATIVE},
        then=And(
            equal((diff(upper, t), -(lam - rate) * upper + rate / 2 * exp(integral)), (upper.subs(t, 0), start)),
            equal((diff(integral, t), rate)),
        ),
    )


@section.step(
    "theorem-4.1.corrected", "regular.d", "At T_1 both N_0 e^(2 lambda t) and N_0 e^(-lambda t + 3 lambda t) are n r^2"
)
def step_at_the_end() -> Statement:
    """x = ln(1/r), sigma = r^(1 + kappa), N_0 = n sigma^2, lambda T_1 = kappa x: the exponents of r."""
    kappa, x = symbols("kappa x")
    return Statement(
        variables={kappa: POSITIVE, x: POSITIVE},
        then=equal(
            (-2 * (1 + kappa) * x + 2 * kappa * x, -2 * x),
            (-kappa * x - 2 * (1 + kappa) * x + 3 * kappa * x, -2 * x),
        ),
        notes="So B(T_1) <= exp(k r^2) (Y_0 r^kappa + (k/3) r^2) with k = a n / lambda.",
    )


@paper.statement(
    "theorem-4.1.corrected",
    "Near a regular extremum the direction error at T_1 is O(r^kappa) if kappa <= 2",
    scope=own("the last line of the nearest true form of theorem-4.1: one regular extremum, the direction clause"),
)
def theorem_4_1_corrected() -> Statement:
    """Y(T_1) <= e^k (Y_0 + k/3) r^kappa for every r <= 1, from #regular.a to #regular.d.

    R is r^2, G is r^kappa, e and f are exp(k r^2) <= exp(k).
    """
    R, G, e, f = symbols("R G e f")
    return Statement(
        variables={R: UNIT, G: UNIT, k: NONNEGATIVE, start: NONNEGATIVE, e: AT_LEAST_ONE, f: POSITIVE},
        given=(R <= G, e <= f),
        then=e * (start * G + k / 3 * R) <= f * (start + k / 3) * G,
        notes="kappa* = 2 / (b_1/lambda - 1) <= 2/3, so that r^2 <= r^kappa*. In general the exponent is "
        "kappa* (1 - h/lambda), h the largest curvature of G at the extremum; for a start anywhere the theorem also "
        "needs the Lojasiewicz argument of B.1.2, which brings it near its extremum.",
    )


@section.step("theorem-4.1.corrected", "regular.e", "The distance to the extremum is at most 2 Y, so it is O(r^kappa)")
def step_distance() -> Statement:
    """|v - v*| = 2 sin(alpha/2) = 2 Y / sqrt(1 + Y^2); squared."""
    return Statement(variables={Y: NONNEGATIVE}, then=4 * Y**2 / (1 + Y**2) <= (2 * Y) ** 2)


@section.step("theorem-4.1.corrected", "regular.f", "A mirrored pair keeps |u| sin(alpha): where D_2 = 0")
def step_conserved() -> Statement:
    """(ln|u|)' = D_1 cos(alpha), alpha' = -D_1 sin(alpha); s and c are sine and cosine."""
    s, c = symbols("s c")
    return Statement(
        variables={D1: REAL, s: Interval.open(0, 1), c: UNIT}, then=equal((D1 * c + c / s * (-D1 * s), D1 * 0))
    )


@section.step(
    "theorem-4.1.corrected", "regular.g", "So its scale error is r times O(r^2): |e^(-y) - 1| <= 2 |y| and e^y <= 3"
)
def step_scale() -> Statement:
    """|u(T_1)| = r u* e^(-y) (1 + Y_0^2 r^2 e^(2y)) with |y| <= k r^2, because Y(T_1) = Y_0 r e^y for kappa = 1."""
    y = symbols("y")
    return Statement(variables={y: Interval(-1, 1)}, then=And(Abs(exp(-y) - 1) <= 2 * Abs(y), exp(y) <= 3))
