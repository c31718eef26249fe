"""Section 5.1 with Appendix D.1: XOR-like data and the extrema of G.

s is delta + xi. A point of a cluster, shifted by the smoothing, is z = (p, q, ...) within s of e_1 up to symmetry.
"""

from __future__ import annotations

from sympy import Abs, And, Expr, Integer, Max, Range, Rational, Symbol, symbols

from theory.displays import equal
from theory.domains import POSITIVE
from theory.scope import case, own, part, whole
from theory.simplicity_bias._display import NONNEGATIVE, REAL, UNIT, counted
from theory.simplicity_bias._paper import paper
from theory.simplicity_bias.activation import xi
from theory.statements import Computation, Constant, Statement

section = paper.section(steps=whole())

delta, s, w, t = symbols("delta s w t")
p, q = symbols("p q")
SMALL = {delta: NONNEGATIVE, xi: POSITIVE}
SIXTH = delta + xi < Rational(1, 6)


# Assumption 5.1 ------------------------------------------------------------------------------------------------------


@paper.statement(
    "assumption-5.1",
    "S_1, ..., S_4 by the printed a(k), b(k) are the clusters that Appendix D uses",
    scope=part("the printed a(k), b(k) against the clusters that Appendix D uses"),
    claims=(
        "with a(k) = k mod 2 and b(k) = 2 floor((k - 1)/2) - 1 the points of S_k are within delta < "
        "sqrt(2)/2 of b(k) e_(a(k)+1) and have the label 1 - 2 a(k); the data are invariant under R_1, "
        "R_2, R_r and P; |e_k . x_i| >= xi + 2 Delta"
    ),
)
def assumption_5_1() -> Statement:
    return counted(
        equal((Symbol("disagreements"), Integer(0))), "indices", "disagreements", reading="printed",
        notes="Printed: S_1 is around -e_2, S_2 around -e_1, S_3 around e_2, S_4 around e_1.",
    )  # fmt: skip


@paper.statement("assumption-5.1.corrected", "With a(k) = (k - 1) mod 2 and b(k) = 1 - 2 floor((k - 1)/2) they are")
def assumption_5_1_corrected() -> Statement:
    return counted(equal((Symbol("disagreements"), Integer(0))), "indices", "disagreements", reading="corrected")


@paper.statement(
    "assumption-5.1.a",
    "As printed the labels are 1 around +-e_1 and -1 around +-e_2",
    scope=part("the labels of property 1"),
)
def assumption_5_1_labels() -> Statement:
    return counted(equal((Symbol("labels"), Integer(0))), "indices", "labels", reading="printed")


@paper.statement(
    "assumption-5.1.b",
    "The symmetries form a group of order 16 that contains -1, for d = 3, 4, 5",
    scope=own("a consequence of ours, d = 3, 4, 5"),
)
def assumption_5_1_group() -> Statement:
    d = Symbol("d")
    return Statement(
        variables={d: Range(3, 6)},
        then=equal((Symbol("order"), Integer(16)), (Symbol("minus"), Integer(1))),
        computed=Computation("simplicity_bias.orbit_group", {"d": [3, 4, 5]}, yields=("order", "minus")),
    )


@paper.statement(
    "assumption-5.1.c",
    "Points within delta < sqrt(2)/2 of e_1 have x^1 > |x^2|",
    scope=own("a consequence of ours, in the plane"),
)
def assumption_5_1_separated() -> Statement:
    top = Symbol("c")
    return Statement(
        variables={p: REAL, q: REAL},
        given=((p - 1) ** 2 + q**2 < top,),
        then=p > Abs(q),
        constants=(Constant(top, Rational(1, 2), best="largest"),),
        notes="c is delta^2.",
    )


@paper.statement("assumption-5.1.d", "Property 4 forces xi < delta", scope=own("a consequence of ours"))
def assumption_5_1_width() -> Statement:
    """A point near e_1 has |x^2| <= delta and |x^2| >= xi + 2 Delta."""
    e = Symbol("e")
    return Statement(
        variables={**SMALL, e: POSITIVE, q: REAL}, given=(Abs(q) <= delta, Abs(q) >= xi + 2 * e), then=xi < delta
    )


@paper.statement(
    "assumption-5.1.witness",
    "The orbit of (0.95, 0.1, 0) with xi = 0.01 satisfies all four properties",
    scope=own("an example of ours"),
)
def assumption_5_1_witness() -> Statement:
    return counted(equal((Symbol("violations"), Integer(0))), "assumptions", "violations", data="orbit")


# Lemma 5.2 -----------------------------------------------------------------------------------------------------------

A, B, C, D = symbols("A B C D")


