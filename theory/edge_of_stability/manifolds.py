"""Section 3.6.2: where the gradient is orthogonal to the leading eigenvector of the Hessian.

A point belongs to the manifold when its leading eigenpair (lambda, u) satisfies lambda < 2 / eta and grad L . u = 0.
The eigenpair enters as variables: H u = lambda u, u != 0, and lambda is at least half the trace. Where only the
eigenvalue matters it is a root of the characteristic polynomial; and in the plane the gradient is orthogonal to a
leading eigenvector exactly when it vanishes or is itself an eigenvector for the smaller eigenvalue, which is proved
where it is used.
"""

from functools import cache

from sympy import (
    And,
    Eq,
    Equivalent,
    Expr,
    Interval,
    Matrix,
    Ne,
    Or,
    Rational,
    S,
    Symbol,
    exp,
    factor,
    hessian,
    oo,
    prod,
    sqrt,
)
from sympy.logic.boolalg import Boolean

from theory.domains import POSITIVE
from theory.dynamics import gradient
from theory.edge_of_stability._paper import paper
from theory.edge_of_stability.bilinear import bilinear
from theory.edge_of_stability.one_dimensional import eta, mu, x
from theory.language.families import Sum, family
from theory.scope import case, own, part, whole
from theory.statements import Statement
from theory.temporal import ForEach

section = paper.section(steps=own("a part of our proof of the corrected claim"))

y, lam, u1, u2 = (Symbol(name) for name in ("y", "lambda", "u_1", "u_2"))
loss = bilinear.subs(mu, 1)
i, k, n = (Symbol(name) for name in ("i", "k", "n"))
logs = family("y", n)
EIGENPAIR = {x: POSITIVE, y: POSITIVE, lam: S.Reals, u1: S.Reals, u2: S.Reals}


@cache
def leading() -> tuple[Boolean, ...]:
    """(lambda, u) is a leading eigenpair of the Hessian at (x, y)."""
    H = hessian(loss, (x, y))
    return (
        Eq(H[0, 0] * u1 + H[0, 1] * u2, lam * u1),
        Eq(H[1, 0] * u1 + H[1, 1] * u2, lam * u2),
        u1**2 + u2**2 > 0,
        2 * lam >= H.trace(),
    )


def leading_value() -> tuple[Boolean, ...]:
    """lambda is the leading eigenvalue of the Hessian at (x, y)."""
    H = hessian(loss, (x, y))
    return (Eq((H - lam * Matrix.eye(2)).det(), 0), 2 * lam >= H.trace())


def orthogonal() -> Boolean:
    """The gradient is orthogonal to a leading eigenvector: it is an eigenvector for the smaller eigenvalue, or 0."""
    H, g = hessian(loss, (x, y)), Matrix(gradient(loss, (x, y)))
    bent = H * g
    across, along = bent[0] * g[1] - bent[1] * g[0], 2 * bent.dot(g) - H.trace() * g.dot(g)
    return And(Eq(factor(across), 0), factor(along) <= 0)


def smaller_below(bound: Expr) -> Boolean:
    """The smaller eigenvalue of the Hessian is below a bound."""
    H = hessian(loss, (x, y))
    return Or(H.trace() < 2 * bound, (H - bound * Matrix.eye(2)).det() < 0)


def along_leading() -> Expr:
    """grad L . u."""
    first, second = gradient(loss, (x, y))
    return first * u1 + second * u2


def member(curvature: Expr = lam) -> Boolean:
    """The point lies in the manifold."""
    return And(curvature < 2 / eta, Eq(along_leading(), 0))


@paper.statement("proposition-5", "For eta > 1 the manifold of (x y - 1)^2 / 2 is empty", scope=whole())
def proposition_5() -> Statement:
    return Statement(
        variables={**EIGENPAIR, eta: Interval.open(1, oo)},
        given=leading(),
        then=Or(lam >= 2 / eta, Ne(along_leading(), 0)),
    )


@paper.statement("proposition-5.corrected", "For eta > 1 the manifold contains no minimiser")
def proposition_5_corrected() -> Statement:
    return Statement(
        variables={x: POSITIVE, y: POSITIVE, lam: S.Reals, eta: Interval.open(1, oo)},
        given=(*leading_value(), Eq(x * y, 1)),
        then=eta * lam >= 2,
    )


@paper.statement(
    "proposition-5.a",
    "A part of the diagonal belongs to the manifold for every eta below 2",
    scope=own("what the propositions leave out"),
)
def proposition_5_a() -> Statement:
    return Statement(
        variables={**EIGENPAIR, eta: Interval.open(0, 2)},
        given=(*leading(), Eq(x, y), 2 * x**2 < 1),
        then=member(),
        notes="Not a claim of the paper: it is what Propositions 5 and 6 and Definition 4 leave out.",
    )


