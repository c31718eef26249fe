"""Chapter 1, continued: momentum, flows and single steps on quadratic losses."""

from sympy import Eq, Equivalent, Expr, Interval, Rational, S, exp, solve, sqrt
from sympy.logic.boolalg import Boolean

from theory.classics._words import (
    BELOW_ONE,
    POSITIVE,
    UNIT,
    A,
    L,
    X,
    Y,
    beta,
    c,
    d,
    eta,
    h,
    lam,
    mu,
    p,
    q,
    r,
    s,
    t,
    v,
    x,
    x0,
    y,
    y0,
)
from theory.classics.quadratics import MODE, chapter, mode
from theory.dynamics import Flow, Map, gradient_descent, gradient_flow, heavy_ball, nesterov
from theory.language.spaces import SymmetricMatrices, Vectors, inner, norm
from theory.scope import case, whole
from theory.statements import Statement
from theory.temporal import After, Always, ConvergesTo


@chapter.statement(
    "theorem-1.10",
    "Heavy ball converges below (2 + 2 beta)/L",
    "Polyak 1964, Some methods of speeding up the convergence of iteration methods",
    scope=whole(),
)
def heavy_ball_region() -> Statement:
    return mode(heavy_ball(MODE, x, eta, beta), ConvergesTo(x, 0), eta * lam < 2 * (1 + beta))


@chapter.statement("claim-1.11", "Folklore: momentum doubles the largest step, to 4/L", scope=whole())
def momentum_doubles() -> Statement:
    return mode(heavy_ball(MODE, x, eta, beta), ConvergesTo(x, 0), eta * lam < 4)


@chapter.statement(
    "claim-1.11.corrected",
    "It is doubled in the limit beta to 1 only: 2/L is safe for every momentum",
    "Polyak 1964",
    scope=whole(),
)
def momentum_keeps_the_edge() -> Statement:
    return mode(heavy_ball(MODE, x, eta, beta), ConvergesTo(x, 0), eta * lam < 2)


@chapter.statement(
    "lemma-1.12",
    "The multipliers of heavy ball solve z^2 - (1 + beta - eta lambda) z + beta = 0",
    "Polyak 1964",
    scope=whole(),
)
def heavy_ball_multipliers() -> Statement:
    derived = heavy_ball(MODE, x, eta, beta).jacobian.charpoly(c).as_expr()
    return Statement(
        variables={lam: POSITIVE, eta: POSITIVE, beta: BELOW_ONE, c: S.Reals},
        then=Eq(derived, c**2 - (1 + beta - eta * lam) * c + beta, evaluate=False),
    )


@chapter.statement(
    "theorem-1.13",
    "Polyak's parameters put the multipliers of all eigenvalues on one circle",
    "Polyak 1964",
    scope=whole(),
)
def best_heavy_ball() -> Statement:
    step, carried = 4 / (p + q) ** 2, ((p - q) / (p + q)) ** 2
    jacobian = heavy_ball(MODE, x, step, carried).jacobian
    return Statement(
        variables={q: POSITIVE, p: POSITIVE, lam: POSITIVE},
        given=(q <= p, q**2 <= lam, lam <= p**2),
        then=jacobian.trace() ** 2 <= 4 * jacobian.det(),
        notes="L = p^2 and mu = q^2. A discriminant that is not positive means two conjugate multipliers, whose product"
        " is beta, so that both have the modulus (p - q)/(p + q).",
    )


@chapter.statement("claim-1.14", "Folklore: momentum always speeds up", scope=whole())
def always_faster() -> Statement:
    jacobian = heavy_ball(h * x**2 / 2, x, 1, beta).jacobian
    return Statement(
        variables={h: Interval.open(0, 2), beta: UNIT},
        given=(jacobian.trace() ** 2 < 4 * jacobian.det(),),
        then=jacobian.det() < gradient_descent(h * x**2 / 2, x, 1).jacobian[0] ** 2,
        notes="Conjugate multipliers: the squared rate of heavy ball is its determinant.",
    )


