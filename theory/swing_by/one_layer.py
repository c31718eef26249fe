"""Section 4.1 and Appendix C.2: gradient flow on a full matrix in closed form, and what the text reads off it.

In the consequences e_i stands for exp(-a_i t): with the rates and the time free, it takes every value in (0, 1].
"""

from __future__ import annotations

from sympy import (
    And,
    Eq,
    Equivalent,
    Expr,
    Implies,
    Interval,
    KroneckerDelta,
    Matrix,
    Piecewise,
    Rational,
    S,
    Sum,
    Symbol,
    diag,
    diff,
    exp,
    eye,
    log,
    oo,
    symbols,
)
from sympy.logic.boolalg import Boolean

from theory.displays import equal
from theory.domains import POSITIVE
from theory.dynamics import Flow, gradient_descent
from theory.language.families import family
from theory.scope import case, own, part, whole
from theory.statements import Statement
from theory.swing_by._paper import paper
from theory.swing_by.model import (
    NONNEGATIVE,
    deviations,
    eta,
    loss_at,
    means,
    one_layer,
    second_moment,
    signals,
    t,
    training_loss,
    weights,
)
from theory.temporal import Always, ConvergesTo, Decreasing, ForEach

section = paper.section(steps=case("d = 3, s = 2"))


def start_matrix(d: int) -> Matrix:
    """The entries of W(0)."""
    return weights(d, d, "v")


def inputs(d: int) -> Matrix:
    """A free input z."""
    return Matrix([Symbol(f"z_{i}") for i in range(1, d + 1)])


def rates(d: int, s: int) -> list[Expr]:
    """The rates a_i, zero beyond the informative directions."""
    return list(second_moment(d, s).diagonal())


def output(d: int, s: int, last: int) -> Matrix:
    """The printed output (4.2) with the noise sum over i = 1..last.

    >>> output(1, 1, 1)
    Matrix([[v_11*z_1*exp(-a_1*t) + z_1*(1 - exp(-a_1*t))]])
    """
    a, z, start = rates(d, s), inputs(d), start_matrix(d)
    growth = [(1 - exp(-a[k] * t)) * z[k] if k < s else S.Zero for k in range(d)]
    noise = [sum((exp(-a[i] * t) * start[k, i] * z[i] for i in range(last)), S.Zero) for k in range(d)]
    return Matrix([g + n for g, n in zip(growth, noise, strict=True)])


def solution(d: int, s: int) -> Matrix:
    """W(t) by variation of constants: I_s (I - e^(-At)) + W(0) e^(-At), with I_s the identity on the s directions."""
    fixed = diag(*[1 if k < s else 0 for k in range(d)])
    decay = diag(*[exp(-rate * t) for rate in rates(d, s)])
    known = start_matrix(d)
    return fixed * (eye(d) - decay) + known * decay


def _domains(d: int, s: int, *more: Matrix) -> dict[Symbol, object]:
    free = sorted(set().union(*(part.free_symbols for part in (start_matrix(d), *more))) - {t}, key=str)
    positive = dict.fromkeys(signals(d)[:s], POSITIVE)
    return {**dict.fromkeys((x for x in free if x not in positive), S.Reals), **positive, t: NONNEGATIVE}


def _solves(d: int, s: int, printed: Matrix) -> Boolean:
    """The printed output starts where W(0) z is and moves as the gradient flow says."""
    flow, z = one_layer(d, s), inputs(d)
    state = Matrix(d, d, list(flow.state))
    speed = Matrix(d, d, list(flow.velocity)).subs(dict(zip(state, solution(d, s), strict=True)), simultaneous=True)
    return equal((start_matrix(d) * z, printed.subs(t, 0)), (speed * z, diff(printed, t)))


@paper.statement(
    "theorem-4.1",
    "The output of the one-layer model in closed form, for any input",
    equations=("4.2",),
    scope=whole(),
)
def theorem_4_1() -> Statement:
    """For every d: z is any input, s the number of directions with a signal."""
    k, i, s, size = symbols("k i s d")
    W, V, a, z = family("W", size, size), family("V", size, size), family("a", size), family("z", size)
    growth = Piecewise(((1 - exp(-a[k] * t)) * z[k], k <= s), (0, True))
    rest = Sum(Piecewise((exp(-a[i] * t) * V[k, i] * z[i], i <= s), (0, True)), (i, 1, size))
    return Statement(
        variables={s: S.Naturals, a: NONNEGATIVE, V: S.Reals, z: S.Reals},
        given=(s <= size, ForEach(i, size, Implies(i <= s, a[i] > 0)), ForEach(i, size, Implies(i > s, Eq(a[i], 0)))),
        dynamics=Flow((W[k, i],), (-(W[k, i] - KroneckerDelta(k, i)) * a[i],), t),
        start={W[k, i]: V[k, i]},
        then=Always(ForEach(k, size, Eq(Sum(W[k, i] * z[i], (i, 1, size)), growth + rest))),
    )


