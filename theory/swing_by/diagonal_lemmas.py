"""Appendix D.2, second part: Lemmas D.4 to D.6 and Corollary D.2, about the diagonal entries.

Symbols as in the first part; v stands for lambda, the level below which Lemma D.4 looks, and g for w_ii(t_0).
"""

from __future__ import annotations

from sympy import Abs, And, Eq, Implies, Interval, Not, Rational, S, Symbol, exp, oo, sqrt, symbols

from theory.displays import equal
from theory.domains import POSITIVE
from theory.scope import case, own, part, whole
from theory.statements import Constant, Statement
from theory.swing_by._paper import paper
from theory.swing_by.assumptions import BALANCED, EDGE, SMALL, SMALL_START, SMALL_STEP, bounded, stated
from theory.swing_by.entries import NOISE, TRUE_NOISE, E, n, on_runs, q, w
from theory.swing_by.every_dimension import W, along, c, i, lam, t0, velocity
from theory.swing_by.every_dimension import a as rates
from theory.swing_by.every_dimension import n as clock
from theory.swing_by.model import NONNEGATIVE, eta, growth, jacobian, signals, suppression
from theory.temporal import After, Always, Exists, ForEach, Until

section = paper.section(steps=whole())

alpha, beta, gamma, kappa, omega = symbols("alpha beta gamma kappa omega")
d, K, P, a_i, a_j, v, g, s, y, t = symbols("d K P a_i a_j v g s y t")
MORE = {
    w: POSITIVE, g: POSITIVE, v: Interval.open(0, 1), s: Interval.open(0, 1), y: POSITIVE, n: S.Reals, q: S.Reals,
    E: Interval(1, oo), t: NONNEGATIVE,
}  # fmt: skip

BELOW = v < 1 - 1 / K
step = w + eta * (2 * a_i * w * (1 - w) - n)
"""One step of (D.2) for a diagonal entry with noise n."""


# Lemma D.4 -----------------------------------------------------------------------------------------------------------


@paper.statement(
    "lemma-d.4",
    "After the initial phase and below lambda a diagonal entry grows like exp(2 eta t a_i (1 - lambda) / kappa), and is"
    " not negative",
    equations=("D.35",),
    scope=whole(),
)
def lemma_d_4() -> Statement:
    """t_0 is the time from which on, and c a lower bound of w_ii(t_0), whichever."""
    entry = W[i, i]
    grown = entry >= c * exp(2 * eta * (clock - t0) * rates[i] * (1 - lam) / kappa)
    lasting = After(1, Not(Until(entry < lam, And(entry < lam, Not(grown)))))
    begun = And(Eq(clock, t0), Abs(entry) >= EDGE, entry >= c)
    claim = And(Implies(begun, lasting), Implies(Abs(entry) >= EDGE, entry >= 0))
    more = {lam: Interval.open(0, 1), c: S.Reals, t0: S.Naturals0}
    stated_at = along(Always(ForEach(i, d, claim)), more, {lam: Rational(1, 2), c: S.Zero, t0: S.Zero})
    return stated_at.but(given=(*stated_at.given, lam > EDGE, lam < 1 - 1 / K))


@paper.statement(
    "lemma-d.4.pair",
    "After the initial phase and below lambda a diagonal entry grows like exp(2 eta t a_i (1 - lambda) / kappa)",
    equations=("D.35",),
    label="Lemma D.4",
    scope=case(
        "the instance 'pair' (d = 2), 80,000 steps of (D.2) in ball arithmetic, one step at a time with "
        "lambda = w_ii(t + 1)"
    ),
)
def lemma_d_4_pair() -> Statement:
    return on_runs("lemma-d.4", ("pair",))


@paper.statement(
    "lemma-d.4.a",
    "The same for the exact update of W by gradient descent on U",
    equations=("D.35",),
    scope=case(
        "the instance 'pair' (d = 2), 20,000 steps of gradient descent on U, one step at a time with "
        "lambda = w_ii(t + 1)"
    ),
)
def lemma_d_4_descent() -> Statement:
    return on_runs("lemma-d.4", ("pair",), "weights", 20_000)


