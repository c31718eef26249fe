"""Appendix G.3: the fixed points of a linear layer, Lemma 6 and Remark 2.

Eigenvectors are taken along the axes by a rotation of the outputs. Sufficiency is shown with a general input matrix;
necessity is asked in the smallest shapes, where it is a question about polynomials.
"""

from __future__ import annotations

from collections.abc import Sequence

from sympy import And, Eq, Equivalent, Expr, Interval, Matrix, Ne, Or, S, Symbol, ZeroMatrix, binomial, symbols
from sympy.logic.boolalg import Boolean

from theory.displays import equal
from theory.domains import POSITIVE
from theory.dynamics import matrix
from theory.language.spaces import Matrices, PositiveSemidefinite, SymmetricMatrices, identity, trace
from theory.saddle_to_saddle._display import claim_on_reals, reals
from theory.saddle_to_saddle._paper import paper
from theory.scope import case, own, whole
from theory.statements import Computation, Statement
from theory.temporal import Exists

s, t = symbols("s t")
Units = Sequence[tuple[Matrix, Matrix]]


def product_of(units: Units) -> Matrix:
    """W, the sum of v u^T."""
    first = units[0]
    return sum((v * u.T for v, u in units), Matrix.zeros(first[0].rows, first[1].rows))


def resting(units: Units, sigma: Matrix) -> tuple[Boolean, ...]:
    """No unit moves under (9) with white inputs."""
    residual = sigma - product_of(units)
    forces = [entry for v, u in units for entry in (*(residual * u), *(residual.T * v))]
    return tuple(Eq(entry, 0) for entry in forces)


def family(units: Units, sigma: Matrix, chosen: Sequence[int]) -> Boolean:
    """(40) for one index set, eigenvectors along the axes, white inputs."""
    kept = Matrix(sigma.rows, sigma.cols, lambda row, column: sigma[row, column] if row in chosen else 0)
    claims: list[Boolean] = [Eq(a, b) for a, b in zip(product_of(units), kept, strict=True)]
    for v, u in units:
        claims += [Eq(v[row], 0) for row in range(sigma.rows) if row not in chosen]
        spanned = [row for row in chosen if any(entry != 0 for entry in sigma[row, :])]
        claims += [Eq(u[column], 0) for column in range(sigma.cols) if all(sigma[row, column] == 0 for row in spanned)]
    return And(*claims)


def columns(names: str, rows: int, cols: int) -> list[tuple[Matrix, Matrix]]:
    """Units with v of `rows` and u of `cols` entries."""
    return [
        (
            Matrix([Symbol(f"v_{name}{k + 1}") for k in range(rows)]),
            Matrix([Symbol(f"u_{name}{k + 1}") for k in range(cols)]),
        )
        for name in names
    ]


def necessity(units: Units, sigma: Matrix, sets: Sequence[Sequence[int]], **domains: Interval) -> Statement:
    """Every fixed point belongs to one of the families."""
    weights = [entry for v, u in units for entry in (*v, *u)]
    return Statement(
        variables=reals(weights) | {Symbol(name): domain for name, domain in domains.items()},
        given=resting(units, sigma),
        then=Or(*[family(units, sigma, chosen) for chosen in sets]),
    )


N_v, N_u, H, P = symbols("N_v N_u H P")
SIGMA, MOMENT, INVERSE = matrix("Sigma_yz", N_v, N_u), matrix("Sigma_zz", N_u, N_u), matrix("K", N_u, N_u)
V, U = matrix("V", N_v, H), matrix("U", N_u, H)
KEPT, MIXED = matrix("Pi", N_v, N_v), matrix("C", N_v, H)


