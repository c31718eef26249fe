"""Corollary 2, Remark 1 and the text of Section 3: several layers, the families, and what kind of point they are."""

from __future__ import annotations

from sympy import And, Eq, Expr, Integer, Matrix, Rational, S, Symbol, symbols

from theory.displays import equal
from theory.dynamics import gradient
from theory.saddle_to_saddle._display import claim_on_reals, experiment, reals
from theory.saddle_to_saddle._paper import paper
from theory.saddle_to_saddle.architectures import abstract, linear_in_weights
from theory.saddle_to_saddle.embedding import scale, share
from theory.saddle_to_saddle.layer import state_of
from theory.scope import case, measured, own, part
from theory.statements import Statement


@paper.statement(
    "corollary-2.sums",
    "Embedding leaves the sums and the output of two layers unchanged",
    scope=part("the maps agree: widths (1, 1) become (2, 2) in two abstract layers; no gradient is compared"),
)
def corollary_2() -> Statement:
    """Two tanh-like layers: inner weights a (abstract activation h), outer unit b (abstract activation g)."""
    inner, outer = abstract(1), abstract(1)
    a, b, c, x, y = symbols("a b c x y")
    p, q = symbols("p q")
    hidden = inner.phi((Integer(1),), (a * x,))[0]
    narrow = b * hidden
    wide = (1 - p) * b * hidden + p * b * inner.phi((Integer(1),), (a * x,))[0]
    out_narrow = c * outer.phi((Integer(2),), (narrow,))[0]
    doubled = [(1 - q) * c, q * c]
    out_wide = sum(weight * outer.phi((Integer(2),), (narrow,))[0] for weight in doubled)
    return claim_on_reals(
        equal((wide, narrow), (out_wide, out_narrow), ((out_wide - y) ** 2, (out_narrow - y) ** 2)),
        notes="The sums of a layer agree as functions of the earlier weights and enter later layers in the same way, so"
        " every gradient outside the layer is unchanged; corollary-2.deep compares the gradients themselves.",
    )


@paper.statement(
    "corollary-2.deep",
    "Widths (1,1) to (2,2) in a cubic three-layer network: all gradients are multiples",
    scope=case("widths (1, 1) become (2, 2): three layers, cubic units, one sample of one number"),
)
def corollary_2_deep() -> Statement:
    a1, a2, b11, b12, b21, b22, c1, c2, p, q = symbols("a_1 a_2 b_11 b_12 b_21 b_22 c_1 c_2 p q")
    a, b, c, x, y = symbols("a b c x y")
    wide_state = (a1, a2, b11, b12, b21, b22, c1, c2)
    hidden = [(weight * x) ** 3 for weight in (a1, a2)]
    second = [(row[0] * hidden[0] + row[1] * hidden[1]) ** 3 for row in ((b11, b12), (b21, b22))]
    wide = (y - c1 * second[0] - c2 * second[1]) ** 2 / 2
    narrow = (y - c * (b * (a * x) ** 3) ** 3) ** 2 / 2
    here = dict(zip(wide_state, (a, a, (1 - p) * b, p * b, (1 - p) * b, p * b, (1 - q) * c, q * c), strict=True))
    broad = [entry.subs(here, simultaneous=True) for entry in gradient(wide, wide_state)]
    slope_a, slope_b, slope_c = gradient(narrow, (a, b, c))
    printed = [
        (1 - p) * slope_a, p * slope_a, (1 - q) * slope_b, (1 - q) * slope_b, q * slope_b, q * slope_b, slope_c, slope_c
    ]  # fmt: skip
    return claim_on_reals(equal((broad, printed)))


@paper.statement(
    "remark-1.a",
    "Splitting with factor one is the special case gamma_u = 1 of the proportional family",
    scope=own("not in print: how the families contain each other"),
)
def remark_1_inclusions() -> Statement:
    v, u = symbols("v u")
    proportional = ((1 - scale * share) * v, share * v, scale * u)
    return claim_on_reals(
        equal(
            (tuple(entry.subs(scale, 1) for entry in proportional), ((1 - share) * v, share * v, u)),
            (tuple(entry.subs({scale: 0, share: 0}) for entry in proportional), (v, S.Zero, S.Zero)),
        )
    )


