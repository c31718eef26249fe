"""Section 3 and Appendices D, E: fixed points of a narrow network inside a wider one, at small sizes.

Theorem 1 itself, for every size, is in `every_width`.

The identities are stronger than the theorem: at every point of the narrow network, fixed or not, the gradients of the
wide one are multiples of the narrow ones. As in the paper's proof, first the sums zeta agree, so the slopes dl/dzeta of
the samples are the same numbers on both sides; then each gradient is compared with these slopes as free symbols.
"""

from __future__ import annotations

from collections.abc import Sequence

from sympy import And, Eq, Expr, Integer, Interval, Matrix, Piecewise, S, Symbol, oo, symbols
from sympy.logic.boolalg import Boolean

from theory.displays import equal
from theory.saddle_to_saddle._display import claim_on_reals
from theory.saddle_to_saddle._paper import paper
from theory.saddle_to_saddle.architectures import abstract, linear_in_weights
from theory.saddle_to_saddle.layer import Layer, Unit, Vector, kinked, state_of
from theory.scope import case, own
from theory.statements import Statement
from theory.temporal import ForAll

share, scale, inverse = symbols("gamma_v gamma_u k")
SAMPLES: list[Vector] = [(Integer(1),), (Integer(2),)]
SLOPES = [Matrix(symbols(f"l_{mu}_1:3")) for mu in (1, 2)]
"""dl/dzeta of two samples with two outputs."""

SAME_SLOPES = (
    "The symbols l are the slopes dl/dzeta of the samples; they are the same numbers in both networks because the sums"
    " zeta agree (first equations). Shown for two samples, two outputs and two units; more of them only add summands."
)


def split(narrow: Sequence[Unit], u: Vector, kept: Expr, moved: Expr) -> list[Unit]:
    """The first unit keeps a multiple of its second weights; a new unit with first weights u gets another one."""
    (v, first), *others = narrow
    return [(kept * v, first), *others, (moved * v, tuple(u))]


def multiples(factors: tuple[Expr, Expr], layer: Layer, velocity: Sequence[Expr]) -> list[Expr]:
    """A unit's velocity with the part of v and the part of u multiplied by a factor each."""
    of_v, of_u = factors
    return [of_v * entry for entry in velocity[: layer.second]] + [of_u * entry for entry in velocity[layer.second :]]


def same_sums(layer: Layer, inputs: Sequence[Vector], narrow: Sequence[Unit], wide: Sequence[Unit]) -> Boolean:
    """zeta is the same for every sample."""
    return equal(*[(layer.sum(z, wide), layer.sum(z, narrow)) for z in inputs])


def _abstract_clause(wide: list[Unit], narrow: list[Unit], factors: list[tuple[Expr, Expr]], layer: Layer) -> Boolean:
    """Sums agree, and unit by unit the wide velocity is the stated multiple of a narrow one (the new unit's last)."""
    parents = [*range(len(narrow)), 0]
    pairs = []
    for unit, parent, pair in zip(wide, parents, factors, strict=True):
        derived = layer.velocity(SAMPLES, unit, SLOPES)
        pairs.append((derived, multiples(pair, layer, layer.velocity(SAMPLES, narrow[parent], SLOPES))))
    return And(same_sums(layer, SAMPLES, narrow, wide), equal(*pairs))


paper.unstated(
    "definition-1",
    "A fixed point of the flow is a point where the gradient of the loss vanishes",
    missing="the gradient of a network of any size",
)

# Appendix D ---------------------------------------------------------------------------------------------------------


def _chain_rule(part: slice) -> Statement:
    """The gradient of a squared error against (21) and (22), for a head with abstract weights and two outputs."""
    layer = abstract(1, 2)
    units = layer.units("ab", 2)
    targets = symbols("y_1:3")
    loss = layer.loss([(SAMPLES[0], targets)], units)
    state = state_of(units[:1])
    slope = layer.sum(SAMPLES[0], units) - Matrix(targets)
    printed = layer.velocity(SAMPLES[:1], units[0], [slope])
    derived = [-loss.diff(weight) for weight in state]
    return claim_on_reals(equal((derived[part], printed[part])))


@paper.statement(
    "equation-21",
    "Gradient flow of the second weights of one unit",
    scope=case("squared error, one sample, two units with one first weight, phi a scalar times I_2"),
    equations=("19", "20", "21"),
)
def equation_21() -> Statement:
    return _chain_rule(slice(0, 2))


