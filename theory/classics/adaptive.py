"""Chapter 4, continued: adaptive methods and bifurcations."""

from collections.abc import Callable

from sympy import (
    Abs,
    And,
    Eq,
    Equivalent,
    Expr,
    Interval,
    Max,
    Poly,
    Rational,
    S,
    Symbol,
    cancel,
    log,
    sqrt,
)
from sympy.logic.boolalg import Boolean

from theory.classics._words import (
    BELOW_ONE,
    POSITIVE,
    UNIT,
    beta,
    c,
    eta,
    h,
    k,
    lam,
    p,
    r,
    x,
    x0,
    y,
    y0,
)
from theory.classics.edge import chapter
from theory.dynamics import Flow, Map, gradient_descent
from theory.optimisers import adam, frozen, normalised, sign_descent
from theory.scope import case, whole
from theory.statements import Statement
from theory.temporal import Always, ConvergesTo


def late_adam() -> Map:
    """Adam on lambda x^2/2 when its second moment has settled at p^2, without correction of the bias."""
    rule = adam(lam * x**2 / 2, x, eta, beta, 1, epsilon=0, bias_correction=False)
    positive = {rule.state[2]: p**2}
    return Map(*_plain(frozen(rule, positive)))


def _plain(rule: Map) -> tuple[tuple[Symbol, ...], tuple[Expr, ...]]:
    return rule.state, tuple(entry.subs(sqrt(p**2), p) for entry in rule.update)


def _inside(rule: Map) -> Boolean:
    """Both multipliers of a linear rule of two numbers lie inside of the unit circle (Jury)."""
    jacobian = rule.jacobian
    outside, product_of_both = jacobian.trace(), jacobian.det()
    return And(1 + outside + product_of_both > 0, 1 - outside + product_of_both > 0, product_of_both < 1)


PRECONDITIONED = {lam: POSITIVE, eta: POSITIVE, p: POSITIVE}


@chapter.statement(
    "claim-4.15", "Folklore: Adam is stable exactly below the preconditioned sharpness 2/eta", scope=whole()
)
def adam_like_descent() -> Statement:
    return Statement(
        variables=PRECONDITIONED | {beta: BELOW_ONE}, then=Equivalent(_inside(late_adam()), eta * lam < 2 * p)
    )


@chapter.statement(
    "claim-4.15.corrected",
    "Adam is stable exactly below (2 + 2 beta)/((1 - beta) eta)",
    "Cohen et al. 2022, Adaptive gradient methods at the edge of stability",
    scope=whole(),
)
def adam_edge() -> Statement:
    return Statement(
        variables=PRECONDITIONED | {beta: BELOW_ONE},
        then=Equivalent(_inside(late_adam()), eta * lam * (1 - beta) < 2 * (1 + beta) * p),
        notes="The second moment is frozen at p^2, so that lambda/p is the preconditioned sharpness.",
    )


@chapter.statement("corollary-4.16", "For beta_1 = 0.9 the edge of Adam is 38/eta", "Cohen et al. 2022", scope=whole())
def adam_edge_number() -> Statement:
    usual = late_adam().substitute({beta: Rational(9, 10)})
    return Statement(variables=PRECONDITIONED, then=Equivalent(_inside(usual), eta * lam < 38 * p))


@chapter.statement(
    "proposition-4.17",
    "Below its edge Adam with a settled second moment converges",
    "Cohen et al. 2022",
    scope=whole(),
)
def adam_converges() -> Statement:
    rule = late_adam().substitute({p: 1, eta: 1, lam: h})
    return Statement(
        variables={h: POSITIVE, beta: BELOW_ONE, x0: S.Reals, y0: S.Reals},
        given=(h * (1 - beta) < 2 * (1 + beta),),
        dynamics=rule,
        start=dict(zip(rule.state, (x0, y0), strict=True)),
        then=ConvergesTo(x, 0),
        notes="h is the step times the preconditioned sharpness.",
    )


def signs(then: Boolean) -> Statement:
    return Statement(
        variables={eta: POSITIVE, x0: S.Reals},
        dynamics=sign_descent(x**2 / 2, x, eta),
        start={x: x0},
        then=then,
    )


@chapter.statement("claim-4.18", "Folklore: sign descent with a constant step converges to the minimum", scope=whole())
def sign_converges() -> Statement:
    return signs(ConvergesTo(x, 0))


@chapter.statement(
    "claim-4.18.corrected",
    "Sign descent stays within one step of the minimum once it is there",
    "Bernstein et al. 2018, signSGD",
    scope=whole(),
)
def sign_stays() -> Statement:
    return Statement(
        variables={eta: POSITIVE, x0: S.Reals},
        given=(Abs(x0) <= eta,),
        dynamics=sign_descent(x**2 / 2, x, eta),
        start={x: x0},
        then=Always(Abs(x) <= eta),
    )


@chapter.statement("claim-4.19", "Folklore: normalised gradient descent converges to the minimum", scope=whole())
def normalised_converges() -> Statement:
    return _normalised(ConvergesTo(x, 0), S.Zero)


