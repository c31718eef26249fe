"""Appendix B.10.2: what happens near the 2-cycle of quasi-symmetric matrix factorisation.

With K = eta sigma_1^2 and kappa = sigma_p^2 / sigma_1^2 (sigma_1 = 1 without loss of generality), a point of the cycle
has a = K rho^2 with a^2 - (1 + K) a + 1 = 0, and the other point has 1 + K - a. A characteristic polynomial is stable
when Jury's conditions hold.
"""

from collections.abc import Sequence
from functools import cache

from sympy import And, Eq, Equivalent, Expr, Interval, Matrix, Rational, S, Symbol, sqrt
from sympy.logic.boolalg import Boolean

from theory.domains import POSITIVE
from theory.edge_of_stability._display import display
from theory.edge_of_stability._paper import paper
from theory.edge_of_stability.factorisation import EVERY_SIZE, Y, Z, alpha, at, descent, eta, plain, s1, s2
from theory.edge_of_stability.quartic import BOUND, K
from theory.scope import case, own, part
from theory.statements import Constant, Statement

section = paper.section(steps=case("d = 2"))

y, z, a, kappa, lam, small = (Symbol(name) for name in ("y", "z", "a", "kappa", "lambda", "e"))
bound = Symbol("c")
RANGE = Interval.open(1, BOUND)
SPREAD = {K: RANGE, kappa: Interval.open(0, 1), alpha: POSITIVE}


def transition(first: Expr, second: Expr, rate: Expr = eta, top: Expr = s1**2, other: Expr = s2**2) -> Matrix:
    """The matrix Q_{alpha, eta, p}(y, z) as printed."""
    gap = first * second - top
    u1 = -rate * (first * second + gap * (1 - rate * second**2))
    u2 = -rate * (first * second + gap * (1 - rate * first**2))
    w1 = 1 - rate * second**2 - rate * other * alpha**2 + rate**2 * first * second * gap
    w2 = 1 - rate * first**2 - rate * other / alpha**2 + rate**2 * first * second * gap
    return Matrix(
        [
            [1, 0, u1, -rate * other],
            [0, 1, -rate * other, u2],
            [-rate * gap, 0, w1, 0],
            [0, -rate * gap, 0, w2],
        ]
    )


@cache
def linearised() -> tuple[Matrix, Matrix]:
    """The four off-diagonal quantities and their images, to first order in the off-diagonal entries of Y and Z."""
    offsets = [Symbol(name) for name in ("Y_12", "Y_21", "Z_12", "Z_21")]
    left = Matrix([[y, small * offsets[0]], [small * offsets[1], alpha * s2]])
    right = Matrix([[z, small * offsets[2]], [small * offsets[3], s2 / alpha]])
    moved = [entry.subs(at(left, right), simultaneous=True) for entry in descent().update]
    new_left, new_right = Matrix(2, 2, moved[:4]), Matrix(2, 2, moved[4:])

    def quantities(one: Matrix, other: Matrix) -> Matrix:
        product = one * other.T
        values = ((one * one.T)[1, 0], (other * other.T)[0, 1], product[1, 0], product[0, 1])
        return Matrix([value.diff(small).subs(small, 0) for value in values])

    return quantities(left, right), quantities(new_left, new_right)


ROW_NAMES = ("(Y Y^T)_p1", "(Z Z^T)_1p", "M_p1", "M_1p")


def _register_row(row: int) -> None:
    @section.step("observation-2", f"m6.{row + 1}", f"Linear update of {ROW_NAMES[row]}: row {row + 1} of the matrix Q")
    def step_row() -> Statement:
        before, after = linearised()
        printed = (transition(y, z) * before)[row]
        offsets = {Symbol(name): S.Reals for name in ("Y_12", "Y_21", "Z_12", "Z_21")}
        return display(
            {y: S.Reals, z: S.Reals, alpha: POSITIVE, s1: POSITIVE, s2: POSITIVE, eta: POSITIVE, **offsets},
            {"image": (after[row], printed)},
        )


# Observation 2 ------------------------------------------------------------------------------------------------------


def cubic(spread: Expr) -> tuple[Expr, Expr, Expr]:
    """The cubic factor l^3 + c2 l^2 + c1 l + c0 of the characteristic polynomial; `spread` is alpha^2 + 1/alpha^2."""
    k = kappa * K
    c2 = -(spread**2) * k**2 + 2 * k**2 + 4 * K - 5
    c1 = (
        (2 - K) * spread**2 * k**2 + (K - 1) * K * spread * k + k**4 - (K**2 - 2 * K + 3) * k**2 + 5 * K**2 - 12 * K + 7
    )
    c0 = (
        (K - 1) * spread**2 * k**2
        - (K - 1) * spread * k**3
        + K * (K - 1) ** 2 * spread * k
        - k**4
        + (K**2 - 4 * K + 3) * k**2
        + (K - 1) ** 2 * (2 * K - 3)
    )
    return c2, c1, c0


