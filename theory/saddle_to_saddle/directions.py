"""Section 5.1 and Appendices G.1, G.2: the linear case, where the time scales separate between directions.

After rotations of inputs and outputs the correlation matrix is diagonal, so Theorem 4 is stated for Sigma = diag(s_1,
s_2); one further weight xi stands for the kernel of Sigma. More directions only add summands to the sums of squares.
"""

from __future__ import annotations

from sympy import And, Eq, Expr, Implies, Integer, Interval, Matrix, Rational, S, Symbol, exp, log, oo, sqrt, symbols
from sympy.matrices.expressions.matexpr import MatrixExpr

from theory.displays import equal
from theory.domains import POSITIVE
from theory.dynamics import Flow, gradient_flow, matrix
from theory.language.spaces import Matrices, PositiveSemidefinite, Vectors, identity, norm
from theory.saddle_to_saddle._display import claim_on_reals, reals
from theory.saddle_to_saddle._paper import paper
from theory.saddle_to_saddle.architectures import linear_in_weights
from theory.saddle_to_saddle.layer import Unit, state_of
from theory.scope import case, own, part, whole
from theory.statements import Statement
from theory.temporal import Always, Scaling

eps, t, s1, s2 = symbols("epsilon t s_1 s_2")
v, u, xi = symbols("v_1:3"), symbols("u_1:3"), Symbol("xi")
"""Initial weights of one unit along the singular vectors, and its part in the kernel."""

LAYER = linear_in_weights(2, 2)
UNITS: list[Unit] = LAYER.units("ab", 2)


def product_matrix() -> Matrix:
    """W, the sum of v u^T over the units."""
    return sum((v_ * Matrix(u_).T for v_, u_ in UNITS), Matrix.zeros(2, 2))


# Eq. (9) ------------------------------------------------------------------------------------------------------------


N_v, N_u, H, P = symbols("N_v N_u H P")
V, U, Y, Z = matrix("V", N_v, H), matrix("U", N_u, H), matrix("Y", N_v, P), matrix("Z", N_u, P)
"""The weights v_i and u_i, the targets and the processed inputs, column by column; W = V U^T."""

DATA = {V: Matrices(N_v, H), U: Matrices(N_u, H), Y: Matrices(N_v, P), Z: Matrices(N_u, P)}
V_0, U_0 = matrix("V_0", N_v, H), matrix("U_0", N_u, H)


def linear_flow() -> Flow:
    """Gradient flow of the squared error of (8), averaged over the P samples."""
    return gradient_flow(norm(Y - V * U.T * Z) ** 2 / (2 * P), (V, U))


@paper.statement(
    "equation-9",
    "Gradient flow of a linear layer through the two data matrices",
    scope=whole(),
    equations=("8", "9"),
)
def equation_9() -> Statement:
    moves = linear_flow().velocity
    residual = Y * Z.T / P - V * U.T * (Z * Z.T / P)
    return Statement(
        variables=DATA,
        then=And(
            Eq(moves[0], residual * U, evaluate=False),
            Eq(moves[1], residual.T * V, evaluate=False),
        ),
        notes="Column i of V and U holds the weights v_i and u_i of unit i, for any number of units, samples, inputs"
        " and outputs; the left sides are derived from the loss.",
    )


@paper.step(
    "equation-9",
    "conserved",
    "V^T V - U^T U is constant",
    scope=own("not in print: a conserved matrix, for every size"),
    equations=("9",),
)
def step_conserved() -> Statement:
    return Statement(
        variables={V_0: Matrices(N_v, H), U_0: Matrices(N_u, H), Y: Matrices(N_v, P), Z: Matrices(N_u, P)},
        dynamics=linear_flow(),
        start={V: V_0, U: U_0},
        then=Always(Eq(V.T * V - U.T * U, V_0.T * V_0 - U_0.T * U_0, evaluate=False)),
    )


@paper.statement(
    "claim-5.1.a",
    "Small weights: the residual differs from Sigma_yz by second order",
    scope=case("two units, two inputs, two outputs"),
    equations=("10",),
)
def claim_5_1_a() -> Statement:
    small = {weight: eps * weight for weight in state_of(UNITS)}
    product = product_matrix().subs(small, simultaneous=True)
    return claim_on_reals(equal((product, eps**2 * product_matrix())))


