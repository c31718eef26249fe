"""Sections 3 and 4: the network, its gradient flow, balance, homogeneity, and the flow of directions (5), (6).

The activation is the closed form of d = 3 inside its band, or the rectifier away from it. A neuron is (u, v), a data
point (x, y); sums over points and neurons are written out for few of them.
"""

from __future__ import annotations

from functools import cache

from sympy import Abs, And, Expr, Integer, Matrix, Rational, Symbol, diff, exp, log, oo, sqrt, symbols
from sympy import Interval as Range

from theory.displays import equal
from theory.domains import POSITIVE
from theory.dynamics import Flow, gradient_flow
from theory.scope import case, own, part, whole
from theory.simplicity_bias._display import NONNEGATIVE, REAL
from theory.simplicity_bias._paper import paper
from theory.simplicity_bias.activation import gradient, inside_band, projector, xi
from theory.statements import Constant, Statement

u, y, z, n = symbols("u y z n")
v, x = Matrix(symbols("v_1:4")), Matrix(symbols("x_1:4"))
length = sqrt(v.dot(v))
NEURON = {u: REAL, **dict.fromkeys((*v, *x), REAL), xi: POSITIVE, n: POSITIVE}
LENGTH = equal((n**2, v.dot(v)))
"""n is |v|, so that claims about the closed form stay rational."""


def loss(margin: Expr) -> Expr:
    """The logistic loss ln(1 + exp(-margin))."""
    return log(1 + exp(-margin))


def pull(margin: Expr) -> Expr:
    """Minus the derivative of the loss: 1 / (1 + exp(margin)).

    >>> pull(Integer(0))
    1/2
    """
    return 1 / (1 + exp(margin))


JET = symbols("k_1:6")


def any_activation() -> Expr:
    """A quadratic polynomial in v with free coefficients: its value and gradient at a point are arbitrary."""
    k1, k2, k3, k4, k5 = JET
    return k1 * v[0] + k2 * v[1] + k3 * v[0] ** 2 + k4 * v[0] * v[1] + k5


@cache
def one_neuron_flow() -> Flow:
    """The gradient flow of one neuron with an arbitrary activation on one point, derived from the loss."""
    return gradient_flow(loss(y * u * any_activation()), (u, v[0], v[1]))


@cache
def two_neuron_flow() -> Flow:
    """Two active rectified neurons in the plane on two points, derived from the mean loss."""
    (u1, u2), (a1, a2, b1, b2) = symbols("u_1:3"), symbols("a_1:3 b_1:3")
    x1, x2, y1, y2 = symbols("p q y_1 y_2")
    points = ((x1, x2, y1), (x2, x1, y2))
    total = sum(loss(label * (u1 * (a1 * s + a2 * t) + u2 * (b1 * s + b2 * t))) for s, t, label in points) / 2
    return gradient_flow(total, (u1, a1, a2, u2, b1, b2))


ANY = dict.fromkeys((u, v[0], v[1], y, *JET), REAL)


@paper.statement(
    "equation-1",
    "The gradient flow of the logistic loss, written out",
    equations=("1",),
    scope=case("one neuron, one point, d = 2, an activation quadratic in v"),
)
def equation_1() -> Statement:
    """One neuron, one point, an activation with arbitrary value and gradient; equation-1.a has the sums."""
    flow, value = one_neuron_flow(), any_activation()
    weight = pull(y * u * value)
    pairs = [(flow.velocity[1 + k], u * weight * diff(value, v[k]) * y) for k in (0, 1)]
    return Statement(variables=ANY, then=equal((flow.velocity[0], weight * value * y), *pairs))


@paper.statement(
    "equation-1.a",
    "The same for two rectified neurons and two points, with the factor 1/n",
    equations=("1",),
    scope=case("two rectified neurons, two points, d = 2"),
)
def equation_1_two() -> Statement:
    flow = two_neuron_flow()
    u1, a1, a2, u2, b1, b2 = flow.state
    p, q, y1, y2 = symbols("p q y_1 y_2")
    f1, f2 = (u1 * (a1 * s + a2 * t) + u2 * (b1 * s + b2 * t) for s, t in ((p, q), (q, p)))
    printed_u = (pull(f1 * y1) * (a1 * p + a2 * q) * y1 + pull(f2 * y2) * (a1 * q + a2 * p) * y2) / 2
    printed_v = u1 * (pull(f1 * y1) * p * y1 + pull(f2 * y2) * q * y2) / 2
    return Statement(
        variables=dict.fromkeys((*flow.state, p, q, y1, y2), REAL),
        then=equal((flow.velocity[0], printed_u), (flow.velocity[1], printed_v)),
    )


@paper.statement(
    "equation-d.3",
    "The flow in the proof of Proposition 5.7 is (1), though printed without 1/n",
    equations=("D.3",),
    scope=case("two rectified neurons, two points, d = 2"),
)
def equation_d_3() -> Statement:
    return _summed(1)


@paper.statement(
    "equation-d.3.corrected",
    "With the factor 1/n it is (1)",
    equations=("D.3",),
    scope=own("the nearest true form of equation-d.3, two neurons and two points, d = 2"),
)
def equation_d_3_corrected() -> Statement:
    return _summed(2)