@paper.statement(
    "lemma-5.2.means",
    "On every orbit G(v) is at most |v^1| G(e_1)",
    label="Lemma 5.2",
    scope=part("G(v) <= |v^1| G(e_1) on one orbit of a shifted point, as an inequality between means"),
)
def lemma_5_2() -> Statement:
    """G(v) <= |v^1| G(e_1) on every orbit of a shifted point (p, q, w) with 0 <= q <= p.

    so only +-e_1 reach the maximum.

    A = v^1 p, B = v^2 q, C = v^2 p, D = v^1 q for v^1, v^2 >= 0 and t = v.w: the means of |A +- B +- t|, |C +- D +- t|
    are 16 G(v) apart, and A - D is 16 |v^1| G(e_1). The smoothing averages over shifts, -G is the same with e_2.
    """
    return Statement(
        variables={**dict.fromkeys((A, B, C, D), NONNEGATIVE), t: REAL},
        given=(A >= D, C >= B),
        then=_mean(A, B) - _mean(C, D) <= A - D,
    )


def _mean(one: Symbol, two: Symbol) -> Expr:
    signs = ((1, 1), (1, -1), (-1, 1), (-1, -1))
    return sum(Abs(one + e * two + f * t) for e, f in signs) / 4


@paper.statement(
    "lemma-5.2.a",
    "delta + xi < sqrt(2)/2 is enough in place of 1/6",
    scope=own("a sharper form of ours of what lemma-5.2.means needs"),
)
def lemma_5_2_sharp() -> Statement:
    """What lemma-5.2.means needs of a shifted point within s of e_1 is p >= |q|."""
    top = Symbol("c")
    return Statement(
        variables={p: REAL, q: REAL},
        given=((p - 1) ** 2 + q**2 <= top,),
        then=p >= Abs(q),
        constants=(Constant(top, Rational(1, 36), best="largest"),),
        notes="c is (delta + xi)^2; property 4 of Assumption 5.1 is not needed.",
    )


@paper.statement(
    "lemma-5.2.b",
    "G(v) <= |v^1| G(e_1) leaves only +-e_1 as maximisers",
    scope=part("the last step, from lemma-5.2.means"),
)
def lemma_5_2_strict() -> Statement:
    g, top = symbols("g G")
    return Statement(
        variables={w: UNIT, g: REAL, top: POSITIVE},
        given=(g <= w * top, g >= top),
        then=equal((w, Integer(1))),
    )


@paper.statement(
    "lemma-5.2.c",
    "On the orbit of (0.95, 0.1, 0) the critical points are +-e_1, +-e_2 and the saddles +-e_3",
    scope=case("the orbit of (0.95, 0.1, 0), d = 3, xi = 0.01: all critical points"),
)
def lemma_5_2_certified() -> Statement:
    names = ("maximum", "minimum", "saddle", "elsewhere", "flat", "open")
    wanted = zip(names, (2, 2, 2, 0, 0, 0), strict=True)
    return counted(
        equal(*[(Symbol(name), Integer(value)) for name, value in wanted]), "critical_set", *names, data="orbit",
        notes="Krawczyk's test in balls around the six points and an exclusion test on the rest of the sphere, d = 3.",
    )  # fmt: skip


@paper.statement(
    "lemma-5.2.d",
    "On the orbit of (0.95, 0.1, 0.05) the critical points are isolated",
    scope=own(
        "a question of ours on the orbit of (0.95, 0.1, 0.05): the lemma speaks of extrema, not of all critical points"
    ),
)
def lemma_5_2_flat() -> Statement:
    return counted(
        equal((Symbol("flat"), Integer(0))), "critical_set", "flat", data="orbit of sixteen",
        notes="G vanishes on a cap around +-e_3, so neurons that start there never move: the basins of the four "
        "extrema do not fill the sphere, and Lemma 5.3's cells are smaller than 1/4. The global extrema are as "
        "claimed.",
    )  # fmt: skip


@paper.statement(
    "lemma-5.2.d.corrected",
    "G vanishes on a box of directions, but the global extrema are +-e_1, +-e_2",
    scope=own("the answer to lemma-5.2.d, the orbit of (0.95, 0.1, 0.05), d = 3"),
)
def lemma_5_2_flat_corrected() -> Statement:
    return counted(
        equal((Symbol("flat"), Integer(1)), (Symbol("elsewhere"), Integer(0))),
        "critical_set", "flat", "elsewhere", data="orbit of sixteen",
        notes="`elsewhere` counts isolated extrema and boxes, flat or undecided, where |G| may be as large as there.",
    )  # fmt: skip


@section.step(
    "lemma-5.2",
    "d.first",
    "(1 - delta)/4 - (delta + xi)/2 = (1 - 3 delta - 2 xi)/4",
    scope=part("the last line: both sums put together"),
)
def step_first() -> Statement:
    return Statement(variables=SMALL, then=equal(((1 - delta) / 4 - (delta + xi) / 2, (1 - 3 * delta - 2 * xi) / 4)))


