"""Appendix D.2, first part: Corollary D.1 and Lemmas D.1 to D.3, as printed and step by step.

A lemma as printed is about whole trajectories at scales near 10^-80: it is checked on admissible instances in ball
arithmetic, where one certain violation refutes it. The displayed steps are inequalities between numbers: E stands for
the exponential exp(eta t (a_i + a_j) kappa) or its counterpart, w_0 and w for |w_ij(0)| and w_ij(t), n for the noise.
"""

from __future__ import annotations

from sympy import And, Eq, Interval, Rational, S, Symbol, exp, log, oo, sqrt
from sympy.logic.boolalg import Boolean

from theory.displays import equal
from theory.statements import Computation, Constant, Statement
from theory.swing_by._paper import paper
from theory.swing_by.assumptions import (
    EDGE,
    SMALL,
    SMALL_START,
    SMALL_STEP,
    K,
    P,
    a_i,
    a_j,
    alpha,
    beta,
    bounded,
    d,
    gamma,
    kappa,
    omega,
    stated,
)
from theory.swing_by.model import NONNEGATIVE, POSITIVE, eta, jacobian, noise, signals, suppression

w, w0, E, n, y, q, T = (Symbol(name) for name in ("w", "w_0", "E", "n", "y", "q", "T"))
MORE = {w: POSITIVE, w0: POSITIVE, E: Interval(1, oo), n: S.Reals, y: POSITIVE, q: S.Reals, T: POSITIVE}

NOISE = 2 * P * gamma * alpha * d * beta**2 * omega**2
"""The printed bound of Corollary D.1."""

TRUE_NOISE = 2 * gamma * alpha * d * EDGE**2
"""What the initial phase of the off-diagonal entries does give: P^2 in place of P."""

HELD = ("pair", "pair, opposite signs")
PAIRS = ("pair", "pair, nearly singular")


def on_runs(claim: str, instances: tuple[str, ...], dynamics: str = "printed", steps: int = 80_000) -> Statement:
    """The claim of Appendix D on admissible instances: none of them violates it."""
    return Statement(
        then=equal((Symbol("violations"), S.Zero)),
        computed=Computation(
            "swing_by.run",
            {"claim": claim, "instances": list(instances), "dynamics": dynamics, "steps": steps},
            yields=("violations",),
        ),
        notes="A proof for all instances needs the induction over time with the right power of P in the noise bound.",
    )


def in_phase(*entries: Symbol) -> tuple[Boolean, ...]:
    """The entries are in the initial phase."""
    return tuple(part for entry in entries for part in (entry <= EDGE, entry >= -EDGE))


# Corollary D.1 ------------------------------------------------------------------------------------------------------


@paper.statement("corollary-d.1", "The noise is at most 2 P gamma alpha d beta^2 omega^2 at all times")
def corollary_d_1() -> Statement:
    return on_runs("corollary-d.1", ("pair",), steps=20_000)


@paper.statement("corollary-d.1.a", "Assertion D.1 at one time bounds the noise as printed")
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


@paper.statement("corollary-d.1.corrected", "Assertion D.1 bounds the noise by 2 P^2 gamma alpha d beta^2 omega^2")
def corollary_d_1_corrected() -> Statement:
    """d = 3: a diagonal and an off-diagonal entry; each term of the sum is bounded alike in every dimension."""
    W, a = jacobian(3), signals(3)
    edge = Symbol("e")
    bound = 6 * gamma * alpha * edge**2
    entries = (W[0, 1], W[0, 2], W[1, 2])
    phase = tuple(part for entry in entries for part in (entry <= edge, entry >= -edge))
    return stated(
        And(noise(W, 1, 1) <= bound, noise(W, 1, 2) <= bound, noise(W, 1, 2) >= -bound),
        *phase,
        *bounded(*a),
        more={**dict.fromkeys(entries, S.Reals), edge: POSITIVE, a[2]: POSITIVE},
        notes="d = 3; e stands for P beta omega.",
    )


# Lemma D.1 -----------------------------------------------------------------------------------------------------------


@paper.statement("lemma-d.1", "No entry grows faster than exp(kappa eta t (a_i + a_j))", equations=("D.11",))
def lemma_d_1() -> Statement:
    return on_runs("lemma-d.1", ("pair, nearly singular",))


@paper.statement("lemma-d.1.a", "The same for the exact update of W by gradient descent on U", equations=("D.11",))
def lemma_d_1_descent() -> Statement:
    return on_runs("lemma-d.1", ("pair",), "weights", 20_000)