@paper.statement(
    "lemma-d.4.corrected",
    "Given Assertion D.1, each such step gains 1 + kappa^(-1/2) 2 eta a_i (1 - lambda)",
    equations=("D.43",),
    scope=own("one step of the nearest true form of lemma-d.4, given Assertion D.1"),
)
def lemma_d_4_corrected() -> Statement:
    """The noise bound with P^2 is enough, because the entry is at least P beta omega."""
    return stated(
        step >= w * (1 + 2 * eta * a_i * (1 - v) / sqrt(kappa)),
        w >= EDGE, w <= v, BELOW, n <= TRUE_NOISE, alpha <= a_i, SMALL_START[1], more=MORE,
    )  # fmt: skip


@section.step("lemma-d.4", "d.36", "Growth minus suppression of a diagonal entry below lambda", equations=("D.36",))
def step_d36() -> Statement:
    W, a = jacobian(2), signals(2)
    here = W[0, 0]
    return stated(
        And(Eq(growth(W, 1, 1) - suppression(W, 1, 1), 2 * a[0] * here * (1 - here)),
            2 * a[0] * here * (1 - here) >= 2 * a[0] * here * (1 - v)),
        here < v, here >= 0, more={**MORE, here: S.Reals},
        notes="Printed with the indices i, j on the left; i, i is meant.",
    )  # fmt: skip


@section.step(
    "lemma-d.4", "d.38", "The increment, with a_i + a_j in the exponent as printed", equations=("D.37", "D.38")
)
def step_d38() -> Statement:
    """In logarithms: q of w_ii(t_0 + t) and n of w_ii(t_0); y is eta t (1 - lambda) / kappa."""
    return stated(q >= n + (a_i + a_j) * y, q >= n + 2 * a_i * y, *bounded(a_i, a_j), more=MORE)


@section.step("lemma-d.4", "d.38.corrected", "The increment, with 2 a_i in the exponent", equations=("D.38",))
def step_d38_corrected() -> Statement:
    return stated(
        eta * (2 * a_i * w * (1 - v) - n) >= 2 * eta * a_i * (1 - v) * g * E - eta * NOISE, w >= g * E, n <= NOISE,
        more=MORE,
    )  # fmt: skip


@section.step("lemma-d.4", "d.39", "The exponential is taken out", equations=("D.39",))
def step_d39() -> Statement:
    rate = 2 * eta * a_i * (1 - v)
    return stated(equal((rate * g * E - eta * NOISE, g * E * (rate - eta * NOISE / (g * E)))), more=MORE)


@section.step("lemma-d.4", "d.39.a", "w_ii(t_0) >= 2 beta omega >= omega", equations=("D.40",))
def step_d39_a() -> Statement:
    return stated(And(g >= 2 * beta * omega, 2 * beta * omega >= omega), g >= EDGE, more=MORE)


@section.step("lemma-d.4", "d.40", "By w_ii(t_0) >= omega the quotient loses one omega", equations=("D.40",))
def step_d40() -> Statement:
    return stated(eta * NOISE / (g * E) <= 2 * P * eta * gamma * alpha * d * beta**2 * omega, g >= omega, more=MORE)


@section.step(
    "lemma-d.4", "d.41", "By Assumption D.4 it is at most 2 (1 - kappa^(-1/2)) eta alpha / K", equations=("D.41",)
)
def step_d41() -> Statement:
    return stated(
        2 * P * eta * gamma * alpha * d * beta**2 * omega <= 2 * (1 - 1 / sqrt(kappa)) * eta * alpha / K,
        SMALL_START[1],
    )


@section.step(
    "lemma-d.4",
    "d.42",
    "By lambda < 1 - 1/K it is at most 2 (1 - kappa^(-1/2)) eta a_i (1 - lambda)",
    equations=("D.42",),
)
def step_d42() -> Statement:
    share = 1 - 1 / sqrt(kappa)
    return stated(2 * share * eta * alpha / K <= 2 * share * eta * a_i * (1 - v), BELOW, alpha <= a_i, more=MORE)


@section.step("lemma-d.4", "d.42.a", "The step is at most 1 / (2 K a_i (1 - lambda)) <= 1 / (20 a_i (1 - lambda))")
def step_d42_a() -> Statement:
    return stated(
        And(2 * K * a_i * (1 - v) * eta <= 1, 20 * a_i * (1 - v) <= 2 * K * a_i * (1 - v)),
        SMALL_STEP, *bounded(a_i), more=MORE,
    )  # fmt: skip


