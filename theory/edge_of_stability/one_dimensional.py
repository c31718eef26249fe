"""Section 3.4.1: cycles of two gradient steps near a minimum of a function of one variable.

Theorem 3.1 is about every smooth function: its slope is a Taylor polynomial with a remainder that may be anything. In
the cases and steps a function is its Taylor polynomial around the minimum, with free coefficients up to one order more
than the claim needs: the terms beyond do not enter the leading coefficients.
"""

from collections.abc import Callable, Mapping

from sympy import And, Eq, Equivalent, Expr, Function, Implies, Interval, Ne, S, Symbol, factor_terms, factorial
from sympy.logic.boolalg import Boolean

from theory.domains import POSITIVE
from theory.dynamics import gradient_descent, vector
from theory.edge_of_stability._paper import paper
from theory.language.classes import Smooth, function
from theory.language.spaces import Vectors, norm
from theory.scope import case, own, part, whole
from theory.statements import Statement
from theory.temporal import Exists, ForAll, ForSmall, Scaling

section = paper.section(steps=case("f a polynomial of degree 6"))

x, u, mu, eta = (Symbol(name) for name in ("x", "u", "mu", "eta"))
e = Symbol("epsilon")
t = Symbol("t")
f2, f3, f4, f5, f6 = (Symbol(f"f_{order}") for order in range(2, 7))
NONZERO = S.Reals - {0}

quartic = (x**2 - mu) ** 2 / 4


def taylor(derivatives: Mapping[int, Expr], variable: Symbol = u) -> Expr:
    """The polynomial with these derivatives at the origin.

    >>> taylor({2: f2, 3: f3})
    f_2*u**2/2 + f_3*u**3/6
    """
    return sum((value * variable**order / factorial(order) for order, value in derivatives.items()), S.Zero)


def two_steps(loss: Expr, variable: Symbol, start: Expr, rate: Expr = eta) -> Expr:
    """Where two steps of gradient descent lead.

    >>> two_steps(u**2 / 2, u, S.One)
    -eta*(1 - eta) - eta + 1
    """
    return gradient_descent(loss, variable, rate).two_step().update[0].subs(variable, start)


def drift(loss: Expr, variable: Symbol, start: Expr, rate: Expr = eta) -> Expr:
    """The displacement of two steps per learning rate, (x2 - x0) / eta.

    >>> drift(u**2 / 2, u, S.One)
    eta - 2
    """
    return factor_terms(two_steps(loss, variable, start) - start).subs(variable, start).subs(eta, rate) / rate


def allows_oscillation(loss: Expr, variable: Symbol, minimum: Expr, curvature: Expr) -> ForSmall:
    """Definition 2 around a minimum: every point near it, on its right, lies on a 2-cycle at a rate beyond the edge.

    The curvature is the second derivative at the minimum, so that 2 / curvature is the edge of stability; the rates are
    as near to it as the points are to the minimum. The other points of the cycles are those on the left.
    """
    start, edge = minimum + t * e, 2 / curvature
    cycle = Exists(eta, Interval.open(edge, edge + e), Eq(two_steps(loss, variable, start), start))
    return ForSmall(e, ForAll(t, Interval.open(0, 1), cycle))


SMOOTH = taylor({2: f2, 3: f3, 4: f4, 5: f5, 6: f6})
"""A smooth function around its minimum at the origin."""

COEFFICIENTS = {f2: POSITIVE, f3: NONZERO, f4: S.Reals, f5: S.Reals, f6: S.Reals}


# Definition 2 -------------------------------------------------------------------------------------------------------


@paper.statement(
    "definition-1",
    "The gradient of an L-gradient Lipschitz function changes by at most L times the distance, in every dimension",
    equations=("3.2",),
    scope=whole(),
)
def definition_1() -> Statement:
    f, first, second, bound = function("f"), vector("theta_1"), vector("theta_2"), Symbol("L")
    return Statement(
        variables={f: Smooth(bound), first: Vectors(), second: Vectors(), bound: POSITIVE},
        then=norm(f.gradient(first) - f.gradient(second)) <= bound * norm(first - second),
        notes="That a bound on the spectral norm of the Hessian says the same stands after the definition.",
    )


