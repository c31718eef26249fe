"""Appendix B.2 and B.3: how far the flow stays from its linearisation, and the exponents of Theorem 4.1.

N is |theta|^2 in the maximum norm, N_0 its initial value, E stands for exp(2 lambda t), e for exp(lambda t); a is
m (1 + xi)^2 / 4.
"""

from __future__ import annotations

from sympy import Abs, And, Integer, Interval, Rational, Symbol, diff, exp, log, oo, sqrt, symbols

from theory.displays import equal
from theory.domains import POSITIVE
from theory.scope import measured as measured_at
from theory.scope import own, part, whole
from theory.simplicity_bias._display import AT_LEAST_ONE, NONNEGATIVE, REAL, measured
from theory.simplicity_bias._paper import paper
from theory.simplicity_bias.activation import xi
from theory.statements import Constant, Statement

section = paper.section(steps=whole())

m, a, lam, lam_j, b0, b1, t, r, kappa = symbols("m a lambda lambda_j b_0 b_1 t r kappa")
N, N0, E, F, q, p, W = symbols("N N_0 E F q p W")


# Proposition B.5 -----------------------------------------------------------------------------------------------------


@paper.statement(
    "proposition-b.5.point",
    "Loss weights move the field of a unit direction by at most a |theta|^2",
    label="Proposition B.5",
    scope=part("one point: the product of the three bounds"),
)
def proposition_b_5() -> Statement:
    """One point: q is the change of the weight, F a bound of |f|, p the activation or the norm of its gradient."""
    return Statement(
        variables={**dict.fromkeys((q, F, p, N), NONNEGATIVE), xi: POSITIVE, m: AT_LEAST_ONE},
        given=(q <= F / 4, m * (1 + xi) * N >= F, p <= 1 + xi),
        then=q * p <= m * (1 + xi) ** 2 / 4 * N,
        notes="An inequality, though the text calls it an identity; the mean over points inherits it. q <= F/4 is "
        "claim-4.loss, p <= 1 + xi is remark-b.4.d-3.",
    )


@paper.statement(
    "proposition-b.5.a", "For xi <= 1 the constant a = m/4 is enough", scope=own("a sharper form of ours: one point")
)
def proposition_b_5_sharp() -> Statement:
    """By remark-b.4.a and claim-b.bound the activation and its gradient are at most 1."""
    k = Symbol("k")
    return Statement(
        variables={**dict.fromkeys((q, F, p, N), NONNEGATIVE), m: AT_LEAST_ONE},
        given=(q <= F / 4, m * N >= F, p <= 1),
        then=q * p <= k * m * N,
        constants=(Constant(k, Rational(1, 4), best="smallest"),),
    )


@paper.step("proposition-b.5", "output", "|f| <= m (1 + xi) |theta|^2", scope=part("one of the m terms"))
def step_output() -> Statement:
    """One of its m terms."""
    u = Symbol("u")
    return Statement(
        variables={u: REAL, p: NONNEGATIVE, xi: POSITIVE, N: NONNEGATIVE},
        given=(u**2 <= N, p <= 1 + xi),
        then=u**2 * p <= (1 + xi) * N,
    )


@section.step(
    "proposition-b.5", "activation", "The activation of a unit direction is at most 1 + xi", scope=part("the integrand")
)
def step_activation() -> Statement:
    """(v . (x + xi z))_+ with |v . x| <= 1 and |v . z| <= 1."""
    s, z = symbols("s z")
    return Statement(variables={s: Interval(-1, 1), z: Interval(-1, 1), xi: POSITIVE}, then=Abs(s + xi * z) <= 1 + xi)


# Lemma B.6 -----------------------------------------------------------------------------------------------------------

RATES = {a: POSITIVE, lam: POSITIVE, N0: POSITIVE}
GROWN = N0 * E / (1 - a / lam * N0 * (E - 1))


paper.unstated(
    "lemma-b.6",
    "Along the flow (1) from a balanced start |theta(t)|^2 <= 2 |theta(0)|^2 exp(2 lambda t) for all t <= t_1",
    missing="a flow of m neurons in R^d, the maximum norm along it",
)


@paper.statement(
    "lemma-b.6.end",
    "Until t_1 the squared norm is at most twice its linear growth",
    label="Lemma B.6",
    scope=part("the last line: the solution of the comparison equation"),
)
def lemma_b_6() -> Statement:
    """The solution of the comparison equation, for 1 <= E <= lambda / (2 a N_0)."""
    return Statement(
        variables={**RATES, E: AT_LEAST_ONE},
        given=(lam / (2 * a * N0) >= E,),
        then=GROWN <= 2 * N0 * E,
        notes="t_1 is negative, and the lemma empty, when lambda < 2 a N_0.",
    )


bar = Symbol("k")


