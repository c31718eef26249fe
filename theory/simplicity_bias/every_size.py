"""Networks of every width on every number of points in every dimension: Proposition B.5.

The activation is the mean over the ball of the print, its gradient the mean of what lies on the active side. Letters
for what the print abbreviates (norms, errors of loss weights, their means) are variables with an equation each.
"""

from __future__ import annotations

from sympy import Abs, And, Eq, Expr, FiniteSet, Max, Rational, S, Symbol, exp, sign, symbols
from sympy.logic.boolalg import Boolean

from theory.domains import POSITIVE
from theory.language.ball_means import BallMean
from theory.language.families import Entry, Family, Sum, family
from theory.scope import own, whole
from theory.simplicity_bias._display import NONNEGATIVE
from theory.simplicity_bias._paper import paper
from theory.statements import Statement
from theory.temporal import ForEach

n, m, d, i, j, k, q = symbols("n m d i j k q")
xi, N, s = symbols("xi N s")
x, y, u, v = family("x", n, d), family("y", n), family("u", m), family("v", m, d)
w, z, r, c, h = family("w", d), family("z", d), family("r", m), family("c", n), family("h", d)

section = paper.section(steps=own("a step of our proof for every size"))


def over(summand: Expr, index: Symbol, size: Symbol) -> Sum:
    """A sum from 1 to a size."""
    return Sum(summand, (index, 1, size))


def reach(row: Entry | Expr, point: Entry) -> Sum:
    """v . (x + xi z), for the entries v[k] and x[k]."""
    return over(row * (point + xi * z[k]), k, d)


def activation(row: Expr, point: Expr) -> BallMean:
    """phi(v, x), for the entries v[k] and x[k]."""
    return BallMean(Max(reach(row, point), 0), z)


def slope(row: Expr, point: Family, at: Symbol, entry: Expr) -> BallMean:
    """The mean of an entry on the active side, where v . (x + xi z) > 0: the gradient of phi has such entries."""
    return BallMean((1 + sign(reach(row, point[at, k]))) / 2 * entry, z)


PHI = activation(v[j, k], x[i, k])
UNIT_PHI = activation(w[k], x[i, k])
OUTPUT = over(u[j] * PHI, j, m)
GRADIENT = slope(w[k], x, i, x[i, q] + xi * z[q])
ALONG = slope(w[k], x, i, over(h[q] * (x[i, q] + xi * z[q]), q, d))
FIELD = over(c[i] * GRADIENT, i, n) / n
BOUND = m * (1 + xi) ** 2 / 4 * N
FIRST = Abs(over(c[i] * UNIT_PHI, i, n) / n) <= BOUND

DOMAINS = {
    **dict.fromkeys((x, u, v, w, c, h), S.Reals), y: FiniteSet(-1, 1), r: NONNEGATIVE, s: NONNEGATIVE,
    xi: POSITIVE, N: NONNEGATIVE, m: S.Naturals,
}  # fmt: skip
POINTS = ForEach(i, n, over(x[i, k] ** 2, k, d) <= 1)
NORMS = ForEach(j, m, Eq(over(v[j, k] ** 2, k, d), r[j] ** 2))
SCALES = (ForEach(j, m, u[j] ** 2 <= N), ForEach(j, m, r[j] ** 2 <= N))
UNIT = Eq(over(w[k] ** 2, k, d), 1)
CHANGES = ForEach(i, n, Eq(c[i], y[i] * (1 / (1 + exp(y[i] * OUTPUT)) - Rational(1, 2))))
MEAN = ForEach(q, d, Eq(h[q], FIELD))
LENGTH = Eq(over(h[q] ** 2, q, d), s**2)
SMALL = ForEach(i, n, Abs(c[i]) <= m * (1 + xi) * N / 4)
"""n points in the unit ball of R^d with labels, m neurons with |theta|^2 <= N, a unit direction w; r_j is |v_j|, c_i
the change of the loss weight of a point times its label, h the mean of c_i grad phi(w, x_i), s its length."""


def about(then: Boolean, *given: Boolean, uses: tuple[str, ...] = ()) -> Statement:
    """A claim about these networks, with the domains of what it speaks of."""
    spoken = set().union(*(part.free_symbols for part in (then, *given)))
    domains = {of: set_ for of, set_ in DOMAINS.items() if of in spoken}
    return Statement(variables=domains, given=given, then=then, uses=uses)


def bounded(row: Expr, size: Expr) -> Boolean:
    """|v . x_i| is at most a number for every point."""
    return ForEach(i, n, Abs(over(row * x[i, k], k, d)) <= size)


@section.step("proposition-b.5", "b.product", "|w . x_i| <= 1 for points of the unit ball and a unit vector")
def step_product() -> Statement:
    return about(bounded(w[k], S.One), POINTS, UNIT)


