"""Section 3.4.2 and Appendix B.7: gradient descent on (x y - mu)^2 / 2 balances its two factors.

In the proof b is the product x y, and the second factor of a two-step ratio uses the product after one step.
"""

from functools import cache

from sympy import (
    Abs,
    And,
    Eq,
    Equivalent,
    Expr,
    Implies,
    Interval,
    Matrix,
    Min,
    Ne,
    Rational,
    S,
    Symbol,
    hessian,
    oo,
    sqrt,
)
from sympy.logic.boolalg import Boolean

from theory.domains import POSITIVE
from theory.dynamics import Map, gradient_descent
from theory.edge_of_stability._display import display
from theory.edge_of_stability._paper import paper
from theory.edge_of_stability.one_dimensional import mu, x
from theory.edge_of_stability.quartic import BOUND, K, bound, cycle, rate
from theory.scope import own, part, whole
from theory.statements import Constant, Statement
from theory.temporal import Always, ConvergesTo, Eventually

section = paper.section(steps=whole())

y, b, r, lam = (Symbol(name) for name in ("y", "b", "r", "lambda"))
x0, y0 = Symbol("x_0"), Symbol("y_0")

bilinear = (x * y - mu) ** 2 / 2
LIMIT = Interval.open(1, Rational(3, 2))
PLANE = {K: LIMIT, mu: POSITIVE, x: POSITIVE, y: POSITIVE}
STARTS = {mu: POSITIVE, x0: POSITIVE, y0: POSITIVE}
STAYS_POSITIVE = Always(And(x > 0, y > 0))


@cache
def descent() -> Map:
    """(B.1): both factors move along the gradient of the bilinear loss with eta = K / mu."""
    return gradient_descent(bilinear, (x, y), rate)


def product_after(point: tuple[Expr, Expr] = (x, y)) -> Expr:
    """The product of the two factors after one step."""
    first, second = descent().update
    return (first * second).subs({x: point[0], y: point[1]}, simultaneous=True)


def growth(product: Expr) -> Expr:
    """1 - eta (mu - product): the factor by which one step multiplies the imbalance y - x."""
    return 1 - rate * (mu - product)


# The objects --------------------------------------------------------------------------------------------------------


@paper.statement("equation-b.2", "Hessian of the bilinear loss", equations=("B.2",), scope=whole())
def equation_b2() -> Statement:
    derived = hessian(bilinear, (x, y))
    return display(
        {x: S.Reals, y: S.Reals, mu: POSITIVE},
        {"f_xx": (derived[0, 0], y**2), "f_xy": (derived[0, 1], 2 * x * y - mu), "f_yy": (derived[1, 1], x**2)},
    )


@paper.statement(
    "claim-3.4.a", "At a minimum the leading eigenvalue is (x - y)^2 + 2 mu and the other one is 0", scope=whole()
)
def claim_3_4_a() -> Statement:
    derived = hessian(bilinear, (x, y))
    return Statement(
        variables={x: S.Reals, y: S.Reals, mu: POSITIVE, lam: S.Reals},
        given=(Eq(x * y, mu),),
        then=Eq((derived - lam * Matrix.eye(2)).det(), lam * (lam - (x - y) ** 2 - 2 * mu)),
    )


# Theorem 3.4 --------------------------------------------------------------------------------------------------------


@paper.statement(
    "theorem-3.4", "As long as both factors stay positive, their imbalance decays where x y > mu", scope=whole()
)
def theorem_3_4() -> Statement:
    small = Eventually(Always(Implies(x * y > mu, Abs(x - y) < r)))
    return Statement(
        variables={K: Interval.open(1, bound), **STARTS, r: POSITIVE},
        dynamics=descent(),
        start={x: x0, y: y0},
        then=Implies(STAYS_POSITIVE, small),
        constants=(Constant(bound, Rational(3, 2), best="largest"),),
        notes="For every r > 0. The steps prove that two steps from x y > mu shrink the imbalance, and for K below"
        " sqrt(2) theorem-3.4.balance that |y^2 - x^2| never grows; a proof of the limit needs a factor below 1 that"
        " does not tend to 1 along the orbit, that is, a positive distance from the minima.",
    )


