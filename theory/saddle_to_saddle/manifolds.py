"""Section 4 and Appendix F: relations between units that gradient flow keeps, and what they say about the width.

A relation is kept when the velocity is tangent to it at each of its points and trajectories are unique. The tangency
identities hold for the gradient as it is, so gradient descent with any step size keeps the same relations.
"""

from __future__ import annotations

from sympy import And, Eq, Interval, Matrix, Rational, S, Symbol, oo, sqrt, symbols

from theory.displays import equal
from theory.dynamics import Flow, gradient_flow
from theory.saddle_to_saddle._display import claim_on_reals, experiment, reals
from theory.saddle_to_saddle._paper import paper
from theory.saddle_to_saddle.architectures import abstract, linear_in_weights
from theory.saddle_to_saddle.embedding import COEFFICIENTS, SAMPLES, SLOPES, homogeneous
from theory.saddle_to_saddle.layer import Layer, Unit, kinked, state_of
from theory.scope import case, measured, own, part
from theory.statements import Statement
from theory.temporal import ConvergesTo

factor = Symbol("gamma")
factors = symbols("gamma_1:3")


def _velocity(layer: Layer, unit: Unit) -> Matrix:
    return Matrix(layer.velocity(SAMPLES, unit, SLOPES))


# Theorem 3 ----------------------------------------------------------------------------------------------------------


paper.unstated(
    "definition-2",
    "An invariant set holds every trajectory through each of its points; an invariant manifold is also a manifold",
    missing="sets of trajectories for all times, and differentiable manifolds",
)
paper.unstated(
    "theorem-3",
    "Equal, zero, proportional or linearly dependent units stay so for all later times under gradient flow",
    missing="trajectories of a layer of any width for every unit map",
)


@paper.statement(
    "theorem-3.i",
    "Two equal units have equal velocities, whatever the unit map",
    scope=part(
        "clause (i), tangency: equal units have equal velocities; two samples, two outputs, phi a scalar times I"
    ),
)
def theorem_3_i() -> Statement:
    layer = abstract(2, 2)
    (v, u), (w, x) = layer.units("ab", 2)
    same = dict(zip((*w, *x), (*v, *u), strict=True))
    gap = _velocity(layer, (v, u)) - _velocity(layer, (w, x)).xreplace(same)
    return claim_on_reals(
        equal((gap, 0 * gap)),
        notes="Tangency; that the relation is then kept needs unique trajectories, for which a locally Lipschitz"
        " gradient suffices and continuity does not, see claim-3.uniqueness.",
    )


@paper.statement(
    "theorem-3.ii",
    "A unit at a zero of the unit map with v = 0 does not move",
    scope=part("clause (ii), tangency: the unit has no velocity; two samples, two outputs, phi a scalar times I"),
)
def theorem_3_ii() -> Statement:
    layer = abstract(2, 2)
    origin = symbols("z_1:3")
    velocity = _velocity(layer, (Matrix([0, 0]), origin))
    zero = tuple(Eq(layer.phi(z, origin)[0], 0) for z in SAMPLES)
    return claim_on_reals(equal((velocity, 0 * velocity)), given=zero)


@paper.statement(
    "theorem-3.iii",
    "Proportional homogeneous units have proportional velocities",
    scope=part("clause (iii), tangency: one sample, one first weight"),
)
def theorem_3_iii() -> Statement:
    layer = abstract(1)
    ((v, (u,)),) = layer.units("a", 1)
    slopes = [SLOPES[0][:1, :]]
    fast = layer.velocity(SAMPLES[:1], (factor * v, (factor * u,)), slopes)
    slow = layer.velocity(SAMPLES[:1], (v, (u,)), slopes)
    return claim_on_reals(
        equal((fast, [factor * entry for entry in slow])),
        given=homogeneous(layer, factor),
        notes="One sample with one output stands for all: the others add summands. The factor may be zero here.",
    )


