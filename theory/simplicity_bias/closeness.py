"""Appendix C.1.3 and C.2: how close the network stays to its embedding, and the limit as r tends to 0.

E is exp(lambda (t - T_1)), U and V bound the errors of scales and directions, R is |theta(T_1)|^2 over the neurons of
R, x is (a / lambda) q^2 E^2 <= eps, n and k bound |theta| and |theta^chi|.
"""

from __future__ import annotations

from sympy import Abs, And, Integer, Interval, Matrix, Rational, Symbol, cos, diff, exp, log, pi, sin, sqrt, symbols

from theory.displays import equal
from theory.domains import POSITIVE
from theory.scope import case, part, whole
from theory.simplicity_bias._display import AT_LEAST_ONE, NONNEGATIVE, REAL
from theory.simplicity_bias._paper import paper
from theory.simplicity_bias.activation import xi
from theory.simplicity_bias.growth import HALF, SCALES, a, eps, lam, q, r, t, theta
from theory.statements import Statement

section = paper.section(steps=whole())

U, V, E, R, n, k, h = symbols("U V E R n k h")


@section.step("theorem-4.4", "c.distance", "d|v - w|^2/dt = - v.w' - w.v' for unit vectors", scope=case("d = 2"))
def step_distance() -> Statement:
    return _distance(1)


@section.step("theorem-4.4", "c.distance.corrected", "d|v - w|^2/dt = -2 (v.w' + w.v')")
def step_distance_corrected() -> Statement:
    return _distance(2)


def _distance(factor: int) -> Statement:
    """By rotation v = (1, 0) now; w = (x, y) is any other unit vector; both turn, at the rates p and s."""
    x, y, p, s = symbols("x y p s")
    v, w = Matrix([1, 0]), Matrix([x, y])
    vp, wp = p * Matrix([0, 1]), s * Matrix([-y, x])
    derived = 2 * (v - w).dot(vp - wp)
    return Statement(
        variables=dict.fromkeys((x, y, p, s), REAL),
        given=(equal((x**2 + y**2, Integer(1))),),
        then=equal((derived, -factor * (v.dot(wp) + w.dot(vp)))),
    )


b = Symbol("b")


@section.step("theorem-4.4", "c.projected", "|P_v w|^2 = 1 - cos^2 b <= |v - w|^2", scope=part("the inequality"))
def step_projected() -> Statement:
    """x is cos b."""
    x = Symbol("x")
    return Statement(variables={x: Interval(-1, 1)}, then=1 - x**2 <= 2 - 2 * x)


@section.step(
    "theorem-4.4",
    "c.sum",
    "P_w v + P_v w = (1 - cos b)(v + w) = |v - w|^2 (v + w) / 2",
    scope=case("in the plane of both vectors, where all sides lie"),
)
def step_sum() -> Statement:
    v, w = Matrix([1, 0]), Matrix([cos(b), sin(b)])
    both = (v - w * w.dot(v)) + (w - v * v.dot(w))
    gap = (v - w).dot(v - w)
    return Statement(
        variables={b: REAL}, then=equal((both, (1 - cos(b)) * (v + w)), ((1 - cos(b)) * (v + w), gap * (v + w) / 2))
    )


@paper.step(
    "theorem-4.4",
    "c.output",
    "|f - f^chi| is bounded by the errors of scales and directions",
    scope=case("one neuron of P, none in R"),
)
def step_output() -> Statement:
    """One neuron of P: scales u, w >= 0, activations s, p of the two directions."""
    u, w, s, p = symbols("u w s p")
    return Statement(
        variables={**dict.fromkeys((u, w, s, p, V), NONNEGATIVE), xi: POSITIVE},
        given=(s <= 1 + xi, p <= 1 + xi, Abs(s - p) <= V),
        then=Abs(u**2 * s - w**2 * p) <= (1 + xi) * (u + w) * Abs(u - w) + u**2 * V,
    )