@paper.statement(
    "claim-5.1.b",
    "A component decays relative to the first as exp((s_k - s_1) t)",
    scope=part("the quotient of the two exponentials"),
)
def claim_5_1_b() -> Statement:
    return claim_on_reals(equal((exp(s2 * t) / exp(s1 * t), exp((s2 - s1) * t))))


# Theorem 4 ----------------------------------------------------------------------------------------------------------

c, b = [(x + y) / 2 for x, y in zip(v, u, strict=True)], [(x - y) / 2 for x, y in zip(v, u, strict=True)]
"""Growing and decaying parts of the initial weights, Eq. (35)."""


def solution(moment: Expr) -> list[Expr]:
    """v_1, v_2, u_1, u_2 at a time, Eq. (34)."""
    grown = [(x * exp(s * moment), y * exp(-s * moment)) for x, y, s in zip(c, b, (s1, s2), strict=True)]
    return [x + y for x, y in grown] + [x - y for x, y in grown]


def rest(growth: Expr, top: Expr) -> Expr:
    """The squared norm outside the top direction at time T, with growth = e^(s_2 T) and top = e^(-s_1 T).

    The parts are growing second, decaying first and second, kernel.
    """
    growing, first, second, kernel = _parts()
    return 2 * growing**2 * growth**2 + 2 * first**2 * top**2 + 2 * second**2 / growth**2 + kernel**2


def _parts() -> tuple[Symbol, ...]:
    return symbols("g_c g_1 g_2 g_0")


r = Symbol("r")
Sigma, Q, R = matrix("Sigma_yz", N_v, N_u), matrix("Q", N_v, r), matrix("R", N_u, r)
gap, g, h = matrix("G", N_u, N_u), matrix("g", N_v, 1), matrix("h", N_u, 1)
v_i, u_i = matrix("v_i", N_v, 1), matrix("u_i", N_u, 1)


def _sizes(first: MatrixExpr, second: MatrixExpr) -> tuple[Expr, Expr]:
    """|P theta| and |(I - P) theta| for theta = [v; u], P as in (11)."""
    along = norm(Q.T * first + R.T * second)
    return along / sqrt(2), sqrt(norm(first) ** 2 + norm(second) ** 2 - along**2 / 2)


@paper.statement(
    "theorem-4",
    "When the part along the top r singular vectors is O(1), the rest is O(eps^(1 - s_(r+1)/s_1)) almost surely",
    scope=whole(),
    equations=("10", "11"),
)
def theorem_4() -> Statement:
    """The columns of Q and R are the top singular vectors; what is left of Sigma_yz has singular values up to s_2."""
    left = Sigma - s1 * Q * R.T
    top, outside = _sizes(g, h)
    now, rest_now = _sizes(v_i, u_i)
    singular = (
        Eq(Q.T * Q, identity(r), evaluate=False),
        Eq(R.T * R, identity(r), evaluate=False),
        Eq(Sigma * R, s1 * Q, evaluate=False),
        Eq(Sigma.T * Q, s1 * R, evaluate=False),
        Eq(left.T * left + gap, s2**2 * identity(N_u), evaluate=False),
    )
    bound = (outside / top ** (s2 / s1)) * eps ** (1 - s2 / s1)
    return Statement(
        variables={
            Sigma: Matrices(N_v, N_u),
            Q: Matrices(N_v, r),
            R: Matrices(N_u, r),
            gap: PositiveSemidefinite(N_u),
            g: Vectors(N_v),
            h: Vectors(N_u),
            s1: POSITIVE,
            s2: Interval(0, oo),
            eps: POSITIVE,
        },
        given=(*singular, s2 < s1, top > 0, eps * top <= 1),
        dynamics=Flow((v_i, u_i), (Sigma * u_i, Sigma.T * v_i)),
        start={v_i: eps * g, u_i: eps * h},
        then=Always(Implies(Eq(now, 1), rest_now <= bound)),
        notes="One unit, as the units do not meet. g and h are the Gaussian draws for eps = 1; with probability one"
        " they have a part along the top singular vectors, which is all that is asked of them. The bound is that of"
        " (38). G is what s_2^2 I exceeds the squared rest of Sigma_yz by, so that s_2 stands for s_(r+1). A proof"
        " needs the pace of norms of vectors that move in every dimension; the steps are decided one by one.",
    )


