"""Lemma 5.5, Theorem 5.6 and Proposition 5.8: normalised margins and what the large network converges to."""

from __future__ import annotations

from sympy import And, Integer, Interval, Matrix, Rational, Symbol, exp, oo, symbols

from theory.displays import equal
from theory.domains import POSITIVE
from theory.scope import case, own, part, whole
from theory.scope import measured as measured_at
from theory.simplicity_bias._display import NONNEGATIVE, REAL, counted, measured
from theory.simplicity_bias._paper import paper
from theory.statements import Statement

section = paper.section(steps=whole())

p, q, w, a, e = symbols("p q w a e")
U1, U2, U3, U4 = symbols("U_1:5")
drop, moved = symbols("drop moved")


# Proposition 5.8 -----------------------------------------------------------------------------------------------------


paper.unstated(
    "proposition-5.8",
    "For every data set of Lemma 5.2 theta^mm is a strict local-max-margin direction of the four-"
    "neuron network, and chi(theta^mm) is one of the large network",
    missing="smoothed rectifiers in R^d on data sets of every size, local maxima among directions",
)


@paper.statement(
    "proposition-5.8.m-5",
    "The embedded network is a strict local-max-margin direction of the large network",
    scope=case(
        "the second clause for m = 5 with two neurons in one cluster, one rational turn, the orbit of (0.95, 0.1, 0.05)"
    ),
)
def proposition_5_8() -> Statement:
    """m = 5, two neurons in one cluster: a rational turn of their weights changes the network but not its margin."""
    return counted(
        drop > 0, "flat_direction", "drop", case="split", step="1/1000",
        notes="Every smaller turn does the same: the margin depends on the sums of squares of the clusters only.",
    )  # fmt: skip


@paper.statement(
    "proposition-5.8.a",
    "It is strict if every cluster has one neuron and another one sleeps",
    scope=case("the second clause for m = 5 with one sleeping neuron, the orbit of (0.95, 0.1, 0.05)"),
)
def proposition_5_8_asleep() -> Statement:
    """m = 5 with R not empty: waking the sleeping neuron along e_1 at the cost of the first is flat as well."""
    return counted(drop > 0, "flat_direction", "drop", case="asleep", step="1/1000")


@paper.statement(
    "proposition-5.8.b",
    "Weights of one cluster may be turned freely: f does not change",
    scope=own("why proposition-5.8 fails: two neurons of one cluster"),
)
def proposition_5_8_flat() -> Statement:
    """Two neurons of a cluster with v = |u| e_1: their sum of squares is all that f and the norm see."""
    u1, u2, c, s, x = symbols("u_1 u_2 c s x")
    turned = ((c * u1 - s * u2) ** 2 + (s * u1 + c * u2) ** 2) * x
    return Statement(
        variables=dict.fromkeys((u1, u2, c, s, x), REAL),
        given=(equal((c**2 + s**2, Integer(1))),),
        then=equal((turned, (u1**2 + u2**2) * x)),
    )


@paper.statement(
    "proposition-5.8.corrected",
    "The four-neuron network is strict: equal margins force equal scales",
    scope=own("the last step of the first clause of proposition-5.8: balanced aligned neurons, one point"),
)
def proposition_5_8_corrected() -> Statement:
    """Balanced aligned neurons with squares U_k of sum 4, k = q/p: margins p (U_k - k U_l) that reach p (1 - k).

    By symmetry U_1 is the least; its margin on a point between e_1 and e_2 is enough.
    """
    k = Symbol("k")
    return Statement(
        variables={**dict.fromkeys((U1, U2, U3, U4), POSITIVE), k: Interval.Ropen(0, 1)},
        given=(equal((U1 + U2 + U3 + U4, Integer(4))), U1 <= U2, U1 <= U3, U1 <= U4, U1 - k * U2 >= 1 - k),
        then=And(equal((U1, U2)), equal((U2, U3)), equal((U3, U4))),
        notes="Together with #d.neuron, whose equality needs |u| = |v| and alignment. Up to a turn inside clusters and "
        "waking neurons, chi(theta^mm) is also the only maximiser nearby in the large network.",
    )


@paper.statement("proposition-5.8.a.corrected", "Waking the sleeping neuron is one flat direction, in the cell of e_1")
def proposition_5_8_asleep_corrected() -> Statement:
    return _solved([1, 2, 3, 4, -1], 1)


def _solved(clusters: list[int], flat: int) -> Statement:
    return counted(
        equal((Symbol("flat"), Integer(flat)), (Symbol("semidefinite"), Integer(1))),
        "flat_space", "flat", "semidefinite", clusters=clusters,
        notes="Solved on the orbit of (19/20, 1/10, 1/20): the kernel of a quadratic form and a linear system, no "
        "samples.",
    )  # fmt: skip


