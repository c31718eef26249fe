"""Statements about matrices of every size, at rest and in motion, true and false."""

from __future__ import annotations

from typing import Any

from sympy import Abs, And, Eq, Interval, Rational, oo, symbols

from theory import (
    After,
    Always,
    AtStart,
    Flow,
    Map,
    Matrices,
    OrthogonalMatrices,
    PositiveSemidefinite,
    Statement,
    SymmetricMatrices,
    Vectors,
    gradient_descent,
    gradient_flow,
    identity,
    inner,
    matrix,
    norm,
    trace,
    vector,
)

d, h, m, n, c, mu, L, eta, t = symbols("d h m n c mu L eta t")
POSITIVE = Interval.open(0, oo)
A, B, C, Q = (matrix(name, d, d) for name in "ABCQ")
U, V, W = matrix("U", m, n), matrix("V", n, m), matrix("W", m, n)
x, y = vector("x"), vector("y")
ANY = {A: Matrices(d, d), B: Matrices(d, d)}
SYMMETRIC = {A: SymmetricMatrices(d), B: SymmetricMatrices(d)}
SEMIDEFINITE = {A: PositiveSemidefinite(d), B: PositiveSemidefinite(d)}
WIDE = {U: Matrices(m, n), W: Matrices(m, n)}
CURVED = {A: SymmetricMatrices(d, lower=mu, upper=L), B: Matrices(d, d), mu: POSITIVE, L: POSITIVE}

X, Y, X0, Y0, T = matrix("X", h, n), matrix("Y", m, h), matrix("X0", h, n), matrix("Y0", m, h), matrix("T", m, n)
LOSS = norm(Y * X - T) ** 2 / 2
NETWORK = {X0: Matrices(h, n), Y0: Matrices(m, h), T: Matrices(m, n)}
BALANCE = Y.T * Y - X * X.T
BALANCE_AT_START = Y0.T * Y0 - X0 * X0.T
Z, Z0 = matrix("Z", d, d), matrix("Z0", d, d)
v, v0 = vector("v"), vector("v0")


def claim(variables: dict[Any, Any], then: Any, *given: Any) -> Statement:
    return Statement(variables=variables, then=then, given=given)


def network(then: Any, dynamics: Any = None, start: Any = None) -> Statement:
    """A claim about a linear network with one hidden layer, trained from any start."""
    moving = dynamics or gradient_flow(LOSS, (X, Y))
    return Statement(variables=NETWORK, dynamics=moving, start=start or {X: X0, Y: Y0}, then=then)


def one_matrix(dynamics: Any, then: Any, *others: Any) -> Statement:
    known = {own: Matrices(d, d) for own in (Z0, *others)}
    return Statement(variables=known, dynamics=dynamics, start={Z: Z0}, then=then)


def deep(depth: int) -> tuple[list[Any], list[Any], dict[Any, Any], Any]:
    sizes = symbols(f"n0:{depth + 1}")
    moving = [matrix(f"W{k}", sizes[k], sizes[k - 1]) for k in range(1, depth + 1)]
    starts = [matrix(f"S{k}", sizes[k], sizes[k - 1]) for k in range(1, depth + 1)]
    target = matrix("T", sizes[depth], sizes[0])
    known = {own: Matrices(*own.shape) for own in (*starts, target)}
    product = moving[0]
    for own in moving[1:]:
        product = own * product
    return moving, starts, known, norm(product - target) ** 2 / 2


def balanced(depth: int, sign: int = -1) -> Statement:
    moving, starts, known, loss = deep(depth)
    kept = [
        Eq(b.T * b + sign * a * a.T, b0.T * b0 + sign * a0 * a0.T)
        for a, b, a0, b0 in zip(moving, moving[1:], starts, starts[1:], strict=False)
    ]
    return Statement(
        variables=known, dynamics=gradient_flow(loss, moving), start=dict(zip(moving, starts, strict=True)),
        then=Always(And(*kept)) if len(kept) == 1 else And(*map(Always, kept)),
    )  # fmt: skip


STEP = gradient_descent(LOSS, (X, Y), Rational(1, 10))

