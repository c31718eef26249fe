"""Section 3.6.1 and Appendix B.10.1: matrix factorisation at its minima.

Singular vectors only rotate the factors, so the matrices are written in the bases in which the leading singular
vectors are coordinate vectors; two dimensions hold the leading direction and one other.
"""

from functools import cache

from sympy import And, Eq, Expr, Interval, Matrix, Rational, S, Symbol, oo, sqrt

from theory.domains import POSITIVE
from theory.dynamics import Map, gradient, gradient_descent, matrix
from theory.edge_of_stability._display import display
from theory.edge_of_stability._paper import paper
from theory.edge_of_stability.one_dimensional import mu
from theory.edge_of_stability.quartic import BOUND, K, d, image, on_cycle, printed_rate
from theory.scope import case, part, whole
from theory.statements import Statement

section = paper.section(steps=case("2 x 2 matrices"))

eta, alpha, t = (Symbol(name) for name in ("eta", "alpha", "t"))
s1, s2, rho = Symbol("sigma_1"), Symbol("sigma_2"), Symbol("rho")
NONNEGATIVE = Interval(0, oo)


def square_norm(value: Matrix) -> Expr:
    """The squared Frobenius norm."""
    return sum((entry**2 for entry in value), S.Zero)


def plain(name: str) -> Matrix:
    """A 2 x 2 matrix of symbols without assumptions."""
    return matrix(name, 2, 2).applyfunc(lambda entry: Symbol(entry.name))


def entries(*matrices: Matrix) -> dict[Symbol, S]:
    """The domains of symbolic matrices: all real numbers."""
    return {entry: S.Reals for one in matrices for entry in one}


Y, Z = plain("Y"), plain("Z")
TARGET = Matrix.diag(s1**2, s2**2)
factor_loss = square_norm(Y * Z.T - TARGET) / 2
"""(3.7) for a target with eigenvalues sigma_1^2 and sigma_2^2."""


@cache
def descent() -> Map:
    """Y - eta M Z and Z - eta M^T Y with M = Y Z^T - C."""
    return gradient_descent(factor_loss, (Y, Z), eta)


def at(left: Matrix, right: Matrix) -> dict[Symbol, Expr]:
    """The substitution that puts the two factors at given matrices."""
    return dict(zip((*Y, *Z), (*left, *right), strict=True))


# Definitions and remarks --------------------------------------------------------------------------------------------


EVERY_SIZE = "matrices of every size"

paper.unstated(
    "definition-3",
    "Quasi-symmetric factorisation starts near the minimum (alpha X_0, X_0 / alpha) of the target X_0 X_0^T, d x d",
    missing=EVERY_SIZE,
)
paper.unstated(
    "remark-3",
    "The sharpness of a minimum X Y^T = C is sigma_max(X)^2 + sigma_max(Y)^2, of the flattest one 2 sigma_1^2, d x d",
    missing=EVERY_SIZE,
)
paper.unstated(
    "remark-4",
    "From near the rescaled diagonal minimum only the leading entries move, to rho_i, up to O(epsilon), d x d",
    missing=f"{EVERY_SIZE}, and O(epsilon) along a trajectory",
)


@paper.statement(
    "definition-3.d-2",
    "The rescaled factors are a minimum of the quasi-symmetric problem",
    scope=part("that the rescaled factors are stationary, for 2 x 2 matrices"),
)
def definition_3() -> Statement:
    X = plain("X")
    loss = square_norm(Y * Z.T - X * X.T) / 2
    slopes = [slope.subs(at(alpha * X, X / alpha), simultaneous=True) for slope in gradient(loss, (Y, Z))]
    return display({**entries(X), alpha: POSITIVE}, {f"slope {i}": (slope, S.Zero) for i, slope in enumerate(slopes)})


@paper.statement(
    "remark-3.d-2",
    "The sharpness of a minimum is the sum of the squared top singular values",
    scope=part("the bound on the curvature, block by block, for 2 x 2 matrices"),
)
def remark_3() -> Statement:
    a1, a2, b1, b2 = (Symbol(name) for name in ("a_1", "a_2", "b_1", "b_2"))
    P, Q = plain("P"), plain("Q")
    blocks = [
        (p * b + a * q) ** 2 <= (a1**2 + b1**2) * (p**2 + q**2)
        for i, a in enumerate((a1, a2))
        for j, b in enumerate((b1, b2))
        for p, q in ((P[i, j], Q[j, i]),)
    ]
    return Statement(
        variables={**dict.fromkeys((a1, a2, b1, b2), NONNEGATIVE), **entries(P, Q)},
        given=(a1 >= a2, b1 >= b2),
        then=And(*blocks),
        notes="Left and right singular bases of either factor can be rotated away without changing norms. The curvature"
        " in the direction (P, Q) is the sum of the left sides (#blocks), so that the sharpness is the largest quotient"
        " of the two sides without the factor; P_11 = b_1, Q_11 = a_1 attains it (#top).",
    )