@chapter.statement(
    "claim-1.14.corrected",
    "Momentum speeds up the flat directions, eta lambda < 1 - sqrt(beta), only",
    "Polyak 1964",
    scope=whole(),
)
def faster_where_flat() -> Statement:
    jacobian = heavy_ball(h * x**2 / 2, x, 1, s**2).jacobian
    return Statement(
        variables={h: UNIT, s: UNIT},
        given=(jacobian.trace() ** 2 < 4 * jacobian.det(),),
        then=Equivalent(jacobian.det() < gradient_descent(h * x**2 / 2, x, 1).jacobian[0] ** 2, h < 1 - s),
        notes="beta = s^2, below the step at which gradient descent overshoots.",
    )


@chapter.statement("claim-1.15", "Folklore: the loss of heavy ball decreases in every step", scope=whole())
def monotone_heavy_ball() -> Statement:
    current, before = heavy_ball(MODE, x, eta, beta).state
    later = heavy_ball(MODE, x, eta, beta).update[0]
    return Statement(
        variables={lam: POSITIVE, eta: POSITIVE, beta: BELOW_ONE, current: S.Reals, before: S.Reals},
        given=(eta * lam <= 1,),
        then=MODE.subs(x, later) <= MODE,
    )


@chapter.statement(
    "claim-1.15.corrected",
    "On quadratics the loss plus beta/(2 eta) times the squared last step does not grow, in every dimension",
    "Zavriev and Kostyuk 1993",
    scope=whole(),
)
def heavy_ball_energy() -> Statement:
    def energy(now: Expr, before: Expr) -> Expr:
        return inner(now, A * now) / 2 + beta / (2 * eta) * norm(now - before) ** 2

    later = X + beta * (X - Y) - eta * A * X
    return Statement(
        variables={
            X: Vectors(d),
            Y: Vectors(d),
            A: SymmetricMatrices(d, lower=0, upper=L),
            L: POSITIVE,
            eta: POSITIVE,
            beta: BELOW_ONE,
        },
        given=(eta * L <= 2 * (1 - beta),),
        then=energy(later, X) <= energy(X, Y),
    )


def nesterov_mode(*given: Boolean) -> Statement:
    """Convergence of Nesterov's method along one eigendirection in units of the step: h = eta lambda."""
    dynamics = nesterov(h * x**2 / 2, x, 1, beta)
    return Statement(
        variables={h: POSITIVE, beta: BELOW_ONE, x0: S.Reals, y0: S.Reals},
        given=given,
        dynamics=dynamics,
        start=dict(zip(dynamics.state, (x0, y0), strict=True)),
        then=ConvergesTo(x, 0),
        notes="h = eta lambda: the step and the eigenvalue occur in this product only.",
    )


@chapter.statement(
    "theorem-1.16",
    "Nesterov's method converges below (2 + 2 beta)/((1 + 2 beta) L)",
    "Nesterov 1983; Lessard, Recht and Packard 2016",
    scope=whole(),
)
def nesterov_region() -> Statement:
    return nesterov_mode(h * (1 + 2 * beta) < 2 * (1 + beta))


@chapter.statement("claim-1.17", "Folklore: Nesterov's method is stable for steps below 2/L", scope=whole())
def nesterov_like_descent() -> Statement:
    return nesterov_mode(h < 2)


@chapter.statement(
    "claim-1.17.corrected",
    "Nesterov's method is stable for every momentum for steps up to 4/(3 L)",
    "Lessard, Recht and Packard 2016",
    scope=whole(),
)
def nesterov_every_momentum() -> Statement:
    return nesterov_mode(h <= Rational(4, 3))


@chapter.statement(
    "claim-1.18", "Folklore: a spectral radius below one makes every step shorten the distance", scope=whole()
)
def no_transient() -> Statement:
    return _shear(Always(x**2 + y**2 <= x0**2 + y0**2))


@chapter.statement(
    "claim-1.18.corrected",
    "A spectral radius below one makes the distance vanish in the end",
    "Gelfand 1941",
    scope=case("triangular matrices of size 2"),
)
def transient_ends() -> Statement:
    return _shear(ConvergesTo((x, y), (0, 0)))


def _shear(then: Boolean) -> Statement:
    return Statement(
        variables={r: UNIT, c: S.Reals, x0: S.Reals, y0: S.Reals},
        dynamics=Map((x, y), (r * x + c * y, r * y)),
        start={x: x0, y: y0},
        then=then,
    )