TRUE = {
    "a square under the trace": claim(SYMMETRIC, trace((A - B) * (A - B)) >= 0),
    "twice a product": claim(SYMMETRIC, 2 * trace(A * B) <= trace(A**2) + trace(B**2)),
    "commuting costs": claim(SYMMETRIC, trace(A * B * A * B) <= trace(A**2 * B**2)),
    "fourth powers of a product": claim(SYMMETRIC, 4 * trace(A**3 * B) <= 3 * trace(A**4) + trace(B**4)),
    "fourth powers of a sum": claim(SYMMETRIC, trace((A + B) ** 4) <= 8 * trace(A**4) + 8 * trace(B**4)),
    "a sum of rectangles": claim(
        WIDE | {x: Vectors(n)}, norm((U + W) * x) ** 2 <= 2 * norm(U * x) ** 2 + 2 * norm(W * x) ** 2
    ),
    "the norm of a sum": claim(WIDE, norm(U + W) ** 2 <= 2 * norm(U) ** 2 + 2 * norm(W) ** 2),
    "semidefinite matrices": claim(SEMIDEFINITE, trace(A * B) >= 0),
    "larger squares": claim(SEMIDEFINITE, trace((A + B) ** 2) >= trace(B**2)),
    "the trace against the norm": claim({A: SymmetricMatrices(d)}, trace(A) ** 2 <= d * trace(A**2)),
    "the trace against the norm, any matrix": claim({A: Matrices(d, d)}, trace(A) ** 2 <= d * norm(A) ** 2),
    "norms of products": claim({U: Matrices(m, n), V: Matrices(n, m)}, norm(U * V) <= norm(U) * norm(V)),
    "norms of products with a vector": claim({U: Matrices(m, n), x: Vectors(n)}, norm(U * x) <= norm(U) * norm(x)),
    "a product of traces": claim(SEMIDEFINITE, trace(A * B) <= trace(A) * trace(B)),
    "the trace of a square": claim({A: PositiveSemidefinite(d)}, trace(A**2) <= trace(A) ** 2),
    "a form below the trace": claim(
        {A: PositiveSemidefinite(d), x: Vectors(d)}, inner(x, A * x) <= trace(A) * norm(x) ** 2
    ),
    "Young": claim(SYMMETRIC | {c: POSITIVE}, 2 * trace(A * B) <= c * trace(A**2) + trace(B**2) / c),
    "an upper bound": claim(CURVED, norm(A * B) ** 2 <= L * trace(B.T * A * B)),
    "between bounds": claim(CURVED, norm(A * B) ** 2 + mu * L * norm(B) ** 2 <= (mu + L) * trace(B.T * A * B)),
    "a lower bound": claim(CURVED, trace(B.T * A * B) >= mu * norm(B) ** 2),
    "Cauchy and Schwarz": claim(WIDE, trace(U.T * W) ** 2 <= norm(U) ** 2 * norm(W) ** 2),
    "unit matrices": claim(WIDE, trace(U.T * W) <= 1, norm(U) <= 1, norm(W) <= 1),
    "a size is at least one": claim({A: Matrices(d, d)}, norm(A) ** 2 <= d * norm(A) ** 2),
    "traces of squares of products": claim(SEMIDEFINITE, trace(A * A * B * B) >= 0),
    "a norm below traces": claim(SEMIDEFINITE, norm(A * B) ** 2 <= trace(A**2) * trace(B**2)),
    "a commutator is not large": claim(SYMMETRIC, norm(A * B - B * A) ** 2 <= 4 * norm(A) ** 2 * norm(B) ** 2),
    "three factors": claim(ANY | {C: Matrices(d, d)}, norm(A * B * C) <= norm(A) * norm(B) * norm(C)),
    "the triangle": claim(WIDE, norm(U + W) <= norm(U) + norm(W)),
    "the triangle from below": claim(WIDE, Abs(norm(U) - norm(W)) <= norm(U - W)),
    "a linear network is Lipschitz": claim(
        ANY | {x: Vectors(d), y: Vectors(d)}, norm(A * B * (x - y)) <= norm(A) * norm(B) * norm(x - y)
    ),
    "a rotation keeps a norm that is not squared": claim(
        {Q: OrthogonalMatrices(d), A: Matrices(d, d), B: Matrices(d, d)}, Eq(norm(Q * (A - B) * Q.T), norm(A - B))
    ),
    "a rotation keeps the norm": claim(
        {Q: OrthogonalMatrices(d), A: Matrices(d, d)}, Eq(norm(Q * A) ** 2, norm(A) ** 2)
    ),
    "a rotation and a trace": claim({Q: OrthogonalMatrices(d)}, trace(Q) <= d),
    "Jacobi": claim(
        ANY | {C: Matrices(d, d)},
        Eq(
            A * (B * C - C * B)
            - (B * C - C * B) * A
            + B * (C * A - A * C)
            - (C * A - A * C) * B
            + C * (A * B - B * A)
            - (A * B - B * A) * C,
            0 * A,
        ),
    ),
    "balancedness": network(Always(Eq(BALANCE, BALANCE_AT_START))),
    "balancedness of depth three": balanced(3),
    "balancedness of depth five": balanced(5),
    "balanced norms": network(Always(Eq(norm(Y) ** 2 - norm(X) ** 2, norm(Y0) ** 2 - norm(X0) ** 2))),
    "the loss does not grow": network(Always(norm(Y * X - T) ** 2 <= norm(Y0 * X0 - T) ** 2)),
    "one step": network(After(1, Eq(Y, Y0 - (Y0 * X0 - T) * X0.T / 10)), STEP),
    "nothing moves at the start": network(AtStart(Eq(X, X0))),
    "a norm is never negative": network(Always(norm(X) >= 0)),
    "Lax pairs keep traces": one_matrix(Flow((Z,), (Z * A - A * Z,)), Always(Eq(trace(Z**3), trace(Z0**3))), A),
    "a skew flow keeps the norm": Statement(
        variables={v0: Vectors(d), A: Matrices(d, d)},
        dynamics=Flow((v,), ((A - A.T) * v,)),
        start={v: v0},
        then=Always(Eq(norm(v) ** 2, norm(v0) ** 2)),
    ),
    "gradient flow of a quadratic": Statement(
        variables={v0: Vectors(d), A: PositiveSemidefinite(d)},
        dynamics=Flow((v,), (-A * v,)),
        start={v: v0},
        then=Always(norm(v) ** 2 <= norm(v0) ** 2),
    ),
    "weight decay": one_matrix(gradient_flow(norm(Z) ** 2 / 2, Z), Always(norm(Z) ** 2 <= norm(Z0) ** 2)),
    "a shrinking map": one_matrix(Map((Z,), (Z / 2,)), Always(norm(Z) ** 2 <= norm(Z0) ** 2)),
    "a turning map": one_matrix(Map((Z,), (Z.T,)), And(Always(Eq(trace(Z), trace(Z0))), After(2, Eq(Z, Z0)))),
}