@paper.statement(
    "theorem-3.4.balance",
    "One step multiplies y^2 - x^2 by 1 - eta^2 (mu - x y)^2",
    scope=own("another way to the balance"),
)
def theorem_3_4_balance() -> Statement:
    first, second = descent().update
    kept = 1 - rate**2 * (mu - x * y) ** 2
    return display(
        {K: POSITIVE, mu: POSITIVE, x: S.Reals, y: S.Reals},
        {"balance": (second**2 - first**2, (y**2 - x**2) * kept)},
        notes="Not a claim of the paper, and a shorter way to its balancing than the product of two steps.",
    )


@paper.statement(
    "theorem-3.4.balance.a",
    "For K below sqrt(2) it shrinks at every step that is not taken at a minimum",
    scope=own("another way to the balance"),
)
def theorem_3_4_shrinks() -> Statement:
    return Statement(
        variables={K: Interval.open(1, sqrt(2)), mu: POSITIVE, x: POSITIVE, y: POSITIVE},
        given=(*_image_positive(), Ne(x * y, mu)),
        then=And(rate**2 * (mu - x * y) ** 2 < 2, rate**2 * (mu - x * y) ** 2 > 0),
        notes="Not a claim of the paper. A factor between -1 and 1; positive images bound eta (x y - mu) by 1.",
    )


@paper.statement(
    "proposition-3", "For K below sqrt(4.5) - 1 the two factors converge to the balanced 2-cycle", scope=whole()
)
def proposition_3() -> Statement:
    smaller, larger = cycle()
    return Statement(
        variables={K: Interval.open(1, bound), **STARTS},
        dynamics=descent(),
        start={x: x0, y: y0},
        then=Implies(STAYS_POSITIVE, ConvergesTo((x, y), (smaller, smaller), (larger, larger))),
        constants=(Constant(bound, BOUND, best="largest"),),
    )


@paper.statement("proposition-3.corrected", "They do from almost every start: minima themselves do not move")
def proposition_3_corrected() -> Statement:
    return proposition_3().but(
        almost_all=(x0, y0),
        notes="A proof needs Theorem 3.4 with a rate and Theorem 3.3 for a map with a perturbation that dies out.",
    )


paper.unstated(
    "remark-5",
    "For some K >= 1.5 descent converges to an unbalanced orbit from some start, for example at K = 1.9",
    missing="a start that exists: quantifiers over the starts of a trajectory",
    label="Remark 5 (Appendix B.1)",
)


@paper.statement(
    "remark-5.swap",
    "Unbalanced orbits: the two factors swap in two steps where eta (x y - mu) is u and then w, u w = u + w = -1",
    label="Remark 5 (Appendix B.1)",
    scope=own("the algebra of an unbalanced orbit that swaps its factors"),
)
def remark_5() -> Statement:
    u, w = Symbol("u"), Symbol("w")
    first, second = x - u * y, y - u * x
    return Statement(
        variables={K: POSITIVE, mu: POSITIVE, x: POSITIVE, y: POSITIVE, u: S.Reals, w: S.Reals},
        given=(
            Eq(u, rate * (x * y - mu)),
            Eq(w, rate * (first * second - mu)),
            Eq(u * w, -1),
            Eq(u + w, -1),
        ),
        then=And(Eq(first - w * second, y), Eq(second - w * first, x)),
        notes="A step with eta (x y - mu) = u leads from (x, y) to (x - u y, y - u x) (#step). The orbit of the remark"
        " has u = g - 1 and w = -g with the golden ratio g; for which K there is one, remark-5.b says.",
    )