@paper.statement(
    "theorem-4.rest",
    "The rest grows at most as its fastest part: the middle inequality of (38)",
    scope=part("the middle inequality of (38), D = 2, r = 1, one kernel weight; no Gaussian start, no epsilon"),
    equations=("10", "11"),
)
def theorem_4_rest() -> Statement:
    moment, ratio = Symbol("x"), Symbol("rho")
    growth, top = exp(ratio * moment), exp(-moment)
    return Statement(
        variables=reals(_parts()) | {moment: Interval(0, oo), ratio: Interval.Ropen(0, 1)},
        then=rest(growth, top) <= growth**2 * rest(Integer(1), Integer(1)),
        notes="Path by path: initial weights eps g with g fixed, x = s_1 T = -ln |P theta(0)| >= 0, rho = s_{r+1}/s_1;"
        " e^(2 rho x) is |P g|^(-2 rho) eps^(-2 rho), so the norm is at most |P g|^(-rho) |(I - P) g| eps^(1 - rho).",
    )


def _rate(number: str, ratio: Rational) -> None:
    @paper.statement(
        f"theorem-4.rate-{number}",
        f"The exponent for s_2/s_1 = {ratio} is attained",
        scope=own("not in print: the bound is sharp, for this ratio, D = 2, r = 1"),
        equations=("39",),
    )
    def rate() -> Statement:
        # eps = root^q makes the powers of eps rational; the top direction starts at eps
        root = Symbol("root")
        growth, top = root ** (-ratio.p), root**ratio.q
        return Statement(
            variables={**reals(_parts()[1:]), _parts()[0]: POSITIVE},
            then=Scaling(root ** (2 * ratio.q) * rest(growth, top), root, 2 * ratio.q - 2 * ratio.p),
        )


_rate("a", Rational(1, 2))
_rate("b", Rational(1, 3))
_rate("c", Rational(2, 3))


@paper.statement(
    "theorem-4.boundary",
    "The bound without the hypothesis that the top direction starts below one",
    scope=own("a question of ours: (38) without a small start"),
)
def theorem_4_boundary() -> Statement:
    growth, top = Symbol("E"), Symbol("p")
    bound = growth**2 * rest(Integer(1), Integer(1))
    return Statement(
        variables=reals(_parts()) | {growth: POSITIVE, top: POSITIVE},
        given=((growth - 1) * (1 - top) >= 0,),
        then=rest(growth, top) <= bound,
        notes="E = e^(s_2 T) and p = |P theta(0)| = e^(-s_1 T); both are on the same side of 1. With p > 1 the time T"
        " is negative and (38) fails, so 'small epsilon' means at least |P theta(0)| <= 1, as in step 38.b.",
    )


@paper.statement(
    "theorem-4.boundary.corrected", "With |P theta(0)| <= 1 the time T is not negative and the bound holds"
)
def theorem_4_boundary_corrected() -> Statement:
    growth, top = Symbol("E"), Symbol("p")
    return Statement(
        variables=reals(_parts()) | {growth: Interval(1, oo), top: Interval.Lopen(0, 1)},
        then=rest(growth, top) <= growth**2 * rest(Integer(1), Integer(1)),
    )


@paper.statement(
    "theorem-4.multiple",
    "The same when the largest singular value is double (r = 2, three directions)",
    scope=part("the factors of the squares in (38) for r = 2 and three directions"),
)
def theorem_4_multiple() -> Statement:
    """Square by square: growing part, decaying parts of the top and of the other directions, kernel."""
    growth, top = Symbol("E"), Symbol("p")
    return Statement(
        variables={growth: Interval(1, oo), top: Interval.Lopen(0, 1)},
        then=And(top**2 <= growth**2, growth**-2 <= growth**2, growth**2 >= 1),
        notes="E = e^(s_3 T) and p = |P theta(0)| = e^(-s_1 T) as in step 38.b: the factor of every square is at most"
        " that of the growing one, E^2, however many directions there are.",
    )