@paper.statement(
    "lemma-b.6.a",
    "The same bound holds on a longer interval, up to E = 1 + lambda / (2 a N_0)",
    scope=own("a sharper form of ours of the last line"),
)
def lemma_b_6_sharp() -> Statement:
    return Statement(
        variables={**RATES, E: AT_LEAST_ONE},
        given=(bar + lam / (2 * a * N0) >= E,),
        then=GROWN <= 2 * N0 * E,
        constants=(Constant(bar, Integer(1), best="largest"),),
    )


@section.step("lemma-b.6", "speed", "|u'| <= |u| (lambda + a N)")
def step_speed() -> Statement:
    u, g, s = symbols("u g s")
    return Statement(
        variables={**dict.fromkeys((u, g, s), REAL), a: POSITIVE, lam: POSITIVE, N: NONNEGATIVE},
        given=(Abs(g) <= lam, Abs(s) <= a * N),
        then=Abs(u * (g + s)) <= Abs(u) * (lam + a * N),
        notes="g is G at the direction, s the correction of Proposition B.5.",
    )


@section.step(
    "lemma-b.6",
    "comparison",
    "The printed bound solves N' = 2 lambda N + 2 a N^2",
    scope=part("the printed bound solves the comparison equation"),
)
def step_comparison() -> Statement:
    solution = GROWN.subs(E, exp(2 * lam * t))
    return Statement(
        variables={**RATES, t: NONNEGATIVE},
        given=(a / lam * N0 * (exp(2 * lam * t) - 1) < 1,),
        then=equal((diff(solution, t), 2 * lam * solution + 2 * a * solution**2), (solution.subs(t, 0), N0)),
    )


@section.step(
    "lemma-b.6", "integral", "The integrand of the separated equation is that of the logarithm N / (1 + a N / lambda)"
)
def step_separated() -> Statement:
    return Statement(
        variables={**RATES, N: POSITIVE},
        then=equal((diff(log(N / (1 + a / lam * N)), N), 1 / (N + a / lam * N**2))),
    )


@paper.statement(
    "lemma-b.6.b",
    "Random balanced networks obey the bound",
    scope=measured_at("12 random balanced networks, seed 1, the orbit of (0.95, 0.1, 0)"),
)
def lemma_b_6_measured() -> Statement:
    worst = Symbol("worst")
    return measured(
        worst <= 1, "norm_growth", "worst", seed=1, networks=12,
        notes="worst is the largest of |theta|^2 / (2 |theta(0)|^2 exp(2 lambda t)); lemma-b.6.end "
        "and the steps of Lemma B.6 are lines of a proof, this shows the bound on flows.",
    )  # fmt: skip


# B.2.2 and B.2.3 -----------------------------------------------------------------------------------------------------

GAPS = {a: POSITIVE, lam: POSITIVE, b1: POSITIVE, N0: POSITIVE, t: NONNEGATIVE}


@section.step(
    "theorem-4.1",
    "b.directions",
    "The direction error solves h' = 2 a N_0 exp((2 lambda - b_1) t)",
    scope=part("the printed bound solves the comparison equation"),
)
def step_directions() -> Statement:
    printed = 2 * a / (b1 - 2 * lam) * N0 * (1 - exp((2 * lam - b1) * t))
    return Statement(
        variables=GAPS,
        given=(b1 > 2 * lam,),
        then=equal((diff(printed, t), 2 * a * N0 * exp((2 * lam - b1) * t)), (printed.subs(t, 0), Integer(0))),
    )


@section.step("theorem-4.1", "b.triangle", "Direction errors grow at most by a N + b_1 times themselves")
def step_triangle() -> Statement:
    """s and p are the two parts of the difference of velocities."""
    s, d = symbols("s d")
    return Statement(
        variables={**dict.fromkeys((s, p, d, N), NONNEGATIVE), a: POSITIVE, b1: POSITIVE},
        given=(s <= a * N, p <= b1 * d),
        then=s + p <= a * N + b1 * d,
    )


c3 = Symbol("c_3")


@paper.step(
    "theorem-4.1",
    "b.scales",
    "The scale error h itself is bounded by the integrand (as printed)",
    scope=part("the first of the two terms"),
)
def step_scales() -> Statement:
    """Without the second term: from h' = c exp(2 lambda t), h(0) = 0, the print concludes h <= c exp(2 lambda t)."""
    h = c3 * (exp(2 * lam * t) - 1) / (2 * lam)
    return Statement(
        variables={c3: POSITIVE, lam: POSITIVE, t: NONNEGATIVE},
        then=h <= c3 * exp(2 * lam * t),
        notes="c_3 is 2 sqrt(2) a |theta(0)|^3. The print drops the derivative sign: dh/dt is meant.",
    )


