"""Chapter 2, continued: potentials, rates, proximal and subgradient steps, flows, Newton."""

from typing import Any

from sympy import Eq, Expr, Interval, Or, Rational, S, cosh, log, oo, sqrt, symbols
from sympy.logic.boolalg import Boolean

from theory.classics._words import X0, L, X, Y, Z, beta, eta, k, mu, s, t, x, x0
from theory.classics.descent import DISTANCE, M, chapter, claim, f, gap, run, step, v
from theory.dynamics import Map, gradient_descent, nesterov, proximal_point
from theory.language.classes import (
    Convex,
    ConvexLipschitz,
    PolyakLojasiewicz,
    Smooth,
    SmoothConvex,
    SmoothStronglyConvex,
)
from theory.language.spaces import inner, norm
from theory.scope import case, whole
from theory.statements import Statement
from theory.temporal import After, ConvergesTo


@chapter.statement(
    "theorem-2.15",
    "The potential of gradient descent: k (f - f*) + L |x - x*|^2 / 2 does not grow",
    "Bansal and Gupta 2019, Potential-function proofs",
    scope=whole(),
)
def potential() -> Statement:
    later = (k + 1) * gap(step) + L * norm(step - f.minimiser) ** 2 / 2
    return claim(SmoothConvex(L), later <= k * gap() + L * norm(X - f.minimiser) ** 2 / 2)


def rate(steps: int) -> Statement:
    return run(SmoothConvex(L), gradient_descent(f, X, 1 / L), After(steps, gap() <= L * DISTANCE**2 / (4 * steps + 2)))


TIGHT = "Drori and Teboulle 2014, Performance of first-order methods"
EVERY = "L |x_0 - x*|^2 / (4 N + 2) after N steps"


@chapter.statement(
    "theorem-2.16", "One step of gradient descent reaches L R^2/6", TIGHT, scope=case("N = 1"), claims=EVERY
)
def rate_one() -> Statement:
    return rate(1)


@chapter.statement(
    "theorem-2.17", "Three steps of gradient descent reach L R^2/14", TIGHT, scope=case("N = 3"), claims=EVERY
)
def rate_three() -> Statement:
    return rate(3)


@chapter.statement(
    "claim-2.18", "Folklore: two steps of gradient descent reach L R^2/16, as on quadratics", scope=whole()
)
def quadratic_rate() -> Statement:
    return run(SmoothConvex(L), gradient_descent(f, X, 1 / L), After(2, gap() <= L * DISTANCE**2 / 16))


@chapter.statement("claim-2.18.corrected", "Two steps of gradient descent reach L R^2/10", TIGHT, scope=case("N = 2"))
def rate_two() -> Statement:
    return rate(2)


@chapter.statement(
    "theorem-2.19",
    "Strong convexity: the step 2/(mu + L) contracts by (L - mu)/(L + mu)",
    "Polyak 1963; Nesterov 2004, theorem 2.1.15",
    scope=whole(),
)
def contraction() -> Statement:
    moved = X - 2 / (mu + L) * f.gradient(X)
    return claim(
        SmoothStronglyConvex(mu, L),
        norm(moved - f.minimiser) ** 2 <= ((L - mu) / (L + mu)) ** 2 * norm(X - f.minimiser) ** 2,
    )


@chapter.statement("theorem-2.20", "Strong convexity: the step 1/L contracts by 1 - mu/L", "Polyak 1963", scope=whole())
def contraction_short() -> Statement:
    return claim(
        SmoothStronglyConvex(mu, L),
        norm(step - f.minimiser) ** 2 <= (1 - mu / L) ** 2 * norm(X - f.minimiser) ** 2,
    )


@chapter.statement(
    "theorem-2.21",
    "Polyak and Lojasiewicz: the gap shrinks by 1 - mu/L",
    "Polyak 1963; Karimi, Nutini and Schmidt 2016",
    scope=whole(),
)
def pl_rate() -> Statement:
    return claim(PolyakLojasiewicz(mu, L), gap(step) <= (1 - mu / L) * gap())


@chapter.statement(
    "claim-2.22",
    "Folklore: one step shrinks the gap by 1 - 2 mu/L, as gradient flow does to first order",
    scope=whole(),
)
def pl_flow_rate() -> Statement:
    return claim(PolyakLojasiewicz(Rational(1, 10), 1), gap(X - f.gradient(X)) <= Rational(4, 5) * gap())


@chapter.statement(
    "claim-2.22.corrected",
    "Under strong convexity the gap shrinks by (1 - mu/L)^2",
    "Taylor, Hendrickx and Glineur 2018",
    scope=whole(),
)
def strong_squared() -> Statement:
    return claim(SmoothStronglyConvex(mu, L), gap(step) <= (1 - mu / L) ** 2 * gap())


@chapter.statement(
    "theorem-2.23",
    "Two steps on a nonconvex function find a gradient of squared size L/2 times the gap",
    "Drori and Shamir 2020; Abbaszadehpeivasti, de Klerk and Zamani 2022",
    scope=case("N = 2"),
    claims="4 L/(3 N + 2) times the gap within N steps",
)
def small_gradient() -> Statement:
    small = norm(f.gradient(X)) ** 2 <= L * gap(X0) / 2
    return run(Smooth(L), gradient_descent(f, X, 1 / L), Or(*(After(j, small) for j in range(3))))