@paper.statement(
    "lemma-6",
    "The fixed points of (9) are exactly the weights of the form (40)",
    scope=whole(),
    equations=("40",),
)
def lemma_6() -> Statement:
    residual, pulled = SIGMA - V * U.T * MOMENT, INVERSE * SIGMA.T
    at_rest = And(Eq(residual * U, ZeroMatrix(N_v, H)), Eq(residual.T * V, ZeroMatrix(N_u, H)))
    projects = And(Eq(KEPT * KEPT, KEPT), Eq(KEPT * SIGMA * pulled, SIGMA * pulled * KEPT), trace(KEPT) <= N_u)
    form = And(Eq(V * U.T, KEPT * pulled.T), Eq(V, KEPT * V), Eq(U, pulled * KEPT * MIXED))
    known = Exists(KEPT, SymmetricMatrices(N_v), Exists(MIXED, Matrices(N_v, H), And(projects, form)))
    return Statement(
        variables={
            SIGMA: Matrices(N_v, N_u),
            MOMENT: PositiveSemidefinite(N_u),
            INVERSE: Matrices(N_u, N_u),
            V: Matrices(N_v, H),
            U: Matrices(N_u, H),
        },
        given=(Eq(MOMENT * INVERSE, identity(N_u)),),
        then=Equivalent(at_rest, known),
        notes="The columns of V and U are the weights of the units, K is the inverse of Sigma_zz. Pi is the sum of"
        " e_k e_k^T over the chosen indices: a projection that commutes with Sigma_yz K Sigma_yz^T, of rank at most"
        " min(N_v, N_u); where eigenvalues are equal, the eigenvectors may be chosen. Its cases lemma-6.tall,"
        " lemma-6.wide-input and lemma-6.two-units are refuted: these units rest outside of (40). A decision of the"
        " whole needs counterexamples to the existence of matrices.",
    )


@paper.statement(
    "lemma-6.two-units",
    "Two outputs, one input, two units: every fixed point has the form (40)",
    scope=case("necessity: two outputs, one input, two units, white inputs"),
    equations=("40",),
)
def lemma_6_two_units() -> Statement:
    units = columns("ab", 2, 1)
    return necessity(units, Matrix([s, 0]), [(), (0,)], s=POSITIVE).but(
        notes="Nothing in the lemma excludes N_v > N_u. At a global minimum the residual is zero, so second weights"
        " outside the span may cancel in W."
    )


@paper.statement(
    "lemma-6.one",
    "One input, one output, two units: (40) gives all fixed points",
    scope=case("necessity: one output, one input, two units, white input"),
)
def lemma_6_one() -> Statement:
    return necessity(columns("ab", 1, 1), Matrix([s]), [(), (0,)], s=POSITIVE)


@paper.statement(
    "lemma-6.single",
    "One input, one output, one unit: (40) gives all fixed points",
    scope=case("necessity: one output, one input, one unit, white input"),
)
def lemma_6_single() -> Statement:
    return necessity(columns("a", 1, 1), Matrix([s]), [(), (0,)], s=POSITIVE)


@paper.statement(
    "lemma-6.tall",
    "Two outputs, one input, one unit: every fixed point has the form (40)",
    scope=case("necessity: two outputs, one input, one unit, white input"),
)
def lemma_6_tall() -> Statement:
    return necessity(columns("a", 2, 1), Matrix([s, 0]), [(), (0,)], s=POSITIVE).but(
        notes="The unit u = 0, v orthogonal to Sigma rests, although v is not in the span that (40) allows."
    )


@paper.statement(
    "lemma-6.corrected-b",
    "Two inputs and outputs, one unit, different positive singular values",
    scope=own("the nearest true form of lemma-6 for two outputs, two inputs, one unit, white inputs"),
)
def lemma_6_corrected_b() -> Statement:
    statement = necessity(columns("a", 2, 2), Matrix([[s, 0], [0, t]]), [(), (0,), (1,)], s=POSITIVE, t=POSITIVE)
    return statement.but(given=(*statement.given, s > t))


@paper.statement(
    "lemma-6.wide-input",
    "One output, two inputs, one unit: every fixed point has the form (40)",
    scope=case("necessity: one output, two inputs, one unit, white inputs"),
)
def lemma_6_wide_input() -> Statement:
    return necessity(columns("a", 1, 2), Matrix([[s, 0]]), [(), (0,)], s=POSITIVE).but(
        notes="The unit v = 0, u orthogonal to Sigma rests although u is not in the span; this point contradicts the"
        " remark of Appendix A that a scalar output leaves no saddle other than zero."
    )


