"""Chapter 6: stochastic gradient descent by its moments."""

from typing import Any

from sympy import Eq, Expr, Rational, S, symbols
from sympy.logic.boolalg import Boolean

from theory.classics._paper import paper
from theory.classics._words import (
    BELOW_ONE,
    HALF,
    POSITIVE,
    UNIT,
    X0,
    L,
    X,
    a,
    b,
    beta,
    c,
    d,
    eta,
    p,
    q,
    s,
    v,
    v0,
    w,
    x,
    x0,
    y,
)
from theory.dynamics import Map, gradient_descent, vector
from theory.language.classes import Smooth, function
from theory.language.means import Expectation, Noise
from theory.language.spaces import Vectors, inner, norm
from theory.scope import case, whole
from theory.statements import Statement
from theory.temporal import Always, ConvergesTo

chapter = paper.section(
    steps=whole(),
    title="6 Noise",
    text=r"""Every step draws its noise anew, independently of the past. For quadratic losses the second moments of
the iterates obey a linear rule of their own, so that what stochastic gradient descent does in the mean is decided
exactly: $x \leftarrow x - \eta (a x + \xi)$ has the stationary variance $\eta s/(a (2 - \eta a))$ when $\xi$ has
variance $s$.

Sharp here: that variance, its form with momentum, the largest stable step $2/(d + 2)$ for Gaussian features in $d$
dimensions, the penalty that dropout and input noise amount to.

Folklore lets a constant step converge to the minimiser, which happens for data that one model fits only; gives the
stochastic method the step size of the deterministic one, although multiplicative noise shrinks it; and forgets the
dimension.""",
)

xi, zeta = symbols("xi zeta")
feature, shock, W = vector("a"), vector("z"), vector("w")
noisy = {xi: Noise(mean=0, variance=s)}
SECOND = Expectation(x**2)
RATES = {a: POSITIVE, eta: POSITIVE, s: POSITIVE, x0: S.Reals}


def descended(loss: Expr) -> Expr:
    """One step of gradient descent on a loss that was drawn."""
    return gradient_descent(loss, x, eta).update[0]


quadratic = descended(a * x**2 / 2 + xi * x)


def run(step: Expr, then: Boolean, noise: Any, *given: Boolean, **more: Any) -> Statement:
    """A claim about means along a stochastic method on the line."""
    used = step.free_symbols | then.free_symbols | {x0} | set().union(*(part.free_symbols for part in given))
    used |= set().union(*(part.free_symbols for law in noise.values() for part in law.parts))
    drawn = {symbol for key in noise for symbol in (key if isinstance(key, tuple) else (key,))}
    domains = RATES | {symbols(name): domain for name, domain in more.items()}
    known = {symbol: domain for symbol, domain in domains.items() if symbol in used - drawn}
    return Statement(variables=known, noise=noise, given=given, dynamics=Map((x,), (step,)), start={x: x0}, then=then)


ROBBINS = "Robbins and Monro 1951"


@chapter.statement(
    "proposition-6.1", "In the mean stochastic gradient descent is gradient descent", ROBBINS, scope=whole()
)
def mean() -> Statement:
    return run(quadratic, ConvergesTo(Expectation(x), 0), noisy, eta * a < 2)


@chapter.statement(
    "claim-6.2", "Folklore: with a constant step stochastic descent converges to the minimiser", scope=whole()
)
def converges() -> Statement:
    return run(quadratic, ConvergesTo(SECOND, 0), noisy, eta * a < 2)


@chapter.statement(
    "claim-6.2.corrected",
    "It keeps the variance eta s/(a (2 - eta a))",
    "Mandt, Hoffman and Blei 2017; Bach and Moulines 2013",
    scope=whole(),
)
def stationary() -> Statement:
    return run(quadratic, ConvergesTo(SECOND, eta * s / (a * (2 - eta * a))), noisy, eta * a < 2)


@chapter.statement(
    "proposition-6.3",
    "The second moment never exceeds its start by more than eta s/a",
    "Moulines and Bach 2011",
    scope=whole(),
)
def bounded() -> Statement:
    return run(quadratic, Always(x0**2 + eta * s / a >= SECOND), noisy, eta * a < 1)


@chapter.statement(
    "proposition-6.4", "Without curvature the iterates are a random walk, which spreads", "Pearson 1905", scope=whole()
)
def random_walk() -> Statement:
    return run(descended(xi * x), Always(x0**2 <= SECOND), noisy)


@chapter.statement(
    "claim-6.5", "Folklore: stochastic descent is stable for the steps of gradient descent", scope=whole()
)
def stable_like_descent() -> Statement:
    return run(descended((a + xi) * x**2 / 2), ConvergesTo(SECOND, 0), noisy, eta * a < 2)