def margins(coefficients: Sequence[Expr]) -> tuple[Expr, Expr, Expr, Expr]:
    """All roots of l^3 + c2 l^2 + c1 l + c0 lie inside the unit circle exactly when all four are positive.

    The first two say that no real root passes 1 or -1, the third that no complex pair passes the circle.
    """
    c2, c1, c0 = coefficients
    return 1 + c2 + c1 + c0, 1 - c2 + c1 - c0, 1 - c0**2 - c1 + c0 * c2, 3 - c1


def jury(coefficients: Sequence[Expr]) -> Boolean:
    """All roots of l^3 + c2 l^2 + c1 l + c0 lie inside the unit circle."""
    return And(*[margin > 0 for margin in margins(coefficients)])


def jury_table(coefficients: Sequence[Expr]) -> Boolean:
    """The same as Jury's table has it, with six conditions."""
    c2, c1, c0 = coefficients
    pair = c1 - c0 * c2
    table = (1 + c2 + c1 + c0, 1 - c2 + c1 - c0, 1 - c0, 1 + c0, 1 - c0**2 - pair, 1 - c0**2 + pair)
    return And(*[entry > 0 for entry in table])


def on_cycle(point: Expr) -> Matrix:
    """Q at a point of the cycle, with sigma_1 = 1."""
    rho = sqrt(point / K)
    return transition(rho, rho, K, S.One, kappa)


FLAT_ENOUGH = (K * (1 / alpha**2 + kappa * alpha**2) <= bound, K * (kappa / alpha**2 + alpha**2) <= bound)
"""(3.9): the maximum of both is at most 2."""

TWO = Constant(bound, S(2), best="largest")


paper.unstated(
    "observation-2",
    "Under (3.9) descent from near (alpha X_0, X_0 / alpha) converges to the stated orbit of period 2 up to O(epsilon),"
    " d x d",
    missing=f"{EVERY_SIZE}, and O(epsilon) along a trajectory",
)


@paper.statement(
    "observation-2.margin",
    "Under (3.9) gradient descent stays near the quasi-symmetric 2-cycle",
    equations=("3.9", "B.142"),
    scope=part("one necessary condition, Jury's third, for d = 2"),
)
def observation_2() -> Statement:
    """Only one necessary condition: with every eigenvalue in the closed disc all four margins are at least 0."""
    squared = Symbol("s")
    pair = margins(cubic(squared + 1 / squared))[2]
    flat = tuple(part.subs(alpha**2, squared) for part in FLAT_ENOUGH)
    return Statement(
        variables={K: RANGE, kappa: Interval.open(0, 1), squared: Interval.open(Rational(1, 2), 2)},
        given=flat,
        then=pair >= 0,
        constants=(TWO,),
        notes="s is alpha^2; (3.9) confines it to this interval. Staying within O(eps) of the cycle needs every"
        " eigenvalue of the product of two transition matrices in the closed unit disc, so that none of the four"
        " quantities of Jury may be negative; this is the one that is.",
    )


for _row in range(4):
    _register_row(_row)


@section.step(
    "observation-2",
    "m6.a",
    "The characteristic polynomial over the cycle has the factor 3 - 2 K",
    scope=own("the characteristic polynomial of the product of the two matrices Q"),
)
def step_characteristic() -> Statement:
    c2, c1, c0 = cubic(alpha**2 + 1 / alpha**2)
    stated = (lam - 3 + 2 * K) * (lam**3 + c2 * lam**2 + c1 * lam + c0)
    product = on_cycle(1 + K - a) * on_cycle(a)
    return Statement(
        variables={**SPREAD, a: POSITIVE, lam: S.Reals},
        given=(Eq(a**2 - (1 + K) * a + 1, 0), a < 1 + K),
        then=Eq((lam * Matrix.eye(4) - product).det(method="berkowitz"), stated),
    )


@section.step(
    "observation-2",
    "m6.criterion",
    "Four of the conditions in Jury's table for a cubic suffice",
    scope=own("a criterion for roots in the unit disc"),
)
def step_criterion() -> Statement:
    coefficients = [Symbol(f"c_{power}") for power in (2, 1, 0)]
    return Statement(
        variables=dict.fromkeys(coefficients, S.Reals), then=Equivalent(jury_table(coefficients), jury(coefficients))
    )