@paper.statement(
    "equation-22",
    "Gradient flow of the first weights of one unit",
    scope=case("squared error, one sample, two units with one first weight, phi a scalar times I_2"),
    equations=("22",),
)
def equation_22() -> Statement:
    return _chain_rule(slice(2, None))


# Theorem 1 ----------------------------------------------------------------------------------------------------------


@paper.statement(
    "theorem-1.i",
    "Any unit can be split in two, its second weights shared",
    scope=case("clause (i): two samples, two outputs, two units, phi a scalar times I; gradients at every point"),
    equations=("4",),
)
def theorem_1_i() -> Statement:
    layer = abstract(2, 2)
    narrow = layer.units("ab", 2)
    wide = split(narrow, narrow[0][1], 1 - share, share)
    one = Integer(1)
    return claim_on_reals(
        _abstract_clause(wide, narrow, [(one, 1 - share), (one, one), (one, share)], layer), notes=SAME_SLOPES
    )


@paper.statement(
    "theorem-1.ii",
    "A unit at a zero of the unit map may be added",
    scope=case("clause (ii): two samples, two outputs, two units, phi a scalar times I; gradients at every point"),
    equations=("5",),
)
def theorem_1_ii() -> Statement:
    layer = abstract(2, 2)
    narrow = layer.units("ab", 2)
    origin = symbols("z_1:3")
    wide = [*narrow, (Matrix([0, 0]), origin)]
    zero = tuple(Eq(layer.phi(z, origin)[0], 0) for z in SAMPLES)
    rest = [0] * 4
    return claim_on_reals(
        And(same_sums(layer, SAMPLES, narrow, wide), equal((layer.velocity(SAMPLES, wide[-1], SLOPES), rest))),
        given=zero,
        notes=SAME_SLOPES,
    )


def _relu_at(scale_: Expr, kink: Expr) -> Expr:
    """Slope in u_H after embedding one ReLU unit u > 0 with v u = 1, inputs 1 and -1, targets 1 and y."""
    u, v, y = symbols("u v y")
    slopes = {1: v * u - 1, -1: -y}
    return sum(share * v * kinked(scale_ * u * x, kink) * x * slopes[x] for x in (1, -1)) / 2


@paper.statement(
    "theorem-1.iii",
    "A ReLU unit can be split into proportional ones, the factor zero included",
    scope=case("clause (iii), the factor zero included: one ReLU unit, inputs 1 and -1, any slope at the kink"),
    equations=("6",),
)
def theorem_1_iii() -> Statement:
    u, v, kink = symbols("u v kink")
    return claim_on_reals(
        Eq(_relu_at(scale, kink), 0),
        given=(Eq(v * u, 1),),
        variables={u: Interval.open(0, oo), scale: Interval(0, oo), kink: Interval(0, 1)},
        notes="The narrow network (one unit, inputs 1 and -1, targets 1 and y) is at a fixed point where v u = 1;"
        " kink is the derivative of ReLU at 0, which the paper leaves open.",
    )


@paper.statement(
    "theorem-1.iii.reading-b",
    "The same when the derivative of ReLU at 0 is taken to be 0",
    scope=case("clause (iii), the factor zero included: the same unit, the slope at the kink read as 0"),
)
def theorem_1_iii_zero_slope() -> Statement:
    u, v, y = symbols("u v y")
    return claim_on_reals(
        Eq(_relu_at(scale, Integer(0)), 0),
        given=(Eq(v * u, 1),),
        variables={u: Interval.open(0, oo), scale: Interval(0, oo), y: S.Reals},
    )


def homogeneous(layer: Layer, factor: Expr) -> tuple[Boolean, ...]:
    """phi(factor u) = factor phi(u) for all u, for the sample that stands for all: the others only add summands."""
    z, number = Symbol("z"), SAMPLES[0]
    law = Eq(layer.phi(number, (factor * z,))[0], factor * layer.phi(number, (z,))[0])
    return (ForAll(z, S.Reals, law),)


INVERTIBLE = Eq(scale * inverse, 1)
"""gamma_u is not zero: it has an inverse k."""


def _homogeneous_case() -> tuple[Layer, list[Unit], list[Unit]]:
    layer = abstract(1)
    narrow = layer.units("a", 1)
    (_, (u,)) = narrow[0]
    return layer, narrow, split(narrow, (scale * u,), 1 - scale * share, share)