@paper.statement(
    "proposition-5.8.c",
    "Solving for directions of equal margin near the four-neuron network finds none",
    scope=case("the first clause to second order on the orbit of (19/20, 1/10, 1/20)"),
)
def proposition_5_8_solved() -> Statement:
    return _solved([1, 2, 3, 4], 0)


@paper.statement(
    "proposition-5.8.d",
    "With two neurons in one cluster there is none either",
    scope=case("the second clause for m = 5, to second order on the orbit of (19/20, 1/10, 1/20)"),
)
def proposition_5_8_solved_split() -> Statement:
    return _solved([1, 1, 2, 3, 4], 0)


@paper.statement("proposition-5.8.d.corrected", "There is one, and with a second pair of neurons there are two")
def proposition_5_8_solved_corrected() -> Statement:
    """The flat set has the dimension m - 4: a sphere of weights for each cluster."""
    return _solved([1, 1, 2, 2, 3, 4], 2)


@paper.step(
    "proposition-5.8", "d.value", "On an orbit f(theta^mm) y = p - q", scope=case("the orbit of (0.95, 0.1, 0.05)")
)
def step_value() -> Statement:
    return counted(
        equal((Symbol("smallest"), Rational(17, 20)), (Symbol("mean"), Rational(17, 20))),
        "orbit_average", "smallest", "mean", data="orbit of sixteen",
    )  # fmt: skip


@paper.step(
    "proposition-5.8",
    "d.average",
    "The smallest margin on an orbit M is at most its sum divided by 16",
    scope=case("the orbit of (0.95, 0.1, 0), which has 8 points"),
)
def step_average() -> Statement:
    return counted(
        Symbol("smallest") <= Symbol("sixteenth"), "orbit_average", "smallest", "sixteenth", data="orbit",
        notes="An orbit of points without other coordinates (or d = 2) has 8 points; 1/|M| is meant.",
    )  # fmt: skip


@section.step("proposition-5.8", "d.average.corrected", "It is at most the mean over the orbit")
def step_average_corrected() -> Statement:
    return counted(
        And(Symbol("smallest") <= Symbol("mean"), Symbol("smallest") > 0),
        "orbit_average", "smallest", "mean", data="orbit",
    )  # fmt: skip


@paper.step(
    "proposition-5.8",
    "d.sum",
    "A neuron near e_1 sums to 4 |u| v^1 (p - q) over an orbit of sixteen",
    scope=case("d = 3, a neuron near e_1"),
)
def step_sum() -> Statement:
    """Active points: x^1 > 0; near +-e_1 with label 1, near +-e_2 with label -1."""
    u, v1, v2, v3 = symbols("u v_1 v_2 v_3")
    v = Matrix([v1, v2, v3])
    total: object = Integer(0)
    for s in (1, -1):
        for t in (1, -1):
            total += u * v.dot(Matrix([p, s * q, t * w])) - u * v.dot(Matrix([q, s * p, t * w]))
    return Statement(variables=dict.fromkeys((u, v1, v2, v3, p, q, w), REAL), then=equal((total, 4 * u * v1 * (p - q))))


@paper.step(
    "proposition-5.8",
    "d.neuron",
    "4 |u| |v^1| <= 2 (u^2 + |v|^2), with equality for aligned balanced neurons only",
    scope=case("d = 2; the inequality without its equality case"),
)
def step_neuron() -> Statement:
    u, v1, v2 = symbols("u v_1 v_2")
    return Statement(
        variables={u: NONNEGATIVE, v1: NONNEGATIVE, v2: REAL},
        then=4 * u * v1 <= 2 * (u**2 + v1**2 + v2**2),
    )


@paper.step("proposition-5.8", "d.neuron.a", "Equality forces u = v^1 and no other component", scope=case("d = 2"))
def step_neuron_equality() -> Statement:
    u, v1, v2 = symbols("u v_1 v_2")
    return Statement(
        variables={u: NONNEGATIVE, v1: NONNEGATIVE, v2: REAL},
        given=(4 * u * v1 >= 2 * (u**2 + v1**2 + v2**2),),
        then=And(equal((u, v1)), equal((v2, Integer(0)))),
    )


@section.step("proposition-5.8", "d.least", "With U_1 the least, equal margin gives 4 U_1 >= the sum, so all are equal")
def step_least() -> Statement:
    total = U1 + U2 + U3 + U4
    return Statement(
        variables=dict.fromkeys((U1, U2, U3, U4), NONNEGATIVE),
        given=(U1 <= U2, U1 <= U3, U1 <= U4, total <= 4 * U1),
        then=And(equal((U1, U2)), equal((U1, U3)), equal((U1, U4))),
    )


