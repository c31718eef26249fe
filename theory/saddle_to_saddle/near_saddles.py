"""Section 5.1 and Appendix G.3: the dynamics near a fixed point of a linear layer against the reduced system (12)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from sympy import And, Expr, Integer, Interval, Matrix, Poly, Symbol, oo, prod, sqrt, symbols

from theory.displays import equal
from theory.domains import POSITIVE
from theory.dynamics import Flow
from theory.saddle_to_saddle._display import claim_on_reals
from theory.saddle_to_saddle._paper import paper
from theory.saddle_to_saddle.architectures import linear_in_weights
from theory.saddle_to_saddle.directions import UNITS, product_matrix
from theory.saddle_to_saddle.layer import state_of
from theory.scope import case, own
from theory.statements import Statement

s1, s2 = symbols("s_1 s_2")


def near_saddle() -> tuple[Flow, dict[Symbol, Expr]]:
    """The flow (9) with white inputs and Sigma = diag(p^2, s_2), and the balanced rank-1 saddle."""
    p = Symbol("p")
    residual = Matrix([[p**2, 0], [0, s2]]) - product_matrix()
    velocity = [entry for v_, u_ in UNITS for entry in (*(residual * Matrix(u_)), *(residual.T * v_))]
    flow = Flow(state_of(UNITS), tuple(velocity))
    return flow, dict(zip(flow.state, (p, 0, p, 0, 0, 0, 0, 0), strict=True))


def _linearised(unit: int) -> tuple[list[Expr], list[Expr]]:
    """Exact and printed linear dynamics of one unit's deviation."""
    flow, saddle = near_saddle()
    change = Matrix(symbols("d_1:9"))
    exact = flow.jacobian.subs(saddle) * change
    tilde = Matrix([[0, 0], [0, s2]])
    mine = change[4 * unit : 4 * unit + 4, :]
    printed = [*(tilde * mine[2:, :]), *(tilde.T * mine[:2, :])]
    return list(exact[4 * unit : 4 * unit + 4, :]), printed


@paper.statement(
    "equation-12",
    "Near a rank-1 saddle every unit follows the reduced linear system",
    scope=case("two outputs, two inputs, two units, rank one, white inputs, the balanced saddle"),
    equations=("12", "42"),
)
def equation_12() -> Statement:
    return claim_on_reals(
        equal(*[_linearised(unit) for unit in (0, 1)]),
        notes="Section 5.1 and (41) keep W fixed; the deviation of W acts on units that are not zero at the saddle, so"
        " (12) is the linearisation for the units at rest at zero only, equation-12.corrected.",
    )


@paper.statement(
    "equation-12.corrected",
    "Units at rest at zero follow the reduced linear system exactly",
    scope=own("the nearest true form of equation-12: two outputs, inputs and units, white inputs, the balanced saddle"),
)
def equation_12_corrected() -> Statement:
    return claim_on_reals(equal(_linearised(1)))


def _spectrum(printed: Expr) -> Statement:
    flow, saddle = near_saddle()
    x = Symbol("x")
    matrix = x * Matrix.eye(8) - flow.jacobian.subs(saddle)
    return claim_on_reals(equal((matrix.det(method="berkowitz"), printed)))


@paper.step(
    "equation-12",
    "spectrum",
    "Growth rate s_2 once for each of the two units, all other rates zero",
    scope=case("what (12) implies: two outputs, two inputs, two units, rank one, white inputs, the balanced saddle"),
)
def step_spectrum() -> Statement:
    x = Symbol("x")
    return _spectrum((x**2 - s2**2) ** 2 * x**4).but(
        notes="What (12) for every i implies; H - r units have the rate s_2, and its size, which sets the length of the"
        " plateau, is right."
    )


@paper.step(
    "equation-12", "spectrum.corrected", "Growth rate s_2 for H - r units; the occupied unit has -s_1 +- s_2, -2 s_1, 0"
)
def step_spectrum_corrected() -> Statement:
    x, p = symbols("x p")
    return _spectrum((x**2 - s2**2) * x**3 * ((x + p**2) ** 2 - s2**2) * (x + 2 * p**2))


@paper.step(
    "equation-12",
    "fastest",
    "When s_1 is the larger value, no rate exceeds s_2",
    scope=own("a step of ours: the rates of equation-12#spectrum.corrected compared"),
)
def step_fastest() -> Statement:
    return Statement(
        variables={s1: POSITIVE, s2: Interval(0, oo)},
        given=(s2 <= s1,),
        then=And(-s1 + s2 <= s2, -s1 - s2 <= s2, -2 * s1 <= s2, -s2 <= s2),
    )