@section.step(
    "observation-2",
    "m6.b",
    "The printed assumption: all eigenvalues over the cycle lie in the unit disc",
    scope=part("the eigenvalue 3 - 2 K and one condition of Jury's on the others"),
)
def step_assumption() -> Statement:
    whole = observation_2()
    return whole.but(then=And(3 - 2 * K > -1, 3 - 2 * K < 1, whole.then), notes=whole.notes)


paper.nearest["observation-2.margin"] = "observation-2.corrected"
paper.nearest["observation-2#m6.b"] = "observation-2.corrected"


@section.step(
    "observation-2",
    "b.183",
    "The matrix Q near the minimum",
    equations=("B.183",),
    scope=part("the last two columns, at the minimum itself"),
)
def step_b183() -> Statement:
    derived = transition(alpha * s1, s1 / alpha)
    printed = Matrix(
        [
            [1, 0, -eta * s1**2, -eta * s2**2],
            [0, 1, -eta * s2**2, -eta * s1**2],
            [0, 0, 1 - eta * s1**2 / alpha**2 - eta * s2**2 * alpha**2, 0],
            [0, 0, 0, 1 - eta * s1**2 * alpha**2 - eta * s2**2 / alpha**2],
        ]
    )
    pairs = {f"Q_{i + 1}{j + 1}": (derived[i, j], printed[i, j]) for i in range(4) for j in range(2, 4)}
    return display({alpha: POSITIVE, s1: POSITIVE, s2: POSITIVE, eta: POSITIVE}, pairs)


@section.step(
    "observation-2",
    "b.184",
    "Its eigenvalues",
    equations=("B.184",),
    scope=part("the eigenvalues of Q; those of the product are their squares"),
)
def step_b184() -> Statement:
    Q = transition(alpha * s1, s1 / alpha)
    first = 1 - eta * s1**2 / alpha**2 - eta * s2**2 * alpha**2
    second = 1 - eta * s1**2 * alpha**2 - eta * s2**2 / alpha**2
    return display(
        {alpha: POSITIVE, s1: POSITIVE, s2: POSITIVE, eta: POSITIVE, lam: S.Reals},
        {
            "spectrum": (
                (lam * Matrix.eye(4) - Q).det(method="berkowitz"),
                (lam - 1) ** 2 * (lam - first) * (lam - second),
            )
        },
    )


@section.step(
    "observation-2",
    "b.184.a",
    "Under (3.9) they are at most 1 in modulus",
    scope=part("under (3.9), where the print has other conditions, one of them garbled"),
)
def step_b184_a() -> Statement:
    squared = Symbol("s")
    first = 1 - K / squared - K * kappa * squared
    second = 1 - K * squared - K * kappa / squared
    return Statement(
        variables={K: RANGE, kappa: Interval.open(0, 1), squared: POSITIVE},
        given=tuple(part.subs(alpha**2, squared) for part in FLAT_ENOUGH),
        constants=(TWO,),
        notes="s is alpha^2.",
        then=And(first >= -1, first <= 1, second >= -1, second <= 1),
    )


def _lower_block(power: int) -> Statement:
    """The factor of M_22 to first order at the minimum."""
    left, right = Matrix.diag(alpha * s1, alpha * s2), Matrix.diag(s1 / alpha, s2 / alpha + small)
    moved = [entry.subs(at(left, right), simultaneous=True) for entry in descent().update]
    image = (Matrix(2, 2, moved[:4]) * Matrix(2, 2, moved[4:]).T)[1, 1] - s2**2
    before = (left * right.T)[1, 1] - s2**2
    factor = image.diff(small).subs(small, 0) / before.diff(small).subs(small, 0)
    printed = 1 - eta * s2**power * (alpha**2 + 1 / alpha**2)
    return display({alpha: POSITIVE, s1: POSITIVE, s2: POSITIVE, eta: POSITIVE}, {"factor": (factor, printed)})


@section.step("observation-2", "m7", "The lower block contracts by 1 - eta sigma_2 (alpha^2 + 1/alpha^2)")
def step_m7() -> Statement:
    return _lower_block(1)


@section.step("observation-2", "m7.corrected", "The lower block contracts by 1 - eta sigma_2^2 (alpha^2 + 1/alpha^2)")
def step_m7_corrected() -> Statement:
    return _lower_block(2)


# Block updates ------------------------------------------------------------------------------------------------------

