"""Appendix D.2, first part: Corollary D.1 and Lemma D.1, the upper bounds, as printed and step by step."""

from __future__ import annotations

from sympy import Abs, And, Eq, Interval, S, Symbol, exp, log, symbols

from theory.displays import equal
from theory.domains import POSITIVE
from theory.scope import case, own, part, whole
from theory.statements import Statement
from theory.swing_by._paper import paper
from theory.swing_by.assumptions import SMALL_START, SMALL_STEP, bounded, stated
from theory.swing_by.entries import MORE, NOISE, E, in_phase, n, on_runs, q, w, w0, y
from theory.swing_by.every_dimension import BEGUN, W, a, along, every, i, j
from theory.swing_by.every_dimension import n as clock
from theory.swing_by.every_dimension import noise as large_noise
from theory.swing_by.model import jacobian, noise, signals, suppression
from theory.temporal import Always

section = paper.section(steps=whole())

alpha, beta, gamma, kappa, omega, eta, d, P, a_i, a_j = symbols("alpha beta gamma kappa omega eta d P a_i a_j")

# Corollary D.1 ------------------------------------------------------------------------------------------------------


@paper.statement("corollary-d.1", "The noise is at most 2 P gamma alpha d beta^2 omega^2 at all times", scope=whole())
def corollary_d_1() -> Statement:
    """Assertion D.1 is no hypothesis: it is claimed as Lemma D.8."""
    return along(Always(every(Abs(large_noise()) <= NOISE)))


@paper.statement(
    "corollary-d.1.a",
    "Assertion D.1 at one time bounds the noise as printed",
    scope=case("d = 2, a diagonal entry: what Assertion D.1 gives at one time"),
)
def corollary_d_1_inference() -> Statement:
    W, (a1, a2) = jacobian(2), signals(2)
    dimension = {d: 2}
    return stated(
        (noise(W, 1, 1) <= NOISE).subs(dimension),
        *in_phase(W[0, 1]),
        *bounded(a1, a2),
        *(part.subs(dimension) for part in SMALL_START),
        more={W[0, 1]: S.Reals},
        notes="d = 2, without (D.10), which only adds the scale.",
    )


@paper.statement(
    "corollary-d.1.corrected",
    "Assertion D.1 bounds the noise by 2 P^2 gamma alpha d beta^2 omega^2",
    scope=own("the nearest true form of corollary-d.1, d = 3 at one time, given Assertion D.1"),
)
def corollary_d_1_corrected() -> Statement:
    """d = 3: a diagonal and an off-diagonal entry; each term of the sum is bounded alike in every dimension."""
    W, a = jacobian(3), signals(3)
    edge = Symbol("e")
    bound = 6 * gamma * alpha * edge**2
    entries = (W[0, 1], W[0, 2], W[1, 2])
    return stated(
        And(noise(W, 1, 1) <= bound, noise(W, 1, 2) <= bound, noise(W, 1, 2) >= -bound),
        *in_phase(*entries, edge=edge),
        *bounded(*a),
        more={**dict.fromkeys(entries, S.Reals), edge: POSITIVE, a[2]: POSITIVE},
        notes="d = 3; e stands for P beta omega.",
    )


# Lemma D.1 -----------------------------------------------------------------------------------------------------------


@paper.statement(
    "lemma-d.1", "No entry grows faster than exp(kappa eta t (a_i + a_j))", equations=("D.11",), scope=whole()
)
def lemma_d_1() -> Statement:
    bound = Abs(BEGUN) * exp(eta * clock * (a[i] + a[j]) * kappa)
    return along(Always(every(Abs(W[i, j]) <= bound)))


@paper.statement(
    "lemma-d.1.a",
    "The same for the exact update of W by gradient descent on U",
    equations=("D.11",),
    scope=case("the instance 'pair' (d = 2), 20,000 steps of gradient descent on U, of which (D.2) is the first order"),
)
def lemma_d_1_descent() -> Statement:
    return on_runs("lemma-d.1", ("pair",), "weights", 20_000)


