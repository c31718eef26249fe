"""Appendix D.1: the five assumptions, what they force, which of them are redundant, and when they can hold together.

The assumptions are linear in logarithms: l = log(1 / (P beta omega)), x = log P and b = log beta; r is the smallest
ratio of consecutive signals, so that a_j / a_i <= rho = 1 / r for i > j.
"""

from __future__ import annotations

from typing import Any

from sympy import And, Equivalent, Expr, Interval, Or, Rational, S, Set, Symbol, log, oo, sqrt
from sympy.logic.boolalg import Boolean

from theory.displays import equal
from theory.domains import POSITIVE
from theory.scope import case, own
from theory.statements import Computation, Constant, Statement
from theory.swing_by._paper import paper
from theory.swing_by.model import NONNEGATIVE, deviations, eta, means, signals

alpha, beta, gamma, omega, kappa = (Symbol(name) for name in ("alpha", "beta", "gamma", "omega", "kappa"))
C, K, P, d = (Symbol(name) for name in "CKPd")
l, x, b, r, rho = (Symbol(name) for name in ("l", "x", "b", "r", "rho"))
a_i, a_j = Symbol("a_i"), Symbol("a_j")
a1, a2 = signals(2)

ABOVE_ONE = Interval.open(1, oo)
EDGE = P * beta * omega
"""The end of the initial phase."""

DOMAINS: dict[Symbol, Set] = {
    alpha: POSITIVE, gamma: ABOVE_ONE, beta: ABOVE_ONE, omega: POSITIVE, kappa: Interval.open(Rational(11, 10), oo),
    C: ABOVE_ONE, K: Interval(20, oo), P: Interval(2, oo), d: Interval(2, oo), eta: POSITIVE,
    l: POSITIVE, x: POSITIVE, b: POSITIVE, r: ABOVE_ONE, rho: Interval.open(0, 1),
    a_i: POSITIVE, a_j: POSITIVE, a1: POSITIVE, a2: POSITIVE,
}  # fmt: skip
"""Where each quantity of Appendix D.1 lives; the dimension is treated as a real number, which is more general."""

SMALL = P * K * gamma * d * beta**2 * omega
"""The quantity that (D.9) bounds by kappa - 1 and by 1 - kappa^(-1/2)."""


def stated(then: Boolean, *given: Boolean, more: dict[Symbol, Set] | None = None, **rest: Any) -> Statement:
    """A statement whose variables are the quantities that occur in it, each in its domain.

    >>> sorted(map(str, stated(K * eta >= 0).variables))
    ['K', 'eta']
    """
    known = {**DOMAINS, **(more or {})}
    used = set().union(*(part.free_symbols for part in (then, *given)))
    return Statement(
        variables={s: known[s] for s in sorted(used & set(known), key=str)}, given=given, then=then, **rest
    )


def bounded(*rates: Symbol) -> tuple[Boolean, ...]:
    """(D.7) for some signals."""
    return tuple(part for a in rates for part in (alpha <= a, a <= gamma * alpha))


SMALL_STEP = 9 * K * gamma * alpha * eta <= 1
"""Assumption D.2."""

SMALL_START = (kappa - 1 >= SMALL, 1 - 1 / sqrt(kappa) >= SMALL)
"""(D.9), first part."""

BALANCED = kappa <= 1 + K / (2 * C)


# Single assumptions -------------------------------------------------------------------------------------------------


paper.unstated(
    "assumption-d.1",
    "alpha <= a_k <= gamma alpha for every k, and omega <= |w_ij(0)| <= beta omega for all i, j",
    missing="families indexed up to a symbolic d",
    equations=("D.7", "D.8"),
)


