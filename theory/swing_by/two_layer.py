"""Section 4.2: the symmetric model U U^T, what gradient flow and gradient descent on U do to W, and what is printed."""

from __future__ import annotations

from sympy import Matrix, S, Symbol, eye

from theory.displays import equal
from theory.domains import POSITIVE
from theory.scope import case, own
from theory.statements import Statement
from theory.swing_by._paper import paper
from theory.swing_by.model import (
    NONNEGATIVE,
    eta,
    growth,
    induced_update,
    induced_velocity,
    jacobian,
    noise,
    printed_velocity,
    second_moment,
    signals,
    suppression,
    upper,
    weight_flow,
    weights,
)


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
    scope=case("d = d' = 2"),
)
def equation_4_3() -> Statement:
    derived, W = induced_velocity(2, 2), outer(2, 2)
    return Statement(
        variables=weight_domains(2, 2),
        then=equal(*zip(upper(derived), upper(decomposed(W)), strict=True)),
        notes="Derived from the loss (4.1); d = d' = 2.",
    )


@paper.statement(
    "equation-4.3.corrected",
    "Gradient flow on U moves the entries of W twice as fast as printed",
    equations=("4.3",),
    scope=own("the nearest true form of equation-4.3, d = d' up to 3"),
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
    scope=case("d up to 6"),
)
def equation_4_3_a() -> Statement:
    W = jacobian(6)
    pairs = zip(upper(decomposed(W)), upper(printed_velocity(W, second_moment(6))), strict=True)
    return Statement(
        variables=entry_domains(6), then=equal(*pairs), notes="d = 6; smaller d are the case of vanishing entries."
    )


@paper.statement(
    "equation-4.3.b",
    "The printed velocity is -(H W + W H)",
    equations=("D.2",),
    scope=own("a shorter form of ours, d = 3"),
)
def equation_4_3_b() -> Statement:
    W, A = jacobian(3), second_moment(3)
    H = residual(W, A)
    return Statement(
        variables=entry_domains(3),
        then=equal(*zip(upper(printed_velocity(W, A)), upper(-(H * W + W * H)), strict=True)),
    )


def loss_gradient(d: int, width: int) -> Matrix:
    """The gradient of the training loss with respect to U."""
    return -Matrix(d, width, list(weight_flow(d, width).velocity))


@paper.statement(
    "equation-d.1",
    "One step of gradient descent on U changes W by the printed first-order terms",
    equations=("D.1",),
    scope=case("d = d' = 2"),
)
def equation_d_1() -> Statement:
    U, slope, W = weights(2, 2), loss_gradient(2, 2), outer(2, 2)
    printed = -U * slope.T - slope * U.T
    exact = (induced_update(2, 2) - W) / eta
    return Statement(
        variables={**weight_domains(2, 2), eta: POSITIVE}, then=equal(*zip(upper(exact), upper(printed), strict=True))
    )


@paper.statement(
    "equation-d.1.corrected",
    "The exact change has one more term, eta times the squared gradient",
    equations=("D.1",),
    scope=own("the nearest true form of equation-d.1, d = d' = 2"),
)
def equation_d_1_corrected() -> Statement:
    U, slope, W = weights(2, 2), loss_gradient(2, 2), outer(2, 2)
    printed = eta * (-U * slope.T - slope * U.T) + eta**2 * slope * slope.T
    return Statement(
        variables={**weight_domains(2, 2), eta: POSITIVE},
        then=equal(*zip(upper(induced_update(2, 2) - W), upper(printed), strict=True)),
    )


@paper.statement(
    "equation-d.1.a",
    "Gradient descent on U acts on W by a congruence",
    equations=("D.1",),
    scope=own("a form of ours, d = d' = 2"),
)
def equation_d_1_a() -> Statement:
    W, A = outer(2, 2), second_moment(2)
    step = eye(2) - 2 * eta * residual(W, A)
    return Statement(
        variables={**weight_domains(2, 2), eta: POSITIVE},
        then=equal(*zip(upper(induced_update(2, 2)), upper(step * W * step), strict=True)),
        notes="W stays positive semidefinite under gradient descent on U, whatever the step.",
    )


@paper.statement(
    "equation-d.2",
    "The first-order terms are W A + A W - (A W^2 + W^2 A + 2 W A W) / 2",
    equations=("D.2",),
    scope=case("d = d' = 2"),
)
def equation_d_2() -> Statement:
    U, slope = weights(2, 2), loss_gradient(2, 2)
    derived = -U * slope.T - slope * U.T
    printed = printed_velocity(outer(2, 2), second_moment(2))
    return Statement(variables=weight_domains(2, 2), then=equal(*zip(upper(derived), upper(printed), strict=True)))


@paper.statement(
    "equation-d.2.corrected",
    "The first-order terms are twice the printed ones",
    equations=("D.2",),
    scope=own("the nearest true form of equation-d.2, d = d' up to 3"),
)
def equation_d_2_corrected() -> Statement:
    U, slope = weights(3, 3), loss_gradient(3, 3)
    derived = -U * slope.T - slope * U.T
    printed = 2 * printed_velocity(outer(3, 3), second_moment(3))
    return Statement(variables=weight_domains(3, 3), then=equal(*zip(upper(derived), upper(printed), strict=True)))


@paper.statement("equation-d.3", "The entries of (D.2) as one sum over k", equations=("D.3",), scope=case("d = 4"))
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


@paper.statement(
    "equation-d.6",
    "The sum splits into growth, suppression and noise",
    equations=("D.4", "D.5", "D.6"),
    scope=case("d = 3"),
)
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


@paper.statement(
    "equation-d.6.a", "For a diagonal entry G - S = 2 a w (1 - w)", equations=("D.36",), scope=case("d = 3")
)
def equation_d_6_a() -> Statement:
    W, a = jacobian(3), signals(3)
    pairs = [
        (growth(W, i, i) - suppression(W, i, i), 2 * a[i - 1] * W[i - 1, i - 1] * (1 - W[i - 1, i - 1]))
        for i in (1, 2, 3)
    ]
    return Statement(variables=entry_domains(3), then=equal(*pairs))


@paper.statement(
    "equation-d.6.b",
    "The noise of a diagonal entry is the sum of w_ki^2 (a_i + a_k)",
    scope=own("a consequence of ours, d = 3"),
)
def equation_d_6_b() -> Statement:
    W, a = jacobian(3), signals(3)
    printed = sum((W[k, 0] ** 2 * (a[0] + a[k]) for k in (1, 2)), S.Zero)
    return Statement(variables=entry_domains(3), then=equal((noise(W, 1, 1), printed)))