FLAT = eta * (x + y) ** 2 < 2 * eta + 2
"""x + y < sqrt(2 + 2 / eta) for positive x and y."""


@paper.statement("proposition-6", "For eta < 1 the manifold is the flat part of the minimum curve", scope=whole())
def proposition_6() -> Statement:
    flat = And(Eq(x * y, 1), x + y < sqrt(2 + 2 / eta))
    return Statement(
        variables={**EIGENPAIR, eta: Interval.open(0, 1)}, given=leading(), then=Equivalent(member(), flat)
    )


@paper.statement("proposition-6.corrected", "For eta < 1 its minimisers are the flat part of the minimum curve")
def proposition_6_corrected() -> Statement:
    return Statement(
        variables={x: POSITIVE, lam: S.Reals, eta: Interval.open(0, 1)},
        given=tuple(part.subs(y, 1 / x) for part in leading_value()),
        then=Equivalent(eta * lam < 2, FLAT.subs(y, 1 / x)),
        notes="Where x y = 1 the gradient vanishes, so that every direction is orthogonal to it.",
    )


def _register_proposition_7(n: int) -> None:
    xs = [Symbol(f"x_{i}") for i in range(1, n + 1)]
    places = {**dict.fromkeys(xs, POSITIVE)}

    @cache
    def H() -> Matrix:
        return hessian((prod(xs) - 1) ** 2 / S(n), xs)

    @paper.statement(
        f"proposition-7.n{n}",
        f"For eta > 1 no minimiser of (prod x - 1)^2 / {n} lies in the manifold, n = {n}",
        scope=case(f"n = {n}, with the trace for the leading eigenvalue"),
    )
    def proposition_7() -> Statement:
        logs = [Symbol(f"y_{i}") for i in range(1, n + 1)]
        return Statement(
            variables={**dict.fromkeys(logs, S.Reals), eta: Interval.open(1, oo)},
            given=(Eq(sum(logs, S.Zero), 0),),
            then=2 * sum((exp(y) for y in logs), S.Zero) / n >= 2 / eta,
            notes="A minimiser has positive x_i = exp(-y_i / 2) with the product 1. There the Hessian has rank one"
            " (#rank), so that its trace, the left side (#trace), is the leading eigenvalue.",
        )

    @section.step(f"proposition-7.n{n}", "trace", "The trace of the Hessian at a minimiser", scope=case(f"n = {n}"))
    def trace() -> Statement:
        stated = 2 * sum((1 / x**2 for x in xs), S.Zero) / n
        return Statement(variables=places, given=(Eq(prod(xs), 1),), then=Eq(H().trace(), stated, evaluate=False))

    @section.step(
        f"proposition-7.n{n}",
        "rank",
        "The Hessian has rank one at a minimiser",
        scope=part(f"the minors with the first row, n = {n}"),
    )
    def rank() -> Statement:
        minors = [Eq(H()[0, 0] * H()[i, i], H()[0, i] ** 2, evaluate=False) for i in range(1, n)]
        return Statement(variables=places, given=(Eq(prod(xs), 1),), then=And(*minors))


@paper.statement(
    "proposition-7",
    "For eta > 1 no minimiser of (prod x_i - 1)^2 / n with positive x_1 to x_n lies in the manifold, for every n",
    scope=whole(),
)
def proposition_7_every_n() -> Statement:
    x_i, x_k = exp(-logs[i] / 2), exp(-logs[k] / 2)
    leading_value = 2 * Sum(x_k**-2, (k, 1, n)) / n
    turned = Sum(2 / (n * x_i * x_k) / x_k, (k, 1, n))
    return Statement(
        variables={logs: S.Reals, eta: Interval.open(1, oo)},
        given=(Eq(Sum(logs[k], (k, 1, n)), 0),),
        then=And(ForEach(i, n, Eq(turned, leading_value / x_i, evaluate=False)), leading_value >= 2 / eta),
        notes="x_i = exp(-y_i / 2) are all positive numbers whose product is 1, the minimisers. The Hessian has the"
        " entries 2 / (n x_i x_j) there (#rank); u_i = 1 / x_i is an eigenvector, and its eigenvalue, hence the leading"
        " one, is at least 2 / eta, where the manifold wants one below.",
    )


@paper.statement(
    "proposition-7.trace",
    "For eta > 1 the trace of the Hessian at a minimiser is at least 2 / eta, for every n",
    scope=part("for every n, with the trace for the leading eigenvalue"),
)
def proposition_7_trace() -> Statement:
    return Statement(
        variables={logs: S.Reals, eta: Interval.open(1, oo)},
        given=(Eq(Sum(logs[k], (k, 1, n)), 0),),
        then=2 * Sum(exp(logs[k]), (k, 1, n)) / n >= 2 / eta,
        notes="x_i = exp(-y_i / 2): the trace of the Hessian at a minimiser is 2 / n times the sum of the 1 / x_i^2.",
    )


