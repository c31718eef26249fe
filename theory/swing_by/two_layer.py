"""Section 4.2: the symmetric model U U^T, what gradient flow and gradient descent on U do to W, and what is printed."""

from __future__ import annotations

from sympy import Expr, Matrix, S, Symbol, diff, expand, eye

from theory.displays import equal
from theory.statements import Statement
from theory.swing_by._paper import paper
from theory.swing_by.model import (
    NONNEGATIVE,
    POSITIVE,
    eta,
    growth,
    induced_update,
    induced_velocity,
    jacobian,
    loss_at,
    means,
    noise,
    paper_flow,
    paper_map,
    printed_velocity,
    second_moment,
    signals,
    suppression,
    training_loss,
    upper,
    weight_descent,
    weight_flow,
    weights,
)
from theory.temporal import Always


def weight_domains(d: int, width: int) -> dict[Symbol, object]:
    """Free weights and nonnegative second moments."""
    return {**dict.fromkeys(weights(d, width), S.Reals), **dict.fromkeys(signals(d), NONNEGATIVE)}


def entry_domains(d: int) -> dict[Symbol, object]:
    """Free entries of W and positive second moments."""
    return {**dict.fromkeys(upper(jacobian(d)), S.Reals), **dict.fromkeys(signals(d), POSITIVE)}


def outer(d: int, width: int) -> Matrix:
    """W = U U^T."""
    U = weights(d, width)
    return U * U.T


def residual(W: Matrix, A: Matrix) -> Matrix:
    """H = (W A + A W) / 2 - A, with which the printed velocity is -(H W + W H)."""
    return (W * A + A * W) / 2 - A


def decomposed(W: Matrix) -> Matrix:
    """G - S - N, entry by entry."""
    d = W.rows
    return Matrix(d, d, lambda i, j: growth(W, i + 1, j + 1) - suppression(W, i + 1, j + 1) - noise(W, i + 1, j + 1))


# Equations (4.3) and (D.1) to (D.6) -----------------------------------------------------------------------------------


@paper.statement(
    "equation-4.3",
    "Under gradient flow on U the entries of W move by growth, suppression and noise",
    equations=("4.3",),
)
def equation_4_3() -> Statement:
    derived, W = induced_velocity(2, 2), outer(2, 2)
    return Statement(
        variables=weight_domains(2, 2),
        then=equal(*zip(upper(derived), upper(decomposed(W)), strict=True)),
        notes="Derived from the loss (4.1); d = d' = 2.",
    )


@paper.statement(
    "equation-4.3.corrected", "Gradient flow on U moves the entries of W twice as fast as printed", equations=("4.3",)
)
def equation_4_3_corrected() -> Statement:
    cases = ((2, 2), (2, 3), (3, 3))
    pairs = [
        (entry, 2 * printed)
        for d, width in cases
        for entry, printed in zip(upper(induced_velocity(d, width)), upper(decomposed(outer(d, width))), strict=True)
    ]
    return Statement(
        variables=weight_domains(3, 3),
        then=equal(*pairs),
        notes="d = 2, 3 with d' >= d. The printed one is the flow of half the loss.",
    )


@paper.statement(
    "equation-4.3.a",
    "The printed entries are those of the printed matrix equation, for every d up to 6",
    equations=("4.3", "D.2"),
)
def equation_4_3_a() -> Statement:
    W = jacobian(6)
    pairs = zip(upper(decomposed(W)), upper(printed_velocity(W, second_moment(6))), strict=True)
    return Statement(
        variables=entry_domains(6), then=equal(*pairs), notes="d = 6; smaller d are the case of vanishing entries."
    )


@paper.statement("equation-4.3.b", "The printed velocity is -(H W + W H)", equations=("D.2",))
def equation_4_3_b() -> Statement:
    W, A = jacobian(3), second_moment(3)
    H = residual(W, A)
    return Statement(
        variables=entry_domains(3),
        then=equal(*zip(upper(printed_velocity(W, A)), upper(-(H * W + W * H)), strict=True)),
    )


def _gradient(d: int, width: int) -> Matrix:
    return -Matrix(d, width, list(weight_flow(d, width).velocity))


@paper.statement(
    "equation-d.1", "One step of gradient descent on U changes W by the printed first-order terms", equations=("D.1",)
)
def equation_d_1() -> Statement:
    U, slope, W = weights(2, 2), _gradient(2, 2), outer(2, 2)
    printed = -U * slope.T - slope * U.T
    exact = (induced_update(2, 2) - W) / eta
    return Statement(
        variables={**weight_domains(2, 2), eta: POSITIVE}, then=equal(*zip(upper(exact), upper(printed), strict=True))
    )