@paper.step(
    "theorem-4.4",
    "c.v-squared",
    "With norms at most sqrt(2) q E the bound of dV^2/dt becomes the second line",
    scope=part("the first two terms"),
)
def step_v_squared() -> Statement:
    S = Symbol("S")
    return Statement(
        variables={**SCALES, **dict.fromkeys((n, k, U, V, S), NONNEGATIVE), E: AT_LEAST_ONE},
        given=(n**2 <= 2 * q**2 * E**2, k**2 <= 2 * q**2 * E**2),
        then=a * (n**2 + k**2) * V**2 + a * S * V <= 4 * a * q**2 * E**2 * V**2 + a * S * V,
        notes="S is |theta|_R^2.",
    )


@paper.step("theorem-4.4", "c.v-squared.a", "n + k <= 2 sqrt(2) q E", scope=part("the sum of norms in the third term"))
def step_norm_sum() -> Statement:
    return Statement(
        variables={q: POSITIVE, n: NONNEGATIVE, k: NONNEGATIVE, E: AT_LEAST_ONE},
        given=(n <= sqrt(2) * q * E, k <= sqrt(2) * q * E),
        then=n + k <= 2 * sqrt(2) * q * E,
    )


@section.step("theorem-4.4", "c.v", "Dividing by 2 V gives the bound of dV/dt")
def step_v() -> Statement:
    S = Symbol("S")
    right = 4 * a * q**2 * E**2 * V**2 + a * S * V + 2 * sqrt(2) * a * q * E * U * V
    printed = 2 * a * q**2 * E**2 * V + a / 2 * S + sqrt(2) * a * q * E * U
    return Statement(
        variables={**SCALES, **dict.fromkeys((U, S), NONNEGATIVE), V: POSITIVE, E: AT_LEAST_ONE},
        then=equal((right / (2 * V), printed)),
        notes="With the missing factor 2 of #c.distance every term doubles; h must then use 4 a q^2.",
    )


@paper.step(
    "theorem-4.4", "c.rest", "|theta|_R <= e^(lambda (t - T_1) + eps) |theta(T_1)|_R", scope=part("the exponents")
)
def step_rest() -> Statement:
    """The exponents: the integral of lambda + a |theta|^2 is at most lambda s + (a/lambda) q^2 (E^2 - 1)."""
    s, x = symbols("s x")
    return Statement(
        variables={**SCALES, s: NONNEGATIVE, eps: HALF, E: AT_LEAST_ONE, x: NONNEGATIVE},
        given=(a / lam * q**2 * E**2 <= eps,),
        then=lam * s + a / lam * q**2 * (E**2 - 1) <= lam * s + eps,
    )


@paper.step(
    "theorem-4.4",
    "c.u",
    "The bound of dU/dt carries e^(3 lambda s + eps) for the small neurons",
    scope=part("the term of the small neurons"),
)
def step_u() -> Statement:
    """|theta^chi| |theta|_R^2 <= sqrt(2) q E (E e^eps)^2 R is what #c.rest gives; g is e^eps."""
    g, S = symbols("g S")
    return Statement(
        variables={**SCALES, E: AT_LEAST_ONE, g: AT_LEAST_ONE, R: NONNEGATIVE, S: NONNEGATIVE},
        given=(E**2 * g**2 * R >= S,),
        then=sqrt(2) * q * E * S <= sqrt(2) * q * E**3 * g * R,
        notes="Squaring e^eps gives e^(2 eps).",
    )


@section.step("theorem-4.4", "c.u.corrected", "It carries e^(3 lambda s + 2 eps)")
def step_u_corrected() -> Statement:
    g, S = symbols("g S")
    return Statement(
        variables={**SCALES, E: AT_LEAST_ONE, g: AT_LEAST_ONE, R: NONNEGATIVE, S: NONNEGATIVE},
        given=(E**2 * g**2 * R >= S,),
        then=sqrt(2) * q * E * S <= sqrt(2) * q * E**3 * g**2 * R,
    )