@section.step("remark-5.swap", "step", "One step in terms of u", scope=own("a step in these units"))
def remark_5_step() -> Statement:
    u = rate * (x * y - mu)
    first, second = descent().update
    return display(
        {K: POSITIVE, mu: POSITIVE, x: S.Reals, y: S.Reals}, {"x": (first, x - u * y), "y": (second, y - u * x)}
    )


@paper.statement(
    "remark-5.b",
    "Such an orbit is positive and unbalanced exactly for K in (g, 2)",
    label="Remark 5 (Appendix B.1)",
    scope=own("for which K that orbit is positive and unbalanced"),
)
def remark_5_range() -> Statement:
    """By (B.33) the square (x - y)^2 times g - 1 is the product after a step of balanced factors minus K - g over K."""
    golden = (1 + sqrt(5)) / 2
    above, below = 1 + (golden - 1) / K, 1 - golden / K
    spread = (above * (2 - golden) ** 2 - below) / (golden - 1)
    return Statement(
        variables={K: Interval.open(1, oo)}, then=Equivalent(And(spread > 0, below > 0), And(golden < K, K < 2))
    )


@paper.statement(
    "remark-5.a",
    "At K = 1.9 positive factors become balanced all the same, from almost every start",
    scope=own("a question: what becomes of almost every start at the K of the example"),
)
def remark_5_a() -> Statement:
    small = Eventually(Always(Implies(x * y > mu, Abs(x - y) < r)))
    return Statement(
        variables={**STARTS, r: POSITIVE},
        dynamics=descent().substitute({K: Rational(19, 10)}),
        start={x: x0, y: y0},
        then=Implies(STAYS_POSITIVE, small),
        almost_all=(x0, y0),
        notes="The remark cites K = 1.9 as an example of convergence to an unbalanced orbit. A proof needs that the"
        " unbalanced orbit of remark-5.swap repels, and a bound on what stays positive for ever at this K.",
    )


@section.step("theorem-3.4", "b.31", "One step multiplies the imbalance", equations=("B.31", "B.32"))
def step_b31() -> Statement:
    first, second = descent().update
    return display(PLANE, {"imbalance": (second - first, (y - x) * (1 - rate * (mu - x * y)))})


@section.step("theorem-3.4", "b.33", "The product after one step", equations=("B.4", "B.33"))
def step_b33() -> Statement:
    gap = rate * (mu - x * y)
    return display(
        PLANE,
        {
            "expanded": (product_after(), x * y + gap * (x**2 + y**2) + gap**2 * x * y),
            "product": (product_after(), x * y * (1 + gap) ** 2 + gap * (x - y) ** 2),
        },
    )


@section.step("theorem-3.4", "b.34", "Upper bound on the imbalance after two steps", equations=("B.34",))
def step_b34() -> Statement:
    p = x * y
    return Statement(
        variables=PLANE,
        given=(p > mu, y > x, *_image_positive()),
        then=(y - x) * growth(p) * growth(product_after())
        < (y - x) * growth(p) * growth(p * (1 + rate * (mu - p)) ** 2),
        uses=("b.31", "b.33"),
    )


def _image_positive() -> tuple[Boolean, ...]:
    """Both factors are positive after one step."""
    first, second = descent().update
    return (first > 0, second > 0)


z, s = Symbol("z"), Symbol("s")
after_gap = K - (K + z) * (1 - z) ** 2 + z * s
"""eta (mu - p) for the product p after a step, with z = eta (x y - mu) and s = eta (x - y)^2."""

two_step_factor = (1 + z) * (1 - after_gap)
ABOVE = {K: LIMIT, z: Interval.open(0, 1), s: Interval(0, oo)}
"""Above the minimum, where positive images make z smaller than both ratios of the factors and so than 1."""

IN_UNITS = "z is eta (x y - mu) and s is eta (x - y)^2, by the step units."


