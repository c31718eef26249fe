"""Chapter 7: rules for matrices: Oja, power iteration, Newton-Schulz and Muon, scale invariance."""

from typing import Any

from sympy import And, Eq, Expr, Interval, Max, Min, Rational, S, Sum, sqrt, symbols
from sympy.logic.boolalg import Boolean

from theory.classics._paper import paper
from theory.classics._words import HALF, POSITIVE, UNIT, A, X, Y, a, b, c, d, eta, m, n, p, q, s, u, u0, v, v0, x, x0
from theory.dynamics import Flow, Map, gradient_descent, gradient_flow, matrix
from theory.language.families import family
from theory.language.spaces import (
    Matrices,
    OrthogonalMatrices,
    SymmetricMatrices,
    Vectors,
    identity,
    inner,
    norm,
    trace,
)
from theory.optimisers import newton_schulz_scalar
from theory.rules import CUBIC, QUINTIC
from theory.scope import case, whole
from theory.statements import Statement
from theory.temporal import After, Always, ConvergesTo, ForEach

chapter = paper.section(
    steps=whole(),
    title="7 Matrix rules",
    text=r"""A Newton-Schulz step acts on every singular value by one odd polynomial: $\frac{3}{2} s - \frac{1}{2}
s^3$ converges to one, the quintic of Muon, $3.4445 s - 4.775 s^3 + 2.0315 s^5$, climbs faster from small values and
ends in a band around one. Oja's rule is a flow on the sphere, power iteration its discrete cousin, and a scale
invariant loss turns every step of gradient descent outwards.

Sharp here: the residual $\frac{3}{4} E^2 + \frac{1}{4} E^3$ after one cubic step, with $E = I - X X^\top$, for every
size; the band that the quintic keeps; $(I - A X)^2$ after one step of Newton's iteration for the inverse.

Folklore says that five steps of Muon give singular values one, that normalised weights keep their length under
gradient descent, and that matrices may be multiplied in any order.""",
)

B, Q, R, P = (matrix(name, d, d) for name in "BQRP")
W = matrix("W", m, n)
cubic, quintic = (newton_schulz_scalar(s, coefficients) for coefficients in (CUBIC, QUINTIC))
s0 = symbols("s_0")
BAND = Interval(Rational(67, 100), Rational(115, 100))
"""The least value of the quintic near one is 0.6818, and five steps reach 1.1344."""


def iterated(W_: Expr) -> Expr:
    """One cubic Newton-Schulz step of a matrix of every size."""
    return Rational(3, 2) * W_ - HALF * W_ * W_.T * W_


def singular(rule: Map, start: Any, then: Boolean) -> Statement:
    """A claim about one singular value under an iteration."""
    return Statement(variables={s0: start}, dynamics=rule, start={s: s0}, then=then)


SCHULZ = "Schulz 1933; Bjoerck and Bowie 1971; Higham 2008, Functions of Matrices, chapter 8"
MUON = "Jordan et al. 2024, Muon"


@chapter.statement(
    "proposition-7.1", "The cubic iteration leads singular values up to one to one", SCHULZ, scope=whole()
)
def cubic_converges() -> Statement:
    return singular(cubic, Interval.Lopen(0, 1), ConvergesTo(s, 1))


@chapter.statement(
    "proposition-7.2",
    "Orthogonal matrices are fixed points of the cubic iteration, for every size",
    SCHULZ,
    scope=whole(),
)
def cubic_fixed() -> Statement:
    return Statement(variables={Q: OrthogonalMatrices(d)}, then=Eq(iterated(Q), Q, evaluate=False))


@chapter.statement(
    "theorem-7.3", "One cubic step turns the residual E into 3/4 E^2 + 1/4 E^3, for every size", SCHULZ, scope=whole()
)
def cubic_residual() -> Statement:
    later = iterated(B)
    residual = identity(d) - B * B.T
    return Statement(
        variables={B: Matrices(d, d)},
        then=Eq(identity(d) - later * later.T, Rational(3, 4) * residual**2 + Rational(1, 4) * residual**3),
    )


@chapter.statement(
    "proposition-7.4", "The cubic iteration turns with its matrix: singular vectors are kept", SCHULZ, scope=whole()
)
def equivariant() -> Statement:
    return Statement(
        variables={Q: OrthogonalMatrices(d), R: OrthogonalMatrices(d), B: Matrices(d, d)},
        then=Eq(iterated(Q * B * R), Q * iterated(B) * R),
    )


@chapter.statement("claim-7.5", "Folklore: five steps of Muon's quintic give singular values one", scope=whole())
def quintic_is_one() -> Statement:
    return _five(And(s >= Rational(9, 10), s <= Rational(11, 10)))


@chapter.statement(
    "claim-7.5.corrected",
    "Five steps lead singular values from 1/10 on into the band from 0.67 to 1.15",
    MUON,
    scope=case("singular values from 1/10 to 1"),
)
def quintic_band() -> Statement:
    return _five(And(s >= BAND.start, s <= BAND.end))


def _five(then: Boolean) -> Statement:
    return singular(quintic, Interval(Rational(1, 10), 1), After(5, then))