@section.step(
    "lemma-5.2",
    "d.upper",
    "Active points of C(+1) and C(-1) give at most e_1.v + 2 xi + 2 delta together",
    scope=part("two opposite points in place of the sums"),
)
def step_upper() -> Statement:
    """w is e_1.v >= 0; f and g are the shifts of two opposite points along v."""
    f, g = symbols("f g")
    return Statement(
        variables={**SMALL, w: UNIT, f: REAL, g: REAL},
        given=(Abs(f) <= delta + xi, Abs(g) <= delta + xi),
        then=Max(w + f, 0) + Max(-w + g, 0) <= w + 2 * xi + 2 * delta,
    )


@section.step("lemma-5.2", "d.near", "A maximiser has e_1.v >= 1 - 5 delta - 4 xi > delta + xi")
def step_near() -> Statement:
    return Statement(
        variables={**SMALL, w: UNIT},
        given=(SIXTH, 1 - 3 * delta - 2 * xi <= w + 2 * xi + 2 * delta),
        then=And(w >= 1 - 5 * delta - 4 * xi, w > delta + xi),
    )


@section.step("lemma-5.2", "d.sides", "Then C(-1) is off and C(+1) is on, outside the band")
def step_sides() -> Statement:
    f = Symbol("f")
    return Statement(
        variables={**SMALL, w: UNIT, f: REAL},
        given=(w >= delta + xi, Abs(f) <= delta),
        then=And(-w + f <= -xi, w + f >= xi),
    )


@section.step("lemma-5.2", "d.pair", "(A + B)_+ + (A - B)_+ >= (A)_+")
def step_pair() -> Statement:
    return Statement(variables={A: REAL, B: REAL}, then=Max(A + B, 0) + Max(A - B, 0) >= Max(A, 0))


@section.step("lemma-5.2", "d.pair.corrected", "(A + B)_+ + (A - B)_+ >= 2 (A)_+, which the proof needs")
def step_pair_corrected() -> Statement:
    k = Symbol("k")
    return Statement(
        variables={A: REAL, B: REAL},
        then=Max(A + B, 0) + Max(A - B, 0) >= k * Max(A, 0),
        constants=(Constant(k, Integer(2), best="largest"),),
    )


@paper.step(
    "lemma-5.2",
    "d.e1",
    "Four points around +-e_2 activate e_1 by the integral of |x^1 + xi z^1|",
    scope=case("one orbit of four points, one shift and its opposite"),
)
def step_e1() -> Statement:
    return _activated(1)


@section.step("lemma-5.2", "d.e1.corrected", "They activate it by twice that integral")
def step_e1_corrected() -> Statement:
    return _activated(2)


def _activated(factor: int) -> Statement:
    """x^1 = x for two of the points and -x for the other two; the shift y and its opposite are equally likely."""
    x, y = symbols("x y")
    four = [2 * (Max(x + e * y, 0) + Max(-x + e * y, 0)) for e in (1, -1)]
    printed = [factor * Abs(x + e * y) for e in (1, -1)]
    return Statement(variables={x: POSITIVE, y: REAL}, then=equal((sum(four), sum(printed))))


L, T = symbols("L T")


@paper.step(
    "lemma-5.2",
    "d.gap",
    "From the printed pair inequality: the sums differ by at least (|v^1| - 1) times their bound",
    scope=case("n = 8"),
)
def step_gap() -> Statement:
    """T is the integral sum; the value at e_1 is 2 T, at v at least w T by #d.pair; n = 8, T <= s."""
    return Statement(
        variables={L: NONNEGATIVE, T: NONNEGATIVE, w: UNIT, s: NONNEGATIVE},
        given=(w * T <= L, s >= T),
        then=4 * (w - 1) * s <= L - 2 * T,
    )


@section.step("lemma-5.2", "d.gap.corrected", "With the factor 2 in the pair inequality they do")
def step_gap_corrected() -> Statement:
    return Statement(
        variables={L: NONNEGATIVE, T: NONNEGATIVE, w: UNIT, s: NONNEGATIVE},
        given=(2 * w * T <= L, s >= T),
        then=2 * (w - 1) * s <= L - 2 * T,
    )


@section.step("lemma-5.2", "d.last", "0 >= (1 - v^1)(1 - 3 delta - 2 xi) forces v^1 = 1")
def step_last() -> Statement:
    return Statement(
        variables={**SMALL, w: UNIT},
        given=(SIXTH, (1 - w) * (1 - delta) / 4 - (1 - w) * (delta + xi) / 2 <= 0),
        then=equal((w, Integer(1))),
    )
