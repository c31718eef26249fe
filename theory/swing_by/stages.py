"""Sections 4.2.1 and 4.2.2: the stages of the Jacobian and what they do to the output at the test point.

The main text numbers the directions by falling signal, a_1 > a_2 > ...; so do these statements.
"""

from __future__ import annotations

from sympy import And, Eq, Equivalent, Expr, Interval, Rational, S, Symbol, log

from theory.displays import equal
from theory.domains import POSITIVE
from theory.scope import case, own, part, whole
from theory.statements import Statement
from theory.swing_by._paper import paper
from theory.swing_by.model import (
    growth,
    jacobian,
    noise,
    paper_flow,
    signals,
    suppression,
    upper,
)
from theory.temporal import Scaling

w, omega, c = Symbol("w"), Symbol("omega"), Symbol("c")
a1, a2, a3 = signals(3)
RATES = dict.fromkeys((a1, a2, a3), POSITIVE)


def uniform(d: int) -> dict[Symbol, object]:
    """All entries of W equal to omega."""
    return dict.fromkeys(upper(jacobian(d)), omega)


# Initial growth -------------------------------------------------------------------------------------------------------


@paper.statement(
    "claim-4.2.s1",
    "At entries of size omega growth is of order omega, suppression and noise of order omega^2",
    label="Section 4.2.1",
    scope=case("all entries equal to omega, d = 3, the entry (1, 2)"),
)
def s1() -> Statement:
    W, same = jacobian(3), uniform(3)
    return Statement(
        variables=RATES,
        then=And(*[Scaling(term(W, 1, 2).subs(same), omega, power) for term, power in
                   ((growth, 1), (suppression, 2), (noise, 2))]),
        notes="The earlier version prints o(omega) and o(omega^2), which the growth term contradicts.",
    )  # fmt: skip


@paper.statement(
    "claim-4.2.s1.reading-b",
    "Growth is o(omega), as the earlier version prints",
    label="Section 4.2.1",
    scope=case("the earlier version's order of the growth term, all entries equal to omega, the entry (1, 2)"),
)
def s1_earlier() -> Statement:
    W, same = jacobian(2), uniform(2)
    return Statement(variables=RATES, then=Scaling(growth(W, 1, 2).subs(same), omega, 2, "at most"))


@paper.statement(
    "claim-4.2.s1.a",
    "omega <= 1 / (100 d max a) makes suppression smaller than growth",
    label="Section 4.2.1",
    scope=case("d = 2, all entries equal to omega; << taken as a factor 1/100"),
)
def s1_condition() -> Statement:
    """The printed smallness condition changes with the unit of the signals; the dynamics do not. d = 2."""
    W, same = jacobian(2), uniform(2)
    return Statement(
        variables={a1: POSITIVE, a2: POSITIVE, omega: POSITIVE},
        given=(200 * omega * a1 <= 1, 200 * omega * a2 <= 1),
        then=suppression(W, 1, 2).subs(same) < growth(W, 1, 2).subs(same),
    )


@paper.statement(
    "claim-4.2.s1.a.corrected",
    "omega <= 1 / (100 d) makes suppression less than a tenth of growth",
    label="Section 4.2.1",
    scope=own("the nearest true form of claim-4.2.s1.a, d = 2, all entries equal to omega"),
)
def s1_condition_corrected() -> Statement:
    W, same = jacobian(2), uniform(2)
    return Statement(
        variables={a1: POSITIVE, a2: POSITIVE, omega: Interval.Lopen(0, Rational(1, 200))},
        then=10 * suppression(W, 1, 2).subs(same) < growth(W, 1, 2).subs(same),
    )


@paper.statement(
    "claim-4.2.s1.b",
    "Scaling the signals by c and time by 1/c leaves the flow (4.3) as it is",
    label="Section 4.2.1",
    scope=own("a remark of ours, d = 2"),
)
def s1_scaling() -> Statement:
    flow = paper_flow(2)
    scaled = flow.substitute({a1: c * a1, a2: c * a2})
    return Statement(
        variables={**dict.fromkeys(flow.state, S.Reals), a1: POSITIVE, a2: POSITIVE, c: POSITIVE},
        then=equal(*[(left, c * right) for left, right in zip(scaled.velocity, flow.velocity, strict=True)]),
    )


