"""Chapter 2: descent on smooth, convex, strongly convex and Polyak-Lojasiewicz functions, in every dimension."""

from typing import Any

from sympy import Expr, symbols
from sympy.logic.boolalg import Boolean

from theory.classics._paper import paper
from theory.classics._words import NONNEGATIVE, POSITIVE, X0, L, X, Y, Z, eta, k, mu, t
from theory.dynamics import Map, vector
from theory.language.classes import (
    Smooth,
    SmoothConvex,
    SmoothStronglyConvex,
    function,
)
from theory.language.spaces import Vectors, inner, norm
from theory.scope import whole
from theory.statements import Statement

chapter = paper.section(
    steps=whole(),
    title="2 Descent",
    text=r"""Here $f$ is any function of a class, in every dimension: $L$-smooth, convex, strongly convex, or with the
inequality of Polyak and Lojasiewicz, $\|\nabla f\|^2 \ge 2 \mu (f - f_*)$. What holds after any number of steps is
said by a potential, a quantity that one step does not increase; summing it gives the rates $L/(2 N)$ of gradient
descent and $2 L/N^2$ of Nesterov's method.

Sharp here: $L/(4 N + 2)$ for gradient descent with step $1/L$, the rate $((L - \mu)/(L + \mu))^2$ with step $2/(\mu +
L)$, and every inequality between two points that interpolation theory gives.

Folklore carries over to nonconvex functions what convexity gives (gradients that shrink), to subgradients what
gradients do (values that fall), to the edge $2/L$ what holds below it, and to every start what Newton's method does
near the minimum.""",
)

f = function("f")
v = vector("v")
M = symbols("M")
SYMBOLS = {L: POSITIVE, mu: POSITIVE, eta: POSITIVE, M: POSITIVE, t: POSITIVE, k: NONNEGATIVE}
POINTS = (X, Y, Z, X0, v)
turned = f.gradient(X) - f.gradient(Y)
apart = X - Y
DISTANCE = norm(X0 - f.minimiser)


def gap(at: Expr = X) -> Expr:
    """How far a value is above the minimum."""
    return f(at) - f.minimum


def claim(of: Any, then: Boolean, *given: Boolean, **more: Any) -> Statement:
    """A claim about every function of a class at every point that is mentioned."""
    used = of.free_symbols | then.free_symbols | set().union(*(part.free_symbols for part in given))
    numbers = {symbol: domain for symbol, domain in SYMBOLS.items() if symbol in used}
    points = {point: Vectors() for point in POINTS if point in used}
    named = {symbols(name): domain for name, domain in more.items()}
    return Statement(variables={f: of, **points, **numbers, **named}, given=given, then=then)


def run(of: Any, method: Map, then: Boolean) -> Statement:
    """A claim about a method that starts at X0."""
    used = of.free_symbols | set(method.parameters) | then.free_symbols
    numbers = {symbol: domain for symbol, domain in SYMBOLS.items() if symbol in used - {method.time}}
    start = dict.fromkeys(method.state, X0)
    return Statement(variables={f: of, X0: Vectors(), **numbers}, dynamics=method, start=start, then=then)


step = X - f.gradient(X) / L
linear = f(X) + inner(f.gradient(X), Y - X)


@chapter.statement("lemma-2.1", "The descent lemma", "Polyak 1963; Nesterov 2004, lemma 1.2.3", scope=whole())
def descent_lemma() -> Statement:
    return claim(Smooth(L), f(Y) <= linear + L * norm(Y - X) ** 2 / 2)


@chapter.statement("lemma-2.2", "A convex function lies above its tangents", "Jensen 1906", scope=whole())
def tangents() -> Statement:
    return claim(SmoothConvex(L), f(Y) >= linear)


@chapter.statement(
    "lemma-2.3",
    "A convex smooth function lies above its tangents by the change of gradients",
    "Nesterov 2004, theorem 2.1.5",
    scope=whole(),
)
def tangents_and_gradients() -> Statement:
    return claim(SmoothConvex(L), f(Y) >= linear + norm(turned) ** 2 / (2 * L))


@chapter.statement(
    "theorem-2.4",
    "Baillon and Haddad: gradients of convex smooth functions are cocoercive",
    "Baillon and Haddad 1977",
    scope=whole(),
)
def cocoercive() -> Statement:
    return claim(SmoothConvex(L), L * inner(turned, apart) >= norm(turned) ** 2)