@paper.step(
    "theorem-4",
    "32",
    "The system is linear with a symmetric block matrix",
    scope=case("two inputs, two outputs, one unit"),
    equations=("32",),
)
def step_32() -> Statement:
    sigma = Matrix(2, 2, symbols("m_11 m_12 m_21 m_22"))
    zero = Matrix.zeros(2, 2)
    block = Matrix.vstack(Matrix.hstack(zero, sigma), Matrix.hstack(sigma.T, zero))
    weights = Matrix([*v, *u])
    printed = Matrix([*(sigma * Matrix(u)), *(sigma.T * Matrix(v))])
    return claim_on_reals(equal((block * weights, printed), (block, block.T)))


def _vectors() -> tuple[list[Matrix], list[Matrix], Matrix]:
    """Orthonormal singular vectors with a rational parametrisation, and the matrix they make."""
    h, k = symbols("h k")
    left, right = (
        [Matrix([(1 - x**2) / (1 + x**2), 2 * x / (1 + x**2)]), Matrix([-2 * x / (1 + x**2), (1 - x**2) / (1 + x**2)])]
        for x in (h, k)
    )
    sigma = s1 * left[0] * right[0].T + s2 * left[1] * right[1].T
    return left, right, sigma


@paper.step("theorem-4", "33", "Eigenvectors of the block matrix", scope=case("D = 2"), equations=("33",))
def step_33() -> Statement:
    left, right, sigma = _vectors()
    pairs = []
    for q, r, s in zip(left, right, (s1, s2), strict=True):
        pairs += [(sigma * r, s * q), (sigma.T * q, s * r), (-sigma * r, -s * q), (sigma.T * q, s * r)]
    return claim_on_reals(equal(*pairs))


def _count(**domains: Interval) -> Statement:
    sigma = Matrix([[s1, 0], [0, s2]])
    zero = Matrix.zeros(2, 2)
    block = Matrix.vstack(Matrix.hstack(zero, sigma), Matrix.hstack(sigma.T, zero))
    return Statement(variables={s1: POSITIVE, s2: domains["second"]}, given=(s2 <= s1,), then=block.det() > 0)


@paper.step(
    "theorem-4",
    "count",
    "M has D positive and D negative eigenvalues, so for N_v = N_u none is zero",
    scope=case("N_v = N_u = 2"),
)
def step_count() -> Statement:
    return _count(second=Interval(0, oo)).but(
        notes="The theorem allows s_D = 0; the count needs s_D > 0, the rest of the proof does not."
    )


@paper.step("theorem-4", "count.corrected", "The same when the smallest singular value is positive")
def step_count_corrected() -> Statement:
    return _count(second=POSITIVE)


@paper.step(
    "theorem-4",
    "34",
    "The printed solution solves the system and starts right",
    scope=case("D = 2, Sigma diagonal, no kernel"),
    equations=("34", "35"),
)
def step_34() -> Statement:
    x = solution(t)
    velocity = [s1 * x[2], s2 * x[3], s1 * x[0], s2 * x[1]]
    starts = [entry.subs(t, 0) for entry in x]
    return claim_on_reals(equal(([entry.diff(t) for entry in x], velocity), (starts, [*v, *u])))


def _projected(moment: Expr) -> Expr:
    """Squared norm of P theta, P = [q_1; r_1][q_1; r_1]^T / 2."""
    x = solution(moment)
    return ((x[0] + x[2]) / 2) ** 2 * 2


@paper.step(
    "theorem-4", "36", "The top part grows as exp(s_1 t)", scope=case("D = 2, r = 1, Sigma diagonal"), equations=("36",)
)
def step_36() -> Statement:
    return claim_on_reals(
        equal((_projected(t), exp(2 * s1 * t) * 2 * c[0] ** 2), (_projected(t), exp(2 * s1 * t) * _projected(S.Zero)))
    )