@paper.statement(
    "theorem-3.iii.kink",
    "Proportional ReLU units have proportional velocities, with any value at the kink",
    scope=part("clause (iii), tangency, for ReLU: one sample, one first weight, any slope at the kink"),
)
def theorem_3_iii_relu() -> Statement:
    u, v, x, slope, kink = symbols("u v x l kink")
    value = (u * x + abs(u * x)) / 2
    moved = (factor * u * x + abs(factor * u * x)) / 2
    return Statement(
        variables=reals((u, v, x, slope)) | {factor: Interval(0, oo), kink: Interval(0, 1)},
        then=And(
            Eq(moved * slope, factor * value * slope),
            Eq(factor * v * kinked(factor * u * x, kink) * x * slope, factor * v * kinked(u * x, kink) * x * slope),
        ),
    )


@paper.statement(
    "theorem-3.iv",
    "A linear dependence between linear units holds for their velocities",
    scope=part("clause (iv), tangency: two units and their combination, two first weights, two samples, two outputs"),
)
def theorem_3_iv() -> Statement:
    layer = linear_in_weights(2, 2)
    units = layer.units("ab", 2)
    combined: Unit = (
        sum((c * v for c, (v, _) in zip(factors, units, strict=True)), Matrix([0, 0])),
        tuple(sum((c * Matrix(u) for c, (_, u) in zip(factors, units, strict=True)), Matrix([0, 0]))),
    )
    single = [Matrix(layer.velocity(COEFFICIENTS, unit, SLOPES)) for unit in units]
    joint = sum((c * part for c, part in zip(factors, single, strict=True)), 0 * single[0])
    return claim_on_reals(equal((layer.velocity(COEFFICIENTS, combined, SLOPES), joint)))


@paper.step(
    "theorem-3.iv",
    "27",
    "A linear map of a difference",
    scope=case("two units in the sum, two first weights"),
    equations=("27",),
)
def step_27() -> Statement:
    layer, a = linear_in_weights(2), COEFFICIENTS[0]
    u, w, x = (symbols(f"{name}_1:3") for name in "uwx")
    rest = [p - factors[0] * q - factors[1] * r for p, q, r in zip(u, w, x, strict=True)]
    left = layer.phi(a, u) - factors[0] * layer.phi(a, w) - factors[1] * layer.phi(a, x)
    return claim_on_reals(equal((left, layer.phi(a, rest))))


@paper.step(
    "theorem-3.iv",
    "rank",
    "Theta' = [[0, R], [R^T, 0]] Theta: a linear flow, so the rank of Theta is constant",
    scope=own("not in print: the strongest form for linear layers, two units of size two"),
)
def step_rank() -> Statement:
    layer = linear_in_weights(2, 2)
    units = layer.units("ab", 2)
    residual = Matrix(2, 2, symbols("r_11 r_12 r_21 r_22"))
    velocity = [layer.velocity([(1, 0), (0, 1)], unit, [-residual[:, 0], -residual[:, 1]]) for unit in units]
    zero = Matrix.zeros(2, 2)
    operator = Matrix.vstack(Matrix.hstack(zero, residual), Matrix.hstack(residual.T, zero)) / 2
    printed = [operator * Matrix([*v, *u]) for v, u in units]
    return claim_on_reals(equal(*[(Matrix(a), b) for a, b in zip(velocity, printed, strict=True)]))


@paper.statement(
    "claim-3.uniqueness",
    "With phi = |u|^(3/2) a unit at u = 0 can leave in finite time or stay for ever",
    scope=own("not in print: why 'any phi' in Theorem 3 needs unique trajectories"),
)
def uniqueness() -> Statement:
    u, v = symbols("u v")
    flow = Flow((v, u), (u ** Rational(3, 2), Rational(3, 2) * v * sqrt(u)))
    invariant = v**2 - Rational(2, 3) * u**2
    return Statement(
        variables={u: Interval.open(0, oo), v: Interval.open(0, oo)},
        given=(Eq(invariant, 1),),
        then=And(Eq(flow.derivative_along(invariant), 0), flow.velocity[1] >= Rational(3, 2) * sqrt(u)),
        notes="Loss l = -f, one sample. Since u' >= (3/2) sqrt(u), the start v = 1, u = 0 has, besides the constant"
        " first weight, a solution that reaches any u > 0 by the time (4/3) sqrt(u): of two equal units one may leave"
        " and the other stay, so 'any phi' in Theorem 3(i) needs unique trajectories.",
    )


# Appendix F.3 and F.4 -----------------------------------------------------------------------------------------------