def _curvature() -> Expr:
    """The second derivative of the loss at a minimum with singular values a and b, in the direction (P, Q)."""
    P, Q = plain("P"), plain("Q")
    left, right = (Matrix.diag(Symbol(f"{name}_1"), Symbol(f"{name}_2")) for name in "ab")
    moved = square_norm((left + t * P) * (right + t * Q).T - left * right) / 2
    return moved.diff(t, 2).subs(t, 0)


@section.step(
    "remark-3.d-2",
    "blocks",
    "The curvature in a direction is a sum over pairs of singular vectors",
    scope=case("2 x 2 matrices"),
)
def remark_3_blocks() -> Statement:
    a, b = ([Symbol(f"{name}_{place}") for place in (1, 2)] for name in "ab")
    P, Q = plain("P"), plain("Q")
    terms = [(P[i, j] * b[j] + a[i] * Q[j, i]) ** 2 for i in range(2) for j in range(2)]
    variables = {**dict.fromkeys((*a, *b), NONNEGATIVE), **entries(P, Q)}
    return display(variables, {"curvature": (_curvature().expand(), sum(terms, S.Zero))})


@section.step(
    "remark-3.d-2", "top", "The direction of the top singular vectors attains it", scope=case("2 x 2 matrices")
)
def remark_3_top() -> Statement:
    a1, b1 = Symbol("a_1"), Symbol("b_1")
    P, Q = plain("P"), plain("Q")
    top = dict.fromkeys((*P, *Q), S.Zero) | {P[0, 0]: b1, Q[0, 0]: a1}
    derived = _curvature().expand().subs(top, simultaneous=True)
    return display({a1: NONNEGATIVE, b1: NONNEGATIVE}, {"curvature": (derived, (a1**2 + b1**2) * (a1**2 + b1**2))})


@paper.statement(
    "remark-3.a",
    "The flattest minimum has sharpness 2 sigma_1^2",
    scope=part("the last inequality, from sigma_1^2 <= sigma_max(X) sigma_max(Y)"),
)
def remark_3_a() -> Statement:
    a1, b1 = Symbol("a_1"), Symbol("b_1")
    return Statement(
        variables={a1: NONNEGATIVE, b1: NONNEGATIVE, s1: POSITIVE},
        given=(s1**2 <= a1 * b1,),
        then=And(a1 * b1 <= (a1**2 + b1**2) / 2, a1**2 + b1**2 >= 2 * s1**2),
    )


@paper.statement(
    "remark-4.d-2",
    "The starting point of the intuitive dynamics is a minimum",
    scope=part("that the printed start is stationary, for 2 x 2 matrices"),
)
def remark_4() -> Statement:
    return _starts_at_minimum(Matrix.diag(alpha * s1, s2 / alpha))


@paper.statement("remark-4.d-2.corrected", "It is, with sigma_1 / alpha in the second factor")
def remark_4_corrected() -> Statement:
    return _starts_at_minimum(Matrix.diag(s1 / alpha, s2 / alpha))


def _starts_at_minimum(right: Matrix) -> Statement:
    left = Matrix.diag(alpha * s1, alpha * s2)
    slopes = [slope.subs(at(left, right), simultaneous=True) for slope in gradient(factor_loss, (Y, Z))]
    return display(
        {s1: POSITIVE, s2: POSITIVE, alpha: POSITIVE},
        {f"slope {i}": (slope, S.Zero) for i, slope in enumerate(slopes)},
    )


@paper.statement(
    "equation-3.11",
    "Symmetric factorisation of the identity is separable up to one cross term",
    equations=("3.11",),
    scope=whole(),
)
def equation_3_11() -> Statement:
    X = plain("X")
    first, second = X.row(0), X.row(1)
    loss = square_norm(X * X.T - Matrix.eye(2)) / 4
    cross = (first * second.T)[0]
    printed = ((square_norm(first) - 1) ** 2 + (square_norm(second) - 1) ** 2 + 2 * cross**2) / 4
    return display(entries(X), {"L": (loss, printed)})


# Theorem B.3 --------------------------------------------------------------------------------------------------------

sx, sy, tx, ty, c, s = (Symbol(name) for name in ("sigma_x", "sigma_y", "tau_x", "tau_y", "c", "s"))
SINGULAR = {sx: POSITIVE, sy: POSITIVE, tx: NONNEGATIVE, ty: NONNEGATIVE, c: S.Reals, s: S.Reals}
SIMPLE = (tx < sx, ty < sy, Eq(c**2 + s**2, 1), c**2 > 0)
"""Both top singular values are simple, and the inner singular vectors v_x, u_y have the cosine c != 0."""