@chapter.statement(
    "theorem-2.24",
    "The potential of Nesterov's method does not grow, for every step",
    "Nesterov 1983; Beck and Teboulle 2009; Bansal and Gupta 2019",
    scope=whole(),
)
def nesterov_potential() -> Statement:
    ahead = X + (Z - X) / s
    later = ahead - f.gradient(ahead) / L
    turned_to = Z - s / L * f.gradient(ahead)
    before = (s**2 - s) * gap() + L * norm(Z - f.minimiser) ** 2 / 2
    return claim(
        SmoothConvex(L),
        s**2 * gap(later) + L * norm(turned_to - f.minimiser) ** 2 / 2 <= before,
        s=Interval(1, oo),
    )


@chapter.statement(
    "theorem-2.25",
    "Nesterov's method after two steps",
    "Nesterov 1983; Kim and Fessler 2016",
    scope=case("N = 2"),
    claims="2 L R^2/(N + 1)^2 after N steps",
)
def nesterov_two() -> Statement:
    method = nesterov(f, X, 1 / L, (k - 1) / (k + 2), time=k)
    return run(SmoothConvex(L), method, After(2, gap() <= L * DISTANCE**2 / 10))


@chapter.statement(
    "theorem-2.26",
    "The potential of the proximal point method does not grow, for every step",
    "Martinet 1970; Rockafellar 1976; Guler 1991",
    scope=whole(),
)
def proximal_potential() -> Statement:
    later = f.proximal(X, eta)
    before = k * eta * gap() + norm(X - f.minimiser) ** 2 / 2
    return claim(Convex(), (k + 1) * eta * gap(later) + norm(later - f.minimiser) ** 2 / 2 <= before)


@chapter.statement("proposition-2.27", "Proximal maps do not expand", "Moreau 1965", scope=whole())
def proximal_map() -> Statement:
    return claim(Convex(), norm(f.proximal(X, eta) - f.proximal(Y, eta)) <= norm(X - Y))


@chapter.statement("claim-2.28", "Folklore: a step along a subgradient lowers the value if it is short", scope=whole())
def subgradient_falls() -> Statement:
    return claim(ConvexLipschitz(M), f(X - eta * f.subgradient(X)) <= f(X), eta * M <= Rational(1, 100))


@chapter.statement(
    "claim-2.28.corrected",
    "It lowers the distance as long as eta M^2 is below twice the gap",
    "Shor 1962; Polyak 1967",
    scope=whole(),
)
def subgradient_distance() -> Statement:
    moved = X - eta * f.subgradient(X)
    bound = norm(X - f.minimiser) ** 2 - 2 * eta * gap() + eta**2 * M**2
    return claim(ConvexLipschitz(M), norm(moved - f.minimiser) ** 2 <= bound)


@chapter.statement(
    "theorem-2.29",
    "Along gradient flow t (f - f*) + |x - x*|^2 / 2 does not grow: the rate 1/t",
    "Su, Boyd and Candes 2016",
    scope=whole(),
)
def flow_energy() -> Statement:
    speed = -f.gradient(X)
    change = gap() + t * inner(f.gradient(X), speed) + inner(X - f.minimiser, speed)
    return claim(SmoothConvex(L), change <= 0)


@chapter.statement(
    "theorem-2.30",
    "Along the flow of Nesterov's method the energy t^2 (f - f*) + ... does not grow",
    "Su, Boyd and Candes 2016",
    scope=case("the friction is 3/t"),
    claims="the same energy, with r - 1 in it, does not grow for any friction r/t with r at least 3",
)
def accelerated_flow_energy() -> Statement:
    return _accelerated(S(3))


@chapter.statement("claim-2.31", "Folklore: twice the gap is at most <g, x - x*>, as on quadratics", scope=whole())
def gap_like_quadratic() -> Statement:
    return claim(SmoothConvex(L), 2 * gap() <= inner(f.gradient(X), X - f.minimiser))


@chapter.statement(
    "claim-2.31.corrected", "For convex functions the gap itself is at most <g, x - x*>", "Jensen 1906", scope=whole()
)
def gap_convex() -> Statement:
    return claim(SmoothConvex(L), gap() <= inner(f.gradient(X), X - f.minimiser))


def _accelerated(friction: Expr) -> Statement:
    """The rate of change of t^2 (f - f*) + |(r - 1)(x - x*) + t v|^2 / 2 along x'' + (r/t) x' + g = 0."""
    pull = -friction * v - t * f.gradient(X)
    lead = (friction - 1) * (X - f.minimiser) + t * v
    change = 2 * t * gap() + t**2 * inner(f.gradient(X), v) + inner(lead, friction * v + pull)
    return claim(SmoothConvex(L), change <= 0)