@paper.statement("lemma-d.1.b", "The same for a well-conditioned start", equations=("D.11",))
def lemma_d_1_held() -> Statement:
    return on_runs("lemma-d.1", ("pair",))


@paper.statement(
    "lemma-d.1.corrected",
    "A positive entry whose noise is small against it grows at most by exp(kappa eta (a_i + a_j)) per step",
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


def _off_diagonal() -> tuple[Symbol, ...]:
    W = jacobian(2)
    return W[0, 0], W[0, 1], W[1, 1]


@paper.step(
    "lemma-d.1", "d.12", "Suppression and noise together are at most the bound of Corollary D.1", equations=("D.12",)
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


@paper.step(
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


@paper.step("lemma-d.1", "d.13", "The increment, with the noise bound not multiplied by the step", equations=("D.13",))
def step_d13() -> Statement:
    return stated(eta * (w * (a_i + a_j) + q) <= eta * w * (a_i + a_j) + NOISE, q <= NOISE, SMALL_STEP, more=MORE)


@paper.step(
    "lemma-d.1",
    "d.13.reading-b",
    "The increment as the earlier version prints it, reading its beta_0 as beta",
    equations=("D.13",),
)
def step_d13_earlier() -> Statement:
    printed = eta * w * (a_i + a_j) + 4 * eta * gamma * alpha * d * beta * omega**2
    return stated(eta * (w * (a_i + a_j) + q) <= printed, q <= NOISE, SMALL_STEP, more=MORE)


@paper.step(
    "lemma-d.1", "d.13.corrected", "The increment, with the noise bound multiplied by the step", equations=("D.13",)
)
def step_d13_corrected() -> Statement:
    return stated(eta * (w * (a_i + a_j) + q) <= eta * w * (a_i + a_j) + eta * NOISE, q <= NOISE, more=MORE)


@paper.step("lemma-d.1", "d.14", "By the induction hypothesis w <= w_0 E", equations=("D.14",))
def step_d14() -> Statement:
    rate = eta * (a_i + a_j)
    return stated(rate * w + n <= rate * w0 * E + n, w <= w0 * E, more=MORE)


@paper.step("lemma-d.1", "d.15", "The exponential is taken out", equations=("D.15",))
def step_d15() -> Statement:
    rate = eta * (a_i + a_j)
    return stated(equal((rate * w0 * E + NOISE, w0 * E * (rate + NOISE / (w0 * E)))), more=MORE)


@paper.step("lemma-d.1", "d.16", "By |w_ij(0)| >= omega the quotient loses one omega", equations=("D.16",))
def step_d16() -> Statement:
    return stated(NOISE / (w0 * E) <= 2 * P * gamma * alpha * d * beta**2 * omega, w0 >= omega, more=MORE)


@paper.step("lemma-d.1", "d.17", "By Assumption D.4 the noise is at most 2 (kappa - 1) eta alpha", equations=("D.17",))
def step_d17() -> Statement:
    return stated(
        2 * P * gamma * alpha * d * beta**2 * omega <= 2 * (kappa - 1) * eta * alpha, *SMALL_START, SMALL_STEP
    )


@paper.step("lemma-d.1", "d.17.corrected", "With eta on both sides, as in the earlier version", equations=("D.17",))
def step_d17_corrected() -> Statement:
    return stated(2 * P * eta * gamma * alpha * d * beta**2 * omega <= 2 * (kappa - 1) * eta * alpha, SMALL_START[0])


@paper.step("lemma-d.1", "d.18", "By a_i + a_j >= 2 alpha", equations=("D.18",))
def step_d18() -> Statement:
    return stated(
        eta * (a_i + a_j) + 2 * (kappa - 1) * eta * alpha <= kappa * eta * (a_i + a_j), alpha <= a_i, alpha <= a_j
    )


@paper.step("lemma-d.1", "d.19", "y <= exp(y) - 1", equations=("D.19",))
def step_d19() -> Statement:
    return stated(y <= exp(y) - 1, more=MORE)


@paper.step("lemma-d.1", "d.20", "The next value, with w(t) in place of its bound", equations=("D.20",))
def step_d20() -> Statement:
    """q is exp(y) - 1; the increment is bounded by q times w_0 E, and w <= w_0 E."""
    return stated(w + n <= w + q * w, n <= q * w0 * E, w <= w0 * E, q > 0, more=MORE)


@paper.step("lemma-d.1", "d.20.corrected", "The next value, with the bound of w(t)", equations=("D.20",))
def step_d20_corrected() -> Statement:
    return stated(w + n <= w + q * w0 * E, n <= q * w0 * E, w <= w0 * E, q > 0, more=MORE)


@paper.step("lemma-d.1", "d.21", "The induction step", equations=("D.21",))
def step_d21() -> Statement:
    return stated(w + q * w0 * E <= w0 * E * (1 + q), w <= w0 * E, more=MORE)


@paper.step(
    "lemma-d.1", "earlier-d.22", "The earlier version's bound of T_1", equations=("D.22 of the earlier version",)
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
)
def step_earlier_d22_a() -> Statement:
    """x is log P."""
    x = Symbol("x")
    span = kappa * x / (2 * eta * gamma * alpha)
    return stated(eta * span * (a_i + a_j) / kappa <= x, *bounded(a_i, a_j))


# Lemma D.2 -----------------------------------------------------------------------------------------------------------


@paper.statement(
    "lemma-d.2",
    "Up to T_1 every entry grows at least like exp(eta t (a_i + a_j) / kappa) and keeps its sign",
    equations=("D.22",),
)
def lemma_d_2() -> Statement:
    return on_runs("lemma-d.2", HELD, steps=15_000)


@paper.statement("lemma-d.2.a", "The same for the exact update of W by gradient descent on U", equations=("D.22",))
def lemma_d_2_descent() -> Statement:
    return on_runs("lemma-d.2", ("pair",), "weights", 15_000)


@paper.statement("lemma-d.2.b", "The same for d = 3", equations=("D.22",))
def lemma_d_2_three() -> Statement:
    return on_runs("lemma-d.2", ("triple, mixed signs",), steps=21_000)


@paper.step(
    "lemma-d.2",
    "d.23",
    "In the initial phase suppression and noise are at most 4 gamma alpha d beta^2 omega^2",
    equations=("D.23",),
)
def step_d23() -> Statement:
    W, (a1, a2) = jacobian(2), signals(2)
    entries = _off_diagonal()
    dimension = {d: 2}
    return stated(
        suppression(W, 1, 2) + noise(W, 1, 2) <= 8 * gamma * alpha * beta**2 * omega**2,
        *in_phase(*entries),
        *bounded(a1, a2),
        *(part.subs(dimension) for part in SMALL_START),
        more=dict.fromkeys(entries, S.Reals),
    )


@paper.step(
    "lemma-d.2",
    "d.23.corrected",
    "They are at most 2 d gamma alpha times the square of P beta omega",
    equations=("D.23",),
)
def step_d23_corrected() -> Statement:
    W, (a1, a2) = jacobian(2), signals(2)
    edge = Symbol("e")
    entries = _off_diagonal()
    phase = tuple(part for entry in entries for part in (entry <= edge, entry >= -edge))
    return stated(
        suppression(W, 1, 2) + noise(W, 1, 2) <= 4 * gamma * alpha * edge**2,
        *phase, *bounded(a1, a2),
        more={**dict.fromkeys(entries, S.Reals), edge: POSITIVE},
    )  # fmt: skip


@paper.step("lemma-d.2", "d.24", "The increment is at least growth minus noise", equations=("D.24",))
def step_d24() -> Statement:
    """From (D.23), with 4 <= 2 P."""
    rate = a_i + a_j
    return stated(
        eta * (w * rate - n) >= eta * rate * w0 * E - eta * NOISE,
        w >= w0 * E,
        n <= 4 * gamma * alpha * d * beta**2 * omega**2,
        more=MORE,
    )


@paper.step("lemma-d.2", "d.25", "The exponential is taken out", equations=("D.25",))
def step_d25() -> Statement:
    rate = eta * (a_i + a_j)
    return stated(equal((rate * w0 * E - eta * NOISE, w0 * E * (rate - eta * NOISE / (w0 * E)))), more=MORE)


@paper.step("lemma-d.2", "d.26", "By |w_ij(0)| >= omega the quotient loses one omega", equations=("D.26",))
def step_d26() -> Statement:
    return stated(eta * NOISE / (w0 * E) <= 2 * P * eta * gamma * alpha * d * beta**2 * omega, w0 >= omega, more=MORE)


@paper.step(
    "lemma-d.2", "d.27", "By Assumption D.4 it is at most (1 - kappa^(-1/2)) eta (a_i + a_j)", equations=("D.27",)
)
def step_d27() -> Statement:
    return stated(
        2 * P * eta * gamma * alpha * d * beta**2 * omega <= (1 - 1 / sqrt(kappa)) * eta * (a_i + a_j),
        SMALL_START[1], alpha <= a_i, alpha <= a_j,
    )  # fmt: skip


@paper.step("lemma-d.2", "d.27.a", "The step is at most 1 / (10 (a_i + a_j))", equations=("D.27",))
def step_d27_a() -> Statement:
    return stated(10 * eta * (a_i + a_j) <= 1, *bounded(a_i, a_j), SMALL_STEP)


top = Symbol("c")


@paper.statement(
    "claim-d.2.exponential",
    "For kappa > 1.1 and any z < 0.1: 1 + z / sqrt(kappa) >= exp(z / kappa)",
    label="Proof of Lemma D.2",
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


@paper.statement("claim-d.2.exponential.a", "For every negative z the inequality fails", label="Proof of Lemma D.2")
def exponential_inequality_negative() -> Statement:
    z, s = Symbol("z"), Symbol("s")
    return Statement(variables={z: Interval.open(-oo, 0), s: Interval.open(0, 1)}, then=1 + s * z < exp(s**2 * z))


@paper.step(
    "lemma-d.2", "d.28", "The next value gains the factor 1 + kappa^(-1/2) eta (a_i + a_j)", equations=("D.28",)
)
def step_d28() -> Statement:
    """s is kappa^(-1/2) and y is eta (a_i + a_j)."""
    s = Symbol("s")
    return stated(
        w + y * w - n >= w + w * s * y,
        n <= (1 - s) * y * w0 * E, w >= w0 * E, more={**MORE, s: Interval.open(0, 1)},
    )  # fmt: skip


@paper.step("lemma-d.2", "d.29", "It is at least exp(eta (a_i + a_j) / kappa)", equations=("D.29",))
def step_d29() -> Statement:
    s = Symbol("s")
    return stated(
        1 + s * y >= exp(s**2 * y),
        y <= Rational(1, 90), s**2 <= Rational(10, 11), more={**MORE, s: Interval.open(0, 1)},
    )  # fmt: skip


@paper.step("lemma-d.2", "d.30", "The induction step", equations=("D.30",))
def step_d30() -> Statement:
    """q is exp(y / kappa)."""
    return stated(w * q >= w0 * E * q, w >= w0 * E, q > 0, more=MORE)


@paper.step(
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


@paper.step("lemma-d.2", "d.33", "At T_1 it is P beta omega", equations=("D.33",))
def step_d33() -> Statement:
    span = log(P) / (2 * eta * gamma * alpha * kappa)
    return stated(equal((beta * omega * exp(2 * eta * span * gamma * alpha * kappa), P * beta * omega)))


# Lemma D.3 -----------------------------------------------------------------------------------------------------------


@paper.statement(
    "lemma-d.3", "Up to T_1^(i) a diagonal entry grows at least like exp(2 eta t a_i / kappa)", equations=("D.34",)
)
def lemma_d_3() -> Statement:
    return on_runs("lemma-d.3", PAIRS, steps=20_000)


@paper.statement(
    "lemma-d.3.a",
    "The same for the exact update of W by gradient descent on U, from a start of rank one",
    equations=("D.34",),
)
def lemma_d_3_descent() -> Statement:
    return on_runs("lemma-d.3", ("pair, rank one",), "weights", 20_000)


@paper.statement("lemma-d.3.b", "The same for d = 3 from a start of rank one", equations=("D.34",))
def lemma_d_3_three() -> Statement:
    return on_runs("lemma-d.3", ("triple, rank one",), steps=26_000)


@paper.statement(
    "lemma-d.3.corrected", "A diagonal entry whose noise is small against it gains exp(2 eta a_i / kappa) per step"
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
)
def lemma_d_3_replacement() -> Statement:
    """They need (P beta omega)^2 (a_i + a_k) <= 2 (1 - kappa^(-1/2)) a_i w_ii, from w_ii >= omega alone; d = 2."""
    two = {d: 2}
    return stated(
        EDGE**2 * (a_i + a_j) <= 2 * (1 - 1 / sqrt(kappa)) * a_i * w,
        w >= omega, w <= EDGE, *bounded(a_i, a_j), SMALL_START[1].subs(two), more=MORE,
    )  # fmt: skip


@paper.statement("definition-d.1", "An entry of Assumption D.1 starts in the initial phase", label="Definition D.1")
def definition_d_1() -> Statement:
    return stated(w0 <= EDGE, w0 <= beta * omega, more=MORE, notes="Used as the start of every induction.")


@paper.statement("definition-d.1.a", "In the initial phase an entry is below 1/K", label="Proof of Lemma D.7")
def definition_d_1_a() -> Statement:
    return stated(w <= 1 / K, w <= EDGE, 1 - 1 / sqrt(kappa) >= SMALL, more=MORE)