@chapter.statement(
    "claim-6.5.corrected",
    "With a random curvature it is stable for eta (a^2 + s) < 2 a",
    "Wu, Ma and E 2018, How SGD selects the global minima",
    scope=whole(),
)
def random_curvature() -> Statement:
    return run(descended((a + xi) * x**2 / 2), ConvergesTo(SECOND, 0), noisy, eta * (a**2 + s) < 2 * a)


GAUSSIAN = Noise(mean=0, variance=1, law="normal")


@chapter.statement(
    "proposition-6.6",
    "One Gaussian feature with label noise: the stationary error eta s/(2 - 3 eta)",
    "Bach and Moulines 2013",
    scope=whole(),
)
def one_feature() -> Statement:
    step = descended((b * x - xi) ** 2 / 2)
    noise = {b: GAUSSIAN, xi: Noise(mean=0, variance=s)}
    return run(step, ConvergesTo(SECOND, eta * s / (2 - 3 * eta)), noise, 3 * eta < 2)


regression = X - eta * (inner(feature, X) - xi) * feature


def in_space(step: Expr, then: Boolean, noise: Any, *given: Boolean) -> Statement:
    """A claim about means of vectors of every dimension d."""
    return Statement(
        variables={X0: Vectors(d), eta: POSITIVE, s: POSITIVE},
        noise=noise,
        given=given,
        dynamics=Map((X,), (step,)),
        start={X: X0},
        then=then,
    )


SQUARE = Expectation(norm(X) ** 2)
REGRESSION = {feature: GAUSSIAN, xi: Noise(mean=0, variance=s)}
RESTING = ConvergesTo(SQUARE, d * eta * s / (2 - eta * (d + 2)))


@chapter.statement(
    "claim-6.7", "Folklore: Gaussian regression is stable for steps that do not depend on the dimension", scope=whole()
)
def without_dimension() -> Statement:
    return in_space(regression, RESTING, REGRESSION, eta < HALF)


@chapter.statement(
    "claim-6.7.corrected",
    "It is stable below 2/(d + 2) and rests at d eta s/(2 - eta (d + 2))",
    "Werfel, Xie and Seung 2005; Paquette et al. 2021",
    scope=whole(),
)
def gaussian_regression() -> Statement:
    return in_space(regression, RESTING, REGRESSION, eta * (d + 2) < 2)


@chapter.statement(
    "proposition-6.8",
    "Isotropic noise in d dimensions rests at d eta s/(2 - eta)",
    "Mandt, Hoffman and Blei 2017",
    scope=whole(),
)
def isotropic() -> Statement:
    step = X - eta * (X + shock)
    noise = {shock: Noise(mean=0, variance=s)}
    return in_space(step, ConvergesTo(SQUARE, d * eta * s / (2 - eta)), noise, eta < 2)


@chapter.statement(
    "lemma-6.9", "Wick: the mean of |a|^2 <a, w>^2 is (d + 2) |w|^2", "Isserlis 1918; Wick 1950", scope=whole()
)
def wick() -> Statement:
    return Statement(
        variables={W: Vectors(d)},
        noise={feature: GAUSSIAN},
        then=Eq(Expectation(norm(feature) ** 2 * inner(feature, W) ** 2), (d + 2) * norm(W) ** 2),
    )


def with_momentum(step: Expr, carried: Expr, limit: Expr, *given: Boolean) -> Statement:
    """The second moment at rest of heavy ball on x^2/2 with noise of variance s in the gradient, with its velocity."""
    velocity = carried * v - step * ((x**2 / 2 + xi * x).diff(x))
    used = (step + carried).free_symbols | {s}
    known = {
        symbol: domain for symbol, domain in {eta: POSITIVE, beta: BELOW_ONE, s: POSITIVE}.items() if symbol in used
    }
    return Statement(
        variables=known | {x0: S.Reals, v0: S.Reals},
        noise=noisy,
        given=given,
        dynamics=Map((x, v), (x + velocity, velocity)),
        start={x: x0, v: v0},
        then=ConvergesTo(SECOND, limit),
    )


def momentum_variance(step: Expr, carried: Expr) -> Expr:
    return step * s * (1 + carried) / ((1 - carried) * (2 * (1 + carried) - step))


@chapter.statement(
    "proposition-6.11",
    "Momentum rests at eta s (1 + beta)/((1 - beta)(2 + 2 beta - eta))",
    "Polyak 1987; Gitman et al. 2019",
    scope=whole(),
)
def momentum_at_rest_always() -> Statement:
    return with_momentum(eta, beta, momentum_variance(eta, beta), eta < 2 * (1 + beta))


BATCH = {b: Noise(values=(1, 2))}


@chapter.statement(
    "proposition-6.12",
    "Data that one model fits: stochastic descent converges with a constant step",
    "Ma, Bassily and Belkin 2018, The power of interpolation",
    scope=case("two samples on the line"),
    claims="every interpolated least squares problem",
)
def interpolation() -> Statement:
    step = descended((b * x - b * c) ** 2 / 2)
    return run(step, ConvergesTo(Expectation((x - c) ** 2), 0), BATCH, eta < HALF, c=S.Reals)


