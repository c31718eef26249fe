"""Appendix D.2, last part: Lemma D.7 on suppression and the proof of Assertion D.1 as Lemma D.8.

Symbols as before; i is the stronger direction, w the off-diagonal entry w_ij, w_i and w_j the two diagonal entries.
In the proof of Lemma D.8 everything is said in logarithms: l = log(1 / (P beta omega)), x = log P, b = log beta, and
u = log(P beta omega / w_ii(0)).
"""

from __future__ import annotations

from sympy import And, Interval, Max, Rational, S, Symbol, exp, log, symbols

from theory.displays import equal
from theory.domains import POSITIVE
from theory.scope import case, own, part, whole
from theory.statements import Statement
from theory.swing_by._paper import paper
from theory.swing_by.assumptions import BALANCED, SMALL, SMALL_START, SMALL_STEP, bounded, separated, stated
from theory.swing_by.entries import NOISE, n, on_runs, q, w
from theory.swing_by.every_dimension import assertion, suppressed
from theory.swing_by.model import NONNEGATIVE, eta

section = paper.section(steps=whole())

alpha, beta, gamma, kappa, omega = symbols("alpha beta gamma kappa omega")
C, K, P, d, a_i, a_j, b, l, x, w_i, w_j, z, u, m = symbols("C K P d a_i a_j b l x w_i w_j z u m")
MORE = {w: S.Reals, w_i: S.Reals, w_j: NONNEGATIVE, n: S.Reals, q: S.Reals, z: S.Reals, u: POSITIVE, m: POSITIVE}

pull = w * (a_i + a_j) - w * (w_i * (3 * a_i + a_j) + w_j * (3 * a_j + a_i)) / 2
"""Growth minus suppression of an off-diagonal entry."""


# Lemma D.7 -----------------------------------------------------------------------------------------------------------


@paper.statement(
    "lemma-d.7",
    "Once w_ii > 0.8 the entry w_ij never exceeds the larger of its size then and omega",
    equations=("D.56",),
    scope=whole(),
)
def lemma_d_7() -> Statement:
    return suppressed()


@paper.statement(
    "lemma-d.7.a",
    "The same from a well-conditioned start",
    equations=("D.56",),
    scope=case("the instance 'pair' (d = 2), 80,000 steps of (D.2) in ball arithmetic"),
)
def lemma_d_7_held() -> Statement:
    return on_runs("lemma-d.7", ("pair",))


@paper.statement(
    "lemma-d.7.corrected",
    "For d = 2, with 0.8 < w_ii <= 1 and 0 <= w_jj <= 1, one step shrinks |w_ij|",
    equations=("D.56",),
    scope=own("one step of the nearest true form of lemma-d.7, d = 2 (no noise)"),
)
def lemma_d_7_corrected() -> Statement:
    """For d = 2 there is no noise: w_ij is multiplied by a factor; q and z are eta a_i and eta a_j."""
    factor = 1 + q + z - (w_i * (3 * q + z) + w_j * (3 * z + q)) / 2
    return Statement(
        variables={q: Interval.Lopen(0, Rational(1, 180)), z: Interval.open(0, q / 3),
                   w_i: Interval.Lopen(Rational(4, 5), 1), w_j: Interval(0, 1)},
        then=And(factor < 1, factor > 0),
    )  # fmt: skip


@section.step(
    "lemma-d.7",
    "d.56.a",
    "If the entry is below omega, the next one is at most omega",
    equations=("D.56",),
    scope=part("the next value by the bounds (D.59) and (D.63) alone"),
)
def step_d56_a() -> Statement:
    """The case that the proof calls done: noise below omega alpha / C as (D.63) has it, and the pull of (D.59)."""
    pulled = -q * w / 5
    return stated(
        w + eta * (pulled + n) <= omega,
        w > 0, w < omega, q >= alpha / C, n < omega * alpha / C, 180 * eta * alpha <= 1, more=MORE,
        notes="q stands for a_i - 3 a_j.",
    )  # fmt: skip


