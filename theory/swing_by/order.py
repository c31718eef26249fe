"""Appendix B and E.2: the order of generalisation over the lattice of test points, and random starts."""

from __future__ import annotations

from math import prod

from sympy import And, Expr, Interval, Matrix, Poly, S, Symbol

from theory.displays import equal
from theory.domains import POSITIVE
from theory.scope import case, measured, own
from theory.statements import Computation, Statement
from theory.swing_by._paper import paper
from theory.swing_by.model import jacobian, loss_at, means, upper, weights

tau = Symbol("tau")


def lattice_point(choice: tuple[int, ...]) -> Matrix:
    """The test point (B.1) of an index vector."""
    return Matrix([v * m for v, m in zip(choice, means(len(choice)), strict=True)])


@paper.statement(
    "equation-b.2",
    "For the symmetric model a test point with fewer concepts never has the larger loss",
    label="Equation (B.2)",
    equations=("B.1", "B.2"),
    scope=own(
        "a question of ours at every positive definite W, s = 2: the paper observes (B.2) while an MLP is trained"
    ),
)
def equation_b_2() -> Statement:
    """Any W = U U^T can be a start, and (B.2) is said of all of training; s = 2, (1, 0) against (1, 1)."""
    W = jacobian(2)
    return Statement(
        variables={**dict.fromkeys(upper(W), POSITIVE), **dict.fromkeys(means(2), POSITIVE)},
        given=(W.det() > 0, W[0, 0] < 1, W[1, 1] < 1),
        then=loss_at(W, lattice_point((1, 0))) <= loss_at(W, lattice_point((1, 1))),
    )


@paper.statement(
    "equation-b.2.a",
    "For the one-layer model from zero, (B.2) holds at every time",
    equations=("B.2",),
    scope=case("the one-layer linear model from zero weights, s = 3, two neighbouring pairs of indices"),
)
def equation_b_2_one_layer() -> Statement:
    """e_p is exp(-a_p t): the loss of index v is half the sum of v_p mu_p^2 e_p^2; s = 3, one concept added."""
    e = [Symbol(f"e_{p}") for p in (1, 2, 3)]
    m = means(3)
    loss = {
        v: sum((v[p] * m[p] ** 2 * e[p] ** 2 for p in range(3)), S.Zero) / 2 for v in ((1, 0, 0), (1, 1, 0), (1, 1, 1))
    }
    return Statement(
        variables={**dict.fromkeys(m, POSITIVE), **dict.fromkeys(e, Interval.Lopen(0, 1))},
        then=And(loss[1, 0, 0] <= loss[1, 1, 0], loss[1, 1, 0] <= loss[1, 1, 1]),
    )


@paper.statement(
    "equation-b.2.b",
    "For a diagonal W between 0 and 1, (B.2) holds",
    equations=("B.2",),
    scope=own("the nearest true form of equation-b.2, s = 2"),
)
def equation_b_2_diagonal() -> Statement:
    W = jacobian(2)
    at = {W[0, 1]: 0}
    losses = [loss_at(W, lattice_point(v)).subs(at) for v in ((1, 0), (1, 1))]
    return Statement(
        variables={**dict.fromkeys(means(2), POSITIVE), W[0, 0]: Interval(0, 1), W[1, 1]: Interval(0, 1)},
        then=losses[0] <= losses[1],
    )


@paper.statement(
    "figure-7",
    "During training a ReLU network respects (B.2) on all comparable pairs of test points",
    label="Figure 7",
    scope=measured(
        "one run (seed 1), epochs 1, 3 and 5, 195 comparisons; the start is not printed, here uniform without bias"
    ),
)
def figure_7() -> Statement:
    """mu = (1, 2, 3, 4), sigma = 1/2; the 65 comparable pairs of different indices at the end of epochs 1, 3 and 5."""
    return Statement(
        then=equal((Symbol("violations"), S.Zero)),
        computed=Computation("swing_by.relu_order", {"seed": 1}, yields=("violations",), exact=False),
        notes="A finding against the print, from one run (seed 1): 3 of 195 comparisons are in the wrong order. The"
        " initialisation is not given in the paper, here uniform without bias; a proof would have to enclose the run.",
    )


def gaussian_moment(value: Expr, variables: tuple[Symbol, ...]) -> Expr:
    """The expectation of a polynomial in independent standard normal variables.

    >>> x, y = Symbol("x"), Symbol("y")
    >>> gaussian_moment(x**4 + x**2 * y**2 + x, (x, y))
    4
    """

    def moment(power: int) -> int:
        return 0 if power % 2 else prod(range(1, power, 2))

    terms = Poly(value, *variables).terms()
    return sum((c * prod(moment(power) for power in powers) for powers, c in terms), S.Zero)


