"""Section 5.2 and Appendix H: the quadratic case, where the time scales separate between units.

After a rotation the matrix Sigma_yZ is diagonal. Powers pi^(2 s_k / s_m) of the paper are symbols where only their
value at one time matters.
"""

from __future__ import annotations

from sympy import Abs, And, Eq, Expr, Integer, Interval, Matrix, Rational, S, Symbol, oo, sqrt, symbols

from theory.displays import equal
from theory.dynamics import Flow, gradient, gradient_flow
from theory.saddle_to_saddle._display import claim_on_reals, measured, reals
from theory.saddle_to_saddle._paper import paper
from theory.saddle_to_saddle.architectures import attention, kronecker
from theory.statements import Statement
from theory.temporal import Always, Scaling

POSITIVE = Interval.open(0, oo)
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


@paper.statement("equation-44", "Gradient flow of quadratic units for any matrix Z", equations=("13", "43", "44"))
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


@paper.step("equation-44", "h.1.u", "Velocity of u as displayed in H.1, without the factor v_i")
def step_h1() -> Statement:
    return _line(Integer(1))


@paper.step("equation-44", "h.1.u.corrected", "The same with the factor v_i")
def step_h1_corrected() -> Statement:
    return _line(v[0])


@paper.step("equation-44", "h.1.v", "Velocity of v as displayed in H.1")
def step_h1_v() -> Statement:
    form = _matrix(symmetric=False)
    error = y - sum(w * (row.T * form * row)[0] for w, row in zip(v, u, strict=True))
    return claim_on_reals(equal((derived_flow(form).velocity[0], error * (u[0].T * form * u[0])[0])))


@paper.step("equation-44", "conserved", "v_i^2 - |u_i|^2 / 2 is constant for every unit")
def step_conserved() -> Statement:
    flow = derived_flow(_matrix(symmetric=False))
    return claim_on_reals(equal((flow.derivative_along(v[0] ** 2 - (u[0].T * u[0])[0] / 2), S.Zero)))


@paper.statement("claim-5.2.a", "A linear attention head on scalar tokens is v u^T Z u with Z cubic in the tokens")
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
    "claim-5.2.a.vector", "With (69)-(70) one number v per head suffices: the two rows of V act in proportion"
)
def claim_5_2_a_vector() -> Statement:
    """Two-dimensional tokens, rank 1: the output is (v.S k)(q.x); a scalar v would need S k to keep its direction."""
    key, other = Matrix(symbols("k_1:3")), Matrix(symbols("m_1:3"))
    second = Matrix([[Symbol("s_11"), Symbol("s_12")], [Symbol("s_12"), Symbol("s_22")]])
    first, changed = second * key, second * other
    return claim_on_reals(equal((first[0] * changed[1], first[1] * changed[0])))


@paper.statement("claim-5.2.b", "The matrix of a linear attention head has eigenvalues of both signs")
def claim_5_2_b() -> Statement:
    x, c = symbols("x c")
    form = Matrix([[0, c], [c, 0]])
    return claim_on_reals(equal(((x * Matrix.eye(2) - form).det(), (x - c) * (x + c))))


# Proposition 5 ------------------------------------------------------------------------------------------------------

w, a, s = Symbol("v"), symbols("a_1:3"), symbols("s_1:3")
start, begin = Symbol("v_0"), symbols("b_1:3")
"""Initial values of v and of a_1, a_2."""


def early_flow() -> Flow:
    """(14) for one unit: ascent on the cubic v u^T S u, S = diag(s_1, s_2)."""
    cubic = w * sum(rate * weight**2 for rate, weight in zip(s, u[0], strict=True))
    return Flow((w, *u[0]), gradient(cubic, (w, *u[0])))


def reduced_flow() -> Flow:
    """(48)."""
    growth = sum(rate * part**2 for rate, part in zip(s, a, strict=True))
    return Flow((w, *a), (growth, *[w * rate * part for rate, part in zip(s, a, strict=True)]))


@paper.statement(
    "proposition-5", "When the first unit has size one, the others have the size of the start", equations=("14",)
)
def proposition_5() -> Statement:
    slope, least = symbols("slope least")
    return measured(
        "units",
        And(Abs(slope - 1) < Rational(1, 10), least > Rational(9, 10)),
        notes="A proof would need that almost every unit blows up in finite time (escape from the equilibria of the"
        " cubic) and that the blow-up times differ almost surely; proposition-5.homogeneous then gives the exponent 1.",
        units=3,
        seed=0,
    )


