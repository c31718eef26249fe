"""Appendix D.2, second part: Lemmas D.2 and D.3, the lower bounds, and the elementary inequality they rest on."""

from __future__ import annotations

from sympy import Abs, And, Implies, Interval, Rational, S, Symbol, exp, log, oo, sqrt, symbols

from theory.displays import equal
from theory.domains import POSITIVE
from theory.scope import case, own, part, whole
from theory.statements import Constant, Statement
from theory.swing_by._paper import paper
from theory.swing_by.assumptions import EDGE, SMALL, SMALL_START, SMALL_STEP, bounded, stated
from theory.swing_by.entries import MORE, NOISE, E, T, in_phase, n, on_runs, q, w, w0, y
from theory.swing_by.every_dimension import BEGUN, OWN, W, a, along, every, i, j
from theory.swing_by.every_dimension import n as clock
from theory.swing_by.model import NONNEGATIVE, jacobian, noise, signals, suppression, upper
from theory.temporal import Always, ForEach

section = paper.section(steps=whole())

alpha, beta, gamma, kappa, omega = symbols("alpha beta gamma kappa omega")
eta, d, K, P, a_i, a_j = symbols("eta d K P a_i a_j")

# Lemma D.2 -----------------------------------------------------------------------------------------------------------


@paper.statement(
    "lemma-d.2",
    "Up to T_1 every entry is in the initial phase, grows at least like exp(eta t (a_i + a_j) / kappa) and keeps its"
    " sign",
    equations=("D.22",),
    scope=whole(),
)
def lemma_d_2() -> Statement:
    last = log(P) / (2 * eta * gamma * alpha * kappa)
    bound = Abs(BEGUN) * exp(eta * clock * (a[i] + a[j]) / kappa)
    small = And(Abs(W[i, j]) <= EDGE, Abs(W[i, j]) >= bound, W[i, j] * BEGUN > 0)
    return along(Always(Implies(clock <= last, every(small))))


@paper.statement(
    "lemma-d.2.pair",
    "Up to T_1 every entry grows at least like exp(eta t (a_i + a_j) / kappa) and keeps its sign",
    equations=("D.22",),
    label="Lemma D.2",
    scope=case("the instance 'pair' (d = 2), 15,000 steps of (D.2) in ball arithmetic"),
)
def lemma_d_2_pair() -> Statement:
    return on_runs("lemma-d.2", ("pair",), steps=15_000)


@paper.statement(
    "lemma-d.2.a",
    "The same for the exact update of W by gradient descent on U",
    equations=("D.22",),
    scope=case("the instance 'pair' (d = 2), 15,000 steps of gradient descent on U, of which (D.2) is the first order"),
)
def lemma_d_2_descent() -> Statement:
    return on_runs("lemma-d.2", ("pair",), "weights", 15_000)


@paper.statement(
    "lemma-d.2.b",
    "The same for d = 3",
    equations=("D.22",),
    scope=case("the instance 'triple, mixed signs' (d = 3), 21,000 steps of (D.2) in ball arithmetic"),
)
def lemma_d_2_three() -> Statement:
    return on_runs("lemma-d.2", ("triple, mixed signs",), steps=21_000)


@paper.step(
    "lemma-d.2",
    "d.23",
    "In the initial phase suppression and noise are at most 4 gamma alpha d beta^2 omega^2",
    equations=("D.23",),
    scope=case("d = 2, the entry (1, 2)"),
)
def step_d23() -> Statement:
    W, (a1, a2) = jacobian(2), signals(2)
    entries = upper(jacobian(2))
    dimension = {d: 2}
    return stated(
        suppression(W, 1, 2) + noise(W, 1, 2) <= 8 * gamma * alpha * beta**2 * omega**2,
        *in_phase(*entries),
        *bounded(a1, a2),
        *(part.subs(dimension) for part in SMALL_START),
        more=dict.fromkeys(entries, S.Reals),
    )


@section.step(
    "lemma-d.2",
    "d.23.corrected",
    "They are at most 2 d gamma alpha times the square of P beta omega",
    equations=("D.23",),
)
def step_d23_corrected() -> Statement:
    W, (a1, a2) = jacobian(2), signals(2)
    edge = Symbol("e")
    entries = upper(jacobian(2))
    return stated(
        suppression(W, 1, 2) + noise(W, 1, 2) <= 4 * gamma * alpha * edge**2,
        *in_phase(*entries, edge=edge), *bounded(a1, a2),
        more={**dict.fromkeys(entries, S.Reals), edge: POSITIVE},
    )  # fmt: skip


@section.step("lemma-d.2", "d.24", "The increment is at least growth minus noise", equations=("D.24",))
def step_d24() -> Statement:
    """From (D.23), with 4 <= 2 P."""
    rate = a_i + a_j
    return stated(
        eta * (w * rate - n) >= eta * rate * w0 * E - eta * NOISE,
        w >= w0 * E,
        n <= 4 * gamma * alpha * d * beta**2 * omega**2,
        more=MORE,
    )