D, E = plain("D"), plain("E")
"""The deviations of Y and Z from the minimum: D holds the blocks 1, 3, 2, 4 and E the blocks 5, 7, 6, 8."""

BLOCKS = {**dict.fromkeys((*D, *E), S.Reals), alpha: POSITIVE, s1: POSITIVE, s2: POSITIVE, eta: POSITIVE}


def _rest() -> tuple[Matrix, Matrix]:
    return Matrix.diag(alpha * s1, alpha * s2), Matrix.diag(s1 / alpha, s2 / alpha)


def _residual() -> Matrix:
    """M in terms of the deviations."""
    left, right = _rest()
    return D * right.T + left * E.T + D * E.T


@section.step("observation-2", "b.148", "The updates in terms of the deviations", equations=("B.148", "B.149"))
def step_b148() -> Statement:
    left, right = _rest()
    moved = [entry.subs(at(left + D, right + E), simultaneous=True) for entry in descent().update]
    stated_left = left + D - eta * _residual() * (right + E)
    stated_right = right + E - eta * _residual().T * (left + D)
    stated = (*stated_left, *stated_right)
    names = [str(entry) for entry in (*Y, *Z)]
    return display(BLOCKS, dict(zip(names, zip(moved, stated, strict=True), strict=True)))


@section.step("observation-2", "b.158", "The blocks of M", equations=("B.158", "B.159", "B.160", "B.161"))
def step_b158() -> Statement:
    left, right = _rest()
    M = (left + D) * (right + E).T - left * right.T
    one, three, two, four = D
    five, seven, six, eight = E
    return display(
        BLOCKS,
        {
            "M_11": (M[0, 0], one * right[0, 0] + left[0, 0] * five + one * five + three * seven),
            "M_21": (M[1, 0], two * right[0, 0] + left[1, 1] * seven + two * five + four * seven),
            "M_12": (M[0, 1], three * right[1, 1] + left[0, 0] * six + one * six + three * eight),
            "M_22": (M[1, 1], four * right[1, 1] + left[1, 1] * eight + two * six + four * eight),
        },
    )


@section.step(
    "observation-2", "b.164", "Updates of the blocks of Y", equations=("B.163", "B.164", "B.166", "B.168", "B.170")
)
def step_b164() -> Statement:
    _, right = _rest()
    M = _residual()
    one, three, two, four = D
    five, seven, six, eight = E
    moved = D - eta * M * (right + E)
    return display(
        BLOCKS,
        {
            "one": (moved[0, 0], one - eta * (M[0, 0] * right[0, 0] + M[0, 0] * five + M[0, 1] * six)),
            "two": (moved[1, 0], two - eta * (M[1, 0] * right[0, 0] + M[1, 0] * five + M[1, 1] * six)),
            "three": (moved[0, 1], three - eta * (M[0, 0] * seven + M[0, 1] * right[1, 1] + M[0, 1] * eight)),
            "four": (moved[1, 1], four - eta * (M[1, 0] * seven + M[1, 1] * right[1, 1] + M[1, 1] * eight)),
        },
    )


@section.step(
    "observation-2", "b.172", "Updates of the blocks of Z", equations=("B.171", "B.172", "B.174", "B.176", "B.178")
)
def step_b172() -> Statement:
    left, _ = _rest()
    M = _residual().T
    one, three, two, four = D
    five, seven, six, eight = E
    moved = E - eta * M * (left + D)
    return display(
        BLOCKS,
        {
            "five": (moved[0, 0], five - eta * (M[0, 0] * left[0, 0] + M[0, 0] * one + M[0, 1] * two)),
            "six": (moved[1, 0], six - eta * (M[1, 0] * left[0, 0] + M[1, 0] * one + M[1, 1] * two)),
            "seven": (moved[0, 1], seven - eta * (M[0, 0] * three + M[0, 1] * left[1, 1] + M[0, 1] * four)),
            "eight": (moved[1, 1], eight - eta * (M[1, 0] * three + M[1, 1] * left[1, 1] + M[1, 1] * four)),
        },
    )


@section.step(
    "observation-2", "b.180", "Updates of the leading entries", equations=("B.179", "B.180", "B.181", "B.182")
)
def step_b180() -> Statement:
    left, right = _rest()
    M = _residual()
    one, three, two, _ = D
    five, seven, six, _ = E
    core = one * s1 / alpha + s1 * alpha * five + one * five
    return display(
        BLOCKS,
        {
            "one": (
                (D - eta * M * (right + E))[0, 0],
                one
                - eta * core * (s1 / alpha + five)
                - eta * M[0, 1] * six
                - eta * three * seven * (s1 / alpha + five),
            ),
            "five": (
                (E - eta * M.T * (left + D))[0, 0],
                five - eta * core * (s1 * alpha + one) - eta * M[1, 0] * two - eta * three * seven * (s1 * alpha + one),
            ),
        },
    )