for _n in (2, 3, 4, 5):
    _register_proposition_7(_n)


@paper.statement(
    "definition-4",
    "With the second eigenvalue in place of the first the manifold is the minimum curve",
    scope=part("the example L = (x y - 1)^2 / 2, for positive x and y"),
    claims="M_c is defined for every loss; for (x y - 1)^2 / 2 it is the curve x y = 1",
)
def definition_4() -> Statement:
    second = hessian(loss, (x, y)).trace() - lam
    return Statement(
        variables={**EIGENPAIR, eta: POSITIVE},
        given=leading(),
        then=Equivalent(member(second), Eq(x * y, 1)),
    )


def _curve() -> Boolean:
    """The minimum curve and a part of the diagonal."""
    return Or(Eq(x * y, 1), And(Eq(x, y), 2 * x**2 <= 1))


@paper.statement("definition-4.corrected", "For eta below 4 it is the minimum curve and a part of the diagonal")
def definition_4_corrected() -> Statement:
    return Statement(
        variables={x: POSITIVE, y: POSITIVE, eta: Interval.open(0, 4)},
        then=Equivalent(And(smaller_below(2 / eta), orthogonal()), _curve()),
        uses=("curve", "diagonal", "below"),
        notes="lambda_2 < 2 / eta and grad L . u = 0 without the eigenpair, as the two steps say; where the eigenvalue"
        " is double (x = y = 1 / sqrt(2)) some leading eigenvector is meant.",
    )


@section.step("definition-4.corrected", "curve", "Where the gradient is an eigenvector of the Hessian")
def step_curve() -> Statement:
    is_eigenvector, _ = orthogonal().args
    return Statement(variables={x: POSITIVE, y: POSITIVE}, then=Equivalent(is_eigenvector, Or(Eq(x * y, 1), Eq(x, y))))


@section.step("definition-4.corrected", "diagonal", "Where that eigenvector belongs to the smaller eigenvalue, or is 0")
def step_diagonal() -> Statement:
    _, belongs = orthogonal().args
    return Statement(
        variables={x: POSITIVE, y: POSITIVE},
        given=(Or(Eq(x * y, 1), Eq(x, y)),),
        then=Equivalent(belongs, _curve()),
    )


@section.step("definition-4.corrected", "below", "There the smaller eigenvalue is below 2 / eta")
def step_below() -> Statement:
    return Statement(
        variables={x: POSITIVE, y: POSITIVE, eta: Interval.open(0, 4)}, given=(_curve(),), then=smaller_below(2 / eta)
    )


@section.step(
    "definition-4.corrected", "smaller", "How trace and determinant say that the smaller eigenvalue is below b"
)
def step_smaller() -> Statement:
    small, b = Symbol("nu"), Symbol("b")
    below = Or(lam + small < 2 * b, (lam - b) * (small - b) < 0)
    return Statement(
        variables=dict.fromkeys((lam, small, b), S.Reals), given=(lam >= small,), then=Equivalent(small < b, below)
    )


@section.step("definition-4.corrected", "orthogonal", "How H g says that g is orthogonal to the leading eigenvector")
def step_orthogonal() -> Statement:
    small, g1, g2 = Symbol("nu"), Symbol("g_1"), Symbol("g_2")
    parallel = Eq(lam * g1 * g2 - small * g2 * g1, 0)
    bent = 2 * (lam * g1**2 + small * g2**2) <= (lam + small) * (g1**2 + g2**2)
    return Statement(
        variables=dict.fromkeys((lam, small, g1, g2), S.Reals),
        given=(lam > small,),
        then=Equivalent(Eq(g1, 0), And(parallel, bent)),
        notes="In the basis of the eigenvectors H is diag(lambda, nu); H g x g, H g . g, trace and |g|^2 do not depend"
        " on the basis.",
    )


paper.unstated(
    "equation-3.10",
    "A sum of functions of orthogonal directions, each of which allows stable oscillation, oscillates in all of them",
    missing="functions of a class, and vectors of every size",
    equations=("3.10",),
)
paper.unstated(
    "equation-3.12",
    "The sum of (3.10) with coupled pairs of directions: the more pairs, the fewer eigenvalues may pass 2/eta",
    missing="functions of a class, and vectors of every size",
    equations=("3.12",),
)
paper.unstated(
    "definition-5",
    "The line-search minimum of a point is the lowest point of one step of descent from it",
    missing="the minimiser of a function on an interval",
    equations=("3.18", "3.19"),
)


@paper.statement(
    "definition-5.parabola",
    "On a parabola the line search stops where the curvature says",
    scope=own("a consequence on parabolas; the print only defines"),
)
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