@section.step("proposition-b.5", "b.products", "|v_j . x_i| <= |v_j| for points of the unit ball")
def step_products() -> Statement:
    return about(ForEach(j, m, bounded(v[j, k], r[j])), POINTS, NORMS)


@section.step("proposition-b.5", "b.field", "|h . x_i| <= |h| for points of the unit ball")
def step_field() -> Statement:
    return about(bounded(h[k], s), POINTS, LENGTH)


@section.step("proposition-b.5", "b.neurons", "0 <= phi(v_j, x_i) <= (1 + xi) |v_j|")
def step_neurons() -> Statement:
    claim = ForEach(j, m, ForEach(i, n, And(PHI >= 0, (1 + xi) * r[j] >= PHI)))
    return about(claim, POINTS, NORMS, uses=("b.products",))


@section.step("proposition-b.5", "b.unit", "0 <= phi(w, x_i) <= 1 + xi for a unit vector w")
def step_unit() -> Statement:
    return about(ForEach(i, n, And(UNIT_PHI >= 0, 1 + xi >= UNIT_PHI)), POINTS, UNIT, uses=("b.product",))


@section.step("proposition-b.5", "b.network", "|f(theta, x_i)| <= m (1 + xi) |theta|^2")
def step_network() -> Statement:
    return about(ForEach(i, n, Abs(OUTPUT) <= m * (1 + xi) * N), POINTS, NORMS, *SCALES, uses=("b.neurons",))


@section.step("proposition-b.5", "b.loss", "|-l'(f y) + l'(0)| <= |f| / 4")
def step_loss() -> Statement:
    return about(ForEach(i, n, Abs(c[i]) <= Abs(OUTPUT) / 4), CHANGES)


@section.step("proposition-b.5", "b.weights", "|-l'(f y) + l'(0)| <= m (1 + xi) |theta|^2 / 4")
def step_weights() -> Statement:
    return about(SMALL, POINTS, NORMS, *SCALES, CHANGES, uses=("b.network", "b.loss"))


@section.step(
    "proposition-b.5", "b.linear", "The inner product of h with the gradient is the mean of its inner products"
)
def step_linear() -> Statement:
    return about(ForEach(i, n, Eq(over(h[q] * GRADIENT, q, d), ALONG)))


@section.step("proposition-b.5", "b.upper", "h . grad phi(w, x_i) <= (1 + xi) |h|")
def step_upper() -> Statement:
    return about(ForEach(i, n, (1 + xi) * s >= ALONG), POINTS, LENGTH, uses=("b.field",))


@section.step("proposition-b.5", "b.lower", "h . grad phi(w, x_i) >= -(1 + xi) |h|")
def step_lower() -> Statement:
    return about(ForEach(i, n, (1 + xi) * s >= -ALONG), POINTS, LENGTH, uses=("b.field",))


@section.step("proposition-b.5", "b.gradient", "|h . grad phi(w, x_i)| <= (1 + xi) |h|")
def step_gradient() -> Statement:
    return about(ForEach(i, n, Abs(ALONG) <= (1 + xi) * s), POINTS, LENGTH, uses=("b.upper", "b.lower"))


@section.step("proposition-b.5", "b.scale", "The first mean of the proposition is at most a |theta|^2")
def step_scale() -> Statement:
    return about(FIRST, POINTS, UNIT, SMALL, uses=("b.unit",))


@section.step("proposition-b.5", "b.square", "|h|^2 is the mean of c_i h . grad phi(w, x_i)")
def step_square() -> Statement:
    return about(Eq(s**2, over(c[i] * ALONG, i, n) / n), MEAN, LENGTH, uses=("b.linear",))


@section.step("proposition-b.5", "b.sum", "That mean is at most a |theta|^2 |h|")
def step_sum() -> Statement:
    claim = over(c[i] * ALONG, i, n) / n <= BOUND * s
    return about(claim, POINTS, LENGTH, SMALL, uses=("b.gradient",))


@section.step("proposition-b.5", "b.direction", "The second mean of the proposition is at most a |theta|^2")
def step_direction() -> Statement:
    return about(s <= BOUND, POINTS, MEAN, LENGTH, SMALL, uses=("b.square", "b.sum"))


@paper.statement(
    "proposition-b.5",
    "Loss weights move the fields of unit directions by at most a |theta|^2, a = m (1 + xi)^2 / 4",
    scope=whole(),
)
def proposition_b_5() -> Statement:
    """s is the length of the second mean; that neurons are balanced is not needed."""
    return about(
        And(FIRST, s <= BOUND),
        POINTS,
        NORMS,
        *SCALES,
        UNIT,
        CHANGES,
        MEAN,
        LENGTH,
        uses=("b.weights", "b.scale", "b.direction"),
    ).but(notes="N is any bound of |u_j|^2 and |v_j|^2: the least one is |theta|^2.")