@paper.statement(
    "assumption-d.1.room",
    "Assumption D.1 leaves room for an uninformative direction",
    equations=("D.7",),
    label="Assumption D.1",
    scope=own("a question of ours, two directions: Section 4 has a_k = 0 beyond s, (D.7) has a_k >= alpha for all k"),
)
def assumption_d_1() -> Statement:
    """A direction beyond s has a = 0, and (D.7) asks alpha <= a for every direction."""
    return Statement(
        variables={alpha: POSITIVE, gamma: ABOVE_ONE, a1: POSITIVE, a2: NONNEGATIVE},
        given=(*bounded(a1, a2), a2 <= 0),
        then=gamma * alpha >= a1,
        notes="The hypotheses contradict each other: Appendix D covers s = d only.",
    )


@paper.statement(
    "assumption-d.1.a",
    "For s = d, positive signals satisfy (D.7) with suitable constants",
    equations=("D.7",),
    scope=own("a question of ours, two directions"),
)
def assumption_d_1_a() -> Statement:
    low, ratio = Symbol("low"), Symbol("ratio")
    return Statement(
        variables={a1: POSITIVE, a2: POSITIVE, low: POSITIVE, ratio: POSITIVE},
        given=(low <= a1, low <= a2, Or(low >= a1, low >= a2), ratio * low >= 2 * (a1 + a2)),
        then=And(low <= a1, a1 <= ratio * low, low <= a2, a2 <= ratio * low, ratio > 1),
    )


paper.unstated(
    "assumption-d.2",
    "There is a constant K >= 20 with eta <= 1 / (9 K gamma alpha)",
    missing="a word for assumptions: the steps have it as a hypothesis",
)


@paper.statement(
    "assumption-d.2.step",
    "Assumption D.2 keeps eta (a_i + a_j) below 1/90",
    label="Assumption D.2",
    scope=own("a consequence of ours"),
)
def assumption_d_2() -> Statement:
    return stated(90 * eta * (a_i + a_j) <= 1, *bounded(a_i, a_j), SMALL_STEP)


paper.unstated(
    "assumption-d.3", "P omega beta <= 0.4", missing="a word for assumptions: the steps have it as a hypothesis"
)


@paper.statement(
    "assumption-d.3.redundant",
    "Assumption D.3 follows from Assumption D.4",
    label="Assumption D.3",
    scope=own("a remark of ours: the assumption is redundant"),
)
def assumption_d_3() -> Statement:
    return stated(Rational(2, 5) >= EDGE, 1 - 1 / sqrt(kappa) >= SMALL, notes="It is redundant: P beta omega <= 1/40.")


@paper.statement(
    "assumption-d.3.a",
    "Assumption D.4 even gives P beta omega < 1/(K gamma d)",
    label="Assumption D.3",
    scope=own("a consequence of ours"),
)
def assumption_d_3_a() -> Statement:
    return stated(EDGE * K * gamma * d < 1, 1 - 1 / sqrt(kappa) >= SMALL)


paper.unstated(
    "assumption-d.4",
    "omega is at most (D.9), 1.1 < kappa <= 1 + K / (2 C) and P >= 2",
    missing="a word for assumptions: the steps have it as a hypothesis",
    equations=("D.9",),
)


@paper.statement(
    "assumption-d.4.second-bound",
    "The second bound of (D.9) follows from the first",
    equations=("D.9",),
    label="Assumption D.4",
    scope=own("a remark of ours: half of the assumption is redundant"),
)
def assumption_d_4() -> Statement:
    return stated(
        2 * beta * omega**2 <= 1, 1 - 1 / sqrt(kappa) >= SMALL, notes="The bound 1/sqrt(2 beta) is redundant."
    )


@paper.statement(
    "assumption-d.4.a",
    "In (D.9) the smaller of kappa - 1 and 1 - kappa^(-1/2) is always the second",
    equations=("D.9",),
    scope=own("a consequence of ours"),
)
def assumption_d_4_a() -> Statement:
    return stated(1 - 1 / sqrt(kappa) < kappa - 1)


