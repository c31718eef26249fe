"""Chapter 4: the edge of stability, for gradient descent, momentum and adaptive methods."""

from typing import Any

from sympy import (
    Abs,
    And,
    Eq,
    Equivalent,
    Expr,
    Interval,
    Poly,
    S,
    hessian,
    symbols,
)
from sympy.logic.boolalg import Boolean

from theory.classics._paper import paper
from theory.classics._words import (
    HALF,
    POSITIVE,
    UNIT,
    A,
    X,
    c,
    d,
    eta,
    lam,
    u,
    u0,
    v,
    v0,
    x,
    x0,
)
from theory.dynamics import Flow, Map, gradient_descent, gradient_flow
from theory.language.spaces import SymmetricMatrices, Vectors, identity, norm
from theory.scope import whole
from theory.statements import Statement
from theory.temporal import Always, ConvergesTo

chapter = paper.section(
    steps=whole(),
    title="4 Edge of stability",
    text=r"""A minimum attracts gradient descent as long as its sharpness, the largest eigenvalue of the Hessian, is
below $2/\eta$. The models are a quartic $\frac{1}{4}(x^2 - 1)^2$, a product $\frac{1}{2}(u v - 1)^2$ whose minima
have sharpness $u^2 + v^2$, the catapult loss $\frac{1}{2}(u v)^2$, and one quadratic direction for methods with
memory.

Sharp here: $2/\eta$ for gradient descent, $(2 + 2 \beta_1)/((1 - \beta_1) \eta)$ for the preconditioned sharpness of
Adam, which is $38/\eta$ for $\beta_1 = 0.9$, the catapult up to $4/\eta$, and $3 f'''^2 = f'' f''''$, where the flip
bifurcation at the edge turns from attracting to repelling.

Folklore takes the sharpness at the start for the one that matters, gives every method the edge $2/\eta$, believes
that steps of constant length converge, that gradient flow and descent end in the same minimum, that large steps only
diverge, and that weight decay is the same as a penalty in every method.""",
)

quartic = (x**2 - 1) ** 2 / 4
product = (u * v - 1) ** 2 / 2
catapult = (u * v) ** 2 / 2


def line(loss: Expr, then: Boolean, *given: Boolean, start: Any = S.Reals, rate: Any = POSITIVE) -> Statement:
    """A claim about gradient descent on a loss of one variable."""
    return Statement(
        variables={eta: rate, x0: start}, given=given, dynamics=gradient_descent(loss, x, eta), start={x: x0}, then=then
    )


def plane(dynamics: Map | Flow, then: Boolean, *given: Boolean) -> Statement:
    """A claim about a loss of u and v from every start."""
    steps = {eta: POSITIVE} if isinstance(dynamics, Map) else {}
    return Statement(
        variables=steps | {u0: S.Reals, v0: S.Reals}, given=given, dynamics=dynamics, start={u: u0, v: v0}, then=then
    )


@chapter.statement(
    "theorem-4.1",
    "Where all eigenvalues exceed 2/eta no step leads closer, in every dimension",
    "Polyak 1963; Cohen et al. 2021, Gradient descent typically occurs at the edge of stability",
    scope=whole(),
)
def unstable() -> Statement:
    return Statement(
        variables={A: SymmetricMatrices(d, lower=lam), X: Vectors(d), lam: POSITIVE, eta: POSITIVE},
        given=(eta * lam >= 2,),
        then=norm((identity(d) - eta * A) * X) ** 2 >= norm(X) ** 2,
    )


@chapter.statement(
    "proposition-4.2",
    "On the quartic steps up to 1/2 keep descent between zero and the minimum",
    "Ahn, Zhang and Sra 2022; Chen and Bruna 2023",
    scope=whole(),
)
def quartic_kept() -> Statement:
    return line(quartic, Always(And(x > 0, x <= 1)), start=Interval.Lopen(0, 1), rate=Interval.Lopen(0, HALF))


