"""Section 5.2 and Appendix H.2: Proposition 5, one unit outgrows the others.

After a rotation the matrix Sigma_yZ is diagonal. Powers pi^(2 s_k / s_m) of the paper are symbols where only their
value at one time matters.
"""

from __future__ import annotations

from sympy import Abs, And, Eq, Expr, Integer, Interval, Matrix, Rational, S, Symbol, oo, sqrt, symbols

from theory.displays import equal
from theory.domains import POSITIVE
from theory.dynamics import Flow, gradient
from theory.saddle_to_saddle._display import claim_on_reals, experiment, reals
from theory.saddle_to_saddle._paper import paper
from theory.scope import case, measured, own, part
from theory.statements import Statement
from theory.temporal import Always

w, a, s = Symbol("v"), symbols("a_1:3"), symbols("s_1:3")
u = [Matrix(symbols("u_a1:3"))]
start, begin = Symbol("v_0"), symbols("b_1:3")
"""Initial values of v and of a_1, a_2."""


def early_flow() -> Flow:
    """(14) for one unit: ascent on the cubic v u^T S u, S = diag(s_1, s_2)."""
    cubic = w * sum(rate * weight**2 for rate, weight in zip(s, u[0], strict=True))
    return Flow((w, *u[0]), gradient(cubic, (w, *u[0])))


def reduced_flow() -> Flow:
    """(48)."""
    growth = sum(rate * part**2 for rate, part in zip(s, a, strict=True))
    return Flow((w, *a), (growth, *[w * rate * part for rate, part in zip(s, a, strict=True)]))


paper.unstated(
    "proposition-5",
    "When one unit of (14) reaches O(1) all others are O(eps) almost surely",
    missing="Gaussian starts, almost surely, and symmetric matrices of any size",
    equations=("14",),
)


@paper.statement(
    "proposition-5.simulated",
    "When the first unit has size one, the others have the size of the start",
    scope=measured(
        "three units drawn once (seed 0), six sizes of the start; the bounds on the fitted slope were chosen here"
    ),
    equations=("14",),
)
def proposition_5() -> Statement:
    slope, least = symbols("slope least")
    return experiment(
        "units",
        And(Abs(slope - 1) < Rational(1, 10), least > Rational(9, 10)),
        notes="The bounds on the fitted slope were chosen here. A proof would need that almost every unit blows up in"
        " finite time (escape from the equilibria of the"
        " cubic) and that the blow-up times differ almost surely; proposition-5.homogeneous then gives the exponent 1.",
        units=3,
        seed=0,
    )


@paper.statement(
    "proposition-5.quadrature",
    "The same exponent from the integral for the time, without solving the system",
    scope=measured("two units with v > 0 and growing v, drawn once (seed 0); bounds chosen after a first measurement"),
    equations=("56", "58"),
)
def proposition_5_quadrature() -> Statement:
    slope, least, gap = symbols("slope least gap")
    return experiment(
        "quadrature",
        And(Abs(slope - 1) < Rational(1, 100), least > Rational(99, 100), gap < Rational(1, 10**6)),
        notes="Two units with v > 0 and growing v, where (56) is real; gap compares with a solver of (14). The bounds"
        " on the fitted slope were chosen here after a first measurement; a proof needs what proposition-5 needs.",
        seed=0,
    )


@paper.statement(
    "proposition-5.homogeneous",
    "Scaling the weights by eps slows time by eps: theta(t; eps g) = eps Theta(eps t; g)",
    scope=own("a step towards a proof, not in print: one unit, D = 2"),
)
def proposition_5_homogeneous() -> Statement:
    flow, eps = early_flow(), Symbol("epsilon")
    small = [entry.subs({x: eps * x for x in flow.state}, simultaneous=True) for entry in flow.velocity]
    return claim_on_reals(equal((small, [eps**2 * entry for entry in flow.velocity])))


@paper.statement(
    "proposition-5.definite",
    "With a positive definite matrix a unit with v < 0 need never grow",
    scope=own("a question of ours: whether eigenvalues of both signs are needed"),
)
def proposition_5_definite() -> Statement:
    rate = Symbol("a")
    return Statement(
        dynamics=Flow((rate,), (-rate * sqrt(3 + rate**2),)),
        start={rate: Integer(1)},
        then=Always(And(rate >= 0, rate < 2)),
        notes="One eigenvalue 1, start v = -2, a = 1: v^2 - a^2 = 3 is conserved (49), so v = -sqrt(3 + a^2) as long"
        " as v < 0, which a bounded a ensures. So eigenvalues of both signs are needed.",
    )


