"""Lemma 5.3 with Appendix D.2: how likely the four extrema are captured; s is delta + xi."""

from __future__ import annotations

from sympy import Abs, And, Expr, Integer, Interval, Range, Rational, Symbol, asin, pi, sin, symbols

from theory.displays import equal
from theory.domains import POSITIVE
from theory.scope import case, own, part, whole
from theory.simplicity_bias._display import NONNEGATIVE, REAL, UNIT, counted
from theory.simplicity_bias._paper import paper
from theory.simplicity_bias.activation import normaliser, truncated_mass, xi
from theory.simplicity_bias.clusters import SIXTH, SMALL, delta, s
from theory.statements import Computation, Statement

section = paper.section(steps=whole())

m = Symbol("m")
COUNTS = list(range(1, 41))


paper.unstated(
    "lemma-5.3",
    "For every data set of Lemma 5.2 an isotropic start captures all four extrema with probability "
    "greater than (1 - h^m)^4 >= 1 - 4 (3/4)^m (1 + O(delta + xi)) - O((9/16)^m)",
    missing="data sets of every size in R^d, probabilities of isotropic starts, volumes of caps",
)


@paper.statement(
    "lemma-5.3.orbit",
    "All four extrema are captured with probability greater than (1 - h^m)^4",
    scope=case("the first inequality on the orbit of (0.95, 0.1, 0), d = 3, xi = 0.01, m = 1 to 40"),
)
def lemma_5_3() -> Statement:
    """On the orbit of (0.95, 0.1, 0) the basins have probability 1/4 each (lemma-5.2.c, lemma-5.3.c).

    What is left is the occupancy of four disjoint cells, exactly, for each m.
    """
    return Statement(
        variables={m: Range(1, 41)},
        then=Symbol("filled") > Symbol("printed"),
        computed=Computation("simplicity_bias.occupancy", {"m": COUNTS}, yields=("filled", "printed")),
        notes="The four events exclude each other for one neuron, so they are not independent; with m < 4 neurons the "
        "probability is 0 for every delta and xi.",
    )


@paper.statement(
    "lemma-5.3.corrected",
    "It is at least 1 - 4 h^m, by the union bound",
    scope=own("the nearest true form of lemma-5.3, on the same orbit, m = 1 to 40"),
)
def lemma_5_3_corrected() -> Statement:
    return Statement(
        variables={m: Range(1, 41)},
        then=Symbol("filled") >= Symbol("union"),
        computed=Computation("simplicity_bias.occupancy", {"m": COUNTS}, yields=("filled", "union")),
    )


@paper.statement(
    "lemma-5.3.a",
    "No constant K gives h^m <= (3/4)^m (1 + K (delta + xi)) for every m",
    scope=own("a question of ours, d = 3: the order O(delta + xi) read uniformly in m"),
)
def lemma_5_3_uniform() -> Statement:
    """d = 3: h = (3 + s)/4, so h^m (4/3)^m = (1 + s/3)^m >= 1 + m s/3, which exceeds 1 + K s once m > 3 K."""
    K = Symbol("K")
    return Statement(
        variables={K: NONNEGATIVE, m: POSITIVE, s: POSITIVE}, given=(m > 3 * K,), then=1 + m * s / 3 > 1 + K * s
    )


@paper.statement(
    "lemma-5.3.c",
    "On the orbit of (0.95, 0.1, 0) exactly a quarter of the starts reach each extremum",
    scope=own("a number of ours, the orbit of (0.95, 0.1, 0), d = 3, xi = 0.01"),
)
def lemma_5_3_basin() -> Statement:
    return counted(
        equal((Symbol("portion"), Rational(1, 4))), "basin", "portion", data=["orbit"],
        notes="+-e_1 are the only maxima and all critical points are simple (certified), so almost every positive "
        "start climbs to one of the two, and the reflection of x^1 exchanges them; negative ones alike with e_2.",
    )  # fmt: skip


@paper.statement(
    "lemma-5.3.b",
    "For d = 3 the cap has exactly the share (1 - delta - xi)/2",
    scope=own("a closed form of ours, d = 3"),
)
def lemma_5_3_cap() -> Statement:
    return Statement(variables={s: UNIT}, then=equal((cap(3), (1 - s) / 2)))


def cap(d: int) -> Expr:
    """The share of the sphere of R^d with e_1.x >= s: a coordinate has the density of a ball in d - 2 dimensions."""
    return normaliser(d - 2) * truncated_mass(d - 2, -s)


BALLS = {1: Integer(2), 3: 4 * pi / 3, 5: 8 * pi**2 / 15}
SPHERES = {1: 2 * pi, 2: 4 * pi, 3: 2 * pi**2, 4: 8 * pi**2 / 3, 5: pi**3, 6: 16 * pi**3 / 15}
"""Volumes of balls D^k and of spheres S^k."""