paper.unstated(
    "definition-2",
    "A point that returns after two steps and is no minimum is a stable oscillation of period 2, for every loss",
    missing="functions of a class",
)


@paper.statement(
    "definition-2.quartic",
    "A point that returns after two steps and is no minimum oscillates with period 2",
    scope=case("the quartic loss, read as a claim: such a point moves"),
)
def definition_2() -> Statement:
    step = gradient_descent(quartic, x, eta)
    returns = Eq(step.two_step().update[0], x)
    return Statement(
        variables={x: S.Reals, mu: POSITIVE, eta: POSITIVE},
        given=(returns, Ne(x**2, mu)),
        then=Ne(step.update[0], x),
        notes="Read as a property of the quartic loss; the printed definition leaves other stationary points in.",
    )


@paper.statement(
    "definition-2.quartic.corrected", "A point that returns after two steps and is not stationary oscillates"
)
def definition_2_corrected() -> Statement:
    step = gradient_descent(quartic, x, eta)
    return Statement(
        variables={x: S.Reals, mu: POSITIVE, eta: POSITIVE},
        given=(Eq(step.two_step().update[0], x), Ne(quartic.diff(x), 0)),
        then=Ne(step.update[0], x),
    )


@paper.statement(
    "definition-2.a",
    "Every fixed point of two steps on the quartic: three stationary points, two kinds of cycle",
    scope=own("all fixed points of two steps on the quartic"),
)
def definition_2_a() -> Statement:
    step = gradient_descent(quartic, x, eta)
    growth = 1 + eta * (mu - x**2)
    factored = eta * x * (mu - x**2) * (1 + growth) * (1 - eta * x**2 * growth)
    return Statement(
        variables={x: S.Reals, mu: POSITIVE, eta: POSITIVE},
        then=Eq(step.two_step().update[0] - x, factored, evaluate=False),
        notes="One factor for each kind: x = 0, x^2 = mu, the cycle x, -x, and the cycle that surrounds the minimum.",
    )


@paper.statement(
    "definition-2.b",
    "Being a fixed point of two steps is the same as oscillating",
    label="Definition 2",
    scope=case("the quartic loss"),
    claims="A fixed point of two steps is the same as a period-2 stable oscillation, for every loss",
)
def definition_2_b() -> Statement:
    step = gradient_descent(quartic, x, eta)
    returns = Eq(step.two_step().update[0], x)
    return Statement(
        variables={x: S.Reals, mu: POSITIVE, eta: POSITIVE},
        then=Equivalent(returns, And(returns, Ne(x**2, mu))),
    )


paper.nearest["definition-2.b"] = "definition-2.a"


@paper.statement(
    "remark-1.a",
    "Points of a 2-cycle come in pairs",
    label="Remark 1 (after Definition 2)",
    scope=case("the quartic loss"),
    claims="Fixed points of the two-step update come in pairs, for every loss",
)
def remark_1_pairs() -> Statement:
    step = gradient_descent(quartic, x, eta)
    image = step.update[0]
    return Statement(
        variables={x: S.Reals, mu: POSITIVE, eta: POSITIVE},
        given=(Eq(step.two_step().update[0], x),),
        then=Eq(step.two_step().update[0].subs(x, image), image),
    )


@paper.statement(
    "equation-3.3",
    "The loss after one step, to second order",
    label="Equation after (3.3)",
    scope=case("f a polynomial of degree 4, with a remainder of third order in the step"),
    claims="The remainder is o of the squared step, for every differentiable f with bounded derivatives",
)
def equation_3_3() -> Statement:
    slope, curvature = f1, f2
    loss = taylor({1: slope, 2: curvature, 3: f3, 4: f4})
    step = gradient_descent(loss, u, eta).update[0].subs(u, 0)
    stated = -eta * slope**2 * (1 - eta * curvature / 2)
    return Statement(
        variables={f2: S.Reals, f3: S.Reals, f4: S.Reals, eta: POSITIVE},
        then=Scaling((loss.subs(u, step) - stated).subs(slope, e), e, 3, "at most"),
        notes="The gradient is the small quantity, so that a step is small.",
    )