@paper.step(
    "theorem-4.4", "c.u.terms", "The coefficients 6 of U and 5 sqrt(2) of V add up", scope=part("the terms of U and V")
)
def step_u_terms() -> Statement:
    """|theta^chi| = |theta| = sqrt(2) q E, the angle at most (a/lambda) q^2 E^2."""
    size = sqrt(2) * q * E
    angle = a / lam * q**2 * E**2
    terms = size * lam * V * (V / 2 + angle) + a * size * (U * 2 * size + size**2 * V) + a * size**2 * (U + size * V)
    printed = 6 * a * q**2 * E**2 * U + lam * sqrt(2) * q * E * V**2 / 2 + 5 * sqrt(2) * a * q**3 * E**3 * V
    return Statement(
        variables={**SCALES, E: AT_LEAST_ONE, U: NONNEGATIVE, V: NONNEGATIVE}, then=equal((terms, printed))
    )


@paper.step(
    "theorem-4.4",
    "c.cosines",
    "|cos a - cos a'| <= 2 sin(b/2) sin(b/2 + a')",
    scope=case("a = a' + b: the extreme case of the triangle on the sphere"),
)
def step_cosines() -> Statement:
    """a = a' + s b with |s| <= 1 on the sphere; the product formula at the two extremes s = 1 and s = -1."""
    f = Symbol("f")
    return Statement(
        variables={b: Interval(0, pi / 4), f: Interval(0, pi / 4)},
        then=equal((cos(f) - cos(f + b), 2 * sin(b / 2) * sin(b / 2 + f))),
        notes="In between |cos a - cos a'| is smaller, since cos is monotone on [0, pi/2].",
    )


@section.step("theorem-4.4", "c.vectors", "|u v - w z| <= |u - w| + |w| |v - z| for unit v, z")
def step_vectors() -> Statement:
    """Squared, with v.z = x and u, w >= 0, by the triangle inequality; d is |v - z|."""
    u, w, x, d = symbols("u w x d")
    return Statement(
        variables={u: NONNEGATIVE, w: NONNEGATIVE, x: Interval(-1, 1), d: NONNEGATIVE},
        given=(equal((d**2, 2 - 2 * x)),),
        then=u**2 + w**2 - 2 * u * w * x <= (Abs(u - w) + w * d) ** 2,
    )


@section.step("theorem-4.4", "c.factor", "h(t) = exp(-(a q^2 / lambda) E^2)")
def step_factor() -> Statement:
    """The defining integral of 2 a q^2 e^(2 lambda s) from 0 to t, and the printed closed form."""
    integral = a * q**2 / lam * (exp(2 * lam * t) - 1)
    return Statement(
        variables={**SCALES, t: NONNEGATIVE},
        then=equal((integral, a * q**2 / lam * exp(2 * lam * t))),
        notes="The exponents; the printed one lacks the lower limit.",
    )


@section.step("theorem-4.4", "c.factor.corrected", "h(t) = exp(-(a q^2 / lambda)(E^2 - 1)), and still h >= e^(-eps)")
def step_factor_corrected() -> Statement:
    integral = a * q**2 / lam * (exp(2 * lam * t) - 1)
    return Statement(
        variables={**SCALES, t: NONNEGATIVE, eps: HALF},
        given=(a * q**2 / lam * exp(2 * lam * t) <= eps,),
        then=And(equal((diff(integral, t), 2 * a * q**2 * exp(2 * lam * t))), integral <= eps),
    )


@paper.step(
    "theorem-4.4",
    "c.scaled-v",
    "h |theta|_R^2 <= E^2 e^eps R, as the bound of V h uses",
    scope=part("the exponents of the term of the small neurons"),
)
def step_scaled_v() -> Statement:
    """In exponents: 2 x - x <= eps with x = (a / lambda) q^2 (E^2 - 1)."""
    x = Symbol("x")
    return Statement(variables={x: NONNEGATIVE, eps: HALF}, given=(x <= eps,), then=2 * x - x <= eps)