@paper.statement(
    "lemma-d.1.b",
    "The same for a well-conditioned start",
    equations=("D.11",),
    scope=case("the instance 'pair' (d = 2), 80,000 steps of (D.2) in ball arithmetic"),
)
def lemma_d_1_held() -> Statement:
    return on_runs("lemma-d.1", ("pair",))


@paper.statement(
    "lemma-d.1.corrected",
    "A positive entry whose noise is small against it grows at most by exp(kappa eta (a_i + a_j)) per step",
    scope=own("one step of the nearest true form of lemma-d.1: that the noise stays small is a hypothesis"),
)
def lemma_d_1_corrected() -> Statement:
    """One step of a positive entry with nonnegative suppression; the noise is compared with the entry itself."""
    step = w + eta * (w * (a_i + a_j) + n)
    return stated(
        step <= w * exp(y),
        n <= (kappa - 1) * (a_i + a_j) * w,
        Eq(y, kappa * eta * (a_i + a_j)),
        more=MORE,
    )


@paper.step(
    "lemma-d.1",
    "d.12",
    "Suppression and noise together are at most the bound of Corollary D.1",
    equations=("D.12",),
    scope=case("d = 2, the entry (1, 1)"),
)
def step_d12() -> Statement:
    """The diagonal entry of a learned direction, d = 2."""
    W, (a1, a2) = jacobian(2), signals(2)
    both = suppression(W, 1, 1) + noise(W, 1, 1)
    dimension = {d: 2}
    return stated(
        (both <= NOISE).subs(dimension),
        *in_phase(W[0, 1]),
        *bounded(a1, a2),
        *(part.subs(dimension) for part in SMALL_START),
        more={W[0, 0]: Interval(0, 1), W[0, 1]: S.Reals},
        notes="The earlier version prints the same without the absolute value.",
    )


@section.step(
    "lemma-d.1",
    "d.12.corrected",
    "For a positive entry minus both is at most the size of the noise",
    equations=("D.12",),
)
def step_d12_corrected() -> Statement:
    W = jacobian(3)
    entries = (W[0, 0], W[0, 1], W[1, 1], W[0, 2], W[1, 2])
    lowest = -suppression(W, 1, 2) - noise(W, 1, 2)
    return stated(
        lowest <= abs(noise(W, 1, 2)),
        W[0, 0] >= 0, W[1, 1] >= 0, W[0, 1] > 0,
        more={**dict.fromkeys(entries, S.Reals), signals(3)[2]: POSITIVE},
    )  # fmt: skip


@section.step(
    "lemma-d.1", "d.13", "The increment, with the noise bound not multiplied by the step", equations=("D.13",)
)
def step_d13() -> Statement:
    return stated(eta * (w * (a_i + a_j) + q) <= eta * w * (a_i + a_j) + NOISE, q <= NOISE, SMALL_STEP, more=MORE)


@paper.step(
    "lemma-d.1",
    "d.13.reading-b",
    "The increment as the earlier version prints it, reading its beta_0 as beta",
    equations=("D.13",),
    scope=part("the line of the earlier version, its beta_0 taken as beta"),
)
def step_d13_earlier() -> Statement:
    printed = eta * w * (a_i + a_j) + 4 * eta * gamma * alpha * d * beta * omega**2
    return stated(eta * (w * (a_i + a_j) + q) <= printed, q <= NOISE, SMALL_STEP, more=MORE)


@section.step(
    "lemma-d.1", "d.13.corrected", "The increment, with the noise bound multiplied by the step", equations=("D.13",)
)
def step_d13_corrected() -> Statement:
    return stated(eta * (w * (a_i + a_j) + q) <= eta * w * (a_i + a_j) + eta * NOISE, q <= NOISE, more=MORE)


@section.step("lemma-d.1", "d.14", "By the induction hypothesis w <= w_0 E", equations=("D.14",))
def step_d14() -> Statement:
    rate = eta * (a_i + a_j)
    return stated(rate * w + n <= rate * w0 * E + n, w <= w0 * E, more=MORE)