def _summed(points: int) -> Statement:
    flow = two_neuron_flow()
    u1, a1, a2, u2, b1, b2 = flow.state
    p, q, y1, y2 = symbols("p q y_1 y_2")
    f1, f2 = (u1 * (a1 * s + a2 * t) + u2 * (b1 * s + b2 * t) for s, t in ((p, q), (q, p)))
    printed = pull(f1 * y1) * (a1 * p + a2 * q) * y1 + pull(f2 * y2) * (a1 * q + a2 * p) * y2
    return Statement(
        variables=dict.fromkeys((*flow.state, p, q, y1, y2), REAL),
        then=equal((flow.velocity[0], printed / points)),
        notes="Only the unit of time changes; the later estimates use the factor 1/n.",
    )


@paper.statement(
    "claim-3.euler", "v . grad phi = phi: phi is homogeneous of degree one in v", scope=case("d = 3, inside the band")
)
def claim_euler() -> Statement:
    """d = 3 inside the band; outside it phi is linear or zero."""
    return Statement(
        variables=NEURON, given=(LENGTH,), then=equal((v.dot(gradient(3, v, x, n)), inside_band(3, v, x, n)))
    )


@paper.statement(
    "claim-3.balance",
    "u^2 - |v|^2 is conserved along the gradient flow",
    scope=case("one neuron, one point, d = 2; v . grad phi = phi is a hypothesis"),
)
def claim_balance() -> Statement:
    """The derivative along the derived flow, for every activation with v . grad phi = phi."""
    flow, value = one_neuron_flow(), any_activation()
    euler = sum(v[k] * diff(value, v[k]) for k in (0, 1))
    return Statement(
        variables=ANY,
        given=(equal((value, euler)),),
        then=equal((flow.derivative_along(u**2 - v[0] ** 2 - v[1] ** 2), Integer(0))),
    )


@paper.statement(
    "claim-3.balance.a",
    "It is conserved for each of two neurons that interact",
    scope=case("two rectified neurons, two points, d = 2"),
)
def claim_balance_two() -> Statement:
    flow = two_neuron_flow()
    first = 2 * flow.state[0] * flow.velocity[0] - sum(2 * flow.state[k] * flow.velocity[k] for k in (1, 2))
    second = 2 * flow.state[3] * flow.velocity[3] - sum(2 * flow.state[k] * flow.velocity[k] for k in (4, 5))
    return Statement(
        variables=dict.fromkeys((*flow.state, *symbols("p q y_1 y_2")), REAL),
        then=equal((first, Integer(0)), (second, Integer(0))),
    )


@paper.statement(
    "claim-3.balance.b",
    "A step of gradient descent changes it by h^2 times the difference of squared speeds",
    scope=own("a remark of ours: descent instead of the flow"),
)
def claim_balance_descent() -> Statement:
    """So the balance is exact for the flow only; z is |v|, a and b are the speeds, u a = z b."""
    a, b, h = symbols("a b h")
    after = (u + h * a) ** 2 - (z + h * b) ** 2
    return Statement(
        variables={**dict.fromkeys((u, z, a, b), REAL), h: POSITIVE},
        given=(equal((u * a, z * b)),),
        then=equal((after, u**2 - z**2 + h**2 * (a**2 - b**2))),
    )


@paper.statement(
    "claim-3.homogeneity",
    "The network is homogeneous of degree two in its weights",
    scope=case("one neuron, d = 3, inside the band"),
)
def claim_homogeneity() -> Statement:
    """u phi(v, x) for one neuron; a network is a sum of such terms. d = 3, inside the band."""
    k = Symbol("k")
    scaled = k * u * inside_band(3, k * v, x, k * n)
    return Statement(variables={**NEURON, k: POSITIVE}, then=equal((scaled, k**2 * u * inside_band(3, v, x, n))))


@paper.statement("claim-4.loss", "|l'(f y) - l'(0)| <= |f| / 4", scope=case("f y >= 0; both sides are odd"))
def claim_loss() -> Statement:
    """For z >= 0; both sides are odd in z, and the left one is not negative."""
    quarter = Symbol("k")
    return Statement(
        variables={z: NONNEGATIVE},
        then=Rational(1, 2) - pull(z) <= quarter * z,
        constants=(Constant(quarter, Rational(1, 4), best="smallest"),),
    )


@paper.statement("claim-4.loss.a", "The second derivative of the loss is at most 1/4", scope=whole())
def claim_second_derivative() -> Statement:
    return Statement(variables={z: REAL}, then=diff(loss(z), z, 2) <= Rational(1, 4))


@paper.statement(
    "claim-4.sign",
    "A balanced neuron keeps its sign: its growth rate is bounded",
    scope=part("the rate of ln|u| is at most 1 + xi; that the sign is constant is not stated"),
)
def claim_sign() -> Statement:
    """With |u| = |v| = z the rate is a mean of pull times phi(direction) <= (1 + xi)."""
    weight, value = symbols("w s")
    return Statement(
        variables={weight: Range(0, 1), value: NONNEGATIVE, xi: POSITIVE, u: REAL},
        given=(value <= 1 + xi,),
        then=Abs(u * weight * value) <= (1 + xi) * Abs(u),
        notes="ln|u| changes at most at the rate 1 + xi, so u cannot reach 0 in finite time.",
    )


