"""Chapter 8, continued: traces, eigenvalues and growth."""

from sympy import Eq, S, exp

from theory.classics._words import (
    BELOW_ONE,
    NONNEGATIVE,
    POSITIVE,
    X,
    a,
    b,
    c,
    d,
    m,
    n,
    r,
    t,
    x,
    x0,
)
from theory.classics.inequalities import B, C, D, V, W, chapter
from theory.dynamics import Flow, Map
from theory.language.spaces import Matrices, PositiveSemidefinite, SymmetricMatrices, Vectors, inner, norm, trace
from theory.scope import case, whole
from theory.statements import Statement
from theory.temporal import Always


@chapter.statement("proposition-8.28", "Cauchy and Schwarz for matrices of every size", "Frobenius 1911", scope=whole())
def trace_schwarz() -> Statement:
    return Statement(
        variables={V: Matrices(m, n), W: Matrices(m, n)}, then=trace(V.T * W) ** 2 <= norm(V) ** 2 * norm(W) ** 2
    )


@chapter.statement("proposition-8.29", "The squared Frobenius norm of a sum", "Frobenius 1911", scope=whole())
def frobenius_sum() -> Statement:
    return Statement(
        variables={V: Matrices(m, n), W: Matrices(m, n)}, then=norm(V + W) ** 2 <= 2 * norm(V) ** 2 + 2 * norm(W) ** 2
    )


@chapter.statement(
    "proposition-8.30", "The Frobenius norm is submultiplicative, for every size", "Frobenius 1911", scope=whole()
)
def submultiplicative() -> Statement:
    return Statement(
        variables={B: Matrices(d, d), C: Matrices(d, d)}, then=norm(B * C) ** 2 <= norm(B) ** 2 * norm(C) ** 2
    )


@chapter.statement(
    "proposition-8.31", "A squared trace is at most d times the squared norm", "Frobenius 1911", scope=whole()
)
def trace_norm() -> Statement:
    return Statement(variables={B: Matrices(d, d)}, then=trace(B) ** 2 <= d * norm(B) ** 2)


@chapter.statement("claim-8.32", "Folklore: factors under a trace may be exchanged", scope=whole())
def exchanged() -> Statement:
    return Statement(variables=dict.fromkeys((B, C, D), Matrices(d, d)), then=Eq(trace(B * C * D), trace(B * D * C)))


@chapter.statement("claim-8.32.corrected", "They may be turned around in a circle", "Sylvester 1883", scope=whole())
def cyclic() -> Statement:
    return Statement(variables=dict.fromkeys((B, C, D), Matrices(d, d)), then=Eq(trace(B * C * D), trace(D * B * C)))


@chapter.statement("claim-8.33", "Folklore: the trace of a product is at most the product of the traces", scope=whole())
def traces() -> Statement:
    return Statement(
        variables={B: SymmetricMatrices(d), C: SymmetricMatrices(d)}, then=trace(B * C) <= trace(B) * trace(C)
    )


@chapter.statement("claim-8.33.corrected", "That holds for semidefinite matrices", "Bellman 1980", scope=whole())
def semidefinite_traces() -> Statement:
    return Statement(
        variables={B: PositiveSemidefinite(d), C: PositiveSemidefinite(d)}, then=trace(B * C) <= trace(B) * trace(C)
    )


@chapter.statement(
    "proposition-8.34",
    "Weyl: the largest eigenvalue of a sum is at most the sum of the largest",
    "Weyl 1912",
    scope=case("the largest eigenvalue, by its form"),
    claims="every eigenvalue",
)
def weyl() -> Statement:
    return Statement(
        variables={
            B: SymmetricMatrices(d, upper=a),
            C: SymmetricMatrices(d, upper=b),
            a: S.Reals,
            b: S.Reals,
            X: Vectors(d),
        },
        then=inner(X, (B + C) * X) <= (a + b) * norm(X) ** 2,
    )


@chapter.statement(
    "lemma-8.35",
    "Gronwall: what grows at most at the rate a stays below exp(a t)",
    "Gronwall 1919",
    scope=case("x' = a x - x^3"),
    claims="every x' <= a x",
)
def gronwall() -> Statement:
    return Statement(
        variables={a: POSITIVE, x0: S.Reals},
        dynamics=Flow((x,), (a * x - x**3,), t),
        start={x: x0},
        then=Always(x**2 <= x0**2 * exp(2 * a * t)),
    )


@chapter.statement(
    "lemma-8.36",
    "A contraction with a constant error stays within error/(1 - rate)",
    "Polyak 1987, section 2.2",
    scope=whole(),
)
def contraction_with_error() -> Statement:
    return Statement(
        variables={r: BELOW_ONE, c: NONNEGATIVE, x0: NONNEGATIVE},
        dynamics=Map((x,), (r * x + c,)),
        start={x: x0},
        then=Always(x <= x0 + c / (1 - r)),
    )