@section.step("lemma-d.1", "d.15", "The exponential is taken out", equations=("D.15",))
def step_d15() -> Statement:
    rate = eta * (a_i + a_j)
    return stated(equal((rate * w0 * E + NOISE, w0 * E * (rate + NOISE / (w0 * E)))), more=MORE)


@section.step("lemma-d.1", "d.16", "By |w_ij(0)| >= omega the quotient loses one omega", equations=("D.16",))
def step_d16() -> Statement:
    return stated(NOISE / (w0 * E) <= 2 * P * gamma * alpha * d * beta**2 * omega, w0 >= omega, more=MORE)


@section.step(
    "lemma-d.1", "d.17", "By Assumption D.4 the noise is at most 2 (kappa - 1) eta alpha", equations=("D.17",)
)
def step_d17() -> Statement:
    return stated(
        2 * P * gamma * alpha * d * beta**2 * omega <= 2 * (kappa - 1) * eta * alpha, *SMALL_START, SMALL_STEP
    )


@section.step("lemma-d.1", "d.17.corrected", "With eta on both sides, as in the earlier version", equations=("D.17",))
def step_d17_corrected() -> Statement:
    return stated(2 * P * eta * gamma * alpha * d * beta**2 * omega <= 2 * (kappa - 1) * eta * alpha, SMALL_START[0])


@section.step("lemma-d.1", "d.18", "By a_i + a_j >= 2 alpha", equations=("D.18",))
def step_d18() -> Statement:
    return stated(
        eta * (a_i + a_j) + 2 * (kappa - 1) * eta * alpha <= kappa * eta * (a_i + a_j), alpha <= a_i, alpha <= a_j
    )


@section.step("lemma-d.1", "d.19", "y <= exp(y) - 1", equations=("D.19",))
def step_d19() -> Statement:
    return stated(y <= exp(y) - 1, more=MORE)


@section.step("lemma-d.1", "d.20", "The next value, with w(t) in place of its bound", equations=("D.20",))
def step_d20() -> Statement:
    """q is exp(y) - 1; the increment is bounded by q times w_0 E, and w <= w_0 E."""
    return stated(w + n <= w + q * w, n <= q * w0 * E, w <= w0 * E, q > 0, more=MORE)


@section.step("lemma-d.1", "d.20.corrected", "The next value, with the bound of w(t)", equations=("D.20",))
def step_d20_corrected() -> Statement:
    return stated(w + n <= w + q * w0 * E, n <= q * w0 * E, w <= w0 * E, q > 0, more=MORE)


@section.step("lemma-d.1", "d.21", "The induction step", equations=("D.21",))
def step_d21() -> Statement:
    return stated(w + q * w0 * E <= w0 * E * (1 + q), w <= w0 * E, more=MORE)


@paper.step(
    "lemma-d.1",
    "earlier-d.22",
    "The earlier version's bound of T_1",
    equations=("D.22 of the earlier version",),
    scope=part("the first inequality of (D.22) of the earlier version"),
)
def step_earlier_d22() -> Statement:
    """kappa log P / (2 eta gamma alpha) <= kappa log 2 / (eta (a_i + a_j))."""
    return stated(
        kappa * log(P) / (2 * eta * gamma * alpha) <= kappa * log(2) / (eta * (a_i + a_j)), *bounded(a_i, a_j)
    )


@paper.step(
    "lemma-d.1",
    "earlier-d.22.a",
    "exp(eta T_1 (a_i + a_j) / kappa) <= P, in logarithms",
    equations=("D.22 of the earlier version",),
    scope=part("the second inequality of (D.22) of the earlier version"),
)
def step_earlier_d22_a() -> Statement:
    """x is log P."""
    x = Symbol("x")
    span = kappa * x / (2 * eta * gamma * alpha)
    return stated(eta * span * (a_i + a_j) / kappa <= x, *bounded(a_i, a_j))