FALSE = {
    "three factors, the other way": claim(ANY | {C: Matrices(d, d)}, norm(A * B * C) >= norm(A) * norm(B) * norm(C)),
    "the triangle, too good": claim(WIDE, norm(U + W) <= norm(U) + norm(W) / 2),
    "a norm scales with the square": claim({A: Matrices(d, d)}, Eq(norm(2 * A), 4 * norm(A))),
    "commuting pays": claim(SYMMETRIC, trace(A * B * A * B) >= trace(A**2 * B**2)),
    "a product of symmetric matrices": claim(SYMMETRIC, trace(A * B) >= 0),
    "an anticommutator of semidefinite matrices": claim(
        SEMIDEFINITE | {x: Vectors(d)}, inner(x, (A * B + B * A) * x) >= 0
    ),
    "squares are not monotone": claim(
        SEMIDEFINITE | {x: Vectors(d)}, inner(x, (A + B) * (A + B) * x) >= inner(x, B * B * x)
    ),
    "the trace against the norm, without the size": claim({A: SymmetricMatrices(d)}, trace(A) ** 2 <= trace(A**2)),
    "the trace of a square, other way": claim({A: PositiveSemidefinite(d)}, trace(A**2) >= trace(A) ** 2),
    "the trace of a square, without a sign": claim({A: SymmetricMatrices(d)}, trace(A**2) <= trace(A) ** 2),
    "norms of products, other way": claim({U: Matrices(m, n), V: Matrices(n, m)}, norm(U * V) >= norm(U) * norm(V)),
    "a commutator too small": claim(ANY, 10 * norm(A * B - B * A) ** 2 <= 19 * norm(A) ** 2 * norm(B) ** 2),
    "fourth powers, too good": claim(SYMMETRIC, trace((A + B) ** 4) <= 7 * trace(A**4) + 7 * trace(B**4)),
    "Young without a sign": claim(
        SYMMETRIC | {c: Interval(-1, 1)}, 2 * trace(A * B) <= c * trace(A**2) + c * trace(B**2)
    ),
    "an upper bound with the lower one": claim(CURVED, norm(A * B) ** 2 <= mu * trace(B.T * A * B)),
    "unit matrices, too good": claim(WIDE, trace(U.T * W) <= Rational(1, 2), norm(U) <= 1, norm(W) <= 1),
    "a rotation has a positive trace": claim({Q: OrthogonalMatrices(d)}, trace(Q) >= 0),
    "a size is one": claim({A: Matrices(d, d)}, Eq(trace(identity(d)) * norm(A) ** 2, norm(A) ** 2)),
    "the sum is kept": network(Always(Eq(Y.T * Y + X * X.T, Y0.T * Y0 + X0 * X0.T))),
    "the other balance": network(Always(Eq(norm(Y) ** 2 - 2 * norm(X) ** 2, norm(Y0) ** 2 - 2 * norm(X0) ** 2))),
    "balancedness of depth three with a plus": balanced(3, 1),
    "another start": network(Always(Eq(BALANCE, 2 * BALANCE_AT_START))),
    "the loss does not fall": network(Always(norm(Y * X - T) ** 2 >= norm(Y0 * X0 - T) ** 2)),
    "descent keeps the balance": network(Always(Eq(BALANCE, BALANCE_AT_START)), STEP),
    "one step with another rate": network(After(1, Eq(Y, Y0 - (Y0 * X0 - T) * X0.T / 9)), STEP),
    "a flow that is not skew keeps the norm": Statement(
        variables={v0: Vectors(d), A: Matrices(d, d)},
        dynamics=Flow((v,), (A * v,)),
        start={v: v0},
        then=Always(Eq(norm(v) ** 2, norm(v0) ** 2)),
    ),
    "gradient flow of an indefinite quadratic": Statement(
        variables={v0: Vectors(d), A: SymmetricMatrices(d)},
        dynamics=Flow((v,), (-A * v,)),
        start={v: v0},
        then=Always(norm(v) ** 2 <= norm(v0) ** 2),
    ),
    "a growing map": one_matrix(Map((Z,), (2 * Z,)), Always(norm(Z) ** 2 <= norm(Z0) ** 2)),
}