@section.step(
    "theorem-3.4",
    "units",
    "A step in terms of z = eta (x y - mu) and s = eta (x - y)^2",
    scope=own("a step in the units of later steps"),
)
def step_units() -> Statement:
    first, second = descent().update
    here = {z: rate * (x * y - mu), s: rate * (x - y) ** 2}
    return display(
        PLANE,
        {
            "x": (first, (x - z * y).subs(here)),
            "y": (second, (y - z * x).subs(here)),
            "growth": (growth(x * y), (1 + z).subs(here)),
            "gap": (rate * (mu - product_after()), after_gap.subs(here)),
        },
    )


@section.step("theorem-3.4", "b.35", "Below the minimum the imbalance shrinks, for K below 2", equations=("B.35",))
def step_b35() -> Statement:
    return Statement(
        variables={K: Interval.open(0, 2), mu: POSITIVE, b: POSITIVE},
        given=(b < mu,),
        then=And(growth(b) < 1, growth(b) > -1),
    )


@section.step("theorem-3.4", "w4", "Positive images bound the growth by one plus the ratio of the factors")
def step_w4() -> Statement:
    return Statement(
        variables=PLANE,
        given=_image_positive(),
        then=growth(x * y) < 1 + Min(x / y, y / x),
    )


@section.step("theorem-3.4", "b.38", "Case I.1: the image lies far below the minimum", equations=("B.37", "B.38"))
def step_b38() -> Statement:
    ratio = Symbol("q")
    return Statement(
        variables={**ABOVE, ratio: Interval.Lopen(0, 1)},
        given=(z < ratio, after_gap >= Rational(1, 2)),
        then=two_step_factor < Rational(1, 2) + ratio / 2,
        notes=f"{IN_UNITS} q is the smaller ratio of the factors, which positive images make larger than z.",
    )


@section.step("theorem-3.4", "b.39", "Case I.2: the image lies below x_s^2", equations=("B.39",))
def step_b39() -> Statement:
    return Statement(
        variables={K: LIMIT, mu: POSITIVE, b: POSITIVE},
        given=(b <= (mu + 1 / rate) / 3,),
        then=growth(b) <= Rational(4, 3) - 2 * K / 3,
    )


@section.step("theorem-3.4", "b.40", "Case I.2: the balanced image is not far below the minimum", equations=("B.40",))
def step_b40() -> Statement:
    return Statement(
        variables=ABOVE,
        given=(after_gap < Rational(1, 2),),
        then=(K + z) * (1 - z) ** 2 > K - Rational(1, 2),
        notes=f"{IN_UNITS} Both sides are multiplied by eta.",
    )


def balanced_product() -> Expr:
    """q(b) = b (1 + eta (mu - b))^2, the product after one step of balanced factors with product b."""
    return b * (1 + rate * (mu - b)) ** 2


@section.step("theorem-3.4", "w8", "Derivative of the balanced product")
def step_w8() -> Statement:
    slope = balanced_product().diff(b)
    return display(
        {K: LIMIT, mu: POSITIVE, b: POSITIVE},
        {
            "factors": (slope, (1 + K - rate * b) * (1 + K - 3 * rate * b)),
            "squares": (slope, (1 + K - 2 * rate * b) ** 2 - (rate * b) ** 2),
        },
    )


@section.step("theorem-3.4", "w8.a", "At the minimum it is below -1")
def step_w8_a() -> Statement:
    slope = balanced_product().diff(b).subs(b, mu)
    return Statement(variables={K: LIMIT, mu: POSITIVE}, then=And(Eq(slope, 1 - 2 * K), slope < -1))


@section.step("theorem-3.4", "w9", "Second derivative of the balanced product")
def step_w9() -> Statement:
    curvature = balanced_product().diff(b, 2)
    return display(
        {K: LIMIT, mu: POSITIVE, b: POSITIVE},
        {
            "first": (curvature, -2 * rate * (rate * b + (1 + K - 2 * rate * b))),
            "second": (curvature, -2 * rate * (1 + K - rate * b)),
        },
    )