@paper.statement(
    "remark-1.b",
    "The proportional family is the linear one with a single nonzero coefficient in each sum",
    scope=own("not in print: how the families contain each other"),
)
def remark_1_linear() -> Statement:
    v, u = symbols("v_1:3"), symbols("u_1:3")
    coefficients = ((scale, S.Zero), (share, S.Zero))
    first, second = (
        sum(c * x for c, x in zip(by, of, strict=True)) for by, of in zip(coefficients, (u, v), strict=True)
    )
    old = [x - c * second for c, x in zip(coefficients[0], v, strict=True)]
    return claim_on_reals(
        equal(((first, second, *old), (scale * u[0], share * v[0], (1 - scale * share) * v[0], v[1])))
    )


FAMILIES = symbols(
    "linear_family linear_convolution_family relu_family relu_convolution_family linear_attention_family"
    " quadratic_family"
)


@paper.statement(
    "remark-1",
    "Saddles visited in training belong to families (5)-(7), not to (4)",
    scope=measured("the six panels of Fig. 1 from one start each (seed 1); the tolerance was chosen here"),
    claims="The saddles that training visits fall under (5) to (7) and not under (4)",
)
def remark_1() -> Statement:
    return experiment(
        "families",
        And(*[And(number >= 5, number <= 7) for number in FAMILIES]),
        notes="The six panels of Fig. 1; the family is the most special one within a quarter of the norm, a tolerance"
        " chosen here. figure-4.b is a run near (4). A proof would need the whole path of training.",
        seed=1,
    )


@paper.statement(
    "claim-3.b",
    "Panels B, C of Fig. 1 visit family (7), D, E visit (6), F, G visit (5)",
    scope=measured("the six panels of Fig. 1 from one start each (seed 1); the tolerance was chosen here"),
)
def claim_3_b() -> Statement:
    return experiment(
        "families",
        And(*[Eq(number, wanted) for number, wanted in zip(FAMILIES, (7, 7, 6, 6, 5, 5), strict=True)]),
        notes="The text prints (E,F) for the last pair. Detection and tolerance as in remark-1, whose proof this would"
        " need too.",
        seed=1,
    )


def _embedded_minimum(target: Matrix) -> tuple[list[Expr], dict[Symbol, Expr], Expr]:
    """Weights, the embedded width-1 minimum and the loss of a linear 2-2-2 network with white inputs."""
    layer = linear_in_weights(2, 2)
    units = layer.units("ab", 2)
    residual = target - sum((v * Matrix(u).T for v, u in units), 0 * target)
    loss = sum(entry**2 for entry in residual) / 2
    state = state_of(units)
    return list(state), dict(zip(state, (1, 0, 1, 0, 0, 0, 0, 0), strict=True)), loss


def _rises_to_second_order(target: Matrix) -> Statement:
    """Some direction has negative curvature: d.T Hessian d < 0."""
    state, point, loss = _embedded_minimum(target)
    direction = symbols("d_1:9")
    curvature = sum(
        loss.diff(a, b).subs(point) * x * y
        for a, x in zip(state, direction, strict=True)
        for b, y in zip(state, direction, strict=True)
    )
    here = dict(zip(direction, (0, 0, 0, 0, 0, 1, 0, 1), strict=True))
    return claim_on_reals(curvature.subs(here) < Symbol("zero"), given=(Eq(Symbol("zero"), 0),))


@paper.statement(
    "claim-3.a",
    "With a rank-1 target the embedded width-1 minimum has a direction of descent",
    scope=case("rank r = 1: the target diag(1, 0), a linear 2-2-2 network, white inputs"),
)
def claim_3_a() -> Statement:
    statement = _rises_to_second_order(Matrix([[1, 0], [0, 0]]))
    return statement.but(
        notes="The paper states rank r >= 1. At r = 1 the width-1 minimum already fits the target, so the loss is 0"
        " and no direction descends; see claim-3.a.global."
    )


@paper.statement(
    "claim-3.a.corrected",
    "With a rank-2 target the embedded width-1 minimum is a strict saddle",
    scope=own("the nearest true form of claim-3.a, for one target diag(1, 1/2) and a linear 2-2-2 network"),
)
def claim_3_a_corrected() -> Statement:
    return _rises_to_second_order(Matrix([[1, 0], [0, Rational(1, 2)]]))


@paper.statement(
    "claim-3.a.global",
    "With a rank-1 target the embedded width-1 minimum is a global minimum",
    scope=own("not in print: what the point of claim-3.a is instead"),
)
def claim_3_a_global() -> Statement:
    state, point, loss = _embedded_minimum(Matrix([[1, 0], [0, 0]]))
    return Statement(variables=reals(state), then=And(loss >= loss.subs(point)))