@section.step("lemma-d.7", "d.57", "Without the part of w_jj the pull is larger", equations=("D.57",))
def step_d57() -> Statement:
    return stated(pull <= w * (a_i + a_j) - w * w_i * (3 * a_i + a_j) / 2, w > 0, more=MORE)


@section.step("lemma-d.7", "d.58", "By w_ii >= 0.8", equations=("D.58",))
def step_d58() -> Statement:
    left = w * (a_i + a_j) - w * w_i * (3 * a_i + a_j) / 2
    right = w * (a_i + a_j) - w * Rational(2, 5) * (3 * a_i + a_j)
    return stated(left <= right, w > 0, w_i >= Rational(4, 5), more=MORE)


@section.step("lemma-d.7", "d.59", "The pull is -(a_i - 3 a_j) w / 5", equations=("D.59",))
def step_d59() -> Statement:
    left = w * (a_i + a_j) - w * Rational(2, 5) * (3 * a_i + a_j)
    return stated(equal((left, -w * a_i / 5 + 3 * w * a_j / 5)), more=MORE)


@section.step("lemma-d.7", "d.60", "By Assumption D.5 it is at most -omega alpha / C", equations=("D.60",))
def step_d60() -> Statement:
    return stated(
        -w * a_i / 5 + 3 * w * a_j / 5 <= -omega * alpha / C,
        w >= omega,
        separated(a_i, a_j),
        *bounded(a_i, a_j),
        more=MORE,
    )


@section.step(
    "lemma-d.7", "d.60.corrected", "By Assumption D.5 it is at most -omega alpha / (5 C)", equations=("D.60",)
)
def step_d60_corrected() -> Statement:
    return stated(
        -w * a_i / 5 + 3 * w * a_j / 5 <= -omega * alpha / (5 * C), w >= omega, separated(a_i, a_j), more=MORE
    )


@section.step(
    "lemma-d.7",
    "d.62",
    "With the noise it is at most -omega alpha / C plus the bound of Corollary D.1",
    equations=("D.61", "D.62"),
)
def step_d62() -> Statement:
    return stated(q - n <= -omega * alpha / C + NOISE, q <= -omega * alpha / C, n <= NOISE, n >= -NOISE, more=MORE)


@section.step("lemma-d.7", "d.63", "That is negative by Assumptions D.4 and D.5", equations=("D.63",))
def step_d63() -> Statement:
    return stated(-omega * alpha / C + NOISE < 0, *SMALL_START, BALANCED)


@paper.step(
    "lemma-d.7",
    "d.63.a",
    "It stays negative with the factor 1/5 of (D.59)",
    equations=("D.60", "D.63"),
    scope=own("a question of ours: (D.60) lost the factor 1/5"),
)
def step_d63_a() -> Statement:
    return stated(-omega * alpha / (5 * C) + NOISE < 0, *SMALL_START, BALANCED)


@section.step(
    "lemma-d.7",
    "d.63.a.corrected",
    "It stays negative with the factor 1/5 when kappa <= 1 + K / (10 C)",
    equations=("D.63",),
)
def step_d63_a_corrected() -> Statement:
    return stated(-omega * alpha / (5 * C) + NOISE < 0, *SMALL_START, kappa <= 1 + K / (10 * C))


@section.step(
    "lemma-d.7", "d.64", "The three terms are at most 10 gamma alpha |w| and the noise bound", equations=("D.64",)
)
def step_d64() -> Statement:
    suppression = w * (w_i * (3 * a_i + a_j) + w_j * (3 * a_j + a_i)) / 2
    return stated(
        w * (a_i + a_j) + suppression + n <= 10 * gamma * alpha * w + NOISE,
        w >= 0, w_i >= 0, w_i <= 2, w_j <= 2, n <= NOISE, *bounded(a_i, a_j), more=MORE,
    )  # fmt: skip


@section.step("lemma-d.7", "d.65", "By Assumption D.2", equations=("D.65",))
def step_d65() -> Statement:
    """z stands for P d beta^2 omega^2."""
    return stated(
        10 * gamma * alpha * w + 2 * gamma * alpha * z <= (10 * w + 2 * z) / (9 * K * eta),
        SMALL_STEP, w >= 0, z >= 0, more=MORE,
    )  # fmt: skip