@paper.step(
    "theorem-4.4",
    "c.scaled-u",
    "The bound of the scaled U: coefficients after division by q E and h^3",
    scope=part("the terms of V^2 and V"),
)
def step_scaled_u() -> Statement:
    """h <= 1: the V^2 and V terms with V = (V h) / h."""
    w = Symbol("w")
    return Statement(
        variables={**SCALES, E: AT_LEAST_ONE, h: Interval.Lopen(0, 1), w: NONNEGATIVE},
        then=And(
            lam * sqrt(2) * q * E * (w / h) ** 2 / 2 * h**3 / (q * E) <= sqrt(2) * lam / 2 * w**2,
            5 * sqrt(2) * a * q**3 * E**3 * (w / h) * h**3 / (q * E) <= 5 * sqrt(2) * a * q**2 * E**2 * w,
        ),
    )


@section.step(
    "theorem-4.4", "c.maximum", "The coefficients of the maximum of both: 1, 2 and 8", scope=part("the coefficients")
)
def step_maximum() -> Statement:
    g = Symbol("g")
    return Statement(
        variables={g: AT_LEAST_ONE},
        then=And(sqrt(2) / 2 <= 1, sqrt(2) <= 2, 5 * sqrt(2) <= 8 * g**2, sqrt(2) * g**2 <= 8 * g**2),
        notes="g is e^eps.",
    )


W, g = symbols("W g")
NEXT = {**SCALES, W: NONNEGATIVE, E: AT_LEAST_ONE, g: AT_LEAST_ONE, R: NONNEGATIVE, h: Interval.Lopen(0, 1)}


@section.step("theorem-4.4", "c.last", "Multiplied by h^4 the linear term e^(2 eps) 8 a q^2 E^2 disappears")
def step_last() -> Statement:
    """(h^4)' = -8 a q^2 E^2 h^4; D is the printed bound of the derivative of the maximum."""
    D = lam * W**2 + 2 * a * E**2 * g * R + 8 * a * q**2 * E**2 * g**2 * W
    left = h**4 * D - 8 * a * q**2 * E**2 * h**4 * W
    return Statement(
        variables=NEXT,
        given=(h * g >= 1,),
        then=left <= lam * g**4 * (W * h**4) ** 2 + 2 * a * E**2 * g**5 * R,
        notes="The factor e^(2 eps) is not cancelled.",
    )


@section.step(
    "theorem-4.4", "c.last.corrected", "The linear term needs no e^(2 eps), since sqrt(2) e^(2 eps) <= 8 for eps <= 1/2"
)
def step_last_corrected() -> Statement:
    D = lam * W**2 + 2 * a * E**2 * g * R + 8 * a * q**2 * E**2 * W
    left = h**4 * D - 8 * a * q**2 * E**2 * h**4 * W
    return Statement(
        variables={**NEXT, g: Interval(1, Rational(5, 3))},
        given=(h * g >= 1,),
        then=And(left <= lam * g**4 * (W * h**4) ** 2 + 2 * a * E**2 * g**5 * R, sqrt(2) * g**2 <= 8),
    )


@section.step("theorem-4.4", "c.bootstrap", "If lambda e^(4 eps) W s <= 1/2 then W <= 2 W(T_1) + twice the integral")
def step_bootstrap() -> Statement:
    W0, s, I0 = symbols("W_0 s I")
    return Statement(
        variables={**dict.fromkeys((W, W0, s, I0), NONNEGATIVE), lam: POSITIVE, g: AT_LEAST_ONE},
        given=(W0 + lam * g**4 * W**2 * s + I0 >= W, lam * g**4 * W * s <= Rational(1, 2)),
        then=W <= 2 * W0 + 2 * I0,
    )


@section.step("theorem-4.4", "c.bootstrap.a", "Up to t_4 the integral is at most (eps e^(5 eps) / q^2) R")
def step_bootstrap_integral() -> Statement:
    return Statement(
        variables={**SCALES, E: AT_LEAST_ONE, g: AT_LEAST_ONE, R: NONNEGATIVE, eps: HALF},
        given=(a / lam * q**2 * E**2 <= eps,),
        then=2 * a / lam * E**2 * g**5 * R <= 2 * eps * g**5 / q**2 * R,
    )


# C.2 -----------------------------------------------------------------------------------------------------------------