@section.step(
    "lemma-d.4", "d.43", "The next value gains the factor 1 + kappa^(-1/2) 2 eta a_i (1 - lambda)", equations=("D.43",)
)
def step_d43() -> Statement:
    """y is 2 eta a_i (1 - lambda) and s is kappa^(-1/2)."""
    return stated(w + y * w - n >= w * (1 + s * y), n <= (1 - s) * y * g * E, w >= g * E, more=MORE)


@section.step("lemma-d.4", "d.44", "It is at least exp(2 eta a_i (1 - lambda) / kappa)", equations=("D.44",))
def step_d44() -> Statement:
    return stated(1 + s * y >= exp(s**2 * y), y <= Rational(1, 90), s**2 <= Rational(10, 11), more=MORE)


@section.step("lemma-d.4", "d.45", "The induction step, without a_i in the exponent as printed", equations=("D.45",))
def step_d45() -> Statement:
    """In logarithms: q of w_ii(t_0 + t) and n of w_ii(t_0); y is 2 eta (1 - lambda) / kappa."""
    return stated(q + a_i * y >= n + y * (t + 1), q >= n + a_i * y * t, more=MORE)


@section.step("lemma-d.4", "d.45.corrected", "The induction step, with a_i in the exponent", equations=("D.45",))
def step_d45_corrected() -> Statement:
    """y is exp(2 eta a_i (1 - lambda) / kappa)."""
    return stated(w * y >= g * E * y, w >= g * E, more=MORE)


# Lemma D.5 and Corollary D.2 ------------------------------------------------------------------------------------------


@paper.statement("lemma-d.5", "Every diagonal entry stays between 0 and 1 + 2/K", scope=whole())
def lemma_d_5() -> Statement:
    """Nothing keeps (D.2) among positive semidefinite matrices: w_11 becomes negative at the example."""
    return along(Always(ForEach(i, d, (W[i, i] >= 0) & (W[i, i] <= 1 + 2 / K))))


@paper.statement(
    "lemma-d.5.a",
    "The same for the exact update of W by gradient descent on U, from a start of rank one",
    scope=case(
        "the instance 'pair, rank one' (d = 2), 20,000 steps of gradient descent on U, of which (D.2) is "
        "the first order"
    ),
)
def lemma_d_5_descent() -> Statement:
    return on_runs("lemma-d.5", ("pair, rank one",), "weights", 20_000)


top = Symbol("c")


@paper.statement(
    "lemma-d.5.corrected",
    "A diagonal entry never exceeds 1: the noise of the diagonal only pulls it down",
    scope=own("one step of the upper half of lemma-d.5 with the sharper bound 1; the lower half is false"),
)
def lemma_d_5_corrected() -> Statement:
    """One step from at most c, with noise n >= 0."""
    small = Symbol("h")
    return Statement(
        variables={w: Interval(0, 1), n: NONNEGATIVE, small: Interval.Lopen(0, top)},
        then=w + small * w * (1 - w) - n <= 1,
        constants=(Constant(top, S.One, best="largest"),),
        notes="h stands for 2 eta a_i, which Assumption D.2 bounds by 1/90, and n for eta N_ii.",
    )


@paper.statement(
    "lemma-d.5.b",
    "A diagonal entry can exceed 1 a little",
    label="Text before Lemma D.5",
    scope=part("one step of the diagonal of (D.2) from a value in [0, 1]"),
)
def lemma_d_5_exceeds() -> Statement:
    """From some value up to 1 the next is above 1; n is eta N_ii >= 0 and h is 2 eta a_i."""
    small = Symbol("h")
    return Statement(
        variables={n: NONNEGATIVE, small: Interval.Lopen(0, Rational(1, 90))},
        then=Exists(w, Interval(0, 1), w + small * w * (1 - w) - n > 1),
    )


