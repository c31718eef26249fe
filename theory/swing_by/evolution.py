"""Section 4.2: signs of the three terms of the two-layer flow, positive semidefiniteness, and what evolves exactly."""

from __future__ import annotations

from sympy import Expr, Matrix, S, Symbol, diff, expand, eye

from theory.displays import equal
from theory.domains import POSITIVE
from theory.scope import case, own, part
from theory.statements import Statement
from theory.swing_by._paper import paper
from theory.swing_by.model import (
    NONNEGATIVE,
    eta,
    growth,
    jacobian,
    loss_at,
    means,
    noise,
    paper_flow,
    paper_map,
    second_moment,
    signals,
    suppression,
    training_loss,
    upper,
    weight_descent,
    weights,
)
from theory.swing_by.two_layer import entry_domains, loss_gradient, weight_domains
from theory.temporal import Always

# Signs ----------------------------------------------------------------------------------------------------------------


def _positive_diagonal(W: Matrix) -> tuple[object, ...]:
    return tuple(W[i, i] >= 0 for i in range(W.rows))


@paper.statement(
    "claim-4.2.sign-growth",
    "The growth term has the sign of its entry",
    label="Section 4.2",
    scope=case("d = 2, the entry (1, 2), w_12 > 0"),
)
def sign_growth() -> Statement:
    W = jacobian(2)
    return Statement(variables=entry_domains(2), given=(W[0, 1] > 0,), then=growth(W, 1, 2) > 0)


@paper.statement(
    "claim-4.2.sign-suppression",
    "The suppression term has the sign of its entry, the diagonal being nonnegative",
    label="Section 4.2",
    scope=case("d = 2, the entry (1, 2)"),
)
def sign_suppression() -> Statement:
    W = jacobian(2)
    return Statement(variables=entry_domains(2), given=_positive_diagonal(W), then=W[0, 1] * suppression(W, 1, 2) >= 0)


@paper.statement(
    "claim-4.2.sign-noise",
    "The noise term of an off-diagonal entry has the sign of the entry",
    label="Section 4.2",
    scope=own("denied by the paper, which calls the direction of the noise term arbitrary; d = 3, w_12"),
)
def sign_noise() -> Statement:
    """The text says that it has no fixed sign; this is the claim that it denies, for a positive definite W."""
    W = jacobian(3)
    minors = tuple(W[:k, :k].det() > 0 for k in (1, 2, 3))
    return Statement(variables=entry_domains(3), given=minors, then=W[0, 1] * noise(W, 1, 2) >= 0)


@paper.statement(
    "claim-4.2.sign-noise.a",
    "The noise term of a diagonal entry is never negative",
    scope=own("a remark of ours, d = 3"),
)
def sign_noise_diagonal() -> Statement:
    return Statement(variables=entry_domains(3), then=noise(jacobian(3), 1, 1) >= 0)


# Positive semidefiniteness -----------------------------------------------------------------------------------------


def determinant_after() -> Expr:
    """det W after one step of (D.2), d = 2."""
    first, cross, second = paper_map(2).update
    return first * second - cross**2


@paper.statement(
    "claim-4.2.psd-map",
    "One step of the update (D.2) keeps W positive semidefinite",
    label="Footnote 3, Lemmas D.4 and D.5",
    scope=case("d = 2, diagonal entries at most 1; used in the proofs of Lemmas D.4 and D.5"),
)
def psd_map() -> Statement:
    """The hypotheses are those on the step: eta <= 1 / (9 K gamma alpha) with K = 20."""
    w = jacobian(2)
    small = (180 * eta * signals(2)[0] <= 1, 180 * eta * signals(2)[1] <= 1)
    semidefinite = (w[0, 0] >= 0, w[1, 1] >= 0, w[0, 0] * w[1, 1] - w[0, 1] ** 2 >= 0, w[0, 0] <= 1, w[1, 1] <= 1)
    return Statement(
        variables={**entry_domains(2), eta: POSITIVE}, given=(*small, *semidefinite), then=determinant_after() >= 0
    )