@paper.statement(
    "lemma-6.repeated",
    "Equal singular values, one unit: fixed points along the given eigenvectors only",
    scope=case("necessity: two outputs, two inputs, one unit, white inputs, equal singular values"),
)
def lemma_6_repeated() -> Statement:
    return necessity(columns("a", 2, 2), Matrix([[s, 0], [0, s]]), [(), (0,), (1,)], s=POSITIVE).but(
        notes="The lemma speaks of 'the' eigenvectors; with a repeated eigenvalue they are not determined, see"
        " lemma-6.repeated.corrected."
    )


@paper.statement("lemma-6.repeated.corrected", "Equal singular values, one unit: first and second weights are parallel")
def lemma_6_repeated_corrected() -> Statement:
    units = columns("a", 2, 2)
    ((v, u),) = units
    force = (Matrix([[s, 0], [0, s]]) - product_of(units)) * u
    return claim_on_reals(
        equal((s * (u[0] * v[1] - u[1] * v[0]), v[1] * force[0] - v[0] * force[1])),
        notes="Where the unit rests the right side is zero, so v and u are parallel, in whatever direction.",
    )


@paper.step(
    "lemma-6.repeated.corrected",
    "sizes",
    "Along their common direction they are zero or have the product s",
    scope=own("a step of ours, for one unit"),
)
def step_sizes() -> Statement:
    a, b = symbols("a b")
    return claim_on_reals(
        Or(And(Eq(a, 0), Eq(b, 0)), Eq(a * b, s)),
        given=(Eq((s - a * b) * a, 0), Eq((s - a * b) * b, 0)),
        variables={s: POSITIVE},
    )


@paper.statement(
    "lemma-6.deficient",
    "A singular value zero, one unit: every fixed point has the form (40)",
    scope=case("necessity: two outputs, two inputs, one unit, white inputs, a singular value zero"),
)
def lemma_6_deficient() -> Statement:
    return necessity(columns("a", 2, 2), Matrix([[s, 0], [0, 0]]), [(), (0,), (1,), (0, 1)], s=POSITIVE).but(
        notes="Along the direction with singular value 0 one of v and u may be anything while the other is zero; what"
        " remains true is lemma-6.deficient.corrected."
    )


def _register_map(name: str, rows: int, cols: int, entries: Sequence[Sequence[Expr]]) -> None:
    @paper.statement(
        f"lemma-6.{name}.corrected", "There the map of a fixed point is as in (40), the weights need not be"
    )
    def maps_only() -> Statement:
        units, sigma = columns("a", rows, cols), Matrix(entries)
        ((v, u),) = units
        product_ = product_of(units)
        zero = And(*[Eq(entry, 0) for entry in product_])
        whole = And(*[Eq(x, y) for x, y in zip(product_, sigma, strict=True)])
        return Statement(variables=reals((*v, *u)) | {s: POSITIVE}, given=resting(units, sigma), then=Or(zero, whole))


_register_map("wide-input", 1, 2, [[s, S.Zero]])
_register_map("tall", 2, 1, [[s], [S.Zero]])
_register_map("deficient", 2, 2, [[s, S.Zero], [S.Zero, S.Zero]])


@paper.statement(
    "lemma-6.sufficient",
    "Points of the form (40) are fixed points, for any input matrix",
    scope=case("sufficiency: two outputs, two inputs, two units, one index, any input matrix"),
)
def lemma_6_sufficient() -> Statement:
    """Sigma_yz has rows a_1, a_2, which the inverse input matrix G makes orthogonal; A = {1}, two units."""
    inverse = Matrix([[Symbol("g_1"), Symbol("g_2")], [Symbol("g_2"), Symbol("g_3")]])
    first, second = Matrix(symbols("a_11:13")), Matrix(symbols("a_21:23"))
    alpha, beta = symbols("alpha_1:3"), symbols("beta_1:3")
    units = [(Matrix([x, 0]), y * inverse * first) for x, y in zip(alpha, beta, strict=True)]
    # W Sigma_zz with Sigma_zz = G^-1: the factor G of u cancels
    scaled = sum((v * (y * first).T for (v, _), y in zip(units, beta, strict=True)), Matrix.zeros(2, 2))
    residual = Matrix.vstack(first.T, second.T) - scaled
    forces = [entry for v, u in units for entry in (*(residual * u), *(residual.T * v))]
    orthogonal = Eq((first.T * inverse * second)[0], 0)
    complete = Eq(sum(x * y for x, y in zip(alpha, beta, strict=True)), 1)
    return claim_on_reals(equal((forces, [S.Zero] * len(forces))), given=(orthogonal, complete))