@section.step("lemma-d.2", "d.25", "The exponential is taken out", equations=("D.25",))
def step_d25() -> Statement:
    rate = eta * (a_i + a_j)
    return stated(equal((rate * w0 * E - eta * NOISE, w0 * E * (rate - eta * NOISE / (w0 * E)))), more=MORE)


@section.step("lemma-d.2", "d.26", "By |w_ij(0)| >= omega the quotient loses one omega", equations=("D.26",))
def step_d26() -> Statement:
    return stated(eta * NOISE / (w0 * E) <= 2 * P * eta * gamma * alpha * d * beta**2 * omega, w0 >= omega, more=MORE)


@section.step(
    "lemma-d.2", "d.27", "By Assumption D.4 it is at most (1 - kappa^(-1/2)) eta (a_i + a_j)", equations=("D.27",)
)
def step_d27() -> Statement:
    return stated(
        2 * P * eta * gamma * alpha * d * beta**2 * omega <= (1 - 1 / sqrt(kappa)) * eta * (a_i + a_j),
        SMALL_START[1], alpha <= a_i, alpha <= a_j,
    )  # fmt: skip


@section.step("lemma-d.2", "d.27.a", "The step is at most 1 / (10 (a_i + a_j))", equations=("D.27",))
def step_d27_a() -> Statement:
    return stated(10 * eta * (a_i + a_j) <= 1, *bounded(a_i, a_j), SMALL_STEP)


top = Symbol("c")


@paper.statement(
    "claim-d.2.exponential",
    "For kappa > 1.1 and any z < 0.1: 1 + z / sqrt(kappa) >= exp(z / kappa)",
    label="Proof of Lemma D.2",
    scope=whole(),
)
def exponential_inequality() -> Statement:
    z = Symbol("z")
    return stated(1 + z / sqrt(kappa) >= exp(z / kappa), more={z: Interval.open(-oo, Rational(1, 10))})


@paper.statement(
    "claim-d.2.exponential.corrected", "For kappa >= 1.1 and 0 <= z <= 0.1: 1 + z / sqrt(kappa) >= exp(z / kappa)"
)
def exponential_inequality_corrected() -> Statement:
    """With s = 1 / sqrt(kappa), 0 < s < 1 / sqrt(1.1): 1 + s z >= exp(s^2 z)."""
    z, s = Symbol("z"), Symbol("s")
    return Statement(
        variables={z: Interval(0, top), s: Interval(0, sqrt(Rational(10, 11)))},
        then=1 + s * z >= exp(s**2 * z),
        constants=(Constant(top, Rational(1, 10), best="largest"),),
        notes="s stands for kappa^(-1/2); the range that the proofs use is z <= 1/90.",
    )


@paper.statement(
    "claim-d.2.exponential.a",
    "For every negative z the inequality fails",
    label="Proof of Lemma D.2",
    scope=own("the range where claim-d.2.exponential fails"),
)
def exponential_inequality_negative() -> Statement:
    z, s = Symbol("z"), Symbol("s")
    return Statement(variables={z: Interval.open(-oo, 0), s: Interval.open(0, 1)}, then=1 + s * z < exp(s**2 * z))


@section.step(
    "lemma-d.2", "d.28", "The next value gains the factor 1 + kappa^(-1/2) eta (a_i + a_j)", equations=("D.28",)
)
def step_d28() -> Statement:
    """s is kappa^(-1/2) and y is eta (a_i + a_j)."""
    s = Symbol("s")
    return stated(
        w + y * w - n >= w + w * s * y,
        n <= (1 - s) * y * w0 * E, w >= w0 * E, more={**MORE, s: Interval.open(0, 1)},
    )  # fmt: skip


@section.step("lemma-d.2", "d.29", "It is at least exp(eta (a_i + a_j) / kappa)", equations=("D.29",))
def step_d29() -> Statement:
    s = Symbol("s")
    return stated(
        1 + s * y >= exp(s**2 * y),
        y <= Rational(1, 90), s**2 <= Rational(10, 11), more={**MORE, s: Interval.open(0, 1)},
    )  # fmt: skip


@section.step("lemma-d.2", "d.30", "The induction step", equations=("D.30",))
def step_d30() -> Statement:
    """q is exp(y / kappa)."""
    return stated(w * q >= w0 * E * q, w >= w0 * E, q > 0, more=MORE)