@section.step(
    "lemma-d.7",
    "d.66",
    "P d beta^2 omega <= 1",
    equations=("D.66",),
    scope=part("the reason of the line: P d beta^2 omega <= 1"),
)
def step_d66() -> Statement:
    return stated(P * d * beta**2 * omega <= 1, SMALL <= 1)


@section.step("lemma-d.7", "d.67", "By K >= 20", equations=("D.67",))
def step_d67() -> Statement:
    return stated((10 * w + 2 * omega) / (9 * K * eta) <= (w + omega) / (2 * eta), w >= 0, more=MORE)


@section.step(
    "lemma-d.7", "d.70", "The next value is at least minus half of |w| + omega", equations=("D.68", "D.69", "D.70")
)
def step_d70() -> Statement:
    return stated(w - eta * q >= -(w + omega) / 2, w >= 0, 2 * eta * q <= w + omega, more=MORE)


@section.step("lemma-d.7", "d.71", "Half of a sum is at most the larger part", equations=("D.71",))
def step_d71() -> Statement:
    return stated(-(w + omega) / 2 >= -Max(w, omega), w >= 0, more=MORE)


# Lemma D.8 -----------------------------------------------------------------------------------------------------------


@paper.statement(
    "lemma-d.8",
    "Every off-diagonal entry stays in the initial phase for ever",
    label="Lemma D.8 (Assertion D.1)",
    scope=whole(),
)
def lemma_d_8() -> Statement:
    return assertion()


@paper.statement(
    "lemma-d.8.a",
    "The same from a well-conditioned start",
    label="Lemma D.8 (Assertion D.1)",
    scope=case("the instance 'pair' (d = 2), 80,000 steps of (D.2) in ball arithmetic"),
)
def lemma_d_8_held() -> Statement:
    return on_runs("lemma-d.8", ("pair",))


@paper.statement(
    "lemma-d.8.b",
    "The same for gradient descent on U",
    label="Lemma D.8 (Assertion D.1)",
    scope=case("the instances 'pair' and 'pair, rank one' (d = 2), 20,000 steps of gradient descent on U"),
)
def lemma_d_8_descent() -> Statement:
    return on_runs("lemma-d.8", ("pair", "pair, rank one"), "weights", 20_000)


@paper.statement(
    "lemma-d.8.c",
    "The same for d = 3, through the growth of the strongest direction",
    label="Lemma D.8 (Assertion D.1)",
    scope=case("the instance 'triple, mixed signs' (d = 3), 26,000 steps of (D.2) in ball arithmetic"),
)
def lemma_d_8_three() -> Statement:
    return on_runs("lemma-d.8", ("triple, mixed signs",), steps=26_000)


@section.step(
    "lemma-d.8",
    "d.72.a",
    "At t_0 = T_1^(i) Lemma D.3 gives w_ii >= P beta omega",
    scope=part("what the lower bound of Lemma D.3 gives at t_0, in logarithms"),
)
def step_d72_a() -> Statement:
    """In logarithms: the bound of Lemma D.3 at t_0 has lost u and gained u / kappa^2."""
    return stated(-u + u / kappa**2 >= 0, more=MORE, notes="Lemma D.3 itself says w_ii <= P beta omega there.")


@section.step("lemma-d.8", "d.72.a.corrected", "At kappa^2 T_1^(i) the bound of Lemma D.3 would reach P beta omega")
def step_d72_a_corrected() -> Statement:
    time = kappa * u / (2 * eta * a_i)
    return stated(equal((-u + 2 * eta * time * a_i / kappa, S.Zero)), more=MORE)


@section.step(
    "lemma-d.8",
    "d.72",
    "With lambda = 0.85 the rate of Lemma D.4 is 0.3 eta a_i / kappa",
    equations=("D.72",),
    scope=part("the rate; the growth itself is Lemma D.4"),
)
def step_d72() -> Statement:
    return stated(equal((2 * eta * a_i * (1 - Rational(85, 100)) / kappa, Rational(3, 10) * eta * a_i / kappa)))