@paper.statement(
    "claim-4.2.psd-map.a",
    "From a singular W two unequal directions make det W negative in one step of (D.2)",
    scope=own("how claim-4.2.psd-map fails, d = 2"),
)
def psd_map_singular() -> Statement:
    """W = (p, q)(p, q)^T, of rank one: the determinant is eta^2 times minus a square."""
    p, q = Symbol("p"), Symbol("q")
    at = dict(zip(upper(jacobian(2)), (p**2, p * q, q**2), strict=True))
    a = signals(2)
    return Statement(
        variables={p: POSITIVE, q: POSITIVE, **dict.fromkeys(a, POSITIVE), eta: POSITIVE},
        then=equal(
            (determinant_after().subs(at, simultaneous=True),
             -(eta * p * q * (a[0] - a[1]) * (1 - (p**2 + q**2) / 2)) ** 2)
        ),
    )  # fmt: skip


@paper.statement(
    "claim-4.2.psd-flow",
    "Along the flow (4.3) the determinant of W keeps its sign",
    label="Footnote 3",
    scope=part("the rate of det W, d = 2 and 3; semidefiniteness itself is not stated"),
)
def psd_flow() -> Statement:
    """d det W / dt = 2 tr(A (I - W)) det W."""
    pairs = []
    for d in (2, 3):
        W, A = jacobian(d), second_moment(d)
        speed = paper_flow(d).derivative_along(W.det())
        pairs.append((expand(speed), expand(2 * (A * (eye(d) - W)).trace() * W.det())))
    return Statement(variables=entry_domains(3), then=equal(*pairs), notes="d = 2 and 3.")


@paper.statement(
    "claim-4.2.psd-descent",
    "Gradient descent on U keeps the diagonal of W nonnegative",
    label="Footnote 3",
    scope=part("the quadratic form of a semidefinite matrix, d = 2: a diagonal entry after a congruence"),
)
def psd_descent() -> Statement:
    """By equation-d.1.a the new diagonal entry is the quadratic form of W at a row (p, q) of I - 2 eta H."""
    W, p, q = jacobian(2), Symbol("p"), Symbol("q")
    return Statement(
        variables=dict.fromkeys((*upper(W), p, q), S.Reals),
        given=(W[0, 0] >= 0, W[1, 1] >= 0, W.det() >= 0),
        then=p**2 * W[0, 0] + 2 * p * q * W[0, 1] + q**2 * W[1, 1] >= 0,
    )


# Exact evolution ---------------------------------------------------------------------------------------------------


@paper.statement(
    "claim-4.2.training",
    "The training loss never rises along the flow (4.3)",
    label="Appendix F.4",
    scope=case("d = d' = 2; Appendix F.4 says it of the run of Figure 17"),
)
def training_falls() -> Statement:
    """Along W = U U^T it falls at the rate of half the squared gradient on U."""
    U, W = weights(2, 2), jacobian(2)
    at = dict(zip(upper(W), upper(U * U.T), strict=True))
    speed = paper_flow(2).derivative_along(training_loss(W, second_moment(2))).subs(at, simultaneous=True)
    squares = sum((entry**2 for entry in loss_gradient(2, 2)), S.Zero)
    return Statement(variables=weight_domains(2, 2), then=equal((speed, -squares / 2)))


@paper.statement(
    "claim-4.2.output",
    "The output at the test point is the sum of w_kp mu_p",
    label="Section 4.2.2",
    scope=case("d = s = 3"),
)
def output_at_test_point() -> Statement:
    d = 3
    W, m = jacobian(d), Matrix(means(d))
    printed = Matrix([sum((W[k, p] * m[p] for p in range(d)), S.Zero) for k in range(d)])
    return Statement(variables={**entry_domains(d), **dict.fromkeys(m, NONNEGATIVE)}, then=equal((W * m, printed)))


@paper.statement(
    "claim-4.2.linear-phase",
    "Without suppression and noise (D.2) multiplies w_ij by 1 + eta (a_i + a_j)",
    label="Section 4.2.1",
    scope=case("d = 2, the discrete update"),
)
def linear_phase() -> Statement:
    """The linear part of the update at W = 0."""
    update = paper_map(2)
    at_zero = dict.fromkeys(update.state, S.Zero)
    pairs = [
        (diff(entry, w).subs(at_zero), 1 + eta * sum(rates, S.Zero))
        for entry, w, rates in zip(update.update, update.state, _pairs_of_rates(2), strict=True)
    ]
    return Statement(variables={**dict.fromkeys(signals(2), POSITIVE), eta: POSITIVE}, then=equal(*pairs))


def _pairs_of_rates(d: int) -> list[tuple[Symbol, Symbol]]:
    a = signals(d)
    return [(a[i], a[j]) for i in range(d) for j in range(i, d)]