@chapter.statement(
    "proposition-1.19", "Along gradient flow an eigendirection decays like exp(-lambda t)", "Cauchy 1847", scope=whole()
)
def flow_mode() -> Statement:
    flow = gradient_flow(MODE, x)
    timed = Flow(flow.state, flow.velocity, t, flow.loss)
    return mode(timed, Always(Eq(x, x0 * exp(-lam * t))))


@chapter.statement(
    "proposition-1.20",
    "After three steps an eigendirection is multiplied by (1 - eta lambda)^3",
    "Polyak 1963",
    scope=case("three steps"),
    claims="(1 - eta lambda)^k after k steps",
)
def three_steps() -> Statement:
    return mode(gradient_descent(MODE, x, eta), After(3, Eq(x, (1 - eta * lam) ** 3 * x0)))


@chapter.statement("proposition-1.21", "Implicit steps converge for every step size", "Martinet 1970", scope=whole())
def implicit() -> Statement:
    (later,) = solve(y + eta * MODE.diff(x).subs(x, y) - x, y)
    return mode(Map((x,), (later,)), ConvergesTo(x, 0))


@chapter.statement(
    "proposition-1.22",
    "The mean of two iterates at the edge 2/L is the minimum",
    "Polyak and Juditsky 1992, averaging",
    scope=whole(),
)
def averaging() -> Statement:
    step = gradient_descent(MODE, x, 2 / lam).update[0]
    return Statement(variables={lam: POSITIVE, x: S.Reals}, then=Eq((x + step) / 2, 0, evaluate=False))


@chapter.statement(
    "proposition-1.23", "Newton's step on a quadratic leads to the minimum at once", "Newton 1669", scope=whole()
)
def newton() -> Statement:
    loss = lam * (x - c) ** 2 / 2
    step = x - loss.diff(x) / loss.diff(x, 2)
    return Statement(variables={lam: POSITIVE, x: S.Reals, c: S.Reals}, then=Eq(step, c, evaluate=False))


@chapter.statement(
    "proposition-1.24",
    "The heavy ball flow with any friction comes to rest in the minimum",
    "Polyak 1964; Alvarez 2000",
    scope=whole(),
)
def heavy_ball_flow() -> Statement:
    return Statement(
        variables={lam: POSITIVE, c: POSITIVE, x0: S.Reals, y0: S.Reals},
        dynamics=Flow((x, v), (v, -c * v - MODE.diff(x))),
        start={x: x0, v: y0},
        then=ConvergesTo((x, v), (0, 0)),
    )


@chapter.statement("claim-1.25", "Folklore: more friction stops the heavy ball flow sooner", scope=whole())
def more_friction() -> Statement:
    return Statement(
        variables={lam: POSITIVE, p: POSITIVE, q: POSITIVE},
        given=(p < q, p**2 > 4 * lam),
        then=_slow_rate(p) <= _slow_rate(q),
        notes="Both frictions are beyond critical damping, where the slow rate is a root of z^2 - p z + lambda.",
    )


@chapter.statement(
    "claim-1.25.corrected",
    "Beyond critical damping more friction is slower, down to lambda/friction",
    "Polyak 1964",
    scope=whole(),
)
def more_friction_is_slower() -> Statement:
    return Statement(
        variables={lam: POSITIVE, p: POSITIVE, q: POSITIVE},
        given=(p < q, p**2 > 4 * lam),
        then=_slow_rate(p) > _slow_rate(q),
    )


def _slow_rate(friction: Expr) -> Expr:
    return (friction - sqrt(friction**2 - 4 * lam)) / 2


@chapter.statement(
    "proposition-1.26",
    "The exact line search never gains less than (L - mu)^2/(L + mu)^2, in every dimension",
    "Kantorovich 1948",
    scope=whole(),
)
def kantorovich() -> Statement:
    loss, bend, square = norm(X) ** 2 / 2, norm(A * X) ** 2, inner(X, A * X)
    return Statement(
        variables={X: Vectors(d), A: SymmetricMatrices(d, lower=mu, upper=L), mu: POSITIVE, L: POSITIVE},
        then=(loss * bend - square**2 / 2) * (L + mu) ** 2 <= (L - mu) ** 2 * loss * bend,
        notes="x stands for A^(1/2) times the weights, so that the loss is |x|^2/2, |g|^2 is <x, A x> and g^T A g is "
        "|A x|^2; the best step is |g|^2 / g^T A g, and the loss falls by |g|^4 / (2 g^T A g).",
    )