@section.step("lemma-d.8", "d.73", "By w_ii(t_0) >= P beta omega", equations=("D.73",))
def step_d73() -> Statement:
    return stated(w * q >= m * q, w >= m, q > 0, more=MORE, notes="m stands for P beta omega; (D.72.a) is its premise.")


level = log(Rational(4, 5))
t_0 = u / (2 * eta * a_i * kappa)
t_star = kappa * (level + l) / (Rational(3, 10) * eta * a_i) + t_0
"""The two times of the proof, with log(0.8 / (P beta omega)) = log 0.8 + l."""


@section.step(
    "lemma-d.8",
    "d.74",
    "w_ii(t*) is at least w_ii(0) exp(0.3 eta t* a_i / kappa)",
    equations=("D.74",),
    scope=part("(D.74) against (D.73), in logarithms"),
)
def step_d74() -> Statement:
    """Against (D.73), in logarithms."""
    return stated(
        -l + Rational(3, 10) * eta * (t_star - t_0) * a_i / kappa
        >= -l - u + Rational(3, 10) * eta * t_star * a_i / kappa,
        more=MORE,
    )


@section.step("lemma-d.8", "d.75", "That is at least P beta omega exp(log(0.8 / (P beta omega)))", equations=("D.75",))
def step_d75() -> Statement:
    return stated(-l - u + Rational(3, 10) * eta * t_star * a_i / kappa >= -l + (level + l), more=MORE)


@section.step(
    "lemma-d.8", "d.75.corrected", "(D.73) at t* is P beta omega exp(log(0.8 / (P beta omega)))", equations=("D.75",)
)
def step_d75_corrected() -> Statement:
    return stated(equal((-l + Rational(3, 10) * eta * (t_star - t_0) * a_i / kappa, -l + (level + l))), more=MORE)


@section.step("lemma-d.8", "d.76", "Which is 0.8", equations=("D.76",))
def step_d76() -> Statement:
    return stated(equal((m * exp(log(Rational(4, 5) / m)), Rational(4, 5))), more=MORE)


@section.step("lemma-d.8", "d.78", "The exponent of Lemma D.1 at t*", equations=("D.77", "D.78"))
def step_d78() -> Statement:
    printed = (kappa**2 * (level + l) / Rational(15, 100) + u) * (a_i + a_j) / (2 * a_i)
    return stated(equal((eta * t_star * kappa * (a_i + a_j), printed)), more=MORE)


@section.step("lemma-d.8", "d.79", "By 1/0.15 <= 10 and w_ii(0) >= omega", equations=("D.79",))
def step_d79() -> Statement:
    """u <= log(P beta) = x + b; l > 0; q is log 0.8 < 0."""
    return stated(kappa**2 * (q + l) / Rational(15, 100) + u <= 10 * kappa**2 * l + x + b, u <= x + b, q < 0, more=MORE)


@section.step("lemma-d.8", "d.80", "By (D.10) the exponent is at most log P", equations=("D.80",))
def step_d80() -> Statement:
    whole = 10 * kappa**2 * l + x + b
    return stated(whole * (a_i + a_j) / (2 * a_i) <= x, (a_i + a_j) / (2 * a_i) <= x / whole)


@section.step("lemma-d.8", "d.81", "So the entry is at most P beta omega", equations=("D.81",))
def step_d81() -> Statement:
    return stated(equal((beta * omega * exp(log(P)), P * beta * omega)))


@paper.statement(
    "claim-d.8.room",
    "A growing off-diagonal entry stays in the initial phase while the bound of Lemma D.1 leaves room for a step",
    label="Section D.2",
    scope=own("a step of ours"),
)
def induction_order() -> Statement:
    """The use of Assertion D.1 at time t for time t + 1, d = 2; E is the factor that Lemma D.1 allows in one step."""
    E = Symbol("E")
    return stated(
        w * (1 + eta * (a_i + a_j)) <= m, w * E <= m, 1 + eta * (a_i + a_j) <= E, w >= 0,
        more={**MORE, E: Interval(1, S.Infinity)},
    )  # fmt: skip