@section.step("theorem-3.4", "w9.corrected", "Second derivative of the balanced product, recomputed")
def step_w9_corrected() -> Statement:
    return display(
        {K: LIMIT, mu: POSITIVE, b: POSITIVE},
        {"curvature": (balanced_product().diff(b, 2), -2 * rate * (2 * (1 + K) - 3 * rate * b))},
    )


@section.step("theorem-3.4", "w9.a", "The balanced product falls faster than 1 between mu and mu + 1/eta")
def step_w9_a() -> Statement:
    return Statement(
        variables={K: LIMIT, mu: POSITIVE, b: POSITIVE},
        given=(b > mu, b < mu + 1 / rate),
        then=balanced_product().diff(b) < -1,
        uses=("w8.a", "w9"),
    )


@section.step("theorem-3.4", "w9.a.corrected", "What case I.2 needs: the product is below mu + 1/(2 eta)")
def step_w9_a_corrected() -> Statement:
    return Statement(
        variables={K: LIMIT, z: Interval.open(0, 1)},
        given=((K + z) * (1 - z) ** 2 > K - Rational(1, 2),),
        then=z < Rational(1, 2),
        notes=f"{IN_UNITS} The hypothesis is what b.40 concludes.",
    )


@section.step(
    "theorem-3.4", "b.41", "Case I.2: the first step grows the imbalance by less than 3/2", equations=("B.41",)
)
def step_b41() -> Statement:
    return Statement(
        variables={K: LIMIT, mu: POSITIVE, b: POSITIVE},
        given=(b < mu + 1 / (2 * rate),),
        then=growth(b) < growth(mu - 1 / (2 * rate)),
    )


@section.step("theorem-3.4", "b.41.corrected", "Case I.2, with the sign of 1/(2 eta)", equations=("B.41",))
def step_b41_corrected() -> Statement:
    return Statement(
        variables={K: LIMIT, mu: POSITIVE, b: POSITIVE},
        given=(b < mu + 1 / (2 * rate),),
        then=growth(b) < Rational(3, 2),
        uses=("w9.a.corrected",),
    )


@section.step(
    "theorem-3.4",
    "b.42",
    "Case I.2: the ratio of two steps is below 2 - K",
    equations=("B.42",),
    scope=part("from z < 1/2, which w9.a.corrected gives"),
)
def step_b42() -> Statement:
    return Statement(
        variables=ABOVE,
        given=(after_gap < Rational(1, 2), K - after_gap <= (K + 1) / 3, z < Rational(1, 2)),
        then=two_step_factor < 2 - K,
        notes=f"{IN_UNITS} The last hypothesis is what w9.a.corrected concludes.",
    )


def two_step_ratio() -> Expr:
    """p(b): the ratio of two steps when the product b moves as for balanced factors."""
    return growth(b) * growth(balanced_product())


BALANCED = {K: LIMIT, mu: POSITIVE, b: POSITIVE}


@section.step("theorem-3.4", "w11", "Expansion of p(b) - 1")
def step_w11() -> Statement:
    eta, gap = rate, mu - b
    printed = eta * gap * (-2 + eta * gap + 2 * eta * b - eta**2 * b * gap - eta**3 * b * gap**2)
    return display(BALANCED, {"p": (two_step_ratio() - 1, printed)})


@section.step("theorem-3.4", "w12", "Derivative of p(b)")
def step_w12() -> Statement:
    eta, gap = rate, mu - b
    printed = 2 - 2 * eta * b + gap * (eta**2 * (1 + eta * gap) * (-mu + 3 * b) + eta**3 * b * gap)
    return display(BALANCED, {"p": (two_step_ratio().diff(b), printed)})


@section.step("theorem-3.4", "w12.corrected", "Derivative of p(b), recomputed from the expansion")
def step_w12_corrected() -> Statement:
    eta, gap = rate, mu - b
    bracket = -2 + eta * gap + 2 * eta * b - eta**2 * b * gap - eta**3 * b * gap**2
    inner = eta - eta**2 * (mu - 2 * b) - eta**3 * gap * (mu - 3 * b)
    return display(BALANCED, {"p": (two_step_ratio().diff(b), eta * gap * inner - eta * bracket)})


