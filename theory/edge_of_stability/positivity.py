"""Appendix B.8, Lemma B.2: how much imbalance at the start keeps both factors of (x y - mu)^2 / 2 positive.

In the proof D^2 = (1 + r)^2 (x_0 - y_0)^2 bounds the squared imbalance after a step from above the minimum.
"""

from sympy import Abs, And, Eq, Expr, Interval, Max, Min, Rational, Symbol, sqrt

from theory.domains import POSITIVE
from theory.edge_of_stability._display import display
from theory.edge_of_stability._paper import paper
from theory.edge_of_stability.bilinear import (
    LIMIT,
    PLANE,
    STAYS_POSITIVE,
    descent,
    growth,
    product_after,
    x0,
    y0,
)
from theory.edge_of_stability.one_dimensional import mu, x
from theory.edge_of_stability.quartic import K, rate
from theory.scope import case, own, part, whole
from theory.statements import Statement

section = paper.section(steps=whole())

y, z, r, gap, m = (Symbol(name) for name in ("y", "z", "r", "delta", "m"))
zbar, root = Symbol("zbar"), Symbol("s")


def ratio_bound(imbalance: Expr) -> Expr:
    """p = r = 4 / (m + sqrt(m^2 + 4))^2, the smallest ratio of the factors where their product is mu."""
    return 4 / (imbalance + sqrt(imbalance**2 + 4)) ** 2


def second_term(imbalance: Expr, ratio: Expr | None = None) -> Expr:
    """The second entry of the maximum in the lemma."""
    q = (1 + (ratio_bound(imbalance) if ratio is None else ratio)) ** 2
    bracket = Rational(2, 3) * K**2 - K / 3 + q * K**2 / (2 * (K + 1)) * imbalance**2
    return Rational(4, 27) * (1 + K) ** 3 + bracket * q * imbalance**2 - K


@paper.statement(
    "lemma-b.2", "A bound on the imbalance at the start under which both factors stay positive", scope=whole()
)
def lemma_b2() -> Statement:
    imbalance = Abs(y0 - x0) / sqrt(mu)
    largest = Max(rate * (x0 * y0 - mu), second_term(imbalance))
    return Statement(
        variables={K: LIMIT, mu: POSITIVE, x0: POSITIVE, y0: POSITIVE},
        given=(x0 * y0 > mu, largest < ratio_bound(imbalance)),
        dynamics=descent(),
        start={x: x0, y: y0},
        then=STAYS_POSITIVE,
        notes="With mu = 1 and y_0 >= x_0 it is lemma-b.2.unit, to which the steps scale and mirror lead. A proof needs"
        " an induction over two steps that carries the bound on the imbalance; the steps prove the parts.",
    )


@paper.statement(
    "lemma-b.2.unit",
    "The bound on the imbalance for mu = 1, with the larger factor second",
    scope=case("mu = 1 and y_0 >= x_0; the steps scale and mirror lead to it"),
)
def lemma_b2_unit() -> Statement:
    """Scaled to mu = 1, with the larger factor second: the update treats both factors alike."""
    imbalance = 1 / root - root
    product = x0 * (x0 + imbalance)
    return Statement(
        variables={K: LIMIT, x0: POSITIVE, root: Interval.Lopen(0, 1)},
        given=(product > 1, K * (product - 1) < root**2, second_term(imbalance, root**2) < root**2),
        dynamics=descent().substitute({mu: 1}),
        start={x: x0, y: x0 + imbalance},
        then=STAYS_POSITIVE,
        notes="s^2 is the bound p = r, so that the imbalance |y_0 - x_0| / sqrt(mu) is 1/s - s (#root); the two"
        " hypotheses about it are that both entries of the maximum lie below the bound. Scaling to mu = 1 is the step"
        " scale, and the factors may change places (#mirror). A proof needs an induction over two steps that carries"
        " the bound on the imbalance; its steps prove the parts.",
    )


@section.step("lemma-b.2", "root", "The imbalance for which the bound is s^2", scope=own("a change of units"))
def step_root() -> Statement:
    return display({root: Interval.Lopen(0, 1)}, {"bound": (ratio_bound(1 / root - root), root**2)})


@section.step("lemma-b.2", "scale", "Without loss of generality mu is 1", scope=own("a change of units"))
def step_scale() -> Statement:
    unit = sqrt(mu)
    moved = [part.subs({x: unit * x, y: unit * y}, simultaneous=True) for part in descent().update]
    stated = [unit * part.subs(mu, 1) for part in descent().update]
    pairs = dict(zip(("x", "y"), zip(moved, stated, strict=True), strict=True))
    return display({K: POSITIVE, mu: POSITIVE, x: POSITIVE, y: POSITIVE}, pairs)


@section.step("lemma-b.2", "mirror", "Without loss of generality y_0 is at least x_0", scope=own("a symmetry"))
def step_mirror() -> Statement:
    first, second = descent().update
    changed = [part.subs({x: y, y: x}, simultaneous=True) for part in (second, first)]
    return display(PLANE, {"x": (first, changed[0]), "y": (second, changed[1])})


@section.step(
    "lemma-b.2", "b.47", "When one step from above the minimum keeps both factors positive", equations=("B.47",)
)
def step_b47() -> Statement:
    first, second = descent().update
    return Statement(
        variables=PLANE,
        given=(x * y > mu, rate * (x * y - mu) < Min(y / x, x / y)),
        then=And(first > 0, second > 0),
    )


@section.step("lemma-b.2", "v1", "Above the minimum the ratio of the factors exceeds its value on the minimum")
def step_v1() -> Statement:
    return Statement(
        variables={mu: POSITIVE, x: POSITIVE, y: POSITIVE},
        given=(x * y > mu,),
        then=Min(y / x, x / y) > ratio_bound(Abs(y - x) / sqrt(mu)),
    )


