"""Sections 4.2.1 and 4.2.2: what the stages do to the output at the test point and to its loss, and how they end.

The directions are numbered by falling signal, a_1 > a_2 > ..., as in the main text.
"""

from __future__ import annotations

from sympy import Eq, Interval, Matrix, Rational, S, Symbol, exp, oo

from theory.displays import equal
from theory.domains import POSITIVE
from theory.dynamics import Flow
from theory.scope import case, measured, own, part
from theory.statements import Computation, Statement
from theory.swing_by._paper import paper
from theory.swing_by.entries import on_runs
from theory.swing_by.model import (
    NONNEGATIVE,
    jacobian,
    loss_at,
    means,
    paper_flow,
    signals,
    upper,
)
from theory.temporal import Always, Decreasing, Exists

w, omega, c = Symbol("w"), Symbol("omega"), Symbol("c")
a1, a2, a3 = signals(3)
RATES = dict.fromkeys((a1, a2, a3), POSITIVE)


# Output --------------------------------------------------------------------------------------------------------------


def _first_stage(k: int, weight: Symbol) -> Statement:
    """In the first stage w_kp = v_kp exp((a_k + a_p) t): what the fastest term contributes to the output."""
    d, t = 2, Symbol("t")
    V, m, a = jacobian(d, "v"), means(d), signals(d)
    entries = [V[k - 1, p] * exp((a[k - 1] + a[p]) * t) for p in range(d)]
    output = sum((entry * m[p] for p, entry in enumerate(entries)), S.Zero)
    fastest = output - entries[1] * m[1]
    return Statement(
        variables={**dict.fromkeys(upper(V), POSITIVE), **dict.fromkeys((*m, *a), POSITIVE), t: NONNEGATIVE},
        then=equal((fastest, entries[0] * weight)),
    )


@paper.statement(
    "claim-4.2.s5.reading-a",
    "The first column's share of f_2 in the first stage is w_21 mu_2",
    label="Section 4.2.2",
    scope=case("k = 2, s = 2, in the linear phase"),
)
def s5_later() -> Statement:
    return _first_stage(2, means(2)[1])


@paper.statement(
    "claim-4.2.s5.reading-b",
    "The first column's share of f_2 in the first stage is w_21 mu_1, as in the earlier version",
    label="Section 4.2.2",
    scope=case("k = 2, s = 2, in the linear phase; the earlier version"),
)
def s5_earlier() -> Statement:
    return _first_stage(2, means(2)[0])


@paper.statement(
    "claim-4.2.s5.a",
    "In the first stage the share of the first column in an output coordinate grows",
    label="Section 4.2.2",
    scope=case("two columns, in the linear phase"),
)
def s5_share() -> Statement:
    """The ratio of the second term to the first is multiplied by exp((a_2 - a_1) t); e is exp(-t)."""
    t, later = Symbol("t"), Symbol("h")
    return Statement(
        variables={a1: POSITIVE, a2: POSITIVE, t: NONNEGATIVE, later: POSITIVE},
        given=(a1 > a2,),
        then=(a2 - a1) * (t + later) < (a2 - a1) * t,
        notes="In logarithms.",
    )


@paper.statement(
    "claim-4.2.s5.b",
    "The output coordinate f_k grows towards 1",
    label="Section 4.2.2",
    scope=case("s = 2, k = 2: the value at W = I"),
)
def s5_target() -> Statement:
    """At the end state W = I."""
    d = 2
    m = Matrix(means(d))
    end = {entry: int(i == j) for i in range(d) for j in range(d) for entry in [jacobian(d)[i, j]]}
    return Statement(
        variables=dict.fromkeys(m, POSITIVE), then=Eq((jacobian(d).subs(end) * m)[1], 1), notes="The target is mu_k."
    )


@paper.statement(
    "claim-4.2.s6",
    "For s = 2 positive entries of W(0) make the test loss rise at some time",
    label="Section 4.2.2, Figure 5",
    scope=own(
        "a question of ours with w_11 = w_22 and equal signals: the paper shows one start and claims "
        "certain configurations"
    ),
)
def s6() -> Statement:
    """Equal signals, means and diagonal: p = w_11 + w_12 follows dp/dt = 2 a p (1 - p), the loss is (p - 1)^2."""
    p, start = Symbol("p"), Symbol("p_0")
    speed = 2 * (p - 1) * 2 * a1 * p * (1 - p)
    return Statement(
        variables={start: Interval.open(0, 1), a1: POSITIVE}, then=Exists(p, Interval(start, 1), speed > 0)
    )