@paper.step(
    "proposition-5",
    "48",
    "In the coordinates a = u / sqrt(2) and time 2t the system is (48)",
    scope=case("D = 2"),
    equations=("47", "48"),
)
def step_48() -> Statement:
    flow, goal = early_flow(), reduced_flow()
    there = {x: sqrt(2) * part for x, part in zip(u[0], a, strict=True)}
    of_v, *of_u = [entry.subs(there, simultaneous=True) / 2 for entry in flow.velocity]
    return claim_on_reals(equal(([of_v, *[entry / sqrt(2) for entry in of_u]], list(goal.velocity))))


@paper.step("proposition-5", "49", "v^2 - sum a_k^2 is constant", scope=case("D = 2"), equations=("49", "50"))
def step_49() -> Statement:
    return claim_on_reals(equal((reduced_flow().derivative_along(w**2 - sum(part**2 for part in a)), S.Zero)))


@paper.step(
    "proposition-5",
    "51",
    "s_k ln|a_m| - s_m ln|a_k| is constant",
    scope=case("two coordinates, both positive"),
    equations=("51", "52"),
)
def step_51() -> Statement:
    flow = reduced_flow()
    rates = [entry / part for entry, part in zip(flow.velocity[1:], a, strict=True)]
    return Statement(
        variables=reals((w, *s)) | dict.fromkeys(a, POSITIVE),
        then=Eq(s[1] * rates[0], s[0] * rates[1], evaluate=False),
    )


@paper.step(
    "proposition-5",
    "52",
    "One coordinate as a power of another moves as (48) says",
    scope=case("two coordinates, a_m and s_m positive"),
    equations=("51", "52"),
)
def step_52() -> Statement:
    first, second = symbols("b_1:3")
    value = second * (a[0] / first) ** (s[1] / s[0])
    velocity = value.diff(a[0]) * w * s[0] * a[0]
    return Statement(
        variables=reals((w, s[1], second)) | dict.fromkeys((a[0], first, s[0]), POSITIVE),
        then=Eq(velocity, w * s[1] * value, evaluate=False),
    )


powers = symbols("P_1:3")
"""pi_m^(2 s_k / s_m) for k = 1, 2; the first is pi_m^2 itself when m = 1."""


def radicand(*values: Expr) -> Expr:
    """The right side of (54)."""
    return start**2 + sum(b**2 * (value - 1) for b, value in zip(begin, values, strict=True))


@paper.step("proposition-5", "54", "v^2 in terms of the growth factors", scope=case("D = 2"), equations=("54",))
def step_54() -> Statement:
    conserved = Eq(
        w**2 - sum(b**2 * p for b, p in zip(begin, powers, strict=True)), start**2 - sum(b**2 for b in begin)
    )
    return claim_on_reals(equal((w**2, radicand(*powers))), given=(conserved,))


@paper.step("proposition-5", "55", "v keeps its sign", scope=case("D = 2, s = (1, -1), one start"), equations=("55",))
def step_55() -> Statement:
    flow = reduced_flow().substitute({s[0]: 1, s[1]: -1})
    return Statement(
        dynamics=flow,
        start={w: Rational(1, 10), a[0]: Rational(1, 2), a[1]: Integer(1)},
        then=Always(w > 0),
        notes="(55) writes v as sign(v(0)) times a root. Here s = (1, -1) and v decreases through zero at once.",
    )


@paper.step(
    "proposition-5", "55.corrected", "While v > 0 and sum s_k a_k^2 >= 0, neither can turn negative", equations=("55",)
)
def step_55_corrected() -> Statement:
    flow = reduced_flow()
    push = flow.velocity[0]
    return Statement(
        variables=reals((*a, *s)) | {w: POSITIVE},
        given=(push >= 0,),
        then=And(flow.velocity[0] >= 0, flow.derivative_along(push) >= 0),
    )


@paper.step(
    "proposition-5",
    "choice",
    "The index that minimises s_m also maximises |s_m|",
    scope=case("two eigenvalues of opposite signs"),
)
def step_choice() -> Statement:
    return Statement(
        variables={s[0]: POSITIVE, s[1]: Interval.open(-oo, 0)},
        then=Abs(s[1]) >= Abs(s[0]),
        notes="Said for v(0) < 0; only max s_k / s_m = 1 is used later, see choice.corrected.",
    )


@paper.step("proposition-5", "choice.corrected", "The index that minimises s_m has max s_k / s_m = 1")
def step_choice_corrected() -> Statement:
    return Statement(
        variables={s[0]: S.Reals, s[1]: Interval.open(-oo, 0)}, given=(s[0] >= s[1],), then=s[0] / s[1] <= 1
    )


def _real_path(*extra: object) -> Statement:
    growth = Symbol("pi")
    return Statement(
        variables={start: POSITIVE, begin[0]: POSITIVE, begin[1]: POSITIVE, growth: Interval(1, oo)},
        given=tuple(extra),
        then=radicand(growth**2, growth**-2) > 0,
    )