@paper.step(
    "proposition-5.8",
    "d.proportional",
    "Equal cluster sums mean that theta is proportional to chi(theta^mm)",
    scope=case("one cluster of two neurons with the weights 3/5 and 4/5"),
)
def step_proportional() -> Statement:
    """u_1^2 + u_2^2 = 1 does not fix (u_1, u_2): claimed for the weights (3/5, 4/5) of chi."""
    u1, u2 = symbols("u_1 u_2")
    return Statement(
        variables={u1: NONNEGATIVE, u2: NONNEGATIVE},
        given=(equal((u1**2 + u2**2, Integer(1))),),
        then=And(equal((u1, Rational(3, 5))), equal((u2, Rational(4, 5)))),
    )


@section.step("proposition-5.8", "d.proportional.corrected", "They mean that clusters have the weights of chi, turned")
def step_proportional_corrected() -> Statement:
    """The turn has the cosine c and the sine s; chi has the weights (3/5, 4/5)."""
    u1, u2 = symbols("u_1 u_2")
    c, s = (3 * u1 + 4 * u2) / 5, (3 * u2 - 4 * u1) / 5
    return Statement(
        variables={u1: NONNEGATIVE, u2: NONNEGATIVE},
        given=(equal((u1**2 + u2**2, Integer(1))),),
        then=equal((c**2 + s**2, Integer(1)), (3 * c / 5 - 4 * s / 5, u1), (3 * s / 5 + 4 * c / 5, u2)),
    )


# Lemma 5.5 and Theorem 5.6 -------------------------------------------------------------------------------------------


paper.unstated(
    "lemma-5.5",
    "Under Assumption 5.4 there is sigma* such that for every sigma < sigma* the network converges in"
    " direction to chi(theta^mm), which does not depend on sigma",
    missing="convergence in direction of a flow of m neurons in R^d, for all small sigma",
)


@paper.statement(
    "lemma-5.5.proportions",
    "Two neurons of one cluster keep the ratio that chi(theta^mm) gives them",
    label="Lemma 5.5",
    scope=measured_at(
        "two neurons of one cluster, sigma = 1/10 alone: the shift of their ratio; the print claims 0, "
        "the bound 1e-8 is ours"
    ),
)
def lemma_5_5() -> Statement:
    """How far the ratio of their limits is from that of the linearised flow."""
    shift = Symbol("shift")
    return measured(
        shift <= Rational(1, 10**8), "proportions", "shift", sigma="1/10",
        notes="The proof needs strictness (proposition-5.8). The measured shift is far above the integration error, so "
        "the limit seems to depend on sigma. For mirrored starts lemma-5.5.a to lemma-5.5.f show that it does as long "
        "as the pull D_1 of the cluster is positive; a refutation needs a proof of that for all times and all small "
        "sigma. The bound 1e-8 is ours: the print claims 0.",
    )  # fmt: skip


@paper.statement(
    "lemma-5.5.corrected",
    "As sigma falls the limiting proportions approach those of chi(theta^mm)",
    scope=own(
        "the nearest true form of lemma-5.5, measured at sigma = 0.1 and 0.05 only; the threshold 2 was set before "
        "the first run, which gave 1.92"
    ),
)
def lemma_5_5_corrected() -> Statement:
    ratio = Symbol("ratio")
    return measured(
        ratio >= 2, "proportions_trend", "ratio",
        notes="The shift falls at least by 2 when sigma is halved, as an error of order sigma does in the limit; the "
        "measured 1.92 misses it. A proof needs the continuity argument of D.5 with explicit constants.",
    )  # fmt: skip


paper.unstated(
    "theorem-5.6",
    "For every 2-homogeneous network, local-max-margin direction and zeta there are omega and rho "
    "such that large starts within omega converge in direction to one with the same margin within "
    "zeta (cited)",
    missing="all 2-homogeneous networks, convergence in direction",
)


@paper.statement(
    "theorem-5.6.run",
    "Large starts near a local-max-margin direction keep its margin and stay near (cited)",
    label="Theorem 5.6",
    scope=measured_at(
        "one start, seed 2, near theta^mm of the four-neuron network until the largest scale is 9; the "
        "thresholds are ours"
    ),
)
def theorem_5_6() -> Statement:
    gain, away = symbols("gain away")
    return measured(
        And(gain >= -Rational(1, 1000), away <= Rational(1, 5)), "near_margin", "gain", "away", seed=2,
        notes="External theorem: tested near theta^mm of the four-neuron network at norm 8. The print leaves omega, "
        "zeta and rho open; the thresholds here are ours. A proof is that of Lyu et al., about all homogeneous "
        "networks.",
    )  # fmt: skip