def symmetric_pair() -> Flow:
    """The flow (4.3) for a_1 = a_2 and w_11 = w_22."""
    flow, W = paper_flow(2), jacobian(2)
    same = {a2: a1, W[1, 1]: W[0, 0]}
    return Flow((W[0, 0], W[0, 1]), (flow.velocity[0].subs(same), flow.velocity[1].subs(same)))


@paper.statement(
    "claim-4.2.s6.a",
    "The reduction used there: p = w_11 + w_12 moves on its own and gives the test loss",
    label="Section 4.2.2",
    scope=own("a step towards claim-4.2.s6"),
)
def s6_reduction() -> Statement:
    flow, W, m = symmetric_pair(), jacobian(2), means(1)[0]
    p = flow.state[0] + flow.state[1]
    loss = loss_at(W.subs(W[1, 1], W[0, 0]), Matrix([m, m]))
    return Statement(
        variables={**dict.fromkeys(flow.state, S.Reals), a1: POSITIVE, m: POSITIVE},
        then=equal((flow.derivative_along(p), 2 * a1 * p * (1 - p)), (loss, m**2 * (p - 1) ** 2)),
    )


@paper.statement(
    "claim-4.2.s6.b",
    "With equal signals and means the test loss falls for ever from symmetric positive starts",
    label="Section 4.2.2",
    scope=own("the answer to claim-4.2.s6, equal signals and means"),
)
def s6_monotone() -> Statement:
    p, start = Symbol("p"), Symbol("p_0")
    return Statement(
        variables={start: Interval.open(0, 1), a1: POSITIVE},
        dynamics=Flow((p,), (2 * a1 * p * (1 - p),)),
        start={p: start},
        then=Decreasing((p - 1) ** 2),
    )


@paper.statement(
    "claim-4.2.s6.c",
    "A positive minor entry that grows lowers the test loss while the output is short of the target",
    label="Section 4.2.2",
    scope=case("s = d = 2"),
)
def s6_illusion() -> Statement:
    W, m = jacobian(2), Matrix(means(2))
    slope = loss_at(W, m).diff(W[0, 1])
    return Statement(
        variables={**dict.fromkeys(upper(W), S.Reals), **dict.fromkeys(m, POSITIVE)},
        given=tuple((W * m)[k] < m[k] for k in (0, 1)),
        then=slope < 0,
    )


@paper.statement(
    "claim-4.2.s7",
    "At the end all major entries are 1 and all minor entries 0, under the assumptions of Appendix D",
    label="Section 4.2.2",
    scope=part(
        "only that diagonal entries stay in [0, 1 + 2/K], on the instance 'pair, nearly singular', 20,000 steps"
    ),
)
def s7() -> Statement:
    """The printed update from an admissible start: a diagonal entry becomes negative and stays so (s7.b)."""
    return on_runs("lemma-d.5", ("pair, nearly singular",), steps=20_000)


@paper.statement(
    "claim-4.2.s7.a",
    "Along the flow (4.3) a start of rank one keeps det W = 0 and cannot reach the identity",
    label="Section 4.2.2",
    scope=own("a question of ours, d = 2"),
)
def s7_rank() -> Statement:
    flow, W = paper_flow(2), jacobian(2)
    p, q = Symbol("p"), Symbol("q")
    return Statement(
        variables={p: POSITIVE, q: POSITIVE, a1: POSITIVE, a2: POSITIVE},
        dynamics=flow,
        start=dict(zip(flow.state, (p**2, p * q, q**2), strict=True)),
        then=Always(Eq(W.det(), 0)),
    )


@paper.statement(
    "claim-4.2.s7.b",
    "A negative diagonal entry of (D.2) stays negative, so it cannot tend to 1",
    label="Section 4.2.2",
    scope=own("a step of ours: one step of (D.2)"),
)
def s7_negative() -> Statement:
    """One step with noise n >= 0; h is 2 eta a_i."""
    n, h = Symbol("n"), Symbol("h")
    return Statement(
        variables={w: Interval.open(-oo, 0), n: NONNEGATIVE, h: POSITIVE}, then=w + h * w * (1 - w) - n < 0
    )