def _one_output(layer: Layer, unit: Unit) -> list[Expr]:
    return layer.velocity(SAMPLES[:1], unit, [SLOPES[0][:1, :]])


@paper.statement(
    "theorem-1.iii.corrected",
    "Any homogeneous unit can be split into proportional ones, factor not zero",
    scope=own(
        "the nearest true form of theorem-1.iii: one sample, one unit, one first weight, slopes along the ray assumed"
    ),
)
def theorem_1_iii_corrected() -> Statement:
    layer, narrow, wide = _homogeneous_case()
    number, (_, u) = SAMPLES[0], narrow[0]
    old = _one_output(layer, narrow[0])
    pairs = [
        (_one_output(layer, wide[0]), multiples((Integer(1), 1 - scale * share), layer, old)),
        (_one_output(layer, wide[1]), multiples((scale, share), layer, old)),
    ]
    far = (scale * u[0],)
    along_ray = Eq(layer.slopes_of_phi(number, far)[0][0], layer.slopes_of_phi(number, u)[0][0])
    return claim_on_reals(
        And(same_sums(layer, SAMPLES[:1], narrow, wide), equal(*pairs)),
        given=(Eq(layer.phi(number, far)[0], scale * layer.phi(number, u)[0]), along_ray),
        notes=SAME_SLOPES + " That the slopes agree along the ray is step 25.corrected, where the factor is not zero.",
    )


@paper.step(
    "theorem-1.iii",
    "zeta",
    "The wide network computes the same sums",
    scope=case("one sample, one unit, one first weight"),
)
def step_iii_sums() -> Statement:
    layer, narrow, wide = _homogeneous_case()
    return claim_on_reals(same_sums(layer, SAMPLES[:1], narrow, wide), given=homogeneous(layer, scale))


@paper.step(
    "theorem-1.iii",
    "25",
    "Slopes of a homogeneous unit map agree along a ray",
    scope=case("one first weight"),
    equations=("25",),
)
def step_25() -> Statement:
    """A positively homogeneous function of one variable is p z for z > 0 and q z for z < 0; at 0 it has some slope."""
    p, q, kink, u = symbols("p q kink u")

    def slope(z: Expr) -> Expr:
        return Piecewise((p, z > 0), (kink, Eq(z, 0)), (q, True))

    return claim_on_reals(
        Eq(slope(scale * u), slope(u), evaluate=False),
        variables={scale: Interval(0, oo)},
        notes="As printed the factor may be 0, where the slope is the one at the kink; 25.corrected leaves 0 out.",
    )


@paper.step("theorem-1.iii", "25.corrected", "The same for a factor that is not zero", equations=("25",))
def step_25_corrected() -> Statement:
    layer, (u,) = abstract(1), symbols("u_1:2")
    change = [layer.slopes_of_phi(SAMPLES[0], point)[0][0] for point in ((scale * u,), (u,))]
    return claim_on_reals(equal((change[0], change[1])), given=(*homogeneous(layer, scale), INVERTIBLE))


@paper.step(
    "theorem-1.iii",
    "25.relu",
    "ReLU with any value at the kink: slopes at gamma u and at u, gamma = 0 allowed",
    scope=case("ReLU of one number"),
)
def step_25_relu() -> Statement:
    s, kink = symbols("s kink")
    return Statement(
        variables={s: S.Reals, scale: Interval(0, oo), kink: Interval(0, 1)},
        then=Eq(kinked(scale * s, kink), kinked(s, kink)),
        notes="(25) for the function that the paper names; with the factor 0 the slope is the one at the kink.",
    )


@paper.step("theorem-1.iii", "25.relu.corrected", "The same for a positive factor", equations=("25",))
def step_25_relu_corrected() -> Statement:
    return step_25_relu().but(
        variables={Symbol("s"): S.Reals, scale: Interval.open(0, oo), Symbol("kink"): Interval(0, 1)}
    )


# Linear units -------------------------------------------------------------------------------------------------------

first_shares, second_shares = symbols("gamma_u1:3"), symbols("gamma_v1:3")
COEFFICIENTS: list[Vector] = [symbols("a_11:13"), symbols("a_21:23")]
"""The coefficients of phi(z; u) = a.u for two samples: every unit map that is linear in u."""