T = Symbol("T")
LARGE = {a: Interval.open(0, Rational(1, 6)), e: Interval.open(0, 1), T: POSITIVE}
CLOSE = (3 * e * 4 * a < (1 - e) * (1 - 6 * a),)
"""3e/(1-e) < (1-6a)/(4a), cleared of denominators; T is |theta|^2 and each 8 u_k^2 is within (1 -+ e) T."""


@section.step("lemma-5.5", "d.positive", "b = ((1-e)(1-2a) - (1+e) 2a)/8 is positive")
def step_positive() -> Statement:
    return Statement(variables=LARGE, given=CLOSE, then=((1 - e) * (1 - 2 * a) - (1 + e) * 2 * a) / 8 > 0)


def _output_bound(factor: int) -> Statement:
    u1, u2, u4 = symbols("u_1 u_2 u_4")
    inside = [part for u in (u1, u2, u4) for part in (8 * u >= (1 - e) * T, 8 * u <= (1 + e) * T)]
    b = ((1 - e) * (1 - 2 * a) - (1 + e) * factor * a) / 8
    return Statement(
        variables={**LARGE, **dict.fromkeys((u1, u2, u4), NONNEGATIVE)},
        given=(*CLOSE, *inside),
        then=u1 * (1 - 2 * a) - 2 * a * (u2 + u4) >= b * T,
        notes="u_k stands for the square of the scale.",
    )


@section.step("lemma-5.5", "d.output", "The lower bound of f is at least b |theta|^2")
def step_output() -> Statement:
    return _output_bound(2)


@section.step("lemma-5.5", "d.output.corrected", "It is with 4a in place of 2a in b")
def step_output_corrected() -> Statement:
    return _output_bound(4)


@section.step("lemma-5.5", "d.positive.corrected", "b with 4a is still positive")
def step_positive_corrected() -> Statement:
    return Statement(variables=LARGE, given=CLOSE, then=((1 - e) * (1 - 2 * a) - (1 + e) * 4 * a) / 8 > 0)


@paper.step(
    "lemma-5.5", "d.norm", "(1/4) d|theta|^2/dt is the sum of u_k u_k' for balanced neurons", scope=part("one neuron")
)
def step_norm() -> Statement:
    u, s = symbols("u s")
    return Statement(
        variables={u: REAL, s: REAL},
        then=equal(((2 * u * s + 2 * u * s) / 4, u * s)),
        notes="|v|^2 = u^2, so both layers contribute 2 u u'.",
    )


x, b, c = symbols("x b c")


@paper.step(
    "lemma-5.5",
    "d.growth",
    "f / (1 + e^f) >= b |theta|^2 / (1 + exp(c |theta|)) for b |theta|^2 <= f <= c |theta|^2",
    scope=case("b = c = 1/8"),
)
def step_growth() -> Statement:
    """At f = c x^2 with b = c = 1/8: x is |theta|."""
    eighth = Rational(1, 8)
    return Statement(
        variables={x: Interval(1, oo)},
        then=eighth * x**2 / (1 + exp(eighth * x**2)) >= eighth * x**2 / (1 + exp(eighth * x)),
        notes="The square of the norm is missing in the exponent.",
    )


@section.step("lemma-5.5", "d.growth.corrected", "With exp(c |theta|^2) in the denominator it holds")
def step_growth_corrected() -> Statement:
    """y is |theta|^2, f between b y and c y; g and G are e^f <= e^(c y)."""
    f, y, g, G = symbols("f y g G")
    return Statement(
        variables={f: POSITIVE, y: POSITIVE, b: POSITIVE, g: Interval(1, oo), G: Interval(1, oo)},
        given=(f >= b * y, g <= G),
        then=f / (1 + g) >= b * y / (1 + G),
    )


@paper.statement(
    "claim-5.kkt",
    "theta^mm satisfies the first-order conditions of the margin problem",
    scope=own("a remark of ours, four aligned neurons: the paper does not claim it; the multiplier is a hypothesis"),
)
def claim_kkt() -> Statement:
    """Scaled to margin one on an orbit of sixteen with equal multipliers m: u = sum of m y phi.

    v = sum of m y u grad phi.

    For the neuron at e_1 the active points sum to (4p - 4q) e_1 over the orbit, so both say m (4p - 4q) = 1.
    """
    m, u = symbols("m u")
    return Statement(
        variables={p: POSITIVE, q: NONNEGATIVE, m: POSITIVE, u: POSITIVE},
        given=(q < p, equal((m * 4 * (p - q), Integer(1)))),
        then=equal((u, m * 4 * (p - q) * u)),
        notes="Convergence to such points is external (Lyu and Li; Ji and Telgarsky).",
    )
