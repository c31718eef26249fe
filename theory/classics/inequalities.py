"""Chapter 8: inequalities of the trade."""

from typing import Any

from sympy import Eq, Expr, Interval, Max, Rational, S, Sum, cosh, erfc, exp, log, pi, sin, sqrt, symbols, tanh
from sympy.logic.boolalg import Boolean

from theory.classics._paper import paper
from theory.classics._words import (
    NONNEGATIVE,
    POSITIVE,
    UNIT,
    L,
    X,
    Y,
    Z,
    c,
    d,
    m,
    n,
    p,
    q,
    r,
    s,
    x,
    y,
)
from theory.dynamics import matrix
from theory.language.classes import SmoothConvex, function
from theory.language.families import family
from theory.language.spaces import Vectors, inner, norm
from theory.scope import case, whole
from theory.statements import Statement
from theory.temporal import ForEach

chapter = paper.section(
    steps=whole(),
    title="8 Inequalities of the trade",
    text=r"""What proofs reach for: inner products and norms in every dimension, traces and Frobenius norms of every
size, exponentials and logarithms on the line, entropies of two outcomes, tails, and the two lemmas of Gronwall.

Sharp here: the constant $2$ of Pinsker in nats, the constant $\frac{1}{8}$ of Hoeffding's lemma, the gap $\log 2$
between softplus and rectifier.

Folklore extends a Taylor bound to the side where the next term has the other sign, treats traces of three factors as
if they commuted, and forgets that the trace of a product is bounded by the product of traces for semidefinite
matrices only.""",
)

TWO = {X: Vectors(), Y: Vectors()}
V, W = matrix("V", m, n), matrix("W", m, n)
B, C, D = (matrix(name, d, d) for name in "BCD")
f = function("f")
i, k = symbols("i k")
chances, others, scores = family("p", n), family("q", n), family("z", n)


def over(summand: Expr) -> Expr:
    """The sum over k from 1 to n."""
    return Sum(summand, (k, 1, n))


def line(then: Boolean, domain: Any = S.Reals, **more: Any) -> Statement:
    """A claim about every number x of a domain."""
    return Statement(variables={x: domain, **{symbols(name): value for name, value in more.items()}}, then=then)


def vectors(then: Boolean, *given: Boolean) -> Statement:
    """A claim about two vectors of every dimension."""
    return Statement(variables=TWO, given=given, then=then)


@chapter.statement("lemma-8.1", "Cauchy and Schwarz, in every dimension", "Cauchy 1821; Schwarz 1888", scope=whole())
def cauchy_schwarz() -> Statement:
    return vectors(inner(X, Y) ** 2 <= norm(X) ** 2 * norm(Y) ** 2)


@chapter.statement("lemma-8.2", "Young's inequality with a weight, in every dimension", "Young 1912", scope=whole())
def young() -> Statement:
    return Statement(variables=TWO | {c: POSITIVE}, then=2 * inner(X, Y) <= c * norm(X) ** 2 + norm(Y) ** 2 / c)


@chapter.statement("lemma-8.3", "The triangle inequality, in every dimension", "Minkowski 1896", scope=whole())
def triangle() -> Statement:
    return vectors(norm(X + Y) ** 2 <= (norm(X) + norm(Y)) ** 2)


@chapter.statement("lemma-8.4", "The parallelogram law", "Jordan and von Neumann 1935", scope=whole())
def parallelogram() -> Statement:
    return vectors(Eq(norm(X + Y) ** 2 + norm(X - Y) ** 2, 2 * norm(X) ** 2 + 2 * norm(Y) ** 2))


@chapter.statement(
    "lemma-8.5",
    "The three points identity of Bregman divergences, in every dimension",
    "Chen and Teboulle 1993",
    scope=whole(),
)
def three_points() -> Statement:
    def apart(of: Expr, to: Expr) -> Expr:
        return f(of) - f(to) - inner(f.gradient(to), of - to)

    turned = f.gradient(Y) - f.gradient(Z)
    return Statement(
        variables={f: SmoothConvex(L), L: POSITIVE} | TWO | {Z: Vectors()},
        then=Eq(apart(X, Z), apart(X, Y) + apart(Y, Z) + inner(turned, X - Y)),
    )