@paper.statement(
    "assumption-d.4.b",
    "Some kappa fits between 1.1 and 1 + K / (2 C) exactly when C < 5 K",
    equations=("D.9",),
    scope=own("a consequence of ours"),
)
def assumption_d_4_b() -> Statement:
    return stated(Equivalent(Rational(11, 10) < 1 + K / (2 * C), C < 5 * K))


def separated(strong: Symbol, weak: Symbol) -> Boolean:
    """The second part of Assumption D.5 for one pair."""
    return strong - 3 * weak >= alpha / C


paper.unstated(
    "assumption-d.5",
    "For all i > j (D.10) holds and a_i - 3 a_j >= alpha / C with some C > 1",
    missing="families indexed up to a symbolic d",
    equations=("D.10",),
)


@paper.statement(
    "assumption-d.5.order",
    "The signals of Assumption D.5 are sorted as Section 4.2 says, in descending order",
    label="Assumption D.5",
    scope=case("two directions: the descending order that Section 4.2.1 assumes, under Assumption D.5"),
)
def assumption_d_5() -> Statement:
    """Section 4.2 assumes a_1 >= a_2 >= ...; Assumption D.5 asks a_i > 3 a_j for i > j."""
    return stated(
        a1 >= a2, separated(a2, a1), *bounded(a1, a2), notes="Appendix D numbers the directions the other way."
    )


@paper.statement(
    "assumption-d.5.a",
    "Under the order of Section 4.2 Assumption D.5 can hold",
    label="Assumption D.5",
    scope=case("two directions: Assumption D.5 under the descending order of Section 4.2.1"),
)
def assumption_d_5_a() -> Statement:
    """a_2 > 3 a_1 is what Assumption D.5 implies for i = 2, j = 1."""
    return stated(a1 > a2, a2 > 3 * a1, a1 >= a2, notes="The hypotheses contradict each other.")


@paper.statement(
    "assumption-d.5.b",
    "Assumption D.5 forces a_i > 3 a_j, hence ascending order and gamma > 3^(d-1)",
    label="Assumption D.5",
    scope=own("a consequence of ours, d = 3"),
)
def assumption_d_5_b() -> Statement:
    """Three directions: gamma > 9."""
    a3 = signals(3)[2]
    return stated(And(a1 < a2, a2 < a3, gamma > 9), separated(a2, a1), separated(a3, a2), *bounded(a1, a2, a3),
                  more={a3: POSITIVE})  # fmt: skip


def distinct(ratio: Expr = rho) -> Boolean:
    """(D.10) in logarithms: (1 + rho) / 2 <= x / (10 kappa^2 l + x + b)."""
    return (1 + ratio) / 2 * (10 * kappa**2 * l + x + b) <= x


@paper.statement(
    "assumption-d.5.c",
    "(D.10) says log P >= (1 + rho) / (1 - rho) (10 kappa^2 l + log beta)",
    equations=("D.10",),
    scope=own("a form of ours, in logarithms"),
)
def assumption_d_5_c() -> Statement:
    least = (1 + rho) / (1 - rho) * (10 * kappa**2 * l + b)
    return stated(Equivalent(distinct(), x >= least))


@paper.statement(
    "assumption-d.5.d",
    "(D.10) makes the condition P >= 2 of Assumption D.4 redundant",
    equations=("D.10",),
    scope=own("a remark of ours: a condition is redundant"),
)
def assumption_d_5_d() -> Statement:
    """By Assumption D.4 l > log 40 > 3, so log P > 36, while log 2 < 1."""
    return stated(x > 1, distinct(), l > 3)


@paper.statement(
    "assumption-d.5.e",
    "The sum of two signals of (D.10) in terms of their ratio",
    equations=("D.10",),
    scope=own("a form of ours"),
)
def assumption_d_5_e() -> Statement:
    return stated(equal(((a_i + a_j) / (2 * a_i), (1 + a_j / a_i) / 2)))


# All five together ----------------------------------------------------------------------------------------------------


