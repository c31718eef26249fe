"""Chapter 1: gradient descent and momentum on quadratic losses."""

from sympy import Eq, Max, S, sqrt
from sympy.logic.boolalg import Boolean

from theory.classics._paper import paper
from theory.classics._words import (
    BELOW_ONE,
    POSITIVE,
    A,
    L,
    X,
    beta,
    d,
    eta,
    lam,
    mu,
    x,
    x0,
    y0,
)
from theory.dynamics import Flow, Map, gradient_descent
from theory.language.spaces import SymmetricMatrices, Vectors, identity, norm
from theory.scope import case, whole
from theory.statements import Statement
from theory.temporal import Always, ConvergesTo

chapter = paper.section(
    steps=whole(),
    title="1 Quadratics and momentum",
    text=r"""The model is $f(x) = \frac{1}{2} x^\top A x$ with eigenvalues between $\mu$ and $L$. Gradient descent
multiplies each eigendirection by $1 - \eta \lambda$. One number, $h = \eta \lambda$, decides everything about one
direction, and the worst of all eigenvalues decides about the whole.

Sharp here: the edge $2/L$ of gradient descent, the edge $(2 + 2 \beta)/L$ of heavy ball, the edge $(2 + 2 \beta)/((1
+ 2 \beta) L)$ of Nesterov's method, the best step $2/(\mu + L)$ and its rate $(L - \mu)/(L + \mu)$.

Folklore forgets the edge itself, where gradient descent oscillates for ever; takes a spectral radius below one for a
distance that decreases; takes momentum for something that always helps and never overshoots; and gives Nesterov's
method the edge of gradient descent, which is larger than its own.""",
)

CURVED = {A: SymmetricMatrices(d, lower=mu, upper=L), X: Vectors(d), mu: POSITIVE, L: POSITIVE}
MODE = lam * x**2 / 2
"""One eigendirection of a quadratic loss."""

DOMAINS = {lam: POSITIVE, eta: POSITIVE, beta: BELOW_ONE, x0: S.Reals, y0: S.Reals}
moved = (identity(d) - eta * A) * X


def one_step(then: Boolean, *given: Boolean) -> Statement:
    """A claim about one step on every quadratic loss of every dimension."""
    return Statement(variables=CURVED | {eta: POSITIVE}, given=given, then=then)


def mode(dynamics: Map | Flow, then: Boolean, *given: Boolean) -> Statement:
    """A claim about one eigendirection from every start; a method with momentum starts from any two points."""
    start = dict(zip(dynamics.state, (x0, y0), strict=False))
    used = {*dynamics.parameters, *start.values()}
    known = {symbol: domain for symbol, domain in DOMAINS.items() if symbol in used}
    return Statement(variables=known, given=given, dynamics=dynamics, start=start, then=then)


@chapter.statement(
    "proposition-1.1", "A short step contracts by 1 - eta mu, in every dimension", "Polyak 1963", scope=whole()
)
def short_step() -> Statement:
    return one_step(norm(moved) ** 2 <= (1 - eta * mu) ** 2 * norm(X) ** 2, eta * (mu + L) <= 2)


@chapter.statement(
    "proposition-1.2", "A long step contracts by eta L - 1, in every dimension", "Polyak 1963", scope=whole()
)
def long_step() -> Statement:
    return one_step(norm(moved) ** 2 <= (eta * L - 1) ** 2 * norm(X) ** 2, eta * (mu + L) >= 2)


@chapter.statement(
    "theorem-1.3",
    "The step 2/(mu + L) contracts by (L - mu)/(L + mu), in every dimension",
    "Polyak 1963; Nesterov 2004, Introductory Lectures on Convex Optimization",
    scope=whole(),
)
def best_step() -> Statement:
    best = (identity(d) - 2 / (mu + L) * A) * X
    return Statement(variables=CURVED, then=norm(best) ** 2 <= ((L - mu) / (L + mu)) ** 2 * norm(X) ** 2)


@chapter.statement("proposition-1.4", "No step does better on both ends of the spectrum", "Polyak 1963", scope=whole())
def no_better_step() -> Statement:
    ends = (gradient_descent(MODE, x, eta).jacobian[0].subs(lam, end) for end in (mu, L))
    return Statement(
        variables={mu: POSITIVE, L: POSITIVE, eta: S.Reals},
        given=(mu <= L,),
        then=Max(*(end**2 for end in ends)) >= ((L - mu) / (L + mu)) ** 2,
    )


@chapter.statement(
    "proposition-1.5", "Up to 2/L gradient descent does not lead away, in every dimension", "Polyak 1963", scope=whole()
)
def does_not_expand() -> Statement:
    return one_step(norm(moved) <= norm(X), eta * L <= 2)


@chapter.statement("claim-1.6", "Folklore: gradient descent converges for every step up to 2/L", scope=whole())
def up_to_the_edge() -> Statement:
    return mode(gradient_descent(MODE, x, eta), ConvergesTo(x, 0), eta * lam <= 2)


@chapter.statement(
    "claim-1.6.corrected", "Gradient descent on a quadratic converges below 2/L", "Polyak 1963", scope=whole()
)
def below_the_edge() -> Statement:
    return mode(gradient_descent(MODE, x, eta), ConvergesTo(x, 0), eta * lam < 2)


@chapter.statement("proposition-1.7", "At the edge the distance never changes", "Polyak 1963", scope=whole())
def at_the_edge() -> Statement:
    return mode(gradient_descent(MODE, x, 2 / lam), Always(Eq(x**2, x0**2)))


@chapter.statement("proposition-1.8", "Beyond the edge the distance never shrinks", "Polyak 1963", scope=whole())
def beyond_the_edge() -> Statement:
    return mode(gradient_descent(MODE, x, eta), Always(x**2 >= x0**2), eta * lam > 2)


@chapter.statement(
    "proposition-1.9",
    "Two Chebyshev steps contract by 1/T_2((L + mu)/(L - mu))",
    "Young 1953, On Richardson's method",
    scope=case("two steps"),
    claims="N steps at the inverse Chebyshev nodes contract by 1/T_N((L + mu)/(L - mu))",
)
def chebyshev() -> Statement:
    centre, radius = (L + mu) / 2, (L - mu) / 2
    product = S.One
    for side in (1, -1):
        step = 1 / (centre + side * radius / sqrt(2))
        product *= gradient_descent(MODE, x, step).jacobian[0]
    return Statement(
        variables={mu: POSITIVE, L: POSITIVE, lam: POSITIVE},
        given=(mu < L, mu <= lam, lam <= L),
        then=product.simplify() ** 2 * (2 * (centre / radius) ** 2 - 1) ** 2 <= 1,
    )