f1 = Symbol("f_1")


# Any loss -----------------------------------------------------------------------------------------------------------

MINIMUM, REMAINDER = Symbol("xbar"), Function("R")

ANY_LOSS = (
    "f is differentiable as often as one likes; then f'(x) is {} with h = x - xbar around its minimum xbar, by Taylor's"
    " formula, and R may be any such function."
)


def returns_after_two_steps(slope: Callable[[Expr], Expr], start: Expr) -> Boolean:
    """Two steps of gradient descent lead back to the start, with a slope that depends on the distance from xbar."""

    def step(point: Expr) -> Expr:
        return point - eta * slope(point - MINIMUM)

    return Eq(step(step(start)), start, evaluate=False)


# Theorem 3.1 --------------------------------------------------------------------------------------------------------


def _oscillates(start: Expr) -> ForSmall:
    """Some rate beyond the edge of stability returns every start between the minimum and -eps; eps is e f3."""
    rates = Interval.open(2 / f2, 2 / (f2 - e * f3**2))
    cycle = Exists(eta, rates, Eq(two_steps(SMOOTH, u, start), start))
    return ForSmall(e, ForAll(t, Interval.open(0, 1), cycle))


@paper.statement(
    "theorem-3.1",
    "Near a minimum with f^(3) != 0 and 3 f^(3)^2 > f^(2) f^(4) every point lies on a 2-cycle, at a rate just beyond"
    " the edge of stability, for every differentiable f",
    scope=whole(),
)
def theorem_3_1_whole() -> Statement:
    def slope(h: Expr) -> Expr:
        return f2 * h + f3 * h**2 / 2 + f4 * h**3 / 6 + h**4 * REMAINDER(h)

    start = MINIMUM - t * e * f3
    rates = Interval.open(2 / f2, 2 / (f2 - e * f3**2))
    cycle = Exists(eta, rates, returns_after_two_steps(slope, start))
    return Statement(
        variables={MINIMUM: S.Reals, f2: POSITIVE, f3: NONZERO, f4: S.Reals},
        given=(3 * f3**2 - f2 * f4 > 0,),
        then=ForSmall(e, ForAll(t, Interval.open(0, 1), cycle)),
        notes=ANY_LOSS.format("f_2 h + f_3 h^2/2 + f_4 h^3/6 + h^4 R(h)")
        + " eps f_3 > 0 is built in by writing eps as a small positive number times f_3. Where f_3 is not 0, f_2 is"
        " positive at a minimum.",
    )


@paper.statement(
    "theorem-3.1.degree-6",
    "Just beyond the edge of stability every point near the minimum lies on a 2-cycle",
    scope=case("f a polynomial of degree 6"),
)
def theorem_3_1() -> Statement:
    return Statement(
        variables=COEFFICIENTS,
        given=(3 * f3**2 - f2 * f4 > 0,),
        then=_oscillates(-t * e * f3),
        notes="eps f''' > 0 is built in by writing eps as a small positive number times f'''.",
    )


@paper.statement(
    "theorem-3.1.a",
    "With condition (ii) reversed no rate just beyond the edge gives such a cycle",
    scope=own("the converse: condition (ii) reversed"),
)
def theorem_3_1_reversed() -> Statement:
    rates = Interval.open(2 / f2, 2 / (f2 - e * f3**2))
    return Statement(
        variables=COEFFICIENTS,
        given=(3 * f3**2 - f2 * f4 < 0,),
        then=ForSmall(e, ForAll(eta, rates, Ne(two_steps(SMOOTH, u, -e * f3), -e * f3))),
        notes="The negative control of the catalogue: not a claim of the paper. A proof needs the sign of the drift"
        " uniformly in the rate between the two ends, where its leading order changes from the third to the second.",
    )