@paper.statement(
    "equation-d.1.corrected", "The exact change has one more term, eta times the squared gradient", equations=("D.1",)
)
def equation_d_1_corrected() -> Statement:
    U, slope, W = weights(2, 2), _gradient(2, 2), outer(2, 2)
    printed = eta * (-U * slope.T - slope * U.T) + eta**2 * slope * slope.T
    return Statement(
        variables={**weight_domains(2, 2), eta: POSITIVE},
        then=equal(*zip(upper(induced_update(2, 2) - W), upper(printed), strict=True)),
    )


@paper.statement("equation-d.1.a", "Gradient descent on U acts on W by a congruence", equations=("D.1",))
def equation_d_1_a() -> Statement:
    W, A = outer(2, 2), second_moment(2)
    step = eye(2) - 2 * eta * residual(W, A)
    return Statement(
        variables={**weight_domains(2, 2), eta: POSITIVE},
        then=equal(*zip(upper(induced_update(2, 2)), upper(step * W * step), strict=True)),
        notes="W stays positive semidefinite under gradient descent on U, whatever the step.",
    )


@paper.statement(
    "equation-d.2", "The first-order terms are W A + A W - (A W^2 + W^2 A + 2 W A W) / 2", equations=("D.2",)
)
def equation_d_2() -> Statement:
    U, slope = weights(2, 2), _gradient(2, 2)
    derived = -U * slope.T - slope * U.T
    printed = printed_velocity(outer(2, 2), second_moment(2))
    return Statement(variables=weight_domains(2, 2), then=equal(*zip(upper(derived), upper(printed), strict=True)))


@paper.statement("equation-d.2.corrected", "The first-order terms are twice the printed ones", equations=("D.2",))
def equation_d_2_corrected() -> Statement:
    U, slope = weights(3, 3), _gradient(3, 3)
    derived = -U * slope.T - slope * U.T
    printed = 2 * printed_velocity(outer(3, 3), second_moment(3))
    return Statement(variables=weight_domains(3, 3), then=equal(*zip(upper(derived), upper(printed), strict=True)))


@paper.statement("equation-d.3", "The entries of (D.2) as one sum over k", equations=("D.3",))
def equation_d_3() -> Statement:
    d = 4
    W, a = jacobian(d), signals(d)
    pairs = [
        (
            printed_velocity(W, second_moment(d))[i, j],
            W[i, j] * (a[i] + a[j]) - sum((W[k, i] * W[k, j] * (a[i] + a[j] + 2 * a[k]) for k in range(d)), S.Zero) / 2,
        )
        for i in range(d)
        for j in range(i, d)
    ]
    return Statement(variables=entry_domains(d), then=equal(*pairs), notes="d = 4.")


@paper.statement("equation-d.6", "The sum splits into growth, suppression and noise", equations=("D.4", "D.5", "D.6"))
def equation_d_6() -> Statement:
    d = 3
    W, a = jacobian(d), signals(d)
    pairs = [
        (
            sum((W[k, i] * W[k, j] * (a[i] + a[j] + 2 * a[k]) for k in range(d)), S.Zero) / 2,
            suppression(W, i + 1, j + 1) + noise(W, i + 1, j + 1),
        )
        for i in range(d)
        for j in range(i, d)
    ]
    return Statement(
        variables=entry_domains(d),
        then=equal(*pairs),
        notes="With the factor 1/2 inside S and N, as in (4.3); the braces of (D.5) and (D.6) leave it outside.",
    )


@paper.statement("equation-d.6.a", "For a diagonal entry G - S = 2 a w (1 - w)", equations=("D.36",))
def equation_d_6_a() -> Statement:
    W, a = jacobian(3), signals(3)
    pairs = [
        (growth(W, i, i) - suppression(W, i, i), 2 * a[i - 1] * W[i - 1, i - 1] * (1 - W[i - 1, i - 1]))
        for i in (1, 2, 3)
    ]
    return Statement(variables=entry_domains(3), then=equal(*pairs))


@paper.statement("equation-d.6.b", "The noise of a diagonal entry is the sum of w_ki^2 (a_i + a_k)")
def equation_d_6_b() -> Statement:
    W, a = jacobian(3), signals(3)
    printed = sum((W[k, 0] ** 2 * (a[0] + a[k]) for k in (1, 2)), S.Zero)
    return Statement(variables=entry_domains(3), then=equal((noise(W, 1, 1), printed)))


# Signs ----------------------------------------------------------------------------------------------------------------