# Observations 1 and 5 -----------------------------------------------------------------------------------------------


def spectrum() -> tuple[Expr, tuple[Expr, Expr]]:
    """The cubic at alpha = 1: one real root, and the sum and the product of the other two roots."""
    k = K * kappa
    return k**2 - (K - 1) * (1 + k), (k * (K - 1) - 3 * K + k**2 + 4, 2 * K**2 + 3 * k * (K - 1) - 5 * K + k**2 + 3)


def _attracts() -> Boolean:
    """Every direction that leaves the family of 2-cycles contracts over the cycle with equal second factors."""
    along, (root, (total, product)) = 9 - 2 * (K + 1) ** 2, spectrum()
    single = (along, 3 - 2 * K, 1 - 2 * K * kappa, root)
    pair = And(product < 1, 1 - total + product > 0, 1 + total + product > 0)
    return And(*[And(value > -1, value < 1) for value in single], pair)


BALANCED = {K: RANGE, kappa: Interval.open(0, 1)}


@paper.statement(
    "observation-1.multipliers",
    "With eta (sigma_1^2 + sigma_2^2) < 2 the balanced 2-cycle of factorisation attracts",
    scope=part("the multipliers of the balanced 2-cycle lie inside the unit disc, for 2 x 2 matrices"),
)
def observation_1() -> Statement:
    return Statement(
        variables=BALANCED,
        given=(K * (1 + kappa) < bound,),
        then=_attracts(),
        constants=(TWO,),
        notes="A positive measure of initialisations: every direction that leaves the family of minimal 2-cycles"
        " contracts, for the cycle with equal second factors. The multipliers are those of the leading entries (two),"
        " of the second ones, and of the off-diagonal ones, whose cubic has the roots that #roots gives.",
    )


@section.step(
    "observation-1.multipliers",
    "roots",
    "For equal second factors the cubic of Observation 2 has a rational root",
    scope=own("the roots of the cubic for equal second factors"),
)
def step_roots() -> Statement:
    root, (total, product) = spectrum()
    c2, c1, c0 = cubic(S(2))
    return display(
        {**BALANCED, lam: S.Reals},
        {"cubic": (lam**3 + c2 * lam**2 + c1 * lam + c0, (lam - root) * (lam**2 - total * lam + product))},
    )


@paper.statement(
    "observation-1.b",
    "The range is exact: it attracts only for eta (sigma_1^2 + sigma_2^2) < 2",
    scope=own("the converse: the range is exact"),
)
def observation_1_sharp() -> Statement:
    return Statement(variables=BALANCED, then=Equivalent(_attracts(), K * (1 + kappa) < 2))


paper.unstated(
    "observation-5",
    "Observation 2 again, with eta = 1/sigma_1^2 + beta, 0 < beta sigma_1^2 < sqrt(4.5) - 1 and (B.142), d x d",
    missing=f"{EVERY_SIZE}, and O(epsilon) along a trajectory",
    equations=("B.142", "B.143", "B.144", "B.145"),
)
paper.unstated(
    "remark-7",
    "What a proof of Observation 5 lacks: control of the error terms, and the spectrum of Q in early stages",
    missing="a claim to state",
)


@paper.statement(
    "observation-5.multipliers",
    "The restatement: eta = 1/sigma_1^2 + beta with 0 < beta sigma_1^2 < sqrt(4.5) - 1",
    scope=part("the multipliers of the scalar 2-cycle; (B.142), alpha, sigma_2 and the error O(epsilon) are left out"),
)
def observation_5() -> Statement:
    return _along_cycle(1 + BOUND)


@paper.statement("observation-5.multipliers.corrected", "The restatement with 1 + beta sigma_1^2 below sqrt(4.5) - 1")
def observation_5_corrected() -> Statement:
    return _along_cycle(BOUND)


def _along_cycle(largest: Expr) -> Statement:
    """The cycle attracts along the leading component: the multiplier of the quartic loss lies in (-1, 1)."""
    multiplier = 9 - 2 * (K + 1) ** 2
    return Statement(
        variables={K: Interval.open(1, largest)},
        then=And(multiplier > -1, multiplier < 1, 3 - 2 * K > -1),
        notes="K is 1 + beta sigma_1^2.",
    )