@paper.statement(
    "theorem-4.1.d-2",
    "The output of the one-layer model in closed form, for any input, at the start and to first order",
    equations=("4.2",),
    scope=case("d = 2, s = 1: the value at 0 and the derivative of the printed output"),
    claims=(
        "for every d, s <= d, W(0) and z in R^d the flow dW/dt = -grad L has f(W(t), z)_k = 1{k <= s} (1 "
        "- exp(-a_k t)) z_k + sum over i <= s of exp(-a_i t) w_ki(0) z_i"
    ),
)
def theorem_4_1_two() -> Statement:
    return Statement(
        variables=_domains(2, 1, inputs(2)),
        then=_solves(2, 1, output(2, 1, 1)),
        notes="d = 2 with one informative direction: a direction without data keeps its initial weights for ever.",
    )


@paper.statement(
    "theorem-4.1.corrected",
    "The output in closed form, with the noise summed over all d directions",
    scope=own("the nearest true form of theorem-4.1, for d = 3 and s = 2"),
)
def theorem_4_1_corrected() -> Statement:
    cases = [(2, 1), (2, 2), (3, 2)]
    return Statement(
        variables=_domains(3, 2, inputs(3)),
        then=And(*[_solves(d, s, output(d, s, d)) for d, s in cases]),
        notes="d = 2 and 3, with and without uninformative directions; rows and columns do not interact beyond that.",
    )


@paper.statement(
    "theorem-4.1.a",
    "With as many clusters as directions the printed sum is complete",
    equations=("4.2",),
    scope=case("s = d = 3"),
)
def theorem_4_1_a() -> Statement:
    return Statement(variables=_domains(3, 3, inputs(3)), then=_solves(3, 3, output(3, 3, 3)))


@paper.statement(
    "theorem-4.1.b",
    "At the test point the printed sum is complete for every s",
    equations=("4.2",),
    scope=case("d = 3, s = 2, z = the test point"),
)
def theorem_4_1_b() -> Statement:
    """The test point has no entries beyond s."""
    at_test = {inputs(3)[2]: 0}
    printed = output(3, 2, 2).subs(at_test)
    return Statement(variables=_domains(3, 2, inputs(3)), then=equal((output(3, 2, 3).subs(at_test), printed)))


@paper.step("theorem-4.1", "c.15", "The gradient is W A - A", equations=("C.14", "C.15"), scope=case("d = 3"))
def step_c15() -> Statement:
    flow = one_layer(3)
    W = Matrix(3, 3, list(flow.state))
    A = second_moment(3)
    return Statement(
        variables={**dict.fromkeys(flow.state, S.Reals), **dict.fromkeys(signals(3), NONNEGATIVE)},
        then=equal((-Matrix(3, 3, list(flow.velocity)), W * A - A)),
    )


@paper.step("theorem-4.1", "c.16", "Each row follows its own linear equation", equations=("C.16",), scope=case("d = 3"))
def step_c16() -> Statement:
    flow, A = one_layer(3), second_moment(3)
    W = Matrix(3, 3, list(flow.state))
    rows = [(Matrix(flow.velocity[3 * k : 3 * k + 3]), -A * W.row(k).T + A.row(k).T) for k in range(3)]
    return Statement(
        variables={**dict.fromkeys(flow.state, S.Reals), **dict.fromkeys(signals(3), NONNEGATIVE)}, then=equal(*rows)
    )


@section.step("theorem-4.1", "c.17", "The solution of the row equation, with 0 / 0 read as 0", equations=("C.17",))
def step_c17() -> Statement:
    d, s = 3, 2
    flow, printed = one_layer(d, s), solution(d, s)
    state = Matrix(d, d, list(flow.state))
    speed = Matrix(d, d, list(flow.velocity)).subs(dict(zip(state, printed, strict=True)), simultaneous=True)
    return Statement(
        variables=_domains(d, s), then=equal((start_matrix(d), printed.subs(t, 0)), (speed, diff(printed, t)))
    )