@chapter.statement(
    "proposition-4.2.limit",
    "Below the edge it converges to the minimum, from every start between the saddle and the minimum",
    "Ahn, Zhang and Sra 2022",
    scope=whole(),
)
def quartic_converges() -> Statement:
    return Statement(
        variables={eta: UNIT, x0: Interval.Lopen(0, 1)},
        dynamics=gradient_descent(quartic, x, eta),
        start={x: x0},
        then=ConvergesTo(x, 1),
    )


@chapter.statement(
    "proposition-4.3",
    "The multiplier of the quartic's minimum is 1 - 2 eta: it repels beyond eta = 1",
    "Cohen et al. 2021",
    scope=whole(),
)
def quartic_multiplier() -> Statement:
    multiplier = gradient_descent(quartic, x, eta).jacobian[0].subs(x, 1)
    return Statement(variables={eta: POSITIVE}, then=Equivalent(Abs(multiplier) < 1, eta < 1))


@chapter.statement(
    "claim-4.4", "Folklore: descent converges if the sharpness at the start is below 2/eta", scope=whole()
)
def sharpness_at_the_start() -> Statement:
    return line(
        quartic,
        ConvergesTo(x, 1),
        eta * quartic.diff(x, 2).subs(x, x0) < 2,
        start=Interval(HALF, 1),
        rate=Interval.open(0, 2),
    )


paper.nearest["claim-4.4"] = "proposition-4.3"


@chapter.statement("claim-4.5", "Folklore: descent leaves a start at which the sharpness exceeds 2/eta", scope=whole())
def sharp_start() -> Statement:
    loss = x**4 / 4
    return line(loss, Always(x**2 >= x0**2), eta * loss.diff(x, 2).subs(x, x0) > 2)


@chapter.statement(
    "claim-4.5.corrected",
    "On x^4/4 descent converges where the sharpness is below 6/eta",
    "Ahn, Zhang and Sra 2022",
    scope=whole(),
)
def flat_minimum() -> Statement:
    loss = x**4 / 4
    return line(loss, ConvergesTo(x, 0), eta * loss.diff(x, 2).subs(x, x0) < 6)


@chapter.statement(
    "theorem-4.6",
    "The flip at the edge: two steps move by -(2/f'')(f'''^2/f'' - f''''/3) x^3",
    "Guckenheimer and Holmes 1983, theorem 3.5.1; Chen and Bruna 2023",
    scope=whole(),
)
def flip() -> Statement:
    second, third, fourth = symbols("f_2 f_3 f_4")
    loss = second * x**2 / 2 + third * x**3 / 6 + fourth * x**4 / 24
    twice = gradient_descent(loss, x, 2 / second).two_step().update[0]
    order = Poly(twice.expand(), x).coeff_monomial(x**3)
    return Statement(
        variables={second: POSITIVE, third: S.Reals, fourth: S.Reals},
        then=Eq(order, -(2 / second) * (third**2 / second - fourth / 3), evaluate=False),
        notes="Terms of higher order of the loss do not enter this coefficient.",
    )


@chapter.statement(
    "proposition-4.7", "At the edge the quartic attracts: 3 f'''^2 > f'' f''''", "Chen and Bruna 2023", scope=whole()
)
def quartic_flip() -> Statement:
    second, third, fourth = (quartic.diff(x, order).subs(x, 1) for order in (2, 3, 4))
    return Statement(variables={c: POSITIVE}, then=c * 3 * third**2 > c * second * fourth)


@chapter.statement(
    "proposition-4.8",
    "A minimum of the product loss has multipliers 1 and 1 - eta (u^2 + v^2)",
    "Wang et al. 2022, Large learning rate tames homogeneity",
    scope=whole(),
)
def product_multipliers() -> Statement:
    derived = gradient_descent(product, (u, v), eta).jacobian.charpoly(c).as_expr()
    return Statement(
        variables={u: S.Reals, v: S.Reals, eta: POSITIVE, c: S.Reals},
        given=(Eq(u * v, 1),),
        then=Eq(derived, (c - 1) * (c - 1 + eta * (u**2 + v**2)), evaluate=False),
    )