@chapter.statement("proposition-7.6", "One quintic step keeps the band from 0.67 to 1.15", MUON, scope=whole())
def quintic_keeps() -> Statement:
    later = quintic.update[0]
    return Statement(variables={s: BAND}, then=And(later >= BAND.start, later <= BAND.end))


@chapter.statement(
    "proposition-7.7", "One quintic step at least triples singular values below 1/10", MUON, scope=whole()
)
def quintic_grows() -> Statement:
    return Statement(variables={s: Interval.open(0, Rational(1, 10))}, then=quintic.update[0] > 3 * s)


@chapter.statement("claim-7.8", "Folklore: one is a fixed point of Muon's quintic", scope=whole())
def quintic_fixes_one() -> Statement:
    return Statement(variables={c: POSITIVE}, then=Eq(c * quintic.update[0].subs(s, 1), c, evaluate=False))


@chapter.statement("claim-7.8.corrected", "It leads one to 0.701", MUON, scope=whole())
def quintic_at_one() -> Statement:
    return Statement(
        variables={c: POSITIVE}, then=Eq(c * quintic.update[0].subs(s, 1), Rational(701, 1000) * c, evaluate=False)
    )


@chapter.statement(
    "theorem-7.9",
    "Newton's iteration for the inverse squares the residual, for every size",
    "Schulz 1933; Hotelling 1943",
    scope=whole(),
)
def inverse_residual() -> Statement:
    guess = matrix("X", d, d)
    later = guess * (2 * identity(d) - B * guess)
    return Statement(
        variables={B: Matrices(d, d), guess: Matrices(d, d)},
        then=Eq(identity(d) - B * later, (identity(d) - B * guess) * (identity(d) - B * guess)),
    )


@chapter.statement(
    "proposition-7.10",
    "Oja's rule moves the squared norm at 2 <x, A x> (1 - |x|^2), in every dimension",
    "Oja 1982",
    scope=whole(),
)
def oja_norm() -> Statement:
    return Statement(
        variables={X: Vectors(), Y: Vectors(), c: S.Reals},
        given=(Eq(inner(X, Y), c),),
        then=Eq(2 * inner(X, Y - c * X), 2 * c * (1 - norm(X) ** 2), evaluate=False),
        notes="Y is A x, and c the form <x, A x>.",
    )


@chapter.statement(
    "proposition-7.11",
    "Oja's rule on the line reaches the unit sphere",
    "Oja 1982",
    scope=case("d = 1"),
    claims="every dimension",
)
def oja_line() -> Statement:
    return Statement(
        variables={a: POSITIVE, x0: POSITIVE},
        dynamics=Flow((x,), (a * x - a * x**2 * x,)),
        start={x: x0},
        then=ConvergesTo(x, 1),
    )


@chapter.statement(
    "proposition-7.12",
    "Along Oja's rule the ratio of two eigendirections moves at the gap: (y/x)' = (b - a) y/x, in every dimension",
    "Oja 1982",
    scope=whole(),
)
def oja_gap() -> Statement:
    part, value = family("x", n), family("a", n)
    i, j, k = symbols("i j k")
    form = Sum(value[k] * part[k] ** 2, (k, 1, n))

    def speed(of: Expr) -> Expr:
        return value[of] * part[of] - form * part[of]

    change = (speed(j) * part[i] - part[j] * speed(i)) / part[i] ** 2
    gap = (value[j] - value[i]) * part[j] / part[i]
    return Statement(
        variables={part: POSITIVE, value: S.Reals},
        then=ForEach(i, n, ForEach(j, n, Eq(change, gap, evaluate=False))),
        notes="x[i] are the coordinates along the eigenvectors, a[i] their eigenvalues.",
    )


@chapter.statement(
    "proposition-7.13",
    "Power iteration: the smaller eigendirection dies out relative to the larger",
    "von Mises and Pollaczek-Geiringer 1929",
    scope=case("d = 2, by the ratio of both"),
    claims="every dimension",
)
def power_iteration() -> Statement:
    return Statement(
        variables={q: UNIT, x0: S.Reals},
        dynamics=Map((x,), (q * x,)),
        start={x: x0},
        then=ConvergesTo(x, 0),
        notes="x is the ratio of both components, q that of the eigenvalues.",
    )


@chapter.statement(
    "proposition-7.14",
    "The scalar Riccati equation p' = a - b p^2 reaches sqrt(a/b) from every start that is not negative",
    "Riccati 1724; Kalman 1960",
    scope=whole(),
)
def riccati() -> Statement:
    p0 = symbols("p_0")
    return Statement(
        variables={a: POSITIVE, b: POSITIVE, p0: Interval(0, S.Infinity)},
        dynamics=Flow((p,), (a - b * p**2,)),
        start={p: p0},
        then=ConvergesTo(p, sqrt(a / b)),
    )


@chapter.statement(
    "proposition-7.15", "A flow W' = W (S - S^T) keeps W W^T, for every size", "Brockett 1991", scope=whole()
)
def orthogonal_flow() -> Statement:
    start, turn = matrix("W_0", m, n), matrix("S", n, n)
    return Statement(
        variables={start: Matrices(m, n), turn: Matrices(n, n)},
        dynamics=Flow((W,), (W * (turn - turn.T),)),
        start={W: start},
        then=Always(Eq(W * W.T, start * start.T)),
    )