@section.step("theorem-4.1", "c.19", "The output splits into growth and noise", equations=("C.18", "C.19"))
def step_c19() -> Statement:
    d, s, z = 3, 2, inputs(3)
    decay = diag(*[exp(-rate * t) for rate in rates(d, s)])
    target = diag(1, 1, 0)
    return Statement(
        variables=_domains(d, s, z),
        then=equal((solution(d, s) * z, target * (eye(d) - decay) * z + start_matrix(d) * decay * z)),
    )


@paper.step(
    "theorem-4.1",
    "c.20",
    "The scalar products as sums, read over d instead of the printed n",
    equations=("C.20",),
    scope=case("d = s = 2; the printed sum to n taken as a sum to d"),
)
def step_c20() -> Statement:
    d, z = 2, inputs(2)
    a = signals(d)
    growth = Matrix([(1 - exp(-a[k] * t)) / a[k] * a[k] * z[k] for k in range(d)])
    noise = Matrix([sum((exp(-a[i] * t) * start_matrix(d)[k, i] * z[i] for i in range(d)), S.Zero) for k in range(d)])
    return Statement(variables=_domains(d, d, z), then=equal((solution(d, d) * z, growth + noise)))


@section.step("theorem-4.1", "c.21", "What is left is the printed output with the sum over d", equations=("C.21",))
def step_c21() -> Statement:
    return Statement(variables=_domains(3, 2, inputs(3)), then=equal((solution(3, 2) * inputs(3), output(3, 2, 3))))


@paper.step(
    "theorem-4.1",
    "c.21.a",
    "The sum over d in the proof is the sum over s in the theorem",
    equations=("4.2", "C.21"),
    scope=case("d = 2, s = 1"),
)
def step_c21_a() -> Statement:
    return Statement(variables=_domains(2, 1, inputs(2)), then=equal((output(2, 1, 2), output(2, 1, 1))))


# Consequences -------------------------------------------------------------------------------------------------------


E = tuple(Symbol(f"e_{i}") for i in (1, 2))
SHARE = Interval.Lopen(0, 1)


def parts() -> Flow:
    """The growth term g of one coordinate and the two terms n_i of its noise, as the flow that generates them."""
    g, n = Symbol("g"), (Symbol("n_1"), Symbol("n_2"))
    rate = signals(2)
    return Flow((g, *n), (rate[0] * (means(1)[0] - g), -rate[0] * n[0], -rate[1] * n[1]))


@paper.statement(
    "claim-4.1.growth-limit",
    "The growth term tends to mu_k and the noise term to 0",
    label="Section 4.1 (i)",
    scope=case("s = d = 2, k = 1"),
)
def growth_limit() -> Statement:
    flow, v, m = parts(), start_matrix(2), means(2)
    return Statement(
        variables={**dict.fromkeys((*m, *v.row(0)), S.Reals), **dict.fromkeys(signals(2), POSITIVE)},
        dynamics=flow,
        start=dict(zip(flow.state, (S.Zero, v[0, 0] * m[0], v[0, 1] * m[1]), strict=True)),
        then=ConvergesTo(flow.state, (m[0], 0, 0)),
        notes="s = d = 2, first coordinate; the flow generates 1 - exp(-a_1 t) and the exp(-a_i t) exactly.",
    )


@paper.statement(
    "claim-4.1.growth-limit.a",
    "The noise term tends to 0 also beside uninformative directions",
    scope=own("a question of ours, s = 1, d = 2: the sum over all d directions away from the test point"),
)
def noise_limit_uninformative() -> Statement:
    """A free input, one informative direction: the limit is what is left when exp(-a_1 t) is gone."""
    z = inputs(2)
    printed = output(2, 1, 2)[0]
    left = printed.subs(exp(-signals(1)[0] * t), 0) - z[0]
    return Statement(variables=dict.fromkeys((*start_matrix(2).row(0), *z), S.Reals), then=Eq(left, 0))


def _noise_term() -> Expr:
    m, v = means(2), start_matrix(2)
    return E[0] * v[0, 0] * m[0] + E[1] * v[0, 1] * m[1]


def _noise_domains() -> dict[Symbol, object]:
    return {
        **dict.fromkeys(start_matrix(2).row(0), S.Reals),
        **dict.fromkeys(means(2), NONNEGATIVE),
        **dict.fromkeys(E, SHARE),
    }