@paper.statement(
    "equation-42",
    "The residual at a fixed point is Sigma_yz without the chosen directions",
    scope=case("two outputs, two inputs, one index"),
    equations=("42",),
)
def equation_42() -> Statement:
    first, second = Matrix(symbols("a_11:13")), Matrix(symbols("a_21:23"))
    chosen = Matrix([[1, 0], [0, 0]])
    sigma = Matrix.vstack(first.T, second.T)
    return claim_on_reals(equal((sigma - chosen * sigma, (Matrix.eye(2) - chosen) * sigma), (sigma[1, :], second.T)))


@paper.statement(
    "claim-a.a",
    "Scalar output: a fixed point that is not a minimum is the origin",
    scope=case("two inputs, one unit, white inputs"),
    label="Appendix A",
)
def claim_a_a() -> Statement:
    units = columns("a", 1, 2)
    sigma = Matrix([[s, 0]])
    weights = [entry for v, u in units for entry in (*v, *u)]
    missed = Or(*[Ne(entry, 0) for entry in sigma - product_of(units)])
    return Statement(
        variables=reals(weights) | {s: POSITIVE},
        given=(*resting(units, sigma), missed),
        then=And(*[Eq(entry, 0) for entry in weights]),
        notes="Appendix A: 'no nonzero saddles'. The unit v = 0, u orthogonal to Sigma rests, with a loss that is not"
        " the least.",
    )


@paper.statement("claim-a.a.corrected", "Scalar output: a fixed point that is not a minimum computes the zero map")
def claim_a_a_corrected() -> Statement:
    units = columns("a", 1, 2)
    sigma = Matrix([[s, 0]])
    weights = [entry for v, u in units for entry in (*v, *u)]
    missed = Or(*[Ne(entry, 0) for entry in sigma - product_of(units)])
    return Statement(
        variables=reals(weights) | {s: POSITIVE},
        given=(*resting(units, sigma), missed),
        then=And(*[Eq(entry, 0) for entry in product_of(units)]),
    )


# Remark 2 -----------------------------------------------------------------------------------------------------------


def _count(values: list[int], width: int) -> Statement:
    count: Expr = Symbol("count")
    return Statement(
        then=Eq(count, binomial(len(values), width)),
        computed=Computation(
            "saddle_to_saddle.maps", {"singular_values": values, "width": width}, yields=("count",), exact=True
        ),
    )


@paper.statement(
    "remark-2",
    "Distinct eigenvalues, the last one zero: C(3,2) maps of effective width 2",
    scope=case("the eigenvalues 4, 1, 0 and effective width two"),
    claims="With distinct eigenvalues there are binomial(D, r) maps of effective width r, one for each index set",
)
def remark_2() -> Statement:
    return _count([2, 1, 0], 2).but(
        notes="The remark asks for distinct eigenvalues only; an index set with the eigenvalue 0 has a map of smaller"
        " rank."
    )


def _register(values: list[int], width: int) -> None:
    name = "".join(map(str, values))
    title = f"Distinct positive singular values {values}: C({len(values)},{width}) maps of effective width {width}"

    as_large_as_printed = (len(values), width) == (3, 2)
    id_ = "remark-2.corrected" if as_large_as_printed else f"remark-2.corrected-{name}-{width}"

    @paper.statement(id_, title, scope=own("the nearest true form of remark-2, for these singular values"))
    def remark_2_corrected() -> Statement:
        return _count(values, width)


for _values in ([2, 1], [3, 2, 1], [4, 3, 2, 1]):
    for _width in range(1, len(_values)):
        _register(_values, _width)

__all__ = ["family", "necessity", "resting"]
