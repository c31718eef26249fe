"""Section 2 and Appendix C.1: the loss of a linear model as a trace, and the second moments of the population."""

from __future__ import annotations

from sympy import Eq, Expr, Matrix, Poly, Rational, S, Symbol, diag, eye, zeros

from theory.displays import equal
from theory.scope import case, own
from theory.statements import Statement
from theory.swing_by._paper import paper
from theory.swing_by.model import deviations, means, weights

section = paper.section(steps=case("d = 2, two samples"))

W2 = weights(2, 2, "w")
POINTS = tuple(Matrix([Symbol(f"x_{k}1"), Symbol(f"x_{k}2")]) for k in (1, 2))
"""Two data points of dimension 2."""

ROOT = Matrix(2, 2, [Symbol("b_11"), Symbol("b_12"), Symbol("b_12"), Symbol("b_22")])
"""A symmetric square root of the empirical second moment; only its square is used."""


def empirical(points: tuple[Matrix, ...] = POINTS) -> Matrix:
    """The empirical second moment of some points."""
    return sum((x * x.T for x in points), zeros(2, 2)) / len(points)


def error(point: Matrix) -> Expr:
    """|W x - x|^2, from the definition of the model output."""
    rest = W2 * point - point
    return (rest.T * rest)[0]


def _average(values: list[Expr]) -> Expr:
    return sum(values, S.Zero) / len(values)


def _squared_root() -> tuple[Eq, ...]:
    square, target = ROOT * ROOT, empirical()
    return tuple(Eq(square[i, j], target[i, j]) for i, j in ((0, 0), (0, 1), (1, 1)))


def _reals(*parts: object) -> dict[Symbol, object]:
    symbols = set().union(*(part.free_symbols for part in parts))  # type: ignore[attr-defined]
    return dict.fromkeys(sorted(symbols, key=str), S.Reals)


REST = W2 - eye(2)
DATA = _reals(W2, *POINTS)


def _trace_inside(point: Matrix) -> Expr:
    return (point.T * REST.T * REST * point).trace()


def _trace_outside(moment: Matrix) -> Expr:
    return (REST.T * REST * moment).trace()


@paper.statement(
    "equation-2.1",
    "The training loss averages over clusters and samples",
    equations=("2.1",),
    scope=case("d = 2, two clusters of one sample, a linear model; the printed superscript (s) taken literally"),
)
def equation_2_1() -> Statement:
    """Two clusters of one sample: the print has the superscript (s) in every term instead of (p)."""
    first, second = POINTS[:2]
    meant = (error(first) + error(second)) / 4
    return Statement(
        variables=_reals(W2, first, second),
        then=equal(((error(second) + error(second)) / 4, meant)),
        notes="Both copies print the last cluster's superscript inside the sum; the text means the running one.",
    )


@paper.statement(
    "equation-4.1",
    "The loss of a linear model is half |(W - I) A^(1/2)|^2",
    equations=("4.1", "C.6"),
    scope=case("d = 2, two samples, every symmetric root of A"),
)
def equation_4_1() -> Statement:
    printed = sum((entry**2 for entry in REST * ROOT), S.Zero) / 2
    return Statement(
        variables=_reals(W2, *POINTS, ROOT),
        given=_squared_root(),
        then=Eq(_average([error(x) for x in POINTS]) / 2, printed),
        notes="Stated for d = 2 and two points with a free symmetric root of A; every other case has the same terms.",
    )


@section.step("equation-4.1", "c.1", "The error of the model is (W - I) x", equations=("C.1",))
def step_c1() -> Statement:
    printed = [((REST * x).T * (REST * x))[0] for x in POINTS]
    return Statement(variables=DATA, then=equal((_average([error(x) for x in POINTS]) / 2, _average(printed) / 2)))


@paper.step(
    "equation-4.1",
    "c.2",
    "A squared norm is a trace; the sums are not printed",
    equations=("C.2",),
    scope=case("d = 2, two samples; the sums, which are not printed, taken as absent"),
)
def step_c2() -> Statement:
    printed = _trace_inside(POINTS[0]) / (2 * len(POINTS))
    return Statement(variables=DATA, then=equal((_average([error(x) for x in POINTS]) / 2, printed)))


@section.step("equation-4.1", "c.2.corrected", "A squared norm is a trace, under the sums", equations=("C.2",))
def step_c2_corrected() -> Statement:
    printed = _average([_trace_inside(x) for x in POINTS]) / 2
    return Statement(variables=DATA, then=equal((_average([error(x) for x in POINTS]) / 2, printed)))


@paper.step("equation-4.1", "c.3", "The trace is cyclic", equations=("C.3",), scope=case("d = 2, one sample"))
def step_c3() -> Statement:
    x = POINTS[0]
    return Statement(variables=_reals(W2, x), then=equal((_trace_inside(x), _trace_outside(x * x.T))))