@chapter.statement(
    "theorem-2.32",
    "Along gradient flow the gap obeys (f - f*)' <= -2 mu (f - f*)",
    "Polyak 1963; Lojasiewicz 1963",
    scope=whole(),
)
def pl_flow() -> Statement:
    return claim(PolyakLojasiewicz(mu, L), inner(f.gradient(X), -f.gradient(X)) <= -2 * mu * gap())


@chapter.statement("proposition-2.33", "Polyak's step shortens the distance", "Polyak 1969", scope=whole())
def polyak_step() -> Statement:
    moved = X - eta * f.gradient(X)
    return claim(
        SmoothConvex(L),
        norm(moved - f.minimiser) ** 2 <= norm(X - f.minimiser) ** 2 - eta * gap(),
        Eq(eta * norm(f.gradient(X)) ** 2, gap()),
    )


@chapter.statement(
    "proposition-2.34",
    "Heavy ball: the loss plus the squared last step does not grow",
    "Zavriev and Kostyuk 1993",
    scope=whole(),
)
def heavy_ball_energy() -> Statement:
    later = X + beta * (X - Y) - eta * f.gradient(X)
    before = f(X) + beta / (2 * eta) * norm(X - Y) ** 2
    return claim(
        Smooth(L),
        f(later) + beta / (2 * eta) * norm(later - X) ** 2 <= before,
        eta * L <= 2 * (1 - beta),
        beta=Interval.Ropen(0, 1),
    )


def newton(loss: Expr) -> Map:
    """Newton's method for minimisation on the line."""
    return Map((x,), ((x - loss.diff(x) / loss.diff(x, 2)).simplify(),))


@chapter.statement(
    "claim-2.35", "Folklore: Newton's method converges from every start on a strictly convex function", scope=whole()
)
def newton_everywhere() -> Statement:
    return Statement(variables={x0: S.Reals}, dynamics=newton(sqrt(1 + x**2)), start={x: x0}, then=ConvergesTo(x, 0))


@chapter.statement(
    "claim-2.35.corrected",
    "On sqrt(1 + x^2) it is x -> -x^3, which converges from |x| < 1",
    "Kantorovich 1948; folklore example",
    scope=whole(),
)
def newton_inside() -> Statement:
    return Statement(
        variables={x0: Interval.open(-1, 1)}, dynamics=newton(sqrt(1 + x**2)), start={x: x0}, then=ConvergesTo(x, 0)
    )


@chapter.statement(
    "claim-2.36", "Folklore: a Newton step on a convex function such as log cosh does not lead away", scope=whole()
)
def newton_log_cosh() -> Statement:
    return Statement(variables={x: S.Reals}, then=newton(log(cosh(x))).update[0] ** 2 <= x**2)


@chapter.statement(
    "claim-2.36.corrected",
    "On log cosh Newton's method converges from |x| <= 1",
    "Boyd and Vandenberghe 2004",
    scope=whole(),
)
def newton_log_cosh_inside() -> Statement:
    return Statement(
        variables={x0: Interval(-1, 1)}, dynamics=newton(log(cosh(x))), start={x: x0}, then=ConvergesTo(x, 0)
    )


@chapter.statement(
    "proposition-2.37", "Convexity makes the distance shrink, up to steps 2/L", "Nesterov 2004", scope=whole()
)
def convex_distance() -> Statement:
    moved = X - eta * f.gradient(X)
    return claim(SmoothConvex(L), norm(moved - f.minimiser) <= norm(X - f.minimiser), eta * L <= 2)


N = symbols("N")


def every_number(of: Any, method: Map, then: Boolean) -> Statement:
    """A claim after every number N of steps."""
    first = run(of, method, After(1, gap() >= 0))
    return first.but(variables={**first.variables, N: S.Naturals}, then=then)


@chapter.statement(
    "theorem-2.38", "N steps of gradient descent reach L R^2/(2 N), for every N", "Nesterov 2004", scope=whole()
)
def every_rate() -> Statement:
    return every_number(SmoothConvex(L), gradient_descent(f, X, 1 / L), After(N, gap() <= L * DISTANCE**2 / (2 * N)))


@chapter.statement(
    "theorem-2.39", "N steps shrink the distance by (1 - mu/L)^N, for every N", "Polyak 1963", scope=whole()
)
def every_contraction() -> Statement:
    shrunk = norm(X - f.minimiser) ** 2 <= (1 - mu / L) ** (2 * N) * DISTANCE**2
    return every_number(SmoothStronglyConvex(mu, L), gradient_descent(f, X, 1 / L), After(N, shrunk))


@chapter.statement(
    "theorem-2.40", "N steps shrink the gap of Polyak and Lojasiewicz by (1 - mu/L)^N", "Polyak 1963", scope=whole()
)
def every_pl() -> Statement:
    method = gradient_descent(f, X, 1 / L)
    return every_number(PolyakLojasiewicz(mu, L), method, After(N, gap() <= (1 - mu / L) ** N * gap(X0)))


@chapter.statement("theorem-2.41", "N proximal steps reach R^2/(2 eta N), for every N", "Guler 1991", scope=whole())
def every_proximal() -> Statement:
    return every_number(Convex(), proximal_point(f, X, eta), After(N, gap() <= DISTANCE**2 / (2 * eta * N)))