@paper.statement(
    "proposition-5.quadrature",
    "The same exponent from the integral for the time, without solving the system",
    equations=("56", "58"),
)
def proposition_5_quadrature() -> Statement:
    slope, least, gap = symbols("slope least gap")
    return measured(
        "quadrature",
        And(Abs(slope - 1) < Rational(1, 100), least > Rational(99, 100), gap < Rational(1, 10**6)),
        notes="Two units with v > 0 and growing v, where (56) is real; gap compares with a solver of (14). The bounds"
        " on the fitted slope were chosen here after a first measurement; a proof needs what proposition-5 needs.",
        seed=0,
    )


@paper.statement(
    "proposition-5.homogeneous", "Scaling the weights by eps slows time by eps: theta(t; eps g) = eps Theta(eps t; g)"
)
def proposition_5_homogeneous() -> Statement:
    flow, eps = early_flow(), Symbol("epsilon")
    small = [entry.subs({x: eps * x for x in flow.state}, simultaneous=True) for entry in flow.velocity]
    return claim_on_reals(equal((small, [eps**2 * entry for entry in flow.velocity])))


@paper.statement("proposition-5.definite", "With a positive definite matrix a unit with v < 0 need never grow")
def proposition_5_definite() -> Statement:
    rate = Symbol("a")
    return Statement(
        dynamics=Flow((w, rate), (rate**2, w * rate)),
        start={w: Integer(-2), rate: Integer(1)},
        then=Always(And(w < 0, rate < 2)),
        notes="One eigenvalue 1: v^2 - a^2 = 3 is conserved. So eigenvalues of both signs are needed.",
    )


@paper.step(
    "proposition-5", "48", "In the coordinates a = u / sqrt(2) and time 2t the system is (48)", equations=("47", "48")
)
def step_48() -> Statement:
    flow, goal = early_flow(), reduced_flow()
    there = {x: sqrt(2) * part for x, part in zip(u[0], a, strict=True)}
    of_v, *of_u = [entry.subs(there, simultaneous=True) / 2 for entry in flow.velocity]
    return claim_on_reals(equal(([of_v, *[entry / sqrt(2) for entry in of_u]], list(goal.velocity))))


@paper.step("proposition-5", "49", "v^2 - sum a_k^2 is constant", equations=("49", "50"))
def step_49() -> Statement:
    return claim_on_reals(equal((reduced_flow().derivative_along(w**2 - sum(part**2 for part in a)), S.Zero)))


@paper.step("proposition-5", "51", "s_k ln|a_m| - s_m ln|a_k| is constant", equations=("51", "52"))
def step_51() -> Statement:
    flow = reduced_flow()
    rates = [entry / part for entry, part in zip(flow.velocity[1:], a, strict=True)]
    return Statement(
        variables=reals((w, *s)) | dict.fromkeys(a, POSITIVE),
        then=Eq(s[1] * rates[0], s[0] * rates[1], evaluate=False),
    )


powers = symbols("P_1:3")
"""pi_m^(2 s_k / s_m) for k = 1, 2; the first is pi_m^2 itself when m = 1."""


def radicand(*values: Expr) -> Expr:
    """The right side of (54)."""
    return start**2 + sum(b**2 * (value - 1) for b, value in zip(begin, values, strict=True))


@paper.step("proposition-5", "54", "v^2 in terms of the growth factors", equations=("54",))
def step_54() -> Statement:
    conserved = Eq(
        w**2 - sum(b**2 * p for b, p in zip(begin, powers, strict=True)), start**2 - sum(b**2 for b in begin)
    )
    return claim_on_reals(equal((w**2, radicand(*powers))), given=(conserved,))


@paper.step("proposition-5", "55", "v keeps its sign", equations=("55",))
def step_55() -> Statement:
    flow = reduced_flow().substitute({s[0]: 1, s[1]: -1})
    return Statement(
        dynamics=flow,
        start={w: Rational(1, 10), a[0]: Rational(1, 2), a[1]: Integer(1)},
        then=Always(w > 0),
        notes="(55) writes v as sign(v(0)) times a root. Here s = (1, -1) and v decreases through zero at once.",
    )


@paper.step(
    "proposition-5", "55.corrected", "While v > 0 and sum s_k a_k^2 >= 0, neither can turn negative", equations=("55",)
)
def step_55_corrected() -> Statement:
    flow = reduced_flow()
    push = flow.velocity[0]
    return Statement(
        variables=reals((*a, *s)) | {w: POSITIVE},
        given=(push >= 0,),
        then=And(flow.velocity[0] >= 0, flow.derivative_along(push) >= 0),
    )