@paper.statement(
    "claim-4.2.s7.corrected",
    "A positive definite equilibrium of the flow (4.3) is the identity, in every dimension",
    label="Section 4.2.2",
    scope=own("the nearest true form of claim-4.2.s7: one eigenvalue at an equilibrium of the flow"),
)
def s7_corrected() -> Statement:
    """In an eigenbasis of W the diagonal entry of H W + W H is 2 l (l - 1) A_ii."""
    eigenvalue, signal = Symbol("l"), Symbol("A_ii")
    return Statement(
        variables={eigenvalue: POSITIVE, signal: POSITIVE},
        given=(Eq(2 * eigenvalue * (eigenvalue - 1) * signal, 0),),
        then=Eq(eigenvalue, 1),
        notes="From a positive definite start the loss falls (claim-4.2.training), so every limit is an equilibrium,"
        " and at a"
        " singular one log det W would keep rising (claim-4.2.log-det.a).",
    )


@paper.statement(
    "claim-4.2.s7.c",
    "From a positive definite start the flow (4.3) tends to the identity",
    label="Section 4.2.2",
    scope=measured("200 Gaussian starts, d = 2, mu = (1, 2), sigma = 0, flow to time 200; time and bound chosen here"),
)
def s7_definite() -> Statement:
    return Statement(
        then=Symbol("distance") < Rational(1, 1000),
        computed=Computation(
            "swing_by.definite", {"means": [1.0, 2.0], "count": 200, "until": 200.0, "seed": 1},
            yields=("distance",), exact=False,
        ),
        notes="200 Gaussian U(0) for d = 2, sigma = 0; the time and the bound were chosen here. A proof joins"
        " claim-4.2.training, claim-4.2.s7.corrected and claim-4.2.log-det: the loss falls, so every limit is an"
        " equilibrium,"
        " and at each one but the identity log det W would keep rising.",
    )  # fmt: skip


@paper.statement(
    "claim-4.2.s9",
    "A failure needs a violated assumption",
    label="Section 4.2.2, failure modes; Appendix E.3",
    scope=own(
        "a converse of ours: the paper says that a violated assumption can lead to failure; Lemma D.3 on "
        "'pair, rank one'"
    ),
)
def s9() -> Statement:
    """Gradient descent on U from an admissible start of rank one: the weak major entry stops growing."""
    return on_runs("lemma-d.3", ("pair, rank one",), "weights", 20_000)


@paper.statement(
    "claim-4.2.s10",
    "The test loss of the exact flow with population moments has two descents",
    label="Footnote 2; debunking challenge of the earlier version",
    scope=measured("one run, d = d' = s = 2, mu = (1, 2), sigma = 0.05, flow to time 60"),
)
def s10() -> Statement:
    """No noise, no over-parametrisation: d = d' = s = 2; figure-5.a certifies it for gradient descent."""
    return Statement(
        then=Symbol("descents") >= 2,
        computed=Computation(
            "swing_by.descents",
            {
                "means": [1.0, 2.0],
                "deviations": [0.05, 0.05],
                "start": [[0.02246, 0.1111], [0.1111, 0.5498]],
                "until": 60.0,
            },
            yields=("descents",),
            exact=False,
        ),
        notes="One run of the flow to time 60 with relative tolerance 10^-10; a proof would enclose it. figure-5.a is"
        " the"
        " certified version for gradient descent with a step of 1/50.",
    )


@paper.statement(
    "claim-4.2.s10.a",
    "There is a positive definite W with positive entries at which the exact flow raises the test loss",
    label="Footnote 2",
    scope=case("one point: d = 2, mu = (1, 2), a = (1, 4)"),
)
def s10_rise() -> Statement:
    """mu = (1, 2), a = (1, 4)."""
    W = jacobian(2)
    at = {W[0, 0]: Rational(1, 2), W[0, 1]: Rational(1, 5), W[1, 1]: Rational(7, 8)}
    speed = paper_flow(2).derivative_along(loss_at(W, Matrix([1, 2]))).subs({a1: 1, a2: 4}).subs(at)
    rise = Symbol("rise")
    return Statement(variables={rise: Interval(-oo, oo)}, given=(Eq(rise, speed),), then=rise > 0)