def minimum() -> tuple[Matrix, Matrix]:
    """X and Y of B.10.1: X is diagonal, and the left singular vectors of Y are turned by the angle of v_x and u_y."""
    return Matrix.diag(sx, tx), Matrix([[c, -s], [s, c]]) * Matrix.diag(sy, ty)


def direction() -> tuple[Matrix, Matrix]:
    """(B.134): the leading eigenvector C_1 u_x u_y^T, C_2 v_x v_y^T without its common divisor."""
    along_x, along_y = Matrix([1, 0]), Matrix([c, s])
    return sy * along_x * along_y.T, sx * along_x * Matrix([[1, 0]])


def cross_section() -> Expr:
    """f(t): the loss along the line through the minimum in the direction of the leading eigenvector, of unit length."""
    X, W = minimum()
    dX, dW = direction()
    length = sqrt(sx**2 + sy**2)
    return square_norm((X + t / length * dX) * (W + t / length * dW) - X * W) / 2


paper.unstated(
    "theorem-b.3",
    "At every minimum X Y = C of factorisation, X of size m x p and Y of size p x q with simple top singular values,"
    " the stated direction is the leading eigenvector of the Hessian, and condition (ii) holds along it",
    missing=f"{EVERY_SIZE}, and their singular values",
    equations=("B.5", "B.128"),
)


@paper.statement(
    "theorem-b.3.d-2",
    "Along the leading eigenvector a minimum of matrix factorisation satisfies condition (ii)",
    scope=part("the inequality (B.5) along the stated direction, for 2 x 2 matrices"),
)
def theorem_b3() -> Statement:
    f = cross_section()
    second, third, fourth = (f.diff(t, order).subs(t, 0) for order in (2, 3, 4))
    return Statement(variables=SINGULAR, given=SIMPLE, then=3 * third**2 - second * fourth > 0)


@paper.statement(
    "theorem-b.3.a",
    "The stated direction is an eigenvector for sigma_x^2 + sigma_y^2",
    scope=part("that the direction is an eigenvector, for 2 x 2 matrices; not that it is the leading one"),
)
def theorem_b3_eigenvector() -> Statement:
    X, W = minimum()
    dX, dW = direction()
    change = dX * W + X * dW
    images = (change * W.T - (sx**2 + sy**2) * dX, X.T * change - (sx**2 + sy**2) * dW)
    return Statement(
        variables=SINGULAR,
        given=(Eq(c**2 + s**2, 1),),
        then=And(*[Eq(entry, 0, evaluate=False) for image in images for entry in image]),
        notes="The gradient of |dX Y + X dY|^2 / 2 at the direction is the Hessian applied to it.",
    )


@section.step("theorem-b.3", "b.129", "The loss near a minimum", equations=("B.129", "B.130", "B.131", "B.132"))
def step_b129() -> Statement:
    X, W, dX, dW = plain("X"), plain("W"), plain("U"), plain("V")
    loss = square_norm((X + dX) * (W + dW) - X * W) / 2
    linear, mixed = dX * W + X * dW, dX * dW
    inner = sum((a * b for a, b in zip(linear, mixed, strict=True)), S.Zero)
    return display(entries(X, W, dX, dW), {"L": (loss, square_norm(linear) / 2 + inner + square_norm(mixed) / 2)})


@section.step(
    "theorem-b.3",
    "b.134",
    "No direction has more curvature",
    equations=("B.133", "B.134"),
    scope=part("one entry of the change; that the stated direction is the maximiser is not stated"),
)
def step_b134() -> Statement:
    a, b, a1, b1, p, q = (Symbol(name) for name in ("a", "b", "a_1", "b_1", "p", "q"))
    return Statement(
        variables={**dict.fromkeys((a, b, a1, b1), NONNEGATIVE), p: S.Reals, q: S.Reals},
        given=(a <= a1, b <= b1),
        then=(p * b + a * q) ** 2 <= (a1**2 + b1**2) * (p**2 + q**2),
        notes="The entry of dX Y + X dY between the left singular vector for a and the right one for b.",
    )


@section.step("theorem-b.3", "b.136", "The cross section is a polynomial of degree four", equations=("B.135", "B.136"))
def step_b136() -> Statement:
    X, W, dX, dW = plain("X"), plain("W"), plain("U"), plain("V")
    f = square_norm((X + t * dX) * (W + t * dW) - X * W) / 2
    linear, mixed = dX * W + X * dW, dX * dW
    inner = sum((a * b for a, b in zip(linear, mixed, strict=True)), S.Zero)
    printed = square_norm(linear) / 2 * t**2 + inner * t**3 + square_norm(mixed) / 2 * t**4
    return display({**entries(X, W, dX, dW), t: S.Reals}, {"f": (f, printed)})