@paper.step("proposition-5", "choice", "The index that minimises s_m also maximises |s_m|")
def step_choice() -> Statement:
    return Statement(
        variables={s[0]: POSITIVE, s[1]: Interval.open(-oo, 0)},
        then=Abs(s[1]) >= Abs(s[0]),
        notes="Said for v(0) < 0; only max s_k / s_m = 1 is used later, see choice.corrected.",
    )


@paper.step("proposition-5", "choice.corrected", "The index that minimises s_m has max s_k / s_m = 1")
def step_choice_corrected() -> Statement:
    return Statement(
        variables={s[0]: S.Reals, s[1]: Interval.open(-oo, 0)}, given=(s[0] >= s[1],), then=s[0] / s[1] <= 1
    )


def _real_path(*extra: object) -> Statement:
    growth = Symbol("pi")
    return Statement(
        variables={start: POSITIVE, begin[0]: POSITIVE, begin[1]: POSITIVE, growth: Interval(1, oo)},
        given=tuple(extra),
        then=radicand(growth**2, growth**-2) > 0,
    )


@paper.step("proposition-5", "56", "The radicand is positive on the whole path, s = (1, -1)", equations=("56", "58"))
def step_56() -> Statement:
    return _real_path().but(
        notes="Where it fails, v changes sign and the unit grows along the other eigenvector; (56) is not real."
    )


@paper.step("proposition-5", "56.corrected", "The same when v(0) and its velocity have the same sign")
def step_56_corrected() -> Statement:
    return _real_path(begin[0] ** 2 >= begin[1] ** 2)


def psi(growth: Expr) -> Expr:
    """(60) for m = 1."""
    inner = start**2 / begin[0] ** 2 + (begin[1] / begin[0]) ** 2 * (powers[1] - 1) - 1
    return inner / growth**2


@paper.step("proposition-5", "59", "The radicand is a_m^2 pi^2 (1 + Psi)", equations=("59", "60"))
def step_59() -> Statement:
    growth = Symbol("pi")
    return Statement(
        variables=reals((start, begin[1], powers[1])) | {begin[0]: POSITIVE, growth: POSITIVE},
        then=Eq(radicand(growth**2, powers[1]), begin[0] ** 2 * growth**2 * (1 + psi(growth)), evaluate=False),
    )


@paper.step("proposition-5", "61", "1 + Psi is positive for every growth factor, s = (1, -1)", equations=("61",))
def step_61() -> Statement:
    growth = Symbol("pi")
    return Statement(
        variables={start: POSITIVE, begin[0]: POSITIVE, begin[1]: POSITIVE, growth: Interval(1, oo)},
        then=1 + psi(growth).subs(powers[1], growth**-2) > 0,
    )


@paper.step("proposition-5", "62", "The bound on the growth of a slower unit", equations=("62",))
def step_62() -> Statement:
    growth, least, speed, left = symbols("pi m A left")
    return Statement(
        variables=dict.fromkeys((growth, least, speed), POSITIVE) | {left: POSITIVE},
        given=(left < 1 / (least * growth), Eq(left, speed)),
        then=growth < 1 / (least * speed),
        notes="m is sqrt(1 + Psi_min), left the integral of (59), A the right side |s_m a_m(0)| (t_inf - t_final).",
    )


# Eqs. (15) and (16) -------------------------------------------------------------------------------------------------

t, first, second = symbols("t g_i g_j")


@paper.statement("equation-15", "v = 1 / (1/v(0) - t) solves v' = v^2", equations=("15",))
def equation_15() -> Statement:
    value = 1 / (1 / first - t)
    return Statement(
        variables={first: POSITIVE, t: S.Reals},
        given=(t * first < 1,),
        then=And(Eq(value.diff(t), value**2, evaluate=False), Eq(value.subs(t, 0), first, evaluate=False)),
    )


@paper.statement("equation-16", "One unit in terms of another", equations=("16",))
def equation_16() -> Statement:
    mine, other = 1 / (1 / first - t), 1 / (1 / second - t)
    printed = 1 / ((second / first - 1) / second + 1 / other)
    return Statement(
        variables={first: POSITIVE, second: POSITIVE, t: S.Reals},
        given=(first < second, t * second < 1),
        then=Eq(mine, printed, evaluate=False),
    )


@paper.statement("equation-16.a", "When the largest unit has size one, the others have size epsilon", equations=("16",))
def equation_16_a() -> Statement:
    eps = Symbol("epsilon")
    others = 1 / ((second / first - 1) / (eps * second) + 1)
    return Statement(
        variables={first: POSITIVE, second: POSITIVE}, given=(first < second,), then=Scaling(others, eps, 1)
    )