@paper.step("equation-4.1", "c.4", "The trace is linear", equations=("C.4",), scope=case("d = 2, one sample"))
def step_c4() -> Statement:
    x, count = POINTS[0], len(POINTS)
    return Statement(
        variables=_reals(W2, x),
        then=equal((_trace_outside(x * x.T) / (2 * count), _trace_outside(x * x.T / count) / 2)),
    )


@paper.step(
    "equation-4.1",
    "c.5",
    "One sample's outer product becomes A; the sums are not printed",
    equations=("C.5",),
    scope=case("d = 1, two samples; the sums, which are not printed, taken as absent"),
)
def step_c5() -> Statement:
    """Two samples x and y in one dimension, where r is the root of their second moment."""
    w, x, y, r = (Symbol(name) for name in ("w", "x", "y", "r"))
    return Statement(
        variables=dict.fromkeys((w, x, y, r), S.Reals),
        given=(Eq(2 * r**2, x**2 + y**2),),
        then=Eq((w - 1) ** 2 * x**2 / 4, (w - 1) ** 2 * r**2 / 2),
        notes="d = 1, which is enough to see that the sums cannot be left out.",
    )


@section.step("equation-4.1", "c.5.corrected", "The average of the outer products is A", equations=("C.5",))
def step_c5_corrected() -> Statement:
    printed = (ROOT * REST.T * REST * ROOT).trace() / 2
    return Statement(
        variables=_reals(W2, *POINTS, ROOT),
        given=_squared_root(),
        then=Eq(_trace_outside(empirical()) / 2, printed),
    )


@paper.step(
    "equation-4.1",
    "c.6",
    "A trace of a product with the transpose is a Frobenius norm",
    equations=("C.6",),
    scope=case("d = 2"),
)
def step_c6() -> Statement:
    printed = sum((entry**2 for entry in REST * ROOT), S.Zero) / 2
    return Statement(variables=_reals(W2, ROOT), then=equal(((ROOT * REST.T * REST * ROOT).trace() / 2, printed)))


# Population moments ---------------------------------------------------------------------------------------------------


def normal(d: int) -> tuple[Symbol, ...]:
    """The coordinates of a standard Gaussian vector."""
    return tuple(Symbol(f"xi_{i}") for i in range(1, d + 1))


def expected(value: Expr, variables: tuple[Symbol, ...]) -> Expr:
    """The expectation of a polynomial of degree at most 2 in independent standard normal variables.

    >>> x, y = normal(2)
    >>> expected(3 * x**2 + 5 * x * y + x + 7, (x, y))
    10
    """
    moments = {(): 1, (1,): 0, (2,): 1, (1, 1): 0}
    terms = Poly(value, *variables).terms()
    return sum((c * moments[tuple(sorted((p for p in powers if p), reverse=True))] for powers, c in terms), S.Zero)


def centre(d: int, cluster: int) -> Matrix:
    """The centre mu_p e_p of a cluster (from 1)."""
    return Matrix(d, 1, lambda i, _: means(d)[i] if i == cluster - 1 else S.Zero)


def spread(d: int, s: int) -> Matrix:
    """diag(sigma), zero beyond the informative directions."""
    return diag(*[value if place < s else S.Zero for place, value in enumerate(deviations(d))])


def population(d: int, s: int, *, origin: bool = False) -> Matrix:
    """E x x^T for a uniformly chosen cluster and a Gaussian around its centre; with `origin` one more cluster at 0.

    >>> population(1, 1)
    Matrix([[m_1**2 + s_1**2]])
    """
    xi = Matrix(normal(d))
    centres = [centre(d, p) for p in range(1, s + 1)] + ([zeros(d, 1)] if origin else [])
    outer = [(mu + spread(d, s) * xi) * (mu + spread(d, s) * xi).T for mu in centres]
    mean = sum(outer, zeros(d, d)) / len(outer)
    return mean.applyfunc(lambda entry: expected(entry.expand(), normal(d)))


def printed_moment(d: int, s: int) -> Matrix:
    """a_p = sigma_p^2 + mu_p^2 / s for p <= s and 0 beyond, as printed below (4.1)."""
    entries = [s_p**2 + m_p**2 / S(s) for m_p, s_p in zip(means(d), deviations(d), strict=True)]
    return diag(*[entry if place < s else S.Zero for place, entry in enumerate(entries)])


def _moments(d: int) -> dict[Symbol, object]:
    return dict.fromkeys((*means(d), *deviations(d)), S.Reals)


@paper.statement(
    "equation-c.13",
    "The second moment is diagonal with entries sigma_p^2 + mu_p^2 / s",
    equations=("C.13",),
    scope=case("(d, s) = (2, 2), (3, 2), (3, 3), (4, 3)"),
)
def equation_c_13() -> Statement:
    return Statement(
        variables=_moments(4),
        then=equal(*[(population(d, s), printed_moment(d, s)) for d, s in ((2, 2), (3, 2), (3, 3), (4, 3))]),
        notes="d = 2, 3, 4 with all or fewer informative directions.",
    )