@paper.step(
    "equation-12",
    "41",
    "As printed in (41): the velocity of u is the residual times u",
    scope=case("two outputs, two inputs, two units, rank one, white inputs, the balanced saddle"),
    equations=("41a",),
)
def step_41() -> Statement:
    flow, _ = near_saddle()
    p = Symbol("p")
    residual = Matrix([[p**2, 0], [0, s2]]) - product_matrix()
    (_, first), *_others = UNITS
    return claim_on_reals(
        equal((list(flow.velocity[2:4]), list(residual * Matrix(first)))),
        notes="(41a) and (41b) have the letters u and v on the left exchanged against (9).",
    )


@paper.step("equation-12", "41.corrected", "The velocity of v is the residual times u, as in (9)", equations=("41a",))
def step_41_corrected() -> Statement:
    flow, _ = near_saddle()
    p = Symbol("p")
    residual = Matrix([[p**2, 0], [0, s2]]) - product_matrix()
    (_, first), *_others = UNITS
    return claim_on_reals(equal((list(flow.velocity[:2]), list(residual * Matrix(first)))))


# Every saddle of a small network ------------------------------------------------------------------------------------


def linearisation(values: Sequence[Expr], chosen: Sequence[int], units: int) -> Matrix:
    """The Jacobian of (9) at the balanced fixed point with an index set, one unit for each chosen direction.

    White inputs, Sigma = diag(values); weights in the order of all v, then all u, direction by direction.
    """
    size = len(values)
    layer = linear_in_weights(size, size)
    members = layer.units("abcdefgh", units)
    product = sum((v_ * Matrix(u_).T for v_, u_ in members), Matrix.zeros(size, size))
    residual = Matrix.diag(*values) - product
    velocity = Matrix([entry for v_, u_ in members for entry in (*(residual * Matrix(u_)), *(residual.T * v_))])
    state = state_of(members)
    here = dict.fromkeys(state, Integer(0))
    for place, direction in enumerate(chosen):
        v_, u_ = members[place]
        here |= {v_[direction]: sqrt(values[direction]), u_[direction]: sqrt(values[direction])}
    return velocity.jacobian(state).subs(here)


def predicted(values: Sequence[Expr], chosen: Sequence[int], units: int) -> Expr:
    """The characteristic polynomial that the corrected reduction predicts.

    Units at rest at zero have +-s_k for the directions left, occupied ones -s_i +- s_k, and among the occupied ones
    -(s_i + s_j) for every pair, in both orders; all the rest is neutral.
    """
    x = Symbol("x")
    free, left = units - len(chosen), [k for k in range(len(values)) if k not in chosen]
    factors = [(x**2 - values[k] ** 2) ** free for k in left]
    factors += [(x + values[i]) ** 2 - values[k] ** 2 for i in chosen for k in left]
    factors += [x + values[i] + values[j] for i in chosen for j in chosen]
    degree = 2 * units * len(values) - sum(Poly(part, x).degree() for part in factors)
    return prod(factors) * x**degree


def _register_saddle(values: tuple[int, ...], chosen: tuple[int, ...], units: int) -> None:
    name = f"{''.join(map(str, values))}-{''.join(str(k + 1) for k in chosen) or '0'}-{units}"
    kept = [values[k] for k in chosen]

    @paper.step(
        "equation-12",
        f"saddle-{name}",
        f"Singular values {list(values)}, {units} units: the rates at the fixed point that has {kept or 'none'}",
        scope=own("a check of the corrected reduction at one fixed point, white inputs"),
        equations=("12", "42"),
    )
    def saddle() -> Statement:
        exact = [Integer(value) for value in values]
        x = Symbol("x")
        derived = linearisation(exact, chosen, units).charpoly(x).as_expr()
        return claim_on_reals(equal((derived, predicted(exact, chosen, units))))


for _values, _units in (((4, 1), 2), ((4, 1), 3), ((9, 4, 1), 3)):
    for _size in range(len(_values) + 1):
        for _chosen in combinations(range(len(_values)), _size):
            _register_saddle(_values, _chosen, _units)


__all__ = ["linearisation", "near_saddle", "predicted"]