@paper.statement(
    "claim-4.2.linear-phase.a",
    "In the linear phase of (D.2) the off-diagonal entry outgrows the mean of its diagonal",
    label="Section 4.2.1",
    scope=own("a consequence of ours, d = 2"),
)
def linear_phase_outgrows() -> Statement:
    """(1 + eta (a_1 + a_2))^2 exceeds (1 + 2 eta a_1)(1 + 2 eta a_2) by eta^2 (a_1 - a_2)^2, so det W is lost."""
    a = signals(2)
    excess = (1 + eta * (a[0] + a[1])) ** 2 - (1 + 2 * eta * a[0]) * (1 + 2 * eta * a[1])
    return Statement(
        variables={**dict.fromkeys(a, POSITIVE), eta: POSITIVE}, then=equal((excess, eta**2 * (a[0] - a[1]) ** 2))
    )


@paper.statement(
    "claim-4.2.linear-phase.b",
    "In the linear phase gradient descent on U keeps the ratio w_12^2 / (w_11 w_22)",
    scope=own("a comparison of ours, d = d' = 2"),
)
def linear_phase_descent() -> Statement:
    """The linear part of the congruence multiplies w_ij by (1 + 2 eta a_i)(1 + 2 eta a_j)."""
    U = weights(2, 2)
    update = weight_descent(2, 2)
    at_zero = dict.fromkeys(update.state, S.Zero)
    factors = [diff(entry, u).subs(at_zero) for entry, u in zip(update.update, update.state, strict=True)]
    a = signals(2)
    moved = Matrix(2, 2, factors).multiply_elementwise(U)
    before, after = U * U.T, moved * moved.T
    return Statement(
        variables={**weight_domains(2, 2), eta: POSITIVE},
        then=equal(
            *[
                (after[i, j], (1 + 2 * eta * a[i]) * (1 + 2 * eta * a[j]) * before[i, j])
                for i, j in ((0, 0), (0, 1), (1, 1))
            ]
        ),
    )


@paper.statement(
    "claim-4.2.schur",
    "What is left of w_11 when w_22 has absorbed the rest is w_11 - w_12^2 / w_22",
    label="Section 4.2.1",
    scope=own("a formula of ours, d = 2"),
)
def schur_complement() -> Statement:
    """Along the flow (4.3) the Schur complement of w_22 moves by a multiple of itself."""
    flow, W, a = paper_flow(2), jacobian(2), signals(2)
    left = W[0, 0] - W[0, 1] ** 2 / W[1, 1]
    rate = 2 * a[0] * (1 - W[0, 0]) + (a[0] + a[1]) * W[0, 1] ** 2 / W[1, 1]
    return Statement(
        variables=entry_domains(2),
        given=(W[1, 1] > 0,),
        then=equal((flow.derivative_along(left), left * rate)),
        notes="It starts at det W(0) / w_22(0), and only its logarithm enters the time at which w_11 grows.",
    )


@paper.statement(
    "claim-4.2.test-loss",
    "The test loss never rises along the flow (4.3)",
    label="Section 4.2.2",
    scope=own(
        "denied by the paper, whose main point is that the test loss is not monotone; d = 2, a = (1, 4), mu = (1, 2)"
    ),
)
def test_loss_falls() -> Statement:
    """The claim that swing-by denies, at one positive definite W with positive entries; mu = (1, 2), a = (1, 4)."""
    flow, W = paper_flow(2), jacobian(2)
    speed = flow.derivative_along(loss_at(W, Matrix([1, 2]))).subs(dict(zip(signals(2), (1, 4), strict=True)))
    return Statement(
        variables=dict.fromkeys(upper(W), POSITIVE),
        given=(W.det() > 0, W[0, 0] < 1, W[1, 1] < 1),
        then=speed <= 0,
    )


@paper.statement(
    "claim-4.2.stays-positive",
    "From positive entries with w_11, w_22 <= 1 the off-diagonal entry of (4.3) stays positive for d = 2",
    scope=own("a lemma of ours, d = 2"),
)
def stays_positive() -> Statement:
    flow, start = paper_flow(2), upper(jacobian(2, "v"))
    return Statement(
        variables={**dict.fromkeys(signals(2), POSITIVE), **dict.fromkeys(start, POSITIVE)},
        given=(start[0] * start[2] > start[1] ** 2,),
        dynamics=flow,
        start=dict(zip(flow.state, start, strict=True)),
        then=Always(flow.state[1] > 0),
        notes="w_12 moves by a multiple of itself; a proof needs that the multiple is bounded on bounded times.",
    )