@paper.step("theorem-4", "37", "It reaches size one at T = ln(1/|P theta(0)|) / s_1", scope=whole(), equations=("37",))
def step_37() -> Statement:
    p = Symbol("p")
    return Statement(variables={p: POSITIVE, s1: POSITIVE}, then=Eq(exp(s1 * (log(1 / p) / s1)) * p, 1, evaluate=False))


@paper.step(
    "theorem-4",
    "38.a",
    "The square of the rest is a sum of four squares",
    scope=case("D = 2, r = 1, Sigma diagonal, no kernel"),
    equations=("38",),
)
def step_38_a() -> Statement:
    x = solution(t)
    outside = [(x[0] - x[2]) / 2, (x[2] - x[0]) / 2, x[1], x[3]]
    printed = 2 * c[1] ** 2 * exp(2 * s2 * t) + 2 * b[0] ** 2 * exp(-2 * s1 * t) + 2 * b[1] ** 2 * exp(-2 * s2 * t)
    return claim_on_reals(equal((sum(entry**2 for entry in outside), printed)))


@paper.step(
    "theorem-4",
    "38.b",
    "Every square grows at most as exp(2 s_2 T)",
    scope=case("D = 2, r = 1, one kernel weight"),
    equations=("38",),
)
def step_38_b() -> Statement:
    growth, top = Symbol("E"), Symbol("p")
    bound = growth**2 * rest(Integer(1), Integer(1))
    return Statement(
        variables=reals(_parts()) | {growth: Interval(1, oo), top: Interval.Lopen(0, 1)},
        then=rest(growth, top) <= bound,
    )


@paper.step(
    "theorem-4",
    "38.c",
    "The last two lines of (38)",
    scope=part("the last two lines of (38), in logarithms"),
    equations=("38",),
)
def step_38_c() -> Statement:
    # logarithms of 1/|P theta(0)| and |(I - P) theta(0)|
    top, others, ratio = symbols("x n rho")
    return claim_on_reals(
        equal((exp(ratio * top) * exp(others), exp(ratio * (others + top)) * exp((1 - ratio) * others)))
    )


@paper.statement(
    "claim-a.b",
    "Scalar output: Theorem 4 applies and gives silent alignment",
    scope=part("whether the hypothesis 1 <= r < D of Theorem 4 can hold for D = 1"),
    label="Appendix A",
)
def claim_a_b() -> Statement:
    """With N_v = 1 there is D = 1 singular value, of multiplicity r."""
    multiplicity, directions_ = symbols("r D")
    return Statement(
        variables={multiplicity: S.Integers, directions_: S.Integers},
        given=(Eq(directions_, 1), multiplicity >= 1, multiplicity < directions_),
        then=multiplicity >= 1,
        notes="Appendix A says that Theorem 4 recovers the scalar case, but its hypothesis 1 <= r < D excludes D = 1;"
        " what holds then is claim-a.b.corrected.",
    )


@paper.statement("claim-a.b.corrected", "Scalar output: the part outside the single direction does not grow at all")
def claim_a_b_corrected() -> Statement:
    decaying, kernel, top = symbols("g_1 g_0 p")
    return Statement(
        variables=reals((decaying, kernel)) | {top: Interval.Lopen(0, 1)},
        then=2 * decaying**2 * top**2 + kernel**2 <= 2 * decaying**2 + kernel**2,
        notes="p = |P theta(0)| = e^(-s_1 T): outside P there are the decaying part and the kernel, so the ratio to the"
        " aligned part, which has size one at T, is of the order of the start.",
    )


@paper.statement(
    "claim-6.b",
    "With all singular values equal the rest does not grow at all (r = D)",
    scope=own("what holds where Section 6 uses Theorem 4 with r = D: two directions, one kernel weight"),
)
def claim_6_b() -> Statement:
    first, second, kernel, top = symbols("g_1 g_2 g_0 p")
    return Statement(
        variables=reals((first, second, kernel)) | {top: Interval.Lopen(0, 1)},
        then=2 * first**2 * top**2 + 2 * second**2 * top**2 + kernel**2 <= 2 * first**2 + 2 * second**2 + kernel**2,
        notes="Section 6 uses Theorem 4 with r = D, which its hypothesis r < D excludes; this is what holds then.",
    )


__all__ = ["product_matrix", "solution"]