@paper.statement(
    "claim-f.3.i",
    "Equal units: double the second weights",
    scope=case("clause (i): the two equal units alone, two first weights, two outputs"),
)
def claim_f_3_i() -> Statement:
    layer = abstract(2, 2)
    ((v, u),) = layer.units("a", 1)
    return claim_on_reals(equal((layer.sum(SAMPLES[0], [(v, u), (v, u)]), layer.sum(SAMPLES[0], [(2 * v, u)]))))


@paper.statement(
    "claim-f.3.iii",
    "Proportional homogeneous units: multiply the second weights by 1 + gamma^2",
    scope=case("clause (iii): the two proportional units alone, one first weight, one output"),
)
def claim_f_3_iii() -> Statement:
    layer = abstract(1)
    ((v, (u,)),) = layer.units("a", 1)
    wide = [(v, (u,)), (factor * v, (factor * u,))]
    return claim_on_reals(
        equal((layer.sum(SAMPLES[0], wide), layer.sum(SAMPLES[0], [((1 + factor**2) * v, (u,))]))),
        given=homogeneous(layer, factor),
    )


@paper.statement("claim-f.4.i", "Half and half makes the two units equal", scope=case("clause (i): one second weight"))
def claim_f_4_i() -> Statement:
    v, share = symbols("v gamma_v")
    return claim_on_reals(equal(((1 - share) * v, share * v)), given=(Eq(share, Rational(1, 2)),))


@paper.step(
    "claim-f.4",
    "29",
    "The proportional family meets theta_H = gamma theta_i",
    scope=case("one second weight"),
    equations=("29",),
)
def step_29() -> Statement:
    v, c = symbols("v gamma_u")
    share = c / (1 + c**2)
    return claim_on_reals(equal((share * v, c * (1 - c * share) * v), (share / (1 - c * share) * v, c * v)))


@paper.statement(
    "claim-c.a",
    "On the manifold two proportional units move as one unit with sqrt(1 + gamma^2) times the weights",
    scope=case("one sample, one first weight"),
)
def claim_c_a() -> Statement:
    """Appendix C: with c^2 = 1 + gamma^2 the velocity of c theta_1 is that of the single unit at c theta_1."""
    layer, size = abstract(1), Symbol("c")
    ((v, (u,)),) = layer.units("a", 1)
    slopes = [SLOPES[0][:1, :]]
    one = layer.velocity(SAMPLES[:1], (size * v, (size * u,)), slopes)
    two = [size * entry for entry in layer.velocity(SAMPLES[:1], (v, (u,)), slopes)]
    return claim_on_reals(
        equal((one, two)),
        given=homogeneous(layer, size),
        notes="The slopes dl/dzeta agree by claim-f.3.iii. Near the manifold the reduction is an approximation, which"
        " the paper does not quantify.",
    )


# Text of Section 4 --------------------------------------------------------------------------------------------------


def _groups(*sizes: int) -> tuple[Matrix, Matrix]:
    """The sum over equal units in groups, and the sum over one unit for each group."""
    layer = abstract(1)
    units = layer.units("abcd", len(sizes))
    wide = [unit for unit, size in zip(units, sizes, strict=True) for _ in range(size)]
    narrow = [(size * v, u) for (v, u), size in zip(units, sizes, strict=True)]
    return layer.sum(SAMPLES[0], wide), layer.sum(SAMPLES[0], narrow)


@paper.statement(
    "claim-4.a",
    "Units 1 = 2 and 3 = 4: width four computes what width two computes",
    scope=case("four units, 1 = 2 and 3 = 4"),
)
def claim_4_a() -> Statement:
    return claim_on_reals(equal(_groups(2, 2)))


@paper.statement(
    "claim-4.a.redundant",
    "Three units, three equalities: the effective width is 3 - 3 = 0",
    scope=case("three units and the constraints 1 = 2, 2 = 3, 1 = 3"),
)
def claim_4_a_redundant() -> Statement:
    wide, _ = _groups(3)
    return claim_on_reals(
        equal((wide, 0 * wide)),
        notes="Each added constraint is said to lower the effective width by one; 1 = 2, 2 = 3, 1 = 3 are three"
        " constraints, of which the last follows from the others.",
    )