@chapter.statement(
    "proposition-4.9", "No minimum of the product loss has sharpness below 2", "Wang et al. 2022", scope=whole()
)
def product_sharpness() -> Statement:
    sharpness = hessian(product, (u, v)).trace()
    return Statement(variables={u: S.Reals, v: S.Reals}, given=(Eq(u * v, 1),), then=sharpness >= 2)


@chapter.statement(
    "proposition-4.10",
    "No minimum of the product of four factors has sharpness below 4",
    "Zhu et al. 2023, Understanding edge-of-stability training dynamics with a minimalist example",
    scope=whole(),
)
def four_factors() -> Statement:
    factors = symbols("u v w z")
    loss = (factors[0] * factors[1] * factors[2] * factors[3] - 1) ** 2 / 2
    flat = {factors[3]: 1 / (factors[0] * factors[1] * factors[2])}
    sharpness = sum(loss.diff(letter, 2).subs(flat) for letter in factors)
    return Statement(variables=dict.fromkeys(factors[:3], POSITIVE), then=sharpness >= 4)


@chapter.statement(
    "lemma-4.11",
    "One step of descent multiplies the imbalance u^2 - v^2 by 1 - eta^2 (u v - 1)^2",
    "Wang et al. 2022",
    scope=whole(),
)
def imbalance() -> Statement:
    later = gradient_descent(product, (u, v), eta).update
    return Statement(
        variables={u: S.Reals, v: S.Reals, eta: POSITIVE},
        then=Eq(later[0] ** 2 - later[1] ** 2, (u**2 - v**2) * (1 - eta**2 * (u * v - 1) ** 2), evaluate=False),
    )


@chapter.statement(
    "claim-4.12", "Folklore: gradient descent keeps the imbalance of the layers as gradient flow does", scope=whole()
)
def descent_keeps_imbalance() -> Statement:
    return plane(gradient_descent(product, (u, v), eta), Always(Eq(u**2 - v**2, u0**2 - v0**2)))


@chapter.statement(
    "claim-4.12.corrected",
    "Gradient flow keeps it, so that flow and descent end in different minima",
    "Saxe, McClelland and Ganguli 2014",
    scope=whole(),
)
def flow_keeps_imbalance() -> Statement:
    return plane(gradient_flow(product, (u, v)), Always(Eq(u**2 - v**2, u0**2 - v0**2)))


@chapter.statement(
    "lemma-4.13",
    "Catapult: the curvature changes by eta (u v)^2 (eta (u^2 + v^2) - 4)",
    "Lewkowycz et al. 2020, The large learning rate phase of deep learning",
    scope=whole(),
)
def catapult_curvature() -> Statement:
    later = gradient_descent(catapult, (u, v), eta).update
    curvature = u**2 + v**2
    change = eta * (u * v) ** 2 * (eta * curvature - 4)
    return Statement(
        variables={u: S.Reals, v: S.Reals, eta: POSITIVE},
        then=Eq(later[0] ** 2 + later[1] ** 2, curvature + change, evaluate=False),
    )


@chapter.statement("claim-4.14", "Folklore: steps beyond 2/curvature make the catapult loss diverge", scope=whole())
def catapult_diverges() -> Statement:
    return plane(
        gradient_descent(catapult, (u, v), eta), Always((u * v) ** 2 >= (u0 * v0) ** 2), eta * (u0**2 + v0**2) > 2
    )


@chapter.statement(
    "claim-4.14.corrected",
    "Up to 4/curvature the curvature never grows beyond its start",
    "Lewkowycz et al. 2020",
    scope=whole(),
)
def catapult_bounded() -> Statement:
    return plane(
        gradient_descent(catapult, (u, v), eta), Always(u**2 + v**2 <= u0**2 + v0**2), eta * (u0**2 + v0**2) <= 4
    )