@paper.statement(
    "assumption-d.joint",
    "The five assumptions hold together for d = 2 and a positive semidefinite start",
    label="Assumptions D.1 to D.5",
    scope=own("a question of ours: one instance, d = 2"),
)
def joint() -> Statement:
    """An exact instance with omega about 10^-83."""
    return Statement(
        then=equal((Symbol("all"), S.One)),
        computed=Computation("swing_by.admissible", {"instance": "pair"}, yields=("all",)),
    )


@paper.statement(
    "assumption-d.joint.a",
    "The five assumptions hold together for d = 3 and a positive semidefinite start",
    label="Assumptions D.1 to D.5",
    scope=own("a question of ours: one instance, d = 3"),
)
def joint_three() -> Statement:
    return Statement(
        then=equal((Symbol("all"), S.One)),
        computed=Computation("swing_by.admissible", {"instance": "triple"}, yields=("all",)),
    )


@paper.statement(
    "assumption-d.joint.b",
    "For every d the assumptions can be met: whatever l is, a large enough log P satisfies (D.10)",
    label="Assumptions D.1 to D.5",
    scope=own("a question of ours, in logarithms; one ratio of signals"),
)
def joint_every_dimension() -> Statement:
    """x = (1 + rho) / (1 - rho) (10 kappa^2 l + b), with l chosen first to satisfy (D.9)."""
    enough = (1 + rho) / (1 - rho) * (10 * kappa**2 * l + b)
    return stated(distinct().subs(x, enough), notes="The other assumptions bound l from below and do not mention P.")


@paper.statement(
    "assumption-d.joint.c",
    "A start of rank one is admissible",
    label="Assumptions D.1 to D.5",
    scope=own("a question of ours: one instance, d = 2"),
)
def joint_rank_one() -> Statement:
    """The assumptions bound the entries of W(0), not its rank; W(0) = omega times the matrix of ones."""
    return Statement(
        then=equal((Symbol("all"), S.One)),
        computed=Computation("swing_by.admissible", {"instance": "pair, rank one"}, yields=("all",)),
    )


def smallest_logarithm(dimension: int) -> Expr:
    """The least log(1 / omega) for ratio r and kappa, at K = 20 and beta = 1, which are the most favourable.

    l = log(20 d r^(d-1) / (1 - kappa^(-1/2))) and log P = (r + 1) / (r - 1) 10 kappa^2 l.
    """
    least = log(20 * dimension * r ** (dimension - 1) / (1 - 1 / sqrt(kappa)))
    return least * (1 + 10 * kappa**2 * (r + 1) / (r - 1))


decades = Symbol("n")
LEAST = Rational(11, 10)
"""The infimum of kappa, where log(1 / omega) is smallest."""


def _largest_start(dimension: int, stated_decades: int) -> Statement:
    return Statement(
        variables={r: Interval(3, 1000)},
        then=smallest_logarithm(dimension).subs(kappa, LEAST) >= decades * log(10),
        constants=(Constant(decades, stated_decades, best="largest"),),
        notes="K = 20, beta = 1, kappa = 1.1 are the most favourable ends (assumption-d.joint.f), and ratios above 1000"
        " are worse (assumption-d.joint.g).",
    )


@paper.statement(
    "assumption-d.joint.d2",
    "For d = 2 every admissible omega is below 10^-60",
    label="Assumptions D.1 to D.5",
    scope=own("a question of ours, d = 2"),
)
def largest_start_two() -> Statement:
    return _largest_start(2, 60)


@paper.statement(
    "assumption-d.joint.d3",
    "For d = 3 every admissible omega is below 10^-80",
    label="Assumptions D.1 to D.5",
    scope=own("a question of ours, d = 3"),
)
def largest_start_three() -> Statement:
    return _largest_start(3, 80)


@paper.statement(
    "assumption-d.joint.d4",
    "For d = 4 every admissible omega is below 10^-97",
    label="Assumptions D.1 to D.5",
    scope=own("a question of ours, d = 4"),
)
def largest_start_four() -> Statement:
    return _largest_start(4, 97)