@paper.statement(
    "claim-4.a.redundant.corrected", "Of the three equalities one follows from the others: the effective width is 1"
)
def claim_4_a_redundant_corrected() -> Statement:
    first, second, third = symbols("w_1 w_2 w_3")
    follows = (first - third, (first - second) + (second - third))
    return claim_on_reals(equal(_groups(3), follows))


@paper.statement("claim-4.a.corrected", "Three units, two independent equalities: the effective width is 1")
def claim_4_a_corrected() -> Statement:
    return claim_on_reals(equal(_groups(3)))


p, q, s, t = symbols("p q s t")


def diagonal_flow() -> Flow:
    """A linear 2-2-2 network with white inputs, target diag(s, t), on the subspace where v = u = (p, 0), (0, q)."""
    layer = linear_in_weights(2, 2)
    units = layer.units("ab", 2)
    residual = Matrix([[s, 0], [0, t]]) - sum((v * Matrix(u).T for v, u in units), Matrix.zeros(2, 2))
    full = gradient_flow(sum(entry**2 for entry in residual) / 2, state_of(units))
    here = dict(zip(full.state, (p, 0, p, 0, 0, q, 0, q), strict=True))
    velocity = [entry.subs(here) for entry in full.velocity]
    return Flow((p, q), (velocity[0].expand(), velocity[5].expand()))


@paper.statement(
    "claim-4.b",
    "From the width-1 saddle, one broken constraint leads to the width-2 fixed point",
    scope=case("a linear 2-2-2 network, white inputs, diagonal target, on its balanced diagonal subspace"),
)
def claim_4_b() -> Statement:
    flow = diagonal_flow()
    small = Symbol("q_0")
    return Statement(
        variables={s: Interval.open(0, oo), t: Interval.open(0, oo), small: Interval.open(0, sqrt(t))},
        dynamics=Flow((q,), (flow.velocity[1],)),
        start={q: small},
        then=ConvergesTo(q, sqrt(t)),
        notes="The first unit rests at p = sqrt(s); the second unit's flow does not involve it.",
    )


@paper.step(
    "claim-4.b",
    "logistic",
    "On the subspace w = q^2 solves w' = 2 w (t - w), independently of the other unit",
    scope=own("a step of ours, for the diagonal subspace of a linear 2-2-2 network"),
)
def step_logistic() -> Statement:
    flow = diagonal_flow()
    w = q**2
    return claim_on_reals(
        equal((flow.derivative_along(w), 2 * w * (t - w)), (flow.velocity[0], p * (s - p**2))),
    )


@paper.step(
    "claim-4.b",
    "tangent",
    "The subspace is invariant: the other weights do not move, both halves agree",
    scope=own("a step of ours, for the diagonal subspace of a linear 2-2-2 network"),
)
def step_tangent() -> Statement:
    layer = linear_in_weights(2, 2)
    units = layer.units("ab", 2)
    residual = Matrix([[s, 0], [0, t]]) - sum((v * Matrix(u).T for v, u in units), Matrix.zeros(2, 2))
    full = gradient_flow(sum(entry**2 for entry in residual) / 2, state_of(units))
    here = dict(zip(full.state, (p, 0, p, 0, 0, q, 0, q), strict=True))
    velocity = [entry.subs(here) for entry in full.velocity]
    still = [velocity[k] for k in (1, 3, 4, 6)]
    return claim_on_reals(equal((still, [S.Zero] * 4), (velocity[0], velocity[2]), (velocity[5], velocity[7])))


@paper.statement(
    "claim-4.b.simulated",
    "A quadratic network beside its width-1 saddle reaches a width-2 minimum",
    scope=measured("one run of a quadratic network from one start (seed 2); the threshold was chosen here"),
)
def claim_4_b_simulated() -> Statement:
    first, width, loss = symbols("first width loss")
    return experiment(
        "escape",
        And(Eq(first, 1), Eq(width, 2), loss < Rational(1, 10**6)),
        notes="The perturbed unit has v > 0; with v < 0 it shrinks and the constraint is restored, which is why the"
        " perturbation has to be chosen. A proof would need that the flow on the width-2 manifold has no other limit;"
        " the threshold was chosen here.",
        seed=2,
    )