# Directions ----------------------------------------------------------------------------------------------------------


@paper.statement(
    "equation-5",
    "The derivative of v/|v| is (|v|^2 - v v^T) / |v|^3",
    equations=("5",),
    scope=case("the first row, d = 3"),
)
def equation_5() -> Statement:
    """First row in d = 3, cleared of |v|^3."""
    pairs = [
        ((diff(v[0] / length, entry) * length**3).expand(), v.dot(v) * int(k == 0) - v[0] * entry)
        for k, entry in enumerate(v)
    ]
    return Statement(variables=dict.fromkeys(v, REAL), given=(v.dot(v) > 0,), then=equal(*pairs))


@paper.statement(
    "equation-5.a",
    "A balanced neuron's direction moves by s P g of its direction",
    equations=("5",),
    scope=case("d = 3"),
)
def equation_5_direction() -> Statement:
    """v' = u g with g homogeneous of degree zero; along v = |v| w with |u| = |v|, u = s |v|."""
    w, g = Matrix(symbols("w_1:4")), Matrix(symbols("g_1:4"))
    size, s = symbols("n s")
    moved = projector(size * w, size) * (s * size * g) / size
    return Statement(
        variables={**dict.fromkeys((*w, *g, s), REAL), size: POSITIVE},
        given=(equal((w.dot(w), Integer(1))),),
        then=equal((moved, s * (g - w * w.dot(g)))),
    )


@paper.statement(
    "equation-6",
    "The sphere flow keeps |r|, and s G(r/|r|) grows at the rate |P g|^2",
    equations=("6",),
    scope=case("d = 3"),
)
def equation_6() -> Statement:
    w, g = Matrix(symbols("w_1:4")), Matrix(symbols("g_1:4"))
    s = Symbol("s")
    speed = s * (g - w * w.dot(g))
    tangent = g - w * w.dot(g)
    return Statement(
        variables=dict.fromkeys((*w, *g, s), REAL),
        given=(equal((w.dot(w), Integer(1)), (s**2, Integer(1))),),
        then=equal((w.dot(speed), Integer(0)), (s * g.dot(speed), tangent.dot(tangent))),
    )


# Definition 4.3 ------------------------------------------------------------------------------------------------------


paper.unstated(
    "definition-4.3",
    "A direction v is Delta-regular if |v . x_i| >= Delta for every i",
    missing="a word for definitions: the steps have it as a hypothesis",
)


@paper.statement(
    "definition-4.3.band",
    "Near a (xi + 2 Delta)-regular direction phi is the rectifier",
    label="Definition 4.3",
    scope=own("a consequence of ours: one point near a regular direction"),
)
def definition_4_3() -> Statement:
    """s = v.x, t = w.x for |w - v| <= Delta and |x| <= 1: t keeps the sign of s and stays outside the band."""
    s, t, e = symbols("s t e")
    return Statement(
        variables={**dict.fromkeys((s, t), REAL), xi: POSITIVE, e: POSITIVE},
        given=(Abs(s) >= xi + 2 * e, Abs(t - s) <= e),
        then=And(Abs(t) >= xi + e, s * t > 0),
        notes="e is Delta. So the active points, and with them g, are the same on the whole Delta-ball.",
    )


@paper.statement(
    "definition-4.3.a", "A Delta of half the size would do on the same ball", scope=own("a sharper form of ours")
)
def definition_4_3_sharp() -> Statement:
    s, t, e = symbols("s t e")
    k = Symbol("k")
    return Statement(
        variables={**dict.fromkeys((s, t), REAL), xi: POSITIVE, e: POSITIVE},
        given=(Abs(s) >= xi + k * e, Abs(t - s) <= e),
        then=And(Abs(t) >= xi, s * t > 0),
        constants=(Constant(k, Integer(2), best="smallest"),),
    )


@paper.statement(
    "claim-4.normalised",
    "The prominent scale u* of Theorem 4.1 is that of Appendix B divided by sigma",
    scope=own("a remark of ours: the two letters u* of the print are not the same"),
)
def claim_normalised() -> Statement:
    """e^(lambda T_1) = r / sigma, so u e^(lambda T_1) = r (u / sigma)."""
    r, sigma, lam = symbols("r sigma lambda")
    growth = exp(lam * (log(r / sigma) / lam))
    return Statement(
        variables={u: REAL, r: Range.open(0, 1), sigma: Range.open(0, oo), lam: POSITIVE},
        then=equal((u * growth, r * (u / sigma))),
    )


paper.unstated(
    "equation-2",
    "The linearised flow: du_j/dt = G(v_j), dv_j/dt = u_j grad G(v_j) with G the mean of -l'(0) phi(v, x_i) y_i",
    missing="flows in R^d for a symbolic d, sums over n points",
    equations=("2",),
)
