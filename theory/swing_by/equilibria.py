"""What the flow (4.3) and its two discretisations tend to: equilibria, stability, limits of the step, log det W."""

from __future__ import annotations

from sympy import And, Eq, Equivalent, Expr, Integer, Interval, Matrix, Ne, Or, S, Symbol, diag, expand, log, oo, sqrt

from theory.displays import equal
from theory.domains import POSITIVE
from theory.dynamics import Flow, Map
from theory.scope import own
from theory.statements import Statement
from theory.swing_by._paper import paper
from theory.swing_by.model import (
    NONNEGATIVE,
    eta,
    jacobian,
    paper_flow,
    paper_map,
    printed_velocity,
    second_moment,
    signals,
    upper,
    weight_descent,
)
from theory.swing_by.two_layer import entry_domains

l_i, l_j, A_ii, A_jj, A_ij = (Symbol(name) for name in ("l_i", "l_j", "A_ii", "A_jj", "A_ij"))


def _pairs(d: int) -> list[tuple[int, int]]:
    return [(i, j) for i in range(d) for j in range(i, d)]


def _at_projector(d: int, learned: int) -> dict[Symbol, int]:
    """W = diag(1, ..., 1, 0, ..., 0)."""
    return {jacobian(d)[i, j]: int(i == j and i < learned) for i, j in _pairs(d)}


def _slopes(flow: Flow, point: dict[Symbol, int]) -> Matrix:
    """The Jacobian of the velocity there; all entries but one are put in before it is differentiated."""
    columns = []
    for entry in flow.state:
        others = {symbol: Integer(value) for symbol, value in point.items() if symbol != entry}
        along = [speed.xreplace(others).diff(entry) for speed in flow.velocity]
        columns.append([slope.xreplace({entry: Integer(point[entry])}) for slope in along])
    return Matrix(columns).T


@paper.statement(
    "claim-4.2.equilibria",
    "In every dimension a semidefinite equilibrium is a projector that A does not mix with the rest",
    scope=own("a question of ours: one pair of eigenvectors in an eigenbasis of W"),
)
def equilibria() -> Statement:
    """In an eigenbasis of W the entry (i, j) of H W + W H is (l_i + l_j) ((l_i + l_j) / 2 - 1) A_ij."""

    def entry(left: Symbol, right: Symbol, mixed: Symbol) -> object:
        return (left + right) * ((left + right) / 2 - 1) * mixed

    return Statement(
        variables={l_i: NONNEGATIVE, l_j: NONNEGATIVE, A_ii: POSITIVE, A_jj: POSITIVE, A_ij: S.Reals},
        given=(Eq(entry(l_i, l_i, A_ii), 0), Eq(entry(l_j, l_j, A_jj), 0), Eq(entry(l_i, l_j, A_ij), 0)),
        then=And(Or(Eq(l_i, 0), Eq(l_i, 1)), Or(Eq(l_i, l_j), Eq(A_ij, 0))),
        notes="Hence W is a projector that commutes with A: for distinct signals a projector on coordinates.",
    )


@paper.statement(
    "claim-4.2.equilibria.a", "The entries of H W + W H in an eigenbasis of W", scope=own("a step of ours, d = 3")
)
def equilibria_eigenbasis() -> Statement:
    """W diagonal with eigenvalues l, A full; d = 3."""
    d = 3
    values = [Symbol(f"l_{i}") for i in range(1, d + 1)]
    A, W = jacobian(d, "A"), diag(*values)
    H = (W * A + A * W) / 2 - A
    pairs = [
        ((H * W + W * H)[i, j], (values[i] + values[j]) * ((values[i] + values[j]) / 2 - 1) * A[i, j])
        for i, j in _pairs(d)
    ]
    return Statement(variables=dict.fromkeys((*values, *upper(A)), S.Reals), then=equal(*pairs))


@paper.statement(
    "claim-4.2.equilibria.b",
    "For a = (1, 2) the semidefinite equilibria are the four coordinate projectors",
    scope=own("an example of ours, d = 2, a = (1, 2)"),
)
def equilibria_two() -> Statement:
    """One direction; that they are equilibria is claim-4.2.equilibria.c."""
    W = jacobian(2)
    speeds = [speed.subs(dict(zip(signals(2), (1, 2), strict=True))) for speed in paper_flow(2).velocity]
    return Statement(
        variables=dict.fromkeys(upper(W), S.Reals),
        given=(W[0, 0] >= 0, W[1, 1] >= 0, W.det() >= 0, *[Eq(speed, 0) for speed in speeds]),
        then=And(Eq(W[0, 1], 0), Or(Eq(W[0, 0], 0), Eq(W[0, 0], 1)), Or(Eq(W[1, 1], 0), Eq(W[1, 1], 1))),
    )


@paper.statement(
    "claim-4.2.equilibria.c",
    "Every coordinate projector is an equilibrium, for d up to 6",
    scope=own("a question of ours, d up to 6"),
)
def equilibria_are() -> Statement:
    """W = diag(e) with every e_i equal to its square, d = 6."""
    d = 6
    shares = [Symbol(f"e_{i}") for i in range(1, d + 1)]
    speeds = printed_velocity(diag(*shares), second_moment(d))
    return Statement(
        variables={**dict.fromkeys(signals(d), POSITIVE), **dict.fromkeys(shares, S.Reals)},
        given=tuple(Eq(e**2, e) for e in shares),
        then=And(*[Eq(speeds[k, k], 0) for k in range(d)]),
        notes="Off the diagonal the velocity of a diagonal W vanishes.",
    )