@paper.statement(
    "claim-4.2.s1.c",
    "With falling signals each entry grows faster than those below it or to its right",
    label="Section 4.2.1",
    scope=case("three directions"),
)
def s1_order() -> Statement:
    return Statement(
        variables=RATES,
        given=(a1 > a2, a2 > a3),
        then=And(2 * a1 > a1 + a2, a1 + a2 > a1 + a3, a1 + a2 > 2 * a2, a1 + a3 > a2 + a3, a2 + a3 > 2 * a3),
    )


# Suppression ----------------------------------------------------------------------------------------------------------


def _reversal(level: Expr | int) -> Expr:
    """Growth minus suppression of w_12, divided by w_12, when w_11 has reached a level and w_22 is still 0."""
    W = jacobian(2)
    at = {W[0, 0]: level, W[1, 1]: 0}
    return ((growth(W, 1, 2) - suppression(W, 1, 2)) / W[0, 1]).subs(at).cancel()


@paper.statement(
    "claim-4.2.s2",
    "A saturated first major entry reverses its group whenever a_1 > a_2",
    label="Section 4.2.1",
    scope=case("w_11 = 1, w_22 = 0, d = 2, without noise; large enough becomes a_1 > a_2"),
)
def s2() -> Statement:
    """At w_11 = 1: no large difference of the signals is needed."""
    return Statement(variables={a1: POSITIVE, a2: POSITIVE}, then=Equivalent(_reversal(1) < 0, a1 > a2))


@paper.statement(
    "claim-4.2.s2.a",
    "At w_11 = w the minor entry is reversed exactly when w > 2 (a_1 + a_2) / (3 a_1 + a_2)",
    label="Section 4.2.1",
    scope=own("a sharper form of ours, w_22 = 0, d = 2"),
)
def s2_level() -> Statement:
    return Statement(
        variables={a1: POSITIVE, a2: POSITIVE, w: Interval(0, 1)},
        then=Equivalent(_reversal(w) < 0, w > 2 * (a1 + a2) / (3 * a1 + a2)),
    )


@paper.statement(
    "claim-4.2.s2.b",
    "At w_11 = 0.8 the minor entry is reversed exactly when a_1 > 3 a_2",
    label="Lemma D.7",
    scope=own("a consequence of ours, w_22 = 0, d = 2"),
)
def s2_lemma_level() -> Statement:
    return Statement(
        variables={a1: POSITIVE, a2: POSITIVE}, then=Equivalent(_reversal(Rational(4, 5)) < 0, a1 > 3 * a2)
    )


@paper.statement(
    "claim-4.2.s2.c",
    "No major entry below 2/3 reverses a minor entry of its group",
    label="Section 4.2.1",
    scope=own("a consequence of ours, w_22 = 0, d = 2"),
)
def s2_least_level() -> Statement:
    return Statement(variables={a1: POSITIVE, a2: POSITIVE, w: Interval(0, Rational(2, 3))}, then=_reversal(w) > 0)


# Order of the major entries -------------------------------------------------------------------------------------------

v1, v2, level, beta = Symbol("v_1"), Symbol("v_2"), Symbol("h"), Symbol("beta")


def time_to(target: Expr, start: Expr, rate: Expr) -> Expr:
    """When a major entry without noise, dw/dt = 2 a w (1 - w), reaches the target."""
    return log(target * (1 - start) / (start * (1 - target))) / (2 * rate)


@paper.statement(
    "claim-4.2.s3",
    "Major entries of equal size leave the initial phase in the order of their signals",
    label="Section 4.2.1",
    scope=part("two times log q / (2 a) of the linear phase; the suppression between them is left out"),
)
def s3() -> Statement:
    """q is the logarithm of the odds gained, positive, the same for both."""
    q = Symbol("q")
    return Statement(
        variables={a1: POSITIVE, a2: POSITIVE, q: POSITIVE}, given=(a1 > a2,), then=q / (2 * a1) < q / (2 * a2)
    )