@paper.statement(
    "assumption-d.joint.d5",
    "For d = 5 every admissible omega is below 10^-111",
    label="Assumptions D.1 to D.5",
    scope=own("a question of ours, d = 5"),
)
def largest_start_five() -> Statement:
    return _largest_start(5, 111)


@paper.statement(
    "assumption-d.joint.d6",
    "For d = 6 every admissible omega is below 10^-125",
    label="Assumptions D.1 to D.5",
    scope=own("a question of ours, d = 6"),
)
def largest_start_six() -> Statement:
    return _largest_start(6, 125)


@paper.statement(
    "assumption-d.joint.f",
    "A larger kappa only makes the largest omega smaller",
    label="Assumptions D.1 to D.5",
    scope=own("a step towards assumption-d.joint.d2 to d6"),
)
def larger_kappa() -> Statement:
    """With s = kappa^(-1/2) and R = (r + 1) / (r - 1) >= 1, the sign of the derivative of the logarithm in s."""
    share = Symbol("s")
    return Statement(
        variables={share: Interval(0, sqrt(1 / LEAST))},
        then=40 * (1 - share) * log(120 / (1 - share)) > share**5 + 10 * share,
        notes="120 is the least value of K gamma d beta for d = 2 and ratios of at least 3.",
    )


@paper.statement(
    "assumption-d.joint.g",
    "Ratios above 1000 give no larger omega",
    label="Assumptions D.1 to D.5",
    scope=own("a step towards assumption-d.joint.d2 to d6, d = 2"),
)
def larger_ratio() -> Statement:
    """q is log r > 6; the bracket of the logarithm is at least 1 + 12.1, and log(40 / 0.047) > 6."""
    ratio = Symbol("q")
    return Statement(
        variables={ratio: Interval(6, oo)},
        then=And(Rational(131, 10) * (ratio + 6) > 139, log(40 / (1 - 1 / sqrt(LEAST))) > 6, 60 * log(10) < 139),
        notes="Stated for d = 2; for larger d the logarithm at ratio 1000 exceeds the bounds of d3 to d6 still more.",
    )


@paper.statement(
    "assumption-d.joint.e",
    "With the corrected time of Lemma D.8 the assumptions still hold together when rho < 2 / kappa^2 - 1",
    label="Assumptions D.1 to D.5",
    scope=own("a question of ours, in logarithms"),
)
def joint_corrected() -> Statement:
    """(1 + rho) / 2 (10 kappa^2 l + kappa^2 (x + b)) <= x has a solution x."""
    need = (1 + rho) / 2 * kappa**2
    enough = need * (10 * l + b) / (1 - need)
    return stated(need * (10 * l + enough + b) <= enough, need < 1)


@paper.statement(
    "claim-4.2.s8",
    "Assumption D.5 bounds sigma_p by mu_p",
    label="Section 4.2.2, role of out-of-distribution",
    scope=case("d = s = 2; too large taken as sigma_2 > mu_2, and Assumption D.5 without (D.10)"),
)
def role_of_distance() -> Statement:
    """Two clusters: the assumptions see sigma_p and mu_p only through a_p = sigma_p^2 + mu_p^2 / 2."""
    m, s = means(2), deviations(2)
    rate = [s[p] ** 2 + m[p] ** 2 / 2 for p in (0, 1)]
    return Statement(
        variables={**dict.fromkeys((*m, *s), POSITIVE), alpha: POSITIVE, gamma: ABOVE_ONE, C: ABOVE_ONE},
        given=(alpha <= rate[0], rate[1] <= gamma * alpha, rate[1] - 3 * rate[0] >= alpha / C),
        then=s[1] <= m[1],
        notes="(D.10) is left out of the hypotheses: with omega free it can be met for any ratio of signals above 3.",
    )
