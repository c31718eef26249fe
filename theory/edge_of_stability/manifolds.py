"""Section 3.6.2: where the gradient is orthogonal to the leading eigenvector of the Hessian.

A point belongs to the manifold when its leading eigenpair (lambda, u) satisfies lambda < 2 / eta and grad L . u = 0.
The eigenpair enters as variables: H u = lambda u, |u| = 1, and lambda is at least half the trace.
"""

from functools import cache

from sympy import And, Eq, Equivalent, Expr, Interval, Ne, Or, Rational, S, Symbol, hessian, oo, prod, sqrt
from sympy.logic.boolalg import Boolean

from theory.dynamics import gradient
from theory.edge_of_stability._paper import paper
from theory.edge_of_stability.bilinear import bilinear
from theory.edge_of_stability.one_dimensional import POSITIVE, eta, mu, x
from theory.statements import Statement

y, lam, u1, u2 = (Symbol(name) for name in ("y", "lambda", "u_1", "u_2"))
loss = bilinear.subs(mu, 1)
EIGENPAIR = {x: POSITIVE, y: POSITIVE, lam: S.Reals, u1: S.Reals, u2: S.Reals}


@cache
def leading() -> tuple[Boolean, ...]:
    """(lambda, u) is a leading eigenpair of the Hessian at (x, y)."""
    H = hessian(loss, (x, y))
    return (
        Eq(H[0, 0] * u1 + H[0, 1] * u2, lam * u1),
        Eq(H[1, 0] * u1 + H[1, 1] * u2, lam * u2),
        Eq(u1**2 + u2**2, 1),
        2 * lam >= H.trace(),
    )


def along_leading() -> Expr:
    """grad L . u."""
    first, second = gradient(loss, (x, y))
    return first * u1 + second * u2


def member(curvature: Expr = lam) -> Boolean:
    """The point lies in the manifold."""
    return And(curvature < 2 / eta, Eq(along_leading(), 0))


@paper.statement("proposition-5", "For eta > 1 the manifold of (x y - 1)^2 / 2 is empty")
def proposition_5() -> Statement:
    return Statement(
        variables={**EIGENPAIR, eta: Interval.open(1, oo)},
        given=leading(),
        then=Or(lam >= 2 / eta, Ne(along_leading(), 0)),
    )


@paper.statement("proposition-5.corrected", "For eta > 1 the manifold contains no minimiser")
def proposition_5_corrected() -> Statement:
    return Statement(
        variables={**EIGENPAIR, eta: Interval.open(1, oo)}, given=(*leading(), Eq(x * y, 1)), then=lam >= 2 / eta
    )


@paper.statement("proposition-5.a", "A part of the diagonal belongs to the manifold for every eta below 2")
def proposition_5_a() -> Statement:
    return Statement(
        variables={**EIGENPAIR, eta: Interval.open(0, 2)},
        given=(*leading(), Eq(x, y), 2 * x**2 < 1),
        then=member(),
        notes="Not a claim of the paper: it is what Propositions 5 and 6 and Definition 4 leave out.",
    )


@paper.statement("proposition-6", "For eta < 1 the manifold is the flat part of the minimum curve")
def proposition_6() -> Statement:
    return Statement(
        variables={**EIGENPAIR, eta: Interval.open(0, 1)},
        given=leading(),
        then=Equivalent(member(), And(Eq(x * y, 1), x + y < sqrt(2 + 2 / eta))),
    )


@paper.statement("proposition-6.corrected", "For eta < 1 its minimisers are the flat part of the minimum curve")
def proposition_6_corrected() -> Statement:
    return Statement(
        variables={**EIGENPAIR, eta: Interval.open(0, 1)},
        given=(*leading(), Eq(x * y, 1)),
        then=Equivalent(member(), x + y < sqrt(2 + 2 / eta)),
    )


def _register_proposition_7(n: int) -> None:
    @paper.statement(
        f"proposition-7.n{n}", f"For eta > 1 no minimiser of (prod x - 1)^2 / {n} lies in the manifold, n = {n}"
    )
    def proposition_7() -> Statement:
        xs = [Symbol(f"x_{i}") for i in range(1, n + 1)]
        H = hessian((prod(xs) - 1) ** 2 / S(n), xs)
        minors = [Eq(H[0, 0] * H[i, i], H[0, i] ** 2) for i in range(1, n)]
        return Statement(
            variables={**dict.fromkeys(xs, POSITIVE), eta: Interval.open(1, oo)},
            given=(Eq(prod(xs), 1),),
            then=And(H.trace() >= 2 / eta, *minors),
            notes="At a minimiser the Hessian has rank one, so that its trace is the leading eigenvalue.",
        )


for _n in (2, 3, 4, 5):
    _register_proposition_7(_n)


@paper.statement("definition-4", "With the second eigenvalue in place of the first the manifold is the minimum curve")
def definition_4() -> Statement:
    second = hessian(loss, (x, y)).trace() - lam
    return Statement(
        variables={**EIGENPAIR, eta: POSITIVE},
        given=leading(),
        then=Equivalent(member(second), Eq(x * y, 1)),
    )


@paper.statement("definition-4.corrected", "For eta below 4 it is the minimum curve and a part of the diagonal")
def definition_4_corrected() -> Statement:
    second = hessian(loss, (x, y)).trace() - lam
    diagonal = And(Eq(x, y), 2 * x**2 <= 1, Eq(u1, -u2))
    return Statement(
        variables={**EIGENPAIR, eta: Interval.open(0, 4)},
        given=leading(),
        then=Equivalent(member(second), Or(Eq(x * y, 1), diagonal)),
    )


@paper.statement("definition-5", "On a parabola the line search stops where the curvature says")
def definition_5() -> Statement:
    curvature, c = Symbol("a"), Symbol("c")
    parabola = curvature * x**2 / 2
    (slope,) = gradient(parabola, (x,))

    def along(step: Expr) -> Expr:
        return parabola.subs(x, x - step * eta * slope)

    return Statement(
        variables={x: S.Reals, curvature: POSITIVE, eta: POSITIVE, c: Interval(0, 1)},
        given=(eta * curvature >= 2,),
        then=And(along(1 / (eta * curvature)) <= along(c), 1 / (eta * curvature) <= Rational(1, 2)),
        notes="Beyond the edge of stability the line-search minimum is at most half a step away.",
    )
