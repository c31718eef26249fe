"""The models of Section 4 in every dimension: families that move, and the assumptions of Appendix D as hypotheses.

A lemma of Appendix D is about all admissible d, d', signals, starts W(0) = U(0) U(0)^T and steps, and about all times
of the map (D.2). Its hypotheses are so narrow that no search meets them: an admissible start stands as an example.
"""

from __future__ import annotations

from sympy import (
    Abs,
    Expr,
    Implies,
    Interval,
    KroneckerDelta,
    Max,
    Ne,
    Rational,
    S,
    Set,
    Sum,
    Symbol,
    log,
    sqrt,
    symbols,
)
from sympy.logic.boolalg import Boolean

from theory.domains import POSITIVE
from theory.dynamics import Map
from theory.language.families import Family, family
from theory.statements import Statement
from theory.swing_by.assumptions import ABOVE_ONE, C, K, P, alpha, beta, d, gamma, kappa, omega
from theory.swing_by.model import HALF, eta
from theory.temporal import Always, ForEach

width, i, j, k, n, c, lam, t0 = symbols("h i j k n c lambda t_0")
a, W, U = family("a", d), family("W", d, d), family("U", d, width)

EDGE = P * beta * omega
"""The end of the initial phase."""

BEGUN = Sum(U[i, k] * U[j, k], (k, 1, width))
"""w_ij(0), with W(0) = U(0) U(0)^T."""

OWN = Sum(U[i, k] ** 2, (k, 1, width))
"""w_ii(0)."""


def every(formula: Boolean) -> ForEach:
    """For all i and j."""
    return ForEach(i, d, ForEach(j, d, formula))


def below(formula: Boolean) -> ForEach:
    """For all i > j."""
    return every(Implies(i > j, formula))


def velocity(first: Symbol = i, second: Symbol = j) -> Expr:
    """The right-hand side of (D.3).

    >>> velocity().has(Sum)
    True
    """
    rate = a[first] + a[second]
    paired = Sum(W[k, first] * W[k, second] * (rate + 2 * a[k]), (k, 1, d))
    return W[first, second] * rate - HALF * paired


def noise() -> Expr:
    """N_ij of (D.6), the factor 1/2 included."""
    others = (1 - KroneckerDelta(k, i)) * (1 - KroneckerDelta(k, j))
    return HALF * Sum(others * W[k, i] * W[k, j] * (a[i] + a[j] + 2 * a[k]), (k, 1, d))


ASSUMPTIONS: tuple[Boolean, ...] = (
    width >= d,
    ForEach(i, d, alpha <= a[i]),
    ForEach(i, d, a[i] <= gamma * alpha),
    every(omega <= Abs(BEGUN)),
    every(Abs(BEGUN) <= beta * omega),
    K >= 20,
    9 * K * gamma * alpha * eta <= 1,
    Rational(2, 5) >= EDGE,
    P * K * gamma * d * beta**2 * omega <= kappa - 1,
    P * K * gamma * d * beta**2 * omega <= 1 - 1 / sqrt(kappa),
    omega <= 1 / sqrt(2 * beta),
    kappa > Rational(11, 10),
    kappa <= 1 + K / (2 * C),
    P >= 2,
    below((a[i] + a[j]) / (2 * a[i]) <= log(P) / (10 * kappa**2 * log(1 / EDGE) + log(P * beta))),
    below(a[i] - 3 * a[j] >= alpha / C),
)
"""Assumptions D.1 to D.5, (D.7) to (D.10), and d' >= d."""

_DOMAINS: dict[Symbol | Family, Set] = {
    **dict.fromkeys((a, alpha, omega, K, kappa, P, eta), POSITIVE),
    **dict.fromkeys((beta, gamma, C), ABOVE_ONE),
    U: S.Reals,
}


def _example(*start: Rational) -> dict[Symbol, Expr]:
    """d = d' = 2 and signals 1 and 4; the start is U(0), row by row, in units of 10^-42."""
    names = ("U_1_1", "U_1_2", "U_2_1", "U_2_2")
    unit = Rational(1, 10**42)
    first, second = start[:2], start[2:]
    pairs = ((first, first), (first, second), (second, second))
    entries = [abs(left[0] * right[0] + left[1] * right[1]) * unit**2 for left, right in pairs]
    numbers = {
        d: 2,
        width: 2,
        Symbol("a_1"): 1,
        Symbol("a_2"): 4,
        alpha: 1,
        gamma: 4,
        beta: 2,
        K: 20,
        C: 90,
        kappa: Rational(111, 100),
        eta: Rational(1, 720),
        omega: min(entries),
        P: 4 * 10**79,
        **{Symbol(name): unit * value for name, value in zip(names, start, strict=True)},
    }
    return {symbol: S(value) for symbol, value in numbers.items()}


NEARLY_SINGULAR = _example(Rational(7, 5), S.Zero, Rational(27, 20), Rational(2, 5))
"""A start of which (D.2) soon makes a matrix that is not positive semidefinite."""


def along(then: Boolean, more: dict[Symbol, Set] | None = None, values: dict[Symbol, Expr] | None = None) -> Statement:
    """What is claimed at all times of (D.2) under the five assumptions, for every d."""
    return Statement(
        variables={**_DOMAINS, **(more or {})},
        given=ASSUMPTIONS,
        dynamics=Map((W[i, j],), (W[i, j] + eta * velocity(),), n),
        start={W[i, j]: BEGUN},
        then=then,
        examples=({**NEARLY_SINGULAR, **(values or {})},),
    )


def assertion() -> Statement:
    """Assertion D.1, which is Lemma D.8."""
    return along(Always(every(Implies(Ne(i, j), Abs(W[i, j]) <= EDGE))))


def suppressed() -> Statement:
    """Lemma D.7: c stands for a bound of |w_ij(t_0)|, whichever."""
    stays = Always(Abs(W[i, j]) <= Max(c, omega))
    strong = (W[i, i] > Rational(4, 5)) & (Abs(W[i, j]) <= c)
    smallest = Rational(1, 10**30)
    return along(Always(below(Implies(strong, stays))), {c: Interval(0, S.Infinity)}, {c: smallest})