def _positive_diagonal(W: Matrix) -> tuple[object, ...]:
    return tuple(W[i, i] >= 0 for i in range(W.rows))


@paper.statement("claim-4.2.sign-growth", "The growth term has the sign of its entry", label="Section 4.2")
def sign_growth() -> Statement:
    W = jacobian(2)
    return Statement(variables=entry_domains(2), given=(W[0, 1] > 0,), then=growth(W, 1, 2) > 0)


@paper.statement(
    "claim-4.2.sign-suppression",
    "The suppression term has the sign of its entry, the diagonal being nonnegative",
    label="Section 4.2",
)
def sign_suppression() -> Statement:
    W = jacobian(2)
    return Statement(variables=entry_domains(2), given=_positive_diagonal(W), then=W[0, 1] * suppression(W, 1, 2) >= 0)


@paper.statement(
    "claim-4.2.sign-noise", "The noise term of an off-diagonal entry has the sign of the entry", label="Section 4.2"
)
def sign_noise() -> Statement:
    """The text says that it has no fixed sign; this is the claim that it denies, for a positive definite W."""
    W = jacobian(3)
    minors = tuple(W[:k, :k].det() > 0 for k in (1, 2, 3))
    return Statement(variables=entry_domains(3), given=minors, then=W[0, 1] * noise(W, 1, 2) >= 0)


@paper.statement("claim-4.2.sign-noise.a", "The noise term of a diagonal entry is never negative")
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
    "claim-4.2.psd-map.a", "From a singular W two unequal directions make det W negative in one step of (D.2)"
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


@paper.statement("claim-4.2.psd-flow", "Along the flow (4.3) the determinant of W keeps its sign", label="Footnote 3")
def psd_flow() -> Statement:
    """d det W / dt = 2 tr(A (I - W)) det W."""
    pairs = []
    for d in (2, 3):
        W, A = jacobian(d), second_moment(d)
        speed = paper_flow(d).derivative_along(W.det())
        pairs.append((expand(speed), expand(2 * (A * (eye(d) - W)).trace() * W.det())))
    return Statement(variables=entry_domains(3), then=equal(*pairs), notes="d = 2 and 3.")


@paper.statement(
    "claim-4.2.psd-descent", "Gradient descent on U keeps the diagonal of W nonnegative", label="Footnote 3"
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


@paper.statement("claim-4.2.training", "The training loss never rises along the flow (4.3)", label="Appendix F.4")
def training_falls() -> Statement:
    """Along W = U U^T it falls at the rate of half the squared gradient on U."""
    U, W = weights(2, 2), jacobian(2)
    at = dict(zip(upper(W), upper(U * U.T), strict=True))
    speed = paper_flow(2).derivative_along(training_loss(W, second_moment(2))).subs(at, simultaneous=True)
    squares = sum((entry**2 for entry in _gradient(2, 2)), S.Zero)
    return Statement(variables=weight_domains(2, 2), then=equal((speed, -squares / 2)))


@paper.statement("claim-4.2.output", "The output at the test point is the sum of w_kp mu_p", label="Section 4.2.2")
def output_at_test_point() -> Statement:
    d = 3
    W, m = jacobian(d), Matrix(means(d))
    printed = Matrix([sum((W[k, p] * m[p] for p in range(d)), S.Zero) for k in range(d)])
    return Statement(variables={**entry_domains(d), **dict.fromkeys(m, NONNEGATIVE)}, then=equal((W * m, printed)))


@paper.statement(
    "claim-4.2.linear-phase",
    "Without suppression and noise (D.2) multiplies w_ij by 1 + eta (a_i + a_j)",
    label="Section 4.2.1",
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
)
def linear_phase_outgrows() -> Statement:
    """(1 + eta (a_1 + a_2))^2 exceeds (1 + 2 eta a_1)(1 + 2 eta a_2) by eta^2 (a_1 - a_2)^2, so det W is lost."""
    a = signals(2)
    excess = (1 + eta * (a[0] + a[1])) ** 2 - (1 + 2 * eta * a[0]) * (1 + 2 * eta * a[1])
    return Statement(
        variables={**dict.fromkeys(a, POSITIVE), eta: POSITIVE}, then=equal((excess, eta**2 * (a[0] - a[1]) ** 2))
    )


@paper.statement(
    "claim-4.2.linear-phase.b", "In the linear phase gradient descent on U keeps the ratio w_12^2 / (w_11 w_22)"
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


@paper.statement("claim-4.2.test-loss", "The test loss never rises along the flow (4.3)", label="Section 4.2.2")
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