@section.step("lemma-b.2", "v1.corrected", "The same, with equality for balanced factors")
def step_v1_corrected() -> Statement:
    return Statement(
        variables={mu: POSITIVE, x: POSITIVE, y: POSITIVE},
        given=(x * y > mu,),
        then=Min(y / x, x / y) >= ratio_bound(Abs(y - x) / sqrt(mu)),
        notes="Where it is left undecided, a proof needs the factors by product and difference, without Min and Abs.",
    )


@section.step("lemma-b.2", "v1.a", "Its value on the minimum", scope=part("one direction of the equality"))
def step_v1_a() -> Statement:
    return Statement(
        variables={x: POSITIVE, y: POSITIVE},
        given=(y >= x,),
        then=ratio_bound((y - x) / sqrt(x * y)) <= x / y,
        notes="The minimum has mu = x y; equality holds there.",
    )


@section.step(
    "lemma-b.2", "b.48", "A step from above the minimum grows the imbalance by less than 1 + r", equations=("B.48",)
)
def step_b48() -> Statement:
    return Statement(
        variables={**PLANE, r: POSITIVE},
        given=(x * y > mu, rate * (x * y - mu) < r),
        then=And(growth(x * y) > 1, growth(x * y) < 1 + r),
    )


def largest_product(product: Expr) -> Expr:
    """g(z) of (B.49): the largest product one step after a product z below the minimum."""
    return product * (1 + rate * (mu - product)) ** 2 + rate * (mu - product) * (1 + r) ** 2 * gap**2


BELOW = {K: LIMIT, mu: POSITIVE, r: Interval.Lopen(0, 1), gap: POSITIVE}


@section.step("lemma-b.2", "b.49", "The product after a step from below the minimum", equations=("B.49",))
def step_b49() -> Statement:
    return Statement(
        variables={**PLANE, r: Interval.Lopen(0, 1), gap: POSITIVE},
        given=(x * y < mu, Abs(x - y) <= (1 + r) * gap),
        then=product_after() <= largest_product(x * y),
    )


@section.step("lemma-b.2", "v3", "Derivative of the largest product")
def step_v3() -> Statement:
    printed = (1 + rate * (mu - z)) * (1 + K - 3 * rate * z) - rate * (1 + r) ** 2 * gap**2
    return display({**BELOW, z: POSITIVE}, {"slope": (largest_product(z).diff(z), printed)})


@section.step(
    "lemma-b.2", "b.52", "Lower bound on where the largest product is attained", equations=("B.50", "B.51", "B.52")
)
def step_b52() -> Statement:
    push = rate * (1 + r) ** 2 * gap**2
    stationary = (1 + rate * (mu - zbar)) * (1 + K - 3 * rate * zbar) - push
    turn = (mu + 1 / rate) / 3
    return Statement(
        variables={**BELOW, zbar: POSITIVE},
        given=(zbar < mu, Eq(stationary, 0)),
        then=zbar > (1 + K - push / (1 + rate * (mu - turn))) / (3 * rate),
    )


def _lower_point(scale: Expr) -> Expr:
    return (mu + 1 / rate - 3 * (1 + r) ** 2 / (2 * scale) * gap**2) / 3


@section.step("lemma-b.2", "b.53", "That bound simplified", equations=("B.53", "B.54"))
def step_b53() -> Statement:
    return _simplified(_lower_point(rate + 1))


@section.step(
    "lemma-b.2", "b.53.corrected", "That bound simplified, with eta mu + 1 in the denominator", equations=("B.53",)
)
def step_b53_corrected() -> Statement:
    return _simplified(_lower_point(K + 1))


def _simplified(printed: Expr) -> Statement:
    push = rate * (1 + r) ** 2 * gap**2
    turn = (mu + 1 / rate) / 3
    return display(BELOW, {"z_s": ((1 + K - push / (1 + rate * (mu - turn))) / (3 * rate), printed)})


def _bound() -> Expr:
    """(B.55): the first term at its maximum, the second one at the lower point."""
    turn, lower = (mu + 1 / rate) / 3, _lower_point(K + 1)
    return turn * (1 + rate * (mu - turn)) ** 2 + rate * (mu - lower) * (1 + r) ** 2 * gap**2


@section.step("lemma-b.2", "b.55", "Upper bound on the largest product", equations=("B.55",))
def step_b55() -> Statement:
    return Statement(variables={**BELOW, z: POSITIVE}, given=(z < mu,), then=largest_product(z) <= _bound())


@section.step("lemma-b.2", "b.56", "That bound in closed form", equations=("B.56",))
def step_b56() -> Statement:
    return _closed_form(2 / (K + 1) * gap**2)


@section.step("lemma-b.2", "b.56.corrected", "That bound in closed form, recomputed", equations=("B.56",))
def step_b56_corrected() -> Statement:
    return _closed_form((1 + r) ** 2 / (2 * (K + 1)) * gap**2)


def _closed_form(last: Expr) -> Statement:
    bracket = 2 * mu / 3 - 1 / (3 * rate) + last
    printed = Rational(4, 27) * (1 + K) ** 3 / rate + rate * (1 + r) ** 2 * bracket * gap**2
    return display(BELOW, {"bound": (_bound(), printed)})


@section.step("lemma-b.2", "v5", "The bound is the second entry of the lemma's maximum")
def step_v5() -> Statement:
    derived = (rate * (_bound() - mu)).subs({r: ratio_bound(m), gap: m * sqrt(mu)})
    return display(
        {K: LIMIT, mu: POSITIVE, m: POSITIVE}, {"largest": (derived, second_term(m))}, uses=("b.56.corrected",)
    )