@paper.statement(
    "claim-4.2.s3.a",
    "Major entries that start between omega and beta omega leave in the order of their signals",
    label="Section 4.2.1",
    scope=own("a question of ours: starts that differ by a factor e; the paper has all entries around omega"),
)
def s3_unequal() -> Statement:
    """q_i are the logarithms of the odds to be gained; they differ by at most log beta, here by 1."""
    q1, q2 = Symbol("q_1"), Symbol("q_2")
    return Statement(
        variables={a1: POSITIVE, a2: POSITIVE, q1: POSITIVE, q2: POSITIVE},
        given=(a1 > a2, q1 - q2 <= 1, q2 - q1 <= 1),
        then=q1 / (2 * a1) < q2 / (2 * a2),
    )


@paper.statement(
    "claim-4.2.s3.a.corrected", "They do when a_1 / a_2 exceeds 1 + 1 / q with q the least logarithm to be gained"
)
def s3_unequal_corrected() -> Statement:
    q1, q2 = Symbol("q_1"), Symbol("q_2")
    return Statement(
        variables={a1: POSITIVE, a2: POSITIVE, q1: POSITIVE, q2: POSITIVE},
        given=(a1 * q2 > a2 * (q2 + 1), q1 - q2 <= 1),
        then=q1 / (2 * a1) < q2 / (2 * a2),
    )


@paper.statement(
    "claim-4.2.s3.b",
    "The time at which a major entry reaches a level solves its own equation",
    label="Section 4.2.1",
    scope=own("a formula of ours for one entry without noise"),
)
def s3_time() -> Statement:
    """The derivative of the time with respect to the level is one over the speed."""
    time = time_to(level, v1, a1)
    return Statement(
        variables={level: Interval.open(0, 1), v1: Interval.open(0, 1), a1: POSITIVE},
        then=equal((time.diff(level), 1 / (2 * a1 * level * (1 - level)))),
    )


@paper.statement(
    "claim-4.2.s4",
    "A major entry between 0 and 1 is suppressed less than it grows, and the two are equal at 1",
    label="Section 4.2.1",
    scope=whole(),
)
def s4() -> Statement:
    W = jacobian(2)
    return Statement(
        variables={w: Interval.open(0, 1), a1: POSITIVE, a2: POSITIVE},
        then=And(
            suppression(W, 1, 1).subs(W[0, 0], w) < growth(W, 1, 1).subs(W[0, 0], w),
            Eq(suppression(W, 1, 1).subs(W[0, 0], 1), growth(W, 1, 1).subs(W[0, 0], 1), evaluate=False),
        ),
    )


@paper.statement(
    "claim-4.2.s4.a",
    "With the noise, a major entry below 1 never falls",
    label="Section 4.2.1",
    scope=own("a question of ours, d = 2: the paper leaves the noise out"),
)
def s4_noise() -> Statement:
    """A positive semidefinite W, d = 2."""
    flow, W = paper_flow(2), jacobian(2)
    return Statement(
        variables={**dict.fromkeys(upper(W), S.Reals), a1: POSITIVE, a2: POSITIVE},
        given=(W[0, 0] > 0, W[0, 0] < 1, W[1, 1] > 0, W.det() >= 0),
        then=flow.velocity[0] >= 0,
        notes="The text ignores the noise; with it the failure mode of Appendix E.3 begins.",
    )


@paper.statement(
    "claim-4.2.s4.b",
    "When w_ii = lambda it grows at lambda a_i exp(-2 lambda a_k t)",
    label="Remark of the earlier version",
    scope=case("t = 0 in the remark of the earlier version"),
)
def s4_earlier() -> Statement:
    """Without noise; taken at t = 0, where the exponential is 1."""
    W = jacobian(2)
    speed = (growth(W, 1, 1) - suppression(W, 1, 1)).subs(W[0, 0], level)
    return Statement(variables={level: Interval.open(0, 1), a1: POSITIVE}, then=Eq(speed, level * a1))


@paper.statement("claim-4.2.s4.b.corrected", "When w_ii = lambda it grows at 2 a_i lambda (1 - lambda)")
def s4_earlier_corrected() -> Statement:
    W = jacobian(2)
    speed = (growth(W, 1, 1) - suppression(W, 1, 1)).subs(W[0, 0], level)
    return Statement(
        variables={level: Interval.open(0, 1), a1: POSITIVE}, then=equal((speed, 2 * a1 * level * (1 - level)))
    )
