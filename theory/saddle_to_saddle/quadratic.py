"""Section 5.2 and Appendix H: the quadratic case, where the time scales separate between units.

The flow of quadratic units, attention as an instance, and the scalar model; Proposition 5 is in `unit_separation`.
"""

from __future__ import annotations

from sympy import And, Eq, Expr, Integer, Matrix, S, Symbol, symbols

from theory.displays import equal
from theory.domains import POSITIVE
from theory.dynamics import Flow, gradient_flow
from theory.saddle_to_saddle._display import claim_on_reals
from theory.saddle_to_saddle._paper import paper
from theory.saddle_to_saddle.architectures import attention, kronecker
from theory.scope import case, own, whole
from theory.statements import Statement
from theory.temporal import Scaling

v, u = symbols("v_1:3"), [Matrix(symbols(f"u_{name}1:3")) for name in "ab"]
y = Symbol("y")


def _matrix(*, symmetric: bool) -> Matrix:
    entries = symbols("z_1:5")
    return Matrix(2, 2, (entries[0], entries[1], entries[1] if symmetric else entries[2], entries[3]))


def derived_flow(form: Matrix) -> Flow:
    """Gradient flow of two units v u^T Z u on one sample."""
    error = y - sum(weight * (row.T * form * row)[0] for weight, row in zip(v, u, strict=True))
    return gradient_flow(error**2 / 2, (v[0], *u[0]))


def printed_flow(form: Matrix) -> list[Expr]:
    """(44) for the first unit, with the data matrices of one sample."""
    flat = Matrix(list(form.T))
    squared, crossed = flat * flat.T, y * form
    pairs = [(weight, kronecker(row, row)) for weight, row in zip(v, u, strict=True)]
    of_v = (u[0].T * crossed * u[0])[0] - sum(w * (pair.T * squared * pairs[0][1])[0] for w, pair in pairs)
    spread = kronecker(u[0], Matrix.eye(2))
    pull = sum((w * pair.T * squared * spread for w, pair in pairs), Matrix.zeros(1, 2))
    of_u = 2 * v[0] * crossed * u[0] - 2 * v[0] * pull.T
    return [of_v, *of_u]


@paper.statement(
    "equation-44",
    "Gradient flow of quadratic units for any matrix Z",
    scope=case("one sample, two units, D = 2"),
    equations=("13", "43", "44"),
)
def equation_44() -> Statement:
    form = _matrix(symmetric=False)
    return claim_on_reals(
        equal((list(derived_flow(form).velocity), printed_flow(form))),
        notes="Z is introduced as any function of the input; (44b) needs Z symmetric, which is no loss in (13).",
    )


@paper.statement("equation-44.corrected", "The same for symmetric Z")
def equation_44_corrected() -> Statement:
    form = _matrix(symmetric=True)
    return claim_on_reals(equal((list(derived_flow(form).velocity), printed_flow(form))))


def _line(weight: Expr) -> Statement:
    """The second line of H.1 for the first weights, symmetric Z."""
    form = _matrix(symmetric=True)
    error = y - sum(w * (row.T * form * row)[0] for w, row in zip(v, u, strict=True))
    return claim_on_reals(equal((list(derived_flow(form).velocity[1:]), list(weight * error * 2 * form * u[0]))))


@paper.step(
    "equation-44",
    "h.1.u",
    "Velocity of u as displayed in H.1, without the factor v_i",
    scope=case("one sample, two units, D = 2, symmetric Z"),
)
def step_h1() -> Statement:
    return _line(Integer(1)).but(notes="H.1, second line for u_i: the factor v_i is missing there and back in (44b).")


@paper.step("equation-44", "h.1.u.corrected", "The same with the factor v_i")
def step_h1_corrected() -> Statement:
    return _line(v[0])


@paper.step("equation-44", "h.1.v", "Velocity of v as displayed in H.1", scope=case("one sample, two units, D = 2"))
def step_h1_v() -> Statement:
    form = _matrix(symmetric=False)
    error = y - sum(w * (row.T * form * row)[0] for w, row in zip(v, u, strict=True))
    return claim_on_reals(equal((derived_flow(form).velocity[0], error * (u[0].T * form * u[0])[0])))


@paper.step(
    "equation-44",
    "conserved",
    "v_i^2 - |u_i|^2 / 2 is constant for every unit",
    scope=own("not in print for (44): one sample, two units, D = 2"),
)
def step_conserved() -> Statement:
    flow = derived_flow(_matrix(symmetric=False))
    return claim_on_reals(equal((flow.derivative_along(v[0] ** 2 - (u[0].T * u[0])[0] / 2), S.Zero)))