@paper.step(
    "lemma-5.3",
    "d.cap",
    "The cap is at least 1/2 - Vol(D^(d-2)) / Vol(S^(d-1)) arcsin(s), for d = 3",
    scope=case("d = 3"),
)
def step_cap() -> Statement:
    return Statement(
        variables={s: Interval.open(0, 1)}, then=cap(3) >= Rational(1, 2) - BALLS[1] / SPHERES[2] * asin(s)
    )


@paper.step("lemma-5.3", "d.cap.a", "The same for d = 5 and 7", scope=case("d = 5 and 7"))
def step_cap_higher() -> Statement:
    claims = [cap(d) >= Rational(1, 2) - BALLS[d - 2] / SPHERES[d - 1] * asin(s) for d in (5, 7)]
    return Statement(variables={s: Interval.open(0, 1)}, then=And(*claims))


@section.step("lemma-5.3", "d.cap.a.corrected", "For d = 5 and 7 with Vol(S^(d-2)) in place of Vol(D^(d-2))")
def step_cap_higher_corrected() -> Statement:
    return _cap_bound((5, 7))


@section.step(
    "lemma-5.3", "d.cap.corrected", "It is at least 1/2 - Vol(S^(d-2)) / Vol(S^(d-1)) arcsin(s), for d = 3, 5, 7"
)
def step_cap_corrected() -> Statement:
    return _cap_bound((3, 5, 7))


def _cap_bound(dimensions: tuple[int, ...]) -> Statement:
    """In the angle p = arcsin(s)."""
    angle = Symbol("p")
    claims = [
        cap(d).subs(s, sin(angle)) >= Rational(1, 2) - SPHERES[d - 2] / SPHERES[d - 1] * angle for d in dimensions
    ]
    return Statement(variables={angle: Interval(0, pi / 2)}, then=And(*claims))


@section.step(
    "lemma-5.3",
    "d.fourth",
    "Fourth case: both points active contribute -2 x^1 sin^2 a >= -2 s sin^2 a",
    scope=part("the inequality"),
)
def step_fourth() -> Statement:
    """(P_v e_1).(x + x') with x' = (x^1, -rest): the rest cancels; f is sin a."""
    x, f = symbols("x f")
    return Statement(
        variables={x: REAL, f: UNIT, s: NONNEGATIVE}, given=(Abs(x) <= s,), then=-2 * x * f**2 >= -2 * s * f**2
    )


@section.step("lemma-5.3", "d.second", "Second case: eps.x^r >= 0, and the contribution is at least -x^1 sin^2 a")
def step_second() -> Statement:
    """v.x = x c + y f > 0 >= x c - y f with c = cos a >= 0, f = sin a > 0."""
    x, y, c0, f = symbols("x y c f")
    return Statement(
        variables={x: REAL, y: REAL, c0: UNIT, f: Interval.Lopen(0, 1)},
        given=(x * c0 + y * f > 0, x * c0 - y * f <= 0),
        then=And(y >= 0, -(x * f**2 - y * f * c0) >= -x * f**2),
    )


@section.step("lemma-5.3", "d.drift", "(1 - delta) - 2 (delta + xi) >= 1/2")
def step_drift() -> Statement:
    return Statement(variables=SMALL, given=(SIXTH,), then=(1 - delta) - 2 * (delta + xi) >= Rational(1, 2))


@section.step(
    "lemma-5.3", "d.angle", "As printed: sin(a)/16 <= a / (8 pi) on the cap", scope=part("the second inequality")
)
def step_angle() -> Statement:
    """da/dt <= (-l'(0)/8) sin a <= (-l'(0)/(4 pi)) a with -l'(0) = 1/2 loses the sign of both bounds."""
    a = Symbol("a")
    return Statement(variables={a: Interval(0, pi / 2)}, then=sin(a) / 16 <= a / (8 * pi))


@section.step("lemma-5.3", "d.angle.corrected", "With the sign: -sin(a)/16 <= -a / (8 pi)")
def step_angle_corrected() -> Statement:
    a = Symbol("a")
    return Statement(variables={a: Interval(0, pi / 2)}, then=-sin(a) / 16 <= -a / (8 * pi))


@section.step("lemma-5.3", "d.expansion", "(1 - x)^4 >= 1 - 4 x", scope=part("without the term of second order"))
def step_expansion() -> Statement:
    x = Symbol("x")
    return Statement(variables={x: UNIT}, then=(1 - x) ** 4 >= 1 - 4 * x)


@paper.step("lemma-5.3", "d.order", "h = (1 - O(s)) / 4 for d = 3, 5, 7", scope=case("d = 3, 5, 7"))
def step_order() -> Statement:
    """The share of one extremum, half of the cap, is within s/2 of 1/4."""
    return Statement(
        variables={s: UNIT}, then=And(*[Rational(1, 4) - cap(d) / 2 <= Rational(d, 8) * s for d in (3, 5, 7)])
    )
