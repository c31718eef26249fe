"""Section 3.6.1 and Appendix B.10.1: matrix factorisation at its minima.

Singular vectors only rotate the factors, so the matrices are written in the bases in which the leading singular
vectors are coordinate vectors; two dimensions hold the leading direction and one other.
"""

from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from sympy import And, Eq, Expr, Implies, Interval, Matrix, MatrixSymbol, Ne, Rational, S, Symbol, oo, sqrt, symbols
from sympy.logic.boolalg import Boolean

from theory.domains import POSITIVE
from theory.dynamics import Map, gradient, gradient_descent, matrix
from theory.edge_of_stability._display import display
from theory.edge_of_stability._paper import paper
from theory.edge_of_stability.one_dimensional import mu
from theory.edge_of_stability.quartic import BOUND, K, d, image, on_cycle, printed_rate
from theory.language.spaces import Matrices, PositiveSemidefinite, Space, Vectors, identity, inner, norm, trace
from theory.language.spaces import any_matrix as letter
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


size, s_x, s_y = Symbol("d"), Symbol("s_x"), Symbol("s_y")


@dataclass(frozen=True)
class Top:
    """The top singular value of a matrix of any size, which may be required to be simple, and its vectors."""

    of: MatrixSymbol
    value: Symbol
    name: str
    shape: tuple[Symbol, Symbol]
    simple: bool = False

    @cached_property
    def left(self) -> MatrixSymbol:
        """The vector on the left."""
        return letter(f"u_{self.name}", self.shape[0], 1)

    @cached_property
    def right(self) -> MatrixSymbol:
        """The vector on the right."""
        return letter(f"v_{self.name}", self.shape[1], 1)

    @property
    def rest(self) -> tuple[MatrixSymbol, Symbol]:
        """What a second singular value leaves to be positive semidefinite, and that value."""
        return letter(f"R_{self.name}", self.shape[0], self.shape[0]), Symbol(f"t_{self.name}")

    @property
    def variables(self) -> dict[Any, Any]:
        """The vectors and the second singular value."""
        matrix, second = self.rest
        spaces = {self.left: Vectors(self.shape[0]), self.right: Vectors(self.shape[1])}
        return {**spaces, matrix: PositiveSemidefinite(self.shape[0]), self.value: POSITIVE, second: NONNEGATIVE}

    @property
    def given(self) -> tuple[Boolean, ...]:
        """The vectors belong to the value, and no other value is larger; if it is simple none reaches it."""
        matrix, second = self.rest
        apart = (self.value**2 - second**2) * self.left * self.left.T
        return (
            Eq(self.of * self.right, self.value * self.left),
            Eq(self.of.T * self.left, self.value * self.right),
            Eq(inner(self.left, self.left), 1),
            Eq(inner(self.right, self.right), 1),
            second < self.value if self.simple else second <= self.value,
            Eq(self.of * self.of.T + matrix, second**2 * identity(self.shape[0]) + apart),
        )


# Definitions and remarks --------------------------------------------------------------------------------------------


EVERY_SIZE = "matrices of every size"


@paper.statement(
    "definition-3",
    "Quasi-symmetric factorisation starts near a minimum, the rescaled factors of the target, in every dimension",
    scope=whole(),
)
def definition_3() -> Statement:
    """No factors have a smaller loss than alpha X_0 and X_0 / alpha."""
    X, left, right = (letter(name, size, size) for name in ("X_0", "Y", "Z"))
    target = X * X.T
    return Statement(
        variables={X: Matrices(size, size), left: Matrices(size, size), right: Matrices(size, size), alpha: POSITIVE},
        given=(Ne(alpha, 1),),
        then=norm((alpha * X) * (X / alpha).T - target) ** 2 <= norm(left * right.T - target) ** 2,
    )