@chapter.statement(
    "claim-6.13", "Folklore: with conflicting labels it converges to the least squares solution as well", scope=whole()
)
def conflicting() -> Statement:
    labels = {(b, y): Noise(values=((1, 3), (2, 1)))}
    step = descended((b * x - y) ** 2 / 2).subs(eta, Rational(1, 8))
    return run(step, ConvergesTo(Expectation((x - 1) ** 2), 0), labels)


@chapter.statement(
    "claim-6.13.corrected",
    "Its mean converges to the least squares solution",
    ROBBINS,
    scope=case("two samples on the line"),
)
def conflicting_mean() -> Statement:
    labels = {(b, y): Noise(values=((1, 3), (2, 1)))}
    return run(descended((b * x - y) ** 2 / 2), ConvergesTo(Expectation(x), 1), labels, eta < Rational(1, 4))


@chapter.statement(
    "lemma-6.14",
    "A batch of two halves the variance",
    "Bienayme 1853",
    scope=case("a batch of two"),
    claims="a batch of n divides it by n",
)
def batch_of_two() -> Statement:
    law = Noise(mean=0, variance=s)
    return Statement(
        variables={s: POSITIVE}, noise={xi: law, zeta: law}, then=Eq(Expectation(((xi + zeta) / 2) ** 2), s / 2)
    )


@chapter.statement(
    "lemma-6.15",
    "Variance reduction: the corrected gradient has variance s (x - y)^2",
    "Johnson and Zhang 2013, SVRG",
    scope=case("quadratics on the line"),
    claims="at most proportional to the distance of both points, for smooth convex losses",
)
def variance_reduction() -> Statement:
    corrected = xi * x - xi * y + a * y
    return Statement(
        variables={x: S.Reals, y: S.Reals, a: POSITIVE, s: POSITIVE},
        noise={xi: Noise(mean=a, variance=s)},
        then=Eq(Expectation((corrected - a * x) ** 2), s * (x - y) ** 2),
    )


@chapter.statement(
    "proposition-6.16",
    "An exponential average keeps the share (1 - beta)/(1 + beta) of the variance",
    "Roberts 1959; Kingma and Ba 2015",
    scope=whole(),
)
def exponential_average() -> Statement:
    step = beta * x + (1 - beta) * xi
    return run(step, ConvergesTo(SECOND, (1 - beta) / (1 + beta) * s), noisy, beta=BELOW_ONE)


@chapter.statement(
    "proposition-6.17",
    "Input noise is a penalty s |w|^2, in every dimension",
    "Bishop 1995, Training with noise is equivalent to Tikhonov regularization",
    scope=whole(),
)
def input_noise() -> Statement:
    return Statement(
        variables={W: Vectors(d), X: Vectors(d), y: S.Reals, s: POSITIVE},
        noise={shock: Noise(mean=0, variance=s)},
        then=Eq(Expectation((y - inner(W, X + shock)) ** 2), (y - inner(W, X)) ** 2 + s * norm(W) ** 2),
    )


@chapter.statement(
    "proposition-6.18",
    "Dropout of a linear model is a penalty (1 - p)/p x^2 w^2",
    "Wager, Wang and Liang 2013",
    scope=case("one feature"),
    claims="the sum over all features",
)
def dropout() -> Statement:
    return Statement(
        variables={x: S.Reals, w: S.Reals, y: S.Reals, p: UNIT},
        noise={q: Noise(values=(0, 1 / p), probabilities=(1 - p, p))},
        then=Eq(Expectation((y - q * x * w) ** 2), (y - x * w) ** 2 + (1 - p) / p * x**2 * w**2),
    )


@chapter.statement(
    "proposition-6.19", "Multiplicative noise of mean one keeps the mean: a martingale", "Doob 1953", scope=whole()
)
def martingale() -> Statement:
    return run(x * (1 + xi), Always(Eq(Expectation(x), x0)), noisy)


@chapter.statement(
    "proposition-6.20",
    "A noisy step lowers a smooth function by eta (1 - eta L/2) |g|^2, up to eta^2 L/2 times the squared noise",
    "Bottou, Curtis and Nocedal 2018",
    scope=whole(),
)
def one_step() -> Statement:
    f, noise = function("f"), vector("z")
    slope = f.gradient(X)
    later = f(X - eta * (slope + noise))
    mean_zero = eta * (1 - eta * L) * inner(slope, noise)
    return Statement(
        variables={f: Smooth(L), X: Vectors(), noise: Vectors(), L: POSITIVE, eta: POSITIVE},
        then=later <= f(X) - eta * (1 - eta * L / 2) * norm(slope) ** 2 - mean_zero + L * eta**2 / 2 * norm(noise) ** 2,
        notes="For every value z of the noise; where its mean is zero, so is that of the term <g, z>.",
    )