@paper.statement(
    "lemma-d.5.c",
    "In the terminal stage the diagonal entries oscillate around 1",
    label="Text before Lemma D.6",
    scope=part("one step of the diagonal of (D.2) without noise, from a value in [0.9, 1]"),
)
def lemma_d_5_oscillates() -> Statement:
    """Without noise a value below 1 is followed by one above 1, for some value within 2/K of 1."""
    small = Symbol("h")
    return Statement(
        variables={small: Interval.Lopen(0, Rational(1, 90))},
        then=Exists(w, Interval(Rational(9, 10), 1), And(w < 1, w + small * w * (1 - w) > 1)),
    )


@section.step("lemma-d.5", "d.46.k", "K <= 10, as the proof says", equations=("D.46",))
def step_d46_k() -> Statement:
    return stated(K <= 10, 9 * K * eta <= 1, notes="Assumption D.2 has K >= 20; K >= 10 would be meant.")


@section.step("lemma-d.5", "d.46.k.corrected", "1 + 1/K <= 1 + 2/K <= 2", equations=("D.46",))
def step_d46_k_corrected() -> Statement:
    return stated(And(1 + 1 / K <= 1 + 2 / K, 1 + 2 / K <= 2))


@section.step("lemma-d.5", "d.46", "The noise bound of Corollary D.1 with a factor eta", equations=("D.46",))
def step_d46() -> Statement:
    return stated(n <= eta * NOISE, n <= NOISE, SMALL_STEP, *SMALL_START, more=MORE)


@section.step("lemma-d.5", "d.46.a", "It is at most (kappa - 1)^2 alpha / (K^2 gamma d beta^2)", equations=("D.46",))
def step_d46_a() -> Statement:
    return stated(eta * NOISE <= (kappa - 1) ** 2 * alpha / (K**2 * gamma * d * beta**2), SMALL_STEP, *SMALL_START)


@paper.step(
    "lemma-d.5",
    "d.46.a.reading-b",
    "The same without eta, as in the earlier version",
    equations=("D.46",),
    scope=part("the line of the earlier version"),
)
def step_d46_a_earlier() -> Statement:
    """e is the bound of omega P K gamma d beta^2, at most kappa - 1."""
    return stated((kappa - 1) ** 2 * alpha / (K**2 * gamma * d * beta**2) >= NOISE, SMALL_START[0])


@section.step("lemma-d.5", "d.46.b", "That is at most a_i / K", equations=("D.46",))
def step_d46_b() -> Statement:
    return stated((kappa - 1) ** 2 * alpha / (K**2 * gamma * d * beta**2) <= a_i / K, BALANCED, *bounded(a_i))


@section.step(
    "lemma-d.5", "d.46.b.corrected", "The noise bound is at most a_i / K, by 1 - kappa^(-1/2) < 1", equations=("D.46",)
)
def step_d46_b_corrected() -> Statement:
    return stated(a_i / K >= NOISE, SMALL <= 1, alpha <= a_i)


@section.step("lemma-d.5", "d.47", "Above 1 + 1/K growth minus suppression is at most -2 a_i / K", equations=("D.47",))
def step_d47() -> Statement:
    return stated(2 * a_i * w * (1 - w) <= -2 * a_i / K, w >= 1 + 1 / K, more=MORE)


@paper.step(
    "lemma-d.5",
    "d.47.reading-b",
    "At most -4 a_i / K, as in the earlier version",
    equations=("D.47",),
    scope=part("the line of the earlier version"),
)
def step_d47_earlier() -> Statement:
    return stated(2 * a_i * w * (1 - w) <= -4 * a_i / K, w >= 1 + 1 / K, w <= 1 + 2 / K, more=MORE)


@section.step("lemma-d.5", "d.49", "So it falls by a_i eta / K", equations=("D.48", "D.49"))
def step_d49() -> Statement:
    return stated(step <= w - a_i * eta / K, w >= 1 + 1 / K, n >= -a_i / K, more=MORE)


@paper.step(
    "lemma-d.5",
    "d.49.reading-b",
    "So it falls by 3 a_i eta / K, as in the earlier version",
    equations=("D.49",),
    scope=part("the line of the earlier version"),
)
def step_d49_earlier() -> Statement:
    return stated(step <= w - 3 * a_i * eta / K, w >= 1 + 1 / K, w <= 1 + 2 / K, n >= -a_i / K, more=MORE)