@section.step("theorem-3.4", "b.43", "Case I.3: the ratio of two steps is below 1", equations=("B.36", "B.43"))
def step_b43() -> Statement:
    return Statement(
        variables=BALANCED,
        given=(b > mu, 1 + rate * (mu - b) > 0, balanced_product() >= (mu + 1 / rate) / 3),
        then=two_step_ratio() < 1,
    )


@section.step("theorem-3.4", "b.44", "Case I.3: 2 + 3 eta (mu - b) is positive", equations=("B.44",))
def step_b44() -> Statement:
    root = sqrt(3 * (mu + 1 / rate) / b) - 1
    return Statement(
        variables=BALANCED,
        given=(b > mu, 1 + rate * (mu - b) > 0, balanced_product() >= (mu + 1 / rate) / 3),
        then=And(2 + 3 * rate * (mu - b) >= root, root > 0),
    )


@section.step("theorem-3.4", "w13", "That suffices for the derivative of p(b) to be negative")
def step_w13() -> Statement:
    return Statement(
        variables=BALANCED,
        given=(b > mu, 1 + rate * (mu - b) > 0, 2 + 3 * rate * (mu - b) > 0),
        then=two_step_ratio().diff(b) < 0,
    )


@section.step("theorem-3.4", "b.45", "Case I.3: the ratio is below 1 - 2 (K - 1)(b - mu)", equations=("B.45",))
def step_b45() -> Statement:
    return Statement(
        variables=BALANCED,
        given=(b > mu, 1 + rate * (mu - b) > 0, balanced_product() >= (mu + 1 / rate) / 3),
        then=two_step_ratio() < 1 - 2 * (K - 1) * (b - mu),
        uses=("b.44",),
    )


@section.step("theorem-3.4", "b.45.corrected", "The same with the missing factor 1/mu", equations=("B.45",))
def step_b45_corrected() -> Statement:
    return Statement(
        variables=BALANCED,
        given=(b > mu, 1 + rate * (mu - b) > 0, balanced_product() >= (mu + 1 / rate) / 3),
        then=two_step_ratio() < 1 - 2 * (K - 1) * (b - mu) / mu,
        uses=("b.44",),
    )


@section.step("theorem-3.4", "w15", "Part II: the first factor of the ratio lies between 1 and 2")
def step_w15() -> Statement:
    return Statement(
        variables=PLANE,
        given=(x * y > mu, *_image_positive()),
        then=And(growth(x * y) > 1, growth(x * y) < 2),
        uses=("w4",),
    )


@section.step("theorem-3.4", "b.46", "Part II: the ratio of two steps is above -1", equations=("B.46",))
def step_b46() -> Statement:
    return Statement(
        variables=ABOVE,
        given=(after_gap < K,),
        then=two_step_factor > -1 + (3 - 2 * K),
        notes=f"{IN_UNITS} The hypothesis is that the product stays positive.",
    )


@section.step(
    "theorem-3.4",
    "w16",
    "Part III: above the minimum two steps reduce the imbalance",
    scope=part("two steps shrink the imbalance; that its limit is 0 is not stated"),
)
def step_w16() -> Statement:
    return Statement(
        variables={**ABOVE, K: Interval.open(1, bound)},
        given=(after_gap < K,),
        then=And(two_step_factor < 1, two_step_factor > -1),
        constants=(Constant(bound, Rational(3, 2), best="largest"),),
        notes=f"{IN_UNITS} The hypothesis is that the product stays positive.",
    )


paper.unstated(
    "remark-6",
    "When the rate decays to 0 after enough oscillations, the factors walk to the flattest minimum",
    missing="a learning rate that decays along the trajectory",
    label="Remark 6 (Appendix B.1)",
)