@section.step("theorem-3.1", "t1", "Expansion of the two-step drift to third order")
def step_t1() -> Statement:
    a = eta * f2 - 1
    printed = (
        (2 * f2 - eta * f2**2) * e
        + (-f3 / 2 + eta * f2 * f3 / 2 - f3 * a**2 / 2) * e**2
        + (f4 / 6 - eta * f2 * f4 / 6 + a * eta * f3**2 / 2 - a**3 * f4 / 6) * e**3
    )
    return Statement(
        variables={**COEFFICIENTS, eta: POSITIVE},
        then=Scaling(drift(SMOOTH, u, -e) - printed, e, 4, "at most"),
    )


@section.step("theorem-3.1", "b.6", "At the edge of stability the drift is of third order", equations=("B.6",))
def step_b6() -> Statement:
    edge = 2 / f2
    return Statement(
        variables=COEFFICIENTS,
        then=Scaling(drift(SMOOTH, u, -e, edge) - (edge * f3**2 / 2 - f4 / 3) * e**3, e, 4, "at most"),
        uses=("t1",),
    )


@section.step("theorem-3.1", "t3", "Its coefficient is condition (ii)", scope=whole())
def step_t3() -> Statement:
    edge = 2 / f2
    return Statement(
        variables=COEFFICIENTS,
        then=Eq(edge * f3**2 / 2 - f4 / 3, (3 * f3**2 - f2 * f4) / (3 * f2)),
    )


@section.step("theorem-3.1", "t4", "The largest rate in units of the edge", scope=whole())
def step_t4() -> Statement:
    rate = 2 / (f2 - e * f3)
    return Statement(variables=COEFFICIENTS, then=Scaling(rate * f2 - (2 + 2 * f3 / f2 * e), e, 2, "at most"))


@section.step("theorem-3.1", "b.7", "At the largest rate the drift is of second order", equations=("B.7",))
def step_b7() -> Statement:
    rate = 2 / (f2 - e * f3)
    return Statement(
        variables=COEFFICIENTS,
        then=Scaling(drift(SMOOTH, u, -e, rate) + 2 * f3 * e**2, e, 3, "at most"),
        uses=("t1", "t4"),
    )


@section.step(
    "theorem-3.1",
    "t5",
    "The drift has opposite signs at the two ends of the range of rates",
    scope=part("the signs at the two ends, for f of degree 6; the rate in between is left to continuity"),
)
def step_t5() -> Statement:
    start, largest = -t * e * f3, 2 / (f2 - e * f3**2)
    ends = drift(SMOOTH, u, start, 2 / f2) * drift(SMOOTH, u, start, largest)
    return Statement(
        variables={**COEFFICIENTS, t: Interval.Lopen(0, 1)},
        given=(3 * f3**2 - f2 * f4 > 0,),
        then=ForSmall(e, ends < 0),
        uses=("b.6", "b.7"),
    )


@paper.statement(
    "remark-1.b",
    "The rate is beyond the edge at one point of the cycle only",
    label="Remark 1 (after Theorem 3.1)",
    scope=case("f a polynomial of degree 6, and exactly where the print approximates"),
    claims="To first order eta is below 2 / f'' at one point of the cycle and above it at the other, for every such f",
)
def remark_1_edge() -> Statement:
    rates = Interval.open(2 / f2, 2 / (f2 - e * f3**2))
    start = -e * f3
    image = gradient_descent(SMOOTH, u, eta).update[0].subs(u, start)
    curvature = SMOOTH.diff(u, 2)
    cycle = Eq(two_steps(SMOOTH, u, start), start)
    sides = And(eta < 2 / curvature.subs(u, start), 2 / curvature.subs(u, image) < 2 / f2)
    return Statement(
        variables=COEFFICIENTS,
        given=(3 * f3**2 - f2 * f4 > 0,),
        then=ForSmall(e, ForAll(eta, rates, Implies(cycle, sides))),
        notes="A proof needs the rate of the cycle as a power series in eps, that is, an implicit function in the"
        " engine for small parameters.",
    )


paper.unstated(
    "remark-2.a",
    "Condition (ii) holds at every minimum of matrix factorisation (Theorem B.3) and is seen in networks on MNIST",
    missing="matrices of every size",
    label="Remark 2 (after Theorem 3.1)",
)