@section.step(
    "lemma-d.2",
    "d.32",
    "Up to T_1 the bound of Lemma D.1 is at most its value for the fastest entry at T_1",
    equations=("D.31", "D.32"),
)
def step_d32() -> Statement:
    """The exponents; |w_ij(0)| <= beta omega is (D.8)."""
    t = Symbol("t")
    return stated(
        eta * t * (a_i + a_j) * kappa <= 2 * eta * T * gamma * alpha * kappa,
        t <= T,
        *bounded(a_i, a_j),
        more={**MORE, t: NONNEGATIVE},
    )


@section.step("lemma-d.2", "d.33", "At T_1 it is P beta omega", equations=("D.33",))
def step_d33() -> Statement:
    span = log(P) / (2 * eta * gamma * alpha * kappa)
    return stated(equal((beta * omega * exp(2 * eta * span * gamma * alpha * kappa), P * beta * omega)))


# Lemma D.3 -----------------------------------------------------------------------------------------------------------


@paper.statement(
    "lemma-d.3",
    "Up to T_1^(i) a diagonal entry is in the initial phase and grows at least like exp(2 eta t a_i / kappa)",
    equations=("D.34",),
    scope=whole(),
)
def lemma_d_3() -> Statement:
    last = log(EDGE / OWN) / (2 * eta * a[i] * kappa)
    grown = (Abs(W[i, i]) <= EDGE) & (W[i, i] >= OWN * exp(2 * eta * clock * a[i] / kappa))
    return along(Always(ForEach(i, d, Implies(clock <= last, grown))))


@paper.statement(
    "lemma-d.3.a",
    "The same for the exact update of W by gradient descent on U, from a start of rank one",
    equations=("D.34",),
    scope=case(
        "the instance 'pair, rank one' (d = 2), 20,000 steps of gradient descent on U, of which (D.2) is "
        "the first order"
    ),
)
def lemma_d_3_descent() -> Statement:
    return on_runs("lemma-d.3", ("pair, rank one",), "weights", 20_000)


@paper.statement(
    "lemma-d.3.b",
    "The same for d = 3 from a start of rank one",
    equations=("D.34",),
    scope=case("the instance 'triple, rank one' (d = 3), 26,000 steps of (D.2) in ball arithmetic"),
)
def lemma_d_3_three() -> Statement:
    return on_runs("lemma-d.3", ("triple, rank one",), steps=26_000)


@paper.statement(
    "lemma-d.3.corrected",
    "A diagonal entry whose noise is small against it gains exp(2 eta a_i / kappa) per step",
    scope=own("one step of the nearest true form of lemma-d.3: that the noise stays small is a hypothesis"),
)
def lemma_d_3_corrected() -> Statement:
    """s is kappa^(-1/2); the noise and the entry itself take at most the share 1 - s of the growth."""
    s = Symbol("s")
    step = w + eta * (2 * a_i * w * (1 - w) - n)
    return stated(
        step >= w * (1 + s * 2 * eta * a_i),
        n + 2 * a_i * w**2 <= 2 * a_i * (1 - s) * w,
        more={**MORE, s: Interval.open(0, 1)},
        notes="With claim-d.2.exponential.corrected the factor is at least exp(2 eta a_i / kappa).",
    )


@paper.statement(
    "lemma-d.3.c",
    "The replacements that the text names turn the proof of Lemma D.2 into one of Lemma D.3",
    label="Lemma D.3",
    scope=case("d = 2: the noise estimate of Lemma D.2 after the replacements that the text names"),
)
def lemma_d_3_replacement() -> Statement:
    """They need (P beta omega)^2 (a_i + a_k) <= 2 (1 - kappa^(-1/2)) a_i w_ii, from w_ii >= omega alone; d = 2."""
    two = {d: 2}
    return stated(
        EDGE**2 * (a_i + a_j) <= 2 * (1 - 1 / sqrt(kappa)) * a_i * w,
        w >= omega, w <= EDGE, *bounded(a_i, a_j), SMALL_START[1].subs(two), more=MORE,
    )  # fmt: skip


paper.unstated(
    "definition-d.1",
    "An entry (i, j) is in the initial phase at t when |w_ij(t)| <= P beta omega",
    missing="a word for definitions: the steps have it as a hypothesis",
)


@paper.statement(
    "definition-d.1.start",
    "An entry of Assumption D.1 starts in the initial phase",
    label="Definition D.1",
    scope=part("Assertion D.1 at t = 0"),
)
def definition_d_1() -> Statement:
    return stated(w0 <= EDGE, w0 <= beta * omega, more=MORE, notes="Used as the start of every induction.")


@paper.statement(
    "definition-d.1.a",
    "In the initial phase an entry is below 1/K",
    label="Proof of Lemma D.7",
    scope=own("a consequence of ours, used in the proof of Lemma D.7"),
)
def definition_d_1_a() -> Statement:
    return stated(w <= 1 / K, w <= EDGE, 1 - 1 / sqrt(kappa) >= SMALL, more=MORE)