@paper.step(
    "proposition-5",
    "56",
    "The radicand is positive on the whole path, s = (1, -1)",
    scope=case("D = 2, s = (1, -1), a positive start"),
    equations=("56", "58"),
)
def step_56() -> Statement:
    return _real_path().but(
        notes="Where it fails, v changes sign and the unit grows along the other eigenvector; (56) is not real."
    )


@paper.step("proposition-5", "56.corrected", "The same when v(0) and its velocity have the same sign")
def step_56_corrected() -> Statement:
    return _real_path(begin[0] ** 2 >= begin[1] ** 2)


def psi(growth: Expr) -> Expr:
    """(60) for m = 1."""
    inner = start**2 / begin[0] ** 2 + (begin[1] / begin[0]) ** 2 * (powers[1] - 1) - 1
    return inner / growth**2


@paper.step(
    "proposition-5", "59", "The radicand is a_m^2 pi^2 (1 + Psi)", scope=case("D = 2, m = 1"), equations=("59", "60")
)
def step_59() -> Statement:
    growth = Symbol("pi")
    return Statement(
        variables=reals((start, begin[1], powers[1])) | {begin[0]: POSITIVE, growth: POSITIVE},
        then=Eq(radicand(growth**2, powers[1]), begin[0] ** 2 * growth**2 * (1 + psi(growth)), evaluate=False),
    )


@paper.step(
    "proposition-5",
    "61",
    "1 + Psi is positive for every growth factor, s = (1, -1)",
    scope=case("D = 2, s = (1, -1), a positive start"),
    equations=("61",),
)
def step_61() -> Statement:
    growth = Symbol("pi")
    return Statement(
        variables={start: POSITIVE, begin[0]: POSITIVE, begin[1]: POSITIVE, growth: Interval(1, oo)},
        then=1 + psi(growth).subs(powers[1], growth**-2) > 0,
        notes="(61) divides by sqrt(1 + Psi_min); where v(0) and its velocity differ in sign this can be imaginary, as"
        " in step 56.",
    )


@paper.step(
    "proposition-5", "61.corrected", "The same when v(0) and its velocity have the same sign", equations=("61",)
)
def step_61_corrected() -> Statement:
    growth = Symbol("pi")
    return Statement(
        variables={start: POSITIVE, begin[0]: POSITIVE, begin[1]: POSITIVE, growth: Interval(1, oo)},
        given=(begin[0] >= begin[1],),
        then=1 + psi(growth).subs(powers[1], growth**-2) > 0,
    )


@paper.step(
    "proposition-5",
    "61.bound",
    "The integrand of (59) with the least value of Psi in its place",
    scope=part("the integrand, for every value of Psi above its least one"),
    equations=("61",),
)
def step_61_bound() -> Statement:
    growth, value, least = symbols("pi Psi m")
    return Statement(
        variables={growth: Interval(1, oo), value: S.Reals, least: Interval.open(-1, oo)},
        given=(value >= least,),
        then=1 / (growth**2 * sqrt(1 + value)) <= 1 / (growth**2 * sqrt(1 + least)),
    )


@paper.step(
    "proposition-5",
    "57",
    "The radicand scales with the square of the start, so times scale inversely",
    scope=part("how the radicand scales, D = 2; not the order of the times"),
    equations=("56", "57"),
)
def step_57() -> Statement:
    eps = Symbol("epsilon")
    small = {entry: eps * entry for entry in (start, *begin)}
    plain = radicand(*powers)
    return claim_on_reals(
        equal((plain.subs(small, simultaneous=True), eps**2 * plain)),
        notes="So two times agree only on a set of starts that each ray meets once, which has measure zero.",
    )


@paper.step(
    "proposition-5",
    "63",
    "|s a(0)| (t_inf - t_final) does not depend on the size of the start",
    scope=part("how the product scales with the start"),
    equations=("63",),
)
def step_63() -> Statement:
    eps, rate, part, late, early = symbols("epsilon s a_0 T t")
    return Statement(
        variables=reals((part, late, early)) | {eps: POSITIVE, rate: POSITIVE},
        then=Eq(rate * Abs(eps * part) * (late / eps - early / eps), rate * Abs(part) * (late - early), evaluate=False),
    )


@paper.step(
    "proposition-5",
    "62",
    "The bound on the growth of a slower unit",
    scope=part("the rearrangement; the integral is a symbol"),
    equations=("62",),
)
def step_62() -> Statement:
    growth, least, speed, left = symbols("pi m A left")
    return Statement(
        variables=dict.fromkeys((growth, least, speed), POSITIVE) | {left: POSITIVE},
        given=(left < 1 / (least * growth), Eq(left, speed)),
        then=growth < 1 / (least * speed),
        notes="m is sqrt(1 + Psi_min), left the integral of (59), A the right side |s_m a_m(0)| (t_inf - t_final).",
    )
