"""Figures 1 and 4, exactly: the losses of the fixed points that are visited, and a learning rate that cannot work."""

from __future__ import annotations

from sympy import And, Eq, Expr, Integer, Interval, Rational, Symbol, oo, symbols

from theory.displays import equal
from theory.saddle_to_saddle._display import claim_on_reals
from theory.saddle_to_saddle._paper import paper
from theory.scope import own
from theory.statements import Statement


def rests_with(value: Expr, weights: tuple[Symbol, ...], at: dict[Symbol, Expr], loss_there: Expr) -> Statement:
    """The gradient vanishes at a point and the loss has a value there."""
    slopes = [value.diff(weight).subs(at) for weight in weights]
    return Statement(then=equal((slopes, [Integer(0)] * len(slopes)), (value.subs(at), loss_there)))


@paper.statement(
    "figure-1.d.level",
    "One ReLU unit that fits the second point of panel D rests at the loss 1/2",
    scope=own("not in print: the exact loss of the plateau"),
)
def relu_level() -> Statement:
    # the unit is active on the second point and inactive on the first
    v, a, b = symbols("v a b")
    value = (1 + (-1 - v * (-a + 2 * b)) ** 2) / 2
    return rests_with(value, (v, a, b), {v: Integer(-1), a: -Rational(1, 5), b: Rational(2, 5)}, Rational(1, 2))


@paper.statement(
    "figure-1.e.level",
    "One positive kernel of panel E, at its best, leaves the loss 2/5",
    scope=own("not in print: the exact loss of the plateau"),
)
def convolution_level() -> Statement:
    """Inputs are multiples of unit vectors, kernel (a, b), readout v, w in units of 1/sqrt(5); five times the loss."""
    v, w, a, b = symbols("v w a b")
    value = (1 - v * a) ** 2 + (1 - v * b) ** 2 + 2 * (1 + w * a) ** 2 + (1 - w * b) ** 2
    plain, heavy = a**2 + b**2, 2 * a**2 + b**2
    best = (a - b) ** 2 / plain + 2 * (a + b) ** 2 / heavy
    squares = plain * (v - (a + b) / plain) ** 2 + heavy * (w + (2 * a - b) / heavy) ** 2
    return claim_on_reals(
        And(Eq(value, best + squares, evaluate=False), best >= 2, Eq(best.subs({a: 1, b: 0}), 2, evaluate=False)),
        given=(plain > 0,),
        variables={a: Interval(0, oo), b: Interval(0, oo)},
        notes="The squares are zero for the best readout, and the kernel (1, 0) attains 2. The measured plateau of"
        " panel E is compared with the loss of the narrow network, which is this number.",
    )


@paper.statement(
    "figure-1.g.level",
    "One quadratic unit of panel G, at its best, leaves the loss 8/3",
    scope=own("not in print: the exact loss of the plateau, for the population"),
)
def quadratic_level() -> Statement:
    """Population loss 2 |I - M|^2 + tr(I - M)^2 with M = c u u^T and |u| = 1."""
    c, a, b = symbols("c u_1 u_2")
    entries = ((1 - c * a**2), (-c * a * b), (1 - c * b**2))
    value = 2 * (entries[0] ** 2 + 2 * entries[1] ** 2 + entries[2] ** 2) + (entries[0] + entries[2]) ** 2
    return claim_on_reals(
        value >= Rational(8, 3),
        given=(Eq(a**2 + b**2, 1),),
        notes="Attained at c = 4/3. The panel's 8192 samples have their own level, near 8/3; the run is compared with"
        " that one.",
    )


@paper.statement(
    "figure-4.g.rate",
    "At the printed rate 0.02 every width-2 minimum of the cubic network is unstable",
    scope=own("not in print: the printed rate cannot reach the printed end"),
)
def cubic_rate() -> Statement:
    """A unit v u^3 = 1 along an axis: E x^6 = 15, so the curvature along (u^3, 3 v u^2) is 30 (u^6 + 9 / u^2)."""
    u = Symbol("u")
    return Statement(
        variables={u: Interval.open(0, oo)},
        then=Rational(1, 50) * 30 * (u**6 + 9 / u**2) > 2,
        notes="Gradient descent is unstable where rate times curvature exceeds 2; this is the loss without the factor"
        " 1/2, and with it the product is still above 2 by half of the value here.",
    )