@chapter.statement("lemma-8.6", "The squared norm is strongly convex, with equality", "Nesterov 2004", scope=whole())
def strongly_convex_square() -> Statement:
    mixed = norm(c * X + (1 - c) * Y) ** 2
    return Statement(
        variables=TWO | {c: Interval(0, 1)},
        then=Eq(mixed, c * norm(X) ** 2 + (1 - c) * norm(Y) ** 2 - c * (1 - c) * norm(X - Y) ** 2),
    )


@chapter.statement("lemma-8.7", "The exponential lies above its tangent", "Euler 1748", scope=whole())
def exponential_tangent() -> Statement:
    return line(exp(x) >= 1 + x)


@chapter.statement("lemma-8.8", "The logarithm lies below its tangent", "Euler 1748", scope=whole())
def logarithm_tangent() -> Statement:
    return line(log(x) <= x - 1, POSITIVE)


@chapter.statement(
    "lemma-8.9", "The logarithm lies between x/(1 + x) and x", "Mitrinovic 1970, Analytic Inequalities", scope=whole()
)
def logarithm_between() -> Statement:
    return line((log(1 + x) >= x / (1 + x)) & (log(1 + x) <= x), Interval.open(-1, S.Infinity))


@chapter.statement("claim-8.10", "Folklore: log(1 + x) is at least x - x^2/2", scope=whole())
def logarithm_square() -> Statement:
    return line(log(1 + x) >= x - x**2 / 2, Interval.open(-1, S.Infinity))


@chapter.statement("claim-8.10.corrected", "That holds from zero on", "Mercator 1668", scope=whole())
def logarithm_square_right() -> Statement:
    return line(log(1 + x) >= x - x**2 / 2, NONNEGATIVE)


@chapter.statement("claim-8.11", "Folklore: exp(-x) is at most 1 - x + x^2/2", scope=whole())
def exponential_square() -> Statement:
    return line(exp(-x) <= 1 - x + x**2 / 2)


@chapter.statement("claim-8.11.corrected", "That holds from zero on", "Taylor 1715", scope=whole())
def exponential_square_right() -> Statement:
    return line(exp(-x) <= 1 - x + x**2 / 2, NONNEGATIVE)


@chapter.statement(
    "lemma-8.12", "Bernoulli's inequality for real exponents from one on", "Bernoulli 1689", scope=whole()
)
def bernoulli() -> Statement:
    return line((1 + x) ** r >= 1 + r * x, Interval.open(-1, S.Infinity), r=Interval(1, S.Infinity))


@chapter.statement("lemma-8.13", "Bernoulli's inequality for natural exponents", "Bernoulli 1689", scope=whole())
def bernoulli_natural() -> Statement:
    return line((1 + x) ** n >= 1 + n * x, Interval(-1, S.Infinity), n=S.Naturals)


@chapter.statement(
    "lemma-8.14",
    "The geometric mean of n positive numbers is at most their arithmetic mean",
    "Cauchy 1821",
    scope=whole(),
)
def means() -> Statement:
    return Statement(
        variables={chances: POSITIVE},
        then=over(log(chances[k])) / n <= log(over(chances[k]) / n),
        notes="Between logarithms, which keep positive numbers in order.",
    )


@chapter.statement(
    "lemma-8.15",
    "Young's inequality with exponents 3 and 3/2",
    "Young 1912",
    scope=case("exponents 3 and 3/2"),
    claims="all conjugate exponents",
)
def young_exponents() -> Statement:
    return Statement(variables={x: NONNEGATIVE, y: NONNEGATIVE}, then=x * y <= x**3 / 3 + 2 * y ** Rational(3, 2) / 3)


def divergence(of: Expr, to: Expr) -> Expr:
    """Of two outcomes, in nats."""
    return of * log(of / to) + (1 - of) * log((1 - of) / (1 - to))


@chapter.statement(
    "proposition-8.16",
    "The entropy of n outcomes is at most log n",
    "Shannon 1948",
    scope=whole(),
)
def entropy_bound() -> Statement:
    return Statement(
        variables={chances: POSITIVE},
        given=(Eq(over(chances[k]), 1),),
        then=-over(chances[k] * log(chances[k])) <= log(n),
        notes="Outcomes of probability zero are left out: with fewer outcomes the bound is smaller.",
    )


