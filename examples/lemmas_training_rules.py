"""Statements about training rules that are in none of the built-in papers: `lemmascope check` decides each of them."""

from sympy import And, Eq, Equivalent, Interval, S, Symbol, sqrt, symbols

from theory import (
    Always,
    Constant,
    ConvergesTo,
    Decreasing,
    Flow,
    Map,
    Statement,
    gradient_descent,
    gradient_flow,
    heavy_ball,
)

x, x0, v, eta, beta, L, r = symbols("x x0 v eta beta L r")
u, w, u0, w0 = symbols("u w u0 w0")

quadratic = L * x**2 / 2
descent = gradient_descent(quadratic, x, eta)

stable_quadratic = Statement(
    title="gradient descent on a quadratic converges below 2/L",
    variables={L: Interval.open(0, S.Infinity), eta: Interval.open(0, S.Infinity), x0: S.Reals},
    given=(eta * L < 2,),
    dynamics=descent,
    start={x: x0},
    then=ConvergesTo(x, 0),
)

momentum = heavy_ball(quadratic, x, eta, beta)
heavy_ball_triangle = Statement(
    title="heavy ball on a quadratic is stable exactly inside its triangle",
    variables={L: Interval.open(0, S.Infinity), eta: Interval.open(0, S.Infinity), beta: Interval.Ropen(0, 1)},
    then=Equivalent(And(*momentum.stability_region().conditions), eta * L < 2 * (1 + beta)),
)

logistic = Map((x,), (r * x * (1 - x),))
two_cycle = logistic.orbits(2)[0]
logistic_first_flip = Statement(
    title="the positive fixed point of the logistic map is stable for 1 < r < 3",
    variables={r: Interval.open(1, 3)},
    then=And(logistic.jacobian[0].subs(x, 1 - 1 / r) > -1, logistic.jacobian[0].subs(x, 1 - 1 / r) < 1),
)
c = Symbol("c")
logistic_second_flip = Statement(
    title="the 2-cycle of the logistic map is stable from r = 3 up to 1 + sqrt 6",
    variables={r: Interval.open(3, c)},
    constants=(Constant(c, 1 + sqrt(6), best="largest"),),
    then=And(logistic.multiplier(two_cycle) > -1, logistic.multiplier(two_cycle) < 1),
)

balanced = gradient_flow((u * w - 1) ** 2, (u, w))
balance = Statement(
    title="the flow of (u w - 1)^2 conserves u^2 - w^2",
    variables={u0: S.Reals, w0: S.Reals},
    dynamics=balanced,
    start={u: u0, w: w0},
    then=Always(Eq(u**2 - w**2, u0**2 - w0**2)),
)

descent_decreases = Statement(
    title="the loss decreases along gradient descent below the edge",
    variables={eta: Interval.open(0, 2), x0: Interval(1, 5)},
    dynamics=gradient_descent(x**2 / 2, x, eta),
    start={x: x0},
    then=Always(x**2 <= x0**2),
)

decay = Statement(
    title="weight decay pulls a flow towards zero",
    variables={L: Interval.open(0, S.Infinity), x0: Interval.open(0, S.Infinity)},
    dynamics=Flow((x,), (-L * x,)),
    start={x: x0},
    then=Decreasing(x),
)