def _size_of_noise() -> Expr:
    m, v = means(2), start_matrix(2)
    return abs(v[0, 0]) * m[0] + abs(v[0, 1]) * m[1]


@paper.statement(
    "claim-4.1.exponential",
    "The noise decays at least as fast as its slowest exponential",
    label="Section 4.1 (ii)",
    scope=part("the noise term, s = 2; the growth term is left out"),
)
def exponential_rate() -> Statement:
    return Statement(
        variables=_noise_domains(), given=(E[1] <= E[0],), then=abs(_noise_term()) <= _size_of_noise() * E[0]
    )


@paper.statement(
    "claim-4.1.noise-bound",
    "The noise term is at most the sum of w_ki(0) mu_i",
    label="Section 4.1 (iii)",
    scope=whole(),
)
def noise_bound() -> Statement:
    """w are the entries w_{k,i}(0) of one row, for every s."""
    i, many = Symbol("i"), Symbol("s")
    w, a, mu = family("w", many), family("a", many), family("mu", many)
    noise = Sum(exp(-a[i] * t) * w[i] * mu[i], (i, 1, many))
    return Statement(
        variables={w: S.Reals, a: POSITIVE, mu: NONNEGATIVE, t: NONNEGATIVE},
        then=noise <= Sum(w[i] * mu[i], (i, 1, many)),
        examples=({many: 1, Symbol("w_1"): -1, Symbol("a_1"): 1, Symbol("mu_1"): 1, t: 1},),
    )


@paper.statement(
    "claim-4.1.noise-bound.corrected",
    "The size of the noise term is at most the sum of |w_ki(0)| mu_i",
    scope=own("the nearest true form of claim-4.1.noise-bound, s = 2"),
)
def noise_bound_corrected() -> Statement:
    return Statement(variables=_noise_domains(), then=abs(_noise_term()) <= _size_of_noise())


@paper.statement(
    "claim-4.1.order",
    "From zero, the direction with the larger a reaches any share of its mean first",
    label="Section 4.1",
    scope=whole(),
)
def learning_order() -> Statement:
    rate = signals(2)
    return Statement(
        variables={rate[0]: POSITIVE, rate[1]: Interval.open(rate[0], oo), t: POSITIVE},
        then=1 - exp(-rate[1] * t) > 1 - exp(-rate[0] * t),
    )


@paper.statement(
    "claim-4.1.half-time",
    "From zero, half of the mean is reached at time log 2 / a",
    label="Section 4.1",
    scope=own("a consequence of ours: the paper names no half time"),
)
def half_time() -> Statement:
    rate = signals(1)[0]
    return Statement(variables={rate: POSITIVE}, then=equal((1 - exp(-rate * (log(2) / rate)), Rational(1, 2))))


@paper.statement(
    "claim-4.1.proportional",
    "The rate is (s sigma^2 + mu^2) / s and grows with both",
    label="Section 4.1",
    scope=case("s = 3: the rate is monotone in both; proportional is not stated"),
)
def rate_grows() -> Statement:
    m, s = means(2), deviations(2)
    rates_ = [s_p**2 + m_p**2 / 3 for m_p, s_p in zip(m, s, strict=True)]
    return Statement(
        variables=dict.fromkeys((*m, *s), NONNEGATIVE),
        given=(m[0] <= m[1], s[0] <= s[1]),
        then=rates_[0] <= rates_[1],
        notes="s = 3; that the rate is (s sigma^2 + mu^2) / s is equation-c.13.",
    )


@paper.statement(
    "claim-4.1.speed",
    "The growth term moves at a_k z_k exp(-a_k t), which decays",
    label="Theorem A.1 of the earlier version",
    equations=("A.4",),
    scope=case("z_k > 0"),
)
def speed() -> Statement:
    rate, z = signals(1)[0], Symbol("z_1")
    term = (1 - exp(-rate * t)) * z
    later = Symbol("h")
    moved = diff(term, t)
    return Statement(
        variables={rate: POSITIVE, z: POSITIVE, t: NONNEGATIVE, later: POSITIVE},
        then=And(Eq(moved, rate * z * exp(-rate * t)), moved.subs(t, t + later) < moved),
    )


def _one_layer_loss(start: Matrix) -> Expr:
    return loss_at(start, Matrix(means(2)))