@chapter.statement(
    "claim-4.19.corrected",
    "Normalised gradient descent never leaves the larger of its start and one step",
    "Shor 1985; Nesterov 2004",
    scope=case("dimension 1"),
)
def normalised_stays() -> Statement:
    return _normalised(Always(Abs(x) <= Max(Abs(x0), eta)), c)


def _normalised(then: Boolean, offset: Expr) -> Statement:
    """Normalised descent with an offset that is added to the norm of the gradient before the division."""
    return Statement(
        variables={eta: POSITIVE, x0: S.Reals, **({c: POSITIVE} if offset == c else {})},
        dynamics=normalised(x**2 / 2, x, eta, epsilon=offset),
        start={x: x0},
        then=then,
        notes="c is what is added to the norm of the gradient before the division." if offset == c else "",
    )


@chapter.statement(
    "claim-4.20", "Folklore: weight decay is a penalty on the squared weights, in Adam too", scope=whole()
)
def decay_is_penalty() -> Statement:
    return _decays(first_adam_step)


@chapter.statement(
    "claim-4.20.corrected", "It is one for gradient descent", "Loshchilov and Hutter 2019", scope=whole()
)
def decay_is_penalty_for_descent() -> Statement:
    return _decays(descent_step)


def first_adam_step(loss: Expr) -> Expr:
    """Where Adam leads from x in its first step, from moments that are zero."""
    rule = adam(loss, x, eta, epsilon=0, time=k)
    return rule.update[0].subs({k: 0, rule.state[1]: 0, rule.state[2]: 0})


def descent_step(loss: Expr) -> Expr:
    """Where gradient descent leads from x."""
    return gradient_descent(loss, x, eta).update[0]


def _decays(step: Callable[[Expr], Expr]) -> Statement:
    """Whether decay in the gradient and decay beside it are one rule."""
    loss = lam * x**2 / 2
    return Statement(
        variables={x: POSITIVE, lam: POSITIVE, r: POSITIVE, eta: POSITIVE},
        then=Eq(step(loss + r * x**2 / 2), step(loss) - eta * r * x, evaluate=False),
        notes="r is the weight of the decay.",
    )


@chapter.statement(
    "proposition-4.21",
    "Self-stabilisation: sharpness and oscillation circle around the edge",
    "Damian, Nichani and Lee 2023, Self-stabilization",
    scope=case("the planar flow of the averaged model"),
    claims="the same for losses with a progressive sharpening, up to small errors",
)
def self_stabilisation() -> Statement:
    energy = x**2 / 2 - c * log(x) + y**2 / 2
    return Statement(
        variables={c: POSITIVE, x0: POSITIVE, y0: S.Reals},
        dynamics=Flow((x, y), (x * y, c - x**2)),
        start={x: x0, y: y0},
        then=Always(Eq(energy, energy.subs({x: x0, y: y0}))),
        notes="x is the size of the oscillation, y the excess of the sharpness over the edge, c its pace.",
    )


logistic = Map((x,), (r * x * (1 - x),))


@chapter.statement(
    "proposition-4.22",
    "Logistic map: the fixed point attracts exactly for r between 1 and 3",
    "May 1976",
    scope=whole(),
)
def logistic_fixed_point() -> Statement:
    multiplier = logistic.jacobian[0].subs(x, 1 - 1 / r)
    return Statement(variables={r: POSITIVE}, then=Equivalent(Abs(multiplier) < 1, And(r > 1, r < 3)))


@chapter.statement(
    "proposition-4.23",
    "Logistic map: the 2-cycle attracts exactly for r between 3 and 1 + sqrt(6)",
    "May 1976",
    scope=whole(),
)
def logistic_cycle() -> Statement:
    returns = Poly(cancel((logistic.two_step().update[0] - x) / (logistic.update[0] - x)), x)
    leading, middle, constant = returns.all_coeffs()
    slope = Poly(logistic.jacobian[0] * logistic.jacobian[0].subs(x, y), x, y)
    multiplier = slope.coeff_monomial(1) + slope.coeff_monomial(x) * -middle / leading
    multiplier = cancel(multiplier + slope.coeff_monomial(x * y) * constant / leading)
    return Statement(variables={r: Interval.open(3, 4)}, then=Equivalent(Abs(multiplier) < 1, r < 1 + sqrt(6)))


@chapter.statement("proposition-4.24", "Logistic map: up to r = 1 everything dies out", "May 1976", scope=whole())
def logistic_dies() -> Statement:
    return _logistic(Interval.Lopen(0, 1), Interval(0, 1), S.Zero)


@chapter.statement(
    "proposition-4.25",
    "Logistic map: with r between 1 and 3 every start inside reaches the fixed point 1 - 1/r",
    "May 1976",
    scope=whole(),
)
def logistic_converges() -> Statement:
    return _logistic(Interval.open(1, 3), UNIT, 1 - 1 / r)


def _logistic(rates: Interval, start: Interval, limit: Expr) -> Statement:
    return Statement(variables={r: rates, x0: start}, dynamics=logistic, start={x: x0}, then=ConvergesTo(x, limit))