@paper.statement(
    "equation-c.13.a",
    "The formula stays true when a cluster at the origin is added",
    label="Section 2.1",
    scope=own("a question of ours for d = s = 2: the paper allows the cluster and names no formula for it"),
)
def equation_c_13_a() -> Statement:
    return Statement(
        variables=_moments(2),
        then=equal((population(2, 2, origin=True), printed_moment(2, 2))),
        notes="The later version adds a cluster to the s others; the formula of A does not count it.",
    )


@paper.statement("equation-c.13.a.corrected", "With a cluster at the origin the weight of mu_p^2 is 1 / (s + 1)")
def equation_c_13_a_corrected() -> Statement:
    printed = diag(*[s_p**2 + m_p**2 / 3 for m_p, s_p in zip(means(2), deviations(2), strict=True)])
    return Statement(variables=_moments(2), then=equal((population(2, 2, origin=True), printed)))


@paper.statement(
    "equation-c.13.b",
    "A cluster at the origin that is one of the s clusters leaves the formula as it is",
    scope=case("d = s = 3, the choice of the earlier version"),
)
def equation_c_13_b() -> Statement:
    """The earlier version sets mu_p = 0 for one of the clusters."""
    at_origin = {means(3)[2]: 0}
    return Statement(
        variables=_moments(3),
        then=equal((population(3, 3).subs(at_origin), printed_moment(3, 3).subs(at_origin))),
    )


@paper.statement(
    "equation-c.13.c",
    "A is the covariance of the data",
    label="Section 4",
    scope=case("d = s = 2; the word covariance taken as the centred moment"),
)
def equation_c_13_c() -> Statement:
    """The centred second moment of the mixture with two clusters."""
    mean = (centre(2, 1) + centre(2, 2)) / 2
    return Statement(
        variables=_moments(2),
        then=equal((population(2, 2) - mean * mean.T, printed_moment(2, 2))),
        notes="The text calls A the covariance; it is the second moment about the origin.",
    )


@paper.step(
    "equation-c.13",
    "c.9",
    "A sample is its centre plus diag(sigma) times a normal vector",
    equations=("C.7", "C.9"),
    scope=case("d = s = 2, the first cluster"),
)
def step_c9() -> Statement:
    xi, mu = Matrix(normal(2)), centre(2, 1)
    x = Matrix([means(2)[0] + deviations(2)[0] * xi[0], deviations(2)[1] * xi[1]])
    sample = mu + spread(2, 2) * xi
    return Statement(
        variables={**_moments(2), **dict.fromkeys(normal(2), S.Reals)}, then=equal((x * x.T, sample * sample.T))
    )


@paper.step(
    "equation-c.13", "c.10", "The cross terms vanish in expectation", equations=("C.10",), scope=case("d = s = 2")
)
def step_c10() -> Statement:
    xi = Matrix(normal(2))
    centres = [centre(2, p) for p in (1, 2)]
    chosen = sum((mu * mu.T for mu in centres), zeros(2, 2)) / 2
    noise = (spread(2, 2) * xi * xi.T * spread(2, 2)).applyfunc(lambda entry: expected(entry, normal(2)))
    return Statement(variables=_moments(2), then=equal((population(2, 2), chosen + noise)))


@paper.step(
    "equation-c.13", "c.11", "E xi xi^T = I and the cluster is uniform", equations=("C.11",), scope=case("d = s = 3")
)
def step_c11() -> Statement:
    xi = Matrix(normal(3))
    noise = (spread(3, 3) * xi * xi.T * spread(3, 3)).applyfunc(lambda entry: expected(entry, normal(3)))
    return Statement(variables=_moments(3), then=equal((noise, spread(3, 3) ** 2)))


@paper.step(
    "equation-c.13",
    "c.12",
    "A centre's outer product is mu_p^2 e_p e_p^T",
    equations=("C.12",),
    scope=case("d = s = 3"),
)
def step_c12() -> Statement:
    units = [Matrix(3, 1, lambda i, _, p=p: int(i == p)) for p in range(3)]
    pairs = [(centre(3, p) * centre(3, p).T, means(3)[p - 1] ** 2 * units[p - 1] * units[p - 1].T) for p in (1, 2, 3)]
    return Statement(variables=_moments(3), then=equal(*pairs))


@paper.step(
    "equation-c.13", "c.13", "The sum over the clusters is diag(mu)^2 / s", equations=("C.13",), scope=case("d = s = 3")
)
def step_c13() -> Statement:
    units = [Matrix(3, 1, lambda i, _, p=p: int(i == p)) for p in range(3)]
    summed = sum((means(3)[p] ** 2 * units[p] * units[p].T for p in range(3)), zeros(3, 3)) / 3
    return Statement(variables=_moments(3), then=equal((summed, Rational(1, 3) * diag(*means(3)) ** 2)))