@paper.statement(
    "claim-4.2.stability",
    "At a projector the linearised flow is diagonal, with rates -(a_i + a_j), (a_j - a_i) / 2 and a_i + a_j",
    scope=own("a question of ours, d up to 6"),
)
def stability() -> Statement:
    """d = 6, three directions learned: every kind of pair of indices occurs, and smaller d are principal blocks."""
    d, learned = 6, 3
    flow, a = paper_flow(d), signals(d)
    slopes = _slopes(flow, _at_projector(d, learned))

    def rate(i: int, j: int) -> object:
        if j < learned:
            return -(a[i] + a[j])
        return (a[j] - a[i]) / 2 if i < learned else a[i] + a[j]

    printed = diag(*[rate(i, j) for i, j in _pairs(d)])
    return Statement(
        variables=dict.fromkeys(a, POSITIVE),
        then=equal((slopes, printed)),
        notes="d = 6, hence every d up to 6. i learned and j not: (a_j - a_i) / 2. The identity alone attracts; every"
        " other projector is a saddle.",
    )


@paper.statement(
    "claim-4.2.stability.a",
    "The update (D.2) is stable at the identity exactly when eta max a < 1",
    scope=own("a question of ours, d = 2"),
)
def stability_map() -> Statement:
    update, (a1, a2) = paper_map(2), signals(2)
    slopes = Matrix(update.update).jacobian(Matrix(update.state)).subs(_at_projector(2, 2))
    inside = And(*[And(slopes[k, k] > -1, slopes[k, k] < 1) for k in range(3)])
    return Statement(
        variables={a1: POSITIVE, a2: POSITIVE, eta: POSITIVE}, then=Equivalent(inside, And(eta * a1 < 1, eta * a2 < 1))
    )


@paper.statement(
    "claim-4.2.stability.b",
    "Gradient descent on U for the loss (4.1), d = 1, is stable at its minimum exactly when eta a < 1/2",
    scope=own("a question of ours, d = 1"),
)
def stability_descent() -> Statement:
    descent, a = weight_descent(1, 1), signals(1)[0]
    slope = descent.update[0].diff(descent.state[0]).subs(descent.state[0], 1)
    return Statement(
        variables={a: POSITIVE, eta: POSITIVE}, then=Equivalent(And(slope > -1, slope < 1), 2 * eta * a < 1)
    )


def _scalar() -> Map:
    """The update (D.2) for d = 1: w + 2 eta a w (1 - w), with c = 2 eta a."""
    w, c = Symbol("w"), Symbol("c")
    return Map((w,), (w + c * w * (1 - w),))


def _cycle_equation() -> Expr:
    """What is left of the two-step equation once the fixed points are divided out."""
    w, c = _scalar().state[0], Symbol("c")
    return c**2 * w**2 - c * (c + 2) * w + c + 2


@paper.statement(
    "claim-4.2.two-cycle",
    "For d = 1 the update (D.2) has a 2-cycle only when eta a > 1",
    scope=own("a question of ours, d = 1"),
)
def two_cycle() -> Statement:
    step = _scalar()
    w, c = step.state[0], Symbol("c")
    return Statement(
        variables={w: S.Reals, c: POSITIVE},
        given=(Eq(_cycle_equation(), 0), Ne(step.update[0], w)),
        then=c > 2,
        notes="c stands for 2 eta a; claim-4.2.two-cycle.b divides the fixed points out.",
    )


@paper.statement(
    "claim-4.2.two-cycle.a",
    "For d = 1 and eta a > 1 the update (D.2) has a 2-cycle",
    scope=own("a question of ours, d = 1"),
)
def two_cycle_exists() -> Statement:
    """The point with the larger root of the equation."""
    c, w = Symbol("c"), _scalar().state[0]
    point = (c + 2 + sqrt(c**2 - 4)) / (2 * c)
    return Statement(
        variables={c: Interval.open(2, oo)},
        then=And(Eq(_cycle_equation().subs(w, point), 0), Ne(_scalar().update[0].subs(w, point), point)),
    )


@paper.statement(
    "claim-4.2.two-cycle.b",
    "The two-step equation of the scalar update factors",
    scope=own("a question of ours, d = 1"),
)
def two_cycle_factors() -> Statement:
    step = _scalar()
    w, c = step.state[0], Symbol("c")
    left = step.two_step().update[0] - w
    return Statement(variables={w: S.Reals, c: POSITIVE}, then=equal((left, c * w * (1 - w) * _cycle_equation())))


@paper.statement(
    "claim-4.2.log-det",
    "Along the flow (4.3) log det W moves at 2 tr(A (I - W))",
    scope=own("a question of ours, d = 2"),
)
def log_det() -> Statement:
    d = 2
    W, A = jacobian(d), second_moment(d)
    speed = paper_flow(d).derivative_along(log(W.det()))
    return Statement(
        variables=entry_domains(d),
        given=(W.det() > 0,),
        then=equal((speed, expand(2 * (A - A * W).trace()))),
        notes="The case d = 3 is claim-4.2.psd-flow.",
    )


@paper.statement(
    "claim-4.2.log-det.a",
    "At a projector that misses a direction log det W would keep rising",
    scope=own("a question of ours, d = 3"),
)
def log_det_rises() -> Statement:
    """d = 3, one direction missing."""
    W, A = jacobian(3), second_moment(3)
    rate = (2 * (A - A * W).trace()).subs(_at_projector(3, 2))
    return Statement(variables=dict.fromkeys(signals(3), POSITIVE), then=rate > 0)