@section.step(
    "theorem-b.3", "b.139", "Its derivatives at the minimum", equations=("B.137", "B.138", "B.139"), scope=whole()
)
def step_b139() -> Statement:
    p, q, r = (Symbol(name) for name in "pqr")
    f = p / 2 * t**2 + q * t**3 + r / 2 * t**4
    second, third, fourth = (f.diff(t, order).subs(t, 0) for order in (2, 3, 4))
    return display(
        {p: S.Reals, q: S.Reals, r: S.Reals}, {"f_2": (second, p), "f_3": (third, 6 * q), "f_4": (fourth, 12 * r)}
    )


@section.step("theorem-b.3", "b.141", "Condition (ii) for parallel changes", equations=("B.140", "B.141"))
def step_b141() -> Statement:
    E, p, q = plain("E"), Symbol("p"), Symbol("q")
    linear, mixed = p * E, q * E
    inner = sum((a * b for a, b in zip(linear, mixed, strict=True)), S.Zero)
    left = 108 * inner**2 - 12 * square_norm(linear) * square_norm(mixed)
    return display(
        {**entries(E), p: S.Reals, q: S.Reals}, {"condition": (left, 96 * square_norm(linear) * square_norm(mixed))}
    )


# Observation 1 ------------------------------------------------------------------------------------------------------


paper.unstated(
    "observation-1",
    "For eta sigma_1^2 in (1, 1.121) and eta (sigma_1^2 + sigma_2^2) < 2 a set of starts of positive measure converges"
    " to the stated orbit of period 2, d x d",
    missing=f"{EVERY_SIZE}, and a set of starts of positive measure",
)


@paper.statement(
    "observation-1.a",
    "The stated matrices form an exact 2-cycle of gradient descent",
    scope=case("2 x 2 matrices with diagonal factors"),
)
def observation_1_cycle() -> Statement:
    a2, b2 = Symbol("a_2"), Symbol("b_2")
    other = image(rho).subs(mu, s1**2)
    step = dict(zip((*Y, *Z), descent().substitute({eta: K / s1**2}).update, strict=True))

    def moved(start: Expr, end: Expr) -> list[Eq]:
        here = at(Matrix.diag(start, a2), Matrix.diag(start, b2))
        there = at(Matrix.diag(end, a2), Matrix.diag(end, b2))
        pairs = ((step[entry].subs(here, simultaneous=True), there[entry]) for entry in (*Y, *Z))
        return [Eq(image, value, evaluate=False) for image, value in pairs]

    return Statement(
        variables={K: Interval.open(1, BOUND), **dict.fromkeys((s1, a2, b2, rho), POSITIVE), s2: NONNEGATIVE},
        given=(Eq(a2 * b2, s2**2), Eq(on_cycle().subs({d: rho, mu: s1**2}), 0)),
        then=And(*moved(rho, other), *moved(other, rho)),
        notes="rho is either point of the cycle, as in equation-3.8; the other one is where a step on the quartic leads"
        " from it.",
    )


@paper.statement(
    "equation-3.8",
    "The equation for the points of that cycle",
    equations=("3.8",),
    scope=part("that the points of the orbit solve it; not that they are its two positive roots"),
    claims="The points of the orbit are the two positive roots of (3.8)",
)
def equation_3_8() -> Statement:
    return _solves(rho, Rational("1.121"))


@paper.statement(
    "equation-3.8.corrected", "The equation for the points of that cycle divided by sigma_1", equations=("3.8",)
)
def equation_3_8_corrected() -> Statement:
    return _solves(rho / s1, Rational(3, 2))


def _solves(point: Expr, most: Expr) -> Statement:
    """Either point of the cycle enters as a solution rho of the quadratic in rho^2 that theorem-3.3.a derives."""
    return Statement(
        variables={K: Interval.open(1, most), s1: POSITIVE, rho: POSITIVE},
        given=(Eq(on_cycle().subs({d: rho, mu: s1**2}), 0), 1 / point**2 >= Rational(3, 4)),
        then=Eq(K, printed_rate(point).subs(mu, 1)),
        notes="K is eta sigma_1^2, up to 1.121 in the observation; the cycle exists up to 3/2. The square root has to"
        " be real. Both points of the cycle solve the equation of the hypothesis (theorem-3.3.c), and nothing else"
        " positive does (theorem-3.3.a).",
    )