@section.step("lemma-d.5", "d.51", "It stays below 1 + 2/K", equations=("D.50", "D.51"))
def step_d51() -> Statement:
    return stated(w - a_i * eta / K <= 1 + 2 / K, w <= 1 + 2 / K, more=MORE)


@paper.step(
    "lemma-d.5",
    "d.52",
    "The three terms are at most 4 a_i, 4 a_i and a_i / K since w <= 2",
    equations=("D.52",),
    scope=part("the bounds of growth and suppression; that of the noise is (D.46)"),
)
def step_d52() -> Statement:
    return stated(And(2 * a_i * w <= 4 * a_i, 2 * a_i * w**2 <= 4 * a_i), w <= 2, more=MORE)


@section.step(
    "lemma-d.5", "d.52.corrected", "They are at most 4 a_i, 4 a_i and a_i / K since w <= 1 + 2/K", equations=("D.52",)
)
def step_d52_corrected() -> Statement:
    return stated(And(2 * a_i * w <= 4 * a_i, 2 * a_i * w**2 <= 4 * a_i), w <= 1 + 2 / K, more=MORE)


@section.step("lemma-d.5", "d.52.a", "4 a_i + 4 a_i + a_i / K <= 9 gamma alpha <= 1 / (K eta)", equations=("D.52",))
def step_d52_a() -> Statement:
    return stated(
        And(8 * a_i + a_i / K <= 9 * gamma * alpha, 9 * gamma * alpha * K * eta <= 1), *bounded(a_i), SMALL_STEP
    )


@section.step("lemma-d.5", "d.53", "Below 1 + 1/K one step leads at most to 1 + 2/K", equations=("D.53",))
def step_d53() -> Statement:
    """q is the sum of the sizes of the three terms."""
    return stated(w + eta * q <= 1 + 2 / K, w <= 1 + 1 / K, K * eta * q <= 1, more=MORE)


@paper.statement("corollary-d.2", "A diagonal entry changes by at most 1/K in a step", scope=whole())
def corollary_d_2() -> Statement:
    return along(Always(ForEach(i, d, Abs(eta * velocity(i, i)) <= 1 / K)))


@paper.statement(
    "corollary-d.2.corrected",
    "Between 0 and 1 and with noise at most a_i / K, it changes by at most 1/(18 K)",
    scope=own("a sharper form of corollary-d.2 from values in [0, 1], given a noise between 0 and a_i / K"),
)
def corollary_d_2_corrected() -> Statement:
    share = Symbol("c")
    change = eta * (2 * a_i * w * (1 - w) - n)
    return stated(
        And(change <= share / K, change >= -share / K),
        w <= 1, n >= 0, n <= a_i / K, a_i <= gamma * alpha, SMALL_STEP,
        more=MORE, constants=(Constant(share, Rational(1, 18), best="smallest"),),
    )  # fmt: skip


# Lemma D.6 -----------------------------------------------------------------------------------------------------------


@paper.statement("lemma-d.6", "A diagonal entry that has reached 1 - 2/K stays above it", scope=whole())
def lemma_d_6() -> Statement:
    learned = W[i, i] >= 1 - 2 / K
    return along(Always(ForEach(i, d, Implies(learned, Always(learned)))))


@paper.statement(
    "lemma-d.6.corrected",
    "With noise between 0 and a_i / K one step from [1 - 2/K, 1] stays there",
    scope=own("one step of the nearest true form of lemma-d.6, given a noise between 0 and a_i / K"),
)
def lemma_d_6_corrected() -> Statement:
    return stated(
        And(step >= 1 - 2 / K, step <= 1), w >= 1 - 2 / K, w <= 1, n >= 0, n <= a_i / K, a_i <= gamma * alpha,
        SMALL_STEP, more=MORE,
    )  # fmt: skip


@section.step("lemma-d.6", "d.54", "Below 1 - 1/K it does not fall", equations=("D.54",))
def step_d54() -> Statement:
    return stated(step >= w, w >= 1 - 2 / K, w < 1 - 1 / K, n <= a_i / K, more=MORE)


@section.step("lemma-d.6", "d.55", "Above 1 - 1/K it falls by at most 1/K", equations=("D.55",))
def step_d55() -> Statement:
    return stated(w + q >= 1 - 2 / K, w > 1 - 1 / K, q >= -1 / K, more=MORE)