@paper.statement(
    "claim-5.2.a",
    "A linear attention head on scalar tokens is v u^T Z u with Z cubic in the tokens",
    scope=case("two scalar tokens"),
)
def claim_5_2_a() -> Statement:
    tokens, head = symbols("x_1:3"), symbols("k q")
    output = attention(softmax=False).phi(tokens, head)[0]
    cubic = tokens[0] * (tokens[0] ** 2 + tokens[1] ** 2) / 2
    form = Matrix([[0, cubic], [cubic, 0]])
    return claim_on_reals(
        equal((output, (Matrix(head).T * form * Matrix(head))[0])),
        notes="With tokens of D + 1 entries, as in (69)-(70), the last row of V has D + 1 numbers: then v in (13) is a"
        " vector and phi a row of quadratic forms, which (13), stated for scalar v, does not cover.",
    )


@paper.statement(
    "claim-5.2.a.vector",
    "With (69)-(70) one number v per head suffices: the two rows of V act in proportion",
    scope=case("two-dimensional tokens, rank one"),
)
def claim_5_2_a_vector() -> Statement:
    """Two-dimensional tokens, rank 1: the output is (v.S k)(q.x); a scalar v would need S k to keep its direction."""
    key, other = Matrix(symbols("k_1:3")), Matrix(symbols("m_1:3"))
    second = Matrix([[Symbol("s_11"), Symbol("s_12")], [Symbol("s_12"), Symbol("s_22")]])
    first, changed = second * key, second * other
    return claim_on_reals(
        equal((first[0] * changed[1], first[1] * changed[0])),
        notes="Section 5.2 says that linear attention fits (13), which has one number v for each unit; with the sizes"
        " of (70) it has a vector, and claim-5.2.a.vector.corrected is the form that fits.",
    )


@paper.statement(
    "claim-5.2.a.vector.corrected", "With (69)-(70) a head is a sum of v_a times quadratic forms, one for each a"
)
def claim_5_2_a_corrected() -> Statement:
    """Two-dimensional tokens, rank 1: (v.S k)(q.x) = sum of v_a u^T Z_a u with u = (k, q)."""
    key, query, value = (Matrix(symbols(f"{name}_1:3")) for name in "kqv")
    second = Matrix([[Symbol("s_11"), Symbol("s_12")], [Symbol("s_12"), Symbol("s_22")]])
    last = Matrix(symbols("x_1:3"))
    both, zero = Matrix([*key, *query]), Matrix.zeros(2, 2)
    total = Integer(0)
    for entry, row in zip(value, (second[0, :], second[1, :]), strict=True):
        block = row.T * last.T / 2
        form = Matrix.vstack(Matrix.hstack(zero, block), Matrix.hstack(block.T, zero))
        total += entry * (both.T * form * both)[0]
    return claim_on_reals(equal(((value.T * second * key)[0] * (query.T * last)[0], total)))


@paper.statement(
    "claim-5.2.b",
    "The matrix of a linear attention head has eigenvalues of both signs",
    scope=own("not in print: linear attention meets the assumption of Proposition 5; scalar tokens"),
)
def claim_5_2_b() -> Statement:
    x, c = symbols("x c")
    form = Matrix([[0, c], [c, 0]])
    return claim_on_reals(equal(((x * Matrix.eye(2) - form).det(), (x - c) * (x + c))))


# Eqs. (15) and (16) -------------------------------------------------------------------------------------------------

t, first, second = symbols("t g_i g_j")


@paper.statement("equation-15", "v = 1 / (1/v(0) - t) solves v' = v^2", scope=whole(), equations=("15",))
def equation_15() -> Statement:
    value = 1 / (1 / first - t)
    return Statement(
        variables={first: S.Reals - {0}, t: S.Reals},
        given=(t * first < 1,),
        then=And(Eq(value.diff(t), value**2, evaluate=False), Eq(value.subs(t, 0), first, evaluate=False)),
    )


@paper.statement("equation-16", "One unit in terms of another", scope=whole(), equations=("16",))
def equation_16() -> Statement:
    mine, other = 1 / (1 / first - t), 1 / (1 / second - t)
    printed = 1 / ((second / first - 1) / second + 1 / other)
    return Statement(
        variables={first: S.Reals - {0}, second: S.Reals - {0}, t: S.Reals},
        given=(t * first < 1, t * second < 1),
        then=Eq(mine, printed, evaluate=False),
    )


@paper.statement(
    "equation-16.a",
    "When the largest unit has size one, the others have size epsilon",
    scope=case("the largest unit has size exactly one"),
    equations=("16",),
)
def equation_16_a() -> Statement:
    eps = Symbol("epsilon")
    others = 1 / ((second / first - 1) / (eps * second) + 1)
    return Statement(
        variables={first: POSITIVE, second: POSITIVE}, given=(first < second,), then=Scaling(others, eps, 1)
    )