@chapter.statement(
    "proposition-8.17",
    "Gibbs: the divergence of two distributions of n outcomes is not negative",
    "Gibbs 1902",
    scope=whole(),
)
def gibbs() -> Statement:
    return Statement(
        variables={chances: POSITIVE, others: POSITIVE},
        given=(Eq(over(chances[k]), 1), Eq(over(others[k]), 1)),
        then=over(chances[k] * log(chances[k] / others[k])) >= 0,
    )


@chapter.statement(
    "theorem-8.18",
    "Pinsker: the divergence is at least 2 (p - q)^2",
    "Pinsker 1964; Csiszar 1967",
    scope=case("two outcomes, to which the general case reduces"),
    claims="the same with the total variation distance, for all distributions",
)
def pinsker() -> Statement:
    return Statement(variables={p: UNIT, q: UNIT}, then=divergence(p, q) >= 2 * (p - q) ** 2)


@chapter.statement(
    "theorem-8.19",
    "Hoeffding's lemma for a fair sign",
    "Hoeffding 1963",
    scope=case("a fair sign"),
    claims="every bounded random variable of mean zero",
)
def hoeffding_sign() -> Statement:
    return line(log(cosh(x)) <= x**2 / 2)


@chapter.statement(
    "theorem-8.20",
    "Hoeffding's lemma for a biased coin: the cumulant is at most s^2/8",
    "Hoeffding 1963",
    scope=case("two values, to which convexity reduces the general case"),
    claims="every bounded random variable of mean zero",
)
def hoeffding_coin() -> Statement:
    return Statement(variables={p: UNIT, s: S.Reals}, then=log(1 - p + p * exp(s)) - p * s <= s**2 / 8)


@chapter.statement("proposition-8.21", "The Gaussian tail is at most exp(-x^2)", "Chernoff 1952", scope=whole())
def gaussian_tail() -> Statement:
    return line(erfc(x) <= exp(-(x**2)), NONNEGATIVE)


@chapter.statement(
    "proposition-8.22", "Mills: the Gaussian tail is at most the density over x", "Gordon 1941", scope=whole()
)
def mills() -> Statement:
    return line(erfc(x) <= exp(-(x**2)) / (sqrt(pi) * x), POSITIVE)


@chapter.statement("proposition-8.23", "Mills, from below", "Gordon 1941", scope=whole())
def mills_below() -> Statement:
    return line(erfc(x) >= 2 * x * exp(-(x**2)) / (sqrt(pi) * (2 * x**2 + 1)), POSITIVE)


@chapter.statement(
    "proposition-8.24",
    "Log-sum-exp of n numbers lies between each of them and log n above their bound",
    "Boyd and Vandenberghe 2004, section 3.1",
    scope=whole(),
)
def log_sum_exp() -> Statement:
    total = log(over(exp(scores[k])))
    return Statement(
        variables={scores: S.Reals, m: S.Reals},
        given=(ForEach(i, n, scores[i] <= m),),
        then=ForEach(i, n, scores[i] <= total) & (total <= m + log(n)),
        notes="With m the largest of them these are the two sides of the claim.",
    )


@chapter.statement(
    "proposition-8.25", "Softplus is at most log 2 above the rectifier", "Dugas et al. 2001", scope=whole()
)
def softplus() -> Statement:
    soft = log(1 + exp(x))
    return line((soft >= Max(x, 0)) & (soft <= Max(x, 0) + log(2)))


@chapter.statement(
    "lemma-8.26", "The hyperbolic tangent lies between x - x^3/3 and x", "Mitrinovic 1970", scope=whole()
)
def hyperbolic_tangent() -> Statement:
    return line((tanh(x) <= x) & (tanh(x) >= x - x**3 / 3), NONNEGATIVE)


@chapter.statement("lemma-8.27", "Jordan: the sine lies above its chord", "Jordan 1894", scope=whole())
def jordan() -> Statement:
    return line(sin(x) >= 2 * x / pi, Interval(0, pi / 2))