@chapter.statement(
    "lemma-7.16", "Orthogonal factors keep the Frobenius norm, for every size", "Frobenius 1911", scope=whole()
)
def orthogonal_norm() -> Statement:
    return Statement(variables={Q: OrthogonalMatrices(d), B: Matrices(d, d)}, then=Eq(norm(Q * B) ** 2, norm(B) ** 2))


@chapter.statement(
    "theorem-7.17",
    "No rotation beats the orthogonal factor: tr(P) - tr(Q P) is half a squared norm",
    "von Neumann 1937; Fan and Hoffman 1955",
    scope=whole(),
)
def best_orthogonal() -> Statement:
    return Statement(
        variables={Q: OrthogonalMatrices(d), B: Matrices(d, d)},
        then=Eq(trace(B.T * B) - trace(Q * B.T * B), norm(B - B * Q) ** 2 / 2),
        notes="Every semidefinite matrix P is B^T B; so tr(Q P) is at most tr(P).",
    )


@chapter.statement(
    "lemma-7.18",
    "A gradient across the weights makes a step longer: |x - eta g|^2 = |x|^2 + eta^2 |g|^2",
    "van Laarhoven 2017; Arora, Li and Lyu 2019",
    scope=whole(),
)
def outward_step() -> Statement:
    return Statement(
        variables={X: Vectors(), Y: Vectors(), eta: POSITIVE},
        given=(Eq(inner(X, Y), 0),),
        then=Eq(norm(X - eta * Y) ** 2, norm(X) ** 2 + eta**2 * norm(Y) ** 2),
    )


invariant = v**2 / (u**2 + v**2)


@chapter.statement(
    "lemma-7.19",
    "A scale invariant loss has no slope along its weights",
    "Euler 1755; van Laarhoven 2017",
    scope=case("v^2/(u^2 + v^2)"),
    claims="every scale invariant loss",
)
def no_radial_slope() -> Statement:
    radial = u * invariant.diff(u) + v * invariant.diff(v)
    return Statement(variables={u: POSITIVE, v: S.Reals}, then=Eq(radial, 0, evaluate=False))


@chapter.statement(
    "claim-7.20", "Folklore: with a scale invariant loss the norm of the weights stays constant", scope=whole()
)
def norm_constant() -> Statement:
    return Statement(
        variables={eta: POSITIVE, u0: POSITIVE, v0: POSITIVE},
        dynamics=gradient_descent(invariant, (u, v), eta),
        start={u: u0, v: v0},
        then=Always(Eq(u**2 + v**2, u0**2 + v0**2)),
    )


@chapter.statement(
    "claim-7.20.corrected",
    "It does along gradient flow: (u^2 + v^2)' = 0",
    "van Laarhoven 2017",
    scope=case("v^2/(u^2 + v^2)"),
)
def norm_constant_flow() -> Statement:
    speed = gradient_flow(invariant, (u, v)).velocity
    return Statement(
        variables={u: POSITIVE, v: S.Reals}, then=Eq(2 * u * speed[0] + 2 * v * speed[1], 0, evaluate=False)
    )


@chapter.statement(
    "proposition-7.21",
    "Under gradient descent on a scale invariant loss the norm never shrinks in a step, in every dimension",
    "Arora, Li and Lyu 2019",
    scope=whole(),
)
def norm_grows() -> Statement:
    return Statement(
        variables={X: Vectors(), Y: Vectors(), eta: POSITIVE},
        given=(Eq(inner(X, Y), 0),),
        then=norm(X - eta * Y) >= norm(X),
        notes="Y is the gradient, which a scale invariant loss has across the weights.",
    )


@chapter.statement(
    "proposition-7.22",
    "Clipping every entry to a threshold does not expand distances, in every dimension",
    "Moreau 1965",
    scope=whole(),
)
def clipping() -> Statement:
    first, second, k = family("x", n), family("y", n), symbols("k")

    def clipped(of: Expr) -> Expr:
        return Max(-c, Min(c, of[k]))

    return Statement(
        variables={first: S.Reals, second: S.Reals, c: POSITIVE},
        then=Sum((clipped(first) - clipped(second)) ** 2, (k, 1, n)) <= Sum((first[k] - second[k]) ** 2, (k, 1, n)),
    )


@chapter.statement(
    "claim-7.23", "Folklore: the gradient of tr(A B) may be written in any order: A B = B A", scope=whole()
)
def commuting() -> Statement:
    return Statement(variables={A: SymmetricMatrices(d), B: SymmetricMatrices(d)}, then=Eq(A * B, B * A))


@chapter.statement(
    "claim-7.23.corrected",
    "Symmetric factors turn around under transposition: (A B)^T = B A",
    "Cayley 1858",
    scope=whole(),
)
def transposed() -> Statement:
    return Statement(variables={A: SymmetricMatrices(d), B: SymmetricMatrices(d)}, then=Eq((A * B).T, B * A))