@paper.statement(
    "remark-3",
    "The sharpness of a minimum X Y^T = C is sigma_max(X)^2 + sigma_max(Y)^2, of the flattest one 2 sigma_1^2, d x d",
    scope=whole(),
)
def remark_3() -> Statement:
    """The curvature in the direction (D, E) is |D Y^T + X E^T|^2; S, the root of C, is the flattest factor."""
    X, W, D, E, C, root = (letter(name, size, size) for name in "XYDECS")
    first, second = Top(X, s_x, "x", (size, size)), Top(W, s_y, "y", (size, size))
    R, top = letter("R", size, size), letter("e", size, 1)
    leading = first.left * second.right.T * s_y, second.left * first.right.T * s_x
    curvature = norm(leading[0] * W.T + X * leading[1].T) ** 2
    squares: dict[MatrixSymbol, Space] = {one: Matrices(size, size) for one in (X, W, D, E)}
    return Statement(
        variables={
            **squares, **first.variables, **second.variables, s1: POSITIVE, top: Vectors(size),
            R: PositiveSemidefinite(size), C: PositiveSemidefinite(size), root: PositiveSemidefinite(size),
        },
        given=(
            *first.given, *second.given, Eq(X * W.T, C), Eq(root * root, C),
            Eq(C * top, s1**2 * top), Eq(inner(top, top), 1), Eq(C + R, s1**2 * identity(size)),
        ),
        then=And(
            norm(D * W.T + X * E.T) ** 2 <= (s_x**2 + s_y**2) * (norm(D) ** 2 + norm(E) ** 2),
            Eq(curvature, (s_x**2 + s_y**2) * (norm(leading[0]) ** 2 + norm(leading[1]) ** 2)),
            s_x**2 + s_y**2 >= 2 * s1**2,
            norm(D * root + root * E.T) ** 2 <= 2 * s1**2 * (norm(D) ** 2 + norm(E) ** 2),
        ),
        notes="A proof needs equations between matrices as premises of an inequality between traces.",
    )  # fmt: skip


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
def definition_3_two() -> Statement:
    X = plain("X")
    loss = square_norm(Y * Z.T - X * X.T) / 2
    slopes = [slope.subs(at(alpha * X, X / alpha), simultaneous=True) for slope in gradient(loss, (Y, Z))]
    return display({**entries(X), alpha: POSITIVE}, {f"slope {i}": (slope, S.Zero) for i, slope in enumerate(slopes)})


@paper.statement(
    "remark-3.d-2",
    "The sharpness of a minimum is the sum of the squared top singular values",
    scope=part("the bound on the curvature, block by block, for 2 x 2 matrices"),
)
def remark_3_two() -> Statement:
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


@paper.statement(
    "theorem-b.3",
    "At every minimum X Y = C of factorisation the stated direction is the leading eigenvector of the Hessian, and"
    " condition (ii) holds along it",
    equations=("B.5", "B.128"),
    scope=whole(),
)
def theorem_b3() -> Statement:
    """The Hessian in the direction (D, E) is |D Y + X E|^2; its largest value is attained along one line only."""
    m, p, q = symbols("m p q")
    X, W, D, E = letter("X", m, p), letter("Y", p, q), letter("D", m, p), letter("E", p, q)
    first, second = Top(X, s_x, "x", (m, p), simple=True), Top(W, s_y, "y", (p, q), simple=True)
    along = s_y * first.left * second.left.T, s_x * first.right * second.right.T
    sharpness, length = s_x**2 + s_y**2, norm(D) ** 2 + norm(E) ** 2
    curvature, overlap = norm(D * W + X * E) ** 2, trace(D.T * along[0]) + trace(E.T * along[1])
    linear, mixed = along[0] * W + X * along[1], along[0] * along[1]
    derivatives = norm(linear) ** 2, 6 * trace(linear.T * mixed), 12 * norm(mixed) ** 2
    shapes: dict[MatrixSymbol, Space] = {X: Matrices(m, p), D: Matrices(m, p), W: Matrices(p, q), E: Matrices(p, q)}
    return Statement(
        variables={**shapes, **first.variables, **second.variables},
        given=(*first.given, *second.given, Ne(inner(first.right, second.left), 0)),
        then=And(
            curvature <= sharpness * length,
            Eq(norm(linear) ** 2, sharpness * (norm(along[0]) ** 2 + norm(along[1]) ** 2)),
            Implies(Eq(curvature, sharpness * length), Eq(overlap**2, sharpness * length)),
            3 * derivatives[1] ** 2 - derivatives[0] * derivatives[2] > 0,
        ),
        notes="A proof needs equations between matrices as premises of an inequality between traces.",
    )


@paper.statement(
    "theorem-b.3.d-2",
    "Along the leading eigenvector a minimum of matrix factorisation satisfies condition (ii)",
    scope=part("the inequality (B.5) along the stated direction, for 2 x 2 matrices"),
)
def theorem_b3_two() -> Statement:
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