@paper.statement(
    "claim-4.1.monotone",
    "The test loss of the one-layer model falls from every start",
    label="Section 4.1",
    scope=own("a question of ours, d = 2: the paper calls the output trajectory monotonic, the noise left out"),
)
def monotone() -> Statement:
    """The derivative of the test loss along the flow, at the start."""
    flow = one_layer(2)
    W = Matrix(2, 2, list(flow.state))
    return Statement(
        variables={**dict.fromkeys(flow.state, S.Reals), **dict.fromkeys((*signals(2), *means(2)), POSITIVE)},
        then=flow.derivative_along(_one_layer_loss(W)) <= 0,
        notes="The text says that the one-layer output trajectory is monotone and regular.",
    )


@paper.statement(
    "claim-4.1.monotone.corrected",
    "From zero weights the test loss of the one-layer model falls for ever",
    scope=own("the nearest true form of claim-4.1.monotone, one direction"),
)
def monotone_corrected() -> Statement:
    """The error r = f_k - mu_k of one coordinate; from W(0) = 0 the coordinates do not interact."""
    r, rate, mean = Symbol("r"), signals(1)[0], means(1)[0]
    return Statement(
        variables={rate: POSITIVE, mean: POSITIVE},
        dynamics=Flow((r,), (-rate * r,)),
        start={r: -mean},
        then=Decreasing(r**2 / 2),
        notes="claim-4.1.monotone.a shows that these are the errors of the model and gives the loss in closed form.",
    )


@paper.statement(
    "claim-4.1.monotone.a",
    "From zero weights the test loss is half the sum of mu_k^2 exp(-2 a_k t), falling",
    scope=case("s = d = 2, W(0) = 0"),
)
def monotone_closed_form() -> Statement:
    d, at_zero = 2, dict.fromkeys(start_matrix(2), S.Zero)
    loss = _one_layer_loss(solution(d, d).subs(at_zero))
    m, rate = means(2), signals(2)
    printed = (m[0] ** 2 * exp(-2 * rate[0] * t) + m[1] ** 2 * exp(-2 * rate[1] * t)) / 2
    return Statement(
        variables={**dict.fromkeys((*m, *rate), POSITIVE), t: NONNEGATIVE},
        then=And(Eq(loss, printed), diff(printed, t) < 0),
    )


@paper.statement(
    "claim-4.1.monotone.b",
    "One coordinate of the one-layer output moves monotonically from every start",
    label="Section 4.1",
    scope=own("a question of ours, s = 2: the paper calls the trajectory monotonic, the noise left out"),
)
def monotone_coordinate() -> Statement:
    """Its speed has the same sign at time 0 and at time 1, where a_i = -log e_i."""
    m, v = means(2), start_matrix(2)
    pulls = (-log(E[0]) * (1 - v[0, 0]) * m[0], log(E[1]) * v[0, 1] * m[1])
    return Statement(variables=_noise_domains(), then=(pulls[0] + pulls[1]) * (E[0] * pulls[0] + E[1] * pulls[1]) >= 0)


@paper.statement(
    "claim-4.1.training",
    "The training loss of the one-layer model never rises",
    label="Appendix F.4",
    scope=case("d = 2; Appendix F.4 says it of the run of Figure 17"),
)
def training_falls() -> Statement:
    flow = one_layer(2)
    W = Matrix(2, 2, list(flow.state))
    return Statement(
        variables={**dict.fromkeys(flow.state, S.Reals), **dict.fromkeys(signals(2), NONNEGATIVE)},
        then=flow.derivative_along(training_loss(W, second_moment(2))) <= 0,
    )


@paper.statement(
    "claim-4.1.stable",
    "Gradient descent on the one-layer model contracts exactly when eta < 2 / max a",
    label="Section 4.1",
    scope=own("a question of ours, d = 2: the paper treats the flow only"),
)
def descent_limit() -> Statement:
    """One step multiplies the error of column i by its factor."""
    descent = gradient_descent(training_loss(weights(2, 2, "w"), second_moment(2)), tuple(weights(2, 2, "w")), eta)
    factors = [diff(descent.update[place], descent.state[place]) for place in (0, 3)]
    inside = And(*[And(factor > -1, factor < 1) for factor in factors])
    return Statement(
        variables=dict.fromkeys((*signals(2), eta), POSITIVE),
        then=Equivalent(inside, And(*[eta * rate < 2 for rate in signals(2)])),
    )