def start_moments(width: int) -> dict[str, Expr]:
    """Mean and variance of w_11 and w_12 when the rows of U are N(0, tau^2 I) of a width d'.

    >>> start_moments(2)["mean_11"]
    2*tau**2
    """
    U = weights(2, width)
    W = (tau**2 * U * U.T).applyfunc(lambda entry: entry.expand())
    free = tuple(U)
    found = {}
    for name, entry in (("11", W[0, 0]), ("12", W[0, 1])):
        mean = gaussian_moment(entry, free)
        found[f"mean_{name}"] = mean
        found[f"variance_{name}"] = (gaussian_moment((entry**2).expand(), free) - mean**2).expand()
    return found


@paper.statement(
    "equation-e.1",
    "The mean of w_ij(0) is d' tau^2 on the diagonal and 0 elsewhere",
    equations=("E.1",),
    scope=case("d' = 2, 3, 4"),
)
def equation_e_1() -> Statement:
    found = {width: start_moments(width) for width in (2, 3, 4)}
    pairs = [(found[k]["mean_11"], k * tau**2) for k in found] + [(found[k]["mean_12"], S.Zero) for k in found]
    return Statement(variables={tau: POSITIVE}, then=equal(*pairs), notes="d' = 2, 3 and 4.")


@paper.statement(
    "equation-e.1.a",
    "The variance of w_12(0) is d' tau^4, of w_11(0) 2 d' tau^4",
    equations=("E.1",),
    scope=own("a formula of ours, d' = 2, 3, 4"),
)
def equation_e_1_variance() -> Statement:
    found = {width: start_moments(width) for width in (2, 3)}
    pairs = [(found[k]["variance_12"], k * tau**4) for k in found]
    pairs += [(found[k]["variance_11"], 2 * k * tau**4) for k in found]
    return Statement(variables={tau: POSITIVE}, then=equal(*pairs), notes="d' = 2 and 3.")


@paper.statement(
    "equation-e.1.b",
    "The variance of w_12(0) is larger for the smaller d'",
    label="Appendix E.2",
    scope=case("w_12, d' = 2 against d' = 3"),
)
def equation_e_1_small_width() -> Statement:
    return Statement(variables={tau: POSITIVE}, then=start_moments(2)["variance_12"] > start_moments(3)["variance_12"])


@paper.statement(
    "equation-e.1.b.corrected", "The spread of w_12(0) against the mean of w_11(0) is larger for the smaller d'"
)
def equation_e_1_relative() -> Statement:
    """By equation-e.1.a the variance is d' tau^4 and the mean d' tau^2."""
    p, q = Symbol("p"), Symbol("q")
    spread = {width: width * tau**4 / (width * tau**2) ** 2 for width in (p, q)}
    return Statement(variables=dict.fromkeys((tau, p, q), POSITIVE), given=(p < q,), then=spread[p] > spread[q])


@paper.statement(
    "claim-e.2.signs",
    "Each entry of a Gaussian start has equal chance to be positive or negative",
    label="Section 4.2.2",
    scope=own("a question of ours about w_11: the paper says it of the minor entries"),
)
def equal_chance() -> Statement:
    """A diagonal entry is a sum of squares."""
    U = weights(2, 2)
    W = U * U.T
    return Statement(
        variables=dict.fromkeys(U, S.Reals), given=(U[0, 0] > 0,), then=W[0, 0] < 0,
        notes="If it had equal chance, some start with a negative diagonal entry would exist.",
    )  # fmt: skip


@paper.statement(
    "claim-e.2.signs.a",
    "Turning one row of U round turns the sign of its off-diagonal entries and keeps the density",
    label="Section 4.2.2",
    scope=case("w_12 for d' = 3: the symmetry of the density, not the probability"),
)
def off_diagonal_chance() -> Statement:
    U = weights(2, 3)
    turned = Matrix([list(-U.row(0)), list(U.row(1))])
    before, after = U * U.T, turned * turned.T
    squares = [sum((x**2 for x in M), S.Zero) for M in (U, turned)]
    return Statement(
        variables=dict.fromkeys(U, S.Reals),
        then=equal((after[0, 1], -before[0, 1]), (after[0, 0], before[0, 0]), (squares[0], squares[1])),
    )


@paper.statement(
    "claim-e.2.all-positive",
    "For s = 3 and d' = 2 all minor entries are positive with probability 3/16",
    label="Appendix E.2",
    scope=own("a number of ours"),
)
def all_positive() -> Statement:
    """Three directions in the plane lie within a quarter turn; measured."""
    low, high, value = Symbol("lower"), Symbol("upper"), S(3) / 16
    return Statement(
        then=And(low <= value, value <= high),
        computed=Computation("swing_by.all_positive", {"s": 3, "width": 2, "trials": 200_000, "seed": 1},
                             yields=("lower", "upper"), exact=False),
        notes="A proof: the largest gap of three random directions on a circle.",
    )  # fmt: skip