rr, s = symbols("r_2 s")


@section.step("theorem-4.4", "c.shift", "The angle at -t_4^r' as printed, with r' on both sides of the exponent")
def step_shift() -> Statement:
    """r_2 is r'; the printed left side, whose exponent is zero, and the printed right side."""
    return Statement(
        variables={**SCALES, r: POSITIVE, rr: POSITIVE, theta: POSITIVE},
        given=(rr >= r,),
        then=equal((a / lam * rr**2 * theta**2 * (exp(2 * lam * (-t + t)) - 1), a / lam * theta**2 * (rr**2 - r**2))),
    )


@section.step(
    "theorem-4.4", "c.shift.corrected", "With r^2 and t_4^r - t_4^r' it is (a / lambda) |theta*|^2 (r'^2 - r^2)"
)
def step_shift_corrected() -> Statement:
    """e^(2 lambda (t_4^r - t_4^r')) = (r' / r)^2."""
    times = [log(lam * eps / (2 * a * x**2 * theta**2)) / (2 * lam) for x in (r, rr)]
    grown = exp(2 * lam * (times[0] - times[1]))
    return Statement(
        variables={**SCALES, r: POSITIVE, rr: POSITIVE, theta: POSITIVE, eps: HALF},
        given=(rr >= r,),
        then=equal((a / lam * r**2 * theta**2 * (grown - 1), a / lam * theta**2 * (rr**2 - r**2))),
    )


@section.step("theorem-4.4", "c.cosine", "1 - cos a <= a^2 / 2 <= 2 a for 0 <= a <= 1/2")
def step_cosine() -> Statement:
    al = Symbol("alpha")
    return Statement(
        variables={al: Interval(0, Rational(1, 2))}, then=And(1 - cos(al) <= al**2 / 2, al**2 / 2 <= 2 * al)
    )


@paper.step(
    "theorem-4.4",
    "c.lower",
    "The lower bound's exponent: 2 lambda a + a |theta|^2 integrates to at most (2 a / lambda) x",
    scope=part("the exponents"),
)
def step_lower() -> Statement:
    """In G = e^(2 lambda s): the integral of G - 1 is (G - 1) / (2 lambda) - s; c is r^2 |theta*|^2."""
    G, c0 = symbols("G c")
    return Statement(
        variables={a: POSITIVE, lam: POSITIVE, G: AT_LEAST_ONE, s: NONNEGATIVE, c0: POSITIVE},
        then=2 * a * c0 * ((G - 1) / (2 * lam) - s) + a * 2 * c0 * (G - 1) / (2 * lam) <= 2 * a / lam * c0 * (G - 1),
    )


@paper.step(
    "theorem-4.4",
    "c.ratio",
    "|ln ratio| <= (2 a / lambda) |theta*|^2 (r'^2 - r^2) bounds the difference by O(r'^3)",
    scope=part("from the logarithm to the difference"),
)
def step_ratio() -> Statement:
    """|u (e^y - 1)| <= 2 u y for 0 <= y <= 1, with u of order r'."""
    x = Symbol("y")
    return Statement(variables={x: Interval(0, 1)}, then=exp(x) - 1 <= 2 * x)


@paper.step(
    "theorem-4.4",
    "c.upper",
    "At t_4 the two factors are e^(-eps) and e^(eps/2) at the most",
    scope=part("the exponents"),
)
def step_upper() -> Statement:
    """(2 a / lambda) r^2 |theta*|^2 E^2 = eps at t_4; w is r |theta*| E."""
    w = Symbol("w")
    return Statement(
        variables={a: POSITIVE, lam: POSITIVE, w: NONNEGATIVE, eps: HALF},
        given=(equal((2 * a / lam * w**2, eps)),),
        then=And(-2 * a / lam * w**2 >= -eps, a / lam * w**2 <= eps / 2),
    )


paper.unstated(
    "equation-8",
    "The flow (7) with its time shifted by T_2 and the initial scale r as a parameter",
    missing="flows in R^d for a symbolic d, sums over n points",
    equations=("8",),
)