@paper.step(
    "theorem-4.1",
    "b.scales.corrected",
    "The scale error's derivative is bounded so, and integrates to the next line",
    scope=own("the nearest true form of theorem-4.1#b.scales"),
)
def step_scales_corrected() -> Statement:
    """|theta(0)| = 1: both terms of the next line, multiplied by exp(-lambda t).

    have the derivatives of the integrand.
    """
    first = sqrt(2) * a / lam * (exp(2 * lam * t) - 1)
    rate = lam_j + b1 - lam
    second = 2 * a * b0 / ((b1 - 2 * lam) * rate) * (exp(rate * t) - 1)
    return Statement(
        variables={**GAPS, b0: POSITIVE, lam_j: REAL},
        given=(b1 >= 4 * lam, lam_j >= -lam, lam_j <= lam),
        then=equal(
            (diff(first, t), 2 * sqrt(2) * a * exp(2 * lam * t)),
            (diff(second, t), 2 * a * b0 / (b1 - 2 * lam) * exp(rate * t)),
        ),
    )


@section.step(
    "theorem-4.1",
    "b.constant",
    "For b_1 >= 4 lambda the two terms are at most c_1 exp((lambda_j + b_1) t)",
    scope=part("the exponents and the denominators"),
)
def step_constant() -> Statement:
    """e and g stand for exp(3 lambda t) and exp((lambda_j + b_1) t); the exponents and the denominators compare."""
    return Statement(
        variables={a: POSITIVE, lam: POSITIVE, b0: POSITIVE, b1: POSITIVE, lam_j: REAL},
        given=(b1 >= 4 * lam, lam_j >= -lam, lam_j <= lam),
        then=And(3 * lam <= lam_j + b1, (b1 - 2 * lam) ** 2 <= (b1 - 2 * lam) * (lam_j + b1 - lam)),
    )


# B.3: exponents ------------------------------------------------------------------------------------------------------

B, L = symbols("B L")
"""b_1 / lambda and lambda_j / lambda."""
KAPPA = 2 / (B - 1)
RATIOS = {B: Interval(4, oo), L: Interval.Ropen(-1, 1)}


@section.step("theorem-4.1", "b.exponents", "With sigma = r^(1 + kappa) the errors have the printed exponents")
def step_exponents() -> Statement:
    """Exponents of r in sigma^2 e^(b_1 T_1), sigma^3 e^((lambda + b_1) T_1).

    sigma^3 e^((lambda_j + b_1) T_1), sigma e^(lambda_j T_1).
    """
    start = 1 + kappa
    grown = -kappa
    return Statement(
        variables={**RATIOS, kappa: POSITIVE},
        then=equal(
            (2 * start + grown * B, 2 - kappa * (B - 2)),
            (3 * start + grown * (1 + B), 3 - kappa * (B - 2)),
            (3 * start + grown * (L + B), 3 - kappa * (B + L - 3)),
            (start + grown * L, 1 + kappa * (1 - L)),
        ),
        notes="e^(lambda T_1) = r^(-kappa).",
    )


@section.step("theorem-4.1", "b.balance", "kappa* = 2 / (b_1/lambda - 1) makes the exponents equal")
def step_balance() -> Statement:
    return Statement(variables=RATIOS, then=equal((2 - KAPPA * (B - 2), KAPPA), (3 - KAPPA * (B - 2), 1 + KAPPA)))


@section.step("theorem-4.1", "b.small", "For j in R the first exponent is at least 1 + kappa_j")
def step_small() -> Statement:
    return Statement(variables=RATIOS, then=3 - KAPPA * (B + L - 3) >= 1 + KAPPA * (1 - L))


@section.step("theorem-4.1", "b.kappa", "kappa_j = kappa* (1 - lambda_j/lambda) is positive for every neuron")
def step_kappa() -> Statement:
    """The theorem asks it of j = 1, ..., m, prominent ones (lambda_j = lambda) included."""
    return Statement(
        variables={B: Interval(4, oo), L: Interval(-1, 1)},
        then=KAPPA * (1 - L) > 0,
        notes="For prominent neurons it is 0; only those of R need it in Theorem 4.1, but Theorem 4.4 prints it for P.",
    )


@section.step("theorem-4.1", "b.kappa.corrected", "It is positive for every neuron of R")
def step_kappa_corrected() -> Statement:
    return Statement(variables=RATIOS, then=KAPPA * (1 - L) > 0)


@section.step("theorem-4.1", "b.times", "T_1 comes before t_1 once r is small", scope=part("T_1 < t_1"))
def step_times() -> Statement:
    """x = ln(1/r): kappa x < (1 + kappa) x - k for x > k, where k collects the constants of t_1."""
    x, k = symbols("x k")
    return Statement(
        variables={kappa: POSITIVE, x: POSITIVE, k: REAL}, given=(x > k,), then=kappa * x < (1 + kappa) * x - k
    )
