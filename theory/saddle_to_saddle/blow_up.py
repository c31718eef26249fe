"""What a proof of Proposition 5 needs: almost every unit of (14) grows without bound in finite time."""

from __future__ import annotations

from sympy import And, Eq, Expr, Integer, Interval, Matrix, Ne, Or, Symbol, oo, symbols

from theory.domains import POSITIVE
from theory.dynamics import Flow
from theory.saddle_to_saddle._display import claim_on_reals, reals
from theory.saddle_to_saddle._paper import paper
from theory.saddle_to_saddle.unit_separation import early_flow, s, u, w
from theory.scope import own
from theory.statements import Statement


def ascended() -> tuple[Expr, Expr, Flow]:
    """F = v sum s_k u_k^2, the squared norm N of a unit, and the flow theta' = grad F."""
    flow = early_flow()
    cubic = w * sum(rate * weight**2 for rate, weight in zip(s, u[0], strict=True))
    return cubic, sum(weight**2 for weight in flow.state), flow


@paper.statement(
    "proposition-5.growth",
    "Along (14): N' = 6 F, and N F' >= 9 F^2",
    scope=own("a step towards a proof, not in print: one unit, D = 2"),
)
def proposition_5_growth() -> Statement:
    cubic, norm, flow = ascended()
    change = flow.derivative_along(cubic)
    return claim_on_reals(
        And(Eq(flow.derivative_along(norm), 6 * cubic), norm * change >= 9 * cubic**2),
        notes="Hence F / N^(3/2) does not decrease while F > 0, so N' >= c N^(3/2) with c > 0 and the unit blows up in"
        " finite time; the inequality is Euler's identity with Cauchy and Schwarz.",
    )


@paper.statement(
    "proposition-5.blow-up",
    "N' >= c N^(3/2) with N(0) = 1 is infinite by the time 2/c",
    scope=own("a step towards a proof, not in print: the comparison solution"),
)
def proposition_5_blow_up() -> Statement:
    """The comparison solution N = (1 - c t / 2)^-2, with its root in the place of N^(1/2)."""
    rate, t = symbols("c t")
    root = 1 / (1 - rate * t / 2)
    return Statement(
        variables={rate: POSITIVE, t: Interval(0, oo)},
        given=(rate * t < 2,),
        then=And(root > 0, Eq((root**2).diff(t), rate * root**3, evaluate=False)),
    )


@paper.statement(
    "proposition-5.unstable",
    "Every fixed point of (14) other than zero has a direction of growth",
    scope=own("a step towards a proof, not in print: one unit, D = 2"),
)
def proposition_5_unstable() -> Statement:
    """S = diag(s_1, s_2) with s_1 > 0 > s_2: at (0, u) with u S u = 0 along (|S u|, S u), at (v, 0) along an axis."""
    flow = early_flow()
    matrix = flow.jacobian
    x, y = u[0]
    here = {w: Integer(0)}
    pull = Matrix([s[0] * x, s[1] * y])
    size = Symbol("n")
    direction = Matrix([size, *pull])
    at_cone = matrix.subs(here) * direction - 2 * size * direction
    on_axis = matrix.subs({x: 0, y: 0})
    return Statement(
        variables=reals((w, x, y)) | {s[0]: POSITIVE, s[1]: Interval.open(-oo, 0), size: POSITIVE},
        given=(Eq(size**2, (pull.T * pull)[0]), Eq((u[0].T * pull)[0], 0), Ne(w, 0)),
        then=And(*[Eq(entry, 0) for entry in at_cone], Or(on_axis[1, 1] > 0, on_axis[2, 2] > 0)),
        notes="With proposition-5.growth this is what a proof needs: bounded paths converge, the starts that converge"
        " to these points have measure zero, and those that converge to 0 have v^2 = |u|^2 / 2 by (49).",
    )
