"""Lemma 5.5 on starts that are mirrored in the first coordinate: the limit depends on sigma while D_1 is positive.

The data are (+-p, +-q) with label 1 and (+-q, +-p) with label -1. Neurons near e_1 and their mirror images near -e_1
have u, v = u (cos a, sin a); one neuron of scale s is at e_2, one of scale w at -e_2. The first see a field (D_1, D_2).
L is ln(s/w), Y the number with sinh(Y) = tan(a), Z = s^2 - w^2 - 2 sum u^2 sin(a).
"""

from __future__ import annotations

from functools import cache
from itertools import product

from sympy import Expr, Integer, Interval, Symbol, cosh, sinh, symbols, tanh

from theory.displays import equal
from theory.domains import POSITIVE
from theory.dynamics import Flow, gradient_flow
from theory.scope import own
from theory.simplicity_bias._display import NONNEGATIVE, REAL
from theory.simplicity_bias._paper import paper
from theory.simplicity_bias.network import loss
from theory.statements import Statement

p, q, u, x, y, s, w = symbols("p q u x y s w")
STATE = symbols("u_1 a_1 a_2 u_2 b_1 b_2 u_3 c_1 c_2 u_4 d_1 d_2")
SIDES = ((0, 1), (1, 1), (0, -1), (1, -1))
"""Coordinate and sign of the points that the neurons near e_1, e_2, -e_1, -e_2 are active on."""
MIRRORED = dict(zip(STATE, (u, x, y, -s, 0, s, u, -x, y, -w, 0, -w), strict=True))
"""One neuron for each cluster; v_1 = (x, y)."""


@cache
def four_neuron_flow() -> Flow:
    """The gradient flow of four rectified neurons on the orbit of (p, q) in the plane, in their regular region."""
    neurons = [STATE[3 * k : 3 * k + 3] for k in range(4)]
    total: Expr = Integer(0)
    for e, f in product((1, -1), repeat=2):
        for point, label in (((e * p, f * q), 1), ((e * q, f * p), -1)):
            signs = (e, f)
            active = [n for n, (k, sign) in zip(neurons, SIDES, strict=True) if signs[k] == sign]
            output = sum((n[0] * (n[1] * point[0] + n[2] * point[1]) for n in active), Integer(0))
            total += loss(label * output) / 8
    return gradient_flow(total, STATE)


def _at_mirrored() -> dict[Symbol, Expr]:
    """The velocity of each weight at a mirrored state."""
    flow = four_neuron_flow()
    return {symbol: speed.subs(MIRRORED) for symbol, speed in zip(flow.state, flow.velocity, strict=True)}


ANY = dict.fromkeys((p, q, u, x, y, s, w), POSITIVE)


@paper.statement(
    "lemma-5.5.a",
    "Mirrored starts stay mirrored, and the neurons at e_2, -e_2 stay there",
    scope=own("towards a refutation of lemma-5.5: mirrored starts, d = 2"),
)
def mirrored_stay() -> Statement:
    at = dict(zip((symbol.name for symbol in STATE), _at_mirrored().values(), strict=True))
    zero = Integer(0)
    return Statement(
        variables={**ANY, y: REAL},
        then=equal(
            (at["u_3"], at["u_1"]), (at["c_1"], -at["a_1"]), (at["c_2"], at["a_2"]), (at["b_1"], zero),
            (at["d_1"], zero),
        ),
    )  # fmt: skip


@paper.statement(
    "lemma-5.5.b",
    "The ratio of the scales at e_2 and -e_2 falls at twice the sideways pull: L' = -2 D_2",
    scope=own("towards a refutation of lemma-5.5: mirrored starts, d = 2"),
)
def mirrored_ratio() -> Statement:
    """D_2 is the velocity of v_1^2 over u."""
    at = dict(zip((symbol.name for symbol in STATE), _at_mirrored().values(), strict=True))
    return Statement(variables={**ANY, y: REAL}, then=equal((at["u_2"] / (-s) - at["u_4"] / (-w), -2 * at["a_2"] / u)))