def _linear_case() -> tuple[Layer, list[Unit], list[Unit]]:
    layer = linear_in_weights(2, 2)
    narrow = layer.units("ab", 2)
    second = sum((c * v for c, (v, _) in zip(second_shares, narrow, strict=True)), Matrix([0, 0]))
    first = sum((c * Matrix(u) for c, (_, u) in zip(first_shares, narrow, strict=True)), Matrix([0, 0]))
    wide = [(v - c * second, u) for c, (v, u) in zip(first_shares, narrow, strict=True)]
    return layer, narrow, [*wide, (second, tuple(first))]


def _linear_velocities(units: Sequence[Unit]) -> list[Matrix]:
    layer = linear_in_weights(2, 2)
    return [Matrix(layer.velocity(COEFFICIENTS, unit, SLOPES)) for unit in units]


@paper.statement(
    "theorem-1.iv",
    "A linear combination of linear units may be added",
    scope=case("clause (iv): two units, two first weights, two samples, two outputs; gradients at every point"),
    equations=("7",),
)
def theorem_1_iv() -> Statement:
    layer, narrow, wide = _linear_case()
    old, new = _linear_velocities(narrow), _linear_velocities(wide)
    joint = sum((c * part for c, part in zip(second_shares, old, strict=True)), Matrix([0] * 4))
    pairs = []
    for c, before, after in zip(first_shares, old, new[:2], strict=True):
        pairs += [(after[:2, :], before[:2, :]), (after[2:, :], (before - c * joint)[2:, :])]
    pairs.append(
        (new[2][:2, :], sum((c * part[:2, :] for c, part in zip(first_shares, old, strict=True)), 0 * old[0][:2, :]))
    )
    pairs.append((new[2][2:, :], joint[2:, :]))
    return claim_on_reals(And(same_sums(layer, COEFFICIENTS, narrow, wide), equal(*pairs)), notes=SAME_SLOPES)


@paper.step(
    "theorem-1.iv",
    "zeta",
    "The wide network computes the same sums",
    scope=case("two units, two first weights, two samples, two outputs"),
)
def step_iv_sums() -> Statement:
    layer, narrow, wide = _linear_case()
    return claim_on_reals(same_sums(layer, COEFFICIENTS, narrow, wide))


def _u_line(sign: int) -> Statement:
    _, narrow, wide = _linear_case()
    old, new = _linear_velocities(narrow), _linear_velocities(wide)
    joint = sum((c * part for c, part in zip(second_shares, old, strict=True)), Matrix([0] * 4))
    return claim_on_reals(equal((new[0][2:, :], (old[0] + sign * first_shares[0] * joint)[2:, :])))


@paper.step(
    "theorem-1.iv",
    "u-line",
    "Velocity of the old first weights, with the printed plus sign",
    scope=case("two units, two first weights, two samples, two outputs"),
)
def step_iv_u_line() -> Statement:
    return _u_line(1).but(notes="Appendix E, case (iv), the line for the old first weights; a sign, the result stands.")


@paper.step("theorem-1.iv", "u-line.corrected", "The same with a minus sign")
def step_iv_u_line_corrected() -> Statement:
    return _u_line(-1)


@paper.step(
    "theorem-1.iv",
    "26",
    "A homogeneous and additive map respects linear combinations",
    scope=case("two units with one first weight"),
    equations=("26",),
)
def step_26() -> Statement:
    phi, z = abstract(1).phi, Symbol("z")
    u = symbols("u_1:3")
    number = SAMPLES[0]
    scaled = tuple(ForAll(z, S.Reals, Eq(phi(number, (c * z,))[0], c * phi(number, (z,))[0])) for c in first_shares)
    left, right = (c * entry for c, entry in zip(first_shares, u, strict=True))
    additive = Eq(phi(number, (left + right,))[0], phi(number, (left,))[0] + phi(number, (right,))[0])
    combined = sum(c * phi(number, (entry,))[0] for c, entry in zip(first_shares, u, strict=True))
    return claim_on_reals(equal((phi(number, (left + right,))[0], combined)), given=(*scaled, additive))


@paper.step(
    "theorem-1.iv", "slope", "The slope of a linear unit map does not involve u", scope=case("two first weights")
)
def step_iv_slope() -> Statement:
    layer, a = linear_in_weights(2), COEFFICIENTS[0]
    here, there = (layer.slopes_of_phi(a, symbols(f"{name}_1:3")) for name in ("u", "w"))
    return claim_on_reals(equal(*[(x, y) for x, y in zip(here, there, strict=True)], (here[0][0], a[0])))