@chapter.statement("claim-2.5", "Folklore: gradients of smooth functions are cocoercive", scope=whole())
def cocoercive_without_convexity() -> Statement:
    return claim(Smooth(L), L * inner(turned, apart) >= norm(turned) ** 2)


@chapter.statement(
    "claim-2.5.corrected", "Without convexity gradients are Lipschitz and no more", "Nesterov 2004", scope=whole()
)
def lipschitz() -> Statement:
    return claim(Smooth(L), norm(turned) <= L * norm(apart))


@chapter.statement("lemma-2.6", "Strongly convex gradients are strongly monotone", "Nesterov 2004", scope=whole())
def strongly_monotone() -> Statement:
    return claim(SmoothStronglyConvex(mu, L), inner(turned, apart) >= mu * norm(apart) ** 2)


@chapter.statement(
    "lemma-2.7", "Strongly monotone and cocoercive at once", "Nesterov 2004, theorem 2.1.12", scope=whole()
)
def both() -> Statement:
    return claim(
        SmoothStronglyConvex(mu, L),
        (L + mu) * inner(turned, apart) >= mu * L * norm(apart) ** 2 + norm(turned) ** 2,
    )


@chapter.statement("lemma-2.8", "A large gradient means much to gain", "Nesterov 2004", scope=whole())
def gain() -> Statement:
    return claim(Smooth(L), norm(f.gradient(X)) ** 2 <= 2 * L * gap())


@chapter.statement("lemma-2.9", "Strongly convex functions grow quadratically", "Polyak 1966", scope=whole())
def growth() -> Statement:
    return claim(SmoothStronglyConvex(mu, L), gap() >= mu * norm(X - f.minimiser) ** 2 / 2)


@chapter.statement(
    "lemma-2.10",
    "Strong convexity implies the inequality of Polyak and Lojasiewicz",
    "Polyak 1963; Lojasiewicz 1963",
    scope=whole(),
)
def strong_implies_pl() -> Statement:
    return claim(SmoothStronglyConvex(mu, L), norm(f.gradient(X)) ** 2 >= 2 * mu * gap())


@chapter.statement(
    "proposition-2.11",
    "A step eta lowers the value by eta (1 - eta L/2) times the squared gradient",
    "Polyak 1963",
    scope=whole(),
)
def decrease() -> Statement:
    fallen = f(X) - eta * (1 - eta * L / 2) * norm(f.gradient(X)) ** 2
    return claim(Smooth(L), f(X - eta * f.gradient(X)) <= fallen, eta * L <= 2)


@chapter.statement("proposition-2.12", "Backtracking accepts every step up to 1/L", "Armijo 1966", scope=whole())
def armijo() -> Statement:
    fallen = f(X) - eta * norm(f.gradient(X)) ** 2 / 2
    return claim(Smooth(L), f(X - eta * f.gradient(X)) <= fallen, eta * L <= 1)


@chapter.statement("claim-2.13", "Folklore: every step up to 2/L lowers the value by half of eta |g|^2", scope=whole())
def long_armijo() -> Statement:
    fallen = f(X) - eta * norm(f.gradient(X)) ** 2 / 2
    return claim(Smooth(L), f(X - eta * f.gradient(X)) <= fallen, eta * L <= 2)


@chapter.statement(
    "claim-2.13.corrected", "Every step up to 2/L does not raise the value", "Polyak 1963", scope=whole()
)
def not_raised() -> Statement:
    return claim(Smooth(L), f(X - eta * f.gradient(X)) <= f(X), eta * L <= 2)


@chapter.statement(
    "claim-2.14", "Folklore: gradient descent shortens the gradient of every smooth function", scope=whole()
)
def shorter_gradient() -> Statement:
    return claim(Smooth(L), norm(f.gradient(step)) <= norm(f.gradient(X)))


@chapter.statement(
    "claim-2.14.corrected", "It shortens the gradient of convex smooth functions", "Nesterov 2004", scope=whole()
)
def shorter_convex_gradient() -> Statement:
    return claim(SmoothConvex(L), norm(f.gradient(step)) <= norm(f.gradient(X)))