@paper.statement(
    "lemma-5.5.c",
    "The sideways pull has the sign of Z",
    scope=own("towards a refutation of lemma-5.5: mirrored starts, d = 2"),
)
def mirrored_sign() -> Statement:
    """The margins of (p, q), (p, -q) differ by q Z, those of (q, p), (q, -p) by p Z.

    e, f are exp of the first of each pair; g > 1 is exp(q Z), h < 1 is exp(-p Z).
    """
    e, f, g, h = symbols("e f g h")
    return Statement(
        variables={**dict.fromkeys((p, q, e, f), POSITIVE), g: Interval.open(1, 100), h: Interval.open(0, 1)},
        then=q * (1 / (1 + e) - 1 / (1 + e * g)) + p * (1 / (1 + f * h) - 1 / (1 + f)) > 0,
    )


D1, D2, Y, z, gap = symbols("D_1 D_2 Y z l")


@paper.statement(
    "lemma-5.5.d",
    "(Y + L/2)' = -D_1 sinh(Y) for the neurons, (Y - L/2)' = D_1 sinh(Y) for the repeller",
    scope=own("towards a refutation of lemma-5.5: mirrored starts, d = 2"),
)
def mirrored_angles() -> Statement:
    """Y' = a' / cos(a) with a' = D_2 cos(a) - D_1 sin(a), cos(a) = 1/cosh(Y), sin(a) = tanh(Y), L' = -2 D_2.

    The repeller is the angle opposite to the neurons from which none would come: there both pulls change their sign.
    """
    turn = (D2 / cosh(Y) - D1 * tanh(Y)) * cosh(Y)
    return Statement(
        variables={Y: REAL, D1: REAL, D2: REAL},
        then=equal((turn + (-2 * D2) / 2, -D1 * sinh(Y)), (-turn - (-2 * D2) / 2, D1 * sinh(Y))),
    )


@paper.statement(
    "lemma-5.5.e",
    "From angles Y <= 0 with s > w: L stays below L(0), and the repeller is not at 0",
    scope=own("towards a refutation of lemma-5.5: mirrored starts, d = 2; D_1 > 0 is a hypothesis"),
)
def mirrored_order() -> Statement:
    """l = L(0) - L. While l >= 0, Y - l/2 cannot pass 0 upwards; where l returns to 0, Y <= 0, so Z > 0 and l grows.

    A solution z = Y + l/2 of the repeller's equation with z <= 0 has z' = D_1 sinh(z - l/2) <= 0: it cannot turn back,
    and the bounded one starts above 0. Signs of the two right sides, through sinh(v) having the sign of v.
    """
    first, second = symbols("f g")
    return Statement(
        variables={D1: POSITIVE, gap: NONNEGATIVE, z: Interval(-100, 0), first: REAL, second: REAL, s: POSITIVE,
                   w: POSITIVE, y: Interval(-100, 0), u: POSITIVE},
        given=(first * (gap / 2) >= 0, first >= gap / 2, second * (z - gap / 2) >= 0, second <= z - gap / 2, s > w),
        then=(-D1 * first <= 0) & (D1 * second <= 0) & (s**2 - w**2 - 2 * u * y > 0),
        notes="f is sinh(l/2) >= l/2 and g is sinh(z - l/2) <= z - l/2. D_1 > 0 for all times is the hypothesis that "
        "is not proved here.",
    )  # fmt: skip


@paper.statement(
    "lemma-5.5.f",
    "With the repeller at an angle b != 0 the limiting proportions are not those of b = 0",
    scope=own("towards a refutation of lemma-5.5: mirrored starts, d = 2"),
)
def mirrored_proportions() -> Statement:
    """Limits are proportional to u (1 + cos(a - b)); m, n, t are tangents of half of two angles a and of b."""
    m, n, t = symbols("m n t")
    small = Interval.open(-1, 1)
    return Statement(
        variables=dict.fromkeys((m, n, t), small),
        given=(equal(((1 + m * t) ** 2, (1 + n * t) ** 2)), m > n),
        then=equal((t, Integer(0))),
    )
