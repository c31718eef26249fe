"""The structured identity mapping task: second moments, losses, and the dynamics that the paper does or should study.

Matrices are SymPy matrices of plain symbols: w_ij are the entries of the Jacobian, u_ij those of the weights,
a_i the diagonal of the second-moment matrix, m_i the means and s_i the deviations of the clusters.
"""

from __future__ import annotations

from functools import cache

from sympy import Expr, Interval, Matrix, Rational, S, Symbol, diag, eye, oo

from theory.dynamics import Flow, Map, gradient_descent, gradient_flow

NONNEGATIVE = Interval(0, oo)
HALF = Rational(1, 2)

eta, t = Symbol("eta"), Symbol("t")


def signals(d: int) -> tuple[Symbol, ...]:
    """The diagonal a_1, ..., a_d of the second-moment matrix.

    >>> signals(2)
    (a_1, a_2)
    """
    return tuple(Symbol(f"a_{i}") for i in range(1, d + 1))


def means(d: int) -> tuple[Symbol, ...]:
    """The distances mu_p of the cluster centres from the origin."""
    return tuple(Symbol(f"m_{i}") for i in range(1, d + 1))


def deviations(d: int) -> tuple[Symbol, ...]:
    """The standard deviations sigma_p of the clusters."""
    return tuple(Symbol(f"s_{i}") for i in range(1, d + 1))


def jacobian(d: int, letter: str = "w") -> Matrix:
    """A symmetric matrix of symbols.

    >>> jacobian(2)
    Matrix([
    [w_11, w_12],
    [w_12, w_22]])
    """
    return Matrix(d, d, lambda i, j: Symbol(f"{letter}_{min(i, j) + 1}{max(i, j) + 1}"))


def weights(d: int, width: int, letter: str = "u") -> Matrix:
    """A full matrix of symbols.

    >>> weights(1, 2)
    Matrix([[u_11, u_12]])
    """
    return Matrix(d, width, lambda i, j: Symbol(f"{letter}_{i + 1}{j + 1}"))


def upper(matrix: Matrix) -> tuple[Expr, ...]:
    """The entries on and above the diagonal, row by row.

    >>> upper(jacobian(2))
    (w_11, w_12, w_22)
    """
    return tuple(matrix[i, j] for i in range(matrix.rows) for j in range(i, matrix.cols))


def training_loss(W: Matrix, A: Matrix) -> Expr:
    """1/2 |(W - I) A^(1/2)|_F^2 for a diagonal A, as a trace.

    >>> a = Symbol("a")
    >>> training_loss(Matrix([[Symbol("w")]]), diag(a))
    a*(w - 1)**2/2
    """
    rest = W - eye(W.rows)
    return sum((A[i, i] * rest[k, i] ** 2 for i in range(A.rows) for k in range(W.rows)), S.Zero) / 2


def loss_at(W: Matrix, point: Matrix) -> Expr:
    """1/2 |(W - I) point|^2, the loss at a test point.

    >>> loss_at(Matrix([[Symbol("w")]]), Matrix([2]))
    (2*w - 2)**2/2
    """
    return sum((entry**2 for entry in (W - eye(W.rows)) * point), S.Zero) / 2


def one_layer(d: int, informative: int | None = None) -> Flow:
    """Gradient flow on a full matrix W, with a_p = 0 for the directions beyond the informative ones.

    >>> one_layer(1).velocity
    (-a_1*(2*w_11 - 2)/2,)
    """
    W = weights(d, d, "w")
    return gradient_flow(training_loss(W, second_moment(d, informative)), tuple(W))


def second_moment(d: int, informative: int | None = None) -> Matrix:
    """diag(a), with zeros beyond the informative directions.

    >>> second_moment(2, 1)
    Matrix([
    [a_1, 0],
    [  0, 0]])
    """
    known = d if informative is None else informative
    return diag(*[a if place < known else S.Zero for place, a in enumerate(signals(d))])


@cache
def weight_flow(d: int, width: int) -> Flow:
    """Gradient flow of the loss of the symmetric model U U^T on U."""
    U = weights(d, width)
    return gradient_flow(training_loss(U * U.T, second_moment(d)), tuple(U))


@cache
def weight_descent(d: int, width: int) -> Map:
    """Gradient descent on U."""
    U = weights(d, width)
    return gradient_descent(training_loss(U * U.T, second_moment(d)), tuple(U), eta)


def induced_velocity(d: int, width: int) -> Matrix:
    """dW/dt of W = U U^T when U follows gradient flow, as an expression in U."""
    U = weights(d, width)
    speed = Matrix(d, width, list(weight_flow(d, width).velocity))
    return speed * U.T + U * speed.T


def induced_update(d: int, width: int) -> Matrix:
    """W after one step of gradient descent on U, as an expression in U."""
    moved = Matrix(d, width, list(weight_descent(d, width).update))
    return moved * moved.T


def printed_velocity(W: Matrix, A: Matrix) -> Matrix:
    """The right-hand side of (D.2): W A + A W - (A W^2 + W^2 A + 2 W A W) / 2."""
    return W * A + A * W - (A * W * W + W * W * A + 2 * W * A * W) * HALF


def paper_flow(d: int) -> Flow:
    """The flow (4.3) on the entries of W.

    >>> paper_flow(1).velocity
    (-2*a_1*w_11**2 + 2*a_1*w_11,)
    """
    W = jacobian(d)
    return Flow(upper(W), tuple(entry.expand() for entry in upper(printed_velocity(W, second_moment(d)))))


def paper_map(d: int) -> Map:
    """The discrete update (D.2) on the entries of W."""
    W = jacobian(d)
    speed = printed_velocity(W, second_moment(d))
    return Map(upper(W), tuple(w + eta * entry.expand() for w, entry in zip(upper(W), upper(speed), strict=True)))


def growth(W: Matrix, i: int, j: int) -> Expr:
    """The growth term G_ij (indices from 1).

    >>> growth(jacobian(2), 1, 2)
    w_12*(a_1 + a_2)
    """
    a = signals(W.rows)
    return W[i - 1, j - 1] * (a[i - 1] + a[j - 1])


def suppression(W: Matrix, i: int, j: int) -> Expr:
    """The suppression term S_ij, the factor 1/2 included."""
    a = signals(W.rows)
    other = W[j - 1, j - 1] * (3 * a[j - 1] + a[i - 1]) if i != j else S.Zero
    return HALF * W[i - 1, j - 1] * (W[i - 1, i - 1] * (3 * a[i - 1] + a[j - 1]) + other)


def noise(W: Matrix, i: int, j: int) -> Expr:
    """The noise term N_ij, the factor 1/2 included.

    >>> noise(jacobian(2), 1, 2), noise(jacobian(2), 1, 1)
    (0, w_12**2*(2*a_1 + 2*a_2)/2)
    """
    a = signals(W.rows)
    others = [k for k in range(1, W.rows + 1) if k not in (i, j)]
    terms = (W[k - 1, i - 1] * W[k - 1, j - 1] * (a[i - 1] + a[j - 1] + 2 * a[k - 1]) for k in others)
    return HALF * sum(terms, S.Zero)
